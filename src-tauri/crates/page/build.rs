//! Takes the report's page from `built/`, where `vite build` writes it (scripts/page.mjs), or nothing where it was not
//! built: the command line is to compile on a machine without Node.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    // The folder, which is always there: cargo would take a missing file for a changed one, every time.
    println!("cargo::rerun-if-changed=built");
    let folder = |name| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let page = fs::read(folder("CARGO_MANIFEST_DIR").join("built/report.html")).unwrap_or_default();
    if let Err(error) = fs::write(folder("OUT_DIR").join("report.html"), page) {
        println!("cargo::error=the report's page cannot be copied: {error}");
    }
}
