//! Headers of the link layer, and of the framings that a capture puts before them.

pub mod ethernet;
pub mod ieee802154;
pub mod security;
pub mod sll;
pub mod tap;
