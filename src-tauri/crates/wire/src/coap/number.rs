//! Option numbers and what their bits mean (RFC 7252 §5.4.6, §12.2).

/// If-Match (RFC 7252 §5.10.8.1).
pub const IF_MATCH: u16 = 1;
/// Uri-Host (RFC 7252 §5.10.1).
pub const URI_HOST: u16 = 3;
/// ETag (RFC 7252 §5.10.6).
pub const ETAG: u16 = 4;
/// If-None-Match (RFC 7252 §5.10.8.2).
pub const IF_NONE_MATCH: u16 = 5;
/// Observe (RFC 7641 §2).
pub const OBSERVE: u16 = 6;
/// Uri-Port (RFC 7252 §5.10.1).
pub const URI_PORT: u16 = 7;
/// Location-Path (RFC 7252 §5.10.7).
pub const LOCATION_PATH: u16 = 8;
/// OSCORE (RFC 8613 §2).
pub const OSCORE: u16 = 9;
/// Uri-Path (RFC 7252 §5.10.1).
pub const URI_PATH: u16 = 11;
/// Content-Format (RFC 7252 §5.10.3).
pub const CONTENT_FORMAT: u16 = 12;
/// Max-Age (RFC 7252 §5.10.5).
pub const MAX_AGE: u16 = 14;
/// Uri-Query (RFC 7252 §5.10.1).
pub const URI_QUERY: u16 = 15;
/// Hop-Limit (RFC 8768 §3).
pub const HOP_LIMIT: u16 = 16;
/// Accept (RFC 7252 §5.10.4).
pub const ACCEPT: u16 = 17;
/// Q-Block1 (RFC 9177 §4.1).
pub const Q_BLOCK1: u16 = 19;
/// Location-Query (RFC 7252 §5.10.7).
pub const LOCATION_QUERY: u16 = 20;
/// EDHOC (RFC 9668 §3.1).
pub const EDHOC: u16 = 21;
/// Block2 (RFC 7959 §2.1).
pub const BLOCK2: u16 = 23;
/// Block1 (RFC 7959 §2.1).
pub const BLOCK1: u16 = 27;
/// Size2 (RFC 7959 §4).
pub const SIZE2: u16 = 28;
/// Q-Block2 (RFC 9177 §4.1).
pub const Q_BLOCK2: u16 = 31;
/// Proxy-Uri (RFC 7252 §5.10.2).
pub const PROXY_URI: u16 = 35;
/// Proxy-Scheme (RFC 7252 §5.10.2).
pub const PROXY_SCHEME: u16 = 39;
/// Size1 (RFC 7252 §5.10.9).
pub const SIZE1: u16 = 60;
/// Echo (RFC 9175 §2.2.1).
pub const ECHO: u16 = 252;
/// No-Response (RFC 7967 §2).
pub const NO_RESPONSE: u16 = 258;
/// Request-Tag (RFC 9175 §3.2.1).
pub const REQUEST_TAG: u16 = 292;

/// OCF-Accept-Content-Format-Version (OCF Core Specification).
pub const OCF_ACCEPT: u16 = 2049;
/// OCF-Content-Format-Version (OCF Core Specification).
pub const OCF_CONTENT_FORMAT: u16 = 2053;

/// Returns whether an endpoint that does not know the option must reject the message (RFC 7252 §5.4.1).
#[must_use]
pub const fn is_critical(number: u16) -> bool {
    number & 1 != 0
}

/// Returns whether a proxy that does not know the option must not forward it (RFC 7252 §5.4.2).
#[must_use]
pub const fn is_unsafe(number: u16) -> bool {
    number & 2 != 0
}

/// Returns whether the option is safe to forward and not part of the cache key (RFC 7252 §5.4.2).
#[must_use]
pub const fn is_no_cache_key(number: u16) -> bool {
    number & 0x1e == 0x1c
}

#[cfg(test)]
mod tests {
    use super::{SIZE1, URI_PATH, is_critical, is_no_cache_key, is_unsafe};

    #[test]
    fn bits_of_a_number() {
        let bits = |n| (is_critical(n), is_unsafe(n), is_no_cache_key(n));
        assert_eq!(bits(URI_PATH), (true, true, false));
        assert_eq!(bits(SIZE1), (false, false, true));
        // The retransmission count of our proposal, and the laboratory's.
        assert_eq!(bits(65020), (false, false, true));
        assert_eq!(bits(65002), (false, true, false));
    }
}
