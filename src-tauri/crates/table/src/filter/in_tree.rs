//! Fields read from the decode tree: every field that it has under Wireshark's name and that [`FIELDS`] lacks.

use super::field::{Field, Kind, Out, Read, Value};
use super::fields::FIELDS;
use super::row::Row;
use std::sync::LazyLock;
use trace::packet::{Tree, TreeNode, TreeValue, ValueKind, tree_names, tree_source};

/// Fields that only the decode tree has.
pub static TREE_FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let names = tree_names().filter(|(name, _)| FIELDS.iter().all(|field| field.name != *name));
    names
        .map(|(name, kind)| Field {
            name,
            also: &[],
            kind: kind_of(kind),
            about: tree_source(name).unwrap_or("As in the decode tree"),
            read: Read::Tree,
        })
        .collect()
});

const fn kind_of(kind: ValueKind) -> Kind {
    match kind {
        ValueKind::Presence => Kind::Protocol,
        ValueKind::Bool => Kind::Bool,
        ValueKind::Number => Kind::Number,
        ValueKind::Octets | ValueKind::Ethernet => Kind::Octets,
        ValueKind::Text => Kind::Text,
        ValueKind::Eui64 => Kind::Eui64,
        ValueKind::Ipv6 => Kind::Ipv6,
        ValueKind::Ipv4 => Kind::Ipv4,
    }
}

/// Passes each value that `field` has in the tree of `row` to `out`.
pub(super) fn each(field: &Field, row: &Row<'_>, out: Out<'_>) {
    let tree = row.tree();
    for node in tree.find(field.name) {
        if let Some(value) = value(tree, node, field.kind) {
            out(value);
        }
    }
}

/// Converts the value of `node` to `kind`.
fn value<'t>(tree: &'t Tree, node: &'t TreeNode, kind: Kind) -> Option<Value<'t>> {
    let octets = || tree.octets(node);
    Some(match (kind, &node.value) {
        (Kind::Protocol, _) => Value::Present,
        // A number of more than 63 bits compares as greater than any literal.
        (_, TreeValue::Uint(number)) => Value::Number(i64::try_from(*number).unwrap_or(i64::MAX)),
        (_, TreeValue::Int(number)) => Value::Number(*number),
        (_, TreeValue::Addr16(number)) => Value::Number((*number).into()),
        (_, TreeValue::Bool(flag)) => Value::Flag(*flag),
        (_, TreeValue::Text(text)) => Value::Text(text),
        (_, TreeValue::Addr64(address)) => Value::Eui64(*address),
        (_, TreeValue::Addr48(address)) => Value::Octets(address),
        (_, TreeValue::Ipv6(address)) => Value::Address(*address),
        (_, TreeValue::Ipv4(address)) => Value::Address(address.to_ipv6_mapped()),
        (Kind::Eui64, TreeValue::Bytes) => Value::Eui64(octets().try_into().ok()?),
        (Kind::Ipv6, TreeValue::Bytes) => {
            let mut address = [0; 16];
            address.get_mut(..octets().len())?.copy_from_slice(octets());
            Value::Address(address.into())
        }
        (_, TreeValue::Bytes) => Value::Octets(octets()),
        (_, TreeValue::None | TreeValue::Float(_)) => return None,
    })
}
