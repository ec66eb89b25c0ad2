//! Captures that the laws are tested on.

use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A capture, unpacked.
pub struct Capture {
    pub name: String,
    pub octets: Vec<u8>,
}

/// The file at `path`, where it is there and is pcap or pcapng.
pub fn unpacked(path: &Path) -> Option<Capture> {
    let mut octets = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).ok()?).read_to_end(&mut octets).ok()?;
    // Radio logs are text and are not watched.
    let is_capture = matches!(octets.get(..4)?, [0xa1, 0xb2, ..] | [0xd4, 0xc3, ..] | [0x0a, 0x0d, 0x0d, 0x0a]);
    let name = path.parent()?.file_name()?.to_string_lossy().into_owned();
    is_capture.then_some(Capture { name, octets })
}

/// The bundled captures that are pcap or pcapng.
pub fn bundled() -> Vec<Capture> {
    found(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces"), "capture.pcap.gz")
}

/// The recorded runs beside the clone, those of seed 1. Skips, and returns none, where they are not there.
pub fn shared() -> Vec<Capture> {
    let Some(Ok(worlds)) = needs::shared("cooja").map(std::fs::read_dir) else { return Vec::new() };
    let mut worlds: Vec<PathBuf> = worlds.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    worlds.sort();
    let runs = worlds.iter().flat_map(|world| {
        let mut runs = found(world, "radio.pcap.gz");
        let world = world.file_name().unwrap_or_default().to_string_lossy().into_owned();
        runs.iter_mut().for_each(|run| run.name = format!("{world}/{}", run.name));
        runs
    });
    runs.filter(|run| run.name.ends_with("seed1")).collect()
}

fn found(folder: &Path, name: &str) -> Vec<Capture> {
    let Ok(folders) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = folders.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders.iter().filter_map(|folder| unpacked(&folder.join(name))).collect()
}
