"""Jobs of a study: its missing tasks, cut into pieces that are worth a message and short enough to lose."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

SHORTEST = 1.0
"""Least length of a job that is aimed at, seconds. Dask's documentation gives its overhead as 200 µs to 1 ms a task
(Best Practices, *Avoid Very Large Graphs*); `npm run bench -- study` measures 10 ms with all that is ours."""

HANDLING = 0.02
"""Seconds of client and scheduler for a job, one after the other; jobs are so long that all workers together do not ask
for more. Chosen here: twice what `npm run bench -- study` measures."""

LONGEST = 30.0
"""Greatest length of a job that is aimed at, seconds. Chosen here: what a worker that dies loses, and has to repeat;
`docs/scale.md` says what other lengths cost."""

SHARE = 2
"""Jobs into which what is left for each worker is cut (guided self-scheduling, Polychronopoulos and Kuck 1987,
doi:10.1109/TC.1987.5009495, where it is 1): the last ones are short, and end together."""

MOST = 1000
"""Most captures in a job. Chosen here: a message stays below a few megabytes."""

Groups = list[list[str]]
"""Keys of tasks; those of one channel and one seed stand together."""


@dataclass(frozen=True)
class Part:
    """Tasks of one capture in a job.

    Attributes
    ----------
    capture : int
        Number of the capture.
    keys : tuple of str
        Keys of the tasks.
    whole : bool
        Whether these are all tasks of the capture that have no row: no other job writes to its file.
    """

    capture: int
    keys: tuple[str, ...]
    whole: bool


class Jobs:
    """Missing tasks of a study, cut into jobs as workers ask for them.

    The time of a task is not known before: it is learned from the jobs that are done, in proportion to the weight of
    the capture.

    Parameters
    ----------
    weights : sequence of float
        Weight of a task of each capture, such as the length of its file.
    tasks : int
        Tasks of each capture.
    missing : callable
        Returns the tasks of a capture that have no row. Called once for each capture, when its turn comes.
    """

    def __init__(self, weights: Sequence[float], tasks: int, missing: Callable[[int], Groups]) -> None:
        self._weights = weights
        self._tasks = tasks
        self._missing = missing
        self._next = 0
        self._open: Groups = []
        self._is_cut = False
        self._again: deque[Part] = deque()
        self._left = sum(weights) * tasks
        self._known = 0.0
        self._seconds = 0.0

    def take(self, workers: int) -> list[Part]:
        """Return the next job, for one of so many workers; nothing where no task is left."""
        if self._again:
            return [self._again.popleft()]
        if self._known == 0:
            return self._first(workers)
        speed = self._seconds / self._known
        share = self._left * speed / (SHARE * max(workers, 1))
        target = max(min(share, LONGEST), SHORTEST, workers * HANDLING)
        parts: list[Part] = []
        room = target
        while len(parts) < MOST and self._has_capture():
            cost = [len(group) * self._weight() * speed for group in self._open]
            if sum(cost) <= room or (not parts and sum(cost) <= 1.5 * target):
                parts.append(self._cut(len(cost)))
                room -= sum(cost)
                continue
            if not parts:
                many, room = 1, target - cost[0]
                while many < len(cost) and cost[many] <= room:
                    room -= cost[many]
                    many += 1
                parts.append(self._cut(many))
            break
        return parts

    def learn(self, parts: Sequence[Part], seconds: float) -> None:
        """Take note that a job of these parts took so long."""
        self._known += sum(len(part.keys) * self._weights[part.capture] for part in parts)
        self._seconds += seconds

    def again(self, part: Part) -> None:
        """Put a part back, which is then a job of its own."""
        self._again.append(part)

    def _first(self, workers: int) -> list[Part]:
        """Return a job while no time is known: a capture, or a group where there are fewer captures than workers."""
        if not self._has_capture():
            return []
        return [self._cut(len(self._open) if len(self._weights) >= workers else 1)]

    def _weight(self) -> float:
        return self._weights[self._next - 1]

    def _has_capture(self) -> bool:
        """Open the next capture with missing tasks, unless one is open; return whether there is one."""
        while not self._open and self._next < len(self._weights):
            self._open = self._missing(self._next)
            self._is_cut = False
            self._next += 1
            there = self._tasks - sum(map(len, self._open))
            self._left -= there * self._weight()
        return bool(self._open)

    def _cut(self, many: int) -> Part:
        """Take so many groups of the open capture."""
        taken, self._open = self._open[:many], self._open[many:]
        self._is_cut = self._is_cut or bool(self._open)
        keys = tuple(key for group in taken for key in group)
        self._left -= len(keys) * self._weight()
        return Part(self._next - 1, keys, not self._is_cut)
