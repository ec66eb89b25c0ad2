//! Time stamps of capture files: counters of any unit to exact nanoseconds, repair of what known
//! writers get wrong, and one epoch for the whole capture.
//!
//! pcap-parser decodes the fields, not the time: in its version 0.17 a power-of-two `if_tsresol` has no
//! resolution, `build_ts` keeps 32 bits of seconds and fraction, and `if_tsoffset` is read
//! little-endian in big-endian sections too.

use crate::model::Frame;
use base::{FrameId, Instant, Layer, Notes, Span};

/// Longest trace: 2^53 ns (104 days), up to which a JavaScript number holds every nanosecond exactly.
pub(crate) const LONGEST: Span = Span::from_nanos(1 << 53);

/// Value of [`Frame::at`] for a record without a time stamp, until [`settle`] replaces it.
pub(crate) const UNKNOWN: Instant = Instant::MIN;

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// Length of one tick of a time stamp counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolution {
    /// A tick of 10^-n s.
    Decimal(u8),
    /// A tick of 2^-n s.
    Binary(u8),
}

impl Resolution {
    /// 10^-6 s, pcapng's default.
    pub(crate) const MICROS: Self = Self::Decimal(6);

    /// Decodes the value of pcapng's `if_tsresol` (draft-ietf-opsawg-pcapng, section 4.2): the most significant bit
    /// chooses powers of two, the others are the negative exponent.
    pub(crate) const fn from_tsresol(value: u8) -> Self {
        match value & 0x80 {
            0 => Self::Decimal(value),
            _ => Self::Binary(value & 0x7f),
        }
    }

    /// Returns `ticks` in whole nanoseconds, rounded down.
    pub(crate) fn nanos(self, ticks: u64) -> i128 {
        let ticks = i128::from(ticks);
        match self {
            Self::Decimal(n @ 0..=9) => ticks * 10_i128.pow(9 - u32::from(n)),
            Self::Decimal(n) => 10_i128.checked_pow(u32::from(n) - 9).map_or(0, |d| ticks / d),
            // A tick count has 64 bits and 10^9 has 30: their product fits.
            Self::Binary(n) => (ticks * SECOND) >> n.min(127),
        }
    }
}

/// Returns the time of a pcapng time stamp, from the Unix epoch: `ticks` of `resolution` plus `offset` seconds
/// (`if_tsoffset`). Saturates where 64 bits do not reach (before 1677, after 2262).
pub(crate) fn unix_nanos(ticks: u64, resolution: Resolution, offset: i64) -> Instant {
    saturate(resolution.nanos(ticks) + i128::from(offset) * SECOND)
}

/// Content of the sub-second field of a classic pcap record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SubSecond {
    /// The unit that the file header announces.
    AsDeclared,
    /// Nanoseconds, although the header announces microseconds.
    Nanos,
    /// Microseconds as the bits of an IEEE 754 single: IoT-LAB's sniffer_aggregator packed the record
    /// header as `=LfLL` from December 2020 to January 2022 (aggregation-tools e2b54cc, c037c0b).
    Float,
    /// None of these; the record is taken to be on its full second.
    Nonsense,
}

/// Decodes a record's sub-second field to nanoseconds, below 10^9; `nanoseconds`: the unit that the file header
/// announces.
pub(crate) fn sub_second(field: u32, nanoseconds: bool) -> (u32, SubSecond) {
    let as_float = f32::from_bits(field);
    match field {
        0..1_000_000 if !nanoseconds => (field * 1_000, SubSecond::AsDeclared),
        0..1_000_000_000 if nanoseconds => (field, SubSecond::AsDeclared),
        1_000_000..1_000_000_000 => (field, SubSecond::Nanos),
        _ if !nanoseconds && (0.0..1e6).contains(&as_float) => {
            ((f64::from(as_float) * 1e3).floor() as u32, SubSecond::Float)
        }
        _ => (0, SubSecond::Nonsense),
    }
}

/// Returns the time of a classic pcap time stamp, from the Unix epoch; `nanos` below 10^9.
pub(crate) fn classic(seconds: u32, nanos: u32) -> Instant {
    // At most 2^32 * (10^9 + 1) < 2^63.
    Instant::from_nanos(i64::from(seconds) * 1_000_000_000 + i64::from(nanos))
}

fn saturate(nanos: i128) -> Instant {
    // One above the least, which means "unknown".
    let least = i128::from(UNKNOWN.nanos()) + 1;
    Instant::from_nanos(i64::try_from(nanos.max(least)).unwrap_or(i64::MAX))
}

/// Origin of a file's time stamps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The Unix epoch; the trace's epoch becomes the first record.
    Unix,
    /// The start of a simulation, which stays the trace's epoch.
    Simulation,
}

/// The time stamps span more than [`LONGEST`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLong {
    /// Whole days from the earliest to the latest.
    pub(crate) days: u64,
}

/// Moves all time stamps to the trace's epoch; returns that epoch in Unix nanoseconds, `None` for a simulation and
/// without any time stamp. The order of the records stays, and steps back are noted. For stamps far from all others see
/// [`note_far`].
///
/// # Errors
/// [`TooLong`] where more than a quarter of the stamps are too far from the middle to fit a trace.
pub(crate) fn settle(frames: &mut [Frame], origin: Origin, notes: &mut Notes) -> Result<Option<i64>, TooLong> {
    if frames.iter().all(|f| f.at == UNKNOWN) {
        frames.iter_mut().for_each(|f| f.at = Instant::ZERO);
        return Ok(None);
    }
    let good = middle(frames, origin)?;
    let is_good = |at: Instant| at != UNKNOWN && good.is_none_or(|(centre, reach)| distance(at, centre) <= reach);
    let first = frames.iter().map(|f| f.at).find(|&at| is_good(at)).unwrap_or(Instant::ZERO);
    let epoch = match origin {
        Origin::Unix => first,
        Origin::Simulation => Instant::ZERO,
    };
    if good.is_some() {
        note_far(frames, is_good, first, notes);
    }
    let mut previous = first;
    let (mut back, mut worst) = (Vec::new(), Span::ZERO);
    for (index, frame) in frames.iter_mut().enumerate() {
        if frame.at == UNKNOWN {
            frame.at = previous;
        }
        if frame.at < previous {
            back.push(FrameId::at(index));
            worst = worst.max(previous - frame.at);
        }
        previous = frame.at;
        frame.at = Instant::ZERO + (frame.at - epoch);
    }
    for frame in back {
        notes.tally(Layer::Clock, "backward-time-stamp", Some(frame), None, || {
            format!(
                "stamped earlier than the record before it (by at most {worst} in this file); the order of the file is kept"
            )
        });
    }
    Ok((origin == Origin::Unix).then_some(epoch.nanos()))
}

/// Notes stamps far from all others. One or two in a row are damage, or from before a clock was set, and become unknown
/// (`STRAY`); a longer run is another recording in the same file, and keeps its time.
fn note_far(frames: &mut [Frame], is_good: impl Fn(Instant) -> bool, first: Instant, notes: &mut Notes) {
    /// Most stamps in a row that are taken for damage. Chosen here: a recording has more frames.
    const STRAY: usize = 2;
    let is_far = |frame: &Frame| frame.at != UNKNOWN && !is_good(frame.at);
    let mut start = 0;
    for run in frames.chunk_by_mut(|a, b| is_far(a) == is_far(b)) {
        let stray = run.len() <= STRAY;
        for (index, frame) in (start..).zip(run.iter_mut()).filter(|(_, frame)| is_far(frame)) {
            let days = distance(frame.at, first) / (86_400 * SECOND).unsigned_abs();
            let (code, what) = match stray {
                true => ("absurd-time-stamp", "took the time of the record before it"),
                false => ("far-time-stamp", "kept, as it is one of many: are these several recordings?"),
            };
            notes.tally(Layer::Clock, code, Some(FrameId::at(index)), None, || {
                format!("stamped {days} days from most other records; {what}")
            });
            if stray {
                frame.at = UNKNOWN;
            }
        }
        start += run.len();
    }
}

/// Returns a time stamp and the distance from it, nanoseconds, within which at least three quarters of the others lie;
/// `None` where all fit a trace. In a simulation the stamp is its start.
///
/// # Errors
/// [`TooLong`] where fewer do.
fn middle(frames: &[Frame], origin: Origin) -> Result<Option<(Instant, u128)>, TooLong> {
    let stamps = || frames.iter().map(|f| f.at).filter(|&at| at != UNKNOWN);
    let zero = (origin == Origin::Simulation).then_some(Instant::ZERO);
    let (lo, hi) = stamps().chain(zero).fold((Instant::MAX, UNKNOWN), |(lo, hi), at| (lo.min(at), hi.max(at)));
    let longest = u128::from(LONGEST.nanos().unsigned_abs());
    if distance(hi, lo) <= longest {
        return Ok(None);
    }
    let mut sorted: Vec<_> = stamps().collect();
    let half = sorted.len() / 2;
    let (_, &mut median, _) = sorted.select_nth_unstable(half);
    let centre = zero.unwrap_or(median);
    let reach = zero.map_or(longest / 2, |_| longest);
    let outliers = sorted.iter().filter(|&&at| distance(at, centre) > reach).count();
    // A quarter. Chosen here by judgement: no experiment decides it; damage is of single records, and with more of
    // them far off nothing says which are the right ones, so that the file is refused.
    if outliers > sorted.len() / 4 {
        return Err(TooLong { days: u64::try_from(distance(hi, lo) / 86_400_000_000_000).unwrap_or(u64::MAX) });
    }
    Ok(Some((centre, reach)))
}

/// Returns |a - b| in nanoseconds; unlike a [`Span`] it cannot saturate.
fn distance(a: Instant, b: Instant) -> u128 {
    (i128::from(a.nanos()) - i128::from(b.nanos())).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fcs, Link};
    use base::SourceId;

    #[test]
    fn every_resolution_is_exact() {
        assert_eq!(Resolution::from_tsresol(6), Resolution::MICROS);
        assert_eq!(Resolution::from_tsresol(9).nanos(u64::MAX), i128::from(u64::MAX));
        assert_eq!(Resolution::from_tsresol(0).nanos(7), 7 * SECOND);
        assert_eq!(Resolution::from_tsresol(12).nanos(1_999), 1);
        assert_eq!(Resolution::from_tsresol(127).nanos(u64::MAX), 0);
        // 2^-10 s: 1536 ticks are 1.5 s.
        assert_eq!(Resolution::from_tsresol(0x8a).nanos(1_536), 1_500_000_000);
        assert_eq!(Resolution::from_tsresol(0x80).nanos(u64::MAX), i128::from(u64::MAX) * SECOND);
        assert_eq!(Resolution::from_tsresol(0xff).nanos(u64::MAX), 0);
    }

    #[test]
    fn seconds_beyond_32_bits_and_negative_offsets() {
        assert_eq!(unix_nanos(5_000_000_000_000_000, Resolution::MICROS, -1).nanos(), 4_999_999_999_000_000_000);
        assert_eq!(unix_nanos(u64::MAX, Resolution::MICROS, 0), Instant::MAX);
        assert_ne!(unix_nanos(0, Resolution::MICROS, i64::MIN), UNKNOWN);
    }

    #[test]
    fn sub_second_fields_of_known_writers() {
        assert_eq!(sub_second(999_999, false), (999_999_000, SubSecond::AsDeclared));
        assert_eq!(sub_second(999_999, true), (999_999, SubSecond::AsDeclared));
        assert_eq!(sub_second(123_456_789, false), (123_456_789, SubSecond::Nanos));
        // IoT-LAB, 2022: the bits of 809286.0.
        assert_eq!(sub_second(0x4945_9460, false), (809_286_000, SubSecond::Float));
        assert_eq!(sub_second(0x4945_9460, true), (0, SubSecond::Nonsense));
        assert_eq!(sub_second(u32::MAX, false), (0, SubSecond::Nonsense));
    }

    fn frames(stamps: &[Instant]) -> Vec<Frame> {
        let frame = |&at| Frame {
            at,
            octets: 0..0,
            source: SourceId(0),
            link: Link::RawIp,
            cut: false,
            channel: None,
            rssi: None,
            lqi: None,
            fcs: Fcs::Absent,
        };
        stamps.iter().map(frame).collect()
    }

    fn settled(stamps: &[i64], origin: Origin) -> (Result<Option<i64>, TooLong>, Vec<i64>, Notes) {
        let stamps: Vec<_> = stamps.iter().map(|&n| Instant::from_nanos(n)).collect();
        let (mut frames, mut notes) = (frames(&stamps), Notes::new());
        let epoch = settle(&mut frames, origin, &mut notes);
        (epoch, frames.iter().map(|f| f.at.nanos()).collect(), notes)
    }

    #[test]
    fn first_record_is_the_epoch_and_steps_back_are_counted() {
        let (epoch, at, notes) = settled(&[1_000, 3_000, 2_000, 900], Origin::Unix);
        assert_eq!((epoch, at), (Ok(Some(1_000)), vec![0, 2_000, 1_000, -100]));
        assert_eq!(notes.count("backward-time-stamp"), 2);
    }

    #[test]
    fn a_simulation_keeps_its_start() {
        let (epoch, at, _) = settled(&[1_000, 3_000], Origin::Simulation);
        assert_eq!((epoch, at), (Ok(None), vec![1_000, 3_000]));
    }

    #[test]
    fn a_record_of_1970_among_those_of_2024_is_moved() {
        let now = 1_700_000_000_000_000_000;
        let (epoch, at, notes) = settled(&[5, now, now + 1, now + 2, now + 3], Origin::Unix);
        assert_eq!((epoch, at), (Ok(Some(now)), vec![0, 0, 1, 2, 3]));
        assert_eq!(notes.count("absurd-time-stamp"), 1);
    }

    #[test]
    fn a_recording_of_another_year_keeps_its_time() {
        let now = 1_700_000_000_000_000_000;
        let stamps: Vec<_> = (0..3).chain((now..).take(20)).collect();
        let (epoch, at, notes) = settled(&stamps, Origin::Unix);
        assert_eq!((epoch, at[0], at[3], notes.count("far-time-stamp")), (Ok(Some(now)), -now, 0, 3));
    }

    #[test]
    fn a_trace_of_more_than_104_days_is_refused() {
        let day = 86_400_000_000_000;
        assert!(settled(&[0, 104 * day], Origin::Unix).0.is_ok());
        assert_eq!(settled(&[0, 50 * day, 150 * day, 200 * day], Origin::Unix).0, Err(TooLong { days: 200 }));
        assert_eq!(settled(&[200 * day], Origin::Simulation).0, Err(TooLong { days: 200 }));
        assert!(settled(&[i64::MAX, i64::MIN + 2], Origin::Unix).0.is_err());
    }

    #[test]
    fn records_without_time_take_their_neighbours() {
        let (epoch, at, _) = settled(&[i64::MIN, 7, i64::MIN, 9], Origin::Unix);
        assert_eq!((epoch, at), (Ok(Some(7)), vec![0, 0, 0, 2]));
        assert_eq!(settled(&[i64::MIN], Origin::Unix).0, Ok(None));
    }
}
