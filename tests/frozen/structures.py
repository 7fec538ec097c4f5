"""Structures of a column in a node, drawn from a seed, and what the four laws of the best split say of each.

A structure is its number alone: everything else follows from the generator here, so only answers are stored.

Main definitions: ``Structure`` (``of``), ``answers``, ``FIELDS``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np

from growing import grow_regression
from splitcrit.nulls import best_cut_law, best_split, best_subset_law, calibrated
from splitcrit.nulls.best_split import BestSplitLaw, ColumnStructure, Labels, best_scores, split_law
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow, surprise_paths
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.surprise_paths import SurpriseSearch

Array = Any
SEED = 52
DRAWS = 100
METHODS = ("exact", "lattice", "mixture", "ranks")
RULES = ("classes", "variance", "quantiles")  # the last is no statistic of trees any more
ASKED = ("best", "3", "8")  # the scores that laws are asked about
FIELDS = (
    "score", "method",  # of the best split, and how its law was found
    *(f"best_split.p({s})" for s in ASKED), *(f"best_split.surprise({s})" for s in ASKED),
    *(f"column_law.surprise({s})" for s in ASKED),
    "selective.column", "selective.left", "selective.missing_left", "selective.surprise", "selective.score",
    "calibrated.column", "calibrated.left",
)  # fmt: skip
BEST_SPLIT = [name for name in FIELDS if name.startswith(("score", "method", "best_split"))]


@dataclass(frozen=True, eq=False)
class Structure:
    """A column of some levels in a node, its labels, and two columns more that it is compared with.

    ``cells (n,)`` are its levels from 0, the missing one last; ``x (n, 3)`` holds it first, nan where missing;
    ``y (n,)`` are classes or responses.
    """

    sizes: Array
    ordered: bool
    missing: int
    classes: int
    rule: str
    least: int
    cells: Array
    x: Array
    y: Array

    @staticmethod
    def of(number: int) -> Structure:
        """The structure of a number."""
        rng = np.random.default_rng([SEED, number])
        r, scale = int(rng.integers(2, 13)), int(rng.choice([2, 6, 20, 80]))
        known = rng.integers(1 if scale < 80 else 40, scale + 1, r)
        missing = int(rng.integers(1, scale + 2)) if rng.random() < 0.4 else 0
        sizes = np.append(known, missing) if missing else known
        classes = int(rng.choice([2, 2, 3, 4, 5, 0, 0]))
        cells = np.repeat(np.arange(len(sizes)), sizes)
        n, pull = len(cells), float(rng.choice([0.0, 0.0, 0.3, 1.0]))
        if classes:
            follows = rng.random(n) < pull * 0.7
            shares = rng.dirichlet(np.full(classes, float(rng.choice([0.7, 30.0]))))
            y = np.where(follows, cells * 5 // 3 % classes, rng.choice(classes, n, p=shares))
        else:
            y = np.round(rng.normal(size=n) + pull * (cells * 7 % 5), int(rng.integers(0, 3)))
            y = y**3 if rng.random() < 0.3 else y
        ordered = bool(rng.random() < 0.6)
        column = np.where(cells == r, np.nan if ordered else r, cells).astype(float)
        number_column = rng.permutation(n) * 0.5
        number_column[rng.random(n) < float(rng.choice([0.0, 0.2]))] = np.nan
        return Structure(
            sizes, ordered, missing, classes, "classes" if classes else RULES[int(rng.integers(1, 3))],
            int(rng.choice([1, 1, 1, 2, 3])), cells, np.column_stack([column, rng.integers(0, 2, n), number_column]), y,
        )  # fmt: skip

    @property
    def gaps(self) -> bool:
        """Whether missing values are put on either side of a cut: those of a category are one more level."""
        return self.ordered and self.missing > 0

    def shown(self) -> str:
        """What a report of a difference says of it."""
        kind = "values" if self.ordered else "levels"
        labels = f"{self.classes} classes" if self.classes else f"responses ({self.rule})"
        return f"{kind} {self.sizes.tolist()}, {self.missing} missing, {labels}, least {self.least}"

    @property
    def levels(self) -> Array:
        """The number of levels of each column of ``x``, 0 of numbers."""
        return np.array([0 if self.ordered else len(self.sizes), 0, 0])


def answers(number: int, compiled: bool = True) -> list[float]:
    """What the laws say of a structure, in the order of ``FIELDS``; nan for what is not asked, or without a split."""
    s = Structure.of(number)
    # Draws of today are made for one form of x and -x, y and -y; the frozen ones were made for the form that came.
    as_it_comes = {"rising": lambda sizes, *_: np.arange(len(sizes)), "in_one_form": lambda y: np.stack([*y], axis=1)}
    with mock.patch.multiple(best_split, **as_it_comes):
        found = _best_split(s)
        if not compiled:
            return [*found, *[np.nan] * (len(FIELDS) - len(found))]
        return [*found, *_column_law(s, found[0]), *_selective(s), *_calibrated(s)]


def _best_split(s: Structure) -> list[float]:
    if s.classes:
        counts = np.zeros((len(s.sizes), s.classes), np.int64)
        np.add.at(counts, (s.cells, s.y), 1)
        labels: dict[str, Any] = {"class_totals": counts.sum(axis=0)}
    else:
        labels = {"responses": s.y}
    if s.ordered:
        known = s.sizes[:-1] if s.gaps else s.sizes
        law = best_cut_law(known, **labels, missing=s.missing, min_leaf=s.least, draws=DRAWS)
    else:
        law = best_subset_law(s.sizes, **labels, min_leaf=s.least, draws=DRAWS, limit=5000)
    score = _best_of_responses(s) if not s.classes else law.score(counts) if len(set(s.y.tolist())) > 1 else 0.0
    asked = (score, 3.0, 8.0)
    return [
        score, METHODS.index(law.method), *(float(law.pvalue(g)) for g in asked), *(law.surprise(g) for g in asked)
    ]  # fmt: skip


def _best_of_responses(s: Structure) -> float:
    y, labels = s.y / (np.abs(s.y).max() or 1.0), Labels.of_responses(s.y)
    if not labels.square:
        return 0.0
    sums, structure = (
        np.bincount(s.cells, y - y.mean()),
        ColumnStructure(s.sizes, labels, not s.ordered, s.gaps, s.least),
    )
    return float(best_scores(sums[None, :, None], structure)[0])


def _column_law(s: Structure, score: float) -> list[float]:
    labels = Labels.of_classes(np.bincount(s.y, minlength=s.classes)) if s.classes else Labels.of_responses(s.y)
    how: dict[str, Any] = {"subset": not s.ordered, "gaps": s.gaps, "least": s.least, "prefixes": True}
    law = split_law(s.sizes, labels, **how, draws=DRAWS, limit=10**7 if s.ordered else 0)
    return [law.surprise(asked) for asked in (score, 3.0, 8.0)]


def by_gains(*args: Any, standardised: bool = False, **more: Any) -> BestSplitLaw:
    """The law by gains, as the frozen answers are; trees cut columns of classes by standardised scores by now."""
    return split_law(*args, **more)


def _selective(s: Structure) -> list[float]:
    values, types = (None, s.y) if s.classes else np.unique(s.y, return_inverse=True)
    recoding = Recoding(s.levels, 10)
    search = SurpriseSearch(s.x, types, values, s.classes, recoding, s.least)
    with mock.patch.object(surprise_paths, "split_law", by_gains):
        split = search.best(np.arange(len(s.y)))
    if split is None:
        return [np.nan] * 5
    f = split.feature
    column = f if f < 3 else recoding.subsets[f - 3].feature
    return [column, int(split.left.sum()), split.missing_left, split.surprise, split.score]


def _calibrated(s: Structure) -> list[float]:
    recoding = Recoding(s.levels, 10)
    growing = GrowthOptions(Stopping(max_depth=1, min_samples_leaf=s.least, min_gain=None), recoding=recoding)
    if s.classes:
        tree = grow(Training(s.x, s.y, s.classes), calibrated(), growing)
    else:
        tree = grow_regression(s.x, s.y, None, Calibrated(), growing)
    f = int(tree.feature[0])
    if f < 0:
        return [np.nan] * 2
    return [f if f < 3 else recoding.subsets[f - 3].feature, int(tree.size[tree.left[0]])]
