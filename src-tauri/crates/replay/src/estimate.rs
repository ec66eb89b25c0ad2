//! Estimates from a record: statistics of its channel, two-state channels, response to load, and queue at a bottleneck.

mod ambiguity;
mod autocorrelation;
mod batch_server;
mod channel_state;
mod donor;
mod effective_weights;
mod fast;
pub(crate) mod load;
mod local;
mod observation;
mod queue;
mod sample_index;
mod statistics;

pub use autocorrelation::Autocorrelation;
pub(crate) use channel_state::Filter;
pub use channel_state::{ChannelStates, Delay, Fit, GilbertElliott, PathChannelState, Residuals, Scope, Verdict};
pub(crate) use donor::{Donor, ENOUGH, NEIGHBOURS, SILENCE};
pub(crate) use fast::{DecayTable, Row, near_search};
pub use load::{Estimate, LoadFit, LoadStep, Response, Unidentified};
pub(crate) use load::{InFlightLoad, LoadModel, Loads, NINETY, Slopes, chance};
pub(crate) use local::{Local, local, varies};
#[cfg(test)]
pub(crate) use observation::Emission;
pub(crate) use observation::{Observed, observed};
pub(crate) use queue::{Bottleneck, Node, Passed, QueueServer, Transit, Way, is_answered, reply_comes};
pub use queue::{Limit, QueueFit};
pub(crate) use sample_index::{SampleIndex, SampleIndexBuilder};
pub use statistics::ChannelStatistics;
pub(crate) use statistics::{Donors, Kernel};
