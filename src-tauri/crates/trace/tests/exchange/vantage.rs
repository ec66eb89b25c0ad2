//! Vantage of the sniffer, assumptions about it, and frames that it lost.

use crate::talk::{analyse, assert_told, capture, capture_behind, talk, told};
use base::{FrameId, Instant, Silent, Span};
use trace::{Assumed, Assumptions, Correction, Dropped, Evidence, Fate, Vantage, Workload};
use wire::tap::linktype;

/// Each answered at once, and the next request 200 ms after an answer: a capture beside the server, 100 ms from the
/// client.
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
fn a_loopback_interface_is_both_ends_whatever_the_addresses() {
    let ethernet = |mac: [u8; 12]| [&mac[..], &[0x08, 0x00]].concat();
    // Packet type 0, ARPHRD type, no address; version 2 begins with the EtherType.
    let cooked = |arphrd: u16| [&[0, 0][..], &arphrd.to_be_bytes(), &[0; 10], &[0x08, 0x00]].concat();
    let cooked_v2 = |arphrd: u16| [&[0x08, 0x00, 0, 0, 0, 0, 0, 1][..], &arphrd.to_be_bytes(), &[0; 10]].concat();
    let loopback = [
        (linktype::ETHERNET, ethernet([0; 12])),
        (linktype::LINUX_SLL, cooked(772)),
        (linktype::LINUX_SLL2, cooked_v2(772)),
    ];
    for (number, header) in loopback {
        let trace = analyse(capture_behind((number, &header), BESIDE_THE_SERVER));
        let association = &trace.associations[0];
        assert_eq!((association.vantage, association.vantage_given), (Vantage::Everywhere, false), "{number}");
        assert_eq!(association.correction, Correction::default(), "{number}");
    }
    let network = [
        (linktype::ETHERNET, ethernet([2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2])),
        (linktype::LINUX_SLL, cooked(1)),
        (linktype::LINUX_SLL2, cooked_v2(1)),
    ];
    for (number, header) in network {
        let trace = analyse(capture_behind((number, &header), BESIDE_THE_SERVER));
        assert_eq!(trace.associations[0].vantage, Vantage::Server, "{number}");
    }
}

#[test]
fn an_assumed_vantage_overrides_the_estimate() {
    let mut trace = talk(BESIDE_THE_SERVER);
    let estimated = told(&trace);
    let at =
        |vantage, workload| Assumptions { all: Assumed { vantage, workload, ..Assumed::default() }, each: Vec::new() };
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
    let other = Assumed { vantage: Some(Vantage::Client), ..Assumed::default() };
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
    // Before the fourth frame: a reply to the first copy may have been there. The reply that came says which it
    // answers.
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
