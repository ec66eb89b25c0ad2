//! Names of nodes that a reader gave, in the place of those of the core: what the window does for its views
//! (`ui/src/state/capture/nodes.svelte.ts`), for what is written to files.

use crate::view::SessionNode;
use std::collections::BTreeSet;
use trace::Association;

/// Names that a reader gave to the nodes of one capture.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Name of the core and the given one, the longest of the core first: one name may begin with another.
    given: Vec<(String, String)>,
}

impl Names {
    /// Reads the nodes of a capture as a session has them; those without a name keep that of the core.
    pub(crate) fn of(nodes: &[SessionNode]) -> Self {
        let name = |one: &SessionNode| Some((one.node.clone(), one.name.clone().filter(|name| !name.is_empty())?));
        let mut given: Vec<_> = nodes.iter().filter_map(name).filter(|(node, _)| !node.is_empty()).collect();
        given.sort_by_key(|(node, _)| std::cmp::Reverse(node.len()));
        Self { given }
    }

    /// Returns the name of a node, or of an endpoint (a node with its port), that the core calls `core`.
    pub(crate) fn name_of(&self, core: &str) -> String {
        if let Some(name) = self.given_to(core) {
            return name.to_owned();
        }
        let ported =
            core.rsplit_once(':').filter(|(_, port)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
        match ported.and_then(|(node, port)| Some((self.given_to(node)?, port))) {
            Some((name, port)) => format!("{name}:{port}"),
            None => core.to_owned(),
        }
    }

    /// Returns a sentence of the core with the given names in it. A name inside of a longer word or address is none.
    pub(crate) fn say(&self, text: &str) -> String {
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        let mut before: Option<char> = None;
        while let Some(first) = rest.chars().next() {
            let begins = before.is_none_or(|c| !is_word(c) && c != ':' && c != '.');
            let found = self.given.iter().filter(|_| begins).find_map(|(node, name)| {
                let behind = rest.strip_prefix(node.as_str())?;
                ends(behind).then_some((node, name, behind))
            });
            if let Some((node, name, behind)) = found {
                said.push_str(name);
                (before, rest) = (node.chars().next_back(), behind);
            } else {
                said.push(first);
                (before, rest) = (Some(first), rest.get(first.len_utf8()..).unwrap_or_default());
            }
        }
        said
    }

    /// Returns the names of the clients and of the servers of `associations` as the window has them: without ports
    /// where addresses alone tell them apart, and as the reader calls them.
    pub(crate) fn ends(&self, associations: &[Association]) -> Vec<(String, String)> {
        let short = |of: fn(&Association) -> &str| {
            let names: BTreeSet<&str> = associations.iter().map(of).collect();
            names.iter().map(|name| without_port(name)).collect::<BTreeSet<_>>().len() == names.len()
        };
        let (clients, servers) = (short(|a| &a.client_name), short(|a| &a.server_name));
        let name = |core: &str, is_short| self.name_of(if is_short { without_port(core) } else { core });
        associations.iter().map(|a| (name(&a.client_name, clients), name(&a.server_name, servers))).collect()
    }

    fn given_to(&self, core: &str) -> Option<&str> {
        self.given.iter().find(|(node, _)| node == core).map(|(_, name)| name.as_str())
    }
}

/// Returns whether a character is part of a word, as `\w` of the window's patterns has it.
const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns whether a name may end before `behind`.
fn ends(behind: &str) -> bool {
    let mut next = behind.chars();
    match next.next() {
        Some('.') => !next.next().is_some_and(is_word),
        Some(c) => !is_word(c) && c != ':',
        None => true,
    }
}

/// Returns an endpoint without its port: `10.0.0.1:5683` and `[fd00::1]:5683`. An IPv6 address without brackets has
/// none.
fn without_port(name: &str) -> &str {
    let Some((node, port)) = name.rsplit_once(':') else { return name };
    let is_port = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let tail = node.rfind(['.', ']']).and_then(|at| node.get(at + 1..));
    if is_port && tail.is_some_and(|tail| !tail.contains(':')) { node } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[(&str, &str)]) -> Names {
        let node = |&(node, name): &(&str, &str)| SessionNode {
            node: node.to_owned(),
            name: Some(name.to_owned()),
            place: None,
        };
        Names::of(&given.iter().map(node).collect::<Vec<_>>())
    }

    #[test]
    fn names_stand_in_sentences_as_in_the_window() {
        // The same cases as in ui/src/state/capture/nodes.test.ts.
        let names = names(&[("mote 1", "sink"), ("fd00::1", "door"), ("10.0.0.1", "server")]);
        assert_eq!(names.say("mote 1 asks mote 12 by mote 1. (mote 1)"), "sink asks mote 12 by sink. (sink)");
        assert_eq!(names.say("fd00::1 and fd00::12, 2:fd00::1"), "door and fd00::12, 2:fd00::1");
        assert_eq!(names.say("10.0.0.1.5 é mote 1"), "10.0.0.1.5 é sink");
        assert_eq!(names.name_of("10.0.0.1"), "server");
        assert_eq!(names.name_of("10.0.0.1:5683"), "server:5683");
        assert_eq!(names.name_of("10.0.0.10:5683"), "10.0.0.10:5683");
        assert_eq!(Names::default().say("mote 1"), "mote 1");
    }

    #[test]
    fn ports_are_left_out_of_addresses_only() {
        let cases = [
            ("10.0.0.1:5683", "10.0.0.1"),
            ("[fd00::1]:5683", "[fd00::1]"),
            ("fd00::1", "fd00::1"),
            ("mote 3", "mote 3"),
            ("a.local:80", "a.local"),
            ("10.0.0.1:", "10.0.0.1:"),
        ];
        for (name, short) in cases {
            assert_eq!(without_port(name), short, "{name}");
        }
    }
}
