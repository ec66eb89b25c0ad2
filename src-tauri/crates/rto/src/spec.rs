//! Algorithms as data: what a picker, a form, a report and a replay engine need to know.

use crate::params::{Joined, ParamSet, Source, from_text};
use crate::{Estimator, Pacer, ParamError, ParamSpec, Ratio, Unit};
use base::Span;
use serde::Serialize;
use serde_json::{Map, Value};

/// Description of one algorithm of the registry, a preset with all its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AlgorithmSpec {
    /// The identifier in overrides and files, such as `cocoa_plus`; stable.
    pub id: &'static str,
    /// A short human name.
    pub name: &'static str,
    /// Identifier of the family, the code it runs on: presets of one family differ in parameters only.
    pub family: &'static str,
    /// The family's name for people.
    pub family_name: &'static str,
    /// Heading in lists: a protocol, a paper or a product, perhaps shared by several families.
    pub heading: &'static str,
    /// Summary of the algorithm, one sentence.
    pub summary: &'static str,
    /// Completeness of the sources from which it is implemented.
    pub rank: Rank,
    /// Whether it contains an interpretation made here where the source is silent; figures must say so.
    pub reading: bool,
    /// Publication or source code that defines it.
    pub citation: &'static str,
    /// Whether it needs packets that name the copy they answer (RC option, timestamp).
    pub marks_attempts: bool,
    /// Whether its timeouts depend on random draws ([`crate::Dither`]).
    pub dithers: bool,
    /// Whether lists show it before the reader asks for more variants.
    pub default: bool,
    /// Whether the sender waits one timeout after the last copy (RFC 7252 §4.2); otherwise it gives up as it sends it.
    pub waits_after_last: bool,
    /// Whether the timeouts of one exchange never shrink, whatever the parameters.
    pub monotone: bool,
    /// Known bugs and contradictions between sources, one sentence each with its source.
    pub warnings: &'static [&'static str],
    /// Assumptions where the source is silent, one sentence each.
    pub assumptions: &'static [&'static str],
    /// The state machine, if the algorithm is one: a line `from -> to: when` per transition. The
    /// states are the [`crate::EstimatorState::mode`]s.
    pub diagram: Option<&'static str>,
    /// The parameters with this preset's values.
    pub params: Vec<ParamSpec>,
    /// The variables of [`crate::EstimatorState::values`], in order.
    pub state: Vec<StateSpec>,
    /// Whether it holds first transmissions back ([`crate::build_pacer`]).
    pub paced: bool,
    /// Numbers of the algorithm that are no parameters, for the program that [`crate::apply`] writes.
    #[serde(skip)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub constants: &'static [Constant],
}

/// A number of an algorithm that is no parameter: it cannot be overridden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Name, in the form of a parameter's ([`ParamSpec::name`]).
    pub name: &'static str,
    /// Value of the constant, exact.
    pub value: Number,
    /// Source of the value: RFC section, paper or source file.
    pub source: &'static str,
}

/// An exact value of a parameter or constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A duration, exact to the nanosecond.
    Time(Span),
    /// A weight or factor.
    Ratio(Ratio),
    /// A whole number of things.
    Count(i64),
}

impl AlgorithmSpec {
    /// Returns whether one exchange may change the timeouts of later ones. Timeouts of an algorithm
    /// without state depend on the draws alone: not on time, nor on other exchanges.
    #[must_use]
    pub fn learns(&self) -> bool {
        !self.state.is_empty()
    }

    /// Returns the name followed by label and value of each of `params`, as the page says it:
    /// `CoCoA+, Strong K 3, Order RTT first`.
    #[must_use]
    pub fn named(&self, params: &Map<String, Value>) -> String {
        let one = |(name, value): (&String, &Value)| {
            let spec = self.params.iter().find(|param| param.name == name);
            let unit = if spec.is_some_and(|spec| spec.unit == Unit::Seconds) { " s" } else { "" };
            let label = |text: &str| {
                let choice = spec.and_then(|spec| spec.choices.iter().find(|choice| choice.name == text));
                choice.map_or_else(|| text.to_owned(), |choice| choice.label.to_string())
            };
            let said = match (value, value.as_f64()) {
                (_, Some(number)) => digits(number).to_string(),
                (Value::String(text), _) => label(text),
                (other, _) => other.to_string(),
            };
            format!(", {} {said}{unit}", spec.map_or(name.as_str(), |spec| spec.label))
        };
        params.iter().fold(self.name.to_owned(), |name, param| name + &one(param))
    }
}

/// One variable of an estimator's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StateSpec {
    /// The name in [`crate::EstimatorState::values`].
    pub name: &'static str,
    /// A short human name.
    pub label: &'static str,
    /// Unit of the value.
    pub unit: Unit,
}

/// Completeness of an algorithm's sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Rank {
    /// Every step is in a source that was read.
    A,
    /// Every step, up to a detail the sources disagree on.
    #[serde(rename = "A-")]
    AMinus,
    /// The equations are named by prose; few gaps.
    #[serde(rename = "B+")]
    BPlus,
    /// Mostly specified; the gaps are named.
    B,
    /// The public sources do not suffice for a faithful implementation.
    C,
}

/// Names of a family.
#[derive(Clone, Copy)]
pub(crate) struct FamilyName {
    /// Identifier that never changes.
    id: &'static str,
    /// Name for people.
    name: &'static str,
    /// Heading in lists ([`AlgorithmSpec::heading`]).
    heading: &'static str,
}

impl FamilyName {
    /// A family that lists show under its own name.
    pub const fn new(id: &'static str, name: &'static str) -> Self {
        Self { id, name, heading: name }
    }

    /// Puts the family under a heading that others share: a protocol, a paper or a product.
    pub const fn under(self, heading: &'static str) -> Self {
        Self { heading, ..self }
    }
}

/// A family of algorithms: an estimator made from a parameter set.
pub(crate) trait Model: Estimator + Sized + 'static {
    type Params: ParamSet;
    /// Names of the family.
    const FAMILY: FamilyName;
    /// Variables of [`crate::EstimatorState::values`], in order; empty for an algorithm that learns nothing.
    const STATE: &'static [StateSpec];
    /// Numbers of the algorithm that are no parameters.
    const CONSTANTS: &'static [Constant] = &[];
    fn new(params: Self::Params) -> Self;
}

/// A [`Pacer`] made from a parameter set.
pub(crate) trait PaceModel: Pacer + Sized + 'static {
    type Params: ParamSet;
    /// Assumptions of the preset ([`AlgorithmSpec::assumptions`]).
    const ASSUMPTIONS: &'static [&'static str];
    fn new(params: Self::Params) -> Self;
}

/// One line of the registry: a family with some of its defaults replaced. Fields without a doc are those of
/// [`AlgorithmSpec`].
pub(crate) struct Preset {
    pub id: &'static str,
    pub name: &'static str,
    pub summary: &'static str,
    pub rank: Rank,
    pub reading: bool,
    pub citation: &'static str,
    pub marks_attempts: bool,
    pub dithers: bool,
    pub default: bool,
    pub waits_after_last: bool,
    pub monotone: bool,
    pub warnings: &'static [&'static str],
    pub assumptions: &'static [&'static str],
    pub diagram: Option<&'static str>,
    /// Defaults of the family that this preset replaces.
    pub set: &'static [Set],
    /// The code that builds it.
    pub family: Family,
}

/// One replaced default: name of the parameter, its value written as on the command line, and its source.
pub(crate) struct Set(pub &'static str, pub &'static str, pub Source);

/// Values of parameters by name ([`ParamSpec::name`]), in place of a preset's.
pub(crate) type Overrides = Map<String, Value>;
/// Result of building an estimator.
type Built = Result<Box<dyn Estimator>, ParamError>;
type BuiltPacer = Result<Box<dyn Pacer>, ParamError>;

/// A [`Model`], and perhaps a [`PaceModel`] beside it, without their types.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    name: FamilyName,
    state: &'static [StateSpec],
    constants: &'static [Constant],
    params: fn(&[Set], &Overrides) -> Result<Vec<ParamSpec>, ParamError>,
    build: fn(&[Set], &Overrides) -> Built,
    pacing: Option<Pacing>,
}

/// A [`PaceModel`] without its type.
#[derive(Clone, Copy)]
struct Pacing {
    assumptions: &'static [&'static str],
    build: fn(&[Set], &Overrides) -> BuiltPacer,
}

impl Family {
    /// The family of the model `M`, which holds no first transmission back.
    pub const fn of<M: Model>() -> Self {
        Self {
            name: M::FAMILY,
            state: M::STATE,
            constants: M::CONSTANTS,
            params: params::<M::Params>,
            build: build::<M>,
            pacing: None,
        }
    }

    /// The family with the timer of `M` and the pacer of `P`; its parameters are those of both, none of the same name.
    pub const fn paced<M: Model, P: PaceModel>(name: FamilyName) -> Self {
        Self {
            name,
            state: M::STATE,
            constants: M::CONSTANTS,
            params: params::<Joined<M::Params, P::Params>>,
            build: build_timer::<M, P>,
            pacing: Some(Pacing { assumptions: P::ASSUMPTIONS, build: build_pacer::<M, P> }),
        }
    }
}

/// Returns `number` with four significant digits: a name has no room for more.
fn digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// Declares a variable of an estimator's state that is a time.
pub(crate) const fn time(name: &'static str, label: &'static str) -> StateSpec {
    StateSpec { name, label, unit: Unit::Seconds }
}

/// Declares a variable of an estimator's state without a dimension.
pub(crate) const fn number(name: &'static str, label: &'static str, unit: Unit) -> StateSpec {
    StateSpec { name, label, unit }
}

fn preset<P: ParamSet>(set: &[Set], overrides: &Overrides) -> Result<P, ParamError> {
    let mut params = P::default();
    for Set(name, text, _) in set {
        params.assign(name, &from_text(text))?;
    }
    for (name, value) in overrides {
        params.assign(name, value)?;
    }
    Ok(params)
}

fn params<P: ParamSet>(set: &[Set], overrides: &Overrides) -> Result<Vec<ParamSpec>, ParamError> {
    let mut specs = preset::<P>(set, overrides)?.specs();
    for spec in &mut specs {
        if let Some(Set(.., source)) = set.iter().find(|Set(name, ..)| *name == spec.name) {
            spec.citation = source.text;
            spec.reading = source.reading;
        }
    }
    Ok(specs)
}

fn build<M: Model>(set: &[Set], overrides: &Overrides) -> Built {
    Ok(Box::new(M::new(preset(set, overrides)?)))
}

fn build_timer<M: Model, P: PaceModel>(set: &[Set], overrides: &Overrides) -> Built {
    Ok(Box::new(M::new(preset::<Joined<M::Params, P::Params>>(set, overrides)?.0)))
}

fn build_pacer<M: Model, P: PaceModel>(set: &[Set], overrides: &Overrides) -> BuiltPacer {
    Ok(Box::new(P::new(preset::<Joined<M::Params, P::Params>>(set, overrides)?.1)))
}

impl Preset {
    /// Builds the estimator. Errs on an unknown name in `overrides`, and on a value of another type or out of range.
    pub fn build(&self, overrides: &Overrides) -> Built {
        (self.family.build)(self.set, overrides)
    }

    /// Builds the pacer; `None` for a preset without one. Errs as [`Preset::build`] does.
    pub fn build_pacer(&self, overrides: &Overrides) -> Result<Option<Box<dyn Pacer>>, ParamError> {
        self.family.pacing.map(|pacing| (pacing.build)(self.set, overrides)).transpose()
    }

    /// Returns the description, with `overrides` in place of some of the values. Errs as [`Preset::build`] does.
    pub fn spec(&self, overrides: &Overrides) -> Result<AlgorithmSpec, ParamError> {
        Ok(AlgorithmSpec {
            id: self.id,
            name: self.name,
            family: self.family.name.id,
            family_name: self.family.name.name,
            heading: self.family.name.heading,
            summary: self.summary,
            rank: self.rank,
            reading: self.reading,
            citation: self.citation,
            marks_attempts: self.marks_attempts,
            dithers: self.dithers,
            default: self.default,
            waits_after_last: self.waits_after_last,
            monotone: self.monotone,
            warnings: self.warnings,
            assumptions: self.family.pacing.map_or(self.assumptions, |pacing| pacing.assumptions),
            diagram: self.diagram,
            params: (self.family.params)(self.set, overrides)?,
            state: self.family.state.to_vec(),
            paced: self.family.pacing.is_some(),
            constants: self.family.constants,
        })
    }
}
