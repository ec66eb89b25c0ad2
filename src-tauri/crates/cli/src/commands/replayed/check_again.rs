//! `check-again`.

use crate::args::{CaptureArgs, Format, Misuse, OutFile, OutputArgs};
use crate::choices::{choice, session};
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{CalibrationAddRequest, ChangeView, CheckAgainView, CheckKeptRequest, HeldView};
use api::{Cells, DecodeOptions, Listing, read_prediction};
use std::fmt::Write as _;
use std::path::PathBuf;

/// `check-again`
#[derive(clap::Args, Debug)]
pub struct CheckAgainArgs {
    /// File that `rtoscope replay FIRST --format json --out PREDICTION` wrote before the timer was changed.
    #[arg(value_name = "PREDICTION")]
    pub prediction: PathBuf,
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Predicted timer, where the prediction has several.
    #[arg(long, value_name = "NAME[:key=value,...]")]
    pub algorithm: Option<String>,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Calibration table of your own, CSV, to which this check is added; made where there is none.
    #[arg(long, value_name = "FILE")]
    pub add: Option<OutFile>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Compares a prediction with a capture that was taken after the timer was changed, and prints which measures lie
/// inside their intervals. Fails where prediction or capture cannot be read, and where the prediction has several
/// timers and none is named.
pub fn check_again(args: &CheckAgainArgs) -> anyhow::Result<()> {
    let table = match &args.add {
        Some(table) => {
            Some(table.path().ok_or_else(|| Misuse("the calibration table is a file: name one".to_owned()))?)
        }
        None => None,
    };
    let session = session(DecodeOptions::default(), &args.presets)?;
    let algorithm = args.algorithm.as_ref().map(|text| choice(&session, text)).transpose()?;
    let prediction = read_prediction(&captures::read_text(&args.prediction)?)?;
    let capture = session.adopt(captures::open(&args.capture)?).id;
    let request = CheckKeptRequest { prediction, algorithm, capture };
    let view = session.check_kept(&request, &mut Bar::new("checking again"))?;
    show(&view, args)?;
    if let Some(table) = table {
        let request = CalibrationAddRequest { path: table.display().to_string(), check: view };
        let table = session.add_to_calibration(&request)?;
        let new = if table.added { "Added to" } else { "Already in" };
        output::say(&format!("{new} {}. {}", table.path, table.said));
    }
    Ok(())
}

fn show(view: &CheckAgainView, args: &CheckAgainArgs) -> anyhow::Result<()> {
    match args.output.format {
        Format::Json => output::json(&serde_json::to_value(view)?, args.output.out.as_ref()),
        Format::Table => output::text(&text(view), args.output.out.as_ref()),
        Format::Csv | Format::Parquet | Format::Markdown => {
            sentences(view).iter().for_each(|said| output::say(said));
            output::listing(&listing(view), &args.output, "")
        }
    }
}

/// Returns the sentences of the verdict, of the timer, and of the reservations, in this order.
fn sentences(view: &CheckAgainView) -> Vec<String> {
    let mut all = vec![view.verdict.clone(), view.timer.clone()];
    all.extend(view.reservations.iter().cloned());
    all
}

fn text(view: &CheckAgainView) -> String {
    // Names come from captures: none may begin a line of its own.
    let mut text: String = sentences(view).iter().map(|said| format!("{}\n", api::printable(said))).collect();
    let (wide, number) = (20, 11);
    let _ = writeln!(
        text,
        "\n{:<wide$} {:>number$} {:>number$} {:>number$} {:>number$} {:>number$}  held",
        "measure", "before", "predicted", "from", "to", "measured"
    );
    for HeldView { name, before, mean, lo90, hi90, measured, held } in &view.measures {
        let [before, mean, lo90, hi90, measured] = [before, mean, lo90, hi90, measured].map(|value| decimals(*value));
        let held = held.map_or("-", word);
        let _ = writeln!(
            text,
            "{name:<wide$} {before:>number$} {mean:>number$} {lo90:>number$} {hi90:>number$} {measured:>number$}  {held}"
        );
    }
    if !view.changes.is_empty() {
        text += "\nbesides the timer\n";
    }
    for ChangeView { changed, said, .. } in &view.changes {
        let _ = writeln!(text, "{:<9} {}", if *changed { "changed" } else { "as before" }, api::printable(said));
    }
    text
}

fn decimals(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}

fn word(held: bool) -> &'static str {
    if held { "yes" } else { "no" }
}

/// Table with a row for each measure, then one for each condition besides the timer.
fn listing(view: &CheckAgainView) -> Listing {
    let (measures, changes) = (&view.measures, &view.changes);
    let text = |of: &dyn Fn(&HeldView) -> String, other: &dyn Fn(&ChangeView) -> String| {
        Cells::Text(measures.iter().map(of).chain(changes.iter().map(other)).map(Some).collect())
    };
    let real = |of: &dyn Fn(&HeldView) -> Option<f64>, other: &dyn Fn(&ChangeView) -> Option<f64>| {
        Cells::Real(measures.iter().map(of).chain(changes.iter().map(other)).collect())
    };
    let columns = vec![
        ("kind", text(&|_| "measure".to_owned(), &|change| change.kind.id())),
        ("name", text(&|held| held.name.clone(), &|change| change.what.clone())),
        ("before", real(&|held| held.before, &|change| change.before)),
        ("mean", real(&|held| held.mean, &|_| None)),
        ("lo90", real(&|held| held.lo90, &|_| None)),
        ("hi90", real(&|held| held.hi90, &|_| None)),
        ("after", real(&|held| held.measured, &|change| change.after)),
        (
            "said",
            text(&|held| held.held.map_or("-", |held| if held { "held" } else { "not held" }).to_owned(), &|change| {
                if change.changed { "changed" } else { "as before" }.to_owned()
            }),
        ),
    ];
    Listing { columns }
}
