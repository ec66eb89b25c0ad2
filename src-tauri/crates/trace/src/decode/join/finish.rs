//! Drafts to messages.

use super::Joiner;
use crate::decode::datagram::{HopRecord, Shared};
use crate::model::{Delivery, KeptHop, KeptHops, Message, Nodes};
use base::{Instant, MessageId};
use std::sync::Arc;

impl Joiner<'_> {
    /// Makes the message of draft `draft`. A node is taken to have received what it forwards.
    pub(super) fn finish(&self, draft: usize, shared: &mut Shared) -> Message {
        let id = MessageId::at(draft);
        let records = || self.hops(id.0);
        let first = self.hop(self.drafts[draft].first);
        let ends = Arc::clone(shared.ends(first.facts.path, self.datagrams));
        let mut nodes = |hop: &HopRecord| shared.nodes(hop.link, hop.facts.path, hop.header_dst, self.datagrams);
        let kept = match self.drafts[draft].hops {
            1 => vec![self.hop_of(first, nodes(first), None)],
            _ => {
                let hop = |record: &HopRecord| {
                    let to = self.dst(record);
                    let on = records().filter(|h| self.src(h) == to && h.sent > record.sent).map(|h| h.sent).min();
                    self.hop_of(record, nodes(record), on)
                };
                records().map(hop).collect()
            }
        };
        Message {
            id,
            at: first.sent,
            frame: first.completed,
            ends,
            kind: first.facts.kind,
            code: first.facts.code,
            mid: first.facts.mid,
            token: first.facts.token,
            payload: first.payload,
            rc: first.facts.rc,
            kept: KeptHops::Chain(kept.into_boxed_slice()),
            from_origin: self.drafts[draft].from_origin,
            on_loopback: false,
        }
    }

    /// Makes the hop of `record`; `on`: start of the first frame in which the addressed node forwarded it.
    fn hop_of(&self, record: &HopRecord, nodes: Arc<Nodes>, on: Option<Instant>) -> KeptHop {
        let arrivals = self.arrivals(record);
        let (delivery, arrived) = arrivals.best().unzip();
        let mut hop = KeptHop {
            nodes,
            frames: self.datagrams.frames(record).collect(),
            sent: record.sent,
            arrived,
            octets: record.octets,
            delivery: delivery.unwrap_or(Delivery::No),
            hop_limit: record.hop_limit,
        };
        if let Some((delivery, at)) = on.and_then(|by| arrivals.by(by))
            && delivery != Delivery::No
        {
            hop.delivery = Delivery::Yes;
            hop.arrived = Some(at);
        }
        hop
    }
}
