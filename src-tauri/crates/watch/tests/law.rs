//! A watched capture has the exchanges of the whole one, each once, however its octets came.

#[path = "law/captures.rs"]
mod captures;

use base::Silent;
use captures::{Capture, bundled, shared};
use proptest::prelude::*;
use std::collections::BTreeMap;
use trace::{DecodeOptions, Fate, ImportOptions, Outcome};
use watch::{Alert, Ended, Options, Rule, SeenExchange, State, Watch};

/// Facts of an exchange that watching and reading the whole capture must agree on.
#[derive(Clone, PartialEq, Debug)]
struct Facts {
    mid: u16,
    client: String,
    server: String,
    ended: Ended,
    copies: u32,
    needless: u32,
    lost: u32,
    known: u32,
    duration: Option<u64>,
}

/// Exchanges of the whole capture, by the number of their first frame.
fn whole(capture: &Capture) -> BTreeMap<u64, Facts> {
    let octets = &capture.octets[..];
    let read = trace::read("whole", octets, Some(octets.len() as u64), &ImportOptions::default(), &mut Silent);
    let trace = trace::analyse(read.expect("a capture"), &DecodeOptions::default(), &mut Silent).expect("silent");
    let mut found = BTreeMap::new();
    for exchange in &trace.exchanges {
        let association = &trace.associations[exchange.association.index()];
        let message = &trace.messages[exchange.copies[0].message.index()];
        let frames = message.hops().flat_map(|hop| hop.frames.to_vec()).chain(message.frame);
        let fates = || exchange.copies.iter().map(|copy| copy.fate);
        let answered_before = |at: usize| fates().take(at).any(|fate| matches!(fate, Fate::Answered { .. }));
        let facts = Facts {
            mid: exchange.mid,
            client: association.client_name.clone(),
            server: association.server_name.clone(),
            ended: match exchange.outcome {
                Outcome::Acked | Outcome::Separate | Outcome::Reset => Ended::Answered,
                Outcome::Abandoned => Ended::GivenUp,
                Outcome::Open => Ended::Open,
            },
            copies: exchange.copies.len() as u32,
            needless: (0..exchange.copies.len()).filter(|&at| answered_before(at)).count() as u32,
            lost: fates().filter(|fate| matches!(fate, Fate::RequestLost | Fate::ReplyLost | Fate::Lost)).count()
                as u32,
            known: fates().filter(|fate| *fate != Fate::Unknown).count() as u32,
            duration: exchange.rtt().map(|rtt| rtt.nanos() as u64),
        };
        let first = frames.min().expect("a frame").index() as u64;
        assert!(found.insert(first, facts).is_none(), "two exchanges begin with frame {first}");
    }
    found
}

fn options() -> Options {
    Options { lists_exchanges: true, ..Options::default() }
}

fn rules() -> Vec<Rule> {
    let texts = [
        "needless > 10% for 2min",
        "lost per client > 5% for 2min with 5",
        "duration_p95 of coap.code in {GET, POST, PUT} > 3s for 1min",
        "parent-changed then storm within 10min",
        "parent-changed",
        "storm",
    ];
    texts.iter().map(|text| Rule::read(text).expect(text)).collect()
}

/// Everything that a watch says.
#[derive(Clone, PartialEq, Debug, Default)]
struct Said {
    exchanges: Vec<SeenExchange>,
    alerts: Vec<Alert>,
}

impl Said {
    fn take(&mut self, watch: &mut Watch) {
        self.exchanges.extend(watch.take_exchanges());
        self.alerts.extend(watch.take_alerts());
    }
}

/// Results of watching octets that come in pieces of these lengths, again and again.
fn watched(octets: &[u8], options: Options, lengths: &[usize]) -> (Said, Watch) {
    let mut watch = Watch::new(options, rules());
    let mut said = Said::default();
    let mut rest = octets;
    for &length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at(length.min(rest.len()));
        watch.push(piece, &mut Silent).expect("a capture");
        rest = after;
    }
    watch.finish(&mut Silent).expect("silent");
    said.take(&mut watch);
    (said, watch)
}

/// Number of exchanges of which watching says something else than the whole capture, by what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Differences {
    exchanges: usize,
    missing: usize,
    more: usize,
    ended: usize,
    copies: usize,
    fates: usize,
    duration: usize,
    names: usize,
}

fn compare(whole: &BTreeMap<u64, Facts>, said: &Said) -> Differences {
    let mut found = Differences { exchanges: whole.len(), ..Differences::default() };
    let mut rest = whole.clone();
    for seen in &said.exchanges {
        let Some(facts) = rest.remove(&seen.record) else {
            found.more += 1;
            continue;
        };
        found.ended += usize::from(facts.ended != seen.ended);
        found.copies += usize::from((facts.copies, facts.mid) != (seen.copies, seen.mid));
        found.fates += usize::from((facts.needless, facts.lost, facts.known) != (seen.needless, seen.lost, seen.known));
        found.duration += usize::from(facts.duration != seen.duration);
        found.names += usize::from((&facts.client, &facts.server) != (&seen.client, &seen.server));
    }
    found.missing = rest.len();
    found
}

/// Field of a pcap file.
fn field(octets: &[u8], at: usize) -> Option<u32> {
    let field = octets.get(at..at + 4)?.try_into().expect("four octets");
    let is_big = octets[0] == 0xa1;
    Some(if is_big { u32::from_be_bytes(field) } else { u32::from_le_bytes(field) })
}

/// Places where the records of a pcap file begin, and where it ends.
fn borders(octets: &[u8]) -> Vec<usize> {
    let next = |&at: &usize| Some(at + 16 + field(octets, at + 8)? as usize);
    std::iter::successors(Some(24), next).collect()
}

/// `second` after `first`, half an hour later, in one pcap file.
fn after(first: &[u8], second: &[u8]) -> Vec<u8> {
    let (begun, ended) = (borders(second), borders(first));
    let shift = field(first, ended[ended.len() - 2]).expect("a record") + 1_800 - field(second, 24).expect("a record");
    let mut joined = first.to_vec();
    for places in begun.windows(2) {
        let seconds = field(second, places[0]).expect("a record") + shift;
        let is_big = first[0] == 0xa1;
        joined.extend_from_slice(&if is_big { seconds.to_be_bytes() } else { seconds.to_le_bytes() });
        joined.extend_from_slice(&second[places[0] + 4..places[1]]);
    }
    joined
}

/// A bundled capture.
fn capture(name: &str) -> Capture {
    bundled().into_iter().find(|capture| capture.name == name).unwrap_or_else(|| panic!("no bundled capture {name}"))
}

/// Fates are judged with the statistics of an association, which a window knows of ten minutes and a whole capture of
/// all: of one exchange in seventy of a storm, and of one in two thousand of the rest, they come out otherwise. An
/// exchange for which its client still waits after [`Options::LIFETIME`] is open to a window.
#[test]
fn exchanges_are_those_of_the_whole_capture() {
    let captures: Vec<Capture> =
        bundled().into_iter().chain(if needs::everything() { shared() } else { Vec::new() }).collect();
    assert!(captures.len() >= 15, "{}", captures.len());
    let mut sum = Differences::default();
    for capture in captures {
        let (said, _) = watched(&capture.octets, options(), &[1 << 16]);
        let found = compare(&whole(&capture), &said);
        println!("{}: {found:?}", capture.name);
        let Differences { exchanges, missing, more, ended, copies, fates, duration, names } = found;
        assert_eq!((missing, more, copies, names), (0, 0, 0, 0), "{}", capture.name);
        assert!(fates * 50 <= exchanges && (ended + duration) * 100 <= exchanges, "{}: {found:?}", capture.name);
        sum.exchanges += exchanges;
        sum.fates += fates;
        sum.ended += ended;
    }
    println!("all: {sum:?}");
    assert!(sum.fates * 1_000 <= sum.exchanges && sum.ended * 10_000 <= sum.exchanges, "{sum:?}");
    assert!(sum.exchanges > 5_000, "{sum:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: needs::cases(3), ..ProptestConfig::default() })]

    /// However the octets come, and wherever the program ends and begins again, what is said is the same.
    #[test]
    fn cuts_and_restarts_change_nothing(
        lengths in prop::collection::vec(1..200_000_usize, 1..8),
        stops in prop::collection::vec(0.0..1.0_f64, 0..4),
    ) {
        let capture = capture("tsch-slow-chain5-default");
        let octets = &capture.octets[..];
        let (expected, at_end) = watched(octets, options(), &[octets.len()]);
        let mut stops: Vec<usize> = stops.iter().map(|part| (part * octets.len() as f64) as usize).collect();
        stops.sort_unstable();
        let mut watch = Watch::new(options(), rules());
        let mut said = Said::default();
        let mut from = 0;
        for stop in stops.into_iter().chain([octets.len()]) {
            let mut lengths = lengths.iter().cycle();
            while from < stop {
                let length = (*lengths.next().expect("endless")).min(stop - from);
                watch.push(&octets[from..from + length], &mut Silent).expect("a capture");
                from += length;
            }
            said.take(&mut watch);
            if stop < octets.len() {
                let text = serde_json::to_string(&watch.state()).expect("JSON");
                let state: State = serde_json::from_str(&text).expect("the same state");
                prop_assert_eq!(&state, &watch.state());
                from = state.place().offset as usize;
                prop_assert!(from <= stop);
                watch = Watch::resume(options(), rules(), state).expect("a state");
            }
        }
        watch.finish(&mut Silent).expect("silent");
        said.take(&mut watch);
        prop_assert_eq!(&said.alerts, &expected.alerts);
        prop_assert_eq!(&said.exchanges, &expected.exchanges);
        prop_assert_eq!(watch.totals(), at_end.totals());
        prop_assert!(said.alerts.len() > 3);
    }

    /// Damage costs records and is counted, and nothing panics.
    #[test]
    fn damage_is_counted(at in 30..200_000_usize, garbage in prop::collection::vec(any::<u8>(), 1..600)) {
        let mut octets = capture("live-bottleneck-cocoa").octets;
        let at = at.min(octets.len() - 1);
        octets.splice(at..at, garbage);
        let (said, watch) = watched(&octets, options(), &[4_096]);
        let totals = watch.totals();
        prop_assert!(totals.skipped + totals.damaged > 0 || totals.frames > 0);
        prop_assert_eq!(totals.all.exchanges as usize, said.exchanges.len());
        let records: std::collections::BTreeSet<u64> = said.exchanges.iter().map(|seen| seen.record).collect();
        prop_assert_eq!(records.len(), said.exchanges.len(), "each once");
    }
}

#[test]
fn a_file_that_is_replaced_goes_on_in_the_next() {
    let capture = capture("tsch-slow-chain5-default");
    let octets = &capture.octets[..];
    let borders = borders(octets);
    let (expected, _) = watched(octets, options(), &[octets.len()]);
    let mut watch = Watch::new(options(), rules());
    let mut said = Said::default();
    let cuts = [24, borders[borders.len() / 3], borders[borders.len() / 2], octets.len()];
    for (number, places) in cuts.windows(2).enumerate() {
        if number > 0 {
            watch.begin_file();
            // A restart between two files: the window reaches back into the first.
            let state = watch.state();
            assert!((state.place().file as usize) < number, "{:?}", state.place());
        }
        watch.push(&octets[..24], &mut Silent).expect("a header");
        watch.push(&octets[places[0]..places[1]], &mut Silent).expect("records");
    }
    watch.finish(&mut Silent).expect("silent");
    said.take(&mut watch);
    assert_eq!(said, expected);
    assert_eq!(watch.totals().ended_windows, 0);
}

#[test]
fn a_file_of_another_kind_ends_the_window() {
    let (one, other) = (capture("live-short-default"), capture("tsch-slow-chain5-default"));
    assert_ne!(one.octets[..24], other.octets[..24]);
    let mut watch = Watch::new(options(), rules());
    watch.push(&one.octets, &mut Silent).expect("a capture");
    watch.begin_file();
    watch.push(&other.octets, &mut Silent).expect("a capture");
    watch.finish(&mut Silent).expect("silent");
    let exchanges = whole(&one).len() + whole(&other).len();
    assert_eq!((watch.take_exchanges().len(), watch.totals().ended_windows), (exchanges, 1));
}

#[test]
fn a_clock_that_is_set_by_years_ends_the_window() {
    let mut octets = capture("live-short-default").octets;
    let places = borders(&octets);
    let is_big = octets[0] == 0xa1;
    // A sniffer without a clock of its own: 1970 at first, and again after a restart.
    for (at, &place) in places.iter().enumerate().filter(|(at, _)| at * 3 < places.len() || at * 3 > places.len() * 2) {
        if let Some(seconds) = field(&octets, place) {
            let seconds = seconds % 1_000_000 + u32::from(at * 2 > places.len()) * 100;
            octets[place..place + 4].copy_from_slice(&if is_big {
                seconds.to_be_bytes()
            } else {
                seconds.to_le_bytes()
            });
        }
    }
    let (said, watch) = watched(&octets, options(), &[5_000]);
    assert_eq!((watch.totals().ended_windows, watch.totals().set_back), (2, 1));
    let all = whole(&capture("live-short-default")).len();
    assert!((all..all + 20).contains(&said.exchanges.len()), "{} of {all}", said.exchanges.len());
}

/// The capture as pcapng with nanoseconds.
fn as_pcapng(capture: &Capture) -> Vec<u8> {
    let octets = &capture.octets[..];
    let section = trace::export::Section::default();
    let mut file = Vec::new();
    let mut writer = trace::export::Writer::new(&mut file, &section).expect("in memory");
    let link = field(octets, 20).expect("a header") as u16;
    let interface = writer.interface(link, "", "").expect("in memory");
    for places in borders(octets).windows(2) {
        let number = |at: usize| i64::from(field(octets, places[0] + at).expect("a record"));
        let at = number(0) * 1_000_000_000 + number(4) * 1_000;
        writer.packet(interface, at, &octets[places[0] + 16..places[1]], number(12) as u32, []).expect("in memory");
    }
    writer.flush().expect("in memory");
    file
}

#[test]
fn pcapng_is_watched_as_pcap_is() {
    let capture = capture("tsch-slow-chain5-default");
    let (expected, _) = watched(&capture.octets, options(), &[usize::MAX]);
    let octets = as_pcapng(&capture);
    let (said, watch) = watched(&octets, options(), &[10_007]);
    assert_eq!(said.alerts, expected.alerts);
    assert_eq!(said.exchanges, expected.exchanges);
    assert_eq!(watch.totals().skipped, 0);
    // A second section, as of another file that was appended.
    let twice = [&octets[..], &octets[..]].concat();
    let (said, _) = watched(&twice, options(), &[10_007]);
    assert!(said.exchanges.len() > expected.exchanges.len());
}

#[test]
fn a_window_that_is_full_loses_nothing_and_says_so() {
    let capture = capture("tsch-slow-chain5-default");
    let most = 900;
    let mut watch = Watch::new(Options { most_frames: most, ..options() }, rules());
    let mut said = Said::default();
    for piece in capture.octets.chunks(5_000) {
        watch.push(piece, &mut Silent).expect("a capture");
        assert!(watch.window().0 <= most, "{:?}", watch.window());
    }
    watch.finish(&mut Silent).expect("silent");
    said.take(&mut watch);
    let found = compare(&whole(&capture), &said);
    assert_eq!(found.missing, 0, "{found:?}");
    let early = watch.totals().early;
    assert!(early > 100 && early < said.exchanges.len() as u64, "{early}");
}

/// Changes of timers that are said of a capture.
fn timer_changes(octets: &[u8]) -> Vec<String> {
    let rule = Rule::read("timer-changed").expect("a rule");
    let mut watch = Watch::new(Options::default(), vec![rule]);
    watch.push(octets, &mut Silent).expect("a capture");
    watch.finish(&mut Silent).expect("silent");
    watch.take_alerts().into_iter().map(|alert| alert.text).collect()
}

#[test]
fn a_timer_that_changed_is_told_and_one_that_did_not_is_not() {
    let [default, again, linux] =
        ["live-ge-default", "live-ge-default-again", "live-ge-linux"].map(|name| capture(name).octets);
    assert_eq!(timer_changes(&after(&default, &again)), [""; 0]);
    let told = timer_changes(&after(&default, &linux));
    assert!(told.len() == 1 && told[0].contains(" fit linux_rto"), "{told:?}");
}

#[test]
fn other_constants_are_another_timer() {
    let Some(world) = needs::shared("cooja/chain6-periodic") else { return };
    let run = |name: &str| captures::unpacked(&world.join(name).join("radio.pcap.gz")).expect("a run").octets;
    let default = run("default-seed1");
    assert_eq!(timer_changes(&after(&default, &run("default-seed2"))), [""; 0]);
    let told = timer_changes(&after(&default, &run("contiki3s-seed1")));
    assert!(!told.is_empty() && told.iter().all(|text| text.contains(" fit coap_contiki")), "{told:?}");
}

#[test]
fn no_run_of_one_timer_is_taken_for_a_change() {
    let all = || bundled().into_iter().chain(shared()).collect::<Vec<_>>();
    let some = || ["live-ge-cocoa", "live-ge-linux", "live-bottleneck-cocoa"].map(capture).into();
    let captures: Vec<Capture> = if needs::everything() { all() } else { some() };
    for capture in captures {
        assert_eq!(timer_changes(&capture.octets), [""; 0], "{}", capture.name);
    }
}
