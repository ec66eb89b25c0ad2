//! Files that `watch` reads: one that grows, is truncated or replaced; a folder in order of numbers; standard input.

use anyhow::Context as _;
use api::watch::Place;
use api::{GrowingFile, Grown, HEAD_OCTETS, Pieces};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;

/// Octets at a file's beginning by which it is recognised as a capture. Chosen here: more than any header needs.
const FIRST: usize = 64;

/// Octets of a block of standard input, and blocks that wait. Chosen here: 256 KiB in all; [`Files::look`] takes one.
const BLOCK: usize = 1 << 16;
const BLOCKS: usize = 4;

/// Result of a look ([`Files::look`]): octets, another file, nothing new, or the end.
#[derive(Debug)]
pub enum Look {
    /// Number of octets read of the current file into the buffer; 0 where the caller shall look again at once.
    Octets(usize),
    /// Another file begins, no octet was read; `is_known` where it was read before a restart.
    File { is_known: bool },
    /// Nothing is new; the caller waits before it looks again.
    Nothing,
    /// Standard input has ended.
    End,
}

/// A file that was read, with the hash by which it is found again after a restart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    number: u32,
    path: PathBuf,
    /// Number of its first octets, at most [`HEAD_OCTETS`], and their SHA-256 in hexadecimal.
    head: (usize, String),
}

impl Known {
    /// Returns the object of the state's file: `number`, `path`, `octets`, `sha256`.
    pub fn to_json(&self) -> Value {
        json!({ "number": self.number, "path": self.path, "octets": self.head.0, "sha256": self.head.1 })
    }

    /// Reads the object that [`Known::to_json`] writes; `None` where a field is missing or of another type.
    pub fn from_json(value: &Value) -> Option<Self> {
        let number = u32::try_from(value.get("number")?.as_u64()?).ok()?;
        let octets = usize::try_from(value.get("octets")?.as_u64()?).ok()?;
        let text = |name: &str| Some(value.get(name)?.as_str()?.to_owned());
        Some(Self { number, path: text("path")?.into(), head: (octets, text("sha256")?) })
    }

    /// Returns the path of the file with this hash: the old path, else another capture in its folder.
    fn find(&self) -> Option<PathBuf> {
        let is_it = |path: &Path| head_of(path, self.head.0).is_some_and(|(_, head)| head == self.head);
        if is_it(&self.path) {
            return Some(self.path.clone());
        }
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        captures_in(folder).ok()?.into_iter().find(|path| is_it(path))
    }
}

/// Returns the first octets of a file, at most `most`, with their number and hash; `None` where it cannot be read.
fn head_of(path: &Path, most: usize) -> Option<(Vec<u8>, (usize, String))> {
    let head = api::head_of(path, most)?;
    let sum = api::sha256(&head[..]).ok()?;
    let length = head.len();
    Some((head, (length, sum)))
}

/// The file that is being read.
#[derive(Debug)]
struct Open {
    file: GrowingFile,
    /// Whether a next file was there when the end was last met: no more octets come after the end is met again.
    is_left: bool,
}

/// Source of octets; standard input comes in blocks, an empty one at its end.
#[derive(Debug)]
enum Source {
    File(PathBuf),
    Folder(PathBuf),
    Standard(Receiver<std::io::Result<Vec<u8>>>),
}

/// Reader of the watched files, one after the other.
#[derive(Debug)]
pub struct Files {
    from: Source,
    open: Option<Open>,
    /// Files after the current one that were read before a restart and are to be read again, in order.
    again: VecDeque<(Known, PathBuf)>,
    /// Whether every file that was read before a restart was found again.
    has_all: bool,
    known: Vec<Known>,
    next: u32,
    words: Vec<String>,
}

impl Files {
    /// Reads from the start of the file or folder at `path`, which need not exist; `-`: standard input. Never errs.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let from = if path.as_os_str() == "-" {
            Source::Standard(standard_input())
        } else if path.is_dir() {
            Source::Folder(path.to_owned())
        } else {
            Source::File(path.to_owned())
        };
        Ok(Self {
            from,
            open: None,
            again: VecDeque::new(),
            has_all: true,
            known: Vec::new(),
            next: 1,
            words: Vec::new(),
        })
    }

    /// Returns a reader that goes on at `place` with files `known` from an earlier run; fails where one is unreadable.
    pub fn resume(path: &Path, known: Vec<Known>, place: Place) -> anyhow::Result<Self> {
        let mut files = Self::new(path)?;
        let mut first = None;
        for one in known.into_iter().filter(|one| one.number >= place.file) {
            match one.find() {
                Some(found) if one.number == place.file => first = Some((one, found)),
                Some(found) => files.again.push_back((one, found)),
                None => {
                    files.has_all = false;
                    files.words.push(format!(
                        "{} is gone since the last run: what it held that was not said yet is lost; files after it are read anew",
                        one.path.display()
                    ));
                }
            }
        }
        // The watch counts the files that come.
        files.next = place.file + 1;
        for (known, _) in &mut files.again {
            known.number = files.next;
            files.next += 1;
        }
        if let Some((one, found)) = first {
            files.known.push(one);
            files.open = Some(open(&found, place.offset)?);
        }
        Ok(files)
    }

    /// Returns the path of the current file, or else of the watched file or folder, for errors.
    pub fn name(&self) -> String {
        match (&self.open, &self.from) {
            (Some(open), _) => open.file.path().display().to_string(),
            (None, Source::File(path) | Source::Folder(path)) => path.display().to_string(),
            (None, Source::Standard(_)) => "standard input".to_owned(),
        }
    }

    /// Returns the files that are needed after a restart, in order of their numbers.
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    /// Forgets files with numbers below `number`, and renews the hash of the last one where it has grown.
    pub fn forget_before(&mut self, number: u32) {
        self.known.retain(|one| one.number >= number);
        // Its head may have grown since it was opened.
        if let (Some(open), Some(last)) = (&self.open, self.known.last_mut())
            && last.head.0 < HEAD_OCTETS
            && let Some((_, head)) = head_of(open.file.path(), HEAD_OCTETS)
            && open.file.is_at_path()
        {
            last.head = head;
        }
    }

    /// Takes the sentences for the user on files that were missing, truncated or replaced.
    pub fn take_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.words)
    }

    /// Reads octets into `buffer`, or goes on to the next file; fails where one is unreadable. Waits for standard
    /// input.
    pub fn look(&mut self, buffer: &mut [u8]) -> anyhow::Result<Look> {
        if let Source::Standard(receiver) = &self.from {
            return from_standard(receiver, buffer);
        }
        let name = self.name();
        let Some(open) = &mut self.open else { return self.begin() };
        match open.file.read(buffer).context(name.clone())? {
            Grown::Octets(n) => {
                open.is_left = false;
                Ok(Look::Octets(n))
            }
            Grown::Cut => {
                // Nothing more can come of what it was.
                open.is_left = true;
                let path = open.file.path().to_owned();
                self.switch(&path, None, Some(format!("{name} was cut and began anew")))
            }
            Grown::End => self.begin(),
        }
    }

    /// Goes on to the next file; [`Look::Nothing`] where there is none.
    fn begin(&mut self) -> anyhow::Result<Look> {
        if let Some((known, path)) = self.again.pop_front() {
            return self.switch(&path, Some(known), None);
        }
        match &self.from {
            Source::File(path) if path.is_file() => match &self.open {
                Some(open) if open.file.is_at_path() && api::is_same_file(open.file.path(), path) => Ok(Look::Nothing),
                was => {
                    let replaced = || format!("{} was replaced: the old file was read to its end", path.display());
                    let (words, path) = (was.is_some().then(replaced), path.clone());
                    self.switch(&path, None, words)
                }
            },
            Source::Folder(folder) => {
                let captures = captures_in(folder).with_context(|| folder.display().to_string())?;
                let key = self.open.as_ref().map(|open| natural(open.file.path()));
                let next = captures.into_iter().find(|path| key.as_ref().is_none_or(|key| natural(path) > *key));
                next.map_or(Ok(Look::Nothing), |path| self.switch(&path, None, None))
            }
            Source::File(_) | Source::Standard(_) => Ok(Look::Nothing),
        }
    }

    /// Goes on to the file at `path` once the current one ended with that one there, with `words` for the user.
    fn switch(&mut self, path: &Path, known: Option<Known>, words: Option<String>) -> anyhow::Result<Look> {
        // Its writer may have written the last octets after the last read, and before it began the next.
        if let Some(open) = &mut self.open
            && !std::mem::replace(&mut open.is_left, true)
        {
            if let Some(known) = known {
                self.again.push_front((known, path.to_owned()));
            }
            return Ok(Look::Octets(0));
        }
        // A file that is no capture yet may become one.
        let Some((_, head)) = head_of(path, HEAD_OCTETS).filter(|(octets, _)| octets.len() >= 4) else {
            return Ok(Look::Nothing);
        };
        self.open = Some(open(path, 0)?);
        self.words.extend(words);
        let is_known = known.is_some() && self.has_all;
        let known = known.unwrap_or_else(|| {
            self.next += 1;
            Known { number: self.next - 1, path: path.to_owned(), head }
        });
        self.known.push(known);
        Ok(Look::File { is_known })
    }
}

fn open(path: &Path, offset: u64) -> anyhow::Result<Open> {
    let file = GrowingFile::open(path, offset).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Open { file, is_left: false })
}

/// Returns the files of a folder that begin as pcap or pcapng, in natural order. Fails where it cannot be read.
fn captures_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let is_capture = |path: &PathBuf| {
        let head = head_of(path, FIRST).map(|(octets, _)| octets).unwrap_or_default();
        let mut pieces = Pieces::new();
        pieces.push(&head);
        head.len() >= 4 && pieces.next_piece().is_ok()
    };
    let mut captures: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    captures.retain(|path| path.is_file() && is_capture(path));
    captures.sort_by_key(|path| natural(path));
    Ok(captures)
}

/// Key of natural order, texts and numbers: tcpdump -C writes `a.pcap1`, `a.pcap10`, dumpcap -b `a_00001_….pcapng`.
fn natural(path: &Path) -> Vec<(String, u128)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut parts = Vec::new();
    let mut rest = name.as_str();
    while !rest.is_empty() {
        let words = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(words);
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(digits);
        parts.push((word.to_owned(), number.parse().unwrap_or(0)));
        rest = after;
    }
    parts
}

/// Reads standard input in a thread of its own, so that Ctrl-C need not wait for its writer.
fn standard_input() -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(BLOCKS);
    thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut block = vec![0; BLOCK];
            let read = input.read(&mut block).map(|n| {
                block.truncate(n);
                block
            });
            let is_end = read.as_ref().is_ok_and(Vec::is_empty);
            let is_interrupted = read.as_ref().is_err_and(|error| error.kind() == ErrorKind::Interrupted);
            if !is_interrupted && (sender.send(read).is_err() || is_end) {
                return;
            }
        }
    });
    receiver
}

fn from_standard(receiver: &Receiver<std::io::Result<Vec<u8>>>, buffer: &mut [u8]) -> anyhow::Result<Look> {
    match receiver.recv_timeout(super::LOOK) {
        Ok(Ok(block)) if block.is_empty() => Ok(Look::End),
        Ok(Ok(block)) => {
            if let Some(place) = buffer.get_mut(..block.len()) {
                place.copy_from_slice(&block);
            }
            Ok(Look::Octets(block.len()))
        }
        Ok(Err(error)) => Err(error).context("standard input"),
        // Not the end: nothing came yet.
        Err(RecvTimeoutError::Timeout) => Ok(Look::Octets(0)),
        Err(RecvTimeoutError::Disconnected) => Ok(Look::End),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_numbers() {
        let mut names =
            ["b", "a.pcap10", "a.pcap", "a.pcap2", "a_00002_x.pcapng", "a_00010_x.pcapng"].map(PathBuf::from);
        names.sort_by_key(|path| natural(path));
        let sorted: Vec<&str> = names.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(sorted, ["a.pcap", "a.pcap2", "a.pcap10", "a_00002_x.pcapng", "a_00010_x.pcapng", "b"]);
    }
}
