//! Machines built by hand, and everything that becomes of what is sent through them.

#![allow(dead_code, reason = "every test takes a part")]

use base::{Instant, Span, philox, unit};
use trace::MacAddr;
use twin::{
    Acknowledger, CellRule, Choice, Copy, Csma, Ends, Evidence, Limits, Mac, Machine, Matrix, NodeId, Routes, Rules,
    Settled, Shape, Simulation, Slotframe, StackFinding, Tsch, Withdrawals,
};

/// Slot of all machines here.
pub const SLOT: Span = Span::from_millis(10);
/// Air time of an octet at 250 kbit/s (IEEE Std 802.15.4-2020, 12.2.2).
pub const OCTET: Span = Span::from_micros(32);

/// A moment.
pub fn at(millis: i64) -> Instant {
    Instant::ZERO + Span::from_millis(millis)
}

/// Random numbers of a test, in order.
pub struct Dice {
    key: [u32; 2],
    count: u32,
}

impl Dice {
    pub fn new(test: u32, case: u32) -> Self {
        Self { key: [test, case], count: 0 }
    }

    pub fn word(&mut self) -> u32 {
        self.count += 1;
        philox([self.count, 0, 0, 0], self.key)[0]
    }

    /// Uniform on [0, 1).
    pub fn unit(&mut self) -> f64 {
        unit(self.word())
    }

    /// A whole number from `from` to `to`, both included.
    pub fn between(&mut self, from: u32, to: u32) -> u32 {
        from + ((u64::from(self.word()) * u64::from(to - from + 1)) >> 32) as u32
    }
}

/// A tree of nodes: every node but the first, which is the server, has a parent with a lower number.
pub struct Tree {
    pub parents: Vec<Option<NodeId>>,
}

impl Tree {
    pub fn chain(nodes: NodeId) -> Self {
        Self { parents: (0..nodes).map(|node| node.checked_sub(1)).collect() }
    }

    pub fn star(nodes: NodeId) -> Self {
        Self { parents: (0..nodes).map(|node| (node > 0).then_some(0)).collect() }
    }

    pub fn random(nodes: NodeId, dice: &mut Dice) -> Self {
        let parent =
            |node: NodeId| (node > 0).then(|| dice.between(u32::from(node).saturating_sub(3), u32::from(node) - 1));
        Self { parents: (0..nodes).map(parent).map(|p| p.map(|p| p as NodeId)).collect() }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents.get(usize::from(node)).copied().flatten()
    }

    pub fn is_link(&self, a: NodeId, b: NodeId) -> bool {
        self.parent(a) == Some(b) || self.parent(b) == Some(a)
    }

    /// Nodes from `node` to the server, both included.
    pub fn way(&self, node: NodeId) -> Vec<NodeId> {
        std::iter::successors(Some(node), |&node| self.parent(node)).collect()
    }

    pub fn neighbours(&self, node: NodeId) -> Vec<NodeId> {
        (0..self.len() as NodeId).filter(|&other| self.is_link(node, other)).collect()
    }

    /// Hops between two nodes along the tree.
    pub fn hops(&self, a: NodeId, b: NodeId) -> usize {
        let (up, down) = (self.way(a), self.way(b));
        let common = up.iter().rev().zip(down.iter().rev()).take_while(|(x, y)| x == y).count();
        up.len() + down.len() - 2 * common
    }

    fn routes(&self) -> Routes {
        let mut seen = Vec::new();
        for client in 1..self.len() as NodeId {
            for hop in self.way(client).windows(2) {
                let &[from, to] = hop else { continue };
                seen.push((Instant::ZERO, from, 0, to));
                seen.push((Instant::ZERO, to, client, from));
            }
        }
        Routes::new(seen)
    }
}

/// One shared cell every `length` slots.
pub fn shared(length: u16) -> Vec<Slotframe> {
    vec![Slotframe { length, shift: 0, rule: CellRule::Shared, channels: vec![0] }]
}

/// The slotframes of Orchestra over nodes whose addresses end in their number plus one: beacons, unicast and common.
pub fn orchestra(nodes: usize, [beacons, unicast, common]: [u16; 3]) -> Vec<Slotframe> {
    let slots = |length: u16| (1..=nodes as u16).map(|last| last % length).collect::<Vec<_>>();
    let frame = |length, rule, channels| Slotframe { length, shift: 0, rule, channels };
    let channels = (1..=nodes as u8).map(|last| 2 + last % 2).collect();
    vec![
        frame(beacons, CellRule::PerSender { slots: slots(beacons) }, vec![1]),
        frame(unicast, CellRule::PerReceiver { slots: slots(unicast) }, channels),
        frame(common, CellRule::Common, vec![0]),
    ]
}

/// The machine of a tree without any loss, in which linked nodes hear each other. Every node but the first is the
/// client of association `node - 1`. Shape 0: one frame of 100 octets and one of 80; shape 1: a request without an
/// answer.
pub fn machine(tree: &Tree, slotframes: Vec<Slotframe>) -> Machine {
    let nodes = tree.len();
    let link = |from, to, _: Evidence| if tree.is_link(from, to) { Evidence::ALWAYS } else { Evidence::NEVER };
    let shape = |answer: &[u16]| Shape { request: vec![(0, vec![100])], answer: vec![(0, answer.to_vec())] };
    Machine {
        nodes: (1..=nodes as u64).map(address).collect(),
        mac: Mac::Tsch(Tsch {
            slot: SLOT,
            origin: Instant::ZERO,
            slotframes,
            max_attempts: 8,
            min_exponent: 1,
            max_exponent: 5,
            ack_delay: Span::from_micros(1_000),
            ack_airtime: Span::from_micros(544),
            parents: tree.parents.clone(),
            neighbours: (0..nodes as NodeId).map(|node| tree.neighbours(node)).collect(),
        }),
        stack: StackFinding::unknown(),
        reception: Matrix::new(nodes).map(link),
        disturbance: Matrix::new(nodes).map(link),
        sensing: Matrix::new(nodes),
        routes: tree.routes(),
        withdrawals: Withdrawals::default(),
        ends: (1..nodes as NodeId).map(|client| Some(Ends { client, server: 0 })).collect(),
        shapes: vec![shape(&[80]), shape(&[])],
        shape_of: Vec::new(),
        background: Vec::new(),
        limits: Limits {
            packets: Choice::certain(16),
            per_neighbour: Choice::certain(u32::MAX),
            neighbours: Choice::certain(2),
            reassemblies: Choice::certain(2),
            reassembly_age: Span::from_millis(500),
        },
        processing: Span::ZERO,
        access: Span::ZERO,
        frames: 0,
        window: (Instant::ZERO, at(3_600_000)),
        parameters: Vec::new(),
    }
}

/// The same machine under CSMA/CA of Contiki-NG on Cooja motes (`twin/src/inference/csma.rs` has the sources), where
/// linked nodes sense each other, too.
pub fn contended(tree: &Tree, acknowledger: Acknowledger) -> Machine {
    let csma = Csma {
        unit: Span::from_millis(6),
        tick: Span::from_millis(1),
        origin: Instant::ZERO,
        min_exponent: 3,
        max_exponent: 5,
        max_backoffs: 5,
        max_attempts: 8,
        turnaround: Span::from_millis(2),
        ack_wait: Span::from_millis(2),
        ack_delay: Span::from_millis(1),
        ack_airtime: Span::from_micros(96),
        acknowledger,
        rules: Rules::CONTIKI_NG,
    };
    let machine = machine(tree, Vec::new());
    let limits = Limits { neighbours: Choice::certain(8), ..machine.limits };
    Machine { mac: Mac::Csma(csma), sensing: machine.reception.clone(), limits, ..machine }
}

/// The CSMA/CA part of a machine, to be changed.
pub fn csma(machine: &mut Machine) -> &mut Csma {
    match &mut machine.mac {
        Mac::Csma(csma) => csma,
        Mac::Tsch(_) => unreachable!("this machine is of CSMA/CA"),
    }
}

/// An address whose last octet is `number`.
fn address(number: u64) -> MacAddr {
    MacAddr::Extended((0x0212_7400_0000_0000 + number).to_be_bytes())
}

/// The TSCH part of a machine, to be changed.
pub fn tsch(machine: &mut Machine) -> &mut Tsch {
    match &mut machine.mac {
        Mac::Tsch(tsch) => tsch,
        Mac::Csma(_) => unreachable!("this machine is of TSCH"),
    }
}

/// Sets a probability between two nodes without any doubt.
pub fn certain(p: f64) -> Evidence {
    // The quantiles of a beta distribution with this weight differ from its mean in the third digit at most.
    if p >= 1.0 {
        Evidence::ALWAYS
    } else if p <= 0.0 {
        Evidence::NEVER
    } else {
        Evidence { successes: p * 1e6, failures: (1.0 - p) * 1e6 }
    }
}

/// Sends `copies`, in order of time, and returns the fates of all in the order in which they are settled.
pub fn run(simulation: &mut Simulation<'_>, copies: &[(Instant, Copy)]) -> Vec<Settled> {
    let mut fates = Vec::new();
    for &(at, copy) in copies {
        fates.extend(std::iter::from_fn(|| simulation.advance(at)));
        simulation.send(at, copy);
    }
    fates.extend(std::iter::from_fn(|| simulation.advance(Instant::MAX)));
    fates
}

/// `count` copies of random clients at random times within `millis`, in order.
pub fn traffic(tree: &Tree, count: u32, millis: u32, dice: &mut Dice) -> Vec<(Instant, Copy)> {
    let mut times: Vec<u32> = (0..count).map(|_| dice.between(0, millis)).collect();
    times.sort_unstable();
    let clients = tree.len() as u32 - 1;
    let copy = |(key, time): (u64, u32), dice: &mut Dice| {
        (at(i64::from(time)), Copy { association: dice.between(0, clients - 1), shape: 0, request: 0, key })
    };
    (0..).zip(times).map(|next| copy(next, dice)).collect()
}
