//! The toolbar's two pipes (Wireshark's manual, "extcap", Control Protocol): `T`, three octets of length, big-endian,
//! of what follows; the control's number, a command, its value.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;

/// Command that sets the value of a control. Wireshark sends others too, which are skipped.
const SET: u8 = 1;

/// Command that shows a text in the status bar.
const STATUS: u8 = 6;

/// Number of a control of the toolbar, and its new value.
pub type Change = (u8, Vec<u8>);

/// Starts a thread that forwards changes of the toolbar's controls from the pipe at `path` to `to`, until the pipe
/// closes, a message is malformed, or nobody receives. A pipe that cannot be opened has no changes.
pub fn listen(path: PathBuf, to: Sender<Change>) {
    // Opening the pipe waits for Wireshark to open it too.
    thread::spawn(move || {
        let Ok(mut pipe) = File::open(path) else { return };
        while let Ok((control, command, value)) = read(&mut pipe) {
            if command == SET && to.send((control, value)).is_err() {
                break;
            }
        }
    });
}

/// Reads one message: control, command, value. Fails at the end of the pipe and on a malformed message.
fn read(pipe: &mut impl Read) -> io::Result<(u8, u8, Vec<u8>)> {
    let mut head = [0; 4];
    pipe.read_exact(&mut head)?;
    let [b'T', length @ ..] = head else { return Err(io::ErrorKind::InvalidData.into()) };
    let [a, b, c] = length.map(u64::from);
    let length = a << 16 | b << 8 | c;
    let mut body = Vec::new();
    pipe.take(length).read_to_end(&mut body)?;
    match body.split_first_chunk() {
        Some((&[control, command], value)) if body.len() as u64 == length => Ok((control, command, value.to_vec())),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Open pipe of messages to the toolbar.
pub struct Toolbar(File);

impl Toolbar {
    /// Opens the pipe at `path`, which waits until Wireshark has opened it too. Fails where it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().write(true).open(path).map(Self)
    }

    /// Shows `value` in the control with number `control`. Fails where Wireshark has closed the pipe.
    pub fn set(&mut self, control: u8, value: &str) -> io::Result<()> {
        self.write(control, SET, value)
    }

    /// Shows `text` in the status bar. Fails where Wireshark has closed the pipe.
    pub fn status(&mut self, text: &str) -> io::Result<()> {
        self.write(0, STATUS, text)
    }

    fn write(&mut self, control: u8, command: u8, value: &str) -> io::Result<()> {
        self.0.write_all(&message(control, command, value.as_bytes()))
    }
}

/// Returns one message of the Control Protocol; a value is cut at 65,535 octets.
fn message(control: u8, command: u8, value: &[u8]) -> Vec<u8> {
    let value = value.get(..value.len().min(0xffff)).unwrap_or(value);
    let [_, length @ ..] = (value.len() as u32 + 2).to_be_bytes();
    [b"T", &length[..], &[control, command], value].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_written() {
        // The manual's example: control 1 is set to "max".
        let written = message(1, SET, b"max");
        assert_eq!(written, [b'T', 0, 0, 5, 1, 1, b'm', b'a', b'x']);
        assert_eq!(read(&mut &written[..]).unwrap(), (1, SET, b"max".to_vec()));
        for cut in 0..written.len() {
            assert!(read(&mut &written[..cut]).is_err());
        }
        assert!(read(&mut &b"X\0\0\x02\0\0"[..]).is_err());
        assert!(read(&mut &b"T\0\0\x01\0"[..]).is_err());
    }
}
