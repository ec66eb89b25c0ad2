//! Fit of a two-state channel to fates, by expectation–maximisation and Newton steps.

use super::curvature::{Bounds, climb, errors, point, to_model};
use super::expect::expect;
use super::forward::log_likelihood;
use super::{Delay, GilbertElliott, Residuals};
use crate::estimate::observation::CLASSES;
use crate::estimate::observation::Observed;
use base::{Cancelled, SharedProgress};

/// Verdict of a fit on the number of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Too few copies, or too few lost or answered among them, to tell one state from two.
    TooFew,
    /// Losses are not autocorrelated: one state describes them as well.
    OneState,
    /// Two states, and nothing speaks against them.
    TwoStates,
    /// The forecasts of the most likely model contradict it.
    DoesNotFit,
}

/// A fitted two-state channel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// The most likely parameters; [`GilbertElliott::independent`] unless two states are called for.
    pub model: GilbertElliott,
    /// Standard errors of `bad`, `coherence` (seconds), `loss_good`, `loss_bad`; `None` where the likelihood has no top
    /// inside the range that the copies could show, or the parameter has no meaning with one state.
    pub errors: [Option<f64>; 4],
    /// Verdict on the fit.
    pub verdict: Verdict,
    /// Tests of the model's forecasts against what the copies met.
    pub residuals: Residuals,
    /// Number of copies with a known fate.
    pub copies: u64,
    /// Number of lost copies among `copies`.
    pub lost: u64,
    /// Log-likelihood of two states less that of one, in nats; 0 where too few copies were there to look for two.
    pub gain: f64,
    /// Likeliest two states, claimed or not, from which posterior draws start; `None` where none were looked for or
    /// found.
    pub(crate) two: Option<GilbertElliott>,
}

/// Least number of copies, and of lost and of answered ones each, with which a second state is looked for: four
/// parameters want a multiple of ten events (Peduzzi et al., J. Clin. Epidemiol. 49, 1996).
const ENOUGH: (u64, u64) = (100, 20);
/// Parameters of two states beyond those of one: three, and the classes of round trips of one state.
const MORE: f64 = 3.0 + (CLASSES - 1) as f64;
/// Number of expectation–maximisation steps from each start, before Newton steps from the best. Chosen here by
/// judgement: no experiment decides it. The steps only rank the starts: with fewer a lower top may win, more only
/// take time. `cargo test -p replay --release --test gilbert_elliott` holds that planted channels are found.
const STEPS: usize = 12;

/// Number of equal parts of the range of the logarithm of the coherence time; starts lie at the inner borders. Chosen
/// here by judgement: no experiment decides it; a narrow top between two starts may be missed with fewer, and time
/// grows with more; repeat as [`STEPS`].
const TIMES: u32 = 8;
/// Degrees of separation at the starts, 0 to 1: 0 gives both states the loss probability of the path, 1 gives them 0
/// and 1. Chosen here by judgement: no experiment decides it; one start each for states that differ little and much;
/// repeat as [`STEPS`].
const SURE: [f64; 2] = [0.3, 0.8];
/// Greatest number of passes of [`fit`]: one per start.
pub(super) const PASSES: u64 = (TIMES as u64 - 1) * SURE.len() as u64;

/// Fits a two-state channel to the copies of `paths`, each in order of time. Passes `progress` up to [`PASSES`] times,
/// and asks it before every step; errs when cancelled.
pub(crate) fn fit(paths: &[Vec<Observed>], progress: &SharedProgress<'_>) -> Result<Fit, Cancelled> {
    let copies: u64 = paths.iter().map(|p| p.len() as u64).sum();
    let lost = paths.iter().flatten().filter(|c| c.lost()).count() as u64;
    let share = if copies == 0 { 0.0 } else { lost as f64 / copies as f64 };
    let alone = GilbertElliott::independent(share);
    let found = |model: GilbertElliott, errors, gain, verdict, two| {
        let residuals = Residuals::new(&model, paths);
        let verdict = if residuals.fits() { verdict } else { Verdict::DoesNotFit };
        Fit { model, errors, verdict, residuals, copies, lost, gain, two }
    };
    let only = |error| [None, None, error, error];
    if copies < ENOUGH.0 || lost < ENOUGH.1 || copies - lost < ENOUGH.1 {
        return Ok(Fit { verdict: Verdict::TooFew, ..found(alone, only(None), 0.0, Verdict::TooFew, None) });
    }
    let bounds = Bounds::of(paths);
    let base = log_likelihood(&alone, paths);
    let climbed = starts(share, &bounds).map(|start| {
        progress.pass()?;
        let mut w = start;
        for _ in 0..STEPS {
            progress.ask()?;
            w = maximise(&w, paths);
        }
        Ok((log_likelihood(&w, paths), w))
    });
    let climbed: Vec<(f64, GilbertElliott)> = climbed.collect::<Result<_, _>>()?;
    let best = climbed.into_iter().filter(|(value, _)| value.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, start)) = best.map(|(value, w)| (value, ordered(w))) else {
        return Ok(found(alone, only(None), 0.0, Verdict::OneState, None));
    };
    let (top, value) = climb(point(&start), start.delay, &bounds, paths, progress)?;
    let gain = value - base;
    // Schwarz, Ann. Stat. 6, 1978.
    if gain <= MORE / 2.0 * (copies as f64).ln() {
        let error = (share * (1.0 - share) / copies as f64).sqrt();
        let two = Some(to_model(&top, start.delay));
        return Ok(found(alone, only(Some(error)), gain.max(0.0), Verdict::OneState, two));
    }
    let mut errors = errors(&top, start.delay, &bounds, paths);
    let mut w = to_model(&top, start.delay);
    if w.loss_good > w.loss_bad {
        w = ordered(w);
        errors.swap(2, 3);
    }
    Ok(found(w, errors, gain, Verdict::TwoStates, Some(w)))
}

/// Returns the channel `w` with the state of more losses called bad.
pub(super) fn ordered(w: GilbertElliott) -> GilbertElliott {
    if w.loss_good <= w.loss_bad {
        return w;
    }
    let Delay([good, bad]) = w.delay;
    let (loss_good, loss_bad) = (w.loss_bad, w.loss_good);
    GilbertElliott { bad: 1.0 - w.bad, coherence: w.coherence, loss_good, loss_bad, delay: Delay([bad, good]) }
}

/// Starting points: sojourns of all lengths within bounds, rarely or often bad.
fn starts(share: f64, bounds: &Bounds) -> impl Iterator<Item = GilbertElliott> {
    let (low, high) = bounds.coherence();
    let times = (1..TIMES).map(move |i| low * (high / low).powf(f64::from(i) / f64::from(TIMES)));
    times.flat_map(move |coherence| {
        SURE.map(|sure| {
            let loss_bad = share + (1.0 - share) * sure;
            let loss_good = share * (1.0 - sure);
            let bad = ((share - loss_good) / (loss_bad - loss_good)).clamp(0.01, 0.99);
            GilbertElliott { bad, coherence, loss_good, loss_bad, delay: Delay::NOTHING }
        })
    })
}

/// One expectation–maximisation step (Dempster, Laird & Rubin, J. R. Stat. Soc. B 39, 1977). That the first copy of a
/// path meets a state by its share of time is left out of the maximisation; the Newton steps that follow do not.
fn maximise(w: &GilbertElliott, paths: &[Vec<Observed>]) -> GilbertElliott {
    let e = expect(w, paths);
    let ratio = |above: f64, below: f64, otherwise: f64| if below > 0.0 { above / below } else { otherwise };
    let worsens = ratio(e.changes[0], e.time[0], w.bad / w.coherence);
    let recovers = ratio(e.changes[1], e.time[1], (1.0 - w.bad) / w.coherence);
    let rate = worsens + recovers;
    if rate <= 0.0 || !rate.is_finite() {
        return *w;
    }
    GilbertElliott {
        bad: (worsens / rate).clamp(1e-6, 1.0 - 1e-6),
        coherence: 1.0 / rate,
        loss_good: ratio(e.lost[0], e.copies[0], w.loss_good).clamp(1e-6, 1.0 - 1e-6),
        loss_bad: ratio(e.lost[1], e.copies[1], w.loss_bad).clamp(1e-6, 1.0 - 1e-6),
        delay: e.delay(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::observation::Emission;
    use crate::model::{Purpose, RandomStream, unit};
    use base::Silent;

    fn fit(paths: &[Vec<Observed>]) -> Fit {
        super::fit(paths, &SharedProgress::new(&mut Silent, 0)).unwrap()
    }

    /// Round trips that tell nothing.
    fn met(lost: bool, word: u32) -> Emission {
        if lost { Emission::Lost } else { Emission::Answered((unit(word) * CLASSES as f64) as u8) }
    }

    /// Copies at irregular moments, retransmissions soon after losses, on a planted channel.
    fn planted(w: &GilbertElliott, copies: usize, seed: u64) -> Vec<Observed> {
        let mut stream = RandomStream::new(seed, 0, 0, Purpose::Fate);
        let mut bad = unit(stream.block(0)[0]) < w.bad;
        let mut lost = false;
        (1..=copies as u64)
            .map(|k| {
                let words = *stream.block(k);
                let gap = if lost { 2.0 + unit(words[0]) } else { 0.1 + 4.0 * unit(words[0]) };
                bad = unit(words[1]) < w.transition(bad, true, gap);
                lost = unit(words[2]) < w.loss_in(bad);
                Observed { gap, met: met(lost, words[3]) }
            })
            .collect()
    }

    #[test]
    fn steps_of_expectation_never_lose_likelihood() {
        let w = GilbertElliott { bad: 0.3, coherence: 6.0, loss_good: 0.05, loss_bad: 0.6, delay: Delay::NOTHING };
        let paths = [planted(&w, 800, 3)];
        let mut at = GilbertElliott { bad: 0.5, coherence: 1.0, loss_good: 0.2, loss_bad: 0.4, delay: Delay::NOTHING };
        let mut last = log_likelihood(&at, &paths);
        for _ in 0..20 {
            at = maximise(&at, &paths);
            let now = log_likelihood(&at, &paths);
            assert!(now > last - 0.05, "{now} after {last}");
            last = now;
        }
    }

    #[test]
    fn planted_parameters_are_recovered_within_their_errors() {
        let truth = GilbertElliott { bad: 0.25, coherence: 8.0, loss_good: 0.02, loss_bad: 0.7, delay: Delay::NOTHING };
        let (mut inside, mut errors) = ([0; 4], [0; 4]);
        let worlds = 40;
        let mut believed = 0;
        for seed in 0..worlds {
            let fit = fit(&[planted(&truth, 2_000, seed)]);
            believed += u32::from(fit.verdict == Verdict::TwoStates);
            let pairs = [
                (fit.model.bad, truth.bad),
                (fit.model.coherence, truth.coherence),
                (fit.model.loss_good, truth.loss_good),
                (fit.model.loss_bad, truth.loss_bad),
            ];
            for (i, (got, planted)) in pairs.into_iter().enumerate() {
                if let Some(error) = fit.errors[i] {
                    errors[i] += 1;
                    inside[i] += u32::from((got - planted).abs() <= 1.645 * error);
                }
            }
        }
        assert!(believed >= 38, "believed in {believed} of {worlds}");
        for i in 0..4 {
            // Nine in ten, give or take three standard errors of such a share.
            assert!(errors[i] >= 38 && inside[i] * 100 >= errors[i] * 76, "{i}: {} of {}", inside[i], errors[i]);
        }
    }

    #[test]
    fn losses_without_autocorrelation_are_one_state() {
        let truth = GilbertElliott::independent(0.15);
        let verdicts: Vec<Verdict> = (0..20).map(|seed| fit(&[planted(&truth, 1_000, seed)]).verdict).collect();
        assert!(verdicts.iter().filter(|&&v| v == Verdict::OneState).count() >= 19, "{verdicts:?}");
    }

    /// Losses that come and go by the clock, every third copy: a Markov chain
    /// cannot say so.
    #[test]
    fn periodic_losses_do_not_fit() {
        let periodic: Vec<Observed> =
            (0..900_u32).map(|k| Observed { gap: 1.0, met: met(k % 3 == 0, k << 29) }).collect();
        assert_eq!(fit(&[periodic]).verdict, Verdict::DoesNotFit);
        // A path that breaks down half-way is fitted by two states with one long sojourn each, or not at all; one
        // whose loss creeps up is not fitted by two states.
        let mut stream = RandomStream::new(5, 0, 0, Purpose::Fate);
        let creeping: Vec<Observed> = (0..4_000_u64)
            .map(|k| Observed {
                gap: 1.0,
                met: met(unit(stream.block(k)[0]) < 0.9 * (k as f64 / 4_000.0).powi(2), stream.block(k)[1]),
            })
            .collect();
        let fit = fit(&[creeping]);
        assert_ne!(fit.verdict, Verdict::OneState, "{fit:?}");
    }

    #[test]
    fn few_losses_are_not_enough() {
        let few: Vec<Observed> = (0..500_u32).map(|k| Observed { gap: 1.0, met: met(k % 100 == 0, k << 29) }).collect();
        let found = fit(&[few]);
        assert_eq!(found.verdict, Verdict::TooFew);
        assert!((found.model.loss() - 0.01).abs() < 1e-12);
        assert_eq!(fit(&[]).verdict, Verdict::TooFew);
    }
}
