//! The error with which a capture shows a timer: a mixture of Laplace distributions, smeared over the slots of a
//! schedule.

/// A duration for statistics, in seconds.
pub(crate) type Seconds = f64;

/// Distribution of (seen gap − timeout).
///
/// A copy leaves a little after its timer ran out: it waits for the channel, for its slot, behind other packets. If
/// that wait is exponential, the difference of two waits has a Laplace distribution. A second Laplace component with
/// several times the scale stands for queues. The wait for a slot is uniform: the difference of two is triangular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimingError {
    /// Scale of the Laplace component without a queue, seconds.
    pub scale: Seconds,
    /// Weight and relative scale of the component behind a queue.
    pub queueing: Queueing,
    /// Distance between slots, seconds; 0 where copies leave at any time.
    pub slot: Seconds,
}

/// Second component of the mixture: the share of waits behind a queue, and how many times longer they are.
///
/// Chosen here: a component of 10 % and 6 times the scale stands for an idle network, 40 % for a loaded one, 20 times
/// for one at its limit. Repeat with `cargo test --release -p replay --test identify_runs -- --nocapture`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queueing {
    /// Few waits are behind a queue: 10 %, 6 times the scale.
    Rare,
    /// Nearly half of the waits are behind a short queue: 40 %, 6 times the scale.
    Frequent,
    /// Nearly half of the waits are behind a long queue (40 %, 20 times the scale); the others are as exact as
    /// elsewhere.
    FrequentAndLong,
}

impl Queueing {
    /// Values by which algorithms are compared. The fewer there are, the less a wrong timer passes for a queue.
    pub const COMPARED: [Self; 2] = [Self::Rare, Self::FrequentAndLong];
    /// Values granted to the likeliest algorithm before it is said not to fit.
    pub const ALL: [Self; 3] = [Self::Rare, Self::Frequent, Self::FrequentAndLong];

    /// The share of waits behind a queue, and the factor on their scale.
    const fn share_and_factor(self) -> (f64, f64) {
        match self {
            Self::Rare => (0.1, 6.0),
            Self::Frequent => (0.4, 6.0),
            Self::FrequentAndLong => (0.4, 20.0),
        }
    }
}

/// Medians of the quarters of the triangular distribution on [−1, 1]: ±(1 − √(2/8)) and ±(1 − √(6/8)), the inverse of
/// its distribution function at 1/8, 3/8, 5/8 and 7/8.
const TRIANGLE: [f64; 4] = [-0.5, -0.133_974_6, 0.133_974_6, 0.5];
/// Least scale as a share of the slot. Chosen here by judgement: with less, the density would have a peak at each of
/// the four points of [`TRIANGLE`].
const LEAST_SCALE: f64 = 0.125;
/// Scale of the Laplace distribution (variance 2b²) that has the variance 1/6 of the triangular one on [−1, 1]:
/// √(1/12).
const TRIANGLE_SCALE: f64 = 0.288_675;

impl TimingError {
    /// Error of copies that leave at any time, with this scale in seconds.
    pub const fn new(scale: Seconds, queueing: Queueing) -> Self {
        Self { scale, queueing, slot: 0.0 }
    }

    /// Returns the error multiplied by `factor`.
    pub fn scaled(self, factor: f64) -> Self {
        Self { scale: self.scale * factor, slot: self.slot * factor, ..self }
    }

    /// Scale, in seconds, of the Laplace distribution with the variance of the waits without a queue, slots included.
    pub fn equivalent_scale(self) -> Seconds {
        self.scale.hypot(TRIANGLE_SCALE * self.slot)
    }

    /// The mixture at `z` of `f`, which takes a distance and a scale.
    fn mixture(self, z: Seconds, f: impl Fn(Seconds, Seconds) -> f64) -> f64 {
        let (share, factor) = self.queueing.share_and_factor();
        let waits = |z, scale: Seconds| (1.0 - share) * f(z, scale) + share * f(z, scale * factor);
        if self.slot > 0.0 {
            let scale = self.scale.max(LEAST_SCALE * self.slot);
            TRIANGLE.iter().map(|quarter| waits(z - quarter * self.slot, scale)).sum::<f64>() / 4.0
        } else {
            waits(z, self.scale)
        }
    }

    /// Probability density at `z` seconds, per second.
    pub fn density(self, z: Seconds) -> f64 {
        self.mixture(z, |z, s| (-(z / s).abs()).exp() / (2.0 * s))
    }

    /// Distribution function at `z` seconds, 0 to 1.
    pub fn cdf(self, z: Seconds) -> f64 {
        self.mixture(z, |z, s| {
            let tail = 0.5 * (-(z / s).abs()).exp();
            if z < 0.0 { tail } else { 1.0 - tail }
        })
    }

    /// Integral of the distribution function from −∞ to `z`, in seconds.
    pub fn cdf_integral(self, z: Seconds) -> f64 {
        self.mixture(z, |z, s| {
            let tail = 0.5 * s * (-(z / s).abs()).exp();
            if z < 0.0 { tail } else { z + tail }
        })
    }
}
