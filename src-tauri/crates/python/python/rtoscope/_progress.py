"""Progress of long work: a callable, or a bar of tqdm or rich where one of them is installed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Report = Callable[[int, int], object]
"""Called with what is done and the total, in the work's own unit; a total of 0 is not known yet."""

Progress = bool | Report | None
"""Whether to show a bar, or a callable; None: where a person is looking, from the second second on."""

_DELAY = 1.0
"""Seconds until a bar is shown. Chosen here: what ends sooner needs none."""


@contextmanager
def reporting(progress: Progress, label: str) -> Iterator[Report | None]:
    """Yield the callable that the core reports to."""
    if callable(progress):
        yield progress
        return
    bar = _bar(label) if progress or (progress is None and _is_watched()) else None
    if bar is None:
        yield None
        return
    try:
        yield bar.report
    finally:
        bar.close()


def _is_watched() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def _bar(label: str) -> _Bar | None:
    with suppress(ImportError):
        from tqdm.auto import tqdm

        return _Bar(lambda total: _Tqdm(tqdm(total=total, desc=label, leave=False)))
    with suppress(ImportError):
        from rich.progress import Progress as Rich

        return _Bar(lambda total: _Rich(Rich(transient=True), label, total))
    return None


class _Tqdm:
    def __init__(self, bar: Any) -> None:
        self.bar = bar

    def show(self, done: int, total: int) -> None:
        self.bar.total = total
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        self.bar.close()


class _Rich:
    def __init__(self, bar: Any, label: str, total: int) -> None:
        self.bar = bar
        self.task = bar.add_task(label, total=total)
        bar.start()

    def show(self, done: int, total: int) -> None:
        self.bar.update(self.task, completed=done, total=total)

    def close(self) -> None:
        self.bar.stop()


class _Bar:
    """A bar that is made when the work has taken longer than `_DELAY`."""

    def __init__(self, make: Callable[[int], _Tqdm | _Rich]) -> None:
        self.make = make
        self.shown: _Tqdm | _Rich | None = None
        self.since = time.monotonic()

    def report(self, done: int, total: int) -> None:
        if total == 0 or (self.shown is None and time.monotonic() - self.since < _DELAY):
            return
        if self.shown is None:
            self.shown = self.make(total)
        self.shown.show(done, total)

    def close(self) -> None:
        if self.shown is not None:
            self.shown.close()
