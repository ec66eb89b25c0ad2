//! Network twin of a capture, inferred when it is first needed, and the channel that the capture chooses.

use super::Opened;
use crate::Error;
use crate::comparison::LOW_SUPPORT;
use crate::view::{
    AgreementKind, AlgorithmChoice, ChannelKind, ChosenChannelView, GateKindView, GateView, HalvesView, KnownKind,
    LinkPatternsView, ParameterView, ShareCheckView, StackKnownKind, StackNameView, StackView, TrustCheckView,
    TrustKind, TrustView,
};
use base::{Part, Progress};
use replay::trust::Halves;
use replay::{
    Agreement, Algorithm, Check, ChosenChannel, Gate, GateKind, Known, Machine, NodeId, Parameter, Pattern, Share,
    Stack, StackFinding, StackKnown, Subject, Why,
};
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

    /// Returns the channel that the capture chose, where `channel` leaves it to the capture, with the trust in answers
    /// of this `support` (shares of copies recorded, 0 to 1; `None`: nothing was sent, or all is simulated).
    pub(crate) fn chosen(
        &self,
        channel: ChannelKind,
        support: impl IntoIterator<Item = Option<f64>>,
    ) -> Option<ChosenChannelView> {
        let chosen = self.replay.chosen_channel().filter(|_| channel == ChannelKind::Auto)?;
        let trust = if support.into_iter().flatten().any(|share| share < LOW_SUPPORT) {
            TrustKind::Low
        } else {
            TrustKind::of(chosen)
        };
        Some(ChosenChannelView { channel: ChannelKind::of(chosen.channel)?, why: chosen.to_string(), trust })
    }

    /// Checks the network twin against its own capture, and chooses the channel that follows.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub(crate) fn trust(&self, progress: &mut dyn Progress) -> Result<TrustView, Error> {
        let chosen = self.replay.choose_channel(&self.trace, &mut Part::new(progress, 0, 3, 4))?;
        let machine = self.replay.machine().and_then(Result::ok);
        let names =
            if chosen.shares.is_empty() { Vec::new() } else { self.node_names(&mut Part::new(progress, 3, 4, 4))? };
        let ChosenChannel { channel, timer, until, checks, shares, gates, .. } = chosen;
        let of = |wanted: fn(Subject) -> bool| {
            shares.iter().filter(|share| wanted(share.subject)).map(|share| share_check(share, &names)).collect()
        };
        Ok(TrustView {
            channel: ChannelKind::of(*channel).unwrap_or(ChannelKind::Empirical),
            why: chosen.to_string(),
            timer: timer.as_ref().and_then(algorithm),
            until: *until,
            checks: checks.iter().map(check).collect(),
            gates: gates.iter().map(gate).collect(),
            links: links(shares, &names),
            senders: of(|subject| matches!(subject, Subject::Senders(_))),
            forwarding: of(|subject| matches!(subject, Subject::Forwarding(_))),
            parameters: machine.map(parameters).unwrap_or_default(),
            stack: machine.and_then(|machine| stack(&machine.stack)),
            stacks: Stack::all().iter().map(|s| StackNameView { id: s.id.clone(), name: s.name.clone() }).collect(),
        })
    }

    /// Predicts the second half of the capture by a network twin of the first half; a refusal is part of the reply.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub(crate) fn halves(&self, progress: &mut dyn Progress) -> Result<HalvesView, Error> {
        self.replay.learn_network(&self.trace, &mut Part::new(progress, 0, 1, 4))?;
        let halves = match Halves::of(&self.replay, &self.trace, &mut Part::new(progress, 1, 4, 4)) {
            Ok(halves) => halves,
            Err(replay::Error::NoTwin(refusal)) => {
                return Ok(HalvesView { gate: None, checks: Vec::new(), refusal: Some(refusal.to_string()) });
            }
            Err(other) => return Err(other.into()),
        };
        let refusal = halves.checks.as_ref().err().map(ToString::to_string);
        let checks = halves.checks.unwrap_or_default().iter().map(check).collect();
        Ok(HalvesView { gate: halves.gate.as_ref().map(gate), checks, refusal })
    }

    /// Returns the names of the machine's nodes for people, in its order; empty without a machine. Errs when cancelled.
    fn node_names(&self, progress: &mut dyn Progress) -> Result<Vec<String>, Error> {
        let Some(Ok(machine)) = self.replay.machine() else { return Ok(Vec::new()) };
        let network = self.network(progress)?;
        let name = |mac: &trace::MacAddr| {
            let node = network.nodes.iter().find(|node| node.macs.contains(mac));
            node.map_or_else(|| mac.to_string(), |node| node.name.clone())
        };
        Ok(machine.nodes.iter().map(name).collect())
    }
}

impl TrustKind {
    /// Returns the trust in a channel by what its checks said, whatever the support of an answer. Chosen here: a check
    /// that fails makes it no lower than medium, since what then answers instead is calibrated by itself; the 90 %
    /// intervals of *auto* over all runs of which the truth is known are in docs/calibration.md
    /// (`rtoscope calibrate DIR --channel auto`), the worst world's among them.
    fn of(chosen: &ChosenChannel) -> Self {
        match chosen.why {
            Why::TwinAgrees { .. } if chosen.has_few_inside() => Self::Low,
            // Where the recorded timer is not known, the twin was not asked about it.
            Why::TwinAgrees { inside, measures } if inside == measures && chosen.timer.is_some() => Self::High,
            Why::TwinAgrees { .. } | Why::TwinDisagrees { .. } | Why::TwinMisplaces { .. } | Why::NoTwin(_) => {
                Self::Medium
            }
        }
    }
}

impl ChannelKind {
    /// Returns the name of a channel model with its default parameters; `None` where no request can name it.
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
        agreement: agreement(check.agreement),
    }
}

/// Groups the shares of attempt patterns by link.
fn links(shares: &[Share], names: &[String]) -> Vec<LinkPatternsView> {
    let mut links: Vec<((NodeId, NodeId), LinkPatternsView)> = Vec::new();
    for share in shares {
        let Subject::Pattern { from, to, .. } = share.subject else { continue };
        let row = share_check(share, names);
        match links.last_mut().filter(|(link, _)| *link == (from, to)) {
            Some((_, link)) => link.patterns.push(row),
            None => {
                let (packets, patterns) = (row.observations, vec![row]);
                let view = LinkPatternsView { from: name(from, names), to: name(to, names), packets, patterns };
                links.push(((from, to), view));
            }
        }
    }
    links.into_iter().map(|(_, link)| link).collect()
}

fn name(node: NodeId, names: &[String]) -> String {
    names.get(usize::from(node)).cloned().unwrap_or_else(|| node.to_string())
}

fn share_check(share: &Share, names: &[String]) -> ShareCheckView {
    ShareCheckView {
        subject: match share.subject {
            Subject::Pattern { pattern, .. } => pattern.as_ref().map(Pattern::to_string).unwrap_or_default(),
            Subject::Senders(many) => many.to_string(),
            Subject::Forwarding(node) => name(node, names),
        },
        observations: u32::try_from(share.observations).unwrap_or(u32::MAX),
        recorded: share.recorded,
        mean: share.mean,
        lo90: share.ninety.lo,
        hi90: share.ninety.hi,
        agreement: agreement(share.agreement),
    }
}

fn gate(gate: &Gate) -> GateView {
    let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
    GateView {
        kind: match gate.kind {
            GateKind::SelfReplay => GateKindView::SelfReplay,
            GateKind::OpenLoop => GateKindView::OpenLoop,
            GateKind::Patterns => GateKindView::Patterns,
            GateKind::Senders => GateKindView::Senders,
            GateKind::Forwarding => GateKindView::Forwarding,
            GateKind::Halves => GateKindView::Halves,
        },
        label: gate.kind.label().to_owned(),
        inside: count(gate.inside),
        many: count(gate.many),
        expected: gate.expected,
        misplaced: gate.misplaced.map(|misplaced| misplaced.share),
        misplaced_by_chance: gate.misplaced.map(|misplaced| misplaced.by_chance),
        closed: gate.is_closed,
        about: gate.to_string(),
    }
}

const fn agreement(agreement: Agreement) -> AgreementKind {
    match agreement {
        Agreement::Inside => AgreementKind::Inside,
        Agreement::Near => AgreementKind::Near,
        Agreement::Outside => AgreementKind::Outside,
    }
}

/// Describes the network stack of a machine; `None` where that was built by hand.
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

#[cfg(test)]
mod tests {
    use super::TrustKind;
    use replay::{Algorithm, ChannelSpec, ChosenChannel, Refusal, Why};
    use serde_json::Value;

    fn trust(why: Why, timer: Option<&str>) -> TrustKind {
        let timer = timer.map(|id| Algorithm::Preset { id: id.to_owned(), params: Value::Null });
        let (checks, shares, gates) = Default::default();
        let channel = ChannelSpec::Twin;
        TrustKind::of(&ChosenChannel { channel, why, error: None, timer, until: None, checks, shares, gates })
    }

    #[test]
    fn trust_is_high_only_where_the_twin_has_each_measure_of_its_capture() {
        let of = |inside, measures| trust(Why::TwinAgrees { inside, measures }, Some("coap_default"));
        // P(at most 6 of 9 inside) is 5.3 %, at most 5 of 9 0.83 %; at most 5 of 8 3.8 %, at most 4 of 8 0.50 %;
        // at most 1 of 3 2.8 %, none 0.1 %; of two, none 1 %.
        for (measures, medium) in [(9, 6), (8, 5)] {
            let levels = [measures, measures - 1, medium, medium - 1, 0].map(|inside| of(inside, measures));
            assert_eq!(levels, [TrustKind::High, TrustKind::Medium, TrustKind::Medium, TrustKind::Low, TrustKind::Low]);
        }
        for measures in [3, 2] {
            assert_eq!([1, 0].map(|inside| of(inside, measures)), [TrustKind::Medium, TrustKind::Low]);
        }
        assert_eq!(trust(Why::NoTwin(Refusal::NoFrames), None), TrustKind::Medium);
    }

    #[test]
    fn trust_is_not_high_where_no_timer_was_tried() {
        assert_eq!(trust(Why::TwinAgrees { inside: 3, measures: 3 }, None), TrustKind::Medium);
    }
}
