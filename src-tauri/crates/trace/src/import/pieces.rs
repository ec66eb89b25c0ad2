//! Pieces of a capture file that comes little by little: where each record begins and ends, and when it was stamped.
//!
//! Sans-IO. [`super::read`] decides what records mean, from whole ones; this only finds their borders, so that a reader
//! of a file without end can keep some of them and forget the others. pcap and pcapng have such borders.

use super::ImportError;
use super::format::{pcap, pcapng};
use super::piece::{Found, Piece, PieceKind};

/// Most octets of descriptions (a section, its interfaces, names of addresses) that are kept. Chosen here: a hundred
/// interfaces take some 10 kB, and what is read again with every window must stay small.
const MOST_HEAD: usize = 1 << 20;

/// Returns the name of the packing that the first octets of a file show (RFC 1952 §2.3.1, RFC 8878 §3.1.1); `None`
/// without one.
fn packing(octets: &[u8]) -> Option<&'static str> {
    match octets {
        [0x1f, 0x8b, ..] => Some("gzip"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("Zstandard"),
        _ => None,
    }
}

/// Layout of the file that is being cut.
#[derive(Debug)]
enum Layout {
    Unknown,
    Pcap(pcap::Cutter),
    Pcapng(pcapng::Cutter),
}

/// Cuts the octets of a file into pieces, as they come.
#[derive(Debug)]
pub struct Pieces {
    buffer: Vec<u8>,
    /// Octets of the buffer that were returned already.
    taken: usize,
    /// Offset of the next piece in the file, octets.
    offset: u64,
    layout: Layout,
    head: Vec<u8>,
    skipped: u64,
}

impl Default for Pieces {
    fn default() -> Self {
        Self::new()
    }
}

impl Pieces {
    /// Begins at the start of a file.
    #[must_use]
    pub const fn new() -> Self {
        Self { buffer: Vec::new(), taken: 0, offset: 0, layout: Layout::Unknown, head: Vec::new(), skipped: 0 }
    }

    /// Goes on at octet `offset` of a file whose [`Self::head`] there was `head`.
    ///
    /// # Errors
    /// [`ImportError`] where `head` is not the head of a capture.
    pub fn resume(head: &[u8], offset: u64) -> Result<Self, ImportError> {
        let mut pieces = Self::new();
        pieces.push(head);
        while pieces.next_piece()?.is_some() {}
        pieces.buffer.clear();
        (pieces.taken, pieces.offset) = (0, offset);
        Ok(pieces)
    }

    /// Appends the next octets of the file.
    pub fn push(&mut self, octets: &[u8]) {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(octets);
    }

    /// Returns the descriptions that hold for the next piece: header, interfaces, names; itself the beginning of a
    /// capture file.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns the offset of the next piece in the file, octets.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of octets so far that are no piece and were skipped.
    #[must_use]
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Returns the next whole piece; `None` until more octets come.
    ///
    /// # Errors
    /// [`ImportError`] where this is no capture, or one of another format than pcap and pcapng.
    pub fn next_piece(&mut self) -> Result<Option<Piece<'_>>, ImportError> {
        loop {
            let octets = self.buffer.get(self.taken..).unwrap_or_default();
            let found = match &mut self.layout {
                Layout::Unknown => match Self::layout(octets)? {
                    Some(layout) => {
                        self.layout = layout;
                        continue;
                    }
                    None => return Ok(None),
                },
                Layout::Pcap(cutter) => cutter.cut(octets),
                Layout::Pcapng(cutter) => cutter.cut(octets),
            };
            match found {
                Found::Cut => return Ok(None),
                Found::Garbage => {
                    let n = match &self.layout {
                        Layout::Pcap(cutter) => cutter.search(octets),
                        Layout::Pcapng(cutter) => cutter.search(octets),
                        Layout::Unknown => None,
                    };
                    let Some(n) = n else { return Ok(None) };
                    self.taken += n;
                    self.offset += n as u64;
                    self.skipped += n as u64;
                }
                Found::Piece(length, kind) => {
                    let (start, at) = (self.taken, self.offset);
                    self.taken += length;
                    self.offset += length as u64;
                    let piece = self.buffer.get(start..self.taken).unwrap_or_default();
                    if kind == PieceKind::Begin {
                        self.head.clear();
                    }
                    if matches!(kind, PieceKind::Begin | PieceKind::Describe)
                        && self.head.len() + piece.len() <= MOST_HEAD
                    {
                        self.head.extend_from_slice(piece);
                    }
                    return Ok(Some(Piece { offset: at, kind, octets: piece }));
                }
            }
        }
    }

    /// Returns the layout that the first octets show; `None` until there are enough.
    ///
    /// # Errors
    /// [`ImportError::Unrecognised`] for other formats.
    fn layout(octets: &[u8]) -> Result<Option<Layout>, ImportError> {
        if octets.len() < 4 {
            return Ok(None);
        }
        if let Some(layout) = pcap::Layout::of(octets) {
            return Ok(Some(Layout::Pcap(pcap::Cutter::new(layout))));
        }
        if pcapng::is_section_header(octets) {
            return Ok(Some(Layout::Pcapng(pcapng::Cutter::default())));
        }
        let what = match packing(octets) {
            Some(packing) => format!("A file is watched as it grows, unpacked, and this one is packed with {packing}."),
            None => "A file is watched as pcap or pcapng, and this is neither.".to_owned(),
        };
        Err(ImportError::Unrecognised { what })
    }
}
