//! Packets that were never sent: copies of requests as another timer would have sent them, and their replies.

use super::plan::{Heard, Plan, Play, Sent, is_response_exchange};
use crate::runs::Stored;
use base::{Cancelled, Instant, SharedProgress};
use replay::{Fate, Support};
use trace::export::{bare, datagram, with_count};
use trace::{Association, Code, Endpoint, Exchange, Packet, Places, ReplyKind, Trace, Type};

/// A synthetic packet, as raw IP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Synthetic {
    /// Time of sending; of a reply, of its arrival at the client.
    pub at: Instant,
    /// Octets of the IP datagram, from its header on.
    pub octets: Vec<u8>,
    /// Comment for the reader of the file: origin, fate, timer.
    pub comment: String,
    /// A copy of a request; else a reply.
    pub is_copy: bool,
}

/// Returns every packet of `run` that was not recorded, by exchange; errs when cancelled.
pub(super) fn packets(
    trace: &Trace,
    places: &Places,
    run: &Stored,
    plan: &Plan,
    progress: &SharedProgress<'_>,
) -> Result<Vec<Synthetic>, Cancelled> {
    let mut made = Vec::new();
    for (index, (id, play)) in plan.plays.iter().enumerate() {
        progress.item(index)?;
        let exchange = trace.exchanges.get(id.index());
        let Some((exchange, association)) =
            exchange.and_then(|e| Some((e, trace.associations.get(e.association.index())?)))
        else {
            continue;
        };
        let maker = Maker { trace, places, run, exchange, association, play };
        maker.copies(&mut made);
        maker.replies(&mut made);
    }
    Ok(made)
}

struct Maker<'a> {
    trace: &'a Trace,
    places: &'a Places,
    run: &'a Stored,
    exchange: &'a Exchange,
    association: &'a Association,
    play: &'a Play,
}

/// A message made from a recorded one, or from what is known of it.
struct Message {
    octets: Vec<u8>,
    /// Comment of the packet: its origin, for a reader of the file.
    remark: &'static str,
}

impl Maker<'_> {
    fn copies(&self, made: &mut Vec<Synthetic>) {
        for (attempt, sent) in self.play.copies.iter().enumerate().filter(|(_, sent)| sent.recorded.is_none()) {
            let message = self.request(attempt);
            let Association { client, server, .. } = *self.association;
            made.extend(self.packet(sent.at, client, server, &message, true, || self.copy_comment(attempt, sent)));
        }
    }

    fn replies(&self, made: &mut Vec<Synthetic>) {
        for heard in self.play.replies.iter().filter(|heard| heard.recorded.is_none()) {
            let message = self.reply(heard);
            let Association { client, server, .. } = *self.association;
            made.extend(self.packet(heard.at, server, client, &message, false, || self.reply_comment(heard)));
        }
    }

    fn packet(
        &self,
        at: Instant,
        src: Endpoint,
        dst: Endpoint,
        message: &Message,
        is_copy: bool,
        comment: impl FnOnce() -> String,
    ) -> Option<Synthetic> {
        let octets = datagram(src, dst, &message.octets)?;
        let key = &self.run.key;
        let comment = format!(
            "RTOscope, synthetic: {}{} Timer {}, channel {}, replicate 0, seed {}.",
            comment(),
            message.remark,
            key.algorithm.id,
            self.run.result.scenario.channel.label(),
            key.seed
        );
        Some(Synthetic { at, octets, comment, is_copy })
    }

    /// The CoAP octets of a recorded message.
    fn recorded(&self, id: base::MessageId) -> Option<Vec<u8>> {
        let message = self.trace.messages.get(id.index())?;
        Packet::read(self.trace, self.places, message.frame?).coap.map(|coap| coap.octets)
    }

    /// Copy `attempt` of the request: what the recorded ones have in common, and its own count where they carry one.
    fn request(&self, attempt: usize) -> Message {
        let own = self.exchange.copies.get(attempt).into_iter();
        let whole = own.chain(self.exchange.copies.iter()).find_map(|copy| self.recorded(copy.message));
        let Some(octets) = whole else {
            let Exchange { code, mid, token, .. } = *self.exchange;
            let remark = " Its options and payload were not captured, and are left out.";
            return Message { octets: bare(Type::Con, code, mid, token), remark };
        };
        Message { octets: self.counted(octets, attempt), remark: "" }
    }

    /// The reply that ended the recorded exchange, or an empty acknowledgement: a timer depends only on the arrival of a reply.
    fn reply(&self, heard: &Heard) -> Message {
        let replies = self.exchange.replies.iter();
        let recorded = replies
            .filter(|reply| !is_response_exchange(self.trace, reply.message))
            .max_by_key(|reply| (reply.closing, reply.kind != ReplyKind::EmptyAck))
            .and_then(|reply| self.recorded(reply.message));
        let Some(octets) = recorded else {
            let remark = " No reply that could stand here was recorded: an empty acknowledgement does.";
            let Exchange { mid, token, .. } = *self.exchange;
            return Message { octets: bare(Type::Ack, Code::EMPTY, mid, token), remark };
        };
        Message { octets: self.counted(octets, heard.copy), remark: "" }
    }

    fn counted(&self, octets: Vec<u8>, attempt: usize) -> Vec<u8> {
        let count = u8::try_from(attempt).unwrap_or(u8::MAX);
        with_count(&octets, self.trace.options.rc_option, count).unwrap_or(octets)
    }

    fn copy_comment(&self, attempt: usize, sent: &Sent) -> String {
        let all = self.play.copies.len();
        let before = attempt.checked_sub(1).and_then(|before| self.play.copies.get(before));
        let gap = before.map_or_else(String::new, |before| format!(", {} after the one before", sent.at - before.at));
        let timer = sent.timer.map_or_else(String::new, |timer| format!(" Timeout {timer}."));
        let needless = if sent.needless { " Needless: an earlier copy is answered." } else { "" };
        let last = attempt + 1 == all;
        let given_up = self.play.gave_up.filter(|_| last);
        let given_up = given_up.map_or_else(String::new, |at| format!(" Given up {} later.", at - sent.at));
        format!(
            "exchange {}, copy {} of {all}{gap}. Fate: {}, {}.{timer}{needless}{given_up}",
            self.exchange.id,
            attempt + 1,
            fate(sent.fate),
            support(sent.support)
        )
    }

    fn reply_comment(&self, heard: &Heard) -> String {
        let copy = self.play.copies.get(heard.copy);
        let how = copy.map_or("of unknown origin", |sent| support(sent.support));
        let since = copy.map_or_else(String::new, |sent| format!(", {} after it", heard.at - sent.at));
        let late = if heard.late { " The exchange was over." } else { "" };
        format!("reply to exchange {}, copy {}, at the client{since}, {how}.{late}", self.exchange.id, heard.copy + 1)
    }
}

fn fate(fate: Fate) -> String {
    match fate {
        Fate::Answered { rtt } => format!("answered after {rtt}"),
        Fate::RequestLost => "request lost".to_owned(),
        Fate::ReplyLost => "reply lost".to_owned(),
        Fate::Lost => "lost, one way or the other".to_owned(),
        Fate::Unknown => "not determined".to_owned(),
    }
}

const fn support(support: Support) -> &'static str {
    match support {
        Support::Recorded => "recorded (a copy at nearly this time)",
        Support::Borrowed => "borrowed from recorded copies near in time",
        Support::Modelled => "modelled",
        Support::Assumed => "assumed, the best that the record allows",
    }
}
