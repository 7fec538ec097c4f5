"""What criteria declare beside their formulas: fields that are passed, that follow parameters, and that are pickled."""

from __future__ import annotations

import itertools
import pickle
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from splitcrit import agini, decrease, entropy, gini, losses, normalised, sgini
from splitcrit.arith import FLOAT, total
from splitcrit.columns import adjusted, standardised
from splitcrit.criteria import Criterion, as_criterion, imprecise_information_gain, replace
from splitcrit.impurities import Impurity, NumericRisk, Search, by_sums
from splitcrit.losses import ResponseLoss
from splitcrit.losses.simplex import _one_vs_rest_errors
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.table import Table

TABLE = [[3, 1], [2, 5]]
SQUARES = by_sums(np.square, times=lambda n: 1 / n)


@dataclass(frozen=True)
class Share:
    """The share of the first cell, and a power of it."""

    power: int = 1

    def __call__(self, t: Any, m: Any) -> Any:
        whole = total([total(row) for row in t])
        return m.power(t[0][0] / m.where(whole == 0, 1, whole), self.power)

    def of_table(self, table: Table) -> Any:
        """The score of counts, from the formula."""
        return float(self(table.counts.astype(float), FLOAT)) + 100


@dataclass(frozen=True)
class Attributed(Share):
    """A score with attributes of the names of a criterion's fields."""

    any_library: bool = True


def share(score: Share) -> Criterion:
    return Criterion("share", score, search=Search(zone=score.power), of_table=Share.of_table, remake=share)


# Fields.


def test_a_score_of_tables_is_declared_and_follows_its_parameters() -> None:
    mine = share(Share())
    assert mine.counting and float(mine(TABLE)) == 100 + 3 / 11
    found = replace(mine, power=2)
    assert float(found(TABLE)) == float(mine(TABLE, power=2)) == pytest.approx(100 + (3 / 11) ** 2)
    assert found.search.zone == 2 and repr(found) == "replace(share, power=2)"
    bare = Criterion("share", Share(), search=SQUARES, of_table=Share.of_table)
    assert float(replace(bare, power=2)(TABLE)) == float(found(TABLE)) and replace(bare, power=2).search == SQUARES


def test_criteria_are_equal_where_their_fields_are() -> None:
    mine = share(Share())
    assert mine == share(Share()) and hash(mine) == hash(share(Share())) and mine != share(Share(2))
    same = Criterion("share", Share(), search=Search(zone=1), of_table=Share.of_table)
    assert mine == same != Criterion("share", Share(), search=Search(zone=1), of_table=Share.__call__)  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(mine)) == mine and repr(mine) == "share"


def test_another_score_declares_nothing_of_the_old_one() -> None:
    found = replace(agini, score=decrease(gini).score)
    assert not found.counting and found.search == Search() and float(found(TABLE)) == float(decrease(gini)(TABLE))


@pytest.mark.parametrize("guarded", [False, True])
def test_ratios_of_counts_are_of_counts(guarded: bool) -> None:
    assert normalised(sgini, guarded=guarded).counting and not normalised(gini, guarded=guarded).counting


@pytest.mark.parametrize(
    ("field", "bad", "said"),
    [
        ("of_table", 3, "the of_table of a criterion is a function; got 3; pass of_table(score, table), or None"),
        ("remake", 0, "the remake of a criterion is a function; got 0; pass remake(score), or None"),
        ("response_loss", losses.square, "response_loss is a ResponseLoss, or None; got square; pass one"),
        ("any_library", 1, "any_library is True or False; got 1; pass one of the two"),
    ],
)  # fmt: skip
def test_a_field_of_another_kind_is_refused(field: str, bad: Any, said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(said)):
        Criterion("x", gini.of, **{field: bad})


# Parameters of the library's own.


@pytest.mark.parametrize(
    ("criterion", "changes", "same"),
    [
        (imprecise_information_gain(1), {"s": 0.25}, imprecise_information_gain(0.25)),
        (decrease(gini), {"impurity": entropy}, decrease(entropy)),
        (normalised(gini), {"guarded": True}, normalised(gini, guarded=True)),
        (agini, {"alpha": 0.3, "model": "permutation"}, replace(replace(agini, model="permutation"), alpha=0.3)),
        (standardised(gini), {"criterion": decrease(entropy), "seed": 3}, standardised(entropy, seed=3)),
        (adjusted(gini), {"samples": 9}, adjusted(gini, samples=9)),
        (
            Criterion.from_loss(ResponseLoss("one", _one_vs_rest_errors)),
            {"loss": ResponseLoss("other", _one_vs_rest_errors)},
            Criterion.from_loss(ResponseLoss("other", _one_vs_rest_errors)),
        ),
    ],
    ids=repr,
)
def test_declarations_follow_parameters(criterion: Criterion, changes: dict[str, Any], same: Criterion) -> None:
    found = replace(criterion, **changes)
    assert replace(found, name=same.name) == same


def test_the_error_of_an_impurity_is_declared() -> None:
    found = Impurity.from_loss(losses.Loss("mine", _one_vs_rest_errors)), Impurity.from_loss(losses.mae)
    assert [impurity.search.error for impurity in found] == [NumericRisk.error, 0.0] and NumericRisk.error > 0


def test_attributes_of_a_score_declare_nothing() -> None:
    found = Criterion("attributed", Attributed())
    assert found == Criterion("attributed", Attributed(), search=Search()) and not found.counting
    assert float(found(TABLE)) == 3 / 11


def test_what_the_library_declares_follows_parameters() -> None:
    for criterion in (standardised(gini), adjusted(gini), normalised(sgini), replace(agini, alpha=0.2)):
        assert criterion.remake is not None and criterion.counting


@dataclass(frozen=True)
class Point:
    """A value with one field."""

    x: int


def test_all_fields_of_a_value_may_change_at_once() -> None:
    assert replace(Point(1), x=2) == Point(2)
    with pytest.raises(TypeError, match="parameters none; got y"):
        replace(Point(1), y=2)


CRITERIA = {name: as_criterion(value) for name, value in NAMES.items()}


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_scores_above_zero_are_declared(criterion: Criterion) -> None:
    if criterion.classes not in (None, 2):
        return
    tables = [*itertools.product(range(1, 4), repeat=4), (30, 0, 0, 30)]
    scores = [float(criterion(np.reshape(cells, (2, 2)))) for cells in tables]
    assert criterion.search.negative == (max(scores) <= 0)
