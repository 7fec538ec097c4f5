"""Audits of rows in files and other parts: the same figures as of the rows in memory."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import lightgbm
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xgboost
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from splitcrit.audits import audit
from splitcrit.data import csv_files, row_parts, sources
from splitcrit.data import sources as files
from splitcrit.nulls.evalues import log_ratios, mean_evalues
from splitcrit.trees import TreeClassifier

N, FILES = 600, 4
RNG = np.random.default_rng(1)
X = np.column_stack([RNG.normal(size=(N, 2)).round(2), RNG.integers(0, 5, N)])
Y = (X[:, 0] + 0.5 * RNG.normal(size=N) > 0).astype(int)
WORDS = np.array(["no", "yes", "maybe"], dtype=object)[Y + (X[:, 2] > 3)]
NAMES = ["size", "shoe size", "few"]
FRAME = pd.DataFrame(X, columns=NAMES).assign(few=X[:, 2].astype(int))
OLD, NEW = slice(0, 300), slice(300, N)


MODELS: dict[str, tuple[Callable[[], Any], Any]] = {
    "tree without names": (lambda: DecisionTreeClassifier(max_depth=3).fit(X[OLD], WORDS[OLD]), WORDS),
    "forest with names": (lambda: RandomForestClassifier(3, max_depth=3).fit(FRAME[OLD], Y[OLD]), Y),
    "boosted": (lambda: GradientBoostingClassifier(n_estimators=3).fit(X[OLD], Y[OLD]), Y),
    "our tree": (lambda: TreeClassifier(max_depth=3).fit(FRAME[OLD], WORDS[OLD]), WORDS),
    "numbers": (lambda: RandomForestRegressor(3, max_depth=3).fit(X[OLD], 1e6 + X[OLD, 0] + Y[OLD]), 1e6 + X[:, 0] + Y),
    "lightgbm": (
        lambda: lightgbm.LGBMClassifier(n_estimators=3, num_leaves=4, verbose=-1, n_jobs=1).fit(
            FRAME[OLD].rename(columns=lambda x: x.replace(" ", "_")), WORDS[OLD]
        ),
        WORDS,
    ),
    "xgboost, classes unknown": (
        lambda: xgboost.XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1).fit(X[OLD], Y[OLD]).get_booster(),
        Y,
    ),
}


def written(folder: Path, label: Any, form: str = "parquet") -> Path:
    folder.mkdir()
    whole = FRAME[["few", "size", "shoe size"]].assign(kind=label)[["kind", "size", "shoe size", "few"]][NEW]
    for i, rows in enumerate(np.array_split(np.arange(len(whole)), FILES)):
        part = whole.iloc[rows]
        if form == "parquet":
            table = pa.Table.from_pandas(part, preserve_index=False)
            pq.write_table(table, folder / f"{i}.parquet", row_group_size=20)
        else:
            part.to_csv(folder / f"{i}.csv", index=False)
    return folder


def in_memory(model: Any, label: Any) -> Any:
    named = hasattr(model, "feature_names_in_") and "lightgbm" not in type(model).__module__
    return audit(model, FRAME[NEW] if named else X[NEW], label[NEW])


def figures(report: Any) -> list[Any]:
    """Its numbers; e-values of numbers compare rows in memory in pairs, and elsewhere count them above a cut or not."""
    evalues = None if report.classes is None else report.evalues
    return [np.asarray(x) for x in (*report.splits, *report.importances, evalues) if x is not None]


def same_figures(found: Any, known: Any, rounded: bool = False) -> None:
    """Two audits have the same numbers, some perhaps but for rounding."""
    for ours, theirs in zip(figures(found), figures(known), strict=True):
        if rounded and ours.dtype != object:
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
        else:
            np.testing.assert_array_equal(ours, theirs)


def test_e_values_of_numbers_in_parts_are_those_of_their_tables(tmp_path: Path) -> None:
    make, label = MODELS["numbers"]
    model = make()
    report = audit(model, written(tmp_path / "rows", label), "kind")
    splits, logs = report.splits, list[Any]()
    for i, tree in enumerate(model.estimators_):
        t, tables = tree.tree_, splits.tables[splits.tree == i]
        inner = np.flatnonzero(t.children_left >= 0)
        means = t.value[:, 0, 0]
        higher = np.sign(means[t.children_left[inner]] - means[t.children_right[inner]]).astype(int)
        logs.append((log_ratios(tables[..., ::-1], higher[:, None])[0], t.feature[inner]))
    weights = np.array([tree.tree_.compute_feature_importances(normalize=False) for tree in model.estimators_])
    assert report.evalues == pytest.approx(mean_evalues(logs, 3, weights), rel=1e-9) and report.evalues.max() > 20


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_parts, "BATCH", 7)
    monkeypatch.setattr(csv_files, "BYTES", 2**8)


@pytest.mark.each_value
@pytest.mark.parametrize("form", ["parquet", "csv", "csv in memory"])
@pytest.mark.parametrize("name", MODELS)
def test_an_audit_of_parts_is_that_of_the_rows(tmp_path, monkeypatch, name: str, form: str) -> None:
    monkeypatch.setattr(sources, "HELD", 2**20 if "memory" in form else 0)
    make, label = MODELS[name]
    model = make()
    known = in_memory(model, label)
    found = audit(model, written(tmp_path / "rows", label, form), "kind")
    assert found.rows == known.rows and found.remarks == known.remarks
    assert (found.classes is None) == (known.classes is None) == (name == "numbers")
    assert found.classes is None or found.classes.tolist() == known.classes.tolist()
    same_figures(found, known, name == "numbers")


def with_gaps(label: Any) -> Any:
    """Labels of which a whole batch, and some others, are missing."""
    found = label.astype(object)
    found[[*range(300, 307), *range(330, N, 17)]] = None
    return found


@pytest.mark.parametrize("form", ["vectors", "parquet", "csv", "csv in memory"])
@pytest.mark.parametrize("name", ["tree without names", "forest with names", "numbers", "lightgbm"])
def test_rows_without_a_label_are_left_out_and_counted(tmp_path, monkeypatch, name: str, form: str) -> None:
    monkeypatch.setattr(sources, "HELD", 2**20 if "memory" in form else 0)
    make, label = MODELS[name]
    model, gaps = make(), with_gaps(label)
    there = np.array([x is not None for x in gaps]) & (np.arange(N) >= 300)
    rows = FRAME if name == "forest with names" else X
    known = audit(model, rows[there], label[there])
    weights = np.ones(300, dtype=int) if form == "vectors" and name != "lightgbm" else None
    files = None if form == "vectors" else written(tmp_path / "rows", gaps, form)
    found = audit(model, rows[NEW], gaps[NEW], sample_weight=weights) if files is None else audit(model, files, "kind")
    assert set(found.remarks) - set(known.remarks) == {f"left out, without a target: {300 - there.sum()} rows"}
    same_figures(found, known, name == "numbers")
    refused(r"y has no gaps|responses are|label", audit, model, rows[NEW], gaps[NEW], "training")


def test_frames_and_dask_frames_are_parts_too() -> None:
    model = MODELS["forest with names"][0]()
    whole = FRAME.assign(kind=Y)[NEW]
    known = in_memory(model, Y)
    for data in (whole, dd.from_pandas(whole, npartitions=3), pa.Table.from_pandas(whole)):
        same_figures(audit(model, data, "kind"), known)


class Killed(Exception):
    """A run that ends in the middle."""


@pytest.mark.parametrize("name", ["tree without names", "numbers", "xgboost, classes unknown"])
def test_a_killed_audit_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sources, "HELD", 0)
    make, label = MODELS[name]
    model, folder, kept = make(), written(tmp_path / "rows", with_gaps(label)), tmp_path / "kept"
    known, pieces = audit(model, folder, "kind"), list[Any]()
    batches = files._read
    monkeypatch.setattr(files, "_read", lambda *given, **types: (pieces.append(given[0]), batches(*given, **types))[1])

    def watch(rows: int, total: int | None) -> None:
        assert total == 300
        if rows > 190:
            raise Killed

    with pytest.raises(Killed):
        audit(model, folder, "kind", watch=watch, resume=kept)
    first = len(pieces)
    same_figures(audit(model, folder, "kind", resume=kept), known)
    groups = sum(pq.ParquetFile(file).num_row_groups for file in sorted(folder.glob("*.parquet")))
    assert groups / 2 < first < len(pieces) <= groups + 2  # one is read again, and one to see the types
    other = RandomForestClassifier(9, max_depth=2).fit(X[OLD], Y[OLD])
    refused(r"the same arguments; got other arguments than in .*audit.npz", audit, other, folder, "kind", resume=kept)


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (lambda m, d: audit(m, d, "class"), ValueError, "the target must be a column; got 'class' beside kind,"),
        (lambda m, d: audit(m, d, "kind", "training"), ValueError, "are held out, .*; got rows='trai"),
        (lambda m, d: audit(m, d, "kind", sample_weight=[1]), ValueError, "nor groups; got sample_weight"),
        (lambda m, d: audit(m, d, "kind", groups=[1]), ValueError, "neither weights nor groups; got groups; pass fea"),
        (lambda m, d: audit(m, d, "few"), ValueError, "the 3 columns that the model was fitted on; got none called"),
        (lambda m, d: audit(m, X[NEW], Y[NEW], resume=d), TypeError, "needs an audit of files; got a vector of labels"),
        (lambda m, d: audit(m, FRAME.assign(kind=Y), "kind", resume=d), TypeError, "works on files; got DataFrame"),
        (lambda m, d: audit(m, FRAME[:3].assign(kind=[None] * 3), "kind"), ValueError, "an audit needs rows; got none"),
        (lambda m, d: audit(m, FRAME[:2].assign(kind=["no", "never"]), "kind"), ValueError, "got 'never'; drop rows"),
        (lambda m, d: audit(m, FRAME[:0].assign(kind=[]), "kind"), ValueError, "features have rows"),
        (lambda m, d: audit(m, d / "nowhere", "kind"), FileNotFoundError, "the data must exist"),
        (lambda m, d: audit(m, FRAME.assign(kind=WORDS, few="x"), "kind"), ValueError, "features are .*numbers"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path: Path, act: Callable[..., Any], kind: type[Exception], words: str) -> None:
    model = DecisionTreeClassifier(max_depth=2).fit(FRAME[OLD], WORDS[OLD])
    refused(words, act, model, written(tmp_path / "rows", WORDS), error=kind)
