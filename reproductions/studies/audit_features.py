"""How often does an audit show a feature that is uninformative, and how many informative ones does it find?

``python reproductions/studies/audit_features.py levels --minutes 30`` adds blocks to docs/data/audit_feature_levels.csv
until the time is up or each design has 500 models: twelve in which nothing is informative, six in which something is,
and two of survival for which nothing is proved, since one column moves events and, with another, censoring, or for
which it is, by follow-up alone. ``power`` adds to docs/data/audit_feature_power.csv, beside permutation importance
with p-values that Benjamini and Hochberg's rule corrects. LightGBM and XGBoost are asked if they are installed.

Main definitions: ``DESIGNS``, ``MODELS``, ``METHODS``; ``level_block``, ``power_block``.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from blocks import command, seed_of, study
from scipy.stats import false_discovery_control
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier

from splitcrit.audits import audit
from splitcrit.columns import log_rank

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


def coins(rng: Rng, n: int) -> Any:
    return rng.integers(0, 2, (n, 6)).astype(float)


def copies(rng: Rng, n: int) -> Any:
    """One column, and forty that are nearly copies of a second one."""
    return np.column_stack([rng.normal(size=n), rng.normal(size=(n, 1)) + 0.1 * rng.normal(size=(n, 40))])


def small_forest(seed: int) -> Any:
    return RandomForestClassifier(20, min_samples_leaf=8, random_state=seed, n_jobs=1)


def small_forest_of_numbers(seed: int) -> Any:
    return RandomForestRegressor(20, min_samples_leaf=8, random_state=seed, n_jobs=1)


def boosting(seed: int) -> Any:
    return GradientBoostingRegressor(n_estimators=20, max_depth=3, random_state=seed)


def histograms(seed: int) -> Any:
    return HistGradientBoostingClassifier(max_iter=10, max_depth=3, min_samples_leaf=8, random_state=seed)


def followed(times: Any, censored: Any) -> Any:
    """Times and events, in two columns."""
    return np.column_stack([np.minimum(times, censored), times <= censored])


class Design(NamedTuple):
    """Rows, their responses given the columns, a model, the informative columns, and how it is audited.

    Where ``survival``, responses are times and events, and a forest of numbers is grown by their log-rank scores.
    """

    columns: Callable[[Rng, int], Any]
    responses: Callable[[Rng, Any], Any]
    model: Callable[[int], Any]
    informative: tuple[int, ...] = ()
    rows: str = "held-out"
    survival: bool = False
    follow_up: float | None = None
    proved: bool = True


def stumps(seed: int) -> Any:
    return AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=20, random_state=seed)


def heavy_tails(rng: Rng, x: Any) -> Any:
    return rng.standard_t(3, len(x))


def strong(rng: Rng, x: Any) -> Any:
    return (x[:, 3] + rng.normal(size=len(x)) > 0).astype(int)


def checkerboard(rng: Rng, x: Any) -> Any:
    return ((x[:, 3] > 0) ^ (x[:, 4] > 0) ^ (rng.random(len(x)) < 0.2)).astype(int)


def noise(classes: int) -> Callable[[Rng, Any], Any]:
    return lambda rng, x: rng.integers(0, classes, len(x))


def entangled(rng: Rng, x: Any) -> Any:
    """The second coin moves events; only rows of which both coins are 1 are censored early."""
    early = (x[:, 0] > 0) & (x[:, 1] > 0)
    return followed(rng.exponential(np.exp(-1.5 * x[:, 1])), np.where(early, 0.15, 4.0))


BOTH = "survival, censored early where two columns are 1 of which one moves events"
DESIGNS: dict[str, Design] = {
    "random forests, mixed columns": Design(mixed, noise(2), small_forest),
    "random forests, mixed columns, out of bag": Design(mixed, noise(2), small_forest, rows="out-of-bag"),
    "extra trees to full depth, a rare class": Design(
        mixed, lambda rng, x: (rng.random(len(x)) < 0.06).astype(int),
        lambda seed: ExtraTreesClassifier(10, random_state=seed),
    ),
    "AdaBoost, three classes": Design(mixed, noise(3), stumps),
    "histogram boosting, three classes, missing values": Design(gaps, noise(3), histograms),
    "LightGBM, 50 correlated columns": Design(correlated, noise(2), lightgbm),
    "XGBoost, three classes, missing values": Design(gaps, noise(3), xgboost),
    "random forests of numbers, heavy tails": Design(mixed, heavy_tails, small_forest_of_numbers),
    "random forests of two outputs": Design(
        mixed, lambda rng, x: rng.normal(size=(len(x), 2)) + rng.normal(size=(len(x), 1)), small_forest_of_numbers
    ),
    "gradient boosting of numbers, skewed": Design(mixed, lambda rng, x: rng.lognormal(size=len(x)), boosting),
    "LightGBM of counts, 50 correlated columns": Design(
        correlated, lambda rng, x: rng.poisson(0.7, len(x)).astype(float), lightgbm_of_numbers
    ),
    "survival, a column moves censoring": Design(
        mixed, lambda rng, x: followed(rng.exponential(size=len(x)), rng.exponential(0.4 + 2.6 * x[:, 0])),
        small_forest_of_numbers, survival=True,
    ),
    "one strong column": Design(mixed, strong, small_forest, (3,)),
    "one strong column, out of bag": Design(mixed, strong, small_forest, (3,), "out-of-bag"),
    "a checkerboard of two columns": Design(mixed, checkerboard, small_forest, (3, 4)),
    "a column moves the spread of numbers": Design(
        mixed, lambda rng, x: rng.normal(size=len(x)) * (0.3 + 2 * x[:, 0]), small_forest_of_numbers, (0,)
    ),
    "one column, forty near copies of noise": Design(
        copies, lambda rng, x: (x[:, 0] + rng.normal(size=len(x)) > 0).astype(int), small_forest, (0,)
    ),
    "survival, a column moves events, another censoring": Design(
        mixed, lambda rng, x: followed(rng.exponential(np.exp(-x[:, 3])), rng.exponential(0.4 + 2.6 * x[:, 0])),
        small_forest_of_numbers, (3,), survival=True,
    ),
    BOTH: Design(coins, entangled, small_forest_of_numbers, (1,), survival=True, proved=False),
    f"{BOTH}; follow_up=.15": Design(coins, entangled, small_forest_of_numbers, (1,), survival=True, follow_up=0.15),
}  # fmt: skip


def level_block(design: str, block: int) -> dict[str, Any]:
    """Sums over a block: models that show a false feature, false shares, means of e-values and their squares."""
    how = DESIGNS[design]
    seed, some, share, total, squares = seed_of("levels", design, block), 0, 0.0, 0.0, 0.0
    for number in range(LEVELS):
        rng = np.random.default_rng([seed, number])
        x = how.columns(rng, 600)
        y = how.responses(rng, x)
        while y.dtype.kind == "i" and min(len(np.unique(y[:300])), len(np.unique(y[300:]))) < len(np.unique(y)):
            y = rng.permutation(y)
        model, scores = how.model(number), log_rank if how.survival else None
        model.fit(x[:300], y[:300] if scores is None else scores(y[:300]))
        apart = (x[:300], y[:300]) if how.rows == "out-of-bag" else (x[300:], y[300:])
        report = audit(
            model, *apart, how.rows, response_scores=scores, follow_up=how.follow_up, alpha=ALPHA, samples=199
        )
        false = np.delete(report.features_passed, how.informative)
        mean = float(np.delete(report.evalues, how.informative).mean())
        some += bool(false.any())
        share += false.sum() / max(report.features_passed.sum(), 1)
        total, squares = total + mean, squares + mean**2
    sums = {"false": share, "evalue": total, "squares": squares}
    return {"seed": seed, "models": LEVELS, "some": some} | {name: round(float(x), 6) for name, x in sums.items()}


MODELS = {
    "random forest": forest, "LightGBM": lightgbm, "XGBoost": xgboost,
    "random forest of numbers": forest_of_numbers, "LightGBM of numbers": lightgbm_of_numbers,
}  # fmt: skip
SIGNALS = {"weak": 0.08, "medium": 0.12, "strong": 0.2}


def by_evalues(model: Any, x: Any, y: Any, rng: Rng) -> Any:
    return audit(model, x, y, alpha=ALPHA).features_passed


def by_splits(model: Any, x: Any, y: Any, rng: Rng) -> Any:
    """The features of splits that pass, for which no rate of false features is promised."""
    report = audit(model, x, y, alpha=ALPHA)
    return np.bincount(report.splits.feature[report.passed], minlength=x.shape[1]) > 0


def by_permutations(model: Any, x: Any, y: Any, rng: Rng) -> Any:
    """The loss grows if a column is put in random order: p-values by 199 orders, Benjamini and Hochberg's rule."""
    own, pvalues = agreement(model, x, y)[0], []
    for j in range(x.shape[1]):
        others = np.tile(x, (ORDERS, 1))
        others[:, j] = rng.permuted(np.broadcast_to(x[:, j], (ORDERS, len(x))), axis=1).ravel()
        pvalues.append((1 + (agreement(model, others, y) >= own).sum()) / (1 + ORDERS))
    return false_discovery_control(pvalues) <= ALPHA


def agreement(model: Any, x: Any, y: Any) -> Any:
    """The mean log-likelihood of classes, or less the mean squared error, of each ``len(y)`` rows."""
    if hasattr(model, "predict_proba"):
        chances = model.predict_proba(x).reshape(-1, len(y), len(model.classes_))
        return np.log(chances[:, range(len(y)), y] + TINY).mean(axis=1)
    return -((model.predict(x).reshape(-1, len(y)) - y) ** 2).mean(axis=1)


METHODS: dict[str, Callable[..., Any]] = {
    "features by e-values": by_evalues,
    "splits that pass": by_splits,
    "permutation importance": by_permutations,
}


def power_block(model: str, signal: str, method: str, block: int) -> dict[str, Any]:
    """Sums over a block of how many of two telling features are found, and of the false share of those found.

    Class 1 is more frequent, and numbers are larger by the same multiples of their standard deviation, where the first
    feature, of two values, is 1, and where the fourth, a number, is large.
    """
    seed, found_true, found_false, seconds = seed_of("power", model, signal, block), 0, 0.0, 0.0
    for number in range(POWER):
        rng = np.random.default_rng([seed, number])
        x = mixed(rng, 1200)
        effects = SIGNALS[signal] * ((2 * x[:, 0] - 1) + np.sign(x[:, 3]) * (abs(x[:, 3]) > 0.5))
        y: Any = (rng.random(1200) < 0.5 + effects).astype(int)
        if "numbers" in model:
            y = 2 * effects + rng.normal(size=1200)
        fitted = MODELS[model](number).fit(x[:600], y[:600])
        begun = time.process_time()
        shown = METHODS[method](fitted, x[600:], y[600:], rng)
        seconds += time.process_time() - begun
        found_true += int(shown[[0, 3]].sum())
        found_false += (shown.sum() - shown[[0, 3]].sum()) / max(shown.sum(), 1)
    row = {"seed": seed, "models": POWER, "true": found_true, "false": round(float(found_false), 6)}
    return row | {"seconds": round(seconds, 2)}


def main(name: str, minutes: float, blocks: int) -> None:
    missing = [kind for kind in ("lightgbm", "xgboost") if not importlib.util.find_spec(kind)]
    if name == "levels":
        designs = [(design,) for design in DESIGNS if not any(kind in design.lower() for kind in missing)]
        study("audit_feature_levels", ("design",), designs, blocks, minutes, level_block)
        return
    models = [model for model in MODELS if not any(kind in model.lower() for kind in missing)]
    cells = [(model, signal, method) for model in models for signal in SIGNALS for method in METHODS]
    study("audit_feature_power", ("model", "signal", "method"), cells, blocks, minutes, power_block)


if __name__ == "__main__":
    command(main, __doc__, 40)
