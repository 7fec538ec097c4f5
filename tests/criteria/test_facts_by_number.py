"""What is said of each criterion under each noise for 2, 3 and 4 classes, against all splits of small nodes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from splitcrit import decrease, gini, misclassification, ne, sgini, sqrt_gini, tolerance, twoing
from splitcrit.criteria import (
    Criterion,
    as_criterion,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    pairwise_gain,
    sum_minority,
)
from splitcrit.criteria.facts import about, concerns, covers, facts, known, within
from splitcrit.impurities import bayes_sum, entropy, gce, matushita
from splitcrit.nulls import agini
from splitcrit.proof import Extent, only, upto
from splitcrit.robustness.tolerances import KINDS

IMPURITIES = (gini, entropy, misclassification, sqrt_gini, matushita, bayes_sum, gce(0.5), ne(0.5))
CRITERIA: tuple[Criterion, ...] = (
    *map(decrease, IMPURITIES), normalised(entropy), twoing, pairwise_gain, one_vs_rest_pairwise_gain, sum_minority,
    imprecise_information_gain(1), sgini, agini,
)  # fmt: skip
MOST = {2: 6, 3: 5, 4: 4}  # examples of the nodes that are gone through
RATES = (1 / 3, 1 / 2)
CLOSE = 1e-9


def matrix(noise: str, classes: int, rate: float) -> Any:
    """The transition matrix: of class-conditional noise the last class is read as the one before."""
    found = np.eye(classes)
    for k in range(classes):
        every = [j for j in range(classes) if j != k]
        last = [k - 1] if k == classes - 1 else []
        others = {"pair-flip": [(k + 1) % classes], "class-conditional": last}.get(noise, every)
        for j in others:
            found[k, k] -= rate / len(others)
            found[k, j] += rate / len(others)
    return found


def read(table: Any, noise: str, classes: int, rate: float) -> tuple[Any, Any]:
    """A table before and after noise; of instance-dependent noise the second half of the columns flips."""
    table = np.asarray(table, dtype=float)
    flips = matrix(noise, classes, rate)
    if noise == "instance-dependent":
        spared, flipped = table[:, :classes], table[:, classes:]
        return spared + flipped, spared + flipped @ flips
    return table, table @ flips


def _rounded(*given: Any) -> list[Any]:
    return [np.round(x, 9) for x in read(*given)]


def splits(columns: int, most: int) -> Iterator[list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """The splits of every node of at most the given number of examples."""
    for node in product(range(most + 1), repeat=columns):
        if 2 <= sum(node) <= most:
            lefts = (left for left in product(*(range(n + 1) for n in node)) if 0 < sum(left) < sum(node))
            found = ((left, tuple(n - x for n, x in zip(node, left, strict=True))) for left in lefts)
            yield [table for table in found if table[0] <= table[1]]


def swaps(criterion: Criterion, one: Any, other: Any, noise: str, classes: int, rate: float) -> bool:
    """Whether the first split is better before noise and worse after it; chance-corrected scores need counts."""
    leads = []
    if criterion in (sgini, agini) and any(
        np.any(x % 1) for t in (one, other) for x in _rounded(t, noise, classes, rate)
    ):
        return False
    for a, b in zip(read(one, noise, classes, rate), read(other, noise, classes, rate), strict=True):
        leads.append(float(criterion(np.round(a, 9))) - float(criterion(np.round(b, 9))))
    return leads[0] > CLOSE and leads[1] < -CLOSE


@pytest.mark.each_value
@pytest.mark.parametrize("noise", KINDS)
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_what_is_said_is_so(criterion: Criterion, noise: str, classes: int) -> None:
    """What is proved has no witness in small nodes; what is refuted has one, which is computed here."""
    found = tolerance(criterion, noise, classes)  # type: ignore[arg-type]
    if found.verdict == "holds":
        assert noise != "instance-dependent"
        for tables in splits(classes, MOST[classes]):
            before, after = (
                np.array([float(criterion(read(t, noise, classes, 1 / 3)[i])) for t in tables]) for i in (0, 1)
            )
            assert not np.any((before[:, None] > before[None, :] + CLOSE) & (after[:, None] < after[None, :] - CLOSE))
    elif found.verdict == "refuted" and found.splits:
        kinds = 2 if noise == "instance-dependent" else 1
        own = len(found.splits[0][0]) // kinds
        assert own <= classes and (own == classes or noise in ("class-conditional", "instance-dependent"))
        assert any(swaps(criterion, *found.splits, noise, own, rate) for rate in RATES)
        if own < classes:  # the further classes are empty
            more = [[_widened(row, own, classes, kinds) for row in table] for table in found.splits]
            one, other = (np.asarray(t, dtype=float) for t in more)
            cleans = [float(criterion(_clean(t, kinds))) for t in (one, other)]
            assert cleans[0] > cleans[1] + CLOSE


def _widened(row: tuple[int, ...], own: int, classes: int, kinds: int) -> list[int]:
    return [x for k in range(kinds) for x in (*row[k * own : (k + 1) * own], *[0] * (classes - own))]


def _clean(table: Any, kinds: int) -> Any:
    return sum(np.split(table, kinds, axis=1))


def test_the_answer_is_for_just_the_number_that_is_asked() -> None:
    verdicts = [tolerance(gini, "pair-flip", classes).verdict for classes in (2, 3, 4, 5)]
    assert verdicts == ["holds", "holds", "refuted", "unknown"]
    assert known(gini, "keeps order under pair-flip noise", ">2") == "refuted"
    assert [tolerance(entropy, "pair-flip", classes).verdict for classes in (2, 3, 4)] == ["refuted"] * 2 + ["unknown"]
    assert [tolerance(gini, "uniform", classes).verdict for classes in (2, 3, 50)] == ["holds"] * 3
    assert [tolerance(twoing, "class-conditional", k).verdict for k in (2, 3, 50)] == ["holds", "refuted", "refuted"]


def test_a_witness_is_one_of_more_classes_where_the_score_sees_no_empty_class() -> None:
    from splitcrit.proofs.gain.empty_classes import sees_no_empty_class

    table = np.array([[3, 1, 0], [1, 2, 2]])
    more = np.hstack([table, np.zeros((2, 2), dtype=int)])
    for criterion in CRITERIA:
        if sees_no_empty_class(criterion.name):
            assert float(criterion(table)) == pytest.approx(float(criterion(more)), abs=1e-12), criterion
    for criterion in map(as_criterion, (sqrt_gini, imprecise_information_gain(1))):
        assert not sees_no_empty_class(criterion.name)
        assert float(criterion(table)) != pytest.approx(float(criterion(more)), abs=1e-3)
    extended = [fact for fact in facts() if "extended_by" in fact]
    assert extended and all(sees_no_empty_class(fact["criterion"]) for fact in extended)
    assert all(fact["witness"] or fact["property"] == "stops early" for fact in extended)
    assert not any("uniform" in fact["property"] or "pair-flip" in fact["property"] for fact in extended)


def test_splits_have_the_classes_of_their_fact() -> None:
    for fact in facts():
        if "splits" in fact:
            width = len(fact["splits"][0][0]) // (2 if "instance-dependent" in fact["property"] else 1)
            assert fact["classes"] in ([width], {"from": width}) and width >= 2


@pytest.mark.parametrize("extent", [only(2), only(3), only(2, 4), upto(4), Extent(least=2), Extent(least=4)])
def test_numbers_of_classes_as_data(extent: Extent) -> None:
    data = extent.plain()
    for number in range(2, 9):
        assert within(data, number) == (number in extent)
    assert concerns(data, "2") == (2 in extent) == covers([data], "2")
    assert concerns(data, ">2") == any(k in extent for k in range(3, 99))
    assert covers([data], ">2") == (extent == Extent(least=2))
    assert covers([data, [3], {"from": 5}, [4]], ">2")
    assert not covers([], "2") and not covers([], ">2")


def test_numbers_of_classes_in_words() -> None:
    found = [about(x) for x in ([2], [3, 4], {"from": 2}, {"from": 3}, {"to": 4})]
    assert found == ["K = 2", "K = 3, 4", "all K", "all K >= 3", "K <= 4"]
