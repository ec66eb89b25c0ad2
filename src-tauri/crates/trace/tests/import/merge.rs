//! Several recordings of one network joined: real runs split as sniffers would have seen them, and real sniffers.

use crate::make;
use base::{FrameId, Instant, Span};
use std::collections::BTreeSet;
use trace::{Alignment, Capture, ClockFit, ImportOptions, merge};

fn open(path: &std::path::Path) -> Capture {
    trace::open(path, &ImportOptions::default(), &mut base::Silent).unwrap()
}

/// A number that looks random and is the same in every run.
fn noise(seed: u64, of: usize) -> u64 {
    let mut n = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (of as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    n ^= n >> 31;
    n = n.wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 29)
}

/// Returns the recording of `whole` by a sniffer: seven frames of ten, on a clock that is `ahead` and gains `ppm`, with
/// up to `jitter` more.
fn sniffer(whole: &Capture, seed: u64, ahead: Span, ppm: i64, jitter: i64) -> (Capture, Vec<FrameId>) {
    let mut part = whole.clone();
    part.name = format!("sniffer {seed}");
    let kept: Vec<_> = (0..whole.frames.len()).filter(|&at| noise(seed, at) % 10 < 7).map(FrameId::at).collect();
    part.frames = kept.iter().map(|id| whole.frames[id.index()].clone()).collect();
    for (at, frame) in part.frames.iter_mut().enumerate() {
        let elapsed = frame.at - Instant::ZERO;
        let noise = Span::from_nanos((noise(seed + 77, at) % (2 * jitter as u64 + 1)) as i64 - jitter);
        frame.at = Instant::ZERO + (elapsed + ahead + elapsed.scale(ppm, 1_000_000) + noise);
    }
    (part, kept)
}

fn fit(capture: &Capture, name: &str) -> Option<ClockFit> {
    capture.clocks.iter().find_map(|clock| match clock.alignment {
        Alignment::Fitted(fit) if capture.sources[clock.source.index()].name.ends_with(name) => Some(fit),
        _ => None,
    })
}

/// Three sniffers with clocks of their own, 20 µs of jitter: offsets come back to 20 µs, drifts to 0.2 ppm, and at most
/// one transmission in a thousand is joined wrongly or counted twice.
#[test]
fn clocks_and_transmissions_of_a_split_run_come_back() {
    for run in ["chain6-periodic/cocoa-seed1", "grid3x3-burst/cocoa-seed1"] {
        let Some(path) = needs::shared(&format!("cooja/{run}/radio.pcap.gz")) else { return };
        let whole = open(&path);
        let clocks = [(Span::ZERO, 0), (Span::from_millis(-1_234_567), 35), (Span::from_millis(87), -60)];
        let parts = clocks.map(|(ahead, ppm)| (ahead, ppm));
        let parts: Vec<_> =
            (1..).zip(parts).map(|(seed, (ahead, ppm))| sniffer(&whole, seed, ahead, ppm, 20_000)).collect();
        let merged = merge(parts.iter().map(|(part, _)| part.clone()).collect()).unwrap();
        assert_eq!(merged.frames.len(), parts.iter().map(|(part, _)| part.frames.len()).sum::<usize>());
        assert!(merged.frames.is_sorted_by_key(|frame| frame.at));

        // Number in the run of each frame.
        let truth = |id: FrameId| {
            let origin = merged.origins[id.index()];
            parts[usize::from(origin.file)].1[origin.record.index()]
        };
        let Alignment::Reference = merged.clocks[0].alignment else { panic!() };
        let reference = usize::from(merged.sources[merged.clocks[0].source.index()].file);
        for (file, (ahead, ppm)) in clocks.into_iter().enumerate().filter(|&(file, _)| file != reference) {
            let found = fit(&merged, &format!("sniffer {}", file + 1));
            let Some(found) = found.or_else(|| (file == 0).then(|| fit(&merged, "capture")).flatten()) else {
                panic!("{run}: no fit of {file}: {:?}", merged.clocks);
            };
            let drift = (ppm - clocks[reference].1) * 1_000;
            // Both clocks drift against the run; the difference of offsets is that at the first common frame.
            let offset = ahead - clocks[reference].0;
            let (off, gain) = ((found.offset - offset).abs(), (found.drift_ppb - drift).abs());
            eprintln!("{run} {file}: offset off by {off}, drift by {gain} ppb, {found:?}");
            assert!(off < Span::from_millis(2), "{run}: offset off by {off}");
            assert!(gain < 300, "{run}: drift off by {gain} ppb");
            assert!(found.residual_p99 < Span::from_micros(60), "{found:?}");
        }

        let mut wrong = 0;
        for &(duplicate, first) in &merged.duplicates {
            wrong += usize::from(truth(duplicate) != truth(first));
        }
        let transmissions: BTreeSet<_> = (0..merged.frames.len()).map(|at| truth(FrameId::at(at))).collect();
        let counted = merged.frames.len() - merged.duplicates.len();
        eprintln!("{run}: {} transmissions, {counted} counted, {wrong} joined wrongly", transmissions.len());
        assert!(wrong * 1_000 <= merged.duplicates.len(), "{run}: {wrong} of {}", merged.duplicates.len());
        let missed = counted.abs_diff(transmissions.len());
        assert!(missed * 1_000 <= transmissions.len(), "{run}: {counted} instead of {}", transmissions.len());

        // The common clock is right: times of transmissions are those of the run, but for offset and drift of the
        // reference.
        let (ahead, ppm) = clocks[reference];
        let mut errors: Vec<_> = (0..merged.frames.len())
            .map(|at| {
                let t = whole.frames[truth(FrameId::at(at)).index()].at - Instant::ZERO;
                ((merged.frames[at].at - Instant::ZERO) - (t + ahead + t.scale(ppm, 1_000_000))).abs()
            })
            .collect();
        errors.sort();
        assert!(errors[errors.len() * 99 / 100] < Span::from_micros(80), "{}", errors[errors.len() * 99 / 100]);
    }
}

/// IoT-LAB's sniffers: their clocks are some 10 to 200 ms apart, and afterwards agree to two ticks of 30.5 µs.
#[test]
fn iot_lab_sniffers_are_brought_to_one_clock() {
    let Some(index) = needs::shared("captures/INDEX.tsv") else { return };
    let folder = index.with_file_name("doc-iotlab-zep");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".pcap.gz"));
    paths.sort();
    for path in paths.iter().step_by(4) {
        let merged = open(path);
        for clock in &merged.clocks {
            let name = &merged.sources[clock.source.index()].name;
            match clock.alignment {
                Alignment::Reference => {}
                Alignment::Fitted(fit) => {
                    assert!(fit.residual_p99 < Span::from_micros(150), "{}: {name}: {fit:?}", path.display());
                    assert!(fit.drift_ppb.abs() < 40_000 && fit.offset.abs() < Span::from_secs(1), "{name}: {fit:?}");
                }
                Alignment::Unaligned { common } => assert!(common < 8, "{}: {name}: {common}", path.display()),
            }
        }
        eprintln!("{}: {} frames, {} duplicates", path.display(), merged.frames.len(), merged.duplicates.len());
        // In the order of the file, and frames of two sniffers at least mostly seen by both.
        assert!(merged.origins.is_empty());
        assert!(
            merged.duplicates.len() * 3 > merged.frames.len(),
            "{} of {}",
            merged.duplicates.len(),
            merged.frames.len()
        );
        for &(duplicate, first) in &merged.duplicates {
            assert!(
                first < duplicate
                    && merged.first_sighting_of(duplicate) == Some(first)
                    && merged.first_sighting_of(first).is_none()
            );
            let [duplicate, first] = [duplicate, first].map(|id| &merged.frames[id.index()]);
            assert_ne!(duplicate.source, first.source);
            assert_eq!(merged.octets_of(duplicate), merged.octets_of(first));
        }
    }
}

#[test]
fn captures_of_different_networks_stay_apart() {
    let (Some(a), Some(b)) = (
        needs::shared("cooja/chain6-periodic/cocoa-seed1/radio.pcap.gz"),
        needs::shared("captures/foren6/example1-rpl-collect.pcap"),
    ) else {
        return;
    };
    let merged = merge(vec![open(&a), open(&b)]).unwrap_or_else(|e| {
        // Recorded years apart: that is one way to say so.
        assert!(e.to_string().contains("time stamps span"), "{e}");
        open(&a)
    });
    assert_eq!(merged.duplicates.len(), 0);
    assert!(merged.clocks.iter().all(|clock| !matches!(clock.alignment, Alignment::Fitted(_))));
}

#[test]
fn one_recording_stays_what_it_is() {
    let capture = make::read(&make::Pcap::of_talk(make::Order::Little, 40).octets).unwrap();
    let merged = merge(vec![capture.clone()]).unwrap();
    assert_eq!(merged.frames, capture.frames);
    assert!(merged.clocks.is_empty());
    assert!(merge(Vec::new()).is_err());
}

#[test]
fn the_same_capture_twice_counts_once() {
    let capture = make::read(&make::Pcap::of_talk(make::Order::Little, 40).octets).unwrap();
    let merged = merge(vec![capture.clone(), capture.clone()]).unwrap();
    assert_eq!((merged.frames.len(), merged.duplicates.len()), (80, 40));
    assert_eq!(merged.files, ["test", "test"]);
    assert_eq!(merged.notes.count("duplicate-sightings"), 1);
    for (at, origin) in merged.origins.iter().enumerate() {
        let whole = &capture.frames[origin.record.index()];
        assert_eq!(merged.octets_of(&merged.frames[at]), capture.octets_of(whole));
        assert_eq!(merged.frames[at].at, whole.at);
    }
}

/// IoT-LAB's nodes logged each copy of a confirmable request that they sent (`;t;`): two to four sniffers heard each of
/// them, and each counts once.
#[test]
fn copies_count_once_however_many_sniffers_heard_them() {
    let Some(index) = needs::shared("captures/INDEX.tsv") else { return };
    let folder = index.with_file_name("doc-iotlab-zep");
    let mut runs = 0;
    for name in [
        "doc-eval-baseline-ieee802154-coap-fetch-1.0-25-100x5.0-A-291129-1641553939",
        "doc-eval-baseline-ieee802154-coap-get-None-None-100x5.0-AAAA-291130-1641566312",
        "doc-eval-baseline-ieee802154-coap-fetch-b16-None-None-100x5.0-A-290957-1641387536",
    ] {
        let Ok(log) = std::fs::read(folder.join(format!("{name}.log"))) else { continue };
        let logged = String::from_utf8_lossy(&log).lines().filter(|line| line.contains(";t;")).count();
        let capture = open(&folder.join(format!("{name}.pcap.gz")));
        assert!(capture.duplicates.len() * 3 > capture.frames.len());
        let trace = trace::analyse(capture, &trace::DecodeOptions::default(), &mut base::Silent).unwrap();
        let copies: usize = trace.exchanges.iter().map(|exchange| exchange.copies.len()).sum();
        let frames = || trace.messages.iter().flat_map(|message| message.hops()).flat_map(|hop| hop.frames);
        assert!(frames().all(|&id| trace.capture.first_sighting_of(id).is_none()), "{name}: a duplicate counts");
        let seen: BTreeSet<_> = trace.sightings.iter().map(|&(frame, _)| frame).collect();
        for &(duplicate, first) in &trace.capture.duplicates {
            assert_eq!(seen.contains(&duplicate), seen.contains(&first), "{name}: {duplicate} and {first}");
        }
        eprintln!("{name}: {logged} copies logged, {copies} found");
        // Nodes ask for other things before they begin to log.
        assert!(copies.abs_diff(logged) <= 5 + logged / 50, "{name}: {logged} copies logged, {copies} found");
        runs += 1;
    }
    eprintln!("{runs} runs");
}
