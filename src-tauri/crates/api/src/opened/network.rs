//! Network of a capture, computed when it is first requested.

use super::Opened;
use base::{Cancelled, ExchangeId, Part, Progress};
use trace::network::Network;
use trace::{Places, Trace};

/// Returns the network of `trace`, with the copies that the recorded timeline shows as needless.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn network_of(trace: &Trace, places: &Places, progress: &mut dyn Progress) -> Result<Network, Cancelled> {
    trace::network::of(trace, places, &needless(trace), progress)
}

fn needless(trace: &Trace) -> impl Fn(ExchangeId, usize) -> bool {
    |exchange, copy| trace.exchanges.get(exchange.index()).is_some_and(|exchange| table::needless(exchange, copy))
}

impl Opened {
    /// Returns the network of the capture, computed when it is first requested.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub(crate) fn network(&self, progress: &mut dyn Progress) -> Result<&Network, Cancelled> {
        self.network.get_or_try_init(progress, |progress| {
            // Matching frames to messages takes a tenth of the time.
            let places = self.lists.places(&self.trace, &mut Part::new(progress, 0, 10, 100))?;
            trace::network::of(&self.trace, places, &needless(&self.trace), &mut Part::new(progress, 10, 100, 100))
        })
    }
}
