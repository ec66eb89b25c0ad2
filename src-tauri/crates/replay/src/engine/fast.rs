//! Fast form of the engine: a client that nothing else has a part in, simulated without events.

mod coming;
mod single_client;

pub(crate) use single_client::SingleClient;
