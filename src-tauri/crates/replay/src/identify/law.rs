//! Which timeouts an algorithm can arm at one moment, as its dither goes from end to end, and how likely it makes
//! what was seen of the timer.

use rto::Dither;

/// A time for statistics.
pub(crate) type Seconds = f64;

/// The distribution of a timeout over its dither, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Law {
    /// Not dithered.
    Point(Seconds),
    /// Uniform from the first to the second.
    Uniform(Seconds, Seconds),
    /// Bent by a limit somewhere: the timeouts at quarters of the dither.
    Bent([Seconds; 5]),
}

/// Draws at quarters of the dither.
const QUARTERS: [Dither; 5] = [Dither::NONE, Dither(1 << 30), Dither(1 << 31), Dither(3 << 30), Dither(u32::MAX)];
/// Nearer than this share, timeouts are on a straight line.
const STRAIGHT: f64 = 2e-3;
/// Below this share of it the width of a draw is rounding.
const WIDTH: f64 = 1e-6;

impl Law {
    /// The law of what `probe` arms for a draw; `shortest` is what it arms for [`Dither::NONE`].
    pub fn of(shortest: Seconds, probe: impl Fn(Dither) -> Seconds) -> Self {
        let longest = probe(Dither(u32::MAX));
        let middle = probe(Dither(1 << 31));
        let straight = (middle - f64::midpoint(shortest, longest)).abs() <= STRAIGHT * longest.max(shortest);
        if straight && longest - shortest <= WIDTH * longest {
            Self::Point(shortest)
        } else if straight {
            Self::Uniform(shortest, longest)
        } else {
            let mut at = QUARTERS.map(probe);
            at.sort_unstable_by(f64::total_cmp);
            Self::Bent(at)
        }
    }

    /// Whether there is anything to draw.
    pub fn is_drawn(&self) -> bool {
        !matches!(self, Self::Point(_))
    }

    /// The shortest timeout.
    pub fn shortest(&self) -> Seconds {
        match *self {
            Self::Point(at) | Self::Uniform(at, _) | Self::Bent([at, ..]) => at,
        }
    }

    /// The longest timeout.
    pub fn longest(&self) -> Seconds {
        match *self {
            Self::Point(at) | Self::Uniform(_, at) | Self::Bent([.., at]) => at,
        }
    }

    /// The possible timeout nearest to `gap`.
    pub fn nearest(&self, gap: Seconds) -> Seconds {
        gap.clamp(self.shortest(), self.longest())
    }

    /// The draw that gives the possible timeout nearest to `gap`.
    pub fn draw(&self, gap: Seconds) -> Dither {
        let share = |low: f64, high: f64| if high > low { ((gap - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
        match self {
            Self::Point(_) => Dither(1 << 31),
            Self::Uniform(low, high) => Dither::from_f64(share(*low, *high)),
            Self::Bent(at) => {
                let quarter = at.windows(2).position(|w| matches!(w, [_, high] if gap <= *high)).unwrap_or(3);
                let ends = at.get(quarter..quarter + 2).unwrap_or_default();
                let [low, high] = ends else { return Dither(1 << 31) };
                Dither::from_f64((quarter as f64 + share(*low, *high)) / 4.0)
            }
        }
    }

    /// The mean of `f` over the stretches of this law, each given by its ends.
    fn mean(&self, f: impl Fn(Seconds, Seconds) -> f64) -> f64 {
        match self {
            Self::Point(at) => f(*at, *at),
            Self::Uniform(low, high) => f(*low, *high),
            Self::Bent(at) => {
                at.windows(2).map(|w| if let [low, high] = w { f(*low, *high) } else { 0.0 }).sum::<f64>() / 4.0
            }
        }
    }

    /// The density of a timer seen to run out after `x`, with an error of `error`.
    pub fn density(&self, x: Seconds, error: Error) -> f64 {
        self.mean(|low, high| {
            // Nearly a point: the difference of two nearly equal numbers would be noise.
            if high - low < error.scale * 1e-3 {
                error.density(x - low)
            } else if x > f64::midpoint(low, high) {
                // From the side where both are small.
                (error.below(high - x) - error.below(low - x)) / (high - low)
            } else {
                (error.below(x - low) - error.below(x - high)) / (high - low)
            }
        })
    }

    /// The probability that a timer is seen to run out before `x`.
    pub fn below(&self, x: Seconds, error: Error) -> f64 {
        self.mean(|low, high| {
            if high - low < error.scale * 1e-3 {
                error.below(x - low)
            } else {
                (error.area(x - low) - error.area(x - high)) / (high - low)
            }
        })
    }
}

/// How far what was seen of a timer is off.
///
/// A copy leaves a little after its timer ran out: it waits for the channel, for its slot, behind other packets. Where
/// that wait is memoryless, the difference of two of them has Laplace's distribution; a part, of several times
/// the scale, stands for queues. The wait for a slot is evenly distributed: the difference of two has a triangular
/// distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Error {
    /// The scale of memoryless waits.
    pub scale: Seconds,
    /// How often they are much longer.
    pub queue: Queue,
    /// From slot to slot; 0 where copies leave at any time.
    pub slot: Seconds,
}

/// How many waits are behind a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    /// Few.
    Seldom,
    /// Nearly half of them, and long: a network at its limit, where what is seen in between is as exact as elsewhere.
    Often,
    /// Nearly half of them, behind a few others.
    Usual,
}

impl Queue {
    /// Those by which algorithms are compared: the fewer there are, the less a wrong timer can be taken for a queue.
    pub const TRIED: [Self; 2] = [Self::Seldom, Self::Often];
    /// Those that excuse an algorithm which fits best, before it is said not to fit.
    pub const ALL: [Self; 3] = [Self::Seldom, Self::Usual, Self::Often];

    /// The share of waits behind a queue, and how much longer they are.
    const fn parts(self) -> (f64, f64) {
        match self {
            Self::Seldom => (0.1, 6.0),
            Self::Usual => (0.4, 6.0),
            Self::Often => (0.4, 20.0),
        }
    }
}

/// The middles of the quarters of a triangular distribution from -1 to 1: 1 - sqrt(2/8) and 1 - sqrt(6/8), to either side.
const TRIANGLE: [f64; 4] = [-0.5, -0.133_974_6, 0.133_974_6, 0.5];
/// No scale is less than this share of the slot: the quarters would not meet.
const QUARTER: f64 = 0.125;
/// The scale of Laplace's distribution with the variance of a triangular one of half-width 1: sqrt(1/6 / 2).
const SPREAD: f64 = 0.288_675;

impl Error {
    /// Without slots.
    pub const fn new(scale: Seconds, queue: Queue) -> Self {
        Self { scale, queue, slot: 0.0 }
    }

    /// `times` as far off.
    pub fn times(self, times: f64) -> Self {
        Self { scale: self.scale * times, slot: self.slot * times, ..self }
    }

    /// The scale of one memoryless wait that is as far off.
    pub fn size(self) -> Seconds {
        self.scale.hypot(SPREAD * self.slot)
    }

    /// The mean of `f`, of a distance and a scale, at `z`.
    fn mix(self, z: Seconds, f: impl Fn(Seconds, Seconds) -> f64) -> f64 {
        let (queued, longer) = self.queue.parts();
        let waits = |z, scale: Seconds| (1.0 - queued) * f(z, scale) + queued * f(z, scale * longer);
        if self.slot > 0.0 {
            let scale = self.scale.max(QUARTER * self.slot);
            TRIANGLE.iter().map(|quarter| waits(z - quarter * self.slot, scale)).sum::<f64>() / 4.0
        } else {
            waits(z, self.scale)
        }
    }

    /// The density at `z`.
    fn density(self, z: Seconds) -> f64 {
        self.mix(z, |z, s| (-(z / s).abs()).exp() / (2.0 * s))
    }

    /// The probability of less than `z`.
    fn below(self, z: Seconds) -> f64 {
        self.mix(z, |z, s| {
            let tail = 0.5 * (-(z / s).abs()).exp();
            if z < 0.0 { tail } else { 1.0 - tail }
        })
    }

    /// The integral of [`Error::below`] up to `z`.
    fn area(self, z: Seconds) -> f64 {
        self.mix(z, |z, s| {
            let tail = 0.5 * s * (-(z / s).abs()).exp();
            if z < 0.0 { tail } else { z + tail }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERRORS: [Error; 2] =
        [Error::new(0.02, Queue::Seldom), Error { scale: 0.02, queue: Queue::Seldom, slot: 0.19 }];

    /// Sums of thin slices, against the closed forms.
    #[test]
    fn densities_integrate_to_probabilities() {
        let laws = [
            Law::Point(2.0),
            Law::Uniform(2.0, 3.0),
            Law::Uniform(2.0, 2.000_01),
            Law::Bent([0.5, 0.5, 0.5, 0.6, 0.7]),
        ];
        for (law, error) in laws.into_iter().flat_map(|law| ERRORS.map(|error| (law, error))) {
            // From far below: what blurs a timer blurs it to either side.
            let mut sum = 0.0;
            for slice in -50_000..50_000 {
                let x = f64::from(slice) * 1e-4;
                sum += law.density(x + 0.5e-4, error) * 1e-4;
                if slice % 1_000 == 999 {
                    let below = law.below(x + 1e-4, error);
                    assert!((sum - below).abs() < 2e-4, "{law:?}, {error:?} at {x}: {sum} and {below}");
                }
            }
            assert!((sum - 1.0).abs() < 1e-3, "{law:?}");
        }
    }

    #[test]
    fn a_gap_gives_its_draw_back() {
        let probe = |d: Dither| (0.4 + 0.4 * f64::from(d.0) / 4_294_967_296.0).max(0.5);
        let law = Law::of(probe(Dither::NONE), probe);
        assert!(matches!(law, Law::Bent(_)), "a floor bends it");
        for gap in [0.55, 0.65, 0.75] {
            assert!((probe(law.draw(gap)) - gap).abs() < 0.02, "{gap}: {:?}", law.draw(gap));
        }
        assert_eq!(Law::of(2.0, |_| 2.0), Law::Point(2.0));
        assert_eq!(Law::Uniform(2.0, 3.0).draw(9.0), Dither(u32::MAX));
        assert_eq!(Law::Uniform(2.0, 3.0).nearest(1.0), 2.0);
    }
}
