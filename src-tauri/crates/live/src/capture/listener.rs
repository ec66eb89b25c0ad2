//! The thread that listens to one device.

use super::Shared;
use crate::clock;
use crate::decode::{Event, Tally};
use crate::device::{Device, Session};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// Between two looks for a device that is gone.
const AGAIN: Duration = Duration::from_millis(250);

/// A device that speaks every second and does not for so long has stalled.
const STALL: Duration = Duration::from_secs(3);

/// Event that a listener reports.
#[derive(Debug)]
pub enum ListenerEvent {
    /// The device was opened.
    Opened,
    /// Things came; all that this session counted.
    Came(Vec<Event>, Tally),
    /// No octet came for this long although some should.
    Stalled(Duration),
    /// The device is absent and waited for, with the reason.
    Gone(String),
    /// The device is given up, with the reason; empty after a request to stop.
    Ended(String),
}

/// Event of a device and its time, nanoseconds since the Unix epoch.
#[derive(Debug)]
pub struct Message {
    pub device: usize,
    pub at: i64,
    pub event: ListenerEvent,
}

/// Listens.
pub struct Listener {
    number: usize,
    device: Device,
    waits: bool,
    shared: Arc<Shared>,
    to: Sender<Message>,
}

impl Listener {
    pub const fn new(number: usize, device: Device, waits: bool, shared: Arc<Shared>, to: Sender<Message>) -> Self {
        Self { number, device, waits, shared, to }
    }

    /// Listens until the device ends or the capture is stopped.
    pub fn run(&self) {
        let mut is_said = false;
        while !self.shared.is_stopped() {
            let why = match self.device.open(self.shared.channel(self.number)) {
                Ok(mut session) => {
                    is_said = false;
                    self.report(ListenerEvent::Opened);
                    match self.listen(&mut *session) {
                        Ok(()) => return self.report(ListenerEvent::Ended(String::new())),
                        Err(error) => gone(&error),
                    }
                }
                Err(error) => format!("cannot be opened: {error}"),
            };
            // The end of a stream is no loss.
            if !self.waits {
                return self.report(ListenerEvent::Ended(why));
            }
            if !is_said {
                is_said = true;
                self.report(ListenerEvent::Gone(why));
            }
            thread::sleep(AGAIN);
        }
        self.report(ListenerEvent::Ended(String::new()));
    }

    fn listen(&self, session: &mut dyn Session) -> io::Result<()> {
        let mut channel = self.shared.channel(self.number);
        let mut heard = clock::instant();
        let mut is_stalled = false;
        while !self.shared.is_stopped() {
            let mut events = Vec::new();
            let looked = session.look(&mut events);
            // Events up to here came before the device went away.
            let before = events.len();
            let wanted = self.shared.channel(self.number);
            let moved = if wanted == channel || looked.is_err() {
                Ok(())
            } else {
                channel = wanted;
                session.set_channel(wanted, &mut events)
            };
            if before > 0 {
                heard = clock::instant();
                is_stalled = false;
            } else if session.is_talkative() && !is_stalled && clock::instant().duration_since(heard) >= STALL {
                is_stalled = true;
                self.report(ListenerEvent::Stalled(STALL));
            }
            self.came(events, session);
            looked?;
            moved?;
        }
        let mut events = Vec::new();
        let stopped = session.stop(&mut events);
        self.came(events, session);
        // The session ends here in any case.
        let _ = stopped;
        Ok(())
    }

    fn came(&self, events: Vec<Event>, session: &dyn Session) {
        self.report(ListenerEvent::Came(events, session.tally()));
    }

    /// A recorder that is gone needs nothing.
    fn report(&self, event: ListenerEvent) {
        let _ = self.to.send(Message { device: self.number, at: clock::unix_nanos(), event });
    }
}

fn gone(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => "it has ended".to_owned(),
        _ => format!("it is gone: {error}"),
    }
}
