//! The modes of `CoapConfig.CONGESTION_CONTROL_ALGORITHM` in Californium 3.x.

use super::Californium3;
use super::basic::Basic;
use super::cocoa::Cocoa;
use super::linux::Linux;
use super::peak_hopper::PeakHopper;
use crate::params::cite;
use crate::spec::{Family, Preset, Rank, Set};

const FLOOR: &str = "The first timeout is at least 500 ms, dithering included, whatever the estimate \
    (Californium 3.14, CongestionControlLayer.MIN_RTO).";
const UNUSED_MEAN: &str =
    "A mean of the last three RTOs is kept and never used (Californium 3.14, RemoteEndpoint.meanOverallRTO).";
const NO_MEMORY: &str = "A backed-off timeout ends with its exchange: the second half of Karn's algorithm, which 2.x has, \
    is gone (Californium 3.14, CongestionControlLayer.updateRetransmissionTimeout).";

pub(crate) const COCOA: Preset = Preset {
    id: "cocoa_cf3",
    name: "CoCoA, Californium 3",
    summary: "CoCoA as Californium 3.x runs it: first timeout at least 0.5 s, which chooses the back-off factor.",
    rank: Rank::A,
    reading: false,
    citation: "Californium 3.14, Cocoa, Rto, CongestionControlLayer, RemoteEndpoint",
    marks_attempts: false,
    dithers: true,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "The gains of RTT and RTTVAR are swapped against RFC 6298 and the CoCoA drafts (Californium 3.14, Rto).",
        FLOOR,
        "The peer ages after the timeout was computed, so a pause shows one exchange late (Californium 3.14, \
         CongestionControlLayer.sendRequest).",
        "The blind rule is never switched off: with two or more other exchanges open every timeout is multiplied \
         (Californium 3.14, Cocoa never calls RemoteEndpoint.initialRto).",
        "With other exchanges open, ageing and samples store the multiplied RTO (Californium 3.14, RemoteEndpoint.getRTO).",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Californium3<Cocoa>>(),
};

pub(crate) const COCOA_STRONG: Preset = Preset {
    id: "cocoa_strong_cf3",
    name: "CoCoA-S, Californium 3",
    summary: "Californium 3.x's CoCoA without samples from retransmitted exchanges.",
    set: &[Set("samples", "strong", cite("Californium 3.14, CongestionControlMode.COCOA_STRONG"))],
    ..COCOA
};

pub(crate) const BASIC: Preset = Preset {
    id: "basic_rto_cf3",
    name: "Basic RTO, Californium 3",
    summary: "One and a half times the last round trip counted from the first copy, at least 0.5 s, doubling.",
    citation: "Californium 3.14, BasicRto, CongestionControlLayer",
    dithers: false,
    warnings: &[FLOOR, UNUSED_MEAN],
    family: Family::of::<Californium3<Basic>>(),
    ..COCOA
};

pub(crate) const LINUX: Preset = Preset {
    id: "linux_rto_cf3",
    name: "Linux, Californium 3",
    summary: "The kernel's estimator in whole milliseconds as Californium 3.x runs it.",
    citation: "Californium 3.14, LinuxRto, CongestionControlLayer",
    warnings: &[
        FLOOR,
        NO_MEMORY,
        "The test for a falling RTT compares with the SRTT already updated; the kernel compares with the old one \
         (Californium 3.14, LinuxRto.updateEstimator; Linux, tcp_rtt_estimator).",
        UNUSED_MEAN,
    ],
    family: Family::of::<Californium3<Linux>>(),
    ..BASIC
};

pub(crate) const PEAK_HOPPER: Preset = Preset {
    id: "peak_hopper_cf3",
    name: "Peak-Hopper, Cf 3",
    summary: "Peak-Hopper as Californium 3.x runs it: the relative change of the RTT is an integer.",
    rank: Rank::B,
    citation: "Californium 3.14, PeakhopperRto, CongestionControlLayer",
    warnings: &[
        FLOOR,
        NO_MEMORY,
        "The relative change of the RTT is an integer division, so it is 0 unless the RTT at least halves \
         (Californium 3.14, PeakhopperRto.updateEstimator).",
        "The second sample is compared with 0, so the variability is 1 there (Californium 3.14, \
         PeakhopperRto.initializeRTOEstimators does not set RTT_previous).",
        UNUSED_MEAN,
    ],
    family: Family::of::<Californium3<PeakHopper>>(),
    ..BASIC
};
