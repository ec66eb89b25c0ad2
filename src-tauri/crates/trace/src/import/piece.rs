//! A piece of a capture file: a header, a record, or something beside them.

use base::Instant;

/// The part that a piece has in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// Begins a file or section: earlier descriptions do not hold for what follows.
    Begin,
    /// Describes what follows: an interface, names of addresses.
    Describe,
    /// One frame: its time from the Unix epoch; [`Instant::MIN`] where it has no time stamp.
    Frame(Instant),
    /// Something else: statistics, secrets, a damaged record.
    Beside,
}

/// A whole header, record or block of a capture file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<'a> {
    /// Offset of its first octet in the file, octets.
    pub offset: u64,
    /// Part that it has in the file.
    pub kind: PieceKind,
    /// Octets of the piece, its own header included.
    pub octets: &'a [u8],
}

/// Result of looking for a piece at the beginning of some octets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Found {
    /// A piece begins here: its length in octets, and its part in the file.
    Piece(usize, PieceKind),
    /// More octets are needed to tell.
    Cut,
    /// No piece begins here.
    Garbage,
}
