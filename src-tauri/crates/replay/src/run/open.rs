//! The channel of one replicate.

use super::Replay;
use crate::channel::{
    Assume, BlockBootstrap, Channel, Empirical, FirstCopyCache, GilbertElliottChannel, Loaded, Outcomes, Pinned,
    Queued, Recorded, Sampler,
};
use crate::estimate::{ChannelStatistics, Node, Slopes};
use crate::model::{AssociationRecord, Base, ChannelSpec, Index, LoadResponse, WorkloadPlan};
use crate::scenario::{Realisation, Setup};
use base::{Cancelled, Silent, Span};

/// Number of scenarios that share the random draws of a replicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SharedBy {
    /// One scenario; fates are computed as they are asked for.
    One,
    /// Several scenarios, run one after another over the same channel.
    Several,
}

impl Setup {
    /// Opens the channel of one replicate. A channel without a model makes the assumption of `taken` about fates that
    /// are not determined. Errs when an estimate is needed and its computation is cancelled.
    pub fn open<'a>(
        &self,
        replay: &'a Replay,
        replicate: u32,
        taken: Realisation,
    ) -> Result<Box<dyn Channel + 'a>, Cancelled> {
        self.open_for(SharedBy::One, replay, replicate, taken)
    }

    /// Opens the channel as [`Setup::open`] does; for several scenarios the fates of first copies are cached. Errs when
    /// an estimate is needed and its computation is cancelled.
    pub(super) fn open_for<'a>(
        &self,
        shared_by: SharedBy,
        replay: &'a Replay,
        replicate: u32,
        Realisation { assume, outcomes }: Realisation,
    ) -> Result<Box<dyn Channel + 'a>, Cancelled> {
        let Replay { record, index, statistics, .. } = replay;
        let draws = (self.seed, replicate);
        Ok(match (self.channel, outcomes) {
            (ChannelSpec::Recorded { tolerance }, _) => Box::new(Recorded { index, tolerance, assume }),
            (ChannelSpec::Empirical { tolerance }, Outcomes::Recorded) => self.cached(
                shared_by,
                index,
                Empirical::new(record, index, statistics, tolerance, self.seed, replicate),
            ),
            (ChannelSpec::GilbertElliott { tolerance }, Outcomes::Recorded) => {
                let model = replay.channel_states(&mut Silent)?;
                self.cached(
                    shared_by,
                    index,
                    GilbertElliottChannel::new(record, index, statistics, model, tolerance, draws),
                )
            }
            (ChannelSpec::Empirical { tolerance }, Outcomes::Resampled) => {
                let base = self.sampler(replay, statistics, Base::Empirical, tolerance, replicate)?;
                self.cached(shared_by, index, BlockBootstrap::new(base, record, draws))
            }
            (ChannelSpec::GilbertElliott { tolerance }, Outcomes::Resampled) => {
                let base = self.sampler(replay, statistics, Base::GilbertElliott, tolerance, replicate)?;
                self.cached(shared_by, index, BlockBootstrap::new(base, record, draws))
            }
            (ChannelSpec::Loaded { base, response, tolerance }, _) => {
                self.loaded(replay, replicate, (base, response, tolerance), outcomes)?
            }
            // The twin is opened by `Replay::twin_channel` where some client does not stay as recorded, and a channel
            // is chosen before.
            (ChannelSpec::Twin | ChannelSpec::Auto, _) => {
                Box::new(Recorded { index, tolerance: ChannelSpec::TOLERANCE, assume })
            }
        })
    }

    /// The channel that answers to load, by a fitted or given response or behind a bottleneck.
    fn loaded<'a>(
        &self,
        replay: &'a Replay,
        replicate: u32,
        (base, response, tolerance): (Base, LoadResponse, Span),
        outcomes: Outcomes,
    ) -> Result<Box<dyn Channel + 'a>, Cancelled> {
        let Replay { record, index, .. } = replay;
        let draws = (self.seed, replicate);
        let load_model = replay.load_model(&mut Silent)?;
        let queue = match response {
            LoadResponse::Queue { service, room } => Some((replay.queue(&mut Silent)?, service, room)),
            LoadResponse::Fitted | LoadResponse::Given { .. } => None,
        };
        let statistics = queue.map_or(&load_model.statistics, |(queue, ..)| &queue.statistics);
        let base = self.sampler(replay, statistics, base, tolerance, replicate)?;
        let base =
            if outcomes == Outcomes::Resampled { Box::new(BlockBootstrap::new(base, record, draws)) } else { base };
        let recorded = Recorded { index, tolerance, assume: Assume::Nothing };
        let last = |(plan, a): (&WorkloadPlan, &AssociationRecord)| {
            (plan.looped || a.has_more()).then(|| (plan.triggers.len() as u32).saturating_sub(1))
        };
        let last = self.plans.iter().zip(record.associations()).map(last).collect();
        let pinned_clients = Pinned {
            recorded,
            pinned: self.runs.iter().map(Option::is_none).collect(),
            last,
            since: self.history.until(),
        };
        if let Some((queue, service, room)) = queue {
            let fit = queue.fit.as_ref().ok();
            // Refused before anything runs where there is neither.
            let drawn = || fit.map_or(0.0, |fit| fit.draw(self.seed, replicate));
            let drawn_room = fit.map(|fit| fit.room(self.seed, replicate));
            let node = Node {
                service: service.map_or_else(drawn, Span::secs_f64),
                room: room.or(drawn_room).unwrap_or(u32::MAX),
                shared: fit.is_none_or(|fit| fit.shared),
                empty: fit.and_then(|fit| fit.empty).unwrap_or(Span::MAX),
            };
            let queued = Queued::new(base, pinned_clients, (queue, &load_model.loads), node, tolerance, draws);
            return Ok(Box::new(queued));
        }
        let slopes = match (response, &load_model.fit) {
            (LoadResponse::Given { loss, rtt }, _) => Slopes { loss, rtt },
            (LoadResponse::Fitted, Ok(fit)) => fit.draw(self.seed, replicate),
            // Refused before anything runs.
            (LoadResponse::Fitted | LoadResponse::Queue { .. }, _) => Slopes { loss: 0.0, rtt: 0.0 },
        };
        Ok(Box::new(Loaded::new(base, pinned_clients, (load_model, index), slopes, tolerance, draws)))
    }

    /// Wraps `channel` in a cache of first copies where several scenarios share it.
    fn cached<'a, C: Sampler + Channel + 'a>(
        &self,
        shared_by: SharedBy,
        index: &Index,
        channel: C,
    ) -> Box<dyn Channel + 'a> {
        // Requests that follow an end seldom go out together: that end is another one under every timer.
        let coincide = |path: u32| self.plans.get(path as usize).is_some_and(|plan| !plan.looped);
        let any = || (0..index.paths.len() as u32).any(coincide);
        if index.fast.first_copies && shared_by == SharedBy::Several && any() {
            Box::new(FirstCopyCache::new(channel, index, coincide))
        } else {
            Box::new(channel)
        }
    }

    /// The base channel, sampling from `statistics`.
    fn sampler<'a>(
        &self,
        replay: &'a Replay,
        statistics: &'a ChannelStatistics,
        base: Base,
        tolerance: Span,
        replicate: u32,
    ) -> Result<Box<dyn Sampler + 'a>, Cancelled> {
        let Replay { record, index, .. } = replay;
        Ok(match base {
            Base::Empirical => Box::new(Empirical::new(record, index, statistics, tolerance, self.seed, replicate)),
            Base::GilbertElliott => {
                let (model, draws) = (replay.channel_states(&mut Silent)?, (self.seed, replicate));
                Box::new(GilbertElliottChannel::new(record, index, statistics, model, tolerance, draws))
            }
        })
    }
}
