//! Estimates that only some channel models need: channel states, response to load, bottleneck. Each is computed once,
//! when first asked for, by whichever thread asks first; a cancelled computation leaves nothing behind.

use super::Replay;
use crate::estimate::{Bottleneck, ChannelStates, LoadFit, LoadModel, LoadStep, QueueFit, Unidentified};
use base::{Cancelled, Part, Progress, SharedProgress};

impl Replay {
    /// Makes the estimates that [`Replay::channel_states`], [`Replay::load`] and [`Replay::bottleneck`] return, unless
    /// they are made. `progress` counts steps of each.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn estimate(&self, progress: &mut dyn Progress) -> Result<(), Cancelled> {
        self.estimate_needed([true; 3], 1, 0, progress).map(drop)
    }

    /// Estimates channel states, response to load and bottleneck (in this order) where `needs` says so. Each counts
    /// `units` of progress beside the `rest` of the work. Returns the units of those that had to be made; errs when
    /// cancelled.
    pub(super) fn estimate_needed(
        &self,
        needs: [bool; 3],
        units: u64,
        rest: u64,
        progress: &mut dyn Progress,
    ) -> Result<u64, Cancelled> {
        let [states, load_model, bottleneck] = needs;
        let load_model = load_model || bottleneck;
        let missing = [
            states && self.channel_states.get().is_none(),
            load_model && self.load_model.get().is_none(),
            bottleneck && self.bottleneck.get().is_none(),
        ];
        let mut made = 0;
        let parts = missing.map(|missing| {
            let from = made;
            made += if missing { units } else { 0 };
            (from, made)
        });
        let [first, second, third] = parts;
        let total = made + rest;
        if states {
            self.channel_states(&mut Part::new(progress, first.0, first.1, total))?;
        }
        if load_model {
            self.load_model(&mut Part::new(progress, second.0, second.1, total))?;
        }
        if bottleneck {
            self.queue(&mut Part::new(progress, third.0, third.1, total))?;
        }
        Ok(made)
    }

    /// Fitted two-state channel of every path, estimated when first asked for.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks before they are fitted.
    pub fn channel_states(&self, progress: &mut dyn Progress) -> Result<&ChannelStates, Cancelled> {
        self.channel_states.get_or_try_init(progress, |progress| {
            let passes = ChannelStates::PASSES * self.statistics.paths.len() as u64;
            let mut shared = SharedProgress::new(progress, passes);
            shared.stage(passes, passes)?;
            ChannelStates::new(&self.statistics, &shared)
        })
    }

    /// Response of losses and round trips to load, estimated when first asked for; [`Unidentified`] where the trace
    /// does not determine it.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks before it is estimated.
    pub fn load(&self, progress: &mut dyn Progress) -> Result<Result<&LoadFit, Unidentified>, Cancelled> {
        Ok(self.load_model(progress)?.fit.as_ref().map_err(|why| *why))
    }

    /// Losses of first copies by the load they met, in fifths of the copies, against the fitted response; empty where
    /// it is unidentified.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks before the response is estimated.
    pub fn load_steps(&self, progress: &mut dyn Progress) -> Result<Vec<LoadStep>, Cancelled> {
        Ok(self.load_model(progress)?.steps(&self.record, &self.index))
    }

    /// Bottleneck that copies and replies of several clients pass one at a time, estimated when first asked for;
    /// [`Unidentified`] where round trips do not show one.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks before it is estimated.
    pub fn bottleneck(&self, progress: &mut dyn Progress) -> Result<Result<&QueueFit, Unidentified>, Cancelled> {
        Ok(self.queue(progress)?.fit.as_ref().map_err(|why| *why))
    }

    /// Load model of the trace, estimated when first asked for; errs when cancelled.
    pub(crate) fn load_model(&self, progress: &mut dyn Progress) -> Result<&LoadModel, Cancelled> {
        self.load_model.get_or_try_init(progress, |progress| {
            let mut shared = SharedProgress::new(progress, LoadModel::PASSES);
            shared.stage(LoadModel::PASSES, LoadModel::PASSES)?;
            LoadModel::new(&self.record, &self.index, &self.statistics, &shared)
        })
    }

    /// Bottleneck with its queue trace, estimated when first asked for, after the load model; errs when cancelled.
    pub(crate) fn queue(&self, progress: &mut dyn Progress) -> Result<&Bottleneck, Cancelled> {
        let loads = &self.load_model(progress)?.loads;
        self.bottleneck.get_or_try_init(progress, |progress| {
            let passes = 1 + self.record.medium().nodes().len() as u64;
            let mut shared = SharedProgress::new(progress, passes);
            shared.stage(passes, passes)?;
            Bottleneck::new(&self.record, &self.index, &self.statistics, loads, &shared)
        })
    }
}
