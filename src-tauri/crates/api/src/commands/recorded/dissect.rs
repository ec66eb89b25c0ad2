//! One frame in all its layers, for the decode tree and the octets beside it.

use crate::view::{BufferView, DissectRequest, DissectView, NodeView};
use crate::{Error, Progress, Session};
use base::FrameId;
use std::fmt::Write as _;
use table::filter::Row;
use trace::packet::{TreeNode, TreeValue, dissect, tree_source};
use trace::{Annotations, Places, Trace};

/// Answers `dissect`; errs where the capture is not open, for a frame that does not exist, and when cancelled.
pub(crate) fn frame(
    session: &Session,
    request: &DissectRequest,
    progress: &mut dyn Progress,
) -> Result<DissectView, Error> {
    let opened = session.capture(request.capture)?;
    dissection(&opened.trace, opened.lists.places(&opened.trace, progress)?, request.frame)
}

/// Decodes frame `id` of `trace` into its layers; `places` are those of the same trace.
///
/// # Errors
/// [`crate::Code::Request`] when there is no such frame.
pub fn dissection(trace: &Trace, places: &Places, id: FrameId) -> Result<DissectView, Error> {
    let frames = trace.capture.frames.len();
    let row = Row::frame(trace, places, id);
    let record = row.record().ok_or_else(|| {
        Error::request(format!("There is no frame {}; the capture has {frames}.", u64::from(id.0) + 1))
    })?;
    let tree = dissect(trace, places, id);
    let annotations = &trace.capture.annotations;
    let hop = row.hop();
    let source = trace.capture.sources.get(record.source.index());
    Ok(DissectView {
        frame: id,
        at: record.at,
        source: source.map_or_else(String::new, |source| source.name.clone()),
        buffers: tree.buffers.iter().map(|b| BufferView { name: b.name.to_owned(), octets: hex(&b.octets) }).collect(),
        nodes: tree.nodes.iter().map(|n| node(n, tree.octets(n), annotations)).collect(),
        message: row.place().map(|place| place.message.0),
        hop: row.place().and_then(|place| u32::try_from(place.hop + 1).ok()),
        hops: hop.and_then(|(message, _)| u32::try_from(message.hops().len()).ok()),
        exchange: row.exchange().map(|(exchange, _)| exchange.id),
        comments: annotations.of(id).map(|text| base::printable_lines(text).into_owned()).collect(),
    })
}

fn node(node: &TreeNode, octets: &[u8], annotations: &Annotations) -> NodeView {
    let address = match node.value {
        TreeValue::Ipv6(address) => Some(address.into()),
        TreeValue::Ipv4(address) => Some(address.into()),
        _ => None,
    };
    let name = address.and_then(|address| annotations.name_of(address));
    NodeView {
        depth: u32::from(node.depth),
        name: node.name.to_owned(),
        label: name.map_or_else(|| node.label.clone(), |name| format!("{} ({name})", node.label)),
        source: tree_source(node.name).map(str::to_owned),
        value: literal(&node.value, octets),
        buffer: u32::from(node.buffer),
        start: node.span.start,
        end: node.span.end,
        severity: node.finding.as_ref().map(|finding| finding.severity),
        finding: node.finding.as_ref().map(|finding| finding.text.clone()),
    }
}

/// Returns a value as a literal of the filter language; `None` where there is nothing to compare with.
fn literal(value: &TreeValue, octets: &[u8]) -> Option<String> {
    Some(match value {
        TreeValue::None => return None,
        TreeValue::Uint(n) => n.to_string(),
        TreeValue::Int(n) => n.to_string(),
        TreeValue::Float(x) => x.to_string(),
        TreeValue::Bool(flag) => flag.to_string(),
        TreeValue::Bytes => colons(octets),
        TreeValue::Text(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        TreeValue::Addr16(short) => format!("0x{short:04x}"),
        TreeValue::Addr64(address) => colons(address),
        TreeValue::Addr48(address) => colons(address),
        TreeValue::Ipv6(address) => address.to_string(),
        TreeValue::Ipv4(address) => address.to_string(),
    })
}

fn colons(octets: &[u8]) -> String {
    let pairs: Vec<String> = octets.iter().map(|octet| format!("{octet:02x}")).collect();
    pairs.join(":")
}

fn hex(octets: &[u8]) -> String {
    octets.iter().fold(String::with_capacity(octets.len() * 2), |mut text, octet| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{octet:02x}");
        text
    })
}
