//! The trust in predictions, as captions of figures say it.

use api::view::{
    AlgorithmChoice, ChannelKind, FigureCapture, FigureRequest, OpenRequest, PartView, PolicyView, ReplayRequest,
    WorkloadKind,
};
use api::{Session, Silent};
use serde_json::Map;
use std::collections::BTreeMap;

/// A capture over whose network a twin can be made.
const STORM: &str = "tsch-slow-chain5-default";

/// Every figure of replays in the channel that the capture chose says how far that is trusted, as `replay` does, and
/// why.
#[test]
fn captions_of_predictions_say_the_trust() {
    let session = Session::default();
    let opening = OpenRequest { sample: Some(STORM.to_owned()), ..OpenRequest::default() };
    let capture = session.open(&opening, &mut Silent).expect("a bundled capture").id;
    let of = FigureCapture {
        capture,
        name: "storm".to_owned(),
        tags: BTreeMap::new(),
        part: PartView::default(),
        nodes: Vec::new(),
    };
    let algorithm = |id: &str| AlgorithmChoice { id: id.to_owned(), params: Map::new() };
    let mut request = FigureRequest {
        recipe: "rto_box".to_owned(),
        captures: vec![of.clone()],
        algorithms: ["coap_default", "cocoa_plus"].map(algorithm).to_vec(),
        params: Map::new(),
        channel: ChannelKind::Empirical,
        workload: WorkloadKind::Auto,
        seed: 1,
        replicates: 6,
        policy: PolicyView::default(),
    };
    let trusts = |request: &FigureRequest| {
        let caption = session.figure(request, &mut Silent).unwrap().0.caption;
        caption.into_iter().filter(|said| said.contains("Trust: ")).collect::<Vec<_>>()
    };
    assert!(trusts(&request).is_empty(), "a person chose the channel");
    request.channel = ChannelKind::Auto;
    let asked = ReplayRequest {
        capture,
        algorithms: request.algorithms.clone(),
        channel: request.channel,
        workload: request.workload,
        seed: request.seed,
        replicates: request.replicates,
        baseline: None,
        part: PartView::default(),
        bounds: false,
        policy: request.policy,
    };
    let chosen = session.replay(&asked, &mut Silent).unwrap().chosen.expect("the capture chose");
    let said = trusts(&request);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with(&format!("Trust: {}. ", chosen.trust.id())), "{said:?}");
    assert!(said[0].to_lowercase().ends_with(&format!(". {}.", chosen.why.to_lowercase())), "{said:?}");
    request.captures = vec![of.clone(); 2];
    assert!(trusts(&request).iter().all(|said| said.starts_with("storm: Trust: ")));
    assert_eq!(trusts(&request).len(), 2);
    request.captures = vec![of; 5];
    assert_eq!(trusts(&request), [format!("Trust: {} for 5 of 5 captures.", chosen.trust.id())]);
    request.algorithms.clear();
    assert!(trusts(&request).is_empty(), "nothing is predicted");
}
