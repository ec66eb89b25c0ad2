//! A CC2531 on USB.

use super::LOOK;
use super::ti::Wire;
use nusb::transfer::{Bulk, ControlIn, ControlOut, ControlType, In, Recipient, TransferError};
use nusb::{DeviceInfo, Endpoint, Interface, MaybeFuture as _};
use std::io::{self, ErrorKind};
use std::time::Duration;

/// Vendor and product IDs: ours, from the range that pid.codes keeps for tests, and TI's.
pub const IDS: [(u16, u16); 2] = [(0x1209, 0x0002), (0x0451, 0x16ae)];

/// Address of the bulk IN endpoint with the stream (`firmware-sniffer/PROTOCOL.md`, 4).
const STREAM: u8 = 0x83;

/// Octets of a transfer: several frames, and a multiple of the packets of 64.
const TRANSFER: usize = 4_096;

/// Number of transfers that the host controller may fill between reads. Chosen here: up to 32 KiB, a second of a
/// channel that is never idle (250 kbit/s); but a transfer ends with the first packet shorter than 64 octets, so with
/// fewer of them frames would wait in the dongle while others are decoded.
const TRANSFERS: usize = 8;

/// Longest wait for the answer to a request. Chosen here: twice the 500 ms that USB 2.0 §9.2.6.4 gives a device for
/// the data of a standard request; longer only delays the message that the dongle is gone.
const PATIENCE: Duration = Duration::from_secs(1);

/// A claimed dongle, whose stream is being read.
pub struct Cc2531 {
    interface: Interface,
    stream: Endpoint<Bulk, In>,
}

/// Bus and ports of a device as the system writes them: `1-2.3`.
pub fn place(device: &DeviceInfo) -> String {
    let ports: Vec<String> = device.port_chain().iter().map(u8::to_string).collect();
    let bus = device.bus_id().trim_start_matches('0');
    format!("{bus}-{}", ports.join("."))
}

/// Returns all CC2531 that are plugged in. Errs where the system does not list its devices.
pub fn dongles() -> io::Result<Vec<DeviceInfo>> {
    let devices = nusb::list_devices().wait()?;
    Ok(devices.filter(|device| IDS.contains(&(device.vendor_id(), device.product_id()))).collect())
}

impl Cc2531 {
    /// Opens the dongle at `which`, a [`place`], or the first. Errs where none is there, or it may not be claimed.
    pub fn open(which: Option<&str>) -> io::Result<Self> {
        let found = dongles()?.into_iter().find(|device| which.is_none_or(|which| place(device) == which));
        let found = found.ok_or_else(|| io::Error::new(ErrorKind::NotFound, "no CC2531 there"))?;
        let device = found.open().wait()?;
        // Already configured: refused where a driver holds it, and not needed.
        let _ = device.set_configuration(1).wait();
        let interface = device.detach_and_claim_interface(0).wait()?;
        let mut stream = interface.endpoint::<Bulk, In>(STREAM)?;
        while stream.pending() < TRANSFERS {
            let buffer = stream.allocate(TRANSFER);
            stream.submit(buffer);
        }
        Ok(Self { interface, stream })
    }
}

fn failed(error: TransferError) -> io::Error {
    io::Error::other(error)
}

impl Wire for Cc2531 {
    fn ask(&mut self, request: u8, value: u16, index: u16, length: u16) -> io::Result<Vec<u8>> {
        let (control_type, recipient) = (ControlType::Vendor, Recipient::Device);
        let question = ControlIn { control_type, recipient, request, value, index, length };
        self.interface.control_in(question, PATIENCE).wait().map_err(failed)
    }

    fn send(&mut self, request: u8, value: u16, index: u16, data: &[u8]) -> io::Result<()> {
        let (control_type, recipient) = (ControlType::Vendor, Recipient::Device);
        let order = ControlOut { control_type, recipient, request, value, index, data };
        self.interface.control_out(order, PATIENCE).wait().map_err(failed)
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        let Some(done) = self.stream.wait_next_complete(LOOK) else { return Ok(Vec::new()) };
        done.status.map_err(failed)?;
        let octets = done.buffer.get(..done.actual_len).unwrap_or_default().to_vec();
        let buffer = self.stream.allocate(TRANSFER);
        self.stream.submit(buffer);
        Ok(octets)
    }
}
