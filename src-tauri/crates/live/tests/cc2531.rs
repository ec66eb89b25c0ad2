//! The conversation with a CC2531, against the order of TI's hosts (`firmware-sniffer/PROTOCOL.md`, 4.1), with a dongle
//! that is a list of what was asked.

use live::decode::{Event, Heard};
use live::device::Session as _;
use live::device::ti::{Sniffer, Wire};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

#[derive(Default)]
struct Dongle {
    identity: Vec<u8>,
    /// Looks until the radio has power.
    slow: u32,
    asked: Vec<String>,
    transfers: VecDeque<Vec<u8>>,
}

#[derive(Clone, Default)]
struct Usb(Rc<RefCell<Dongle>>);

impl Wire for Usb {
    fn ask(&mut self, request: u8, value: u16, index: u16, length: u16) -> io::Result<Vec<u8>> {
        let mut dongle = self.0.borrow_mut();
        dongle.asked.push(format!("< {request:02x} {value} {index} {length}"));
        Ok(match request {
            0xc0 => dongle.identity.clone(),
            0xc6 if dongle.slow == 0 => vec![4],
            0xc6 => {
                dongle.slow -= 1;
                vec![0]
            }
            _ => return Err(io::ErrorKind::BrokenPipe.into()),
        })
    }

    fn send(&mut self, request: u8, value: u16, index: u16, data: &[u8]) -> io::Result<()> {
        self.0.borrow_mut().asked.push(format!("> {request:02x} {value} {index} {data:?}"));
        Ok(())
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.0.borrow_mut().transfers.pop_front().unwrap_or_default())
    }

    fn rest(&mut self) {}
}

fn usb(identity: &[u8], slow: u32) -> Usb {
    Usb(Rc::new(RefCell::new(Dongle { identity: identity.to_vec(), slow, ..Dongle::default() })))
}

fn heard(events: &[Event]) -> Vec<&Heard> {
    events.iter().filter_map(|event| if let Event::Heard(heard) = event { Some(heard) } else { None }).collect()
}

/// A frame of three octets, FCS right, at tick 64.
const FRAME: [u8; 13] = [0, 10, 0, 64, 0, 0, 0, 5, 2, 0, 0x31, 13, 0x80 | 110];

#[test]
fn stock_firmware_in_the_order_of_its_hosts() {
    let usb = usb(&[0x31, 0x25, 1, 2, 3, 4, 5, 6], 2);
    let mut sniffer = Sniffer::start(usb.clone(), 15).expect("started");
    let power = ["< c6 0 0 1"; 3];
    let begin = [&["< c0 0 0 256", "> c5 0 4 []"][..], &power, &["> c9 0 0 []"]].concat();
    let go = ["> d2 0 0 [15]", "> d2 0 1 [0]", "> d0 0 0 []"];
    assert_eq!(std::mem::take(&mut usb.0.borrow_mut().asked), [&begin[..], &go].concat());
    // Heard before the change, on the channel before it; a message that the change cuts off is garbage.
    usb.0.borrow_mut().transfers.extend([FRAME.to_vec(), FRAME[..5].to_vec()]);
    let mut events = Vec::new();
    sniffer.set_channel(20, &mut events).expect("it is there");
    usb.0.borrow_mut().transfers.push_back(FRAME.to_vec());
    sniffer.look(&mut events).expect("it is there");
    let moved = ["> d1 0 0 []", "> d2 0 0 [20]", "> d2 0 1 [0]", "> d0 0 0 []"];
    assert_eq!(std::mem::take(&mut usb.0.borrow_mut().asked), moved);
    let channels: Vec<_> =
        heard(&events).iter().map(|heard| wire::tap::Tap::parse(&heard.octets).expect("TAP").channel).collect();
    assert_eq!(channels, [Some(15), Some(20)]);
    assert_eq!(sniffer.tally().garbage, 5);
    sniffer.stop(&mut events).expect("it is there");
    assert_eq!(usb.0.borrow().asked, ["> d1 0 0 []", "> c5 0 0 []"]);
}

#[test]
fn ours_is_told_to_speak_in_records() {
    let usb = usb(&[0x31, 0x25, b'R', b'T', b'O', 1, 0, 0], 0);
    let mut sniffer = Sniffer::start(usb.clone(), 26).expect("started");
    let asked = usb.0.borrow().asked.clone();
    assert_eq!(
        asked,
        [
            "< c0 0 0 256",
            "> c5 0 4 []",
            "< c6 0 0 1",
            "> c9 0 0 []",
            "> e0 1 0 []",
            "> d2 0 0 [26]",
            "> d2 0 1 [0]",
            "> d0 0 0 []"
        ]
    );
    assert!(sniffer.is_talkative());
    // The first vector of `firmware-sniffer/vectors/records.txt`, in two transfers.
    let wire = [3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 8, 0x0b, 0xd8, 0xff, 3, 2, 0xcd, 0x20, 0];
    usb.0.borrow_mut().transfers.extend([wire[..9].to_vec(), wire[9..].to_vec()]);
    let mut events = Vec::new();
    sniffer.look(&mut events).expect("it is there");
    assert!(events.is_empty());
    sniffer.look(&mut events).expect("it is there");
    assert_eq!((heard(&events).len(), sniffer.tally().damaged), (1, 0));
}

#[test]
fn a_radio_without_power_is_given_up() {
    let error = Sniffer::start(usb(&[0x31, 0x25], 1_000), 11).err().expect("started");
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}
