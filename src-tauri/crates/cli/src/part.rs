//! Options for the part of a trace that is replayed: clients that change their timer, and the time from which on they
//! do.

use crate::args::Misuse;
use crate::clients::{Clients, unknown};
use api::view::{CaptureView, PartView, StartView};
use api::{AssociationId, Instant, Span};
use std::str::FromStr;

/// Clients and part of the trace that are replayed. Where a command takes several captures, N is the number of one,
/// from 1: of `figure` in the order given, of `optimise` 1 is searched and 2 is held out.
#[derive(clap::Args, Debug)]
pub struct PartArgs {
    /// Clients that stay as they were recorded: names, addresses or numbers, separated by commas. Of several captures:
    /// in all that have such a client, or with N in one, such as "2:mote 1".
    #[arg(long, value_name = "[N:]CLIENT,...", value_delimiter = ',')]
    pub as_recorded: Vec<String>,
    /// Replay what began at this time or later, in seconds as `exchanges` prints them, or with a unit, such as 10min.
    /// Timers have learned from the recorded exchanges that were over before it. Of several captures: all, or with N
    /// one (repeatable).
    #[arg(long, value_name = "[N:]TIME")]
    pub from: Vec<Moment>,
    /// With --from: timers have learned nothing yet; of several captures in all, or as --cold=N,... in these.
    #[arg(long, value_name = "N,...", requires = "from", num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub cold: Option<Vec<usize>>,
}

/// `[N:]TIME`: a time of the trace, in capture N (from 1) or in all.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    capture: Option<usize>,
    at: Span,
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (capture, text) = numbered(text).map_or((None, text), |(capture, rest)| (Some(capture), rest));
        Ok(Self { capture, at: api::read_span(text)? })
    }
}

impl PartArgs {
    /// Returns the replayed part of the only capture of a command. Fails where no client has a given name, and for a
    /// number of a capture other than 1.
    pub fn of_one(&self, capture: &CaptureView) -> Result<PartView, Misuse> {
        Ok(self.of(&[capture])?.into_iter().next().unwrap_or_default())
    }

    /// Returns the replayed part of each of `captures`, in their order. A value for one capture overrides that for all.
    /// Fails where no capture has a named client, for a number beyond the captures, for `--cold` of a capture without
    /// `--from`, and where no capture has anything left.
    pub fn of(&self, captures: &[&CaptureView]) -> Result<Vec<PartView>, Misuse> {
        let mut parts = vec![PartView::default(); captures.len()];
        for text in &self.as_recorded {
            for (part, stays) in parts.iter_mut().zip(clients(text, captures)?) {
                part.as_recorded.extend(stays);
            }
        }
        for part in &mut parts {
            part.as_recorded.sort_unstable();
            part.as_recorded.dedup();
        }
        // A value for one capture overrides that for all.
        for moment in self.from.iter().filter(|moment| moment.capture.is_none()) {
            parts.iter_mut().for_each(|part| part.start = Some(moment.start()));
        }
        for moment in &self.from {
            if let Some(number) = moment.capture {
                of_number(&mut parts, number)?.start = Some(moment.start());
            }
        }
        let starts = |part: &mut PartView| part.start.as_mut().map(|start| start.warm = false);
        match self.cold.as_deref() {
            None => {}
            Some([]) => parts.iter_mut().for_each(|part| _ = starts(part)),
            Some(numbers) => {
                for &number in numbers {
                    let wrong = || Misuse(format!("--cold={number} needs --from {number}:TIME"));
                    starts(of_number(&mut parts, number)?).ok_or_else(wrong)?;
                }
            }
        }
        let mut refusals = captures.iter().zip(&parts).map(|(capture, part)| check_start(capture, part));
        match refusals.next() {
            // One of several is left out with its reason.
            Some(Err(first)) if refusals.all(|start| start.is_err()) => Err(first),
            _ => Ok(parts),
        }
    }
}

/// Fails where `part` begins beyond the end of `capture`.
pub fn check_start(capture: &CaptureView, part: &PartView) -> Result<(), Misuse> {
    let seconds = |at: Instant| format!("{:.3} s", at.nanos() as f64 / 1e9);
    match part.start {
        Some(start) if start.at > capture.end => Err(Misuse(format!(
            "--from {} is beyond the end of the capture, {}: there is nothing to replay",
            seconds(start.at),
            seconds(capture.end)
        ))),
        _ => Ok(()),
    }
}

impl Moment {
    fn start(self) -> StartView {
        StartView { at: Instant::ZERO + self.at, warm: true }
    }
}

/// Splits `N:REST` into the number of a capture and the rest; `None` where no number stands before a colon.
pub fn numbered(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.split_once(':')?;
    Some((number.parse().ok()?, rest))
}

/// Returns element `number` of `all`, counted from 1. Errs with a [`Misuse`] where there is none.
pub fn of_number<T>(all: &mut [T], number: usize) -> Result<&mut T, Misuse> {
    let many = all.len();
    let one = number.checked_sub(1).and_then(|at| all.get_mut(at));
    one.ok_or_else(|| Misuse(format!("there is no capture {number}; their numbers are 1 to {many}")))
}

/// Returns, for each of `captures`, all associations of the client called `text`; of `N:TEXT`, in capture N only. Fails
/// where no capture has it.
fn clients(text: &str, captures: &[&CaptureView]) -> Result<Vec<Vec<AssociationId>>, Misuse> {
    // The text as it stands goes first: an address may begin like a number.
    let all: Vec<Clients> = captures.iter().map(|&capture| Clients::from(capture)).collect();
    let found: Vec<_> = all.iter().map(|clients| clients.called(text)).collect();
    if found.iter().any(|found| !found.is_empty()) {
        return Ok(found);
    }
    let Some((number, name)) = numbered(text) else { return Err(unknown(text, &all)) };
    let mut found = vec![Vec::new(); captures.len()];
    let place = of_number(&mut found, number)?;
    if let Some(clients) = all.get(number - 1) {
        *place = clients.find(name)?;
    }
    Ok(found)
}
