//! The two minutes on which a capture opens.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests stop at the first surprise")]

use base::{Instant, Span};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use table::columns::FateKind;
use table::telling;

fn at(secs: i64) -> Instant {
    Instant::ZERO + Span::from_secs(secs)
}

/// Time in seconds, number of the fate, needless or not.
type Copy = (i64, usize, bool);

fn found(copies: &[Copy], capture: (Instant, Instant)) -> Option<(Instant, Instant)> {
    telling(copies.iter().map(|&(secs, fate, needless)| (at(secs), FateKind::ALL[fate], needless)), capture)
}

fn tells(&(_, fate, needless): &Copy) -> bool {
    needless || !matches!(FateKind::ALL[fate], FateKind::Answered | FateKind::Unknown)
}

proptest! {
    #[test]
    fn no_other_two_minutes_have_more(copies in vec((0_i64..2_000, 0..FateKind::ALL.len(), any::<bool>()), 0..60), end in 1_i64..2_000) {
        let capture = (at(0), at(end.max(copies.iter().map(|copy| copy.0).max().unwrap_or(0))));
        let found = found(&copies, capture);
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
    let middle = found(&[lost(500), lost(520), lost(900), lost(920)], (at(0), at(1_800)));
    assert_eq!(middle, Some((at(450), at(570))));
    let edge = found(&[lost(1_790)], (at(0), at(1_800)));
    assert_eq!(edge, Some((at(1_680), at(1_800))));
}
