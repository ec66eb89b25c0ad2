//! Parameter files of the CSMA prototype as machines, and its clients.

use base::{Instant, Span, philox};
use rto::exchange::{ClientExchange, Expiry, SenderRules};
use rto::{Dither, Estimator};
use serde_json::json;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use twin::{
    Acknowledger, Background, Choice, Copy, Csma, Ending, Ends, Evidence, Limits, Mac, Machine, Matrix, Mechanism,
    NodeId, Routes, Rules, Settled, Shape, Simulation, StackFinding, Withdrawals,
};

/// Measures of a replicate: mean, median and 95 % quantile of durations, retransmissions per exchange, frames.
pub type Row = [f64; 5];

/// A request that waited, or comes back to back, begins this long after the end before it.
const NEXT: Span = Span::from_millis(2);
/// The prototype takes routes from this long before they are seen.
const AHEAD: Span = Span::from_millis(500);

/// Lines of a file, by their first word.
type Lines = BTreeMap<String, Vec<Vec<f64>>>;

/// One parameter file. Nodes are numbered from 1 there, from 0 here.
pub struct Parameters {
    lines: Lines,
    nodes: NodeId,
    sink: NodeId,
    until: Instant,
    is_back_to_back: bool,
    waiting_requests: usize,
    pub max_attempts: u8,
    /// Ready times and shapes of the requests of every client.
    requests: BTreeMap<NodeId, Vec<(Instant, u32)>>,
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

struct Client {
    node: NodeId,
    estimator: Box<dyn Estimator>,
    exchange: ClientExchange,
    /// Requests that are still to come.
    coming: VecDeque<(Instant, u32)>,
    waiting: VecDeque<u32>,
    /// Begins the next one then.
    next: Instant,
    open: Option<usize>,
    begun: usize,
}

struct Exchange {
    client: usize,
    start: Instant,
    shape: u32,
    copies: u32,
    took: Option<Span>,
}

/// All clients of one replicate.
pub struct Clients<'p> {
    parameters: &'p Parameters,
    replicate: u32,
    words: u32,
    clients: Vec<Client>,
    exchanges: Vec<Exchange>,
    copies: Vec<usize>,
}

/// The preset and its parameters that a timer of the prototype has.
fn estimator(timer: &str) -> (Box<dyn Estimator>, SenderRules) {
    let (id, parameters) = match timer {
        "default" => ("coap_default", json!({})),
        "cocoa" => ("cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 })),
        other => panic!("{other}"),
    };
    (rto::build(id, &parameters).unwrap(), SenderRules::of(rto::spec(id).unwrap()))
}

impl<'p> Clients<'p> {
    pub fn new(parameters: &'p Parameters, timer: &str, replicate: u32) -> Self {
        let client = |(&node, requests): (&NodeId, &Vec<(Instant, u32)>)| {
            let (estimator, rules) = estimator(timer);
            let coming: VecDeque<(Instant, u32)> = requests.iter().copied().collect();
            let exchange = ClientExchange::new(rules);
            let next = if parameters.is_back_to_back { coming[0].0 } else { Instant::MAX };
            Client { node, estimator, exchange, coming, waiting: VecDeque::new(), next, open: None, begun: 0 }
        };
        let clients = parameters.requests.iter().map(client).collect();
        Self { parameters, replicate, words: 0, clients, exchanges: Vec::new(), copies: Vec::new() }
    }

    fn word(&mut self) -> u32 {
        self.words += 1;
        philox([self.words, 0, 0, 0], [self.replicate, 78])[0]
    }

    /// Simulates the whole time.
    pub fn run(mut self, machine: &Machine, without: &[Mechanism]) -> Row {
        let mut simulation = Simulation::new(machine, 9, self.replicate).without(without);
        let is_driven = self.parameters.is_back_to_back;
        loop {
            let ready = |client: &Client| match client.coming.front() {
                Some(&(at, _)) if !is_driven => at,
                _ => Instant::MAX,
            };
            let due = |client: &Client| {
                let expiry = client.open.map_or(Instant::MAX, |_| client.exchange.deadline());
                ready(client).min(expiry).min(client.next)
            };
            let (at, who) = (0..self.clients.len()).map(|who| (due(&self.clients[who]), who)).min().unwrap();
            if let Some(settled) = simulation.advance(at.min(self.parameters.until)) {
                self.settled(settled);
                continue;
            }
            if at > self.parameters.until {
                break;
            }
            let client = &mut self.clients[who];
            if client.next == at {
                client.next = Instant::MAX;
                let shape = if is_driven {
                    let all = &self.parameters.requests[&client.node];
                    Some(all[client.begun % all.len()].1)
                } else {
                    client.waiting.pop_front()
                };
                if let Some(shape) = shape.filter(|_| self.clients[who].open.is_none()) {
                    self.begin(at, who, shape, &mut simulation);
                }
            } else if ready(client) == at {
                let (_, shape) = client.coming.pop_front().unwrap();
                if client.open.is_none() && client.waiting.is_empty() {
                    self.begin(at, who, shape, &mut simulation);
                } else if client.waiting.len() < self.parameters.waiting_requests {
                    client.waiting.push_back(shape);
                }
            } else {
                match client.exchange.expired(at, &mut *client.estimator) {
                    Expiry::Retransmit => self.transmit(at, who, &mut simulation),
                    Expiry::GaveUp => self.finish(at, who),
                }
            }
        }
        self.row(simulation.statistics().frames)
    }

    fn begin(&mut self, now: Instant, who: usize, shape: u32, simulation: &mut Simulation<'_>) {
        self.exchanges.push(Exchange { client: who, start: now, shape, copies: 0, took: None });
        let client = &mut self.clients[who];
        client.begun += 1;
        client.open = Some(self.exchanges.len() - 1);
        client.exchange.restart(0);
        self.transmit(now, who, simulation);
    }

    fn transmit(&mut self, now: Instant, who: usize, simulation: &mut Simulation<'_>) {
        let dither = Dither(self.word());
        let client = &mut self.clients[who];
        client.exchange.transmit(now, &mut *client.estimator, dither);
        let number = client.open.unwrap();
        let exchange = &mut self.exchanges[number];
        exchange.copies += 1;
        let copy = Copy {
            association: u32::from(client.node),
            shape: exchange.shape,
            request: number as u32,
            key: self.copies.len() as u64,
        };
        self.copies.push(number);
        simulation.send(now, copy);
    }

    fn settled(&mut self, settled: Settled) {
        let number = self.copies[usize::try_from(settled.key).unwrap()];
        let who = self.exchanges[number].client;
        let client = &mut self.clients[who];
        if settled.ending == Ending::Answered && client.open == Some(number) {
            let _ = client.exchange.answered(settled.at, None, &mut *client.estimator);
            self.exchanges[number].took = Some(settled.at - self.exchanges[number].start);
            self.finish(settled.at, who);
        }
    }

    fn finish(&mut self, now: Instant, who: usize) {
        let client = &mut self.clients[who];
        client.open = None;
        client.next = now + NEXT;
    }

    fn row(&self, frames: u64) -> Row {
        let mut took: Vec<f64> = self.exchanges.iter().filter_map(|exchange| Some(exchange.took?.secs_f64())).collect();
        took.sort_by(f64::total_cmp);
        let quantile = |p| replay::stats::quantile_sorted(&took, p).unwrap();
        let copies: u32 = self.exchanges.iter().map(|exchange| exchange.copies).sum();
        let count = self.exchanges.len() as f64;
        let mean = took.iter().sum::<f64>() / took.len() as f64;
        [mean, quantile(0.5), quantile(0.95), (f64::from(copies) - count) / count, frames as f64]
    }
}
