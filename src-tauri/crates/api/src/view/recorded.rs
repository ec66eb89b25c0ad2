//! Requests and replies about what a capture holds and shows.

pub(crate) mod alerts;
pub(crate) mod capture;
pub(crate) mod claims;
pub(crate) mod exchange;
pub(crate) mod ladder;
pub(crate) mod live;
pub(crate) mod network;
pub(crate) mod packet;
pub(crate) mod plot;
