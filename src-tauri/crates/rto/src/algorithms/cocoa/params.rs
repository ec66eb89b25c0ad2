//! The constants and choices in which the CoCoA variants differ. The defaults are those of
//! draft-ietf-core-cocoa-03.

use crate::Ratio;
use crate::params::{choice, cite, params, reading};
use crate::parts::ewma::{Deviation, Order};
use crate::parts::vbf::{Key, Vbf};
use base::Span;

choice! {
    /// Ageing of an overall RTO that gets no samples.
    pub(crate) enum Aging {
        /// The RTO does not age.
        None = "none",
        /// An RTO below 1 s is multiplied after 16 RTOs of idle time.
        Small = "small",
        /// An RTO below 1 s is multiplied after 16 RTOs of idle time, one above 3 s moves to 1 s + RTO/2 after 4.
        Both = "both",
    }
}

choice! {
    /// Repetition of ageing after a long idle time.
    pub(crate) enum AgingSteps {
        /// Repeated as often as the idle time allows, each step consuming its share.
        Cumulative = "cumulative",
        /// Once per use, then the clock restarts.
        Single = "single",
    }
}

choice! {
    /// Ageing of one of the two estimators that gets no samples.
    pub(crate) enum EstimatorAging {
        /// The estimator does not age.
        None = "none",
        /// After 60 s a timeout above 2 s moves half way to 2 s.
        Halve = "halve",
    }
}

choice! {
    /// The rule by which an estimator follows its samples.
    pub(crate) enum Predictor {
        /// The two means of RFC 6298 with α, β and K.
        Rfc6298 = "rfc6298" => "RFC 6298",
        /// The Eifel timer with its own gain of 1/3 (Ludwig & Sklower 2000).
        Eifel = "eifel" => "Eifel",
    }
}

choice! {
    /// The timeout before the first sample, with other exchanges open.
    pub(crate) enum Blind {
        /// The initial RTO whatever else is open.
        Constant = "constant",
        /// The initial RTO times the number of exchanges open, this one included.
        Linear = "linear",
        /// The initial RTO, doubled for every other exchange open.
        Power = "power",
    }
}

impl Blind {
    /// Returns the blind timeout while `inflight` other exchanges are open (draft-ietf-core-cocoa-03 §4.1).
    pub fn of(self, initial: Span, inflight: u32) -> Span {
        match self {
            Self::Constant => initial,
            Self::Linear => initial.scale(i64::from(inflight) + 1, 1),
            // 2^40 times the smallest initial RTO is beyond every cap.
            Self::Power => initial.scale(1 << inflight.min(40), 1),
        }
    }
}

params! {
    /// Parameters of CoCoA, from draft-ietf-core-cocoa-03 §4 and appendix B where nothing else is said.
    pub(crate) struct Params {
        /// The RTO before any sample, and of an estimator without samples.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("draft-ietf-core-cocoa-03 §4.1, §4.2.1"), "start";
        /// The weight of a new sample in the RTT.
        alpha: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE,
            "RTT gain α", cite("draft-ietf-core-cocoa-03 §4.2, appendix B.1; RFC 6298 §2.3"), "estimate";
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "RTTVAR gain β", cite("draft-ietf-core-cocoa-03 §4.2, appendix B.1; RFC 6298 §2.3"), "estimate";
        /// The order in which the two means are updated.
        order: Order = Order::VarianceFirst, "Order", cite("RFC 6298 §2.3"), "estimate";
        /// The measure of a sample's distance from the mean.
        deviation: Deviation = Deviation::Absolute, "Deviation", cite("RFC 6298 §2.3"), "estimate";
        /// Number of RTTVARs that the strong estimator adds.
        k_strong: Ratio = Ratio::new(4, 1), in Ratio::ZERO => Ratio::new(16, 1),
            "Strong K", cite("draft-ietf-core-cocoa-03 §4.2; RFC 6298 §2.3"), "strong";
        /// Number of RTTVARs that the weak estimator adds.
        k_weak: Ratio = Ratio::ONE, in Ratio::ZERO => Ratio::new(16, 1),
            "Weak K", cite("draft-ietf-core-cocoa-03 §4.2.1"), "weak";
        /// The least an estimator adds to its RTT (clock granularity G).
        granularity: Span = Span::ZERO, in Span::ZERO => Span::from_secs(1),
            "Granularity G", reading("RFC 6298 §2.2 has G; the CoCoA texts do not mention it"), "estimate";
        /// The rule by which an estimator follows its samples.
        predictor: Predictor = Predictor::Rfc6298, "Predictor", cite("draft-ietf-core-cocoa-03 §4.2"), "estimate";
        /// The weight of the strong estimator in the overall RTO.
        weight_strong: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE,
            "Strong weight", cite("draft-ietf-core-cocoa-03 §4.2"), "strong";
        /// The weight of the weak estimator in the overall RTO.
        weight_weak: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "Weak weight", cite("draft-ietf-core-cocoa-03 §4.2"), "weak";
        /// The weak estimator takes samples of exchanges with up to this many retransmissions; 0 switches it off.
        weak_max: i32 = 2, in 0 => 20, "Weak up to", cite("draft-ietf-core-cocoa-03 §4.2"), "weak";
        /// The back-off factor of small timeouts.
        vbf_low: Ratio = Ratio::new(3, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, small", cite("draft-ietf-core-cocoa-03 §4.2.1"), "back-off";
        /// The back-off factor between the borders.
        vbf_mid: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, middle", cite("draft-ietf-core-cocoa-03 §4.2.1"), "back-off";
        /// The back-off factor of large timeouts.
        vbf_high: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, large", cite("draft-ietf-core-cocoa-03 §4.2.1"), "back-off";
        /// Timeouts below this are small.
        vbf_low_below: Span = Span::from_secs(1), in Span::ZERO => Span::from_secs(60),
            "Small below", cite("draft-ietf-core-cocoa-03 §4.2.1"), "back-off";
        /// Timeouts above this are large.
        vbf_high_above: Span = Span::from_secs(3), in Span::ZERO => Span::from_secs(60),
            "Large above", cite("draft-ietf-core-cocoa-03 §4.2.1"), "back-off";
        /// The timeout that chooses the factor.
        vbf_key: Key = Key::Current, "VBF chosen by", cite("draft-ietf-core-cocoa-03 §4.2.1, appendix B.3"), "back-off";
        /// Selects whether an overall RTO without samples moves towards the middle.
        aging: Aging = Aging::Both, "Ageing", cite("draft-ietf-core-cocoa-03 §4.3"), "ageing";
        /// The factor of a small RTO when it ages.
        aging_factor: Ratio = Ratio::new(2, 1), in Ratio::new(3, 2) => Ratio::new(16, 1),
            "Ageing factor", cite("draft-ietf-core-cocoa-03 §4.3"), "ageing";
        /// Selects whether one long pause may age the RTO more than once.
        aging_steps: AgingSteps = AgingSteps::Cumulative, "Ageing steps", cite("draft-ietf-core-cocoa-03 §4.3"), "ageing";
        /// Selects whether the two estimators age as well.
        estimator_aging: EstimatorAging = EstimatorAging::None,
            "Estimator ageing", reading("draft-ietf-core-cocoa-03 §4.3 says \"an estimator\"; its rule is for the overall RTO"), "ageing";
        /// The timeout before the first sample while other exchanges are open.
        blind: Blind = Blind::Linear, "Blind RTO", cite("draft-ietf-core-cocoa-03 §4.1"), "start";
        /// The first timeout is drawn from [1, this] times the RTO.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", cite("draft-ietf-core-cocoa-03 §4.2.1; RFC 7252 §4.8 (ACK_RANDOM_FACTOR)"), "start";
        /// The longest timeout that is armed.
        timer_max: Span = Span::from_secs(32), in Span::from_secs(1) => Span::from_secs(3600),
            "Longest timeout", cite("draft-ietf-core-cocoa-03 §4.2.1"), "limits";
        /// The largest overall RTO.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", reading("Betzler et al. 2014 limit the RTO to 60 s; the drafts only the back-off"), "limits";
    }
}

impl Params {
    /// Returns the back-off factors and their borders as one value.
    pub fn vbf(&self) -> Vbf {
        Vbf {
            low: self.vbf_low,
            mid: self.vbf_mid,
            high: self.vbf_high,
            low_below: self.vbf_low_below,
            high_above: self.vbf_high_above,
            key: self.vbf_key,
        }
    }
}
