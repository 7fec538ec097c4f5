"""Table 4 of wang2024: the shapes of the twelve data sets.

The paper does not say when it counted the values of a feature. Ours are those of the data, those that ChiMerge leaves
on the growing rows of a split when it merges to a drawn number of intervals, and when it merges on to a threshold.

Main definitions: ``EXPERIMENTS`` (``table4``).
Source: wang2024, Table 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..printed import printed
from ..results import Row
from ..runner import Experiment, Options, Task, seed_of
from . import samples
from .samples import AS_TABLES, SETS, Choices, loaded, sample_of
from .tables import LEVEL

Array = NDArray[Any]
QUICK = ("zoo", "bupa_liver")
EXACT = 0.005 + 1e-9  # half of the last printed digit


def _tasks(options: Options) -> list[Task]:
    return [{"set": name} for name in options.chosen(SETS, QUICK)]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """A row for each number of a line of Table 4; of the generator nothing is used."""
    known = printed("wang2024_table4")[SETS.index(task["set"])]
    return [
        {"measure": measure, "counted": counted, "ours": ours, "printed": float(known[measure])}
        for measure, counted, ours in _counts(task["set"], options)
    ]


def _counts(name: str, options: Options) -> Iterator[tuple[str, str, float]]:
    data = loaded(name, options.data)
    shares = 100 * np.unique(data.y, return_counts=True)[1] / len(data.y)
    yield from (("objects", "", len(data.y)), ("attributes", "", data.X.shape[1]), ("classes", "", len(shares)))
    yield from (("smallest class %", "", float(shares.min())), ("largest class %", "", float(shares.max())))
    for counted, x in (("data", data.X), *_merged(name, options)):
        values = [len(np.unique(column[~np.isnan(column)])) for column in x.T.astype(float)]
        yield from (("fewest values", counted, min(values)), ("most values", counted, max(values)))


def _merged(name: str, options: Options) -> Iterator[tuple[str, Array]]:
    """Yield the growing rows of the first split, merged to a number of intervals and by a threshold besides."""
    for counted, choices in (("intervals", AS_TABLES), ("threshold", Choices(significance=LEVEL))):
        split, drawn = (
            np.random.default_rng(seed_of(options.seed, "shapes", what, name)) for what in ("split", "sample")
        )
        sample = sample_of(name, options.data, "none", split, drawn, choices)
        yield counted, sample.x[sample.grow]


def agrees(row: Row) -> bool:
    """Whether a number is the printed one, to the printed digits."""
    return bool(abs(row["ours"] - row["printed"]) <= EXACT)


def _said(rows: list[Row], options: Options) -> str:
    return f"{sum(map(agrees, rows))} of {len(rows)} numbers are those of Table 4"


TABLE4 = Experiment("table4", "shapes of the twelve data sets", ("set",), _tasks, _work, _said, samples.PROTOCOL)
EXPERIMENTS = (TABLE4,)
