"""What a criterion is: a score of contingency tables, larger is better.

Main definitions: ``Criterion``, ``decrease``, ``as_criterion``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import is_number, of_kind, whole
from splitcrit.arith import (
    ARRAY,
    EXACT,
    FLOAT,
    Arithmetic,
    arithmetic_of,
    blockwise,
    is_lazy,
    levelled,
    of_other_library,
)
from splitcrit.criteria.gain import Decrease, ResponseDecrease
from splitcrit.criteria.parameters import replace
from splitcrit.frozen import LARGEST, called, complaint, guarded_state, itself, shown
from splitcrit.impurities import Impurity
from splitcrit.impurities.forms import NOTHING, Search
from splitcrit.losses import Loss, ResponseLoss
from splitcrit.losses.formulas import answer
from splitcrit.table import Table
from splitcrit.table.array_counts import as_floats, on_host
from splitcrit.table.crossing import Missing


@dataclass(frozen=True, repr=False)
class Criterion:
    """A score of contingency tables; larger is better.

    Parameters
    ----------
    name : str
        The text that makes the criterion; it is what the criterion prints as.
    score : callable
        ``score(t, m)`` with ``t[i][k]`` the count of class ``k`` in row ``i`` and ``m`` the arithmetic; ``t[i][k]``
        may be one number or an array of a batch. A score of counts may have a method ``of_table(table)``, which is
        used when the criterion is called on a table (of numpy counts, unless its attribute ``any_library`` is true).
    impurity : Impurity, optional
        The impurity whose decrease the score is.
    rows, classes : int, optional
        The only number of rows, or of classes, that the definition allows; None allows any.
    scale : callable, optional
        ``scale(counts, m)``, the size of scores at a node with these class counts, where it is not the impurity: a
        search takes scores closer than 1e-11 of it for ties. None means 1.
    degree : int, optional
        The power of ``c`` by which the score of ``c`` times the counts is larger: 0 for a score of proportions. Weights
        of any size are then scored without overflow. None, where there is no such power.
    search : Search, optional
        What a search of splits may know beside the formula; for a decrease that of the impurity, such as
        `splitcrit.impurities.by_sums`. A score with parameters may have an attribute ``search`` that follows them.

    Raises
    ------
    TypeError, ValueError
        If an argument is not what it should be.

    Examples
    --------
    >>> from splitcrit import gini, decrease, twoing
    >>> float(decrease(gini)([[2, 0], [0, 2]]))
    0.5
    >>> twoing.exact([[2, 1], [0, 3]])
    Fraction(1, 9)
    """

    name: str
    score: Callable[[Any, Arithmetic], Any]
    impurity: Impurity | None = None
    rows: int | None = None
    classes: int | None = None
    scale: Callable[[Any, Arithmetic], Any] | None = None
    degree: int | None = None
    search: Search = NOTHING

    def __post_init__(self) -> None:
        of_kind(self.search, Search, "a criterion declares a Search", "pass one, such as that of by_sums")
        if self.search == NOTHING:
            object.__setattr__(self, "search", getattr(self.score, "search", NOTHING))
        of_kind(self.name, str, "a criterion has a text as its name", "pass the text that makes it")
        of_kind(self.score, Callable, "a criterion has a formula score(t, m)", "pass a function of counts")
        of_kind(self.impurity, Impurity | None, "a criterion is the decrease of an impurity", "pass it, or None")
        of_kind(self.scale, Callable | None, "the scale of a criterion is a function", "pass scale(counts, m), or None")
        for what, got, least in (("rows", self.rows, 1), ("classes", self.classes, 1), ("degree", self.degree, 0)):
            if got is not None and not (
                is_number(got) and isinstance(got, int | np.integer) and least <= got < LARGEST
            ):
                raise ValueError(complaint(f"{what} are an integer from {least}, or None", shown(got), "pass one"))

    __repr__ = called
    __getstate__ = guarded_state
    __copy__ = __deepcopy__ = itself

    @property
    def counting(self) -> bool:
        """Whether counts of samples are scored, not weights: the null law is one of permuted samples."""
        return self.search.divided.counting if self.search.divided else hasattr(self.score, "of_table")

    def __call__(self, table: Any, label: Any = None, *, missing: Missing = "error", **parameters: Any) -> Any:
        """Return the scores, float64 of shape ``(...)``, of tables ``(..., r, k)``, or of a feature and its label.

        Both are what ``Table.of`` takes; ``missing="row"`` gives a feature's missing values a last row.

        Counts in an array of torch, cupy, jax or another library give scores of that library on the same device,
        in float32 if they are float32; a dask array gives a promise, whose blocks are checked and scored on demand.
        Keyword parameters are those of the criterion, for this call only (``agini(table, alpha=0.05)``).

        Raises
        ------
        ValueError
            If the table is not one, or has another number of rows or classes than the definition allows.
        """
        if parameters:
            return replace(self, **parameters)(table, label, missing=missing)
        table = Table.of(table, label, missing=missing)
        self.check(*table.shape[-2:])
        if self.response_loss is not None:
            return Criterion.from_loss(self.response_loss.of(table.class_names))(table)
        if of_other_library(table.counts):
            return self._of_arrays(table)
        if (of_table := getattr(self.score, "of_table", None)) is not None:
            return of_table(table)
        return self._of_numbers(table)

    def _of_numbers(self, table: Table) -> Any:
        """Return the scores of numpy counts; a table of weights is divided by a power of two where that is allowed."""
        counts, batch = table.counts, table.shape[:-2]
        scaled = counts.dtype != np.int64 and self.degree is not None
        cells, exponents = levelled(counts, 2) if scaled else (as_floats(counts), 0)
        scores = answer(self.name, self.score, np.moveaxis(cells, (-2, -1), (0, 1)), FLOAT, batch)
        if not (scaled and self.degree):
            return scores
        with np.errstate(over="ignore", under="ignore"):
            found = np.ldexp(scores, self.degree * exponents)[()]
        if not np.isfinite(found).all():
            raise ValueError(complaint(f"the score of {self.name} is finite", "an overflow", "scale the weights down"))
        return found

    @property
    def drawn_tables(self) -> int:
        """How many random tables the score of a table draws; 0 of a formula."""
        return int(getattr(self.score, "evaluations", 0))

    def _of_arrays(self, table: Table) -> Any:
        """Return the scores of counts in an array of another library: a promise for Dask."""
        if is_lazy(table.counts):
            return blockwise(self, table.counts)
        if hasattr(self.score, "of_table"):
            if not getattr(self.score, "any_library", False):
                on_host(table.counts, self.name)
            return self.score.of_table(table)
        m = arithmetic_of(table.counts)
        assert isinstance(m, ARRAY)
        return self.score(m.cells(table.counts), m)

    def exact(self, table: Any, label: Any = None, *, missing: Missing = "error") -> Any:
        """Return the score of one table, or of a feature and its label, as a ``Fraction``.

        Raises
        ------
        splitcrit.arith.Irrational
            If the score is not a rational number, or its formula computes with floats.
        ValueError
            As when called.
        """
        table = Table.of(table, label, missing=missing)
        self.check(*table.shape[-2:])
        if self.response_loss is not None:
            return Criterion.from_loss(self.response_loss.of(table.class_names)).exact(table)
        return answer(self.name, self.score, table.exact(), EXACT, ())

    @property
    def response_loss(self) -> ResponseLoss | None:
        """The loss of responses that this is from; None of a criterion of classes."""
        return self.score.loss if isinstance(self.score, ResponseDecrease) else None

    def check(self, rows: int, classes: int) -> None:
        """Raise ValueError if tables of this shape are outside the definition."""
        for what, allowed, given in (("rows", self.rows, rows), ("classes", self.classes, classes)):
            got = whole(given, f"the number of {what}", 0)
            if allowed is not None and got != allowed:
                rule = f"{self.name} is defined for tables of {allowed} {what}"
                raise ValueError(complaint(rule, got, "choose a criterion for any number, such as decrease(gini)"))

    @staticmethod
    def from_loss(loss: Loss | ResponseLoss) -> Criterion:
        """Return the decrease of the minimised risk of a loss: a criterion from *your* loss.

        Parameters
        ----------
        loss : Loss or ResponseLoss
            By a loss of responses regression trees and forests grow; of a table the classes are then responses, those
            that name them.

        Raises
        ------
        TypeError
            If it is no loss.

        References
        ----------
        yang2019, eq. (1).

        Examples
        --------
        >>> from splitcrit.losses import ResponseLoss, square
        >>> float(Criterion.from_loss(square)([[2, 0], [0, 2]]))
        0.5
        >>> mine = ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y))
        >>> round(float(Criterion.from_loss(mine)(["a", "a", "b", "b"], [1, 1, 5, 5])), 9)
        4.0
        """
        name = f"Criterion.from_loss({getattr(loss, 'name', '')})"
        if isinstance(loss, ResponseLoss):
            return Criterion(name, ResponseDecrease(loss), degree=0)
        return dataclasses.replace(decrease(Impurity.from_loss(loss)), name=name)


def decrease(impurity: Impurity) -> Criterion:
    """Return the criterion that scores a table by the decrease of an impurity, per sample.

    ``phi(p) - sum_i (n_i / N) phi(p_i)`` with ``p`` the class proportions of the node and ``p_i`` of row ``i``.

    Parameters
    ----------
    impurity : Impurity

    Returns
    -------
    Criterion
        For tables with any number of rows and classes, in the unit of the impurity.

    Raises
    ------
    TypeError
        If it is no impurity.

    Notes
    -----
    Proved: gain.of_loss_is_n_times_decrease_of_its_impurity, gain.is_nonnegative_and_impurity_concave_of_any_loss

    References
    ----------
    wang2024, eq. (7); yang2019, eq. (1).

    Examples
    --------
    >>> from splitcrit import gini
    >>> decrease(gini)
    decrease(gini)
    >>> decrease(gini).exact([[3, 1], [1, 3], [2, 2]])
    Fraction(1, 12)
    """
    of_kind(impurity, Impurity, "a decrease is that of an impurity", "pass an Impurity, such as splitcrit.gini")
    return Criterion(f"decrease({impurity.name})", Decrease(impurity), impurity, degree=0, search=impurity.search)


def as_criterion(value: Any) -> Criterion:
    """Return a criterion as it is, and an impurity as its decrease.

    Raises
    ------
    TypeError
        If the value is neither.
    """
    if isinstance(value, Criterion):
        return value
    rule = "a criterion or an impurity is expected"
    of_kind(value, Impurity, rule, "pass a value such as splitcrit.gini or splitcrit.twoing")
    return decrease(value)
