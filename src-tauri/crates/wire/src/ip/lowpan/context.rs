//! Contexts for stateful address compression (RFC 6282 §3.1.2, RFC 6775 §4.2).

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

/// Prefix of an IPv6 address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Prefix {
    /// Octets of the prefix, most significant first; bits past `len` are ignored.
    pub octets: [u8; 16],
    /// Length in bits; more than 128 means 128.
    pub len: u8,
}

impl Prefix {
    /// `fe80::/64`, the prefix of stateless compression (RFC 6282 §3.1.1).
    pub const LINK_LOCAL: Self = Self { octets: [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], len: 64 };
    /// Prefix used in place of a context that is not known: 64 zero bits.
    pub(super) const UNKNOWN: Self = Self { octets: [0; 16], len: 64 };

    /// `address` with its first [`len`](Self::len) bits replaced by the prefix: context bits win over
    /// those of an interface identifier (RFC 6282 §3.1.1).
    #[must_use]
    pub const fn over(self, address: [u8; 16]) -> [u8; 16] {
        let mask = self.mask();
        ((u128::from_be_bytes(self.octets) & mask) | (u128::from_be_bytes(address) & !mask)).to_be_bytes()
    }

    /// Returns whether `address` begins with the prefix.
    #[must_use]
    pub const fn contains(self, address: [u8; 16]) -> bool {
        (u128::from_be_bytes(self.octets) ^ u128::from_be_bytes(address)) & self.mask() == 0
    }

    const fn mask(self) -> u128 {
        match u128::MAX.checked_shl(128u32.saturating_sub(self.len as u32)) {
            Some(mask) => mask,
            None => 0,
        }
    }
}

/// Writes address and length, such as `fd00::/64`.
impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Ipv6Addr::from(self.over([0; 16])), self.len.min(128))
    }
}

/// Error of parsing a prefix: the text is not `address/length` with a length of at most 128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePrefixError;

impl fmt::Display for ParsePrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an IPv6 prefix such as fd00::/64")
    }
}

impl std::error::Error for ParsePrefixError {}

impl FromStr for Prefix {
    type Err = ParsePrefixError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, len) = text.split_once('/').ok_or(ParsePrefixError)?;
        let address: Ipv6Addr = address.parse().map_err(|_| ParsePrefixError)?;
        let len: u8 = len.parse().map_err(|_| ParsePrefixError)?;
        if len > 128 { Err(ParsePrefixError) } else { Ok(Self { octets: address.octets(), len }) }
    }
}

/// Source of 6LoWPAN contexts for decompression.
pub trait ContextSource {
    /// Prefix of context `id`, 0 to 15; `None` where it is not known.
    fn context(&self, id: u8) -> Option<Prefix>;
}

impl<F: Fn(u8) -> Option<Prefix>> ContextSource for F {
    fn context(&self, id: u8) -> Option<Prefix> {
        self(id)
    }
}

/// The sixteen contexts of a network, by context identifier; `None` where one is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ContextTable(pub [Option<Prefix>; 16]);

impl ContextTable {
    /// Table without any context.
    pub const EMPTY: Self = Self([None; 16]);

    /// Returns this table with context `id` set; an `id` over 15 changes nothing.
    #[must_use]
    pub fn with(mut self, id: u8, prefix: Prefix) -> Self {
        if let Some(slot) = self.0.get_mut(usize::from(id)) {
            *slot = Some(prefix);
        }
        self
    }
}

impl ContextSource for ContextTable {
    fn context(&self, id: u8) -> Option<Prefix> {
        self.0.get(usize::from(id)).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::Prefix;

    #[test]
    fn bits_of_the_prefix_win() {
        let prefix = |text: &str| text.parse::<Prefix>().unwrap();
        assert_eq!(prefix("::/0").over([0xff; 16]), [0xff; 16]);
        assert_eq!(prefix("::/128").over([0xff; 16]), [0; 16]);
        assert_eq!(prefix("fd00::/4").over([0xff; 16])[..2], [0xff, 0xff]);
        assert_eq!(prefix("fd00::/9").over([0xff; 16])[..2], [0xfd, 0x7f]);
        assert!(prefix("fd00::/9").contains([0xfd; 16]) ^ true);
        assert!(Prefix::LINK_LOCAL.contains(Prefix::LINK_LOCAL.over([0; 16])));
        assert_eq!(Prefix { octets: [0xfd; 16], len: 200 }.over([0; 16]), [0xfd; 16]);
    }

    #[test]
    fn text() {
        assert_eq!("fd00:0::1/64".parse::<Prefix>().unwrap().to_string(), "fd00::/64");
        for wrong in ["", "fd00::", "fd00::/", "fd00::/129", "fd00::/-1", "1.2.3.4/8"] {
            assert!(wrong.parse::<Prefix>().is_err(), "{wrong}");
        }
    }
}
