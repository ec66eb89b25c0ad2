//! The machine as plain data: nodes, MAC, links, routes, traffic and limits. No algorithms.

mod evidence;
mod frame;
mod mac;
mod matrix;
mod mechanism;
mod parameter;
mod preset;
mod routes;
mod stack;
mod traffic;
mod withdrawal;

pub use evidence::{Choice, Evidence};
pub use frame::{DropReason, Load, SimulatedDrop, SimulatedFrame};
pub use mac::{Acknowledger, AfterBusy, AfterMiss, CellRule, Csma, Mac, Queueing, Rules, Slotframe, Tsch, Window};
pub use matrix::Matrix;
pub use mechanism::Mechanism;
pub use parameter::{Known, Parameter};
pub use preset::Preset;
pub use routes::{Outage, Routes};
pub use stack::{Constant, Stack, StackCsma, StackFinding, StackKnown, StackLimits, StackTsch};
pub use traffic::{Background, Ends, Shape};
pub use withdrawal::{NodeWithdrawals, Withdrawals};

use base::{Instant, Span};
use trace::MacAddr;

/// Number of a node: its position in [`Machine::nodes`].
pub type NodeId = u16;

/// Queues and buffers of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// Most packets in all queues of a node together.
    pub packets: Choice,
    /// Most packets in the queue of one neighbour, at most those of [`Limits::packets`] less one.
    pub per_neighbour: Choice,
    /// Most neighbours with a queue at the same time, broadcast included (CSMA only).
    pub neighbours: Choice,
    /// Most datagrams that a node reassembles at the same time; simulations use the median of the choice.
    pub reassemblies: Choice,
    /// Age after which an incomplete datagram is dropped.
    pub reassembly_age: Span,
}

/// Everything that a simulation needs to know of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// Link-layer addresses of the nodes, in ascending order; positions are [`NodeId`]s.
    pub nodes: Vec<MacAddr>,
    /// Medium access control: TSCH or CSMA/CA, with its parameters.
    pub mac: Mac,
    /// Stack whose constants stand for what the capture does not show.
    pub stack: StackFinding,
    /// Probability that a clean frame from a node (row) is received at another (column).
    pub reception: Matrix<Evidence>,
    /// Probability that a frame from a node (row) spoils one that another node (column) receives at the same time.
    pub disturbance: Matrix<Evidence>,
    /// Probability that a node (column) senses a frame from another (row) (CSMA only).
    pub sensing: Matrix<Evidence>,
    /// Next hops, and times without one.
    pub routes: Routes,
    /// Times in which nodes send no requests of their own.
    pub withdrawals: Withdrawals,
    /// Client and server of every association of the trace, in the order of `Trace::associations`; `None` where their
    /// nodes are not known.
    pub ends: Vec<Option<Ends>>,
    /// Frame lengths of requests and answers, one entry per kind of exchange.
    pub shapes: Vec<Shape>,
    /// Position in `shapes`, per exchange of the trace in its order.
    pub shape_of: Vec<u32>,
    /// Traffic beside the exchanges, in order of time.
    pub background: Vec<Background>,
    /// Limits of queues and buffers, alike at all nodes.
    pub limits: Limits,
    /// Shortest time from a request's arrival at a server to the start of its answer.
    pub processing: Span,
    /// Usual wait of a packet for the medium: one cycle of the schedule, or the turnaround and half of the first
    /// back-off window.
    pub access: Span,
    /// Number of frames in the capture, acknowledgements not counted.
    pub frames: u64,
    /// First and last moment of the capture.
    pub window: (Instant, Instant),
    /// The parameters for people, with how each is known.
    pub parameters: Vec<Parameter>,
}

impl Machine {
    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the same machine for a record that has only the associations at these positions, in this order.
    #[must_use]
    pub fn among(&self, associations: &[u32]) -> Self {
        let ends = associations.iter().map(|&at| self.ends.get(at as usize).copied().flatten()).collect();
        Self { ends, ..self.clone() }
    }

    /// Returns whether it has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
