//! Requests and replies of the view *Study*: a folder of runs, a study that is written, run and looked at.

use crate::view::{AlgorithmChoice, FigureSeries, MetricSpec, StudyFigureKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

view! {
    /// A folder of runs to look through.
    pub struct StudyFindRequest {
        /// The folder.
        pub folder: String,
        /// Patterns of paths in it, one or more; `None`: guessed from the names.
        #[serde(default)]
        pub patterns: Option<Vec<String>>,
    }

    /// Captures of a folder of runs.
    pub struct StudyFoundView {
        /// The folder.
        pub folder: String,
        /// Patterns of paths in it.
        pub patterns: Vec<String>,
        /// Captures that a pattern matches, in order of path.
        pub captures: Vec<StudyFoundCapture>,
        /// Captures that none matches, in order of path.
        pub others: Vec<String>,
        /// Timers that are known to have run, by hash, names of folders or `ran.json`.
        pub ran: Vec<AlgorithmChoice>,
        /// Folder of the rows of a study that has run here.
        pub study: Option<String>,
    }

    /// A capture in a folder of runs.
    pub struct StudyFoundCapture {
        /// Path from the folder, names separated by slashes.
        pub path: String,
        /// Tags of its path.
        pub tags: BTreeMap<String, String>,
        /// Timer that is known to have run, as the study would call it.
        pub ran: Option<String>,
    }

    /// A study over a folder of runs.
    pub struct StudyWriteRequest {
        /// File of the study, `*.toml`; one that is there is replaced.
        pub path: String,
        /// Name for people.
        pub name: String,
        /// Folder of the captures.
        pub folder: String,
        /// Patterns of paths in the folder.
        pub patterns: Vec<String>,
        /// Captures that are taken, with their tags as edited.
        pub captures: Vec<StudyTaken>,
        /// Paths of captures that a pattern matches and that are not taken.
        pub left_out: Vec<String>,
        /// Timers.
        pub timers: Vec<AlgorithmChoice>,
        /// Replicates of a modelled channel.
        pub replicates: u32,
    }

    /// A capture that a study takes.
    pub struct StudyTaken {
        /// Path from the folder.
        pub path: String,
        /// Its tags.
        pub tags: BTreeMap<String, String>,
    }

    /// The bundled captures as a study.
    pub struct StudyBundledRequest {
        /// File of the study, `*.toml`; the captures are written into a folder beside it.
        pub path: String,
    }

    /// A study by its place.
    pub struct StudyRequestView {
        /// File of the study, or the folder of its rows.
        pub path: String,
    }

    /// End of a run of a study.
    pub struct StudyRanView {
        /// Tasks of the study.
        pub tasks: u32,
        /// Tasks with a row.
        pub rows: u32,
        /// Rows without an answer.
        pub failed: u32,
        /// Captures that were left out, and why.
        pub notes: Vec<String>,
    }

    /// The rows of a study, as a grid of scenarios and timers.
    pub struct StudyGridRequest {
        /// File of the study, or the folder of its rows.
        pub path: String,
        /// Measure; `None`: the first one of the study.
        #[serde(default)]
        pub measure: Option<String>,
        /// Label of the timer under which the captures were recorded that answer; empty: any. `None`: the baseline where captures of it are known.
        #[serde(default)]
        pub from: Option<String>,
        /// Channel; `None`: the first one of the study.
        #[serde(default)]
        pub channel: Option<String>,
    }

    /// The grid of a study. Values are in the unit of the measure.
    pub struct StudyGridView {
        /// Name of the study; empty without.
        pub name: String,
        /// File of the study; `None` where it is not known or not there any more.
        pub file: Option<String>,
        /// Folder of its rows.
        pub folder: String,
        /// Program that made its rows; empty before the first.
        pub program: String,
        /// Whether the file differs from what ran last.
        pub changed: bool,
        /// Tasks of the study; 0 before its first run.
        pub tasks: u32,
        /// Tasks with a row.
        pub rows: u32,
        /// Rows without an answer.
        pub failed: u32,
        /// Replicates.
        pub replicates: u32,
        /// The measure that is shown.
        pub measure: MetricSpec,
        /// Measures to choose from, those of the study first.
        pub measures: Vec<MetricSpec>,
        /// Timer under which the captures were recorded that answer; `None`: any.
        pub from: Option<String>,
        /// Timers that are known to have run in captures, as the study calls them.
        pub sources: Vec<String>,
        /// The channel that is shown.
        pub channel: String,
        /// Channels of the study.
        pub channels: Vec<String>,
        /// Tags and parameters with several values: axes of a factor plot.
        pub factors: Vec<String>,
        /// Columns.
        pub timers: Vec<StudyTimerView>,
        /// Rows.
        pub scenarios: Vec<StudyScenarioView>,
        /// Real runs inside the 90 % interval of their prediction from other captures, and all of those.
        pub inside: [u32; 2],
    }

    /// A column of the grid.
    pub struct StudyTimerView {
        /// Label in the study.
        pub label: String,
        /// Name and look.
        pub series: FigureSeries,
        /// The timer as a session asks for it.
        pub choice: AlgorithmChoice,
    }

    /// A row of the grid.
    pub struct StudyScenarioView {
        /// Name.
        pub name: String,
        /// Its captures, in order of path.
        pub captures: Vec<StudyCaptureView>,
        /// Captures that answer, by position: those recorded under the timer asked for, or all where it ran in none.
        pub used: Vec<u32>,
        /// Recorded value of the captures that answer: mean over runs of the network.
        pub recorded: Option<f64>,
        /// Cells, one a column.
        pub cells: Vec<StudyCellView>,
        /// Columns that are not worse than the best, the best first.
        pub best: Vec<u32>,
        /// Whether the best is told from each of the others.
        pub wins: bool,
        /// Among columns with real runs the one that is predicted best, and the one whose real runs are best; `None` where fewer than two have both.
        pub truth: Option<[u32; 2]>,
    }

    /// A capture of a study.
    pub struct StudyCaptureView {
        /// Path from the folder of the study's file.
        pub path: String,
        /// The file, where it is there.
        pub file: Option<String>,
        /// Timer that is known to have run.
        pub ran: Option<String>,
        /// Tasks with a row, over all channels.
        pub rows: u32,
        /// Rows without an answer.
        pub failed: u32,
        /// Tasks.
        pub tasks: u32,
    }

    /// A timer in a scenario.
    pub struct StudyCellView {
        /// Runs of the network with a value.
        pub runs: u32,
        /// Mean over runs of the network.
        pub mean: Option<f64>,
        /// 90 % interval: of the mean over runs, or of the one run.
        pub interval: Option<[f64; 2]>,
        /// Its kind: `bootstrap`, `student`, `another run` or `replicates`; empty without.
        pub kind: String,
        /// Letters among the timers of the scenario.
        pub letters: Option<String>,
        /// Rows of runs with two modes.
        pub two_modes: u32,
        /// Recorded values of captures in which this timer ran.
        pub real: Vec<StudyRealView>,
        /// Tasks without a row.
        pub waiting: u32,
        /// Rows without an answer, and the first reason.
        pub failed: u32,
        /// State of that row: `unreadable`, `refused`, `crashed`; empty without.
        pub state: String,
        /// Its reason; empty without.
        pub reason: String,
    }

    /// Value of a run that really used a timer.
    pub struct StudyRealView {
        /// The value.
        pub value: f64,
        /// Position of its capture in the scenario.
        pub capture: u32,
    }

    /// A figure of a study.
    pub struct StudyFigureRequest {
        /// File of the study, or the folder of its rows.
        pub path: String,
        /// The figure.
        pub kind: StudyFigureKind,
        /// Measure; `None`: the first one of the study.
        #[serde(default)]
        pub measure: Option<String>,
        /// Tag or parameter on the axis of a factor plot; `None`: the first.
        #[serde(default)]
        pub over: Option<String>,
    }

    /// Write the table of a figure of a study to a file.
    pub struct StudyFigureTableRequest {
        /// The figure.
        pub figure: StudyFigureRequest,
        /// `csv`, `parquet`, `json`, `latex` or `markdown`.
        pub format: String,
        /// The file; one that is there is replaced.
        pub path: String,
    }
}
