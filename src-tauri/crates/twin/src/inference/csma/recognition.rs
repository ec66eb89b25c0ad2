//! The stack that frames show, and how far they do.

use super::timing::{Failures, Gaps, Lattice};
use crate::model::{Stack, StackCsma, StackFinding, StackKnown};
use base::Span;
use std::fmt::Write as _;

/// Largest ratio of the waits after missing acknowledgements and those of a stack. Chosen here: units of stacks with
/// the same tick are apart by more than its square, and a busy channel lengthens the median wait by less (saturated
/// runs of `shared/cooja`: 1.4).
const LARGEST_RATIO: f64 = 1.75;
/// Stacks whose ratios differ by less than this fit equally well. Chosen here: half of what a busy channel makes of it.
const ALIKE: f64 = 1.2;
/// A wait that is longer than another one by less than this is not longer: processors take as long to go on. Chosen
/// here: stacks either go on within it or wait for 125 ms (Contiki 3.0).
const AT_ONCE: Span = Span::from_millis(40);

/// Times of a capture that tell stacks apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clues {
    /// Clock that starts follow; `None` where they follow none.
    pub lattice: Option<Lattice>,
    /// Waits after missing acknowledgements; `None` where there were too few.
    pub gaps: Option<Gaps>,
    /// Attempts before a packet is given up.
    pub failures: Failures,
}

impl Clues {
    /// Returns the stack, and how it is known: the one that a person says, else the one that fits the waits best, else
    /// the first one with the clock. `None` where none fits.
    pub fn stack(self, chosen: Option<&'static Stack>) -> Option<(&'static Stack, StackFinding)> {
        if let Some(stack) = chosen {
            let doubts = stack.csma.is_some_and(|csma| self.ratio(&csma).is_none());
            let reason = if doubts { "; the waits after missing acknowledgements look otherwise" } else { "" };
            return Some((stack, StackFinding::new(stack, StackKnown::Chosen, reason)));
        }
        let mut fitting: Vec<(&'static Stack, f64)> =
            Stack::all().iter().filter_map(|stack| Some((stack, self.ratio(&stack.csma?)?))).collect();
        if self.lattice.is_none() && self.gaps.is_none() {
            return None;
        }
        let least = fitting.iter().map(|(_, ratio)| *ratio).min_by(f64::total_cmp)?;
        fitting.retain(|(_, ratio)| *ratio < least * ALIKE);
        // Among several, those that give up after as many attempts.
        let gives_up = |stack: &Stack| stack.csma.is_some_and(|csma| self.failures.attempts == Some(csma.max_attempts));
        if fitting.iter().any(|(stack, _)| gives_up(stack)) {
            fitting.retain(|(stack, _)| gives_up(stack));
        }
        let (stack, others) = fitting.split_first()?;
        let names: Vec<&str> = others.iter().map(|(other, _)| other.name.as_str()).collect();
        let (how, reason) = if names.is_empty() {
            (StackKnown::Recognised, self.words())
        } else {
            let seen = self.words();
            let seen = if seen.is_empty() { "nothing".to_owned() } else { seen };
            (StackKnown::Assumed, format!("{seen}, which fits {} as well", names.join(" and ")))
        };
        Some((stack.0, StackFinding::new(stack.0, how, &reason)))
    }

    /// Ratio of waits to those of a stack: 1 is right, and where no waits were seen; `None` where they do not fit.
    fn ratio(&self, csma: &StackCsma) -> Option<f64> {
        if self.lattice.is_some_and(|lattice| lattice.tick != csma.tick) {
            return None;
        }
        let Some(gaps) = self.gaps else { return Some(1.0) };
        let (least, seen) = (csma.least_after_miss(), gaps.shortest);
        if (seen - least).max(least - seen) > AT_ONCE.max(csma.spread_after_miss().scale(1, 2)) {
            return None;
        }
        let half = csma.tick.secs_f64() / 2.0;
        let of = |spread: Span| spread.secs_f64().max(0.0) + half;
        let quotient = of(gaps.median - gaps.shortest) / of(csma.spread_after_miss());
        Some(quotient.max(1.0 / quotient)).filter(|ratio| *ratio <= LARGEST_RATIO)
    }

    /// Evidence in words:
    /// `91 % of starts on a whole millisecond, waits of 2 to 24 ms after 813 missing acknowledgements`.
    fn words(&self) -> String {
        let mut words = Vec::new();
        if let Some(lattice) = self.lattice {
            words.push(format!("{:.0} % of starts on a whole millisecond", lattice.share * 100.0));
        }
        if let Some(gaps) = self.gaps {
            let ms = |span: Span| span.secs_f64() * 1e3;
            let mut text = String::new();
            let _ = write!(
                text,
                "waits of {:.1} ms, half of them of {:.1} ms or more,",
                ms(gaps.shortest),
                ms(gaps.median)
            );
            let _ = write!(text, " after {} missing acknowledgements", gaps.count);
            words.push(text);
        }
        if let Some(attempts) = self.failures.attempts {
            words.push(format!("{attempts} attempts before {} packets were given up", self.failures.failures));
        }
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Instant;

    /// Clues of a network that runs `stack`, as far as `parts` has them: clock, waits, attempts.
    fn clues(stack: &str, parts: [bool; 3]) -> Clues {
        let csma = Stack::named(stack).unwrap().csma.unwrap();
        let lattice = Lattice { tick: Span::from_millis(1), origin: Instant::ZERO, share: 0.91 };
        let shortest = csma.least_after_miss();
        let gaps = Gaps { shortest, median: shortest + csma.spread_after_miss(), count: 500 };
        let failures = Failures { attempts: parts[2].then_some(csma.max_attempts), failures: 44, longest: 3 };
        let lattice = Some(lattice).filter(|_| parts[0] && csma.tick == Span::from_millis(1));
        Clues { lattice, gaps: parts[1].then_some(gaps), failures }
    }

    #[test]
    fn every_stack_is_recognised_from_its_own_times() {
        for stack in Stack::all().iter().filter(|stack| stack.csma.is_some()) {
            let (found, finding) = clues(&stack.id, [true, true, true]).stack(None).unwrap();
            assert_eq!(found.id, stack.id, "{}", finding.says);
            assert_eq!(finding.how, StackKnown::Recognised, "{}", finding.says);
            assert!(finding.says.starts_with(&format!("{} (recognised: ", stack.name)), "{}", finding.says);
        }
        let says = clues("contiki-ng-cooja", [true, true, true]).stack(None).unwrap().1.says;
        assert!(says.contains("91 % of starts on a whole millisecond"), "{says}");
    }

    #[test]
    fn what_fits_several_is_assumed_and_said_so() {
        // Waits of standard radios and of OpenThread begin alike; only the attempts differ.
        let (stack, finding) = clues("openthread", [true, true, false]).stack(None).unwrap();
        assert_eq!((stack.id.as_str(), finding.how), ("ieee802154", StackKnown::Assumed));
        assert!(finding.says.contains("fits OpenThread, 2024 as well"), "{}", finding.says);
        // A clock alone: the commonest platform that has it.
        let (stack, finding) = clues("contiki-3.0", [true, false, false]).stack(None).unwrap();
        assert_eq!((stack.id.as_str(), finding.how), ("contiki-ng-cooja", StackKnown::Assumed));
        assert!(finding.says.contains("Contiki 3.0, 2015"), "{}", finding.says);
        assert!(clues("riot", [true, false, true]).stack(None).is_none(), "nothing at all");
    }

    #[test]
    fn a_person_is_believed_and_contradictions_are_said() {
        let riot = Stack::named("riot");
        let (stack, finding) = clues("riot", [true, true, true]).stack(riot).unwrap();
        assert_eq!((stack.id.as_str(), finding.how), ("riot", StackKnown::Chosen));
        assert_eq!(finding.says, "RIOT with its own 802.15.4 layer, 2024 (chosen)");
        let (stack, finding) = clues("contiki-3.0", [true, true, true]).stack(riot).unwrap();
        assert_eq!(stack.id, "riot");
        assert!(finding.says.contains("look otherwise"), "{}", finding.says);
        assert!(clues("riot", [false, false, false]).stack(riot).is_some(), "a person needs no clues");
    }

    #[test]
    fn waits_of_no_stack_fit_none() {
        let shortest = Span::from_millis(900);
        let gaps = Some(Gaps { shortest, median: shortest + Span::from_secs(3), count: 90 });
        let none = Clues { lattice: None, gaps, failures: Failures::default() };
        assert!(none.stack(None).is_none());
    }
}
