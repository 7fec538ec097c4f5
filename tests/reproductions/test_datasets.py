"""Data sets: a folder with a manifest, the generators, OpenML without a network."""

import json
from pathlib import Path

import numpy as np
import pytest

from refusals import refused
from reproductions import datasets, wang2024
from reproductions.catalogue import PAPERS, experiments_of
from reproductions.ghosh2017 import sizes
from reproductions.results import Results, rows_of, stored
from reproductions.runner import Experiment, Options
from reproductions.wang2024 import methods
from reproductions.wilton2024 import figure6


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pets.csv").write_text("kind,weight,target\ncat,4,yes\ndog,,no\n,2.5,yes\ncat,3,no\n", encoding="utf-8")
    entry = {"name": "pets", "file": "pets.csv", "n": 4, "d": 2, "categorical_columns": ["kind"]}
    (tmp_path / "manifest.json").write_text(json.dumps({"datasets": [entry]}), encoding="utf-8")
    return tmp_path


def test_columns_are_coded_and_missing_cells_are_nan(folder):
    pets = datasets.load("pets", folder)
    assert pets.features == ("kind", "weight")
    assert pets.categories == {0: ("cat", "dog")}
    assert pets.categorical.tolist() == [True, False]
    np.testing.assert_array_equal(pets.X, [[0, 4], [1, np.nan], [np.nan, 2.5], [0, 3]])
    assert pets.y.tolist() == ["yes", "no", "yes", "no"]
    assert datasets.names(folder) == ("pets",)


def test_one_hot_columns_sum_to_presence(folder):
    wide = datasets.load("pets", folder).one_hot()
    assert wide.features == ("kind=cat", "kind=dog", "weight")
    np.testing.assert_array_equal(wide.X, [[1, 0, 4], [0, 1, np.nan], [0, 0, 2.5], [1, 0, 3]])


def test_leaving_a_column_out_moves_the_categories(folder):
    pets = datasets.load("pets", folder).without("weight")
    assert pets.features == ("kind",) and pets.categories == {0: ("cat", "dog")}
    assert datasets.load("pets", folder).without("kind").categories == {}
    refused("must exist; got 'size'", pets.without, "size")


def test_what_is_wrong_is_said(folder, monkeypatch):
    refused("in the manifest; got 'birds'; one of pets", datasets.load, "birds", folder)
    manifest = folder / "manifest.json"
    entry = json.loads(manifest.read_text())["datasets"][0]
    manifest.write_text(json.dumps({"datasets": [entry | {"n": 5}]}))
    refused(r"shape of its manifest, \(5, 2\); got \(4, 2\)", datasets.load, "pets", folder)
    manifest.write_text(json.dumps({"datasets": [entry | {"categorical_columns": []}]}))
    refused("got text in kind of pets", datasets.load, "pets", folder)
    manifest.write_text("[]")
    refused("a manifest is JSON", datasets.load, "pets", folder)
    monkeypatch.delenv("SPLITCRIT_DATA", raising=False)
    refused("no variable SPLITCRIT_DATA", datasets.load, "pets", error=FileNotFoundError)


def test_the_boards_and_boxes_hold_their_classes():
    X, y = datasets.checkerboard(4000, cells=4, rng=1)
    np.testing.assert_array_equal(y, (np.floor(X[:, 0]) + np.floor(X[:, 1])) % 2 == 0)
    assert X.min() >= 0 and 3.9 < X.max() < 4
    X, y = datasets.uniform_halves(4000, rng=1)
    np.testing.assert_array_equal(y, X[:, 0] < 0.5)
    assert abs(y.mean() - 0.9) < 5 * np.sqrt(0.09 / 4000)
    X, y = datasets.uniform_window(4000, rng=1)
    negative = X[y == 0]
    assert negative[:, 0].min() >= 0.5 and negative[:, 0].max() <= 0.7
    assert negative[:, 1].min() >= 0.4 and negative[:, 1].max() <= 0.6
    assert X[y == 1, 0].max() <= 0.5 and X[y == 1, 1].max() > 0.9


def test_a_board_has_no_more_cells_than_an_integer_of_32_bits_counts():
    X, _ = datasets.checkerboard(3, cells=2**31, rng=1)
    assert X.max() > 1e6
    refused("number of cells", datasets.checkerboard, 3, cells=2**31 + 1)


def test_openml_without_a_network_says_so(monkeypatch, tmp_path):
    def unreachable(*args, **kwargs):
        raise OSError("no route")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", unreachable)
    refused("over a network; got no route; connect", datasets.fetch, "iris", error=OSError, cache=tmp_path)


@pytest.mark.parametrize("name", [None, 3, float("nan"), ["a"], {}], ids=range(5))
def test_data_sets_are_named_by_text(folder, name):
    refused("must be in the manifest; got", datasets.load, name, folder)


def test_manifests_that_name_no_file_are_refused(tmp_path):
    (tmp_path / "manifest.json").write_text(json.dumps({"datasets": [{"name": "a"}, {"name": "b", "file": "b.csv"}]}))
    (tmp_path / "b.csv").write_text("class\nx\ny\n")
    for name, said in (("a", "a data set of a manifest has a file; got None for a"), ("b", "got one column in b")):
        refused(said, datasets.load, name, tmp_path)


# The committed results: their design and protocol are those of the experiments, their summaries follow from them.

FOLDER = Path(__file__).parents[2] / "docs" / "reproductions"
OF_FILES = {f"wang2024/{e.name}" for e in wang2024.tables.EXPERIMENTS}  # to list tasks needs the data
PARTIAL = ("yang2019/", "wilton2024/budget", "wilton2024/twoing", "wang2024/table9")
# where the largest data sets, or the slowest forests, were left out
EVERY = {f"{paper}/{experiment.name}": experiment for paper in PAPERS for experiment in experiments_of(paper)}
RECORDED = {name: experiment for name, experiment in EVERY.items() if stored(FOLDER / f"{name}.csv").exists()}


def test_every_manifest_has_its_rows() -> None:
    kept = {f"{path.parent.name}/{path.name.partition('.')[0]}" for path in FOLDER.glob("*/*.manifest.json")}
    assert kept == RECORDED.keys()


@pytest.mark.parametrize("name", RECORDED)
def test_the_design_and_the_protocol_are_those_of_the_experiment(name: str, tmp_path: Path) -> None:
    experiment = RECORDED[name]
    about = json.loads((FOLDER / f"{name}.manifest.json").read_text())["protocol"]
    expected = {"experiment": experiment.name, "seed": 0, "quick": False} | dict(experiment.protocol)
    assert about == json.loads(json.dumps(expected))
    results = Results(tmp_path, experiment.name, experiment.keys, {})
    made = {results.key(row) for row in rows_of(FOLDER / f"{name}.csv")}
    if name in OF_FILES:
        return
    asked = [results.key(task) for task in experiment.tasks(Options(tmp_path))]
    assert len(asked) == len(set(asked))
    ten_times = {results.key(task) for task in experiment.tasks(Options(tmp_path, repeats=10))}  # may grow more trees
    left = without_runs(experiment, set(asked)) - without_runs(experiment, made)
    assert without_runs(experiment, made) <= without_runs(experiment, set(asked) | ten_times)
    assert not left or name.startswith(PARTIAL)


def without_runs(experiment: Experiment, keys: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Keys of tasks without the number of the run, of which a user may ask for others."""
    return {tuple(x for x, key in zip(task, experiment.keys, strict=True) if key != "run") for task in keys}


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDED)
def test_what_is_written_of_the_results_follows_from_them(name: str, tmp_path: Path) -> None:
    experiment = RECORDED[name]
    if experiment.finish is None:
        return
    folder = (FOLDER / name).parent
    experiment.finish(rows_of(folder / f"{experiment.name}.csv"), Options(tmp_path))
    for path in sorted(tmp_path.iterdir()):
        if path.suffix in {".csv", ".txt"}:
            assert path.read_text() == (folder / path.name).read_text(), path.name
        else:
            assert path.suffix == ".png" and path.stat().st_size > 1000


def test_what_varies_within_a_task_is_what_was_recorded() -> None:
    curve = rows_of(FOLDER / "ghosh2017/figure1.csv")
    assert sorted({row["n"] for row in curve if row["panel"] == "b"}) == list(sizes.SIZES)
    assert sorted({row["leaf"] for row in curve if row["panel"] == "a"}) == list(sizes.LEAVES)
    for row in curve:
        if row["panel"] == "b":
            assert row["leaf"] == sizes._leaf(sizes.RULES[str(row["leaves"])], row["n"])
    for name, lams in (("figure6", figure6.LAMS), ("halted", figure6.FEW)):
        assert sorted({row["lam"] for row in rows_of(FOLDER / f"wilton2024/{name}.csv")}) == list(lams)
    table = rows_of(FOLDER / "wang2024/table5.csv")[0]
    assert [name for name in table if name.startswith("accuracy at")] == [f"accuracy at {n}" for n in methods.MINNUM]
