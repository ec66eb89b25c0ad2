//! Changes between two captures besides the timer: each with both numbers, and a sentence that says whether it is one.

use crate::view::{ChangeKind, ChangeView, ClientConditions, ConditionsView};
use std::collections::BTreeMap;
use trace::network::Share;

/// Greatest factor between the lengths of two captures. Chosen here: as for runs of one network (`measured`).
const LENGTHS: f64 = 1.5;
/// Greatest factor between rates that count as unchanged. Chosen here: bundled runs of one network under one timer
/// differ by up to
/// 1.13 (`traces/live-ge-cocoa` and `-again`, by `rtoscope check-again` of one against the other).
const RATES: f64 = 1.2;
/// Least difference of shares, 0 to 1, that counts as a change, where their 95 % intervals do not meet. Chosen here: of
/// many frames far smaller differences are significant, and matter to no timer.
const SHARES: f64 = 0.02;
/// Greatest number of clients that a sentence names; further ones are only counted. Chosen here by judgement, for the
/// length of the sentence.
const NAMED: usize = 4;
/// Least number of frames of a link that a sentence names. Chosen here: with fewer the 95 % interval of a share is
/// wider than 0.3.
const FRAMES: u64 = 40;

/// Clients that are in both captures, before and after.
type Pairs<'a> = Vec<(&'a ClientConditions, &'a ClientConditions)>;

/// Returns the conditions of two captures beside each other, in order of their kinds.
pub(super) fn changes(before: &ConditionsView, after: &ConditionsView) -> Vec<ChangeView> {
    let ends = |client: &ClientConditions| (client.client.clone(), client.server.clone());
    let known: BTreeMap<_, _> = after.clients.iter().map(|client| (ends(client), client)).collect();
    let pairs: Pairs = before.clients.iter().filter_map(|client| Some((client, *known.get(&ends(client))?))).collect();
    let mut all = vec![length(before.seconds, after.seconds), clients(before, after, &pairs)];
    if !pairs.is_empty() {
        all.push(load(before.seconds, after.seconds, &pairs));
    }
    all.extend(hops(&pairs));
    all.extend(parents(&pairs));
    all.extend(frames(before, after));
    all.extend(first_copies(&pairs));
    all
}

fn length(before: f64, after: f64) -> ChangeView {
    let changed = before > LENGTHS * after || after > LENGTHS * before;
    let said = format!("The first capture lasts {before:.0} s, the second {after:.0} s.");
    view(ChangeKind::Length, "length", (Some(before), Some(after)), "s", changed, said)
}

fn clients(before: &ConditionsView, after: &ConditionsView, pairs: &Pairs<'_>) -> ChangeView {
    let went = before.clients.iter().filter(|&client| !pairs.iter().any(|(a, _)| std::ptr::eq(*a, client)));
    let came = after.clients.iter().filter(|&client| !pairs.iter().any(|(_, b)| std::ptr::eq(*b, client)));
    let (went, came): (Vec<String>, Vec<String>) =
        (went.map(|c| c.name.clone()).collect(), came.map(|c| c.name.clone()).collect());
    let part = |names: &[String], verb: &str| (!names.is_empty()).then(|| format!("{} {verb}", listed(names)));
    let parts: Vec<String> = part(&came, "came").into_iter().chain(part(&went, "went")).collect();
    let said = match (parts.as_slice(), pairs.len()) {
        ([], 1) => "The same client is in both.".to_owned(),
        ([], all) => format!("The same {all} clients are in both."),
        (parts, _) => format!("{}.", parts.join("; ")),
    };
    let numbers = (Some(before.clients.len() as f64), Some(after.clients.len() as f64));
    view(ChangeKind::Clients, "clients", numbers, "", !parts.is_empty(), said)
}

/// Returns the load: exchanges per minute of the clients that are in both captures.
fn load(before: f64, after: f64, pairs: &Pairs<'_>) -> ChangeView {
    let total =
        |of: fn(&(&ClientConditions, &ClientConditions)) -> u32| pairs.iter().map(of).map(f64::from).sum::<f64>();
    let rate = |exchanges: f64, seconds: f64| (seconds > 0.0).then(|| 60.0 * exchanges / seconds);
    let numbers = (rate(total(|pair| pair.0.exchanges), before), rate(total(|pair| pair.1.exchanges), after));
    let (changed, mut said) = match numbers {
        (Some(a), Some(b)) => {
            let changed = a > RATES * b || b > RATES * a;
            let word = if changed { "changed" } else { "stayed" };
            (changed, format!("The load {word}: {a:.1} exchanges a minute before, {b:.1} after."))
        }
        _ => (false, "A capture without length has no load.".to_owned()),
    };
    let waiting = pairs.iter().filter(|(a, b)| a.waits || b.waits).count();
    if changed && waiting > 0 {
        let all = pairs.len();
        said += &format!(
            " {waiting} of {all} clients send the next request when the last has ended: there a timer that ends it sooner raises the \
             load itself."
        );
    }
    view(ChangeKind::Load, "exchanges of the same clients", numbers, "1/min", changed, said)
}

/// Returns the hops of the clients where both captures show them; `None` where none does.
fn hops(pairs: &Pairs<'_>) -> Option<ChangeView> {
    let known: Vec<(&str, u32, u32)> =
        pairs.iter().filter_map(|(a, b)| Some((b.name.as_str(), a.hops?, b.hops?))).collect();
    let mean = |of: fn(&(&str, u32, u32)) -> u32| known.iter().map(of).map(f64::from).sum::<f64>() / known.len() as f64;
    let moved: Vec<String> =
        known.iter().filter(|(_, a, b)| a != b).map(|(name, a, b)| format!("{name} (from {a} to {b} hops)")).collect();
    let said = match moved.len() {
        0 => format!("All {} clients are as many hops from their servers as before.", known.len()),
        some => format!("{some} of {} clients have another number of hops: {}.", known.len(), listed(&moved)),
    };
    let numbers = (Some(mean(|k| k.1)), Some(mean(|k| k.2)));
    (!known.is_empty()).then(|| view(ChangeKind::Routes, "hops, mean", numbers, "", !moved.is_empty(), said))
}

/// Returns the RPL parents of the clients where both captures show them; `None` where none does.
fn parents(pairs: &Pairs<'_>) -> Option<ChangeView> {
    let known = pairs.iter().filter_map(|(a, b)| Some((b.name.as_str(), a.parent.as_ref()?, b.parent.as_ref()?)));
    let known: Vec<(&str, &String, &String)> = known.collect();
    let moved: Vec<String> =
        known.iter().filter(|(_, a, b)| a != b).map(|(name, a, b)| format!("{name} (from {a} to {b})")).collect();
    let said = match moved.len() {
        0 => format!("All {} clients had the same parent for longest.", known.len()),
        some => format!("{some} of {} clients had another parent for longest: {}.", known.len(), listed(&moved)),
    };
    let numbers = (None, Some(moved.len() as f64));
    (!known.is_empty())
        .then(|| view(ChangeKind::Routes, "clients with another parent", numbers, "", !moved.is_empty(), said))
}

/// Returns the share of frames without an acknowledgement on the links in both captures; `None` without such frames.
fn frames(before: &ConditionsView, after: &ConditionsView) -> Option<ChangeView> {
    let lost = |frames: u32, acknowledged: u32| Share {
        hits: u64::from(frames.saturating_sub(acknowledged)),
        trials: u64::from(frames),
    };
    let known: BTreeMap<(&str, &str), Share> = after
        .links
        .iter()
        .map(|link| ((link.from.as_str(), link.to.as_str()), lost(link.frames, link.acknowledged)))
        .collect();
    let both: Vec<(String, Share, Share)> = before
        .links
        .iter()
        .filter_map(|link| {
            let after = known.get(&(link.from.as_str(), link.to.as_str()))?;
            Some((format!("{} to {}", link.from, link.to), lost(link.frames, link.acknowledged), *after))
        })
        .collect();
    let all = |of: fn(&(String, Share, Share)) -> Share| both.iter().map(of).fold(Share::default(), sum);
    let (a, b) = (all(|link| link.1), all(|link| link.2));
    let (changed, mut said) = compared("Frames without an acknowledgement, every attempt,", a, b)?;
    let counted = both.iter().filter(|(_, a, b)| a.trials.min(b.trials) >= FRAMES && differ(*a, *b));
    let by = |(_, a, b): &&(String, Share, Share)| Some((b.value()? - a.value()?).abs());
    if let Some((name, a, b)) = counted.max_by(|x, y| by(x).partial_cmp(&by(y)).unwrap_or(std::cmp::Ordering::Equal)) {
        let (a, b) = (percent(a.value()?), percent(b.value()?));
        said += &format!(" The link that changed most is {name}: {a} before, {b} after.");
    }
    Some(view(ChangeKind::Losses, "frames without acknowledgement", (a.value(), b.value()), "fraction", changed, said))
}

/// Returns the share of first copies without an answer, of the clients in both captures; `None` without such copies.
fn first_copies(pairs: &Pairs<'_>) -> Option<ChangeView> {
    let lost = |client: &ClientConditions| Share {
        hits: u64::from(client.first_copies.saturating_sub(client.answered)),
        trials: u64::from(client.first_copies),
    };
    let (a, b) = pairs
        .iter()
        .map(|(a, b)| (lost(a), lost(b)))
        .fold(Default::default(), |(a, b), (own, other)| (sum(a, own), sum(b, other)));
    let (changed, mut said) = compared("First copies without an answer", a, b)?;
    if changed {
        said += " Where losses come from the clients' own load, the timer has a part in this.";
    }
    Some(view(ChangeKind::Losses, "first copies without an answer", (a.value(), b.value()), "fraction", changed, said))
}

fn compared(what: &str, before: Share, after: Share) -> Option<(bool, String)> {
    let (a, b) = (before.value()?, after.value()?);
    let changed = differ(before, after);
    let verb = if changed { "changed" } else { "stayed" };
    let (a, b) = (percent(a), percent(b));
    Some((changed, format!("{what} {verb}: {a} of {} before, {b} of {} after.", before.trials, after.trials)))
}

/// Whether two shares differ: their 95 % intervals do not meet, and they are apart by [`SHARES`] at least.
fn differ(a: Share, b: Share) -> bool {
    let apart = a.interval95().zip(b.interval95()).is_some_and(|(a, b)| a.1 < b.0 || b.1 < a.0);
    apart && a.value().zip(b.value()).is_some_and(|(a, b)| (a - b).abs() >= SHARES)
}

fn sum(a: Share, b: Share) -> Share {
    Share { hits: a.hits + b.hits, trials: a.trials + b.trials }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn view(
    kind: ChangeKind,
    what: &str,
    (before, after): (Option<f64>, Option<f64>),
    unit: &str,
    changed: bool,
    said: String,
) -> ChangeView {
    ChangeView { kind, what: what.to_owned(), before, after, unit: unit.to_owned(), changed, said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::LinkConditions;

    fn client(name: &str, exchanges: u32, answered: u32) -> ClientConditions {
        ClientConditions {
            client: format!("fd00::{name}"),
            server: "fd00::1".to_owned(),
            name: format!("mote {name}"),
            exchanges,
            waits: name == "3",
            first_copies: exchanges,
            answered,
            hops: Some(2),
            parent: Some("mote 1".to_owned()),
        }
    }

    fn conditions(clients: Vec<ClientConditions>, acknowledged: u32) -> ConditionsView {
        let link = LinkConditions { from: "mote 2".to_owned(), to: "mote 1".to_owned(), frames: 1000, acknowledged };
        ConditionsView { seconds: 600.0, clients, links: vec![link] }
    }

    fn changed(all: &[ChangeView]) -> Vec<&str> {
        all.iter().filter(|change| change.changed).map(|change| change.what.as_str()).collect()
    }

    #[test]
    fn the_same_conditions_are_no_change() {
        let same = conditions(vec![client("2", 100, 90), client("3", 100, 80)], 900);
        let all = changes(&same, &same);
        assert_eq!(changed(&all), [""; 0]);
        assert_eq!(all.len(), 7);
        assert_eq!(all[1].said, "The same 2 clients are in both.");
    }

    #[test]
    fn each_condition_is_found_with_its_numbers() {
        let before = conditions(vec![client("2", 100, 90), client("3", 100, 80), client("4", 10, 9)], 900);
        let mut other = client("3", 150, 60);
        (other.hops, other.parent) = (Some(3), Some("mote 2".to_owned()));
        let after = conditions(vec![client("2", 100, 90), other, client("5", 10, 9)], 700);
        let all = changes(&before, &after);
        let every = [
            "clients",
            "exchanges of the same clients",
            "hops, mean",
            "clients with another parent",
            "frames without acknowledgement",
            "first copies without an answer",
        ];
        assert_eq!(changed(&all), every);
        let said: Vec<&str> = all.iter().map(|change| change.said.as_str()).collect();
        assert_eq!(said[1], "mote 5 came; mote 4 went.");
        assert!(
            said[2].starts_with(
                "The load changed: 20.0 exchanges a minute before, 25.0 after. 1 of 2 clients send the next"
            )
        );
        assert_eq!(said[3], "1 of 2 clients have another number of hops: mote 3 (from 2 to 3 hops).");
        assert_eq!(said[4], "1 of 2 clients had another parent for longest: mote 3 (from mote 1 to mote 2).");
        assert!(said[5].ends_with("The link that changed most is mote 2 to mote 1: 10.0 % before, 30.0 % after."));
        assert_eq!((all[6].before, all[6].after), (Some(0.15), Some(0.4)));
    }

    #[test]
    fn a_significant_trifle_is_no_change() {
        let share = |hits| Share { hits, trials: 1_000_000 };
        assert!(!differ(share(100_000), share(110_000)));
        assert!(differ(share(100_000), share(130_000)));
        let few = |hits| Share { hits, trials: 10 };
        assert!(!differ(few(1), few(4)));
    }
}
