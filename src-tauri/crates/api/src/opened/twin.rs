//! Network twin of a capture, inferred when it is first needed, and the channel that the capture chooses.

use super::Opened;
use crate::Error;
use crate::view::{
    AgreementKind, AlgorithmChoice, ChannelKind, ChosenChannelView, KnownKind, ParameterView, StackKnownKind,
    StackNameView, StackView, TrustCheckView, TrustView,
};
use base::Progress;
use replay::{Agreement, Algorithm, Check, ChosenChannel, Known, Machine, Parameter, Stack, StackFinding, StackKnown};
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
        let machine = self.replay.machine().and_then(Result::ok);
        let ChosenChannel { channel, timer, checks, .. } = chosen;
        Ok(TrustView {
            channel: ChannelKind::of(*channel).unwrap_or(ChannelKind::Empirical),
            why: chosen.to_string(),
            timer: timer.as_ref().and_then(algorithm),
            checks: checks.iter().map(check).collect(),
            parameters: machine.map(parameters).unwrap_or_default(),
            stack: machine.and_then(|machine| stack(&machine.stack)),
            stacks: Stack::all().iter().map(|s| StackNameView { id: s.id.clone(), name: s.name.clone() }).collect(),
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

/// The stack of a machine; `None` where it was built by hand.
fn stack(finding: &StackFinding) -> Option<StackView> {
    let how = match finding.how {
        StackKnown::Recognised => StackKnownKind::Recognised,
        StackKnown::Assumed => StackKnownKind::Assumed,
        StackKnown::Chosen => StackKnownKind::Chosen,
    };
    (!finding.id.is_empty()).then(|| StackView { id: finding.id.clone(), how, says: finding.says.clone() })
}

fn parameters(machine: &Machine) -> Vec<ParameterView> {
    let stack = Stack::named(&machine.stack.id);
    let source = |of: &Parameter| {
        let constant = stack.filter(|_| of.known == Known::Preset)?.source(machine.mac.name(), of.name)?;
        Some(constant.to_owned())
    };
    machine.parameters.iter().map(|of| ParameterView { source: source(of), ..parameter(of) }).collect()
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
        source: None,
    }
}
