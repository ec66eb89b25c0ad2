"""Long work: other threads go on, progress is told, and Ctrl C ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

import rtoscope
from conftest import path

LONG = {"channel": "empirical", "replicates": 10_000, "bounds": True}
"""A replay of a grid that takes far longer than any wait of these tests."""


def test_other_threads_run_meanwhile(grid: rtoscope.Capture) -> None:
    counted, reported = 0, threading.Event()
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        reported.wait()
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    def report(_done: int, _total: int) -> None:
        reported.set()
        if counted >= 20:
            raise StopIteration

    thread = threading.Thread(target=count)
    thread.start()
    try:
        with pytest.raises(StopIteration):
            grid.replay(["lee2016"], seed=11, progress=report, **LONG)
    finally:
        reported.set()
        done.set()
        thread.join()
    assert counted >= 20


def test_two_threads_ask_at_once() -> None:
    capture = rtoscope.open("sample:live-sleepy-default")
    answers: list[list[dict]] = []

    def ask() -> None:
        run = capture.replay(["coap_default", "cocoa_plus"], replicates=10, channel="empirical")
        answers.append(list(run.metrics()))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(answer == answers[0] for answer in answers)


def test_progress_counts_up_to_the_total(grid: rtoscope.Capture) -> None:
    seen: list[tuple[int, int]] = []
    grid.replay(["rfc6298_coap"], seed=12, replicates=400, channel="empirical", progress=lambda *of: seen.append(of))
    assert seen[-1][0] == seen[-1][1] > 0
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_what_progress_raises_ends_the_work(grid: rtoscope.Capture) -> None:
    class StopThisError(Exception):
        pass

    def stop(_done: int, _total: int) -> None:
        raise StopThisError

    with pytest.raises(StopThisError):
        grid.replay(["cocoa_plus"], seed=13, progress=stop, **LONG)
    # The next answer is whole.
    assert len(grid.replay(["cocoa_plus"], seed=13, replicates=5, channel="empirical").metrics()) > 10


SCRIPT = """
import sys, rtoscope
capture = rtoscope.open(sys.argv[1])
def report(done, total):
    print("working", flush=True)
print("ready", flush=True)
try:
    capture.replay(["lee2016"], channel="empirical", replicates=10_000, seed=14, progress=report)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(130)
"""


def test_ctrl_c_ends_a_replay() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, path("grid3x3-burst-default")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    while next(lines) != "working\n":
        pass
    process.send_signal(signal.SIGINT)
    assert "interrupted\n" in list(lines)
    assert process.wait(60) == 130


def test_a_bar_of_tqdm_is_shown_when_asked(grid: rtoscope.Capture, capsys, monkeypatch) -> None:
    monkeypatch.setattr("rtoscope._progress._DELAY", 0.0)
    grid.replay(["coap_b"], seed=15, replicates=200, channel="empirical", progress=True)
    assert "replaying" in capsys.readouterr().err
    grid.replay(["coap_b"], seed=16, replicates=200, channel="empirical", progress=False)
    assert capsys.readouterr().err == ""


def test_without_a_library_there_is_no_bar(grid: rtoscope.Capture, capsys, monkeypatch) -> None:
    monkeypatch.setattr("rtoscope._progress._DELAY", 0.0)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    grid.replay(["coap_b"], seed=17, replicates=200, channel="empirical", progress=True)
    assert capsys.readouterr().err == ""
