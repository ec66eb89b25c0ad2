//! The builder that every format fills: frames, their octets and their sources, within limits. At the end it takes the
//! two decisions that need the whole file: each source's trailer and the epoch.

use super::framing::{self, Framing, Payload};
use super::trailer::{Evidence, Rule, Trailer, Verdict, bad_fcs};
use super::zep::{self, Zep};
use super::{ImportError, ImportOptions};
use crate::import::clock::{self, Origin};
use crate::import::merge;
use crate::model::{Annotations, Capture, Dropped, Fcs, Format, Frame, Link, Source};
use base::{FrameId, Instant, Layer, Notes, SourceId, Span};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// Most octets of all frames together: offsets into the arena have 32 bits.
const ARENA: usize = u32::MAX as usize;

/// Most frames of a capture: [`FrameId`] saturates at `u32::MAX`.
const FRAMES: usize = u32::MAX as usize - 1;

/// Name of the only source, for formats that do not name them.
pub(super) const CAPTURE: &str = "capture";

/// One record, as its format gives it.
pub(super) struct RawRecord<'a> {
    /// Time stamp of the record in the file's own epoch, or [`clock::UNKNOWN`].
    pub(super) at: Instant,
    /// Interface, sniffer or mote that it is from.
    pub(super) source: SourceId,
    /// Octets and metadata of the record, without its framing.
    pub(super) payload: Payload<'a>,
}

/// Collects the records of a format and makes a [`Capture`] of them.
pub(super) struct CaptureBuilder {
    octets: Vec<u8>,
    frames: Vec<Frame>,
    sources: Vec<Source>,
    /// Sort key of each source in the finished capture, by the source's number; sources of equal rank keep their order.
    places: Vec<u32>,
    /// Trailer that the user gave.
    forced: Option<Trailer>,
    /// Sniffers that sent frames over a network (ZEP), by source of the datagram and device number.
    sniffers: Directory<(SourceId, u16)>,
    /// Time of the last frame that each of them heard.
    last_heard: BTreeMap<SourceId, Instant>,
    /// Rule for each source's trailer, and the evidence of its frames.
    trailers: Vec<(Rule, Evidence)>,
    /// Octets missing from the frames that were cut, in order.
    missing: Vec<(FrameId, u32)>,
    /// Receivers of each frame, see [`Capture::heard`].
    heard: Option<Vec<Range<u32>>>,
    heard_by: Vec<u32>,
    /// Comments and names beside the frames.
    pub(super) annotations: Annotations,
    /// Drops that records or statistics report ([`Capture::drops`]).
    pub(super) drops: Vec<Dropped>,
    /// Notes on what was skipped or repaired.
    pub(super) notes: Notes,
    limit: usize,
    /// The file is being written: that it ends within a record is no damage.
    is_growing: bool,
}

impl CaptureBuilder {
    /// Begins a capture that is read with `options`.
    pub(super) fn new(options: &ImportOptions) -> Self {
        Self {
            forced: options.fcs.forced(),
            is_growing: options.is_growing,
            sniffers: Directory::new(),
            last_heard: BTreeMap::new(),
            octets: Vec::new(),
            frames: Vec::new(),
            sources: Vec::new(),
            places: Vec::new(),
            trailers: Vec::new(),
            missing: Vec::new(),
            heard: None,
            heard_by: Vec::new(),
            annotations: Annotations::default(),
            drops: Vec::new(),
            notes: Notes::new(),
            limit: ARENA,
        }
    }

    /// Reserves room for the frames of a file of `len` octets, at most as much as a capture may hold.
    pub(super) fn expect(&mut self, len: u64) {
        let len = usize::try_from(len).unwrap_or(ARENA).min(ARENA);
        // Without such room it grows as octets come.
        let _may_fail = self.octets.try_reserve_exact(len);
    }

    /// Returns the identifier of the next frame to be pushed.
    pub(super) fn next(&self) -> FrameId {
        FrameId::at(self.frames.len())
    }

    /// Notes that the file ends within the record that begins at `offset` (octets), unless the rest is still to come.
    pub(super) fn note_cut(&mut self, offset: u64, text: impl FnOnce() -> String) {
        if !self.is_growing {
            self.notes.tally(Layer::File, "truncated-record", None, Some(offset), text);
        }
    }

    /// Notes that the `n` octets from `offset` on are no record and were skipped.
    pub(super) fn note_garbage(&mut self, offset: u64, n: u64) {
        self.notes.tally(Layer::File, "garbage-skipped", None, Some(offset), || {
            format!("octets {offset} to {} are no record; {n} octets were skipped", offset + n - 1)
        });
    }

    /// Adds a source of frames; `rule` says how its trailer is decided.
    pub(super) fn source(&mut self, name: String, mote: Option<u32>, rule: Rule) -> SourceId {
        self.source_at(0, name, mote, rule)
    }

    /// Adds a source with rank `place`, for files that have an order of their own for sources.
    pub(super) fn source_at(&mut self, place: u32, name: String, mote: Option<u32>, rule: Rule) -> SourceId {
        let id = SourceId::at(self.sources.len());
        // A file may call its source anything.
        let name = base::printable(&name).into_owned();
        self.sources.push(Source { name, mote, file: 0, trailer: None });
        self.places.push(place);
        self.trailers.push((rule, Evidence::default()));
        id
    }

    /// Adds a record, or the ZEP frame in it; breaks, with a note, when the capture holds all it can.
    pub(super) fn push(&mut self, record: &RawRecord<'_>) -> ControlFlow<()> {
        match zep::find(&record.payload) {
            Some(zep) => {
                let source = self.sniffer(record.source, &zep);
                let at = self.time_of(record.at, source, &zep);
                self.keep(&RawRecord { at, source, payload: zep.payload })
            }
            None => self.keep(record),
        }
    }

    /// Returns the source for the sniffer of `zep`, whose datagram came on `carrier`.
    fn sniffer(&mut self, carrier: SourceId, zep: &Zep<'_>) -> SourceId {
        let Self { sniffers, sources, places, trailers, forced, .. } = self;
        sniffers.get((carrier, zep.device), || {
            let id = SourceId::at(sources.len());
            let name = match sources.get(carrier.index()) {
                Some(Source { name, .. }) if name != CAPTURE => format!("sniffer {} on {name}", zep.device),
                _ => format!("sniffer {}", zep.device),
            };
            sources.push(Source { name, mote: None, file: 0, trailer: None });
            places.push(places.get(carrier.index()).copied().unwrap_or(0));
            trailers.push((forced.map_or(Rule::Detect { promised: true }, Rule::Given), Evidence::default()));
            id
        })
    }

    /// Returns the time when the sniffer of `zep`, which is `source`, says it heard the frame, if that can be; else
    /// `recorded`.
    fn time_of(&mut self, recorded: Instant, source: SourceId, zep: &Zep<'_>) -> Instant {
        let id = self.next();
        match zep.at {
            Some(at) if recorded == clock::UNKNOWN || (at - recorded).abs() <= zep::PLAUSIBLE => {
                self.notes.remark(Layer::Clock, "zep-time", Some(id), None, || {
                    "frames that came in ZEP have the time that their sniffer gave them".to_owned()
                });
                self.with_carry(at, source)
            }
            Some(_) => {
                self.notes.remark(Layer::Clock, "zep-time-unset", Some(id), None, || {
                    "the time in the ZEP header is far from the record's, as of a sniffer whose clock was not set; took the \
                     record's"
                        .to_owned()
                });
                recorded
            }
            None => recorded,
        }
    }

    /// IoT-LAB's sniffers round the fraction of a second up to a whole one and keep the second before: a time without a
    /// fraction, less than a second before that of the frame before it, is one second late.
    fn with_carry(&mut self, at: Instant, source: SourceId) -> Instant {
        const SECOND: Span = Span::from_secs(1);
        let last = self.last_heard.get(&source).copied();
        let is_late = at.nanos() % SECOND.nanos() == 0 && last.is_some_and(|last| last > at && last < at + SECOND);
        let at = if is_late { at + SECOND } else { at };
        if is_late {
            let id = self.next();
            self.notes.tally(Layer::Clock, "zep-time-carry", Some(id), None, || {
                "a sniffer rounded the fraction of its time up to a whole second and kept the second before; put right"
                    .to_owned()
            });
        }
        self.last_heard.insert(source, at);
        at
    }

    fn keep(&mut self, record: &RawRecord<'_>) -> ControlFlow<()> {
        let RawRecord { at, source, ref payload } = *record;
        let missing = payload.missing;
        let (id, start) = (self.next(), self.octets.len());
        let end = start + payload.octets.len();
        if end > self.limit || self.frames.len() >= FRAMES {
            self.notes.tally(Layer::File, "too-large", None, None, || {
                format!("a trace holds at most 4 GiB of frames; reading stopped after frame {id}")
            });
            return ControlFlow::Break(());
        }
        self.octets.extend_from_slice(payload.octets);
        if let Link::Other(number) = payload.link {
            self.notes.tally(Layer::Link, "not-decoded", Some(id), None, || match Framing::of(number) {
                Some(_) => {
                    format!(
                        "it has link type {number} ({}) and holds no frame that can be decoded",
                        framing::name(number)
                    )
                }
                None => format!("it has link type {number} ({}), which is not supported", framing::name(number)),
            });
        }
        let mut fcs = payload.fcs;
        match self.trailers.get_mut(source.index()) {
            Some((Rule::Recorded, _)) | None => {}
            Some(_) if payload.link != Link::Ieee802154 => {}
            Some((_, evidence)) => fcs = evidence.count(payload.octets, missing),
        }
        if missing > 0 {
            self.missing.push((id, missing));
        }
        self.frames.push(Frame {
            at,
            // `end` is at most `ARENA`.
            octets: start as u32..end as u32,
            source,
            link: payload.link,
            cut: missing > 0,
            channel: payload.channel,
            rssi: payload.rssi,
            lqi: payload.lqi,
            fcs,
        });
        ControlFlow::Continue(())
    }

    /// Divides the sub-second part of frame `id`'s time by a thousand: its unit was taken for microseconds and is
    /// nanoseconds.
    pub(super) fn shrink_fraction(&mut self, id: FrameId) {
        const SECOND: i64 = 1_000_000_000;
        if let Some(frame) = self.frames.get_mut(id.index()) {
            let fraction = frame.at.nanos().rem_euclid(SECOND);
            frame.at = Instant::from_nanos(frame.at.nanos() - fraction + fraction / 1_000);
        }
    }

    /// Sets the motes that received the next frame to be pushed.
    pub(super) fn hear(&mut self, receivers: &[u32]) {
        let start = self.heard_by.len() as u32;
        self.heard_by.extend_from_slice(receivers);
        self.heard.get_or_insert_default().push(start..self.heard_by.len() as u32);
    }

    /// Discards the receivers of all frames, because those of one cannot be read.
    pub(super) fn forget_heard(&mut self) {
        self.heard = None;
        self.heard_by.clear();
    }

    /// Makes the capture: cuts trailers, settles the epoch, links duplicate sightings.
    ///
    /// # Errors
    /// [`ImportError::TooLong`] where time stamps span more than [`clock::LONGEST`].
    pub(super) fn finish(
        mut self,
        name: String,
        format: Format,
        file_len: u64,
        origin: Origin,
    ) -> Result<Capture, ImportError> {
        self.cut_trailers();
        self.settle_sources();
        self.octets.shrink_to_fit();
        self.annotations.names.sort_by_key(|&(address, _)| address);
        if self.frames.is_empty() {
            self.notes.tally(Layer::File, "no-frames", None, None, || {
                format!("the {} file is well formed up to here and holds no frames", format.name())
            });
        }
        let epoch = clock::settle(&mut self.frames, origin, &mut self.notes)
            .map_err(|clock::TooLong { days }| ImportError::TooLong { days })?;
        let mut capture = Capture {
            name,
            format,
            file_len,
            epoch_unix_nanos: epoch,
            octets: self.octets,
            frames: self.frames,
            sources: self.sources,
            heard: self.heard.unwrap_or_default(),
            heard_by: self.heard_by,
            annotations: self.annotations,
            drops: self.drops,
            duplicates: Vec::new(),
            clocks: Vec::new(),
            files: Vec::new(),
            origins: Vec::new(),
            notes: self.notes,
        };
        merge::align(&mut capture);
        Ok(capture)
    }

    /// Sorts sources by rank, and removes those without frames, such as the interface over which sniffers sent theirs.
    fn settle_sources(&mut self) {
        let mut heard = vec![self.frames.is_empty(); self.sources.len()];
        for frame in &self.frames {
            if let Some(heard) = heard.get_mut(frame.source.index()) {
                *heard = true;
            }
        }
        let mut kept: Vec<usize> = (0..heard.len()).filter(|&at| heard.get(at) == Some(&true)).collect();
        kept.sort_by_key(|&at| self.places.get(at));
        if kept.iter().copied().eq(0..heard.len()) {
            return;
        }
        let mut ids = vec![SourceId::at(0); heard.len()];
        for (new, &old) in kept.iter().enumerate() {
            if let Some(id) = ids.get_mut(old) {
                *id = SourceId::at(new);
            }
        }
        for frame in &mut self.frames {
            frame.source = ids.get(frame.source.index()).copied().unwrap_or(frame.source);
        }
        self.sources = kept.iter().filter_map(|&old| self.sources.get(old).cloned()).collect();
    }

    fn cut_trailers(&mut self) {
        let Self { trailers, sources, notes, .. } = self;
        let verdicts: Vec<_> = trailers
            .iter()
            .zip(sources.iter())
            .map(|((rule, evidence), source)| Verdict::of(*rule, evidence, &source.name, notes))
            .collect();
        for ((source, verdict), (_, evidence)) in sources.iter_mut().zip(&verdicts).zip(trailers.iter()) {
            source.trailer = verdict.filter(|_| evidence.is_any()).map(Verdict::trailer);
        }
        let mut missing = self.missing.iter().copied().peekable();
        for (index, frame) in self.frames.iter_mut().enumerate() {
            let id = FrameId::at(index);
            let lacking = missing.next_if(|&(cut, _)| cut == id).map_or(0, |(_, n)| n);
            match verdicts.get(frame.source.index()).copied().flatten() {
                Some(verdict) if frame.link == Link::Ieee802154 => {
                    let psdu = &self.octets[frame.octets.start as usize..frame.octets.end as usize];
                    verdict.apply(frame, psdu, lacking, id, notes);
                }
                _ if frame.fcs == Fcs::Bad => bad_fcs(id, notes),
                _ => {}
            }
        }
    }
}

/// Sources found by a key of their format: interface and link type, or mote.
pub(super) struct Directory<K>(BTreeMap<K, SourceId>);

impl<K: Ord> Directory<K> {
    /// Returns a directory without any source.
    pub(super) fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Returns the source of `key`, which `make` adds at its first frame.
    pub(super) fn get(&mut self, key: K, make: impl FnOnce() -> SourceId) -> SourceId {
        *self.0.entry(key).or_insert_with(make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(builder: &mut CaptureBuilder, source: SourceId, octets: &[u8]) -> ControlFlow<()> {
        let payload = Payload::new(Link::RawIp, octets, 0);
        builder.push(&RawRecord { at: Instant::ZERO, source, payload })
    }

    #[test]
    fn a_full_arena_ends_the_import_with_a_note() {
        let mut builder = CaptureBuilder { limit: 10, ..CaptureBuilder::new(&ImportOptions::default()) };
        let source = builder.source("x".to_owned(), None, Rule::Recorded);
        assert!(push(&mut builder, source, &[0; 4]).is_continue());
        assert!(push(&mut builder, source, &[0; 6]).is_continue());
        assert!(push(&mut builder, source, &[]).is_continue());
        assert!(push(&mut builder, source, &[0]).is_break());
        let capture = builder.finish("x".to_owned(), Format::Pcapng, 10, Origin::Unix).unwrap();
        assert_eq!((capture.frames.len(), capture.notes.count("too-large")), (3, 1));
        assert_eq!(capture.frames[2].octets, 10..10);
    }
}
