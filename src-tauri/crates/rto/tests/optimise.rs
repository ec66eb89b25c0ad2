//! The searches find known minima, stay within bounds and budget, and repeat themselves exactly.

use proptest::prelude::*;
use rto::ParamError;
use rto::optimise::{Axis, Found, Swarm, axes, nelder_mead, overrides, swarm};

fn axis(min: f64, max: f64) -> Axis {
    Axis { name: "x", min, max, log: false, whole: false }
}

/// Rosenbrock 1960: a bent valley with its minimum of 0 at (1, 1).
fn rosenbrock(at: &[f64]) -> f64 {
    (1.0 - at[0]).powi(2) + 100.0 * (at[1] - at[0] * at[0]).powi(2)
}

/// The objective `f`, which also checks that it is asked within the bounds only, and counts.
fn guarded<'a>(
    axes: &'a [Axis],
    asked: &'a mut usize,
    f: impl Fn(&[f64]) -> f64 + 'a,
) -> impl FnMut(&[f64]) -> f64 + 'a {
    move |at| {
        *asked += 1;
        assert_eq!(at.len(), axes.len());
        for (value, axis) in at.iter().zip(axes) {
            assert!((axis.min..=axis.max).contains(value), "{value} outside {axis:?}");
            assert!(!axis.whole || value.fract() == 0.0, "{value} is not whole");
        }
        f(at)
    }
}

fn cases() -> ProptestConfig {
    let cases = needs::cases(64);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A convex bowl: per axis its bounds, where its minimum is between them, and how steep it is.
fn bowl() -> impl Strategy<Value = Vec<(Axis, f64, f64)>> {
    let side = (-100.0..100.0, 0.1..100.0, 0.0..=1.0, 0.1..10.0).prop_map(
        |(min, width, share, steep): (f64, f64, f64, f64)| (axis(min, min + width), min + share * width, steep),
    );
    prop::collection::vec(side, 1..4)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_convex_bowl_has_one_bottom(bowl in bowl(), seed: u64, from in 0.0..=1.0) {
        let space: Vec<Axis> = bowl.iter().map(|side| side.0.clone()).collect();
        let height = |at: &[f64]| -> f64 {
            let term = |(x, (axis, centre, steep)): (&f64, &(Axis, f64, f64))| steep * ((x - centre) / (axis.max - axis.min)).powi(2);
            at.iter().zip(&bowl).map(term).sum()
        };
        let near = |found: &Found, tolerance: f64| {
            found.at.iter().zip(&bowl).all(|(x, (axis, centre, _))| (x - centre).abs() <= tolerance * (axis.max - axis.min))
        };
        let start: Vec<f64> = space.iter().map(|axis| axis.min + from * (axis.max - axis.min)).collect();
        let mut asked = 0;
        let found = nelder_mead(&space, &start, 2_000, guarded(&space, &mut asked, height));
        prop_assert!(near(&found, 1e-3), "{found:?}");
        prop_assert!(found.evaluations == asked && asked <= 2_000 + space.len() + 2, "{asked}");

        let mut asked = 0;
        let size = Swarm { seed, particles: 24, iterations: 120 };
        let found = swarm(&space, size, guarded(&space, &mut asked, height));
        prop_assert!(near(&found, 1e-2), "{found:?}");
        prop_assert_eq!((found.evaluations, asked), (24 * 121, 24 * 121));
    }

    #[test]
    fn the_same_call_finds_the_same(seed: u64, x in -2.0..2.0, y in -2.0..2.0) {
        let space = [axis(-2.0, 2.0), axis(-2.0, 2.0)];
        let size = Swarm { seed, particles: 8, iterations: 10 };
        let once = swarm(&space, size, rosenbrock);
        prop_assert_eq!(&once, &swarm(&space, size, rosenbrock));
        prop_assert_ne!(once, swarm(&space, Swarm { seed: seed ^ 1, ..size }, rosenbrock));
        let walk = || nelder_mead(&space, &[x, y], 100, rosenbrock);
        prop_assert_eq!(walk(), walk());
    }

    /// From anywhere down the bent valley.
    #[test]
    fn nelder_mead_follows_rosenbrocks_valley(x in -2.0..2.0, y in -2.0..2.0) {
        let space = [axis(-2.0, 2.0), axis(-2.0, 2.0)];
        let found = nelder_mead(&space, &[x, y], 4_000, rosenbrock);
        prop_assert!(found.value < 1e-6, "{found:?}");
    }

    #[test]
    fn a_swarm_finds_rosenbrocks_bottom(seed: u64) {
        let space = [axis(-2.0, 2.0), axis(-2.0, 2.0)];
        let found = swarm(&space, Swarm { seed, particles: 30, iterations: 300 }, rosenbrock);
        prop_assert!(found.value < 0.05, "{found:?}");
    }
}

#[test]
fn parameters_are_axes_and_points_are_overrides() {
    let space = axes("cocoa_plus", &["rto_initial", "weak_max", "k_strong"]).expect("searchable");
    let shape: Vec<_> = space.iter().map(|axis| (axis.name, axis.log, axis.whole)).collect();
    assert_eq!(shape, [("rto_initial", true, false), ("weak_max", false, true), ("k_strong", false, false)]);
    let mut asked = 0;
    let target = |at: &[f64]| (at[0].ln() - 0.3f64.ln()).abs() + (at[1] - 7.0).abs() + (at[2] - 2.0).abs();
    let found = swarm(&space, Swarm { seed: 5, particles: 24, iterations: 150 }, guarded(&space, &mut asked, target));
    assert!(found.value < 0.05, "{found:?}");
    assert_eq!(found.at[1], 7.0);
    rto::build("cocoa_plus", &overrides(&space, &found.at)).expect("a legal point");

    assert!(matches!(axes("nonsense", &[]), Err(ParamError::Algorithm { .. })));
    let choice = axes("cocoa_plus", &["vbf_key"]).expect_err("a choice");
    assert!(matches!(choice, ParamError::Unknown { name, known } if name == "vbf_key" && known.contains(&"alpha")));
}

#[test]
fn searches_without_a_minimum_end() {
    let none = nelder_mead(&[], &[], 100, |_| 1.0);
    assert_eq!((none.value, none.evaluations, none.at.len()), (1.0, 1, 0));
    assert_eq!(swarm(&[], Swarm { seed: 0, particles: 0, iterations: 0 }, |_| 1.0).evaluations, 1);
    // Never a number, never better: the middle of the box is what is left.
    let space = [axis(0.0, 4.0)];
    let nan = nelder_mead(&space, &[f64::NAN], 50, |_| f64::NAN);
    assert_eq!((nan.at, nan.value), (vec![2.0], f64::INFINITY));
    let flat = nelder_mead(&space, &[9.0], 50, |_| 3.0);
    assert_eq!((flat.at, flat.value), (vec![4.0], 3.0));
    // A box without an inside.
    let point = swarm(&[axis(1.0, 1.0)], Swarm { seed: 0, particles: 3, iterations: 3 }, |at| at[0]);
    assert_eq!(point.at, [1.0]);
}
