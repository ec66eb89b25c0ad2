//! Reassembly of datagrams (RFC 4944 §5.3) with the limits of real stacks.

use crate::model::{Machine, NodeId};
use crate::simulation::packet::Fragment;
use base::{Instant, Span};

/// One incomplete datagram.
#[derive(Clone, Copy, Debug)]
struct Context {
    datagram: u32,
    received: u64,
    expires: Instant,
}

/// Consequence of a fragment that arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// Its datagram is complete with it.
    Whole,
    /// The fragment waits for the others.
    Part,
    /// There is no room for its datagram, or no more.
    Refused,
}

/// Incomplete datagrams of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Reassembly {
    nodes: Vec<Vec<Context>>,
    contexts: usize,
    age: Span,
}

impl Reassembly {
    /// Creates reassembly with room for `contexts` datagrams at each node of `machine`.
    pub fn new(machine: &Machine, contexts: usize) -> Self {
        Self { nodes: vec![Vec::new(); machine.len()], contexts, age: machine.limits.reassembly_age }
    }

    /// Returns the reassembly as it began, without any datagram.
    pub fn restarted(&self) -> Self {
        Self { nodes: vec![Vec::new(); self.nodes.len()], ..*self }
    }

    /// Takes a fragment at `node`. The first fragment opens a context, which
    /// needs a free place; without one the rest is dropped (Contiki-NG, `sicslowpan.c`).
    pub fn take(&mut self, at: Instant, node: NodeId, fragment: Fragment) -> Taken {
        if fragment.count <= 1 {
            return Taken::Whole;
        }
        let Some(contexts) = self.nodes.get_mut(usize::from(node)) else { return Taken::Refused };
        contexts.retain(|context| context.expires > at);
        if fragment.position == 0 && contexts.len() < self.contexts {
            contexts.push(Context { datagram: fragment.datagram, received: 0, expires: at + self.age });
        }
        let Some(place) = contexts.iter().position(|context| context.datagram == fragment.datagram) else {
            return Taken::Refused;
        };
        let Some(context) = contexts.get_mut(place) else { return Taken::Refused };
        context.received |= 1 << (fragment.position & 63);
        if context.received.count_ones() < u32::from(fragment.count) {
            return Taken::Part;
        }
        contexts.swap_remove(place);
        Taken::Whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reassembly(contexts: usize) -> Reassembly {
        Reassembly { nodes: vec![Vec::new(); 2], contexts, age: Span::from_millis(500) }
    }

    fn fragment(datagram: u32, position: u8) -> Fragment {
        Fragment { copy: 0, is_answer: false, datagram, position, count: 2 }
    }

    #[test]
    fn a_datagram_is_complete_with_its_last_fragment() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let mut all = reassembly(1);
        assert_eq!(all.take(at(0), 1, fragment(7, 0)), Taken::Part);
        assert_eq!(all.take(at(1), 1, fragment(8, 0)), Taken::Refused, "no place for a second one");
        assert_eq!(all.take(at(2), 1, fragment(8, 1)), Taken::Refused);
        assert_eq!(all.take(at(3), 1, fragment(7, 1)), Taken::Whole);
        assert_eq!(all.take(at(4), 1, fragment(9, 0)), Taken::Part, "the place is free again");
        assert_eq!(all.take(at(600), 1, fragment(9, 1)), Taken::Refused, "too late");
        let whole = Fragment { count: 1, ..fragment(1, 0) };
        assert_eq!(all.take(at(700), 1, whole), Taken::Whole, "a whole datagram needs no place");
    }
}
