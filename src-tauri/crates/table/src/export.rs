//! Writers of listings: text, CSV, JSON, Parquet, LaTeX and Markdown.
//!
//! A listing keeps times exact: seconds are decimal digits in every text form (a double holds an epoch time only to 0.2
//! µs), doubles in Parquet. Text is printable in every text form ([`base::printable`]); JSON escapes it in its own way
//! and Parquet has it as it is, so that both keep every character.

use crate::cells::{Cells, Listing, seconds, seconds_f64};
use crate::frame::TableError;
use crate::paper;
use base::{printable, printable_json};
use polars::prelude::{
    Column as Series, CsvWriter, DataFrame, NamedFrom, ParquetWriter, SerWriter, Series as PolarsSeries,
};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use thiserror::Error;

/// Format of a written listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Aligned columns for people, numbers rounded to six digits.
    Table,
    /// RFC 4180, but that lines end in LF alone; header line first. A cell that begins like a formula stays as it is:
    /// the file is data, and a prefix would change it.
    Csv,
    /// JSON array of one object per row; a cell that does not apply is `null`.
    Json,
    /// Apache Parquet, compressed, numbers as they are.
    Parquet,
    /// `tabular` of LaTeX with the rules of booktabs, numbers rounded to six digits.
    Latex,
    /// Table of `GitHub` Flavored Markdown, numbers rounded to six digits.
    Markdown,
}

/// Failure to write a listing.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The sink could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The columns could not be encoded.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Writes `listing` to `sink`.
///
/// # Errors
/// The sink or the encoder fails.
pub fn write<N: AsRef<str>>(listing: &Listing<N>, format: Format, sink: &mut dyn Write) -> Result<(), ExportError> {
    match format {
        Format::Table => table(listing, sink)?,
        Format::Json => json(listing, sink)?,
        Format::Latex => paper::latex(listing, sink)?,
        Format::Markdown => paper::markdown(listing, sink)?,
        Format::Csv => {
            let mut octets = Vec::new();
            let mut frame = frame(listing, true)?;
            CsvWriter::new(&mut octets).finish(&mut frame).map_err(TableError::from)?;
            sink.write_all(&octets)?;
        }
        Format::Parquet => {
            let mut octets = Vec::new();
            let mut frame = frame(listing, false)?;
            ParquetWriter::new(&mut octets).finish(&mut frame).map_err(TableError::from)?;
            sink.write_all(&octets)?;
        }
    }
    sink.flush()?;
    Ok(())
}

/// Data frame of the listing; `for_text`, with cells as a text file has them. Errs where columns differ in length or
/// have one name.
pub(crate) fn frame<N: AsRef<str>>(listing: &Listing<N>, for_text: bool) -> Result<DataFrame, TableError> {
    let series = |(name, cells): &(N, Cells)| -> Series {
        let name: polars::prelude::PlSmallStr = name.as_ref().into();
        match cells {
            Cells::Text(v) if for_text => {
                let text: Vec<Option<Cow<'_, str>>> = v.iter().map(|text| text.as_deref().map(printable)).collect();
                PolarsSeries::new(name, text.iter().map(Option::as_deref).collect::<Vec<_>>()).into()
            }
            Cells::Text(v) => PolarsSeries::new(name, v).into(),
            Cells::Whole(v) => PolarsSeries::new(name, v).into(),
            Cells::Seconds(v) if for_text => {
                let text: Vec<Option<String>> = v.iter().map(|n| n.map(seconds)).collect();
                PolarsSeries::new(name, text).into()
            }
            Cells::Seconds(v) => {
                let real: Vec<Option<f64>> = v.iter().map(|n| n.map(seconds_f64)).collect();
                PolarsSeries::new(name, real).into()
            }
            Cells::Real(v) => PolarsSeries::new(name, v).into(),
        }
    };
    Ok(DataFrame::new(listing.rows(), listing.columns.iter().map(series).collect())?)
}

fn table<N: AsRef<str>>(listing: &Listing<N>, sink: &mut dyn Write) -> io::Result<()> {
    let rows = listing.rows();
    let widths: Vec<usize> = listing
        .columns
        .iter()
        .map(|(name, cells)| {
            let widest = (0..rows).filter_map(|row| paper::rounded(cells, row)).map(|t| t.chars().count()).max();
            widest.unwrap_or(0).max(name.as_ref().chars().count()).max(1)
        })
        .collect();
    let mut line = String::new();
    let mut put = |cells: Vec<(String, bool)>, sink: &mut dyn Write| -> io::Result<()> {
        line.clear();
        for ((text, right), &width) in cells.iter().zip(&widths) {
            if !line.is_empty() {
                line.push_str("  ");
            }
            let written = if *right { write!(line, "{text:>width$}") } else { write!(line, "{text:<width$}") };
            written.map_err(io::Error::other)?;
        }
        writeln!(sink, "{}", line.trim_end())
    };
    put(listing.columns.iter().map(|(name, cells)| (name.as_ref().to_owned(), cells.is_number())).collect(), sink)?;
    for row in 0..rows {
        let cell =
            |(_, cells): &(N, Cells)| (paper::rounded(cells, row).unwrap_or_else(|| "-".to_owned()), cells.is_number());
        put(listing.columns.iter().map(cell).collect(), sink)?;
    }
    Ok(())
}

fn json<N: AsRef<str>>(listing: &Listing<N>, sink: &mut dyn Write) -> io::Result<()> {
    let quoted = |text: &str| serde_json::to_string(text).map(|text| printable_json(&text).into_owned());
    sink.write_all(b"[")?;
    for row in 0..listing.rows() {
        sink.write_all(if row == 0 { b"\n{" } else { b",\n{" })?;
        for (index, (name, cells)) in listing.columns.iter().enumerate() {
            if index > 0 {
                sink.write_all(b",")?;
            }
            let value = match (cells.text(row), cells) {
                (None, _) => "null".to_owned(),
                (Some(_), Cells::Real(v)) if v.get(row).is_some_and(|x| x.is_some_and(|x| !x.is_finite())) => {
                    "null".to_owned()
                }
                (Some(text), Cells::Text(_)) => quoted(&text)?,
                (Some(text), _) => text,
            };
            write!(sink, "{}:{value}", quoted(name.as_ref())?)?;
        }
        sink.write_all(b"}")?;
    }
    sink.write_all(b"\n]\n")
}

#[cfg(test)]
mod tests {
    use super::{Cells, Format, Listing, write};

    fn text(format: Format) -> String {
        let listing = Listing {
            columns: vec![
                ("name", Cells::Text(vec![Some("a\"b".to_owned()), None])),
                ("time", Cells::Seconds(vec![Some(1_795_251_361_088_397_123), Some(-1_000_000)])),
                ("n", Cells::Whole(vec![None, Some(7)])),
                ("x", Cells::Real(vec![Some(0.5), Some(f64::NAN)])),
            ],
        };
        let mut octets = Vec::new();
        write(&listing, format, &mut octets).unwrap();
        String::from_utf8_lossy(&octets).into_owned()
    }

    #[test]
    fn times_keep_every_digit() {
        assert_eq!(
            text(Format::Json),
            "[\n{\"name\":\"a\\\"b\",\"time\":1795251361.088397123,\"n\":null,\"x\":0.5},\n{\"name\":null,\"time\":-0.001,\"n\":7,\"x\":null}\n]\n"
        );
        assert!(text(Format::Csv).contains("1795251361.088397123"), "{}", text(Format::Csv));
        assert!(text(Format::Table).contains("1795251361.088397123"));
        assert!(serde_json::from_str::<serde_json::Value>(&text(Format::Json)).is_ok());
    }

    #[test]
    fn parquet_has_its_magic() {
        let listing = Listing { columns: vec![("n", Cells::Whole(vec![Some(1)]))] };
        let mut octets = Vec::new();
        write(&listing, Format::Parquet, &mut octets).unwrap();
        assert_eq!(octets.get(..4), Some(&b"PAR1"[..]));
    }
}
