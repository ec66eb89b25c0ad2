"""Shared by the tests: the command line that was built from the same sources, and bundled captures."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rtoscope

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
