"""Trees by a user's loss of responses: those of the same loss of the library; least costs by brute force."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import growing
from growing import ASYMMETRIC, SQUARED, difference, grow_regression, itself, mean, squared, squares, trees, variance
from refusals import refused
from splitcrit import criteria, impurities, losses
from splitcrit.arith import FLOAT, total
from splitcrit.arith.tracing import Tracer
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss, ResponseLoss
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.scan import user_loss_search
from splitcrit.trees.scan.formula_code import _called, _tabulated, compiled, formula_code, traced
from splitcrit.trees.scan.user_loss_search import least


def poisson(w: Any, y: Any, m: Any) -> Any:
    return m.xlogx(y) - y * m.log(w) - y + w


def huber(w: Any, y: Any, m: Any) -> Any:
    return m.where(m.abs(w - y) < 1, (w - y) * (w - y) / 2, m.abs(w - y) - 0.5)


def upper(w: Any, y: Any, m: Any) -> Any:
    return m.where(y > w, 0.9 * (y - w), 0.1 * (w - y))


POISSON = ResponseLoss("poisson", poisson, lambda y, m: (y, m.xlogx(y)), mean, lambda t, m: t[1] - m.xlogx(t[0]))
HUBER, UPPER = ResponseLoss("huber", huber), ResponseLoss("upper", upper)
SAME = [(SQUARED, "squared_error"), (ResponseLoss("numeric", squared), "squared_error"), (POISSON, "poisson"),
        (ResponseLoss("absolute", lambda w, y, m: m.abs(w - y)), "absolute_error")]  # fmt: skip
STRUCTURE = ("feature", "threshold", "left", "right", "depth", "size", "missing_left")


def equal(one: Any, other: Any, *more: str) -> None:
    """Fail where the structures of two trees differ, or more of their parts."""
    for name in (*STRUCTURE, *more):
        assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def problem(n: int, seed: int) -> tuple[Any, Any, Any]:
    """Features with ties and gaps, responses above 0, perhaps weights."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(n, 3)), seed % 3).astype(np.float32)
    x[rng.random(x.shape) < 0.1 * (seed % 2)] = np.nan
    y = np.round(rng.gamma(2.0, size=n) * np.exp(np.nan_to_num(x[:, 0])), 2) + 0.01
    return x, y, rng.integers(1, 5, n) / 2.0 if seed % 3 else None


@pytest.mark.each_value
@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize(("loss", "error"), SAME, ids=lambda x: str(x))
def test_a_loss_of_the_library_written_by_a_user_grows_the_same_tree(loss: Any, error: str, splitter: Any) -> None:
    for seed in range(3):
        x, y, weights = problem(40, seed)
        growing = GrowthOptions(Stopping(2, min_samples_leaf=1 + seed % 3), splitter=splitter, seed=seed)
        ours, theirs = (grow_regression(x, y, weights, which, growing) for which in (loss, error))
        equal(ours, theirs)
        assert_allclose(ours.impurity, theirs.impurity, rtol=1e-8, atol=1e-12)
        assert_allclose(ours.score, theirs.score, rtol=1e-7, atol=1e-12)
        if error != "absolute_error":  # any point between two middle responses is a median
            assert_allclose(ours.value, theirs.value, rtol=1e-6)
        assert len(ours.left) > 3


def brute(loss: ResponseLoss, y: Any, w: Any) -> float:
    """The least sum of costs over the responses and a grid of predictions, and a finer one about the best of these."""
    tried = np.concatenate([np.linspace(y.min(), y.max(), 201), y])
    for half in np.ptp(y) / np.array([200, 2e4]):
        costs = (w * loss.at(tried[:, None], y[None], FLOAT)).sum(axis=1)
        tried = np.append(tried[costs.argmin()] + half * np.linspace(-1, 1, 201), tried[costs.argmin()])
    return float((w * loss.at(tried[:, None], y[None], FLOAT)).sum(axis=1).min())


@pytest.mark.parametrize("loss", [HUBER, UPPER, ResponseLoss("numeric", squared)], ids=repr)
def test_the_least_sum_of_costs_of_every_prefix_is_found(loss: ResponseLoss) -> None:
    _, y, _ = problem(12, 1)
    w = np.random.default_rng(0).integers(1, 5, 12) / 2.0
    _, found = least(loss, y, w, np.arange(1, 13))
    expected = [brute(loss, y[:k], w[:k]) for k in range(1, 13)]
    assert (found <= np.array(expected) * (1 + 1e-9) + 1e-12).all()
    assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_large_blocks_and_small_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    _, y, _ = problem(30, 2)
    whole = least(HUBER, y, np.ones(30), np.arange(1, 31))
    monkeypatch.setattr("splitcrit.trees.scan.user_loss_search.CELLS", 64)
    assert_array_equal(least(HUBER, y, np.ones(30), np.arange(1, 31)), whole)


CONVEX = [HUBER, UPPER, ResponseLoss("numeric", squared), ResponseLoss("quartic", lambda w, y, m: (w - y) ** 4),
          ResponseLoss("tube", lambda w, y, m: m.max([m.abs(w - y) - 0.5, 0 * w * y])),
          ResponseLoss("below 0", lambda w, y, m: (w - y) * (w - y) - 9)]  # fmt: skip
OTHERS = [
    ResponseLoss("capped", lambda w, y, m: m.min([(w - y) * (w - y), 2 + 0 * w * y])),
    ResponseLoss("steep", lambda w, y, m: m.where(w < y - 3, np.inf, m.abs(w - y))),
]


@pytest.mark.each_value
@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize("loss", [*CONVEX, *OTHERS], ids=repr)
def test_trees_are_those_of_a_search_that_settles_every_threshold(loss, splitter, monkeypatch):
    for seed in range(4):
        x, y, weights = problem(30, seed)
        y = (y, np.round(y), y + 1e6, np.zeros(30))[seed]
        growing = GrowthOptions(Stopping(1, min_samples_leaf=1 + seed % 3), splitter=splitter, seed=seed)
        quick = grow_regression(x, y, weights, loss, growing)
        with monkeypatch.context() as patched:
            patched.setattr(user_loss_search, "_is_convex", lambda loss, y: False)
            full = grow_regression(x, y, weights, loss, growing)
        equal(quick, full, "impurity", "score", "value")


def test_a_threshold_that_ties_is_settled_where_a_split_leaves_little_of_the_cost() -> None:
    """A response in the middle goes left in one column, and right in another, which costs 4e-9 less of it: a tie."""
    near, mean = (np.arange(10) - 4.5) * 1e-6, 0.5 / 101
    zeros = np.concatenate([np.full(80, -mean / 8), near, mean + near])  # responses close to both best predictions
    y = np.concatenate([zeros, [0.5000000002449276], 1 - zeros[::-1]])
    left, right = np.arange(201.0), np.arange(201.0)
    left[100], right[100] = -1, 201
    tree = grow_regression(np.stack([left, right], axis=1), y, None, CONVEX[2], GrowthOptions(Stopping(1)))
    assert (tree.feature[0], *tree.size) == (0, 201, 101, 100)


@pytest.mark.parametrize("loss", CONVEX, ids=repr)
def test_few_thresholds_of_a_convex_loss_are_settled(loss: ResponseLoss) -> None:
    asked = 0

    def counted(w: Any, y: Any, m: Any) -> Any:
        nonlocal asked
        asked += np.broadcast(w, y).size
        return loss.at(w, y, m)

    rng = np.random.default_rng(0)
    n, x = 200, rng.normal(size=(200, 4))
    for y in (x[:, 0] + rng.normal(size=n), rng.normal(size=n)):
        asked = 0
        grow_regression(x, y, None, ResponseLoss("counted", counted), GrowthOptions(Stopping(1)))
        assert asked < 40 * n * n  # every threshold of four features, on both sides, by 62 predictions: 496


def test_whether_costs_are_convex_is_tried() -> None:
    _, y, _ = problem(60, 0)
    assert [user_loss_search._is_convex(loss, y) for loss in (*CONVEX, *OTHERS)] == [True] * 6 + [False] * 2
    # convex at even numbers
    wave = ResponseLoss("wave", lambda w, y, m: (w - y) * (w - y) + 3 * m.abs(m.abs(w) % 2 - 1))
    assert not user_loss_search._is_convex(wave, 2 * np.round(y))


@pytest.mark.parametrize("loss", CONVEX, ids=repr)
def test_no_prediction_costs_less_than_the_bound(loss: ResponseLoss, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(6):
        _, y, w = problem(20, seed)
        w = np.ones(20) if w is None else w
        sizes, actions = np.arange(1, 20), np.unique(y)
        sides = user_loss_search._of_responses(loss, y, w, sizes, actions)
        for (at, value, above), order in zip(sides, (slice(None), slice(None, None, -1)), strict=True):
            given = sizes if order.step is None else 20 - sizes
            exact = least(loss, y[order], w[order], given)[1]
            assert (above <= exact).all() and (exact <= value).all()
            costs = (w[order] * loss.at(actions[at, None], y[order], FLOAT)).cumsum(axis=1)
            assert_array_equal(costs[np.arange(19), given - 1], value)
        monkeypatch.setattr(user_loss_search, "CELLS", 60)  # blocks of three predictions
        for one, other in zip(sides, user_loss_search._of_responses(loss, y, w, sizes, actions), strict=True):
            for whole, parts in zip(one, other, strict=True):
                assert_array_equal(whole, parts)
        monkeypatch.undo()


@pytest.mark.parametrize("splitter", ["best", "random"])
def test_a_formula_without_machine_code_grows_the_same_tree(splitter: str) -> None:
    def act(t: Any, m: Any) -> Any:
        return np.sort(np.stack([t[0], t[0]]), axis=0)[0]

    def risk(t: Any, m: Any) -> Any:
        return np.sort(np.stack([t[1] - t[0] * t[0]] * 2), axis=0)[0]

    called_back = ResponseLoss("called back", squared, squares, act, risk)
    x, y, weights = problem(60, 1)
    growing = GrowthOptions(splitter=splitter, seed=1)
    one, other = (grow_regression(x, y, weights, loss, growing) for loss in (SQUARED, called_back))
    equal(one, other, "impurity", "score", "value")


@pytest.mark.parametrize("splitter", ["best", "random"])
def test_a_constant_that_is_added_changes_no_tree(splitter: str) -> None:
    """Ties are as wide as the least loss is far from 0, on whichever side it lies.

    A column of two values repeats a threshold of the first, with costs added up in another order: the scores of both
    differ by rounding alone, and the first is taken.
    """
    x, _, weights = problem(40, 2)
    y, columns = np.random.default_rng(2).normal(size=40), x.shape[1]
    x = np.column_stack([x, *(x[:, 0] > cut for cut in np.unique(x[:, 0])[::2])])
    losses = [ResponseLoss(f"{by:+}", lambda w, y, m, by=by: (w - y) * (w - y) + by) for by in (-99, 99)]
    growing = GrowthOptions(Stopping(max_depth=4), splitter=splitter)
    below, above = (grow_regression(x, y, weights, loss, growing) for loss in losses)
    equal(below, above)
    assert len(below.left) > 9 and below.impurity.max() < 0
    assert splitter == "random" or max(below.feature.max(), above.feature.max()) < columns


@pytest.mark.parametrize("error", [ZeroDivisionError("late"), KeyboardInterrupt()], ids=repr)
def test_what_fails_while_a_tree_grows_is_raised(error: BaseException) -> None:
    left = 40

    def failing(w: Any, y: Any, m: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise error
        return (w - y) * (w - y)

    x, y, _ = problem(40, 0)
    with pytest.raises((ValueError, KeyboardInterrupt), match=r"late|^$"):
        grow_regression(x, y, None, ResponseLoss("failing", failing))


def test_a_risk_that_is_no_number_for_some_side_is_named() -> None:
    """The declaration is tried with a few responses, none of which makes a side of one sample and no spread."""

    def risk(t: Any, m: Any) -> Any:
        spread = t[1] - t[0] * t[0]
        return m.where(spread > 1e3, spread - spread, spread) * (spread / spread)

    x, y = np.arange(12.0)[:, None], np.array([1.0, 2] * 6)
    loss = ResponseLoss("odd", squared, squares, mean, risk)
    refused("the formula of odd gives a number for any counts; got nan", grow_regression, x, y, None, loss)


WRONG = [
    ResponseLoss("shifted", squared, squares, lambda t, m: t[0] + 0.01, variance),
    ResponseLoss("square", squared, squares, mean, lambda t, m: t[1]),
    ResponseLoss("worst", squared, squares, lambda t, m: 0 * t[0], lambda t, m: t[1]),
    ResponseLoss("median", lambda w, y, m: m.abs(w - y), squares, mean, variance),
]


@pytest.mark.parametrize("loss", WRONG, ids=repr)
def test_a_wrong_declaration_is_refused(loss: ResponseLoss) -> None:
    x, y, _ = problem(40, 0)
    said = f"the act that {loss} declares has the least mean loss, which is its risk; got"
    refused(said, grow_regression, x, y, None, loss)


@pytest.mark.parametrize(
    ("loss", "got"),
    [
        (ResponseLoss("odd", lambda w, y, m: undefined), "NameError"),  # type: ignore[name-defined]  # noqa: F821
        (ResponseLoss("odd", lambda w, y, m: "text"), "ValueError"),
        (ResponseLoss("odd", squared, squares, mean, lambda t, m: t[2]), "IndexError"),
        (ResponseLoss("odd", squared, squares, mean, lambda t, m: t[0] * float("nan")), "nan"),
    ],
)
def test_a_formula_that_fails_is_named(loss: ResponseLoss, got: str) -> None:
    x, y, _ = problem(40, 0)
    refused(f"the formula of odd gives a number for any counts; got {got}", grow_regression, x, y, None, loss)


# The machine code of formulas: what the formulas say in numpy, and the trees of the reference builder.

TRUTH = Loss("truth values", lambda w, k, m: sum((x - (j == k)) ** 2 for j, x in enumerate(w)), itself)
IMPURITIES = [
    impurities.gini, impurities.entropy, impurities.sqrt_gini, impurities.misclassification, impurities.matushita,
    impurities.bayes_sum, impurities.gce(0.7), impurities.ne(0.5), impurities.shannon_entropy(2),
    *(criterion.impurity for criterion in ASYMMETRIC),
    *(Impurity.from_loss(loss) for loss in (
        losses.square, losses.cross_entropy, losses.mae, losses.infinity_norm, losses.zero_one, losses.bayes_sum,
        losses.sqrt_gini, losses.matushita, losses.gce(0.7), losses.ne(0.5), losses.hinge, losses.ramp, losses.logistic,
        losses.exponential, losses.sigmoid, losses.margin_zero_one, losses.negative_exponential(0.5), TRUTH,
        Loss("cubes", lambda w, k, m: 2 * sum(x**3 for x in w) - 3 * w[k] ** 2 + 1, itself),
    )),
]  # fmt: skip


def batch(classes: int) -> np.ndarray:
    """Class counts: with empty classes, pure samples, and all else."""
    rng = np.random.default_rng(classes)
    counts = rng.integers(0, 40, (classes, 90)).astype(float)
    counts[:, :20] *= rng.random((classes, 20)) < 0.4
    counts[1:, 20:25] = 0
    return counts[:, counts.sum(axis=0) > 0]


def test_the_table_of_a_risk_ends_at_the_last_log_odds() -> None:
    loss, counts = Loss("exponential without act", losses.exponential.at, None, "line"), np.array([1.0, np.exp(40)])
    assert_allclose(_called(_tabulated(loss), counts), counts.sum() * Impurity.from_loss(loss)(counts), 1e-9)


@pytest.mark.each_value
@pytest.mark.parametrize("classes", [2, 3, 5, 14])
@pytest.mark.parametrize("impurity", IMPURITIES, ids=str)
def test_code_says_what_the_formula_says(impurity: Any, classes: int) -> None:
    m, of = Tracer(), impurity.of
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


def notched(p, m):  # type: ignore[no-untyped-def]
    apart = (p[0] - p[1]) * (p[0] - p[1])
    return p[0] * p[1] * apart / (apart + 1e-8)


MINE = Criterion.from_loss(Loss("mine", at, itself))
FALSE = Criterion.from_loss(Loss("false", at, lambda p, m: p[::-1]))
OF_RISKS = [
    MINE, decrease(impurities.matushita), decrease(impurities.bayes_sum), *ASYMMETRIC,
    *(Criterion.from_loss(loss) for loss in (losses.zero_one, losses.cross_entropy, losses.gce(0.5), losses.ne(0.5))),
]  # fmt: skip


@pytest.mark.parametrize("of", [
    lambda p, m: p[0] * (2 if hasattr(p[0], "max") else 1), lambda p, m: p[0] * 2 if (p[0] > 2).any() else p[0],
], ids=["attribute", "branch"])  # fmt: skip
def test_what_looks_at_values_has_no_code(of) -> None:  # type: ignore[no-untyped-def]
    assert formula_code(decrease(Impurity("mine", of)), 3) is None


def test_a_formula_too_long_has_no_code() -> None:
    assert formula_code(criteria.imprecise_information_gain(1), 60) is None


@pytest.mark.parametrize("criterion", [Criterion.from_loss(Loss("without act", at)), *OF_RISKS], ids=repr)
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
                         for each in (grow, growing.by_reference))  # fmt: skip
        assert difference(first, second) == ""
