"""A study on a cluster of Dask: rows are those of a run in one process, whatever dies."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rtoscope
from conftest import SILENT, octets
from rtoscope import _cluster, cluster

distributed = pytest.importorskip("distributed", reason="needs dask and distributed: rtoscope[cluster]")


def workers(client: Any) -> list[int]:
    """Return the processes of the workers."""
    return sorted(client.run(os.getpid).values())


@contextmanager
def planted(client: Any, do: Callable[[Any], None]) -> Iterator[None]:
    """Change what the workers of a client do."""

    class Plugin(distributed.WorkerPlugin):  # type: ignore[misc, name-defined]
        name = "planted"

        def setup(self, worker: Any) -> None:
            do(worker)

        def teardown(self, worker: Any) -> None:
            from rtoscope import _cluster, _core

            _cluster._core = _core
            _cluster._identity = _cluster.__dict__.get("_was", _cluster._identity)

    client.register_plugin(Plugin())
    try:
        yield
    finally:
        client.unregister_worker_plugin("planted")


def test_rows_are_those_of_one_process(spec: Path, whole: dict[str, bytes], two: Any, tmp_path) -> None:
    """Unreadable captures included; what is told ends with all rows."""
    study = rtoscope.Study(spec, out=tmp_path / "rows")
    told: list[tuple[int, int]] = []
    done = study.run(client=two, progress=lambda *of: told.append(of))
    assert (done.tasks, done.rows, done.earlier, done.failed) == (48, 48, 0, 18)
    assert octets(study.out) == whole
    assert told[-1] == (48, 48)
    assert told == sorted(told)
    # Workers found the folder, and wrote the rows themselves.
    assert two.submit(_cluster._identity, study.out, pure=False).result() == _cluster._identity(study.out)
    states = [row["state"] for row in study.rows()]
    assert states.count("unreadable") + states.count("refused") == 18
    again = study.run(client=two)
    assert (again.rows, again.earlier, again.failed) == (48, 48, 18)
    # Rows without an answer are run again where that is asked for, and are the same.
    assert study.run(client=two, again=True).earlier == 30
    assert octets(study.out) == whole


def test_a_worker_that_is_killed(spec: Path, whole: dict[str, bytes], two: Any, tmp_path) -> None:
    study = rtoscope.Study(spec, out=tmp_path / "rows")
    before, killed = workers(two), []

    def kill(done: int, total: int) -> None:
        if not killed and 0 < done < total:
            killed.append(before[0])
            os.kill(before[0], signal.SIGKILL)

    done = study.run(client=two, progress=kill)
    assert killed
    assert (done.rows, done.failed) == (48, 18)
    assert octets(study.out) == whole
    two.wait_for_workers(2, timeout=20)
    assert len(workers(two)) == 2
    assert before[0] not in workers(two)


def test_a_capture_that_kills_workers_is_rows_with_the_reason(
    spec: Path, whole: dict[str, bytes], two: Any, tmp_path
) -> None:
    log = tmp_path / "deaths"

    def kill(_worker: Any) -> None:
        from rtoscope import _cluster, _core

        def answer(study: str, capture: str, *rest: Any) -> Any:
            if "live-sleepy" in capture:
                with log.open("a") as file:
                    file.write("died\n")
                os.kill(os.getpid(), signal.SIGKILL)
            return _core.study_answer(study, capture, *rest)

        _cluster._core = SimpleNamespace(study_answer=answer)  # type: ignore[assignment]

    study = rtoscope.Study(spec, out=tmp_path / "rows")
    with planted(two, kill):
        done = study.run(client=two)
    # It may have died in a job of several captures first, which was then cut.
    assert len(log.read_text().splitlines()) in (_cluster.DEATHS, _cluster.DEATHS + 1)
    assert (done.rows, done.failed) == (48, 24)
    lost = [row for row in study.rows() if row["reason"] == _cluster.KILLED]
    assert {row["path"] for row in lost} == {"runs/live/live-sleepy-default/capture.pcap.gz"}
    assert {row["state"] for row in lost} == {"crashed"}
    assert len(lost) == 6
    files = octets(study.out)
    assert sum(files[name] != content for name, content in whole.items()) == 1
    # On healthy workers it has answers.
    two.wait_for_workers(2, timeout=20)
    assert study.run(client=two, again=True).failed == 18
    assert octets(study.out) == whole


def test_workers_without_the_files_are_sent_them(spec: Path, whole: dict[str, bytes], two: Any, tmp_path) -> None:
    def apart(_worker: Any) -> None:
        from rtoscope import _cluster, _core

        def answer(study: str, capture: str, keys: Any, place: Any, keep: bool, look: Any) -> Any:
            assert not keep, "the folder of rows is on another machine"
            if place is None and '"unreadable":null' in capture:
                raise rtoscope.GoneError("gone", "not here")
            return _core.study_answer(study, capture, keys, place, keep, look)

        _cluster._core = SimpleNamespace(study_answer=answer)  # type: ignore[assignment]
        _cluster.__dict__.setdefault("_was", _cluster._identity)
        _cluster._identity = lambda out: (out, "on another machine")

    study = rtoscope.Study(spec, out=tmp_path / "rows")
    with planted(two, apart):
        done = study.run(client=two)
    assert (done.rows, done.failed) == (48, 18)
    assert octets(study.out) == whole


def test_a_capture_that_changes_while_the_study_runs(spec: Path, two: Any, tmp_path) -> None:
    """Nothing of the changed file becomes a row."""
    folder = tmp_path / "study"
    shutil.copytree(spec.parent, folder, symlinks=True)
    study = rtoscope.Study(folder / "study.toml", out=tmp_path / "rows")
    changed = folder / "runs/live/live-sleepy-default/capture.pcap.gz"

    def change(done: int, _total: int) -> None:
        if changed.stat().st_size > 2:
            changed.write_bytes(b"x")

    # The last of the captures that can be read: its job comes after the first report.
    with pytest.raises(rtoscope.RequestError, match=r"live-sleepy-default/capture\.pcap\.gz has changed"):
        study.run(client=two, progress=change)
    assert all("sleepy" not in str(row["path"]) for row in study.rows())


def test_a_worker_with_too_little_memory(spec: Path, whole: dict[str, bytes], tmp_path) -> None:
    """One of two workers is ended by its nanny again and again; the other one does the work."""
    options = {"nthreads": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": SILENT}
    small = {"cls": distributed.Nanny, "options": {**options, "memory_limit": "20 MiB"}}
    usual = {"cls": distributed.Nanny, "options": {**options, "memory_limit": "4 GiB"}}
    scheduler = {"cls": distributed.Scheduler, "options": {"host": "127.0.0.1", "dashboard": False}}
    import dask

    with (
        dask.config.set({**cluster._OURS, **cluster._LOCAL}),
        distributed.SpecCluster({0: small, 1: usual}, scheduler, silence_logs=SILENT) as made,
        distributed.Client(made, set_as_default=False) as client,
    ):
        study = rtoscope.Study(spec, out=tmp_path / "rows")
        done = study.run(client=client)
    assert (done.rows, done.failed) == (48, 18)
    assert octets(study.out) == whole


def test_workers_with_less_memory_than_they_take_are_refused() -> None:
    with pytest.raises(rtoscope.RequestError, match="a worker needs 100 MB"), cluster.local(1, memory="20MB"):
        pass


@pytest.mark.parametrize("generations", [0, 4])
def test_workers_that_end_before_they_have_a_job_end_the_run(
    spec: Path, tmp_path, monkeypatch, generations: int
) -> None:
    """Of a cluster that starts workers again and again, or none any more, as one with too little memory does."""
    monkeypatch.setattr(_cluster, "_ALONE", 0.2)
    monkeypatch.setattr(_cluster, "_COUNT", 0.0)
    there = [{f"tcp://127.0.0.1:{n}": {"name": 0}} for n in range(generations)]

    class Ending:
        status = "running"
        cluster = None
        workers: dict[str, Any] = {"tcp://127.0.0.1:9": {"name": 0}}  # noqa: RUF012

        def scheduler_info(self, n_workers: int) -> dict[str, Any]:
            return {"workers": self.workers}

        def nthreads(self) -> dict[str, int]:
            now, self.workers = self.workers, there.pop() if there else {}
            return dict.fromkeys(now, 1)

        def submit(self, *_: Any, key: str, **__: Any) -> Any:
            return SimpleNamespace(key=key, add_done_callback=lambda _do: None)

        def cancel(self, *_: Any, **__: Any) -> None:
            pass

    study = rtoscope.Study(spec, out=tmp_path / "rows")
    said = "there was none for" if generations == 0 else "started again 3 times"
    with pytest.raises(rtoscope.ClusterError, match=said):
        study.run(client=Ending())  # type: ignore[arg-type]
    assert all("damaged" in name for name in octets(study.out)), "what cannot be read has its rows"


def test_workers_that_all_die_are_no_rows(spec: Path, two: Any, tmp_path) -> None:
    """A cluster that cannot work writes no thousand rows about it."""

    def kill(_worker: Any) -> None:
        from rtoscope import _cluster

        _cluster._core = SimpleNamespace(  # type: ignore[assignment]
            study_answer=lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        )

    study = rtoscope.Study(spec, out=tmp_path / "rows")
    with planted(two, kill), pytest.raises(rtoscope.ClusterError, match="more memory"):
        study.run(client=two)
    assert all("damaged" in name for name in octets(study.out)), "what cannot be read has its rows"
    two.wait_for_workers(2, timeout=20)
