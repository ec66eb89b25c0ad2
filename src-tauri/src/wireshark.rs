//! Handing a frame to Wireshark: the one program this app starts, with nothing but a capture's own path and a number.

use std::process::{Command, Stdio};

use api::view::CaptureView;
use api::{Error, FrameId, Session};
use serde::Serialize;
use std::sync::Arc;
use tauri::State;

/// How it went.
#[derive(Debug, Serialize)]
pub struct Handed {
    /// Wireshark is there and was started.
    started: bool,
    /// What was started, or would be: for a shell.
    command: String,
}

/// Opens Wireshark with the file of `capture` at `frame`, counted from 0.
#[tauri::command]
pub async fn open_in_wireshark(session: State<'_, Arc<Session>>, capture: u32, frame: u32) -> Result<Handed, Error> {
    let captures = session.captures();
    let view = captures.iter().find(|view| view.id == capture).ok_or_else(|| Error::gone("The capture"))?;
    let (path, number) = file(&session, view, frame)?;
    let (path, number) = (path.as_str(), number.to_string());
    let started = Command::new("wireshark")
        .args(["-r", path, "-g", &number])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let command = format!("wireshark -r {} -g {number}", quoted(path));
    Ok(match started {
        Ok(mut child) => {
            // Its end is waited for, so that it does not stay behind as a zombie.
            std::thread::spawn(move || child.wait());
            Handed { started: true, command }
        }
        Err(_) => Handed { started: false, command },
    })
}

/// The file that Wireshark could open, and where the frame is in it.
fn file(session: &Session, view: &CaptureView, frame: u32) -> Result<(String, u64), Error> {
    if view.format.starts_with("Cooja") {
        return Err(Error::request("Wireshark does not read Cooja radio logs; open a pcap of the same run."));
    }
    let bundled =
        || Error::request("This capture is bundled with the app; there is no file that Wireshark could open.");
    session.file_of(view.id, FrameId(frame))?.ok_or_else(bundled)
}

/// `text` as one word of a POSIX shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ':' | ',' | '@' | '%');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_path_is_one_word_of_the_shell() {
        assert_eq!(quoted("/captures/a-1.pcap.gz"), "/captures/a-1.pcap.gz");
        assert_eq!(quoted("/my captures/a.pcap"), "'/my captures/a.pcap'");
        assert_eq!(quoted("it's;rm"), r"'it'\''s;rm'");
        assert_eq!(quoted("$(x)"), "'$(x)'");
    }
}
