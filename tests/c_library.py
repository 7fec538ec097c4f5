"""The C header compiled and called from Python, and tables to hold it against Fractions with.

Main definitions: ``Library``, ``built``; ``drawn`` (tables of many scales), ``errors`` (of one table).
"""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import Any

from splitcrit.export import header
from splitcrit.nulls.null import gini_null

CALLED = """
#include "splitcrit.h"
double mean(const int64_t *a, int64_t r, const int64_t *b, int64_t k) { return splitcrit_mean(a, r, b, k); }
double variance(const int64_t *a, int64_t r, const int64_t *b, int64_t k) { return splitcrit_variance(a, r, b, k); }
double third(const int64_t *a, int64_t r, const int64_t *b, int64_t k) { return splitcrit_third_moment(a, r, b, k); }
double sgini(const int64_t *t, int64_t r, int64_t k, int64_t *w) { return splitcrit_sgini(t, r, k, w); }
int64_t scan(const int64_t *t, int64_t r, int64_t k, double *s, int64_t *w) { return splitcrit_scan(t, r, k, s, w); }
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
        function = getattr(self.loaded, name)
        function.restype = ctypes.c_double
        r, k = ctypes.c_int64(len(rows)), ctypes.c_int64(len(columns))
        return float(function(integers(rows), r, integers(columns), k))

    def sgini(self, table: Table) -> float:
        r, k = len(table), len(table[0])
        self.loaded.sgini.restype = ctypes.c_double
        flat = integers([x for row in table for x in row])
        return float(self.loaded.sgini(flat, ctypes.c_int64(r), ctypes.c_int64(k), integers([7] * (r + k))))

    def scan(self, table: Table) -> list[float] | None:
        r, k = len(table), len(table[0])
        scores, self.loaded.scan.restype = (ctypes.c_double * max(r - 1, 1))(), ctypes.c_int64
        flat, room = integers([x for row in table for x in row]), integers([7] * (r + 2 * k))
        status = self.loaded.scan(flat, ctypes.c_int64(r), ctypes.c_int64(k), scores, room)
        return None if status else list(scores)[: r - 1]


def built(folder: Path, text: str | None = None, flags: tuple[str, ...] = STRICT) -> Library:
    """The library of a header, that of the package by default."""
    (folder / "splitcrit.h").write_text(header() if text is None else text)
    source, made = folder / "called.c", folder / "called.so"
    source.write_text(CALLED)
    assert COMPILER is not None
    subprocess.run([COMPILER, *flags, "-shared", "-fPIC", "-o", made, source, "-lm"], check=True)
    return Library(ctypes.CDLL(str(made)))


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


def gain_of(table: Table) -> Fraction:
    """The Gini gain from its definition."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    n = sum(rows)
    within = sum(Fraction(sum(x * x for x in row), a) for row, a in zip(table, rows, strict=True) if a)
    return within / n - Fraction(sum(b * b for b in columns), n * n) if n else Fraction(0)


def rounded_root(square: Fraction) -> Fraction:
    """The root of a fraction to 40 digits and more."""
    shift = 2**300
    return Fraction(isqrt(square.numerator * shift * shift // square.denominator), shift)


def errors(library: Library, table: Table, law: Any = None) -> dict[str, float]:
    """How far the library is from the exact results of a table, relative to them."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    exact = law or gini_null(rows, columns, order=3, exact=True)
    spread = rounded_root(exact.variance)
    wanted = {"mean": exact.mean, "variance": exact.variance, "third": exact.third}
    unit = {"mean": exact.mean, "variance": exact.variance, "third": max(abs(exact.third), exact.variance * spread)}
    found = {name: Fraction(library.of_margins(name, rows, columns)) for name in wanted}
    found["score"], wanted["score"] = Fraction(library.sgini(table)), Fraction(0)
    if exact.variance:
        wanted["score"] = (gain_of(table) - exact.mean) / spread
    unit["score"] = abs(wanted["score"])
    return {name: relative(found[name] - x, unit[name]) for name, x in wanted.items()}


def relative(error: Fraction, unit: Fraction) -> float:
    return float(abs(error) / unit) if unit else (0.0 if not error else float("inf"))
