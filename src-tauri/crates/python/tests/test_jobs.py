"""Jobs of a study on a cluster: every missing task once, and lengths as they are aimed at. Needs no Dask."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rtoscope import _jobs
from rtoscope._jobs import Groups, Jobs, Part


def plan(captures: int, groups: int, timers: int) -> Callable[[int], Groups]:
    """Return the missing tasks of captures of which each third is done."""

    def missing(capture: int) -> Groups:
        if capture % 3 == 2:
            return []
        return [[f"{capture}/{group}/{timer}" for timer in range(timers)] for group in range(groups)]

    return missing


@pytest.mark.parametrize("seconds", [0.0001, 0.3, 5.0, 300.0])
@pytest.mark.parametrize("workers", [1, 7, 64])
def test_every_missing_task_is_handed_out_once(seconds: float, workers: int) -> None:
    draw = random.Random(7)
    missing = plan(40, 6, 3)
    weights = [draw.uniform(1, 9) for _ in range(40)]
    jobs = Jobs(weights, 18, missing)
    taken: list[Part] = []
    returned = False
    while parts := jobs.take(workers):
        if len(parts) == 1 and not returned and len(taken) > 3:
            # Its worker dies.
            jobs.again(parts[0])
            returned = True
            continue
        jobs.learn(parts, sum(len(part.keys) * weights[part.capture] * seconds for part in parts))
        taken += parts
    keys = [key for part in taken for key in part.keys]
    expected = [key for capture in range(40) for group in missing(capture) for key in group]
    assert sorted(keys) == sorted(expected)
    for part in taken:
        parts_of = [other for other in taken if other.capture == part.capture]
        # Who alone has a capture may write its file.
        assert part.whole == (len(parts_of) == 1 and len(part.keys) == 18)
        # Tasks of one channel and seed share their draws.
        groups = [key.rsplit("/", 1)[0] for key in part.keys]
        assert all(groups.count(group) == 3 for group in groups)


def test_jobs_are_of_a_second_and_end_together() -> None:
    jobs = Jobs([1.0] * 10_000, 10, lambda capture: [[f"{capture}/{n}" for n in range(10)]])
    lengths = []
    while parts := jobs.take(4):
        seconds = sum(len(part.keys) for part in parts) * 0.01
        jobs.learn(parts, seconds)
        lengths.append(seconds)
    # Ten thousand captures of a tenth of a second: the first jobs are long, the last ones short.
    assert lengths[0] == pytest.approx(0.1)
    assert max(lengths) == pytest.approx(_jobs.LONGEST, abs=0.11)
    assert all(length >= _jobs.SHORTEST - 0.1001 for length in lengths[1:-1])
    assert lengths[1:] == sorted(lengths[1:], reverse=True)
    assert lengths[-1] < 2 * _jobs.SHORTEST


def test_many_workers_get_longer_jobs() -> None:
    """A thousand workers with jobs of a second would ask a thousand times a second."""
    jobs = Jobs([1.0] * 100_000, 1, lambda capture: [[str(capture)]])
    jobs.learn(jobs.take(1000), 0.1)
    seconds = sum(len(part.keys) for part in jobs.take(1000)) * 0.1
    assert seconds == pytest.approx(1000 * _jobs.HANDLING, abs=0.2)


def test_few_captures_are_cut_for_many_workers() -> None:
    jobs = Jobs([1.0, 1.0], 100, lambda capture: [[f"{capture}/{group}"] for group in range(100)])
    first = jobs.take(8)
    assert [len(part.keys) for part in first] == [1]
    assert not first[0].whole
    jobs.learn(first, 10.0)
    assert [len(part.keys) for part in jobs.take(8)] == [3]
