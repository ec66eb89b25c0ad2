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
            climate: self.climate.lasting(&self.index, factor),
            weather,
            recorded: self.recorded.clone(),
            ranges: self.ranges.clone(),
            crowd: OnceLock::new(),
            bottleneck: OnceLock::new(),
        }
    }

    /// The same without the client with this number ([`crate::AssociationRecord::client`]).
    #[must_use]
    pub fn without(&self, client: u32) -> Self {
        let others = (0_u32..).zip(self.record.associations()).filter(|(_, a)| a.client != client);
        let (kept, others): (Vec<u32>, Vec<_>) = others.map(|(at, a)| (at, a.clone())).unzip();
        Self::new(Record::new(others, self.record.window()).with_medium(self.record.medium().among(&kept)))
    }
}
