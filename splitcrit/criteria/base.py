"""What a criterion is: a score of contingency tables, larger is better.

Main definitions: ``Criterion``, ``decrease``, ``as_criterion``, ``replace``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from splitcrit.arguments import of_kind, truth, whole
from splitcrit.arith import EXACT, Arithmetic
from splitcrit.arith.array_libraries import arithmetic_of, blockwise, is_lazy, of_other_library
from splitcrit.arith.floats import levelled
from splitcrit.arith.symbolic import SYMPY, cells, each, no_formula, other_numbers
from splitcrit.criteria.gain import Decrease, ResponseDecrease
from splitcrit.data.counting import rows_and_columns
from splitcrit.data.crossing import Missing
from splitcrit.frozen import NamedValue, complaint, printable, shown
from splitcrit.impurities import Impurity
from splitcrit.impurities.search_declaration import NOTHING, Search
from splitcrit.losses import Loss, ResponseLoss
from splitcrit.losses.evaluation import answer, attempted, check_batches, in_floats
from splitcrit.table import Table
from splitcrit.table.array_counts import as_floats, on_host

# The fields that declare something beside the formula, with their values where nothing is declared.
DECLARED: dict[str, Any] = {
    "search": NOTHING, "of_table": None, "any_library": False, "response_loss": None,
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Criterion(NamedValue):
    """A score of contingency tables; larger is better.

    Parameters
    ----------
    name : str
        The text that makes the criterion; it is what the criterion prints as.
    score : callable
        ``score(t, m)`` with ``t[i][k]`` the count of class ``k`` in row ``i`` and ``m`` the arithmetic; ``t[i][k]``
        may be one number or an array of a batch.
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
        `splitcrit.impurities.by_sums`.
    of_table : callable, optional
        ``of_table(score, table)`` scores a `Table`, or a batch of them, in place of the formula when the criterion is
        called on one, for example a method of the score's class. It says that samples are counted: the null law is
        one of permuted labels, and weights are refused.
    any_library : bool
        Whether ``of_table`` takes counts in an array of any library; otherwise they must be numpy's.
    response_loss : ResponseLoss, optional
        The loss of responses that the criterion is from, by which regression trees grow.
    remake : callable, optional
        ``remake(score)`` makes the criterion of a score with other parameters; `replace` takes from it what follows
        them: the impurity, ``search`` and the fields after it.

    Raises
    ------
    TypeError, ValueError
        If an argument is not what it should be.

    Notes
    -----
    Two criteria are equal if all fields but ``remake`` are.

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
    of_table: Callable[[Any, Table], Any] | None = None
    any_library: bool = False
    response_loss: ResponseLoss | None = None
    remake: Callable[[Any], Criterion] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        of_kind(self.search, Search, "a criterion declares a Search", "pass one, such as that of by_sums")
        of_kind(self.name, str, "a criterion has a text as its name", "pass the text that makes it")
        of_kind(self.score, Callable, "a criterion has a formula score(t, m)", "pass a function of counts")
        of_kind(self.impurity, Impurity | None, "a criterion is the decrease of an impurity", "pass it, or None")
        for call in ("scale(counts, m)", "of_table(score, table)", "remake(score)"):
            what = call.partition("(")[0]
            rule = f"the {what} of a criterion is a function"
            of_kind(getattr(self, what), Callable | None, rule, f"pass {call}, or None")
        truth(self.any_library, "any_library")
        of_kind(self.response_loss, ResponseLoss | None, "response_loss is a ResponseLoss, or None", "pass one")
        for what, got, least in (("rows", self.rows, 1), ("classes", self.classes, 1), ("degree", self.degree, 0)):
            if got is not None:
                whole(got, what, least)

    @property
    def counting(self) -> bool:
        """Whether counts of samples are scored, not weights: the null law is one of permuted samples."""
        return self.search.divided.counting if self.search.divided else self.of_table is not None

    def __call__(self, table: Any, label: Any = None, *, missing: Missing = "error", **parameters: Any) -> Any:
        """The scores, float64 of shape ``(...)``, of tables ``(..., r, k)``, or of a feature and its label.

        Both are what ``Table.of`` takes; ``missing="row"`` gives a feature's missing values a last row.

        Counts in an array of torch, cupy, jax or another library give scores of that library on the same device,
        in float32 if they are float32; a dask array gives a promise, whose blocks are checked and scored on demand.
        A table of symbols of sympy gives an expression, one of numbers of mpmath a number of the working precision.
        Keyword parameters are those of the criterion, for this call only (``agini(table, alpha=0.05)``).

        Raises
        ------
        ValueError
            If the table is not one, or has another number of rows or classes than the definition allows.
        splitcrit.arith.Irrational
            If the criterion draws or searches, so that it is not a formula of symbols or numbers of mpmath.
        """
        if parameters:
            return replace(self, **parameters)(table, label, missing=missing)
        if label is None and (other := other_numbers(table)) is not None:
            return self._of_others(other[0], *other[1])
        table = Table.of(table, label, missing=missing)
        self.check(*table.shape[-2:])
        if self.response_loss is not None:
            return Criterion.from_loss(self.response_loss.of(table.class_names))(table)
        if of_other_library(table.counts):
            return self._of_arrays(table)
        return self._of_numbers(table) if self.of_table is None else self.of_table(self.score, table)

    def _of_others(self, m: Any, table: Any) -> Any:
        """The scores of symbols, or of numbers of mpmath."""
        rows_and_columns(table.shape)
        self.check(*table.shape[-2:])
        if self.search.tested is not None:
            raise no_formula(self.name, m, "pass counts, or take the criterion that it corrects")
        return each(m, table, 2, "class counts", partial(attempted, self.name, self.score))

    def symbolic(self, table: Any = (2, 2)) -> Any:
        """The score of a table of symbols as an expression of sympy; ``sympy.latex`` writes it for a paper.

        Parameters
        ----------
        table
            Symbols, numbers and expressions of sympy, rows by classes; or the number of rows and that of classes, for
            symbols ``a``, ``b``, ``c``, ``d`` of a 2 x 2 table and ``n_11``, ``n_12``, ... of others.

        Raises
        ------
        ValueError
            If it is no table, or has another number of rows or classes than the definition allows.
        splitcrit.arith.Irrational
            If the criterion is not a formula, but draws or searches.
        ModuleNotFoundError
            If sympy is not installed.

        Notes
        -----
        A symbol stands for a positive number: rows and classes that do not occur are no case of the expression.

        Examples
        --------
        >>> from splitcrit import gini
        >>> decrease(gini).symbolic()
        2*(a*d - b*c)**2/((a + b)*(c + d)*(a + b + c + d)**2)
        """
        if isinstance(table, tuple) and len(table) == 2 and not any(isinstance(x, list | tuple) for x in table):
            table = cells(whole(table[0], "the number of rows", 1), whole(table[1], "the number of classes", 1))
        return self._of_others(SYMPY, np.array(table, dtype=object))

    def _of_numbers(self, table: Table) -> Any:
        """The scores of numpy counts; a table of weights is divided by a power of two where that is allowed."""
        counts = table.counts
        scaled = counts.dtype != np.int64 and self.degree is not None
        cells, exponents = levelled(counts, 2) if scaled else (as_floats(counts), 0)
        scores = self.of_floats(np.moveaxis(cells, (-2, -1), (0, 1)))
        if not (scaled and self.degree):
            return scores
        with np.errstate(over="ignore", under="ignore"):
            back = np.ldexp(scores, self.degree * exponents)[()]
        if not np.isfinite(back).all():
            rule = f"the score of {self.name} is finite"
            raise ValueError(complaint(rule, "an overflow", "scale the weights down"))
        return back

    def of_floats(self, t: Any) -> Any:
        """The scores of counts ``t[i][k]`` in float64, each an array of a batch.

        Raises
        ------
        ValueError
            If the formula fails, or gives of a batch what it does not give of its tables one by one.

        Examples
        --------
        >>> from splitcrit import twoing
        >>> twoing.of_floats(np.array([[[2.0, 1.0], [0.0, 1.0]], [[0.0, 1.0], [2.0, 1.0]]])).tolist()
        [0.25, 0.0]
        """
        return in_floats(self, self.score, t, (len(t), len(t[0])))

    def _of_arrays(self, table: Table) -> Any:
        """The scores of counts in an array of another library: a promise for Dask."""
        if is_lazy(table.counts):
            return blockwise(self, table.counts)
        if self.of_table is not None:
            if not self.any_library:
                on_host(table.counts, self.name)
            return self.of_table(self.score, table)
        m: Any = arithmetic_of(table.counts)
        check_batches(self, self.score, tuple(table.shape[-2:]))
        return self.score(m.cells(table.counts), m)

    def exact(self, table: Any, label: Any = None, *, missing: Missing = "error") -> Any:
        """The score of one table, or of a feature and its label, as a ``Fraction``.

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

    def check(self, rows: int, classes: int) -> None:
        """Raise ValueError if tables of this shape are outside the definition."""
        for what, allowed, number in (("rows", self.rows, rows), ("classes", self.classes, classes)):
            got = whole(number, f"the number of {what}", 0)
            if allowed is not None and got != allowed:
                rule = f"{self.name} is defined for tables of {allowed} {what}"
                remedy = "choose a criterion for any number, such as decrease(gini)"
                raise ValueError(complaint(rule, got, remedy))

    @staticmethod
    def from_loss(loss: Loss | ResponseLoss) -> Criterion:
        """The decrease of the minimised risk of a loss: a criterion from *your* loss.

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
            return Criterion(name, ResponseDecrease(loss), degree=0, response_loss=loss, remake=_of_responses)
        return dataclasses.replace(decrease(Impurity.from_loss(loss)), name=name)


def decrease(impurity: Impurity) -> Criterion:
    """The criterion that scores a table by the decrease of an impurity, per sample.

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

    See Also
    --------
    normalised : Divided by the entropy of the split: the gain ratio.
    sgini : The Gini gain, corrected for chance.
    standardised : Any gain, corrected for chance.

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
    name = f"decrease({impurity.name})"
    score = Decrease(impurity)
    return Criterion(name, score, impurity, degree=0, search=impurity.search, remake=_of_decrease)


def _of_decrease(score: Decrease) -> Criterion:
    return decrease(score.impurity)


def _of_responses(score: ResponseDecrease) -> Criterion:
    return Criterion.from_loss(score.loss)


def as_criterion(value: Any) -> Criterion:
    """A criterion as it is, and an impurity as its decrease.

    Parameters
    ----------
    value : Criterion or Impurity

    Raises
    ------
    TypeError
        If the value is neither.
    """
    rule = "a criterion or an impurity is expected"
    remedy = "pass a value such as splitcrit.gini or splitcrit.twoing"
    return value if isinstance(value, Criterion) else decrease(of_kind(value, Impurity, rule, remedy))


def replace(value: Any, **changes: Any) -> Any:
    """A criterion (or any frozen value) with some of its parameters changed.

    Parameters
    ----------
    value : Criterion, or any frozen dataclass
    **changes
        Parameters of the criterion's score, or fields of the value.

    Raises
    ------
    TypeError
        If the value has no such parameter; the known ones are listed.

    Examples
    --------
    >>> from splitcrit import agini
    >>> replace(agini, alpha=0.2)
    replace(agini, alpha=0.2)
    """
    if (fields := _fields(value)) is None:
        rule = "replace changes parameters of a criterion or another frozen value"
        raise TypeError(complaint(rule, shown(value), "pass a value such as splitcrit.agini"))
    known = [name for name in _fields(value.score) or () if name != "score"] if isinstance(value, Criterion) else []
    if set(changes) <= set(fields).difference(known):
        anew = {**DECLARED, "remake": None} if isinstance(value, Criterion) and "score" in changes else {}
        return dataclasses.replace(value, **(anew | changes))
    if not set(changes) <= set(known):
        rule = f"{value!r} has the parameters {', '.join(known) or 'none'}"
        raise TypeError(complaint(rule, ", ".join(sorted(changes)), "pass a parameter it has"))
    for key, change in changes.items():
        if not printable(change):
            got = f"{key} of {shown(change)}"
            raise ValueError(complaint("a parameter can be printed", got, "pass another"))
    each = ", ".join(f"{key}={change!r}" for key, change in changes.items())
    name = f"replace({value.name}, {each})"
    score = dataclasses.replace(value.score, **changes)
    if value.remake is None:
        following = {key: change for key, change in changes.items() if key in fields}
    else:
        remade = value.remake(score)
        following = {key: getattr(remade, key) for key in ("impurity", *DECLARED)}
    return dataclasses.replace(value, name=name, score=score, **following)


def _fields(value: Any) -> list[str] | None:
    """The names of the fields of a frozen value; None of anything else."""
    if isinstance(value, type) or not dataclasses.is_dataclass(value):
        return None
    return [field.name for field in dataclasses.fields(value)]
