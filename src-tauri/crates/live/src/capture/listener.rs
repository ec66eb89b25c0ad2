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

/// Time between two attempts to open a device that is gone. Chosen here: one that comes back is heard within a quarter
/// of a second.
const AGAIN: Duration = Duration::from_millis(250);

/// Silence after which a device that should send a status every second counts as stalled. Chosen here: three are
/// missing.
const STALL: Duration = Duration::from_secs(3);

/// Event that a listener reports.
#[derive(Debug)]
pub enum ListenerEvent {
    /// The device was opened.
    Opened,
    /// Events that came in one look, in order, and all that this session counted so far.
    Came(Vec<Event>, Tally),
    /// No octet came for this long although some should.
    Stalled(Duration),
    /// The device is absent and waited for, with the reason.
    Gone(String),
    /// The device is given up, with the reason; empty after a request to stop.
    Ended(String),
}

/// Event of a device, with its place and time.
#[derive(Debug)]
pub struct Message {
    /// Index of the device in the plans of the capture.
    pub device: usize,
    /// Time at which it was reported, nanoseconds since the Unix epoch.
    pub at: i64,
    /// Event of the device.
    pub event: ListenerEvent,
}

/// Listener of one device: opens it, and reports its events.
pub struct Listener {
    number: usize,
    device: Device,
    waits: bool,
    shared: Arc<Shared>,
    to: Sender<Message>,
}

impl Listener {
    /// Makes the listener of device `number`; `waits` is [`Options::waits`](super::Options::waits).
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

    /// Sends an event to the recorder; one that is gone needs none.
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
