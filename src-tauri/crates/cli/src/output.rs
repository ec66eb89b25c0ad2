//! Output: the one way for results and words out of this program. A file is whole or not there; nothing that a capture says acts on
//! the reader.

use crate::args::{Format, Misuse, OutFile, OutputArgs};
use anyhow::Context as _;
use api::OutputFile;
use std::io::{self, BufWriter, IsTerminal as _, Write};

/// Writes what `fill` writes, octet by octet, to the file of `--out` or to standard output. A file takes its place when it is whole.
pub fn octets<T>(out: Option<&OutFile>, fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let Some(path) = out.and_then(OutFile::path) else {
        let mut sink = BufWriter::new(io::stdout().lock());
        let done = fill(&mut sink)?;
        sink.flush()?;
        return Ok(done);
    };
    let refused = || format!("cannot write {}", path.display());
    let mut file = OutputFile::create(path).with_context(refused)?;
    let done = fill(&mut file).with_context(refused)?;
    file.commit().with_context(refused)?;
    Ok(done)
}

/// Refuses octets that are nothing to look at where a terminal would show them.
pub fn binary(what: &str, out: Option<&OutFile>) -> Result<(), Misuse> {
    if out.and_then(OutFile::path).is_none() && io::stdout().is_terminal() {
        return Err(Misuse(format!("{what} is nothing to look at: name a file with --out, or use a pipe")));
    }
    Ok(())
}

/// Writes a listing in the form asked for. Without rows, `nothing` says so on standard error.
pub fn listing<N: AsRef<str>>(listing: &api::Listing<N>, output: &OutputArgs, nothing: &str) -> anyhow::Result<()> {
    listing_below("", listing, output, nothing)
}

/// The same; Markdown has `paragraph` above its table, forms that are read back have rows alone.
pub fn listing_below<N: AsRef<str>>(
    paragraph: &str,
    listing: &api::Listing<N>,
    output: &OutputArgs,
    nothing: &str,
) -> anyhow::Result<()> {
    let format = match output.format {
        Format::Table => api::Format::Table,
        Format::Csv => api::Format::Csv,
        Format::Json => api::Format::Json,
        Format::Parquet => api::Format::Parquet,
        Format::Markdown => api::Format::Markdown,
    };
    if format == api::Format::Parquet {
        binary("Parquet", output.out.as_ref())?;
    }
    octets(output.out.as_ref(), |sink| {
        if format == api::Format::Markdown && !paragraph.is_empty() {
            writeln!(sink, "{}\n", api::printable(paragraph))?;
        }
        Ok(api::write(listing, format, sink)?)
    })?;
    if listing.rows() == 0 && !nothing.is_empty() {
        say(nothing);
    }
    Ok(())
}

/// Writes text, every character in it printable.
pub fn text(text: &str, out: Option<&OutFile>) -> anyhow::Result<()> {
    octets(out, |sink| Ok(sink.write_all(api::printable_lines(text).as_bytes())?))
}

/// Writes one JSON value, indented.
pub fn json(value: &serde_json::Value, out: Option<&OutFile>) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    octets(out, |sink| Ok(writeln!(sink, "{}", api::printable_json(&text))?))
}

/// Says a line on standard error.
#[expect(clippy::print_stderr, reason = "the one way to standard error")]
pub fn say(line: &str) {
    eprintln!("{}", api::printable(line));
}

/// Says lines on standard error.
pub fn say_lines(lines: &str) {
    lines.lines().for_each(say);
}

/// Says the notes of a capture.
pub fn notes<N: std::fmt::Display>(notes: impl IntoIterator<Item = N>) {
    notes.into_iter().for_each(|note| say(&format!("note: {note}")));
}
