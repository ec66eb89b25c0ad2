//! Estimates about clients and exchanges, and the assumptions of a user that replace them.

use super::Opened;
use crate::Error;
use crate::view::{
    AssociationView, AssumeRequest, AssumedView, MomentView, RelationKind, RelationView, VantageKind, WorkloadKind,
};
use base::{ExchangeId, Part, Progress};
use replay::Stack;
use trace::{Assumed, Assumptions, Direction, Exchange, ExchangeRole, KnownTimers, Trace, Vantage, Workload};

impl VantageKind {
    /// Returns the same vantage as `trace` has it.
    #[must_use]
    pub const fn vantage(self) -> Vantage {
        match self {
            Self::Client => Vantage::Client,
            Self::Server => Vantage::Server,
            Self::Between => Vantage::Between,
            Self::Everywhere => Vantage::Everywhere,
        }
    }

    /// Returns the word for a vantage of `trace`.
    #[must_use]
    pub const fn of(vantage: Vantage) -> Self {
        match vantage {
            Vantage::Client => Self::Client,
            Vantage::Server => Self::Server,
            Vantage::Between => Self::Between,
            Vantage::Everywhere => Self::Everywhere,
        }
    }
}

impl WorkloadKind {
    /// Returns the same workload as `trace` has it; `None` for [`WorkloadKind::Auto`]: as it is found.
    #[must_use]
    pub const fn workload(self) -> Option<Workload> {
        match self {
            Self::Auto => None,
            Self::Arrivals => Some(Workload::Arrivals),
            Self::ThinkTime => Some(Workload::ThinkTime),
        }
    }

    const fn of(workload: Workload) -> Self {
        match workload {
            Workload::Arrivals => Self::Arrivals,
            Workload::ThinkTime => Self::ThinkTime,
        }
    }
}

/// Converts the assumptions of `request` into those of `trace`.
///
/// # Errors
/// [`crate::Code::Request`] for an unknown association or stack.
pub(crate) fn assumptions(trace: &Trace, request: &AssumeRequest) -> Result<Assumptions, Error> {
    let mut assumptions = Assumptions::default();
    for said in &request.said {
        let assumed = Assumed {
            vantage: said.vantage.map(VantageKind::vantage),
            workload: said.workload.and_then(WorkloadKind::workload),
            stack: said.stack.as_deref().map(stack).transpose()?,
        };
        match said.association {
            None => assumptions.all = assumed,
            Some(id) => {
                let association = trace.associations.get(id.index());
                let unknown = || Error::request(format!("There is no association {id} in this capture."));
                let association = association.ok_or_else(unknown)?;
                assumptions.each.push(((association.client, association.server), assumed));
            }
        }
    }
    Ok(assumptions)
}

/// Returns the identifier `id` of a network stack, as the twin has it.
///
/// # Errors
/// [`crate::Code::Request`] for an unknown stack.
pub fn stack(id: &str) -> Result<&'static str, Error> {
    let known = || Stack::all().iter().map(|stack| stack.id.as_str()).collect::<Vec<_>>().join(", ");
    let found = Stack::named(id).map(|stack| stack.id.as_str());
    found.ok_or_else(|| Error::request(format!("There is no network stack called `{id}`; there are: {}.", known())))
}

/// Returns the assumptions about `trace` as they were requested: first those about all associations.
pub(crate) fn assumed_of(trace: &Trace) -> Vec<AssumedView> {
    let view = |association, assumed: Assumed| AssumedView {
        association,
        vantage: assumed.vantage.map(VantageKind::of),
        workload: assumed.workload.map(WorkloadKind::of),
        stack: assumed.stack.map(str::to_owned),
    };
    let all = Some(trace.assumptions.all).filter(|all| *all != Assumed::default()).map(|all| view(None, all));
    let each = trace.assumptions.each.iter().filter_map(|(ends, assumed)| {
        let association = trace.associations.iter().find(|a| (a.client, a.server) == *ends)?;
        Some(view(Some(association.id), *assumed))
    });
    all.into_iter().chain(each).collect()
}

impl AssociationView {
    /// Fills in the estimates about `association`.
    pub(crate) fn claim(&mut self, trace: &Trace, association: &trace::Association) {
        self.vantage = VantageKind::of(association.vantage);
        self.vantage_given = association.vantage_given;
        self.correction = association.correction;
        self.queueing = association.queueing;
        self.workload = WorkloadKind::of(association.workload);
        self.workload_given = trace.assumptions.of(association).workload.is_some();
        self.rhythm = association.rhythm;
    }
}

/// Returns the time at which `exchange` was ready, where it waited for another one; and the time at which its first
/// copy was handed to the network: by the client's log, else as estimated.
pub(crate) fn moments(trace: &Trace, timers: &KnownTimers, exchange: &Exchange) -> (Option<MomentView>, MomentView) {
    let start = MomentView { at: exchange.start(), error: base::Span::ZERO };
    let Some(association) = trace.associations.get(exchange.association.index()) else { return (None, start) };
    let ready = association.ready.binary_search_by_key(&exchange.id, |ready| ready.exchange).ok();
    let ready = ready.and_then(|at| association.ready.get(at)).map(|r| MomentView { at: r.at, error: r.error });
    let logged = timers.get(exchange.id, 0).and_then(|timer| timer.wait);
    let handed = exchange.copies.first().map(|copy| match logged {
        Some((wait, error)) => (copy.sent - wait, error),
        None => trace.handed_over(association, copy),
    });
    (ready, handed.map_or(start, |(at, error)| MomentView { at, error }))
}

/// Greatest number of exchanges that a relation names. Chosen here: an observation may have thousands.
const NAMED: usize = 256;

/// Returns the relations of `exchange` to others: transfers, observations, proxy pairs, events.
pub(crate) fn related(trace: &Trace, exchange: ExchangeId) -> Vec<RelationView> {
    let roles = trace.relations.roles();
    let view = |role: ExchangeRole| {
        let mut exchanges = trace.relations.members(role);
        let count = u32::try_from(exchanges.len()).unwrap_or(u32::MAX);
        exchanges.truncate(NAMED);
        let (kind, said) = say(trace, exchange, role, count);
        RelationView { kind, said, exchanges, count }
    };
    roles.of(exchange).map(view).collect()
}

fn say(trace: &Trace, exchange: ExchangeId, role: ExchangeRole, count: u32) -> (RelationKind, String) {
    let relations = &trace.relations;
    let name = |id: ExchangeId| {
        let association = trace.exchanges.get(id.index()).and_then(|e| trace.associations.get(e.association.index()));
        association.map_or_else(String::new, |a| format!("{} to {}", a.client_name, a.server_name))
    };
    match role {
        ExchangeRole::Block(at) => {
            let said = relations.transfers.get(at as usize).map_or_else(String::new, |t| {
                let way = match t.direction {
                    Direction::Up => "request payload",
                    Direction::Down => "response payload",
                };
                let mine = t.blocks.iter().find(|b| b.exchange == exchange).map_or(0, |b| b.number);
                let whole = if t.is_complete() { "" } else { ", not complete here" };
                format!("Block {mine} of a {way} of {} octets in {count} exchanges{whole}", t.octets())
            });
            (RelationKind::Transfer, said)
        }
        ExchangeRole::Registration(at) | ExchangeRole::Notification(at) => {
            let notified = relations.observations.get(at as usize).map_or(0, |o| o.notifications.len());
            match role {
                ExchangeRole::Registration(_) => {
                    (RelationKind::Observation, format!("Registers an observation with {notified} notifications"))
                }
                _ => (RelationKind::Notification, format!("One of {notified} notifications of an observation")),
            }
        }
        ExchangeRole::Before(at) => {
            let behind = relations.sides.get(at as usize).map_or(exchange, |side| side.1);
            (RelationKind::Onward, format!("Sent on by a proxy or NAT: {}", name(behind)))
        }
        ExchangeRole::Behind(at) => {
            let before = relations.sides.get(at as usize).map_or(exchange, |side| side.0);
            (RelationKind::Behind, format!("Sent by a proxy or NAT for {}", name(before)))
        }
        ExchangeRole::Event(_) => (
            RelationKind::Event,
            format!("One of {count} requests that began together: an event that several clients saw"),
        ),
    }
}

/// Share of judging in the work, per cent; the rest is preparing replays. Chosen here by judgement; it moves the
/// progress bar only.
const JUDGING: u64 = 40;
const HUNDRED: u64 = 100;

impl Opened {
    /// Returns the same capture, judged under the assumptions of `request`.
    ///
    /// # Errors
    /// As [`assumptions`]; [`crate::Code::Cancelled`].
    pub(crate) fn assuming(&self, request: &AssumeRequest, progress: &mut dyn Progress) -> Result<Self, Error> {
        let assumptions = assumptions(&self.trace, request)?;
        let trace = self.trace.assuming(&assumptions, &mut Part::new(progress, 0, JUDGING, HUNDRED))?;
        let mut indexing = Part::new(progress, JUDGING, HUNDRED, HUNDRED);
        let logs = self.mote_logs.again(super::path_of(&self.files), &trace);
        Self::with_logs(trace, self.import, self.files.clone(), logs, &mut indexing)
    }
}
