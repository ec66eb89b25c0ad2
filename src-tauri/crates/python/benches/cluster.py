"""A study on workers of Dask against the same study in one process, in turns.

    npm run bench -- study

The study is that of the bench of the command line: the bundled captures under ten timers, 200 replicates and as many of
another run. Jobs are of a second, the shortest that a run cuts. Times on the wall need a machine that does nothing
else; processor time, of all processes together, says what Dask takes on any. Scheduler and client are one process, so
that its processor time for each job is what no number of workers divides.
"""

from __future__ import annotations

import logging
import os
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rtoscope
from rtoscope import _core, _jobs, cluster

TIMERS = (
    "coap_default",
    "coap_b",
    "cocoa_2014",
    "cocoa_plus",
    "rfc6298",
    "fasor",
    "cocoa_cf3",
    "linux_rto_cf3",
    "basic_rto_cf3",
    "peak_hopper_cf3",
)
"""As in the bench of the command line."""

TURNS = 3
"""Runs of each kind; their median is printed."""

SEEDS = 20
"""Groups of each capture where handling is measured, each a job."""


def study(folder: Path, timers: tuple[str, ...], replicates: int, seeds: int = 1) -> Path:
    """Write a study over the bundled captures."""
    traces = Path(os.environ["RTOSCOPE_ROOT"], "traces")
    text = (
        f'channels = ["empirical"]\nreplicates = {replicates}\nanother_run = {str(len(timers) > 1).lower()}\n'
        f'seeds = {list(range(1, seeds + 1))}\n[[captures]]\npaths = "{traces}/{{scenario}}/capture.pcap.gz"\n'
    )
    text += "".join(f'[[timers]]\nalgorithm = "{timer}"\n' for timer in timers)
    path = folder / f"study-{seeds}.toml"
    path.write_text(text)
    return path


@dataclass
class Cost:
    """Cost of a run: seconds on the wall, of this process's processor time, and of that of workers; its rows."""

    wall: float
    own: float
    workers: float
    rows: int


def timed(spec: Path, client: Any = None, threads: int | None = None) -> Cost:
    """Run a study into a new folder."""

    def of_workers() -> float:
        return sum(client.run(time.process_time).values()) if client is not None else 0.0

    with tempfile.TemporaryDirectory() as folder:
        before, wall, own = of_workers(), time.perf_counter(), time.process_time()
        study = rtoscope.Study(spec, out=Path(folder, "rows"))
        rows = study.run(progress=False, client=client, threads=threads).rows
        cost = Cost(time.perf_counter() - wall, time.process_time() - own, 0.0, rows)
        cost.workers = of_workers() - before
    return cost


def peak() -> int:
    """Return the most memory that this process had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def keeping(spec: Path) -> float:
    """Return the seconds for which the client keeps the rows of a capture that a worker could not."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "rows")
        rtoscope.Study(spec, out=out).run(progress=False)
        jobs = _core.StudyJobs(spec, out, False)
        octets = {file.stem: file.read_bytes() for file in out.glob("rows/**/*.parquet")}
        times = []
        for at in range(jobs.captures):
            for content in octets.values():
                start = time.perf_counter()
                try:
                    jobs.keep(at, content)
                except rtoscope.RequestError:
                    continue  # another capture's
                times.append(time.perf_counter() - start)
        jobs.close()
    return statistics.median(times)


def main() -> None:
    """Print the measurements."""
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    cores = os.cpu_count() or 1
    with (
        tempfile.TemporaryDirectory() as name_of,
        cluster.local(1, log_level=logging.ERROR) as one,
        cluster.local(2, log_level=logging.ERROR) as two,
    ):
        whole = study(Path(name_of), TIMERS, replicates)
        _jobs.LONGEST = _jobs.SHORTEST
        kinds: dict[str, dict[str, Any]] = {
            "one thread, no Dask": {"threads": 1},
            "one worker": {"client": one},
            "two workers": {"client": two},
        }
        costs: dict[str, list[Cost]] = {kind: [] for kind in kinds}
        for _ in range(TURNS):
            for kind, options in kinds.items():
                costs[kind].append(timed(whole, **options))
        walls = {kind: statistics.median(cost.wall for cost in of) for kind, of in costs.items()}
        # Without Dask this process does the work.
        work = {kind: statistics.median(cost.workers or cost.own for cost in of) for kind, of in costs.items()}
        beside = {
            kind: statistics.median(cost.own for cost in of if cost.workers) for kind, of in list(costs.items())[1:]
        }
        rows = costs["one worker"][0].rows
        print(f"{rows} rows, jobs of a second, medians of {TURNS} runs in turns")
        print(f"{cores} cores, load {os.getloadavg()[0]:.1f} at the end; processor time in seconds")
        print(f"{'':>20} {'wall s':>8} {'rows/s':>8} {'work':>8} {'scheduler, client':>18}")
        for kind, wall in walls.items():
            print(f"{kind:>20} {wall:8.2f} {rows / wall:8.1f} {work[kind]:8.2f} {beside.get(kind, 0.0):18.2f}")
        for name, times in (("by the wall", walls), ("in the workers' processor time", work)):
            overhead = 100 * (times["one worker"] / times["one thread, no Dask"] - 1)
            print(f"Dask's overhead at jobs of a second, {name}: {overhead:.1f} %")
        print(f"two workers are {walls['one worker'] / walls['two workers']:.2f} times one, by the wall")
        small = study(Path(name_of), TIMERS[:1], 1, SEEDS)
        _jobs.LONGEST = _jobs.SHORTEST = _jobs.HANDLING = 0.0
        handling = []
        for _ in range(TURNS):
            cost = timed(small, client=two)
            handling.append(cost.own / cost.rows)
        print(f"handling of a job, scheduler and client: {1000 * statistics.median(handling):.1f} ms of one core")
        print(f"keeping rows that come back: {1000 * keeping(whole):.1f} ms a capture")
        print(f"most memory of a worker: {max(two.run(peak).values())} MB")


if __name__ == "__main__":
    main()
