//! ZEP datagrams.

use super::{LOOK, Session};
use crate::decode::{Decoder, Event, Tally, Zep};
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};

/// An open port.
#[derive(Debug)]
pub struct Port {
    socket: UdpSocket,
    decoder: Zep,
    buffer: Box<[u8]>,
}

impl Port {
    /// Whoever may reach `address` may send frames.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_read_timeout(Some(LOOK))?;
        Ok(Self { socket, decoder: Zep::default(), buffer: vec![0; 64 * 1024].into() })
    }
}

impl Session for Port {
    fn look(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        match self.socket.recv(&mut self.buffer) {
            Ok(length) => self.decoder.feed(self.buffer.get(..length).unwrap_or_default(), events),
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
