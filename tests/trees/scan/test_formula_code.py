"""The machine code of formulas: what the formulas say in numpy, and the trees of the reference builder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from growing import ASYMMETRIC, by_reference, difference, trees
from splitcrit import criteria, impurities, losses
from splitcrit.arith import FLOAT, total
from splitcrit.arith.tracing import Tracer
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.scan.formula_code import compiled, formula_code, traced

CLASSES = (2, 3, 5, 14)
NAMES = [
    "gini", "entropy", "sqrt_gini", "misclassification", "matushita", "bayes_sum", "gce(0.7)", "ne(0.5)",
    "shannon_entropy(2)", "loss square", "loss cross_entropy", "loss mae", "loss infinity_norm", "loss zero_one",
    "loss bayes_sum", "loss sqrt_gini", "loss matushita", "loss gce(0.7)", "loss ne(0.5)", "loss hinge", "loss ramp",
    "loss logistic", "loss exponential", "loss sigmoid", "loss margin_zero_one", "loss negative_exponential(0.5)",
    "asymmetric 0", "asymmetric 1", "loss with truth values", "loss of cubes",
]  # fmt: skip
MADE = {"gce(0.7)": impurities.gce(0.7), "ne(0.5)": impurities.ne(0.5)}
OF_LOSSES = {"gce(0.7)": losses.gce(0.7), "ne(0.5)": losses.ne(0.5)}


def itself(p: Any, m: Any) -> Any:
    return p


def with_truth_values(w: Any, k: int, m: Any) -> Any:
    return sum((x - (j == k)) ** 2 for j, x in enumerate(w))


def of_cubes(w: Any, k: int, m: Any) -> Any:
    return 2 * sum(x**3 for x in w) - 3 * w[k] ** 2 + 1


def impurity(name: str) -> Any:
    """The impurity of a name: of the library, made from a loss of the library, or from one of a user."""
    if name == "shannon_entropy(2)":
        return impurities.shannon_entropy(2)
    if name == "loss negative_exponential(0.5)":
        return Impurity.from_loss(losses.negative_exponential(0.5))
    if name == "loss with truth values":
        return Impurity.from_loss(Loss("truth values", with_truth_values, itself))
    if name == "loss of cubes":
        return Impurity.from_loss(Loss("cubes", of_cubes, itself))
    kind, _, rest = name.partition(" ")
    if kind == "asymmetric":
        return ASYMMETRIC[int(rest)].impurity
    if kind == "loss":
        return Impurity.from_loss(OF_LOSSES[rest] if rest in OF_LOSSES else getattr(losses, rest))
    return MADE[name] if name in MADE else getattr(impurities, name)


def batch(classes: int) -> np.ndarray:
    """Class counts: with empty classes, pure samples, and all else."""
    rng = np.random.default_rng(classes)
    counts = rng.integers(0, 40, (classes, 90)).astype(float)
    counts[:, :20] *= rng.random((classes, 20)) < 0.4
    counts[1:, 20:25] = 0
    return counts[:, counts.sum(axis=0) > 0]


@pytest.mark.parametrize("name", NAMES)
def test_code_says_what_the_formula_says(name: str) -> None:
    of = impurity(name).of
    for classes in CLASSES:
        m = Tracer()
        counts = [m.variable("count", k) for k in range(classes)]
        code, given = compiled(of([x / total(counts) for x in counts], m).node), batch(classes)
        with np.errstate(all="ignore"):
            own = np.broadcast_to(of(list(given / given.sum(axis=0)), FLOAT), given.shape[1:])
        np.testing.assert_allclose([code.of(column) for column in given.T], own, rtol=1e-12, atol=1e-14)


OPERATIONS = {
    "a whole power": lambda x, m: x[0] ** 3 - x[1] ** 0 + x[0] ** -2,
    "powers": lambda x, m: m.power(x[0], 1.5) + x[1] ** 0.5,
    "logarithms": lambda x, m: m.log(x[0] + 1) + m.xlogx(x[1]) + m.exp(-x[0]),
    "comparisons": lambda x, m: m.where(x[0] <= x[1], m.where(x[0] != 3, x[0], 2), m.where(x[1] == 0, 5, 7)),
    "ends": lambda x, m: m.max([x[0], x[1], 2]) - m.min([x[0], -x[1]]) + m.abs(x[0] - x[1]),
    "nan": lambda x, m: m.max([x[0] / x[0], 1]) + m.min([1, x[1] / x[1]]),
    "infinity": lambda x, m: m.where(x[0] < x[1], 1 / x[0], -1 / x[1]),
    "roots": lambda x, m: m.sqrt(x[0] - x[1]),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_numpys(name: str) -> None:
    m, formula = Tracer(), OPERATIONS[name]
    code = compiled(formula([m.variable("count", k) for k in range(2)], m).node)
    given = np.stack(np.meshgrid(*[np.arange(5.0)] * 2)).reshape(2, -1)
    with np.errstate(all="ignore"):
        own = formula(list(given), FLOAT)
    np.testing.assert_allclose([code.of(column) for column in given.T], own, rtol=1e-14)


@pytest.mark.parametrize(
    "of", [lambda p, m: (p[0] < p[1]) + (p[0] < 3), lambda p, m: -(p[0] < p[1])], ids=["added", "negated"]
)
def test_truth_values_are_no_numbers(of: Any) -> None:
    with pytest.raises(TypeError, match="no formula of numbers"):
        traced(lambda m: of([m.variable("count", k) for k in range(2)], m))


def test_equal_formulas_share_their_code() -> None:
    one, other = (decrease(Impurity(name, lambda p, m: 1 - total([x * x for x in p]))) for name in ("one", "other"))
    assert formula_code(one, 3) == formula_code(other, 3) != formula_code(one, 4)


def at(w, k, m):  # type: ignore[no-untyped-def]
    return sum(x**2 for x in w) - 2 * w[k] + 1


def act(p, m):  # type: ignore[no-untyped-def]
    return p


def backwards(p, m):  # type: ignore[no-untyped-def]
    return p[::-1]


def looks(p, m):  # type: ignore[no-untyped-def]
    return p[0] * (2 if hasattr(p[0], "max") else 1)


def notched(p, m):  # type: ignore[no-untyped-def]
    apart = (p[0] - p[1]) * (p[0] - p[1])
    return p[0] * p[1] * apart / (apart + 1e-8)


def branches(p, m):  # type: ignore[no-untyped-def]
    return p[0] * 2 if (p[0] > 2).any() else p[0]


MINE = Criterion.from_loss(Loss("mine", at, act))
FALSE = Criterion.from_loss(Loss("false", at, backwards))
NUMERIC = Criterion.from_loss(Loss("without act", at))
OF_RISKS = [
    MINE,
    decrease(impurities.matushita),
    decrease(impurities.bayes_sum),
    *(Criterion.from_loss(loss) for loss in (losses.zero_one, losses.cross_entropy, losses.gce(0.5), losses.ne(0.5))),
    *ASYMMETRIC,
]


@pytest.mark.parametrize("of", [looks, branches], ids=["attribute", "branch"])
def test_what_looks_at_values_has_no_code(of) -> None:  # type: ignore[no-untyped-def]
    assert formula_code(decrease(Impurity("mine", of)), 3) is None


def test_a_formula_too_long_has_no_code() -> None:
    assert formula_code(criteria.imprecise_information_gain(1), 60) is None


@pytest.mark.parametrize("criterion", [NUMERIC, *OF_RISKS], ids=repr)
def test_trees_are_the_same_as_the_reference_builder_grows(criterion: Criterion) -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n = (60, 150, 400)[seed % 3]
        x = rng.integers(0, (8, 60, 10**6)[seed % 3], (n, 3)).astype(np.float32)
        if seed == 4:
            x[rng.random(x.shape) < 0.1] = np.nan
        y = (x[:, 0] + rng.normal(size=n) * x[:, 0].std() > np.median(x[:, 0])).astype(int)
        found = trees(x, y, 2, criterion, Stopping(max_depth=4, min_samples_leaf=1 + seed % 2))
        assert not any(difference(found[0], tree) for tree in found[1:]), seed


def test_a_claim_that_is_false_changes_no_tree() -> None:
    """The action is not the best one, so that its cost need not be concave nor grow with the counts."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(1500, 3)).astype(np.float32), rng.integers(0, 3, 1500)
    for classes in (2, 3):
        stopping = Stopping(max_depth=3, min_gain=None)
        found = trees(x, np.minimum(y, classes - 1), classes, FALSE, stopping)
        assert not any(difference(found[0], tree) for tree in found[1:]), classes


def test_an_impurity_that_does_not_grow_is_scored_at_every_threshold() -> None:
    """At one threshold the left side has equal classes and the right one is pure; only there neither has impurity."""
    y = np.array([0, 0] + [1, 0] * 63 + [1] * 128)
    second, first = np.arange(256, dtype=np.float32), np.empty(256, np.float32)
    zeros, ones = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    first[np.r_[zeros[:60], ones, zeros[60:]]] = second
    x, criterion = np.stack([first, second], axis=1), decrease(Impurity("notched", notched))
    for tree in trees(x, y, 3, criterion, Stopping(max_depth=1)):
        assert (tree.feature[0], tree.threshold[0]) == (1, 129.5)


@pytest.mark.parametrize("drawn", [None, 1])
def test_a_side_without_a_number_is_named_by_the_formula(drawn: int | None) -> None:
    def of(p, m):  # type: ignore[no-untyped-def]
        return p[0] / p[0] - p[0]

    x, y = np.arange(9, dtype=np.float32)[:, None], np.arange(9) // 3
    growing = GrowthOptions(Stopping(), max_features=drawn)
    with pytest.raises(ValueError, match=r"undefined.* gives a number for any counts; got nan"):
        grow(Training(x, y, 3), decrease(Impurity("undefined", of)), growing)


def test_a_side_without_a_number_far_below_the_root_is_named_though_samples_were_shared_out() -> None:
    def of(p, m):  # type: ignore[no-untyped-def]
        return p[0] / p[0] * p[0] * (1 - p[0])

    y = np.array([0, 1, 1, 0, 1, 0, 1, 2, 0, 2, 2, 0])
    other = [0, 9, 2, 8, 4, 6, 5, 7, 3, 1, 10, 11]  # at its ends as well class 0: no side of the root is without it
    x, criterion, said = np.array([np.arange(12), other], dtype=np.float32).T, decrease(Impurity("undefined", of)), []
    for _ in range(2):
        with pytest.raises(ValueError, match=r"undefined.*; got nan; use") as found:
            grow(Training(x, y, 3), criterion, GrowthOptions(Stopping()))
        said.append(str(found.value))
    assert said == said[:1] * 2


def test_a_plateau_of_ties_goes_to_its_first_threshold() -> None:
    x = np.arange(3000, dtype=np.float32)[:, None]
    y = np.r_[np.zeros(1000, int), np.arange(2000) % 2]
    for criterion in (decrease(impurities.bayes_sum), criteria.sum_minority):
        first, second = (each(Training(x, y, 2), criterion, GrowthOptions(Stopping(max_depth=2)))
                         for each in (grow, by_reference))  # fmt: skip
        assert difference(first, second) == ""
