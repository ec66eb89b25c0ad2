//! Files that a study reads and keeps: no result is written over them.

use super::{StudyPlace, dataset, folder_of_file};
use crate::Error;
use crate::opened::read_beside;
use live::output::is_same_file;
use std::fs;
use std::path::{Path, PathBuf};
use study::Draft;

impl StudyPlace {
    /// Refuses `path` as the file of a result where it is one of the study: in the folder of its rows, its own file, a
    /// preset file, a capture, or what is read beside a capture. A file that is not there yet is none of them.
    ///
    /// # Errors
    /// [`crate::Code::Request`], which names the file.
    pub fn check_output(&self, path: &Path) -> Result<(), Error> {
        let Some(file) = path.canonicalize().ok().filter(|file| file.is_file()) else { return Ok(()) };
        let is_kept = self.out.canonicalize().is_ok_and(|out| file.starts_with(out));
        if is_kept || self.reads().iter().any(|read| is_same_file(read, &file)) {
            let path = path.display();
            return Err(Error::request(format!("{path} is a file of the study itself: choose another name.")));
        }
        Ok(())
    }

    /// Returns the files outside the folder of rows that a run reads. Captures are those that its last run found.
    fn reads(&self) -> Vec<PathBuf> {
        let Some(spec) = &self.spec else { return Vec::new() };
        let home = folder_of_file(spec);
        let mut reads = vec![spec.clone()];
        let draft = fs::read_to_string(spec).ok().and_then(|text| Draft::read(&text).ok());
        reads.extend(draft.iter().flat_map(Draft::presets).map(|name| home.join(name)));
        for capture in dataset::plan_of(&self.out).map(|(_, captures)| captures).unwrap_or_default() {
            let capture = home.join(capture.path);
            reads.extend(read_beside(&capture));
            reads.push(capture);
        }
        reads
    }
}
