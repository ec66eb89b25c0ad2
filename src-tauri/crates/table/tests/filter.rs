//! The filter language: what is refused and where, what is meant, and the laws it obeys.

use base::Silent;
use proptest::prelude::*;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;
use std::sync::OnceLock;
use table::Rows;
use table::filter::{
    Comparison, Expr, FIELDS, Field, Filter, Kind, Literal, Pattern, Range, TREE_FIELDS, Test, fields,
};
use trace::{DecodeOptions, ImportOptions, Places, Trace};

fn refusal(text: &str) -> String {
    text.parse::<Filter>().expect_err(text).to_string()
}

#[test]
fn errors_say_where_and_what_was_meant() {
    assert_eq!(refusal("udp && coap.midd > 3"), "column 8: unknown field `coap.midd`; did you mean `coap.mid`?");
    assert_eq!(refusal("nonsense"), "column 1: unknown field `nonsense`");
    assert_eq!(refusal("coap.mid == "), "column 13: a whole number such as `12` or `0x0c` is expected");
    assert_eq!(
        refusal("coap.mid == twelve"),
        "column 13: `twelve` does not fit `coap.mid`: a whole number such as `12` or `0x0c` is expected"
    );
    assert_eq!(
        refusal("coap.type == CONN"),
        "column 14: `CONN` does not fit `coap.type`: a number or a name is expected or one of CON, NON, ACK, RST"
    );
    assert_eq!(refusal("(coap || udp"), "column 13: `)` is expected, for the bracket in column 1");
    assert_eq!(refusal("coap)"), "column 5: this bracket was not opened");
    assert_eq!(refusal("coap udp"), "column 6: `&&`, `||` or the end is expected");
    assert_eq!(refusal("coap == 1"), "column 6: `coap` is there or not; it has no value to compare");
    assert_eq!(refusal("source == \"mote"), "column 11: this string has no closing quote");
    assert_eq!(refusal("ipv6.src < fd00::/64"), "column 12: a prefix is compared by `==` or `!=` only");
    assert_eq!(refusal("ipv6.src == fd00::/129").split(':').next(), Some("column 13"));
    assert_eq!(refusal("coap.mid contains 3").split(':').next(), Some("column 10"));
    assert_eq!(refusal("coap.mid in {1, 2").split(':').next(), Some("column 18"));
    assert_eq!(refusal("  "), "column 3: a filter is expected, such as `coap.type == CON`");
    assert_eq!(refusal("é == 1").split(':').next(), Some("column 1"));
    assert_eq!(refusal("coap.mid matches \"3\"").split(':').next(), Some("column 10"));
    assert_eq!(
        refusal("coap.opt.uri_path matches temp"),
        "column 27: a regular expression in quotes is expected, such as `\"^temp\"`"
    );
    assert_eq!(refusal("source matches \"(\""), "column 16: no regular expression: unclosed group");
    assert_eq!(refusal("source == r\"x"), "column 11: this string has no closing quote");
    assert_eq!(refusal("ipv6.flow == fd00::1").split(':').next(), Some("column 14"), "a number, by the tree");
    assert_eq!(refusal("ipv6.flwo"), "column 1: unknown field `ipv6.flwo`; did you mean `ipv6.flow`?");
    assert_eq!(refusal("coap; udp"), "column 5: `;` has no meaning here");
    assert!(refusal(&"(".repeat(100_000)).contains("more than 64 deep"));
    assert!(refusal(&"!".repeat(100_000)).contains("more than 64 deep"));
}

#[test]
fn literals_are_read_as_their_field_has_them() {
    let same =
        |a: &str, b: &str| assert_eq!(a.parse::<Filter>().expect(a), b.parse::<Filter>().expect(b), "{a} and {b}");
    same("coap.mid == 0x0c", "coap.mid eq 12");
    same("coap.type == CON", "coap.type == 0");
    same("coap.code == 2.05", "coap.code == 69");
    same("coap.code == GET", "coap.code == 0.01");
    same("coap.code == \"Not Found\"", "coap.code == 4.04");
    same("rtt > 200ms", "rtt > 0.2");
    same("time >= 6:31.2", "time >= 391.2");
    same("time_of_day < 13:05:00", "time_of_day < 47100");
    same("coap.token == be:ef", "coap.token == beef");
    same("coap.token == 0xbeef", "coap.token == be-ef");
    same("spurious", "needless");
    same("coap and not udp or rpl", "(coap && !udp) || rpl");
    same("coap.mid in {1, 2, 5..9}", "coap.mid in {1 2 5 .. 9}");
    same(r#"source matches r"^\d+""#, "source matches \"^\\\\d+\"");
    same("eth.src == 00:00:5e:00:53:01", "eth.src == 00005e005301");
    assert_eq!(refusal("rtt > 0.0000000001").split(':').next(), Some("column 7"), "finer than a nanosecond");
}

struct Opened {
    trace: Trace,
    places: Places,
}

fn opened(name: &str) -> Opened {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(name);
    let capture = trace::open(&path, &ImportOptions::default(), &mut Silent).expect("a bundled capture");
    let trace = trace::analyse(capture, &DecodeOptions::default(), &mut Silent).expect("not cancelled");
    let places = Places::of(&trace, &mut Silent).expect("not cancelled");
    Opened { trace, places }
}

/// A small capture with retransmissions.
fn small() -> &'static Opened {
    static SMALL: OnceLock<Opened> = OnceLock::new();
    SMALL.get_or_init(|| opened("live-sleepy-default/capture.pcap.gz"))
}

fn mask(opened: &Opened, rows: Rows, filter: &Filter) -> Vec<u32> {
    table::select(&opened.trace, &opened.places, rows, Some(filter), None, &mut Silent).expect("not cancelled")
}

fn count(opened: &Opened, rows: Rows, text: &str) -> usize {
    mask(opened, rows, &text.parse().expect(text)).len()
}

/// Asserts that filters agree with the trace on its exchanges.
#[test]
fn filters_agree_with_the_exchanges() {
    let opened = opened("tsch-slow-chain5-default/radiolog.txt.gz");
    let trace = &opened.trace;
    let copies = || trace.exchanges.iter().flat_map(|e| e.copies.iter().enumerate().map(move |c| (e, c.0, c.1)));
    let messages = |text: &str| count(&opened, Rows::Messages, text);
    assert!(copies().count() > 500);
    assert_eq!(messages("request"), copies().count());
    assert_eq!(messages("retransmission"), copies().filter(|c| c.1 > 0).count());
    assert_eq!(messages("request && copy == 1"), trace.exchanges.len());
    let recorded =
        table::Timeline::recorded(trace, &base::SharedProgress::new(&mut base::Silent, 0)).expect("not cancelled");
    let needless: u32 = trace.associations.iter().map(|a| recorded.needless(a.id).1).sum();
    assert!(needless > 50);
    assert_eq!(messages("needless"), needless as usize);
    assert_eq!(messages("reply"), trace.exchanges.iter().map(|e| e.replies.len()).sum::<usize>());
    assert_eq!(messages("request && rtt > 5s"), {
        let slow = |c: &&trace::Copy| matches!(c.fate, trace::Fate::Answered { rtt } if rtt.secs_f64() > 5.0);
        trace.exchanges.iter().flat_map(|e| &e.copies).filter(slow).count()
    });
    // A message on each of its hops is the frames of those hops.
    let longest = trace.messages.iter().max_by_key(|m| m.hops().len()).expect("messages");
    let frames: usize = longest.hops().map(|h| h.frames.len()).sum();
    assert!(longest.hops().len() >= 3);
    assert_eq!(count(&opened, Rows::Frames, &format!("message == {}", longest.id)), frames);
    assert_eq!(
        count(&opened, Rows::Frames, &format!("message == {} && hop == 2", longest.id)),
        longest.hop(1).unwrap().frames.len()
    );
}

#[test]
fn a_window_limits_the_rows() {
    let Opened { trace, places } = small();
    let (first, last) = trace.capture.window().expect("frames");
    let middle = first + (last - first).scale(1, 2);
    let rows =
        |window| table::select(trace, places, Rows::Frames, None, Some(window), &mut Silent).expect("rows").len();
    assert_eq!(rows((first, last)), trace.capture.frames.len());
    assert!(rows((first, middle)) < trace.capture.frames.len() && rows((first, middle)) > 0);
}

/// Asserts that fields that both the tree and packets have agree.
#[test]
fn fields_of_the_tree_are_read_there() {
    let opened = opened("tsch-slow-chain5-default/radiolog.txt.gz");
    let frames = |text: &str| mask(&opened, Rows::Frames, &text.parse().expect(text));
    for (ours, in_tree) in [
        ("coap", "coap.version == 1"),
        (
            "coap.token_len > 0",
            "coap.token_len > 0 && coap.opt.end_marker || coap.token_len > 0 && !coap.opt.end_marker",
        ),
        ("ipv6", "ipv6.version == 6"),
        ("icmpv6.rpl.dio.rank", "icmpv6.rpl.dio.version"),
        ("coap.opt.uri_path", r##"coap.opt.name matches r"^#\d+: uri-path$""##),
    ] {
        let ours = frames(ours);
        assert!(!ours.is_empty() && ours == frames(in_tree), "{in_tree}");
    }
    let paths = frames("coap.opt.uri_path");
    assert_eq!(paths, frames("coap.opt.uri_path matches \".\""));
    // Letters of either case, anywhere; anchors are the value's ends.
    assert_eq!(frames("coap.opt.uri_path == \"time\""), frames(r#"coap.opt.uri_path matches r"^T.M\w$""#));
    assert!(frames("coap.opt.uri_path matches \"^ime\"").is_empty());
    assert_eq!(frames("coap.token"), frames(r#"coap.token matches r"^[\x00-\xff]{1,8}$""#));
    // A message is asked of in the frame that completes it.
    let opened = &opened;
    let messages = |text: &str| mask(opened, Rows::Messages, &text.parse().expect(text)).len();
    assert_eq!(messages("coap"), opened.trace.messages.len());
    assert_eq!(messages("coap.version"), opened.trace.messages.iter().filter(|m| m.frame.is_some()).count());
}

/// Frames of a second sniffer, and frames in which messages end that only a lenient reader sees, are CoAP as the
/// others.
#[test]
fn filters_see_every_message_of_import() {
    let names = [
        // Multi-sniffer, with fragments; cut by the snap length; acknowledgements with a token.
        "doc-iotlab-zep/doc-eval-max_age-ieee802154-dohlike-coap-post-dc0-ccc0-proxied0-None-None-50x5.0-AAAA-345279-1668532803.pcap.gz",
        "coap-perf-tester/caputure_to_1200_arf_12_r_4_res1024.pcap",
        "ttproto/TD_COAP_OBS_05_PASS.pcap",
    ];
    for name in names {
        let Some(path) = needs::shared(&format!("captures/{name}")) else { continue };
        let capture = trace::open(&path, &ImportOptions::default(), &mut Silent).expect(name);
        let trace = trace::analyse(capture, &DecodeOptions::default(), &mut Silent).expect("not cancelled");
        let places = Places::of(&trace, &mut Silent).expect("not cancelled");
        let opened = Opened { trace, places };
        let trace = &opened.trace;
        let ends = |wanted: &dyn Fn(&trace::Message) -> bool| -> Vec<u32> {
            let wanted = |seen: &&(base::FrameId, base::MessageId)| wanted(&trace.messages[seen.1.index()]);
            trace.sightings.iter().filter(wanted).map(|seen| seen.0.0).collect()
        };
        let frames = |text: &str| mask(&opened, Rows::Frames, &text.parse().expect(text));
        assert_eq!(frames("coap"), ends(&|_| true), "{name}");
        assert_eq!(frames("coap.version == 1"), ends(&|_| true), "{name}");
        assert_eq!(frames("coap.type == ACK"), ends(&|m| m.kind == trace::Type::Ack), "{name}");
        assert_eq!(frames("coap.token_len > 0"), ends(&|m| !m.token.is_empty()), "{name}");
        assert_eq!(frames("coap.token"), frames("coap.token_len > 0"), "{name}");
        assert_eq!(frames("coap.payload_length > 500"), ends(&|m| m.payload > 500), "{name}");
        assert!(frames("coap && !message").is_empty(), "{name}");
    }
}

fn literal(kind: Kind) -> BoxedStrategy<Literal> {
    match kind {
        Kind::Protocol | Kind::Flag | Kind::Bool => any::<bool>().prop_map(Literal::Flag).boxed(),
        Kind::Number | Kind::Name(_) | Kind::Code => prop_oneof![
            (0_i64..70_000).prop_map(Literal::Number),
            any::<i64>().prop_filter("its size is written", |n| *n != i64::MIN).prop_map(Literal::Number)
        ]
        .boxed(),
        Kind::Time => prop_oneof![0_i64..1_000_000_000_000, any::<i64>()]
            .prop_filter("as above", |n| *n != i64::MIN)
            .prop_map(Literal::Nanos)
            .boxed(),
        Kind::Text => any::<String>().prop_map(Literal::Text).boxed(),
        Kind::Octets => prop::collection::vec(any::<u8>(), 0..9).prop_map(Literal::Octets).boxed(),
        Kind::Eui64 => any::<[u8; 8]>().prop_map(Literal::Eui64).boxed(),
        Kind::Ipv6 => (any::<u128>(), 0..=128_u8).prop_map(|(a, len)| Literal::Ipv6(Ipv6Addr::from(a), len)).boxed(),
        Kind::Ipv4 => (any::<u32>(), 0..=32_u8).prop_map(|(a, len)| Literal::Ipv4(Ipv4Addr::from(a), len)).boxed(),
    }
}

fn is_prefix(literal: &Literal) -> bool {
    matches!(literal, Literal::Ipv6(_, 0..128) | Literal::Ipv4(_, 0..32))
}

fn comparison(literal: Literal) -> impl Strategy<Value = Test> {
    let all = if is_prefix(&literal) { 2 } else { Comparison::ALL.len() };
    (0..all).prop_map(move |index| Test::Compare(Comparison::ALL[index].0, literal.clone()))
}

fn range(field: &'static Field) -> impl Strategy<Value = Range> {
    (literal(field.kind), prop::option::of(literal(field.kind))).prop_map(|(first, last)| {
        let last = last.filter(|last| !is_prefix(last) && !is_prefix(&first));
        Range { first, last }
    })
}

fn test() -> impl Strategy<Value = Expr> {
    // One field of six is read from the tree.
    let tree = TREE_FIELDS.len();
    prop_oneof![5 => 0..FIELDS.len(), 1 => FIELDS.len()..FIELDS.len() + tree].prop_flat_map(|index| {
        let field = fields().nth(index).expect("a field");
        let compared = literal(field.kind).prop_flat_map(comparison).boxed();
        let contained = literal(field.kind).prop_map(Test::Contains).boxed();
        let matched = any::<String>().prop_filter_map("a pattern", move |text| Pattern::new(&text, field.kind).ok());
        let matched = matched.prop_map(Test::Matches).boxed();
        let set = prop::collection::vec(range(field), 1..4).prop_map(Test::In).boxed();
        let tests = match field.kind {
            Kind::Protocol => Just(Test::Present).boxed(),
            Kind::Text | Kind::Octets => prop_oneof![Just(Test::Present), compared, contained, matched, set].boxed(),
            _ => prop_oneof![Just(Test::Present), compared, set].boxed(),
        };
        tests.prop_map(move |test| Expr::Test(field, test))
    })
}

fn expr() -> impl Strategy<Value = Expr> {
    test().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::Or),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::And),
            inner.prop_map(|e| Expr::Not(Box::new(e))),
        ]
    })
}

fn not(e: Expr) -> Expr {
    Expr::Not(Box::new(e))
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        let _ = text.parse::<Filter>();
    }

    /// Texts that look like filters get further into the parser.
    #[test]
    fn no_near_filter_does_either(words in prop::collection::vec(prop_oneof![
        Just("coap.mid"), Just("ipv6.src"), Just("coap"), Just("=="), Just("in"), Just("{"), Just("}"), Just(".."), Just("("),
        Just(")"), Just("!"), Just("&&"), Just("or"), Just("3"), Just("fd00::/64"), Just("contains"), Just("\"x"), Just("rtt"),
        Just("matches"), Just("r\""), Just("ipv6.flow"), Just("9999999999999999999999"), Just("200ms"), Just("1:2:3"), Just("<"), Just(","), Just("source"), Just("\\"), Just("0x"),
    ], 0..12)) {
        let spaced = words.join(" ");
        if let Err(error) = spaced.parse::<Filter>() {
            prop_assert!((1..=spaced.chars().count() + 1).contains(&error.column), "{spaced}: {error}");
        }
        let _ = words.concat().parse::<Filter>();
    }

    #[test]
    fn what_is_printed_is_read_back(e in expr()) {
        let filter = Filter(e);
        let text = filter.to_string();
        prop_assert_eq!(text.parse::<Filter>().map_err(|e| format!("{text}: {e}")), Ok(filter));
    }

    #[test]
    fn de_morgan(a in expr(), b in expr()) {
        let mask = |e: Expr| mask(small(), Rows::Frames, &Filter(e));
        let pair = || vec![a.clone(), b.clone()];
        prop_assert_eq!(mask(not(Expr::And(pair()))), mask(Expr::Or(vec![not(a.clone()), not(b.clone())])));
        prop_assert_eq!(mask(not(Expr::Or(pair()))), mask(Expr::And(vec![not(a.clone()), not(b.clone())])));
    }

    #[test]
    fn masks_are_sets(a in expr(), b in expr()) {
        let mask = |e: Expr| mask(small(), Rows::Messages, &Filter(e));
        let (in_a, in_b) = (mask(a.clone()), mask(b.clone()));
        let both: Vec<u32> = in_a.iter().copied().filter(|row| in_b.contains(row)).collect();
        prop_assert_eq!(mask(Expr::And(vec![a.clone(), b])), both);
        let all = Rows::Messages.total(&small().trace);
        prop_assert_eq!(mask(not(a)).len() + in_a.len(), all);
    }
}
