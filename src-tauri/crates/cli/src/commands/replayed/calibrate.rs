//! `calibrate`.

use crate::args::{Format, OutFile, OutputArgs};
use crate::numbers::whole;
use crate::output;
use crate::progress::Bar;
use api::calibrate::{CalibrateRequest, ModelErrors, calibrate as score, listing, markdown, model_errors, rows};
use std::path::PathBuf;

/// `calibrate`
#[derive(clap::Args, Debug)]
pub struct CalibrateArgs {
    /// Runs of the same worlds under several timers: cooja/SCENARIO/RUN-seedN/, live/WORLD-seedN/RUN[.r2]/, or
    /// index.json.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Form of the output: by default the scores as Markdown; else a row for each pair, measure and channel.
    #[arg(long, value_enum, default_value = "markdown")]
    pub format: Format,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
    /// The rows as JSON, to a file or to standard output, beside --markdown.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-",
          conflicts_with_all = ["format", "out"])]
    pub json: Option<OutFile>,
    /// The scores, to a file or to standard output, beside --json.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-",
          conflicts_with_all = ["format", "out"])]
    pub markdown: Option<OutFile>,
    /// Only these channels (repeatable).
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub channels: Vec<String>,
    /// Only this scenario (repeatable).
    #[arg(long, value_name = "SCENARIO[:SEED]")]
    pub only: Vec<String>,
    /// Seed of every draw.
    #[arg(long, default_value_t = 1, value_parser = whole::<u32>(0))]
    pub seed: u32,
    /// Replicates of a modelled channel.
    #[arg(long, default_value_t = 200, value_parser = whole::<u32>(1))]
    pub replicates: u32,
    /// Learn the error of each kind of channel as a model, and print it: predictions leave it out.
    #[arg(long)]
    pub model_error: bool,
    /// Predict from what a sniffer beside the node with this number hears of runs of Cooja, instead of from all frames.
    #[arg(long, value_name = "NODE")]
    pub sniffer: Option<u32>,
}

/// Scores predictions against real runs and prints the scores. Fails where the folder or a capture in it cannot be
/// read, and on an unknown channel.
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
    output::notes(&calibrated.notes);
    let text = || if args.model_error { model_errors(&calibrated) } else { markdown(&calibrated) };
    if args.json.is_some() || args.markdown.is_some() {
        if let Some(file) = &args.json {
            output::json(&rows(&calibrated), Some(file))?;
        }
        return args.markdown.as_ref().map_or(Ok(()), |file| output::text(&text(), Some(file)));
    }
    match args.format {
        Format::Markdown => output::text(&text(), args.out.as_ref()),
        Format::Json => output::json(&rows(&calibrated), args.out.as_ref()),
        Format::Table | Format::Csv | Format::Parquet => {
            let output = OutputArgs { format: args.format, out: args.out.clone() };
            output::listing(&listing(&calibrated), &output, "no two runs of one world were found")
        }
    }
}
