//! Laws of alerts.

use super::*;
use crate::exchange::Ended;

const SECOND: i64 = 1_000_000_000;

fn alerts(rules: &[&str]) -> Alerts {
    let rules: Vec<Rule> = rules.iter().map(|text| Rule::read(text).unwrap()).collect();
    Alerts::new(rules, AlertsState::default())
}

/// One exchange a second for each client, so many of whose copies are needless.
fn seconds(alerts: &mut Alerts, seconds: std::ops::Range<i64>, clients: &[&str], needless: u32) {
    let passes = vec![true; alerts.rules.len()];
    for second in seconds {
        for client in clients {
            let seen = SeenExchange {
                time: second * SECOND,
                client: (*client).to_owned(),
                copies: 4,
                needless,
                ended: Ended::Answered,
                ..SeenExchange::default()
            };
            alerts.exchange(&seen, &passes, 0);
        }
    }
}

fn brief(alerts: &mut Alerts) -> Vec<(AlertKind, i64, Option<String>)> {
    alerts.take().into_iter().map(|alert| (alert.kind, alert.time / SECOND, alert.client)).collect()
}

#[test]
fn an_alert_begins_and_ends_once() {
    let mut alerts = alerts(&["needless > 25% for 60s"]);
    seconds(&mut alerts, 0..100, &["a"], 1);
    assert_eq!(brief(&mut alerts), [], "25 % is not above 25 %");
    seconds(&mut alerts, 100..200, &["a"], 2);
    seconds(&mut alerts, 200..400, &["a"], 0);
    let said = alerts.take();
    let kinds: Vec<AlertKind> = said.iter().map(|alert| alert.kind).collect();
    assert_eq!(kinds, [AlertKind::Begin, AlertKind::End]);
    assert_eq!(said[0].time, 101 * SECOND, "one exchange of 60 carries it over");
    assert_eq!(said[0].evidence, Evidence { exchanges: 60, copies: 240, needless: 61, lost: 0, failed: 0 });
    // 22.5 % of 240 copies are 54: 27 exchanges with two.
    assert_eq!((said[1].time, said[1].since), (233 * SECOND, Some(101 * SECOND)));
    assert_eq!(said.iter().map(|alert| alert.number).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn clients_are_watched_each_and_forgotten() {
    let mut alerts = alerts(&["needless per client > 25% for 60s"]);
    seconds(&mut alerts, 0..100, &["a"], 0);
    seconds(&mut alerts, 100..200, &["a"], 2);
    seconds(&mut alerts, 100..200, &["b"], 0);
    let began = [(AlertKind::Begin, 131, Some("a".to_owned()))];
    assert_eq!(brief(&mut alerts), began);
    alerts.advance(10_000 * SECOND);
    assert_eq!(brief(&mut alerts), [(AlertKind::End, 260, Some("a".to_owned()))], "nothing is left to measure");
    let state = alerts.state.rules.values().next().unwrap();
    assert!(state.watched.is_empty(), "{state:?}");
}

#[test]
fn nothing_is_said_before_the_time_of_a_rule_has_passed_or_with_few_observations() {
    let mut alerts = alerts(&["needless > 25% for 60s with 1000", "exchanges < 30 for 60s", "needless > 25% for 60s"]);
    seconds(&mut alerts, 0..59, &["a"], 2);
    assert_eq!(brief(&mut alerts), []);
    seconds(&mut alerts, 59..120, &["a"], 2);
    assert_eq!(brief(&mut alerts), [(AlertKind::Begin, 60, None)]);
    alerts.advance(300 * SECOND);
    let said: Vec<(String, AlertKind)> = alerts.take().into_iter().map(|alert| (alert.alert, alert.kind)).collect();
    let few = "exchanges < 30 for 60s".to_owned();
    assert_eq!(said, [(few, AlertKind::Begin), ("needless > 25% for 60s".to_owned(), AlertKind::End)]);
}

#[test]
fn a_sequence_is_said_where_the_second_follows_in_time() {
    let mut alerts = alerts(&["parent-changed then storm within 2min", "storm"]);
    let change = |second: i64| Happening {
        kind: EventKind::ParentChanged,
        time: second * SECOND,
        client: Some("mote 3".to_owned()),
        text: "mote 3 has mote 2 as parent, no longer mote 1".to_owned(),
        evidence: Evidence::default(),
    };
    seconds(&mut alerts, 0..100, &["a"], 0);
    alerts.happen(&change(100));
    seconds(&mut alerts, 101..150, &["a"], 3);
    let said = alerts.take();
    let names: Vec<&str> = said.iter().map(|alert| alert.alert.as_str()).collect();
    assert_eq!(names, ["parent-changed then storm within 2min", "storm"]);
    assert!(said[0].text.starts_with("mote 3 has mote 2 as parent, no longer mote 1; 3"), "{}", said[0].text);
    assert_eq!(said[0].since, Some(100 * SECOND));
    seconds(&mut alerts, 150..300, &["a"], 0);
    alerts.happen(&change(300));
    seconds(&mut alerts, 430..600, &["a"], 3);
    let names: Vec<String> = alerts.take().into_iter().map(|alert| alert.alert).collect();
    assert_eq!(names, ["storm"], "two minutes are over");
}

#[test]
fn where_rules_stand_survives() {
    let rules = ["needless > 25% for 60s", "storm"];
    let mut whole = alerts(&rules);
    seconds(&mut whole, 0..300, &["a", "b"], 3);
    let mut first = alerts(&rules);
    seconds(&mut first, 0..70, &["a", "b"], 3);
    let mut said = first.take();
    let text = serde_json::to_string(&first.state).unwrap();
    let mut second = alerts(&rules);
    second = Alerts::new(std::mem::take(&mut second.rules[..2].to_vec()), serde_json::from_str(&text).unwrap());
    seconds(&mut second, 70..300, &["a", "b"], 3);
    said.extend(second.take());
    assert_eq!(said, whole.take());
    assert_eq!(second.state, whole.state);
}

#[test]
fn alerts_that_go_on_are_listed_by_rule_and_client() {
    let mut alerts =
        alerts(&["storm then storm within 1min", "needless per client > 25% for 60s", "needless > 25% for 60s"]);
    assert_eq!(alerts.open(), []);
    seconds(&mut alerts, 0..200, &["b", "a"], 2);
    let open = |rule, client, since: i64| OpenAlert { rule, client, since: since * SECOND };
    assert_eq!(alerts.open(), [open(1, Some("a"), 60), open(1, Some("b"), 60), open(2, None, 60)]);
    seconds(&mut alerts, 200..400, &["b"], 0);
    assert_eq!(alerts.open(), []);
}
