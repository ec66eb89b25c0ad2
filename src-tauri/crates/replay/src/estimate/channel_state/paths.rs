//! Fitted two-state channels of all paths of a trace.

use super::{Fit, GilbertElliott, fit, posterior};
use crate::estimate::observation::{Observed, observed};
use crate::estimate::statistics::ChannelStatistics;
use crate::model::{Purpose, RandomStream};
use base::{Cancelled, SharedProgress};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Copies that a two-state channel was fitted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The path's own copies.
    Path,
    /// Copies of all paths to the same server: the path's own were too few.
    Server,
    /// Copies of the whole trace: those of the server were too few.
    Trace,
}

/// Fitted two-state channel of one path.
#[derive(Clone, PartialEq, Debug)]
pub struct PathChannelState {
    /// Most likely parameters, with their errors and tests.
    pub fit: Fit,
    /// Copies that the channel was fitted to.
    pub scope: Scope,
    /// Draws from the posterior of the parameters.
    possible: Vec<GilbertElliott>,
}

impl PathChannelState {
    /// Parameters of replicate `replicate`, a posterior draw: the uncertainty of a short trace differs between
    /// replicates, and so shows in their spread. The most likely ones where there are no draws.
    pub(crate) fn of(&self, replicate: u32) -> GilbertElliott {
        let at = replicate as usize % self.possible.len().max(1);
        self.possible.get(at).copied().unwrap_or(self.fit.model)
    }
}

/// Fitted channel states, path by path.
#[derive(Clone, Debug, Default)]
pub struct ChannelStates {
    paths: Vec<PathChannelState>,
}

/// Least number of copies for a fit of a path's own; otherwise its server's paths are fitted together, or all. Chosen
/// here: about ten copies per parameter; repeat with `cargo test -p replay --release --test gilbert_elliott`.
const ENOUGH: usize = 50;

impl ChannelStates {
    /// Greatest number of passes of a fit, for each path.
    pub(crate) const PASSES: u64 = fit::PASSES + posterior::PASSES;

    /// Fits every path that has enough copies, and the others from copies that they share. Passes `progress` up to
    /// [`ChannelStates::PASSES`] times a path; errs when cancelled.
    pub(crate) fn new(statistics: &ChannelStatistics, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let copies: Vec<Vec<Observed>> = statistics.paths.iter().map(|p| observed(&p.known)).collect();
        let enough = |paths: &[Vec<Observed>]| paths.iter().map(Vec::len).sum::<usize>() >= ENOUGH;
        let fitted = |(number, scope, paths): (u32, Scope, Vec<Vec<Observed>>)| {
            let fit = fit::fit(&paths, progress)?;
            let mut stream = RandomStream::new(0, scope as u32, number, Purpose::Posterior);
            Ok(PathChannelState { possible: posterior::possible(&fit, &paths, &mut stream, progress)?, fit, scope })
        };
        let numbered = || copies.iter().zip(0_u32..);
        let own: Vec<_> =
            numbered().map(|(c, i)| (i, Scope::Path, vec![c.clone()])).filter(|(.., p)| enough(p)).collect();
        let mut of_path: Vec<Option<PathChannelState>> = vec![None; copies.len()];
        let fit_own = |job: (u32, Scope, Vec<Vec<Observed>>)| Ok((job.0, fitted(job)?));
        let own: Vec<(u32, PathChannelState)> = own.into_par_iter().map(fit_own).collect::<Result<_, _>>()?;
        for (at, model) in own {
            of_path[at as usize] = Some(model);
        }
        let together = |server: Option<usize>| {
            let chosen = copies.iter().zip(&statistics.pool_of).filter(|(_, pool)| server.is_none_or(|s| s == **pool));
            chosen.map(|(c, _)| c.clone()).collect::<Vec<_>>()
        };
        let mut pools: Vec<Option<PathChannelState>> = vec![None; statistics.pools.len()];
        let mut whole: Option<PathChannelState> = None;
        let mut paths = Vec::with_capacity(of_path.len());
        for (own, &server) in of_path.into_iter().zip(&statistics.pool_of) {
            if let Some(own) = own {
                paths.push(own);
                continue;
            }
            let pool = together(Some(server));
            let (slot, job) = match pools.get_mut(server) {
                Some(slot) if enough(&pool) => (slot, (server as u32, Scope::Server, pool)),
                _ => (&mut whole, (0, Scope::Trace, Vec::new())),
            };
            let shared = match slot.take() {
                Some(shared) => shared,
                None if job.1 == Scope::Trace => fitted((0, Scope::Trace, together(None)))?,
                None => fitted(job)?,
            };
            paths.push(slot.insert(shared).clone());
        }
        Ok(Self { paths })
    }

    /// Returns the same channels with sojourns in both states longer by `factor`.
    pub(crate) fn with_duration(&self, factor: f64) -> Self {
        let stretched = |w: &GilbertElliott| GilbertElliott { coherence: w.coherence * factor, ..*w };
        let path = |p: &PathChannelState| PathChannelState {
            fit: Fit { model: stretched(&p.fit.model), ..p.fit },
            scope: p.scope,
            possible: p.possible.iter().map(stretched).collect(),
        };
        Self { paths: self.paths.iter().map(path).collect() }
    }

    /// Channels by association, in the order of [`crate::Record::associations`].
    #[must_use]
    pub fn paths(&self) -> &[PathChannelState] {
        &self.paths
    }

    /// Channel of the association at position `at`, from 0; `None` beyond the last.
    pub(crate) fn path(&self, at: usize) -> Option<&PathChannelState> {
        self.paths.get(at)
    }
}
