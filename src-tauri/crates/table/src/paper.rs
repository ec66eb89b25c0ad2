//! Listings as LaTeX and Markdown tables.

use crate::cells::{Cells, Listing};
use base::printable;
use std::io::{self, Write};

/// Significant digits of numbers in tables for people, as `%g` of C prints (ISO C, fprintf: precision 6). CSV, JSON
/// and Parquet have every digit.
const DIGITS: i32 = 6;

/// Returns the cell for a reader: text printable and on one line, numbers rounded to six significant digits; `None`
/// where it does not apply or is not finite.
pub(crate) fn rounded(cells: &Cells, row: usize) -> Option<String> {
    match cells {
        Cells::Text(texts) => texts.get(row)?.as_deref().map(|text| printable(text).into_owned()),
        Cells::Real(values) => values.get(row).copied().flatten().filter(|v| v.is_finite()).map(significant),
        other => other.text(row),
    }
}

/// Formats with six significant digits, without an exponent and without trailing zeros.
fn significant(value: f64) -> String {
    let size = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = usize::try_from((DIGITS - 1 - size).clamp(0, 12)).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    match text.split_once('.') {
        Some((whole, part)) => {
            let part = part.trim_end_matches('0');
            if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
        }
        None => text,
    }
}

fn rows<N>(listing: &Listing<N>, empty: &str, escape: impl Fn(&str) -> String) -> Vec<Vec<String>> {
    let cell = |cells: &Cells, row| rounded(cells, row).map_or_else(|| empty.to_owned(), |text| escape(&text));
    (0..listing.rows()).map(|row| listing.columns.iter().map(|(_, cells)| cell(cells, row)).collect()).collect()
}

/// Writes a `tabular`: text to the left, numbers to the right, `--` where a cell does not apply. Errs where the sink
/// does.
pub(crate) fn latex<N: AsRef<str>>(listing: &Listing<N>, sink: &mut dyn Write) -> io::Result<()> {
    let columns: String = listing.columns.iter().map(|(_, cells)| if cells.is_number() { 'r' } else { 'l' }).collect();
    let heads: Vec<String> = listing.columns.iter().map(|(name, _)| tex(name.as_ref())).collect();
    writeln!(sink, "\\begin{{tabular}}{{{columns}}}\n  \\toprule\n  {} \\\\\n  \\midrule", heads.join(" & "))?;
    for row in rows(listing, "--", tex) {
        writeln!(sink, "  {} \\\\", row.join(" & "))?;
    }
    writeln!(sink, "  \\bottomrule\n\\end{{tabular}}")
}

/// Escapes the special characters of TeX.
fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '×' => out.push_str("$\\times$"),
            '−' => out.push_str("$-$"),
            c => out.push(c),
        }
    }
    out
}

/// Writes a Markdown table; a cell that does not apply is empty. Errs where the sink does.
pub(crate) fn markdown<N: AsRef<str>>(listing: &Listing<N>, sink: &mut dyn Write) -> io::Result<()> {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let heads: Vec<String> = listing.columns.iter().map(|(name, _)| markdown_text(name.as_ref())).collect();
    let rules: Vec<&str> =
        listing.columns.iter().map(|(_, c)| if c.is_number() { " ---: " } else { " --- " }).collect();
    writeln!(sink, "{}\n|{}|", line(&heads), rules.join("|"))?;
    for row in rows(listing, "", markdown_text) {
        writeln!(sink, "{}", line(&row))?;
    }
    Ok(())
}

/// Returns `text` on one line of a Markdown cell or paragraph, where it is shown as it is: a pipe would end a cell, `<`
/// begin HTML, `[` a link or, with `!`, a picture that a viewer fetches, `` ` ``, `*`, `~` and `_` at the edge of a
/// word change the type, `#`, `>` and the marks of lists at the start begin a block (GFM §4 to §6), and what is not
/// printable acts on the reader.
#[must_use]
pub fn markdown_text(text: &str) -> String {
    let text = printable(text);
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        match c {
            '<' => out.push_str("&lt;"),
            '&' if is_entity(after) => out.push_str("&amp;"),
            '_' if before.is_alphanumeric() && after.starts_with(char::is_alphanumeric) => out.push(c),
            '#' | '>' if at == 0 => out.extend(['\\', c]),
            '-' | '+' if at == 0 && after.starts_with(' ') => out.extend(['\\', c]),
            '.' | ')' if after.starts_with(' ') && is_number(&text[..at]) => out.extend(['\\', c]),
            '\\' | '|' | '[' | '`' | '*' | '~' | '_' => out.extend(['\\', c]),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Returns whether `text` is the number of an item of a list, where a full stop follows it (GFM §5.2).
fn is_number(text: &str) -> bool {
    (1..=9).contains(&text.len()) && text.bytes().all(|octet| octet.is_ascii_digit())
}

/// Returns whether `text` goes on as a character reference does behind its `&` (GFM §6.2).
fn is_entity(text: &str) -> bool {
    let name = text.split_once(';').map(|(name, _)| name.strip_prefix('#').unwrap_or(name));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> Listing {
        Listing {
            columns: vec![
                ("a_b", Cells::Text(vec![Some("50 % & <x>|\\".to_owned()), None])),
                ("n", Cells::Whole(vec![Some(12), Some(-3)])),
                ("x", Cells::Real(vec![Some(1.0 / 3.0), None])),
            ],
        }
    }

    fn text(write: impl Fn(&Listing, &mut dyn Write) -> io::Result<()>) -> String {
        let mut octets = Vec::new();
        write(&listing(), &mut octets).unwrap();
        String::from_utf8(octets).unwrap()
    }

    #[test]
    fn tables_of_papers() {
        assert_eq!(
            text(|l, s| latex(l, s)),
            "\\begin{tabular}{lrr}\n  \\toprule\n  a\\_b & n & x \\\\\n  \\midrule\n  \
             50 \\% \\& $<$x$>$|\\textbackslash{} & 12 & 0.333333 \\\\\n  -- & -3 & -- \\\\\n  \\bottomrule\n\\end{tabular}\n"
        );
        assert_eq!(
            text(|l, s| markdown(l, s)),
            "| a_b | n | x |\n| --- | ---: | ---: |\n| 50 % & &lt;x>\\|\\\\ | 12 | 0.333333 |\n|  | -3 |  |\n"
        );
    }

    #[test]
    fn markdown_shows_text_as_it_is() {
        let cases = [
            ("![p](http://127.0.0.1:9/pixel.png)", "!\\[p](http://127.0.0.1:9/pixel.png)"),
            ("[x](javascript:alert(1))", "\\[x](javascript:alert(1))"),
            ("`code` **b** ~~s~~", "\\`code\\` \\*\\*b\\*\\* \\~\\~s\\~\\~"),
            ("rto_max, _em_ and __b__", "rto_max, \\_em\\_ and \\_\\_b\\_\\_"),
            ("&lt;b&gt; &#33; R&D; a & b; &", "&amp;lt;b&amp;gt; &amp;#33; R&amp;D; a & b; &"),
            ("<b>|", "&lt;b>\\|"),
            ("3 ± 1 (2–4)", "3 ± 1 (2–4)"),
            ("# a", "\\# a"),
            ("> a > b", "\\> a > b"),
            ("- a - b", "\\- a - b"),
            ("-3.5", "-3.5"),
            ("2. a 3. b", "2\\. a 3. b"),
        ];
        for (text, expected) in cases {
            assert_eq!(markdown_text(text), expected);
        }
    }

    #[test]
    fn six_digits_and_no_exponent() {
        let cases = [(0.0, "0"), (1_234_567.8, "1234568"), (0.000_012_345_67, "0.0000123457"), (-2.5, "-2.5")];
        for (value, expected) in cases {
            assert_eq!(significant(value), expected);
        }
    }
}
