"""The test of the best threshold of a column that is read in parts: that of the column, or of its bins."""

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refusals import refused
from splitcrit.data import sources
from splitcrit.nulls import selected_pvalue
from splitcrit.table import Tables

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

GAPPED = [3.0, 1.0, None, 2.0, 3.0, 5.0, None, 1.0, 4.0, 4.5]
LABELS = [1, 0, 1, 0, 1, 1, 0, 0, 1, 0]


@pytest.fixture(autouse=True)
def nothing_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "HELD", 0)


def written(folder: Path, x: Any, y: Any) -> Path:
    """Three files, in which the rows lie one after the other."""
    folder.mkdir()
    table = pa.table({"x": x, "y": y})
    for i in range(3):
        start, end = len(table) * i // 3, len(table) * (i + 1) // 3
        pq.write_table(table.slice(start, end - start), folder / f"{i}.pq")
    return folder


@pytest.mark.parametrize("missing", ["row", "side"])
@pytest.mark.parametrize("options", [{"method": "exact"}, {"min_leaf": 2, "statistic": "gini", "mid": True}])
def test_few_values_are_tested_as_they_are(tmp_path: Path, missing: Any, options: dict[str, Any]) -> None:
    folder = written(tmp_path / "rows", GAPPED, LABELS)
    x = np.array([np.nan if v is None else v for v in GAPPED])
    known = selected_pvalue(x, LABELS, missing=missing, **options)
    assert selected_pvalue(folder, "y", feature="x", missing=missing, **options) == known
    refused("feature values must be present; got a missing value in 'x'", selected_pvalue, folder, "y", feature="x")


def test_three_classes_by_random_tables(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 9, 90), rng.integers(0, 3, 90)
    folder = written(tmp_path / "rows", x, y)
    assert selected_pvalue(folder, "y", feature="x", rng=1) == selected_pvalue(x, y, rng=1)


def test_of_many_values_the_best_cut_between_bins_is_tested_exactly(tmp_path: Path) -> None:
    """Against every arrangement of the labels: the bins stay, for they do not depend on them."""
    x, y = [0.1, 0.9, 0.4, 0.3, 0.8, 0.5, 0.7, 0.2], [0, 1, 1, 0, 1, 0, 1, 0]
    folder, options = written(tmp_path / "rows", x, y), {"statistic": "pairwise_gain", "method": "exact"}
    found = selected_pvalue(folder, "y", feature="x", bins=3, **options)
    cuts = [0.3, 0.7]  # three, three and two values
    bins = np.searchsorted(cuts, x, side="left")

    def best(ones: Any) -> int:
        there = np.isin(np.arange(8), ones)
        return max(abs(int((there & (bins <= c)).sum() * 4 - (~there & (bins <= c)).sum() * 4)) for c in (0, 1))

    observed = best(np.flatnonzero(y))
    every = [best(list(ones)) >= observed for ones in combinations(range(8), 4)]
    assert found.value == Fraction(sum(every), len(every)) and found.cut in (3, 6)


def test_bins_are_those_of_the_tables(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    y = (x + 9 * rng.normal(size=3000) > 0).astype(int)
    folder = written(tmp_path / "rows", x, y)
    for bins in (8, 1024):
        table = Tables.of(folder, "y", bins=bins).tables["x"]
        assert selected_pvalue(folder, "y", feature="x", bins=bins) == selected_pvalue(table)
    assert selected_pvalue(folder, "y", feature="x") == selected_pvalue(folder, "y", feature="x", bins=1024)


def test_text_has_no_order_and_a_column_is_one_of_the_data(tmp_path: Path) -> None:
    folder = written(tmp_path / "rows", list("abcabc"), LABELS[:6])
    refused("follow the order of its values; got text, 'a'; pass numbers", selected_pvalue, folder, "y", feature="x")
    with pytest.raises(TypeError, match=r"a stream of columns has a column of each name; got .*; pass a table"):
        selected_pvalue(pa.chunked_array([[1, 2]]), [0, 1], feature="x")
    refused("a feature is a column of the data; got 'z'", selected_pvalue, folder, "y", feature="z")
    refused("missing is one of 'error', 'row', 'side'", selected_pvalue, folder, "y", feature="x", missing="drop")
    refused("the number of bins is an integer from 2; got 1", selected_pvalue, folder, "y", feature="x", bins=1)


def test_an_interrupted_test_goes_on_from_its_counts(tmp_path: Path) -> None:
    x, y = np.repeat(np.arange(30), 3), np.arange(90) % 2
    folder, kept = written(tmp_path / "rows", x, y), tmp_path / "kept"
    known = selected_pvalue(folder, "y", feature="x")
    assert selected_pvalue(folder, "y", feature="x", resume=kept) == known and any(kept.iterdir())
    with np.load(next(kept.glob("*.npz"))) as counts:
        assert len(counts.files) > 0
    assert selected_pvalue(folder, "y", feature="x", resume=kept) == known
    written(tmp_path / "others", x, 1 - y)
    refused("files must be the same in every run", selected_pvalue, tmp_path / "others", "y", feature="x", resume=kept)
    refused("resume= works on files; got no feature=; pass paths", selected_pvalue, x, y, resume=kept, error=TypeError)
