"""Tables: equal to those of the command line to the bit, and the same memory in other libraries."""

from __future__ import annotations

import polars
import pyarrow
import pytest

import rtoscope
from conftest import Cli, path

FOLDERS = ["live-sleepy-default", "live-ge-cocoa", "grid3x3-burst-default", "tsch-slow-chain5-rc"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_tables_are_those_of_the_command_line(cli: Cli, folder: str) -> None:
    file = path(folder)
    capture = rtoscope.open(file)
    tables = {
        ("exchanges",): capture.exchanges(),
        ("exchanges", "--copies"): capture.copies(),
        ("exchanges", "--copies", "--hops"): capture.copies(hops=True),
        ("messages",): capture.messages(),
        ("messages", "--hops"): capture.messages(hops=True),
        ("messages", "--sightings"): capture.messages(sightings=True),
        ("messages", "--filter", "coap.type == CON"): capture.messages(filter="coap.type == CON"),
        ("frames", "--limit", 50): capture.frames(limit=50),
        ("frames", "--filter", "retransmission"): capture.frames(filter="retransmission"),
        ("network", "--links"): capture.links(),
        ("network", "--nodes"): capture.nodes(),
        ("network", "--parents"): capture.parents(),
    }
    for words, table in tables.items():
        # Python reads the nearest double of each number: equal numbers are equal bits.
        assert list(table) == cli(*words, file), words


def test_the_summary_is_that_of_the_command_line(cli: Cli) -> None:
    file = path("grid3x3-burst-default")
    assert dict(rtoscope.open(file).info) == cli("info", file)


def test_polars_and_pyarrow_read_a_table(grid: rtoscope.Capture) -> None:
    table = grid.copies()
    assert table.to_dict() == table.to_polars().to_dict(as_series=False) == table.to_arrow().to_pydict()
    assert polars.DataFrame(table).equals(table.to_polars())
    schema = pyarrow.schema(table)
    assert schema.names == table.columns
    assert schema.field("rtt").type == pyarrow.float64()
    assert schema.field("rtt").metadata == {b"unit": b"s"}
    assert schema.field("copy").type == pyarrow.int64()
    assert table.kinds["rtt"] == "seconds"


def test_libraries_share_the_memory_of_a_table(grid: rtoscope.Capture) -> None:
    table = grid.exchanges()

    def addresses(arrow: pyarrow.Table) -> dict[str, list[int]]:
        buffers = {name: arrow[name].chunk(0).buffers() for name in arrow.column_names}
        return {name: [b.address for b in of if b is not None and b.size > 0] for name, of in buffers.items()}

    first, second = pyarrow.table(table), pyarrow.table(table)
    assert addresses(first) == addresses(second)
    assert sum(map(len, addresses(first).values())) > len(table.columns)
    # Columns of numbers without nulls in Polars: no copy there either.
    frame = polars.DataFrame(table)
    for name in ("id", "start"):
        assert frame[name].to_arrow().buffers()[1].address in addresses(first)[name], name


def test_an_export_outlives_its_table() -> None:
    frame = polars.DataFrame(rtoscope.open("sample:live-sleepy-default").exchanges())
    arrow = pyarrow.table(rtoscope.open("sample:live-sleepy-default").exchanges())
    assert frame["id"].to_list() == arrow["id"].to_pylist() == list(range(len(frame)))


def test_a_schema_that_is_requested_is_no_error(sleepy: rtoscope.Capture) -> None:
    table = sleepy.exchanges()
    wanted = pyarrow.schema([pyarrow.field("id", pyarrow.int32())]).__arrow_c_schema__()
    assert table.__arrow_c_stream__(wanted) is not None
    capsules = [table.__arrow_c_stream__() for _ in range(100)]
    del capsules  # streams that nobody reads are released with their capsules


def test_a_table_without_rows(sleepy: rtoscope.Capture) -> None:
    table = sleepy.messages(filter="coap.code == DELETE")
    assert len(table) == 0
    assert list(table) == []
    assert polars.DataFrame(table).columns == table.columns
    assert repr(table).startswith("0 rows × 11 columns")


def test_cells_without_any_library(sleepy: rtoscope.Capture) -> None:
    table = sleepy.exchanges()
    nanos = table.nanoseconds("start")[0]
    assert nanos == 1_795_251_361_918_531_000
    assert table["start"][0] == 1_795_251_361.918531
    assert table["outcome"][0] == "acked"
    with pytest.raises(KeyError, match="nothing"):
        table["nothing"]
    with pytest.raises(KeyError, match="no column of times"):
        table.nanoseconds("outcome")


def test_representations(sleepy: rtoscope.Capture) -> None:
    table = sleepy.exchanges()
    assert repr(table).splitlines()[1].split()[:3] == ["id", "client", "client_port"]
    assert repr(table).rstrip().endswith(f"… {len(table) - 10} more")
    assert len(table.text().splitlines()) == len(table) + 1
    assert str(table) == repr(table)
    assert table._repr_html_().count("<tr>") == 11
    html = sleepy._repr_html_()
    assert f"{sleepy.info['copies']:,} copies" in html
    fates = {name: count for name, count in sleepy.info["fates"].items() if count}
    assert html.count("width:") == 2 + len(fates) * 2
    assert repr(sleepy).startswith("<Capture capture.pcap.gz: pcap")
