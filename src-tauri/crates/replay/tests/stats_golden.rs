//! Statistics against NumPy, SciPy and statsmodels: `stats/golden.json`, written by `stats/golden.py`.

use replay::bootstrap_words;
use replay::stats::{
    Ecdf, QuantileType, bootstrap_mean, kruskal_wallis, mann_whitney, paired, quantile, shapiro_wilk, student,
    studentized_range, studentized_range_quantile, tukey_hsd,
};
use serde_json::Value;

fn golden(part: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("stats/golden.json")).expect("the golden values");
    all[part].as_array().expect("a list").clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|v| v.as_f64().expect("a number")).collect()
}

fn groups(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().expect("a list").iter().map(numbers).collect()
}

fn near(got: f64, expected: &Value, tolerance: f64, what: &str) {
    let expected = expected.as_f64().expect("a number");
    assert!((got - expected).abs() <= tolerance * (1.0 + expected.abs()), "{what}: {got} is not {expected}");
}

#[test]
fn quantiles_of_all_nine_types() {
    for case in golden("quantiles") {
        let mut values = numbers(&case["values"]);
        let p = case["p"].as_f64().expect("a number");
        values.sort_by(f64::total_cmp);
        for (kind, expected) in QuantileType::ALL.into_iter().zip(case["expect"].as_array().expect("a list")) {
            let got = kind.of_sorted(&values, p).unwrap();
            near(got, expected, 1e-12, &format!("type {} at {p} of {values:?}", kind.number()));
        }
        // The default's own way, `(n − 1)·p`, rounds elsewhere.
        near(quantile(&values, p).unwrap(), &case["expect"][6], 1e-12, "the default");
    }
}

#[test]
fn student_intervals() {
    for case in golden("student") {
        let got = student(&numbers(&case["values"]), case["level"].as_f64().expect("a number")).unwrap();
        near(got.mean, &case["mean"], 1e-12, "mean");
        near(got.deviation, &case["deviation"], 1e-12, "deviation");
        near(got.interval.lo, &case["lo"], 1e-9, "lo");
        near(got.interval.hi, &case["hi"], 1e-9, "hi");
    }
    assert_eq!(student(&[1.0], 0.95), None);
}

#[test]
fn the_studentized_range() {
    for case in golden("range") {
        let k = u32::try_from(case["k"].as_u64().unwrap()).unwrap();
        let got = studentized_range(case["q"].as_f64().expect("a number"), k, case["df"].as_f64().expect("a number"))
            .unwrap();
        near(got, &case["p"], 1e-8, &case.to_string());
    }
    for case in golden("range_quantiles") {
        let k = u32::try_from(case["k"].as_u64().unwrap()).unwrap();
        let got = studentized_range_quantile(
            case["p"].as_f64().expect("a number"),
            k,
            case["df"].as_f64().expect("a number"),
        )
        .unwrap();
        near(got, &case["q"], 1e-6, &case.to_string());
    }
    assert_eq!(studentized_range(1.0, 1, 5.0), None);
    assert_eq!(studentized_range_quantile(1.0, 3, 5.0), None);
}

#[test]
fn honestly_significant_differences() {
    for case in golden("tukey") {
        let level = case["level"].as_f64().expect("a number");
        let got = tukey_hsd(&groups(&case["groups"]), level).unwrap();
        for (pair, expected) in got.pairs.iter().zip(case["pairs"].as_array().expect("a list")) {
            assert_eq!(
                (pair.groups.0 as u64, pair.groups.1 as u64),
                (expected["a"].as_u64().unwrap(), expected["b"].as_u64().unwrap())
            );
            near(pair.difference, &expected["difference"], 1e-12, "difference");
            near(pair.p, &expected["p"], 1e-7, "p");
            near(pair.interval.lo, &expected["lo"], 1e-6, "lo");
            near(pair.interval.hi, &expected["hi"], 1e-6, "hi");
            let [a, b] = [pair.groups.0, pair.groups.1].map(|i| &got.letters[i]);
            let differ = !a.chars().any(|letter| b.contains(letter));
            assert_eq!(differ, expected["reject"].as_bool().unwrap(), "letters {:?}", got.letters);
        }
    }
    assert_eq!(tukey_hsd(&[vec![1.0, 2.0]], 0.9), None);
    assert_eq!(tukey_hsd(&[vec![1.0], vec![2.0]], 0.9), None, "no degree of freedom");
    assert_eq!(tukey_hsd(&[vec![1.0, 1.0], vec![2.0, 2.0]], 0.9), None, "no variation");
}

#[test]
fn rank_tests() {
    for case in golden("kruskal") {
        let got = kruskal_wallis(&groups(&case["groups"])).unwrap();
        near(got.h, &case["h"], 1e-10, "H");
        near(got.p, &case["p"], 1e-9, "p");
    }
    for case in golden("mann_whitney") {
        let got = mann_whitney(&numbers(&case["a"]), &numbers(&case["b"])).unwrap();
        assert_eq!(got.exact, case["exact"].as_bool().unwrap(), "{case}");
        near(got.u, &case["u"], 1e-12, "U");
        near(got.p, &case["p"], 1e-9, "p");
    }
    assert_eq!(kruskal_wallis(&[vec![1.0], vec![1.0]]), None);
    assert_eq!(mann_whitney(&[2.0; 30], &[2.0; 30]), None);
    assert_eq!(mann_whitney(&[], &[2.0]), None);
}

#[test]
fn normality() {
    for case in golden("shapiro") {
        let values = numbers(&case["values"]);
        let got = shapiro_wilk(&values).unwrap();
        // AS R94 in SciPy has single-precision constants in places.
        near(got.w, &case["w"], 1e-6, &format!("W of {}", values.len()));
        near(got.p, &case["p"], 1e-5, &format!("p of {}", values.len()));
    }
    assert_eq!(shapiro_wilk(&[1.0, 2.0]), None);
    assert_eq!(shapiro_wilk(&[1.0; 9]), None);
}

#[test]
fn distribution_functions() {
    for case in golden("ecdf") {
        let values = numbers(&case["values"]);
        let got = Ecdf::new(&values, values.len()).steps(usize::MAX);
        let (at, share) = (numbers(&case["at"]), numbers(&case["share"]));
        assert_eq!(got.iter().map(|step| step.0).collect::<Vec<_>>(), at);
        for (step, expected) in got.iter().zip(share) {
            assert!((step.1 - expected).abs() < 1e-12, "{step:?} is not {expected}");
        }
    }
}

#[test]
fn the_bootstrap_of_a_mean() {
    for case in golden("bootstrap") {
        let [a, b] = ["a", "b"].map(|side| numbers(&case[side]).into_iter().map(Some).collect::<Vec<_>>());
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a.unwrap() - b.unwrap()).collect();
        let (got, of_mean) = (paired(&a, &b).unwrap(), bootstrap_mean(&differences, 0.90, bootstrap_words(7)).unwrap());
        near(got.mean, &case["mean"], 1e-12, "mean");
        near(got.spread.lo, &case["spread"][0], 1e-12, "spread, low");
        near(got.spread.hi, &case["spread"][1], 1e-12, "spread, high");
        // 2000 resamples: a quantile at 5 % is drawn from between those at 3 % and 7 % (four standard errors,
        // √(0.05·0.95/2000)), here of all n^n resamples there are; and SciPy's hundred thousand are no further away.
        let (around, scipy) = (numbers(&case["around"]), numbers(&case["scipy"]));
        for (end, near, scipy) in [(of_mean.lo, &around[..2], scipy[0]), (of_mean.hi, &around[2..], scipy[1])] {
            assert!((near[0]..=near[1]).contains(&end), "{end} is not within {near:?}");
            assert!((end - scipy).abs() <= near[1] - near[0], "{end} is not {scipy}");
        }
    }
}
