//! List of the devices that are plugged in.

use super::Device;
use super::usb;
use std::path::Path;

/// Vendor and product IDs of serial sniffers: ours, from the range that pid.codes keeps for tests, and Nordic's.
const SERIAL: [(u16, u16); 2] = [(0x1209, 0x0001), (0x1915, 0x154b)];

/// A device that is plugged in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Device, in the form in which it is opened.
    pub device: Device,
    /// Name that the device reports.
    pub name: String,
    /// True if it is known to be a sniffer; a serial line may have anything at its end.
    pub is_sniffer: bool,
}

/// Lists sniffers that are plugged in, then serial lines that may have one at their end; each in the order of their
/// names.
#[must_use]
pub fn list() -> Vec<Listed> {
    let mut listed = serial(Path::new("/sys/class/tty"));
    for device in usb::dongles().unwrap_or_default() {
        let name = device.product_string().unwrap_or("CC2531").to_owned();
        listed.push(Listed { device: Device::Cc2531(Some(usb::place(&device))), name, is_sniffer: true });
    }
    listed.sort_by_key(|listed| (!listed.is_sniffer, listed.device.to_string()));
    listed
}

/// Serial lines on USB, from the kernel's list (`/sys/class/tty`).
fn serial(classes: &Path) -> Vec<Listed> {
    let Ok(entries) = classes.read_dir() else { return Vec::new() };
    entries.flatten().filter_map(|entry| line(&entry.path())).collect()
}

fn line(entry: &Path) -> Option<Listed> {
    let device = entry.join("device").canonicalize().ok()?;
    // The device is an interface; what has the identity is above it, a hub at most further.
    let above = device.ancestors().take(4).find(|folder| folder.join("idVendor").exists())?;
    let number = |name: &str| {
        let text = std::fs::read_to_string(above.join(name)).ok()?;
        u16::from_str_radix(text.trim(), 16).ok()
    };
    let id = (number("idVendor")?, number("idProduct")?);
    let text = |name: &str| std::fs::read_to_string(above.join(name)).ok().map(|text| text.trim().to_owned());
    let name = text("product").unwrap_or_else(|| format!("{:04x}:{:04x}", id.0, id.1));
    let path = Path::new("/dev").join(entry.file_name()?);
    Some(Listed { device: Device::Serial(path), name, is_sniffer: SERIAL.contains(&id) })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lines_by_their_identity() {
        let root = tempfile::tempdir().expect("a folder");
        let make = |port: &str, tty: &str, vendor: &str, product: &str, name: &str| {
            let device = root.path().join("devices").join(port);
            fs::create_dir_all(device.join("1-1:1.0")).expect("made");
            for (file, text) in [("idVendor", vendor), ("idProduct", product), ("product", name)] {
                fs::write(device.join(file), format!("{text}\n")).expect("written");
            }
            let class = root.path().join("class").join(tty);
            fs::create_dir_all(&class).expect("made");
            std::os::unix::fs::symlink(device.join("1-1:1.0"), class.join("device")).expect("linked");
        };
        make("1-1", "ttyACM0", "1209", "0001", "RTOscope sniffer");
        make("1-2", "ttyACM1", "1915", "154b", "nRF 802154 Sniffer");
        make("1-3", "ttyUSB0", "0403", "6001", "FT232R");
        fs::create_dir_all(root.path().join("class/tty0")).expect("made");
        let mut listed = serial(&root.path().join("class"));
        listed.sort_by_key(|listed| listed.device.to_string());
        let essence: Vec<_> = listed.iter().map(|l| (l.device.to_string(), l.name.as_str(), l.is_sniffer)).collect();
        assert_eq!(
            essence,
            [
                ("/dev/ttyACM0".to_owned(), "RTOscope sniffer", true),
                ("/dev/ttyACM1".to_owned(), "nRF 802154 Sniffer", true),
                ("/dev/ttyUSB0".to_owned(), "FT232R", false),
            ]
        );
    }
}
