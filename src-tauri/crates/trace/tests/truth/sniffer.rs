//! The same runs as one sniffer would have recorded them: what is beyond its range is not there, and of the rest one
//! frame in twenty is missing. Much becomes unknown; what is claimed all the same must be true.

use crate::bundle;
use crate::bundle::{NO_OPTION, RC_OPTION, Score, Table, bundled_with, gunzip, runs, shared};
use crate::motes::{Truth, identity, is_numbered, zero};
use base::{FrameId, MessageId, Silent, Span};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use trace::{Capture, DecodeOptions, Evidence, Exchange, Fate, Head, ImportOptions, Outcome, Trace, Vantage};

/// Frames that the sniffer loses at random, of this many one.
const LOSES_ONE_IN: u64 = 20;

/// A node is within range of the sniffer where its radio began to receive at least one in this many of its frames: a
/// receiver that sends itself, sleeps or is on another channel receives less than all.
const IN_RANGE_ONE_IN: usize = 10;

/// Numbers that look random: SplitMix64 (Steele, Lea and Flood 2014), keyed by what they are for.
fn keyed(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the frames of a run that a sniffer beside `node` records.
fn heard(run: &Path, node: &str) -> Vec<bool> {
    let truth = Table::read(&run.join("radio-truth.tsv.gz"), '\t');
    let mut sent: HashMap<&str, (usize, usize)> = HashMap::new();
    for row in truth.rows() {
        let (all, began) = sent.entry(row.text("src")).or_default();
        *all += 1;
        *began += usize::from(row.text("dest_all").split(',').any(|by| by == node));
    }
    let in_range = |src: &str| src == node || sent[src].1 * IN_RANGE_ONE_IN >= sent[src].0;
    let seed = node.parse::<u64>().unwrap();
    let kept = |(index, src): (u64, &str)| in_range(src) && !keyed(seed, index).is_multiple_of(LOSES_ONE_IN);
    (0..).zip(truth.rows().map(|row| row.text("src"))).map(kept).collect()
}

/// Capture of a sniffer that records these frames of a capture, and their numbers there.
fn through(capture: &Capture, heard: &[bool]) -> (Capture, Vec<FrameId>) {
    assert_eq!(capture.frames.len(), heard.len(), "the truth is of another capture");
    let mut seen = capture.clone();
    let mut ear = heard.iter();
    seen.frames.retain(|_| *ear.next().unwrap());
    let kept = (0..heard.len()).filter(|&at| heard[at]).map(FrameId::at).collect();
    (seen, kept)
}

fn analyse(capture: Capture, rc_option: u16) -> Trace {
    trace::analyse(capture, &DecodeOptions { rc_option, ..DecodeOptions::default() }, &mut Silent).unwrap()
}

/// Comparison of the sniffer's view of a run with the truth.
#[derive(Default)]
struct View {
    vantages: BTreeMap<&'static str, usize>,
    /// Exchanges and copies that went on the air, and of those the seen ones.
    exchanges: (usize, usize),
    copies: (usize, usize),
    /// Copies that are seen as two: where the sniffer missed a hop, the next one looks like another copy.
    twice: usize,
    fates: Score,
    /// Outcomes: right and wrong.
    outcomes: (usize, usize),
    /// First copies that are said to be the first that were sent, right and wrong; and those that are not said to.
    heads: (usize, usize, usize),
    /// Time when the client began and ended exchanges, as estimated where the sniffer is elsewhere: |error|, ms, and
    /// how many are within the error that is said.
    times: Vec<f64>,
    within: usize,
}

impl View {
    fn add(&mut self, other: &Self) {
        for (vantage, count) in &other.vantages {
            *self.vantages.entry(vantage).or_default() += count;
        }
        let sum = |a: &mut (usize, usize), b: (usize, usize)| *a = (a.0 + b.0, a.1 + b.1);
        sum(&mut self.exchanges, other.exchanges);
        sum(&mut self.copies, other.copies);
        sum(&mut self.outcomes, other.outcomes);
        self.twice += other.twice;
        self.fates.add(other.fates);
        self.heads = (self.heads.0 + other.heads.0, self.heads.1 + other.heads.1, self.heads.2 + other.heads.2);
        self.times.extend(&other.times);
        self.within += other.within;
    }

    fn print(&self, name: &str) {
        let Self { exchanges, copies, outcomes, .. } = self;
        let unknown = self.fates.unknown.0 + self.fates.unknown.1;
        let all = self.fates.proven.0 + self.fates.proven.1 + self.fates.inferred.0 + self.fates.inferred.1 + unknown;
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        let time = |num: usize, den: usize| times.get(times.len().saturating_sub(1) * num / den).unwrap_or(&f64::NAN);
        println!(
            "{name:38} |{:5} of {:5} |{:5} of {:5}, {:3} twice |{:5} {:4} | {} | {:5.1}% |{:6} {:3} {:6} |{:6} {:6.1} {:8.1} {:4.0}% | {:?}",
            exchanges.1,
            exchanges.0,
            copies.1,
            copies.0,
            self.twice,
            outcomes.0,
            outcomes.1,
            self.fates,
            100.0 * unknown as f64 / all.max(1) as f64,
            self.heads.0,
            self.heads.1,
            self.heads.2,
            times.len(),
            time(1, 2),
            time(9, 10),
            100.0 * self.within as f64 / times.len().max(1) as f64,
            self.vantages
        );
    }
}

impl View {
    /// Compare the client's times of an exchange that the sniffer saw from elsewhere with those of the whole capture.
    fn times_of(&mut self, seen: &Trace, exchange: &Exchange, truly: &Exchange, epoch: Option<i64>) {
        let association = &seen.associations[exchange.association.index()];
        if association.correction.request == Span::ZERO {
            return;
        }
        let shift = Span::from_nanos(seen.capture.epoch_unix_nanos.unwrap() - epoch.unwrap());
        // Copies are compared one by one: the sniffer may have missed the first.
        for copy in &exchange.copies {
            let errors = truly.copies.iter().map(|t| ((copy.sent + shift) - t.sent).abs());
            if let Some(error) = errors.min() {
                self.times.push(error.secs_f64() * 1e3);
                self.within += usize::from(error <= association.correction.error);
            }
        }
    }
}

const fn name_of(vantage: Vantage) -> &'static str {
    match vantage {
        Vantage::Client => "client",
        Vantage::Server => "server",
        Vantage::Between => "between",
        Vantage::Everywhere => "everywhere",
    }
}

/// The first frame of each message that a frame belongs to.
fn messages_of(trace: &Trace) -> HashMap<FrameId, MessageId> {
    let hops = trace.messages.iter().flat_map(|m| m.hops().map(move |hop| (m.id, hop)));
    hops.flat_map(|(id, hop)| hop.frames.iter().map(move |&frame| (frame, id))).collect()
}

/// The run's own end of each exchange.
fn outcomes(run: &Path) -> HashMap<(i64, i64), String> {
    let table = Table::read(&run.join("exchanges.tsv.gz"), '\t');
    let one =
        |row: bundle::Row<'_>| ((row.int("client").unwrap(), row.int("mid").unwrap()), row.text("result").to_owned());
    table.rows().map(one).collect()
}

/// Compare what the sniffer's view says with the truth. `whole` is the whole capture with its numbered copies.
fn view(
    name: &str,
    seen: &Trace,
    kept: &[FrameId],
    whole: &Trace,
    truth: &Truth,
    outcomes: &HashMap<(i64, i64), String>,
) -> View {
    let mut view = View::default();
    for association in &seen.associations {
        *view.vantages.entry(name_of(association.vantage)).or_default() += 1;
    }
    let places = messages_of(whole);
    let truly: HashMap<(i64, i64), &Exchange> = whole.exchanges.iter().map(|e| (identity(whole, e), e)).collect();
    let copies = |e: &Exchange| e.copies.len();
    view.exchanges = (whole.exchanges.len(), seen.exchanges.len());
    view.copies = (whole.exchanges.iter().map(copies).sum(), seen.exchanges.iter().map(copies).sum());
    for exchange in &seen.exchanges {
        let (client, mid) = identity(seen, exchange);
        let ended = match outcomes[&(client, mid)].as_str() {
            "acked" => Outcome::Acked,
            "failed" => Outcome::Abandoned,
            _ => Outcome::Open,
        };
        let right = ended == exchange.outcome;
        view.outcomes = (view.outcomes.0 + usize::from(right), view.outcomes.1 + usize::from(!right));
        view.times_of(seen, exchange, truly[&(client, mid)], whole.capture.epoch_unix_nanos);
        let mut numbers = HashSet::new();
        for copy in &exchange.copies {
            let frame = kept[seen.messages[copy.message.index()].hop(0).unwrap().frames[0].index()];
            let number = i64::from(whole.messages[places[&frame].index()].rc.unwrap_or(0));
            view.twice += usize::from(!numbers.insert(number));
            if copy.message == exchange.copies[0].message {
                match exchange.head {
                    Head::Seen if number == 0 => view.heads.0 += 1,
                    Head::Seen => view.heads.1 += 1,
                    Head::Missing | Head::Perhaps => view.heads.2 += 1,
                }
            }
            let id = (client, mid, number);
            let (reached, answered) = (truth.reached.contains(&id), truth.answered.contains(&id));
            let right = match copy.fate {
                Fate::Answered { .. } => answered,
                Fate::ReplyLost => reached && !answered,
                Fate::RequestLost => !reached,
                Fate::Lost => !answered,
                Fate::Unknown => {
                    view.fates.unknown.0 += 1;
                    continue;
                }
            };
            view.fates.count(copy.evidence, right);
            if !right && copy.evidence == Evidence::Proven {
                println!("{name} {client} {mid} copy {number}: {:?}, but {reached} {answered}", copy.fate);
            }
        }
    }
    view
}

#[test]
fn grades_stay_true_for_one_sniffer() {
    let Some(folder) = shared("cooja") else { return };
    let everything = needs::everything();
    println!(
        "{:38} | exchanges      | copies                    | outcomes   | {:^21} | {:^21} | {:^21} | unknown",
        "", "proven", "inferred", "unknown"
    );
    let mut sums: BTreeMap<(&str, bool), View> = BTreeMap::new();
    for run in runs(&folder, "mote.log.gz").into_iter().filter(|run| is_numbered(run)) {
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        if !everything && !name.ends_with("/rc-seed1") {
            continue;
        }
        let (middle, leaf) = match name.split('/').next().unwrap() {
            "chain6-periodic" => ("3", "6"),
            scenario if scenario.starts_with("tsch") => ("3", "5"),
            _ => ("5", "9"),
        };
        let capture = trace::open(&run.join("radio.pcap.gz"), &ImportOptions::default(), &mut Silent).unwrap();
        let whole = analyse(capture.clone(), RC_OPTION);
        let truth = Truth::new(&gunzip(&run.join("mote.log.gz")), &whole, zero(&run));
        let outcomes = outcomes(&run);
        for (where_, node) in [("router", "1"), ("middle", middle), ("leaf", leaf)] {
            let (seen, kept) = through(&capture, &heard(&run, node));
            for (option, numbered) in [(NO_OPTION, false), (RC_OPTION, true)] {
                let name = format!("{name} {where_:6} {}", if numbered { "RC" } else { "--" });
                let view = view(&name, &analyse(seen.clone(), option), &kept, &whole, &truth, &outcomes);
                view.print(&name);
                sums.entry((where_, numbered)).or_default().add(&view);
            }
        }
    }
    for ((where_, numbered), sum) in &sums {
        sum.print(&format!("all runs {where_} {}", if *numbered { "RC" } else { "--" }));
    }
    for sum in sums.values() {
        let (proven, inferred) = (sum.fates.proven, sum.fates.inferred);
        assert!(proven.1 * 100 <= proven.0 + proven.1, "proven: less than 99 % right");
        assert!(inferred.1 * 20 <= inferred.0 + inferred.1, "inferred: less than 95 % right");
        assert!(sum.twice * 500 <= sum.copies.1, "{} of {} copies are seen as two", sum.twice, sum.copies.1);
    }
    let heads = sums.values().fold((0, 0), |sum, view| (sum.0 + view.heads.0, sum.1 + view.heads.1));
    assert!(heads.1 * 1_000 <= heads.0, "first copies that were not the first: {heads:?}");
}

/// Hops behind one that the sniffer missed are no other copy.
#[test]
fn a_missed_hop_makes_no_copy_of_its_own() {
    let bundled = bundled_with("exchanges").into_iter().find(|b| b.id == "chain6-periodic-rc").unwrap();
    let capture = trace::open(&bundled.file("capture").unwrap(), &ImportOptions::default(), &mut Silent).unwrap();
    let heard: Vec<bool> =
        (0..capture.frames.len() as u64).map(|at| !keyed(1, at).is_multiple_of(LOSES_ONE_IN)).collect();
    let (seen, kept) = through(&capture, &heard);
    let (whole, seen) = (analyse(capture, RC_OPTION), analyse(seen, NO_OPTION));
    let places = messages_of(&whole);
    let copies: Vec<MessageId> = seen
        .exchanges
        .iter()
        .flat_map(|e| e.copies.iter())
        .map(|copy| places[&kept[seen.messages[copy.message.index()].hop(0).unwrap().frames[0].index()]])
        .collect();
    let different = copies.iter().collect::<HashSet<_>>().len();
    println!("{} of {} copies are seen as two", copies.len() - different, copies.len());
    assert!((copies.len() - different) * 200 <= copies.len());
}
