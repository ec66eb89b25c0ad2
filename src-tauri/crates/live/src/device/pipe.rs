//! Captures that another program writes into a pipe.

use super::{Session, line};
use crate::decode::{Decoder, Event, Pcap, Tally};
use rustix::fs::OFlags;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Reading end of a pipe.
#[derive(Debug)]
pub struct Pipe {
    file: File,
    decoder: Pcap,
    buffer: Box<[u8]>,
}

impl Pipe {
    /// Opens a pipe or file; `-` is the standard input. Errs where it is absent or may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = if path.as_os_str() == "-" {
            File::from(io::stdin().as_fd().try_clone_to_owned()?)
        } else {
            // Without waiting for a writer.
            let flags = i32::try_from(OFlags::NONBLOCK.bits()).map_err(|_| ErrorKind::InvalidInput)?;
            OpenOptions::new().read(true).custom_flags(flags).open(path)?
        };
        Ok(Self { file, decoder: Pcap::default(), buffer: vec![0; 64 * 1024].into() })
    }
}

impl Session for Pipe {
    fn look(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        self.decoder.feed(line::read(&mut self.file, &mut self.buffer)?, events);
        Ok(())
    }

    fn set_channel(&mut self, _: u8, _: &mut Vec<Event>) -> io::Result<()> {
        Ok(())
    }

    /// Reads the octets that were in the pipe before the request to stop.
    fn stop(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        // A bound for a writer that goes on. Chosen here: 64 reads of 64 KiB are four times what a pipe may be made
        // to hold (1 MiB, pipe(7): pipe-max-size).
        for _ in 0..64 {
            let octets = line::read(&mut self.file, &mut self.buffer)?;
            if octets.is_empty() {
                break;
            }
            self.decoder.feed(octets, events);
        }
        Ok(())
    }

    fn tally(&self) -> Tally {
        self.decoder.tally()
    }
}
