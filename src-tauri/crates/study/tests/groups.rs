//! Tables of groups against numbers worked out by hand.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use replay::MetricName;
use std::collections::BTreeMap;
use study::{Asked, Estimate, Row, State, groups, listing};
use table::{Cells, Listing};

fn row(timer: &str, seed: u32, draws: u32, mean: Option<f64>) -> Row {
    let estimate = Estimate { mean, ..Estimate::default() };
    Row {
        task: format!("{timer} {seed} {draws}"),
        scenario: "chain".to_owned(),
        tags: BTreeMap::from([("seed".to_owned(), seed.to_string())]),
        path: format!("chain/{seed}.pcap"),
        sha256: format!("{seed:064}"),
        timer: timer.to_owned(),
        algorithm: timer.to_owned(),
        params: "{}".to_owned(),
        ran: None,
        channel: "auto".to_owned(),
        used: Some("empirical".to_owned()),
        why: None,
        settings: "{}".to_owned(),
        seed: draws,
        replicates: 20,
        program: "test".to_owned(),
        state: if mean.is_some() { State::Done } else { State::Refused },
        reason: None,
        support: Some(0.5),
        collapse: None,
        measures: BTreeMap::from([(MetricName::DurationMean, estimate)]),
    }
}

fn asked() -> Asked {
    Asked {
        by: vec!["timer".to_owned()],
        measures: vec![MetricName::DurationMean],
        baseline: Some("a".to_owned()),
        level: 0.9,
    }
}

fn table(rows: &[Row], asked: &Asked) -> Result<Listing<String>, String> {
    groups(rows, asked).map(|groups| listing(&groups, asked))
}

fn real(listing: &Listing<String>, name: &str, row: usize) -> Option<f64> {
    match &listing.columns.iter().find(|column| column.0 == name).unwrap().1 {
        Cells::Real(cells) => cells[row],
        Cells::Whole(cells) => cells[row].map(|n| n as f64),
        other => panic!("{other:?}"),
    }
}

fn text(listing: &Listing<String>, name: &str, row: usize) -> String {
    listing.columns.iter().find(|column| column.0 == name).unwrap().1.text(row).unwrap_or_default()
}

fn near(got: Option<f64>, expected: f64) {
    let got = got.unwrap();
    assert!((got - expected).abs() < 1e-6, "{got} is not {expected}");
}

/// Four seeds: a 1 to 4, b half a second more, c twenty seconds more.
fn rows() -> Vec<Row> {
    let of = |timer: &str, more: f64| (1..=4).map(|seed| row(timer, seed, 1, Some(f64::from(seed) + more))).collect();
    let rows: [Vec<Row>; 3] = [of("a", 0.0), of("b", 0.5), of("c", 20.0)];
    rows.into_iter().flatten().collect()
}

#[test]
fn means_quantiles_letters_and_differences() {
    let table = table(&rows(), &asked()).unwrap();
    assert_eq!(table.rows(), 3);
    near(real(&table, "mean", 0), 2.5);
    // R: mean(1:4) + c(-1, 1) * qt(0.95, 3) * sd(1:4) / 2
    near(real(&table, "lo", 0), 0.980_911_3);
    near(real(&table, "hi", 0), 4.019_088_7);
    assert_eq!(text(&table, "interval", 0), "student");
    // R: quantile(1:4, c(0.25, 0.5, 0.75))
    for (name, expected) in [("q25", 1.75), ("median", 2.5), ("q75", 3.25), ("runs", 4.0)] {
        near(real(&table, name, 0), expected);
    }
    // The mean square within is 5/3, so that a and b (0.5 apart) do not differ and c does.
    assert_eq!([0, 1, 2].map(|row| text(&table, "letters", row)), ["b", "b", "a"]);
    assert_eq!(real(&table, "difference", 0), None);
    for (at, expected) in [(1, 0.5), (2, 20.0)] {
        for name in ["difference", "difference_lo", "difference_hi"] {
            near(real(&table, name, at), expected);
        }
        near(real(&table, "pairs", at), 4.0);
    }
}

#[test]
fn an_interval_ends_where_no_mean_can_be() {
    let rows: Vec<Row> = (1..).zip([0.1, 2.0]).map(|(seed, mean)| row("a", seed, 1, Some(mean))).collect();
    let table = table(&rows, &asked()).unwrap();
    // R: mean(c(.1, 2)) + c(-1, 1) * qt(0.95, 1) * sd(c(.1, 2)) / sqrt(2)
    near(real(&table, "lo", 0), 0.0);
    near(real(&table, "hi", 0), 7.048_063_9);
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let mut reversed = rows();
    reversed.reverse();
    assert_eq!(table(&reversed, &asked()), table(&rows(), &asked()));
}

#[test]
fn rows_of_one_run_of_the_network_are_averaged_first() {
    let mut rows = rows();
    // Ten more seeds of the draws over one network tell more about that one, and nothing about networks.
    rows.extend((2..12).map(|draws| row("a", 1, draws, Some(1.0))));
    let table = table(&rows, &asked()).unwrap();
    near(real(&table, "mean", 0), 2.5);
    near(real(&table, "runs", 0), 4.0);
    near(real(&table, "lo", 0), 0.980_911_3);
}

#[test]
fn five_runs_have_the_bootstrap_and_one_has_no_interval() {
    let mut rows = rows();
    rows.push(row("a", 5, 1, Some(5.0)));
    rows.push(row("lonely", 1, 1, Some(7.0)));
    rows.push(row("lonely", 2, 1, None));
    let table = table(&rows, &asked()).unwrap();
    assert_eq!(text(&table, "interval", 0), "bootstrap");
    let (lo, hi) = (real(&table, "lo", 0).unwrap(), real(&table, "hi", 0).unwrap());
    assert!((1.0..2.0).contains(&lo) && (4.0..5.0).contains(&hi), "{lo} {hi}");
    let lonely = (0..table.rows()).find(|&row| text(&table, "timer", row) == "lonely").unwrap();
    near(real(&table, "mean", lonely), 7.0);
    assert_eq!(real(&table, "lo", lonely), None);
    near(real(&table, "without", lonely), 1.0);
    assert_eq!(text(&table, "letters", lonely), "");
}

#[test]
fn keys_that_are_not_there_are_named() {
    let by = |key: &str| table(&rows(), &Asked { by: vec![key.to_owned()], baseline: None, ..asked() });
    assert_eq!(
        by("mac").unwrap_err(),
        "no row has `mac`; groups can be by algorithm, channel, scenario, seed, timer, or a parameter of a timer"
    );
    assert!(by("seed").is_ok());
    let wrong = table(&rows(), &Asked { baseline: Some("z".to_owned()), ..asked() });
    assert_eq!(wrong.unwrap_err(), "`z` is no timer of the study; there are a, b, c");
}

#[test]
fn rows_come_back_from_their_listing() {
    let rows = rows();
    let (listing, columns) = Row::listing(&rows);
    assert_eq!(listing.columns.len(), columns.len());
    assert_eq!(columns.iter().find(|column| column.name == "duration_mean_lo90").unwrap().unit, "s");
    assert_eq!(Row::of_listing(&listing).unwrap(), rows);
}

#[test]
fn the_real_value_is_that_of_captures_in_which_the_timer_ran() {
    let mut rows = rows();
    for row in rows.iter_mut().filter(|row| row.timer != "c") {
        row.ran = Some(row.timer == "a" && row.sha256.ends_with(['1', '2']));
        row.measures.values_mut().for_each(|of| of.recorded = of.mean.map(|mean| 10.0 * mean));
    }
    // Another seed of the draws over one network adds nothing.
    let again = Row { seed: 2, ..rows[0].clone() };
    rows.push(again);
    let table = table(&rows, &asked()).unwrap();
    near(real(&table, "real", 0), 15.0);
    near(real(&table, "real_runs", 0), 2.0);
    assert_eq!([1, 2].map(|row| real(&table, "real", row)), [None, None]);
}

#[test]
fn groups_by_a_parameter_have_the_preset_s_value_where_the_study_gives_none() {
    let mut rows = rows();
    for row in &mut rows {
        row.algorithm = if row.timer == "c" { "coap_default" } else { "cocoa_plus" }.to_owned();
        if row.timer == "b" {
            row.params = r#"{"rto_max":32}"#.to_owned();
        }
    }
    let by = |key: &str| Asked { by: vec![key.to_owned(), "timer".to_owned()], ..asked() };
    let table = table(&rows, &by("rto_max")).unwrap();
    let keys: Vec<_> = (0..3).map(|row| (text(&table, "rto_max", row), text(&table, "timer", row))).collect();
    let expected = [("", "c"), ("32", "b"), ("60", "a")].map(|(value, timer)| (value.to_owned(), timer.to_owned()));
    assert_eq!(keys, expected);
    assert!(groups(&rows, &by("no_such")).is_err());
}
