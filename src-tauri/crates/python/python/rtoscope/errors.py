"""Errors of the core as exceptions."""

from __future__ import annotations


class Error(Exception):
    """An error of the core.

    Attributes
    ----------
    code : str
        Kind, for programs: ``capture``, ``request``, ``gone``, ``internal``, ``cancelled`` or ``cluster``.
    message : str
        What failed, where, and what to do about it, for a person.
    detail : str or None
        Further lines, such as one for each mistake.
    at : int or None
        Column of the mistake, from 1: in a filter expression in characters, in JSON text in octets; none where no
        place is known.
    """

    def __init__(self, code: str, message: str, detail: str | None = None, at: int | None = None) -> None:
        super().__init__(code, message, detail, at)
        self.code = code
        self.message = message
        self.detail = detail
        self.at = at

    def __str__(self) -> str:
        return self.message if self.detail is None else f"{self.message}\n{self.detail}"


class CaptureError(Error):
    """A file that could not be read, or is not a capture."""


class RequestError(Error, ValueError):
    """A request that makes no sense: an unknown name, a parameter out of range."""


class GoneError(Error, LookupError):
    """A capture or a run that is not open any more."""


class InternalError(Error, RuntimeError):
    """A fault of this program."""


class ClusterError(Error, RuntimeError):
    """A cluster that does not answer, or whose workers die. What they have done is kept."""


_CLASSES: dict[str, type[Error]] = {
    "capture": CaptureError,
    "request": RequestError,
    "gone": GoneError,
    "internal": InternalError,
}


def _of(code: str | None, message: str, detail: str | None, at: int | None) -> Error:
    code = code or "internal"
    return _CLASSES.get(code, Error)(code, message, detail, at)
