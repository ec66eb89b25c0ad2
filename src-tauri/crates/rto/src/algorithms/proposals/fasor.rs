//! FASOR, fast-slow retransmission timeout (draft-ietf-core-fasor): a fast timer from clean samples
//! only, and a slow one from the ambiguous ones, which probes once whether the fast one was too fast.

use crate::params::{choice, cite, params, reading};
use crate::parts::ewma::{Deviation, Gains, Order, Smoothed};
use crate::parts::timer::TICK;
use crate::spec::{Family, FamilyName, Model, Preset, Rank, Set, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample};
use base::{Instant, Span};

choice! {
    /// The RTTVAR that the first sample leaves. Its RTO is 1.5 R either way.
    pub(crate) enum First {
        /// R/(2K), as the text of the draft has it.
        Text = "text",
        /// R/2, with K = 1 for the first RTO only, as the pseudocode of its appendix has it.
        Pseudocode = "pseudocode",
    }
}

choice! {
    /// Dithering of FastRTO and SlowRTO.
    pub(crate) enum Dithering {
        /// FastRTO is drawn from [RTO + SRTT/4, RTO + SRTT]; SlowRTO is not dithered.
        Srtt = "srtt" => "SRTT",
        /// Timeouts are not dithered.
        None = "none",
    }
}

params! {
    /// Parameters of FASOR (draft-ietf-core-fasor-02).
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("draft-ietf-core-fasor-02: 2 s"), "start";
        /// The RTTVAR after the first sample.
        first: First = First::Text, "First RTTVAR", cite("draft-ietf-core-fasor-02, text"), "start";
        /// The dithering of timeouts.
        dithering: Dithering = Dithering::Srtt, "Dithering", cite("draft-ietf-core-fasor-02"), "start";
        /// The weight of a new sample in the SRTT.
        alpha: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE,
            "SRTT gain α", cite("draft-ietf-core-fasor-02; RFC 6298 §2.3"), "fast";
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "RTTVAR gain β", cite("draft-ietf-core-fasor-02; RFC 6298 §2.3"), "fast";
        /// Number of RTTVARs that FastRTO adds to the SRTT.
        k: Ratio = Ratio::new(4, 1), in Ratio::new(1, 2) => Ratio::new(16, 1),
            "K", cite("draft-ietf-core-fasor-02; RFC 6298 §2.3"), "fast";
        /// SlowRTO is this many times the time from the original to the acknowledgement.
        slow: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(8, 1),
            "Slow factor", cite("draft-ietf-core-fasor-02: 1.5"), "slow";
        /// Each retransmission multiplies the fast timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("draft-ietf-core-fasor-02"), "back-off";
        /// Selects whether a first timeout is at least the latest sample.
        latest: Latest = Latest::Ignored, "Latest sample", cite("draft-ietf-core-fasor-02: only with Rexmit-Cnt"), "fast";
    }
}

choice! {
    /// Consequence of the latest sample for the next exchange.
    pub(crate) enum Latest {
        /// None beyond the estimate.
        Ignored = "ignored",
        /// The next fast timeout is at least as long.
        Floor = "floor",
    }
}

/// Series of timeouts that an exchange uses; its number is [`Memo::series`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Series {
    Fast,
    FastSlowFast,
    SlowFast,
}

impl Series {
    fn of(memo: Memo) -> Self {
        match memo.series {
            0 => Self::Fast,
            1 => Self::FastSlowFast,
            _ => Self::SlowFast,
        }
    }

    /// The draft's name.
    fn name(self) -> &'static str {
        match self {
            Self::Fast => "FAST",
            Self::FastSlowFast => "FAST_SLOW_FAST",
            Self::SlowFast => "SLOW_FAST",
        }
    }
}

/// FASOR towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Fasor {
    p: Params,
    series: Series,
    smoothed: Option<Smoothed>,
    fast: Span,
    slow: Option<Span>,
    /// The latest clean sample.
    latest: Span,
}

impl Fasor {
    /// F: FastRTO, with Rexmit-Cnt at least the latest sample.
    fn base(&self) -> Span {
        match self.p.latest {
            Latest::Ignored => self.fast,
            Latest::Floor => self.fast.max(self.latest),
        }
    }

    /// A draw from [F + SRTT/4, F + SRTT]; without a sample the SRTT is F/3.
    fn dithered(&self, base: Span, dither: Dither) -> Span {
        match self.p.dithering {
            Dithering::None => base,
            Dithering::Srtt => {
                let srtt = self.smoothed.map_or(self.fast.scale(1, 3), |s| s.rtt);
                // SRTT/4 stretched by [1, 4].
                base + dither.stretch(srtt.scale(1, 4), Ratio::new(4, 1))
            }
        }
    }

    /// The timeout of a new exchange before dithering.
    fn first(&self) -> Span {
        match self.series {
            Series::Fast | Series::FastSlowFast => self.base(),
            Series::SlowFast => self.slow.unwrap_or_else(|| self.base()),
        }
    }
}

impl Model for Fasor {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("fasor", "FASOR");
    const STATE: &'static [StateSpec] =
        &[time("fast_rto", "FastRTO"), time("slow_rto", "SlowRTO"), time("srtt", "SRTT"), time("rttvar", "RTTVAR")];
    fn new(p: Params) -> Self {
        Self { fast: p.rto_initial, p, series: Series::Fast, smoothed: None, slow: None, latest: Span::ZERO }
    }
}

impl Estimator for Fasor {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        let copy = flight.attempt();
        if copy == 0 {
            flight.memo.set(Memo { base: self.first(), series: self.series as u8 });
        }
        let memo = flight.memo.get();
        let doubled = |copy: usize| self.p.backoff.of(flight.armed.get(copy).copied().unwrap_or(memo.base));
        let timeout = match (Series::of(memo), copy) {
            // F, 2F, 4F, …; dithered once, then doubled.
            (Series::Fast | Series::FastSlowFast, 0) => self.dithered(memo.base, dither),
            (Series::Fast, _) => doubled(usize::from(copy) - 1),
            // F, max(S, 2F), 2F, 4F, …: the comparison is with the undithered F.
            (Series::FastSlowFast, 1) => self.slow.unwrap_or(Span::ZERO).max(self.p.backoff.of(memo.base)),
            (Series::FastSlowFast, 2) => doubled(0),
            // S, F, 2F, 4F, …
            (Series::SlowFast, 0) => memo.base,
            (Series::SlowFast, 1) => self.dithered(self.base(), dither),
            (Series::FastSlowFast | Series::SlowFast, _) => doubled(usize::from(copy) - 1),
        };
        timeout.max(TICK)
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        if let Some(r) = sample.unambiguous(now, flight) {
            let p = &self.p;
            let gains =
                Gains { alpha: p.alpha, beta: p.beta, order: Order::VarianceFirst, deviation: Deviation::Absolute };
            self.fast = match (&mut self.smoothed, p.first) {
                (None, first) => {
                    let s = self.smoothed.insert(Smoothed::first(r));
                    let rto = s.rto(Ratio::ONE, Span::ZERO);
                    if first == First::Text {
                        s.var = s.var.scale(p.k.den(), p.k.num());
                    }
                    rto
                }
                (Some(s), _) => {
                    s.update(r, &gains);
                    s.rto(p.k, Span::ZERO)
                }
            }
            .max(TICK);
            self.latest = r;
        }
        if sample.retransmissions() == 0 {
            self.series = Series::Fast;
        } else {
            self.slow = Some(self.p.slow.of(sample.from_first()));
            self.series = match self.series {
                Series::Fast => Series::FastSlowFast,
                Series::FastSlowFast | Series::SlowFast => Series::SlowFast,
            };
        }
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState {
            rto: self.first().max(TICK),
            mode: self.series.name(),
            values: vec![
                ("fast_rto", Some(self.fast)),
                ("slow_rto", self.slow),
                ("srtt", self.smoothed.map(|s| s.rtt)),
                ("rttvar", self.smoothed.map(|s| s.var)),
            ],
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const FASOR: Preset = Preset {
    id: "fasor",
    name: "FASOR",
    summary: "Clean samples drive a fast timer, ambiguous ones a slow timer that is tried once per exchange after a retransmission.",
    rank: Rank::A,
    reading: false,
    citation: "draft-ietf-core-fasor-02",
    marks_attempts: false,
    dithers: true,
    default: true,
    waits_after_last: true,
    monotone: false,
    warnings: &[
        "The first RTTVAR is R/8 in the draft's text and R/2 in its pseudocode; the RTOs differ from the second sample on (draft-ietf-core-fasor-02).",
        "The draft says nothing about NSTART above 1 (draft-ietf-core-fasor-02).",
    ],
    assumptions: &[
        "SlowRTO is not dithered; the draft names only FastRTO and the initial RTO.",
        "FastRTO is dithered once per exchange and then doubled; SlowRTO is compared with the undithered FastRTO.",
    ],
    diagram: Some(
        "FAST -> FAST: acknowledged without a retransmission\n\
         FAST -> FAST_SLOW_FAST: acknowledged after a retransmission\n\
         FAST_SLOW_FAST -> FAST: acknowledged without a retransmission\n\
         FAST_SLOW_FAST -> SLOW_FAST: acknowledged after a retransmission\n\
         SLOW_FAST -> FAST: acknowledged without a retransmission\n\
         SLOW_FAST -> SLOW_FAST: acknowledged after a retransmission",
    ),
    set: &[],
    family: Family::of::<Fasor>(),
};

pub(crate) const NO_DITHER: Preset = Preset {
    id: "fasor_nodither",
    name: "FASOR, not dithered",
    summary: "FASOR's text without its dithering.",
    dithers: false,
    default: false,
    assumptions: &["Nothing is dithered; the text of the draft dithers FastRTO and the initial RTO."],
    set: &[Set("dithering", "none", reading("draft-ietf-core-fasor-02 dithers; for comparisons without chance"))],
    ..FASOR
};

pub(crate) const PSEUDOCODE: Preset = Preset {
    id: "fasor_pseudocode",
    name: "FASOR, pseudocode",
    summary: "FASOR as its appendix computes it: the first RTTVAR is four times as large.",
    citation: "draft-ietf-core-fasor-02, appendix",
    set: &[
        Set("dithering", "none", cite("draft-ietf-core-fasor-02, appendix")),
        Set("first", "pseudocode", cite("draft-ietf-core-fasor-02, appendix")),
    ],
    ..NO_DITHER
};

pub(crate) const RC: Preset = Preset {
    id: "fasor_rc",
    name: "FASOR, Rexmit-Cnt",
    summary: "FASOR with copies that say their number: every answer is a clean sample.",
    citation: "draft-ietf-core-fasor-02, Rexmit-Cnt option",
    marks_attempts: true,
    assumptions: &[
        "An acknowledgement after a retransmission still changes the state although its sample is clean; the draft does not say.",
        "The option is not usable with empty acknowledgements, which carry no options; the token is then varied per copy.",
    ],
    set: &[
        Set("dithering", "none", reading("draft-ietf-core-fasor-02 dithers; for comparisons without chance")),
        Set("latest", "floor", cite("draft-ietf-core-fasor-02: max(FastRTO, previous sample)")),
    ],
    ..NO_DITHER
};
