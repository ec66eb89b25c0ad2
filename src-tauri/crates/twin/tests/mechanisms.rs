//! Mechanisms that are switched off: each does what it says and nothing else, and all of them together are the
//! simulation.

#![allow(clippy::unwrap_used, reason = "tests")]

mod build;

use base::{Instant, Span};
use build::{Dice, Tree, at, certain, contended, machine, run, shared, traffic, tsch};
use twin::{
    Acknowledger, Choice, Copy, Ending, Ends, Evidence, Load, Machine, Matrix, Mechanism, Settled, SimulatedFrame,
    Simulation, Statistics,
};

/// Fates, frames and counts.
type Everything = (Vec<Settled>, Vec<SimulatedFrame>, Statistics);

fn all(machine: &Machine, copies: &[(Instant, Copy)], without: &[Mechanism]) -> Everything {
    let mut simulation = Simulation::new(machine, 1, 1).without(without).with_log();
    let fates = run(&mut simulation, copies);
    (fates, simulation.take_log(), simulation.statistics())
}

/// A random tree with losses and little room, and copies that are too many for it.
fn crowded() -> (Machine, Vec<(Instant, Copy)>) {
    let mut dice = Dice::new(31, 0);
    let tree = Tree::random(8, &mut dice);
    let mut machine = machine(&tree, shared(3));
    machine.reception = machine.reception.map(|_, _, link: Evidence| certain(0.8 * link.mean()));
    machine.limits.packets = Choice::certain(4);
    tsch(&mut machine).max_attempts = 3;
    let copies = traffic(&tree, 600, 120_000, &mut dice);
    (machine, copies)
}

fn unanswered(fates: &[Settled]) -> usize {
    fates.iter().filter(|fate| fate.ending != Ending::Answered).count()
}

#[test]
fn none_switched_off_changes_no_frame_and_each_changes_some() {
    let (machine, copies) = crowded();
    let whole = all(&machine, &copies, &[]);
    let mut simulation = Simulation::new(&machine, 1, 1).with_log();
    let fates = run(&mut simulation, &copies);
    assert_eq!((&fates, &simulation.take_log()), (&whole.0, &whole.1));
    // Requests of these copies are all the same one: a server that answers it once makes a difference, too.
    for mechanism in Mechanism::ALL {
        if mechanism == Mechanism::WakeUps {
            // Contention networks alone have it.
            assert_eq!(all(&machine, &copies, &[mechanism]), whole);
            continue;
        }
        let (fates, log, counts) = all(&machine, &copies, &[mechanism]);
        assert_ne!(log, whole.1, "{mechanism:?}");
        assert_eq!(fates.len(), copies.len(), "{mechanism:?}: every copy has a fate");
        assert_eq!(counts.queued, counts.sent + counts.exhausted + counts.waiting, "{mechanism:?}");
    }
}

#[test]
fn without_limits_nothing_is_refused() {
    let (machine, copies) = crowded();
    assert!(all(&machine, &copies, &[]).2.refused > 100);
    assert_eq!(all(&machine, &copies, &[Mechanism::Limits]).2.refused, 0);
}

#[test]
fn without_retries_every_frame_is_the_first() {
    let (machine, copies) = crowded();
    let most = |without: &[Mechanism]| all(&machine, &copies, without).1.iter().map(|frame| frame.attempt).max();
    assert_eq!((most(&[]), most(&[Mechanism::Retries])), (Some(3), Some(1)));
}

#[test]
fn without_losses_collisions_and_limits_everything_is_answered() {
    let (mut machine, copies) = crowded();
    let off = [Mechanism::Losses, Mechanism::Collisions, Mechanism::Limits];
    // A node that sends receives nothing: without enough attempts that alone can end a copy.
    tsch(&mut machine).max_attempts = 200;
    assert_eq!(unanswered(&all(&machine, &copies, &off).0), 0);
    for left in off {
        let two: Vec<Mechanism> = off.into_iter().filter(|&other| other != left).collect();
        tsch(&mut machine).max_attempts = 3;
        assert!(unanswered(&all(&machine, &copies, &two).0) > 0, "{left:?} alone loses copies");
    }
}

#[test]
fn without_collisions_two_frames_in_a_cell_are_received() {
    // 1 sends to 0 and 3 to 2, in one cell; 2 and 1 hear each other, and so do 0 and 3.
    let mut machine = machine(&Tree::chain(4), shared(3));
    machine.ends = vec![Some(Ends { client: 1, server: 0 }), Some(Ends { client: 3, server: 2 })];
    machine.routes = twin::Routes::new([(at(0), 1, 0, 0), (at(0), 0, 1, 1), (at(0), 3, 2, 2), (at(0), 2, 3, 3)]);
    machine.disturbance =
        Matrix::new(4).map(|from, to, _: Evidence| if from == to { Evidence::NEVER } else { Evidence::ALWAYS });
    let copies: Vec<(Instant, Copy)> =
        (0..2).map(|n| (at(1), Copy { association: n, shape: 0, request: 0, key: n.into() })).collect();
    let first_two = |without: &[Mechanism]| {
        let log = all(&machine, &copies, without).1;
        assert_eq!(log[0].start, log[1].start, "they share a cell");
        [log[0].is_received, log[1].is_received]
    };
    assert_eq!(first_two(&[]), [false, false]);
    assert_eq!(first_two(&[Mechanism::Collisions]), [true, true]);
}

#[test]
fn without_kept_back_off_a_packet_after_a_drop_goes_at_once() {
    let mut machine = machine(&Tree::chain(2), shared(1));
    machine.reception = Matrix::new(2);
    tsch(&mut machine).max_attempts = 4;
    let copies: Vec<(Instant, Copy)> =
        (0..200).map(|key| (at(key * 4_000), Copy { association: 0, shape: 0, request: 0, key: key as u64 })).collect();
    let waits = |without: &[Mechanism]| -> Vec<Span> {
        // Two packets at a time, so that the second one begins right after the first was given up.
        let pairs: Vec<(Instant, Copy)> = copies.iter().flat_map(|&(at, copy)| [(at, copy); 2]).collect();
        let log = all(&machine, &pairs, without).1;
        let next = |pair: &[SimulatedFrame]| (pair[0].attempt == 4).then(|| pair[1].start - pair[0].start);
        log.windows(2).filter_map(next).filter(|gap| gap.millis() < 1_000).collect()
    };
    let slot = Span::from_millis(10);
    assert!(waits(&[]).iter().any(|&gap| gap > slot.scale(8, 1)));
    let forgotten = waits(&[Mechanism::KeptBackoff]);
    assert!(forgotten.len() >= 200 && forgotten.iter().all(|&gap| gap == slot), "{forgotten:?}");
}

#[test]
fn without_wake_ups_processors_turn_around_in_their_time() {
    let mut dice = Dice::new(32, 0);
    let tree = Tree::random(8, &mut dice);
    let copies = traffic(&tree, 600, 60_000, &mut dice);
    let log = |acknowledger, without: &[Mechanism]| all(&contended(&tree, acknowledger), &copies, without).1;
    let off = [Mechanism::WakeUps];
    let (woken, not) = (log(Acknowledger::Processor, &[]), log(Acknowledger::Processor, &off));
    assert_ne!(woken, not);
    // A processor that is woken while it turns around to answer finds the channel busy, and does not answer.
    let silent = |log: &[SimulatedFrame]| log.iter().filter(|f| f.is_received && f.acknowledgement.is_none()).count();
    assert!(silent(&woken) > 0, "somebody was woken");
    assert!(
        not.iter()
            .filter_map(|f| f.acknowledgement.map(|(start, _)| start - f.end))
            .all(|delay| delay >= Span::from_millis(1))
    );
    assert_eq!(log(Acknowledger::Radio, &[]), log(Acknowledger::Radio, &off), "a radio needs no waking");
}

#[test]
fn without_repeated_answers_a_request_is_answered_once() {
    let machine = machine(&Tree::chain(3), shared(3));
    let copy = |key| Copy { association: 1, shape: 0, request: key as u32 / 3, key };
    let copies: Vec<(Instant, Copy)> = (0..9).map(|key| (at(2_000 * key as i64), copy(key))).collect();
    let answers = |without: &[Mechanism]| {
        let (fates, log, counts) = all(&machine, &copies, without);
        let sent = log.iter().filter(|f| f.from == 0 && matches!(f.load, Load::Copy { is_answer: true, .. })).count();
        assert_eq!(counts.served, 9, "requests arrive all the same");
        (unanswered(&fates), sent)
    };
    assert_eq!(answers(&[]), (0, 9));
    assert_eq!(answers(&[Mechanism::RepeatedAnswers]), (6, 3));
}

#[test]
fn a_restart_keeps_what_is_switched_off() {
    let (machine, copies) = crowded();
    let off = Mechanism::ALL;
    let mut simulation = Simulation::new(&machine, 1, 1).without(&off);
    let first = run(&mut simulation, &copies);
    simulation.restart();
    assert_eq!(run(&mut simulation, &copies), first);
    assert_eq!(first, all(&machine, &copies, &off).0);
}

/// Room for datagrams is drawn anew in each replicate: each is as one of the machines with that room, and both occur.
#[test]
fn replicates_draw_the_room_for_datagrams() {
    let (mut machine, copies) = crowded();
    for shape in &mut machine.shapes {
        shape.request = vec![(0, vec![100, 60])];
    }
    let fates = |room: Choice, replicate: u32| {
        let mut machine = machine.clone();
        machine.limits.reassemblies = room;
        run(&mut Simulation::new(&machine, 1, replicate), &copies)
    };
    let mut seen = [0, 0];
    for replicate in 0..12 {
        let drawn = fates(Choice::among(&[1, 8], 1), replicate);
        let rooms = [1, 8].map(|room| fates(Choice::certain(room), replicate));
        assert_ne!(rooms[0], rooms[1], "one datagram at a time is too few here");
        let place = rooms.iter().position(|fates| *fates == drawn).expect("one of both rooms");
        seen[place] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}
