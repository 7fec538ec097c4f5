"""What must not change an answer: the order of rows, columns and classes, names, containers, monotone scales.

A table says of each public name which changes of its data leave the answer as it was, or move it with what moved. The
engine draws data, asks twice, and compares: numbers within a tolerance, sentences letter by letter. A call that refuses
both times is equal to itself.

Main definitions: ``Data`` and its ``CHANGES``, ``ASKED`` (what is asked of data, by public name); ``TABLE_CHANGES`` and
``SCORED`` (the same of tables of counts); ``differences`` and ``table_differences``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import splitcrit as sc
from objects import CRITERIA
from splitcrit.audits import audit
from splitcrit.columns import ranks as rank_scores
from splitcrit.criteria import replace as replaced
from splitcrit.frozen import is_ours
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier, selected_score, split_test
from splitcrit.noise import symmetric
from splitcrit.nulls import best_cut_law, expected_excess_gain, null_moments, response_moments
from splitcrit.robustness import majority_failure
from splitcrit.trees import MultiwayTreeClassifier

Rng = np.random.Generator


@dataclass(frozen=True)
class Data:
    """Features and a label, with the number that each row and column had at first; ``form`` is their container."""

    x: Any
    y: Any
    names: tuple[str, ...]
    rows: Any
    columns: Any
    form: str = "frame"

    @property
    def features(self) -> Any:
        """The features in their container."""
        frame = pd.DataFrame(self.x, columns=list(self.names))
        if self.form == "polars":
            import polars as pl

            return pl.DataFrame({name: self.x[:, j] for j, name in enumerate(self.names)})
        array = {"array": self.x, "columns first": np.asfortranarray(self.x), "lists": self.x.tolist()}
        if self.form in array:
            return array[self.form]
        return frame.astype({"float32": np.float32, "objects": object}.get(self.form, np.float64))


def drawn(rng: Rng, classes: int) -> Data:
    """Small data with ties and, at times, missing values; 0 classes are responses."""
    n, d = int(rng.integers(16, 40)), int(rng.integers(2, 5))
    x = rng.integers(-4, int(rng.choice([2, 6, 90])), (n, d)).astype(float)
    y = np.round(rng.normal(size=n), 2) if classes == 0 else rng.permutation(np.arange(n) % classes)
    x[:, 0] += 2 * (y > np.median(y))
    if rng.random() < 0.3:
        x[rng.random(x.shape) < 0.1] = np.nan
    return Data(x, y, tuple(f"column_{j}" for j in range(d)), np.arange(n), np.arange(d))


def rows(data: Data, rng: Rng) -> Data:
    """The rows in another order."""
    order = rng.permutation(len(data.y))
    return replace(data, x=data.x[order], y=data.y[order], rows=data.rows[order])


def columns(data: Data, rng: Rng) -> Data:
    """The columns in another order, each with its name."""
    order = rng.permutation(len(data.names))
    names = tuple(data.names[j] for j in order)
    return replace(data, x=data.x[:, order], names=names, columns=data.columns[order])


def names(data: Data, rng: Rng) -> Data:
    """Other names of as many letters, in the same order."""
    return replace(data, names=tuple(name.replace("column", "Spalte") for name in data.names))


def labels(data: Data, rng: Rng) -> Data:
    """Other names of the classes, whose order is another one."""
    words = rng.permutation(np.array(["no", "yes", "maybe", "Ja"], dtype=object))
    return replace(data, y=words[data.y])


def monotone(data: Data, rng: Rng) -> Data:
    """Another scale of each column, in which the order is the same."""
    return replace(data, x=np.where(data.x > 0, data.x**3, 2 * data.x))


def negated(data: Data, rng: Rng) -> Data:
    """The columns turned round."""
    return replace(data, x=-data.x)


def responses_negated(data: Data, rng: Rng) -> Data:
    """The responses turned round."""
    return replace(data, y=-data.y)


def _formed(form: str) -> Callable[[Data, Rng], Data]:
    return lambda data, rng: replace(data, form=form)


FORMS = ("array", "lists", "columns first", "polars", "float32", "objects")
CHANGES: dict[str, Callable[[Data, Rng], Data]] = {
    "rows": rows, "columns": columns, "names": names, "labels": labels, "monotone": monotone, "negated": negated,
    "responses negated": responses_negated, **{form: _formed(form) for form in FORMS},
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What is asked of data: ``of`` gives numbers by column, by row or of all, or a text; and what changes nothing."""

    of: Callable[[Data], Any]
    by: str
    changes: tuple[str, ...]
    classes: tuple[int, ...] = (2,)
    tolerance: float = 1e-8
    draws: int = 1  # data sets of a round: more where an answer is random for some of them alone

    def answer(self, data: Data) -> Any:
        """The answer, moved back to where the rows and columns were, under their first names."""
        found = self.of(data)
        if self.by == "text":
            return sorted(str(found).replace("Spalte", "column").splitlines())
        found = np.asarray(found, dtype=float)
        return found if self.by == "all" else found[np.argsort(data.columns if self.by == "columns" else data.rows)]


def _test(data: Data, **options: Any) -> Any:
    return split_test(data.features, data.y, n_permutations=99, random_state=0, **options)


def _tested(data: Data, **options: Any) -> list[list[float]]:
    return [[f.p, f.adjusted, f.score] for f in _test(data, **options).features]


def _ranked(data: Data) -> Any:
    found = {f.name: f for f in sc.rank_features(data.features, data.y).features}
    known = list(found) if data.form in ("array", "lists", "columns first") else []
    unnamed = dict(zip(data.names, sorted(known, key=str), strict=False))
    return [[found[unnamed.get(n, n)].p, found[unnamed.get(n, n)].score] for n in data.names]


def _selected(data: Data) -> Any:
    kept = sc.SplitSelector(n_permutations=99, random_state=0, alpha=0.5).fit(data.features, data.y)
    return np.column_stack([kept.pvalues_, kept.adjusted_, kept.get_support()])


def _predicted(kind: Any, **options: Any) -> Callable[[Data], Any]:
    def answer(data: Data) -> Any:
        model = kind(**options).fit(data.features, data.y)
        if not hasattr(model, "predict_proba"):
            return model.predict(data.features)
        return np.sort(model.predict_proba(data.features), axis=1)  # the order of classes follows their names

    return answer


def _best_of_depth_two(data: Data) -> Any:
    data = replace(data, x=np.nan_to_num(data.x))
    tree = sc.best_depth_two(data.features, data.y, sc.gini)
    return np.column_stack([tree.apply(data.features), np.full(len(data.y), tree.loss)])


def _audited(data: Data) -> Any:
    half = data.rows % 2 == 0
    train, rest = (replace(data, x=data.x[side], y=data.y[side], rows=data.rows[side]) for side in (half, ~half))
    order = np.argsort(train.rows)  # the model is one, whatever the order of the rows that it is audited on
    model = sc.TreeClassifier(max_depth=2).fit(train.x[order], train.y[order])
    report = audit(model, rest.x, rest.y)
    return report.splits.pvalue


def _one(data: Data) -> float:
    kept = ~np.isnan(data.x[:, 0])
    return float(sc.selected_pvalue(data.x[kept, 0], data.y[kept], statistic="gini").value)


def _excess(data: Data) -> float:
    sizes = np.unique(data.x[:, 0], return_counts=True)[1]
    return float(expected_excess_gain(sizes, [1.0, 30.0], [200.0, 2000.0, 3.0], 1.0, draws=50).gain)


ORDERS = ("rows", "columns", "names")
NAMED = ("names", "polars", "float32", "objects")
GROWN = ("names", "labels", "monotone", *FORMS)
SEVERAL_CLASSES = ("columns", "names", "monotone", *FORMS)  # random orders of rows, or of responses, are drawn by row
TWO_CLASSES = (*ORDERS, "labels", "monotone", *FORMS)


def _columns(of: Callable[[Data], Any], *classes: int, draws: int = 1) -> Asked:
    """What is asked of columns, of some numbers of classes, 0 of responses."""
    return Asked(of, "columns", SEVERAL_CLASSES, classes, draws=draws)


def _grown(kind: Any, *changes: str, classes: tuple[int, ...] = (2, 3), **options: Any) -> Asked:
    """What an estimator predicts of its rows."""
    return Asked(_predicted(kind, **options), "rows", changes, classes)


ASKED: dict[str, Asked] = {
    "inference.split_test": Asked(_tested, "columns", (*TWO_CLASSES, "negated")),
    "inference.split_test, uncorrected": Asked(
        lambda data: _tested(data, correction=None, statistic="gini"), "columns", (*TWO_CLASSES, "negated")
    ),
    "inference.split_test, ranked": _columns(lambda data: _tested(data, correction="westfall-young"), 2, 3),
    "inference.split_test, classes": _columns(_tested, 3, 4),
    "inference.split_test, responses": Asked(
        lambda data: _tested(data, response="numbers"), "columns", (*SEVERAL_CLASSES, "responses negated"), (0,)
    ),
    "inference.split_test, ranks": _columns(lambda data: _tested(data, response_scores=rank_scores), 0),
    "inference.split_test, said": Asked(_test, "text", ("rows", "columns", *NAMED)),
    "columns.rank_features": Asked(_ranked, "columns", (*TWO_CLASSES, "negated")),
    "columns.rank_features, classes": _columns(_ranked, 3, 4, draws=3),
    "columns.rank_features, responses": _columns(_ranked, 0),
    "columns.rank_features, said": Asked(
        lambda data: sc.rank_features(data.features, data.y), "text", ("rows", *NAMED)
    ),
    "inference.SplitSelector": Asked(_selected, "columns", TWO_CLASSES),
    "inference.selected_score": Asked(lambda data: selected_score(data.features, data.y)[1], "columns", TWO_CLASSES),
    "nulls.expected_excess_gain": Asked(_excess, "all", ("rows", "names", "labels", "negated")),
    "nulls.selected_pvalue": Asked(_one, "all", ("rows", "names", "labels", "monotone", "negated")),
    "trees.TreeClassifier": _grown(sc.TreeClassifier, "rows", *GROWN, max_depth=3),
    "trees.TreeClassifier, entropy": _grown(
        sc.TreeClassifier, "rows", *GROWN, criterion="entropy", max_depth=3, min_samples_leaf=2
    ),
    "trees.TreeClassifier, sgini": _grown(sc.TreeClassifier, "rows", *GROWN, criterion="sgini", max_depth=3),
    "trees.TreeClassifier, calibrated": _grown(
        sc.TreeClassifier, "rows", "columns", *GROWN, criterion="calibrated", max_depth=3
    ),
    "trees.TreeRegressor, calibrated": _grown(
        sc.TreeRegressor, "columns", "names", *FORMS, classes=(0,), criterion="calibrated", max_depth=3
    ),
    "trees.TreeRegressor": _grown(
        sc.TreeRegressor, "names", "monotone", "responses negated", *FORMS, classes=(0,), max_depth=3
    ),
    "trees.ForestClassifier": _grown(sc.ForestClassifier, "names", *FORMS, n_estimators=3, random_state=0, max_depth=3),
    "trees.ForestRegressor": _grown(
        sc.ForestRegressor, "names", *FORMS, classes=(0,), n_estimators=3, random_state=0, max_depth=3
    ),
    "trees.best_depth_two": Asked(_best_of_depth_two, "rows", ("rows", *GROWN), (2, 3)),
    "trees.MultiwayTreeClassifier": Asked(
        lambda data: _predicted(MultiwayTreeClassifier, max_depth=2)(replace(data, x=np.nan_to_num(data.x))),
        "rows",
        ("rows", "names", "negated", *FORMS),
    ),
    "inference.InferenceTreeClassifier": _grown(
        InferenceTreeClassifier, "names", *FORMS, classes=(2,), random_state=0, alpha=0.5
    ),
    "inference.HonestTreeClassifier": _grown(HonestTreeClassifier, "names", *FORMS, classes=(2,), random_state=0),
    "audits.audit": Asked(_audited, "all", ("rows", "names", "labels")),
}

# Tables of counts.

TableChange = Callable[[Any, Rng], Any]


def _as(kind: Any) -> TableChange:
    return lambda table, rng: table.astype(kind)


TABLE_CHANGES: dict[str, TableChange] = {
    "rows": lambda table, rng: table[rng.permutation(len(table))],
    "classes": lambda table, rng: table[:, rng.permutation(table.shape[1])],
    "lists": lambda table, rng: table.tolist(),
    "int8": _as(np.int8), "uint16": _as(np.uint16), "float32": _as(np.float32), "objects": _as(object),
    "big-endian": _as(">i4"), "Fortran": lambda table, rng: np.asfortranarray(table),
    "Fractions": lambda table, rng: np.vectorize(Fraction, otypes=[object])(table),
    "pandas": lambda table, rng: pd.DataFrame(table), "a table": lambda table, rng: sc.Table.of(table),
}  # fmt: skip


def drawn_table(rng: Rng, rows: int, classes: int) -> Any:
    """A table of small counts, each row and class with some."""
    while True:
        table = rng.integers(0, int(rng.choice([3, 12, 100])), (rows, classes))
        if table.any(axis=0).all() and table.any(axis=1).all():
            return table


@dataclass(frozen=True)
class Scored:
    """A function of a table: its numbers do not depend on the order of rows and classes, nor on the container."""

    of: Callable[[Any], Any]
    rows: int | None = None
    classes: int | None = None
    changes: tuple[str, ...] = tuple(TABLE_CHANGES)


def _totals(table: Any) -> tuple[Any, Any]:
    counts = np.asarray(getattr(table, "counts", table))
    return counts.sum(axis=1), counts.sum(axis=0)


def _moments(law: Any) -> list[float]:
    return [float(law.mean), float(law.variance)]


def _criterion(criterion: Any) -> Scored:
    return Scored(lambda table: float(criterion(table)), criterion.rows, criterion.classes)


SCORED: dict[str, Scored] = {
    **{f"criteria: {criterion!r}": _criterion(criterion) for criterion in CRITERIA},
    **{f"nulls.{criterion.name}": _criterion(criterion) for criterion in (sc.sgini, sc.agini, sc.significance)},
    "nulls.agini, permuted": _criterion(replaced(sc.agini, model="permutation")),
    "nulls.gini_null": Scored(lambda table: _moments(sc.gini_null(*_totals(table)))),
    "nulls.gini_pvalue": Scored(lambda table: float(sc.gini_pvalue(table, method="pearson3").value)),
    "nulls.null_moments": Scored(lambda table: _moments(null_moments(CRITERIA[1], *_totals(table)))),
    "nulls.best_cut_law": Scored(
        lambda table: best_cut_law(*_totals(table)).mean, None, 2, tuple(c for c in TABLE_CHANGES if c != "rows"),
    ),
    "nulls.response_moments": Scored(
        lambda table: response_moments(_totals(table)[1], [len(_totals(table)[1]) - 1, 1]).variance,
    ),
    "robustness.majority_failure": Scored(
        lambda table: float(majority_failure(_totals(table)[1], symmetric(Fraction(1, 5)))),
    ),
}  # fmt: skip


def _outcome(call: Callable[[], Any]) -> Any:
    """An answer, or None of a call that the library refuses in a sentence."""
    try:
        return call()
    except (ValueError, TypeError, ArithmeticError) as error:
        if is_ours(error):
            return None
        raise


def _same(a: Any, b: Any, tolerance: float) -> bool:
    if a is None or b is None or isinstance(a[0] if isinstance(a, list) and a else a, str):
        return bool(a == b)
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=1e-11, equal_nan=True)


def differences(name: str, seed: int) -> Iterator[str]:
    """Yield a sentence for each change of random data after which the answer is another one."""
    asked, rng = ASKED[name], np.random.default_rng(seed)
    data = drawn(rng, int(rng.choice(asked.classes)))
    before = _outcome(lambda: asked.answer(data))
    for change in asked.changes:
        other = CHANGES[change](data, rng)
        after = _outcome(lambda other=other: asked.answer(other))  # type: ignore[misc]
        if change == "responses negated" and asked.by == "rows" and after is not None:
            after = -after
        if not _same(before, after, max(asked.tolerance, 1e-5 if change == "float32" else 0)):
            yield f"{name}, {change}, seed {seed}: {before}, {after} of {data.x.tolist()}, {data.y.tolist()}"


def table_differences(name: str, seed: int) -> Iterator[str]:
    """Yield a sentence for each change of a random table after which its score is another one."""
    scored, rng = SCORED[name], np.random.default_rng(seed)
    table = drawn_table(rng, scored.rows or int(rng.integers(2, 5)), scored.classes or int(rng.integers(2, 5)))
    before = _outcome(lambda: scored.of(table))
    for change in scored.changes:
        other = TABLE_CHANGES[change](table, rng)
        after = _outcome(lambda other=other: scored.of(other))  # type: ignore[misc]
        if not _same(before, after, 1e-6 if change == "float32" else 1e-9):
            yield f"{name}, {change}, seed {seed}: {before}, {after} of {table.tolist()}"
