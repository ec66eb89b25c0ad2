"""Tables: named columns of equal length, for whatever library computes with them."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rtoscope import _core

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Cell = str | int | float | None
"""One cell; None where the column does not apply. Times are seconds."""

_SHOWN = 10
"""Rows of a representation. Chosen here: it fits beside what surrounds it."""


class Table:
    """Named columns of equal length.

    It speaks Arrow's PyCapsule interface, so that libraries take it as it is and without a copy:
    ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``duckdb.sql("from table")``. Without any of them it has its
    cells as lists. Times are seconds, and a cell that does not apply is None, null in Arrow.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Table) -> None:
        self._core = core

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return self._core.columns

    @property
    def kinds(self) -> dict[str, str]:
        """Kind of each column: ``str``, ``int``, ``float``, or ``seconds``, which is a float in Arrow."""
        return dict(zip(self._core.columns, self._core.kinds, strict=True))

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, column: str) -> list[Cell]:
        return self._core.column(column)

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        """Iterate over the rows."""
        columns = self.columns
        for cells in zip(*(self[column] for column in columns), strict=True):
            yield dict(zip(columns, cells, strict=True))

    def nanoseconds(self, column: str) -> list[int | None]:
        """Return the cells of a column of times in nanoseconds: every digit of a time since 1970, unlike a float.

        Parameters
        ----------
        column : str
            Its name; its kind is ``seconds``.

        Returns
        -------
        list of int or None
            One for each row.

        Raises
        ------
        KeyError
            If there is no such column of times.
        """
        return self._core.nanoseconds(column)

    def to_dict(self) -> dict[str, list[Cell]]:
        """Return all columns as lists, by name.

        Returns
        -------
        dict
            Lists of cells by column.
        """
        return {column: self[column] for column in self.columns}

    def to_polars(self) -> polars.DataFrame:
        """Return a frame of Polars that shares the memory of this table.

        Returns
        -------
        polars.DataFrame
            The same columns.

        Raises
        ------
        ImportError
            If Polars is not installed.
        """
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of pyarrow that shares the memory of this table.

        Returns
        -------
        pyarrow.Table
            The same columns; fields of times have their unit in the metadata.

        Raises
        ------
        ImportError
            If pyarrow is not installed.
        """
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a frame of pandas, by pyarrow.

        Returns
        -------
        pandas.DataFrame
            The same columns.

        Raises
        ------
        ImportError
            If pandas or pyarrow is not installed.
        """
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame

    def __arrow_c_schema__(self) -> object:
        """Return the type of the rows as a capsule."""
        return self._core.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as a capsule."""
        return self._core.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        more = "" if len(self) <= _SHOWN else f"… {len(self) - _SHOWN} more\n"
        return f"{_count(len(self), 'row')} × {_count(len(self.columns), 'column')}\n{self._core.text(_SHOWN)}{more}"

    def text(self) -> str:
        """Return all rows as aligned text.

        Returns
        -------
        str
            A line for the names, and one for each row.
        """
        return self._core.text(len(self))

    def _repr_html_(self) -> str:
        columns = self.columns
        is_text = [kind == "str" for kind in self._core.kinds]

        def cell(tag: str, text: str, is_text: bool) -> str:
            side = "left" if is_text else "right"
            return f'<{tag} style="text-align:{side}">{html.escape(text)}</{tag}>'

        head = "".join(cell("th", name, left) for name, left in zip(columns, is_text, strict=True))
        rows = "".join(
            "<tr>"
            + "".join(cell("td", self._core.cell(at, row) or "", left) for at, left in enumerate(is_text))
            + "</tr>"
            for row in range(min(len(self), _SHOWN))
        )
        size = f"{_count(len(self), 'row')} × {_count(len(columns), 'column')}"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{size}</p>"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
