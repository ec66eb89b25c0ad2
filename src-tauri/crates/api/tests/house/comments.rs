//! Comments of all rooms: a comment names its subject first, and no line of one is wider than the code beside it.

use crate::{SOURCES, files, root};

/// Widest line, characters: that of rustfmt and prettier, which do not break comments.
const WIDEST: usize = 120;

/// Comments begin with what they name: a question word or a bare conjunction at their beginning is the mark of a
/// comment that names nothing.
#[test]
fn comments_name_their_subject() {
    let mut comments = 0;
    for (folder, kinds) in SOURCES {
        for (path, text) in files(&root().join(folder), kinds) {
            let mut inside = false;
            for (at, line) in text.lines().enumerate() {
                let comment = comment(line);
                if let (Some(words), false) = (comment, inside) {
                    comments += 1;
                    assert!(names_something(words), "{}:{}: {words}", path.display(), at + 1);
                }
                inside = comment.is_some();
            }
        }
    }
    assert!(comments > 10_000, "{comments} comments were looked at");
    assert!(!names_something("Which.") && !names_something("So many octets") && names_something("Offset"));
    assert!(names_something("Whether") && names_something("Its width") && names_something("Ask first"));
    assert_eq!(comment("    /// Of a copy"), Some("Of a copy"));
}

#[test]
fn comments_are_as_narrow_as_code() {
    for (folder, kinds) in SOURCES {
        for (path, text) in files(&root().join(folder), kinds) {
            let mut is_figure = false;
            for (at, line) in text.lines().enumerate() {
                let comment = comment(line);
                is_figure = comment.is_some_and(|words| is_figure != words.starts_with("```"));
                let Some(words) = comment.filter(|_| !is_figure && line.chars().count() > WIDEST) else { continue };
                assert!(cannot_break(words), "{}:{}: over {WIDEST} columns", path.display(), at + 1);
            }
        }
    }
    assert!(cannot_break("| a row | of a table |") && cannot_break(&format!("See {}", "x".repeat(WIDEST))));
    assert!(!cannot_break(&"word ".repeat(WIDEST)));
}

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let marks = ["///", "//!", "//", "/**", "/*", "* ", "--- ", "-- "];
    marks.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

fn names_something(words: &str) -> bool {
    const NOTHING: [&str; 15] = [
        "As",
        "By",
        "How",
        "It",
        "Of",
        "So",
        "What",
        "Whatever",
        "When",
        "Which",
        "Whichever",
        "Who",
        "Whoever",
        "Whose",
        "Why",
    ];
    let first = words.split(|c: char| !c.is_alphanumeric()).next();
    first.is_some_and(|word| !NOTHING.contains(&word))
}

/// Whether a line must be as wide as it is: a row of a table, or words of which one is too long, such as a link.
fn cannot_break(words: &str) -> bool {
    words.starts_with('|') || words.split(' ').any(|word| word.chars().count() > WIDEST - 20)
}
