"""What the tests of fitted trees share: rows, in partitions, and when two trees are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


def problem(n: int = 200, d: int = 4, classes: int = 3, missing: bool = False, seed: int = 0) -> tuple[Any, Any]:
    """Features with ties, perhaps missing values, and classes that depend on them."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 25, (n, d)).astype(np.float32) / 4 - 2
    y = np.digitize(x[:, 0] + x[:, 1] + rng.normal(size=n), np.linspace(-2, 4, classes - 1))
    if missing:
        x[rng.random(x.shape) < 0.15] = np.nan
    return x, y


def coloured(seed: int = 0, n: int = 160) -> Any:
    """A frame of words, some of which are missing, of numbers with ties, and of declared categories."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    colour = rng.choice(np.array(["red", "blue", "green", "pink", "grey", None], dtype=object), n)
    size, shape = rng.integers(0, 7, n).astype(float), rng.choice(["disc", "cube", "rod"], n)
    return pd.DataFrame({"colour": colour, "size": size, "shape": pd.Categorical(shape)})


def parted(*arrays: Any, rows: int = 70) -> list[Any]:
    """Arrays as Dask arrays in partitions of this many rows."""
    import dask.array as da

    return [da.from_array(a, chunks=(rows, *a.shape[1:])) for a in arrays]


def few(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Let one worker finish nodes of up to this many rows."""
    from splitcrit.trees.distributed import histogram_source

    monkeypatch.setattr(histogram_source, "few", lambda *_: rows)


def subsets(tree: Any) -> dict[int, Any]:
    """What goes where at each node of a fitted tree that a subset of categories splits."""
    return {node: (split.left, split.right, split.others) for node, split in getattr(tree, "splits_", {}).items()}


def same(one: Any, other: Any, rounded: tuple[str, ...] = ()) -> bool:
    """Whether two fitted trees are the same, node for node and bit for bit, but for what may be rounded."""
    a, b = ({**tree.tree_.__getstate__()} for tree in (one, other))
    if len(a["nodes"]) != len(b["nodes"]):
        return False
    columns = [({**{n: s["nodes"][n] for n in s["nodes"].dtype.names}, "value": s["values"]}) for s in (a, b)]

    def alike(name: str) -> bool:
        pair = columns[0][name], columns[1][name]
        close = {"rtol": 1e-9, "atol": 1e-12 * float(columns[0]["impurity"].max()), "equal_nan": True}
        return np.allclose(*pair, **close) if name in rounded else np.array_equal(*pair, equal_nan=True)

    alike_classes = np.array_equal(getattr(one, "classes_", 0), getattr(other, "classes_", 0))
    return all(map(alike, columns[0])) and alike_classes and subsets(one) == subsets(other)
