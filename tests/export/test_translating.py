"""A routine is read as it is written, and what C cannot say is refused."""

from __future__ import annotations

import json
import linecache
import textwrap
from fractions import Fraction
from itertools import accumulate, permutations
from math import isqrt

import pytest

from oracles import gain, moments, table_law
from splitcrit.export import vector_cases, vectors
from splitcrit.export.c_header import ROUTINES
from splitcrit.export.moments import Counts, Room, real, value
from splitcrit.export.translating import signature, translated
from splitcrit.nulls import gini_pvalue

LIMIT, SHARE = 3, 0.25


def counted(totals: Counts, length: int) -> int:
    """The totals above a limit."""
    found = 0
    for i in range(length):
        if totals[i] > LIMIT and totals[i] != 7:
            found += 1
    return found


def spread(totals: Counts, room: Room, length: int) -> float:
    """A share.

    Of what is there.
    """
    rest = totals[1:]
    room[0] = counted(rest, length - 1)
    return value(2 * real(room[0])) if length > 1 else SHARE


def test_a_routine_is_read_line_by_line() -> None:
    wanted = """\
/* The totals above a limit. */
static inline int64_t splitcrit_counted(const int64_t *totals, int64_t length) {
    int64_t found;
    found = 0;
    for (int64_t i = 0; i < length; i++) {
        if ((totals[i] > 3) && (totals[i] != 7)) {
            found = (found + 1);
        }
    }
    return found;
}"""
    assert translated(counted, {}) == wanted


def test_calls_and_numbers_take_the_kinds_they_are_given() -> None:
    text = translated(spread, {})
    assert "rest = (totals + 1);" in text and "splitcrit_counted(rest, (length - 1))" in text
    assert "splitcrit_multiply(splitcrit_real_of(2), splitcrit_real_of(room[0]))" in text and ": 0.25)" in text
    assert text.startswith("/* A share.\n *\n * Of what is there.\n */")


def test_every_routine_is_annotated_with_kinds_that_c_has() -> None:
    kinds = {kind for routine in ROUTINES for kind in signature(routine).parameters}
    assert kinds == {"Counts", "Room", "Scores", "Values", "Real", "int", "float", "bool"} and len(ROUTINES) > 15
    assert all(inspected.__doc__ for inspected in ROUTINES)


def halvings(n: int) -> int:
    """Count halvings."""
    found, ended = 0, False
    while n > 1 and not ended:
        n = n // 2
        found += 1
        ended = n == 3
    return found


def test_a_loop_asks_before_each_turn() -> None:
    text = translated(halvings, {})
    assert "while ((n > 1) && (!(ended))) {\n        n = (n / 2);" in text and "ended = n == 3;" in text
    assert halvings(20) == 4 and halvings(7) == 1


N = "(n: int) -> int"
UNSAID = {  # routines by name: what they take and give, and what they do
    "quotient": ("(x: float) -> float", "return x // 2.0"),  # rounded down, which C does otherwise
    "denied": ("(n: int) -> bool", "return not n"),
    "loops": (N, "while n:\n    n -= 1\nreturn n"),
    "steps": (N, "for i in range(0, n, 2):\n    n += i\nreturn n"),
    "otherwise": (N, "if n > 1:\n    n = 2\nelif n > 0:\n    n = 3\nreturn n"),
    "halved": (N, "return n / 2"),
    "mixed": ("(n: int) -> float", "return 1.5 * n"),
    "changed": ("(n: int) -> Real", "x: Any = n\nx = real(n)\nreturn x"),
    "reread": ("(n: int) -> Real", "n = real(n)\nreturn n"),
    "chosen": ("(n: int) -> Real", "return real(n) if n > 1 else 0"),
    "passed": (N, "return counted(n, n)"),  # an integer for an array
    "called": (N, "return counted(totals=n, length=n)"),
    "swapped": ("(n: int, m: int) -> int", "n, m = m, n\nreturn n"),
    "growing": (N, "for i in range(n):\n    n += i\nreturn n"),  # the end of a loop
    "unlike": ("(n: int) -> float", "return n"),
}


@pytest.mark.parametrize("name", UNSAID)
def test_what_c_cannot_say_is_refused(name: str) -> None:
    signature, body = UNSAID[name]
    text = (
        f'from __future__ import annotations\ndef {name}{signature}:\n    """Say."""\n'
        + textwrap.indent(body, "    ")
        + "\n"
    )
    linecache.cache[name], scope = (0, None, text.splitlines(keepends=True), name), {**globals()}
    exec(compile(text, name, "exec"), scope)
    with pytest.raises(TypeError, match=r"a routine keeps to the part of Python that C can say; got .*; write it"):
        translated(scope[name], {})


# The vectors hold what they say, for the definition; they are the same in every run and of every kind.

ALL = vectors()


def margins(table: vector_cases.Counts) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))


def test_small_cases_are_those_of_the_definition() -> None:
    small = [case for case in ALL if 0 < sum(map(sum, case.table)) <= 9]
    assert len(small) > 90
    for case in small:
        rows, columns = margins(case.table)
        law = table_law(tuple(filter(None, rows)), tuple(filter(None, columns)))
        assert (case.mean, case.variance, case.third_moment) == moments(law)
        assert case.gain == gain([list(row) for row in case.table])


def test_a_score_is_the_root_of_its_signed_square() -> None:
    for case in ALL:
        square = case.signed_square
        above = case.gain - case.mean
        assert square == (above * abs(above) / case.variance if case.variance else 0)
        scale = 2**200
        root = Fraction(isqrt(abs(square).numerator * scale**2 // abs(square).denominator), scale)
        assert case.sgini == pytest.approx(float(root if square >= 0 else -root), rel=1e-15, abs=0)


def test_a_scan_is_the_score_of_two_rows() -> None:
    for case in ALL:
        assert len(case.scan) == len(case.table) - 1
        for i, found in enumerate(case.scan, 1):
            two = tuple(tuple(map(sum, zip(*part, strict=True))) for part in (case.table[:i], case.table[i:]))
            assert found == vector_cases.case_of(two).signed_square


def test_the_chance_of_the_best_threshold_is_its_share_of_all_orders() -> None:
    def best(sizes: tuple[int, ...], order: tuple[int, ...]) -> Fraction:
        ends, ones, n = list(accumulate(sizes)), sum(order), len(order)
        tables = [((x := sum(order[:m]), m - x), (ones - x, n - m - ones + x)) for m in ends[:-1] if 0 < m < n]
        return max(vector_cases.case_of(table).signed_square for table in tables)

    found = [case for case in ALL if case.selected_pvalue is not None and sum(map(sum, case.table)) <= 7][::3]
    for case in found:
        sizes, (ones, others) = margins(case.table)
        orders = {order for order in permutations([1] * ones + [0] * others)}
        score = max(
            (x for x, m in zip(case.scan, accumulate(sizes), strict=False) if 0 < m < ones + others), default=None
        )
        wanted = 1 if score is None else Fraction(sum(best(sizes, order) >= score for order in orders), len(orders))
        assert case.selected_pvalue == wanted, case
    assert len(found) > 20 and max(len(case.table) for case in found) > 3


def test_the_chance_of_two_rows_is_that_of_the_gain() -> None:
    found = [case for case in ALL if case.selected_pvalue is not None and len(case.table) == 2]
    assert len(found) > 81
    for case in found:
        assert float(case.selected_pvalue or 0) == pytest.approx(float(gini_pvalue(case.table)), rel=1e-15)


def test_the_tables_are_of_every_kind() -> None:
    shapes = {(len(case.table), len(case.table[0])) for case in ALL}
    sizes = [sum(map(sum, case.table)) for case in ALL]
    assert 200 < len(ALL) < 500 and len(shapes) > 40 and {0, 1, 2, 3, 4} <= set(sizes) and max(sizes) > 10**8
    assert any(0 in margins(case.table)[0] and sum(margins(case.table)[0]) > 100 for case in ALL)
    assert sum(case.variance == 0 for case in ALL) > 20 < sum(case.signed_square < 0 for case in ALL)


def test_they_are_plain_data_and_the_same_again() -> None:
    data = [case.as_json() for case in ALL]
    assert json.loads(json.dumps(data)) == json.loads(json.dumps([case.as_json() for case in vectors()]))
    assert data[40]["table"] == ((1, 1), (1, 1)) and data[40]["mean"] == str(ALL[40].mean) == "1/6"
    moments = {"mean", "variance", "third_moment"}
    assert set(data[0]) == {"table", "gain", *moments, "signed_square", "scan", "sgini", "selected_pvalue"}
    assert data[40]["selected_pvalue"] == "1" and data[-200]["selected_pvalue"] is None
