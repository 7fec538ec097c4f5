"""Gains of categorical splits beside chance: against the boosters' own gains on columns in random order."""

import json
import pickle
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from scipy.stats import binom, kstest
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from splitcrit.audits import category_gains
from splitcrit.audits.boosted_categories import PartitionLimits, best_gains

DRAWS = 16  # columns in random order
FREE: dict[str, Any] = {
    "cat_l2": 0,
    "cat_smooth": 1,
    "min_data_per_group": 1,
    "max_cat_threshold": 1000,
    "min_child_samples": 1,
}


def rows(n: int = 1500, levels: int = 40, seed: int = 0, missing: float = 0.0) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(seed)
    city, flag, age = rng.zipf(1.5, n) % levels, rng.integers(0, 3, n), rng.normal(size=n)
    y = (rng.random(n) < 0.25 + 0.2 * (city % 3 == 0) + 0.3 * (flag == 1)).astype(int)
    frame = pd.DataFrame({"city": city, "flag": flag, "age": age})
    gone = rng.random(n) < missing
    frame = frame.astype({"city": "category", "flag": "category"})
    frame["city"] = frame["city"].mask(gone)
    return frame, y


def light(kind: str = "Classifier", **given: Any) -> Any:
    options = {"n_estimators": 3, "num_leaves": 6, "verbose": -1, "n_jobs": 1, "random_state": 0, **given}
    return getattr(lightgbm, f"LGBM{kind}")(**options)


def extreme(kind: str = "Classifier", **given: Any) -> Any:
    options = {"n_estimators": 3, "max_depth": 3, "enable_categorical": True, "n_jobs": 1, "random_state": 0, **given}
    return getattr(xgboost, f"XGB{kind}")(**options)


MODELS = {
    "LightGBM": light(),
    "LightGBM, no limits": light(**FREE),
    "LightGBM, few levels a side": light(max_cat_threshold=3, cat_smooth=2, reg_lambda=3, min_split_gain=0.5),
    "LightGBM, small groups": light(min_data_per_group=30, cat_l2=2, min_child_weight=20, min_child_samples=40),
    "LightGBM, no average": light(boost_from_average=False),
    "LightGBM, heavy sides": light(**FREE | {"min_child_weight": 70}),
    "LightGBM, numbers": light("Regressor", **FREE),
    "XGBoost": extreme(),
    "XGBoost, few levels a side": extreme(max_cat_threshold=4, reg_lambda=5, min_child_weight=10),
    "XGBoost, numbers": extreme("Regressor", reg_lambda=0.5),
}


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("name", MODELS)
def test_the_search_is_the_library_s_own(name: str, missing: float, monkeypatch: Any) -> None:
    """On the sums of the rows themselves it finds the very gain that the library recorded, and a share of two draws."""
    x, y = rows(missing=missing)
    found: list[float] = []

    def kept(grads: Any, seconds: Any, sizes: Any, offered: Any, g: float, h: float, limits: PartitionLimits) -> Any:
        found.extend(best_gains(grads[:1], seconds[:1], sizes, offered, g, h, limits))
        return best_gains(grads, seconds, sizes, offered, g, h, limits)

    def own(sizes: list[int], both: Any, draws: int, seed: int) -> Any:
        starts = np.cumsum([0, *sizes[:-1]])
        sums = np.add.reduceat(both, starts, axis=1)
        return np.outer([1, 0], sums[0]), np.outer([1, 0], sums[1])

    module = "splitcrit.audits.boosted_categories"
    monkeypatch.setattr(f"{module}.best_gains", kept)
    monkeypatch.setattr(f"{module}.sums_of_rows", own)
    monkeypatch.setattr(f"{module}.needs_rows", lambda *_: True)
    splits = category_gains(MODELS[name].fit(x, y), x, y, draws=2)
    assert splits and {"city", "flag"} >= {split.feature for split in splits}
    assert found == pytest.approx([split.gain for split in splits], rel=1e-3)
    assert {split.share for split in splits} == {2 / 3}


@pytest.mark.each_value
@pytest.mark.parametrize("model", [light(n_estimators=1, num_leaves=2), extreme(n_estimators=1, max_depth=1)])
@pytest.mark.parametrize(("levels", "share"), [(8, 0.5), (30, 0.2), (30, 0.5)])
def test_the_mean_by_chance_is_that_of_boosters_on_columns_in_random_order(model, levels, share):
    rng, n = np.random.default_rng([levels, int(100 * share)]), 3000
    code, y = np.arange(n) % levels, rng.permutation(np.arange(n) < share * n).astype(int)
    gains = []
    for _ in range(DRAWS):
        x = pd.DataFrame({"city": pd.Categorical(rng.permutation(code))})
        (split,) = category_gains(model.fit(x, y), x, y, draws=400)
        gains.append(split.gain)
    assert split.method == "draws"
    error = np.std(gains, ddof=1) / DRAWS**0.5
    assert abs(split.by_chance - np.mean(gains)) < 4 * error + 0.03 * split.by_chance
    assert split.ratio == split.gain / split.by_chance


@pytest.mark.parametrize("model", [light(n_estimators=1, num_leaves=2), extreme(n_estimators=1, max_depth=1)])
def test_the_share_of_noise_is_uniform_and_half_of_its_ratios_are_above_one(model: Any) -> None:
    rng, sets = np.random.default_rng(3), 24
    code, y = np.arange(1000) % 20, rng.permutation(np.arange(1000) < 400).astype(int)
    splits = []
    for _ in range(sets):
        x = pd.DataFrame({"city": pd.Categorical(rng.permutation(code))})
        splits += category_gains(model.fit(x, y), x, y, draws=100)
    shares, ratios = np.array([split.share for split in splits]), np.array([split.ratio for split in splits])
    assert len(splits) == sets and kstest(shares, "uniform").pvalue > 0.001
    assert 0.25 < (ratios > 1).mean() < 0.75 and (shares <= 0.05).sum() <= binom.isf(0.001, sets, 0.05)


def test_levels_with_few_events_are_permuted() -> None:
    x, _ = rows(1500, levels=100)
    y = (np.random.default_rng(2).random(1500) < 0.05).astype(int)
    splits = category_gains(light(**FREE).fit(x[["city"]], y), x[["city"]], y, draws=50)
    assert splits[0].method == "rows" and splits[0].rows == 1500


def test_files_are_read_and_nothing_is_unpickled(tmp_path: Path) -> None:
    x, y = rows()
    model = extreme(reg_lambda=5).fit(x, y)
    model.save_model(tmp_path / "model.json")
    with pytest.raises(ValueError, match=r"reproduce the gains that the model recorded.*got .* at node \d of tree 0"):
        category_gains(tmp_path / "model.json", x, y)
    known, live = {"lambda": 5}, category_gains(model, x, y)
    assert category_gains(tmp_path / "model.json", x, y, parameters=known) == live
    read = json.loads((tmp_path / "model.json").read_text())
    assert category_gains(read, x, y, parameters=known) == live
    other = light().fit(x, y)
    other.booster_.save_model(tmp_path / "model.txt")
    assert category_gains(tmp_path / "model.txt", x, y) == category_gains(other, x, y)
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(model))
    with pytest.raises(ValueError, match="a model's file is JSON of XGBoost or CatBoost, or LightGBM's text"):
        category_gains(tmp_path / "model.pkl", x, y)


def test_what_did_not_grow_the_model_is_refused(tmp_path: Path) -> None:
    x, y = rows()
    for model in (light(subsample=0.5, subsample_freq=1), extreme(subsample=0.5), extreme(scale_pos_weight=3)):
        refused("without weights, sampling of rows or other penalties", category_gains, model.fit(x, y), x, y)
    refused("got multiclass; fit such a model", category_gains, light().fit(x, y + (x["age"] > 1)), x, y)
    with pytest.raises(TypeError, match="a LightGBM or XGBoost model; got scikit-learn"):
        category_gains(DecisionTreeClassifier().fit(x[["age"]], y), x[["age"]], y)
    (tmp_path / "model.txt").write_text(light().fit(x, y).booster_.model_to_string().replace("leaf_value", "leaf"))
    refused("LightGBM's text; got a text without 'leaf_value'", category_gains, tmp_path / "model.txt", x, y)
    refused("a logistic loss is of two classes; got one class", category_gains, light().fit(x, y), x, 0 * y)
    with pytest.raises(ValueError, match=r"parameters are lambda, .*; got 'reg_lambda'; pass these names"):
        category_gains(extreme().fit(x, y), x, y, parameters={"reg_lambda": 1})
    refused("every row needs a label; got 1500 rows and 1499 labels", category_gains, light().fit(x, y), x, y[1:])
