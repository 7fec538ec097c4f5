"""``splitcrit audit`` on files of LightGBM and XGBoost: the figures are the library's, a mistake is a sentence."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas
import pytest
import xgboost

from splitcrit.audits import audit
from splitcrit.cli import main

N = 400


def frame(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    x = pandas.DataFrame({"size": rng.normal(size=N).round(2), "colour": rng.choice(["red", "blue", "grey"], N),
                          "grade": rng.choice([3, 7, 9], N), "noise": rng.random(N).round(3)})  # fmt: skip
    x.loc[::9, "size"] = np.nan
    x["y"] = ((x["colour"] == "red") ^ (x["size"] > 0) ^ (rng.random(N) < 0.1)).astype(int)
    kinds = {"colour": pandas.CategoricalDtype(["blue", "grey", "red"]), "grade": pandas.CategoricalDtype([3, 7, 9])}
    return x.astype(kinds)


TRAINING, NEW = frame(0), frame(1)
FEATURES = ["size", "colour", "grade", "noise"]


def trained(library: str, folder: Path) -> tuple[Any, Path]:
    x, y, path = TRAINING[FEATURES], TRAINING["y"], folder / "model.json"
    if library == "xgboost":
        model = xgboost.XGBClassifier(n_estimators=4, max_depth=3, enable_categorical=True).fit(x, y)
        model.save_model(path)
    else:
        model = lightgbm.LGBMClassifier(n_estimators=4, max_depth=3, verbose=-1, min_data_per_group=5).fit(x, y)
        model.booster_.save_model(path)
    return model, path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    NEW[["noise", "y", *FEATURES[:3]]].to_csv(tmp_path / "new.csv", index=False)
    return tmp_path / "new.csv"


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_the_figures_are_those_of_the_library(library: str, data: Path, tmp_path, capsys, refusal) -> None:
    model, path = trained(library, tmp_path)
    out = tmp_path / "out.json"
    assert main(["audit", f"--{library}", str(path), str(data), "--target", "y", "--json", str(out)]) == 0
    report = audit(model, NEW[FEATURES], NEW["y"])
    found = json.loads(out.read_text())
    assert [row["feature"] for row in found["features"]] == FEATURES
    for name in ("splits", "mdi", "gain", "chance", "net", "verdict", "evalue", "adjusted"):
        assert [row[name] for row in found["features"]] == pytest.approx(report.columns()[name].tolist())
    assert [row["verdict"] for row in found["features"]] == list(report.verdicts.values()) != [False] * 4
    assert found["share_passed"] == report.share_passed > 0.1
    assert sum(found["methods"].values()) == found["splits"] and set(found["methods"]) <= {"exact", "cannot reject"}
    assert found["largest_standard_error"] == 0 and found["remarks"][1].startswith("null: at every split")
    assert capsys.readouterr().out == f"{report}\n"
    # the file tells how many rows, or what share of them, reached each node: these are others
    said = refusal("audit", f"--{library}", path, data, "--target", "y", "--rows", "training")
    assert "training and out-of-bag audits" in said


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_files_in_a_folder_are_audited_as_one_file(library: str, data: Path, tmp_path, capsys, refusal) -> None:
    model, folder, kept = str(trained(library, tmp_path)[1]), tmp_path / "rows", tmp_path / "kept"
    call = ["audit", f"--{library}", model, "--target", "y"]
    assert main([*call, str(data), "--json", str(tmp_path / "one.json")]) == 0
    folder.mkdir()
    for i, part in enumerate((NEW[:150], NEW[150:])):
        part.astype({"colour": str, "grade": int}).to_csv(folder / f"{i}.csv", index=False)
    one = json.loads((tmp_path / "one.json").read_text())
    for row in one["features"]:
        p = row.pop("p_alone")  # of columns in memory
        assert 0 <= p <= 1 if row["splits"] else p is None
    resumed = [folder, "--resume", kept]
    for words in ([folder], sorted(folder.iterdir()), resumed, resumed):
        assert main([*call, *map(str, words), "--json", str(tmp_path / "many.json")]) == 0
        assert {**json.loads((tmp_path / "many.json").read_text()), "file": one["file"]} == one
    assert any(kept.iterdir())
    capsys.readouterr()
    assert "rows read in parts are held out" in refusal(*call, folder, "--rows", "training")


def test_names_that_xgboost_made_up_are_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = TRAINING[["size", "noise"]].to_numpy()
    booster = xgboost.train({"objective": "binary:logistic"}, xgboost.DMatrix(x, TRAINING["y"]), 2)
    booster.save_model(tmp_path / "m.json")
    NEW[["size", "noise", "y"]].to_csv(tmp_path / "d.csv", index=False)
    call = ["audit", "--xgboost", str(tmp_path / "m.json"), str(tmp_path / "d.csv"), "--target", "y"]
    assert main(call) == 0
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()[2:4]} == {"f0", "f1"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "z"], "the target must be a column; got 'z' beside"),
        (["--target", "noise"], "the data have the 4 columns that the model was fitted on; got none called 'noise'"),
        (["--target", "y", "--alpha", "3"], "alpha is a number strictly between 0 and 1"),
    ],
    ids=["no target", "no column", "alpha"],
)
def test_mistakes_end_in_a_sentence(arguments: list[str], said: str, data: Path, tmp_path, refusal) -> None:
    assert said in refusal("audit", "--xgboost", trained("xgboost", tmp_path)[1], data, *arguments)


def test_files_that_hold_no_model_or_no_labels_are_refused(data: Path, tmp_path, capsys, refusal) -> None:
    (binary := tmp_path / "model.ubj").write_bytes(b"\xff\xfe\x00")
    said = "a model's file is JSON of XGBoost or CatBoost, or LightGBM's text; got"
    absent = "an audit takes a fitted model or its file; got"
    for option, model, words in (
        ("--lightgbm", data, said), ("--xgboost", data, said), ("--xgboost", binary, said),
        ("--xgboost", tmp_path, absent), ("--xgboost", tmp_path / "none.json", absent),
    ):  # fmt: skip
        assert words in refusal("audit", option, model, data, "--target", "y")
    path, rows = trained("xgboost", tmp_path)[1], list(csv.reader(data.read_text().splitlines()))
    rows[3][1] = ""
    with data.open("w", newline="") as out:
        csv.writer(out).writerows(rows)
    assert main(["audit", "--xgboost", str(path), str(data), "--target", "y"]) == 0
    assert "left out, without a target: 1 row" in capsys.readouterr().out
