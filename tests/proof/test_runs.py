"""Statements that are false, vacuous or not exact: none is settled, each for its reason; true ones beside them are."""

import cmath
import functools
import itertools
import math
import operator
import random
import re
import statistics
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from fractions import Fraction as F
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from splitcrit import Criterion, Impurity, decrease, gini, losses
from splitcrit.arith import EXACT
from splitcrit.impurities import bayes_sum, misclassification
from splitcrit.proof import Cases, Each, Exhaustive, Identity, Smt, only, upto
from splitcrit.proof import witnesses as small
from splitcrit.proof.points import Blind
from splitcrit.proof.undecided import Undecided
from splitcrit.proof.verdicts import All, Claim, Status
from splitcrit.proof.witnesses import Witnesses

HALF, N, TWO = Fraction(1, 2), {"n": "count"}, {"a": "real", "b": "real"}
Made = Callable[[], Claim]


def tables(most: int) -> Iterator[tuple[int, ...]]:
    yield from (t for t in itertools.product(range(most + 1), repeat=3) if 0 < sum(t) <= most)


def every(holds: Callable[[Any], bool], most: int = 4, **options: Any) -> Exhaustive:
    return Exhaustive(Cases(tables, N=upto(most)), holds, **options)


def of_one(holds: Callable[[Any], bool], *cases: Any) -> Exhaustive:
    return Exhaustive(lambda: cases or [Fraction(2)], holds)


def same(left: Any) -> Identity:
    return Identity(N, left, lambda v, m: v.n)


def loops_over_nothing(t: tuple[int, ...]) -> bool:
    for x in (x for x in t if x > 50):  # noqa: SIM110
        if x < 100:
            return False
    return True


def matches(t: tuple[int, ...]) -> bool:
    match sum(t):
        case 77:
            return gini.of(list(t), EXACT) == 5
        case _:
            return True


def ends_early(t: tuple[int, ...]) -> bool:
    if sum(t) > 8:
        max(t)
        return True
    return sum(t) <= 8


def waits(t: tuple[int, ...]) -> bool:
    i = 9
    while i < 9:
        i += sum(t)
    return True


def remembers(n: int, seen: list[int] = []) -> bool:  # noqa: B006
    seen.append(n)
    return seen[0] <= n


def counts_calls() -> Claim:
    calls = 0

    def of(v: Any, m: Any) -> Any:
        nonlocal calls
        calls += 1
        return v.n if calls < 500 else 2 * v.n

    return same(of)


def lengthens() -> Claim:
    seen: list[int] = []

    def of(v: Any, m: Any) -> Any:
        seen.append(1)
        return v.n * (1 if len(seen) < 1000 else 2)

    return same(of)


def third(n: Any) -> Any:
    return n / 3


class Telling:
    """A formula that is an object."""

    def __call__(self, v: Any, m: Any) -> Any:
        return v.n if type(v.n) is not Fraction or v.n < 41 else 2 * v.n


class Divided:
    """What divides by one function, which calls no other."""

    def __truediv__(self, other: int) -> int:
        return 2 * other


BOX = SimpleNamespace(of=lambda n: n if type(n) is not Fraction or n < 41 else 2 * n)
DRAWS = itertools.count()
CALLS = {"n": 0}


def many_variables(used: int) -> Callable[[int], Claim]:
    def make(K: int) -> Claim:
        kinds = {f"p{i}": "rate" for i in range(K)}
        return Smt(kinds, lambda v, m: sum(getattr(v, f"p{i}") for i in range(min(used, K))) >= 0)

    return make


PLANTS: dict[str, tuple[Made, str]] = {
    # sizes
    "only the largest size": (
        lambda: Exhaustive(Cases(lambda N: [N], N=upto(12)), lambda n: n == 12),
        "only N = 12 occurs",
    ),
    "only the double of the largest size": (
        lambda: Exhaustive(Cases(lambda N: [(a, 2 * N - a) for a in range(N)], N=upto(5)), lambda t: sum(t) == 10),
        "only N = 10 occurs",
    ),
    "pure nodes of the second class of three": (
        lambda: Exhaustive(Cases(lambda N: [(0, n, 0) for n in range(1, N + 1)], N=upto(5)), lambda t: t[1] == sum(t)),
        "number 1 of every case is 0",
    ),
    "one table many times": (
        lambda: Exhaustive(Cases(lambda K: [(1, 1)] * K, K=upto(4)), lambda t: len(t) == 2),
        "as many cases for K = 4 as for 3",
    ),
    # hypotheses
    "not a or b, where a never holds": (
        lambda: every(lambda t: not sum(t) > 5 or gini.of(list(t), EXACT) == 77),
        "vacuous: in no case did line",
    ),
    "a loop over nothing": (lambda: every(loops_over_nothing), "vacuous"),
    "all of an empty filter": (lambda: every(lambda t: all(x > 9 for x in t if x > 8)), "vacuous"),
    "one way of a conditional never taken": (lambda: every(lambda t: min(t) >= 0 if sum(t) < 9 else t == 1), "vacuous"),
    "a function that is never called": (
        lambda: every(lambda t: {77: lambda: t == 1}.get(sum(t), lambda: True)()),
        "vacuous: in no case did line [1-9]",
    ),
    "a case of match that never comes": (lambda: every(matches), "vacuous"),
    "a way to True never taken": (lambda: every(ends_early), "vacuous"),
    "a while that never runs": (lambda: every(waits), "vacuous"),
    "a default of next": (lambda: every(lambda t: next((x > 9 for x in t if x > 8), True)), "vacuous"),
    "and after what is never true": (lambda: every(lambda t: not (sum(t) > 20 and max(t) < 0)), "vacuous"),
    "hypotheses that hold nowhere": (
        lambda: every(lambda t: max(t) > 99, hypotheses=lambda t: sum(t) > 20),
        "vacuous: the hypotheses hold in none of 34 cases",
    ),
    # variables
    "K variables, two used": (lambda: Each("K", (2, 3, 4, 5), many_variables(2)), "for K = 3 nothing depends on"),
    "K variables, all but one used, in a conjunction": (
        lambda: Each("K", (4,), lambda K: All(many_variables(9)(K), many_variables(3)(K))),
        "for K = 4 nothing depends on the variable p3",
    ),
    "an identity of one variable of two": (
        lambda: Each("K", (2,), lambda K: Identity(TWO, lambda v, m: K * v.a, lambda v, m: v.a + v.a)),
        "nothing depends on the variable b",
    ),
    "a rate of 2": (
        lambda: Smt({"x": "rate"}, lambda v, m: v.x >= 2, lambda v, m: [v.x >= 2], at={"x": Fraction(2)}),
        "the hypotheses do not hold at x = 2",
    ),
    "a count of -1": (
        lambda: Smt(N, lambda v, m: v.n <= -1, lambda v, m: [v.n <= -1], at={"n": Fraction(-1)}),
        "the hypotheses do not hold",
    ),
    "a positive count of 0": (
        lambda: Smt({"n": "positive"}, lambda v, m: v.n == 0, lambda v, m: [v.n <= 0], at={"n": Fraction(0)}),
        "the hypotheses do not hold",
    ),
    # exactness
    "a root as a power": (lambda: of_one(lambda x: (x**HALF) ** 2 > 2), "a root as a power"),
    "a power of a whole number": (lambda: of_one(lambda n: 2 ** Fraction(n, 2) * 0 == 0, 1, 2), "a root as a power"),
    "limit_denominator": (
        lambda: of_one(lambda x: (x + Fraction(1, 10**9)).limit_denominator(100) == x),
        "limit_denominator: an exact claim",
    ),
    "a decimal": (lambda: of_one(lambda n: Decimal(1) / Decimal(3) * 3 < n, 1), "uses Decimal"),
    "arrays of float32": (
        lambda: of_one(lambda n: bool((np.array([n], "f") + 1 == np.array([n], "f")).all()), 16777216),
        "uses numbers of type f",
    ),
    "numbers of float64": (lambda: of_one(lambda n: bool(np.float64(n) + 1 == n), 2**60), "of type float64"),
    "rounded by format": (lambda: of_one(lambda x: f"{float(x):.3f}" == "2.000"), "uses float"),
    "a tolerance of math": (lambda: of_one(lambda x: math.isclose(x, x + Fraction(1, 10**12))), "isclose"),
    "a complex number": (lambda: of_one(lambda n: complex(n + 1) == complex(n), 10**17), "uses complex"),
    "a mean of floats": (lambda: of_one(lambda n: statistics.mean([n, n + 1]) == n, 10**17), "uses statistics"),
    "a mean of an array": (lambda: of_one(lambda n: bool(np.mean([n, n + 2]) == n), 2**60), "of type mean"),
    "a root of another module": (lambda: of_one(lambda n: cmath.sqrt(n).real ** 2 > n, 2), "uses cmath"),
    "a quotient by its function": (lambda: of_one(lambda n: operator.truediv(n, 3) == n, 0), "uses truediv"),
    "a quotient of whole numbers": (lambda: of_one(lambda n: n / 3 * 3 == n, 1, 2), "/ of whole numbers"),
    "a quotient in a function": (lambda: of_one(lambda n: third(n) * 3 == n, 1, 2), "/ of whole numbers"),
    "a quotient in a condition": (
        lambda: Exhaustive(lambda: [1, 2], lambda n: n < 3, hypotheses=lambda n: n / 3 < 1),
        "/ of whole numbers",
    ),
    "cases that are quotients": (
        lambda: Exhaustive(Cases(lambda K: [(n / 3, n) for n in range(K)], K=upto(4)), lambda c: c[0] * 3 == c[1]),
        "/ of whole numbers",
    ),
    "a sum that wraps": (lambda: of_one(lambda n: int(np.array([n, n]).sum()) < 0, 2**62), "whose whole numbers wrap"),
    "a product that wraps": (lambda: of_one(lambda n: bool(np.int64(n) ** 2 < 0), 3037000500), "int64 of numpy"),
    "eight bits": (lambda: of_one(lambda n: bool(np.int8(n) + np.int8(1) < 0), 127), "of type int8"),
    "a random number": (lambda: of_one(lambda n: random.random() < n, 1), "uses random"),
    # which arithmetic runs
    "an argument of another name": (lambda: same(lambda v, a: v.n if a.name == "SMT" else 2 * v.n), "may not ask"),
    "getattr": (lambda: same(lambda v, m: v.n if getattr(m, "na" + "me") != "EXACT" else 2 * v.n), "may not ask which"),
    "an object that is called": (lambda: same(Telling()), "asks for type"),
    "a function held by an object": (lambda: same(lambda v, m: BOX.of(v.n)), "asks for type"),
    "a partial of an object": (lambda: same(functools.partial(Telling())), "asks for type"),
    # what calls share
    "a default that changes": (lambda: Exhaustive(lambda: range(3, 9), remembers), "a default that can change"),
    "an iterator": (lambda: of_one(lambda n, draws=DRAWS: next(draws) < 500, 1), "an iterator that its calls share"),
    "a counter in a closure": (counts_calls, "changes calls, which is not its own"),
    "a list in a closure": (lengthens, "changes seen, which is not its own"),
    "a dictionary of the module": (lambda: of_one(lambda n: CALLS.update(n=n) is None, 1), "changes CALLS"),
}  # fmt: skip

TRUE: dict[str, Made] = {
    "sizes to the bound": lambda: every(lambda t: sum(t) <= 4),
    "a size of its own": lambda: Exhaustive(Cases(lambda N: [(N - 1, 1)], N=only(6)), lambda t: sum(t) == 6),
    "hypotheses that hold in some cases": lambda: every(lambda t: max(t) == 3, hypotheses=lambda t: t == (3, 0, 0)),
    "what is false answers False": lambda: every(lambda t: False if sum(t) < 0 else min(t) >= 0),
    "a guard that raises": lambda: every(lambda t: bool(gini.of([Fraction(x, sum(t)) for x in t], EXACT) >= 0)),
    "a parameter of the statement": lambda: Each("N", (2, 3), lambda N: of_one(lambda k: k == 2 or N < 0, 2)),
    "each variable is used": lambda: Each("K", (2, 3, 4, 5), many_variables(9)),
    "whole powers": lambda: of_one(lambda x: (x**2) ** Fraction(3) == 64),
    "whole division": lambda: of_one(lambda x: x * 1000 // 7 == 285),
    "quotients of Fractions": lambda: of_one(lambda x: x / 3 * 3 == x and 3 / x * 2 == 3 and third(x) * 3 == x),
    "a quotient that calls nothing": lambda: of_one(lambda x: x / 2 == 4, Divided()),
    "a sum of Python's integers in numpy": lambda: of_one(
        lambda n: np.array([n, n], dtype=object).sum() == 2 * n, Fraction(2**62)
    ),
    "a way that a keyword leaves out": lambda: of_one(lambda n, *, strict=True: n < 9 if strict else n <= 9, 1, 2),
    "a list of its own": lambda: of_one(lambda x: [x].append(x) is None),
}


@pytest.mark.parametrize("name", PLANTS)
def test_no_plant_is_settled(name: str) -> None:
    make, reason = PLANTS[name]
    found = make().settle()
    assert found.status is Status.UNKNOWN and re.search(reason, found.evidence), found


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_settled(name: str) -> None:
    found = TRUE[name]().settle()
    assert found.status is Status.PROVED, found


def test_a_scalar_of_numpy_that_wraps_is_an_error() -> None:
    with pytest.raises(FloatingPointError, match="overflow"):
        of_one(lambda n: bool(n * n < 0), np.arange(3037000500, 3037000501)[0]).settle()


def test_floats_may_divide_where_floats_are_compared() -> None:
    assert Exhaustive(lambda: [1, 2], lambda n: n / 3 * 3 == n, rounded=True).settle().status is Status.PROVED


def test_sizes_that_do_not_occur_are_said() -> None:
    pairs = Exhaustive(Cases(lambda N: [(n, n) for n in range(1, N // 2 + 1)], N=upto(8)), lambda t: t[0] == t[1])
    assert pairs.settle().evidence == "all 4 cases, exactly; the sizes that occurred are 2, 4, 6, 8"
    without = Exhaustive(Cases(lambda N: [n for n in range(1, N + 1) if n != N - 1], N=upto(4)), lambda n: n < 5)
    assert without.settle().evidence == "all 3 cases, exactly; the sizes that occurred are 1, 2, 4"


def test_hypotheses_are_counted_and_may_be_undecided() -> None:
    found = every(lambda t: True, hypotheses=lambda t: t[0] > 0).settle()
    assert found.evidence == "all 34 cases, exactly; the hypotheses hold in 20"
    odd = every(lambda t: True, hypotheses=lambda t: t[0]).settle()
    assert odd.status is Status.UNKNOWN and "a hypothesis must be true or false" in odd.evidence


def test_an_arithmetic_shows_its_operations_alone() -> None:
    m = Blind(EXACT)
    assert m.number(2) == 2 and m.where(True, 1, 0) == 1 and m.abs(Fraction(-1, 2)) == HALF
    for asked in (str, repr, hash, bool, dir, lambda m: m.field, lambda m: m != EXACT, lambda m: setattr(m, "log", 1)):
        with pytest.raises(Undecided, match="may not ask which one it is"):
            asked(m)


# Small cases and the witnesses found in them, against lists written out and sums done again in Fractions.

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
