"""How often does an audit let a feature pass that tells nothing, and how many that tell does it find?

``python reproductions/studies/audit_features.py levels --minutes 30`` adds blocks to docs/data/audit_feature_levels.csv
until the time is up or each of six designs, in which nothing tells anything, has 2,000 models; ``power`` adds to
docs/data/audit_feature_power.csv, beside permutation importance with p-values that Benjamini and Hochberg's rule
corrects. LightGBM and XGBoost are asked if they are installed.

Main definitions: ``DESIGNS``, ``MODELS``, ``METHODS``; ``level_block``, ``power_block``.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from blocks import command, seed_of, study
from scipy.stats import false_discovery_control
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

from splitcrit.audits import audit

ALPHA, ORDERS, TINY = 0.05, 199, 1e-12
LEVELS, POWER = 50, 10  # models of a block
Rng = np.random.Generator


def forest(seed: int) -> Any:
    return RandomForestClassifier(30, min_samples_leaf=10, random_state=seed, n_jobs=1)


def lightgbm(seed: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=30, max_depth=3, learning_rate=0.2, verbose=-1, n_jobs=1, random_state=seed)


def xgboost(seed: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=20, max_depth=3, learning_rate=0.2, n_jobs=1, random_state=seed)


def forest_of_numbers(seed: int) -> Any:
    return RandomForestRegressor(30, min_samples_leaf=10, random_state=seed, n_jobs=1)


def lightgbm_of_numbers(seed: int) -> Any:
    from lightgbm import LGBMRegressor

    return LGBMRegressor(n_estimators=30, max_depth=3, learning_rate=0.2, verbose=-1, n_jobs=1, random_state=seed)


def mixed(rng: Rng, n: int) -> Any:
    """Ten independent columns: of two, four and twenty values, and numbers."""
    return np.column_stack([*(rng.integers(0, k, n) for k in (2, 4, 20)), rng.normal(size=(n, 7))]).astype(float)


def gaps(rng: Rng, n: int) -> Any:
    return np.where(rng.random((n, 10)) < 0.2, np.nan, mixed(rng, n))


def correlated(rng: Rng, n: int) -> Any:
    return 0.6 * rng.normal(size=(n, 50)) + 0.8 * rng.normal(size=(n, 1))


DESIGNS: dict[str, tuple[Callable[[Rng, int], Any], Callable[[Rng, int], Any], Callable[[int], Any]]] = {
    "random forests, mixed columns": (mixed, lambda r, n: r.integers(0, 2, n), forest),
    "extra trees to full depth, a rare class": (
        mixed, lambda r, n: (r.random(n) < 0.06).astype(int), lambda seed: ExtraTreesClassifier(10, random_state=seed)
    ),
    "LightGBM, 50 correlated columns": (correlated, lambda r, n: r.integers(0, 2, n), lightgbm),
    "XGBoost, three classes, missing values": (gaps, lambda r, n: r.integers(0, 3, n), xgboost),
    "random forests of numbers, heavy tails": (mixed, lambda r, n: r.standard_t(3, n), forest_of_numbers),
    "LightGBM of counts, 50 correlated columns": (
        correlated, lambda r, n: r.poisson(0.7, n).astype(float), lightgbm_of_numbers
    ),
}  # fmt: skip


def level_block(design: str, block: int) -> dict[str, Any]:
    """Return in how many models of a block, in which no feature tells anything, some feature passes."""
    columns, labels, model = DESIGNS[design]
    seed, some = seed_of("levels", design, block), 0
    for number in range(LEVELS):
        rng = np.random.default_rng([seed, number])
        x, y = columns(rng, 600), labels(rng, 600)
        while y.dtype.kind == "i" and min(len(np.unique(y[:300])), len(np.unique(y[300:]))) < len(np.unique(y)):
            y = rng.permutation(y)
        report = audit(model(number).fit(x[:300], y[:300]), x[300:], y[300:], alpha=ALPHA, samples=199, rng=number)
        some += bool(report.features_passed.any())
    return {"seed": seed, "models": LEVELS, "some": some}


MODELS = {"random forest": forest, "LightGBM": lightgbm, "XGBoost": xgboost}
SIGNALS = {"weak": 0.08, "medium": 0.12, "strong": 0.2}


def by_evalues(model: Any, x: Any, y: Any, rng: Rng) -> Any:
    return audit(model, x, y, alpha=ALPHA).features_passed


def by_splits(model: Any, x: Any, y: Any, rng: Rng) -> Any:
    """The features of splits that pass, for which no rate of false features is promised."""
    report = audit(model, x, y, alpha=ALPHA)
    return np.bincount(report.splits.feature[report.passed], minlength=x.shape[1]) > 0


def by_permutations(model: Any, x: Any, y: Any, rng: Rng) -> Any:
    """The loss grows if a column is put in random order: p-values by 199 orders, Benjamini and Hochberg's rule."""
    gain, pvalues = np.log(model.predict_proba(x)[range(len(y)), y] + TINY).mean(), []
    for j in range(x.shape[1]):
        others = np.tile(x, (ORDERS, 1))
        others[:, j] = rng.permuted(np.broadcast_to(x[:, j], (ORDERS, len(x))), axis=1).ravel()
        each = model.predict_proba(others).reshape(ORDERS, len(x), -1)[:, range(len(y)), y]
        pvalues.append((1 + (np.log(each + TINY).mean(axis=1) >= gain).sum()) / (1 + ORDERS))
    return false_discovery_control(pvalues) <= ALPHA


METHODS: dict[str, Callable[..., Any]] = {
    "features by e-values": by_evalues,
    "splits that pass": by_splits,
    "permutation importance": by_permutations,
}


def power_block(model: str, signal: str, method: str, block: int) -> dict[str, Any]:
    """Return sums over a block of how many of two telling features are found, and of the false share of those found.

    Class 1 is more frequent where the first feature, of two values, is 1, and where the fourth, a number, is large.
    """
    seed, found_true, found_false, seconds = seed_of("power", model, signal, block), 0, 0.0, 0.0
    for number in range(POWER):
        rng = np.random.default_rng([seed, number])
        x = mixed(rng, 1200)
        rates = 0.5 + SIGNALS[signal] * ((2 * x[:, 0] - 1) + np.sign(x[:, 3]) * (abs(x[:, 3]) > 0.5))
        y = (rng.random(1200) < rates).astype(int)
        fitted = MODELS[model](number).fit(x[:600], y[:600])
        begun = time.process_time()
        found = METHODS[method](fitted, x[600:], y[600:], rng)
        seconds += time.process_time() - begun
        found_true += int(found[[0, 3]].sum())
        found_false += (found.sum() - found[[0, 3]].sum()) / max(found.sum(), 1)
    row = {"seed": seed, "models": POWER, "true": found_true, "false": round(float(found_false), 6)}
    return row | {"seconds": round(seconds, 2)}


def main(name: str, minutes: float, blocks: int) -> None:
    missing = [kind for kind in ("lightgbm", "xgboost") if not importlib.util.find_spec(kind)]
    if name == "levels":
        designs = [(design,) for design in DESIGNS if not any(kind in design.lower() for kind in missing)]
        study("audit_feature_levels", ("design",), designs, blocks, minutes, level_block)
        return
    models = [model for model in MODELS if model.lower() not in missing]
    cells = [(model, signal, method) for model in models for signal in SIGNALS for method in METHODS]
    study("audit_feature_power", ("model", "signal", "method"), cells, blocks, minutes, power_block)


if __name__ == "__main__":
    command(main, __doc__, 40)
