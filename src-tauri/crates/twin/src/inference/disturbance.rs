//! Disturbance: whether a frame of one node spoils what another receives at the same time.
//!
//! Few pairs meet often enough to be judged alone. Pairs with as many hops between them are alike, so each class has a
//! prior of its own: its pooled share, with the strength that its pairs show.

use super::air::Tally;
use super::shrinkage::Prior;
use crate::model::{Evidence, Matrix, NodeId};

/// Shares of disturbed receptions in a class of pairs of which no meeting was recorded, for one, two and more hops.
/// Chosen here: neighbours spoil each other's frames, of nodes with a common neighbour half do, others hardly
/// (interference reaches 1.6 times as far as frames do in the runs of `shared/cooja`). One meeting outweighs them.
const UNSEEN: [f64; 3] = [0.98, 0.5, 0.05];

/// Returns the disturbance over `nodes` nodes. `met`: attempts that exactly one other frame met, by the sender of that
/// frame and the addressee of the attempt: received ones and all. Every reception stands for `1 / clean` undisturbed
/// meetings, where `clean` is the reception of clean frames. `adjacent`: pairs that exchange frames.
pub(super) fn of(nodes: usize, met: &Tally, adjacent: &[(NodeId, NodeId)], clean: f64) -> Matrix<Evidence> {
    let hops = hops(nodes, adjacent);
    let class = |from: NodeId, to: NodeId| usize::from(hops.get(from, to).clamp(1, UNSEEN.len() as u16)) - 1;
    // Least reception 0.05, so that a reception never stands for more than 20 meetings. Chosen here by judgement: no
    // experiment decides it; it counts only where hardly any clean frame was received.
    let disturbed = |(received, all): (u64, u64)| all as f64 - (received as f64 / clean.max(0.05)).min(all as f64);
    let mut classes: [Vec<(u64, u64)>; UNSEEN.len()] = Default::default();
    for (&(from, to), &tally) in met {
        if let Some(list) = classes.get_mut(class(from, to)) {
            list.push((disturbed(tally).round() as u64, tally.1));
        }
    }
    let prior = |at: usize| match classes.get(at) {
        Some(list) if !list.is_empty() => Prior::fit(list),
        _ => Prior { mean: UNSEEN.get(at).copied().unwrap_or(0.5), strength: 1.0 },
    };
    let priors = [0, 1, 2].map(prior);
    Matrix::<Evidence>::new(nodes).map(|from, to, _: Evidence| {
        if from == to {
            return Evidence::default();
        }
        let tally = met.get(&(from, to)).copied().unwrap_or_default();
        let Prior { mean, strength } =
            priors.get(class(from, to)).copied().unwrap_or(Prior { mean: 0.5, strength: 1.0 });
        let prior = Evidence::observed(0, 0, mean, strength.min(STRONGEST));
        let own = disturbed(tally);
        Evidence { successes: prior.successes + own, failures: prior.failures + tally.1 as f64 - own }
    })
}

/// Greatest strength of a class's prior, in meetings: pairs of a class differ (some are in range, some are not).
/// Chosen here by judgement: no experiment decides it; ten meetings of a pair then weigh as much as its class.
/// Stronger, one class mean would stand for all pairs; without a bound a class of alike pairs would. `cargo test
/// --release -p twin --test calibration tsch` scores who disturbs whom.
const STRONGEST: f64 = 10.0;

/// Hops between nodes over adjacent pairs; more than all nodes where there is no way.
fn hops(nodes: usize, adjacent: &[(NodeId, NodeId)]) -> Matrix<u16> {
    let far = u16::try_from(nodes).unwrap_or(u16::MAX);
    let mut hops = Matrix::new(nodes).map(|from, to, _: u16| if from == to { 0 } else { far });
    for start in 0..nodes as NodeId {
        let mut front = vec![start];
        for distance in 1..far {
            let mut next = Vec::new();
            for &(from, to) in adjacent {
                if front.contains(&from) && hops.get(start, to) == far {
                    hops.set(start, to, distance);
                    next.push(to);
                }
            }
            if next.is_empty() {
                break;
            }
            front = next;
        }
    }
    hops
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAIN: [(NodeId, NodeId); 6] = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)];

    #[test]
    fn hops_are_counted_along_a_chain() {
        let hops = hops(4, &CHAIN);
        assert_eq!([(0, 1), (0, 2), (0, 3), (3, 0), (1, 3)].map(|(a, b)| hops.get(a, b)), [1, 2, 3, 3, 2]);
    }

    #[test]
    fn pairs_that_never_met_are_like_those_that_did() {
        let mut met = Tally::new();
        // Neighbours spoil everything; of those two hops apart 90 of 100 are received, as many as of clean frames.
        met.insert((0, 1), (0, 50));
        met.insert((0, 2), (90, 100));
        let matrix = of(4, &met, &CHAIN, 0.9);
        assert!(matrix.get(2, 3).mean() > 0.9, "a neighbour like the one that met");
        assert!(matrix.get(1, 3).mean() < 0.1, "two hops, as the pair that met");
        assert!(matrix.get(0, 2).mean() < 0.02);
        assert!((matrix.get(0, 3).mean() - 0.05).abs() < 1e-9, "no meeting three hops apart");
    }
}
