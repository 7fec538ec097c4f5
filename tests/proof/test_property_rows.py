"""Properties of impurities of one's own: never settled where they are false, and those of the library as the ledger."""

import itertools
import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from refusals import refused
from splitcrit import Criterion, Impurity, Loss, criteria, decrease, entropy, gini, impurities, losses, nulls
from splitcrit.arith import EXACT, Irrational
from splitcrit.arith.tracing import Node
from splitcrit.criteria.facts import known
from splitcrit.proof import BALL, PROPERTIES, properties
from splitcrit.proof.balls import Ball
from splitcrit.proof.curvature import bend
from splitcrit.proof.family_trees import TRACE, first_member, follows, free_of, moved, variable
from splitcrit.proof.links import _Normal
from splitcrit.proof.property_rows import MEANINGS, ROWS, Finding, _Study
from splitcrit.proof.undecided import Undecided
from splitcrit.vertices import optimal_vertex

HALF = Fraction(1, 2)
BOOSTING = "boosting condition of Kearns and Mansour"


def cubic(p: Any, m: Any) -> Any:
    return 1 - sum(x**3 for x in p)


def rational(p: Any, m: Any) -> Any:
    """The sum of x (1 - x) / (1 + x)."""
    return sum(x * (1 - x) / (1 + x) for x in p)


def bump(height: Fraction, width: int, place: Fraction) -> Any:
    """Gini's, with a bump at one share, as narrow as one over the width, at a place that a grid may not have."""
    return lambda p, m: sum(x * (1 - x) for x in p) + height / (1 + (width * (p[0] - place)) ** 2)


# Wrong ones, each in one place, with the property that is false, for two, three or four classes.


def wrong_at_four(p: Any, m: Any) -> Any:
    return sum(x * (1 - x) for x in p) * (-1 if len(p) == 4 else 1)


def third_counts_twice(p: Any, m: Any) -> Any:
    return sum(x * (1 - x) for x in p) + sum(x * (1 - x) for x in p[2:3])


def convex(p: Any, m: Any) -> Any:
    return sum(x * x for x in p)


def skewed(p: Any, m: Any) -> Any:
    return p[0] * p[0] * (1 - p[0])


def linear(p: Any, m: Any) -> Any:
    return p[0]


def squared_error(p: Any, m: Any) -> Any:
    return (1 - m.max(p)) ** 2


def negentropy(p: Any, m: Any) -> Any:
    return sum(m.xlogx(x) for x in p)


def jumps_at_the_end(p: Any, m: Any) -> Any:
    """Gini's inside, and 1/10 where the first class is absent: below its chords near that end."""
    return m.where(p[0] == 0, Fraction(1, 10), sum(x * (1 - x) for x in p))


BUMPED = bump(Fraction(1, 1000), 1000, Fraction(3, 10))
NARROW = bump(Fraction(1, 1_000_000), 100_000, Fraction(1234567, 10_000_000))
WRONG = [
    (BUMPED, "concave", 2), (NARROW, "concave", 2),
    (wrong_at_four, "concave", "all"), (wrong_at_four, "maximal at equal shares", "all"),
    (third_counts_twice, "symmetric", 3), (third_counts_twice, "symmetric", "all"),
    (lambda p, m: sum(x * (1 - x) for x in p) + Fraction(1, 100), "zero only at vertices", 2), (convex, "concave", 2),
    (skewed, "maximal at equal shares", 2), (skewed, "symmetric", 2),
    (linear, "strictly concave", 2), (linear, BOOSTING, 2),
    (lambda p, m: p[0] * (1 - p[0]) * (1 - 2 * p[0]) ** 2, "zero only at vertices", 2), (squared_error, "concave", 2),
    (lambda p, m: p[0] * p[1], "zero only at vertices", 3), (negentropy, "concave", 3),
    (lambda p, m: m.where(p[0] == HALF, 1, sum(x * (1 - x) for x in p)), "concave", 2),
    (jumps_at_the_end, "zero only at vertices", 2), (jumps_at_the_end, "concave", 2),
    (Impurity("gini", convex), "concave", 2), (losses.square, "conservative", 2),
]  # fmt: skip


@pytest.fixture(scope="module")
def row() -> Any:
    """What is found of the cubic impurity."""
    return properties(cubic, work=1_000_000)


@cache
def study(x: Any) -> _Study:
    return _Study.of(x, [2, 3], 1_000_000)


def finding(x: Any, property: str, classes: Any) -> Finding:
    """The finding of one property, as a row has it; the others are not looked for."""
    return study(x).finding(property, classes)


@pytest.mark.parametrize(("x", "property", "classes"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_property_is_refuted_by_a_witness(x: Any, property: str, classes: Any) -> None:
    found = finding(x, property, classes)
    assert found.verdict == "refuted", found
    assert found.witness and found.table != ()


def test_one_finding_is_that_of_the_row() -> None:
    listed = [x for x in properties(skewed, classes=[2], work=1_000_000).findings if x.classes == 2]
    alone = [finding(skewed, x.property, 2) for x in reversed(listed)][::-1]
    assert [(x.verdict, x.witness, x.table) for x in alone] == [(x.verdict, x.witness, x.table) for x in listed]
    assert {x.verdict for x in listed} == {"open", "refuted", "settled"}


def gain_of(x: Impurity, table: Any) -> Any:
    """The gain of a table in fractions, in balls where it is no fraction."""
    exact = [[Fraction(n) for n in row] for row in table]
    try:
        return decrease(x).score(exact, EXACT)
    except Irrational:
        return decrease(x).score(exact, BALL)


def test_a_witness_against_concavity_is_a_table_that_loses() -> None:
    for x in (BUMPED, NARROW, convex, squared_error, negentropy):
        assert gain_of(Impurity("this", x), finding(x, "concave", 2).table) < 0


FOR_ALL = ("strictly concave", "zero only at vertices", "symmetric", "maximal at equal shares", "vertex-optimal split")
SETTLED: list[tuple[Any, str, Any, str]] = [  # and on what it rests
    *((x, "concave", "all", "algebra") for x in (cubic, rational)),
    *((x, name, "all", "") for x in (cubic, rational) for name in FOR_ALL),
    *((x, name, 2, "") for x in (cubic, rational) for name in (BOOSTING, "ordering shortcut")),
    *((squared_error, "symmetric", k, "") for k in (2, 3)),  # the largest share in another order is another element
    (lambda p, m: sum(m.min([x, Fraction(1, 3)]) for x in p), "concave", "all", "a sum over classes of one part"),
    (lambda p, m: m.min([3 * p[0], p[1]]), "zero only at vertices", 2, "that it is concave"),
    (cubic, "keeps order under uniform noise", 2, "algebra: 3/2 times that of gini"),
    (cubic, "keeps order under uniform noise", 2, "order."),
    (losses.mae, "conservative", 2, ""),
    (decrease(impurities.scaled(entropy, 3)), "concave", 2, ""),
]


@pytest.mark.parametrize(("x", "property", "classes", "ground"), SETTLED, ids=range(len(SETTLED)))
def test_a_right_property_is_settled(x: Any, property: str, classes: Any, ground: str) -> None:
    found = finding(x, property, classes)
    assert found.verdict == "settled" and any(each.startswith(ground) for each in found.rests_on), found


def test_corners_are_settled_at_the_middle_of_chords() -> None:
    assert study(gini)._midpoints(lambda p, m: m.max([p[0], HALF]), 1).startswith("midpoints of chords: ")


BUILT_IN = [
    gini, entropy, impurities.misclassification, impurities.sqrt_gini, impurities.matushita, impurities.bayes_sum,
    impurities.gce(0.7), impurities.ne(0.5), criteria.twoing, criteria.pairwise_gain, nulls.sgini,
]  # fmt: skip
SAYS = {"settled": "holds", "refuted": "refuted", "open": "unknown"}


def of_the_ledger(study: _Study) -> list[Finding]:
    """What is found of the properties that the ledger knows, for two and for three classes."""
    return [study.finding(name, k) for name in study.asked if name in PROPERTIES for k in study.numbers]


@pytest.mark.parametrize("x", BUILT_IN, ids=repr)
def test_what_is_built_in_has_the_properties_of_the_ledger(x: Any) -> None:
    for found in of_the_ledger(study(x)):
        ledger = known(x, found.property, found.classes)
        assert SAYS[found.verdict] == ledger or ledger == "unknown", (found, ledger)


@pytest.mark.parametrize(
    "x", [pytest.param(x, id=repr(x), marks=[pytest.mark.slow] * (i != 3)) for i, x in enumerate(BUILT_IN[:6])]
)
def test_own_routes_never_contradict_the_ledger(x: Impurity, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("splitcrit.proof.property_rows._Study.kin", lambda self, k: None)
    settled = 0
    for found in of_the_ledger(_Study.of(x, [2, 3], 1_000_000)):
        ledger = known(x, found.property, found.classes)
        assert (SAYS[found.verdict], ledger) not in {("holds", "refuted"), ("refuted", "holds")}, found
        settled += found.verdict == "settled"
    assert settled >= 4


STEPS = (Fraction(1, 10**9), 1e-9, Fraction(1), 0.30102999566398, Fraction(-1, 2), Fraction(-1, 10**30))


@pytest.mark.parametrize(
    ("x", "c", "k"),
    [
        pytest.param(x, c, k, marks=[] if (place + i) % 5 == 0 and c > 0 and k + place % 2 == 3 else pytest.mark.slow)
        for place, x in enumerate(BUILT_IN[:5])
        for i, c in enumerate(STEPS)
        for k in (2, 3)
    ],
)
def test_a_step_where_a_share_is_0_is_seen(x: Impurity, c: Any, k: int) -> None:
    """Where the built-in impurity is higher by c where one class is absent."""
    j = random.Random(repr((x, c, k))).randrange(k)
    stepped = lambda p, m: x.of(p, m) + m.where(p[j] == 0, m.number(c), 0)  # noqa: E731
    study = _Study.of(stepped, [k], 1_000_000)
    for name in ("symmetric", "zero only at vertices"):  # it is c at some pure nodes and 0 at others
        assert {study.finding(name, n).verdict for n in (k, "all")} == {"refuted"}, name
    for name in ("concave", "strictly concave"):
        said = {study.finding(name, n).verdict for n in (k, "all")}
        assert said == {"refuted"} if c > 0 else "settled" not in said or name == "concave", (name, said)
    assert study.kin(k) is None
    if c > 0:
        assert gain_of(Impurity("with a step", stepped), study.finding("concave", k).table) < 0


def test_a_sum_over_classes_with_a_step_at_0_is_no_multiple() -> None:
    study = _Study.of(lambda p, m: 1 - sum(x * x + m.where(x == 0, 1, 0) for x in p), [2], 1_000_000)
    assert study.finding("zero only at vertices", "all").verdict == "refuted"
    assert study.finding("keeps order under uniform noise", 2).verdict == "refuted" and study.kin(2) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("symmetric", "all"), ("symmetric", 3)),
        (("strictly concave", 2), ("concave", 2)),
        ((BOOSTING, 2), ("concave", 2)),
    ],
)
def test_a_row_that_contradicts_itself_is_an_error(one: Any, other: Any) -> None:
    study = _Study.of(gini, [2, 3], 1)
    study.cells = {one: Finding(*one, "settled"), other: Finding(*other, "open")}
    study.agree()
    study.cells[other] = Finding(*other, "refuted")
    refused("the findings of a row must agree; got", study.agree, error=RuntimeError)


def test_a_criterion_that_is_no_decrease_has_no_properties_of_impurities() -> None:
    row = properties(Criterion("cells", lambda t, m: sum(t[0][k] * t[1][k] for k in range(len(t[0])))))
    assert "concave" not in {x.property for x in row.findings}
    assert row["skew-insensitive"][2].verdict == "refuted"
    with pytest.raises(KeyError, match="a row holds only the properties that apply to its subject; got 'concave'"):
        row["concave"]


def test_a_skew_insensitive_criterion_is_settled() -> None:
    def distance(t: Any, m: Any) -> Any:
        (a, b), (c, d) = t
        first, second = m.where(a + c == 0, 1, a + c), m.where(b + d == 0, 1, b + d)
        return (a / first - b / second) * (a / first - b / second)

    row = properties(Criterion("distance of class shares", distance, classes=2))
    assert row["skew-insensitive"][2].verdict == "settled"
    assert {x.classes for x in row.findings} == {2, "all"}


def test_a_loss_without_an_action_has_a_concave_risk_and_a_best_vertex() -> None:
    without_action = Loss("square, no action", lambda w, k, m: sum(x * x for x in w) - 2 * w[k] + 1)
    numeric = Impurity.from_loss(without_action)
    row = properties(numeric, classes=[3])
    assert row["concave"]["all"].rests_on == ("gain.is_nonnegative_and_impurity_concave_of_any_loss",)
    assert row["vertex-optimal split"][3].verdict == "settled"
    found = optimal_vertex([5, 4, 3], numeric, facts=row.facts)
    assert found.left == optimal_vertex([5, 4, 3], gini).left
    assert found.best_of_all_splits == "holds"


def test_facts_are_a_value_for_those_who_may_rely_on_them(row: Any) -> None:
    facts = row.facts
    assert row["stops early"][3].verdict == "refuted"
    assert facts.known("vertex-optimal split", 7) == "holds"
    assert facts.known("ordering shortcut", 2) == "holds"
    assert facts.known("ordering shortcut", 3) == "refuted"
    assert facts.known("keeps order under uniform noise", 3) == "refuted"
    assert facts.known("keeps order under uniform noise", 5) == "unknown"  # the witness has three classes
    mine = Impurity("cubic", cubic)
    assert optimal_vertex([3, 2, 1], mine).best_of_all_splits == "unknown"
    assert optimal_vertex([3, 2, 1], mine, facts=facts).best_of_all_splits == "holds"
    assert known(mine, "ordering shortcut", 2) == "unknown"
    assert known(facts.declared(mine), "ordering shortcut", 2) == "holds"
    assert known(decrease(facts.declared(mine)), "ordering shortcut", 3) == "refuted"
    refused("facts are about a criterion or an impurity; got 'gini'", facts.declared, "gini", error=TypeError)
    refused("facts are those of a row of properties", optimal_vertex, [2, 1], mine, facts="all", error=TypeError)


def slow(p: Any, m: Any) -> Any:
    whole = 0
    while True:
        whole += 1


def two_only(p: Any, m: Any) -> Any:
    a, b = p
    return a * b


def catches(p: Any, m: Any) -> Any:
    try:
        return p[0] * p[1]
    except ValueError:
        return 0


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (lambda p, m: p[0] * p[1] if p[0] > HALF else p[0] * (1 - p[0]), "a formula may not branch on its values"),
        (
            lambda p, m: p[0] * (1 - p[0]) * random.randint(1, 10**9),
            "a formula must give one distribution the same value each time",
        ),
        (lambda p, m: p[0] / p[1], "a formula must be defined at shares of 0"),
        (slow, "a formula may run only a few lines per table"),
        (catches, "a formula must treat numbers and symbols alike"),
        (
            lambda p, a: gini.of(p, a) if a.name == "EXACT" else -gini.of(p, a),
            "treat numbers and symbols alike; got .* may not ask which one it is",
        ),
    ],
    ids=range(6),
)
def test_a_formula_that_no_claim_can_be_about_is_one_sentence(x: Any, said: str) -> None:
    refused(said, properties, x)


def test_other_numbers_of_classes_are_left_out() -> None:
    row = properties(two_only)
    assert {x.classes for x in row.findings} == {2, "all"} and row["concave"]["all"].verdict == "open"


def test_what_is_no_subject_is_refused() -> None:
    refused("properties takes an impurity, a loss, a criterion or a function", properties, 3, error=TypeError)
    refused("a number of classes", properties, gini, classes=[1])


def test_a_row_can_be_read(row: Any) -> None:
    assert repr(row).startswith("<cubic: ")
    assert "concave" in str(row).splitlines()[2]
    assert list(row.to_frame().columns) == ["property", "classes", "verdict", "rests_on", "witness"]
    assert row._repr_html_().count("<tr>") == 1 + len({x.property for x in row.findings})
    assert "tried small cases for a witness" in row.explain("concave")
    assert set(MEANINGS) == set(ROWS)


def test_progress_names_each_property_once() -> None:
    said: list[str] = []
    properties(gini, classes=[2], progress=said.append)
    assert said[0] == "gini: concave" and len(said) == len(set(said))


def test_more_work_is_not_less_known() -> None:
    rank = {"open": 0, "settled": 1, "refuted": 1}
    few, more = (
        [rank[_Study.of(rational, [3], w).finding(name, 3).verdict] for name in ("concave", "symmetric")]
        for w in (10, 1_000_000)
    )
    assert few == [0, 1] and more == [1, 1]


# Second derivatives along a line, against second differences in floats of the standard library.

P, D = (Fraction(1, 5), Fraction(4, 5)), (Fraction(1), Fraction(-1, 2))
FORMULAS: dict[str, tuple[Callable[..., Any], Callable[..., float]]] = {
    "a product": (lambda p, m: p[0] * p[1] * 3, lambda a, b: a * b * 3),
    "a quotient": (lambda p, m: (1 - p[0]) / (p[1] + 2), lambda a, b: (1 - a) / (b + 2)),
    "a quotient of a number": (lambda p, m: 2 / p[0] - 5, lambda a, b: 2 / a),
    "powers": (lambda p, m: p[0] ** 3 + p[1] ** -2, lambda a, b: a**3 + b**-2),
    "roots": (lambda p, m: m.sqrt(p[0] * p[1]), lambda a, b: math.sqrt(a * b)),
    "logarithms": (lambda p, m: m.log(p[0] + p[1] ** 2), lambda a, b: math.log(a + b**2)),
    "x log x": (lambda p, m: -m.xlogx(p[0]) - m.xlogx(p[1]), lambda a, b: -a * math.log(a) - b * math.log(b)),
    "exponentials": (lambda p, m: m.exp(p[0] * p[1]), lambda a, b: math.exp(a * b)),
    "broken powers": (lambda p, m: m.power(p[0], Fraction(5, 3)) + m.power(p[1], 2), lambda a, b: a ** (5 / 3) + b**2),
    "a broken power of a product": (
        lambda p, m: m.power(p[0] * p[1], Fraction(5, 3)), lambda a, b: (a * b) ** (5 / 3),
    ),
    "a case of a share": (lambda p, m: m.where(p[0] == 0, p[0] ** 9, p[0] ** 2), lambda a, b: a**2),
    "a case that holds": (lambda p, m: m.where(2 > 1, p[0] ** 2, p[0] ** 9), lambda a, b: a**2),
    "a case that does not": (lambda p, m: m.where(2 < 1, p[0] ** 9, p[0] ** 2), lambda a, b: a**2),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_bends_are_second_differences(name: str) -> None:
    formula, floats = FORMULAS[name]
    a, b, h = *map(float, P), 1e-4
    at = [floats(a + t * float(D[0]), b + t * float(D[1])) for t in (-h, 0, h)]
    found = Ball(bend(formula, [BALL.number(x) for x in P], D, BALL))
    assert float(found.arb.mid()) == pytest.approx((at[0] - 2 * at[1] + at[2]) / h**2, rel=1e-4)


def test_rational_bends_are_exact() -> None:
    assert bend(lambda p, m: p[0] * p[1], P, D, EXACT) == -1
    assert bend(lambda p, m: p[0] + p[1], P, D, EXACT) == 0
    assert bend(lambda p, m: 1 / (1 + p[0] ** 2), (0, 1), (1, -1), EXACT) == -2  # what stands still may bend


def test_what_may_have_corners_is_refused() -> None:
    for formula in (
        lambda p, m: m.where(p[0] < p[1], 0, p[0]), lambda p, m: m.where(2 * p[0] == 0, 0, p[0]),
        lambda p, m: m.max(p), lambda p, m: abs(p[0]), lambda p, m: m.where("yes", 0, p[0]),
    ):  # fmt: skip
        refused("corners", bend, formula, P, D, EXACT, error=Undecided)


# What comparisons force one another, against a look at numbers.

X, Y = Node("at", ("x",)), Node("at", ("y",))
NUMBERS = [Fraction(i) for i in (-2, 0, 3)]
VALUES = [Fraction(i, 2) for i in range(-6, 9)]  # between the numbers and beyond them too


def comparisons(tree: Node) -> Any:
    for op, number, above in itertools.product(("<", "<="), NUMBERS, (True, False)):
        sides = (Node("number", (number,)), tree)
        yield Node(op, sides if above else sides[::-1]), op, number, above


def holds(op: str, number: Fraction, above: bool, x: Fraction) -> bool:
    left, right = (number, x) if above else (x, number)
    return left < right if op == "<" else left <= right


def test_a_comparison_follows_where_all_numbers_say_so() -> None:
    forced = 0
    for (premise, *one), (conclusion, *other), way in itertools.product(comparisons(X), comparisons(X), (True, False)):
        answers = {holds(*other, x) for x in VALUES if holds(*one, x) is way}
        expected = answers.pop() if len(answers) == 1 else None
        assert follows(conclusion, [(premise, way)]) is expected, (premise, way, conclusion)
        forced += expected is not None
    assert forced > 100


def test_nothing_follows_from_what_is_said_of_others() -> None:
    for (premise, *_), (conclusion, *_) in itertools.product(comparisons(X), comparisons(Y)):
        assert follows(conclusion, [(premise, True)]) is None
    assert follows(Node("==", (X, Y)), [(Node("<", (X, Y)), True)]) is None


def test_numbers_are_compared_at_once() -> None:
    two, three = TRACE.number(2), TRACE.number(3)
    assert (two < three, three <= two, two == three, two >= two) == (True, False, False, True)
    x, again = variable("x"), variable("x")
    assert (x == again) is (x <= again) is True and (x < again) is False


# The indices of values and of lists of them: what is free in one is renamed in it, wherever it stands.

J, K = Node("index", ("j",)), Node("index", ("k",))
SUM = Node("sum", ("k", Node("+", (J, K))))


@pytest.mark.parametrize("held", [J, [J], (J,), [K, J], (K, J), [[J], (K, [J])], [SUM]], ids=repr)
def test_a_free_index_is_renamed_in_whatever_holds_it(held: Any) -> None:
    assert "j" in free_of(held)
    renamed = moved(held, "j", "m")
    assert type(renamed) is type(held)
    assert "j" not in free_of(renamed)
    assert free_of(renamed) == {"m" if x == "j" else x for x in free_of(held)}


def test_a_bound_index_stays() -> None:
    assert moved([SUM, K], "k", "l") == [SUM, Node("index", ("l",))]
    assert first_member(Node("+", (Node("index", ("j'",)), K))) == Node("+", (J, K))


# Trees that are the same function of sums, and those that are not.


def number(x: int) -> Node:
    return Node("number", (x,))


def of(op: str, *parts: Node) -> Node:
    return Node(op, parts)


def every(tree: Node) -> Node:
    return Node("sum", ("k", tree))


LOG, Z, LESS = of("log", X), Node("at", ("z", "k")), of("<", Y, X)
PAIRS = {
    "x log x": (of("xlogx", X), of("*", X, LOG), True),
    "not x over log x": (of("xlogx", X), of("/", X, LOG), False),
    "a root squared": (of("*", of("sqrt", X), of("sqrt", X)), X, True),
    "not a root": (of("sqrt", X), X, False),
    "the root of a square": (of("sqrt", of("*", X, X)), X, True),
    "the absolute value of a count": (of("abs", X), X, True),
    "the absolute value of a real number": (of("abs", Y), Y, False),
    "a difference": (of("-", X, Y), of("neg", of("-", Y, X)), True),
    "a quotient": (of("/", of("*", X, Y), X), Y, True),
    "a power": (Node("^", (X, 3)), of("*", X, of("*", X, X)), True),
    "a case decided by its kind": (of("if", of("<", X, number(0)), Y, X), X, True),
    "a case that is not": (of("if", of("<", Y, number(0)), Y, X), X, False),
    "a case whose ways agree where it holds": (of("if", of("==", X, Y), X, Y), Y, True),
    "a case whose ways do not": (of("if", of("==", X, Y), number(1), Y), Y, False),
    "a case whose ways agree where it does not hold": (of("if", of("<", X, Y), X, Y), Y, False),
    "a product of cases": (of("*", of("if", LESS, X, Y), Y), of("if", LESS, of("*", X, Y), of("*", Y, Y)), True),
    "a sum of a sum": (every(of("+", Z, X)), of("+", every(Z), of("*", Node("size", ("K",)), X)), True),
    "a factor of a sum": (every(of("/", Z, X)), of("/", every(Z), X), True),
    "not the square of a sum": (every(Node("^", (Z, 2))), Node("^", (every(Z), 2)), False),
}


@pytest.mark.parametrize("name", PAIRS)
def test_trees_are_the_same_where_their_functions_are(name: str) -> None:
    one, other, same = PAIRS[name]
    assert _Normal({"x": "count", "y": "real", "z": "real"}).same(one, other) is same
