"""Files that say which workers Slurm is asked for (`rtoscope.cluster.slurm`)."""

from __future__ import annotations

from typing import Any

from rtoscope.errors import RequestError

_KEYS = {
    "workers": int,
    "memory": str,
    "cores": int,
    "walltime": str,
    "queue": str,
    "account": str,
    "interface": str,
    "python": str,
    "local_directory": str,
    "log_directory": str,
    "death_timeout": (int, str),
    "job_extra_directives": list,
    "job_script_prologue": list,
}
"""Keys with their types; all but ``workers`` are those of ``dask_jobqueue.SLURMCluster``."""


def read(file: str) -> dict[str, Any]:
    """Read and check a file; raise RequestError where it has a mistake."""
    import yaml

    try:
        with open(file, encoding="utf-8") as text:
            asked = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise RequestError("request", f"{file} cannot be read: {error}.") from error
    if not isinstance(asked, dict):
        raise RequestError("request", f"{file} has no keys: at least workers and memory are needed.")
    for key, value in asked.items():
        if key not in _KEYS:
            raise RequestError("request", f"{file}: `{key}` is unknown; there are: {', '.join(_KEYS)}.")
        if not isinstance(value, _KEYS[key]) or isinstance(value, bool):  # type: ignore[arg-type]
            raise RequestError("request", f"{file}: `{key}` is of the wrong type: {value!r}.")
    for key in ("workers", "memory"):
        if key not in asked:
            raise RequestError("request", f"{file}: `{key}` is missing.")
    for key in ("workers", "cores"):
        if asked.get(key, 1) < 1:
            raise RequestError("request", f"{file}: `{key}` is at least 1.")
    return dict(asked)


def check_interface(file: str, name: str) -> None:
    """Raise RequestError where this machine, on which the scheduler runs, has no network interface called `name`."""
    import psutil  # Dask brings it

    there = sorted(psutil.net_if_addrs())
    if name not in there:
        raise RequestError(
            "request", f"{file}: `interface`: this machine has no {name!r}; there are: {', '.join(there)}."
        )
