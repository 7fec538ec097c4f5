"""The script is what the header is: the same formulas and loops, in fractions; a wrong one is seen to fail."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from node import NODE, STATIC, in_node
from splitcrit.export import vectors
from splitcrit.export.javascript import script
from splitcrit.export.printed_formulas import JAVASCRIPT, printed_formula
from splitcrit.nulls import formulas

CASES = [case.as_json() for case in vectors()]
CALLS = """data.map(({table}) => {
    const r = BigInt(table.length), k = BigInt(table[0].length), sum = (x) => x.reduce((a, b) => a + b, 0);
    const big = (x) => BigInt64Array.from(x, BigInt), work = new BigInt64Array(table.length + 2 * table[0].length);
    const rows = big(table.map(sum)), columns = big(table[0].map((_, j) => sum(table.map((row) => row[j]))));
    const n = m.agreed(rows, r, columns, k), scores = new Float64Array(table.length - 1);
    const status = m.scan(big(table.flat()), r, k, scores, work);
    return {mean: m.mean_of(rows, r, columns, k, n), variance: m.variance_of(rows, r, columns, k, n),
        third_moment: m.third_of(rows, r, columns, k, n), sgini: m.sgini(big(table.flat()), r, k, work),
        doubles: [m.mean, m.variance, m.third_moment].map((f) => f(rows, r, columns, k)),
        scan: Array.from(scores), status};
})"""


def wrong_results(found: list[dict[str, object]]) -> int:
    """How many vectors a script gets wrong."""
    wrong = 0
    for case, got in zip(CASES, found, strict=True):
        exact = [Fraction(case[name]) for name in ("mean", "variance", "third_moment")]
        same = [Fraction(got[name]) for name in ("mean", "variance", "third_moment")] == exact
        same &= got["doubles"] == [float(x) for x in exact]
        same &= got["sgini"] == pytest.approx(case["sgini"], rel=1e-14, abs=0)
        signed = [float(x) * abs(float(x)) for x in got["scan"]]
        wrong += not (same and signed == pytest.approx([float(Fraction(x)) for x in case["scan"]], rel=1e-13, abs=0))
    return wrong


def test_the_script_of_the_pages_is_what_the_library_prints() -> None:
    assert (STATIC / "exact.js").read_text(encoding="utf-8") == script(), "run python -m splitcrit.export.javascript"


def test_the_vectors_hold_for_the_script() -> None:
    assert wrong_results(in_node(CALLS, CASES, "exact.js")) == 0


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("splitcrit_subtract(r, splitcrit_real_of(1n))", "splitcrit_subtract(r, splitcrit_real_of(2n))"),
        ("array.subarray(Number(start))", "array"),
        ("quotient += x.numerator < 0n ? -1n : 1n", "quotient += 0n"),
        ("if (denominator < 0n) a = -a;", ""),
    ],
)
def test_a_wrong_script_is_seen(right: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # what the vectors leave out, and some of them
    probe = "[m.value({numerator: 2n ** 118n + 2n ** 65n + 1n, denominator: 1n}), m.fraction(3n, -6n).denominator, "
    probe += f"{CALLS}]"
    before = in_node(probe, CASES[::20], "exact.js")
    assert right in script()
    (tmp_path / "exact.js").write_text(script().replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr("node.STATIC", tmp_path)
    assert in_node(probe, CASES[::20], "exact.js") != before


def test_doubles_are_the_nearest() -> None:
    asked = ["1/3", "-1/3", "9007199254740993/1", "36893488147419103233/4096", "1/179769313486231570814527423731704",
             str(Fraction(10**400 + 1, 10**390)), str(Fraction(1, 10**300)), "0/1"]  # fmt: skip
    split = "data.map((x) => m.value(m.fraction(...x.split('/').map(BigInt))))"
    assert in_node(split, asked, "exact.js") == [float(Fraction(x)) for x in asked]


def test_what_are_no_counts_gives_nan() -> None:
    call = "data.map((x) => m.sgini(BigInt64Array.from(x, BigInt), 2n, 2n, new BigInt64Array(4)))"
    assert in_node(call, [[1, -1, 1, 1], [2**31 - 1, 0, 0, 1]], "exact.js") == ["NaN", "NaN"]


def test_a_formula_in_javascript_names_no_type() -> None:
    text = printed_formula(formulas.uneven_rows, JAVASCRIPT).text
    assert text.startswith("function splitcrit_formula_uneven_rows(n, r, h) {\n    let v0 = splitcrit_multiply(n, n);")
    several = printed_formula(formulas.row_sums, JAVASCRIPT)
    assert several.results == 6 and "let results = {part: []};" in several.text


def test_the_module_prints_the_script() -> None:
    call = [sys.executable, "-m", "splitcrit.export.javascript"]
    assert subprocess.run(call, capture_output=True, text=True, check=True).stdout == script()


def test_node_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("node.NODE", None)
    with pytest.raises(pytest.skip.Exception, match=r"Node\.js is not installed"):
        in_node("1", 0)
    assert NODE is None or Path(NODE).exists()
