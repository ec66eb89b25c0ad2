//! `calibrate`.

use crate::output;
use crate::progress::Bar;
use api::calibrate::{CalibrateRequest, ModelErrors, calibrate as score, markdown, model_errors, rows};
use std::path::{Path, PathBuf};

/// `calibrate`
#[derive(clap::Args, Debug)]
pub struct CalibrateArgs {
    /// Runs of the same worlds under several timers: cooja/SCENARIO/RUN-seedN/, live/WORLD-seedN/RUN[.r2]/, or index.json.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// One row for each pair, measure and channel; to a file, or to standard output.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// The scores, which is also what is printed when nothing is asked for; to a file, or to standard output.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub markdown: Option<PathBuf>,
    /// Only these channels (repeatable).
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub channels: Vec<String>,
    /// Only this scenario (repeatable).
    #[arg(long, value_name = "SCENARIO[:SEED]")]
    pub only: Vec<String>,
    /// Seed of every draw.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    /// Replicates of a modelled channel.
    #[arg(long, default_value_t = 200)]
    pub replicates: u32,
    /// Learn the error of network twins as models, and print it: predictions leave it out.
    #[arg(long)]
    pub model_error: bool,
    /// Predict from what a sniffer beside the node with this number hears of runs of Cooja, instead of from all frames.
    #[arg(long, value_name = "NODE")]
    pub sniffer: Option<u32>,
}

/// Scores predictions against real runs.
pub fn calibrate(args: &CalibrateArgs) -> anyhow::Result<()> {
    let request = CalibrateRequest {
        folder: args.folder.clone(),
        channels: args.channels.clone(),
        only: args.only.clone(),
        seed: args.seed,
        replicates: args.replicates,
        model_error: if args.model_error { ModelErrors::Exclude } else { ModelErrors::Include },
        sniffer: args.sniffer,
    };
    let calibrated = score(&request, &mut Bar::new("calibrating"))?;
    for note in &calibrated.notes {
        eprintln!("note: {note}");
    }
    let text = || if args.model_error { model_errors(&calibrated) } else { markdown(&calibrated) };
    if let Some(file) = &args.json {
        output::json(&rows(&calibrated), file_of(file))?;
    }
    match &args.markdown {
        Some(file) => output::text(&text(), file_of(file)),
        None if args.json.is_some() => Ok(()),
        None => output::text(&text(), None),
    }
}

/// `-` is standard output.
fn file_of(file: &Path) -> Option<&Path> {
    (file.as_os_str() != "-").then_some(file)
}
