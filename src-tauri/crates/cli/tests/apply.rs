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

/// `docs/apply.md` has the list of stacks as the program prints it; `INSTA_UPDATE=always` writes it anew.
#[test]
fn the_page_about_apply_has_every_stack() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/apply.md");
    let text = std::fs::read_to_string(&page).expect("docs/apply.md");
    let (before, rest) = text.split_once("<!-- stacks -->\n").expect("the beginning");
    let (_, after) = rest.split_once("<!-- /stacks -->").expect("the end");
    let list = String::from_utf8(run(&["apply", "--format", "markdown"]).stdout).expect("UTF-8");
    let wanted = format!("{before}<!-- stacks -->\n{list}<!-- /stacks -->{after}");
    if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
        std::fs::write(&page, &wanted).expect("written");
    }
    assert_eq!(text, wanted);
}
