//! The code that SDCC generates. An 8051 function keeps its variables in fixed places, so none may be entered by the
//! interrupt while the main loop is in it, and the interrupt's variables may not lie over those of what it interrupts.
//! The stack's bound is `test/sizes.py`'s; here the stack is watched.

use cc2531_image::{Dongle, radio::Frame};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const ISR: &str = "_radio_isr";
const MAIN: &str = "_main";

fn build() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../build");
    std::env::var_os("FIRMWARE_BUILD").map_or(here, PathBuf::from).join("cc2531")
}

#[derive(Default)]
struct Function {
    file: PathBuf,
    calls: BTreeSet<String>,
}

fn listings(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the image is built") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("id-")) {
            listings(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "asm") {
            out.push(path);
        }
    }
}

/// Each function of the assembler listings with whom it calls, jumps to included.
fn functions() -> BTreeMap<String, Function> {
    let mut files = Vec::new();
    listings(&build(), &mut files);
    let mut functions = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a listing");
        let mut current = String::new();
        let mut code = false;
        for line in text.lines() {
            let line = line.split(';').next().expect("a part");
            if let Some(area) = line.trim().strip_prefix(".area") {
                code = area.trim_start().starts_with("CSEG");
            } else if !code {
                // data
            } else if line.starts_with('_') && line.contains(':') {
                line.split(':').next().expect("a label").clone_into(&mut current);
                functions.insert(current.clone(), Function { file: file.clone(), ..Function::default() });
            } else if let Some(function) = functions.get_mut(&current) {
                let mut words = line.split_whitespace();
                if let (Some("lcall" | "acall" | "ljmp" | "ajmp" | "sjmp"), Some(target)) = (words.next(), words.next())
                    && !target.ends_with('$')
                {
                    assert!(target != "a" && !target.starts_with('@'), "a jump through a pointer in {current}");
                    function.calls.insert(target.to_owned());
                }
            }
        }
    }
    functions
}

fn reached<'a>(functions: &'a BTreeMap<String, Function>, name: &'a str, out: &mut BTreeSet<&'a str>) {
    if out.insert(name) {
        for callee in functions.get(name).iter().flat_map(|function| &function.calls) {
            reached(functions, callee, out);
        }
    }
}

/// The deepest the stack can get and the room it has, octets; fails where recursion leaves it without a bound.
fn stack_bound() -> (u32, u32) {
    let sizes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sizes.py");
    let said =
        Command::new("python3").arg("-B").arg(sizes).arg(build().parent().expect("a folder")).arg("cc2531").output();
    let said = said.expect("python3");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let text = String::from_utf8(said.stdout).expect("text");
    let mut words = text.lines().last().expect("a line").split_whitespace().rev();
    let mut number = || words.find_map(|word| word.parse().ok()).expect("a number");
    let room = number();
    (number(), room)
}

#[test]
fn interrupt_and_main_loop_share_no_function() {
    let functions = functions();
    let (mut isr, mut main) = (BTreeSet::new(), BTreeSet::new());
    reached(&functions, ISR, &mut isr);
    reached(&functions, MAIN, &mut main);
    assert!(isr.contains("_ring_commit") && main.contains("_ring_release"), "{isr:?} {main:?}");
    assert_eq!(isr.intersection(&main).collect::<Vec<_>>(), Vec::<&&str>::new());
    for name in isr {
        let function =
            functions.get(name).unwrap_or_else(|| panic!("the interrupt calls {name}, a function of SDCC's"));
        let text = std::fs::read_to_string(&function.file).expect("a listing");
        assert!(!text.contains("OSEG    (OVR,DATA)"), "{name} may have variables that overlay others");
    }
}

#[test]
fn the_stack_has_a_bound_that_fits() {
    let (bound, said) = stack_bound();
    let text = std::fs::read_to_string(build().join("cc2531.mem")).expect("the linker's account");
    let line = text.lines().find(|line| line.starts_with("Stack starts at")).expect("stack");
    let room: u32 = line.split_whitespace().rev().nth(2).expect("room").parse().expect("a number");
    println!("stack at most {bound} of {room}");
    assert_eq!(said, room, "the linker's account");
    assert!(bound <= room, "{bound} of {room}");
    // And the bound holds where the stack can be watched.
    let start = line.split_whitespace().nth(3).expect("an address").trim_start_matches("0x");
    let start = u32::from_str_radix(start, 16).expect("hexadecimal");
    let mut dongle = Dongle::new(&build().join("cc2531.ihx"), 0);
    dongle.plug();
    dongle.start(15);
    for n in 0..20 {
        let frame = Frame { psdu: vec![n; 127], channel: 15, rssi: -50, correlation: 90, fcs_ok: true, sfd: 0 };
        let start = dongle.now() + 1_000;
        dongle.chip().radio.transmit(frame, start);
        dongle.run(4_700);
    }
    let used = u32::from(dongle.deepest) + 1 - start;
    println!("stack used {used}");
    assert!((10..=bound).contains(&used), "{used} of {bound}");
}
