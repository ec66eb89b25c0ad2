"""A study on the workers of Dask distributed.

One process, the client, has the folder of rows: it finds what is missing, cuts it into jobs and hands each worker one.
A worker reads the capture where it finds a file with that content, and writes the rows where it finds the folder; what
it does not find is sent. Rows are those of a run in one process, octet for octet.
"""

from __future__ import annotations

import os
import queue
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from rtoscope import _core
from rtoscope._jobs import Groups, Jobs, Part
from rtoscope._study import StudyDone
from rtoscope.errors import ClusterError, Error, GoneError, RequestError

if TYPE_CHECKING:
    from distributed import Client, Future

DEATHS = 3
"""Workers that a capture may end before it gets rows that say so. Chosen here: one may be chance, and two a machine;
Dask's own limit is three as well (`distributed.scheduler.allowed-failures`)."""

KILLED = (
    f"the worker that ran it died, {DEATHS} times: it had too little memory, or this is a fault of this program; "
    "--again runs it again"
)
"""Reason in the rows of such a capture."""

_LOOK = 0.2
"""Seconds between two looks at progress and scheduler. Chosen here: a person sees no delay."""

_COUNT = 1.0
"""Seconds between two counts of the workers. Chosen here: new ones wait no longer than a job takes."""

_ALONE = 60.0
"""Seconds without a worker, after there was one and before a job is done, until a run ends. Chosen here: a process that
starts again is there long before; a queue of Slurm is waited for without an end, as long as no worker came."""

Tell = Callable[[StudyDone], object]
"""Called with the state of a study while it runs."""

Files = dict[str, bytes]
"""Files of a capture that are sent: their octets by name."""

Answers = list[tuple[int, int, bytes | None] | None]
"""Of each part: number of rows, number of those without an answer, and the rows where the worker could not keep them.
None where the worker has no file with that content."""


def run(spec: str, out: str, client: Client, *, again: bool, tell: Tell) -> StudyDone:
    """Run the tasks of a study that have no row yet on the workers of `client`."""
    jobs = _core.StudyJobs(spec, out, again)
    try:
        return _Run(jobs, out, client, tell).go()
    finally:
        jobs.close()


class _Run:
    """One run of a study: its jobs, those on workers, and counts."""

    def __init__(self, jobs: _core.StudyJobs, out: str, client: Client, tell: Tell) -> None:
        self.jobs = jobs
        self.client = client
        self.tell = tell
        self.out = _identity(out)
        self.name = f"rtoscope-{uuid4().hex[:8]}"
        self.rows = self.earlier = self.failed = self.submitted = 0
        self.is_answered = False
        self.is_sent = False
        self.sent: dict[int, Future] = {}
        self.missing: Counter[int] = Counter()
        self.deaths: Counter[int] = Counter()
        self.died_on: dict[int, set[Any]] = {}
        self.suspects: list[Part] = []
        self.pending: dict[str, tuple[Future, list[Part], bool]] = {}
        self.done: queue.Queue[Future] = queue.Queue()
        self.workers: dict[str, Any] = {}
        self.seen: set[str] = set()
        # Workers of this machine are there when a run begins; others may be waited for.
        self.most = int(type(client.cluster).__name__ == "LocalCluster")
        self.alone = time.monotonic()
        self.threads = 0
        self.counted = float("-inf")
        weights = [self._weight(capture) for capture in range(jobs.captures)]
        self.queue = Jobs(weights, jobs.tasks // max(jobs.captures, 1), self._missing)

    def go(self) -> StudyDone:
        """Run to the end."""
        try:
            while self._hand_out() or self.pending:
                self._collect()
            self._write_suspects()
        finally:
            with suppress(Exception):
                # The scheduler may be gone, and with it every job.
                self.client.cancel([future for future, *_ in self.pending.values()], force=True)
        return self._state()

    def _state(self) -> StudyDone:
        return StudyDone(self.jobs.tasks, self.rows, self.earlier, self.failed, tuple(self.jobs.notes))

    def _weight(self, capture: int) -> float:
        """Return the weight of a task: the length of the file, as far as it can be told."""
        files = self.jobs.files(capture)
        with suppress(OSError, IndexError):
            return 1.0 + os.path.getsize(files[0])
        return 1.0

    def _missing(self, capture: int) -> Groups:
        rows, failed, groups = self.jobs.missing(capture)
        self.rows += rows
        self.earlier += rows
        self.failed += failed
        if groups and not self.jobs.files(capture):
            # It cannot be read: its rows say why, and no worker would know better.
            keys = [key for group in groups for key in group]
            rows, failed, _ = _core.study_answer(self.jobs.study, self.jobs.capture(capture), keys, None, True)
            self.rows += rows
            self.failed += failed
            return []
        self.missing[capture] = sum(map(len, groups))
        return groups

    def _hand_out(self) -> bool:
        """Give each worker that has no job one; return whether tasks are left that no worker has."""
        self._count()
        return self._fill()

    def _fill(self) -> bool:
        while len(self.pending) < self.threads:
            parts = self.queue.take(self.threads)
            if not parts:
                return False
            self._submit(parts)
        # Workers are all busy, or there is none yet.
        return True

    def _count(self) -> None:
        """Count the workers, once in `_COUNT`. Raises ClusterError where the scheduler is gone, or they end unused."""
        if self.client.status != "running":
            raise self._gone()
        if time.monotonic() - self.counted < _COUNT:
            return
        try:
            self.workers = self.client.scheduler_info(n_workers=-1)["workers"]
            self.threads = sum(self.client.nthreads().values())
        except OSError as error:
            raise self._gone() from error
        self.counted = time.monotonic()
        self.seen.update(self.workers)
        self.most = max(self.most, len(self.workers))
        if self.threads > 0:
            self.alone = self.counted
        if self.is_answered or self.most == 0:
            return
        if len(self.seen) > DEATHS * self.most:
            raise self._hopeless(f"each was started again {DEATHS} times")
        if self.counted - self.alone > _ALONE:
            raise self._hopeless(f"there was none for {_ALONE:.0f} s")

    def _hopeless(self, why: str) -> ClusterError:
        return ClusterError(
            "cluster",
            f"Workers end before one job is done ({why}): give them more memory, or look into their logs. No row was "
            "written about it; the same call goes on.",
        )

    def _gone(self) -> ClusterError:
        return ClusterError(
            "cluster",
            f"The scheduler is gone. {self.rows} of {self.jobs.tasks} rows are kept; the same call goes on with them.",
        )

    def _submit(self, parts: list[Part]) -> None:
        """Send a job to a worker."""
        questions = [(self.jobs.capture(part.capture), list(part.keys), part.whole) for part in parts]
        files = [self._send(part.capture) if self.is_sent else None for part in parts]
        self.submitted += 1
        elsewhere = self._elsewhere(parts)
        future = self.client.submit(
            answer,
            self.jobs.study,
            self.out,
            questions,
            files,
            key=f"{self.name}-{self.submitted}",
            pure=False,
            workers=elsewhere or None,
            allow_other_workers=bool(elsewhere),
        )
        self.pending[future.key] = (future, parts, self.is_sent)
        future.add_done_callback(self.done.put)

    def _elsewhere(self, parts: list[Part]) -> list[str]:
        """Return the workers on which the parts have not died, where they have died on some."""
        died = set().union(*(self.died_on.get(part.capture, set()) for part in parts))
        return [address for address, about in self.workers.items() if about["name"] not in died] if died else []

    def _send(self, capture: int) -> Future:
        """Send the files of a capture, once while tasks of it are left; Dask copies them from worker to worker."""
        if capture not in self.sent:
            files: Files = {}
            for file in map(Path, self.jobs.files(capture)):
                with suppress(OSError):
                    # Its absence is told by the worker, as for a file that has changed.
                    files["/".join(_names(file))] = file.read_bytes()
            (self.sent[capture],) = self.client.scatter([files], hash=False)
        return self.sent[capture]

    def _collect(self) -> None:
        """Wait for jobs that end, and keep what they bring."""
        ended: list[Future] = []
        with suppress(queue.Empty):
            ended.append(self.done.get(timeout=_LOOK))
            while True:
                ended.append(self.done.get_nowait())
        answered = [self.pending.pop(future.key) for future in ended]
        is_well = self.is_answered and self.client.status == "running"
        if ended and is_well and all(future.status == "finished" for future in ended):
            # Their workers have the next jobs before these answers are fetched and kept, which takes milliseconds each.
            # Where one died, it is counted first: a second job of a worker would be blamed for the death of the first.
            self._fill()
        for future, (_, parts, is_sent) in zip(ended, answered, strict=True):
            self._take(future, parts, is_sent)
        self.tell(self._state())

    def _take(self, future: Future, parts: list[Part], is_sent: bool) -> None:
        if future.status != "finished":
            self._failed(future, parts)
            return
        try:
            seconds, answers = future.result()
        except CancelledError:
            # The worker died before its answer was fetched, and with it the files that the job was sent.
            self._died(parts, 1)
            return
        except OSError as error:
            raise self._gone() from error
        self.is_answered = True
        if all(answers):
            self.queue.learn(parts, seconds)
        for part, answer in zip(parts, answers, strict=True):
            if answer is None:
                self._absent(part, is_sent)
                continue
            rows, failed, octets = answer
            if octets is not None:
                self.jobs.keep(part.capture, octets)
            self._keep(part, rows, failed)
        self._write_suspects()

    def _keep(self, part: Part, rows: int, failed: int) -> None:
        self.rows += rows
        self.failed += failed
        self.missing[part.capture] -= rows
        if self.missing[part.capture] == 0:
            self.sent.pop(part.capture, None)

    def _absent(self, part: Part, is_sent: bool) -> None:
        """Send files from now on. Raises RequestError where they were sent: then they are not those that were found."""
        if is_sent:
            raise RequestError(
                "request",
                f"{self.jobs.files(part.capture)[0]} has changed since the study began: run it again.",
            )
        self.is_sent = True
        self.queue.again(part)

    def _failed(self, future: Future, parts: list[Part]) -> None:
        """Take note of a job that brings nothing. Raises where that is not the death of its worker."""
        from distributed.scheduler import KilledWorker

        if self.client.status != "running":
            raise self._gone()
        # A job is cancelled where the worker that had its files died.
        error = None if future.status in ("cancelled", "lost") else future.exception()
        if isinstance(error, Error):
            raise error
        if error is not None and not isinstance(error, KilledWorker):
            raise ClusterError(
                "cluster", f"A worker cannot run a job: {error!r}. Has it the same rtoscope, dask and distributed?"
            ) from error
        if error is None:
            self._died(parts, 1)
            return
        for part in parts:
            self.died_on.setdefault(part.capture, set()).add(error.last_worker.name)
        self._died(parts, error.allowed_failures + 1)

    def _died(self, parts: list[Part], times: int) -> None:
        """Put the tasks of a job back whose workers died, so many times; a capture that was alone is counted."""
        for part in parts:
            self.sent.pop(part.capture, None)
            if len(parts) == 1:
                self.deaths[part.capture] += times
            if self.deaths[part.capture] < DEATHS:
                self.queue.again(part)
            else:
                self.suspects.append(part)
        self.counted = float("-inf")
        if not self.is_answered and len({part.capture for part in self.suspects}) >= DEATHS:
            raise self._hopeless(f"{DEATHS} captures ended each worker that had them")

    def _write_suspects(self) -> None:
        """Write rows for captures that ended their workers, now that others were answered or none is left."""
        while self.suspects:
            part = self.suspects.pop()
            lost = self.jobs.lose(part.capture, list(part.keys), KILLED)
            self._keep(part, lost, lost)


def answer(
    study: str, out: tuple[str, ...], parts: Sequence[tuple[str, list[str], bool]], files: Sequence[Files | None]
) -> tuple[float, Answers]:
    """Answer the parts of a job, on a worker; return the seconds that took, and the answers."""
    started = time.monotonic()
    is_shared = _identity(out[0]) == out
    look = _stopped()
    answers: Answers = []
    for (capture, keys, is_whole), sent in zip(parts, files, strict=True):
        with _place(sent) as place:
            try:
                answers.append(_core.study_answer(study, capture, keys, place, is_whole and is_shared, look))
            except GoneError:
                answers.append(None)
    return time.monotonic() - started, answers


def _identity(out: str) -> tuple[str, ...]:
    """Return the folder of rows with what tells its description from another file at that path, or from a copy of it.

    The description is written anew when a run begins; inode and time are those of the server on a shared file system.
    """
    path = os.path.abspath(out)
    try:
        about = os.stat(os.path.join(path, "study.json"))
    except OSError:
        return (path,)
    return (path, str(about.st_ino), str(about.st_mtime_ns), str(about.st_size))


def _names(file: Path) -> list[str]:
    """Return the last three names of a path: the core reads the timer that ran from the two folders above a capture."""
    return ["_" if name in (file.anchor, "..") else name for name in file.parts[-3:]]


@contextmanager
def _place(files: Files | None) -> Iterator[Path | None]:
    """Write files that were sent, for as long as they are read; yield the path of the capture's own."""
    if not files:
        yield None
        return
    from distributed import get_worker

    with tempfile.TemporaryDirectory(prefix="capture-", dir=get_worker().local_directory) as folder:
        for name, octets in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(octets)
        yield Path(folder, next(iter(files)))


def _stopped() -> Callable[[int, int], None]:
    """Return a callable that raises once the client has cancelled the job, or is gone."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def look(_done: int, _total: int) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise ClusterError("cancelled", "Cancelled.")

    return look
