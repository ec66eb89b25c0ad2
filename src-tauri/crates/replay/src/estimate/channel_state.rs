//! Model of the channel state: losses and delays of one path as a two-state Markov chain in continuous time.
//!
//! In the good state few copies are lost, in the bad one many (Gilbert, BSTJ 39, 1960; Elliott, BSTJ 42, 1963). The
//! chain runs in *time*, not from packet to packet as in those papers, because copies are sent at irregular moments
//! and another timer would send at others: after a lag t it has forgotten all but exp(−t/τ) of its state.
//!
//! * [`GilbertElliott`]: the four parameters and what follows from them.
//! * [`fit`]: found by expectation–maximisation from several starts, finished by Newton steps; standard errors from the
//!   curvature there.
//! * [`ChannelStates`]: fits for all paths of a trace.
//! * [`Residuals`]: whether the fit can be believed; it can say that one state is enough, or that two do not fit.
//!
//! When a copy is sent depends on what became of those before it (a retransmission follows a loss), but, given these,
//! not on the state: such times tell nothing more of it, so the likelihood of the losses given the times is the right
//! one (Rubin 1976 calls that ignorable).

mod check;
mod curvature;
mod expect;
mod fit;
mod forward;
mod paths;
mod posterior;

pub use check::Residuals;
pub use fit::{Fit, Verdict};
pub(crate) use forward::Filter;
pub use paths::{ChannelStates, PathChannelState, Scope};

use super::observation::{CLASSES, Emission};
use base::Span;

/// Likelihood ratio of each class of round trips in the state (0: good, 1: bad) to that over both, classes from the
/// shortest. Long ones point to the bad state where the same thing delays and loses copies; where all are 1, delays
/// tell nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delay(pub [[f64; CLASSES]; 2]);

impl Delay {
    /// Round trips that are independent of the state.
    pub const NOTHING: Self = Self([[1.0; CLASSES]; 2]);
}

/// Two-state channel of a path (Gilbert–Elliott in continuous time).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GilbertElliott {
    /// Share of time in the bad state, 0 to 1.
    pub bad: f64,
    /// Coherence time τ, seconds: the state's correlation falls to 1/e in it. Sojourns in the good state last
    /// τ / `bad` on average, in the bad state τ / (1 − `bad`).
    pub coherence: f64,
    /// Probability that a copy sent in the good state is lost, 0 to 1.
    pub loss_good: f64,
    /// Probability that a copy sent in the bad state is lost, 0 to 1; no smaller than `loss_good`.
    pub loss_bad: f64,
    /// Dependence of round trips on the state.
    pub delay: Delay,
}

impl GilbertElliott {
    /// Model without states: every copy is lost independently with probability `loss`, 0 to 1.
    #[must_use]
    pub const fn independent(loss: f64) -> Self {
        Self { bad: 0.0, coherence: 1.0, loss_good: loss, loss_bad: loss, delay: Delay::NOTHING }
    }

    /// Share of copies lost, 0 to 1, when sending times are independent of the state.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.bad * self.loss_bad + (1.0 - self.bad) * self.loss_good
    }

    /// Mean sojourns in the good and in the bad state, in this order, seconds; infinite where there is no other state.
    #[must_use]
    pub fn sojourns(&self) -> (f64, f64) {
        (self.coherence / self.bad, self.coherence / (1.0 - self.bad))
    }

    /// Correlation of the losses of two copies sent `lag` apart, 0 to 1; 0 without a second state.
    #[must_use]
    pub fn correlation(&self, lag: Span) -> f64 {
        let p = self.loss();
        let between = self.bad * (1.0 - self.bad) * (self.loss_bad - self.loss_good).powi(2);
        if between <= 0.0 { 0.0 } else { between / (p * (1.0 - p)) * (-lag.abs().secs_f64() / self.coherence).exp() }
    }

    /// Probability of a loss in a state, 0 to 1; `true`: bad.
    #[must_use]
    pub const fn loss_in(&self, bad: bool) -> f64 {
        if bad { self.loss_bad } else { self.loss_good }
    }

    /// Probability of `met` in a state (`true`: bad), up to a factor that both states share.
    pub(crate) fn chance(&self, bad: bool, met: Emission) -> f64 {
        match met {
            Emission::Lost => self.loss_in(bad),
            Emission::Answered(class) => (1.0 - self.loss_in(bad)) * self.delay.0[usize::from(bad)][usize::from(class)],
        }
    }

    /// Share of time in a state, 0 to 1; `true`: bad.
    pub(crate) fn share(&self, bad: bool) -> f64 {
        if bad { self.bad } else { 1.0 - self.bad }
    }

    /// Probability to be in state `to`, `seconds` after having been in state `from`; `true`: bad.
    pub(crate) fn transition(&self, from: bool, to: bool, seconds: f64) -> f64 {
        self.moved(from, to, self.correlation_after(seconds))
    }

    /// Correlation of states `seconds` apart, `exp(-seconds / τ)`, 0 to 1.
    pub(crate) fn correlation_after(&self, seconds: f64) -> f64 {
        (-seconds / self.coherence).exp()
    }

    /// Probability to be in state `to` after state `from`, over a time that leaves `correlation` of states
    /// ([`GilbertElliott::transition`]).
    pub(crate) fn moved(&self, from: bool, to: bool, correlation: f64) -> f64 {
        let share = self.share(to);
        share + (f64::from(u8::from(from == to)) - share) * correlation
    }
}
