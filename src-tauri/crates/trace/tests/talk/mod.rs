//! Captures written as tables of messages, and what was made of them as text.
//!
//! ```text
//! 0     A > S  CON GET  1 aa            ms, ends, type, code, Message ID, token (- for none)
//! 100   S > A  ACK 2.05 1 aa  +16      and octets of payload; obs=0 b1=0/more/32 b2= q1= q2= rc=1 are options
//! ```

#![allow(dead_code, reason = "each test file uses its part")]

use base::Instant;
use std::fmt::Write;
use trace::{
    Capture, DecodeOptions, Endpoint, Evidence, Exchange, Fate, Head, ImportOptions, Outcome, ReplyKind, Trace,
};
use wire::tap::linktype;

/// Names of endpoints: IPv4 address and port.
const NODES: [(&str, [u8; 4], u16); 11] = [
    ("S", [10, 0, 0, 2], 5_683),
    ("A", [10, 0, 0, 1], 40_001),
    // At A's address.
    ("B", [10, 0, 0, 1], 40_002),
    ("C", [10, 0, 0, 3], 40_003),
    // A proxy, and its client side.
    ("P", [10, 0, 0, 9], 5_683),
    ("Q", [10, 0, 0, 9], 61_000),
    // A behind a NAT.
    ("N", [192, 0, 2, 1], 50_000),
    ("T", [10, 0, 0, 4], 5_683),
    // A server on A's own host; one and its client by the loopback address.
    ("H", [10, 0, 0, 1], 5_683),
    ("L", [127, 0, 0, 1], 40_001),
    ("M", [127, 0, 0, 1], 5_683),
];

fn node(name: &str) -> ([u8; 4], u16) {
    let node = NODES.iter().find(|node| node.0 == name).unwrap_or_else(|| panic!("no node {name}"));
    (node.1, node.2)
}

fn name(endpoint: Endpoint) -> &'static str {
    let v4 = endpoint.addr.to_ipv4_mapped().unwrap().octets();
    NODES.iter().find(|node| (node.1, node.2) == (v4, endpoint.port)).unwrap().0
}

/// The options of a line as numbers and values.
fn options(words: &[&str]) -> Vec<(u16, Vec<u8>)> {
    let uint = |n: u32| n.to_be_bytes().into_iter().skip_while(|&octet| octet == 0).collect::<Vec<u8>>();
    let block = |text: &str| {
        let parts: Vec<&str> = text.split('/').collect();
        let (number, more, size): (u32, bool, u32) =
            (parts[0].parse().unwrap(), parts[1] == "more", parts[2].parse().unwrap());
        uint(number << 4 | u32::from(more) << 3 | (size.ilog2() - 4))
    };
    let option = |word: &&str| {
        let (key, value) = word.split_once('=')?;
        Some(match key {
            "obs" => (6, uint(value.parse().unwrap())),
            "path" => (11, value.as_bytes().to_vec()),
            "q1" => (19, block(value)),
            "b2" => (23, block(value)),
            "b1" => (27, block(value)),
            "q2" => (31, block(value)),
            "rc" => (65_020, uint(value.parse().unwrap())),
            _ => panic!("{word}"),
        })
    };
    let mut options: Vec<_> = words.iter().filter_map(option).collect();
    options.sort_by_key(|option| option.0);
    options
}

/// A CoAP message (RFC 7252 §3).
fn coap(words: &[&str]) -> Vec<u8> {
    let kind = ["CON", "NON", "ACK", "RST"].iter().position(|&kind| kind == words[0]).unwrap() as u8;
    let code = match words[1] {
        "GET" => 1,
        "POST" => 2,
        "PUT" => 3,
        code => {
            let (class, detail) = code.split_once('.').unwrap();
            class.parse::<u8>().unwrap() << 5 | detail.parse::<u8>().unwrap()
        }
    };
    let mid: u16 = words[2].parse().unwrap();
    let token: Vec<u8> = match words[3] {
        "-" => Vec::new(),
        hex => (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect(),
    };
    let mut octets = vec![0x40 | kind << 4 | token.len() as u8, code];
    octets.extend(mid.to_be_bytes());
    octets.extend(token);
    let mut before = 0;
    for (number, value) in options(&words[4..]) {
        let nibble = |n: u16| match n {
            0..=12 => (n as u8, Vec::new()),
            13..=268 => (13, vec![(n - 13) as u8]),
            _ => (14, (n - 269).to_be_bytes().to_vec()),
        };
        let (delta, long) = nibble(number - before);
        octets.push(delta << 4 | value.len() as u8);
        octets.extend(long);
        octets.extend(value);
        before = number;
    }
    if let Some(payload) = words.iter().find_map(|word| word.strip_prefix('+')) {
        octets.push(0xff);
        octets.extend(vec![b'x'; payload.parse().unwrap()]);
    }
    octets
}

/// Analyse a table.
pub fn talk(table: &str) -> Trace {
    analyse(capture(table))
}

/// Analyse a capture.
pub fn analyse(capture: Capture) -> Trace {
    trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).unwrap()
}

/// The capture of a table. A line of a time alone is a frame of something else: the capture lasts until then.
pub fn capture(table: &str) -> Capture {
    capture_behind((linktype::RAW, &[]), table)
}

/// The capture of a table with a link type and the header that it puts before each IP packet.
pub fn capture_behind((number, header): (u16, &[u8]), table: &str) -> Capture {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend(65_535_u32.to_le_bytes());
    file.extend(u32::from(number).to_le_bytes());
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let millis: u32 = words[0].parse().unwrap_or_else(|_| panic!("{line}"));
        let packet = match &words[1..] {
            [] => vec![0x45, 0, 0, 20, 0, 0, 0, 0, 64, 1, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2],
            [from, ">", to, message @ ..] => {
                let ((from, from_port), (to, to_port)) = (node(from), node(to));
                let message = coap(message);
                let length = |header: usize| ((header + message.len()) as u16).to_be_bytes();
                let ip = [&[0x45, 0][..], &length(28), &[0, 0, 0, 0, 64, 17, 0, 0], &from, &to].concat();
                let ports = [from_port.to_be_bytes(), to_port.to_be_bytes()].concat();
                [&ip[..], &ports, &length(8), &[0, 0], &message].concat()
            }
            _ => panic!("{line}"),
        };
        let packet = [header, &packet].concat();
        for word in [1_700_000_000 + millis / 1_000, millis % 1_000 * 1_000, packet.len() as u32, packet.len() as u32] {
            file.extend(word.to_le_bytes());
        }
        file.extend(packet);
    }
    trace::read("table", &file[..], None, &ImportOptions::default(), &mut base::Silent).unwrap()
}

fn millis(at: Instant) -> i64 {
    at.nanos() / 1_000_000
}

/// Returns one line per exchange.
pub fn told(trace: &Trace) -> String {
    trace.exchanges.iter().map(|exchange| line(trace, exchange) + "\n").collect()
}

fn line(trace: &Trace, e: &Exchange) -> String {
    let association = &trace.associations[e.association.index()];
    let outcome = match e.outcome {
        Outcome::Acked => "acked",
        Outcome::Separate => "separate",
        Outcome::Reset => "reset",
        Outcome::Abandoned => "abandoned",
        Outcome::Open => "open",
    };
    let mut text = format!("{}>{} {} {outcome}", name(association.client), name(association.server), e.mid);
    if let Some(end) = e.end {
        write!(text, " {}", millis(end)).unwrap();
    }
    match e.head {
        Head::Seen => {}
        Head::Perhaps => text += " perhaps-before",
        Head::Missing => text += " begun-before",
    }
    for copy in &e.copies {
        write!(text, " | {}", millis(copy.sent)).unwrap();
        match copy.fate {
            Fate::Answered { rtt } => write!(text, " answered {}", rtt.millis()).unwrap(),
            Fate::RequestLost => text += " request-lost",
            Fate::ReplyLost => text += " reply-lost",
            Fate::Lost => text += " lost",
            Fate::Unknown => text += " ?",
        }
        match copy.evidence {
            Evidence::Proven => text += "!",
            Evidence::Inferred => text += "~",
            Evidence::Unknown => {}
        }
    }
    for reply in &e.replies {
        let kind = match reply.kind {
            ReplyKind::EmptyAck => "ack",
            ReplyKind::Piggybacked => "piggy",
            ReplyKind::Separate => "sep",
            ReplyKind::Reset => "rst",
        };
        let answers = reply.answers.map_or_else(|| "-".to_owned(), |copy| copy.to_string());
        write!(text, " / {kind} {} to {answers}", millis(reply.sent)).unwrap();
    }
    text
}

/// Compare line by line, without regard to spaces before them.
#[track_caller]
pub fn assert_told(trace: &Trace, expected: &str) {
    let told = told(trace);
    let lines = |text: &str| text.lines().map(|l| l.trim().to_owned()).filter(|l| !l.is_empty()).collect::<Vec<_>>();
    assert_eq!(lines(&told), lines(expected), "\n{told}");
}
