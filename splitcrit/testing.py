"""Property tests for your own impurities, criteria and trees: strategies of hypothesis, and the laws that they test.

``check_impurity``, ``check_criterion`` and ``check_tree`` run in your test suite as scikit-learn's ``check_estimator``
does. A law that fails raises AssertionError about the smallest case that hypothesis finds. Cases are the same in every
run. A law that passes is tested, not proved; `splitcrit.proof` proves.

Main definitions: `class_counts`, `tables`, `margins`, `probability_vectors`, `channels`, `tied_features` (strategies);
`check_impurity`, `check_criterion`, `check_tree`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.arguments import between, of_kind, truth, whole
from splitcrit.arith import Arithmetic, Irrational
from splitcrit.criteria import Criterion, as_criterion, decrease
from splitcrit.frozen import complaint, extra, is_ours, shown
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss

with extra(__name__):
    from hypothesis import HealthCheck, Phase, errors, given, settings
    from hypothesis import strategies as st

__all__ = [
    "channels", "check_criterion", "check_impurity", "check_tree", "class_counts", "margins", "probability_vectors",
    "tables", "tied_features",
]  # fmt: skip

Strategy = st.SearchStrategy[Any]
Law = Callable[[Any], str | None]  # what is wrong with a case, or None


def _size(size: int | None, noun: str, least: int, most: int) -> Strategy:
    """A strategy of one size, or of the small ones."""
    return st.integers(least, most) if size is None else st.just(whole(size, noun, 1))


def class_counts(classes: int | None = None, largest: int = 30) -> Strategy:
    """A strategy of class counts of a node, lists of integers that are not all 0.

    Parameters
    ----------
    classes
        How many classes; None draws 2 to 4.
    largest
        The largest count.

    Raises
    ------
    ValueError
        If one of them is no integer from 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(class_counts(), lambda counts: sum(counts) > 2)
    [0, 3]
    """
    counts = st.integers(0, whole(largest, "the largest count", 1))
    return _size(classes, "the number of classes", 2, 4).flatmap(
        lambda k: st.lists(counts, min_size=k, max_size=k).filter(any)
    )


def tables(rows: int | None = None, classes: int | None = None, largest: int = 30) -> Strategy:
    """A strategy of contingency tables, lists of rows by classes that are not all 0; a row may be empty.

    Parameters
    ----------
    rows, classes
        How many; None draws 2 to 4.
    largest
        The largest count.

    Raises
    ------
    ValueError
        If one of them is no integer from 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(tables(rows=2), lambda table: min(map(sum, table)) > 0)
    [[0, 1], [0, 1]]
    """
    cell = st.integers(0, whole(largest, "the largest count", 1))
    sizes = st.tuples(_size(rows, "the number of rows", 2, 4), _size(classes, "the number of classes", 2, 4))

    def of_size(size: tuple[int, int]) -> Strategy:
        row = st.lists(cell, min_size=size[1], max_size=size[1])
        return st.lists(row, min_size=size[0], max_size=size[0]).filter(lambda table: any(map(any, table)))

    return sizes.flatmap(of_size)


def margins(rows: int | None = None, classes: int | None = None, largest: int = 30) -> Strategy:
    """A strategy of pairs ``(row_totals, column_totals)`` of equal sum, those of a table.

    See `tables` for the parameters.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(margins(rows=2, classes=2), lambda pair: min(pair[0]) > 0)
    ([1, 1], [0, 2])
    """
    return tables(rows, classes, largest).map(
        lambda table: ([sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)])
    )


def probability_vectors(classes: int | None = None, largest: int = 30) -> Strategy:
    """A strategy of class distributions, lists of Fractions of sum 1.

    Parameters
    ----------
    classes
        How many classes; None draws 2 to 4.
    largest
        The largest numerator, before they are divided by their sum.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(probability_vectors(2), lambda p: min(p) > 0)
    [Fraction(1, 2), Fraction(1, 2)]
    """
    return class_counts(classes, largest).map(lambda counts: [Fraction(x, sum(counts)) for x in counts])


def channels(classes: int | None = None, largest: int = 30) -> Strategy:
    """A strategy of transition matrices of label noise: ``t[j][k]``, the probability of class j seen as k.

    Rows are lists of Fractions of sum 1. See `probability_vectors` for the parameters.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(channels(2), lambda t: t[0][0] > t[1][0])
    [[Fraction(1, 1), Fraction(0, 1)], [Fraction(0, 1), Fraction(1, 1)]]
    """
    return _size(classes, "the number of classes", 2, 4).flatmap(
        lambda k: st.lists(probability_vectors(k, largest), min_size=k, max_size=k)
    )


def tied_features(rows: int | None = None, features: int = 1, values: int = 4, classes: int = 3) -> Strategy:
    """A strategy of data ``(x, y)`` with ties: lists of rows of a few small integers, and class codes.

    Parameters
    ----------
    rows
        How many rows; None draws 2 to 16.
    features
        How many columns.
    values, classes
        How many different values of a column, and how many classes, there are at most.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(tied_features(), lambda data: len(set(data[1])) > 1)
    ([[0], [0]], [0, 1])
    """
    columns = whole(features, "the number of features", 1)
    value = st.integers(0, whole(values, "the number of values", 1) - 1)
    code = st.integers(0, whole(classes, "the number of classes", 1) - 1)
    row = st.tuples(st.lists(value, min_size=columns, max_size=columns), code)
    many = _size(rows, "the number of rows", 2, 16)
    listed = many.flatmap(lambda n: st.lists(row, min_size=n, max_size=n))
    return listed.map(lambda data: ([x for x, _ in data], [y for _, y in data]))


def check_impurity(
    impurity: Any, *, concave: bool = True, symmetric: bool = True, zero_at_vertices: bool = True,
    classes: int | None = None, examples: int = 200, tolerance: float = 1e-9,
) -> None:  # fmt: skip
    """Test the laws of an impurity, and raise AssertionError about the smallest case that breaks one.

    Always: it is not negative, multiples of counts have the value of the counts, a batch has the values of its
    distributions one by one, and floats agree with Fractions where the impurity is rational.

    Parameters
    ----------
    impurity : Impurity, Loss or callable
        A loss stands for its minimised risk, a function ``of(p, m)`` for the impurity of this formula.
    concave
        Whether no split into two rows may raise it.
    symmetric
        Whether the order of the classes may not matter.
    zero_at_vertices
        Whether it is 0 where all samples have one class.
    classes
        How many classes; None tries 2 to 4.
    examples
        How many cases each law is tried on.
    tolerance
        The largest error, as a multiple of the larger of 1 and the values compared.

    Raises
    ------
    AssertionError
        If a law fails.
    TypeError, ValueError
        If an argument is not what it should be.

    See Also
    --------
    properties : Proofs instead of tests.
    check_criterion : A criterion.

    Examples
    --------
    >>> from splitcrit import gini
    >>> check_impurity(gini, examples=50)
    >>> check_impurity(lambda p, m: p[0] * p[0] * p[1])
    Traceback (most recent call last):
    AssertionError: no split raises the impurity; got a decrease of -0.00925926 by the table [[0, 1], [1, 1]]; ...
    """
    one = _impurity(impurity)
    gain, noun = decrease(one), "class counts"
    many, rate = whole(examples, "examples", 1), between(tolerance, "tolerance", 0, 1, example=1e-9)
    kind = st.integers(2, 4) if classes is None else st.just(whole(classes, "the number of classes", 1))
    counts = kind.flatmap(class_counts)
    split = kind.flatmap(lambda k: tables(2, k))

    def loses(table: Any) -> str | None:
        fall = float(gain(table))
        return f"a decrease of {fall:.6g} by the table {table}" if fall < -rate else None

    def pure(counts: Any) -> str | None:
        vertices = [[x if j == k else 0 for j in range(len(counts))] for k, x in enumerate(counts) if x]
        return next((f"{one(x):.6g} for the class counts {x}" for x in vertices if _apart(one(x), 0.0, rate)), None)

    ordered = _same(one, rate, noun, lambda counts: [counts[1:] + counts[:1], counts[::-1]])
    batch = _batch(one, rate, "rows", lambda table: [row for row in table if any(row)])
    exact = _exact(one, rate, noun, lambda counts: one([Fraction(x) for x in counts]))
    laws: list[tuple[bool, str, Strategy, Law]] = [
        (truth(concave, "concave"), "no split raises the impurity", split, loses),
        (truth(zero_at_vertices, "zero_at_vertices"), "the impurity of one class is 0", counts, pure),
        (truth(symmetric, "symmetric"), "the order of the classes does not change the impurity", counts, ordered),
        (True, "an impurity is not negative", counts, _negative(one, rate, noun)),
        (True, "multiples of counts have the same impurity", counts, _multiple(one, rate, noun, 0)),
        (True, "a batch has the values of its distributions", split, batch),
        (True, "floats agree with Fractions", counts, exact),
    ]
    _run(laws, many)


def check_criterion(
    criterion: Any, *, nonnegative: bool | None = None, zero_at_pure_nodes: bool | None = None,
    refinement: bool | None = None, symmetric: bool = True, order_of_rows: bool = True, scale: bool = True,
    examples: int = 200, tolerance: float = 1e-9,
) -> None:  # fmt: skip
    """Test the laws of a criterion, and raise AssertionError about the smallest table that breaks one.

    Always: a batch has the scores of its tables one by one, and floats agree with Fractions where the score is
    rational.

    Parameters
    ----------
    criterion : Criterion, Impurity or Loss
        An impurity or loss stands for its decrease.
    nonnegative, zero_at_pure_nodes, refinement
        Whether no score is below 0, nodes of one class score 0, and a split of a row never lowers the score. None asks
        it of decreases of an impurity alone.
    symmetric, order_of_rows
        Whether the order of the classes, and that of the rows, may not matter.
    scale
        Whether ``c`` times the counts have ``c ** degree`` times the score, for the ``degree`` that is declared.
    examples
        How many tables each law is tried on.
    tolerance
        The largest error, as a multiple of the larger of 1 and the scores compared.

    Raises
    ------
    AssertionError
        If a law fails.
    TypeError, ValueError
        If an argument is not what it should be.

    See Also
    --------
    check_impurity : An impurity.
    check_tree : A tree that is grown by it.

    Examples
    --------
    >>> from splitcrit import sgini, twoing
    >>> check_criterion(twoing, nonnegative=True, examples=50)
    >>> check_criterion(sgini, nonnegative=True, examples=50)
    Traceback (most recent call last):
    AssertionError: a score is not negative; got -0.707107 for the table [[0, 1], [1, 1]]; ...
    """
    one = Criterion.from_loss(criterion) if isinstance(criterion, Loss) else as_criterion(criterion)
    many, rate = whole(examples, "examples", 1), between(tolerance, "tolerance", 0, 1, example=1e-9)
    asked = {"nonnegative": nonnegative, "zero_at_pure_nodes": zero_at_pure_nodes, "refinement": refinement}
    wanted = {k: one.impurity is not None if flag is None else truth(flag, k) for k, flag in asked.items()}
    table, degree = tables(one.rows, one.classes), one.degree

    def pure(t: Any) -> str | None:
        node = [[x if k == 0 else 0 for k, x in enumerate(row)] for row in t]
        return f"{one(node):.6g} for the table {node}" if any(map(any, node)) and _apart(one(node), 0.0, rate) else None

    def coarser(t: Any) -> str | None:
        if one.rows is not None:
            return None
        merged = [[x + y for x, y in zip(t[0], t[1], strict=True)], *t[2:]]
        lower = one(t) < one(merged) - rate * max(1.0, abs(one(t)))
        return f"{one(t):.9g} for the table {t}, {one(merged):.9g} for {merged}" if lower else None

    classes_turned = _same(one, rate, "table", lambda t: [[row[1:] + row[:1] for row in t]])
    rows_turned = _same(one, rate, "table", lambda t: [t[1:] + t[:1]])
    multiple, batch = _multiple(one, rate, "table", degree), _batch(one, rate, "tables", lambda t: [t, t[::-1]])
    laws: list[tuple[bool, str, Strategy, Law]] = [
        (wanted["nonnegative"], "a score is not negative", table, _negative(one, rate, "table")),
        (wanted["zero_at_pure_nodes"], "a node of one class scores 0", table, pure),
        (wanted["refinement"], "a split of a row does not lower the score", table, coarser),
        (truth(symmetric, "symmetric"), "the order of the classes does not change the score", table, classes_turned),
        (truth(order_of_rows, "order_of_rows"), "the order of the rows does not change the score", table, rows_turned),
        (truth(scale, "scale") and degree is not None, f"the score has degree {degree}", table, multiple),
        (True, "a batch has the scores of its tables", table, batch),
        (True, "floats agree with Fractions", table, _exact(one, rate, "table", one.exact)),
    ]
    _run(laws, many)


def check_tree(
    estimator: Any, *, order_of_rows: bool = True, monotone: bool = True, shares: bool = True, weights: bool = True,
    features: int = 2, examples: int = 25, tolerance: float = 1e-9,
) -> None:  # fmt: skip
    """Test the laws of a tree, and raise AssertionError about the smallest data that break one.

    Always: two fits to the same data agree; and probabilities, where there are such, are not negative and add up to 1,
    and the class predicted is one of the most probable.

    Parameters
    ----------
    estimator
        A classifier or regressor with ``fit(x, y)`` and ``predict(x)``; a copy of it is fitted.
    order_of_rows
        Whether the order of the rows may not matter.
    monotone
        Whether what is predicted for the rows may not change when all values of a column are cubed.
    shares
        Whether a leaf predicts the class shares, or the mean response, of its rows; asked where there is ``apply``.
    weights
        Whether a row of weight 2 counts as two rows.
    features
        How many columns the data have.
    examples
        How many data sets each law is tried on.
    tolerance
        The largest error, as a multiple of the larger of 1 and the predictions compared.

    Raises
    ------
    AssertionError
        If a law fails.
    TypeError, ValueError
        If an argument is not what it should be.

    See Also
    --------
    check_criterion : The criterion alone.

    Examples
    --------
    >>> from splitcrit import TreeClassifier
    >>> check_tree(TreeClassifier(max_depth=2), examples=5)
    """
    for method in ("fit", "predict"):
        of_kind(getattr(estimator, method, None), Callable, f"a tree has a method {method}", "pass an estimator")
    many, rate = whole(examples, "examples", 1), between(tolerance, "tolerance", 0, 1, example=1e-9)
    data = tied_features(None, features).filter(lambda d: len(set(d[1])) > 1)
    classifies = hasattr(estimator, "predict_proba")

    def fitted(x: Any, y: Any, sample_weight: Any = None) -> Any:
        extra = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight, dtype=float)}
        target = np.asarray(y) if classifies else np.asarray(y, dtype=float)
        return copy.deepcopy(estimator).fit(np.asarray(x, dtype=float), target, **extra)

    def predicted(tree: Any, x: Any) -> Any:
        rows = np.asarray(x, dtype=float)
        return np.asarray(tree.predict_proba(rows) if classifies else tree.predict(rows), dtype=float)

    def differ(one: Any, other: Any, d: Any, what: str) -> str | None:
        wrong = not np.abs(one - other).max() <= rate * max(1.0, float(np.abs(one).max()))  # nan is wrong, too
        row = int(np.abs(one - other).reshape(len(one), -1).max(axis=1).argmax())
        got = f"{one[row].tolist()} and {other[row].tolist()} {what} in row {row}"
        return f"{got}, for x={d[0]}, y={d[1]}" if wrong else None

    def again(d: Any) -> str | None:
        return differ(predicted(fitted(*d), d[0]), predicted(fitted(*d), d[0]), d, "for the same again")

    def turned(d: Any) -> str | None:
        reverse = fitted(d[0][::-1], d[1][::-1])
        return differ(predicted(fitted(*d), d[0]), predicted(reverse, d[0]), d, "in reverse order")

    def cubed(d: Any) -> str | None:
        x = [[value**3 for value in row] for row in d[0]]
        return differ(predicted(fitted(*d), d[0]), predicted(fitted(x, d[1]), x), d, "for the cubes")

    def leaves(d: Any) -> str | None:
        tree = fitted(*d)
        leaf, y = np.asarray(tree.apply(np.asarray(d[0], dtype=float))), np.asarray(d[1])
        one = y[:, None] == np.asarray(tree.classes_)[None] if classifies else y
        means = np.array([one[leaf == each].mean(axis=0) for each in leaf])
        return differ(predicted(tree, d[0]), means, d, "in their leaves")

    def weighed(d: Any) -> str | None:
        twice = [1 + i % 2 for i in range(len(d[0]))]
        x, y = ([v for v, n in zip(side, twice, strict=True) for _ in range(n)] for side in d)
        single = predicted(fitted(d[0], d[1], twice), d[0])
        return differ(single, predicted(fitted(x, y), d[0]), d, f"with rows repeated {twice} times, not weighed")

    def probable(d: Any) -> str | None:
        tree = fitted(*d)
        p, labels = predicted(tree, d[0]), np.asarray(tree.predict(np.asarray(d[0], dtype=float))).tolist()
        places = [list(tree.classes_).index(label) for label in labels]
        wrong = not ((p >= -rate).all() and np.abs(p.sum(axis=1) - 1).max() <= rate)
        wrong = wrong or (p[np.arange(len(p)), places] < p.max(axis=1) - rate).any()
        return f"{p.tolist()}, and the classes {labels}, for x={d[0]}, y={d[1]}" if wrong else None

    leafy = truth(shares, "shares") and hasattr(estimator, "apply")
    laws: list[tuple[bool, str, Strategy, Law]] = [
        (classifies, "probabilities add up to 1, and the most probable class is predicted", data, probable),
        (True, "two fits to the same data agree", data, again),
        (truth(order_of_rows, "order_of_rows"), "the order of the rows does not change the tree", data, turned),
        (truth(monotone, "monotone"), "an increasing function of a column does not change the tree", data, cubed),
        (leafy, "a leaf predicts the shares of its rows", data, leaves),
        (truth(weights, "weights"), "a row of weight 2 counts as two rows", data, weighed),
    ]
    _run(laws, many)


def _impurity(value: Any) -> Impurity:
    """The impurity that a value stands for."""
    if isinstance(value, Loss):
        return Impurity.from_loss(value)
    if not isinstance(value, Impurity) and (not callable(value) or isinstance(value, type | Criterion)):
        rule = "an impurity, a loss or a function of(p, m) is checked"
        raise TypeError(complaint(rule, shown(value), "pass one, such as splitcrit.gini"))
    return value if isinstance(value, Impurity) else Impurity(getattr(value, "__name__", "of"), _Formula(value))


class _Formula:
    """A function ``of(p, m)`` of a user, as a formula."""

    def __init__(self, of: Callable[[Any, Arithmetic], Any]) -> None:
        self.of = of

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        return self.of(p, m)


def _negative(one: Any, rate: float, noun: str) -> Law:
    """The law that no value is negative."""
    return lambda x: f"{one(x):.6g} for the {noun} {x}" if float(one(x)) < -rate else None


def _same(one: Any, rate: float, noun: str, others: Callable[[Any], list[Any]]) -> Law:
    """The law that others have the value of a case."""
    return lambda x: next((f"{one(x):.9g} for the {noun} {x}, {one(other):.9g} for {other}"
                           for other in others(x) if _apart(one(x), one(other), rate)), None)  # fmt: skip


def _multiple(one: Any, rate: float, noun: str, degree: int | None) -> Law:
    """The law that 7 times the counts have ``7 ** degree`` times the value."""

    def law(x: Any) -> str | None:
        value, scaled = one(x), one((7 * np.array(x)).tolist())
        wrong = _apart(value * 7 ** (degree or 0), scaled, rate)
        return f"{value:.9g} for the {noun} {x}, {scaled:.9g} for 7 times the counts" if wrong else None

    return law


def _batch(one: Any, rate: float, noun: str, parts: Callable[[Any], list[Any]]) -> Law:
    """The law that parts have the same values together and alone."""

    def law(x: Any) -> str | None:
        each = parts(x)
        single, joint = [float(one(part)) for part in each], one(np.array(each)).tolist()
        wrong = any(_apart(x, y, rate) for x, y in zip(single, joint, strict=True))
        return f"{joint} for the {noun} {each} together, {single} alone" if wrong else None

    return law


def _exact(one: Any, rate: float, noun: str, exact: Callable[[Any], Any]) -> Law:
    """The law that the value in floats is the exact one, where this is rational."""

    def law(x: Any) -> str | None:
        try:
            value = exact(x)
        except Irrational:
            return None
        return f"{one(x):.17g} for the {noun} {x}, exactly {value}" if _apart(one(x), value, rate) else None

    return law


def _apart(x: Any, y: Any, rate: float) -> bool:
    return not math.isclose(float(x), float(y), rel_tol=rate, abs_tol=rate)


def _run(laws: list[tuple[bool, str, Strategy, Law]], examples: int) -> None:
    """Try each chosen law, and raise about the smallest case that breaks it."""
    for wanted, rule, cases, law in laws:
        if wanted and (got := _smallest(cases, law, examples)) is not None:
            raise AssertionError(complaint(rule, got, "correct it, or do not ask for this law"))


def _smallest(cases: Strategy, law: Law, examples: int) -> str | None:
    """Describe the smallest case that breaks a law; None if none was found."""
    broken = list[str]()

    # nobody would read how hypothesis explains a case, which takes most of the time of a law that fails
    @settings(max_examples=examples, deadline=None, database=None, derandomize=True, report_multiple_bugs=False,
              suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink])  # fmt: skip
    @given(cases)
    def holds(case: Any) -> None:
        try:
            got = law(case)
        except Exception as error:
            rule = str(error).partition("; ")[0] if is_ours(error) else error
            got = f"{type(error).__name__} ({rule}) for {case}"
        if got is not None:
            broken.append(got)
            raise AssertionError(got)

    # The smallest case is tried last; what is drawn at random may hold there the second time, which is flaky.
    with suppress(AssertionError, errors.Flaky):
        holds()
    return broken[-1] if broken else None
