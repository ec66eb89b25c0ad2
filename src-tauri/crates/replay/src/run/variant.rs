//! The same trace taken in other ways, to see what an answer rests on.

use super::Replay;
use crate::record::Record;
use std::sync::OnceLock;

impl Replay {
    /// The same with weather that lasts `factor` times as long: correlations of losses and of round trips, and spells.
    #[must_use]
    pub fn with_coherence(&self, factor: f64) -> Self {
        // Fitted anew it would last as long as before.
        let weather = OnceLock::from(self.weather().lasting(factor));
        Self {
            record: self.record.clone(),
            index: self.index.clone(),
            climate: self.climate.lasting(factor),
            weather,
            recorded: self.recorded.clone(),
            ranges: self.ranges.clone(),
        }
    }

    /// The same without the client with this number ([`crate::AssociationRecord::client`]).
    #[must_use]
    pub fn without(&self, client: u32) -> Self {
        let others = self.record.associations().iter().filter(|a| a.client != client).cloned().collect();
        Self::new(Record::new(others, self.record.window()))
    }
}
