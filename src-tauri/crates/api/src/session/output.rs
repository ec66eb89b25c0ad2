//! Files that requests write: whole or not at all, and none that the session has read.

use crate::{Error, Session};
use base::Cancelled;
use live::output::{OutputFile, is_same_file};
use std::io::{self, Write};
use std::path::Path;

/// Writes the file at `path` by `fill`. Where that fails or is stopped, an existing file stays as it was.
///
/// # Errors
/// [`crate::Code::Request`]: the session has read this file, or it cannot be written; [`crate::Code::Cancelled`] where
/// `fill` fails with [`Cancelled`] inside.
pub(crate) fn write<T>(
    session: &Session,
    path: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, Error> {
    let place = Path::new(path);
    if session.files_read().iter().any(|read| is_same_file(read, place)) {
        return Err(Error::request(format!(
            "{path} is the capture itself, or else was read here: choose another name."
        )));
    }
    let written = OutputFile::create(place).and_then(|mut file| {
        let done = fill(&mut file)?;
        file.commit()?;
        Ok(done)
    });
    written.map_err(|error| match error.get_ref().is_some_and(|inner| inner.is::<Cancelled>()) {
        true => Error::cancelled(),
        false => Error::request(format!("{path} cannot be written: {error}.")),
    })
}
