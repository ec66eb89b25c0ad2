//! Laws of the contention MAC, on networks made by hand.

mod stacks;

use super::queues::{Cause, Queue};
use super::{CsmaMac, State};
use crate::model::{
    Acknowledger, Background, Choice, Csma, Ends, Evidence, Limits, Mac, Machine, Matrix, NodeId, Outage, Routes,
    Rules, Shape, StackFinding, Withdrawals,
};
use crate::simulation::draws::{Draws, Purpose};
use crate::simulation::packet::{Cargo, Event, Packet};
use crate::simulation::realisation::Realisation;
use crate::simulation::{Copy, Ending, Settled, Simulation, Statistics};
use base::{Instant, Span};

const OCTETS: u16 = 78;
const AIRTIME: Span = Span::from_micros(78 * 32);

fn at(micros: i64) -> Instant {
    Instant::ZERO + Span::from_micros(micros)
}

fn csma(acknowledger: Acknowledger) -> Csma {
    Csma {
        unit: Span::from_millis(6),
        tick: Span::from_millis(1),
        origin: Instant::ZERO,
        min_exponent: 3,
        max_exponent: 5,
        max_backoffs: 5,
        max_attempts: 3,
        turnaround: Span::from_millis(2),
        ack_wait: Span::from_millis(2),
        ack_delay: Span::from_millis(1),
        ack_airtime: Span::from_micros(96),
        acknowledger,
        rules: Rules::CONTIKI_NG,
    }
}

/// A chain of `nodes`, 0 the server, the last one the client: neighbours hear each other with probability `reception`,
/// others never.
fn chain(nodes: u16, reception: Evidence, csma: Csma) -> Machine {
    let count = usize::from(nodes);
    let near = |value: Evidence| {
        Matrix::<Evidence>::new(count).map(|from, to, _| if from.abs_diff(to) == 1 { value } else { Evidence::NEVER })
    };
    let last = nodes.saturating_sub(1);
    let hops = (0..nodes).flat_map(|node| {
        let up = (node > 0).then(|| (Instant::ZERO, node, 0, node - 1));
        let down = (node < last).then(|| (Instant::ZERO, node, last, node + 1));
        up.into_iter().chain(down)
    });
    Machine {
        nodes: (0..nodes).map(trace::MacAddr::Short).collect(),
        mac: Mac::Csma(csma),
        stack: StackFinding::unknown(),
        reception: near(reception),
        disturbance: near(Evidence::ALWAYS),
        sensing: near(Evidence::ALWAYS),
        frames: 0,
        access: Span::ZERO,
        routes: Routes::new(hops),
        withdrawals: Withdrawals::default(),
        ends: vec![Some(Ends { client: last, server: 0 })],
        shapes: vec![Shape { request: vec![(last, vec![OCTETS])], answer: vec![(0, vec![OCTETS])] }],
        shape_of: Vec::new(),
        background: Vec::new(),
        limits: Limits {
            packets: Choice::certain(16),
            per_neighbour: Choice::certain(16),
            neighbours: Choice::certain(4),
            reassemblies: Choice::certain(2),
            reassembly_age: Span::from_millis(500),
        },
        processing: Span::ZERO,
        window: (Instant::ZERO, at(1_000_000_000)),
        parameters: Vec::new(),
    }
}

/// Sends copies every `gap` and returns their fates with the counts.
fn run(machine: &Machine, copies: u64, gap: Span) -> (Vec<Settled>, Statistics) {
    let mut simulation = Simulation::new(machine, 7, 3);
    let mut settled = Vec::new();
    for key in 0..copies {
        let when = Instant::ZERO + gap.scale(key as i64, 1);
        while let Some(one) = simulation.advance(when) {
            settled.push(one);
        }
        simulation.send(when, Copy { association: 0, shape: 0, request: 0, key });
        let Statistics { queued, sent, exhausted, waiting, .. } = simulation.statistics();
        assert_eq!(queued, sent + exhausted + waiting, "every packet is somewhere");
    }
    while let Some(one) = simulation.advance(Instant::MAX) {
        settled.push(one);
    }
    (settled, simulation.statistics())
}

#[test]
fn every_packet_is_sent_dropped_or_waiting_and_every_copy_settled() {
    for acknowledger in [Acknowledger::Radio, Acknowledger::Processor] {
        let reception = Evidence { successes: 70.0, failures: 30.0 };
        let (settled, counts) = run(&chain(5, reception, csma(acknowledger)), 2_000, Span::from_millis(60));
        assert_eq!(settled.len(), 2_000);
        assert_eq!(counts.queued, counts.sent + counts.exhausted + counts.waiting);
        let of = |ending| settled.iter().filter(|one| one.ending == ending).count();
        assert!(of(Ending::Answered) > 100 && of(Ending::RequestLost) > 100 && of(Ending::AnswerLost) > 50);
        assert!(counts.served as usize >= of(Ending::Answered) + of(Ending::AnswerLost));
        assert!(counts.refused > 0, "60 ms is more than the chain can carry: {counts:?}");
    }
}

#[test]
fn without_loss_and_back_off_a_round_trip_is_the_sum_of_its_parts() {
    let csma = Csma { min_exponent: 0, max_exponent: 0, ..csma(Acknowledger::Processor) };
    let hop = csma.turnaround + AIRTIME + csma.ack_delay + csma.ack_airtime;
    for nodes in 2..=4 {
        let mut machine = chain(nodes, Evidence::ALWAYS, csma.clone());
        machine.processing = Span::from_millis(5);
        let (settled, counts) = run(&machine, 50, Span::from_secs(1));
        let round_trip = hop.scale(2 * i64::from(nodes - 1), 1) + machine.processing;
        for (number, one) in (0..).zip(&settled) {
            assert_eq!((one.ending, one.at), (Ending::Answered, at(1_000_000 * number) + round_trip));
            assert_eq!(one.aired, Some(at(1_000_000 * number) + csma.turnaround));
        }
        assert_eq!(counts.frames, 50 * 2 * u64::from(nodes - 1));
    }
}

#[test]
fn the_same_calls_give_the_same_fates() {
    let machine = chain(4, Evidence { successes: 8.0, failures: 2.0 }, csma(Acknowledger::Processor));
    assert_eq!(run(&machine, 500, Span::from_millis(70)), run(&machine, 500, Span::from_millis(70)));
    let mut simulation = Simulation::new(&machine, 7, 3);
    let mut once = || {
        (0..99).for_each(|key| simulation.send(at(0), Copy { association: 0, shape: 0, request: 0, key }));
        let settled: Vec<Settled> = std::iter::from_fn(|| simulation.advance(Instant::MAX)).collect();
        let counts = simulation.statistics();
        simulation.restart();
        (settled, counts)
    };
    assert_eq!(once(), once(), "nothing of the first time is left");
}

/// Steps of a MAC without a network layer.
fn step_all(mac: &mut CsmaMac<'_>, drawn: &Realisation, mut check: impl FnMut(&CsmaMac<'_>)) -> Vec<Event> {
    let mut events = Vec::new();
    while mac.next() < Instant::MAX {
        mac.step(drawn, &mut events);
        check(mac);
    }
    events
}

#[test]
fn nodes_on_the_air_are_those_that_send() {
    let machine = chain(6, Evidence { successes: 8.0, failures: 2.0 }, csma(Acknowledger::Processor));
    let drawn = Realisation::draw(&machine, 1, 1);
    let csma = csma(Acknowledger::Processor);
    let mut mac = CsmaMac::new(&csma, 6);
    for node in 0..6_u16 {
        for to in [node.checked_sub(1), (node < 5).then_some(node + 1), None] {
            for _ in 0..5 {
                assert!(mac.enqueue(at(0), node, Packet::new(to, OCTETS, Cargo::Nothing), &drawn));
            }
        }
    }
    let mut busiest = 0;
    let events = step_all(&mut mac, &drawn, |mac| {
        let sends = |(_, node): &(NodeId, &super::Node)| {
            matches!(node.state, State::Sending { .. } | State::Acknowledging { .. })
        };
        let senders: Vec<NodeId> = (0..).zip(&mac.nodes).filter(sends).map(|(at, _)| at).collect();
        let mut on_air: Vec<NodeId> = mac.medium.senders().collect();
        on_air.sort_unstable();
        assert_eq!(senders, on_air);
        let mut busy = mac.busy.clone();
        busy.sort_unstable();
        let not_idle =
            (0..).zip(&mac.nodes).filter(|(_, node)| node.state != State::Idle).map(|(at, _): (NodeId, _)| at);
        assert_eq!(busy, not_idle.collect::<Vec<_>>());
        busiest = busiest.max(on_air.len());
    });
    assert!(busiest >= 2, "some frames overlapped");
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Gone { .. })).count(), 6 * 5 * 3);
    assert_eq!(mac.waiting(), 0);
}

#[test]
fn hidden_terminals_collide_as_often_as_their_windows_overlap() {
    // 0 and 2 send to 1 and do not sense each other. One attempt each, from one moment on: starts are uniform on 42
    // ticks, and frames of 2.5 ms overlap where they are at most two ticks apart.
    let csma = Csma {
        max_attempts: 1,
        ack_delay: Span::from_micros(192),
        ack_airtime: Span::from_micros(96),
        ..csma(Acknowledger::Radio)
    };
    let machine = chain(3, Evidence::ALWAYS, csma.clone());
    let mut drawn = Realisation::draw(&machine, 1, 1);
    let (trials, mut collided) = (20_000, 0_u32);
    for trial in 0..trials {
        drawn.draws = Draws::new(5, trial);
        let mut mac = CsmaMac::new(&csma, 3);
        for node in [0, 2] {
            assert!(mac.enqueue(at(0), node, Packet::new(Some(1), OCTETS, Cargo::Nothing), &drawn));
        }
        let events = step_all(&mut mac, &drawn, |_| {});
        let received = events.iter().filter(|event| matches!(event, Event::Received { .. })).count();
        assert!(received == 0 || received == 2, "a collision spoils both");
        collided += u32::from(received == 0);
    }
    let expected: f64 = (-2..=2).map(|apart: i32| f64::from(42 - apart.abs())).sum::<f64>() / (42.0 * 42.0);
    let share = f64::from(collided) / f64::from(trials);
    let error = (expected * (1.0 - expected) / f64::from(trials)).sqrt();
    assert!((share - expected).abs() < 4.0 * error, "{share} for {expected} ± {error}");
}

#[test]
fn nodes_that_sense_each_other_do_not_collide() {
    // The same with nodes that sense each other: only the same tick is left, and there the later one in order finds the
    // channel busy.
    let csma = Csma { max_attempts: 1, ..csma(Acknowledger::Radio) };
    let mut machine = chain(3, Evidence::ALWAYS, csma.clone());
    machine.sensing.set(0, 2, Evidence::ALWAYS);
    machine.sensing.set(2, 0, Evidence::ALWAYS);
    let mut drawn = Realisation::draw(&machine, 1, 1);
    for trial in 0..2_000 {
        drawn.draws = Draws::new(5, trial);
        let mut mac = CsmaMac::new(&csma, 3);
        for node in [0, 2] {
            assert!(mac.enqueue(at(0), node, Packet::new(Some(1), OCTETS, Cargo::Nothing), &drawn));
        }
        let received = |event: &&Event| matches!(event, Event::Received { .. });
        let events = step_all(&mut mac, &drawn, |_| {});
        // An acknowledgement from 1 that meets a frame is the exception: it is sent whatever the channel.
        assert!(events.iter().filter(received).count() >= 1);
    }
}

#[test]
fn back_offs_are_uniform_over_ticks_below_the_window() {
    let csma = csma(Acknowledger::Processor);
    let machine = chain(2, Evidence::ALWAYS, csma.clone());
    let drawn = Realisation::draw(&machine, 1, 1);
    let queue = Queue::new(1, 0);
    let mut counts = [0_u32; 42];
    for number in 0..42_000 {
        let start = at(number * 1_000 + 700);
        let ticks = (queue.back_off(&csma, &drawn, (0, Cause::Enqueued), start) - start).nanos();
        // Without a delay it ends at once, else on a tick.
        let tick = if ticks == 0 { 0 } else { (ticks + 700_000) / 1_000_000 };
        counts[usize::try_from(tick).unwrap()] += 1;
    }
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - 1_000.0).powi(2) / 1_000.0).sum();
    // 99.9 % quantile with 41 degrees of freedom: 74.7.
    assert!(chi_square < 74.7, "{chi_square}: {counts:?}");
}

#[test]
fn a_node_without_a_route_ends_copies() {
    let mut machine = chain(3, Evidence::ALWAYS, csma(Acknowledger::Processor));
    let outage = Outage { node: 1, destination: None, from: at(10_000_000), until: at(20_000_000) };
    machine.routes = machine.routes.with_outages([outage]);
    let (settled, _) = run(&machine, 30, Span::from_secs(1));
    let lost = settled.iter().filter(|one| one.ending == Ending::RequestLost).map(|one| one.key);
    assert_eq!(lost.collect::<Vec<_>>(), (10..20).collect::<Vec<_>>());
}

#[test]
fn longer_outages_end_more_copies_and_stay_when_restarted() {
    let mut machine = chain(3, Evidence::ALWAYS, csma(Acknowledger::Processor));
    let outage = Outage { node: 1, destination: None, from: at(10_000_000), until: at(20_000_000) };
    machine.routes = machine.routes.with_outages([outage]);
    let lost = |simulation: &mut Simulation<'_>| -> Vec<u64> {
        (0..30).for_each(|key| {
            let copy = Copy { association: 0, shape: 0, request: key as u32, key };
            simulation.send(at(key as i64 * 1_000_000), copy);
        });
        let settled = std::iter::from_fn(|| simulation.advance(Instant::MAX));
        let mut lost: Vec<u64> = settled.filter(|one| one.ending == Ending::RequestLost).map(|one| one.key).collect();
        lost.sort_unstable();
        lost
    };
    for (times, expected) in [(0, 0..0), (1, 10..20), (2, 5..25)] {
        let mut simulation = Simulation::new(&machine, 7, 3).with_longer_outages(|_| times);
        for _ in 0..2 {
            assert_eq!(lost(&mut simulation), expected.clone().collect::<Vec<_>>(), "{times}");
            simulation.restart();
        }
    }
}

#[test]
fn nothing_panics_without_nodes_routes_or_airtime() {
    let empty = chain(0, Evidence::ALWAYS, csma(Acknowledger::Processor));
    let mut broken =
        chain(2, Evidence::ALWAYS, Csma { tick: Span::ZERO, unit: Span::ZERO, ..csma(Acknowledger::Processor) });
    broken.background = vec![
        Background { at: at(5), from: 9, to: Some(77), octets: 0, is_beacon: false },
        Background { at: at(5), from: 1, to: Some(1), octets: 10, is_beacon: false },
        Background { at: at(6), from: 0, to: None, octets: u16::MAX, is_beacon: true },
    ];
    let mut roundabout = chain(3, Evidence::ALWAYS, csma(Acknowledger::Radio));
    roundabout.routes = Routes::default();
    for machine in [empty, broken, roundabout] {
        let mut simulation = Simulation::new(&machine, 1, 1);
        simulation.send(at(1), Copy { association: 0, shape: 9, request: 0, key: 1 });
        simulation.send(at(1), Copy { association: 7, shape: 0, request: 0, key: 2 });
        simulation.send(at(2), Copy { association: 0, shape: 0, request: 0, key: 3 });
        let mut settled = 0;
        while simulation.advance(at(100_000_000)).is_some() {
            settled += 1;
        }
        assert_eq!(settled, 3);
        assert_eq!(simulation.advance(Instant::MAX), None);
    }
}

#[test]
fn one_number_decides_a_frame_for_a_listener() {
    let machine = chain(2, Evidence::ALWAYS, csma(Acknowledger::Processor));
    let drawn = Realisation::draw(&machine, 1, 1);
    let word = drawn.draws.words(Purpose::Frame, drawn.moment(at(1_234)), 0, 1);
    assert_eq!(word, Realisation::draw(&machine, 1, 1).draws.words(Purpose::Frame, 1_234, 0, 1));
    assert_ne!(word, Realisation::draw(&machine, 1, 2).draws.words(Purpose::Frame, 1_234, 0, 1));
}
