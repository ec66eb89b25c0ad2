//! Recorded frames into a file, each on the interface of its source.

use super::record::{link_type, record};
use super::{Section, Writer};
use crate::model::Capture;
use base::{FrameId, SourceId};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes frames of one capture; [`FrameWriter::inner`] may write other packets between them.
#[derive(Debug)]
pub struct FrameWriter<'a, W> {
    /// Writer of the pcapng file.
    pub inner: Writer<W>,
    capture: &'a Capture,
    /// Numbers of interfaces, by source and link type.
    interfaces: BTreeMap<(SourceId, u16), u32>,
}

impl<'a, W: Write> FrameWriter<'a, W> {
    /// Begins a file for `frames` of `capture`, with an interface for each source and link type among them; `name`
    /// makes its name from that of the source.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn new(
        sink: W,
        section: &Section,
        capture: &'a Capture,
        frames: &[FrameId],
        name: impl Fn(&str) -> String,
    ) -> io::Result<Self> {
        let mut inner = Writer::new(sink, section)?;
        let frames = frames.iter().filter_map(|id| capture.frames.get(id.index()));
        let mut interfaces: BTreeMap<_, u32> = frames.map(|frame| ((frame.source, link_type(frame.link)), 0)).collect();
        for ((source, link), number) in &mut interfaces {
            let source = capture.sources.get(source.index()).map_or("", |source| source.name.as_str());
            *number = inner.interface(*link, &name(source), "")?;
        }
        Ok(Self { inner, capture, interfaces })
    }

    /// Writes frame `id`, which must be one of those announced, `at` nanoseconds from the Unix epoch, with its
    /// comments.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn frame(&mut self, id: FrameId, at: i64) -> io::Result<()> {
        let Some(frame) = self.capture.frames.get(id.index()) else { return Ok(()) };
        let written = record(self.capture, frame);
        let Some(&interface) = self.interfaces.get(&(frame.source, written.link)) else { return Ok(()) };
        let comments = self.capture.annotations.of(id);
        self.inner.packet(interface, at, &written.octets, written.on_link, comments)
    }
}
