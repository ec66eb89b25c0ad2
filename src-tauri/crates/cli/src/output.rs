//! Output: the file or standard output that results are written to, and their forms.

use crate::args::{Format, OutputArgs};
use anyhow::Context as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The file named by `--out`, or standard output.
pub fn sink(out: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    Ok(match out {
        Some(path) => {
            Box::new(BufWriter::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?))
        }
        None => Box::new(BufWriter::new(io::stdout().lock())),
    })
}

/// Writes a listing in the form asked for.
pub fn listing(listing: &api::Listing, output: &OutputArgs) -> anyhow::Result<()> {
    let format = match output.format {
        Format::Table => api::Format::Table,
        Format::Csv => api::Format::Csv,
        Format::Json => api::Format::Json,
        Format::Parquet => api::Format::Parquet,
    };
    Ok(api::write(listing, format, &mut *sink(output.out.as_deref())?)?)
}

/// Writes text as it is.
pub fn text(text: &str, out: Option<&Path>) -> anyhow::Result<()> {
    let mut sink = sink(out)?;
    sink.write_all(text.as_bytes())?;
    Ok(sink.flush()?)
}

/// Writes one JSON value, indented.
pub fn json(value: &serde_json::Value, out: Option<&Path>) -> anyhow::Result<()> {
    let mut sink = sink(out)?;
    serde_json::to_writer_pretty(&mut sink, value)?;
    writeln!(sink)?;
    Ok(sink.flush()?)
}
