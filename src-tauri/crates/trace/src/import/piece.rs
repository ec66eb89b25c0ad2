//! A piece of a capture file: a header, a record, or something beside them.

use base::Instant;

/// The part that a piece has in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// Begins a file or section: what was described before says nothing of what follows.
    Begin,
    /// Describes what follows: an interface, names of addresses.
    Describe,
    /// One frame, stamped so from the Unix epoch; [`Instant::MIN`] where it has no time stamp.
    Frame(Instant),
    /// Something else: statistics, secrets, a damaged record.
    Beside,
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<'a> {
    /// Its place in the file, octets.
    pub offset: u64,
    /// Its part in the file.
    pub kind: PieceKind,
    /// All of it, its header included.
    pub octets: &'a [u8],
}

/// Result of looking for a piece at the beginning of some octets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Found {
    /// So many octets.
    Piece(usize, PieceKind),
    /// It is not whole yet.
    Cut,
    /// No piece begins here.
    Garbage,
}
