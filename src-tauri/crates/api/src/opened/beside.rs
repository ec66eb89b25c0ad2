//! Files that are read beside a capture, without being named.

use std::path::{Path, PathBuf};

/// Name of the file that says which timer ran in the capture beside it.
pub const RAN: &str = "ran.json";

/// Returns the files that are read beside `capture`, where they exist: its mote log, its lists of nodes, and its
/// `ran.json`.
#[must_use]
pub fn read_beside(capture: &Path) -> Vec<PathBuf> {
    let ran = Some(capture.with_file_name(RAN)).filter(|path| path.is_file());
    trace::mote_log_beside(capture).into_iter().chain(trace::node_lists_beside(capture)).chain(ran).collect()
}
