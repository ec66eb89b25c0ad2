//! Message types and codes of CoAP (RFC 7252 §3).

use std::fmt;

/// Message type (RFC 7252 §3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// Confirmable (0): asks for an acknowledgement or a reset.
    Con,
    /// Non-confirmable (1): asks for neither.
    Non,
    /// Acknowledgement (2) of a confirmable message.
    Ack,
    /// Reset (3): the receiver could not process a message.
    Rst,
}

impl Type {
    /// Reads the type: bits 4 and 5 of a message's first octet, counted from the least significant.
    pub(super) const fn of(first_octet: u8) -> Self {
        match first_octet >> 4 & 3 {
            0 => Self::Con,
            1 => Self::Non,
            2 => Self::Ack,
            _ => Self::Rst,
        }
    }
}

/// Writes `CON`, `NON`, `ACK` or `RST`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Con => "CON",
            Self::Non => "NON",
            Self::Ack => "ACK",
            Self::Rst => "RST",
        })
    }
}

/// Message code (RFC 7252 §3, §12.1): a class of 3 bits and a detail of 5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub u8);

impl Code {
    /// Code of an Empty message, 0.00 (RFC 7252 §4.1).
    pub const EMPTY: Self = Self(0);

    /// Class of the signalling messages of reliable transports (RFC 8323 §5).
    pub const SIGNALLING_CLASS: u8 = 7;

    /// Class, 0 to 7: 0 request, 2 success, 4 client error, 5 server error; see also [`Self::is_reserved`].
    #[must_use]
    pub const fn class(self) -> u8 {
        self.0 >> 5
    }

    /// Detail within the class, 0 to 31.
    #[must_use]
    pub const fn detail(self) -> u8 {
        self.0 & 0x1f
    }

    /// Returns whether this is 0.00.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether this is a method: class 0 but not Empty.
    #[must_use]
    pub const fn is_request(self) -> bool {
        self.class() == 0 && !self.is_empty()
    }

    /// Returns whether this is a response: classes 2 to 5.
    #[must_use]
    pub const fn is_response(self) -> bool {
        matches!(self.class(), 2..=5)
    }

    /// Returns whether the class is reserved: 1, 6 or 7. A message of such a class is well formed and to be
    /// rejected (RFC 7252 §4.2, §4.3); class 7 is signalling over TCP (RFC 8323 §5).
    #[must_use]
    pub const fn is_reserved(self) -> bool {
        matches!(self.class(), 1 | 6 | 7)
    }

    /// Registered name (RFC 7252 §12.1, RFC 7959, RFC 8132, RFC 8516, RFC 8768, RFC 9177; class 7: RFC 8323 §5); `None`
    /// for a code that is not assigned.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match (self.class(), self.detail()) {
            (0, 0) => "Empty",
            (0, 1) => "GET",
            (0, 2) => "POST",
            (0, 3) => "PUT",
            (0, 4) => "DELETE",
            (0, 5) => "FETCH",
            (0, 6) => "PATCH",
            (0, 7) => "iPATCH",
            (2, 1) => "Created",
            (2, 2) => "Deleted",
            (2, 3) => "Valid",
            (2, 4) => "Changed",
            (2, 5) => "Content",
            (2, 31) => "Continue",
            (4, 0) => "Bad Request",
            (4, 1) => "Unauthorized",
            (4, 2) => "Bad Option",
            (4, 3) => "Forbidden",
            (4, 4) => "Not Found",
            (4, 5) => "Method Not Allowed",
            (4, 6) => "Not Acceptable",
            (4, 8) => "Request Entity Incomplete",
            (4, 9) => "Conflict",
            (4, 12) => "Precondition Failed",
            (4, 13) => "Request Entity Too Large",
            (4, 15) => "Unsupported Content-Format",
            (4, 22) => "Unprocessable Entity",
            (4, 29) => "Too Many Requests",
            (5, 0) => "Internal Server Error",
            (5, 1) => "Not Implemented",
            (5, 2) => "Bad Gateway",
            (5, 3) => "Service Unavailable",
            (5, 4) => "Gateway Timeout",
            (5, 5) => "Proxying Not Supported",
            (5, 8) => "Hop Limit Reached",
            (7, 1) => "CSM",
            (7, 2) => "Ping",
            (7, 3) => "Pong",
            (7, 4) => "Release",
            (7, 5) => "Abort",
            _ => return None,
        })
    }
}

/// Writes class and detail, such as `0.01` or `2.05`.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.class(), self.detail())
    }
}
