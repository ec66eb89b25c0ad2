//! Statements of a person about a capture that it cannot tell, or tells wrongly.

use super::exchange::{Association, Vantage, Workload};
use super::message::Endpoint;

/// What is said of one association; `None`: as it is estimated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Assumed {
    /// Where the capture was taken.
    pub vantage: Option<Vantage>,
    /// When its application sends.
    pub workload: Option<Workload>,
}

/// What is said of a capture, beside [`crate::DecodeOptions`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Assumptions {
    /// Of all associations.
    pub all: Assumed,
    /// Of those between this client and this server; what is `None` there is as for all.
    pub each: Vec<((Endpoint, Endpoint), Assumed)>,
}

impl Assumptions {
    /// What is said of `association`.
    #[must_use]
    pub fn of(&self, association: &Association) -> Assumed {
        let ends = (association.client, association.server);
        let own = self.each.iter().find(|each| each.0 == ends).map_or(Assumed::default(), |each| each.1);
        Assumed { vantage: own.vantage.or(self.all.vantage), workload: own.workload.or(self.all.workload) }
    }
}
