//! CSMA/CA machines: times, attempts, links, and who hears whom.

mod hearing;
mod mixture;
mod receptions;
mod recognition;
mod timing;

use super::air::{Air, NOBODY};
use super::links::{Links, adjacent};
use super::packets::Packets;
use super::shrinkage::Priors;
use crate::model::{Acknowledger, Csma, Evidence, Known, Mac, Parameter, Stack, Window};
use base::{Cancelled, Instant, SharedProgress, Span};
use recognition::Clues;
use timing::{Failures, Gaps, Lattice};

/// Acknowledgements later than this after a frame are made by the processor. Chosen here: the radio takes 12 symbols
/// (192 µs), and a sniffer that stamps the frame's first octet adds preamble, length and check sequence (256 µs),
/// together 448 µs.
const RADIO_ACKNOWLEDGES: Span = Span::from_micros(600);

/// Infers a CSMA machine; `None` where frames show no contention MAC with known constants. `chosen`: the stack that a
/// person says.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn infer(
    air: &Air,
    packets: &Packets,
    chosen: Option<&'static Stack>,
    progress: &SharedProgress<'_>,
) -> Result<Option<Links>, Cancelled> {
    let Some((ack_delay, ack_airtime)) = timing::acknowledgements(air) else { return Ok(None) };
    let lattice = timing::lattice(air);
    progress.ask()?;
    let gaps = timing::gaps(air, packets);
    progress.ask()?;
    let failures = timing::failures(packets, air);
    let clues = Clues { lattice, gaps, failures };
    let Some((preset, stack)) = clues.stack(chosen) else { return Ok(None) };
    let (Some(known), limits) = (preset.csma, &preset.limits) else { return Ok(None) };
    let csma = Csma {
        unit: known.unit,
        tick: known.tick,
        origin: lattice.map_or(Instant::ZERO, |lattice| lattice.origin),
        min_exponent: known.min_exponent,
        max_exponent: known.max_exponent,
        max_backoffs: known.max_backoffs,
        max_attempts: failures.attempts.unwrap_or(known.max_attempts.max(failures.longest)),
        turnaround: known.turnaround,
        ack_wait: known.ack_wait,
        ack_delay,
        ack_airtime,
        acknowledger: if ack_delay > RADIO_ACKNOWLEDGES { Acknowledger::Processor } else { Acknowledger::Radio },
        rules: known.rules,
    };
    let tally = receptions::of(air, packets, &csma, progress)?;
    let proportions: Vec<(u64, u64)> = tally.values().copied().collect();
    let prior = Priors::fit(&proportions);
    let unseen = prior.posterior(0, 0);
    let distance = hearing::distances(air.nodes.len(), &tally);
    let sensing = hearing::sensing(&distance, &receptions::starts(air, progress)?, progress)?;
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
    let met = receptions::met(air, packets, &reception, progress)?;
    let disturbance = hearing::disturbance(&distance, &met, progress)?;
    // Half of the first window.
    let access = match csma.rules.window {
        Window::Ticks | Window::Units => csma.turnaround + csma.unit.scale((1 << csma.min_exponent.min(16)) - 1, 2),
        Window::Spread => csma.turnaround,
    };
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
        stack,
        limits,
        mac: Mac::Csma(csma),
    }))
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
