//! Sections of reports ([`SectionKind`]): the requests of each. ui/src/views/report/sections.ts draws the section with
//! the same id.

use super::Recorder;
use crate::view::SectionKind;
use crate::{Error, Progress};
use base::AssociationId;
use serde_json::json;
use std::collections::BTreeMap;

/// Width of lanes in a report, pixels. Chosen here: twice that of a wide window, so that little is binned.
const PX: u32 = 2_400;
/// Number of bins of the navigator: as many as the page asks for (`BINS` in `ui/src/state/capture/capture.svelte.ts`).
const BINS: u32 = 872;
/// Least number of associations of a host that have one lane together (`MANY_OF_A_HOST` in
/// `ui/src/state/capture/lanechoice.ts`).
const MANY_OF_A_HOST: usize = 4;

/// Returns the sections with these ids, in the order of reports; all where `ids` is empty. Unknown ids are left out.
pub(super) fn chosen(ids: &[String]) -> Vec<SectionKind> {
    SectionKind::ALL.into_iter().filter(|section| ids.is_empty() || ids.contains(&section.id())).collect()
}

/// Asks the core for the replies of a section, beside those that every report has: the capture, the algorithms, the
/// replay.
///
/// # Errors
/// As the commands that it asks.
pub(super) fn record(section: SectionKind, report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    match section {
        SectionKind::Compare => {
            report.measured(progress)?;
            report.distribution(progress)
        }
        SectionKind::Check => report.checks(progress),
        SectionKind::Trust => report.trust(progress),
        SectionKind::Timeline => timeline(report, progress),
        SectionKind::Sensitivity => report.sensitivity(progress),
        SectionKind::Figures => figures(report, progress),
        SectionKind::Rto => rto(report, progress),
        SectionKind::Summary | SectionKind::Notes | SectionKind::Parameters | SectionKind::Reproduce => Ok(()),
    }
}

fn timeline(report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    report.ask("navigator", json!({ "capture": 0, "bins": BINS }), progress)?;
    let (t0, t1) = report.capture().window;
    let mut lanes = json!({ "capture": 0, "runs": report.behaviours(), "t0": t0, "t1": t1, "px": PX });
    let (hosts, single) = hosts(&report.clients()?, &report.unfolded());
    if !hosts.is_empty() {
        lanes["lanes"] = json!(single);
        lanes["hosts"] = json!(hosts);
        let asked = json!({ "capture": 0, "runs": report.behaviours(), "hosts": hosts });
        report.ask("lane_hosts", asked, progress)?;
    }
    report.ask("lanes", lanes, progress)
}

/// Returns the hosts that have one lane for all of their associations, each by its first one, and the associations with
/// lanes of their own: as *Timeline* stacks them (`lanesOf` in `ui/src/state/capture/lanechoice.ts`). `clients` are the
/// addresses of the associations, in their order.
fn hosts(clients: &[String], unfolded: &[String]) -> (Vec<AssociationId>, Vec<AssociationId>) {
    let mut by_address: BTreeMap<&String, Vec<AssociationId>> = BTreeMap::new();
    for (at, client) in clients.iter().enumerate() {
        by_address.entry(client).or_default().push(AssociationId::at(at));
    }
    by_address.retain(|_, members| members.len() >= MANY_OF_A_HOST);
    let mut hosts: Vec<AssociationId> = by_address.values().filter_map(|members| members.first().copied()).collect();
    hosts.sort_unstable();
    let is_single = |client: &String| !by_address.contains_key(client) || unfolded.contains(client);
    let all = clients.iter().enumerate();
    let single = all.filter(|(_, client)| is_single(client)).map(|(at, _)| AssociationId::at(at)).collect();
    (hosts, single)
}

fn figures(report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    for request in report.figures() {
        report.ask("figure", request, progress)?;
    }
    Ok(())
}

fn rto(report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    let (t0, t1) = report.capture().window;
    let association = report.capture().association;
    let at = report.capture().playhead;
    for run in report.behaviours() {
        report.ask(
            "rto",
            json!({ "capture": 0, "run": run, "association": association, "t0": t0, "t1": t1 }),
            progress,
        )?;
        if !run.is_null() {
            report.ask("state", json!({ "capture": 0, "run": run, "association": association, "at": at }), progress)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::hosts;
    use base::AssociationId;

    #[test]
    fn hosts_with_many_associations_have_one_lane_unless_unfolded() {
        let clients: Vec<String> = ["a", "b", "b", "c", "b", "b", "c"].map(str::to_owned).into();
        let ids = |places: &[usize]| places.iter().map(|&place| AssociationId::at(place)).collect::<Vec<_>>();
        assert_eq!(hosts(&clients, &[]), (ids(&[1]), ids(&[0, 3, 6])), "c has two only");
        assert_eq!(hosts(&clients, &["b".to_owned()]), (ids(&[1]), ids(&[0, 1, 2, 3, 4, 5, 6])));
        assert_eq!(hosts(&clients[..4], &[]), (ids(&[]), ids(&[0, 1, 2, 3])));
    }
}
