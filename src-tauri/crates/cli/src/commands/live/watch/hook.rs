//! The program of `--exec`, which is run for each alert.
//!
//! The program gets the alert on its standard input, and nothing else: no argument and no variable comes from a
//! capture, and no shell reads any of it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Most instances of the program at once. Chosen here: enough that a slow mail server holds up no alert, few enough for
/// any machine.
const MOST: usize = 4;

/// Most alerts that wait for an instance; more are counted as failures. Chosen here: so many come only from a rule that
/// is set wrong.
const WAITING: usize = 1_000;

/// Longest run of an instance, after which it is killed. Chosen here: a mail server that is asked again has answered by
/// then.
const LONGEST: Duration = Duration::from_secs(300);

/// Longest wait for instances when the watch ends. Chosen here: Ctrl-C must end it soon.
const LAST: Duration = Duration::from_secs(5);

/// The program with its running instances, its queue of alerts, and its failures.
#[derive(Debug)]
pub struct Hook {
    program: OsString,
    /// Running instances, each with the time at which it is killed.
    running: Vec<(Child, Instant)>,
    /// Alerts that wait for an instance, each one line of JSON, oldest first.
    waiting: VecDeque<String>,
    /// Number of alerts for which the program could not be started.
    not_started: u64,
    /// Number of alerts for which it ended with another status than 0, or was killed.
    not_well: u64,
    /// Number of alerts for which it was not run, because too many waited or the watch ended.
    too_many: u64,
    /// Error of the last start that failed.
    why: Option<String>,
}

impl Hook {
    /// Returns a hook that runs nothing yet; `program` is a path or a name in `PATH`.
    pub fn new(program: OsString) -> Self {
        Self {
            program,
            running: Vec::new(),
            waiting: VecDeque::new(),
            not_started: 0,
            not_well: 0,
            too_many: 0,
            why: None,
        }
    }

    /// Queues an alert, one line of JSON, and starts an instance where one is free.
    pub fn tell(&mut self, alert: String) {
        if self.waiting.len() >= WAITING {
            self.too_many += 1;
            return;
        }
        self.waiting.push_back(alert);
        self.look();
    }

    /// Collects instances that have ended, kills those beyond their time, and starts instances for alerts that wait.
    /// Never blocks on them.
    #[expect(
        clippy::disallowed_methods,
        reason = "programs have so long by the clock, however often they are looked after"
    )]
    pub fn look(&mut self) {
        let Self { running, not_well, .. } = self;
        let now = Instant::now();
        running.retain_mut(|(child, end)| match child.try_wait() {
            Ok(Some(status)) => {
                *not_well += u64::from(!status.success());
                false
            }
            Ok(None) if now < *end => true,
            _ => {
                // This is our own child, and has had its time.
                let _ = child.kill();
                let _ = child.wait();
                *not_well += 1;
                false
            }
        });
        while self.running.len() < MOST
            && let Some(alert) = self.waiting.pop_front()
        {
            match Command::new(&self.program).stdin(Stdio::piped()).stdout(Stdio::null()).spawn() {
                Ok(mut child) => {
                    if let Some(mut input) = child.stdin.take() {
                        // One that does not read it is not asked to; a line is shorter than any pipe.
                        let _ = writeln!(input, "{alert}");
                    }
                    self.running.push((child, now + LONGEST));
                }
                Err(error) => {
                    self.not_started += 1;
                    self.why = Some(error.to_string());
                }
            }
        }
    }

    /// Waits up to five seconds until all alerts are handled, looking every `pause`; counts those that still wait as
    /// failures.
    #[expect(clippy::disallowed_methods, reason = "the wait is that of a person")]
    pub fn end(&mut self, pause: Duration) {
        let end = Instant::now() + LAST;
        while Instant::now() < end {
            self.look();
            if self.running.is_empty() && self.waiting.is_empty() {
                return;
            }
            thread::sleep(pause);
        }
        self.too_many += self.waiting.len() as u64;
    }

    /// Returns the number of alerts that the program did not get, or failed with.
    pub const fn failed(&self) -> u64 {
        self.not_started + self.not_well + self.too_many
    }

    /// Returns a sentence for each reason of failures that occurred, with its count.
    pub fn failures(&self) -> Vec<String> {
        let program = self.program.to_string_lossy();
        let why = self.why.as_deref().unwrap_or_default();
        let all = [
            (self.not_started, format!("could not be started: {why}")),
            (self.not_well, "failed, or took longer than five minutes".to_owned()),
            (self.too_many, "was not run: too many alerts waited".to_owned()),
        ];
        let lines = all.into_iter().filter(|(n, _)| *n > 0);
        lines.map(|(n, what)| format!("{program} {what} ({n} alerts)")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_its_time_however_often_it_is_looked_after() {
        // `yes` runs until it is ended.
        let mut hook = Hook::new("yes".into());
        hook.tell("{}".to_owned());
        for _ in 0..2_000 {
            hook.look();
        }
        assert_eq!((hook.running.len(), hook.failed()), (1, 0));
        for (_, end) in &mut hook.running {
            *end -= LONGEST;
        }
        hook.look();
        assert_eq!((hook.running.len(), hook.failed()), (0, 1));
    }
}
