//! Simulation-based calibration of the inference (Talts et al., "Validating Bayesian inference algorithms with simulation-based
//! calibration", 2018): networks are drawn from a prior, simulated, and inferred from the log of their frames. The ranks of the
//! true receptions within their posteriors must be uniform; schedules and attempts must be found exactly.

#![allow(clippy::unwrap_used, reason = "tests")]

mod build;

use base::Instant;
use build::{Dice, Tree, at, certain, machine, orchestra, run, shared, traffic, tsch};
use statrs::distribution::{Beta, ChiSquared, ContinuousCDF};
use twin::{Background, Evidence, Mac, Machine, Matrix, NodeId, SimulatedFrame, Simulation, Slotframe, Statistics};

/// Networks.
const NETWORKS: u32 = 200;
/// Bins of ranks.
const BINS: usize = 20;

/// A network with known parameters, and what a simulation of it showed.
struct Planted {
    tree: Tree,
    machine: Machine,
    reception: Matrix<f64>,
    disturbs: Matrix<bool>,
    log: Vec<SimulatedFrame>,
    counts: Statistics,
}

/// A reception from the beta distribution with mean `mean` and `strength` pseudo-observations.
fn reception(mean: f64, strength: f64, dice: &mut Dice) -> f64 {
    Beta::new(mean * strength, (1.0 - mean) * strength).unwrap().inverse_cdf(dice.unit())
}

/// Beacons of every node, broadcasts, and keep-alives to the parent.
fn background(tree: &Tree, millis: u32, dice: &mut Dice) -> Vec<Background> {
    let mut all = Vec::new();
    for from in 0..tree.len() as NodeId {
        for (every, octets, is_beacon, to) in
            [(16_000, 35, true, None), (60_000, 96, false, None), (45_000, 25, false, tree.parent(from))]
        {
            let mut time = dice.from_to(0, every);
            while time < millis {
                if is_beacon || octets == 96 || to.is_some() {
                    all.push(Background { at: at(i64::from(time)), from, to, octets, is_beacon });
                }
                time += dice.from_to(every / 2, every * 3 / 2);
            }
        }
    }
    all.sort_by_key(|packet| packet.at);
    all
}

fn planted(case: u32) -> Planted {
    let mut dice = Dice::new(100, case);
    let nodes = dice.from_to(4, 12) as NodeId;
    let tree = match case % 3 {
        0 => Tree::chain(nodes),
        1 => Tree::star(nodes),
        _ => Tree::random(nodes, &mut dice),
    };
    let is_orchestra = case % 4 == 3;
    let length = dice.from_to(3, 19) as u16;
    let mut machine = machine(&tree, if is_orchestra { orchestra(tree.len(), [397, 17, 31]) } else { shared(length) });
    // Between two hops some hear each other and some do not.
    let disturbs = machine.disturbance.map(|from, to, link: Evidence| {
        link == Evidence::ALWAYS || from != to && tree.hops(from, to) == 2 && dice.unit() < 0.5
    });
    machine.disturbance = disturbs.map(|_, _, is: bool| if is { Evidence::ALWAYS } else { Evidence::NEVER });
    let (mean, strength) = (0.7 + 0.28 * dice.unit(), 10.0_f64.powf(1.0 + 1.5 * dice.unit()));
    let link = machine.reception.map(|_, _, link: Evidence| link == Evidence::ALWAYS);
    let reception = link.map(|_, _, is: bool| if is { reception(mean, strength, &mut dice) } else { 0.0 });
    machine.reception = reception.map(|_, _, p: f64| certain(p));
    machine.ends.iter_mut().for_each(|_| ());
    let attempts = dice.from_to(2, 8) as u8;
    let own = tsch(&mut machine);
    own.max_attempts = attempts;
    own.slotframes.iter_mut().for_each(|frame| frame.shift = dice.from_to(0, u32::from(frame.length) - 1) as u16);
    let millis = 1_200_000;
    machine.background = background(&tree, millis, &mut dice);
    let copies = traffic(&tree, dice.from_to(150, 900), millis, &mut dice);
    let mut simulation = Simulation::new(&machine, 1, case).with_log();
    run(&mut simulation, &copies);
    while simulation.advance(at(i64::from(millis) + 60_000)).is_some() {}
    let (log, counts) = (simulation.take_log(), simulation.statistics());
    Planted { tree, machine, reception, disturbs, log, counts }
}

/// Slot frames with the slots of their cells relative to the first frame of the log, so that two with the same cells are equal.
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
    let mut by = [[0; BINS]; 2];
    let mut spent = [std::time::Duration::ZERO; 2];
    let mut ranks = [0_u64; BINS];
    let (mut exact, mut attempts, mut judged) = (0, 0, [0, 0]);
    let mut frames = 0;
    for case in 0..NETWORKS {
        let t0 = std::time::Instant::now();
        let Planted { tree, machine, reception, disturbs, log, counts } = planted(case);
        frames += log.len();
        spent[0] += t0.elapsed();
        let t0 = std::time::Instant::now();
        let inferred = twin::infer_simulated(&machine, &log).unwrap_or_else(|why| panic!("{case}: {why}"));
        spent[1] += t0.elapsed();
        let (Mac::Tsch(truth), Mac::Tsch(found)) = (&machine.mac, &inferred.mac) else { unreachable!() };
        if cells(&machine, log[0].start) == cells(&inferred, log[0].start) {
            exact += 1;
        } else {
            eprintln!("{case}: {:?} {:?}", cells(&machine, log[0].start), cells(&inferred, log[0].start));
        }
        if truth.max_attempts == found.max_attempts {
            attempts += 1;
        } else {
            eprintln!("{case}: attempts {} {} exhausted {}", truth.max_attempts, found.max_attempts, counts.exhausted);
        }
        for (from, to, evidence) in inferred.reception.iter().filter(|(from, to, _)| tree.is_link(*from, *to)) {
            let rank = Beta::new(evidence.successes, evidence.failures).unwrap().cdf(reception.get(from, to));
            by[usize::from(case % 4 == 3)][((rank * BINS as f64) as usize).min(BINS - 1)] += 1;
            ranks[((rank * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
        for (from, to, evidence) in inferred.disturbance.iter().filter(|(from, to, e)| from != to && e.weight() > 20.0)
        {
            let is_right = (evidence.mean() > 0.5) == disturbs.get(from, to);
            judged = [judged[0] + usize::from(is_right), judged[1] + 1];
        }
    }
    let links: u64 = ranks.iter().sum();
    let expected = links as f64 / BINS as f64;
    let chi: f64 = ranks.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    let p = ChiSquared::new(BINS as f64 - 1.0).unwrap().sf(chi);
    eprintln!(
        "{frames} frames, {links} links: {ranks:?} p {p}; exact {exact}, attempts {attempts}, disturbance {judged:?}"
    );
}
