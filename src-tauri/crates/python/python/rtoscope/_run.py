"""Answers of a replay."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rtoscope import _core
from rtoscope._algorithms import Choice, chosen, said
from rtoscope._table import Table

_Answer = tuple[str, _core.Table, _core.Table, "str | None"]


class Run:
    """Predictions of what would have happened under other timers. `Capture.replay` makes one."""

    __slots__ = ("_answer", "_capture", "_request", "_session", "_view")

    def __init__(self, session: _core.Session, capture: str, request: dict[str, Any], answer: _Answer) -> None:
        self._session = session
        self._capture = capture
        self._request = request
        self._answer = answer
        self._view: dict[str, Any] = json.loads(answer[0])

    @property
    def algorithms(self) -> list[str]:
        """The timers in order, as tables name them."""
        return [said(run["algorithm"]) for run in self._view["runs"]]

    @property
    def channel(self) -> str:
        """The channel that was used: with ``auto`` the one that the capture chose."""
        found = self._view.get("chosen")
        return str(found["channel"] if found else self._request["channel"])

    @property
    def why(self) -> str | None:
        """Why the capture chose the channel, in a sentence; None where the channel was given."""
        found = self._view.get("chosen")
        return None if found is None else str(found["why"])

    @property
    def trust(self) -> str | None:
        """Trust in answers over the channel that the capture chose: low, medium or high; None where it was given."""
        found = self._view.get("chosen")
        return None if found is None else str(found["trust"])

    @property
    def verdict(self) -> str:
        """The timer that completes exchanges sooner, or that this cannot be told, in the app's sentences."""
        verdict = self._view["verdict"]
        return " ".join([verdict["headline"], *verdict["details"]])

    @property
    def reservation(self) -> str | None:
        """Reservation of the numbers: how many rest mostly on what the channel assumes; None where none does."""
        return self._answer[3]

    @property
    def view(self) -> Mapping[str, Any]:
        """The reply of the core as it is."""
        return self._view

    def metrics(self) -> Table:
        """Return the measures.

        Returns
        -------
        Table
            A row for each timer and measure: as recorded, bounds without a model (`worst`, `best`), mean over
            replicates with the 5th and 95th percentile in this trace (`lo90`, `hi90`) and in another run
            (`another_lo90`, `another_hi90`), support, and the paired difference to what was recorded. Where a timer
            really ran in this network, also what was `measured`. A run with two modes has no mean, and both modes.
        """
        return Table(self._answer[1])

    def exchanges(self) -> Table:
        """Return the exchanges of the first replicate.

        Returns
        -------
        Table
            A row for each timer and exchange: times, copies, needless and lost ones, outcome, round trip.
        """
        return self._table("run_exchanges")

    def copies(self) -> Table:
        """Return the copies of the first replicate.

        Returns
        -------
        Table
            A row for each timer and copy: time, fate, round trip, timer, whether it was needless, and whether its fate
            was recorded.
        """
        return self._table("run_copies")

    def difference(self, baseline: Choice = "recorded") -> Table:
        """Return the paired differences to a timer: same replicate, same states of the channel.

        Parameters
        ----------
        baseline : str, tuple or Algorithm
            One of the timers replayed; ``"recorded"`` is what was recorded.

        Returns
        -------
        Table
            A row for each timer and measure: the mean difference with its 5th and 95th percentile in this trace and in
            another run.

        Raises
        ------
        ValueError
            If the baseline is none of the timers replayed.
        """
        if baseline == "recorded":
            return Table(self._answer[2])
        return Table(self._asked({**self._request, "baseline": self._place(chosen(baseline))})[2])

    def _place(self, baseline: Mapping[str, Any]) -> int:
        for place, run in enumerate(self._view["runs"]):
            algorithm = run["algorithm"]
            if algorithm["id"] == baseline["id"] and baseline["params"].items() <= algorithm["params"].items():
                return place
        raise ValueError(f"{said(baseline)} is none of the timers replayed: {', '.join(self.algorithms)}")

    def _asked(self, request: Mapping[str, Any]) -> _Answer:
        """Ask again: runs are kept, and computed again where there was no room for them."""
        return self._session.replay(json.dumps(request))

    def _table(self, name: str) -> Table:
        runs = [run["run"] for run in json.loads(self._asked(self._request)[0])["runs"]]
        return Table(self._session.table(self._request["capture"], json.dumps({"table": name, "runs": runs})))

    def __repr__(self) -> str:
        request = self._request
        return (
            f"<Run of {_core.printable(self._capture)}: {', '.join(self.algorithms)}; channel {self.channel}, "
            f"{request['replicates']:,} replicates, seed {request['seed']}>"
        )

    def _repr_html_(self) -> str:
        from rtoscope._html import run

        said = [self.verdict, self.why or self.reservation]
        return run(self._capture, self._view, self.channel, [sentence for sentence in said if sentence])
