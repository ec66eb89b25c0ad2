//! Columns of fields and rules of colour in packet lists: their text, their order, and files of them.

use base::Silent;
use std::collections::BTreeSet;
use std::path::Path;
use table::columns::PACKET_COLUMNS;
use table::filter::{FIELDS, Field, Filter, Kind, TREE_FIELDS, field};
use table::{Cells, Data, ListLabels, Look, Rows, ShownColumn};
use trace::{DecodeOptions, ImportOptions, Places, Trace};

fn opened() -> (Trace, Places) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-default/radiolog.txt.gz");
    let capture = trace::open(&path, &ImportOptions::default(), &mut Silent).expect("a bundled capture");
    let trace = trace::analyse(capture, &DecodeOptions::default(), &mut Silent).expect("not cancelled");
    let places = Places::of(&trace, &mut Silent).expect("not cancelled");
    (trace, places)
}

fn indices(trace: &Trace) -> Vec<u32> {
    (0..trace.capture.frames.len()).map(|index| u32::try_from(index).expect("few frames")).collect()
}

/// Filters that a row passes where `field` has the text `text`, one for each value.
fn filters_of(field: &Field, text: &str) -> Vec<String> {
    match field.kind {
        Kind::Protocol => vec![field.name.to_owned()],
        // A comma may be part of a text.
        Kind::Text => Vec::new(),
        Kind::Octets if text.is_empty() => Vec::new(),
        _ => text.split(", ").map(|value| format!("{} == {value}", field.name)).collect(),
    }
}

#[test]
fn the_text_of_a_field_is_the_value_that_a_filter_finds() {
    let (trace, places) = opened();
    let mut seen = BTreeSet::new();
    let every = |stride: usize| indices(&trace).into_iter().step_by(stride);
    for (fields, stride) in [(FIELDS, 61), (TREE_FIELDS.as_slice(), 1_201)] {
        for index in every(stride) {
            let row = Rows::Frames.at(&trace, &places, index).expect("a frame");
            for field in fields {
                let Some(text) = field.text(&row) else { continue };
                seen.insert(field.name);
                for filter in filters_of(field, &text) {
                    let parsed: Filter = filter.parse().unwrap_or_else(|error| panic!("{filter}: {error}"));
                    assert!(parsed.passes(&row), "frame {}: {filter}", index + 1);
                }
            }
        }
    }
    assert!(seen.len() > 100, "{} fields", seen.len());
    for name in ["coap.code", "coap.type", "ipv6.src", "wpan.src64", "frame.time_relative", "retransmission"] {
        assert!(seen.contains(name), "{name}");
    }
}

fn column<'a>(sheet: &'a table::Sheet, name: &str) -> &'a Data {
    sheet.column(name).unwrap_or_else(|| panic!("no column {name}"))
}

#[test]
fn a_row_has_the_values_asked_for_and_the_first_rule_that_it_passes() {
    let (trace, places) = opened();
    let all = indices(&trace);
    let parse = |text: &str| text.parse::<Filter>().expect(text);
    let look = Look {
        fields: vec![field("coap.mid").expect("known"), field("coap.type").expect("known")],
        rules: vec![parse("retransmission"), parse("coap.type == CON"), parse("coap")],
    };
    let sheet = table::packets(&trace, &places, Rows::Frames, &all, &look).expect("columns as declared");
    let (Data::Text(values), Data::U8(rules)) = (column(&sheet, "fields"), column(&sheet, "rule")) else {
        panic!("kinds as declared: {PACKET_COLUMNS:?}")
    };
    for (at, &index) in all.iter().enumerate() {
        let row = Rows::Frames.at(&trace, &places, index).expect("a frame");
        let first = look.rules.iter().position(|rule| rule.passes(&row)).map_or(255, |n| n as u8);
        assert_eq!(rules[at], first, "frame {}", index + 1);
        let cells: Vec<&str> = values[at].split('\u{1f}').collect();
        assert_eq!(cells.len(), 3, "each value is ended: {:?}", values[at]);
        let mid = row.message_here().map_or(String::new(), |message| message.mid.to_string());
        assert_eq!(cells[0], mid);
    }
    assert!([0, 1, 2, 255].iter().all(|rule| rules.contains(rule)), "each rule has rows, and some rows have none");
    let plain = table::packets(&trace, &places, Rows::Frames, &all, &Look::default()).expect("columns as declared");
    assert!(matches!(column(&plain, "rule"), Data::U8(rules) if rules.iter().all(|&rule| rule == 255)));
}

#[test]
fn a_file_has_the_columns_and_words_of_the_reader() {
    let (trace, places) = opened();
    let all = indices(&trace);
    let names = ["frame", "time", "src", "kind", "hop", "info", "rule", "coap.mid", "coap.mid"];
    let columns: Vec<ShownColumn> = names.iter().map(|name| ShownColumn::named(name).expect(name)).collect();
    let look = Look { fields: Vec::new(), rules: vec!["retransmission".parse().expect("a filter")] };
    let rules = ["Sent again".to_owned()];
    let labels = ListLabels { rules: &rules, say: &|text| text.to_uppercase() };
    let rows = (Rows::Frames, &all[..]);
    let listing = table::shown(&trace, &places, rows, &columns, &look, &labels, &mut Silent).expect("not cancelled");
    let headings: Vec<&str> = listing.columns.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(headings, names[..8], "a column named twice stands once");
    assert_eq!(listing.rows(), all.len());
    let again =
        all.iter().position(|&index| look.rules[0].passes(&Rows::Frames.at(&trace, &places, index).expect("a frame")));
    let again = again.expect("retransmissions");
    let cell = |column: usize| listing.columns[column].1.text(again).unwrap_or_default();
    assert_eq!((cell(0), cell(6)), ((again + 1).to_string(), "Sent again".to_owned()));
    assert!(cell(2).chars().all(|c| !c.is_lowercase()) && !cell(2).is_empty());
    assert!(matches!(listing.columns[1].1, Cells::Seconds(_)), "times are exact");
    assert!(
        listing
            .columns
            .iter()
            .all(|(_, cells)| cells.text(all.len() - 1).is_some() || matches!(cells, Cells::Text(_) | Cells::Whole(_)))
    );
    assert_eq!(
        ShownColumn::named("coap.midd").expect_err("unknown").message,
        "unknown field `coap.midd`; did you mean `coap.mid`?"
    );
}
