//! Frames to attempts, attempts to links.

use super::nodes::{Carried, Nodes, Stations};
use super::{Channel, Link, LossEvidence, NOWHERE, NodeId, OnAir, Share, Spread, airtime};
use crate::analysis::Trace;
use crate::decode::air_time::end_of;
use crate::decode::keyring;
use crate::decode::link::{self, Links};
use crate::lookup::Map;
use crate::model::{Capture, Delivery, Frame, Link as Medium};
use crate::packet::Part;
use crate::packet::Places;
use base::{Cancelled, ExchangeId, FrameId, Instant, SharedProgress, Span};
use std::collections::BTreeMap;
use wire::ieee802154::{FrameType, MacAddr, MacHeader};

/// Longest time between a frame of any kind and its next link-layer retry, which has the same octets and sequence
/// number. Chosen here: a retry comes within milliseconds with CSMA and within some slotframes with TSCH; control
/// messages have the same octets again and again, and after a while the same sequence number.
const RETRY_WINDOW: Span = Span::from_secs(30);

/// One frame on the air.
pub(super) struct Sent {
    /// Number of the frame in the capture.
    pub frame: FrameId,
    /// Number of the station that sent it, or [`NOWHERE`].
    pub from: u32,
    /// Number of the station that it is for; [`NOWHERE`] for broadcasts, acknowledgements, and frames without
    /// addressee.
    pub to: u32,
    seq: Option<u8>,
    /// True for MAC data frames.
    pub is_data: bool,
    broadcast: bool,
    wants_ack: bool,
    is_acked: bool,
}

/// All 802.15.4 frames on the air, duplicate sightings left out.
pub(super) struct Traffic {
    /// Frames in the order of the capture.
    pub frames: Vec<Sent>,
    /// Delivery of each frame of the capture, by frame; empty where none asked for an acknowledgement.
    deliveries: Vec<Delivery>,
    /// 802.15.4 channels, by channel number.
    pub channels: Vec<Channel>,
}

/// Reads the MAC headers of all 802.15.4 frames that are no duplicate sightings, and numbers their stations. In
/// `progress` it is two stages of `units` each.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn read(
    trace: &Trace,
    stations: &mut Stations,
    (progress, units): (&mut SharedProgress<'_>, u64),
) -> Result<Traffic, Cancelled> {
    let capture = &trace.capture;
    let mut links = Links::new(capture);
    let mut frames = Vec::new();
    let mut channels: BTreeMap<Option<u8>, Channel> = BTreeMap::new();
    progress.list(units, capture.frames.len())?;
    for (index, frame) in capture.frames.iter().enumerate() {
        progress.item(index)?;
        let id = FrameId::at(index);
        let header = links.next(id, frame);
        if frame.link != Medium::Ieee802154 || capture.first_sighting_of(id).is_some() {
            continue;
        }
        let entry = Channel { number: frame.channel, frames: 0, airtime: Span::ZERO };
        let channel = channels.entry(frame.channel).or_insert(entry);
        channel.frames += 1;
        channel.airtime += on_air(frame);
        frames.push(match header {
            Some(header) => sent(capture, id, frame, header, stations),
            None => Sent {
                frame: id,
                from: NOWHERE,
                to: NOWHERE,
                seq: None,
                is_data: false,
                broadcast: false,
                wants_ack: false,
                is_acked: false,
            },
        });
    }
    for sent in &mut frames {
        sent.is_acked = links.is_acknowledged(sent.frame);
    }
    progress.list(units, capture.frames.len())?;
    Ok(Traffic { frames, deliveries: links.deliveries(progress)?.0, channels: channels.into_values().collect() })
}

fn sent(capture: &Capture, id: FrameId, frame: &Frame, header: &MacHeader, stations: &mut Stations) -> Sent {
    let from = stations.number(header.src_pan.or(header.dst_pan), header.src);
    stations.heard(from, capture.sources.get(frame.source.index()).and_then(|source| source.mote));
    let is_ack = header.frame_type == FrameType::Ack;
    // An acknowledgement's addressee says nothing about a link of its own.
    let to = if is_ack { NOWHERE } else { stations.number(header.dst_pan, header.dst) };
    if (stations.is_alone(from) || stations.is_alone(to))
        && let Some((short, extended)) = keyring::pair(capture.octets_of(frame))
    {
        let short = stations.number(header.src_pan.or(header.dst_pan), MacAddr::Short(short));
        let extended = stations.number(None, MacAddr::Extended(extended));
        stations.join(short, extended);
    }
    Sent {
        frame: id,
        from,
        to,
        seq: header.seq,
        is_data: header.frame_type == FrameType::Data,
        broadcast: header.dst == MacAddr::BROADCAST,
        wants_ack: link::wants_ack(header),
        is_acked: false,
    }
}

fn on_air(frame: &Frame) -> Span {
    airtime(frame.octets.end.saturating_sub(frame.octets.start))
}

/// Links, and the frames on the air.
pub(super) struct Built {
    /// Links, by first appearance.
    pub list: Vec<Link>,
    /// Frames on the air, in order of time.
    pub on_air: Vec<OnAir>,
    numbers: Map<(NodeId, NodeId), usize>,
}

/// Data of a link that are not summed up yet.
#[derive(Default)]
struct LinkTotals {
    last: Option<(FrameId, u8)>,
    /// Distinct frame whose attempts go on.
    under_way: Option<UnderWay>,
    delays: Vec<Span>,
    rssi: Vec<i16>,
    lqi: Vec<i16>,
}

/// A distinct frame whose attempts go on.
struct UnderWay {
    /// Position of its first attempt in [`Built::on_air`].
    first: usize,
    start: Instant,
    /// End of the first attempt that arrived.
    arrived: Option<Instant>,
    /// True where the loss of every attempt is known.
    known: bool,
}

impl Traffic {
    /// Returns whether `sent` was lost, where that is known, and the evidence. `mote`: mote id of the addressee;
    /// `answers`: some of its acknowledgements were captured.
    fn verdict(&self, trace: &Trace, sent: &Sent, mote: Option<u32>, answers: bool) -> (Option<bool>, LossEvidence) {
        if let (Some(by), Some(mote)) = (trace.capture.heard(sent.frame), mote) {
            return (Some(!by.contains(&mote)), LossEvidence::Log);
        }
        match self.deliveries.get(sent.frame.index()) {
            // If the sniffer never heard an acknowledgement of that node, silence says nothing.
            Some(Delivery::Unlikely) if answers => (Some(true), LossEvidence::Acks),
            Some(Delivery::Yes) => (Some(false), LossEvidence::Acks),
            _ => (None, LossEvidence::Unknown),
        }
    }

    /// Sums the frames into links and nodes. In `progress` it is a stage of `units`.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn links(
        &self,
        trace: &Trace,
        nodes: &mut Nodes,
        (progress, units): (&mut SharedProgress<'_>, u64),
    ) -> Result<Built, Cancelled> {
        let capture = &trace.capture;
        let mut built =
            Built { list: Vec::new(), on_air: Vec::with_capacity(self.frames.len()), numbers: Map::default() };
        let mut totals: Vec<LinkTotals> = Vec::new();
        let mut answers = vec![false; nodes.list.len()];
        for sent in self.frames.iter().filter(|sent| sent.is_acked) {
            if let Some(answers) = nodes.of(sent.to).and_then(|to| answers.get_mut(to)) {
                *answers = true;
            }
        }
        progress.list(units, self.frames.len())?;
        for (index, sent) in self.frames.iter().enumerate() {
            progress.item(index)?;
            let Some(frame) = capture.frames.get(sent.frame.index()) else { continue };
            let air = on_air(frame);
            let from = nodes.of(sent.from).or_else(|| nodes.of_source(frame.source));
            if let Some(node) = from.and_then(|from| nodes.list.get_mut(from)) {
                node.frames += 1;
                node.broadcasts += u64::from(sent.broadcast);
                node.airtime += air;
            }
            let mut event = OnAir {
                at: frame.at,
                link: NOWHERE,
                from: from.map_or(NOWHERE, |from| from as u32),
                airtime: u32::try_from(air.nanos()).unwrap_or(u32::MAX),
                first: false,
                lost: None,
                delay: 0,
            };
            if let (Some(from), Some(to)) = (nodes.of(sent.from), nodes.of(sent.to)) {
                let number = built.number(from, to);
                if totals.len() <= number {
                    totals.push(LinkTotals::default());
                }
                let mote = nodes.list.get(to).and_then(|node| node.mote);
                let (lost, evidence) = self.verdict(trace, sent, mote, answers.get(to) == Some(&true));
                if let (Some(link), Some(total)) = (built.list.get_mut(number), totals.get_mut(number)) {
                    event.link = number as u32;
                    event.lost = lost;
                    event.first = !total.is_retry(capture, sent, frame);
                    if event.first {
                        total.close(link, &mut built.on_air);
                    }
                    total.add(link, capture, (sent, frame), &event, built.on_air.len());
                    link.evidence = link.evidence.max(evidence);
                }
            }
            built.on_air.push(event);
        }
        for (link, mut total) in built.list.iter_mut().zip(totals) {
            total.close(link, &mut built.on_air);
            link.delay = delay(&mut total.delays);
            link.rssi = spread(&mut total.rssi);
            link.lqi = spread(&mut total.lqi);
        }
        progress.ask()?;
        built.on_air.sort_by_key(|event| event.at);
        Ok(built)
    }
}

impl LinkTotals {
    fn is_retry(&mut self, capture: &Capture, sent: &Sent, frame: &Frame) -> bool {
        let before = self.last.filter(|&(_, seq)| sent.seq == Some(seq));
        let is_retry = before.and_then(|(id, _)| capture.frames.get(id.index())).is_some_and(|before| {
            (frame.at - before.at).abs() <= RETRY_WINDOW && capture.octets_of(before) == capture.octets_of(frame)
        });
        self.last = sent.seq.map(|seq| (sent.frame, seq));
        is_retry
    }

    /// Adds an attempt; `place`: the position of `event` in [`Built::on_air`].
    fn add(&mut self, link: &mut Link, capture: &Capture, (sent, frame): (&Sent, &Frame), event: &OnAir, place: usize) {
        link.frames += 1;
        link.airtime += on_air(frame);
        if sent.wants_ack {
            link.acked.add(sent.is_acked);
        }
        if let Some(lost) = event.lost {
            link.lost.add(lost);
        }
        self.rssi.extend(frame.rssi.map(i16::from));
        self.lqi.extend(frame.lqi.map(i16::from));
        if event.first {
            link.unique += 1;
            self.under_way = Some(UnderWay { first: place, start: frame.at, arrived: None, known: true });
        }
        if let Some(UnderWay { arrived, known, .. }) = &mut self.under_way {
            if event.lost == Some(false) {
                arrived.get_or_insert_with(|| end_of(capture, sent.frame));
            }
            *known &= event.lost.is_some();
        }
    }

    /// Ends the distinct frame under way, after its last attempt.
    fn close(&mut self, link: &mut Link, on_air: &mut [OnAir]) {
        match self.under_way.take() {
            Some(UnderWay { first, start, arrived: Some(end), .. }) => {
                let delay = end - start;
                link.delivered.add(true);
                self.delays.push(delay);
                if let Some(event) = on_air.get_mut(first) {
                    event.delay = u32::try_from(delay.nanos() / 1_000).unwrap_or(0);
                }
            }
            Some(UnderWay { arrived: None, known: true, .. }) => link.delivered.add(false),
            Some(_) | None => {}
        }
    }
}

/// Returns the quantile `num / den` by nearest rank: the smallest value that at least that share of all does not
/// exceed. `None` without values.
fn rank<T: Copy>(sorted: &[T], num: usize, den: usize) -> Option<T> {
    sorted.get((sorted.len() * num).div_ceil(den).saturating_sub(1)).copied()
}

fn delay(delays: &mut [Span]) -> Option<(Span, Span)> {
    delays.sort_unstable();
    Some((rank(delays, 1, 2)?, rank(delays, 19, 20)?))
}

fn spread(values: &mut [i16]) -> Option<Spread> {
    values.sort_unstable();
    Some(Spread { min: *values.first()?, median: rank(values, 1, 2)?, max: *values.last()? })
}

impl Built {
    fn number(&mut self, from: NodeId, to: NodeId) -> usize {
        *self.numbers.entry((from, to)).or_insert_with(|| {
            self.list.push(Link {
                from,
                to,
                frames: 0,
                unique: 0,
                acked: Share::default(),
                lost: Share::default(),
                evidence: LossEvidence::Unknown,
                delivered: Share::default(),
                delay: None,
                airtime: Span::ZERO,
                messages: 0,
                copies: 0,
                needless: 0,
                rssi: None,
                lqi: None,
            });
            self.list.len() - 1
        })
    }
}

/// Counts the CoAP messages of each link. Off 802.15.4 a message stands for a frame.
pub(super) fn carry(
    places: &Places,
    needless: &dyn Fn(ExchangeId, usize) -> bool,
    hops: &[Carried],
    built: &mut Built,
) {
    for hop in hops {
        let number = built.number(hop.from, hop.to);
        let Some(link) = built.list.get_mut(number) else { continue };
        link.messages += 1;
        match places.of_message(hop.message) {
            Some((exchange, Part::Copy(index))) => {
                link.copies += 1;
                link.needless += u64::from(needless(exchange, index));
            }
            Some((_, Part::Reply(_))) | None => {}
        }
        if hop.wired {
            link.frames += 1;
            link.unique += 1;
            let (link, from) = (number as u32, hop.from as u32);
            built.on_air.push(OnAir { at: hop.at, link, from, airtime: 0, first: true, lost: None, delay: 0 });
        }
    }
    built.on_air.sort_by_key(|event| event.at);
}
