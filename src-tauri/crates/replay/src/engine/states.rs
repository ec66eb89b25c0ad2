//! States of an estimator along a run, in compact form. A run of a large capture has millions of steps; a full state
//! for each would be most of its memory.

use base::Span;
use rto::EstimatorState;
use std::fmt;

/// Position of a step without a state.
const NONE: u32 = u32::MAX;
/// Value of a variable that is not measured yet. No span of an estimator is this negative.
const UNMEASURED: i64 = i64::MIN;

/// One optional state per step. Equal states in a row are stored once, and so are the names of their variables.
#[derive(Clone, Default)]
pub struct States {
    /// Position in `states` of the state of each step, or [`NONE`].
    steps: Vec<u32>,
    states: Vec<PackedState>,
    /// Values of the variables of the states in nanoseconds, or [`UNMEASURED`].
    values: Vec<i64>,
    /// Names of the modes of states, each once; then lists of the names of variables, each distinct one once.
    modes: Vec<&'static str>,
    names: Vec<Vec<&'static str>>,
}

/// One state. Its variables are in [`States::values`] from `first` on, one per name.
#[derive(Clone, Copy)]
struct PackedState {
    rto: Span,
    first: u32,
    mode: u16,
    names: u16,
}

impl States {
    /// Empty list with capacity for `steps` steps.
    pub(super) fn with_room(steps: usize) -> Self {
        Self { steps: Vec::with_capacity(steps), states: Vec::with_capacity(steps), ..Self::default() }
    }

    /// Number of steps whose states are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Memory in octets, without the names.
    pub(super) const fn octets(&self) -> usize {
        self.steps.capacity() * size_of::<u32>()
            + self.states.capacity() * size_of::<PackedState>()
            + self.values.capacity() * size_of::<i64>()
    }

    /// State after step `index`; `None` where the step has none, or does not exist.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<EstimatorState> {
        let packed = self.state_at(index)?;
        let names = self.names.get(usize::from(packed.names))?;
        let values = self.values.get(packed.first as usize..)?.get(..names.len())?;
        Some(EstimatorState {
            rto: packed.rto,
            mode: self.modes.get(usize::from(packed.mode))?,
            values: names.iter().copied().zip(values.iter().map(|&nanos| measured(nanos))).collect(),
        })
    }

    /// Timeout that the state after step `index` would start with; `None` where the step has no state.
    #[must_use]
    pub fn rto(&self, index: usize) -> Option<Span> {
        Some(self.state_at(index)?.rto)
    }

    /// Variable `name` of the state after step `index`; `None` where it is not measured yet, or there is no such
    /// variable or state.
    #[must_use]
    pub fn value(&self, index: usize, name: &str) -> Option<Span> {
        let packed = self.state_at(index)?;
        let place = self.names.get(usize::from(packed.names))?.iter().position(|known| *known == name)?;
        self.values.get(packed.first as usize + place).and_then(|&nanos| measured(nanos))
    }

    /// Whether step `index` has a state.
    #[must_use]
    pub fn has(&self, index: usize) -> bool {
        self.steps.get(index).is_some_and(|&place| place != NONE)
    }

    fn state_at(&self, index: usize) -> Option<PackedState> {
        let &place = self.steps.get(index)?;
        self.states.get(usize::try_from(place).ok()?).copied()
    }

    /// Appends a step with its state, if it has one.
    pub(super) fn push(&mut self, state: Option<EstimatorState>) {
        let place = state.map_or(NONE, |state| self.place(&state));
        self.steps.push(place);
    }

    /// Position of `state`; equal states in a row share one.
    fn place(&mut self, state: &EstimatorState) -> u32 {
        if self.states.last().is_none_or(|last| !self.equals(last, state)) {
            let packed = PackedState {
                rto: state.rto,
                // 2^32 values would be 34 GB.
                first: u32::try_from(self.values.len()).unwrap_or(u32::MAX),
                mode: number(&mut self.modes, |known| *known == state.mode, || state.mode),
                names: number(
                    &mut self.names,
                    |known| known.iter().eq(state.values.iter().map(|(name, _)| name)),
                    || state.values.iter().map(|(name, _)| *name).collect(),
                ),
            };
            self.values.extend(state.values.iter().map(|(_, value)| value.map_or(UNMEASURED, Span::nanos)));
            self.states.push(packed);
        }
        u32::try_from(self.states.len() - 1).unwrap_or(NONE)
    }

    fn equals(&self, packed: &PackedState, state: &EstimatorState) -> bool {
        packed.rto == state.rto
            && self.modes.get(usize::from(packed.mode)) == Some(&state.mode)
            && self.names.get(usize::from(packed.names)).is_some_and(|names| {
                names.len() == state.values.len()
                    && names
                        .iter()
                        .zip(self.values.iter().skip(packed.first as usize))
                        .zip(&state.values)
                        .all(|((name, &nanos), (other, value))| name == other && measured(nanos) == *value)
            })
    }

    /// Appends the steps of `other`.
    pub(super) fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        for index in 0..other.len() {
            self.push(other.get(index));
        }
    }

    /// Reorders the steps: row i becomes the one at `rows[i]`; rows not named are left out.
    pub(super) fn pick(&mut self, rows: &[usize]) {
        pick(&mut self.steps, rows);
    }

    /// Gives back the memory that growing took in advance.
    pub(super) fn shrink(&mut self) {
        self.steps.shrink_to_fit();
        self.states.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}

fn measured(nanos: i64) -> Option<Span> {
    (nanos != UNMEASURED).then(|| Span::from_nanos(nanos))
}

/// Position in `all` of the value that `is` accepts; appends the one of `make` if there is none.
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

/// Reorders `column`: value i becomes the one at `rows[i]`.
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

    /// States that differ from the one before in one field each.
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

    fn of(all: &[Option<EstimatorState>]) -> States {
        let mut states = States::default();
        all.iter().for_each(|state| states.push(state.clone()));
        states
    }

    #[test]
    fn states_read_back_as_pushed() {
        let all = some();
        let states = of(&all);
        for (index, state) in all.iter().enumerate() {
            assert_eq!(states.get(index), *state);
            assert_eq!((states.has(index), states.rto(index)), (state.is_some(), state.as_ref().map(|s| s.rto)));
            for name in ["SRTT", "RTTVAR", "E"] {
                let value = |s: &EstimatorState| s.values.iter().find(|(known, _)| *known == name)?.1;
                assert_eq!(states.value(index, name), state.as_ref().and_then(value));
            }
        }
        assert_eq!((states.get(all.len()), states.len()), (None, all.len()));
        assert_eq!(states.states.len(), 8, "equal states in a row are one");
    }

    #[test]
    fn appended_halves_equal_the_whole() {
        let all = some();
        for at in 0..=all.len() {
            let (a, b) = all.split_at(at);
            let mut joined = of(a);
            joined.append(of(b));
            assert_eq!(joined, of(&all));
        }
    }

    #[test]
    fn pick_reorders_steps() {
        let all = some();
        let rows: Vec<usize> = (0..all.len()).rev().collect();
        let mut states = of(&all);
        states.pick(&rows);
        let back: Vec<_> = all.into_iter().rev().collect();
        assert_eq!(states, of(&back));
    }
}
