"""A model of numbers and one of survival, audited beside permutation importance and SHAP, and how often each errs.

``python reproductions/studies/audit_beside.py models`` writes docs/data/audit_beside_models.csv: a random forest of the
diabetes data of scikit-learn, and a random survival forest of GBSG2, breast cancer, as scikit-survival ships it.
``null --minutes 10`` adds blocks to docs/data/audit_beside_null.csv, until the time is up or 200 models are made of
each: 300 of the rows, their responses in random order, so that every feature that is called informative is false. Each
model is grown on one half of the rows, and looked at with the other. A last column of noise stands beside the features,
for SHAP to be held against; it does not count. Needs scikit-survival and SHAP.

``halves`` adds to docs/data/audit_beside_halves.csv: random forests of real files, grown on a random half of at most
3,000 rows. Of the features that permutation importance puts more than three standard deviations above 0, and whose
column alone has a p-value below 1e-5, how many does an audit show, and what does it say of the others?

Main definitions: ``DATA``, ``RULES``; ``null_block``, ``half``, ``model_rows``.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from blocks import DATA as FOLDER
from blocks import seed_of, study
from scipy.stats import false_discovery_control
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import permutation_importance

from splitcrit.audits import AuditReport, audit

ALPHA, ORDERS, REPEATS, ROWS, MODELS, BLOCKS = 0.05, 199, 10, 300, 10, 20
LEAST = 50  # rows of a class
Rng = np.random.Generator


class Case(NamedTuple):
    """Rows and responses, how a forest of them is grown, and how well predictions ``(orders, n)`` agree with them."""

    names: list[str]
    x: Any
    y: Any
    grow: Callable[[int, int], Any]
    agreement: Callable[[Any, Any], Any]


def diabetes() -> Case:
    """The progress of diabetes after a year, of 442 patients."""
    bunch = load_diabetes(scaled=False)

    def grow(trees: int, seed: int) -> Any:
        return RandomForestRegressor(trees, min_samples_leaf=5, random_state=seed, n_jobs=1)

    return Case(list(bunch.feature_names), bunch.data, bunch.target, grow, lambda p, y: -((p - y) ** 2).mean(axis=-1))


def breast_cancer() -> Case:
    """Survival without recurrence, of 686 patients."""
    from sksurv.datasets import load_gbsg2
    from sksurv.ensemble import RandomSurvivalForest

    frame, y = load_gbsg2()
    codes = {name: frame[name].astype("category").cat.codes for name in frame if frame[name].dtype != float}
    x = frame.assign(**codes).astype(float)

    def grow(trees: int, seed: int) -> Any:
        return RandomSurvivalForest(trees, min_samples_leaf=10, random_state=seed, n_jobs=1)

    return Case(list(x), x.to_numpy(), y, grow, concordance)


def concordance(risk: Any, y: Any) -> Any:
    """Harrell's index: of pairs of which one had its event first, the share where its risk is predicted higher."""
    event, time = (y[name] for name in y.dtype.names)
    first, second = np.nonzero(event[:, None] & (time[:, None] < time))
    return ((risk[..., first] > risk[..., second]) + 0.5 * (risk[..., first] == risk[..., second])).mean(axis=-1)


DATA: dict[str, Callable[[], Case]] = {"diabetes": diabetes, "breast cancer": breast_cancer}


def leaf_values(model: Any) -> list[Any]:
    """What each tree predicts at its nodes: a mean, or the sum of the cumulative hazard over the times of events."""
    at = getattr(model, "is_event_time_", slice(1))
    return [tree.tree_.value[:, at, 0].sum(axis=1) for tree in model.estimators_]


def predictions(model: Any, values: list[Any], x: Any) -> Any:
    """What a forest predicts: as its own ``predict``, without the curves of survival."""
    each = [value[tree.tree_.apply(x)] for tree, value in zip(model.estimators_, values, strict=True)]
    return np.mean(each, axis=0)


def by_shap(model: Any, values: list[Any], x: Any) -> Any:
    """The mean of the absolute Shapley values of each feature, by TreeSHAP."""
    import shap

    trees = []
    for tree, value in zip(model.estimators_, values, strict=True):
        t = tree.tree_
        trees.append(
            {"children_left": t.children_left, "children_right": t.children_right, "children_default": t.children_left,
             "features": t.feature, "thresholds": t.threshold, "values": value[:, None] / len(values),
             "node_sample_weight": t.weighted_n_node_samples}
        )  # fmt: skip
    explainer = shap.TreeExplainer({"trees": trees})
    shapley = explainer.shap_values(x, check_additivity=False)
    assert np.allclose(shapley.sum(axis=1) + explainer.expected_value, predictions(model, values, x))
    return abs(shapley).mean(axis=0)


class Looks(NamedTuple):
    """What an audit, permutation importance and SHAP say of the features, noise aside."""

    report: AuditReport
    mean: Any
    deviation: Any
    adjusted: Any
    shapley: Any
    noise: float


def looks(case: Case, y: Any, trees: int, seed: int) -> Looks:
    """Grow a forest on a random half of the rows, and look at it with the other."""
    rng = np.random.default_rng(seed)
    order, x = rng.permutation(len(y)), np.column_stack([case.x, rng.normal(size=len(y))]).astype(np.float32)
    grown, apart = np.array_split(order, 2)
    model = case.grow(trees, seed).fit(x[grown], y[grown])
    x, y, values = x[apart], y[apart], leaf_values(model)
    assert np.allclose(predictions(model, values, x), model.predict(x))
    own, drops = case.agreement(predictions(model, values, x), y), []
    for j in range(len(case.names)):
        others = np.tile(x, (ORDERS, 1))
        others[:, j] = rng.permuted(np.broadcast_to(x[:, j], (ORDERS, len(x))), axis=1).ravel()
        drops.append(own - case.agreement(predictions(model, values, others).reshape(ORDERS, -1), y))
    drop = np.array(drops)
    pvalues = (1 + (drop <= 0).sum(axis=1)) / (1 + ORDERS)
    repeats = drop[:, :REPEATS]
    *shapley, noise = by_shap(model, values, x)
    return Looks(audit(model, x, y, "held-out", alpha=ALPHA), repeats.mean(axis=1), repeats.std(axis=1),
                 false_discovery_control(pvalues), np.array(shapley), float(noise))  # fmt: skip


RULES: dict[str, Callable[[Looks], Any]] = {
    "audit": lambda seen: seen.report.features_passed[:-1],
    "permutations": lambda seen: seen.adjusted <= ALPHA,
    "deviations": lambda seen: seen.mean - 2 * seen.deviation > 0,
    "shap": lambda seen: seen.shapley > seen.noise,
}


def null_block(name: str, block: int) -> dict[str, Any]:
    """Count, by each rule, models of which some feature is called informative, and such features."""
    case, seed = DATA[name](), seed_of("beside", name, block)
    row = {"seed": seed, "models": MODELS, "features": MODELS * len(case.names)}
    row |= {f"{rule}_{of}": 0 for rule in RULES for of in ("some", "all")}
    for number in range(MODELS):
        rng = np.random.default_rng([seed, number])
        rows = rng.choice(len(case.y), ROWS, replace=False)
        seen = looks(case._replace(x=case.x[rows]), rng.permutation(case.y[rows]), 20, seed % 2**20 + number)
        for rule, called in RULES.items():
            row[f"{rule}_some"] += int(called(seen).any())
            row[f"{rule}_all"] += int(called(seen).sum())
    return row


FILES = ("german_credit", "cardiotocography", "winequality_white", "segment", "spambase", "vehicle")


def half(name: str, block: int) -> dict[str, Any]:
    """Count, of one random half, features that are surely informative, those shown, and those related alone."""
    from reproductions.datasets import load

    data, seed = load(name, Path(os.environ["SPLITCRIT_DATA"])), seed_of("halves", name, block)
    x, (_, y, sizes) = np.asarray(data.X, dtype=float), np.unique(data.y, return_inverse=True, return_counts=True)
    x, y = (part[sizes[y] >= LEAST] for part in (x, y))  # no half is without a class
    grown, apart = np.array_split(np.random.default_rng(seed).permutation(len(y))[:3000], 2)
    model = RandomForestClassifier(50, min_samples_leaf=5, random_state=block, n_jobs=1).fit(x[grown], y[grown])
    report = audit(model, x[apart], y[apart], "held-out", alpha=ALPHA)
    drop = permutation_importance(model, x[apart], y[apart], n_repeats=REPEATS, random_state=block)
    sure = (drop.importances_mean > 3 * drop.importances_std) & (report.columns()["p_alone"] < 1e-5)
    words = [word for word, of in zip(report.findings.values(), sure, strict=True) if of]
    alone = sum(word.startswith("related alone") for word in words)
    return {"seed": seed, "features": x.shape[1], "sure": len(words), "shown": words.count("shown"), "alone": alone}


def model_rows(name: str) -> list[dict[str, Any]]:
    """What each feature of the real model gets, by each rule."""
    case = DATA[name]()
    seen = looks(case, case.y, 100, 0)
    findings, columns = list(seen.report.findings.values()), seen.report.columns()
    called = {rule: calls(seen).astype(int) for rule, calls in RULES.items()}
    return [
        {"data": name, "rows": len(case.y), "feature": feature, "finding": findings[j],
         "evalue": f"{columns['evalue'][j]:.4g}", "alone": f"{columns['p_alone'][j]:.4g}",
         "mean": f"{seen.mean[j]:.4g}", "deviation": f"{seen.deviation[j]:.4g}", "adjusted": f"{seen.adjusted[j]:.4g}",
         "shapley": f"{seen.shapley[j]:.4g}", "noise": f"{seen.noise:.4g}"}
        | {rule: calls[j] for rule, calls in called.items()}
        for j, feature in enumerate(case.names)
    ]  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", choices=["models", "null", "halves"])
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    if arguments.study == "halves":
        study("audit_beside_halves", ("data",), [(name,) for name in FILES], 10, arguments.minutes, half)
    elif arguments.study == "null":
        study("audit_beside_null", ("data",), [(name,) for name in DATA], BLOCKS, arguments.minutes, null_block)
    else:
        rows = [row for name in DATA for row in model_rows(name)]
        with (FOLDER / "audit_beside_models.csv").open("w", newline="") as file:
            out = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            out.writeheader()
            out.writerows(rows)
