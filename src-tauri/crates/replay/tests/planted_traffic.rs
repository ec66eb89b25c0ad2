//! Traffic beside single exchanges with one server: planted, written as captures, and read back. A client may have
//! several requests open at once, or ask several servers; notifications that nobody confirms take the medium. The twin
//! of such a capture has to be right about another run of its own timer, with luck of its own.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../twin/tests/build/mod.rs"]
mod build;
#[path = "planted/clients.rs"]
mod clients;
#[allow(dead_code, reason = "the networks of the other test are not asked for")]
#[path = "planted/networks.rs"]
mod networks;
#[path = "planted/octets.rs"]
mod octets;

use base::{Silent, Span};
use build::{Tree, at, certain, contended, machine, shared};
use clients::{Arrivals, Clients};
use replay::{
    Algorithm, AnotherRun, Bounds, ChannelSpec, MetricName, ModelErrors, Record, Replay, RunResult, Scenario,
};
use serde_json::Value;
use trace::{DecodeOptions, ImportOptions, Trace};
use twin::{Acknowledger, Background, Ends, Evidence, Machine, Matrix, NodeId};

const TIMER: &str = "coap_default";
/// Milliseconds of a capture.
const LENGTH: i64 = 1_800_000;

/// A network with its clients; several in turns share an association.
struct World {
    machine: Machine,
    arrivals: Vec<Arrivals>,
}

impl World {
    /// Clients at the `ends`, each of `loops` programs with a request every `gap` seconds on average.
    fn new(mut machine: Machine, tree: &Tree, ends: &[(NodeId, NodeId)], (loops, gap): (usize, i64)) -> Self {
        let nodes = machine.len();
        machine.reception = Matrix::new(nodes)
            .map(|from, to, _: Evidence| if tree.is_link(from, to) { certain(0.85) } else { Evidence::NEVER });
        machine.ends = ends.iter().map(|&(client, server)| Some(Ends { client, server })).collect();
        machine.routes = networks::routes(tree, ends.iter().copied());
        machine.window = (at(0), at(LENGTH));
        let arrivals = Arrivals { gap: Span::from_secs(gap), window: machine.window };
        Self { arrivals: vec![arrivals; ends.len() * loops], machine }
    }

    /// A capture with the luck of `number`.
    fn capture(&self, number: u32) -> (Trace, Replay) {
        let mut clients = Clients::new(TIMER, &self.arrivals, number).sharing(self.machine.ends.len());
        let log = clients.run(&self.machine, u64::from(number) + 1, at(LENGTH));
        let pcap = octets::pcap(&self.machine, &log, &|key| clients.message_id(key));
        let (length, options) = (pcap.len() as u64, ImportOptions::default());
        let capture = trace::read("planted.pcap", std::io::Cursor::new(pcap), Some(length), &options, &mut Silent);
        let trace = trace::analyse(capture.unwrap(), &DecodeOptions::default(), &mut Silent).unwrap();
        let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
        replay.learn_network(&trace, &mut Silent).unwrap();
        (trace, replay)
    }
}

/// Another run of the recorded timer, as the twin of `replay` predicts it.
fn another(replay: &Replay) -> RunResult {
    let timer = Algorithm::Preset { id: TIMER.to_owned(), params: Value::Null };
    let scenario = Scenario {
        replicates: 40,
        another: AnotherRun::Compute,
        bounds: Bounds::Skip,
        // The machine is of the kind that the twin simulates.
        model_error: ModelErrors::Exclude,
        ..Scenario::new(timer, ChannelSpec::Twin)
    };
    replay.run(&scenario, &mut Silent).unwrap()
}

/// Holds measures of `real`, another run, against `result`.
fn holds(result: &RunResult, real: &Replay, name: &str) {
    for metric in [MetricName::Exchanges, MetricName::DurationMean, MetricName::DurationP95, MetricName::RetriesMean] {
        let (truth, interval) = (real.recorded().get(metric).unwrap(), result.get(metric).another.unwrap());
        // A tenth of slack: one run in ten is outside, and here it is always the same one.
        let slack = 0.1 * truth;
        let is_inside = interval.lo - slack <= truth && truth <= interval.hi + slack;
        assert!(is_inside, "{name}, {}: {truth} outside {interval:?}", metric.name());
    }
}

fn parameter(replay: &Replay, name: &str) -> Option<f64> {
    let machine = replay.machine().unwrap().unwrap();
    machine.parameters.iter().find(|parameter| parameter.name == name).map(|parameter| parameter.value)
}

fn to_root(tree: &Tree) -> Vec<(NodeId, NodeId)> {
    (1..tree.len() as NodeId).map(|client| (client, 0)).collect()
}

#[test]
fn requests_open_at_once_are_as_many_in_another_run() {
    let tree = Tree::chain(4);
    let world = World::new(machine(&tree, shared(11)), &tree, &to_root(&tree), (3, 20));
    let ((_, first), (_, second)) = (world.capture(1), world.capture(2));
    assert_eq!(parameter(&first, "exchanges-open-at-once"), Some(3.0));
    let outages = first.machine().unwrap().unwrap().routes.outages().count();
    assert!(outages < 10, "{outages} outages: queues were full hundreds of times, and no route was ever lost");
    holds(&another(&first), &second, "three at once");
    let alone = World::new(machine(&tree, shared(11)), &tree, &to_root(&tree), (1, 20));
    assert_eq!(parameter(&alone.capture(1).1, "exchanges-open-at-once"), None, "one is nothing to be told");
}

#[test]
fn clients_of_several_servers_have_one_queue() {
    // Every node asks the root and the last node of the chain, which asks the root.
    let tree = Tree::chain(5);
    let last = tree.len() as NodeId - 1;
    let ends: Vec<(NodeId, NodeId)> =
        to_root(&tree).into_iter().chain((1..last).map(|client| (client, last))).collect();
    for (machine, name) in [(machine(&tree, shared(7)), "TSCH"), (contended(&tree, Acknowledger::Radio), "CSMA")] {
        let world = World::new(machine, &tree, &ends, (1, 12));
        let ((trace, first), (_, second)) = (world.capture(3), world.capture(4));
        let found = first.machine().unwrap().unwrap();
        assert_eq!(parameter(&first, "servers"), Some(2.0), "{name}");
        let mut sorted: Vec<_> = found.ends.iter().flatten().map(|ends| (ends.client, ends.server)).collect();
        sorted.sort_unstable();
        let mut planted = ends.clone();
        planted.sort_unstable();
        assert_eq!(sorted, planted, "{name}");
        assert_eq!(trace.associations.len(), ends.len(), "{name}");
        if let twin::Mac::Tsch(tsch) = &found.mac {
            assert_eq!(tsch.parents[1..], tree.parents[1..], "most ask the root: parents are towards it");
        }
        holds(&another(&first), &second, name);
    }
}

#[test]
fn notifications_that_nobody_confirms_occupy_the_medium() {
    let tree = Tree::chain(4);
    let quiet = World::new(machine(&tree, shared(11)), &tree, &to_root(&tree), (1, 15));
    let mut busy = World::new(machine(&tree, shared(11)), &tree, &to_root(&tree), (1, 15));
    // Every node notifies its parent every 1.5 s.
    let notify = |from: NodeId, time: i64| Background {
        at: at(time + i64::from(from) * 130),
        from,
        to: tree.parent(from),
        octets: 100,
        is_beacon: false,
    };
    let times = (0..1_200).map(|count| count * 1_500);
    busy.machine.background = times.flat_map(|time| (1..4).map(move |from| notify(from, time))).collect();
    busy.machine.background.sort_by_key(|packet| packet.at);
    let planted = busy.machine.background.iter().filter(|packet| packet.at < at(LENGTH)).count();
    let ((trace, first), (_, second)) = (busy.capture(5), busy.capture(6));
    assert_eq!(trace.associations.len(), 3, "notifications are no exchanges");
    let found = first.machine().unwrap().unwrap().background.iter().filter(|packet| packet.to.is_some()).count();
    // Some find no room in a queue and never go on the air.
    assert!(found * 10 > planted * 9 && found <= planted, "{found} of {planted}");
    assert!(parameter(&first, "non-confirmable-messages").unwrap() > 0.9 * planted as f64);
    let predicted = another(&first);
    holds(&predicted, &second, "notifications");
    let quiet = quiet.capture(5).1;
    assert_eq!(parameter(&quiet, "non-confirmable-messages"), None);
    let mean = |result: &RunResult| result.get(MetricName::DurationMean).another.unwrap();
    let (with, without) = (mean(&predicted), mean(&another(&quiet)));
    assert!(with.lo > without.hi, "they delay every exchange: {with:?} for {without:?}");
}
