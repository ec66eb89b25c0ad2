//! The core behind pipes, for the bench of the window: Chromium has no Tauri, so `ui/test/window` asks here.
//!
//! A line `NAME REQUEST` in, JSON; out, a line `KIND OCTETS` and that many octets. `KIND` is `json`, `arrow` or
//! `error`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a program for one bench")]

use std::io::{self, BufRead as _, Write as _};

use api::{DecodeOptions, Reply, Session, Silent};

fn main() {
    let session = Session::new(DecodeOptions::default());
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let (name, request) = line.split_once(' ').unwrap();
        let (kind, octets) = match session.call(name, serde_json::from_str(request).unwrap(), &mut Silent) {
            Ok(Reply::Json(value)) => ("json", serde_json::to_vec(&value).unwrap()),
            Ok(Reply::Bytes(octets)) => ("arrow", octets),
            Err(error) => ("error", serde_json::to_vec(&error).unwrap()),
        };
        writeln!(out, "{kind} {}", octets.len()).unwrap();
        out.write_all(&octets).unwrap();
        out.flush().unwrap();
    }
}
