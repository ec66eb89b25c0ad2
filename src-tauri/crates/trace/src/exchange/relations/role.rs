//! Roles of exchanges in their relations.

use super::Relations;
use base::ExchangeId;

/// A role of an exchange in one of its relations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExchangeRole {
    /// Carries a block of [`Relations::transfers`], by position.
    Block(u32),
    /// Registered one of [`Relations::observations`], by position.
    Registration(u32),
    /// Confirmable notification of one of [`Relations::observations`], by position.
    Notification(u32),
    /// Sent on by a proxy or NAT; the first in one of [`Relations::sides`], by position.
    Before(u32),
    /// Sent by a proxy or NAT for another; the second in one of [`Relations::sides`], by position.
    Behind(u32),
    /// Began with those of other clients, in one of [`Relations::events`], by position.
    Event(u32),
}

/// Roles of all exchanges of a capture, sorted for lookup: make it once where many exchanges are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExchangeRoles(Vec<(ExchangeId, ExchangeRole)>);

impl ExchangeRoles {
    /// Returns the roles of `exchange`, each once.
    pub fn of(&self, exchange: ExchangeId) -> impl Iterator<Item = ExchangeRole> + use<'_> {
        let from = self.0.partition_point(|&(id, _)| id < exchange);
        self.0.iter().skip(from).take_while(move |&&(id, _)| id == exchange).map(|&(_, role)| role)
    }
}

impl Relations {
    /// Returns the roles of all exchanges.
    #[must_use]
    pub fn roles(&self) -> ExchangeRoles {
        let mut all: Vec<(ExchangeId, ExchangeRole)> = Vec::new();
        for (transfer, at) in self.transfers.iter().zip(0..) {
            all.extend(transfer.blocks.iter().map(|block| (block.exchange, ExchangeRole::Block(at))));
        }
        for (observation, at) in self.observations.iter().zip(0..) {
            all.push((observation.registration, ExchangeRole::Registration(at)));
            let notified = observation.notifications.iter().filter_map(|n| n.exchange);
            all.extend(notified.map(|exchange| (exchange, ExchangeRole::Notification(at))));
        }
        for (&(before, behind), at) in self.sides.iter().zip(0..) {
            all.extend([(before, ExchangeRole::Before(at)), (behind, ExchangeRole::Behind(at))]);
        }
        for (event, at) in self.events.iter().zip(0..) {
            all.extend(event.exchanges.iter().map(|&exchange| (exchange, ExchangeRole::Event(at))));
        }
        all.sort_unstable();
        // A block that came twice.
        all.dedup();
        ExchangeRoles(all)
    }

    /// Returns all exchanges of the relation that `role` is a part of, in order of start, each once; empty where its
    /// position is out of range.
    #[must_use]
    pub fn members(&self, role: ExchangeRole) -> Vec<ExchangeId> {
        let mut ids: Vec<ExchangeId> = match role {
            ExchangeRole::Block(at) => {
                self.transfers.get(at as usize).into_iter().flat_map(|t| &t.blocks).map(|b| b.exchange).collect()
            }
            ExchangeRole::Registration(at) | ExchangeRole::Notification(at) => {
                let one = self.observations.get(at as usize);
                let notified = one.into_iter().flat_map(|o| &o.notifications).filter_map(|n| n.exchange);
                one.map(|o| o.registration).into_iter().chain(notified).collect()
            }
            ExchangeRole::Before(at) | ExchangeRole::Behind(at) => {
                self.sides.get(at as usize).into_iter().flat_map(|&(before, behind)| [before, behind]).collect()
            }
            ExchangeRole::Event(at) => self.events.get(at as usize).map(|e| e.exchanges.clone()).unwrap_or_default(),
        };
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Token;
    use crate::exchange::relations::{Burst, Observation};
    use crate::exchange::relations::{Direction, Notification, Transfer, TransferBlock};
    use base::{AssociationId, Instant, MessageId};

    fn ids(numbers: &[u32]) -> Vec<ExchangeId> {
        numbers.iter().map(|&n| ExchangeId(n)).collect()
    }

    #[test]
    fn each_exchange_has_its_roles_and_their_members() {
        let block = |exchange, number| TransferBlock {
            exchange: ExchangeId(exchange),
            number,
            offset: 16 * number,
            octets: 16,
            more: true,
        };
        let notification = |exchange: Option<u32>| Notification {
            message: MessageId(0),
            exchange: exchange.map(ExchangeId),
            sequence: 0,
        };
        let relations = Relations {
            transfers: vec![Transfer {
                association: AssociationId(0),
                direction: Direction::Up,
                quick: false,
                // The second was sent in two exchanges, the last one twice in one.
                blocks: vec![block(1, 0), block(2, 1), block(4, 1), block(5, 2), block(5, 2)],
            }],
            observations: vec![Observation {
                registration: ExchangeId(3),
                token: Token::EMPTY,
                notifications: vec![notification(Some(7)), notification(None)],
                cancelled: None,
            }],
            sides: vec![(ExchangeId(5), ExchangeId(6))],
            events: vec![Burst { at: Instant::ZERO, exchanges: ids(&[3, 6]) }],
        };
        let roles = relations.roles();
        let of = |id| roles.of(ExchangeId(id)).collect::<Vec<_>>();
        assert_eq!(of(0), []);
        assert_eq!(of(3), [ExchangeRole::Registration(0), ExchangeRole::Event(0)]);
        assert_eq!(of(5), [ExchangeRole::Block(0), ExchangeRole::Before(0)]);
        assert_eq!(of(6), [ExchangeRole::Behind(0), ExchangeRole::Event(0)]);
        assert_eq!(of(7), [ExchangeRole::Notification(0)]);
        assert_eq!(relations.members(ExchangeRole::Block(0)), ids(&[1, 2, 4, 5]));
        assert_eq!(relations.members(ExchangeRole::Notification(0)), ids(&[3, 7]));
        assert_eq!(relations.members(ExchangeRole::Behind(0)), ids(&[5, 6]));
        assert_eq!(relations.members(ExchangeRole::Event(0)), ids(&[3, 6]));
        assert_eq!(relations.members(ExchangeRole::Event(1)), ids(&[]));
    }
}
