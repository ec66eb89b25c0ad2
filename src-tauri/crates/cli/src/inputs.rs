//! Inputs of a command, from clap's own declaration: no command may write over a file that it reads.

use crate::args::{Misuse, OutFile};
use api::is_same_file;
use api::live::Device;
use clap::ArgMatches;
use std::path::{Path, PathBuf};

/// Name of standard input where it is a file.
const STANDARD_INPUT: &str = "/dev/stdin";

/// Refuses a command line that names one file as input and as output, through links of either kind and through standard
/// input and output too, or one output or standard input twice. Inputs are all options of type [`PathBuf`] or
/// [`Device`], outputs those of type [`OutFile`].
///
/// # Errors
/// [`Misuse`], before anything is read or written.
pub fn check(command: &clap::Command, matches: &ArgMatches) -> Result<(), Misuse> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let Some(command) = command.find_subcommand(name) else { return Ok(()) };
    if matches.subcommand().is_some() {
        return check(command, matches);
    }
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let shown = arg.get_long().map_or_else(|| id.to_owned(), |long| format!("--{long}"));
        if let Ok(Some(paths)) = matches.try_get_many::<PathBuf>(id) {
            inputs.extend(paths.flat_map(|path| read_with(path)));
        }
        if let Ok(Some(devices)) = matches.try_get_many::<Device>(id) {
            inputs.extend(devices.filter_map(Device::path).map(Path::to_owned));
        }
        if let Ok(Some(places)) = matches.try_get_many::<OutFile>(id) {
            outputs.extend(places.map(|place| (shown.clone(), place)));
        }
    }
    if inputs.iter().filter(|input| *input == Path::new(STANDARD_INPUT)).count() > 1 {
        return Err(Misuse("two inputs are `-`: standard input can be read once".to_owned()));
    }
    for (at, (shown, place)) in outputs.iter().enumerate() {
        match place.path() {
            Some(path) => refuse(shown, path, &inputs)?,
            None => standard_output(&inputs)?,
        }
        let earlier = outputs.iter().take(at).find(|(_, other)| match (other.path(), place.path()) {
            (Some(other), Some(path)) => other == path || is_same_file(other, path) && path.is_file(),
            _ => false,
        });
        if let Some((other, _)) = earlier {
            return Err(Misuse(format!("{other} and {shown} are one file")));
        }
    }
    if outputs.is_empty() {
        standard_output(&inputs)?;
    }
    Ok(())
}

/// Returns every file that is read where a command names `path`: the file itself, and those beside a capture.
fn read_with(path: &Path) -> Vec<PathBuf> {
    if path.as_os_str() == "-" {
        return vec![PathBuf::from(STANDARD_INPUT)];
    }
    std::iter::once(path.to_owned()).chain(api::read_beside(path)).collect()
}

/// Fails where `path`, the value of option `shown`, is one of `inputs` or lies in a folder among them.
fn refuse(shown: &str, path: &Path, inputs: &[PathBuf]) -> Result<(), Misuse> {
    let folder = |input: &Path| input.is_dir() && path.is_file() && is_inside(path, input);
    // A device or a pipe is not replaced; one may well read from it and write to it.
    let same = |input: &Path| is_same_file(input, path) && path.is_file();
    match inputs.iter().find(|input| same(input) || folder(input)) {
        Some(input) if input.is_dir() => Err(Misuse(format!(
            "{shown} is a file in {}, which is read: choose a new name, or another place",
            input.display()
        ))),
        Some(input) => {
            Err(Misuse(format!("{shown} is {} itself, which is read: choose another name", input.display())))
        }
        None => Ok(()),
    }
}

fn is_inside(path: &Path, folder: &Path) -> bool {
    matches!((path.canonicalize(), folder.canonicalize()), (Ok(path), Ok(folder)) if path.starts_with(&folder))
}

/// Fails where standard output was redirected into a file of `inputs`.
fn standard_output(inputs: &[PathBuf]) -> Result<(), Misuse> {
    let out = Path::new("/dev/stdout");
    match inputs.iter().find(|input| out.is_file() && is_same_file(input, out)) {
        Some(input) => Err(Misuse(format!("standard output is {}, which is read", input.display()))),
        None => Ok(()),
    }
}
