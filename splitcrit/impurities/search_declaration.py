"""What a search of splits may know of a criterion beside its formula, so that compiled loops can score it.

A search that knows only the formula ``of(p, m)`` calls it on blocks of splits. One that knows how a score follows from
class counts keeps running sums in a compiled loop instead. What a user declares is checked against the
formula when a search first uses it, so that it cannot say something else.

Main definitions: ``Search`` (all that may be declared), ``by_sums`` (scores that are sums of a function of the class
counts), ``Form`` (a declaration made out for nodes of up to some size); the forms of the library's own: ``squares``,
``logarithms``, ``roots``, ``Powers`` (impurities), ``twoing_form``, ``ChanceCorrected``, ``Standardised`` (criteria).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy as np

from splitcrit.arguments import Array, real
from splitcrit.arith import FLOAT
from splitcrit.display import shortened
from splitcrit.frozen import complaint

KINDS = range(9)
RATIO, DIFFERENCE, ROOT, POWER, SGINI, AGINI, AGINI_PERMUTED, TAIL, STANDARDISED = KINDS
SUMS = RATIO, DIFFERENCE, ROOT, POWER  # scores that combine the sums over classes of both sides
LARGEST_POWER = 1e300


@dataclass(frozen=True, eq=False)
class Form:
    """How a score follows from counts: ``phi`` and ``table`` by size from 0, ``unit`` and ``power`` as the kind says.

    ``tie`` widens the ties of a compiled loop where the scale of the criterion is not the impurity of the form.
    """

    kind: int
    phi: Array
    table: Array
    unit: float = 1.0
    power: float = 0.0
    tie: float = 1.0


MakeForm = Callable[[int, int], Form | None]
OfCounts = Callable[[Array], Array]


@dataclass(frozen=True, repr=False)
class Search:
    """Optional declarations about an impurity or a criterion.

    Parameters
    ----------
    form : callable, optional
        ``form(size, classes)`` returns the `Form` for nodes of up to ``size`` samples, or None without one.
    zone : number, optional
        ``lam``, if the decrease is exactly 0 where that of ``ne(lam)`` is; 1 is misclassification. Decided in integers.
    error : float
        The relative error of a formula that minimises numerically.
    divided : optional
        The criterion that is divided by the entropy of the split, if the score is such a ratio.
    guarded : bool
        Whether thresholds whose undivided score is below the average of the node are left out.
    tested : optional
        What features are compared by, where that is not the score of their best threshold.
    negative : bool
        Whether no score is above 0, so that no split ever pays.
    two_classes : {"squares", "differences"}, optional
        For two classes and two rows the score grows with ``(ad - bc)^2 / (N_L N_R)``, or with ``|ad - bc|`` alone.
    multiple_of : optional
        The impurity or criterion that this is a positive multiple of.
    of_node : callable, optional
        ``of_node(tables)`` scores the tables of all features of a node together.
    facts : optional
        What is settled of the criterion, ``properties(criterion).facts`` of `splitcrit.proof`: searches and
        `optimal_vertex` rely on it as on the theorems of the library.
    """

    form: MakeForm | None = None
    zone: Any = None
    error: float = 0.0
    divided: Any = None
    guarded: bool = False
    tested: Any = None
    negative: bool = False
    two_classes: str | None = None
    multiple_of: Any = None
    of_node: Callable[[Any], Any] | None = None
    facts: Any = None

    __repr__ = shortened

    @property
    def tried(self) -> bool:
        """Whether a search tries the form against the formula first: it is none of the library's own."""
        form = self.form
        while isinstance(form, Times):
            form = form.form
        makes = form if isinstance(form, FunctionType) else type(form)
        return makes is BySums or makes.__module__ != __name__  # tests compare those of the library


NOTHING = Search()


@dataclass(frozen=True)
class BySums:
    """See ``by_sums``."""

    phi: OfCounts
    by_size: OfCounts
    kind: int
    unit: float = 1.0

    def __call__(self, size: int, classes: int) -> Form:
        n = counts_to(size)
        return Form(self.kind, np.asarray(self.phi(n)), np.asarray(self.by_size(np.maximum(n, 1))), self.unit)


def by_sums(phi: OfCounts, *, times: OfCounts | None = None, less: OfCounts | None = None, unit: float = 1.0) -> Search:
    """The declaration of an impurity that is a sum over classes of a function of their counts.

    With ``S = sum_k phi(n_k)`` and a node of ``n`` samples, ``n`` times the impurity is ::

        unit (n - times(n) S)    or    unit (less(n) - S)

    Parameters
    ----------
    phi : callable
        A function of an array of counts from 0.
    times, less : callable
        One of them, a function of an array of sizes from 1.
    unit : float
        Above 0.

    Raises
    ------
    TypeError, ValueError
        If not exactly one of ``times`` and ``less`` is given, or the unit is not positive and finite.

    Examples
    --------
    >>> from splitcrit import Impurity, decrease
    >>> from splitcrit.arith import total
    >>> def cubes(p, m):
    ...     return 1 - total([x * x * x for x in p])
    >>> mine = Impurity("cubes", cubes, search=by_sums(lambda n: n**3, times=lambda n: n**-2.0))
    >>> decrease(mine).exact([[2, 0], [0, 2]])
    Fraction(3, 4)
    """
    if (times is None) == (less is None):
        got = "none" if times is None else "both"
        raise TypeError(complaint("a sum over classes has times or less", got, "pass one of them"))
    unit = real(unit, "the unit of an impurity is positive and finite", "use 1.0", lambda x: x > 0)
    return Search(BySums(phi, times or less, RATIO if times else DIFFERENCE, unit))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Times:
    """The form of an impurity multiplied by a positive number."""

    form: MakeForm
    factor: Any

    def __call__(self, size: int, classes: int) -> Form | None:
        form = self.form(size, classes)
        return None if form is None else replace(form, unit=form.unit * float(self.factor))


def counts_to(size: int) -> Array:
    """The numbers of samples from 0 to one more than the largest node has."""
    return np.arange(size + 2, dtype=float)


def squares(size: int, classes: int) -> Form:
    """The form of Gini's impurity: ``S/n`` with ``S`` the sum of squares, of the sides more than of the node."""
    n = counts_to(size)
    return Form(RATIO, n * n, np.maximum(n, 1) ** -1)


def logarithms(size: int, classes: int) -> Form:
    """The form of the entropy: ``sum n_k log n_k - n log n``."""
    table = FLOAT.xlogx(counts_to(size))
    return Form(DIFFERENCE, table, table)


def roots(size: int, classes: int) -> Form:
    """The form of the square root of Gini's impurity: ``-sqrt(n^2 - S)``."""
    n = counts_to(size)
    return Form(ROOT, n * n, n * n, float(np.sqrt((classes - 1) / classes)))


@dataclass(frozen=True)
class Powers:
    """``S^(1 - q) / q`` with ``S = sum n_k^(1/(1 - q))``, as long as that is finite."""

    q: Any

    def __call__(self, size: int, classes: int) -> Form | None:
        n, q = counts_to(size), float(self.q)
        if np.log(n[-1]) / (1 - q) + np.log(classes) >= np.log(LARGEST_POWER):
            return None
        return Form(POWER, n ** (1 / (1 - q)), np.maximum(n, 1) ** -1, 1 / q, 1 - q)


def twoing_form(size: int, classes: int) -> Form | None:
    """The form of twoing, which is half of Gini's gain for two classes; its ties are on Gini's scale."""
    return replace(squares(size, classes), unit=0.5, tie=2.0) if classes == 2 else None


@dataclass(frozen=True)
class Standardised:
    """A decrease in standard deviations above chance, of two classes and an impurity that is a sum over classes."""

    form: MakeForm

    def __call__(self, size: int, classes: int) -> Form | None:
        inner = self.form(size, classes) if classes == 2 else None
        if inner is None or inner.kind not in (RATIO, DIFFERENCE):
            return None
        return replace(inner, kind=STANDARDISED, power=float(inner.kind), unit=1.0)


@dataclass(frozen=True)
class ChanceCorrected:
    """A Gini gain corrected for chance: the kind, and the probability by whose odds the variance is divided."""

    kind: int
    alpha: Any = 0.5

    def __call__(self, size: int, classes: int) -> Form:
        return replace(squares(size, classes), kind=self.kind, power=float((1 - self.alpha) / self.alpha))
