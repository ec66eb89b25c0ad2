//! Gaps between requests: shared by clients that run one program, and how regular they are.

use super::{ACCESS, Application, FOLLOWS};
use crate::model::{AssociationRecord, Record, Workload};
use base::Span;
use std::collections::BTreeMap;

/// Least number of gaps with which a client keeps its own rather than those of all clients of its server. Chosen here:
/// fewer say nothing of a spread.
const FEWEST_GAPS: usize = 3;

/// Clients of one server with the same kind of workload share their gaps: they run one program.
pub(super) fn pool(record: &Record, applications: &mut [Application]) {
    let mut pools: BTreeMap<(u32, bool), Vec<Span>> = BTreeMap::new();
    let key = |a: &AssociationRecord, application: &Application| (a.server, application.workload == Workload::Arrivals);
    for (association, application) in record.associations().iter().zip(applications.iter()) {
        pools.entry(key(association, application)).or_default().extend(&application.gaps);
    }
    for (association, application) in record.associations().iter().zip(applications) {
        let Some(gaps) = pools.get(&key(association, application)) else { continue };
        // Own gaps, where there are enough to show the spread.
        let enough = application.gaps.len() >= FEWEST_GAPS && application.gaps.len() * 2 >= association.exchanges.len();
        if !enough {
            application.gaps.clone_from(gaps);
            application.gaps.sort_unstable();
        }
    }
}

/// Pauses of a closed loop from the gaps between ends and starts. Short ones are the wait for the medium, which the
/// twin simulates: the shortest of them stand for the application.
pub(super) fn pauses(mut thinks: Vec<Span>) -> Vec<Span> {
    thinks.sort_unstable();
    match median(&thinks) {
        Some(usual) if usual <= FOLLOWS => {
            let shortest = thinks.get(thinks.len() / 20).copied().unwrap_or(Span::ZERO);
            vec![(shortest - ACCESS).max(Span::ZERO)]
        }
        _ => thinks,
    }
}

/// Regularity of a renewal process with these `gaps`, 0 to 1: 1 − c², with c their coefficient of variation. A clock
/// has 1, a Poisson process 0. From one renewal on, `T`/mean − (1 − c²)/2 others come in a long time `T` on average
/// (the renewal function, Cox, Renewal Theory, 1962); where another is known to come at its end, as many again are
/// missing: of a clock just that one.
pub(super) fn regularity(gaps: &[Span]) -> f64 {
    let secs: Vec<f64> = gaps.iter().map(|gap| gap.secs_f64()).collect();
    let count = secs.len().max(1) as f64;
    let mean = secs.iter().sum::<f64>() / count;
    let variance = secs.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / count;
    if mean > 0.0 { (1.0 - variance / (mean * mean)).clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns the median of `spans`, the upper one of two; `None` where there are none.
pub(super) fn median(spans: &[Span]) -> Option<Span> {
    let mut sorted = spans.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_regular_and_a_poisson_process_is_not() {
        let secs = |list: &[i64]| regularity(&list.iter().map(|&secs| Span::from_secs(secs)).collect::<Vec<_>>());
        assert!((secs(&[10; 7]) - 1.0).abs() < 1e-12);
        // Quantiles of the exponential distribution with mean 1,000 s.
        let quantile = |i: u32| (-1_000.0 * (1.0 - (f64::from(i) + 0.5) / 5_000.0).ln()) as i64;
        assert!(secs(&(0..5_000).map(quantile).collect::<Vec<_>>()) < 0.01);
        assert!((secs(&[0, 10]) - 0.0).abs() < 1e-12, "bursts are no more regular than chance");
        assert!((secs(&[]) - 0.0).abs() < 1e-12);
    }
}
