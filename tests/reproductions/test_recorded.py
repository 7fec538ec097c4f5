"""The committed results: their design and protocol are those of the experiments, their summaries follow from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reproductions import wang2024
from reproductions.catalogue import PAPERS, experiments_of
from reproductions.ghosh2017 import sizes
from reproductions.results import Results, rows_of, stored
from reproductions.runner import Experiment, Options
from reproductions.wang2024 import methods
from reproductions.wilton2024 import figure6

FOLDER = Path(__file__).parents[2] / "docs" / "reproductions"
OF_FILES = {f"wang2024/{e.name}" for e in wang2024.tables.EXPERIMENTS}  # to list tasks needs the data
PARTIAL = ("yang2019/", "wilton2024/budget", "wilton2024/twoing", "wang2024/table9")
# where the largest data sets, or the slowest forests, were left out
RECORDED = {
    f"{paper}/{e.name}": e
    for paper in PAPERS
    for e in experiments_of(paper)
    if stored(FOLDER / paper / f"{e.name}.csv").exists()
}


def test_every_manifest_has_its_rows() -> None:
    kept = {f"{path.parent.name}/{path.name.partition('.')[0]}" for path in FOLDER.glob("*/*.manifest.json")}
    assert kept == RECORDED.keys()


@pytest.mark.parametrize("name", RECORDED)
def test_the_design_and_the_protocol_are_those_of_the_experiment(name: str, tmp_path: Path) -> None:
    experiment = RECORDED[name]
    manifest = json.loads((FOLDER / f"{name}.manifest.json").read_text())
    about = manifest["protocol"]
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
