//! Network statistics as columns, and the filters that find their frames in the packet list.

use crate::cells::{Cells, Listing};
use crate::columns::{Column, ColumnKind};
use crate::frame::{Data, Sheet, TableError};
use base::{Instant, Span};
use std::net::Ipv6Addr;
use trace::network::{Bin, Focus, Link, LossEvidence, Network, Node, NodeId, ParentEvidence, Role, Share};
use trace::{MacAddr, NodeList, Trace};

/// Columns of the load of links and nodes in a window: a row for each link, then one for each node, both in the order
/// of `NetworkView`, then one for everything. `frames` sent; `unique` without retries, `lost` of `judged` frames
/// (links, else 0); `airtime` s; `around` s sent by a node and those it has links with (nodes); `delay` s from the
/// first attempt to arrival, mean over the frames that arrived (links), NaN without any.
pub const NETWORK_LOAD_COLUMNS: &[Column] = &[
    ("frames", ColumnKind::U32),
    ("unique", ColumnKind::U32),
    ("lost", ColumnKind::U32),
    ("judged", ColumnKind::U32),
    ("airtime", ColumnKind::F64),
    ("around", ColumnKind::F64),
    ("delay", ColumnKind::F64),
];

/// Columns of load and loss over time, one row a bin: `t0` its start, ns. `airtime` is the air time of frames of all
/// channels together as a share of the bin, more than 1 where channels are busy at once; `lost` of `judged` frames;
/// `retries` of `frames`.
pub const NETWORK_SERIES_COLUMNS: &[Column] = &[
    ("t0", ColumnKind::F64),
    ("airtime", ColumnKind::F64),
    ("frames", ColumnKind::U32),
    ("retries", ColumnKind::U32),
    ("lost", ColumnKind::U32),
    ("judged", ColumnKind::U32),
];

fn small(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Counts frames that began in `t0..=t1`, as [`NETWORK_LOAD_COLUMNS`].
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn load(network: &Network, t0: Instant, t1: Instant) -> Result<Sheet, TableError> {
    let sums = network.load(t0, t1);
    let mut rows: Vec<(u32, u32, Share, Span, Span)> = Vec::with_capacity(sums.links.len() + sums.nodes.len() + 1);
    rows.extend(sums.links.iter().map(|link| (link.frames, link.unique, link.lost, link.airtime, Span::ZERO)));
    rows.extend(sums.nodes.iter().map(|node| (node.frames, 0, Share::default(), node.sent, node.around)));
    rows.push((sums.frames, 0, Share::default(), sums.airtime, sums.airtime));
    let mut delays: Vec<f64> = sums.links.iter().map(|link| link.delay().map_or(f64::NAN, Span::secs_f64)).collect();
    delays.resize(rows.len(), f64::NAN);
    Sheet::new(
        NETWORK_LOAD_COLUMNS,
        vec![
            Data::U32(rows.iter().map(|row| row.0).collect()),
            Data::U32(rows.iter().map(|row| row.1).collect()),
            Data::U32(rows.iter().map(|row| small(row.2.hits)).collect()),
            Data::U32(rows.iter().map(|row| small(row.2.trials)).collect()),
            Data::F64(rows.iter().map(|row| row.3.secs_f64()).collect()),
            Data::F64(rows.iter().map(|row| row.4.secs_f64()).collect()),
            Data::F64(delays),
        ],
    )
}

/// Returns load and loss in `bins` equal parts (1 to 4096) of the window, as [`NETWORK_SERIES_COLUMNS`].
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn series(network: &Network, (t0, t1): (Instant, Instant), bins: u32, focus: Focus) -> Result<Sheet, TableError> {
    // Chosen here: as many parts as the widest usual screen has columns (4,096 px); it bounds the reply.
    let bins = bins.clamp(1, 4_096);
    let sums: Vec<Bin> = network.series(t0, t1, bins as usize, focus);
    let length = (t1 - t0).secs_f64() / f64::from(bins);
    let start = |bin: usize| t0.nanos() as f64 + length * 1e9 * bin as f64;
    let part = |airtime: Span| if length > 0.0 { airtime.secs_f64() / length } else { 0.0 };
    Sheet::new(
        NETWORK_SERIES_COLUMNS,
        vec![
            Data::F64((0..sums.len()).map(start).collect()),
            Data::F64(sums.iter().map(|bin| part(bin.airtime)).collect()),
            Data::U32(sums.iter().map(|bin| bin.frames).collect()),
            Data::U32(sums.iter().map(|bin| bin.retries).collect()),
            Data::U32(sums.iter().map(|bin| small(bin.lost.hits)).collect()),
            Data::U32(sums.iter().map(|bin| small(bin.lost.trials)).collect()),
        ],
    )
}

/// Filter expression for frames with `node` as their `end`: `src` or `dst`.
fn end(node: &Node, end: &str) -> String {
    let mac = |mac: &MacAddr| match mac {
        MacAddr::None => None,
        MacAddr::Short(_) => Some(format!("wpan.{end}16 == {mac}")),
        MacAddr::Extended(_) => Some(format!("wpan.{end}64 == {mac}")),
    };
    let address = |address: &Ipv6Addr| match address.to_ipv4_mapped() {
        Some(v4) => format!("ip.{end} == {v4}"),
        None => format!("ipv6.{end} == {address}"),
    };
    let mut ways: Vec<String> = node.macs.iter().filter_map(mac).collect();
    if ways.is_empty() {
        ways.extend(node.addresses.iter().map(address));
    }
    let any = if ways.len() > 1 { format!("({})", ways.join(" || ")) } else { ways.concat() };
    match node.port {
        Some(port) => format!("({any} && udp.{end}port == {port})"),
        None => any,
    }
}

/// Returns the filter for frames that `node` sent, or that were sent to it.
#[must_use]
pub fn node_filter(node: &Node) -> String {
    format!("{} || {}", end(node, "src"), end(node, "dst"))
}

/// Returns the filter for the frames of `link`; off 802.15.4, for its messages.
#[must_use]
pub fn link_filter(network: &Network, link: &Link) -> String {
    let side = |id: NodeId, name: &str| network.nodes.get(id).map_or_else(String::new, |node| end(node, name));
    let is_wired = [link.from, link.to].iter().any(|&id| network.nodes.get(id).is_none_or(|n| n.role == Role::Host));
    let ends = format!("{} && {}", side(link.from, "src"), side(link.to, "dst"));
    if is_wired { format!("{ends} && coap") } else { ends }
}

fn text(values: impl Iterator<Item = String>) -> Cells {
    Cells::Text(values.map(Some).collect())
}

fn whole(values: impl Iterator<Item = u64>) -> Cells {
    Cells::Whole(values.map(|n| i64::try_from(n).ok()).collect())
}

fn name(network: &Network, id: NodeId) -> String {
    network.nodes.get(id).map_or_else(String::new, |node| node.name.clone())
}

/// Lists links: `from to frames unique acked loss loss_lo95 loss_hi95 loss_by delivered attempts delay_p50
/// delay_p95 airtime messages copies needless rssi lqi`, by sender and addressee. Shares are fractions of one to four
/// decimals; times in s; `attempts` for one delivery; `rssi` (dBm) and `lqi` medians where the sniffer was.
#[must_use]
pub fn links(network: &Network) -> Listing {
    let rows = || network.links.iter();
    let real = |value: &dyn Fn(&Link) -> Option<f64>| Cells::Real(rows().map(value).collect());
    let seconds = |value: &dyn Fn(&Link) -> Option<Span>| {
        Cells::Seconds(rows().map(|link| value(link).map(Span::nanos)).collect())
    };
    let by = |link: &Link| match link.evidence {
        LossEvidence::Unknown => "unknown",
        LossEvidence::Acks => "acks",
        LossEvidence::Log => "log",
    };
    let median = |spread: Option<trace::network::Spread>| spread.map(|spread| i64::from(spread.median));
    Listing {
        columns: vec![
            ("from", text(rows().map(|link| name(network, link.from)))),
            ("to", text(rows().map(|link| name(network, link.to)))),
            ("frames", whole(rows().map(|link| link.frames))),
            ("unique", whole(rows().map(|link| link.unique))),
            ("acked", real(&|link| rounded(link.acked.value()))),
            ("loss", real(&|link| rounded(link.lost.value()))),
            ("loss_lo95", real(&|link| rounded(link.lost.interval95().map(|ends| ends.0)))),
            ("loss_hi95", real(&|link| rounded(link.lost.interval95().map(|ends| ends.1)))),
            ("loss_by", text(rows().map(|link| by(link).to_owned()))),
            ("delivered", real(&|link| rounded(link.delivered.value()))),
            ("attempts", real(&|link| rounded(link.attempts_per_delivery()))),
            ("delay_p50", seconds(&|link| link.delay.map(|delay| delay.0))),
            ("delay_p95", seconds(&|link| link.delay.map(|delay| delay.1))),
            ("airtime", seconds(&|link| Some(link.airtime))),
            ("messages", whole(rows().map(|link| link.messages))),
            ("copies", whole(rows().map(|link| link.copies))),
            ("needless", whole(rows().map(|link| link.needless))),
            ("rssi", Cells::Whole(rows().map(|link| median(link.rssi)).collect())),
            ("lqi", Cells::Whole(rows().map(|link| median(link.lqi)).collect())),
        ],
    }
}

/// Value rounded to four decimals, finer than the error of any count of frames.
fn rounded(value: Option<f64>) -> Option<f64> {
    value.map(|value| (value * 1e4).round() / 1e4)
}

/// Lists nodes: `name role heard mac addresses client server frames broadcasts airtime rank parent parent_by
/// parent_changes`; with a `list` of nodes also `x y listed`, its places (metres in a simulation, else in the unit of
/// the list) and names. Several addresses are separated by spaces; `client` and `server` count associations; `airtime`
/// in s.
#[must_use]
pub fn nodes(network: &Network, list: Option<&NodeList>) -> Listing {
    let rows = || network.nodes.iter();
    let role = |node: &Node| match node.role {
        Role::Root => "root",
        Role::Router => "router",
        Role::Leaf => "leaf",
        Role::Host => "host",
    };
    let by = |node: &Node| {
        node.parents_by.map(|by| match by {
            ParentEvidence::Traffic => "traffic".to_owned(),
            ParentEvidence::DaoReceiver => "dao_receiver".to_owned(),
            ParentEvidence::Transit => "transit".to_owned(),
        })
    };
    let joined = |texts: Vec<String>| texts.join(" ");
    let address = |a: &Ipv6Addr| a.to_ipv4_mapped().map_or_else(|| a.to_string(), |v4| v4.to_string());
    let mut listing = Listing {
        columns: vec![
            ("name", text(rows().map(|node| node.name.clone()))),
            ("role", text(rows().map(|node| role(node).to_owned()))),
            ("heard", text(rows().map(|node| if node.silent { "no" } else { "yes" }.to_owned()))),
            ("mac", text(rows().map(|node| joined(node.macs.iter().map(MacAddr::to_string).collect())))),
            ("addresses", text(rows().map(|node| joined(node.addresses.iter().map(address).collect())))),
            ("client", whole(rows().map(|node| node.client_of.len() as u64))),
            ("server", whole(rows().map(|node| node.server_of.len() as u64))),
            ("frames", whole(rows().map(|node| node.frames))),
            ("broadcasts", whole(rows().map(|node| node.broadcasts))),
            ("airtime", Cells::Seconds(rows().map(|node| Some(node.airtime.nanos())).collect())),
            ("rank", Cells::Whole(rows().map(|node| node.rank().map(i64::from)).collect())),
            ("parent", Cells::Text(rows().map(|node| node.parents.last().map(|p| name(network, p.node))).collect())),
            ("parent_by", Cells::Text(rows().map(by).collect())),
            ("parent_changes", whole(rows().map(|node| node.parents.len().saturating_sub(1) as u64))),
        ],
    };
    listing.columns.extend(list.into_iter().flat_map(|list| listed(network, list)));
    listing
}

/// Columns of places and names of the nodes in `list`: `x y listed`.
fn listed(network: &Network, list: &NodeList) -> [(&'static str, Cells); 3] {
    let located = network.locate(list);
    let of = |id: NodeId| {
        let at = located.nodes.binary_search_by_key(&id, |node| node.0).ok().and_then(|at| located.nodes.get(at))?;
        list.nodes.get(at.1)
    };
    let all = || 0..network.nodes.len();
    [
        ("x", Cells::Real(all().map(|id| of(id)?.place.map(|[x, _]| x)).collect())),
        ("y", Cells::Real(all().map(|id| of(id)?.place.map(|[_, y]| y)).collect())),
        ("listed", Cells::Text(all().map(|id| of(id)?.name.clone()).collect())),
    ]
}

/// Lists the parents that nodes had: `time node parent`, in order of time, s as in the other listings.
#[must_use]
pub fn parents(trace: &Trace, network: &Network) -> Listing {
    let mut rows: Vec<(Instant, NodeId, NodeId)> = Vec::new();
    for (id, node) in network.nodes.iter().enumerate() {
        rows.extend(node.parents.iter().map(|parent| (parent.at, id, parent.node)));
    }
    rows.sort_unstable();
    let epoch = trace.capture.epoch_unix_nanos.unwrap_or(0);
    Listing {
        columns: vec![
            ("time", Cells::Seconds(rows.iter().map(|row| Some(row.0.nanos().saturating_add(epoch))).collect())),
            ("node", text(rows.iter().map(|row| name(network, row.1)))),
            ("parent", text(rows.iter().map(|row| name(network, row.2)))),
        ],
    }
}
