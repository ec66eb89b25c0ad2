//! Files of a dataset: what is written comes back, and units stand where Arrow's readers look.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use polars::prelude::ParquetReader;
use polars::prelude::SerReader as _;
use std::io::Cursor;
use table::{Cells, Described, Listing, read_parquet, write_described};

fn listing() -> Listing<String> {
    let columns = vec![
        ("task".to_owned(), Cells::Text(vec![Some("a".to_owned()), None])),
        ("seed".to_owned(), Cells::Whole(vec![Some(7), Some(-1)])),
        ("time".to_owned(), Cells::Real(vec![None, Some(0.1)])),
    ];
    Listing { columns }
}

fn written() -> Vec<u8> {
    let described = ["", "count", "s"].map(|unit| Described { unit, about: "A column." });
    let mut octets = Vec::new();
    write_described(&listing(), &described, &mut octets).unwrap();
    octets
}

#[test]
fn what_is_written_comes_back() {
    assert_eq!(read_parquet(written()).unwrap(), listing());
    assert_eq!(written(), written());
}

#[test]
fn units_stand_in_the_metadata_of_fields() {
    let mut reader = ParquetReader::new(Cursor::new(written()));
    let schema = reader.schema().unwrap();
    let said = |name: &str, key: &str| {
        let metadata = schema.get(name)?.metadata.as_ref()?;
        metadata.get(key).map(ToString::to_string)
    };
    assert_eq!(said("time", "unit").as_deref(), Some("s"));
    assert_eq!(said("seed", "unit").as_deref(), Some("count"));
    assert_eq!(said("task", "unit"), None);
    assert_eq!(said("task", "about").as_deref(), Some("A column."));
}

#[test]
fn other_octets_are_an_error() {
    assert!(read_parquet(Vec::new()).is_err());
    assert!(read_parquet(b"PAR1 and no more".to_vec()).is_err());
    let whole = written();
    for cut in (0..whole.len()).step_by(97) {
        assert!(read_parquet(whole[..cut].to_vec()).is_err(), "{cut}");
    }
}
