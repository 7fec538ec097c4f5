"""The test of one column against a target: one rule, asked by rankings, split tests, selections and roots of trees.

Main definitions: ``column_test`` (a ``ColumnTest``) of a column against a ``PermutedTarget``, made of ``LabelledRows``;
``ColumnScores``, what is asked.
Main results: let all orders of the labels be equally likely. Of a column whose values have an order two statistics are
asked: the best cut, and the sums of normal scores of its ranks over the classes, or with a response, which see smooth
effects. Each has a p-value, and by Bonferroni's inequality their weighted minimum is one::

    two classes                      p = min(1, 2 p_cut, 2 p_scores)      p_cut the exact law of the best cut
    classes, numbers, categories     p = min(1, p_orders / .95, 1 / (.05 E))

A column with one cut has one question, and p = p_cut; of a category it is its table, or its best division in two, whose
law is listed where that is short. ``p_orders`` is the rank of the observed order among random ones, by one number for
both statistics that a first batch of orders fixes and no order of the batch counts for: then the others and the
observed one are exchangeable, and drawing may stop at the 20th that scores as high (besag1991). ``E`` is evidence,
asked where no order scores as high (``nulls.evidence``). Orders are those of a form of the column and the target that
reversing values, changing signs, naming classes and permuting rows do not change. Columns of one form share them.
Where rows come in groups or strata, whole groups move within strata instead, see ``nulls.groups``, and evidence is its
mean over draws of one row a group, in each the product over strata.
Near-misses: the observed order counted in the batch; the better of two p-values; E of the best cut.
Source: besag1991 (drawing that stops); strobl2007 (the law of the best cut).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice, tee
from math import exp, fsum, inf, lcm, log
from typing import Any, Literal, final

import numpy as np

from splitcrit.arguments import PATIENT, Array, microseconds
from splitcrit.data.training_inputs import scaled
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.nulls import best_cut, evidence
from splitcrit.nulls.best_split import (
    ColumnStructure,
    Labels,
    best_scores,
    best_subset,
    cut_moments,
    cut_scores,
    drawn_sums,
    in_one_form,
    listed_law,
    rising,
    sides,
)
from splitcrit.nulls.exact import TooLarge, exact_surprise, rarest
from splitcrit.nulls.extremes import EXTREMES, inside_each
from splitcrit.nulls.feature_counts import FeatureCounts
from splitcrit.nulls.gamma_tails import label_moments
from splitcrit.nulls.groups import Dependence, MovedLabels, Moves, as_numbers, check_arrangements, moved
from splitcrit.nulls.margin_totals import constant
from splitcrit.nulls.monte_carlo import random_orders, tallied
from splitcrit.nulls.pvalue import QUICK
from splitcrit.nulls.response_law import Weights, mean_variance, response_weights
from splitcrit.nulls.standardisation import exact_gain, exact_score
from splitcrit.table.many_tables import first_of

DRAWS = 999  # random orders at most, beside the batch
BATCH = 200  # orders that fix how both statistics are compared, and are then drawn at a time
ENOUGH = 20  # of them that score as high, at which drawing stops
FIRST = 50  # of them at first, which is often enough
LEVELS = 1_000  # of a table whose score is rounded once alone
LISTED = 200_000  # cells of tables that are listed at most
BLOCK = 2**20  # labels permuted at a time
# Numbers drawn at most; of large tables fewer orders are drawn, but never fewer than FEWEST.
CELLS = 2**27
FEWEST = 99
DRAWN_ROWS = best_cut.WALKED  # of more no orders are drawn, whose memory grows with the rows
# Of two classes, of more of which the sum of scores has evidence instead of random orders.
SCORED_ROWS = 20_000
ADDITIONS = 10**7  # of the exact law of a sum of ranks at most
MOST = 2**31
EXACT_BITS = 51  # of sums of all responses, which floats hold
HEAVY = 6.0  # the kurtosis of numbers above which their ranks are tested; normal ones have 3
OF_CUT = 0.45  # of a level that the best cut has in the joint rank, the scores having the rest
HALVES = 2
ONE_ROW = 5  # draws of one row a group, over which evidence is averaged
WHOLE = 1e-6  # that votes may lack of a whole number
EXACT, INTERVAL, DRAWN, EVIDENCE, NO_CUT = "exact", "interval", "permutations", "evidence", "no cut"
SAME = 1e-9  # of two p-values, as logarithms
TIE = 1e-11  # scores closer than this, relative to 1 + |score|, are equal
NO_SINGLE_CUT = "scores", "cut and scores", "all cuts"  # statistics whose p-values do not speak of one cut
HOPELESS = "cannot pass among so many columns, however labels fall; the least p of each: {}."
SMOOTH = "p by scores, permutations or evidence: the column matters, and no single cut."
RANKED = "A few responses outweigh the others (kurtosis above 6): their ranks are tested."
CategoryQuestion = Literal["division", "table"]
Question = Literal["cut", CategoryQuestion]


@final
@dataclass(frozen=True, repr=False)
class ColumnTest:
    """The test of a column.

    Parameters
    ----------
    score
        The gain of the best cut, of the table of categories or of their best division, in standard deviations above its
        mean by chance, as if it had been fixed beforehand: SGini of classes; of responses by
        `splitcrit.nulls.response_moments`.
    gain
        The Gini gain of that cut, table or division; of responses, the share of their variance that it explains.
    p, log_p
        The p-value of the column, and its natural logarithm where it is too small a float.
    method
        ``"exact"``; ``"interval"``, where the law takes too long, from ``least`` to ``p``; ``"permutations"``;
        ``"evidence"``, where no random order scores as high, or none is drawn; ``"no cut"``.
    standard_error
        The Monte Carlo standard error of ``p``; None where nothing was drawn or something else decides.
    cut
        How many observations with a value lie to the left of the best cut; 0 for categories.
    missing_left
        Whether observations without a value lie to its left.
    null_mean, null_sd
        Mean and standard deviation of the gain by chance, of this cut or table as if fixed beforehand.
    least
        The lower end of an interval, whose upper end is ``p``; None elsewhere. Where ``enough`` was asked for, the sum
        that exceeds it at which an exact law stopped.
    statistic
        What decided: ``"best cut"``, ``"scores"``, ``"cut and scores"`` (of the same random orders), ``"all cuts"``
        (evidence), ``"table"`` or ``"division"``. Only the first speaks of the cut.
    left
        Of the best division the places of the categories on its left.
    floor
        What no p-value of such a column is below, however labels fall: the chance of its rarest table. None where rows
        are not independent.
    """

    score: float
    gain: float
    p: float
    log_p: float
    method: str
    standard_error: float | None = None
    cut: int = 0
    missing_left: bool = False
    null_mean: float | None = None
    null_sd: float | None = None
    least: float | None = None
    statistic: str = ""
    left: tuple[int, ...] = ()
    floor: float | None = None

    __repr__ = shortened


NOTHING = ColumnTest(0.0, 0.0, 1.0, 0.0, NO_CUT)


def too_coarse(floors: Mapping[Any, float | None], level: float) -> list[str]:
    """A sentence on the columns, with their ``floors``, that no labels bring to the level that a single one needs.

    Examples
    --------
    >>> too_coarse({"once": 0.5, "dose": 1e-9}, 0.025)
    ["cannot pass among so many columns, however labels fall; the least p of each: 'once' (0.5)."]
    """
    hopeless = [f"{name!r} ({p:.2g})" for name, p in floors.items() if p is not None and p > level * (1 + SAME)]
    return [HOPELESS.format(first_of(hopeless, 3))] if hopeless else []


@final
@dataclass(frozen=True, eq=False)
class PermutedTarget:
    """The labels of the rows of a test, in a form that names of classes and the sign of responses do not change.

    Parameters
    ----------
    labels
        What is permuted: classes in the order of their totals, or responses in theirs.
    order
        The columns of a table of classes, in that order; of responses none.
    responses
        Of each row ``(n, q)``, on a grid on which sums are exact; None of classes.
    valued
        Whether classes are groups of a response in their order, and stand for its means.
    ranked
        Whether ranks are tested in place of responses, a few of which would outweigh the others.
    places
        The place of each row's response among the different ones ``(n,)``; None of classes, groups and scores.
    survival
        Time and event of each row ``(n, 2)``, where responses are their log-rank scores: evidence is then that of the
        partial likelihood, see `splitcrit.nulls.evidence.log_of_survival` for what it assumes.
    dependent
        The rows themselves, where these are not independent, and whole groups of them change places.
    orders
        Random orders that were drawn for a column, kept for others; they hold the target, and so go with it.
    """

    labels: Labels
    order: Array
    responses: Array | None = None
    valued: bool = False
    ranked: bool = False
    places: Array | None = None
    survival: Array | None = None
    dependent: LabelledRows | None = None
    orders: dict[Any, Iterator[Array]] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def of_classes(totals: Array) -> PermutedTarget:
        """Classes with these totals, of which none is 0.

        Raises
        ------
        ValueError
            If there are 2**31 rows or more.
        """
        if totals.sum(dtype=object) >= MOST:
            rule, remedy = "a column is judged by fewer than 2**31 rows", "divide the counts, or pass measure='sgini'"
            raise ValueError(complaint(rule, "more", remedy))
        return PermutedTarget(Labels.of_classes(totals), np.argsort(totals, kind="stable"))

    @staticmethod
    def of_groups(totals: Array, means: Array) -> PermutedTarget:
        """Groups of a response with these totals and means, in the order of the response, in any unit of it.

        Examples
        --------
        >>> means = np.array([0.0, 1.0, 3.0])
        >>> {PermutedTarget.of_groups(np.ones(3, int), means * unit).square for unit in (2.0**-600, 1.0, 2.0**600)}
        {1.1666666666666667}
        """
        order = rising(totals, False)
        means, counts = scaled(-means if order[0] else means)[order], totals[order]
        centred = scaled(means - (means @ counts) / counts.sum())
        return PermutedTarget(Labels(centred[:, None], counts, True), order, valued=True)

    @staticmethod
    def of_responses(responses: Array, as_they_are: bool = False) -> PermutedTarget:
        """Numbers ``(n,)``, ranks in place of those with a kurtosis above 6 unless ``as_they_are``, or ``(n, q)``."""
        columns = [_standardised(y) for y in responses.reshape(len(responses), -1).T]
        z, ranked, place = columns[0], False, None
        if len(columns) == 1 and not as_they_are:
            _, place, often = np.unique(responses.ravel(), return_inverse=True, return_counts=True)
            if ranked := fsum(z**4) > HEAVY * len(z):
                columns = [_standardised(evidence.centred_ranks(often)[place] * 1.0)]
        one = in_one_form(columns)
        rows = one[np.lexsort(one.T[::-1])]
        labels = Labels(rows, np.ones(len(rows), np.int64), False)
        return PermutedTarget(labels, np.arange(0), one, ranked=ranked, places=place)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "orders": {}}

    @cached_property
    def square(self) -> float:
        """The sum of the squared lengths of the labels; 0 where these are alike."""
        return self.labels.square

    @cached_property
    def weights(self) -> Weights:
        """What moments by chance need of the labels, see ``share_weights``."""
        return share_weights(self.labels)

    @cached_property
    def impurity(self) -> float:
        """What a gain is a share of: the Gini impurity of classes, the variance of responses."""
        return float(gini(self.labels.counts)) if self.named else 1.0

    @property
    def named(self) -> bool:
        """Whether labels are names of classes."""
        return self.responses is None and not self.valued

    @property
    def two(self) -> bool:
        """Whether there are two classes."""
        return self.named and len(self.labels.counts) == 2

    def sums(self, column: Array) -> Array:
        """Sums ``(r, q)`` of the labels by value, of a table of classes or of the place of each row's value."""
        if self.responses is None:
            return np.asarray(column[:, self.order] @ self.labels.vectors)
        return np.stack([np.bincount(column, z) for z in self.responses.T], axis=1)


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The labels of rows in memory: places ``(n,)`` of their classes, or responses ``(n, k)``.

    Numbers that are no scores of a function are ``plain``: their ranks are tested where a few outweigh the others. Of
    log-rank scores ``survival`` holds time and event of each row; ``among`` tells which rows are not independent.
    """

    values: Array
    plain: bool = True
    survival: Array | None = None
    among: Dependence | None = None

    @cached_property
    def target(self) -> PermutedTarget:
        """What is permuted."""
        if self.measured:
            target = PermutedTarget.of_responses(self.values, as_they_are=not self.plain)
            return replace(target, survival=self.survival, dependent=None if self.among is None else self)
        if self.among is None:
            return PermutedTarget.of_classes(np.bincount(self.values))
        vectors = as_numbers(self.values)
        labels = Labels(vectors - vectors.mean(axis=0), np.ones(len(vectors), np.int64), False)
        return PermutedTarget(labels, np.arange(0), vectors, dependent=self)

    @property
    def measured(self) -> bool:
        """Whether they are responses."""
        return self.values.ndim == 2

    def take(self, rows: Array) -> LabelledRows:
        """The labels of some rows, their classes numbered anew."""
        here, survival = self.values[rows], None if self.survival is None else self.survival[rows]
        values = here if self.measured else np.unique(here, return_inverse=True)[1]
        return LabelledRows(values, self.plain, survival, None if self.among is None else self.among.take(rows))

    def observed(self, codes: Array) -> tuple[Array | None, LabelledRows]:
        """Which rows count for a column ``(n,)``, None of all, and their labels: see ``nulls.groups``.

        Raises
        ------
        splitcrit.nulls.groups.TooFewArrangements
            If no p-value up to .05 can come out.
        """
        if self.among is None or self.among.groups is None:
            return None, self
        if self.among.constant(codes):
            return self.among.first, self._one_a_group
        return (None, self) if self.among.constant(self.values) else self._in_runs

    @cached_property
    def _one_a_group(self) -> LabelledRows:
        among = self.among or Dependence()
        survival = self.survival[among.first] if self.survival is not None and among.constant(self.values) else None
        values, strata = among.labels(self.values), None if among.strata is None else among.strata[among.first]
        if len(np.unique(values, axis=0)) > 1:
            check_arrangements([row.tobytes() for row in values], strata)
        return LabelledRows(values, self.plain, survival, None if strata is None else Dependence(None, strata))

    @cached_property
    def _in_runs(self) -> tuple[Array, LabelledRows]:
        rows, runs = (self.among or Dependence()).runs
        part = self.take(rows)
        return rows, replace(part, among=replace(part.among or Dependence(), strata=runs))

    def column(self, codes: Array) -> Array:
        """A column, given the place of each row's value, those without one last, as ``column_test`` takes it."""
        if self.measured or self.among is not None:
            return codes
        size, classes = int(codes.max()) + 1, int(self.values.max()) + 1
        return np.bincount(codes * classes + self.values, minlength=size * classes).reshape(size, classes)


def _standardised(y: Array) -> Array:
    """Numbers in standard deviations, on a grid on which all of them add up exactly."""
    return evidence.on_grid(y, np.ones(len(y)), EXACT_BITS, len(y))


def column_test(
    column: Array, target: PermutedTarget, *, question: Question = "cut", gaps: bool = False, min_leaf: int = 1,
    statistic: str = "sgini", draws: int = DRAWS, limit: float = PATIENT, seed: int = 0, enough: float = inf,
) -> ColumnTest:  # fmt: skip
    """The test of a column against a target.

    Parameters
    ----------
    column
        For classes their counts ``(r, K)`` by value, in order; for responses the place of each row's value ``(n,)``.
        Every value occurs.
    target
        The labels of the same rows.
    question
        ``"cut"`` of values that have an order; of those that have none ``"table"``, whether they matter at all, or
        ``"division"``, whether two groups of them do.
    gaps
        Whether the last value is that of observations without one, which every cut puts on the better side.
    min_leaf
        The fewest observations on a side of a cut or division.
    statistic
        What cuts of classes are scored by.
    draws
        How many random orders are drawn at most, beside the batch; fewer of large tables.
    limit
        How many seconds the law of lattice paths may take, as counted for numpy; beyond that there is an interval.
    seed
        Of the orders, with the form of the column.
    enough
        A p-value of two classes that is larger need not be computed to the end.

    Examples
    --------
    >>> counts = np.array([[1, 0]] * 6 + [[0, 1]] * 6)  # two classes that a number separates
    >>> found = column_test(counts, PermutedTarget.of_classes(counts.sum(axis=0)))
    >>> found.method, found.cut, round(found.p * 924, 9)  # two of the C(12, 6) orders do so; twice that
    ('exact', 6, 4.0)
    >>> y = np.arange(40.0)
    >>> found = column_test(np.arange(40), PermutedTarget.of_responses(y))
    >>> found.method, found.cut, found.p < 1e-4
    ('evidence', 20, True)
    >>> counts = np.array([[1, 0]] * 700 + [[0, 700]])  # of one class every value is missing
    >>> column_test(counts, PermutedTarget.of_classes(counts.sum(axis=0)), gaps=True, enough=0.1).method
    'exact'
    >>> counts = np.array([[3, 0, 1], [0, 4, 1]])
    >>> column_test(counts, PermutedTarget.of_classes(counts.sum(axis=0)), question="table").p
    0.023809523809523808
    """
    sizes = np.bincount(column) if column.ndim == 1 else column.sum(axis=1)
    if len(sizes) < 2 or not target.square:
        return NOTHING
    if target.dependent is not None:
        asked = ColumnScores.of_moves(column, target.dependent, question, gaps, min_leaf)
    else:
        asked = ColumnScores(sizes, target, question, gaps, min_leaf, statistic)
    if not asked.possible:
        return NOTHING
    if question == "cut" and target.two:
        return _of_two_classes(column, asked, draws, limit, seed, enough)
    sums = asked.target.sums(column if asked.moved is None else asked.moved.at)
    test = asked.described(column, sums)
    if test is NOTHING:
        return NOTHING
    if asked.moved is not None:
        test = asked.as_moved(test, sums, asked.moved, draws, seed)
    if (exact := asked.log_exact(column, sums)) is not None:
        return _with_p(test, exact, EXACT, asked.name)
    log_p, method, error, reached = asked.by_orders(sums, draws, seed)
    log_e = partial(asked.log_evidence, column, seed)
    # Of too many rows no orders are drawn, and evidence has the whole level.
    joined, decides = (min(0.0, -log_e()), True) if method == EVIDENCE else evidence.log_joined(log_p, reached, log_e)
    if decides:
        return _with_p(test, joined, EVIDENCE, "all cuts" if question == "cut" else "table")
    return _with_p(test, joined, method, asked.name, exp(joined - log_p) * (error or 0.0) if joined < 0 else 0.0)


def with_error(method: str, standard_error: float | None, statistic: str = "") -> str:
    """A method, whether it is exact by scores instead of cuts, and the standard error of its p-value, as printed.

    Examples
    --------
    >>> with_error("permutations", 0.0123, "cut and scores"), with_error("exact", None, "scores")
    ('permutations (+- 0.01)', 'exact, scores')
    """
    scored = ", scores" * (method == EXACT and statistic == "scores")
    return method + scored + (f" (+- {standard_error:.1g})" if standard_error else "")


def _with_p(test: ColumnTest, log_p: float, method: str, statistic: str, error: float | None = None) -> ColumnTest:
    """A test with its p-value and what decided."""
    return replace(test, p=exp(log_p), log_p=log_p, method=method, statistic=statistic, standard_error=error)


@final
class ColumnScores:
    """What is asked of a column whose values occur so often, and its answers for any order of the labels.

    Parameters
    ----------
    sizes : int array (r,)
        The observations of each value, those without one last if there are ``gaps``.
    target, question, gaps, min_leaf, statistic
        See ``column_test``.
    moved
        How labels move, where rows are not independent; ``sizes`` are then votes.

    Of each cut ``m`` observations lie on its left, the values up to place ``after``, and those without one if ``more``.
    """

    def __init__(
        self, sizes: Array, target: PermutedTarget, question: Question = "cut", gaps: bool = False,
        min_leaf: Any = 1, statistic: str = "sgini", moved: MovedLabels | None = None,
    ) -> None:  # fmt: skip
        self.sizes, self.target, self.question, self.gaps, self.moved = sizes, target, question, gaps, moved
        self.min_leaf, self.statistic, self.n = min_leaf, statistic, int(sizes.sum())
        self.orders: Iterator[Array] | None = None  # random moves, where labels move
        self.rows = sizes if moved is None else np.bincount(moved.at)
        turned = None if moved is None else moved.flipped
        self.places = rising(sizes, gaps, turned) if question == "cut" else np.argsort(-sizes, kind="stable")
        self.flipped = question == "cut" and bool(self.places[0] > 0)
        self.structure = ColumnStructure(sizes[self.places], target.labels, question == "division", gaps, min_leaf)
        self.often = self.structure.sizes
        self.m, self.after, self.more = self.cuts = sides(self.often, gaps, min_leaf)
        self.apart = None if moved is None or question != "cut" else moved.apart(self.places, self.after, self.more)

    @staticmethod
    def of_moves(column: Array, rows: LabelledRows, question: Question, gaps: bool, min_leaf: int) -> ColumnScores:
        """What is asked of a column ``(n,)`` against labels that move; sides of a cut have enough votes."""
        move = moved(column, np.asarray(rows.target.responses), rows.among or Dependence(), question == "cut", gaps)
        votes = move.moves.votes
        target = PermutedTarget(Labels(move.z, votes, False), np.arange(0), move.z * votes[:, None], dependent=rows)
        return ColumnScores(np.bincount(move.at, votes), target, question, gaps, min_leaf - WHOLE, moved=move)

    def turned(self, rows: Array) -> Array:
        """Rows of values in the smaller of their orders, those without a value last; of categories by their sizes."""
        return np.asarray(rows[self.places])

    @property
    def possible(self) -> bool:
        """Whether there is a cut, or a division with enough on both sides."""
        if self.question == "cut":
            return len(self.m) > 0 and (self.apart is None or bool(np.isfinite(self.apart).any()))
        return self.question == "table" or 2 * self.min_leaf <= self.n

    @property
    def joint(self) -> bool:
        """Whether the scores of the column are asked beside its cuts."""
        return self.question == "cut" and len(self.m) > 1

    @property
    def name(self) -> str:
        """What the random orders compare."""
        return ("best cut", "cut and scores")[self.joint] if self.question == "cut" else self.question

    @cached_property
    def normal_scores(self) -> Array:
        """The normal score of each value ``(r,)`` of the structure, of mean 0 over rows; 0 of those without one."""
        from scipy.special import ndtri

        often = self.often[: len(self.sizes) - self.gaps]
        scores = ndtri((often.cumsum() - often / 2) / max(int(often.sum()), 1))
        return np.append(scores - (scores @ often) / max(int(often.sum()), 1), [0.0] * self.gaps)

    @cached_property
    def moments(self) -> tuple[Array, Array]:
        """Mean, and standard deviation, of the gain of each cut of classes by chance."""
        return cut_moments(self.m, self.target.labels)

    def by_cut(self, sums: Array) -> Array:
        """Scores ``(t, c)`` of cuts of sums ``(t, r, q)``: SGini of classes; else the gain over its mean by chance."""
        apart = self.n**2 / 4 if self.statistic == "pairwise_gain" else self.apart
        sgini = self.statistic == "sgini" and self.target.named
        return cut_scores(sums, self.cuts, self.target.labels, self.moments if sgini else None, apart)

    def best(self, sums: Array) -> Array:
        """The best score ``(t,)`` of sums ``(t, r, q)``."""
        if self.question == "table":
            gained = (sums * sums / self.often[:, None]).sum(axis=(1, 2))
            return np.asarray(gained * ((self.n - 1) / self.target.square))
        if self.question == "division":
            return best_scores(sums, self.structure)
        return np.asarray(self.by_cut(sums).max(axis=1))

    def linear(self, sums: Array) -> Array:
        """The squared sums ``(t,)`` of normal scores, over what their mean by chance is in each direction."""
        s, (vectors, counts, _) = self.normal_scores, self.target.labels
        # The sums of K classes have K - 1 dimensions.
        many = self.target.responses is None and vectors.shape[1] > 1
        squares = counts if many else counts @ (vectors * vectors)
        each = (s @ sums) ** 2 / np.where(squares > 0, squares, inf)
        return np.asarray(each.sum(axis=1) * ((self.n - 1) / float(s * s @ self.often)))

    def pairs(self, sums: Array) -> Array:
        """Both statistics ``(t, 2)``, the second 0 where it is not asked."""
        return np.stack([self.best(sums), self.linear(sums) if self.joint else np.zeros(len(sums))], axis=1)

    def judged(self, batch: Array) -> Callable[[Array], Array]:
        """One number of both statistics ``(t, 2)``, larger where they surprise more, that a batch of orders fixes.

        The tail of each is taken for an exponential one, by the median of the batch and what a twentieth of it exceeds.
        """
        low, high = np.quantile(batch, [0.5, 0.95], axis=0)
        unit = log(10) / np.maximum(high - low, SAME * (1 + np.abs(low)))
        shares = np.array([log(OF_CUT), log(1 - OF_CUT)])
        return lambda pairs: np.asarray(((pairs - low) * unit + shares).max(axis=1))

    def shared(self, drawn: Callable[..., Iterator[Array]], *key: Any) -> Iterator[Array]:
        """What is drawn a batch at a time, kept for other columns of the same target that ask for the same."""
        orders = self.target.orders
        while len(orders) >= FEWEST and key not in orders:
            orders.pop(next(iter(orders)))
        orders[key], batches = tee(orders.pop(key) if key in orders else drawn())
        return batches

    def by_orders(self, sums: Array, draws: int, seed: int) -> tuple[float, str, float | None, bool]:
        """The logarithm of the rank among random orders, its method and error, and whether any scores as high."""
        drawn = _affordable(self, draws)
        if not drawn:
            return 0.0, EVIDENCE, None, False
        key = self.often.tobytes(), self.question, self.gaps, self.min_leaf, self.statistic, drawn, seed
        pairs = self.shared(partial(random_pairs, self, drawn, seed), *key)
        number: Callable[[Array], Array] = self.judged(next(pairs)) if self.joint else lambda pairs: pairs[:, 0]
        mine = float(number(self.pairs(self.turned(sums)[None]))[0])
        tally = tallied(map(number, pairs), mine - TIE * (1 + abs(mine)), ENOUGH)
        return log(tally.pvalue), DRAWN, tally.standard_error, tally.exceeding > 0

    def by_scores(self, ones: Array, draws: int, seed: int) -> tuple[float, str, float | None]:
        """The logarithm of the p-value of the sum of scores over one of two classes, its method and error.

        ``ones (r,)`` are of that class, in the order of the structure. The sum of ranks has an exact law where that is
        quick; that of normal scores is compared with random orders, and of many rows has evidence.
        """
        some = int(ones.sum())
        work = self.n * some * some
        if work <= ADDITIONS and work * int((ranks := self.ranks).max()) <= ADDITIONS:
            return log_of_sums([(np.repeat(ranks, self.often), some)], int(ranks @ ones)), EXACT, None
        drawn = _affordable(self, draws) if self.n <= SCORED_ROWS else 0
        if not drawn:
            return min(0.0, -evidence.log_of_scores(self.normal_scores, self.often, ones)), EVIDENCE, None
        orders = self.shared(partial(random_members, self.n, some, drawn, seed), self.n, some, drawn, seed)
        scores, mine = np.repeat(self.normal_scores, self.often), abs(float(self.normal_scores @ ones))
        tally = tallied((np.abs(members @ scores) for members in orders), mine - TIE * (1 + mine), ENOUGH)
        return log(tally.pvalue), DRAWN, tally.standard_error

    @property
    def ranks(self) -> Array:
        """Ranks of the values of the structure from 0, tied ones and missing ones their mean, in the least integers."""
        often = self.often[: len(self.sizes) - self.gaps]
        twice = np.append(2 * often.cumsum() - often + 1, np.full(int(self.gaps), int(often.sum()) + 1))
        twice -= twice.min()
        return np.asarray(twice // max(int(np.gcd.reduce(twice)), 1))

    def log_exact(self, column: Array, sums: Array) -> float | None:
        """The logarithm of the exact p-value of a table, or a division, of classes; None if it takes too long."""
        if self.moved is not None:
            return self._log_of_one_cut(self.moved)
        if self.question == "cut" or not self.target.named:
            return None
        if self.question == "division":
            law = listed_law(self.structure, LISTED)
            return None if law is None else -law.pvalue(float(self.best(self.turned(sums)[None])[0])).surprise
        if constant(column.sum(axis=1), column.sum(axis=0)):
            return 0.0
        with suppress(TooLarge):
            return 0.0 - exact_surprise(self.turned(column)[:, self.target.order].tolist(), QUICK)
        return None

    def _log_of_one_cut(self, move: MovedLabels) -> float | None:
        """The logarithm of the exact p-value of one cut, of two labels in each block that are constant in units.

        Moves put the labels of a block on any of its units, whose shares of rows on the left they add up.
        """
        moves, sizes, rows = move.moves, np.bincount(move.moves.unit), self.target.dependent
        two = move.z.shape[1] == 1 and rows is not None and len(np.unique(rows.values)) == 2
        scale = lcm(*sizes.tolist())
        if len(self.m) != 1 or scale > LEVELS or not (two and moves.keys(move.z)[1]):
            return None
        place = np.argsort(self.places)[move.at]
        left = (place <= self.after[0]) | ((place == len(self.sizes) - 1) & (self.more[0] > 0))
        shares = np.bincount(moves.unit, left).astype(np.int64) * (scale // sizes)
        ones, blocks = move.z[moves.place == 0, 0] > 0, moves.block[:, None] == np.unique(moves.block)
        parts = [(shares[units], int(ones[units].sum())) for units in blocks.T]
        quick = sum(len(of) * some**2 * int(of.max()) for of, some in parts) <= ADDITIONS
        return log_of_sums(parts, int(shares @ ones)) if quick else None

    def log_evidence(self, column: Array, seed: int = 0) -> float:
        """The logarithm of the evidence, of several outputs, and of draws of one row a group, that of their mean."""
        if self.moved is not None and self.target.dependent is not None:
            return self._log_of_one_row(column, self.target.dependent, self.moved.moves, seed)
        if self.target.responses is None:
            if self.question == "cut":
                return evidence.log_of_cuts(column, self.gaps)
            return evidence.log_of_categories(column[:, self.target.order], in_order=self.target.valued)
        ordered = self.question == "cut"
        if self.target.survival is not None:
            time, event = self.target.survival.T
            return evidence.log_of_survival(column, time, event, ordered, self.gaps)
        each = self.target.responses.T
        return evidence.log_mean([evidence.log_of_responses(column, z, ordered, self.gaps) for z in each])

    def _log_of_one_row(self, column: Array, labels: LabelledRows, moves: Moves, seed: int) -> float:
        """The logarithm of the mean evidence over draws of one row a group, in each the product over strata."""
        rng, size, ends = np.random.default_rng(seed), np.bincount(moves.unit), np.flatnonzero(np.diff(moves.block)) + 1
        starts, draws = size.cumsum() - size, ONE_ROW if size.max() > 1 else 1
        each = (moves.rows[starts + (rng.random(len(size)) * size).astype(np.int64)] for _ in range(draws))
        logs = [fsum(self._log_of_rows(column, labels, rows) for rows in np.split(one, ends)) for one in each]
        return evidence.log_mean(logs)

    def _log_of_rows(self, column: Array, labels: LabelledRows, rows: Array) -> float:
        """The logarithm of the evidence of some rows that are taken for exchangeable."""
        values, codes = np.unique(column[rows], return_inverse=True)
        part = replace(labels.take(rows), among=None)
        if len(values) < 2 or not part.target.square:
            return 0.0
        gaps = self.gaps and values[-1] == column.max()
        return ColumnScores(np.bincount(codes), part.target, self.question, gaps).log_evidence(part.column(codes))

    def as_moved(self, test: ColumnTest, sums: Array, move: MovedLabels, draws: int, seed: int) -> ColumnTest:
        """A test with score and gain as the first random moves tell, which its p-value counts as well."""
        ahead, self.orders = tee(move.drawn(self.places, _affordable(self, draws) + BATCH * self.joint or BATCH, seed))
        both, cut = (self.turned(sums)[None], next(ahead)), self.question == "cut"
        mine, others = (self.by_cut(s) if cut else self.best(s)[:, None] for s in both)
        scores = others[:, (at := mine[0].argmax())]
        gain, mean, spread = (float(x) / (self.n - 1) for x in (mine[0, at], scores.mean(), scores.std()))
        return replace(test, score=(gain - mean) / (spread or 1.0), gain=gain, null_mean=mean, null_sd=spread)

    def described(self, column: Array, sums: Array) -> ColumnTest:
        """Score, gain and place of the best cut, of the table or of the best division, without a p-value."""
        if self.question == "table":
            test = self._standardised(sums, self.sizes)
            if len(self.sizes) > LEVELS or not self.target.named:
                return test
            return replace(test, score=exact_score(column), gain=float(exact_gain(column)))
        if self.question == "division":
            chosen = best_subset(sums, self.sizes, self.min_leaf)
            if not chosen.any():
                return NOTHING
            sides = np.stack([chosen, ~chosen]).astype(np.int64)
            return self._standardised(sides @ sums, sides @ self.sizes, left=tuple(np.flatnonzero(chosen).tolist()))
        scores = self.by_cut(self.turned(sums)[None])[0]
        near = np.flatnonzero(scores >= scores.max() - TIE * (1 + abs(float(scores.max()))))
        known = self.turned(self.rows)[: len(self.sizes) - self.gaps].cumsum()
        left, missing = known[self.after], self.more > 0
        if self.flipped:
            alone = left == known[-1]
            left, missing = np.where(alone, left, known[-1] - left), ~missing & ~alone & self.gaps
        at, turned = min(near.tolist(), key=lambda i: (missing[i], left[i])), self.turned(sums)
        side = turned[: self.after[at] + 1].sum(axis=0) + self.more[at] * turned[-1]
        parts = np.array([self.m[at], self.n - self.m[at]])
        return self._standardised(np.stack([side, -side]), parts, cut=int(left[at]), missing_left=bool(missing[at]))

    def _standardised(self, sums: Array, sizes: Array, **fields: Any) -> ColumnTest:
        """Score and gain of groups of some sizes with sums ``(g, q)`` of their labels, and what else is ``fields``."""
        counts, unit = self.target.labels.counts, self.target.impurity
        share = float((sums * sums / sizes[:, None]).sum()) / self.target.square
        mean, variance = map(float, mean_variance(sizes.astype(float), *self.target.weights))
        if variance < SAME * mean**2 and (constant(sizes, counts) if self.target.named else variance <= 0):
            score = variance = 0.0
        else:
            score = (share - mean) / variance**0.5
        fields = {"p": 1.0, "log_p": 0.0, "method": NO_CUT, **fields}
        fields["floor"] = rarest(self.sizes, counts) if self.moved is None else None
        return ColumnTest(score, share * unit, null_mean=mean * unit, null_sd=variance**0.5 * unit, **fields)


def share_weights(labels: Labels) -> Weights:
    """What mean and variance of a share need of labels, whatever the groups: ``response_weights``."""
    n, square, fourth, products, *_ = label_moments(labels.vectors, labels.counts)
    scale = (n / square) ** 2  # labels of mean square 1, whose gain is the share
    return response_weights(n, n, fourth * scale, products * scale)


def random_pairs(asked: ColumnScores, draws: int, seed: int) -> Iterator[Array]:
    """Yield both statistics ``(b, 2)`` of random orders of one structure, before them a batch where they are joint."""
    drawn = asked.orders or drawn_sums(asked.structure, draws + BATCH * asked.joint, seed, most=BATCH)
    each = chain.from_iterable(map(asked.pairs, drawn))
    while batch := list(islice(each, BATCH)):
        yield np.array(batch)


def random_members(n: int, m: int, draws: int, seed: int) -> Iterator[Array]:
    """Yield which of ``n`` rows are the ``m`` of a class in random orders ``(b, n)``, for columns with any ties."""
    rng, size, members = np.random.default_rng([seed, n, m]), max(1, min(BATCH, BLOCK // (8 * n))), np.arange(n) < m
    # Few enough to be kept as floats, which a product need not make of them each time.
    if n * draws <= BLOCK:
        members = members.astype(float)
    for some in (min(draws, FIRST), max(draws - FIRST, 0)):
        yield from map(np.ascontiguousarray, random_orders(members, some, rng, size))


def log_of_sums(parts: Sequence[tuple[Array, int]], seen: int) -> float:
    """The logarithm of the chance that the sum of random values, so many of each part, is as far from its mean as one.

    Values ``(n,)`` are whole numbers from 0, and any of a part are equally likely. The chance is taken
    for 1e-290 where it is less: floats do not hold one of many parts.

    Examples
    --------
    >>> p = [exp(log_of_sums(parts, 5)) for parts in ([(np.arange(4), 2)], [(np.arange(4), 2), (np.array([7]), 0)])]
    >>> np.round(p, 4).tolist()  # one pair of six adds up to 5, and one to 1
    [0.3333, 0.3333]
    >>> log_of_sums([(np.repeat([0, 1], 10), 10)] * 70, 700) == log(1e-290)
    True
    """
    law, middle = np.ones(1), 0.0
    for values, some in parts:
        ways = np.zeros((some + 1, int(np.sort(values)[len(values) - some :].sum()) + 1))
        ways[0, 0] = 1.0
        for i, value in enumerate(values.tolist()):
            # Subsets with this one are one larger, and their sum is larger by its value; others cannot become ``some``.
            least, most = max(some - len(values) + i, 0), min(i + 1, some)
            ways[least + 1 : most + 1, value:] += ways[least:most, : max(ways.shape[1] - value, 0)].copy()
        law, middle = np.convolve(law, ways[some] / ways[some].sum()), middle + some * float(values.mean())
    away = np.abs(np.arange(len(law)) - middle)
    return log(min(1.0, max(float(law[away >= abs(seen - middle) * (1 - SAME)].sum()), 1e-290)))


def _affordable(asked: ColumnScores, draws: int) -> int:
    """The largest number of random orders to draw: fewer of large tables, none of very many rows."""
    rows = int(asked.rows.sum())
    if rows > DRAWN_ROWS:
        return 0
    size = rows if asked.target.responses is not None else len(asked.sizes) * len(asked.target.labels.counts)
    return max(min(draws, CELLS // size), min(draws, FEWEST))


def _of_two_classes(
    counts: Array, asked: ColumnScores, draws: int, limit: float, seed: int, enough: float
) -> ColumnTest:  # fmt: skip
    """The test of two classes: the law of the best cut, exact where it takes up to ``limit`` seconds, and of scores.

    A p-value that is larger than ``enough`` may be left at that: it is then 1, above a lower end that exceeds it.
    """
    best = best_cut.best(FeatureCounts(counts, asked.sizes, asked.gaps), asked.min_leaf, EXTREMES[asked.statistic])
    if best is None:
        return NOTHING
    cuts = best.cuts
    m = int(cuts.sizes[best.place])
    apart = best.at - m * (cuts.ones / cuts.n)
    groups = np.array([m, cuts.n - m])
    # The law is that of one form of the column, which rounding alone tells apart from the other.
    if asked.flipped:
        turned = FeatureCounts(asked.turned(counts), asked.often, asked.gaps)
        cuts = best_cut.seen(turned, asked.min_leaf).cuts
    (bounds,) = inside_each(best.bar, cuts.sizes, (False,))
    ends = best_cut.ends(cuts, *bounds, enough / HALVES**asked.joint, microseconds(limit))
    fields: dict[str, Any] = {"method": EXACT if ends.exact else INTERVAL, "statistic": "best cut"}
    p, least = ends.most, exp(ends.least) if ends.least < ends.most else None
    if asked.joint:
        log_p, method, error = asked.by_scores(asked.turned(counts[:, asked.target.order[0]]), draws, seed)
        joined = min(0.0, log(HALVES) + min(p, log_p))
        if least is not None:
            # Open unless scores decide, or p is 1, wherever the law ends; roundings of the two laws differ.
            above, both = log_p < ends.least - SAME, log(HALVES) + min(ends.least, log_p)
            least = None if above or both > SAME else min(exp(both), 1 - SAME)
        if log_p < p - SAME and log(HALVES) + log_p < 0:
            fields = {"method": method, "statistic": "scores", "standard_error": error and HALVES * error}
        p = joined
    fields |= {"p": exp(p), "log_p": p, "least": least, "cut": best.known, "missing_left": best.missing_left}
    return asked._standardised(np.array([[apart], [-apart]]), groups, **fields)
