"""A p-value depends on the data alone: rankings and tests print the same, whatever else is installed."""

import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from splitcrit import rank_features
from splitcrit.inference import split_test

CODE = """
import sys
sys.path.insert(0, sys.argv[1])
sys.modules |= dict.fromkeys(sys.argv[3:])
from test_one_p import said
print(said(map(int, sys.argv[2].split(","))))
"""
EXTRAS = ("numba", "polars", "pyarrow", "matplotlib", "pandas", "sympy", "mpmath", "flint")
SIZES = (20, 35, 60, 100, 250, 700, 2000, 6000, 20_000, 60_000, 200_000, 300_000)


def made(case: int) -> tuple[dict[str, Any], Any]:
    """Columns of noise and of signals, with ties and missing values, and a label; a class of 2 % in every third set."""
    rng = np.random.default_rng(case)
    n = rows(case) + case
    y = (rng.random(n) < (0.02 if case % 3 == 2 else rng.uniform(0.2, 0.8))).astype(int)
    y[:3] = 0, 1, 0
    noise, signal = rng.normal(size=n), rng.normal(size=n) + y * rng.uniform(1, 6) / n**0.5
    few = rng.integers(0, int(rng.integers(3, 40)), n)
    gaps = np.where(rng.random(n) < min(0.2, 20 / n) * (1 + y), np.nan, rng.normal(size=n))
    columns = {"noise": noise, "signal": signal, "few": few, "gaps": gaps, "steps": np.round(signal, 1)}
    return (columns if n < 10**5 else {name: columns[name] for name in ("noise", "signal", "few")}), y


def rows(case: int) -> int:
    """How many rows a data set has, but for a few."""
    return SIZES[case * 5 % len(SIZES)]


def said(cases: Iterable[int]) -> str:
    """What rankings and tests print, all digits as well."""
    printed: list[Any] = [rank_features(*made(case), exact=exact) for case in cases for exact in (False, True)]
    rng = np.random.default_rng(0)
    x, y = rng.integers(-4, 9, (60, 3)).astype(float), rng.integers(0, 2, 60)
    x[:, 0] += 3 * y
    printed += [split_test(x, y), rank_features(x, y), split_test(x, x[:, 0] + y, random_state=0)]
    return "\n".join(map(str, printed))


FEW = [*[case for case in range(40) if rows(case) <= 20_000][:2], 9]  # and one of 60,000 rows


@pytest.mark.parametrize(
    "cases", [FEW, pytest.param([case for case in range(40) if case not in FEW], marks=pytest.mark.slow)],
    ids=["few", "others"],
)  # fmt: skip
def test_rankings_and_tests_print_the_same_with_other_packages_and_without(cases: list[int]) -> None:
    words = [sys.executable, "-W", "ignore", "-c", CODE, __file__.rpartition("/")[0], ",".join(map(str, cases))]
    few = subprocess.run([*words, *EXTRAS], capture_output=True, text=True, check=True).stdout
    assert said(cases) + "\n" == few and few.count("target: the label") == 2 * len(cases) + 1 and "p = " in few
