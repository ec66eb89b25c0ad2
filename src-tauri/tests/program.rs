//! The program as a shell sees it, on a machine without a display.

use std::process::{Command, Output};

fn app(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-app"));
    command.args(words).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    // Neither may GTK find one by itself.
    command.env("XDG_RUNTIME_DIR", "/nowhere").output().expect("rtoscope-app runs")
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |octets: &[u8]| String::from_utf8(octets.to_vec()).expect("UTF-8");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn help_and_version_need_no_window() {
    for word in ["--help", "-h"] {
        let (code, out, err) = said(&app(&[word]));
        assert_eq!((code, err.as_str()), (Some(0), ""));
        assert!(out.contains("Usage: rtoscope-app [CAPTURE...]"), "{out}");
    }
    for word in ["--version", "-V"] {
        let (code, out, err) = said(&app(&[word]));
        assert_eq!((code, err.as_str()), (Some(0), ""));
        // With the commit, as the command line has it.
        let (name, commit) = out.trim_end().split_once(" (").expect("a commit");
        assert_eq!(name, format!("rtoscope-app {}", env!("CARGO_PKG_VERSION")));
        assert!(commit.ends_with(')'), "{out}");
    }
}

#[test]
fn an_unknown_option_is_a_wrong_usage() {
    let (code, out, err) = said(&app(&["--no-such-option"]));
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, "rtoscope-app: there is no option `--no-such-option`; --help lists them.\n");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_it_says_so_in_one_sentence() {
    for words in [&[][..], &["capture.pcap"], &["--", "--help"]] {
        let (code, out, err) = said(&app(words));
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.starts_with("rtoscope-app: there is no display to open a window on"), "{err}");
    }
}

/// Help into a pipe that nobody reads is no failure; into a full disk it is one.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_one_sentence() {
    let into = |sink: std::process::Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-app"));
        said(&command.arg("--help").stdout(sink).output().expect("rtoscope-app runs"))
    };
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let (code, _, err) = into(full.into());
    assert_eq!(code, Some(1));
    assert!(err.starts_with("rtoscope-app: ") && err.lines().count() == 1, "{err}");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(into(writer.into()), (Some(0), String::new(), String::new()));
}
