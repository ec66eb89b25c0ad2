//! Worlds that know the fate of every copy, sent or not: `world-fates.csv` and `world-path.csv` beside live runs.
//!
//! The fate of a datagram is a function of client, direction and the 50 ms in which it reaches the link. The server of
//! a world with wake-ups holds requests until the next one, and then works for a while; others answer at once. Worlds
//! in which copies queue behind each other are left out: there the fate of a copy depends on what else was sent.

use super::place;
use crate::Error;
use base::{Instant, Span};
use flate2::read::MultiGzDecoder;
use replay::calibrate::CopyTruth;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The planted fates of one world.
#[derive(Debug)]
pub struct Truth {
    /// Fates by client and direction (`true`: to the server), one per quantum: time taken by a datagram; `None`: lost.
    fates: BTreeMap<(u32, bool), Vec<Option<Span>>>,
    quantum: Span,
    /// Times at which the server wakes, ascending; empty: it is always awake.
    wakes: Vec<Span>,
    processing: Span,
}

/// Reads the text of a packed file (gzip); `None` where the file does not exist. Errs where it cannot be read.
pub(super) fn text(path: &Path) -> Result<Option<String>, Error> {
    if !path.is_file() {
        return Ok(None);
    }
    let text = String::from_utf8(octets(path)?);
    text.map(Some).map_err(|error| Error::request(format!("{}: {error}.", place(path))))
}

/// Reads and unpacks a file (gzip); errs where it cannot be read.
pub(super) fn octets(path: &Path) -> Result<Vec<u8>, Error> {
    let refuse = |error: std::io::Error| Error::request(format!("{}: {error}.", place(path)));
    let mut octets = Vec::new();
    MultiGzDecoder::new(File::open(path).map_err(refuse)?).read_to_end(&mut octets).map_err(refuse)?;
    Ok(octets)
}

/// Returns the Unix time at which the world of this run's capture began, nanoseconds; from the file `t0` beside it.
/// `None` without that file or beyond 64 bits; errs where the file holds no number.
pub fn start(capture: &Path) -> Result<Option<i64>, Error> {
    let path = capture.with_file_name("t0");
    if !path.is_file() {
        return Ok(None);
    }
    let refuse = |error: &dyn std::fmt::Display| Error::request(format!("{}: {error}.", place(&path)));
    let text = std::fs::read_to_string(&path).map_err(|error| refuse(&error))?;
    let (seconds, parts) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    let nanos = format!("{parts:0<9}");
    let seconds: i64 = seconds.parse().map_err(|error| refuse(&error))?;
    let nanos: i64 = nanos.get(..9).unwrap_or("0").parse().map_err(|error| refuse(&error))?;
    Ok(seconds.checked_mul(1_000_000_000).and_then(|s| s.checked_add(nanos)))
}

impl Truth {
    /// Reads the truth from `folder`; `None` where it has none, or where copies queue behind each other. Errs where a
    /// file cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let Some(fates) = text(&folder.join("world-fates.csv.gz"))? else { return Ok(None) };
        let about = std::fs::read_to_string(folder.join("world.json")).unwrap_or_default();
        let about: Value = serde_json::from_str(&about).unwrap_or_default();
        if about["link"]["kind"] == "shared-fifo" {
            return Ok(None);
        }
        let wakes = match text(&folder.join("world-path.csv.gz"))? {
            Some(path) if about["server"]["kind"] == "duty-cycled" => path.lines().filter_map(wake).collect(),
            _ => Vec::new(),
        };
        let seconds = |value: &Value| value.as_f64().and_then(Span::from_secs_f64).unwrap_or(Span::ZERO);
        let mut truth = Self {
            fates: BTreeMap::new(),
            quantum: Span::from_millis(50),
            wakes,
            processing: seconds(&about["server"]["processing_s"]),
        };
        for line in fates.lines().skip(1) {
            let Some((key, quantum, fate)) = row(line) else { continue };
            let row = truth.fates.entry(key).or_default();
            // Quanta come in order; a gap would be a copy of which nothing is known.
            if row.len() == quantum {
                row.push(fate);
            }
        }
        Ok(Some(truth))
    }

    /// Returns the fate of a copy of `client` that left it at `at`, in a capture whose time zero is `zero` after the
    /// beginning of the world; `None` beyond the world's end.
    pub fn at(&self, client: u32, at: Instant, zero: Span) -> Option<CopyTruth> {
        let sent = Span::from_nanos(at.nanos()) + zero;
        let Some(up) = self.fate(client, true, sent)? else { return Some(CopyTruth::Lost) };
        let mut arrived = sent + up;
        if !self.wakes.is_empty() {
            arrived = *self.wakes.get(self.wakes.partition_point(|&w| w < arrived))? + self.processing;
        }
        Some(match self.fate(client, false, arrived)? {
            None => CopyTruth::Lost,
            Some(down) => CopyTruth::Answered(arrived + down - sent),
        })
    }

    fn fate(&self, client: u32, up: bool, at: Span) -> Option<Option<Span>> {
        let quantum = usize::try_from(at.nanos() / self.quantum.nanos()).ok()?;
        self.fates.get(&(client, up))?.get(quantum).copied()
    }
}

fn wake(line: &str) -> Option<Span> {
    let mut cells = line.split(',');
    let (at, state) = (cells.nth(1)?, cells.nth(1)?);
    (state == "wake").then(|| Span::from_secs_f64(at.parse().ok()?)).flatten()
}

/// Row of a file of fates: client and direction (`true`: to the server), number of the quantum, time (`None`: lost).
type FateRow = ((u32, bool), usize, Option<Span>);

/// Parses a line `client,direction,quantum,t_s,state,lost,delay_ms`.
fn row(line: &str) -> Option<FateRow> {
    let cells: Vec<&str> = line.split(',').collect();
    let [client, direction, quantum, _, _, lost, delay] = cells[..] else { return None };
    let delay = Span::from_secs_f64(delay.parse::<f64>().ok()? / 1e3)?;
    Some(((client.parse().ok()?, direction == "up"), quantum.parse().ok()?, (lost == "0").then_some(delay)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 ms to the server in the first 50 ms, lost in the next; a server that wakes at 0.3 s and works 0.5 s; answers
    /// take 10 ms, lost from 0.85 s on.
    #[test]
    fn a_copy_meets_what_was_planted() {
        let ms = Span::from_millis;
        let up = vec![Some(ms(100)), None, Some(ms(20)), Some(ms(20)), Some(ms(20)), Some(ms(20)), Some(ms(20))];
        let down: Vec<Option<Span>> = (0..20).map(|q| (q < 17).then(|| ms(10))).collect();
        let mut truth = Truth {
            fates: [((0, true), up), ((0, false), down)].into(),
            quantum: ms(50),
            wakes: vec![ms(300), ms(700)],
            processing: ms(500),
        };
        let at = |t: i64| truth.at(0, Instant::ZERO + ms(t), ms(1));
        // Leaves at 11 ms of the world, there at 111, answered at 800 + 10: 799 after it left.
        assert_eq!(at(10), Some(CopyTruth::Answered(ms(799))));
        assert_eq!(at(60), Some(CopyTruth::Lost));
        // There at 321, awake at 700, the answer leaves at 1 200: beyond the world's end nothing is known.
        assert_eq!(at(300), None);
        truth.wakes.clear();
        assert_eq!(truth.at(0, Instant::ZERO + ms(100), Span::ZERO), Some(CopyTruth::Answered(ms(30))));
        assert_eq!(truth.at(1, Instant::ZERO, Span::ZERO), None);
    }

    #[test]
    fn rows_are_read() {
        assert_eq!(row("0,up,3,0.150,good,0,131.944"), Some(((0, true), 3, Some(Span::from_nanos(131_944_000)))));
        assert_eq!(row("0,down,3,0.150,bad,1,131.944"), Some(((0, false), 3, None)));
        assert_eq!(row("client,direction,quantum,t_s,state,lost,delay_ms"), None);
        assert_eq!(wake("server,3.466310,3.466310,wake"), Some(Span::from_nanos(3_466_310_000)));
        assert_eq!(wake("up,0.0,12.5,good"), None);
    }
}
