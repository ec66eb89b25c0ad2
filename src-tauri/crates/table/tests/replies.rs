//! What the page is sent: some lanes are the same rows as those of all, and a reply weighs no more than it says.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::{AssociationId, ExchangeId, Instant, Span};
use table::columns::ColumnKind::{F64, Text, U8, U32};
use table::columns::{FateKind, MarkKind, OutcomeKind};
use table::{CopyMark, Data, ExchangeMark, OTHERS, RECORDED, Sheet, Sight, Timeline, arrow};
use trace::Few;

/// One lane: each exchange has a copy and a needless one.
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
                late: Few::one(start + Span::from_millis(150)),
                outcome: OutcomeKind::Acked,
            }
        })
        .collect();
    Timeline::new(vec![lane])
}

type Rows = Vec<(u32, f64, [f64; 8])>;

/// All rows: behaviour, lane, the rest.
fn rows(sheet: &Sheet) -> Rows {
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
    // Dense ones of several heights and lengths, and two that are not dense.
    let many = || vec![lane(400, 100), lane(9, 4_000), lane(900, 40), lane(3, 9_000), lane(300, 60), lane(2_000, 20)];
    let (recorded, other) = (Timeline::new(many()), Timeline::new(many().into_iter().rev().collect()));
    let (t0, t1) = (Instant::ZERO + Span::from_millis(1_234), Instant::ZERO + Span::from_secs(35));
    let asked = |lanes| {
        let sight = Sight { t0, t1, px: 700, lanes };
        table::lanes([(RECORDED, &recorded), (5, &other)], &sight).expect("columns as declared")
    };
    let all = rows(&asked(None));
    assert!(all.iter().all(|row| row.1 < f64::from(OTHERS)), "nothing stands for others where all are there");
    for lanes in [&[0, 1, 2, 3, 4, 5][..], &[0, 2], &[3, 1], &[5, 0, 4], &[5], &[3, 99], &[]] {
        let part = rows(&asked(Some(lanes.iter().map(|&lane| AssociationId(lane)).collect())));
        let inside = |row: &&(u32, f64, [f64; 8])| lanes.iter().any(|&lane| f64::from(lane) == row.1);
        let is_other = |row: &&(u32, f64, [f64; 8])| row.1 == f64::from(OTHERS);
        assert!(part.iter().filter(inside).eq(all.iter().filter(inside)), "{lanes:?}");
        assert!(part.iter().all(|row| inside(&row) || is_other(&row)));
        // Behaviour by behaviour, columns in order; nothing of others is taller than they say, and they say what is there.
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
fn a_column_of_zeros_crosses_without_octets() {
    let octets = |kind: Vec<u8>, at: Vec<f64>| {
        let names = (0..1_000).map(|_| String::new()).collect();
        let data = vec![Data::U32((0..1_000).collect()), Data::U8(kind), Data::F64(at), Data::Text(names)];
        let sheet = Sheet::new(&[("row", U32), ("kind", U8), ("at", F64), ("name", Text)], data).unwrap();
        arrow(sheet).unwrap().len()
    };
    let zeros = octets(vec![0; 1_000], vec![0.0; 1_000]);
    let (mut kinds, mut times) = (vec![0; 1_000], vec![0.0; 1_000]);
    (kinds[999], times[0]) = (1, -0.0);
    assert!(zeros + 1_000 <= octets(kinds, vec![0.0; 1_000]));
    assert!(zeros + 8_000 <= octets(vec![0; 1_000], times), "the negative zero is not the zero");
}
