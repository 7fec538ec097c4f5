"""The best split of classes: every criterion, by blocks or by places, against the reference builder; random draws."""

from dataclasses import replace
from itertools import product
from typing import Any

import numba
import numpy as np
import pytest

import splitcrit as sc
from growing import ASYMMETRIC, CUBES, WITH_FORM, by_reference, cost, cubes, dearest, difference, splitmix64, trees
from splitcrit import Criterion, Impurity, agini, bayes_sum, decrease, entropy, gce, gini, ne, sqrt_gini, twoing
from splitcrit.arith import total
from splitcrit.criteria.facts import Facts
from splitcrit.impurities import by_sums, search_declaration
from splitcrit.trees.estimators.weighing import summable
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.training import Ranks
from splitcrit.trees.scan import pointers, prepared_criterion
from splitcrit.trees.scan.prepared_criterion import best_score, criterion_data, form_of, functions, scorer
from splitcrit.trees.scan.random_keys import root_key, side_keys, uniforms
from splitcrit.trees.scan.records import CONSTANTS, FORMULA, Data, Orders, Scratch
from splitcrit.trees.scan.scan_node import best_of_codes
from splitcrit.trees.scan.sorted_columns import by_column, sorted_columns


@pytest.mark.parametrize(
    "criterion", [*WITH_FORM, sc.replace(agini, alpha=0.01), *(decrease(gce(q)) for q in (0.05, 0.3, 0.95))], ids=repr
)
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_every_threshold_is_scored_as_its_table(criterion: Criterion, classes: int) -> None:
    """The best score is that of the function of whole tables."""
    rng = np.random.default_rng(classes)
    for n in (2, 3, 5, 30, 300, 3000):
        y = rng.choice(classes, n, p=2.0 ** -np.arange(classes) / (2 - 2.0 ** (1 - classes)))
        y[: n // 3].sort()
        hot = np.eye(classes, dtype=int)[y].cumsum(axis=0)
        if len(set(y)) < 2:
            continue
        expected = criterion(np.stack([hot[:-1], hot[-1] - hot[:-1]], axis=1))
        data = criterion_data(criterion, n, classes)
        assert data is not None
        assert best_score(data, y, classes) == pytest.approx(expected.max(), rel=1e-9, abs=1e-12)


def test_draws_are_those_of_splitmix64() -> None:
    golden, most = 0x9E3779B97F4A7C15, 2**64 - 1
    key = int(root_key(7))
    assert key == splitmix64(int(np.random.SeedSequence(7).generate_state(1, np.uint64)[0]))
    left, right = side_keys(np.array([key], np.uint64))
    assert int(left[0]) == splitmix64((key + golden) & most) and int(right[0]) == splitmix64((key + 2 * golden) & most)
    for stream in (0, 2):
        found = uniforms(np.array([key], np.uint64), 4, stream)[0]
        first = [splitmix64((key + ((3 + i + (stream << 32)) * golden & most)) & most) for i in range(4)]
        assert found.tolist() == [(splitmix64(z) >> 11) * 2.0**-53 for z in first]


# Columns of a training set: what they hold, and what is missing.


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 4095, 4096, 4097, 9000])
def test_rows_are_turned_into_columns(n: int, kind: type) -> None:
    x = np.random.default_rng(n).integers(-1, 2, (n, 3)).astype(kind) * kind(0.5)
    x[::3, 1] *= kind(-0.0)
    found = by_column(x)
    assert found.dtype == kind and found.flags.c_contiguous
    np.testing.assert_array_equal(found, [[row[f] for row in x] for f in range(3)])
    assert not np.signbit(found[found == 0]).any()


def test_only_nan_is_missing() -> None:
    """It stands last, behind what is infinite, and has the last rank."""
    x = np.array([[1.0, np.inf, np.nan, -np.inf], [2.0, -np.inf, np.inf, -np.inf]])
    for kind in (np.float32, np.float64):
        orders = sorted_columns(x.astype(kind), np.array([0, 1]), 2).orders >> 1
        assert orders.tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]
        assert Ranks.of(x.astype(kind)).lost.tolist() == [-1, -1, 1, -1]


# Every kind of criterion that is data has its compiled functions, and only those in use are compiled.

PREPARED = (search_declaration.SGINI, search_declaration.AGINI, search_declaration.AGINI_PERMUTED)
PREPARED += (search_declaration.STANDARDISED,)


def test_every_kind_has_functions() -> None:
    kinds = {value for name, value in vars(search_declaration).items() if name.isupper() and isinstance(value, int)}
    assert kinds == set(range(FORMULA))
    for kind in (*kinds, FORMULA):
        numbers, prepared, scan = functions(kind)
        assert numbers.py_func.__name__.startswith("numbers_") and scan.py_func.__name__.startswith("by_")
        assert (prepared is not None) == (kind in PREPARED)


# Addresses of compiled functions: what is called by one has the types that its callers pass, or is refused.


@numba.njit
def _size(data, start, stop, constants, behind):  # type: ignore[no-untyped-def]
    return 3.0 * (stop - start)


@numba.njit
def _numbers(data, totals, constants):  # type: ignore[no-untyped-def]
    return totals[0], data.power, data.unit, data.tie, constants[1]


@numba.njit
def _called(at, data, totals, constants):  # type: ignore[no-untyped-def]
    return pointers.call_numbers(at, data, totals, constants)


def test_a_function_is_called_by_its_address() -> None:
    data, totals, constants = pointers.DATA._replace(power=0.5, tie=2.0), np.array([7, 1]), np.array([0.0, 9.0])
    assert _called(pointers.address(_numbers, "numbers"), data, totals, constants) == (7, 0.5, 0.0, 2.0, 9.0)


def test_a_function_that_returns_something_else_is_refused() -> None:
    with pytest.raises(numba.TypingError, match="No conversion from float64 to none"):
        pointers.address(_size, "prepared")


def test_a_call_with_other_types_is_refused_when_it_is_compiled() -> None:
    narrow = Data(0, 0.0, 0.0, 0.0, *[np.empty(1, np.float32)] * 3, 0, 0)
    with pytest.raises(numba.TypingError, match="a function at an address takes"):
        _called(0, narrow, np.array([1]), np.array([1.0]))
    with pytest.raises(numba.TypingError, match="a function at an address takes"):
        _called(0, pointers.DATA, np.array([1.0]), np.array([1.0]))


# What criteria declare of themselves: forms that say what formulas say, and wrong ones that are refused.


def test_a_user_declares_a_sum_over_classes() -> None:
    criterion, rng = decrease(CUBES), np.random.default_rng(0)
    x, y = rng.random((400, 3)), rng.integers(0, 3, 400)
    plain = by_reference(Training(x, y, 3), decrease(Impurity("cubes", cubes)), GrowthOptions())
    np.testing.assert_array_equal(grow(Training(x, y, 3), criterion).threshold, plain.threshold)
    assert form_of(decrease(sc.scaled(CUBES, 3)), 10, 3).unit == 3  # type: ignore[union-attr]


def steep(p, m):  # type: ignore[no-untyped-def]
    return 1 - 3 * total([x * x for x in p])


REWARD = Criterion.from_loss(sc.Loss("reward", lambda w, k, m: -cost(k) * w[k], dearest))
STEEP = decrease(Impurity("steep", steep, search=by_sums(np.square, times=lambda n: 3 / n)))


@pytest.mark.parametrize(("plain", "other", "times"), [(ASYMMETRIC[0], REWARD, 1), (decrease(gini), STEEP, 3)])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_linear_part_and_a_factor_change_no_tree(
    plain: Criterion, other: Criterion, times: int, classes: int
) -> None:
    """The risk of a reward is that of the costs less a linear part; both it and a declared impurity may be negative."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 40, (300, 3)).astype(np.float32)
    y = np.clip(x[:, 0] / 40 * classes + rng.normal(size=300) / 2, 0, classes - 1).astype(int)
    first, *others = trees(x, y, classes, plain, Stopping(4))
    others += [replace(tree, score=tree.score / times) for tree in trees(x, y, classes, other, Stopping(4))]
    assert [difference(first, tree) for tree in others] == [""] * 3 and len(first.left) > 7


def test_difference_forms_are_declared_by_less() -> None:
    def entropy(p, m):  # type: ignore[no-untyped-def]
        return -total([m.xlogx(x) for x in p])

    def table(n):  # type: ignore[no-untyped-def]
        return n * np.log(np.maximum(n, 1))

    assert form_of(decrease(Impurity("mine", entropy, search=by_sums(table, less=table))), 50, 3) is not None


@pytest.mark.parametrize(
    "wrong",
    [
        by_sums(lambda n: n**2, times=lambda n: n**-2.0),
        by_sums(lambda n: n**3, times=lambda n: 1 / n),
        by_sums(lambda n: n**3, times=lambda n: n**-2.0, unit=2.0),
        by_sums(lambda n: n**3 + 1, times=lambda n: n**-2.0),
        by_sums(lambda n: n**3, less=lambda n: n),
    ],
)
def test_a_form_that_says_something_else_is_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"the form that decrease.* declares gives the scores of its formula; got"):
        form_of(decrease(Impurity("cubes", cubes, search=wrong)), 50, 3)
    with pytest.raises(ValueError, match="declares gives the scores"):
        sc.TreeClassifier(criterion=Impurity("cubes", cubes, search=wrong)).fit([[0.0], [1.0], [2.0]], [0, 1, 0])


# Scans of two classes by blocks give the trees of a scan of every place; blocks need concavity, which is settled.


SUMS = [decrease(gini), decrease(entropy), decrease(sqrt_gini), decrease(gce(0.7)), decrease(gce(0.95))]


FORMULAS = [decrease(sc.misclassification), decrease(ne(0.5)), decrease(bayes_sum)]


def sample(seed: int, rows: int) -> tuple[Any, Any]:
    """Two classes, rare or not, by columns with ties, missing values, a column of noise and one of signal."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 4))
    y = (x[:, 0] + rng.normal(size=rows) * rng.choice([0.3, 2]) > rng.choice([0, 1.8])).astype(int)
    y[:2] = 0, 1
    x[:, 1] = np.round(x[:, 0] * 3 + rng.normal(size=rows))
    x[rng.random(rows) < 0.1 * (seed % 3), 2] = np.nan
    return x.astype(np.float32), y


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", [*SUMS, *FORMULAS], ids=repr)
def test_trees_by_blocks_are_those_of_every_place(criterion: Criterion, weighted: bool, monkeypatch) -> None:
    """Weights that are no counts are scored by formulas."""
    for seed, rows in enumerate((64, 65, 97, 200, 700, 3000)):
        x, y = sample(seed, rows)
        weights = summable(np.random.default_rng(seed).random(rows)) if weighted else None
        least = {"min_weight_leaf": 2.5 * (seed % 2)} if weighted else {"min_samples_leaf": 1 + 4 * (seed % 2)}
        training, growing = Training(x, y, 2, weights), GrowthOptions(Stopping(**least))
        monkeypatch.setattr(prepared_criterion, "known", lambda *_: "unknown")
        plain = grow(training, criterion, growing)
        monkeypatch.undo()
        blocks = grow(training, criterion, growing)
        others = [plain, *([by_reference(training, criterion, growing)] if rows < 1000 else [])]
        assert not any(difference(other, blocks) for other in others), (rows, len(plain.left))


def test_what_is_settled_decides() -> None:
    concave, refuted = Facts((("concave", 2, "holds"),)), Facts((("concave", 2, "fails"),))
    assert all(criterion_data(c, 100, 2).convex for c in (*SUMS, *FORMULAS, decrease(concave.declared(CUBES))))  # type: ignore[union-attr]
    assert not any(criterion_data(c, 100, 3).convex for c in (*SUMS, *FORMULAS))  # type: ignore[union-attr]
    for unsettled in (decrease(CUBES), decrease(refuted.declared(CUBES)), twoing):
        assert not criterion_data(unsettled, 100, 2).convex  # type: ignore[union-attr]


def best(phi: Any, by_size: Any, codes: Any, convex: bool) -> float:
    """The best score of an order of labels by a sum, read by blocks or place by place."""
    form = by_sums(phi, times=by_size).form
    assert form is not None
    data = prepared_criterion.data_of(form(len(codes), 2))._replace(convex=convex)
    order = (np.arange(len(codes)) << 1 | codes).astype(np.uint32)
    source = Orders(order[None], np.arange(len(codes), dtype=np.float32)[None], 1)
    totals, space = np.bincount(codes, minlength=2), Scratch.of(2, len(codes))
    return float(best_of_codes(source, totals, scorer(data, source), np.zeros(CONSTANTS), space))


def test_blocks_leave_out_places_which_would_matter_without_concavity() -> None:
    """Of an impurity that is largest at pure nodes the best place lies within a block."""
    codes = np.repeat([0, 1, 0], [40, 64, 24])  # equal shares lie in the middle of the third block
    concave = [best(np.square, lambda n: 1 / n, codes, convex) for convex in (False, True)]
    other = [best(lambda n: -np.square(n), lambda n: 1 / n, codes, convex) for convex in (False, True)]
    assert concave[0] == concave[1] and other[1] < other[0]


def bowl(p: Any, m: Any) -> Any:
    return sum(x * x for x in p) - 1


def test_a_false_fact_ends_no_interpreter() -> None:
    """The tree may be another one than the best; its splits are of the node."""
    said = Facts((("concave", 2, "holds"),))
    sums = Impurity("bowl", bowl, search=by_sums(lambda n: -n * n, times=lambda n: 1 / n))
    kinds = [decrease(said.declared(each)) for each in (sums, Impurity("bowl", bowl))]
    assert all(criterion_data(each, 100, 2).convex for each in kinds)  # type: ignore[union-attr]
    for seed, convex in product(range(6), kinds):
        x, y = sample(seed, 900)
        tree = grow(Training(x, y, 2), convex, GrowthOptions(Stopping(min_gain=None, max_depth=6)))
        assert tree.weights[0].sum() == 900 and (tree.weights >= 0).all() and len(tree.left) > 3
