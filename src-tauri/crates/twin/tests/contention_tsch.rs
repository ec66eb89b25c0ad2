//! Contention in a shared cell against its closed form, and machines that no network has.

#![allow(clippy::unwrap_used, reason = "tests")]

mod build;

use base::{Instant, Span};
use build::{Dice, Tree, at, certain, machine, orchestra, run, shared, traffic, tsch};
use twin::{Background, Choice, Copy, Ending, Evidence, Machine, NodeId, Routes, Simulation};

/// Shares of cells with one frame that is acknowledged, one frame that is not, two frames, and none.
type Shares = [f64; 4];

/// Back-off exponents of Contiki-NG (`os/net/mac/tsch/tsch-conf.h`).
const EXPONENTS: (usize, usize) = (1, 5);
/// Windows below 2^5 of every exponent up to 5.
const STATES: usize = 6 * 32;

/// Number of the back-off with an exponent and a window.
fn state(exponent: usize, window: usize) -> usize {
    exponent * 32 + window
}

/// Back-offs after a cell in which a sender with back-off `from` sent and failed, or did not send, with their chances.
fn after(from: usize) -> Vec<(usize, f64)> {
    let (exponent, window) = (from / 32, from % 32);
    if window > 0 {
        return vec![(state(exponent, window - 1), 1.0)];
    }
    let exponent = (exponent + 1).min(EXPONENTS.1);
    let windows = 1 << exponent;
    (0..windows).map(|window| (state(exponent, window), 1.0 / windows as f64)).collect()
}

/// Stationary shares of cells for two saturated senders that hear a common receiver, by the Markov chain of their
/// back-offs (IEEE Std 802.15.4-2020, 6.2.5.3, as Contiki-NG has it): a sender with window 0 sends; an acknowledgement,
/// which a frame alone gets with probability `p`, sets BE to 1; a failure raises BE by one, at most to 5, and draws a
/// window of 0 to 2^BE - 1 further cells.
fn closed_form(p: f64) -> Shares {
    const CELLS: usize = 4_000;
    let next: Vec<Vec<(usize, f64)>> = (0..STATES).map(after).collect();
    let fresh = state(EXPONENTS.0, 0);
    let mut now = vec![0.0; STATES * STATES];
    now[fresh * STATES + fresh] = 1.0;
    let mut shares = Shares::default();
    for cell in 0..CELLS {
        let mut then = vec![0.0; STATES * STATES];
        let mut seen = Shares::default();
        for (at, &chance) in now.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            let both = [at / STATES, at % STATES];
            let mut go = |chance: f64, [a, b]: [&[(usize, f64)]; 2]| {
                a.iter().for_each(|&(a, p)| b.iter().for_each(|&(b, q)| then[a * STATES + b] += chance * p * q));
            };
            let others = both.map(|back_off| next[back_off].as_slice());
            let success = [(fresh, 1.0)];
            match both.map(|back_off| back_off % 32 == 0) {
                [true, true] => seen[2] += chance,
                [false, false] => seen[3] += chance,
                [is_first, _] => {
                    seen[0] += chance * p;
                    seen[1] += chance * (1.0 - p);
                    go(chance * p, if is_first { [&success, others[1]] } else { [others[0], &success] });
                    go(chance * (1.0 - p), others);
                    continue;
                }
            }
            go(chance, others);
        }
        now = then;
        // The first half of the cells lets the chain forget its beginning.
        if cell >= CELLS / 2 {
            shares.iter_mut().zip(seen).for_each(|(sum, share)| *sum += share / (CELLS / 2) as f64);
        }
    }
    shares
}

/// Shares of cells in a simulation, with their standard errors from 50 batches.
fn simulated(reception: f64, max_attempts: u8) -> [(f64, f64); 4] {
    const BATCH: usize = 10_000;
    const CELLS: usize = 51 * BATCH;
    let mut machine = machine(&Tree::star(3), shared(1));
    for (from, to) in [(1, 0), (2, 0), (0, 1), (0, 2)] {
        machine.reception.set(from, to, certain(reception));
    }
    tsch(&mut machine).max_attempts = max_attempts;
    machine.limits.packets = Choice::certain(u32::MAX);
    let packet =
        |k: usize| Background { at: at(0), from: 1 + (k % 2) as NodeId, to: Some(0), octets: 60, is_beacon: false };
    machine.background = (0..2 * CELLS).map(packet).collect();
    let mut simulation = Simulation::new(&machine, 5, 0).with_log();
    assert_eq!(simulation.advance(at(10 * CELLS as i64)), None);
    let mut counts = vec![(0, 0); CELLS + 1];
    for frame in simulation.take_log() {
        let cell = &mut counts[usize::try_from((frame.start - at(0)).millis() / 10).unwrap()];
        *cell = (cell.0 + 1, cell.1 + usize::from(frame.is_acknowledged));
    }
    let kind = |cell: (usize, usize)| match cell {
        (1, 1) => 0,
        (1, 0) => 1,
        (2, 0) => 2,
        (0, 0) => 3,
        other => unreachable!("two senders, one receiver: {other:?}"),
    };
    let batches: Vec<Shares> = counts[1..]
        .chunks_exact(BATCH)
        .skip(1)
        .map(|batch| {
            let mut shares = Shares::default();
            batch.iter().for_each(|&cell| shares[kind(cell)] += 1.0 / BATCH as f64);
            shares
        })
        .collect();
    let n = batches.len() as f64;
    [0, 1, 2, 3].map(|kind| {
        let mean = batches.iter().map(|batch| batch[kind]).sum::<f64>() / n;
        let variance = batches.iter().map(|batch| (batch[kind] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, (variance / n).sqrt())
    })
}

#[test]
fn two_saturated_senders_share_a_cell_as_their_markov_chain_says() {
    for (reception, max_attempts) in [(1.0, 8), (1.0, 2), (0.8, 4)] {
        // A frame and its acknowledgement.
        let expected = closed_form(reception * reception);
        let found = simulated(reception, max_attempts);
        for (expected, (mean, error)) in expected.into_iter().zip(found) {
            // Four standard errors, and what the certainty of the receptions leaves open.
            let tolerance = 4.0 * error + if reception < 1.0 { 0.002 } else { 0.0 };
            assert!(tolerance < 0.008, "{tolerance}: too few cells to say anything");
            assert!((mean - expected).abs() <= tolerance, "{mean} ± {error}, expected {expected}");
        }
    }
}

/// Sends some copies and waits for all fates.
fn survives(machine: &Machine) -> Vec<Ending> {
    let copy = |key: u64| Copy { association: key as u32 % 3, shape: key as u32 % 4, request: 0, key };
    let copies: Vec<_> = (0..12).map(|key| (at(7 * key), copy(key.cast_unsigned()))).collect();
    let fates = run(&mut Simulation::new(machine, 1, 0), &copies);
    let mut keys: Vec<u64> = fates.iter().map(|fate| fate.key).collect();
    keys.sort_unstable();
    assert_eq!(keys, (0..12).collect::<Vec<_>>(), "every copy has a fate");
    fates.iter().map(|fate| fate.ending).collect()
}

#[test]
fn machines_without_nodes_routes_or_frames_lose_everything() {
    let empty = machine(&Tree { parents: Vec::new() }, shared(3));
    let single = machine(&Tree::chain(1), shared(3));
    let mut routeless = machine(&Tree::chain(4), shared(3));
    routeless.routes = Routes::default();
    let mut shapeless = machine(&Tree::chain(4), shared(3));
    shapeless.shapes.clear();
    let mut endless = machine(&Tree::chain(4), shared(3));
    endless.ends = vec![None; 3];
    let mut cramped = machine(&Tree::chain(4), shared(3));
    cramped.limits.packets = Choice::certain(0);
    for machine in [empty, single, routeless, shapeless, endless, cramped] {
        assert!(survives(&machine).iter().all(|ending| *ending == Ending::RequestLost));
    }
}

#[test]
fn routes_in_a_circle_end_at_the_hop_limit() {
    let mut circle = machine(&Tree::chain(3), shared(1));
    circle.routes = Routes::new([(1, 2), (2, 1)].map(|(from, to)| (Instant::ZERO, from, 0, to)));
    let mut simulation = Simulation::new(&circle, 1, 0).with_log();
    let fate = run(&mut simulation, &[(at(0), Copy { association: 1, shape: 0, request: 0, key: 0 })])[0];
    assert_eq!(fate.ending, Ending::RequestLost);
    assert_eq!(simulation.take_log().len(), 64, "as many hops as an IPv6 packet makes by default");
}

#[test]
fn schedules_that_never_serve_a_packet_end() {
    let tree = Tree::chain(4);
    let mut cells = machine(&tree, orchestra(4, [41, 7, 13]));
    tsch(&mut cells).neighbours = vec![Vec::new(); 4];
    assert!(survives(&cells).iter().all(|ending| *ending == Ending::RequestLost));
    let mut none = machine(&tree, Vec::new());
    none.background = vec![Background { at: at(5), from: 1, to: None, octets: 30, is_beacon: true }];
    assert!(survives(&none).iter().all(|ending| *ending == Ending::RequestLost));
    // After the silence the network works on.
    let mut late = Simulation::new(&cells, 1, 0);
    let fate = run(&mut late, &[(at(0), Copy { association: 0, shape: 0, request: 0, key: 0 })])[0];
    assert_eq!(late.statistics().waiting, 0);
    assert_eq!(
        run(&mut late, &[(fate.at, Copy { association: 0, shape: 0, request: 0, key: 1 })])[0].ending,
        Ending::RequestLost
    );
}

#[test]
fn extreme_numbers_neither_panic_nor_hang() {
    let tree = Tree::chain(4);
    type Change = fn(&mut Machine);
    let changes: [Change; 12] = [
        |m| tsch(m).slot = Span::ZERO,
        |m| tsch(m).slot = Span::from_nanos(1),
        |m| tsch(m).slot = Span::MAX,
        |m| tsch(m).slot = Span::from_nanos(-5),
        |m| tsch(m).origin = Instant::MAX,
        |m| tsch(m).origin = Instant::from_nanos(i64::MIN),
        |m| (tsch(m).min_exponent, tsch(m).max_exponent) = (255, 255),
        |m| tsch(m).max_attempts = 0,
        |m| tsch(m).slotframes.iter_mut().for_each(|frame| (frame.length, frame.shift) = (0, u16::MAX)),
        |m| tsch(m).slotframes.iter_mut().for_each(|frame| frame.channels.clear()),
        |m| m.shapes.iter_mut().for_each(|shape| shape.request = vec![(9, vec![u16::MAX; 300])]),
        |m| (m.processing, m.limits.reassembly_age) = (Span::MAX, Span::from_nanos(i64::MIN)),
    ];
    for change in changes {
        for slotframes in [shared(3), orchestra(4, [41, 7, 13])] {
            let mut machine = machine(&tree, slotframes);
            machine.reception.set(2, 1, certain(0.3));
            change(&mut machine);
            let copies = traffic(&tree, 12, 100, &mut Dice::new(1, 1));
            let mut simulation = Simulation::new(&machine, 1, 0).with_log();
            let fates = run(&mut simulation, &copies);
            let counts = simulation.statistics();
            // Copies that would settle after the end of time never do.
            assert!(fates.len() <= 12 && counts.queued == counts.sent + counts.exhausted + counts.waiting);
            let late = [at(i64::MAX), Instant::from_nanos(i64::MAX - 1), Instant::MAX];
            let key = |at| (at, Copy { association: u32::MAX, shape: u32::MAX, request: 0, key: u64::MAX });
            assert_eq!(run(&mut simulation, &late.map(key)).len(), 3);
            run(&mut simulation, &late.map(|at| (at, Copy { association: 0, shape: 0, request: 0, key: 1 })));
        }
    }
}

#[test]
fn many_copies_at_once_are_settled() {
    let tree = Tree::star(6);
    let mut machine = machine(&tree, shared(1));
    machine.reception =
        machine.reception.map(|_, _, link: Evidence| if link == Evidence::ALWAYS { certain(0.7) } else { link });
    machine.limits.packets = Choice::certain(u32::MAX);
    let copies: Vec<_> =
        (0..20_000).map(|key| (at(0), Copy { association: key % 5, shape: 0, request: 0, key: key.into() })).collect();
    let mut simulation = Simulation::new(&machine, 1, 0);
    assert_eq!(run(&mut simulation, &copies).len(), copies.len());
    assert_eq!(simulation.statistics().waiting, 0);
}
