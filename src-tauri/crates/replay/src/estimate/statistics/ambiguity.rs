//! Closed exchanges of which the capture cannot tell which copy was answered.
//!
//! To leave their copies out would be wrong quietly: in a one-sided capture nearly every lost copy is in
//! such an exchange (lost, retransmitted, one reply), so the rest looks like a path without losses. So their
//! fates are imputed, afresh in every replicate (multiple imputation, Rubin 1987), and the uncertainty
//! shows in the intervals: the closing reply answers one of the open copies, so does every later one that is not known
//! to answer another, and the rest are lost. With the same loss odds for all, the chances are in proportion to how
//! usual the implied round trips are: a kernel density of the logarithms of certain round trips, mixed with a uniform
//! one, because round trips longer than the timeout are never certain and must not be ruled out.
//!
//! Imputed fates count as sampled, never as recorded.

use crate::model::{
    AssociationRecord, Fate, FirstAnswers, Outcome, Path, RandomStream, RecordedCopy, unexplained_close, unit,
};
use base::{ExchangeId, Instant, Span};

/// A closed exchange of which the capture cannot tell which copy was answered.
#[derive(Clone, Debug)]
pub(crate) struct Ambiguous {
    /// Position of the exchange in its association.
    exchange: u32,
    /// Ways in which its replies could answer its open copies; their probabilities sum to 1.
    ways: Vec<Way>,
}

/// One assignment of replies to copies, with its probability.
#[derive(Clone, Debug, PartialEq)]
struct Way {
    /// Positions in [`Path::copies`], each with the round trip that makes; `None`: lost.
    copies: Vec<(usize, Option<Span>)>,
    chance: f64,
}

/// Greatest number of ways that are looked at: those of five copies and as many replies (5!; MAX_RETRANSMIT 4, RFC 7252
/// §4.8), and more than enough where a record was made to have more.
const WAYS: usize = 120;

/// Share of the uniform density in the mixture, 0 to 1. Chosen here by judgement: no experiment decides it; small,
/// because it only has to keep long round trips possible; with 0 nearly every first copy of an exchange with several
/// would count as lost. `cargo test -p replay --test truth a_one_sided` holds that one-sided captures keep their loss
/// rate.
const UNIFORM: f64 = 0.05;
/// Least number of certain round trips for a density of their own. Chosen here by judgement: no experiment decides
/// it; a path with fewer is imputed by the density of all paths, without which all assignments weigh the same.
const ENOUGH: usize = 8;
/// Largest number of points that represent a density. Chosen here by judgement, for speed.
const POINTS: usize = 128;

/// Kernel density of the logarithms of certain round trips (in nanoseconds), mixed with a uniform one.
#[derive(Clone, Debug)]
pub(crate) struct Density {
    points: Vec<f64>,
    width: f64,
    span: f64,
}

impl Density {
    /// Density of the certain round trips of `paths`; `None` when there are fewer than [`ENOUGH`].
    pub fn new<'a>(paths: impl Iterator<Item = &'a Path>) -> Option<Self> {
        let certain = paths.flat_map(|p| &p.copies).filter_map(|c| c.fate.rtt());
        let mut logs: Vec<f64> = certain.map(log).collect();
        if logs.len() < ENOUGH {
            return None;
        }
        logs.sort_unstable_by(f64::total_cmp);
        let n = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let sd = (logs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt();
        // Scott's rule (Scott 1992 §6.3), no narrower than 5 %.
        let width = (1.06 * sd * n.powf(-0.2)).max(0.05);
        let stride = logs.len().div_ceil(POINTS);
        // Even in rank, from the middle of the first group on.
        let points: Vec<f64> = logs.iter().skip(stride / 2).step_by(stride).copied().collect();
        let reach = logs.last().zip(logs.first()).map_or(0.0, |(a, b)| a - b);
        Some(Self { points, width, span: reach + 6.0 })
    }

    fn at(&self, rtt: Span) -> f64 {
        let x = log(rtt);
        let kernel = |p: &f64| (-0.5 * ((x - p) / self.width).powi(2)).exp();
        let norm = self.points.len() as f64 * self.width * std::f64::consts::TAU.sqrt();
        (1.0 - UNIFORM) * self.points.iter().map(kernel).sum::<f64>() / norm + UNIFORM / self.span
    }
}

fn log(rtt: Span) -> f64 {
    (rtt.nanos().max(1) as f64).ln()
}

/// Ambiguous exchanges of a path, in the order of the association. Round trips weigh by `density`, all alike without
/// one; `late` gives the times of replies that came behind those that ended an exchange.
pub(crate) fn ambiguous<'r>(
    association: &AssociationRecord,
    path: &Path,
    density: Option<&Density>,
    late: impl Fn(ExchangeId) -> &'r [Instant],
) -> Vec<Ambiguous> {
    let mut by_exchange: Vec<Vec<usize>> = vec![Vec::new(); association.exchanges.len()];
    for (i, copy) in path.copies.iter().enumerate().filter(|(_, c)| !c.fate.is_known()) {
        if let Some(copies) = by_exchange.get_mut(copy.exchange as usize) {
            copies.push(i);
        }
    }
    let mut found = Vec::new();
    for ((e, open), exchange) in association.exchanges.iter().zip(by_exchange).zip(0_u32..) {
        let Some(end) = e.end else { continue };
        let closing = unexplained_close(e).map(|_| end);
        let came: Vec<Instant> = closing.into_iter().chain(late(e.id).iter().copied()).collect();
        let last = came.iter().max().copied().unwrap_or(Instant::MIN);
        let sent = |i: usize| Some((i, path.copies.get(i)?.at)).filter(|(_, at)| *at <= last);
        let open: Vec<(usize, Instant)> = open.into_iter().filter_map(sent).collect();
        let mut ways = ways(&open, came, |rtt| density.map_or(1.0, |d| d.at(rtt)));
        let total: f64 = ways.iter().map(|way| way.chance).sum();
        ways.iter_mut().for_each(|way| way.chance /= total);
        if !ways.is_empty() {
            found.push(Ambiguous { exchange, ways });
        }
    }
    found
}

/// The ways in which replies that came at `came` can answer copies that are `open`, each a reply that came after it;
/// none without a reply that answers one.
fn ways(open: &[(usize, Instant)], mut came: Vec<Instant>, density: impl Fn(Span) -> f64) -> Vec<Way> {
    came.sort_unstable();
    let before = |reply: Instant| open.iter().filter(|(_, sent)| *sent <= reply).count();
    // A copy sent before one reply is sent before all later ones: no assignment leaves a later reply without a copy.
    let mut possible: Vec<Instant> = Vec::new();
    for reply in came {
        if before(reply) > possible.len() {
            possible.push(reply);
        }
    }
    if possible.is_empty() {
        return Vec::new();
    }
    let unanswered = Way { copies: open.iter().map(|&(copy, _)| (copy, None)).collect(), chance: 1.0 };
    let mut ways = vec![unanswered];
    for reply in possible {
        let further = ways.iter().flat_map(|way| {
            let (density, free) = (&density, way.copies.iter().zip(open).enumerate());
            free.filter(move |(_, (copy, (_, sent)))| copy.1.is_none() && *sent <= reply).map(
                move |(i, (_, (_, sent)))| {
                    let rtt = reply - *sent;
                    let mut next = Way { chance: way.chance * density(rtt), ..way.clone() };
                    if let Some(copy) = next.copies.get_mut(i) {
                        copy.1 = Some(rtt);
                    }
                    next
                },
            )
        });
        ways = further.take(WAYS).collect();
    }
    ways
}

/// Fates of a path's copies with the ambiguous ones imputed: by draws of `stream`, or without one the likeliest. Open
/// copies of abandoned exchanges had no reply in time: lost. All others that are open stay unknown.
pub(crate) fn impute(
    association: &AssociationRecord,
    path: &Path,
    ambiguous: &[Ambiguous],
    mut stream: Option<&mut RandomStream>,
) -> Vec<Fate> {
    let abandoned =
        |exchange: u32| association.exchanges.get(exchange as usize).is_some_and(|e| e.outcome == Outcome::Abandoned);
    let settle = |c: &RecordedCopy| if !c.fate.is_known() && abandoned(c.exchange) { Fate::Lost } else { c.fate };
    let mut fates: Vec<Fate> = path.copies.iter().map(settle).collect();
    for case in ambiguous {
        let way = match &mut stream {
            Some(stream) => {
                let mut left = unit(stream.block(u64::from(case.exchange))[0]);
                let drawn = case.ways.iter().find(|way| {
                    left -= way.chance;
                    left < 0.0
                });
                drawn.or(case.ways.last())
            }
            None => case.ways.iter().max_by(|a, b| a.chance.total_cmp(&b.chance)),
        };
        for &(copy, rtt) in way.iter().flat_map(|way| &way.copies) {
            if let Some(fate) = fates.get_mut(copy) {
                *fate = rtt.map_or(Fate::Lost, |rtt| Fate::Answered { rtt });
            }
        }
    }
    fates
}

/// Sums of [`FirstAnswers`] over the exchanges of a path that begin `since` then, whose copies have `fates` by position
/// in [`Path::copies`].
pub(crate) fn first_answers(
    association: &AssociationRecord,
    path: &Path,
    fates: &[Fate],
    since: Instant,
) -> FirstAnswers {
    // Copies of each exchange so far, and the first of them that is answered.
    let mut seen: Vec<(usize, Option<usize>)> = vec![(0, None); association.exchanges.len()];
    for (copy, fate) in path.copies.iter().zip(fates) {
        if let Some((copies, answered)) = seen.get_mut(copy.exchange as usize) {
            *answered = answered.or(fate.rtt().map(|_| *copies));
            *copies += 1;
        }
    }
    let mut sum = FirstAnswers::default();
    let begun = association.exchanges.iter().zip(seen).filter(|(exchange, _)| exchange.start() >= since);
    begun.for_each(|(_, (copies, answered))| sum.add(FirstAnswers::of(copies, answered), 1.0));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two copies half a second apart, replies 0.7 and 1.1 s after the first: each answers either, but both are
    /// answered. One reply alone leaves one lost. One before the second copy was sent can only answer the first.
    #[test]
    fn every_reply_answers_a_copy() {
        let at = |ms: i64| Instant::ZERO + Span::from_millis(ms);
        let open = [(3, at(0)), (4, at(500))];
        let ms = |ms: i64| Some(Span::from_millis(ms));
        let even = |_: Span| 1.0;
        let copies = |ways: Vec<Way>| ways.into_iter().map(|way| way.copies).collect::<Vec<_>>();
        let both = ways(&open, vec![at(1_100), at(700)], even);
        assert_eq!(copies(both), [[(3, ms(700)), (4, ms(600))], [(3, ms(1_100)), (4, ms(200))]]);
        assert_eq!(copies(ways(&open, vec![at(700)], even)), [[(3, ms(700)), (4, None)], [(3, None), (4, ms(200))]]);
        assert_eq!(copies(ways(&open, vec![at(400), at(700)], even)), [[(3, ms(400)), (4, ms(200))]]);
        // More replies than copies: what is over answers none of them.
        assert_eq!(ways(&open, vec![at(700), at(800), at(900)], even).len(), 2);
        assert!(ways(&open, Vec::new(), even).is_empty() && ways(&[], vec![at(1)], even).is_empty());
    }

    #[test]
    fn ways_are_bounded() {
        let at = |ms: i64| Instant::ZERO + Span::from_millis(ms);
        let open: Vec<(usize, Instant)> = (0..200).map(|i| (i, at(i as i64))).collect();
        assert!(ways(&open, (200..400).map(at).collect(), |_| 1.0).len() <= WAYS);
    }
}
