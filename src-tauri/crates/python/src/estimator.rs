//! Timers stepped by hand: an estimator, and exchanges whose events the caller delivers.

use crate::error::OrRaise as _;
use api::{Answer, ClientExchange, Dither, Expiry, Instant, SenderRules, Span};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The timer of one sender towards one destination.
#[pyclass(frozen, module = "rtoscope._core")]
pub struct Estimator {
    id: String,
    rules: SenderRules,
    estimator: Mutex<Box<dyn api::Estimator>>,
}

impl Estimator {
    fn lock(&self) -> MutexGuard<'_, Box<dyn api::Estimator>> {
        self.estimator.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Estimator {
    /// The estimator of algorithm `id` with the parameters in a text of JSON.
    #[new]
    fn new(py: Python<'_>, id: &str, params: &str) -> PyResult<Self> {
        let params: Value = serde_json::from_str(params).map_err(api::Error::from).or_raise(py)?;
        let specs = api::specs();
        let unknown = || {
            let known: Vec<&str> = specs.iter().map(|spec| spec.id).collect();
            api::Error::request(format!("There is no algorithm `{id}`; there are: {}.", known.join(", ")))
        };
        let spec = specs.iter().find(|spec| spec.id == id).ok_or_else(unknown).or_raise(py)?;
        let estimator = api::build_estimator(id, &params).map_err(api::Error::request).or_raise(py)?;
        Ok(Self { id: id.to_owned(), rules: SenderRules::of(spec), estimator: Mutex::new(estimator) })
    }

    #[getter]
    fn id(&self) -> &str {
        &self.id
    }

    /// Its variables at a time, in seconds where they are times; without a time, as the last event left them.
    #[pyo3(signature = (at = None))]
    fn state<'py>(&self, py: Python<'py>, at: Option<f64>) -> PyResult<Bound<'py, PyDict>> {
        let at = at.map_or(Ok(Instant::MIN), |at| instant(py, at))?;
        let state = self.lock().state(at);
        let found = PyDict::new(py);
        found.set_item("next_rto", state.rto.secs_f64())?;
        for (name, value) in state.values {
            found.set_item(name, value.map(Span::secs_f64))?;
        }
        if !state.mode.is_empty() {
            found.set_item("mode", state.mode)?;
        }
        Ok(found)
    }

    fn __copy__(&self) -> Self {
        Self { id: self.id.clone(), rules: self.rules, estimator: Mutex::new(self.lock().clone()) }
    }
}

/// Step of an exchange that comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A copy is to be sent.
    Arm,
    /// A timer runs.
    Wait,
    /// None: the exchange has ended.
    Over,
}

/// State of an exchange that is stepped by hand.
struct Stepped {
    exchange: ClientExchange,
    next: Next,
    /// Time of the last event; `Instant::MIN` before the first.
    now: Instant,
}

impl Stepped {
    /// Moves to the next event, `at` seconds, and returns its time. Raises where it is before the last event.
    fn forward(&mut self, py: Python<'_>, at: f64) -> PyResult<Instant> {
        let now = instant(py, at)?;
        if now < self.now {
            return refused(py, format!("{at} s is before the last event, {} s.", self.now.secs_f64()));
        }
        self.now = now;
        Ok(now)
    }
}

/// One confirmable message of a sender: RFC 7252 §4.2.
#[pyclass(frozen, module = "rtoscope._core")]
pub struct Exchange {
    estimator: Py<Estimator>,
    stepped: Mutex<Stepped>,
}

impl Exchange {
    fn lock(&self) -> MutexGuard<'_, Stepped> {
        self.stepped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Exchange {
    #[new]
    #[pyo3(signature = (estimator, inflight = 0, max_retransmit = None, exchange_lifetime = None))]
    fn new(
        py: Python<'_>,
        estimator: Py<Estimator>,
        inflight: u32,
        max_retransmit: Option<u8>,
        exchange_lifetime: Option<f64>,
    ) -> PyResult<Self> {
        let mut rules = estimator.get().rules;
        rules.max_retransmit = max_retransmit.or(rules.max_retransmit);
        if let Some(seconds) = exchange_lifetime {
            rules.exchange_lifetime = instant(py, seconds)? - Instant::ZERO;
        }
        let mut exchange = ClientExchange::new(rules);
        exchange.restart(inflight);
        Ok(Self { estimator, stepped: Mutex::new(Stepped { exchange, next: Next::Arm, now: Instant::MIN }) })
    }

    /// Sends a copy; returns its timeout.
    fn arm(&self, py: Python<'_>, at: f64, dither: f64) -> PyResult<f64> {
        if !(0.0..=1.0).contains(&dither) {
            return refused(py, format!("The draw {dither} is not from 0 to 1."));
        }
        let mut stepped = self.lock();
        if stepped.next != Next::Arm {
            return refused(py, "No copy is due: the timer of the last one has not expired, or the exchange is over.");
        }
        let at = stepped.forward(py, at)?;
        stepped.next = Next::Wait;
        let dither = Dither::from_f64(dither);
        Ok(stepped.exchange.transmit(at, &mut **self.estimator.get().lock(), dither).secs_f64())
    }

    /// Lets the timer expire, without a time at its deadline; returns whether another copy is due.
    #[pyo3(signature = (at = None))]
    fn expire(&self, py: Python<'_>, at: Option<f64>) -> PyResult<bool> {
        let mut stepped = self.lock();
        if stepped.next != Next::Wait {
            return refused(py, "No timer runs: arm the next copy, or begin another exchange.");
        }
        let at = match at {
            None => stepped.exchange.deadline().max(stepped.now),
            Some(at) => stepped.forward(py, at)?,
        };
        if at < stepped.exchange.deadline() {
            let deadline = stepped.exchange.deadline().secs_f64();
            return refused(py, format!("The timer runs until {deadline} s, and it is {} s.", at.secs_f64()));
        }
        stepped.now = at;
        let expiry = stepped.exchange.expired(at, &mut **self.estimator.get().lock());
        stepped.next = if expiry == Expiry::Retransmit { Next::Arm } else { Next::Over };
        Ok(expiry == Expiry::Retransmit)
    }

    /// Delivers an answer; returns the time since the first copy and since the last one, or none where it is late.
    #[pyo3(signature = (at, copy = None))]
    fn answer(&self, py: Python<'_>, at: f64, copy: Option<u8>) -> PyResult<Option<(f64, f64)>> {
        let mut stepped = self.lock();
        let sent = stepped.exchange.flight().sent.len();
        if let Some(copy) = copy.filter(|&copy| usize::from(copy) >= sent) {
            return refused(py, format!("The answer names copy {copy}, and {sent} were sent (the original is 0)."));
        }
        let at = stepped.forward(py, at)?;
        match stepped.exchange.answered(at, copy, &mut **self.estimator.get().lock()) {
            Answer::Late => Ok(None),
            Answer::Accepted(sample) => {
                stepped.next = Next::Over;
                Ok(Some((sample.since_first.secs_f64(), sample.since_last.secs_f64())))
            }
        }
    }

    /// Time at which the timer expires, or the exchange ends, seconds; none before the first copy and after the end.
    #[getter]
    fn deadline(&self) -> Option<f64> {
        let stepped = self.lock();
        (stepped.next == Next::Wait).then(|| stepped.exchange.deadline().secs_f64())
    }

    /// Whether a copy was sent and the exchange has not ended.
    #[getter]
    fn is_open(&self) -> bool {
        self.lock().exchange.is_open()
    }

    /// Times of sending.
    #[getter]
    fn sent(&self) -> Vec<f64> {
        self.lock().exchange.flight().sent.iter().map(|at| at.secs_f64()).collect()
    }

    /// Timeouts of the copies.
    #[getter]
    fn armed(&self) -> Vec<f64> {
        self.lock().exchange.flight().armed.iter().map(|timeout| timeout.secs_f64()).collect()
    }
}

/// Raises the exception for a refused request.
fn refused<T>(py: Python<'_>, why: impl std::fmt::Display) -> PyResult<T> {
    Err(api::Error::request(why)).or_raise(py)
}

/// Converts seconds to a time; raises where nanoseconds cannot count them.
fn instant(py: Python<'_>, seconds: f64) -> PyResult<Instant> {
    match Span::from_secs_f64(seconds) {
        Some(span) => Ok(Instant::ZERO + span),
        None => refused(py, format!("{seconds} s is not a time.")),
    }
}
