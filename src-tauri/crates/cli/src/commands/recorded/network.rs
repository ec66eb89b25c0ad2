//! `network`: nodes, links and RPL parents.

use crate::args::{CaptureArgs, Format, OutputArgs};
use crate::captures::decode;
use crate::output;
use api::{ListBeside, NodeList, Places, network_listing as listing};
use std::path::{Path, PathBuf};

/// `network`
#[derive(clap::Args, Debug)]
pub struct NetworkArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// One row per link and direction: frames, retries, loss, delay, air time, CoAP copies (the default; JSON without
    /// an option has nodes, links and channels together).
    #[arg(long, conflicts_with_all = ["nodes", "parents"])]
    pub links: bool,
    /// One row per node: addresses, role, rank, parent.
    #[arg(long, conflicts_with = "parents")]
    pub nodes: bool,
    /// One row per RPL parent that a node had.
    #[arg(long)]
    pub parents: bool,
    /// Positions and names of the nodes: a simulation of Cooja (.csc), rows of `node,x,y[,name]`, or hosts. By default
    /// the one beside the capture: nodes.csv, or a simulation there or in the folder above.
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints the links, nodes or RPL parents of the network. Fails as [`decode`] does, and where the list of nodes cannot
/// be read.
pub fn network(args: &NetworkArgs) -> anyhow::Result<()> {
    let trace = decode(&args.capture)?;
    let network = api::network_of(&trace, &Places::of(&trace, &mut api::Silent)?, &mut api::Silent)?;
    let list = match (&args.plan, &args.capture.files[..]) {
        (Some(path), _) => Some(named(path)?),
        (None, [capture]) => ListBeside::find(capture, &network).map(|beside| beside.list),
        _ => None,
    };
    if let Some(list) = list.as_ref().filter(|_| args.plan.is_some() && !args.capture.quiet) {
        output::notes(api::plan_view(&network, list).notes);
    }
    let chosen = args.links || args.nodes || args.parents;
    if args.output.format == Format::Json && !chosen {
        let view = serde_json::to_value(api::network_view(&network, list.as_ref()))?;
        return output::json(&view, args.output.out.as_ref());
    }
    let rows = if args.nodes {
        listing::nodes(&network, list.as_ref())
    } else if args.parents {
        listing::parents(&trace, &network)
    } else {
        listing::links(&network)
    };
    output::listing(&rows, &args.output, args.capture.unless_quiet("the capture shows none of these"))
}

/// Reads the list of nodes at `path`, `-` for standard input; fails where it cannot be read or has no known form.
fn named(path: &Path) -> anyhow::Result<NodeList> {
    let list = if path.as_os_str() == "-" {
        api::read_node_list("standard input", std::io::stdin(), None, &mut api::Silent)
    } else {
        api::open_node_list(path, &mut api::Silent)
    };
    Ok(list.map_err(api::Error::from)?)
}
