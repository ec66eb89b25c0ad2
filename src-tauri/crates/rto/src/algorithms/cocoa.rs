//! CoCoA: two estimators, strong and weak, blended into one timeout, with a variable back-off factor
//! and ageing. One procedure, parametrised over every published variant that differs in constants
//! and choices only: the drafts (draft-bormann-core-cocoa-01 to draft-ietf-core-cocoa-03), Betzler et
//! al. 2014 and the restatements of CoCoA and CoCoA+ in later papers.

mod params;
pub(crate) mod presets;

use crate::algorithms::tcp::eifel;
use crate::parts::ewma::{Gains, Smoothed};
use crate::parts::timer::TICK;
use crate::spec::{Constant, FamilyName, Model, Number, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample};
use base::{Instant, Span};
use params::{Aging, AgingSteps, EstimatorAging, Params, Predictor};

/// Lower border of ageing: below it an idle RTO ages up, above [`LARGE`] down (draft-ietf-core-cocoa-03 §4.3).
const SMALL: Span = Span::from_secs(1);
/// Upper border of ageing; see [`SMALL`].
const LARGE: Span = Span::from_secs(3);
/// Idle time in RTOs after which a small estimate ages (draft-ietf-core-cocoa-03 §4.3).
const IDLE_SMALL: i64 = 16;
/// Idle time of a large estimate; see [`IDLE_SMALL`].
const IDLE_LARGE: i64 = 4;
/// An estimator this long without a sample, and with a timeout above 2 s, is halved towards 2 s
/// (Betzler et al. 2014, eq. 7).
const STALE: Span = Span::from_secs(60);
/// The value equation 7 of Betzler et al. 2014 decays towards.
const RTO_DEFAULT: Span = Span::from_secs(2);
/// The gain of the Eifel predictor with one sample per round trip, as open ports have it: the paper, Ludwig & Sklower
/// 2000, was not readable (`tcp/eifel.rs`).
const EIFEL_GAIN: Ratio = Ratio::new(1, 3);
/// Margin of the Eifel predictor above the latest sample: two ticks, as open ports have it. Chosen here: 10 ms a tick,
/// because each port has its own clock; repeat with `cargo test -p rto --test sweep`.
const EIFEL_MARGIN: Span = Span::from_millis(20);

/// CoCoA, strong and weak estimator, towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Cocoa {
    p: Params,
    rto: Span,
    /// Time of the last update of `rto`, plus the idle time that ageing has consumed; `None`
    /// before the first sample, while the RTO is blind.
    since: Option<Instant>,
    strong: Half,
    weak: Half,
}

/// One of the two estimators.
#[derive(Clone, Copy, Debug, Default)]
struct Half {
    smoothed: Option<Smoothed>,
    /// The latest sample and when it came.
    latest: Span,
    since: Instant,
}

impl Half {
    /// Takes `r`, a sample at `now`, into the estimate.
    fn take(&mut self, now: Instant, r: Span, p: &Params) {
        match (&mut self.smoothed, p.predictor) {
            (Some(smoothed), Predictor::Eifel) => eifel::predict(smoothed, r, EIFEL_GAIN),
            (slot, _) => {
                let gains = Gains { alpha: p.alpha, beta: p.beta, order: p.order, deviation: p.deviation };
                Smoothed::take(slot, r, &gains);
            }
        }
        (self.latest, self.since) = (r, now);
    }

    /// E = RTT + max(G, K·RTTVAR), the initial timeout while unset.
    fn estimate(&self, k: Ratio, p: &Params) -> Span {
        self.smoothed.map_or(p.rto_initial, |s| match p.predictor {
            Predictor::Rfc6298 => s.rto(k, p.granularity),
            Predictor::Eifel => eifel::timeout(s, self.latest, EIFEL_GAIN, EIFEL_MARGIN),
        })
    }

    /// Betzler et al. 2014, eq. 7: a stale large estimator moves half way to 2 s, once per use.
    fn aged(mut self, now: Instant, k: Ratio, p: &Params) -> Self {
        if p.estimator_aging == EstimatorAging::Halve
            && now - self.since >= STALE
            && self.estimate(k, p) > RTO_DEFAULT
            && let Some(s) = &mut self.smoothed
        {
            *s = Smoothed { rtt: (RTO_DEFAULT + s.rtt).scale(1, 2), var: s.var.scale(1, 2) };
            self.since = now;
        }
        self
    }
}

impl Cocoa {
    /// The RTO and its clock after the idle time up to `now` (draft-ietf-core-cocoa-03 §4.3).
    fn aged(&self, now: Instant) -> (Span, Option<Instant>) {
        let (p, mut rto) = (&self.p, self.rto);
        let Some(mut since) = self.since else { return (rto, None) };
        loop {
            let (consumed, next) = if p.aging != Aging::None && rto < SMALL {
                (rto.scale(IDLE_SMALL, 1), p.aging_factor.of(rto))
            } else if p.aging == Aging::Both && rto > LARGE {
                (rto.scale(IDLE_LARGE, 1), SMALL + rto.scale(1, 2))
            } else {
                break;
            };
            if now - since <= consumed {
                break;
            }
            rto = next;
            if p.aging_steps == AgingSteps::Single {
                since = now;
                break;
            }
            since += consumed;
        }
        (rto.min(p.rto_max), Some(since))
    }

    /// The timeout of a new exchange before dithering: blind without any sample.
    fn base(&self, inflight: u32) -> Span {
        match self.since {
            Some(_) => self.rto,
            None => self.p.blind.of(self.rto, inflight),
        }
    }
}

impl Model for Cocoa {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("cocoa", "CoCoA");
    const STATE: &'static [StateSpec] = &[
        time("rto", "Overall RTO"),
        time("E_strong", "Strong RTO"),
        time("E_weak", "Weak RTO"),
        time("rtt_strong", "Strong RTT"),
        time("rttvar_strong", "Strong RTTVAR"),
        time("rtt_weak", "Weak RTT"),
        time("rttvar_weak", "Weak RTTVAR"),
    ];
    const CONSTANTS: &'static [Constant] = &[
        Constant { name: "small", value: Number::Time(SMALL), source: "draft-ietf-core-cocoa-03 §4.3" },
        Constant { name: "large", value: Number::Time(LARGE), source: "draft-ietf-core-cocoa-03 §4.3" },
        Constant { name: "idle_small", value: Number::Count(IDLE_SMALL), source: "draft-ietf-core-cocoa-03 §4.3" },
        Constant { name: "idle_large", value: Number::Count(IDLE_LARGE), source: "draft-ietf-core-cocoa-03 §4.3" },
        Constant { name: "stale", value: Number::Time(STALE), source: "Betzler et al. 2014, eq. 7" },
        Constant { name: "rto_default", value: Number::Time(RTO_DEFAULT), source: "Betzler et al. 2014, eq. 7" },
        Constant {
            name: "gain",
            value: Number::Ratio(EIFEL_GAIN),
            source: "Ludwig & Sklower 2000, as open ports have it",
        },
        Constant {
            name: "margin",
            value: Number::Time(EIFEL_MARGIN),
            source: "two ticks, as open ports of Ludwig & Sklower 2000 have it; 10 ms a tick chosen here",
        },
    ];
    fn new(p: Params) -> Self {
        Self { rto: p.rto_initial, p, since: None, strong: Half::default(), weak: Half::default() }
    }
}

impl Estimator for Cocoa {
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span {
        let timeout = if flight.attempt() == 0 {
            self.strong = self.strong.aged(now, self.p.k_strong, &self.p);
            self.weak = self.weak.aged(now, self.p.k_weak, &self.p);
            (self.rto, self.since) = self.aged(now);
            let base = self.base(flight.inflight);
            flight.memo.set(Memo { base, ..Memo::default() });
            dither.stretch(base, self.p.random_factor)
        } else {
            self.p.vbf().back_off(flight, self.rto)
        };
        timeout.min(self.p.timer_max).max(TICK)
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        let p = &self.p;
        // Without a mark always from the first transmission: the weak estimator exists because the copy is unknown.
        let marked = sample.answered.and_then(|_| sample.unambiguous(now, flight));
        let (r, retransmissions) = marked.map_or((sample.from_first(), sample.retransmissions()), |r| (r, 0));
        let (half, k, weight) = match retransmissions {
            0 => (&mut self.strong, p.k_strong, p.weight_strong),
            n if i32::from(n) <= p.weak_max => (&mut self.weak, p.k_weak, p.weight_weak),
            _ => return,
        };
        half.take(now, r, p);
        self.rto = weight.blend(self.rto, half.estimate(k, p)).min(p.rto_max).max(TICK);
        self.since = Some(now);
    }

    fn state(&self, now: Instant) -> EstimatorState {
        let p = &self.p;
        let (rto, since) = self.aged(now);
        let (strong, weak) = (self.strong.aged(now, p.k_strong, p), self.weak.aged(now, p.k_weak, p));
        let values = [
            Some(rto),
            Some(strong.estimate(p.k_strong, p)),
            Some(weak.estimate(p.k_weak, p)),
            strong.smoothed.map(|s| s.rtt),
            strong.smoothed.map(|s| s.var),
            weak.smoothed.map(|s| s.rtt),
            weak.smoothed.map(|s| s.var),
        ];
        EstimatorState {
            rto,
            mode: match since {
                None => "blind",
                Some(_) if since != self.since => "aged",
                Some(_) => "estimating",
            },
            values: Self::STATE.iter().map(|s| s.name).zip(values).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}
