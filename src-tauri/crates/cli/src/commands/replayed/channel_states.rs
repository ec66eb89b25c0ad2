//! `channel-states`.

use crate::args::{CaptureArgs, Format, JsonArgs, OutputArgs};
use crate::progress::Bar;
use crate::{captures, output, rows};
use api::view::{
    AutocorrelationView, CaptureRequest, ChannelStatesView, EstimateView, LoadView, PathStatesView, Scope,
};
use api::{DecodeOptions, Listing, Session};
use std::fmt::Write as _;

/// `channel-states`
#[derive(clap::Args, Debug)]
pub struct ChannelStatesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    #[command(flatten)]
    pub json: JsonArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints the fit of the two-state channel model to every path, with tests of its residuals. Fails where the capture
/// cannot be read or decoded.
pub fn channel_states(args: &ChannelStatesArgs) -> anyhow::Result<()> {
    let session = Session::new(DecodeOptions::default());
    let view = session.adopt(captures::open(&args.capture)?);
    let states = session.channel_states(&CaptureRequest { capture: view.id }, &mut Bar::new("fitting"))?;
    let out = args.output.out.as_ref();
    match args.output.form(args.json) {
        Format::Json => output::json(&serde_json::to_value(&states)?, out),
        Format::Table if states.paths.is_empty() => {
            output::text(&text(&states), out)?;
            output::say("the capture has no path with confirmable exchanges");
            Ok(())
        }
        Format::Table => output::text(&text(&states), out),
        Format::Csv | Format::Parquet | Format::Markdown => {
            output::listing(&listing(&states), &args.output, "the capture has no path with confirmable exchanges")
        }
    }
}

/// Table of the fits, a row for each path; times in seconds, losses and `bad` as shares.
fn listing(states: &ChannelStatesView) -> Listing {
    let error = |estimate: &Option<EstimateView>| estimate.as_ref().and_then(|estimate| estimate.error);
    let value = |estimate: &Option<EstimateView>| estimate.as_ref().map(|estimate| estimate.value);
    rows::of(&states.paths)
        .text("client", |path| path.client.clone())
        .real("copies", |path| Some(path.copies))
        .real("lost", |path| Some(path.lost))
        .real("bad", |path| value(&path.bad))
        .real("bad_error", |path| error(&path.bad))
        .real("coherence_s", |path| value(&path.coherence))
        .real("coherence_s_error", |path| error(&path.coherence))
        .real("loss_good", |path| Some(path.loss_good.value))
        .real("loss_good_error", |path| path.loss_good.error)
        .real("loss_bad", |path| value(&path.loss_bad))
        .real("loss_bad_error", |path| error(&path.loss_bad))
        .real("good_s", |path| path.sojourns.map(|sojourns| sojourns.0))
        .real("bad_s", |path| path.sojourns.map(|sojourns| sojourns.1))
        .text("verdict", |path| path.verdict.label().to_owned())
        .text("fitted_to", |path| scope(path.scope).to_owned())
        .real("calibration", |path| Some(path.calibration))
        .real("error_correlation", |path| Some(path.error_correlation))
        .real("drift", |path| Some(path.drift))
        .text("stationary", |path| if path.stationary { "yes" } else { "no" }.to_owned())
        .listing()
}

/// Returns the words for the copies that a path's parameters were fitted to.
const fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Path => "its own copies",
        Scope::Server => "its server's paths",
        Scope::Trace => "the whole trace",
    }
}

fn text(states: &ChannelStatesView) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "losses       {}", autocorrelation(&states.loss, "a lost copy", "be lost"));
    let _ = writeln!(text, "round trips  {}", autocorrelation(&states.rtt, "a long round trip", "be long"));
    let _ = writeln!(text, "bottleneck   {}", states.queue_said);
    let _ = writeln!(text, "load         {}\n", states.load_said);
    if let Some(load) = &states.load {
        text.push_str(&steps(load));
    }
    let _ = writeln!(
        text,
        "{:<20} {:>7} {:>6}  {:>15} {:>17} {:>17} {:>15}  {:>11}  {:<14} fitted to",
        "client", "copies", "lost", "bad time", "coherence s", "loss in good", "loss in bad", "good/bad s", "verdict"
    );
    for path in &states.paths {
        let _ = writeln!(text, "{}", row(path));
    }
    text.push_str("\nestimate ± standard error; ? where the copies do not bound it\n\n");
    for path in &states.paths {
        let _ = writeln!(
            text,
            "{}: {} Residuals: calibration p {:.3}, correlation p {:.3}, drift p {:.3}; {}.",
            path.client,
            path.said,
            path.calibration,
            path.error_correlation,
            path.drift,
            if path.stationary { "of one kind throughout" } else { "not of one kind throughout" },
        );
    }
    text
}

/// Table of losses by load, recorded and fitted.
fn steps(load: &LoadView) -> String {
    let mut text = format!(
        "first copies met {:.2} copies under way on average ({:.2} to {:.2}, deviation within path and time {:.2}); a copy is {:.1} ms \
         on the air over all hops, {} paths hear each other\n\n{:>6} {:>7} {:>7} {:>8}\n",
        load.mean,
        load.range.0,
        load.range.1,
        load.deviation,
        load.airtime.secs_f64() * 1e3,
        load.neighbours,
        "load",
        "copies",
        "lost",
        "fitted"
    );
    for step in &load.steps {
        let (lost, fitted) = (100.0 * step.lost, 100.0 * step.fitted);
        let _ = writeln!(text, "{:>6.2} {:>7} {lost:>5.1} % {fitted:>6.1} %", step.load, step.copies);
    }
    text.push('\n');
    text
}

/// Describes an autocorrelation: `one` is the event, `other` what the next copy is likelier to do.
fn autocorrelation(measured: &AutocorrelationView, one: &str, other: &str) -> String {
    if measured.strength <= 0.0 {
        return format!("have no autocorrelation that {} pairs of copies would show", measured.pairs);
    }
    format!(
        "are autocorrelated over {:.2} s: right after {one} the next is likelier to {other} (correlation {:.2}, measured \
         from {:.2} s on, {} pairs)",
        measured.time.secs_f64(),
        measured.strength,
        measured.from.secs_f64(),
        measured.pairs
    )
}

fn row(path: &PathStatesView) -> String {
    let estimate = |e: &EstimateView, scale: f64| {
        let error = e.error.map_or_else(|| "?".to_owned(), |error| format!("{:.1}", error * scale));
        format!("{:.1} ± {error}", e.value * scale)
    };
    let maybe = |e: &Option<EstimateView>, scale| e.as_ref().map_or_else(|| "-".to_owned(), |e| estimate(e, scale));
    let verdict = path.verdict.label();
    let scope = scope(path.scope);
    format!(
        "{:<20} {:>7} {:>6}  {:>13} % {:>17} {:>15} % {:>13} %  {:>11}  {verdict:<14} {scope}",
        path.client,
        path.copies,
        path.lost,
        maybe(&path.bad, 100.0),
        maybe(&path.coherence, 1.0),
        estimate(&path.loss_good, 100.0),
        maybe(&path.loss_bad, 100.0),
        path.sojourns.map_or_else(|| "-".to_owned(), |(good, bad)| format!("{good:.1}/{bad:.1}")),
    )
}
