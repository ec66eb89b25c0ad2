//! A lossy server on loopback that answers CoAP requests, and keeps every datagram for a capture.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// One datagram as it was seen: time since 1970, ports, payload.
struct Datagram {
    at: Duration,
    from: u16,
    to: u16,
    payload: Vec<u8>,
}

/// Servers, one for each client.
pub struct Relay {
    pub ports: Vec<u16>,
    seen: Arc<Mutex<Vec<Datagram>>>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Relay {
    /// Binds `servers` ports. Of each exchange the first copy is lost, of every third the second too; the next is
    /// answered at once.
    pub fn new(servers: usize) -> io::Result<Self> {
        let (seen, over) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut relay = Self { ports: Vec::new(), seen, over, threads: Vec::new() };
        for _ in 0..servers {
            let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
            socket.set_read_timeout(Some(Duration::from_millis(100)))?;
            relay.ports.push(socket.local_addr()?.port());
            let (seen, over) = (Arc::clone(&relay.seen), Arc::clone(&relay.over));
            relay.threads.push(std::thread::spawn(move || serve(&socket, &seen, &over)));
        }
        Ok(relay)
    }

    /// Stops, and writes what was seen as pcap.
    pub fn capture(mut self, path: &Path) -> io::Result<()> {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            thread.join().map_err(|_| io::Error::other("a server panicked"))?;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.sort_by_key(|datagram| datagram.at);
        std::fs::write(path, pcap(&seen))
    }
}

#[allow(clippy::disallowed_methods, reason = "a capture has the time of day")]
fn serve(socket: &UdpSocket, seen: &Mutex<Vec<Datagram>>, over: &AtomicBool) {
    let here = socket.local_addr().map_or(0, |address| address.port());
    let (mut buffer, mut last, mut exchanges, mut copies) = ([0; 1_500], None, 0, 0);
    let see = |from, to, payload: &[u8]| {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        seen.lock().unwrap_or_else(PoisonError::into_inner).push(Datagram { at, from, to, payload: payload.to_vec() });
    };
    while !over.load(Ordering::Relaxed) {
        let Ok((length, client)) = socket.recv_from(&mut buffer) else { continue };
        let request = &buffer[..length];
        let token = usize::from(request.first().copied().unwrap_or(0) & 0x0f);
        // Version 1, confirmable, a request (RFC 7252 §3).
        if length < 4 + token || request[0] & 0xf0 != 0x40 || !(1..32).contains(&request[1]) {
            continue;
        }
        see(client.port(), here, request);
        let message = (client, request[2], request[3]);
        if last != Some(message) {
            (last, copies) = (Some(message), 0);
            exchanges += 1;
        }
        copies += 1;
        if copies > if exchanges % 3 == 0 { 2 } else { 1 } {
            // 2.05 in the acknowledgement.
            let mut reply = vec![0x60 | request[0] & 0x0f, 0x45, request[2], request[3]];
            reply.extend_from_slice(&request[4..4 + token]);
            answer(socket, client, &reply);
            see(here, client.port(), &reply);
        }
    }
}

fn answer(socket: &UdpSocket, client: SocketAddr, reply: &[u8]) {
    // A client that has gone is no concern of its server.
    let _ = socket.send_to(reply, client);
}

/// A pcap of raw IPv4 (LINKTYPE_RAW, 101) in microseconds.
fn pcap(datagrams: &[Datagram]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(0xa1b2_c3d4_u32.to_le_bytes());
    file.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend(65_535_u32.to_le_bytes());
    file.extend(101_u32.to_le_bytes());
    for Datagram { at, from, to, payload } in datagrams {
        let length = 28 + payload.len();
        file.extend((at.as_secs() as u32).to_le_bytes());
        file.extend(at.subsec_micros().to_le_bytes());
        file.extend((length as u32).to_le_bytes());
        file.extend((length as u32).to_le_bytes());
        file.extend([0x45, 0]);
        file.extend((length as u16).to_be_bytes());
        // No fragment, 64 hops, UDP, no checksums, from loopback to loopback.
        file.extend([0, 0, 0x40, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]);
        file.extend(from.to_be_bytes());
        file.extend(to.to_be_bytes());
        file.extend(((8 + payload.len()) as u16).to_be_bytes());
        file.extend([0, 0]);
        file.extend(payload);
    }
    file
}
