//! Withdrawn routes: times in which a node that changes its parent sends no requests of its own.
//!
//! In storing mode a node that leaves its parent withdraws its route there with a No-Path DAO, and announces it to the
//! new parent seconds later (RFC 6550, 9.8). Contiki-NG hands no CoAP message to the network in between: `coap_sendto`
//! (`coap-uip.c`) asks `node_is_reachable`, which the last DAO decides (`dao_output` of `rpl-classic/rpl-icmp6.c`:
//! `has_downward_route`). The timer of the copy runs, and no frame is sent. In `shared/cooja` all 199 such copies of
//! four runs fell into these times, and no other copy.

use super::{Evidence, NodeId};
use base::{Instant, Span};

/// Failures of one node are told apart by whether the packet before failed within this time: link estimates of
/// Contiki-NG move with every packet. Chosen here: of 1,538 failures in five runs of `grid3x3-burst` 11 % of first ones
/// and 27 % of repeated ones were followed by a withdrawal.
const REPEATS: Span = Span::from_secs(20);

/// Withdrawals of one node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NodeWithdrawals {
    /// Recorded withdrawals that followed no failure: first and last moment, in order of time.
    pub recorded: Vec<(Instant, Instant)>,
    /// Parents in order of time, each with the moment since when.
    pub parents: Vec<(Instant, NodeId)>,
    /// Probability that a withdrawal follows when a packet to the parent is given up: after a success (0), and after
    /// another failure (1).
    pub after_failure: [Evidence; 2],
}

/// Withdrawals of all nodes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Withdrawals {
    /// Withdrawals by node; empty where no node withdrew its route.
    pub nodes: Vec<NodeWithdrawals>,
    /// Recorded withdrawals that followed a failure, of all nodes: time from the failure, and length.
    pub after_failure: Vec<(Span, Span)>,
}

impl Withdrawals {
    /// Returns whether a failure at `at` repeats one: the packet to the parent just before it was given up, at
    /// `before`, less than 20 s ago.
    #[must_use]
    pub fn is_repeated(before: Option<Instant>, at: Instant) -> bool {
        before.is_some_and(|before| at - before < REPEATS)
    }

    /// Returns the parent of `node` at `at`; `None` where it is not known.
    #[must_use]
    pub fn parent(&self, node: NodeId, at: Instant) -> Option<NodeId> {
        let of = self.nodes.get(usize::from(node))?;
        let after = of.parents.partition_point(|&(since, _)| since <= at);
        of.parents.get(after.checked_sub(1)?).map(|&(_, parent)| parent)
    }
}
