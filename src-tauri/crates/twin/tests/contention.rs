//! Contention machines inferred from bundled captures, against what the READMEs of the runs say, and replayed.

use base::{Instant, Silent};
use std::path::Path;
use trace::Trace;
use twin::{Acknowledger, Copy, Csma, Ending, Mac, Machine, Refusal, Simulation};

/// The analysed capture of a bundled run.
fn bundled(run: &str, file: &str) -> Trace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(run).join(file);
    let capture = trace::open(&path, &trace::ImportOptions::default(), &mut Silent).expect("the capture opens");
    trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).expect("nobody cancels")
}

fn machine(trace: &Trace) -> Machine {
    twin::infer(trace, &mut Silent).expect("nobody cancels").expect("a machine")
}

fn csma(machine: &Machine) -> &Csma {
    match &machine.mac {
        Mac::Csma(csma) => csma,
        Mac::Tsch(_) => panic!("contention, not slots"),
    }
}

/// Reception in Cooja's disc model at `distance` with `range` 50 m, where `at_edge` is that at the edge.
fn disc(distance: f64, at_edge: f64) -> f64 {
    1.0 - (distance / 50.0).powi(2) * (1.0 - at_edge)
}

/// Mean reception of links of a length, weighed by their frames, and the frames. `place`: of a node.
fn reception(machine: &Machine, length: f64, place: impl Fn(u16) -> (f64, f64)) -> (f64, f64) {
    let (mut received, mut frames) = (0.0, 0.0);
    for (from, to, evidence) in machine.reception.iter() {
        let ((x, y), (u, v)) = (place(from), place(to));
        if ((x - u).hypot(y - v) - length).abs() < 0.1 {
            received += evidence.successes;
            frames += evidence.weight();
        }
    }
    (received / frames, frames)
}

#[test]
fn a_chain_is_read_as_it_was_set_up() {
    // traces/chain6-periodic-default/README.md: 40 m apart, 0.7 at the edge, CSMA_CONF_MAX_FRAME_RETRIES 1, Cooja
    // motes.
    let machine = machine(&bundled("chain6-periodic-default", "capture.pcap.gz"));
    let csma = csma(&machine);
    assert_eq!((csma.unit.millis(), csma.tick.millis(), csma.max_attempts), (6, 1, 2));
    assert_eq!((csma.ack_delay.millis(), csma.acknowledger), (1, Acknowledger::Processor));
    assert!(machine.processing.millis() <= 1, "{:?}", machine.processing);
    let line = |node: u16| (40.0 * f64::from(node), 0.0);
    let (links, frames) = reception(&machine, 40.0, line);
    let expected = disc(40.0, 0.7);
    assert!(frames > 2_000.0 && (links - expected).abs() < 0.015, "{links} for {expected}");
    for (from, to, evidence) in machine.sensing.iter().filter(|(from, to, _)| from != to) {
        let expected = f64::from(u8::from(from.abs_diff(to) == 1));
        assert!((evidence.mean() - expected).abs() < 0.25, "{from} → {to}: {}", evidence.mean());
    }
    assert_eq!(machine.ends.iter().flatten().count(), 5);
    assert!(machine.ends.iter().flatten().all(|ends| ends.server == 0));
}

#[test]
fn a_grid_with_fragments_is_read_as_it_was_set_up() {
    // traces/grid3x3-burst-cocoa/README.md: 35 m apart, 0.8 at the edge, interference to 100 m, one retry, four
    // neighbour queues.
    let machine = machine(&bundled("grid3x3-burst-cocoa", "capture.pcap.gz"));
    assert_eq!((csma(&machine).unit.millis(), csma(&machine).max_attempts), (6, 2));
    let grid = |node: u16| (35.0 * f64::from(node % 3), 35.0 * f64::from(node / 3));
    let diagonal = 35.0 * 2.0_f64.sqrt();
    for length in [35.0, diagonal] {
        let ((links, frames), expected) = (reception(&machine, length, grid), disc(length, 0.8));
        // Links with few frames are drawn towards the mean of both kinds.
        assert!(frames > 1_000.0 && (links - expected).abs() < 0.045, "{length}: {links} for {expected}");
    }
    let apart = |a: u16, b: u16| (grid(a).0 - grid(b).0).hypot(grid(a).1 - grid(b).1);
    for (from, to, evidence) in machine.disturbance.iter().filter(|(from, to, _)| from != to) {
        assert!(evidence.mean() > 0.9, "{from} disturbs {to} over {} m: {}", apart(from, to), evidence.mean());
    }
    for (from, to, evidence) in machine.sensing.iter().filter(|(from, to, _)| from != to) {
        let is_near = apart(from, to) < 50.0;
        assert!((evidence.mean() > 0.5) == is_near, "{from} senses {to}: {}", evidence.mean());
    }
    assert!(machine.limits.neighbours.values().any(|limit| limit == 4));
    assert!(machine.shapes.iter().any(|shape| shape.request.iter().any(|(_, lengths)| lengths.len() == 2)));
}

#[test]
fn recorded_copies_sent_again_fare_as_recorded() {
    for run in ["chain6-periodic-default", "grid3x3-burst-cocoa"] {
        let trace = bundled(run, "capture.pcap.gz");
        let machine = machine(&trace);
        let mut copies: Vec<(Instant, usize, usize)> = Vec::new();
        let (mut answered, mut waits) = (0_u32, 0.0);
        for (number, exchange) in trace.exchanges.iter().enumerate() {
            for (at, copy) in exchange.copies.iter().enumerate() {
                copies.push((copy.sent - machine.access, number, at));
                let reply = copy.reply.and_then(|reply| exchange.replies.get(usize::from(reply)));
                if let Some(arrived) = reply.and_then(|reply| reply.arrived) {
                    answered += 1;
                    waits += (arrived - copy.sent).secs_f64();
                }
            }
        }
        copies.sort_unstable();
        let (mut twin_answered, mut twin_waits) = (0_u32, 0.0);
        let replicates = 20;
        for replicate in 0..replicates {
            let mut simulation = Simulation::new(&machine, 1, replicate);
            let mut settled = Vec::new();
            for &(when, exchange, copy) in &copies {
                while let Some(one) = simulation.advance(when) {
                    settled.push(one);
                }
                let association = trace.exchanges[exchange].association.index() as u32;
                let (shape, key) = (machine.shape_of[exchange], (exchange << 8 | copy) as u64);
                simulation.send(when, Copy { association, shape, request: 0, key });
            }
            while let Some(one) = simulation.advance(Instant::MAX) {
                settled.push(one);
            }
            assert_eq!(settled.len(), copies.len());
            let counts = simulation.statistics();
            assert_eq!(counts.queued, counts.sent + counts.exhausted + counts.waiting);
            for one in settled.iter().filter(|one| one.ending == Ending::Answered) {
                twin_answered += 1;
                twin_waits += one.aired.map_or(0.0, |aired| (one.at - aired).secs_f64());
            }
        }
        let share = [f64::from(answered), f64::from(twin_answered) / f64::from(replicates)];
        assert!((share[1] / share[0] - 1.0).abs() < 0.04, "{run}: answered {share:?}");
        let mean = [waits / f64::from(answered), twin_waits / f64::from(twin_answered)];
        assert!((mean[1] / mean[0] - 1.0).abs() < 0.05, "{run}: mean round trip {mean:?}");
    }
}

#[test]
fn an_older_stack_is_refused() {
    // Contiki 3.0: back-offs from the duty-cycling layer, of which no constants are known.
    let trace = bundled("contiki30-chain4-stock", "radiolog.txt.gz");
    let refusal = twin::infer(&trace, &mut Silent).expect("nobody cancels").expect_err("no machine");
    assert!(matches!(refusal, Refusal::UnknownMac | Refusal::NoAcknowledgements { .. }), "{refusal}");
}
