//! Packets that were never sent: copies of requests as another timer would have sent them, and their replies.

use super::messages::{Messages, SyntheticMessage};
use super::plan::{ExportPlan, Heard, Play, Sent};
use crate::runs::Stored;
use base::{Cancelled, Instant, SharedProgress};
use replay::{Fate, Support};
use trace::export::datagram;
use trace::{Association, Endpoint, Exchange, Places, Trace};

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
    plan: &ExportPlan,
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
        let maker = Maker { messages: Messages { trace, places }, run, exchange, association, play };
        maker.copies(&mut made);
        maker.replies(&mut made);
    }
    Ok(made)
}

struct Maker<'a> {
    messages: Messages<'a>,
    run: &'a Stored,
    exchange: &'a Exchange,
    association: &'a Association,
    play: &'a Play,
}

impl Maker<'_> {
    fn copies(&self, made: &mut Vec<Synthetic>) {
        for (attempt, sent) in self.play.copies.iter().enumerate().filter(|(_, sent)| sent.recorded.is_none()) {
            let message = self.messages.request(self.exchange, attempt);
            let Association { client, server, .. } = *self.association;
            made.extend(self.packet(sent.at, client, server, &message, true, || self.copy_comment(attempt, sent)));
        }
    }

    fn replies(&self, made: &mut Vec<Synthetic>) {
        for heard in self.play.replies.iter().filter(|heard| heard.recorded.is_none()) {
            let message = self.messages.reply_or_ack(self.exchange, heard.copy);
            let Association { client, server, .. } = *self.association;
            made.extend(self.packet(heard.at, server, client, &message, false, || self.reply_comment(heard)));
        }
    }

    fn packet(
        &self,
        at: Instant,
        src: Endpoint,
        dst: Endpoint,
        message: &SyntheticMessage,
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
        Support::Sampled => "sampled from recorded copies near in time",
        Support::Modelled => "modelled",
        Support::Assumed => "assumed, the best that the record allows",
    }
}
