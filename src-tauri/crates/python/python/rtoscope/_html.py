"""Representations in notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from math import floor, log10
from typing import Any

from rtoscope import _core

_FATES = {
    "answered": ("answered", "#3f86b8"),
    "needless": ("needless", "#d9661f"),
    "reply_lost": ("reply lost", "#b98a00"),
    "lost": ("lost", "#6b7480"),
    "unknown": ("unknown", "#8a939d"),
}
"""Words and colours of fates, in the order of the bar; colours that stand on a light and on a dark ground."""


def fates(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the words for fates with their counts, in the order of the bar."""
    return [(word, counts[name]) for name, (word, _) in _FATES.items()]


def capture(info: Mapping[str, Any]) -> str:
    """Return the summary of a capture with its fate bar."""
    counts = info["fates"]
    total = max(sum(counts[name] for name in _FATES), 1)
    pieces, words = [], []
    for name, (word, colour) in _FATES.items():
        count = counts[name]
        if count == 0:
            continue
        share = 100 * count / total
        pieces.append(f'<span title="{count:,} {word}" style="width:{share:.3f}%;background:{colour}"></span>')
        swatch = f'<span style="display:inline-block;width:.7em;height:.7em;background:{colour}"></span>'
        words.append(f"{swatch} {count:,} {word} ({share:.1f} %)")
    bar = f'<div style="display:flex;gap:1px;height:12px;width:28em;max-width:100%">{"".join(pieces)}</div>'
    clients = len(info["associations"])
    facts = [
        info["format"],
        f"{(info['end'] - info['start']) / 1e9:,.1f} s",
        f"{info['frames']:,} frames",
        f"{clients:,} client{'' if clients == 1 else 's'}",
        f"{info['exchanges']:,} exchanges",
        f"{info['copies']:,} copies",
    ]
    notes = sum(note["count"] for note in info["notes"])
    if notes:
        facts.append(f"{notes:,} notes")
    return (
        f"<div><strong>{_shown(info['name'])}</strong><br>{escape(', '.join(facts))}"
        f"{bar}<small>{' &nbsp; '.join(words)}</small></div>"
    )


def run(capture: str, view: Mapping[str, Any], channel: str, said: list[str]) -> str:
    """Return the headline measures of a run as a table of timers, with what is `said` of them above it."""
    shown = [spec for spec in view["metrics"] if spec["headline"]]
    head = "".join(f"<th>{escape(spec['label'])}<br><small>{escape(spec['rule'])}</small></th>" for spec in shown)
    recorded = view["runs"][0]["metrics"] if view["runs"] else {}
    rows = [_row("as recorded", [_number(recorded.get(s["name"], {}).get("recorded"), s["unit"]) for s in shown])]
    for of in view["runs"]:
        name = of["algorithm"]["id"] + "".join(f", {key} {value}" for key, value in of["algorithm"]["params"].items())
        rows.append(_row(name, [_value(of["metrics"].get(spec["name"]), spec["unit"]) for spec in shown]))
    notes = "".join(f"<p>{escape(sentence)}</p>" for sentence in said)
    return (
        f"<div><strong>{_shown(capture)}</strong>, channel {escape(channel)}{notes}"
        f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _shown(text: str) -> str:
    return escape(_core.printable(text))


def _row(name: str, cells: list[str]) -> str:
    return f"<tr><td>{escape(name)}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _value(metric: Mapping[str, Any] | None, unit: str) -> str:
    """Return the mean with its interval; of a run with two modes both."""
    if metric is None:
        return ""
    if metric.get("modes"):
        return " or ".join(_number(mode["mean"], unit) for mode in metric["modes"])
    if metric["lo90"] is None:
        return _number(metric["mean"], unit)
    bare = unit if unit == "fraction" else ""
    return f"{_number(metric['mean'], unit)} ({_number(metric['lo90'], bare)} – {_number(metric['hi90'], bare)})"


def _number(value: float | None, unit: str = "") -> str:
    """Return a number with three significant digits, at least those before the point; a share in per cent."""
    if value is None:
        return ""
    if unit == "fraction":
        return f"{100 * value:.1f} %"
    decimals = 2 - floor(log10(abs(value))) if value else 0
    return f"{value:,.{min(max(decimals, 0), 6)}f}{f' {unit}' if unit not in ('', 'count') else ''}"
