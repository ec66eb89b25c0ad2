"""The simulation of `docs/scale.md`: its tables are those of the page, and it follows from its model."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from conftest import ROOT

FILE = ROOT / "docs" / "scale" / "simulate.py"
PACKAGE = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    """Return the program of the page as a module."""
    about = importlib.util.spec_from_file_location("simulate", FILE)
    assert about is not None
    assert about.loader is not None
    module = importlib.util.module_from_spec(about)
    sys.modules["simulate"] = module
    about.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["batching", "failures"])
def test_tables_of_the_page_are_what_it_prints(simulation: ModuleType, name: str) -> None:
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(f"<!-- {name} -->\n\n")
    shown, _, _ = rest.partition(f"\n<!-- /{name} -->")

    def cells(text: str) -> list[list[str]]:
        # The formatter of the page aligns columns.
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
        return [row for row in rows if not set("".join(row)) <= {"-", ":"}]

    made = simulation.TABLES[name]()
    assert cells(shown) == cells(made), made


def test_without_handling_and_deaths_it_is_the_work_of_each_worker(simulation: ModuleType) -> None:
    run = simulation.simulate(simulation.TIMERS, 100, handling=0.0, captures=20_000)
    assert run.length == pytest.approx(run.work / 100, rel=0.01)
    assert run.jobs == 20_000
    assert run.deaths == 0


def test_a_full_queue_is_as_long_as_its_jobs(simulation: ModuleType) -> None:
    run = simulation.simulate(simulation.TIMERS, 1000, handling=0.005, captures=20_000)
    assert run.length == pytest.approx(20_000 * 0.005, rel=0.05)


def test_deaths_are_as_many_as_their_rate_says(simulation: ModuleType) -> None:
    rate = 20.0
    run = simulation.simulate(None, 100, rate=rate, captures=50_000)
    assert run.deaths == pytest.approx(rate * (run.work + run.repeated) / simulation.HOUR, rel=0.2)
    # A job that is repeated was on average half done, or less for the short ones.
    assert 0 < run.repeated < run.deaths * simulation._jobs.LONGEST


def test_types_and_style() -> None:
    config = str(PACKAGE / "pyproject.toml")
    for words in (
        ["ruff", "check", "--no-cache", "--config", config],
        ["ruff", "format", "--check", "--no-cache", "--config", config],
        ["mypy", "--strict", "--cache-dir", "/dev/null"],
    ):
        done = subprocess.run([sys.executable, "-m", *words, FILE], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
