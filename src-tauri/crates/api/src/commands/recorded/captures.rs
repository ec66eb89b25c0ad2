//! Opening, judging and closing captures.

use crate::commands::write_frames;
use crate::opened::samples::samples;
use crate::opened::{ReadOptions, place};
use crate::view::{AssumeRequest, CaptureId, CaptureRequest, CaptureView, OpenRequest, Sample, Startup};
use crate::{Error, Opened, Progress, Session};
use base::FrameId;
use std::io::{self, Write};
use std::path::Path;
use trace::Format;

/// Algorithms shown beside the recorded behaviour before the user chooses. Chosen here: one of each kind of estimator;
/// all defaults at once would fill the window with lanes.
const SHOWN_FIRST: [&str; 3] = ["cocoa_plus", "rfc6298_coap", "lee2016"];

/// Answers `startup`; it never fails.
pub(crate) fn startup(_: &Session, _: &()) -> Result<Startup, Error> {
    Ok(Startup {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        samples: samples()
            .iter()
            .map(|s| Sample { id: s.id.to_owned(), name: s.name.clone(), about: s.about.clone(), nodes: s.nodes })
            .collect(),
        default_algorithms: SHOWN_FIRST.map(str::to_owned).to_vec(),
        colour_rules: super::packets::first_rules(),
    })
}

impl Session {
    /// Opens a file, several files merged, or a bundled capture.
    ///
    /// # Errors
    /// [`crate::Code::Capture`] for a file that cannot be read or is no capture, [`crate::Code::Request`] for an
    /// unknown sample, a malformed option, or not exactly one source, [`crate::Code::Cancelled`].
    pub fn open(&self, request: &OpenRequest, progress: &mut dyn Progress) -> Result<CaptureView, Error> {
        let reading = request.decode.as_ref().map(|asked| ReadOptions::of(asked, self.options())).transpose()?;
        let usual = || ReadOptions { decode: self.options().clone(), ..ReadOptions::default() };
        let merge: Vec<&Path> = request.merge.iter().flatten().map(Path::new).collect();
        let opened = match (&request.path, &request.sample, &merge[..]) {
            (Some(path), None, []) => Opened::files(&[Path::new(path)], &reading.unwrap_or_else(usual), progress)?,
            (None, Some(id), []) => {
                let sample = samples().iter().find(|s| s.id == id);
                let sample = sample.ok_or_else(|| Error::request(format!("There is no sample `{id}`.")))?;
                // The index of bundled captures states the number of the RC option.
                let mut usual = self.options().clone();
                usual.rc_option = sample.rc_option.unwrap_or(usual.rc_option);
                let asked = request.decode.as_ref().map(|asked| ReadOptions::of(asked, &usual)).transpose()?;
                Opened::sample(sample, asked.as_ref(), progress)?
            }
            (None, None, [_, _, ..]) => Opened::files(&merge, &reading.unwrap_or_else(usual), progress)?,
            _ => return Err(Error::request("Name either a path, a sample, or several captures to merge.")),
        };
        Ok(self.adopt(opened))
    }

    /// Returns the path of the file that frame `frame` came from, and the frame's number there, from 1, for Wireshark.
    /// `None` where there is no such file, or Wireshark does not read its format ([`Session::write_capture`] makes one
    /// that it does).
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open.
    pub fn file_of(&self, id: CaptureId, frame: FrameId) -> Result<Option<(String, u64)>, Error> {
        let opened = self.capture(id)?;
        if !matches!(opened.trace.capture.format, Format::Pcap { .. } | Format::Pcapng) {
            return Ok(None);
        }
        Ok(place(&opened, frame).and_then(|(file, number)| Some((file.path.clone()?, number))))
    }

    /// Writes every frame of a capture to `sink`, as pcapng: frame `n`, from 0, is packet `n + 1`. `progress` counts
    /// frames.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open; inside, the sink's own error, or [`base::Cancelled`] in
    /// one.
    pub fn write_capture(
        &self,
        id: CaptureId,
        sink: &mut dyn Write,
        progress: &mut dyn Progress,
    ) -> Result<io::Result<()>, Error> {
        let opened = self.capture(id)?;
        let frames: Vec<FrameId> = (0..opened.trace.capture.frames.len()).map(FrameId::at).collect();
        Ok(write_frames(&opened.trace, &frames, sink, progress))
    }

    /// Judges a capture again under assumptions of the user. It goes on under a new number.
    ///
    /// # Errors
    /// [`crate::Code::Gone`], [`crate::Code::Request`] for an association that is not there,
    /// [`crate::Code::Cancelled`].
    pub fn assume(&self, request: &AssumeRequest, progress: &mut dyn Progress) -> Result<CaptureView, Error> {
        let judged = self.capture(request.capture)?.assuming(request, progress)?;
        let view = self.adopt(judged);
        self.close(request.capture);
        Ok(view)
    }
}

/// Answers `close`: forgets a capture and its runs. Never errs: a capture that is not open is no error.
pub(crate) fn close(session: &Session, request: &CaptureRequest) -> Result<(), Error> {
    session.close(request.capture);
    Ok(())
}

/// Answers `captures`: all open captures, in order of their numbers. Never errs.
pub(crate) fn all(session: &Session, _: &()) -> Result<Vec<CaptureView>, Error> {
    Ok(session.captures())
}
