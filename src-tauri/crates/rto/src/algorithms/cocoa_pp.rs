//! CoCoA++ (Rathod et al. 2019): CoCoA+ as Betzler ported it to Contiki, with a back-off that shrinks
//! or grows by chance, the likelier to grow the faster the round trip times rise. The paper was not
//! readable: this follows the code in two Contiki forks, and a reading of the idea behind it (CAIA
//! Delay-Gradient, Linux tcp_cdg.c).

use crate::params::{cite, params, reading};
use crate::parts::ewma::{Deviation, Gains, Order, Smoothed};
use crate::parts::gradient::{Gradient, Rule, WINDOW};
use crate::parts::timer::TICK;
use crate::spec::{Family, FamilyName, Model, Preset, Rank, Set, StateSpec, number, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample, Unit};
use base::{Instant, Span};

/// prince2398/contiki (`er-cocoapp.c`) and SamyakJ2512/Design-and-Implementation-of-Adaptive-CoCoA (`er-cocoa.c` of its
/// first commit), each with Betzler's `er-coap-transactions.c`.
const CODE: &str = "Contiki forks with CoCoA++, er-cocoa.c";
const TRANSACTIONS: &str = "Contiki forks with CoCoA++, er-coap-transactions.c";

params! {
    /// Parameters of CoCoA++, from its Contiki code.
    pub(crate) struct Params {
        /// The RTO before any sample, and of an estimator without samples.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite(CODE), "start";
        /// The most that a blind RTO adds, before it is dithered like any other.
        blind_dither: Span = Span::from_millis(1_500), in Span::ZERO => Span::from_secs(60),
            "Blind dither", cite("Contiki, er-cocoa.c: half of RESPONSE_TIMEOUT 3 s"), "start";
        /// The longest blind RTO, before it is dithered.
        blind_max: Span = Span::from_secs(32), in Span::from_secs(1) => Span::from_secs(600),
            "Longest blind RTO", cite("Contiki forks with CoCoA++, er-cocoa.c, coap_check_rtt_estimation"), "start";
        /// The first timeout is drawn from [1, this] times the RTO, a blind one too.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", cite(TRANSACTIONS), "start";
        /// The weight of a new sample in the RTT.
        alpha: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE, "RTT gain α", cite(CODE), "estimate";
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE, "RTTVAR gain β", cite(CODE), "estimate";
        /// Number of RTTVARs that the strong estimator adds.
        k_strong: Ratio = Ratio::new(4, 1), in Ratio::ZERO => Ratio::new(16, 1), "Strong K", cite(CODE), "strong";
        /// The weight of the strong estimator in the overall RTO.
        weight_strong: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE, "Strong weight", cite(CODE), "strong";
        /// The strong estimator is forgotten after more retransmissions than this without a clean sample.
        missed_max: i32 = 3, in 0 => 100, "Forgets after", cite(CODE), "strong";
        /// Number of RTTVARs that the weak estimator adds.
        k_weak: Ratio = Ratio::ONE, in Ratio::ZERO => Ratio::new(16, 1), "Weak K", cite(CODE), "weak";
        /// The weight of the weak estimator in the overall RTO.
        weight_weak: Ratio = Ratio::new(3, 4), in Ratio::ZERO => Ratio::ONE,
            "Weak weight", cite("Contiki, er-cocoa.c: the formula is inverted, 0.25 becomes 0.75"), "weak";
        /// The rule by which the probability of growing follows from the round trip times.
        rule: Rule = Rule::Code, "Gradient", cite(CODE), "back-off";
        /// The gradient at which growing has the probability 1 − 1/e.
        scale: Span = Span::from_nanos(2_343_750_000), in Span::from_millis(1) => Span::from_secs(600),
            "Gradient scale", cite("Contiki forks with CoCoA++: 300 ticks of 1/128 s"), "back-off";
        /// The factor of a growing timeout.
        grow: Ratio = Ratio::new(71, 50), in Ratio::ONE => Ratio::new(8, 1),
            "Grows by", cite("Contiki forks with CoCoA++: 1.42"), "back-off";
        /// The factor of a shrinking timeout.
        shrink: Ratio = Ratio::new(7, 10), in Ratio::new(1, 10) => Ratio::ONE,
            "Shrinks by", cite("Contiki forks with CoCoA++: 0.7; Linux, tcp_cdg.c"), "back-off";
        /// The largest estimate and RTO, and the longest timeout of a retransmission: a first timeout is not cut.
        cap: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", cite(TRANSACTIONS), "limits";
    }
}

/// Lower border of ageing: below it an idle RTO becomes 1 s after 16 RTOs, above [`LARGE`] 1 s + RTO/2 after 4
/// (Contiki, er-cocoa.c).
const SMALL: Span = Span::from_secs(1);
/// Upper border of ageing; see [`SMALL`].
const LARGE: Span = Span::from_secs(3);

/// One of the two estimators; unset is recognised by a timeout of exactly the initial 2 s.
#[derive(Clone, Copy, Debug)]
struct Half {
    smoothed: Smoothed,
    estimate: Span,
}

/// CoCoA++ towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct CocoaPp {
    p: Params,
    /// The destination has an entry: its first exchange makes it.
    known: bool,
    /// Exactly the initial RTO counts as not measured.
    rto: Span,
    /// Time of the last sample (`lastupdated`). Ageing leaves it alone.
    since: Option<Instant>,
    strong: Half,
    weak: Half,
    /// Number of retransmissions since the last clean sample.
    missed: i32,
    gradient: Gradient,
}

impl Half {
    fn unset(initial: Span) -> Self {
        Self { smoothed: Smoothed { rtt: Span::ZERO, var: Span::ZERO }, estimate: initial }
    }

    fn take(&mut self, r: Span, k: Ratio, p: &Params) {
        if self.estimate == p.rto_initial {
            self.smoothed = Smoothed::first(r);
        } else {
            let order = Order::VarianceFirst;
            self.smoothed.update(r, &Gains { alpha: p.alpha, beta: p.beta, order, deviation: Deviation::Absolute });
        }
        self.estimate = self.smoothed.rto(k, Span::ZERO).min(p.cap).max(TICK);
    }
}

impl CocoaPp {
    /// A sample, strong without a retransmission and weak after any number; failures count as weak ones.
    fn take(&mut self, now: Instant, r: Span, retransmissions: u8) {
        let p = &self.p;
        let (estimate, weight) = if retransmissions == 0 {
            self.missed = 0;
            self.strong.take(r, p.k_strong, p);
            (self.strong.estimate, p.weight_strong)
        } else {
            self.missed = self.missed.saturating_add(i32::from(retransmissions));
            if self.missed > p.missed_max {
                self.strong = Half::unset(p.rto_initial);
                self.missed = 0;
            }
            self.weak.take(r, p.k_weak, p);
            (self.weak.estimate, p.weight_weak)
        };
        self.rto = weight.blend(self.rto, estimate).max(TICK);
        self.since = Some(now);
        self.gradient.take(r);
    }

    /// There is no estimate to send by.
    fn is_blind(&self) -> bool {
        !self.known || self.rto == self.p.rto_initial
    }

    /// The RTO after the idle time up to `now`: one step a use, counted from the last sample, so that every use may age
    /// it again.
    fn aged(&self, now: Instant) -> Span {
        let idle = self.since.map_or(Span::ZERO, |since| now - since);
        let aged = if self.rto < SMALL && idle > self.rto.scale(16, 1) {
            SMALL
        } else if self.rto > LARGE && idle > self.rto.scale(4, 1) {
            SMALL + self.rto.scale(1, 2)
        } else {
            self.rto
        };
        aged.min(self.p.cap)
    }

    /// `coap_check_rtt_estimation`: the RTO of a new exchange while `others` are open.
    fn check(&mut self, now: Instant, others: u32, dither: Dither) -> Span {
        if !self.is_blind() {
            self.rto = self.aged(now);
            return self.rto;
        }
        // With an entry the new exchange is in the list that is searched: alone it counts as one other. 2^40 of the
        // smallest RTO is beyond the cap.
        let shift = if self.known { others.clamp(1, 40) } else { 0 };
        self.known = true;
        (self.p.rto_initial + dither.of(self.p.blind_dither)).scale(1 << shift, 1).min(self.p.blind_max)
    }

    /// The first timeout, and the RTO that it was drawn from.
    fn send(&mut self, now: Instant, others: u32, dither: Dither) -> (Span, Span) {
        // Two draws of the original from one of ours: the blind part sees its halves swapped.
        let stored = self.check(now, others, Dither(dither.0.rotate_left(16)));
        (dither.stretch(stored, self.p.random_factor), stored)
    }
}

impl Model for CocoaPp {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("cocoa_pp", "CoCoA++").under("CoCoA");
    const STATE: &'static [StateSpec] = &[
        time("rto", "Overall RTO"),
        time("E_strong", "Strong RTO"),
        time("E_weak", "Weak RTO"),
        number("missed", "Retransmissions since", Unit::Count),
        number("windows", "Windows", Unit::Count),
        number("p_up", "Probability to grow", Unit::Ratio),
    ];
    fn new(p: Params) -> Self {
        let half = Half::unset(p.rto_initial);
        Self {
            known: false,
            rto: p.rto_initial,
            p,
            since: None,
            strong: half,
            weak: half,
            missed: 0,
            gradient: Gradient::default(),
        }
    }
}

impl Estimator for CocoaPp {
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span {
        if flight.attempt() == 0 {
            let (timeout, stored) = self.send(now, flight.inflight, dither);
            flight.memo.set(Memo { base: stored, ..Memo::default() });
            return timeout.max(TICK);
        }
        let p = &self.p;
        let grows = self.gradient.grows(p.rule, p.scale, dither);
        let timeout = if grows { p.grow } else { p.shrink }.of(flight.last_armed());
        timeout.min(p.cap).max(TICK)
    }

    fn on_ack(&mut self, now: Instant, _flight: &Flight, sample: Sample) {
        self.take(now, sample.from_first(), sample.retransmissions());
    }

    /// The code cleans up a failed exchange as an answered one: a sample as long as it lasted.
    fn on_abandon(&mut self, now: Instant, flight: &Flight) {
        let lasted = flight.sample(now, None);
        self.take(now, lasted.from_first(), lasted.retransmissions());
    }

    fn state(&self, now: Instant) -> EstimatorState {
        let mut next = self.clone();
        let (rto, _) = next.send(now, 0, Dither::NONE);
        let count = |n: i64| Span::from_secs(n);
        let values = [
            next.rto,
            self.strong.estimate,
            self.weak.estimate,
            count(i64::from(self.missed)),
            count(i64::from(self.gradient.windows)),
            self.gradient.probability(self.p.rule, self.p.scale).seconds(),
        ];
        EstimatorState {
            rto,
            mode: match self.gradient.windows {
                _ if self.is_blind() => "blind",
                _ if next.rto != self.rto => "aged",
                0 => "first window",
                _ => "estimating",
            },
            values: Self::STATE.iter().map(|s| s.name).zip(values.map(Some)).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

const _: () = assert!(WINDOW == 5, "the diagram says five");

pub(crate) const PP_CODE: Preset = Preset {
    id: "cocoa_pp_code",
    name: "CoCoA++, Contiki code",
    summary: "Contiki's CoCoA+ with a back-off of 1.42 or 0.7 by chance, the likelier to grow the longer the shortest round trip.",
    rank: Rank::B,
    reading: false,
    citation: "Rathod et al. 2019, Contiki forks",
    marks_attempts: false,
    dithers: true,
    default: true,
    waits_after_last: false,
    monotone: false,
    warnings: &[
        "The gradient is a sum that telescopes: it is the latest minimum divided by the number of windows and never negative (Contiki forks, er-cocoa.c).",
        "Before the first window the code divides by zero; the published log shows the factor 0.7 there (Contiki forks).",
        "The number of samples has eight bits and wraps (Contiki forks, er-cocoa.c).",
        "A factor of 0.7 shrinks the intervals: four retransmissions can follow within seconds (Contiki forks).",
        "The weak estimator's weight of 0.25 acts as 0.75 (Contiki, er-cocoa.c).",
        "An RTO or estimate of exactly 2 s counts as not measured (Contiki forks, er-cocoa.c, comparisons with COAP_INITIAL_RTO).",
        "A blind RTO of 2 s to 3.5 s is dithered again like any other, up to 5.25 s (Contiki forks, er-coap-transactions.c, \
         coap_send_transaction).",
        "Once a destination is known, a blind RTO doubles even with no other exchange open, up to 32 s (Contiki forks, er-cocoa.c, \
         coap_check_rtt_estimation).",
        "A small RTO ages to 1 s instead of doubling, and ageing does not restart its clock (Contiki forks, er-cocoa.c, \
         coap_check_rtt_estimation).",
        "The first timeout is not capped and the others are, so a first one of up to 90 s may be followed by 60 s (Contiki forks, \
         er-coap-transactions.c, coap_send_transaction).",
        "A failed exchange counts as a weak sample as long as it lasted (Contiki, er-coap-transactions.c); no text says so.",
    ],
    assumptions: &[
        "A division by zero gives the factor 0.7.",
        "Times are exact; only the gradient is in ticks of 1/128 s. So a blind RTO is not one tick longer, as the code's is.",
    ],
    diagram: Some(
        "blind -> first window: the first sample\n\
         first window -> estimating: the fifth sample closes a window\n\
         first window -> aged: idle for 16 RTOs below 1 s, or for 4 RTOs above 3 s\n\
         estimating -> aged: idle for 16 RTOs below 1 s, or for 4 RTOs above 3 s\n\
         aged -> first window: the next transmission, before five samples\n\
         aged -> estimating: the next transmission, after five samples",
    ),
    set: &[],
    family: Family::of::<CocoaPp>(),
};

pub(crate) const PP_READING: Preset = Preset {
    id: "cocoa_pp_reading",
    name: "CoCoA++, reading",
    summary: "CoCoA++ with the gradient that the idea asks for: the rise of a window's shortest round trip over the one before.",
    reading: true,
    citation: "Rathod et al. 2019, through its Contiki forks and Linux tcp_cdg.c",
    default: false,
    warnings: &["Not the Contiki code, whose gradient is another (Contiki forks, er-cocoa.c)."],
    assumptions: &[
        "The gradient is the difference of the minima of two windows of four samples.",
        "The probability to grow is 1 − exp(−g/G) for a positive g (CAIA Delay-Gradient, Linux tcp_cdg.c).",
        "Everything else is the Contiki code's.",
    ],
    set: &[Set("rule", "rise", reading("CAIA Delay-Gradient, Linux tcp_cdg.c"))],
    ..PP_CODE
};
