//! Withdrawals of routes: a client whose route is withdrawn sends no request of its own, forwards those of others, and
//! comes back.

mod build;

use base::{Instant, Span};
use build::{Tree, at, certain, contended, machine, run, shared};
use twin::{Acknowledger, Copy, Ending, Evidence, Mac, Machine, NodeWithdrawals, Settled, Simulation, Withdrawals};

fn copy(association: u32, key: u64) -> Copy {
    Copy { association, shape: 0, request: key as u32, key }
}

/// A chain of three over each MAC: node 1 (association 0) and node 2 (association 1) are clients of node 0.
fn chains() -> [Machine; 2] {
    let tree = Tree::chain(3);
    [machine(&tree, shared(3)), contended(&tree, Acknowledger::Radio)]
}

fn nodes(of_node_1: NodeWithdrawals) -> Vec<NodeWithdrawals> {
    vec![NodeWithdrawals::default(), of_node_1, NodeWithdrawals::default()]
}

fn fates(machine: &Machine, replicate: u32, copies: &[(Instant, Copy)]) -> Vec<Settled> {
    let mut fates = run(&mut Simulation::new(machine, 3, replicate), copies);
    fates.sort_by_key(|fate| fate.key);
    fates
}

#[test]
fn a_recorded_withdrawal_holds_back_own_requests_only() {
    for mut machine in chains() {
        // Longer than it may be moved: its middle is inside in every replicate.
        let recorded = vec![(at(100_000), at(160_000))];
        let of_node_1 = NodeWithdrawals { recorded, ..NodeWithdrawals::default() };
        machine.withdrawals = Withdrawals { nodes: nodes(of_node_1), after_failure: Vec::new() };
        let copies = [(50_000, 0, 0), (130_000, 0, 1), (131_000, 1, 2), (200_000, 0, 3)]
            .map(|(time, client, key)| (at(time), copy(client, key)));
        for replicate in 0..20 {
            let fates = fates(&machine, replicate, &copies);
            assert_eq!((fates[1].ending, fates[1].aired), (Ending::RequestLost, None), "held back");
            for (number, why) in [(0, "before"), (2, "it forwards those of others"), (3, "after")] {
                assert_eq!(fates[number].ending, Ending::Answered, "{why}");
            }
        }
        let mut simulation = Simulation::new(&machine, 3, 0);
        simulation.send_recorded(at(130_000), copy(0, 9));
        let fate = simulation.advance(Instant::MAX);
        assert_eq!(fate.map(|fate| fate.ending), Some(Ending::Answered), "this one is known to have been sent");
    }
}

#[test]
fn withdrawals_move_between_replicates() {
    for mut machine in chains() {
        let recorded = vec![(at(100_000), at(104_000))];
        let of_node_1 = NodeWithdrawals { recorded, ..NodeWithdrawals::default() };
        machine.withdrawals = Withdrawals { nodes: nodes(of_node_1), after_failure: Vec::new() };
        let held =
            (0..300).filter(|&replicate| fates(&machine, replicate, &[(at(102_000), copy(0, 0))])[0].aired.is_none());
        // Four seconds of twenty-four: a sixth. Five standard deviations are 0.108.
        let share = held.count() as f64 / 300.0;
        assert!((share - 1.0 / 6.0).abs() < 0.108, "{share}");
    }
}

#[test]
fn a_failure_withdraws_the_route_as_often_as_it_says() {
    let after = [Span::from_millis(200), Span::from_secs(4)];
    for mut machine in chains() {
        // Node 1 reaches nobody: every packet is given up, and soon.
        machine.reception.set(1, 0, Evidence::NEVER);
        match &mut machine.mac {
            Mac::Tsch(tsch) => tsch.max_attempts = 2,
            Mac::Csma(csma) => csma.max_attempts = 2,
        }
        let with = |probability: f64, parent| {
            let of_node_1 = NodeWithdrawals {
                parents: vec![(Instant::ZERO, parent)],
                after_failure: [certain(probability); 2],
                ..NodeWithdrawals::default()
            };
            Withdrawals { nodes: nodes(of_node_1), after_failure: vec![(after[0], after[1])] }
        };
        // The first copy is given up within two seconds; the second one falls into the withdrawal, the last one comes
        // after it.
        let copies = [1_000, 3_500, 10_000].map(|time| (at(time), copy(0, time.cast_unsigned())));
        let held = |machine: &Machine, number: usize| {
            let held = (0..200).filter(|&replicate| fates(machine, replicate, &copies)[number].aired.is_none());
            held.count()
        };
        machine.withdrawals = with(1.0, 0);
        assert_eq!([0, 1, 2].map(|number| held(&machine, number)), [0, 200, 0]);
        machine.withdrawals = with(1.0, 2);
        assert_eq!(held(&machine, 1), 0, "failures to others than the parent count for nothing");
        machine.withdrawals = with(0.25, 0);
        // Five standard deviations of 200 draws are 31.
        let often = held(&machine, 1);
        assert!(often.abs_diff(50) < 31, "{often}");
    }
}
