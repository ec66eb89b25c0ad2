//! Reasons why nothing was imported, worded so that a person knows what to do next.

use std::io;
use std::path::PathBuf;

/// Reason why nothing was imported. Lesser damage is a note in [`crate::model::Capture::notes`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The path names no file.
    #[error("There is no file {}.", path.display())]
    NotFound {
        /// The path asked for.
        path: PathBuf,
    },
    /// The path names a folder.
    #[error("{} is a folder. Open one of the captures in it.", path.display())]
    Directory {
        /// The path asked for.
        path: PathBuf,
    },
    /// The file may not be read.
    #[error("You have no permission to read {}. Nothing was read.", path.display())]
    Permission {
        /// The path asked for.
        path: PathBuf,
    },
    /// The operating system, or the decompressor, failed before the first octet.
    #[error("{name} could not be read: {source}. Nothing was read.")]
    Read {
        /// Name of the file.
        name: String,
        /// Error of the system.
        source: io::Error,
    },
    /// The file has no octets.
    #[error("The file is empty (0 octets): there is nothing to read. Was the recording stopped before it was saved?")]
    Empty,
    /// The file is no capture, or none of a known format.
    #[error("{what} Nothing was read.")]
    Unrecognised {
        /// Description of the first octets, and advice, in whole sentences.
        what: String,
    },
    /// The file is pcap or pcapng and ends within its own header.
    #[error("The file ends within its {format} header, after {octets} octets. Nothing was read.")]
    HeaderCut {
        /// Name of the format.
        format: &'static str,
        /// Length of the file, octets.
        octets: usize,
    },
    /// The file is a log of mote output, not of radio messages.
    #[error(
        "This is {kind}, not a radio log: it holds what the motes printed, not what they sent. In Cooja open \
         Tools > Radio messages, then File > Save to file, and open that. Nothing was read."
    )]
    MoteLog {
        /// Form of the mote log, in words.
        kind: &'static str,
    },
    /// The file is a radio log whose rows are an analyzer's summaries.
    #[error(
        "Line {line} of this Cooja radio log is an analyzer's summary, not the frame: octets were left out \
         when it was saved. In the Radio messages window choose Analyzer > No Analyzer, then File > Save to file \
         again. Nothing was read."
    )]
    AnalyzerSummary {
        /// Number of the first such line, from 1.
        line: u64,
    },
    /// All frames have link types that are not decoded.
    #[error(
        "The frames have link type {number} ({name}), which is not supported: 802.15.4 (195, 215, 230, 283), Ethernet (1), \
         raw IP (12, 14, 101, 228, 229), loopback (0, 108) and Linux cooked captures (113, 276) are. Nothing was read."
    )]
    UnsupportedLink {
        /// Number of the link type in the pcap registry.
        number: u16,
        /// Name of the link type in that registry, or "unassigned".
        name: &'static str,
    },
    /// The time stamps are further apart than a trace may span.
    #[error(
        "The time stamps span {days} days; a trace may span 104 (2^53 ns). Cut the capture by time first, for \
         instance with `editcap -A START -B STOP`. Nothing was read."
    )]
    TooLong {
        /// Whole days from the earliest to the latest.
        days: u64,
    },
    /// [`base::Progress`] asked to stop.
    #[error("The import was cancelled.")]
    Cancelled,
}
