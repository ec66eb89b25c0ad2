//! Medium access control of the machine.

use super::NodeId;
use base::{Instant, Span};

/// Medium access control of all nodes, with its parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Mac {
    /// Time-slotted channel hopping (IEEE 802.15.4-2020 §6.2.6).
    Tsch(Tsch),
    /// Unslotted CSMA/CA (IEEE 802.15.4-2020 §6.2.5).
    Csma(Csma),
}

impl Mac {
    /// Returns the name for programs: `tsch`, `csma`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Tsch(_) => "tsch",
            Self::Csma(_) => "csma",
        }
    }

    /// Returns the number of transmissions, the first included, after which a packet is given up.
    #[must_use]
    pub const fn max_attempts(&self) -> u8 {
        match self {
            Self::Tsch(tsch) => tsch.max_attempts,
            Self::Csma(csma) => csma.max_attempts,
        }
    }
}

/// Cells of a slotframe.
#[derive(Clone, PartialEq, Debug)]
pub enum CellRule {
    /// One cell in which every node sends and listens, beacons included (RFC 8180 §4).
    Shared,
    /// One cell for broadcasts, where unicast packets have cells of their own (Orchestra, common cell).
    Common,
    /// Every node listens in the slot of its own number, and its neighbours send to it there (Orchestra, receiver-based
    /// cells).
    PerReceiver {
        /// Slot within the slotframe, by node: 0 to its length - 1.
        slots: Vec<u16>,
    },
    /// Every node sends its beacons in the slot of its own number (Orchestra, beacon cells).
    PerSender {
        /// Slot within the slotframe, by node: 0 to its length - 1.
        slots: Vec<u16>,
    },
}

/// One slotframe. The first of a schedule has the highest priority.
#[derive(Clone, PartialEq, Debug)]
pub struct Slotframe {
    /// Number of slots in a cycle.
    pub length: u16,
    /// Slot number, counted from [`Tsch::origin`], at which one of its cycles begins: 0 to `length` - 1.
    pub shift: u16,
    /// Rule by which its cells belong to nodes.
    pub rule: CellRule,
    /// Number of the channel offset by node, of the receiver or sender; one entry for all under [`CellRule::Shared`]
    /// and [`CellRule::Common`].
    pub channels: Vec<u8>,
}

/// TSCH as Contiki-NG runs it (os/net/mac/tsch).
#[derive(Clone, PartialEq, Debug)]
pub struct Tsch {
    /// Duration of a slot.
    pub slot: Span,
    /// Start of the frames of slot 0, not of the slot itself.
    pub origin: Instant,
    /// Schedule, highest priority first.
    pub slotframes: Vec<Slotframe>,
    /// Greatest number of transmissions of a frame, the first included.
    pub max_attempts: u8,
    /// Smallest back-off exponent (TSCH_MAC_MIN_BE, tsch-conf.h).
    pub min_exponent: u8,
    /// Largest back-off exponent (TSCH_MAC_MAX_BE, tsch-conf.h).
    pub max_exponent: u8,
    /// Time from the end of a frame to the start of its acknowledgement.
    pub ack_delay: Span,
    /// Air time of an acknowledgement.
    pub ack_airtime: Span,
    /// Preferred parent by node, whose queue is served first and keeps its back-off; `None` where it is not known.
    pub parents: Vec<Option<NodeId>>,
    /// Nodes towards which a node has cells, by node; used where cells belong to receivers.
    pub neighbours: Vec<Vec<NodeId>>,
}

/// Unslotted CSMA/CA as Contiki-NG runs it (os/net/mac/csma/csma-output.c).
#[derive(Clone, PartialEq, Debug)]
pub struct Csma {
    /// Unit of back-off periods.
    pub unit: Span,
    /// Resolution of the clock that ends back-off periods.
    pub tick: Span,
    /// Moment of some tick of that clock.
    pub origin: Instant,
    /// Smallest back-off exponent BE (macMinBe, IEEE Std 802.15.4-2020, 8.4.3).
    pub min_exponent: u8,
    /// Largest back-off exponent BE (macMaxBe, IEEE Std 802.15.4-2020, 8.4.3).
    pub max_exponent: u8,
    /// Greatest number of busy channel assessments in succession; one more has the consequence that
    /// [`Rules::after_busy`] says.
    pub max_backoffs: u8,
    /// Greatest number of transmissions of a frame, the first included.
    pub max_attempts: u8,
    /// Time from the end of a back-off to the channel assessment.
    pub turnaround: Span,
    /// Wait for an acknowledgement after a frame.
    pub ack_wait: Span,
    /// Time from the end of a frame to the start of its acknowledgement.
    pub ack_delay: Span,
    /// Air time of an acknowledgement.
    pub ack_airtime: Span,
    /// Part of a node that sends acknowledgements.
    pub acknowledger: Acknowledger,
    /// Rules in which stacks differ.
    pub rules: Rules,
}

/// Rules of a contention MAC in which stacks differ; each stack's are in its file (`twin/stacks`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Values that a back-off may have.
    pub window: Window,
    /// Consequence of a missing acknowledgement for the next back-off.
    pub after_miss: AfterMiss,
    /// Consequence of a channel that stays busy.
    pub after_busy: AfterBusy,
    /// Queues of a node.
    pub queues: Queueing,
    /// Wait before the next back-off of a node whose frame was acknowledged by a node that forwards it.
    pub pause: Span,
}

impl Rules {
    /// The rules of Contiki-NG (`os/net/mac/csma/csma-output.c`).
    pub const CONTIKI_NG: Self = Self {
        window: Window::Ticks,
        after_miss: AfterMiss::Restart,
        after_busy: AfterBusy::Attempt,
        queues: Queueing::PerNeighbour,
        pause: Span::ZERO,
    };
}

/// Values that a back-off may have, each equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Window {
    /// Whole ticks below 2^BE - 1 units; it ends on a tick of the clock.
    Ticks,
    /// Whole units below 2^BE, from when it begins (IEEE Std 802.15.4-2020, 6.2.5).
    Units,
    /// No wait before the first attempt of a packet that finds its queue empty; one unit before that of another one;
    /// before another attempt one unit and whole ticks below 2^BE units, where BE is the number of missing
    /// acknowledgements (Contiki 3.0, `csma.c`).
    Spread,
}

/// Consequence of a missing acknowledgement for the next back-off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterMiss {
    /// The exponent is the smallest again; a busy channel raises it.
    Restart,
    /// The exponent goes on growing with every back-off of the packet.
    Grow,
    /// The exponent is the smallest again, after a wait of whole units below 2^k, where k grows by one with every
    /// missing acknowledgement of the packet, from 0 to `max_exponent`.
    Delay {
        /// Largest value of the exponent k.
        max_exponent: u8,
    },
}

/// Consequence of a channel that is busy more often in succession than [`Csma::max_backoffs`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterBusy {
    /// The busy channel counts as a failed transmission.
    Attempt,
    /// The packet is dropped.
    Drop,
    /// The packet is tried until the channel is clear.
    Forever,
}

/// Queues of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Queueing {
    /// One queue for every neighbour and one for broadcasts, each with a back-off of its own.
    PerNeighbour,
    /// One queue for all packets.
    One,
}

/// Part of a node that acknowledges frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acknowledger {
    /// The radio, whatever the channel, and frames for others never reach the processor (IEEE Std 802.15.4-2020,
    /// 6.6.3.2).
    Radio,
    /// The processor, which assesses the channel first, and takes any frame that it hears while it waits for an
    /// acknowledgement for a collision (`csma.c` with `CSMA_SEND_SOFT_ACK`, and `cooja-radio.c`, which has no address
    /// filter).
    Processor,
}
