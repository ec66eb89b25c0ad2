//! `study`: runs the tasks of a study, or goes on with them; shows, draws and reports its rows.

mod cluster;
mod document;

use crate::args::{Misuse, OutFile, OutputArgs};
use crate::numbers::whole;
use crate::output;
use anyhow::Context as _;
use api::live::stop;
use api::{GroupsAsked, StudyPlace, StudyRequest, Tally};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// `study`
#[derive(clap::Args, Debug)]
pub struct StudyArgs {
    /// The command.
    #[command(subcommand)]
    pub command: StudyCommand,
}

/// Commands about studies.
#[derive(Subcommand, Debug)]
pub enum StudyCommand {
    /// Run the tasks of a study that have no row yet, on all cores. Ctrl-C stops; the same command goes on.
    Run(RunArgs),
    /// Tasks by scenario: done, without an answer, missing.
    Status(StatusArgs),
    /// Statistics of groups of rows over runs of the network, or the rows.
    Show(ShowArgs),
    /// A figure over the rows: its picture as a page, or its numbers.
    Figure(document::FigureArgs),
    /// One document: the study, what ran, failures, tables, figures, and how to repeat it.
    Report(document::ReportArgs),
}

impl StudyCommand {
    /// Returns the study, or its folder of rows, as it was given.
    fn study(&self) -> &Path {
        match self {
            Self::Run(args) => &args.study,
            Self::Status(args) => &args.study,
            Self::Show(args) => &args.study,
            Self::Figure(args) => &args.study,
            Self::Report(args) => &args.study,
        }
    }
}

/// `study run`
#[derive(clap::Args, Debug)]
pub struct RunArgs {
    /// The study: captures, timers with grids of parameters, channels, seeds.
    #[arg(value_name = "STUDY.toml")]
    pub study: PathBuf,
    /// Folder of its rows; without, beside the study and called as it.
    #[arg(long, value_name = "DIR")]
    pub out: Option<OutFile>,
    /// Threads; without, one for each core. Rows are the same with any number.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1))]
    pub threads: Option<u16>,
    /// Run tasks again whose row has no answer.
    #[arg(long)]
    pub again: bool,
    /// Print nothing on standard error but errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub cluster: cluster::ClusterArgs,
}

/// `study status`
#[derive(clap::Args, Debug)]
pub struct StatusArgs {
    /// Folder of rows, or the study whose rows are beside it.
    #[arg(value_name = "DIR|STUDY.toml")]
    pub study: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `study show`
#[derive(clap::Args, Debug)]
pub struct ShowArgs {
    /// Folder of rows, or the study whose rows are beside it.
    #[arg(value_name = "DIR|STUDY.toml")]
    pub study: PathBuf,
    /// Keys that a group has in common: scenario, timer, channel, algorithm, a tag or a parameter of timers (separated
    /// by commas, or repeatable). Without, scenario and timer.
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    pub by: Vec<String>,
    /// Measure (repeatable); without, those of the study.
    #[arg(long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Timer that the others are compared with, as the study calls it; without, that of the study.
    #[arg(long, value_name = "TIMER")]
    pub baseline: Option<String>,
    /// Level of intervals and letters, above 0 and below 1.
    #[arg(long, default_value_t = 0.9)]
    pub level: f64,
    /// The rows themselves, one a task.
    #[arg(long, conflicts_with_all = ["by", "measures", "baseline"])]
    pub rows: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Carries out a command on studies. Fails on a malformed study, on a folder that cannot be read or written, and where
/// a run was stopped.
pub fn study(args: &StudyArgs) -> anyhow::Result<()> {
    if args.command.study().as_os_str() == "-" {
        let why = "standard input cannot be a study: its captures and its rows are found from the place of its file";
        return Err(Misuse(why.to_owned()).into());
    }
    match &args.command {
        StudyCommand::Run(args) => run(args),
        StudyCommand::Status(args) => {
            check_output(&args.study, args.output.out.as_ref())?;
            output::listing(&api::study_status(&folder(&args.study))?, &args.output, "the study has no task")
        }
        StudyCommand::Show(args) => show(args),
        StudyCommand::Figure(args) => document::figure(args),
        StudyCommand::Report(args) => document::report(args),
    }
}

/// Returns the folder of rows: `study` itself, or that of the study file `study`.
fn folder(study: &Path) -> PathBuf {
    if study.is_file() { StudyPlace::of(study).out } else { study.to_owned() }
}

/// Fails where `out` is a file that the study reads, or one of its rows.
fn check_output(study: &Path, out: Option<&OutFile>) -> Result<(), api::Error> {
    match out.and_then(OutFile::path) {
        Some(out) => StudyPlace::of(study).check_output(out),
        None => Ok(()),
    }
}

fn run(args: &RunArgs) -> anyhow::Result<()> {
    let out = match &args.out {
        None => api::folder_of_study(&args.study),
        Some(out) => {
            let folder =
                out.path().ok_or_else(|| Misuse("the rows of a study are a folder: name one with --out".to_owned()))?;
            folder.to_owned()
        }
    };
    let program = format!("rtoscope {}", env!("RTOSCOPE_VERSION"));
    if cluster::run(args, out.as_os_str(), &program)? {
        return Ok(());
    }
    let threads = args.threads.map(usize::from);
    let request = StudyRequest { spec: args.study.clone(), out, threads, again: args.again, program };
    let asked = stop::asked().context("cannot wait for Ctrl-C")?;
    let bar = bar(args.quiet);
    let watch = |tally: Tally| {
        bar.set_length(tally.tasks.saturating_sub(tally.earlier) as u64);
        bar.set_position(tally.rows.saturating_sub(tally.earlier) as u64);
        bar.set_message(match tally.tasks {
            0 => "looking for captures".to_owned(),
            tasks => format!("{} of {tasks} rows, {} without an answer", tally.rows, tally.failed),
        });
        if asked.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let reply = api::study_run(&request, &watch);
    bar.finish_and_clear();
    let reply = reply?;
    let Tally { tasks, rows, earlier, failed } = reply.tally;
    if !args.quiet {
        output::notes(&reply.notes);
        let there = if earlier > 0 { format!(", {earlier} of them there before") } else { String::new() };
        output::say(&format!(
            "{rows} of {tasks} rows{there}; {failed} without an answer; in {}",
            request.out.display()
        ));
    }
    if reply.stopped {
        anyhow::bail!("stopped before the end; the same command goes on");
    }
    Ok(())
}

/// Progress bar on standard error with rate and time left; hidden where `is_quiet`, and unless standard error is a
/// terminal.
fn bar(is_quiet: bool) -> ProgressBar {
    let target = if is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(None, target);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {per_sec}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Returns a confidence level, or an error unless it is above 0 and below 1.
fn level(level: f64) -> Result<f64, Misuse> {
    if level > 0.0 && level < 1.0 {
        return Ok(level);
    }
    Err(Misuse("level is above 0 and below 1, such as 0.9".to_owned()))
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    check_output(&args.study, args.output.out.as_ref())?;
    let level = level(args.level)?;
    let folder = folder(&args.study);
    if args.rows {
        return output::listing(&api::study_rows(&folder)?, &args.output, "the study has no row");
    }
    let asked = GroupsAsked {
        by: args.by.clone(),
        measures: api::study_measures(&args.measures)?,
        baseline: args.baseline.clone(),
        level,
    };
    output::listing(&api::study_groups(&folder, asked)?, &args.output, "the study has no row")
}
