//! HTTP endpoint for Prometheus, on the loopback interface alone: sums and alerts in its text format 0.0.4.

use anyhow::Context as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Most octets that are read of a request. Chosen here: Prometheus sends some 300.
const MOST: usize = 4_096;
/// Most reads of one request. Chosen here: one that comes in more pieces keeps others waiting.
const READS: usize = 16;
/// Longest wait for one read or write of a client. Chosen here by judgement: no experiment decides it; a client on
/// the loopback interface answers at once, and one that does not keeps others waiting for [`READS`] times as long at
/// most.
const WAIT: Duration = Duration::from_secs(1);

/// Reads the address and port of `--prometheus`. Errs with a sentence where they are malformed or not of the loopback
/// interface.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr =
        text.parse().map_err(|_| format!("`{text}` is no address with a port, such as 127.0.0.1:9464"))?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err(format!(
        "{} can be reached from other machines, and this serves its own only: use 127.0.0.1:{1} or [::1]:{1}",
        address.ip(),
        address.port()
    ))
}

/// Listening endpoint with the text that it serves.
#[derive(Debug)]
pub struct Endpoint {
    address: SocketAddr,
    text: Arc<Mutex<String>>,
}

impl Endpoint {
    /// Listens at `address` in a thread that ends with the program; port 0 takes any free one. Fails where the address
    /// cannot be bound.
    pub fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen at {address}"))?;
        let address = listener.local_addr()?;
        let text = Arc::new(Mutex::new(String::new()));
        let served = Arc::clone(&text);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let text = served.lock().unwrap_or_else(PoisonError::into_inner).clone();
                // A client that hangs up asks again.
                let _ = answer(stream, &text);
            }
        });
        Ok(Self { address, text })
    }

    /// Returns the address and the actual port.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Replaces the served text.
    pub fn show(&self, text: String) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

/// Answers one request: `GET /metrics` with `text`, others with 404 or 405. Fails where the client is too slow or hangs
/// up.
fn answer(mut stream: TcpStream, text: &str) -> std::io::Result<()> {
    stream.set_read_timeout(Some(WAIT))?;
    stream.set_write_timeout(Some(WAIT))?;
    let mut request = Vec::new();
    let mut piece = [0; MOST];
    for _ in 0..READS {
        let n = stream.read(&mut piece)?;
        request.extend_from_slice(piece.get(..n).unwrap_or_default());
        if n == 0 || request.len() >= MOST || request.windows(4).any(|end| end == b"\r\n\r\n") {
            break;
        }
    }
    let line = request.split(|&octet| octet == b'\r').next().unwrap_or_default();
    let mut words = line.split(|&octet| octet == b' ');
    let (status, body) = match (words.next(), words.next()) {
        (Some(b"GET"), Some(b"/metrics")) => ("200 OK", text),
        (Some(b"GET"), _) => ("404 Not Found", "The metrics are at /metrics.\n"),
        _ => ("405 Method Not Allowed", "GET /metrics is all that is answered.\n"),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: \
         close\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_served() {
        assert!(address("127.0.0.1:9464").is_ok() && address("[::1]:0").is_ok());
        for open in ["0.0.0.0:9464", "[::]:9464", "192.168.0.1:9464", "[fd00::1]:9464"] {
            assert!(address(open).unwrap_err().contains("reached from other machines"), "{open}");
        }
        assert!(address("localhost:9464").unwrap_err().contains("no address with a port"));
    }
}
