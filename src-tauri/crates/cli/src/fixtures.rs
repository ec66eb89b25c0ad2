//! `fixtures`: the replies that the page's tests run on, recorded from the real core.
//!
//! `index.json` maps `NAME CANONICAL-REQUEST` to a file beside it. Canonical is JSON with sorted keys
//! and without null members: equal questions have equal text (`ui/src/ipc/canonical.ts`).

use anyhow::Context as _;
use api::{DecodeOptions, Reply, Session, Silent};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rows of a page of the exchange table, as the page asks for them.
const PAGE: u32 = 200;
/// Replicates in Compare, and while a parameter is moved.
const REPLICATES: u32 = 200;
const WHAT_IF: u32 = 20;

/// What is written to, and not kept: the page's tests have no files.
const EXPORTED: &str = "exported.pcapng";

struct Recorder {
    session: Session,
    folder: PathBuf,
    index: BTreeMap<String, String>,
}

/// Fill `folder`.
pub fn record(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "json" || e == "arrow") {
            fs::remove_file(path)?;
        }
    }
    let mut recorder =
        Recorder { session: Session::new(DecodeOptions::default()), folder: folder.to_owned(), index: BTreeMap::new() };
    recorder.start()?;
    for sample in api::samples().iter().take(2) {
        recorder.sample(sample.id)?;
    }
    recorder.mesh()?;
    recorder.figures()?;
    recorder.decoded_otherwise()?;
    recorder.judged_otherwise()?;
    recorder.failures()?;
    let index = serde_json::to_string_pretty(&recorder.index)?;
    fs::write(folder.join("index.json"), index)?;
    eprintln!("{} replies recorded in {}", recorder.index.len(), folder.display());
    Ok(())
}

/// JSON with sorted keys and without null members.
fn canonical(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().filter(|(_, v)| !v.is_null()).collect();
            members.sort_by_key(|(key, _)| key.as_str());
            let members: Vec<_> =
                members.iter().map(|(key, v)| format!("{}:{}", Value::from(key.as_str()), canonical(v))).collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

impl Recorder {
    /// Ask, keep the reply, and return it when it is JSON.
    fn ask(&mut self, name: &str, request: Value) -> anyhow::Result<Value> {
        let key = format!("{name} {}", canonical(&request));
        let number = self.index.len();
        let (file, octets, value) = match self.session.call(name, request, &mut Silent) {
            Ok(Reply::Json(value)) => (format!("{name}-{number}.json"), serde_json::to_vec(&value)?, value),
            Ok(Reply::Bytes(octets)) => (format!("{name}-{number}.arrow"), octets, Value::Null),
            Err(error) => (format!("{name}-{number}.error.json"), serde_json::to_vec(&error)?, Value::Null),
        };
        fs::write(self.folder.join(&file), octets)?;
        self.index.insert(key, file);
        Ok(value)
    }

    /// Ask for a file, and keep only what is said of it.
    fn written(&mut self, name: &str, mut request: Value) -> anyhow::Result<()> {
        let path = self.folder.join(EXPORTED);
        request["path"] = json!(path);
        self.ask(name, request)?;
        fs::remove_file(path)?;
        Ok(())
    }

    fn start(&mut self) -> anyhow::Result<()> {
        self.ask("startup", Value::Null)?;
        self.ask("algorithms", Value::Null)?;
        self.ask("captures", Value::Null)?;
        self.ask("fields", Value::Null)?;
        self.ask("catalogue", Value::Null)?;
        self.ask("presets", json!({}))?;
        // Nothing is plugged in where these are recorded, and nothing can be written there.
        self.ask("live_devices", Value::Null)?;
        self.ask("live_state", Value::Null)?;
        let plan = json!([{ "device": "zep", "channel": 11 }]);
        self.ask("live_start", json!({ "devices": plan, "path": "/nowhere/live.pcapng" }))?;
        for spec in api::specs() {
            for (rtt, loss) in [(0.5, 0.1), (0.5, 0.5), (4.0, 0.1), (4.0, 0.5)] {
                self.ask("outlook", json!({ "algorithm": { "id": spec.id, "params": {} }, "rtt": rtt, "loss": loss }))?;
            }
        }
        Ok(())
    }

    /// Packet lists as the tests of the page ask for them, and the decode trees of their first rows.
    fn packets(&mut self, capture: &Value) -> anyhow::Result<()> {
        for filter in ["", "needless", "coap.midd == 1", "exchange == 3", "note contains \"no such note\""] {
            let list = json!({ "capture": capture, "rows": "frames", "filter": filter, "window": null });
            let count = self.ask("packet_count", list.clone())?;
            let count = u32::try_from(count["count"].as_u64().unwrap_or(0)).unwrap_or(0);
            let last = count.saturating_sub(1) / PAGE;
            for page in [0, 1, last].into_iter().filter(|&page| page <= last && count > 0) {
                self.ask("packets", json!({ "list": list, "offset": page * PAGE, "limit": PAGE }))?;
            }
            let first = self.ask("packet_row", json!({ "list": list, "frame": 0 }))?;
            if !first.is_null() {
                self.ask("dissect", json!({ "capture": capture, "frame": first["frame"] }))?;
            }
            self.ask("packet_row", json!({ "list": list, "exchange": 3 }))?;
        }
        let list = json!({ "capture": capture, "rows": "frames", "filter": "", "window": null });
        self.written("export_packets", json!({ "list": list }))?;
        for frame in (0..60).chain(440..480) {
            self.ask("dissect", json!({ "capture": capture, "frame": frame }))?;
        }
        // Those of the first retransmitted exchange: "show in Packets".
        let frames = json!({ "capture": capture, "rows": "frames", "filter": "", "window": null });
        for frame in 280..330 {
            self.ask("packet_row", json!({ "list": frames, "frame": frame }))?;
            self.ask("dissect", json!({ "capture": capture, "frame": frame }))?;
        }
        let messages = json!({ "capture": capture, "rows": "messages", "filter": "", "window": null });
        self.ask("packet_count", messages.clone())?;
        self.ask("packets", json!({ "list": messages, "offset": 0, "limit": PAGE }))?;
        Ok(())
    }

    /// The network, its load at some playheads, and its series: of everything, of each link and node.
    fn network(&mut self, capture: &Value, start: i64, end: i64) -> anyhow::Result<()> {
        let view = self.ask("network", json!({ "capture": capture }))?;
        let part = (end - start) / 12;
        for k in 0..12 {
            let t0 = start + part * k;
            self.ask("network_load", json!({ "capture": capture, "t0": t0, "t1": t0 + part }))?;
        }
        self.ask("network_load", json!({ "capture": capture, "t0": start, "t1": end }))?;
        let whole = json!({ "capture": capture, "t0": start, "t1": end, "bins": 512 });
        self.ask("network_series", whole.clone())?;
        // In minutes, as a reader may choose.
        let minute = 60_000_000_000;
        let minutes = (end - start + minute - 1) / minute;
        let t1 = start + minutes * minute;
        self.ask("network_series", json!({ "capture": capture, "t0": start, "t1": t1, "bins": minutes }))?;
        for (what, key) in [("links", "link"), ("nodes", "node")] {
            for id in 0..view[what].as_array().map_or(0, Vec::len) {
                let mut request = whole.clone();
                request[key] = json!(id);
                self.ask("network_series", request)?;
            }
        }
        Ok(())
    }

    /// A sample whose routes change, for its network alone.
    fn mesh(&mut self) -> anyhow::Result<()> {
        let view = self.ask("open", json!({ "sample": "grid3x3-burst-cocoa" }))?;
        let (start, end) = (view["start"].as_i64().unwrap_or(0), view["end"].as_i64().unwrap_or(0));
        self.ask("navigator", json!({ "capture": view["id"], "bins": 512 }))?;
        self.ask("step", json!({ "capture": view["id"], "at": start, "kind": "any", "backwards": false }))?;
        self.network(&view["id"], start, end)
    }

    /// Every recipe over the three samples that are open, and what is proposed to say of them.
    fn figures(&mut self) -> anyhow::Result<()> {
        self.ask("recipes", Value::Null)?;
        let opened = self.session.captures();
        let mut captures = Vec::new();
        for view in &opened {
            let tags = self.ask("proposed_tags", json!({ "capture": view.id }))?;
            let said: Map<String, Value> = tags
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|tag| Some((tag["key"].as_str()?.to_owned(), tag["value"].clone())))
                .collect();
            let sample = api::samples().iter().find(|sample| view.name == sample.file);
            let name = sample.map_or_else(|| view.name.clone(), |sample| sample.name.clone());
            captures.push(json!({ "capture": view.id, "name": name, "tags": said }));
        }
        let shown = self.session.call("startup", Value::Null, &mut Silent)?;
        let Reply::Json(shown) = shown else { return Ok(()) };
        let ids = shown["default_algorithms"].as_array().cloned().unwrap_or_default();
        let algorithms: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "params": {} })).collect();
        for recipe in api::recipes() {
            for captures in [&captures[..1], &captures[..2], &captures[..]] {
                let asked = json!({
                    "recipe": recipe.id, "captures": captures, "algorithms": algorithms, "params": {},
                    "channel": "empirical", "workload": "auto", "seed": 1, "replicates": REPLICATES,
                });
                let mut otherwise = asked.clone();
                if let (&[one], "rto_box") = (&captures, recipe.id) {
                    let mut deployed = one.clone();
                    deployed["part"] = json!({ "as_recorded": [0] });
                    let mut asked = asked.clone();
                    asked["captures"] = json!([deployed]);
                    self.ask("figure", asked)?;
                }
                self.ask("figure_line", asked.clone())?;
                self.ask("figure", asked)?;
                let switch = match recipe.id {
                    "rto_box" => json!({ "box": "iqr15" }),
                    "factor_box" => json!({ "run": "replicate" }),
                    _ => continue,
                };
                otherwise["params"] = switch;
                self.ask("figure", otherwise)?;
            }
        }
        Ok(())
    }

    /// The first sample again, with another port named and a key that nothing needs.
    fn decoded_otherwise(&mut self) -> anyhow::Result<()> {
        let Some(sample) = api::samples().first() else { return Ok(()) };
        let decode = json!({
            "fcs": "auto", "ports": [5683, 61616], "rc_option": null, "contexts": [],
            "keys": ["00000000000000000000000000000000"], "addresses": [], "unpack_ratio": null,
        });
        let view = self.ask("open", json!({ "sample": sample.id, "decode": decode }))?;
        let capture = view["id"].clone();
        self.ask("navigator", json!({ "capture": capture, "bins": 512 }))?;
        self.replayed(&capture)?;
        Ok(())
    }

    /// The second sample, said to have been taken in between for the client of its first retransmission, and that taken
    /// back: each goes on under a new number.
    fn judged_otherwise(&mut self) -> anyhow::Result<()> {
        let Some(view) = self.session.captures().into_iter().nth(1) else { return Ok(()) };
        let view = serde_json::to_value(view)?;
        let (start, end) = (view["start"].as_i64().unwrap_or(0), view["end"].as_i64().unwrap_or(0));
        let first = json!({ "capture": view["id"], "at": start, "kind": "retransmission", "backwards": false });
        let first = self.ask("step", first)?;
        let between = json!([{ "association": first["association"], "vantage": "between", "workload": null }]);
        let mut capture = view["id"].clone();
        for said in [between.clone(), json!([]), between] {
            capture = self.ask("assume", json!({ "capture": capture, "said": said }))?["id"].clone();
            self.ask("navigator", json!({ "capture": capture, "bins": 512 }))?;
            self.ask("exchange", json!({ "capture": capture, "exchange": first["exchange"], "runs": [] }))?;
            let mut runs = vec![Value::Null];
            runs.extend(self.replayed(&capture)?);
            for (t0, t1) in [(start, end), (start + (end - start) / 6, start + (end - start) / 4)] {
                self.ask("lanes", json!({ "capture": capture, "runs": runs, "t0": t0, "t1": t1, "px": 900 }))?;
            }
        }
        Ok(())
    }

    /// What the core replays by default, in few replicates: the numbers of the runs.
    fn replayed(&mut self, capture: &Value) -> anyhow::Result<Vec<Value>> {
        let ids: Vec<&str> = api::specs().iter().filter(|s| s.default).map(|s| s.id).collect();
        let algorithms: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "params": {} })).collect();
        let reply = self.ask(
            "replay",
            json!({
                "capture": capture, "algorithms": algorithms, "channel": "empirical", "workload": "auto", "seed": 1,
                "replicates": WHAT_IF, "baseline": null, "bounds": true,
            }),
        )?;
        Ok(reply["runs"].as_array().into_iter().flatten().map(|run| run["run"].clone()).collect())
    }

    fn failures(&mut self) -> anyhow::Result<()> {
        self.ask("open", json!({ "path": "/nowhere/missing.pcap" }))?;
        self.ask("presets", json!({ "path": "/nowhere/missing.toml" }))?;
        Ok(())
    }

    fn sample(&mut self, id: &str) -> anyhow::Result<()> {
        let view = self.ask("open", json!({ "sample": id }))?;
        let capture = view["id"].clone();
        let (start, end) = (view["start"].as_i64().unwrap_or(0), view["end"].as_i64().unwrap_or(0));
        let lanes = view["associations"].as_array().map_or(0, Vec::len);
        let exchanges = view["exchanges"].as_u64().unwrap_or(0);
        for bins in [48, 512] {
            self.ask("navigator", json!({ "capture": capture, "bins": bins }))?;
        }

        let ids = |list: &[String]| -> Value {
            list.iter().map(|id| json!({ "id": id, "params": {} })).collect::<Vec<_>>().into()
        };
        let settings = |algorithms: Value, channel: &str, replicates: u32, baseline: Value| {
            json!({
                "capture": capture, "algorithms": algorithms, "channel": channel, "workload": "auto", "seed": 1,
                "replicates": replicates, "baseline": baseline, "bounds": replicates > WHAT_IF,
            })
        };
        // What the core replays when nobody says what.
        let first = self.ask("replay", settings(json!([]), "empirical", REPLICATES, Value::Null))?;
        let choices = first["runs"].as_array().cloned().unwrap_or_default();
        let all: Vec<String> =
            choices.iter().filter_map(|run| run["algorithm"]["id"].as_str().map(str::to_owned)).collect();
        let mut runs: Vec<Value> = vec![Value::Null];
        let reply = self.ask("replay", settings(ids(&all), "empirical", REPLICATES, Value::Null))?;
        for run in reply["runs"].as_array().into_iter().flatten() {
            runs.push(run["run"].clone());
        }
        self.written("export_run", json!({ "run": runs.last() }))?;
        self.ask("replay", settings(ids(&all), "recorded", REPLICATES, Value::Null))?;
        self.ask("replay", settings(ids(&all), "empirical", REPLICATES, json!(0)))?;
        for id in &all {
            self.what_if(&capture, id, &settings)?;
        }

        for (t0, t1) in [(start, end), (start + (end - start) / 6, start + (end - start) / 4)] {
            for px in [900, 60_000] {
                self.ask("lanes", json!({ "capture": capture, "runs": runs, "t0": t0, "t1": t1, "px": px }))?;
            }
        }
        for run in &runs {
            for lane in 0..lanes {
                self.ask(
                    "rto",
                    json!({ "capture": capture, "run": run, "association": lane, "t0": start, "t1": end }),
                )?;
                if !run.is_null() {
                    for quarter in 0..4 {
                        let at = start + (end - start) / 4 * quarter;
                        self.ask("state", json!({ "capture": capture, "run": run, "association": lane, "at": at }))?;
                    }
                }
            }
        }
        self.report(&capture, id, start, end)?;
        self.packets(&capture)?;
        self.network(&capture, start, end)?;
        self.ask("identify", json!({ "capture": capture, "associations": [] }))?;
        self.ask("weather", json!({ "capture": capture }))?;
        for lane in 0..lanes {
            let whole = json!({ "capture": capture, "association": lane, "t0": start, "t1": end, "points": 1024 });
            self.ask("weather_series", whole)?;
        }
        let mut asked = settings(ids(&all), "empirical", REPLICATES, Value::Null);
        asked["bounds"] = json!(false);
        self.ask("sensitivity", asked)?;
        let shown: Vec<&Value> = runs.iter().filter(|r| !r.is_null()).collect();
        for exchange in 0..exchanges.min(100) {
            self.ask("ladder", json!({ "capture": capture, "exchange": exchange, "runs": shown }))?;
        }
        for lane in 0..lanes {
            let all = json!({ "capture": capture, "association": lane, "sort": "start", "offset": 0, "limit": 41 });
            self.ask("exchanges", all)?;
        }
        for exchange in 0..exchanges.min(400) {
            self.ask("exchange", json!({ "capture": capture, "exchange": exchange, "runs": shown }))?;
        }
        for retransmitted in [false, true] {
            for (sort, descending) in [("start", false), ("rtt", true), ("copies", true)] {
                let query = |offset: u32, limit: u32| {
                    json!({
                        "capture": capture, "retransmitted": retransmitted, "sort": sort, "descending": descending,
                        "offset": offset, "limit": limit,
                    })
                };
                let count = self.ask("exchange_count", query(0, 0))?["count"].as_u64().unwrap_or(0);
                for page in 0..count.div_ceil(u64::from(PAGE)) {
                    let offset = u32::try_from(page).unwrap_or(0) * PAGE;
                    self.ask("exchanges", query(offset, PAGE))?;
                }
            }
        }
        self.steps(&capture, start, end)
    }

    /// A session with the algorithms that are shown first, and its report; a session whose capture is not there.
    fn report(&mut self, capture: &Value, id: &str, start: i64, end: i64) -> anyhow::Result<()> {
        let shown = self.ask("startup", Value::Null)?["default_algorithms"].clone();
        let algorithms: Vec<Value> =
            shown.as_array().into_iter().flatten().map(|id| json!({ "id": id, "params": {} })).collect();
        let file = json!({
            "format": "rtoscope-session", "version": 1, "program": "", "current": 0, "view": "report",
            "captures": [{
                "name": "", "sample": id, "files": [], "window": [start, end], "selection": null, "playhead": start,
                "association": 0, "tags": {},
                "decode": {
                    "fcs": "auto", "ports": [], "rc_option": null, "contexts": [], "keys": 0, "addresses": [],
                    "unpack_ratio": null,
                },
            }],
            "algorithms": algorithms, "baseline": null, "metrics": null, "what_if": null,
            "replay": { "channel": "empirical", "workload": "auto", "seed": 1, "replicates": REPLICATES },
            "report": { "title": "", "notes": "", "sections": [], "figures": [{ "recipe": "rto_box", "params": {} }] },
        });
        self.ask("report", json!({ "capture": capture, "file": file, "path": null }))?;
        let place = self.folder.join("saved.rtoscope.json").display().to_string();
        self.ask("session_write", json!({ "path": place, "captures": [capture], "file": file }))?;
        let mut read = self.ask("session_read", json!({ "path": place }))?;
        read["file"]["captures"][0]["sample"] = Value::Null;
        read["found"][0] = json!({ "state": "missing", "paths": [null] });
        let moved = json!({ "path": format!("/recorded/moved-{id}.rtoscope.json") });
        let name = format!("session_read-moved-{id}.json");
        fs::write(self.folder.join(&name), serde_json::to_vec(&read)?)?;
        self.index.insert(format!("session_read {}", canonical(&moved)), name);
        Ok(())
    }

    fn what_if(
        &mut self,
        capture: &Value,
        id: &str,
        settings: &dyn Fn(Value, &str, u32, Value) -> Value,
    ) -> anyhow::Result<()> {
        let specs = api::specs();
        let Some(spec) = specs.iter().find(|s| s.id == id) else { return Ok(()) };
        let numbers = spec
            .params
            .iter()
            .filter_map(|p| Some((p.name, p.min?, p.max?, serde_json::to_value(&p.default).ok()?.as_f64()?)));
        if let Some((name, min, max, default)) = numbers.clone().next() {
            let moved = if default * 1.5 <= max { default * 1.5 } else { (default + min) / 2.0 };
            let pair = json!([{ "id": id, "params": {} }, { "id": id, "params": { name: moved } }]);
            for replicates in [WHAT_IF, REPLICATES] {
                self.ask("replay", settings(pair.clone(), "empirical", replicates, json!(0)))?;
            }
        }
        self.search(capture, id, &numbers.clone().map(|(name, ..)| name).collect::<Vec<_>>())?;
        for (name, min, max, default) in numbers {
            let values: Vec<f64> =
                (1..=8).map(|k| default * f64::from(k) / 4.0).filter(|v| (min..=max).contains(v)).collect();
            let mut request: Map<String, Value> = Map::new();
            request.insert("algorithm".to_owned(), json!({ "id": id, "params": {} }));
            request.insert("capture".to_owned(), capture.clone());
            request.insert("parameter".to_owned(), name.into());
            request.insert("values".to_owned(), json!(values));
            for (key, value) in [("channel", json!("empirical")), ("workload", json!("auto"))] {
                request.insert(key.to_owned(), value);
            }
            request.insert("seed".to_owned(), json!(1));
            request.insert("replicates".to_owned(), json!(WHAT_IF));
            self.ask("sweep", Value::Object(request))?;
        }
        Ok(())
    }

    /// Two parameters at once, and good values of them.
    fn search(&mut self, capture: &Value, id: &str, names: &[&str]) -> anyhow::Result<()> {
        let &[one, other, ..] = names else { return Ok(()) };
        let algorithm = json!({ "id": id, "params": {} });
        let specs = api::specs();
        let spec = specs.iter().find(|spec| spec.id == id);
        let default = |name: &str| {
            let param = spec.and_then(|spec| spec.params.iter().find(|param| param.name == name));
            param.and_then(|param| serde_json::to_value(&param.default).ok()?.as_f64()).unwrap_or(1.0)
        };
        let values = |name: &str| [0.5, 1.0, 2.0].map(|k| k * default(name));
        self.ask(
            "sweep",
            json!({
                "capture": capture, "algorithm": algorithm, "parameter": one, "values": values(one),
                "across": { "parameter": other, "values": values(other) },
                "channel": "empirical", "workload": "auto", "seed": 1, "replicates": WHAT_IF,
            }),
        )?;
        self.ask(
            "optimise",
            json!({
                "capture": capture, "hold_out": null, "algorithm": algorithm, "over": [one, other],
                "objective": "completion", "method": "nelder_mead", "evaluations": 20, "channel": "empirical",
                "workload": "auto", "seed": 1, "replicates": 5,
            }),
        )?;
        Ok(())
    }

    fn steps(&mut self, capture: &Value, start: i64, end: i64) -> anyhow::Result<()> {
        for kind in ["any", "retransmission", "needless", "lost"] {
            for backwards in [false, true] {
                let mut at = if backwards { end } else { start };
                for _ in 0..12 {
                    let request = json!({ "capture": capture, "at": at, "kind": kind, "backwards": backwards });
                    match self.ask("step", request)?["at"].as_i64() {
                        Some(next) => at = next,
                        None => break,
                    }
                }
            }
        }
        Ok(())
    }
}
