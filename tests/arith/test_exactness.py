"""Exact scores are Fractions, and exact checks of theorems hold no floats."""

import copy
import gc
import itertools
import operator
import pickle
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import oracles
from refusals import refused
from splitcrit import impurities, losses
from splitcrit.arith import EXACT, FLOAT, Irrational, tracing
from splitcrit.arith.exact_numbers import Ratio, _root
from splitcrit.arith.tracing import FLOATS, Expression, Node, Tracer, operands_first
from splitcrit.columns import adjusted, standardised
from splitcrit.criteria import Criterion, as_criterion, decrease
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.proof import BALL, Ball, Certificate, Exhaustive, Identity, Sign, Status
from splitcrit.proof.control_flow import traced
from splitcrit.proof.family_trees import TRACE, variable

HALF = Fraction(1, 2)
LOSSES = (
    losses.square, losses.zero_one, losses.mae, losses.infinity_norm, losses.cross_entropy, losses.sqrt_gini,
    losses.matushita, losses.bayes_sum, losses.gce(HALF), losses.ne(HALF),
)  # fmt: skip
MARGINS = (losses.hinge, losses.ramp, losses.margin_zero_one, losses.exponential, losses.logistic, losses.sigmoid)
MORE = (impurities.gce(HALF), impurities.gce(0.5), impurities.gce(3), impurities.ne(HALF), impurities.ne(0))
CRITERIA = {
    **{name: as_criterion(value) for name, value in NAMES.items()},
    **{i.name: decrease(i) for i in MORE},
    **{f"Criterion.from_loss({loss.name})": Criterion.from_loss(loss) for loss in LOSSES + MARGINS},
    "adjusted": adjusted(impurities.gini),
    "standardised": standardised(impurities.entropy),
}
SHAPES = ((1, 2), (2, 2), (2, 3), (3, 2))


def tables(rows: int, classes: int) -> Iterator[list[list[int]]]:
    """Every table of counts up to 2, with empty rows and columns and nothing but zeros among them."""
    for cells in itertools.product(range(3), repeat=rows * classes):
        yield [list(cells[i * classes : (i + 1) * classes]) for i in range(rows)]


def allowed(criterion: Criterion, rows: int, classes: int) -> bool:
    two = criterion.name.startswith("Criterion.from_loss") and criterion.impurity.loss.space == "line"  # type: ignore[union-attr]
    return criterion.rows in (None, rows) and criterion.classes in (None, classes) and not (two and classes > 2)


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])  # every fifth table, or every one
@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_a_score_is_a_fraction_near_the_float_or_there_is_none(criterion: Criterion, step: int) -> None:
    asked = 0
    for rows, classes in SHAPES:
        every = tables(rows, classes) if allowed(criterion, rows, classes) else iter(())
        for table in itertools.islice(every, 0, None, step):
            try:
                found = criterion.exact(table)
            except Irrational:
                continue
            asked += 1
            assert type(found) is Fraction, table
            assert abs(float(found) - float(criterion(table))) <= 1e-12 * max(1, abs(found)), table
    assert asked or criterion.name not in NAMES or criterion.degree is None


def test_rows_without_counts_cost_nothing() -> None:
    seen = [t for rows, classes in SHAPES for t in tables(rows, classes) if sum(map(sum, t))]
    assert any(not any(row) for t in seen for row in t)
    assert all(decrease(impurities.gini).exact(t) == oracles.gain(t, oracles.gini) for t in seen)
    assert decrease(impurities.gini).exact([[1, 2], [0, 0], [3, 1]]) == Fraction(25, 294)


def test_a_parameter_of_gce_is_divided_exactly() -> None:
    assert impurities.gce(3)([HALF, HALF]) == Fraction(1, 6)
    assert decrease(impurities.gce(3)).exact([[2, 0], [0, 2]]) == Fraction(1, 6)


def _third(w: Any, k: int, m: Any) -> Any:
    return sum(abs(x - 1 / len(w)) for x in w) - w[k]


FLOATING = {
    "constant": Impurity("half", lambda p, m: 0.5 * p[0] * p[1]),
    "quotient of integers": Impurity.from_loss(Loss("third", _third, lambda p, m: p)),
    "inside a root": Impurity("rooted", lambda p, m: m.sqrt(0.25 * (p[0] + p[1]))),
    "inside a maximum": Impurity("largest", lambda p, m: m.max((p[0], 0.3))),
}


@pytest.mark.parametrize("impurity", FLOATING.values(), ids=FLOATING)
def test_a_formula_that_computes_with_floats_has_no_exact_value(impurity: Impurity) -> None:
    assert np.isfinite(impurity([1, 3]))
    with pytest.raises(Irrational, match=r"stays in the rationals; got the float .*; write constants as integers or"):
        impurity([Fraction(1, 4), Fraction(3, 4)])
    refused("stays in the rationals; got the float", decrease(impurity).exact, [[1, 3], [2, 2]], error=Irrational)


@pytest.mark.parametrize("value", [True, None, "1", 1j, float("inf"), float("nan")])
def test_what_is_no_rational_number_is_no_score(value: object) -> None:
    with pytest.raises(Irrational, match=f"got the {type(value).__name__} "):
        Criterion("constant", lambda t, m: value).exact([[1, 0]])


def test_mixed_weights_are_floats() -> None:
    assert type(impurities.gini([HALF, HALF])) is Fraction
    assert type(impurities.gini([HALF, 1])) is Fraction
    assert type(impurities.gini([HALF, 0.1])) is np.float64


VARIABLES = {"a": "positive", "b": "positive"}
CLAIMS = {
    "identity": Identity(VARIABLES, lambda v, m: float(v.a / v.b), lambda v, m: v.a / v.b),
    "certificate": Certificate(VARIABLES, lambda v, m: float(v.a), lambda v, m: [([], ["a"])], lambda v, m: {"a": v.a}),
    "atoms": Certificate(VARIABLES, lambda v, m: v.a, lambda v, m: [([], ["a"])], lambda v, m: {"a": float(v.a)}),
    "domain": Identity(VARIABLES, lambda v, m: v.a, lambda v, m: v.a, lambda v, m: float(v.a)),
    "exhaustive": Exhaustive(lambda: range(3), lambda case: case + 0.5),  # type: ignore[arg-type, return-value]
    "sign": Sign(lambda m: [0.5]),
    "enclosure": Sign(lambda m: [m.log(2) * 0.3]),
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_an_exact_check_refuses_floats(claim: Any) -> None:
    verdict = claim.settle()
    assert verdict.status is Status.UNKNOWN and "float" in verdict.evidence


def test_enclosures_of_parameters_hold_them_exactly() -> None:
    """A float parameter is a rational number, and 1 / (1 - q) is that of this number, not the nearest float."""
    q = 0.7
    power = 1 / (1 - Fraction(q))
    assert power != Fraction(1 / (1 - q))
    p = [Ball(Fraction(1, 3)), Ball(Fraction(2, 3))]
    inner = BALL.exp(BALL.log(HALF) * power) + 1
    norm = BALL.exp(BALL.log(inner) * (1 - Fraction(q))) * Fraction(2, 3)
    assert (BALL.abs(impurities.gce(q).of(p, BALL) - (1 - norm) / Fraction(q)) - Fraction(1, 10**60)).sign() == -1


def test_integers_of_a_formula_are_fractions() -> None:
    chosen = [EXACT.where(True, 1, 2), EXACT.max((1, 2)), EXACT.min((1, HALF)), EXACT.abs(-3)]
    ball = BALL.where(True, 1, 2)
    assert [type(x) for x in chosen] == [Fraction] * 4 and isinstance(ball, Ball) and (ball - 1).sign() == 0
    assert Exhaustive(lambda: range(3), lambda case: case >= 0).settle().status is Status.PROVED


def test_an_exponential_is_exact_at_zero_only() -> None:
    assert EXACT.exp(0) == EXACT.exp(Fraction(0)) == 1
    refused("exp", EXACT.exp, 1, error=Irrational)


@pytest.mark.parametrize("degree", [2, 3, 5])
def test_roots_of_powers_are_exact_and_of_others_none(degree: int) -> None:
    for x in [*range(2, 50), 10**25 + 1, 3**70 - 1]:
        assert _root(x**degree, degree) == x
        assert _root(x**degree + 1, degree) is None and _root(x**degree - 1, degree) is None


@pytest.mark.filterwarnings("error")  # infinite powers are values
def test_whole_powers_of_negative_numbers_are_rational() -> None:
    for x, a in ((-1, 2), (Fraction(-1, 2), 3), (Fraction(-3, 2), -1), (-2, 0)):
        assert EXACT.power(x, a) == Fraction(x) ** a == Fraction(FLOAT.power(x, a)).limit_denominator(9)
    refused("power 1/2 of -1", EXACT.power, -1, Fraction(1, 2), error=Irrational)
    refused(f"power {2**26} of -5", EXACT.power, -5, 2**26, error=Irrational)
    assert FLOAT.power(0, -1) == FLOAT.power(1e200, 2) == np.inf


PAIRS = [(1, 2), (-3, 2), (5, 7), (4, -6), (7, 1)]
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize("calculate", OPERATORS)
def test_ratios_calculate_as_fractions(calculate: Callable[[Any, Any], Any]) -> None:
    for a in PAIRS:
        for b in PAIRS:
            assert calculate(Ratio(*a), Ratio(*b)).fraction() == calculate(Fraction(*a), Fraction(*b))
        for n in (3, -2):
            assert calculate(Ratio(*a), n).fraction() == calculate(Fraction(*a), n)
            assert calculate(n, Ratio(*a)).fraction() == calculate(n, Fraction(*a))
        assert (-Ratio(*a)).fraction() == -Fraction(*a)
        assert (Ratio(*a) ** 3).fraction() == Fraction(*a) ** 3
    assert Ratio(3).fraction() == 3


# A formula that is run on expressions leaves one tree, in which equal operations on equal operands are one node.

X = Node("at", ("x",))


def run(formula: Callable[..., Any], *names: str) -> Node:
    """The tree of a formula of variables and an arithmetic."""
    m = Tracer()
    return formula(*map(m.variable, names), m).node  # type: ignore[no-any-return]


def test_equal_operations_on_equal_operands_are_one_node() -> None:
    one, other = (run(lambda x, y, m: (x + y) / m.sqrt(x + y), "x", "y") for _ in range(2))
    assert one is other and len(operands_first(one)) == 5
    assert run(lambda x, y, m: x - y, "x", "y") is not run(lambda x, y, m: y - x, "x", "y")
    assert copy.deepcopy(one) is one and pickle.loads(pickle.dumps(one)) is one
    assert (X + X).parts[0] is X and X * X is not X**2


def test_numbers_of_unlike_kinds_are_unlike_nodes() -> None:
    numbers = [Fraction(1), 1.0, True, -0.0, 0.0, False, Fraction(0)]
    assert len({Node("number", (x,)) for x in numbers}) == len(numbers)
    assert Node("^", (X, 1)) is not Node("^", (X, True))


def test_the_prover_and_the_tape_make_the_same_nodes() -> None:
    of = Impurity.from_loss(losses.mae).of
    tree = traced(lambda: of([variable("x"), variable("y"), 1 - variable("x") - variable("y")], TRACE)).tree
    assert run(lambda x, y, m: of([x, y, 1 - x - y], m), "x", "y") is tree


def test_a_risk_of_many_classes_is_a_small_tree() -> None:
    m, names = Tracer(), [f"p{k}" for k in range(60)]
    risk = Impurity.from_loss(losses.square).of([m.variable(name) for name in names], m).node
    assert len(operands_first(risk)) < 12 * 60 < m.asked / 5
    assert traced(lambda: Impurity.from_loss(losses.square).of([*map(variable, names)], TRACE)).tree is risk


def test_a_node_lives_as_long_as_it_is_used() -> None:
    gc.collect()
    before = len(tracing._KNOWN)
    kept = run(lambda x, m: sum((x + i) ** 2 for i in range(100)), "of this test")
    assert len(tracing._KNOWN) >= before + 200
    del kept
    gc.collect()
    assert len(tracing._KNOWN) <= before


def test_operands_come_first_and_once_however_deep_a_tree_is() -> None:
    node = X
    for _ in range(100_000):
        node = node + node  # 2 ** 100,000 paths
    found = operands_first(node, X, node)
    assert len(found) == 100_001 and found[0] is X and found[-1] is node
    assert [x.op for x in operands_first(X**2 - X)] == ["at", "^", "-"]


NUMBERS = np.array([0.0, 0.3, 1.0, 2.5])
FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "numbers on the left": lambda x, m: 2 / (1 + (3 - 4 * x)),
    "powers": lambda x, m: x**2 + x**3 - x**0.5 + m.power(x, 1.5) + 2**x + x**-1,
    "functions": lambda x, m: m.exp(x) + m.sqrt(x) - m.xlogx(x) + m.log(1 + x),
    "extremes": lambda x, m: m.max([x, 0.5, 1 - x]) * m.min([x, 1]),
    "signs": lambda x, m: abs(-x) + m.abs(x - 1),
    "comparisons": lambda x, m: m.where(x < 1, 1 * (x == 0), 2 * (x != 1)) + 1 * (x <= 1) + 3 * (x > 1) + 5 * (x >= 1),
    "truth values": lambda x, m: (x - True) * np.bool_(True) + np.float64(0.1),
    "constants": lambda x, m: x * m.number("0.25") + m.sqrt(2) * m.where(True, 3, 4) + m.max([1, 2]),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_tree_says_what_the_formula_does(name: str) -> None:
    values: dict[Node, Any] = {}
    root = run(FORMULAS[name], "x")
    with np.errstate(all="ignore"):
        for node in operands_first(root):
            operands = [values[x] if isinstance(x, Node) else x for x in node.parts]
            number = NUMBERS if node.op == "at" else float(node.parts[0]) if node.op == "number" else None
            values[node] = FLOATS[node.op](*operands) if number is None else number
        np.testing.assert_array_equal(values[root], FORMULAS[name](NUMBERS, FLOAT))


def test_what_depends_on_no_variable_is_computed() -> None:
    m = Tracer()
    assert (m.sqrt(4), m.max([1, 3]), m.where(False, 1, 2), m.abs(-1), m.number("0.5")) == (2, 3, 2, 1, 0.5)
    assert m.asked == 0 and m.name == "FLOAT"


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "text": lambda x, m: x + "1",
    "nothing": lambda x, m: x * None,
    "a question": lambda x, m: x if x else 1,
    "a fraction": lambda x, m: x * Fraction(1, 3),  # numpy has no float64 for it either
    "whole quotients": lambda x, m: x // 2,
    "a list": lambda x, m: x in [0, 1],
    "a key": lambda x, m: {x: 1},
    "numpy": lambda x, m: np.sqrt(x),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_expression_can_do_is_a_type_error(name: str) -> None:
    with pytest.raises(TypeError):
        run(REFUSED[name], "x")


def test_an_expression_has_no_value() -> None:
    x: Any = Tracer().variable("x")
    assert type(x == x) is Expression
    refused(r"does not look at its numbers; got .*; decide by m\.where", bool, x < 1, error=TypeError)
