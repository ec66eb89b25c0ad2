//! The network twin against the CSMA prototype of `shared/design/twin`: on the same parameter files both give the same
//! distributions. The prototype's replicates are in `prototype/replicates-csma.txt`, with the command that made them.
//!
//! One deviation is intended: frames wake the processors of Cooja motes, whose turnarounds count wake-ups (`Mechanism::WakeUps`). The
//! prototype has none of it, so that the twin runs without it here. Copies that never leave their node and routes resampled in
//! blocks, which the twin does not have, are switched off in the prototype, and so are draws of its parameters.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "prototype/contention.rs"]
mod contention;
#[path = "prototype/contention_clients.rs"]
mod contention_clients;
#[path = "prototype/samples.rs"]
mod samples;

use contention::{Parameters, Row};
use contention_clients::Clients;
use samples::{column, critical, distance, folder, rows};
use twin::Mechanism;

const MEASURES: [&str; 5] = ["mean", "median", "p95", "retransmissions", "frames"];

/// Rows of the twin.
fn twin(parameters: &Parameters, timer: &str, replicates: u32, without: &[Mechanism]) -> Vec<Row> {
    let machine = parameters.machine();
    (0..replicates).map(|replicate| Clients::new(parameters, timer, replicate).run(&machine, without)).collect()
}

#[test]
fn the_twin_gives_the_distributions_of_the_prototype() {
    let Some(folder) = folder("prototype-csma") else { return };
    let prototype = rows(include_str!("prototype/replicates-csma.txt"));
    // One level for all tests together (Bonferroni): a twin that is right fails once in a hundred choices of seeds.
    let level = 0.01 / (prototype.len() * MEASURES.len()) as f64;
    for ((file, timer), rows) in &prototype {
        let parameters = Parameters::read(&folder.join(format!("{file}.txt")));
        let own = twin(&parameters, timer, 200, &[Mechanism::WakeUps]);
        let most = critical(rows.len(), own.len(), level);
        let distances: Vec<f64> = (0..5).map(|at| distance(&column(rows, at), &column(&own, at))).collect();
        let means = (0..5).map(|at| {
            let mean = |rows: &[Row]| column(rows, at).iter().sum::<f64>() / rows.len() as f64;
            format!("{} {:.3} for {:.3}", MEASURES[at], mean(&own), mean(rows))
        });
        println!("{file} {timer}: {} {distances:.3?}, at most {most:.3}", means.collect::<Vec<_>>().join(", "));
        assert!(distances.iter().all(|&distance| distance <= most), "{file} {timer}");
    }
}

#[test]
fn another_machine_gives_other_distributions() {
    let Some(folder) = folder("prototype-csma") else { return };
    let key = ("mrm3x3-b2b__default-seed1".to_owned(), "default".to_owned());
    let rows = &rows(include_str!("prototype/replicates-csma.txt"))[&key];
    let mut parameters = Parameters::read(&folder.join(format!("{}.txt", key.0)));
    // Wake-ups are found out, and so is one attempt more.
    let woken = twin(&parameters, &key.1, 200, &[]);
    parameters.max_attempts += 1;
    let tried = twin(&parameters, &key.1, 200, &[Mechanism::WakeUps]);
    for (own, measures) in [(woken, [1, 4]), (tried, [3, 4])] {
        for at in measures {
            let distance = distance(&column(rows, at), &column(&own, at));
            assert!(distance > critical(200, 200, 0.001), "{}: {distance}", MEASURES[at]);
        }
    }
}
