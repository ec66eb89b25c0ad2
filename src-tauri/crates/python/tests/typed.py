"""A program that uses the package, for mypy."""

from __future__ import annotations

import polars

import rtoscope
from rtoscope import cluster


def best(path: str) -> tuple[str, float]:
    """Return the timer with the shortest mean completion, and that time."""
    capture: rtoscope.Capture = rtoscope.open(path, ports=[5683], progress=False)
    run: rtoscope.Run = capture.replay(["coap_default", ("cocoa_plus", {"k_weak": 1})], channel="empirical")
    table: rtoscope.Table = run.metrics()
    means: dict[str, float] = {}
    for row in table:
        timer, mean = row["algorithm"], row["mean"]
        if row["metric"] == "duration_mean" and isinstance(timer, str) and isinstance(mean, float):
            means[timer] = mean
    timer = min(means, key=means.__getitem__)
    frame: polars.DataFrame = run.difference("coap_default").to_polars()
    assert frame.height == len(run.difference())
    return timer, means[timer]


def timeouts(algorithm: rtoscope.Algorithm) -> list[float]:
    """Return the timeouts of a message that is never answered."""
    exchange = rtoscope.Estimator(algorithm.id).exchange()
    at: float | None = 0.0
    while at is not None:
        exchange.arm(at)
        at = exchange.deadline
        if not exchange.expire():
            break
    return exchange.armed


def done(study: rtoscope.Study) -> int:
    """Return the number of rows of a study."""
    state: rtoscope.StudyDone = study.run(progress=lambda done, total: None)
    return state.rows


def on_workers(study: rtoscope.Study) -> list[str]:
    """Return the caption of a figure of a study that ran on two workers."""
    with cluster.local(2, memory="1GB") as client:
        study.run(client=client, again=True)
    figure: rtoscope.Figure = study.figure("winners", level=0.95)
    return list(figure.caption)
