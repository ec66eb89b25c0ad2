//! Presets: values of a machine that no capture shows, and what other stacks have in their place.

use super::{Choice, Known, Limits, Mac, Machine, Stack, StackCsma, StackTsch, Window};
use base::Span;

/// A value of the machine that the capture does not show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preset {
    /// Identifier for programs, as of [`super::Parameter`].
    pub name: &'static str,
    /// Value in use, in `unit`; `None` where it is a choice among several, of which each replicate draws one (of
    /// reassemblies it has the median).
    pub value: Option<f64>,
    /// Smallest and largest value of known stacks, in `unit`.
    pub range: (f64, f64),
    /// Unit; empty for counts.
    pub unit: &'static str,
}

/// Smallest and largest value that `of` has in any stack; `otherwise` where none has one.
fn range_of(of: impl Fn(&Stack) -> Option<f64>, otherwise: f64) -> (f64, f64) {
    let values = || Stack::all().iter().filter_map(&of);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if least <= most { (least.min(otherwise), most.max(otherwise)) } else { (otherwise, otherwise) }
}

/// Value that `of` gives for a stack with a contention MAC whose back-offs have the meaning of the standard.
fn csma_of(of: impl Fn(&StackCsma) -> f64) -> impl Fn(&Stack) -> Option<f64> {
    move |stack| stack.csma.as_ref().filter(|csma| csma.rules.window != Window::Spread).map(&of)
}

/// Value that `of` gives for a stack with TSCH.
fn tsch_of(of: impl Fn(&StackTsch) -> f64) -> impl Fn(&Stack) -> Option<f64> {
    move |stack| stack.tsch.as_ref().map(&of)
}

impl Machine {
    /// Returns the values that the capture does not show and that differ among stacks, those of the MAC first.
    #[must_use]
    pub fn presets(&self) -> Vec<Preset> {
        let is_preset = |name| self.parameters.iter().any(|p| p.name == name && p.known == Known::Preset);
        let of = |name, value: f64, range, unit| Preset { name, value: Some(value), range, unit };
        let counted = |name, value: u8, range: (f64, f64)| of(name, f64::from(value), range, "");
        let mac = match &self.mac {
            Mac::Tsch(tsch) => {
                let range =
                    |of: fn(&StackTsch) -> u8, own: u8| range_of(tsch_of(move |t| f64::from(of(t))), own.into());
                vec![
                    counted("max-attempts", tsch.max_attempts, range(|t| t.max_attempts, tsch.max_attempts)),
                    counted("min-back-off-exponent", tsch.min_exponent, range(|t| t.min_exponent, tsch.min_exponent)),
                    counted("max-back-off-exponent", tsch.max_exponent, range(|t| t.max_exponent, tsch.max_exponent)),
                ]
            }
            Mac::Csma(csma) => {
                let range =
                    |of: fn(&StackCsma) -> u8, own: u8| range_of(csma_of(move |c| f64::from(of(c))), own.into());
                let unit = csma.unit.secs_f64() * 1e3;
                vec![
                    of("back-off-unit", unit, range_of(csma_of(|c| c.unit.secs_f64() * 1e3), unit), "ms"),
                    counted("max-attempts", csma.max_attempts, range(|c| c.max_attempts, csma.max_attempts)),
                    counted("min-back-off-exponent", csma.min_exponent, range(|c| c.min_exponent, csma.min_exponent)),
                    counted("max-back-off-exponent", csma.max_exponent, range(|c| c.max_exponent, csma.max_exponent)),
                    counted("max-back-offs", csma.max_backoffs, range(|c| c.max_backoffs, csma.max_backoffs)),
                ]
            }
        };
        let Limits { packets, neighbours, reassemblies, reassembly_age, .. } = &self.limits;
        let drawn = |name, choice: &Choice| {
            let (least, most) = (choice.values().min()?, choice.values().max()?);
            (least < most).then(|| Preset { name, value: None, range: (f64::from(least), f64::from(most)), unit: "" })
        };
        let is_csma = matches!(self.mac, Mac::Csma(_));
        let age = reassembly_age.secs_f64();
        let limits = [
            drawn("packets-queued", packets),
            drawn("neighbours-queued", neighbours).filter(|_| is_csma),
            drawn("reassemblies", reassemblies).filter(|_| self.has_fragments()),
            Some(of("reassembly-age", age, range_of(|s| Some(s.limits.reassembly_age.secs_f64()), age), "s"))
                .filter(|_| self.has_fragments()),
        ];
        // A value that all stacks share is not in doubt.
        let differs = |preset: &Preset| preset.range.0 < preset.range.1;
        let mac = mac.into_iter().filter(|preset| is_preset(preset.name));
        mac.chain(limits.into_iter().flatten()).filter(differs).collect()
    }

    /// Returns the machine with another `value`, in the preset's unit, of the preset called `name`, clamped to its
    /// range; an equal machine for a name that it does not have.
    #[must_use]
    pub fn with_preset(&self, name: &str, value: f64) -> Self {
        let mut machine = self.clone();
        let Some(preset) = self.presets().into_iter().find(|preset| preset.name == name) else { return machine };
        let value = value.clamp(preset.range.0, preset.range.1);
        // Ranges of counts fit.
        let count = value.round() as u8;
        match (&mut machine.mac, name) {
            (Mac::Tsch(tsch), "max-attempts") => tsch.max_attempts = count,
            (Mac::Tsch(tsch), "min-back-off-exponent") => tsch.min_exponent = count,
            (Mac::Tsch(tsch), "max-back-off-exponent") => tsch.max_exponent = count,
            (Mac::Csma(csma), "back-off-unit") => csma.unit = Span::from_secs_f64(value / 1e3).unwrap_or(csma.unit),
            (Mac::Csma(csma), "max-attempts") => csma.max_attempts = count,
            (Mac::Csma(csma), "min-back-off-exponent") => csma.min_exponent = count,
            (Mac::Csma(csma), "max-back-off-exponent") => csma.max_exponent = count,
            (Mac::Csma(csma), "max-back-offs") => csma.max_backoffs = count,
            (_, "packets-queued") => machine.limits.packets = Choice::certain(value.round() as u32),
            (_, "neighbours-queued") => machine.limits.neighbours = Choice::certain(value.round() as u32),
            (_, "reassemblies") => machine.limits.reassemblies = Choice::certain(value.round() as u32),
            (_, "reassembly-age") => {
                machine.limits.reassembly_age = Span::from_secs_f64(value).unwrap_or(machine.limits.reassembly_age);
            }
            _ => {}
        }
        machine
    }

    /// Returns whether some request or answer has more than one frame.
    fn has_fragments(&self) -> bool {
        let all = self.shapes.iter().flat_map(|shape| shape.request.iter().chain(&shape.answer));
        all.map(|(_, lengths)| lengths).any(|lengths| lengths.len() > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Matrix, Parameter, Routes, Shape, Tsch};
    use base::Instant;

    fn machine(attempts: Known) -> Machine {
        let tsch = Tsch {
            slot: Span::from_millis(10),
            origin: Instant::ZERO,
            slotframes: Vec::new(),
            max_attempts: 8,
            min_exponent: 1,
            max_exponent: 5,
            ack_delay: Span::ZERO,
            ack_airtime: Span::ZERO,
            parents: Vec::new(),
            neighbours: Vec::new(),
        };
        let exact = |name, known| Parameter::exact(name, 1.0, "", known, 0);
        let none = || Matrix::new(0);
        Machine {
            nodes: Vec::new(),
            mac: Mac::Tsch(tsch),
            stack: crate::model::StackFinding::unknown(),
            reception: none(),
            disturbance: none(),
            sensing: none(),
            routes: Routes::default(),
            withdrawals: crate::model::Withdrawals::default(),
            ends: Vec::new(),
            shapes: vec![Shape { request: vec![(0, vec![80])], answer: Vec::new() }],
            shape_of: Vec::new(),
            background: Vec::new(),
            limits: Limits {
                packets: Choice::among(&[16, 64], 1),
                per_neighbour: Choice::certain(7),
                neighbours: Choice::among(&[2, 4], 1),
                reassemblies: Choice::among(&[2, 4], 1),
                reassembly_age: Span::from_millis(500),
            },
            processing: Span::ZERO,
            access: Span::ZERO,
            frames: 0,
            window: (Instant::ZERO, Instant::ZERO),
            parameters: vec![exact("max-attempts", attempts), exact("max-back-off-exponent", Known::Preset)],
        }
    }

    #[test]
    fn what_the_capture_shows_is_no_preset() {
        let names = |machine: &Machine| -> Vec<&str> { machine.presets().iter().map(|preset| preset.name).collect() };
        assert_eq!(names(&machine(Known::Read)), ["max-back-off-exponent", "packets-queued"]);
        let mut fragmented = machine(Known::Preset);
        fragmented.shapes[0].answer = vec![(0, vec![100, 40])];
        let all = ["max-attempts", "max-back-off-exponent", "packets-queued", "reassemblies", "reassembly-age"];
        assert_eq!(names(&fragmented), all);
    }

    #[test]
    fn another_value_changes_that_value_alone() {
        let machine = machine(Known::Preset);
        for preset in machine.presets() {
            for value in [preset.range.0, preset.range.1] {
                let other = machine.with_preset(preset.name, value);
                if preset.value == Some(value) {
                    assert_eq!(other, machine, "{} {value}: an end of the range is its own", preset.name);
                    continue;
                }
                assert_ne!(other, machine, "{} {value}", preset.name);
                let changed = (other.mac != machine.mac, other.limits != machine.limits);
                assert!(changed.0 != changed.1, "{}: one of both", preset.name);
            }
        }
        let Mac::Tsch(tsch) = machine.with_preset("max-back-off-exponent", 99.0).mac else { panic!("TSCH") };
        assert_eq!((tsch.max_exponent, tsch.min_exponent), (7, 1), "within the range of stacks");
        assert_eq!(machine.with_preset("slot", 1.0), machine);
    }
}
