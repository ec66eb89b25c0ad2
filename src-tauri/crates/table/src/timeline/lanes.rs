//! Marks of all lanes of some behaviours in a window, with level of detail.
//!
//! A lane where copies stand too close is drawn as columns ([`bins`]), every other lane mark by mark.

mod bins;

use crate::columns::{FateKind, LANE_COLUMNS, MarkKind};
use crate::frame::{Data, Sheet, TableError};
use crate::timeline::Timeline;
use crate::timeline::marks::ExchangeMark;
use base::{AssociationId, ExchangeId, Instant};
use bins::{Bin, bins, dense};
use std::collections::{BTreeMap, BTreeSet};

/// Value of the column `run` for the recorded behaviour.
pub const RECORDED: u32 = u32::MAX;
/// Value of the column `lane` for all lanes that were not asked for.
pub const OTHERS: u16 = u16::MAX;

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
    up: Vec<f32>,
    down: Vec<f32>,
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
    /// Sort key in its lane: marks drawn alike stand together, in order of time.
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
        self.up.push(0.0);
        self.down.push(0.0);
    }

    fn bin(&mut self, (run, lane): (u32, u16), (t0, t1): (i64, i64), up: u32, down: u32) {
        self.run.push(run);
        self.lane.push(lane);
        self.kind.push(MarkKind::Bin.number());
        self.t0.push(t0 as f64);
        self.t1.push(t1 as f64);
        self.exchange.push(0);
        self.fate.push(0);
        self.needless.push(0);
        self.supported.push(0);
        self.up.push(up as f32);
        self.down.push(down as f32);
    }
}

/// Window in time and pixels.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Start.
    pub t0: Instant,
    /// End.
    pub t1: Instant,
    /// Width, pixels.
    pub px: u32,
    /// Lanes to return; `None` for all.
    pub lanes: Option<BTreeSet<AssociationId>>,
}

impl Sight {
    fn has(&self, lane: usize) -> bool {
        self.lanes.as_ref().is_none_or(|lanes| lanes.contains(&AssociationId::at(lane)))
    }
}

/// Returns the marks of `behaviours` that touch the window, each with its number in the column `run`, sorted as
/// [`LANE_COLUMNS`] says.
///
/// Heights of columns are compared over all lanes. Lanes that were not asked for are therefore summarised: per behaviour, the
/// tallest columns, in the lane [`OTHERS`].
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn lanes<'a>(
    behaviours: impl IntoIterator<Item = (u32, &'a Timeline)>,
    sight: &Sight,
) -> Result<Sheet, TableError> {
    let mut marks = Marks::default();
    let mut sorted = Vec::new();
    let Sight { t0, t1, .. } = *sight;
    let px = u64::from(sight.px.max(1));
    for (run, timeline) in behaviours {
        let mut others = BTreeMap::<_, (u32, u32)>::new();
        for (number, (lane, index)) in timeline.lanes.iter().zip(&timeline.index).enumerate() {
            let place = (run, u16::try_from(number).unwrap_or(OTHERS));
            let is_dense = dense(index, t0, t1, px);
            if !sight.has(number) {
                let bins = is_dense.then(|| bins(index, t0, t1, px)).into_iter().flatten();
                for Bin { whole, up, down, .. } in bins {
                    let tallest = others.entry(whole).or_default();
                    *tallest = (tallest.0.max(up), tallest.1.max(down));
                }
            } else if is_dense {
                bins(index, t0, t1, px).for_each(|Bin { cut, up, down, .. }| marks.bin(place, cut, up, down));
            } else {
                for exchange in index.window(lane, t0, t1) {
                    draw(&mut sorted, place, exchange);
                }
                sorted.sort_by_key(Mark::place);
                sorted.drain(..).for_each(|mark| marks.push(&mark));
            }
        }
        others.into_iter().for_each(|(whole, (up, down))| marks.bin((run, OTHERS), whole, up, down));
    }
    Sheet::new(
        LANE_COLUMNS,
        vec![
            Data::U32(marks.run),
            Data::U16(marks.lane),
            Data::U8(marks.kind),
            Data::F64(marks.t0),
            Data::F64(marks.t1),
            Data::U32(marks.exchange),
            Data::U8(marks.fate),
            Data::U8(marks.needless),
            Data::U8(marks.supported),
            Data::F32(marks.up),
            Data::F32(marks.down),
        ],
    )
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
mod tests {
    use super::{OTHERS, RECORDED, Sight};
    use crate::columns::{FateKind, MarkKind, OutcomeKind};
    use crate::frame::Data;
    use crate::timeline::Timeline;
    use crate::timeline::marks::{CopyMark, ExchangeMark};
    use base::{AssociationId, ExchangeId, Instant, Span};
    use trace::OneOrMany;

    fn timeline(exchanges: u32, gap: Span) -> Timeline {
        let copy = |sent, needless| CopyMark {
            sent,
            arrived: None,
            timer: None,
            fate: FateKind::Answered,
            rtt: Some(Span::from_millis(100)),
            needless,
            supported: true,
        };
        let lane = (0..exchanges)
            .map(|i| {
                let start = Instant::ZERO + gap.scale(i64::from(i), 1);
                ExchangeMark {
                    exchange: ExchangeId(i),
                    association: AssociationId(0),
                    copies: [copy(start, false), copy(start + Span::from_millis(50), true)].into_iter().collect(),
                    end: Some(start + Span::from_millis(100)),
                    late: OneOrMany::one(start + Span::from_millis(150)),
                    outcome: OutcomeKind::Acked,
                }
            })
            .collect();
        Timeline::new(vec![lane])
    }

    fn lanes(timeline: &Timeline, t0: Instant, t1: Instant, px: u32) -> crate::Sheet {
        super::lanes([(RECORDED, timeline)], &Sight { t0, t1, px, lanes: None }).expect("columns as declared")
    }

    fn kinds(sheet: &crate::Sheet, kind: MarkKind) -> usize {
        match sheet.column("kind") {
            Some(Data::U8(kinds)) => kinds.iter().filter(|&&k| k == kind.number()).count(),
            _ => 0,
        }
    }

    #[test]
    fn sparse_lanes_show_every_mark() {
        let t = timeline(10, Span::from_secs(1));
        let sheet = lanes(&t, Instant::ZERO, Instant::ZERO + Span::from_secs(10), 1_000);
        assert_eq!(kinds(&sheet, MarkKind::Copy), 20);
        assert_eq!(kinds(&sheet, MarkKind::Closing), 10);
        assert_eq!(kinds(&sheet, MarkKind::Late), 10);
        assert_eq!(kinds(&sheet, MarkKind::Bin), 0);
    }

    #[test]
    fn dense_lanes_are_binned_and_no_copy_is_lost() {
        let t = timeline(10_000, Span::from_millis(200));
        let sheet = lanes(&t, Instant::ZERO, Instant::ZERO + Span::from_secs(2_000), 1_000);
        assert_eq!(kinds(&sheet, MarkKind::Copy), 0);
        let total = |name| match sheet.column(name) {
            Some(Data::F32(v)) => v.iter().sum::<f32>(),
            _ => f32::NAN,
        };
        assert_eq!((total("up"), total("down")), (10_000.0, 10_000.0));
        assert!(sheet.rows() <= 251, "{} bins for 250 columns of 4 px", sheet.rows());
    }

    type Rows = Vec<(u32, f64, [f64; 8])>;

    /// Reads all rows: behaviour, lane, the rest.
    fn rows(sheet: &crate::Sheet) -> Rows {
        let number = |name: &str, row: usize| match sheet.column(name) {
            Some(Data::U32(v)) => f64::from(v[row]),
            Some(Data::U16(v)) => f64::from(v[row]),
            Some(Data::U8(v)) => f64::from(v[row]),
            Some(Data::F64(v)) => v[row],
            Some(Data::F32(v)) => f64::from(v[row]),
            _ => panic!("no {name}"),
        };
        let rest = ["kind", "t0", "t1", "exchange", "fate", "needless", "supported", "up"];
        let row = |row| (number("run", row) as u32, number("lane", row), rest.map(|name| number(name, row)));
        (0..sheet.rows()).map(row).collect()
    }

    #[test]
    fn some_lanes_are_the_same_rows_as_those_of_all_and_the_tallest_columns_of_the_others_are_beside_them() {
        let lane = |exchanges, gap| timeline(exchanges, Span::from_millis(gap)).lanes.remove(0);
        // Dense lanes of several heights and lengths, and two sparse ones.
        let many =
            || vec![lane(400, 100), lane(9, 4_000), lane(900, 40), lane(3, 9_000), lane(300, 60), lane(2_000, 20)];
        let (recorded, other) = (Timeline::new(many()), Timeline::new(many().into_iter().rev().collect()));
        let (t0, t1) = (Instant::ZERO + Span::from_millis(1_234), Instant::ZERO + Span::from_secs(35));
        let asked = |lanes| {
            let sight = Sight { t0, t1, px: 700, lanes };
            super::lanes([(RECORDED, &recorded), (5, &other)], &sight).expect("columns as declared")
        };
        let all = rows(&asked(None));
        assert!(all.iter().all(|row| row.1 < f64::from(OTHERS)), "nothing stands for others where all are there");
        for lanes in [&[0, 1, 2, 3, 4, 5][..], &[0, 2], &[3, 1], &[5, 0, 4], &[5], &[3, 99], &[]] {
            let part = rows(&asked(Some(lanes.iter().map(|&lane| AssociationId(lane)).collect())));
            let inside = |row: &&(u32, f64, [f64; 8])| lanes.iter().any(|&lane| f64::from(lane) == row.1);
            let is_other = |row: &&(u32, f64, [f64; 8])| row.1 == f64::from(OTHERS);
            assert!(part.iter().filter(inside).eq(all.iter().filter(inside)), "{lanes:?}");
            assert!(part.iter().all(|row| inside(&row) || is_other(&row)));
            // Per behaviour the columns are sorted, none of the summarised lanes is taller, and each height occurs in one of them.
            for run in [RECORDED, 5] {
                let of = |row: &&(u32, f64, [f64; 8])| row.0 == run;
                let others: Vec<_> = part.iter().filter(of).filter(is_other).map(|row| row.2).collect();
                assert!(others.windows(2).all(|w| w[0][2] <= w[1][1]), "in order, apart");
                let hidden: Vec<_> = all
                    .iter()
                    .filter(of)
                    .filter(|row| !inside(row) && row.2[0] == f64::from(MarkKind::Bin.number()))
                    .map(|row| row.2)
                    .collect();
                let over = |bin: &[f64; 8], other: &[f64; 8]| other[1] <= bin[1] && bin[2] <= other[2];
                for bin in &hidden {
                    assert!(others.iter().any(|other| over(bin, other) && other[7] >= bin[7]), "{bin:?} is covered");
                }
                for other in &others {
                    assert!(
                        hidden.iter().any(|bin| over(bin, other) && other[7] == bin[7]),
                        "{other:?} is some lane's"
                    );
                }
            }
        }
    }

    #[test]
    fn columns_end_where_the_copies_of_a_lane_do() {
        let t = timeline(1_000, Span::from_millis(200));
        let (first, last) = (0.0, Span::from_millis(999 * 200 + 50).nanos() as f64);
        // A window wider than the capture on both sides, with a column width that divides neither end.
        let (t0, t1) = (Instant::from_nanos(-77_777_777), Instant::ZERO + Span::from_secs(213));
        let sheet = lanes(&t, t0, t1, 1_000);
        let ends = |name| match sheet.column(name) {
            Some(Data::F64(v)) => (v.first().copied(), v.last().copied()),
            _ => (None, None),
        };
        assert_eq!(ends("t0").0, Some(first));
        assert_eq!(ends("t1").1, Some(last + 1.0), "a column ends behind its last copy");
    }

    #[test]
    fn an_exchange_that_began_before_the_window_is_still_drawn() {
        let mut lane = timeline(1, Span::from_secs(1)).lanes.remove(0);
        lane[0].end = Some(Instant::ZERO + Span::from_secs(50));
        let t = Timeline::new(vec![lane]);
        let sheet = lanes(&t, Instant::ZERO + Span::from_secs(40), Instant::ZERO + Span::from_secs(60), 1_000);
        assert_eq!(kinds(&sheet, MarkKind::Span), 1);
    }

    #[test]
    fn marks_stand_behaviour_by_behaviour_and_together_with_what_is_drawn_alike() {
        // Exchanges overlap, the fates of every second one are modelled, and a lane is dense in one behaviour only.
        let mut near = timeline(30, Span::from_millis(40)).lanes.remove(0);
        for exchange in near.iter_mut().skip(1).step_by(2) {
            for copy in &mut exchange.copies {
                copy.supported = false;
            }
        }
        let (near, far) = (Timeline::new(vec![near]), timeline(5, Span::from_secs(1)));
        let two = Timeline::new(vec![far.lanes[0].clone(), near.lanes[0].clone()]);
        let end = Instant::ZERO + Span::from_secs(5);
        let at = |px| Sight { t0: Instant::ZERO, t1: end, px, lanes: None };
        let sheet = super::lanes([(7, &two), (RECORDED, &near), (3, &far)], &at(10_000)).unwrap();
        let dense = super::lanes([(3, &near)], &at(100)).unwrap();
        assert_eq!(kinds(&dense, MarkKind::Bin), dense.rows());

        let numbers = |name| -> Vec<f64> {
            match sheet.column(name) {
                Some(Data::U32(v)) => v.iter().copied().map(f64::from).collect(),
                Some(Data::U16(v)) => v.iter().copied().map(f64::from).collect(),
                Some(Data::U8(v)) => v.iter().copied().map(f64::from).collect(),
                Some(Data::F64(v)) => v.clone(),
                _ => panic!("no {name}"),
            }
        };
        let runs = numbers("run");
        let mut asked = runs.clone();
        asked.dedup();
        assert_eq!(asked, [7.0, f64::from(RECORDED), 3.0]);
        assert_eq!(runs.iter().filter(|&&run| run == 7.0).count(), 5 * 5 + 30 * 5);

        let columns = ["lane", "kind", "supported", "needless", "t0"].map(numbers);
        let row = |index: usize| columns.each_ref().map(|column| column[index]);
        let place = |[lane, kind, supported, needless, t0]: [f64; 5]| {
            let of = |known: MarkKind| f64::from(known.number()) == kind;
            let [span, copy, closing] = [MarkKind::Span, MarkKind::Copy, MarkKind::Closing].map(of);
            let (class, part) = match (span, copy) {
                (true, _) => (0.0, 1.0 - supported),
                (_, true) => (1.0, needless),
                _ => (if closing { 2.0 } else { 3.0 }, 0.0),
            };
            [lane, class, part, t0]
        };
        for index in 1..sheet.rows() {
            let (before, here) = (place(row(index - 1)), place(row(index)));
            assert!(runs[index] != runs[index - 1] || before <= here, "row {index}: {before:?} before {here:?}");
        }
    }
}
