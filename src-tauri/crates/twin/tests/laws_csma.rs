//! Laws of the log of a CSMA/CA network: what it tells is what was counted and what became of the copies.

#![allow(clippy::unwrap_used, reason = "tests")]

mod build;

use base::Instant;
use build::{Dice, Tree, certain, contended, csma, run, traffic};
use std::collections::{BTreeMap, BTreeSet};
use twin::{Acknowledger, Background, Choice, Copy, Ending, Evidence, Load, Machine, NodeId, Simulation};

fn random_machine(case: u32) -> (Tree, Machine) {
    let mut dice = Dice::new(41, case);
    let tree = Tree::random(dice.between(2, 9) as NodeId, &mut dice);
    let acknowledger = if case.is_multiple_of(2) { Acknowledger::Processor } else { Acknowledger::Radio };
    let mut machine = contended(&tree, acknowledger);
    let link = |link: Evidence, dice: &mut Dice| certain(link.mean() * (0.4 + 0.6 * dice.unit()));
    machine.reception = machine.reception.map(|_, _, own: Evidence| link(own, &mut dice));
    machine.limits.packets = Choice::certain(dice.between(4, 16));
    csma(&mut machine).max_attempts = dice.between(1, 8) as u8;
    let millis = 60_000;
    let packet = |to: Option<NodeId>, dice: &mut Dice| Background {
        at: build::at(i64::from(dice.between(0, millis))),
        from: dice.between(0, tree.len() as u32 - 1) as NodeId,
        to,
        octets: 60,
        is_beacon: false,
    };
    machine.background = (0..40).map(|_| packet(None, &mut dice)).collect();
    machine.background.sort_by_key(|packet| packet.at);
    (tree, machine)
}

#[test]
fn the_log_tells_what_was_counted() {
    let (mut collided, mut silent) = (0, 0);
    for case in 0..60 {
        let (tree, machine) = random_machine(case);
        let copies = traffic(&tree, 200, 60_000, &mut Dice::new(42, case));
        let mut simulation = Simulation::new(&machine, 7, case).with_log();
        let mut fates = run_until(&mut simulation, &copies[..100]);
        // The log is taken in the middle of things, in pieces.
        let mut log = simulation.take_log();
        for copy in copies[100..].chunks(10) {
            fates.extend(run_until(&mut simulation, copy));
            log.extend(simulation.take_log());
        }
        while simulation.advance(build::at(200_000)).is_some_and(|fate| {
            fates.push(fate);
            true
        }) {}
        log.extend(simulation.take_log());
        let counts = simulation.statistics();
        assert_eq!(counts.waiting, 0, "{case}");
        assert_eq!(log.len() as u64, counts.frames, "{case}: every frame once");
        assert!(log.is_sorted_by_key(|frame| frame.end), "{case}: in the order of their ends");
        let gone = log.iter().filter(|frame| frame.is_acknowledged || frame.to.is_none()).count() as u64;
        assert_eq!(gone, counts.sent, "{case}: packets that were acknowledged, and broadcasts");
        for frame in &log {
            assert!(frame.start < frame.end);
            assert!(!frame.is_acknowledged || frame.acknowledgement.is_some(), "{case}: {frame:?}");
            assert!(frame.acknowledgement.is_none() || frame.is_received, "{case}: {frame:?}");
            assert!(frame.acknowledgement.is_none_or(|(start, end)| frame.end < start && start < end), "{case}");
            silent += usize::from(frame.is_received && frame.acknowledgement.is_none());
        }
        // No node sends two frames at once, and none hears while it sends.
        let mut sent: BTreeMap<NodeId, Vec<(Instant, Instant)>> = BTreeMap::new();
        for frame in &log {
            sent.entry(frame.from).or_default().push((frame.start, frame.end));
        }
        sent.values_mut().for_each(|frames| frames.sort_unstable());
        assert!(sent.values().all(|frames| frames.windows(2).all(|pair| pair[0].1 <= pair[1].0)), "{case}");
        for frame in log.iter().filter(|frame| frame.is_received) {
            let own = sent.get(&frame.to.unwrap()).map_or(&[][..], |frames| frames.as_slice());
            assert!(own.iter().all(|&(start, end)| end <= frame.start || frame.end <= start), "{case}: {frame:?}");
        }
        collided += log.iter().filter(|frame| frame.to.is_some() && !frame.is_received).count();
        // A copy reached its server if and only if the log has a frame of it that did.
        let key = |frame: &&twin::SimulatedFrame| match frame.load {
            Load::Copy { key, is_answer: false, .. } if frame.is_received && frame.to == Some(0) => Some(key),
            _ => None,
        };
        let served: BTreeSet<u64> = log.iter().filter_map(|frame| key(&frame)).collect();
        let reached = fates.iter().filter(|fate| fate.ending != Ending::RequestLost).map(|fate| fate.key);
        assert_eq!(served, reached.collect(), "{case}");
        assert_eq!(counts.served, served.len() as u64, "{case}");
        assert!(simulation.take_log().is_empty());
        // Fates are the same without a log.
        let mut plain = Simulation::new(&machine, 7, case);
        let mut again = run_until(&mut plain, &copies[..100]);
        copies[100..].chunks(10).for_each(|copy| again.extend(run_until(&mut plain, copy)));
        again.extend(std::iter::from_fn(|| plain.advance(build::at(200_000))));
        assert_eq!(fates, again, "{case}");
    }
    assert!(collided > 1_000 && silent > 10, "losses and withheld acknowledgements were met: {collided} {silent}");
}

/// Sends copies without waiting for the fates of the last ones.
fn run_until(simulation: &mut Simulation<'_>, copies: &[(Instant, Copy)]) -> Vec<twin::Settled> {
    let mut fates = Vec::new();
    for &(at, copy) in copies {
        fates.extend(std::iter::from_fn(|| simulation.advance(at)));
        simulation.send(at, copy);
    }
    fates
}

#[test]
fn attempts_are_numbered_up_to_the_last() {
    for most in [1, 4, 8] {
        let tree = Tree::chain(2);
        let mut machine = contended(&tree, Acknowledger::Processor);
        machine.reception.set(1, 0, Evidence::NEVER);
        csma(&mut machine).max_attempts = most;
        let mut simulation = Simulation::new(&machine, 1, 0).with_log();
        let copy = Copy { association: 0, shape: 0, request: 0, key: 9 };
        let fate = run(&mut simulation, &[(build::at(1), copy)])[0];
        let log = simulation.take_log();
        assert_eq!(log.iter().map(|frame| frame.attempt).collect::<Vec<_>>(), (1..=most).collect::<Vec<_>>());
        assert_eq!(fate.ending, Ending::RequestLost);
        let load = Load::Copy { key: 9, association: 0, is_answer: false, datagram: 0, fragment: 0, fragments: 1 };
        assert!(log.iter().all(|frame| frame.load == load && frame.octets == 100 && !frame.is_received));
    }
}
