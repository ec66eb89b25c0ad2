//! What the command line says of a capture that it cannot tell, or tells wrongly.

use crate::args::CaptureArgs;
use crate::clients::Clients;
use api::{Assumed, Assumptions, Trace, Vantage, Workload};
use clap::ValueEnum;
use std::str::FromStr;

/// `[CLIENT=]VALUE`: of one client, or of all.
#[derive(Clone, Debug)]
pub struct Said<T> {
    /// By name, address or number; `None`: all.
    client: Option<String>,
    value: T,
}

impl<T: ValueEnum> FromStr for Said<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // An IPv6 address may have any colon, but no equals sign.
        let (client, value) = match text.split_once('=') {
            Some((client, value)) => (Some(client.to_owned()), value),
            None => (None, text),
        };
        let values = || {
            let names = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            names.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
        };
        let value = T::from_str(value, false).map_err(|_| format!("`{value}` is none of {}", values()))?;
        Ok(Self { client, value })
    }
}

/// See [`api::Vantage`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum VantageArg {
    /// At the client.
    Client,
    /// At the server.
    Server,
    /// Somewhere between.
    Between,
    /// Every hop.
    Everywhere,
}

impl From<VantageArg> for Vantage {
    fn from(arg: VantageArg) -> Self {
        match arg {
            VantageArg::Client => Self::Client,
            VantageArg::Server => Self::Server,
            VantageArg::Between => Self::Between,
            VantageArg::Everywhere => Self::Everywhere,
        }
    }
}

/// See [`api::Workload`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PaceArg {
    /// By a clock or by events.
    Arrivals,
    /// One after the other.
    ThinkTime,
}

impl From<PaceArg> for Workload {
    fn from(arg: PaceArg) -> Self {
        match arg {
            PaceArg::Arrivals => Self::Arrivals,
            PaceArg::ThinkTime => Self::ThinkTime,
        }
    }
}

/// Judges `trace` by what `args` say of it, if they say anything.
pub fn assume(trace: &mut Trace, args: &CaptureArgs) -> anyhow::Result<()> {
    if args.vantages.is_empty() && args.paces.is_empty() {
        return Ok(());
    }
    let mut assumptions = Assumptions::default();
    for Said { client, value } in &args.vantages {
        say(trace, &mut assumptions, client.as_deref(), |said| said.vantage = Some((*value).into()))?;
    }
    for Said { client, value } in &args.paces {
        say(trace, &mut assumptions, client.as_deref(), |said| said.workload = Some((*value).into()))?;
    }
    trace.assume(&assumptions, &mut api::Silent)?;
    Ok(())
}

/// Says something of one client, or of all.
fn say(
    trace: &Trace,
    assumptions: &mut Assumptions,
    client: Option<&str>,
    set: impl Fn(&mut Assumed),
) -> anyhow::Result<()> {
    let Some(client) = client else {
        set(&mut assumptions.all);
        return Ok(());
    };
    let found = Clients::from(trace).find(client)?;
    for association in trace.associations.iter().filter(|association| found.contains(&association.id)) {
        let ends = (association.client, association.server);
        match assumptions.each.iter_mut().find(|each| each.0 == ends) {
            Some((_, said)) => set(said),
            None => {
                let mut said = Assumed::default();
                set(&mut said);
                assumptions.each.push((ends, said));
            }
        }
    }
    Ok(())
}
