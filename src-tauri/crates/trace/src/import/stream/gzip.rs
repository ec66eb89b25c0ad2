//! gzip, RFC 1952: any number of members, unpacked as they are read.
//!
//! flate2's `MultiGzDecoder` loses up to 32 KiB that were unpacked before the damage it reports; a
//! capture cut by a full disk or a broken download should lose nothing that is still there. So the member
//! format is read here and only deflate is flate2's.

use super::{CHUNK, Source, read_some};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io;

/// Unpacks a gzip file. The first error ends it; all octets before it were handed out.
pub(super) struct Gunzip<'a> {
    source: Source<'a>,
    packed: Vec<u8>,
    start: usize,
    taken: u64,
    state: State,
    failure: Option<io::Error>,
    members: u32,
}

enum State {
    Header,
    Body { inflate: Box<Decompress>, crc: Crc },
    End,
}

/// Bits of a member's FLG octet (RFC 1952, 2.3.1).
mod flag {
    /// FHCRC: a CRC of the header follows.
    pub(super) const HCRC: u8 = 2;
    /// FEXTRA: extra fields follow.
    pub(super) const EXTRA: u8 = 4;
    /// FNAME: a file name follows, ended by a zero.
    pub(super) const NAME: u8 = 8;
    /// FCOMMENT: a comment follows, ended by a zero.
    pub(super) const COMMENT: u8 = 16;
}

impl<'a> Gunzip<'a> {
    /// Unpacks `packed`, of which `taken` octets were read from `source`, and the rest of `source`.
    pub(super) fn new(source: Source<'a>, packed: Vec<u8>, taken: u64) -> Self {
        Self { source, packed, start: 0, taken, state: State::Header, failure: None, members: 0 }
    }

    /// Returns the number of octets taken from the source.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Reads some unpacked octets into `into`, and returns their number; 0 at the end.
    ///
    /// # Errors
    /// Errors of the source, and damage, after all octets before it.
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = self.failure.take() {
            self.state = State::End;
            return Err(failure);
        }
        let mut done = 0;
        while done == 0 {
            let step = match &self.state {
                State::End => return Ok(0),
                State::Header => self.header().map(|()| 0),
                State::Body { .. } => self.body(into, &mut done),
            };
            if let Err(failure) = step {
                if done == 0 {
                    self.state = State::End;
                    return Err(failure);
                }
                self.failure = Some(failure);
            }
        }
        Ok(done)
    }

    fn body(&mut self, into: &mut [u8], done: &mut usize) -> io::Result<usize> {
        if self.start == self.packed.len() {
            self.refill()?;
        }
        let State::Body { inflate, crc } = &mut self.state else { return Ok(0) };
        let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
        let outcome = inflate.decompress(&self.packed[self.start..], into, FlushDecompress::None);
        // The counts are true even where the call failed: octets before the damage are kept.
        let n = (inflate.total_out() - before_out) as usize;
        self.start += (inflate.total_in() - before_in) as usize;
        *done = n.min(into.len());
        crc.update(&into[..*done]);
        let stuck = *done == 0 && inflate.total_in() == before_in;
        match outcome {
            Ok(Status::StreamEnd) => self.trailer()?,
            Ok(_) if stuck && self.start == self.packed.len() => self.refill()?,
            Ok(_) if stuck => return Err(self.damage("its deflate stream makes no progress")),
            Ok(_) => {}
            Err(_) => return Err(self.damage("its deflate stream is damaged")),
        }
        Ok(n)
    }

    fn header(&mut self) -> io::Result<()> {
        if self.members > 0 && !self.at_member()? {
            self.state = State::End;
            return Ok(());
        }
        let fixed: [u8; 10] = self.array()?;
        let flags = fixed[3];
        if flags & flag::EXTRA != 0 {
            let [lo, hi] = self.array()?;
            for _ in 0..u16::from_le_bytes([lo, hi]) {
                self.octet()?;
            }
        }
        for text in [flag::NAME, flag::COMMENT] {
            while flags & text != 0 && self.octet()? != 0 {}
        }
        if flags & flag::HCRC != 0 {
            self.array::<2>()?;
        }
        self.members += 1;
        self.state = State::Body { inflate: Box::new(Decompress::new(false)), crc: Crc::new() };
        Ok(())
    }

    /// Returns whether another member follows. Zeros between are padding.
    ///
    /// # Errors
    /// Other octets behind the last member, and errors of the source.
    fn at_member(&mut self) -> io::Result<bool> {
        loop {
            match self.peek()? {
                None => return Ok(false),
                Some(0x1f) => return Ok(true),
                Some(0) => self.start += 1,
                Some(_) => return Err(self.damage("what follows its last member is not gzip and was not read")),
            }
        }
    }

    fn trailer(&mut self) -> io::Result<()> {
        let State::Body { inflate, crc } = &self.state else { return Ok(()) };
        let (sum, size) = (crc.sum(), inflate.total_out() as u32);
        self.state = State::Header;
        let stored: [u8; 8] = self.array()?;
        let [a, b, c, d, e, f, g, h] = stored;
        match u32::from_le_bytes([a, b, c, d]) == sum && u32::from_le_bytes([e, f, g, h]) == size {
            true => Ok(()),
            false => Err(self.damage("its checksum does not match; what it unpacks to may be wrong")),
        }
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut octets = [0; N];
        for octet in &mut octets {
            *octet = self.octet()?;
        }
        Ok(octets)
    }

    fn octet(&mut self) -> io::Result<u8> {
        match self.peek()? {
            Some(octet) => {
                self.start += 1;
                Ok(octet)
            }
            None => Err(self.damage("it ends early")),
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.start == self.packed.len() && !self.try_refill()? {
            return Ok(None);
        }
        Ok(self.packed.get(self.start).copied())
    }

    fn refill(&mut self) -> io::Result<()> {
        if self.try_refill()? { Ok(()) } else { Err(self.damage("it ends early")) }
    }

    fn try_refill(&mut self) -> io::Result<bool> {
        self.packed.resize(CHUNK, 0);
        self.start = 0;
        let n = read_some(&mut self.source, &mut self.packed);
        self.packed.truncate(*n.as_ref().unwrap_or(&0));
        self.taken += self.packed.len() as u64;
        n.map(|n| n > 0)
    }

    fn damage(&self, what: &str) -> io::Error {
        let at = self.taken - (self.packed.len() - self.start) as u64;
        io::Error::new(io::ErrorKind::InvalidData, format!("the gzip file is damaged near octet {at}: {what}"))
    }
}
