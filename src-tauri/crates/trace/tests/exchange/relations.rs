//! Relations of exchanges: two sides of one request, observations, block-wise transfers.

use crate::talk::talk;
use trace::{Cancellation, Direction};

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
