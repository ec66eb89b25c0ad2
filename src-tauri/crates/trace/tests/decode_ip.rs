//! What is read of IP datagrams that are not plain CoAP on its port.

#![allow(clippy::unwrap_used, reason = "tests")]

mod bundle;

use bundle::{NO_OPTION, shared};
use trace::{DecodeOptions, ImportOptions, Outcome, Trace};
use wire::tap::linktype;

/// An IPv4 packet of a second; `protocol` 17 is UDP, 6 TCP.
fn ipv4(protocol: u8, client_sends: bool, upper: &[u8]) -> Vec<u8> {
    let (client, server) = ([10, 0, 0, 1], [10, 0, 0, 2]);
    let mut octets = vec![0x45, 0];
    octets.extend((20 + upper.len() as u16).to_be_bytes());
    octets.extend([0, 0, 0, 0, 64, protocol, 0, 0]);
    octets.extend(if client_sends { [client, server] } else { [server, client] }.concat());
    octets.extend(upper);
    octets
}

fn udp(client_sends: bool, port: u16, message: &[u8]) -> Vec<u8> {
    let mut ports = [40_000_u16.to_be_bytes(), port.to_be_bytes()];
    if !client_sends {
        ports.reverse();
    }
    let mut octets = ports.concat();
    octets.extend((8 + message.len() as u16).to_be_bytes());
    octets.extend([0, 0]);
    octets.extend(message);
    ipv4(17, client_sends, &octets)
}

/// Analyse packets a second apart, of which at most `snaplen` octets were kept.
fn analyse(packets: &[Vec<u8>], snaplen: usize) -> Trace {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend((snaplen as u32).to_le_bytes());
    file.extend(u32::from(linktype::RAW).to_le_bytes());
    for (second, packet) in packets.iter().enumerate() {
        let held = packet.len().min(snaplen);
        for word in [1_700_000_000 + second, 0, held, packet.len()] {
            file.extend((word as u32).to_le_bytes());
        }
        file.extend(&packet[..held]);
    }
    let capture = trace::read("made", &file[..], None, &ImportOptions::default(), &mut base::Silent).unwrap();
    trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).unwrap()
}

const GET: [u8; 6] = [0x40, 1, 0x12, 0x34, 0xb1, b'a'];

#[test]
fn a_datagram_cut_by_the_sniffer_is_read_as_far_as_it_goes() {
    let answer = [&[0x64, 69, 0x12, 0x34, 1, 2, 3, 4, 0xff][..], &[b'x'; 1_000]].concat();
    let trace = analyse(&[udp(true, 5_683, &GET), udp(false, 5_683, &answer)], 60);
    assert_eq!(
        (trace.messages.len(), trace.notes.count("cut-datagram"), trace.notes.count("malformed-udp")),
        (2, 1, 0)
    );
    assert_eq!((trace.messages[1].token.to_string().as_str(), trace.messages[1].payload), ("01020304", 1_000));
    assert_eq!(trace.exchanges[0].outcome, Outcome::Acked);
    // 20 octets of IPv4, 8 of UDP, 4 of CoAP: the token is not there.
    let trace = analyse(&[udp(true, 5_683, &GET), udp(false, 5_683, &answer)], 35);
    assert_eq!((trace.messages.len(), trace.notes.count("cut-message")), (1, 1));
    // Whole, but shorter than it says.
    let mut short = udp(false, 5_683, &answer);
    short.truncate(60);
    assert_eq!(analyse(&[short], 65_535).notes.count("malformed-udp"), 1);
}

#[test]
fn an_acknowledgement_with_a_token_acknowledges() {
    // As some servers send it: ttproto's TD_COAP_OBS_05.
    let ack = [0x65, 0, 0x12, 0x34, 0x34, 0x32, 0x32, 0x38, 0x33];
    let trace = analyse(&[udp(true, 5_683, &GET), udp(false, 5_683, &ack)], 65_535);
    assert_eq!(trace.notes.count("empty-with-content"), 1);
    assert_eq!(
        (trace.messages[1].token.to_string().as_str(), trace.exchanges[0].outcome),
        ("3432323833", Outcome::Acked)
    );
    // An Empty confirmable message with content stays an error, and so does a token of 9 octets.
    for wrong in [&[0x41, 0, 0x12, 0x34, 1][..], &[0x69, 0, 0x12, 0x34, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
        let trace = analyse(&[udp(true, 5_683, wrong)], 65_535);
        assert_eq!((trace.messages.len(), trace.notes.count("malformed-coap")), (0, 1));
    }
}

#[test]
fn a_port_is_guessed_from_what_is_said_there() {
    let talk = |port| -> Vec<Vec<u8>> {
        let turn = |mid: u8| {
            let (request, answer) = ([0x40, 1, 0, mid, 0xb1, b'a'], [0x60, 69, 0, mid, 0xff, b'x']);
            [udp(true, port, &request), udp(false, port, &answer)]
        };
        (0..5).flat_map(turn).collect()
    };
    let trace = analyse(&talk(17_500), 65_535);
    assert_eq!((trace.messages.len(), trace.exchanges.len(), trace.notes.count("port-guessed")), (10, 5, 1));
    assert!(trace.exchanges.iter().all(|exchange| exchange.outcome == Outcome::Acked));
    let known = analyse(&talk(5_683), 65_535);
    let guessed = format!("{:?}", trace.messages).replace("port: 17500", "port: 5683");
    assert_eq!((format!("{:?}", known.messages), known.notes.count("port-guessed")), (guessed, 0));
}

#[test]
fn what_hides_coap_is_named() {
    // A DTLS 1.2 ClientHello, RFC 6347 §4.1; CoAP over TCP, RFC 8323 §3.2: a CSM.
    let hello = [&[22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3][..], &[1, 2, 3]].concat();
    let mut tcp = [40_000_u16.to_be_bytes(), 5_683_u16.to_be_bytes()].concat();
    tcp.extend([0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x18, 0, 0, 0, 0, 0, 0]);
    let no_content = ipv4(6, true, &tcp);
    tcp.extend([0, 0xe1]);
    let oscore = [0x41, 2, 0, 1, 7, 0x92, 0x09, 1, 0xff, 0xaa];
    let mut fragment = udp(true, 5_683, &GET);
    fragment[6] = 0x20;
    let packets = [
        udp(true, 5_684, &hello),
        udp(true, 5_683, &hello),
        ipv4(6, true, &tcp),
        no_content,
        udp(true, 5_683, &oscore),
        fragment,
    ];
    let notes = analyse(&packets, 65_535).notes;
    let counts = ["dtls", "coap-over-tcp", "oscore", "ip-fragment"].map(|code| notes.count(code));
    assert_eq!((counts, notes.count("malformed-coap")), ([2, 1, 1, 1], 0));
}

/// What tshark 4.0.17 counts in captures of others: CoAP messages, and acknowledged exchanges by hand.
#[test]
fn recorded_oddities() {
    let Some(captures) = shared("captures") else { return };
    let table = [
        ("coap-perf-tester/caputure_to_1200_arf_12_r_4_res1024.pcap", "cut-datagram", 268),
        ("coap-perf-tester/caputure_to_1200_arf_12_r_4_res256.pcap", "cut-datagram", 263),
        ("ttproto/TD_COAP_OBS_05_PASS.pcap", "empty-with-content", 5),
        ("ndpi/coap_mqtt.pcap", "port-guessed", 1),
        // Negative controls: text that begins as CoAP does, and Teredo.
        ("pcap-parser-assets/wireshark_samples-test.pcapng", "port-guessed", 0),
    ];
    for (name, code, count) in table {
        let path = captures.join(name);
        if !path.exists() {
            println!("skipped: {name} is not there");
            continue;
        }
        let trace = bundle::analyse(&path, NO_OPTION);
        assert_eq!(trace.notes.count(code), count, "{name}");
    }
}
