"""One rule for what a column is, where entries cannot agree by nature; where they can, `tests/laws` asks them all.

A CSV file holds texts alone, so that its texts are numbers if all are; spaces around texts count in a vector, but not
in a CSV file. `Table.of` and `selected_pvalue` take texts for words, dates too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from splitcrit import Table, Tables, rank_features
from splitcrit.data.formats import FileOptions

NOON = dt.datetime(2024, 1, 1, 12)


@pytest.mark.parametrize("entry", ["list", "objects", "file", "two vectors", "arrow"])
def test_dates_with_and_without_a_time_zone_have_no_order(tmp_path: Path, entry: str) -> None:
    values = [NOON, NOON.replace(tzinfo=dt.UTC), NOON]
    file = tmp_path / "x.csv"
    file.write_text("x,y\n" + "".join(f"{x.isoformat()},{y}\n" for x, y in zip(values, "aba", strict=True)))
    calls: dict[str, Callable[[], Any]] = {
        "list": lambda: Tables.of({"x": values}, list("aba")),
        "objects": lambda: rank_features({"x": np.array(values, dtype=object)}, list("aba")),
        "file": lambda: rank_features(file, "y"),
        "two vectors": lambda: Table.of(values, list("aba")),
        "arrow": lambda: rank_features(pa.table({"x": [x.isoformat() for x in values], "y": list("aba")}), "y"),
    }
    with pytest.raises(ValueError, match=r"all dates of a column must have a time zone, or none; got .* and .*; write"):
        calls[entry]()


def test_what_a_file_and_a_vector_cannot_have_alike(tmp_path: Path) -> None:
    """A file has texts alone, which are read unless words are asked for; typed texts stay texts."""
    (path := tmp_path / "x.csv").write_text("x,y\nTrue,a\n1,b\n 1:00:00,a\n1:00:00,b\n")
    assert Tables.of(path, "y", bins=9).tables["x"].row_names == ("1", "1:00:00", "True")
    for texts, of_file in (
        ([" a", "a"], ("a",)), (["1", "1.0"], (1.0,)), (["007", "7"], ("007", "7")), (["3E4", "30000"], (30000.0,)),
        (["1,5", "1.5"], ("1,5", "1.5")), (["?", "a"], ("?", "a")), (["?", "1"], (1, "(missing)")),
    ):  # fmt: skip
        path.write_text("x,y\n" + "".join(f'"{text}",{y}\n' for text, y in zip(texts, "pq", strict=True)))
        for bins in (None, 9):
            assert Tables.of(path, "y", bins=bins, missing="row").tables["x"].row_names == of_file
            for vector in (texts, np.array(texts), pd.Series(texts), pl.Series(texts), pa.array(texts)):
                assert Tables.of({"x": vector}, ["p", "q"], bins=bins).tables["x"].row_names == tuple(sorted(texts))
        words = FileOptions.of(as_text=["x"])
        assert Tables.of(path, "y", files=words).tables["x"].row_names == tuple(sorted({x.strip() for x in texts}))
    fine = ["2024-01-01T00:00:00.000000001", "2024-01-01"]
    for bins in (None, 9):
        assert Tables.of({"x": fine}, ["p", "q"], bins=bins).tables["x"].shape == (1, 2)
        assert Tables.of({"x": list(map(pd.Timestamp, fine))}, ["p", "q"], bins=bins).tables["x"].shape == (2, 2)
    assert Table.of(fine, ["p", "q"]).row_names == tuple(sorted(fine))
