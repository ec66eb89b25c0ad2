//! Lists of nodes that people keep beside a capture, with their positions and names.
//!
//! ```text
//! simulation.csc   the simulation of Cooja: motes and their positions, m
//! nodes.csv        node,x,y[,name]: a floor plan, in any unit
//! hosts            address name: as hosts(5) and ethers(5) have it
//! ```
//!
//! The form is recognised by the content. What cannot be read is a counted note with its line or octet.

mod hosts;
mod rows;
mod simulation;

use crate::import::stream::{Packing, Stream};
use crate::import::{ImportError, ImportOptions};
use base::{Layer, Notes, Progress};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::net::{IpAddr, Ipv6Addr};
use std::path::{Path, PathBuf};
use wire::ieee802154::MacAddr;

/// Most octets of a list, unpacked. Chosen here: 16 MiB hold the simulation of fifty thousand motes.
const MOST: usize = 16 * 1024 * 1024;

/// Form of a list of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NodeListKind {
    /// The simulation file of Cooja (`.csc`).
    Simulation,
    /// Rows `node,x,y[,name]`: a floor plan.
    Rows,
    /// Lines of an address and a name.
    Hosts,
}

/// Name of a node in a list.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NodeKey {
    /// Number of a Cooja mote.
    Mote(u32),
    /// Link-layer address, short or extended.
    Mac(MacAddr),
    /// IP address; IPv4 is mapped.
    Address(Ipv6Addr),
    /// Any other text, taken for a name.
    Name(String),
}

impl NodeKey {
    /// Reads a key: `3` and `mote 3`, an IP address, eight octets or `0x` and four digits of a link-layer address, else
    /// a name. `None` for blank text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let number = text.strip_prefix("mote").map_or(text, str::trim_start);
        if let Ok(mote) = number.parse() {
            return Some(Self::Mote(mote));
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Some(Self::Address(match address {
                IpAddr::V4(v4) => v4.to_ipv6_mapped(),
                IpAddr::V6(v6) => v6,
            }));
        }
        Some(mac(text).map_or_else(|| Self::Name(text.to_owned()), Self::Mac))
    }
}

/// Parses a link-layer address: `00:12:74:00:01:02:03:04`, with `-` too, or `0x1234`; `None` for other text.
fn mac(text: &str) -> Option<MacAddr> {
    if let Some(digits) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        let short = u16::from_str_radix(digits, 16).ok()?;
        return (digits.len() == 4).then_some(MacAddr::Short(short));
    }
    let mut octets = [0; 8];
    let mut pairs = text.split([':', '-']);
    for octet in &mut octets {
        let pair =
            pairs.next().filter(|pair| pair.len() == 2 && pair.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        *octet = u8::from_str_radix(pair, 16).ok()?;
    }
    pairs.next().is_none().then_some(MacAddr::Extended(octets))
}

/// An entry of a list of nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct ListedNode {
    /// Key by which the list names it.
    pub key: NodeKey,
    /// Position (x, y): metres in a simulation, else in the unit of the list. Both are finite, at most 10^9 in
    /// magnitude. `None`: the list gives none.
    pub place: Option<[f64; 2]>,
    /// Name for people, where the list gives one.
    pub name: Option<String>,
}

/// Nodes of one list, as it was read.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeList {
    /// File name without its folder.
    pub name: String,
    /// Form of the list.
    pub kind: NodeListKind,
    /// Nodes in the order of the list; each key once, never empty.
    pub nodes: Vec<ListedNode>,
    /// Notes on what was skipped.
    pub notes: Notes,
}

/// A list that is being read.
#[derive(Default)]
struct ListBuilder {
    nodes: Vec<ListedNode>,
    known: BTreeSet<NodeKey>,
    notes: Notes,
}

impl ListBuilder {
    /// Adds a node; notes one that is listed again. `place` says where in the file it stands, `offset` at which octet.
    fn add(&mut self, node: ListedNode, offset: u64, place: &str) {
        if self.known.insert(node.key.clone()) {
            self.nodes.push(node);
        } else {
            self.skip(offset, &format!("{place} lists a node that was listed before; the first counts"));
        }
    }

    fn skip(&mut self, offset: u64, why: &str) {
        self.notes.tally(Layer::File, "node-skipped", None, Some(offset), || why.to_owned());
    }
}

/// Largest magnitude of a coordinate. Chosen here: beyond it sums of squares lose the metre.
const FAR: f64 = 1e9;

/// Parses a coordinate: a finite number of at most [`FAR`] in magnitude.
fn coordinate(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.abs() <= FAR)
}

/// Reads the list of nodes at `path`, plain or packed.
///
/// # Errors
/// As [`crate::open`], and [`ImportError::Unrecognised`] where no node is listed.
pub fn open_node_list(path: &Path, progress: &mut dyn Progress) -> Result<NodeList, ImportError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let refuse = |source| ImportError::Read { name: name.clone(), source };
    let file = File::open(path).map_err(refuse)?;
    let len = file.metadata().map_err(refuse)?.len();
    read_node_list(&base::printable(&name), file, Some(len), progress)
}

/// Reads a list of nodes called `name` from `source`; `len` is its length in octets, where that is known.
///
/// # Errors
/// As [`open_node_list`].
pub fn read_node_list(
    name: &str,
    source: impl Read + Send,
    len: Option<u64>,
    progress: &mut dyn Progress,
) -> Result<NodeList, ImportError> {
    let mut stream = Stream::open(Box::new(source), len, ImportOptions::default().unpack_ratio, progress)?;
    let held = stream.fill(MOST + 1)?;
    if held > MOST {
        let what = format!("A list of nodes has at most {MOST} octets, and this has more.");
        return Err(ImportError::Unrecognised { what });
    }
    let text = String::from_utf8_lossy(stream.octets()).into_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let kind = kind(text);
    let mut list = ListBuilder::default();
    match kind {
        NodeListKind::Simulation => simulation::read(text, &mut list),
        NodeListKind::Rows => rows::read(text, &mut list),
        NodeListKind::Hosts => hosts::read(text, &mut list),
    }
    let ListBuilder { nodes, mut notes, .. } = list;
    if let Some(failure) = stream.failure() {
        let code = if stream.packing() == Packing::Plain { "read-error" } else { "damaged-file" };
        notes.tally(Layer::File, code, None, Some(stream.taken()), || {
            format!("{failure}; what came before it was read")
        });
    }
    if nodes.is_empty() {
        let first = notes.kinds().first().map_or_else(String::new, |note| format!(" {}.", note.first_text));
        let what = format!(
            "This lists no node: a Cooja simulation (.csc), rows of node,x,y[,name], or lines of an address and a name \
             would.{first}"
        );
        return Err(ImportError::Unrecognised { what });
    }
    Ok(NodeList { name: name.to_owned(), kind, nodes, notes })
}

/// Returns the form of a list by its first line that is no comment.
fn kind(text: &str) -> NodeListKind {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    if first.starts_with('<') {
        return NodeListKind::Simulation;
    }
    let is_address = |word: &str| matches!(NodeKey::parse(word), Some(NodeKey::Address(_) | NodeKey::Mac(_)));
    let mut words = first.split_ascii_whitespace();
    match (words.next(), words.next()) {
        (Some(word), Some(_)) if is_address(word) && !first.contains([',', ';']) => NodeListKind::Hosts,
        _ => NodeListKind::Rows,
    }
}

/// Returns the lists of nodes beside the capture at `capture`, the likeliest first: `nodes.csv` in its folder, then the
/// simulations (`.csc`) there, else those in the folder above, by name. They need not belong to the capture: see
/// [`crate::network::Network::is_of`].
#[must_use]
pub fn node_lists_beside(capture: &Path) -> Vec<PathBuf> {
    let Some(folder) =
        capture.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
    else {
        return Vec::new();
    };
    let rows = folder.join("nodes.csv");
    let mut found: Vec<PathBuf> = rows.is_file().then_some(rows).into_iter().collect();
    let mut own = simulations_in(folder);
    if own.is_empty() {
        own = folder.canonicalize().ok().and_then(|folder| folder.parent().map(simulations_in)).unwrap_or_default();
    }
    found.append(&mut own);
    found
}

/// Returns the simulations in `folder`, by name.
fn simulations_in(folder: &Path) -> Vec<PathBuf> {
    let is_simulation = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        (name.ends_with(".csc") || name.ends_with(".csc.gz")) && path.is_file()
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_simulation).collect();
    found.sort_unstable();
    found
}
