//! TSCH: schedules and attempts, receptions, who disturbs whom.

use crate::build::{Dice, Tree, at, machine, orchestra, run, shared, traffic, tsch};
use crate::ranks::{NETWORKS, Ranks, plant_receptions};
use base::{Instant, Silent};
use twin::{Background, Evidence, Known, Mac, Machine, Matrix, NodeId, SimulatedFrame, Simulation, Slotframe};

/// A network with known parameters, and what a simulation of it showed.
struct Planted {
    tree: Tree,
    machine: Machine,
    reception: Matrix<f64>,
    disturbs: Matrix<bool>,
    log: Vec<SimulatedFrame>,
}

/// Beacons of every node, broadcasts, and keep-alives to the parent.
fn background(tree: &Tree, millis: u32, dice: &mut Dice) -> Vec<Background> {
    let mut all = Vec::new();
    for from in 0..tree.len() as NodeId {
        for (every, octets, is_beacon, to) in
            [(16_000, 35, true, None), (60_000, 96, false, None), (45_000, 25, false, tree.parent(from))]
        {
            let mut time = dice.between(0, every);
            while time < millis {
                // The server has nobody to keep alive.
                if octets != 25 || to.is_some() {
                    all.push(Background { at: at(i64::from(time)), from, to, octets, is_beacon });
                }
                time += dice.between(every / 2, every * 3 / 2);
            }
        }
    }
    all.sort_by_key(|packet| packet.at);
    all
}

fn planted(case: u32) -> Planted {
    let mut dice = Dice::new(100, case);
    let nodes = dice.between(4, 12) as NodeId;
    let tree = match case % 3 {
        0 => Tree::chain(nodes),
        1 => Tree::star(nodes),
        _ => Tree::random(nodes, &mut dice),
    };
    let is_orchestra = case % 4 == 3;
    let length = dice.between(3, 19) as u16;
    let mut machine = machine(&tree, if is_orchestra { orchestra(tree.len(), [397, 17, 31]) } else { shared(length) });
    // Between two hops some hear each other and some do not.
    let disturbs = machine.disturbance.map(|from, to, link: Evidence| {
        link == Evidence::ALWAYS || from != to && tree.hops(from, to) == 2 && dice.unit() < 0.5
    });
    machine.disturbance = disturbs.map(|_, _, is: bool| if is { Evidence::ALWAYS } else { Evidence::NEVER });
    let reception = plant_receptions(&mut machine, &mut dice);
    let attempts = dice.between(2, 8) as u8;
    let own = tsch(&mut machine);
    own.max_attempts = attempts;
    own.slotframes.iter_mut().for_each(|frame| frame.shift = dice.between(0, u32::from(frame.length) - 1) as u16);
    let millis = 1_200_000;
    machine.background = background(&tree, millis, &mut dice);
    let copies = traffic(&tree, dice.between(150, 900), millis, &mut dice);
    let mut simulation = Simulation::new(&machine, 1, case).with_log();
    run(&mut simulation, &copies);
    while simulation.advance(at(i64::from(millis) + 60_000)).is_some() {}
    let log = simulation.take_log();
    Planted { tree, machine, reception, disturbs, log }
}

/// Slot frames with the slots of their cells relative to the first frame of the log, so that two with the same cells
/// are equal.
fn cells(machine: &Machine, first: Instant) -> Vec<Slotframe> {
    let Mac::Tsch(tsch) = &machine.mac else { unreachable!("{:?}", machine.mac) };
    let offset = (first - tsch.origin).nanos() / tsch.slot.nanos();
    let moved = |frame: &Slotframe| {
        let shift = (i64::from(frame.shift) - offset).rem_euclid(i64::from(frame.length)) as u16;
        Slotframe { shift, ..frame.clone() }
    };
    tsch.slotframes.iter().map(moved).collect()
}

#[test]
fn planted_networks_are_inferred_with_honest_posteriors() {
    let mut ranks = Ranks::default();
    let (mut read, mut judged) = (0, [0, 0]);
    for case in 0..NETWORKS {
        let Planted { tree, machine, reception, disturbs, log } = planted(case);
        let inferred =
            twin::infer_simulated(&machine, &log, &mut Silent).unwrap().unwrap_or_else(|why| panic!("{case}: {why}"));
        let start = log[0].start;
        assert_eq!(cells(&inferred, start), cells(&machine, start), "{case}");
        let (Mac::Tsch(truth), Mac::Tsch(found)) = (&machine.mac, &inferred.mac) else { unreachable!() };
        let attempts = inferred.parameters.iter().find(|parameter| parameter.name == "max-attempts").unwrap();
        if attempts.known == Known::Read {
            assert_eq!(found.max_attempts, truth.max_attempts, "{case}");
            read += 1;
        }
        ranks.add(&inferred, &tree, &reception);
        for (from, to, evidence) in inferred.disturbance.iter().filter(|(from, to, e)| from != to && e.weight() > 20.0)
        {
            judged[usize::from((evidence.mean() > 0.5) == disturbs.get(from, to))] += 1;
        }
    }
    println!("{ranks:?}, {read} of {NETWORKS} attempts read, disturbance {judged:?}");
    // Elsewhere no packet was given up twice.
    assert!(read >= 150, "{read}");
    ranks.check();
    let [wrong, right] = judged;
    assert!(right > 2_500 && wrong * 500 < right, "{wrong} of {right} pairs");
}
