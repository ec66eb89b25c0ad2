//! Timers of a study as figures name and colour them.

use crate::figure::shape::small;
use crate::view::FigureSeries;
use serde_json::Map;
use study::{Spec, Timer};

/// Timers of a figure in the order of the study; several that it takes for one stand together.
pub struct Timers(Vec<Shown>);

/// A timer of a figure: labels of the study that it stands for, and its series.
struct Shown {
    labels: Vec<String>,
    series: FigureSeries,
}

/// Name of the series of real runs.
const REAL: &str = "Real runs";

impl Timers {
    /// Returns all timers of a study, one each.
    pub fn of(spec: &Spec) -> Self {
        let mut timers = Self(Vec::new());
        for timer in &spec.timers {
            let long = name(timer);
            let is_alone = |short: &String| {
                !spec.timers.iter().any(|other| other != timer && shorter(other).as_ref() == Some(short))
            };
            let name = shorter(timer).filter(is_alone).unwrap_or(long);
            let is_taken = timers.0.iter().any(|shown| shown.series.behaviour == name);
            timers.add(timer, if is_taken { timer.label.clone() } else { name });
        }
        timers
    }

    /// Returns the timers that have the parameter `left_out`: those that differ in its value only are one.
    pub fn but_for(spec: &Spec, left_out: &str) -> Self {
        let mut timers = Self(Vec::new());
        let has_it = |timer: &&Timer| {
            rto::spec(&timer.algorithm).is_some_and(|known| known.params.iter().any(|param| param.name == left_out))
        };
        for timer in spec.timers.iter().filter(has_it) {
            let name = name_without(timer, left_out);
            match timers.0.iter_mut().find(|shown| shown.series.behaviour == name) {
                Some(shown) => shown.labels.push(timer.label.clone()),
                None => timers.add(timer, name),
            }
        }
        timers
    }

    fn add(&mut self, timer: &Timer, name: String) {
        let order = rto::specs().iter().position(|known| known.id == timer.algorithm);
        let is_variant = |shown: &&Shown| shown.series.algorithm.as_ref() == Some(&timer.algorithm);
        let series = FigureSeries {
            name: name.clone(),
            behaviour: name,
            captures: String::new(),
            algorithm: Some(timer.algorithm.clone()),
            order: order.map(small),
            variant: small(self.0.iter().filter(is_variant).count()),
            group: 0,
            reading: rto::spec(&timer.algorithm).is_some_and(|known| known.reading),
        };
        self.0.push(Shown { labels: vec![timer.label.clone()], series });
    }

    /// Returns the series of the figure: the timers, and at the end that of real runs.
    pub fn series(&self) -> Vec<FigureSeries> {
        let real = FigureSeries {
            name: REAL.to_owned(),
            behaviour: REAL.to_owned(),
            captures: String::new(),
            algorithm: None,
            order: None,
            variant: 0,
            group: 0,
            reading: false,
        };
        self.0.iter().map(|shown| shown.series.clone()).chain([real]).collect()
    }

    /// Returns the position of the series of real runs, from 0.
    pub fn real(&self) -> u32 {
        small(self.0.len())
    }

    /// Returns the position, from 0, of the timer with this label; `None` where the figure leaves it out.
    pub fn position(&self, label: &str) -> Option<usize> {
        self.0.iter().position(|shown| shown.labels.iter().any(|own| own == label))
    }

    /// Whether one of them stands for several timers of the study.
    pub fn has_merged(&self) -> bool {
        self.0.iter().any(|shown| shown.labels.len() > 1)
    }

    /// Returns the names of the timers, in their order.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|shown| shown.series.behaviour.clone()).collect()
    }
}

/// Returns the registry's name for people with the study's values; a preset of the user keeps its label.
fn name(timer: &Timer) -> String {
    let id = timer.label.split(':').next().unwrap_or_default();
    match rto::spec(&timer.algorithm).filter(|known| known.id == id) {
        Some(known) => known.named(&timer.params),
        None => timer.label.clone(),
    }
}

/// Most values that a name says. Chosen here: more are read as a list, which no label has room for.
const SAID: usize = 2;
/// Longest name that says several values, characters. Chosen here: three lines of fifteen, the room below a bar where
/// five timers share a panel 460 px wide.
const LONGEST: usize = 45;

/// A short name of a timer whose values are too many or too long for a label; it counts them.
fn shorter(timer: &Timer) -> Option<String> {
    let known = rto::spec(&timer.algorithm)?;
    let values = timer.params.len();
    let is_long = values > SAID || values > 1 && known.named(&timer.params).chars().count() > LONGEST;
    is_long.then(|| format!("{}, {values} values set", known.name))
}

/// Returns the same name without the value of the parameter `left_out`.
fn name_without(timer: &Timer, left_out: &str) -> String {
    let params: Map<_, _> = timer
        .params
        .iter()
        .filter(|(name, _)| *name != left_out)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let (id, values) = timer.label.split_once(':').unwrap_or((&timer.label, ""));
    let kept: Vec<&str> =
        values.split(',').filter(|value| !value.is_empty() && value.split('=').next() != Some(left_out)).collect();
    let label = if kept.is_empty() { id.to_owned() } else { format!("{id}:{}", kept.join(",")) };
    name(&Timer { label, algorithm: timer.algorithm.clone(), params })
}

#[cfg(test)]
mod tests {
    use super::*;
    use study::Draft;

    #[test]
    fn many_values_are_counted_where_that_tells_timers_apart() {
        let timer = |rto_max: u32| {
            format!(
                "[[timers]]\nalgorithm = \"cocoa_plus\"\nparams = {{ k_weak = 2, k_strong = 3, rto_max = {rto_max} }}\n"
            )
        };
        let names = |timers: &str| {
            let draft = Draft::read(&format!("[[captures]]\npaths = \"*.pcap\"\n{timers}")).unwrap();
            Timers::of(&draft.check(&rto::AlgorithmSet::default()).unwrap()).names()
        };
        assert_eq!(names(&timer(32)), ["CoCoA+, 3 values set"]);
        let both = names(&format!("{}{}", timer(32), timer(40)));
        assert!(both[0] != both[1] && both.iter().all(|name| !name.contains("set")), "{both:?}");
        // Two values are said where they are short.
        let two =
            |id: &str, params: &str| names(&format!("[[timers]]\nalgorithm = \"{id}\"\nparams = {{ {params} }}\n"));
        assert_eq!(two("cocoa_plus", "k_weak = 2, rto_max = 32").len(), 1);
        assert!(!two("cocoa_plus", "k_weak = 2, rto_max = 32")[0].contains("set"));
        let long = two("cocoa_demir2018", "vbf_key = \"dithered\", rto_max = 32");
        assert_eq!(long, ["CoCoA, Demir & Abut, 2 values set"]);
    }

    #[test]
    fn timers_that_differ_in_one_parameter_are_one_line() {
        let text = "[[captures]]\npaths = \"*.pcap\"\n[[timers]]\nalgorithm = \"coap_default\"\n[[timers]]\nalgorithm = \"cocoa_plus\"\n\
                    params = { k_weak = 2 }\ngrid = { rto_max = [32, 40] }\n[[timers]]\nalgorithm = \"cocoa_plus\"\n";
        let spec = Draft::read(text).unwrap().check(&rto::AlgorithmSet::default()).unwrap();
        let all = Timers::of(&spec);
        assert_eq!(all.names().len(), 4);
        assert_eq!(
            [&all.names()[0], &all.names()[3]],
            [rto::spec("coap_default").unwrap().name, rto::spec("cocoa_plus").unwrap().name]
        );
        assert_eq!(all.series().iter().map(|series| series.variant).collect::<Vec<_>>(), [0, 0, 1, 2, 0]);
        let lines = Timers::but_for(&spec, "rto_max");
        assert_eq!(lines.names().len(), 2, "{:?}", lines.names());
        let labels: Vec<&str> = spec.timers.iter().map(|timer| timer.label.as_str()).collect();
        assert_eq!(
            labels.iter().map(|label| lines.position(label)).collect::<Vec<_>>(),
            [None, Some(0), Some(0), Some(1)]
        );
    }
}
