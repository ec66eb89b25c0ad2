//! A capture on the standard input, as `tcpdump -w - |` gives it: this test runs itself, and only itself, with a pipe.

use crate::make;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use trace::ImportOptions;

#[test]
fn a_pipe_is_read_to_its_end() {
    const INNER: &str = "RTOSCOPE_READ_STDIN";
    if std::env::var_os(INNER).is_some() {
        let capture = trace::open(Path::new("-"), &ImportOptions::default(), &mut base::Silent).unwrap();
        assert_eq!((capture.frames.len(), capture.name.as_str()), (40, "standard input"));
        return;
    }
    let octets = make::Pcap::of_talk(make::Order::Big, 40).octets;
    for cut in [0, 50] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "stdin::a_pipe_is_read_to_its_end"])
            .env(INNER, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        for piece in octets[..octets.len() - cut].chunks(7) {
            pipe.write_all(piece).unwrap();
        }
        drop(pipe);
        assert_eq!(child.wait().unwrap().success(), cut == 0);
    }
}
