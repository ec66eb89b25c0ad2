//! Errors as they reach a person: what, where, what to do; and a code for what a program branches on.

use serde::Serialize;
use std::fmt;

/// Kind of an error, for programs: the page tells `Cancelled` and `Request` from the others, the command line `Request` by its exit code, Python
/// all but `Cancelled` by its class. A kind without such a reader is not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The user asked to stop.
    Cancelled,
    /// The file could not be read, or is not a capture.
    Capture,
    /// A number of a capture, run or exchange that is not open.
    Gone,
    /// A request that makes no sense, a parameter out of range.
    Request,
    /// A fault of this program.
    Internal,
}

/// Why a request failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Error {
    /// Kind, for programs.
    pub code: Code,
    /// Message for a person: what failed, where, and what to do about it.
    pub message: String,
    /// Further lines, such as one a mistake.
    pub detail: Option<String>,
    /// Column in the request.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub at: Option<u64>,
}

impl Error {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), detail: None, at: None }
    }

    /// The user asked to stop.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(Code::Cancelled, "Cancelled.")
    }

    /// No such capture, run or exchange any more.
    pub fn gone(what: impl fmt::Display) -> Self {
        Self::new(Code::Gone, format!("{what} is not open any more."))
    }

    /// The request makes no sense.
    pub fn request(message: impl fmt::Display) -> Self {
        Self::new(Code::Request, message.to_string())
    }

    /// A fault of this program.
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
        let column = u64::try_from(error.column()).ok();
        Self { at: column, ..Self::request(format!("The request does not have the form this command takes: {error}.")) }
    }
}
