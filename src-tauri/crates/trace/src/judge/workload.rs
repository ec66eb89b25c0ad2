//! Workload: the rule by which the application of an association sends.
//!
//! A request that is sent the moment the one before it ends had either waited for that (NSTART, RFC 7252 §4.7), or its
//! client sends one after the other. Of the others, those that come by a clock have starts that vary less than their
//! distance from the end before them, and those of a client that thinks have it the other way round.

use crate::lookup::Map;
use crate::model::{Association, Assumptions, Delay, Endpoint, Exchange, Ready, Rhythm, Workload};
use base::{ExchangeId, Instant, Span};

/// Longest time from the end of an exchange to a request that had waited for it: longer than a stack takes to send what
/// waited (Californium: 6 ms), shorter than the think time of most applications.
/// Chosen here; `cargo test --release -p trace --test truth workload` scores the workloads that follow.
const AT_ONCE: Span = Span::from_millis(20);

/// Least share (numerator, denominator) of requests that follow at once for a client that does nothing else: queues
/// drain, unless more comes than goes. Then the first requests did not follow at once: they came before there was a
/// queue.
/// Chosen here; scored as [`AT_ONCE`].
const ALWAYS: (usize, usize) = (9, 10);

/// Least share (numerator, denominator) of requests that follow at once at which the others do not show think time: a
/// client that thinks, thinks always.
/// Chosen here; scored as [`AT_ONCE`].
const SOMETIMES: (usize, usize) = (1, 10);

/// Largest ratio of the variation of think times to that of starts that shows think time: above it a clock explains
/// them as well.
/// Chosen here; scored as [`AT_ONCE`].
const LESS: f64 = 0.75;

/// The gap from one exchange to the next.
#[derive(Clone, Copy)]
struct Gap {
    /// Start of the later one.
    next: Instant,
    /// Time from start to start.
    start: Span,
    /// Time from the end of the earlier to the start of the later one; `None` where the end is not known.
    think: Option<Span>,
}

/// The exchanges of an association in order, for the gaps between them.
pub(crate) struct Gaps {
    /// Start and end of each. There are as many as exchanges, so that nothing derived from these is stored.
    exchanges: Vec<(Instant, Option<Instant>)>,
}

impl Gaps {
    /// Takes the exchanges of an association in order of start, closed.
    pub fn of<'a>(exchanges: impl Iterator<Item = &'a Exchange>) -> Self {
        Self { exchanges: exchanges.map(|exchange| (exchange.start(), exchange.end)).collect() }
    }

    /// Returns the gap before the exchange with this position among those after the first.
    fn get(&self, at: usize) -> Option<Gap> {
        let (&(before, end), &(next, _)) = (self.exchanges.get(at)?, self.exchanges.get(at + 1)?);
        Some(Gap { next, start: next - before, think: end.map(|end| next - end) })
    }

    fn len(&self) -> usize {
        self.exchanges.len().saturating_sub(1)
    }

    fn iter(&self) -> impl Iterator<Item = Gap> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// Returns whether the waits of the network alone explain the time from ends to starts.
    fn is_wait(&self, queueing: Delay) -> bool {
        let mut thinks: Vec<Span> = self.iter().filter_map(|g| g.think).collect();
        let within = |thinks: &mut [Span], num, den, most: Span| quantile(thinks, num, den).is_some_and(|t| t <= most);
        // Four, as for quartiles; twice the waits, as a margin. Chosen here; scored as [`AT_ONCE`].
        thinks.len() >= 4
            && within(&mut thinks, 1, 2, queueing.median.scale(2, 1))
            && within(&mut thinks, ALWAYS.0, ALWAYS.1, queueing.high.scale(2, 1))
    }

    /// Derives workload, timing, and the ready times of requests that waited, in order. `ids`: those of the exchanges;
    /// `queueing`: wait of copies in the client; `given`: workload that a person states.
    pub fn rhythm(
        self,
        ids: &[ExchangeId],
        queueing: Option<Delay>,
        given: Option<Workload>,
    ) -> (Workload, Rhythm, Vec<Ready>) {
        let mut starts: Vec<Span> = self.iter().map(|g| g.start).collect();
        let typical = quantile(&mut starts, 1, 2).unwrap_or(Span::ZERO);
        // No more than a part of the time between requests, or all of them would seem to follow at once. An eighth is
        // chosen here; scored as [`AT_ONCE`].
        let at_once = AT_ONCE.max(queueing.map_or(Span::ZERO, |q| q.high).min(typical.scale(1, 8)));
        let follows = follows(at_once);
        let known = self.iter().filter(|g| g.think.is_some()).count();
        let followed = self.iter().filter(&follows).count();
        let (mut free_thinks, mut free_starts): (Vec<Span>, Vec<Span>) =
            self.iter().filter(|g| !follows(g)).filter_map(|g| Some((g.think?, g.start))).unzip();
        let always = known >= 4 && followed * ALWAYS.1 >= known * ALWAYS.0 || queueing.is_some_and(|q| self.is_wait(q));
        let sometimes = followed * SOMETIMES.1 >= known * SOMETIMES.0;
        let thinks_less = match (spread(&mut free_thinks), spread(&mut free_starts)) {
            (Some(think), Some(start)) => !sometimes && think < LESS * start,
            _ => false,
        };
        let is_free = |gap: &Gap| gap.think.is_some() && !follows(gap);
        let last_free = (0..self.len()).rfind(|&at| self.get(at).as_ref().is_some_and(is_free));
        // A backlog from the first quarter on: requests that did not wait are of the beginning, before there was a
        // queue. Chosen here; scored as [`AT_ONCE`].
        let backlog = always && queueing.is_none() && last_free.is_some_and(|at| at * 4 < self.len());
        let thinks = (always && !backlog) || thinks_less;
        let workload = given.unwrap_or(if thinks { Workload::ThinkTime } else { Workload::Arrivals });
        let gaps = if workload == Workload::ThinkTime { &mut free_thinks } else { &mut free_starts };
        let rhythm = Rhythm {
            gap: Delay::of(gaps),
            at_once: u32::try_from(followed).unwrap_or(u32::MAX),
            in_events: 0,
            backlog,
        };
        let ready = match (workload, rhythm.gap) {
            (Workload::Arrivals, Some(gap)) => ready(&self, ids, &follows, gap),
            _ => Vec::new(),
        };
        (workload, rhythm, ready)
    }
}

/// Returns the test whether a request followed the end before it within `at_once`.
fn follows(at_once: Span) -> impl Fn(&Gap) -> bool {
    move |gap| gap.think.is_some_and(|think| think <= at_once)
}

/// Estimates when requests that were sent at once had been ready: evenly between those before and after them that did
/// not wait, and no later than they were sent. Where the last of them was not followed by such a one, at the usual
/// distance.
fn ready(gaps: &Gaps, ids: &[ExchangeId], follows: impl Fn(&Gap) -> bool, usual: Delay) -> Vec<Ready> {
    let mut all = Vec::new();
    let mut before = gaps.exchanges.first().map_or(Instant::ZERO, |&(start, _)| start);
    let mut at = 0;
    while let Some(gap) = gaps.get(at) {
        if !follows(&gap) {
            before = gap.next;
            at += 1;
            continue;
        }
        let run: Vec<Gap> = (at..gaps.len()).map_while(|at| gaps.get(at)).take_while(|g| follows(g)).collect();
        let parts = i64::try_from(run.len()).unwrap_or(i64::MAX).saturating_add(1);
        let after = gaps.get(at + run.len()).map(|g| g.next);
        let step = after.map_or(usual.median, |after| (after - before).scale(1, parts).min(usual.high));
        let mut last = before;
        for ((k, gap), &exchange) in (1..).zip(&run).zip(ids.iter().skip(at + 1)) {
            let even = (before + step.scale(k, 1)).min(gap.next).max(last);
            // Known from few, the usual distance may be wrong by a part of it; between two that did not wait, less.
            let uncertain = step.scale(k, i64::from(usual.samples) + 1);
            let error = (usual.high - usual.low).scale(1, 2) + if after.is_some() { step } else { uncertain };
            all.push(Ready { exchange, at: even, error });
            last = even;
        }
        before = last;
        at += run.len();
    }
    all
}

/// Gives a queue to clients that do nothing but send at once, where most others of their server began before they had
/// one. The first request of such a client already took longer than the next was away; that distance is taken from the
/// others.
pub(crate) fn settle_backlogs(associations: &mut [Association], exchanges: &[Exchange], assumptions: &Assumptions) {
    let servers: Vec<Endpoint> = associations.iter().map(|a| a.server).collect();
    let kind = |a: &Association| a.queueing.is_none() && (a.rhythm.backlog || a.rhythm.is_drained(a.exchanges.len()));
    // Per server: how many are of this kind, and from start to start of those that had no queue at first.
    let mut tally: Map<Endpoint, (usize, Vec<Delay>, usize)> = Map::default();
    for association in associations.iter().filter(|a| kind(a)) {
        let (backlogs, gaps, all) = tally.entry(association.server).or_default();
        *backlogs += usize::from(association.rhythm.backlog);
        gaps.extend(association.rhythm.gap.filter(|_| association.rhythm.backlog));
        *all += 1;
    }
    for (association, server) in associations.iter_mut().zip(servers) {
        let Some((backlogs, gaps, all)) = tally.get(&server) else { continue };
        let undecided = kind(association) && !association.rhythm.backlog;
        if undecided && backlogs * 2 > *all && assumptions.of(association).workload.is_none() {
            association.workload = Workload::Arrivals;
            association.rhythm.backlog = true;
            if let Some(usual) = pooled(gaps) {
                let own = association.exchanges.iter().filter_map(|id| exchanges.get(id.index()));
                association.ready = ready(&Gaps::of(own), &association.exchanges, follows(AT_ONCE), usual);
            }
        }
    }
}

/// Pools `delays` into one, with the widest range; `None` where there are none.
fn pooled(delays: &[Delay]) -> Option<Delay> {
    let mut medians: Vec<Span> = delays.iter().map(|d| d.median).collect();
    Some(Delay {
        median: quantile(&mut medians, 1, 2)?,
        low: delays.iter().map(|d| d.low).min()?,
        high: delays.iter().map(|d| d.high).max()?,
        samples: delays.iter().fold(0, |sum, d| sum.saturating_add(d.samples)),
    })
}

impl Rhythm {
    /// Returns whether all requests but the first followed at once, as far as is known.
    fn is_drained(&self, exchanges: usize) -> bool {
        // More than four, as many as quartiles need.
        self.gap.is_none() && exchanges > 4 && self.at_once > 0
    }
}

fn quantile(values: &mut [Span], num: usize, den: usize) -> Option<Span> {
    let at = values.len().checked_sub(1)? * num / den;
    Some(*values.select_nth_unstable(at).1)
}

/// Returns the interquartile range in seconds, which single long gaps do not move; `None` below four values.
fn spread(values: &mut [Span]) -> Option<f64> {
    if values.len() < 4 {
        return None;
    }
    let (low, high) = (quantile(values, 1, 4)?, quantile(values, 3, 4)?);
    Some((high - low).secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Copy, Correction, Evidence, Fate, Head, OneOrMany, Outcome, Vantage};
    use crate::{Code, Token};
    use base::{AssociationId, MessageId};

    /// Exchanges with these starts and lengths, in ms.
    fn rhythm(exchanges: &[(i64, i64)]) -> (Workload, Rhythm, Vec<Ready>) {
        let all = closed(0, exchanges);
        let ids: Vec<ExchangeId> = all.iter().map(|e| e.id).collect();
        Gaps::of(all.iter()).rhythm(&ids, None, None)
    }

    /// Numbered from `first` on.
    fn closed(first: usize, exchanges: &[(i64, i64)]) -> Vec<Exchange> {
        let at = |millis| Instant::ZERO + Span::from_millis(millis);
        let exchange = |(index, &(start, length)): (usize, &(i64, i64))| {
            let copy = Copy {
                sent: at(start),
                message: MessageId::at(index),
                arrived: None,
                fate: Fate::Unknown,
                evidence: Evidence::Unknown,
                reply: None,
            };
            Exchange {
                id: ExchangeId::at(first + index),
                association: AssociationId(0),
                mid: 0,
                token: Token::EMPTY,
                code: Code(1),
                payload: 0,
                copies: OneOrMany::one(copy),
                replies: OneOrMany::new(),
                outcome: Outcome::Acked,
                end: Some(at(start + length)),
                head: Head::Seen,
            }
        };
        exchanges.iter().enumerate().map(exchange).collect()
    }

    /// Numbers below `most` without a visible pattern: multiples of a prime modulo `most`.
    fn some(n: i64, most: i64) -> i64 {
        n * 7_919 % most
    }

    #[test]
    fn a_jittered_clock_is_not_think_time() {
        // 4.5 to 7.5 s apart, answered within 0.2 s, one in five after a retransmission.
        let mut at = 0;
        let exchanges: Vec<(i64, i64)> = (1..60)
            .map(|n| {
                at += 4_500 + some(n, 3_000);
                (at, if n % 5 == 0 { 2_300 } else { 100 + some(n, 101) })
            })
            .collect();
        let (workload, rhythm, ready) = rhythm(&exchanges);
        assert_eq!((workload, rhythm.at_once, ready.len()), (Workload::Arrivals, 0, 0));
        let gap = rhythm.gap.unwrap();
        assert!((5_500..6_500).contains(&gap.median.millis()), "{gap:?}");
    }

    #[test]
    fn think_time_is_recognised() {
        for think in [0, 300] {
            let mut at = 0;
            let exchanges: Vec<(i64, i64)> = (1..60)
                .map(|n| {
                    let this = (at, 100 + some(n, 2_000));
                    at += this.1 + think;
                    this
                })
                .collect();
            let (workload, rhythm, ready) = rhythm(&exchanges);
            assert_eq!((workload, ready.len()), (Workload::ThinkTime, 0));
            assert_eq!(rhythm.at_once, if think == 0 { 58 } else { 0 });
        }
    }

    #[test]
    fn requests_that_waited_were_ready_before() {
        // Every second; the third takes 3.4 s, and those after it wait.
        let mut exchanges: Vec<(i64, i64)> = (0..30).map(|n| (n * 1_000, 100 + some(n, 50))).collect();
        exchanges[10].1 = 3_400;
        exchanges[11] = (13_400, 100);
        exchanges[12] = (13_500, 100);
        exchanges[13] = (13_600, 100);
        let (workload, rhythm, ready) = rhythm(&exchanges);
        assert_eq!((workload, rhythm.at_once), (Workload::Arrivals, 3));
        let ready: Vec<(usize, i64)> = ready.iter().map(|r| (r.exchange.index(), r.at.nanos() / 1_000_000)).collect();
        assert_eq!(ready, [(11, 11_000), (12, 12_000), (13, 13_000)]);
    }

    #[test]
    fn too_few_gaps_give_the_default_workload() {
        assert_eq!(rhythm(&[(0, 10), (500, 10), (900, 10)]).0, Workload::Arrivals);
        assert_eq!(rhythm(&[]).1.gap, None);
    }

    /// Each wants to send every second, a request takes two. The first of one takes half a second, so that it shows
    /// when the second was ready; that of the other took as long as any.
    #[test]
    fn a_backlog_from_the_first_request_is_judged_by_clients_beside_it() {
        let free: Vec<(i64, i64)> =
            std::iter::once((0, 500)).chain((0..40).map(|n| (1_000 + 2_000 * n, 2_000))).collect();
        let drained: Vec<(i64, i64)> = (0..40).map(|n| (100 + 2_000 * n, 2_000)).collect();
        let exchanges: Vec<Exchange> = [free.clone(), free, drained]
            .iter()
            .scan(0, |first, starts| {
                let own = closed(*first, starts);
                *first += own.len();
                Some(own)
            })
            .flatten()
            .collect();
        let endpoint = |port| Endpoint { addr: std::net::Ipv6Addr::LOCALHOST, port };
        let mut associations: Vec<Association> = [0..41, 41..82, 82..122]
            .into_iter()
            .zip(0_u16..)
            .map(|(range, number)| {
                let exchanges: Vec<&Exchange> = exchanges[range].iter().collect();
                let ids: Vec<ExchangeId> = exchanges.iter().map(|e| e.id).collect();
                let (workload, rhythm, ready) = Gaps::of(exchanges.into_iter()).rhythm(&ids, None, None);
                Association {
                    id: AssociationId(u32::from(number)),
                    client: endpoint(number),
                    server: endpoint(5683),
                    client_name: String::new(),
                    server_name: String::new(),
                    exchanges: ids,
                    vantage: Vantage::Client,
                    vantage_given: false,
                    correction: Correction::default(),
                    queueing: None,
                    workload,
                    rhythm,
                    ready,
                    nstart: 1,
                    hops: None,
                }
            })
            .collect();
        assert_eq!((associations[2].workload, associations[2].rhythm.backlog), (Workload::ThinkTime, false));
        settle_backlogs(&mut associations, &exchanges, &Assumptions::default());
        assert!(associations.iter().all(|a| a.workload == Workload::Arrivals && a.rhythm.backlog));
        let ready: Vec<i64> = associations[2].ready.iter().map(|r| r.at.nanos() / 1_000_000).collect();
        assert_eq!(ready, (1..40).map(|n| 100 + 1_000 * n).collect::<Vec<_>>());
    }
}
