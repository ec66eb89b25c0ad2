//! Checks of a study's file: names that exist, values that are possible, grids that end.

use super::read::{Captures, Draft, OneOrMore, Timers};
use super::{CaptureSet, Mistake, Mistakes, Part, Rules, Spec, Timer};
use crate::Pattern;
use replay::{ChannelSpec, MetricName, Scenario};
use rto::AlgorithmSet;
use serde_json::{Map, Value};
use std::ops::Range;
use toml::Spanned;

/// Most timers of a study, grids expanded. Chosen here: a table of more has no reader, and a longer grid is a typing
/// error.
const MOST_TIMERS: usize = 10_000;
/// Most replicates of a task: the limit that `api` has for a replay, too (`MAX_REPLICATES`, `api/src/runs.rs`).
const MOST_REPLICATES: u32 = 10_000;
/// Measures that tables show where the study names none: those that Compare shows by default, and the loss of
/// exchanges.
const MEASURES: [MetricName; 5] = [
    MetricName::DurationMean,
    MetricName::DurationP95,
    MetricName::RetriesMean,
    MetricName::SpuriousAll,
    MetricName::PlrExchange,
];
/// Longest time of a rule, seconds. Chosen here: a year, which 64-bit nanoseconds count without overflow.
const LONGEST: f64 = 366.0 * 86_400.0;

/// Draft under check, with the mistakes found so far.
struct Checked<'a> {
    draft: &'a Draft,
    mistakes: Vec<Mistake>,
}

impl Checked<'_> {
    /// Adds a mistake at `span`, octets of the file.
    fn wrong(&mut self, span: &Range<usize>, problem: impl Into<String>) {
        self.mistakes.push(Mistake { at: Some(self.draft.place(span)), problem: problem.into() });
    }
}

impl Draft {
    /// Checks the file and expands its grids; `algorithms` are those of the registry and of the preset files that it
    /// names.
    ///
    /// # Errors
    /// All mistakes: a pattern, timer, parameter, channel, measure or baseline that does not exist, a value that is not
    /// possible.
    pub fn check(&self, algorithms: &AlgorithmSet) -> Result<Spec, Mistakes> {
        let mut checked = Checked { draft: self, mistakes: Vec::new() };
        let file = &self.file;
        if file.captures.get_ref().is_empty() {
            checked.wrong(&file.captures.span(), "no captures; name some with [[captures]] and paths = \"…\"");
        }
        let captures = file.captures.get_ref().iter().map(|set| captures(&mut checked, set)).collect();
        let mut timers = Vec::new();
        for timer in file.timers.get_ref() {
            expand(&mut checked, timer, algorithms, &mut timers);
        }
        if file.timers.get_ref().is_empty() {
            checked.wrong(&file.timers.span(), "no timers; name some with [[timers]] and algorithm = \"…\"");
        }
        let channels = channels(&mut checked, file.channels.as_ref());
        let seeds = file.seeds.as_ref().map_or_else(|| vec![1], |seeds| seeds.get_ref().clone());
        if let Some(given) = file.seeds.as_ref().filter(|given| is_empty_or_repeats(given.get_ref())) {
            checked.wrong(&given.span(), "seeds are one or more different whole numbers");
        }
        let replicates = file.replicates.as_ref().map_or(Scenario::REPLICATES, |given| *given.get_ref());
        if let Some(given) = file.replicates.as_ref().filter(|_| !(1..=MOST_REPLICATES).contains(&replicates)) {
            checked.wrong(&given.span(), format!("{replicates} replicates: 1 to {MOST_REPLICATES} are possible"));
        }
        let workload = workload(&mut checked, file.workload.as_ref());
        let part = part(&mut checked, self);
        let rules = rules(&mut checked, file.rules.as_ref());
        let measures = measures(&mut checked, file.measures.as_deref());
        let baseline = baseline(&mut checked, file.baseline.as_ref(), &timers);
        if !checked.mistakes.is_empty() {
            checked.mistakes.sort_by_key(|mistake| mistake.at);
            return Err(Mistakes(checked.mistakes));
        }
        Ok(Spec {
            name: file.name.clone(),
            captures,
            timers,
            channels,
            seeds,
            replicates,
            another_run: file.another_run.unwrap_or(true),
            workload,
            part,
            rules,
            measures,
            baseline,
        })
    }
}

fn is_empty_or_repeats<T: Ord + Clone>(values: &[T]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.is_empty() || sorted.len() < values.len()
}

fn captures(checked: &mut Checked<'_>, set: &Captures) -> CaptureSet {
    let mut patterns = |given: &Spanned<OneOrMore>| -> Vec<Pattern> {
        let texts = match given.get_ref() {
            OneOrMore::One(text) => std::slice::from_ref(text),
            OneOrMore::More(texts) => texts,
        };
        if texts.is_empty() {
            checked.wrong(&given.span(), "no pattern; write one such as \"runs/{scenario}/*.pcap\"");
        }
        let mut parse = |text: &String| match Pattern::parse(text) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                checked.wrong(&given.span(), format!("`{text}`, {error}"));
                None
            }
        };
        texts.iter().filter_map(&mut parse).collect()
    };
    CaptureSet {
        paths: patterns(&set.paths),
        exclude: set.exclude.as_ref().map(&mut patterns).unwrap_or_default(),
        tags: set.tags.clone(),
        rc_option: set.rc_option,
        ports: set.ports.clone(),
    }
}

/// Adds the timers of one entry to `timers`: every value of each parameter of its grid with every value of the others.
fn expand(checked: &mut Checked<'_>, entry: &Timers, algorithms: &AlgorithmSet, timers: &mut Vec<Timer>) {
    let id = entry.algorithm.get_ref();
    if algorithms.spec(id).is_none() {
        let all = "`rtoscope algorithms` lists all";
        return checked.wrong(&entry.algorithm.span(), format!("there is no algorithm `{id}`; {all}"));
    }
    let fixed: Map<String, Value> =
        entry.params.as_ref().map(|params| params.get_ref().clone().into_iter().collect()).unwrap_or_default();
    let mut combinations = vec![fixed.clone()];
    if let Some(grid) = &entry.grid {
        let many: usize = grid.get_ref().values().map(Vec::len).fold(1, usize::saturating_mul);
        if many == 0 || timers.len().saturating_add(many) > MOST_TIMERS {
            return checked
                .wrong(&grid.span(), format!("a grid of {many} timers; 1 to {MOST_TIMERS} in all are possible"));
        }
        for (name, values) in grid.get_ref() {
            if fixed.contains_key(name) {
                return checked.wrong(&grid.span(), format!("`{name}` stands in params and in grid; one is right"));
            }
            let with = |params: &Map<String, Value>, value: &Value| {
                let mut params = params.clone();
                params.insert(name.clone(), value.clone());
                params
            };
            combinations =
                combinations.iter().flat_map(|params| values.iter().map(move |value| with(params, value))).collect();
        }
    }
    for own in combinations {
        let label = label(id, &own);
        if timers.iter().any(|timer| timer.label == label) {
            checked.wrong(&entry.algorithm.span(), format!("`{label}` is in the study already"));
            continue;
        }
        let resolved = algorithms.resolve(id, &Value::Object(own));
        let (algorithm, params) = match resolved {
            Ok((base, Value::Object(params))) => (base.to_owned(), params),
            Ok(_) => (id.clone(), Map::new()),
            Err(error) => {
                checked.wrong(&entry.algorithm.span(), error.to_string());
                continue;
            }
        };
        // In a grid a combination that is refused is a row of results; a single timer is a mistake of the file.
        if entry.grid.is_none()
            && let Err(error) = rto::build(&algorithm, &Value::Object(params.clone()))
        {
            let span = entry.params.as_ref().map_or_else(|| entry.algorithm.span(), Spanned::span);
            checked.wrong(&span, error.to_string());
        }
        timers.push(Timer { label, algorithm, params });
    }
}

/// Returns the label of a timer: `id`, or `id:name=value,…` in order of the names.
#[must_use]
pub fn label(id: &str, params: &Map<String, Value>) -> String {
    let value = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let values: Vec<String> = params.iter().map(|(name, given)| format!("{name}={}", value(given))).collect();
    if values.is_empty() { id.to_owned() } else { format!("{id}:{}", values.join(",")) }
}

fn channels(checked: &mut Checked<'_>, given: Option<&Spanned<Vec<Spanned<String>>>>) -> Vec<String> {
    let Some(given) = given else { return vec![ChannelSpec::Auto.name().to_owned()] };
    let mut names = Vec::new();
    for channel in given.get_ref() {
        match ChannelSpec::from_name(&channel.get_ref().replace('-', "_")) {
            Some(ChannelSpec::Recorded { .. }) => {
                let problem = "`recorded` gives bounds and no mean; name a channel with a model, such as \"auto\"";
                checked.wrong(&channel.span(), problem);
            }
            Some(spec) => names.push(spec.name().to_owned()),
            None => {
                let modelled = ChannelSpec::ALL.iter().filter(|spec| **spec != ChannelSpec::RECORDED);
                let known: Vec<_> = modelled.map(|spec| spec.name()).collect();
                let problem =
                    format!("there is no channel `{}`; there are: auto, {}", channel.get_ref(), known.join(", "));
                checked.wrong(&channel.span(), problem);
            }
        }
    }
    if given.get_ref().is_empty() || !names.is_empty() && is_empty_or_repeats(&names) {
        checked.wrong(&given.span(), "channels are one or more different names, such as \"auto\"");
    }
    names
}

fn workload(checked: &mut Checked<'_>, given: Option<&Spanned<String>>) -> String {
    let word = given.map_or_else(|| "auto".to_owned(), |given| given.get_ref().replace('-', "_"));
    if let Some(given) = given.filter(|_| !["auto", "arrivals", "think_time"].contains(&&*word)) {
        checked.wrong(&given.span(), format!("`{word}` is none of auto, arrivals, think-time"));
    }
    word
}

fn part(checked: &mut Checked<'_>, draft: &Draft) -> Part {
    let Some(given) = &draft.file.part else { return Part::default() };
    if let Some(from) = given.from.as_ref().filter(|from| !(0.0..=LONGEST).contains(from.get_ref())) {
        checked.wrong(&from.span(), "from is a time in seconds, none below zero");
    }
    let from = given.from.as_ref().map(|from| *from.get_ref());
    Part { as_recorded: given.as_recorded.clone(), from, cold: given.cold && from.is_some() }
}

fn rules(checked: &mut Checked<'_>, given: Option<&Spanned<Rules>>) -> Rules {
    let Some(given) = given else { return Rules::default() };
    let rules = given.get_ref();
    let times = [
        ("exchange_lifetime", rules.exchange_lifetime),
        ("state_lifetime", rules.state_lifetime),
        ("processing", rules.processing),
    ];
    for (name, _) in times.iter().filter(|(_, time)| time.is_some_and(|time| !(0.0..=LONGEST).contains(&time))) {
        checked.wrong(&given.span(), format!("{name} is a time in seconds, none below zero"));
    }
    rules.clone()
}

fn measures(checked: &mut Checked<'_>, given: Option<&[Spanned<String>]>) -> Vec<MetricName> {
    let Some(given) = given else { return MEASURES.to_vec() };
    let mut measures = Vec::new();
    for name in given {
        match MetricName::from_name(name.get_ref()) {
            Some(measure) => measures.push(measure),
            None => {
                let known: Vec<_> = MetricName::ALL.iter().map(|measure| measure.name()).collect();
                let problem = format!("there is no measure `{}`; there are: {}", name.get_ref(), known.join(", "));
                checked.wrong(&name.span(), problem);
            }
        }
    }
    measures
}

fn baseline(checked: &mut Checked<'_>, given: Option<&Spanned<String>>, timers: &[Timer]) -> Option<String> {
    let given = given?;
    let name = given.get_ref();
    if !timers.iter().any(|timer| timer.label == *name) {
        let known: Vec<_> = timers.iter().take(20).map(|timer| timer.label.as_str()).collect();
        checked.wrong(&given.span(), format!("`{name}` is no timer of the study; there are: {}", known.join(", ")));
    }
    Some(name.clone())
}
