//! Headers of IPv4 and IPv6, 6LoWPAN's compression of them, ICMPv6 and RPL.

pub mod icmpv6;
pub mod ipv4;
pub mod ipv6;
pub mod lowpan;
pub mod rpl;
