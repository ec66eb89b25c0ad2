//! Laws of the registry: parameters, flags, families and unimplemented proposals.

use super::*;

fn overrides(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}

#[test]
fn parameters_are_refused_by_name() {
    for spec in algorithms() {
        for param in &spec.params {
            let refused = |value: Value| build(spec.id, &overrides(param.name, value)).expect_err(param.name);
            match (param.min, param.max) {
                (Some(min), Some(max)) => {
                    for beyond in [min - 1.0, max + 1.0] {
                        let message = refused(json!(beyond)).to_string();
                        let expected = format!("`{}` is {beyond}, outside {min} to {max}", param.name);
                        assert_eq!(message, expected, "{}", spec.id);
                    }
                }
                _ => {
                    assert!(param.choices.len() > 1 && param.unit == Unit::Choice, "{} {}", spec.id, param.name);
                    for Choice { name, label } in &param.choices {
                        assert!(!label.contains('_'), "people read {label} for {name}: {} {}", spec.id, param.name);
                    }
                }
            }
            for wrong in [json!(null), json!([1]), json!("nonsense"), json!({})] {
                assert!(matches!(refused(wrong), ParamError::Type { name, .. } if name == param.name));
            }
        }
        let unknown = build(spec.id, &json!({ "nonsense": 1 }));
        assert!(matches!(unknown, Err(ParamError::Unknown { name, .. }) if name == "nonsense"));
    }
}

/// The laws hold at both ends of every parameter and for every choice.
#[test]
fn every_value_within_bounds_is_accepted() {
    let script: Vec<Step> = (0..24u8)
        .map(|n| Step {
            gap: Span::from_millis(i64::from(n % 5) * 40_000),
            retransmissions: n % 4,
            delay: (n % 7 != 6).then_some(Span::from_millis([1, 50, 0, 9_000, 400][usize::from(n % 5)])),
            dither: Dither(u32::from(n) << 24),
            inflight: u32::from(n % 3),
            answered: Some(n % 3),
        })
        .collect();
    for spec in algorithms() {
        for param in &spec.params {
            let ends = [param.min, param.max].into_iter().flatten();
            for value in ends.map(|end| json!(end)).chain(param.choices.iter().map(|choice| json!(choice.name))) {
                let mut estimator = build(spec.id, &overrides(param.name, value.clone())).expect("a legal value");
                let mut spec = spec.clone();
                for default in spec.params.iter_mut().filter(|p| p.name == param.name) {
                    default.default = value.as_f64().map_or(ParamValue::Text(String::new()), ParamValue::Number);
                }
                play(&spec, &mut *estimator, &script);
            }
        }
    }
}

#[test]
fn the_defaults_rebuild_the_preset() {
    for spec in algorithms() {
        let all = spec.params.iter().map(|param| (param.name.to_owned(), json!(param.default)));
        let rebuilt = build(spec.id, &Value::Object(all.collect())).expect("defaults are legal");
        assert_eq!(format!("{rebuilt:?}"), format!("{:?}", fresh(spec)), "{}", spec.id);
    }
}

#[test]
fn registry_flags_match_behaviour() {
    let ids: BTreeSet<_> = algorithms().iter().map(|spec| spec.id).collect();
    assert_eq!(ids.len(), algorithms().len(), "ids are unique");
    let names: BTreeSet<_> = algorithms().iter().map(|spec| spec.name).collect();
    assert_eq!(names.len(), algorithms().len(), "names are unique");
    for spec in algorithms() {
        assert!(spec.id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{}", spec.id);
        assert!(spec.summary.ends_with('.') && !spec.citation.is_empty(), "{}", spec.id);
        assert!(spec.warnings.iter().all(|warning| warning.ends_with('.')), "{}: {:?}", spec.id, spec.warnings);
        assert!(!spec.name.is_empty() && spec.name.chars().count() <= 24, "{}", spec.name);
        for sentence in spec.warnings.iter().chain(spec.assumptions) {
            assert!(sentence.ends_with(['.', ')']) && sentence.chars().count() > 20, "{}: {sentence}", spec.id);
        }
        // A reading says what it takes for granted and is never shown unasked; rank C is nothing but readings.
        assert!(!spec.reading || (!spec.assumptions.is_empty() && !spec.default), "{}: a reading", spec.id);
        assert!(spec.rank != rto::Rank::C || spec.reading, "{}: rank C", spec.id);
        for line in spec.diagram.iter().flat_map(|diagram| diagram.lines()) {
            assert!(line.contains(" -> ") && line.contains(": "), "{}: {line}", spec.id);
        }
        for param in &spec.params {
            let complete = !param.label.is_empty() && !param.doc.is_empty() && !param.citation.is_empty();
            assert!(complete, "{} {}", spec.id, param.name);
        }
        let first = |dither| Flight::new(0).transmit(Instant::ZERO, &mut *fresh(spec), dither);
        assert_eq!(first(Dither::NONE) != first(Dither(u32::MAX)), spec.dithers, "{}: dithers", spec.id);

        // Marks matter exactly to those that declare them.
        let after = |answered| {
            let (mut estimator, mut flight) = (fresh(spec), Flight::new(0));
            flight.transmit(Instant::ZERO, &mut *estimator, Dither::NONE);
            let now = Instant::ZERO + flight.last_armed();
            estimator.on_timeout(now, &flight);
            flight.transmit(now, &mut *estimator, Dither::NONE);
            let now = now + Span::from_millis(300);
            estimator.on_ack(now, &flight, flight.sample(now, answered));
            estimator.state(now)
        };
        assert!(!spec.marks_attempts || after(None) != after(Some(1)), "{}: marks_attempts", spec.id);
    }
    let shown: Vec<_> = algorithms().iter().filter(|spec| spec.default).map(|spec| spec.id).collect();
    let ours = "coap_default coap_b rfc6298_coap linux_rto coap_eifel basic_rto cocoa_2014 cocoa_plus cocoa_ietf_03 \
                cocoa_strong cocoa_pp_code lee2016 fasor accb";
    assert_eq!(shown, ours.split(' ').collect::<Vec<_>>());
    assert_eq!(rto::specs(), algorithms());
    assert!(matches!(build("nonsense", &Value::Null), Err(ParamError::Algorithm { id }) if id == "nonsense"));
}

/// Choices that no source makes are listed: a first timeout that is cut where only the back-off is, a kept timeout that
/// loses its dithering, and a mean that is kept above zero.
#[test]
fn choices_that_no_source_makes_are_assumptions() {
    let says = |spec: &AlgorithmSpec, words: &str| spec.assumptions.iter().any(|assumption| assumption.contains(words));
    let set = |spec: &AlgorithmSpec, name: &str| {
        spec.params.iter().find(|param| param.name == name).map(|param| param.default.clone())
    };
    let (mut cut, mut kept) = (0, 0);
    for spec in algorithms() {
        if spec.family == "cocoa" {
            assert!(says(spec, "first timeout"), "{}: {:?}", spec.id, spec.assumptions);
            cut += 1;
        }
        if spec.dithers && set(spec, "karn") == Some(ParamValue::Text("kept".into())) {
            assert!(says(spec, "before dithering"), "{}: {:?}", spec.id, spec.assumptions);
            kept += 1;
        }
    }
    assert!(cut >= 10 && kept >= 2, "{cut} {kept}");
    // 1 s, then 0.01 s often enough: α is negative, and the mean of eq. 6 falls below zero.
    let mut accb = build("accb", &Value::Null).expect("defaults are legal");
    let mut now = Instant::ZERO;
    for rtt in [1_000, 10, 10, 10] {
        let mut flight = Flight::new(0);
        flight.transmit(now, &mut *accb, Dither::NONE);
        now += Span::from_millis(rtt);
        accb.on_ack(now, &flight, flight.sample(now, None));
    }
    let spec = algorithms().iter().find(|spec| spec.id == "accb").expect("a preset");
    assert!(says(spec, "taken for 1 ns"), "{:?}", spec.assumptions);
    let state = accb.state(now);
    let value = |name| state.values.iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value);
    println!("{:?}", state.values);
    assert!(value("rtt").is_some_and(|rtt| rtt >= Span::from_nanos(1)));
}

/// Every proposal says something, its presets exist, and every reading of rank C has one.
#[test]
fn unimplemented_proposals_and_the_registry_agree() {
    let proposals = rto::unimplemented_proposals();
    let names: BTreeSet<_> = proposals.iter().map(|proposal| proposal.name).collect();
    assert_eq!(names.len(), proposals.len(), "names are unique");
    let mut read = BTreeSet::new();
    for proposal in proposals {
        for text in [proposal.citation, proposal.family, proposal.known, proposal.missing] {
            assert!(!text.is_empty(), "{}", proposal.name);
        }
        assert!(proposal.nearest.is_none_or(|id| rto::spec(id).is_some_and(|spec| !spec.reading)), "{}", proposal.name);
        for id in proposal.readings {
            let spec = rto::spec(id).unwrap_or_else(|| panic!("{}: no preset {id}", proposal.name));
            assert!(spec.reading && spec.rank == rto::Rank::C, "{id}");
            assert!(read.insert(*id), "{id} reads two proposals");
        }
    }
    let ranked: BTreeSet<_> =
        algorithms().iter().filter(|spec| spec.rank == rto::Rank::C).map(|spec| spec.id).collect();
    assert_eq!(read, ranked);
}

/// People read the name of a family; programs, its id: one each, and no two families are called alike.
#[test]
fn families_have_names_of_their_own() {
    let pairs: BTreeSet<_> = algorithms().iter().map(|spec| (spec.family, spec.family_name)).collect();
    let names: BTreeSet<_> = pairs.iter().map(|(_, name)| *name).collect();
    let ids: BTreeSet<_> = pairs.iter().map(|(id, _)| *id).collect();
    assert_eq!((ids.len(), names.len()), (pairs.len(), pairs.len()), "{pairs:?}");
    assert!(names.iter().all(|name| !name.contains('_') && name.starts_with(char::is_uppercase)), "{names:?}");
    for (id, name) in pairs {
        assert_eq!(rto::family_name(id), Some(name));
    }
    // A heading that is the name of a family has that family below it, but for products and kinds.
    let headings: BTreeSet<_> = algorithms().iter().map(|spec| spec.heading).collect();
    let others: Vec<_> = headings.difference(&names).copied().collect();
    assert_eq!(others, ["Californium 2", "Californium 3", "ECOAP", "Rate-based"]);
}
