//! The replayed part of a capture in words.

use super::Opened;
use crate::view::PartView;
use base::{AssociationId, Instant};

/// Greatest number of clients listed by name; further ones are only counted. Chosen here by judgement, for the length
/// of the sentence.
const NAMED: usize = 8;

impl PartView {
    /// Returns the beginning of the replay in words, in seconds as `exchanges` prints them; `None` where it begins
    /// with the trace.
    pub(crate) fn begins(&self) -> Option<String> {
        Some(format!("from {} s on", (self.from()? - Instant::ZERO).secs_f64()))
    }

    /// Returns the part of `opened` that is not replayed in words: `2 of 5 clients as recorded (mote 2, mote 3), from
    /// 331 s on, timers warm`.
    /// `None` where all is.
    pub(crate) fn said(&self, opened: &Opened) -> Option<String> {
        let associations = &opened.trace.associations;
        let name = |id: &AssociationId| Some(associations.get(id.index())?.client_name.clone());
        let stays = (!self.as_recorded.is_empty()).then(|| {
            let mut names: Vec<String> = self.as_recorded.iter().take(NAMED).filter_map(name).collect();
            names.dedup();
            let more = self.as_recorded.len().saturating_sub(NAMED);
            if more > 0 {
                names.push(format!("{more} more"));
            }
            let (stay, all) = (self.as_recorded.len(), associations.len());
            format!("{stay} of {all} clients as recorded ({})", names.join(", "))
        });
        let warm = self.start.map(|start| if start.warm { "timers warm" } else { "timers cold" }.to_owned());
        let said: Vec<String> = stays.into_iter().chain(self.begins()).chain(warm).collect();
        (!said.is_empty()).then(|| said.join(", "))
    }
}
