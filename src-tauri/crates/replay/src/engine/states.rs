//! The states of an estimator along a run, kept small: a run of a large capture has millions of steps, and a state of its
//! own for each would be most of what the run takes.

use base::Span;
use rto::EstimatorState;
use std::fmt;

/// Stands for a step without a state.
const NONE: u32 = u32::MAX;
/// Stands for a variable that is not measured yet: no span of an estimator is negative by centuries.
const UNMEASURED: i64 = i64::MIN;

/// One state for each step, or none. Equal states in a row are kept once, and what all states of an estimator have in common
/// (the names of its variables) is, too.
#[derive(Clone, Default)]
pub struct States {
    /// Per step its place in `kept`, or [`NONE`].
    steps: Vec<u32>,
    kept: Vec<Kept>,
    /// Nanoseconds, or [`UNMEASURED`].
    values: Vec<i64>,
    /// Values of the states, each distinct layout once.
    modes: Vec<&'static str>,
    names: Vec<Vec<&'static str>>,
}

/// A state; its variables are from `first` on in [`States::values`], as many as it has names.
#[derive(Clone, Copy)]
struct Kept {
    rto: Span,
    first: u32,
    mode: u16,
    names: u16,
}

impl States {
    /// None, with room for those of `steps` steps.
    pub(super) fn with_room(steps: usize) -> Self {
        Self { steps: Vec::with_capacity(steps), kept: Vec::with_capacity(steps), ..Self::default() }
    }

    /// Number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Octets that they take, the few names aside.
    pub(super) const fn octets(&self) -> usize {
        self.steps.capacity() * size_of::<u32>()
            + self.kept.capacity() * size_of::<Kept>()
            + self.values.capacity() * size_of::<i64>()
    }

    /// The state after step `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<EstimatorState> {
        let kept = self.kept_at(index)?;
        let names = self.names.get(usize::from(kept.names))?;
        let values = self.values.get(kept.first as usize..)?.get(..names.len())?;
        Some(EstimatorState {
            rto: kept.rto,
            mode: self.modes.get(usize::from(kept.mode))?,
            values: names.iter().copied().zip(values.iter().map(|&nanos| measured(nanos))).collect(),
        })
    }

    /// The timeout that the state after step `index` would start with.
    #[must_use]
    pub fn rto(&self, index: usize) -> Option<Span> {
        Some(self.kept_at(index)?.rto)
    }

    /// The variable `name` of the state after step `index`, where it has been measured.
    #[must_use]
    pub fn value(&self, index: usize, name: &str) -> Option<Span> {
        let kept = self.kept_at(index)?;
        let place = self.names.get(usize::from(kept.names))?.iter().position(|known| *known == name)?;
        self.values.get(kept.first as usize + place).and_then(|&nanos| measured(nanos))
    }

    /// Whether step `index` has a state.
    #[must_use]
    pub fn has(&self, index: usize) -> bool {
        self.steps.get(index).is_some_and(|&place| place != NONE)
    }

    fn kept_at(&self, index: usize) -> Option<Kept> {
        let &place = self.steps.get(index)?;
        self.kept.get(usize::try_from(place).ok()?).copied()
    }

    pub(super) fn push(&mut self, state: Option<EstimatorState>) {
        let place = state.map_or(NONE, |state| self.place(&state));
        self.steps.push(place);
    }

    /// Position of `state`; equal states in a row share one.
    fn place(&mut self, state: &EstimatorState) -> u32 {
        if self.kept.last().is_none_or(|last| !self.is(last, state)) {
            let kept = Kept {
                rto: state.rto,
                // As many as 32 bits count would be 34 GB.
                first: u32::try_from(self.values.len()).unwrap_or(u32::MAX),
                mode: number(&mut self.modes, |known| *known == state.mode, || state.mode),
                names: number(
                    &mut self.names,
                    |known| known.iter().eq(state.values.iter().map(|(name, _)| name)),
                    || state.values.iter().map(|(name, _)| *name).collect(),
                ),
            };
            self.values.extend(state.values.iter().map(|(_, value)| value.map_or(UNMEASURED, Span::nanos)));
            self.kept.push(kept);
        }
        u32::try_from(self.kept.len() - 1).unwrap_or(NONE)
    }

    fn is(&self, kept: &Kept, state: &EstimatorState) -> bool {
        kept.rto == state.rto
            && self.modes.get(usize::from(kept.mode)) == Some(&state.mode)
            && self.names.get(usize::from(kept.names)).is_some_and(|names| {
                names.len() == state.values.len()
                    && names
                        .iter()
                        .zip(self.values.iter().skip(kept.first as usize))
                        .zip(&state.values)
                        .all(|((name, &nanos), (other, value))| name == other && measured(nanos) == *value)
            })
    }

    /// Puts `other`'s steps behind these.
    pub(super) fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        for index in 0..other.len() {
            self.push(other.get(index));
        }
    }

    /// The steps in the order of `rows`.
    pub(super) fn pick(&mut self, rows: &[usize]) {
        pick(&mut self.steps, rows);
    }

    /// Gives back the memory that growing took in advance.
    pub(super) fn shrink(&mut self) {
        self.steps.shrink_to_fit();
        self.kept.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}

fn measured(nanos: i64) -> Option<Span> {
    (nanos != UNMEASURED).then(|| Span::from_nanos(nanos))
}

/// The position of a known value, or of `make`'s behind them.
fn number<T>(all: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> u16 {
    let place = all.iter().position(is).unwrap_or_else(|| {
        all.push(make());
        all.len() - 1
    });
    u16::try_from(place).unwrap_or(u16::MAX)
}

/// Equality of the states of each step, whatever their layout in memory.
impl PartialEq for States {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|index| self.get(index) == other.get(index))
    }
}

impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.len()).map(|index| self.get(index))).finish()
    }
}

/// `column` in the order of `rows`.
pub(super) fn pick<T: Clone>(column: &mut Vec<T>, rows: &[usize]) {
    *column = rows.iter().filter_map(|&row| column.get(row).cloned()).collect();
}

#[cfg(test)]
mod tests {
    use super::States;
    use base::Span;
    use rto::EstimatorState;

    fn state(rto: i64, mode: &'static str, values: &[(&'static str, Option<i64>)]) -> EstimatorState {
        let values = values.iter().map(|&(name, value)| (name, value.map(Span::from_millis))).collect();
        EstimatorState { rto: Span::from_millis(rto), mode, values }
    }

    /// Changes one thing after the other, some of it back again.
    fn some() -> Vec<Option<EstimatorState>> {
        vec![
            None,
            Some(state(2_000, "", &[("SRTT", None), ("RTTVAR", None)])),
            Some(state(2_000, "", &[("SRTT", None), ("RTTVAR", None)])),
            Some(state(2_000, "", &[("SRTT", Some(5)), ("RTTVAR", None)])),
            None,
            Some(state(2_000, "slow", &[("SRTT", Some(5)), ("RTTVAR", None)])),
            Some(state(2_001, "slow", &[("SRTT", Some(5)), ("RTTVAR", None)])),
            Some(state(2_001, "slow", &[("SRTT", Some(5))])),
            Some(state(2_001, "slow", &[("E", Some(5))])),
            Some(state(2_001, "slow", &[])),
            Some(state(2_000, "", &[("SRTT", None), ("RTTVAR", None)])),
        ]
    }

    fn of(states: &[Option<EstimatorState>]) -> States {
        let mut kept = States::default();
        states.iter().for_each(|state| kept.push(state.clone()));
        kept
    }

    #[test]
    fn say_what_was_pushed() {
        let all = some();
        let kept = of(&all);
        for (index, state) in all.iter().enumerate() {
            assert_eq!(kept.get(index), *state);
            assert_eq!((kept.has(index), kept.rto(index)), (state.is_some(), state.as_ref().map(|s| s.rto)));
            for name in ["SRTT", "RTTVAR", "E"] {
                let value = |s: &EstimatorState| s.values.iter().find(|(known, _)| *known == name)?.1;
                assert_eq!(kept.value(index, name), state.as_ref().and_then(value));
            }
        }
        assert_eq!((kept.get(all.len()), kept.len()), (None, all.len()));
        assert_eq!(kept.kept.len(), 8, "equal states in a row are one");
    }

    #[test]
    fn halves_put_together_are_the_whole() {
        let all = some();
        for at in 0..=all.len() {
            let (a, b) = all.split_at(at);
            let mut joined = of(a);
            joined.append(of(b));
            assert_eq!(joined, of(&all));
        }
    }

    #[test]
    fn picked_in_another_order() {
        let all = some();
        let rows: Vec<usize> = (0..all.len()).rev().collect();
        let mut kept = of(&all);
        kept.pick(&rows);
        let back: Vec<_> = all.into_iter().rev().collect();
        assert_eq!(kept, of(&back));
    }
}
