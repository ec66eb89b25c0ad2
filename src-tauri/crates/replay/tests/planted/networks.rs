//! Networks unlike those whose captures are at hand: chains, grids and trees on a plane, with links as bad as one loss
//! in two, under both MACs and several schedules, at loads from idle to storms that end in failures.

use super::build::{self, Dice, Tree, at, certain, contended, csma, machine, orchestra, shared};
use super::clients::Arrivals;
use base::{Instant, Span};
use statrs::distribution::{Beta, ContinuousCDF};
use twin::{Acknowledger, Background, Choice, Ends, Evidence, Machine, Matrix, NodeId, Routes, Shape};

/// A network, its clients, and for how long it is captured.
pub struct World {
    pub name: String,
    /// The simplest name of its kind.
    pub kind: &'static str,
    /// One shared cell comes so seldom that an exchange takes tens of seconds.
    pub is_slow: bool,
    pub machine: Machine,
    /// Arrivals by association.
    pub arrivals: Vec<Arrivals>,
    pub until: Instant,
}

/// MAC and schedule.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Access {
    Contention,
    Shared(u16),
    Orchestra(u16),
}

/// Slots of a shared cell's slotframe from which on a schedule is slow. Chosen here: 17 slots are those of Orchestra's
/// unicast cells.
const SLOW: u16 = 17;

/// Kinds of worlds: name, access, arrangement of the nodes.
const KINDS: [(&str, bool, bool, Layout); 7] = [
    ("csma chain", false, false, Layout::Chain),
    ("csma grid", false, false, Layout::Grid),
    ("csma tree", false, false, Layout::Scattered),
    ("tsch chain", true, false, Layout::Chain),
    ("tsch grid", true, false, Layout::Grid),
    ("tsch tree", true, false, Layout::Scattered),
    ("orchestra", true, true, Layout::Scattered),
];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Layout {
    Chain,
    Grid,
    Scattered,
}

/// Places of nodes, in hops.
fn places(layout: Layout, most: u32, dice: &mut Dice) -> Vec<(f64, f64)> {
    match layout {
        Layout::Chain => (0..dice.between(3, 8)).map(|x| (f64::from(x), 0.0)).collect(),
        Layout::Grid => {
            let side = dice.between(3, most);
            (0..side * side).map(|i| (f64::from(i % side), f64::from(i / side))).collect()
        }
        Layout::Scattered => {
            let mut all = vec![(0.0, 0.0)];
            let count = dice.between(5, most * most) as usize;
            while all.len() < count {
                // Within reach of one of the latest, so that trees are deep.
                let from = all[dice.between((all.len() as u32).saturating_sub(6), all.len() as u32 - 1) as usize];
                let (angle, length) = (dice.unit() * std::f64::consts::TAU, 0.6 + 0.4 * dice.unit());
                all.push((from.0 + length * angle.cos(), from.1 + length * angle.sin()));
            }
            all
        }
    }
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Fewest hops to the first node, over nodes that are in range.
fn tree(places: &[(f64, f64)], range: f64, dice: &mut Dice) -> (Vec<(f64, f64)>, Tree) {
    // Numbered in the order in which a flood from the root reaches them, so that parents come before their children.
    let mut order = vec![(0_usize, None)];
    let mut left: Vec<usize> = (1..places.len()).collect();
    let mut reached = 0;
    while reached < order.len() {
        let level: Vec<usize> = (reached..order.len()).collect();
        reached = order.len();
        left.retain(|&node| {
            let near = |&&parent: &&usize| distance(places[order[parent].0], places[node]) <= range;
            let parents: Vec<usize> = level.iter().filter(near).copied().collect();
            let Some(last) = parents.len().checked_sub(1) else { return true };
            order.push((node, Some(parents[dice.between(0, last as u32) as usize] as NodeId)));
            false
        });
    }
    (order.iter().map(|&(node, _)| places[node]).collect(), Tree { parents: order.into_iter().map(|o| o.1).collect() })
}

/// A world for every number; the same number always gives the same one.
pub fn world(case: u32) -> World {
    let mut dice = Dice::new(210, case);
    let (kind, is_tsch, is_orchestra, layout) = KINDS[case as usize % KINDS.len()];
    let layout = if is_orchestra { [Layout::Chain, Layout::Grid, layout][dice.between(0, 2) as usize] } else { layout };
    let access = match (is_tsch, is_orchestra) {
        (false, _) => Access::Contention,
        (true, false) => Access::Shared([3, 7, 11, 17, 31, 101][dice.between(0, 5) as usize]),
        (true, true) => Access::Orchestra([7, 11, 17, 23][dice.between(0, 3) as usize]),
    };
    let range = if layout == Layout::Grid && dice.unit() < 0.4 { 1.5 } else { 1.05 };
    let (places, tree) = tree(&places(layout, if is_tsch { 4 } else { 6 }, &mut dice), range, &mut dice);
    let mean = 0.5 + 0.48 * dice.unit();
    let mut machine = planted(access, (&places, range, &tree), mean, &mut dice);
    let load = [0.05, 0.1, 0.2, 0.5][dice.between(0, 3) as usize];
    let twice = case % 9 == 4;
    // Whether all requests go to the root, or, in every third network without slots, to the node that is farthest from
    // it.
    let server = if access == Access::Contention && case % 3 == 2 { tree.len() as NodeId - 1 } else { 0 };
    let clients: Vec<NodeId> = (0..tree.len() as NodeId).filter(|&node| node != server).collect();
    let clients: Vec<NodeId> = if twice { [clients.clone(), clients].concat() } else { clients };
    machine.ends = clients.iter().map(|&client| Some(Ends { client, server })).collect();
    machine.routes = routes(&tree, clients.iter().map(|&client| (client, server)));
    let hops = clients.iter().map(|&client| tree.hops(client, server) as f64).sum::<f64>() / clients.len() as f64;
    // Time of the medium for one exchange, retries included.
    let cell = |slots: u16| build::SLOT.secs_f64() * f64::from(slots) / 0.37;
    let each = match access {
        Access::Contention => 0.015 * hops * 2.0,
        Access::Shared(slots) => cell(slots) * hops * 2.0,
        Access::Orchestra(slots) => cell(slots),
    };
    let gap = (each * clients.len() as f64 / (mean * mean) / load).clamp(2.0, 2_000.0);
    let requests = (600.0 / clients.len() as f64).clamp(12.0, 80.0);
    let until = Instant::ZERO + Span::from_secs_f64(gap * requests).unwrap();
    let stops = case % 5 == 3;
    let arrivals = (0..clients.len()).map(|who| Arrivals {
        gap: Span::from_secs_f64(gap).unwrap(),
        window: (
            at(0),
            if stops && who % 2 == 0 { Instant::ZERO + (until - Instant::ZERO).scale(1, 2) } else { until },
        ),
    });
    machine.window = (at(0), until);
    machine.background = background(&tree, access, until, &mut dice);
    let arrivals = arrivals.collect();
    let name = format!(
        "{case}: {kind}, {access:?}, {} nodes, {} clients of {server}, {hops:.1} hops, reception {mean:.2}, load {load}, {gap:.0} s",
        tree.len(),
        clients.len(),
    );
    World { name, kind, is_slow: matches!(access, Access::Shared(slots) if slots > SLOW), machine, arrivals, until }
}

fn planted(access: Access, (places, range, tree): (&[(f64, f64)], f64, &Tree), mean: f64, dice: &mut Dice) -> Machine {
    let mut own = match access {
        Access::Contention => {
            let acknowledger = if dice.unit() < 0.25 { Acknowledger::Radio } else { Acknowledger::Processor };
            let mut own = contended(tree, acknowledger);
            if acknowledger == Acknowledger::Radio {
                csma(&mut own).ack_delay = Span::from_micros(192);
            }
            csma(&mut own).max_attempts = [4, 8][dice.between(0, 1) as usize];
            own.limits.neighbours = Choice::certain([2, 4, 8][dice.between(0, 2) as usize]);
            own
        }
        Access::Shared(length) => machine(tree, shared(length)),
        Access::Orchestra(length) => machine(tree, orchestra(tree.len(), [397, length, 31])),
    };
    own.limits.packets = Choice::certain([8, 16, 64][dice.between(0, 2) as usize]);
    let nodes = places.len();
    let apart = |from: NodeId, to: NodeId| distance(places[usize::from(from)], places[usize::from(to)]);
    let reach = range * (1.2 + 0.8 * dice.unit());
    let is_heard = |from: NodeId, to: NodeId| from != to && apart(from, to) <= reach;
    let heard = |from, to, _: Evidence| if is_heard(from, to) { Evidence::ALWAYS } else { Evidence::NEVER };
    own.disturbance = Matrix::new(nodes).map(heard);
    if access == Access::Contention {
        own.sensing = own.disturbance.clone();
    }
    let mut received = Matrix::new(nodes);
    for from in 0..nodes as NodeId {
        for to in (0..nodes as NodeId).filter(|&to| to != from && apart(from, to) <= range) {
            let beta = Beta::new(mean * 40.0, (1.0 - mean) * 40.0).unwrap();
            received.set(from, to, certain(beta.inverse_cdf(dice.unit())));
        }
    }
    own.reception = received;
    if dice.unit() < 0.25 {
        // A request in two fragments: 96 octets of its datagram in the first one.
        own.shapes[0] = Shape { request: vec![(0, vec![122, 70])], answer: vec![(0, vec![80])] };
    }
    own
}

/// Next hops over the tree between clients and servers, both ways.
pub fn routes(tree: &Tree, ends: impl IntoIterator<Item = (NodeId, NodeId)>) -> Routes {
    let mut seen = Vec::new();
    for (client, server) in ends {
        for (from, to) in [(client, server), (server, client)] {
            let (up, down) = (tree.way(from), tree.way(to));
            let meets = up.iter().position(|node| down.contains(node)).unwrap();
            let after = down.iter().position(|&node| node == up[meets]).unwrap();
            let way: Vec<NodeId> = up[..=meets].iter().chain(down[..after].iter().rev()).copied().collect();
            seen.extend(way.windows(2).map(|hop| (Instant::ZERO, hop[0], to, hop[1])));
        }
    }
    Routes::new(seen)
}

/// Broadcasts of every node, and its beacons where there are slots.
fn background(tree: &Tree, access: Access, until: Instant, dice: &mut Dice) -> Vec<Background> {
    let mut all = Vec::new();
    // In a slow schedule they take a twentieth of the cells each at most, as operators set them.
    let slowest = match access {
        Access::Shared(slots) => build::SLOT.millis() as u32 * u32::from(slots) * 20 * tree.len() as u32,
        Access::Contention | Access::Orchestra(_) => 0,
    };
    let is_tsch = access != Access::Contention;
    for from in 0..tree.len() as NodeId {
        for is_beacon in [false, true].into_iter().filter(|beacon| is_tsch || !beacon) {
            // Trickle at its longest interval; EB_PERIOD of Contiki-NG is 16 s.
            let (octets, usual) = if is_beacon { (50, 16_000) } else { (97, 60_000) };
            let gap = slowest.max(usual);
            let mut time = at(i64::from(dice.between(0, gap)));
            while time < until {
                all.push(Background { at: time, from, to: None, octets, is_beacon });
                time += Span::from_millis(i64::from(dice.between(gap / 2, gap * 3 / 2)));
            }
        }
    }
    all.sort_by_key(|packet| packet.at);
    all
}
