"""Studies: one folder of rows, whoever runs it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import polars
import pytest

import rtoscope
from conftest import ROOT, Cli

SPEC = ROOT / "docs" / "study" / "timers.toml"


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> rtoscope.Study:
    study = rtoscope.Study(SPEC, out=tmp_path_factory.mktemp("study") / "rows")
    done = study.run(progress=False)
    assert done.rows == done.tasks > 0
    assert (done.earlier, done.failed) == (0, 0)
    return study


def test_the_command_line_goes_on_with_the_same_folder(study: rtoscope.Study) -> None:
    command = [os.environ["RTOSCOPE"], "study", "run", SPEC, "--out", study.out]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    tasks = study.run().tasks
    assert f"{tasks} of {tasks} rows, {tasks} of them there before" in done.stderr


def test_tables_are_those_of_the_command_line(study: rtoscope.Study, cli: Cli) -> None:
    assert list(study.status()) == cli("study", "status", study.out)
    assert list(study.rows()) == cli("study", "show", study.out, "--rows")
    assert list(study.groups()) == cli("study", "show", study.out)
    groups = study.groups(["timer", "ran"], measures=["duration_p95"], level=0.5)
    asked = ["--by", "timer,ran", "--measure", "duration_p95", "--level", "0.5"]
    assert list(groups) == cli("study", "show", study.out, *asked)


@pytest.mark.parametrize("recipe", ["scenarios", "factor", "winners"])
def test_figures_are_those_of_the_command_line(study: rtoscope.Study, cli: Cli, recipe: Any) -> None:
    figure = study.figure(recipe, measure="spurious_all", level=0.8)
    assert figure.view == cli("study", "figure", recipe, study.out, "--measure", "spurious_all", "--level", "0.8")
    assert figure.title == figure.view["title"]
    assert figure.table.columns == figure.view["table"]["columns"]
    assert len(figure.table) == len(figure.view["table"]["rows"]) > 0
    assert all(panel["marks"] for panel in figure.view["panels"])
    assert figure.title in figure._repr_html_()
    # Without a measure it is the study's first.
    assert study.figure(recipe).view != figure.view


def test_a_study_that_was_stopped_goes_on(study: rtoscope.Study, tmp_path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    again = rtoscope.Study(SPEC, out=tmp_path / "rows")
    with pytest.raises(KeyboardInterrupt):
        again.run(threads=1, progress=stop)
    done = again.run()
    assert done.rows == done.tasks

    def octets(of: rtoscope.Study) -> dict[str, bytes]:
        files = Path(of.out).glob("rows/**/*.parquet")
        return {str(file.relative_to(of.out)): file.read_bytes() for file in files}

    assert octets(again) == octets(study) != {}


def test_its_files_are_a_dataset(study: rtoscope.Study) -> None:
    rows = polars.read_parquet(f"{study.out}/rows/**/*.parquet", hive_partitioning=False)
    assert len(rows) == len(study.rows())


def test_mistakes(study: rtoscope.Study, tmp_path) -> None:
    with pytest.raises(rtoscope.RequestError, match="level"):
        study.groups(level=1.0)
    with pytest.raises(rtoscope.RequestError, match="no measure `nothing`"):
        study.groups(measures=["nothing"])
    with pytest.raises(rtoscope.RequestError, match=r"no such figure.*scenarios"):
        study.figure("nothing")  # type: ignore[arg-type]
    with pytest.raises(rtoscope.RequestError, match="level"):
        study.figure("winners", level=0.0)
    with pytest.raises(rtoscope.RequestError):
        rtoscope.Study(SPEC, out=tmp_path).rows()
    spec = tmp_path / "mine.toml"
    spec.write_text('[[captures]]\npaths = "*.pcap"\n[[timers]]\nalgorithm = "nothing"\n')
    with pytest.raises(rtoscope.RequestError, match="nothing"):
        rtoscope.Study(spec).run()
    assert rtoscope.Study(spec).out == str(tmp_path / "mine")
