//! `replay --sensitivity`.

use crate::rows;
use api::Listing;
use api::view::{SensitivityView, VariationView};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Measures of the text, each with its name and its title.
const SHOWN: [(&str, &str); 4] = [
    ("duration_mean", "completion, mean (s)"),
    ("duration_p95", "completion, 95 % (s)"),
    ("retries_mean", "retransmissions per exchange"),
    ("spurious_all", "needless copies (share)"),
];

/// Returns the text: a table for each of four measures, a row for each variation of the question, a column for each
/// algorithm.
pub fn text(view: &SensitivityView) -> String {
    let mut text = format!("Means over {} replicates.\n\n", view.replicates);
    let names: Vec<&str> = view.algorithms.iter().map(|a| &*a.id).collect();
    for (metric, title) in SHOWN {
        let _ = write!(text, "{title:<44}");
        for name in &names {
            let _ = write!(text, " {name:>16}");
        }
        text.push('\n');
        for variation in &view.variations {
            let _ = write!(text, "  {:<42}", variation.what);
            if let Some(reason) = &variation.refused {
                let _ = write!(text, " refused: {reason}");
            }
            for (means, modes) in variation.means.iter().zip(&variation.modes) {
                let split = modes.get(metric).map(|(calm, collapsed)| format!("{calm:.3} or {collapsed:.3}"));
                let _ = write!(text, " {:>16}", split.unwrap_or_else(|| mean(means, metric)));
            }
            text.push('\n');
        }
        let _ = write!(text, "  {:<42}", "chance to be the best, as asked");
        for at in 0..names.len() {
            let place = view.ranking.get(metric).and_then(|r| r.iter().find(|p| p.algorithm as usize == at));
            let best = place.map_or_else(|| "-".to_owned(), |p| format!("{:.0} %", 100.0 * p.best));
            let _ = write!(text, " {best:>16}");
        }
        text.push_str("\n\n");
    }
    text
}

/// Returns the table of all means: a row for each variation, algorithm and measure; a refused variation has one row
/// with the reason.
pub fn listing(view: &SensitivityView) -> Listing {
    /// Variation, and index of the algorithm with the name of the measure; `None` where the variation was refused.
    type Row<'a> = (&'a VariationView, Option<(usize, &'a str)>);
    let mut cells: Vec<Row<'_>> = Vec::new();
    for variation in &view.variations {
        if variation.refused.is_some() {
            cells.push((variation, None));
        }
        for (at, means) in variation.means.iter().enumerate() {
            let split = variation.modes.get(at).into_iter().flat_map(BTreeMap::keys);
            let names: std::collections::BTreeSet<&String> = means.keys().chain(split).collect();
            cells.extend(names.into_iter().map(|name| (variation, Some((at, name.as_str())))));
        }
    }
    let mode = |row: &Row<'_>| row.1.and_then(|(at, name)| row.0.modes.get(at)?.get(name).copied());
    rows::of(&cells)
        .text("variation", |row| row.0.what.clone())
        .text("algorithm", |row| {
            let algorithm = row.1.and_then(|(at, _)| view.algorithms.get(at));
            algorithm.map_or_else(String::new, |algorithm| algorithm.id.clone())
        })
        .text("metric", |row| row.1.map_or_else(String::new, |(_, name)| name.to_owned()))
        .real("mean", |row| row.1.and_then(|(at, name)| row.0.means.get(at)?.get(name).copied()))
        .real("calm", |row| mode(row).map(|mode| mode.0))
        .real("collapsed", |row| mode(row).map(|mode| mode.1))
        .text("refused", |row| row.0.refused.clone().unwrap_or_default())
        .listing()
}

fn mean(means: &BTreeMap<String, f64>, metric: &str) -> String {
    means.get(metric).map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"))
}
