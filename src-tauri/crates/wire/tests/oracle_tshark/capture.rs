//! The frames of a bundled capture, and their trees.

use flate2::read::GzDecoder;
use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use wire::MacAddr;
use wire::lowpan::{self, ContextTable, Frag};
use wire::tree::{self, Options, Trailer, Tree};

/// Link types whose frames go to [`tree::frame`]; others are raw IP or Ethernet.
const WITH_FCS: u32 = 195;
const WITHOUT_FCS: u32 = 230;

/// A capture, unpacked, with the link type that says the truth of its frames.
pub struct Capture {
    /// The file for tshark.
    pub file: PathBuf,
    pub link_type: u32,
    pub frames: Vec<Vec<u8>>,
}

impl Capture {
    /// Unpack a file of which all frames have one link type; other formats than classic pcap go through
    /// editcap.
    pub fn read(path: &Path, trailer: Trailer) -> Self {
        let mut octets = fs::read(path).unwrap();
        if octets.starts_with(&[0x1f, 0x8b]) {
            octets.clear();
            GzDecoder::new(fs::File::open(path).unwrap()).read_to_end(&mut octets).unwrap();
        }
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let name = path.file_name().unwrap().to_string_lossy();
        let file = std::env::temp_dir().join(format!("rtoscope-{}-{folder}-{name}.pcap", std::process::id()));
        if octets.starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]) {
            let status = Command::new("editcap").args(["-F", "pcap"]).arg(path).arg(&file).status();
            assert!(status.is_ok_and(|status| status.success()), "editcap failed on {}", path.display());
            octets = fs::read(&file).unwrap();
        }
        let big = octets[0] == 0xa1;
        let word = |octets: &[u8]| {
            let word: [u8; 4] = octets[..4].try_into().unwrap();
            if big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
        };
        let mut link_type = word(&octets[20..]);
        if link_type == WITH_FCS && trailer == Trailer::None {
            link_type = WITHOUT_FCS;
            octets[20..24].copy_from_slice(&if big { link_type.to_be_bytes() } else { link_type.to_le_bytes() });
        }
        let mut frames = Vec::new();
        let mut at = 24;
        while at + 16 <= octets.len() {
            let len = word(&octets[at + 8..]) as usize;
            if at + 16 + len > octets.len() {
                break;
            }
            frames.push(octets[at + 16..at + 16 + len].to_vec());
            at += 16 + len;
        }
        fs::write(&file, &octets).unwrap();
        Self { file, link_type, frames }
    }

    pub fn reader<'a>(&self, contexts: &'a ContextTable, trailer: Trailer) -> Reader<'a> {
        let options = Options { trailer, contexts, ..Options::default() };
        Reader { link_type: self.link_type, options, open: HashMap::new(), fragmented: false }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        fs::remove_file(&self.file).unwrap();
    }
}

/// Makes trees of frames in order, reassembling.
pub struct Reader<'a> {
    link_type: u32,
    options: Options<'a>,
    open: HashMap<(MacAddr, MacAddr, u16, u16), Vec<Option<u8>>>,
    /// True if the last frame held a fragment.
    pub fragmented: bool,
}

impl Reader<'_> {
    pub fn frame(&mut self, octets: &[u8]) -> Tree {
        let mut tree = Tree::default();
        let part = tree.buffer("Frame", octets);
        self.fragmented = false;
        match self.link_type {
            1 => tree::ethernet(&mut tree, part, &self.options),
            0 => tree::null(&mut tree, part, &self.options),
            113 => tree::sll(&mut tree, part, &self.options),
            276 => tree::sll2(&mut tree, part, &self.options),
            283 => {
                if let Some((part, trailer)) = tree::tap(&mut tree, part) {
                    tree::frame(&mut tree, part, &Options { trailer, ..self.options });
                }
            }
            12 | 14 | 101 => tree::raw_ip(&mut tree, part, &self.options),
            WITH_FCS | WITHOUT_FCS => {
                let outcome = tree::frame(&mut tree, part, &self.options);
                if let Some((src, dst, frag)) = outcome.fragment {
                    self.fragmented = true;
                    let fragment = self.rest_of(octets);
                    if let Some(datagram) = self.fragment(src, dst, &frag, &fragment) {
                        tree::datagram(&mut tree, "Reassembled", &datagram, &self.options);
                    }
                }
            }
            other => panic!("link type {other}"),
        }
        tree
    }

    /// Octets behind the fragmentation header.
    fn rest_of(&self, octets: &[u8]) -> Vec<u8> {
        let fcs = if self.options.trailer == Trailer::None { 0 } else { 2 };
        let psdu = &octets[..octets.len() - fcs];
        let payload = &psdu[wire::MacHeader::parse(psdu).unwrap().payload];
        payload[lowpan::parse(payload).unwrap().rest].to_vec()
    }

    fn fragment(&mut self, src: MacAddr, dst: MacAddr, frag: &Frag, rest: &[u8]) -> Option<Vec<u8>> {
        let size = usize::from(frag.size);
        let octets = if frag.first {
            let rebuilt = lowpan::decompress(rest, src, dst, self.options.contexts, Some(size)).unwrap();
            [&rebuilt.header, &rest[rebuilt.consumed..]].concat()
        } else {
            rest.to_vec()
        };
        let key = (src, dst, frag.tag, frag.size);
        let open = self.open.entry(key).or_insert_with(|| vec![None; size]);
        for (slot, octet) in open[frag.offset..].iter_mut().zip(octets) {
            *slot = Some(octet);
        }
        let whole: Option<Vec<u8>> = open.iter().copied().collect();
        if whole.is_some() {
            self.open.remove(&key);
        }
        whole
    }
}
