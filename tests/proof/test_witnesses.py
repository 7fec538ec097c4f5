"""Small cases and the witnesses found in them, against lists written out and sums done again in Fractions."""

import itertools
import math
from fractions import Fraction as F
from typing import Any

import pytest

from splitcrit import Criterion, Impurity, decrease, gini, losses
from splitcrit.impurities import bayes_sum, misclassification
from splitcrit.proof import witnesses as small
from splitcrit.proof.witnesses import Witnesses

ONE_HALF = F(1, 2)
CLASSES = "keeps order under class-conditional noise"


def of_impurity(of: Any) -> Witnesses:
    x = of if isinstance(of, Impurity) else Impurity("mine", of)
    return Witnesses(decrease(x), x, x.loss)


def narrow(p: Any, m: Any) -> Any:
    """Gini's, with a bump of width 1/100000 at a share of 1/3."""
    near = (p[0] - F(1, 3)) * 100_000
    return sum(x * (1 - x) for x in p) + F(1, 1_000_000) / (1 + near * near)


def jumps(p: Any, m: Any) -> Any:
    """Gini's inside, and 1/10 more where the first class is absent."""
    return sum(x * (1 - x) for x in p) + m.where(p[0] == 0, F(1, 10), 0)


@pytest.mark.parametrize(("k", "n"), [(2, 12), (3, 6), (4, 4), (5, 3)])
def test_the_grid_has_every_distribution_of_its_denominator(k: int, n: int) -> None:
    points = small.grid(k)
    assert len(points) == len(set(points)) == math.comb(n + k - 1, k - 1)
    assert all(sum(p) == 1 and all(x * n == int(x * n) for x in p) for p in points)
    ways = small.directions(k)
    assert all(sum(d) == 0 for d in ways) and len(ways) == math.comb(k, 2) + (k > 2)


def test_nodes_and_tables_to_look_at() -> None:
    assert {sum(x) for x in small.nodes(2, 4)} == {2, 3, 4} and len(list(small.nodes(2, 4))) == 3 + 4 + 5
    assert small.few_tables(2) == [((2, 0), (0, 3)), ((0, 3), (2, 0)), ((1, 2), (2, 2))]
    made = Witnesses(decrease(gini), gini, None)
    for k, most in ((2, 7), (3, 6)):
        kept = [clean for _, splits in made._of_channels(CLASSES, k) for clean, _ in splits]
        assert max(sum(map(sum, table)) for table in kept) == most


@pytest.mark.parametrize(
    ("name", "k", "node", "noisy"),
    [
        ("keeps order under uniform noise", 2, (10, 0), [(9, 1), (8, 2), (6, 4)]),
        (CLASSES, 2, (10, 10), [(7, 13), (13, 7), (6, 14)]),
        (CLASSES, 3, (5, 5, 10), [(3, 6, 11), (6, 3, 11), (7, 7, 6)]),
    ],
)
def test_noise_moves_examples_between_classes(name: str, k: int, node: Any, noisy: Any) -> None:
    made = small.channels(name, k).values()
    assert [tuple(channel.on_distribution([F(x) for x in node])) for channel in made] == noisy


def test_misread_samples_keep_their_sizes() -> None:
    nodes = set()
    for words, splits in Witnesses(decrease(gini), gini, None)._of_samples(2):
        for clean, noisy in splits:
            assert list(map(sum, clean)) == list(map(sum, noisy)) and (words != "with " or clean == noisy)
            nodes.add(tuple(map(sum, zip(*clean, strict=True))))
    assert nodes == {(3, 2), (2, 2), (3, 1)}


ONES = (((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((2, 1, 1), (1, 2, 1), (1, 1, 2)))
PAIRS = (((0, 1, 1), (1, 0, 1), (1, 1, 0)), ((2, 1, 1), (1, 2, 1), (1, 1, 2)))
TURNED = (((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((2, 1, 2), (2, 2, 1), (1, 2, 2)))
ODD = (((0, 0, 1), (0, 2, 1), (3, 1, 1)), ((3, 2, 1), (2, 3, 1), (2, 1, 2)))


@pytest.mark.parametrize(
    ("x", "expected"), [(gini, [ONES, PAIRS]), (misclassification, [TURNED]), (bayes_sum, [TURNED, ODD])]
)
def test_categories_of_which_each_is_alone_in_a_best_grouping(x: Impurity, expected: Any) -> None:
    found = list(of_impurity(x)._orderless(3))
    assert [table for _, table in found] == [shapes for shapes, _ in expected]
    assert all(f"taken {sizes} times" in words for (words, _), (_, sizes) in zip(found, expected, strict=True))


def test_chords_are_cut_at_three_places() -> None:
    found = itertools.islice(of_impurity(lambda p, m: sum(x * x for x in p))._bulges(2), 3)
    assert [F(sum(table[0]), sum(map(sum, table))) for _, table in found] == [ONE_HALF, F(1, 4), F(3, 4)]
    steps = {min(F(x, sum(table[1])) for x in table[1]) for _, table in of_impurity(jumps)._bulge_at_a_support(2)}
    assert {F(2, 10**e) for e in (3, 6, 12, 24, 48)} <= steps


def test_a_bump_is_found_by_its_curvature_and_by_shorter_chords() -> None:
    def wide(p: Any, m: Any) -> Any:
        return sum(x * (1 - x) for x in p) + F(1, 1000) / (1 + (1000 * (p[0] - F(3, 10))) ** 2)

    ends = F(1, 3) + F(1, 100_000), F(2, 3) - F(1, 100_000)
    inside, near = next(of_impurity(wide)._bulge_inside(2)), of_impurity(narrow).near(ends, (1, -1))
    for x, found in ((wide, inside), (narrow, near)):
        assert found is not None and of_impurity(x).criterion.exact(found[1]) < 0
    assert of_impurity(gini).near((ONE_HALF, ONE_HALF), (1, -1)) is None


def cells(t: Any, m: Any) -> Any:
    return sum(a * b for a, b in zip(*t, strict=True))


@pytest.mark.parametrize(
    ("found", "words", "table"),
    [
        (Witnesses(Criterion("cells", cells), None, None)._divided(2),
         "the split [(1, 0), (1, 1)] scores 1, more than any split that divides no class", ((1, 0), (1, 1))),
        (of_impurity(gini)._skewed(2), "[(0, 1), (1, 0)] scores 1/2, but with the first class tripled 3/8",
         (((0, 1), (1, 0)), ((0, 1), (3, 0)))),
        (of_impurity(lambda p, m: p[0] * (1 - 2 * p[0]) ** 2 * p[1])._not_pure(2), "it is 0 at (1/2, 1/2)",
         (ONE_HALF, ONE_HALF)),
        (of_impurity(lambda p, m: p[0])._not_pure(2), "it is 1 at the pure node (1, 0)", (1, 0)),
        (of_impurity(Impurity.from_loss(losses.square))._careless(2),
         "at the action (11/12, 1/12) the costs sum to less than 2", (F(11, 12), F(1, 12))),
    ],
)  # fmt: skip
def test_first_witnesses(found: Any, words: str, table: Any) -> None:
    assert next(found) == (words, table)


def test_there_is_none_against_what_is_true() -> None:
    first = Criterion("the first class, then the size", lambda t, m: 100 * t[0][0] + sum(t[0]))
    nothing = of_impurity(gini)._divided(2), of_impurity(Impurity.from_loss(losses.mae))._careless(2)
    assert [*itertools.chain(*nothing, Witnesses(first, None, None)._orderless(3))] == []
