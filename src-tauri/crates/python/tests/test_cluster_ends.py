"""Where a run on a cluster begins and ends: the command line, schedulers, Slurm, what is missing."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

import rtoscope
from conftest import ROOT, octets
from rtoscope import _slurm, cluster

distributed = pytest.importorskip("distributed", reason="needs dask and distributed: rtoscope[cluster]")


def command(spec: Path, out: Path, *words: str) -> list[str]:
    return [os.environ["RTOSCOPE"], "study", "run", str(spec), "--out", str(out), *words]


def with_python(python: str = sys.executable) -> dict[str, str]:
    return {**os.environ, "RTOSCOPE_PYTHON": python}


def begun(out: Path, process: subprocess.Popen[Any]) -> None:
    """Wait until a run has rows."""
    end = time.monotonic() + 60
    while not octets(out):
        assert process.poll() is None, "ended too soon"
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGINT])
def test_a_client_that_ends_and_a_study_that_goes_on(
    spec: Path, whole: dict[str, bytes], tmp_path, signal_number: signal.Signals
) -> None:
    psutil = pytest.importorskip("psutil", reason="needs psutil: rtoscope[cluster]")
    out = tmp_path / "rows"
    process = subprocess.Popen(
        command(spec, out, "--local-cluster", "2"),
        env=with_python(),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    begun(out, process)
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 3, "Python and two workers"
    os.killpg(process.pid, signal.SIGINT) if signal_number == signal.SIGINT else family[0].kill()
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    if signal_number == signal.SIGINT:
        assert "the same command goes on" in said
    there = octets(out)
    assert 0 < len(there) < len(whole), "it was ended in the middle"
    # No worker lives on.
    _, alive = psutil.wait_procs(family, timeout=15)
    assert alive == []
    done = subprocess.run(command(spec, out, "--local-cluster", "2"), env=with_python(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "48 of 48 rows, " in done.stderr
    assert "18 without an answer" in done.stderr
    assert octets(out) == whole


def test_a_scheduler_that_goes_away(spec: Path, whole: dict[str, bytes], tmp_path, monkeypatch) -> None:
    file = tmp_path / "scheduler.json"
    words = ["--no-dashboard", "--scheduler-file", str(file)]
    own = ["--host", "127.0.0.1", "--port", "0"]
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = subprocess.Popen([*dask, "scheduler", *words, *own], **quiet)
    worker = subprocess.Popen([*dask, "worker", *words, "--nthreads", "1", "--host", "127.0.0.1"], **quiet)
    study = rtoscope.Study(spec, out=tmp_path / "rows")

    def kill(done: int, total: int) -> None:
        if 0 < done < total:
            scheduler.kill()

    try:
        end = time.monotonic() + 30
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        with cluster.connect(json.loads(file.read_text())["address"]) as client:
            with pytest.raises(rtoscope.ClusterError, match="The scheduler is gone") as raised:
                study.run(client=client, progress=kill)
            kept = len(study.rows())
            assert 0 < kept < 48
            assert "the same call goes on" in str(raised.value)
    finally:
        scheduler.kill()
        worker.terminate()
        scheduler.wait(20)
        worker.wait(20)
    assert study.run().earlier == kept
    assert octets(study.out) == whole
    monkeypatch.setattr(cluster, "_CONNECT", "1s")
    with pytest.raises(rtoscope.ClusterError, match="No scheduler answers"), cluster.connect("tcp://127.0.0.1:1"):
        pass


def test_nothing_listens_but_on_this_machine(two: Any) -> None:
    """Nothing is served by HTTP either: there is no dashboard."""
    psutil = pytest.importorskip("psutil", reason="needs psutil: rtoscope[cluster]")
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    places = [c.laddr for process in processes for c in process.net_connections() if c.status == "LISTEN"]
    assert len(places) >= 3
    assert {place.ip for place in places} == {"127.0.0.1"}
    port = two.scheduler_info()["services"].get("dashboard")
    if port is not None:
        with pytest.raises(HTTPError), urlopen(f"http://127.0.0.1:{port}/status", timeout=5):
            pass


def test_the_script_for_slurm(tmp_path) -> None:
    pytest.importorskip("dask_jobqueue", reason="needs dask-jobqueue: rtoscope[cluster]")
    file = tmp_path / "slurm.yaml"
    file.write_text(
        "workers: 64\ncores: 32\nmemory: 64GB\nwalltime: '02:00:00'\nqueue: short\naccount: coap\n"
        "job_extra_directives: ['--exclusive']\njob_script_prologue: ['module load python']\n"
        f"python: {sys.executable}\n"
    )
    script = cluster.slurm_script(file)
    lines = script.splitlines()
    assert lines[0].startswith("#!")
    for line in ("-p short", "-A coap", "-n 1", "--cpus-per-task=32", "--mem=60G", "-t 02:00:00", "--exclusive"):
        assert f"#SBATCH {line}" in lines
    assert lines.index("module load python") > max(n for n, line in enumerate(lines) if line.startswith("#SBATCH"))
    (start,) = [line for line in lines if "dask_worker" in line or "dask worker" in line]
    assert start.startswith(sys.executable)
    for words in ("--nworkers 32", "--nthreads 1", "--no-dashboard", "tcp://"):
        assert words in start
    printed = subprocess.run(
        [sys.executable, "-m", "rtoscope.cluster", "study.toml", "--slurm", file, "--script"],
        capture_output=True,
        text=True,
    )
    assert printed.returncode == 0, printed.stderr
    assert "#SBATCH --cpus-per-task=32" in printed.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("memory: 4GB\n", "`workers` is missing"),
        ("workers: 3\n", "`memory` is missing"),
        ("workers: 0\nmemory: 4GB\n", "`workers` is at least 1"),
        ("workers: many\nmemory: 4GB\n", "`workers` is of the wrong type: 'many'"),
        ("workers: 3\nmemory: 4GB\npartition: x\n", "`partition` is unknown; there are: workers, memory"),
        ("workers: 3\nmemory: 4GB\ninterface: none0\n", "this machine has no 'none0'; there are: "),
        ("- 1\n", "has no keys"),
        ("workers: [\n", "cannot be read"),
    ],
)
def test_mistakes_in_the_file_for_slurm(tmp_path, text: str, says: str) -> None:
    pytest.importorskip("dask_jobqueue", reason="needs dask-jobqueue: rtoscope[cluster]")
    file = tmp_path / "slurm.yaml"
    file.write_text(text)
    with pytest.raises(rtoscope.RequestError) as raised:
        cluster.slurm_script(file)
    assert says in str(raised.value)


def fenced(language: str) -> str:
    """Return the block of the page in a language."""
    page = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return str(block)


def test_blocks_of_the_page(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    block = fenced("python").replace("/tmp/timers", str(tmp_path / "timers"))
    exec(compile(block, "docs/study.md", "exec"), {"__name__": "__main__"})
    assert "StudyDone(tasks=21, rows=21" in capsys.readouterr().out
    file = tmp_path / "slurm.yaml"
    file.write_text(fenced("yaml"))
    assert _slurm.read(str(file))["workers"] == 256


def test_without_dask_the_error_has_the_line_that_installs_it() -> None:
    script = (
        "import sys; sys.modules['distributed'] = sys.modules['dask'] = None\n"
        "import rtoscope\nfrom rtoscope import cluster\n"
        "with cluster.local(2): pass\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "ImportError: A study on a cluster needs dask and distributed" in done.stderr
    assert "python3 -m pip install 'rtoscope[cluster]'" in done.stderr


def test_nothing_of_dask_is_imported_unless_it_is_used() -> None:
    script = (
        "import sys, rtoscope, rtoscope.cluster, rtoscope._cluster\n"
        "print([name for name in sys.modules if 'dask' in name or 'distributed' in name])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_command_line_says_what_a_cluster_needs(spec: Path, tmp_path) -> None:
    def run(python: str, *words: str) -> tuple[int, str]:
        line = command(spec, tmp_path / "rows", *words)
        done = subprocess.run(line, env=with_python(python), capture_output=True, text=True)
        return done.returncode, done.stderr

    code, said = run("/nowhere/python3", "--local-cluster", "2")
    assert code == 2
    assert "/nowhere/python3 does not start" in said
    assert "npm run python" in said
    bare = tmp_path / "python"
    bare.write_text("#!/bin/sh\necho 'No module named rtoscope' >&2\nexit 1\n")
    bare.chmod(0o755)
    code, said = run(str(bare), "--scheduler", "tcp://127.0.0.1:1")
    assert code == 2
    assert "which " in said
    assert "pip install 'WHEEL[cluster]'" in said
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho 'rtoscope 0.0.1'\n")
    other.chmod(0o755)
    code, said = run(str(other), "--local-cluster", "2")
    assert code == 2
    assert "has rtoscope 0.0.1" in said
    code, said = run(sys.executable, "--local-cluster", "2", "--threads", "2")
    assert code == 2
    assert not (tmp_path / "rows").exists()


def test_requests_that_make_no_sense(spec: Path, two: Any, tmp_path) -> None:
    with pytest.raises(ValueError, match="workers of its own"):
        rtoscope.Study(spec, out=tmp_path / "rows").run(client=two, threads=2)
    mine = tmp_path / "mine.toml"
    mine.write_text('[[captures]]\npaths = "*.pcap"\n[[timers]]\nalgorithm = "nothing"\n')
    with pytest.raises(rtoscope.RequestError, match="nothing"):
        rtoscope.Study(mine).run(client=two)


def test_a_folder_has_one_run_at_a_time(spec: Path, two: Any, tmp_path) -> None:
    study = rtoscope.Study(spec, out=tmp_path / "rows")
    seen: list[str] = []

    def meanwhile(_done: int, _total: int) -> None:
        if not seen:
            with pytest.raises(rtoscope.RequestError, match="another run of this study") as raised:
                study.run()
            seen.append(str(raised.value))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.run(client=two, progress=meanwhile)
    # The folder is free again, whoever still holds the exception.
    assert study.run(client=two).rows == 48
