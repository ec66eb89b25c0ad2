//! `completions` and `man`: the command line described for shells and for `man`, from its own declaration.

use crate::args::{Misuse, OutFile};
use crate::output;
use clap_complete::Shell;
use clap_mangen::Man;

/// `completions`
#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// `man`
#[derive(clap::Args, Debug)]
pub struct ManArgs {
    /// The page of this command, such as `replay` or `study run`; without, that of the program.
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Writes the script with which a shell completes command lines of `command`. Fails where it cannot be written.
pub fn completions(args: &CompletionsArgs, command: &clap::Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command.clone(), "rtoscope", &mut script);
    output::octets(args.out.as_ref(), |sink| Ok(sink.write_all(&script)?))
}

/// Writes the manual page, in roff, of the program or of one command. Fails on an unknown command, or where it cannot
/// be written.
pub fn man(args: &ManArgs, command: &clap::Command) -> anyhow::Result<()> {
    let words: Vec<&str> = args.command.iter().flat_map(|words| words.split_whitespace()).collect();
    let mut found = command;
    for word in &words {
        found =
            found.find_subcommand(word).ok_or_else(|| Misuse(format!("there is no command `{}`", words.join(" "))))?;
    }
    let man = if words.is_empty() {
        Man::new(command.clone())
    } else {
        // `man rtoscope-replay`, as `git` has it.
        let title = format!("rtoscope-{}", words.join("-"));
        Man::new(found.clone().display_name(title.clone()).version(env!("CARGO_PKG_VERSION"))).title(title)
    };
    let mut text = Vec::new();
    man.render(&mut text)?;
    output::octets(args.out.as_ref(), |sink| Ok(sink.write_all(&text)?))
}
