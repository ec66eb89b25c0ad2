//! The channel that stands for [`ChannelSpec::Auto`]; chosen by `trust`.

use super::Replay;
use super::gates::{Agreement, Gate, GateKind, Misplaced, Share};
use super::model_error::Kind;
use crate::metrics::MetricName;
use crate::model::ChannelSpec;
use crate::scenario::{Algorithm, Error, Scenario};
use crate::stats::Interval;
use base::Instant;
use statrs::distribution::{Binomial, DiscreteCDF as _};
use std::fmt;
use twin::Refusal;

/// Measure by which a network twin is held against its own capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Measure {
    /// A metric of the exchanges, in the self-replay.
    Metric(MetricName),
    /// Share of copies that are answered, 0 to 1, in the open loop.
    CopiesAnswered,
    /// Number of frames on the air, acknowledgements not counted, in the open loop.
    Frames,
}

impl Measure {
    /// Name in JSON and in tables; it never changes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metric(name) => name.name(),
            Self::CopiesAnswered => "copies_answered",
            Self::Frames => "frames",
        }
    }

    /// Name for people, in a sentence.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Metric(MetricName::DurationMean) => "mean completion time",
            Self::Metric(MetricName::DurationP50) => "median completion time",
            Self::Metric(MetricName::DurationP95) => "95th percentile of completion times",
            Self::Metric(MetricName::RetriesMean) => "retransmissions per exchange",
            Self::Metric(MetricName::SpuriousAll) => "needless copies",
            Self::Metric(MetricName::PlrExchange) => "failed exchanges",
            Self::Metric(name) => name.name(),
            Self::CopiesAnswered => "copies answered",
            Self::Frames => "frames on the air",
        }
    }

    /// Unit of the measure: `s`, `fraction` (0 to 1) and others as [`MetricName::unit`]; `frames`.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Metric(name) => name.unit(),
            Self::CopiesAnswered => "fraction",
            Self::Frames => "frames",
        }
    }
}

/// One measure, recorded and as the twin shows it, in the measure's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Check {
    /// Measure that was compared.
    pub measure: Measure,
    /// Recorded value, in the measure's unit.
    pub recorded: f64,
    /// Mean over replicates of the twin, in the measure's unit.
    pub mean: f64,
    /// 90 % interval over replicates of the twin.
    pub ninety: Interval,
    /// Verdict on the recorded value.
    pub agreement: Agreement,
}

/// Reason why a channel was chosen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Why {
    /// The network twin agrees with its own capture.
    TwinAgrees {
        /// Number of measures inside their 90 % intervals.
        inside: usize,
        /// Number of all measures.
        measures: usize,
    },
    /// The network twin does not agree with its own capture.
    TwinDisagrees {
        /// Name, for people, of the measure that disagrees most.
        label: &'static str,
        /// Recorded value of that measure, in its unit.
        recorded: f64,
        /// 90 % interval of the twin, in its unit.
        ninety: Interval,
    },
    /// The network twin places too many observations elsewhere.
    TwinMisplaces {
        /// Gate that closed, so that the twin is not used.
        gate: GateKind,
        /// Share of the observations that is placed elsewhere.
        misplaced: Misplaced,
    },
    /// There is no network twin, for this reason.
    NoTwin(Refusal),
}

/// A chosen channel and the reason.
#[derive(Clone, PartialEq, Debug)]
pub struct ChosenChannel {
    /// Chosen channel; never [`ChannelSpec::Auto`].
    pub channel: ChannelSpec,
    /// Reason for the choice.
    pub why: Why,
    /// Kind of the error of the channel as a model, which its intervals contain; `None` without one.
    pub error: Option<Kind>,
    /// Timer of the self-replay, as [`crate::identify`] finds it; `None` without a network twin, and where no known
    /// timer fits.
    pub timer: Option<Algorithm>,
    /// End of the part of the capture that checks and shares are about ([`crate::Trust::until`]); `None`: the whole
    /// capture.
    pub until: Option<Instant>,
    /// Checks of the network twin against its own capture; empty without one.
    pub checks: Vec<Check>,
    /// Shares of its behaviour, recorded and as the twin shows them; empty without a network twin.
    pub shares: Vec<Share>,
    /// Checks and shares counted; empty without a network twin.
    pub gates: Vec<Gate>,
}

impl ChosenChannel {
    /// Greatest probability at which so few measures inside their 90 % intervals are no accident. Chosen here: of
    /// captures that the twin describes, one in a hundred is trusted less than it deserves (of 48 planted ones none:
    /// `RTOSCOPE_WORLDS=0..24 cargo test --release -p replay --test planted -- --nocapture`).
    const RARE: f64 = 0.01;

    /// Returns whether the network twin is used although so few measures are inside its 90 % intervals that a right
    /// one, nine times in ten inside each, seldom has so few (binomial distribution). Measures of one capture go
    /// together, so that it is less seldom than that.
    #[must_use]
    pub fn has_few_inside(&self) -> bool {
        let Why::TwinAgrees { inside, measures } = self.why else { return false };
        // Rounding: none of two measures is inside in just one case of a hundred.
        Binomial::new(0.9, measures as u64).is_ok_and(|right| right.cdf(inside as u64) <= Self::RARE + f64::EPSILON)
    }
}

/// The reason in one sentence.
impl fmt::Display for ChosenChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = match self.error {
            Some(kind) if !kind.is_twin() => &format!("{} with wider intervals", self.channel.label()),
            _ => self.channel.label(),
        };
        match self.why {
            Why::TwinAgrees { inside, measures } if inside == measures => {
                write!(
                    f,
                    "{label}: asked about its own capture it is right (all {measures} measures inside its 90 % intervals)"
                )
            }
            Why::TwinAgrees { inside, measures } if self.has_few_inside() => write!(
                f,
                "{label}: asked about its own capture it is near, but seldom right (only {inside} of {measures} measures inside its 90 % intervals)"
            ),
            Why::TwinAgrees { inside, measures } => write!(
                f,
                "{label}: asked about its own capture it is right ({inside} of {measures} measures inside its 90 % intervals, the rest near)"
            ),
            Why::TwinDisagrees { label: measure, recorded, ninety } => write!(
                f,
                "{label}: the network twin is wrong about its own capture ({measure}: recorded {recorded:.3}, twin {:.3} to {:.3}) and is not used",
                ninety.lo, ninety.hi
            ),
            Why::TwinMisplaces { gate, misplaced } => write!(
                f,
                "{label}: the network twin is wrong about its own capture ({}: it places {:.0} % of {} elsewhere, chance {:.0} %) and is not used",
                gate.label(),
                misplaced.share * 100.0,
                gate.observations(),
                misplaced.by_chance * 100.0
            ),
            Why::NoTwin(refusal @ Refusal::MissingHops { .. }) => {
                write!(f, "{label}, for part of the network is unseen: there is no network twin, as {refusal}")
            }
            Why::NoTwin(refusal) => write!(f, "{label}, without a network twin: {refusal}"),
        }?;
        match (self.why, &self.timer) {
            (Why::TwinAgrees { .. }, None) => f.write_str("; not about its timer, which is not known"),
            _ => Ok(()),
        }
    }
}

impl Replay {
    /// Channel that stands for [`ChannelSpec::Auto`]; `None` before [`Replay::choose_channel`].
    #[must_use]
    pub fn chosen_channel(&self) -> Option<&ChosenChannel> {
        self.chosen.get()
    }

    /// Keeps the chosen channel; the first choice stays. Returns the one that is kept.
    pub(crate) fn set_chosen_channel(&self, chosen: ChosenChannel) -> &ChosenChannel {
        self.chosen.get_or_init(|| chosen)
    }

    /// Returns `scenario` with the chosen channel in place of [`ChannelSpec::Auto`]; errs with [`Error::NotChosen`]
    /// before a choice.
    pub(super) fn with_chosen_channel(&self, scenario: &Scenario) -> Result<Scenario, Error> {
        let mut scenario = scenario.clone();
        if scenario.channel == ChannelSpec::Auto {
            scenario.channel = self.chosen_channel().ok_or(Error::NotChosen)?.channel;
        }
        Ok(scenario)
    }
}
