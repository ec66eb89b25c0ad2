//! BDP-CoAP (Ancillotti & Bruno, IEEE WF-IoT 2019), a reading: pace at the estimated bottleneck bandwidth, and
//! keep what is outstanding below bandwidth × delay. Only the abstract was reachable; it names BBR as the
//! ancestor, so what it leaves open is taken from BBR (Cardwell et al., ACM Queue 14(5), 2016;
//! draft-cardwell-iccrg-bbr-congestion-control-00; constants held against Linux, net/ipv4/tcp_bbr.c).
//!
//! It counts messages, not octets: a CoAP exchange is one message each way. BBR counts round trips where this
//! counts samples (the bandwidth window, the end of start-up); with one exchange open they are the same. BBR's
//! window in start-up has the start-up gain; here it is always [`Params::window_gain`]. BBR does not end start-up
//! by samples of a sender that had too little to send; here every sample counts.

use super::Rate;
use crate::algorithms::coap::{self, Coap};
use crate::params::{params, reading};
use crate::spec::{Family, FamilyName, PaceModel, Preset, Rank};
use crate::{Flight, Pacer, PacerState, Ratio, Sample};
use base::{Instant, Span};
use std::collections::VecDeque;

const BBR: &str = "draft-cardwell-iccrg-bbr-congestion-control-00; the abstract of BDP-CoAP gives no value";

params! {
    /// Parameters of BDP-CoAP, with BBR's constants.
    pub(crate) struct Params {
        /// The number of delivery rates over which the bandwidth is the maximum.
        bandwidth_window: i32 = 10, in 1 => 64, "Bandwidth window", reading(BBR);
        /// The time for which a shortest round trip counts.
        rtt_window: Span = Span::from_secs(10), in Span::from_secs(1) => Span::from_secs(3600), "RTT window", reading(BBR);
        /// Pacing gain until the bandwidth stops growing (2/ln 2).
        startup_gain: Ratio = Ratio::new(2_885, 1_000), in Ratio::ONE => Ratio::new(8, 1), "Start-up gain", reading(BBR);
        /// Pacing gain of the probing phase of the cycle.
        probe_gain: Ratio = Ratio::new(5, 4), in Ratio::ONE => Ratio::new(4, 1), "Probing gain", reading(BBR);
        /// Pacing gain of the draining phase of the cycle.
        drain_gain: Ratio = Ratio::new(3, 4), in Ratio::new(1, 8) => Ratio::ONE, "Draining gain", reading(BBR);
        /// The number of bandwidth-delay products that may be outstanding.
        window_gain: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(16, 1), "Window gain", reading(BBR);
    }
}

/// Phases of the gain cycle: probe, drain, six of cruising, each one shortest round trip long (tcp_bbr.c, CYCLE_LEN
/// and bbr_pacing_gain).
const PHASES: i64 = 8;
/// Samples without growth after which the bandwidth counts as full (tcp_bbr.c, bbr_full_bw_cnt; there in round trips).
const FULL_SAMPLES: u8 = 3;
/// Least growth of the bandwidth that counts, as a factor (tcp_bbr.c, bbr_full_bw_thresh).
const GROWTH: Ratio = Ratio::new(5, 4);

/// BDP-CoAP's pacer towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Bdp {
    p: Params,
    /// Number of exchanges acknowledged so far.
    delivered: u64,
    /// Per open exchange: its start, and the value of `delivered` then.
    open: Vec<(Instant, u64)>,
    /// The latest delivery rates, messages a second.
    bandwidths: VecDeque<Rate>,
    /// Round trips that may be the shortest of the window, ascending in time and in length.
    shortest: VecDeque<(Instant, Span)>,
    /// The bandwidth that start-up last grew to, and for how many samples it has not grown since.
    full: (Rate, u8),
    /// Time at which start-up ended; `None` before.
    cruising: Option<Instant>,
    last: Option<Instant>,
}

impl Bdp {
    fn bandwidth(&self) -> Option<Rate> {
        self.bandwidths.iter().copied().max()
    }

    fn shortest(&self, now: Instant) -> Option<Span> {
        let recent = self.shortest.iter().find(|(at, _)| now - *at <= self.p.rtt_window);
        // An empty window keeps the latest: a client that was idle has nothing better.
        recent.or(self.shortest.back()).map(|&(_, rtt)| rtt)
    }

    /// The phase of the gain cycle at `now`: its gain and name.
    fn phase(&self, now: Instant) -> (Ratio, &'static str) {
        let (Some(since), Some(rtt)) = (self.cruising, self.shortest(now)) else {
            return (self.p.startup_gain, "start-up");
        };
        match (now - since).nanos().max(0) / rtt.nanos().max(1) % PHASES {
            0 => (self.p.probe_gain, "probing"),
            1 => (self.p.drain_gain, "draining"),
            _ => (Ratio::ONE, "cruising"),
        }
    }

    /// The gap between first transmissions at `now`; none before the first sample.
    fn gap(&self, now: Instant) -> Option<Span> {
        Some(self.bandwidth()?.times(self.phase(now).0).gap(1))
    }

    /// Messages that may be outstanding: the window gain times bandwidth × delay, at least one.
    fn window(&self, now: Instant) -> u32 {
        let (Some(bandwidth), Some(rtt)) = (self.bandwidth(), self.shortest(now)) else { return u32::MAX };
        // Number of messages that leave in the delay, rounded up: the first at its start.
        let gap = bandwidth.times(self.p.window_gain).gap(1).nanos().max(1);
        u32::try_from((rtt.nanos() + gap - 1) / gap).unwrap_or(u32::MAX).max(1)
    }

    fn ended(&mut self, flight: &Flight) -> Option<(Instant, u64)> {
        let start = *flight.sent.first()?;
        let at = self.open.iter().position(|(sent, _)| *sent == start)?;
        Some(self.open.remove(at))
    }

    fn take_bandwidth(&mut self, now: Instant, rate: Rate) {
        self.bandwidths.push_back(rate);
        while self.bandwidths.len() > usize::try_from(self.p.bandwidth_window).unwrap_or(1) {
            self.bandwidths.pop_front();
        }
        let (full, stale) = self.full;
        let Some(bandwidth) = self.bandwidth().filter(|_| self.cruising.is_none()) else { return };
        self.full = if bandwidth >= full.times(GROWTH) { (bandwidth, 0) } else { (full, stale.saturating_add(1)) };
        if self.full.1 >= FULL_SAMPLES {
            self.cruising = Some(now);
        }
    }

    fn take_rtt(&mut self, now: Instant, rtt: Span) {
        while self.shortest.back().is_some_and(|&(_, longer)| longer >= rtt) {
            self.shortest.pop_back();
        }
        self.shortest.push_back((now, rtt));
        while self.shortest.len() > 1 && self.shortest.front().is_some_and(|(at, _)| now - *at > self.p.rtt_window) {
            self.shortest.pop_front();
        }
    }
}

impl PaceModel for Bdp {
    type Params = Params;
    const ASSUMPTIONS: &'static [&'static str] = &[
        "Gains, filter lengths and the end of start-up are BBR's.",
        "Bandwidth is counted in messages, not octets.",
        "The timer is default CoAP's: the abstract names none.",
        "Only exchanges without retransmission give a sample.",
        "BBR's phases that drain the start-up queue and probe the round trip are left out: with few exchanges open both windows empty by themselves.",
        "Retransmissions neither wait for the rate nor use it up.",
    ];
    fn new(p: Params) -> Self {
        Self {
            p,
            delivered: 0,
            open: Vec::new(),
            bandwidths: VecDeque::new(),
            shortest: VecDeque::new(),
            full: (Rate::ZERO, 0),
            cruising: None,
            last: None,
        }
    }
}

impl Pacer for Bdp {
    fn earliest(&self, now: Instant, open: u32) -> Instant {
        if open >= self.window(now) {
            return Instant::MAX;
        }
        match (self.last, self.gap(now)) {
            (Some(last), Some(gap)) => last + gap,
            _ => now,
        }
    }

    fn on_transmit(&mut self, now: Instant, flight: &Flight) {
        if flight.attempt() == 0 {
            self.open.push((now, self.delivered));
            self.last = Some(now);
        }
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        let Some((sent, before)) = self.ended(flight) else { return };
        self.delivered = self.delivered.saturating_add(1);
        let Some(rtt) = sample.unambiguous(now, flight).filter(|&rtt| rtt > Span::ZERO) else { return };
        self.take_rtt(now, rtt);
        self.take_bandwidth(now, Rate::of(self.delivered - before, now - sent));
    }

    fn on_abandon(&mut self, _now: Instant, flight: &Flight) {
        self.ended(flight);
    }

    fn state(&self, now: Instant) -> PacerState {
        PacerState { mode: self.phase(now).1, gap: self.gap(now) }
    }

    fn clone_box(&self) -> Box<dyn Pacer> {
        Box::new(self.clone())
    }
}

pub(crate) const BDP_COAP: Preset = Preset {
    id: "bdp_coap_reading",
    name: "BDP-CoAP (reading)",
    summary: "Our reading of an abstract: new requests leave at the estimated bottleneck bandwidth, as in BBR.",
    rank: Rank::C,
    reading: true,
    citation: "Ancillotti & Bruno 2019 (abstract); Cardwell et al. 2016",
    default: false,
    set: &[],
    family: Family::paced::<Coap, Bdp>(FamilyName::new("bdp_coap", "BDP-CoAP").under("Rate-based")),
    ..coap::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    /// One exchange from `from` to `to`, nothing else open.
    fn exchange(bdp: &mut Bdp, from: i64, to: i64) {
        let flight = Flight { sent: vec![at(from)], armed: vec![Span::from_secs(2)], ..Flight::default() };
        bdp.on_transmit(at(from), &flight);
        bdp.on_ack(at(to), &flight, flight.sample(at(to), None));
    }

    /// One message per 100 ms round trip: 10 messages a second. The first sample makes start-up grow (from
    /// nothing), the next three do not: cruising from 850 ms.
    #[test]
    fn the_gain_cycle_follows_bbr() {
        let mut bdp = Bdp::new(Params::default());
        assert_eq!(bdp.earliest(at(0), 0), at(0), "nothing is known yet");
        for n in 0..4 {
            assert_eq!(bdp.state(at(n * 250)).mode, "start-up");
            exchange(&mut bdp, n * 250, n * 250 + 100);
        }
        assert_eq!(bdp.bandwidth(), Some(Rate::per_second(10)));
        let gap = |ms| bdp.state(at(ms)).gap;
        assert_eq!((bdp.state(at(900)).mode, gap(900)), ("probing", Some(Span::from_millis(80))), "100 ms / 1.25");
        assert_eq!((bdp.state(at(960)).mode, gap(960)), ("draining", Some(Span::from_nanos(133_333_334))));
        assert_eq!((bdp.state(at(1_060)).mode, gap(1_060)), ("cruising", Some(Span::from_millis(100))));
        assert_eq!(bdp.state(at(1_660)).mode, "probing", "after eight round trips");
        // Twice the bandwidth-delay product of one message may be outstanding.
        assert_eq!(bdp.earliest(at(2_000), 1), at(850));
        assert_eq!(bdp.earliest(at(2_000), 2), Instant::MAX);
    }

    #[test]
    fn a_retransmitted_exchange_measures_nothing() {
        let mut bdp = Bdp::new(Params::default());
        let flight = Flight { sent: vec![at(0), at(2_000)], ..Flight::default() };
        bdp.on_transmit(at(0), &Flight { sent: vec![at(0)], ..Flight::default() });
        bdp.on_transmit(at(2_000), &flight);
        bdp.on_ack(at(2_100), &flight, flight.sample(at(2_100), None));
        assert_eq!((bdp.delivered, bdp.bandwidth(), bdp.open.len()), (1, None, 0));
    }
}
