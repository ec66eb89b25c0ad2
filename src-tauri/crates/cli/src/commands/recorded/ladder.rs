//! `ladder`: one exchange hop by hop, as recorded and under a timer, as text.

use crate::args::{CaptureArgs, Misuse, OutFile, TextFormat};
use crate::choices::session;
use crate::numbers::whole;
use crate::one_run::OneRunArgs;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{
    Delivery, DropKind, EndingKind, Evidence, LadderCopy, LadderDrop, LadderFrame, LadderLeg, LadderRequest,
    LadderRole, LadderSide, LadderTransit, LadderView, ReplyKind, TimerKind, TimerView, WaitView,
};
use api::{DecodeOptions, ExchangeId, SharedProgress, Silent, Timeline};
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
    /// The exchange under this timer too, such as `cocoa_plus:k_weak=1`: simulated hop by hop where the channel is the
    /// network twin.
    #[arg(long, value_name = "NAME[:key=value,...]")]
    pub algorithm: Option<String>,
    #[command(flatten)]
    pub run: OneRunArgs,
    /// Form of the output.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextFormat,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Prints one exchange hop by hop. Fails as [`captures::decode`] does, where the capture has no such exchange, and as
/// [`OneRunArgs::replay`] does.
pub fn ladder(args: &LadderArgs) -> anyhow::Result<()> {
    let (view, under) = match &args.algorithm {
        Some(algorithm) => replayed(args, algorithm)?,
        None => (recorded(args)?, String::new()),
    };
    if args.format == TextFormat::Json {
        return output::json(&serde_json::to_value(&view)?, args.out.as_ref());
    }
    let mut ladder = Vec::new();
    text(&mut ladder, &view, &under)?;
    output::text(&String::from_utf8(ladder)?, args.out.as_ref())
}

fn recorded(args: &LadderArgs) -> anyhow::Result<LadderView> {
    let trace = captures::decode(&args.capture)?;
    check(args.exchange, trace.exchanges.len())?;
    let timers = captures::timers(&trace, &args.capture)?;
    let timeline = Timeline::recorded(&trace, &SharedProgress::new(&mut Silent, 0))?.with_timers(&trace, &timers);
    Ok(api::ladder(&trace, &timeline, &timers, ExchangeId(args.exchange))?)
}

/// Returns the exchange as recorded and under `algorithm`, and the name of that timer with its channel.
fn replayed(args: &LadderArgs, algorithm: &str) -> anyhow::Result<(LadderView, String)> {
    let session = session(DecodeOptions::default(), &args.run.presets)?;
    let capture = session.adopt(captures::open(&args.capture)?);
    check(args.exchange, capture.exchanges as usize)?;
    let run = args.run.replay(&session, &capture, algorithm)?;
    let request = LadderRequest { capture: capture.id, exchange: ExchangeId(args.exchange), runs: vec![run.run] };
    let view = session.ladder(&request, &mut Bar::new("simulating"))?;
    let under = format!("{}, channel {}, seed {}", run.timer, run.channel.label(), args.run.chance.seed);
    Ok((view, under))
}

/// Fails where a capture of so many exchanges does not have this one.
fn check(exchange: u32, exchanges: usize) -> Result<(), Misuse> {
    let Some(last) = exchanges.checked_sub(1) else {
        return Err(Misuse("the capture has no confirmable exchange".to_owned()));
    };
    if exchange as usize > last {
        return Err(Misuse(format!("there is no exchange {exchange}; the capture has 0 to {last}")));
    }
    Ok(())
}

/// Prints the ladder as indented lines, all times relative to the start of the first copy on the same side. `under`:
/// the timer of the sides that are not recorded.
fn text(sink: &mut dyn Write, view: &LadderView, under: &str) -> io::Result<()> {
    let token = if view.token.is_empty() { "no token".to_owned() } else { format!("token {}", view.token) };
    let first = view.sides.first().map_or(0, zero) as f64 / 1e9;
    let LadderView { exchange, mid, code, .. } = view;
    writeln!(sink, "exchange {exchange}, MID {mid}, {token}, {code}, first copy at {first:.6} s")?;
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
    for (number, side) in view.sides.iter().enumerate() {
        if number > 0 {
            let simulated =
                side.simulated.map_or_else(String::new, |s| format!(", simulated, replicate {}", s.replicate));
            match side.copies.first() {
                Some(copy) => {
                    let first = copy.sent.nanos() as f64 / 1e9;
                    writeln!(sink, "\nunder {under}{simulated}: first copy at {first:.6} s")?;
                }
                None => {
                    writeln!(sink, "\nunder {under}: the application does not send this exchange")?;
                    continue;
                }
            }
        }
        side_text(sink, view, side)?;
    }
    Ok(())
}

/// Start of the first copy, nanoseconds; 0 without one.
fn zero(side: &LadderSide) -> i64 {
    side.copies.first().map_or(0, |copy| copy.sent.nanos())
}

fn side_text(sink: &mut dyn Write, view: &LadderView, side: &LadderSide) -> io::Result<()> {
    let zero = zero(side);
    let at = |instant: api::Instant| format!("{:+.6} s", (instant.nanos() - zero) as f64 / 1e9);
    for (number, copy) in side.copies.iter().enumerate() {
        let timer = timer_text(copy);
        let needless = if copy.needless { ", needless" } else { "" };
        let rtt = copy.rtt.map_or_else(String::new, |rtt| format!(", true RTT {rtt}"));
        let reply = copy.reply.map_or_else(String::new, |reply| format!(", answered by reply {}", reply + 1));
        let evidence = if copy.transit.as_ref().is_some_and(is_simulated) { "simulated" } else { how(copy.evidence) };
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
        let evidence = if is_simulated(&reply.transit) { "simulated" } else { how(reply.evidence) };
        let answers =
            reply.answers.map_or_else(|| "no copy known".to_owned(), |copy| format!("copy {} ({evidence})", copy + 1));
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

/// Whether no message of the capture went that way.
const fn is_simulated(transit: &LadderTransit) -> bool {
    transit.message.is_none()
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
    let evidence = if is_simulated(transit) { "simulated" } else { how(transit.evidence) };
    writeln!(sink, "    {said} ({evidence})")
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
