"""The C header compiled and called from Python, and tables to hold it against Fractions with.

Main definitions: ``Library``, ``built``, ``corrupted``; ``drawn`` (tables of many scales); ``moments_of`` (of the gain,
in integers, nothing of the package), ``errors`` (of one table).
"""

from __future__ import annotations

import ctypes
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import isqrt, lcm, perm
from pathlib import Path
from typing import Any

import pytest

from oracles import gain
from splitcrit.export import header

CALLED = """
#include "splitcrit.h"
double mean(const int64_t *a, int64_t r, const int64_t *b, int64_t k) { return splitcrit_mean(a, r, b, k); }
double variance(const int64_t *a, int64_t r, const int64_t *b, int64_t k) { return splitcrit_variance(a, r, b, k); }
double third(const int64_t *a, int64_t r, const int64_t *b, int64_t k) { return splitcrit_third_moment(a, r, b, k); }
double sgini(const int64_t *t, int64_t r, int64_t k, int64_t *w) { return splitcrit_sgini(t, r, k, w); }
int64_t scan(const int64_t *t, int64_t r, int64_t k, double *s, int64_t *w) { return splitcrit_scan(t, r, k, s, w); }
double excess(const int64_t *a, int64_t r, const double *x)
{ return splitcrit_closed_excess_gain(a, r, x[0], x[1], x[2], x[3], x[4], x[5]); }
double pvalue(const int64_t *t, int64_t log_p) { return splitcrit_gini_pvalue(t, log_p); }
int64_t best(const int64_t *t, int64_t r, int64_t least, int64_t statistic, int64_t *w)
{ return splitcrit_best_cut(t, r, least, statistic, w); }
double selected(const int64_t *t, int64_t r, int64_t least, int64_t statistic, int64_t log_p, double *q, int64_t *w)
{ return splitcrit_selected_pvalue(t, r, least, statistic, log_p, q, w); }
int64_t entropy(const int64_t *b, int64_t k, int64_t m, double *g) { return splitcrit_entropy_cells(b, k, m, g); }
double cell_mean(const double *g, const int64_t *b, int64_t k, int64_t m) { return splitcrit_cell_mean(g, b, k, m); }
double cell_variance(const double *g, const int64_t *b, int64_t k, int64_t m)
{ return splitcrit_cell_variance(g, b, k, m); }
"""
STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O2")
COMPILER = shutil.which("cc") or shutil.which("gcc")
Table = list[list[int]]


def integers(values: list[int]) -> Any:
    return (ctypes.c_int64 * max(len(values), 1))(*values)


@dataclass(frozen=True)
class Library:
    """What the header offers, called with lists."""

    loaded: Any

    def of_margins(self, name: str, rows: list[int], columns: list[int]) -> float:
        r, k = ctypes.c_int64(len(rows)), ctypes.c_int64(len(columns))
        return float(getattr(self.loaded, name)(integers(rows), r, integers(columns), k))

    def sgini(self, table: Table) -> float:
        r, k = len(table), len(table[0])
        flat = integers([x for row in table for x in row])
        return float(self.loaded.sgini(flat, ctypes.c_int64(r), ctypes.c_int64(k), integers([7] * (r + k))))

    def scan(self, table: Table) -> list[float] | None:
        r, k = len(table), len(table[0])
        scores = (ctypes.c_double * max(r - 1, 1))()
        flat, room = integers([x for row in table for x in row]), integers([7] * (r + 2 * k))
        status = self.loaded.scan(flat, ctypes.c_int64(r), ctypes.c_int64(k), scores, room)
        return None if status else list(scores)[: r - 1]

    def excess_gain(self, sizes: list[int], *sums: float) -> float:
        r, given = ctypes.c_int64(len(sizes)), (ctypes.c_double * len(sums))(*sums)
        return float(self.loaded.excess(integers(sizes), r, given))

    def pvalue(self, table: Table, log_p: bool = False) -> float:
        """That of a table of two rows and two classes."""
        return float(self.loaded.pvalue(integers([x for row in table for x in row]), ctypes.c_int64(log_p)))

    def selected(
        self, table: Table, min_leaf: int = 1, statistic: int = 0, log_p: bool = False, r: int | None = None
    ) -> tuple[float, int]:
        """The p-value of the best cut of two classes, and how many rows are to its left."""
        flat = integers([x for row in table for x in row])
        given = [ctypes.c_int64(x) for x in (len(table) if r is None else r, min_leaf, statistic)]
        rarer = max(min(map(sum, zip(*table, strict=True))), 0) if max(map(max, table)) < 2**31 else 0
        chances, room = (ctypes.c_double * (rarer + 3))(*[7.0] * (rarer + 3)), integers([7] * 2)
        best = int(self.loaded.best(flat, *given, room))
        return float(self.loaded.selected(flat, *given, ctypes.c_int64(log_p), chances, room)), best

    def entropy_cells(self, columns: list[int], m: int) -> list[float] | None:
        length = sum(columns) + len(columns)
        values = (ctypes.c_double * max(length, 1))()
        status = self.loaded.entropy(integers(columns), ctypes.c_int64(len(columns)), ctypes.c_int64(m), values)
        return None if status else list(values)[:length]

    def of_cells(self, name: str, values: list[float], columns: list[int], m: int) -> float:
        """Mean or variance of a sum over the classes of two rows."""
        given = integers(columns), ctypes.c_int64(len(columns)), ctypes.c_int64(m)
        function = getattr(self.loaded, f"cell_{name}")
        return float(function((ctypes.c_double * max(len(values), 1))(*values), *given))


def built(folder: Path, text: str | None = None, flags: tuple[str, ...] = STRICT) -> Library:
    """The library of a header, that of the package by default."""
    if COMPILER is None:
        pytest.skip("no C compiler is installed")
    (folder / "splitcrit.h").write_text(header() if text is None else text)
    source, made = folder / "called.c", folder / "called.so"
    source.write_text(CALLED)
    subprocess.run([COMPILER, *flags, "-shared", "-fPIC", "-o", made, source, "-lm"], check=True)
    loaded = ctypes.CDLL(str(made))
    for kind, name in re.findall(r"^(double|int64_t) (\w+)\(", CALLED, re.MULTILINE):
        getattr(loaded, name).restype = ctypes.c_double if kind == "double" else ctypes.c_int64
    return Library(loaded)


def corrupted(folder: Path, right: str, wrong: str) -> Library:
    """The library of a header in which something else stands in the place of a snippet."""
    text = header()
    assert right in text
    return built(folder, text.replace(right, wrong), ("-std=c99", "-O0"))


def drawn(rng: random.Random) -> Iterator[Table]:
    """Tables of up to eight rows and classes, of a few observations to 10^9; ties, empty and rare rows and classes."""
    while True:
        r, k, cells = rng.randint(2, 8), rng.randint(2, 8), 0
        most = int(10 ** rng.uniform(0, 9))
        shape = rng.choice(("even", "rare", "diagonal", "one"))
        weights = [[weight(shape, i, j, rng) for j in range(k)] for i in range(r)]
        cells = sum(map(sum, weights)) or 1.0
        table = [[int(most * x / cells) for x in row] for row in weights]
        table[rng.randrange(r)][rng.randrange(k)] += rng.randint(0, 2)
        yield table


def weight(shape: str, i: int, j: int, rng: random.Random) -> float:
    if shape == "even":
        return rng.choice((0.5, 1.0, rng.random()))
    if shape == "rare":
        return float(rng.choice((0.0, 1e-6, 1.0)) * rng.random())
    if shape == "diagonal":
        return 1.0 if i == j else 1e-3 * rng.random()
    return 1.0 if i == j == 0 else rng.choice((0.0, 1e-8))


Shape = tuple[tuple[int, int], ...]  # of a graph: observations and pairs of each connected part


@cache
def shapes(pairs: int) -> Counter[Shape]:
    """How often several ordered pairs of two different observations have each shape."""
    found: Counter[Shape] = Counter()
    for ends in product(range(2 * pairs), repeat=2 * pairs):
        edges = [ends[2 * i : 2 * i + 2] for i in range(pairs)]
        if list(dict.fromkeys(ends)) != list(range(max(ends) + 1)) or any(u == v for u, v in edges):
            continue  # observations are numbered as they first occur
        parts: list[set[int]] = []
        for edge in edges:
            joined = set(edge).union(*(part for part in parts if part & set(edge)))
            parts = [part for part in parts if not part & joined] + [joined]
        found[tuple(sorted((len(part), sum(edge[0] in part for edge in edges)) for part in parts))] += 1
    return found


def placed(shape: Shape, totals: list[int], weights: list[int]) -> int:
    """The sum, over different observations in that shape, of the weights of its pairs; a part lies in one row."""
    if len(shape) == 1:
        ((vertices, edges),) = shape
        return sum(perm(total, vertices) * weight**edges for total, weight in zip(totals, weights, strict=True))
    whole = 2 ** len(shape) - 1
    sums = [1] + [0] * whole  # over rows so far, by the parts that lie in them
    for total, weight in zip(totals, weights, strict=True):
        before = sums[:]
        for inside in range(1, whole + 1):
            vertices, edges = map(sum, zip(*(part for i, part in enumerate(shape) if inside >> i & 1), strict=True))
            here = perm(total, vertices) * weight**edges
            for others in range(whole + 1):
                if not others & inside:
                    sums[others | inside] += before[others] * here
    return sums[whole]


def moments_of(rows: list[int], columns: list[int]) -> tuple[Fraction, Fraction, Fraction]:
    """Mean, variance and third central moment of the Gini gain over all permutations of the labels, in integers.

    Over ordered pairs u, v of one row and one class ``sum 1/a = sum_ij x_ij (x_ij - 1) / a_i``, which is n times the
    gain but for a constant. Its powers are sums over several pairs, whose expectation their shape decides.
    """
    a, b = [x for x in rows if x], [x for x in columns if x]
    n, d = sum(a), lcm(*a)
    if n < 2:
        return Fraction(0), Fraction(0), Fraction(0)
    weights, raw = [d // x for x in a], [Fraction(1)]
    for order in (1, 2, 3):
        raw.append(Fraction(0))
        for shape, ways in shapes(order).items():
            vertices = sum(v for v, _ in shape)
            if vertices <= n:
                both = placed(shape, a, weights) * placed(shape, b, [1] * len(b))
                raw[order] += Fraction(ways * both, perm(n, vertices) * d**order)
    _, first, second, third = raw
    mean = (first + len(a)) / n - Fraction(sum(x * x for x in b), n * n)
    return mean, (second - first**2) / n**2, (third - 3 * first * second + 2 * first**3) / n**3


def rounded_root(square: Fraction) -> Fraction:
    """The root of a fraction to 40 digits and more."""
    shift = 2**300
    return Fraction(isqrt(square.numerator * shift * shift // square.denominator), shift)


def errors(library: Library, table: Table) -> dict[str, float]:
    """How far the library is from the exact results of a table, relative to them."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    mean, variance, third = moments_of(rows, columns)
    spread = rounded_root(variance)
    wanted = {"mean": mean, "variance": variance, "third": third}
    unit = {"mean": mean, "variance": variance, "third": max(abs(third), variance * spread)}
    found = {name: Fraction(library.of_margins(name, rows, columns)) for name in wanted}
    found["score"], wanted["score"] = Fraction(library.sgini(table)), Fraction(0)
    if variance:
        wanted["score"] = (gain(table) - mean) / spread
    unit["score"] = abs(wanted["score"])
    return {name: relative(found[name] - x, unit[name]) for name, x in wanted.items()}


def relative(error: Fraction, unit: Fraction) -> float:
    return float(abs(error) / unit) if unit else (0.0 if not error else float("inf"))
