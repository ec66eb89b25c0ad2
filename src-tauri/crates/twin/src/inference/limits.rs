//! Queues and buffers: how full they were seen, and the presets that allow as much.

use super::air::{Air, AirFrame, NOBODY};
use super::exchanges::Exchanges;
use super::packets::Packets;
use crate::model::{Choice, Limits, NodeId};
use base::{Instant, Span};

/// Packets of a node that stacks allow (QUEUEBUF_NUM: 8 `os/contiki-default-conf.h`, 16 in many applications, 64 on Cooja motes
/// `arch/platform/cooja/contiki-conf.h`).
const PACKETS: [u32; 4] = [8, 16, 32, 64];
/// Contiki-NG drops an incomplete datagram after this (SICSLOWPAN_REASS_MAXAGE 8 in units of 1/16 s, `sicslowpan.c`).
const REASSEMBLY_AGE: Span = Span::from_millis(500);
/// Datagrams reassembled at once (SICSLOWPAN_REASS_CONTEXTS, `sicslowpan.c`).
const REASSEMBLIES: u32 = 2;
/// Neighbours with a queue (CSMA_CONF_MAX_NEIGHBOR_QUEUES, `csma-output.c`: 2).
const NEIGHBOURS: u32 = 2;

/// Limits, and the most packets that some node was seen to hold.
pub(super) fn of(air: &Air, packets: &Packets, exchanges: &Exchanges) -> (Limits, u32) {
    let most = (0..air.nodes.len() as NodeId).map(|node| occupancy(air, packets, exchanges, node)).max().unwrap_or(0);
    let allowed: Vec<u32> = PACKETS.into_iter().filter(|&limit| limit >= most).collect();
    let packets = Choice::among(&allowed, most.max(1));
    let limits = Limits {
        // A ring of n places holds n - 1 (`tsch-queue.c`).
        per_neighbour: Choice::certain(u32::MAX),
        packets,
        neighbours: Choice::certain(NEIGHBOURS),
        reassemblies: Choice::certain(REASSEMBLIES),
        reassembly_age: REASSEMBLY_AGE,
    };
    (limits, most)
}

/// Most packets that `node` held at once, as far as the air shows: received ones that it had yet to forward.
fn occupancy(air: &Air, packets: &Packets, exchanges: &Exchanges, node: NodeId) -> u32 {
    let is_simulated = |frame: &AirFrame| exchanges.is_simulated.get(frame.id.index()).copied().unwrap_or(false);
    let mut edges: Vec<(Instant, i32)> = Vec::new();
    for packet in packets.list.iter().filter(|p| p.to != NOBODY && (p.from == node || p.to == node)) {
        let frames = || packet.attempts.iter().filter_map(|&at| air.frame(at));
        if !frames().all(is_simulated) {
            continue;
        }
        let change = if packet.to == node {
            frames().find(|frame| frame.acknowledgement.is_some()).map(|frame| (frame.end, 1))
        } else {
            frames().last().map(|frame| (frame.end, -1))
        };
        edges.extend(change);
    }
    edges.sort_unstable();
    let (mut held, mut most) = (0_i32, 0_i32);
    for (_, change) in edges {
        // What begins here was not seen to come: it cannot make the count negative.
        held = (held + change).max(0);
        most = most.max(held);
    }
    u32::try_from(most).unwrap_or(0)
}
