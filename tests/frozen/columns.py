"""The columns of the shared data files, as rankings of a whole file and tests of some of its rows see them.

Main definitions: ``FILES`` (37 of them), ``ranked`` (kinds and p-values by file), ``by_rows`` (p of some rows by each
way to ask).
"""

from __future__ import annotations

import csv
import gzip
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from frozen.store import read_rows

FILES = tuple(dict.fromkeys(file for file, *_ in read_rows("columns.csv.gz")))
FAST = ("balance_scale", "breast_cancer_wisconsin", "german_numeric", "glass", "heart_statlog", "mushrooms", "zoo")
ROWS = 400  # of a file that are tested


def path_of(folder: Path, name: str) -> Path:
    """The file of a name."""
    (found,) = folder.glob(f"{name}.csv*")
    return found


def ranked(folder: Path, name: str) -> list[list[Any]]:
    """Name, kind, p, its logarithm, score, method and statistic of every column, in the order of the names."""
    from splitcrit import rank_features

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranking = rank_features(path_of(folder, name), "target")
    told = ((f.kind, f.p, f.log_p, f.score, f.method, f.statistic) for f in ranking.features)
    return sorted([str(f.name).strip(), *each] for f, each in zip(ranking.features, told, strict=True))


def rows_of(folder: Path, name: str) -> tuple[list[str], Any, Any, list[int]]:
    """Names, numbers ``(n, d)`` with categories as codes, labels, and which columns are categories, of some rows."""
    path = path_of(folder, name)
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
    (*names, _), *rows = csv.reader(text.splitlines())
    kept = np.sort(np.random.default_rng(0).permutation(len(rows))[:ROWS])
    parts, categories = [], []
    for j in range(len(names)):
        cells = [rows[i][j] for i in kept]
        try:
            parts.append([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            values = {cell: code for code, cell in enumerate(sorted({row[j] for row in rows} - {""}))}
            parts.append([values.get(cell, np.nan) for cell in cells])
            categories.append(j)
    y = np.unique([row[-1] for row in rows], return_inverse=True)[1][kept]
    return [name.strip() for name in names], np.array(parts, dtype=float).T, y, categories


def by_rows(folder: Path, name: str) -> list[list[Any]]:
    """Name and p-value of every column of some rows: ``split_test``, ``selected_score``, ``SplitSelector``, a ranking.

    All are asked whether categories matter at all; ``selected_score`` is not asked about them.
    """
    from splitcrit import rank_features
    from splitcrit.inference import SplitSelector, selected_score, split_test

    names, x, y, categories = rows_of(folder, name)
    how: dict[str, Any] = {"categorical_features": categories or None, "response": "classes"}
    result = split_test(x, y, correction=None, categories="table", **how)
    numbers = [j for j in range(len(names)) if j not in categories]
    found = dict(zip(numbers, selected_score(x[:, numbers], y.astype(str))[1].tolist(), strict=True)) if numbers else {}
    selected = SplitSelector(**how).fit(x, y).pvalues_.tolist()
    columns, words = {f"x{j}": x[:, j] for j in range(len(names))}, [f"x{j}" for j in categories]
    ranking = rank_features(columns, y, categorical=words, response="classes", exact=True)
    ranks = {f.name: f.p for f in ranking.features}
    each = enumerate(zip(names, result.features, selected, strict=True))
    return [[name, f.p, found.get(j, f.p), p, ranks[f"x{j}"]] for j, (name, f, p) in each]
