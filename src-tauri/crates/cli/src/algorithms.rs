//! `algorithms`, `drive`.

use crate::args::{DriveArgs, Format, OutputArgs};
use crate::output;
use anyhow::Context as _;
use api::{AlgorithmSpec, Cells, Listing};

/// Every algorithm; as JSON with parameters and citations.
pub fn list(args: &OutputArgs) -> anyhow::Result<()> {
    let specs = api::specs();
    if args.format == Format::Json {
        return output::json(&serde_json::to_value(&specs)?, args.out.as_deref());
    }
    let text = |f: &dyn Fn(&AlgorithmSpec) -> String| Cells::Text(specs.iter().map(|s| Some(f(s))).collect());
    let rank = |s: &AlgorithmSpec| serde_json::to_value(s.rank).ok().and_then(|v| v.as_str().map(str::to_owned));
    let needs = |s: &AlgorithmSpec| if s.marks_attempts { "marked copies" } else { "-" }.to_owned();
    let params = |s: &AlgorithmSpec| s.params.iter().map(|p| p.name).collect::<Vec<_>>().join(" ");
    let listing = Listing {
        columns: vec![
            ("id", text(&|s| s.id.to_owned())),
            ("name", text(&|s| s.name.to_owned())),
            ("family", text(&|s| s.family.to_owned())),
            ("rank", text(&|s| rank(s).unwrap_or_default())),
            ("default", text(&|s| if s.default { "yes" } else { "no" }.to_owned())),
            ("needs", text(&needs)),
            ("citation", text(&|s| s.citation.to_string())),
            ("params", text(&params)),
        ],
    };
    output::listing(&listing, args)
}

/// Scripted events through estimators.
pub fn drive(args: &DriveArgs) -> anyhow::Result<()> {
    let name = args.events.display();
    let text = std::fs::read_to_string(&args.events).with_context(|| format!("cannot read {name}"))?;
    let events: serde_json::Value = serde_json::from_str(&text).with_context(|| format!("{name} is not JSON"))?;
    let driven = api::drive::drive(&events).with_context(|| format!("{name} is not a script"))?;
    output::json(&driven, args.out.as_deref())
}
