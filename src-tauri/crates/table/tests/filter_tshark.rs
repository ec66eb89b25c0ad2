//! The same filter lets the same frames through here and in `tshark -Y`, on every bundled capture and for every field
//! that both have. tshark is asked once for many filters: how many frames pass each, and the sum of their numbers.

use base::Silent;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use table::Rows;
use table::filter::Filter;
use trace::{DecodeOptions, FcsChoice, ImportOptions, Places, Trace};

/// No commas: they part the columns of `-z io,stat`.
const FILTERS: &[&str] = &[
    "frame.number > 100",
    "frame.number in {2..40}",
    "frame.len > 60",
    "frame.time_relative > 12.5",
    "frame.time_relative <= 300",
    "wpan",
    "wpan.frame_type == 1",
    "wpan.frame_type != 1",
    "wpan.frame_type",
    "wpan.ack_request",
    "wpan.ack_request == 1",
    "wpan.ack_request == 0",
    "wpan.security == 0",
    "wpan.pending == 0",
    "wpan.pan_id_compression == 1",
    "wpan.version == 1",
    "wpan.version == 2",
    "wpan.seq_no >= 128",
    "wpan.seq_no in {17..40}",
    "wpan.dst_pan == 0xabcd",
    "wpan.dst16 == 0xffff",
    "wpan.dst16 != 0xffff",
    "wpan.src64",
    "wpan.src64 == 00:01:00:01:00:01:00:01",
    "wpan.src64 == 00:02:00:02:00:02:00:02 && !wpan.dst16",
    "wpan.dst64 != 00:01:00:01:00:01:00:01",
    "6lowpan",
    "6lowpan.frag.size",
    "6lowpan.frag.tag > 3",
    "ipv6",
    "ipv6.src == fd00::/64",
    "ipv6.dst == fe80::/10",
    "ipv6.dst != ff02::1a",
    "ipv6.addr == fd00::201:1:1:1",
    "ipv6.addr != fd00::201:1:1:1",
    "ipv6.hlim < 64",
    "ipv6.hlim in {61..63}",
    "ipv6.nxt == 58",
    "ipv6.plen > 40",
    "ip",
    "ip.src == 10.77.0.0/16",
    "ip.addr == 10.77.0.11",
    "ip.addr != 10.77.0.11",
    "ip.ttl == 64",
    "ip.proto == 17",
    "udp",
    "udp.srcport == 5683",
    "udp.port == 5683",
    "udp.port != 5683",
    "udp.length > 30",
    "icmpv6",
    "icmpv6.type == 155",
    "icmpv6.code == 1",
    "icmpv6.type == 155 && icmpv6.code != 1",
    "icmpv6.rpl.dio.rank < 512",
    "icmpv6.rpl.dio.dagid == fd00::/64",
    "icmpv6.rpl.dao.sequence > 2",
    "coap",
    "!coap",
    "coap.type == 0",
    "coap.type != 2",
    "coap.code == 68",
    "coap.code in {1..4}",
    "coap.mid >= 32768",
    "coap.token",
    "coap.token == 04:02",
    "coap.token contains 02",
    "coap.token_len == 2",
    "coap.payload_length > 4",
    "coap.opt.uri_path",
    "coap.opt.uri_path == \"time\"",
    "coap.opt.uri_path contains \"s\"",
    // Fields that only the decode tree has.
    "ipv6.version == 6",
    "ipv6.flow == 0",
    "ipv6.tclass.dscp == 0",
    "ipv6.hopopts.nxt == 17",
    "ipv6.opt.rpl.flag.o == 1",
    "ipv6.opt.rpl.sender_rank > 300",
    "ipv6.routing.segleft",
    "6lowpan.iphc.tf == 3",
    "6lowpan.iphc.hlim == 2",
    "6lowpan.nhc.udp.checksum == 0",
    "6lowpan.src == fd00::/64",
    "wpan.fcf",
    "wpan.dst_addr_mode == 3",
    "wpan.tsch.asn > 1000",
    "wpan.header_ie.time_correction.value",
    "wpan.nack == 0",
    "ip.flags.df == 1",
    "ip.id > 1000",
    "ip.len > 40",
    "udp.checksum > 0x8000",
    "icmpv6.checksum < 0x8000",
    "icmpv6.rpl.dio.dtsn > 240",
    "icmpv6.rpl.dio.flag.mop == 2",
    "icmpv6.rpl.dao.instance",
    "icmpv6.rpl.opt.target.prefix == fd00::/64",
    "icmpv6.rpl.opt.type == 5",
    "coap.version == 1",
    "coap.opt.ctype",
    "coap.opt.desc contains \"Elective\"",
    "coap.opt.desc matches \"elective\"",
    "coap.opt.length != 4",
    "coap.opt.uri_path matches \"^T\"",
    "coap.opt.uri_path matches \"(me|or)$\"",
    "coap.token matches \"^.\"",
    "coap.payload",
    "coap.type == 0 && coap.code == 3 || coap.type == 2 && !(coap.mid < 1000)",
    "not coap and (udp or icmpv6)",
];

/// Filters asked of one run of tshark.
const GROUP: usize = 18;

fn traces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces")
}

fn run(command: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(command).args(args).output().ok()?;
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn open(path: &Path, no_fcs: bool) -> Trace {
    let fcs = if no_fcs { FcsChoice::None } else { FcsChoice::Auto };
    let import = ImportOptions::default().with_fcs(fcs);
    let capture = trace::open(path, &import, &mut Silent).expect("a bundled capture");
    trace::analyse(capture, &DecodeOptions::default(), &mut Silent).expect("not cancelled")
}

/// Frames that pass each of `filters`, and the sum of their numbers, as tshark counts them.
fn tshark(file: &str, contexts: &[String], filters: &[&str]) -> Vec<(u64, u64)> {
    let columns: Vec<String> = filters
        .iter()
        .flat_map(|f| ["COUNT", "SUM"].map(|what| format!("{what}(frame.number)frame.number && ({f})")))
        .collect();
    let statistics = format!("io,stat,0,{}", columns.join(","));
    let mut args = vec!["-n", "-r", file, "-q", "-z", &statistics];
    for context in contexts {
        args.extend(["-o", context]);
    }
    let text = run("tshark", &args).expect("tshark was there a moment ago");
    let row = text.lines().find(|line| line.contains("<>")).unwrap_or_else(|| panic!("no statistics:\n{text}"));
    let numbers: Vec<u64> = row.split('|').skip(2).filter_map(|cell| cell.trim().parse().ok()).collect();
    assert_eq!(numbers.len(), columns.len(), "{row}");
    numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

#[test]
fn the_same_frames_pass_as_in_tshark() {
    if run("tshark", &["--version"]).is_none() || Command::new("editcap").arg("--version").output().is_err() {
        return needs::skip("tshark with editcap");
    }
    let index = std::fs::read_to_string(traces().join("index.json")).expect("traces/index.json");
    let index: Value = serde_json::from_str(&index).expect("JSON");
    let folder = tempfile::tempdir().expect("a folder");
    let (mut compared, mut captures) = (0, 0);
    // Frames over all captures that pass each filter, and that do not.
    let mut tried = vec![(0, 0); FILTERS.len()];
    let mut differing = Vec::new();
    for bundled in index["traces"].as_array().expect("traces") {
        let id = bundled["id"].as_str().expect("an id");
        let file = traces().join(id).join(bundled["files"]["capture"].as_str().expect("a capture"));
        let relabel = bundled["tshark"]["link_type"].as_str();
        let trace = open(&file, relabel == Some("wpan-nofcs"));
        let places = Places::of(&trace, &mut Silent).unwrap();
        let mut read = file.display().to_string();
        if let Some(link) = relabel {
            let relabelled = folder.path().join(format!("{id}.pcap")).display().to_string();
            run("editcap", &["-T", link, &read, &relabelled]).expect("editcap was there a moment ago");
            read = relabelled;
        }
        let contexts = bundled["tshark"]["contexts"].as_array().expect("contexts").iter().enumerate();
        let contexts: Vec<String> =
            contexts.map(|(n, prefix)| format!("6lowpan.context{n}:{}", prefix.as_str().unwrap_or_default())).collect();
        captures += 1;
        for (group, filters) in FILTERS.chunks(GROUP).enumerate() {
            let theirs = tshark(&read, &contexts, filters);
            for (n, (text, theirs)) in filters.iter().zip(theirs).enumerate() {
                let filter: Filter = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
                let rows = table::select(&trace, &places, Rows::Frames, Some(&filter), None, &mut Silent);
                let rows = rows.expect("not cancelled");
                let ours = (rows.len() as u64, rows.iter().map(|&row| u64::from(row) + 1).sum::<u64>());
                compared += 1;
                let tried = &mut tried[group * GROUP + n];
                *tried = (tried.0 + rows.len(), tried.1 + trace.capture.frames.len() - rows.len());
                if ours != theirs {
                    differing.push(format!("{id}: {text}: frames and sum of numbers {ours:?}, tshark {theirs:?}"));
                }
            }
        }
    }
    println!("{compared} answers compared: {} filters on {captures} captures", FILTERS.len());
    assert!(differing.is_empty(), "{} differ\n{}", differing.len(), differing.join("\n"));
    // A filter that passes nothing or everything everywhere tests little: in these captures only broadcasts have short
    // addresses, and CoAP is all that UDP carries.
    const IDLE: &[&str] = &["wpan.dst16 != 0xffff", "udp.port != 5683"];
    let idle: Vec<&str> =
        FILTERS.iter().zip(tried).filter(|(_, tried)| tried.0 == 0 || tried.1 == 0).map(|(f, _)| *f).collect();
    assert_eq!(idle, IDLE);
}
