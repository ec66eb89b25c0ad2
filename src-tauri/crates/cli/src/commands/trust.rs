//! `trust`.

use crate::args::CaptureArgs;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{AgreementKind, CaptureRequest, KnownKind, ParameterView, TrustCheckView, TrustView};
use api::{DecodeOptions, Session};
use std::fmt::Write as _;
use std::path::PathBuf;

/// `trust`
#[derive(clap::Args, Debug)]
pub struct TrustArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// All there is to know, as JSON.
    #[arg(long)]
    pub json: bool,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Prints what the network twin says of its own capture, and which channel follows.
pub fn trust(args: &TrustArgs) -> anyhow::Result<()> {
    let session = Session::new(DecodeOptions::default());
    let view = session.adopt(captures::open(&args.capture)?);
    let trust = session.trust(&CaptureRequest { capture: view.id }, &mut Bar::new("replaying itself"))?;
    let out = args.out.as_deref();
    if args.json {
        return output::json(&serde_json::to_value(&trust)?, out);
    }
    output::text(&text(&trust), out)
}

fn text(trust: &TrustView) -> String {
    let mut text = format!("auto is {}\n", trust.why);
    if let Some(stack) = &trust.stack {
        let _ = writeln!(text, "stack: {}", stack.says);
    }
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
    let verdict = match check.agreement {
        AgreementKind::Inside => "inside",
        AgreementKind::Near => "near",
        AgreementKind::Outside => "outside",
    };
    let _ = writeln!(text, "{label:<40} {:>10.4} {:>10.4} {ninety:>22}  {verdict}", check.recorded, check.mean);
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
