"""The script is what the header is: the same formulas and loops, in fractions; a wrong one is seen to fail."""

import runpy
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from node import NODE, STATIC, in_node
from pages import DOCS
from splitcrit.export import header, vectors
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


def test_the_module_prints_the_script(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delitem(sys.modules, "splitcrit.export.javascript")
    runpy.run_module("splitcrit.export.javascript", run_name="__main__")
    assert capsys.readouterr().out == script()


def test_node_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("node.NODE", None)
    with pytest.raises(pytest.skip.Exception, match=r"Node\.js is not installed"):
        in_node("1", 0)
    assert NODE is None or Path(NODE).exists()


# The blocks of C, R, Rust and JavaScript on the page give the output shown, each as a reader would run it.

KINDS = ("c", "r", "rust", "javascript")
PAGE = DOCS / "exact-statistics-in-your-code.md"


def shown(kind: str) -> list[tuple[str, str]]:
    """The blocks of a language with the output that stands below each; empty where there is none."""
    found, parts = [], PAGE.read_text(encoding="utf-8").split("```")
    for i in range(1, len(parts), 2):
        name, _, text = parts[i].partition("\n")
        if name == kind:
            output = parts[i + 2] if i + 2 < len(parts) and not parts[i + 1].strip() else ""
            found.append((text, output.removeprefix("text\n")))
    return found


def compiled(folder: Path, command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} is installed")
    subprocess.run(command, cwd=folder, check=True)


def printed(folder: Path) -> str:
    return subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("block", [block for block in shown("c") if block[1]], ids=["pvalues", "moments"])
def test_a_program_in_c_prints_what_is_shown(block: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "splitcrit.h").write_text(header())
    (tmp_path / "program.c").write_text(block[0])
    compiled(tmp_path, ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "program.c", "-o", "program", "-lm"])
    assert printed(tmp_path) == block[1]


def test_a_program_in_rust_prints_what_is_shown(tmp_path: Path) -> None:
    ((linked, _),) = [block for block in shown("c") if not block[1]]
    ((program, output),) = shown("rust")
    for name, text in {"splitcrit.h": header(), "linked.c": linked, "main.rs": program}.items():
        (tmp_path / name).write_text(text)
    compiled(tmp_path, ["cc", "-O2", "-c", "linked.c"])
    links = ["-C", "link-arg=linked.o", "-C", "link-arg=-lm"]
    compiled(tmp_path, ["rustc", "-O", "-D", "warnings", "main.rs", "-o", "program", *links])
    assert printed(tmp_path) == output


def test_the_lines_of_javascript_print_what_is_shown(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("no node is installed")
    ((code, output),) = shown("javascript")
    (tmp_path / "exact.js").write_text(script())
    (tmp_path / "shown.js").write_text(code)
    done = subprocess.run(["node", "shown.js"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == output


def test_every_block_of_these_languages_is_run() -> None:
    assert [len(shown(kind)) for kind in KINDS] == [3, 1, 1, 1]
    assert sum(bool(output) for kind in KINDS for _, output in shown(kind)) == 5
