//! `figure`: the numbers of a figure. The page draws its picture, for it has the only renderer.

use crate::args::{CaptureArgs, Format, Misuse, ModelArgs, OutFile, OutputArgs};
use crate::choices::{choice, session};
use crate::part::{PartArgs, numbered, of_number};
use crate::policy::PolicyArgs;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{FigureCapture, FigureRequest, FigureView, PartView, RecipeSpec};
use api::{Cells, DecodeOptions, Listing, ParamSpec};
use clap::ValueEnum;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// `figure`
#[derive(clap::Args, Debug)]
pub struct FigureArgs {
    /// Name of the figure; `rtoscope figures` lists them.
    #[arg(value_name = "RECIPE")]
    pub recipe: String,
    /// Captures; `sample:ID` is a bundled one.
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Name of a capture in the figure, such as "2:day two" (repeatable); without, that of its file.
    #[arg(long = "name", value_name = "N:NAME")]
    pub names: Vec<String>,
    /// Tag of all captures, or with a number from 1 before it of one, such as 2:load=0.5 (repeatable); nothing after
    /// the equals sign removes it. Nodes, load, topology and mac are proposed from name and content.
    #[arg(long = "tag", value_name = "[N:]KEY=VALUE")]
    pub tags: Vec<String>,
    /// A switch of the figure, such as box=iqr15 (repeatable).
    #[arg(long = "set", value_name = "SWITCH=VALUE")]
    pub set: Vec<String>,
    /// Algorithm beside what was recorded, with overrides, such as `cocoa_plus:k_weak=1` (repeatable).
    #[arg(long = "algorithm", value_name = "NAME[:key=value,...]")]
    pub algorithms: Vec<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub part: PartArgs,
    /// Form of the output; json has marks and caption besides the table.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Form,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
    #[command(flatten)]
    pub policy: PolicyArgs,
}

/// Form of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
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

/// `figures`
#[derive(clap::Args, Debug)]
pub struct FiguresArgs {
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Lists the figures: as text each with its switches below it, in other formats a row for each switch. Fails where the
/// list cannot be written, and for Parquet to a terminal.
pub fn list(args: &FiguresArgs) -> anyhow::Result<()> {
    let recipes = api::recipes();
    match args.output.format {
        Format::Table => output::text(&described(&recipes), args.output.out.as_ref()),
        Format::Json => output::json(&serde_json::to_value(&recipes)?, args.output.out.as_ref()),
        Format::Csv | Format::Parquet | Format::Markdown => output::listing(&rows(&recipes), &args.output, ""),
    }
}

/// Prints the numbers of a figure. Fails where a capture cannot be read, and on an unknown recipe, switch, tag, client
/// or algorithm.
pub fn figure(args: &FigureArgs) -> anyhow::Result<()> {
    if args.capture.merge {
        return Err(Misuse("a figure takes several captures as several; --merge makes one of them".to_owned()).into());
    }
    refuse_picture(args.out.as_ref(), "the view *Figures* of the app saves them")?;
    let session = session(DecodeOptions::default(), &args.model.presets)?;
    let choices = args.algorithms.iter().map(|text| choice(&session, text)).collect::<Result<Vec<_>, _>>()?;
    let (mut captures, mut views) = (Vec::new(), Vec::new());
    for file in &args.capture.files {
        let opened = captures::open_or_sample(&CaptureArgs { files: vec![file.clone()], ..args.capture.clone() })?;
        let tags = api::proposed_tags(&opened).into_iter().map(|tag| (tag.key, tag.value)).collect();
        let view = session.adopt(opened);
        captures.push(FigureCapture {
            capture: view.id,
            name: view.name.clone(),
            tags,
            part: PartView::default(),
            nodes: Vec::new(),
        });
        views.push(view);
    }
    let parts = args.part.of(&views.iter().collect::<Vec<_>>())?;
    captures.iter_mut().zip(parts).for_each(|(capture, part)| capture.part = part);
    tell_apart(&mut captures, &args.capture.files);
    name(&mut captures, &args.names)?;
    tag(&mut captures, &args.tags)?;
    let request = FigureRequest {
        recipe: args.recipe.clone(),
        captures,
        algorithms: choices,
        params: switches(&args.recipe, &args.set)?,
        channel: args.model.chance.channel,
        workload: args.model.chance.workload,
        seed: args.model.chance.seed,
        replicates: args.model.replicates,
        policy: args.policy.view(),
    };
    let (view, listing) = session.figure(&request, &mut Bar::new("replaying"))?;
    // Without a row the reason is the answer, also where notes are not wanted.
    if !args.capture.quiet || listing.rows() == 0 {
        output::notes(&view.missing);
    }
    print(&view, listing, args.format, args.out.as_ref())
}

/// Writes the table of a figure in a form, JSON with marks and caption. Fails for Parquet to a terminal, or where it
/// cannot be written.
pub fn print<N: AsRef<str> + From<&'static str>>(
    view: &FigureView,
    listing: Listing<N>,
    form: Form,
    out: Option<&OutFile>,
) -> anyhow::Result<()> {
    let format = match form {
        Form::Json => return output::json(&serde_json::to_value(view)?, out),
        Form::Table => api::Format::Table,
        Form::Csv => api::Format::Csv,
        Form::Parquet => api::Format::Parquet,
        Form::Latex => api::Format::Latex,
        Form::Markdown => api::Format::Markdown,
    };
    if format == api::Format::Parquet {
        output::binary("Parquet", out)?;
    }
    output::octets(out, |sink| Ok(api::write_figure(view, listing, format, sink)?))
}

/// Fails where the ending of the output file is that of a picture, which the page draws; `instead` says how.
pub fn refuse_picture(out: Option<&OutFile>, instead: &str) -> Result<(), Misuse> {
    match ending(out).as_deref() {
        Some("svg" | "png" | "pdf") => Err(Misuse(format!(
            "pictures are drawn by the page: {instead}; `npm run -s figure -- …` draws SVG in a clone of the repository"
        ))),
        _ => Ok(()),
    }
}

/// Returns the extension of the output file in lower case; `None` for standard output or without one.
pub fn ending(out: Option<&OutFile>) -> Option<String> {
    let path = out.and_then(OutFile::path)?;
    Some(path.extension()?.to_string_lossy().to_lowercase())
}

/// Renames captures of equal names to the paths of their files.
fn tell_apart(captures: &mut [FigureCapture], files: &[PathBuf]) {
    let names: Vec<String> = captures.iter().map(|capture| capture.name.clone()).collect();
    for (capture, file) in captures.iter_mut().zip(files) {
        if names.iter().filter(|name| **name == capture.name).count() > 1 {
            capture.name = file.display().to_string();
        }
    }
}

/// Names captures by texts of the form `N:NAME`, N from 1. Fails on another form or number.
fn name(captures: &mut [FigureCapture], names: &[String]) -> Result<(), Misuse> {
    for text in names {
        let wrong = || Misuse(format!("`{text}` is not N:NAME"));
        let (number, name) = numbered(text).filter(|(_, name)| !name.is_empty()).ok_or_else(wrong)?;
        name.clone_into(&mut of_number(captures, number)?.name);
    }
    Ok(())
}

/// Sets tags by texts `KEY=VALUE`, for all captures, or `N:KEY=VALUE`, for capture N from 1; an empty value removes the
/// tag. Fails on another form or number.
fn tag(captures: &mut [FigureCapture], tags: &[String]) -> Result<(), Misuse> {
    for text in tags {
        let all = captures.len();
        let wrong = || Misuse(format!("`{text}` is not KEY=VALUE or N:KEY=VALUE, N from 1 to {all}"));
        let (key, value) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(wrong)?;
        let say = |capture: &mut FigureCapture, key: &str| match value {
            "" => _ = capture.tags.remove(key),
            value => _ = capture.tags.insert(key.to_owned(), value.to_owned()),
        };
        match numbered(key) {
            Some((number, key)) => say(of_number(captures, number).map_err(|_| wrong())?, key),
            None => captures.iter_mut().for_each(|capture| say(capture, key)),
        }
    }
    Ok(())
}

/// Parses `SWITCH=VALUE` texts; a value is a number unless the switch chooses among names. Fails on another form.
fn switches(recipe: &str, set: &[String]) -> Result<Map<String, Value>, Misuse> {
    let params = api::recipes().into_iter().find(|known| known.id == recipe).map(|known| known.params);
    let is_name =
        |switch: &str| params.iter().flatten().any(|param| param.name == switch && param.unit == api::Unit::Choice);
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').ok_or_else(|| Misuse(format!("`{text}` is not SWITCH=VALUE")))?;
        let number = value.parse::<f64>().ok().filter(|_| !is_name(name));
        Ok((name.to_owned(), number.map_or_else(|| Value::from(value), Value::from)))
    };
    set.iter().map(pair).collect()
}

/// Table with a row for each switch of each figure; a figure without switches has one row, in which they are empty.
fn rows(recipes: &[RecipeSpec]) -> Listing {
    let names = ["figure", "about", "reproduces", "switch", "default", "legal"];
    let mut columns = names.map(|_| Vec::new());
    for recipe in recipes {
        let mut row = |switch: [Option<String>; 3]| {
            let figure = [recipe.id, recipe.about, recipe.reproduces].map(|text| Some(text.to_owned()));
            columns.iter_mut().zip(figure.into_iter().chain(switch)).for_each(|(column, cell)| column.push(cell));
        };
        for param in &recipe.params {
            row([Some(param.name.to_owned()), Some(param.default.to_string()), Some(legal(param))]);
        }
        if recipe.params.is_empty() {
            row([None, None, None]);
        }
    }
    Listing { columns: names.into_iter().zip(columns.map(Cells::Text)).collect() }
}

/// Returns the legal values of a switch: its bounds, or its choices separated by bars.
fn legal(param: &ParamSpec) -> String {
    match (param.choices.as_slice(), param.min, param.max) {
        ([], Some(min), Some(max)) => format!("{min} to {max}"),
        (choices, ..) => choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join(" | "),
    }
}

/// Returns the list of figures as text, each with its switches below it.
fn described(recipes: &[RecipeSpec]) -> String {
    let mut lines = Vec::new();
    for recipe in recipes {
        lines.push(format!("{}  {}", recipe.id, recipe.about));
        lines.push(format!("    as {}", recipe.reproduces));
        for param in &recipe.params {
            lines.push(format!("    --set {}={}  ({})", param.name, param.default, legal(param)));
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn tags_of_all_and_of_one() {
        let capture = |id| FigureCapture {
            capture: id,
            name: String::new(),
            tags: BTreeMap::new(),
            part: PartView::default(),
            nodes: Vec::new(),
        };
        let mut captures = [capture(0), capture(1)];
        tag(&mut captures, &["mac=TSCH".to_owned(), "2:load=0.5".to_owned(), "1:mac=CSMA".to_owned()]).unwrap();
        assert_eq!(captures[0].tags["mac"], "CSMA");
        assert_eq!(captures[1].tags["mac"], "TSCH");
        assert_eq!(captures[1].tags["load"], "0.5");
        tag(&mut captures, &["2:load=".to_owned()]).unwrap();
        assert!(!captures[1].tags.contains_key("load"));
        for wrong in ["mac", "=x", "3:mac=x", "0:mac=x"] {
            assert!(tag(&mut captures, &[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn switches_that_name_something_are_no_numbers() {
        let set = ["group=5", "quantile=5", "box=iqr15"].map(str::to_owned);
        let read = switches("rto_box", &set).unwrap();
        assert_eq!(Value::from(read), serde_json::json!({ "group": "5", "quantile": 5.0, "box": "iqr15" }));
    }
}
