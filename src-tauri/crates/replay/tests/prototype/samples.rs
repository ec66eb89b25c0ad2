//! Samples of two programs, held against each other.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Measures of a replicate.
type Row = [f64; 5];

/// Rows of a file by parameter file and timer.
pub fn rows(text: &str) -> BTreeMap<(String, String), Vec<Row>> {
    let mut all: BTreeMap<_, Vec<Row>> = BTreeMap::new();
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
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    let sorted = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    let (a, b) = (sorted(a), sorted(b));
    let share = |list: &[f64], x: f64| list.partition_point(|v| *v <= x) as f64 / list.len() as f64;
    a.iter().chain(&b).map(|&x| (share(&a, x) - share(&b, x)).abs()).fold(0.0, f64::max)
}

/// Distance that two samples of `n` and `m` from one distribution exceed with probability `level` (asymptotic: Smirnov, 1948).
pub fn critical(n: usize, m: usize, level: f64) -> f64 {
    let (n, m) = (n as f64, m as f64);
    (-(level / 2.0).ln() / 2.0 * (n + m) / (n * m)).sqrt()
}

pub fn column(rows: &[Row], at: usize) -> Vec<f64> {
    rows.iter().map(|row| row[at]).collect()
}
