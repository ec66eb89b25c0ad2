"""Clusters for studies: `local`, `connect` and `slurm` give a client of Dask for `Study.run`.

``python3 -m rtoscope.cluster`` is what ``rtoscope study run --local-cluster``, ``--scheduler`` and ``--slurm`` start.
Dask is imported when one of these is called, and by nothing else of the package.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rtoscope import _core, _slurm
from rtoscope._open import Path
from rtoscope._study import Study, StudyDone
from rtoscope.errors import ClusterError, Error, RequestError

if TYPE_CHECKING:
    from distributed import Client

_OURS = {
    # A worker that dies is counted with the capture that it had (`_cluster.DEATHS`).
    "distributed.scheduler.allowed-failures": 0,
    # A profile of the worker's Python says nothing about a core in Rust.
    "distributed.worker.profile.enabled": False,
}
"""Settings of the clusters that are made here."""

_LOCAL = {
    "distributed.worker.preload": ["rtoscope._worker"],
    # Some time after a worker died Dask looks whether it is there again, and else gives it up for good: it may just
    # have died once more, and its nanny goes on.
    "distributed.deploy.lost-worker-timeout": "1000 days",
}
"""Settings of workers on this machine."""

_SILENT: dict[str, Any] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
"""Settings without a dashboard: nothing is served by HTTP."""

_CONNECT = "10s"
"""Time to connect to a scheduler. Chosen here: far more than a round trip, short for a person with a wrong address."""

_START = 60.0
"""Seconds until the first worker of this machine is ready. Chosen here: it takes one, and more on a busy machine."""

_LEAST = 100_000_000
"""Least memory of a worker, octets. Chosen here: it takes about 50 MB before its first job, and one that is above its
limit is started again and again, without a word to the scheduler."""

_LINE = 0.2
"""Seconds between two lines of progress. Chosen here: a person reads no faster."""


def _needed(package: str) -> ImportError:
    return ImportError(
        f"A study on a cluster needs {package}: python3 -m pip install 'rtoscope[cluster]', with the python3 that has "
        "rtoscope."
    )


@contextmanager
def local(
    workers: int | None = None,
    *,
    memory: str | None = None,
    dashboard: bool | str = False,
    log_level: int = logging.WARNING,
) -> Iterator[Client]:
    """Start workers on this machine, one process with one thread each, and end them with the block.

    Parameters
    ----------
    workers : int, optional
        Number of workers; without, one for each core.
    memory : str, optional
        Memory of each worker, such as ``"2GB"``, above which it is ended; without, an equal share of the machine's.
    dashboard : bool or str
        Whether to serve Dask's dashboard, on this machine only; or its address, such as ``"0.0.0.0:8787"``.
    log_level : int
        Least level of Dask's messages that are shown, as in `logging`.

    Yields
    ------
    distributed.Client
        For `Study.run`.

    Raises
    ------
    ClusterError
        If no worker starts.
    RequestError
        If the memory is too little for a worker without a job.
    ImportError
        If Dask is not there.
    """
    try:
        import dask
        from dask.system import CPU_COUNT
        from dask.utils import parse_bytes
        from distributed import Client, LocalCluster
        from distributed.system import MEMORY_LIMIT
    except ImportError as error:
        raise _needed("dask and distributed") from error
    if memory is not None and parse_bytes(memory) < _LEAST:
        raise RequestError("request", f"memory={memory!r}: a worker needs {_LEAST // 10**6} MB before it has a job.")
    workers = workers or CPU_COUNT
    address = "127.0.0.1:8787" if dashboard is True else dashboard or None
    with dask.config.set({**_OURS, **_LOCAL, **({} if address else _SILENT)}):
        cluster = LocalCluster(
            # Workers are asked for below: here they would be waited for without an end.
            n_workers=0,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            memory_limit=memory or MEMORY_LIMIT // max(workers, CPU_COUNT),
            silence_logs=log_level,
            # Without a dashboard the scheduler listens all the same, on a port of the system's choice.
            dashboard_address=address,
            scheduler_kwargs={} if address else {"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        )
        with cluster, Client(cluster, set_as_default=False) as client:
            cluster.scale(workers)
            try:
                client.wait_for_workers(1, timeout=_START)
            except TimeoutError as error:
                raise ClusterError(
                    "cluster",
                    f"No worker is ready after {_START:.0f} s: give them more memory, or ask for fewer. Workers import "
                    'the program that starts them: it does so under `if __name__ == "__main__":`.',
                ) from error
            yield client


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """Connect to a scheduler that is running, as ``dask scheduler`` starts one.

    Parameters
    ----------
    address : str
        Its address, such as ``"tcp://10.0.0.1:8786"``.

    Yields
    ------
    distributed.Client
        For `Study.run`.

    Raises
    ------
    ClusterError
        If nothing answers there.
    ImportError
        If Dask is not there.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise _needed("dask and distributed") from error
    try:
        client = Client(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            "cluster",
            f"No scheduler answers at {address} ({error}). `dask scheduler` starts one, and says its address.",
        ) from error
    with client:
        yield client


@contextmanager
def slurm(file: Path) -> Iterator[Client]:
    """Ask Slurm for workers, one process with one thread for each core, and give them back with the block.

    Parameters
    ----------
    file : str or path
        YAML with ``workers``, the number of worker processes; ``memory`` of a job, such as ``"4GB"``; and where wanted
        ``cores`` of a job (1), ``walltime``, ``queue``, ``account``, ``interface``, ``python``, ``local_directory``,
        ``log_directory``, ``death_timeout``, ``job_extra_directives`` and ``job_script_prologue``, as
        ``dask_jobqueue.SLURMCluster`` has them.

    Yields
    ------
    distributed.Client
        For `Study.run`. Workers come when Slurm starts them.

    Raises
    ------
    RequestError
        If the file cannot be read, a key is unknown, missing or of another type, or this machine lacks the interface.
    ImportError
        If Dask or dask-jobqueue is not there.
    """
    workers, cluster = _slurm_cluster(file)
    from distributed import Client

    with cluster, Client(cluster, set_as_default=False) as client:
        cluster.scale(workers)
        yield client


def slurm_script(file: Path) -> str:
    """Return the script that `slurm` gives to ``sbatch``.

    Parameters
    ----------
    file : str or path
        As for `slurm`.

    Returns
    -------
    str
        The script. The scheduler's address in it is that of one that has ended again.
    """
    _, cluster = _slurm_cluster(file)
    with cluster:
        return str(cluster.job_script())


def _slurm_cluster(file: Path) -> tuple[int, Any]:
    try:
        import dask
        from dask_jobqueue import SLURMCluster
    except ImportError as error:
        raise _needed("dask, distributed and dask-jobqueue") from error
    asked = _slurm.read(os.fspath(file))
    if "interface" in asked:
        _slurm.check_interface(os.fspath(file), asked["interface"])
    workers, cores = asked.pop("workers"), asked.pop("cores", 1)
    with dask.config.set({**_OURS, **_SILENT}):
        return workers, SLURMCluster(
            cores=cores,
            processes=cores,
            job_name="rtoscope-study",
            worker_extra_args=["--no-dashboard"],
            scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            **asked,
        )


class _Line:
    """One line of progress on standard error, where a person is looking: rows, failures, rate, time left."""

    def __init__(self, is_quiet: bool) -> None:
        self.is_shown = not is_quiet and sys.stderr.isatty()
        self.started = time.monotonic()
        self.last = float("-inf")

    def __call__(self, state: StudyDone) -> None:
        """Show the state of a study."""
        now = time.monotonic()
        if self.is_shown and now - self.last >= _LINE:
            self.last = now
            print(f"\r\x1b[K{line(state, now - self.started)}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self.is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def line(state: StudyDone, seconds: float) -> str:
    """Return the progress of a study after so many seconds in words.

    Parameters
    ----------
    state : StudyDone
        Its counts.
    seconds : float
        Time since the run began.

    Returns
    -------
    str
        Rows, failures, rate and time left.

    Examples
    --------
    >>> line(StudyDone(tasks=100, rows=40, earlier=10, failed=2, notes=()), 15.0)
    '40 of 100 rows, 2 without an answer, 2.0 rows/s, 30 s left'
    """
    text = f"{state.rows} of {state.tasks} rows, {state.failed} without an answer"
    new = state.rows - state.earlier
    if new == 0 or seconds <= 0:
        return text
    left = (state.tasks - state.rows) * seconds / new
    shown = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min" if left < 7200 else f"{left / 3600:.1f} h"
    return f"{text}, {new / seconds:.1f} rows/s, {shown} left"


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python3 -m rtoscope.cluster", description="Run a study on a cluster.")
    parser.add_argument("study", metavar="STUDY.toml")
    parser.add_argument("--out", metavar="DIR", help="folder of its rows; without, beside the study and called as it")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", metavar="ADDRESS", help="a scheduler of Dask that is running")
    where.add_argument("--local-cluster", metavar="N", type=int, help="so many workers on this machine")
    where.add_argument("--slurm", metavar="FILE", help="workers from Slurm")
    parser.add_argument("--script", action="store_true", help="print the script for Slurm, and run nothing")
    parser.add_argument("--again", action="store_true", help="run tasks again whose row has no answer")
    parser.add_argument("--quiet", "-q", action="store_true", help="print nothing but errors")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Run a study as the command line asks.

    Parameters
    ----------
    words : sequence of str, optional
        Arguments; without, those of the process.

    Returns
    -------
    int
        The exit code: 0, or as that of `rtoscope` 1 for a failure and 2 for a request that makes no sense.
    """
    args = _arguments(words)
    # A worker that dies is told in the rows and in our own words.
    level = logging.CRITICAL
    logging.getLogger("distributed").setLevel(level)
    try:
        if args.script:
            print(slurm_script(args.slurm), end="")
            return 0
        if args.scheduler:
            cluster = connect(args.scheduler)
        elif args.slurm:
            cluster = slurm(args.slurm)
        else:
            cluster = local(args.local_cluster, log_level=level)
        with cluster as client:
            return _run(args, client)
    except (Error, ImportError) as error:
        for text in str(error).splitlines():
            print(f"rtoscope: {_core.printable(text)}", file=sys.stderr)
        return 2 if isinstance(error, RequestError) else 1
    except KeyboardInterrupt:
        print("rtoscope: stopped before the end; the same command goes on", file=sys.stderr)
        return 1


def _run(args: argparse.Namespace, client: Client) -> int:
    from rtoscope import _cluster

    study = Study(args.study, out=args.out)
    progress = _Line(args.quiet)
    try:
        done = _cluster.run(study.spec, study.out, client, again=args.again, tell=progress)
    finally:
        progress.clear()
    if not args.quiet:
        for note in done.notes:
            print(f"note: {_core.printable(note)}", file=sys.stderr)
        there = f", {done.earlier} of them there before" if done.earlier else ""
        counts = f"{done.rows} of {done.tasks} rows{there}; {done.failed} without an answer"
        print(f"{counts}; in {_core.printable(study.out)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
