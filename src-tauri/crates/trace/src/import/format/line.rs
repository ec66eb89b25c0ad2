//! Lines of a text file, numbers and hexadecimal digits in them.

use crate::import::ImportError;
use crate::import::builder::CaptureBuilder;
use crate::import::stream::Stream;
use base::{Layer, Notes};

/// Longest line that is read, octets. Chosen here: a frame of 127 octets that ten thousand motes heard takes less.
const LONGEST: usize = 64 * 1024;

/// Place of a line in its file.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Number of the line, from 1.
    pub(crate) line: u64,
    /// Offset of its first octet in the unpacked file, octets.
    pub(crate) offset: u64,
    /// True where the file ends before the line does.
    pub(crate) is_cut: bool,
}

impl Place {
    /// Notes that the line was left out; `why` is a clause in plain words.
    pub(crate) fn skip(self, notes: &mut Notes, why: &str) {
        let Self { line, offset, .. } = self;
        notes.tally(Layer::File, "row-skipped", None, Some(offset), || format!("line {line} was skipped: {why}"));
    }

    /// Notes in `builder` that the line, which may be cut, was left out.
    pub(super) fn skip_row(self, builder: &mut CaptureBuilder, why: &str) {
        let Self { line, offset, is_cut } = self;
        match is_cut {
            true => builder.note_cut(offset, || format!("the file ends within line {line}, which was left out")),
            false => self.skip(&mut builder.notes, why),
        }
    }
}

/// Result of looking for the end of a line.
enum Found {
    /// Length of the line, octets; a line feed follows.
    Whole(usize),
    /// Length of the line, octets; the end of the file follows.
    Cut(usize),
    /// Octets held, more than [`LONGEST`], without an end of the line.
    Long(usize),
    /// The file has ended.
    End,
}

/// Iterator over the lines of a file; skips a byte order mark.
#[derive(Default)]
pub(crate) struct Lines {
    line: u64,
    /// Octets of the last line, which are consumed at the next call.
    taken: usize,
}

impl Lines {
    /// Returns the next line, without its end and the blanks around it, and its place; `None` at the end of the file. A
    /// line longer than [`LONGEST`] is skipped with a note.
    ///
    /// # Errors
    /// Errors of the stream.
    pub(crate) fn next<'s>(
        &mut self,
        stream: &'s mut Stream<'_>,
        notes: &mut Notes,
    ) -> Result<Option<(Place, &'s [u8])>, ImportError> {
        stream.consume(self.taken);
        self.taken = 0;
        if self.line == 0 && stream.fill(3)? >= 3 && stream.octets().starts_with(b"\xef\xbb\xbf") {
            stream.consume(3);
        }
        loop {
            let offset = stream.offset();
            self.line += 1;
            let (length, is_cut) = match find_end(stream)? {
                Found::End => return Ok(None),
                Found::Long(n) => {
                    stream.consume(n);
                    Place { line: self.line, offset, is_cut: false }.skip(notes, "it is far too long for a row");
                    skip_line(stream)?;
                    continue;
                }
                Found::Whole(length) => (length, false),
                Found::Cut(length) => (length, true),
            };
            self.taken = length + usize::from(!is_cut);
            let line = stream.octets().get(..length).unwrap_or_default().trim_ascii();
            return Ok(Some((Place { line: self.line, offset, is_cut }, line)));
        }
    }
}

fn find_end(stream: &mut Stream<'_>) -> Result<Found, ImportError> {
    let mut seen = 0;
    loop {
        let held = stream.fill(seen + 1)?;
        let fresh = stream.octets().get(seen..).unwrap_or_default();
        if let Some(at) = fresh.iter().position(|&octet| octet == b'\n') {
            return Ok(Found::Whole(seen + at));
        }
        match held {
            0 => return Ok(Found::End),
            _ if held == seen => return Ok(Found::Cut(held)),
            _ if held > LONGEST => return Ok(Found::Long(held)),
            _ => seen = held,
        }
    }
}

fn skip_line(stream: &mut Stream<'_>) -> Result<(), ImportError> {
    loop {
        let held = stream.fill(1)?;
        match stream.octets().iter().position(|&octet| octet == b'\n') {
            Some(at) => {
                stream.consume(at + 1);
                return Ok(());
            }
            None if held == 0 => return Ok(()),
            None => stream.consume(held),
        }
    }
}

/// Parses a decimal number without a sign; `None` for other text and where it does not fit `T`.
pub(crate) fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    let digits = std::str::from_utf8(digits).ok().filter(|text| text.starts_with(|c: char| c.is_ascii_digit()))?;
    digits.parse().ok()
}

/// Appends the octets that pairs of hexadecimal digits encode; blanks may stand between pairs. `None` for other text.
pub(crate) fn octets(mut digits: &[u8], into: &mut Vec<u8>) -> Option<()> {
    /// Value of each hexadecimal digit, by character; 0xff for all others.
    const VALUE: [u8; 256] = {
        let mut table = [0xff; 256];
        let mut i = 0;
        while i < 16 {
            table[b"0123456789ABCDEF"[i] as usize] = i as u8;
            table[b"0123456789abcdef"[i] as usize] = i as u8;
            i += 1;
        }
        table
    };
    loop {
        match digits {
            [] => return Some(()),
            [b' ' | b'\t', rest @ ..] => digits = rest,
            [high, low, rest @ ..] => {
                let (high, low) = (VALUE[usize::from(*high)], VALUE[usize::from(*low)]);
                if (high | low) & 0xf0 != 0 {
                    return None;
                }
                into.push(high << 4 | low);
                digits = rest;
            }
            [_] => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        let decoded = |text: &str| {
            let mut octets = Vec::new();
            super::octets(text.as_bytes(), &mut octets).map(|()| octets)
        };
        assert_eq!(decoded("02000131 a4F"), None);
        assert_eq!(decoded("02000131 a4Fe"), Some(vec![2, 0, 1, 0x31, 0xa4, 0xfe]));
        assert_eq!(decoded("0 2"), None);
        assert_eq!(decoded(""), Some(vec![]));
        assert_eq!(number::<u8>(b"+1"), None);
    }
}
