//! IANA's registry of CoAP (<https://www.iana.org/assignments/core-parameters>): the format of
//! every option, and content-formats.

use super::number as n;

/// Format of an option's value (RFC 7252 §3.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// No value: zero octets.
    Empty,
    /// Octets without a structure of their own.
    Opaque,
    /// Unsigned integer, most significant octet first, without leading zeros.
    Uint,
    /// Text in UTF-8, without a terminator.
    Text,
    /// A `uint` of block number, M and SZX (RFC 7959 §2.2).
    Block,
}

/// A registered option. Its critical, unsafe and no-cache-key flags are bits of the number, see
/// [`super::number`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Number of the option in the registry of CoAP.
    pub number: u16,
    /// Name of the option in that registry.
    pub name: &'static str,
    /// Format of the value.
    pub format: Format,
    /// Smallest length of the value, octets.
    pub min: u16,
    /// Largest length of the value, octets.
    pub max: u16,
    /// True if the option may occur more than once (RFC 7252 §5.4.5).
    pub repeatable: bool,
    /// Document that defines it, such as `RFC 7252`.
    pub reference: &'static str,
}

const fn spec(
    number: u16,
    name: &'static str,
    format: Format,
    (min, max): (u16, u16),
    repeatable: bool,
    reference: &'static str,
) -> OptionSpec {
    OptionSpec { number, name, format, min, max, repeatable, reference }
}

/// Registered options in ascending order of number; lengths and repetition by the document that each names.
pub const OPTIONS: [OptionSpec; 29] = {
    use Format::{Block, Empty, Opaque, Text, Uint};
    [
        spec(n::IF_MATCH, "If-Match", Opaque, (0, 8), true, "RFC 7252"),
        spec(n::URI_HOST, "Uri-Host", Text, (1, 255), false, "RFC 7252"),
        spec(n::ETAG, "ETag", Opaque, (1, 8), true, "RFC 7252"),
        spec(n::IF_NONE_MATCH, "If-None-Match", Empty, (0, 0), false, "RFC 7252"),
        spec(n::OBSERVE, "Observe", Uint, (0, 3), false, "RFC 7641"),
        spec(n::URI_PORT, "Uri-Port", Uint, (0, 2), false, "RFC 7252"),
        spec(n::LOCATION_PATH, "Location-Path", Text, (0, 255), true, "RFC 7252"),
        spec(n::OSCORE, "OSCORE", Opaque, (0, 255), false, "RFC 8613"),
        spec(n::URI_PATH, "Uri-Path", Text, (0, 255), true, "RFC 7252"),
        spec(n::CONTENT_FORMAT, "Content-Format", Uint, (0, 2), false, "RFC 7252"),
        spec(n::MAX_AGE, "Max-Age", Uint, (0, 4), false, "RFC 7252"),
        spec(n::URI_QUERY, "Uri-Query", Text, (0, 255), true, "RFC 7252"),
        spec(n::HOP_LIMIT, "Hop-Limit", Uint, (1, 1), false, "RFC 8768"),
        spec(n::ACCEPT, "Accept", Uint, (0, 2), false, "RFC 7252"),
        spec(n::Q_BLOCK1, "Q-Block1", Block, (0, 3), false, "RFC 9177"),
        spec(n::LOCATION_QUERY, "Location-Query", Text, (0, 255), true, "RFC 7252"),
        spec(n::EDHOC, "EDHOC", Empty, (0, 0), false, "RFC 9668"),
        spec(n::BLOCK2, "Block2", Block, (0, 3), false, "RFC 7959"),
        spec(n::BLOCK1, "Block1", Block, (0, 3), false, "RFC 7959"),
        spec(n::SIZE2, "Size2", Uint, (0, 4), false, "RFC 7959"),
        spec(n::Q_BLOCK2, "Q-Block2", Block, (0, 3), true, "RFC 9177"),
        spec(n::PROXY_URI, "Proxy-Uri", Text, (1, 1034), false, "RFC 7252"),
        spec(n::PROXY_SCHEME, "Proxy-Scheme", Text, (1, 255), false, "RFC 7252"),
        spec(n::SIZE1, "Size1", Uint, (0, 4), false, "RFC 7252"),
        spec(n::ECHO, "Echo", Opaque, (1, 40), false, "RFC 9175"),
        spec(n::NO_RESPONSE, "No-Response", Uint, (0, 1), false, "RFC 7967"),
        spec(n::REQUEST_TAG, "Request-Tag", Opaque, (0, 8), true, "RFC 9175"),
        spec(n::OCF_ACCEPT, "OCF-Accept-Content-Format-Version", Uint, (2, 2), false, "OCF Core Specification"),
        spec(n::OCF_CONTENT_FORMAT, "OCF-Content-Format-Version", Uint, (2, 2), false, "OCF Core Specification"),
    ]
};

/// Returns the registration of an option number; `None` where it is not registered.
#[must_use]
pub fn option(number: u16) -> Option<&'static OptionSpec> {
    OPTIONS.binary_search_by_key(&number, |option| option.number).ok().and_then(|index| OPTIONS.get(index))
}

/// Returns the registered name of an option number; `None` where it is not registered.
#[must_use]
pub fn name(number: u16) -> Option<&'static str> {
    option(number).map(|option| option.name)
}

/// Content-formats (RFC 7252 §12.3) as number and media type, in ascending order of number.
pub const CONTENT_FORMATS: [(u16, &str); 44] = [
    (0, "text/plain; charset=utf-8"),
    (16, "application/cose; cose-type=\"cose-encrypt0\""),
    (17, "application/cose; cose-type=\"cose-mac0\""),
    (18, "application/cose; cose-type=\"cose-sign1\""),
    (19, "application/ace+cbor"),
    (21, "image/gif"),
    (22, "image/jpeg"),
    (23, "image/png"),
    (40, "application/link-format"),
    (41, "application/xml"),
    (42, "application/octet-stream"),
    (47, "application/exi"),
    (50, "application/json"),
    (51, "application/json-patch+json"),
    (52, "application/merge-patch+json"),
    (60, "application/cbor"),
    (61, "application/cwt"),
    (62, "application/multipart-core"),
    (63, "application/cbor-seq"),
    (64, "application/edhoc+cbor-seq"),
    (65, "application/cid-edhoc+cbor-seq"),
    (96, "application/cose; cose-type=\"cose-encrypt\""),
    (97, "application/cose; cose-type=\"cose-mac\""),
    (98, "application/cose; cose-type=\"cose-sign\""),
    (101, "application/cose-key"),
    (102, "application/cose-key-set"),
    (110, "application/senml+json"),
    (111, "application/sensml+json"),
    (112, "application/senml+cbor"),
    (113, "application/sensml+cbor"),
    (114, "application/senml-exi"),
    (115, "application/sensml-exi"),
    (140, "application/yang-data+cbor; id=sid"),
    (256, "application/coap-group+json"),
    (271, "application/dots+cbor"),
    (272, "application/missing-blocks+cbor-seq"),
    (310, "application/senml+xml"),
    (311, "application/sensml+xml"),
    (320, "application/senml-etch+json"),
    (322, "application/senml-etch+cbor"),
    (10000, "application/vnd.ocf+cbor"),
    (10001, "application/oscore"),
    (11542, "application/vnd.oma.lwm2m+tlv"),
    (11543, "application/vnd.oma.lwm2m+json"),
];

/// Returns the media type of a content-format; `None` where the number is not listed.
#[must_use]
pub fn content_format(number: u16) -> Option<&'static str> {
    let index = CONTENT_FORMATS.binary_search_by_key(&number, |(number, _)| *number).ok()?;
    CONTENT_FORMATS.get(index).map(|(_, name)| *name)
}
