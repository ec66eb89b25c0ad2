//! Identifiers: positions in the vectors of one trace, as types that cannot be mixed up.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the position as an index into the vector that it numbers.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the identifier of position `index`; saturates at `u32::MAX`, which no trace reaches
            /// (import refuses more than `u32::MAX - 1` frames).
            #[must_use]
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

id! {
    /// A captured frame, in the order of its records in the file, from 0.
    /// People see it plus one: "frame 1" is the first record, as in Wireshark.
    FrameId
}
id! {
    /// A CoAP message, in order of first appearance: one per transmission by its sender,
    /// however many hops carried it.
    MessageId
}
id! {
    /// An exchange: one confirmable message, its copies and what ended it.
    ExchangeId
}
id! {
    /// The observer of a frame: a sniffer or an interface; in a Cooja log, the mote that sent it.
    SourceId
}
id! {
    /// A client and a server endpoint that exchanged confirmable messages.
    AssociationId
}
