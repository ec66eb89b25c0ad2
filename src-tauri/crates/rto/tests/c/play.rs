//! One timer twice: as estimator and as C program, through the same events.

use crate::toolchain::{Folder, Gcc};
use base::{Instant, Span};
use rto::apply::{ApplyError, CProgram, ChosenTimer, coap_stacks};
use rto::{AlgorithmSpec, Dither, Estimator, Flight};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Exchanges open at once in a script.
pub const SLOTS: usize = 8;

/// A timer and its program.
pub struct Timer {
    spec: AlgorithmSpec,
    params: Map<String, Value>,
    pub program: CProgram,
}

impl std::fmt::Debug for Timer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.spec.id, self.params)
    }
}

impl Timer {
    pub fn new(id: &str, params: Map<String, Value>, stack: &str) -> Result<Self, ApplyError> {
        Self::of(rto::spec(id).unwrap(), params, stack)
    }

    pub fn of(spec: &AlgorithmSpec, params: Map<String, Value>, stack: &str) -> Result<Self, ApplyError> {
        let stack = coap_stacks().iter().find(|known| known.id == stack).unwrap();
        let chosen = ChosenTimer { algorithm: spec, params: &params, max_retransmit: 4, nstart: 1 };
        let program = stack.program(&chosen)?;
        Ok(Self { spec: spec.clone(), params, program })
    }

    /// Begins a script in ticks of 1/`ticks` s.
    pub fn play(&self, ticks: u32) -> Played<'_> {
        let estimator = self.estimator();
        Played {
            timer: self,
            ticks,
            estimator,
            open: Default::default(),
            now: 0,
            script: String::new(),
            expected: Vec::new(),
            worst: 0.0,
        }
    }

    fn estimator(&self) -> Box<dyn Estimator> {
        rto::build(self.spec.id, &Value::Object(self.params.clone())).unwrap()
    }

    pub fn write(&self, folder: &Folder) {
        folder.write(&format!("{}.h", self.program.name), &self.program.header);
        folder.write(&format!("{}.c", self.program.name), &self.program.source);
    }

    /// Variables that both have: the member of the structure, and the name in [`rto::EstimatorState`].
    fn variables(&self) -> Vec<(&'static str, &'static str)> {
        match self.spec.family {
            "cocoa" => {
                let mut all = vec![
                    ("rto", "rto"),
                    ("strong.smoothed.rtt", "rtt_strong"),
                    ("strong.smoothed.var", "rttvar_strong"),
                ];
                if self.program.header.contains("_half weak;") {
                    all.extend([("weak.smoothed.rtt", "rtt_weak"), ("weak.smoothed.var", "rttvar_weak")]);
                }
                all
            }
            "rfc6298" | "eifel" => {
                vec![("rto", "rto"), ("estimate.smoothed.rtt", "srtt"), ("estimate.smoothed.var", "rttvar")]
            }
            "linux" => vec![
                ("rto", "rto"),
                ("estimate.srtt", "srtt"),
                ("estimate.mdev", "mdev"),
                ("estimate.mdev_max", "mdev_max"),
                ("estimate.rttvar", "rttvar"),
            ],
            "basic" => vec![("rto", "rto")],
            _ => Vec::new(),
        }
    }
}

/// A script in the making, with the results that the estimator gives.
pub struct Played<'a> {
    timer: &'a Timer,
    ticks: u32,
    estimator: Box<dyn Estimator>,
    open: [Option<Flight>; SLOTS],
    /// Ticks.
    pub now: i64,
    script: String,
    expected: Vec<String>,
    worst: f64,
}

impl Played<'_> {
    pub fn events(&self) -> usize {
        self.expected.len()
    }

    /// Largest distance of a timeout of at least half a tick from the algorithm's, seconds.
    pub fn worst(&self) -> f64 {
        self.worst
    }

    pub fn is_open(&self, slot: usize) -> bool {
        self.open[slot].is_some()
    }

    pub fn retransmissions(&self, slot: usize) -> usize {
        self.open[slot].as_ref().map_or(0, |flight| flight.sent.len() - 1)
    }

    /// Number of open exchanges.
    pub fn open(&self) -> u32 {
        self.open.iter().flatten().count() as u32
    }

    /// A span in ticks, to the nearest.
    pub fn ticks_of(&self, span: Span) -> i64 {
        span.scale(i64::from(self.ticks), 1_000_000_000).nanos()
    }

    fn at(&self) -> Instant {
        Instant::ZERO + Span::from_nanos(self.now).scale(1_000_000_000, i64::from(self.ticks))
    }

    /// Forgets everything: a new server at time zero.
    pub fn restart(&mut self) {
        (self.estimator, self.open, self.now) = (self.timer.estimator(), Default::default(), 0);
        self.script += "n 0 0 0 0\n";
        self.expect(0);
    }

    /// Returns the timeout in ticks.
    pub fn send(&mut self, slot: usize, others: u32, draw: u32) -> i64 {
        let mut flight = Flight::new(others);
        let armed = flight.transmit(self.at(), &mut *self.estimator, Dither(draw));
        self.open[slot] = Some(flight);
        writeln!(self.script, "s {slot} {} {others} {draw}", self.now).unwrap();
        self.armed(armed)
    }

    pub fn retransmit(&mut self, slot: usize) -> i64 {
        let at = self.at();
        let flight = self.open[slot].as_mut().unwrap();
        self.estimator.on_timeout(at, flight);
        let armed = flight.transmit(at, &mut *self.estimator, Dither::NONE);
        writeln!(self.script, "r {slot} {} 0 0", self.now).unwrap();
        self.armed(armed)
    }

    pub fn answer(&mut self, slot: usize) {
        let flight = self.open[slot].take().unwrap();
        self.estimator.on_ack(self.at(), &flight, flight.sample(self.at(), None));
        writeln!(self.script, "a {slot} {} 0 0", self.now).unwrap();
        self.expect(0);
    }

    pub fn give_up(&mut self, slot: usize) {
        let flight = self.open[slot].take().unwrap();
        self.estimator.on_abandon(self.at(), &flight);
    }

    fn armed(&mut self, armed: Span) -> i64 {
        let ticks = self.ticks_of(armed).max(1);
        let exact = armed.nanos() as f64 * f64::from(self.ticks) / 1e9;
        if (0.5..1e9).contains(&exact) {
            self.worst = self.worst.max((ticks as f64 - exact).abs() / f64::from(self.ticks));
        }
        self.expect(ticks);
        ticks
    }

    fn expect(&mut self, ticks: i64) {
        let state = self.estimator.state(Instant::MIN);
        let mut line = ticks.to_string();
        let value = |name: &str| state.values.iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value);
        for (_, name) in self.timer.variables() {
            // -1 or 0 before the first sample: no value.
            let value = value(name).map_or_else(|| "-".to_owned(), |span| span.nanos().to_string());
            line += &format!(" {value}");
        }
        self.expected.push(line);
    }

    /// Compiles the program and runs the script through it.
    ///
    /// # Panics
    ///
    /// When a result differs.
    pub fn check(&self, gcc: &Gcc, folder: &Folder) {
        let name = &self.timer.program.name;
        self.timer.write(folder);
        let mut shown = String::new();
        for (member, _) in self.timer.variables() {
            writeln!(shown, "    printf(\" %\" PRId64, (int64_t)timer.{member});").unwrap();
        }
        let driver = include_str!("driver.c").replace("SHOW;", &shown).replace("TIMER", name);
        folder.write("main.c", &driver);
        let output = gcc.run(folder, name, self.ticks, &self.script);
        let mut lines = output.lines();
        for (n, (expected, event)) in self.expected.iter().zip(self.script.lines()).enumerate() {
            let got = lines.next().unwrap_or_default();
            let same = expected.split(' ').count() == got.split(' ').count()
                && expected.split(' ').zip(got.split(' ')).all(|(a, b)| a == b || a == "-");
            assert!(same, "{:?}, event {n} ({event}): the estimator has {expected}, the program {got}", self.timer);
        }
        assert_eq!(lines.next(), None, "{name}");
    }
}
