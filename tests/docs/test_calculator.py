"""The calculator of the documentation gives the library's numbers, in Node.js, and its scripts ask for no network."""

from __future__ import annotations

import io
import math
import random
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from node import STATIC, in_node
from splitcrit import gini_null, gini_pvalue, selected_pvalue, sgini
from splitcrit.nulls import null_distribution
from splitcrit.nulls.batches import pearson3_tails, special

DOCS = STATIC.parent
SCRIPTS = [STATIC / name for name in ("exact.js", "laws.js", "calculator.js")]
Table = list[list[int]]

TABLES = """data.map((table) => {
    const a = m.answered({kind: "table", counts: table.map((row) => row.map(String)),
        rows: table.map((_, i) => `r${i}`), classes: table[0].map((_, j) => `c${j}`)});
    const {gain, mean, variance, sgini, p} = a, law = p.atoms.length < 500 ? p.atoms : [];
    return {gain, mean, variance, sgini, p: {...p, atoms: 0, drawn: p.drawn && {...p.drawn, gains: 0}},
        law: law.map((x) => [x.gain, x.p]), told: m.told(a), python: m.pythonOf(a)};
})"""
COLUMNS = """data.map(([values, labels]) => {
    const data = values.map((x, i) => `${x};${labels[i]}`).join("\\n");
    const a = m.answered({kind: "columns", as: "order", names: false, data});
    return {cut: a.cut, score: a.score, p: {...a.p, scores: 0}, above: a.tail(a.score * (1 - 1e-7)),
        single: a.single.p.value, how: a.single.p.method, own: a.own, told: m.told(a), python: m.pythonOf(a)};
})"""


def tables(rng: random.Random, count: int) -> Iterator[Table]:
    """Tables of many shapes and sizes, with at least two observations."""
    while count:
        r, k = rng.choice([(1, 2), *[(2, 2)] * 4, (2, 3), (3, 2), (3, 3), (4, 2), (2, 5), (4, 4), (6, 3)])
        most = int(10 ** rng.uniform(0.3, rng.choice([1.3, 2, 3, 5])))
        table = [[rng.choice((0, 1, 1, 1)) * rng.randint(0, most) for _ in range(k)] for _ in range(r)]
        if sum(map(sum, table)) > 1:
            count -= 1
            yield table


def columns(rng: random.Random, count: int) -> Iterator[tuple[list[float], list[str]]]:
    """Numbers, tied or not, and labels that they say little or much of."""
    while count:
        n, k = rng.choice([3, 4, 6, 12, 20, 40, 90, 161, 300]), rng.choice([2, 2, 2, 3])
        most, told = rng.choice([2, 3, 5, 20, 1000]), rng.choice([0, 0, 0.2, 0.6, 1])
        values = [rng.randint(0, most) / 4 for _ in range(n)]
        at = sorted(values)
        labels = ["abc"[k * at.index(x) // n] if rng.random() < told else rng.choice("abc"[:k]) for x in values]
        if len(set(values)) > 1 < len(set(labels)):
            count -= 1
            yield values, labels


def run(lines: str) -> dict[str, Any]:
    """What lines of Python define and print."""
    found: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()) as printed:
        exec(lines, found)
    return {**found, "printed": printed.getvalue()}


def check_table(table: Table, found: dict[str, Any]) -> None:
    law = gini_null([sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)], exact=True)
    assert (Fraction(found["mean"]), Fraction(found["variance"])) == (law.mean, law.variance), table
    assert found["sgini"] == pytest.approx(sgini(table), rel=1e-12, abs=0), table
    p, in_python = found["p"], run(found["python"])
    assert in_python["law"] == law and f"{law.mean} {law.variance}" in in_python["printed"]
    want = in_python["p"]
    method = "exact" if p["method"] == "constant" else p["method"]
    assert want.method == method and want == gini_pvalue(table, method=method)
    if p.get("fraction") and want.value > 1e-300:
        assert float(Fraction(p["fraction"])) == pytest.approx(want.value, rel=1e-14, abs=0)
    if want.value > 1e-300:
        assert p["value"] == pytest.approx(want.value, rel=1e-9, abs=0), table
    else:
        assert want.log_value is None or p["log"] == pytest.approx(want.log_value, rel=1e-9), table
    if found["law"] and p.get("fraction") and p["method"] == "exact":  # not summed in doubles, value by value
        law_of_gain = null_distribution(table, method="exact")
        kept = [pair for pair in found["law"] if pair[1] > 1e-9]
        likely = law_of_gain.probability > 1e-9
        assert [g for g, _ in kept] == pytest.approx(law_of_gain.gain[likely].tolist(), rel=1e-12, abs=1e-15)
        assert [q for _, q in kept] == pytest.approx(law_of_gain.probability[likely].tolist(), rel=1e-9)


def check_column(values: list[float], labels: list[str], found: dict[str, Any]) -> None:
    p, in_python = found["p"], run(found["python"])["best"]
    assert in_python.cut == found["cut"] and in_python.score == pytest.approx(found["score"], rel=1e-9, abs=1e-12)
    low = [label for x, label in zip(values, labels, strict=True) if x < sorted(values)[found["cut"]]]
    both = [sorted(counts.count(name) for name in set(labels)) for counts in (low, labels)]
    assert [sorted(found["own"][0]), sorted(map(sum, zip(*found["own"], strict=True)))] == both
    how = {"constant": "exact"}.get(found["how"], found["how"])
    assert found["single"] == pytest.approx(float(gini_pvalue(found["own"], method=how)), rel=1e-9)
    if p["method"] == "draws":
        assert abs(p["value"] - in_python.value) <= 5 * math.hypot(p["error"], in_python.standard_error)
        return
    assert in_python.value == (Fraction(p["fraction"]) if p.get("fraction") else pytest.approx(p["value"], rel=1e-9))
    assert float(selected_pvalue(values, labels)) == pytest.approx(p["value"], rel=1e-9)
    if found["score"] > 0:
        assert found["above"] == pytest.approx(p["value"], rel=1e-9)  # by doubles, at a bar just below


@pytest.mark.parametrize("count", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_tables_have_the_numbers_of_the_library(count: int) -> None:
    data = list(tables(random.Random(1), count))
    found = in_node(TABLES, data)
    assert {one["p"]["method"] for one in found} == {"exact", "pearson3", "constant"}
    for table, one in zip(data, found, strict=True):
        check_table(table, one)


def test_draws_that_reach_nothing_are_one_of_all() -> None:
    """The observed order is one of those that are equally likely."""
    (found,) = in_node(COLUMNS, [(list(range(60)), ["a"] * 20 + ["b"] * 20 + ["c"] * 20)])
    assert found["p"]["value"] == 1 / (1 + found["p"]["samples"]) and found["p"]["samples"] > 5000


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.slow)])
def test_best_cuts_have_the_numbers_of_the_library(count: int) -> None:
    data = list(columns(random.Random(2), count))
    found = in_node(COLUMNS, data)
    assert {one["p"]["method"] for one in found} == {"lattice", "draws"}
    for (values, labels), one in zip(data, found, strict=True):
        check_column(values, labels, one)


def test_random_tables_keep_their_margins_and_have_the_law() -> None:
    drawn = "Array.from({length: 4000}, ((r) => () => m.randomTable([5, 4, 3], [6, 6], r))(m.generator(7)))"
    found = in_node(drawn, 0, "laws.js")
    assert all([sum(row) for row in t] == [5, 4, 3] and [sum(c) for c in zip(*t, strict=True)] == [6, 6] for t in found)
    first = [t[0][0] for t in found]
    chances = [math.comb(5, x) * math.comb(7, 6 - x) / math.comb(12, 6) for x in range(6)]
    for x, chance in enumerate(chances):
        assert abs(first.count(x) - 4000 * chance) < 5 * math.sqrt(4000 * chance * (1 - chance)) + 1
    assert found == in_node(drawn, 0, "laws.js")


def test_a_table_that_is_drawn_says_so() -> None:
    """More rows than the third moment is computed for."""
    table = [[i % 7 + 8, (3 * i) % 5 + 20 - i // 3] for i in range(30)]
    (found,) = in_node(TABLES, [table])
    assert found["p"]["method"] == "draws" and found["p"]["error"] > 0
    assert "random orders of the labels, standard error" in found["told"]["numbers"][-1][1]
    want = run(found["python"])["p"]
    assert abs(found["p"]["value"] - want.value) < 5 * math.hypot(found["p"]["error"], want.standard_error)


def test_the_approximation_is_that_of_the_library() -> None:
    skews = [-2.0, -0.1, -1e-4, -1e-7, 0.0, 1e-6, 2e-5, 0.003, 0.5, 3.0]
    asked = [(z, skew) for z in (-2.0, -0.3, 0.0, 1.0, 4.0) for skew in skews] + [(30.0, 0.003), (30.0, 0.5)]
    z, skew = np.array(asked).T
    found = in_node("data.map((x) => Math.exp(m.pearson3(...x)))", asked, "laws.js")
    assert found == pytest.approx(pearson3_tails(z, skew, special(z)).tolist(), rel=1e-9, abs=1e-300)


# What is typed.

MANY_KINDS = "\n".join(f"a,{i}" for i in range(40))
BAD: list[tuple[dict[str, Any], str]] = [
    ({"counts": [["1.5", "2"], ["3", "4"]]}, "A count is a whole number, 0 or more; got “1.5” in row “a”, class “x”;"),
    ({"counts": [["2147483647", "2"], ["3", "4"]]}, "A table holds up to 2147483647 observations; got 2147483656;"),
    ({"counts": [["", ""], ["", ""]]}, "A gain needs two observations or more; got 0; type counts"),
    ({"data": "1\n2"}, "A line holds a value and a class; got “1” in line 1; write two entries, with a comma,"),
    ({"data": "low,a\nhigh,b\nhigh,a"}, "The best cut is that of a column of numbers; got “low”; choose “groups”,"),
    ({"data": "1,a\n2,a"}, "A cut needs two values and two classes; got the class “a” alone; paste"),
    ({"data": MANY_KINDS}, "The second column is the class, of up to 30 kinds; got 40; put"),
]


def asked(part: dict[str, Any]) -> dict[str, Any]:
    if "data" in part:
        return {"kind": "columns", "as": "order", "names": False, **part}
    return {"kind": "table", "rows": ["a", "b"], "classes": ["x", "y"], **part}


def test_bad_input_is_one_sentence_with_rule_value_and_remedy() -> None:
    tried = "data.map((x) => { try { m.answered(x); } catch (e) { return [e.constructor.name, e.message]; } })"
    found = in_node(tried, [asked(part) for part, _ in BAD])
    for (kind, said), (_, want) in zip(found, BAD, strict=True):
        assert kind == "Complaint" and want in said and said.endswith(".") and said.count("; ") == 2


def test_columns_are_read_as_spreadsheets_copy_them() -> None:
    texts = [
        "1\tno\n2\tyes\n3\tno", "1;no\n2;yes\n3;no", "1, no\n2, yes\n3, no\n", "1 no\r\n2 yes\r\n\r\n3 no",
        '"1","no"\n"2","yes"\n"3","no"', "1,0;no\n2,0;yes\n3,0;no", "x,y\n1,no\n2,yes\n3,no",
    ]  # fmt: skip
    read = "data.map((x) => { const {numbers, labels, head} = m.columnsOf(x); return {numbers, labels, head}; })"
    plain = {"numbers": [1, 2, 3], "labels": ["no", "yes", "no"], "head": ["value", "class"]}
    assert in_node(read, [asked({"data": text}) for text in texts]) == [plain] * 6 + [plain | {"head": ["x", "y"]}]


def test_groups_are_a_table() -> None:
    rows = "b,no\na,yes\na,no\nb,no\na,yes"
    read = "(({rows, classes, counts}) => ({rows, classes, counts}))(m.answered(data))"
    table = {"rows": ["a", "b"], "classes": ["no", "yes"], "counts": [[1, 2], [2, 0]]}
    assert in_node(read, {**asked({"data": rows}), "as": "groups"}) == table


@pytest.mark.parametrize(
    "state",
    [
        asked({"counts": [["1", ""], ["3", "1.5"]]}) | {"rows": ["a, b;c=d&e", "ü×"], "classes": ["%", "#"]},
        asked({"data": "1,a\n2,b\n\n# %,ü"}) | {"as": "groups", "names": True},
    ],
)  # fmt: skip
def test_the_address_holds_what_was_typed(state: dict[str, Any]) -> None:
    hashed, found = in_node("[m.hashOf(data), m.askedOf(m.hashOf(data))]", state)
    assert found == state and re.fullmatch(r"#[\w=&;,%.!~*'()-]*", hashed)


def test_numbers_are_written_out() -> None:
    asked = "[[0.00123456], [0, -1381.57], [3e-7], [0.033333], [-2.5], [0], [123456789]].map((x) => m.shown(...x))"
    written = ["0.001235", "9.812 × 10^−601", "3.000 × 10^−7", "0.03333", "−2.5", "0", "1.235 × 10^8"]
    assert in_node(asked, 0) == written


FOREIGN = re.compile(
    r"https?:|//\w+\.\w|\bfetch\b|XMLHttpRequest|Socket|EventSource|Beacon|import\(|@import|url\(", re.I
)


def test_the_scripts_name_no_other_host_and_ask_for_nothing() -> None:
    assert FOREIGN.search('fetch("a")') and FOREIGN.search('"//cdn.example/a.js"')
    for path in [*SCRIPTS, STATIC / "calculator.css", DOCS / "_ext" / "calculator.html"]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")  # a name, no address
        assert not FOREIGN.search(text), path.name
