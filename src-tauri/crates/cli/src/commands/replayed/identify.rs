//! `identify`.

use crate::args::{CaptureArgs, Format, JsonArgs, OutputArgs};
use crate::clients::Clients;
use crate::numbers::whole;
use crate::progress::Bar;
use crate::{captures, output, rows};
use api::view::{CandidateView, IdentifyRequest, IdentifyView, RankingView};
use api::{AssociationId, DecodeOptions, Listing, Opened, Session};
use std::fmt::Write as _;

/// `identify`
#[derive(clap::Args, Debug)]
pub struct IdentifyArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only this client, by the name, address or number that `info` shows (repeatable).
    #[arg(long = "client", value_name = "A")]
    pub clients: Vec<String>,
    /// The timeouts that ran out, with their errors, instead of the algorithms.
    #[arg(long)]
    pub timeouts: bool,
    /// Number of algorithms shown for each client.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole::<usize>(1))]
    pub top: usize,
    #[command(flatten)]
    pub json: JsonArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints the likeliest algorithms of each client, or the timeouts that ran out. Fails where the capture cannot be read
/// or has no such client.
pub fn identify(args: &IdentifyArgs) -> anyhow::Result<()> {
    let session = Session::new(DecodeOptions::default());
    let opened = captures::open(&args.capture)?;
    let associations = associations(&opened, &args.clients)?;
    let capture = session.adopt(opened).id;
    let request = IdentifyRequest { capture, associations };
    let found = session.identify(&request, &mut Bar::new("comparing"))?;
    let out = args.output.out.as_ref();
    if found.trace.gaps == 0 {
        output::say("no timeout ran out in this capture: nothing tells its timer");
    }
    match (args.output.form(args.json), args.timeouts) {
        (Format::Json, _) => output::json(&serde_json::to_value(&found)?, out),
        (Format::Table, true) => output::text(&timeouts(&found), out),
        (Format::Table, false) => output::text(&rankings(&found, args.top), out),
        (Format::Csv | Format::Parquet | Format::Markdown, true) => {
            output::listing(&timeout_rows(&found), &args.output, "")
        }
        (Format::Csv | Format::Parquet | Format::Markdown, false) => {
            output::listing(&candidate_rows(&found, args.top), &args.output, "")
        }
    }
}

/// Table with a row for each of the `top` likeliest candidates of each client; with several clients, first those of all
/// together.
fn candidate_rows(found: &IdentifyView, top: usize) -> Listing {
    let clients = if found.clients.len() > 1 { &found.clients[..] } else { &[] };
    let rankings = std::iter::once(&found.trace).chain(clients);
    let lines: Vec<(&RankingView, usize, &CandidateView)> = rankings
        .flat_map(|ranking| ranking.candidates.iter().take(top).enumerate().map(move |(at, one)| (ranking, at, one)))
        .collect();
    rows::of(&lines)
        .text("client", |line| line.0.client.clone())
        .whole("gaps", |line| Some(line.0.gaps.into()))
        .whole("place", |line| i64::try_from(line.1 + 1).ok())
        .text("algorithm", |line| line.2.algorithm.id.clone())
        .text("family", |line| line.2.family.clone())
        .real("probability", |line| Some(line.2.probability))
        .real("log_likelihood", |line| Some(line.2.log_likelihood))
        .real("behind", |line| Some(line.2.behind))
        .text("params", |line| parameters(line.2))
        .text("verdict", |line| line.0.verdict.said.clone())
        .listing()
}

/// Table with a row for each timeout that ran out; timeout and error in seconds.
fn timeout_rows(found: &IdentifyView) -> Listing {
    rows::of(&found.timeouts)
        .whole("association", |timeout| Some(timeout.association.0.into()))
        .whole("exchange", |timeout| Some(timeout.exchange.0.into()))
        .whole("copy", |timeout| Some(timeout.copy.into()))
        .seconds("timeout", |timeout| Some(timeout.value))
        .seconds("error", |timeout| Some(timeout.error))
        .text("last", |timeout| if timeout.last { "yes" } else { "no" }.to_owned())
        .listing()
}

/// Returns the associations of the named clients; none without names, which stands for all. Fails on a client that the
/// capture lacks.
fn associations(opened: &Opened, clients: &[String]) -> anyhow::Result<Vec<AssociationId>> {
    let all = Clients::from(&opened.trace);
    let found = clients.iter().map(|client| all.find(client)).collect::<Result<Vec<_>, _>>()?;
    Ok(found.concat())
}

fn rankings(found: &IdentifyView, top: usize) -> String {
    let mut text = ranking(&found.trace, top);
    // With one client, all together are that client.
    if found.clients.len() > 1 {
        for client in &found.clients {
            let _ = write!(text, "\n{}", ranking(client, top));
        }
    }
    text
}

fn ranking(ranking: &RankingView, top: usize) -> String {
    let mut text = format!("{}: {}\n", ranking.client, ranking.verdict.said);
    if ranking.gaps == 0 {
        return text;
    }
    let _ = writeln!(
        text,
        "  {:<28} {:<15} {:>11} {:>12} {:>12}  parameters",
        "algorithm", "family", "probability", "ln L", "behind"
    );
    for candidate in ranking.candidates.iter().take(top) {
        let _ = writeln!(
            text,
            "  {:<28} {:<15} {:>10.1}% {:>12.1} {:>12.1}  {}",
            candidate.algorithm.id,
            candidate.family_name,
            candidate.probability * 100.0,
            candidate.log_likelihood,
            candidate.behind,
            parameters(candidate)
        );
    }
    text
}

/// Returns the parameters of a candidate as `KEY=VALUE,...`.
fn parameters(candidate: &CandidateView) -> String {
    let pair = |(name, value): (&String, &serde_json::Value)| {
        format!("{name}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let mut pairs: Vec<String> = candidate.algorithm.params.iter().map(pair).collect();
    if candidate.settled {
        pairs.push("(settled before)".to_owned());
    }
    pairs.join(",")
}

fn timeouts(found: &IdentifyView) -> String {
    let mut text = format!("{:>6} {:>9} {:>5} {:>16} {:>16}\n", "client", "exchange", "copy", "timeout", "error");
    for t in &found.timeouts {
        let last = if t.last { "  last" } else { "" };
        let (value, error) = (t.value.to_string(), t.error.to_string());
        let _ =
            writeln!(text, "{:>6} {:>9} {:>5} {value:>16} {error:>16}{last}", t.association.0, t.exchange.0, t.copy);
    }
    text
}
