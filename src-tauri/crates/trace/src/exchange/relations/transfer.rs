//! Payloads that were sent in blocks (RFC 7959, RFC 9177).

use crate::decode::series::{AllSeries, Series};
use crate::lookup::Map;
use crate::model::{EXCHANGE_LIFETIME, Exchange, Message, message_at};
use base::{AssociationId, ExchangeId, Instant};
use std::collections::BTreeSet;
use wire::coap::{Block, Code};

/// Direction of the payload of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// From client to server, in requests: Block1, Q-Block1.
    Up,
    /// From server to client, in responses: Block2, Q-Block2.
    Down,
}

/// One block of a transfer; a block that was sent in several exchanges is there once for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransferBlock {
    /// Exchange that carried it.
    pub exchange: ExchangeId,
    /// Block number, from 0.
    pub number: u32,
    /// Offset in the whole payload, octets: the block number times the block size, which may change on the way.
    pub offset: u32,
    /// Length of its payload, octets.
    pub octets: u16,
    /// True where more blocks follow (the M bit, RFC 7959 §2.2).
    pub more: bool,
}

/// A payload that was sent in blocks (RFC 7959, RFC 9177).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// Association between whose client and server it was sent.
    pub association: AssociationId,
    /// Direction of the payload.
    pub direction: Direction,
    /// True with Q-Block options (RFC 9177).
    pub quick: bool,
    /// Blocks in the order of their exchanges; several responses to one request (Q-Block2) in the order of sending.
    pub blocks: Vec<TransferBlock>,
}

impl Transfer {
    /// Returns the blocks in the order of the payload, one for each offset.
    fn distinct(&self) -> Vec<TransferBlock> {
        let mut blocks = self.blocks.clone();
        blocks.sort_by_key(|b| b.offset);
        blocks.dedup_by_key(|b| b.offset);
        blocks
    }

    /// Returns the length of the payload seen, octets; a block that came twice counts once.
    #[must_use]
    pub fn octets(&self) -> u64 {
        self.distinct().iter().map(|b| u64::from(b.octets)).sum()
    }

    /// Returns whether the last block was seen, and each one before it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut next = 0;
        let mut more = true;
        for block in self.distinct() {
            if block.offset != next {
                return false;
            }
            (next, more) = (block.offset.saturating_add(u32::from(block.octets)), block.more);
        }
        !more
    }
}

/// Key that distinguishes transfers under way at the same time: association, direction, method, hash of the target.
type Key = (AssociationId, Direction, Code, u64);

/// Finds the block-wise transfers, in order of their first block.
pub(super) fn transfers(exchanges: &[Exchange], messages: &[Message], series: &AllSeries) -> Vec<Transfer> {
    let mut transfers: Vec<Transfer> = Vec::new();
    let mut current: Map<Key, (usize, Instant)> = Map::default();
    let of = |id| message_at(messages, id).and_then(|m| series.of(m.frame).map(|series| (series, m)));
    for exchange in exchanges {
        let request = exchange.copies.first().and_then(|copy| of(copy.message)).map(|(series, _)| *series);
        let mut add = |direction, target, block: Block, octets, quick| {
            let offset = block.num.saturating_mul(u32::from(block.size()));
            let this = TransferBlock { exchange: exchange.id, number: block.num, offset, octets, more: block.more };
            let key = (exchange.association, direction, exchange.code, target);
            let goes_on = |t: &Transfer| match t.blocks.last() {
                Some(last) => last.exchange == this.exchange || last.offset < offset || quick && block.num > 0,
                None => false,
            };
            let recent = current.get(&key).filter(|(_, at)| exchange.start() - *at <= EXCHANGE_LIFETIME);
            let open = recent.map(|&(index, _)| index).filter(|&index| transfers.get(index).is_some_and(goes_on));
            let index = open.unwrap_or(transfers.len());
            if open.is_none() {
                let association = exchange.association;
                transfers.push(Transfer { association, direction, quick, blocks: Vec::new() });
            }
            current.insert(key, (index, exchange.start()));
            if let Some(transfer) = transfers.get_mut(index).filter(|t| t.blocks.last() != Some(&this)) {
                transfer.blocks.push(this);
            }
        };
        if let Some(Series { up: Some(block), quick, target, .. }) = request
            && exchange.code.is_request()
        {
            add(Direction::Up, target, block, exchange.payload, quick);
        }
        let target = request.map_or(PLAIN, |series| series.target);
        for (response, message) in exchange.replies.iter().filter_map(|reply| of(reply.message)) {
            let Some(block) = response.down.filter(|_| exchange.code.is_request()) else { continue };
            // A payload in one block is not a transfer, unless it is the last one that was asked for.
            if block.num == 0 && !block.more {
                continue;
            }
            add(Direction::Down, target, block, message.payload, response.quick);
        }
    }
    merge_heads(transfers)
}

/// Target hash of a request without Observe and block options: the first of a transfer may ask for no block in
/// particular.
const PLAIN: u64 = 0;

/// Joins the first block of a download to the blocks behind it: its request often has no Block2 option, and so no
/// target.
fn merge_heads(transfers: Vec<Transfer>) -> Vec<Transfer> {
    let mut merged: Vec<Transfer> = Vec::with_capacity(transfers.len());
    // Downloads of which more is to come: whose, from which octet on, and which of `merged`.
    let mut open: BTreeSet<(AssociationId, u32, usize)> = BTreeSet::new();
    for mut transfer in transfers {
        let association = transfer.association;
        let is_down = transfer.direction == Direction::Down;
        let first = transfer.blocks.first().map(|block| block.offset).filter(|&first| is_down && first > 0);
        let ending_at = |first| open.range((association, first, 0)..=(association, first, usize::MAX)).next_back();
        let head = first.and_then(ending_at).copied();
        let at = head.map_or(merged.len(), |(.., at)| at);
        match merged.get_mut(at) {
            Some(merged) => merged.blocks.append(&mut transfer.blocks),
            None => merged.push(transfer),
        }
        head.iter().for_each(|head| {
            open.remove(head);
        });
        let last = merged.get(at).filter(|_| is_down).and_then(|t| t.blocks.last()).filter(|last| last.more);
        open.extend(last.map(|last| (association, last.offset.saturating_add(last.octets.into()), at)));
    }
    merged
}
