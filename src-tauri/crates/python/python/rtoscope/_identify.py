"""Which algorithm was running."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from rtoscope import _core


@dataclass(frozen=True)
class Candidate:
    """An algorithm that may have been running.

    Attributes
    ----------
    algorithm : str
        Its id.
    params : mapping
        Parameters that suit the capture better than its own.
    family : str
        Its family, for programs.
    probability : float
        Its probability among those that are known.
    log_likelihood : float
        Natural logarithm of the likelihood, times in seconds.
    """

    algorithm: str
    params: Mapping[str, Any]
    family: str
    probability: float
    log_likelihood: float


@dataclass(frozen=True)
class Ranking:
    """Algorithms by likelihood.

    Attributes
    ----------
    client : str
        Name of the client, or of all together.
    gaps : int
        Gaps between copies that it rests on.
    kind : str
        ``identified``, ``cannot_tell`` or ``none_fits``.
    said : str
        The claim, for people.
    families : tuple of str
        Families that it names: one if identified.
    presets : tuple of str
        Presets that the capture does not distinguish; the nearest where none fits.
    confidence : float
        Probability that it was this family, of those that are known; 0 where none is claimed.
    candidates : tuple of Candidate
        The likeliest first.
    """

    client: str
    gaps: int
    kind: Literal["identified", "cannot_tell", "none_fits"]
    said: str
    families: tuple[str, ...]
    presets: tuple[str, ...]
    confidence: float
    candidates: tuple[Candidate, ...] = field(repr=False)

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Ranking:
        """Read a ranking of the core's reply."""
        verdict = view["verdict"]
        candidates = tuple(
            Candidate(
                c["algorithm"]["id"], c["algorithm"]["params"], c["family"], c["probability"], c["log_likelihood"]
            )
            for c in view["candidates"]
        )
        families, presets = tuple(verdict["families"]), tuple(verdict["presets"])
        return cls(
            view["client"],
            view["gaps"],
            verdict["kind"],
            verdict["said"],
            families,
            presets,
            verdict["confidence"],
            candidates,
        )


@dataclass(frozen=True)
class Identification:
    """Which algorithm was running.

    Attributes
    ----------
    all : Ranking
        All clients together.
    clients : tuple of Ranking
        Each client.
    timeouts : tuple of mapping
        Timeouts that ran out, in order of client and exchange; `value` and `error` in seconds.
    """

    all: Ranking
    clients: tuple[Ranking, ...]
    timeouts: tuple[Mapping[str, Any], ...] = field(repr=False)

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Identification:
        """Read the core's reply."""
        seconds = {"value", "error"}
        timeouts = tuple(
            {name: value / 1e9 if name in seconds else value for name, value in timeout.items()}
            for timeout in view["timeouts"]
        )
        return cls(Ranking.of(view["trace"]), tuple(Ranking.of(client) for client in view["clients"]), timeouts)

    def __str__(self) -> str:
        lines = [self.all, *(self.clients if len(self.clients) > 1 else ())]
        return "\n".join(_core.printable(f"{ranking.client}: {ranking.said}") for ranking in lines)

    def _repr_html_(self) -> str:
        return "<br>".join(escape(line) for line in str(self).splitlines())
