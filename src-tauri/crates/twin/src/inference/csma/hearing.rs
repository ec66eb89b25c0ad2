//! Which nodes sense each other, and whose frames spoil whose receptions: from overlaps, else from how far apart nodes are.

use super::receptions::{Met, Starts};
use crate::inference::air::{Table, Tally};
use crate::inference::shrinkage::Prior;
use crate::model::{Evidence, Matrix, NodeId};

/// Farthest distance told apart, in hops.
const FAR: u8 = 3;

/// Hops between nodes on links that carried frames: 1 to [`FAR`].
pub(super) fn distances(nodes: usize, links: &Tally) -> Matrix<u8> {
    let mut distance: Matrix<u8> = Matrix::new(nodes);
    for (&(from, to), &(received, _)) in links {
        if received > 0 {
            distance.set(from, to, 1);
            distance.set(to, from, 1);
        }
    }
    let near: Vec<Vec<NodeId>> = (0..nodes as NodeId)
        .map(|node| (0..nodes as NodeId).filter(|&other| distance.get(node, other) == 1).collect())
        .collect();
    distance.map(|from, to, value| {
        let via = |node: &NodeId| near.get(usize::from(*node)).is_some_and(|all| all.contains(&to));
        match value {
            1 => 1,
            _ if near.get(usize::from(from)).is_some_and(|all| all.iter().any(via)) => 2,
            _ => FAR,
        }
    })
}

/// Observations of a pair: what speaks for the effect, and all.
type Observed = Table<(NodeId, NodeId), (f64, f64)>;

/// Probability that a node senses another's frames: those of its starts within them that are missing.
pub(super) fn sensing(distance: &Matrix<u8>, starts: &Table<(NodeId, NodeId), Starts>) -> Matrix<Evidence> {
    let observed = starts.iter().flat_map(|(&(a, b), starts)| {
        let all = starts.expected.max(starts.seen);
        [((a, b), (all - starts.seen, all)), ((b, a), (all - starts.seen, all))]
    });
    shrunk(distance, &observed.collect())
}

/// Probability that a frame of a node spoils what another one receives: receptions that are missing where only that frame overlapped.
pub(super) fn disturbance(distance: &Matrix<u8>, met: &Table<(NodeId, NodeId), Met>) -> Matrix<Evidence> {
    let observed = met.iter().filter(|(_, met)| met.expected > 0.0).map(|(&pair, met)| {
        let all = met.all as f64;
        let spared = (met.received as f64 / met.expected * all).min(all);
        (pair, (all - spared, all))
    });
    shrunk(distance, &observed.collect())
}

/// Observations of every pair, shrunk towards those of pairs at the same distance.
fn shrunk(distance: &Matrix<u8>, observed: &Observed) -> Matrix<Evidence> {
    let prior = |hops: u8| {
        let same = observed.iter().filter(|((from, to), _)| distance.get(*from, *to) == hops);
        let proportions: Vec<(u64, u64)> =
            same.map(|(_, &(yes, all))| (yes.round() as u64, all.round() as u64)).filter(|p| p.1 > 0).collect();
        // Without any observation neighbours do, and others do not, with the weight of two.
        let blank = Prior { mean: if hops == 1 { 0.95 } else { 0.05 }, strength: 2.0 };
        if proportions.is_empty() { blank } else { Prior::fit(&proportions) }
    };
    let priors: Vec<Prior> = (0..=FAR).map(prior).collect();
    distance.map(|from, to, hops| {
        let Some(prior) = priors.get(usize::from(hops)).filter(|_| from != to) else { return Evidence::default() };
        let (yes, all) = observed.get(&(from, to)).copied().unwrap_or_default();
        Evidence {
            successes: yes + prior.strength * prior.mean,
            failures: all - yes + prior.strength * (1.0 - prior.mean),
        }
    })
}
