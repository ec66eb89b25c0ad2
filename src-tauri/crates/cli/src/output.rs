//! Output: the only way to standard output, standard error and files. A file is written whole or not at all. Text from
//! captures is made printable, so that no control character of it reaches a terminal.

use crate::args::{Misuse, OutFile, OutputArgs};
use anyhow::Context as _;
use api::OutputFile;
use std::io::{self, BufWriter, IsTerminal as _, Write};

/// Writes the octets of `fill` unchanged to the file of `--out`, or to standard output without one, and returns the
/// value of `fill`. A file takes its place when it is whole. Fails where it cannot be written, and as `fill` does.
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

/// Fails where binary output, called `what`, would go to a terminal.
pub fn binary(what: &str, out: Option<&OutFile>) -> Result<(), Misuse> {
    if out.and_then(OutFile::path).is_none() && io::stdout().is_terminal() {
        return Err(Misuse(format!("{what} is nothing to look at: name a file with --out, or use a pipe")));
    }
    Ok(())
}

/// Writes a table in the format of `output`. Where it has no rows and `nothing` is not empty, `nothing` is printed on
/// standard error. Fails where it cannot be written, and for Parquet to a terminal.
pub fn listing<N: AsRef<str>>(listing: &api::Listing<N>, output: &OutputArgs, nothing: &str) -> anyhow::Result<()> {
    listing_below("", listing, output, nothing)
}

/// Writes a table as [`listing`] does, with `paragraph` above it in Markdown only: programs that read the other
/// formats expect rows alone. Fails as it does.
pub fn listing_below<N: AsRef<str>>(
    paragraph: &str,
    listing: &api::Listing<N>,
    output: &OutputArgs,
    nothing: &str,
) -> anyhow::Result<()> {
    let format = api::Format::from(output.format);
    if format == api::Format::Parquet {
        binary("Parquet", output.out.as_ref())?;
    }
    octets(output.out.as_ref(), |sink| {
        if format == api::Format::Markdown && !paragraph.is_empty() {
            writeln!(sink, "{}\n", api::markdown_text(paragraph))?;
        }
        Ok(api::write(listing, format, sink)?)
    })?;
    if listing.rows() == 0 && !nothing.is_empty() {
        say(nothing);
    }
    Ok(())
}

/// Writes text, all unprintable characters but line ends escaped. Fails where it cannot be written.
pub fn text(text: &str, out: Option<&OutFile>) -> anyhow::Result<()> {
    octets(out, |sink| Ok(sink.write_all(api::printable_lines(text).as_bytes())?))
}

/// Writes one JSON value, indented, unprintable characters escaped. Fails where it cannot be written.
pub fn json(value: &serde_json::Value, out: Option<&OutFile>) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    octets(out, |sink| Ok(writeln!(sink, "{}", api::printable_json(&text))?))
}

/// Prints one line on standard error, unprintable characters escaped.
#[expect(clippy::print_stderr, reason = "the one way to standard error")]
pub fn say(line: &str) {
    eprintln!("{}", api::printable(line));
}

/// Prints each line of a text on standard error.
pub fn say_lines(lines: &str) {
    lines.lines().for_each(say);
}

/// Prints notes on standard error, each as a line that begins with `note: `.
pub fn notes<N: std::fmt::Display>(notes: impl IntoIterator<Item = N>) {
    notes.into_iter().for_each(|note| say(&format!("note: {note}")));
}
