//! CSMA/CA machines: times, attempts, links, and who hears whom.

mod hearing;
mod mixture;
mod receptions;
mod timing;

use super::air::{Air, NOBODY};
use super::links::{Links, adjacent};
use super::packets::Packets;
use super::shrinkage::Priors;
use crate::model::{Acknowledger, Csma, Evidence, Known, Mac, Parameter};
use base::{Cancelled, Instant, SharedProgress, Span};
use timing::{Failures, Gaps, Lattice};

/// Constants of a stack on a platform.
#[derive(Clone, Copy, Debug)]
struct Stack {
    unit: Span,
    tick: Span,
    exponents: (u8, u8),
    max_backoffs: u8,
    max_attempts: u8,
    turnaround: Span,
    ack_wait: Span,
}

/// Contiki-NG (`os/net/mac/csma/csma-output.c`: CSMA_MIN_BE 3, CSMA_MAX_BE 5, CSMA_MAX_BACKOFF 5, CSMA_MAX_FRAME_RETRIES 7) on Cooja
/// motes: `backoff_period` 20 * 1000 / 3125 ticks of 1 ms, two ticks of turnaround (`cooja-radio.c`), CSMA_ACK_WAIT_TIME 2 ms
/// (`arch/platform/cooja/contiki-conf.h`).
const COOJA: Stack = Stack {
    unit: Span::from_millis(6),
    tick: Span::from_millis(1),
    exponents: (3, 5),
    max_backoffs: 5,
    max_attempts: 8,
    turnaround: Span::from_millis(2),
    ack_wait: Span::from_millis(2),
};
/// The same on hardware with a clock of 128 Hz (`backoff_period` of one tick; CSMA_ACK_WAIT_TIME 0.4 ms, `csma.h`; turnaround
/// 12 symbols, IEEE Std 802.15.4-2020, 11.3).
const HARDWARE_128: Stack = Stack {
    unit: Span::from_nanos(7_812_500),
    tick: Span::from_nanos(7_812_500),
    turnaround: Span::from_micros(192),
    ack_wait: Span::from_micros(400),
    ..COOJA
};
/// The same with a clock of 1 kHz (native).
const HARDWARE_1000: Stack = Stack { unit: Span::from_millis(1), tick: Span::from_millis(1), ..HARDWARE_128 };
/// The unit of the standard (aUnitBackoffPeriod, 20 symbols; macMinBe 3, macMaxBe 5, macMaxCsmaBackoffs 4, macMaxFrameRetries 3,
/// macAckWaitDuration 54 symbols: IEEE Std 802.15.4-2020, 8.4.3 and 11.3), as radios and RIOT keep it.
const STANDARD: Stack = Stack {
    unit: Span::from_micros(320),
    tick: Span::from_micros(320),
    max_backoffs: 4,
    max_attempts: 4,
    ack_wait: Span::from_micros(864),
    ..HARDWARE_128
};
const STACKS: [Stack; 4] = [COOJA, HARDWARE_128, HARDWARE_1000, STANDARD];
/// Largest ratio of the unit that gaps show and that of a stack. Chosen here: units of stacks with the same tick are apart by more
/// than its square, and a busy channel lengthens the median gap by less (saturated runs of `shared/cooja`: 1.4).
const UNIT_RATIO: f64 = 1.75;
/// Acknowledgements later than this after a frame are made by the processor: the radio takes 12 symbols, and a sniffer that stamps
/// the frame's first octet adds preamble, length and check sequence (192 + 256 µs).
const RADIO_ACKNOWLEDGES: Span = Span::from_micros(600);

/// Infers a CSMA machine; `None` where frames show no contention MAC with known constants.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn infer(air: &Air, packets: &Packets, progress: &SharedProgress<'_>) -> Result<Option<Links>, Cancelled> {
    let Some((ack_delay, ack_airtime)) = timing::acknowledgements(air) else { return Ok(None) };
    let lattice = timing::lattice(air);
    progress.ask()?;
    let gaps = timing::gaps(air, packets);
    let Some(stack) = recognise(lattice, gaps) else { return Ok(None) };
    progress.ask()?;
    let failures = timing::failures(packets, air);
    let csma = Csma {
        unit: stack.unit,
        tick: stack.tick,
        origin: lattice.map_or(Instant::ZERO, |lattice| lattice.origin),
        min_exponent: stack.exponents.0,
        max_exponent: stack.exponents.1,
        max_backoffs: stack.max_backoffs,
        max_attempts: failures.attempts.unwrap_or(stack.max_attempts.max(failures.longest)),
        turnaround: stack.turnaround,
        ack_wait: stack.ack_wait,
        ack_delay,
        ack_airtime,
        acknowledger: if ack_delay > RADIO_ACKNOWLEDGES { Acknowledger::Processor } else { Acknowledger::Radio },
    };
    let tally = receptions::of(air, packets, &csma, progress)?;
    let proportions: Vec<(u64, u64)> = tally.values().copied().collect();
    let prior = Priors::fit(&proportions);
    let unseen = prior.posterior(0, 0);
    let distance = hearing::distances(air.nodes.len(), &tally);
    let sensing = hearing::sensing(&distance, &receptions::starts(air, progress)?);
    progress.ask()?;
    let mut reception = sensing.map(|_, _, sensed: Evidence| {
        // Nothing was sent on this link: it receives no more than it senses.
        if sensed.mean() > 0.0 {
            Evidence::observed(0, 0, unseen.mean() * sensed.mean(), unseen.weight())
        } else {
            Evidence::default()
        }
    });
    for (&(from, to), &(successes, trials)) in &tally {
        reception.set(from, to, prior.posterior(successes, trials));
    }
    for (from, to) in adjacent(packets) {
        if !tally.contains_key(&(from, to)) {
            reception.set(from, to, unseen);
        }
    }
    let disturbance = hearing::disturbance(&distance, &receptions::met(air, packets, &reception, progress)?);
    progress.ask()?;
    // Half of the first window.
    let access = csma.turnaround + csma.unit.scale((1 << csma.min_exponent.min(16)) - 1, 2);
    let parameters = parameters(&csma, (lattice, gaps), failures, packets, (&prior, &proportions));
    Ok(Some(Links {
        reception,
        disturbance,
        sensing,
        clean: proportions.iter().map(|p| p.1).max().unwrap_or(0),
        lead: access,
        access,
        turnaround: csma.ack_delay + csma.ack_airtime + csma.turnaround,
        parameters,
        mac: Mac::Csma(csma),
    }))
}

/// The stack whose back-off unit gaps after failures show; without enough gaps the one whose clock starts follow.
fn recognise(lattice: Option<Lattice>, gaps: Option<Gaps>) -> Option<Stack> {
    let ticks = |stack: &&Stack| lattice.is_none_or(|lattice| lattice.tick == stack.tick);
    let Some(gaps) = gaps else { return STACKS.iter().filter(|_| lattice.is_some()).find(ticks).copied() };
    let unit = unit_of(gaps);
    let ratio = |stack: &Stack| {
        let quotient = unit / stack.unit.secs_f64();
        quotient.max(1.0 / quotient)
    };
    let best = STACKS.iter().filter(ticks).min_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
    (ratio(best) <= UNIT_RATIO).then_some(*best)
}

/// Back-off unit in seconds: the median back-off is half a window of seven units.
fn unit_of(gaps: Gaps) -> f64 {
    ((gaps.median - gaps.shortest).secs_f64() * 2.0 / 7.0).max(1e-9)
}

fn parameters(
    csma: &Csma,
    (lattice, gaps): (Option<Lattice>, Option<Gaps>),
    failures: Failures,
    packets: &Packets,
    (prior, proportions): (&Priors, &[(u64, u64)]),
) -> Vec<Parameter> {
    let exact = Parameter::exact;
    let unicast = packets.list.iter().filter(|packet| packet.to != NOBODY).count() as u64;
    let acknowledged = packets.list.iter().filter(|packet| packet.is_acknowledged).count() as u64;
    let trials: u64 = proportions.iter().map(|p| p.1).sum();
    let pooled = Evidence::observed(proportions.iter().map(|p| p.0).sum(), trials, prior.mean(), 1.0);
    let unit_known = if gaps.is_some() { Known::Inferred } else { Known::Preset };
    let mut all = vec![
        exact("back-off-unit", csma.unit.secs_f64() * 1e3, "ms", unit_known, gaps.map_or(0, |gaps| gaps.count)),
        exact(
            "max-attempts",
            f64::from(csma.max_attempts),
            "",
            if failures.attempts.is_some() { Known::Inferred } else { Known::Preset },
            failures.failures,
        ),
        exact("min-back-off-exponent", f64::from(csma.min_exponent), "", Known::Preset, 0),
        exact("max-back-off-exponent", f64::from(csma.max_exponent), "", Known::Preset, 0),
        exact("max-back-offs", f64::from(csma.max_backoffs), "", Known::Preset, 0),
        exact("turnaround", csma.turnaround.secs_f64() * 1e3, "ms", Known::Preset, 0),
        exact("acknowledgement-wait", csma.ack_wait.secs_f64() * 1e3, "ms", Known::Preset, 0),
        exact("acknowledgement-delay", csma.ack_delay.secs_f64() * 1e3, "ms", Known::Computed, acknowledged),
        Parameter::reception(&pooled, trials),
    ];
    if let Some(lattice) = lattice {
        all.push(exact("starts-on-tick", lattice.share, "", Known::Computed, unicast));
    }
    all
}
