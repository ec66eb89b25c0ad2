//! The delay gradient of CoCoA++: how fast the shortest round trip of a window rises, and how likely
//! that makes a growing timeout. The idea is CAIA Delay-Gradient's (Linux, tcp_cdg.c).

use crate::Dither;
use crate::Ratio;
use crate::arithmetic::Quotient;
use crate::params::choice;
use base::Span;

/// Samples of a window. The fifth closes it and is itself not used (Contiki forks with CoCoA++).
pub(crate) const WINDOW: u8 = 5;
/// Nanoseconds per tick of the Contiki code, 1/128 s.
const TICK: i64 = 1_000_000_000 / 128;

choice! {
    /// The rule by which the probability of growing follows from the round trip times.
    pub(crate) enum Rule {
        /// The last window's minimum over the number of windows, in a table of six steps.
        Code = "code",
        /// 1 − exp(−g/G) for a rise g of the minimum.
        Rise = "rise",
    }
}

/// Windows of round trip times towards one destination.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gradient {
    /// Number of samples in the open window.
    filled: u8,
    /// All samples; the code's counter has eight bits.
    samples: u8,
    /// Number of windows closed.
    pub windows: u32,
    /// The shortest round trip of the open window.
    open: Option<Span>,
    /// The shortest round trips of the last two closed windows, the latest last.
    closed: [Option<Span>; 2],
}

impl Gradient {
    /// Takes the round trip time of one exchange.
    pub fn take(&mut self, r: Span) {
        self.samples = self.samples.wrapping_add(1);
        self.filled += 1;
        if self.filled < WINDOW {
            self.open = Some(self.open.map_or(r, |min| min.min(r)));
        } else {
            self.closed = [self.closed[1], self.open.take()];
            self.windows = self.windows.saturating_add(1);
            self.filled = 0;
        }
    }

    /// Returns the probability that the next back-off grows; `scale` is the rise G, in code the divisor of the minimum.
    pub fn probability(&self, rule: Rule, scale: Span) -> Quotient {
        match (rule, self.closed) {
            (Rule::Code, [_, latest]) => {
                let ticks = |span: Span| span.nanos() / TICK;
                // The sum of the minima's differences is the latest minimum; a divisor of zero gives nothing.
                let windows = (i64::from(self.samples) + 1) / i64::from(WINDOW);
                let average = latest.map_or(0, ticks).checked_div(windows).unwrap_or(0);
                table(average / ticks(scale).max(1))
            }
            (Rule::Rise, [Some(before), Some(latest)]) => cdg(latest - before, scale),
            (Rule::Rise, _) => Quotient::ZERO,
        }
    }

    /// Returns whether a back-off with the draw `dither` grows. The code's draw is a whole per cent.
    pub fn grows(&self, rule: Rule, scale: Span, dither: Dither) -> bool {
        let (n, d) = dither.ratio();
        let draw = match rule {
            Rule::Code => Quotient::from_ratio(Ratio::new(1, 100)).by_count(n * 100 / d),
            Rule::Rise => Quotient::of(Span::from_nanos(n), Span::from_nanos(d)),
        };
        self.probability(rule, scale) > draw
    }
}

/// (E − 1)·100/E per cent in whole per cents, where E is e^i rounded down: 1, 2, 7, 20, 54, 148, … (Contiki forks with
/// CoCoA++).
fn table(i: i64) -> Quotient {
    let percent = match i {
        ..=0 => 0,
        1 => 50,
        2 => 85,
        3 => 95,
        4 => 98,
        _ => 99,
    };
    Quotient::from_ratio(Ratio::new(1, 100)).by_count(percent)
}

/// Returns 1 − exp(−g/G) for a gradient g > 0, else 0 (CAIA Delay-Gradient, Linux tcp_cdg.c).
pub(crate) fn cdg(gradient: Span, scale: Span) -> Quotient {
    if gradient <= Span::ZERO {
        return Quotient::ZERO;
    }
    Quotient::from_f64(1.0 - exp_neg(gradient.secs_f64() / scale.secs_f64()))
}

/// exp(−x) for x ≥ 0 from additions and multiplications only, which give the same bits on every
/// machine, as a library's `exp` need not.
fn exp_neg(x: f64) -> f64 {
    if x > 40.0 {
        return 0.0; // Below a part per billion of anything.
    }
    // Taylor's series of x/64 ≤ 0.625, squared six times.
    let y = x / 64.0;
    let (mut term, mut sum) = (1.0, 1.0);
    for n in 1..16 {
        term *= -y / f64::from(n);
        sum += term;
    }
    (0..6).fold(sum, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 − exp(−g/3) for 1, 3 and 10, to six digits.
    #[test]
    fn the_probability_is_the_delay_gradients() {
        let p = |g| cdg(Span::from_secs(g), Span::from_secs(3)).seconds().secs_f64();
        for (gradient, expected) in [(-1, 0.0), (0, 0.0), (1, 0.283469), (3, 0.632121), (10, 0.964326)] {
            assert!((p(gradient) - expected).abs() < 1e-6, "{gradient}: {}", p(gradient));
        }
        assert!((p(1_000_000) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_sum_telescopes_and_the_divisor_runs_ahead() {
        let mut gradient = Gradient::default();
        let p = |g: &Gradient| g.probability(Rule::Code, Span::from_nanos(2_343_750_000)).seconds();
        for _ in 0..5 {
            gradient.take(Span::from_millis(2_400));
        }
        // 307 ticks over one window, over 300: one step.
        assert_eq!((gradient.windows, p(&gradient)), (1, Span::from_millis(500)));
        for _ in 0..4 {
            gradient.take(Span::from_secs(7));
        }
        // Nine samples already count as two windows.
        assert_eq!((gradient.windows, p(&gradient)), (1, Span::ZERO));
    }
}
