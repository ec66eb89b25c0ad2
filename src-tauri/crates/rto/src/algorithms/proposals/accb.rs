//! ACCB (Deshmukh & Raisinghani 2022): gains that follow the latest deviation, the retransmissions and
//! the losses, and a back-off that adds instead of multiplying. AdCoCoA (2020), its ancestor, is known
//! only through the same paper and is a reading.

use crate::arithmetic::Quotient;
use crate::params::{choice, cite, params, reading};
use crate::parts::timer::TICK;
use crate::parts::vbf::{Key, Vbf};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, Set, StateSpec, number, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample, Unit};
use base::{Instant, Span};

choice! {
    /// The sign of the relative deviation d.
    pub(crate) enum Sign {
        /// d = (R − RTT)/RTT as printed: a fall makes it, and perhaps a gain or a timer's step, negative.
        Kept = "kept",
        /// Absolute value |d|: a fall counts as a rise does.
        Dropped = "dropped",
    }
}

choice! {
    /// Effect of an expiry on the timeout.
    pub(crate) enum Expiry {
        /// Adds d seconds, one more if the RTO is small (ABF).
        Add = "add",
        /// Multiplies by a factor that the RTO chooses (VBF).
        Multiply = "multiply",
    }
}

params! {
    /// Parameters of ACCB (Deshmukh & Raisinghani 2022, eq. 1–9).
    pub(crate) struct Params {
        /// The RTO before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("Deshmukh & Raisinghani 2022; RFC 7252 §4.8"), "start";
        /// The first timeout is drawn from [1, this] times the RTO.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", reading("Deshmukh & Raisinghani 2022 do not mention dithering"), "start";
        /// Selects whether the deviation keeps its sign.
        sign: Sign = Sign::Kept, "Sign of d", cite("Deshmukh & Raisinghani 2022, eq. 1"), "gains";
        /// The deviation that replaces one above 1.
        deviation_high: Ratio = Ratio::new(9, 10), in Ratio::ZERO => Ratio::new(8, 1),
            "Largest d", cite("Deshmukh & Raisinghani 2022, eq. 1"), "gains";
        /// The weight of the deviation in α.
        weight_deviation: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE,
            "Weight of d", cite("Deshmukh & Raisinghani 2022, eq. 4"), "gains";
        /// The weight of the share of retransmissions in α.
        weight_retransmissions: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "Weight of retransmissions", cite("Deshmukh & Raisinghani 2022, eq. 4"), "gains";
        /// The weight of the share of losses in α.
        weight_losses: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "Weight of losses", cite("Deshmukh & Raisinghani 2022, eq. 4"), "gains";
        /// The value that replaces a share of zero.
        share_of_none: Ratio = Ratio::new(1, 10), in Ratio::ZERO => Ratio::ONE,
            "Share of none", cite("Deshmukh & Raisinghani 2022, eq. 2–3"), "gains";
        /// β as a share of α.
        beta: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE,
            "β / α", cite("Deshmukh & Raisinghani 2022, eq. 5"), "gains";
        /// Number of RTTVARs that the timeout adds.
        k: Ratio = Ratio::new(4, 1), in Ratio::ZERO => Ratio::new(16, 1),
            "K", cite("Deshmukh & Raisinghani 2022, eq. 1"), "estimate";
        /// K after a deviation above 1.
        k_high: Ratio = Ratio::new(6, 1), in Ratio::ZERO => Ratio::new(16, 1),
            "K, large d", cite("Deshmukh & Raisinghani 2022, eq. 1"), "estimate";
        /// The weight of a new estimate in the RTO.
        weight: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE,
            "Weight", cite("Deshmukh & Raisinghani 2022, eq. 9"), "estimate";
        /// Selects whether an expiry adds or multiplies.
        expiry: Expiry = Expiry::Add, "Expiry", cite("Deshmukh & Raisinghani 2022, ABF"), "back-off";
        /// The time that an expiry adds beside d when the RTO is small.
        step: Span = Span::from_secs(1), in Span::ZERO => Span::from_secs(60),
            "Step, small", cite("Deshmukh & Raisinghani 2022, ABF"), "back-off";
        /// RTOs below this are small.
        small_below: Span = Span::from_secs(1), in Span::ZERO => Span::from_secs(60),
            "Small below", cite("Deshmukh & Raisinghani 2022, ABF"), "back-off";
    }
}

/// The variable back-off of AdCoCoA: CoCoA's (draft-ietf-core-cocoa-03 §4.2.1).
const VBF: Vbf = Vbf {
    low: Ratio::new(3, 1),
    mid: Ratio::new(2, 1),
    high: Ratio::new(3, 2),
    low_below: Span::from_secs(1),
    high_above: Span::from_secs(3),
    key: Key::Initial,
};

/// Gains after the latest sample (Deshmukh & Raisinghani 2022, eq. 1–5).
#[derive(Clone, Copy, Debug)]
struct Latest {
    alpha: Quotient,
    beta: Quotient,
    k: Ratio,
}

/// ACCB towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Accb {
    p: Params,
    /// RTT and RTTVAR; `None` before the first sample.
    mean: Option<(Span, Span)>,
    latest: Option<Latest>,
    deviation: Quotient,
    rto: Span,
    transmitted: u64,
    retransmitted: u64,
    lost: u64,
}

impl Accb {
    /// Eq. 1–5 for a sample `r` against the mean `rtt`.
    fn gains(&mut self, r: Span, rtt: Span) -> Latest {
        let p = &self.p;
        let raw = Quotient::of(r - rtt, rtt);
        let raw = if p.sign == Sign::Dropped { raw.abs() } else { raw };
        let large = raw > Quotient::ONE;
        self.deviation = if large { Quotient::from_ratio(p.deviation_high) } else { raw };
        let share = |count| match Quotient::share(count, self.transmitted) {
            Quotient::ZERO => Quotient::from_ratio(p.share_of_none),
            share => share,
        };
        let alpha = self
            .deviation
            .by(p.weight_deviation)
            .plus(share(self.retransmitted).by(p.weight_retransmissions))
            .plus(share(self.lost).by(p.weight_losses));
        Latest { alpha, beta: alpha.by(p.beta), k: if large { p.k_high } else { p.k } }
    }
}

impl Model for Accb {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("accb", "ACCB");
    const STATE: &'static [StateSpec] = &[
        time("rtt", "RTT"),
        time("rttvar", "RTTVAR"),
        number("alpha", "α", Unit::Ratio),
        number("beta", "β", Unit::Ratio),
        number("K", "K", Unit::Factor),
        number("dev", "Deviation d", Unit::Factor),
        time("rto", "RTO"),
    ];
    fn new(p: Params) -> Self {
        let rto = p.rto_initial;
        Self { p, mean: None, latest: None, deviation: Quotient::ZERO, rto, transmitted: 0, retransmitted: 0, lost: 0 }
    }
}

impl Estimator for Accb {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        self.transmitted += 1;
        let timeout = if flight.attempt() == 0 {
            flight.memo.set(Memo { base: self.rto, ..Memo::default() });
            dither.stretch(self.rto, self.p.random_factor)
        } else {
            self.retransmitted += 1;
            let last = flight.last_armed();
            match self.p.expiry {
                // An unknown receiver gets default CoAP's doubling.
                _ if self.mean.is_none() => last.scale(2, 1),
                Expiry::Multiply => VBF.back_off(flight, self.rto),
                Expiry::Add if flight.memo.get().base < self.p.small_below => {
                    last + self.p.step + self.deviation.seconds()
                }
                Expiry::Add => last + self.deviation.seconds(),
            }
        };
        timeout.max(TICK)
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        let Some(r) = sample.unambiguous(now, flight) else { return };
        let (mean, k) = match self.mean {
            None => ((r, r.scale(1, 2)), self.p.k),
            Some((rtt, var)) => {
                let latest = self.gains(r, rtt);
                self.latest = Some(latest);
                // Eq. 6 gives the new sample 1−α, the reverse of every other algorithm; eq. 7 sees the new mean.
                // Neither is in the paper where the mean falls to zero: see the preset's assumptions.
                let rtt = latest.alpha.blend(r, rtt).max(TICK);
                ((rtt, latest.beta.blend(var, (r - rtt).abs())), latest.k)
            }
        };
        self.mean = Some(mean);
        self.rto = self.p.weight.blend(self.rto, mean.0 + k.of(mean.1)).max(TICK);
    }

    fn on_abandon(&mut self, _now: Instant, _flight: &Flight) {
        self.lost += 1;
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        let values = [
            self.mean.map(|(rtt, _)| rtt),
            self.mean.map(|(_, var)| var),
            self.latest.map(|l| l.alpha.seconds()),
            self.latest.map(|l| l.beta.seconds()),
            self.latest.map(|l| l.k.of(Span::from_secs(1))),
            Some(self.deviation.seconds()),
            Some(self.rto),
        ];
        EstimatorState {
            rto: self.rto,
            mode: if self.mean.is_some() { "estimating" } else { "initial" },
            values: Self::STATE.iter().map(|s| s.name).zip(values).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

const NO_LIMIT: &str =
    "No bound, ageing or dithering is mentioned: timeouts are dithered as in RFC 7252 and have no cap.";
const FIRST: &str =
    "The first sample leaves R and R/2 (RFC 6298 §2.2); the paper refers to AdCoCoA, which was not readable.";

pub(crate) const ACCB: Preset = Preset {
    id: "accb",
    name: "ACCB",
    summary: "Gains from the latest deviation, retransmissions and losses; a timeout that grows by addition.",
    rank: Rank::B,
    reading: false,
    citation: "Deshmukh & Raisinghani 2022, eq. 1–9",
    marks_attempts: true,
    dithers: true,
    default: true,
    waits_after_last: true,
    monotone: false,
    warnings: &[
        "After a fall of the round trip time d is negative: the next copies follow faster and faster, and α may be negative (Deshmukh & Raisinghani 2022, eq. 1).",
        "The back-off adds a ratio to seconds (Deshmukh & Raisinghani 2022, ABF).",
        "The new sample has the weight 1−α, the reverse of every other algorithm (Deshmukh & Raisinghani 2022, eq. 6).",
        "The gain in packet delivery over AdCoCoA is 23.3 % in the abstract and 28.3 % in the text (Deshmukh & Raisinghani 2022).",
    ],
    assumptions: &[
        "Transmitted packets include retransmissions, counted over the life of the estimator.",
        "The d of the latest sample is used at expiry; the RTO when the exchange started says whether it is small.",
        "A mean that eq. 6 would leave at or below zero is taken for 1 ns. The next sample is then a rise above 1, so d = 0.9 and K = 6.",
        "A timer that the back-off would leave at or below zero is taken for 1 ns: it fires at once.",
        FIRST,
        NO_LIMIT,
    ],
    diagram: None,
    set: &[],
    family: Family::of::<Accb>(),
};

pub(crate) const ABSOLUTE: Preset = Preset {
    id: "accb_abs_reading",
    name: "ACCB, |d|",
    summary: "ACCB with the deviation's magnitude, so that no timeout shrinks.",
    reading: true,
    default: false,
    warnings: &["Not the printed equation: the paper's d has a sign (Deshmukh & Raisinghani 2022, eq. 1)."],
    assumptions: &["The bars around d are missing in print.", FIRST, NO_LIMIT],
    set: &[Set("sign", "dropped", reading("Deshmukh & Raisinghani 2022, eq. 1 has no bars"))],
    ..ACCB
};

pub(crate) const ADCOCOA: Preset = Preset {
    id: "adcocoa_reading",
    name: "AdCoCoA, reading",
    summary: "The ancestor of ACCB as far as ACCB's paper tells: the gain is the latest deviation, the back-off CoCoA's.",
    rank: Rank::C,
    citation: "AdCoCoA 2020, through Deshmukh & Raisinghani 2022 §II–III",
    warnings: &[
        "Deshmukh & Raisinghani 2022 name its input once as the RTT variance (§III) and once as link quality, link delay and RTT deviation (§II).",
    ],
    assumptions: &[
        "ACCB with α = |d| and β = α/2.",
        "The back-off factors are CoCoA's 3, 2 and 1.5, chosen when the exchange starts.",
        FIRST,
        NO_LIMIT,
    ],
    set: &[
        Set("sign", "dropped", reading("a gain cannot be negative")),
        Set("weight_deviation", "1", reading("Deshmukh & Raisinghani 2022 §III: one parameter")),
        Set("weight_retransmissions", "0", reading("Deshmukh & Raisinghani 2022 §III: one parameter")),
        Set("weight_losses", "0", reading("Deshmukh & Raisinghani 2022 §III: one parameter")),
        Set("expiry", "multiply", reading("Deshmukh & Raisinghani 2022: keeps CoCoA's VBF")),
    ],
    ..ABSOLUTE
};
