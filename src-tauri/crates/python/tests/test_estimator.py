"""Timers stepped by hand, against those that `rtoscope drive` steps."""

from __future__ import annotations

import copy
import json
import os
import subprocess

import pytest

import rtoscope


def driven(tmp_path, preset: str, steps: list[dict], **params: object) -> list[dict]:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"vectors": [{"preset": preset, "unit": "s", "params": params, "steps": steps}]}))
    done = subprocess.run([os.environ["RTOSCOPE"], "drive", script], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["vectors"][0]["steps"]


@pytest.mark.parametrize("algorithm", [algorithm.id for algorithm in rtoscope.algorithms()])
def test_every_algorithm_steps_as_it_is_driven(tmp_path, algorithm: str) -> None:
    asked = [
        {"op": "exchange", "t": 0, "u": 0.25, "k": 0, "after_last_tx": 0.7},
        {"op": "exchange", "t": 100, "u": 0.5, "k": 2, "after_last_tx": 1.1, "inflight": 1},
        {"op": "fail", "t": 300, "u": 0.75, "max_retransmit": 3},
        {"op": "exchange", "t": 900, "u": 1.0, "k": 1, "after_last_tx": 0.2, "rc": 1},
    ]
    expected = driven(tmp_path, algorithm, asked)
    timer = rtoscope.Estimator(algorithm)
    for step, out in zip(asked, expected, strict=True):
        copies = step.get("max_retransmit", step.get("k"))
        exchange = timer.exchange(inflight=step.get("inflight", 0), max_retransmit=copies, exchange_lifetime=1e9)
        exchange.arm(step["t"], dither=step["u"])
        if step["op"] == "fail":
            deadline = exchange.deadline
            while exchange.expire():
                exchange.arm(deadline, dither=step["u"])
                deadline = exchange.deadline
            waited = exchange.armed if out["timers"][-1] else [*exchange.armed[:-1], 0.0]
            assert waited == out["timers"]
        else:
            for _ in range(step["k"]):
                deadline = exchange.deadline
                assert exchange.expire()
                exchange.arm(deadline, dither=step["u"])
            answered = exchange.sent[-1] + step["after_last_tx"]
            sample = exchange.answer(answered, copy=step.get("rc", 0 if copies == 0 else None))
            assert exchange.armed[0] == out["first_rto"]
            assert exchange.armed[-1] == out["last_rto"]
            assert sample.since_first == pytest.approx(out["rtt_from_first"], abs=1e-9)
        state = timer.state()
        values = {name: value for name, value in out["state"].items() if isinstance(value, (int, float))}
        assert {name: state[name] for name in values} == values


def test_a_timer_of_ones_own_parameters() -> None:
    timer = rtoscope.Estimator("cocoa_plus", k_weak=1)
    assert repr(timer) == "Estimator('cocoa_plus', k_weak=1)"
    other = copy.copy(timer)
    exchange = timer.exchange()
    exchange.arm(0.0)
    assert exchange.deadline == 2.0
    assert exchange.is_open
    assert exchange.answer(0.5) == rtoscope.Answered(0.5, 0.5)
    assert not exchange.is_open
    assert exchange.answer(0.6) is None
    assert timer.state()["next_rto"] != other.state()["next_rto"]
    assert "not open" in repr(exchange)


def test_steps_that_make_no_sense_are_refused() -> None:
    timer = rtoscope.Estimator("coap_default")
    exchange = timer.exchange()
    with pytest.raises(rtoscope.RequestError, match="No timer runs"):
        exchange.expire()
    exchange.arm(10.0)
    with pytest.raises(rtoscope.RequestError, match="No copy is due"):
        exchange.arm(11.0)
    with pytest.raises(rtoscope.RequestError, match="before the last event"):
        exchange.answer(9.0)
    with pytest.raises(rtoscope.RequestError, match=r"runs until 12 s, and it is 11 s"):
        exchange.expire(11.0)
    with pytest.raises(rtoscope.RequestError, match="names copy 3, and 1 were sent"):
        exchange.answer(11.0, copy=3)
    for at in (float("nan"), float("inf"), 1e300):
        with pytest.raises(rtoscope.RequestError, match="is not a time"):
            timer.exchange().arm(at)
    with pytest.raises(rtoscope.RequestError, match="not from 0 to 1"):
        timer.exchange().arm(0.0, dither=2.0)
    with pytest.raises(rtoscope.RequestError, match="no algorithm `nothing`; there are: "):
        rtoscope.Estimator("nothing")
    with pytest.raises(rtoscope.RequestError, match="k_weak"):
        rtoscope.Estimator("cocoa_plus", k_weak=-1)
