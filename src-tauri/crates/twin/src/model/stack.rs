//! Stacks: the constants that no capture shows, as data with their sources (`twin/stacks`).

mod read;

use super::{AfterBusy, AfterMiss, Choice, Queueing, Rules, Window};
use base::Span;
use std::sync::LazyLock;

/// Files of all stacks. The recognition takes the first of several that fit equally well: commoner platforms come
/// first.
const FILES: [&str; 9] = [
    include_str!("../../stacks/contiki-ng-cooja.toml"),
    include_str!("../../stacks/contiki-ng-128hz.toml"),
    include_str!("../../stacks/contiki-ng-1khz.toml"),
    include_str!("../../stacks/contiki-ng-tsch.toml"),
    include_str!("../../stacks/contiki-3.0.toml"),
    include_str!("../../stacks/contiki-3.x.toml"),
    include_str!("../../stacks/ieee802154.toml"),
    include_str!("../../stacks/openthread.toml"),
    include_str!("../../stacks/riot.toml"),
];

static STACKS: LazyLock<Vec<Stack>> = LazyLock::new(|| {
    FILES.iter().map(|file| read::stack(file).unwrap_or_else(|error| unreachable!("a stack: {error}"))).collect()
});

/// A network stack on a platform.
#[derive(Clone, PartialEq, Debug)]
pub struct Stack {
    /// Identifier for programs: lower case, words joined by hyphens.
    pub id: String,
    /// Name of the stack, for people.
    pub name: String,
    /// Source code or document, with its version, in which the sources name places.
    pub code: String,
    /// Constants of its contention MAC; `None` where it has none.
    pub csma: Option<StackCsma>,
    /// Constants of its TSCH; `None` where it has none.
    pub tsch: Option<StackTsch>,
    /// Limits of queues and buffers.
    pub limits: StackLimits,
    /// All constants, as its file has them: parts `csma`, `tsch`, `limits`, and in each those of the file.
    pub constants: Vec<Constant>,
}

/// A constant of a stack and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Part of the stack: `csma`, `tsch` or `limits`.
    pub part: String,
    /// Identifier for programs, as of [`super::Parameter`].
    pub name: String,
    /// Value, as its file has it.
    pub value: String,
    /// Unit; empty for counts and words.
    pub unit: String,
    /// File and name in [`Stack::code`], or section of a document.
    pub source: String,
}

/// Constants of a contention MAC.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StackCsma {
    /// Unit of back-off periods.
    pub unit: Span,
    /// Resolution of the clock that ends back-off periods.
    pub tick: Span,
    /// Smallest back-off exponent BE (macMinBe, IEEE Std 802.15.4-2020, 8.4.3).
    pub min_exponent: u8,
    /// Largest back-off exponent BE (macMaxBe, IEEE Std 802.15.4-2020, 8.4.3).
    pub max_exponent: u8,
    /// Greatest number of busy channel assessments in succession; one more has the consequence that
    /// [`Rules::after_busy`] says.
    pub max_backoffs: u8,
    /// Greatest number of transmissions of a frame, the first included.
    pub max_attempts: u8,
    /// Time from the end of a back-off to the channel assessment.
    pub turnaround: Span,
    /// Wait for an acknowledgement after a frame.
    pub ack_wait: Span,
    /// Rules in which stacks differ.
    pub rules: Rules,
}

impl StackCsma {
    /// Returns the median wait between an attempt without acknowledgement and the next one, less the shortest such
    /// wait.
    #[must_use]
    pub fn spread_after_miss(&self) -> Span {
        let exponent = match self.rules.after_miss {
            AfterMiss::Grow => self.min_exponent.saturating_add(1).min(self.max_exponent),
            AfterMiss::Restart | AfterMiss::Delay { .. } => self.min_exponent,
        };
        let values = match self.rules.window {
            Window::Ticks | Window::Units => (1_i64 << exponent.min(16)) - 1,
            Window::Spread => 1 << exponent.min(16),
        };
        self.unit.scale(values, 2)
    }

    /// Returns the shortest wait between the end of an attempt without acknowledgement and the start of the next one.
    #[must_use]
    pub fn least_after_miss(&self) -> Span {
        let least = if self.rules.window == Window::Spread { self.unit } else { Span::ZERO };
        self.ack_wait + least + self.turnaround
    }
}

/// Constants of a TSCH MAC.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StackTsch {
    /// Smallest back-off exponent BE (macMinBe, IEEE Std 802.15.4-2020, 8.4.3).
    pub min_exponent: u8,
    /// Largest back-off exponent BE (macMaxBe, IEEE Std 802.15.4-2020, 8.4.3).
    pub max_exponent: u8,
    /// Greatest number of transmissions of a frame, the first included.
    pub max_attempts: u8,
    /// Time from the end of a frame to the start of its acknowledgement.
    pub ack_delay: Span,
    /// Air time of an acknowledgement.
    pub ack_airtime: Span,
}

/// Queues and buffers: what applications of a stack have.
#[derive(Clone, PartialEq, Debug)]
pub struct StackLimits {
    /// Greatest number of packets in all queues of a node together: values that applications have, in ascending order.
    pub packets: Vec<u32>,
    /// Most neighbours with a queue at the same time: values that applications have.
    pub neighbours: Vec<u32>,
    /// Most datagrams that are reassembled at the same time: values that applications have.
    pub reassemblies: Vec<u32>,
    /// Age after which an incomplete datagram is dropped.
    pub reassembly_age: Span,
}

impl StackLimits {
    /// Returns the fewest packets with which a queue of the stack may be full: a ring of n places holds n - 1.
    #[must_use]
    pub fn full(&self) -> u32 {
        self.packets.iter().copied().min().unwrap_or(1).saturating_sub(1).max(1)
    }

    /// Returns the choice among those of `values` that are not below `least`, the most that was seen; `least`, and 1 at
    /// least, where none is.
    #[must_use]
    pub fn allowing(values: &[u32], least: u32) -> Choice {
        let allowed: Vec<u32> = values.iter().copied().filter(|&limit| limit >= least).collect();
        Choice::among(&allowed, least.max(1))
    }
}

impl Stack {
    /// Returns all stacks, commoner platforms first. A file that cannot be read is left out.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &STACKS
    }

    /// Returns the stack called `id`; `None` where there is none.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|stack| stack.id == id)
    }

    /// Returns the source of the constant `name` of `part` or of the limits; `None` where the stack has no such.
    #[must_use]
    pub fn source(&self, part: &str, name: &str) -> Option<&str> {
        let mut found = self.constants.iter().filter(|constant| constant.name == name);
        found.find(|constant| constant.part == part || constant.part == "limits").map(|c| c.source.as_str())
    }
}

/// The stack of a machine, and how it is known.
#[derive(Clone, PartialEq, Debug)]
pub struct StackFinding {
    /// Identifier, as of [`Stack::id`]; empty for a machine that was built by hand.
    pub id: String,
    /// Source of this finding.
    pub how: StackKnown,
    /// Name and reason in a phrase:
    /// `Contiki-NG on Cooja motes, 2024 (recognised: 91 % of starts on a whole millisecond)`.
    pub says: String,
}

/// Source of the stack of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackKnown {
    /// The capture shows it, and no other one fits.
    Recognised,
    /// Several fit, or nothing tells: the first of them.
    Assumed,
    /// A person said so.
    Chosen,
}

impl StackFinding {
    /// Creates the finding of `stack`, known in the way `how` for `reason`, a phrase.
    #[must_use]
    pub fn new(stack: &Stack, how: StackKnown, reason: &str) -> Self {
        let word = match how {
            StackKnown::Recognised => "recognised: ",
            StackKnown::Assumed => "assumed: ",
            StackKnown::Chosen => "chosen",
        };
        Self { id: stack.id.clone(), how, says: format!("{} ({word}{reason})", stack.name) }
    }

    /// Creates the finding of a machine that was built by hand: no stack.
    #[must_use]
    pub fn unknown() -> Self {
        Self { id: String::new(), how: StackKnown::Assumed, says: String::new() }
    }
}

impl Window {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "ticks" => Self::Ticks,
            "units" => Self::Units,
            "spread" => Self::Spread,
            _ => return None,
        })
    }
}

impl AfterMiss {
    fn named(word: &str, max_exponent: u8) -> Option<Self> {
        Some(match word {
            "restart" => Self::Restart,
            "grow" => Self::Grow,
            "delay" => Self::Delay { max_exponent },
            _ => return None,
        })
    }
}

impl AfterBusy {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "attempt" => Self::Attempt,
            "drop" => Self::Drop,
            "forever" => Self::Forever,
            _ => return None,
        })
    }
}

impl Queueing {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "neighbour" => Self::PerNeighbour,
            "one" => Self::One,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_stack_whose_constants_cite() {
        let read: Vec<Stack> = FILES.iter().map(|file| read::stack(file).unwrap_or_else(|e| panic!("{e}"))).collect();
        assert_eq!(Stack::all(), read);
        let mut ids: Vec<&str> = read.iter().map(|stack| stack.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), FILES.len(), "no identifier twice");
        for stack in &read {
            assert!(stack.csma.is_some() || stack.tsch.is_some(), "{}", stack.id);
            assert_eq!(Stack::named(&stack.id), Some(stack));
            for Constant { name, source, .. } in &stack.constants {
                assert!(source.len() > 15, "{}: {name} says where it stands", stack.id);
            }
            let limits = &stack.limits;
            for values in [&limits.packets, &limits.neighbours, &limits.reassemblies] {
                assert!(!values.is_empty() && values.is_sorted() && values[0] > 0, "{}", stack.id);
            }
        }
        assert_eq!(Stack::named("none"), None);
    }

    #[test]
    fn a_file_that_lacks_or_invents_something_is_an_error() {
        let file = FILES[0];
        let without = file.lines().filter(|line| !line.starts_with("turnaround")).collect::<Vec<_>>().join("\n");
        assert!(read::stack(&without).unwrap_err().contains("turnaround"));
        let unknown = file.replace("value = \"ticks\"", "value = \"tacks\"");
        assert!(read::stack(&unknown).unwrap_err().contains("tacks"));
        let more = format!("{file}\nspeed = {{ value = 1, source = \"nowhere in particular\" }}\n");
        assert!(read::stack(&more).unwrap_err().contains("speed"));
        let uncited = file.replace("source = \"os/net/mac/csma/csma-output.c, l. 67: CSMA_MIN_BE\"", "unit = \"\"");
        assert!(read::stack(&uncited).unwrap_err().contains("min-back-off-exponent"));
        assert!(read::stack("id = ").is_err());
    }

    #[test]
    fn limits_allow_what_was_seen() {
        let values = |least| StackLimits::allowing(&[8, 16, 64], least).values().collect::<Vec<_>>();
        assert_eq!([values(3), values(9), values(65)], [vec![8, 16, 64], vec![16, 64], vec![65]]);
    }
}
