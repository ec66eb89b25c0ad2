//! Proposals that the readable sources do not suffice to implement: the known and the missing parts of each, and
//! the presets that read it, if any. They have no numbers of their own.

use serde::Serialize;

/// Proposal without a faithful implementation: its known and its missing parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UnimplementedProposal {
    /// The name its authors gave it.
    pub name: &'static str,
    /// Year of publication; `None` where the sources do not say.
    pub year: Option<u16>,
    /// Publication, and the sources of the known parts.
    pub citation: &'static str,
    /// Kind of proposal, in one word: `CoCoA`, `TCP`, `rate`, `adaptive` or `learning`.
    pub family: &'static str,
    /// Parts of the proposal that the sources give.
    pub known: &'static str,
    /// Parts that an implementation needs and no source gives.
    pub missing: &'static str,
    /// Identifiers of the presets that read it, each with its assumptions ([`crate::AlgorithmSpec::assumptions`]).
    pub readings: &'static [&'static str],
    /// Identifier of the preset that comes closest without being it; `None` where none is close.
    pub nearest: Option<&'static str>,
}

/// Returns every proposal without a faithful implementation, in order of publication where the year is known.
#[must_use]
pub fn unimplemented_proposals() -> &'static [UnimplementedProposal] {
    PROPOSALS
}

static PROPOSALS: &[UnimplementedProposal] = &[
    UnimplementedProposal {
        name: "CoCoA-E",
        year: Some(2013),
        citation: "Balandina et al. 2013, abstract; Lee, Kim & Youn 2016; Deshmukh & Raisinghani 2022 §II",
        family: "CoCoA",
        known: "Three statements: the gain of the EWMA is the ratio of sample and RTO (abstract); the weak estimator weighs round trips differently (Lee, Kim & Youn 2016); it uses the Eifel retransmission timer (Deshmukh & Raisinghani 2022).",
        missing: "Which of the three is right; they cannot all be. Neither reading may be called CoCoA-E.",
        readings: &["cocoa_e_eifel_reading", "balandina_gamma_reading"],
        nearest: None,
    },
    UnimplementedProposal {
        name: "CoCoA 4-state-strong",
        year: Some(2016),
        citation: "Bhalerao, Subramanian & Pasquale 2016, abstract; Deshmukh & Raisinghani 2022 §II",
        family: "CoCoA",
        known: "Only the strong estimator; a variable back-off of four states tells link loss from congestion. Better than CoCoA, with a high loss rate.",
        missing: "The states, their transitions and the factors.",
        readings: &[],
        nearest: Some("cocoa_strong"),
    },
    UnimplementedProposal {
        name: "pCoCoA",
        year: Some(2018),
        citation: "Bolettieri et al. 2018, abstract; Deshmukh & Raisinghani 2022 §II",
        family: "CoCoA",
        known: "CoCoA+ with precise round trip times from a time stamp and added fixed constants, against spurious retransmissions.",
        missing: "The option's format, the constants and the bound on the RTO.",
        readings: &["pcocoa_reading"],
        nearest: Some("lee2016"),
    },
    UnimplementedProposal {
        name: "RTT-CoAP",
        year: Some(2018),
        citation: "RTT-CoAP 2018, abstract; Deshmukh & Raisinghani 2022 §II",
        family: "rate",
        known: "Detects congestion by growth of the round trip variance together with thresholds on losses, and adapts a sending rate.",
        missing: "The thresholds, the rate rule and the timer.",
        readings: &[],
        nearest: None,
    },
    UnimplementedProposal {
        name: "CoAP-R",
        year: Some(2018),
        citation: "Ancillotti, Bruno, Vallati & Mingozzi 2018; Deshmukh & Raisinghani 2022 §II; ECOAP project, coapr",
        family: "rate",
        known: "The timer is default CoAP's; only the sending rate is controlled, by a local capacity estimate and max-min fairness down the RPL tree.",
        missing: "In a CoAP capture: the MAC service times and the RPL tree.",
        readings: &[],
        nearest: Some("coap_r"),
    },
    UnimplementedProposal {
        name: "BDP-CoAP",
        year: Some(2019),
        citation: "BDP-CoAP 2019, abstract; Deshmukh & Raisinghani 2022 §II",
        family: "rate",
        known: "Like BBR: paces at the estimated bottleneck bandwidth, keeps outstanding data below bandwidth times delay, copes with short-term unfairness.",
        missing: "The gain cycle, the filter lengths and the timer.",
        readings: &["bdp_coap_reading"],
        nearest: None,
    },
    UnimplementedProposal {
        name: "CACC",
        year: Some(2019),
        citation: "CACC 2019, abstract and summary; Deshmukh & Raisinghani 2022 §II",
        family: "CoCoA",
        known: "Three estimators (strong, weak, failed), round trip times by retransmission count, a lower bound and ageing; tells causes of loss apart.",
        missing: "The weights, the bound, the formulas and the limits.",
        readings: &[],
        nearest: Some("lee2016"),
    },
    UnimplementedProposal {
        name: "Improved adaptive CoAP",
        year: Some(2019),
        citation: "Ouakasse & Rakrak 2019, abstract; Deshmukh & Raisinghani 2022 §II",
        family: "adaptive",
        known: "The RTO follows the loss ratio and the round trip time of the previous transmission.",
        missing: "The formula.",
        readings: &[],
        nearest: Some("accb"),
    },
    UnimplementedProposal {
        name: "CCCLA",
        year: Some(2019),
        citation: "CCCLA 2019, through Deshmukh & Raisinghani 2022 §II",
        family: "learning",
        known: "Learning automata tune a group of parameters; compared with default CoAP, CoCoA and TCP-Siam.",
        missing: "The automata, their actions and the rewards.",
        readings: &[],
        nearest: None,
    },
    UnimplementedProposal {
        name: "TCP-Siam",
        year: None,
        citation: "Named by Deshmukh & Raisinghani 2022 §II",
        family: "TCP",
        known: "CCCLA is compared with it.",
        missing: "Everything; no open source was found.",
        readings: &[],
        nearest: None,
    },
    UnimplementedProposal {
        name: "AdCoCoA",
        year: Some(2020),
        citation: "AdCoCoA 2020, through Deshmukh & Raisinghani 2022 §II–III",
        family: "adaptive",
        known: "The ancestor of ACCB; keeps CoCoA's variable back-off. Its factors follow the RTT variance (§III), or link quality, link delay and RTT deviation (§II).",
        missing: "Which inputs are right, and the equations.",
        readings: &["adcocoa_reading"],
        nearest: Some("accb"),
    },
    UnimplementedProposal {
        name: "DCC-CoAP",
        year: Some(2020),
        citation: "DCC-CoAP 2020, abstract; Deshmukh & Raisinghani 2022 §II",
        family: "adaptive",
        known: "The RTO varies with the distance between nodes; packets carry a retransmission count and a time stamp.",
        missing: "The measure of distance and the formula.",
        readings: &[],
        nearest: Some("lee2016"),
    },
    UnimplementedProposal {
        name: "RCoAP",
        year: Some(2021),
        citation: "RCoAP 2021, through Deshmukh & Raisinghani 2022 §II",
        family: "rate",
        known: "Rate control with the states initial, normal, loss detection and back-off.",
        missing: "The transitions and the rates.",
        readings: &["rcoap_reading"],
        nearest: None,
    },
    UnimplementedProposal {
        name: "psoCoCoA",
        year: Some(2022),
        citation: "Akpakwu et al. 2022, through Deshmukh & Raisinghani 2022 §II",
        family: "learning",
        known: "A particle swarm tunes CoCoA's default parameters offline.",
        missing: "The fitness, the bounds and the number of iterations. No preset stands in for them: tuned values belong to the network that they \
            were tuned on, and values from a capture of ours would be ours under their name. The search prints those of yours, the same every time: \
            rtoscope optimise CAPTURE --algorithm cocoa_ietf_03 --over alpha,beta,k_strong,k_weak,weight_strong,weight_weak --method swarm \
            --seed 1 --format toml.",
        readings: &[],
        nearest: Some("cocoa_ietf_03"),
    },
    UnimplementedProposal {
        name: "mlCoCoA",
        year: None,
        citation: "Demir & Abut, mlCoCoA, abstract; Deshmukh & Raisinghani 2022 §II",
        family: "learning",
        known: "A support vector machine chooses CoCoA's parameters from node count, packet size and delivery ratio.",
        missing: "The training data, the model and the ranges. No preset stands in for them: the published step is the map from a network to \
            parameters, which takes captures of many networks, and one set of values would be none of it. For one network the search prints \
            parameters, the same every time: rtoscope optimise CAPTURE --algorithm cocoa_ietf_03 --over \
            alpha,beta,k_strong,k_weak,weight_strong,weight_weak --seed 1 --format toml.",
        readings: &[],
        nearest: Some("cocoa_ietf_03"),
    },
];
