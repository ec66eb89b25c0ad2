//! The published variants, as differences from draft-ietf-core-cocoa-03.

use super::Cocoa;
use crate::params::{Source, cite, reading};
use crate::spec::{Family, Preset, Rank, Set};

/// Assumption of every preset with the drafts' longest timeout.
const FIRST_CUT: &str = "The first timeout is cut to the longest one, 32 s, as those of retransmissions are; \
    draft-ietf-core-cocoa-03 §4.2.1 truncates the back-off only.";

pub(crate) const IETF_03: Preset = Preset {
    id: "cocoa_ietf_03",
    name: "CoCoA draft -03",
    summary: "The last CoCoA draft: strong and weak estimators, a back-off factor chosen at every expiry, ageing.",
    rank: Rank::A,
    reading: false,
    citation: "draft-ietf-core-cocoa-03 §4.2, §4.3",
    marks_attempts: false,
    dithers: true,
    default: true,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "The ageing example prints 3.8 s for 16 · 0.3 s, which is 4.8 s (draft-ietf-core-cocoa-03, appendix B).",
    ],
    assumptions: &[FIRST_CUT],
    diagram: None,
    set: &[],
    family: Family::of::<Cocoa>(),
};

pub(crate) const IETF_03_LITERAL: Preset = Preset {
    id: "cocoa_ietf_03_literal",
    name: "CoCoA draft -03, literal",
    summary: "The pseudocode of the last draft to the letter, with its erratum: the deviation has a sign. Not for results.",
    citation: "draft-ietf-core-cocoa-03, appendix B",
    default: false,
    warnings: &[
        "Without the absolute value an estimate can fall below the round trip time, an erratum (draft-ietf-core-cocoa-03, appendix B).",
    ],
    set: &[
        Set("deviation", "signed", cite("draft-ietf-core-cocoa-03, appendix B.1: the absolute value is missing")),
        Set("aging_steps", "single", cite("draft-ietf-core-cocoa-03, appendix B.2: one step, the clock restarts")),
    ],
    ..IETF_03
};

const B02: Source = cite("draft-bormann-core-cocoa-02 to draft-ietf-core-cocoa-01");

pub(crate) const BORMANN_02: Preset = Preset {
    id: "cocoa_bormann_02",
    name: "CoCoA draft -02",
    summary: "The CoCoA drafts from 2014 to 2017: the back-off factor is chosen once, when the exchange starts.",
    citation: "draft-bormann-core-cocoa-02 to -04, draft-ietf-core-cocoa-00 and -01",
    default: false,
    warnings: &[
        "The factor above 3 s is 1.5 here and 1.3 in draft -01 and in CoCoA+ (draft-bormann-core-cocoa-02; Ancillotti & Bruno 2017, eq. 3).",
    ],
    set: &[Set("vbf_key", "initial", B02)],
    ..IETF_03
};

pub(crate) const STRONG: Preset = Preset {
    id: "cocoa_strong",
    name: "CoCoA-S",
    summary: "CoCoA without the weak estimator: retransmitted exchanges give no sample.",
    citation: "Californium 2.0, CocoaStrong; draft-bormann-core-cocoa-02",
    default: true,
    warnings: &[],
    set: &[
        Set("vbf_key", "initial", B02),
        Set("weak_max", "0", cite("Californium 2.0, CocoaStrong")),
        Set("weight_weak", "0", cite("Californium 2.0, CocoaStrong")),
    ],
    ..BORMANN_02
};

pub(crate) const E_EIFEL: Preset = Preset {
    id: "cocoa_e_eifel_reading",
    name: "CoCoA, Eifel, reading",
    summary: "CoCoA with the Eifel timer in both estimators, one of three things that CoCoA-E is said to be.",
    rank: Rank::C,
    reading: true,
    citation: "Deshmukh & Raisinghani 2022 §II; draft-bormann-core-cocoa-02",
    warnings: &[
        "Three descriptions of CoCoA-E contradict each other: a gain of R/RTO (Balandina et al. 2013, abstract), other weights in the weak estimator (Lee, Kim & Youn 2016), the Eifel timer (Deshmukh & Raisinghani 2022 §II).",
    ],
    assumptions: &[
        "Both EWMA pairs of CoCoA (draft -02 constants) are replaced by the Eifel update with the gain 1/3.",
        "An estimate is at least two ticks of 10 ms above the latest sample.",
        FIRST_CUT,
    ],
    set: &[
        Set("vbf_key", "initial", B02),
        Set("predictor", "eifel", reading("Deshmukh & Raisinghani 2022 §II: \"uses the Eifel retransmission timer\"")),
    ],
    ..BORMANN_02
};

const B01: Source = cite("draft-bormann-core-cocoa-01");

pub(crate) const BORMANN_01: Preset = Preset {
    id: "cocoa_bormann_01",
    name: "CoCoA draft -01",
    summary: "The first CoCoA draft: equal weights, weak samples from any number of retransmissions, doubling blind RTO.",
    citation: "draft-bormann-core-cocoa-01",
    warnings: &[
        "Back-off is 1.3 only above 8 s, where every later text has 3 s; ageing has two alternatives in the text (draft-bormann-core-cocoa-01).",
    ],
    set: &[
        Set("weight_weak", "1/2", B01),
        Set("weak_max", "20", B01),
        Set("vbf_high", "1.3", B01),
        Set("vbf_high_above", "8", B01),
        Set("vbf_key", "initial", B01),
        Set("aging", "small", B01),
        Set("blind", "power", B01),
    ],
    ..BORMANN_02
};

const GAIN_ALPHA: Set = Set("alpha", "1/4", cite("Betzler et al. 2014, eq. 1"));
const GAIN_BETA: Set = Set("beta", "1/8", cite("Betzler et al. 2014, eq. 2"));
const HIGH: Set = Set("vbf_high", "1.3", cite("Betzler et al. 2014, eq. 5"));
const KEY: Set = Set("vbf_key", "initial", cite("Betzler et al. 2014, eq. 5"));
const SMALL: Set = Set("aging", "small", cite("Betzler et al. 2014, eq. 6"));
const TIMES_16: Set = Set("aging_factor", "16", cite("Betzler et al. 2014, eq. 6; every draft says 2"));
const POWER: Set = Set("blind", "power", cite("Betzler et al. 2014, §II.B"));
const TIMER_60: Set = Set(
    "timer_max",
    "60",
    reading("Betzler et al. 2014, §II.B: \"the maximum RTO value\" is 60 s; taken for estimate and timer alike"),
);

pub(crate) const BETZLER_2014: Preset = Preset {
    id: "cocoa_2014",
    name: "CoCoA 2014",
    summary: "CoCoA as its authors first published it: equal weights, weak samples from any retransmission, times 16 ageing.",
    rank: Rank::AMinus,
    citation: "Betzler et al. 2014, eq. 1–6",
    default: true,
    warnings: &[
        "An idle small RTO is multiplied by 16 where every draft says 2 (Betzler et al. 2014, eq. 6).",
        "The gains 1/4 and 1/8 are those of RFC 6298 the other way round (Betzler et al. 2014, eq. 1–2).",
        "The first sample is not specified: R and R/2 as in RFC 6298 §2.2 (Betzler et al. 2014).",
    ],
    assumptions: &["The limit of 60 s cuts the first timeout as it does those of retransmissions."],
    set: &[
        GAIN_ALPHA,
        GAIN_BETA,
        Set(
            "order",
            "variance_first",
            reading("Betzler et al. 2014 print the RTT first; RFC 6298 §2.3 updates it last"),
        ),
        Set("weight_weak", "1/2", cite("Betzler et al. 2014, eq. 4")),
        Set("weak_max", "20", cite("Betzler et al. 2014, §II.B")),
        HIGH,
        KEY,
        SMALL,
        TIMES_16,
        POWER,
        TIMER_60,
    ],
    ..BORMANN_02
};

pub(crate) const BETZLER_2014_RTT_FIRST: Preset = Preset {
    id: "cocoa_2014_rttfirst",
    name: "CoCoA 2014, RTT first",
    summary: "CoCoA 2014 with its two means updated in the order in which the paper prints them.",
    default: false,
    set: &[
        GAIN_ALPHA,
        GAIN_BETA,
        Set("order", "rtt_first", cite("Betzler et al. 2014, eq. 1–2, order of printing")),
        Set("weight_weak", "1/2", cite("Betzler et al. 2014, eq. 4")),
        Set("weak_max", "20", cite("Betzler et al. 2014, §II.B")),
        HIGH,
        KEY,
        SMALL,
        TIMES_16,
        POWER,
        TIMER_60,
    ],
    ..BETZLER_2014
};

pub(crate) const BETZLER_2014_OPT: Preset = Preset {
    id: "cocoa_2014_opt",
    name: "CoCoA 2014, optimised",
    summary: "CoCoA 2014 with the paper's optimisations: ageing estimators, one retransmission at most, weak weight 1/4.",
    citation: "Betzler et al. 2014, eq. 1–8",
    default: false,
    warnings: &[
        "An idle small RTO is multiplied by 16 where every draft says 2 (Betzler et al. 2014, eq. 6).",
        "The history of N overall values that is averaged has no N: here 1 (Betzler et al. 2014, §II.C).",
    ],
    set: &[
        GAIN_ALPHA,
        GAIN_BETA,
        Set("weight_weak", "1/4", cite("Betzler et al. 2014, eq. 8")),
        Set(
            "weak_max",
            "1",
            reading("Betzler et al. 2014, §II.C: measurements \"after the first retransmission are ignored\""),
        ),
        HIGH,
        KEY,
        SMALL,
        TIMES_16,
        Set("estimator_aging", "halve", cite("Betzler et al. 2014, eq. 7")),
        POWER,
        TIMER_60,
    ],
    ..BETZLER_2014
};

const PLUS_ALPHA: Set =
    Set("alpha", "1/8", reading("Ancillotti & Bruno 2017 follow RFC 6298 without printing the gains"));
const PLUS_BETA: Set =
    Set("beta", "1/4", reading("Ancillotti & Bruno 2017 follow RFC 6298 without printing the gains"));
const PLUS_HIGH: Set = Set("vbf_high", "1.3", cite("Ancillotti & Bruno 2017, eq. 3"));
const PLUS_KEY: Set = Set("vbf_key", "initial", cite("Ancillotti & Bruno 2017, eq. 3"));

pub(crate) const PLUS: Preset = Preset {
    id: "cocoa_plus",
    name: "CoCoA+",
    summary: "CoCoA+ as Ancillotti & Bruno restate it: factor 1.3 for large timeouts, chosen when the exchange starts.",
    rank: Rank::AMinus,
    citation: "Ancillotti & Bruno 2017, eq. 1–3",
    warnings: &[
        "The second ageing rule is printed \"lower than 1 s\" like the first; the drafts have \"higher than 3 s\" (Ancillotti & Bruno 2017).",
        "The gains are not printed, and the measured curves may follow Betzler's Contiki code instead of the equations (Ancillotti & Bruno 2017).",
    ],
    set: &[PLUS_ALPHA, PLUS_BETA, PLUS_HIGH, PLUS_KEY],
    ..IETF_03
};

pub(crate) const PCOCOA: Preset = Preset {
    id: "pcocoa_reading",
    name: "pCoCoA, reading",
    summary: "CoCoA+ with copies that say their number: every answer is a sample of the strong estimator.",
    rank: Rank::C,
    reading: true,
    citation: "Bolettieri et al. 2018, abstract; Ancillotti & Bruno 2017, eq. 1–3",
    marks_attempts: true,
    default: false,
    warnings: &[
        "The fixed constants that pCoCoA adds, its option and its bound on the RTO are in no source that was read (Bolettieri et al. 2018, abstract).",
    ],
    assumptions: &[
        "CoCoA+ with the exact round trip of the answered copy in the strong estimator, whichever copy it was.",
        "An answer without a mark is a sample as in CoCoA+.",
        "None of the constants that pCoCoA adds.",
        FIRST_CUT,
    ],
    set: &[PLUS_ALPHA, PLUS_BETA, PLUS_HIGH, PLUS_KEY],
    ..PLUS
};

pub(crate) const PLUS_SWAPPED: Preset = Preset {
    id: "cocoa_plus_swapped",
    name: "CoCoA+, gains 1/4, 1/8",
    warnings: &[
        "No source has these gains for CoCoA+; Demir & Abut 2018 and Lee, Kim & Youn 2016 print them for CoCoA.",
    ],
    summary: "CoCoA+ with the gains that later papers print for CoCoA.",
    default: false,
    set: &[
        Set("alpha", "1/4", cite("Demir & Abut 2018, eq. 1; Lee, Kim & Youn 2016")),
        Set("beta", "1/8", cite("Demir & Abut 2018, eq. 1; Lee, Kim & Youn 2016")),
        PLUS_HIGH,
        PLUS_KEY,
    ],
    ..PLUS
};

pub(crate) const DEMIR_2018: Preset = Preset {
    id: "cocoa_demir2018",
    name: "CoCoA, Demir & Abut",
    summary: "CoCoA as Demir & Abut restate it: the drafts with gains 1/4 and 1/8.",
    citation: "Demir & Abut 2018, eq. 1–3",
    warnings: &[
        "The experiment ran Californium, probably its integer CoCoA (Demir & Abut 2018).",
        "The printed percentages are relative to CoCoA's value, not to default CoAP's (Demir & Abut 2018).",
    ],
    set: &[
        Set("alpha", "1/4", cite("Demir & Abut 2018, eq. 1")),
        Set("beta", "1/8", cite("Demir & Abut 2018, eq. 1")),
        Set("vbf_key", "initial", reading("Demir & Abut 2018 describe the factor in words; value of the drafts")),
    ],
    ..PLUS_SWAPPED
};

pub(crate) const LEE_2016: Preset = Preset {
    id: "cocoa_lee2016",
    name: "CoCoA, Lee et al.",
    summary: "CoCoA as Lee, Kim & Youn restate it: gains 1/4 and 1/8, factor by the overall RTO, no ageing.",
    citation: "Lee, Kim & Youn 2016, eq. 1–6",
    warnings: &[
        "Whether two retransmissions still give a weak sample is unclear: the text says both \"once\" and \"more than twice\" (Lee, Kim & Youn 2016).",
    ],
    set: &[
        Set("alpha", "1/4", cite("Lee, Kim & Youn 2016, eq. 1")),
        Set("beta", "1/8", cite("Lee, Kim & Youn 2016, eq. 2")),
        Set("vbf_key", "overall", cite("Lee, Kim & Youn 2016, eq. 6")),
        Set("aging", "none", reading("Lee, Kim & Youn 2016 do not describe ageing")),
    ],
    ..PLUS_SWAPPED
};
