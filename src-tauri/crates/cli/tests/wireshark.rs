//! `export` and `extcap` as Wireshark sees them: what tshark makes of the files, and tshark capturing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RTOSCOPE: &str = env!("CARGO_BIN_EXE_rtoscope");
const RADIO: &str = "chain6-periodic-rc";
const WIRED: &str = "live-ge-default";

fn trace(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(id).join("capture.pcap.gz")
}

/// A home for tshark, without anybody's configuration.
struct Home(tempfile::TempDir);

impl Home {
    /// `None`, said, on a machine without tshark.
    fn new() -> Option<Self> {
        if Command::new("tshark").arg("--version").output().is_err() {
            needs::skip("tshark");
            return None;
        }
        Some(Self(tempfile::tempdir().expect("a folder")))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn output(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tshark");
        command.args(args).env("HOME", self.0.path()).env("XDG_CONFIG_HOME", self.path(".config"));
        command.output().expect("tshark runs")
    }

    fn lines(&self, args: &[&str]) -> Vec<String> {
        let output = self.output(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    /// Fields of every frame of `file` that passes `filter`.
    fn fields(&self, file: &Path, filter: &str, fields: &[&str]) -> Vec<String> {
        let mut args = vec!["-n", "-r", text(file), "-Y", filter, "-o", "6lowpan.context0:fd00::/64"];
        args.extend(["-T", "fields", "-E", "separator=|"]);
        args.extend(fields.iter().flat_map(|field| ["-e", field]));
        self.lines(&args)
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn ok(args: &[&str]) -> String {
    let output = Command::new(RTOSCOPE).args(args).output().expect("rtoscope runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn tshark_reads_every_synthetic_packet() {
    let Some(home) = Home::new() else { return };
    let out = home.path("out.pcapng");
    for (id, rc) in [(RADIO, "65020"), (WIRED, "65020")] {
        let file = trace(id);
        ok(&["export", text(&file), "-q", "--rc-option", rc, "--algorithm", "cocoa_plus", "--out", text(&out)]);
        let synthetic = "frame.interface_name contains \"(counterfactual)\"";
        let all = home.fields(&out, synthetic, &["frame.number"]);
        assert!(all.len() > 100, "{id}: {}", all.len());
        let sound =
            format!("{synthetic} && coap && frame.comment contains \"RTOscope, synthetic: \" && !_ws.malformed");
        assert_eq!(home.fields(&out, &sound, &["frame.number"]), all, "{id}");
        // Checksums are looked at when asked.
        let checked = ["-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"];
        let bad = format!("{synthetic} && (udp.checksum.status != 1 || ip.checksum.status == 0)");
        let bad = home.lines(&[&checked[..], &["-r", text(&out), "-Y", &bad]].concat());
        assert!(bad.is_empty(), "{id}: {} with bad checksums", bad.len());
        let others = "frame.comment && !(frame.interface_name contains \"(counterfactual)\")";
        assert!(home.fields(&out, others, &["frame.number"]).is_empty(), "{id}: recorded frames are not marked");
    }
}

#[test]
fn tshark_reads_every_simulated_frame() {
    let Some(home) = Home::new() else { return };
    let out = home.path("out.pcapng");
    for id in [RADIO, "tsch-slow-chain5-default"] {
        let file = trace(id);
        let twin = ["--channel", "twin", "--frames", "--replicate", "2"];
        ok(&[&["export", text(&file), "-q", "--algorithm", "cocoa_plus", "--out", text(&out)][..], &twin].concat());
        let all = home.fields(&out, "frame", &["frame.number"]);
        assert!(all.len() > 1_000, "{id}: {}", all.len());
        let sound = "frame.interface_name contains \"(simulated)\" && frame.comment contains \"RTOscope, simulated: \" \
                     && wpan.fcs_ok == 1 && !_ws.malformed && !_ws.expert.severity == error";
        assert_eq!(home.fields(&out, sound, &["frame.number"]), all, "{id}");
        let early = home.fields(&out, "frame.time_delta < 0", &["frame.number"]);
        assert!(early.is_empty(), "{id}: {early:?} are out of order");
        let checked = ["-o", "udp.check_checksum:TRUE", "-o", "6lowpan.context0:fd00::/64"];
        let with = |filter: &str| home.lines(&[&checked[..], &["-r", text(&out), "-Y", filter]].concat()).len();
        // In every copy and reply, retries and all hops: the Message ID and the count of another copy change the sum.
        assert!(with("coap && udp.checksum.status == 1") > 200, "{id}");
        assert_eq!(with("udp && udp.checksum.status != 1"), 0, "{id}: bad checksums");
        // Every acknowledgement that rtoscope wrote finds its frame.
        let (frames, acknowledgements) = (with("wpan.ack_request == 1"), with("wpan.frame_type == 2"));
        assert!(acknowledgements > 200 && acknowledgements <= frames, "{id}: {acknowledgements} for {frames}");
    }
}

#[test]
fn the_timers_of_a_run_are_in_the_file() {
    let Some(home) = Home::new() else { return };
    let out = home.path("out.pcapng");
    // Without dither (ACK_RANDOM_FACTOR 1) copies are 1, 2 and 4 s apart: RFC 7252 §4.2.
    let algorithm = "coap_default:ack_timeout=1,random_factor=1";
    ok(&["export", text(&trace(WIRED)), "-q", "--algorithm", algorithm, "--out", text(&out)]);
    let rows = home.fields(&out, "coap.type == 0", &["ip.src", "coap.mid", "frame.time_epoch"]);
    let mut times: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for row in &rows {
        let (exchange, time) = row.rsplit_once('|').expect("fields");
        let nanos = time.replace('.', "").parse().expect("nine decimals");
        times.entry(exchange.to_owned()).or_default().push(nanos);
    }
    let gaps: Vec<Vec<i64>> = times.values().map(|t| t.windows(2).map(|w| w[1] - w[0]).collect()).collect();
    let expected = [1_000_000_000, 2_000_000_000, 4_000_000_000, 8_000_000_000];
    assert!(gaps.iter().any(|gaps| gaps.len() > 1), "some exchange is retransmitted twice");
    assert!(gaps.iter().all(|gaps| *gaps == expected[..gaps.len()]), "{gaps:?}");
}

#[test]
fn filtered_frames_are_those_of_tshark() {
    let Some(home) = Home::new() else { return };
    let out = home.path("out.pcapng");
    let fields = ["frame.time_epoch", "wpan.seq_no", "wpan.fcs_ok", "ipv6.src", "coap.mid"];
    for filter in ["coap", "wpan.frame_type == 2", "coap.type == 2 && ipv6.dst == fd00::203:3:3:3"] {
        let file = trace(RADIO);
        ok(&["export", text(&file), "-q", "--filter", filter, "--out", text(&out)]);
        let expected = home.fields(&file, filter, &fields);
        assert!(!expected.is_empty());
        assert_eq!(home.fields(&out, "frame", &fields), expected, "{filter}");
    }
    let own = text(&out);
    assert_eq!(
        Command::new(RTOSCOPE).args(["export", own, "--out", own]).output().expect("runs").status.code(),
        Some(2)
    );
}

#[test]
fn wireshark_is_told_what_there_is() {
    let interfaces = ok(&["extcap", "--extcap-interfaces", "--extcap-version=4.0"]);
    assert!(interfaces.starts_with("extcap {version="), "{interfaces}");
    assert!(interfaces.contains("\ninterface {value=rtoscope-replay}{display=RTOscope replay}\n"), "{interfaces}");
    assert!(interfaces.contains("control {number=1}{type=boolean}{display=Pause}"), "{interfaces}");
    let dlts = ok(&["extcap", "--extcap-interface", "rtoscope-replay", "--extcap-dlts"]);
    assert!(dlts.starts_with("dlt {number=283}{name=IEEE802_15_4_TAP}"), "{dlts}");
    let config = ok(&["extcap", "--extcap-interface", "rtoscope-replay", "--extcap-config"]);
    assert!(config.contains("{call=--file}") && config.contains("{call=--speed}"), "{config}");
    assert_eq!(ok(&["extcap", "--extcap-interface", "rtoscope-replay", "--extcap-capture-filter", ""]), "");
    for wrong in [
        &["extcap"][..],
        &["extcap", "--extcap-interface", "eth0", "--extcap-dlts"],
        &["extcap", "--extcap-interface", "rtoscope-replay", "--capture", "--fifo", "x", "--file", "x", "--speed", "0"],
        &["extcap", "--extcap-interface", "rtoscope-sniffer", "--capture", "--fifo", "x", "--device", "pipe:x"],
    ] {
        assert_eq!(Command::new(RTOSCOPE).args(wrong).output().expect("runs").status.code(), Some(2), "{wrong:?}");
    }
}

#[cfg(unix)]
mod pipes {
    use super::{Home, RADIO, RTOSCOPE, WIRED, text, trace};
    use std::fs::{self, File, OpenOptions};
    use std::io::{Read as _, Write as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::process::Command;

    /// Puts a launcher where tshark looks, as `npm run wireshark:install -- --extcap` does.
    fn launch(home: &Home) {
        let folders = home.lines(&["-G", "folders"]);
        let folder = |name: &str| {
            let line = folders.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            Some(Path::new(line.trim()).to_owned())
        };
        let personal = folder("Personal Extcap path");
        let extcap = personal.or_else(|| Some(folder("Personal configuration")?.join("extcap"))).expect("a folder");
        fs::create_dir_all(&extcap).expect("made");
        let launcher = extcap.join("rtoscope");
        fs::write(&launcher, format!("#!/bin/sh\nexec '{RTOSCOPE}' extcap \"$@\"\n")).expect("written");
        fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755)).expect("set");
    }

    #[test]
    fn tshark_captures_what_the_file_has() {
        let Some(home) = Home::new() else { return };
        launch(&home);
        let listed = home.lines(&["-D"]);
        assert!(listed.iter().any(|line| line.contains("rtoscope-replay (RTOscope replay)")), "{listed:?}");
        let fields = ["frame.time_epoch", "wpan.seq_no", "wpan.fcs_ok", "ipv6.src", "ip.src", "coap.mid"];
        for (id, interfaces) in [(RADIO, 1), (WIRED, 1)] {
            let file = trace(id);
            let live = home.path("live.pcapng");
            let setting = format!("extcap.rtoscope_replay.file:{}", text(&file));
            let speed = "extcap.rtoscope_replay.speed:max";
            home.lines(&["-i", "rtoscope-replay", "-o", &setting, "-o", speed, "-w", text(&live)]);
            // The file has records in the order in which transmissions ended.
            let mut expected = home.fields(&file, "frame", &fields);
            let mut captured = home.fields(&live, "frame", &fields);
            expected.sort();
            captured.sort();
            assert_eq!(captured, expected, "{id}");
            assert!(captured.len() > 500);
            let mut numbers = home.fields(&live, "frame", &["frame.interface_id"]);
            numbers.dedup();
            assert_eq!(numbers.len(), interfaces, "{id}");
        }
    }

    fn pipe(home: &Home, name: &str) -> std::path::PathBuf {
        let path = home.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success());
        path
    }

    #[test]
    fn the_toolbar_sets_the_speed() {
        let Some(home) = Home::new() else { return };
        let [fifo, to, from] = ["fifo", "in", "out"].map(|name| pipe(&home, name));
        let file = trace(WIRED);
        let mut args = vec!["extcap", "--capture", "--extcap-interface", "rtoscope-replay", "--speed", "0.1"];
        args.extend(["--fifo", text(&fifo), "--file", text(&file)]);
        args.extend(["--extcap-control-in", text(&to), "--extcap-control-out", text(&from)]);
        let mut child = Command::new(RTOSCOPE).args(&args).spawn().expect("rtoscope runs");
        // The rest of this capture would take most of an hour.
        let reader = std::thread::spawn(move || {
            let mut octets = Vec::new();
            File::open(fifo).and_then(|mut pipe| pipe.read_to_end(&mut octets)).map(|_| octets)
        });
        let mut shown = File::open(&from).expect("opened");
        let mut said = [0; 9];
        shown.read_exact(&mut said).expect("the speed it starts with");
        assert_eq!(&said, b"T\0\0\x05\0\x010.1");
        let mut control = OpenOptions::new().write(true).open(&to).expect("opened");
        // Paused, then on, at a speed that is none, then at full speed.
        for message in
            [&b"T\0\0\x03\x01\x01\x01"[..], b"T\0\0\x03\x01\x01\0", b"T\0\0\x06\0\x01slow", b"T\0\0\x05\0\x01max"]
        {
            control.write_all(message).expect("taken");
        }
        let octets = reader.join().expect("no panic").expect("read");
        assert!(child.wait().expect("ends").success());
        let live = home.path("live.pcapng");
        fs::write(&live, octets).expect("written");
        let fields = ["frame.time_epoch", "coap.mid"];
        assert_eq!(home.fields(&live, "frame", &fields), home.fields(&file, "frame", &fields));
    }
}
