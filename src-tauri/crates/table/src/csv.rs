//! Reader of tables that this program wrote as CSV.

use crate::cells::{Cells, Listing};
use crate::frame::TableError;
use polars::prelude::{CsvParseOptions, CsvReadOptions, SerReader};
use std::io::Cursor;

/// Reads a CSV table with a header line; every cell is text as it is written, an empty one `None`.
///
/// # Errors
/// [`TableError::Polars`]: the text is empty, or has rows of different lengths.
pub fn read_csv(octets: &[u8]) -> Result<Listing<String>, TableError> {
    let options = CsvReadOptions::default()
        .with_has_header(true)
        .with_infer_schema_length(Some(0))
        .with_parse_options(CsvParseOptions::default().with_quote_char(Some(b'"')));
    let frame = options.into_reader_with_file_handle(Cursor::new(octets)).finish()?;
    let mut columns = Vec::with_capacity(frame.width());
    for column in frame.columns() {
        let text = column.str()?.iter().map(|cell| cell.map(str::to_owned)).collect();
        columns.push((column.name().to_string(), Cells::Text(text)));
    }
    Ok(Listing { columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{Format, write};

    #[test]
    fn what_was_written_is_read() {
        let text = |cells: &[Option<&str>]| Cells::Text(cells.iter().map(|cell| cell.map(str::to_owned)).collect());
        let written = Listing {
            columns: vec![
                ("a".to_owned(), text(&[Some("x, \"y\""), None, Some("0.10")])),
                ("b".to_owned(), text(&[Some("1e-9"), Some("{}"), None])),
            ],
        };
        let mut octets = Vec::new();
        write(&written, Format::Csv, &mut octets).unwrap();
        assert_eq!(read_csv(&octets).unwrap(), written);
        assert!(read_csv(b"").is_err() && read_csv(b"a,b\n1,2,3\n").is_err());
    }
}
