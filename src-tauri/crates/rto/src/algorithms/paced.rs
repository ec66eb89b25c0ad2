//! Algorithms with a pace: default CoAP's timer and a [`crate::Pacer`] that holds first transmissions back.

mod bdp;
pub mod coap_r;
mod rate;
mod rcoap;

pub(crate) use bdp::BDP_COAP;
pub(crate) use coap_r::COAP_R;
pub use rate::Rate;
pub(crate) use rcoap::RCOAP;
