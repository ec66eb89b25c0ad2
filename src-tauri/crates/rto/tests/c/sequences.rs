//! Sequences of events: random ones, the worked examples, and the scripts that the Californium vectors were made with.

use crate::play::{Played, SLOTS};
use base::Span;
use rto::{AlgorithmSpec, Dither, Unit};
use serde_json::{Map, Value, json};
use std::path::Path;

/// RFC 7252 §4.8.
const MAX_RETRANSMIT: usize = 4;

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Up to so many milliseconds, not whole ones.
    fn millis(&mut self, n: u64) -> Span {
        Span::from_nanos(self.below(n * 1_000_000) as i64)
    }
}

/// Sends, expiries, answers and failures of up to eight exchanges, with pauses up to an hour.
pub fn random_events(played: &mut Played<'_>, random: &mut Random, events: usize) {
    let until = played.events() + events;
    while played.events() < until {
        let pause = match random.below(40) {
            0 => random.millis(3_600_000),
            1..=3 => random.millis(100_000),
            4..=9 => random.millis(5_000),
            10..=12 => Span::ZERO,
            _ => random.millis(400),
        };
        played.now += played.ticks_of(pause);
        let slot = random.below(SLOTS as u64) as usize;
        let others = played.open();
        match (played.is_open(slot), random.below(8)) {
            (false, _) if others == 0 || random.below(3) == 0 => drop(played.send(slot, others, random.next() as u32)),
            (false, _) => {}
            (true, 0..=3) => played.answer(slot),
            (true, _) if played.retransmissions(slot) < MAX_RETRANSMIT => drop(played.retransmit(slot)),
            (true, _) => played.give_up(slot),
        }
        if random.below(20_000) == 0 {
            played.restart();
        }
    }
}

/// Rows of a script beside the vectors; an empty cell or `-1` is NaN.
fn rows(name: &str) -> Vec<Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/scripts").join(format!("{name}.csv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cell = |cell: &str| cell.parse::<f64>().ok().filter(|&value| value != -1.0).unwrap_or(f64::NAN);
    text.lines().skip(1).map(|line| line.split(',').map(cell).collect()).collect()
}

fn millis(played: &Played<'_>, ms: f64) -> i64 {
    played.ticks_of(Span::from_secs_f64(ms / 1e3).unwrap())
}

/// Scripts whose rows are gap, retransmissions, and round trip from the first copy.
pub fn open_loop(played: &mut Played<'_>) {
    for name in ["noisy", "steady50", "long_idle"] {
        played.restart();
        for row in rows(name) {
            played.now += millis(played, row[1]);
            let begun = played.now;
            let mut armed = played.send(0, 0, 0);
            for _ in 0..row[2] as usize {
                played.now += armed;
                armed = played.retransmit(0);
            }
            if row[3].is_nan() {
                played.give_up(0);
            } else {
                played.now = played.now.max(begun + millis(played, row[3]));
                played.answer(0);
            }
        }
    }
}

/// Scripts whose rows are gap, draw, and the delay of the answer to each copy.
pub fn closed_loop(played: &mut Played<'_>) {
    for name in ["cl_lossy15", "cl_idle"] {
        played.restart();
        for row in rows(name) {
            played.now += millis(played, row[1]);
            let mut armed = played.send(0, 0, Dither::from_f64(row[2]).0);
            let mut answer = i64::MAX;
            for (copy, &delay) in row[3..].iter().enumerate() {
                if copy > 0 {
                    armed = played.retransmit(0);
                }
                if !delay.is_nan() {
                    answer = answer.min(played.now + millis(played, delay));
                }
                if answer <= played.now + armed {
                    break;
                }
                played.now += armed;
            }
            if answer <= played.now + armed {
                played.now = played.now.max(answer);
                played.answer(0);
            } else {
                played.give_up(0);
            }
        }
    }
}

/// Steps, in seconds, of every vector of `spec.json` for a preset.
pub fn worked_examples(preset: &str) -> Vec<Vec<Value>> {
    let fixture: Value = serde_json::from_str(include_str!("../vectors/spec.json")).unwrap();
    let mut found = Vec::new();
    for vector in fixture["vectors"].as_array().unwrap().iter().filter(|vector| vector["preset"] == preset) {
        let per_second = match vector["unit"].as_str().unwrap_or("s") {
            "s" => 1.0,
            "ms" => 1e3,
            _ => 128.0,
        };
        let seconds = |step: &Value| {
            let mut step = step.clone();
            for name in ["t", "after_last_tx"] {
                if let Some(value) = step[name].as_f64() {
                    step[name] = json!(value / per_second);
                }
            }
            step
        };
        found.push(vector["steps"].as_array().unwrap().iter().map(seconds).collect());
    }
    found
}

impl Played<'_> {
    /// Steps as `rto::drive` has them.
    pub fn steps(&mut self, steps: &[Value]) {
        for step in steps {
            let time = |name: &str| Span::from_secs_f64(step[name].as_f64().unwrap_or(0.0)).unwrap();
            self.now = self.ticks_of(time("t"));
            let draw = Dither::from_f64(step["u"].as_f64().unwrap_or(0.0)).0;
            let others = step["inflight"].as_u64().unwrap_or(0) as u32;
            let slot = self.events() % 2;
            let mut armed = self.send(slot, others, draw);
            let more = match step["op"].as_str().unwrap() {
                "exchange" => step["k"].as_u64().unwrap_or(0),
                "fail" => step["max_retransmit"].as_u64().unwrap_or(MAX_RETRANSMIT as u64),
                _ => 0,
            };
            for _ in 0..more {
                self.now += armed;
                armed = self.retransmit(slot);
            }
            match step["op"].as_str().unwrap() {
                "exchange" => {
                    self.now += self.ticks_of(time("after_last_tx"));
                    self.answer(slot);
                }
                "fail" => self.give_up(slot),
                _ => {}
            }
        }
    }
}

/// Values from the whole range of every parameter, each changed with an even chance.
pub fn parameters(spec: &AlgorithmSpec, random: &mut Random) -> Map<String, Value> {
    let mut params = Map::new();
    for param in spec.params.iter().filter(|param| param.name != "tick") {
        if random.below(2) == 0 {
            continue;
        }
        let (min, max) = (param.min.unwrap_or(0.0), param.max.unwrap_or(0.0));
        let share = random.below(1_001) as f64 / 1e3;
        // Short times as often as long ones.
        let share = if param.unit == Unit::Seconds { share * share * share } else { share };
        let value = match param.unit {
            Unit::Choice => json!(param.choices[random.below(param.choices.len() as u64) as usize].name),
            Unit::Count => json!((min + (max - min) * share).round()),
            _ => json!(((min + (max - min) * share) * 1e6).round() / 1e6),
        };
        params.insert(param.name.to_owned(), value);
    }
    params
}
