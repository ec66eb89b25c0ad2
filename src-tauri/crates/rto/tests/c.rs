//! Timers written as C: compiled, run as child processes, and held equal to the estimators event by event.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "c/play.rs"]
mod play;
#[path = "c/sequences.rs"]
mod sequences;
#[path = "c/toolchain.rs"]
mod toolchain;

use play::Timer;
use rto::AlgorithmSpec;
use rto::apply::coap_stacks;
use sequences::{Random, closed_loop, open_loop, random_events, worked_examples};
use serde_json::{Map, Value, json};
use toolchain::{Folder, gcc};

/// One tick of the exact comparison: a nanosecond.
const EXACT: u32 = 1_000_000_000;
/// One preset of each procedure.
const PROCEDURES: [&str; 8] = [
    "coap_default",
    "rfc6298_coap",
    "linux_rto",
    "coap_eifel",
    "basic_rto",
    "cocoa_plus",
    "cocoa_2014_opt",
    "cocoa_e_eifel_reading",
];
/// Random events of one preset.
const EVENTS: usize = 100_000;

/// Presets that have a C file.
fn written() -> Vec<&'static AlgorithmSpec> {
    rto::algorithms().iter().filter(|spec| Timer::new(spec.id, Map::new(), "contiki-ng").is_ok()).collect()
}

#[test]
fn what_is_written_and_what_is_refused() {
    let mut all = String::new();
    for spec in rto::algorithms() {
        let line = match Timer::new(spec.id, Map::new(), "contiki-ng") {
            Ok(timer) => {
                let program = &timer.program;
                format!(
                    "{}: {} octets a server, {} an exchange",
                    spec.id, program.server_octets, program.exchange_octets
                )
            }
            Err(refused) => format!("{}: {refused}", spec.id),
        };
        all += &(line + "\n");
    }
    for stack in coap_stacks().iter().filter(|stack| stack.program_ticks().is_none()) {
        all += &format!("{}: {}\n", stack.id, Timer::new("cocoa_plus", Map::new(), &stack.id).unwrap_err());
    }
    insta::assert_snapshot!(all);
}

#[test]
fn cocoa_plus_for_contiki_ng() {
    let timer = Timer::new("cocoa_plus", Map::new(), "contiki-ng").unwrap();
    insta::assert_snapshot!(format!("{}\n{}", timer.program.header, timer.program.source));
}

/// No name that a person gives a preset gets out of its comment, and every name is one of C.
#[test]
fn names_stay_in_comments() {
    let text = "[[preset]]\nid = \"9_lives\"\nname = \"*/ int evil; /* \\\\\"\nbase = \"cocoa_plus\"\nparams = { rto_max = 20 }\n";
    let mut set = rto::AlgorithmSet::default();
    set.add(rto::user::parse_toml(text).unwrap()).unwrap();
    let spec = set.spec("9_lives").unwrap();
    let program = Timer::of(spec, Map::new(), "contiki-ng").unwrap().program;
    assert_eq!(program.name, "rto_9_lives");
    assert!(program.header.starts_with("/*\n * * / int evil; / * /"), "{}", program.header);
    assert!(program.source.contains("#define RTO_9_LIVES_RTO_MAX INT64_C(20000000000)"), "{}", program.source);
}

#[test]
fn equal_to_the_estimators() {
    let Some(gcc) = gcc() else { return };
    let folder = Folder::new("c-equal");
    let mut events = 0;
    for (seed, spec) in (0..).zip(written()) {
        let timer = Timer::new(spec.id, Map::new(), "contiki-ng").unwrap();
        let mut played = timer.play(EXACT);
        random_events(&mut played, &mut Random(seed), EVENTS);
        open_loop(&mut played);
        closed_loop(&mut played);
        events += played.events();
        played.check(&gcc, &folder);
    }
    println!("{events} events are equal to the nanosecond");
}

#[test]
fn equal_on_the_worked_examples() {
    let Some(gcc) = gcc() else { return };
    let folder = Folder::new("c-worked");
    let mut presets = 0;
    for spec in written() {
        let examples = worked_examples(spec.id);
        let timer = Timer::new(spec.id, Map::new(), "contiki-ng").unwrap();
        let mut played = timer.play(EXACT);
        for steps in &examples {
            played.restart();
            played.steps(steps);
        }
        played.check(&gcc, &folder);
        presets += usize::from(!examples.is_empty());
    }
    assert!(presets >= 20, "only {presets} presets have worked examples");
}

/// Parameters from their whole ranges, every choice among them.
#[test]
fn equal_with_other_parameters() {
    let Some(gcc) = gcc() else { return };
    let folder = Folder::new("c-parameters");
    let families = ["coap_default", "rfc6298_coap", "linux_rto", "coap_eifel", "basic_rto", "cocoa_ietf_03"];
    for (seed, id) in (0..60).zip(families.iter().cycle()) {
        let mut random = Random(seed);
        let params = sequences::parameters(rto::spec(id).unwrap(), &mut random);
        let timer = Timer::new(id, params, "zephyr").unwrap();
        let mut played = timer.play(EXACT);
        random_events(&mut played, &mut random, 2_000);
        played.check(&gcc, &folder);
    }
}

/// In the ticks of each stack: equal to the tick, and no further from the algorithm than the program says.
#[test]
fn the_error_of_a_stack_s_ticks_is_what_it_says() {
    let Some(gcc) = gcc() else { return };
    let folder = Folder::new("c-ticks");
    for stack in coap_stacks() {
        let Some(ticks) = stack.program_ticks() else { continue };
        for id in ["coap_default", "cocoa_plus", "rfc6298_coap"] {
            let timer = Timer::new(id, Map::new(), &stack.id).unwrap();
            assert!(timer.program.header.contains(&format!("1/{ticks} s")), "{}", timer.program.header);
            let mut played = timer.play(ticks);
            random_events(&mut played, &mut Random(7), 20_000);
            let (said, worst) = (timer.program.largest_error, played.worst());
            assert!(worst <= said + 1e-12 && worst > 0.9 * said, "{} {id}: {said} s said, {worst} s", stack.id);
            played.check(&gcc, &folder);
        }
    }
}

/// Compiled for this machine and for small ones; prints the sizes. sdcc takes its time, so that it gets one preset of
/// each procedure.
#[test]
fn compiles_for_small_machines() {
    let folder = Folder::new("c-small");
    for compiler in [toolchain::HOST, toolchain::ARM, toolchain::SDCC] {
        let Some(found) = compiler.find() else { continue };
        for id in PROCEDURES {
            let timer = Timer::new(id, Map::new(), "contiki").unwrap();
            timer.write(&folder);
            let octets = found.compile(&folder, &timer.program.name);
            println!("{}, {id}: {octets} octets of code", compiler.name);
            assert!(octets > 0);
        }
    }
}

#[test]
fn numbers_are_those_of_the_declaration() {
    let params = json!({ "alpha": "1/7", "rto_max": 20, "weak_max": 1, "aging": "none" });
    let Value::Object(params) = params else { unreachable!() };
    let source = Timer::new("cocoa_plus", params, "contiki-ng").unwrap().program.source;
    for line in [
        "#define COCOA_PLUS_ALPHA 1, 7",
        "#define COCOA_PLUS_RTO_MAX INT64_C(20000000000)",
        "#define COCOA_PLUS_WEAK_MAX 1",
        "#define COCOA_PLUS_VBF_HIGH 13, 10",
    ] {
        assert!(source.contains(&format!("{line}\n")), "{line}: {source}");
    }
    assert!(!source.contains("AGING") && !source.contains("static void age"), "{source}");
}
