"""Captures: their tables, and questions about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from rtoscope import _core, _html
from rtoscope._algorithms import Algorithm, Choice, chosen, of_session
from rtoscope._identify import Identification
from rtoscope._progress import Progress, reporting
from rtoscope._run import Run
from rtoscope._table import Table

Channel = Literal[
    "auto", "recorded", "empirical", "gilbert_elliott", "loaded", "loaded_gilbert_elliott", "queued", "twin"
]
"""A source of the fates of copies that were never sent; ``auto`` is the one that the capture supports best."""

Workload = Literal["auto", "arrivals", "think_time"]
"""When the application would have sent."""

_SECONDS = ("exchange_lifetime", "state_lifetime", "processing", "service")
"""Rules that are times."""


class Capture:
    """An open capture. `open` makes one.

    It holds the decoded capture and its runs, and frees them when it is collected.
    """

    __slots__ = ("_info", "_session")

    def __init__(self, session: _core.Session, info: dict[str, Any]) -> None:
        self._session = session
        self._info = info

    @property
    def info(self) -> Mapping[str, Any]:
        """All that is known of the capture as a whole: files, how it was read, clients, notes; as `rtoscope info`."""
        return self._info

    @property
    def name(self) -> str:
        """Name of the file."""
        return str(self._info["name"])

    @property
    def notes(self) -> list[dict[str, Any]]:
        """Counts of what was skipped, repaired or not understood, with the place of the first."""
        return list(self._info["notes"])

    def algorithms(self) -> list[Algorithm]:
        """Return every algorithm that `replay` knows here, presets of your own last.

        Returns
        -------
        list of Algorithm
            In the order of the registry.
        """
        return of_session(self._session)

    def exchanges(self) -> Table:
        """Return the confirmable exchanges.

        Returns
        -------
        Table
            A row each: ends, message ID, times, copies, outcome, round trip, workload, vantage.
        """
        return self._table({"table": "exchanges"})

    def copies(self, *, hops: bool = False) -> Table:
        """Return the copies of confirmable requests.

        Parameters
        ----------
        hops : bool
            A row for each hop of each copy and of each reply instead.

        Returns
        -------
        Table
            A row each: time, fate with its evidence, round trip, timer where it is known.
        """
        return self._table({"table": "copy_hops" if hops else "copies"})

    def messages(
        self, *, filter: str = "", hops: bool = False, sightings: bool = False, progress: Progress = None
    ) -> Table:
        """Return the CoAP messages.

        Parameters
        ----------
        filter : str
            Filter expression, such as ``"coap.code == PUT && retransmission"``; blank for all.
        hops : bool
            A row for each hop of each message instead, with the frames that carried it.
        sightings : bool
            A row for each frame that completes a message instead.
        progress : bool or callable, optional
            As for `open`.

        Returns
        -------
        Table
            A row for each message that passes.

        Raises
        ------
        RequestError
            If the filter has a mistake; ``at`` is its column.
        """
        if hops and sightings:
            raise ValueError("a table has a row for each hop or for each sighting, not for both")
        table = "message_hops" if hops else "sightings" if sightings else "messages"
        return self._table({"table": table, "filter": filter}, progress)

    def frames(self, *, filter: str = "", limit: int | None = None, progress: Progress = None) -> Table:
        """Return the frames.

        Parameters
        ----------
        filter : str
            Filter expression, such as ``"coap.type == CON && ipv6.src == fd00::/64"``; blank for all.
        limit : int, optional
            Most rows.
        progress : bool or callable, optional
            As for `open`.

        Returns
        -------
        Table
            A row for each frame that passes.

        Raises
        ------
        RequestError
            If the filter has a mistake; ``at`` is its column.
        """
        return self._table({"table": "frames", "filter": filter, "limit": limit}, progress)

    def links(self, *, progress: Progress = None) -> Table:
        """Return the links of the network.

        Parameters
        ----------
        progress : bool or callable, optional
            As for `open`.

        Returns
        -------
        Table
            A row for each link and direction: frames, retries, loss, delay, air time, copies.
        """
        return self._table({"table": "links"}, progress)

    def nodes(self, *, progress: Progress = None) -> Table:
        """Return the nodes of the network.

        Parameters
        ----------
        progress : bool or callable, optional
            As for `open`.

        Returns
        -------
        Table
            A row each: addresses, role, rank, parent.
        """
        return self._table({"table": "nodes"}, progress)

    def parents(self, *, progress: Progress = None) -> Table:
        """Return the RPL parents that nodes had.

        Parameters
        ----------
        progress : bool or callable, optional
            As for `open`.

        Returns
        -------
        Table
            A row for each parent of each node.
        """
        return self._table({"table": "parents"}, progress)

    def identify(self, clients: Iterable[str] = (), *, progress: Progress = None) -> Identification:
        """Tell which algorithm was running, from the timeouts that ran out.

        Parameters
        ----------
        clients : iterable of str
            Only these, by name, as in ``info["associations"]``, or address; without, all.
        progress : bool or callable, optional
            As for `open`.

        Returns
        -------
        Identification
            The verdict and the candidates, for all clients together and for each.
        """
        request = {"capture": self._info["id"], "associations": self._associations(clients)}
        with reporting(progress, "comparing") as report:
            return Identification.of(json.loads(self._session.call("identify", json.dumps(request), report)))

    def replay(
        self,
        algorithms: Iterable[Choice] = (),
        *,
        channel: Channel = "auto",
        workload: Workload = "auto",
        replicates: int = 200,
        seed: int = 1,
        rules: Mapping[str, Any] | None = None,
        as_recorded: Iterable[str] = (),
        start: float | None = None,
        warm: bool = True,
        bounds: bool = True,
        progress: Progress = None,
    ) -> Run:
        """Ask what would have happened under other timers.

        The same question has the same answer on every machine, to the bit.

        Parameters
        ----------
        algorithms : iterable of str, tuple or Algorithm
            Timers: ids, ``"cocoa_plus:k_weak=1"``, ``("cocoa_plus", {"k_weak": 1})`` or members of `algorithms`;
            without, the six of a first comparison and presets of your own.
        channel : str
            Source of the fates of copies that were never sent.
        workload : str
            When the application would have sent.
        replicates : int
            Simulated runs, 1 to 10,000.
        seed : int
            Seed of every draw.
        rules : mapping, optional
            Rules of the sender besides its timer, such as ``{"nstart": 1, "max_retransmit": 4}``; times in seconds.
        as_recorded : iterable of str
            Clients, by name or address, that stay as they were recorded.
        start : float, optional
            Replay what began at this time of the trace or later, s.
        warm : bool
            With `start`: timers have learned from the exchanges before it.
        bounds : bool
            Also what holds without a model, and the interval of another run; without, an answer comes in a third of the
            time.
        progress : bool or callable, optional
            As for `open`; counts replicates.

        Returns
        -------
        Run
            Measures, differences, and the exchanges of the first replicate.

        Raises
        ------
        RequestError
            If an algorithm, parameter or rule is unknown or out of range, or the capture does not support the channel.
        """
        if isinstance(algorithms, str):
            raise TypeError(f"algorithms is a list of timers, such as [{algorithms!r}]")
        request: dict[str, Any] = {
            "capture": self._info["id"],
            "algorithms": [chosen(choice) for choice in algorithms],
            "channel": channel,
            "workload": workload,
            "seed": seed,
            "replicates": replicates,
            "bounds": bounds,
            "policy": {name: _nanos(value) if name in _SECONDS else value for name, value in (rules or {}).items()},
            "part": {"as_recorded": self._associations(as_recorded)},
        }
        if start is not None:
            request["part"]["start"] = {"at": _nanos(start), "warm": warm}
        with reporting(progress, "replaying") as report:
            return Run(self._session, self.name, request, self._session.replay(json.dumps(request), report))

    def _table(self, request: dict[str, Any], progress: Progress = False) -> Table:
        with reporting(progress, str(request["table"])) as report:
            return Table(self._session.table(self._info["id"], json.dumps(request), report))

    def _associations(self, clients: Iterable[str]) -> list[int]:
        found: list[int] = []
        for client in [clients] if isinstance(clients, str) else clients:
            ends = ((a["id"], a["client_name"], a["client"]) for a in self._info["associations"])
            of = [id for id, name, end in ends if client in (name, end, end.rpartition(":")[0].strip("[]"))]
            if not of:
                known = dict.fromkeys(a["client_name"] for a in self._info["associations"])
                raise ValueError(f"there is no client {client!r}; there are: {', '.join(known)}")
            found += of
        return sorted(set(found))

    def __repr__(self) -> str:
        info = self._info
        clients = len(info["associations"])
        fates = ", ".join(f"{count:,} {name}" for name, count in _html.fates(info["fates"]) if count)
        return (
            f"<Capture {_core.printable(self.name)}: {info['format']}, {(info['end'] - info['start']) / 1e9:,.1f} s, "
            f"{info['frames']:,} frames, {clients:,} client{'' if clients == 1 else 's'}, "
            f"{info['exchanges']:,} exchanges, {info['copies']:,} copies ({fates or 'none'})>"
        )

    def _repr_html_(self) -> str:
        return _html.capture(self._info)


def _nanos(seconds: float) -> int:
    return round(seconds * 1e9)
