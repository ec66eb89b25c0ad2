"""Replays: the numbers of the command line to the bit."""

from __future__ import annotations

import html

import polars
import pytest

import rtoscope
from conftest import Cli, path

TIMERS = ["coap_default", "cocoa_plus:k_weak=1"]


@pytest.fixture(scope="module")
def run(grid: rtoscope.Capture) -> rtoscope.Run:
    return grid.replay(TIMERS, channel="empirical", replicates=20, seed=3)


WORDS = [word for timer in TIMERS for word in ("--algorithm", timer)]
MODEL = ["--channel", "empirical", "--replicates", 20, "--seed", 3]


@pytest.fixture(scope="module")
def answer(cli: Cli) -> dict[str, object]:
    return cli("replay", path("grid3x3-burst-default"), *WORDS, *MODEL, "--baseline", "coap_default")


def test_measures_are_those_of_the_command_line(run: rtoscope.Run, answer: dict) -> None:
    columns = ["recorded", "worst", "best", "mean", "lo90", "hi90", "another_lo90", "another_hi90", "support"]
    expected = {
        (timer, metric): [values[column] for column in columns]
        for timer, of in zip(run.algorithms, answer["runs"], strict=True)
        for metric, values in of["metrics"].items()
    }
    found = {(row["algorithm"], row["metric"]): [row[column] for column in columns] for row in run.metrics()}
    assert found == expected
    assert run.algorithms == TIMERS


def test_the_verdict_is_that_of_the_command_line(run: rtoscope.Run, cli: Cli) -> None:
    verdict = cli("replay", path("grid3x3-burst-default"), *WORDS, *MODEL)["verdict"]
    assert run.view["verdict"] == verdict
    assert run.verdict == " ".join([verdict["headline"], *verdict["details"]])
    assert html.escape(run.verdict) in run._repr_html_()


def test_differences_are_those_of_the_command_line(run: rtoscope.Run, answer: dict) -> None:
    expected = {
        (timer, metric): [values["mean"], values["lo90"], values["hi90"], *(values["another"] or (None, None))]
        for timer, of in zip(run.algorithms, answer["runs"], strict=True)
        for metric, values in of["differences"].items()
    }
    columns = ["difference", "lo90", "hi90", "another_lo90", "another_hi90"]
    table = run.difference("coap_default")
    found = {(row["algorithm"], row["metric"]): [row[column] for column in columns] for row in table}
    assert found == expected
    assert set(table["baseline"]) == {"coap_default"}
    assert set(run.difference()["baseline"]) == {"recorded"}
    assert run.difference(("cocoa_plus", {"k_weak": 1}))["difference"][-1] in (0.0, None)
    with pytest.raises(ValueError, match="lee2016 is none of the timers replayed"):
        run.difference("lee2016")


def test_exchanges_and_copies_of_the_first_replicate_agree(run: rtoscope.Run, grid: rtoscope.Capture) -> None:
    exchanges, copies = polars.DataFrame(run.exchanges()), polars.DataFrame(run.copies())
    assert exchanges["algorithm"].unique(maintain_order=True).to_list() == run.algorithms
    keys = ["algorithm", "exchange"]
    lost = copies["fate"].is_in(["request_lost", "reply_lost", "lost"])
    counted = (
        copies.with_columns(lost.alias("lost"))
        .group_by(keys)
        .agg(polars.len().alias("copies"), polars.col("needless").sum(), polars.col("lost").sum())
    )
    same = exchanges.select(*keys, "copies", "needless", "lost").join(counted, on=keys, suffix="_counted")
    assert len(same) == len(exchanges)
    for name in ("copies", "needless", "lost"):
        assert same[name].to_list() == same[f"{name}_counted"].to_list()
    recorded = polars.DataFrame(grid.exchanges())
    assert set(exchanges["exchange"]) <= set(recorded["id"])
    # Timers of the default back off by two, from 2 s to 3 s.
    first = copies.filter(polars.col("algorithm") == "coap_default", polars.col("copy") == 0)["timer"]
    assert 2.0 <= first.min() <= first.max() <= 3.0


def test_a_question_has_one_answer(grid: rtoscope.Capture, run: rtoscope.Run) -> None:
    again = rtoscope.open(path("grid3x3-burst-default")).replay(TIMERS, channel="empirical", replicates=20, seed=3)
    assert set(again.metrics().columns) >= set(run.metrics().columns)
    shown = ["algorithm", "metric", "mean", "lo90", "hi90"]
    assert [[row[c] for c in shown] for row in again.metrics()] == [[row[c] for c in shown] for row in run.metrics()]
    assert list(again.exchanges()) == list(run.exchanges())


def test_a_part_and_rules(grid: rtoscope.Capture, cli: Cli) -> None:
    client = grid.info["associations"][0]["client_name"]
    run = grid.replay(
        ["coap_default"],
        channel="empirical",
        replicates=5,
        bounds=False,
        rules={"max_retransmit": 2, "exchange_lifetime": 100.0},
        as_recorded=[client],
        start=60.0,
        warm=False,
    )
    words = ["--as-recorded", client, "--from", "60", "--cold", "--max-retransmit", 2, "--exchange-lifetime", 100]
    model = ["--channel", "empirical", "--replicates", 5, "--seed", 1]
    answer = cli("replay", path("grid3x3-burst-default"), "--algorithm", "coap_default", *model, *words)
    (of,) = answer["runs"]
    assert {r["metric"]: r["mean"] for r in run.metrics()} == {m: v["mean"] for m, v in of["metrics"].items()}
    assert max(run.exchanges()["copies"]) <= 3 or client in run.exchanges()["client"]
    with pytest.raises(ValueError, match="there is no client 'nobody'; there are: "):
        grid.replay(as_recorded=["nobody"])


def test_the_channel_says_why(sleepy: rtoscope.Capture) -> None:
    run = sleepy.replay(["coap_default"], replicates=5)
    assert run.channel != "auto"
    assert run.why is not None
    # Its sniffers hear no hops, so that there is no network twin.
    assert run.trust in {"low", "medium"}
    assert sleepy.replay(["coap_default"], channel="empirical", replicates=5).trust is None
    assert "coap_default" in repr(run)
    html = run._repr_html_()
    assert "Completion" in html
    assert "coap_default" in html
    recorded = {row["metric"]: row["recorded"] for row in run.metrics()}
    assert f"<td>{recorded['duration_mean']:.2f} s</td>" in html


def test_identify_is_that_of_the_command_line(sleepy: rtoscope.Capture, cli: Cli) -> None:
    found, expected = sleepy.identify(), cli("identify", path("live-sleepy-default"))
    assert found.all.said == expected["trace"]["verdict"]["said"]
    probabilities = [candidate["probability"] for candidate in expected["trace"]["candidates"]]
    assert [candidate.probability for candidate in found.all.candidates] == probabilities
    assert [t["value"] for t in found.timeouts] == [t["value"] / 1e9 for t in expected["timeouts"]]
    client = sleepy.info["associations"][0]["client_name"]
    assert sleepy.identify([client]).all == found.all
    assert found.all.said in str(found)


def test_a_confidence_is_a_probability(grid: rtoscope.Capture) -> None:
    """Shares of presets of one family are summed, and rounded."""
    confidence = grid.identify().all.confidence
    assert confidence is not None
    assert 0.9 < confidence <= 1.0


def test_algorithms_are_those_of_the_command_line(cli: Cli) -> None:
    found = rtoscope.algorithms()
    assert len(found) > 20
    cocoa = next(algorithm for algorithm in found if algorithm.id == "cocoa_plus")
    assert {param.name: param.default for param in cocoa.params}["k_weak"] == 1.0 or cocoa.params
    known = {row["id"] for row in cli("algorithms")}
    assert {algorithm.id for algorithm in found} == known


def test_presets_of_ones_own(sleepy: rtoscope.Capture, tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[[preset]]\nid = "mine"\nname = "Mine"\nbase = "coap_default"\nparams = { ack_timeout = 3 }\n')
    capture = rtoscope.open("sample:live-sleepy-default", presets=[file])
    assert capture.algorithms()[-1].id == "mine"
    run = capture.replay(["mine", "coap_default:ack_timeout=3"], replicates=5, channel="empirical")
    rows = list(run.metrics())
    half = len(rows) // 2
    assert [r["mean"] for r in rows[:half]] == [r["mean"] for r in rows[half:]]
