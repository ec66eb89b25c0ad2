//! The app's own driver (`live::device::ti`) and the image: what the driver asks goes to the emulated dongle's endpoint
//! 0, what the dongle sends comes back in bulk transfers as a host controller makes them. Between them is only `Wire`,
//! where the app has the system's USB.

use cc2531_image::{
    CLOCKS_PER_US, Dongle,
    air::{Draw, PERIOD, frame, plugged},
    host::crc,
    radio::Frame,
};
use live::decode::{Event, Heard, Stamp, Tally};
use live::device::Session as _;
use live::device::ti::{Sniffer, Wire};
use live::recording::{Existing, Recording};
use std::cell::{RefCell, RefMut};
use std::io;
use std::path::Path;
use std::rc::Rc;
use wire::tap::{Tap, linktype};

/// As many transfers as the app's USB keeps under way.
const TRANSFERS: usize = 8;

/// A cable with the dongle at its end.
#[derive(Clone)]
struct Cable {
    dongle: Rc<RefCell<Dongle>>,
    is_out: Rc<RefCell<bool>>,
    /// Answers to the identity as TI's firmware does, so that the driver speaks TI's way.
    is_stock: bool,
}

impl Cable {
    fn new(dongle: Dongle, is_stock: bool) -> Self {
        dongle.chip().usb.room = Some(TRANSFERS);
        Self { dongle: Rc::new(RefCell::new(dongle)), is_out: Rc::default(), is_stock }
    }

    fn dongle(&self) -> RefMut<'_, Dongle> {
        self.dongle.borrow_mut()
    }

    fn is_in(&self) -> io::Result<()> {
        if *self.is_out.borrow() { Err(io::ErrorKind::NotConnected.into()) } else { Ok(()) }
    }

    /// Puts frames on the air, one after the other; when the last of them ends.
    fn send(&self, seed: u64, count: u64, channel: u8) -> u64 {
        let mut draw = Draw(seed);
        let dongle = self.dongle();
        let mut free = dongle.now() + 1_000 * CLOCKS_PER_US;
        for n in 0..count {
            free = dongle.chip().radio.transmit(frame(&mut draw, n, channel), free + PERIOD + n % 37);
        }
        free
    }
}

impl Wire for Cable {
    fn ask(&mut self, request: u8, value: u16, index: u16, length: u16) -> io::Result<Vec<u8>> {
        self.is_in()?;
        let answer = self.dongle().request(0xC0, request, value, index, length, None);
        let answer = answer.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(if self.is_stock && request == 0xC0 { vec![0x31, 0x25, 1, 0x25, 0, 0, 0, 0] } else { answer })
    }

    fn send(&mut self, request: u8, value: u16, index: u16, data: &[u8]) -> io::Result<()> {
        self.is_in()?;
        let done = self.dongle().request(0x40, request, value, index, 0, Some(data));
        done.map(drop).ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut dongle = self.dongle();
        // A tenth of a second, in steps in which no more than one transfer can end.
        for _ in 0..2_000 {
            let transfer = dongle.chip().usb.transfers.pop_front();
            if let Some(octets) = transfer {
                return Ok(octets);
            }
            self.is_in()?;
            dongle.run(50);
        }
        Ok(Vec::new())
    }

    fn rest(&mut self) {
        self.dongle().run(10_000);
    }
}

fn heard(events: &[Event]) -> Vec<&Heard> {
    events.iter().filter_map(|event| if let Event::Heard(heard) = event { Some(heard) } else { None }).collect()
}

/// Looks until the air is empty and a second has nothing that is a frame.
fn listen(sniffer: &mut Sniffer<Cable>, cable: &Cable, until: u64, events: &mut Vec<Event>) {
    let mut quiet = cable.dongle().now();
    while cable.dongle().now() < until.max(quiet) + 1_000_000 * CLOCKS_PER_US {
        let before = heard(events).len();
        sniffer.look(events).expect("the dongle is there");
        if heard(events).len() > before {
            quiet = cable.dongle().now();
        }
    }
}

/// The time that `heard` must have when it is `frame`, on a clock that ticks every `tick` ns.
fn time(frame: &Frame, dongle: &Dongle, tick: u64) -> Stamp {
    let (began, from) = dongle.chip().radio.timer_origin();
    Stamp::Device((u64::from(from) + frame.sfd - began) * 125 / 4 / tick * tick)
}

/// Asserts that `heard`, as the file will have it, is `frame`.
fn assert_is(heard: &Heard, frame: &Frame, dongle: &Dongle, tick: u64) {
    let tap = Tap::parse(&heard.octets).expect("TAP");
    let got = &heard.octets[tap.frame.clone()];
    let (psdu, _) = frame.psdu.split_last_chunk::<2>().expect("an FCS");
    assert_eq!(&got[..got.len() - 2], psdu);
    // A wrong check sequence is only known to be wrong.
    assert_eq!(crc(0, psdu).to_le_bytes() == got[got.len() - 2..], frame.fcs_ok);
    assert_eq!((tap.channel, tap.rss_dbm), (Some(frame.channel.into()), Some(f32::from(frame.rssi))));
    let quality = (i32::from(frame.correlation) - 50) * 255 / 60;
    assert_eq!(tap.lqi, Some(u8::try_from(quality.clamp(0, 255)).expect("clamped")));
    assert_eq!(heard.stamp, time(frame, dongle, tick));
}

#[test]
fn every_length_at_line_rate_both_ways() {
    for (is_stock, count, tick) in [(false, 1_000, 1_000), (true, 1_000, 1)] {
        let cable = Cable::new(plugged(0), is_stock);
        let mut sniffer = Sniffer::start(cable.clone(), 20).expect("started");
        assert_eq!(sniffer.is_talkative(), !is_stock);
        let mut events = Vec::new();
        let until = cable.send(1, count, 20);
        listen(&mut sniffer, &cable, until, &mut events);
        sniffer.stop(&mut events).expect("stopped");
        let frames = cable.dongle().chip().radio.heard.clone();
        let Tally { frames: got, dropped, lost, damaged, garbage } = sniffer.tally();
        assert_eq!((frames.len() as u64, lost, damaged, garbage), (count, 0, 0, 0));
        assert_eq!((got, dropped), (count, 0), "stock {is_stock}");
        for (heard, frame) in heard(&events).into_iter().zip(&frames) {
            assert_is(heard, frame, &cable.dongle(), tick);
        }
    }
}

#[test]
fn a_host_that_stalls_loses_only_what_is_counted() {
    let cable = Cable::new(plugged(0), false);
    let mut sniffer = Sniffer::start(cable.clone(), 15).expect("started");
    let mut events = Vec::new();
    let until = cable.send(2, 100, 15);
    listen(&mut sniffer, &cable, until, &mut events);
    assert_eq!(sniffer.tally().dropped, 0);
    // The host does not read for as long as 600 frames take: the controller's transfers fill, then the dongle's ring.
    let until = cable.send(3, 600, 15);
    let ahead = until - cable.dongle().now();
    cable.dongle().run(ahead / CLOCKS_PER_US + 1_000);
    listen(&mut sniffer, &cable, until, &mut events);
    // The next frames say how many are missing before them.
    let until = cable.send(4, 20, 15);
    listen(&mut sniffer, &cable, until, &mut events);
    sniffer.stop(&mut events).expect("stopped");
    let Tally { frames, dropped, lost, damaged, garbage } = sniffer.tally();
    assert_eq!((lost, damaged, garbage), (0, 0, 0));
    assert!(dropped > 100, "{dropped}");
    assert_eq!(frames + dropped, 720);
    assert_eq!(heard(&events).iter().map(|heard| u64::from(heard.dropped)).sum::<u64>(), dropped);
    let sent = cable.dongle().chip().radio.heard.clone();
    let mut rest = sent.iter();
    for heard in heard(&events) {
        let tap = Tap::parse(&heard.octets).expect("TAP");
        let got = &heard.octets[tap.frame];
        assert!(rest.any(|frame| frame.psdu[..frame.psdu.len() - 2] == got[..got.len() - 2]), "in order, with holes");
    }
}

#[test]
fn channels_change_under_load() {
    for is_stock in [false, true] {
        let cable = Cable::new(plugged(0), is_stock);
        let mut sniffer = Sniffer::start(cable.clone(), 15).expect("started");
        for (round, channel, next) in [(0, 15, 20), (1, 20, 26), (2, 26, 11)] {
            cable.dongle().chip().radio.heard.clear();
            let mut events = Vec::new();
            let until = cable.send(10 + round, 40, channel);
            listen(&mut sniffer, &cable, until, &mut events);
            // In the middle of a frame.
            let start = cable.dongle().now() + 100 * CLOCKS_PER_US;
            cable.dongle().chip().radio.transmit(frame(&mut Draw(99), 120, channel), start);
            cable.dongle().run(1_500);
            sniffer.set_channel(next, &mut events).expect("moved");
            // Frames do not overlap: this one ends first.
            cable.dongle().run(10_000);
            let heard = heard(&events);
            let sent = cable.dongle().chip().radio.heard.clone();
            assert_eq!((heard.len(), sent.len()), (40, 40), "round {round}, stock {is_stock}");
            for (heard, frame) in heard.iter().zip(&sent) {
                assert_is(heard, frame, &cable.dongle(), if is_stock { 1 } else { 1_000 });
            }
            assert_eq!(cable.dongle().chip().radio.channel(), next);
        }
        assert_eq!((sniffer.tally().damaged, sniffer.tally().garbage), (0, 0));
    }
}

/// Two minutes and more: TI's clock goes round, its ticks say so.
#[test]
fn the_clock_goes_round() {
    let from = u32::MAX - 2_000_000 * 32;
    let cable = Cable::new(plugged(from), true);
    let mut sniffer = Sniffer::start(cable.clone(), 15).expect("started");
    let mut events = Vec::new();
    for seed in 0..12 {
        let until = cable.send(seed, 10, 15) + 400_000 * CLOCKS_PER_US;
        listen(&mut sniffer, &cable, until, &mut events);
    }
    let (heard, sent) = (heard(&events), cable.dongle().chip().radio.heard.clone());
    assert_eq!((heard.len(), sent.len()), (120, 120));
    for (heard, frame) in heard.iter().zip(&sent) {
        assert_is(heard, frame, &cable.dongle(), 1);
    }
    let wraps = |frame: &Frame| {
        let (began, from) = cable.dongle().chip().radio.timer_origin();
        u64::from(from) + frame.sfd - began > u64::from(u32::MAX)
    };
    assert!(!wraps(&sent[0]) && wraps(&sent[119]));
}

#[test]
fn unplugged_and_plugged_in_again() {
    let cable = Cable::new(plugged(0), false);
    let mut sniffer = Sniffer::start(cable.clone(), 15).expect("started");
    let mut events = Vec::new();
    let until = cable.send(5, 30, 15);
    listen(&mut sniffer, &cable, until, &mut events);
    *cable.is_out.borrow_mut() = true;
    assert_eq!(sniffer.look(&mut events).expect_err("gone").kind(), io::ErrorKind::NotConnected);
    assert!(sniffer.stop(&mut events).is_err());
    assert_eq!(heard(&events).len(), 30);
    // It loses its power with its cable.
    let cable = Cable::new(plugged(0), false);
    let mut sniffer = Sniffer::start(cable.clone(), 15).expect("started again");
    let mut events = Vec::new();
    let until = cable.send(6, 30, 15);
    listen(&mut sniffer, &cable, until, &mut events);
    assert_eq!((heard(&events).len(), sniffer.tally().lost, sniffer.tally().dropped), (30, 0, 0));
}

#[test]
fn a_request_that_the_dongle_refuses_is_an_error() {
    let cable = Cable::new(plugged(0), false);
    assert!(Sniffer::start(cable.clone(), 27).is_err(), "no such channel");
    let mut sniffer = Sniffer::start(cable, 26).expect("started");
    assert!(sniffer.set_channel(10, &mut Vec::new()).is_err());
}

/// The air of a bundled trace, through the image, the driver and the file: the same messages and exchanges.
#[test]
fn exchanges_are_those_of_the_air() {
    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/chain6-periodic-default/capture.pcap.gz");
    let read = |path: &Path| {
        trace::open(path, &trace::ImportOptions::default(), &mut base::Silent).expect("a capture that can be read")
    };
    let of = read(&trace);
    // Frames of 15 seconds in which clients send, without those that overlap.
    let second = 1_000_000_000;
    let (mut free, mut frames) = (0, Vec::new());
    for frame in &of.frames {
        let at = (frame.at - base::Instant::ZERO).nanos() - 60 * second;
        let psdu = of.octets_of(frame);
        if (0..15 * second).contains(&at) && at >= free && !psdu.is_empty() {
            free = at + (i64::try_from(psdu.len()).expect("short") + 8) * 32_000 + 192_000;
            frames.push((at, psdu));
        }
    }
    assert!(frames.len() > 80, "{}", frames.len());
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, heard: &[(i64, Heard)]| {
        let path = folder.path().join(name);
        let mut recording = Recording::create(&path, Existing::Kept, 0).expect("made");
        let device = recording.device(name, "", Some(linktype::IEEE802_15_4_TAP), 0).expect("announced");
        for (at, heard) in heard {
            recording.heard(device, *at, heard, "").expect("written");
        }
        let (capture, mut none) = (read(&path), base::Silent);
        trace::analyse(capture, &trace::DecodeOptions::default(), &mut none).expect("analysed")
    };
    let cable = Cable::new(plugged(0), false);
    let mut sniffer = Sniffer::start(cable.clone(), 26).expect("started");
    let base = cable.dongle().now() + 10_000 * CLOCKS_PER_US;
    let mut until = base;
    for (at, psdu) in &frames {
        let psdu = [psdu, &crc(0, psdu).to_le_bytes()[..]].concat();
        let on_air = Frame { psdu, channel: 26, rssi: -60, correlation: 100, fcs_ok: true, sfd: 0 };
        let at = u64::try_from(*at).expect("after the first") * 4 / 125;
        until = cable.dongle().chip().radio.transmit(on_air, base + at);
    }
    let mut events = Vec::new();
    listen(&mut sniffer, &cable, until, &mut events);
    let heard = heard(&events);
    assert_eq!((heard.len(), sniffer.tally().dropped), (frames.len(), 0));
    let stamped = |heard: &&Heard| {
        let Stamp::Device(nanos) = heard.stamp else { panic!("{:?}", heard.stamp) };
        (i64::try_from(nanos).expect("years"), (*heard).clone())
    };
    let got = write("dongle", &heard.iter().map(stamped).collect::<Vec<_>>());
    let sent: Vec<_> = heard.iter().zip(&frames).map(|(heard, (at, _))| (*at, (*heard).clone())).collect();
    let expected = write("air", &sent);
    assert!(expected.exchanges.len() >= 8, "{}", expected.exchanges.len());
    assert_eq!((got.messages.len(), got.exchanges.len()), (expected.messages.len(), expected.exchanges.len()));
    let first = |trace: &trace::Trace| trace.exchanges[0].start();
    for (a, b) in expected.exchanges.iter().zip(&got.exchanges) {
        let what = |x: &trace::Exchange| (x.mid, x.token, x.code, x.copies.len(), x.replies.len(), x.outcome);
        assert_eq!(what(a), what(b));
        // The records' clock ticks once a microsecond.
        let off = (a.start() - first(&expected)).nanos() - (b.start() - first(&got)).nanos();
        assert!(off.abs() <= 2_000, "{off} ns");
    }
}
