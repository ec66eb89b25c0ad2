//! Needs of tests that a clone does not meet by itself: recorded runs beside it, other programs, hours of time.
//!
//! A test that cannot run calls [`skip`] and returns. libtest has no state for that and counts the test as passed;
//! `scripts/count.mjs` reads the line that `skip` prints and counts it as skipped. For tests only: no shipped crate
//! depends on this one.

use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Writes a line to standard error: the test of this thread could not run, or not all of it, for want of `need`. It
/// goes past libtest, which keeps the output of passing tests.
///
/// Needs are written as `scripts/count.mjs` sorts them: `../shared/…` lies beside the clone, `optional: …` no test
/// machine must have, and everything else it must.
pub fn skip(need: impl Display) {
    let binary = std::env::current_exe().ok();
    let stem = binary.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let thread = std::thread::current();
    let line = line(&stem.unwrap_or_default(), thread.name().unwrap_or("main"), &need);
    // Without a standard error there is no one to tell, and the test goes on.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Line about a test of a binary, whose name ends in a hash of cargo's.
fn line(binary: &str, test: &str, need: &dyn Display) -> String {
    let name = binary.rsplit_once('-').map_or(binary, |(name, _)| name);
    format!("skipped test {name}::{test}: needs {need}")
}

/// Returns the path of a file or folder of the recorded runs and captures that are not part of the repository: in
/// `RTOSCOPE_SHARED`, else in `shared` beside the clone. Where it is not there, [`skip`]s and returns `None`.
#[must_use]
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    let found = std::env::var_os("RTOSCOPE_SHARED").map_or_else(beside, PathBuf::from).join(path);
    if found.exists() {
        return Some(found);
    }
    skip(format_args!("../shared/{path}"));
    None
}

/// Returns whether tests take all runs and worlds, for hours, instead of a sample: `npm test -- everything` sets
/// `RTOSCOPE_ALL`.
#[must_use]
pub fn everything() -> bool {
    std::env::var_os("RTOSCOPE_ALL").is_some()
}

/// Number of random cases of a law: `PROPTEST_CASES`, else `usual`. A number in a law's own configuration would
/// overrule the variable.
#[must_use]
pub fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

#[cfg(test)]
mod tests {
    /// The same line stands in `scripts/test/runner.test.mjs`.
    #[test]
    fn the_line_is_what_the_runner_reads() {
        let line = super::line("truth_fates-0a1b2c3d4e5f6071", "worlds::fates", &"../shared/cooja");
        assert_eq!(line, "skipped test truth_fates::worlds::fates: needs ../shared/cooja");
    }
}
