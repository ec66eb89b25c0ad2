//! Withdrawals of routes, read from the RPL messages of the nodes themselves.

use crate::inference::air::{Air, AirFrame, NOBODY, Table};
use crate::inference::background::Control;
use crate::inference::exchanges::Exchanges;
use crate::inference::packets::{Packet, Packets};
use crate::model::{Evidence, Known, NodeId, NodeWithdrawals, Parameter, Withdrawals};
use base::{Cancelled, Instant, SharedProgress, Span};
use trace::Trace;
use wire::rpl::Rpl;

/// Rank of a node without a route (RFC 6550, 17: INFINITE_RANK).
const INFINITE_RANK: u16 = 0xffff;
/// A withdrawal no later than this after a failure follows from it. Chosen here: of 280 withdrawals in three runs of
/// `grid3x3-burst` and `event5x5-1m` 45 % came within a second of a failure of their node, where moments drawn by lot
/// do in 4 %; in the seconds after it they are as frequent as by lot.
const FOLLOWS: Span = Span::from_secs(1);
/// Weight of the network's share in that of a node, failures. Chosen here: nodes differ (one beside the root has no
/// other parent).
const WEIGHT: f64 = 4.0;

/// Statement of a node about its route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Statement {
    /// The node leaves its parent.
    Withdrawn,
    /// The node is reached through this neighbour.
    Announced(NodeId),
}

/// Returns the withdrawals of `trace`, and their parameter for people; `None` where there are none. `lead`: time before
/// its first frame at which a packet is put into its queue; `attempts`: after so many a packet is given up.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(in crate::inference) fn of(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    (exchanges, lead, attempts): (&Exchanges, Span, u8),
    progress: &SharedProgress<'_>,
) -> Result<(Withdrawals, Option<Parameter>), Cancelled> {
    let statements = statements(trace, air, packets, (exchanges, lead), progress)?;
    let mut nodes: Vec<NodeWithdrawals> = vec![NodeWithdrawals::default(); air.nodes.len()];
    let mut found: Vec<(NodeId, Instant, Instant)> = Vec::new();
    for (&node, list) in &statements {
        let Some(own) = nodes.get_mut(usize::from(node)) else { continue };
        let mut since = None;
        for &(at, statement) in list {
            match statement {
                Statement::Withdrawn => since = since.or(Some(at)),
                Statement::Announced(parent) => {
                    found.extend(since.take().map(|since| (node, since, at)));
                    if own.parents.last().is_none_or(|&(_, last)| last != parent) {
                        own.parents.push((at, parent));
                    }
                }
            }
        }
    }
    if found.is_empty() {
        return Ok((Withdrawals::default(), None));
    }
    let mut withdrawals = Withdrawals { nodes, after_failure: Vec::new() };
    let failures = failures(air, packets, &withdrawals, attempts);
    // Withdrawals that followed, and failures, by node and whether another failure came before.
    let mut counts: Table<(NodeId, bool), (u64, u64)> = Table::new();
    for (&node, list) in &failures {
        for failure in list {
            counts.entry((node, failure.is_repeated)).or_default().1 += 1;
        }
    }
    for &(node, from, until) in &found {
        let own = failures.get(&node).map_or(&[][..], Vec::as_slice);
        let before = own.get(own.partition_point(|failure| failure.at <= from).wrapping_sub(1));
        match before.filter(|failure| from - failure.at <= FOLLOWS) {
            Some(failure) => {
                counts.entry((node, failure.is_repeated)).or_default().0 += 1;
                withdrawals.after_failure.push((from - failure.at, until - from));
            }
            None => {
                if let Some(node) = withdrawals.nodes.get_mut(usize::from(node)) {
                    node.recorded.push((from, until));
                }
            }
        }
    }
    let pooled = [false, true].map(|is_repeated| {
        let own = || counts.iter().filter(|((_, repeated), _)| *repeated == is_repeated).map(|(_, count)| *count);
        let (followed, all) = (own().map(|count| count.0).sum(), own().map(|count| count.1).sum());
        Evidence::observed(followed, all, 0.5, 1.0)
    });
    for (node, number) in withdrawals.nodes.iter_mut().zip(0..) {
        node.after_failure = [false, true].map(|is_repeated| {
            let (followed, all) = counts.get(&(number, is_repeated)).copied().unwrap_or_default();
            Evidence::observed(followed.min(all), all, pooled[usize::from(is_repeated)].mean(), WEIGHT)
        });
    }
    let all = counts.values().map(|count| count.1).sum();
    let share = Evidence::observed(withdrawals.after_failure.len() as u64, all, 0.5, 1.0);
    let parameter = Parameter {
        name: "withdrawals-after-failures",
        value: share.mean(),
        range: (share.quantile(0.05), share.quantile(0.95)),
        unit: "",
        known: Known::Inferred,
        observations: all,
    };
    Ok((withdrawals, Some(parameter)))
}

/// Statements about their own routes, by node and in order of time, each `lead` before its first frame.
fn statements(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    (exchanges, lead): (&Exchanges, Span),
    progress: &SharedProgress<'_>,
) -> Result<Table<NodeId, Vec<(Instant, Statement)>>, Cancelled> {
    let mut statements: Table<NodeId, Vec<(Instant, Statement)>> = Table::new();
    for (index, packet) in packets.list.iter().enumerate() {
        progress.ask_at(index)?;
        if let Some(frame) = air.frame(packet.first()).filter(|frame| !exchanges.has(frame))
            && let Some(statement) = statement(trace, packet, frame)
        {
            statements.entry(packet.from).or_default().push((frame.at - lead, statement));
        }
    }
    Ok(statements)
}

/// Statement of `packet` about the route of its own sender.
fn statement(trace: &Trace, packet: &Packet, frame: &AirFrame) -> Option<Statement> {
    let Control { src, rpl, .. } = Control::read(trace, frame)?;
    match rpl {
        Rpl::Dao(dao) => {
            // A DAO of a child that a storing node passes on has another source.
            let is_own = dao.targets.iter().any(|target| target.octets.get(8..) == src.get(8..));
            let lifetime = dao.transits.iter().map(|transit| transit.path_lifetime).max();
            let statement = match lifetime.filter(|_| is_own)? {
                0 => Statement::Withdrawn,
                _ => Statement::Announced(packet.to),
            };
            (packet.to != NOBODY).then_some(statement)
        }
        Rpl::Dio(dio) => (dio.rank == INFINITE_RANK).then_some(Statement::Withdrawn),
        Rpl::Dis | Rpl::DaoAck(_) | Rpl::Other(_) => None,
    }
}

/// A packet to the parent that was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Failure {
    at: Instant,
    /// True where the packet to the parent before it was given up too, not long ago.
    is_repeated: bool,
}

/// Packets to parents that were given up, by node and in order of time.
fn failures(air: &Air, packets: &Packets, withdrawals: &Withdrawals, attempts: u8) -> Table<NodeId, Vec<Failure>> {
    let mut ends: Table<NodeId, Vec<(Instant, bool)>> = Table::new();
    for packet in packets.list.iter().filter(|packet| packet.to != NOBODY) {
        let Some(last) = packet.attempts.last().and_then(|&at| air.frame(at)) else { continue };
        if withdrawals.parent(packet.from, last.end) == Some(packet.to) {
            let is_failure = last.acknowledgement.is_none() && packet.attempts.len() >= usize::from(attempts);
            ends.entry(packet.from).or_default().push((last.end, is_failure));
        }
    }
    let of_node = |mut list: Vec<(Instant, bool)>| {
        list.sort_unstable();
        let mut before = None;
        let mut failures = Vec::new();
        for (at, is_failure) in list {
            if is_failure {
                failures.push(Failure { at, is_repeated: Withdrawals::is_repeated(before, at) });
            }
            before = is_failure.then_some(at);
        }
        failures
    };
    ends.into_iter().map(|(node, list)| (node, of_node(list))).collect()
}
