"""The header compiles anywhere and gives the exact results, held against Fractions; a wrong one is seen to fail."""

import math
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from c_library import COMPILER, STRICT, Library, Table, built, corrupted, drawn, errors, moments_of
from oracles import gain, moments, partitions, permutation_law, table_law
from splitcrit.export import compiled, header, overloads, vectors
from splitcrit.export.c_header import OFFERED
from splitcrit.export.moments import LARGEST, real
from splitcrit.export.printed_formulas import printed_formula
from splitcrit.nulls import expected_excess_gain, formulas
from splitcrit.nulls.excess_gain import closed_excess_gain
from splitcrit.nulls.null import gini_null

WITHIN = 1e-12  # what the header promises
# What it keeps: 31 digits rounded once to a double, which is 2^-53; of a score four roundings, one halved by the root.
KEPT = {"mean": 1.12e-16, "variance": 1.12e-16, "third": 1.12e-16, "score": 3.9e-16}
HARDEST: list[Table] = [
    [[999_999_999, 0], [0, 1]],
    [[500_000_000, 0], [0, 500_000_000]],
    [[250_000_000, 250_000_000], [250_000_000, 249_999_999]],
    [[LARGEST - 1, 0], [0, 1]],
    [[LARGEST // 4, LARGEST // 4], [LARGEST // 4, LARGEST // 4]],
    [[1] * 8 for _ in range(8)],
    [[0, 0, 1], [0, 0, 0], [0, 0, 10**9 - 1]],
]


def worst(library: Library, tables: list[Table]) -> dict[str, float]:
    """The largest relative errors over tables."""
    found = [errors(library, table) for table in tables]
    return {name: max(each[name] for each in found) for name in found[0]}


def test_the_header_gives_the_exact_results_at_every_scale(in_c: Library) -> None:
    tables = [*HARDEST, *islice(drawn(random.Random(3)), 250)]
    assert sum(sum(map(sum, table)) > 10**8 for table in tables) > 20
    found = worst(in_c, tables)
    assert all(found[name] < bound < WITHIN for name, bound in KEPT.items()), found


@pytest.mark.slow
def test_the_header_gives_the_exact_results_on_a_hundred_thousand_tables(in_c: Library) -> None:
    found = worst(in_c, list(islice(drawn(random.Random(4)), 100_000)))
    print("largest relative errors:", ", ".join(f"{name} {error:.2e}" for name, error in found.items()))
    assert all(found[name] < bound for name, bound in KEPT.items()), found


def test_the_moments_in_integers_are_those_of_all_permutations_and_of_the_library() -> None:
    small = [(rows, columns) for n in range(1, 6) for rows in partitions(n) for columns in partitions(n)]
    for rows, columns in small:
        assert moments_of([*rows], [*columns]) == moments(permutation_law(rows, columns))
    assert moments_of([9, 0, 5, 2], [8, 8]) == moments(table_law((9, 5, 2), (8, 8)))
    for table in islice(drawn(random.Random(6)), 300):
        rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
        law = gini_null(rows, columns, order=3, exact=True)
        assert moments_of(rows, columns) == (law.mean, law.variance, law.third)


def test_a_gain_that_equals_its_mean_scores_0(in_c: Library) -> None:
    equal = 0
    for a, b, c, d, e, f in product(range(4), repeat=6):
        table = [[a, b], [c, d], [e, f]]
        law = gini_null([a + b, c + d, e + f], [a + c + e, b + d + f], exact=True)
        if law.variance == 0 or gain(table) == law.mean:
            equal += bool(law.variance)
            assert in_c.sgini(table) == 0.0
    assert equal > 50


def test_the_scan_scores_every_threshold(in_c: Library) -> None:
    for table in islice(drawn(random.Random(5)), 120):
        found = in_c.scan(table)
        assert found is not None and len(found) == len(table) - 1
        for i, score in enumerate(found, 1):
            two = [[sum(cells) for cells in zip(*part, strict=True)] for part in (table[:i], table[i:])]
            assert score == pytest.approx(in_c.sgini(two), rel=1e-15, abs=0)


def test_the_vectors_hold_for_the_header(in_c: Library) -> None:
    for case in vectors():
        table = [list(row) for row in case.table]
        assert in_c.sgini(table) == pytest.approx(case.sgini, rel=WITHIN, abs=0)
        squares = [math.copysign(x * x, x) for x in in_c.scan(table) or []]
        assert squares == pytest.approx([float(x) for x in case.scan], rel=WITHIN, abs=0)
        if case.selected_pvalue is not None:
            found = [in_c.selected(table)[0]] + [in_c.pvalue(table)] * (len(table) == 2)
            assert found == pytest.approx([float(case.selected_pvalue)] * len(found), rel=WITHIN, abs=0)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [([1, -1], [0, 0]), ([2, 1], [1, 1]), ([LARGEST, 1], [LARGEST, 1]), ([], [1]), ([1], []), ([2**62, 2**62], [1])],
)
def test_what_are_no_margins_give_nan(rows: list[int], columns: list[int], in_c: Library) -> None:
    assert all(math.isnan(in_c.of_margins(name, rows, columns)) for name in ("mean", "variance", "third"))


@pytest.mark.parametrize("table", [[[1, -1], [1, 1]], [[LARGEST, 0], [0, 1]], [[2**62, 2**62]] * 4, [[]]])
def test_what_is_no_table_gives_nan_and_a_status(table: Table, in_c: Library) -> None:
    assert math.isnan(in_c.sgini(table)) and in_c.scan(table) is None


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("splitcrit_subtract(r, splitcrit_real_of(1))", "splitcrit_subtract(r, splitcrit_real_of(2))"),
        pytest.param(
            "splitcrit_multiply(splitcrit_real_of(48), v27)",
            "splitcrit_multiply(splitcrit_real_of(49), v27)",
            marks=pytest.mark.slow,
        ),
        ("pair.low = (double)(x - (int64_t)pair.high);", "pair.low = 0;"),
        pytest.param("fma(a.high, b.high, -p)", "0", marks=pytest.mark.slow),
        pytest.param("((a.high - (s - t)) + (b.high - t))", "(0 * t)", marks=pytest.mark.slow),
    ],
)
def test_a_wrong_header_is_seen(right: str, wrong: str, tmp_path: Path) -> None:
    found = worst(corrupted(tmp_path, right, wrong), [*HARDEST, *islice(drawn(random.Random(3)), 100)])
    assert not all(found[name] < bound for name, bound in KEPT.items())


@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        ("gcc", ("-std=c17", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-O3")),
        ("g++", ("-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O2", "-x", "c++")),
        ("clang", STRICT),
    ],
)
def test_the_header_compiles_without_a_warning(compiler: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / "splitcrit.h").write_text(header())
    source = tmp_path / "alone.c"
    source.write_text('#include "splitcrit.h"\n#include "splitcrit.h"\nint main(void) { return 0; }\n')
    subprocess.run([compiler, *flags, source, "-o", tmp_path / "alone", "-lm"], check=True)


@pytest.mark.parametrize("flags", [("-std=gnu99", "-O3", "-march=native"), ("-O0",)])
def test_other_flags_keep_the_promise(flags: tuple[str, ...], tmp_path: Path) -> None:
    """Among them that compilers may fuse a product and a sum, as they do unless a standard is named."""
    found = worst(built(tmp_path, flags=flags), [*HARDEST, *islice(drawn(random.Random(8)), 60)])
    assert all(error < WITHIN for error in found.values()), found


def test_the_functions_can_be_linked_from_elsewhere(tmp_path: Path) -> None:
    if COMPILER is None:
        pytest.skip("no C compiler is installed")
    (tmp_path / "splitcrit.h").write_text(header())
    (tmp_path / "linked.c").write_text('#define SPLITCRIT_API\n#include "splitcrit.h"\n')
    called = [f"splitcrit_{name}" for name in OFFERED]
    users = "".join(f"extern int {name}(void);\n" for name in called)
    (tmp_path / "user.c").write_text(users + f"int main(void) {{ return !({' && '.join(called)}); }}\n")
    made = [COMPILER, "-O0", "-o", "program", "linked.c", "user.c", "-lm"]
    subprocess.run(made, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "program"], check=True)


def test_arithmetic_that_is_not_ieee_is_refused(tmp_path: Path) -> None:
    if COMPILER is None:
        pytest.skip("no C compiler is installed")
    (tmp_path / "splitcrit.h").write_text(header())
    source = tmp_path / "fast.c"
    source.write_text('#include "splitcrit.h"\n')
    ran = subprocess.run([COMPILER, "-ffast-math", "-c", source, "-o", tmp_path / "x"], capture_output=True, text=True)
    assert ran.returncode and "compile without -ffast-math" in ran.stderr


def test_the_header_names_what_it_offers_and_allocates_nothing() -> None:
    text = header()
    about = text.partition("*/")[0]
    for name in OFFERED:
        assert re.search(rf"splitcrit_{name}\(const (int64_t|double) \*", about), name
    assert not re.search(r"\b(malloc|calloc|alloca|realloc)\b|^static (?!inline)", text, re.MULTILINE)


# A formula is printed by what it does, and one that does something else is refused.


def test_every_operation_is_a_line() -> None:
    text = printed_formula(formulas.uneven_rows).text.splitlines()
    assert text[1].endswith("splitcrit_multiply(n, n);") and text[-2] == "    return v4;"
    assert len(text) == 8


def test_a_changed_formula_is_printed_as_it_is_now() -> None:
    def mean(n: Any, r: Any, unlike: Any) -> Any:
        return (r - 1) * unlike / (n * n**2)

    assert printed_formula(mean).text != printed_formula(formulas.mean).text


def test_parts_of_a_parameter_are_parameters_and_several_results_are_parts() -> None:
    printed = printed_formula(lambda n, c: (n[0] - n[2], 1 + c))
    head = printed.text.splitlines()[0]
    assert "(splitcrit_real n0, splitcrit_real n1, splitcrit_real n2, splitcrit_real c)" in head
    assert printed.results == 2 and "results.part[1] = v1;" in printed.text
    assert printed_formula(lambda n: n).results == 0


REFUSED: dict[str, Callable[..., Any]] = {
    "root": lambda n: n**0.5,
    "quotient by a power": lambda n: n**-1,
    "fraction": lambda n: 1.5 * n,
    "question": lambda n: n if n else 1,
    "minus": lambda n: -n,
    "floor": lambda n: n // 2,
    "maximum": lambda n: max(n, 2),
    "absolute": lambda n: abs(n),
    "truth": lambda n: True * n,
    "comparison": lambda n: n > 0,
    "text": lambda n: "n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_formula_is_refused(name: str) -> None:
    with pytest.raises(TypeError):
        printed_formula(REFUSED[name])


# The gain by chance of boosting in C: what Python computes, and NaN where that refuses.

SUMS = (12.5, 310.0), (240.0, 70.0, 21.0)


@pytest.mark.parametrize("lam", [0.0, 1.0, 20.0])
def test_the_header_has_the_closed_form(in_c: Library, lam: float) -> None:
    (g, gg), (h, hh, gh) = SUMS
    for sizes in ([500, 500], [40, 30, 0, 200, 730], [25] * 40):
        found = float(expected_excess_gain(sizes, *SUMS, lam, method="closed"))
        assert found > 0 and in_c.excess_gain(sizes, g, gg, h, hh, gh, lam) == pytest.approx(found, rel=1e-12)


NO_NODES = [(sizes, 1.0, 5.0, 9.0, 9.0, 1.0, 0.0) for sizes in ([-1, 9], [], [1, 500], [2**31, 5], [2**62] * 3)]
NO_NODES += [([500, 500], 100.0, 310.0, 240.0, 70.0, 21.0, 50.0)]  # whose own value matters
NO_LOSSES = [([50, 50], 1.0, 5.0, h, 9.0, 1.0, lam) for h, lam in ((0.0, 1.0), (-1.0, 1.0), (50.0, -1.0))]


@pytest.mark.parametrize("sizes, sums", [(sizes, sums) for sizes, *sums in NO_NODES + NO_LOSSES])
def test_sizes_of_no_node_and_sums_of_no_convex_loss_give_nan(in_c: Library, sizes: list[int], sums: Any) -> None:
    assert math.isnan(in_c.excess_gain(sizes, *sums))
    if (sizes, *sums) in NO_NODES:
        assert math.isnan(closed_excess_gain(sizes, len(sizes), *sums))


# What compiled code calls gives the numbers of the header, to the last digit, and what Python calls is checked.


NO_TABLES = [[[1, -1], [2, 2]], [[2**31, 0], [0, 1]]]  # nor margins the second, of which Python refuses both


@numba.njit  # type: ignore[untyped-decorator]
def called(table: Any, rows: Any, columns: Any) -> Any:
    """What a loop of another project would call."""
    margins = compiled.mean(rows, columns), compiled.variance(rows, columns), compiled.third_moment(rows, columns)
    return margins, compiled.sgini(table), compiled.scan(table)


def test_compiled_code_and_python_give_the_numbers_of_the_header(in_c: Library) -> None:
    for i, table in enumerate([*islice(drawn(random.Random(7)), 600), [[0, 0], [0, 0]], *NO_TABLES]):
        counts = np.array(table)
        rows, columns = counts.sum(axis=1), counts.sum(axis=0)
        wanted = [in_c.of_margins(name, rows.tolist(), columns.tolist()) for name in ("mean", "variance", "third")]
        wanted += [in_c.sgini(table), *(in_c.scan(table) or [math.nan] * (len(table) - 1))]
        for loop in (called, called.py_func)[: 1 + (table not in NO_TABLES and i % 60 == 0)]:
            margins, score, scan = loop(counts, rows, columns)
            np.testing.assert_array_equal([*margins, score, *scan], wanted)


@numba.njit  # type: ignore[untyped-decorator]
def scored(table: Any) -> Any:
    return compiled.sgini(table)


def test_counts_of_any_integers_in_any_order_of_memory_are_taken() -> None:
    counts = np.array([[100, 2, 90], [3, 40, 0]])
    wide = np.asfortranarray(np.repeat(counts.astype(np.uint64), 2, axis=1))[:, ::2]
    assert scored(wide) == compiled.sgini(counts) > 5
    wide[0, 0] = 2**64 - 1
    assert math.isnan(scored(wide))


@pytest.mark.parametrize(
    "call",
    [
        lambda: compiled.mean([3, 7], [4, 5]), lambda: compiled.mean([2**31], [2**31]),
        lambda: compiled.sgini([[2**40, 1], [1, 1]]),
    ],
    ids=["sums", "large margin", "large table"],
)  # fmt: skip
def test_python_is_told_in_a_sentence(call: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r".*; got .*; .+"):
        call()


# In compiled code an integer becomes a pair of floats exactly.


@numba.njit  # type: ignore[untyped-decorator]
def parts(x: Any) -> Any:
    number = real(x)
    return number.high, number.low


@pytest.mark.parametrize("x", [0, -1, 2**53 + 1, 2**62 - 1, -(2**61) - 3])
def test_an_integer_is_kept_exactly(x: int) -> None:
    high, low = parts(x)
    assert int(high) + int(low) == x


def test_what_is_not_offered_is_refused() -> None:
    assert overloads.offered(None, axes=2)(len) is len
    for call, number in ((parts, 1.5), (scored, np.ones((2, 2)))):
        with pytest.raises(numba.TypingError):
            call(number)
