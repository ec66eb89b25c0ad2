//! Figures over the rows of a study: the numbers of its tables of groups, as marks.
//!
//! A recipe makes panels of marks and a table, as those of captures do ([`crate::figure`]). The table is the one that
//! [`super::study_groups`] gives for the same keys, measure and level.

mod factor;
mod grid;
mod scenarios;
mod timers;
mod winners;

use crate::Error;
use crate::figure::measure::Measure;
use crate::figure::{percent, shape, table_view};
use crate::view::{AxisView, FigureSeries, FigureView, MarkView, PanelView, StudyFigureKind};
use base::{Progress, Silent};
use replay::MetricName;
use std::collections::BTreeSet;
use std::path::Path;
use study::{Asked, Group, Plan, Row, groups};
use table::Listing;
use timers::Timers;

pub use grid::study_grid;

/// Request of a figure of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyFigureAsked {
    /// Kind of the figure.
    pub kind: StudyFigureKind,
    /// Measure of the figure; `None`: the first one of the study.
    pub measure: Option<MetricName>,
    /// Name of the tag or parameter on the horizontal axis of a factor plot; `None`: the first parameter with several
    /// values, else the first such tag.
    pub over: Option<String>,
    /// Level of intervals and letters, a share above 0 and below 1.
    pub level: f64,
}

/// Rows of a study, and the settings of a figure over them.
struct Source<'a> {
    plan: &'a Plan,
    rows: &'a [Row],
    measure: Measure,
    level: f64,
    timers: Timers,
}

/// Output of a recipe: title, series, panels, sentences and table.
struct Drawn {
    title: &'static str,
    series: Vec<FigureSeries>,
    panels: Vec<PanelView>,
    caption: Vec<String>,
    missing: Vec<String>,
    table: Listing<String>,
}

/// Draws a figure of the study in the folder `out`; returns it with its table.
///
/// # Errors
/// [`crate::Code::Request`] where the folder has no study, or a key does not exist.
pub fn study_figure(out: &Path, asked: &StudyFigureAsked) -> Result<(FigureView, Listing<String>), Error> {
    study_figure_slowly(out, asked, &mut Silent)
}

/// The same; `progress` hears of the captures whose rows are read.
///
/// # Errors
/// As [`study_figure`], and [`crate::Code::Cancelled`].
pub(crate) fn study_figure_slowly(
    out: &Path,
    asked: &StudyFigureAsked,
    progress: &mut dyn Progress,
) -> Result<(FigureView, Listing<String>), Error> {
    let (plan, rows) = super::read_rows(out, progress)?;
    of_rows(&plan, &rows, asked)
}

/// Draws a figure of `rows`; errs ([`crate::Code::Request`]) where a key does not exist.
pub(super) fn of_rows(
    plan: &Plan,
    rows: &[Row],
    asked: &StudyFigureAsked,
) -> Result<(FigureView, Listing<String>), Error> {
    let measure = asked.measure.or_else(|| plan.spec.measures.first().copied()).unwrap_or(MetricName::DurationMean);
    let source = Source { plan, rows, measure: Measure(measure), level: asked.level, timers: Timers::of(&plan.spec) };
    let drawn = match asked.kind {
        StudyFigureKind::Scenarios => scenarios::draw(&source),
        StudyFigureKind::Factor => factor::draw(&source, asked.over.as_deref()),
        StudyFigureKind::Winners => winners::draw(&source),
    }?;
    let mut missing = drawn.missing;
    let without = rows.iter().filter(|row| row.measures.get(&measure).is_none_or(|of| of.mean.is_none())).count();
    if without > 0 {
        missing.push(format!("{without} of {} rows have no value of this measure.", rows.len()));
    }
    let view = FigureView {
        recipe: asked.kind.id(),
        title: drawn.title.to_owned(),
        series: drawn.series,
        panels: drawn.panels,
        caption: source.caption().into_iter().chain(drawn.caption).collect(),
        settings: source.unusual(),
        missing,
        table: table_view(&drawn.table),
    };
    Ok((view, drawn.table))
}

impl Source<'_> {
    /// Returns the request of groups by `keys`.
    fn asked(&self, keys: &[&str], baseline: Option<&str>) -> Asked {
        Asked {
            by: keys.iter().map(|key| (*key).to_owned()).collect(),
            measures: vec![self.measure.0],
            baseline: baseline.map(str::to_owned),
            level: self.level,
        }
    }

    fn groups(&self, asked: &Asked) -> Result<Vec<Group>, Error> {
        groups(self.rows, asked).map_err(Error::request)
    }

    /// Returns the channels of the rows: figures have panels of their own for each.
    fn channels(&self) -> BTreeSet<&str> {
        self.rows.iter().map(|row| row.channel.as_str()).collect()
    }

    /// Returns `title`, with the channel where there are several.
    fn titled(&self, title: &str, channel: &str) -> String {
        match (title, self.channels().len()) {
            (title, 0 | 1) => title.to_owned(),
            ("", _) => channel.to_owned(),
            (title, _) => format!("{title}, {channel}"),
        }
    }

    /// Returns the axis of the measure.
    fn axis(&self) -> AxisView {
        let (label, unit) = self.measure.label();
        shape::axis(crate::view::AxisKind::Linear, &label, unit)
    }

    /// Returns the sentences that every caption has.
    fn caption(&self) -> Vec<String> {
        let spec = &self.plan.spec;
        let name = if spec.name.is_empty() { "Study".to_owned() } else { format!("“{}”", spec.name) };
        let channels: Vec<&str> = self.channels().into_iter().collect();
        let program = self.rows.first().map_or("", |row| row.program.as_str());
        vec![
            format!(
                "{name}: {} captures, {} timers, channel {}, {} replicates, rows of {program}.",
                self.plan.captures.len(),
                spec.timers.len(),
                channels.join(" and "),
                spec.replicates
            ),
            format!(
                "Means over runs of the network (one a scenario and tag seed, else one a capture) with {} % intervals: bootstrap of {} \
                 runs or more, Student's of fewer, none of one.",
                percent(self.level),
                study::FEW
            ),
        ]
    }

    /// Returns the part of captures and the rules of the sender in words, where they are unusual.
    fn unusual(&self) -> Option<String> {
        let spec = &self.plan.spec;
        let said = [("Part", spec.part.document()), ("Rules", spec.rules.document())];
        let is_said = |value: &serde_json::Value| value.as_object().is_some_and(|object| !object.is_empty());
        let said =
            said.into_iter().filter(|(_, value)| is_said(value)).map(|(name, value)| format!("{name}: {value}."));
        Some(said.collect::<Vec<_>>().join(" ")).filter(|said| !said.is_empty())
    }
}

/// Returns the values of the key at position `at` among `groups`, each once: numbers in order, then words in order.
fn values(groups: &[Group], at: usize) -> Vec<String> {
    let mut values: Vec<String> = groups.iter().filter_map(|group| group.keys.get(at).cloned()).collect();
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    values.sort_by(|a, b| match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (one, other) => other.is_some().cmp(&one.is_some()).then_with(|| a.cmp(b)),
    });
    values.dedup();
    values
}

/// Greatest factor between the greatest values of panels that share their axes. Chosen here: a bar of a fifth of the
/// height can still be compared.
const ALIKE: f64 = 5.0;

/// Gives panels the same axes where the values of all are alike; returns the sentence that says otherwise.
fn share_axes(panels: &mut [PanelView]) -> Option<String> {
    let greatest = |panel: &PanelView| {
        let of = |mark: &MarkView| match mark {
            MarkView::Bar { value, interval, .. } => interval.map_or(*value, |[_, hi]| hi.max(*value)),
            MarkView::Dots { points, .. } => points.iter().map(|[_, y]| *y).fold(0.0, f64::max),
            MarkView::Line { band, .. } => band.iter().map(|[_, hi]| *hi).fold(0.0, f64::max),
            _ => 0.0,
        };
        panel.marks.iter().map(of).fold(0.0, f64::max)
    };
    let all: Vec<f64> = panels.iter().map(greatest).collect();
    let (least, most) =
        all.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), &top| (least.min(top), most.max(top)));
    if most > ALIKE * least {
        return Some("Each panel has an axis of its own.".to_owned());
    }
    panels.iter_mut().for_each(|panel| panel.axes = Some(0));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_share_axes_where_their_values_are_alike() {
        let panel = |value: f64| {
            let [slot, slots] = [0, 1];
            let (interval, most, label) = (None, None, None);
            let bar = MarkView::Bar { series: 0, x: 0.0, slot, slots, value, interval, most, label };
            let [x, y] = ["", ""].map(|label| shape::categories(label, Vec::new()));
            shape::panel("", "", x, y, vec![bar])
        };
        let shared = |values: &[f64]| {
            let mut panels: Vec<PanelView> = values.iter().map(|value| panel(*value)).collect();
            let is_shared = share_axes(&mut panels).is_none();
            assert!(panels.iter().all(|panel| panel.axes.is_some() == is_shared));
            is_shared
        };
        assert!(shared(&[1.0, 5.0]));
        assert!(!shared(&[1.0, 5.1]));
        assert!(!shared(&[0.0, 1.0]));
        assert!(shared(&[0.0, 0.0]));
    }
}
