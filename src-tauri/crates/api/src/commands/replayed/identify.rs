//! Identification of the algorithm that was running.

use crate::view::{
    AlgorithmChoice, CandidateView, IdentifyRequest, IdentifyView, RankingView, VerdictKind, VerdictView,
};
use crate::{Error, Opened, Progress, Session};
use base::AssociationId;
use replay::identify::{Clues, RankedCandidate, Ranking, Verdict, identify as find_out};

impl Session {
    /// Identifies the algorithm that was running, and estimates its timeouts.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open, [`crate::Code::Request`] for an unknown association,
    /// [`crate::Code::Cancelled`].
    pub fn identify(&self, request: &IdentifyRequest, progress: &mut dyn Progress) -> Result<IdentifyView, Error> {
        let opened = self.capture(request.capture)?;
        let known = |id: &AssociationId| id.index() < opened.trace.associations.len();
        if let Some(unknown) = request.associations.iter().find(|id| !known(id)) {
            return Err(Error::request(format!("There is no association {unknown} in this capture.")));
        }
        let clues = Clues { only: request.associations.clone(), ..Clues::of(&opened.trace) };
        let found = find_out(opened.replay.record(), &clues, progress)?;
        Ok(IdentifyView {
            trace: ranking(&opened, None, &found.trace),
            clients: found.clients.iter().map(|(id, one)| ranking(&opened, Some(*id), one)).collect(),
            timeouts: found.timeouts,
        })
    }
}

fn ranking(opened: &Opened, association: Option<AssociationId>, ranking: &Ranking) -> RankingView {
    let named = association.and_then(|id| opened.trace.associations.get(id.index()));
    RankingView {
        association,
        client: named.map_or_else(|| "all clients".to_owned(), |a| a.client_name.clone()),
        gaps: u32::try_from(ranking.gaps).unwrap_or(u32::MAX),
        verdict: verdict(ranking),
        candidates: ranking.candidates.iter().map(candidate).collect(),
        evidence: ranking.evidence.clone(),
    }
}

/// Returns the name of a preset for people.
fn name(id: &str) -> &str {
    rto::spec(id).map_or(id, |spec| spec.name)
}

/// Returns the name of a family for people.
fn family(id: &str) -> &str {
    rto::family_name(id).unwrap_or(id)
}

fn verdict(ranking: &Ranking) -> VerdictView {
    let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
    let gaps = ranking.gaps;
    match &ranking.verdict {
        Verdict::Identified { family: found, presets, confidence } => {
            let first = presets.first().map_or_else(|| family(found), |id| name(id));
            let others = match presets.len() {
                0 | 1 => String::new(),
                2 => ", or one other preset that the capture does not tell from it".to_owned(),
                n => format!(", or one of {} other presets that the capture does not tell from it", n - 1),
            };
            VerdictView {
                kind: VerdictKind::Identified,
                families: owned(&[found]),
                presets: owned(presets),
                confidence: *confidence,
                said: format!("Family {}: {first}{others}, from {gaps} timeouts.", family(found)),
            }
        }
        Verdict::CannotTell { among, why } => VerdictView {
            kind: VerdictKind::CannotTell,
            families: owned(among),
            presets: Vec::new(),
            confidence: 0.0,
            said: match &among[..] {
                [] => format!("Cannot tell: {why}."),
                among => {
                    let names: Vec<&str> = among.iter().map(|id| family(id)).collect();
                    format!("Cannot tell among {}: {why}.", names.join(", "))
                }
            },
        },
        Verdict::NoneFits { nearest, why } => VerdictView {
            kind: VerdictKind::NoneFits,
            families: Vec::new(),
            presets: owned(&[nearest]),
            confidence: 0.0,
            said: format!("No known algorithm fits {gaps} timeouts. The nearest is {}, but {why}.", name(nearest)),
        },
    }
}

fn candidate(candidate: &RankedCandidate) -> CandidateView {
    CandidateView {
        algorithm: AlgorithmChoice { id: candidate.id.to_owned(), params: candidate.params.clone() },
        name: name(candidate.id).to_owned(),
        family: candidate.family.to_owned(),
        family_name: family(candidate.family).to_owned(),
        settled: candidate.settled,
        log_likelihood: candidate.log_likelihood,
        behind: candidate.behind,
        probability: candidate.probability,
        first_error: candidate.first_error,
        step_error: candidate.step_error,
    }
}
