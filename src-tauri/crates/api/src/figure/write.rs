//! Figures as files.

use crate::session::output;
use crate::view::{FigureTableRequest, FigureView, PictureRequest};
use crate::{Error, Progress, Session};
use base::printable;
use std::io::{self, Write};
use std::path::Path;
use table::{Format, Listing};

/// Answers `export_figure`: writes the table of a figure. Errs as [`Session::figure`], for an unknown format, and where
/// the file cannot be written.
pub(crate) fn table_file(
    session: &Session,
    request: &FigureTableRequest,
    progress: &mut dyn Progress,
) -> Result<(), Error> {
    let format = format_of(&request.format)?;
    let (view, listing) = session.figure(&request.figure, progress)?;
    output::write(session, &request.path, |sink| write(&view, listing, format, sink).map_err(io::Error::other))
}

/// The format called `name`.
pub(crate) fn format_of(name: &str) -> Result<Format, Error> {
    Ok(match name {
        "csv" => Format::Csv,
        "parquet" => Format::Parquet,
        "json" => Format::Json,
        "latex" => Format::Latex,
        "markdown" => Format::Markdown,
        other => return Err(Error::request(format!("`{other}` is none of csv, parquet, json, latex, markdown."))),
    })
}

/// Writes the numbers of a figure. Where the format has a place for words, the caption is there; in the others unusual
/// rules and parts of captures are a column.
///
/// # Errors
/// As [`table::write`].
pub fn write<N: AsRef<str> + From<&'static str>>(
    view: &FigureView,
    mut listing: Listing<N>,
    format: Format,
    sink: &mut dyn Write,
) -> Result<(), table::ExportError> {
    let caption = printable(&view.caption.join(" ")).into_owned();
    match (format, &view.settings) {
        (Format::Latex, _) => writeln!(sink, "% {}: {caption}", printable(&view.title))?,
        (Format::Csv | Format::Parquet | Format::Json, Some(settings)) => listing.say("settings", settings),
        _ => {}
    }
    table::write(&listing, format, sink)?;
    match (format, &view.settings) {
        (Format::Markdown, _) => writeln!(sink, "\n{}", table::markdown_text(&caption))?,
        (Format::Table, Some(settings)) => writeln!(sink, "\n{}", printable(settings))?,
        _ => {}
    }
    Ok(())
}

/// The first octets of a PNG (ISO/IEC 15948 §5.2).
const PNG: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// Answers `export_picture`: writes SVG or PNG, as the extension says, and nothing else. Errs for other content, and
/// where the file cannot be written.
pub(crate) fn picture(session: &Session, request: &PictureRequest) -> Result<(), Error> {
    let extension = Path::new(&request.path).extension().map(|e| e.to_string_lossy().to_lowercase());
    let octets = match extension.as_deref() {
        Some("svg") if request.content.starts_with("<svg") => request.content.clone().into_bytes(),
        Some("png") => unhex(&request.content).filter(|octets| octets.starts_with(&PNG)).ok_or_else(bad)?,
        _ => return Err(bad()),
    };
    output::write(session, &request.path, |sink| sink.write_all(&octets))
}

fn bad() -> Error {
    Error::request("A picture is SVG in a file *.svg or PNG in a file *.png.")
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| char::from(c).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_pictures_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, content: &str| {
            let path = folder.path().join(name).display().to_string();
            picture(&Session::default(), &PictureRequest { path, content: content.to_owned() })
        };
        put("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
        put("a.PNG", "89504e470d0a1a0a00").unwrap();
        assert_eq!(fs::read(folder.path().join("a.PNG")).unwrap().len(), 9);
        for (name, content) in
            [("b.svg", "#!/bin/sh"), ("b.sh", "<svg/>"), ("b.png", "00"), ("b.png", "8"), ("b", "<svg/>")]
        {
            assert!(put(name, content).is_err(), "{name}");
            assert!(!folder.path().join(name).exists());
        }
    }
}
