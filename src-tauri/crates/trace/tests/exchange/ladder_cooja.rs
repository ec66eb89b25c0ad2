//! Ladders against what the simulator and the motes themselves say: how often each frame was sent on each hop, who
//! received it, how long nodes kept messages, and where copies died.
//!
//! The ladders come from `radio.pcap`, which has frames and times and nothing else. The truth comes from
//! `radio-truth.tsv` (one row per frame: who received it undisturbed, from when to when it was on the air) and from
//! `mote.log` (`SRV RX`: a copy reached the server). Runs whose copies carry the retransmission-count option are read
//! twice: with it, each copy is followed by its number; without it, as a capture of any client is.

use crate::bundle;
use crate::bundle::{NO_OPTION, RC_OPTION, Table, analyse, gunzip, runs, shared};
use base::{FrameId, Instant, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::AddAssign;
use std::path::Path;
use trace::ladder::{Ending, Loss, Node, Transit};
use trace::{Delivery, Evidence, Ladder, MacAddr, Trace};

/// Number of comparisons, and of differences.
#[derive(Clone, Copy, Default)]
struct Score {
    all: usize,
    wrong: usize,
}

impl Score {
    fn count(&mut self, right: bool) {
        self.all += 1;
        self.wrong += usize::from(!right);
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.wrong += other.wrong;
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:5}/{:6}", self.wrong, self.all)
    }
}

#[derive(Clone, Copy, Default)]
struct Scores {
    /// Times on the air: the end of a frame.
    ends: Score,
    /// Attempts at the same piece: groups of equal octets of one sender.
    retries: Score,
    /// Frames said to be received, and those said not to be.
    received: Score,
    silent: Score,
    /// Hops said to have got through.
    through: Score,
    /// Waits of more than half a millisecond off.
    waits: Score,
    /// Copies by their ending: arrived, proven and inferred; not acknowledged, not sent on, incomplete.
    arrived: Score,
    inferred: Score,
    unacknowledged: Score,
    /// Number of those that arrived whose server's node received every fragment, and the server never saw the copy.
    /// No capture shows what a node does with what it received.
    dropped: usize,
    /// Number of those not acknowledged that the addressed node had all the same, and kept.
    kept: usize,
    not_sent_on: Score,
    incomplete: Score,
    unknown: usize,
}

impl AddAssign for Scores {
    fn add_assign(&mut self, o: Self) {
        let Self { ends, retries, received, silent, through, waits, arrived, inferred, unacknowledged, .. } = self;
        *ends += o.ends;
        *retries += o.retries;
        *received += o.received;
        *silent += o.silent;
        *through += o.through;
        *waits += o.waits;
        *arrived += o.arrived;
        *inferred += o.inferred;
        *unacknowledged += o.unacknowledged;
        self.not_sent_on += o.not_sent_on;
        self.incomplete += o.incomplete;
        self.dropped += o.dropped;
        self.kept += o.kept;
        self.unknown += o.unknown;
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self;
        write!(f, "{} |{} |{} {} |{} |{} |", s.ends, s.retries, s.received, s.silent, s.through, s.waits)?;
        write!(
            f,
            "{} {} ({:3} dropped) |{} ({:3} kept) {} {} |",
            s.arrived, s.inferred, s.dropped, s.unacknowledged, s.kept, s.not_sent_on, s.incomplete
        )?;
        write!(f, "{:5}", s.unknown)
    }
}

const HEAD: &str = "wrong/all:                                | end of frame | same piece   | received     said not     | hop through  | waits        \
                    | arrived      inferred                   | no ACK                  not sent on  incomplete   | unknown";

/// One row of `radio-truth.tsv`.
struct Row {
    end: Instant,
    received: Vec<i64>,
}

/// The rows, one per frame of the capture.
fn truth(run: &Path, zero: Span) -> Vec<Row> {
    let table = Table::read(&run.join("radio-truth.tsv.gz"), '\t');
    let row = |row: bundle::Row<'_>| Row {
        end: Instant::ZERO + (Span::from_micros(row.int("end_us").unwrap()) - zero),
        received: row.text("dest_ok").split(',').filter_map(|id| id.parse().ok()).collect(),
    };
    table.rows().map(row).collect()
}

fn mote(node: &Node) -> i64 {
    match node.address {
        MacAddr::Extended([.., high, low]) => i64::from(u16::from_be_bytes([high, low])),
        _ => panic!("{node:?}"),
    }
}

/// Copies that the server had: client, Message ID, number.
fn reached(log: &str) -> HashSet<(i64, i64, i64)> {
    let line = |line: &str| {
        let (_, text) = line.split_once("SRV RX ")?;
        let value =
            |key: &str| text.split(' ').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('=')?.parse().ok());
        Some((value("from")?, value("mid")?, value("rc").map_or(0, |rc: i64| rc.max(0))))
    };
    log.lines().filter_map(line).collect()
}

/// Compare all ladders of a run. `numbers`: by first frame, the number of each copy; `None`: not told apart.
fn score(trace: &Trace, truth: &[Row], numbers: &HashMap<FrameId, i64>, reached: &HashSet<(i64, i64, i64)>) -> Scores {
    let mut scores = Scores::default();
    assert_eq!(trace.capture.frames.len(), truth.len());
    // Attempts at one piece, by their frames, as the ladders say and as the octets do.
    let mut ours: BTreeSet<Vec<FrameId>> = BTreeSet::new();
    for exchange in &trace.exchanges {
        let ladder = Ladder::of(trace, exchange.id).unwrap();
        for transit in ladder.copies.iter().chain(&ladder.replies) {
            transit_score(&mut scores, &ladder, transit, truth, &mut ours);
        }
        for transit in &ladder.copies {
            let first = trace.messages[transit.message.index()].hop(0).unwrap().frames[0];
            let client = ladder.nodes.first().map(mote).unwrap();
            let there = reached.contains(&(client, i64::from(exchange.mid), numbers[&first]));
            let had = |leg: usize| {
                let leg = &transit.legs[leg];
                let to = mote(&ladder.nodes[leg.to]);
                let pieces: BTreeSet<usize> = leg.attempts.iter().map(|a| a.fragment).collect();
                let got = |piece: &usize| {
                    leg.attempts.iter().any(|a| a.fragment == *piece && truth[a.frame.index()].received.contains(&to))
                };
                pieces.iter().all(got)
            };
            let at_server =
                || (0..transit.legs.len()).any(|leg| transit.legs[leg].to + 1 == ladder.nodes.len() && had(leg));
            match transit.ending {
                Ending::Arrived { evidence, .. } => {
                    let right = there || at_server();
                    scores.dropped += usize::from(right && !there);
                    if evidence == Evidence::Proven { &mut scores.arrived } else { &mut scores.inferred }.count(right);
                }
                Ending::Died { leg, loss: Loss::NotAcknowledged, .. } => {
                    scores.unacknowledged.count(!there);
                    scores.kept += usize::from(!there && had(leg));
                }
                Ending::Died { leg, loss: Loss::NotSentOn, .. } => scores.not_sent_on.count(!there && had(leg)),
                Ending::Died { loss: Loss::Incomplete, .. } => scores.incomplete.count(!there),
                Ending::Died { loss: Loss::NotReceived, .. } => panic!("a pcap does not say so"),
                Ending::Unknown { .. } => scores.unknown += 1,
            }
        }
    }
    let theirs = pieces(trace, &ours.iter().flatten().copied().collect());
    scores.retries = Score { all: theirs.len(), wrong: theirs.symmetric_difference(&ours).count() };
    scores
}

fn transit_score(
    scores: &mut Scores,
    ladder: &Ladder,
    transit: &Transit,
    truth: &[Row],
    ours: &mut BTreeSet<Vec<FrameId>>,
) {
    for leg in &transit.legs {
        let to = mote(&ladder.nodes[leg.to]);
        let mut groups: BTreeMap<usize, Vec<FrameId>> = BTreeMap::new();
        let mut whole: BTreeMap<usize, Instant> = BTreeMap::new();
        for attempt in &leg.attempts {
            let row = &truth[attempt.frame.index()];
            groups.entry(attempt.fragment).or_default().push(attempt.frame);
            scores.ends.count(attempt.end == row.end);
            let got = row.received.contains(&to);
            match attempt.delivery {
                Delivery::Yes => scores.received.count(got),
                Delivery::Unlikely => scores.silent.count(!got),
                Delivery::Unknown | Delivery::No => {}
            }
            if got {
                let first = whole.entry(attempt.fragment).or_insert(row.end);
                *first = row.end.min(*first);
            }
        }
        if leg.delivery == Delivery::Yes {
            scores.through.count(whole.len() == groups.len());
        }
        // The same from the truth: when the node that sends this leg had the message.
        if let Some(wait) = transit.waits.iter().find(|w| w.node == leg.from && w.until == leg.sent)
            && let Some(before) = leg.before.and_then(|before| transit.legs.get(before))
        {
            let node = mote(&ladder.nodes[leg.from]);
            let mut had: BTreeMap<usize, Instant> = BTreeMap::new();
            for attempt in before.attempts.iter().filter(|a| truth[a.frame.index()].received.contains(&node)) {
                had.entry(attempt.fragment).or_insert(truth[attempt.frame.index()].end);
            }
            let arrived = had.values().max().copied();
            scores.waits.count(arrived.is_some_and(|at| (at - wait.from).abs() <= Span::from_micros(500)));
        }
        ours.extend(groups.into_values());
    }
}

/// Returns those frames of `of` that have one sender and equal octets, sequence number included, less than 30 s apart.
fn pieces(trace: &Trace, of: &BTreeSet<FrameId>) -> BTreeSet<Vec<FrameId>> {
    let mut open: HashMap<&[u8], Vec<FrameId>> = HashMap::new();
    let mut all = BTreeSet::new();
    for &id in of {
        let frame = &trace.capture.frames[id.index()];
        let group = open.entry(trace.capture.octets_of(frame)).or_default();
        let last = group.last().map(|last| trace.capture.frames[last.index()].at);
        if last.is_some_and(|last| frame.at - last > Span::from_secs(30)) {
            all.insert(std::mem::take(group));
        }
        group.push(id);
    }
    all.extend(open.into_values());
    all
}

/// The simulated time of the first record of a run beside the repository.
fn zero(run: &Path) -> Span {
    let truth = Table::read(&run.join("radio-truth.tsv.gz"), '\t');
    truth.rows().next().unwrap().int("start_us").map(Span::from_micros).unwrap()
}

/// Returns whether the copies of a run carry the retransmission-count option.
fn is_numbered(run: &Path) -> bool {
    let name = run.file_name().unwrap().to_string_lossy();
    ["rc-", "lee-", "accb-"].iter().any(|algorithm| name.starts_with(algorithm))
}

#[test]
fn ladders_are_what_the_simulator_and_the_motes_saw() {
    let Some(folder) = shared("cooja") else { return };
    let complete = |run: &std::path::PathBuf| run.join("radio-truth.tsv.gz").exists() && is_numbered(run);
    let all: Vec<_> = runs(&folder, "mote.log.gz").into_iter().filter(complete).collect();
    // Without being asked for all: the first run of each scenario.
    let everything = needs::everything();
    let mut seen = HashSet::new();
    let chosen = all.iter().filter(|run| everything || seen.insert(run.parent().unwrap().to_owned()));
    println!("{HEAD}");
    let mut sums = [Scores::default(); 2];
    for run in chosen {
        let truth = truth(run, zero(run));
        let reached = reached(&gunzip(&run.join("mote.log.gz")));
        let numbered = analyse(&run.join("radio.pcap.gz"), RC_OPTION);
        let number = |m: &trace::Message| (m.hop(0).unwrap().frames[0], i64::from(m.rc.unwrap_or(0)));
        let numbers: HashMap<FrameId, i64> = numbered.messages.iter().map(number).collect();
        for (sum, option) in sums.iter_mut().zip([RC_OPTION, NO_OPTION]) {
            let again = (option == NO_OPTION).then(|| analyse(&run.join("radio.pcap.gz"), option));
            let scores = score(again.as_ref().unwrap_or(&numbered), &truth, &numbers, &reached);
            let name = run.strip_prefix(&folder).unwrap().display();
            println!("{name:32} {:9} | {scores}", if option == RC_OPTION { "numbered" } else { "as any" });
            *sum += scores;
        }
    }
    for (sum, what) in sums.into_iter().zip(["numbered", "as any"]) {
        println!("{:32} {what:9} | {sum}", "all");
        assert_eq!(sum.ends.wrong, 0, "the end of a frame follows from its length");
        assert_eq!(sum.retries.wrong, 0, "retries are frames of equal octets");
        for (score, least, name) in [
            (sum.received, 999, "acknowledged frames were received"),
            (sum.through, 999, "hops that got through"),
            (sum.waits, 980, "waits"),
            (sum.arrived, 999, "copies that arrived, proven"),
            // Without numbers, where two copies were in one node, the likelier of them is said to have been sent on.
            (sum.inferred, if what == "numbered" { 950 } else { 750 }, "copies that arrived, inferred"),
            (sum.unacknowledged, 950, "copies that died without an acknowledgement"),
            (sum.incomplete, 990, "copies of which a fragment was never sent"),
            (sum.not_sent_on, if what == "numbered" { 950 } else { 700 }, "copies that a node kept"),
        ] {
            assert!(score.wrong * 1_000 <= score.all * (1_000 - least), "{name}: {score}");
        }
    }
}
