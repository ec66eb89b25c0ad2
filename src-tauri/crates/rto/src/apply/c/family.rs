//! Families that are written as C, and the reasons of the others.

use crate::{AlgorithmSpec, Ratio};

/// A file of `rto/c`, with the condition under which a program contains it.
pub(super) struct Piece {
    /// Text: structures, a line `// ---`, and procedures.
    pub text: &'static str,
    /// Choice under which it is needed: name of the parameter and its value; `None` is always.
    pub only: Option<(&'static str, &'static str)>,
}

/// Files and numbers of which a program of one family is made.
pub(super) struct Pieces {
    /// Files, in the order of the program.
    pub files: &'static [Piece],
    /// Numbers that the procedures need and the family does not declare: name and value.
    pub given: &'static [(&'static str, Ratio)],
}

const fn always(text: &'static str) -> Piece {
    Piece { text, only: None }
}

const SMOOTHED: &str = include_str!("../../../c/smoothed.c");
const PREDICTOR: &str = include_str!("../../../c/predictor.c");
const TCP: &str = include_str!("../../../c/tcp.c");

const COAP: Pieces = Pieces { files: &[always(include_str!("../../../c/coap.c"))], given: &[] };
const BASIC: Pieces = Pieces { files: &[always(include_str!("../../../c/basic.c"))], given: &[] };
const RFC6298: Pieces =
    Pieces { files: &[always(SMOOTHED), always(include_str!("../../../c/rfc6298.c")), always(TCP)], given: &[] };
const EIFEL: Pieces =
    Pieces { files: &[always(PREDICTOR), always(include_str!("../../../c/eifel.c")), always(TCP)], given: &[] };
const LINUX: Pieces = Pieces {
    files: &[always(include_str!("../../../c/linux.c")), always(TCP)],
    given: &[("random_factor", Ratio::ONE)],
};
const COCOA: Pieces = Pieces {
    files: &[
        Piece { text: SMOOTHED, only: Some(("predictor", "rfc6298")) },
        Piece { text: PREDICTOR, only: Some(("predictor", "eifel")) },
        always(include_str!("../../../c/cocoa.c")),
    ],
    given: &[],
};

/// Returns the files of an algorithm's family.
///
/// # Errors
///
/// The reason why none are written as C, without full stop.
pub(super) fn pieces(spec: &AlgorithmSpec) -> Result<Pieces, &'static str> {
    if spec.paced {
        return Err("it holds first transmissions back, for which CoAP stacks have no place");
    }
    if spec.marks_attempts {
        return Err(
            "its packets name the copy that they answer, which takes an option or timestamp that CoAP stacks do not send",
        );
    }
    match spec.family {
        "coap" => Ok(COAP),
        "basic" => Ok(BASIC),
        "rfc6298" => Ok(RFC6298),
        "eifel" => Ok(EIFEL),
        "linux" => Ok(LINUX),
        "cocoa" => Ok(COCOA),
        family => Err(reason(family)),
    }
}

fn reason(family: &str) -> &'static str {
    match family {
        "accb" | "gamma" | "peak_hopper" => {
            "it multiplies by quotients of measured times, which takes more than 64 bits to be exact"
        }
        "cocoa_pp" => "its back-off needs an exponential, which the reference computes in floating point",
        "ecoap_simple" | "ecoap_cocoa" | "erbium_cocoa" => {
            "the program that it is read from computes in floating point"
        }
        "ecoap_rpl" => "it reads the topology, which only the border router has",
        "eifel_ticks" => "it is a port's own arithmetic in ticks of 1/128 s; coap_eifel is the algorithm",
        "fasor" => "its back-off is one of three series, for which no C is written here",
        "lee2016" => "its estimators are made for packets that name the copy that they answer",
        "libcoap" => "it is libcoap's own drawing of default CoAP; coap_default is the algorithm",
        "linux_kernel" => "it is the kernel's own arithmetic; linux_rto is the algorithm",
        _ if family.starts_with("californium") => "it is Californium's own arithmetic, Java's floating point among it",
        _ => "no C is written here for its family",
    }
}

#[cfg(test)]
mod tests {
    use super::{pieces, reason};
    use std::collections::BTreeSet;

    #[test]
    fn every_family_is_written_or_has_a_reason_of_its_own() {
        let missing: BTreeSet<&str> = crate::algorithms()
            .iter()
            .filter(|spec| pieces(spec).is_err_and(|why| why == reason("")))
            .map(|spec| spec.family)
            .filter(|family| *family != "fixed")
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
