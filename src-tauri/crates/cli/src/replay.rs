//! `replay`.

use crate::algorithms::{session, unknown};
use crate::args::{ChannelArg, Format, Misuse, ReplayArgs, WorkloadArg};
use crate::progress::Bar;
use crate::{capture, output};
use api::view::{
    AlgorithmChoice, CaptureView, ChannelKind, MetricView, ReplayRequest, ReplayView, RunView, WorkloadKind,
};
use api::{DecodeOptions, Session};
use serde_json::{Map, Value, json};

/// Replay a capture under other timers.
pub fn replay(args: &ReplayArgs) -> anyhow::Result<()> {
    let session = session(DecodeOptions::default(), &args.model.presets)?;
    let algorithms = args.algorithms.iter().map(|text| choice(&session, text)).collect::<Result<Vec<_>, _>>()?;
    let view = session.adopt(capture::open(&args.capture)?);
    let request = ReplayRequest {
        capture: view.id,
        algorithms,
        channel: ChannelKind::from(args.model.channel),
        workload: workload(args.model.workload),
        seed: args.model.seed,
        replicates: args.model.replicates,
        baseline: None,
        part: args.part.of_one(&view)?,
        bounds: true,
        policy: args.policy.view(),
    };
    if args.sensitivity {
        return sensitivity(args, &session, &request);
    }
    let reply = session.replay(&request, &mut Bar::new("replaying"))?;
    if args.output.format == Format::Json {
        return output::json(&document(&view, &request, &reply)?, args.output.out.as_deref());
    }
    output::listing(&api::comparison(&reply), &args.output)
}

/// What the answer depends on.
fn sensitivity(args: &ReplayArgs, session: &Session, request: &ReplayRequest) -> anyhow::Result<()> {
    let view = session.sensitivity(request, &mut Bar::new("asking in other ways"))?;
    let out = args.output.out.as_deref();
    match args.output.format {
        Format::Json => output::json(&serde_json::to_value(&view)?, out),
        Format::Table => output::text(&crate::sensitivity::text(&view), out),
        Format::Csv | Format::Parquet => Err(Misuse("--sensitivity is text or JSON".to_owned()).into()),
    }
}

impl From<ChannelArg> for ChannelKind {
    fn from(arg: ChannelArg) -> Self {
        match arg {
            ChannelArg::Recorded => Self::Recorded,
            ChannelArg::Empirical => Self::Empirical,
            ChannelArg::GilbertElliott => Self::GilbertElliott,
            ChannelArg::Loaded => Self::Loaded,
            ChannelArg::LoadedGilbertElliott => Self::LoadedGilbertElliott,
            ChannelArg::Queued => Self::Queued,
        }
    }
}

/// The workload asked for.
pub const fn workload(arg: WorkloadArg) -> WorkloadKind {
    match arg {
        WorkloadArg::Auto => WorkloadKind::Auto,
        WorkloadArg::Arrivals => WorkloadKind::Arrivals,
        WorkloadArg::ThinkTime => WorkloadKind::ThinkTime,
    }
}

/// `NAME[:key=value,...]`
pub fn choice(session: &Session, text: &str) -> anyhow::Result<AlgorithmChoice> {
    let (id, overrides) = text.split_once(':').map_or((text, None), |(id, rest)| (id, Some(rest)));
    let roster = session.roster();
    if roster.spec(id).is_none() {
        return Err(unknown(id, roster.algorithms()).into());
    }
    let params = match overrides.map(api::parse_overrides) {
        None => Map::new(),
        Some(Ok(Value::Object(params))) => params,
        Some(Ok(other)) => return Err(Misuse(format!("`{other}` is not a list of parameters")).into()),
        Some(Err(error)) => return Err(Misuse(error.to_string()).into()),
    };
    Ok(AlgorithmChoice { id: id.to_owned(), params })
}

fn document(view: &CaptureView, request: &ReplayRequest, reply: &ReplayView) -> anyhow::Result<Value> {
    let shown = |names: &RunView| -> Map<String, Value> {
        let metric = |m: &MetricView| {
            json!({
                "recorded": m.recorded, "worst": m.worst, "best": m.best,
                "mean": m.mean, "lo90": m.lo90, "hi90": m.hi90,
                "another_lo90": m.another.map(|a| a.0), "another_hi90": m.another.map(|a| a.1), "support": m.support,
            })
        };
        names.metrics.iter().map(|(name, m)| (name.clone(), metric(m))).collect()
    };
    let runs: Vec<Value> = reply
        .runs
        .iter()
        .map(|run| {
            json!({
                "algorithm": run.algorithm.id,
                "params": run.algorithm.params,
                "channel": request.channel,
                "workload": request.workload,
                "seed": request.seed,
                "replicates": request.replicates,
                "as_recorded": request.part.as_recorded,
                "start": request.part.start,
                "policy": request.policy,
                "metrics": shown(run),
            })
        })
        .collect();
    Ok(json!({
        "capture": { "name": view.name, "path": view.path, "sha256": view.sha256, "files": view.read_as.files, "frames": view.frames, "exchanges": view.exchanges },
        "runs": runs,
    }))
}
