//! Tests of the guide `ADDING.md`: its code is `algorithms/fixed.rs`, its line stands in the
//! registry of this crate's unit tests, its worked example is run, and every law of `tests/conformance.rs` holds.

#[path = "../tests/conformance.rs"]
mod conformance;

use crate::drive::drive;
use crate::model::{Path, outlook};
use base::Span;
use serde_json::{Value, json};

const GUIDE: &str = include_str!("../ADDING.md");

/// The guide's only block in `language`.
fn block(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let mut parts = GUIDE.split(&fence).skip(1);
    let text = parts.next().expect("a block").split("```").next().expect("its end");
    assert!(parts.next().is_none(), "one {language} block");
    text
}

#[test]
fn the_code_of_the_guide_is_compiled() {
    assert_eq!(block("rust"), include_str!("algorithms/fixed.rs"));
}

#[test]
fn the_line_of_the_guide_registers_it() {
    assert!(GUIDE.contains("\n    fixed::FIXED,\n"));
    let spec = crate::spec("fixed").expect("registered");
    assert_eq!((spec.family, spec.params.len()), ("fixed", 2));
    let error = crate::build("fixed", &json!({ "first": 0 })).expect_err("refused").to_string();
    assert_eq!(error, "`first` is 0, outside 0.001 to 600");
}

/// Computed by hand: 3, 4.5, 6.75, 10.125, 15.1875 s; together 39.5625 s.
#[test]
fn the_worked_example_of_the_guide_is_true() {
    let vector: Value = serde_json::from_str(block("json")).expect("JSON");
    let output = drive(&json!({ "vectors": [vector] })).expect("vectors");
    assert_eq!(output["vectors"][0]["steps"], vector["steps"]);
    assert_eq!(vector["steps"][0]["timers"], json!([3.0, 4.5, 6.75, 10.125, 15.1875]));
    let o = outlook("fixed", &Value::Null, &Path::new(Span::from_millis(100), 0.0)).expect("registered");
    assert_eq!(o.give_up, [39.5625; 3]);
    assert!((o.completion - 0.1).abs() < 1e-9, "{o:?}");
}
