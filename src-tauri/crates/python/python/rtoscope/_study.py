"""Studies: many captures under many timers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from rtoscope import _core
from rtoscope._open import Path
from rtoscope._progress import Progress, Report, reporting
from rtoscope._table import Table

if TYPE_CHECKING:
    from distributed import Client

Recipe = Literal["scenarios", "factor", "winners"]
"""A figure over the rows of a study."""


@dataclass(frozen=True)
class Figure:
    """A figure over the rows of a study.

    Attributes
    ----------
    title : str
        Title for people.
    caption : tuple of str
        Sentences on what is shown: runs, settings, intervals.
    missing : tuple of str
        Sentences on what the rows lack for it.
    table : Table
        Its numbers: those of `Study.groups` for the same groups.
    view : dict
        All of it: series, and panels with axes and marks, as `rtoscope study figure --format json` has them.
    """

    title: str
    caption: tuple[str, ...]
    missing: tuple[str, ...]
    table: Table
    view: Mapping[str, Any] = field(repr=False)

    def _repr_html_(self) -> str:
        title, text = (escape(_core.printable(part)) for part in (self.title, " ".join(self.caption)))
        return f"<p><b>{title}</b></p>{self.table._repr_html_()}<p>{text}</p>"


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

    def run(
        self,
        *,
        threads: int | None = None,
        again: bool = False,
        client: Client | None = None,
        progress: Progress = None,
    ) -> StudyDone:
        """Run the tasks that have no row yet. Ctrl C stops it; the next call goes on.

        Parameters
        ----------
        threads : int, optional
            Threads; without, one for each core. Rows are the same with any number.
        again : bool
            Run tasks again whose row has no answer.
        client : distributed.Client, optional
            Run on the workers of this client of Dask, as of `rtoscope.cluster.local`; without, in this process. Rows
            are the same.
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
        ClusterError
            If the scheduler goes away, or no worker answers a job. What is done is kept.
        """
        with reporting(progress, "study") as report:
            if client is not None:
                if threads is not None:
                    raise ValueError("threads are those of this process; a client has workers of its own")
                return _on_cluster(self, client, again, report)
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

    def figure(
        self,
        recipe: Recipe,
        *,
        measure: str | None = None,
        over: str | None = None,
        level: float = 0.9,
    ) -> Figure:
        """Return a figure over runs of the network, as ``rtoscope study figure`` draws it.

        Parameters
        ----------
        recipe : str
            ``scenarios``, a bar a timer in each scenario; ``factor``, the mean over a tag or parameter; ``winners``,
            the best timer of each scenario by paired difference.
        measure : str, optional
            Measure; without, the first one of the study.
        over : str, optional
            Tag or parameter on the axis of ``factor``; without, the first with several values, parameters first.
        level : float
            Level of intervals and letters, above 0 and below 1.

        Returns
        -------
        Figure
            Marks, caption and table.

        Raises
        ------
        RequestError
            If there is no such recipe, measure or key, or the study was not run yet.
        """
        view, table = _core.study_figure(self.out, recipe, measure, over, level)
        made = json.loads(view)
        return Figure(made["title"], tuple(made["caption"]), tuple(made["missing"]), Table(table), made)

    def __repr__(self) -> str:
        return f"Study({self.spec!r}, out={self.out!r})"


def _on_cluster(study: Study, client: Client, again: bool, report: Report | None) -> StudyDone:
    # Needs Dask, which nothing else does.
    from rtoscope import _cluster

    def tell(state: StudyDone) -> None:
        if report is not None:
            report(state.rows, state.tasks)

    return _cluster.run(study.spec, study.out, client, again=again, tell=tell)
