//! Output formats of a watch: lines of text, JSON objects, Prometheus' text format.

use api::watch::{Alert, AlertKind, ClientTotals, Ended, SeenExchange, Watch};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Converts nanoseconds since the Unix epoch to seconds, cut to whole microseconds.
fn seconds(nanos: i64) -> f64 {
    (nanos / 1_000) as f64 / 1e6
}

const fn kind(kind: AlertKind) -> &'static str {
    match kind {
        AlertKind::Begin => "begin",
        AlertKind::End => "end",
        AlertKind::Event => "event",
    }
}

const fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Answered => "answered",
        Ended::GivenUp => "given_up",
        Ended::Open => "open",
    }
}

/// Returns a JSON value on one line, unprintable characters of names escaped.
pub fn line(value: &Value) -> String {
    api::printable_json(&value.to_string()).into_owned()
}

/// Returns the JSON object of an alert, as `--format json` and `--exec` have it; times in seconds since the Unix epoch.
pub fn alert_object(alert: &Alert) -> Value {
    let evidence = alert.evidence;
    json!({
        "type": "alert",
        "number": alert.number,
        "alert": alert.alert,
        "kind": kind(alert.kind),
        "time": seconds(alert.time),
        "client": alert.client,
        "value": alert.value,
        "threshold": alert.threshold,
        "since": alert.since.map(seconds),
        "evidence": {
            "exchanges": evidence.exchanges,
            "copies": evidence.copies,
            "needless": evidence.needless,
            "lost": evidence.lost,
            "failed": evidence.failed,
        },
        "text": alert.text,
    })
}

/// Returns the JSON object of an exchange: `time` in seconds since the Unix epoch, `duration` in seconds, null where it
/// did not end.
pub fn exchange_object(exchange: &SeenExchange) -> Value {
    json!({
        "type": "exchange",
        "record": exchange.record,
        "time": seconds(exchange.time),
        "client": exchange.client,
        "server": exchange.server,
        "mid": exchange.mid,
        "ended": ended(exchange.ended),
        "copies": exchange.copies,
        "needless": exchange.needless,
        "lost": exchange.lost,
        "duration": exchange.duration.map(|nanos| nanos as f64 / 1e9),
    })
}

/// Returns the line of text of an alert: UTC time, kind, rule, sentence, and client and evidence in brackets.
pub fn alert_line(alert: &Alert) -> String {
    let evidence = alert.evidence;
    let mut about: Vec<String> = alert.client.iter().cloned().collect();
    about.extend(
        (evidence.exchanges > 0).then(|| format!("{} exchanges, {} copies", evidence.exchanges, evidence.copies)),
    );
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join("; ")) };
    let kind = kind(alert.kind);
    let text = format!("{}  {kind:5}  {}: {}{about}", api::utc(alert.time), alert.alert, alert.text);
    api::printable(&text).into_owned()
}

/// Returns the line of text of an exchange: UTC time, endpoints, Message ID, end, duration in seconds, numbers of
/// copies.
pub fn exchange_line(exchange: &SeenExchange) -> String {
    let SeenExchange { client, server, mid, copies, needless, lost, .. } = exchange;
    let took = exchange.duration.map_or(String::new(), |nanos| format!(" in {:.3} s", nanos as f64 / 1e9));
    let ended = ended(exchange.ended).replace('_', " ");
    let text = format!(
        "{}  {client} to {server}, message {mid}: {ended}{took}; {copies} copies, {needless} needless, {lost} lost",
        api::utc(exchange.time)
    );
    api::printable(&text).into_owned()
}

/// Returns the closing text: sums over the whole watch, then a line for each kind of input that was skipped or cut
/// short.
pub fn closing(watch: &Watch) -> String {
    let totals = watch.totals();
    let ClientTotals { exchanges, answered, failed, open, copies, needless, lost } = totals.all;
    let mut text = format!(
        "{} frames; {exchanges} exchanges: {answered} answered, {failed} given up, {open} open; {copies} copies, {needless} needless, \
         {lost} lost",
        totals.frames
    );
    let rest = [
        (totals.early, "exchanges were taken early: more frames came in ten minutes than are kept"),
        (totals.damaged, "records could not be read"),
        (totals.skipped, "octets between records were skipped"),
        (totals.ended_windows, "times a file of another kind came, or time moved by a day: open exchanges ended there"),
        (totals.set_back, "times the clock of the capture was set back"),
        (totals.left_out, "facts of more clients and nodes than are kept were left out"),
    ];
    for (n, what) in rest.into_iter().filter(|(n, _)| *n > 0) {
        let _ = write!(text, "\n{n} {what}");
    }
    text
}

/// Escapes the value of a label (Prometheus text format 0.0.4: backslash, quote and line end).
fn label(text: &str) -> String {
    api::printable(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Returns sums and alerts in Prometheus' text format 0.0.4. `failed` is the number of alerts that the program of
/// `--exec` did not get or failed with.
pub fn metrics(watch: &Watch, failed: u64) -> String {
    let totals = watch.totals();
    let (frames, octets) = watch.window();
    let mut text = String::new();
    let mut one = |name: &str, kind: &str, help: &str, value: u64| {
        let _ = writeln!(text, "# HELP rtoscope_{name} {help}\n# TYPE rtoscope_{name} {kind}\nrtoscope_{name} {value}");
    };
    one("frames_total", "counter", "Frames.", totals.frames);
    one(
        "early_exchanges_total",
        "counter",
        "Exchanges that were taken before nothing could change them.",
        totals.early,
    );
    one("damaged_records_total", "counter", "Records that could not be read.", totals.damaged);
    one("skipped_octets_total", "counter", "Octets that are no record.", totals.skipped);
    one("clock_set_back_total", "counter", "Times that the clock of the capture was set back.", totals.set_back);
    one("left_out_total", "counter", "Facts of more clients and nodes than are kept.", totals.left_out);
    one("exec_failures_total", "counter", "Alerts that the program of --exec did not get, or failed with.", failed);
    one("window_frames", "gauge", "Frames that are kept.", frames as u64);
    one("window_octets", "gauge", "Octets of these.", octets as u64);
    type Of = fn(&ClientTotals) -> u64;
    let of_clients: [(&str, &str, Of); 7] = [
        ("exchanges", "Exchanges that are over, by client.", |of| of.exchanges),
        ("answered", "Answered ones.", |of| of.answered),
        ("failed", "Those that the client gave up.", |of| of.failed),
        ("open", "Those whose end is not known.", |of| of.open),
        ("copies", "Copies.", |of| of.copies),
        ("needless_copies", "Copies sent while an earlier one is answered anyway.", |of| of.needless),
        ("lost_copies", "Copies that are known to have been lost, or whose replies were.", |of| of.lost),
    ];
    for (name, help, of) in of_clients {
        let _ = writeln!(text, "# HELP rtoscope_{name}_total {help}\n# TYPE rtoscope_{name}_total counter");
        for (client, own) in &totals.clients {
            let _ = writeln!(text, "rtoscope_{name}_total{{client=\"{}\"}} {}", label(client), of(own));
        }
    }
    let _ = writeln!(
        text,
        "# HELP rtoscope_alerts_total Alerts that began and events.\n# TYPE rtoscope_alerts_total counter"
    );
    for (rule, n) in &totals.alerts {
        let _ = writeln!(text, "rtoscope_alerts_total{{alert=\"{}\"}} {n}", label(rule));
    }
    let _ = writeln!(text, "# HELP rtoscope_alerts_active Alerts that go on.\n# TYPE rtoscope_alerts_active gauge");
    for (rule, n) in watch.going_on() {
        let _ = writeln!(text, "rtoscope_alerts_active{{alert=\"{}\"}} {n}", label(rule));
    }
    let _ =
        writeln!(text, "# HELP rtoscope_timer Timer that a client was identified to run.\n# TYPE rtoscope_timer gauge");
    for (client, preset) in watch.identified() {
        let _ = writeln!(text, "rtoscope_timer{{client=\"{}\",preset=\"{}\"}} 1", label(client), label(preset));
    }
    text
}
