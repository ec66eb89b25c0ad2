//! Reception of ZEP datagrams.

use super::{LOOK, Session};
use crate::decode::{Decoder, Event, Tally, Zep};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, UdpSocket};

/// Largest number of sniffers told apart; frames of further ones go to stream 0. Chosen here as a bound on memory: any
/// host that reaches the port can name devices.
const SNIFFERS: usize = 256;

/// Session with an open UDP port.
#[derive(Debug)]
pub struct Port {
    socket: UdpSocket,
    decoder: Zep,
    streams: Streams,
    buffer: Box<[u8]>,
}

/// Streams, from 1, by address of the sender and device number. They are numbered in the order in which they spoke
/// first, which differs from time to time; their names do not.
#[derive(Debug, Default)]
struct Streams(BTreeMap<(IpAddr, u32), u32>);

impl Streams {
    /// Turns device numbers of frames that came from `sender` into streams, and names those that are new.
    fn tell_apart(&mut self, sender: IpAddr, came: Vec<Event>, events: &mut Vec<Event>) {
        for mut event in came {
            if let Event::Heard(heard) = &mut event {
                let device = heard.stream;
                let next = self.0.len() + 1;
                heard.stream = match self.0.get(&(sender, device)) {
                    Some(&stream) => stream,
                    None if next > SNIFFERS => 0,
                    None => {
                        let stream = u32::try_from(next).unwrap_or(0);
                        self.0.insert((sender, device), stream);
                        events.push(Event::Stream(stream, format!("device {device} at {sender}")));
                        stream
                    }
                };
            }
            events.push(event);
        }
    }
}

impl Port {
    /// Listens on `address`. Every host that can reach it may send frames. Errs where the port is taken.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_read_timeout(Some(LOOK))?;
        Ok(Self { socket, decoder: Zep::default(), streams: Streams::default(), buffer: vec![0; 64 * 1024].into() })
    }
}

impl Session for Port {
    fn look(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        match self.socket.recv_from(&mut self.buffer) {
            Ok((length, sender)) => {
                let mut came = Vec::new();
                self.decoder.feed(self.buffer.get(..length).unwrap_or_default(), &mut came);
                self.streams.tell_apart(sender.ip(), came, events);
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn set_channel(&mut self, _: u8, _: &mut Vec<Event>) -> io::Result<()> {
        Ok(())
    }

    fn stop(&mut self, _: &mut Vec<Event>) -> io::Result<()> {
        Ok(())
    }

    fn tally(&self) -> Tally {
        self.decoder.tally()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Heard, Reception, Stamp};
    use std::net::Ipv4Addr;

    #[test]
    fn sniffers_are_told_apart_by_address_and_device() {
        let mut streams = Streams::default();
        let mut hear = |host: u8, device: u32| {
            let frame = Heard { stream: device, ..Heard::psdu(&[2, 0, 1], Reception::default(), Stamp::None) };
            let mut events = Vec::new();
            streams.tell_apart(Ipv4Addr::new(10, 0, 0, host).into(), vec![Event::Heard(frame)], &mut events);
            let heard = events.pop();
            let Some(Event::Heard(heard)) = heard else { panic!("{heard:?}") };
            (heard.stream, events)
        };
        let named = |stream, name: &str| (stream, vec![Event::Stream(stream, name.to_owned())]);
        assert_eq!(hear(1, 7), named(1, "device 7 at 10.0.0.1"));
        assert_eq!(hear(2, 7), named(2, "device 7 at 10.0.0.2"));
        assert_eq!(hear(1, 7), (1, vec![]));
        assert_eq!(hear(1, 0), named(3, "device 0 at 10.0.0.1"));
        for device in 0..SNIFFERS as u32 {
            hear(3, device);
        }
        // Sniffers beyond the limit count as the port's own stream, without a name.
        assert_eq!(hear(4, 1), (0, vec![]));
        assert_eq!(hear(2, 7), (2, vec![]));
    }
}
