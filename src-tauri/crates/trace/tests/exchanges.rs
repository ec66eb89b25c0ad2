//! The state machine, one situation a test: tables of messages, and what is made of them.
//!
//! The format of both is described in `talk`. `!` marks what is proven, `~` what is inferred; `/` begins a reply and says
//! which copy it answers.

#![allow(clippy::unwrap_used, reason = "tests")]

mod talk;

use base::{FrameId, Instant, Silent, Span};
use talk::{analyse, assert_told, capture, talk, told};
use trace::{Assumed, Assumptions, Cancellation, Correction, Direction, Dropped, Evidence, Fate, Vantage, Workload};

#[test]
fn piggybacked() {
    let trace = talk(
        "0       A > S  CON GET  1 aa
         100     S > A  ACK 2.05 1 aa +8
         300000",
    );
    assert_told(&trace, "A>S 1 acked 100 perhaps-before | 0 answered 100! / piggy 100 to 0");
    assert_eq!(trace.exchanges[0].response().unwrap().sent, trace.exchanges[0].end.unwrap());
}

#[test]
fn tokens_of_no_length() {
    let trace = talk(
        "0       A > S  CON GET  1 -
         60      S > A  ACK 2.05 1 -
         1000    A > S  CON GET  2 -
         1060    S > A  ACK 0.00 2 -
         1500    S > A  NON 2.05 70 -
         300000",
    );
    assert_told(
        &trace,
        "A>S 1 acked 60 perhaps-before | 0 answered 60! / piggy 60 to 0
         A>S 2 acked 1060 | 1000 answered 60! / ack 1060 to 0 / sep 1500 to -",
    );
}

#[test]
fn empty_ack_then_a_separate_response() {
    // RFC 7252 figure 5: the server's confirmable response is an exchange of its own.
    let trace = talk(
        "0       A > S  CON GET  1 aa
         50      S > A  ACK 0.00 1 -
         3000    S > A  CON 2.05 90 aa +8
         3040    A > S  ACK 0.00 90 -
         300000",
    );
    assert_told(
        &trace,
        "A>S 1 acked 50 perhaps-before | 0 answered 50! / ack 50 to 0 / sep 3000 to -
         S>A 90 acked 3040 perhaps-before | 3000 answered 40! / ack 3040 to 0",
    );
    assert_eq!(trace.exchanges[0].response().unwrap().message, trace.exchanges[1].copies[0].message);
}

#[test]
fn a_separate_response_before_its_ack_ends_the_exchange() {
    // RFC 7252 §5.2.2: the response, whatever its type, is as good as the acknowledgement.
    let trace = talk(
        "0       A > S  CON GET  1 aa
         80      S > A  NON 2.05 90 aa +8
         95      S > A  ACK 0.00 1 -
         300000",
    );
    assert_told(&trace, "A>S 1 separate 80 perhaps-before | 0 answered 80! / sep 80 to 0 / ack 95 to -");
}

#[test]
fn reset_and_ping() {
    let trace = talk(
        "0       A > S  CON GET  1 aa
         70      S > A  RST 0.00 1 -
         1000    A > S  CON 0.00 2 -
         1050    S > A  RST 0.00 2 -
         300000",
    );
    assert_told(
        &trace,
        "A>S 1 reset 70 perhaps-before | 0 answered 70! / rst 70 to 0
         A>S 2 reset 1050 | 1000 answered 50! / rst 1050 to 0",
    );
}

#[test]
fn late_duplicates_answer_the_other_copies() {
    let trace = talk(
        "0       A > S  CON GET  1 aa
         100     S > A  ACK 2.05 1 aa
         10000   A > S  CON GET  2 ab
         10100   S > A  ACK 2.05 2 ab
         20000   A > S  CON GET  3 ac
         22500   A > S  CON GET  3 ac
         22590   S > A  ACK 2.05 3 ac
         22595   S > A  ACK 2.05 3 ac
         300000",
    );
    let third = &trace.exchanges[2];
    assert_eq!((third.copies.len(), third.replies.len()), (2, 2));
    assert_eq!(third.replies.iter().filter(|r| r.closing).count(), 1, "the second is a late duplicate");
    let mut answered: Vec<_> = third.replies.iter().map(|r| r.answers).collect();
    answered.sort();
    assert_eq!(answered, [Some(0), Some(1)]);
}

#[test]
fn replies_out_of_order() {
    // Answers take 100 ms: the one to the second copy overtook the first one's, which took a detour.
    let mut table = String::new();
    for n in 0..20 {
        table += &format!("{} A > S CON GET {n} aa\n{} S > A ACK 2.05 {n} aa\n", n * 10_000, n * 10_000 + 100 + n);
    }
    table += "200000 A > S CON GET 50 aa
              200500 A > S CON GET 50 aa
              200600 S > A ACK 2.05 50 aa
              201900 S > A ACK 2.05 50 aa
              500000";
    let trace = talk(&table);
    let last = trace.exchanges.last().unwrap();
    assert_eq!(last.replies.iter().map(|r| r.answers).collect::<Vec<_>>(), [Some(1), Some(0)]);
    assert_eq!(last.end.unwrap(), last.replies[0].sent);
}

#[test]
fn a_message_id_is_used_again_after_exchange_lifetime() {
    // RFC 7252 §4.8.2: 247 s. The second is a copy, the third another exchange.
    let trace = talk(
        "0       A > S  CON GET  7 -
         2000    A > S  CON GET  7 -
         2050    S > A  ACK 2.05 7 -
         247100  A > S  CON GET  7 -
         247150  S > A  ACK 2.05 7 -
         600000",
    );
    assert_eq!(trace.exchanges.iter().map(|e| e.copies.len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(trace.exchanges.iter().map(|e| e.replies.len()).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn a_message_id_with_another_token_is_another_exchange() {
    let trace = talk(
        "0       A > S  CON GET  7 aa
         50      S > A  ACK 2.05 7 aa
         5000    A > S  CON GET  7 ab
         5050    S > A  ACK 2.05 7 ab
         300000",
    );
    assert_told(
        &trace,
        "A>S 7 acked 50 perhaps-before | 0 answered 50! / piggy 50 to 0
         A>S 7 acked 5050 | 5000 answered 50! / piggy 5050 to 0",
    );
}

#[test]
fn two_clients_behind_one_address() {
    let trace = talk(
        "0       A > S  CON GET  1 aa
         10      B > S  CON GET  1 aa
         100     S > B  ACK 2.05 1 aa
         130     S > A  ACK 2.05 1 aa
         300000",
    );
    assert_told(
        &trace,
        "A>S 1 acked 130 perhaps-before | 0 answered 130! / piggy 130 to 0
         B>S 1 acked 100 perhaps-before | 10 answered 90! / piggy 100 to 0",
    );
    assert!(trace.relations.sides.is_empty(), "they are two, not two sides of one");
}

#[test]
fn a_nat_and_a_proxy_have_two_sides() {
    let trace = talk(
        "0       A > S  CON GET  1 aabb
         1       N > S  CON GET  1 aabb
         90      S > N  ACK 2.05 1 aabb
         91      S > A  ACK 2.05 1 aabb
         5000    C > P  CON GET  3 cafe
         5002    Q > T  CON GET  900 cafe
         5080    T > Q  ACK 2.05 900 cafe
         5082    P > C  ACK 2.05 3 cafe
         300000",
    );
    let [a, n, c, q] = [0, 1, 2, 3].map(|at| trace.exchanges[at].id);
    assert_eq!(trace.relations.sides, [(a, n), (c, q)]);
    assert_eq!((trace.relations.onward(a), trace.relations.onward(n)), (Some(n), None));
}

#[test]
fn several_exchanges_at_once() {
    let trace = talk(
        "0       A > S  CON GET  1 aa
         10      A > S  CON GET  2 ab
         20      A > S  CON GET  3 ac
         110     S > A  ACK 2.05 2 ab
         2200    A > S  CON GET  1 aa
         2300    S > A  ACK 2.05 1 aa
         2400    A > S  CON GET  3 ac
         2500    S > A  ACK 0.00 3 -
         300000",
    );
    assert_eq!(trace.associations[0].nstart, 2, "1 and 3 have copies after the other began; 2 has one alone");
    let ends: Vec<i64> = trace.exchanges.iter().map(|e| e.end.unwrap().nanos() / 1_000_000).collect();
    assert_eq!(ends, [2_300, 110, 2_500]);
}

#[test]
fn a_response_to_a_non_confirmable_request_answers_no_exchange() {
    let trace = talk(
        "0       A > S  CON GET  1 aa
         50      S > A  ACK 0.00 1 -
         60      S > A  NON 2.05 80 aa
         5000    A > S  NON GET  2 aa
         5080    S > A  NON 2.05 81 aa
         300000",
    );
    assert_told(&trace, "A>S 1 acked 50 perhaps-before | 0 answered 50! / ack 50 to 0 / sep 60 to -");
}

#[test]
fn cancelled_and_open_ended() {
    // Two copies, then another request: the application had it cancelled. The last is open when the capture ends.
    let trace = talk(
        "0       A > S  CON GET  1 aa
         100     S > A  ACK 2.05 1 aa
         10000   A > S  CON GET  2 ab
         12500   A > S  CON GET  2 ab
         30000   A > S  CON GET  3 ac
         30100   S > A  ACK 2.05 3 ac
         40000   A > S  CON GET  4 ad
         40200",
    );
    assert_told(
        &trace,
        "A>S 1 acked 100 perhaps-before | 0 answered 100! / piggy 100 to 0
         A>S 2 abandoned | 10000 lost! | 12500 lost!
         A>S 3 acked 30100 | 30000 answered 100! / piggy 30100 to 0
         A>S 4 open | 40000 ?",
    );
}

#[test]
fn a_capture_that_begins_in_the_middle() {
    let trace = talk(
        "0       S > A  ACK 2.05 1 aa
         500     C > S  CON GET  9 ee
         2000    A > S  CON GET  1 aa
         2090    S > A  ACK 2.05 1 aa
         4500    C > S  CON GET  9 ee
         4590    S > C  ACK 2.05 9 ee
         30000   A > S  CON GET  2 ab
         30080   S > A  ACK 2.05 2 ab
         60000   C > S  CON GET  10 ef rc=2
         60100   S > C  ACK 2.05 10 ef rc=2
         300000",
    );
    assert_eq!(trace.notes.count("reply-without-request"), 1);
    let heads: Vec<_> = trace.exchanges.iter().map(|e| e.head).collect();
    use trace::Head::{Missing, Perhaps, Seen};
    // C: the second copy comes 4 s after the first, and the capture began 0.5 s before it.
    assert_eq!(heads, [Perhaps, Missing, Seen, Missing]);
}

#[test]
fn growing_timers_identify_the_first_copy() {
    let trace = talk(
        "0
         5000    A > S  CON GET  1 aa
         7500    A > S  CON GET  1 aa
         7600    S > A  ACK 2.05 1 aa
         300000",
    );
    assert_eq!(
        trace.exchanges[0].head,
        trace::Head::Seen,
        "a copy before it would have come after 2.5 s of the capture"
    );
}

#[test]
fn notifications_are_exchanges_of_the_server() {
    // RFC 7641: registered, two notifications, the second rejected.
    let trace = talk(
        "0       A > S  CON GET  1 4a obs=0
         50      S > A  ACK 2.05 1 4a obs=12 +5
         10000   S > A  CON 2.05 70 4a obs=44 +5
         10040   A > S  ACK 0.00 70 -
         15000   S > A  NON 2.05 71 4a obs=50 +5
         20000   S > A  CON 2.05 72 4a obs=60 +5
         22000   S > A  CON 2.05 72 4a obs=60 +5
         22030   A > S  RST 0.00 72 -
         300000",
    );
    assert_eq!(trace.exchanges.len(), 3);
    assert_eq!(trace.exchanges[0].replies.len(), 1, "notifications are not replies to the registration");
    let observation = &trace.relations.observations[0];
    assert_eq!(observation.notifications.iter().map(|n| n.sequence).collect::<Vec<_>>(), [44, 50, 60]);
    let exchanges: Vec<_> = observation.notifications.iter().map(|n| n.exchange.map(|e| e.index())).collect();
    assert_eq!(exchanges, [Some(1), None, Some(2)]);
    let (at, how) = observation.cancelled.unwrap();
    assert_eq!((at.nanos(), how), (22_030_000_000, Cancellation::Reset));
    assert_eq!(trace.exchanges[2].outcome, trace::Outcome::Reset);
}

#[test]
fn ends_of_observations() {
    let registered = "0 A > S CON GET 1 4a obs=0
                      50 S > A ACK 2.05 1 4a obs=1
                      1000 S > A NON 2.05 70 4a obs=2\n";
    let ended = |rest: &str| {
        let trace = talk(&format!("{registered}{rest}\n300000"));
        trace.relations.observations[0].cancelled.map(|(_, how)| how)
    };
    assert_eq!(ended(""), None);
    assert_eq!(ended("2000 A > S RST 0.00 70 -"), Some(Cancellation::Reset), "of one that was not confirmable");
    assert_eq!(ended("2000 A > S CON GET 2 4a obs=1\n2050 S > A ACK 2.05 2 4a"), Some(Cancellation::Deregistered));
    assert_eq!(ended("2000 S > A NON 4.04 71 4a"), Some(Cancellation::Server));
    let silent = "2000 S > A CON 2.05 71 4a obs=3\n4000 S > A CON 2.05 71 4a obs=3\n8000 S > A CON 2.05 71 4a obs=3";
    assert_eq!(ended(silent), Some(Cancellation::Silent));
    // Refused: no Observe in the response.
    let refused = talk("0 A > S CON GET 1 4a obs=0\n50 S > A ACK 2.05 1 4a\n300000");
    assert!(refused.relations.observations.is_empty());
}

#[test]
fn blocks_of_a_request() {
    // RFC 7959 figure 8, with a retransmission; then a second upload to the same resource.
    let trace = talk(
        "0       A > S  CON PUT  1 aa path=o b1=0/more/32 +32
         50      S > A  ACK 2.31 1 aa b1=0/more/32
         60      A > S  CON PUT  2 ab path=o b1=1/more/32 +32
         2200    A > S  CON PUT  2 ab path=o b1=1/more/32 +32
         2250    S > A  ACK 2.31 2 ab b1=1/more/32
         2260    A > S  CON PUT  3 ac path=o b1=2/last/32 +7
         2310    S > A  ACK 2.04 3 ac b1=2/last/32
         9000    A > S  CON PUT  4 ad path=o b1=0/more/32 +32
         9050    S > A  ACK 2.31 4 ad b1=0/more/32
         300000",
    );
    let [first, second] = &trace.relations.transfers[..] else { panic!("{:?}", trace.relations.transfers) };
    let blocks: Vec<_> = first.blocks.iter().map(|b| (b.exchange.index(), b.number, b.octets)).collect();
    assert_eq!(blocks, [(0, 0, 32), (1, 1, 32), (2, 2, 7)]);
    assert_eq!((first.direction, first.octets(), first.is_complete()), (Direction::Up, 71, true));
    assert_eq!((second.blocks.len(), second.is_complete()), (1, false));
    assert_eq!(trace.relations.transfer_of(trace.exchanges[1].id), Some(first));
}

#[test]
fn blocks_of_a_response() {
    // RFC 7959 figure 3: the first request asks for no block; another resource is read in between.
    let trace = talk(
        "0       A > S  CON GET  1 aa path=w
         50      S > A  ACK 2.05 1 aa b2=0/more/64 +64
         60      A > S  CON GET  2 ab path=w b2=1/last/64
         110     S > A  ACK 2.05 2 ab b2=1/more/64 +64
         120     A > S  CON GET  3 ac path=z
         170     S > A  ACK 2.05 3 ac +3
         180     A > S  CON GET  4 ad path=w b2=2/last/64
         230     S > A  ACK 2.05 4 ad b2=2/last/64 +10
         300000",
    );
    let [transfer] = &trace.relations.transfers[..] else { panic!("{:?}", trace.relations.transfers) };
    assert_eq!(transfer.blocks.iter().map(|b| b.exchange.index()).collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!((transfer.direction, transfer.octets(), transfer.is_complete()), (Direction::Down, 138, true));
}

#[test]
fn a_smaller_block_size_goes_on_where_the_first_block_ended() {
    // RFC 7959 figure 4: from the second on, blocks of 32 instead of 64: number 2.
    let trace = talk(
        "0       A > S  CON GET  1 aa path=w
         50      S > A  ACK 2.05 1 aa b2=0/more/64 +64
         60      A > S  CON GET  2 ab path=w b2=2/last/32
         110     S > A  ACK 2.05 2 ab b2=2/more/32 +32
         120     A > S  CON GET  3 ac path=w b2=3/last/32
         170     S > A  ACK 2.05 3 ac b2=3/last/32 +5
         300000",
    );
    let [transfer] = &trace.relations.transfers[..] else { panic!("{:?}", trace.relations.transfers) };
    assert_eq!((transfer.blocks.len(), transfer.octets(), transfer.is_complete()), (3, 101, true));
}

#[test]
fn quick_blocks_come_without_a_request_each() {
    // RFC 9177: one request, and the blocks of its response follow each other; one is lost.
    let trace = talk(
        "0       A > S  CON GET  1 aa path=w q2=0/more/32
         50      S > A  ACK 2.05 1 aa q2=0/more/32 +32
         60      S > A  NON 2.05 71 aa q2=1/more/32 +32
         70      S > A  NON 2.05 73 aa q2=3/last/32 +4
         300000",
    );
    let [transfer] = &trace.relations.transfers[..] else { panic!("{:?}", trace.relations.transfers) };
    assert_eq!(transfer.blocks.iter().map(|b| b.number).collect::<Vec<_>>(), [0, 1, 3]);
    assert!(transfer.quick && !transfer.is_complete());
}

/// Each answered at once, and the next request 200 ms after an answer: a capture beside the server, 100 ms from the client.
const BESIDE_THE_SERVER: &str = "0       A > S  CON GET  1 aa
                                 2       S > A  ACK 2.05 1 aa
                                 202     A > S  CON GET  2 ab
                                 204     S > A  ACK 2.05 2 ab
                                 404     A > S  CON GET  3 ac
                                 406     S > A  ACK 2.05 3 ac
                                 606     A > S  CON GET  4 ad
                                 608     S > A  ACK 2.05 4 ad
                                 2606    A > S  CON GET  4 ad
                                 2608    S > A  ACK 2.05 4 ad
                                 300000";

#[test]
fn at_the_server_times_are_corrected_and_silence_is_evidence() {
    let trace = talk(BESIDE_THE_SERVER);
    let association = &trace.associations[0];
    let way = Span::from_millis(100);
    assert_eq!((association.vantage, association.vantage_given), (Vantage::Server, false));
    assert_eq!(association.correction, Correction { request: way, reply: way, error: way });
    assert_eq!(trace.handed_over(association, &trace.exchanges[1].copies[0]).0, Instant::ZERO + Span::from_millis(102));
    let last = &trace.exchanges[3];
    // The client sent it again: the first reply was lost. It did not send it once more: the second came.
    assert_eq!((last.copies[0].fate, last.copies[0].evidence), (Fate::ReplyLost, Evidence::Inferred));
    assert_eq!(last.copies[1].fate, Fate::Answered { rtt: Span::from_millis(202) });
    assert_eq!(last.copies[1].evidence, Evidence::Inferred, "nobody saw it arrive");
    assert_eq!(last.end, Some(Instant::ZERO + Span::from_millis(2_708)));
}

#[test]
fn an_assumed_vantage_overrides_the_estimate() {
    let mut trace = talk(BESIDE_THE_SERVER);
    let estimated = told(&trace);
    let at = |vantage, workload| Assumptions { all: Assumed { vantage, workload }, each: Vec::new() };
    trace.assume(&at(Some(Vantage::Client), Some(Workload::ThinkTime)), &mut Silent).unwrap();
    let association = &trace.associations[0];
    assert_eq!((association.vantage, association.vantage_given), (Vantage::Client, true));
    assert_eq!(association.workload, Workload::ThinkTime);
    assert_eq!(association.correction, Correction::default());
    let first = &trace.exchanges[0].copies[0];
    assert_eq!((first.fate, first.evidence), (Fate::Answered { rtt: Span::from_millis(2) }, Evidence::Proven));
    assert_eq!(
        trace.exchanges[3].end,
        Some(Instant::ZERO + Span::from_millis(608)),
        "the client had it, and sent again?"
    );
    // Assumptions about another association change nothing here. Without assumptions, all is as before.
    let (client, server) = (association.client, association.server);
    let other = Assumed { vantage: Some(Vantage::Client), workload: None };
    trace.assume(&Assumptions { all: Assumed::default(), each: vec![((server, client), other)] }, &mut Silent).unwrap();
    assert_eq!(told(&trace), estimated);
    trace.assume(&Assumptions { all: Assumed::default(), each: vec![((client, server), other)] }, &mut Silent).unwrap();
    assert_eq!(trace.associations[0].vantage, Vantage::Client);
    trace.assume(&Assumptions::default(), &mut Silent).unwrap();
    assert_eq!(told(&trace), estimated);
}

/// Nothing is proven by what is not there while the sniffer says that it lost frames.
#[test]
fn silence_during_sniffer_loss_proves_nothing() {
    const TABLE: &str = "0       A > S  CON GET  1 aa
                         100     S > A  ACK 2.05 1 aa
                         1000    A > S  CON GET  2 ab
                         3000    A > S  CON GET  2 ab rc=1
                         3100    S > A  ACK 2.05 2 ab rc=1
                         40000   A > S  CON GET  3 ac
                         40100   S > A  ACK 2.05 3 ac
                         300000";
    let with = |drops: &[Dropped]| {
        let mut capture = capture(TABLE);
        capture.drops = drops.to_vec();
        analyse(capture)
    };
    let whole = "A>S 1 acked 100 perhaps-before | 0 answered 100! / piggy 100 to 0
                 A>S 2 acked 3100 | 1000 lost! | 3000 answered 100! / piggy 3100 to 1
                 A>S 3 acked 40100 | 40000 answered 100! / piggy 40100 to 0";
    assert_told(&with(&[]), whole);
    // Before the fourth frame: a reply to the first copy may have been there. The reply that came says which it answers.
    let one = Dropped { before: Some(FrameId(3)), count: 1 };
    assert_told(
        &with(&[one]),
        "A>S 1 acked 100 perhaps-before | 0 answered 100! / piggy 100 to 0
         A>S 2 acked 3100 | 1000 lost~ | 3000 answered 100! / piggy 3100 to 1
         A>S 3 acked 40100 | 40000 answered 100! / piggy 40100 to 0",
    );
    // Between two exchanges: perhaps the third began with a copy that is not there.
    assert_told(
        &with(&[Dropped { before: Some(FrameId(5)), count: 2 }]),
        &whole.replace("40100 | 40000", "40100 perhaps-before | 40000"),
    );
    // Somewhere.
    assert_told(
        &with(&[Dropped { before: None, count: 1 }, one]),
        "A>S 1 acked 100 perhaps-before | 0 answered 100~ / piggy 100 to 0
         A>S 2 acked 3100 | 1000 lost~ | 3000 answered 100! / piggy 3100 to 1
         A>S 3 acked 40100 perhaps-before | 40000 answered 100~ / piggy 40100 to 0",
    );
}
