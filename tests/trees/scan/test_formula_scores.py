"""Criteria that a formula scores: fewer thresholds are scored, by recorded formulas, and every tree stays the same."""

from __future__ import annotations

import numpy as np
import pytest

from growing import ASYMMETRIC, difference, trees
from splitcrit import criteria, impurities, losses
from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.trees.growth import GrowthOptions, Stopping, grow
from splitcrit.trees.scan import Columns, Limits, OpenLevel, prepared_criterion, usable_form
from splitcrit.trees.scan.level_search import LevelSearch
from splitcrit.trees.scan.prepared_criterion import SideScores, scorer
from splitcrit.trees.scan.pruning import CELLS, bounds_of
from splitcrit.trees.scan.records import CONSTANTS, Orders, Scratch, Segment, Totals
from splitcrit.trees.scan.tapes import WeightedImpurity, recorded
from splitcrit.trees.scan.ties_and_scores import formula_scores, own_impurity, replayed


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


@pytest.mark.parametrize("criterion", OF_RISKS, ids=repr)
def test_scores_by_a_tape_are_those_of_the_formula(criterion: Criterion) -> None:
    left, right = 1.0 * np.random.default_rng(0).integers(0, 9, (2, 3, 700)) + np.eye(3)[:, :1]
    tape, whole = recorded(WeightedImpurity(criterion.impurity.of), 3), own_impurity(criterion, (left + right).T)
    assert tape is not None
    np.testing.assert_array_equal(replayed(tape, left, right, whole), formula_scores(criterion, left, right, whole))


def test_a_tape_does_once_what_every_class_asks_for() -> None:
    steps = [len(recorded(WeightedImpurity(MINE.impurity.of), k).steps) for k in (10, 20, 40)]
    assert steps[2] - steps[1] == 2 * (steps[1] - steps[0])  # linear in K, where the formula is quadratic


@pytest.mark.parametrize("of", [looks, branches], ids=["attribute", "branch"])
def test_what_looks_at_values_is_not_recorded(of) -> None:  # type: ignore[no-untyped-def]
    assert recorded(WeightedImpurity(of), 3) is None


def test_truth_values_are_not_numbers_to_the_compiled_loop() -> None:
    added = recorded(lambda x, m: ((x[0] < x[1]) + (x[0] < 3) + x[1],), 2)
    chosen = recorded(lambda x, m: (m.where(x[0] < x[1], x[0], 2 * x[1]),), 2)
    assert added is not None and added.code is None
    assert chosen is not None and chosen.code is not None
    assert recorded(lambda x, m: (m.log(x[0] + 1),), 1).code is None


@pytest.mark.parametrize("criterion", [NUMERIC, *OF_RISKS], ids=repr)
def test_bounds_are_never_below_the_scores(criterion: Criterion) -> None:
    """For every split of all small nodes, and of some large ones."""
    bounds = bounds_of(criterion.impurity)
    assert bounds is not None
    rng = np.random.default_rng(0)
    tables = [np.stack(np.meshgrid(*[np.arange(6.0)] * 4)).reshape(2, 2, -1), rng.integers(0, 5000, (2, 2, 900)) * 1.0]
    for left, right in tables:
        kept = (left.sum(axis=0) > 0) & (right.sum(axis=0) > 0)
        left, right = left[:, kept], right[:, kept]
        n, whole = left.sum(axis=0) + right.sum(axis=0), own_impurity(criterion, (left + right).T)
        chord = sum(side.sum(0) * np.interp(side[1] / side.sum(0), np.arange(CELLS + 1) / CELLS, bounds.table)
                    for side in (left, right))  # fmt: skip
        assert (whole - chord / n + 2 * bounds.error >= formula_scores(criterion, left, right)).all()


def test_only_minimised_risks_have_bounds() -> None:
    assert bounds_of(Impurity("convex", lambda p, m: p[0] * p[0], losses.square)) is None
    assert bounds_of(Impurity("no loss", impurities.gini.of)) is None


@pytest.mark.parametrize("criterion", [NUMERIC, *OF_RISKS], ids=repr)
def test_trees_are_the_same_whichever_thresholds_are_scored(criterion: Criterion, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """At two classes, with the table of small sides nearly gone, against the reference builder."""
    monkeypatch.setattr(prepared_criterion, "SMALL", 3)
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
    assert bounds_of(FALSE.impurity) is None
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


@pytest.mark.parametrize("classes", [3, 4])
@pytest.mark.parametrize("criterion", OF_RISKS, ids=repr)
def test_sides_grow_with_their_counts(criterion: Criterion, classes: int) -> None:
    """What stretches rest on: one sample more never costs less, for all small counts."""
    most = 9 if classes == 3 else 5
    counts = np.stack(np.meshgrid(*[np.arange(float(most))] * classes)).reshape(classes, -1)[:, 1:]
    formula = WeightedImpurity(criterion.impurity.of)
    base = formula(list(counts), FLOAT)[1]
    for k in range(classes):
        more = formula(list(counts + np.eye(classes)[:, k : k + 1]), FLOAT)[1]
        assert (more >= base - 1e-12 * (1 + base)).all()


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", [MINE, decrease(impurities.matushita), FALSE], ids=repr)
@pytest.mark.parametrize("classes", [3, 6])
def test_a_scan_by_tape_finds_what_all_scores_say(criterion: Criterion, classes: int) -> None:
    """The best score is the formula's own float, and the first place of every floor the first that reaches it."""
    from splitcrit.trees.scan.scan_node import best_of_codes
    from splitcrit.trees.scan.scan_tapes import by_taped

    sides = prepared_criterion.taped(criterion, classes, True)
    assert sides is not None and sides.scanned
    for seed, n in enumerate((2, 9, 130, 300, 2500)):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, classes, n)
        y[: n // 3] = np.sort(y[: n // 3])
        x = np.sort(rng.integers(0, 2 * n, n)).astype(np.float32)
        left = np.cumsum(np.eye(classes)[y], axis=0)[:-1].T
        whole = np.bincount(y, minlength=classes)
        scores = np.where(x[1:] > x[:-1], formula_scores(criterion, left, whole[:, None] - left), -np.inf)
        source, scratch = Orders((np.arange(n) << 3 | y).astype(np.uint32)[None], x[None], 3), Scratch.of(classes, n)
        given = source, whole, scorer(prepared_criterion.data_of(sides), source), np.zeros(CONSTANTS), scratch
        if seed == 0 and (scores == -np.inf).all():
            continue
        assert best_of_codes(*given) == scores.max()
        segment = Segment(source.orders[0], x, 0, n, 3, 1)
        node = Totals(whole, float(own_impurity(criterion, whole[None])[0]), np.zeros(CONSTANTS))
        for floor in np.quantile(scores[scores > -np.inf], [0, 0.3, 0.9, 1]):
            place = by_taped(segment, node, prepared_criterion.data_of(sides), floor, scratch)
            assert place == np.flatnonzero(scores >= floor)[0]


@pytest.mark.parametrize("drawn", [None, 1])
def test_a_side_without_a_number_is_named_by_the_formula(drawn: int | None) -> None:
    def of(p, m):  # type: ignore[no-untyped-def]
        return p[0] / p[0] - p[0]

    x, y = np.arange(9, dtype=np.float32)[:, None], np.arange(9) // 3
    growing = GrowthOptions(Stopping(), max_features=drawn)
    with pytest.raises(ValueError, match=r"undefined.* gives a number for any counts; got nan"):
        grow(Columns.of(x, y, 3), decrease(Impurity("undefined", of)), growing)


def test_a_side_without_a_number_far_below_the_root_is_named_though_samples_were_shared_out() -> None:
    def of(p, m):  # type: ignore[no-untyped-def]
        return p[0] / p[0] * p[0] * (1 - p[0])

    y = np.array([0, 1, 1, 0, 1, 0, 1, 2, 0, 2, 2, 0])
    other = [0, 9, 2, 8, 4, 6, 5, 7, 3, 1, 10, 11]  # at its ends as well class 0: no side of the root is without it
    x, criterion, said = np.array([np.arange(12), other], dtype=np.float32).T, decrease(Impurity("undefined", of)), []
    for keep, by_level in ((True, True), (True, False), (False, False)):
        with pytest.raises(ValueError, match=r"undefined.*; got nan; use") as found:
            grow(Columns.of(x, y, 3), criterion, GrowthOptions(Stopping(), by_level=by_level), keep)
        said.append(str(found.value))
    assert said == said[:1] * 3


def test_few_thresholds_are_scored() -> None:
    scored: list[int] = []

    def of(p, m):  # type: ignore[no-untyped-def]
        scored.append(np.size(p[0]))
        return 1 - sum(x * x for x in p)

    rng = np.random.default_rng(0)
    x = rng.normal(size=(20_000, 4)).astype(np.float32)
    y = (x[:, 0] + rng.normal(size=len(x)) > 0).astype(int)
    criterion = decrease(Impurity("counted", of, losses.square))
    columns = Columns.of(x, y, 2)
    form = usable_form(columns, criterion, Limits())
    assert isinstance(form, SideScores)
    criterion([[[1, 2], [3, 4]]])  # a user's formula is tried once
    scored.clear()
    level = OpenLevel(np.array([0, len(y)]), np.bincount(y)[None].astype(float))
    LevelSearch(columns, level, criterion, Limits(), form).best(np.ones((1, 4), dtype=bool))
    assert sum(scored) < 100


def test_a_plateau_of_ties_goes_to_its_first_threshold() -> None:
    x = np.arange(3000, dtype=np.float32)[:, None]
    y = np.r_[np.zeros(1000, int), np.arange(2000) % 2]
    for criterion in (decrease(impurities.bayes_sum), criteria.sum_minority):
        first, second = (
            grow(Columns.of(x, y, 2), criterion, GrowthOptions(Stopping(max_depth=2), by_level=b))
            for b in (False, True)
        )
        assert difference(first, second) == ""
