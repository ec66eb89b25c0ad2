//! Gates of trust in a network twin: groups of checks against its own capture, counted, and whether each lets the twin pass.

use crate::stats::Interval;
use std::fmt;
use twin::{NodeId, Pattern};

/// Verdict on one measure or share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// The recorded value is inside the twin's 90 % interval.
    Inside,
    /// It is outside, and near.
    Near,
    /// It is outside.
    Outside,
}

/// A group of checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GateKind {
    /// The recorded timer over the twin.
    SelfReplay,
    /// The recorded copies sent again.
    OpenLoop,
    /// Attempts of packets on each link.
    Patterns,
    /// Senders at once.
    Senders,
    /// Packets that nodes pass on.
    Forwarding,
    /// The second half of the capture, by what the first half shows.
    Halves,
}

impl GateKind {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::SelfReplay, Self::OpenLoop, Self::Patterns, Self::Senders, Self::Forwarding, Self::Halves];

    /// Its name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SelfReplay => "self_replay",
            Self::OpenLoop => "open_loop",
            Self::Patterns => "patterns",
            Self::Senders => "senders",
            Self::Forwarding => "forwarding",
            Self::Halves => "halves",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::SelfReplay => "self-replay",
            Self::OpenLoop => "open loop",
            Self::Patterns => "attempt patterns",
            Self::Senders => "senders at once",
            Self::Forwarding => "forwarding",
            Self::Halves => "halves",
        }
    }

    /// The observations that it places, for people, where there are such.
    #[must_use]
    pub const fn observations(self) -> &'static str {
        match self {
            Self::Patterns => "packets",
            Self::Senders => "cells or starts",
            Self::Forwarding => "packets to pass on",
            Self::SelfReplay | Self::OpenLoop | Self::Halves => "",
        }
    }
}

/// Subject of a share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// Packets with this pattern, of those on the link from a node to another; `None`: all patterns that are not shown by themselves.
    Pattern {
        /// Sender.
        from: NodeId,
        /// Addressee.
        to: NodeId,
        /// Pattern.
        pattern: Option<Pattern>,
    },
    /// Cells with so many senders, or starts of frames with so many on the air; the last stands for more as well.
    Senders(u8),
    /// Packets that the node sent on, of those that it got to pass on.
    Forwarding(NodeId),
}

/// A share, recorded and as the twin shows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// Subject.
    pub subject: Subject,
    /// Recorded observations that it is a share of.
    pub observations: u64,
    /// Recorded share, 0 to 1; of packets passed on it may exceed 1 where some were sent on twice.
    pub recorded: f64,
    /// Mean of the twin.
    pub mean: f64,
    /// 90 % interval of the twin.
    pub ninety: Interval,
    /// Verdict.
    pub agreement: Agreement,
}

/// Observations that the twin places elsewhere: total variation distance between recorded and predicted shares, over all links or nodes by
/// their weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Misplaced {
    /// Share of the recorded observations, 0 to 1.
    pub share: f64,
    /// The same for a replicate against the others, on average: what luck alone misplaces.
    pub by_chance: f64,
    /// The largest of any replicate.
    pub most_by_chance: f64,
}

/// A group of checks, counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gate {
    /// Kind of the gate.
    pub kind: GateKind,
    /// Checks inside the twin's 90 % interval.
    pub inside: usize,
    /// All checks.
    pub many: usize,
    /// Checks inside that a right twin has on average.
    pub expected: f64,
    /// Observations placed elsewhere, where shares are compared.
    pub misplaced: Option<Misplaced>,
    /// The twin is not used because of it.
    pub is_closed: bool,
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} of {} inside 90 %, {:.1} expected",
            self.kind.label(),
            self.inside,
            self.many,
            self.expected
        )?;
        if let Some(Misplaced { share, by_chance, .. }) = self.misplaced {
            let observations = self.kind.observations();
            write!(f, "; {:.1} % of {observations} elsewhere, {:.1} % by chance", share * 100.0, by_chance * 100.0)?;
        }
        Ok(())
    }
}
