//! What is estimated from a record: statistics of its channel, the state of the channel over time, the response to load, the queue.

mod ambiguity;
mod autocorrelation;
mod batch_server;
mod channel_state;
mod donor;
mod effective_weights;
mod kernel;
pub(crate) mod load;
mod local;
mod observation;
mod queue;
mod sample_index;
mod statistics;

pub use autocorrelation::Memory;
pub(crate) use channel_state::Filter;
pub use channel_state::{Delay, Fit, GilbertElliott, PathWeather, Residuals, Scope, Verdict, Weather};
pub(crate) use donor::{Donor, ENOUGH};
pub(crate) use kernel::{Decay, NEIGHBOURS, Row};
pub(crate) use load::{Crowd, Gauge, Loads, Slopes, chance};
pub use load::{Estimate, LoadFit, LoadStep, Response, Unidentified};
pub(crate) use local::{Local, lasts, local};
#[cfg(test)]
pub(crate) use observation::Emission;
pub(crate) use observation::{Observed, observed};
pub(crate) use queue::{Bottleneck, Desk, Node, Passage, Passed, Way, is_answered, reply_comes};
pub use queue::{Limit, QueueFit};
pub(crate) use sample_index::{Picked, Shelf};
pub use statistics::Climate;
pub(crate) use statistics::Donors;
