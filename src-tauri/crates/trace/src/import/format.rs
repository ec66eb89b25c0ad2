//! One file for each format: records or rows of the file to records of the capture builder.

pub(crate) mod cooja;
pub(super) mod dcf;
pub(super) mod hex;
pub(crate) mod line;
pub(super) mod nordic;
pub(super) mod pcap;
pub(super) mod pcapng;
pub(super) mod psd;
pub(super) mod snif;
