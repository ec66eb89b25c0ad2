//! `ladder`: one exchange hop by hop, as text.

use crate::args::{CaptureArgs, Misuse, OutFile, TextFormat};
use crate::numbers::whole;
use crate::{captures, output};
use api::view::{
    Delivery, DropKind, EndingKind, Evidence, LadderCopy, LadderDrop, LadderFrame, LadderLeg, LadderRole,
    LadderTransit, LadderView, ReplyKind, TimerKind, TimerView, WaitView,
};
use api::{ExchangeId, SharedProgress, Silent, Timeline};
use std::fmt::Write as _;
use std::io::{self, Write};

/// `ladder`
#[derive(clap::Args, Debug)]
pub struct LadderArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// The exchange, by its id in `exchanges`.
    #[arg(long, value_name = "ID", value_parser = whole::<u32>(0))]
    pub exchange: u32,
    /// Form of the output.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextFormat,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Prints one exchange hop by hop. Fails as [`captures::decode`] does, and where the capture has no such exchange.
pub fn ladder(args: &LadderArgs) -> anyhow::Result<()> {
    let trace = captures::decode(&args.capture)?;
    let exchanges = trace.exchanges.len();
    if exchanges == 0 {
        return Err(Misuse("the capture has no confirmable exchange".to_owned()).into());
    }
    if args.exchange as usize >= exchanges {
        let last = exchanges - 1;
        return Err(Misuse(format!("there is no exchange {}; the capture has 0 to {last}", args.exchange)).into());
    }
    let timers = captures::timers(&trace, &args.capture)?;
    let timeline = Timeline::recorded(&trace, &SharedProgress::new(&mut Silent, 0))?.with_timers(&trace, &timers);
    let view = api::ladder(&trace, &timeline, &timers, ExchangeId(args.exchange))?;
    if args.format == TextFormat::Json {
        return output::json(&serde_json::to_value(&view)?, args.out.as_ref());
    }
    let mut ladder = Vec::new();
    text(&mut ladder, &view)?;
    output::text(&String::from_utf8(ladder)?, args.out.as_ref())
}

/// Prints the ladder as indented lines, all times relative to the start of the first copy.
fn text(sink: &mut dyn Write, view: &LadderView) -> io::Result<()> {
    let Some(side) = view.sides.first() else { return Ok(()) };
    let zero = side.copies.first().map_or(0, |copy| copy.sent.nanos());
    let at = |instant: api::Instant| format!("{:+.6} s", (instant.nanos() - zero) as f64 / 1e9);
    let token = if view.token.is_empty() { "no token".to_owned() } else { format!("token {}", view.token) };
    writeln!(sink, "exchange {}, MID {}, {token}, {}, first copy at {}", view.exchange, view.mid, view.code, {
        format!("{:.6} s", zero as f64 / 1e9)
    })?;
    for (number, node) in view.nodes.iter().enumerate() {
        let role = match node.role {
            LadderRole::Client => "client",
            LadderRole::Router => "router",
            LadderRole::Beside => "beside the path",
            LadderRole::Server => "server",
        };
        let address = node.address.as_deref().unwrap_or(if node.seen { "no link-layer address" } else { "not seen" });
        writeln!(sink, "  node {}  {}, {role}, {address}", number + 1, node.name)?;
    }
    for (number, copy) in side.copies.iter().enumerate() {
        let timer = timer_text(copy);
        let needless = if copy.needless { ", needless" } else { "" };
        let rtt = copy.rtt.map_or_else(String::new, |rtt| format!(", true RTT {rtt}"));
        let reply = copy.reply.map_or_else(String::new, |reply| format!(", answered by reply {}", reply + 1));
        let evidence = how(copy.evidence);
        writeln!(sink, "copy {}  {}{timer}{needless}{rtt}{reply} ({evidence})", number + 1, at(copy.sent))?;
        if let Some(transit) = &copy.transit {
            transit_text(sink, view, transit, copy.reply.is_none(), &at)?;
        }
    }
    for (number, reply) in side.replies.iter().enumerate() {
        let form = match reply.form {
            ReplyKind::EmptyAck => "empty ACK",
            ReplyKind::Piggybacked => "piggybacked response",
            ReplyKind::Separate => "separate response",
            ReplyKind::Reset => "reset",
        };
        let answers = reply
            .answers
            .map_or_else(|| "no copy known".to_owned(), |copy| format!("copy {} ({})", copy + 1, how(reply.evidence)));
        let closing = if reply.closing { ", closes the exchange" } else { "" };
        writeln!(sink, "reply {}  {}  {form} to {answers}{closing}", number + 1, at(reply.sent))?;
        transit_text(sink, view, &reply.transit, false, &at)?;
    }
    match side.end {
        Some(end) => writeln!(sink, "closed  {}", at(end)),
        None => writeln!(sink, "no reply closed it"),
    }
}

/// Describes the timer of a copy with its error, or else the gap on the air to the next copy; and its wait before the
/// air.
fn timer_text(copy: &LadderCopy) -> String {
    let mut text = String::new();
    if let Some(TimerView { value, error, known }) = copy.timer {
        let from = if known == TimerKind::Inferred { "inferred" } else { "by the log" };
        let _ =
            write!(text, ", timer {value} ± {error} {from}, {}", if copy.expired { "expired" } else { "not expired" });
    }
    match (copy.gap, copy.expired) {
        (Some(gap), true) => _ = write!(text, ", gap on air {gap}"),
        (Some(gap), false) if copy.timer.is_none() => _ = write!(text, ", timer longer than {gap}"),
        _ => {}
    }
    if let Some(WaitView { value, error }) = copy.wait {
        let _ = write!(text, ", {value} ± {error} before the air");
    }
    text
}

const fn how(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Proven => "proven",
        Evidence::Inferred => "inferred",
        Evidence::Unknown => "unknown",
    }
}

fn transit_text(
    sink: &mut dyn Write,
    view: &LadderView,
    transit: &LadderTransit,
    unanswered: bool,
    at: &impl Fn(api::Instant) -> String,
) -> io::Result<()> {
    let name = |node: u32| view.nodes.get(node as usize).map_or("?", |node| node.name.as_str());
    for leg in &transit.legs {
        if let Some(wait) = transit.waits.iter().find(|wait| wait.node == leg.from && wait.until == leg.sent) {
            writeln!(sink, "    {} had it for {}", name(leg.from), wait.until - wait.from)?;
        }
        leg_text(sink, leg, (name(leg.from), name(leg.to)), at)?;
    }
    let place = transit.leg.and_then(|leg| transit.legs.get(leg as usize));
    let between = |leg: Option<&LadderLeg>| {
        leg.map_or_else(|| "nowhere".to_owned(), |leg| format!("{} → {}", name(leg.from), name(leg.to)))
    };
    let said = match transit.ending {
        EndingKind::Arrived => match transit.at {
            Some(when) if unanswered => format!("arrived {}, and no reply to it was seen to leave", at(when)),
            Some(when) => format!("arrived {}", at(when)),
            None => "arrived: a reply answers it".to_owned(),
        },
        EndingKind::NotReceived => format!("died on {}: the log says it was not received", between(place)),
        EndingKind::Incomplete => format!("died on {}: a fragment never went on the air", between(place)),
        EndingKind::NotAcknowledged => {
            format!("died on {} or behind it: no link-layer acknowledgement", between(place))
        }
        EndingKind::NotSentOn => {
            format!("died in {}: it was not sent on", place.map_or("a node", |leg| name(leg.to)))
        }
        EndingKind::Dropped => drops_text(transit, &name, at),
        EndingKind::Unknown => format!("last seen on {}", between(place)),
    };
    writeln!(sink, "    {said} ({})", how(transit.evidence))
}

/// Says where a simulated message was dropped, and why.
fn drops_text<'a>(
    transit: &LadderTransit,
    name: &impl Fn(u32) -> &'a str,
    at: &impl Fn(api::Instant) -> String,
) -> String {
    let said = |drop: &LadderDrop| {
        let why = match drop.reason {
            DropKind::NodesUnknown => "the capture does not show its client or its server",
            DropKind::Withdrawn => "the client had withdrawn its route",
            DropKind::NoRoute => "no next hop",
            DropKind::HopLimit => "as many hops as a datagram may pass",
            DropKind::QueueFull => "the queue was full",
            DropKind::NoAcknowledgement => "no acknowledgement, up to the last attempt",
            DropKind::ChannelBusy => "the channel stayed busy",
            DropKind::NoCell => "no cell of the schedule takes it",
            DropKind::NoReassembly => "its fragments could not be put together",
        };
        format!("dropped in {} {}: {why}", name(drop.node), at(drop.at))
    };
    transit.drops.iter().map(said).collect::<Vec<_>>().join("; ")
}

fn leg_text(
    sink: &mut dyn Write,
    leg: &LadderLeg,
    (from, to): (&str, &str),
    at: &impl Fn(api::Instant) -> String,
) -> io::Result<()> {
    let delivery = |delivery: Delivery| match delivery {
        Delivery::Yes => "got through",
        Delivery::No => "not received",
        Delivery::Unlikely => "not acknowledged",
        Delivery::Unknown => "delivery unknown",
    };
    let mac = leg.mac_delay.map_or_else(String::new, |delay| format!(", MAC {delay}"));
    let again = if leg.duplicate { ", sent on this link before" } else { "" };
    writeln!(sink, "    {from} → {to}  {}, {}{mac}{again}", at(leg.sent), delivery(leg.delivery))?;
    for LadderFrame { frame, fragment, attempt, start, delivery: got, ack, acked, .. } in &leg.frames {
        let piece =
            if leg.fragments > 1 { format!(" fragment {} of {}", fragment + 1, leg.fragments) } else { String::new() };
        let retry = if *attempt > 1 { format!(" retry {}", attempt - 1) } else { String::new() };
        let ack = ack.map_or_else(String::new, |ack| format!(" by frame {}", u64::from(ack.0) + 1));
        let verdict = if acked.is_none() { delivery(*got) } else { "acknowledged" };
        let number = frame.map_or_else(|| "simulated".to_owned(), |frame| (u64::from(frame.0) + 1).to_string());
        writeln!(sink, "        frame {number}  {}{piece}{retry}: {verdict}{ack}", at(*start))?;
    }
    Ok(())
}
