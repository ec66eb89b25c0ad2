//! Reader of `tshark -T pdml`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The `show` attributes of one packet, by field name, in the order of the document.
pub type Packet = BTreeMap<String, Vec<String>>;

/// The first `limit` packets of a capture; `None` without tshark.
pub fn packets(capture: &Path, preferences: &[String], limit: usize) -> Option<Vec<Packet>> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(capture).args(["-T", "pdml", "-c", &limit.to_string()]);
    // Its heuristics do not know 6LoWPAN by a page switch.
    command.args(["-d", "wpan.panid==0xabcd,6lowpan"]);
    for preference in preferences {
        command.args(["-o", preference]);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut packets = Vec::new();
    for line in BufReader::new(child.stdout.take()?).lines() {
        let line = line.ok()?;
        let line = line.trim_start();
        if line.starts_with("<packet>") {
            packets.push(Packet::new());
        } else if line.starts_with("<field ")
            && let (Some(packet), Some(name), Some(show)) =
                (packets.last_mut(), attribute(line, "name"), attribute(line, "show"))
        {
            packet.entry(name).or_default().push(show);
        }
    }
    assert!(child.wait().ok()?.success(), "tshark failed on {}", capture.display());
    Some(packets)
}

/// The value of an attribute, entities resolved.
fn attribute(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(
        value
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&apos;", "'")
            .replace("&amp;", "&"),
    )
}
