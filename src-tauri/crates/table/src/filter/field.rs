//! Fields of filters: name, kind of values, and the source of the values.

use super::row::Row;
use std::fmt;
use std::net::Ipv6Addr;

/// Field that filters may name.
pub struct Field {
    /// Name in filters: Wireshark's where it has one.
    pub name: &'static str,
    /// Other spellings of the name.
    pub also: &'static [&'static str],
    /// Kind of the field's values.
    pub kind: Kind,
    /// Description in one line.
    pub about: &'static str,
    /// Source of the field's values.
    pub read: Read,
}

/// Source of the values of a field.
#[derive(Clone, Copy)]
pub enum Read {
    /// Function of a row that passes on each value.
    Packet(fn(&Row<'_>, Out<'_>)),
    /// Nodes of the decode tree that have the field's name.
    Tree,
}

/// Receiver of the values of a field, one by one.
pub type Out<'o> = &'o mut dyn FnMut(Value<'_>);

/// Kind of a field's values, which decides the literals it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Protocol: present or absent.
    Protocol,
    /// Flag of ours: a bare flag holds when it is true.
    Flag,
    /// Flag of Wireshark: a bare flag holds when it is present, whatever its value.
    Bool,
    /// A whole number, compared by value.
    Number,
    /// A whole number some of whose values have names: name and number.
    Name(&'static [(&'static str, i64)]),
    /// A CoAP code: `2.05`, `GET`, `69`.
    Code,
    /// A time or a duration.
    Time,
    /// Text, compared as characters.
    Text,
    /// String of octets, compared octet by octet.
    Octets,
    /// EUI-64, 8 octets.
    Eui64,
    /// IPv6 address or prefix.
    Ipv6,
    /// IPv4 address or prefix.
    Ipv4,
}

/// Value of a field. IPv4 addresses are IPv4-mapped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'a> {
    /// Presence of a [`Kind::Protocol`].
    Present,
    /// Value of a [`Kind::Flag`] or [`Kind::Bool`].
    Flag(bool),
    /// Value of a [`Kind::Number`], [`Kind::Name`] or [`Kind::Code`].
    Number(i64),
    /// Value of a [`Kind::Time`], nanoseconds.
    Nanos(i64),
    /// Value of a [`Kind::Text`].
    Text(&'a str),
    /// Value of a [`Kind::Octets`].
    Octets(&'a [u8]),
    /// Value of a [`Kind::Eui64`], most significant octet first.
    Eui64([u8; 8]),
    /// Value of a [`Kind::Ipv6`] or [`Kind::Ipv4`].
    Address(Ipv6Addr),
}

impl Kind {
    /// Returns names of values, for completion; for codes the usual ones, none for kinds without names.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Name(names) => names.iter().map(|name| name.0).collect(),
            Self::Flag | Self::Bool => vec!["true", "false"],
            Self::Code => ["GET", "POST", "PUT", "DELETE", "2.01", "2.04", "2.05", "4.04"].to_vec(),
            _ => Vec::new(),
        }
    }
}

impl Kind {
    /// Returns the unit of the kind's values as text ([`Field::text`]); `None` where they have none.
    #[must_use]
    pub const fn unit(self) -> Option<&'static str> {
        match self {
            Self::Time => Some("s"),
            _ => None,
        }
    }

    /// Returns whether values as text are mostly digits, which stand to the right in columns.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Number | Self::Time)
    }
}

/// Formats the kind for the message "… is expected".
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Protocol => "a protocol",
            Self::Flag | Self::Bool => "`true` or `false`",
            Self::Number => "a whole number such as `12` or `0x0c`",
            Self::Name(_) => "a number or a name",
            Self::Code => "a code such as `2.05`, `GET` or `69`",
            Self::Time => "a time such as `12.5`, `200ms` or `6:31.2`",
            Self::Text => "a text in quotes",
            Self::Octets => "octets such as `be:ef`",
            Self::Eui64 => "a 64-bit address such as `00:12:74:01:00:01:01:01`",
            Self::Ipv6 => "an IPv6 address or prefix such as `fd00::/64`",
            Self::Ipv4 => "an IPv4 address or prefix such as `10.0.0.0/8`",
        })
    }
}

/// Compares fields by name: they are constants of the program, so the same name is the same field.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.kind)
    }
}
