//! One exchange hop by hop, as recorded and under runs.
//!
//! A run's copy has hops only where it is taken to be a recorded one: sent at the same time on the same path, to the
//! tolerance of the run's channel, or where the network twin simulated it (`simulated`). A copy whose fate another
//! model gives has no hops.

mod simulated;

use crate::opened::{timer_view, wait_view};
use crate::view::{
    EndingKind, Evidence, LadderCopy, LadderFrame, LadderLeg, LadderNode, LadderReply, LadderRequest, LadderSide,
    LadderTransit, LadderView, LadderWait, LikeView, VantageKind,
};
use crate::{Error, Opened, Progress, Session, runs};
use base::{AssociationId, ExchangeId, Instant, Part, Span};
use table::columns::{FateKind, OutcomeKind};
use table::{CopyMark, ExchangeMark, Timeline};
use trace::ladder::{self, Ending, Ladder, Leg, Loss, Transit};
use trace::{Exchange, KnownTimers, Trace};

/// Answers `ladder`; errs where the capture, the exchange or a run is not open, and when cancelled. `progress` counts
/// the work on replicates that are simulated again.
pub(crate) fn ladder(
    session: &Session,
    request: &LadderRequest,
    progress: &mut dyn Progress,
) -> Result<LadderView, Error> {
    let opened = session.capture(request.capture)?;
    let mut view = recorded(&opened.trace, &opened.recorded, &opened.timers, request.exchange)?;
    let all = request.runs.len() as u64;
    for (place, &id) in (0..).zip(&request.runs) {
        let run = session.run(id)?;
        let side = of_run(&opened, &run, &mut view, id, &mut Part::new(progress, place, place + 1, all))?;
        view.sides.push(side);
    }
    Ok(view)
}

impl Session {
    /// Lays out one exchange hop by hop, as recorded and under runs. `progress` counts the work on replicates that are
    /// simulated again.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture, the exchange or a run is not open, [`crate::Code::Cancelled`].
    pub fn ladder(&self, request: &LadderRequest, progress: &mut dyn Progress) -> Result<LadderView, Error> {
        ladder(self, request, progress)
    }
}

/// Returns exchange `id` of `trace` hop by hop, as recorded; `recorded` is [`Timeline::recorded`] of the same trace
/// with its `timers`.
///
/// # Errors
/// [`crate::Code::Gone`] when there is no such exchange.
pub fn recorded(trace: &Trace, recorded: &Timeline, timers: &KnownTimers, id: ExchangeId) -> Result<LadderView, Error> {
    let gone = || Error::gone(format!("Exchange {id}"));
    let exchange = trace.exchanges.get(id.index()).ok_or_else(gone)?;
    let association = trace.associations.get(exchange.association.index()).ok_or_else(gone)?;
    let mark = recorded.find(exchange.association, id).ok_or_else(gone)?;
    let ladder = Ladder::of(trace, id).ok_or_else(gone)?;
    let place = association.exchanges.iter().position(|&other| other == id).ok_or_else(gone)?;
    let near = |at: Option<usize>| at.and_then(|at| association.exchanges.get(at)).copied();
    Ok(LadderView {
        exchange: id,
        association: exchange.association,
        mid: exchange.mid,
        token: exchange.token.to_string(),
        code: exchange.code.to_string(),
        vantage: VantageKind::of(association.vantage),
        place: narrow(place),
        of: narrow(association.exchanges.len()),
        previous: near(place.checked_sub(1)),
        next: near(place.checked_add(1)),
        nodes: ladder.nodes.iter().map(node).collect(),
        sides: vec![side(exchange, mark, timers, &ladder)],
    })
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn node(node: &ladder::Node) -> LadderNode {
    LadderNode {
        name: node.name.clone(),
        address: (node.address != trace::MacAddr::None).then(|| node.address.to_string()),
        role: node.role,
        seen: node.seen,
    }
}

fn side(exchange: &Exchange, mark: &ExchangeMark, timers: &KnownTimers, ladder: &Ladder) -> LadderSide {
    let copies = exchange.copies.iter().zip(&ladder.copies).zip(&ladder.timers).enumerate();
    let copy = |(index, ((copy, transit), timer)): (usize, ((&trace::Copy, &Transit), &ladder::Timer))| LadderCopy {
        sent: copy.sent,
        timer: mark.copies.get(index).and_then(|c| timer_view(c.timer)),
        gap: timer.length(),
        wait: wait_view(timers, exchange.id, index),
        expired: timer.expired,
        fate: table::fate(copy.fate),
        evidence: copy.evidence,
        rtt: mark.copies.get(index).and_then(|c| c.rtt),
        needless: mark.copies.get(index).is_some_and(|c| c.needless),
        reply: copy.reply.map(u32::from),
        transit: Some(self::transit(transit)),
        like: None,
    };
    LadderSide {
        run: None,
        simulated: None,
        copies: copies.map(copy).collect(),
        replies: replies(exchange, ladder),
        end: exchange.end,
        outcome: mark.outcome,
    }
}

fn replies(exchange: &Exchange, ladder: &Ladder) -> Vec<LadderReply> {
    let reply = |(reply, transit): (&trace::Reply, &Transit)| LadderReply {
        form: reply.kind,
        sent: reply.sent,
        arrived: reply.arrived,
        answers: reply.answers.map(u32::from),
        evidence: reply
            .answers
            .and_then(|copy| exchange.copies.get(usize::from(copy)))
            .map_or(Evidence::Unknown, |copy| copy.evidence),
        closing: reply.closing,
        transit: self::transit(transit),
    };
    exchange.replies.iter().zip(&ladder.replies).map(reply).collect()
}

fn transit(transit: &Transit) -> LadderTransit {
    let (ending, evidence, leg, at) = match transit.ending {
        Ending::Arrived { at, evidence } => (EndingKind::Arrived, evidence, None, at),
        Ending::Died { leg, loss, evidence } => {
            let ending = match loss {
                Loss::NotReceived => EndingKind::NotReceived,
                Loss::Incomplete => EndingKind::Incomplete,
                Loss::NotAcknowledged => EndingKind::NotAcknowledged,
                Loss::NotSentOn => EndingKind::NotSentOn,
            };
            (ending, evidence, Some(leg), None)
        }
        Ending::Unknown { leg } => (EndingKind::Unknown, Evidence::Unknown, leg, None),
    };
    let wait = |wait: &ladder::Wait| LadderWait {
        node: narrow(wait.node),
        from: wait.from,
        until: wait.until,
        kind: wait.kind,
    };
    LadderTransit {
        message: Some(transit.message.0),
        legs: transit.legs.iter().map(self::leg).collect(),
        waits: transit.waits.iter().map(wait).collect(),
        drops: Vec::new(),
        ending,
        evidence,
        leg: leg.map(narrow),
        at,
    }
}

fn leg(leg: &Leg) -> LadderLeg {
    let frame = |attempt: &ladder::Attempt| LadderFrame {
        frame: Some(attempt.frame),
        fragment: narrow(attempt.fragment),
        attempt: narrow(attempt.attempt),
        seq: attempt.seq.map(u32::from),
        start: attempt.start,
        end: attempt.end,
        delivery: attempt.delivery,
        ack: attempt.ack.map(|(frame, _)| frame),
        acked: attempt.ack.map(|(_, at)| at),
    };
    LadderLeg {
        from: narrow(leg.from),
        to: narrow(leg.to),
        sent: leg.sent,
        arrived: leg.arrived,
        delivery: leg.delivery,
        fragments: narrow(leg.fragments),
        mac_delay: leg.mac_delay,
        duplicate: leg.duplicate,
        hop_limit: Some(u32::from(leg.hop_limit)),
        frames: leg.attempts.iter().map(frame).collect(),
    }
}

/// Returns the exchange of `view` under the run with number `id`; adds nodes to `view` that only its simulated copies
/// pass. Errs when cancelled.
fn of_run(
    opened: &Opened,
    run: &runs::Stored,
    view: &mut LadderView,
    id: u32,
    progress: &mut dyn Progress,
) -> Result<LadderSide, Error> {
    let (trace, recorded) = (&opened.trace, &opened.recorded);
    let (copies, replies) = (Vec::new(), Vec::new());
    let mut side =
        LadderSide { run: Some(id), simulated: None, copies, replies, end: None, outcome: OutcomeKind::Open };
    // The application did not send it in this run.
    let Some(mark) = run.timeline.find(view.association, view.exchange) else { return Ok(side) };
    (side.end, side.outcome) = (mark.end, mark.outcome);
    let tolerance = run.key.scenario().channel.tolerance();
    let mut simulated = simulated::Copies::of(opened, run, (&mut *view, mark), progress)?;
    for (number, copy) in mark.copies.iter().enumerate() {
        let like = copy.supported.then(|| like(recorded, view, copy, tolerance)).flatten();
        let own = simulated.as_mut().filter(|_| like.is_none()).and_then(|copies| copies.take(number));
        // Clients that stay as recorded keep their recorded hops.
        side.simulated = side.simulated.or_else(|| own.as_ref().and_then(|_| run.simulated()));
        let recorded_hops = like.as_ref().and_then(|like| recorded_hops(trace, view, like, mark.end));
        let fate = own.as_ref().map(|own| own.fate).or(recorded_fate(recorded, view.association, like.as_ref()));
        let hops = recorded_hops.or(own.map(|own| (own.request, own.reply)));
        let (transit, reply) = hops.map_or((None, None), |(transit, reply)| (Some(transit), reply));
        let answer = reply.map(|reply| {
            side.replies.push(LadderReply { answers: Some(narrow(side.copies.len())), ..reply });
            narrow(side.replies.len() - 1)
        });
        let expired = |timer: Span| mark.end.is_none_or(|end| end > copy.sent + timer);
        side.copies.push(LadderCopy {
            sent: copy.sent,
            timer: timer_view(copy.timer),
            gap: None,
            wait: None,
            expired: copy.timer.is_some_and(|timer| expired(timer.value)),
            fate: fate.unwrap_or(copy.fate),
            evidence: if like.is_some() { Evidence::Inferred } else { Evidence::Unknown },
            rtt: copy.rtt,
            needless: copy.needless,
            reply: answer,
            transit,
            like,
        });
    }
    Ok(side)
}

/// Returns the recorded copy nearest to `copy` and not farther than `tolerance`; of several at one time that of the
/// same exchange: the rule of `replay`'s channels.
fn like(recorded: &Timeline, view: &LadderView, copy: &CopyMark, tolerance: Span) -> Option<LikeView> {
    let lane = recorded.lanes.get(view.association.index())?;
    let all = lane.iter().flat_map(|mark| mark.copies.iter().enumerate().map(move |(n, c)| (mark.exchange, n, c.sent)));
    let near = all.filter(|&(_, _, sent)| (sent - copy.sent).abs() <= tolerance);
    let nearest =
        near.min_by_key(|&(exchange, _, sent)| ((sent - copy.sent).abs(), sent, exchange != view.exchange, exchange));
    nearest.map(|(exchange, number, sent)| LikeView { exchange, copy: narrow(number), shift: copy.sent - sent })
}

/// Returns the recorded fate of a copy: a run knows only that no reply came, the record may know where it was lost.
fn recorded_fate(recorded: &Timeline, association: AssociationId, like: Option<&LikeView>) -> Option<FateKind> {
    let like = like?;
    Some(recorded.find(association, like.exchange)?.copies.get(like.copy as usize)?.fate)
}

/// Returns the hops of a recorded copy and of the reply to it, moved to the time of the counterfactual one. `None`
/// where they include nodes that the ladder does not have.
fn recorded_hops(
    trace: &Trace,
    view: &LadderView,
    like: &LikeView,
    end: Option<Instant>,
) -> Option<(LadderTransit, Option<LadderReply>)> {
    let exchange = trace.exchanges.get(like.exchange.index())?;
    let ladder = Ladder::of(trace, like.exchange)?;
    let place = |node: u32| {
        let other = ladder.nodes.get(node as usize).map(self::node)?;
        let same = |here: &LadderNode| (&here.name, &here.address) == (&other.name, &other.address);
        view.nodes.iter().position(same).map(narrow)
    };
    let mut copy = transit(ladder.copies.get(like.copy as usize)?);
    move_by(&mut copy, like.shift, &place)?;
    let answers = |reply: &LadderReply| reply.answers == Some(like.copy);
    let reply = replies(exchange, &ladder).into_iter().find(answers).and_then(|mut reply| {
        move_by(&mut reply.transit, like.shift, &place)?;
        reply.sent += like.shift;
        reply.arrived = reply.arrived.map(|at| at + like.shift);
        reply.closing = reply.arrived.is_some() && reply.arrived == end;
        Some(reply)
    });
    Some((copy, reply))
}

/// Moves the hops of a copy in time, and to the nodes of another ladder; `None` where that lacks a node.
fn move_by(transit: &mut LadderTransit, shift: Span, place: &impl Fn(u32) -> Option<u32>) -> Option<()> {
    let later = |at: &mut Option<Instant>| *at = at.map(|at| at + shift);
    for leg in &mut transit.legs {
        (leg.from, leg.to) = (place(leg.from)?, place(leg.to)?);
        leg.sent += shift;
        later(&mut leg.arrived);
        for frame in &mut leg.frames {
            frame.start += shift;
            frame.end += shift;
            later(&mut frame.acked);
        }
    }
    for wait in &mut transit.waits {
        wait.node = place(wait.node)?;
        wait.from += shift;
        wait.until += shift;
    }
    later(&mut transit.at);
    Some(())
}
