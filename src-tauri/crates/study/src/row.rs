//! Rows of results: their columns with unit and meaning, as a listing and back.

use crate::Tags;
use replay::MetricName;
use std::collections::BTreeMap;
use table::{Cells, Listing};

/// End of a task.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// The task has an answer.
    Done,
    /// The capture could not be read or decoded.
    Unreadable,
    /// The channel, the timer or the part refuses the question.
    Refused,
    /// The program panicked at the task.
    Crashed,
}

/// Answer for one measure, in its own unit. `None`: the measure does not apply, or there is no answer.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// Mean over replicates; in a run with two modes over the replicates of both.
    pub mean: Option<f64>,
    /// 90 % interval over replicates, for the recorded network: lower and upper end.
    pub ninety: Option<(f64, f64)>,
    /// 90 % interval of another run in the same conditions: lower and upper end.
    pub another: Option<(f64, f64)>,
    /// Recorded value of the measure in the capture itself, in the measure's unit.
    pub recorded: Option<f64>,
}

/// Result of one task.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Key of the task, 32 hexadecimal digits.
    pub task: String,
    /// Scenario of the capture.
    pub scenario: String,
    /// Tags of the capture.
    pub tags: Tags,
    /// Path of the capture when the task ran, from the folder of the study's file.
    pub path: String,
    /// SHA-256 of the capture, hexadecimal; empty where it could not be read.
    pub sha256: String,
    /// Label of the timer, as in [`crate::Timer::label`].
    pub timer: String,
    /// ID of the algorithm in the registry.
    pub algorithm: String,
    /// Parameters that differ from the algorithm's defaults, a JSON object.
    pub params: String,
    /// Whether this timer ran in the capture; `None` where names do not tell which did.
    pub ran: Option<bool>,
    /// Name of the channel that was asked for.
    pub channel: String,
    /// Name of the channel that was used; `None` without an answer.
    pub used: Option<String>,
    /// Reason for which `auto` chose that channel, a sentence; `None` for a channel that was named.
    pub why: Option<String>,
    /// Workload, part and rules of the sender, a JSON object.
    pub settings: String,
    /// Seed of all random draws.
    pub seed: u32,
    /// Number of replicates, of which the values are statistics.
    pub replicates: u32,
    /// Program and version that made the row.
    pub program: String,
    /// End of the task.
    pub state: State,
    /// Reason why there is no answer, a sentence; `None` with one.
    pub reason: Option<String>,
    /// Share of copies whose fate was recorded, 0 to 1.
    pub support: Option<f64>,
    /// Share of replicates that collapse, 0 to 1; `None` for a run with one mode.
    pub collapse: Option<f64>,
    /// Measures that have a value, in the order of [`MetricName::ALL`].
    pub measures: BTreeMap<MetricName, Estimate>,
}

/// A column of the dataset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Name of the unit; empty for text and for numbers without one.
    pub unit: &'static str,
    /// Meaning, in a sentence; empty where the ending of the name says it.
    pub about: String,
}

impl State {
    /// All states, in order.
    pub const ALL: [Self; 4] = [Self::Done, Self::Unreadable, Self::Refused, Self::Crashed];

    /// Returns the word for the state in the dataset.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Unreadable => "unreadable",
            Self::Refused => "refused",
            Self::Crashed => "crashed",
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }
}

/// Prefix of the columns of tags.
const TAG: &str = "tag_";

type TextOf = fn(&Row) -> Option<String>;
type RealOf = fn(&Estimate) -> Option<f64>;

/// Columns of text: name, meaning, cell.
const TEXTS: [(&str, &str, TextOf); 16] = [
    ("task", "Key of the task.", |row| Some(row.task.clone())),
    ("scenario", "Scenario of the capture.", |row| Some(row.scenario.clone())),
    ("path", "Path of the capture when the task ran, from the folder of the study's file.", |row| {
        Some(row.path.clone())
    }),
    ("sha256", "SHA-256 of the capture.", |row| Some(row.sha256.clone()).filter(|hash| !hash.is_empty())),
    ("timer", "Timer, as the study calls it.", |row| Some(row.timer.clone())),
    ("algorithm", "Algorithm of the registry.", |row| Some(row.algorithm.clone())),
    ("params", "Parameters that differ from the algorithm's, JSON.", |row| Some(row.params.clone())),
    ("ran", "Whether this timer ran in the capture: yes or no; nothing where names do not tell which did.", |row| {
        Some(if row.ran? { "yes" } else { "no" }.to_owned())
    }),
    ("channel", "Channel that was asked for.", |row| Some(row.channel.clone())),
    ("used", "Channel that was used.", |row| row.used.clone()),
    ("why", "Why the capture chose that channel.", |row| row.why.clone()),
    ("settings", "Workload, part and rules of the sender, JSON.", |row| Some(row.settings.clone())),
    ("program", "Program that made the row.", |row| Some(row.program.clone())),
    ("state", "done, unreadable, refused or crashed.", |row| Some(row.state.word().to_owned())),
    ("reason", "Why there is no answer.", |row| row.reason.clone()),
    ("form", "Form of this table.", |_| Some("1".to_owned())),
];

/// Columns of each measure: ending of the name, cell.
const OF_MEASURE: [(&str, RealOf); 6] = [
    ("", |of| of.mean),
    ("_lo90", |of| of.ninety.map(|ends| ends.0)),
    ("_hi90", |of| of.ninety.map(|ends| ends.1)),
    ("_another_lo90", |of| of.another.map(|ends| ends.0)),
    ("_another_hi90", |of| of.another.map(|ends| ends.1)),
    ("_recorded", |of| of.recorded),
];

impl Row {
    /// Returns the table of `rows`, and its columns with unit and meaning in the same order. Rows that lack a tag have
    /// an empty cell.
    #[must_use]
    pub fn listing(rows: &[Self]) -> (Listing<String>, Vec<Column>) {
        let (mut listing, mut columns) = (Listing::default(), Vec::new());
        let mut add = |name: String, unit, about: String, cells| {
            listing.columns.push((name.clone(), cells));
            columns.push(Column { name, unit, about });
        };
        for (name, about, cell) in TEXTS {
            add(name.to_owned(), "", about.to_owned(), Cells::Text(rows.iter().map(cell).collect()));
        }
        let mut tags: Vec<&String> = rows.iter().flat_map(|row| row.tags.keys()).collect();
        tags.sort_unstable();
        tags.dedup();
        for tag in tags {
            let cells = Cells::Text(rows.iter().map(|row| row.tags.get(tag).cloned()).collect());
            add(format!("{TAG}{tag}"), "", format!("Tag `{tag}` of the capture."), cells);
        }
        let whole = |of: fn(&Self) -> u32| Cells::Whole(rows.iter().map(|row| Some(i64::from(of(row)))).collect());
        add("seed".to_owned(), "", "Seed of every draw.".to_owned(), whole(|row| row.seed));
        add("replicates".to_owned(), "count", "Replicates of the channel.".to_owned(), whole(|row| row.replicates));
        let real = |of: fn(&Self) -> Option<f64>| Cells::Real(rows.iter().map(of).collect());
        let about = "Share of copies whose fate was recorded.".to_owned();
        add("support".to_owned(), "fraction", about, real(|row| row.support));
        let about = "Share of replicates that collapse, of a run with two modes.".to_owned();
        add("collapse".to_owned(), "fraction", about, real(|row| row.collapse));
        for measure in MetricName::ALL {
            for (ending, cell) in OF_MEASURE {
                let cells = rows.iter().map(|row| row.measures.get(&measure).and_then(cell)).collect();
                let name = format!("{}{ending}", measure.name());
                // The endings say the rest, and six sentences a measure were a fifth of a small file.
                let about = if ending.is_empty() { "Mean over replicates." } else { "" };
                add(name, measure.unit(), about.to_owned(), Cells::Real(cells));
            }
        }
        (listing, columns)
    }

    /// Reads the rows of a table that [`Row::listing`] made; `None` where a column is missing or of another type.
    #[must_use]
    pub fn of_listing(listing: &Listing<String>) -> Option<Vec<Self>> {
        let columns: BTreeMap<&str, &Cells> = listing.columns.iter().map(|(name, cells)| (&**name, cells)).collect();
        (0..listing.rows()).map(|row| Self::of_columns(&columns, row)).collect()
    }

    fn of_columns(columns: &BTreeMap<&str, &Cells>, row: usize) -> Option<Self> {
        let text = |name: &str| match columns.get(name)? {
            Cells::Text(cells) => cells.get(row)?.clone(),
            _ => None,
        };
        let real = |name: &str| match columns.get(name)? {
            Cells::Real(cells) => *cells.get(row)?,
            _ => None,
        };
        let whole = |name: &str| match columns.get(name)? {
            Cells::Whole(cells) => u32::try_from((*cells.get(row)?)?).ok(),
            _ => None,
        };
        let tags = columns.keys().filter_map(|name| {
            let tag = name.strip_prefix(TAG)?;
            Some((tag.to_owned(), text(name)?))
        });
        let estimate = |measure: MetricName| {
            let of = |ending: &str| real(&format!("{}{ending}", measure.name()));
            Estimate {
                mean: of(""),
                ninety: of("_lo90").zip(of("_hi90")),
                another: of("_another_lo90").zip(of("_another_hi90")),
                recorded: of("_recorded"),
            }
        };
        let state = State::of_word(&text("state")?)?;
        let measures = MetricName::ALL.into_iter().map(|measure| (measure, estimate(measure)));
        Some(Self {
            task: text("task")?,
            scenario: text("scenario")?,
            tags: tags.collect(),
            path: text("path")?,
            sha256: text("sha256").unwrap_or_default(),
            timer: text("timer")?,
            algorithm: text("algorithm")?,
            params: text("params")?,
            ran: text("ran").map(|ran| ran == "yes"),
            channel: text("channel")?,
            used: text("used"),
            why: text("why"),
            settings: text("settings")?,
            seed: whole("seed")?,
            replicates: whole("replicates")?,
            program: text("program")?,
            state,
            reason: text("reason"),
            support: real("support"),
            collapse: real("collapse"),
            measures: measures.filter(|(_, estimate)| *estimate != Estimate::default()).collect(),
        })
    }
}
