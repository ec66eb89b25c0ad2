//! State of a watch between two runs of the program.

use super::{Options, Watch, WatchError};
use crate::alert::{Alerts, AlertsState};
use crate::clients::Totals;
use crate::clock::Clock;
use crate::parents::Parents;
use crate::rule::Rule;
use crate::timers::Timers;
use crate::window::{Place, Window};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::net::Ipv6Addr;
use trace::{Learned, Pieces};

/// Version of the form of [`State`]; no other is read.
const VERSION: u32 = 1;

/// State of a watch, complete together with the records from [`State::place`] on, which are to be read once more.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    version: u32,
    /// Place of the first record that is still needed.
    place: Place,
    /// Descriptions that are in force there (the header of the file, or section and interfaces), as hexadecimal digits.
    head: String,
    clock: Clock,
    first: u64,
    known: u64,
    taken: u64,
    read: Option<(i64, u64)>,
    contexts: Vec<(u8, Ipv6Addr, u8)>,
    addresses: Vec<(u16, [u8; 8])>,
    ports: Vec<u16>,
    alerts: AlertsState,
    parents: Parents,
    timers: Timers,
    totals: Totals,
    /// Codes of the notes that were given; `told` in states of before.
    #[serde(alias = "told")]
    noted: BTreeSet<String>,
}

impl State {
    /// Returns the place of the first record that is still needed: reading goes on there, and in all files after it.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// Returns whether this version of the program reads the state.
    #[must_use]
    pub const fn is_readable(&self) -> bool {
        self.version == VERSION
    }
}

impl Watch {
    /// Returns the state after all that was pushed. Alerts and exchanges that were not taken yet are not in it.
    #[must_use]
    pub fn state(&self) -> State {
        let first = self.window.marks.front();
        let place = first.map_or(Place { file: self.file, offset: self.pieces.offset() }, |mark| mark.place);
        let head = if first.is_some() { self.window.head() } else { self.pieces.head() };
        let learned = &self.options.decode.learned;
        // The record after which a window was due and was not read comes once more as a new one.
        let again = u64::from(self.is_interrupted && self.held.is_none() && self.next > 0);
        let known = self.next - again;
        let totals = Totals { frames: self.totals.frames.saturating_sub(again), ..self.totals.clone() };
        State {
            version: VERSION,
            place,
            head: head.iter().map(|octet| format!("{octet:02x}")).collect(),
            clock: first.map_or(self.clock, |mark| self.clock.back_to(mark.time, mark.shift)),
            first: first.map_or(self.next, |mark| mark.ordinal),
            known,
            taken: self.taken,
            read: self.read,
            contexts: learned.contexts.clone(),
            addresses: learned.addresses.clone(),
            ports: self.options.decode.ports.clone(),
            alerts: self.alerts.state.clone(),
            parents: self.parents.clone(),
            timers: self.timers.clone(),
            totals,
            noted: self.noted.clone(),
        }
    }

    /// Goes on from `state`; the octets from [`State::place`] on come next. Rules that it does not know start anew.
    ///
    /// # Errors
    /// [`WatchError::Import`] where the state is damaged.
    pub fn resume(options: Options, rules: Vec<Rule>, state: State) -> Result<Self, WatchError> {
        let octet = |at: usize| state.head.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let head: Vec<u8> = (0..state.head.len()).step_by(2).filter_map(octet).collect();
        let mut watch = Self::new(options, Vec::new());
        watch.pieces = Pieces::resume(&head, state.place.offset)?;
        watch.window = Window::default();
        watch.clock = state.clock;
        watch.file = state.place.file;
        watch.next = state.first;
        watch.known = state.known;
        watch.taken = state.taken;
        watch.read = state.read;
        let decode = &mut watch.options.decode;
        decode.learned = Learned { contexts: state.contexts, addresses: state.addresses };
        let own = std::mem::take(&mut decode.ports);
        decode.ports = own.iter().copied().chain(state.ports.into_iter().filter(|port| !own.contains(port))).collect();
        watch.alerts = Alerts::new(rules, state.alerts);
        watch.parents = state.parents;
        watch.timers = state.timers;
        watch.totals = state.totals;
        watch.noted = state.noted;
        Ok(watch)
    }
}
