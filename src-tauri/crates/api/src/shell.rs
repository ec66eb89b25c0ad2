//! Words of command lines for a POSIX shell.

/// Returns `word` as a shell takes it, in quotes where it needs them.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+@%=,".contains(c);
    let is_plain = !word.is_empty() && word.chars().all(plain);
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Returns the name of a file, with `./` where it would pass for an option, standard input or a bundled capture.
pub(crate) fn file(name: &str) -> String {
    let taken = name.starts_with('-') || name.starts_with("sample:");
    if taken { format!("./{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{file, quoted};

    #[test]
    fn words() {
        assert_eq!(quoted("a-b_1.pcap.gz"), "a-b_1.pcap.gz");
        assert_eq!(quoted("it's here.pcap"), r"'it'\''s here.pcap'");
        assert_eq!(quoted("$HOME"), "'$HOME'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("~"), "'~'");
    }

    #[test]
    fn a_file_is_no_option() {
        assert_eq!(file("--out"), "./--out");
        assert_eq!(file("sample:x"), "./sample:x");
        assert_eq!(file("/tmp/-x"), "/tmp/-x");
    }
}
