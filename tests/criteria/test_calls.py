"""How a criterion is called: values against Fractions by hand, its parameters, and what it refuses in one sentence."""

import dataclasses
import itertools
import pickle
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import oracles
from growing import SQUARED, squared
from refusals import refused
from splitcrit import agini, criteria, decrease, entropy, gini, losses, misclassification, normalised, sgini, twoing
from splitcrit.arith import FLOAT, Irrational, total
from splitcrit.columns import adjusted, standardised
from splitcrit.criteria import Criterion, as_criterion, one_vs_rest_pairwise_gain, pairwise_gain, replace, sum_minority
from splitcrit.impurities import Impurity, NumericRisk, Search, by_sums
from splitcrit.losses import ResponseLoss, square
from splitcrit.losses.simplex import _one_vs_rest_errors
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.table import Table

TABLES = [[[3, 0], [1, 6]], [[2, 1], [3, 4]], [[0, 0], [2, 5]], [[4, 4], [3, 3]], [[1, 0], [0, 1]]]
WIDE = [[[3, 0, 2], [1, 6, 0], [1, 1, 4]], [[0, 0, 5], [2, 2, 2], [0, 7, 0]]]


# Values.


@pytest.mark.parametrize("impurity", [gini, misclassification, entropy], ids=repr)
def test_a_decrease_is_the_gain_by_hand(impurity: Any) -> None:
    definition = oracles.IMPURITIES[impurity.name]
    for table in (*TABLES, *WIDE):
        by_hand = oracles.gain(table, definition)
        assert float(decrease(impurity)(table)) == pytest.approx(float(by_hand), rel=1e-12, abs=1e-15)
        if isinstance(by_hand, Fraction):
            assert decrease(impurity).exact(table) == by_hand


def twoing_by_hand(table: Sequence[Sequence[int]]) -> Fraction:
    """``p_L p_R / 4`` times the square of the distance of the two rows' class shares."""
    n, (left, right) = sum(map(sum, table)), map(sum, table)
    if not left or not right:
        return Fraction(0)
    apart = sum(abs(Fraction(a, left) - Fraction(b, right)) for a, b in zip(*table, strict=True))
    return Fraction(left * right, 4 * n * n) * apart**2


def ratio_by_hand(table: Sequence[Sequence[int]]) -> float:
    """The information gain over the entropy of the rows."""
    split = oracles.entropy([sum(row) for row in table])
    return float(oracles.gain(table, oracles.entropy)) / split if split else 0.0


def test_twoing_and_the_gain_ratio_by_hand() -> None:
    for table in TABLES:
        assert twoing.exact(table) == twoing_by_hand(table)
        assert float(normalised(entropy)(table)) == pytest.approx(ratio_by_hand(table), rel=1e-12, abs=1e-15)
    assert float(normalised(entropy)(WIDE[0])) == pytest.approx(ratio_by_hand(WIDE[0]), rel=1e-12)


def test_a_table_without_counts_has_gain_0_alone_and_among_others() -> None:
    empty = [[0, 0], [0, 0]]
    for criterion in (decrease(gini), decrease(entropy), decrease(misclassification), twoing, sgini):
        assert float(criterion(empty)) == 0
        assert criterion([TABLES[0], empty]).tolist() == [pytest.approx(float(criterion(TABLES[0])), rel=1e-14), 0.0]
    assert decrease(gini).exact(empty) == twoing.exact(empty) == 0


# What a definition allows.


@pytest.mark.parametrize(
    ("criterion", "table", "said"),
    [
        (twoing, WIDE[0], "twoing is defined for tables of 2 rows; got 3"),
        (pairwise_gain, WIDE[0][:2], "pairwise_gain is defined for tables of 2 classes; got 3"),
        (one_vs_rest_pairwise_gain, WIDE[0], "one_vs_rest_pairwise_gain is defined for tables of 2 rows; got 3"),
        (normalised(pairwise_gain), WIDE[0][:2], "normalised(pairwise_gain) is defined for tables of 2 classes; got 3"),
        (normalised(twoing), WIDE[0], "normalised(twoing) is defined for tables of 2 rows; got 3"),
        (replace(decrease(gini), rows=4), TABLES[0], "decrease(gini) is defined for tables of 4 rows; got 2"),
    ],
)  # fmt: skip
def test_other_shapes_are_refused_when_called_exactly_or_asked(criterion: Criterion, table: Any, said: str) -> None:
    rows, classes = np.shape(table)
    for call in (criterion, criterion.exact, lambda _: criterion.check(rows, classes)):
        refused(re.escape(said) + "; choose a criterion for any number", call, table)


def test_a_ratio_keeps_the_restrictions_of_what_it_divides() -> None:
    for inner in (twoing, pairwise_gain, sum_minority, one_vs_rest_pairwise_gain, decrease(gini)):
        for guarded in (False, True):
            found = normalised(inner, guarded=guarded)
            assert (found.rows, found.classes) == (inner.rows, inner.classes)


def test_exact_scores_are_of_one_table_and_rational() -> None:
    refused(r"exact\(\) takes a single table; got a batch of shape \(2, 3, 3\)", decrease(gini).exact, WIDE)
    for criterion in (decrease(entropy), normalised(gini), agini):
        with pytest.raises(Irrational):
            criterion.exact(TABLES[0])
    half = [[Fraction(3, 2), Fraction(1, 2)], [Fraction(0), Fraction(2)]]
    assert decrease(gini).exact(half) == oracles.gain([[3, 1], [0, 4]], oracles.gini)


# Parameters.


def test_a_parameter_holds_for_one_call_only() -> None:
    table = TABLES[0]
    assert float(agini(table, alpha=0.3)) == float(replace(agini, alpha=0.3)(table)) != float(agini(table))
    assert agini.score.alpha != 0.3 and repr(replace(agini, alpha=0.3)) == "replace(agini, alpha=0.3)"
    both = replace(agini, alpha=0.3, model="permutation")
    assert both.score.alpha == 0.3 and both.score.model == "permutation"
    assert repr(both) == "replace(agini, alpha=0.3, model='permutation')"
    assert (both.rows, both.classes, both.impurity, both.scale) == (agini.rows, agini.classes, None, agini.scale)


def test_fields_change_without_a_new_name() -> None:
    changed = replace(decrease(gini), rows=2, name="mine")
    assert changed == dataclasses.replace(decrease(gini), rows=2, name="mine")
    assert replace(gini, name="other").of is gini.of
    other = replace(agini, score=twoing.score)
    assert other.score is twoing.score and other.name == "agini" and float(other(TABLES[0])) == float(twoing(TABLES[0]))
    assert other.search == twoing.search.__class__() and not other.counting
    assert replace(normalised(gini), guarded=True).score.guarded


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: replace(twoing, alpha=1), "twoing has the parameters none; got alpha; pass a parameter it has"),
        (lambda: replace(agini, beta=1, alpha=0.1), "agini has the parameters alpha, model; got alpha, beta; pass"),
        (lambda: replace(agini, name="q", alpha=0.1), "agini has the parameters alpha, model; got alpha, name; pass"),
        (lambda: replace(gini, alpha=1), "gini has the parameters none; got alpha; pass a parameter it has"),
        (lambda: decrease(gini)(TABLES[0], alpha=1), "decrease(gini) has the parameters impurity; got alpha; pass"),
        (lambda: as_criterion("gini"), "a criterion or an impurity is expected; got 'gini'; pass a value such as"),
        (lambda: as_criterion(None), "a criterion or an impurity is expected; got None; pass a value such as"),
        (lambda: as_criterion(square), "a criterion or an impurity is expected; got square; pass a value such as"),
        (lambda: as_criterion(Criterion), "a criterion or an impurity is expected; got <class"),
        (lambda: normalised(3), "a criterion or an impurity is expected; got 3; pass a value such as"),
    ],
)
def test_what_has_no_such_parameter_or_is_no_criterion_is_refused(call: Any, said: str) -> None:
    refused(re.escape(said), call, error=TypeError)


def test_an_impurity_stands_for_its_decrease_and_a_criterion_for_itself() -> None:
    assert as_criterion(twoing) is twoing
    assert as_criterion(gini) == decrease(gini) and as_criterion(gini).impurity is gini


# Of a loss of responses.


def test_the_names_of_classes_are_the_responses_of_a_loss() -> None:
    feature, responses = ["a", "b", "a", "b", "b"], [1, 1, 2, 5, 7]
    sides = [[1, 2], [1, 5, 7]]

    def variance(values: Sequence[int]) -> Fraction:
        mean = Fraction(sum(values), len(values))
        return sum((value - mean) ** 2 for value in values) / Fraction(len(values))

    gain = variance(responses) - sum(Fraction(len(side), 5) * variance(side) for side in sides)
    table, criterion = Table.of(feature, responses), Criterion.from_loss(SQUARED)
    assert criterion.exact(table) == gain and criterion(feature, responses) == pytest.approx(float(gain), rel=1e-12)
    alone = Criterion.from_loss(ResponseLoss("alone", squared))
    assert alone(table) == pytest.approx(float(gain), rel=1e-9)
    assert criterion([[1, 1], [0, 1]]) == pytest.approx(2 / 9 - Fraction(2, 3) / 4)  # named 0 and 1
    with pytest.raises(TypeError, match="responses of the classes are finite real numbers; got '"):
        criterion(feature, ["yes", "no", "no", "yes", "no"])


# What criteria declare beside their formulas: fields that are passed, that follow parameters, and that are pickled.

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
    refused(re.escape(said), Criterion, "x", gini.of, error=(TypeError, ValueError), **{field: bad})


# Parameters of the library's own.


@pytest.mark.parametrize(
    ("criterion", "changes", "same"),
    [
        (criteria.imprecise_information_gain(1), {"s": 0.25}, criteria.imprecise_information_gain(0.25)),
        (decrease(gini), {"impurity": entropy}, decrease(entropy)),
        (normalised(gini), {"guarded": True}, normalised(gini, guarded=True)),
        (agini, {"alpha": 0.3, "model": "permutation"}, replace(replace(agini, model="permutation"), alpha=0.3)),
        (standardised(misclassification), {"criterion": decrease(entropy), "seed": 3}, standardised(entropy, seed=3)),
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
    assert replace(replace(criterion, **changes), name=same.name) == same


def test_the_error_of_an_impurity_is_declared() -> None:
    found = Impurity.from_loss(losses.Loss("mine", _one_vs_rest_errors)), Impurity.from_loss(losses.mae)
    assert [impurity.search.error for impurity in found] == [NumericRisk.error, 0.0] and NumericRisk.error > 0


def test_attributes_of_a_score_declare_nothing() -> None:
    found = Criterion("attributed", Attributed())
    assert found == Criterion("attributed", Attributed(), search=Search()) and not found.counting
    assert float(found(TABLE)) == 3 / 11


@dataclass(frozen=True)
class Point:
    """A value with one field."""

    x: int


def test_all_fields_of_a_value_may_change_at_once() -> None:
    assert replace(Point(1), x=2) == Point(2)
    refused("parameters none; got y", replace, Point(1), y=2, error=TypeError)


CRITERIA = {name: as_criterion(value) for name, value in NAMES.items()}


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_scores_above_zero_are_declared(criterion: Criterion) -> None:
    if criterion.classes not in (None, 2):
        return
    tables = [*itertools.product(range(1, 4), repeat=4), (30, 0, 0, 30)]
    scores = [float(criterion(np.reshape(cells, (2, 2)))) for cells in tables]
    assert criterion.search.negative == (max(scores) <= 0)
