//! Offline search for the parameters of an algorithm on a capture, as mlCoCoA and psoCoCoA do for CoCoA.
//!
//! The objective is the mean of one measure over the replicates of a replay; the channel states are the same for every
//! point, so the search is deterministic and its differences are paired. A second capture, held out, shows
//! whether the point is good or only fits.

use crate::view::{
    AlgorithmChoice, ChannelKind, CheckKind, DifferenceView, EffectView, MethodKind, OptimiseRequest, OptimisedView,
    PRICE, PartView,
};
use crate::{Error, Opened, Progress, Session, runs};
use base::Silent;
use replay::{Bounds, MetricName, RunResult};
use rto::optimise::{Axis, Found, Swarm, axes, nelder_mead, swarm};
use rto::user::{UserPreset, to_toml};
use rto::{ParamValue, Ratio};
use serde_json::{Map, Value};

/// Greatest number of evaluations of a request. Chosen here: more would take days.
const MAX_EVALUATIONS: u32 = 100_000;
/// Particles of a swarm (Clerc & Kennedy 2002 use 20 to 30).
const PARTICLES: u32 = 20;
/// Significant digits of a value found. Chosen here by judgement: a difference of 0.1 % in a parameter is smaller than
/// what replicates can tell.
const DIGITS: usize = 4;

impl Session {
    /// Searches the declared bounds of some parameters for the best mean of one measure over replicates.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where a capture is not open, [`crate::Code::Request`] for an unknown measure, algorithm or
    /// parameter, no parameter to search, a number or rule out of range, channel `recorded`, or one that the capture
    /// does not support, [`crate::Code::Cancelled`].
    pub fn optimise(&self, request: &OptimiseRequest, progress: &mut dyn Progress) -> Result<OptimisedView, Error> {
        let objective = checked(request)?;
        let training = self.capture(request.capture)?;
        training.prepare(request.channel, &mut base::Part::new(progress, 0, 0, 0))?;
        let held_out = request.hold_out.map(|id| self.capture(id)).transpose()?;
        if let Some(held_out) = &held_out {
            held_out.prepare(request.channel, &mut base::Part::new(progress, 0, 0, 0))?;
        }
        let algorithm_set = self.algorithm_set();
        let base = runs::resolve(&algorithm_set, &request.algorithm)?;
        let axes = searched(&base, &request.over)?;
        let start = start(&base, &axes);
        let question = Question { request, base: &base, axes: &axes };

        let total = u64::from(request.evaluations);
        let mut asked = 0_u64;
        let mut failed: Option<Error> = None;
        let mut ask = |at: &[f64]| {
            if failed.is_some() {
                return f64::NAN;
            }
            if progress.tick(asked, total).is_break() {
                failed = Some(Error::cancelled());
                return f64::NAN;
            }
            asked += 1;
            match question.run(&training, &request.part, at) {
                Ok(result) => cost(&result, objective),
                Err(error) => {
                    failed = Some(error);
                    f64::NAN
                }
            }
        };
        let found = search(request, &axes, &start, &mut ask);
        // Values are rounded as a preset file has them, and the start stays where they are no better.
        let rounded: Vec<f64> = axes.iter().zip(&found.at).map(|(axis, &value)| rounded(axis, value)).collect();
        let better = ask(&rounded) < ask(&start);
        if let Some(error) = failed {
            return Err(error);
        }
        let best = if better { rounded } else { start.clone() };
        let mut effects = vec![question.effect(&training, &request.part, (&start, &best), false)?];
        if let Some(opened) = &held_out {
            effects.push(question.effect(opened, &request.hold_out_part, (&start, &best), true)?);
        }
        let after = values(&axes, &best);
        let preset = preset(
            request,
            &base,
            algorithm_set.spec(&request.algorithm.id).map_or(base.id.as_str(), |s| s.name),
            &after,
            objective,
            &training,
        );
        Ok(OptimisedView {
            algorithm: request.algorithm.id.clone(),
            objective: objective.name().to_owned(),
            smaller_is_better: !objective.more_is_better(),
            method: request.method,
            evaluations: u32::try_from(found.evaluations).unwrap_or(u32::MAX),
            before: values(&axes, &start),
            after,
            check: check(&effects, objective),
            worse: effects.first().map_or_else(Vec::new, |searched| worse(searched, objective)),
            effects,
            preset,
        })
    }
}

/// Checks the part of a search that does not depend on the capture, and returns its objective.
fn checked(request: &OptimiseRequest) -> Result<MetricName, Error> {
    runs::check_replicates(request.replicates)?;
    if !(1..=MAX_EVALUATIONS).contains(&request.evaluations) {
        let asked = request.evaluations;
        return Err(Error::request(format!("{asked} evaluations: 1 to {MAX_EVALUATIONS} are possible.")));
    }
    let objective = objective(&request.objective)?;
    if request.channel == ChannelKind::Recorded {
        return Err(Error::request(
            "A search needs a model of the channel, and `recorded` has none: it knows only copies that were sent. Choose another.",
        ));
    }
    request.policy.check()?;
    Ok(objective)
}

/// Returns the axes of the parameters `over` of `base`, at least one; errs for a name that is no numeric parameter.
fn searched(base: &AlgorithmChoice, over: &[String]) -> Result<Vec<Axis>, Error> {
    let names: Vec<&str> = over.iter().map(String::as_str).collect();
    let axes = axes(&base.id, &names).map_err(Error::request)?;
    if axes.is_empty() {
        let spec = rto::spec(&base.id).map_or(&[][..], |spec| spec.params.as_slice());
        let known: Vec<&str> = spec.iter().filter_map(Axis::of).map(|axis| axis.name).collect();
        return Err(Error::request(format!(
            "Name at least one parameter to search; `{}` has {}.",
            base.id,
            if known.is_empty() { "none that is a number".to_owned() } else { known.join(", ") }
        )));
    }
    Ok(axes)
}

/// Compares the effect on the held-out capture with that on the searched one.
fn check(effects: &[EffectView], objective: MetricName) -> CheckKind {
    // Improvements are positive: the least that the 90 % interval holds, and the mean.
    let gain = |effect: &EffectView| -> Option<(f64, f64)> {
        let &DifferenceView { mean, lo90, hi90, .. } = effect.difference.get(objective.name())?;
        Some(if objective.more_is_better() { (lo90, mean) } else { (-hi90, -mean) })
    };
    let of = |held_out: bool| effects.iter().find(|effect| effect.held_out == held_out).map(gain);
    match (of(false).flatten(), of(true)) {
        (Some((_, gain)), _) if gain <= 0.0 => CheckKind::NotBetter,
        (None, _) => CheckKind::NotBetter,
        (_, None) => CheckKind::NotChecked,
        (_, Some(Some((least, _)))) if least > 0.0 => CheckKind::Holds,
        (_, Some(Some((_, mean)))) if mean > 0.0 => CheckKind::Unclear,
        (_, Some(_)) => CheckKind::OverFitted,
    }
}

/// Returns the names of measures of [`PRICE`] that surely became worse: all of the 90 % interval is worse.
fn worse(effect: &EffectView, objective: MetricName) -> Vec<String> {
    let surely = |name: MetricName| {
        let change = effect.difference.get(name.name());
        change.is_some_and(|d| if name.more_is_better() { d.hi90 < 0.0 } else { d.lo90 > 0.0 })
    };
    PRICE.into_iter().filter(|&name| name != objective && surely(name)).map(|name| name.name().to_owned()).collect()
}

fn search(request: &OptimiseRequest, axes: &[Axis], start: &[f64], ask: &mut dyn FnMut(&[f64]) -> f64) -> Found {
    let evaluations = request.evaluations;
    match request.method {
        MethodKind::NelderMead => nelder_mead(axes, start, evaluations as usize, ask),
        MethodKind::Swarm => {
            let particles = PARTICLES.min(evaluations).max(1);
            // The first evaluation of every particle is not an iteration.
            let iterations = (evaluations / particles).saturating_sub(1);
            let shape =
                Swarm { seed: u64::from(request.seed), particles: particles as usize, iterations: iterations as usize };
            swarm(axes, shape, ask)
        }
    }
}

/// Finds the measure called `name`, or one of the two short names; errs for an unknown one.
fn objective(name: &str) -> Result<MetricName, Error> {
    match name {
        "completion" => Ok(MetricName::DurationMean),
        "retransmissions" => Ok(MetricName::RetriesMean),
        _ => MetricName::from_name(name).ok_or_else(|| {
            let known: Vec<&str> = MetricName::ALL.iter().map(|m| m.name()).collect();
            Error::request(format!(
                "There is no measure `{name}`; there are: completion, retransmissions, {}.",
                known.join(", ")
            ))
        }),
    }
}

/// Returns the quantity to minimise: the mean of the measure, negated where more is better; NaN where undefined.
fn cost(result: &RunResult, objective: MetricName) -> f64 {
    let mean = result.get(objective).mean.unwrap_or(f64::NAN);
    if objective.more_is_better() { -mean } else { mean }
}

/// Returns the values of `base`, one per axis, in natural units; NaN where one is no number.
fn start(base: &AlgorithmChoice, axes: &[Axis]) -> Vec<f64> {
    let declared = |name: &str| {
        let param = rto::spec(&base.id)?.params.iter().find(|p| p.name == name)?;
        match &param.default {
            ParamValue::Number(number) => Some(*number),
            ParamValue::Text(text) => Ratio::parse(text).map(Ratio::as_f64),
        }
    };
    let set = |name: &str| match base.params.get(name)? {
        Value::String(text) => Ratio::parse(text).map(Ratio::as_f64),
        other => other.as_f64(),
    };
    axes.iter().map(|axis| set(axis.name).or_else(|| declared(axis.name)).unwrap_or(f64::NAN)).collect()
}

/// Returns `value` with [`DIGITS`] significant digits, within its axis. Within those digits of an end of its axis, it
/// is the end: steps that halve come ever closer to zero, and never there.
fn rounded(axis: &Axis, value: f64) -> f64 {
    let near = 0.1_f64.powi(DIGITS as i32);
    match axis.share(value) {
        share if share < near => return axis.min,
        share if share > 1.0 - near => return axis.max,
        _ => {}
    }
    let text = format!("{value:.*e}", DIGITS - 1);
    text.parse().unwrap_or(value).clamp(axis.min, axis.max)
}

fn values(axes: &[Axis], at: &[f64]) -> Map<String, Value> {
    let Value::Object(values) = rto::optimise::overrides(axes, at) else { return Map::new() };
    values
}

/// The parts that every evaluation shares.
struct Question<'a> {
    request: &'a OptimiseRequest,
    base: &'a AlgorithmChoice,
    axes: &'a [Axis],
}

impl Question<'_> {
    fn run(&self, opened: &Opened, part: &PartView, at: &[f64]) -> Result<RunResult, Error> {
        let mut algorithm = self.base.clone();
        algorithm.params.extend(values(self.axes, at));
        let key = runs::Key {
            capture: self.request.capture,
            algorithm,
            channel: self.request.channel,
            workload: self.request.workload,
            seed: self.request.seed,
            replicates: self.request.replicates,
            part: part.clone(),
            bounds: Bounds::Skip,
            policy: self.request.policy,
            replicate: 0,
        };
        Ok(opened.replay.run(&key.scenario(), &mut Silent)?)
    }

    /// Returns the effect of the step from `start` to `best` on `part` of a capture.
    fn effect(
        &self,
        opened: &Opened,
        part: &PartView,
        (start, best): (&[f64], &[f64]),
        held_out: bool,
    ) -> Result<EffectView, Error> {
        let (before, after) = (self.run(opened, part, start)?, self.run(opened, part, best)?);
        let view = opened.view(0);
        Ok(EffectView {
            capture: view.name,
            sha256: view.sha256,
            held_out,
            part: part.said(opened),
            before: runs::metrics(&before),
            after: runs::metrics(&after),
            difference: runs::differences(&after, &before),
        })
    }
}

/// Returns a preset file (TOML) of one preset with the values found.
fn preset(
    request: &OptimiseRequest,
    base: &AlgorithmChoice,
    name: &str,
    after: &Map<String, Value>,
    objective: MetricName,
    training: &Opened,
) -> String {
    /// Greatest lengths of name and id, characters, such that ` tuned` and `_tuned` fit the limits of [`rto::user`].
    const NAME: usize = 18;
    const ID: usize = 34;
    let view = training.view(0);
    let method = match request.method {
        MethodKind::NelderMead => "Nelder-Mead",
        MethodKind::Swarm => "particle swarm",
    };
    let mut params = base.params.clone();
    params.extend(after.clone());
    let id: String = request.algorithm.id.chars().take(ID).collect();
    let name: String = name.chars().take(NAME).collect();
    let rules = request.policy.said().map_or_else(String::new, |rules| format!(", rules: {rules}"));
    let part = request.part.said(training).map_or_else(String::new, |part| format!(", replayed: {part}"));
    let citation = format!(
        "rtoscope optimise: {} on {} (SHA-256 {}), {method}, channel {}, at most {} evaluations, {} replicates, seed {}{rules}{part}",
        objective.name(),
        view.name,
        view.sha256,
        request.channel.label(),
        request.evaluations,
        request.replicates,
        request.seed
    );
    to_toml(&[UserPreset {
        id: format!("{id}_tuned"),
        name: format!("{} tuned", name.trim_end()),
        base: base.id.clone(),
        description: format!("{} with {} found on a capture.", request.algorithm.id, request.over.join(", ")),
        citation,
        params,
        at: None,
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_to_an_end_is_there() {
        let axes = rto::optimise::axes("cocoa_plus", &["k_strong", "weight_weak", "rto_initial"]).unwrap();
        let [k, weight, initial] = &axes[..] else { panic!("three axes") };
        // Smaller is better, down to nothing; the search halves its steps, so it ends a little above.
        let found = nelder_mead(&axes[1..2], &[0.25], 60, |at: &[f64]| at[0]);
        assert!(found.at[0] > 0.0 && found.at[0] < 1e-3, "{found:?}");
        assert_eq!((weight.min, rounded(weight, found.at[0])), (0.0, 0.0));
        assert_eq!(rounded(weight, 6.104e-6), 0.0);
        assert_eq!(rounded(k, k.max * 0.999_99), k.max);
        assert_eq!(rounded(initial, initial.min * 1.000_1), initial.min);
        // Elsewhere four digits stay.
        assert_eq!(rounded(k, 1.234_567), 1.235);
        assert_eq!(rounded(weight, 0.012_345_67), 0.012_35);
        assert_eq!(rounded(initial, 0.021_345_67), 0.021_35);
    }
}
