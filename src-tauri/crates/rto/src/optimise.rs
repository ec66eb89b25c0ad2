//! Offline search for parameters: what mlCoCoA (a trained model) and psoCoCoA (a particle swarm) do to
//! CoCoA's constants, without their unpublished details. Both searches minimise any function of a
//! point within declared bounds and depend on nothing but their arguments: the same call gives the
//! same points in the same order.
//!
//! ```
//! use rto::optimise::{self, Swarm};
//!
//! # fn main() -> Result<(), rto::ParamError> {
//! let axes = optimise::axes("cocoa_plus", &["k_strong", "weight_weak"])?;
//! // In earnest the objective replays a capture; here it has its minimum at 2 and 0.5.
//! let objective = |at: &[f64]| (at[0] - 2.0).powi(2) + (at[1] - 0.5).powi(2);
//! let found = optimise::swarm(&axes, Swarm { seed: 1, particles: 12, iterations: 60 }, objective);
//! assert!((found.at[0] - 2.0).abs() < 0.01);
//! rto::build("cocoa_plus", &optimise::overrides(&axes, &found.at))?;
//! # Ok(())
//! # }
//! ```

use crate::{ParamError, ParamSpec, Scale, Unit};
use serde_json::{Map, Value};

mod nelder_mead;
mod swarm;

pub use nelder_mead::nelder_mead;
pub use swarm::{Swarm, swarm};

/// One parameter to search, between its declared bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name of the parameter ([`ParamSpec::name`]).
    pub name: &'static str,
    /// The smallest legal value, in the parameter's natural unit ([`ParamSpec::min`]).
    pub min: f64,
    /// The largest legal value, in the parameter's natural unit.
    pub max: f64,
    /// Whether equal steps of the search are equal ratios instead of equal differences.
    pub log: bool,
    /// Whether only whole numbers are legal.
    pub whole: bool,
}

impl Axis {
    /// The axis of a parameter; `None` for a choice, which has no order to search along.
    #[must_use]
    pub fn of(spec: &ParamSpec) -> Option<Self> {
        let (min, max) = (spec.min?, spec.max?);
        let log = spec.scale == Scale::Log && min > 0.0;
        (spec.unit != Unit::Choice).then_some(Self { name: spec.name, min, max, log, whole: spec.unit == Unit::Count })
    }

    /// The value at `share` of the way from `min` to `max`, always legal.
    fn value(&self, share: f64) -> f64 {
        let value = if self.log {
            self.min * (self.max / self.min).powf(share)
        } else {
            self.min + share * (self.max - self.min)
        };
        let value = if self.whole { value.round() } else { value };
        value.clamp(self.min, self.max)
    }

    /// Returns the position of `value` between `min` and `max`, 0 to 1; 0.5 for NaN.
    #[must_use]
    pub fn share(&self, value: f64) -> f64 {
        let share = if self.max <= self.min {
            0.0
        } else if self.log {
            (value / self.min).ln() / (self.max / self.min).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        };
        if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) }
    }
}

/// Returns the axes of algorithm `id` for the parameters `names`, in that order.
///
/// # Errors
/// An unknown algorithm or parameter, or a parameter that is a choice.
pub fn axes(id: &str, names: &[&str]) -> Result<Vec<Axis>, ParamError> {
    let spec = crate::spec(id).ok_or_else(|| ParamError::Algorithm { id: id.to_owned() })?;
    let searchable = || spec.params.iter().filter_map(Axis::of);
    let axis = |name: &&str| {
        searchable().find(|axis| axis.name == *name).ok_or_else(|| ParamError::Unknown {
            name: (*name).to_owned(),
            known: searchable().map(|axis| axis.name).collect(),
        })
    };
    names.iter().map(axis).collect()
}

/// Returns the point `at`, one value per axis, as overrides for [`crate::build`].
#[must_use]
pub fn overrides(axes: &[Axis], at: &[f64]) -> Value {
    let pair = |(axis, &value): (&Axis, &f64)| (axis.name.to_owned(), Value::from(value));
    Value::Object(axes.iter().zip(at).map(pair).collect::<Map<_, _>>())
}

/// The best point of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// One value per axis, in its natural unit.
    pub at: Vec<f64>,
    /// The objective there; infinite if it never was a finite number.
    pub value: f64,
    /// Number of evaluations of the objective.
    pub evaluations: usize,
}

/// A coordinate of the search as a share of an axis: mirrored at both ends, so that a search has no boundary.
/// (Clamped to the boundary instead, a simplex loses a dimension there and never leaves it.)
fn mirrored(coordinate: f64) -> f64 {
    let phase = coordinate.rem_euclid(2.0);
    if phase > 1.0 { 2.0 - phase } else { phase }
}

/// Objective over mirror images of the unit cube, with its best point so far.
struct Search<'a, F> {
    axes: &'a [Axis],
    objective: F,
    found: Found,
}

impl<'a, F: FnMut(&[f64]) -> f64> Search<'a, F> {
    fn new(axes: &'a [Axis], objective: F) -> Self {
        let at = axes.iter().map(|axis| axis.value(0.5)).collect();
        Self { axes, objective, found: Found { at, value: f64::INFINITY, evaluations: 0 } }
    }

    /// Evaluates the objective. NaN is worse than every number.
    fn ask(&mut self, place: &[f64]) -> f64 {
        let at: Vec<f64> = self.axes.iter().zip(place).map(|(axis, &share)| axis.value(mirrored(share))).collect();
        let value = (self.objective)(&at);
        let value = if value.is_nan() { f64::INFINITY } else { value };
        self.found.evaluations += 1;
        if value < self.found.value {
            (self.found.at, self.found.value) = (at, value);
        }
        value
    }
}
