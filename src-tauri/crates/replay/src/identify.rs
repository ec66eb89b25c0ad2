//! Which algorithm was running?

mod drive;
mod fit;
mod law;
mod lineage;
mod observe;
mod search;

use crate::record::Record;
use base::{Cancelled, Progress, Span};
use observe::Observed;
use search::Case;

#[doc(hidden)]
pub fn debug(record: &Record, marked: Option<bool>, progress: &mut dyn Progress) -> Result<Vec<String>, Cancelled> {
    let observed: Vec<Observed> = record.associations().iter().map(Observed::of).collect();
    let case = Case { gaps: observed.iter().map(Observed::gaps).sum(), observed: observed.iter().collect(), marked, delay: Span::from_millis(20) };
    let judged = case.investigate(progress)?;
    let mut out = vec![format!("gaps {}", case.gaps)];
    let mut seen = Vec::new();
    for j in judged.iter() {
        let l = lineage::lineage(j.suspect.spec.family);
        if seen.contains(&l) || seen.len() > 3 { continue; }
        seen.push(l);
        let strays: f64 = j.sightings.iter().flatten().filter(|s| matches!(s.seen, drive::Glimpse::Gap(_))).map(|s| j.fit.is_stray(s)).sum();
        out.push(format!("{l:10} {:22} score {:9.1} ll {:9.1} fresh {:.4} step {:.4} strays {:.1} {} {} {}",  j.suspect.spec.id, j.score, j.fit.log_likelihood, j.fit.fresh.0, j.fit.step.0,  strays, if j.suspect.settled {"settled"} else {""}, j.suspect.delay.millis(), serde_json::Value::Object(j.suspect.params.clone())));
    }
    Ok(out)
}
