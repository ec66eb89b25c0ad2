"""CoAP captures, their exchanges, and what another retransmission timer would have done.

`open` reads a capture; `Capture.replay` asks what other timers would have done; `Estimator` is one timer, stepped by
hand; `Study` answers the same question for many captures. Tables speak Arrow's PyCapsule interface: Polars, pyarrow,
pandas and DuckDB take them without a copy. All times are in seconds.
"""

from __future__ import annotations

from rtoscope._algorithms import Algorithm, Param, algorithms
from rtoscope._capture import Capture
from rtoscope._core import __version__
from rtoscope._estimator import Answered, Estimator, Exchange
from rtoscope._identify import Candidate, Identification, Ranking
from rtoscope._open import Sample, open, samples
from rtoscope._run import Run
from rtoscope._study import Figure, Study, StudyDone
from rtoscope._table import Table
from rtoscope.errors import CaptureError, ClusterError, Error, GoneError, InternalError, RequestError

__all__ = [
    "Algorithm",
    "Answered",
    "Candidate",
    "Capture",
    "CaptureError",
    "ClusterError",
    "Error",
    "Estimator",
    "Exchange",
    "Figure",
    "GoneError",
    "Identification",
    "InternalError",
    "Param",
    "Ranking",
    "RequestError",
    "Run",
    "Sample",
    "Study",
    "StudyDone",
    "Table",
    "__version__",
    "algorithms",
    "open",
    "samples",
]
