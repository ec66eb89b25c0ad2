//! Halves: a twin whose MAC, links and limits are those of the first half of a capture predicts the second half. It
//! asks whether the network stayed as it was, and whether what is learned holds where it was not learned.

use super::open_loop::{OpenLoop, Window};
use super::{Budget, shares};
use crate::run::{Agreement, Check, Gate, GateKind, Replay};
use crate::scenario::Error;
use base::{Instant, Part, Progress};
use trace::Trace;
use twin::{Machine, Refusal};

/// Prediction of the second half of a capture by the first.
#[derive(Clone, PartialEq, Debug)]
pub struct Halves {
    /// First moment of the second half.
    pub middle: Instant,
    /// Measures of the second half, recorded and predicted; or the reason why the first half alone gives no twin.
    pub checks: Result<Vec<Check>, Refusal>,
    /// Measures and shares counted together; `None` where the first half gives no twin.
    pub gate: Option<Gate>,
}

impl Halves {
    /// Infers a twin from the first half of `trace`, which the record of `replay` was made of, and predicts the second
    /// one. `progress` counts parts.
    ///
    /// # Errors
    /// [`Error::NoTwin`], [`Error::TwinNotLearned`], [`Error::Cancelled`].
    pub fn of(replay: &Replay, trace: &Trace, progress: &mut dyn Progress) -> Result<Self, Error> {
        let machine = replay.machine().ok_or(Error::TwinNotLearned)??;
        let (begin, end) = machine.window;
        let middle = begin + (end - begin).scale(1, 2);
        let earlier = match twin::infer_before(trace, machine, middle, &mut Part::new(progress, 0, 1, 4))? {
            Ok(earlier) => earlier,
            Err(refusal) => return Ok(Self { middle, checks: Err(refusal), gate: None }),
        };
        let window = Window::second_half(middle);
        let background = earlier.background.iter().filter(|packet| packet.at >= window.begin).copied().collect();
        let earlier = Machine { background, ..earlier };
        let log = twin::recorded_frames(trace, machine, &mut Part::new(progress, 1, 2, 4))?;
        let recorded = twin::Behaviour::of(machine, log, (window.from, window.until));
        let open = OpenLoop::new(&earlier, replay.record(), window);
        let budget = Budget::of(recorded.frames);
        let draws = open.draw(budget, &[], &mut Part::new(progress, 2, 4, 4))?;
        let checks = open.checks(replay.record(), recorded.frames, &draws);
        let drawn: Vec<_> = draws.iter().map(|drawn| &drawn.behaviour).collect();
        let (_, gates) = shares::compare(&recorded, &drawn);
        Ok(Self { middle, gate: Some(gate(&checks, &gates)), checks: Ok(checks) })
    }
}

/// All measures and shares of the second half in one. It closes nothing: the twin in use is learned from both halves,
/// and a network that changed is no fault of it.
fn gate(checks: &[Check], shares: &[Gate]) -> Gate {
    let inside = checks.iter().filter(|check| check.agreement == Agreement::Inside).count();
    Gate {
        kind: GateKind::Halves,
        inside: inside + shares.iter().map(|gate| gate.inside).sum::<usize>(),
        many: checks.len() + shares.iter().map(|gate| gate.many).sum::<usize>(),
        expected: 0.9 * checks.len() as f64 + shares.iter().map(|gate| gate.expected).sum::<f64>(),
        misplaced: None,
        is_closed: false,
    }
}
