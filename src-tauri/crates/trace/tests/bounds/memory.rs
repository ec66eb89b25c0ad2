//! Memory that a capture takes, measured by a counting allocator: the same on every machine, however busy.
//!
//! The benchmark measures processes; these bounds keep what it found from creeping back. Numbers of frames are a little
//! below a power of two, so that lists which double as they grow are nearly full.

use crate::bundle;
use crate::make::{Order, Pcap};
use allocation_counter::{AllocationInfo, measure};
use std::io::Read;
use trace::{DecodeOptions, ImportOptions, Trace};

/// Returns the memory to read and analyse `file`, and the trace.
fn cost(file: &[u8]) -> (AllocationInfo, Trace) {
    let mut trace = None;
    let info = measure(|| {
        let len = Some(file.len() as u64);
        let capture = trace::read("made", file, len, &ImportOptions::default(), &mut base::Silent).unwrap();
        trace = Some(trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).unwrap());
    });
    (info, trace.unwrap())
}

/// Makes `frames` frames, each a CoAP message in IPv4 of `length` octets, as live captures have: a confirmable request,
/// and 80 ms after it the acknowledgement, by each of four clients in turn.
fn exchanges(frames: u32, length: usize) -> Vec<u8> {
    let mut file = Pcap::new(Order::Little, 101);
    for n in 0..frames {
        let (exchange, is_reply) = (n / 2, n % 2 == 1);
        let (client, mid) = (1 + (exchange % 4) as u8, (exchange / 4) as u16);
        let (from, to) = if is_reply { (9, client) } else { (client, 9) };
        let ports = if is_reply { [5_683_u16, 40_000] } else { [40_000, 5_683] };
        let mut packet = vec![0x45, 0, 0, length as u8, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, from, 10, 0, 0, to];
        let words = [ports[0], ports[1], length as u16 - 20, 0];
        packet.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        packet.extend([if is_reply { 0x62 } else { 0x42 }, if is_reply { 0x45 } else { 1 }]);
        packet.extend([mid.to_be_bytes(), mid.to_be_bytes()].concat());
        // Uri-Path "t", or Content-Format 60.
        packet.extend(if is_reply { [0xc1, 60] } else { [0xb1, b't'] });
        packet.push(0xff);
        packet.resize(length, b'x');
        let micros = exchange % 2 * 500_000 + if is_reply { 80_000 } else { 0 };
        file.record(1_700_000_000 + exchange / 2, micros, &packet);
    }
    file.octets
}

#[test]
fn a_capture_of_nothing_but_coap_takes_less_than_three_times_its_file() {
    // Octets a frame as in the benchmark's capture.
    let (frames, length) = (65_000, 60);
    let file = exchanges(frames, length);
    let (info, trace) = cost(&file);
    assert_eq!((trace.messages.len(), trace.exchanges.len()), (65_000, 32_500));
    let a_frame = info.bytes_max as f64 / f64::from(frames);
    let kept = info.bytes_current as f64 / f64::from(frames);
    println!("at most {a_frame:.1} octets a frame, {kept:.1} kept, {} allocations", info.count_total);
    assert!((info.bytes_max as f64) < 2.92 * file.len() as f64, "{a_frame} octets a frame");
    // None for a frame: lists that grow, and what there is of each client.
    assert!(info.count_total < 2_000, "{} allocations", info.count_total);
}

#[test]
fn a_capture_of_a_mesh_takes_less_than_three_times_its_file() {
    let mut packed = Vec::new();
    let bundled = bundle::bundled().into_iter().find(|b| b.id == "grid3x3-burst-cocoa").unwrap();
    let file = std::fs::File::open(bundled.file("capture").unwrap()).unwrap();
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut packed).unwrap();
    let (info, trace) = cost(&packed);
    let frames = trace.capture.frames.len() as f64;
    let (a_frame, blocks) = (info.bytes_max as f64 / frames, info.count_total as f64 / frames);
    println!("{frames} frames: at most {a_frame:.1} octets and {blocks:.2} allocations a frame");
    assert!((info.bytes_max as f64) < 3.0 * packed.len() as f64, "{a_frame} octets a frame");
    // None for a header that is read: lists of hops and of exchanges.
    assert!(blocks < 1.6, "{blocks} allocations a frame");
}
