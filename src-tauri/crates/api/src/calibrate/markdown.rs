//! The scores as Markdown, for `docs/calibration.md` and the terminal.

use super::{Calibrated, CopiesLine, summarise};
use crate::view::ChannelKind;
use replay::MetricName;
use replay::calibrate::{Line, SCORED};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use table::markdown_text;

/// Returns the name of a measure for people, with its unit.
const fn name(metric: MetricName) -> &'static str {
    match metric {
        MetricName::DurationMean => "completion, mean (s)",
        MetricName::DurationP50 => "completion, median (s)",
        MetricName::DurationP95 => "completion, 95 % (s)",
        MetricName::RetriesMean => "retransmissions per exchange",
        MetricName::SpuriousAll => "needless copies (%)",
        MetricName::PlrExchange => "failed exchanges (%)",
        other => other.name(),
    }
}

/// Returns the name of a channel as the app has it; an unknown one stays as it is.
fn called(channel: &str) -> &str {
    ChannelKind::ALL.into_iter().find(|kind| kind.id() == channel).map_or(channel, |kind| kind.short())
}

/// Factor from a measure to its shown value: 100 for shares, which are shown in per cent, else 1.
const fn scale(metric: MetricName) -> f64 {
    match metric {
        MetricName::SpuriousAll | MetricName::PlrExchange => 100.0,
        _ => 1.0,
    }
}

/// Returns the numbers of runs, the scores of predictions and the refusals as Markdown.
#[must_use]
pub fn markdown(calibrated: &Calibrated) -> String {
    let lines = summarise(&calibrated.calibration);
    let (all, worlds): (Vec<&Line>, Vec<&Line>) = lines.iter().partition(|l| l.scenario.is_none());
    let runs = &calibrated.calibration.runs;
    let mut scenarios: Vec<&str> = runs.iter().map(|r| &*r.scenario).collect();
    scenarios.dedup();
    let pairs = all.iter().map(|l| l.pairs).max().unwrap_or(0);
    let mut text = format!(
        "{} runs, {} scenarios, {pairs} ordered pairs of different timers. Errors are means of |predicted − real| over the \
         pairs. A real run is another run, with luck of its own: it is held against what another run would show. *90 % covers* is how \
         often that interval holds the truth; in brackets how often the narrower one does of what would have happened in the recorded \
         trace, with the recorded luck.\n\n",
        runs.len(),
        scenarios.len()
    );
    if pairs == 0 {
        text.push_str("No pair of different timers: nothing is scored.\n");
        return text;
    }
    measures(&mut text, &all);
    text.push('\n');
    by_world(&mut text, &worlds);
    if !calibrated.copies.is_empty() {
        text.push('\n');
        single_copies(&mut text, &calibrated.copies);
    }
    refusals(&mut text, calibrated);
    text
}

/// Writes the table of measures and channels: errors in the shown unit, modelled channels first.
fn measures(text: &mut String, all: &[&Line]) {
    text.push_str(
        "| measure | channel | error | of the truth | as before | naive | repeat | CRPS | bias | 90 % covers | right winner (naive, repeat) |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for metric in SCORED {
        for line in all.iter().filter(|l| l.metric == metric) {
            let cell = |value: Option<f64>| number(value.map(|v| v * scale(metric)));
            let winner = match (line.error, line.decided) {
                (None, _) | (_, 0) => "–".to_owned(),
                (Some(_), n) => format!(
                    "{} of {n} ({}, {})",
                    percent(Some(f64::from(line.right) / f64::from(n))),
                    percent(Some(f64::from(line.right_trace_driven) / f64::from(n))),
                    percent(line.right_floor)
                ),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {winner} |",
                name(metric),
                called(line.channel),
                cell(line.error),
                percent(line.relative),
                cell(line.persistence),
                cell(line.trace_driven),
                cell(line.floor),
                cell(line.crps),
                line.bias.map_or_else(
                    || "–".to_owned(),
                    |b| format!("{:+.*}", digits(b * scale(metric)), b * scale(metric))
                ),
                covers(line.coverage, line.coverage_this),
            );
        }
    }
}

/// Writes a row per world and channel: error and naive error of every measure, coverage and winners over all of them.
fn by_world(text: &mut String, worlds: &[&Line]) {
    text.push_str("Error (naive error), by scenario:\n\n| scenario | channel | pairs |");
    for metric in SCORED {
        let _ = write!(text, " {} |", name(metric));
    }
    text.push_str(" 90 % covers | right winner |\n| --- | --- | ---: |");
    text.push_str(&" ---: |".repeat(SCORED.len() + 2));
    text.push('\n');
    let mut rows: BTreeMap<(&str, &str), Vec<&Line>> = BTreeMap::new();
    for line in worlds {
        rows.entry((line.scenario.as_deref().unwrap_or_default(), line.channel)).or_default().push(line);
    }
    for ((scenario, channel), lines) in rows {
        let pairs = lines.iter().map(|l| l.pairs).max().unwrap_or(0);
        let _ = write!(text, "| {} | {} | {pairs} |", markdown_text(scenario), called(channel));
        for metric in SCORED {
            let line = lines.iter().find(|l| l.metric == metric);
            let shown = |value: Option<f64>| number(value.map(|v| v * scale(metric)));
            match line.filter(|l| l.error.is_some()) {
                Some(line) => {
                    let _ = write!(text, " {} ({}) |", shown(line.error), shown(line.trace_driven));
                }
                None => text.push_str(" – |"),
            }
        }
        let of: u32 = lines.iter().map(|l| l.covered_of).sum();
        let sum = |of: &dyn Fn(&Line) -> Option<f64>| -> f64 {
            lines.iter().filter_map(|l| Some(of(l)? * f64::from(l.covered_of))).sum()
        };
        let part = |covered: f64| (of > 0).then(|| covered / f64::from(of));
        let covered = covers(part(sum(&|l| l.coverage)), part(sum(&|l| l.coverage_this)));
        let decided: u32 = lines.iter().filter(|l| l.error.is_some()).map(|l| l.decided).sum();
        let right: u32 = lines.iter().map(|l| l.right).sum();
        let share = |part: f64, n: u32| percent((n > 0).then(|| part / f64::from(n)));
        let winner =
            if decided > 0 { format!("{} of {decided}", share(f64::from(right), decided)) } else { "–".to_owned() };
        let _ = writeln!(text, " {covered} | {winner} |");
    }
}

/// Writes the scores of copies that were never sent, as means over the runs of a world.
fn single_copies(text: &mut String, copies: &[CopiesLine]) {
    text.push_str(
        "Single copies that were never sent, in worlds that know what each would have met (in brackets: everybody's chance is \
         the recorded share of losses):\n\n\
         | scenario | channel | copies | really lost | log loss | Brier | round trip, median error |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut rows: BTreeMap<(&str, &str), Vec<&CopiesLine>> = BTreeMap::new();
    for line in copies {
        rows.entry((&line.scenario, line.channel)).or_default().push(line);
    }
    for ((scenario, channel), lines) in rows {
        let n: f64 = lines.iter().map(|l| f64::from(l.score.copies)).sum();
        let mean =
            |of: &dyn Fn(&CopiesLine) -> f64| lines.iter().map(|l| of(l) * f64::from(l.score.copies)).sum::<f64>() / n;
        let told: Vec<(f64, f64)> =
            lines.iter().filter_map(|l| Some((f64::from(l.score.copies), l.score.rtt_error?))).collect();
        let copies_told: f64 = told.iter().map(|(copies, _)| copies).sum();
        let rtt_error =
            (copies_told > 0.0).then(|| told.iter().map(|(copies, error)| copies * error).sum::<f64>() / copies_told);
        let _ = writeln!(
            text,
            "| {} | {} | {n} | {} | {:.3} ({:.3}) | {:.3} ({:.3}) | {} |",
            markdown_text(scenario),
            called(channel),
            percent(Some(mean(&|l| l.score.lost))),
            mean(&|l| l.score.log_loss),
            mean(&|l| l.score.log_loss_base_rate),
            mean(&|l| l.score.brier),
            mean(&|l| l.score.brier_base_rate),
            percent(rtt_error),
        );
    }
}

fn refusals(text: &mut String, calibrated: &Calibrated) {
    let mut channels: BTreeMap<&str, BTreeMap<(&str, &str), u32>> = BTreeMap::new();
    for refusal in &calibrated.calibration.refusals {
        let reasons = channels.entry(refusal.channel).or_default();
        *reasons.entry((&refusal.scenario, &refusal.reason)).or_default() += 1;
    }
    for (channel, reasons) in channels {
        let runs: u32 = reasons.values().sum();
        let _ = write!(text, "\n*{}* refused {runs} of the runs:\n\n", called(channel));
        for ((scenario, reason), runs) in reasons {
            let _ = writeln!(text, "- {}, {runs}: {}", markdown_text(scenario), markdown_text(reason));
        }
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |v| format!("{v:.*}", digits(v)))
}

/// Returns the coverage of the interval of another run, in brackets that of the recorded trace; in per cent.
fn covers(another: Option<f64>, this: Option<f64>) -> String {
    if another.is_none() { percent(None) } else { format!("{} ({})", percent(another), percent(this)) }
}

/// Number of decimals that show three significant digits, at most three.
fn digits(value: f64) -> usize {
    match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |s| format!("{:.0} %", 100.0 * s))
}
