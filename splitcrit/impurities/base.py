"""What an impurity is: the minimised risk of a loss, written as a formula of the class distribution.

Main definitions: ``Impurity``, ``scaled``, ``Risk`` (the formula that a loss with a known best action gives).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import Any

import numpy as np

from splitcrit import losses
from splitcrit.arguments import of_kind, real, whole
from splitcrit.arith import ARRAY, EXACT, Arithmetic, total
from splitcrit.arith.array_libraries import arithmetic_of, blockwise, is_lazy, of_other_library
from splitcrit.arith.floats import levelled
from splitcrit.arith.symbolic import SYMPY, each, other_numbers, vector
from splitcrit.data.counting import real_array
from splitcrit.frozen import NamedValue, complaint
from splitcrit.impurities.numeric import NumericRisk
from splitcrit.impurities.search_declaration import NOTHING, Search, Times
from splitcrit.losses import Loss
from splitcrit.losses.base import Scaled
from splitcrit.losses.evaluation import answer, attempted, check_batches, in_floats

POSITIVE = "a class distribution has positive weight"
CONSERVATIVE = (losses.zero_one, losses.mae, losses.infinity_norm)


def proportions(weights: Any) -> Any:
    """Class weights ``(..., k)`` as proportions, class first: Fractions when all are exact, else float64.

    Raises
    ------
    ValueError
        If a weight is negative or not finite, or a distribution has no weight at all.
    TypeError
        If a weight is no real number.
    """
    cells = real_array(weights, "class weights", _place)
    _some_class(cells.shape)
    if not (cells != 0).any(axis=-1).all():
        raise ValueError(complaint(POSITIVE, "only zeros", "leave empty nodes out"))
    listed = weights if isinstance(weights, list | tuple) else ()
    if any(isinstance(x, Fraction) for x in listed) and all(isinstance(x, Rational) for x in listed):
        whole = sum(map(EXACT.number, cells.tolist()))
        return [EXACT.number(x) / whole for x in cells.tolist()]
    classes = np.moveaxis(cells if cells.dtype == np.int64 else levelled(cells, 1)[0], -1, 0).astype(float)
    return classes / total(classes)


def _some_class(shape: Any) -> None:
    """Raise ValueError unless weights of this shape are of one class or more."""
    if not shape or shape[-1] == 0:
        rule = "a class distribution needs at least one class"
        raise ValueError(complaint(rule, f"shape {tuple(shape)}", "pass weights (..., k)"))


def _place(index: tuple[int, ...]) -> str:
    """Say where a weight stands."""
    *batch, k = index or (0,)
    where = f"class {k}"
    return f"{where} of distribution {batch[0] if len(batch) == 1 else tuple(batch)}" if batch else where


def device_proportions(weights: Any, m: ARRAY) -> list[Any]:
    """Class weights of another library as proportions, class first, after one check on the device."""
    _some_class(weights.shape)
    classes = m.entries(weights)
    whole = total(classes)
    good = (m.min(classes) >= 0) & (whole > 0) & (whole < np.inf)
    if not bool(m.xp.all(good)):
        rule = "class weights are non-negative and finite, and not all zero"
        got = "others"
        raise ValueError(complaint(rule, got, "pass counts or probabilities, and leave empty nodes out"))
    return [x / whole for x in classes]


@dataclass(frozen=True, repr=False)
class Impurity(NamedValue):
    """An impurity ``of(p, m)`` of a class distribution, and the loss whose minimised risk it is.

    Parameters
    ----------
    name : str
        The text that makes the impurity; it is what the impurity prints as.
    of : callable
        ``of(p, m)`` with ``p`` indexed by class first and ``m`` the arithmetic.
    loss : Loss, optional
        The loss with ``of(p) = inf_w sum_k p_k at(w, k)``, attained at ``loss.act(p)``.
    search : Search, optional
        What a search of splits may know beside the formula, such as `by_sums`.

    Raises
    ------
    TypeError
        If the name is no text, ``of`` cannot be called, or ``loss`` is no loss.

    References
    ----------
    yang2019, eq. (1); wilton2024, Section 3.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit import gini
    >>> float(gini([1, 3]))
    0.375
    >>> gini([Fraction(1, 4), Fraction(3, 4)])
    Fraction(3, 8)
    """

    name: str
    of: Callable[[Any, Arithmetic], Any]
    loss: Loss | None = None
    search: Search = NOTHING

    def __post_init__(self) -> None:
        of_kind(self.name, str, "an impurity has a text as its name", "pass the text that makes it")
        of_kind(self.of, Callable, "an impurity has a formula of(p, m)", "pass a function of class proportions")
        of_kind(self.loss, Loss | None, "an impurity is the minimised risk of a loss", "pass a Loss, or None")
        of_kind(self.search, Search, "an impurity declares a Search", "pass one, such as that of by_sums")

    def __call__(self, weights: Any) -> Any:
        """The impurity of class weights ``(..., k)``: counts or probabilities, last axis the classes.

        Exact numbers with a Fraction among them give a Fraction, others float64, whatever their size. An array of
        another library gives one of that library, on the same device. Symbols of sympy give an expression, numbers of
        mpmath one of the working precision.

        Raises
        ------
        ValueError
            If a weight is negative or not finite, all weights of a distribution are zero, or the formula fails.
        TypeError
            If a weight is no real number, or symbols stand beside numbers of mpmath.
        splitcrit.arith.Irrational
            If the impurity of exact numbers is irrational.
        """
        if of_other_library(weights):
            return self._of_array(weights)
        if (other := other_numbers(weights)) is not None:
            return self._of_others(other[0], *other[1])
        p = proportions(weights)
        return answer(self.name, self.of, p, EXACT, ()) if isinstance(p, list) else self.of_floats(p)

    def of_floats(self, p: Any) -> Any:
        """The impurity of class proportions in float64, class first, each an array of a batch.

        Raises
        ------
        ValueError
            If the formula fails, or gives of a batch what it does not give of its items one by one.

        Examples
        --------
        >>> from splitcrit import gini
        >>> gini.of_floats([np.array([0.5, 1.0]), np.array([0.5, 0.0])]).tolist()
        [0.5, 0.0]
        """
        return in_floats(self, self.of, p, (len(p),))

    def _of_others(self, m: Any, weights: Any) -> Any:
        """The impurity of symbols, or of numbers of mpmath; positive weights add up to more than 0."""
        _some_class(weights.shape)

        def formula(entries: list[Any], m: Any) -> Any:
            whole = total(entries)
            if m.is_zero(whole):
                raise ValueError(complaint(POSITIVE, "only zeros", "leave empty nodes out"))
            p = entries if m.is_zero(whole - 1) else [x / whole for x in entries]
            return attempted(self.name, self.of, p, m)

        return each(m, weights, 1, "class weights", formula)

    def symbolic(self, classes: int = 2) -> Any:
        """The impurity as an expression of sympy in the class probabilities ``p_1``, ..., ``p_K``.

        Two classes have the probabilities ``1 - p`` and ``p``. The symbols stand for positive numbers of sum 1.
        ``sympy.latex`` writes the expression for a paper.

        Parameters
        ----------
        classes : int

        Raises
        ------
        ValueError
            If it is no integer from 1, or the formula fails.
        ModuleNotFoundError
            If sympy is not installed.

        Examples
        --------
        >>> from splitcrit import gini
        >>> gini.symbolic(), gini.symbolic(3)
        (2*p*(1 - p), -p_1**2 - p_2**2 - p_3**2 + 1)
        >>> import sympy
        >>> print(sympy.latex(gini.symbolic()))
        2 p \\left(1 - p\\right)
        """
        symbols = vector(whole(classes, "the number of classes", 1), "p", of_sum_one=True)
        formula = partial(attempted, self.name, self.of)
        facts = [1 - p for p in symbols]
        return SYMPY.run(symbols, "class probabilities", formula, facts=facts)

    def _of_array(self, weights: Any) -> Any:
        """The impurity of weights in an array of another library: a promise for Dask."""
        if is_lazy(weights):
            return blockwise(self, weights, axes=1)
        m: Any = arithmetic_of(weights)
        check_batches(self, self.of, tuple(weights.shape[-1:]))
        return self.of(device_proportions(weights, m), m)

    @staticmethod
    def from_loss(loss: Loss) -> Impurity:
        """The impurity that is the minimised risk of ``loss``.

        With ``loss.act`` it is the formula ``sum_k p_k at(act(p), k)``. Without it the minimum is found numerically
        (see ``NumericRisk`` for the tolerance): at two classes from a table made once, beyond that point by point.

        Raises
        ------
        ValueError
            If the loss has no ``act`` and no actions on the simplex or the line.
        TypeError
            If it is no loss.

        References
        ----------
        yang2019, eq. (1).

        Examples
        --------
        >>> from splitcrit.losses import square
        >>> float(Impurity.from_loss(square)([1, 3]))
        0.375
        """
        of_kind(loss, Loss, "an impurity is the minimised risk of a loss", "pass a Loss, such as losses.square")
        name = f"Impurity.from_loss({loss.name})"
        zone = 1 if loss in CONSERVATIVE else None
        of, error = (Risk(loss), 0.0) if loss.act is not None else (NumericRisk(loss), NumericRisk.error)
        return Impurity(name, of, loss, Search(zone=zone, error=error))


@dataclass(frozen=True)
class Risk:
    """The formula ``sum_k p_k at(act(p), k)`` of a loss with a known best action."""

    loss: Loss

    def __post_init__(self) -> None:
        of_kind(self.loss, Loss, "a risk is that of a loss", "pass a Loss, such as losses.square")

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        assert self.loss.act is not None
        return losses.risk(self.loss, self.loss.act(p, m), p, m)


def scaled(impurity: Impurity, factor: Any) -> Impurity:
    """The impurity multiplied by a positive constant, with its loss.

    Parameters
    ----------
    impurity : Impurity
    factor : number
        Above 0; a Fraction stays exact.

    Raises
    ------
    TypeError, ValueError
        If it is no impurity, or the factor is not positive and finite.

    Examples
    --------
    >>> from splitcrit import gini
    >>> scaled(gini, 2)
    scaled(gini, 2)
    >>> float(scaled(gini, 2)([1, 1]))
    1.0
    """
    of_kind(impurity, Impurity, "scaled multiplies an impurity", "pass an Impurity, or use losses.scaled")
    factor = real(factor, "an impurity is scaled by a positive factor", "pass a number above 0", lambda x: x > 0)
    loss = None if impurity.loss is None else losses.scaled(impurity.loss, factor)
    form = None if impurity.search.form is None else Times(impurity.search.form, factor)
    search = replace(impurity.search, form=form, multiple_of=impurity.search.multiple_of or impurity)
    return Impurity(f"scaled({impurity.name}, {factor})", Scaled(impurity.of, factor), loss, search)
