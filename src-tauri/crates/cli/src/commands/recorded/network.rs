//! `network`: nodes, links and RPL parents.

use crate::args::{CaptureArgs, Format, OutputArgs};
use crate::captures::decode;
use crate::output;
use api::{Places, network_listing as listing};

/// `network`
#[derive(clap::Args, Debug)]
pub struct NetworkArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// One row per link and direction: frames, retries, loss, delay, air time, CoAP copies (the default; JSON without an
    /// option has nodes, links and channels together).
    #[arg(long, conflicts_with_all = ["nodes", "parents"])]
    pub links: bool,
    /// One row per node: addresses, role, rank, parent.
    #[arg(long, conflicts_with = "parents")]
    pub nodes: bool,
    /// One row per RPL parent that a node had.
    #[arg(long)]
    pub parents: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The network that a capture shows.
pub fn network(args: &NetworkArgs) -> anyhow::Result<()> {
    let trace = decode(&args.capture)?;
    let network = api::network_of(&trace, &Places::of(&trace, &mut api::Silent)?, &mut api::Silent)?;
    let chosen = args.links || args.nodes || args.parents;
    if args.output.format == Format::Json && !chosen {
        let view = serde_json::to_value(api::network_view(&network))?;
        return output::json(&view, args.output.out.as_ref());
    }
    let rows = if args.nodes {
        listing::nodes(&network)
    } else if args.parents {
        listing::parents(&trace, &network)
    } else {
        listing::links(&network)
    };
    output::listing(&rows, &args.output, args.capture.unless_quiet("the capture shows none of these"))
}
