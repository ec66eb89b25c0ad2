//! The CSMA prototype.
//!
//! One deviation is intended: frames wake the processors of Cooja motes, whose turnarounds count wake-ups
//! (`Mechanism::WakeUps`). The prototype has none of it, so that the twin runs without it here. Copies that never leave
//! their node and routes resampled in blocks, which the twin does not have, are switched off in the prototype, and so
//! are draws of its parameters.

mod clients;
mod parameters;

use crate::samples::{Row, check_different, check_equal, folder, rows};
use clients::Clients;
use parameters::Parameters;
use twin::Mechanism;

/// Rows of the twin.
fn twin(parameters: &Parameters, timer: &str, without: &[Mechanism]) -> Vec<Row> {
    let machine = parameters.machine();
    (0..200).map(|replicate| Clients::new(parameters, timer, replicate).run(&machine, without)).collect()
}

#[test]
fn the_twin_gives_the_distributions_of_the_prototype() {
    let Some(folder) = folder("prototype-csma") else { return };
    let prototype = rows(include_str!("csma/replicates.txt"));
    check_equal(&prototype, |file, timer| {
        twin(&Parameters::read(&folder.join(format!("{file}.txt"))), timer, &[Mechanism::WakeUps])
    });
}

#[test]
fn another_machine_gives_other_distributions() {
    let Some(folder) = folder("prototype-csma") else { return };
    let key = ("mrm3x3-b2b__default-seed1".to_owned(), "default".to_owned());
    let rows = &rows(include_str!("csma/replicates.txt"))[&key];
    let mut parameters = Parameters::read(&folder.join(format!("{}.txt", key.0)));
    // Wake-ups are found out, and so is one attempt more.
    check_different(rows, &twin(&parameters, &key.1, &[]), &[1, 4]);
    parameters.max_attempts += 1;
    check_different(rows, &twin(&parameters, &key.1, &[Mechanism::WakeUps]), &[3, 4]);
}
