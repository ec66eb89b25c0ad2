//! Nodes, links and load of the network of a capture.

use crate::view::{
    CaptureRequest, ChannelView, NetworkLink, NetworkLoadRequest, NetworkNode, NetworkSeriesRequest, NetworkView,
    NodeListRequest, ParentView, PlanView, ShareView,
};
use crate::{Error, Progress, Session, plan_view};
use base::{Silent, Span};
use std::path::Path;
use table::arrow;
use table::network::{link_filter, node_filter};
use trace::network::{Channel, Focus, Link, Network, Node, Share};
use trace::{MacAddr, NodeList};

/// Answers `network`; errs where the capture is not open, and when cancelled.
pub(crate) fn view(
    session: &Session,
    request: &CaptureRequest,
    progress: &mut dyn Progress,
) -> Result<NetworkView, Error> {
    let opened = session.capture(request.capture)?;
    let list = opened.list_beside(progress)?;
    let network = opened.network(progress)?;
    Ok(network_view(network, list.map(|beside| &beside.list)))
}

/// Answers `node_list`: reads a list of nodes. Errs where it cannot be read or is no list, or the capture is not open.
pub(crate) fn node_list(
    session: &Session,
    request: &NodeListRequest,
    progress: &mut dyn Progress,
) -> Result<PlanView, Error> {
    let opened = session.capture(request.capture)?;
    let list = trace::open_node_list(Path::new(&request.path), &mut Silent)?;
    Ok(plan_view(opened.network(progress)?, &list))
}

/// Answers `network_load` with an Arrow stream; errs where the capture or the run is not open, where that simulates no
/// frames, and when cancelled.
pub(crate) fn load(
    session: &Session,
    request: &NetworkLoadRequest,
    progress: &mut dyn Progress,
) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.capture)?;
    let sheet = |network: &Network| Ok(arrow(table::network::load(network, request.t0, request.t1)?)?);
    match request.run {
        Some(run) => sheet(session.run(run)?.network(&opened, progress)?),
        None => sheet(opened.network(progress)?),
    }
}

/// Answers `network_series` with an Arrow stream; errs where link and node are named, else as [`load`].
pub(crate) fn series(
    session: &Session,
    request: &NetworkSeriesRequest,
    progress: &mut dyn Progress,
) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.capture)?;
    let focus = match (request.link, request.node) {
        (None, None) => Focus::All,
        (Some(link), None) => Focus::Link(link as usize),
        (None, Some(node)) => Focus::Node(node as usize),
        (Some(_), Some(_)) => return Err(Error::request("Name either a link or a node.")),
    };
    let window = (request.t0, request.t1);
    let sheet = |network: &Network| Ok(arrow(table::network::series(network, window, request.bins, focus)?)?);
    match request.run {
        Some(run) => sheet(session.run(run)?.network(&opened, progress)?),
        None => sheet(opened.network(progress)?),
    }
}

/// Describes the network for the window and the command line, with the `list` of nodes beside the capture.
#[must_use]
pub fn network_view(network: &Network, list: Option<&NodeList>) -> NetworkView {
    NetworkView {
        nodes: network.nodes.iter().map(node).collect(),
        links: network.links.iter().map(|l| link(network, l)).collect(),
        channels: network.channels.iter().map(channel).collect(),
        mode_of_operation: network.mode_of_operation,
        plan: list.map(|list| plan_view(network, list)),
    }
}

fn count(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn position(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn node(node: &Node) -> NetworkNode {
    let address = |a: &std::net::Ipv6Addr| a.to_ipv4_mapped().map_or_else(|| a.to_string(), |v4| v4.to_string());
    NetworkNode {
        name: node.name.clone(),
        role: node.role,
        silent: node.silent,
        macs: node.macs.iter().map(MacAddr::to_string).collect(),
        addresses: node.addresses.iter().map(address).collect(),
        client_of: node.client_of.clone(),
        server_of: node.server_of.clone(),
        frames: count(node.frames),
        broadcasts: count(node.broadcasts),
        airtime: node.airtime.secs_f64(),
        rank: node.rank(),
        parents: node.parents.iter().map(|p| ParentView { at: p.at, node: position(p.node) }).collect(),
        parents_by: node.parents_by,
        above: node.above.map(position),
        filter: node_filter(node),
    }
}

fn link(network: &Network, link: &Link) -> NetworkLink {
    NetworkLink {
        from: position(link.from),
        to: position(link.to),
        frames: count(link.frames),
        unique: count(link.unique),
        acked: share(link.acked),
        lost: share(link.lost),
        evidence: link.evidence,
        delivered: share(link.delivered),
        attempts: link.attempts_per_delivery(),
        delay_p50: link.delay.map(|(median, _)| median.secs_f64()),
        delay_p95: link.delay.map(|(_, p95)| p95.secs_f64()),
        airtime: Span::secs_f64(link.airtime),
        messages: count(link.messages),
        copies: count(link.copies),
        needless: count(link.needless),
        rssi: link.rssi,
        lqi: link.lqi,
        filter: link_filter(network, link),
    }
}

fn share(share: Share) -> ShareView {
    let (lo95, hi95) = share.interval95().unzip();
    ShareView { hits: count(share.hits), trials: count(share.trials), value: share.value(), lo95, hi95 }
}

fn channel(channel: &Channel) -> ChannelView {
    ChannelView { number: channel.number, frames: count(channel.frames), airtime: channel.airtime.secs_f64() }
}

#[cfg(test)]
mod tests {
    use crate::Session;
    use crate::commands::replayed::replays::tests::replayed;
    use crate::view::{ChannelKind, OpenRequest};
    use base::{Instant, Silent};

    #[test]
    fn the_load_of_a_simulated_replicate_is_that_of_its_frames() {
        let session = Session::default();
        let sample = Some("tsch-slow-chain5-default".to_owned());
        let id = session.open(&OpenRequest { sample, ..OpenRequest::default() }, &mut Silent).unwrap().id;
        let (opened, run) = (session.capture(id).unwrap(), replayed(&session, id, ChannelKind::Twin, 1, true));
        let frames = run.frames(&opened, &mut Silent).unwrap().unwrap();
        let network = run.network(&opened, &mut Silent).unwrap();
        let load = network.load(Instant::MIN, Instant::MAX);
        let acknowledgements = frames.frames().iter().filter(|frame| frame.acknowledgement.is_some()).count();
        assert_eq!(load.frames as usize, frames.frames().len() + acknowledgements);
        let mut counted = 0;
        for (link, load) in network.links.iter().zip(&load.links) {
            let is = |address, node: usize| network.nodes[node].macs.contains(&address);
            let own = || {
                let to = |frame: &&replay::SimulatedFrame| frame.to.is_some_and(|to| is(frames.address(to), link.to));
                frames.frames().iter().filter(|frame| is(frames.address(frame.from), link.from)).filter(to)
            };
            assert_eq!(load.frames as usize, own().count());
            assert_eq!(load.unique as usize, own().filter(|frame| frame.attempt == 1).count());
            assert_eq!(load.lost.hits as usize, own().filter(|frame| !frame.is_received).count());
            assert_eq!(load.lost.trials as usize, own().count());
            counted += load.frames as usize;
        }
        let unicast = frames.frames().iter().filter(|frame| frame.to.is_some()).count();
        assert!(counted == unicast && counted > 1_000, "{counted} of {unicast}: every link was recorded");
        let recorded = opened.network(&mut Silent).unwrap().load(Instant::MIN, Instant::MAX);
        assert_ne!(recorded.frames, load.frames);
    }
}
