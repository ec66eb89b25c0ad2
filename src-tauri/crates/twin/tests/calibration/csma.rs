//! CSMA/CA: the stack, receptions, who senses and disturbs whom.

use crate::build::{Dice, Tree, at, contended, csma, run, traffic};
use crate::ranks::{NETWORKS, Ranks, plant_receptions};
use base::Silent;
use twin::{Acknowledger, Background, Evidence, Known, Mac, Machine, Matrix, NodeId, SimulatedFrame, Simulation};

/// A network with known parameters, and what a simulation of it showed.
struct Planted {
    tree: Tree,
    machine: Machine,
    reception: Matrix<f64>,
    senses: Matrix<bool>,
    disturbs: Matrix<bool>,
    log: Vec<SimulatedFrame>,
}

/// Broadcasts of every node.
fn background(tree: &Tree, millis: u32, dice: &mut Dice) -> Vec<Background> {
    let mut all = Vec::new();
    for from in 0..tree.len() as NodeId {
        let mut time = dice.between(0, 30_000);
        while time < millis {
            all.push(Background { at: at(i64::from(time)), from, to: None, octets: 96, is_beacon: false });
            time += dice.between(30_000, 90_000);
        }
    }
    all.sort_by_key(|packet| packet.at);
    all
}

fn planted(case: u32) -> Planted {
    let mut dice = Dice::new(200, case);
    let nodes = dice.between(4, 10) as NodeId;
    let tree = match case % 3 {
        0 => Tree::chain(nodes),
        1 => Tree::star(nodes),
        _ => Tree::random(nodes, &mut dice),
    };
    let acknowledger = if case % 4 == 3 { Acknowledger::Radio } else { Acknowledger::Processor };
    let mut machine = contended(&tree, acknowledger);
    // Between two hops some sense each other and some do not; who senses a frame is disturbed by it, and others are now
    // and then.
    let mut senses = machine.sensing.map(|_, _, link: Evidence| link == Evidence::ALWAYS);
    for a in 0..nodes {
        for b in 0..a {
            if tree.hops(a, b) == 2 && dice.unit() < 0.5 {
                senses.set(a, b, true);
                senses.set(b, a, true);
            }
        }
    }
    let disturbs = senses.map(|from, to, is: bool| is || from != to && tree.hops(from, to) == 2 && dice.unit() < 0.5);
    let always = |is: bool| if is { Evidence::ALWAYS } else { Evidence::NEVER };
    machine.sensing = senses.map(|_, _, is: bool| always(is));
    machine.disturbance = disturbs.map(|_, _, is: bool| always(is));
    let reception = plant_receptions(&mut machine, &mut dice);
    let own = csma(&mut machine);
    own.max_attempts = dice.between(2, 8) as u8;
    if acknowledger == Acknowledger::Radio {
        own.ack_delay = base::Span::from_micros(192);
    }
    let millis = 1_200_000;
    machine.background = background(&tree, millis, &mut dice);
    let copies = traffic(&tree, dice.between(600, 3_000), millis, &mut dice);
    let mut simulation = Simulation::new(&machine, 1, case).with_log();
    run(&mut simulation, &copies);
    while simulation.advance(at(i64::from(millis) + 60_000)).is_some() {}
    let log = simulation.take_log();
    Planted { tree, machine, reception, senses, disturbs, log }
}

#[test]
fn planted_contention_networks_are_inferred_with_honest_posteriors() {
    let mut ranks = Ranks::default();
    let [mut attempts, mut sensing, mut disturbance] = [[0_u32; 2]; 3];
    for case in 0..NETWORKS {
        let Planted { tree, machine, reception, senses, disturbs, log } = planted(case);
        let inferred = twin::infer_simulated(&machine, &log, &mut Silent).unwrap();
        let inferred = inferred.unwrap_or_else(|why| panic!("{case}: {why}"));
        let (Mac::Csma(truth), Mac::Csma(found)) = (&machine.mac, &inferred.mac) else { panic!("{case}: the MAC") };
        assert_eq!((truth.unit, truth.tick, truth.ack_delay), (found.unit, found.tick, found.ack_delay), "{case}");
        assert_eq!(truth.acknowledger, found.acknowledger, "{case}");
        let known = inferred.parameters.iter().find(|parameter| parameter.name == "max-attempts").unwrap().known;
        if known == Known::Inferred {
            attempts[usize::from(truth.max_attempts == found.max_attempts)] += 1;
        }
        ranks.add(&inferred, &tree, &reception);
        let sure = |of: &Matrix<Evidence>| -> Vec<(NodeId, NodeId, bool)> {
            let far = |(from, to, e): &(NodeId, NodeId, Evidence)| from != to && !(0.1..0.9).contains(&e.mean());
            of.iter().filter(far).map(|(from, to, e)| (from, to, e.mean() > 0.5)).collect()
        };
        for (from, to, is) in sure(&inferred.sensing) {
            sensing[usize::from(is == senses.get(from, to))] += 1;
        }
        for (from, to, is) in sure(&inferred.disturbance) {
            disturbance[usize::from(is == disturbs.get(from, to))] += 1;
        }
    }
    println!("{ranks:?}, attempts {attempts:?}, sensing {sensing:?}, disturbance {disturbance:?}");
    ranks.check();
    assert_eq!(attempts[0], 0, "attempts that are inferred are right");
    assert!(attempts[1] > 30, "{attempts:?}");
    for [wrong, right] in [sensing, disturbance] {
        assert!(right > 5_000 && wrong * 100 < right, "{wrong} of {right} pairs");
    }
}
