//! Gates over shares: attempt patterns, senders at once, forwarding. A gate has many shares, of which one in ten is
//! outside its interval by chance, and in a long capture a good twin misses most by a hair. So it closes by a distance:
//! the share of observations that the twin places elsewhere, less what luck alone misplaces.

use super::judge;
use crate::run::{Agreement, Gate, GateKind, Misplaced, Share, Subject};
use crate::stats::{interval, mean};
use std::collections::{BTreeMap, BTreeSet};
use twin::{Behaviour, NodeId, Pattern, SENDERS};

/// Share of observations, beyond chance and beyond the most of any replicate, from which on a gate closes when the twin
/// misplaces it. Chosen here, from 18 runs of Cooja: the largest excess of a right machine was 1.8 points (`rtoscope
/// trust FILE`), and the storm without its collisions is beyond (`cargo test --release -p replay --test trust`).
const MOST_MISPLACED: f64 = 0.05;
/// Number of observations that a link, a node, or all cells need to be compared: of 30 the 90 % interval of a share is
/// ± 0.15 at most. Chosen here, as [`MOST_MISPLACED`] is.
const FEWEST: u64 = 30;
/// Number of patterns of a link that are compared by themselves, the commonest; the rest are compared together. Chosen
/// here, as many as a panel shows.
const PATTERNS: usize = 8;
/// Number of packets of a pattern, recorded, or predicted on average, from which on it is compared by itself. Chosen
/// here: of fewer the interval has no length.
const FEWEST_OF_A_PATTERN: f64 = 3.0;

/// Shares of one whole, recorded and in every replicate.
struct Whole {
    /// Subject of each share that is shown; of two shares of one whole one is enough.
    subjects: Vec<Subject>,
    /// Number of recorded observations that the shares are of.
    observations: u64,
    recorded: Vec<f64>,
    /// Shares of each replicate that has observations.
    draws: Vec<Vec<f64>>,
}

impl Whole {
    /// `None` without enough recorded observations or without replicates that have any.
    fn new(subjects: Vec<Subject>, recorded: &[u64], draws: impl Iterator<Item = Vec<u64>>) -> Option<Self> {
        let observations = recorded.iter().sum();
        let draws: Vec<Vec<f64>> = draws.filter_map(|counts| shares(&counts)).collect();
        let recorded = shares(recorded).filter(|_| observations >= FEWEST && draws.len() > 1)?;
        Some(Self { subjects, observations, recorded, draws })
    }

    fn column(&self, at: usize) -> Vec<f64> {
        self.draws.iter().filter_map(|draw| draw.get(at).copied()).collect()
    }

    fn rows(&self) -> Vec<Share> {
        let row = |((at, &subject), &recorded): ((usize, &Subject), &f64)| {
            let (mean, ninety, agreement) = judge::share(recorded, &self.column(at))?;
            Some(Share { subject, observations: self.observations, recorded, mean, ninety, agreement })
        };
        self.subjects.iter().enumerate().zip(&self.recorded).filter_map(row).collect()
    }

    /// Mean shares over all replicates, or over all but one.
    fn mean(&self, without: Option<usize>) -> Vec<f64> {
        let others = || self.draws.iter().enumerate().filter(|(at, _)| Some(*at) != without).map(|(_, draw)| draw);
        let many = others().count().max(1) as f64;
        let sum = |at: usize| others().filter_map(|draw| draw.get(at)).sum::<f64>();
        (0..self.recorded.len()).map(|at| sum(at) / many).collect()
    }

    /// Distance of what was recorded from the replicates.
    fn distance(&self) -> f64 {
        distance(&self.recorded, &self.mean(None))
    }

    /// Distance of replicate `at` from the others.
    fn distance_of(&self, at: usize) -> f64 {
        self.draws.get(at).map_or(0.0, |draw| distance(draw, &self.mean(Some(at))))
    }

    /// Shares of replicates that are inside the interval of the others, on average.
    fn expected_inside(&self) -> f64 {
        let inside = |at: usize| {
            let column = self.column(at);
            let is_inside = |one: usize| {
                let others: Vec<f64> =
                    column.iter().enumerate().filter(|(at, _)| *at != one).map(|(_, value)| *value).collect();
                let ninety = interval(&others, 0.90)?;
                column.get(one).map(|&value| ninety.lo <= value && value <= ninety.hi)
            };
            let inside = (0..column.len()).filter(|&one| is_inside(one) == Some(true)).count();
            inside as f64 / column.len().max(1) as f64
        };
        (0..self.subjects.len()).map(inside).sum()
    }
}

/// Total variation distance of two lists of shares.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
}

fn shares(counts: &[u64]) -> Option<Vec<f64>> {
    let whole: u64 = counts.iter().sum();
    (whole > 0).then(|| counts.iter().map(|&count| count as f64 / whole as f64).collect())
}

/// Compares shares of `recorded` behaviour with those of the replicates `drawn`, and counts them into gates; shares of
/// one gate together, in the order of [`GateKind`]. Left out where there is too little of either.
pub(super) fn compare(recorded: &Behaviour, drawn: &[&Behaviour]) -> (Vec<Share>, Vec<Gate>) {
    let (mut shares, mut gates) = (Vec::new(), Vec::new());
    let groups = [
        (GateKind::Patterns, patterns(recorded, drawn)),
        (GateKind::Senders, senders(recorded, drawn).into_iter().collect()),
        (GateKind::Forwarding, forwarding(recorded, drawn)),
    ];
    for (kind, wholes) in groups {
        let rows: Vec<Share> = wholes.iter().flat_map(Whole::rows).collect();
        gates.extend(gate(kind, &wholes, &rows));
        shares.extend(rows);
    }
    (shares, gates)
}

fn gate(kind: GateKind, wholes: &[Whole], rows: &[Share]) -> Option<Gate> {
    let weight: u64 = wholes.iter().map(|whole| whole.observations).sum();
    let replicates = wholes.iter().map(|whole| whole.draws.len()).min()?;
    let over = |of: &dyn Fn(&Whole) -> f64| {
        wholes.iter().map(|whole| whole.observations as f64 * of(whole)).sum::<f64>() / weight.max(1) as f64
    };
    let chance: Vec<f64> = (0..replicates).map(|at| over(&|whole| whole.distance_of(at))).collect();
    let misplaced = Misplaced {
        share: over(&Whole::distance),
        by_chance: mean(&chance)?,
        most_by_chance: chance.iter().copied().fold(0.0, f64::max),
    };
    let excess = misplaced.share - misplaced.by_chance;
    Some(Gate {
        kind,
        inside: rows.iter().filter(|row| row.agreement == Agreement::Inside).count(),
        many: rows.len(),
        expected: wholes.iter().map(Whole::expected_inside).sum(),
        misplaced: Some(misplaced),
        is_closed: excess > MOST_MISPLACED && misplaced.share > misplaced.most_by_chance,
    })
}

fn patterns(recorded: &Behaviour, drawn: &[&Behaviour]) -> Vec<Whole> {
    let links: BTreeSet<(NodeId, NodeId)> =
        std::iter::once(recorded).chain(drawn.iter().copied()).flat_map(|b| b.patterns.keys().copied()).collect();
    links.into_iter().filter_map(|link| patterns_of(link, recorded, drawn)).collect()
}

fn patterns_of((from, to): (NodeId, NodeId), recorded: &Behaviour, drawn: &[&Behaviour]) -> Option<Whole> {
    type Counts = BTreeMap<Pattern, u64>;
    let none = Counts::new();
    let of = |behaviour: &Behaviour| behaviour.patterns.get(&(from, to)).cloned().unwrap_or_default();
    let (own, others) = (recorded.patterns.get(&(from, to)).unwrap_or(&none), drawn.iter().map(|b| of(b)));
    let others: Vec<Counts> = others.collect();
    let mut predicted: BTreeMap<Pattern, f64> = BTreeMap::new();
    for (&pattern, &count) in others.iter().flatten() {
        *predicted.entry(pattern).or_default() += count as f64 / others.len().max(1) as f64;
    }
    let most = |pattern: &Pattern| {
        let recorded = own.get(pattern).copied().unwrap_or(0) as f64;
        recorded.max(predicted.get(pattern).copied().unwrap_or(0.0))
    };
    let all: BTreeSet<Pattern> = own.keys().chain(predicted.keys()).copied().collect();
    let mut common: Vec<Pattern> = all.into_iter().filter(|pattern| most(pattern) >= FEWEST_OF_A_PATTERN).collect();
    common.sort_by(|a, b| most(b).total_cmp(&most(a)));
    common.truncate(PATTERNS);
    common.sort_unstable();
    let counted = |counts: &Counts| -> Vec<u64> {
        let each = common.iter().map(|pattern| counts.get(pattern).copied().unwrap_or(0));
        let rest = counts.iter().filter(|(pattern, _)| !common.contains(pattern)).map(|(_, count)| *count).sum();
        each.chain([rest]).collect()
    };
    let patterns = common.iter().copied().map(Some).chain([None]);
    let subjects = patterns.map(|pattern| Subject::Pattern { from, to, pattern }).collect();
    Whole::new(subjects, &counted(own), others.iter().map(counted))
}

fn senders(recorded: &Behaviour, drawn: &[&Behaviour]) -> Option<Whole> {
    let subjects = (1..=SENDERS as u8).map(Subject::Senders).collect();
    Whole::new(subjects, &recorded.senders, drawn.iter().map(|behaviour| behaviour.senders.to_vec()))
}

fn forwarding(recorded: &Behaviour, drawn: &[&Behaviour]) -> Vec<Whole> {
    let of = |node: NodeId| {
        // Packets that were sent on, and those that were not; a packet whose acknowledgement was lost may be sent on
        // twice.
        let counts = |behaviour: &Behaviour| {
            let forwarding = behaviour.forwarding.get(&node).copied().unwrap_or_default();
            vec![forwarding.sent_on, forwarding.received.saturating_sub(forwarding.sent_on)]
        };
        Whole::new(vec![Subject::Forwarding(node)], &counts(recorded), drawn.iter().map(|behaviour| counts(behaviour)))
    };
    recorded.forwarding.keys().copied().filter_map(of).collect()
}
