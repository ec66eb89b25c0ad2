//! `apply`: from a timer to the lines of a stack's configuration.

use crate::args::{Format, Misuse, OutFile, OutputArgs};
use crate::choices::{choice, session};
use crate::numbers::{between, whole};
use crate::output;
use api::view::ApplyRequest;
use api::{Cells, DecodeOptions, Listing};
use std::path::PathBuf;

/// `apply`
#[derive(clap::Args, Debug)]
pub struct ApplyArgs {
    /// Timer with its parameters; without, a list of the stacks.
    #[arg(value_name = "ALGORITHM[:key=value,...]", requires = "stack")]
    pub algorithm: Option<String>,
    /// Stack that is to run it.
    #[arg(long, value_name = "NAME", requires = "algorithm")]
    pub stack: Option<String>,
    /// Retransmissions before giving up (`MAX_RETRANSMIT`, RFC 7252 §4.8; 4).
    #[arg(long, value_name = "N", value_parser = between::<u8>(0, 20))]
    pub max_retransmit: Option<u8>,
    /// Most exchanges open at once towards one server (NSTART, RFC 7252 §4.7; 1).
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1))]
    pub nstart: Option<u8>,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Form of the output: the lines themselves by default, with remarks on standard error; json has both and the sources.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Lines for a stack, or the list of stacks.
pub fn apply(args: &ApplyArgs) -> anyhow::Result<()> {
    let (Some(algorithm), Some(stack)) = (&args.algorithm, &args.stack) else {
        let output = OutputArgs { format: args.format, out: args.out.clone() };
        return output::listing(&stacks(), &output, "");
    };
    let session = session(DecodeOptions::default(), &args.presets)?;
    let request = ApplyRequest {
        algorithm: choice(&session, algorithm)?,
        stack: stack.clone(),
        max_retransmit: args.max_retransmit,
        nstart: args.nstart,
    };
    let applied = session.apply(&request)?;
    match args.format {
        Format::Json => output::json(&serde_json::to_value(&applied)?, args.out.as_ref()),
        Format::Table => {
            output::text(&applied.text, args.out.as_ref())?;
            output::say(&format!("goes into: {}", applied.place));
            output::say(&format!("documented in: {}", applied.documentation));
            applied.remarks.iter().for_each(|remark| output::say(&format!("note: {remark}")));
            Ok(())
        }
        _ => Err(Misuse("lines for a stack are text or json: --format table or --format json".to_owned()).into()),
    }
}

fn stacks() -> Listing {
    let stacks = api::coap_stacks();
    let text = |f: &dyn Fn(&api::CoapStack) -> String| Cells::Text(stacks.iter().map(|stack| Some(f(stack))).collect());
    let mut columns = vec![
        ("name", text(&|stack| stack.id.clone())),
        ("stack", text(&|stack| format!("{}, {}", stack.name, stack.version))),
        ("place", text(&|stack| stack.place.clone())),
    ];
    for (at, (name, _)) in stacks.first().into_iter().flat_map(api::CoapStack::choices).enumerate() {
        columns.push((name, text(&|stack| stack.choices()[at].1.clone())));
    }
    let own = |stack: &api::CoapStack| {
        let own: Vec<&str> = stack.own_algorithms().collect();
        if own.is_empty() { "-".to_owned() } else { own.join(" ") }
    };
    columns.push(("own algorithms", text(&own)));
    Listing { columns }
}
