//! `drive`.

use crate::args::{Format, OutputArgs};
use crate::choices::session;
use crate::output;
use anyhow::Context as _;
use api::{Cells, DecodeOptions, Listing};
use serde_json::Value;
use std::path::PathBuf;

/// `drive`
#[derive(clap::Args, Debug)]
pub struct DriveArgs {
    /// Scripts: `{"vectors": [{"id", "preset", "unit", "steps": [{"op", "t", "u", …}]}]}`.
    #[arg(value_name = "EVENTS.json")]
    pub events: PathBuf,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Form of the output: by default the scripts with their outputs filled in; else a row for every step.
    #[arg(long, value_enum, default_value = "json")]
    pub format: Format,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Scripted events through estimators.
pub fn drive(args: &DriveArgs) -> anyhow::Result<()> {
    let name = args.events.display();
    let text = std::fs::read_to_string(&args.events).with_context(|| format!("cannot read {name}"))?;
    let events: Value = serde_json::from_str(&text).with_context(|| format!("{name} is not JSON"))?;
    let algorithm_set = session(DecodeOptions::default(), &args.presets)?.algorithm_set();
    let driven = api::drive::drive_with(&algorithm_set, &events).with_context(|| format!("{name} is not a script"))?;
    if args.format == Format::Json {
        return output::json(&driven, args.out.as_deref());
    }
    output::listing(&steps(&driven), &OutputArgs { format: args.format, out: args.out.clone() })
}

/// One row per step: what was asked and the numbers that came out, in the unit of its vector.
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
