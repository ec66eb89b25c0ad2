//! Box plots of timeouts and of round trips.

use crate::figure::cells::{Cell, Figure};
use crate::figure::layout::{Layout, Place};
use crate::figure::settings::{across, box_rule, choice, group, number, quantile_type};
use crate::figure::shape::{Entry, axis, categories, listing, panel, small};
use crate::figure::{Drawn, Recipe, timers};
use crate::view::{AxisKind, MarkView};
use base::Instant;
use replay::stats::{BoxRule, FiveNumbers, QuantileType, five_numbers};
use rto::{ParamSpec, Unit};
use table::ExchangeMark;

/// Timeouts of each algorithm as box plots.
pub(in crate::figure) const RTO: Recipe = Recipe {
    id: "rto_box",
    title: "Retransmission timeouts",
    about: "Timeouts that each algorithm armed, as box plots.",
    compares: false,
    reproduces: "Ancillotti & Bruno 2017 Figs 4, 9; Betzler et al. 2014 Fig. 1",
    params: rto_params,
    draw: draw_rto,
};

/// Round-trip times with and without retransmissions as box plots.
pub(in crate::figure) const RTT: Recipe = Recipe {
    id: "rtt_box",
    title: "Strong and weak round trips",
    about: "Round trips of exchanges without and with retransmissions, as they enter the estimators of CoCoA.",
    compares: false,
    reproduces: "Ancillotti & Bruno 2017 Fig. 10",
    params: rtt_params,
    draw: draw_rtt,
};

fn rto_params() -> Vec<ParamSpec> {
    vec![
        choice(
            ("timers", "Timers", "Values"),
            "Of first copies only, which keeps the back-off out; or of all copies.",
            &["first", "all"],
            "Ancillotti & Bruno 2017 Figs 9 and 4",
        ),
        timers::gaps(),
        scale(),
        box_rule(),
        quantile_type(),
        across(),
        group(),
    ]
}

fn rtt_params() -> Vec<ParamSpec> {
    vec![
        choice(
            ("sample", "Sample", "Values"),
            "Raw samples, or what the strong and the weak estimator of CoCoA hold after each exchange (its runs only).",
            &["raw", "smoothed"],
            "the study leaves it open",
        ),
        number(
            ("weak", "Weak up to", "Values"),
            "Exchanges with more retransmissions give no sample.",
            Unit::Count,
            (2.0, 1.0, 4.0),
            "draft-ietf-core-cocoa-03 §4.2.1",
        ),
        number(
            ("slices", "Time slices", "Groups"),
            "Parts of equal length into which each group is cut: windows of load within a capture.",
            Unit::Count,
            (1.0, 1.0, 12.0),
            "Ancillotti & Bruno 2017 Fig. 10: a box per event rate",
        ),
        scale(),
        box_rule(),
        quantile_type(),
        group(),
    ]
}

fn scale() -> ParamSpec {
    choice(("scale", "Scale", "Values"), "Of the vertical axis.", &["log", "linear"], "tens of ms to tens of s")
}

/// Style of boxes as the switches set it, and its description for the subtitle.
pub(in crate::figure) struct Style {
    rule: BoxRule,
    kind: QuantileType,
}

impl Style {
    /// Reads the style from the switches of a figure.
    pub(in crate::figure) fn of(figure: &Figure<'_>) -> Self {
        let rule = match figure.settings.choice("box") {
            "iqr15" => BoxRule::Iqr15,
            "tukey_hinges" => BoxRule::TukeyHinges,
            _ => BoxRule::MinMax,
        };
        let number = u8::try_from(figure.settings.count("quantile")).unwrap_or(7);
        Self { rule, kind: QuantileType::from_number(number).unwrap_or_default() }
    }

    /// Returns the description of the style for a subtitle.
    pub(in crate::figure) fn text(&self) -> String {
        match self.rule {
            BoxRule::MinMax => format!("whiskers: minimum and maximum; quartiles of type {}", self.kind.number()),
            BoxRule::Iqr15 => format!("whiskers: within 1.5 IQR; quartiles of type {}", self.kind.number()),
            BoxRule::TukeyHinges => "whiskers: within 1.5 hinge spreads; Tukey’s hinges".to_owned(),
        }
    }

    /// Returns the five numbers and the outliers of `values`; `None` of nothing.
    pub(in crate::figure) fn five(&self, values: &[f64]) -> Option<FiveNumbers> {
        five_numbers(values, self.rule, self.kind)
    }
}

/// Greatest number of outliers drawn of one box; the table counts all. Chosen here by judgement, to bound the size of
/// a figure: beyond, dots of one column overlap.
const OUTLIERS: usize = 200;

/// Makes the mark of a box of series `series`, with text `label` above it.
pub(in crate::figure) fn mark(five: &FiveNumbers, series: u32, place: Place, label: Option<String>) -> MarkView {
    let every = five.outliers.len().div_ceil(OUTLIERS).max(1);
    MarkView::Box {
        series,
        x: place.x,
        slot: place.slot,
        slots: place.slots,
        n: small(five.n),
        five: [five.low, five.lower, five.median, five.upper, five.high],
        outliers: five.outliers.iter().rev().step_by(every).copied().collect(),
        label,
    }
}

/// Headings of the columns of [`five_entries`].
pub(in crate::figure) const FIVE: [&str; 7] =
    ["n", "whisker_low", "box_low", "median", "box_high", "whisker_high", "outliers"];

/// Returns the cells of a box in a table: number of values, whiskers, box, median, number of outliers.
pub(in crate::figure) fn five_entries(five: &FiveNumbers) -> Vec<Entry> {
    let mut row = vec![Entry::from(five.n)];
    row.extend([five.low, five.lower, five.median, five.upper, five.high].map(Entry::from));
    row.push(Entry::from(five.outliers.len()));
    row
}

fn kind(figure: &Figure<'_>) -> AxisKind {
    if figure.settings.choice("scale") == "linear" { AxisKind::Linear } else { AxisKind::Log }
}

fn durations(figure: &Figure<'_>, cell: &Cell, first: bool) -> Vec<f64> {
    // A client that stays as recorded armed no timer of the algorithm.
    let armed = cell.timeline().exchanges().filter(|e| !cell.stays(e.association));
    let places = |e: &ExchangeMark| 0..e.copies.len().min(if first { 1 } else { usize::MAX });
    let all = armed.flat_map(|e| places(e).filter_map(move |index| timers::of(figure, e, index)));
    all.map(base::Span::secs_f64).collect()
}

fn draw_rto(figure: &Figure<'_>) -> Drawn {
    let first = figure.settings.choice("timers") != "all";
    let style = Style::of(figure);
    let layout = Layout::new(figure, (0..figure.behaviours.len()).collect());
    let (mut marks, mut rows) = (Vec::new(), Vec::new());
    for (place, b, g) in layout.places() {
        let (Some(behaviour), Some(group)) = (figure.behaviours.get(b), figure.groups.get(g)) else { continue };
        let values: Vec<f64> = figure.of_group(group, b).flat_map(|cell| durations(figure, cell, first)).collect();
        let Some(five) = style.five(&values) else { continue };
        marks.push(mark(&five, figure.series_of(b, g), place, None));
        let mut row = vec![Entry::from(&*behaviour.name), Entry::from(&*group.name)];
        row.extend(five_entries(&five));
        rows.push(row);
    }
    let title = if first { "First timeout per algorithm" } else { "All timeouts per algorithm" };
    let y = axis(kind(figure), "Timeout", "s");
    let mut caption: Vec<String> = timers::said(figure).into_iter().collect();
    if figure.is_mixed() {
        caption.push("Boxes of algorithms have the timers of the clients that run them.".to_owned());
    }
    if marks.is_empty() {
        caption.clear();
    }
    let missing = if figure.captures() > 0 && marks.is_empty() {
        let why = match figure.behaviours.len() {
            0 | 1 => "and no algorithm is chosen: add one (legend at the left, or --algorithm).",
            _ => "and there is no exchange that the algorithms could be replayed on.",
        };
        vec![format!("No recorded timer is known in these captures {why}")]
    } else {
        Vec::new()
    };
    let mut columns = vec!["algorithm", "group"];
    columns.extend(FIVE);
    Drawn {
        panels: vec![panel(title, &style.text(), layout.axis(), y, marks)],
        caption,
        missing,
        table: listing(&columns, &rows),
    }
}

/// Returns the round-trip times of a cell, seconds, each with the start of its exchange: strong ones, then weak ones.
fn round_trips(cell: &Cell, weak: usize) -> [Vec<(Instant, f64)>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    for exchange in cell.timeline().exchanges() {
        let k = exchange.copies.len().saturating_sub(1);
        if let Some(end) = exchange.end
            && k <= weak
        {
            // From the first copy, however many there were (draft-ietf-core-cocoa-03 §4.2.1).
            found[usize::from(k > 0)].push((exchange.start(), (end - exchange.start()).secs_f64()));
        }
    }
    found
}

/// Returns the values of strong and weak estimator of a run, seconds, wherever they changed; empty without these.
fn smoothed(cell: &Cell) -> [Vec<(Instant, f64)>; 2] {
    let Some(run) = &cell.run else { return [Vec::new(), Vec::new()] };
    let steps = &run.steps;
    ["E_strong", "E_weak"].map(|wanted| {
        let mut last = None;
        let mut found = Vec::new();
        for (index, at) in steps.at.iter().enumerate() {
            let value = steps.state.value(index, wanted);
            if value != last
                && let Some(value) = value
            {
                found.push((*at, value.secs_f64()));
            }
            last = value;
        }
        found
    })
}

fn draw_rtt(figure: &Figure<'_>) -> Drawn {
    let style = Style::of(figure);
    let smooth = figure.settings.choice("sample") == "smoothed";
    let (slices, weak) = (figure.settings.count("slices").max(1), figure.settings.count("weak"));
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    for (b, behaviour) in figure.behaviours.iter().enumerate() {
        let (mut marks, mut names) = (Vec::new(), Vec::new());
        for (g, group) in figure.groups.iter().enumerate() {
            for slice in 0..slices {
                let window =
                    if slices > 1 { format!("{}, {}/{slices}", group.name, slice + 1) } else { group.name.clone() };
                let mut values = [Vec::new(), Vec::new()];
                for cell in figure.of_group(group, b) {
                    let found = if smooth { smoothed(cell) } else { round_trips(cell, weak) };
                    let (start, end) = cell.window();
                    let length = (end - start).nanos().max(1);
                    let slice_of = |at: Instant| {
                        let place = i128::from((at - start).nanos()) * slices as i128 / i128::from(length);
                        usize::try_from(place.clamp(0, slices as i128 - 1)).unwrap_or(0)
                    };
                    for (to, from) in values.iter_mut().zip(found) {
                        to.extend(from.into_iter().filter(|(at, _)| slice_of(*at) == slice).map(|(_, value)| value));
                    }
                }
                for (class, values) in ["strong", "weak"].into_iter().zip(&values) {
                    let place = Place { x: names.len() as f64, slot: 0, slots: 1 };
                    names.push(format!("{window}, {class}"));
                    let Some(five) = style.five(values) else { continue };
                    marks.push(mark(&five, figure.series_of(b, g), place, None));
                    let mut row = vec![Entry::from(&*behaviour.name), Entry::from(&*window), Entry::from(class)];
                    row.extend(five_entries(&five));
                    rows.push(row);
                }
            }
        }
        if marks.is_empty() {
            continue;
        }
        let rule = format!("{}; {}", if smooth { "estimates" } else { "raw samples" }, style.text());
        let y = axis(kind(figure), if smooth { "Estimate" } else { "Round trip" }, "s");
        let mut one = panel(&behaviour.name, &rule, categories("", names), y, marks);
        one.axes = Some(0);
        drawn.panels.push(one);
    }
    if smooth && drawn.panels.is_empty() {
        drawn.missing.push(
            "No chosen algorithm has a strong and a weak estimator: add CoCoA or CoCoA+ (legend at the left, or --algorithm)."
                .to_owned(),
        );
    } else if drawn.panels.is_empty() && figure.captures() > 0 {
        drawn.missing.push("No exchange of these captures was answered.".to_owned());
    }
    drawn
        .caption
        .push(format!("Strong: no retransmission. Weak: 1 to {weak} retransmissions, measured from the first copy."));
    let mut columns = vec!["algorithm", "group", "class"];
    columns.extend(FIVE);
    drawn.table = listing(&columns, &rows);
    drawn
}
