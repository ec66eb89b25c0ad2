//! Capture to trace: the stages in order.

mod assume;

use crate::decode::datagram::{Decoded, Walk};
use crate::decode::join::{self, Joined};
use crate::decode::keyring::Keyring;
use crate::decode::link::{Links, Reception};
use crate::decode::series::AllSeries;
use crate::decode::{ContextOrigin, DecodeOptions, Learned, air_time, context};
use crate::exchange::{Relations, reconstruct, relations_of};
use crate::import::merge;
use crate::judge::{self, Scope};
use crate::model::names::name_of_endpoint;
use crate::model::{Association, Assumptions, Capture, Exchange, Frame, Message};
use base::{Cancelled, FrameId, Instant, Layer, MessageId, Notes, Part, Progress, SharedProgress};
use wire::lowpan::ContextTable;

/// Result of decoding one capture: frames, messages, exchanges and what was learned on the way. [`analyse`] makes it.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Frames and where they came from.
    pub capture: Capture,
    /// Every CoAP message, in order of first appearance: one per transmission by its sender.
    pub messages: Vec<Message>,
    /// Each frame that completes a CoAP message, with that message: retries and every hop included, in the order of the
    /// capture.
    pub sightings: Vec<(FrameId, MessageId)>,
    /// Every confirmable exchange, in order of its first copy.
    pub exchanges: Vec<Exchange>,
    /// Client and server pairs, in order of first appearance.
    pub associations: Vec<Association>,
    /// Groups of exchanges that belong together: block-wise transfers, observations, proxy pairs, events.
    pub relations: Relations,
    /// Notes of all stages on what was skipped, repaired or not understood.
    pub notes: Notes,
    /// Options that it was decoded with; their ports include the guessed ones.
    pub options: DecodeOptions,
    /// 6LoWPAN contexts it was decoded with: those given and those learned.
    pub contexts: ContextTable,
    /// Number (0 to 15) and origin of each 6LoWPAN context that is set, by number.
    pub context_origins: Vec<(u8, ContextOrigin)>,
    /// Assumptions of a person, see [`Trace::assume`].
    pub assumptions: Assumptions,
    /// UDP ports of `options` that were guessed, in order of first appearance, each with the number of requests
    /// acknowledged there.
    pub guessed_ports: Vec<(u16, u32)>,
    /// For each path ([`message::Ends::path`]) the number of the path back, where there is one.
    pub(crate) back: Vec<Option<u32>>,
    /// Keys and addresses, with which secured frames are opened again when they are shown.
    pub(crate) keyring: Keyring,
    /// Facts that judgement needs and all associations share: time window, missing frames, intervals in which sniffers
    /// lost frames.
    pub(crate) scope: Scope,
    /// Facts that tell whether a single frame reached its addressee.
    pub(crate) reception: Reception,
}

impl Trace {
    /// Returns the 6LoWPAN contexts and node addresses that decoding the next part of the same capture needs.
    #[must_use]
    pub fn learned(&self) -> Learned {
        let contexts = (0..).zip(self.contexts.0);
        let contexts = contexts.filter_map(|(id, prefix)| prefix.map(|p| (id, p.octets.into(), p.len))).collect();
        Learned { contexts, addresses: self.keyring.addresses() }
    }
}

/// Progress when contexts, keys and addresses have been learned, in hundredths of the whole. Chosen here, as the other
/// shares are, by the time that the stages take for large captures of radio frames; it moves the progress bar only.
const LEARNED: u64 = 5;
/// Progress when all frames are decoded, in hundredths of the whole; messages and exchanges are made in the rest.
const DECODED: u64 = 65;
/// Units of a whole bar of progress.
const HUNDRED: u64 = 100;
/// Share of the time after decoding in which frames are judged received or lost, in hundredths. The four sum to 100.
const DELIVERING: u64 = 10;
/// Share in which messages are followed over their hops, in hundredths.
const JOINING: u64 = 40;
/// Share in which messages are grouped into exchanges and judged, in hundredths.
const GROUPING: u64 = 40;
/// Share in which relations of exchanges are found, in hundredths.
const RELATING: u64 = 10;

/// Decodes every frame of `capture`, joins messages over their hops, rebuilds and judges exchanges.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks; it counts frames.
pub fn analyse(mut capture: Capture, options: &DecodeOptions, progress: &mut dyn Progress) -> Result<Trace, Cancelled> {
    let mut notes = std::mem::take(&mut capture.notes);
    air_time::doubt_times(&capture, &mut notes);
    // Every stage has its own notes, so that they read in the order of the stages and not of the frames.
    let mut learned = Notes::new();
    let keyring = Keyring::learn(&capture, &options.keys, &options.addresses, &options.learned.addresses);
    let total = capture.frames.len();
    let frames = total as u64;
    // There are no more than 2^32 frames.
    let until = |hundredths: u64| frames * hundredths / HUNDRED;
    let mut learning = Part::new(progress, 0, until(LEARNED), frames);
    let mut shared = SharedProgress::new(&mut learning, HUNDRED);
    shared.list(HUNDRED, total)?;
    let (contexts, context_origins) = context::learn(&capture, options, &keyring, &mut learned, &shared)?;
    let mut decoding = Part::new(progress, until(LEARNED), until(DECODED), frames);
    let (mut links, decoded, ports) = decode(&capture, options, (&contexts, &keyring), &mut notes, &mut decoding)?;
    let guessed_ports = decoded.guessed;
    notes.merge(std::mem::take(&mut links.notes));
    notes.merge(learned);
    notes.merge(decoded.notes);
    let lacks = links.lacks;
    let mut making = Part::new(progress, until(DECODED), frames, frames);
    let mut shared = SharedProgress::new(&mut making, HUNDRED);
    shared.list(DELIVERING, total)?;
    let (deliveries, reception) = links.deliveries(&shared)?;
    let joining = (&mut shared, JOINING / 2);
    let joined = join::join(&capture, &deliveries, decoded.datagrams, decoded.shared, joining)?;
    let Joined { messages, back, mut sightings } = joined;
    drop(deliveries);
    if options.drops_octets {
        capture.octets = Vec::new();
    }
    extend_to_duplicates(&capture, &mut sightings);
    // Nothing is in most of them off 802.15.4 that the messages do not say: made again when less else is held.
    let is_plain = sightings.iter().copied().eq(completions(&messages));
    if is_plain {
        sightings = Vec::new();
    }
    let window = capture.window().unwrap_or((Instant::ZERO, Instant::ZERO));
    let scope = Scope { window, lacks, blind: capture.blind() };
    let series = AllSeries::new(decoded.series);
    let grouping = (&mut shared, GROUPING / 2);
    let (exchanges, mut associations) = judged((&messages, &back, &series), &scope, &mut notes, grouping)?;
    shared.stage(RELATING, 1)?;
    let relations = relations_of(&exchanges, &associations, &messages, &series);
    relations.count_events(&exchanges, &mut associations);
    for association in &mut associations {
        association.client_name = name_of_endpoint(association.client, &capture.annotations);
        association.server_name = name_of_endpoint(association.server, &capture.annotations);
    }
    if messages.is_empty() && total > 0 {
        notes.tally(Layer::Coap, "no-coap", None, None, || {
            format!("none of the {total} frames carries CoAP on the ports {ports:?}")
        });
    }
    if is_plain {
        sightings = completions(&messages).collect();
    }
    shared.stage(0, 1)?;
    // Options of this decoding: the ports include the guessed ones.
    let options = DecodeOptions { ports, ..options.clone() };
    Ok(Trace {
        capture,
        messages,
        sightings,
        exchanges,
        associations,
        relations,
        notes,
        options,
        contexts,
        context_origins,
        assumptions: Assumptions::default(),
        guessed_ports,
        back,
        keyring,
        scope,
        reception,
    })
}

/// Groups messages into exchanges and judges these without assumptions. In `shared` it is two stages of `units` each.
fn judged(
    (messages, back, series): (&[Message], &[Option<u32>], &AllSeries),
    scope: &Scope,
    notes: &mut Notes,
    (shared, units): (&mut SharedProgress<'_>, u64),
) -> Result<(Vec<Exchange>, Vec<Association>), Cancelled> {
    let (mut exchanges, mut associations) = reconstruct(messages, back, series, notes, (shared, units))?;
    shared.stage(units, judge::passes(associations.len(), exchanges.len()))?;
    judge::judge(&mut associations, &mut exchanges, messages, scope, &Assumptions::default(), shared)?;
    Ok((exchanges, associations))
}

/// Rebuilds the exchanges of `trace` from its messages and judges them: the work that the benchmark `exchanges`
/// measures. Returns exchanges in order of their first copy and associations in order of first appearance; the captures
/// of the benchmark have no series.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn exchanges_again(
    trace: &Trace,
    progress: &mut dyn Progress,
) -> Result<(Vec<Exchange>, Vec<Association>), Cancelled> {
    // The captures of the benchmark hold no series.
    let series = AllSeries::new(Vec::new());
    let shared = (&mut SharedProgress::new(progress, 0), 0);
    judged((&trace.messages, &trace.back, &series), &trace.scope, &mut Notes::new(), shared)
}

/// Decodes all frames, and once more where ports that were not given turn out to carry CoAP. Returns the ports that
/// were decoded, too; [`Decoded::guessed`] are the guessed ones among them.
fn decode<'a>(
    capture: &'a Capture,
    options: &DecodeOptions,
    known: (&ContextTable, &Keyring),
    notes: &mut Notes,
    progress: &mut dyn Progress,
) -> Result<(Links<'a>, Decoded, Vec<u16>), Cancelled> {
    let mut ports = options.ports.clone();
    let (links, mut decoded) = walk(capture, options, known, &ports, progress)?;
    if decoded.guessed.is_empty() {
        return Ok((links, decoded, ports));
    }
    let guessed = std::mem::take(&mut decoded.guessed);
    drop((links, decoded));
    ports.extend(guessed.iter().map(|&(port, _)| port));
    let (links, decoded) = walk(capture, options, known, &ports, progress)?;
    notes.remark(Layer::Udp, "port-guessed", None, None, || {
        let each = guessed.iter().map(|(port, answered)| format!("{port} ({answered} requests acknowledged)"));
        let each: Vec<String> = each.collect();
        format!("CoAP is spoken on UDP ports that nobody named: {}; decoded as on the others", each.join(", "))
    });
    Ok((links, Decoded { guessed, ..decoded }, ports))
}

/// One pass over all frames, in the order of sending.
fn walk<'a>(
    capture: &'a Capture,
    options: &DecodeOptions,
    known: (&ContextTable, &Keyring),
    ports: &[u16],
    progress: &mut dyn Progress,
) -> Result<(Links<'a>, Decoded), Cancelled> {
    let mut links = Links::new(capture);
    let mut walk = Walk::new(capture, options, known, ports);
    let order = in_time(capture);
    let in_order = |index| order.as_ref().map_or(Some(FrameId::at(index)), |order| order.get(index).copied());
    let mut shared = SharedProgress::new(progress, HUNDRED);
    shared.list(HUNDRED, capture.frames.len())?;
    for index in 0..capture.frames.len() {
        shared.item(index)?;
        let Some(id) = in_order(index) else { continue };
        let Some(frame) = capture.frames.get(id.index()) else { continue };
        let header = links.next(id, frame);
        walk.frame(id, frame, header);
    }
    Ok((links, walk.finish()))
}

/// All frames in the order of sending; `None` where that is their order in the capture.
///
/// A file of several sniffers may hold one burst of each after the other. Frames of one recording keep their order
/// whatever their times say: its clock may have been set back, the order of its records is that of the air.
fn in_time(capture: &Capture) -> Option<Vec<FrameId>> {
    if capture.sources.len() < 2 || capture.frames.is_sorted_by_key(|frame| frame.at) {
        return None;
    }
    let recordings = merge::recordings(capture);
    let mut latest = vec![Instant::MIN; recordings.len()];
    let place = |(index, frame): (usize, &Frame)| {
        let recording = recordings.get(frame.source.index()).copied().flatten();
        let latest = recording.and_then(|recording| latest.get_mut(recording));
        let at = latest.map_or(frame.at, |latest| {
            *latest = frame.at.max(*latest);
            *latest
        });
        (at, FrameId::at(index))
    };
    let mut order: Vec<_> = capture.frames.iter().enumerate().map(place).collect();
    order.sort_unstable();
    Some(order.into_iter().map(|(_, id)| id).collect())
}

/// The frame that completes each message first.
fn completions(messages: &[Message]) -> impl Iterator<Item = (FrameId, MessageId)> {
    messages.iter().filter_map(|message| Some((message.frame?, message.id)))
}

/// A frame whose duplicate completes a message completes it too.
fn extend_to_duplicates(capture: &Capture, sightings: &mut Vec<(FrameId, MessageId)>) {
    if capture.duplicates.is_empty() {
        return;
    }
    let message_of = |id: FrameId| {
        let at = sightings.binary_search_by_key(&id, |&(frame, _)| frame).ok()?;
        sightings.get(at).map(|&(_, message)| message)
    };
    let duplicates: Vec<_> =
        capture.duplicates.iter().filter_map(|&(duplicate, first)| Some((duplicate, message_of(first)?))).collect();
    sightings.extend(duplicates);
    sightings.sort_unstable();
}
