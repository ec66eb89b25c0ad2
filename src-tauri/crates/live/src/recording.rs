//! A pcapng file that grows by whole blocks, and stays readable when its writer dies.
//!
//! Every frame is one write of one block. A process that is killed leaves whole blocks; a disk that is full may take a
//! part of one, which is cut off again. Interfaces are described when they are first needed, and their counters are
//! written when a device stalls, goes away or ends, not only at the end of the capture.

use crate::decode::Heard;
use crate::output::OutputFile;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trace::export::{Extra, Section, Statistics, Writer};

/// File that blocks are written to, with its length.
#[derive(Debug)]
pub struct Disk {
    file: File,
    /// Number of octets written.
    written: u64,
    /// True for a file, false for a pipe, which cannot be cut.
    is_file: bool,
}

impl Write for Disk {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let taken = self.file.write(octets)?;
        self.written = self.written.saturating_add(taken as u64);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Interface of the file, with its counters.
#[derive(Debug)]
struct Stream {
    number: u32,
    began: i64,
    received: u64,
    dropped: u64,
}

/// Name and description of a device, as the file has them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Name {
    name: String,
    description: String,
}

/// A pcapng file that grows.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    writer: Writer<Disk>,
    devices: Vec<Name>,
    /// Interfaces by device, stream and link type.
    streams: BTreeMap<(usize, u32, u16), Stream>,
    /// Names of streams by device and stream.
    names: BTreeMap<(usize, u32), String>,
    /// Number of octets in whole blocks.
    whole: u64,
    frames: u64,
}

/// Treatment of a file that exists at the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// The file stays and the recording is refused.
    Kept,
    /// The file is replaced.
    Replaced,
}

impl Recording {
    /// Begins a file at `path`, or in the pipe that is there, at `now` nanoseconds from the Unix epoch.
    ///
    /// # Errors
    /// The file cannot be written, or exists and is to be kept.
    pub fn create(path: &Path, existing: Existing, now: i64) -> io::Result<Self> {
        let is_file = path.metadata().map_or(true, |about| about.is_file());
        let file = match existing {
            Existing::Kept if is_file => File::create_new(path)?,
            // The old file goes when the new one is there, not when it cannot be made.
            Existing::Kept | Existing::Replaced => OutputFile::create(path)?.keep_open()?,
        };
        let disk = Disk { file, written: 0, is_file };
        let application = concat!("RTOscope ", env!("CARGO_PKG_VERSION")).to_owned();
        let mut writer = Writer::new(disk, &Section { application, comments: Vec::new(), earliest: now })?;
        let whole = writer.sink().written;
        Ok(Self {
            path: path.to_owned(),
            writer,
            devices: Vec::new(),
            streams: BTreeMap::new(),
            names: BTreeMap::new(),
            whole,
            frames: 0,
        })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of frames written.
    #[must_use]
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the number of octets in whole blocks written.
    #[must_use]
    pub const fn octets(&self) -> u64 {
        self.whole
    }

    /// Announces the next device and returns its number, from 0. With a `link` type, known before it is heard, it gets
    /// its interface now, so that it is in the file even if nothing is heard. `now`: nanoseconds since the Unix epoch.
    ///
    /// # Errors
    /// The disk fails.
    pub fn device(&mut self, name: &str, description: &str, link: Option<u16>, now: i64) -> io::Result<usize> {
        let number = self.devices.len();
        self.devices.push(Name { name: name.to_owned(), description: description.to_owned() });
        if let Some(link) = link {
            self.stream(number, 0, link, now)?;
        }
        Ok(number)
    }

    /// Names a stream of a device, for the description of its interface. To be called before the stream's first frame.
    pub fn name_stream(&mut self, device: usize, stream: u32, name: String) {
        self.names.insert((device, stream), name);
    }

    /// Returns the number of the interface for `stream` of `device`. Interfaces are in the order of their devices,
    /// whatever the order of frames: a device before this one that has sent nothing yet gets one as well, of the same
    /// link type, which is most likely its own.
    fn stream(&mut self, device: usize, stream: u32, link: u16, at: i64) -> io::Result<u32> {
        if let Some(stream) = self.streams.get(&(device, stream, link)) {
            return Ok(stream.number);
        }
        for earlier in 0..device {
            if self.streams.range((earlier, 0, 0)..=(earlier, u32::MAX, u16::MAX)).next().is_none() {
                self.describe(earlier, 0, link, at)?;
            }
        }
        self.describe(device, stream, link, at)
    }

    /// Writes the description of an interface.
    fn describe(&mut self, device: usize, stream: u32, link: u16, at: i64) -> io::Result<u32> {
        let known = self.devices.get(device);
        let (name, description) = known.map_or(("", ""), |known| (known.name.as_str(), known.description.as_str()));
        let name = match self.names.get(&(device, stream)) {
            Some(stream) => format!("{name} {stream}"),
            None if stream == 0 => name.to_owned(),
            None => format!("{name} {stream}"),
        };
        let written = self.writer.interface(link, &name, description);
        let number = self.settled(written)?;
        self.streams.insert((device, stream, link), Stream { number, began: at, received: 0, dropped: 0 });
        Ok(number)
    }

    /// Writes a frame of `device`, received at `at` nanoseconds since the Unix epoch. An empty `comment` is none.
    ///
    /// # Errors
    /// The disk fails; the file then ends with the last whole block.
    pub fn heard(&mut self, device: usize, at: i64, heard: &Heard, comment: &str) -> io::Result<()> {
        let interface = self.stream(device, heard.stream, heard.link, at)?;
        let extra = Extra { dropped: heard.dropped.into(), comment };
        let written = self.writer.received(interface, at, &heard.octets, heard.on_link, extra);
        self.settled(written)?;
        self.frames += 1;
        if let Some(stream) = self.streams.get_mut(&(device, heard.stream, heard.link)) {
            stream.received += 1;
        }
        Ok(())
    }

    /// Writes the counters of the interfaces of `device` at `at`, nanoseconds since the Unix epoch, with the reason in
    /// `comment`. `dropped` counts the frames that the device heard and that are not here, in all. `is_end` is true for
    /// the last statistics.
    ///
    /// # Errors
    /// The disk fails.
    pub fn statistics(&mut self, device: usize, at: i64, is_end: bool, dropped: u64, comment: &str) -> io::Result<()> {
        let range = (device, 0, 0)..=(device, u32::MAX, u16::MAX);
        // A device's counters concern all its streams; they are written once, with the first.
        let mut left = dropped;
        for heard in self.streams.range_mut(range).map(|(_, heard)| heard) {
            heard.dropped = std::mem::take(&mut left);
            let statistics = Statistics {
                at,
                began: heard.began,
                ended: is_end.then_some(at),
                received: heard.received,
                dropped: heard.dropped,
                comment,
            };
            let written = self.writer.statistics(heard.number, &statistics);
            Self::settle(&mut self.writer, &mut self.whole, written)?;
        }
        Ok(())
    }

    /// Forces written blocks to the disk, so that they survive more than this process; nothing for a pipe.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync(&mut self) -> io::Result<()> {
        let disk = self.writer.sink();
        if disk.is_file { disk.file.sync_data() } else { Ok(()) }
    }

    fn settled<T>(&mut self, written: io::Result<T>) -> io::Result<T> {
        Self::settle(&mut self.writer, &mut self.whole, written)
    }

    /// Completes a block: cuts off one that was written in part, and returns the error.
    fn settle<T>(writer: &mut Writer<Disk>, whole: &mut u64, written: io::Result<T>) -> io::Result<T> {
        let disk = writer.sink();
        match written {
            Ok(value) => {
                *whole = disk.written;
                Ok(value)
            }
            Err(error) => {
                if disk.is_file && disk.written > *whole && disk.file.set_len(*whole).is_ok() {
                    disk.written = *whole;
                }
                Err(error)
            }
        }
    }
}
