//! Hands the exchanges and events of a window to rules and sums.

use super::Watch;
use crate::alert::{Alerts, Evidence, Happening};
use crate::exchange::SeenExchange;
use crate::parents::ParentChange;
use crate::rule::EventKind;
use crate::timers::Added;
use crate::watch::WatchError;
use base::{Cancelled, Instant, Progress};
use replay::identify::Clues;
use replay::{AssociationRecord, ExchangeRecord, Record};
use std::collections::BTreeMap;
use table::filter::{Filter, Row};
use table::needless;
use trace::{Exchange, Places, Trace, network};

impl Watch {
    /// Takes the exchanges and events of a window that began from record [`Watch::taken`] up to record `until`,
    /// exclusive. The ones from `first_early` on count as early. Errs when cancelled: then [`Watch::taken`] is the
    /// record at which the next call goes on.
    pub(super) fn take(
        &mut self,
        trace: &Trace,
        until: u64,
        first_early: u64,
        progress: &mut dyn Progress,
    ) -> Result<(), WatchError> {
        let parts = Parts::read(trace, &self.alerts, progress)?;
        let range = self.taken..until;
        let mut facts: Vec<(u64, Fact<'_>)> = Vec::new();
        let ordinals: Vec<u64> = self.window.marks.iter().map(|mark| mark.ordinal).collect();
        let number = |frame: usize| ordinals.get(frame).copied();
        for exchange in &trace.exchanges {
            let record = first_frame(trace, exchange).and_then(number);
            facts.extend(
                record.filter(|record| range.contains(record)).map(|record| (record, Fact::Exchange(exchange))),
            );
        }
        let record_at = |at: Instant| {
            let frame = trace.capture.frames.iter().position(|frame| frame.at == at)?;
            number(frame).filter(|record| range.contains(record))
        };
        let mut parents = self.parents.clone();
        let mut left_out = 0;
        if let Some(network) = &parts.network {
            let learned = parents.learn(network, &record_at);
            left_out = learned.1;
            facts.extend(learned.0.into_iter().map(|(record, change)| (record, Fact::Parent(change))));
        }
        facts.sort_by_key(|(record, _)| *record);
        for (record, fact) in facts {
            let position = self.window.marks.partition_point(|mark| mark.ordinal < record);
            let Some(&mark) = self.window.marks.get(position) else { continue };
            match fact {
                Fact::Exchange(exchange) => {
                    let at = (record, mark.time, mark.shift);
                    if let Err(cancelled) = self.exchange(trace, &parts, exchange, at, progress) {
                        // All facts of records before this one were taken, and none of it.
                        if let Some(network) = &parts.network {
                            let before = |at: Instant| record_at(at).filter(|before| *before < record);
                            self.totals.left_out += self.parents.learn(network, &before).1;
                        }
                        self.taken = record;
                        return Err(cancelled.into());
                    }
                    self.totals.early += u64::from(record >= first_early);
                }
                Fact::Parent(ParentChange { node, from, to }) => self.alerts.happen(&Happening {
                    kind: EventKind::ParentChanged,
                    time: mark.time,
                    text: format!("{node} has {to} as its parent, no longer {from}"),
                    client: Some(node),
                    evidence: Evidence::default(),
                }),
            }
        }
        self.parents = parents;
        self.totals.left_out += left_out;
        Ok(())
    }

    /// Takes one exchange, which began with `record` at `time`; `shift` was added to its time stamp. Errs when
    /// cancelled: it is not taken then.
    fn exchange(
        &mut self,
        trace: &Trace,
        parts: &Parts,
        exchange: &Exchange,
        (record, time, shift): (u64, i64, i64),
        progress: &mut dyn Progress,
    ) -> Result<(), Cancelled> {
        let Some(seen) = SeenExchange::of(trace, exchange.id, record, time.saturating_sub(shift)) else {
            return Ok(());
        };
        let added = match parts.record_of(exchange) {
            Some((association, own)) => {
                let epoch = trace.capture.epoch_unix_nanos.unwrap_or(0).saturating_add(shift);
                self.timers.add(&seen.client, association, own, epoch, parts.marked, progress)?
            }
            None => Added::Kept,
        };
        let first = exchange.copies.first().map(|copy| copy.message);
        let row = parts.places.as_ref().zip(first).and_then(|(places, id)| Row::message(trace, places, id));
        let passes =
            |filter: Option<&Filter>| filter.is_none_or(|filter| row.as_ref().is_some_and(|row| filter.passes(row)));
        let passes: Vec<bool> = self.alerts.filters().map(passes).collect();
        // Rules go by the time that never runs back.
        self.alerts.exchange(&SeenExchange { time, ..seen.clone() }, &passes, shift);
        self.totals.add(&seen);
        match added {
            Added::Changed(change) => {
                let (from, to) = (change.from.join(" or "), change.to.join(" or "));
                let gaps = change.gaps;
                self.alerts.happen(&Happening {
                    kind: EventKind::TimerChanged,
                    time,
                    text: format!("{gaps} retransmissions of {} fit {to}, those before fitted {from}", change.client),
                    client: Some(change.client),
                    evidence: Evidence { copies: gaps, ..Evidence::default() },
                });
            }
            Added::LeftOut => self.totals.left_out += 1,
            Added::Kept => {}
        }
        if self.options.lists_exchanges {
            self.exchanges.push(seen);
        }
        Ok(())
    }
}

/// Exchange or event that a window shows.
enum Fact<'a> {
    Exchange(&'a Exchange),
    Parent(ParentChange),
}

/// Parts of a window that only some rules need; `None` where none does.
struct Parts {
    places: Option<Places>,
    network: Option<network::Network>,
    record: Option<Record>,
    /// Association and position in `record` of each exchange, by its number.
    at: BTreeMap<u32, (usize, usize)>,
    marked: Option<bool>,
}

impl Parts {
    fn read(trace: &Trace, alerts: &Alerts, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let wants_network = alerts.wait_for(EventKind::ParentChanged);
        let wants_places = wants_network || alerts.filters().any(|filter| filter.is_some());
        let places = if wants_places { Some(Places::of(trace, progress)?) } else { None };
        let is_needless = |id: base::ExchangeId, copy: usize| {
            trace.exchanges.get(id.index()).is_some_and(|exchange| needless(exchange, copy))
        };
        let network = match places.as_ref().filter(|_| wants_network) {
            Some(places) => Some(network::of(trace, places, &is_needless, progress)?),
            None => None,
        };
        let wants_record = alerts.wait_for(EventKind::TimerChanged);
        let record = if wants_record { Some(Record::from_trace(trace, progress)?) } else { None };
        let mut at = BTreeMap::new();
        for (number, association) in record.iter().flat_map(Record::associations).enumerate() {
            at.extend((0..).zip(&association.exchanges).map(|(position, own)| (own.id.0, (number, position))));
        }
        let marked = if wants_record { Clues::of(trace).marked } else { None };
        Ok(Self { places, network, record, at, marked })
    }

    fn record_of(&self, exchange: &Exchange) -> Option<(&AssociationRecord, &ExchangeRecord)> {
        let &(association, position) = self.at.get(&exchange.id.0)?;
        let association = self.record.as_ref()?.associations().get(association)?;
        Some((association, association.exchanges.get(position)?))
    }
}

/// Position of the first frame of an exchange in its window.
fn first_frame(trace: &Trace, exchange: &Exchange) -> Option<usize> {
    let message = trace.messages.get(exchange.copies.first()?.message.index())?;
    let frames = message.hops().flat_map(|hop| hop.frames.to_vec());
    frames.chain(message.frame).min().map(base::FrameId::index)
}
