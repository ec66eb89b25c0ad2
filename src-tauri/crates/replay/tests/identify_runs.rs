#![allow(clippy::unwrap_used)]
use std::path::*;
use replay::*;
fn main_run(path: &Path, rc: u16) -> Vec<String> {
    let capture = trace::open(path, &trace::ImportOptions::default(), &mut base::Silent).unwrap();
    let options = trace::DecodeOptions { rc_option: rc, ..trace::DecodeOptions::default() };
    let trace = trace::analyse(capture, &options, &mut base::Silent).unwrap();
    let marked = trace.messages.iter().any(|m| m.rc.is_some());
    let record = Record::from_trace(&trace);
    let t = std::time::Instant::now();
    let mut v = identify::debug(&record, Some(marked), &mut base::Silent).unwrap();
    v.push(format!("{:?} marked {marked}", t.elapsed()));
    v
}
#[test]
fn explore() {
    for p in std::env::var("RUNS").unwrap_or_default().split_whitespace() {
        println!("== {p}");
        for l in main_run(Path::new(p), 65002) { println!("   {l}"); }
    }
}
