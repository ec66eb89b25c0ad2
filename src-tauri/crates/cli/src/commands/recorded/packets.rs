//! `frames`, `fields`, `messages`: captures as packets, filtered.

use super::follow::{FollowArgs, Followed, follow};
use crate::args::{CaptureArgs, OutputArgs};
use crate::captures::decode;
use crate::numbers::whole;
use crate::output;
use crate::progress::Bar;
use api::{Cells, Listing, Places, Rows, Trace};

/// `messages`
#[derive(clap::Args, Debug)]
pub struct MessagesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only what passes this filter, such as `coap.code == PUT && retransmission`; see `fields`.
    #[arg(long, value_name = "EXPR")]
    pub filter: Option<String>,
    /// Every frame that completes a message: each hop, each link-layer retry.
    #[arg(long, conflicts_with = "hops")]
    pub sightings: bool,
    /// One row per hop of each message, with the frames that carried it.
    #[arg(long)]
    pub hops: bool,
    #[command(flatten)]
    pub follow: FollowArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `frames`
#[derive(clap::Args, Debug)]
pub struct FramesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only what passes this filter, such as `coap.type == CON && ipv6.src == fd00::/64`.
    #[arg(long, value_name = "EXPR")]
    pub filter: Option<String>,
    /// At most this many rows.
    #[arg(long, value_name = "ROWS", value_parser = whole::<usize>(1))]
    pub limit: Option<usize>,
    #[command(flatten)]
    pub follow: FollowArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `fields`
#[derive(clap::Args, Debug)]
pub struct FieldsArgs {
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Returns the indices of the frames or messages that pass `filter`, ascending; all without one. Fails where a frame
/// cannot be read again.
pub fn select(trace: &Trace, places: &Places, rows: Rows, filter: Option<&api::Filter>) -> anyhow::Result<Vec<u32>> {
    Ok(api::select(trace, places, rows, filter, None, &mut Bar::new("filtering")).map_err(api::Error::from)?)
}

/// Parses `--filter`, before anything is read. Fails on an expression that is malformed or names an unknown field.
pub fn filter(text: Option<&str>) -> anyhow::Result<Option<api::Filter>> {
    Ok(text.map_or(Ok(None), api::filter).map_err(|error| match error.message.contains("unknown field") {
        true => api::Error { message: format!("{} (`rtoscope fields` lists all)", error.message), ..error },
        false => error,
    })?)
}

/// Prints one row for each frame that passes the filter. Fails as [`decode`] and [`filter`] do.
pub fn frames(args: &FramesArgs) -> anyhow::Result<()> {
    let filter = filter(args.filter.as_deref())?;
    if args.follow.follow {
        let chosen = |trace: &Trace| {
            let places = Places::of(trace, &mut api::Silent)?;
            let mut rows = select(trace, &places, Rows::Frames, filter.as_ref())?;
            rows.truncate(args.limit.unwrap_or(usize::MAX));
            Ok(rows)
        };
        let rows = |trace: &Trace, rows: &[u32]| {
            let places = Places::of(trace, &mut api::Silent)?;
            Ok(api::frames(trace, &places, Rows::Frames, rows))
        };
        let followed = Followed { complete: &|trace, _| chosen(trace), rows: &rows };
        return follow(&args.capture, &args.output, &followed);
    }
    let trace = decode(&args.capture)?;
    let places = Places::of(&trace, &mut api::Silent)?;
    let mut rows = select(&trace, &places, Rows::Frames, filter.as_ref())?;
    rows.truncate(args.limit.unwrap_or(usize::MAX));
    let nothing = nothing("frame", args.filter.is_some());
    output::listing(
        &api::frames(&trace, &places, Rows::Frames, &rows),
        &args.output,
        args.capture.unless_quiet(&nothing),
    )
}

/// Prints CoAP messages, their hops, or all frames that complete one. Fails as [`decode`] and [`filter`] do.
pub fn messages(args: &MessagesArgs) -> anyhow::Result<()> {
    let filter = filter(args.filter.as_deref())?;
    let kind = if args.sightings { Rows::Frames } else { Rows::Messages };
    let chosen = |trace: &Trace| {
        let places = Places::of(trace, &mut api::Silent)?;
        select(trace, &places, kind, filter.as_ref())
    };
    let listed = |trace: &Trace, rows: &[u32]| {
        let passes = |index: u32| rows.binary_search(&index).is_ok();
        if args.sightings {
            api::sightings(trace, &|frame| passes(frame.0))
        } else if args.hops {
            api::hops(trace, &|message| passes(message.0))
        } else {
            api::messages(trace, &|message| passes(message.0))
        }
    };
    if args.follow.follow {
        let followed = Followed { complete: &|trace, _| chosen(trace), rows: &|trace, rows| Ok(listed(trace, rows)) };
        return follow(&args.capture, &args.output, &followed);
    }
    let trace = decode(&args.capture)?;
    let listing = listed(&trace, &chosen(&trace)?);
    let nothing = nothing("CoAP message", args.filter.is_some());
    output::listing(&listing, &args.output, args.capture.unless_quiet(&nothing))
}

/// Returns the sentence that says why a list of packets, called `what`, is empty.
fn nothing(what: &str, is_filtered: bool) -> String {
    if is_filtered { format!("no {what} passes the filter") } else { format!("the capture has no {what}") }
}

/// Prints the fields of filter expressions with their type, the names of their values, and their meaning. Fails
/// where the table cannot be written, and for Parquet to a terminal.
pub fn fields(args: &FieldsArgs) -> anyhow::Result<()> {
    let text = |of: &dyn Fn(&api::Field) -> String| Cells::Text(api::fields().map(|field| Some(of(field))).collect());
    let listing = Listing {
        columns: vec![
            ("field", text(&|field| field.name.to_owned())),
            ("value", text(&|field| field.kind.to_string())),
            ("names", text(&|field| field.kind.names().join(" "))),
            ("about", text(&|field| field.about.to_owned())),
        ],
    };
    output::listing(&listing, &args.output, "")
}
