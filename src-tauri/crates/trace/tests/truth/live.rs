//! Exchanges rebuilt from a capture at the client against what the client and the link logged.
//!
//! `client.csv` has every copy with the timer chosen for it and how each exchange ended; `proxy.csv` what became of
//! every datagram on the link, and which copy each reply answers.

use crate::bundle::{NO_OPTION, Row, Score, Table, analyse, bundled_with, runs, shared};
use base::{Instant, Span};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use trace::{Copy, Evidence, Fate, Outcome, Trace};

/// The client logs a copy just before it gives it to the socket, and an answer when its stack has worked on it.
const CLIENT_TOLERANCE: Span = Span::from_millis(20);

/// Key of an exchange: the client's number and the Message ID.
type Id = (i64, i64);

/// Log of the client about one exchange.
#[derive(Default)]
struct Logged {
    sent: Vec<Instant>,
    /// `ACK` or `TIMEOUT`, and when.
    end: Option<(String, Instant)>,
}

/// True fate of one copy: lost on its way there, or its reply on the way back, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Really {
    RequestLost,
    ReplyLost,
    Answered,
}

#[derive(Default, Debug)]
struct Account {
    exchanges: usize,
    copies: usize,
    unexplained: usize,
    /// |reply in the capture - in the client's log|, ms.
    reply: Vec<f64>,
    /// |round-trip time of the capture - of the client's log|, ms: from the first copy, as logged.
    rtt: Vec<f64>,
}

/// The first runs had one client, and no column for it.
fn id(row: Row<'_>) -> Id {
    (if row.has("client") { row.int("client").unwrap() } else { 0 }, row.int("mid").unwrap())
}

fn at(row: Row<'_>, trace: &Trace) -> Instant {
    Instant::from_nanos(row.nanos("epoch") - trace.capture.epoch_unix_nanos.unwrap())
}

fn exchanges(trace: &Trace) -> BTreeMap<Id, &trace::Exchange> {
    let client = |e: &trace::Exchange| match &trace.associations[..] {
        [_] => 0,
        all => i64::from(all[e.association.index()].client.port) - 40_001,
    };
    let all: BTreeMap<_, _> = trace.exchanges.iter().map(|e| ((client(e), i64::from(e.mid)), e)).collect();
    assert_eq!(all.len(), trace.exchanges.len(), "a Message ID was used twice");
    all
}

/// Copies, ends and outcomes against the client's log.
fn account(name: &str, trace: &Trace, client: &Table) -> Account {
    let mut logged: BTreeMap<Id, Logged> = BTreeMap::new();
    for row in client.rows() {
        match row.text("ev") {
            "tx" => logged.entry(id(row)).or_default().sent.push(at(row, trace)),
            "rx" => logged.entry(id(row)).or_default().end = Some((row.text("kind").to_owned(), at(row, trace))),
            _ => {}
        }
    }
    let mut ours = exchanges(trace);
    let (_, end_of_trace) = trace.capture.window().unwrap();
    let mut account = Account::default();
    for (id, logged) in &logged {
        account.exchanges += 1;
        account.copies += logged.sent.len();
        let near = |a: Instant, b: Instant| (a - b).abs() <= CLIENT_TOLERANCE;
        let right = ours.remove(id).is_some_and(|e| {
            if let (Some((kind, at)), Some(end), Some(&first)) = (&logged.end, e.end, logged.sent.first())
                && kind == "ACK"
            {
                account.reply.push((end - *at).abs().secs_f64() * 1e3);
                account.rtt.push(((end - e.start()) - (*at - first)).abs().secs_f64() * 1e3);
            }
            let copies = e.copies.len() == logged.sent.len()
                && e.copies.iter().zip(&logged.sent).all(|(copy, &sent)| near(copy.sent, sent));
            let end = match &logged.end {
                Some((kind, at)) if kind == "ACK" => e.outcome == Outcome::Acked && e.end.is_some_and(|e| near(e, *at)),
                // To the capture, an exchange given up after its end is open; and so is one given up shortly before, as
                // the next timer might have been that long.
                Some((_, at)) if *at > end_of_trace => e.outcome == Outcome::Open,
                Some((_, at)) if e.outcome == Outcome::Open => end_of_trace - *at < *at - e.start(),
                Some(_) => e.outcome == Outcome::Abandoned,
                None => e.outcome == Outcome::Open,
            };
            if !(copies && end) {
                println!("{name} {id:?}: logged {:?} {:?}\n  {e:?}", logged.sent, logged.end);
            }
            copies && end
        });
        account.unexplained += usize::from(!right);
    }
    account.unexplained += ours.len();
    account
}

/// True outcome of an exchange.
#[derive(Default)]
struct Fated {
    /// Each copy; those that were still on their way when the run ended are left out.
    copies: BTreeMap<i64, Really>,
    /// Copy that a reply answers, by the time when the reply left for the client.
    replies: BTreeMap<i64, i64>,
}

/// The copies of each exchange that the proxy forwarded, by when they left it.
fn arrived(proxy: &Table) -> HashMap<Id, Vec<(i64, i64)>> {
    let mut all: HashMap<Id, Vec<(i64, i64)>> = HashMap::new();
    for row in proxy.rows().filter(|row| row.text("dir") == "up" && row.text("fate") == "FWD") {
        all.entry(id(row)).or_default().push((departure(row), row.int("copy").unwrap()));
    }
    all.values_mut().for_each(|copies| copies.sort_unstable());
    all
}

/// Returns the time when what the proxy forwards leaves it, nanoseconds of its clock.
fn departure(row: Row<'_>) -> i64 {
    if row.has("depart_epoch") {
        return row.nanos("depart_epoch");
    }
    let delay: f64 = row.text("delay_ms").parse().unwrap();
    row.nanos("epoch") + (delay * 1e6) as i64
}

/// Returns the true outcome of each exchange.
fn really(proxy: &Table) -> HashMap<Id, Fated> {
    let mut all: HashMap<Id, Fated> = HashMap::new();
    let arrived = arrived(proxy);
    for row in proxy.rows().filter(|row| row.text("dir") != "cross") {
        let Fated { copies, replies } = all.entry(id(row)).or_default();
        match (row.text("dir"), row.text("fate")) {
            ("up", "LOSS" | "TAILDROP" | "DROP") => {
                copies.insert(row.int("copy").unwrap(), Really::RequestLost);
            }
            ("down", fate) => {
                let copy = match row.has("reply_of_copy") {
                    true => row.int("reply_of_copy").unwrap(),
                    // The early runs number the replies: the server answers copies in the order in which they come.
                    false => {
                        let number = usize::try_from(row.int("copy").unwrap()).unwrap();
                        let Some(&(_, copy)) = arrived.get(&id(row)).and_then(|copies| copies.get(number)) else {
                            continue;
                        };
                        copy
                    }
                };
                match fate {
                    "FWD" => {
                        copies.insert(copy, Really::Answered);
                        replies.insert(departure(row), copy);
                    }
                    "LOSS" | "TAILDROP" | "DROP" => {
                        copies.entry(copy).or_insert(Really::ReplyLost);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    all
}

/// Scores of the fates, of the copy that the closing reply is said to answer, and whether first copies are said
/// to have had no answer: right and wrong.
fn score(trace: &Trace, proxy: &Table) -> (Score, Score, (usize, usize)) {
    let truth = really(proxy);
    let (mut fates, mut closing, mut lost) = (Score::default(), Score::default(), (0, 0));
    for (id, exchange) in exchanges(trace) {
        let Some(Fated { copies, replies }) = truth.get(&id) else { continue };
        let right = |number: usize, copy: &Copy| {
            let real = copies.get(&i64::try_from(number).unwrap())?;
            match copy.fate {
                Fate::Answered { .. } => Some(*real == Really::Answered),
                Fate::RequestLost => Some(*real == Really::RequestLost),
                Fate::ReplyLost => Some(*real == Really::ReplyLost),
                Fate::Lost => Some(*real != Really::Answered),
                Fate::Unknown => None,
            }
        };
        for (number, copy) in exchange.copies.iter().enumerate() {
            if let Some(right) = right(number, copy) {
                fates.count(copy.evidence, right);
            }
        }
        if let (Some(first), Some(real)) = (exchange.copies.first(), copies.get(&0))
            && first.fate != Fate::Unknown
        {
            let right = (*real == Really::Answered) == matches!(first.fate, Fate::Answered { .. });
            *(if right { &mut lost.0 } else { &mut lost.1 }) += 1;
        }
        let first = exchange.replies.iter().find(|r| r.closing).and_then(|r| r.answers);
        if let (Some(copy), Some(&truly)) = (first, replies.values().next()) {
            let evidence = exchange.copies.get(usize::from(copy)).map_or(Evidence::Unknown, |c| c.evidence);
            closing.count(evidence, i64::from(copy) == truly);
        }
    }
    (fates, closing, lost)
}

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(((values.len().max(1) - 1) as f64 * q) as usize).copied().unwrap_or(f64::NAN)
}

fn evaluate(name: &str, capture: &Path, client: &Path, proxy: &Path) -> (Account, Score, Score, (usize, usize)) {
    let trace = analyse(capture, NO_OPTION);
    let mut account = account(name, &trace, &Table::read(client, ','));
    let (fates, closing, lost) = score(&trace, &Table::read(proxy, ','));
    print(name, &mut account, (fates, closing), lost);
    (account, fates, closing, lost)
}

fn print(name: &str, account: &mut Account, (fates, closing): (Score, Score), lost: (usize, usize)) {
    let (e, c, u) = (account.exchanges, account.copies, account.unexplained);
    let times = [&mut account.reply, &mut account.rtt].map(|all| (quantile(all, 0.5), quantile(all, 0.99)));
    let [(reply, late), (rtt, far)] = times;
    let (right, wrong) = lost;
    println!(
        "{name:36} {e:5} {c:5} {u:4} | {reply:4.1} {late:5.1} | {rtt:4.1} {far:5.1} | {right:5} {wrong:3} | {fates} | {closing}"
    );
}

fn header() {
    println!(
        "{:36} {:^16} | {:^10} | {:^10} | {:^9} | {:^69} | answered copy of the closing reply, the same",
        "", "exch. copies bad", "reply, ms", "RTT, ms", "1st lost", "fates: proven, inferred, unknown (right wrong)"
    );
}

#[test]
fn bundled_runs_are_what_client_and_link_logged() {
    header();
    for bundled in bundled_with("proxy") {
        let file = |role| bundled.file(role).unwrap();
        let (account, fates, ..) = evaluate(&bundled.id, &file("capture"), &file("client"), &file("proxy"));
        assert_eq!(account.unexplained, 0, "{}", bundled.id);
        assert_eq!(fates.proven.1, 0, "{}: proven, and wrong", bundled.id);
        assert!(fates.inferred.1 * 10 <= fates.inferred.0, "{}: inferred: less than 90 % right", bundled.id);
    }
}

/// All runs with their captures and the logs of client and proxy: in a folder each, or side by side under their names.
fn live_runs(folder: &Path) -> Vec<(PathBuf, [PathBuf; 3])> {
    const FILES: [&str; 3] = ["capture.pcap.gz", "client.csv.gz", "proxy.csv.gz"];
    let mut all: Vec<(PathBuf, [PathBuf; 3])> =
        runs(folder, FILES[2]).into_iter().map(|run| (run.clone(), FILES.map(|file| run.join(file)))).collect();
    for world in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        for file in std::fs::read_dir(&world).unwrap().map(|entry| entry.unwrap().path()) {
            let Some(name) = file.file_name().and_then(|name| name.to_str()?.strip_suffix(".pcap.gz")) else {
                continue;
            };
            let beside = ["client", "proxy"].map(|log| world.join(format!("{name}.{log}.csv.gz")));
            if beside.iter().all(|log| log.exists()) {
                let [client, proxy] = beside;
                all.push((world.join(name), [file.clone(), client, proxy]));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn all_runs_are_what_client_and_link_logged() {
    let Some(folder) = shared("live") else { return };
    header();
    let (mut fates, mut closing, mut lost) = (Score::default(), Score::default(), (0, 0));
    let mut all = Account::default();
    for (run, [capture, client, proxy]) in live_runs(&folder) {
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        let (account, f, c, (right, wrong)) = evaluate(&name, &capture, &client, &proxy);
        fates.add(f);
        closing.add(c);
        // Fewer say too little of a share of 5 %.
        let (yes, no) = f.inferred;
        assert!(yes + no < 100 || no * 20 <= yes, "{name}: inferred: less than 95 % right");
        if !run.is_dir() {
            // An early run, whose client logged up to 100 ms late: its times are no measure.
            assert!(account.exchanges > 100 && account.unexplained * 5 < account.exchanges, "{name}");
            continue;
        }
        lost = (lost.0 + right, lost.1 + wrong);
        all.exchanges += account.exchanges;
        all.copies += account.copies;
        all.reply.extend(&account.reply);
        all.rtt.extend(&account.rtt);
        assert_eq!(account.unexplained, 0, "{name}");
    }
    print("all runs", &mut all, (fates, closing), lost);
    assert!(quantile(&mut all.reply, 0.99) <= 20.0, "reply times");
    assert!(lost.1 * 100 <= lost.0, "first copy lost: less than 99 % right");
    for score in [fates, closing] {
        assert!(score.proven.1 * 1_000 <= score.proven.0, "proven: less than 99.9 % right");
        assert!(score.inferred.1 * 20 <= score.inferred.0, "inferred: less than 95 % right");
    }
}
