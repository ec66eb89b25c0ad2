//! Every frame of a replicate through the network twin, as a sniffer beside every node would have heard them.
//!
//! ```text
//! simulated frame ──► its recorded message, hop and node (recording) ──► octets
//!                     its exchange and copy (identity) ─────────────┘
//! ```
//!
//! Times, senders, addressees, attempts and acknowledgements are the simulation's. Octets are recorded ones: the
//! message of the same exchange in the headers of the same hop, with sequence numbers, datagram tags, lengths and
//! checksums of its own. A frame that no recorded one gives octets is left out, counted by reason and hop.
//! `wireshark/README.md` states the claims of such a file and their limits.

mod identity;
mod recording;
#[cfg(test)]
mod tests;

use super::messages::Messages;
use super::{APPLICATION, count};
use crate::runs::Stored;
use crate::view::Exported;
use crate::{Error, Opened, Progress};
use base::{Instant, Part, SharedProgress};
use identity::Identities;
use recording::{Others, Recording};
use replay::{Load, NodeId, ReplicateFrames, SimulatedFrame};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use trace::export::{Section, TAP, TapOf, Unframed, Writer, set_sequence_number, tap};
use trace::{Endpoint, FrameType, MacAddr};

/// Reason why a simulated frame is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Why {
    /// Its copy is one of no recorded exchange.
    NoExchange,
    /// No datagram of its client and server was recorded on its hop in as many fragments.
    NoHop,
    /// The recorded frames of its hop cannot be written again.
    Unframed(Unframed),
    /// No recorded frame of other traffic has its sender, addressee and length.
    NoOther,
    /// No acknowledgement of its sender to that node was recorded.
    NoAcknowledgement,
}

impl Why {
    fn said(self) -> String {
        match self {
            Self::NoExchange => "their exchange was not recorded".to_owned(),
            Self::NoHop => {
                "no datagram of their client and server was recorded on this hop in as many fragments".to_owned()
            }
            Self::Unframed(why) => why.to_string(),
            Self::NoOther => "no recorded frame of other traffic has this sender, addressee and length".to_owned(),
            Self::NoAcknowledgement => "no acknowledgement of this node to that one was recorded".to_owned(),
        }
    }
}

/// A frame that is written.
struct Written {
    at: Instant,
    /// Octets without check sequence.
    octets: Vec<u8>,
    comment: String,
}

/// A packet under way over a hop: all its attempts are the same octets.
struct Packet {
    load: Load,
    length: u16,
    made: Result<(Vec<u8>, String), Why>,
    seq: u8,
}

/// Frames of a datagram in their order, or the reason why there are none.
type Framed = Result<Vec<Vec<u8>>, Why>;
/// Where frames are left out: reason, sender and addressee.
type Place = (Why, MacAddr, MacAddr);

/// The frames of a replicate, ready to be written.
pub(super) struct OnAir {
    /// In order of time.
    frames: Vec<Written>,
    /// Frames that are left out, by place: their number, and the time of the first.
    left_out: BTreeMap<Place, (u64, Instant)>,
    /// Copies (and, `true`, answers) of which a frame is written.
    carried: BTreeSet<(u64, bool)>,
    /// Channel of all recorded frames; `None` where they have several or none.
    channel: Option<u8>,
}

impl OnAir {
    /// Makes the frames of the replicate that `run` shows.
    ///
    /// # Errors
    /// [`crate::Code::Request`] where copies do not pass the network twin, or no frame of theirs can be made;
    /// [`crate::Code::Cancelled`].
    pub fn compose(opened: &Opened, run: &Stored, progress: &mut dyn Progress) -> Result<Self, Error> {
        // Simulating again takes about as long as making octets.
        let frames = run.frames(opened, &mut Part::new(progress, 0, 2, 5))?.ok_or_else(|| {
            let channel = run.result.scenario.channel.label();
            Error::request(format!(
                "Only copies through the network twin have frames, and channel {channel} was replayed. Choose the \
                 channel twin."
            ))
        })?;
        let trace = &opened.trace;
        let places = opened.lists.places(trace, &mut Part::new(progress, 2, 3, 5))?;
        let mut progress = Part::new(progress, 3, 5, 5);
        let all = frames.frames().len();
        let mut shared = SharedProgress::new(&mut progress, 2);
        shared.list(1, trace.capture.frames.len())?;
        let recording = Recording::of(trace, &shared)?;
        shared.list(1, all)?;
        let channel = recording.channel();
        let messages = Messages { trace, places };
        let mut maker = Maker {
            opened,
            frames,
            identities: Identities::new(messages),
            others: recording.others(),
            recording,
            sequence: BTreeMap::new(),
            tags: BTreeMap::new(),
            datagrams: BTreeMap::new(),
            under_way: BTreeMap::new(),
            made: Self {
                frames: Vec::with_capacity(2 * all),
                left_out: BTreeMap::new(),
                carried: BTreeSet::new(),
                channel,
            },
        };
        for (index, frame) in frames.frames().iter().enumerate() {
            shared.item(index)?;
            maker.frame(frame);
        }
        let mut made = maker.made;
        if made.carried.is_empty() {
            let why = made.left_out.keys().find(|(why, ..)| *why != Why::NoAcknowledgement).map(|(why, ..)| why.said());
            let why = why.unwrap_or_else(|| "no copy was on the air".to_owned());
            return Err(Error::request(format!("No frame of a copy can be written: {why}.")));
        }
        // Stable: of one moment, in the order of the simulation.
        made.frames.sort_by_key(|frame| frame.at);
        Ok(made)
    }

    /// Writes the frames as pcapng, and returns their numbers, without a path.
    ///
    /// # Errors
    /// When the sink fails; with [`base::Cancelled`] inside when `progress` breaks.
    pub fn write(
        &self,
        opened: &Opened,
        run: &Stored,
        sink: &mut dyn Write,
        progress: &mut dyn Progress,
    ) -> io::Result<Exported> {
        let mut shared = SharedProgress::new(progress, 1);
        shared.list(1, self.frames.len()).map_err(io::Error::other)?;
        let epoch = opened.trace.capture.epoch_unix_nanos.unwrap_or(0);
        let unix = |at: Instant| epoch.saturating_add(at.nanos());
        let exported = self.exported(opened);
        let recorded = &opened.trace.capture.annotations.file;
        let section = Section {
            application: APPLICATION.to_owned(),
            comments: [about(opened, run, &exported)].into_iter().chain(recorded.iter().cloned()).collect(),
            earliest: self.frames.first().map_or(0, |frame| unix(frame.at)),
        };
        let mut writer = Writer::new(sink, &section)?;
        let interface = writer.interface(
            TAP,
            &format!("{} (simulated)", run.key.algorithm.id),
            "Simulated by the network twin: none of these frames was on the air.",
        )?;
        let facts = TapOf { is_good: Some(true), channel: self.channel, ..TapOf::default() };
        for (index, frame) in self.frames.iter().enumerate() {
            shared.item(index).map_err(io::Error::other)?;
            let octets = tap(&frame.octets, &facts);
            let length = u32::try_from(octets.len()).unwrap_or(u32::MAX);
            writer.packet(interface, unix(frame.at), &octets, length, [frame.comment.as_str()])?;
        }
        writer.flush()?;
        Ok(exported)
    }

    fn exported(&self, opened: &Opened) -> Exported {
        let name = |mac: &MacAddr| trace::names::name_of_mac(*mac);
        let note = |((why, from, to), (count, first)): (&Place, &(u64, Instant))| {
            let frames = if *count == 1 { "frame" } else { "frames" };
            let to = if *to == MacAddr::BROADCAST { "all".to_owned() } else { name(to) };
            let when =
                (first.nanos() - opened.trace.capture.window().map_or(0, |window| window.0.nanos())) as f64 / 1e9;
            format!(
                "{count} {frames} from {} to {to} left out, the first {when:.3} s after the start: {}",
                name(from),
                why.said()
            )
        };
        let left_out: u64 = self.left_out.values().map(|(count, _)| count).sum();
        Exported {
            path: String::new(),
            recorded: 0,
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
            copies: count(self.carried.iter().filter(|(_, is_answer)| !is_answer).count()),
            replies: count(self.carried.iter().filter(|(_, is_answer)| *is_answer).count()),
            simulated: count(self.frames.len()),
            notes: self.left_out.iter().map(note).collect(),
        }
    }
}

/// Returns the comment on the whole of a file of simulated frames.
fn about(opened: &Opened, run: &Stored, exported: &Exported) -> String {
    let key = &run.key;
    let params = match key.algorithm.params.is_empty() {
        true => String::new(),
        false => format!(" with {}", serde_json::to_string(&key.algorithm.params).unwrap_or_default()),
    };
    let rules = key.policy.said().map_or_else(String::new, |rules| format!(" Rules: {rules}."));
    let part = key.part.said(opened).map_or_else(String::new, |part| format!(" Replayed: {part}."));
    let epoch = match opened.trace.capture.epoch_unix_nanos {
        Some(_) => "",
        None => " Times count from the start of the simulation, not from 1970.",
    };
    let left_out = exported.notes.iter().map(|note| format!(" {note}.")).collect::<String>();
    format!(
        "Simulated, not recorded, by {APPLICATION}: every frame of replicate {} through the network twin of {} \
         (SHA-256 {}) under the timer {}{params}, workload {}, seed {}: one realisation of chance, not the mean. None \
         of it was on the air. It shows what a sniffer beside every node would have heard, frames that collided too. \
         Octets are those of the recording, of the same message in the headers of the same hop, with new sequence \
         numbers, datagram tags and checksums; beacons, routing and other traffic are recorded frames of the same \
         sender, addressee and length nearest in time. Each frame says in a comment whose it is. Channels of a hopping \
         schedule, signal strengths and what acknowledgements say of clocks are not simulated. {} frames, {} left \
         out.{left_out}{rules}{part}{epoch}",
        key.replicate + 1,
        opened.trace.capture.name,
        opened.sha256(),
        key.algorithm.id,
        key.workload.label(),
        run.result.scenario.seed,
        exported.simulated,
        exported.left_out,
    )
}

struct Maker<'a> {
    opened: &'a Opened,
    frames: &'a ReplicateFrames,
    identities: Identities<'a>,
    recording: Recording<'a>,
    others: Others,
    /// Sequence number of the last packet, by node.
    sequence: BTreeMap<NodeId, u8>,
    /// Tag of the last fragmented datagram, by node.
    tags: BTreeMap<NodeId, u16>,
    /// Frames of fragmented datagrams, by sender, copy, direction and number.
    datagrams: BTreeMap<(NodeId, u64, bool, u32), Framed>,
    /// Packet under way by sender and addressee: queues send to one neighbour after another.
    under_way: BTreeMap<(NodeId, Option<NodeId>), Packet>,
    made: OnAir,
}

impl Maker<'_> {
    fn frame(&mut self, frame: &SimulatedFrame) {
        let hop = (frame.from, frame.to);
        let is_same = |packet: &Packet| frame.attempt > 1 && packet.load == frame.load && packet.length == frame.octets;
        let packet = match self.under_way.remove(&hop).filter(is_same) {
            Some(packet) => packet,
            None => self.packet(frame),
        };
        let (from, to) = self.ends(frame);
        match &packet.made {
            Ok((octets, comment)) => {
                if let Load::Copy { key, is_answer, .. } = frame.load {
                    self.made.carried.insert((key, is_answer));
                }
                let again = if frame.attempt > 1 { format!(" Attempt {}.", frame.attempt) } else { String::new() };
                let comment = format!("RTOscope, simulated: {comment}{again}");
                self.made.frames.push(Written { at: frame.start, octets: octets.clone(), comment });
                if let Some((at, _)) = frame.acknowledgement {
                    match self.recording.acknowledgement((from, to), at, packet.seq) {
                        Some(octets) => {
                            let comment = "RTOscope, simulated: acknowledgement.".to_owned();
                            self.made.frames.push(Written { at, octets, comment });
                        }
                        None => self.leave_out((Why::NoAcknowledgement, to, from), at),
                    }
                }
            }
            Err(why) => {
                self.leave_out((*why, from, to), frame.start);
                if let Some((at, _)) = frame.acknowledgement {
                    self.leave_out((*why, to, from), at);
                }
            }
        }
        self.under_way.insert(hop, packet);
    }

    fn leave_out(&mut self, place: Place, at: Instant) {
        let (count, first) = self.made.left_out.entry(place).or_insert((0, at));
        *count += 1;
        *first = at.min(*first);
    }

    /// Addresses of sender and addressee.
    fn ends(&self, frame: &SimulatedFrame) -> (MacAddr, MacAddr) {
        let address = |node| self.frames.address(node);
        (address(frame.from), frame.to.map_or(MacAddr::BROADCAST, address))
    }

    /// Makes a new packet of the sender of `frame`.
    fn packet(&mut self, frame: &SimulatedFrame) -> Packet {
        let seq = self.sequence.entry(frame.from).or_default();
        *seq = seq.wrapping_add(1);
        let seq = *seq;
        let made = match frame.load {
            Load::Copy { .. } => self.part(frame),
            Load::Other | Load::Beacon => self.other(frame),
        };
        let made = made.map(|(mut octets, comment)| {
            set_sequence_number(&mut octets, seq);
            (octets, comment)
        });
        Packet { load: frame.load, length: frame.octets, made, seq }
    }

    /// Octets of other traffic: a recorded frame, and which.
    fn other(&mut self, frame: &SimulatedFrame) -> Result<(Vec<u8>, String), Why> {
        let ends = self.ends(frame);
        let kind = (frame.load == Load::Beacon).then_some(FrameType::Beacon);
        let (id, octets) =
            self.others.take(&self.recording, (ends, frame.octets, kind), frame.start).ok_or(Why::NoOther)?;
        Ok((octets, format!("other traffic, octets of recorded frame {}.", u64::from(id.0) + 1)))
    }

    /// Octets of a part of a copy or of an answer, and whose it is.
    fn part(&mut self, frame: &SimulatedFrame) -> Result<(Vec<u8>, String), Why> {
        let Load::Copy { key, is_answer, datagram, fragment, fragments, .. } = frame.load else {
            return Err(Why::NoExchange);
        };
        let origin = self.frames.origin(key).ok_or(Why::NoExchange)?;
        let message = self.identities.message(origin, is_answer).ok_or(Why::NoExchange)?;
        let of = if origin.exchange == origin.request {
            String::new()
        } else {
            format!(" (request of exchange {})", origin.request)
        };
        let direction = if is_answer { ", answer" } else { "" };
        let piece = if fragments > 1 { format!(", fragment {} of {fragments}", fragment + 1) } else { String::new() };
        let comment = format!(
            "exchange {}{of}, copy {}{direction}{piece}.{}",
            origin.exchange,
            origin.number + 1,
            message.remark
        );
        let place = (frame.from, key, is_answer, datagram);
        if fragments > 1
            && let Some(known) = self.datagrams.get(&place)
        {
            let octets = known.as_ref().map_err(|why| *why)?.get(usize::from(fragment)).ok_or(Why::NoHop)?;
            return Ok((octets.clone(), comment));
        }
        let tag = self.tags.entry(frame.from).or_default();
        *tag = tag.wrapping_add(u16::from(fragments > 1));
        let tag = *tag;
        let octets = message.octets.clone();
        let made = self.datagram(frame, (origin.request, is_answer, fragments), &octets, tag);
        let own = made.clone().and_then(|all| all.into_iter().nth(usize::from(fragment)).ok_or(Why::NoHop));
        if fragments > 1 {
            self.datagrams.insert(place, made);
        }
        own.map(|octets| (octets, comment))
    }

    /// Frames of a whole datagram with the headers of its hop.
    fn datagram(
        &mut self,
        frame: &SimulatedFrame,
        (request, is_answer, fragments): (base::ExchangeId, bool, u8),
        coap: &[u8],
        tag: u16,
    ) -> Framed {
        let trace = &self.opened.trace;
        let exchange = trace.exchanges.get(request.index()).ok_or(Why::NoExchange)?;
        let association = trace.associations.get(exchange.association.index()).ok_or(Why::NoExchange)?;
        let (client, server) = (association.client, association.server);
        let ends: (Endpoint, Endpoint) = if is_answer { (server, client) } else { (client, server) };
        let hop = (exchange.association, is_answer, self.ends(frame));
        let framing = self.recording.framing(hop, (request, usize::from(fragments)), frame.start)?;
        framing.frames(coap, ends, tag).map_err(Why::Unframed)
    }
}
