//! The two minutes on which a capture opens.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests stop at the first surprise")]

use base::{AssociationId, ExchangeId, Instant, Span};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use table::columns::{FateKind, OutcomeKind};
use table::{CopyMark, ExchangeMark, Timeline, telling};
use trace::OneOrMany;

fn at(secs: i64) -> Instant {
    Instant::ZERO + Span::from_secs(secs)
}

/// One lane of exchanges of one copy: time in seconds, number of the fate, needless or not.
fn timeline(copies: &[(i64, usize, bool)]) -> Timeline {
    let mut lane: Vec<ExchangeMark> = copies
        .iter()
        .enumerate()
        .map(|(index, &(secs, fate, needless))| ExchangeMark {
            exchange: ExchangeId::at(index),
            association: AssociationId(0),
            copies: OneOrMany::one(CopyMark {
                sent: at(secs),
                arrived: None,
                timer: None,
                fate: FateKind::ALL[fate],
                rtt: None,
                needless,
                supported: true,
            }),
            end: None,
            late: OneOrMany::new(),
            outcome: OutcomeKind::Open,
        })
        .collect();
    lane.sort_by_key(|exchange| exchange.start());
    Timeline::new(vec![lane])
}

fn tells(&(_, fate, needless): &(i64, usize, bool)) -> bool {
    needless || !matches!(FateKind::ALL[fate], FateKind::Answered | FateKind::Unknown)
}

proptest! {
    #[test]
    fn no_other_two_minutes_have_more(copies in vec((0_i64..2_000, 0..FateKind::ALL.len(), any::<bool>()), 0..60), end in 1_i64..2_000) {
        let capture = (at(0), at(end.max(copies.iter().map(|copy| copy.0).max().unwrap_or(0))));
        let found = telling(&timeline(&copies), capture);
        let short = capture.1 - capture.0 <= Span::from_secs(300);
        prop_assert_eq!(found.is_some(), !short && copies.iter().any(tells));
        if let Some((t0, t1)) = found {
            prop_assert_eq!(t1 - t0, Span::from_secs(120));
            prop_assert!(t0 >= capture.0 && t1 <= capture.1);
            let inside = |from: Instant| {
                copies.iter().filter(|copy| tells(copy)).filter(|copy| (from..=from + Span::from_secs(120)).contains(&at(copy.0))).count()
            };
            for from in -120..2_000 {
                prop_assert!(inside(at(from)) <= inside(t0), "from {from} s");
            }
        }
    }
}

#[test]
fn they_stand_in_the_middle_and_the_earliest_of_equal_parts_is_taken() {
    let lost = |secs| (secs, 3, false);
    let found = telling(&timeline(&[lost(500), lost(520), lost(900), lost(920)]), (at(0), at(1_800)));
    assert_eq!(found, Some((at(450), at(570))));
    let edge = telling(&timeline(&[lost(1_790)]), (at(0), at(1_800)));
    assert_eq!(edge, Some((at(1_680), at(1_800))));
}
