//! Tests of studies over folders of runs.

use super::super::find::{self, Failed};
use super::super::spec_of;
use super::*;
use crate::view::StudyTaken;
use base::Silent;
use live::output::replace as write;

fn world() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let octets = crate::samples().iter().find(|sample| sample.id == "live-sleepy-default").unwrap().octets;
    for name in ["chain/default-seed1", "chain/cocoa-seed1", "grid/default-seed1"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
        write(&folder.path().join(name).join("radio.pcap.gz"), octets).unwrap();
        write(&folder.path().join(name).join("README.md"), b"# A run\n").unwrap();
    }
    folder
}

fn found(folder: &Path, patterns: Option<Vec<String>>) -> StudyFoundView {
    let request = StudyFindRequest { folder: folder.display().to_string(), patterns };
    find_runs(&request, &mut Silent).unwrap()
}

fn text_of(request: &StudyWriteRequest) -> String {
    write_study(request, &AlgorithmSet::default()).expect("a study").text
}

#[test]
fn a_folder_is_found_edited_and_written() {
    let folder = world();
    let found_here = found(folder.path(), None);
    assert_eq!(found_here.patterns, ["{scenario}/{timer}-seed{seed}/radio.pcap.gz"]);
    assert_eq!(found_here.captures.len(), 3);
    assert_eq!(found_here.captures[0].tags["timer"], "cocoa");
    assert_eq!(found_here.captures[1].ran.as_deref(), Some("coap_default"));
    assert!(found_here.others.is_empty());
    let taken: Vec<StudyTaken> =
        found_here.captures.iter().map(|of| StudyTaken { path: of.path.clone(), tags: of.tags.clone() }).collect();
    let path = folder.path().join("mine.toml");
    let mut request = StudyWriteRequest {
        path: path.display().to_string(),
        name: "mine".to_owned(),
        folder: found_here.folder.clone(),
        patterns: found_here.patterns.clone(),
        captures: taken[1..].to_vec(),
        left_out: vec![taken[0].path.clone()],
        timers: [USUAL[0], USUAL[1]].map(choice).to_vec(),
        replicates: 3,
    };
    let text = text_of(&request);
    assert!(text.contains("paths = \"{scenario}/{timer}-seed{seed}/radio.pcap.gz\""), "{text}");
    assert!(text.contains("exclude = \"chain/cocoa-seed1/radio.pcap.gz\""), "{text}");
    assert!(text.contains("baseline = \"coap_default\""), "{text}");
    request.captures[1].tags.insert("scenario".to_owned(), "field".to_owned());
    let text = text_of(&request);
    assert!(text.contains("paths = \"grid/default-seed1/radio.pcap.gz\"\ntags = { \"scenario\" = \"field\""), "{text}");
    // Beside the folder the way is whole, and finds the same.
    let elsewhere = tempfile::tempdir().unwrap();
    request.path = elsewhere.path().join("mine.toml").display().to_string();
    write(Path::new(&request.path), text_of(&request).as_bytes()).unwrap();
    let spec = spec_of(&fs::read_to_string(&request.path).unwrap(), &|_, name| name.into()).unwrap();
    let go_on = |_| std::ops::ControlFlow::Continue(());
    let captures = find::captures(&spec, elsewhere.path(), Path::new("nowhere"), &go_on);
    assert_eq!(captures.map_err(|_| "refused").unwrap().len(), 2);
    request.path = path.with_extension("pcap").display().to_string();
    assert!(write_study(&request, &AlgorithmSet::default()).unwrap_err().message.contains(".toml"));
    request.captures.clear();
    assert!(write_study(&request, &AlgorithmSet::default()).unwrap_err().message.contains("no capture"));
}

#[test]
fn rows_stand_in_a_folder_without_captures() {
    let folder = world();
    let text = "name = \"x\"\n[[captures]]\npaths = \"*/radio.pcap.gz\"\n[[timers]]\nalgorithm = \"coap_default\"\n";
    let spec = spec_of(text, &|_, name| name.into()).unwrap();
    let found_with = |out: &Path| match find::captures(&spec, &folder.path().join("chain"), out, &|_| {
        std::ops::ControlFlow::Continue(())
    }) {
        Ok(captures) => Ok(captures.len()),
        Err(Failed::Refused(error)) => Err(error.message),
        Err(Failed::Cancelled(_)) => unreachable!("nothing stops it"),
    };
    assert_eq!(found_with(&folder.path().join("chain/rows")), Ok(2));
    let refusal = found_with(&folder.path().join("chain")).unwrap_err();
    assert!(refusal.contains("another folder than") && !refusal.contains("No capture"), "{refusal}");
    assert_eq!(found_with(&folder.path().join("grid")), Ok(2));
}

#[test]
fn presets_of_the_user_lie_beside_the_study() {
    let folder = world();
    let mut algorithms = AlgorithmSet::default();
    let own = "[[preset]]\nid = \"mine\"\nname = \"Mine\"\nbase = \"cocoa_plus\"\nparams = { rto_max = 20 }\n";
    algorithms.add(rto::user::parse_toml(own).unwrap()).unwrap();
    let found = found(folder.path(), None);
    let path = folder.path().join("mine.toml");
    let request = StudyWriteRequest {
        path: path.display().to_string(),
        name: "mine".to_owned(),
        folder: found.folder,
        patterns: found.patterns,
        captures: found.captures.into_iter().map(|of| StudyTaken { path: of.path, tags: of.tags }).collect(),
        left_out: Vec::new(),
        timers: ["coap_default", "mine"].map(choice).to_vec(),
        replicates: 3,
    };
    let refused = write_study(&request, &AlgorithmSet::default()).unwrap_err();
    assert!(refused.message.contains("mine"), "{refused:?}");
    let StudyFiles { text, presets } = write_study(&request, &algorithms).unwrap();
    let (name, presets) = presets.unwrap();
    assert_eq!(name, "mine.presets.toml");
    let beside = folder.path().join(name);
    may_hold_presets(&beside).unwrap();
    write(&beside, presets.as_bytes()).unwrap();
    may_hold_presets(&beside).unwrap();
    let spec = spec_of(&text, &|_, name| folder.path().join(name)).unwrap();
    assert_eq!(
        (spec.timers[1].algorithm.as_str(), &spec.timers[1].params["rto_max"]),
        ("cocoa_plus", &Value::from(20))
    );
    write(&beside, own.as_bytes()).unwrap();
    assert!(may_hold_presets(&beside).unwrap_err().message.contains("another file"));
}

#[test]
fn patterns_leave_others_and_mistakes_are_said() {
    let folder = world();
    let only = found(folder.path(), Some(vec!["chain/{run}/radio.pcap.gz".to_owned()]));
    assert_eq!((only.captures.len(), only.others.len()), (2, 1));
    let request =
        StudyFindRequest { folder: folder.path().display().to_string(), patterns: Some(vec!["{a".to_owned()]) };
    assert!(find_runs(&request, &mut Silent).unwrap_err().message.contains("no } after"));
    let request = StudyFindRequest { folder: "/nowhere/at/all".to_owned(), patterns: None };
    assert!(find_runs(&request, &mut Silent).unwrap_err().message.contains("/nowhere/at/all"));
}

#[test]
fn the_bundled_captures_are_a_study() {
    let folder = tempfile::tempdir().unwrap();
    let request = StudyBundledRequest { path: folder.path().join("bundled.toml").display().to_string() };
    let text = bundled_study(&request).unwrap();
    let spec = spec_of(&text, &|_, name| name.into()).unwrap();
    assert_eq!(spec.captures.len(), all_bundled().count());
    // Each timer that ran has its column.
    assert!(spec.timers.len() > USUAL.len());
    assert_eq!(bundled_study(&request).unwrap(), text, "files that are there stay");
    let other = folder.path().join("bundled-captures/live-sleepy-default/capture.pcap.gz");
    write(&other, b"another").unwrap();
    assert!(bundled_study(&request).unwrap_err().message.contains("another file"));
}
