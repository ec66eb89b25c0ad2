//! Rules of colour and chosen columns of packet lists, as the window asks for them.

use api::{Reply, Session, Silent};
use serde_json::{Value, json};

fn call(session: &Session, name: &str, request: Value) -> Result<Value, api::Error> {
    match session.call(name, request, &mut Silent)? {
        Reply::Json(value) => Ok(value),
        Reply::Bytes(_) => Ok(Value::Null),
    }
}

fn opened() -> Session {
    let session = Session::default();
    call(&session, "open", json!({ "sample": api::samples()[1].id })).expect("bundled");
    session
}

fn list(filter: &str) -> Value {
    json!({ "capture": 0, "rows": "frames", "filter": filter, "window": null })
}

#[test]
fn the_rules_of_a_new_window_are_filters_and_have_a_colour_each() {
    let session = opened();
    let startup = call(&session, "startup", Value::Null).expect("never errs");
    let rules = startup["colour_rules"].as_array().expect("a list").clone();
    let names: Vec<&str> = rules.iter().filter_map(|rule| rule["name"].as_str()).collect();
    assert_eq!(names, ["Malformed", "Needless copy", "Lost copy", "Error", "ACK", "Reply"]);
    let mut colours: Vec<&str> = rules.iter().filter_map(|rule| rule["colour"].as_str()).collect();
    colours.sort_unstable();
    colours.dedup();
    assert_eq!(colours.len(), rules.len(), "no two look alike");
    let mut found = 0;
    for rule in &rules {
        assert_eq!(call(&session, "check_filter", json!({ "filter": rule["filter"] })), Ok(Value::Null));
        let counted = call(&session, "packet_count", list(rule["filter"].as_str().expect("text"))).expect("counted");
        found += usize::from(counted["count"] != json!(0));
    }
    assert!(found >= 4, "a bundled capture shows most of them: {found}");
}

#[test]
fn mistakes_say_where_they_are() {
    let session = opened();
    let mistake = call(&session, "check_filter", json!({ "filter": "udp && coap.midd > 3" })).expect("never errs");
    assert_eq!(
        mistake,
        json!({ "column": 8, "message": "column 8: unknown field `coap.midd`; did you mean `coap.mid`?" })
    );
    let page = |fields: Value, rules: Value| {
        let request = json!({ "list": list(""), "offset": 0, "limit": 9, "fields": fields, "rules": rules });
        call(&session, "packets", request).map_err(|error| error.message)
    };
    assert_eq!(page(json!(["coap.mid"]), json!(["coap"])), Ok(Value::Null));
    assert_eq!(
        page(json!(["coap.midd"]), json!([])),
        Err("unknown field `coap.midd`; did you mean `coap.mid`?".to_owned())
    );
    assert_eq!(
        page(json!([]), json!(["coap", "coap == 1", "udp"])),
        Err("Rule of colour 2: column 6: `coap` is there or not; it has no value to compare".to_owned())
    );
}

#[test]
fn a_table_of_packets_has_the_columns_and_names_that_are_shown() {
    let session = opened();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packets.csv").display().to_string();
    let request = |columns: Value| {
        json!({
            "list": list("request"), "columns": columns,
            "rules": [
                { "name": "never", "filter": "frame.number == 0", "colour": "red", "on": true },
                { "name": "off", "filter": "request", "colour": "red", "on": false },
                { "name": "A request", "filter": "request", "colour": "blue", "on": true },
            ],
            "nodes": [{ "node": "mote 2", "name": "boiler", "place": null }],
            "path": path,
        })
    };
    let done = call(&session, "export_packet_table", request(json!(["src", "coap.type", "rule"]))).expect("written");
    let text = std::fs::read_to_string(&path).expect("a file");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("src,coap.type,rule"));
    let rows: Vec<&str> = lines.collect();
    assert_eq!(json!(rows.len()), done["recorded"]);
    assert!(rows.iter().all(|row| row.ends_with(",A request")), "{}", rows[0]);
    assert!(rows.iter().any(|row| row.starts_with("boiler,CON,")), "{}", rows[0]);
    assert!(!text.contains("mote 2,"), "the capture's name of a renamed node is not there");
    let none = call(&session, "export_packet_table", request(json!([]))).expect_err("no columns");
    assert_eq!(none.message, "A table needs a column.");
    assert!(call(&session, "export_packet_table", request(json!(["frme"]))).is_err());
}
