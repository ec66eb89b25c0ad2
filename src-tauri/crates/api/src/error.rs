//! Errors as they reach a person: what failed, where, and the remedy; and a code that programs branch on.

use serde::Serialize;
use std::fmt;

/// Kind of an error, for programs: the page tells `Cancelled` and `Request` from the others, the command line `Request`
/// by its exit code, Python all but `Cancelled` by its class. A kind without such a reader is not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Stopped by the user.
    Cancelled,
    /// A file that cannot be read, or is no capture.
    Capture,
    /// A number of a capture, run or exchange that is not open.
    Gone,
    /// A malformed request, or a value out of range.
    Request,
    /// A fault of this program.
    Internal,
}

/// Failure of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Error {
    /// Kind of failure, by which programs decide.
    pub code: Code,
    /// Message for a person, in sentences: what failed, where, and the remedy.
    pub message: String,
    /// Further lines for a person, such as one per mistake; null: none.
    pub detail: Option<String>,
    /// Column of the mistake, from 1: in a filter expression in characters, in JSON text in octets; null where no place
    /// is known.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub at: Option<u64>,
}

impl Error {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), detail: None, at: None }
    }

    /// Returns the error of a request that the user stopped.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(Code::Cancelled, "Cancelled.")
    }

    /// Returns the error of a capture, run or exchange that is not open any more; `what` names it.
    pub fn gone(what: impl fmt::Display) -> Self {
        Self::new(Code::Gone, format!("{what} is not open any more."))
    }

    /// Returns the error of a file that cannot be read, with its message.
    pub fn capture(message: impl fmt::Display) -> Self {
        Self::new(Code::Capture, message.to_string())
    }

    /// Returns the error of a malformed request, with its message.
    pub fn request(message: impl fmt::Display) -> Self {
        Self::new(Code::Request, message.to_string())
    }

    /// Returns the error of a fault of this program, with its message.
    pub fn internal(message: impl fmt::Display) -> Self {
        Self::new(Code::Internal, message.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<trace::ImportError> for Error {
    fn from(error: trace::ImportError) -> Self {
        match error {
            trace::ImportError::Cancelled => Self::cancelled(),
            other => Self::new(Code::Capture, other.to_string()),
        }
    }
}

impl From<base::Cancelled> for Error {
    fn from(_: base::Cancelled) -> Self {
        Self::cancelled()
    }
}

impl From<replay::Error> for Error {
    fn from(error: replay::Error) -> Self {
        match error {
            replay::Error::Cancelled => Self::cancelled(),
            other => Self::request(other),
        }
    }
}

impl From<table::TableError> for Error {
    fn from(error: table::TableError) -> Self {
        match error {
            table::TableError::Unknown { .. } => Self::request(error),
            other => Self::internal(other),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        let column = u64::try_from(error.column()).ok().filter(|&column| column > 0);
        Self { at: column, ..Self::request(format!("The request does not have the form this command takes: {error}.")) }
    }
}
