//! A timer as a C program: one C11 file and its header, for a stack that lacks the algorithm.
//!
//! The procedures stand in `rto/c`, one file a family; their numbers and choices are those of the algorithm's
//! declaration, with what the person changed. The program computes in whole nanoseconds as the [`crate::Estimator`]
//! does, and rounds to the stack's ticks once, where it returns a timeout. `rto/tests/c.rs` compiles it and holds it
//! equal to the estimator.

mod family;
mod program;
mod values;

use super::stack::Program;
use super::{ApplyError, ChosenTimer, CoapStack, Refusal};
use crate::AlgorithmSpec;
use program::Resolved;
use serde::Serialize;
use serde_json::Map;
use values::Values;

/// A timer as a C program for one stack.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CProgram {
    /// Name of the stack.
    pub stack: String,
    /// Version whose sources were read.
    pub version: String,
    /// Name of both files, without their endings.
    pub name: String,
    /// Text of the header file.
    pub header: String,
    /// Text of the C file.
    pub source: String,
    /// Places of the stack's sources that call it, one sentence each.
    pub hook: Vec<String>,
    /// Memory for one server, octets.
    pub server_octets: u32,
    /// Memory for one open exchange, octets.
    pub exchange_octets: u32,
    /// Ticks per second of the stack's timers.
    pub ticks_per_second: u32,
    /// Largest distance of a timeout from the algorithm's, seconds: half a tick. Holds for timeouts of at least half a
    /// tick.
    pub largest_error: f64,
    /// Roundings, and what else a person should know, one sentence each.
    pub remarks: Vec<String>,
    /// Place in the stack's sources of the calls in `hook`.
    pub source_of_hook: String,
}

/// Memory of a timer as a C program, in octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramOctets {
    /// Memory for the timer of one server, octets.
    pub server: u32,
    /// Memory for one open exchange, octets.
    pub exchange: u32,
}

/// Returns the memory of `algorithm` as a C program, the same for every stack.
///
/// # Errors
///
/// An [`ApplyError`] where the algorithm is not written as C.
pub fn program_octets(algorithm: &AlgorithmSpec) -> Result<ProgramOctets, ApplyError> {
    let none = Map::new();
    let choice = ChosenTimer { algorithm, params: &none, max_retransmit: 0, nstart: 1 };
    Ok(resolved(&choice)?.1.octets())
}

/// Name and text of a program, without what belongs to a stack.
fn resolved(choice: &ChosenTimer<'_>) -> Result<(String, Resolved), ApplyError> {
    let refuse = |why: &str| refusal(choice.algorithm, why);
    let pieces = family::pieces(choice.algorithm).map_err(refuse)?;
    let name = identifier(choice.algorithm.id);
    let values = Values::of(choice, &pieces).map_err(|name| refuse(&format!("{name} has no exact value")))?;
    let resolved = Resolved::of(&pieces, &values, &name).map_err(|name| refuse(&format!("{name} has no value")))?;
    Ok((name, resolved))
}

fn refusal(algorithm: &AlgorithmSpec, why: &str) -> ApplyError {
    ApplyError(Refusal::Algorithm, format!("{} has no C file: {why}", algorithm.name))
}

impl CoapStack {
    /// Writes `choice` as a C program for this stack.
    ///
    /// # Errors
    ///
    /// An [`ApplyError`] where the algorithm is not written as C, or the stack has no place for it.
    pub fn program(&self, choice: &ChosenTimer<'_>) -> Result<CProgram, ApplyError> {
        let (name, resolved) = resolved(choice)?;
        let (ticks, hook) = match &self.c {
            Program::None { none } => return Err(refusal(choice.algorithm, none)),
            Program::Hook(hook) => (hook.ticks_per_second, hook),
        };
        let octets = resolved.octets();
        let largest_error = 0.5 / f64::from(ticks);
        let upper = name.to_uppercase();
        let calls = |text: &String| {
            text.replace("{send}", &format!("{name}_send()"))
                .replace("{retransmit}", &format!("{name}_retransmit()"))
                .replace("{answered}", &format!("{name}_answered()"))
                .replace("{exchange}", &format!("{name}_exchange"))
                .replace("{timer}", &name)
                .replace("{TIMER}", &upper)
        };
        let mut program = CProgram {
            stack: self.name.clone(),
            version: self.version.clone(),
            header: String::new(),
            source: String::new(),
            hook: hook.hook.iter().map(calls).collect(),
            server_octets: octets.server,
            exchange_octets: octets.exchange,
            ticks_per_second: ticks,
            largest_error,
            remarks: remarks(choice, ticks, hook.clock.as_str(), hook.random.as_str()),
            source_of_hook: hook.source.clone(),
            name,
        };
        program.header = self.header(choice, &program, &resolved);
        program.source = source(choice, &program, &resolved, octets);
        Ok(program)
    }

    fn header(&self, choice: &ChosenTimer<'_>, program: &CProgram, resolved: &Resolved) -> String {
        let (spec, name, upper) = (choice.algorithm, &program.name, program.name.to_uppercase());
        let title = format!("{}: {}.", spec.named(choice.params), spec.citation);
        let mut about = vec![
            title,
            format!("For {}, {}. Written by RTOscope from its declaration of the algorithm.", self.name, self.version),
            String::new(),
            format!(
                "One server takes {} octets, one open exchange {}. Nothing is allocated; all arithmetic is in integers.",
                program.server_octets, program.exchange_octets
            ),
        ];
        about.extend(program.remarks.iter().cloned());
        about.push(String::new());
        about.push("Calls:".to_owned());
        about.extend(program.hook.iter().map(|line| format!("- {line}")));
        let prototypes = include_str!("../../c/prototypes.h").replace("$$", &upper).replace('$', name);
        format!(
            "{}#ifndef {upper}_H\n#define {upper}_H\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
             /* Ticks per second of the times that are passed and returned. */\n#ifndef {upper}_TICKS_PER_SECOND\n\
             #define {upper}_TICKS_PER_SECOND {}\n#endif\n\n{}\n{prototypes}\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
            comment(&about),
            program.ticks_per_second,
            resolved.structs,
        )
    }
}

fn source(choice: &ChosenTimer<'_>, program: &CProgram, resolved: &Resolved, octets: ProgramOctets) -> String {
    let name = &program.name;
    let title = [format!("{}, see {name}.h.", choice.algorithm.named(choice.params))];
    format!(
        "{}#include \"{name}.h\"\n\n_Static_assert(sizeof(struct {name}) == {server}, \"a server takes {server} octets\");\n\
         _Static_assert(sizeof(struct {name}_exchange) == {exchange}, \"an exchange takes {exchange} octets\");\n\n{}\n{}",
        comment(&title),
        resolved.constants,
        resolved.code,
        server = octets.server,
        exchange = octets.exchange,
    )
}

/// Sentences about the stack's clock and draws, and about a rule of the sender that belongs to the algorithm.
fn remarks(choice: &ChosenTimer<'_>, ticks: u32, clock: &str, random: &str) -> Vec<String> {
    let half = super::decimal(500.0 / f64::from(ticks));
    let mut remarks = vec![
        format!(
            "Timeouts are exact to the nanosecond until they are returned, to the nearest tick of 1/{ticks} s: at most {half} ms from the \
             algorithm's."
        ),
        "A timeout shorter than half a tick becomes one tick.".to_owned(),
        "A round trip is measured in whole ticks, so that each sample may be up to one tick too short or too long."
            .to_owned(),
        format!("Time: {clock}, which must not fall. Draw: {random}."),
        "MAX_RETRANSMIT and NSTART stay the stack's own.".to_owned(),
    ];
    if !choice.algorithm.waits_after_last {
        remarks.push(
            "The algorithm gives up as it sends the last copy; a stack that waits once more does not follow it."
                .to_owned(),
        );
    }
    remarks
}

/// A name for C: letters, digits and underscores, no digit first.
fn identifier(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = id.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_lowercase()) { name } else { format!("rto_{name}") }
}

/// Most characters in a line of a comment of the C file. Layout only.
const COLUMNS: usize = 110;

/// A block comment of lines, wrapped. Names come from preset files: none can end the comment.
fn comment(lines: &[String]) -> String {
    let mut text = "/*\n".to_owned();
    for line in lines {
        let line = printable(line);
        let mut column = 0;
        for word in line.split(' ') {
            if column > 0 && column + word.chars().count() >= COLUMNS {
                column = 0;
                text.push('\n');
            }
            text += if column == 0 { " * " } else { " " };
            text += word;
            column += word.chars().count() + 1;
        }
        text.truncate(text.trim_end_matches([' ', '\u{a0}']).len());
        text.push('\n');
    }
    text + " */\n"
}

/// `text` as it may stand in a comment of one line.
fn printable(text: &str) -> String {
    base::printable(text).replace("*/", "* /").replace("/*", "/ *").replace('\\', "/")
}
