//! `apply`: from a timer to the lines of a stack's configuration, or to a C program for it.

use crate::args::{Format, Misuse, OutFile, OutputArgs};
use crate::choices::{choice, session};
use crate::numbers::{between, whole};
use crate::output;
use api::view::ApplyRequest;
use api::{CProgram, Cells, DecodeOptions, Listing, is_same_file};
use std::path::PathBuf;

/// Form of a timer for a stack.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Lines of the stack's configuration.
    Lines,
    /// One C11 file and its header.
    C,
}

/// `apply`
#[derive(clap::Args, Debug)]
pub struct ApplyArgs {
    /// Timer with its parameters; without, a list of the stacks, with --as c of the algorithms that are written as C.
    #[arg(value_name = "ALGORITHM[:key=value,...]", requires = "stack")]
    pub algorithm: Option<String>,
    /// Stack that is to run it.
    #[arg(long, value_name = "NAME", requires = "algorithm")]
    pub stack: Option<String>,
    /// Lines for the stack, or the algorithm as a C program for a stack that lacks it.
    #[arg(long = "as", value_enum, default_value = "lines", value_name = "FORM")]
    pub language: Language,
    /// Retransmissions before giving up (`MAX_RETRANSMIT`, RFC 7252 §4.8; 4).
    #[arg(long, value_name = "N", value_parser = between::<u8>(0, 20))]
    pub max_retransmit: Option<u8>,
    /// Most exchanges open at once towards one server (NSTART, RFC 7252 §4.7; 1).
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1))]
    pub nstart: Option<u8>,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Form of the output: the lines themselves by default, with remarks on standard error; json has both and the
    /// sources.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Write to this file instead of standard output (`-`); the two files of --as c into this folder.
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Prints the configuration lines or the C program of a timer for a CoAP stack, or lists the stacks. Fails on an
/// unknown algorithm or stack, a timer that the stack cannot run, and a form of output that does not suit.
pub fn apply(args: &ApplyArgs) -> anyhow::Result<()> {
    let (Some(algorithm), Some(stack)) = (&args.algorithm, &args.stack) else {
        let output = OutputArgs { format: args.format, out: args.out.clone() };
        let list = if args.language == Language::C { programs() } else { stacks() };
        return output::listing(&list, &output, "");
    };
    let session = session(DecodeOptions::default(), &args.presets)?;
    let request = ApplyRequest {
        algorithm: choice(&session, algorithm)?,
        stack: stack.clone(),
        max_retransmit: args.max_retransmit,
        nstart: args.nstart,
    };
    if args.language == Language::C {
        return c_program(args, &session.c_program(&request)?);
    }
    let applied = session.apply(&request)?;
    match args.format {
        Format::Json => output::json(&serde_json::to_value(&applied)?, args.out.as_ref()),
        Format::Table => {
            output::text(&applied.text, args.out.as_ref())?;
            output::say(&format!("goes into: {}", applied.place));
            output::say(&format!("documented in: {}", applied.documentation));
            applied.remarks.iter().for_each(|remark| output::say(&format!("note: {remark}")));
            Ok(())
        }
        _ => Err(Misuse("lines for a stack are text or json: --format table or --format json".to_owned()).into()),
    }
}

/// Writes the header and source of a C program into the folder of `--out`, or both as JSON. Fails where the folder is
/// missing or a file would replace one that `--presets` reads.
fn c_program(args: &ApplyArgs, program: &CProgram) -> anyhow::Result<()> {
    match args.format {
        Format::Json => return output::json(&serde_json::to_value(program)?, args.out.as_ref()),
        Format::Table => {}
        _ => return Err(Misuse("a C program is two files or json: --format table or --format json".to_owned()).into()),
    }
    let folder = args.out.as_ref().and_then(OutFile::path).filter(|path| path.is_dir());
    let why = "--as c writes two files: name a folder that is there with --out, or take --format json";
    let folder = folder.ok_or_else(|| Misuse(why.to_owned()))?;
    let files = [("h", &program.header), ("c", &program.source)];
    let files = files.map(|(ending, text)| (folder.join(format!("{}.{ending}", program.name)), text));
    for (path, _) in &files {
        if args.presets.iter().any(|read| read == path || is_same_file(read, path)) {
            return Err(Misuse(format!("--out would write over {}, which --presets reads", path.display())).into());
        }
    }
    for (path, text) in files {
        output::text(text, Some(&OutFile::from(path.clone().into_os_string())))?;
        output::say(&format!("written: {}", path.display()));
    }
    output::say(&format!("octets: {} a server, {} an open exchange", program.server_octets, program.exchange_octets));
    program.hook.iter().for_each(|line| output::say(&format!("call: {line}")));
    output::say(&format!("the stack's sources: {}", program.source_of_hook));
    program.remarks.iter().for_each(|remark| output::say(&format!("note: {remark}")));
    Ok(())
}

/// Table of all algorithms with the octets of state of their C programs for each server and open exchange, or the
/// reason why there is none.
fn programs() -> Listing {
    let algorithms = api::specs();
    let octets: Vec<_> = algorithms.iter().map(api::program_octets).collect();
    let text = |f: &dyn Fn(usize) -> String| Cells::Text((0..algorithms.len()).map(|at| Some(f(at))).collect());
    let size = |of: &dyn Fn(&api::ProgramOctets) -> u32, at: usize| {
        octets[at].as_ref().map_or_else(|_| "-".to_owned(), |octets| of(octets).to_string())
    };
    let columns = vec![
        ("algorithm", text(&|at| algorithms[at].id.to_owned())),
        ("octets a server", text(&|at| size(&|octets| octets.server, at))),
        ("octets an exchange", text(&|at| size(&|octets| octets.exchange, at))),
        ("not written because", text(&|at| octets[at].as_ref().map_or_else(ToString::to_string, |_| "-".to_owned()))),
    ];
    Listing { columns }
}

fn stacks() -> Listing {
    let stacks = api::coap_stacks();
    let text = |f: &dyn Fn(&api::CoapStack) -> String| Cells::Text(stacks.iter().map(|stack| Some(f(stack))).collect());
    let mut columns = vec![
        ("name", text(&|stack| stack.id.clone())),
        ("stack", text(&|stack| format!("{}, {}", stack.name, stack.version))),
        ("place", text(&|stack| stack.place.clone())),
    ];
    for (at, (name, _)) in stacks.first().into_iter().flat_map(api::CoapStack::choices).enumerate() {
        columns.push((name, text(&|stack| stack.choices()[at].1.clone())));
    }
    let own = |stack: &api::CoapStack| {
        let own: Vec<&str> = stack.own_algorithms().collect();
        if own.is_empty() { "-".to_owned() } else { own.join(" ") }
    };
    columns.push(("own algorithms", text(&own)));
    let ticks = |stack: &api::CoapStack| stack.program_ticks().map_or("-".to_owned(), |ticks| format!("1/{ticks} s"));
    columns.push(("C, in ticks of", text(&ticks)));
    Listing { columns }
}
