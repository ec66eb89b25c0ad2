//! `study figure` and `study report`.

use super::{check_output, folder, level};
use crate::args::OutFile;
use crate::commands::written::figure::{Form, ending, print, refuse_picture};
use crate::output;
use crate::progress::Bar;
use api::view::{StudyFigureKind, StudyReportForm};
use api::{StudyDocument, StudyFigureAsked};
use clap::ValueEnum;
use std::path::PathBuf;

/// `study figure`
#[derive(clap::Args, Debug)]
pub struct FigureArgs {
    /// The figure.
    #[arg(value_enum, value_name = "RECIPE")]
    pub kind: StudyFigureKind,
    /// Folder of rows, or the study whose rows are beside it.
    #[arg(value_name = "DIR|STUDY.toml")]
    pub study: PathBuf,
    /// Measure; without, the first one of the study.
    #[arg(long, value_name = "NAME")]
    pub measure: Option<String>,
    /// Tag or parameter on the axis of `factor`; without, the first parameter of a grid, else the first tag with
    /// several values.
    #[arg(long, value_name = "KEY")]
    pub over: Option<String>,
    /// Level of intervals and letters, above 0 and below 1.
    #[arg(long, default_value_t = 0.9)]
    pub level: f64,
    /// Form of the output; without, that of the ending of --out, else a table.
    #[arg(long, value_enum)]
    pub format: Option<FigureForm>,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// `study report`
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// Folder of rows, or the study whose rows are beside it.
    #[arg(value_name = "DIR|STUDY.toml")]
    pub study: PathBuf,
    /// Tag or parameter on the axis of the factor plot, as in `study figure`.
    #[arg(long, value_name = "KEY")]
    pub over: Option<String>,
    /// Level of intervals and letters, above 0 and below 1.
    #[arg(long, default_value_t = 0.9)]
    pub level: f64,
    /// Form of the output; without, that of the ending of --out, else markdown.
    #[arg(long, value_enum)]
    pub format: Option<StudyReportForm>,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Form of a figure of a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FigureForm {
    /// A page with the picture, which saves it as SVG and PNG.
    Html,
    /// Aligned columns.
    Table,
    /// RFC 4180.
    Csv,
    /// The whole figure: panels, marks, caption, table.
    Json,
    /// Apache Parquet (needs --out, or a pipe).
    Parquet,
    /// A `tabular` with the rules of booktabs.
    Latex,
    /// A Markdown table, the caption below it.
    Markdown,
}

/// Writes a figure of a study as a page, a table or JSON. Fails on a wrong level or measure, on the ending of a
/// picture, and where rows cannot be read or the file cannot be written.
pub fn figure(args: &FigureArgs) -> anyhow::Result<()> {
    check_output(&args.study, args.out.as_ref())?;
    let measure = api::study_measures(args.measure.as_slice())?.first().copied();
    let asked = StudyFigureAsked { kind: args.kind, measure, over: args.over.clone(), level: level(args.level)? };
    let form = match (args.format, ending(args.out.as_ref()).as_deref()) {
        (Some(form), _) => form,
        (None, Some("html" | "htm")) => FigureForm::Html,
        (None, Some("csv")) => FigureForm::Csv,
        (None, Some("json")) => FigureForm::Json,
        (None, Some("parquet")) => FigureForm::Parquet,
        (None, Some("tex")) => FigureForm::Latex,
        (None, Some("md")) => FigureForm::Markdown,
        (None, _) => {
            refuse_picture(
                args.out.as_ref(),
                "--out FILE.html has the figure, and saves it as SVG or PNG, or prints it",
            )?;
            FigureForm::Table
        }
    };
    let form = match form {
        FigureForm::Html => {
            let document = api::study_figure_document(&folder(&args.study), &asked)?;
            return write_document(&document, StudyReportForm::Html, args.out.as_ref());
        }
        FigureForm::Table => Form::Table,
        FigureForm::Csv => Form::Csv,
        FigureForm::Json => Form::Json,
        FigureForm::Parquet => Form::Parquet,
        FigureForm::Latex => Form::Latex,
        FigureForm::Markdown => Form::Markdown,
    };
    let (view, listing) = api::study_figure(&folder(&args.study), &asked)?;
    output::notes(&view.missing);
    print(&view, listing, form, args.out.as_ref())
}

/// Writes the report of a study as a page or Markdown. Fails on a wrong level, and where rows cannot be read or the
/// file cannot be written.
pub fn report(args: &ReportArgs) -> anyhow::Result<()> {
    check_output(&args.study, args.out.as_ref())?;
    let mut bar = Bar::new("making the report");
    let document = api::study_report(&folder(&args.study), args.over.as_deref(), level(args.level)?, &mut bar)?;
    drop(bar);
    let form = match (args.format, ending(args.out.as_ref()).as_deref()) {
        (Some(form), _) => form,
        (None, Some("html" | "htm")) => StudyReportForm::Html,
        (None, _) => StudyReportForm::Markdown,
    };
    write_document(&document, form, args.out.as_ref())
}

/// Writes a document in a form. Fails for a page where this program was built without it.
fn write_document(document: &StudyDocument, form: StudyReportForm, out: Option<&OutFile>) -> anyhow::Result<()> {
    let octets = document.file(form, page::REPORT)?;
    output::octets(out, |sink| Ok(sink.write_all(&octets)?))
}
