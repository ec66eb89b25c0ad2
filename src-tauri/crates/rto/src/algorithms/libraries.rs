//! Timers as CoAP libraries implement them, to the letter of their code.

pub(crate) mod californium;
pub(crate) mod erbium;
pub(crate) mod libcoap;
