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

/// The registered name of an option.
#[must_use]
pub const fn name(number: u16) -> Option<&'static str> {
    Some(match number {
        IF_MATCH => "If-Match",
        URI_HOST => "Uri-Host",
        ETAG => "ETag",
        IF_NONE_MATCH => "If-None-Match",
        OBSERVE => "Observe",
        URI_PORT => "Uri-Port",
        LOCATION_PATH => "Location-Path",
        OSCORE => "OSCORE",
        URI_PATH => "Uri-Path",
        CONTENT_FORMAT => "Content-Format",
        MAX_AGE => "Max-Age",
        URI_QUERY => "Uri-Query",
        HOP_LIMIT => "Hop-Limit",
        ACCEPT => "Accept",
        Q_BLOCK1 => "Q-Block1",
        LOCATION_QUERY => "Location-Query",
        EDHOC => "EDHOC",
        BLOCK2 => "Block2",
        BLOCK1 => "Block1",
        SIZE2 => "Size2",
        Q_BLOCK2 => "Q-Block2",
        PROXY_URI => "Proxy-Uri",
        PROXY_SCHEME => "Proxy-Scheme",
        SIZE1 => "Size1",
        ECHO => "Echo",
        NO_RESPONSE => "No-Response",
        REQUEST_TAG => "Request-Tag",
        _ => return None,
    })
}

/// Whether an endpoint that does not know the option must reject the message (RFC 7252 §5.4.1).
#[must_use]
pub const fn is_critical(number: u16) -> bool {
    number & 1 != 0
}

/// Whether a proxy that does not know the option must not forward it (RFC 7252 §5.4.2).
#[must_use]
pub const fn is_unsafe(number: u16) -> bool {
    number & 2 != 0
}

/// Whether the option is safe to forward and not part of the cache key (RFC 7252 §5.4.2).
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
