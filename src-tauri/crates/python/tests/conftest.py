"""Shared by the tests: the command line built from the same sources, bundled captures, a study and a cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rtoscope
from rtoscope import cluster

ROOT = Path(os.environ["RTOSCOPE_ROOT"])
TRACES = ROOT / "traces"

Cli = Callable[..., Any]


@pytest.fixture(scope="session")
def cli() -> Cli:
    """Return a function that runs a command with `--format json` and returns its answer."""

    def run(*words: object) -> Any:
        command = [os.environ["RTOSCOPE"], *map(str, words), "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def path(folder: str) -> Path:
    """Return the capture of a folder of `traces/`."""
    (found,) = TRACES.joinpath(folder).glob("capture.pcap*")
    return found


@pytest.fixture(scope="session")
def sleepy() -> rtoscope.Capture:
    """Return a short capture with one client."""
    return rtoscope.open(path("live-sleepy-default"))


@pytest.fixture(scope="session")
def grid() -> rtoscope.Capture:
    """Return a simulated network of nine motes."""
    return rtoscope.open(path("grid3x3-burst-default"))


SILENT = 100
"""Above every level of messages: workers that die are what is tested."""

STUDY = """
channels = ["empirical"]
seeds = [1, 2, 3]
replicates = 150
[[captures]]
paths = "runs/{scenario}/{ran}/capture.pcap.gz"
[[timers]]
algorithm = "coap_default"
[[timers]]
algorithm = "cocoa_plus"
"""
"""Eight captures, three groups each: some seconds of a core, so that there is a middle."""

RUNS = ("live-ge-default", "live-ge-cocoa", "live-short-default", "live-sleepy-default", "grid3x3-burst-default")


def octets(out: str | Path) -> dict[str, bytes]:
    """Return the files of rows of a folder."""
    files = Path(out).glob("rows/**/*.parquet")
    return {str(file.relative_to(out)): file.read_bytes() for file in files}


@pytest.fixture(scope="session")
def spec(tmp_path_factory) -> Path:
    """Return a study over copies of bundled captures, their logs, and files that are none."""
    folder = tmp_path_factory.mktemp("study")
    for name in RUNS:
        run = folder / "runs" / name.split("-")[0] / name
        run.mkdir(parents=True)
        for file in TRACES.joinpath(name).glob("*.gz"):
            shutil.copy(file, run)
    # The timer that ran is known of one by a file beside it: the rows say so.
    (folder / "runs/live/live-ge-default/ran.json").write_text('{"preset": "coap_default"}')
    for name, content in {"empty": b"", "text": b"this is a text\n"}.items():
        run = folder / "runs" / "damaged" / name
        run.mkdir(parents=True)
        (run / "capture.pcap.gz").write_bytes(content)
    (folder / "runs/damaged/gone").mkdir()
    (folder / "runs/damaged/gone/capture.pcap.gz").symlink_to("nowhere")
    (folder / "study.toml").write_text(STUDY)
    return folder / "study.toml"


@pytest.fixture(scope="session")
def whole(spec: Path, tmp_path_factory) -> dict[str, bytes]:
    """Return the files of rows of a run in one process."""
    study = rtoscope.Study(spec, out=tmp_path_factory.mktemp("whole") / "rows")
    done = study.run(progress=False)
    assert (done.tasks, done.rows, done.failed) == (48, 48, 18)
    files = octets(study.out)
    assert len(files) == 8
    return files


@pytest.fixture(scope="session")
def two() -> Iterator[Any]:
    """Return a client of two workers."""
    with cluster.local(2, log_level=SILENT) as client:
        yield client
