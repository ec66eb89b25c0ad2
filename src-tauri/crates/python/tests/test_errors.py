"""Errors of the core as exceptions: their code, message and place."""

from __future__ import annotations

import pickle

import pytest

import rtoscope
from conftest import path


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(rtoscope.CaptureError, match=r"nothing\.pcap") as raised:
        rtoscope.open("nothing.pcap")
    assert raised.value.code == "capture"
    assert isinstance(raised.value, rtoscope.Error)


def test_a_file_that_is_no_capture(tmp_path) -> None:
    file = tmp_path / "text.pcap"
    file.write_text("no capture")
    with pytest.raises(rtoscope.CaptureError) as raised:
        rtoscope.open(file)
    assert raised.value.message == str(raised.value)


def test_a_mistake_in_a_filter_has_its_column(sleepy: rtoscope.Capture) -> None:
    with pytest.raises(rtoscope.RequestError) as raised:
        sleepy.frames(filter="coap.type == CON && nothing")
    assert raised.value.at == 21
    assert isinstance(raised.value, ValueError)


def test_requests_that_make_no_sense(sleepy: rtoscope.Capture) -> None:
    for algorithms, said in [
        (["nothing"], "nothing"),
        (["cocoa_plus:k_weak=-1"], "k_weak"),
        (["cocoa_plus:k_weak"], "k_weak"),
        ([("cocoa_plus", {"nothing": 1})], "nothing"),
    ]:
        with pytest.raises(rtoscope.RequestError, match=said):
            sleepy.replay(algorithms, replicates=2)
    with pytest.raises(rtoscope.RequestError, match="replicates"):
        sleepy.replay(["coap_default"], replicates=0)
    with pytest.raises(rtoscope.RequestError, match="elsewhere"):
        sleepy.replay(["coap_default"], channel="elsewhere")  # type: ignore[arg-type]
    with pytest.raises(rtoscope.RequestError, match="There is no sample `nothing`"):
        rtoscope.open("sample:nothing")
    with pytest.raises(TypeError, match=r"such as \['coap_default'\]"):
        sleepy.replay("coap_default")


def test_damage_is_a_note_with_its_place(tmp_path) -> None:
    import gzip

    octets = gzip.decompress(path("live-sleepy-default").read_bytes())
    file = tmp_path / "cut.pcap"
    file.write_bytes(octets[:-7])
    (note,) = [note for note in rtoscope.open(file).notes if note["layer"] == "file"]
    assert note["count"] == 1
    assert note["first_frame"] is not None or note["first_offset"] is not None


def test_a_name_does_not_act_on_who_reads_it(tmp_path) -> None:
    file = tmp_path / "a\x1b[31m<b>.pcap.gz"
    file.write_bytes(path("live-sleepy-default").read_bytes())
    capture = rtoscope.open(file)
    run = capture.replay(["coap_default"], replicates=2, channel="empirical")
    for shown in (repr(capture), capture._repr_html_(), repr(run), run._repr_html_()):
        assert "\x1b" not in shown
    assert "<b>" not in capture._repr_html_() + run._repr_html_()


def test_exceptions_travel_between_processes() -> None:
    with pytest.raises(rtoscope.Error) as raised:
        rtoscope.open("nothing.pcap")
    error = pickle.loads(pickle.dumps(raised.value))
    assert type(error) is type(raised.value)
    assert (error.code, error.message, error.at) == (raised.value.code, raised.value.message, raised.value.at)
