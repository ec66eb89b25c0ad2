//! Files of simulated frames, read again: the same exchanges, copies, times and outcomes as the replicate has.

use super::*;
use crate::Session;
use crate::commands::replayed::replays::tests::replayed;
use crate::view::{CaptureId, ChannelKind, OpenRequest};
use base::{ExchangeId, Silent};
use std::sync::Arc;
use trace::{DecodeOptions, ImportOptions, Outcome, Token, Trace};

/// A replicate of a bundled capture and the trace of its file.
struct Case {
    name: &'static str,
    opened: Arc<Opened>,
    run: Stored,
    exported: Exported,
    octets: Vec<u8>,
    again: Trace,
}

fn opened(session: &Session, name: &str) -> CaptureId {
    let path = format!("{}/../../../traces/{name}/capture.pcap.gz", env!("CARGO_MANIFEST_DIR"));
    let request = OpenRequest { path: Some(path), ..OpenRequest::default() };
    session.open(&request, &mut Silent).unwrap().id
}

impl Case {
    fn of(name: &'static str, replicate: u32) -> Self {
        let session = Session::default();
        let id = opened(&session, name);
        let (opened, run) = (session.capture(id).unwrap(), replayed(&session, id, ChannelKind::Twin, 3, true));
        let run = run.of_replicate(&opened, replicate, &mut Silent).unwrap();
        let on_air = OnAir::compose(&opened, &run, &mut Silent).unwrap();
        let mut octets = Vec::new();
        let exported = on_air.write(&opened, &run, &mut octets, &mut Silent).unwrap();
        let capture = trace::read("x", &octets[..], None, &ImportOptions::default(), &mut Silent).unwrap();
        let options = DecodeOptions { rc_option: opened.trace.options.rc_option, ..DecodeOptions::default() };
        let again = trace::analyse(capture, &options, &mut Silent).unwrap();
        Self { name, opened, run, exported, octets, again }
    }

    fn frames(&self) -> &ReplicateFrames {
        self.run.frames(&self.opened, &mut Silent).unwrap().unwrap()
    }

    /// Time of the replicate for a time of its file.
    fn at(&self, read: Instant) -> Instant {
        let epoch = |capture: &trace::Capture| capture.epoch_unix_nanos.unwrap_or(0);
        let shift = epoch(&self.again.capture) - epoch(&self.opened.trace.capture);
        Instant::from_nanos(read.nanos() + shift)
    }
}

/// An exchange on the air: ends, starts of the first frames of its copies, the time at which its client had the first
/// answer, the ends of all frames that took answers to it with whether each was acknowledged, and whether one of them
/// reached it unacknowledged: a sniffer takes that one for lost.
type OnTheAir = ((Endpoint, Endpoint), Vec<Instant>, Option<Instant>, Vec<(Instant, bool)>, bool);

/// Exchanges of the replicate with a frame on the air, by identifier; copies without one are not among them.
fn simulated(case: &Case) -> BTreeMap<ExchangeId, OnTheAir> {
    let frames = case.frames();
    let mut all: BTreeMap<ExchangeId, OnTheAir> = BTreeMap::new();
    for row in (0..case.run.steps.len()).filter(|&row| case.run.steps.kind[row] == replay::StepKind::Transmit) {
        let (id, number) = (case.run.steps.exchange[row], case.run.steps.attempt[row]);
        let copy = frames.copy(id, number).unwrap();
        let Some(first) = copy.request.hops.first() else { continue };
        let association = &case.opened.trace.associations[case.run.steps.association[row].index()];
        let entry =
            all.entry(id).or_insert_with(|| ((association.client, association.server), vec![], None, vec![], false));
        entry.1.push(first.frames[0].start);
        entry.2 = [entry.2, copy.answered()].into_iter().flatten().min();
        let last = copy.answer.hops.iter().filter(|hop| hop.to == copy.ends.client).flat_map(|hop| &hop.frames);
        entry.3.extend(last.clone().map(|frame| (frame.end, frame.acknowledgement.is_some())));
        entry.4 |= last.into_iter().any(|frame| frame.is_received && frame.acknowledgement.is_none());
    }
    all
}

/// Every exchange of the replicate is one of the file, with the same copies at the same nanosecond; the answer that the
/// client had first ends it. Returns the numbers of exchanges, copies and answered exchanges.
fn same_exchanges(case: &Case) -> (usize, usize, usize) {
    let name = case.name;
    let simulated = simulated(case);
    let mut read: BTreeMap<(Endpoint, Endpoint, Instant), &trace::Exchange> = BTreeMap::new();
    let mut identities: BTreeSet<(Endpoint, u16, Token)> = BTreeSet::new();
    for exchange in &case.again.exchanges {
        let association = &case.again.associations[exchange.association.index()];
        let first = case.again.messages[exchange.copies[0].message.index()].at;
        assert!(read.insert((association.client, association.server, case.at(first)), exchange).is_none(), "{name}");
        assert!(
            identities.insert((association.client, exchange.mid, exchange.token)),
            "{name}: an identifier was given twice"
        );
    }
    let (mut copies, mut answered, mut unseen) = (0, 0, 0);
    for (id, ((client, server), starts, end, last, is_unseen)) in &simulated {
        let exchange = read
            .remove(&(*client, *server, starts[0]))
            .unwrap_or_else(|| panic!("{name}: exchange {id} is not in the file"));
        let sent = exchange.copies.iter().map(|copy| case.at(case.again.messages[copy.message.index()].at));
        assert_eq!(&sent.collect::<Vec<_>>(), starts, "{name}: exchange {id}");
        let ended = exchange.end.map(|at| case.at(at));
        // Radios hand a frame up a little after its end.
        let close = |(read, truth): (Instant, Instant)| (truth - read).abs() <= base::Span::from_millis(2);
        copies += starts.len();
        if *is_unseen {
            // A later attempt ends the exchange for a sniffer, or none does; where none was acknowledged it is the
            // first, for the client goes on as if it were answered.
            let is_later = |(read, truth): (Instant, Instant)| read >= truth || close((read, truth));
            let is_first = || {
                last.iter().all(|attempt| !attempt.1)
                    && ended.zip(last.first()).is_some_and(|(read, first)| close((read, first.0)))
            };
            assert!(ended.zip(*end).is_none_or(is_later) || is_first(), "{name}: exchange {id}: {ended:?}, {end:?}");
            unseen += 1;
            continue;
        }
        let agree = ended.is_some() == end.is_some() && ended.zip(*end).is_none_or(close);
        assert!(agree, "{name}: exchange {id}: {ended:?}, {end:?}");
        let is_answered = matches!(exchange.outcome, Outcome::Acked | Outcome::Separate);
        assert_eq!(end.is_some(), is_answered, "{name}: exchange {id}");
        answered += usize::from(end.is_some());
    }
    assert!(unseen * 20 < simulated.len(), "{name}: {unseen} of {} end unseen", simulated.len());
    assert!(read.is_empty(), "{name}: {} exchanges of the file are none of the replicate", read.len());
    (simulated.len(), copies, answered)
}

/// Every frame of the replicate is in the file with its time and length, in order of time; none is damaged, and all say
/// what they are.
fn same_frames(case: &Case) {
    assert_eq!(case.exported.left_out, 0, "{}: {:?}", case.name, case.exported.notes);
    let Case { name, again, exported, .. } = case;
    let frames = case.frames().frames();
    let acknowledgements = frames.iter().filter(|frame| frame.acknowledgement.is_some()).count();
    assert_eq!(exported.simulated as usize + exported.left_out as usize, frames.len() + acknowledgements, "{name}");
    assert_eq!(again.capture.frames.len(), exported.simulated as usize, "{name}");
    assert!(again.capture.frames.windows(2).all(|pair| pair[0].at <= pair[1].at), "{name}: in order of time");
    assert!(
        again.capture.frames.iter().all(|frame| frame.fcs == trace::Fcs::Good),
        "{name}: check sequences are right"
    );
    let mut expected: Vec<(Instant, usize)> =
        frames.iter().map(|frame| (frame.start, usize::from(frame.octets))).collect();
    expected.extend(frames.iter().filter_map(|frame| frame.acknowledgement).map(|(at, _)| (at, 0)));
    expected.sort_unstable();
    let mut written: Vec<(Instant, usize)> =
        again.capture.frames.iter().map(|frame| (case.at(frame.at), again.capture.octets_of(frame).len())).collect();
    written.sort_unstable();
    let at = |list: &[(Instant, usize)]| list.iter().map(|(at, _)| *at).collect::<Vec<_>>();
    assert!(at(&expected) == at(&written), "{name}: times");
    // The lengths that the simulation took are those of one exchange of each kind, and of the commonest answer where
    // there was none.
    let differ = expected.iter().zip(&written).filter(|((_, of), (_, is))| *of != 0 && of.abs_diff(*is) > 1).count();
    assert!(differ * 10 < written.len(), "{name}: {differ} of {} frames have another length", written.len());
    assert_eq!(again.capture.annotations.frames.len(), again.capture.frames.len(), "{name}: a comment each");
    assert!(
        again.capture.annotations.frames.iter().all(|(_, text)| text.starts_with("RTOscope, simulated: ")),
        "{name}"
    );
    assert!(again.capture.annotations.file[0].starts_with("Simulated, not recorded, by RTOscope"), "{name}");
    assert!(again.capture.sources.iter().all(|source| source.name == "cocoa_plus (simulated)"), "{name}");
    // Remarks on damage, which the recording has not got either.
    let known: BTreeSet<&str> = case.opened.trace.notes.kinds().iter().map(|kind| kind.code).collect();
    let new: Vec<_> = again.notes.kinds().iter().filter(|kind| !known.contains(kind.code)).collect();
    assert!(new.is_empty(), "{name}: {new:?}");
}

/// Holds a file to its replicate; it has more exchanges, copies and answered exchanges than `least`.
fn says_what_the_replicate_says(name: &'static str, replicate: u32, least: (usize, usize, usize)) {
    let case = Case::of(name, replicate);
    same_frames(&case);
    let (exchanges, copies, answered) = same_exchanges(&case);
    let is_more = exchanges > least.0 && copies > least.1 && answered > least.2;
    assert!(is_more, "{name}: {exchanges}, {copies}, {answered}");
    assert_eq!(case.exported.copies as usize, copies, "{name}");
    assert!(case.exported.replies as usize >= answered, "{name}");
    assert!(case.octets == Case::of(name, replicate).octets, "{name}: same replicate, same octets");
}

#[test]
fn a_file_of_a_storm_under_tsch_says_what_the_replicate_says() {
    says_what_the_replicate_says("tsch-slow-chain5-default", 1, (50, 80, 40));
}

#[test]
fn a_file_of_a_chain_under_csma_says_what_the_replicate_says() {
    says_what_the_replicate_says("chain6-periodic-default", 0, (50, 50, 40));
}

#[test]
fn counted_retransmissions_have_the_frames_of_the_replicate() {
    same_frames(&Case::of("chain6-periodic-rc", 2));
}

#[test]
fn counted_retransmissions_are_read_as_the_replicate_has_them() {
    let (exchanges, copies, answered) = same_exchanges(&Case::of("chain6-periodic-rc", 2));
    assert!(exchanges > 50 && copies > 50 && answered > 40, "{exchanges}, {copies}, {answered}");
}

/// Routes of the grid change: a replicate sends a few datagrams over hops that no recorded one of the same client and
/// server took.
#[test]
fn frames_without_a_recorded_hop_are_left_out_and_counted() {
    let case = Case::of("grid3x3-burst-default", 1);
    let Exported { left_out, simulated, notes, .. } = &case.exported;
    let frames = case.frames().frames();
    let acknowledgements = frames.iter().filter(|frame| frame.acknowledgement.is_some()).count();
    assert_eq!((simulated + left_out) as usize, frames.len() + acknowledgements);
    assert!(*left_out > 0 && left_out * 200 < *simulated, "{left_out} left out, {simulated} written");
    let counted = |note: &String| note.split(' ').next().unwrap().parse::<u32>().unwrap();
    assert_eq!(notes.iter().map(counted).sum::<u32>(), *left_out, "{notes:?}");
    let about = &case.again.capture.annotations.file[0];
    assert!(notes.iter().all(|note| note.contains("no datagram of their client") && about.contains(note)), "{about}");
    assert_eq!(case.again.capture.frames.len(), *simulated as usize);
}

/// Stops when it is asked for the time with this number, from 1.
struct StopsAt {
    at: usize,
    ticks: usize,
}

impl Progress for StopsAt {
    fn tick(&mut self, _: u64, _: u64) -> std::ops::ControlFlow<()> {
        self.ticks += 1;
        if self.ticks == self.at { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    }
}

#[test]
fn a_file_that_was_stopped_is_the_same_when_it_is_asked_for_again() {
    let session = Session::default();
    let id = opened(&session, "tsch-slow-chain5-default");
    let (opened, run) = (session.capture(id).unwrap(), replayed(&session, id, ChannelKind::Twin, 3, true));
    let whole = |progress: &mut StopsAt| -> Result<Vec<u8>, Error> {
        let on_air = OnAir::compose(&opened, &run, progress)?;
        let mut octets = Vec::new();
        match on_air.write(&opened, &run, &mut octets, progress) {
            Ok(_) => Ok(octets),
            Err(error) => {
                assert!(error.get_ref().is_some_and(|inner| inner.is::<base::Cancelled>()), "{error}");
                Err(Error::cancelled())
            }
        }
    };
    let stopped = whole(&mut StopsAt { at: 1, ticks: 0 });
    assert_eq!(stopped.unwrap_err().code, crate::Code::Cancelled, "while the replicate is simulated");
    let mut counted = StopsAt { at: 0, ticks: 0 };
    let first = whole(&mut counted).unwrap();
    let again = whole(&mut StopsAt { at: 0, ticks: 0 }).unwrap();
    assert!(first == again && counted.ticks > 10, "{} ticks", counted.ticks);
    let mut short = StopsAt { at: 0, ticks: 0 };
    whole(&mut short).unwrap();
    for at in [1, short.ticks / 2, short.ticks] {
        assert_eq!(whole(&mut StopsAt { at, ticks: 0 }).unwrap_err().code, crate::Code::Cancelled, "tick {at}");
    }
}

#[test]
fn frames_are_those_of_the_network_twin_alone() {
    let session = Session::default();
    let id = opened(&session, "tsch-slow-chain5-default");
    let (opened, run) = (session.capture(id).unwrap(), replayed(&session, id, ChannelKind::Empirical, 3, true));
    let refused = OnAir::compose(&opened, &run, &mut Silent).map(|_| ()).unwrap_err();
    assert!(refused.code == crate::Code::Request && refused.message.contains("Choose the channel twin"), "{refused:?}");
    let other = run.of_replicate(&opened, 1, &mut Silent).map(|_| ()).unwrap_err();
    assert!(other.code == crate::Code::Request && other.message.contains("Choose the channel twin"), "{other:?}");
}
