//! Programs on the host, from the octets they send and the way they read (FIRMWARE facts, section 5; PROTOCOL.md).

use crate::{Dongle, usb::Outcome};

/// A message of TI's stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The stamp, and the PSDU with what stands in place of the FCS.
    Frame {
        stamp: u32,
        psdu: Vec<u8>,
    },
    Tick(u8),
}

impl Dongle {
    /// A control request. `None` when it is refused.
    ///
    /// # Panics
    /// When the device does not answer, or with more than it was asked for.
    pub fn request(
        &mut self,
        kind: u8,
        request: u8,
        value: u16,
        index: u16,
        length: u16,
        data: Option<&[u8]>,
    ) -> Option<Vec<u8>> {
        let length = data.map_or(length, |data| u16::try_from(data.len()).expect("short"));
        let ([v0, v1], [i0, i1], [l0, l1]) = (value.to_le_bytes(), index.to_le_bytes(), length.to_le_bytes());
        self.chip().usb.setup([kind, request, v0, v1, i0, i1, l0, l1], data);
        self.until(200_000, |chip| chip.usb.outcome.is_some());
        let chip = self.chip();
        assert!(chip.usb.answer.len() <= usize::from(length));
        (chip.usb.outcome == Some(Outcome::Done)).then(|| chip.usb.answer.clone())
    }

    /// Plugged in: reset, addressed, configured.
    pub fn plug(&mut self) {
        self.run(20_000);
        self.chip().usb.bus_reset();
        self.run(10_000);
        self.request(0x00, 5, 7, 0, 0, None).expect("SET_ADDRESS");
        assert_eq!(self.chip().usb.address, 7);
        self.request(0x00, 9, 1, 0, 0, None).expect("SET_CONFIGURATION");
        self.chip().usb.reading = true;
    }

    fn channel(&mut self, channel: u8) {
        self.request(0x40, 0xD2, 0, 0, 0, Some(&[channel])).expect("channel");
        self.request(0x40, 0xD2, 0, 1, 0, Some(&[0])).expect("channel, second half");
    }

    /// Starts the sniffer with the requests of TI's hosts, in their order.
    pub fn start(&mut self, channel: u8) {
        assert_eq!(self.request(0xC0, 0xC0, 0, 0, 256, None).expect("identity").len(), 8);
        self.request(0x40, 0xC5, 0, 4, 0, None).expect("power");
        let tries = (0..20).position(|_| {
            self.run(10_000);
            self.request(0xC0, 0xC6, 0, 0, 1, None) == Some(vec![4])
        });
        assert!(tries.is_some(), "powered");
        self.request(0x40, 0xC9, 0, 0, 0, None).expect("C9");
        self.channel(channel);
        self.request(0x40, 0xD0, 0, 0, 0, None).expect("start");
    }

    /// To another channel.
    pub fn change(&mut self, channel: u8) {
        self.request(0x40, 0xD1, 0, 0, 0, None).expect("stop");
        self.channel(channel);
        self.request(0x40, 0xD0, 0, 0, 0, None).expect("start");
    }

    pub fn stop(&mut self) {
        self.request(0x40, 0xD1, 0, 0, 0, None).expect("stop");
        self.request(0x40, 0xC5, 0, 0, 0, None).expect("power off");
    }

    pub fn read(&mut self) -> Vec<u8> {
        self.chip().usb.transfers.drain(..).flatten().collect()
    }
}

/// TI's stream in whole messages.
///
/// # Panics
/// When it is anything else.
#[must_use]
pub fn messages(mut stream: &[u8]) -> Vec<Message> {
    let mut out = Vec::new();
    while let [kind, low, high, rest @ ..] = stream {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let (body, after) = rest.split_at(length);
        out.push(match (kind, body) {
            (0, [a, b, c, d, n, psdu @ ..]) => {
                assert_eq!(psdu.len(), usize::from(*n));
                Message::Frame { stamp: u32::from_le_bytes([*a, *b, *c, *d]), psdu: psdu.to_vec() }
            }
            (1, [tick]) => Message::Tick(*tick),
            other => panic!("{other:?}"),
        });
        stream = after;
    }
    assert!(stream.is_empty(), "half a message");
    out
}

/// CRC-16 of the reflected polynomial 0x8408, bit by bit.
#[must_use]
pub fn crc(start: u16, octets: &[u8]) -> u16 {
    octets.iter().fold(start, |crc, &octet| {
        (0..8).fold(crc ^ u16::from(octet), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0x8408 } else { 0 })
    })
}

/// The records of a stream of our framing, unstuffed and checked, without their CRC.
///
/// # Panics
/// When something in it is not a record.
#[must_use]
pub fn records(stream: &[u8]) -> Vec<Vec<u8>> {
    stream.split(|&octet| octet == 0).filter(|piece| !piece.is_empty()).map(record).collect()
}

fn record(stuffed: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < stuffed.len() {
        let code = usize::from(stuffed[at]);
        out.extend(&stuffed[at + 1..at + code]);
        at += code;
        if code < 0xFF && at < stuffed.len() {
            out.push(0);
        }
    }
    let check = out.split_off(out.len() - 2);
    assert_eq!(!crc(0xFFFF, &out), u16::from_le_bytes([check[0], check[1]]), "a record with a wrong check");
    out
}
