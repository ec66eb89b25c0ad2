//! Figures over bundled captures: every recipe, its conventions, groups by tags.

use api::view::{
    AlgorithmChoice, ChannelKind, FigureCapture, FigureRequest, FigureView, MarkView, OpenRequest, PartView,
    PolicyView, ReplayRequest, StartView, WorkloadKind,
};
use api::{Code, Error, Instant, Session, Silent};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const STORM: &str = "tsch-slow-chain5-default";
const CHAIN: &str = "chain6-periodic-default";
const BURSTS: &str = "grid3x3-burst-cocoa";

/// A session with these samples, and a request for `recipe` over all of them with `params`.
fn asked(samples: &[&str], recipe: &str, params: Value) -> (Session, FigureRequest) {
    let session = Session::default();
    let capture = |sample: &&str| {
        let request = OpenRequest { sample: Some((*sample).to_owned()), ..OpenRequest::default() };
        let view = session.open(&request, &mut Silent).expect("a bundled capture");
        FigureCapture {
            capture: view.id,
            name: (*sample).to_owned(),
            tags: BTreeMap::new(),
            part: PartView::default(),
            nodes: Vec::new(),
        }
    };
    let captures = samples.iter().map(capture).collect();
    let algorithm = |id: &str| AlgorithmChoice { id: id.to_owned(), params: Map::new() };
    let Value::Object(params) = params else { unreachable!("switches are an object") };
    let request = FigureRequest {
        recipe: recipe.to_owned(),
        captures,
        algorithms: ["coap_default", "cocoa_plus"].map(algorithm).to_vec(),
        params,
        channel: ChannelKind::Empirical,
        workload: WorkloadKind::Auto,
        seed: 1,
        replicates: 6,
        policy: PolicyView::default(),
    };
    (session, request)
}

fn draw(samples: &[&str], recipe: &str, params: Value) -> Result<FigureView, Error> {
    let (session, request) = asked(samples, recipe, params);
    session.figure(&request, &mut Silent).map(|drawn| drawn.0)
}

/// A cell of the table as a number.
fn cell(figure: &FigureView, row: usize, column: &str) -> f64 {
    let column = figure.table.columns.iter().position(|name| name == column).expect("a column of the table");
    figure.table.rows[row][column].as_ref().expect("a value").parse().expect("a number")
}

#[test]
fn every_recipe_is_drawn_twice_alike() {
    let (session, mut request) = asked(&[STORM, BURSTS], "", json!({}));
    for recipe in api::recipes() {
        recipe.id.clone_into(&mut request.recipe);
        let (figure, listing) = session.figure(&request, &mut Silent).unwrap();
        assert_eq!(figure, session.figure(&request, &mut Silent).unwrap().0, "{}", recipe.id);
        assert!(figure.panels.iter().any(|panel| !panel.marks.is_empty()), "{} is empty", recipe.id);
        assert!(listing.rows() > 0, "{} has no numbers", recipe.id);
        assert!(figure.table.rows.iter().all(|row| row.len() == figure.table.columns.len()));
        let caption = figure.caption.join(" ");
        for said in ["exchanges", "SHA-256", "seed 1", "6 replicates", "cocoa_plus", "support"] {
            assert!(caption.contains(said), "{}: {caption}", recipe.id);
        }
        for panel in &figure.panels {
            for mark in &panel.marks {
                let (series, x) = match mark {
                    MarkView::Box { series, x, .. }
                    | MarkView::Bar { series, x, .. }
                    | MarkView::Cell { series, x, .. } => (*series, Some(*x)),
                    MarkView::Line { series, .. } | MarkView::Dots { series, .. } | MarkView::Point { series, .. } => {
                        (*series, None)
                    }
                    MarkView::Rule { .. } => continue,
                };
                assert!((series as usize) < figure.series.len());
                assert!(x.is_none_or(|x| (x as usize) < panel.x.categories.len()));
            }
        }
    }
}

/// Per client, in %: exchanges retransmitted though the first copy was answered, of those whose first copy was, where
/// the evidence of fates is known.
fn early_by_hand(sample: &str) -> Vec<f64> {
    let sample = api::samples().iter().find(|s| s.id == sample).expect("a sample");
    let trace = api::Opened::sample(sample, None, &mut Silent).expect("opens").trace;
    let share = |association: &trace::Association| {
        let exchanges = association.exchanges.iter().map(|id| &trace.exchanges[id.index()]);
        let first_is_answered = |e: &&trace::Exchange| {
            let first = &e.copies[0];
            first.evidence != trace::Evidence::Unknown && matches!(first.fate, trace::Fate::Answered { .. })
        };
        let count = |(all, early), e: &trace::Exchange| (all + 1, early + i32::from(e.copies.len() > 1));
        let (answered, early) = exchanges.filter(first_is_answered).fold((0, 0), count);
        100.0 * f64::from(early) / f64::from(answered)
    };
    trace.associations.iter().map(share).collect()
}

#[test]
fn early_retransmissions_by_hand() {
    let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
    let known = early_by_hand(BURSTS);
    let figure = draw(&[BURSTS], "early_bars", json!({})).unwrap();
    assert_eq!(figure.table.rows[0][0].as_deref(), Some("Recorded"));
    assert!(
        mean(&known) > 0.0 && (cell(&figure, 0, "mean") - mean(&known)).abs() < 1e-9,
        "what is open adds no whole copy"
    );
    assert!((cell(&figure, 0, "greatest") - known.iter().copied().fold(0.0, f64::max)).abs() < 1e-9);

    // Where replies may answer either of two copies, the expectation differs from the share among known fates.
    let figure = draw(&[STORM], "early_bars", json!({})).unwrap();
    let apart = (cell(&figure, 0, "mean") - mean(&early_by_hand(STORM))).abs();
    assert!(1e-9 < apart && apart < 2.0, "{apart}");
    let all = draw(&[STORM], "early_bars", json!({ "denominator": "all" })).unwrap();
    assert!(cell(&all, 0, "mean") < cell(&figure, 0, "mean"), "more exchanges than answered first copies");
}

#[test]
fn box_rules_differ_in_whiskers_and_hinges_only_where_they_should() {
    let figure = |rule: &str| draw(&[BURSTS], "rto_box", json!({ "box": rule })).unwrap();
    let (minmax, iqr, hinges) = (figure("minmax"), figure("iqr15"), figure("tukey_hinges"));
    let last = minmax.table.rows.len() - 1;
    for column in ["n", "median"] {
        assert_eq!(cell(&minmax, last, column), cell(&iqr, last, column));
        assert_eq!(cell(&minmax, last, column), cell(&hinges, last, column));
    }
    assert_eq!(cell(&minmax, last, "outliers"), 0.0);
    assert!(cell(&minmax, last, "whisker_high") >= cell(&iqr, last, "whisker_high"));
    assert!(hinges.panels[0].rule.contains("hinge"));
    let hazen = draw(&[BURSTS], "rto_box", json!({ "quantile": 5 })).unwrap();
    assert!(hazen.panels[0].rule.contains("type 5"));
}

#[test]
fn captures_with_one_tag_are_one_group() {
    let (session, mut request) = asked(&[STORM, BURSTS], "completion_ecdf", json!({ "group": "room" }));
    let apart = session.figure(&request, &mut Silent).unwrap().0;
    assert_eq!(apart.panels.len(), 2, "without the tag each stands for itself");
    for capture in &mut request.captures {
        capture.tags.insert("room".to_owned(), "cellar".to_owned());
    }
    let together = session.figure(&request, &mut Silent).unwrap().0;
    assert_eq!(together.panels.len(), 1);
    assert_eq!(together.panels[0].title, "room cellar");
}

#[test]
fn a_line_needs_two_numbers() {
    let (session, mut request) = asked(&[STORM, BURSTS], "load_lines", json!({ "x": "load" }));
    let alone = session.figure(&request, &mut Silent).unwrap().0;
    assert!(alone.missing.iter().any(|say| say.contains("tag `load`")), "{:?}", alone.missing);
    for (capture, load) in request.captures.iter_mut().zip(["0.5 kbit/s", "3 kbit/s"]) {
        capture.tags.insert("load".to_owned(), load.to_owned());
    }
    let drawn = session.figure(&request, &mut Silent).unwrap().0;
    assert!(drawn.missing.is_empty());
    assert_eq!([0, 1].map(|row| cell(&drawn, row, "x")), [0.5, 3.0]);
}

#[test]
fn letters_need_runs() {
    let few = draw(&[STORM], "factor_box", json!({})).unwrap();
    assert!(few.missing.iter().any(|say| say.contains("two runs")), "{:?}", few.missing);
    let replicates = draw(&[STORM], "factor_box", json!({ "run": "replicate", "measure": "retries_mean" })).unwrap();
    let letters: Vec<_> = replicates.table.rows.iter().map(|row| row[2].clone().unwrap_or_default()).collect();
    assert_eq!(letters.len(), 2, "what was recorded is no replicate");
    // On a path whose answers take seconds, a fixed 2 to 3 s timer sends far more than an adaptive one.
    assert_eq!(letters, ["a", "b"], "{:?}", replicates.table.rows);
}

/// All clients but the first stay as recorded, and the first half is not looked at.
fn deployed(session: &Session, capture: &mut FigureCapture) {
    let view = session.captures().into_iter().find(|view| view.id == capture.capture).expect("open");
    let half = Instant::from_nanos(view.start.nanos().midpoint(view.end.nanos()));
    let as_recorded = view.associations.iter().skip(1).map(|a| a.id).collect();
    capture.part = PartView { as_recorded, start: Some(StartView { at: half, warm: false }) };
}

#[test]
fn a_figure_shows_what_a_replay_of_the_same_part_says() {
    let rules = PolicyView { max_retransmit: Some(1), ..PolicyView::default() };
    for measure in ["retries_mean", "duration_mean"] {
        let (session, mut request) = asked(&[CHAIN], "load_lines", json!({ "x": "clients", "measure": measure }));
        let usual = session.figure(&request, &mut Silent).unwrap().0;
        deployed(&session, &mut request.captures[0]);
        request.policy = rules;
        let figure = session.figure(&request, &mut Silent).unwrap().0;
        let replayed = session
            .replay(
                &ReplayRequest {
                    capture: request.captures[0].capture,
                    algorithms: request.algorithms.clone(),
                    channel: request.channel,
                    workload: request.workload,
                    seed: request.seed,
                    replicates: request.replicates,
                    baseline: None,
                    part: request.captures[0].part.clone(),
                    bounds: false,
                    policy: request.policy,
                },
                &mut Silent,
            )
            .unwrap();
        assert!(figure.caption.contains(&replayed.verdict.headline), "{:?}", figure.caption);
        assert!(!usual.caption.contains(&replayed.verdict.headline), "all replayed is another answer");
        let of = |run: usize| replayed.runs[run].metrics[measure].clone();
        let expected = [of(0).recorded, of(0).mean, of(1).mean].map(|value| value.expect("a value"));
        for (row, expected) in expected.into_iter().enumerate() {
            assert!((cell(&figure, row, "mean") - expected).abs() < 1e-12, "{measure}, row {row}");
            assert!(
                (cell(&usual, row, "mean") - expected).abs() > 1e-6,
                "{measure}, row {row}: as if all were replayed"
            );
        }
    }
}

/// Where a figure compares timers, its caption says which is the best: of each capture, as long as they are few.
#[test]
fn captions_of_comparisons_say_the_verdict() {
    let verdicts = |samples: &[&str], recipe: &str| {
        let caption = draw(samples, recipe, json!({})).unwrap().caption;
        let is_verdict = |said: &String| said.contains("instead of") || said.contains("Cannot tell");
        caption.into_iter().filter(is_verdict).collect::<Vec<_>>()
    };
    let one = verdicts(&[STORM], "completion_ecdf");
    assert!(one.len() == 1 && one[0].starts_with("Cannot tell which timer is best: "), "{one:?}");
    let two = verdicts(&[STORM, CHAIN], "change_bars");
    assert_eq!(two.len(), 2, "{two:?}");
    assert_eq!(two[0], format!("{STORM}: {}", one[0]));
    assert!(two[1].starts_with(&format!("{CHAIN}: ")), "{two:?}");
    assert!(verdicts(&[STORM], "rto_box").is_empty(), "timers themselves are no comparison of what they make");
    let (session, mut request) = asked(&[CHAIN], "completion_ecdf", json!({}));
    request.captures = vec![request.captures[0].clone(); 4];
    let many = session.figure(&request, &mut Silent).unwrap().0.caption.join(" ");
    request.captures.truncate(1);
    request.algorithms.clear();
    let recorded = session.figure(&request, &mut Silent).unwrap().0.caption.join(" ");
    for caption in [many, recorded] {
        assert!(!caption.contains("completes an exchange") && !caption.contains("Cannot tell"), "{caption}");
    }
}

#[test]
fn exchanges_before_the_start_are_in_no_figure() {
    let (session, mut request) = asked(&[CHAIN], "rto_time", json!({}));
    request.algorithms.clear();
    let starts = |figure: &FigureView| {
        (0..figure.table.rows.len()).map(|row| cell(figure, row, "start_s")).fold(f64::INFINITY, f64::min)
    };
    let all = session.figure(&request, &mut Silent).unwrap().0;
    deployed(&session, &mut request.captures[0]);
    let later = session.figure(&request, &mut Silent).unwrap().0;
    let half = request.captures[0].part.start.expect("a start").at;
    assert!(
        starts(&all) < (half - Instant::ZERO).secs_f64() && starts(&later) >= (half - Instant::ZERO).secs_f64() - 1.0
    );
    assert!(!later.table.rows.is_empty() && later.table.rows.len() < all.table.rows.len());
    // Without algorithms no client is replayed, so that clients that stay as recorded are not mentioned.
    assert!(!later.caption.join(" ").contains("as recorded") && later.caption.join(" ").contains("from "));

    // Boxes of an algorithm hold the timers of those who run it.
    let (session, mut request) = asked(&[CHAIN], "rto_box", json!({}));
    let count = |figure: &FigureView, row: usize| cell(figure, row, "n");
    let last = |figure: &FigureView| figure.table.rows.len() - 1;
    let all = session.figure(&request, &mut Silent).unwrap().0;
    deployed(&session, &mut request.captures[0]);
    request.captures[0].part.start = None;
    let one = session.figure(&request, &mut Silent).unwrap().0;
    let clients = session.captures()[0].associations.len() as f64;
    assert!(one.caption.iter().any(|say| say.contains("clients that run them")), "{:?}", one.caption);
    assert!(count(&one, last(&one)) * (clients - 1.0) < count(&all, last(&all)) * 2.0, "one of {clients} clients");
}

#[test]
fn what_is_not_as_usual_is_said_in_captions_and_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let (session, mut request) = asked(&[CHAIN], "change_bars", json!({}));
    let file = |request: &FigureRequest, format: &str| {
        let path = folder.path().join(format);
        session
            .call("export_figure", json!({ "figure": request, "format": format, "path": path }), &mut Silent)
            .unwrap();
        std::fs::read(path).unwrap()
    };
    let text = |request: &FigureRequest, format: &str| String::from_utf8(file(request, format)).unwrap();
    let usual = session.figure(&request, &mut Silent).unwrap().0;
    assert_eq!(usual.settings, None);
    let header = |csv: &str| csv.lines().next().unwrap_or_default().to_owned();
    assert_eq!(header(&text(&request, "csv")), usual.table.columns.join(","));

    deployed(&session, &mut request.captures[0]);
    request.policy = PolicyView { nstart: Some(2), repeats: true, ..PolicyView::default() };
    let figure = session.figure(&request, &mut Silent).unwrap().0;
    let said = figure.settings.clone().expect("said");
    let first = &session.captures()[0].associations[0].client_name;
    for words in ["Rules: NSTART 2, Repeats.", "clients as recorded (", " s on, timers cold."] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains(&format!("{first},")) && !said.contains(&format!("{first})")), "{said}");
    let caption = figure.caption.join(" ");
    assert!(caption.contains(&said), "{caption}");
    let csv = text(&request, "csv");
    assert_eq!(header(&csv), format!("{},settings", usual.table.columns.join(",")));
    assert_eq!(csv.matches(&said).count(), figure.table.rows.len(), "in every row");
    for format in ["latex", "markdown"] {
        assert!(text(&request, format).contains(&said), "{format}");
    }
}

#[test]
fn a_change_in_one_capture_is_as_uncertain_as_its_replicates_not_as_their_mean() {
    let width = |replicates: u32| {
        let (session, mut request) = asked(&[CHAIN], "change_bars", json!({}));
        request.replicates = replicates;
        let figure = session.figure(&request, &mut Silent).unwrap().0;
        cell(&figure, 0, "high") - cell(&figure, 0, "low")
    };
    let (few, many) = (width(40), width(640));
    assert!(few > 0.0);
    // An interval of the mean would be a quarter as wide.
    assert!(many > 0.5 * few, "{few} of 40 replicates, {many} of 640");
}

#[test]
fn panels_of_one_capture_are_compared_on_equal_axes() {
    for recipe in ["rto_time", "rto_index", "timer_trace", "rate_model"] {
        let figure = draw(&[CHAIN, STORM], recipe, json!({})).unwrap();
        for panel in &figure.panels {
            let name = panel.rule.split(';').next().unwrap();
            for other in &figure.panels {
                let same = other.rule.split(';').next() == Some(name);
                assert_eq!(
                    panel.axes.is_some() && panel.axes == other.axes,
                    same,
                    "{recipe}: {} {}",
                    panel.rule,
                    other.rule
                );
            }
        }
        // Capture by capture, so that those stand side by side.
        assert!(figure.panels.is_sorted_by_key(|panel| panel.axes), "{recipe}");
    }
}

#[test]
fn nonsense_is_refused() {
    for (recipe, params) in [
        ("pie", json!({})),
        ("rto_box", json!({ "box": "violin" })),
        ("rto_box", json!({ "quantile": 0 })),
        ("rto_box", json!({ "colour": "red" })),
        ("early_bars", json!({ "level": 1.5 })),
    ] {
        assert_eq!(draw(&[STORM], recipe, params.clone()).unwrap_err().code, Code::Request, "{recipe} {params}");
    }
    let (session, request) = asked(&[], "rto_box", json!({}));
    let empty = session.figure(&request, &mut Silent).unwrap().0;
    assert!(!empty.missing.is_empty());
}

#[test]
fn tags_are_proposed_from_name_and_content() {
    let sample = api::samples().iter().find(|s| s.id == STORM).unwrap();
    let opened = api::Opened::sample(sample, None, &mut Silent).unwrap();
    let tags: BTreeMap<_, _> = api::proposed_tags(&opened).into_iter().map(|t| (t.key, t.value)).collect();
    // traces/index.json: five nodes; 292 exchanges in 30 minutes.
    assert_eq!(tags["nodes"], "5");
    assert_eq!(tags["topology"], "chain5");
    assert_eq!(tags["mac"], "TSCH");
    assert_eq!(tags["preset"], "default");
    assert_eq!(tags["load"], "0.16");
}
