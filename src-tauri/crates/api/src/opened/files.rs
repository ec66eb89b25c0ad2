//! Files of a capture: name, place and SHA-256, and files that are read beside it without being named.

use crate::view::FileView;
use crate::{Error, Progress};
use base::Cancelled;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Name of the file that says which timer ran in the capture beside it.
pub const RAN: &str = "ran.json";

/// Returns the files that are read beside `capture`, where they exist: its mote log, its lists of nodes, and its
/// `ran.json`.
#[must_use]
pub fn read_beside(capture: &Path) -> Vec<PathBuf> {
    let ran = Some(capture.with_file_name(RAN)).filter(|path| path.is_file());
    trace::mote_log_beside(capture).into_iter().chain(trace::node_lists_beside(capture)).chain(ran).collect()
}

/// Returns the length of the file at `path`, octets; 0 where it is not known.
pub(crate) fn octets_of(path: &Path) -> u64 {
    std::fs::metadata(path).map(|m| m.len()).unwrap_or(0)
}

/// Returns name, path and SHA-256 of a file. `progress` counts octets.
///
/// # Errors
/// [`crate::Code::Capture`] when it cannot be read, [`crate::Code::Cancelled`].
pub fn file_view(path: &Path, progress: &mut dyn Progress) -> Result<FileView, Error> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let sha256 = match file_sha256(path, progress)? {
        Ok(sha256) => sha256,
        Err(source) => return Err(trace::ImportError::Read { name, source }.into()),
    };
    Ok(FileView { name, path: Some(path.display().to_string()), sha256 })
}

/// Returns the SHA-256 of the file at `path`, lower-case hex; inside, the error where it cannot be read. `progress`
/// counts octets.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(crate) fn file_sha256(path: &Path, progress: &mut dyn Progress) -> Result<io::Result<String>, Cancelled> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return Ok(Err(error)),
    };
    let (total, mut done) = (octets_of(path), 0);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        if progress.tick(done, total).is_break() {
            return Err(Cancelled);
        }
        match file.read(&mut buffer) {
            Ok(0) => return Ok(Ok(hex(hash))),
            Ok(octets) => {
                hash.update(buffer.get(..octets).unwrap_or_default());
                done += octets as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// Returns the SHA-256 of everything that `source` gives, lower-case hex.
///
/// # Errors
/// When `source` cannot be read.
pub fn sha256(mut source: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut source, &mut hash)?;
    Ok(hex(hash))
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, octet| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{octet:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn digest_of_nothing() {
        // FIPS 180-4 example: SHA-256 of the empty message.
        let expect = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(&b""[..]).unwrap(), expect);
    }
}
