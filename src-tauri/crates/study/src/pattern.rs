//! Patterns of paths that find captures and read tags from their names.
//!
//! ```text
//! runs/{scenario}/{timer}-seed{seed}/*.pcap.gz
//! ```
//!
//! `{name}` is a tag and `*` is no tag: each stands for one or more characters of one name between slashes, the
//! leftmost for as many as possible. `?` is one character, and `**` alone between slashes is any number of folders. A
//! tag that stands in a pattern twice has one value.

use crate::Tags;
use regex::Regex;
use std::fmt;

/// Parsed pattern of paths.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    segments: Vec<Segment>,
    /// Regular expression of the whole pattern, with a group for each tag in order.
    whole: Regex,
    /// Names of the tags, in the order of the groups; a tag that stands twice is named twice.
    names: Vec<String>,
}

/// Part of a pattern between slashes.
#[derive(Clone, Debug)]
enum Segment {
    /// A name without tags and wildcards.
    Literal(String),
    /// `**`: any number of folders, also none.
    Folders,
    /// A name with tags or wildcards.
    Name(Regex),
}

/// Mistake in a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// Offset in the pattern, octets from 0; shown to people from 1.
    pub at: usize,
    /// Sentence on the problem, with a correct form.
    pub problem: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "octet {}: {}", self.at + 1, self.problem)
    }
}

impl std::error::Error for PatternError {}

/// Longest pattern, octets. Chosen here: no path of a file system is longer (PATH_MAX of Linux, limits.h).
const LONGEST: usize = 4_096;
/// Most tags of one pattern. Chosen here: more than anyone reads in a table, and a bound on the compiled pattern.
const MOST_TAGS: usize = 32;

impl Pattern {
    /// Parses a pattern; slashes separate names on every system.
    ///
    /// # Errors
    /// A brace that does not pair, a tag whose name is not letters, digits and underscores, `**` beside other
    /// characters or at the end, more than 32 tags, a pattern that is empty or longer than 4,096 octets.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let wrong = |at: usize, problem: &str| PatternError { at, problem: problem.to_owned() };
        if text.is_empty() {
            return Err(wrong(0, "the pattern is empty; write one such as runs/{scenario}/*.pcap"));
        }
        if text.len() > LONGEST {
            return Err(wrong(LONGEST, "the pattern is longer than a path can be"));
        }
        let (mut segments, mut names, mut whole, mut at) = (Vec::new(), Vec::new(), String::from("^"), 0);
        for (index, name) in text.split('/').enumerate() {
            let before = names.len();
            let segment = segment(name, at, &mut names)?;
            if names.len() > MOST_TAGS {
                return Err(wrong(at, "more than 32 tags in one pattern"));
            }
            let slash = if index > 0 && !whole.ends_with(FOLDERS) { "/" } else { "" };
            match &segment {
                Part::Folders => whole.push_str(&format!("{slash}{FOLDERS}")),
                Part::Name(expression) => whole.push_str(&format!("{slash}{expression}")),
            }
            segments.push(match segment {
                Part::Folders => Segment::Folders,
                Part::Name(_) if names.len() == before && !name.contains(['*', '?']) => {
                    Segment::Literal(name.to_owned())
                }
                Part::Name(expression) => Segment::Name(compiled(&format!("^{expression}$"), at)?),
            });
            at += name.len() + 1;
        }
        if matches!(segments.last(), Some(Segment::Folders)) {
            return Err(wrong(text.len() - 2, "** is folders; the name of a file follows, such as runs/**/*.pcap"));
        }
        whole.push('$');
        Ok(Self { text: text.to_owned(), segments, whole: compiled(&whole, 0)?, names })
    }

    /// Returns the pattern as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the names of its tags, sorted, each once.
    #[must_use]
    pub fn tags(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the tags of the file at `path`, names separated by slashes; `None` where it does not match.
    #[must_use]
    pub fn matches(&self, path: &str) -> Option<Tags> {
        let found = self.whole.captures(path)?;
        let mut tags = Tags::new();
        for (name, group) in self.names.iter().zip(found.iter().skip(1)) {
            let value = group?.as_str();
            if tags.insert(name.clone(), value.to_owned()).is_some_and(|other| other != value) {
                return None;
            }
        }
        Some(tags)
    }

    /// Returns the folder in which every match lies: the folder names before the first that is not literal, joined by
    /// slashes; empty for the current folder.
    #[must_use]
    pub fn base(&self) -> String {
        let literal = |segment: &Segment| match segment {
            Segment::Literal(name) => Some(name.clone()),
            Segment::Folders | Segment::Name(_) => None,
        };
        let folders = self.segments.len().saturating_sub(1);
        let names: Vec<String> = self.segments.iter().take(folders).map_while(literal).collect();
        let base = names.join("/");
        // An absolute path has an empty name before its first slash.
        if base.is_empty() && !names.is_empty() { "/".to_owned() } else { base }
    }

    /// Whether a file in the folder `path` could match.
    #[must_use]
    pub fn may_be_in(&self, path: &str) -> bool {
        let mut segments = self.segments.iter();
        for name in path.split('/') {
            match segments.next() {
                Some(Segment::Folders) => return true,
                Some(Segment::Literal(literal)) if literal == name => {}
                Some(Segment::Name(expression)) if expression.is_match(name) => {}
                _ => return false,
            }
        }
        segments.next().is_some()
    }
}

/// Regular expression of any number of folders, each with its slash.
const FOLDERS: &str = "(?:[^/]+/)*";

enum Part {
    Folders,
    Name(String),
}

/// Translates one name into a regular expression and adds its tags to `names`; `at` is its offset in the pattern,
/// octets.
fn segment(name: &str, at: usize, names: &mut Vec<String>) -> Result<Part, PatternError> {
    let wrong = |octet: usize, problem: String| PatternError { at: at + octet, problem };
    if name == "**" {
        return Ok(Part::Folders);
    }
    let mut out = String::new();
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let octet = name.len() - rest.len();
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '*' if rest.starts_with('*') => {
                return Err(wrong(octet, "** stands alone between slashes, such as runs/**/capture.pcap".to_owned()));
            }
            '*' => out.push_str("[^/]+"),
            '?' => out.push_str("[^/]"),
            '}' => return Err(wrong(octet, "no { before this }".to_owned())),
            '{' => {
                let Some((tag, after)) = rest.split_once('}') else {
                    return Err(wrong(octet, "no } after this {".to_owned()));
                };
                let is_name = tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                    && tag.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
                if !is_name {
                    let problem = format!("`{tag}` is no name of a tag: letters, digits and _, a letter first");
                    return Err(wrong(octet + 1, problem));
                }
                names.push(tag.to_owned());
                out.push_str("([^/]+)");
                rest = after;
            }
            c => out.push_str(&regex::escape(&c.to_string())),
        }
    }
    Ok(Part::Name(out))
}

/// Compiles a regular expression of the pattern's part at octet `at`; fails where it grows too large.
fn compiled(expression: &str, at: usize) -> Result<Regex, PatternError> {
    Regex::new(expression).map_err(|_| PatternError { at, problem: "the pattern is too large".to_owned() })
}
