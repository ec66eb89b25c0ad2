//! `apply` as a person calls it, and its page.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(args).output().expect("rtoscope runs")
}

#[test]
fn apply_writes_lines_or_says_why_not() {
    let zephyr = ["apply", "coap_default:ack_timeout=4", "--stack", "zephyr"];
    let output = run(&zephyr);
    let (lines, remarks) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(lines.contains("\nCONFIG_COAP_INIT_ACK_TIMEOUT_MS=4000\n"), "{lines}");
    assert!(remarks.contains("goes into: prj.conf") && remarks.contains("note: "), "{remarks}");
    let whole = run(&[&zephyr[..], &["--format", "json"]].concat());
    let whole: Value = serde_json::from_slice(&whole.stdout).expect("JSON");
    assert_eq!(whole["text"], lines.as_ref());
    assert!(whole["sources"][0].as_str().expect("a source").contains("COAP_INIT_ACK_TIMEOUT_MS"));
    for (words, reason) in [
        (&["apply", "coap_default:ack_timeout=0.5", "--stack", "zephyr"][..], "range 1000 100000"),
        (&["apply", "cocoa_plus", "--stack", "libcoap"], "libcoap has no CoCoA+"),
        (&["apply", "coap_default", "--stack", "esp"], "there are: contiki-ng"),
        (&["apply", "coap_default:ack_timeout=-1", "--stack", "riot"], "ack_timeout"),
        (&["apply", "coap_default"], "--stack"),
    ] {
        let refused = run(words);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!((refused.status.code(), message.contains(reason)), (Some(2), true), "{words:?}: {message}");
        assert!(refused.stdout.is_empty(), "{words:?}");
    }
}

#[test]
fn a_c_program_is_two_files() {
    let folder = std::env::temp_dir().join(format!("rtoscope-apply-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let place = folder.to_string_lossy();
    let asked = ["apply", "cocoa_plus:rto_max=20", "--stack", "contiki", "--as", "c", "--out", &place];
    let said = String::from_utf8(run(&asked).stderr).expect("UTF-8");
    assert!(said.contains("octets: 48 a server, 32 an open exchange") && said.contains("3.90625 ms"), "{said}");
    assert!(said.contains("call: er-coap-transactions.c"), "{said}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    assert!(read("cocoa_plus.c").contains("#define COCOA_PLUS_RTO_MAX INT64_C(20000000000)\n"));
    assert!(read("cocoa_plus.h").contains("#define COCOA_PLUS_TICKS_PER_SECOND 128\n"));
    // No file that is read is written over.
    let mine = folder.join("mine.h");
    let preset = "[[preset]]\nid = \"mine\"\nname = \"Mine\"\nbase = \"cocoa_plus\"\nparams = { rto_max = 20 }\n";
    std::fs::write(&mine, preset).expect("written");
    let presets = mine.to_string_lossy();
    let over = run(&["apply", "mine", "--stack", "contiki-ng", "--as", "c", "--out", &place, "--presets", &presets]);
    let said = String::from_utf8_lossy(&over.stderr).into_owned();
    assert!(over.status.code() == Some(2) && said.contains("which --presets reads"), "{said}");
    assert_eq!(read("mine.h"), preset);
    for (words, reason) in [
        (&["apply", "cocoa_plus", "--stack", "contiki-ng", "--as", "c"][..], "name a folder"),
        (&["apply", "cocoa_plus", "--stack", "aiocoap", "--as", "c", "--out", &place], "aiocoap is Python"),
        (&["apply", "cocoa_cf3", "--stack", "contiki-ng", "--as", "c", "--out", &place], "floating point"),
    ] {
        let refused = run(words);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!((refused.status.code(), said.contains(reason)), (Some(2), true), "{words:?}: {said}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// `docs/apply.md` has the lists of stacks and of C programs as the program prints them; `INSTA_UPDATE=always` writes
/// them anew.
#[test]
fn the_page_about_apply_has_its_lists() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/apply.md");
    let text = std::fs::read_to_string(&page).expect("docs/apply.md");
    let mut wanted = text.clone();
    for (part, args) in [("stacks", &[][..]), ("programs", &["--as", "c"])] {
        let (before, rest) = wanted.split_once(&format!("<!-- {part} -->\n")).expect("the beginning");
        let (_, after) = rest.split_once(&format!("<!-- /{part} -->")).expect("the end");
        let list = run(&[&["apply", "--format", "markdown"], args].concat()).stdout;
        let list = String::from_utf8(list).expect("UTF-8");
        wanted = format!("{before}<!-- {part} -->\n{list}<!-- /{part} -->{after}");
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
        std::fs::write(&page, &wanted).expect("written");
    }
    assert_eq!(text, wanted);
}
