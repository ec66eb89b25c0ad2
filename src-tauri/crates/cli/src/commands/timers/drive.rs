//! `drive`.

use crate::args::{Format, Misuse, OutFile, OutputArgs};
use crate::captures::read_text;
use crate::choices::session;
use crate::output;
use api::{Cells, DecodeOptions, Listing};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

/// `drive`
#[derive(clap::Args, Debug)]
pub struct DriveArgs {
    /// Scripts, or `-` for standard input: `{"vectors": [{"id", "preset", "unit", "steps": [{"op", "t", "u", …}]}]}`.
    #[arg(value_name = "EVENTS.json")]
    pub events: PathBuf,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Form of the output: by default the scripts with their outputs filled in; else a row for every step.
    #[arg(long, value_enum, default_value = "json")]
    pub format: Format,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Runs scripted events through estimators and prints the scripts with their outputs. Fails where a script is
/// malformed, and after printing where a vector could not be run.
pub fn drive(args: &DriveArgs) -> anyhow::Result<()> {
    let name = match args.events.as_os_str() {
        name if name == "-" => "standard input".to_owned(),
        _ => args.events.display().to_string(),
    };
    let events: Value = serde_json::from_str(&script(&args.events, &name)?)
        .map_err(|error| Misuse(format!("{name} is not JSON: {error}")))?;
    let algorithm_set = session(DecodeOptions::default(), &args.presets)?.algorithm_set();
    let driven = api::drive::drive_with(&algorithm_set, &events)
        .map_err(|error| Misuse(format!("{name} is not a script: {error}")))?;
    if args.format == Format::Json {
        output::json(&driven, args.out.as_ref())?;
    } else {
        let output = OutputArgs { format: args.format, out: args.out.clone() };
        output::listing(&steps(&driven), &output, "the script has no steps")?;
    }
    let wrong = errors(&driven);
    if wrong.is_empty() { Ok(()) } else { Err(Misuse(format!("{name}: {}", wrong.join("; "))).into()) }
}

/// Returns the text of the script at `path`, called `name` in errors. Fails where it cannot be read or is not UTF-8.
fn script(path: &Path, name: &str) -> anyhow::Result<String> {
    read_text(path).map_err(|error| match error.root_cause().downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::InvalidData) => Misuse(format!("{name} is no text: a script is JSON in UTF-8")).into(),
        _ => error,
    })
}

/// Returns a sentence for each vector that could not be run, with its error.
fn errors(driven: &Value) -> Vec<String> {
    let vectors = driven["vectors"].as_array().map_or(&[][..], Vec::as_slice);
    let error = |(at, vector): (usize, &Value)| {
        let name = vector["id"].as_str().map_or_else(|| at.to_string(), |id| format!("`{id}`"));
        Some(format!("vector {name}: {}", vector["error"].as_str()?))
    };
    vectors.iter().enumerate().filter_map(error).collect()
}

/// Table with a row for each step: operation, and the numbers that came out, in the unit of its vector.
fn steps(driven: &Value) -> Listing {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let rows: Vec<(Value, Value)> = list(&driven["vectors"])
        .into_iter()
        .flat_map(|vector| list(&vector["steps"]).into_iter().map(move |step| (vector.clone(), step)))
        .collect();
    let text = |f: &dyn Fn(&(Value, Value)) -> Value| {
        Cells::Text(rows.iter().map(|row| f(row).as_str().map(str::to_owned)).collect())
    };
    let real = |name: &str| Cells::Real(rows.iter().map(|(_, step)| step[name].as_f64()).collect());
    let timers = |step: &Value| {
        let timers: Vec<String> = list(&step["timers"]).iter().map(Value::to_string).collect();
        (!timers.is_empty()).then(|| timers.join(" "))
    };
    Listing {
        columns: vec![
            ("id", text(&|row| row.0["id"].clone())),
            ("preset", text(&|row| row.0["preset"].clone())),
            ("unit", text(&|row| row.0["unit"].clone())),
            ("op", text(&|row| row.1["op"].clone())),
            ("t", real("t")),
            ("first_rto", real("first_rto")),
            ("last_rto", real("last_rto")),
            ("rtt_from_first", real("rtt_from_first")),
            ("timers", Cells::Text(rows.iter().map(|(_, step)| timers(step)).collect())),
            ("gave_up_after", real("gave_up_after")),
            ("rto", real("rto")),
        ],
    }
}
