"""The notebooks run, from the top of the repository, and show what they mean to show."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from conftest import ROOT

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def shown(value: object) -> str:
    """Return what a notebook would show of the value of a cell."""
    for name in ("_repr_html_", "to_json", "__repr__"):
        if method := getattr(value, name, None):
            return str(method())
    raise AssertionError(value)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    values: dict[str, object] = {"__name__": "notebook"}
    results = []
    for number, cell in enumerate(cells):
        assert cell["outputs"] == [], "notebooks are kept without outputs"
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        name = f"{path.name}, cell {number}"
        exec(compile(ast.Module(body, []), name, "exec"), values)
        if isinstance(last, ast.Expr):
            result = eval(compile(ast.Expression(last.value), name, "eval"), values)
            results += [] if result is None else [shown(result)]
    assert len(results) >= 3
    assert any('"$schema"' in result for result in results), "a chart, which Vega-Lite's schema holds to be valid"


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["a-study-of-100-runs", "reproduce-a-figure", "which-timer"]
