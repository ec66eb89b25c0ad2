#!/usr/bin/env python3
"""Writes golden.json: what NumPy, SciPy and statsmodels compute, for tests/stats_golden.rs.

    python3 -m venv venv && venv/bin/pip install numpy scipy statsmodels
    venv/bin/python golden.py > golden.json
"""
import itertools
import json
import sys

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multicomp import pairwise_tukeyhsd

random = np.random.default_rng(20261122)
METHODS = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen",
           "weibull", "linear", "median_unbiased", "normal_unbiased"]


def sample(n, kind):
    values = {"normal": random.normal(5, 2, n), "exponential": random.exponential(1.5, n),
              "uniform": random.uniform(0.05, 0.5, n), "tied": random.integers(0, 6, n).astype(float)}[kind]
    return [float(f"{value:.6g}") for value in values]


out = {"made_with": {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__}}

out["quantiles"] = []
for n, kind in [(1, "normal"), (2, "normal"), (5, "uniform"), (10, "tied"), (20, "exponential"), (37, "normal")]:
    values = sample(n, kind)
    for p in [0.0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 0.95, 1.0]:
        expect = [float(np.quantile(values, p, method=method)) for method in METHODS]
        out["quantiles"].append({"values": values, "p": p, "expect": expect})

out["student"] = []
for n in [2, 3, 10, 40]:
    values = sample(n, "normal")
    for level in [0.9, 0.95, 0.99]:
        low, high = stats.t.interval(level, n - 1, loc=np.mean(values), scale=stats.sem(values))
        out["student"].append({"values": values, "level": level, "mean": float(np.mean(values)),
                               "deviation": float(np.std(values, ddof=1)), "lo": float(low), "hi": float(high)})

out["range"] = []
for k in [2, 3, 5, 12]:
    for df in [1, 2, 5, 12, 60, 400]:
        for q in [0.5, 2.0, 3.5, 6.0]:
            out["range"].append({"q": q, "k": k, "df": df, "p": float(stats.studentized_range.cdf(q, k, df))})
out["range_quantiles"] = []
for k, df, p in [(2, 5, 0.95), (3, 10, 0.9), (4, 56, 0.9), (4, 56, 0.95), (5, 20, 0.99), (10, 120, 0.95)]:
    out["range_quantiles"].append({"p": p, "k": k, "df": df, "q": float(stats.studentized_range.ppf(p, k, df))})

out["tukey"] = []
for sizes, level in [((15, 15, 15, 15), 0.90), ((5, 5, 5), 0.95), ((4, 7, 9, 3), 0.95)]:
    groups = [[float(f"{v:.6g}") for v in random.normal(10 + 1.2 * i, 1.5, n)] for i, n in enumerate(sizes)]
    scipy_result = stats.tukey_hsd(*groups)
    confidence = scipy_result.confidence_interval(level)
    names = np.repeat(np.arange(len(groups)), sizes)
    reject = pairwise_tukeyhsd(np.concatenate(groups), names, alpha=1 - level).reject
    pairs = [(i, j) for i in range(len(groups)) for j in range(i + 1, len(groups))]
    out["tukey"].append({"groups": groups, "level": level, "pairs": [
        {"a": i, "b": j, "difference": float(np.mean(groups[i]) - np.mean(groups[j])),
         "p": float(scipy_result.pvalue[i, j]), "lo": float(confidence.low[i, j]), "hi": float(confidence.high[i, j]),
         "reject": bool(rejected)} for (i, j), rejected in zip(pairs, reject)]})

out["kruskal"] = []
for groups in [[sample(5, "normal"), sample(6, "exponential"), sample(4, "normal")],
               [sample(12, "tied"), sample(9, "tied")], [sample(30, "exponential") for _ in range(4)]]:
    result = stats.kruskal(*groups)
    out["kruskal"].append({"groups": groups, "h": float(result.statistic), "p": float(result.pvalue)})

out["mann_whitney"] = []
for a, b, method in [(sample(4, "normal"), sample(5, "normal"), "exact"), (sample(8, "exponential"), sample(15, "normal"), "exact"),
                     (sample(20, "normal"), sample(20, "exponential"), "exact"), (sample(12, "tied"), sample(9, "tied"), "asymptotic"),
                     (sample(30, "normal"), sample(26, "exponential"), "asymptotic"), (sample(1, "normal"), sample(3, "normal"), "exact")]:
    result = stats.mannwhitneyu(a, b, alternative="two-sided", method=method)
    out["mann_whitney"].append({"a": a, "b": b, "exact": method == "exact", "u": float(result.statistic), "p": float(result.pvalue)})

out["shapiro"] = []
for n in [3, 4, 5, 6, 8, 11, 12, 20, 50, 300]:
    for kind in ["normal", "exponential"]:
        values = sample(n, kind)
        result = stats.shapiro(values)
        out["shapiro"].append({"values": values, "w": float(result.statistic), "p": float(result.pvalue)})

out["ecdf"] = []
for n, kind in [(1, "normal"), (12, "tied"), (40, "exponential")]:
    values = sample(n, kind)
    steps = stats.ecdf(values).cdf
    out["ecdf"].append({"values": values, "at": [float(x) for x in steps.quantiles], "share": [float(p) for p in steps.probabilities]})

# The bootstrap is a lottery; its limit is not. All n^n resamples of few differences, each as likely as the others.
out["bootstrap"] = []
for n in [4, 6]:
    a, b = sample(n, "exponential"), sample(n, "normal")
    difference = np.array(a) - np.array(b)
    means = np.mean(np.array(list(itertools.product(difference, repeat=n))), axis=1)
    # Interval of one more value: order statistics (n + 1)p.
    spread = [float(v) for v in np.quantile(difference, [0.05, 0.95], method="weibull")]
    # A quantile of 2000 draws: its own error, from the density of the means around it.
    around = [float(v) for v in np.quantile(means, [0.03, 0.07, 0.93, 0.97])]
    drawn = stats.bootstrap((a, b), lambda x, y, axis: np.mean(x - y, axis=axis), paired=True, vectorized=True, n_resamples=100_000,
                            confidence_level=0.90, method="percentile", random_state=np.random.default_rng(1)).confidence_interval
    out["bootstrap"].append({"a": a, "b": b, "mean": float(np.mean(difference)), "spread": spread,
                             "around": around, "scipy": [float(drawn.low), float(drawn.high)]})

json.dump(out, sys.stdout, indent=0)
sys.stdout.write("\n")
