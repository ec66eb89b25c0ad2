//! A file that something else writes: its octets as they come, and whether it is still the file that it was.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Most octets at a file's start by which it is recognised. Chosen here: its header and some records.
pub const HEAD_OCTETS: usize = 4_096;

/// Result of [`GrowingFile::read`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grown {
    /// Number of octets that were read into the buffer.
    Octets(usize),
    /// End of the file: no new octets.
    End,
    /// The file was cut, and may have been written anew: nothing more comes of what it was.
    Cut,
}

/// Reader of a file that grows.
#[derive(Debug)]
pub struct GrowingFile {
    file: File,
    path: PathBuf,
    /// Octets read so far, an offset in the file.
    read: u64,
    /// First octets of the file, at most [`HEAD_OCTETS`].
    head: Vec<u8>,
    /// Whether the last read met the end.
    was_at_end: bool,
}

impl GrowingFile {
    /// Opens the file at `path`, to be read from octet `offset` on.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: &Path, offset: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut head = Vec::new();
        if offset > 0 {
            file.seek(SeekFrom::Start(offset))?;
            head = head_of(path, HEAD_OCTETS).unwrap_or_default();
        }
        Ok(Self { file, path: path.to_owned(), read: offset, head, was_at_end: false })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of octets read so far, and the length of the file now, at least as many.
    #[must_use]
    pub fn octets(&self) -> (u64, u64) {
        (self.read, self.file.metadata().map_or(self.read, |about| about.len().max(self.read)))
    }

    /// Reads the next octets into `buffer`.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<Grown> {
        let n = loop {
            match self.file.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        let was_at_end = std::mem::replace(&mut self.was_at_end, n == 0);
        let is_cut = match n {
            0 => self.file.metadata().is_ok_and(|about| about.len() < self.read),
            // A file that was cut may have grown beyond its old length since.
            _ => was_at_end && self.is_other(),
        };
        if is_cut {
            return Ok(Grown::Cut);
        }
        if n == 0 {
            return Ok(Grown::End);
        }
        if self.head.len() as u64 == self.read {
            let missing = HEAD_OCTETS.saturating_sub(self.head.len()).min(n);
            self.head.extend_from_slice(buffer.get(..missing).unwrap_or_default());
        }
        self.read += n as u64;
        Ok(Grown::Octets(n))
    }

    /// Whether the open file is still at its path but begins with other octets: it was cut and written anew.
    fn is_other(&self) -> bool {
        self.is_at_path() && head_of(&self.path, self.head.len()).is_some_and(|head| head != self.head)
    }

    /// Returns whether the open file is still the one at its path.
    #[must_use]
    pub fn is_at_path(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let number = |about: fs::Metadata| (about.dev(), about.ino());
            match (self.file.metadata(), fs::metadata(&self.path)) {
                (Ok(one), Ok(other)) => number(one) == number(other),
                _ => false,
            }
        }
        #[cfg(not(unix))]
        {
            // Files have no numbers here: another file is one that is shorter.
            fs::metadata(&self.path).is_ok_and(|about| about.len() >= self.read)
        }
    }
}

/// Returns the first octets of a file, at most `most`; `None` where it cannot be read.
#[must_use]
pub fn head_of(path: &Path, most: usize) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(most as u64).read_to_end(&mut head).ok()?;
    Some(head)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write as _;

    #[test]
    fn a_file_grows_is_cut_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("growing");
        fs::write(&path, b"first").unwrap();
        let mut buffer = [0; 64];
        let mut file = GrowingFile::open(&path, 0).unwrap();
        assert_eq!(file.read(&mut buffer).unwrap(), Grown::Octets(5));
        assert_eq!(file.read(&mut buffer).unwrap(), Grown::End);
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b" more").unwrap();
        assert_eq!(file.octets(), (5, 10));
        assert_eq!((file.read(&mut buffer).unwrap(), file.is_at_path()), (Grown::Octets(5), true));
        assert_eq!(&buffer[..5], b" more");
        assert_eq!(file.read(&mut buffer).unwrap(), Grown::End);
        // Cut, and beyond its old length already.
        fs::write(&path, b"another one that is longer").unwrap();
        assert_eq!(file.read(&mut buffer).unwrap(), Grown::Cut);
        let mut later = GrowingFile::open(&path, 8).unwrap();
        assert_eq!(later.read(&mut buffer).unwrap(), Grown::Octets(18));
        fs::write(&path, b"short").unwrap();
        assert_eq!(later.read(&mut buffer).unwrap(), Grown::Cut);
        fs::remove_file(&path).unwrap();
        assert!(!later.is_at_path());
    }
}
