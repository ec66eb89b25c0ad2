"""Loaded by the workers of `rtoscope.cluster.local` when they begin."""

from __future__ import annotations

import signal


def dask_setup(_worker: object) -> None:
    """Leave Ctrl C to the client, which ends its workers: a terminal sends it to all of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
