//! Statistics against what others have printed: R's own data sets as `stats` analyses them, and tables of the
//! studentized range. `stats_golden.rs` holds more cases, against SciPy; these are a second hand.

use replay::stats::{
    BoxRule, QuantileType, five_numbers, kruskal_wallis, mann_whitney, shapiro_wilk, student,
    studentized_range_quantile, tukey_hsd,
};

/// R's `PlantGrowth` (Dobson 1983, Table 2.1): dried weights of ctrl, trt1 and trt2.
const PLANTS: [[f64; 10]; 3] = [
    [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
    [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
    [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
];

fn plants() -> Vec<Vec<f64>> {
    PLANTS.iter().map(|group| group.to_vec()).collect()
}

/// Compared to as many digits as were printed.
fn printed(got: f64, expected: f64, unit: f64, what: &str) {
    assert!((got - expected).abs() <= 0.500_001 * unit, "{what}: {got} is not {expected}");
}

#[test]
fn critical_points_of_the_studentized_range() {
    // Harter 1960 (Ann. Math. Stat. 31), as reprinted in textbooks: upper 5 % and 1 % points, q(α; k, ν).
    let table = [
        (0.05, 2, 5.0, 3.635),
        (0.05, 3, 10.0, 3.877),
        (0.05, 4, 20.0, 3.958),
        (0.05, 5, 10.0, 4.654),
        (0.05, 10, 60.0, 4.646),
        (0.05, 3, 120.0, 3.356),
        (0.01, 3, 10.0, 5.270),
        (0.10, 3, 10.0, 3.270),
    ];
    for (alpha, k, df, expected) in table {
        let got = studentized_range_quantile(1.0 - alpha, k, df).unwrap();
        printed(got, expected, 1e-3, &format!("q({alpha}; {k}, {df})"));
    }
}

#[test]
fn tukey_hsd_as_r_prints_it() {
    // R: TukeyHSD(aov(weight ~ group, PlantGrowth)); columns diff, lwr, upr, p adj.
    let expected = [
        // trt1-ctrl
        ((0, 1), [-0.371, -1.062_216_1, 0.320_216_1, 0.390_871_1]),
        // trt2-ctrl
        ((0, 2), [0.494, -0.197_216_1, 1.185_216_1, 0.197_996_0]),
        // trt2-trt1
        ((1, 2), [0.865, 0.173_783_9, 1.556_216_1, 0.012_006_4]),
    ];
    let got = tukey_hsd(&plants(), 0.95).unwrap();
    for (pair, (groups, [diff, low, high, p])) in got.pairs.iter().zip(expected) {
        assert_eq!(pair.groups, groups);
        // R takes the first from the second.
        printed(-pair.difference, diff, 1e-7, "diff");
        printed(-pair.interval.hi, low, 1e-7, "lwr");
        printed(-pair.interval.lo, high, 1e-7, "upr");
        printed(pair.p, p, 1e-7, "p adj");
    }
    // R: agricolae::HSD.test and multcompView::multcompLetters4 give these letters.
    assert_eq!(got.letters, ["ab", "b", "a"]);
    assert_eq!(got.freedom, 27);
}

#[test]
fn rank_tests_as_r_prints_them() {
    // R: kruskal.test(weight ~ group, PlantGrowth): chi-squared = 7.9882, df = 2, p-value = 0.01842.
    let plants = kruskal_wallis(&plants()).unwrap();
    printed(plants.h, 7.9882, 1e-4, "H");
    printed(plants.p, 0.018_42, 1e-5, "p");
    assert_eq!(plants.freedom, 2);
    // R: example(wilcox.test), after Hollander & Wolfe 1973 p. 69: W = 35, and for alternative = "g" p-value = 0.1272.
    let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    let early = [1.15, 0.88, 0.90, 0.74, 1.21];
    let got = mann_whitney(&term, &early).unwrap();
    assert_eq!((got.u, got.exact), (35.0, true));
    // The null distribution is symmetric: both sides are twice the one.
    printed(got.p / 2.0, 0.1272, 1e-4, "p");
    // R: example(kruskal.test), after Hollander & Wolfe 1973 p. 116: chi-squared = 0.77143, df = 2, p-value = 0.68.
    let normal = vec![2.9, 3.0, 2.5, 2.6, 3.2];
    let obstructed = vec![3.8, 2.7, 4.0, 2.4];
    let asbestosis = vec![2.8, 3.4, 3.7, 2.2, 2.0];
    let got = kruskal_wallis(&[normal, obstructed, asbestosis]).unwrap();
    printed(got.h, 0.771_43, 1e-5, "H");
    printed(got.p, 0.68, 1e-2, "p");
}

#[test]
fn normality_as_r_prints_it() {
    // R: shapiro.test(residuals(aov(weight ~ group, PlantGrowth))): W = 0.96607, p-value = 0.4379.
    let residuals: Vec<f64> = PLANTS
        .iter()
        .flat_map(|group| {
            let mean = group.iter().sum::<f64>() / 10.0;
            group.map(|value| value - mean)
        })
        .collect();
    let got = shapiro_wilk(&residuals).unwrap();
    printed(got.w, 0.966_07, 1e-5, "W");
    printed(got.p, 0.4379, 1e-4, "p");
}

#[test]
fn student_intervals_as_r_prints_them() {
    // Student's own data (1908), R's `sleep`: t.test(extra ~ group, paired): -2.4598858 to -0.7001142, mean -1.58.
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    let got = student(&differences, 0.95).unwrap();
    printed(got.mean, -1.58, 1e-9, "mean");
    printed(got.interval.lo, -2.459_885_8, 1e-7, "lower");
    printed(got.interval.hi, -0.700_114_2, 1e-7, "upper");
}

#[test]
fn boxes_as_r_draws_them() {
    // R: boxplot.stats(PlantGrowth$weight[11:20]): 3.59 4.17 4.55 4.89 5.87, 6.03 out.
    let got = five_numbers(&PLANTS[1], BoxRule::TukeyHinges, QuantileType::default()).unwrap();
    let five = [got.low, got.lower, got.median, got.upper, got.high];
    for (value, expected) in five.into_iter().zip([3.59, 4.17, 4.55, 4.89, 5.87]) {
        printed(value, expected, 1e-9, "five numbers");
    }
    assert_eq!(got.outliers, [6.03]);
    // R: summary(PlantGrowth$weight): 3.590 4.550 5.155 5.530 6.310, quartiles of type 7.
    let all: Vec<f64> = PLANTS.concat();
    let got = five_numbers(&all, BoxRule::MinMax, QuantileType::from_number(7).unwrap()).unwrap();
    for (value, expected) in
        [got.low, got.lower, got.median, got.upper, got.high].into_iter().zip([3.59, 4.55, 5.155, 5.53, 6.31])
    {
        printed(value, expected, 1e-9, "summary");
    }
}
