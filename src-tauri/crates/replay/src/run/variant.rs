//! Variants of a replay, for sensitivity analysis.

use super::Replay;
use crate::model::Record;
use base::{CancellableOnce, Cancelled, Part, Progress, SharedProgress};
use std::sync::OnceLock;

impl Replay {
    /// Makes the same replay with coherence times longer by `factor`: of losses, of round trips, and of channel states.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn with_coherence(&self, factor: f64, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let states = self.channel_states(&mut Part::new(progress, 0, 1, 2))?;
        let paths = self.record.associations().len() as u64;
        let mut progress = Part::new(progress, 1, 2, 2);
        let mut shared = SharedProgress::new(&mut progress, paths);
        shared.stage(paths, paths)?;
        let statistics = self.statistics.with_duration(&self.index, factor, &shared)?;
        // Fitted again it would last as long as before.
        let channel_states = CancellableOnce::from(states.with_duration(factor));
        Ok(Self {
            record: self.record.clone(),
            index: self.index.clone(),
            statistics,
            channel_states,
            recorded: self.recorded.clone(),
            ranges: self.ranges.clone(),
            load_model: CancellableOnce::new(),
            bottleneck: CancellableOnce::new(),
            twin: self.twin.clone(),
            chosen: self.chosen.clone(),
        })
    }

    /// Makes the same replay without the client with this number ([`crate::AssociationRecord::client`]). The choice of
    /// a channel and the network twin stay as they are: that client's node is still there, and sends no requests.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn without(&self, client: u32, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let others = (0_u32..).zip(self.record.associations()).filter(|(_, a)| a.client != client);
        let (positions, others): (Vec<u32>, Vec<_>) = others.map(|(at, a)| (at, a.clone())).unzip();
        let record = Record::new(others, self.record.window()).with_medium(self.record.medium().among(&positions));
        let record = record.with_late(self.record.all_late().clone());
        let replay = Self::new(record, progress)?.on_network_of(self, |machine| machine.among(&positions));
        Ok(Self { chosen: self.chosen.clone(), ..replay })
    }

    /// Values of the network twin that no capture shows; empty without one.
    #[must_use]
    pub fn presets(&self) -> Vec<twin::Preset> {
        self.machine().and_then(Result::ok).map(twin::Machine::presets).unwrap_or_default()
    }

    /// Makes the same replay with another value of a preset of its network twin, which is used under
    /// [`crate::ChannelSpec::Twin`] only: other channels have nothing to estimate from.
    #[must_use]
    pub fn with_preset(&self, name: &str, value: f64) -> Self {
        let twin = OnceLock::new();
        if let Some(known) = self.twin.get() {
            twin.get_or_init(|| known.as_ref().map(|known| known.with_preset(name, value)).map_err(|why| *why));
        }
        Self {
            record: self.record.clone(),
            index: self.index.clone(),
            statistics: self.statistics.clone(),
            channel_states: CancellableOnce::new(),
            recorded: self.recorded.clone(),
            ranges: self.ranges.clone(),
            load_model: CancellableOnce::new(),
            bottleneck: CancellableOnce::new(),
            twin,
            chosen: self.chosen.clone(),
        }
    }
}
