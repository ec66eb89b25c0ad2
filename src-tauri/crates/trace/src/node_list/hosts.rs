//! Addresses and names, as hosts(5) and ethers(5) have them: `address name [alias …]`, and `#` begins a comment.

use super::{ListBuilder, ListedNode, NodeKey};

/// Reads lines of addresses and names into `list`; of several names the first counts, and other lines are noted.
pub(super) fn read(text: &str, list: &mut ListBuilder) {
    let mut offset = 0_u64;
    for (number, whole) in (1_u64..).zip(text.split_inclusive('\n')) {
        let start = offset;
        offset += whole.len() as u64;
        let mut words = whole.split('#').next().unwrap_or_default().split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        match (NodeKey::parse(first), words.next()) {
            (Some(key @ (NodeKey::Address(_) | NodeKey::Mac(_))), Some(word)) => {
                let node = ListedNode { key, place: None, name: Some(base::printable(word).into_owned()) };
                list.add(node, start, &format!("line {number}"));
            }
            (_, None) => list.skip(start, &format!("line {number} has no name")),
            _ => list.skip(start, &format!("line {number} does not begin with an address")),
        }
    }
}
