//! Time of an import, as a ratio to reading the same octets and to `capinfos -c`, and what it holds.
//!
//! `cargo bench -p trace --bench import -- CAPTURE …`; of a packed capture, the raw read is of its packed octets.

#![allow(clippy::disallowed_methods, reason = "a bench reads the clock")]

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use trace::{ImportOptions, open};

const ROUNDS: usize = 7;

/// The shortest of some rounds.
fn best(mut round: impl FnMut()) -> Duration {
    let timed = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed()
    });
    timed.min().unwrap_or_default()
}

fn raw(path: &Path) -> usize {
    let mut octets = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut octets)).unwrap_or(0)
}

fn main() {
    for path in std::env::args().skip(1).filter(|word| !word.starts_with("--")) {
        let path = Path::new(&path);
        let import = || open(path, &ImportOptions::default(), &mut base::Silent);
        let Ok(capture) = import() else {
            eprintln!("{}: not a capture", path.display());
            continue;
        };
        let read = best(|| {
            std::hint::black_box(raw(path));
        });
        let imported = best(|| drop(std::hint::black_box(import())));
        let counted = best(|| {
            let mut capinfos = Command::new("capinfos");
            let _may_be_absent = capinfos.arg("-c").arg(path).stdout(Stdio::null()).stderr(Stdio::null()).status();
        });
        let held = capture.octets.capacity() + capture.frames.capacity() * size_of::<trace::Frame>();
        println!(
            "{}: {} frames, {} octets; import {imported:?} = {:.2} × raw read ({read:?}) = {:.2} × capinfos -c ({counted:?}); \
             holds {held} octets, {:.2} × the file",
            path.display(),
            capture.frames.len(),
            capture.file_len,
            imported.as_secs_f64() / read.as_secs_f64(),
            imported.as_secs_f64() / counted.as_secs_f64(),
            held as f64 / capture.file_len as f64,
        );
    }
}
