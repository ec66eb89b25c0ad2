//! The summary of a capture that is decoded for nothing else.

use api::{DecodeOptions, ImportOptions, Opened, Silent, samples};

/// Lanes, replays and octets of frames change nothing in a summary.
#[test]
fn a_summary_is_that_of_the_open_capture() {
    for sample in samples() {
        let decoded = |drops_octets: bool| {
            let usual = DecodeOptions::default();
            let rc_option = sample.rc_option.unwrap_or(usual.rc_option);
            let options = DecodeOptions { rc_option, drops_octets, ..usual };
            let octets = sample.octets.to_vec();
            api::decode_octets(sample.file, octets, &ImportOptions::default(), &options, &mut Silent)
                .expect("a capture")
        };
        let opened = Opened::new(decoded(false), ImportOptions::default(), Vec::new(), &mut Silent).expect("indexed");
        let brief = decoded(true);
        assert!(brief.capture.octets.is_empty(), "{}", sample.id);
        let view = api::summary(&brief, ImportOptions::default(), &[], &mut Silent).expect("not cancelled");
        assert_eq!(view, opened.view(0), "{}", sample.id);
    }
}
