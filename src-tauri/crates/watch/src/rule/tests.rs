//! Laws of the text of rules.

use super::*;

#[test]
fn rules_are_read_as_they_are_documented() {
    let read = |text: &str| match Rule::read(text).unwrap().condition {
        Condition::Threshold(threshold) => threshold,
        other => panic!("{other:?}"),
    };
    let plain = read("needless > 20% for 5min");
    assert_eq!((plain.measure, plain.value, plain.time), (Measure::Needless, 0.2, Span::from_secs(300)));
    assert_eq!((plain.per_client, &plain.filter, plain.with), (false, &None, WITH));
    let long = read("duration_p95 per client of client == \"mote 3\" && coap.code == GET >= 2.5s for 1h with 100");
    assert_eq!((long.value, long.with, long.per_client), (2.5, 100, true));
    assert_eq!(long.filter, Some("client == \"mote 3\" && coap.code == GET".parse().unwrap()));
    assert_eq!(read("duration_mean > 2 for 90").time, read("duration_mean > 2000ms for 1.5min").time, "seconds");
    assert_eq!(read("needless of rtt > 2s > 0.5 for 10s").filter, Some("rtt > 2s".parse().unwrap()));
    assert_eq!(Rule::read(" storm ").unwrap().condition, Condition::Event(EventKind::Storm));
    let sequence = Rule::read("parent-changed then  storm within 10min").unwrap();
    assert_eq!(sequence.name, "parent-changed then storm within 10min");
    let ten = Span::from_secs(600);
    assert_eq!(sequence.condition, Condition::Sequence(EventKind::ParentChanged, EventKind::Storm, ten));
}

#[test]
fn errors_say_what_would_do() {
    for (text, said) in [
        ("", "has not the form"),
        ("storms", "has not the form"),
        ("needles > 20% for 5min", "`needles` is no measure"),
        ("needless = 20% for 5min", "`=` is no comparison"),
        ("needless > 120% for 5min", "a share such as"),
        ("duration_mean > 5% for 5min", "a time such as"),
        ("needless > 20% for ever", "`ever` is no unit of time; there are ns"),
        ("needless > 20% for 5", "10s to 24h, not for 5"),
        ("needless > 20% for 5s", "10s to 24h"),
        ("needless of clint == 3 > 20% for 5min", "the filter `clint == 3`: column 1"),
        ("storm then rain within 5min", "`rain` is no event"),
        ("needless > 20% for 5min with some", "`some` is no number"),
        ("needless often > 20% for 5min", "has not the form"),
    ] {
        let error = Rule::read(text).unwrap_err().to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn a_file_has_rules_with_names() {
    let rules = rules_of_file("[[alert]]\nname = 'bad'\nwhen = 'storm'\n[[alert]]\nwhen = 'failed > 3 for 1h'\n");
    let names: Vec<String> = rules.unwrap().into_iter().map(|rule| rule.name).collect();
    assert_eq!(names, ["bad", "failed > 3 for 1h"]);
    assert!(rules_of_file("[[alert]]\nwhen = 'rain'\n").unwrap_err().0.starts_with("alert 1: "));
    let error = rules_of_file("[[alert]]\nwhen = 'storm'\nwhere = 'here'\n").unwrap_err().0;
    assert!(error.starts_with("line 3: ") && error.contains("where") && !error.contains('\n'), "{error}");
}

#[test]
fn an_alert_ends_later_than_it_began() {
    assert!(Comparison::Above.begins(0.21, 0.2) && !Comparison::Above.begins(0.2, 0.2));
    assert!(Comparison::Above.goes_on(0.19, 0.2) && !Comparison::Above.goes_on(0.18, 0.2));
    assert!(Comparison::AtMost.begins(2.0, 2.0) && Comparison::AtMost.goes_on(2.1, 2.0));
    assert!(!Comparison::AtMost.goes_on(2.3, 2.0));
    assert!(Comparison::AtMost.goes_on(0.0, 0.0) && !Comparison::Above.goes_on(0.0, 0.0), "at zero too");
}

#[test]
fn the_storm_is_what_its_text_says() {
    let storm = Rule::storm();
    assert_eq!(Rule::read(&storm.text).unwrap().condition, storm.condition);
}

#[test]
fn a_rule_that_is_there_twice_is_found() {
    let rules = |texts: &[&str]| texts.iter().map(|text| Rule::read(text).unwrap()).collect::<Vec<_>>();
    assert_eq!(distinct(&rules(&["storm", "timer-changed", "needless > 20% for 5min"])), Ok(()));
    let (at, error) = distinct(&rules(&["timer-changed", "storm", " storm"])).unwrap_err();
    assert_eq!((at, error.0.as_str()), (2, "this rule is there already"));
}
