//! `trust`.

use crate::args::{CaptureArgs, Format, JsonArgs, OutputArgs};
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{
    AgreementKind, CaptureRequest, GateView, HalvesView, KnownKind, ParameterView, ShareCheckView, TrustCheckView,
    TrustView,
};
use api::{Cells, DecodeOptions, Listing, Session};
use serde_json::json;
use std::fmt::Write as _;

/// `trust`
#[derive(clap::Args, Debug)]
pub struct TrustArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    #[command(flatten)]
    pub json: JsonArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints the checks of the network twin against its own capture, and the channel that `auto` stands for. Fails where
/// the capture cannot be read or decoded.
pub fn trust(args: &TrustArgs) -> anyhow::Result<()> {
    let session = Session::new(DecodeOptions::default());
    let view = session.adopt(captures::open(&args.capture)?);
    let request = CaptureRequest { capture: view.id };
    let trust = session.trust(&request, &mut Bar::new("replaying itself"))?;
    let halves = session.halves(&request, &mut Bar::new("predicting the second half"))?;
    let out = args.output.out.as_ref();
    match args.output.form(args.json) {
        Format::Json => output::json(&whole(&trust, &halves)?, out),
        Format::Table => output::text(&text(&trust, &halves), out),
        Format::Csv | Format::Parquet | Format::Markdown => {
            output::say(&format!("auto is {}", trust.why));
            output::listing(
                &listing(&trust, &halves),
                &args.output,
                "without a twin there is nothing to hold against the capture",
            )
        }
    }
}

/// Returns the reply of `trust` as JSON, with that of `halves` as its field `halves`.
fn whole(trust: &TrustView, halves: &HalvesView) -> anyhow::Result<serde_json::Value> {
    let mut value = serde_json::to_value(trust)?;
    if let Some(fields) = value.as_object_mut() {
        fields.insert("halves".to_owned(), json!(halves));
    }
    Ok(value)
}

fn text(trust: &TrustView, halves: &HalvesView) -> String {
    let mut text = format!("auto is {}\n", trust.why);
    if let Some(stack) = &trust.stack {
        let _ = writeln!(text, "stack: {}", stack.says);
    }
    if let Some(timer) = &trust.timer {
        let _ = writeln!(text, "timer of the self-replay: {}", timer.id);
    } else if !trust.checks.is_empty() {
        let _ = writeln!(text, "no self-replay: no known timer fits; the recorded copies are sent again instead");
    }
    if let Some(until) = trust.until {
        let _ = writeln!(text, "checked on the beginning of the capture, until {until}: what follows would add little");
    }
    let gates: Vec<&GateView> = trust.gates.iter().chain(&halves.gate).collect();
    if !gates.is_empty() {
        let _ = writeln!(
            text,
            "\n{:<18} {:>12} {:>9} {:>10} {:>10}",
            "gate", "inside 90 %", "expected", "elsewhere", "by chance"
        );
        gates.iter().for_each(|line| gate(&mut text, line));
    }
    if let Some(refusal) = halves.refusal.as_ref().filter(|_| !trust.checks.is_empty()) {
        let _ = writeln!(text, "no halves: the first half alone gives no twin: {refusal}");
    }
    if !trust.checks.is_empty() {
        header(&mut text, "measure");
        trust.checks.iter().for_each(|line| check(&mut text, line));
    }
    if !halves.checks.is_empty() {
        header(&mut text, "second half, by the first");
        halves.checks.iter().for_each(|line| check(&mut text, line));
    }
    for link in &trust.links {
        header(&mut text, &format!("{} to {}, {} packets", link.from, link.to, link.packets));
        link.patterns.iter().for_each(|line| share(&mut text, pattern(line), line));
    }
    if !trust.senders.is_empty() {
        header(&mut text, "senders at once");
        trust.senders.iter().for_each(|line| share(&mut text, &line.subject, line));
    }
    if !trust.forwarding.is_empty() {
        header(&mut text, "packets passed on by");
        trust.forwarding.iter().for_each(|line| share(&mut text, &line.subject, line));
    }
    if !trust.parameters.is_empty() {
        let _ = writeln!(text, "\n{:<28} {:>12} {:>22}  {:<9} from", "parameter", "value", "range", "known");
        trust.parameters.iter().for_each(|line| parameter(&mut text, line));
    }
    text
}

fn header(text: &mut String, what: &str) {
    let _ = writeln!(text, "\n{what:<44} {:>10} {:>10} {:>22}  verdict", "recorded", "twin", "90 %");
}

fn gate(text: &mut String, gate: &GateView) {
    let percent = |share: Option<f64>| share.map(|share| format!("{:.1} %", share * 100.0)).unwrap_or_default();
    let inside = format!("{} of {}", gate.inside, gate.many);
    let (elsewhere, chance) = (percent(gate.misplaced), percent(gate.misplaced_by_chance));
    let closed = if gate.closed { "  closed" } else { "" };
    let line = format!("{:<18} {inside:>12} {:>9.1} {elsewhere:>10} {chance:>10}{closed}", gate.label, gate.expected);
    let _ = writeln!(text, "{}", line.trim_end());
}

/// Returns the name of an attempt pattern, such as `.A`; `others` for the sum of rare ones.
fn pattern(row: &ShareCheckView) -> &str {
    if row.subject.is_empty() { "others" } else { &row.subject }
}

const fn verdict(agreement: AgreementKind) -> &'static str {
    match agreement {
        AgreementKind::Inside => "inside",
        AgreementKind::Near => "near",
        AgreementKind::Outside => "outside",
    }
}

fn check(text: &mut String, check: &TrustCheckView) {
    let label = format!("{} ({})", check.label, check.unit);
    let ninety = format!("{:.4} to {:.4}", check.lo90, check.hi90);
    let verdict = verdict(check.agreement);
    let _ = writeln!(text, "{label:<44} {:>10.4} {:>10.4} {ninety:>22}  {verdict}", check.recorded, check.mean);
}

fn share(text: &mut String, label: &str, row: &ShareCheckView) {
    let ninety = format!("{:.4} to {:.4}", row.lo90, row.hi90);
    let verdict = verdict(row.agreement);
    let _ = writeln!(text, "{label:<44} {:>10.4} {:>10.4} {ninety:>22}  {verdict}", row.recorded, row.mean);
}

/// Row of [`listing`].
struct Row {
    /// Name of the gate: measure, patterns, senders, forwarding or halves.
    gate: &'static str,
    subject: String,
    unit: String,
    /// Number of observations behind a share; `None` for measures.
    observations: Option<i64>,
    /// Recorded value; mean, lower and upper end of the 90 % interval of the twin; all in `unit`.
    values: [f64; 4],
    agreement: AgreementKind,
}

/// Table with a row for each check and share.
fn listing(trust: &TrustView, halves: &HalvesView) -> Listing {
    let checked = |gate, check: &TrustCheckView| Row {
        gate,
        subject: check.measure.clone(),
        unit: check.unit.clone(),
        observations: None,
        values: [check.recorded, check.mean, check.lo90, check.hi90],
        agreement: check.agreement,
    };
    let shared = |gate, subject: String, row: &ShareCheckView| Row {
        gate,
        subject,
        unit: "fraction".to_owned(),
        observations: Some(i64::from(row.observations)),
        values: [row.recorded, row.mean, row.lo90, row.hi90],
        agreement: row.agreement,
    };
    let links = trust.links.iter().flat_map(|link| {
        let named = |row| shared("patterns", format!("{} to {}: {}", link.from, link.to, pattern(row)), row);
        link.patterns.iter().map(named)
    });
    let rows: Vec<Row> = trust
        .checks
        .iter()
        .map(|check| checked("measure", check))
        .chain(links)
        .chain(trust.senders.iter().map(|row| shared("senders", row.subject.clone(), row)))
        .chain(trust.forwarding.iter().map(|row| shared("forwarding", row.subject.clone(), row)))
        .chain(halves.checks.iter().map(|check| checked("halves", check)))
        .collect();
    let text = |of: &dyn Fn(&Row) -> String| Cells::Text(rows.iter().map(|row| Some(of(row))).collect());
    let real = |at: usize| Cells::Real(rows.iter().map(|row| row.values.get(at).copied()).collect());
    let columns = vec![
        ("gate", text(&|row| row.gate.to_owned())),
        ("subject", text(&|row| row.subject.clone())),
        ("unit", text(&|row| row.unit.clone())),
        ("observations", Cells::Whole(rows.iter().map(|row| row.observations).collect())),
        ("recorded", real(0)),
        ("mean", real(1)),
        ("lo90", real(2)),
        ("hi90", real(3)),
        ("verdict", text(&|row| verdict(row.agreement).to_owned())),
    ];
    Listing { columns }
}

fn parameter(text: &mut String, parameter: &ParameterView) {
    let value = format!("{:.4} {}", parameter.value, parameter.unit);
    let range = format!("{:.4} to {:.4}", parameter.lo, parameter.hi);
    let known = match parameter.known {
        KnownKind::Read => "read",
        KnownKind::Computed => "computed",
        KnownKind::Inferred => "inferred",
        KnownKind::Preset => "preset",
    };
    let _ = writeln!(
        text,
        "{:<28} {:>12} {range:>22}  {known:<9} {}",
        parameter.name,
        value.trim(),
        parameter.observations
    );
}
