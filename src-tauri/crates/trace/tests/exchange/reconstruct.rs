//! The state machine, one situation a test: tables of messages, and what is made of them.
//!
//! The format of both is described in `talk`. `!` marks what is proven, `~` what is inferred; `/` begins a reply and
//! says which copy it answers.

use crate::talk::{assert_told, talk};

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
         A>S 2 abandoned | 10000 lost~ | 12500 lost~
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
