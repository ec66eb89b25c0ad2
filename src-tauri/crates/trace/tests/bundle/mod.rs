//! The captures of `traces/`, their ground truth, and runs beside the repository.

#![allow(dead_code, unused_imports, reason = "each test binary uses its part")]

use base::Span;
use flate2::read::MultiGzDecoder;
pub use needs::shared;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use trace::{DecodeOptions, Evidence, ImportOptions, Trace};

/// The number of the retransmission-count option in the runs that have one.
pub const RC_OPTION: u16 = 65_002;

/// A number that no option of the runs has: as if the option were not understood.
pub const NO_OPTION: u16 = 65_535;

/// One capture of `traces/index.json`.
pub struct Bundled {
    pub id: String,
    folder: PathBuf,
    files: HashMap<String, String>,
    pub rc_option: u16,
    /// The simulated time of the first record of `capture`, for runs of a simulator.
    pub zero: Option<Span>,
}

impl Bundled {
    /// The path of the file with this role, where there is one.
    pub fn file(&self, role: &str) -> Option<PathBuf> {
        self.files.get(role).map(|name| self.folder.join(name))
    }

    /// The analysed file with this role.
    pub fn analyse(&self, role: &str) -> Trace {
        analyse(&self.file(role).unwrap(), self.rc_option)
    }
}

/// All bundled captures.
pub fn bundled() -> Vec<Bundled> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let index: Value = serde_json::from_reader(File::open(folder.join("index.json")).unwrap()).unwrap();
    let one = |trace: &Value| {
        let id = trace["id"].as_str().unwrap();
        Bundled {
            id: id.to_owned(),
            folder: folder.join(id),
            files: serde_json::from_value(trace["files"].clone()).unwrap(),
            rc_option: trace["rc_option"].as_u64().map_or(NO_OPTION, |n| u16::try_from(n).unwrap()),
            zero: trace["zero_us"].as_i64().map(Span::from_micros),
        }
    };
    index["traces"].as_array().unwrap().iter().map(one).collect()
}

/// The bundled captures with a file of this role.
pub fn bundled_with(role: &str) -> Vec<Bundled> {
    let all: Vec<_> = bundled().into_iter().filter(|b| b.files.contains_key(role)).collect();
    assert!(!all.is_empty(), "no bundled capture has {role}");
    all
}

/// The runs in `folder` that have `file`: folders two levels down, sorted.
pub fn runs(folder: &Path, file: &str) -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir())
            .collect();
        paths.sort();
        paths
    };
    below(folder).iter().flat_map(|world| below(world)).filter(|run| run.join(file).exists()).collect()
}

/// Import and analyse.
pub fn analyse(path: &Path, rc_option: u16) -> Trace {
    let capture = trace::open(path, &ImportOptions::default(), &mut base::Silent)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let options = DecodeOptions { rc_option, ..DecodeOptions::default() };
    trace::analyse(capture, &options, &mut base::Silent).unwrap()
}

/// The text in a gzip file.
pub fn gunzip(path: &Path) -> String {
    let mut text = String::new();
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// A table with named columns.
pub struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

/// One row of a [`Table`].
#[derive(Clone, Copy)]
pub struct Row<'a> {
    columns: &'a HashMap<String, usize>,
    cells: &'a [String],
}

impl Table {
    /// Reads a gzipped table whose first line names the columns.
    pub fn read(path: &Path, separator: char) -> Self {
        let text = gunzip(path);
        let mut lines = text.lines();
        let columns =
            lines.next().unwrap().split(separator).enumerate().map(|(i, name)| (name.to_owned(), i)).collect();
        let rows = lines.map(|line| line.split(separator).map(str::to_owned).collect()).collect();
        Self { columns, rows }
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }
}

impl<'a> Row<'a> {
    /// The cell in this column; empty where the row is shorter.
    pub fn text(self, column: &str) -> &'a str {
        self.cells.get(self.columns[column]).map_or("", String::as_str)
    }

    /// Returns whether the table has this column.
    pub fn has(self, column: &str) -> bool {
        self.columns.contains_key(column)
    }

    /// The number in this column; `None` where it is empty.
    pub fn int(self, column: &str) -> Option<i64> {
        let text = self.text(column);
        (!text.is_empty()).then(|| text.parse().unwrap_or_else(|_| panic!("{column}: {text:?}")))
    }

    /// The seconds in this column as nanoseconds, exactly.
    pub fn nanos(self, column: &str) -> i64 {
        let (whole, rest) = self.text(column).split_once('.').unwrap();
        format!("{whole}{rest:0<9}").parse().unwrap()
    }
}

/// Right and wrong statements, by how sure they were made.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Score {
    pub proven: (usize, usize),
    pub inferred: (usize, usize),
    pub unknown: (usize, usize),
}

impl Score {
    pub fn count(&mut self, evidence: Evidence, right: bool) {
        let (yes, no) = match evidence {
            Evidence::Proven => (&mut self.proven.0, &mut self.proven.1),
            Evidence::Inferred => (&mut self.inferred.0, &mut self.inferred.1),
            Evidence::Unknown => (&mut self.unknown.0, &mut self.unknown.1),
        };
        *(if right { yes } else { no }) += 1;
    }

    pub fn add(&mut self, other: Self) {
        for (sum, part) in
            [(&mut self.proven, other.proven), (&mut self.inferred, other.inferred), (&mut self.unknown, other.unknown)]
        {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |(right, wrong): (usize, usize)| match right + wrong {
            0 => format!("{:>6} {:>4} {:>7} ", "-", "-", "-"),
            all => format!("{right:6} {wrong:4} {:7.2}%", 100.0 * right as f64 / all as f64),
        };
        write!(f, "{} | {} | {}", one(self.proven), one(self.inferred), one(self.unknown))
    }
}
