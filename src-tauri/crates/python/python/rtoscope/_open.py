"""Reading captures."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rtoscope import _core
from rtoscope._capture import Capture
from rtoscope._progress import Progress, reporting

Path = str | os.PathLike[str]
"""A path of a file or folder."""


@dataclass(frozen=True)
class Sample:
    """A bundled capture.

    Attributes
    ----------
    id : str
        Name for programs: ``open("sample:ID")``.
    name : str
        Name for people.
    about : str
        One line about what it shows.
    nodes : int
        Nodes of the network.
    """

    id: str
    name: str
    about: str
    nodes: int


def samples() -> list[Sample]:
    """Return the bundled captures.

    Returns
    -------
    list of Sample
        The one that is shown first is first.
    """
    startup = json.loads(_core.Session().call("startup", "null"))
    return [Sample(**sample) for sample in startup["samples"]]


def open(
    path: Path | Sequence[Path],
    *,
    ports: Iterable[int] = (),
    rc_option: int | None = None,
    contexts: Iterable[str] = (),
    keys: Iterable[str] = (),
    addresses: Iterable[str] = (),
    fcs: str = "auto",
    unpack_ratio: int | None = None,
    presets: Iterable[Path] = (),
    progress: Progress = None,
) -> Capture:
    """Read a capture and rebuild its exchanges.

    Parameters
    ----------
    path : str, path or sequence of these
        A file; several recordings of one network, which are joined on one clock; or ``"sample:ID"``, one of `samples`.
    ports : iterable of int
        UDP ports of CoAP; without, 5683 and what looks like CoAP.
    rc_option : int, optional
        Number of the retransmission-count option.
    contexts : iterable of str
        6LoWPAN contexts, as ``"0=fd00::/64"``.
    keys : iterable of str
        Keys of 802.15.4 security, as ``"HEX"`` or ``"HEX:INDEX"``.
    addresses : iterable of str
        Extended addresses by short one, as ``"0x1234=00:12:74:00:01:02:03:04"``.
    fcs : str
        Trailer of 802.15.4 frames: ``auto``, or what is known of it.
    unpack_ratio : int, optional
        Greatest factor by which a packed file may grow.
    presets : iterable of path
        Files with presets of your own.
    progress : bool or callable, optional
        Called with octets done and in all. True shows a bar of tqdm or rich where one is installed, False shows none;
        without, a bar is shown where a person is looking.

    Returns
    -------
    Capture
        Ready to be replayed.

    Raises
    ------
    CaptureError
        If the file cannot be read, or is no capture.
    RequestError
        If an option makes no sense.

    Examples
    --------
    >>> capture = open("sample:live-sleepy-default")
    >>> capture.name
    'live-sleepy-default.capture.pcap.gz'
    """
    session = _core.Session()
    for file in presets:
        session.call("presets", json.dumps({"path": os.fspath(file)}))
    decode: dict[str, Any] = {
        "fcs": fcs,
        "ports": list(ports),
        "contexts": list(contexts),
        "keys": list(keys),
        "addresses": list(addresses),
    }
    if rc_option is not None:
        decode["rc_option"] = rc_option
    if unpack_ratio is not None:
        decode["unpack_ratio"] = unpack_ratio
    request = {"decode": decode, **_source(path)}
    with reporting(progress, "reading") as report:
        return Capture(session, json.loads(session.call("open", json.dumps(request), report)))


def _source(path: Path | Sequence[Path]) -> dict[str, Any]:
    """Return the member of a request that names a file, a bundled capture or several recordings."""
    if not isinstance(path, (str, os.PathLike)):
        files = [os.fspath(file) for file in path]
        return {"path": files[0]} if len(files) == 1 else {"merge": files}
    name = os.fspath(path)
    return {"sample": name.removeprefix("sample:")} if name.startswith("sample:") else {"path": name}
