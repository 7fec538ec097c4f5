"""Table 4 of wang2024 beside the data, counted plainly from the files."""

import csv
import gzip
from collections import Counter

import pytest

from reproductions import Options, run
from reproductions.results import rows_of
from reproductions.wang2024 import shapes
from reproductions.wang2024.samples import SETS

(TABLE4,) = shapes.EXPERIMENTS
FOUR = ("bupa_liver", "zoo", "libras", "balance_scale")


@pytest.fixture(scope="module")
def found(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("shapes")
    run(TABLE4, Options(folder, data, sets=FOUR), show=False)
    return rows_of(folder / "table4.csv")


def read(folder, name):
    """The header and the rows of a data set, as text."""
    path = folder / f"{name}.csv"
    text = path.read_text() if path.exists() else gzip.decompress((folder / f"{name}.csv.gz").read_bytes()).decode()
    return list(csv.reader(text.splitlines()))


@pytest.mark.parametrize("name", FOUR)
def test_counts_of_the_data_are_those_of_the_file(found, data, name):
    (_, *lines), at = read(data, name), {}
    for row in found:
        if row["set"] == name and row["counted"] in (None, "data"):
            at[row["measure"]] = row["ours"]
    classes = Counter(line[-1] for line in lines)
    values = [len({float(line[f]) for line in lines}) for f in range(len(lines[0]) - 1)]
    assert at["objects"] == len(lines) and at["attributes"] == len(lines[0]) - 1 and at["classes"] == len(classes)
    assert at["smallest class %"] == pytest.approx(100 * min(classes.values()) / len(lines))
    assert at["largest class %"] == pytest.approx(100 * max(classes.values()) / len(lines))
    assert (at["fewest values"], at["most values"]) == (min(values), max(values))


def test_a_number_of_intervals_leaves_no_fewer_than_a_threshold_does(found):
    at = {(r["set"], r["measure"], r["counted"]): r["ours"] for r in found}
    for name in ("bupa_liver", "libras"):
        for measure in ("fewest values", "most values"):
            assert at[name, measure, "threshold"] <= at[name, measure, "intervals"] <= 50
        assert at[name, "most values", "threshold"] < at[name, "most values", "intervals"]
        assert at[name, "fewest values", "intervals"] >= 2


def test_agreement_is_to_the_printed_digits():
    assert shapes.agrees({"ours": 34.477, "printed": 34.48}) and not shapes.agrees({"ours": 34.49, "printed": 34.48})


def test_every_set_of_table_4_has_a_task(tmp_path):
    assert tuple(task["set"] for task in TABLE4.tasks(Options(tmp_path))) == SETS
