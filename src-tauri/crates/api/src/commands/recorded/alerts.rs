//! Alerts of a capture that goes on: of the recording, or of the file that is followed.

use crate::opened::utc;
use crate::session::alerts::{Alerting, LOOK_OCTETS};
use crate::session::following::Following;
use crate::view::{
    AlertRuleView, AlertSource, AlertStage, AlertView, AlertsCheckRequest, AlertsRequest, AlertsStartRequest,
    AlertsView, CaptureId, OpenAlertView, WatchedView,
};
use crate::{Error, Progress, Session};
use base::{Instant, Part};
use std::collections::BTreeMap;
use watch::{Alert, AlertKind, ClientTotals, Rule, RuleError};

/// Greatest number of rules. Chosen here: a person does not read more, and each keeps sums of every client.
const MOST_RULES: usize = 100;

/// Share of a last reading that reads the file, hundredths; the rest judges what is left. Chosen here: the window is
/// read some ten times for its own length.
const READING: u64 = 90;

/// Answers `alerts_check`: for each rule the sentence that says what is wrong with it; empty for one that is right.
/// Never errs.
pub(crate) fn check(_: &Session, request: &AlertsCheckRequest) -> Result<Vec<String>, Error> {
    let mut right = Vec::new();
    let mut error = |text: &String| {
        let wrong = Rule::read(text).and_then(|rule| {
            right.push(rule);
            watch::distinct(&right).map_err(|(at, error)| {
                right.truncate(at);
                error
            })
        });
        wrong.err().map_or(String::new(), |error| error.to_string())
    };
    Ok(request.rules.iter().map(&mut error).collect())
}

/// Reads the rules of a request. Errs ([`crate::Code::Request`]) with the number and text of the wrong one, and for
/// none or too many.
fn rules(texts: &[String]) -> Result<Vec<Rule>, Error> {
    let wrong = |at: usize, error: &RuleError| {
        let text = texts.get(at).map_or("", String::as_str);
        Error::request(format!("Rule {}, `{text}`: {error}.", at + 1))
    };
    if texts.is_empty() || texts.len() > MOST_RULES {
        return Err(Error::request(format!("Alerts need 1 to {MOST_RULES} rules, not {}.", texts.len())));
    }
    let read = |(at, text): (usize, &String)| Rule::read(text).map_err(|error| wrong(at, &error));
    let rules: Vec<Rule> = texts.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    watch::distinct(&rules).map_err(|(at, error)| wrong(at, &error))?;
    Ok(rules)
}

/// Does something with the recording or the followed file, as [`AlertSource`] says; `None` where there is none.
fn with_file<T>(session: &Session, source: AlertSource, act: impl FnOnce(&Following) -> T) -> Option<T> {
    match source {
        AlertSource::Recording => session.live().lock().as_ref().map(|recording| act(&recording.following)),
        AlertSource::Followed => session.followed().lock().as_ref().map(act),
    }
}

/// Answers `alerts_start`: begins to watch, or goes on with other rules. Errs ([`crate::Code::Request`]) for a wrong
/// rule, and where nothing is recorded or followed; ([`crate::Code::Capture`]) where the file cannot be read again.
pub(crate) fn start(session: &Session, request: &AlertsStartRequest) -> Result<AlertsView, Error> {
    let rules = rules(&request.rules)?;
    let file = with_file(session, request.source, |file| (file.path.clone(), file.reading.clone()));
    let (path, reading) = file.ok_or_else(|| {
        Error::request(match request.source {
            AlertSource::Recording => "Nothing is recorded: begin a recording, and start alerts then.",
            AlertSource::Followed => "No file is followed: follow one, and start alerts then.",
        })
    })?;
    let mut alerting = match session.alerts().take() {
        Some((number, before)) if before.goes_on(&path, &reading) => {
            // After an error nothing is watched any more.
            before.with_rules(request.source, rules).inspect_err(|_| session.alerts().put(number, None))?
        }
        _ => Alerting::new(request.source, &path, reading, rules),
    };
    let view = view(session, &mut alerting, 0);
    session.alerts().replace(alerting);
    Ok(view)
}

/// Answers `alerts_look`: reads new octets of the file, at most [`LOOK_OCTETS`]; `None` where nothing is watched, or
/// another thread is reading. Errs when cancelled: nothing is lost then.
pub(crate) fn look(
    session: &Session,
    request: &AlertsRequest,
    progress: &mut dyn Progress,
) -> Result<Option<AlertsView>, Error> {
    let Some((number, mut alerting)) = session.alerts().take() else { return Ok(None) };
    let view = alerting.read(LOOK_OCTETS, progress).map(|()| Some(view(session, &mut alerting, request.after)));
    session.alerts().put(number, Some(alerting));
    view
}

/// Answers `alerts_stop`: reads the file to its end, takes the exchanges that are still open as they stand, and ends;
/// `None` where nothing is watched, or another thread is reading. Errs when cancelled: the watch goes on then.
pub(crate) fn stop(
    session: &Session,
    request: &AlertsRequest,
    progress: &mut dyn Progress,
) -> Result<Option<AlertsView>, Error> {
    let Some((number, mut alerting)) = session.alerts().take() else { return Ok(None) };
    let done = (|| {
        alerting.read(u64::MAX, &mut Part::new(progress, 0, READING, 100))?;
        alerting.finish(&mut Part::new(progress, READING, 100, 100))
    })();
    let view = done.map(|()| Some(view(session, &mut alerting, request.after)));
    session.alerts().put(number, view.is_err().then_some(alerting));
    view
}

fn view(session: &Session, alerting: &mut Alerting, after: u32) -> AlertsView {
    let of_file = |file: &Following| file.capture.filter(|_| file.path == alerting.path);
    // A file that is followed no longer has no place of its own, and its capture stays.
    let now: Option<CaptureId> = with_file(session, alerting.source, of_file).flatten();
    alerting.capture = now.or(alerting.capture);
    let alerting = &*alerting;
    let opened = alerting.capture.and_then(|id| session.capture(id).ok());
    let epoch = opened.as_ref().map(|opened| opened.trace.capture.epoch_unix_nanos.unwrap_or(0));
    let instant = |unix: i64| epoch.map(|epoch| Instant::from_nanos(unix.saturating_sub(epoch)));
    let (watch, totals) = (&alerting.watch, alerting.watch.totals());
    let open = watch.open_alerts();
    let rule = |(at, rule): (usize, &Rule)| AlertRuleView {
        text: rule.text.clone(),
        said: count(totals.alerts.get(&rule.name).copied().unwrap_or(0)),
        open: open
            .iter()
            .filter(|open| open.rule == at)
            .map(|open| OpenAlertView { client: open.client.map(str::to_owned), since: instant(open.since) })
            .collect(),
    };
    let timers: BTreeMap<&str, &str> = watch.identified().collect();
    let of_client = |(client, sums): (&String, &ClientTotals)| {
        watched(client, sums, timers.get(client.as_str()).map(|timer| (*timer).to_owned()))
    };
    let (judged, latest) = watch.reach();
    AlertsView {
        source: alerting.source,
        path: alerting.path.display().to_string(),
        capture: alerting.capture.filter(|_| opened.is_some()),
        ended: alerting.ended.clone(),
        is_behind: alerting.is_behind(),
        frames: count(totals.frames),
        judged: judged.and_then(instant),
        latest: latest.and_then(instant),
        delay: watch::Options::default().longest_delay().nanos() as f64,
        rules: alerting.rules.iter().enumerate().map(rule).collect(),
        alerts: alerting
            .alerts
            .iter()
            .filter(|alert| alert.number > u64::from(after))
            .map(|alert| alert_view(alert, &instant))
            .collect(),
        all: watched("", &totals.all, None),
        clients: totals.clients.iter().map(of_client).collect(),
        notes: alerting.notes.clone(),
    }
}

fn alert_view(alert: &Alert, instant: &dyn Fn(i64) -> Option<Instant>) -> AlertView {
    AlertView {
        number: count(alert.number),
        rule: alert.alert.clone(),
        stage: match alert.kind {
            AlertKind::Begin => AlertStage::Begin,
            AlertKind::End => AlertStage::End,
            AlertKind::Event => AlertStage::Event,
        },
        time: instant(alert.time),
        utc: utc(alert.time),
        since: alert.since.and_then(instant),
        client: alert.client.clone(),
        value: alert.value,
        threshold: alert.threshold,
        exchanges: count(alert.evidence.exchanges),
        copies: count(alert.evidence.copies),
        text: alert.text.clone(),
    }
}

fn watched(client: &str, sums: &ClientTotals, timer: Option<String>) -> WatchedView {
    let ClientTotals { exchanges, answered, failed, open, copies, needless, lost } = *sums;
    let [exchanges, answered, failed, open, copies, needless, lost] =
        [exchanges, answered, failed, open, copies, needless, lost].map(count);
    WatchedView { client: client.to_owned(), exchanges, answered, failed, open, copies, needless, lost, timer }
}

fn count(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
