//! Text to tokens, each with the column it begins in.

use super::FilterError;

/// Token of a filter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A field, a keyword or a bare literal: `coap.mid`, `and`, `fd00::/64`, `200ms`.
    Word(String),
    /// A quoted string, unescaped.
    Text(String),
    /// An operator or a bracket.
    Mark(&'static str),
}

/// Operators and brackets, the longest first, so that `<=` is not `<` and something.
const MARKS: [&str; 15] = ["&&", "||", "==", "!=", "<=", ">=", "..", "<", ">", "!", "(", ")", "{", "}", ","];

/// Error of a string that is not closed.
const NO_QUOTE: &str = "this string has no closing quote";

/// Splits a filter into tokens with their columns (characters, from 1), and returns the column behind the last one too.
/// Errs on an open string, an unknown escape and a character that begins no token.
pub(super) fn lex(text: &str) -> Result<(Vec<(usize, Token)>, usize), FilterError> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let start = column;
        let taken = if first.is_whitespace() {
            first.len_utf8()
        } else if first == '"' {
            let (taken, text) = quoted(rest, start)?;
            tokens.push((start, Token::Text(text)));
            taken
        } else if let Some(raw) = rest.strip_prefix("r\"") {
            let Some((text, _)) = raw.split_once('"') else {
                return Err(FilterError { column, message: NO_QUOTE.to_owned() });
            };
            tokens.push((start, Token::Text(text.to_owned())));
            text.len() + 3
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            tokens.push((start, Token::Mark(mark)));
            mark.len()
        } else {
            let taken = word(rest);
            if taken == 0 {
                return Err(FilterError { column, message: format!("`{first}` has no meaning here") });
            }
            let (word, _) = rest.split_at(taken);
            tokens.push((start, Token::Word(word.to_owned())));
            taken
        };
        let (done, left) = rest.split_at(taken);
        column += done.chars().count();
        rest = left;
    }
    Ok((tokens, column))
}

/// Length in octets of the word that `text` begins with. Two dots end it: they make a range.
fn word(text: &str) -> usize {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '/' | '-' | '+');
    let end = text.find(|c| !part(c)).unwrap_or(text.len());
    let (word, _) = text.split_at(end);
    word.find("..").unwrap_or(end)
}

/// Reads a quoted string: the octets it takes, and its value. `\"` and `\\` stand for the quote and the backslash; in
/// `r"…"`, which is not read here, backslashes are themselves.
fn quoted(text: &str, column: usize) -> Result<(usize, String), FilterError> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((at + 1, value)),
            '\\' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                other => {
                    let behind = text.get(..at).map_or(0, |before| before.chars().count());
                    let what = other.map_or_else(|| "nothing".to_owned(), |(_, c)| format!("`{c}`"));
                    let message = format!("only `\\\"` and `\\\\` are escapes, not a backslash and {what}");
                    return Err(FilterError { column: column + behind, message });
                }
            },
            c => value.push(c),
        }
    }
    Err(FilterError { column, message: NO_QUOTE.to_owned() })
}
