"""Timers stepped by hand."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass

from rtoscope import _core
from rtoscope._algorithms import Value


@dataclass(frozen=True)
class Answered:
    """Times that an answer told the estimator.

    Attributes
    ----------
    since_first : float
        Time since the first copy, s.
    since_last : float
        Time since the last copy, s.
    """

    since_first: float
    since_last: float


class Estimator:
    """The timer of one sender towards one destination, which learns from the exchanges it times.

    It reads no clock and draws no number: the caller says when what happened, in seconds, and gives the draws.

    Parameters
    ----------
    algorithm : str
        Id of an algorithm of the registry.
    **params : float, int, str or bool
        Parameters that differ from the preset, in natural units.

    Raises
    ------
    RequestError
        If there is no such algorithm or parameter, or a value is out of range.

    Examples
    --------
    >>> timer = Estimator("cocoa_plus")
    >>> exchange = timer.exchange()
    >>> exchange.arm(at=0.0)
    2.0
    >>> exchange.answer(at=0.5)
    Answered(since_first=0.5, since_last=0.5)
    >>> timer.state(at=0.5)["next_rto"]
    1.75
    """

    __slots__ = ("_core", "_params")

    def __init__(self, algorithm: str, /, **params: Value) -> None:
        self._core = _core.Estimator(algorithm, json.dumps(params))
        self._params = params

    @property
    def algorithm(self) -> str:
        """Id of the algorithm."""
        return self._core.id

    def exchange(
        self, *, inflight: int = 0, max_retransmit: int | None = None, exchange_lifetime: float | None = None
    ) -> Exchange:
        """Begin a confirmable message: the sender's side of RFC 7252, section 4.2.

        Parameters
        ----------
        inflight : int
            Other exchanges open to the same destination.
        max_retransmit : int, optional
            Most retransmissions; without, 4 as RFC 7252 has it.
        exchange_lifetime : float, optional
            Time after which the sender gives up whatever its timer says, s; without, 247 as RFC 7252 has it.

        Returns
        -------
        Exchange
            Not sent yet.
        """
        return Exchange(_core.Exchange(self._core, inflight, max_retransmit, exchange_lifetime))

    def state(self, at: float | None = None) -> dict[str, float | str | None]:
        """Return the variables of the algorithm.

        Parameters
        ----------
        at : float, optional
            Time, s, to which they have aged; without, as the last event left them.

        Returns
        -------
        dict
            ``next_rto``, the timeout that a new exchange would start from, s, and the algorithm's own variables by
            name; None for one that has not been measured yet.
        """
        return self._core.state(at)

    def __copy__(self) -> Estimator:
        other = Estimator.__new__(Estimator)
        other._core = copy.copy(self._core)
        other._params = self._params
        return other

    def __repr__(self) -> str:
        params = "".join(f", {name}={value!r}" for name, value in self._params.items())
        return f"Estimator({self.algorithm!r}{params})"


class Exchange:
    """One confirmable message, whose events the caller delivers in order of time.

    ``arm`` sends a copy, ``expire`` lets its timer run out, ``answer`` delivers an answer.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Exchange) -> None:
        self._core = core

    def arm(self, at: float, *, dither: float = 0.0) -> float:
        """Send the next copy and arm its timer.

        Parameters
        ----------
        at : float
            Time, s; not before the last event.
        dither : float
            The draw of this copy, from 0 to 1: 0 is the shortest timeout of algorithms that dither.

        Returns
        -------
        float
            Timeout, s.

        Raises
        ------
        RequestError
            If no copy is due, or a number is out of range.
        """
        return self._core.arm(at, dither)

    def expire(self, at: float | None = None) -> bool:
        """Let the timer expire.

        Parameters
        ----------
        at : float, optional
            Time, s, not before `deadline`; without, `deadline`.

        Returns
        -------
        bool
            True if another copy is due, False if the sender has given up.

        Raises
        ------
        RequestError
            If no timer runs, or it runs for longer.
        """
        return self._core.expire(at)

    def answer(self, at: float, *, copy: int | None = None) -> Answered | None:
        """Deliver an acknowledgement, reset or response.

        Parameters
        ----------
        at : float
            Time, s; not before the last event.
        copy : int, optional
            The copy it answers, where that is known; 0 is the original. Only a sender that marks its copies learns it.

        Returns
        -------
        Answered or None
            What the estimator was told; None for an answer after the end, which it is not told of.

        Raises
        ------
        RequestError
            If the copy was not sent, or the time is before the last event.
        """
        sample = self._core.answer(at, copy)
        return None if sample is None else Answered(*sample)

    @property
    def deadline(self) -> float | None:
        """Time at which the timer expires, s; None while none runs."""
        return self._core.deadline

    @property
    def is_open(self) -> bool:
        """Whether a copy was sent and the exchange has not ended."""
        return self._core.is_open

    @property
    def sent(self) -> list[float]:
        """Times at which copies were sent, s."""
        return self._core.sent

    @property
    def armed(self) -> list[float]:
        """Timeouts of the copies, s."""
        return self._core.armed

    def __repr__(self) -> str:
        state = f"until {self.deadline} s" if self.deadline is not None else "open" if self.is_open else "not open"
        return f"<Exchange: {len(self.sent)} sent, {state}>"
