use super::{OTHERS, RECORDED, Sight, lane_of_host};
use crate::columns::{FateKind, LaneLevel, MarkKind, OutcomeKind};
use crate::frame::Data;
use crate::timeline::Timeline;
use crate::timeline::level::Crowding;
use crate::timeline::marks::{CopyMark, ExchangeMark};
use base::{AssociationId, ExchangeId, Instant, Span};
use proptest::collection::vec;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use std::collections::BTreeSet;
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
    let level = Crowding::of(timeline).level(timeline, &[], (t0, t1), px);
    super::lanes([(RECORDED, timeline)], &Sight { t0, t1, px, lanes: None, hosts: Vec::new(), level })
        .expect("columns as declared")
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
    // Lanes of several heights and lengths.
    let many = || vec![lane(400, 100), lane(9, 4_000), lane(900, 40), lane(3, 9_000), lane(300, 60), lane(2_000, 20)];
    let (recorded, other) = (Timeline::new(many()), Timeline::new(many().into_iter().rev().collect()));
    let (t0, t1) = (Instant::ZERO + Span::from_millis(1_234), Instant::ZERO + Span::from_secs(35));
    let asked = |lanes| {
        let sight = Sight { t0, t1, px: 700, lanes, hosts: Vec::new(), level: LaneLevel::Columns };
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
        // Per behaviour the columns are sorted, none of the summarised lanes is taller, and each height occurs in one
        // of them.
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
                assert!(hidden.iter().any(|bin| over(bin, other) && other[7] == bin[7]), "{other:?} is some lane's");
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
    // Exchanges overlap, and the fates of every second one are modelled.
    let mut near = timeline(30, Span::from_millis(40)).lanes.remove(0);
    for exchange in near.iter_mut().skip(1).step_by(2) {
        for copy in &mut exchange.copies {
            copy.supported = false;
        }
    }
    let (near, far) = (Timeline::new(vec![near]), timeline(5, Span::from_secs(1)));
    let two = Timeline::new(vec![far.lanes[0].clone(), near.lanes[0].clone()]);
    let end = Instant::ZERO + Span::from_secs(5);
    let at = |level| Sight { t0: Instant::ZERO, t1: end, px: 10_000, lanes: None, hosts: Vec::new(), level };
    let sheet = super::lanes([(7, &two), (RECORDED, &near), (3, &far)], &at(LaneLevel::Single)).unwrap();
    let dense = super::lanes([(3, &near)], &at(LaneLevel::Columns)).unwrap();
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

/// Fates by lot from a fixed sequence.
fn mixed(exchanges: u32, gap: Span, salt: u32) -> Vec<ExchangeMark> {
    let mut lane = timeline(exchanges, gap).lanes.remove(0);
    for (place, copy) in lane.iter_mut().flat_map(|exchange| &mut exchange.copies).enumerate() {
        let drawn = (place as u32).wrapping_mul(2_654_435_761).wrapping_add(salt) >> 16;
        copy.fate = FateKind::ALL[drawn as usize % FateKind::ALL.len()];
    }
    lane
}

proptest! {
    /// All lanes of all behaviours have one level, whatever the window is; it is the same for each part of the lanes,
    /// and the columns add up to the copies between the edges of the first and the last, by fate.
    #[test]
    fn all_lanes_have_one_level_and_columns_add_up_by_fate(
        shapes in vec((0_u32..300, 1_i64..4_000), 1..5),
        from in -1_000_i64..100_000,
        length in 1_i64..1_000_000,
        px in 1_u32..2_000,
    ) {
        let of = |salt: usize| Timeline::new(shapes.iter().enumerate().map(|(place, &(exchanges, gap))| {
            mixed(exchanges, Span::from_millis(gap), (place + salt) as u32)
        }).collect());
        let (recorded, run) = (of(0), of(9));
        let (t0, t1) = (Instant::ZERO + Span::from_millis(from), Instant::ZERO + Span::from_millis(from + length));
        let level = Crowding::of(&recorded).level(&recorded, &[], (t0, t1), px);
        let asked = |lanes| super::lanes([(RECORDED, &recorded), (5, &run)], &Sight { t0, t1, px, lanes, hosts: Vec::new(), level }).unwrap();
        let sheet = asked(None);
        for sheet in [&sheet, &asked(Some([AssociationId(0)].into()))] {
            let Some(Data::U8(levels)) = sheet.column("level") else { panic!("no level") };
            let Some(Data::U8(kinds)) = sheet.column("kind") else { panic!("no kind") };
            prop_assert!(levels.iter().all(|&other| other == level.number()));
            let columns = level == LaneLevel::Columns;
            prop_assert!(kinds.iter().all(|&kind| (kind == MarkKind::Bin.number()) == columns));
        }
        if level == LaneLevel::Columns {
            // A column that the window cuts is whole.
            let span = (t1 - t0).nanos().unsigned_abs();
            let width = (span * 4).div_ceil(u64::from(px)).max(1) as i64;
            let edge = |at: i64| at.div_euclid(width) * width;
            let (first, end) = (edge(t0.nanos()), edge(t1.nanos()) + width);
            let inside = |copy: &&CopyMark| (first..end).contains(&copy.sent.nanos());
            let expected = |needless, is: fn(FateKind) -> bool| {
                [&recorded, &run].into_iter().flat_map(Timeline::exchanges).flat_map(|e| &e.copies)
                    .filter(inside).filter(|c| c.needless == needless && is(c.fate)).count() as f32
            };
            for (needless, name) in [(false, "up"), (true, "down")] {
                let total = |name: &str| match sheet.column(name) {
                    Some(Data::F32(v)) => v.iter().sum::<f32>(),
                    _ => f32::NAN,
                };
                prop_assert_eq!(total(name), expected(needless, |_| true));
                let lost = |fate| matches!(fate, FateKind::RequestLost | FateKind::ReplyLost | FateKind::Lost);
                prop_assert_eq!(total(&format!("{name}_lost")), expected(needless, lost));
                prop_assert_eq!(total(&format!("{name}_unknown")), expected(needless, |fate| fate == FateKind::Unknown));
            }
        }
    }
}

#[test]
fn the_level_follows_from_time_per_pixel_and_a_lane_fuller_than_its_pixels_has_columns() {
    // A copy every 50 ms on average, wherever the window stands.
    let t = timeline(2_000, Span::from_millis(100));
    let crowding = Crowding::of(&t);
    let level = |from: i64, ms: i64, px| {
        let t0 = Instant::ZERO + Span::from_millis(from);
        crowding.level(&t, &[], (t0, t0 + Span::from_millis(ms)), px)
    };
    for from in [-500_000, -1, 0, 77_777, 150_000, 900_000] {
        assert_eq!(level(from, 100_000, 1_000), LaneLevel::Columns);
        assert_eq!(level(from, 5_000, 1_000), LaneLevel::Spans);
        assert_eq!(level(from, 1_000, 1_000), LaneLevel::Single);
    }
    // One copy in fifty stands alone in a burst of many, which no share of the copies reveals.
    let mut lanes = vec![timeline(10_000, Span::from_secs(10)).lanes.remove(0)];
    lanes.push(timeline(200, Span::from_nanos(1_000)).lanes.remove(0));
    let burst = Timeline::new(lanes);
    let crowding = Crowding::of(&burst);
    let at = |secs| Instant::ZERO + Span::from_secs(secs);
    assert_eq!(crowding.level(&burst, &[], (at(500), at(600)), 200), LaneLevel::Spans);
    assert_eq!(crowding.level(&burst, &[], (at(0), at(100)), 200), LaneLevel::Columns, "400 copies on 200 pixels");
    assert_eq!(
        Crowding::of(&Timeline::default()).level(&Timeline::default(), &[], (at(0), at(1)), 1),
        LaneLevel::Single
    );
}

/// Lanes of one exchange each, as of a client that takes a new port for every request.
fn ports(count: u32, gap: Span) -> Timeline {
    let all = timeline(count, gap);
    let lane =
        |(place, mark): (u32, &ExchangeMark)| vec![ExchangeMark { association: AssociationId(place), ..mark.clone() }];
    Timeline::new((0..count).zip(&all.lanes[0]).map(lane).collect())
}

#[test]
fn the_lane_of_a_host_is_that_of_one_association_with_all_its_exchanges() {
    let (one, many) = (timeline(300, Span::from_millis(700)), ports(300, Span::from_millis(700)));
    let all: BTreeSet<AssociationId> = (0..300).map(AssociationId).collect();
    let some: BTreeSet<AssociationId> = [10, 11].map(AssociationId).into();
    let (t0, t1) = (Instant::ZERO + Span::from_secs(3), Instant::ZERO + Span::from_secs(150));
    for (level, px) in [(LaneLevel::Columns, 400), (LaneLevel::Spans, 90_000), (LaneLevel::Single, 90_000)] {
        let of = |timeline, lanes: BTreeSet<AssociationId>, hosts| {
            let sight = Sight { t0, t1, px, lanes: Some(lanes), hosts, level };
            super::lanes([(RECORDED, timeline)], &sight).expect("columns as declared")
        };
        let single = of(&one, [AssociationId(0)].into(), Vec::new());
        let hosts = of(&many, BTreeSet::new(), vec![all.clone(), some.clone()]);
        let Some(Data::U16(lanes)) = hosts.column("lane") else { panic!("a column of lanes") };
        assert!(lanes.is_sorted(), "the page bisects them");
        let [first, second] = [0, 1].map(|host| lane_of_host(host).expect("few hosts"));
        let from = lanes.partition_point(|&lane| lane < first);
        let until = lanes.partition_point(|&lane| lane <= first);
        assert!(until - from > 50 && lanes[..from].contains(&second));
        for name in ["kind", "t0", "t1", "exchange", "fate", "needless", "up", "down", "level"] {
            let (a, b) = (single.column(name).expect("declared"), hosts.column(name).expect("declared"));
            assert_eq!(cells_of(a, 0, until - from), cells_of(b, from, until), "{name} at {level:?}");
        }
    }
    assert_eq!(lane_of_host(usize::from(OTHERS)), None, "numbers of hosts stay apart from those of lanes");
}

/// Cells of some rows of a column, as text.
fn cells_of(data: &Data, from: usize, until: usize) -> Vec<String> {
    macro_rules! cells {
        ($($kind:ident),*) => {
            match data {
                $(Data::$kind(cells) => cells[from..until].iter().map(|cell| format!("{cell:?}")).collect(),)*
            }
        };
    }
    cells!(F64, F32, U32, U16, U8, Text)
}

#[test]
fn many_short_lanes_of_a_host_decide_the_level_together() {
    let many = ports(1_000, Span::from_millis(100));
    let crowding = Crowding::of(&many);
    let hosts = [(0..1_000).map(AssociationId).collect::<BTreeSet<_>>()];
    let at = |ms| Instant::ZERO + Span::from_millis(ms);
    let level = |hosts: &[BTreeSet<AssociationId>], until| crowding.level(&many, hosts, (at(0), at(until)), 1_000);
    assert_eq!(level(&[], 100_000), LaneLevel::Single, "each lane has two copies");
    assert_eq!(level(&hosts, 100_000), LaneLevel::Columns, "2,000 copies on 1,000 pixels");
    assert_eq!(level(&hosts, 5_000), LaneLevel::Spans, "100 copies on 1,000 pixels");
    assert_eq!(level(&hosts, 500), LaneLevel::Single, "10 copies on 1,000 pixels");
    let (mean, p95) = many.completion(&hosts[0]).expect("answered");
    assert_eq!((mean, p95), (Span::from_millis(100), Span::from_millis(100)));
    assert_eq!(many.completion(&BTreeSet::new()), None);
}
