//! `identify`.

use crate::args::CaptureArgs;
use crate::clients::Clients;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{CandidateView, IdentifyRequest, IdentifyView, RankingView};
use api::{AssociationId, DecodeOptions, Opened, Session};
use std::fmt::Write as _;
use std::path::PathBuf;

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
    /// So many algorithms of each client.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,
    /// One object with everything.
    #[arg(long)]
    pub json: bool,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Which algorithm was running.
pub fn identify(args: &IdentifyArgs) -> anyhow::Result<()> {
    let session = Session::new(DecodeOptions::default());
    let opened = captures::open(&args.capture)?;
    let associations = associations(&opened, &args.clients)?;
    let capture = session.adopt(opened).id;
    let request = IdentifyRequest { capture, associations };
    let found = session.identify(&request, &mut Bar::new("comparing"))?;
    let out = args.out.as_deref();
    if args.json {
        output::json(&serde_json::to_value(&found)?, out)
    } else if args.timeouts {
        output::text(&timeouts(&found), out)
    } else {
        output::text(&rankings(&found, args.top), out)
    }
}

/// The associations of the clients that are meant.
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

/// As `--rto` takes them.
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
