//! Reading from a file descriptor with a limit on the wait.

use super::LOOK;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;

/// Reads the octets that come within [`LOOK`]; empty where none came.
///
/// # Errors
/// [`ErrorKind::UnexpectedEof`] when the other side is gone and everything was read.
pub fn read<'b>(from: &mut (impl Read + AsFd), buffer: &'b mut [u8]) -> io::Result<&'b [u8]> {
    let wait = Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() };
    let mut fds = [PollFd::new(&*from, PollFlags::IN)];
    let ready = match poll(&mut fds, Some(&wait)) {
        Ok(ready) => ready,
        Err(rustix::io::Errno::INTR) => 0,
        Err(error) => return Err(error.into()),
    };
    if ready == 0 {
        return Ok(&[]);
    }
    match from.read(buffer) {
        Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
        Ok(length) => Ok(buffer.get(..length).unwrap_or_default()),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(&[]),
        Err(error) => Err(error),
    }
}
