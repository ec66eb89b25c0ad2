//! Sentences of captions: the captures, the settings of their replays, the share of recorded fates, the trust in the
//! channel, and the verdict on the timers.

use super::{Behaviour, Cell, Figure};
use crate::comparison::{Contender, answer};
use crate::opened::Names;
use crate::runs::{metrics, run_modes};
use crate::view::{FigureCapture, TrustKind};

/// Greatest number of captures of which a caption says the verdict and the trust by name. Chosen here: of more, a
/// figure shows their means, which no single verdict is about.
const MOST_VERDICTS: usize = 3;

impl Figure<'_> {
    /// Returns the headlines of the verdicts on the timers, one for each capture, in the words of Compare. Empty where
    /// nothing is replayed, or over more captures than [`MOST_VERDICTS`].
    pub(in crate::figure) fn verdicts(&self) -> Vec<String> {
        let captures = self.captures();
        if self.request.algorithms.is_empty() || captures > MOST_VERDICTS {
            return Vec::new();
        }
        let headline = |capture: usize| {
            let runs = self.behaviours.iter().enumerate().filter_map(|(index, behaviour)| {
                let run = self.cell(capture, index)?.run.as_ref()?;
                Some((behaviour.name.as_str(), metrics(&run.result), run_modes(&run.result), run.result.support))
            });
            let runs: Vec<_> = runs.collect();
            let contenders: Vec<Contender<'_>> = runs
                .iter()
                .map(|(name, metrics, modes, support)| Contender::new(name, metrics, *modes, *support))
                .collect();
            let said = answer(&contenders, None).headline;
            if captures == 1 { said } else { format!("{}: {said}", self.name(capture)) }
        };
        (0..captures).map(headline).collect()
    }

    /// Returns the sentences that every figure prints: its captures, and the settings of their replays.
    pub(in crate::figure) fn caption(&self) -> Vec<String> {
        let mut caption = Vec::new();
        let from = |(index, asked): (usize, &FigureCapture)| {
            let cell = self.cell(index, 0)?;
            let sha: String = cell.opened.sha256().chars().take(8).collect();
            let all = cell.opened.trace.exchanges.len();
            let exchanges = match asked.part.start {
                Some(_) => format!("{} of {all}", cell.timeline().exchanges().count()),
                None => all.to_string(),
            };
            Some(format!("{} ({exchanges} exchanges, SHA-256 {sha}…)", asked.name))
        };
        let captures: Vec<String> = self.request.captures.iter().enumerate().filter_map(from).collect();
        if !captures.is_empty() {
            caption.push(format!("{}.", captures.join("; ")));
        }
        let support = |index: usize| {
            let shares: Vec<f64> = (0..self.captures()).filter_map(|c| self.cell(c, index)?.support()).collect();
            replay::stats::mean(&shares)
        };
        let replayed = |(index, behaviour): (usize, &Behaviour)| {
            let choice = behaviour.choice.as_ref()?;
            let reading = if behaviour.reading { ", our reading" } else { "" };
            let support = support(index).map(|share| format!(", support {:.0} %", 100.0 * share)).unwrap_or_default();
            Some(format!("{} ({}{reading}{support})", behaviour.name, choice.id))
        };
        let presets: Vec<String> = self.behaviours.iter().enumerate().filter_map(replayed).collect();
        if !presets.is_empty() {
            caption.push(format!("Replayed: {}.", presets.join(", ")));
            caption.push(format!(
                "Channel {}, workload {}, seed {}, {} replicates; dither drawn from the seed. Marks of single timers and \
                 exchanges are those of the first replicate.",
                self.request.channel.label(),
                self.request.workload.label(),
                self.request.seed,
                self.request.replicates
            ));
        }
        caption.extend(self.unusual());
        caption.extend(self.trusts());
        caption
    }

    /// Returns the trust in the channels that the captures chose, in the words of Compare, and why each was chosen;
    /// over more captures than [`MOST_VERDICTS`], the number that has each trust. Empty where nothing is replayed, and
    /// where the request names the channel.
    fn trusts(&self) -> Vec<String> {
        let replayed = |capture: usize| (1..self.behaviours.len()).filter_map(move |run| self.cell(capture, run));
        let of = |(capture, asked): (usize, &FigureCapture)| {
            let first = replayed(capture).next()?;
            let chosen = first.opened.chosen(self.request.channel, replayed(capture).map(Cell::support))?;
            Some((asked.name.clone(), chosen.trust, Names::of(&asked.nodes).say(&chosen.why)))
        };
        let all: Vec<(String, TrustKind, String)> = self.request.captures.iter().enumerate().filter_map(of).collect();
        if all.len() > MOST_VERDICTS {
            let count = |kind: TrustKind| all.iter().filter(|(_, trust, _)| *trust == kind).count();
            let kinds = TrustKind::ALL.into_iter().rev().filter(|kind| count(*kind) > 0);
            let counts: Vec<String> = kinds.map(|kind| format!("{} for {}", kind.id(), count(kind))).collect();
            return vec![format!("Trust: {} of {} captures.", counts.join(", "), all.len())];
        }
        let said = |(name, trust, why): &(String, TrustKind, String)| {
            let before = if all.len() == 1 { String::new() } else { format!("{name}: ") };
            let (initial, rest) = why.split_at(why.chars().next().map_or(0, char::len_utf8));
            format!("{before}Trust: {}. {}{rest}.", trust.id(), initial.to_uppercase())
        };
        all.iter().map(said).collect()
    }

    /// Returns the sentences about unusual rules and parts of captures.
    pub(in crate::figure) fn unusual(&self) -> Vec<String> {
        let is_replayed = !self.request.algorithms.is_empty();
        let rules = self.request.policy.said().filter(|_| is_replayed).map(|rules| format!("Rules: {rules}."));
        let part = |(index, asked): (usize, &FigureCapture)| {
            // The recorded behaviour depends on none of the choices that follow.
            let said = if is_replayed { asked.part.said(&self.cell(index, 0)?.opened) } else { asked.part.begins() };
            Some(format!("Of {}: {}.", asked.name, Names::of(&asked.nodes).say(&said?)))
        };
        rules.into_iter().chain(self.request.captures.iter().enumerate().filter_map(part)).collect()
    }
}
