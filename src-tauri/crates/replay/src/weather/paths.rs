//! The weather of every path of a trace.

use super::{Fit, Observed, Verdict, fit};
use crate::channel::{Climate, observed};

/// What a fit was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The path's own copies.
    Path,
    /// All paths to the same server: its own were too few.
    Server,
    /// The whole trace.
    Trace,
}

/// The weather of one path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PathWeather {
    /// The fit in use.
    pub fit: Fit,
    /// From which copies.
    pub scope: Scope,
}

/// Fitted weather, path by path.
#[derive(Clone, Debug, Default)]
pub struct Weather {
    paths: Vec<PathWeather>,
}

impl Weather {
    /// Fits every path that has enough copies; the others take their server's weather, or the trace's. Where
    /// even the whole trace is too little, losses are taken to be independent.
    pub(crate) fn new(climate: &Climate) -> Self {
        let own: Vec<Vec<Observed>> = climate.paths.iter().map(|p| observed(&p.known)).collect();
        let mut pools: Vec<Option<Fit>> = vec![None; climate.pools.len()];
        let mut whole: Option<Fit> = None;
        let paths = own
            .iter()
            .zip(&climate.pool_of)
            .map(|(copies, &server)| {
                let alone = fit(std::slice::from_ref(copies));
                if alone.verdict != Verdict::TooFew {
                    return PathWeather { fit: alone, scope: Scope::Path };
                }
                let together = |of: &dyn Fn(usize) -> bool| {
                    let chosen = own.iter().zip(&climate.pool_of).filter(|&(_, &pool)| of(pool));
                    fit(&chosen.map(|(copies, _)| copies.clone()).collect::<Vec<_>>())
                };
                let pooled = match pools.get_mut(server) {
                    Some(slot) => *slot.get_or_insert_with(|| together(&|pool| pool == server)),
                    None => alone,
                };
                if pooled.verdict != Verdict::TooFew {
                    return PathWeather { fit: pooled, scope: Scope::Server };
                }
                PathWeather { fit: *whole.get_or_insert_with(|| together(&|_| true)), scope: Scope::Trace }
            })
            .collect();
        Self { paths }
    }

    /// Per association, in the order of [`crate::Record::associations`].
    #[must_use]
    pub fn paths(&self) -> &[PathWeather] {
        &self.paths
    }

    pub(crate) fn path(&self, at: usize) -> Option<&PathWeather> {
        self.paths.get(at)
    }
}
