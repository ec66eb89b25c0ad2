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

/// What a listener says.
#[derive(Debug)]
pub enum What {
    /// The device was opened.
    Opened,
    /// Things came; all that this session counted.
    Came(Vec<Event>, Tally),
    /// Nothing comes though it should, for so long.
    Stalled(Duration),
    /// It is gone, or not there, and waited for: why.
    Gone(String),
    /// It will not be listened to any more: why; empty where that was asked.
    Ended(String),
}

/// What a listener says, of which device, and when, in nanoseconds from the Unix epoch.
#[derive(Debug)]
pub struct Message {
    pub device: usize,
    pub at: i64,
    pub what: What,
}

/// Listens.
pub struct Hearing {
    number: usize,
    device: Device,
    waits: bool,
    shared: Arc<Shared>,
    to: Sender<Message>,
}

impl Hearing {
    pub const fn new(number: usize, device: Device, waits: bool, shared: Arc<Shared>, to: Sender<Message>) -> Self {
        Self { number, device, waits, shared, to }
    }

    /// Until the device ends or somebody stops it.
    pub fn run(&self) {
        let mut is_said = false;
        while !self.shared.is_stopped() {
            let why = match self.device.open(self.shared.channel(self.number)) {
                Ok(mut session) => {
                    is_said = false;
                    self.tell(What::Opened);
                    match self.listen(&mut *session) {
                        Ok(()) => return self.tell(What::Ended(String::new())),
                        Err(error) => gone(&error),
                    }
                }
                Err(error) => format!("cannot be opened: {error}"),
            };
            // The end of a stream is no loss.
            if !self.waits {
                return self.tell(What::Ended(why));
            }
            if !is_said {
                is_said = true;
                self.tell(What::Gone(why));
            }
            thread::sleep(AGAIN);
        }
        self.tell(What::Ended(String::new()));
    }

    fn listen(&self, session: &mut dyn Session) -> io::Result<()> {
        let mut channel = self.shared.channel(self.number);
        let mut heard = clock::instant();
        let mut is_stalled = false;
        while !self.shared.is_stopped() {
            let mut events = Vec::new();
            let looked = session.look(&mut events);
            // What came before the device went is here.
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
                self.tell(What::Stalled(STALL));
            }
            self.came(events, session);
            looked?;
            moved?;
        }
        let mut events = Vec::new();
        let stopped = session.stop(&mut events);
        self.came(events, session);
        // It was to end anyway.
        let _ = stopped;
        Ok(())
    }

    fn came(&self, events: Vec<Event>, session: &dyn Session) {
        self.tell(What::Came(events, session.tally()));
    }

    /// A recorder that is gone needs nothing.
    fn tell(&self, what: What) {
        let _ = self.to.send(Message { device: self.number, at: clock::unix_nanos(), what });
    }
}

fn gone(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => "it has ended".to_owned(),
        _ => format!("it is gone: {error}"),
    }
}
