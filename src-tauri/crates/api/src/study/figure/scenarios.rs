//! Small multiples: a panel for each scenario, a bar for each timer.

use super::{Drawn, Source, share_axes};
use crate::Error;
use crate::figure::percent;
use crate::figure::shape::{categories, dot_key, panel};
use crate::view::{DotShape, MarkView};
use study::{Group, listing};

/// Draws the mean of each timer in each scenario with its interval, its letters, and the value of real runs.
///
/// # Errors
/// [`crate::Code::Request`] where a key does not exist.
pub fn draw(source: &Source<'_>) -> Result<Drawn, Error> {
    let asked = source.asked(&["scenario", "timer", "channel"], None);
    let groups = source.groups(&asked)?;
    let mut panels = Vec::new();
    for family in groups.chunk_by(|a, b| a.keys.first() == b.keys.first()) {
        let scenario = family.first().and_then(|group| group.keys.first()).map_or("", String::as_str);
        for channel in source.channels() {
            let here: Vec<&Group> =
                family.iter().filter(|group| group.keys.get(2).is_some_and(|of| of == channel)).collect();
            let rule = format!("mean over runs, {} % interval", percent(source.level));
            let x = categories("", source.timers.names());
            let mut panel = panel(&source.titled(scenario, channel), &rule, x, source.axis(), marks(source, &here));
            if here.iter().any(|group| group.real.is_some()) {
                panel.key.push(dot_key("Real runs under this timer", DotShape::Ring));
            }
            panels.push(panel);
        }
    }
    let level = percent(source.level);
    let mut caption = vec![format!(
        "Letters: Tukey's HSD at {level} %; timers of a panel that share one do not differ, a has the greatest mean."
    )];
    let real: usize = groups.iter().filter_map(|group| Some(group.real?.runs)).sum();
    caption.push(match real {
        0 => "No capture is known to have run one of these timers.".to_owned(),
        _ => "Ring: mean of the captures in which this timer really ran, as recorded.".to_owned(),
    });
    caption.extend(share_axes(&mut panels));
    let missing = Vec::new();
    let (series, table) = (source.timers.series(), listing(&groups, &asked));
    Ok(Drawn { title: "Scenarios and timers", series, panels, caption, missing, table })
}

fn marks(source: &Source<'_>, groups: &[&Group]) -> Vec<MarkView> {
    let (mut marks, mut real) = (Vec::new(), Vec::new());
    for group in groups {
        let Some(at) = group.keys.get(1).and_then(|label| source.timers.position(label)) else { continue };
        let x = at as f64;
        if let Some(mean) = group.mean {
            marks.push(MarkView::Bar {
                series: crate::figure::shape::small(at),
                x,
                slot: 0,
                slots: 1,
                value: source.measure.shown(mean),
                interval: group.interval.map(|of| [of.lo, of.hi].map(|end| source.measure.shown(end))),
                most: None,
                label: group.letters.clone(),
            });
        }
        real.extend(group.real.map(|of| [x, source.measure.shown(of.mean)]));
    }
    if !real.is_empty() {
        marks.push(MarkView::Dots { series: source.timers.real(), points: real, shape: DotShape::Ring });
    }
    marks
}
