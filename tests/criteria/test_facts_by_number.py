"""What is said of criteria for just the number of classes that is asked, and numbers of classes as data."""

from __future__ import annotations

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

CRITERIA: tuple[Criterion, ...] = (
    *map(decrease, (gini, entropy, misclassification, sqrt_gini, matushita, bayes_sum, gce(0.5), ne(0.5))),
    normalised(entropy), twoing, pairwise_gain, one_vs_rest_pairwise_gain, sum_minority, imprecise_information_gain(1),
    sgini, agini,
)  # fmt: skip


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
