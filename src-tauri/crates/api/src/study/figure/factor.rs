//! Factor plot: a measure over a tag or a parameter, a line a timer.

use super::timers::Timers;
use super::{Drawn, Source, share_axes, values};
use crate::Error;
use crate::figure::percent;
use crate::figure::shape::{axis, categories, panel, small};
use crate::view::{AxisKind, AxisView, LineLook, MarkView};
use std::collections::BTreeSet;
use study::{Group, Spec, listing};

/// Keys of groups that are neither tag nor parameter.
const FIXED: [&str; 4] = ["scenario", "timer", "channel", "algorithm"];

/// Draws the mean of each timer at each value of `over` with its interval and its letters. Where each scenario has
/// several values, each has a panel; otherwise scenarios are pooled. Errs where `over` does not exist or names the
/// timers.
pub fn draw(source: &Source<'_>, over: Option<&str>) -> Result<Drawn, Error> {
    let over = over.map(str::to_owned).or_else(|| factors(source).into_iter().next()).ok_or_else(|| {
        Error::request(
            "Neither a parameter nor a tag of this study has two values: name one with --over, or tag its captures.",
        )
    })?;
    if ["timer", "algorithm", "channel"].contains(&&*over) {
        return Err(Error::request(format!(
            "Lines are timers; `{over}` cannot be the axis. Name a tag or a parameter."
        )));
    }
    let is_tag = FIXED.contains(&&*over) || source.rows.iter().any(|row| row.tags.contains_key(&over));
    let timers = if is_tag { Timers::of(&source.plan.spec) } else { Timers::but_for(&source.plan.spec, &over) };
    let by_scenario = has_several_each(source, &over)?;
    let keys = [&over, "timer", "channel", "scenario"];
    let asked = source.asked(if by_scenario { &keys } else { &keys[..3] }, None);
    let groups: Vec<Group> = source
        .groups(&asked)?
        .into_iter()
        .filter(|group| group.keys.first().is_some_and(|value| !value.is_empty()))
        .collect();
    let places = values(&groups, 0);
    let (axis, is_number) = axis_of(source, &over, &places);
    let mut panels = Vec::new();
    for scenario in if by_scenario { values(&groups, 3) } else { vec![String::new()] } {
        for channel in source.channels() {
            let is_here = |group: &&Group| {
                group.keys.get(2).is_some_and(|of| of == channel)
                    && (!by_scenario || group.keys.get(3) == Some(&scenario))
            };
            let here: Vec<&Group> = groups.iter().filter(is_here).collect();
            let marks = lines(source, &timers, &here, &places, is_number);
            let rule = format!("mean over runs by {over}; band: {} % interval", percent(source.level));
            panels.push(panel(&source.titled(&scenario, channel), &rule, axis.clone(), source.axis(), marks));
        }
    }
    let level = percent(source.level);
    let mut caption = vec![format!(
        "Letters: Tukey's HSD at {level} % among the timers at one value; those that share one do not differ, a has the greatest mean."
    )];
    caption.extend(share_axes(&mut panels));
    let is_left_out = |timer: &&study::Timer| timers.position(&timer.label).is_none();
    let left_out: Vec<&str> =
        source.plan.spec.timers.iter().filter(is_left_out).map(|timer| timer.label.as_str()).collect();
    if !left_out.is_empty() {
        caption.push(format!("Timers without this parameter: {}.", left_out.join(", ")));
    }
    if !by_scenario
        && over != "scenario"
        && source.rows.iter().any(|row| Some(&row.scenario) != source.rows.first().map(|first| &first.scenario))
    {
        caption.push("Scenarios are pooled: not each of them has several values.".to_owned());
    }
    let missing =
        if places.len() < 2 { vec![format!("A line needs two values of `{over}` or more.")] } else { Vec::new() };
    Ok(Drawn { title: "Factor", series: timers.series(), panels, caption, missing, table: listing(&groups, &asked) })
}

/// Returns the parameters in which alone two timers of the study differ, then the tags with several values that name
/// neither scenario, seed nor timer.
pub fn factors(source: &Source<'_>) -> Vec<String> {
    let parameters = parameters(&source.plan.spec);
    let tags: BTreeSet<&String> = source.rows.iter().flat_map(|row| row.tags.keys()).collect();
    let is_factor = |tag: &&String| {
        let values: BTreeSet<_> = source.rows.iter().filter_map(|row| row.tags.get(*tag)).collect();
        !["scenario", "seed", "timer"].contains(&tag.as_str()) && values.len() > 1
    };
    parameters.into_iter().chain(tags.into_iter().filter(is_factor)).cloned().collect()
}

/// Returns the parameters over which a line has two points: those in which alone two timers differ.
fn parameters(spec: &Spec) -> Vec<&String> {
    let mut found: Vec<&String> = Vec::new();
    for name in spec.timers.iter().flat_map(|timer| timer.params.keys()) {
        if !found.contains(&name) && Timers::but_for(spec, name).has_merged() {
            found.push(name);
        }
    }
    found
}

/// Whether every scenario has several values of `over`.
fn has_several_each(source: &Source<'_>, over: &str) -> Result<bool, Error> {
    let groups = source.groups(&source.asked(&["scenario", over], None))?;
    let mut families = groups.chunk_by(|a, b| a.keys.first() == b.keys.first());
    Ok(families.all(|family| values(family, 1).iter().filter(|value| !value.is_empty()).count() > 1))
}

/// Returns the horizontal axis of the values `places`, and whether they are numbers.
fn axis_of(source: &Source<'_>, over: &str, places: &[String]) -> (AxisView, bool) {
    let declared = |timer: &study::Timer| rto::spec(&timer.algorithm)?.params.iter().find(|param| param.name == over);
    let declared = source.plan.spec.timers.iter().find_map(declared);
    let label = declared.map_or(over, |param| param.label);
    let unit = if declared.is_some_and(|param| param.unit == rto::Unit::Seconds) { "s" } else { "" };
    let is_number = places.iter().all(|place| place.parse::<f64>().is_ok_and(f64::is_finite));
    match is_number {
        true => (axis(AxisKind::Linear, label, unit), true),
        false => (categories(label, places.to_vec()), false),
    }
}

fn lines(source: &Source<'_>, timers: &Timers, groups: &[&Group], places: &[String], is_number: bool) -> Vec<MarkView> {
    let mut marks = Vec::new();
    for (at, _) in timers.names().iter().enumerate() {
        let (mut points, mut band, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        for (index, place) in places.iter().enumerate() {
            let x = place.parse().ok().filter(|_| is_number).unwrap_or(index as f64);
            let is_own = |group: &&&Group| {
                let label = group.keys.get(1).and_then(|label| timers.position(label));
                group.keys.first() == Some(place) && label == Some(at)
            };
            let Some((group, mean)) = groups.iter().find(is_own).and_then(|group| Some((group, group.mean?))) else {
                continue;
            };
            let shown = |value| source.measure.shown(value);
            points.push([x, shown(mean)]);
            band.push(group.interval.map_or([shown(mean); 2], |of| [shown(of.lo), shown(of.hi)]));
            labels.push(group.letters.clone().unwrap_or_default());
        }
        if !points.is_empty() {
            let look = LineLook::Series;
            marks.push(MarkView::Line { series: small(at), points, band, look, right: false, markers: true, labels });
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use study::Draft;

    #[test]
    fn a_parameter_is_a_factor_where_a_line_over_it_has_two_points() {
        let parameters = |timers: &[(&str, &str)]| {
            let timer = |(id, rest): &(&str, &str)| format!("[[timers]]\nalgorithm = \"{id}\"\n{rest}\n");
            let timers: String = timers.iter().map(timer).collect();
            let draft = Draft::read(&format!("[[captures]]\npaths = \"*.pcap\"\n{timers}")).unwrap();
            let spec = draft.check(&rto::AlgorithmSet::default()).unwrap();
            parameters(&spec).into_iter().cloned().collect::<Vec<_>>()
        };
        // Two algorithms with a value each would be two lines of one point.
        let apart = [("cocoa_plus", "params = { rto_max = 32 }"), ("rfc6298_coap", "params = { rto_max = 60 }")];
        assert_eq!(parameters(&apart), Vec::<String>::new());
        assert_eq!(parameters(&[("cocoa_plus", "grid = { rto_max = [32, 60] }")]), ["rto_max"]);
        // The preset's own value is the other point.
        assert_eq!(
            parameters(&[("coap_default", ""), ("coap_default", "params = { ack_timeout = 3 }")]),
            ["ack_timeout"]
        );
        let both = [("cocoa_plus", "grid = { rto_max = [32, 60], k_weak = [1, 2] }")];
        assert_eq!(parameters(&both).len(), 2);
    }
}
