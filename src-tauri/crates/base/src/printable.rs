//! Text from captures, made safe to read: nothing that a packet says moves a cursor, reorders the text beside it, or
//! begins a line of its own.
//!
//! Escapes are those of `tshark` (`format_text`, epan/strutil.c of Wireshark): C's letters where there is one, three
//! octal digits for other ASCII control characters; beyond ASCII, `\u` with four hexadecimal digits or `\U` with eight.
//! A backslash stays as it is: the text is for reading, not for reading back. JSON and Parquet have every character.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Characters of general category Cf (format), Zl and Zp beyond ASCII: Unicode 16.0, `DerivedGeneralCategory.txt`.
/// Bidirectional controls (UAX #9, section 2) are among them; combining marks and fillers are not.
const HIDDEN: [(char, char); 21] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e0001}'),
    ('\u{e0020}', '\u{e007f}'),
];

/// Returns whether `c` is neither a control character (category Cc) nor a format character or separator of lines or
/// paragraphs (Cf, Zl, Zp).
#[must_use]
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    !c.is_control() && !HIDDEN.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// Returns `text` on one line, every character that is not printable escaped.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_printable, escape)
}

/// Returns `text` escaped as by [`printable`], with its line feeds kept.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\n' || is_printable(c), escape)
}

/// Returns a JSON text with every character of its strings that is not printable as `\u` and four digits, twice beyond
/// U+FFFF (RFC 8259, section 7): another spelling of the same value.
#[must_use]
pub fn printable_json(json: &str) -> Cow<'_, str> {
    let units = |out: &mut String, c: char| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    };
    // Between strings JSON has no other control characters than these.
    escaped(json, |c| matches!(c, '\n' | '\r' | '\t') || is_printable(c), units)
}

fn escaped(text: &str, stays: impl Fn(char) -> bool, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    let Some((at, _)) = text.char_indices().find(|&(_, c)| !stays(c)) else { return Cow::Borrowed(text) };
    let (clean, rest) = text.split_at(at);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(clean);
    for c in rest.chars() {
        if stays(c) { out.push(c) } else { escape(&mut out, c) }
    }
    Cow::Owned(out)
}

fn escape(out: &mut String, c: char) {
    let letter = match c {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        other => {
            let code = u32::from(other);
            // Writing to a String cannot fail.
            let _ = match code {
                0..=0x7f => write!(out, "\\{code:03o}"),
                0x80..=0xffff => write!(out, "\\u{code:04x}"),
                _ => write!(out, "\\U{code:08x}"),
            };
            return;
        }
    };
    out.extend(['\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_text_is_not_touched() {
        for text in ["", "/sensors/temp?unit=°C", "grün", "日本 → 🙂", r"C:\captures"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn escapes_are_those_of_tshark() {
        assert_eq!(printable("a\u{1b}[2Jb\0\r\n\tc\u{7f}"), r"a\033[2Jb\000\r\n\tc\177");
        assert_eq!(printable("\u{7}\u{8}\u{b}\u{c}"), r"\a\b\v\f");
        // The C1 control CSI, the right-to-left override, a tag.
        assert_eq!(printable("\u{9b}\u{202e}\u{e0041}"), r"\u009b\u202e\U000e0041");
        assert_eq!(printable_lines("a\nb\r\u{2028}"), "a\nb\\r\\u2028");
    }

    #[test]
    fn json_keeps_its_value() {
        let hostile = "\u{1b}\0\n\u{7f}\u{9b}\u{202e}\u{e0041}\u{2066}\"\\é";
        let json = serde_json::to_string_pretty(&[hostile]).unwrap();
        let safe = printable_json(&json);
        assert!(safe.chars().all(|c| c == '\n' || is_printable(c)), "{safe}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&safe).unwrap()[0], hostile);
    }
}
