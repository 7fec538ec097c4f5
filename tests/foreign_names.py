"""Names that the library did not choose, and what of them a terminal or a browser obeys."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import splitcrit as sc

ROWS = 120
NAMES = [
    "\x1b]0;owned\x07\x1b[2J\x9b31m\x00two\nlines\r\u2028\u202egnp.exe", "cost_{$", "a$^$ $x b$", r"\$5 $\frac{$",
    "{name} {0} %s", "</td><script>alert(1)</script>&lt;b&gt;", "x" * 9_990, "$" * 99,
]  # fmt: skip
LINE = 2500  # characters of ours: some names, each cut


def bad(text: str, most: float = LINE) -> list[str]:
    """What a text hands on: characters that do not print, and lines without end."""
    found = [repr(c) for c in dict.fromkeys(text) if not (c.isprintable() or c == "\n")]
    return found + [f"{len(line)} characters" for line in text.split("\n") if len(line) > most]


@cache
def rows(name: str) -> tuple[Any, Any, Any]:
    """Columns of numbers, of which one has the name, and classes named for it, some of them noise; then categories
    beside the numbers."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, 4))
    codes = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0.5) * (rng.random(ROWS) < 0.8)
    numbers, classes = pd.DataFrame(x, columns=[name, "b", "c", "d"]), np.array([f"{name}{k}" for k in range(3)])[codes]
    return numbers, classes, numbers.assign(**{f"{name}c": np.roll(classes, 1)})


def halves(name: str) -> tuple[Any, Any, Any]:
    """A tree, and rows that it has not seen."""
    x, y, _ = rows(name)
    return sc.TreeClassifier(max_depth=3, random_state=0).fit(x[::2], y[::2]), x[1::2], y[1::2]


@cache
def categorical(name: str) -> Any:
    """A tree that divides categories, which are its classes."""
    _, _, mixed = rows(name)
    return sc.TreeClassifier(categorical_features=[4], max_depth=4).fit(mixed, mixed.iloc[:, 4])


def marked(name: str) -> sc.Impurity:
    """Gini's impurity under the name."""
    return sc.Impurity(name, sc.gini.of)
