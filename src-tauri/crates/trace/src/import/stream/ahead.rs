//! Unpacking on a thread of its own, some blocks ahead of the reader of records.
//!
//! Blocks come in order, each with the octets of the file that had been taken for it and, at the end, why it ended.
//! Results do not depend on how far ahead the thread is.

use super::{CHUNK, Input};
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, Scope};

/// Most blocks that wait for the reader. Chosen here: more take memory and give no speed, as both sides work all the
/// time with one.
const WAITING: usize = 4;

/// A block of unpacked octets.
#[derive(Default)]
struct Block {
    octets: Vec<u8>,
    /// Number of valid octets.
    len: usize,
    /// Octets taken from the file on disk up to here.
    taken: u64,
    /// Error that ended the input, in its last block.
    failure: Option<io::Error>,
}

/// Reader of the octets that a thread unpacks.
pub(super) struct Ahead {
    blocks: Receiver<Block>,
    /// Blocks that were read, to be filled again.
    spare: Sender<Vec<u8>>,
    block: Block,
    /// Octets of `block` that were read.
    used: usize,
}

impl Ahead {
    /// Unpacks `input` on a thread of `scope`; returns `input` itself where the system has no thread to give.
    ///
    /// The thread ends with its input or, at its next block, when the reader is dropped. `scope` waits for a read that
    /// is under way.
    pub(super) fn of<'scope, 'a: 'scope>(input: Input<'a>, scope: &'scope Scope<'scope, '_>) -> Input<'a> {
        let (sender, blocks) = sync_channel(WAITING);
        let (spare, empty) = channel();
        let taken = input.taken();
        // The thread takes its input from here, so that it is still there where there is no thread.
        let (hand, over) = sync_channel(1);
        let thread = Builder::new().name("unpack".to_owned());
        let spawned = thread.spawn_scoped(scope, move || {
            if let Ok(input) = over.recv() {
                unpack(input, &empty, &sender);
            }
        });
        if spawned.is_err() {
            return input;
        }
        let _is_there = hand.send(input);
        Input::Ahead(Self { blocks, spare, block: Block { taken, ..Block::default() }, used: 0 })
    }

    /// Reads some unpacked octets into `into`, and returns their number; 0 at the end.
    ///
    /// # Errors
    /// The error that ended the input.
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.used == self.block.len {
            if let Some(failure) = self.block.failure.take() {
                return Err(failure);
            }
            // The thread sends why it ends before it does.
            let Ok(next) = self.blocks.recv() else { return Ok(0) };
            let read = std::mem::replace(&mut self.block, next);
            self.used = 0;
            let _may_have_ended = self.spare.send(read.octets);
        }
        let rest = self.block.octets.get(self.used..self.block.len).unwrap_or_default();
        let n = rest.len().min(into.len());
        into[..n].copy_from_slice(&rest[..n]);
        self.used += n;
        Ok(n)
    }

    /// Returns the number of octets taken from the file on disk up to the end of the current block.
    pub(super) fn taken(&self) -> u64 {
        self.block.taken
    }
}

/// Unpacks all of `input`, until the receiver is gone.
fn unpack(mut input: Input<'_>, empty: &Receiver<Vec<u8>>, blocks: &SyncSender<Block>) {
    loop {
        let mut octets = empty.try_recv().unwrap_or_default();
        octets.resize(CHUNK, 0);
        let (len, failure) = match input.read(&mut octets) {
            Ok(len) => (len, None),
            Err(failure) => (0, Some(failure)),
        };
        let is_unwanted = blocks.send(Block { octets, len, taken: input.taken(), failure }).is_err();
        if len == 0 || is_unwanted {
            return;
        }
    }
}
