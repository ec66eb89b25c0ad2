//! `replay`.

mod sensitivity;

use crate::args::{CaptureArgs, Format, Misuse, ModelArgs, OutputArgs};
use crate::choices::{choice, session};
use crate::part::PartArgs;
use crate::policy::PolicyArgs;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{
    AlgorithmChoice, CaptureRequest, CaptureView, ChannelKind, MeasuredRequest, MeasuredRun, MetricView, ReplayRequest,
    ReplayView, RunView,
};
use api::{DecodeOptions, Session};
use clap::ValueEnum as _;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// `replay`
#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Algorithm with overrides, such as `cocoa_plus:k_weak=1,alpha=1/4` (repeatable); without, the six of a first
    /// comparison and the presets of --presets.
    #[arg(long = "algorithm", value_name = "NAME[:key=value,...]")]
    pub algorithms: Vec<String>,
    /// Algorithm that differences are taken to, one of those replayed; without, what was recorded. Differences are
    /// paired: same replicate, same channel.
    #[arg(long, value_name = "NAME[:key=value,...]", conflicts_with = "sensitivity")]
    pub baseline: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub part: PartArgs,
    /// Ask the same in other ways: with other channels, longer and shorter channel coherence, other workloads, and
    /// without each client; and how likely each algorithm is to be the best. As text, or all of it with --format json.
    #[arg(long)]
    pub sensitivity: bool,
    /// Capture of a real run of the same network (repeatable): its measured values are printed beside the predictions
    /// of its timer. Bundled captures know theirs.
    #[arg(long = "measured", value_name = "FILE")]
    pub measured: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
}

/// Replays a capture under other timers and prints measures beside the recorded ones. Fails where a capture cannot be
/// read, nothing is left to replay, or an algorithm, client or baseline is unknown.
pub fn replay(args: &ReplayArgs) -> anyhow::Result<()> {
    let session = session(DecodeOptions::default(), &args.model.presets)?;
    let algorithms = args.algorithms.iter().map(|text| choice(&session, text)).collect::<Result<Vec<_>, _>>()?;
    let view = session.adopt(captures::open(&args.capture)?);
    let baseline = args.baseline.as_ref().map(|text| choice(&session, text)).transpose()?;
    let mut request = ReplayRequest {
        capture: view.id,
        algorithms,
        channel: args.model.chance.channel,
        workload: args.model.chance.workload,
        seed: args.model.chance.seed,
        replicates: args.model.replicates,
        baseline: None,
        part: args.part.of_one(&view)?,
        bounds: true,
        policy: args.policy.view(),
    };
    if view.exchanges == 0 {
        return Err(Misuse("the capture has no confirmable exchange: there is nothing to replay".to_owned()).into());
    }
    if args.sensitivity {
        return sensitivity(args, &session, &request);
    }
    let mut reply = session.replay(&request, &mut Bar::new("replaying"))?;
    if let Some(baseline) = &baseline {
        request.baseline = Some(place(baseline, &reply)?);
        // The runs are kept: only the differences are new.
        reply = session.replay(&request, &mut Bar::new("comparing"))?;
    }
    let mut others = Vec::new();
    for file in &args.measured {
        let capture = CaptureArgs { files: vec![file.clone()], merge: false, ..args.capture.clone() };
        others.push((file, session.adopt(captures::open(&capture)?).id));
    }
    let asked = MeasuredRequest {
        capture: request.capture,
        algorithms: reply.runs.iter().map(|run| run.algorithm.clone()).collect(),
    };
    let measured = session.measured(&asked, &mut Bar::new("measuring"))?;
    for (file, id) in others {
        if !measured.iter().any(|run| run.capture == Some(id)) {
            output::say(&format!("{}: not a run of the same network", file.display()));
        }
    }
    // With the values of real runs, which the reply itself does not wait for.
    reply.verdict = api::verdict(&reply.runs, &measured, request.baseline);
    output::say(&format!("verdict: {}", reply.verdict.headline));
    reply.verdict.details.iter().for_each(|detail| output::say(&format!("  {detail}")));
    let reservations = reservations(&reply, args.model.chance.channel);
    reservations.iter().for_each(|said| output::say(said));
    if args.output.format == Format::Json {
        let asked = CaptureRequest { capture: request.capture };
        let conditions = session.conditions(&asked, &mut Bar::new("reading the network"))?;
        let mut document = document(&view, &request, &reply, &measured)?;
        document["conditions"] = json!(conditions);
        document["reservations"] = json!(reservations);
        return output::json(&document, args.output.out.as_ref());
    }
    let rows = api::comparison(&reply, &measured, request.baseline);
    output::listing_below(&reply.verdict.text(), &rows, &args.output, "")
}

/// Returns the index of the run of `baseline` in `reply.runs`: its algorithm, with at least these parameters. Fails
/// where there is none.
fn place(baseline: &AlgorithmChoice, reply: &ReplayView) -> Result<u32, Misuse> {
    let is_it = |run: &RunView| {
        let has = |(name, value): (&String, &Value)| run.algorithm.params.get(name) == Some(value);
        run.algorithm.id == baseline.id && baseline.params.iter().all(has)
    };
    let found = reply.runs.iter().position(is_it).and_then(|index| u32::try_from(index).ok());
    let replayed = || reply.runs.iter().map(|run| run.algorithm.id.as_str()).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| Misuse(format!("--baseline {}: none of the algorithms replayed, {}", baseline.id, replayed())))
}

/// Returns the reservations of the numbers, as the window shows them: the channel and why, or what it assumes; how far
/// a channel that the capture chose is trusted; and whether the results rest mostly on what it assumes.
fn reservations(reply: &ReplayView, asked: ChannelKind) -> Vec<String> {
    let assumes = || Some(asked.to_possible_value()?.get_help()?.to_string());
    let channel = reply.chosen.as_ref().map(|chosen| chosen.why.clone()).or_else(assumes);
    let trust = reply.chosen.as_ref().map(|chosen| format!("trust: {}", chosen.trust.id()));
    let channel = channel.map(|why| format!("channel: {why}"));
    channel.into_iter().chain(trust).chain(api::reservation(reply, asked)).collect()
}

/// Prints the means under other channels, coherence times, workloads and without each client.
fn sensitivity(args: &ReplayArgs, session: &Session, request: &ReplayRequest) -> anyhow::Result<()> {
    let view = session.sensitivity(request, &mut Bar::new("asking in other ways"))?;
    let out = args.output.out.as_ref();
    match args.output.format {
        Format::Json => output::json(&serde_json::to_value(&view)?, out),
        Format::Table => output::text(&sensitivity::text(&view), out),
        Format::Csv | Format::Parquet | Format::Markdown => {
            output::listing(&sensitivity::listing(&view), &args.output, "")
        }
    }
}

/// Returns the JSON document of a replay, which is also the prediction that `check-again` reads.
fn document(
    view: &CaptureView,
    request: &ReplayRequest,
    reply: &ReplayView,
    measured: &[MeasuredRun],
) -> anyhow::Result<Value> {
    let shown = |names: &RunView| -> Map<String, Value> {
        let metric = |m: &MetricView| {
            json!({
                "recorded": m.recorded, "recorded_lo": m.recorded_range.map(|r| r.0),
                "recorded_hi": m.recorded_range.map(|r| r.1), "worst": m.worst, "best": m.best,
                "mean": m.mean, "lo90": m.lo90, "hi90": m.hi90,
                "another_lo90": m.another.map(|a| a.0), "another_hi90": m.another.map(|a| a.1), "support": m.support,
                "modes": m.modes,
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
                "modes": run.modes,
                "metrics": shown(run),
                "differences": run.differences,
            })
        })
        .collect();
    Ok(json!({
        "verdict": reply.verdict,
        "chosen": reply.chosen,
        "capture": { "name": view.name, "path": view.path, "sha256": view.sha256, "files": view.read_as.files, "frames": view.frames, "exchanges": view.exchanges },
        "baseline": request.baseline.and_then(|index| reply.runs.get(index as usize)).map(|run| &run.algorithm),
        "runs": runs,
        "measured": measured,
    }))
}
