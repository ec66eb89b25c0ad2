//! Samples of two programs, held against each other.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Measures of a replicate: mean, median and 95 % quantile of durations, retransmissions per exchange, frames.
pub type Row = [f64; 5];

const MEASURES: [&str; 5] = ["mean", "median", "p95", "retransmissions", "frames"];

/// Replicates of a prototype, by parameter file and timer.
pub type Prototype = BTreeMap<(String, String), Vec<Row>>;

/// Rows of a file by parameter file and timer.
pub fn rows(text: &str) -> Prototype {
    let mut all = Prototype::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let &[file, timer, ..] = words.as_slice() else { panic!("{line}") };
        let row = [2, 3, 4, 5, 6].map(|at| words[at].parse().unwrap());
        all.entry((file.to_owned(), timer.to_owned())).or_default().push(row);
    }
    all
}

/// Folder of the parameter files of a prototype; `None`, said, where it is not at hand.
pub fn folder(prototype: &str) -> Option<PathBuf> {
    needs::shared(&format!("design/twin/{prototype}/parameters"))
}

/// Greatest distance between the empirical distribution functions of two samples (Kolmogorov–Smirnov).
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let sorted = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    let (a, b) = (sorted(a), sorted(b));
    let share = |list: &[f64], x: f64| list.partition_point(|v| *v <= x) as f64 / list.len() as f64;
    a.iter().chain(&b).map(|&x| (share(&a, x) - share(&b, x)).abs()).fold(0.0, f64::max)
}

/// Distance that two samples of `n` and `m` from one distribution exceed with probability `level` (asymptotic: Smirnov,
/// 1948).
fn critical(n: usize, m: usize, level: f64) -> f64 {
    let (n, m) = (n as f64, m as f64);
    (-(level / 2.0).ln() / 2.0 * (n + m) / (n * m)).sqrt()
}

fn column(rows: &[Row], at: usize) -> Vec<f64> {
    rows.iter().map(|row| row[at]).collect()
}

/// Fails where the rows that `twin` gives for a parameter file and a timer have other distributions than the
/// prototype's.
pub fn check_equal(prototype: &Prototype, twin: impl Fn(&str, &str) -> Vec<Row>) {
    // One level for all tests together (Bonferroni): a twin that is right fails once in a hundred choices of seeds.
    let level = 0.01 / (prototype.len() * MEASURES.len()) as f64;
    for ((file, timer), rows) in prototype {
        let own = twin(file, timer);
        let most = critical(rows.len(), own.len(), level);
        let distances: Vec<f64> = (0..5).map(|at| distance(&column(rows, at), &column(&own, at))).collect();
        let means = (0..5).map(|at| {
            let mean = |rows: &[Row]| column(rows, at).iter().sum::<f64>() / rows.len() as f64;
            format!("{} {:.3} for {:.3}", MEASURES[at], mean(&own), mean(rows))
        });
        println!("{file} {timer}: {} {distances:.3?}, at most {most:.3}", means.collect::<Vec<_>>().join(", "));
        assert!(distances.iter().all(|&distance| distance <= most), "{file} {timer}");
    }
}

/// Fails where one of `measures` has the same distribution in both samples.
pub fn check_different(rows: &[Row], own: &[Row], measures: &[usize]) {
    for &at in measures {
        let distance = distance(&column(rows, at), &column(own, at));
        assert!(distance > critical(rows.len(), own.len(), 0.001), "{}: {distance}", MEASURES[at]);
    }
}
