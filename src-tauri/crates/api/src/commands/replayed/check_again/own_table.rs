//! A calibration table of one's own: every check of a prediction that a person added, one row a measure.

use crate::session::output;
use crate::view::{CalibrationAddRequest, CheckAgainView, OwnCalibrationView, OwnCoverage};
use crate::{Error, Session};
use replay::MetricName;
use replay::stats::share_interval;
use std::collections::BTreeSet;
use std::io;
use table::{Cells, Format, Listing, read_csv, write};

/// Columns of the table. The first five tell checks apart.
const COLUMNS: [&str; 12] = [
    "first",
    "second",
    "algorithm",
    "params",
    "channel",
    "measure",
    "before",
    "mean",
    "lo90",
    "hi90",
    "measured",
    "held",
];
/// Number of columns that tell checks apart.
const KEY: usize = 5;
/// Largest file that is read, octets: some 20,000 checks. Chosen here, so that a wrong file is refused before it is
/// read.
const MAX_FILE: u64 = 64 << 20;

/// A cell of each column.
type Row = [Option<String>; COLUMNS.len()];

impl Session {
    /// Adds a check to a calibration table of one's own. A check that the table has stays as it is.
    ///
    /// # Errors
    /// [`crate::Code::Request`]: another timer ran than was predicted, nothing was compared, or the file is no such
    /// table or cannot be read or written.
    pub fn add_to_calibration(&self, request: &CalibrationAddRequest) -> Result<OwnCalibrationView, Error> {
        let CalibrationAddRequest { path, check } = request;
        if check.same == Some(false) {
            return Err(Error::request(format!(
                "{} It does not check the prediction, so it is not added.",
                check.timer
            )));
        }
        if check.compared == 0 {
            return Err(Error::request("No measure was held against the second capture, so there is nothing to add."));
        }
        let mut rows = read(path)?;
        let new = rows_of(check);
        let known = new.first().is_some_and(|new| rows.iter().any(|row| row[..KEY] == new[..KEY]));
        if !known {
            rows.extend(new);
            output::write(self, path, |sink| write(&listing(&rows), Format::Csv, sink).map_err(io::Error::other))?;
        }
        Ok(answer(path, &rows, !known))
    }
}

/// Reads the table at `path`; none where there is no file.
fn read(path: &str) -> Result<Vec<Row>, Error> {
    let octets = match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Ok(file) if file.len() > MAX_FILE => return Err(foreign(path, "it is too large")),
        Ok(_) | Err(_) => {
            std::fs::read(path).map_err(|error| Error::request(format!("{path} cannot be read: {error}.")))?
        }
    };
    let table = read_csv(&octets).map_err(|error| foreign(path, &error.to_string()))?;
    if !table.columns.iter().map(|(name, _)| name.as_str()).eq(COLUMNS) {
        return Err(foreign(path, &format!("line 1 is not `{}`", COLUMNS.join(","))));
    }
    let row = |at: usize| {
        let mut row = Row::default();
        for (cell, (_, cells)) in row.iter_mut().zip(&table.columns) {
            *cell = cells.text(at);
        }
        // One line a row: no cell that is written here has a line break.
        match &row {
            [Some(_), Some(_), Some(_), Some(_), Some(_), Some(_), .., held]
                if matches!(held.as_deref(), None | Some("yes" | "no")) =>
            {
                Ok(row)
            }
            _ => Err(foreign(path, &format!("line {} is not of this program", at + 2))),
        }
    };
    (0..table.rows()).map(row).collect()
}

fn foreign(path: &str, why: &str) -> Error {
    Error::request(format!("{path} is no calibration table of RTOscope ({why}): choose another name."))
}

/// The rows of a check, one for each measure that was held against the second capture.
fn rows_of(check: &CheckAgainView) -> Vec<Row> {
    let params = serde_json::to_string(&check.algorithm.params).unwrap_or_default();
    let key = [&check.first, &check.second, &check.algorithm.id, &params, &check.channel.id()].map(Clone::clone);
    let number = |value: Option<f64>| value.map(|value| value.to_string());
    let row = |held: &crate::view::HeldView| {
        let [first, second, algorithm, params, channel] = key.clone().map(Some);
        let inside = held.held.map(|held| if held { "yes" } else { "no" }.to_owned());
        let [before, mean, lo90, hi90, measured] =
            [held.before, held.mean, held.lo90, held.hi90, held.measured].map(number);
        [first, second, algorithm, params, channel, Some(held.name.clone()), before, mean, lo90, hi90, measured, inside]
    };
    check.measures.iter().filter(|measure| measure.held.is_some()).map(row).collect()
}

fn listing(rows: &[Row]) -> Listing {
    let column = |(at, name): (usize, &'static str)| {
        let cells = rows.iter().map(|row| row.get(at).cloned().flatten()).collect();
        (name, Cells::Text(cells))
    };
    Listing { columns: COLUMNS.into_iter().enumerate().map(column).collect() }
}

fn answer(path: &str, rows: &[Row], added: bool) -> OwnCalibrationView {
    let checks = rows.iter().map(|row| &row[..KEY]).collect::<BTreeSet<_>>().len();
    let coverage = |name: &str| {
        let of = |row: &&Row| row[KEY].as_deref() == Some(name) && row[COLUMNS.len() - 1].is_some();
        let held: Vec<bool> =
            rows.iter().filter(of).map(|row| row[COLUMNS.len() - 1].as_deref() == Some("yes")).collect();
        let inside = held.iter().filter(|&&held| held).count();
        let interval = share_interval(inside, held.len())?;
        Some(OwnCoverage {
            name: name.to_owned(),
            compared: count(held.len()),
            held: count(inside),
            lo90: interval.lo,
            hi90: interval.hi,
        })
    };
    let measures: Vec<OwnCoverage> = MetricName::ALL.iter().filter_map(|name| coverage(name.name())).collect();
    let [compared, held] =
        [|m: &OwnCoverage| m.compared, |m: &OwnCoverage| m.held].map(|of| measures.iter().map(of).sum::<u32>());
    let what = if checks == 1 { "1 check" } else { &format!("{checks} checks") };
    OwnCalibrationView {
        path: path.to_owned(),
        checks: count(checks),
        added,
        measures,
        said: format!("{what} in this table: {held} of {compared} measures fell inside their 90 % intervals."),
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
