//! Tokens of CoAP.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A token (RFC 7252 §5.3.1): 0 to 8 octets.
// Equality and order may be derived because octets past `len` are always zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Token {
    octets: [u8; Token::MAX_LEN],
    len: u8,
}

/// Hashes the token as one number, because every message is looked up by it. Tokens that differ only in trailing zeros
/// collide.
impl Hash for Token {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from_le_bytes(self.octets));
    }
}

impl Token {
    /// Largest length, octets; 9 to 15 are reserved (RFC 7252 §3).
    pub const MAX_LEN: usize = 8;
    /// The token of zero octets.
    pub const EMPTY: Self = Self { octets: [0; Self::MAX_LEN], len: 0 };

    /// Makes a token of `octets`; `None` where they are more than 8.
    #[must_use]
    pub fn from_slice(octets: &[u8]) -> Option<Self> {
        let mut token = Self::EMPTY;
        token.octets.get_mut(..octets.len())?.copy_from_slice(octets);
        token.len = u8::try_from(octets.len()).ok()?;
        Some(token)
    }

    /// Returns the octets, 0 to 8 of them.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        self.octets.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Returns the length, octets.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns whether the token is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Lower-case hexadecimal, nothing for the empty token.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().iter().try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn octets_and_text() {
        let token = Token::from_slice(&[0xab, 0x01]).unwrap();
        assert_eq!((token.as_slice(), token.len(), token.to_string().as_str()), (&[0xab, 0x01][..], 2, "ab01"));
        assert_eq!(Token::from_slice(&[]), Some(Token::EMPTY));
        assert_ne!(Token::from_slice(&[0]), Some(Token::EMPTY));
        assert_eq!(Token::from_slice(&[0; 8]).unwrap().len(), 8);
        assert_eq!(Token::from_slice(&[0; 9]), None);
    }
}
