//! Every bundled capture decodes to what Wireshark's tshark says of it (`traces/*/expect.json.gz`,
//! made by `npm run traces`), and a text log to what the pcap of the same run says.

use crate::bundle::{Bundled, NO_OPTION, RC_OPTION, analyse, bundled_with, gunzip, runs, shared};
use base::{FrameId, Instant, Span};
use serde_json::Value;
use std::net::{IpAddr, Ipv6Addr};
use std::path::Path;
use trace::{Message, Trace};

/// Row of a packet list for one frame that completes a CoAP message.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    frame: u32,
    kind: String,
    code: String,
    mid: u16,
    token: String,
    src: (Ipv6Addr, u16),
    dst: (Ipv6Addr, u16),
}

fn ours(trace: &Trace) -> Vec<Seen> {
    let seen = |&(frame, message): &(FrameId, base::MessageId)| {
        let m = &trace.messages[message.index()];
        Seen {
            frame: frame.0 + 1,
            kind: m.kind.to_string(),
            code: m.code.to_string(),
            mid: m.mid,
            token: m.token.to_string(),
            src: (m.src().addr, m.src().port),
            dst: (m.dst().addr, m.dst().port),
        }
    };
    trace.sightings.iter().map(seen).collect()
}

/// The rows of expect.json, each with the destination of the IPv6 header where a source route makes
/// it another one than the datagram's.
fn expected(bundled: &Bundled) -> (Vec<Seen>, Vec<Option<Ipv6Addr>>) {
    let expect: Value = serde_json::from_str(&gunzip(&bundled.file("expect").unwrap())).unwrap();
    let columns = ["frame", "type", "code", "mid", "token", "src", "src_port", "dst", "dst_port", "ipv6_dst"];
    assert_eq!(expect["columns"], serde_json::json!(columns));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let port = |value: &Value| u16::try_from(value.as_u64().unwrap()).unwrap();
    let addr = |value: &Value| match text(value).parse().unwrap() {
        IpAddr::V4(v4) => v4.to_ipv6_mapped(),
        IpAddr::V6(v6) => v6,
    };
    let row = |row: &Value| {
        let seen = Seen {
            frame: u32::try_from(row[0].as_u64().unwrap()).unwrap(),
            kind: text(&row[1]),
            code: text(&row[2]),
            mid: port(&row[3]),
            token: text(&row[4]),
            src: (addr(&row[5]), port(&row[6])),
            dst: (addr(&row[7]), port(&row[8])),
        };
        (seen, (!row[9].is_null()).then(|| addr(&row[9])))
    };
    expect["messages"].as_array().unwrap().iter().map(row).unzip()
}

/// The first rows that differ, in full; nothing but a count of the others.
fn assert_same(id: &str, ours: &[Seen], theirs: &[Seen]) {
    let differ: Vec<_> = ours.iter().zip(theirs).enumerate().filter(|(_, (a, b))| a != b).collect();
    for (row, (a, b)) in differ.iter().take(3) {
        println!("{id}, row {row}:\n  ours   {a:?}\n  tshark {b:?}");
    }
    assert_eq!((ours.len(), differ.len()), (theirs.len(), 0), "{id}: (rows, rows that differ)");
}

#[test]
fn every_frame_with_coap_is_what_tshark_says() {
    println!("{:28} {:>7} {:>7} {:>11}", "capture", "frames", "CoAP", "differences");
    for bundled in bundled_with("expect") {
        let trace = bundled.analyse("capture");
        let (theirs, headers) = expected(&bundled);
        let ours = ours(&trace);
        assert_same(&bundled.id, &ours, &theirs);
        for ((&(frame, message), next), seen) in trace.sightings.iter().zip(&headers).zip(&ours) {
            // Below a source route the IPv6 header names the node that the frame is sent to.
            let message = &trace.messages[message.index()];
            let hop = message.hops().find(|hop| hop.frames.contains(&frame)).expect("a hop");
            assert_eq!(hop.header_dst(), next.unwrap_or(message.dst().addr), "{}: {seen:?}", bundled.id);
            if next.is_some() {
                let iid = hop.dst().iid();
                assert_eq!(iid.as_ref().map(|iid| &iid[..]), Some(&hop.header_dst().octets()[8..]), "{}", bundled.id);
            }
        }
        println!("{:28} {:7} {:7} {:11}", bundled.id, trace.capture.frames.len(), ours.len(), 0);
    }
}

#[test]
fn only_export_times_are_doubted() {
    for bundled in bundled_with("expect") {
        let doubted = bundled.analyse("capture").notes.count("impossible-times");
        assert_eq!(doubted, u64::from(bundled.id == "contiki30-chain4-stock"), "{}", bundled.id);
    }
}

#[test]
fn every_sighting_belongs_to_a_hop_of_its_message() {
    for bundled in bundled_with("expect") {
        let trace = bundled.analyse("capture");
        for &(frame, message) in &trace.sightings {
            let message = &trace.messages[message.index()];
            assert!(message.hops().any(|hop| hop.frames.contains(&frame)), "{}: {frame} {message:?}", bundled.id);
        }
        for (message, next) in trace.messages.iter().zip(trace.messages.iter().skip(1)) {
            assert!((message.id, message.at) < (next.id, next.at), "{}: not in order of time", bundled.id);
        }
    }
}

/// Fields that do not depend on the precision of the clock or on knowing who received a frame.
fn essence(message: &Message) -> impl PartialEq + std::fmt::Debug + use<> {
    let m = message;
    (m.src(), m.dst(), m.kind, m.code, m.mid, m.token, (m.payload, m.octets(), m.rc), m.from_origin, frames(m))
}

fn frames(message: &Message) -> Vec<FrameId> {
    let mut frames: Vec<_> = message.hops().flat_map(|hop| hop.frames.iter().copied()).collect();
    frames.sort_unstable();
    frames
}

/// Ordered by the first frame: in whole milliseconds, messages that began within one change places.
fn by_frame(trace: &Trace) -> Vec<&Message> {
    let mut messages: Vec<_> = trace.messages.iter().collect();
    messages.sort_by_key(|message| frames(message));
    messages
}

/// Compare the text log of a run with its pcap; returns how many messages there are.
fn assert_text_equals_pcap(name: &str, log: &Path, pcap: &Path, rc_option: u16) -> usize {
    let (text, pcap) = (analyse(log, rc_option), analyse(pcap, rc_option));
    assert_eq!(text.capture.frames.len(), pcap.capture.frames.len(), "{name}");
    assert_eq!(ours(&text), ours(&pcap), "{name}: sightings");
    let zero = |trace: &Trace| trace.capture.frames[0].at - Instant::ZERO;
    let (text_zero, pcap_zero) = (zero(&text), zero(&pcap));
    let (mut count, mut differ) = (0, 0);
    for (t, p) in by_frame(&text).into_iter().zip(by_frame(&pcap)) {
        count += 1;
        if essence(t) != essence(p) {
            differ += 1;
            if differ <= 3 {
                println!("{name}:\n  text {:?}\n  pcap {:?}", essence(t), essence(p));
            }
            continue;
        }
        // Milliseconds are cut off, of this time stamp and of the first one.
        let apart = ((t.at - text_zero) - (p.at - pcap_zero)).abs();
        assert!(apart < Span::from_millis(1), "{name}: {apart} apart\n  text {t:?}\n  pcap {p:?}");
    }
    assert_eq!((text.messages.len(), differ), (pcap.messages.len(), 0), "{name}: (messages, messages that differ)");
    assert_eq!(text.exchanges.len(), pcap.exchanges.len(), "{name}: exchanges");
    count
}

/// Fields that are seen, whatever the order of frames.
fn any_order(trace: &Trace) -> Vec<String> {
    let mut seen: Vec<_> = ours(trace).into_iter().map(|seen| format!("{:?}", Seen { frame: 0, ..seen })).collect();
    seen.sort_unstable();
    seen
}

#[test]
fn a_text_log_holds_what_the_pcap_of_the_run_holds() {
    for bundled in bundled_with("radiolog") {
        let (log, pcap) = (bundled.file("radiolog").unwrap(), bundled.file("capture").unwrap());
        if bundled.id.starts_with("contiki30") {
            // The pcap's time stamps are those of the export, and its last frames in the order of drawing.
            let (text, pcap) = (analyse(&log, NO_OPTION), analyse(&pcap, NO_OPTION));
            assert_eq!(any_order(&text), any_order(&pcap), "{}", bundled.id);
            println!("{:28} {:7} sightings, no usable times", bundled.id, text.sightings.len());
        } else {
            let count = assert_text_equals_pcap(&bundled.id, &log, &pcap, bundled.rc_option);
            println!("{:28} {count:7} messages", bundled.id);
        }
    }
}

#[test]
fn text_logs_and_pcaps_of_all_runs_agree() {
    let Some(folder) = shared("cooja") else { return };
    for run in runs(&folder, "radiolog.txt.gz") {
        if run.to_string_lossy().contains("contiki30") {
            continue;
        }
        let (log, pcap) = (run.join("radiolog.txt.gz"), run.join("radio.pcap.gz"));
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        let count = assert_text_equals_pcap(&name, &log, &pcap, RC_OPTION);
        println!("{name:40} {count:7} messages");
    }
}
