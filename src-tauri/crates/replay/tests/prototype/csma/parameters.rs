//! Parameter files of the CSMA prototype as machines.

use base::{Instant, Span};
use std::collections::BTreeMap;
use std::path::Path;
use twin::{
    Acknowledger, Background, Choice, Csma, Ends, Evidence, Limits, Mac, Machine, Matrix, NodeId, Routes, Rules, Shape,
    StackFinding, Withdrawals,
};

/// The prototype takes routes from this long before they are seen.
const AHEAD: Span = Span::from_millis(500);

/// Lines of a file, by their first word.
type Lines = BTreeMap<String, Vec<Vec<f64>>>;

/// One parameter file. Nodes are numbered from 1 there, from 0 here.
pub struct Parameters {
    lines: Lines,
    nodes: NodeId,
    sink: NodeId,
    pub until: Instant,
    pub is_back_to_back: bool,
    pub waiting_requests: usize,
    pub max_attempts: u8,
    /// Ready times and shapes of the requests of every client.
    pub requests: BTreeMap<NodeId, Vec<(Instant, u32)>>,
}

fn micros(value: f64) -> Instant {
    Instant::ZERO + Span::from_micros(value.max(0.0) as i64)
}

fn node(value: f64) -> NodeId {
    value as NodeId - 1
}

/// Octets without the frame check sequence.
fn octets(values: &[f64]) -> Vec<u16> {
    values.iter().map(|&length| length as u16 - 2).collect()
}

/// Evidence that leaves nothing to draw.
fn certain(p: f64) -> Evidence {
    if p <= 0.0 {
        Evidence::NEVER
    } else if p >= 1.0 {
        Evidence::ALWAYS
    } else {
        Evidence { successes: p * 1e6, failures: (1.0 - p) * 1e6 }
    }
}

impl Parameters {
    pub fn read(path: &Path) -> Self {
        let mut lines = Lines::new();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let mut words = line.split_whitespace();
            if let Some(name) = words.next() {
                lines.entry(name.to_owned()).or_default().push(words.map(|word| word.parse().unwrap()).collect());
            }
        }
        let own = lines["N"][0].clone();
        let mut requests: BTreeMap<NodeId, Vec<(Instant, u32)>> = BTreeMap::new();
        for line in &lines["X"] {
            requests.entry(node(line[0])).or_default().push((micros(line[1]), line[2] as u32));
        }
        Self {
            nodes: own[0] as NodeId,
            sink: node(own[1]),
            until: micros(own[2]),
            is_back_to_back: own[3] > 0.0,
            max_attempts: own[4] as u8,
            waiting_requests: own[9] as usize,
            requests,
            lines,
        }
    }

    fn list(&self, name: &str) -> &[Vec<f64>] {
        self.lines.get(name).map_or(&[], Vec::as_slice)
    }

    /// Probability that a node (column) senses another (row).
    fn sensing(&self) -> Matrix<f64> {
        let mut all = Matrix::new(usize::from(self.nodes));
        self.list("S").iter().for_each(|line| all.set(node(line[0]), node(line[1]), line[2]));
        all
    }

    /// Receptions of all links together.
    fn mean_reception(&self) -> f64 {
        let (mut received, mut lost) = (0.0, 0.0);
        for line in self.list("P") {
            received += line[2] + line[4];
            lost += line[3] + line[5];
        }
        received / (received + lost)
    }

    fn reception(&self, sensing: &Matrix<f64>) -> Matrix<f64> {
        let mean = self.mean_reception();
        let mut seen: Matrix<[f64; 4]> = Matrix::new(usize::from(self.nodes));
        for line in self.list("P") {
            seen.set(node(line[0]), node(line[1]), [line[2], line[3], line[4], line[5]]);
        }
        seen.map(|from, to, [data, lost, acks, missed]: [f64; 4]| {
            if from == to || data + lost + acks + missed == 0.0 && sensing.get(from, to) == 0.0 {
                return 0.0;
            }
            // Acknowledgements count where data frames are few; two pseudo-observations of the common mean.
            let share = if data + lost >= 30.0 { 0.0 } else { 1.0 };
            let (good, bad) = (data + share * acks + 2.0 * mean, lost + share * missed + 2.0 * (1.0 - mean));
            good / (good + bad)
        })
    }

    /// Probability that a frame of a node (row) spoils another at a node (column).
    fn disturbance(&self, sensing: &Matrix<f64>, reception: &Matrix<f64>) -> Matrix<f64> {
        let mean = self.mean_reception();
        let class = |received: f64, lost: f64| 1.0 - ((received + 0.2) / ((received + lost + 1.0) * mean)).min(1.0);
        let classes = &self.list("KC")[0];
        let (near, far) = (class(classes[0], classes[1]), class(classes[2], classes[3]));
        sensing.map(|from, to, sensed: f64| {
            let same = if sensed >= 0.5 { near } else { far };
            let otherwise = if sensed > 0.9 { 1.0 } else { same };
            let (mut received, mut expected) = (0.0, 0.0);
            for line in self.list("K").iter().filter(|line| node(line[2]) == from && node(line[1]) == to) {
                received += line[3];
                expected += (line[3] + line[4]) * reception.get(node(line[0]), to);
            }
            let own = if expected > 0.0 { 1.0 - received / expected } else { otherwise };
            (own.clamp(0.0, 1.0) * expected + otherwise * 6.0) / (expected + 6.0)
        })
    }

    fn routes(&self) -> Routes {
        let mut seen = Vec::new();
        for line in self.list("U") {
            seen.push((micros(line[1]) - AHEAD, node(line[0]), self.sink, node(line[2])));
        }
        for line in self.list("D") {
            seen.push((micros(line[2]) - AHEAD, node(line[0]), node(line[1]), node(line[3])));
        }
        // Where nothing is recorded the destination is taken to be the neighbour.
        for from in 0..self.nodes {
            for to in (0..self.nodes).filter(|&to| to != from) {
                if !seen.iter().any(|&(_, at, destination, _)| (at, destination) == (from, to)) {
                    seen.push((Instant::ZERO, from, to, to));
                }
            }
        }
        Routes::new(seen)
    }

    fn shapes(&self) -> Vec<Shape> {
        let shape = |line: &Vec<f64>| {
            let (client, count) = (node(line[1]), line[2] as usize);
            let (request, answer) = (octets(&line[3..3 + count]), octets(&line[4 + count..]));
            let at = |is_request: bool| {
                let own = self.list("L").iter().filter(move |l| l[0] == line[0] && (l[2] > 0.0) == is_request);
                own.map(|l| (node(l[1]), octets(&l[4..])))
            };
            let mut shape = Shape { request: at(true).collect(), answer: at(false).collect() };
            // The first one stands for nodes that were not seen to send it.
            for (list, from, lengths) in [(&mut shape.request, client, request), (&mut shape.answer, self.sink, answer)]
            {
                let own = list.iter().position(|(at, _)| *at == from).map(|at| list.remove(at));
                list.insert(0, (from, own.map_or(lengths.clone(), |(_, lengths)| lengths)));
                // Every node has its lengths, so that those of the origin stand for nobody else.
                for node in 0..self.nodes {
                    if !list.iter().any(|(at, _)| *at == node) {
                        list.push((node, lengths.clone()));
                    }
                }
            }
            shape
        };
        self.list("T").iter().map(shape).collect()
    }

    pub fn machine(&self) -> Machine {
        let sensing = self.sensing();
        let reception = self.reception(&sensing);
        let disturbance = self.disturbance(&sensing, &reception);
        let own = &self.list("N")[0];
        let background = |line: &Vec<f64>| Background {
            at: micros(line[0]),
            from: node(line[1]),
            to: (line[2] > 0.0).then(|| node(line[2])),
            octets: line[3] as u16 - 2,
            is_beacon: false,
        };
        let mut background: Vec<Background> = self.list("B").iter().map(background).collect();
        background.sort_by_key(|packet| packet.at);
        let ends = (0..self.nodes).map(|client| (client != self.sink).then_some(Ends { client, server: self.sink }));
        Machine {
            nodes: (0..self.nodes).map(trace::MacAddr::Short).collect(),
            mac: Mac::Csma(Csma {
                unit: Span::from_millis(6),
                tick: Span::from_millis(1),
                origin: Instant::ZERO,
                min_exponent: 3,
                max_exponent: 5,
                max_backoffs: 5,
                max_attempts: self.max_attempts,
                turnaround: Span::from_millis(2),
                ack_wait: Span::from_millis(2),
                ack_delay: Span::from_millis(1),
                ack_airtime: Span::from_micros(96),
                acknowledger: Acknowledger::Processor,
                rules: Rules::CONTIKI_NG,
            }),
            stack: StackFinding::unknown(),
            reception: reception.map(|_, _, p: f64| certain(p)),
            disturbance: disturbance.map(|_, _, p: f64| certain(p)),
            sensing: sensing.map(|_, _, p: f64| certain(p)),
            routes: self.routes(),
            withdrawals: Withdrawals::default(),
            ends: ends.collect(),
            shapes: self.shapes(),
            shape_of: Vec::new(),
            background,
            limits: Limits {
                packets: Choice::certain(own[6] as u32),
                per_neighbour: Choice::certain(u32::MAX),
                neighbours: Choice::certain(own[5] as u32),
                reassemblies: Choice::certain(own[7] as u32),
                reassembly_age: Span::from_millis(own[8] as i64),
            },
            processing: Span::ZERO,
            access: Span::ZERO,
            frames: 0,
            window: (Instant::ZERO, self.until),
            parameters: Vec::new(),
        }
    }
}
