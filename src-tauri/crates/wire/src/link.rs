//! Headers of the link, and of the framings a capture puts before them.

pub mod ethernet;
pub mod ieee802154;
pub mod security;
pub mod sll;
pub mod tap;
