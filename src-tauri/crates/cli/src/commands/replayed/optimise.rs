//! `optimise`.

use crate::args::{CaptureArgs, ChanceArgs, Format, Misuse, OutFile, OutputArgs};
use crate::choices::{choice, session};
use crate::numbers::whole;
use crate::part::{PartArgs, check_start};
use crate::policy::PolicyArgs;
use crate::progress::Bar;
use crate::{captures, output, rows};
use api::DecodeOptions;
use api::view::{CaptureView, CheckKind, EffectView, MethodKind, MetricView, OptimiseRequest, OptimisedView, PRICE};
use clap::ValueEnum;
use std::fmt::Write as _;
use std::path::PathBuf;

/// `optimise`
#[derive(clap::Args, Debug)]
#[command(mut_arg("channel", |arg| arg.help(
    "Channel: the model that gives copies that were never sent their fate; a search cannot do without a model"
)))]
pub struct OptimiseArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Algorithm to start from, such as `cocoa_plus:rto_max=60`.
    #[arg(long, value_name = "NAME[:key=value,...]", default_value = "cocoa_plus")]
    pub algorithm: String,
    /// Parameters to search between their declared bounds (`rtoscope algorithms NAME` lists them).
    #[arg(long, value_name = "PARAMETERS", value_delimiter = ',', required = true)]
    pub over: Vec<String>,
    /// Measure to improve: completion, retransmissions, or any of `replay`.
    #[arg(long, value_name = "MEASURE", default_value = "completion")]
    pub objective: String,
    /// A capture that the search does not see: what was found is checked on it.
    #[arg(long, value_name = "G")]
    pub hold_out: Option<PathBuf>,
    /// Search method.
    #[arg(long, value_enum, default_value = "nelder-mead")]
    pub method: MethodKind,
    /// Greatest number of replays of the capture.
    #[arg(long, default_value_t = 120, value_parser = whole::<u32>(1))]
    pub evaluations: u32,
    #[command(flatten)]
    pub chance: ChanceArgs,
    /// Replicates of the modelled channel.
    #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1))]
    pub replicates: u32,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    #[command(flatten)]
    pub part: PartArgs,
    /// Form of the output; toml is the preset alone, for --presets.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Shape,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
    #[command(flatten)]
    pub policy: PolicyArgs,
}

/// Form of the result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Shape {
    /// For people.
    Table,
    /// One object.
    Json,
    /// RFC 4180, a row for each parameter.
    Csv,
    /// The same as a Markdown table.
    Markdown,
    /// The same as Apache Parquet (needs --out, or a pipe).
    Parquet,
    /// The preset file.
    Toml,
}

/// Searches parameters of an algorithm on a capture, checks them on another, and prints them. Fails where a capture
/// cannot be read or has no confirmable exchange, and on an unknown algorithm, parameter or measure.
pub fn optimise(args: &OptimiseArgs) -> anyhow::Result<()> {
    let session = session(DecodeOptions::default(), &args.presets)?;
    let algorithm = choice(&session, &args.algorithm)?;
    let view = session.adopt(captures::open(&args.capture)?);
    let hold_out = match &args.hold_out {
        Some(file) => {
            let capture = CaptureArgs { files: vec![file.clone()], merge: false, ..args.capture.clone() };
            Some(session.adopt(captures::open(&capture)?))
        }
        None => None,
    };
    if view.exchanges == 0 {
        return Err(Misuse("the capture has no confirmable exchange: there is nothing to search".to_owned()).into());
    }
    let captures: Vec<&CaptureView> = std::iter::once(&view).chain(&hold_out).collect();
    let parts = args.part.of(&captures)?;
    // A search over one half says nothing.
    captures.iter().zip(&parts).try_for_each(|(capture, part)| check_start(capture, part))?;
    let mut parts = parts.into_iter();
    let request = OptimiseRequest {
        capture: view.id,
        part: parts.next().unwrap_or_default(),
        hold_out: hold_out.as_ref().map(|view| view.id),
        hold_out_part: parts.next().unwrap_or_default(),
        algorithm,
        over: args.over.clone(),
        objective: args.objective.clone(),
        method: args.method,
        evaluations: args.evaluations,
        channel: args.chance.channel,
        workload: args.chance.workload,
        seed: args.chance.seed,
        replicates: args.replicates,
        policy: args.policy.view(),
    };
    let found = session.optimise(&request, &mut Bar::new("searching"))?;
    let out = args.out.as_ref();
    match args.format {
        Shape::Json => output::json(&serde_json::to_value(&found)?, out),
        Shape::Toml => output::text(&found.preset, out),
        Shape::Table => output::text(&text(&found), out),
        Shape::Csv => parameters(&found, args, Format::Csv),
        Shape::Markdown => parameters(&found, args, Format::Markdown),
        Shape::Parquet => parameters(&found, args, Format::Parquet),
    }
}

/// Writes a table with a row for each parameter: value before and after the search. The verdict goes to standard error.
fn parameters(found: &OptimisedView, args: &OptimiseArgs, format: Format) -> anyhow::Result<()> {
    let cells: Vec<(&String, &serde_json::Value)> = found.after.iter().collect();
    let shown = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let listing = rows::of(&cells)
        .text("parameter", |cell| cell.0.clone())
        .text("before", |cell| found.before.get(cell.0).map(shown).unwrap_or_default())
        .text("after", |cell| shown(cell.1))
        .listing();
    output::say_lines(verdict(found).trim());
    output::listing(&listing, &OutputArgs { format, out: args.out.clone() }, "")
}

fn text(found: &OptimisedView) -> String {
    let mut text = format!("{}, {} after {} replays\n\n", found.algorithm, found.objective, found.evaluations);
    let _ = writeln!(text, "{:<22} {:>12} {:>12}", "parameter", "before", "after");
    for (name, after) in &found.after {
        let before = found.before.get(name).map_or_else(String::new, ToString::to_string);
        let _ = writeln!(text, "{name:<22} {before:>12} {:>12}", after.to_string());
    }
    let others = PRICE.map(|measure| measure.name()).into_iter().filter(|name| *name != found.objective);
    let names: Vec<&str> = std::iter::once(&*found.objective).chain(others).collect();
    for effect in &found.effects {
        let _ = write!(text, "\n{}", table(effect, &names));
    }
    if !found.worse.is_empty() {
        let _ = writeln!(text, "\nPaid for with worse {}.", found.worse.join(", "));
    }
    let _ = write!(text, "{}\n{}", verdict(found), found.preset);
    text
}

fn table(effect: &EffectView, names: &[&str]) -> String {
    let role = if effect.held_out { "held out" } else { "searched" };
    let part = effect.part.as_ref().map_or_else(String::new, |part| format!("; {part}"));
    let mut text = format!("{} ({role}{part})\n", effect.capture);
    let _ =
        writeln!(text, "{:<22} {:>12} {:>12} {:>12}  90 % of the differences", "measure", "before", "after", "change");
    for &name in names {
        let mean = |side: &MetricView| side.mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"));
        let side =
            |sides: &std::collections::BTreeMap<String, MetricView>| sides.get(name).map(mean).unwrap_or_default();
        let (before, after) = (side(&effect.before), side(&effect.after));
        let (change, range) = effect.difference.get(name).map_or_else(
            || ("-".to_owned(), String::new()),
            |d| (format!("{:+.4}", d.mean), format!("{:+.4} to {:+.4}", d.lo90, d.hi90)),
        );
        let _ = writeln!(text, "{name:<22} {before:>12} {after:>12} {change:>12}  {range}");
    }
    text
}

/// Returns the sentence on the check against the held-out capture.
const fn verdict(found: &OptimisedView) -> &'static str {
    match found.check {
        CheckKind::NotChecked => {
            "\nNot checked on another capture: --hold-out shows whether this fits more than its own.\n"
        }
        CheckKind::OverFitted => "\nOver-fitted: better where it was searched, not where it was not.\n",
        CheckKind::Unclear => {
            "\nNot clear on the capture held out: the 90 % interval of its difference contains zero.\n"
        }
        CheckKind::NotBetter => "\nNothing better was found.\n",
        CheckKind::Holds => "\n",
    }
}
