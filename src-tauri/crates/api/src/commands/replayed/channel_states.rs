//! Channel states of a trace: fitted parameters, and states over time.

use crate::view::{
    AutocorrelationView, CaptureRequest, ChannelStateSeries, ChannelStateSeriesRequest, ChannelStatesView,
    EstimateView, FitKind, LoadStepView, LoadView, PathStatesView, QueueView,
};
use crate::{Error, Progress, Session};
use base::{Cancelled, Instant};
use replay::{
    Autocorrelation, Estimate, Fit, Limit, LoadFit, LoadStep, PathChannelState, QueueFit, Residuals, Verdict,
};

/// Standard errors of a normal distribution on each side of a 90 % interval.
const NINETY: f64 = 1.645;
/// Least number of stays in the bad state for an estimate of their mean length. Chosen here: stays are exponentially
/// distributed, so that their mean over n has a relative error of 1/√n, less than a half from 5 on.
const LEAST_STAYS: u32 = 5;
/// Greatest number of moments of one series. Chosen here: the columns of the widest usual screen (4,096 px); it
/// bounds the reply.
const MAX_POINTS: u32 = 4_096;

impl Session {
    /// Returns the fitted channel states of every path of a capture, with the tests of each fit.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open, [`crate::Code::Cancelled`].
    pub fn channel_states(
        &self,
        request: &CaptureRequest,
        progress: &mut dyn Progress,
    ) -> Result<ChannelStatesView, Error> {
        let opened = self.capture(request.capture)?;
        opened.replay.estimate(progress)?;
        let statistics = opened.replay.channel_statistics();
        let (response, queueing) = (opened.replay.load(progress)?, opened.replay.bottleneck(progress)?);
        let steps = opened.replay.load_steps(progress)?;
        let states = (0..).zip(opened.trace.associations.iter().zip(opened.replay.channel_states(progress)?.paths()));
        let paths = states.map(|(at, (a, state))| Ok(path(a, state, opened.replay.bad_runs(at, progress)?)));
        let paths = paths.collect::<Result<_, Cancelled>>()?;
        Ok(ChannelStatesView {
            loss: autocorrelation(&statistics.loss),
            rtt: autocorrelation(&statistics.rtt),
            load: response.ok().map(|fit| load(fit, &steps)),
            load_said: match response {
                Ok(fit) => answers(fit),
                Err(why) => format!("Not identified: {why}."),
            },
            queue: queueing.ok().map(queue),
            queue_said: match queueing {
                Ok(fit) => bottleneck(fit),
                Err(why) => format!("No bottleneck: {why}."),
            },
            paths,
        })
    }
}

fn load(fit: &LoadFit, steps: &[LoadStep]) -> LoadView {
    let estimate = |e: Estimate| EstimateView { value: e.value, error: Some(e.error) };
    let step = |s: &LoadStep| LoadStepView { load: s.load, copies: s.copies as f64, lost: s.lost, fitted: s.fitted };
    LoadView {
        loss: estimate(fit.loss),
        rtt: estimate(fit.rtt),
        mean: fit.mean,
        range: fit.range,
        deviation: fit.deviation,
        copies: fit.copies as f64,
        lost: fit.lost as f64,
        airtime: fit.airtime,
        neighbours: u32::try_from(fit.neighbours).unwrap_or(u32::MAX),
        steps: steps.iter().map(step).collect(),
    }
}

/// Returns the share of the response that is immediate, in words; empty where all of it is, or there is none.
fn at_once(fit: &LoadFit) -> String {
    if fit.rtt.value <= 0.0 || fit.at_once > 0.995 {
        return String::new();
    }
    format!(", {:.0} % of that at once, the rest where it goes on to be there", 100.0 * fit.at_once)
}

/// Returns the response to load in words. An estimate within two of its standard errors of zero may be none.
fn answers(fit: &LoadFit) -> String {
    let sure = |e: Estimate| if e.value.abs() < 2.0 * e.error { ", which may be none" } else { "" };
    format!(
        "One more copy under way multiplies the odds of a loss by {:.2} ({:.2} to {:.2}{}) and makes a round trip {:.0} ± {:.0} ms \
         longer{}{}.",
        fit.loss.value.exp(),
        (fit.loss.value - NINETY * fit.loss.error).exp(),
        (fit.loss.value + NINETY * fit.loss.error).exp(),
        sure(fit.loss),
        1e3 * fit.rtt.value,
        1e3 * fit.rtt.error,
        sure(fit.rtt),
        at_once(fit),
    )
}

fn queue(fit: &QueueFit) -> QueueView {
    let room = match fit.limit {
        Limit::At(room) => Some(room),
        Limit::Unseen { .. } => None,
    };
    QueueView { service: EstimateView { value: fit.service.value, error: Some(fit.service.error) }, room }
}

/// Returns the estimates of the bottleneck in words.
fn bottleneck(fit: &QueueFit) -> String {
    let place = fit.name.as_ref().map_or_else(String::new, |name| format!(" at {name}"));
    let room = match fit.limit {
        Limit::At(room) => format!("has room for {room}, behind whom copies were lost"),
        Limit::Unseen { longest } => {
            format!("had up to {longest} inside: how many more it has room for is not known")
        }
    };
    format!(
        "A queue{place}, {}, serves a message in {:.1} ± {:.1} ms{}, {:.0} % of the time, and {room}. It explains {:.0} % of what round trips \
         of {} clients differ by; they are longer by {:.2} ± {:.2} s a second of waiting.",
        if fit.shared { "requests and replies in one" } else { "one each way" },
        1e3 * fit.service.value,
        1e3 * fit.service.error,
        if fit.is_read { " (read from the lattice on which replies come)" } else { "" },
        100.0 * fit.busy,
        100.0 * fit.explained,
        fit.clients,
        fit.slope.value,
        fit.slope.error,
    )
}

fn autocorrelation(measured: &Autocorrelation) -> AutocorrelationView {
    AutocorrelationView {
        strength: measured.strength,
        time: measured.time,
        from: measured.from,
        pairs: measured.pairs as f64,
    }
}

fn path(association: &trace::Association, state: &PathChannelState, bad_stays: Option<usize>) -> PathStatesView {
    let seen = bad_stays.map(|seen| u32::try_from(seen).unwrap_or(u32::MAX));
    let fit = &state.fit;
    let two = fit.model.bad > 0.0;
    let [bad, coherence, good, worse] = fit.errors;
    let estimate = |value, error| EstimateView { value, error };
    let second = |value, error| two.then(|| estimate(value, error));
    PathStatesView {
        association: association.id,
        client: association.client_name.clone(),
        verdict: match fit.verdict {
            Verdict::TooFew => FitKind::TooFew,
            Verdict::OneState => FitKind::OneState,
            Verdict::TwoStates => FitKind::TwoStates,
            Verdict::DoesNotFit => FitKind::DoesNotFit,
        },
        said: said(fit, seen),
        scope: state.scope,
        copies: fit.copies as f64,
        lost: fit.lost as f64,
        bad: second(fit.model.bad, bad),
        coherence: second(fit.model.coherence, coherence),
        loss_good: estimate(fit.model.loss_good, good),
        loss_bad: second(fit.model.loss_bad, worse),
        sojourns: two.then(|| fit.model.sojourns()),
        seen,
        calibration: fit.residuals.calibration,
        error_correlation: fit.residuals.error_correlation,
        drift: fit.residuals.drift,
        stationary: fit.residuals.drift >= Residuals::LEVEL,
    }
}

/// Returns the verdict on a fit with its reason, in a sentence or two; `seen` is the number of stays in the bad state.
fn said(fit: &Fit, seen: Option<u32>) -> String {
    let Residuals { calibration, error_correlation, drift } = fit.residuals;
    match fit.verdict {
        Verdict::TooFew => format!(
            "Too few copies: {}, {} of them lost. Two states need a hundred copies, and twenty of each kind.",
            fit.copies, fit.lost
        ),
        Verdict::OneState => "One state is enough: a loss does not predict the next.".to_owned(),
        Verdict::TwoStates if seen.is_some_and(|seen| seen < LEAST_STAYS) => {
            let stays = match seen {
                Some(1) => "one stay in the bad state was".to_owned(),
                other => format!("{} stays in the bad state were", other.unwrap_or(0)),
            };
            format!(
                "Two states, but only {stays} seen: too few to estimate how long the bad state lasts, or whether it comes again."
            )
        }
        Verdict::TwoStates => "Good and bad states, and the forecasts do not contradict them.".to_owned(),
        Verdict::DoesNotFit => {
            let reasons = [
                (calibration, "copies with like forecasts are not lost as often as forecast"),
                (
                    error_correlation,
                    "errors of the forecast predict the next ones: losses are correlated for longer, or otherwise, than two states allow",
                ),
                (drift, "losses are not as many as forecast throughout: the statistics of the channel change"),
            ];
            let failed = reasons.iter().filter(|r| r.0 < Residuals::LEVEL).map(|r| r.1);
            format!("Does not fit: {}.", failed.collect::<Vec<_>>().join("; "))
        }
    }
}

/// Answers `channel_state_series`: the states of one path over time. Errs where the capture is not open, for an unknown
/// association, a wrong number of points or an empty window.
pub(crate) fn series(
    session: &Session,
    request: &ChannelStateSeriesRequest,
    progress: &mut dyn Progress,
) -> Result<ChannelStateSeries, Error> {
    let opened = session.capture(request.capture)?;
    let path = request.association.index();
    if path >= opened.trace.associations.len() {
        return Err(Error::request(format!("There is no association {} in this capture.", request.association)));
    }
    if !(2..=MAX_POINTS).contains(&request.points) || request.t1 <= request.t0 {
        return Err(Error::request(format!("A series has 2 to {MAX_POINTS} points and ends after it begins.")));
    }
    let path = u32::try_from(path).unwrap_or(u32::MAX);
    let last = i64::from(request.points - 1);
    let at: Vec<Instant> = (0..=last).map(|i| request.t0 + (request.t1 - request.t0).scale(i, last)).collect();
    let bad = opened.replay.bad_at(path, &at, progress)?.unwrap_or_default();
    let forecasts = opened.replay.forecasts(path, progress)?;
    let deviation = forecasts.iter().map(|f| f.chance * (1.0 - f.chance)).sum::<f64>().sqrt().max(1.0);
    let mut series = ChannelStateSeries {
        at,
        bad,
        copy_at: Vec::new(),
        copy_chance: Vec::new(),
        copy_lost: Vec::new(),
        copy_excess: Vec::new(),
    };
    let mut excess = 0.0;
    for forecast in forecasts {
        excess += f64::from(u8::from(forecast.lost)) - forecast.chance;
        if (request.t0..=request.t1).contains(&forecast.at) {
            series.copy_at.push(forecast.at);
            series.copy_chance.push(forecast.chance);
            series.copy_lost.push(forecast.lost);
            series.copy_excess.push(excess / deviation);
        }
    }
    Ok(series)
}
