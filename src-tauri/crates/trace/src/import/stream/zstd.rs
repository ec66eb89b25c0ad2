//! Zstandard, RFC 8878: any number of frames, unpacked as they are read.
//!
//! ruzstd unpacks one frame at a time; frames that follow, and those to be skipped, are its caller's. What was unpacked
//! before damage is handed out before the damage is reported.

use super::{CHUNK, Source, read_some};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, Read};

/// Largest window that is accepted, octets: the default of `zstd` itself (its `ZSTD_WINDOWLOG_LIMIT_DEFAULT`, 2^27
/// octets). A frame that announces more is refused, so that no header decides how much memory is taken.
const LARGEST_WINDOW: u64 = 1 << 27;

/// Unpacks a Zstandard file. The first error ends it; all octets before it were handed out.
pub(super) struct Unzstd<'a> {
    packed: Packed<'a>,
    decoder: FrameDecoder,
    state: State,
    failure: Option<io::Error>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a frame.
    Header,
    /// In a frame.
    Body,
    /// The end, or damage.
    End,
}

/// Packed octets of the file, counted, with a buffer to look ahead in.
struct Packed<'a> {
    source: Source<'a>,
    buffer: Vec<u8>,
    start: usize,
    taken: u64,
}

impl Packed<'_> {
    /// Reads until at least one octet is in the buffer; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        if self.start == self.buffer.len() {
            self.buffer.resize(CHUNK, 0);
            self.start = 0;
            let n = read_some(&mut self.source, &mut self.buffer);
            self.buffer.truncate(*n.as_ref().unwrap_or(&0));
            self.taken += self.buffer.len() as u64;
            n?;
        }
        Ok(self.start < self.buffer.len())
    }

    /// Returns the offset of the next octet in the file, octets.
    fn offset(&self) -> u64 {
        self.taken - (self.buffer.len() - self.start) as u64
    }
}

impl Read for Packed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.fill()?;
        let held = self.buffer.get(self.start..).unwrap_or_default();
        let n = held.len().min(into.len());
        into[..n].copy_from_slice(&held[..n]);
        self.start += n;
        Ok(n)
    }
}

impl<'a> Unzstd<'a> {
    /// Unpacks `packed`, of which `taken` octets were read from `source`, and the rest of `source`.
    pub(super) fn new(source: Source<'a>, packed: Vec<u8>, taken: u64) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        let packed = Packed { source, buffer: packed, start: 0, taken };
        Self { packed, decoder, state: State::Header, failure: None }
    }

    /// Returns the number of octets taken from the source.
    pub(super) fn taken(&self) -> u64 {
        self.packed.taken
    }

    /// Reads some unpacked octets into `into`, and returns their number; 0 at the end.
    ///
    /// # Errors
    /// Errors of the source, and damage, after all octets before it.
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.decoder.read(into)?;
            if n > 0 || into.is_empty() {
                return Ok(n);
            }
            if let Some(failure) = self.failure.take() {
                self.state = State::End;
                return Err(failure);
            }
            let step = match self.state {
                State::End => return Ok(0),
                State::Header => self.header(),
                State::Body => self.body(),
            };
            if let Err(failure) = step {
                self.failure = Some(failure);
                self.close();
            }
        }
    }

    /// Ends the frame where it is damaged. The decoder keeps a window's worth of octets back until its frame ends: an
    /// empty last block (RFC 8878, 3.1.1.2) and a checksum that nobody compares make it hand them out.
    fn close(&mut self) {
        /// An empty raw block with the mark of the last one (RFC 8878, 3.1.1.2), and a checksum of zeros.
        const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];
        if self.state == State::Body && !self.decoder.is_finished() {
            let _what_was_unpacked_stays = self.decoder.decode_blocks(&LAST_BLOCK[..], BlockDecodingStrategy::All);
        }
        self.state = State::End;
    }

    fn header(&mut self) -> io::Result<()> {
        if !self.packed.fill()? {
            self.state = State::End;
            return Ok(());
        }
        match self.decoder.reset(&mut self.packed) {
            Ok(()) => self.state = State::Body,
            // RFC 8878, 3.1.2: a skippable frame.
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let skipped = io::copy(&mut (&mut self.packed).take(length.into()), &mut io::sink())?;
                if skipped < u64::from(length) {
                    return Err(self.damage("it ends early"));
                }
            }
            Err(error) => return Err(self.failed("header", &error)),
        }
        Ok(())
    }

    fn body(&mut self) -> io::Result<()> {
        if !self.decoder.is_finished() {
            self.decoder
                .decode_blocks(&mut self.packed, BlockDecodingStrategy::UptoBlocks(1))
                .map_err(|error| self.failed("block", &error))?;
            return Ok(());
        }
        self.state = State::Header;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(stored), Some(sum)) if stored != sum => {
                Err(self.damage("its checksum does not match; what it unpacks to may be wrong"))
            }
            _ => Ok(()),
        }
    }

    /// Describes an error of the decoder.
    fn failed(&mut self, part: &str, error: &FrameDecoderError) -> io::Error {
        if let FrameDecoderError::WindowSizeTooBig { requested, .. } = error {
            return self
                .damage(&format!("it asks for a window of {requested} octets, and {LARGEST_WINDOW} are allowed"));
        }
        match self.packed.fill() {
            Ok(true) => self.damage(&format!("what stands there is no frame {part}")),
            Ok(false) => self.damage("it ends early"),
            Err(error) => error,
        }
    }

    fn damage(&self, what: &str) -> io::Error {
        let at = self.packed.offset();
        io::Error::new(io::ErrorKind::InvalidData, format!("the Zstandard file is damaged near octet {at}: {what}"))
    }
}
