//! Groups of registry families that implement one algorithm, and presets that are only a part of one.

/// Algorithm group of a registry family: the name under which people know the algorithm; the family itself where it is
/// a group of its own.
///
/// The registry's families are finer: Californium's CoCoA and the draft's are separate code.
#[must_use]
pub(super) fn algorithm_group(family: &'static str) -> &'static str {
    match family {
        // Default CoAP's timer, alone or under a rate controller: timeouts cannot distinguish them.
        "coap" | "libcoap" | "coap_r" | "bdp_coap" | "rcoap" => "coap",
        "cocoa" | "erbium_cocoa" | "ecoap_cocoa" | "californium2_cocoa" | "californium3_cocoa" => "cocoa",
        "linux" | "linux_kernel" | "californium2_linux" | "californium3_linux" => "linux",
        "basic" | "californium2_basic" | "californium3_basic" => "basic",
        "peak_hopper" | "californium2_peak_hopper" | "californium3_peak_hopper" => "peak_hopper",
        "eifel" | "eifel_ticks" => "eifel",
        other => other,
    }
}

/// Whether preset `id` is an ablation: a part of an algorithm that its paper ran alone, to measure what the part is
/// worth.
#[must_use]
pub(super) fn is_ablation(id: &str) -> bool {
    // Lee, Kim & Youn 2016, fig. 14.
    matches!(id, "lee2016_rttestimate" | "lee2016_lowerbound")
}

#[cfg(test)]
mod tests {
    use super::is_ablation;

    #[test]
    fn both_ablations_are_presets_of_the_registry() {
        assert_eq!(rto::algorithms().iter().filter(|spec| is_ablation(spec.id)).count(), 2);
    }
}
