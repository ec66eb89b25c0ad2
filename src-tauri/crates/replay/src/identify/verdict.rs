//! What may be claimed: which lineages the evidence leaves, and whether even the best of them fits.

use super::drive::{Glimpse, Sighting};
use super::fit::{Fit, stray};
use super::law::{Queue, Seconds};
use super::lineage::lineage;

/// Which algorithm was running.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// One family, and these presets of it.
    Identified {
        /// The family, as people speak of it: Californium's CoCoA is CoCoA.
        family: &'static str,
        /// The presets that the capture does not tell apart, the likeliest first.
        presets: Vec<&'static str>,
        /// The probability that it was this family, of those that are known.
        confidence: f64,
    },
    /// More than one family explains what was seen.
    CannotTell {
        /// The families, the likeliest first; none where the gaps are too blurred to favour any.
        among: Vec<&'static str>,
        /// Why, in a sentence.
        why: String,
    },
    /// No algorithm that is known does.
    NoneFits {
        /// What comes nearest.
        nearest: &'static str,
        /// What it fails to explain, in a sentence.
        why: String,
    },
}

/// What the verdict is passed on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exhibit {
    pub id: &'static str,
    pub family: &'static str,
    pub fit: Fit,
    pub score: f64,
    /// How many of its parameters are not the preset's.
    pub changes: usize,
}

/// Gaps share errors (a copy that left late makes one gap long and the next one short) and states share samples: the
/// likelihood counts evidence twice.
const TEMPER: f64 = 2.0;
/// A lineage so much less likely, or so much more contrived, is ruled out (19 to 1, tempered).
const LESS_LIKELY: f64 = 6.0;
/// One that is as likely but more contrived is ruled out only by this: twice as much.
const CONTRIVED: f64 = 12.0;
/// What a lead is worth less for each parameter by which the leader was fitted more: the other might have been fitted as
/// well.
const FITTED: f64 = 2.0;
/// Likelihoods no further apart come from the same timers.
const SAME: f64 = 0.05;
/// Below this many gaps nothing is claimed.
const FEW: usize = 5;
/// The largest share of timers that may run out for reasons of their own.
const STRAYS: f64 = 0.4;
/// The largest error, as a share of the gaps, that allows a claim.
const BLUR: f64 = 0.2;
/// The lead of a free description that an algorithm may not leave unexplained: so much for chance, and so much per gap.
const LEAD: (f64, f64) = (6.0, 0.15);

/// The probability of each exhibit: of its lineage, shared among its members.
pub(crate) fn probabilities(exhibits: &[Exhibit]) -> Vec<f64> {
    let best = exhibits.iter().map(|e| e.score).fold(f64::NEG_INFINITY, f64::max);
    let weight = |e: &Exhibit| ((e.score - best) / TEMPER).exp();
    let mut families: Vec<(&str, f64, f64)> = Vec::new();
    for e in exhibits {
        let w = weight(e);
        match families.iter_mut().find(|(family, ..)| *family == lineage(e.family)) {
            Some((_, most, sum)) => (*most, *sum) = (most.max(w), *sum + w),
            None => families.push((lineage(e.family), w, w)),
        }
    }
    // A lineage with more presets is not more likely for that.
    let total: f64 = families.iter().map(|(_, most, _)| most).sum();
    let share = |e: &Exhibit| {
        let found = families.iter().find(|(family, ..)| *family == lineage(e.family));
        found.map_or(0.0, |(_, most, sum)| weight(e) / sum * most / total)
    };
    exhibits.iter().map(share).collect()
}

/// The verdict on `exhibits`, the best first; `gaps` is how many gaps there are, `sightings` what the best sees, `slot` from
/// one slot to the next where copies leave in such.
pub(crate) fn verdict(exhibits: &[Exhibit], gaps: usize, sightings: &[Sighting], slot: Option<Seconds>) -> Verdict {
    let Some(best) = exhibits.first() else {
        return Verdict::CannotTell { among: Vec::new(), why: "nothing was sent".to_owned() };
    };
    let mut among: Vec<&'static str> = Vec::new();
    for e in exhibits {
        let (likelihood, score) = (best.fit.log_likelihood - e.fit.log_likelihood, best.score - e.score);
        let clear = LESS_LIKELY + FITTED * best.changes.saturating_sub(e.changes) as f64;
        let ruled_out = (likelihood >= clear && score >= clear) || score >= CONTRIVED.max(clear);
        if !ruled_out && !among.contains(&lineage(e.family)) {
            among.push(lineage(e.family));
        }
    }
    if gaps < FEW {
        let why = format!("{gaps} retransmissions say too little of a timer");
        return Verdict::CannotTell { among, why };
    }
    let measures = measures(best.fit, sightings, slot.unwrap_or(0.0));
    if let Some(why) = misfit(measures) {
        return Verdict::NoneFits { nearest: best.id, why };
    }
    if measures.blur > BLUR {
        let why = format!(
            "the gaps are off by {:.0} % of their length, as if copies waited long before they were sent",
            measures.blur * 100.0
        );
        // So blurred, what is likelier is a matter of how the errors are modelled: naming a family would mislead.
        return Verdict::CannotTell { among: Vec::new(), why };
    }
    if among.len() > 1 {
        let same = exhibits.iter().any(|e| {
            lineage(e.family) != lineage(best.family) && (best.fit.log_likelihood - e.fit.log_likelihood).abs() < SAME
        });
        // Another capture may tell; no other look at this one will.
        let why = if same {
            "two of them would have armed the same timers here"
        } else {
            "their timeouts are as likely here"
        };
        return Verdict::CannotTell { among, why: why.to_owned() };
    }
    let family = lineage(best.family);
    let kin = exhibits.iter().filter(|e| lineage(e.family) == family && best.score - e.score < LESS_LIKELY);
    let mut presets: Vec<&'static str> = Vec::new();
    for e in kin {
        if !presets.contains(&e.id) {
            presets.push(e.id);
        }
    }
    let confidence =
        exhibits.iter().zip(probabilities(exhibits)).filter(|(e, _)| lineage(e.family) == family).map(|(_, p)| p).sum();
    Verdict::Identified { family, presets, confidence }
}

/// Measures of how well the best fits.
#[derive(Clone, Copy, Debug, Default)]
struct Measures {
    strays: f64,
    blur: f64,
    lead: f64,
    compared: usize,
}

fn measures(fit: Fit, sightings: &[Sighting], slot: Seconds) -> Measures {
    let gap = |s: &Sighting| match s.seen {
        Glimpse::Gap(gap) => Some(gap),
        Glimpse::Longer(_) | Glimpse::Shorter(_) => None,
    };
    let gaps: Vec<(&Sighting, Seconds)> = sightings.iter().filter_map(|s| Some((s, gap(s)?))).collect();
    let n = gaps.len().max(1) as f64;
    let strays = gaps.iter().map(|(s, _)| fit.is_stray(s)).sum::<f64>() / n;
    let blur =
        gaps.iter().map(|(s, gap)| if s.fresh { fit.fresh } else { fit.step }.size() / gap.max(1e-3)).sum::<f64>() / n;
    // What a reply may have cut short is left out: a free description does not know of it.
    let whole: Vec<&(&Sighting, Seconds)> =
        gaps.iter().filter(|(s, _)| !s.missed && s.limit.is_none_or(f64::is_infinite)).collect();
    let mut lead = 0.0;
    for fresh in [true, false] {
        let part: Vec<(&Sighting, Seconds)> =
            whole.iter().filter(|(s, _)| s.fresh == fresh).map(|&&part| part).collect();
        let coarse = |queue| part.iter().map(|(s, gap)| fit.coarse(s, COARSE * gap, queue)).sum::<f64>();
        let claimed = Queue::ALL.into_iter().map(coarse).fold(f64::NEG_INFINITY, f64::max);
        let alone: Vec<(f64, f64)> = part
            .iter()
            .map(|(s, gap)| {
                (gap.max(1e-6).ln() - if fresh { 0.0 } else { s.before.unwrap_or(1.0).max(1e-6).ln() }, *gap)
            })
            .collect();
        let against: Vec<(f64, f64)> = part
            .iter()
            .map(|(s, gap)| {
                (gap.max(1e-6).ln() - f64::midpoint(s.law.shortest(), s.law.longest()).max(1e-6).ln(), *gap)
            })
            .collect();
        lead += (free(&alone, slot).max(free(&against, slot)) - claimed).max(0.0);
    }
    Measures { strays, blur, lead, compared: whole.len() }
}

/// Why even the best does not fit, if it does not.
fn misfit(m: Measures) -> Option<String> {
    if m.strays > STRAYS {
        return Some(format!("{:.0} % of the timers ran out at times of their own", m.strays * 100.0));
    }
    if m.lead > LEAD.0 + LEAD.1 * m.compared as f64 {
        return Some("the timeouts follow a pattern that it does not have".to_owned());
    }
    None
}

/// What is finer than this share of a gap is no other algorithm: slots of a schedule, ticks of a clock, roundings.
const COARSE: f64 = 0.05;
/// Relative widths of the free description.
const WIDTHS: [f64; 3] = [COARSE, 2.0 * COARSE, 4.0 * COARSE];
/// More points make the description slower, not better.
const POINTS: usize = 400;
/// The share of strays in a free description.
const STRAY: f64 = 0.05;

/// The logarithm of the likelihood of a description without an algorithm: every point, a logarithm, from all others
/// (kernel density, leave-one-out), in the best of several widths. Where gaps are whole slots of `slot` anyway, that is no pattern
/// of the timeouts: no kernel is narrower.
fn free(points: &[(f64, Seconds)], slot: Seconds) -> f64 {
    let stride = points.len().div_ceil(POINTS).max(1);
    let some: Vec<(f64, Seconds)> = points.iter().step_by(stride).copied().collect();
    if some.len() < FEW {
        return f64::NEG_INFINITY;
    }
    let description = |width: f64| -> f64 {
        let one = |(i, (x, gap)): (usize, &(f64, Seconds))| {
            let others = some.iter().enumerate().filter(|(j, _)| *j != i);
            let kernel = |(_, (y, other)): (usize, &(f64, Seconds))| {
                let width = width.max(slot / other.max(1e-6));
                (-((x - y) / width).abs()).exp() / (2.0 * width)
            };
            let density = others.map(kernel).sum::<f64>() / (some.len() - 1) as f64 / gap.max(1e-6);
            ((1.0 - STRAY) * density + STRAY * stray(*gap)).max(1e-12).ln()
        };
        some.iter().enumerate().map(one).sum()
    };
    let best = WIDTHS.into_iter().map(description).fold(f64::NEG_INFINITY, f64::max);
    best * points.len() as f64 / some.len() as f64
}
