//! The text of a program: directives resolved, names put in, sizes counted.
//!
//! A line `#if NAME == VALUE`, `#elif …`, `#else` or `#endif` of a file of `rto/c` whose NAME is a parameter's in lower
//! case is resolved here, so that a program has no trace of what it does not do. `$` stands for the name of the
//! program, `$$` for it in capitals.

use super::ProgramOctets;
use super::family::Pieces;
use super::values::Values;

/// Line that divides the structures from the procedures in a file of `rto/c`.
const DIVIDER: &str = "// ---\n";

/// A program for one choice of values.
pub(super) struct Resolved {
    /// Definitions of the structures, for the header.
    pub structs: String,
    /// Definitions of the constants.
    pub constants: String,
    /// Definitions of arithmetic and procedures.
    pub code: String,
    name: String,
}

impl Resolved {
    /// Puts `values` into the files of a family.
    ///
    /// # Errors
    ///
    /// The name of a constant that the files mention and no one declares.
    pub fn of(pieces: &Pieces, values: &Values, name: &str) -> Result<Self, String> {
        let upper = name.to_uppercase();
        let put = |text: &str| resolve(text, values).replace("$$", &upper).replace('$', name);
        let mut structs: Vec<String> = Vec::new();
        let mut code = Vec::new();
        for piece in pieces.files.iter().filter(|piece| piece.only.is_none_or(|(name, value)| values.is(name, value))) {
            let (head, body) = piece.text.split_once(DIVIDER).unwrap_or(("", piece.text));
            structs.push(put(head));
            code.push(put(body));
        }
        let code = code.join("\n");
        let code = put(&needed(&code)) + "\n" + &code;
        let constants = values.definitions(&upper, &code)?;
        Ok(Self { structs: structs.join("\n"), constants, code, name: name.to_owned() })
    }

    /// Returns the sizes of the two structures that a caller keeps.
    pub fn octets(&self) -> ProgramOctets {
        let sizes = sizes(&self.structs);
        let size = |name: &str| sizes.iter().find(|(known, _)| known == name).map_or(0, |(_, size)| *size);
        ProgramOctets { server: size(&self.name), exchange: size(&format!("{}_exchange", self.name)) }
    }
}

/// The functions of `rto/c/arithmetic.c` that `code` calls, and those that they call, in the order of the file.
fn needed(code: &str) -> String {
    // A function ends with its brace in the first column.
    let all: Vec<&str> = include_str!("../../../c/arithmetic.c").split_inclusive("\n}\n").map(str::trim).collect();
    let name = |function: &str| {
        let declared = function.lines().find_map(|line| line.strip_prefix("static int64_t "));
        declared.and_then(|line| line.split('(').next()).map_or_else(String::new, |name| format!("{name}("))
    };
    let mut wanted: Vec<&str> = Vec::new();
    // Each calls only those above it.
    for &function in all.iter().rev().filter(|function| !function.is_empty()) {
        let name = name(function);
        if calls(code, &name) || wanted.iter().any(|other| calls(other, &name)) {
            wanted.push(function);
        }
    }
    wanted.reverse();
    wanted.iter().map(|function| format!("{function}\n")).collect::<Vec<_>>().join("\n")
}

/// Returns whether `code` calls the function `name(`, and not one whose name ends so.
fn calls(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| !code[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// One `#if` that is open.
struct Open {
    /// A branch of it was taken.
    taken: bool,
    /// Its present branch is the one.
    active: bool,
}

/// `text` with its directives resolved.
fn resolve(text: &str, values: &Values) -> String {
    let mut open: Vec<Open> = Vec::new();
    let mut result = String::new();
    for line in text.lines() {
        let holds = |condition: &str| {
            let (equal, parts) = condition
                .split_once(" != ")
                .map_or_else(|| (true, condition.split_once(" == ")), |parts| (false, Some(parts)));
            parts.is_some_and(|(name, literal)| values.is(name.trim(), literal.trim()) == equal)
        };
        if let Some(condition) = line.strip_prefix("#if ") {
            let active = holds(condition);
            open.push(Open { taken: active, active });
        } else if let (Some(condition), Some(last)) = (line.strip_prefix("#elif "), open.last_mut()) {
            last.active = !last.taken && holds(condition);
            last.taken |= last.active;
        } else if let ("#else", Some(last)) = (line, open.last_mut()) {
            last.active = !last.taken;
        } else if line == "#endif" {
            open.pop();
        } else if open.iter().all(|open| open.active) {
            result += line;
            result.push('\n');
        }
    }
    result
}

/// Octets of every structure of `text`, which has members of eight octets, of one, and structures.
fn sizes(text: &str) -> Vec<(String, u32)> {
    let mut sizes: Vec<(String, u32)> = Vec::new();
    let mut name = None;
    let mut size = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["struct", opened, "{"] => (name, size) = (Some((*opened).to_owned()), 0),
            ["};"] => sizes.extend(name.take().map(|name| (name, size))),
            ["int64_t", ..] => size += 8,
            ["uint8_t", member] => {
                let count = member.split_once('[').and_then(|(_, rest)| rest.trim_end_matches("];").parse().ok());
                size += count.unwrap_or(1);
            }
            ["struct", inner, _] => {
                size += sizes.iter().find(|(known, _)| known == inner).map_or(0, |(_, size)| *size);
            }
            _ => {}
        }
    }
    sizes
}
