//! Gates of trust in a network twin: groups of checks against its own capture, counted, and whether each lets the twin
//! pass.

use crate::stats::Interval;
use std::fmt;
use twin::{NodeId, Pattern};

/// Verdict on one measure or share of a network twin on its own capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// The recorded value is inside the twin's 90 % interval.
    Inside,
    /// The recorded value is outside the interval, and near enough to pass (`replay/src/trust/judge.rs`).
    Near,
    /// The recorded value is farther outside.
    Outside,
}

/// Kind of a group of checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GateKind {
    /// Metrics of exchanges, with the recorded timer over the twin.
    SelfReplay,
    /// Answers and frames, with the recorded copies sent again when they were recorded.
    OpenLoop,
    /// Patterns of acknowledged and missed attempts of packets on each link.
    Patterns,
    /// Number of senders in one cell, or of frames on the air when one starts.
    Senders,
    /// Share of packets that each node passes on, of those that it got to pass on.
    Forwarding,
    /// Second half of the capture, predicted by a machine that is inferred from the first half; closes nothing.
    Halves,
}

impl GateKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::SelfReplay, Self::OpenLoop, Self::Patterns, Self::Senders, Self::Forwarding, Self::Halves];

    /// Name in JSON and in tables; it never changes.
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

    /// Name for people, in a sentence.
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

    /// Name for people of the observations that the gate places; empty where it compares no shares.
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

/// Subject of a share: the observations that it counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// Packets with this pattern, of those on the link from a node to another.
    Pattern {
        /// Sender of the packets.
        from: NodeId,
        /// Addressee of the packets.
        to: NodeId,
        /// Pattern of attempts; `None`: all patterns that are not shown by themselves.
        pattern: Option<Pattern>,
    },
    /// Cells with this number of senders, or starts of frames with this number on the air; the greatest number stands
    /// for more as well.
    Senders(u8),
    /// Packets that the node sent on, of those that it got to pass on.
    Forwarding(NodeId),
}

/// A share, recorded and as the twin shows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// Subject of the share.
    pub subject: Subject,
    /// Number of recorded observations that it is a share of.
    pub observations: u64,
    /// Recorded share, 0 to 1; of packets passed on it is 1 also where some were sent on twice.
    pub recorded: f64,
    /// Mean share over replicates of the twin, 0 to 1.
    pub mean: f64,
    /// 90 % interval over replicates of the twin.
    pub ninety: Interval,
    /// Verdict on the recorded share.
    pub agreement: Agreement,
}

/// Observations that the twin places elsewhere: total variation distance between recorded and predicted shares, over
/// all links or nodes by their weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Misplaced {
    /// Total variation distance of the recorded observations, as a share of them, 0 to 1.
    pub share: f64,
    /// Mean over replicates of the distance of each from the others, as a share, 0 to 1: misplaced by chance alone.
    pub by_chance: f64,
    /// Largest distance of any replicate from the others, as a share, 0 to 1.
    pub most_by_chance: f64,
}

/// Gate: a group of checks, counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gate {
    /// Kind of the gate.
    pub kind: GateKind,
    /// Number of checks inside the twin's 90 % interval.
    pub inside: usize,
    /// Number of all checks.
    pub many: usize,
    /// Number of checks inside that a right twin has on average.
    pub expected: f64,
    /// Observations placed elsewhere; `None` where no shares are compared.
    pub misplaced: Option<Misplaced>,
    /// Whether this gate keeps the automatic choice from the twin.
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
