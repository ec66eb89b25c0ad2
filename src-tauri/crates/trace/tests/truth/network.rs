//! Links and parents against what the simulator and the motes wrote down.
//!
//! The text log has a row for each frame with who received it; the same run's pcap has not, and shows how far
//! link-layer acknowledgements replace it. The motes of RPL-lite runs print their parent every minute
//! (`NET parent=P rank=R`). `RTOSCOPE_ALL=1` takes every run beside the repository, else one of each scenario.

use crate::bundle;
use crate::bundle::{NO_OPTION, analyse, bundled_with, gunzip, shared};
use base::{Instant, Silent, Span};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trace::network::{self, LossEvidence, Network, Role};
use trace::{Places, Trace};

fn network_of(trace: &Trace) -> Network {
    network::of(trace, &Places::of(trace, &mut Silent).unwrap(), &|_, _| false, &mut Silent).unwrap()
}

/// Counts over the rows of a text log for one link.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Expect {
    frames: u64,
    unique: u64,
    lost: u64,
}

/// Reads a log without the code under test: sender and receivers from the columns, frame type, sequence number and
/// addressee (`00:n:00:n:00:n:00:n`) from the octets of frames with extended addresses.
fn expect(text: &str) -> BTreeMap<(u32, u32), Expect> {
    let mut links: BTreeMap<(u32, u32), Expect> = BTreeMap::new();
    let mut last: BTreeMap<(u32, u32), (i64, String)> = BTreeMap::new();
    for line in text.lines() {
        let [time, from, to, frame] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let hex: String = frame.split_once("0x").unwrap().1.split(' ').collect();
        let octet = |at: usize| u16::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap();
        let control = octet(0) | octet(1) << 8;
        if control & 7 != 1 || control >> 10 & 3 != 3 {
            continue;
        }
        let addressee = u32::from(octet(5) | octet(6) << 8);
        let from: u32 = from.parse().unwrap();
        let link = links.entry((from, addressee)).or_default();
        link.frames += 1;
        link.lost += u64::from(!to.split(',').any(|to| to.parse() == Ok(addressee)));
        let time: i64 = time.parse().unwrap();
        let before = last.insert((from, addressee), (time, hex.clone()));
        link.unique += u64::from(before.is_none_or(|(at, octets)| octets != hex || time - at > 30_000));
    }
    links
}

/// Runs beside the repository that have `file`: one of each scenario, or all.
fn some_runs(file: &str) -> Vec<PathBuf> {
    let Some(folder) = shared("cooja") else { return Vec::new() };
    let mut runs = bundle::runs(&folder, file);
    if !needs::everything() {
        // One of the largest takes as long as all the others together.
        runs.retain(|run| !run.to_string_lossy().contains("perf-"));
        runs.dedup_by_key(|run| run.parent().unwrap().to_owned());
    }
    runs
}

fn name(run: &Path) -> String {
    let parts: Vec<_> = run.iter().rev().take(2).map(|part| part.to_string_lossy().into_owned()).collect();
    format!("{}/{}", parts[1], parts[0])
}

/// Links of `network` by mote numbers.
fn links(network: &Network) -> BTreeMap<(u32, u32), &network::Link> {
    let mote = |id: usize| network.nodes[id].mote.unwrap();
    network.links.iter().map(|link| ((mote(link.from), mote(link.to)), link)).collect()
}

#[test]
fn every_frame_of_every_link_as_the_simulator_logged_it() {
    let mut logs: Vec<(String, PathBuf)> = bundled_with("radiolog")
        .into_iter()
        .filter(|trace| !trace.id.starts_with("contiki30"))
        .map(|trace| (trace.id.clone(), trace.file("radiolog").unwrap()))
        .collect();
    assert!(!logs.is_empty());
    logs.extend(
        some_runs("radiolog.txt.gz")
            .into_iter()
            .filter(|run| !run.to_string_lossy().contains("contiki30"))
            .map(|run| (name(&run), run.join("radiolog.txt.gz"))),
    );
    let (mut all, mut lost, mut count) = (0, 0, 0);
    for (name, log) in &logs {
        let network = network_of(&analyse(log, NO_OPTION));
        let ours: BTreeMap<_, _> = links(&network)
            .into_iter()
            .map(|(ends, link)| {
                assert_eq!(link.evidence, LossEvidence::Log, "{name} {ends:?}");
                assert_eq!(link.lost.trials, link.frames, "{name} {ends:?}: each frame is judged");
                (ends, Expect { frames: link.frames, unique: link.unique, lost: link.lost.hits })
            })
            .collect();
        assert_eq!(ours, expect(&gunzip(log)), "{name}");
        all += ours.values().map(|link| link.frames).sum::<u64>();
        lost += ours.values().map(|link| link.lost).sum::<u64>();
        count += ours.len();
    }
    println!("{} runs, {count} links, {all} frames, {lost} of them lost: all as logged", logs.len());
}

#[test]
fn acknowledgements_bound_loss_from_above() {
    for run in some_runs("radiolog.txt.gz") {
        if run.to_string_lossy().contains("contiki30") {
            continue;
        }
        let truth = expect(&gunzip(&run.join("radiolog.txt.gz")));
        let network = network_of(&analyse(&run.join("radio.pcap.gz"), NO_OPTION));
        let (mut judged, mut ours_lost, mut truly_lost, mut inside, mut large) = (0, 0, 0, 0, 0);
        for (ends, link) in links(&network) {
            let expect = truth[&ends];
            assert_eq!((link.frames, link.unique), (expect.frames, expect.unique), "{} {ends:?}", name(&run));
            if link.evidence == LossEvidence::Unknown {
                continue;
            }
            assert_eq!(link.evidence, LossEvidence::Acks);
            judged += link.lost.trials;
            ours_lost += link.lost.hits;
            truly_lost += expect.lost;
            if link.lost.trials >= 50 {
                large += 1;
                let (low, high) = link.lost.interval95().unwrap();
                let share = expect.lost as f64 / expect.frames as f64;
                inside += usize::from((low..=high).contains(&share));
            }
        }
        let share = |lost: u64| 100.0 * lost as f64 / judged as f64;
        println!(
            "{:40} {judged:6} frames judged: {:5.2} % lost by acknowledgements, {:5.2} % by the log; {inside} of {large} links inside",
            name(&run),
            share(ours_lost),
            share(truly_lost)
        );
        assert!(judged > 0);
        // A frame that was received may go without an acknowledgement, most of all where the channel is full; the other
        // way round, one of another frame with the same number is mistaken for its own now and then.
        let above = share(ours_lost) - share(truly_lost);
        assert!((-0.5..8.0).contains(&above), "{}: {above}", name(&run));
    }
}

/// Times, motes and parents of the lines `NET parent=P rank=R`.
fn printed(log: &Path) -> Vec<(Instant, u32, u32)> {
    let line = |line: &str| {
        let (time, rest) = line.split_once(':')?;
        let (mote, text) = rest.split_once(':')?;
        let parent = text.strip_prefix("NET parent=")?.split(' ').next()?.parse().ok()?;
        let at = Instant::ZERO + Span::from_micros(time.parse().ok()?);
        (parent > 0).then_some((at, mote.parse().ok()?, parent))
    };
    gunzip(log).lines().filter_map(line).collect()
}

#[test]
fn parents_are_those_that_the_motes_print() {
    let (mut right, mut late, mut wrong) = (0, 0, 0);
    for run in some_runs("radiolog.txt.gz") {
        let log = run.join("mote.log.gz");
        let lines = if log.exists() { printed(&log) } else { Vec::new() };
        if lines.is_empty() {
            continue;
        }
        let network = network_of(&analyse(&run.join("radiolog.txt.gz"), NO_OPTION));
        assert_eq!(network.mode_of_operation, Some(1), "{}: non-storing", name(&run));
        let roots: Vec<_> = network.nodes.iter().filter(|node| node.role == Role::Root).map(|node| node.mote).collect();
        assert_eq!(roots, [Some(1)], "{}", name(&run));
        let (mut now, mut soon, mut no) = (0, 0, 0);
        for (at, mote, parent) in lines {
            let node = network.nodes.iter().find(|node| node.mote == Some(mote)).unwrap();
            let is = |at: Instant| node.parent_at(at).is_some_and(|id| network.nodes[id].mote == Some(parent));
            // A node tells its new parent with its next DAO, which takes its time where much is lost.
            match (is(at), is(at + Span::from_secs(60)) || is(at - Span::from_secs(60))) {
                (true, _) => now += 1,
                (false, true) => soon += 1,
                (false, false) => no += 1,
            }
        }
        println!("{:40} {now} parents as printed, {soon} within a minute, {no} otherwise", name(&run));
        right += now;
        late += soon;
        wrong += no;
    }
    println!("all: {right} as printed, {late} within a minute, {wrong} otherwise");
    assert!(wrong * 20 <= right + late, "{wrong} of {}", right + late + wrong);
}

#[test]
fn parents_in_a_grid_are_in_radio_range() {
    for run in some_runs("radiolog.txt.gz") {
        if !run.to_string_lossy().contains("grid3x3") {
            continue;
        }
        let network = network_of(&analyse(&run.join("radio.pcap.gz"), NO_OPTION));
        assert_eq!(network.mode_of_operation, Some(2), "{}: storing", name(&run));
        assert_eq!(network.nodes.len(), 9);
        // Rows of three, 35 m apart; the radio reaches 50 m (the scenario's README).
        let place = |mote: u32| (i64::from((mote - 1) % 3) * 35, i64::from((mote - 1) / 3) * 35);
        let mut changes = 0;
        for node in &network.nodes {
            let mote = node.mote.unwrap();
            assert_eq!((node.role == Role::Root, node.parents.is_empty()), (mote == 1, mote == 1), "{}", name(&run));
            for parent in &node.parents {
                let ((x, y), (u, v)) = (place(mote), place(network.nodes[parent.node].mote.unwrap()));
                assert!((x - u).pow(2) + (y - v).pow(2) <= 2_500, "{} mote {mote}: {parent:?}", name(&run));
            }
            changes += node.parents.len().saturating_sub(1);
            // Up the tree every node comes to the root, which alone is at its top.
            assert_eq!(node.above.is_none(), mote == 1, "{}", name(&run));
        }
        println!("{:40} {changes} changes of parents, all within range", name(&run));
    }
}

#[test]
fn a_chain_is_a_chain() {
    for run in some_runs("radiolog.txt.gz") {
        if !run.to_string_lossy().contains("chain") || run.to_string_lossy().contains("contiki30") {
            continue;
        }
        let network = network_of(&analyse(&run.join("radio.pcap.gz"), NO_OPTION));
        for (place, node) in network.nodes.iter().enumerate() {
            let mote = node.mote.unwrap();
            assert_eq!((mote as usize, node.above), (place + 1, place.checked_sub(1)), "{}", name(&run));
            // Motes 40 m apart reach 50 m: nobody else can be a parent.
            let parents: Vec<_> = node.parents.iter().map(|parent| network.nodes[parent.node].mote.unwrap()).collect();
            assert_eq!(parents, if mote == 1 { vec![] } else { vec![mote - 1] }, "{} mote {mote}", name(&run));
        }
    }
}
