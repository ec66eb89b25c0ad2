//! Parameter files of the prototype, as machines.

use base::{Instant, Span};
use std::collections::BTreeMap;
use std::path::Path;
use twin::{
    Background, CellRule, Choice, Ends, Evidence, Limits, Mac, Machine, Matrix, NodeId, Routes, Shape, Slotframe,
    StackFinding, Tsch, Withdrawals,
};

/// The prototype hands on what is received in a cell before it looks at its clients, which in some files always start
/// 2.12 ms after the beginning of a cell. So frames are this much earlier here, and the longest (99 octets) end in
/// time.
const EARLY: Span = Span::from_millis(1);

/// Lines of a file, by their first word.
type Lines = BTreeMap<String, Vec<Vec<String>>>;

/// One parameter file. Nodes are numbered from 1 there, from 0 here; node 0 is the server.
pub struct Parameters {
    lines: Lines,
    nodes: NodeId,
    pub cell: Span,
    /// Start of the frames of the first cell.
    pub first_cell: Instant,
    pub cells: i64,
    pub max_attempts: u8,
    pub queued_requests: usize,
    /// First arrival of every client.
    pub first: Vec<(NodeId, Instant)>,
    pub gaps: Vec<Span>,
    /// Weights of the kinds of requests.
    pub kinds: Vec<f64>,
    /// Registrations of routes: sender and time. They are sent to the server and answered.
    pub registrations: Vec<(NodeId, Instant, u16)>,
}

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(word: &str) -> T {
    word.parse().unwrap()
}

fn node(word: &str) -> NodeId {
    number::<NodeId>(word) - 1
}

fn micros(word: &str) -> Instant {
    Instant::ZERO + Span::from_micros(number(word))
}

/// Octets without the frame check sequence.
fn octets(word: &str) -> u16 {
    number::<u16>(word) - 2
}

impl Parameters {
    pub fn read(path: &Path) -> Self {
        let mut lines = Lines::new();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let mut words = line.split_whitespace().map(str::to_owned);
            if let Some(name) = words.next() {
                lines.entry(name).or_default().push(words.collect());
            }
        }
        let one = |name: &str| lines[name][0][0].as_str();
        let list = |name: &str| lines.get(name).into_iter().flatten();
        let (cell, first_cell) = (Span::from_micros(number(one("cell_us"))), micros(one("cell0_us")) - EARLY);
        let mut all = Self {
            nodes: number(one("n")),
            cell,
            first_cell,
            cells: number(one("ncells")),
            max_attempts: number(one("maxtx")),
            queued_requests: number(one("appq")),
            first: list("first").map(|w| (node(&w[0]), micros(&w[1]))).collect(),
            gaps: list("gap").map(|w| Span::from_micros(number(&w[0]))).collect(),
            kinds: list("method").map(|w| number(&w[1])).collect(),
            registrations: Vec::new(),
            lines,
        };
        let registrations = all.list("bg").filter(|w| w[1] == "DAO");
        all.registrations = registrations.map(|w| (node(&w[2]), all.entry(&w[0]), octets(&w[3]))).collect();
        all
    }

    fn list(&self, name: &str) -> impl Iterator<Item = &Vec<String>> {
        self.lines.get(name).into_iter().flatten()
    }

    /// Just before the cell with a number.
    fn entry(&self, cell: &str) -> Instant {
        self.first_cell + self.cell.scale(number(cell), 1) - Span::from_micros(1)
    }

    fn parent(&self, of: NodeId) -> Option<NodeId> {
        self.list("parent").find(|w| node(&w[0]) == of).map(|w| node(&w[1]))
    }

    fn clients(&self) -> impl Iterator<Item = NodeId> {
        1..self.nodes
    }

    /// Association of a client; that of its registrations is as far again.
    pub fn association(&self, client: NodeId) -> u32 {
        u32::from(client) - 1
    }

    /// Shape of a request of a kind by a client.
    pub fn shape(&self, client: NodeId, kind: usize) -> u32 {
        (usize::from(client - 1) * self.kinds.len() + kind) as u32
    }

    /// Shape of a registration.
    pub fn registration_shape(&self, registration: usize) -> u32 {
        (usize::from(self.nodes - 1) * self.kinds.len() + registration) as u32
    }

    fn shapes(&self) -> Vec<Shape> {
        let side = |name: &str, kind: usize, client: NodeId, otherwise: u16| {
            let length = |at: NodeId| {
                let is_it = |w: &&Vec<String>| {
                    w[0] == name && number::<usize>(&w[1]) == kind && node(&w[2]) == client && node(&w[3]) == at
                };
                self.list("len").find(is_it).map_or(otherwise - 2, |w| octets(&w[4]))
            };
            (0..self.nodes).map(|at| (at, vec![length(at)])).collect()
        };
        let kinds = 0..self.kinds.len();
        let of = |client: NodeId| kinds.clone().map(move |kind| (client, kind));
        let requests = self.clients().flat_map(of).map(|(client, kind)| Shape {
            // Where a length was not seen the prototype takes these.
            request: side("C", kind, client, 90),
            answer: side("A", kind, client, 75),
        });
        let registrations = self
            .registrations
            .iter()
            .map(|&(_, _, octets)| Shape { request: vec![(0, vec![octets])], answer: vec![(0, vec![58])] });
        requests.chain(registrations).collect()
    }

    fn routes(&self) -> Routes {
        let mut seen = Vec::new();
        for client in self.clients() {
            let mut at = client;
            while let Some(parent) = self.parent(at) {
                seen.push((Instant::ZERO, at, 0, parent));
                seen.push((Instant::ZERO, parent, client, at));
                at = parent;
            }
        }
        Routes::new(seen)
    }

    fn background(&self) -> Vec<Background> {
        let others = self.list("bg").filter(|w| w[1] != "DAO");
        let of = |w: &Vec<String>| Background {
            at: self.entry(&w[0]),
            from: node(&w[2]),
            to: (w[1] == "KA").then(|| node(&w[4])),
            octets: octets(&w[3]),
            is_beacon: w[1] == "EB",
        };
        others.map(of).collect()
    }

    pub fn machine(&self) -> Machine {
        let nodes = usize::from(self.nodes);
        let mut reception = Matrix::new(nodes);
        for w in self.list("prr") {
            // The prototype draws from Beta(v m + 1/2, (1 - v) m + 1/2).
            let (share, weight): (f64, f64) = (number(&w[2]), number::<f64>(&w[3]).max(1.0));
            let evidence = Evidence { successes: share * weight + 0.5, failures: (1.0 - share) * weight + 0.5 };
            reception.set(node(&w[0]), node(&w[1]), evidence);
        }
        let mut disturbance = Matrix::new(nodes).map(|_, _, _: Evidence| Evidence::NEVER);
        for w in self.list("hears") {
            disturbance.set(node(&w[0]), node(&w[1]), Evidence::ALWAYS);
        }
        let (one, exponents) = (|name: &str| number(&self.lines[name][0][0]), &self.lines["be"][0]);
        let ends = self.clients().map(|client| Some(Ends { client, server: 0 }));
        Machine {
            nodes: (0..self.nodes).map(trace::MacAddr::Short).collect(),
            stack: StackFinding::unknown(),
            mac: Mac::Tsch(Tsch {
                slot: self.cell,
                origin: self.first_cell,
                slotframes: vec![Slotframe { length: 1, shift: 0, rule: CellRule::Shared, channels: vec![0] }],
                max_attempts: self.max_attempts,
                min_exponent: number(&exponents[0]),
                max_exponent: number(&exponents[1]),
                ack_delay: Span::from_micros(1_096),
                ack_airtime: Span::from_micros(544),
                parents: (0..self.nodes).map(|of| self.parent(of)).collect(),
                neighbours: Vec::new(),
            }),
            reception,
            disturbance,
            sensing: Matrix::new(nodes),
            routes: self.routes(),
            withdrawals: Withdrawals::default(),
            ends: ends.collect(),
            shapes: self.shapes(),
            shape_of: Vec::new(),
            background: self.background(),
            limits: Limits {
                packets: Choice::certain(one("qtot")),
                per_neighbour: Choice::certain(one("qnbr")),
                neighbours: Choice::certain(2),
                reassemblies: Choice::certain(2),
                reassembly_age: Span::from_millis(500),
            },
            processing: Span::ZERO,
            access: Span::ZERO,
            frames: 0,
            window: (self.first_cell, self.first_cell + self.cell.scale(self.cells, 1)),
            parameters: Vec::new(),
        }
    }
}
