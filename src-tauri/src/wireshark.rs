//! Start of Wireshark at a frame: the only program that this app starts, with nothing but the path of a capture and a
//! number.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use api::{Error, FrameId, Session, Silent};
use serde::Serialize;
use tauri::State;

/// Outcome of starting Wireshark.
#[derive(Debug, Serialize)]
pub struct Handed {
    /// Whether Wireshark was started.
    started: bool,
    /// Command that was started, or would have been, as a line for a shell.
    command: String,
}

/// Files written for Wireshark, by number of the capture, because the capture's own file is none that it reads.
#[derive(Default)]
pub struct Written(Mutex<BTreeMap<u32, PathBuf>>);

/// Opens Wireshark with the file of `capture` at `frame`, counted from 0. A bundled capture, or one in a format that
/// Wireshark does not know, is written to the folder for temporary files first. Fails on an unknown capture or frame,
/// and where that file cannot be written.
#[tauri::command]
pub async fn open_in_wireshark(
    session: State<'_, Arc<Session>>,
    written: State<'_, Written>,
    capture: u32,
    frame: u32,
) -> Result<Handed, Error> {
    let (path, number) = match session.file_of(capture, FrameId(frame))? {
        Some(file) => file,
        None => (written.file(&session, capture)?, u64::from(frame) + 1),
    };
    Ok(hand("wireshark", &path, number))
}

/// Starts `program` with `path` at packet `number`, counted from 1; a program that is missing is no error.
fn hand(program: &str, path: &str, number: u64) -> Handed {
    let started = asked(program, path, number).spawn();
    let command = format!("{program} -r {} -g {number}", quoted(path));
    match started {
        Ok(mut child) => {
            // Its end is waited for, so that it does not stay behind as a zombie.
            std::thread::spawn(move || child.wait());
            Handed { started: true, command }
        }
        Err(_) => Handed { started: false, command },
    }
}

/// Returns the command that starts Wireshark. `path` is one argument whatever it contains: no shell is involved.
fn asked(program: &str, path: &str, number: u64) -> Command {
    let mut command = Command::new(program);
    command.args(["-r", path, "-g", &number.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Written {
    /// Returns the path of the file of `capture`, written now unless it was before and is still there. Fails where it
    /// cannot be written.
    fn file(&self, session: &Session, capture: u32) -> Result<String, Error> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = written.get(&capture).filter(|path| path.exists()) {
            return Ok(path.to_string_lossy().into_owned());
        }
        let (path, file) = fresh(&std::env::temp_dir(), capture)
            .map_err(|error| Error::request(format!("Cannot write a file for Wireshark: {error}.")))?;
        let mut sink = BufWriter::new(file);
        session
            .write_capture(capture, &mut sink, &mut Silent)?
            .map_err(|error| Error::request(format!("Cannot write {}: {error}.", path.display())))?;
        written.insert(capture, path.clone());
        Ok(path.to_string_lossy().into_owned())
    }
}

/// Creates a file that was not there before, so that no other file is overwritten. Fails where none of 1,001 names is
/// free or the folder cannot be written.
fn fresh(folder: &Path, capture: u32) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    let mut taken = 0_u32;
    loop {
        let path = folder.join(format!("rtoscope-{process}-{capture}-{taken}.pcapng"));
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && taken < 1000 => taken += 1,
            made => return made.map(|file| (path, file)),
        }
    }
}

/// Quotes `text` as one word of a POSIX shell.
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
    use super::{Written, asked, fresh, hand, quoted};
    use api::{FrameId, Session, Silent};
    use serde_json::json;

    #[test]
    fn a_path_is_one_word_of_the_shell() {
        assert_eq!(quoted("/captures/a-1.pcap.gz"), "/captures/a-1.pcap.gz");
        assert_eq!(quoted("/my captures/a.pcap"), "'/my captures/a.pcap'");
        assert_eq!(quoted("it's;rm"), r"'it'\''s;rm'");
        assert_eq!(quoted("$(x)"), "'$(x)'");
    }

    #[test]
    fn it_is_started_with_the_file_and_the_packet_and_nothing_else() {
        let command = asked("wireshark", "/my captures/it's;rm.pcap", 8);
        assert_eq!(command.get_program(), "wireshark");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-r", "/my captures/it's;rm.pcap", "-g", "8"]);
        let (there, gone) = (hand("true", "/a.pcap", 8), hand("no-program-of-this-name", "/a b.pcap", 1));
        assert!(there.started, "a program that takes any words");
        assert_eq!((gone.started, gone.command.as_str()), (false, "no-program-of-this-name -r '/a b.pcap' -g 1"));
    }

    #[test]
    fn a_bundled_capture_is_written_once_with_its_frames_in_order() {
        let session = Session::default();
        session.call("open", json!({ "sample": api::samples()[0].id }), &mut Silent).expect("opened");
        assert_eq!(session.file_of(0, FrameId(7)), Ok(None), "there is no file that Wireshark could open");
        let written = Written::default();
        let path = written.file(&session, 0).expect("written");
        assert_eq!(written.file(&session, 0).expect("there"), path);
        let reply = session.call("open", json!({ "path": &path }), &mut Silent).expect("opened again");
        let api::Reply::Json(view) = reply else { panic!("JSON") };
        let captures = session.captures();
        assert_eq!(captures[1].frames, captures[0].frames, "{view}");
        assert_eq!(session.file_of(1, FrameId(7)), Ok(Some((path.clone(), 8))), "and its eighth packet is frame 7");
        std::fs::remove_file(&path).expect("removed");
        let again = written.file(&session, 0).expect("written again");
        std::fs::remove_file(again).expect("removed");
    }

    #[test]
    fn a_file_that_is_there_is_not_written_to() {
        let folder = std::env::temp_dir();
        let (first, _) = fresh(&folder, u32::MAX).expect("made");
        let (second, _) = fresh(&folder, u32::MAX).expect("made");
        assert_ne!(first, second);
        for path in [first, second] {
            std::fs::remove_file(path).expect("removed");
        }
    }
}
