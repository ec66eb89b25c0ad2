//! Files of printed numbers, and the comparison with ours.

use base::Span;
use rto::EstimatorState;
use std::path::Path;

pub const TIMERS: [&str; 5] = ["t0", "t1", "t2", "t3", "t4"];

/// A file of rows with named columns. Lines starting with `#` are remarks.
pub struct Table {
    pub name: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    pub remarks: Vec<String>,
}

impl Table {
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(format!("{name}.csv"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (remarks, lines): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('#'));
        let mut rows = lines.into_iter().map(|line| line.split(',').map(str::to_owned).collect());
        let columns = rows.next().expect("a heading");
        Self {
            name: name.to_owned(),
            columns,
            rows: rows.collect(),
            remarks: remarks.into_iter().map(str::to_owned).collect(),
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(move |cells| Row { table: self, cells })
    }
}

pub struct Row<'a> {
    table: &'a Table,
    cells: &'a [String],
}

impl Row<'_> {
    /// The cell of a column; none when it is empty or there is no such column.
    pub fn get(&self, column: &str) -> Option<f64> {
        let n = self.table.columns.iter().position(|name| name == column)?;
        let cell = self.cells[n].as_str();
        (!cell.is_empty()).then(|| cell.parse().unwrap_or_else(|_| panic!("{column} is {cell}")))
    }

    pub fn need(&self, column: &str) -> f64 {
        self.get(column).unwrap_or_else(|| panic!("{}: no {column}", self.table.name))
    }

    pub fn millis(&self, column: &str) -> Span {
        Span::from_millis(self.need(column) as i64)
    }

    pub fn text(&self, column: &str) -> &str {
        self.table.columns.iter().position(|name| name == column).map_or("", |n| self.cells[n].as_str())
    }
}

/// Compared cells and the first differences.
#[derive(Default)]
pub struct Tally {
    pub rows: usize,
    pub cells: usize,
    wrong: Vec<String>,
}

impl Tally {
    /// Both in the file's unit: equal, or for a fraction as close as it is printed.
    pub fn check(&mut self, row: &Row<'_>, column: &str, got: f64) {
        let Some(expected) = row.get(column) else { return };
        self.cells += 1;
        let close = expected.fract() != 0.0 && (expected - got).abs() < 1e-7;
        if expected != got && !close {
            self.wrong.push(format!("{} row {} {column}: {expected}, got {got}", row.table.name, row.need("i")));
        }
    }

    pub fn report(self, what: &str, rows: usize) {
        println!("{what}: {} rows, {} numbers compared, {} differences", self.rows, self.cells, self.wrong.len());
        let first: Vec<_> = self.wrong.iter().take(20).collect();
        assert!(self.wrong.is_empty(), "{} differences, the first: {first:#?}", self.wrong.len());
        assert_eq!(self.rows, rows, "{what}");
    }
}

pub fn ms(span: Span) -> f64 {
    span.nanos() as f64 / 1e6
}

/// A variable in milliseconds, or as it is if it has no unit; `None` reads as the original's zero.
pub fn variable(state: &EstimatorState, name: &str) -> Option<f64> {
    let value = state.values.iter().find(|(n, _)| *n == name)?.1.unwrap_or(Span::ZERO);
    Some(if ["delta", "B", "missed"].contains(&name) { value.secs_f64() } else { ms(value) })
}

/// Our variables and the columns of the same thing.
const VARIABLES: [(&str, &str); 17] = [
    ("E_strong", "strong_rto"),
    ("rtt_strong", "strong_rtt"),
    ("rttvar_strong", "strong_rttvar"),
    ("E_weak", "weak_rto"),
    ("rtt_weak", "weak_rtt"),
    ("rttvar_weak", "weak_rttvar"),
    ("srtt", "srtt"),
    ("rttvar", "rttvar"),
    ("mdev", "mdev"),
    ("mdev_max", "mdev_max"),
    ("delta", "ph_delta"),
    ("B", "ph_b"),
    ("rtt_max", "ph_rtt_max"),
    ("rtt_prev", "ph_rtt_prev"),
    ("rto_min", "ph_rto_min"),
    ("estimate", "mean_rto_after"),
    ("missed", "rttsmissed"),
];

pub fn variables(tally: &mut Tally, row: &Row<'_>, state: &EstimatorState) {
    for (name, column) in VARIABLES {
        if let Some(got) = variable(state, name) {
            tally.check(row, column, got);
        }
    }
}

/// Answer of `getRTO`, never more than 32 s: 2.x has a current RTO beside the last estimate.
pub fn get_rto(state: &EstimatorState) -> f64 {
    variable(state, "current").or_else(|| variable(state, "rto")).unwrap_or(-1.0).min(32_000.0)
}
