//! Last records of a capture, as octets that import reads as a file.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Length of the header of a pcap file, octets, by which it is told from a section of pcapng, which is longer with its
/// first interface.
const PCAP_HEAD: usize = 24;

/// Place of a record among the files that were watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Number of the file, from 0 in the order in which they were watched.
    pub file: u32,
    /// Offset of the record's first octet in that file.
    pub offset: u64,
}

/// A record in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Number of the record since watching began, from 0.
    pub ordinal: u64,
    /// Time that never runs back, nanoseconds from the Unix epoch; see [`crate::clock::Clock`].
    pub time: i64,
    /// Nanoseconds that were added to its time stamp.
    pub shift: i64,
    /// Place among the files.
    pub place: Place,
    /// Offset of its first octet in its section.
    start: usize,
    /// Number of its section since watching began.
    section: u64,
}

/// Records under one head: a pcap file, or a section of pcapng with its interfaces.
#[derive(Debug)]
struct Section {
    head: Vec<u8>,
    octets: Vec<u8>,
}

/// Records that later frames may still need: those of exchanges that are not over.
#[derive(Debug, Default)]
pub(crate) struct Window {
    /// The records, in order.
    pub marks: VecDeque<Mark>,
    sections: VecDeque<Section>,
    /// Number of the first section.
    first: u64,
}

impl Window {
    /// Returns whether a record under `head` can be read together with those that are here.
    pub fn takes(&self, head: &[u8]) -> bool {
        let is_pcap = |head: &[u8]| head.len() == PCAP_HEAD;
        self.sections.back().is_none_or(|last| last.head == head || !is_pcap(&last.head) && !is_pcap(head))
    }

    /// Adds a record under `head`, with its number, its time with the shift in it, and its place.
    pub fn push(&mut self, head: &[u8], octets: &[u8], ordinal: u64, (time, shift): (i64, i64), place: Place) {
        if self.sections.back().is_none_or(|last| last.head != head) {
            self.sections.push_back(Section { head: head.to_vec(), octets: Vec::new() });
        }
        let section = self.first + self.sections.len().saturating_sub(1) as u64;
        let Some(last) = self.sections.back_mut() else { return };
        self.marks.push_back(Mark { ordinal, time, shift, place, start: last.octets.len(), section });
        last.octets.extend_from_slice(octets);
    }

    /// Adds blocks that stand beside records, such as statistics, to the last section.
    pub fn beside(&mut self, octets: &[u8]) {
        if let Some(last) = self.sections.back_mut() {
            last.octets.extend_from_slice(octets);
        }
    }

    /// Returns all of it as the octets of a file.
    pub fn file(&self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.octets());
        for section in &self.sections {
            file.extend_from_slice(&section.head);
            file.extend_from_slice(&section.octets);
        }
        file
    }

    /// Returns the number of octets of that file.
    pub fn octets(&self) -> usize {
        self.sections.iter().map(|section| section.head.len() + section.octets.len()).sum()
    }

    /// Returns the descriptions in force at the first record; empty for an empty window.
    pub fn head(&self) -> &[u8] {
        self.sections.front().map_or(&[], |section| &section.head)
    }

    /// Drops the first `n` records.
    pub fn forget(&mut self, n: usize) {
        self.marks.drain(..n.min(self.marks.len()));
        let Some(&first) = self.marks.front() else {
            self.first += self.sections.len() as u64;
            self.sections.clear();
            return;
        };
        while self.first < first.section && self.sections.pop_front().is_some() {
            self.first += 1;
        }
        if let Some(section) = self.sections.front_mut() {
            section.octets.drain(..first.start);
            // A burst that is over does not keep its memory.
            section.octets.shrink_to(section.octets.len() * 2);
        }
        for mark in self.marks.iter_mut().take_while(|mark| mark.section == first.section) {
            mark.start -= first.start;
        }
        self.marks.shrink_to(self.marks.len() * 2);
    }

    /// Drops the records for which `is_whole`, asked with a file of that record alone, is false; returns their number.
    pub fn keep_if(&mut self, is_whole: &dyn Fn(&[u8]) -> bool) -> usize {
        let old = std::mem::take(self);
        self.first = old.first + old.sections.len() as u64;
        let before = old.marks.len();
        let mut marks = old.marks.iter().peekable();
        while let Some(mark) = marks.next() {
            let Some(section) = old.sections.get((mark.section - old.first) as usize) else { continue };
            let next = marks.peek().filter(|next| next.section == mark.section);
            let end = next.map_or(section.octets.len(), |next| next.start);
            let octets = section.octets.get(mark.start..end).unwrap_or_default();
            if is_whole(&[&section.head[..], octets].concat()) {
                self.push(&section.head, octets, mark.ordinal, (mark.time, mark.shift), mark.place);
            }
        }
        before - self.marks.len()
    }
}
