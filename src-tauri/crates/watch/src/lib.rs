//! A capture that goes on: its exchanges, each once, and alerts, in memory that does not grow with the capture.
//!
//! ```text
//! octets ──► pieces ──► window ──► trace ──► exchanges that are over ──► measures, events ──► alerts
//!            records    ten        the whole  each once                   sliding sums
//!                       minutes    pipeline
//! ```
//!
//! [`Watch`] keeps the frames of some ten minutes of capture time and reads them with the pipeline that reads whole
//! captures. An exchange is taken from a window when no later frame can change it, and its first frame then lies far
//! enough behind the beginning of the window to be known as the first. Kept beyond the window are sums, the last
//! retransmissions of each client, and the parent of each node, all of them limited.
//!
//! Sans-IO: no file, no clock, no socket. All time is that of the capture, and the moment at which a window is read
//! depends on its records alone: the output is a function of the octets, however they came, and a watch that goes on
//! from its state ([`Watch::resume`]) says the same as one that was not interrupted.

mod alert;
mod clients;
mod clock;
mod exchange;
mod measure;
mod parents;
mod rule;
mod sliding;
mod timers;
mod watch;
mod window;

pub use alert::{Alert, AlertKind, Evidence, OpenAlert};
pub use clients::{ClientTotals, Totals};
pub use exchange::{Ended, SeenExchange};
pub use measure::Measure;
pub use rule::{EventKind, Rule, RuleError, distinct, rules_of_file};
pub use watch::{Options, State, Watch, WatchError};
pub use window::Place;
