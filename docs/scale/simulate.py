"""Simulates a study on a cluster: what its jobs wait for, and what workers that die cost.

    python3 docs/scale/simulate.py          # prints the tables of docs/scale.md

Jobs are cut by the class that cuts them in a run (`rtoscope._jobs.Jobs`). All else is a model of three parts: workers
that run one job at a time, one queue through which every job passes (scheduler and client of Dask, so long for each),
and deaths of workers at random times, after which they are replaced.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass

from rtoscope import _jobs

ROW = 1 / 22
"""Seconds of a core for a row: bundled captures, 200 replicates and as many of another run (docs/study.md, *Speed*)."""

TIMERS = 10
"""Tasks of a capture."""

CAPTURES = 100_000
"""Captures: with TIMERS a million tasks."""

SPREAD = 0.5
"""Standard deviation of the logarithm of a capture's time. Chosen here: nine captures of ten within a factor of 2.3."""

HANDLING = 0.001
"""Seconds that scheduler and client take for a job, one after the other: the greater figure of Dask's documentation
(Best Practices, *Avoid Very Large Graphs*)."""

MEASURED = 0.010
"""The same as `npm run bench -- study` measures it."""

REPLACED = 10.0
"""Seconds until a worker that died is there again. Chosen here: a process that starts again; a Slurm job that waits in
its queue takes as long as the queue."""

HOUR = 3600.0

Take = Callable[[], float]
"""Returns the seconds of the next job; 0 where none is left."""

Back = Callable[[float], None]
"""Takes a job back whose worker died."""


@dataclass
class Run:
    """A simulated run: its length and the parts of the workers' time in seconds, and counts of jobs and deaths."""

    length: float
    work: float
    repeated: float
    queued: float
    jobs: int
    deaths: int


def fixed(tasks: int, captures: list[float]) -> tuple[Take, Back]:
    """Hand out jobs of so many tasks of one capture."""
    split = TIMERS // tasks
    waiting = [capture / split for capture in captures for _ in range(split)]
    return (lambda: waiting.pop() if waiting else 0.0), waiting.append


def cut(workers: int, captures: list[float]) -> tuple[Take, Back]:
    """Hand out jobs as a run does."""
    keys = [str(key) for key in range(TIMERS)]
    # The length of a file tells the time of its tasks but for the spread, of which weights know nothing.
    jobs = _jobs.Jobs([1.0] * len(captures), TIMERS, lambda _capture: [keys])
    died: list[float] = []

    def take() -> float:
        if died:
            return died.pop()
        parts = jobs.take(workers)
        seconds = sum(captures[part.capture] * len(part.keys) / TIMERS for part in parts)
        if parts:
            # A run learns when the job is done: here a job earlier.
            jobs.learn(parts, seconds)
        return seconds

    return take, died.append


def simulate(
    tasks: int | None, workers: int, *, handling: float = HANDLING, rate: float = 0.0, captures: int = CAPTURES
) -> Run:
    """Run a study in jobs of so many tasks (None: as they are cut); `rate` is how often a worker dies in an hour."""
    draw = random.Random(1)
    mean = ROW * TIMERS
    times = [mean * draw.lognormvariate(-SPREAD * SPREAD / 2, SPREAD) for _ in range(captures)]
    take, back = cut(workers, times) if tasks is None else fixed(tasks, times)
    run = Run(0.0, sum(times), 0.0, 0.0, 0, 0)
    # Time, seconds of a job that comes back, workers that come free.
    events = [(0.0, 0.0, workers)]
    idle, free = 0, 0.0
    while events:
        now, lost, more = heapq.heappop(events)
        idle += more
        if lost:
            back(lost)
        while idle and (seconds := take()):
            idle -= 1
            run.jobs += 1
            run.queued += handling
            free = max(free, now) + handling
            dies = draw.expovariate(rate / HOUR) if rate else float("inf")
            if dies < seconds:
                run.deaths += 1
                run.repeated += dies
                heapq.heappush(events, (free + dies, seconds, 0))
                heapq.heappush(events, (free + dies + REPLACED, 0.0, 1))
            else:
                run.length = max(run.length, free + seconds)
                heapq.heappush(events, (free + seconds, 0.0, 1))
    return run


def duration(seconds: float) -> str:
    """Return a time as a person says it."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table of Markdown; the first column is text."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def batching() -> str:
    """Return the table of jobs and workers: length of the run, and the share of the workers' time that is work."""
    rows = []
    for name, tasks, handling in (
        ("a task", 1, HANDLING),
        ("a capture", TIMERS, HANDLING),
        ("a capture", TIMERS, MEASURED),
        ("as they are cut", None, HANDLING),
        ("as they are cut", None, MEASURED),
    ):
        cells = [name, f"{handling * 1000:.0f} ms"]
        for workers in (100, 1000):
            run = simulate(tasks, workers, handling=handling)
            cells += [f"{run.jobs:,}", f"{duration(run.length)}", f"{100 * run.work / run.length / workers:.0f} %"]
        rows.append(cells)
    return table(["a job is", "handling", "100 workers: jobs", "time", "busy", "1,000: jobs", "time", "busy"], rows)


def failures() -> str:
    """Return the table of failure rates: length of the run, deaths, work that is repeated."""
    rows = []
    for name, rate in (("never", 0.0), ("once a day", 1 / 24), ("once an hour", 1.0), ("every six minutes", 10.0)):
        run = simulate(None, 100, handling=MEASURED, rate=rate)
        rows.append([name, duration(run.length), f"{run.deaths:,}", f"{100 * run.repeated / run.work:.1f} %"])
    return table(["a worker dies", "time", "deaths", "work repeated"], rows)


TABLES = {"batching": batching, "failures": failures}
"""Tables of the page by the marks between which they stand."""

if __name__ == "__main__":
    for name, made in TABLES.items():
        print(f"{name}\n\n{made()}")
