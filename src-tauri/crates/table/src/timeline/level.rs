//! Level of detail of all lanes together, from the zoom.
//!
//! Lanes that are drawn by different rules cannot be compared, so one level serves all lanes of a window: the recorded
//! ones and those of every timer. It follows from the recorded copies, so that it does not depend on the timers shown
//! or on the lanes in sight.

use crate::columns::LaneLevel;
use crate::timeline::Timeline;
use base::{AssociationId, Instant, Span};
use std::collections::BTreeSet;

/// Number of copies over which a distance is averaged; lanes with no more copies do not decide. Chosen here: more than
/// one exchange sends, so that neither a burst of copies of one exchange nor a lane of a few exchanges turns all lanes
/// into columns.
const NEIGHBOURS: usize = 12;
/// Part of the copies, one in so many, that stand closer than the distance that decides. Chosen here: one in ten may
/// overlap.
const CROWDED: usize = 10;
/// Pixels between copies below which they become columns. Chosen here: nearer, bars of copies (4 px wide) hide each
/// other.
const COLUMNS_PX: i128 = 6;
/// Pixels between copies from which each has a flag. Chosen here: a flag is 8 px wide and stands beside a copy and a
/// reply.
const SINGLE_PX: i128 = 40;
/// Shortest distance that decides. Chosen here: captures may have clocks of a second, and copies at one moment never
/// come apart.
const SHORTEST: Span = Span::from_micros(1);

/// Distance between neighbouring copies in the busy parts of a capture's lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowding {
    /// Distance than which a tenth of the copies stand closer to their neighbours; `None` where all lanes have few
    /// copies.
    distance: Option<Span>,
}

impl Crowding {
    /// Measures the lanes of the recorded behaviour. Looks at every copy.
    #[must_use]
    pub fn of(recorded: &Timeline) -> Self {
        let mut distances: Vec<Span> = recorded.index.iter().flat_map(|index| distances(index.all_sent())).collect();
        let place = distances.len() / CROWDED;
        let distance = (!distances.is_empty()).then(|| *distances.select_nth_unstable(place).1);
        Self { distance: distance.map(|distance| distance.max(SHORTEST)) }
    }

    /// Returns the level of all lanes in the window `t0..=t1`, `px` pixels wide.
    ///
    /// It follows from time per pixel alone, but for windows in which some lane of `recorded` has more copies than
    /// pixels: those show columns. The merged lane of a host, one of `hosts`, has many short lanes in it, which crowd
    /// nothing alone: the copies of its window decide, where they leave less detail.
    #[must_use]
    pub fn level(
        self,
        recorded: &Timeline,
        hosts: &[BTreeSet<AssociationId>],
        (t0, t1): (Instant, Instant),
        px: u32,
    ) -> LaneLevel {
        let sent = |id: &AssociationId| recorded.index.get(id.index()).map_or(0, |index| index.sent(t0, t1).len());
        let merged = hosts.iter().map(|host| host.iter().map(sent).sum::<usize>()).max().unwrap_or(0) as i128;
        let room = i128::from(px.max(1));
        let most = if merged * COLUMNS_PX > room {
            LaneLevel::Columns
        } else if merged * SINGLE_PX > room {
            LaneLevel::Spans
        } else {
            LaneLevel::Single
        };
        most.min(self.level_of_lanes(recorded, t0, t1, px))
    }

    /// Returns the level by single lanes, without merged ones.
    fn level_of_lanes(self, recorded: &Timeline, t0: Instant, t1: Instant, px: u32) -> LaneLevel {
        let Some(distance) = self.distance else { return LaneLevel::Single };
        let window = i128::from((t1 - t0).nanos()).max(1);
        let pixels = i128::from(px.max(1));
        let apart = |least: i128| i128::from(distance.nanos()) * pixels >= least * window;
        let full = || recorded.index.iter().any(|index| index.sent(t0, t1).len() > px.max(1) as usize);
        match (apart(COLUMNS_PX), apart(SINGLE_PX)) {
            (false, _) => LaneLevel::Columns,
            _ if full() => LaneLevel::Columns,
            (_, false) => LaneLevel::Spans,
            _ => LaneLevel::Single,
        }
    }
}

/// Mean distance of each copy of a lane to the copies that follow it; near the end, to those before. Empty for lanes
/// with few copies.
fn distances(sent: &[Instant]) -> impl Iterator<Item = Span> {
    let last = sent.len().saturating_sub(1);
    let count = if sent.len() > NEIGHBOURS { sent.len() } else { 0 };
    (0..count).filter_map(move |place| {
        let until = (place + NEIGHBOURS).min(last);
        let from = until.saturating_sub(NEIGHBOURS);
        let apart = *sent.get(until)? - *sent.get(from)?;
        Some(apart.scale(1, i64::try_from(until - from).ok()?))
    })
}
