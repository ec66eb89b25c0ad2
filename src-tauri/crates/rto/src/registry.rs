//! The registry: one line per algorithm, in display order.

pub(crate) mod algorithm_set;
pub(crate) mod unimplemented;
pub mod user;

#[cfg(test)]
use crate::algorithms::fixed;
use crate::algorithms::libraries::californium::{cf2, cf3};
use crate::algorithms::libraries::{erbium, libcoap};
use crate::algorithms::proposals::{accb, basic, fasor, gamma, lee2016};
use crate::algorithms::tcp::{eifel, eifel_ticks, linux, linux_kernel, peak_hopper, rfc6298};
use crate::algorithms::{coap, cocoa::presets as cocoa, cocoa_pp, ecoap, paced};
use crate::spec::Preset;
use crate::{AlgorithmSpec, Estimator, Pacer, ParamError};
use serde_json::{Map, Value};
use std::sync::LazyLock;

static PRESETS: &[Preset] = &[
    coap::DEFAULT,
    coap::B,
    rfc6298::COAP,
    linux::EXACT,
    eifel::COAP,
    basic::BASIC,
    cocoa::BETZLER_2014,
    cocoa::PLUS,
    cocoa::IETF_03,
    cocoa::STRONG,
    cocoa_pp::PP_CODE,
    lee2016::RC,
    fasor::FASOR,
    accb::ACCB,
    coap::CONTIKI,
    coap::CONTIKI_NG,
    coap::CONTIKI_S0,
    rfc6298::PLAIN,
    linux_kernel::KERNEL,
    eifel::TIMER,
    eifel_ticks::TICKS,
    peak_hopper::READING,
    cocoa::BORMANN_01,
    cocoa::BETZLER_2014_RTT_FIRST,
    cocoa::BETZLER_2014_OPT,
    cocoa::BORMANN_02,
    cocoa::IETF_03_LITERAL,
    cocoa::PLUS_SWAPPED,
    cocoa::DEMIR_2018,
    cocoa::LEE_2016,
    cocoa::E_EIFEL,
    cocoa::PCOCOA,
    cocoa_pp::PP_READING,
    lee2016::L5S,
    lee2016::RTT_ESTIMATE,
    lee2016::LOWER_BOUND,
    coap::CALIFORNIUM,
    libcoap::DEFAULT,
    cf3::BASIC,
    cf3::LINUX,
    cf3::PEAK_HOPPER,
    cf3::COCOA,
    cf3::COCOA_STRONG,
    cf2::BASIC,
    cf2::LINUX,
    cf2::PEAK_HOPPER,
    cf2::COCOA,
    cf2::COCOA_FIXED,
    cf2::COCOA_STRONG,
    erbium::CONTIKI_2015,
    ecoap::cocoa::COCOA_2018,
    ecoap::SIMPLE,
    ecoap::RPL,
    fasor::NO_DITHER,
    fasor::PSEUDOCODE,
    fasor::RC,
    accb::ABSOLUTE,
    accb::ADCOCOA,
    gamma::BALANDINA,
    paced::COAP_R,
    paced::BDP_COAP,
    paced::RCOAP,
    // The guide's example, in the unit tests.
    #[cfg(test)]
    fixed::FIXED,
];

static SPECS: LazyLock<Vec<AlgorithmSpec>> = LazyLock::new(|| {
    let spec = |preset: &Preset| {
        preset.spec(&Map::new()).unwrap_or_else(|error| unreachable!("preset {}: {error}", preset.id))
    };
    PRESETS.iter().map(spec).collect()
});

/// Returns every built-in algorithm, in display order.
#[must_use]
pub fn algorithms() -> &'static [AlgorithmSpec] {
    &SPECS
}

/// Returns a copy of [`algorithms`].
#[must_use]
pub fn specs() -> Vec<AlgorithmSpec> {
    SPECS.clone()
}

/// Returns the built-in algorithm called `id`.
#[must_use]
pub fn spec(id: &str) -> Option<&'static AlgorithmSpec> {
    SPECS.iter().find(|spec| spec.id == id)
}

/// Returns the name for people of the family called `family` by programs.
#[must_use]
pub fn family_name(family: &str) -> Option<&'static str> {
    SPECS.iter().find(|spec| spec.family == family).map(|spec| spec.family_name)
}

/// Builds a fresh estimator of algorithm `id` for one destination.
///
/// `params` is `null` or an object of overrides in natural units: times in seconds, ratios as
/// numbers or as `"1/8"`, choices by name.
///
/// # Errors
/// An unknown `id` or parameter, a value of the wrong type, or one outside its range: by name, with
/// what would be legal.
pub fn build(id: &str, params: &Value) -> Result<Box<dyn Estimator>, ParamError> {
    match params {
        Value::Null => preset(id)?.build(&Map::new()),
        Value::Object(overrides) => preset(id)?.build(overrides),
        other => Err(ParamError::Syntax { text: other.to_string() }),
    }
}

/// Builds a fresh pacer of algorithm `id` for one destination; `None` when it holds nothing back. `params` as in
/// [`build`]: an algorithm with both an estimator and a pacer has the parameters of both.
///
/// # Errors
/// The same as [`build`].
pub fn build_pacer(id: &str, params: &Value) -> Result<Option<Box<dyn Pacer>>, ParamError> {
    match params {
        Value::Null => preset(id)?.build_pacer(&Map::new()),
        Value::Object(overrides) => preset(id)?.build_pacer(overrides),
        other => Err(ParamError::Syntax { text: other.to_string() }),
    }
}

/// Returns the preset called `id`; errs with [`ParamError::Algorithm`] where there is none.
pub(crate) fn preset(id: &str) -> Result<&'static Preset, ParamError> {
    PRESETS.iter().find(|preset| preset.id == id).ok_or_else(|| ParamError::Algorithm { id: id.to_owned() })
}
