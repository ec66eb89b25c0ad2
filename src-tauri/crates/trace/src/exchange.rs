//! Messages to exchanges: copies and replies grouped, and exchanges that belong together. How each ended is judged
//! later.

mod reconstruct;
mod relations;

pub(crate) use reconstruct::reconstruct;
pub(crate) use relations::relations_of;
pub use relations::{
    Burst, Cancellation, Direction, ExchangeRole, ExchangeRoles, Notification, Observation, Relations, Transfer,
    TransferBlock,
};
