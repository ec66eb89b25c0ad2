//! Estimates from a record: statistics of its channel, two-state channels, response to load, and queue at a bottleneck.

mod channel_state;
mod donor;
pub(crate) mod load;
mod local;
mod observation;
mod queue;
mod statistics;

pub(crate) use channel_state::Filter;
pub use channel_state::{ChannelStates, Delay, Fit, GilbertElliott, PathChannelState, Residuals, Scope, Verdict};
pub(crate) use donor::{Donor, ENOUGH, NEIGHBOURS, SILENCE};
pub use load::{Estimate, LoadFit, LoadStep, Response, Unidentified};
pub(crate) use load::{InFlightLoad, LoadModel, Loads, NINETY, Slopes, chance};
pub(crate) use local::{Local, local, varies};
#[cfg(test)]
pub(crate) use observation::Emission;
pub(crate) use observation::{Observed, observed};
pub(crate) use queue::{Bottleneck, Node, Passed, QueueServer, Transit, Way, is_answered, reply_comes};
pub use queue::{Limit, QueueFit};
pub use statistics::ChannelStatistics;
pub use statistics::autocorrelation::Autocorrelation;
pub(crate) use statistics::fast::{DecayTable, Row, near_search};
pub(crate) use statistics::sample_index::{SampleIndex, SampleIndexBuilder};
pub(crate) use statistics::{Donors, Kernel};
