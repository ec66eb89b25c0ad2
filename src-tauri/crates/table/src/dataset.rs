//! Files of a dataset: Parquet with unit and meaning of each column in the metadata of its field, and back.

use crate::cells::{Cells, Listing};
use crate::export::{ExportError, frame};
use crate::frame::TableError;
use polars::prelude::{
    ArrowField, ArrowSchema, CompatLevel, DataFrame, DataType, KeyValueMetadata, ParquetCompression, ParquetReader,
    ParquetWriter, PlSmallStr, PolarsError, SerReader, StatisticsOptions,
};
use polars_parquet::write::schema_to_metadata_key;
use std::io::{Cursor, Write};
use std::sync::Arc;

/// Unit and meaning of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Described<'a> {
    /// Unit; empty for none.
    pub unit: &'a str,
    /// Meaning, in a sentence; empty for none.
    pub about: &'a str,
}

/// Number of rows up to which a file is not compressed. Chosen here: in a page of some dozens of doubles Zstandard's
/// frame takes what it saves; the sizes of the rows of `docs/study/timers.toml` show it.
const FEW: usize = 100;

/// Writes `listing` as Parquet: one row group, the same octets on every machine. `described` has an element for each
/// column, in order; its texts are the keys `unit` and `about` in the metadata of each field, where Arrow's readers
/// find them.
///
/// # Errors
/// [`TableError::Column`] where `described` has another length or columns do not fit together, [`ExportError::Io`].
pub fn write_described(
    listing: &Listing<String>,
    described: &[Described<'_>],
    sink: &mut dyn Write,
) -> Result<(), ExportError> {
    if listing.columns.len() != described.len() {
        let name = listing.columns.last().map(|column| column.0.clone()).unwrap_or_default();
        return Err(TableError::Column { name }.into());
    }
    let mut frame = frame(listing, false)?;
    let schema = schema(&frame, described);
    let key = schema_to_metadata_key(&schema);
    let metadata = KeyValueMetadata::from_static(vec![(key.key, key.value.unwrap_or_default())]);
    let mut octets = Vec::new();
    // A thread for each column would cost more than it saves; a file is some dozens of rows, of which a reader skips
    // none by statistics, and which compression makes longer.
    let compression =
        if listing.rows() > FEW { ParquetCompression::default() } else { ParquetCompression::Uncompressed };
    let writer = ParquetWriter::new(&mut octets)
        .set_parallel(false)
        .with_statistics(StatisticsOptions::empty())
        .with_compression(compression)
        .with_row_group_size(Some(listing.rows().max(1)))
        .with_key_value_metadata(Some(metadata));
    writer.finish(&mut frame).map_err(TableError::from)?;
    sink.write_all(&octets)?;
    sink.flush()?;
    Ok(())
}

/// Arrow schema of `frame` with the metadata of `described`.
fn schema(frame: &DataFrame, described: &[Described<'_>]) -> ArrowSchema {
    let field = |((name, kind), of): ((&PlSmallStr, &DataType), &Described<'_>)| {
        let mut field = ArrowField::new(name.clone(), kind.to_arrow(CompatLevel::newest()), true);
        let said = [("unit", of.unit), ("about", of.about)].into_iter().filter(|(_, text)| !text.is_empty());
        field.metadata = Some(Arc::new(said.map(|(key, text)| (key.into(), text.into())).collect()));
        (name.clone(), field)
    };
    frame.schema().iter().zip(described).map(field).collect()
}

/// Reads a Parquet file of text, whole and real numbers.
///
/// # Errors
/// Octets that are no Parquet, or a column of another kind.
pub fn read_parquet(octets: Vec<u8>) -> Result<Listing<String>, TableError> {
    let frame = ParquetReader::new(Cursor::new(octets)).finish()?;
    let mut columns = Vec::with_capacity(frame.width());
    for column in frame.columns() {
        let cells = match column.dtype() {
            DataType::String => Cells::Text(column.str()?.iter().map(|text| text.map(str::to_owned)).collect()),
            DataType::Int64 => Cells::Whole(column.i64()?.iter().collect()),
            DataType::Float64 => Cells::Real(column.f64()?.iter().collect()),
            other => {
                let problem = format!("column {} has the kind {other}", column.name());
                return Err(PolarsError::SchemaMismatch(problem.into()).into());
            }
        };
        columns.push((column.name().to_string(), cells));
    }
    Ok(Listing { columns })
}
