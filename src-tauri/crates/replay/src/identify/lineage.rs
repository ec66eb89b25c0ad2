//! Which families of the registry are one algorithm in several hands, and which presets are only a part of one.

/// A family as people speak of it: an algorithm, whoever wrote it down or coded it. The registry's families are finer:
/// Californium's CoCoA and the draft's run on different code.
#[must_use]
pub(crate) fn lineage(family: &'static str) -> &'static str {
    match family {
        // Rate controllers whose timer is default CoAP's: their timeouts cannot tell them apart.
        "coap" | "libcoap" | "coap_r" | "bdp_coap" | "rcoap" => "coap",
        "cocoa" | "erbium_cocoa" | "ecoap_cocoa" | "californium2_cocoa" | "californium3_cocoa" => "cocoa",
        "linux" | "linux_kernel" | "californium2_linux" | "californium3_linux" => "linux",
        "basic" | "californium2_basic" | "californium3_basic" => "basic",
        "peak_hopper" | "californium2_peak_hopper" | "californium3_peak_hopper" => "peak_hopper",
        "eifel" | "eifel_ticks" => "eifel",
        other => other,
    }
}

/// Whether a preset is a part of an algorithm that its paper ran by itself, to see what that part is worth.
#[must_use]
pub(crate) fn is_ablation(id: &str) -> bool {
    // Lee, Kim & Youn 2016, fig. 14.
    matches!(id, "lee2016_rttestimate" | "lee2016_lowerbound")
}

#[cfg(test)]
mod tests {
    use super::is_ablation;

    #[test]
    fn parts_of_algorithms_are_presets() {
        assert_eq!(rto::algorithms().iter().filter(|spec| is_ablation(spec.id)).count(), 2);
    }
}
