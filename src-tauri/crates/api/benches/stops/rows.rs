//! The requests that are measured.

use super::*;

/// Every command, in each of the ways that take time of their own.
pub fn rows(file: &str, folder: &Path) -> Vec<Row> {
    [
        of_captures(file),
        of_alerts(file),
        of_timers(folder),
        of_replays(),
        of_packets(folder),
        of_files(folder),
        of_window(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Opening, judging and closing captures, and what needs none.
fn of_captures(file: &str) -> Vec<Row> {
    let path = file.to_owned();
    vec![
        row("startup", "", |_| Value::Null),
        row("algorithms", "", |_| Value::Null),
        row("catalogue", "", |_| Value::Null),
        row("presets", "", |_| json!({})),
        row("outlook", "", |_| json!({ "algorithm": { "id": "cocoa_plus", "params": {} }, "rtt": 0.5, "loss": 0.1 })),
        row("open", "", move |_| json!({ "path": path })),
        row("captures", "", |_| Value::Null),
        row(
            "assume",
            "",
            |o| json!({ "capture": o.capture, "said": [{ "association": null, "vantage": "between", "workload": null }] }),
        ),
        row("close", "", |o| json!({ "capture": o.capture })),
    ]
}

/// Alerts of the capture as a file that is followed.
fn of_alerts(file: &str) -> Vec<Row> {
    const RULES: [&str; 3] = ["needless > 20% for 5min", "timer-changed", "parent-changed then storm within 10min"];
    let path = file.to_owned();
    let watch = move |open: &Open| {
        let is_new = ask(&open.session, "follow_state", Value::Null).is_null();
        if is_new {
            ask(&open.session, "follow_start", json!({ "path": path }));
            ask(&open.session, "alerts_start", json!({ "rules": RULES, "source": "followed" }));
        }
        json!({ "after": 0 })
    };
    let start = watch.clone();
    let last = watch.clone();
    vec![
        row("alerts_check", "", |_| json!({ "rules": RULES })),
        row("alerts_start", "", move |o| {
            start(o);
            json!({ "rules": RULES, "source": "followed" })
        }),
        row("alerts_look", "", watch),
        row("alerts_stop", "", last),
    ]
}

/// Timers for stacks, without a capture.
fn of_timers(folder: &Path) -> Vec<Row> {
    let algorithm = json!({ "id": "coap_default", "params": {} });
    let timer = json!({ "algorithm": algorithm, "stack": "contiki-ng" });
    let applied =
        json!({ "timer": timer, "file": "lines", "path": folder.join("project-conf.h").display().to_string() });
    let only = |value: &Value| {
        let value = value.clone();
        move |_: &Open| value.clone()
    };
    vec![
        row("coap_stacks", "", only(&json!({ "algorithm": algorithm }))),
        row("apply", "", only(&timer)),
        row("c_program", "", only(&timer)),
        row("export_applied", "", only(&applied)),
    ]
}

/// Replays and what is estimated for them.
fn of_replays() -> Vec<Row> {
    let mut rows = Vec::new();
    for channel in ["recorded", "empirical", "gilbert_elliott", "loaded", "queued"] {
        rows.push(row("replay", channel, move |o| replay(o, channel)));
    }
    rows.extend([
        row("replay", "servers share a limit", |o| sharing(o, json!({ "plimit": true }))),
        row("replay", "later part", |o| {
            let mut request = replay(o, "empirical");
            request["part"] = json!({ "start": { "at": o.at(0.3), "warm": true } });
            request
        }),
        row("sweep", "", |o| {
            json!({
                "capture": o.capture, "algorithm": { "id": "coap_default", "params": {} }, "parameter": "ack_timeout",
                "values": [1.0, 2.0, 3.0], "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 1,
            })
        }),
        row("optimise", "", |o| {
            json!({
                "capture": o.capture, "hold_out": null, "algorithm": { "id": "coap_default", "params": {} },
                "over": ["ack_timeout"], "objective": "completion", "method": "nelder_mead", "evaluations": 5,
                "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 1,
            })
        }),
        row("sensitivity", "", |o| {
            let mut request = replay(o, "empirical");
            request["algorithms"] = json!([{ "id": "coap_default", "params": {} }]);
            request["bounds"] = json!(false);
            request
        }),
        row("trust", "", |o| json!({ "capture": o.capture })),
        row("halves", "", |o| json!({ "capture": o.capture })),
        row("measured", "", |o| json!({ "capture": o.capture, "algorithms": algorithms() })),
        row("verdict", "", |o| replay(o, "empirical")),
        of_runs("distribution", "", |o| json!({ "capture": o.capture, "runs": o.runs, "clients": 12 })),
        of_runs("keep_prediction", "", |o| json!({ "runs": o.runs })),
        row("channel_states", "", |o| json!({ "capture": o.capture })),
        row(
            "channel_state_series",
            "",
            |o| json!({ "capture": o.capture, "association": 0, "t0": o.start, "t1": o.end, "points": 1024 }),
        ),
        row("identify", "", |o| json!({ "capture": o.capture, "associations": [] })),
    ]);
    rows
}

/// Frames, messages and the network.
fn of_packets(folder: &Path) -> Vec<Row> {
    let place = |name: &str| folder.join(name).display().to_string();
    let (packets, run, table) = (place("packets.pcapng"), place("run.pcapng"), place("packets.csv"));
    let nodes = place("nodes.csv");
    vec![
        row("fields", "", |_| Value::Null),
        row("packet_count", "no filter", |o| list(o, "frames", "")),
        row("packet_count", "needless", |o| list(o, "frames", "needless")),
        row("packet_count", "a field of the tree", |o| list(o, "frames", "coap.opt.uri_path contains \"a\"")),
        row("packet_row", "", |o| json!({ "list": list(o, "frames", ""), "at": o.at(0.9) })),
        row("packets", "", |o| json!({ "list": list(o, "messages", "needless"), "offset": 0, "limit": 200 })),
        row("check_filter", "", |_| json!({ "filter": "coap.mid == twelve" })),
        row(
            "export_packet_table",
            "",
            move |o| json!({ "list": list(o, "frames", ""), "columns": ["frame", "src", "info", "coap.mid"], "path": table }),
        ),
        row("node_list", "", move |o| {
            std::fs::write(&nodes, "node,x,y\nmote 1,0,0\nmote 2,10,0\n").unwrap();
            json!({ "capture": o.capture, "path": nodes })
        }),
        row("dissect", "", |o| json!({ "capture": o.capture, "frame": 1000 })),
        row("network", "", |o| json!({ "capture": o.capture })),
        row("network_load", "", |o| json!({ "capture": o.capture, "t0": o.start, "t1": o.end })),
        row(
            "network_series",
            "",
            |o| json!({ "capture": o.capture, "t0": o.start, "t1": o.end, "bins": 512, "node": 0 }),
        ),
        row("export_packets", "", move |o| json!({ "list": list(o, "frames", ""), "path": packets })),
        of_runs("export_run", "", move |o| json!({ "run": o.runs[0], "path": run })),
    ]
}

/// Figures, sessions and reports.
fn of_files(folder: &Path) -> Vec<Row> {
    let place = |name: &str| folder.join(name).display().to_string();
    let (table, picture, session) = (place("figure.csv"), place("picture.svg"), place("session.rtoscope.json"));
    let mut rows =
        vec![row("recipes", "", |_| Value::Null), row("proposed_tags", "", |o| json!({ "capture": o.capture }))];
    for recipe in api::recipes() {
        rows.push(row("figure", recipe.id, move |o| figure(o, recipe.id)));
    }
    rows.extend([
        row("figure_line", "", |o| figure(o, "rto_box")),
        row("export_figure", "", move |o| json!({ "figure": figure(o, "rto_box"), "format": "csv", "path": table })),
        row("export_picture", "", move |_| json!({ "path": picture, "content": "<svg/>" })),
        row("session_write", "", {
            let session = session.clone();
            move |o| json!({ "path": session, "captures": [o.capture], "file": session_file(o) })
        }),
        // Its captures are looked for by their sums; the row above has written it.
        row("session_read", "", move |_| json!({ "path": session })),
        row("report", "", move |o| json!({ "capture": o.capture, "file": session_file(o), "path": null })),
    ]);
    rows
}

/// Columns and events that the window draws.
fn of_window() -> Vec<Row> {
    vec![
        row("navigator", "", |o| json!({ "capture": o.capture, "bins": 872 })),
        of_runs(
            "lanes",
            "all",
            |o| json!({ "capture": o.capture, "runs": o.behaviours(), "t0": o.start, "t1": o.end, "px": 900 }),
        ),
        of_runs(
            "lanes",
            "a thousandth",
            |o| json!({ "capture": o.capture, "runs": o.behaviours(), "t0": o.at(0.5), "t1": o.at(0.501), "px": 900 }),
        ),
        of_runs("lane_hosts", "", |o| json!({ "capture": o.capture, "runs": o.behaviours(), "hosts": [0] })),
        of_runs(
            "rto",
            "",
            |o| json!({ "capture": o.capture, "run": o.runs[0], "association": 0, "t0": o.start, "t1": o.end }),
        ),
        of_runs("state", "", |o| json!({ "capture": o.capture, "run": o.runs[0], "association": 0, "at": o.at(0.9) })),
        row(
            "step",
            "lost, from the start",
            |o| json!({ "capture": o.capture, "at": o.start, "kind": "lost", "backwards": false }),
        ),
        of_runs("step", "disagreement of a run with itself", |o| {
            let between = [&o.runs[0], &o.runs[0]];
            json!({ "capture": o.capture, "at": o.start, "kind": "disagreement", "backwards": false, "between": between })
        }),
        of_runs("exchange", "", |o| json!({ "capture": o.capture, "exchange": 1000, "runs": o.runs })),
        of_runs("ladder", "", |o| json!({ "capture": o.capture, "exchange": 1000, "runs": o.runs })),
        row("exchange_count", "", |o| json!({ "capture": o.capture, "retransmitted": true, "offset": 0, "limit": 0 })),
        row("exchange_row", "", |o| {
            let rows = json!({ "capture": o.capture, "sort": "rtt", "descending": true, "offset": 0, "limit": 200 });
            json!({ "list": rows, "exchange": 1000 })
        }),
        row(
            "exchanges",
            "by round trip",
            |o| json!({ "capture": o.capture, "sort": "rtt", "descending": true, "offset": 0, "limit": 200 }),
        ),
    ]
}
