//! Real clients with the settings that `apply` writes: they send over loopback to a lossy server, and `identify` says
//! what was asked for, in values that it tries (`replay/src/identify/search/parameters.rs`).
//!
//! Each needs a package: `pip install aiocoap==0.4.17` (another interpreter than `python3`: `RTOSCOPE_PYTHON`),
//! Debian's libcoap3-dev with gcc and pkg-config, or a JDK with Californium 3.14.0 in Maven's repository.
//! `rtoscope identify`'s words are printed.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

#[path = "clients/relay.rs"]
mod relay;

use relay::Relay;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Clients at once, and exchanges of each.
const CLIENTS: usize = 5;
const EXCHANGES: usize = 9;

fn rtoscope(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(arguments).output().unwrap();
    succeeded(&output);
    String::from_utf8(output.stdout).unwrap()
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The lines of a stack for default CoAP with other parameters.
fn lines(stack: &str, ack_timeout: f64, random_factor: f64) -> String {
    let timer = format!("coap_default:ack_timeout={ack_timeout},random_factor={random_factor}");
    rtoscope(&["apply", &timer, "--stack", stack])
}

/// Exchanges and ports, as every client takes them.
fn arguments(relay: &Relay) -> Vec<String> {
    let numbers = std::iter::once(EXCHANGES.to_string());
    numbers.chain(relay.ports.iter().map(ToString::to_string)).collect()
}

/// Captures what `relay` saw, and holds `identify` against what was asked for.
fn identified(relay: Relay, folder: &Path, ack_timeout: f64, random_factor: f64) {
    let capture = folder.join("capture.pcap");
    let mut asked = vec!["identify".to_owned(), capture.display().to_string(), "-q".to_owned()];
    for port in &relay.ports {
        asked.extend(["--port".to_owned(), port.to_string()]);
    }
    relay.capture(&capture).unwrap();
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let said = rtoscope(&asked);
    println!("asked for {ack_timeout} s to {} s:\n{said}", ack_timeout * random_factor);
    let found: Value = serde_json::from_str(&rtoscope(&[&asked[..], &["--json"]].concat())).unwrap();
    let families = found["trace"]["verdict"]["families"].as_array().unwrap();
    assert!(families.iter().any(|family| family == "coap"), "{said}");
    // The likeliest of default CoAP's family has the parameters that were asked for.
    let candidates = found["trace"]["candidates"].as_array().unwrap();
    let coap = candidates.iter().find(|one| one["family"] == "coap").unwrap();
    let preset = &coap["algorithm"]["id"];
    let params = &coap["algorithm"]["params"];
    // The rest is the preset's own.
    let own = |name: &str| {
        let spec = api::specs().into_iter().find(|spec| preset == spec.id).unwrap();
        let param = spec.params.iter().find(|param| param.name == name).unwrap();
        serde_json::to_value(&param.default).unwrap().as_f64().unwrap()
    };
    let fitted = |name: &str| params[name].as_f64().unwrap_or_else(|| own(name));
    let (timeout, factor) = (fitted("ack_timeout"), fitted("random_factor"));
    assert!((timeout, factor) == (ack_timeout, random_factor), "{coap}\n{said}");
    // Each first timeout that ran out is inside.
    let timeouts = found["timeouts"].as_array().unwrap();
    let first = timeouts.iter().filter(|one| one["copy"] == 0 && one["last"] == false);
    let seconds: Vec<f64> = first.map(|one| one["value"].as_f64().unwrap() / 1e9).collect();
    assert!(seconds.len() >= CLIENTS * EXCHANGES * 9 / 10, "{seconds:?}");
    let inside = seconds.iter().filter(|&&s| s > ack_timeout - 0.01 && s < ack_timeout * random_factor + 0.05).count();
    assert!(inside * 20 >= seconds.len() * 19, "a busy machine delays some: {seconds:?}");
}

#[test]
fn aiocoap() {
    let python = std::env::var("RTOSCOPE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = "import importlib.metadata as m; assert m.version('aiocoap').startswith('0.4.')";
    if !Command::new(&python).args(["-c", check]).output().is_ok_and(|output| output.status.success()) {
        return needs::skip(
            "optional: aiocoap 0.4 (pip install aiocoap==0.4.17; RTOSCOPE_PYTHON names its interpreter)",
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let (ack_timeout, random_factor) = (1.0, 1.25);
    let program = include_str!("clients/client.py").replace("LINES", &lines("aiocoap", ack_timeout, random_factor));
    std::fs::write(folder.path().join("client.py"), program).unwrap();
    let relay = Relay::new(CLIENTS).unwrap();
    let sent = Command::new(python).current_dir(folder.path()).arg("client.py").args(arguments(&relay)).output();
    succeeded(&sent.unwrap());
    identified(relay, folder.path(), ack_timeout, random_factor);
}

#[test]
fn libcoap() {
    let Some(flags) = pkg_config("libcoap-3-notls").or_else(|| pkg_config("libcoap-3")) else {
        return needs::skip("optional: libcoap 3 (Debian: apt install libcoap3-dev pkg-config gcc)");
    };
    let folder = tempfile::tempdir().unwrap();
    let (ack_timeout, random_factor) = (1.5, 1.25);
    let program = include_str!("clients/client.c").replace("LINES\n", &lines("libcoap", ack_timeout, random_factor));
    std::fs::write(folder.path().join("client.c"), program).unwrap();
    let mut compiler = Command::new("gcc");
    compiler
        .current_dir(folder.path())
        .args(["-std=gnu11", "-Wall", "-Werror", "-o", "client", "client.c"])
        .args(&flags);
    // Where the library is not in the system's own folders.
    compiler.args(flags.iter().filter_map(|flag| flag.strip_prefix("-L")).map(|path| format!("-Wl,-rpath,{path}")));
    succeeded(&compiler.output().unwrap());
    let relay = Relay::new(CLIENTS).unwrap();
    let client = |port: &u16| {
        let exchanges = EXCHANGES.to_string();
        Command::new(folder.path().join("client")).args([exchanges, port.to_string()]).spawn().unwrap()
    };
    let clients: Vec<_> = relay.ports.iter().map(client).collect();
    for mut client in clients {
        assert!(client.wait().unwrap().success());
    }
    identified(relay, folder.path(), ack_timeout, random_factor);
}

fn pkg_config(name: &str) -> Option<Vec<String>> {
    let output = Command::new("pkg-config").args(["--cflags", "--libs", name]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn californium() {
    let (Some(classes), true) = (jars(), Command::new("java").arg("-version").output().is_ok()) else {
        return needs::skip(
            "optional: Californium 3.14.0 (a JDK, Maven, and mvn dependency:get -Dartifact=org.eclipse.californium:californium-core:3.14.0)",
        );
    };
    let folder = tempfile::tempdir().unwrap();
    let (ack_timeout, random_factor) = (1.5, 1.5);
    std::fs::write(folder.path().join("Client.java"), include_str!("clients/Client.java")).unwrap();
    std::fs::write(folder.path().join("Californium3.properties"), lines("californium", ack_timeout, random_factor))
        .unwrap();
    let relay = Relay::new(CLIENTS).unwrap();
    let mut java = Command::new("java");
    java.current_dir(folder.path()).arg("-cp").arg(classes).arg("Client.java").args(arguments(&relay));
    succeeded(&java.output().unwrap());
    identified(relay, folder.path(), ack_timeout, random_factor);
}

/// Class path of Californium and what it needs, from Maven's repository.
fn jars() -> Option<String> {
    let maven = PathBuf::from(std::env::var_os("HOME")?).join(".m2/repository");
    let jars = [
        "org/eclipse/californium/californium-core/3.14.0/californium-core-3.14.0.jar",
        "org/eclipse/californium/element-connector/3.14.0/element-connector-3.14.0.jar",
        "org/slf4j/slf4j-api/1.7.36/slf4j-api-1.7.36.jar",
    ];
    let paths = jars.map(|jar| maven.join(jar));
    paths.iter().all(|path| path.is_file()).then(|| paths.map(|path| path.display().to_string()).join(":"))
}
