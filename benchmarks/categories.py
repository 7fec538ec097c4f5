"""The figures of docs/categories.md: tree sizes against one-hot encoding, loss of few orders, noise that is picked.

Run with SPLITCRIT_DATA set; writes docs/data/categories.csv and subset_search.csv, docs/figures/selection_bias.png and
.csv, docs/figures/subset_search.png, and the table of sizes in docs/categories.md. ``rows`` is about time, for
``make bench``.
"""

from __future__ import annotations

import csv
import io
import itertools
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import timing
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from reproductions.datasets import load
from reproductions.datasets.folder import VARIABLE
from reproductions.selection import selection_bias
from splitcrit import ForestClassifier, TreeClassifier, agini, decrease, entropy, gini, normalised, plots, sgini
from splitcrit.atomic_files import write_text
from splitcrit.nulls import significance
from splitcrit.trees.scan import Limits
from splitcrit.trees.scan.subsets import best_order, class_scores, masks, principal_response, ranks

DOCS = Path(__file__).parents[1] / "docs"
LEAVES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128)
SETS = ("mushrooms", "splice", "german_credit")
PEER = "scikit-learn, pruned"
ALPHAS = {"ccp_alpha": [0.0, 0.0005, 0.001, 0.002, 0.005, 0.01]}
START, STOP = "<!-- sizes: written by benchmarks/categories.py -->", "<!-- end of sizes -->"
Row = dict[str, Any]


def written(name: str, rows: list[Row]) -> None:
    """Write rows as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(DOCS / name, out.getvalue())


# Tree sizes.


def one_hot(x: np.ndarray, categorical: np.ndarray) -> np.ndarray:
    """A column of 0 and 1 for each category, and the numeric columns."""
    indicators = OneHotEncoder(sparse_output=False).fit_transform(np.nan_to_num(x[:, categorical], nan=-1))
    return np.hstack([indicators, x[:, ~categorical]])


def sizes(name: str) -> Iterator[Row]:
    """Yield accuracy and size of trees of at most this number of leaves, by both encodings, over the same folds.

    The last row is scikit-learn's tree on one-hot columns, pruned by the ``ccp_alpha`` that cross-validation on the
    training folds finds best.
    """
    data = load(name)
    categorical = data.categorical
    encodings = {
        "categories": (data.X, {"categorical_features": np.flatnonzero(categorical)}),
        "one-hot": (one_hot(data.X, categorical), {}),
    }
    folds = list(RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0).split(data.X, data.y))
    models = [
        (encoding, most, x, TreeClassifier(max_leaf_nodes=most, **options))
        for encoding, (x, options) in encodings.items()
        for most in LEAVES
    ]
    peer = GridSearchCV(DecisionTreeClassifier(random_state=0), ALPHAS)
    for encoding, most, x, model in [*models, (PEER, "", encodings["one-hot"][0], peer)]:
        trees = []
        for train, test in folds:
            model.fit(x[train], data.y[train])
            tree = getattr(model, "best_estimator_", model)
            trees.append((tree.score(x[test], data.y[test]), tree.get_n_leaves(), tree.get_depth()))
        accuracy, leaves, depth = np.mean(trees, axis=0)
        error = np.std([a for a, *_ in trees], ddof=1) / np.sqrt(len(trees))
        yield {
            "data": name, "encoding": encoding, "max_leaf_nodes": most, "accuracy": round(accuracy, 5),
            "standard_error": round(error, 5), "leaves": round(leaves, 2), "depth": round(depth, 2),
        }  # fmt: skip


def told(row: Row) -> str:
    """An accuracy with its standard error."""
    return f"{float(row['accuracy']):.4f} +- {float(row['standard_error']):.4f}"


def summary(rows: list[Row]) -> Iterator[str]:
    """Yield a table: the fewest leaves whose accuracy is within a standard error of the best of one-hot encoding."""
    yield f"| data | best accuracy, one-hot | categories: leaves, accuracy | one-hot: leaves, accuracy | {PEER} |"
    yield "|---|---|---|---|---|"
    for name in SETS:
        mine = [row for row in rows if row["data"] == name]
        best = max((r for r in mine if r["encoding"] == "one-hot"), key=lambda row: float(row["accuracy"]))
        target = float(best["accuracy"]) - float(best["standard_error"])
        cells = [told(best)]
        for encoding in ("categories", "one-hot"):
            enough = [r for r in mine if r["encoding"] == encoding and float(r["accuracy"]) >= target]
            least = min(enough, key=lambda row: float(row["leaves"]), default=None)
            cells.append(f"{float(least['leaves']):.1f}, {told(least)}" if least else "not reached")
        cells += [f"{float(row['leaves']):.1f}, {told(row)}" for row in mine if row["encoding"] == PEER]
        yield f"| {name} | {' | '.join(cells)} |"


def tabled(rows: list[Row]) -> None:
    """Write the table of tree sizes into the page."""
    page = DOCS / "categories.md"
    before, _, rest = page.read_text().partition(START)
    _, _, after = rest.partition(STOP)
    write_text(page, "\n".join([before + START, "", *summary(rows), "", STOP + after]))


# The loss of a search of few orders.


def best_cut(tables: np.ndarray, ordered: np.ndarray, scores: Callable[..., np.ndarray]) -> np.ndarray:
    """The best score of the cuts of an order."""
    order = np.argsort(ordered, axis=1)
    left = np.take_along_axis(tables, order[..., None], axis=1).cumsum(axis=1)[:, :-1]
    return scores(left, tables.sum(axis=1)[:, None] - left, np.ones(left.shape[:2], dtype=bool)).max(axis=1)


def losses(tables_a_cell: int = 400) -> Iterator[Row]:
    """Yield how much of the best score the orders lose on tables of random counts with random sizes."""
    rng = np.random.default_rng(0)
    scores = class_scores(decrease(gini))
    for classes in (3, 5, 10):
        for categories in (4, 6, 8, 10, 12):
            weights = rng.integers(1, 60, (tables_a_cell, categories))
            shares = rng.dirichlet(np.ones(classes), (tables_a_cell, categories))
            tables = rng.multinomial(weights, shares).astype(float)
            present, sizes = tables.sum(axis=2) > 0, tables.sum(axis=2).astype(int)
            whole = np.full(tables_a_cell, -np.inf)
            for at in range(0, len(masks(categories)), 256):
                left = np.einsum("sp,mpk->msk", masks(categories)[at : at + 256], tables)
                right = tables.sum(axis=1)[:, None] - left
                whole = np.maximum(whole, scores(left, right, np.ones(left.shape[:2], dtype=bool)).max(axis=1))
            tried = {
                "several orders": best_order(tables, sizes, Limits(), scores, np.zeros(len(tables))),
                "principal component": ranks(principal_response(tables), present),
            }
            for method, ordered in tried.items():
                lost = (whole - best_cut(tables, ordered, scores)) / whole
                yield {
                    "method": method, "classes": classes, "categories": categories, "tables": tables_a_cell,
                    "loss": round(float(lost.mean()), 6), "largest": round(float(lost.max()), 5),
                    "missed": round(float((lost > 1e-12).mean()), 4),
                }  # fmt: skip


# Noise that is picked.


def bias() -> list[Row]:
    """Draw and return how often each criterion picks noise."""
    criteria = [gini, normalised(entropy), sgini, agini, significance]
    many, few = (2, 3, 4, 6, 8, 12, 16, 24), (2, 3, 4, 6, 8, 10)
    panels = (
        ("a row for each value; both features are noise", 0.5, many, {"effect": 0.0}),
        ("a row for each value; the other feature tells", None, many, {"effect": 0.1}),
        ("best subset; the other feature tells", None, few, {"effect": 0.1, "split": "subset"}),
    )
    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained", sharey=True)
    rows: list[Row] = []
    for ax, (title, chance, values, options) in zip(axes, panels, strict=True):
        choices = selection_bias(criteria, values, trials=2000, **options)
        plots.choice_shares(choices, ax=ax, expected=chance, condition="values of the noise")
        ax.set_title(title, fontsize=10)
        rows += [
            {"split": r.split, "effect": options["effect"], "criterion": r.chooser, "values": r.condition,
             "trials": r.trials, "picked": round(r.share, 5), "standard_error": round(r.standard_error, 5)}
            for r in choices
        ]  # fmt: skip
    for ax in axes[:2]:
        ax.get_legend().remove()
    for ax in axes[1:]:
        ax.set_ylabel("")
    figure.savefig(DOCS / "figures" / "selection_bias.png", dpi=120)
    plt.close(figure)
    return rows


# Time.


def levels() -> Iterator[timing.Row]:
    """Yield trees and forests of 5 numbers and 5 columns of 50 categories against scikit-learn's.

    Its trees split ordinal codes; they are told of the categories where the installed version can be.
    """
    rng, named = np.random.default_rng(0), {"categorical_features": np.arange(5, 10)}
    x = np.hstack([rng.normal(size=(10_000, 5)), rng.integers(0, 50, (10_000, 5))]).astype(np.float32)
    score = x[:, 0] + rng.normal(size=50)[x[:, 5].astype(int)] + rng.normal(size=10_000)
    peers = {"by codes": {}}
    if "categorical_features" in DecisionTreeClassifier().get_params():
        peers["told of them"] = named
    kinds = {"tree": (TreeClassifier(min_gain=None), DecisionTreeClassifier(random_state=0))}
    kinds["forest of 10"] = tuple(kind(10, max_features="sqrt") for kind in (ForestClassifier, RandomForestClassifier))
    for classes, (name, (ours, peer)), (how, options) in itertools.product((2, 5), kinds.items(), peers.items()):
        y = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)
        fits = (partial(clone(each).set_params(**o).fit, x, y) for each, o in ((ours, named), (peer, options)))
        what = f"{name}, 5 numbers and 5 columns of 50 categories, n = 10000, K = {classes}"
        yield timing.compare(f"{what} / scikit-learn {how}", *fits, 0.6, runs=5)


def rows() -> Iterator[timing.Row]:
    """Yield trees over categories against one-hot encoding and scikit-learn's tree, encoding included on both sides.

    At three classes all subsets are scored, at two the cuts of an order; data sets need ``SPLITCRIT_DATA``.
    """
    for name in ("splice", "german_credit") if os.environ.get(VARIABLE) else ():
        data = load(name)
        for depth in (8, None):
            options = {"categorical_features": np.flatnonzero(data.categorical), "max_depth": depth, "min_gain": None}
            ours = partial(TreeClassifier(**options).fit, data.X, data.y)
            peer = partial(encoded_fit, DecisionTreeClassifier(max_depth=depth, random_state=0), data)
            yield timing.compare(f"categories / one-hot, {name}, depth {depth or 'full'}", ours, peer, 0.5, runs=21)
    yield from levels()


def encoded_fit(tree: DecisionTreeClassifier, data: Any) -> DecisionTreeClassifier:
    """A tree of scikit-learn, fitted to features that are encoded first."""
    return tree.fit(one_hot(data.X, data.categorical), data.y)


def main() -> None:
    plt.switch_backend("agg")
    for folder in ("data", "figures"):
        (DOCS / folder).mkdir(exist_ok=True)
    written("figures/selection_bias.csv", bias())
    lost = list(losses())
    written("data/subset_search.csv", lost)
    ax = plots.search_loss(lost)
    ax.figure.savefig(DOCS / "figures" / "subset_search.png", dpi=120)
    measure_sizes()


def measure_sizes() -> None:
    """Write the sizes of trees and their table."""
    table_rows = [row for name in SETS for row in sizes(name)]
    written("data/categories.csv", table_rows)
    tabled(table_rows)


if __name__ == "__main__":
    main()
