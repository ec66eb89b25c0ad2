//! Marks of all lanes of some behaviours in a window, with level of detail.
//!
//! All lanes have one level ([`super::level`]): columns ([`bins`]), or marks.

mod bins;

use crate::columns::{FateKind, LANE_COLUMNS, LaneLevel, MarkKind};
use crate::frame::{Data, Sheet, TableError};
use crate::timeline::Timeline;
use crate::timeline::marks::ExchangeMark;
use crate::timeline::tally::{Fates, Tally};
use base::{AssociationId, ExchangeId, Instant};
use bins::{Bin, bins};
use std::collections::{BTreeMap, BTreeSet};

/// Value of the column `run` for the recorded behaviour.
pub const RECORDED: u32 = u32::MAX;
/// Value of the column `lane` for all lanes that were not asked for.
pub const OTHERS: u16 = u16::MAX;

/// Returns the value of the column `lane` for the merged lane of host `host`, from 0 in [`Sight::hosts`]: downwards
/// from [`OTHERS`], for lanes of associations are numbered upwards. `None` beyond half of the numbers.
#[must_use]
pub fn lane_of_host(host: usize) -> Option<u16> {
    u16::try_from(host).ok().filter(|&host| host < OTHERS / 2).map(|host| OTHERS - 1 - host)
}

#[derive(Default)]
struct Marks {
    run: Vec<u32>,
    lane: Vec<u16>,
    kind: Vec<u8>,
    t0: Vec<f64>,
    t1: Vec<f64>,
    exchange: Vec<u32>,
    fate: Vec<u8>,
    needless: Vec<u8>,
    supported: Vec<u8>,
    up: [Vec<f32>; 3],
    down: [Vec<f32>; 3],
}

struct Mark {
    run: u32,
    lane: u16,
    kind: MarkKind,
    t0: Instant,
    t1: Instant,
    exchange: ExchangeId,
    fate: FateKind,
    needless: bool,
    supported: bool,
}

impl Mark {
    /// Sort key in its lane: class, part of the class, time. Marks drawn alike stand together, in order of time.
    const fn place(&self) -> (u8, bool, Instant) {
        match self.kind {
            MarkKind::Span => (0, !self.supported, self.t0),
            MarkKind::Copy => (1, self.needless, self.t0),
            MarkKind::Closing => (2, false, self.t0),
            MarkKind::Late | MarkKind::Bin => (3, false, self.t0),
        }
    }
}

impl Marks {
    fn push(&mut self, mark: &Mark) {
        self.run.push(mark.run);
        self.lane.push(mark.lane);
        self.kind.push(mark.kind.number());
        self.t0.push(mark.t0.nanos() as f64);
        self.t1.push(mark.t1.nanos() as f64);
        self.exchange.push(mark.exchange.0);
        self.fate.push(mark.fate.number());
        self.needless.push(u8::from(mark.needless));
        self.supported.push(u8::from(mark.supported));
        self.count(Tally::default());
    }

    /// Returns the columns of a reply about lanes at `level`. Errs where they cannot be encoded.
    fn sheet(self, level: LaneLevel) -> Result<Sheet, TableError> {
        let rows = self.run.len();
        let [up, up_lost, up_unknown] = self.up;
        let [down, down_lost, down_unknown] = self.down;
        Sheet::new(
            LANE_COLUMNS,
            vec![
                Data::U32(self.run),
                Data::U16(self.lane),
                Data::U8(self.kind),
                Data::F64(self.t0),
                Data::F64(self.t1),
                Data::U32(self.exchange),
                Data::U8(self.fate),
                Data::U8(self.needless),
                Data::U8(self.supported),
                Data::F32(up),
                Data::F32(up_lost),
                Data::F32(up_unknown),
                Data::F32(down),
                Data::F32(down_lost),
                Data::F32(down_unknown),
                Data::U8(vec![level.number(); rows]),
            ],
        )
    }

    /// Adds the counts of one row; all are 0 for a mark.
    fn count(&mut self, Tally { needed, needless }: Tally) {
        for (columns, fates) in [(&mut self.up, needed), (&mut self.down, needless)] {
            for (column, count) in columns.iter_mut().zip([fates.all(), fates.lost, fates.unknown]) {
                column.push(count as f32);
            }
        }
    }

    fn bin(&mut self, (run, lane): (u32, u16), (t0, t1): (i64, i64), copies: Tally) {
        self.run.push(run);
        self.lane.push(lane);
        self.kind.push(MarkKind::Bin.number());
        self.t0.push(t0 as f64);
        self.t1.push(t1 as f64);
        self.exchange.push(0);
        self.fate.push(0);
        self.needless.push(0);
        self.supported.push(0);
        self.count(copies);
    }
}

/// Window in time and pixels.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Start of the window.
    pub t0: Instant,
    /// End of the window, included.
    pub t1: Instant,
    /// Width of the window, pixels.
    pub px: u32,
    /// Lanes to return; `None` for all.
    pub lanes: Option<BTreeSet<AssociationId>>,
    /// Hosts, each by its associations, whose marks are returned merged too, in a lane of their own ([`lane_of_host`]).
    pub hosts: Vec<BTreeSet<AssociationId>>,
    /// Level of detail of all lanes: [`crate::Crowding::level`].
    pub level: LaneLevel,
}

impl Sight {
    fn has(&self, lane: usize) -> bool {
        self.lanes.as_ref().is_none_or(|lanes| lanes.contains(&AssociationId::at(lane)))
    }
}

/// Returns the marks of `behaviours` that touch the window, each with its number in the column `run`, sorted as
/// [`LANE_COLUMNS`] says.
///
/// The merged lanes of hosts stand behind the others, with the last host first: lanes ascend.
///
/// Heights of columns are compared over all lanes. Lanes that were not asked for are therefore summarised: per
/// behaviour, the tallest columns, in the lane [`OTHERS`].
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn lanes<'a>(
    behaviours: impl IntoIterator<Item = (u32, &'a Timeline)>,
    sight: &Sight,
) -> Result<Sheet, TableError> {
    let mut marks = Marks::default();
    let mut sorted = Vec::new();
    let Sight { t0, t1, level, .. } = *sight;
    let px = u64::from(sight.px.max(1));
    for (run, timeline) in behaviours {
        let mut others = BTreeMap::<_, (u32, u32)>::new();
        for (number, (lane, index)) in timeline.lanes.iter().zip(&timeline.index).enumerate() {
            let place = (run, u16::try_from(number).unwrap_or(OTHERS));
            match (level, sight.has(number)) {
                (LaneLevel::Columns, true) => {
                    bins(index, t0, t1, px).for_each(|Bin { cut, copies, .. }| marks.bin(place, cut, copies));
                }
                (LaneLevel::Columns, false) => {
                    for Bin { whole, copies, .. } in bins(index, t0, t1, px) {
                        let tallest = others.entry(whole).or_default();
                        *tallest = (tallest.0.max(copies.needed.all()), tallest.1.max(copies.needless.all()));
                    }
                }
                (LaneLevel::Spans | LaneLevel::Single, true) => {
                    for exchange in index.window(lane, t0, t1) {
                        draw(&mut sorted, place, exchange);
                    }
                    sorted.sort_by_key(Mark::place);
                    sorted.drain(..).for_each(|mark| marks.push(&mark));
                }
                (LaneLevel::Spans | LaneLevel::Single, false) => {}
            }
        }
        for (number, members) in sight.hosts.iter().enumerate().rev() {
            let Some(lane) = lane_of_host(number) else { continue };
            merge(&mut marks, &mut sorted, (run, lane), (timeline, members), sight);
        }
        for (whole, (up, down)) in others {
            let answered = |answered| Fates { answered, ..Fates::default() };
            marks.bin((run, OTHERS), whole, Tally { needed: answered(up), needless: answered(down) });
        }
    }
    marks.sheet(level)
}

/// Adds the marks of all `members` in one lane, as if they were those of one association.
fn merge(
    marks: &mut Marks,
    sorted: &mut Vec<Mark>,
    place: (u32, u16),
    (timeline, members): (&Timeline, &BTreeSet<AssociationId>),
    sight: &Sight,
) {
    let (t0, t1, px) = (sight.t0, sight.t1, u64::from(sight.px.max(1)));
    let lanes =
        members.iter().filter_map(|id| Some((timeline.lanes.get(id.index())?, timeline.index.get(id.index())?)));
    if sight.level == LaneLevel::Columns {
        let mut columns = BTreeMap::<(i64, i64), Tally>::new();
        let (mut begin, mut stop) = (i64::MAX, i64::MIN);
        for (_, index) in lanes {
            let extent = index.extent();
            (begin, stop) = (begin.min(extent.0), stop.max(extent.1));
            for Bin { whole, copies, .. } in bins(index, t0, t1, px) {
                let sum = columns.entry(whole).or_default();
                *sum = sum.plus(copies);
            }
        }
        for ((start, end), copies) in columns {
            marks.bin(place, (start.max(begin), end.min(stop)), copies);
        }
        return;
    }
    for exchange in lanes.flat_map(|(lane, index)| index.window(lane, t0, t1)) {
        draw(sorted, place, exchange);
    }
    sorted.sort_by_key(Mark::place);
    sorted.drain(..).for_each(|mark| marks.push(&mark));
}

fn draw(marks: &mut Vec<Mark>, (run, lane): (u32, u16), exchange: &ExchangeMark) {
    let mark = |kind, t0, t1, fate, needless, supported| Mark {
        run,
        lane,
        kind,
        t0,
        t1,
        exchange: exchange.exchange,
        fate,
        needless,
        supported,
    };
    let supported = exchange.copies.iter().any(|c| c.supported);
    let fate = exchange.copies.first().map_or(FateKind::Unknown, |c| c.fate);
    marks.push(mark(MarkKind::Span, exchange.start(), exchange.close(), fate, false, supported));
    for copy in &exchange.copies {
        marks.push(mark(MarkKind::Copy, copy.sent, copy.sent, copy.fate, copy.needless, copy.supported));
    }
    if let Some(end) = exchange.end {
        marks.push(mark(MarkKind::Closing, end, end, FateKind::Answered, false, supported));
    }
    for &late in &exchange.late {
        marks.push(mark(MarkKind::Late, late, late, FateKind::Answered, false, supported));
    }
}

#[cfg(test)]
mod tests;
