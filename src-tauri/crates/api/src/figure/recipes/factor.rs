//! Boxes per protocol and factor, with letters of Tukey's test.

use crate::figure::cells::{Cell, Figure};
use crate::figure::layout::Place;
use crate::figure::measure::{self, Measure};
use crate::figure::recipes::boxes::{FIVE, Style, five_entries, mark};
use crate::figure::settings::{box_rule, choice, group, level, percent, quantile_type};
use crate::figure::shape::{Entry, axis, categories, listing, panel, small};
use crate::figure::{Drawn, Recipe};
use crate::view::AxisKind;
use replay::stats::{kruskal_wallis, letters, mann_whitney, mean, shapiro_wilk, tukey_hsd};
use rto::ParamSpec;

/// Box plots of a measure per algorithm and factor, with letters of a test.
pub(in crate::figure) const FACTOR: Recipe = Recipe {
    id: "factor_box",
    title: "Per algorithm and factor",
    about: "A measure over runs as box plots; algorithms that share a letter do not differ.",
    compares: true,
    reproduces: "Deshmukh & Raisinghani 2022 (ACCB) Figs 3–10",
    params,
    draw,
};

fn params() -> Vec<ParamSpec> {
    let mut style = box_rule();
    style.default = rto::ParamValue::Text("tukey_hinges".to_owned());
    let mut factor = group();
    factor.label = "Factor";
    vec![
        choice(
            ("measure", "Measure", "Values"),
            "What is compared.",
            &measure::choices(),
            "ACCB: goodput, PDR, retransmission and sending rate",
        ),
        choice(
            ("run", "A run is", "Values"),
            "A capture of the factor; or a replicate of the channel over one: these tell how well the model knows, not how networks vary.",
            &["capture", "replicate"],
            "ACCB: 15 seeds of 300 s",
        ),
        choice(
            ("test", "Test", "Uncertainty"),
            "Tukey's HSD where residuals look normal (Shapiro–Wilk, p ≥ 0.05), else Mann–Whitney with Holm's correction; or always one of them.",
            &[("auto", "auto"), ("tukey", "Tukey HSD"), ("ranks", "ranks")],
            "ACCB: Tukey HSD in R",
        ),
        level(0.90, "ACCB: 90 %"),
        style,
        quantile_type(),
        factor,
    ]
}

/// Level of the test of Shapiro and Wilk: residuals with a smaller p-value are taken for not normal, and compared by
/// ranks. The usual 5 % (Fisher, Statistical Methods for Research Workers, 1925).
const NORMAL: f64 = 0.05;

/// Returns letters of groups, and a sentence about the test; `None` where a group has fewer than two values. `level`:
/// confidence, 0 to 1.
fn compared(samples: &[Vec<f64>], level: f64, test: &str) -> Option<(Vec<String>, String)> {
    if samples.len() < 2 || samples.iter().any(|sample| sample.len() < 2) {
        return None;
    }
    let means: Vec<f64> = samples.iter().map(|sample| mean(sample)).collect::<Option<_>>()?;
    let residuals: Vec<f64> =
        samples.iter().zip(&means).flat_map(|(sample, mean)| sample.iter().map(move |v| v - mean)).collect();
    let normal = shapiro_wilk(&residuals);
    let looks = normal.map_or(String::new(), |n| format!(" (residuals: Shapiro–Wilk W {:.3}, p {})", n.w, chance(n.p)));
    let by_ranks = match test {
        "tukey" => false,
        "ranks" => true,
        _ => normal.is_some_and(|n| n.p < NORMAL),
    };
    if by_ranks {
        let overall = kruskal_wallis(samples)?;
        let mut pairs = Vec::new();
        for (i, one) in samples.iter().enumerate() {
            for (j, other) in samples.iter().enumerate().skip(i + 1) {
                // Two samples of one equal value do not differ.
                pairs.push(((i, j), mann_whitney(one, other).map_or(1.0, |m| m.p)));
            }
        }
        let how =
            format!("Kruskal–Wallis p {}, pairs by Mann–Whitney with Holm’s correction{looks}", chance(overall.p));
        return Some((letters(&means, &holm(pairs, 1.0 - level)), how));
    }
    let tukey = tukey_hsd(samples, level)?;
    Some((tukey.letters, format!("Tukey HSD{looks}")))
}

/// Returns the pairs that differ at the familywise level `alpha` (Holm 1979, Scand. J. Stat. 6).
fn holm(mut pairs: Vec<((usize, usize), f64)>, alpha: f64) -> Vec<(usize, usize)> {
    pairs.sort_by(|a, b| a.1.total_cmp(&b.1));
    let all = pairs.len();
    let rejected = pairs.iter().enumerate().take_while(|(index, (_, p))| *p <= alpha / (all - index) as f64);
    rejected.map(|(_, (pair, _))| *pair).collect()
}

fn chance(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

fn draw(figure: &Figure<'_>) -> Drawn {
    let measure = Measure::from_name(figure.settings.choice("measure"));
    let by_replicate = figure.settings.choice("run") == "replicate";
    let (level, test) = (figure.settings.number("level"), figure.settings.choice("test"));
    let style = Style::of(figure);
    let sample = |cells: &mut dyn Iterator<Item = &Cell>| -> Vec<f64> {
        cells
            .flat_map(|cell| if by_replicate { cell.replicates(measure) } else { vec![cell.value(measure)] })
            .flatten()
            .collect()
    };
    let (mut marks, mut rows, mut hows, mut few) = (Vec::new(), Vec::new(), Vec::new(), false);
    for (g, group) in figure.groups.iter().enumerate() {
        // The recorded behaviour is one run of a capture, whatever a run is.
        let found: Vec<(usize, Vec<f64>)> = (0..figure.behaviours.len())
            .filter(|&b| !(by_replicate && b == 0))
            .map(|b| (b, sample(&mut figure.of_group(group, b))))
            .filter(|(_, values)| !values.is_empty())
            .collect();
        let samples: Vec<Vec<f64>> = found.iter().map(|(_, values)| values.clone()).collect();
        let compared = compared(&samples, level, test);
        few |= samples.iter().any(|values| values.len() < 2);
        if let Some((_, how)) = &compared {
            hows.push(format!("{}: {how}.", group.name));
        }
        for (slot, (b, values)) in found.iter().enumerate() {
            let (Some(behaviour), Some(five)) = (figure.behaviours.get(*b), style.five(values)) else { continue };
            let place = Place { x: g as f64, slot: small(slot), slots: small(found.len()) };
            let letters = compared.as_ref().and_then(|(letters, _)| letters.get(slot)).cloned();
            let mut row = vec![
                Entry::from(&*behaviour.name),
                Entry::from(&*group.name),
                Entry::from(letters.as_deref().unwrap_or("")),
                Entry::from(mean(values)),
            ];
            row.extend(five_entries(&five));
            rows.push(row);
            marks.push(mark(&five, figure.series_of(*b, 0), place, letters));
        }
    }
    let (label, unit) = measure.label();
    let x = categories("", figure.groups.iter().map(|group| group.name.clone()).collect());
    let mut missing = Vec::new();
    if few && figure.captures() > 0 {
        missing.push(
            "Letters need two runs or more per box: tag several captures alike and choose that tag as factor, or take replicates for runs."
                .to_owned(),
        );
    }
    let mut caption = vec![format!(
        "Letters at {} %: algorithms that share one do not differ, a has the greatest mean.",
        percent(level)
    )];
    caption.extend(hows);
    if by_replicate {
        caption.push(
            "Runs are replicates: they share a capture and its channel states, so intervals between networks are wider than these boxes."
                .to_owned(),
        );
    } else {
        caption.push("Algorithms replayed over one capture share its channel states; the tests take runs for independent and are conservative here.".to_owned());
    }
    let mut columns = vec!["algorithm", "factor", "letters", "mean"];
    columns.extend(FIVE);
    let rule = format!("{}; letters at {} %", style.text(), percent(level));
    Drawn {
        panels: vec![panel(&label, &rule, x, axis(AxisKind::Linear, &label, unit), marks)],
        caption,
        missing,
        table: listing(&columns, &rows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_steps_down_and_stops() {
        let pairs = vec![((0, 1), 0.01), ((0, 2), 0.04), ((1, 2), 0.03)];
        // 0.01 ≤ 0.1/3; 0.03 ≤ 0.1/2; 0.04 ≤ 0.1.
        assert_eq!(holm(pairs.clone(), 0.1), [(0, 1), (1, 2), (0, 2)]);
        // 0.01 ≤ 0.05/3; 0.03 > 0.05/2: it ends there, though 0.04 ≤ 0.05.
        assert_eq!(holm(pairs, 0.05), [(0, 1)]);
    }

    #[test]
    fn ranks_where_normality_fails() {
        let skewed = |shift: f64| (0..12).map(|i| shift + f64::from(i).exp()).collect::<Vec<f64>>();
        let (letters, how) = compared(&[skewed(0.0), skewed(1e6)], 0.9, "auto").unwrap();
        assert!(how.starts_with("Kruskal–Wallis"), "{how}");
        assert_eq!(letters, ["b", "a"]);
        let (_, how) = compared(&[skewed(0.0), skewed(1e6)], 0.9, "tukey").unwrap();
        assert!(how.starts_with("Tukey"), "{how}");
        assert!(compared(&[vec![1.0], vec![2.0]], 0.9, "auto").is_none());
    }
}
