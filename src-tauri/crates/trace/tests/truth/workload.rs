//! Times at which applications send, as worked out from captures, against how the recorded runs were made: by a clock,
//! by events, one request after the other; and when requests that waited had been ready.

use crate::bundle::{NO_OPTION, RC_OPTION, Table, analyse, runs, shared};
use crate::motes::mote;
use base::{ExchangeId, Instant};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use trace::{Trace, Workload};

/// Runs whose clients send one request after the other, from the scenarios' descriptions: `mrm3x3-b2b` at once, `ge`,
/// `short`, `sleepy` and `step` after 300 ms.
fn truly(scenario: &str) -> Workload {
    let loops = ["mrm3x3-b2b", "ge-", "short-", "sleepy-", "step-"];
    if loops.iter().any(|name| scenario.starts_with(name)) { Workload::ThinkTime } else { Workload::Arrivals }
}

#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    exchanges: usize,
    at_once: u32,
    in_events: u32,
    events: usize,
    /// Lateness of requests that waited, and error of the inferred times: ms.
    naive: Vec<f64>,
    inferred: Vec<f64>,
    within: usize,
}

impl Tally {
    fn add(&mut self, trace: &Trace, truth: Workload, asked: &HashMap<ExchangeId, Instant>) {
        for association in &trace.associations {
            let right = association.workload == truth;
            *(if right { &mut self.right } else { &mut self.wrong }) += 1;
            self.exchanges += association.exchanges.len();
            self.at_once += association.rhythm.at_once;
            self.in_events += association.rhythm.in_events;
            for ready in &association.ready {
                let Some(&asked) = asked.get(&ready.exchange) else { continue };
                let exchange = &trace.exchanges[ready.exchange.index()];
                let error = (ready.at - asked).abs();
                self.naive.push((exchange.start() - asked).abs().secs_f64() * 1e3);
                self.inferred.push(error.secs_f64() * 1e3);
                self.within += usize::from(error <= ready.error);
            }
        }
        self.events += trace.relations.events.len();
    }

    fn print(&mut self, name: &str) {
        let middle = |values: &mut Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        let waited = self.naive.len();
        println!(
            "{name:24} {:5} {:5} | {:6} {:6} | {:5} {:6} | {waited:6} {:8.0} {:8.0} {:5.0}%",
            self.right,
            self.wrong,
            self.exchanges,
            self.at_once,
            self.events,
            self.in_events,
            middle(&mut self.naive),
            middle(&mut self.inferred),
            100.0 * self.within as f64 / waited.max(1) as f64
        );
    }
}

fn header() {
    println!("{:24} {:^11} | {:^13} | {:^12} | waited: median error ms, within", "", "clients", "requests", "events");
    println!(
        "{:24} {:>5} {:>5} | {:>6} {:>6} | {:>5} {:>6} | {:>6} {:>8} {:>8} {:>6}",
        "scenario", "right", "wrong", "all", "at once", "all", "begun", "of", "as sent", "inferred", "error"
    );
}

#[test]
fn applications_of_the_simulated_motes() {
    let Some(folder) = shared("cooja") else { return };
    let everything = needs::everything();
    header();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for run in runs(&folder, "exchanges.tsv.gz").into_iter().filter(|run| run.join("radio-truth.tsv.gz").exists()) {
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        if !everything && !name.ends_with("default-seed1") {
            continue;
        }
        let scenario = name.split('/').next().unwrap().to_owned();
        let trace = analyse(&run.join("radio.pcap.gz"), RC_OPTION);
        let truth = truly(&scenario);
        for association in trace.associations.iter().filter(|a| a.workload != truth) {
            println!("{name} {}: {:?} {:?}", mote(association.client.addr), association.workload, association.rhythm);
        }
        tallies.entry(scenario).or_default().add(&trace, truth, &HashMap::new());
    }
    let mut wrong = (0, 0);
    for (name, tally) in &mut tallies {
        tally.print(name);
        wrong = (wrong.0 + tally.wrong, wrong.1 + tally.right + tally.wrong);
    }
    // Wrong ones have a queue that rarely empties, behind waits of up to 20 s: one after the other, as it looks.
    assert!(wrong.0 * 50 <= wrong.1, "{} of {} workloads wrong", wrong.0, wrong.1);
}

#[test]
fn applications_of_the_live_clients() {
    let Some(folder) = shared("live") else { return };
    header();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for run in runs(&folder, "capture.pcap.gz") {
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        let trace = analyse(&run.join("capture.pcap.gz"), NO_OPTION);
        let truth = truly(&name);
        for a in trace.associations.iter().filter(|a| a.workload != truth) {
            println!("{name} {}: {:?} {:?}", a.client_name, a.workload, a.rhythm);
        }
        tallies.entry(name.split("-seed").next().unwrap().to_owned()).or_default().add(
            &trace,
            truth,
            &due(&run, &trace),
        );
    }
    let mut wrong = (0, 0);
    for (name, tally) in &mut tallies {
        tally.print(name);
        wrong = (wrong.0 + tally.wrong, wrong.1 + tally.right + tally.wrong);
    }
    assert!(wrong.0 * 100 <= wrong.1, "{} of {} workloads wrong", wrong.0, wrong.1);
}

/// Returns the time when the clients' applications wanted to send, where the clients logged that: the i-th request of a
/// client is its i-th exchange.
fn due(run: &Path, trace: &Trace) -> HashMap<ExchangeId, Instant> {
    let epoch = trace.capture.epoch_unix_nanos.unwrap();
    let mut due: HashMap<(i64, i64), Instant> = HashMap::new();
    for row in Table::read(&run.join("client.csv.gz"), ',').rows().filter(|row| row.text("ev") == "due") {
        let id = (row.int("client").unwrap(), row.int("i").unwrap());
        due.insert(id, Instant::from_nanos(row.nanos("epoch") - epoch));
    }
    let mut all = HashMap::new();
    for association in &trace.associations {
        let client = i64::from(association.client.port) - 40_001;
        all.extend((1..).zip(&association.exchanges).filter_map(|(i, &id)| Some((id, *due.get(&(client, i))?))));
    }
    all
}
