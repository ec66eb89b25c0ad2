//! Options of import and decoding: as "Decode as" asks for them, and as a capture was read.

use super::Opened;
use crate::Error;
use crate::view::{
    ClockView, ContextHow, ContextView, DecodeAs, FcsKind, FileView, MoteLogView, PortView, ReadAs, SourceView,
};
use base::{Instant, Span};
use std::net::Ipv6Addr;
use trace::{
    Alignment, Capture, ContextOrigin, DecodeOptions, FcsChoice, ImportOptions, Link, LinkKey, Trace, Trailer,
};

/// Options of reading a capture.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Options of import: trailer of frames, limits of packed files.
    pub import: ImportOptions,
    /// Options of decoding: ports, keys, contexts.
    pub decode: DecodeOptions,
}

impl ReadOptions {
    /// Converts the options that `asked` names; those it leaves open are as in `default`.
    ///
    /// # Errors
    /// [`crate::Code::Request`] that names the malformed entry; of a key, only its position.
    pub fn of(asked: &DecodeAs, default: &DecodeOptions) -> Result<Self, Error> {
        let decode = DecodeOptions {
            ports: if asked.ports.is_empty() { default.ports.clone() } else { asked.ports.clone() },
            rc_option: asked.rc_option.unwrap_or(default.rc_option),
            contexts: asked.contexts.iter().map(|text| context(text)).collect::<Result<_, _>>()?,
            keys: keys(asked.keys.0.iter().map(String::as_str))?,
            addresses: asked.addresses.iter().map(|text| address(text)).collect::<Result<_, _>>()?,
            learned: trace::Learned::default(),
            drops_octets: false,
        };
        let mut import = ImportOptions::default().with_fcs(asked.fcs.choice());
        if let Some(ratio) = asked.unpack_ratio {
            import = import.with_unpack_ratio(ratio.max(1));
        }
        Ok(Self { import, decode })
    }
}

impl FcsKind {
    /// Returns the same choice as import has it.
    #[must_use]
    pub const fn choice(self) -> FcsChoice {
        match self {
            Self::Auto => FcsChoice::Auto,
            Self::None => FcsChoice::None,
            Self::Crc16 => FcsChoice::Crc16,
            Self::Ti => FcsChoice::TiMetadata,
        }
    }

    const fn of(choice: FcsChoice) -> Self {
        match choice {
            FcsChoice::Auto => Self::Auto,
            FcsChoice::None => Self::None,
            FcsChoice::Crc16 => Self::Crc16,
            FcsChoice::TiMetadata => Self::Ti,
        }
    }
}

/// Parses keys of the form `HEX[:INDEX]`: 32 hexadecimal digits and, for a key of some frames only, the key index of
/// these, 1 to 255.
///
/// # Errors
/// [`crate::Code::Request`] with the number of the malformed one, from 1. The text of a key is in no error: errors are
/// logged and shown.
pub fn keys<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Vec<LinkKey>, Error> {
    let key = |(at, text): (usize, &str)| {
        link_key(text.trim()).ok_or_else(|| {
            Error::request(format!(
                "Key {} does not have the form HEX or HEX:INDEX, with 32 hexadecimal digits and an index of 1 to 255.",
                at + 1
            ))
        })
    };
    texts.enumerate().map(key).collect()
}

fn link_key(text: &str) -> Option<LinkKey> {
    let (digits, index) = match text.split_once(':') {
        Some((digits, index)) => (digits, Some(index.parse().ok().filter(|&index: &u8| index > 0)?)),
        None => (text, None),
    };
    let key = u128::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 32 && !digits.starts_with('+'))?;
    Some(LinkKey { index, ..LinkKey::new(key.to_be_bytes()) })
}

/// Parses a short address and the extended one of the same node: `0x1234=00:12:74:00:01:02:03:04`, octets in the order
/// as written.
///
/// # Errors
/// [`crate::Code::Request`] where the text does not have that form.
pub fn address(text: &str) -> Result<(u16, [u8; 8]), Error> {
    let parse = || {
        let (short, extended) = text.trim().split_once('=')?;
        let short = short.trim().strip_prefix("0x").or(short.trim().strip_prefix("0X"))?;
        let short = u16::from_str_radix(short, 16).ok()?;
        let mut octets = [0; 8];
        let mut pairs = extended.trim().split([':', '-']);
        for octet in &mut octets {
            *octet = pairs.next().filter(|pair| pair.len() == 2).and_then(|pair| u8::from_str_radix(pair, 16).ok())?;
        }
        pairs.next().is_none().then_some((short, octets))
    };
    parse().ok_or_else(|| {
        Error::request(format!("`{text}` is no pair of addresses such as 0x1234=00:12:74:00:01:02:03:04."))
    })
}

/// Parses a 6LoWPAN context, as `0=fd00::/64`: identifier (0 to 15), prefix, length of the prefix in bits (0 to 128).
///
/// # Errors
/// [`crate::Code::Request`] where the text does not have that form.
pub fn context(text: &str) -> Result<(u8, Ipv6Addr, u8), Error> {
    let parse = || {
        let (id, prefix) = text.trim().split_once('=')?;
        let (prefix, len) = prefix.split_once('/')?;
        let (id, len): (u8, u8) = (id.trim().parse().ok()?, len.trim().parse().ok()?);
        (id < 16 && len <= 128).then_some((id, prefix.trim().parse().ok()?, len))
    };
    parse().ok_or_else(|| Error::request(format!("`{text}` is no context such as 0=fd00::/64.")))
}

/// Describes the options with which a capture was read.
pub(super) fn read_as(
    trace: &Trace,
    import: &ImportOptions,
    files: &[FileView],
    mote_log: Option<&MoteLogView>,
) -> ReadAs {
    let capture = &trace.capture;
    let options = &trace.options;
    let is_guessed = |port: u16| trace.guessed_ports.iter().any(|&(guessed, _)| guessed == port);
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    ReadAs {
        links: links(capture),
        fcs: FcsKind::of(import.fcs),
        unpack_ratio: import.unpack_ratio,
        sources: sources(capture),
        contexts: trace
            .context_origins
            .iter()
            .filter_map(|&(id, origin)| {
                let prefix = trace.contexts.0.get(usize::from(id)).copied().flatten()?;
                let how = match origin {
                    ContextOrigin::Given => ContextHow::Given,
                    ContextOrigin::Announced => ContextHow::Announced,
                    ContextOrigin::Rpl => ContextHow::Rpl,
                };
                Some(ContextView { id: u32::from(id), prefix: prefix.to_string(), how })
            })
            .collect(),
        ports: options.ports.iter().copied().filter(|&port| !is_guessed(port)).collect(),
        guessed: trace.guessed_ports.iter().map(|&(port, answered)| PortView { port, answered }).collect(),
        rc_option: options.rc_option,
        keys: count(options.keys.len()),
        addresses: count(options.addresses.len()),
        files: files.to_vec(),
        clocks: capture.clocks.iter().map(|clock| self::clock(capture, clock)).collect(),
        duplicates: count(capture.duplicates.len()),
        comments: capture.annotations.file.iter().map(|text| base::printable_lines(text).into_owned()).collect(),
        frame_comments: count(capture.annotations.frames.len()),
        names: count(capture.annotations.names.len()),
        mote_log: mote_log.cloned(),
    }
}

fn links(capture: &Capture) -> Vec<String> {
    let mut kinds: Vec<Link> = Vec::new();
    for frame in &capture.frames {
        if !kinds.contains(&frame.link) {
            kinds.push(frame.link);
        }
    }
    let name = |link: &Link| match link {
        Link::Ieee802154 => "IEEE 802.15.4".to_owned(),
        Link::Ethernet => "Ethernet".to_owned(),
        Link::RawIp | Link::LoopbackIp => "IP".to_owned(),
        Link::Other(number) => format!("link type {number} (not decoded)"),
    };
    kinds.iter().map(name).collect()
}

fn sources(capture: &Capture) -> Vec<SourceView> {
    let mut frames = vec![0_u32; capture.sources.len()];
    for frame in &capture.frames {
        if let Some(count) = frames.get_mut(frame.source.index()) {
            *count = count.saturating_add(1);
        }
    }
    let view = |(source, frames): (&trace::Source, u32)| SourceView {
        name: source.name.clone(),
        frames,
        fcs: source.trailer.map(|trailer| match trailer {
            Trailer::Absent => FcsKind::None,
            Trailer::Crc16 => FcsKind::Crc16,
            Trailer::TiStatus => FcsKind::Ti,
        }),
    };
    capture.sources.iter().zip(frames).map(view).collect()
}

fn clock(capture: &Capture, clock: &trace::ClockReport) -> ClockView {
    let source = capture.sources.get(clock.source.index()).map_or_else(String::new, |source| source.name.clone());
    let frames = u32::try_from(clock.frames).unwrap_or(u32::MAX);
    let nanos = |span: Span| Some(span.nanos() as f64);
    let whole = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let empty = ClockView {
        source,
        frames,
        aligned: true,
        common: 0,
        offset: None,
        drift_ppb: None,
        residual_median: None,
        residual_p99: None,
    };
    match clock.alignment {
        Alignment::Reference => empty,
        Alignment::Unaligned { common } => ClockView { aligned: false, common: whole(common), ..empty },
        Alignment::Fitted(fit) => ClockView {
            common: whole(fit.common),
            offset: nanos(fit.offset),
            drift_ppb: Some(fit.drift_ppb as f64),
            residual_median: nanos(fit.residual_median),
            residual_p99: nanos(fit.residual_p99),
            ..empty
        },
    }
}

/// Returns the file of frame `id` and the frame's number there, from 1; `None` where its file is not known.
pub(crate) fn place(opened: &Opened, id: base::FrameId) -> Option<(&FileView, u64)> {
    let (file, record) = match opened.trace.capture.origins.get(id.index()) {
        Some(origin) => (usize::from(origin.file), origin.record),
        None => (0, id),
    };
    Some((opened.files.get(file)?, u64::from(record.0) + 1))
}

/// Returns the earliest and the latest time of a capture; both zero without frames.
pub(crate) fn window(capture: &Capture) -> (Instant, Instant) {
    capture.window().unwrap_or((Instant::ZERO, Instant::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Secrets;

    #[test]
    fn forms() {
        let key = |text: &str| keys([text].into_iter());
        let octets = [0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0];
        let text = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
        assert_eq!(key(text), Ok(vec![LinkKey::new(octets)]));
        assert_eq!(key(&format!(" {text}:7\n")), Ok(vec![LinkKey { index: Some(7), ..LinkKey::new(octets) }]));
        let extended = [0, 0x12, 0x74, 0, 1, 2, 3, 4];
        assert_eq!(address("0x1234=00:12:74:00:01:02:03:04"), Ok((0x1234, extended)));
        assert_eq!(address("0x1234=00-12-74-00-01-02-03-04"), Ok((0x1234, extended)));
        for wrong in ["", "1234=00:12:74:00:01:02:03:04", "0x1234=00:12", "0x12345=00:12:74:00:01:02:03:04", "0x1=é"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
        assert_eq!(context("15=fd00::/64"), Ok((15, "fd00::".parse().unwrap(), 64)));
        for wrong in ["", "16=fd00::/64", "0=fd00::", "0=fd00::/129", "x=fd00::/64"] {
            assert!(context(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_error_and_no_debug_print_repeats_a_key() {
        let almost = "0f1e2d3c4b5a69788796a5b4c3d2e1";
        for wrong in [almost, "0f1e2d3c4b5a69788796a5b4c3d2e1f0:0", "+f1e2d3c4b5a69788796a5b4c3d2e1f0", "é"] {
            let error = keys(["00000000000000000000000000000000", wrong].into_iter()).unwrap_err();
            assert!(error.message.starts_with("Key 2 ") && !format!("{error:?}").contains(wrong), "{error:?}");
        }
        let secrets = Secrets(vec![almost.to_owned()]);
        assert!(!format!("{secrets:?}").contains(almost));
        let wrong = serde_json::json!({ "keys": almost });
        let error = serde_json::from_value::<DecodeAs>(wrong).unwrap_err();
        assert!(!error.to_string().contains(almost), "{error}");
    }
}
