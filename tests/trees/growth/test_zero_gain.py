"""Gains of 0 in integers against exact rationals, where floating point is in doubt too."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

import splitcrit as sc
from growing import trees
from splitcrit import Criterion, TreeClassifier, decrease, gce, gini, misclassification, ne, scaled, significance
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.losses import mae
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.trees.growth import GrowthOptions, Training, grow
from splitcrit.trees.growth.growth_options import Stopping
from splitcrit.trees.growth.zero_gain import zero_gain
from splitcrit.trees.scan import formulas_compiled

CONSERVATIVE = [
    decrease(misclassification), decrease(ne(1)), decrease(ne(2.5)), decrease(gce(1)), decrease(gce(Fraction(3, 2))),
    decrease(scaled(misclassification, 7)), Criterion.from_loss(mae),
]  # fmt: skip
LAMS = [Fraction(1, 4), Fraction(3, 5), Fraction(99, 100), 0.3, 0.6, math.nextafter(0.6, 0), math.nextafter(1, 0), 1e-9]


def squared(counts: list[int], lam: Fraction) -> Fraction:
    """The square of ``n`` times the NE impurity, which is rational."""
    n, classes = sum(counts), len(counts)
    root = lam * lam * Fraction(classes - 1, classes) * (n * n - sum(x * x for x in counts))
    return min(Fraction((n - max(counts)) ** 2), root)


def gains_nothing(left: list[int], right: list[int], lam: Fraction) -> bool:
    """Whether ``sqrt(a) = sqrt(b) + sqrt(c)`` for the squares of node and sides, in rationals alone."""
    a, b, c = (squared(counts, lam) for counts in ([x + y for x, y in zip(left, right, strict=True)], left, right))
    return a >= b + c and (a - b - c) ** 2 == 4 * b * c


def random_splits(rng, m: int, classes: int) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[no-untyped-def]
    """Splits of many sizes; some have equal rows, some share a majority, some have a pure side."""
    most = 10 ** rng.integers(1, 5, (m, 1))
    left, right = (rng.integers(0, most, (m, classes)) for _ in range(2))
    kind = rng.integers(0, 5, m)
    right[kind == 1] = left[kind == 1] * rng.integers(1, 9, ((kind == 1).sum(), 1))
    for side in (left, right):
        side[kind == 2, 0] += side[kind == 2].sum(axis=1)
        side[kind == 3, 1:] = 0
        side[:, 0] += side.sum(axis=1) == 0
    return left, right


@pytest.mark.parametrize("lam", LAMS, ids=repr)
def test_ne_gains_nothing_where_exact_rationals_say_so(lam: float | Fraction) -> None:
    rng = np.random.default_rng(1)
    for classes in (2, 3, 6):
        left, right = random_splits(rng, 600, classes)
        found = zero_gain(left, right, decrease(ne(lam)))
        known = [gains_nothing(*split, Fraction(lam)) for split in zip(left.tolist(), right.tolist(), strict=True)]
        assert found is not None and found.tolist() == known
        assert 0 < found.sum() < len(found)


def on_the_edge(rng, lam: Fraction, size: int) -> list[list[int]]:  # type: ignore[no-untyped-def]
    """Counts of three classes just inside and just outside the zone of ``ne(lam)``."""
    a, b = (int(x) for x in rng.integers(1, size, 2))
    c = (Fraction(3 * (a + b) ** 2) / (4 * lam * lam) - a * b) / (a + b)
    return [[a, b, largest] for largest in (math.floor(c), math.ceil(c)) if largest >= max(a, b)]


@pytest.mark.parametrize("size", [100, 10**6, 10**9, 10**13])
def test_near_ties_of_the_zone(size: int) -> None:
    """At the edge of the zone, where float64 cannot tell the two parts of the impurity apart."""
    rng, doubted = np.random.default_rng(size % 2**32), 0
    for lam in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 5), Fraction(0.6)):
        sides = [counts for _ in range(100) for counts in on_the_edge(rng, lam, size)]
        pure = [[0, 0, 1 + int(n)] for n in rng.integers(0, size, len(sides))]
        found = zero_gain(np.array(sides), np.array(pure), decrease(ne(lam)))
        assert found is not None and found.tolist() == [gains_nothing(*s, lam) for s in zip(sides, pure, strict=True)]
        assert 0.2 < found.mean() < 0.8
        for counts in sides:
            n, root = sum(counts), float(lam) * math.sqrt(2 / 3 * (sum(counts) ** 2 - sum(x * x for x in counts)))
            doubted += abs(n - max(counts) - root) <= 1e-11 * root
    assert doubted > 0 or size < 10**9


def test_a_rational_lam_is_exact_and_a_float_is_what_it_is() -> None:
    """A minority share of 9/34 is the edge of the zone of 3/5; the float 0.6 is a little less than 3/5."""
    for k in (1, 10**3, 10**8, 10**14):
        sides = np.array([[9 * k, 25 * k]]), np.array([[0, k]])
        verdicts = [zero_gain(*sides, decrease(ne(lam))) for lam in (Fraction(3, 5), 0.6, math.nextafter(0.6, 1))]
        assert [bool(v[0]) for v in verdicts if v is not None] == [True, False, True]
    assert Fraction(0.6) < Fraction(3, 5)


@pytest.mark.parametrize("criterion", CONSERVATIVE, ids=repr)
def test_conservative_gains(criterion: Criterion) -> None:
    rng = np.random.default_rng(2)
    for classes in (2, 3, 6):
        left, right = random_splits(rng, 500, classes)
        found = zero_gain(left, right, criterion)
        assert found is not None and 0 < found.sum() < len(found)
        exact = decrease(misclassification).exact
        tables = zip(left.tolist(), right.tolist(), strict=True)
        assert found.tolist() == [exact([*table]) == 0 for table in tables]
    big = 10**15
    splits = np.array([[[big, big], [big + 1, big]], [[big, big + 1], [big + 1, big]], [[big, 7], [big - 1, big - 1]]])
    found = zero_gain(splits[:, 0], splits[:, 1], criterion)
    assert found is not None and found.tolist() == [True, False, True]


def test_other_criteria_have_no_integer_test() -> None:
    sides = np.array([[1, 2]]), np.array([[2, 4]])
    for criterion in (decrease(gini), decrease(sc.entropy), decrease(gce(0.5)), decrease(scaled(gini, 2)), sc.twoing):
        assert zero_gain(*sides, criterion) is None


@pytest.mark.parametrize(("lam", "nodes"), [(Fraction(3, 5), 1), (0.6, 3), (math.nextafter(0.6, 1), 1)], ids=repr)
def test_every_builder_asks_integers(lam: float | Fraction, nodes: int) -> None:
    """A gain of some 1e-17, far below a tie, is a gain; floating point alone would not split."""
    y = np.repeat([0, 1, 1], [9, 25, 1])
    x = np.repeat([0.0, 0.0, 1.0], [9, 25, 1])[:, None].astype(np.float32)
    for weights in (None, np.full(35, 3.0)):
        found = trees(x, y, 2, decrease(ne(lam)), Stopping(), weights=weights)
        assert [len(tree.left) for tree in found] == [nodes] * len(found)
    assert TreeClassifier(criterion=ne(lam)).fit(x, y).tree_.node_count == nodes
    assert TreeClassifier(criterion=ne(lam)).fit(x, y, np.full(35, 0.3)).tree_.node_count == 1  # no counts: floats


# Trees by chance-corrected scores: every threshold is scored as its table, and weights are counts.


def tables_of(rng, m: int, classes: int, most: int) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Tables of two rows with a sample each at least."""
    found = rng.integers(0, most, (m, 2, classes)) * (rng.random((m, 2, classes)) < 0.8)
    found[:, :, 0] += found.sum(axis=2) == 0
    return found


# Scores.


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_significance_is_minus_log_of_dobra_and_gehrkes_p_value(classes: int) -> None:
    tables = tables_of(np.random.default_rng(classes), 2000, classes, 12)
    p = sc.gini_pvalue(tables, method="gamma").value
    found = significance(tables)
    assert ((found == 0) == (p == 1)).all()
    np.testing.assert_allclose(found, -np.log(p), rtol=1e-12, atol=1e-15)
    classes_first = np.moveaxis(tables, 0, -1).astype(float)
    np.testing.assert_allclose(significance.score(classes_first, FLOAT), found, rtol=1e-11, atol=1e-12)
    assert significance(tables[0]) == pytest.approx(-np.log(sc.gini_pvalue(tables[0], method="gamma").value), rel=1e-13)


@pytest.mark.parametrize("n", [50, 5000, 500_000])
def test_significance_tells_splits_apart_whose_p_value_is_no_float(n: int) -> None:
    scores = []
    for table in ([[n, 0], [0, n]], [[n, 1], [0, n]], [[n, 1], [1, n]]):
        law = sc.gini_null(*[np.array(table).sum(axis=axis) for axis in (1, 0)], model="multinomial", exact=True)
        gain = Fraction(2 * (table[0][0] * table[1][1] - table[0][1] * table[1][0]) ** 2, 1)
        rows, total = np.array(table).sum(axis=1).tolist(), int(np.sum(table))
        gain /= rows[0] * rows[1] * total**2
        shape, reach = law.mean**2 / law.variance, gain * law.mean / law.variance
        with mpmath.workdps(40):
            numbers = [mpmath.mpf(x.numerator) / x.denominator for x in (shape, reach)]
            true = -mpmath.log(mpmath.gammainc(*numbers, mpmath.inf, regularized=True))
        assert significance(table) == pytest.approx(float(true), rel=1e-13)
        scores.append(significance(table))
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 3


def test_compiled_tails_and_their_bound() -> None:
    rng = np.random.default_rng(0)
    shape = 10 ** rng.uniform(-3, 4, 3000)
    reach = shape * 10 ** rng.uniform(-3, 3, 3000)
    both = formulas_compiled.surprise, formulas_compiled.most_surprise
    found, most = ([f(a, x) for a, x in zip(shape, reach, strict=True)] for f in both)
    np.testing.assert_allclose(found, surprise(shape, reach), rtol=1e-10, atol=1e-14)
    assert (np.array(most) > np.array(found) * (1 - 1e-12)).all()
    close = (reach > 5 * shape) & (reach > 5)
    assert (np.array(most) < 1.5 * np.array(found) + 1)[close].all()  # else nothing would be passed over


def test_significance_has_no_exact_value() -> None:
    with pytest.raises(Irrational, match="EXACT has no incomplete gamma function; got significance; score it in FLOAT"):
        significance.score([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]], EXACT)


@pytest.mark.parametrize("rare", [0.5, 0.05])
@pytest.mark.parametrize("classes", [2, 3, 8])
def test_bounds_of_significance_pass_over_no_threshold(classes: int, rare: float) -> None:
    """Large nodes, of which one gain bounds most thresholds, with a trend or none, ties and least sizes."""
    rng = np.random.default_rng(classes)
    shares = np.append(np.full(classes - 1, rare / (classes - 1)), 1 - rare)
    for n, trend, least in product((40, 150, 3000), (0, 0.2, 1), (1, 9)):
        x = np.sort(rng.integers(0, n, n)).astype(np.float32)
        moved = rng.random(n) < trend * x / n
        y = np.where(moved, 0, rng.choice(classes, n, p=shares))
        hot = np.eye(classes, dtype=int)[y].cumsum(axis=0)
        cuts = np.flatnonzero(np.diff(x) > 0)
        cuts = cuts[(cuts + 1 >= least) & (n - cuts - 1 >= least)]
        left = hot[cuts]
        expected = significance(np.stack([left, hot[-1] - left], axis=1))
        if len(set(y)) < 2:  # a leaf
            continue
        stopping = Stopping(max_depth=1, min_samples_leaf=least, min_gain=None)
        tree = grow(Training(x[:, None], y, classes), significance, GrowthOptions(stopping))
        assert tree.score[0] == pytest.approx(expected.max(), rel=1e-10, abs=1.1e-11 * n)
        first = cuts[np.argmax(expected >= expected.max() - 1.1e-11 * n)]
        assert x[first] <= tree.threshold[0] < x[first + 1]
