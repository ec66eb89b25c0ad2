//! Requests and replies of the view *Study*: a folder of runs, a study that is written, run and looked at.

use crate::view::{AlgorithmChoice, FigureSeries, MetricSpec, StudyFigureKind, StudyReportForm};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

view! {
    /// A folder of runs to look through.
    pub struct StudyFindRequest {
        /// Path of the folder.
        pub folder: String,
        /// Patterns of paths in it, one or more; `None`: guessed from the names.
        #[serde(default)]
        pub patterns: Option<Vec<String>>,
    }

    /// Captures of a folder of runs.
    pub struct StudyFoundView {
        /// Path of the folder.
        pub folder: String,
        /// Patterns of paths in it, as asked for or guessed.
        pub patterns: Vec<String>,
        /// Captures that a pattern matches, in order of path.
        pub captures: Vec<StudyFoundCapture>,
        /// Captures that none matches, in order of path.
        pub others: Vec<String>,
        /// Timers that are known to have run, by hash, names of folders or `ran.json`.
        pub ran: Vec<AlgorithmChoice>,
        /// Folder of the rows of a study that has run here; `None`: none has.
        pub study: Option<String>,
    }

    /// A capture in a folder of runs.
    pub struct StudyFoundCapture {
        /// Path from the folder, names separated by slashes.
        pub path: String,
        /// Values of the tags of its path, by name.
        pub tags: BTreeMap<String, String>,
        /// Label of the timer that is known to have run, as the study would have it; `None`: not known.
        pub ran: Option<String>,
    }

    /// A study over a folder of runs.
    pub struct StudyWriteRequest {
        /// File of the study, `*.toml`; one that is there is replaced.
        pub path: String,
        /// Name for people.
        pub name: String,
        /// Path of the folder of the captures.
        pub folder: String,
        /// Patterns of paths in the folder.
        pub patterns: Vec<String>,
        /// Captures that are taken, with their tags as edited.
        pub captures: Vec<StudyTaken>,
        /// Paths of captures that a pattern matches and that are not taken.
        pub left_out: Vec<String>,
        /// Timers, each with the parameters that differ from its preset.
        pub timers: Vec<AlgorithmChoice>,
        /// Number of replicates of a modelled channel, 1 to 10,000.
        pub replicates: u32,
    }

    /// A capture that a study takes.
    pub struct StudyTaken {
        /// Path from the folder.
        pub path: String,
        /// Values of its tags, by name.
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
        /// Number of tasks of the study.
        pub tasks: u32,
        /// Number of tasks with a row.
        pub rows: u32,
        /// Number of rows without an answer.
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
        /// Label of the timer under which the captures were recorded that answer; empty: any. `None`: the baseline
        /// where captures of it are known.
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
        /// Number of tasks of the study; 0 before its first run.
        pub tasks: u32,
        /// Number of tasks with a row.
        pub rows: u32,
        /// Number of rows without an answer.
        pub failed: u32,
        /// Number of replicates of a modelled channel.
        pub replicates: u32,
        /// Measure of the values.
        pub measure: MetricSpec,
        /// Measures to choose from, those of the study first.
        pub measures: Vec<MetricSpec>,
        /// Timer under which the captures were recorded that answer; `None`: any.
        pub from: Option<String>,
        /// Timers that are known to have run in captures, as the study calls them.
        pub sources: Vec<String>,
        /// Channel of the values.
        pub channel: String,
        /// Channels of the study.
        pub channels: Vec<String>,
        /// Tags and parameters with several values: axes of a factor plot.
        pub factors: Vec<String>,
        /// Columns, in the order of the study.
        pub timers: Vec<StudyTimerView>,
        /// Rows, in order of name.
        pub scenarios: Vec<StudyScenarioView>,
        /// Number of real runs inside the 90 % interval of their prediction from other captures, and number of all such
        /// runs.
        pub inside: [u32; 2],
    }

    /// A column of the grid.
    pub struct StudyTimerView {
        /// Label in the study.
        pub label: String,
        /// Name, colour and marker.
        pub series: FigureSeries,
        /// The timer as a session asks for it.
        pub choice: AlgorithmChoice,
    }

    /// A row of the grid.
    pub struct StudyScenarioView {
        /// Name of the scenario.
        pub name: String,
        /// Its captures, in order of path.
        pub captures: Vec<StudyCaptureView>,
        /// Positions in `captures` of those that answer: those recorded under the timer asked for, or all where it ran
        /// in none.
        pub used: Vec<u32>,
        /// Recorded value of the captures that answer, the mean over runs of the network; `None` where one has none.
        pub recorded: Option<f64>,
        /// Cells, one a column.
        pub cells: Vec<StudyCellView>,
        /// Positions of the columns that are not worse than the best, the best first; empty without values.
        pub best: Vec<u32>,
        /// Whether the best is told from each of the others.
        pub wins: bool,
        /// Positions of two columns: the one predicted best among those with real runs, and the one whose real runs are
        /// best; `None` where fewer than two columns have both.
        pub truth: Option<[u32; 2]>,
    }

    /// A capture of a study.
    pub struct StudyCaptureView {
        /// Path from the folder of the study's file.
        pub path: String,
        /// Path of the file; `None` where it is not there.
        pub file: Option<String>,
        /// Label of the timer that is known to have run; `None`: not known.
        pub ran: Option<String>,
        /// Number of tasks with a row, over all channels.
        pub rows: u32,
        /// Number of rows without an answer.
        pub failed: u32,
        /// Number of tasks, over all channels.
        pub tasks: u32,
    }

    /// A timer in a scenario.
    pub struct StudyCellView {
        /// Number of runs of the network with a value.
        pub runs: u32,
        /// Mean over runs of the network; `None` without a value.
        pub mean: Option<f64>,
        /// Lower and upper end of the 90 % interval of another run; where the study asked for none, of the mean over
        /// runs or of the one row's replicates. `None` without.
        pub interval: Option<[f64; 2]>,
        /// Its kind: `bootstrap`, `student`, `another run` or `replicates`; empty without.
        pub kind: String,
        /// Letters of Tukey's test among the timers of the scenario: timers that share one are not told apart; `None`
        /// without.
        pub letters: Option<String>,
        /// Number of rows of runs with two modes.
        pub two_modes: u32,
        /// Recorded values of captures in which this timer ran, one a capture.
        pub real: Vec<StudyRealView>,
        /// Number of tasks without a row.
        pub waiting: u32,
        /// Number of rows without an answer.
        pub failed: u32,
        /// State of the first of them: `unreadable`, `refused`, `crashed`; empty without.
        pub state: String,
        /// Its reason; empty without.
        pub reason: String,
    }

    /// Value of a run that really used a timer.
    pub struct StudyRealView {
        /// Recorded value, in the unit of the measure.
        pub value: f64,
        /// Position of its capture in the scenario.
        pub capture: u32,
    }

    /// A figure of a study.
    pub struct StudyFigureRequest {
        /// File of the study, or the folder of its rows.
        pub path: String,
        /// Kind of the figure.
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
        /// Kind of the figure.
        pub figure: StudyFigureRequest,
        /// `csv`, `parquet`, `json`, `latex` or `markdown`.
        pub format: String,
        /// The file; one that is there is replaced.
        pub path: String,
    }
    /// Write the report of a study to a file.
    pub struct StudyReportRequest {
        /// File of the study, or the folder of its rows.
        pub study: String,
        /// Tag or parameter on the axis of the factor plot; `None`: the first.
        #[serde(default)]
        pub over: Option<String>,
        /// Form of the file.
        pub form: StudyReportForm,
        /// The file; one that is there is replaced.
        pub path: String,
    }
}
