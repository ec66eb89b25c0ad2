//! Devices to listen to, and sessions with them.
//!
//! A [`Session`] joins a transport (serial line, USB, pipe, UDP) with its protocol ([`crate::decode`]). A look blocks,
//! a tenth of a second at most; each device has a thread of its own.

#[cfg(unix)]
mod line;
mod list;
#[cfg(unix)]
mod pipe;
#[cfg(unix)]
mod serial;
pub mod ti;
mod usb;
mod zep;

pub use list::{Listed, list};

use crate::decode::{Event, Tally};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Longest duration of one look at a device. Chosen here: a request to stop is obeyed a tenth of a second later.
pub const LOOK: Duration = Duration::from_millis(100);

/// UDP port of ZEP (Wireshark, `packet-zep.c`).
const ZEP_PORT: u16 = 17_754;

/// Device to listen to, with the text that [`FromStr`] reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Device {
    /// A serial line with our firmware or Nordic's: `/dev/ttyACM0`, `serial:PATH`.
    Serial(PathBuf),
    /// A serial line on which sensniff's protocol is spoken: `sensniff:PATH`.
    Sensniff(PathBuf),
    /// A CC2531 with our firmware or TI's: `cc2531`, or `cc2531:BUS-PORT` where there are several.
    Cc2531(Option<String>),
    /// A stream of pcap or pcapng: `-`, a named pipe, `pipe:PATH`.
    Pipe(PathBuf),
    /// ZEP datagrams that come to this address: `zep`, `zep:ADDRESS:PORT`. Without an address, from this machine only.
    Zep(SocketAddr),
}

impl Device {
    /// Returns whether the channel of the device can be set.
    #[must_use]
    pub const fn has_channel(&self) -> bool {
        matches!(self, Self::Serial(_) | Self::Sensniff(_) | Self::Cc2531(_))
    }

    /// Returns the path of the file or device node that it reads; `None` for USB and UDP.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Serial(path) | Self::Sensniff(path) | Self::Pipe(path) => Some(path),
            Self::Cc2531(_) | Self::Zep(_) => None,
        }
    }

    /// Begins to listen, on `channel` (11 to 26) where there are channels.
    ///
    /// # Errors
    /// The device is absent, may not be opened, or is no sniffer. Serial lines and pipes are for Unix only.
    pub fn open(&self, channel: u8) -> io::Result<Box<dyn Session>> {
        match self {
            #[cfg(unix)]
            Self::Serial(path) => Ok(Box::new(serial::Sniffer::open(path, channel)?)),
            #[cfg(unix)]
            Self::Sensniff(path) => Ok(Box::new(serial::Contiki::open(path, channel)?)),
            #[cfg(unix)]
            Self::Pipe(path) => Ok(Box::new(pipe::Pipe::open(path)?)),
            #[cfg(not(unix))]
            Self::Serial(_) | Self::Sensniff(_) | Self::Pipe(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "serial lines and pipes work on Linux and macOS only"))
            }
            Self::Cc2531(which) => Ok(Box::new(ti::Sniffer::start(usb::Cc2531::open(which.as_deref())?, channel)?)),
            Self::Zep(address) => Ok(Box::new(zep::Port::open(*address)?)),
        }
    }
}

impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_stream = |path: &Path| {
            #[cfg(unix)]
            use std::os::unix::fs::FileTypeExt as _;
            let Ok(about) = path.metadata() else { return false };
            #[cfg(unix)]
            if about.file_type().is_fifo() {
                return true;
            }
            about.is_file()
        };
        let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        let path = |rest: Option<&str>| match rest {
            Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
            _ => Err(format!("`{text}` needs a path: {kind}:PATH")),
        };
        match kind {
            "serial" => path(rest).map(Self::Serial),
            "sensniff" => path(rest).map(Self::Sensniff),
            "pipe" => path(rest).map(Self::Pipe),
            "cc2531" => Ok(Self::Cc2531(rest.map(str::to_owned))),
            "zep" => match rest {
                None => Ok(Self::Zep((Ipv4Addr::LOCALHOST, ZEP_PORT).into())),
                Some(port) if port.parse::<u16>().is_ok() => {
                    Ok(Self::Zep((Ipv4Addr::LOCALHOST, port.parse().unwrap_or(ZEP_PORT)).into()))
                }
                Some(address) => address
                    .parse()
                    .map(Self::Zep)
                    .map_err(|_| format!("`{address}` is no address and port, such as 127.0.0.1:{ZEP_PORT}")),
            },
            _ if text == "-" || is_stream(Path::new(text)) => Ok(Self::Pipe(text.into())),
            _ if text.starts_with("/dev/") || Path::new(text).exists() => Ok(Self::Serial(text.into())),
            _ => Err(format!(
                "`{text}` is no device: a serial line (/dev/ttyACM0, sensniff:/dev/ttyUSB0), cc2531, a pipe (-, pipe:PATH), or \
                 zep:ADDRESS:PORT; `rtoscope capture --list` shows what is there"
            )),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial(path) if path.starts_with("/dev") => write!(f, "{}", path.display()),
            Self::Serial(path) => write!(f, "serial:{}", path.display()),
            Self::Sensniff(path) => write!(f, "sensniff:{}", path.display()),
            Self::Cc2531(None) => f.write_str("cc2531"),
            Self::Cc2531(Some(which)) => write!(f, "cc2531:{which}"),
            Self::Pipe(path) if path.as_os_str() == "-" => f.write_str("-"),
            Self::Pipe(path) => write!(f, "pipe:{}", path.display()),
            Self::Zep(address) => write!(f, "zep:{address}"),
        }
    }
}

/// Session with a device that is being listened to.
pub trait Session {
    /// Waits for octets, [`LOOK`] at most, and appends their events to `events`.
    ///
    /// # Errors
    /// The device is gone; [`io::ErrorKind::UnexpectedEof`] where it ended.
    fn look(&mut self, events: &mut Vec<Event>) -> io::Result<()>;

    /// Moves to `channel`, 11 to 26; nothing happens where there are no channels.
    ///
    /// # Errors
    /// The device is gone.
    fn set_channel(&mut self, channel: u8, events: &mut Vec<Event>) -> io::Result<()>;

    /// Stops the device, and takes the events that it still had.
    ///
    /// # Errors
    /// The device is gone.
    fn stop(&mut self, events: &mut Vec<Event>) -> io::Result<()>;

    /// Returns the counters of this session.
    fn tally(&self) -> Tally;

    /// Returns whether the device sends a status every second, so that silence is a stall.
    fn is_talkative(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_by_name() {
        for (text, device) in [
            ("serial:x", Device::Serial("x".into())),
            ("/dev/ttyACM0", Device::Serial("/dev/ttyACM0".into())),
            ("sensniff:/dev/ttyUSB0", Device::Sensniff("/dev/ttyUSB0".into())),
            ("cc2531:1-2.3", Device::Cc2531(Some("1-2.3".to_owned()))),
            ("cc2531", Device::Cc2531(None)),
            ("-", Device::Pipe("-".into())),
            ("pipe:/nowhere", Device::Pipe("/nowhere".into())),
            ("zep:[::]:9", Device::Zep("[::]:9".parse().expect("address"))),
            ("zep:127.0.0.1:17754", Device::Zep("127.0.0.1:17754".parse().expect("address"))),
        ] {
            assert_eq!(text.parse(), Ok(device.clone()), "{text}");
            assert_eq!(device.to_string().parse(), Ok(device), "{text}");
        }
        assert_eq!("zep".parse(), Ok(Device::Zep("127.0.0.1:17754".parse().expect("address"))));
        assert_eq!("zep:5".parse(), Ok(Device::Zep("127.0.0.1:5".parse().expect("address"))));
        for wrong in ["", "eth0", "serial:", "zep:nowhere:1", "pipe:"] {
            assert!(wrong.parse::<Device>().is_err(), "{wrong}");
        }
    }
}
