//! `algorithms`: the list, one in full, and the proposals that cannot be replayed.

mod detail;

use crate::args::{Format, Misuse, OutputArgs};
use crate::choices::{session, unknown};
use crate::output;
use api::{AlgorithmSpec, Cells, DecodeOptions, Listing, UnimplementedProposal};
use std::fmt::Write as _;
use std::path::PathBuf;

/// `algorithms`
#[derive(clap::Args, Debug)]
pub struct AlgorithmsArgs {
    /// Show these in full: ids of algorithms, or names from the catalogue; without, a list of all.
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Only the proposals without a faithful implementation: what is known of them, what is missing.
    #[arg(long)]
    pub catalogue: bool,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints algorithms and proposals without an implementation: all as a list, or those named in full. Fails on an
/// unknown name, or a preset file that cannot be read.
pub fn list(args: &AlgorithmsArgs) -> anyhow::Result<()> {
    let algorithm_set = session(DecodeOptions::default(), &args.presets)?.algorithm_set();
    let (specs, proposals) = chosen(algorithm_set.algorithms(), &args.ids)?;
    let out = args.output.out.as_ref();
    let detailed = !args.ids.is_empty();
    let text = match args.output.format {
        // A list of algorithms is a list of algorithms; what cannot be replayed is asked for by name.
        Format::Json if args.catalogue => return output::json(&serde_json::to_value(&proposals)?, out),
        Format::Json if specs.is_empty() => return output::json(&serde_json::to_value(&proposals)?, out),
        Format::Json => return output::json(&serde_json::to_value(&specs)?, out),
        Format::Csv | Format::Parquet => {
            let only_proposals = args.catalogue || specs.is_empty();
            let listing = if only_proposals { catalogue(&proposals) } else { table(&specs) };
            return output::listing(&listing, &args.output, "");
        }
        Format::Markdown => {
            let mut text = String::new();
            if !args.catalogue && !specs.is_empty() {
                text.push_str(&if detailed { detail::markdown(&specs) } else { markdown(&table(&specs)) });
            }
            if (args.catalogue || !detailed) && !proposals.is_empty() {
                text.push_str("\n## Without a faithful implementation\n\n");
            }
            text + &if proposals.is_empty() { String::new() } else { markdown(&catalogue(&proposals)) }
        }
        Format::Table => {
            let mut text = String::new();
            if !args.catalogue && !specs.is_empty() {
                text.push_str(&if detailed { detail::text(&specs) } else { aligned(&table(&specs))? });
            }
            if !proposals.is_empty() {
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(&detail::proposals(&proposals));
            }
            text
        }
    };
    output::text(&text, out)
}

/// Returns the algorithms and proposals called `ids`, in this order; all of both without `ids`. Fails on an unknown
/// one.
fn chosen<'a>(
    specs: &'a [AlgorithmSpec],
    ids: &[String],
) -> Result<(Vec<&'a AlgorithmSpec>, Vec<&'static UnimplementedProposal>), Misuse> {
    if ids.is_empty() {
        return Ok((specs.iter().collect(), api::unimplemented_proposals().iter().collect()));
    }
    let (mut some, mut proposals) = (Vec::new(), Vec::new());
    for id in ids {
        if let Some(spec) = specs.iter().find(|spec| spec.id == id) {
            some.push(spec);
        } else if let Some(proposal) = api::unimplemented_proposals().iter().find(|d| d.name.eq_ignore_ascii_case(id)) {
            proposals.push(proposal);
        } else {
            return Err(unknown(id, specs));
        }
    }
    Ok((some, proposals))
}

/// Returns the rank of an algorithm as text, such as `A` or `A-`.
fn rank(spec: &AlgorithmSpec) -> String {
    serde_json::to_value(spec.rank).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns the packet contents that the algorithm needs besides times; `-` for none.
const fn needs(spec: &AlgorithmSpec) -> &'static str {
    if spec.marks_attempts { "marked copies" } else { "-" }
}

/// Returns the marks of an algorithm, separated by spaces: a reading of incomplete sources, warnings, pacing, a state
/// diagram; `-` for none.
fn marks(spec: &AlgorithmSpec) -> String {
    let marks = [
        (spec.reading, "reading"),
        (!spec.warnings.is_empty(), "warnings"),
        (spec.paced, "paced"),
        (spec.diagram.is_some(), "states"),
    ];
    let marks: Vec<&str> = marks.into_iter().filter_map(|(on, mark)| on.then_some(mark)).collect();
    if marks.is_empty() { "-".to_owned() } else { marks.join(" ") }
}

fn table(specs: &[&AlgorithmSpec]) -> Listing {
    let text = |f: &dyn Fn(&AlgorithmSpec) -> String| Cells::Text(specs.iter().map(|s| Some(f(s))).collect());
    let params = |s: &AlgorithmSpec| s.params.iter().map(|p| p.name).collect::<Vec<_>>().join(" ");
    Listing {
        columns: vec![
            ("id", text(&|s| s.id.to_owned())),
            ("name", text(&|s| s.name.to_owned())),
            ("family", text(&|s| s.family_name.to_owned())),
            ("rank", text(&rank)),
            ("default", text(&|s| if s.default { "yes" } else { "no" }.to_owned())),
            ("needs", text(&|s| needs(s).to_owned())),
            ("marks", text(&marks)),
            ("citation", text(&|s| s.citation.to_owned())),
            ("params", text(&params)),
        ],
    }
}

fn catalogue(proposals: &[&UnimplementedProposal]) -> Listing {
    let text =
        |f: &dyn Fn(&UnimplementedProposal) -> String| Cells::Text(proposals.iter().map(|d| Some(f(d))).collect());
    Listing {
        columns: vec![
            ("name", text(&|d| d.name.to_owned())),
            ("year", text(&|d| d.year.map_or_else(|| "-".to_owned(), |year| year.to_string()))),
            ("family", text(&|d| d.family.to_owned())),
            ("known", text(&|d| d.known.to_owned())),
            ("missing", text(&|d| d.missing.to_owned())),
            ("readings", text(&|d| d.readings.join(" "))),
            ("nearest", text(&|d| d.nearest.unwrap_or_default().to_owned())),
            ("citation", text(&|d| d.citation.to_owned())),
        ],
    }
}

fn aligned(listing: &Listing) -> anyhow::Result<String> {
    let mut octets = Vec::new();
    api::write(listing, api::Format::Table, &mut octets)?;
    Ok(String::from_utf8(octets)?)
}

/// A listing as a Markdown table.
fn markdown(listing: &Listing) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let cell = |cells: &Cells, row: usize| match cells {
        Cells::Text(text) => text.get(row).cloned().flatten().unwrap_or_default().replace('|', "\\|"),
        _ => String::new(),
    };
    let rows = match listing.columns.first() {
        Some((_, Cells::Text(text))) => text.len(),
        _ => 0,
    };
    let mut text = line(listing.columns.iter().map(|(name, _)| (*name).to_owned()).collect());
    text.push_str(&line(vec!["---".to_owned(); listing.columns.len()]));
    for row in 0..rows {
        let _ = write!(text, "{}", line(listing.columns.iter().map(|(_, cells)| cell(cells, row)).collect()));
    }
    text
}
