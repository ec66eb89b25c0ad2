//! Format of a file, from its first octets and never from its name.

use super::ImportError;
use super::format::{cooja, dcf, hex, nordic, pcap, pcapng, psd, snif};

/// Most octets of a file that are looked at. Chosen here: a dozen rows of a radio log.
pub(super) const HEAD: usize = 4096;

/// A format that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Classic pcap, of this layout.
    Pcap(pcap::Layout),
    /// pcapng, from its Section Header Block on.
    Pcapng,
    /// Text log of Cooja's radio messages.
    Cooja,
    /// TI Packet Sniffer's `.psd`.
    Psd,
    /// Captures of foren6, `.snif`.
    Snif,
    /// Captures of Daintree's sniffer, `.dcf`.
    Daintree,
    /// Text that Nordic's sniffer prints.
    Nordic,
    /// Octets as hexadecimal digits.
    Hex,
}

/// Returns the format of a file that starts with `head`, its first [`HEAD`] octets or all of them.
///
/// # Errors
/// [`ImportError`] that says what the file is instead, and what to do.
pub(super) fn sniff(head: &[u8]) -> Result<Kind, ImportError> {
    if head.is_empty() {
        return Err(ImportError::Empty);
    }
    if let Some(layout) = pcap::Layout::of(head) {
        return Ok(Kind::Pcap(layout));
    }
    if pcapng::is_section_header(head) {
        return Ok(Kind::Pcapng);
    }
    if psd::is_psd(head) {
        return Ok(Kind::Psd);
    }
    if let Some(what) = foreign(head) {
        return unrecognised(what);
    }
    text(head)
}

fn unrecognised<T>(what: String) -> Result<T, ImportError> {
    Err(ImportError::Unrecognised { what })
}

/// Foreign files that people pick by mistake: magic number, description, and advice (empty where there is none).
#[rustfmt::skip]
const MAGIC: [(&[u8], &str, &str); 27] = [
    (b"PK\x03\x04", "a ZIP header", ""),
    (b"PK\x05\x06", "the end of an empty ZIP archive", ""),
    (b"\x89PNG", "a PNG header", ""),
    (b"\xff\xd8\xff", "a JPEG header", ""),
    (b"GIF8", "a GIF header", ""),
    (b"RIFF", "a RIFF header (WebP, WAV or AVI)", ""),
    (b"%PDF", "a PDF header", ""),
    (b"\x7fELF", "an ELF header (a program or firmware)", ""),
    (b"MZ", "the header of a Windows program", ""),
    (b"\xcf\xfa\xed\xfe", "the header of a macOS program", ""),
    (b"\xca\xfe\xba\xbe", "the header of a Java class", ""),
    (b"\x1f\x8b", "a gzip header inside a packed file", "It was packed twice: unpack it once before."),
    (b"\x28\xb5\x2f\xfd", "a Zstandard header inside a packed file", "It was packed twice: unpack it once before."),
    (b"\xfd7zXZ\x00", "an xz header", "Unpack the file first, with `xz -d`."),
    (b"BZh", "a bzip2 header", "Unpack the file first, with `bzip2 -d`."),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip header", ""),
    (b"Rar!", "a RAR header", ""),
    (b"8BPS", "a Photoshop header", ""),
    (b"PAR1", "a Parquet header", ""),
    (b"ARROW1", "an Arrow header", ""),
    (b"SQLite format 3\x00", "an SQLite header", ""),
    (b"\x89HDF", "an HDF5 header", ""),
    (b"snoop\x00\x00\x00", "a snoop header", "Convert the file first, with `editcap -F pcapng`."),
    (b"{\\rtf", "an RTF header", ""),
    (b"\xd0\xcf\x11\xe0", "the header of an old Microsoft Office document", ""),
    (b"\xff\xfe", "the mark of UTF-16 text", "Save the log as UTF-8."),
    (b"\xfe\xff", "the mark of UTF-16 text", "Save the log as UTF-8."),
];

/// Returns the description of a foreign file by its magic number.
fn foreign(head: &[u8]) -> Option<String> {
    let (magic, what, advice) = MAGIC.iter().find(|(magic, ..)| head.starts_with(magic))?;
    let last = magic.len() - 1;
    Some(match *advice {
        "" => format!("Octets 0–{last} are {what}, not a capture."),
        advice => format!("Octets 0–{last} are {what}. {advice}"),
    })
}

/// Returns the format of a file without magic number.
fn text(head: &[u8]) -> Result<Kind, ImportError> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let lines = || head.split(|&octet| octet == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    if lines().any(|line| cooja::Row::parse(line).is_some()) {
        return Ok(Kind::Cooja);
    }
    if head.starts_with(dcf::MAGIC) {
        return Ok(Kind::Daintree);
    }
    if snif::is_snif(head) {
        return Ok(Kind::Snif);
    }
    if is_binary(head) {
        let first: Vec<_> = head.iter().take(4).map(|octet| format!("{octet:02x}")).collect();
        return unrecognised(format!(
            "The file starts with {}, which starts no format RTOscope knows: pcap, pcapng, a Cooja radio log, .psd, .snif, .dcf \
             or octets in hexadecimal, each also packed with gzip or Zstandard.",
            first.join(" ")
        ));
    }
    if lines().any(|line| nordic::Line::parse(line).is_some()) {
        return Ok(Kind::Nordic);
    }
    if hex::is_hex(lines()) {
        return Ok(Kind::Hex);
    }
    let start = head.trim_ascii_start().to_ascii_lowercase();
    if let Some(kind) = lines().find_map(mote_log) {
        return Err(ImportError::MoteLog { kind });
    }
    let is_base64 = [b"1MOyoQ", b"obLD1A", b"TTyyoQ", b"Cg0NCg"].iter().any(|magic| head.starts_with(*magic));
    let what = if contains(&start, b"<simconf") {
        "This is a Cooja simulation (.csc), not a log of one. Open it in Cooja, run it with the Radio messages window \
         open, then File > Save to file there, and open that."
    } else if start.starts_with(b"<!doctype html") || contains(&start, b"<html") {
        "This is a web page, not a capture. If you downloaded it, take the file's raw or download link."
    } else if start.starts_with(b"<?xml") {
        "This is XML, not a capture."
    } else if is_base64 {
        "This is a capture in base64. Decode it first, with `base64 -d`."
    } else if start.starts_with(b"{") || start.starts_with(b"[") {
        "This is JSON, not a capture."
    } else {
        "This is text, and no line of it is a row of a Cooja radio log (time, sender, receivers and LEN: 0xHEX, with \
         tabs between), nor are its first lines octets in hexadecimal."
    };
    unrecognised(what.to_owned())
}

fn contains(text: &[u8], what: &[u8]) -> bool {
    text.windows(what.len()).any(|window| window == what)
}

/// Returns whether `head` has too many control characters or non-ASCII octets to be text.
fn is_binary(head: &[u8]) -> bool {
    let control = |&&octet: &&u8| octet < 0x20 && !matches!(octet, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    head.iter().filter(control).count() * 50 > head.len()
        || head.iter().filter(|octet| !octet.is_ascii()).count() * 4 > head.len()
}

/// Returns the kind of mote log that a line is from: Cooja's test log or its "Mote output" window's.
fn mote_log(line: &[u8]) -> Option<&'static str> {
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let mut parts = line.splitn(3, |&octet| octet == b':');
    let (first, second) = (parts.next()?, parts.next().unwrap_or_default());
    let mut columns = line.split(|&octet| octet == b'\t');
    let (_, id) = (columns.next(), columns.next().unwrap_or_default());
    if line.starts_with(b"Random seed: ") || (digits(first) && digits(second) && parts.next().is_some()) {
        Some("a mote log (COOJA.testlog)")
    } else if line.starts_with(b"-- Log Listener") || id.strip_prefix(b"ID:").is_some_and(|id| digits(id.trim_ascii()))
    {
        Some("a mote log (from the Mote output window)")
    } else {
        None
    }
}
