"""Frozen answers on disk, and how answers of today are compared with them.

Answers are frozen once, by the commit and the versions in ``made.json``: a merge that changes some names them in
``differences.toml``. The script that froze them stands in the commit that last changed ``laws.npy.gz``.

Main definitions: ``laws``, ``columns``, ``trees``; ``compared``; ``Difference``; ``known``, ``unknown``.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import tomllib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).parent
COLUMN_FIELDS = (
    "kind", "p", "log_p", "score", "base kind", "base p", "base log_p", "base score",
    "split_test", "selected_score", "rank_features", "rank_features of subsets",
)  # fmt: skip
PVALUES = tuple(field for field in COLUMN_FIELDS if field.split()[-1] not in ("kind", "log_p", "score"))
RELATIVE = 1e-6  # laws are stored as float32
ROUNDING = 1e-9  # of p-values of columns, which are stored in full


class Difference(NamedTuple):
    """One answer that is not the frozen one."""

    name: str
    frozen: Any
    now: Any

    @property
    def size(self) -> float:
        """The relative difference of numbers; infinite of others."""
        try:
            a, b = float(self.frozen), float(self.now)
        except ValueError:
            return math.inf
        return abs(a - b) / max(abs(a), abs(b)) if math.isfinite(a) and math.isfinite(b) else math.inf


def known() -> list[dict[str, Any]]:
    """The differences from the frozen answers: what each is, the patterns of where, and why."""
    found = tomllib.loads((HERE / "differences.toml").read_text(encoding="utf-8"))
    return list(found.get("difference", []))


def explains(entry: dict[str, Any], difference: Difference) -> bool:
    """Whether an entry of the table is about a difference, and allows its size."""
    named = any(fnmatchcase(difference.name, pattern) for pattern in entry["where"])
    return named and difference.size <= entry.get("within", math.inf)


def unknown(differences: Iterable[Difference], entries: Sequence[dict[str, Any]] | None = None) -> list[Difference]:
    """The differences that no entry of the table explains."""
    entries = known() if entries is None else entries
    return [each for each in differences if not any(explains(entry, each) for entry in entries)]


def compared(
    name: str, fields: Sequence[str], frozen: Sequence[Any], now: Sequence[Any], relative: float
) -> list[Difference]:
    """The fields of one name that differ: texts at all, numbers by more than a relative difference; nan is nan."""
    return [
        Difference(f"{name}: {field}", a, b)
        for field, a, b in zip(fields, frozen, now, strict=True)
        if not same(a, b, relative, 1e-300 if field in PVALUES else 1e-12)
    ]


def same(a: Any, b: Any, relative: float, least: float = 1e-12) -> bool:
    """Whether two answers are equal; numbers up to the least one are."""
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    return bool((math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=relative, abs_tol=least))


def read_rows(name: str) -> list[list[str]]:
    """The rows of a compressed file."""
    return list(csv.reader(gzip.decompress((HERE / name).read_bytes()).decode().splitlines()))


def laws() -> Any:
    """The answers of structures ``(number, field)``."""
    return np.load(io.BytesIO(gzip.decompress((HERE / "laws.npy.gz").read_bytes())))


def columns() -> dict[tuple[str, str], list[Any]]:
    """The answers by file and column."""
    return {
        (file, column): [
            text if field.endswith("kind") else float(text) for field, text in zip(COLUMN_FIELDS, texts, strict=True)
        ]
        for file, column, *texts in read_rows("columns.csv.gz")
    }


def trees() -> dict[str, tuple[int, str]]:
    """Number of nodes and digest by fit."""
    return {name: (int(nodes), digest) for name, nodes, digest in read_rows("fits.csv.gz")}
