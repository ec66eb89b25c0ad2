"""Algorithms of the registry, and the ways to name one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rtoscope import _core

Value = float | int | str | bool
"""A parameter's value in natural units: seconds, ratios, counts, words."""


@dataclass(frozen=True)
class Param:
    """One parameter of an algorithm.

    Attributes
    ----------
    name : str
        Name in overrides.
    label : str
        Name for people.
    default : float, int, str or bool
        Value of the preset, in natural units.
    about : dict
        All that the registry says of it: range, unit, choices, citation.
    """

    name: str
    label: str
    default: Value
    about: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Algorithm:
    """One algorithm of the registry.

    Attributes
    ----------
    id : str
        Name for programs.
    name : str
        Name for people.
    family : str
        The code it runs on.
    summary : str
        What it does, in a sentence.
    citation : str
        Its publication.
    rank : str
        How complete its sources are: A to C.
    params : tuple of Param
        Parameters with the values of this preset.
    about : dict
        All that the registry says of it.
    """

    id: str
    name: str
    family: str
    summary: str
    citation: str
    rank: str
    params: tuple[Param, ...] = field(repr=False)
    about: Mapping[str, Any] = field(repr=False)


Choice = str | tuple[str, Mapping[str, Value]] | Algorithm
"""An algorithm: its id, ``"cocoa_plus:k_weak=1"`` as on the command line, ``("cocoa_plus", {"k_weak": 1})``, or one of
`algorithms`."""


def algorithms() -> list[Algorithm]:
    """Return every algorithm of the registry.

    Returns
    -------
    list of Algorithm
        In the order of the registry.
    """
    return of_session(_core.Session())


def of_session(session: _core.Session) -> list[Algorithm]:
    """Return every algorithm that a session knows, presets of its user last."""
    return [_algorithm(about) for about in json.loads(session.call("algorithms", "null"))]


def _algorithm(about: dict[str, Any]) -> Algorithm:
    params = tuple(Param(p["name"], p["label"], p["default"], p) for p in about["params"])
    return Algorithm(
        id=about["id"],
        name=about["name"],
        family=about["family"],
        summary=about["summary"],
        citation=about["citation"],
        rank=about["rank"],
        params=params,
        about=about,
    )


def chosen(choice: Choice) -> dict[str, Any]:
    """Return an algorithm as the core's requests name it."""
    if isinstance(choice, Algorithm):
        return {"id": choice.id, "params": {}}
    if isinstance(choice, tuple):
        id, params = choice
        return {"id": id, "params": dict(params)}
    id, colon, overrides = choice.partition(":")
    return {"id": id, "params": json.loads(_core.overrides(overrides)) if colon else {}}


def said(algorithm: Mapping[str, Any]) -> str:
    """Return an algorithm of a reply as tables name it."""
    params = ",".join(f"{name}={json.dumps(value)}" for name, value in algorithm["params"].items())
    return f"{algorithm['id']}:{params}" if params else str(algorithm["id"])
