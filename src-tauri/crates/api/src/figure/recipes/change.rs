//! Signed changes against a reference.

use crate::figure::cells::Figure;
use crate::figure::layout::Layout;
use crate::figure::measure::{self, Measure};
use crate::figure::settings::{across, choice, group};
use crate::figure::shape::{Entry, axis, listing, panel};
use crate::figure::{Drawn, Recipe};
use crate::view::{AxisKind, MarkView};
use replay::stats::{interval, mean, student};
use rto::ParamSpec;

/// Change of a measure under each algorithm, per cent.
pub(in crate::figure) const CHANGE: Recipe = Recipe {
    id: "change_bars",
    title: "Change against a reference",
    about: "How much a measure changes with each algorithm, in per cent.",
    compares: true,
    reproduces: "Demir & Abut 2018 Figs 2–4; Deshmukh & Raisinghani 2022 (ACCB), text",
    params,
    draw,
};

fn params() -> Vec<ParamSpec> {
    vec![
        choice(("measure", "Measure", "Values"), "What is compared.", &measure::choices(), "as Compare shows them"),
        choice(
            ("reference", "Against", "Values"),
            "What was recorded, or the first algorithm chosen.",
            &["recorded", "first"],
            "Demir & Abut 2018: CoAP",
        ),
        choice(
            ("of", "Per cent of", "Values"),
            "The reference; or the algorithm itself, as Demir & Abut normalise (+22 % of CoCoA is +29 % of CoAP).",
            &["reference", "itself"],
            "Demir & Abut 2018 Tables 1, 2",
        ),
        across(),
        group(),
    ]
}

/// Level of intervals, 0 to 1: the usual 95 %, which goes with tests at 5 % (Fisher, Statistical Methods for Research
/// Workers, 1925).
const LEVEL: f64 = 0.95;

fn draw(figure: &Figure<'_>) -> Drawn {
    let measure = Measure::from_name(figure.settings.choice("measure"));
    let itself = figure.settings.choice("of") == "itself";
    let reference = usize::from(figure.settings.choice("reference") == "first" && figure.behaviours.len() > 1);
    // Recorded beside a replayed reference is no like for like; it stays out.
    let shown: Vec<usize> = (1..figure.behaviours.len()).filter(|&b| b != reference).collect();
    let layout = Layout::new(figure, shown);
    let change = |value: f64, base: f64| {
        let of = if itself { value } else { base };
        (of != 0.0).then(|| 100.0 * (value - base) / of)
    };
    let (mut marks, mut rows) = (Vec::new(), Vec::new());
    for (place, b, g) in layout.places() {
        let (Some(behaviour), Some(group)) = (figure.behaviours.get(b), figure.groups.get(g)) else { continue };
        let changes: Vec<f64> = group
            .members
            .iter()
            .filter_map(|&c| change(figure.cell(c, b)?.value(measure)?, figure.cell(c, reference)?.value(measure)?))
            .collect();
        let Some(value) = mean(&changes) else { continue };
        let interval = if changes.len() > 1 {
            student(&changes, LEVEL).map(|s| [s.interval.lo, s.interval.hi])
        } else {
            // One capture: what its replicates span, each beside the reference under the same channel states. How well
            // their mean is known says how many were drawn, not how much the answer can be trusted.
            let pairs = group.members.first().and_then(|&c| {
                let (ours, theirs) =
                    (figure.cell(c, b)?.replicates(measure), figure.cell(c, reference)?.replicates(measure));
                let base = |index: usize| if theirs.len() == 1 { theirs.first() } else { theirs.get(index) };
                let pair = |(index, value): (usize, &Option<f64>)| change((*value)?, (*base(index)?)?);
                Some(ours.iter().enumerate().filter_map(pair).collect::<Vec<f64>>())
            });
            pairs.filter(|pairs| pairs.len() > 1).and_then(|pairs| interval(&pairs, LEVEL)).map(|i| [i.lo, i.hi])
        };
        marks.push(MarkView::Bar {
            series: figure.series_of(b, g),
            x: place.x,
            slot: place.slot,
            slots: place.slots,
            value,
            interval,
            most: None,
            label: Some(signed(value)),
        });
        rows.push(vec![
            Entry::from(&*behaviour.name),
            Entry::from(&*group.name),
            Entry::from(changes.len()),
            Entry::from(value),
            Entry::from(interval.map(|i| i[0])),
            Entry::from(interval.map(|i| i[1])),
        ]);
    }
    let against = figure.behaviours.get(reference).map_or("", |b| &b.name);
    let (label, _) = measure.label();
    let rule = format!("against {against}, per cent of {}", if itself { "the algorithm itself" } else { against });
    let mut missing = Vec::new();
    if marks.is_empty() && figure.captures() > 0 {
        missing.push(format!("A change needs an algorithm beside {against}, and a measure that applies: add algorithms (legend at the left, or --algorithm)."));
    }
    Drawn {
        panels: vec![panel(&label, &rule, layout.axis(), axis(AxisKind::Linear, "Change", "%"), marks)],
        caption: vec!["Lines: 95 % intervals; of a group, of its mean change, by Student over captures; of one capture, of another replicate, each paired with the reference under the same channel states.".to_owned()],
        missing,
        table: listing(&["algorithm", "group", "captures", "change_percent", "low", "high"], &rows),
    }
}

/// Returns a change in per cent with its sign, short enough for a bar; no sign where nothing is left.
fn signed(value: f64) -> String {
    let digits = usize::from(value.abs() < 9.95);
    let text = format!("{value:+.digits$}");
    if text.contains(|c: char| ('1'..='9').contains(&c)) { text.replace('-', "−") } else { "0".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn a_change_that_rounds_to_nothing_has_no_sign() {
        let said = [0.0, -0.04, 0.04, -0.3, 4.25, 9.94, 9.96, -21.2].map(signed);
        assert_eq!(said, ["0", "0", "0", "−0.3", "+4.2", "+9.9", "+10", "−21"]);
    }
}
