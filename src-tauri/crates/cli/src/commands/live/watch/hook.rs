//! A program that is run for each alert.
//!
//! It gets the alert on its standard input, and nothing else: no argument and no variable comes from a capture, and no shell reads
//! any of it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Programs that run at once. Chosen here: enough that a slow mail server holds up no alert, few enough for any machine.
const MOST: usize = 4;

/// Alerts that wait for one of them. Chosen here: more are a rule that is set wrong.
const WAITING: usize = 1_000;

/// Longest run of a program; then it is ended. Chosen here: a mail server that is asked again has answered by then.
const LONGEST: Duration = Duration::from_secs(300);

/// Wait at the end for programs that run. Chosen here: Ctrl-C is to end soon.
const LAST: Duration = Duration::from_secs(5);

/// Runs the program.
#[derive(Debug)]
pub struct Hook {
    program: OsString,
    /// With the time at which each is ended.
    running: Vec<(Child, Instant)>,
    waiting: VecDeque<String>,
    /// Alerts that it was not told, by reason.
    not_started: u64,
    not_well: u64,
    too_many: u64,
    why: Option<String>,
}

impl Hook {
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

    /// Tells it of an alert, as a line of JSON.
    pub fn tell(&mut self, alert: String) {
        if self.waiting.len() >= WAITING {
            self.too_many += 1;
            return;
        }
        self.waiting.push_back(alert);
        self.look();
    }

    /// Looks after programs that run, and starts those that wait.
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
                // It is our own child, and has had its time.
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

    /// Waits a while for those that run and wait.
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

    /// Number of alerts of which it was not told, or with which it failed.
    pub const fn failed(&self) -> u64 {
        self.not_started + self.not_well + self.too_many
    }

    /// The same in words, a line for each reason.
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
        // It runs until it is ended.
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
