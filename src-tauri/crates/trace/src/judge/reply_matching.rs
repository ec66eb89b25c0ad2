//! Reply matching: the copy that each reply answers, and the fate of the other copies.
//!
//! Three sources, best first. The retransmission-count option: the reply says which copy it answers. The hops: a copy
//! seen to reach the server before the reply left ([`server`]). The times: which round-trip times are usual here
//! ([`likelihood`]).

mod last_seen;
mod likelihood;
mod partial;
mod server;

use super::ambiguity::lower_ambiguous;
use super::vantage::{Survey, View};
use crate::model::{
    CLOCK_NOISE, Copy, Delivery, EXCHANGE_LIFETIME, Evidence, Exchange, Fate, Message, OneOrMany, Reply, message_at,
};
use base::{ExchangeId, Instant, Span};
use last_seen::unanswered;
use likelihood::{Case, LikelyMatches, Model};
use partial::{PartialMatching, Seen};
use server::{Counter, Followed, Server};
use wire::ieee802154::MacAddr;

/// Least probability, 0 to 1, of a choice between possible answers that counts as an inference; below it is a guess.
/// More than the 95 % of inferences that are to be right: the probability rests on round-trip times that were
/// themselves in part inferred.
/// Chosen here; `cargo test --release -p trace --test truth fates` and `--test truth live` count how often inferences
/// are right.
const INFERRED: f64 = 0.97;

/// Answer of a reply: position of the copy that it answers, and the evidence; `None` where it answers no copy that is
/// known.
type Answer = Option<(usize, Evidence)>;

/// Round-trip times and counts of the exchanges of an association, the youngest first.
pub(crate) struct Samples {
    view: View,
    nstart: u8,
    /// True where some reply carries the retransmission-count option.
    echoed: bool,
    /// Counts at the server, where hops are followed to it.
    counter: Counter,
    /// Round-trip times of exchanges without a doubt: one copy, and a reply to it.
    rtts: Vec<Span>,
    /// Longest time of an exchange, from its first copy to the reply that ended it.
    longest: Span,
    /// Exchanges with several copies.
    several: Vec<ExchangeId>,
    /// Counts where the capture does not have all that the client sends and gets.
    seen: Seen,
    /// Error of the stamps of the capture.
    noise: Span,
}

impl Samples {
    /// Begins with no exchange of an association; `noise`: error of the stamps of the capture.
    pub fn new(survey: &Survey, noise: Span) -> Self {
        Self {
            noise,
            view: survey.view,
            nstart: survey.nstart,
            echoed: survey.echoed,
            counter: Counter::default(),
            rtts: Vec::new(),
            longest: Span::ZERO,
            several: Vec::new(),
            seen: Seen::default(),
        }
    }

    /// Adds the exchange that precedes the last one added. Its outcome must be known.
    pub fn add(&mut self, exchange: &Exchange, messages: &[Message]) {
        let by_hops = self.view.is_whole() && self.view.follows_hops();
        self.longest = self.longest.max(exchange.rtt().unwrap_or(Span::ZERO));
        if !self.view.is_whole() {
            self.seen.add(exchange, &self.view, messages);
        }
        if by_hops {
            self.counter.add(exchange);
        }
        let [copy] = &exchange.copies[..] else { return self.several.push(exchange.id) };
        let Some(reply) = exchange.replies.first().filter(|_| !by_hops) else { return };
        let expected = || message_at(messages, reply.message).and_then(|m| self.view.expected(m)).map(|e| e.at);
        let arrived = if self.view.is_whole() { reply.arrived } else { expected() };
        self.rtts.extend(arrived.map(|arrived| arrived - copy.sent));
    }

    /// Learns the usual round-trip times from all exchanges that were added.
    pub fn learn(mut self, exchanges: &[Exchange], messages: &[Message]) -> ReplyMatcher {
        let counts = Counts { echoed: self.echoed };
        let (view, nstart, patience, noise) = (self.view, self.nstart, self.longest, self.noise);
        self.several.reverse();
        let several = Model::sample(&self.several).filter_map(|id| exchanges.get(id.index()));
        if view.is_whole() && view.follows_hops() {
            let several = several.map(|exchange| (exchange, counts.known(exchange, messages)));
            let method = Method::Hops(Box::new(Server::learn(self.counter, several, messages)));
            return ReplyMatcher { counts, view, nstart, patience, noise, method };
        }
        self.rtts.reverse();
        let of = |exchange: &Exchange| {
            let known = counts.known(exchange, messages);
            if view.is_whole() {
                case(exchange, &known, noise)
            } else {
                partial::case(exchange, &known, &view, messages).0
            }
        };
        let model = Model::learn(&self.rtts, several.map(of));
        let method = match view.is_whole() {
            true => Method::Times(Box::new(model)),
            false => Method::Partial(Box::new(PartialMatching::new(model, self.seen, self.rtts))),
        };
        ReplyMatcher { counts, view, nstart, patience, noise, method }
    }
}

/// Matches replies to copies in the exchanges of an association.
pub(crate) struct ReplyMatcher {
    counts: Counts,
    view: View,
    nstart: u8,
    /// Longest time of an exchange, from its first copy to the reply that ended it.
    patience: Span,
    /// Error of the stamps of the capture.
    noise: Span,
    method: Method,
}

/// Method of reply matching.
enum Method {
    Hops(Box<Server>),
    Times(Box<Model>),
    Partial(Box<PartialMatching>),
}

impl ReplyMatcher {
    /// Returns whether the capture has all that the client sends and gets.
    pub fn sees_client(&self) -> bool {
        self.view.is_whole()
    }

    /// Returns whether the client has one exchange open at a time.
    pub fn is_sequential(&self) -> bool {
        self.nstart == 1
    }

    /// Sets fates, evidence and the links between the copies and replies of an exchange whose outcome is known.
    pub fn assign(&self, exchange: &mut Exchange, messages: &[Message], end_of_trace: Instant) {
        match &self.method {
            Method::Hops(server) => {
                let known = self.counts.known(exchange, messages);
                let Followed { answers, answered } = server.follow(exchange, &known, messages);
                let chance = |index: usize| answered.get(index).copied().unwrap_or(0.0);
                settle(exchange, &answers, |index, copy| unanswered(copy, chance(index), messages), messages);
                lower_ambiguous(exchange, messages);
            }
            Method::Times(_) if is_plain(exchange) => plain(exchange, messages),
            Method::Times(model) => {
                let case = case(exchange, &self.counts.known(exchange, messages), self.noise);
                by_times(exchange, &case, &model.assign(&case), messages);
            }
            Method::Partial(partial) => {
                partial.assign(exchange, &self.counts.known(exchange, messages), &self.view, messages);
            }
        }
        self.cut_short(exchange, end_of_trace);
    }

    /// Lowers evidence where the reply may have come after the capture ended.
    ///
    /// The round-trip times that were seen say what is usual. They prove nothing: a server that slept, or a queue, may
    /// have answered later than ever before. Replies are counted for EXCHANGE_LIFETIME from the first copy, after which
    /// the Message ID means another exchange (RFC 7252 §4.8.2); so silence is a proof when the capture goes on for that
    /// long. A loss that link-layer acknowledgements show needs no silence from the server: only the radio's own
    /// retries must be over.
    fn cut_short(&self, exchange: &mut Exchange, end_of_trace: Instant) {
        /// Factor on the longest round trip seen after which frames are no longer repeated on a link: one hop's part of
        /// it is shorter. Chosen here; `cargo test --release -p trace --test cut_short` cuts captures of links
        /// everywhere.
        const SURELY: i64 = 3;
        let usual = self.patience.max(Span::from_secs(1));
        let is_over = end_of_trace - exchange.start() > EXCHANGE_LIFETIME;
        let by_links = self.view.on_links;
        for copy in &mut exchange.copies {
            let waited = end_of_trace - copy.sent;
            let is_proof = match copy.fate {
                Fate::RequestLost | Fate::ReplyLost if by_links => waited >= usual.scale(SURELY, 1),
                Fate::RequestLost | Fate::ReplyLost | Fate::Lost => is_over,
                Fate::Answered { .. } | Fate::Unknown => continue,
            };
            let is_open = copy.fate != Fate::RequestLost || copy.evidence == Evidence::Inferred;
            if is_open && waited < usual {
                (copy.fate, copy.evidence) = (Fate::Unknown, Evidence::Unknown);
            } else if !is_proof {
                copy.evidence = copy.evidence.min(Evidence::Inferred);
            }
        }
    }
}

/// Returns whether there is nothing to choose from: one copy, and at most one reply, after it.
fn is_plain(exchange: &Exchange) -> bool {
    let after = |reply: &Reply| reply.arrived.is_none_or(|at| at >= exchange.start());
    exchange.copies.len() == 1 && exchange.replies.len() <= 1 && exchange.replies.iter().all(after)
}

/// Matches the reply to the copy, if it arrived.
fn plain(exchange: &mut Exchange, messages: &[Message]) {
    let answer = |reply: &Reply| reply.arrived.map(|_| (0, Evidence::Proven));
    let answer = exchange.replies.first().map(answer);
    settle(exchange, answer.as_slice(), |_, _| (Fate::Lost, Evidence::Proven), messages);
}

/// Reply matching by the retransmission-count option.
struct Counts {
    /// True where the server echoes the option: a reply without it then answers a copy without it.
    echoed: bool,
}

impl Counts {
    /// Returns, by reply, the position of the copy that it says it answers.
    fn known(&self, exchange: &Exchange, messages: &[Message]) -> OneOrMany<Option<usize>> {
        exchange.replies.iter().map(|reply| self.copy(&exchange.copies, reply, messages)).collect()
    }

    /// Returns the position of the one copy that `reply` says it answers; `None` where it says none, or several have
    /// its count.
    fn copy(&self, copies: &[Copy], reply: &Reply, messages: &[Message]) -> Option<usize> {
        let rc = message_at(messages, reply.message)?.rc;
        if rc.is_none() && !self.echoed {
            return None;
        }
        let mut same = (0..copies.len())
            .filter(|&i| copies.get(i).and_then(|c| message_at(messages, c.message)).is_some_and(|m| m.rc == rc));
        same.next().filter(|_| same.next().is_none())
    }
}

/// Writes the answers into the exchange; `unanswered` tells the fate of copies without one.
fn settle(
    exchange: &mut Exchange,
    answers: &[Answer],
    unanswered: impl Fn(usize, &Copy) -> (Fate, Evidence),
    messages: &[Message],
) {
    let narrow = |i: usize| u8::try_from(i).unwrap_or(u8::MAX);
    for (reply, answer) in exchange.replies.iter_mut().zip(answers) {
        reply.answers = answer.map(|(copy, _)| narrow(copy));
    }
    for (index, copy) in exchange.copies.iter_mut().enumerate() {
        let mine = |&(_, answer): &(usize, &Answer)| answer.is_some_and(|(copy, _)| copy == index);
        let answer = answers.iter().enumerate().find(mine).and_then(|(r, a)| Some((r, a.as_ref()?.1)));
        copy.reply = answer.map(|(r, _)| narrow(r));
        let reply = answer.and_then(|(r, evidence)| Some((exchange.replies.get(r)?, evidence)));
        (copy.fate, copy.evidence) = match reply {
            Some((reply, evidence)) => match reply.arrived {
                // Stamps may be wrong by a little: no answer comes before its question.
                Some(at) => {
                    (Fate::Answered { rtt: (at - copy.sent).max(Span::ZERO) }, evidence.min(arrival(reply, messages)))
                }
                None => (Fate::ReplyLost, evidence.min(reply_loss(reply, messages))),
            },
            None => unanswered(index, copy),
        };
    }
}

/// Returns arrival time and position of the replies that arrived, in order of arrival.
fn arrivals(exchange: &Exchange) -> Vec<(Instant, usize)> {
    let mut arrived: Vec<_> =
        exchange.replies.iter().enumerate().filter_map(|(i, r)| r.arrived.map(|at| (at, i))).collect();
    arrived.sort_unstable();
    arrived
}

/// Returns the times of an exchange at the client. A copy that is stamped up to `noise` after a reply may be what it
/// answers.
fn case(exchange: &Exchange, known: &[Option<usize>], noise: Span) -> Case {
    let arrived = arrivals(exchange);
    let sent = || exchange.copies.iter().map(|c| c.sent);
    let latest = |at: Instant| sent().filter(|&sent| sent <= at + noise).max().map_or(at, |sent| sent.max(at));
    Case {
        sent: sent().collect(),
        arrived: arrived.iter().map(|&(at, _)| latest(at)).collect(),
        known: arrived.iter().map(|&(_, reply)| known.get(reply).copied().flatten()).collect(),
        odds: Vec::new(),
    }
}

/// Writes the likeliest assignment into an exchange of which only times are known.
fn by_times(exchange: &mut Exchange, case: &Case, likely: &LikelyMatches, messages: &[Message]) {
    let mut answers: Vec<Answer> = vec![None; exchange.replies.len()];
    for (((at, reply), known), answer) in arrivals(exchange).into_iter().zip(&case.known).zip(&likely.answers) {
        let Some((copy, probability)) = *answer else { continue };
        let only = case.sent.iter().filter(|&&sent| sent <= at + CLOCK_NOISE).count() == 1;
        let evidence = if known.is_some() || only {
            Evidence::Proven
        } else if probability >= INFERRED {
            Evidence::Inferred
        } else {
            Evidence::Unknown
        };
        if let Some(slot) = answers.get_mut(reply) {
            *slot = Some((copy, evidence));
        }
    }
    let all_proven = answers.iter().flatten().all(|&(_, evidence)| evidence == Evidence::Proven);
    let lost = |index: usize, _: &Copy| {
        let evidence = match likely.answered(index) {
            _ if all_proven => Evidence::Proven,
            probability if probability <= 1.0 - INFERRED => Evidence::Inferred,
            _ => Evidence::Unknown,
        };
        (Fate::Lost, evidence)
    };
    settle(exchange, &answers, lost, messages);
}

/// Returns the evidence that a reply arrived at its time: proven where every hop was seen, or there are none.
fn arrival(reply: &Reply, messages: &[Message]) -> Evidence {
    let Some(message) = message_at(messages, reply.message) else { return Evidence::Unknown };
    if message.at < reply.sent {
        // Stamped before its request: when it arrived is not known.
        return Evidence::Inferred;
    }
    let wired = message.chain().iter().all(|h| h.nodes.src == MacAddr::None);
    if wired || message.delivered() == reply.arrived { Evidence::Proven } else { Evidence::Inferred }
}

/// Returns the evidence that a reply which was not seen to arrive was lost.
fn reply_loss(reply: &Reply, messages: &[Message]) -> Evidence {
    let last = message_at(messages, reply.message).and_then(|m| m.hops().next_back());
    match last.map(|h| (h.delivery, h.arrived.is_some())) {
        Some((Delivery::No, _) | (_, false)) => Evidence::Proven,
        Some((Delivery::Unlikely | Delivery::Yes, _)) => Evidence::Inferred,
        Some((Delivery::Unknown, _)) | None => Evidence::Unknown,
    }
}
