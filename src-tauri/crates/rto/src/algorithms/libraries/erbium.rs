//! CoCoA as its author wrote it for Contiki's Erbium in 2015 (`er-cocoa.c` and the transaction layer of
//! that time), in whole clock ticks, with what C makes of it: every assignment cuts off.

use crate::params::{choice, cite, params, reading};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample, Unit};
use base::{Instant, Span};

choice! {
    /// State that a failed exchange leaves behind.
    pub(crate) enum Failure {
        /// A weak sample up to the last copy: giving up and being answered share the clean-up (Contiki).
        Sample = "sample",
        /// None: one retransmission too many is recognised (Contiki-NG).
        Nothing = "nothing",
    }
}

params! {
    /// Parameters of `er-cocoa.c`, Betzler 2015, and of `er-coap-transactions.c` and `.h` beside it.
    pub(crate) struct Params {
        /// Clock ticks per second.
        clock_second: i32 = 128, in 100 => 1_000_000_000,
            "Clock ticks per second", cite("Contiki, CLOCK_SECOND of the Sky and Cooja motes' etimers");
        /// The RTO before any sample. An RTO of exactly this counts as not measured.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(100) => Span::from_secs(60),
            "Initial RTO", cite("er-coap-transactions.h, COAP_INITIAL_RTO");
        /// A blind timeout adds a random part of up to this.
        blind_random: Span = Span::from_millis(1_500), in Span::ZERO => Span::from_secs(60),
            "Blind random part", cite("er-coap-transactions.h, COAP_RESPONSE_TIMEOUT_BACKOFF_MASK: 3 s times 1/2");
        /// The longest blind timeout before dithering.
        blind_max: Span = Span::from_secs(32), in Span::from_secs(1) => Span::from_secs(600),
            "Longest blind RTO", cite("er-cocoa.c, coap_check_rtt_estimation");
        /// The weight of a new sample in the RTT.
        alpha: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE, "RTT gain α", cite("er-cocoa.c, ALPHA");
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE, "RTTVAR gain β", cite("er-cocoa.c, BETA");
        /// Number of RTTVARs that the strong estimator adds.
        k_strong: i32 = 4, in 0 => 16, "Strong K", cite("er-cocoa.c, kValue");
        /// Number of RTTVARs that the weak estimator adds.
        k_weak: i32 = 1, in 0 => 16, "Weak K", cite("er-cocoa.c, kValue");
        /// The weight of the old RTO at a strong sample; the new estimate gets the rest.
        keep_strong: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE, "Kept, strong", cite("er-cocoa.c, weight");
        /// The weight of the old RTO at a weak sample; the new estimate gets the rest.
        keep_weak: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE, "Kept, weak", cite("er-cocoa.c, weight");
        /// More retransmissions than this since the last strong sample reset the strong estimator.
        missed_max: i32 = 3, in 0 => 100, "Missed up to", cite("er-cocoa.c, coap_update_rtt_estimation");
        /// The back-off factor of an RTO below 1 s.
        vbf_low: Ratio = Ratio::new(5, 2), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, small", cite("er-cocoa.c, LARGEVBF");
        /// The back-off factor of an RTO above 3 s.
        vbf_high: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, large", cite("er-cocoa.c, SMALLVBF");
        /// The largest estimate and RTO, and the longest timeout of a retransmission.
        cap: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", cite("er-coap-transactions.h, MAXRTO_VALUE; er-cocoa.c, MAXIMUM_OVERALLRTO");
        /// The state that a failed exchange leaves behind.
        failure: Failure = Failure::Sample, "Failed exchange", reading("er-coap-transactions.c, coap_clear_transaction; Contiki-NG's port leaves nothing");
    }
}

impl Params {
    /// Whole ticks of `span`, cut off, as the difference of two readings of the clock.
    fn elapsed(&self, span: Span) -> i64 {
        let ticks = i128::from(span.nanos()) * i128::from(self.clock_second) / 1_000_000_000;
        ticks.clamp(0, i128::from(i64::MAX)) as i64
    }

    /// `span` in ticks, to the nearest.
    fn ticks(&self, span: Span) -> i64 {
        span.scale(i64::from(self.clock_second), 1_000_000_000).nanos()
    }

    fn span(&self, ticks: i64) -> Span {
        Span::from_secs(1).scale(ticks, i64::from(self.clock_second))
    }

    /// A timer of `ticks`; one of none fires at once.
    fn armed(&self, ticks: i64) -> Span {
        self.span(ticks).max(Span::from_nanos(1))
    }
}

/// One estimator, in ticks.
#[derive(Clone, Copy, Debug)]
struct Half {
    rto: i64,
    rtt: i64,
    rttvar: i64,
    /// There was a sample; for display only.
    measured: bool,
}

/// The entry of one destination, in ticks.
#[derive(Clone, Debug)]
pub(crate) struct Erbium {
    p: Params,
    /// The destination has an entry: its first exchange makes it.
    known: bool,
    strong: Half,
    weak: Half,
    overall: i64,
    /// `lastupdated` of the overall RTO. Ageing leaves it alone.
    since: Instant,
    /// `rttsmissed`: retransmissions since the last strong sample, in eight bits.
    missed: u8,
}

impl Erbium {
    /// `coap_check_rtt_estimation`: the RTO of a new exchange while `others` are open.
    fn check(&mut self, now: Instant, others: u32, dither: Dither) -> i64 {
        let p = &self.p;
        let second = i64::from(p.clock_second);
        let initial = p.ticks(p.rto_initial);
        if self.known && self.overall != initial {
            let idle = p.elapsed(now - self.since);
            if self.overall < second && idle > 16 * self.overall {
                self.overall = second;
            }
            if self.overall > 3 * second && idle > self.overall.saturating_mul(4) {
                self.overall = (second as f64 + 0.5 * self.overall as f64) as i64;
            }
            self.overall = self.overall.min(p.ticks(p.cap));
            return self.overall;
        }
        // With an entry the list is searched with the new exchange in it: alone it counts as one other.
        let shift = if self.known { others.clamp(1, 32) } else { 0 };
        self.known = true;
        // The macro ends in `+ 1` without parentheses, so the 1 is added after the modulo.
        let blind = initial + dither.below(p.ticks(p.blind_random)) + 1;
        blind.saturating_mul(1 << shift).min(p.ticks(p.blind_max))
    }

    /// The first timeout in ticks, and the RTO it was drawn from.
    fn send(&mut self, now: Instant, others: u32, dither: Dither) -> (i64, i64) {
        // Two draws of the original from one of ours: the blind part sees its halves swapped.
        let stored = self.check(now, others, Dither(dither.0.rotate_left(16)));
        // `random_rand() % (stored >> 1)`, which C leaves undefined for less than two ticks.
        (stored + dither.below(stored >> 1), stored)
    }

    /// `coap_update_rtt_estimation`.
    fn update(&mut self, now: Instant, rtt: i64, retransmissions: u8) {
        if !self.known {
            return;
        }
        let p = &self.p;
        let initial = p.ticks(p.rto_initial);
        self.since = now;
        let (half, k, keep) = if retransmissions == 0 {
            self.missed = 0;
            (&mut self.strong, p.k_strong, p.keep_strong)
        } else {
            self.missed = self.missed.wrapping_add(retransmissions);
            if i32::from(self.missed) > p.missed_max {
                (self.strong.rtt, self.strong.rto) = (initial, initial);
                self.missed = 0;
            }
            (&mut self.weak, p.k_weak, p.keep_weak)
        };
        let blend = |gain: f64, old: i64, new: i64| ((1.0 - gain) * old as f64 + gain * new as f64) as i64;
        if half.rto == initial {
            (half.rtt, half.rttvar) = (rtt, (rtt as f64 * 0.5) as i64);
        } else {
            half.rttvar = blend(p.beta.as_f64(), half.rttvar, (half.rtt - rtt).abs());
            half.rtt = blend(p.alpha.as_f64(), half.rtt, rtt);
        }
        half.measured = true;
        half.rto = half.rtt.saturating_add(half.rttvar.saturating_mul(i64::from(k))).min(p.ticks(p.cap));
        self.overall = blend(keep.as_f64(), half.rto, self.overall);
    }
}

impl Model for Erbium {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("erbium_cocoa", "CoCoA, Erbium").under("CoCoA");
    const STATE: &'static [StateSpec] = &[
        time("rto", "Overall RTO"),
        time("E_strong", "Strong RTO"),
        time("E_weak", "Weak RTO"),
        time("rtt_strong", "Strong RTT"),
        time("rttvar_strong", "Strong RTTVAR"),
        time("rtt_weak", "Weak RTT"),
        time("rttvar_weak", "Weak RTTVAR"),
        StateSpec { name: "missed", label: "Missed", unit: Unit::Count },
    ];
    fn new(p: Params) -> Self {
        let initial = p.ticks(p.rto_initial);
        let half = Half { rto: initial, rtt: 0, rttvar: 0, measured: false };
        Self { p, known: false, strong: half, weak: half, overall: initial, since: Instant::MIN, missed: 0 }
    }
}

impl Estimator for Erbium {
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span {
        if flight.attempt() == 0 {
            let (timeout, stored) = self.send(now, flight.inflight, dither);
            flight.memo.set(Memo { base: self.p.span(stored), ..Memo::default() });
            return self.p.armed(timeout);
        }
        // coap_check_rto_state, keyed by the RTO before its last dithering.
        let (last, start) = (self.p.ticks(flight.last_armed()), self.p.ticks(flight.memo.get().base));
        let second = i64::from(self.p.clock_second);
        let timeout = if start < second {
            (last as f64 * self.p.vbf_low.as_f64()) as i64
        } else if start > 3 * second {
            (last as f64 * self.p.vbf_high.as_f64()) as i64
        } else {
            last.saturating_mul(2)
        };
        self.p.armed(timeout.min(self.p.ticks(self.p.cap)))
    }

    fn on_ack(&mut self, now: Instant, _flight: &Flight, sample: Sample) {
        self.update(now, self.p.elapsed(sample.from_first()), sample.retransmissions());
    }

    fn on_abandon(&mut self, now: Instant, flight: &Flight) {
        if self.p.failure == Failure::Sample {
            let sample = flight.sample(now, None);
            self.update(now, self.p.elapsed(sample.from_first()), sample.retransmissions());
        }
    }

    fn state(&self, now: Instant) -> EstimatorState {
        let mut next = self.clone();
        let (timeout, _) = next.send(now, 0, Dither::NONE);
        let initial = self.p.ticks(self.p.rto_initial);
        let span = |ticks| Some(self.p.span(ticks));
        let (strong, weak) = (self.strong, self.weak);
        let known = |half: Half, ticks: i64| if half.measured { span(ticks) } else { None };
        let values = [
            span(next.overall),
            span(strong.rto),
            span(weak.rto),
            known(strong, strong.rtt),
            known(strong, strong.rttvar),
            known(weak, weak.rtt),
            known(weak, weak.rttvar),
            Some(Span::from_secs(i64::from(self.missed))),
        ];
        EstimatorState {
            rto: self.p.armed(timeout),
            mode: if self.overall == initial {
                "blind"
            } else if next.overall == self.overall {
                "estimating"
            } else {
                "aged"
            },
            values: Self::STATE.iter().map(|s| s.name).zip(values).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const CONTIKI_2015: Preset = Preset {
    id: "cocoa_contiki2015",
    name: "CoCoA, Contiki 2015",
    summary: "CoCoA as its author wrote it for Contiki: whole ticks, weak samples count most, a failure is a sample.",
    rank: Rank::A,
    reading: false,
    citation: "er-cocoa.c, Betzler 2015 (Contiki forks prince2398/contiki, vishal623/contiki)",
    marks_attempts: false,
    dithers: true,
    default: false,
    waits_after_last: false,
    monotone: false,
    warnings: &[
        "A weak estimate gets the weight 3/4, not 1/4: the weights are applied the other way round (er-cocoa.c, \
         coap_update_rtt_estimation).",
        "An RTO or estimate of exactly 2 s counts as not measured (er-cocoa.c, comparisons with COAP_INITIAL_RTO).",
        "Once a destination is known, a blind timeout doubles even with no other exchange open, and a blind timeout is one \
         tick too long (er-cocoa.c, coap_check_rtt_estimation; COAP_RESPONSE_TIMEOUT_BACKOFF_MASK).",
        "A small RTO ages to 1 s instead of doubling, and ageing does not restart its clock (er-cocoa.c, coap_check_rtt_estimation).",
        "A failed exchange is a weak sample up to its last copy; Contiki-NG's port does not do that (er-coap-transactions.c, \
         coap_clear_transaction).",
        "The first timeout is not capped and the others are, so a first one of up to 90 s may be followed by 60 s \
         (er-coap-transactions.c, coap_send_transaction).",
        "Two destinations are remembered and the oldest is evicted; here each destination has its own memory \
         (er-coap-transactions.h, COAP_MAX_RTT_ESTIMATIONS).",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Erbium>(),
};
