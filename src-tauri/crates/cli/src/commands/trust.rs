//! `trust`.

use crate::args::{CaptureArgs, Format, JsonArgs, OutputArgs};
use crate::progress::Bar;
use crate::{captures, output, rows};
use api::view::{AgreementKind, CaptureRequest, KnownKind, ParameterView, TrustCheckView, TrustView};
use api::{DecodeOptions, Listing, Session};
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

/// Prints what the network twin says of its own capture, and which channel follows.
pub fn trust(args: &TrustArgs) -> anyhow::Result<()> {
    let session = Session::new(DecodeOptions::default());
    let view = session.adopt(captures::open(&args.capture)?);
    let trust = session.trust(&CaptureRequest { capture: view.id }, &mut Bar::new("replaying itself"))?;
    let out = args.output.out.as_ref();
    match args.output.form(args.json) {
        Format::Json => output::json(&serde_json::to_value(&trust)?, out),
        Format::Table => output::text(&text(&trust), out),
        Format::Csv | Format::Parquet | Format::Markdown => {
            output::say(&format!("auto is {}", trust.why));
            output::listing(
                &listing(&trust),
                &args.output,
                "without a twin there is nothing to hold against the capture",
            )
        }
    }
}

/// Measures and parameters, a row each.
fn listing(trust: &TrustView) -> Listing {
    /// A measure of the capture or a parameter of the twin.
    enum Row<'a> {
        Measure(&'a TrustCheckView),
        Parameter(&'a ParameterView),
    }
    use Row::{Measure, Parameter};
    let lines: Vec<Row<'_>> = trust.checks.iter().map(Measure).chain(trust.parameters.iter().map(Parameter)).collect();
    rows::of(&lines)
        .text("kind", |line| if matches!(line, Measure(_)) { "measure" } else { "parameter" }.to_owned())
        .text("name", |line| match line {
            Measure(check) => check.measure.clone(),
            Parameter(parameter) => parameter.name.clone(),
        })
        .text("unit", |line| match line {
            Measure(check) => check.unit.clone(),
            Parameter(parameter) => parameter.unit.clone(),
        })
        .real("recorded", |line| if let Measure(check) = line { Some(check.recorded) } else { None })
        .real("twin", |line| match line {
            Measure(check) => Some(check.mean),
            Parameter(parameter) => Some(parameter.value),
        })
        .real("lo90", |line| match line {
            Measure(check) => Some(check.lo90),
            Parameter(parameter) => Some(parameter.lo),
        })
        .real("hi90", |line| match line {
            Measure(check) => Some(check.hi90),
            Parameter(parameter) => Some(parameter.hi),
        })
        .text("verdict", |line| match line {
            Measure(check) => agreement(check.agreement).to_owned(),
            Parameter(parameter) => known(parameter.known).to_owned(),
        })
        .whole("observations", |line| match line {
            Measure(_) => None,
            Parameter(parameter) => i64::try_from(parameter.observations).ok(),
        })
        .listing()
}

const fn agreement(agreement: AgreementKind) -> &'static str {
    match agreement {
        AgreementKind::Inside => "inside",
        AgreementKind::Near => "near",
        AgreementKind::Outside => "outside",
    }
}

const fn known(known: KnownKind) -> &'static str {
    match known {
        KnownKind::Read => "read",
        KnownKind::Computed => "computed",
        KnownKind::Inferred => "inferred",
        KnownKind::Preset => "preset",
    }
}

fn text(trust: &TrustView) -> String {
    let mut text = format!("auto is {}\n", trust.why);
    if let Some(timer) = &trust.timer {
        let _ = writeln!(text, "timer of the self-replay: {}", timer.id);
    } else if !trust.checks.is_empty() {
        let _ = writeln!(text, "no self-replay: no known timer fits; the recorded copies are sent again instead");
    }
    if !trust.checks.is_empty() {
        let _ = writeln!(text, "\n{:<40} {:>10} {:>10} {:>22}  verdict", "measure", "recorded", "twin", "90 %");
        trust.checks.iter().for_each(|line| check(&mut text, line));
    }
    if !trust.parameters.is_empty() {
        let _ = writeln!(text, "\n{:<28} {:>12} {:>22}  {:<9} from", "parameter", "value", "range", "known");
        trust.parameters.iter().for_each(|line| parameter(&mut text, line));
    }
    text
}

fn check(text: &mut String, check: &TrustCheckView) {
    let label = format!("{} ({})", check.label, check.unit);
    let ninety = format!("{:.4} to {:.4}", check.lo90, check.hi90);
    let verdict = agreement(check.agreement);
    let _ = writeln!(text, "{label:<40} {:>10.4} {:>10.4} {ninety:>22}  {verdict}", check.recorded, check.mean);
}

fn parameter(text: &mut String, parameter: &ParameterView) {
    let value = format!("{:.4} {}", parameter.value, parameter.unit);
    let range = format!("{:.4} to {:.4}", parameter.lo, parameter.hi);
    let known = known(parameter.known);
    let _ = writeln!(
        text,
        "{:<28} {:>12} {range:>22}  {known:<9} {}",
        parameter.name,
        value.trim(),
        parameter.observations
    );
}
