//! Statements of a person about a capture that it cannot tell, or tells wrongly.

use super::exchange::{Association, Vantage, Workload};
use super::message::Endpoint;

/// Assumptions about one association; `None`: the estimate holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Assumed {
    /// Vantage of the capture, see [`Association::vantage`].
    pub vantage: Option<Vantage>,
    /// Workload of its application, see [`Association::workload`].
    pub workload: Option<Workload>,
    /// Identifier of the network stack of the nodes, from which the network twin takes constants that no capture shows.
    /// Only that of [`Assumptions::all`] counts.
    pub stack: Option<&'static str>,
}

/// Assumptions about a capture, beside [`crate::DecodeOptions`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Assumptions {
    /// Assumptions about all associations.
    pub all: Assumed,
    /// Assumptions about associations, each by its client and server (in this order); of several the first counts, and
    /// `None` there means as in `all`.
    pub each: Vec<((Endpoint, Endpoint), Assumed)>,
}

impl Assumptions {
    /// Returns the assumptions about `association`.
    #[must_use]
    pub fn of(&self, association: &Association) -> Assumed {
        let ends = (association.client, association.server);
        let own = self.each.iter().find(|each| each.0 == ends).map_or(Assumed::default(), |each| each.1);
        Assumed {
            vantage: own.vantage.or(self.all.vantage),
            workload: own.workload.or(self.all.workload),
            stack: self.all.stack,
        }
    }
}
