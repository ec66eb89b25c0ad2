//! Report of a study: one document, as a page and as Markdown.

use super::figure::of_rows;
use super::{GroupsAsked, StudyFigureAsked, status_of};
use crate::Error;
use crate::figure::{table_view, write};
use crate::report_page::page;
use crate::shell::quoted;
use crate::view::{FigureView, StudyFigureKind, StudyReportForm, StudySection, StudyTable, StudyView};
use base::{Part, Progress};
use replay::MetricName;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use study::{Content, Plan, Row, State, groups, listing};
use table::{Cells, ExportError, Format, Listing, markdown_text};

/// Share of the progress of a report that is the reading of rows, %. Chosen here: `study status` of 1,110 rows reads
/// them in a hundredth of the time of `study report`.
const READING: u64 = 1;

/// Document about a study: a report, or one figure.
#[derive(Debug, Default)]
pub struct StudyDocument {
    title: String,
    program: String,
    sections: Vec<Section>,
}

/// Section of a document; empty fields are left out.
#[derive(Debug, Default)]
struct Section {
    title: &'static str,
    text: Vec<String>,
    code: String,
    /// Language of fenced code, for Markdown.
    language: &'static str,
    tables: Vec<(String, Listing<String>)>,
    figures: Vec<(FigureView, Listing<String>)>,
}

/// Makes a document of one figure of the study in the folder `out`.
///
/// # Errors
/// As [`super::study_figure`].
pub fn study_figure_document(out: &Path, asked: &StudyFigureAsked) -> Result<StudyDocument, Error> {
    let (plan, rows) = super::stored(out)?;
    let figures = vec![of_rows(&plan, &rows, asked)?];
    let sections = vec![Section { figures, ..Section::default() }];
    Ok(StudyDocument { title: title(&plan), program: program(&rows), sections })
}

/// Makes the report of the study in the folder `out`: the study, its rows, failures, tables, figures, and the way to
/// repeat it. `over` is the axis of factor plots ([`StudyFigureAsked::over`]), `level` that of intervals, above 0 and
/// below 1.
///
/// # Errors
/// [`crate::Code::Request`] where the folder has no study, or a key does not exist; [`crate::Code::Cancelled`].
pub fn study_report(
    out: &Path,
    over: Option<&str>,
    level: f64,
    progress: &mut dyn Progress,
) -> Result<StudyDocument, Error> {
    let (plan, rows) = super::read_rows(out, &mut Part::new(progress, 0, READING, 100))?;
    let steps = (plan.spec.measures.len() + StudyFigureKind::ALL.len()) as u64;
    let (mut rest, mut step) = (Part::new(progress, READING, 100, 100), 0);
    let mut next = || {
        let answer = rest.tick(step, steps);
        step += 1;
        if answer.is_break() { Err(Error::cancelled()) } else { Ok(()) }
    };
    let sections = vec![
        ran(&plan, &rows),
        results(&plan, &rows, level, &mut next)?,
        figures(&plan, &rows, over, level, &mut next)?,
        repeat(out, &plan)?,
    ];
    Ok(StudyDocument { title: title(&plan), program: program(&rows), sections })
}

fn title(plan: &Plan) -> String {
    if plan.spec.name.is_empty() { "Study".to_owned() } else { plan.spec.name.clone() }
}

fn program(rows: &[Row]) -> String {
    rows.first().map(|row| row.program.clone()).unwrap_or_default()
}

/// Makes the section of tasks by scenario, and of reasons of those without an answer.
fn ran(plan: &Plan, rows: &[Row]) -> Section {
    // Number of rows by state and reason, and the path of the first.
    let mut reasons: BTreeMap<(&str, &str), (i64, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.state != State::Done) {
        let key = (row.state.word(), row.reason.as_deref().unwrap_or_default());
        reasons.entry(key).or_insert((0, &row.path)).0 += 1;
    }
    let text = |cells: Vec<&str>| Cells::Text(cells.into_iter().map(|cell| Some(cell.to_owned())).collect());
    let failures = Listing {
        columns: vec![
            ("state".to_owned(), text(reasons.keys().map(|key| key.0).collect())),
            ("reason".to_owned(), text(reasons.keys().map(|key| key.1).collect())),
            ("rows".to_owned(), Cells::Whole(reasons.values().map(|of| Some(of.0)).collect())),
            ("first".to_owned(), text(reasons.values().map(|of| of.1).collect())),
        ],
    };
    let mut tables = vec![("Tasks by scenario".to_owned(), status_of(plan, rows))];
    if failures.rows() > 0 {
        tables.push(("Without an answer".to_owned(), failures));
    }
    let timers: Vec<&str> = plan.spec.timers.iter().map(|timer| timer.label.as_str()).collect();
    let said = format!(
        "{} captures, each under {}; channel {}; {} replicates.",
        plan.captures.len(),
        timers.join(", "),
        plan.spec.channels.join(", "),
        plan.spec.replicates
    );
    let failed = rows.iter().filter(|row| row.state != State::Done).count();
    let state = format!("{} of {} tasks have a row, {failed} of them without an answer.", rows.len(), plan.len());
    Section { title: "What ran", text: vec![said, state], tables, ..Section::default() }
}

/// Called before each step of a report; an error ends it.
type Next<'a> = &'a mut dyn FnMut() -> Result<(), Error>;

/// Columns of groups that the heading of their table states.
const STATED: [&str; 2] = ["measure", "unit"];

/// Makes a table of groups for each measure, as `study show` has them.
fn results(plan: &Plan, rows: &[Row], level: f64, next: Next<'_>) -> Result<Section, Error> {
    let mut tables = Vec::new();
    for &measure in &plan.spec.measures {
        next()?;
        let mut asked = GroupsAsked { by: Vec::new(), measures: vec![measure], baseline: None, level };
        super::complete(plan, &mut asked);
        let found = groups(rows, &asked).map_err(Error::request)?;
        let mut table = listing(&found, &asked);
        table.columns.retain(|(name, _)| !STATED.contains(&name.as_str()));
        tables.push((heading(measure), table));
    }
    Ok(Section { title: "Results", tables, ..Section::default() })
}

fn heading(measure: MetricName) -> String {
    let (label, _) = crate::figure::measure::Measure(measure).label();
    format!("{label} ({}, {})", measure.name(), measure.unit())
}

/// Draws every kind of figure, of the first measure.
fn figures(plan: &Plan, rows: &[Row], over: Option<&str>, level: f64, next: Next<'_>) -> Result<Section, Error> {
    let mut section = Section { title: "Figures", ..Section::default() };
    for kind in StudyFigureKind::ALL {
        next()?;
        let asked = StudyFigureAsked { kind, measure: None, over: over.map(str::to_owned), level };
        match of_rows(plan, rows, &asked) {
            Ok(figure) => section.figures.push(figure),
            // A study without a factor has the other figures.
            Err(error) if over.is_none() && kind == StudyFigureKind::Factor => section.text.push(error.message),
            Err(error) => return Err(error),
        }
    }
    Ok(section)
}

/// Makes the section of the study's file, the lines that run it again, and the captures by their hashes.
fn repeat(out: &Path, plan: &Plan) -> Result<Section, Error> {
    let (file, _) = super::dataset::plan_of(out)?;
    let folder = out.canonicalize().ok().and_then(|out| Some(out.file_name()?.to_string_lossy().into_owned()));
    let folder = quoted(folder.as_deref().unwrap_or("study"));
    let lines = format!(
        "# rtoscope study run {folder}.toml --out {folder}\n# rtoscope study report {folder} --out report.html\n\n{file}"
    );
    let text = |cell: &dyn Fn(&study::Capture) -> String| {
        Cells::Text(plan.captures.iter().map(|capture| Some(cell(capture))).collect())
    };
    let tags = |capture: &study::Capture| {
        let tags: Vec<String> = capture.tags.iter().map(|(name, value)| format!("{name} {value}")).collect();
        tags.join(", ")
    };
    let hash = |capture: &study::Capture| match &capture.content {
        Content::Hash { sha256, .. } => sha256.clone(),
        Content::Unreadable(reason) => reason.clone(),
    };
    let captures = Listing {
        columns: vec![
            ("path".to_owned(), text(&|capture| capture.path.clone())),
            ("tags".to_owned(), text(&tags)),
            ("SHA-256".to_owned(), text(&hash)),
        ],
    };
    let said = "The study's file, and the two lines that make its rows and this report again. The same program makes the same rows from the same captures, \
                octet by octet; what has a row is not run again. Paths are from the folder of the study's file.";
    Ok(Section {
        title: "How to repeat it",
        text: vec![said.to_owned()],
        code: lines,
        language: "toml",
        tables: vec![("Captures".to_owned(), captures)],
        figures: Vec::new(),
    })
}

impl StudyDocument {
    /// Returns the document as the page draws it.
    #[must_use]
    pub fn view(&self) -> StudyView {
        let table = |(title, listing): &(String, Listing<String>)| StudyTable {
            title: title.clone(),
            table: table_view(listing),
        };
        let section = |section: &Section| StudySection {
            title: section.title.to_owned(),
            text: section.text.clone(),
            code: section.code.clone(),
            tables: section.tables.iter().map(table).collect(),
            figures: section.figures.iter().map(|(view, _)| view.clone()).collect(),
        };
        StudyView {
            format: "rtoscope-study".to_owned(),
            title: self.title.clone(),
            program: self.program.clone(),
            sections: self.sections.iter().map(section).collect(),
        }
    }

    /// Returns the document as a file of the form; `template` is the built page, empty where this program has none.
    ///
    /// # Errors
    /// [`crate::Code::Internal`] where a page is asked for and there is none.
    pub fn file(&self, form: StudyReportForm, template: &str) -> Result<Vec<u8>, Error> {
        match form {
            StudyReportForm::Html => Ok(page(template, &self.view())?.into_bytes()),
            StudyReportForm::Markdown => {
                let mut octets = Vec::new();
                self.markdown(&mut octets).map_err(Error::internal)?;
                Ok(octets)
            }
        }
    }

    /// Writes the document as Markdown: figures are their tables and captions.
    ///
    /// # Errors
    /// As [`table::write`].
    fn markdown(&self, sink: &mut dyn Write) -> Result<(), ExportError> {
        writeln!(sink, "# {}\n\n{}", markdown_text(&self.title), markdown_text(&self.program))?;
        for section in &self.sections {
            if !section.title.is_empty() {
                writeln!(sink, "\n## {}", section.title)?;
            }
            for paragraph in &section.text {
                writeln!(sink, "\n{}", markdown_text(paragraph))?;
            }
            if !section.code.is_empty() {
                fenced(sink, section.language, &section.code)?;
            }
            for (title, listing) in &section.tables {
                writeln!(sink, "\n### {}\n", markdown_text(title))?;
                table::write(listing, Format::Markdown, sink)?;
            }
            for (view, listing) in &section.figures {
                writeln!(sink, "\n### {}\n", markdown_text(&view.title))?;
                write(view, listing.clone(), Format::Markdown, sink)?;
            }
        }
        Ok(())
    }
}

/// Writes code in a fence that none of its lines ends.
fn fenced(sink: &mut dyn Write, language: &str, code: &str) -> io::Result<()> {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(sink, "\n{fence}{language}\n{}\n{fence}", base::printable_lines(code).trim_end())
}
