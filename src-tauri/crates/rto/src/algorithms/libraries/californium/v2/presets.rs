//! The names of `CONGESTION_CONTROL_ALGORITHM` in Californium 2.x.

use super::Californium2;
use super::cocoa::Cocoa;
use super::plain::{Basic, Linux, PeakHopper};
use crate::params::{cite, reading};
use crate::spec::{Family, Preset, Rank, Set};

const SWAPPED: &str =
    "The gains of RTT and RTTVAR are swapped against RFC 6298 and the CoCoA drafts (Californium 2.8, Cocoa).";
const STALE: &str = "Ageing tests the RTO from before ageing, so one long pause ages it far too often: 300 ms and 100 s of \
    silence give 32 s, the drafts 1.2 s (Californium 2.8, Cocoa.checkAging, RemoteEndpoint.getRTO).";
const HANGS: &str = "After a pause of minutes at a small RTO the doubling overflows to 0: all copies leave at once, and the next \
    exchange never ends its ageing loop; from there on this preset stands still at its longest timeout \
    (Californium 2.8, Cocoa.checkAging).";
const FIXED_2000: &str =
    "The blind rule counts in steps of 2000 ms whatever ACK_TIMEOUT is (Californium 2.8, RemoteEndpoint.getRTO).";
const LEFT_BEHIND: &str = "A failed exchange stays registered for 255 s and blocks its peer; not modelled, the replay's NSTART rule \
    decides (Californium 2.8, CongestionControlLayer.SweepCheckTask).";

const STORED: &str = "The overall RTO that is shown is the one that the class stores, which ageing may have doubled beyond 32 s, or until it \
    overflowed; armed is at most 32 s of it, but after an overflow what a cast to `int` leaves, up to 25 days (Californium 2.8, \
    RemoteEndpoint.meanOverallRTO, getRTO).";

pub(crate) const COCOA: Preset = Preset {
    id: "cocoa_cf2",
    name: "CoCoA, Californium 2",
    summary: "CoCoA as Californium 1.x and 2.x run it, in whole milliseconds, with ageing that never stops in time.",
    rank: Rank::A,
    reading: false,
    citation: "Californium 2.8, Cocoa, CongestionControlLayer, RemoteEndpoint",
    marks_attempts: false,
    dithers: true,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[STALE, HANGS, STORED, SWAPPED, FIXED_2000, LEFT_BEHIND],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Californium2<Cocoa>>(),
};

pub(crate) const COCOA_FIXED: Preset = Preset {
    id: "cocoa_cf2_fixed_aging",
    name: "CoCoA, Cf 2, fixed",
    summary: "Californium 2.x's CoCoA with its ageing loop repaired and nothing else.",
    reading: true,
    assumptions: &["The ageing loop tests the RTO it has just aged; nothing else changes."],
    warnings: &[
        "Never shipped: our repair of one fault of Californium 2.8, Cocoa.checkAging.",
        SWAPPED,
        FIXED_2000,
        LEFT_BEHIND,
    ],
    set: &[Set("ageing", "fixed", reading("draft-ietf-core-cocoa-03 §4.3; Californium 3 repairs it the same way"))],
    ..COCOA
};

pub(crate) const COCOA_STRONG: Preset = Preset {
    id: "cocoa_strong_cf2",
    name: "CoCoA-S, Californium 2",
    summary: "Californium 2.x's CoCoA without samples from retransmitted exchanges.",
    citation: "Californium 2.8, CocoaStrong, CongestionControlLayer, RemoteEndpoint",
    set: &[Set("samples", "strong", cite("Californium 2.8, CocoaStrong.processRTTmeasurement"))],
    ..COCOA
};

pub(crate) const BASIC: Preset = Preset {
    id: "basic_rto_cf2",
    name: "Basic RTO, Californium 2",
    summary: "The last round trip counted from the first copy, doubling.",
    citation: "Californium 2.8, BasicRto, CongestionControlLayer",
    dithers: false,
    warnings: &[
        "The comment beside the code says 1.5 times the round trip; the code takes it as it is (Californium 2.8, BasicRto).",
        LEFT_BEHIND,
    ],
    family: Family::of::<Californium2<Basic>>(),
    ..COCOA
};

pub(crate) const LINUX: Preset = Preset {
    id: "linux_rto_cf2",
    name: "Linux, Californium 2",
    summary: "The kernel's estimator in whole milliseconds as Californium 2.x runs it, keeping a backed-off timeout.",
    citation: "Californium 2.8, LinuxRto, CongestionControlLayer",
    warnings: &[
        "The test for a falling RTT compares with the SRTT already updated; the kernel compares with the old one \
         (Californium 2.8, LinuxRto.updateEstimator; Linux, tcp_rtt_estimator).",
        FIXED_2000,
        LEFT_BEHIND,
    ],
    family: Family::of::<Californium2<Linux>>(),
    ..BASIC
};

pub(crate) const PEAK_HOPPER: Preset = Preset {
    id: "peak_hopper_cf2",
    name: "Peak-Hopper, Cf 2",
    summary: "Peak-Hopper as Californium 2.x runs it: jumps to a peak at once, decays by 1/24 a sample.",
    rank: Rank::B,
    citation: "Californium 2.8, PeakhopperRto, CongestionControlLayer",
    warnings: &[
        "The second sample is compared with 0, so the variability is 1 there (Californium 2.8, \
         PeakhopperRto.initializeRTOEstimators does not set RTT_previous).",
        "All peers share one index into their histories; here each has its own (Californium 2.8, PeakhopperRto.currentRtt).",
        FIXED_2000,
        LEFT_BEHIND,
    ],
    family: Family::of::<Californium2<PeakHopper>>(),
    ..BASIC
};
