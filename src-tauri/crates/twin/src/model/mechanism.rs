//! Mechanisms that can be switched off, to see what each of them does.

/// A mechanism of the network. All of them are simulated unless a person asks what becomes of the answer without one
/// ([`crate::Simulation::without`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mechanism {
    /// Queues and buffers have limits. Without: there is room for everything.
    Limits,
    /// Frames on the air at the same time spoil each other where both are heard, acknowledgements included. Without: a
    /// node receives as if its neighbours were alone; while it sends it still receives nothing.
    Collisions,
    /// A clean frame is lost now and then. Without: links that work at all never lose one.
    Losses,
    /// A frame without an acknowledgement is sent again. Without: every frame has one attempt.
    Retries,
    /// The back-off of a queue outlasts the packet that was given up (TSCH). Without: the next packet begins with the
    /// shortest.
    KeptBackoff,
    /// Frames in the air wake the processor, whose turnarounds count wake-ups (CSMA/CA on Cooja motes), and one that it
    /// cannot read takes the place of one that waits to be read. Without: turnarounds take their time.
    WakeUps,
    /// A server answers every copy of a request. Without: the first that arrives.
    RepeatedAnswers,
}

impl Mechanism {
    /// All mechanisms, in the order of their declaration.
    pub const ALL: [Self; 7] = [
        Self::Limits,
        Self::Collisions,
        Self::Losses,
        Self::Retries,
        Self::KeptBackoff,
        Self::WakeUps,
        Self::RepeatedAnswers,
    ];
}
