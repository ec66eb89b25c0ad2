//! Times of a contention MAC: acknowledgements, back-off unit, clock ticks, attempts.

use crate::inference::air::{Air, NOBODY, Table};
use crate::inference::packets::Packets;
use base::{Instant, Span};
use trace::FrameType;

/// Resolution of delays and phases. Chosen here: clocks of sniffers keep it over seconds.
const RESOLUTION: Span = Span::from_micros(20);
/// Acknowledgements at the commonest delay (or a neighbouring one), of all, in hundredths. Chosen here: Cooja runs have
/// 98 or more, the rest are acknowledgements of other frames with the same number.
const CONSTANT: usize = 80;
/// Least number of acknowledgements, starts or gaps that show something. Chosen here: of 20 gaps the 6th and the 15th
/// enclose the median in 96 of 100 cases.
const FEWEST: usize = 20;
/// Starts in the commonest 20 µs of the millisecond, of all, in hundredths. Chosen here: without a clock of 1 ms 2 are
/// there, Cooja motes have 87 to 96 (the rest are back-offs that ended while the node was busy).
const ON_TICK: usize = 50;
/// Packets given up after as many attempts that tell how many are allowed. Chosen here: three that end alike by another
/// reason are rarer than one in a thousand (`replay/tests/planted.rs` has networks with few failures).
const FEWEST_FAILURES: u64 = 3;

/// Returns the time from the end of a frame to its acknowledgement, and the air time of the latter; `None` where there
/// is no constant delay.
pub(super) fn acknowledgements(air: &Air) -> Option<(Span, Span)> {
    let mut delays: Table<i64, usize> = Table::new();
    let mut sample: Table<i64, (Span, Span)> = Table::new();
    let mut count = 0;
    for frame in &air.frames {
        let Some(ack) = frame.acknowledgement.and_then(|at| air.frame(at)) else { continue };
        let bin = (ack.at - frame.end).nanos().div_euclid(RESOLUTION.nanos());
        *delays.entry(bin).or_default() += 1;
        sample.entry(bin).or_insert((ack.at - frame.end, ack.end - ack.at));
        count += 1;
    }
    let (&bin, _) = delays.iter().max_by_key(|(bin, count)| (**count, -**bin))?;
    let near: usize = (bin - 1..=bin + 1).filter_map(|bin| delays.get(&bin)).sum();
    (count >= FEWEST && near * 100 >= count * CONSTANT).then(|| sample.get(&bin).copied())?
}

/// Clock whose ticks end back-offs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Lattice {
    /// Period of the clock.
    pub tick: Span,
    /// Moment of some tick.
    pub origin: Instant,
    /// Share of the frames that start on a tick, 0 to 1.
    pub share: f64,
}

/// Returns the clock of 1 ms that starts of packets follow; `None` without one.
pub(super) fn lattice(air: &Air) -> Option<Lattice> {
    /// Period of the clock (Cooja: `clock_time` counts milliseconds of the simulation).
    const TICK: Span = Span::from_millis(1);
    let starts = || air.frames.iter().filter(|frame| frame.kind != FrameType::Ack).map(|frame| frame.at);
    let origin = starts().next()?;
    let phase = |at: Instant| (at - origin).nanos().rem_euclid(TICK.nanos());
    let mut phases: Table<i64, usize> = Table::new();
    for at in starts() {
        *phases.entry(phase(at) / RESOLUTION.nanos()).or_default() += 1;
    }
    let count: usize = phases.values().sum();
    let (&bin, &most) = phases.iter().max_by_key(|(bin, count)| (**count, -**bin))?;
    let first = starts().find(|&at| phase(at) / RESOLUTION.nanos() == bin)?;
    let share = most as f64 / count as f64;
    (count >= FEWEST && most * 100 >= count * ON_TICK).then_some(Lattice { tick: TICK, origin: first, share })
}

/// Gaps from the end of an unacknowledged attempt to the start of the next one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Gaps {
    /// Second percentile, for the shortest gap: no back-off.
    pub shortest: Span,
    /// Median: half the first window more, and a little longer yet where the channel is often busy.
    pub median: Span,
    /// Number of gaps that the percentiles rest on.
    pub count: u64,
}

/// Returns shortest, median and number of the gaps; `None` where there are too few.
pub(super) fn gaps(air: &Air, packets: &Packets) -> Option<Gaps> {
    let mut gaps = Vec::new();
    for packet in packets.list.iter().filter(|packet| packet.to != NOBODY) {
        for pair in packet.attempts.windows(2) {
            let [before, after] = *pair else { continue };
            let (Some(first), Some(next)) = (air.frame(before), air.frame(after)) else { continue };
            if first.acknowledgement.is_none() {
                gaps.push(next.at - first.end);
            }
        }
    }
    gaps.sort_unstable();
    let at = |share: usize| gaps.get(gaps.len() * share / 100).copied();
    let (shortest, median) = (at(2)?, at(50)?);
    (gaps.len() >= FEWEST).then_some(Gaps { shortest, median, count: gaps.len() as u64 })
}

/// Attempts of packets that were given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Failures {
    /// Number of attempts after which packets are given up; `None` where too few were.
    pub attempts: Option<u8>,
    /// Number of packets whose last attempt was not acknowledged.
    pub failures: u64,
    /// Greatest number of attempts of any packet.
    pub longest: u8,
}

/// Returns the attempts that the sender made before it gave up: the fewest after which most packets without an
/// acknowledgement on the air were not tried again. A packet whose last attempt nobody acknowledged was given up,
/// whatever came of those before. The longest run overestimates: where a frame of somebody else is taken for the
/// acknowledgement an attempt is not counted. The commonest one underestimates where a busy channel uses attempts up.
pub(super) fn failures(packets: &Packets, air: &Air) -> Failures {
    // Per number of attempts, the packets whose last one of them was not acknowledged: those not tried again, and all.
    let mut unheard: Table<usize, (u64, u64)> = Table::new();
    let mut longest = 0;
    for packet in packets.list.iter().filter(|packet| packet.to != NOBODY) {
        longest = longest.max(packet.attempts.len());
        for (before, &at) in packet.attempts.iter().enumerate() {
            if air.frame(at).is_some_and(|frame| frame.acknowledgement.is_none()) {
                let (ended, all) = unheard.entry(before + 1).or_default();
                *ended += u64::from(before + 1 == packet.attempts.len());
                *all += 1;
            }
        }
    }
    let given_up = unheard.iter().find(|(_, (ended, all))| *ended >= FEWEST_FAILURES && ended * 2 > *all);
    Failures {
        attempts: given_up.and_then(|(attempts, _)| u8::try_from(*attempts).ok()),
        failures: unheard.values().map(|(ended, _)| ended).sum(),
        longest: u8::try_from(longest).unwrap_or(u8::MAX),
    }
}
