//! Built pages that the programs carry. A crate of its own, so that a changed page compiles nothing
//! but this and links the two programs.

/// Page of a report without its data, HTML built from `ui/report.html`: one file, no network. Empty where these
/// programs were built without it.
pub const REPORT: &str = include_str!(concat!(env!("OUT_DIR"), "/report.html"));
