//! Network twin of a capture, inferred when it is first needed, and the channel that the capture chooses.

use super::Opened;
use crate::Error;
use crate::view::{
    AgreementKind, AlgorithmChoice, ChannelKind, ChosenChannelView, KnownKind, ParameterView, TrustCheckView, TrustView,
};
use base::Progress;
use replay::{Agreement, Algorithm, Check, ChosenChannel, Known, Parameter};
use serde_json::{Map, Value};

impl Opened {
    /// Infers what replays in `channel` need beside the record: the network twin, and the choice of the capture.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub(crate) fn prepare(&self, channel: ChannelKind, progress: &mut dyn Progress) -> Result<(), Error> {
        match channel {
            ChannelKind::Twin => self.replay.learn_network(&self.trace, progress)?,
            ChannelKind::Auto => self.replay.choose_channel(&self.trace, progress).map(drop)?,
            ChannelKind::Recorded
            | ChannelKind::Empirical
            | ChannelKind::GilbertElliott
            | ChannelKind::Loaded
            | ChannelKind::LoadedGilbertElliott
            | ChannelKind::Queued => {}
        }
        Ok(())
    }

    /// The channel that the capture chose, where `channel` leaves it to the capture.
    pub(crate) fn chosen(&self, channel: ChannelKind) -> Option<ChosenChannelView> {
        let chosen = self.replay.chosen_channel().filter(|_| channel == ChannelKind::Auto)?;
        Some(ChosenChannelView { channel: ChannelKind::of(chosen.channel)?, why: chosen.to_string() })
    }

    /// Self-replay of the capture's network twin, and the channel that follows.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub(crate) fn trust(&self, progress: &mut dyn Progress) -> Result<TrustView, Error> {
        let chosen = self.replay.choose_channel(&self.trace, progress)?;
        let parameters = match self.replay.machine() {
            Some(Ok(machine)) => machine.parameters.iter().map(parameter).collect(),
            Some(Err(_)) | None => Vec::new(),
        };
        let ChosenChannel { channel, timer, checks, .. } = chosen;
        Ok(TrustView {
            channel: ChannelKind::of(*channel).unwrap_or(ChannelKind::Empirical),
            why: chosen.to_string(),
            timer: timer.as_ref().and_then(algorithm),
            checks: checks.iter().map(check).collect(),
            parameters,
        })
    }
}

impl ChannelKind {
    /// The name of a channel model with its default parameters.
    pub(crate) fn of(channel: replay::ChannelSpec) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.spec().name() == channel.name())
    }
}

fn algorithm(algorithm: &Algorithm) -> Option<AlgorithmChoice> {
    match algorithm {
        Algorithm::AsRecorded => None,
        Algorithm::Preset { id, params: Value::Object(params) } => {
            Some(AlgorithmChoice { id: id.clone(), params: params.clone() })
        }
        Algorithm::Preset { id, .. } => Some(AlgorithmChoice { id: id.clone(), params: Map::new() }),
    }
}

fn check(check: &Check) -> TrustCheckView {
    TrustCheckView {
        measure: check.measure.name().to_owned(),
        label: check.measure.label().to_owned(),
        unit: check.measure.unit().to_owned(),
        recorded: check.recorded,
        mean: check.mean,
        lo90: check.ninety.lo,
        hi90: check.ninety.hi,
        agreement: match check.agreement {
            Agreement::Inside => AgreementKind::Inside,
            Agreement::Near => AgreementKind::Near,
            Agreement::Outside => AgreementKind::Outside,
        },
    }
}

fn parameter(parameter: &Parameter) -> ParameterView {
    ParameterView {
        name: parameter.name.to_owned(),
        value: parameter.value,
        lo: parameter.range.0,
        hi: parameter.range.1,
        unit: parameter.unit.to_owned(),
        known: match parameter.known {
            Known::Read => KnownKind::Read,
            Known::Computed => KnownKind::Computed,
            Known::Inferred => KnownKind::Inferred,
            Known::Preset => KnownKind::Preset,
        },
        observations: parameter.observations,
    }
}
