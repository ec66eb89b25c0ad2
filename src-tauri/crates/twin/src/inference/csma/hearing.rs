//! Pairs of nodes that sense each other, and senders whose frames spoil a reception: from overlaps, and from what pairs
//! as far apart show.

use super::mixture::{Likelihood, Mixture, likelihood};
use super::receptions::{Met, Starts};
use crate::inference::air::{Table, Tally};
use crate::model::{Evidence, Matrix, NodeId};
use base::{Cancelled, SharedProgress};

/// Farthest distance told apart, in hops: nodes that are no neighbours and share none are taken to be alike.
const FAR: u8 = 3;
/// Least rate of starts within frames that are sensed, as a share of the rate without sensing, and least share of
/// receptions: clocks of sniffers round. Chosen here by judgement: no experiment decides it; one start within a frame
/// then costs ln 500 = 6.2 nats, so that one stray stamp does not outweigh many frames without a start. `cargo test
/// --release -p twin --test calibration csma` scores who senses and disturbs whom.
const SLIP: f64 = 2e-3;

/// Returns the hops between nodes on links that carried frames: 1 to [`FAR`].
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

/// Returns the probability that a node (column) senses another's frames (row): a node that senses has no starts within
/// them, one that does not has as many as at other times.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn sensing(
    distance: &Matrix<u8>,
    starts: &Table<(NodeId, NodeId), Starts>,
    progress: &SharedProgress<'_>,
) -> Result<Matrix<Evidence>, Cancelled> {
    let observed = starts.iter().flat_map(|(&(a, b), starts)| {
        let poisson = likelihood(|p| {
            let rate = (starts.expected * (1.0 - p)).max(starts.expected * SLIP).max(f64::MIN_POSITIVE);
            starts.seen * rate.ln() - rate
        });
        [((a, b), poisson), ((b, a), poisson)]
    });
    posteriors(distance, &observed.collect(), progress)
}

/// Returns the probability that a frame of a node (row) spoils a reception of another one (column), from receptions
/// that are missing where only that frame overlapped.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn disturbance(
    distance: &Matrix<u8>,
    met: &Table<(NodeId, NodeId), Met>,
    progress: &SharedProgress<'_>,
) -> Result<Matrix<Evidence>, Cancelled> {
    let observed = met.iter().filter(|(_, met)| met.expected > 0.0).map(|(&pair, met)| {
        let (all, received) = (met.all as f64, met.received as f64);
        let clean = (met.expected / all).min(1.0 - SLIP);
        let binomial = likelihood(|p| {
            let share = (clean * (1.0 - p)).max(SLIP);
            received * share.ln() + (all - received) * (1.0 - share).ln()
        });
        (pair, binomial)
    });
    posteriors(distance, &observed.collect(), progress)
}

/// Posterior of every pair under the mixture of the pairs at the same distance.
fn posteriors(
    distance: &Matrix<u8>,
    observed: &Table<(NodeId, NodeId), Likelihood>,
    progress: &SharedProgress<'_>,
) -> Result<Matrix<Evidence>, Cancelled> {
    let mixture = |hops: u8| {
        let same = observed.iter().filter(|((from, to), _)| distance.get(*from, *to) == hops);
        let same: Vec<Likelihood> = same.map(|(_, one)| *one).collect();
        // Neighbours do and others do not, where no overlap says more.
        Mixture::fit(&same, if hops == 1 { 1.0 } else { 0.0 }, progress)
    };
    let mixtures: Vec<Mixture> = (0..=FAR).map(mixture).collect::<Result<_, _>>()?;
    let unseen = likelihood(|_| 0.0);
    Ok(distance.map(|from, to, hops| match mixtures.get(usize::from(hops)).filter(|_| from != to) {
        Some(mixture) => mixture.posterior(observed.get(&(from, to)).unwrap_or(&unseen)),
        None => Evidence::default(),
    }))
}
