"""Scans of two classes by blocks give the trees of a scan of every place; blocks need concavity, which is settled."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from growing import CUBES, by_reference, difference
from splitcrit import Impurity, decrease, entropy, gce, gini, misclassification, ne, sqrt_gini
from splitcrit.criteria import Criterion, twoing
from splitcrit.criteria.facts import Facts
from splitcrit.impurities import bayes_sum, by_sums
from splitcrit.trees.estimators.weighing import summable
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.scan import prepared_criterion
from splitcrit.trees.scan.prepared_criterion import criterion_data, scorer
from splitcrit.trees.scan.records import CONSTANTS, Orders, Scratch
from splitcrit.trees.scan.scan_node import best_of_codes

SUMS = [decrease(gini), decrease(entropy), decrease(sqrt_gini), decrease(gce(0.7)), decrease(gce(0.95))]


FORMULAS = [decrease(misclassification), decrease(ne(0.5)), decrease(bayes_sum)]


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
        reference = by_reference(training, criterion, growing)
        assert [difference(plain, blocks), difference(reference, blocks)] == ["", ""], (rows, len(plain.left))


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
