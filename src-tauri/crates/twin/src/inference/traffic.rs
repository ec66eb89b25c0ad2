//! Traffic that a capture shows in part: what is taken for granted of it, for people.

use super::exchanges::Exchanges;
use crate::model::{Background, Known, NodeId, Parameter};
use std::collections::BTreeSet;
use trace::Trace;
use wire::coap::Type;

/// Returns parameters of traffic beside single exchanges with one server; empty where there is none.
///
/// * `non-confirmable-messages`: messages that no timer sends, notifications among them. Their packets are background, hop by hop at their
///   recorded times, whatever the timers do: they occupy the medium, and nobody waits for them.
/// * `background-packets-to-nodes`: packets to one node that are part of no exchange, these among them.
/// * `servers`: nodes that answer.
pub(super) fn parameters(trace: &Trace, exchanges: &Exchanges, background: &[Background]) -> Vec<Parameter> {
    let is_background = |frames: &[base::FrameId]| {
        frames.iter().all(|frame| !exchanges.is_simulated.get(frame.index()).copied().unwrap_or(false))
    };
    let lone = trace.messages.iter().filter(|message| {
        message.kind == Type::Non
            && message.hops().all(|hop| is_background(hop.frames))
            && message.hops().next().is_some()
    });
    let (messages, all) = (lone.count(), trace.messages.len() as u64);
    let read = |name, value: usize, unit, of| Parameter::exact(name, value as f64, unit, Known::Read, of);
    let mut found = Vec::new();
    if messages > 0 {
        found.push(read("non-confirmable-messages", messages, "messages", all));
        let to_nodes = background.iter().filter(|packet| packet.to.is_some()).count();
        found.push(read("background-packets-to-nodes", to_nodes, "packets", background.len() as u64));
    }
    let servers: BTreeSet<NodeId> = exchanges.ends.iter().flatten().map(|ends| ends.server).collect();
    if servers.len() > 1 {
        found.push(read("servers", servers.len(), "nodes", trace.exchanges.len() as u64));
    }
    found
}
