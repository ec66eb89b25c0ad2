"""Studies: many captures under many timers."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from rtoscope import _core
from rtoscope._open import Path
from rtoscope._progress import Progress, reporting
from rtoscope._table import Table


@dataclass(frozen=True)
class StudyDone:
    """State of a study after a run.

    Attributes
    ----------
    tasks : int
        Tasks of the study.
    rows : int
        Tasks with a row, those of earlier runs included.
    earlier : int
        Rows of earlier runs.
    failed : int
        Rows without an answer.
    notes : tuple of str
        Captures that were left out, and why.
    """

    tasks: int
    rows: int
    earlier: int
    failed: int
    notes: tuple[str, ...]


class Study:
    """A study: the TOML file that names captures, timers and measures, and the folder of its rows.

    Parameters
    ----------
    spec : str or path
        The file, as `docs/study.md` describes it.
    out : str or path, optional
        Folder of the rows; without, beside the file and called as it.

    Examples
    --------
    >>> study = Study("docs/study/timers.toml", out="/tmp/timers")  # doctest: +SKIP
    >>> study.run()  # doctest: +SKIP
    >>> study.groups(by=["timer"]).to_polars()  # doctest: +SKIP
    """

    __slots__ = ("out", "spec")

    def __init__(self, spec: Path, out: Path | None = None) -> None:
        self.spec = os.fspath(spec)
        self.out = os.fspath(_core.study_folder(self.spec) if out is None else out)

    def run(self, *, threads: int | None = None, again: bool = False, progress: Progress = None) -> StudyDone:
        """Run the tasks that have no row yet. Ctrl C stops it; the next call goes on.

        Parameters
        ----------
        threads : int, optional
            Threads; without, one for each core. Rows are the same with any number.
        again : bool
            Run tasks again whose row has no answer.
        progress : bool or callable, optional
            Called with rows done and in all; else as for `open`.

        Returns
        -------
        StudyDone
            Counts of tasks and rows.

        Raises
        ------
        RequestError
            If the file is no study, its patterns find nothing, or the folder has rows of another version.
        """
        with reporting(progress, "study") as report:
            done = _core.study_run(self.spec, self.out, threads, again, report)
        return StudyDone(done["tasks"], done["rows"], done["earlier"], done["failed"], tuple(done["notes"]))

    def status(self) -> Table:
        """Return counts of tasks.

        Returns
        -------
        Table
            A row for each scenario, and one for all: done, without an answer, missing.

        Raises
        ------
        RequestError
            If the study was not run yet.
        """
        return Table(_core.study_status(self.out))

    def rows(self) -> Table:
        """Return the rows.

        Returns
        -------
        Table
            A row for each task: capture with its tags, timer, channel, measures with intervals, or why there is none.

        Raises
        ------
        RequestError
            If the study was not run yet.
        """
        return Table(_core.study_rows(self.out))

    def groups(
        self,
        by: Iterable[str] = (),
        *,
        measures: Iterable[str] = (),
        baseline: str | None = None,
        level: float = 0.9,
    ) -> Table:
        """Return statistics over runs of the network.

        Parameters
        ----------
        by : iterable of str
            Keys that a group has in common: ``scenario``, ``timer``, ``channel``, ``algorithm`` or a tag; without,
            scenario and timer.
        measures : iterable of str
            Measures; without, those of the study.
        baseline : str, optional
            Timer that others are compared with; without, that of the study.
        level : float
            Level of intervals and letters, above 0 and below 1.

        Returns
        -------
        Table
            A row for each group and measure: mean with interval, quartiles, letters, paired difference.

        Raises
        ------
        RequestError
            If a key, measure or baseline does not exist, or the study was not run yet.
        """
        return Table(_core.study_groups(self.out, list(by), list(measures), baseline, level))

    def __repr__(self) -> str:
        return f"Study({self.spec!r}, out={self.out!r})"
