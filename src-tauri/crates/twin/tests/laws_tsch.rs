//! Laws of the simulation of TSCH networks, on machines built by hand.

#![allow(clippy::unwrap_used, reason = "tests")]

mod build;

use base::{Instant, Span};
use build::{Dice, OCTET, SLOT, Tree, at, certain, machine, orchestra, run, shared, traffic, tsch};
use std::collections::{BTreeMap, BTreeSet};
use twin::{Copy, Ending, Ends, Evidence, Load, Machine, NodeId, Routes, SimulatedFrame, Simulation};

/// Random machines: trees of 2 to 9 nodes with lossy links, queues of 2 to 16 packets, a shared cell or Orchestra.
fn random_machine(case: u32) -> (Tree, Machine) {
    let mut dice = Dice::new(1, case);
    let tree = Tree::random(dice.between(2, 9) as NodeId, &mut dice);
    let slotframes = match case % 2 {
        0 => shared(dice.between(1, 12) as u16),
        _ => orchestra(tree.len(), [41, 7, 13]),
    };
    let mut machine = machine(&tree, slotframes);
    machine.reception =
        machine.reception.map(
            |from, to, _: Evidence| {
                if tree.is_link(from, to) { certain(0.3 + 0.7 * dice.unit()) } else { Evidence::NEVER }
            },
        );
    machine.limits.packets = twin::Choice::certain(dice.between(2, 16));
    tsch(&mut machine).max_attempts = dice.between(1, 8) as u8;
    (tree, machine)
}

#[test]
fn nothing_is_lost_without_a_count() {
    let mut dropped = (0, 0);
    for case in 0..60 {
        let (tree, machine) = random_machine(case);
        let copies = traffic(&tree, 200, 60_000, &mut Dice::new(2, case));
        let mut simulation = Simulation::new(&machine, 7, case).with_log();
        let mut fates = run(&mut simulation, &copies[..100]);
        let half = simulation.statistics();
        assert_eq!(half.queued, half.sent + half.exhausted + half.waiting, "{case}: {half:?}");
        fates.extend(run(&mut simulation, &copies[100..]));
        let all = simulation.statistics();
        assert_eq!(all.queued, all.sent + all.exhausted + all.waiting, "{case}: {all:?}");
        let keys: BTreeSet<u64> = fates.iter().map(|fate| fate.key).collect();
        assert_eq!((keys.len(), fates.len()), (200, 200), "{case}: every copy has one fate");
        let reached = fates.iter().filter(|fate| fate.ending != Ending::RequestLost).count() as u64;
        assert_eq!(all.served, reached, "{case}: a copy is served if and only if it reached the server");
        for fate in &fates {
            let (sent, _) = copies[usize::try_from(fate.key).unwrap()];
            assert!(fate.at >= sent && fate.aired.is_none_or(|aired| aired > sent && aired <= fate.at), "{fate:?}");
        }
        assert_eq!(simulation.take_log().len() as u64, all.frames, "{case}");
        assert!(simulation.take_log().is_empty());
        dropped = (dropped.0 + all.exhausted, dropped.1 + all.refused);
    }
    assert!(dropped.0 > 100 && dropped.1 > 100, "both kinds of drops must have been met: {dropped:?}");
}

#[test]
fn waiting_packets_are_counted_in_the_middle_of_a_run() {
    let (_, machine) = random_machine(4);
    let mut simulation = Simulation::new(&machine, 1, 0);
    for key in 0..40 {
        simulation.send(at(0), Copy { association: 0, shape: 0, request: 0, key });
    }
    while simulation.advance(at(5)).is_some() {}
    let counts = simulation.statistics();
    assert!(counts.waiting > 0, "{counts:?}");
    assert_eq!(counts.queued, counts.sent + counts.exhausted + counts.waiting);
    assert_eq!(counts.queued + counts.refused, 40);
}

#[test]
fn a_node_sends_once_in_a_slot_and_receives_nothing_meanwhile() {
    let mut received = 0;
    for case in 0..40 {
        let (tree, machine) = random_machine(case);
        let mut simulation = Simulation::new(&machine, 3, case).with_log();
        run(&mut simulation, &traffic(&tree, 300, 20_000, &mut Dice::new(3, case)));
        let mut slots: BTreeMap<Instant, Vec<SimulatedFrame>> = BTreeMap::new();
        for frame in simulation.take_log() {
            slots.entry(frame.start).or_default().push(frame);
        }
        for (start, frames) in slots {
            assert_eq!((start - Instant::ZERO).nanos() % SLOT.nanos(), 0, "frames start with slots");
            let senders: BTreeSet<NodeId> = frames.iter().map(|frame| frame.from).collect();
            assert_eq!(senders.len(), frames.len(), "{case}: {frames:?}");
            for frame in frames.iter().filter(|frame| frame.is_received) {
                let to = frame.to.unwrap();
                assert!(!senders.contains(&to), "{case}: {frame:?} was received by a sender");
                let same = frames.iter().filter(|other| other.channel == frame.channel && other.from != frame.from);
                assert!(
                    same.clone().all(|other| !tree.is_link(other.from, to)),
                    "{case}: {frame:?} was spoiled by one of {frames:?}"
                );
                received += 1;
            }
            let unheard = frames.iter().filter(|frame| !frame.is_received);
            assert_eq!(unheard.filter(|frame| frame.is_acknowledged).count(), 0);
        }
    }
    assert!(received > 1_000);
}

#[test]
fn one_client_without_loss_takes_as_many_cells_as_frames() {
    for (nodes, length) in [(2, 1), (3, 7), (5, 19), (9, 101)] {
        for processing in [0, 3, 40, 2_500] {
            let tree = Tree::chain(nodes);
            let mut machine = machine(&tree, shared(length));
            machine.processing = Span::from_millis(processing);
            let cell = SLOT.scale(i64::from(length), 1).nanos();
            let (hops, airtimes) = (i64::from(nodes) - 1, [100, 80].map(|octets| OCTET.scale(octets, 1)));
            for sent in [0, 1, 123, 999_999].map(at) {
                let client = Copy { association: u32::from(nodes) - 2, shape: 0, request: 0, key: 5 };
                let fate = run(&mut Simulation::new(&machine, 1, 0), &[(sent, client)])[0];
                // Every frame goes out in the first cell after its packet is there.
                let next = |at: Instant| Instant::from_nanos((at.nanos().div_euclid(cell) + 1) * cell);
                let first = next(sent);
                let served = first + Span::from_nanos(cell * (hops - 1)) + airtimes[0];
                let answer = next(served + machine.processing);
                let expected = answer + Span::from_nanos(cell * (hops - 1)) + airtimes[1];
                assert_eq!((fate.ending, fate.aired), (Ending::Answered, Some(first)));
                assert_eq!(fate.at, expected, "{nodes} nodes, {length} slots, {processing} ms, sent {sent:?}");
            }
        }
    }
}

#[test]
fn a_packet_is_dropped_after_the_last_attempt() {
    for most in [1, 4, 8] {
        let tree = Tree::chain(2);
        let mut machine = machine(&tree, shared(3));
        machine.reception.set(1, 0, Evidence::NEVER);
        tsch(&mut machine).max_attempts = most;
        let mut simulation = Simulation::new(&machine, 1, 0).with_log();
        let fate = run(&mut simulation, &[(at(1), Copy { association: 0, shape: 0, request: 0, key: 9 })])[0];
        let log = simulation.take_log();
        assert_eq!(log.iter().map(|frame| frame.attempt).collect::<Vec<_>>(), (1..=most).collect::<Vec<_>>());
        assert_eq!((fate.ending, fate.at), (Ending::RequestLost, log.last().unwrap().end));
        let load = Load::Copy { key: 9, association: 0, is_answer: false, datagram: 0, fragment: 0, fragments: 1 };
        assert!(log.iter().all(|frame| frame.load == load && frame.octets == 100 && frame.from == 1));
    }
}

/// Logs of 800 replicates in which a copy is lost and another one is sent at that moment: the moment, and the frames
/// after it.
fn after_a_loss(machine: &Machine) -> Vec<(Instant, Vec<SimulatedFrame>)> {
    let copy = |key| Copy { association: 0, shape: 0, request: 0, key };
    let log = |replicate| {
        let mut simulation = Simulation::new(machine, 11, replicate).with_log();
        let lost = run(&mut simulation, &[(at(1), copy(1))])[0].at;
        run(&mut simulation, &[(lost, copy(2))]);
        (lost, simulation.take_log().into_iter().filter(|frame| frame.start > lost).collect())
    };
    (0..800).map(log).collect()
}

#[test]
fn back_off_survives_a_drop_on_the_queue_of_the_parent_alone() {
    let tree = Tree::chain(2);
    let lossy = |from: NodeId, to: NodeId| {
        let mut machine = machine(&tree, shared(1));
        machine.reception.set(from, to, Evidence::NEVER);
        tsch(&mut machine).max_attempts = 2;
        machine
    };
    let cells = |from: Instant, to: Instant| usize::try_from((to - from).nanos() / SLOT.nanos()).unwrap();
    // Two failures: BE 3, a window of 0 to 7 cells.
    let mut counts = [0_u32; 8];
    for (lost, log) in after_a_loss(&lossy(1, 0)) {
        counts[cells(lost, log[0].start)] += 1;
    }
    // 100 expected in each; seven degrees of freedom: 24.3 has a chance of 0.001.
    let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
    assert!(chi < 24.3, "{counts:?}: {chi}");
    // The queue towards a child is gone once it is empty: the next answer follows its request at once.
    for (_, log) in after_a_loss(&lossy(0, 1)) {
        let request = log.iter().find(|frame| frame.from == 1 && frame.is_received).unwrap();
        let answer = log.iter().find(|frame| frame.from == 0).unwrap();
        assert_eq!(cells(request.start, answer.start), 1);
    }
}

#[test]
fn an_orchestra_frame_goes_out_in_the_cell_and_on_the_channel_of_its_addressee() {
    let lengths = [41, 7, 13];
    let mut seen = 0;
    for case in 0..10 {
        let tree = Tree::random(8, &mut Dice::new(4, case));
        let mut machine = machine(&tree, orchestra(tree.len(), lengths));
        let packet = |octets, to, is_beacon| {
            move |k: i64| twin::Background { at: at(50 * k), from: (k % 8) as NodeId, to, octets, is_beacon }
        };
        machine.background =
            (0..400).map(packet(40, None, true)).chain((0..400).map(packet(90, None, false))).collect();
        machine.background.sort_by_key(|packet| packet.at);
        let mut simulation = Simulation::new(&machine, 5, case).with_log();
        run(&mut simulation, &traffic(&tree, 200, 60_000, &mut Dice::new(5, case)));
        for frame in simulation.take_log() {
            let slot = (frame.start - Instant::ZERO).nanos() / SLOT.nanos();
            let (length, number, channel) = match (frame.load, frame.to) {
                (Load::Beacon, _) => (lengths[0], frame.from + 1, 1),
                (_, None) => (lengths[2], 0, 0),
                (_, Some(to)) => (lengths[1], to + 1, 2 + (to as u8 + 1) % 2),
            };
            let place = i64::from(number % length);
            assert_eq!((slot % i64::from(length), frame.channel), (place, channel), "{frame:?}");
            seen += 1;
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn a_node_that_listens_for_its_parents_beacon_receives_nothing_else() {
    // Node 0 sends beacons in slot 1: where node 1 receives in that slot too, it hears its parent's beacon only.
    let tree = Tree::chain(3);
    let outcome = |own_slot| {
        let mut machine = machine(&tree, orchestra(3, [8, 8, 31]));
        let slots = &mut tsch(&mut machine).slotframes;
        slots[0].rule = twin::CellRule::PerSender { slots: vec![1, 5, 6] };
        slots[1].rule = twin::CellRule::PerReceiver { slots: vec![2, own_slot, 3] };
        let mut simulation = Simulation::new(&machine, 1, 0).with_log();
        let fate = run(&mut simulation, &[(at(0), Copy { association: 1, shape: 0, request: 0, key: 0 })])[0];
        (fate.ending, simulation.take_log().iter().filter(|frame| frame.from == 2).count())
    };
    assert_eq!(outcome(1), (Ending::RequestLost, 8), "eight attempts in a cell where nobody listens to them");
    assert_eq!(outcome(4), (Ending::Answered, 1));
}

#[test]
fn a_beacon_cell_takes_precedence_over_a_frame_for_a_neighbour() {
    let tree = Tree::chain(2);
    let mut machine = machine(&tree, orchestra(2, [4, 2, 31]));
    let slots = &mut tsch(&mut machine).slotframes;
    slots[0].rule = twin::CellRule::PerSender { slots: vec![3, 1] };
    slots[1].rule = twin::CellRule::PerReceiver { slots: vec![1, 0] };
    // Node 1 may send to node 0 in slots 1, 3, 5, ...; in 1, 5, 9, ... it has a cell for beacons as well, and takes it
    // even without one.
    let mut simulation = Simulation::new(&machine, 1, 0).with_log();
    run(&mut simulation, &[(at(0), Copy { association: 0, shape: 0, request: 0, key: 0 })]);
    let first = simulation.take_log()[0];
    assert_eq!((first.from, first.start), (1, at(30)));
}

#[test]
fn the_same_calls_give_the_same_fates_and_other_draws_others() {
    let (tree, machine) = random_machine(8);
    let copies = traffic(&tree, 300, 60_000, &mut Dice::new(6, 0));
    let all = |seed, replicate| {
        let mut simulation = Simulation::new(&machine, seed, replicate).with_log();
        (run(&mut simulation, &copies), simulation.take_log())
    };
    let first = all(1, 1);
    assert_eq!(first, all(1, 1));
    assert_ne!(first.1, all(1, 2).1);
    assert_ne!(first.1, all(2, 1).1);
    // A log changes nothing, and neither does asking more often.
    let mut simulation = Simulation::new(&machine, 1, 1);
    let mut fates = Vec::new();
    for &(time, copy) in &copies {
        for millis in 1..4 {
            fates.extend(std::iter::from_fn(|| simulation.advance(time - Span::from_millis(4 - millis))));
        }
        fates.extend(std::iter::from_fn(|| simulation.advance(time)));
        simulation.send(time, copy);
    }
    fates.extend(std::iter::from_fn(|| simulation.advance(Instant::MAX)));
    assert_eq!(fates, first.0);
    simulation.restart();
    assert_eq!(run(&mut simulation, &copies), first.0, "nothing of the first time is left");
}

#[test]
fn traffic_out_of_reach_changes_nothing() {
    // Two pairs that do not hear each other.
    for slotframes in [shared(3), orchestra(4, [41, 7, 13])] {
        let tree = Tree { parents: vec![None, Some(0), None, Some(2)] };
        let mut machine = machine(&tree, slotframes);
        machine.reception = machine.reception.map(
            |from, to, _: Evidence| {
                if tree.is_link(from, to) { certain(0.6) } else { Evidence::NEVER }
            },
        );
        machine.ends = [(1, 0), (3, 2)].map(|(client, server)| Some(Ends { client, server })).to_vec();
        let hops = [(1, 0, 0), (0, 1, 1), (3, 2, 2), (2, 3, 3)];
        machine.routes = Routes::new(hops.map(|(from, to, next)| (Instant::ZERO, from, to, next)));
        let own: Vec<_> = (0..100_u32)
            .map(|k| (at(i64::from(k) * 97), Copy { association: 0, shape: 0, request: 0, key: k.into() }))
            .collect();
        let other =
            |k: i64| (at(k * 31), Copy { association: 1, shape: 0, request: 0, key: 1_000 + k.cast_unsigned() });
        let mut both: Vec<_> = own.iter().copied().chain((0..300).map(other)).collect();
        both.sort_by_key(|(at, _)| *at);
        let fates = |copies: &[(Instant, Copy)]| {
            let all = run(&mut Simulation::new(&machine, 1, 4), copies);
            all.into_iter().filter(|fate| fate.key < 1_000).collect::<Vec<_>>()
        };
        assert_eq!(fates(&own), fates(&both));
    }
}
