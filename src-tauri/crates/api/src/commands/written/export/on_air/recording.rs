//! Recorded frames that give simulated ones their octets.

use super::Why;
use base::{AssociationId, Cancelled, ExchangeId, FrameId, Instant, MessageId, SharedProgress};
use std::collections::{BTreeMap, BTreeSet};
use trace::export::{Framing, Unframed, set_sequence_number};
use trace::packet::MacHeader;
use trace::{Fcs, FrameType, Link, MacAddr, Trace};

/// Sender and addressee.
type Ends = (MacAddr, MacAddr);
/// Client and server, direction, and the two nodes of a hop.
type HopKey = (AssociationId, bool, Ends);

/// One recorded hop of a message.
#[derive(Clone, Copy)]
struct RecordedHop {
    at: Instant,
    exchange: ExchangeId,
    message: MessageId,
    /// Position in [`trace::Message::hops`].
    position: usize,
}

/// Number of recorded hops that are looked at for the headers of a simulated one. Chosen here: hops of one client to
/// one neighbour differ in the number of fragments, of which there are few.
const MOST_TRIED: usize = 32;

/// The recorded frames by what they can stand for.
pub(super) struct Recording<'a> {
    trace: &'a Trace,
    /// In order of time.
    hops: BTreeMap<HopKey, Vec<RecordedHop>>,
    framings: BTreeMap<(MessageId, usize), Result<Framing, Unframed>>,
    /// Acknowledgements in order of time, by sender and addressee of the frame that they are for.
    acknowledgements: BTreeMap<Ends, Vec<(Instant, FrameId)>>,
    /// Whether acknowledgements without an address and of three octets can be written where none was recorded: those
    /// that were are such.
    has_enhanced: bool,
    /// Frames that carry no part of an exchange.
    others: BTreeMap<OtherKey, Vec<(Instant, FrameId)>>,
    channels: BTreeSet<Option<u8>>,
}

/// Sender and addressee, length, and frame type where it is a beacon.
pub(super) type OtherKey = (Ends, u16, Option<FrameType>);

impl<'a> Recording<'a> {
    /// Orders the frames of `trace`; errs when cancelled. Passes `progress` once for each list of frames.
    pub fn of(trace: &'a Trace, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let mut all = Self {
            trace,
            hops: BTreeMap::new(),
            framings: BTreeMap::new(),
            acknowledgements: BTreeMap::new(),
            has_enhanced: false,
            others: BTreeMap::new(),
            channels: BTreeSet::new(),
        };
        let carries = all.read_hops();
        all.read_acknowledgements();
        all.read_others(&carries, progress)?;
        all.hops.values_mut().for_each(|hops| hops.sort_by_key(|hop| hop.at));
        all.acknowledgements.values_mut().for_each(|list| list.sort_unstable());
        all.others.values_mut().for_each(|list| list.sort_unstable());
        Ok(all)
    }

    /// Reads the hops of all exchanges; returns by frame whether it carries a part of one.
    fn read_hops(&mut self) -> Vec<bool> {
        let trace = self.trace;
        let mut carries = vec![false; trace.capture.frames.len()];
        for exchange in &trace.exchanges {
            let copies = exchange.copies.iter().map(|copy| (copy.message, false));
            for (id, is_answer) in copies.chain(exchange.replies.iter().map(|reply| (reply.message, true))) {
                let Some(message) = trace.messages.get(id.index()) else { continue };
                for (position, hop) in message.hops().enumerate() {
                    for frame in hop.frames {
                        carries.get_mut(frame.index()).into_iter().for_each(|carries| *carries = true);
                    }
                    let own = RecordedHop { at: hop.sent, exchange: exchange.id, message: id, position };
                    let key = (exchange.association, is_answer, (hop.src(), hop.dst()));
                    self.hops.entry(key).or_default().push(own);
                }
            }
        }
        carries
    }

    fn read_acknowledgements(&mut self) {
        let capture = &self.trace.capture;
        for (ack, acked) in trace::acknowledgements(capture) {
            let frame = |id: FrameId| capture.frames.get(id.index());
            let (Some(ack_frame), Some(acked)) = (frame(ack), frame(acked)) else { continue };
            let Ok(header) = MacHeader::parse(capture.octets_of(acked)) else { continue };
            self.has_enhanced |= capture.octets_of(ack_frame).len() > IMMEDIATE;
            self.acknowledgements.entry((header.src, header.dst)).or_default().push((ack_frame.at, ack));
        }
    }

    /// Reads frames that carry no part of an exchange, retries left out.
    fn read_others(&mut self, carries: &[bool], progress: &SharedProgress<'_>) -> Result<(), Cancelled> {
        let capture = &self.trace.capture;
        let mut last: BTreeMap<Ends, &[u8]> = BTreeMap::new();
        for (index, frame) in capture.frames.iter().enumerate() {
            progress.item(index)?;
            let id = FrameId::at(index);
            let is_usable = frame.link == Link::Ieee802154
                && frame.fcs != Fcs::Bad
                && !frame.cut
                && capture.first_sighting_of(id).is_none();
            let octets = capture.octets_of(frame);
            let Some(header) = is_usable.then(|| MacHeader::parse(octets).ok()).flatten() else { continue };
            self.channels.insert(frame.channel);
            if header.frame_type == FrameType::Ack || carries.get(index).copied().unwrap_or(false) {
                continue;
            }
            let to = if header.dst == MacAddr::None { MacAddr::BROADCAST } else { header.dst };
            let ends = (header.src, to);
            if last.insert(ends, octets) == Some(octets) {
                continue;
            }
            let length = u16::try_from(octets.len()).unwrap_or(u16::MAX);
            let kind = (header.frame_type == FrameType::Beacon).then_some(FrameType::Beacon);
            self.others.entry((ends, length, kind)).or_default().push((frame.at, id));
        }
        Ok(())
    }

    /// Channel of all frames; `None` where they have several, or it is not known.
    pub fn channel(&self) -> Option<u8> {
        let mut all = self.channels.iter();
        all.next().copied().flatten().filter(|_| all.next().is_none())
    }

    /// Returns the headers of a hop: those of the same exchange, else those nearest to `at` in time that have as many
    /// fragments.
    ///
    /// # Errors
    /// [`Why::NoHop`], or the reason why the nearest ones cannot be written.
    pub fn framing(
        &mut self,
        key: HopKey,
        (exchange, fragments): (ExchangeId, usize),
        at: Instant,
    ) -> Result<&Framing, Why> {
        let all = self.hops.get(&key).map_or(&[][..], Vec::as_slice);
        let own = all.iter().filter(|hop| hop.exchange == exchange);
        let near = nearest(all, at, |hop| hop.at).filter(|hop| hop.exchange != exchange);
        let mut why = Why::NoHop;
        let mut found = None;
        for hop in own.chain(near).take(MOST_TRIED) {
            let place = (hop.message, hop.position);
            let read = || {
                let hop = self.trace.messages.get(hop.message.index()).and_then(|message| message.hop(hop.position));
                let frames = hop.map_or(&[][..], |hop| hop.frames);
                Framing::read(&self.trace.capture, &self.trace.contexts, frames)
            };
            match self.framings.entry(place).or_insert_with(read) {
                Ok(framing) if framing.fragments() == fragments => {
                    found = Some(place);
                    break;
                }
                Err(reason) if why == Why::NoHop => why = Why::Unframed(*reason),
                Ok(_) | Err(_) => {}
            }
        }
        found.and_then(|place| self.framings.get(&place)?.as_ref().ok()).ok_or(why)
    }

    /// Returns an acknowledgement of a frame between `ends` with number `seq`, nearest to `at` in time. Where none of
    /// these two was recorded it is an immediate one (IEEE Std 802.15.4-2020, 7.3.3), which is the same for all nodes;
    /// `None` where acknowledgements have more to say.
    pub fn acknowledgement(&self, ends: Ends, at: Instant, seq: u8) -> Option<Vec<u8>> {
        let capture = &self.trace.capture;
        let all = self.acknowledgements.get(&ends).map_or(&[][..], Vec::as_slice);
        if let Some((_, id)) = nearest(all, at, |ack| ack.0).next() {
            let mut octets = capture.octets_of(capture.frames.get(id.index())?).to_vec();
            set_sequence_number(&mut octets, seq);
            return Some(octets);
        }
        (!self.has_enhanced && !self.acknowledgements.is_empty()).then(|| vec![0x02, 0, seq])
    }

    /// Returns the frames that carry no part of an exchange, none taken.
    pub fn others(&self) -> Others {
        let unused = |(key, list): (&OtherKey, &Vec<(Instant, FrameId)>)| (*key, list.iter().copied().collect());
        Others(self.others.iter().map(unused).collect())
    }
}

/// Octets of an immediate acknowledgement without its check sequence.
const IMMEDIATE: usize = 3;

/// Recorded frames of other traffic that no simulated one has taken yet.
pub(super) struct Others(BTreeMap<OtherKey, BTreeSet<(Instant, FrameId)>>);

impl Others {
    /// Takes the frame nearest to `at` in time, of those that were not taken; where all were, of all. `None` where
    /// there is none.
    pub fn take(&mut self, recording: &Recording<'_>, key: OtherKey, at: Instant) -> Option<(FrameId, Vec<u8>)> {
        let unused = self.0.entry(key).or_default();
        let before = unused.range(..(at, FrameId(0))).next_back().copied();
        let after = unused.range((at, FrameId(0))..).next().copied();
        let free = [before, after].into_iter().flatten().min_by_key(|&(time, id)| ((time - at).abs(), id));
        if let Some(taken) = free {
            unused.remove(&taken);
        }
        let all = recording.others.get(&key).map_or(&[][..], Vec::as_slice);
        let (_, id) = free.or_else(|| nearest(all, at, |frame| frame.0).next().copied())?;
        let capture = &recording.trace.capture;
        Some((id, capture.octets_of(capture.frames.get(id.index())?).to_vec()))
    }
}

/// Returns the elements of `list`, which is in order of `time`, from the one nearest to `at` on.
fn nearest<T>(list: &[T], at: Instant, time: impl Fn(&T) -> Instant) -> impl Iterator<Item = &T> {
    let middle = list.partition_point(|element| time(element) < at);
    let (mut before, mut after) = (middle, middle);
    std::iter::from_fn(move || {
        let earlier = before.checked_sub(1).and_then(|place| list.get(place));
        let later = list.get(after);
        let is_later = match (earlier, later) {
            (Some(earlier), Some(later)) => (time(later) - at).abs() < (time(earlier) - at).abs(),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_later {
            after += 1;
            later
        } else {
            before = before.saturating_sub(1);
            earlier
        }
    })
}
