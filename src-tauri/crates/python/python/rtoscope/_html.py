"""Representations in notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

_FATES = {
    "answered": ("answered", "#3f86b8"),
    "needless": ("needless", "#d9661f"),
    "reply_lost": ("reply lost", "#b98a00"),
    "lost": ("lost", "#4a525c"),
    "unknown": ("unknown", "#a9b2bb"),
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
    bar = f'<div style="display:flex;height:12px;width:28em;max-width:100%">{"".join(pieces)}</div>'
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
        f"<div><strong>{escape(str(info['name']))}</strong><br>{escape(', '.join(facts))}"
        f"{bar}<small>{' &nbsp; '.join(words)}</small></div>"
    )


def run(capture: str, view: Mapping[str, Any], channel: str, said: str | None) -> str:
    """Return the headline measures of a run as a table of timers."""
    shown = [spec for spec in view["metrics"] if spec["headline"]]
    head = "".join(f"<th>{escape(spec['label'])}<br><small>{escape(spec['rule'])}</small></th>" for spec in shown)
    rows = []
    for of in view["runs"]:
        name = of["algorithm"]["id"] + "".join(f", {key} {value}" for key, value in of["algorithm"]["params"].items())
        cells = "".join(f"<td>{_value(of['metrics'].get(spec['name']), spec['unit'])}</td>" for spec in shown)
        rows.append(f"<tr><td>{escape(name)}</td>{cells}</tr>")
    note = f"<p>{escape(said)}</p>" if said else ""
    return (
        f"<div><strong>{escape(capture)}</strong>, channel {escape(channel)}"
        f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{note}</div>"
    )


def _value(metric: Mapping[str, Any] | None, unit: str) -> str:
    if metric is None:
        return ""
    number = _percent if unit == "fraction" else _digits
    unit = "" if unit == "fraction" else unit
    if metric["mean"] is None:
        modes = metric.get("modes")
        return "" if modes is None else f"{number(modes[0]['mean'])} or {number(modes[1]['mean'])} {escape(unit)}"
    span = "" if metric["lo90"] is None else f" ({number(metric['lo90'])} – {number(metric['hi90'])})"
    return f"{number(metric['mean'])}{span} {escape(unit)}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _digits(value: float) -> str:
    return f"{value:.3g}"
