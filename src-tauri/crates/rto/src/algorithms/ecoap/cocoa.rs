//! CoCoA as the ECOAP project's controller runs it: floating-point means, whole milliseconds beyond.

use super::{THREE, millis};
use crate::params::{cite, params, reading};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Parameters of the controller's CoCoA (ECOAP 2018, `ecoap_local_control_cocoa_cc.py`, revision of 13 March).
    pub(crate) struct Params {
        /// The RTO before any estimate.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("ecoap_local_control_cocoa_cc.py, rto_overall");
        /// The weight of a new sample in the RTT.
        alpha: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE,
            "RTT gain α", cite("ecoap_local_control_cocoa_cc.py; 1/4 until 12 March 2018");
        /// The weight of a new deviation, from the RTT just updated, in the RTTVAR.
        beta: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "RTTVAR gain β", cite("ecoap_local_control_cocoa_cc.py; 1/8 until 12 March 2018");
        /// Number of RTTVARs that the strong estimator adds.
        k_strong: i32 = 4, in 0 => 16, "Strong K", cite("ecoap_local_control_cocoa_cc.py, k_strong");
        /// Number of RTTVARs that the weak estimator adds.
        k_weak: i32 = 1, in 0 => 16, "Weak K", cite("ecoap_local_control_cocoa_cc.py, k_weak");
        /// The weight of the strong estimator in the RTO.
        weight_strong: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE,
            "Strong weight", cite("ecoap_local_control_cocoa_cc.py, lambda_strong");
        /// The weight of the weak estimator in the RTO.
        weight_weak: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "Weak weight", cite("ecoap_local_control_cocoa_cc.py, lambda_weak");
        /// The back-off factor of an RTO below 1 s.
        vbf_low: Ratio = Ratio::new(3, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, small", cite("ecoap_local_control_cocoa_cc.py, compute_rto_init");
        /// The back-off factor of an RTO of exactly 1 s.
        vbf_mid: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, 1 s", cite("ecoap_local_control_cocoa_cc.py, compute_rto_init: 1000 >= rto <= 3000");
        /// The back-off factor of an RTO above 1 s.
        vbf_high: Ratio = Ratio::new(13, 10), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, large", cite("ecoap_local_control_cocoa_cc.py, compute_rto_init");
        /// The largest estimate.
        estimate_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest estimate", cite("ecoap_local_control_cocoa_cc.py, revision of 13 March 2018");
        /// The first timeout is drawn from [1, this) times the RTO.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", cite("ecoap_local_control_cocoa_cc.py, FACTOR");
        /// The longest timeout.
        timer_max: Span = Span::from_secs(4_294_967), in Span::from_secs(600) => Span::from_secs(4_294_967),
            "Longest timeout", cite("ecoap_local_control_cocoa_cc.py: 4294967295 ms");
        /// An RTO above 3 s ages after this many RTOs.
        idle_large: i32 = 4, in 1 => 1_000, "Idle, large",
            reading("the draft's value; the revision of 7 March has 30 s and 2 s for the border");
    }
}

/// Means of one estimator, in milliseconds before they are cut off.
#[derive(Clone, Copy, Debug)]
struct Half {
    rtt: f64,
    rttvar: f64,
}

/// CoCoA of the ECOAP controller, towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct EcoapCocoa {
    p: Params,
    /// Strong and weak; the first sample sets both.
    halves: Option<[Half; 2]>,
    /// `rto_overall`, in milliseconds.
    rto: i64,
    /// The last sample or ageing.
    since: Instant,
}

impl EcoapCocoa {
    /// The RTO after the idle time up to `now`, and whether it aged.
    fn aged(&self, now: Instant) -> Option<i64> {
        self.halves?;
        let idle = (now - self.since).millis();
        if self.rto > 3_000 && idle > self.rto.saturating_mul(i64::from(self.p.idle_large)) {
            // Two seconds are divided by the RTO where they should be averaged with it.
            Some(((2_000.0 + self.rto as f64) / self.rto as f64 * 1_000.0) as i64)
        } else if self.rto < 1_000 && idle > 16 * self.rto {
            Some(1_000)
        } else {
            None
        }
    }

    /// `compute_rto_init`'s factor: its middle branch is a chained comparison that tests 1000 >= RTO alone.
    fn factor(&self, rto: i64) -> Ratio {
        match rto {
            ..1_000 => self.p.vbf_low,
            1_000 => self.p.vbf_mid,
            _ => self.p.vbf_high,
        }
    }
}

impl Model for EcoapCocoa {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("ecoap_cocoa", "CoCoA, ECOAP").under("ECOAP");
    const STATE: &'static [StateSpec] = &[
        time("rto", "Overall RTO"),
        time("rtt_strong", "Strong RTT"),
        time("rttvar_strong", "Strong RTTVAR"),
        time("rtt_weak", "Weak RTT"),
        time("rttvar_weak", "Weak RTTVAR"),
    ];
    fn new(p: Params) -> Self {
        Self { rto: p.rto_initial.millis(), p, halves: None, since: Instant::MIN }
    }
}

impl Estimator for EcoapCocoa {
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span {
        let timeout = if flight.attempt() == 0 {
            if let Some(rto) = self.aged(now) {
                (self.rto, self.since) = (rto, now);
            }
            flight.memo.set(Memo { base: Span::from_millis(self.rto), ..Memo::default() });
            // randrange stops short of its end.
            let end = (self.p.random_factor.as_f64() * self.rto as f64).ceil() as i64;
            self.rto.saturating_add(dither.below(end.saturating_sub(self.rto)))
        } else {
            let factor = self.factor(flight.memo.get().base.millis());
            (flight.last_armed().millis() as f64 * factor.as_f64()) as i64
        };
        millis(timeout).min(self.p.timer_max)
    }

    fn on_ack(&mut self, now: Instant, _flight: &Flight, sample: Sample) {
        let (p, r) = (&self.p, sample.from_first().millis() as f64);
        self.since = now;
        let Some([strong, weak]) = &mut self.halves else {
            self.halves = Some([Half { rtt: r, rttvar: r / 2.0 }; 2]);
            return;
        };
        let (half, k, weight) = if sample.retransmissions() == 0 {
            (strong, p.k_strong, p.weight_strong.as_f64())
        } else {
            (weak, p.k_weak, p.weight_weak.as_f64())
        };
        let (alpha, beta) = (p.alpha.as_f64(), p.beta.as_f64());
        half.rtt = (1.0 - alpha) * half.rtt + alpha * r;
        half.rttvar = (1.0 - beta) * half.rttvar + beta * (half.rtt - r).abs();
        let estimate = (half.rtt + f64::from(k) * half.rttvar).min(p.estimate_max.millis() as f64);
        self.rto = (weight * estimate + (1.0 - weight) * self.rto as f64) as i64;
    }

    fn state(&self, now: Instant) -> EstimatorState {
        let aged = self.aged(now);
        let rto = aged.unwrap_or(self.rto);
        let halves = self.halves.map_or([None; 2], |halves| halves.map(Some));
        let [strong, weak] = halves.map(|half| {
            let span = |millis: f64| Span::from_secs_f64(millis / 1e3);
            [half.and_then(|half| span(half.rtt)), half.and_then(|half| span(half.rttvar))]
        });
        let values = [Some(Span::from_millis(rto))].into_iter().chain(strong).chain(weak);
        EstimatorState {
            rto: millis(rto).min(self.p.timer_max),
            mode: match self.halves {
                None => "initial",
                Some(_) if aged.is_some() => "aged",
                Some(_) => "estimating",
            },
            values: Self::STATE.iter().map(|s| s.name).zip(values).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const COCOA_2018: Preset = Preset {
    id: "cocoa_ecoap2018",
    name: "CoCoA, ECOAP 2018",
    summary: "CoCoA as the ECOAP controller runs it: means in floating point, factor 1.3 for every RTO above 1 s.",
    rank: Rank::A,
    reading: false,
    citation: "ECOAP 2018, ecoap_local_control_cocoa_cc.py",
    marks_attempts: false,
    dithers: true,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        THREE,
        "The first sample of either kind sets both estimators and leaves the RTO at 2 s (ECOAP 2018, \
         ecoap_local_control_cocoa_cc.py, tx_success).",
        "The middle back-off factor holds at exactly 1 s only: the comparison is chained the wrong way round (ECOAP 2018, \
         compute_rto_init).",
        "A large RTO ages to (2 s + RTO)/RTO seconds, a ratio read as a time (ECOAP 2018, agingThread).",
        "A thread ages the RTO every 100 s; here it ages when an exchange starts (ECOAP 2018, agingThread).",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<EcoapCocoa>(),
};
