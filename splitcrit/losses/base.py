"""What a loss is, and what follows from it for every arithmetic.

Main definitions: ``Loss``, ``risk``, ``scaled``, ``majority``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from splitcrit.arguments import of_kind, one_of, real
from splitcrit.arith import Arithmetic, total
from splitcrit.frozen import NamedValue

Space = Literal["simplex", "line", "reals", "bits"]


@dataclass(frozen=True, repr=False)
class Loss(NamedValue):
    """The cost ``at(w, k, m)`` of the action ``w`` when the class is ``k``.

    Parameters
    ----------
    name : str
        The text that makes the loss; it is what the loss prints as.
    at : callable
        ``at(w, k, m)`` with the arithmetic ``m``: a function of a module, or a frozen callable dataclass.
    act : callable, optional
        ``act(p, m)``, the action claimed optimal when class ``k`` has probability ``p[k]``.
    space : {"simplex", "line", "reals", "bits"}
        What an action is: a class distribution ``w[k]``, one real number (two classes, ``k = 1`` the positive
        one, or regression), a real number ``w[k]`` per class, or a yes (1) or no (0) per class.

    Raises
    ------
    ValueError
        If ``space`` is unknown.
    TypeError
        If the name is no text, or ``at`` or ``act`` cannot be called.

    Notes
    -----
    The minimised risk of any loss is concave in ``p``, so that every split has a non-negative gain.

    References
    ----------
    yang2019, eq. (1).

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> def at(w, k, m):
    ...     return sum(x * x for x in w) - 2 * w[k] + 1
    >>> Loss("mine", at).at((0.75, 0.25), 0, FLOAT)
    0.125
    """

    name: str
    at: Callable[[Any, int, Arithmetic], Any]
    act: Callable[[Any, Arithmetic], Any] | None = None
    space: Space = "simplex"

    def __post_init__(self) -> None:
        of_kind(self.name, str, "a loss has a text as its name", "pass the text that makes it")
        of_kind(self.at, Callable, "a loss has a function at(w, k, m)", "pass the cost of w for class k")
        rule = "the best action of a loss is a function act(p, m)"
        of_kind(self.act, Callable | None, rule, "pass it, or None")
        one_of(self.space, Space, "the space of a loss")


def risk(loss: Loss, w: Any, p: Any, m: Arithmetic) -> Any:
    """The risk ``sum_k p_k at(w, k)`` of the action ``w``; a class of probability 0 costs nothing.

    Parameters
    ----------
    loss : Loss
    w : an action in ``loss.space``
    p : class probabilities, indexed by class first
    m : Arithmetic

    Returns
    -------
    The risk, in the units of the loss.

    References
    ----------
    wilton2024, Section 3 (partial risk).

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit.arith import EXACT
    >>> from splitcrit.losses import square
    >>> p = (Fraction(1, 4), Fraction(3, 4))
    >>> risk(square, p, p, EXACT)
    Fraction(3, 8)
    """
    of_kind(loss, Loss, "a risk is that of a loss", "pass a Loss, such as losses.square")
    return total([x * m.where(x == 0, 0, loss.at(w, k, m)) for k, x in enumerate(p)])


@dataclass(frozen=True)
class Scaled:
    """A formula times a factor; the last of its arguments is the arithmetic."""

    of: Callable[..., Any]
    factor: Any

    def __call__(self, *arguments: Any) -> Any:
        return arguments[-1].number(self.factor) * self.of(*arguments)


def scaled(loss: Loss, factor: Any) -> Loss:
    """The loss multiplied by a positive constant; the best action stays what it was.

    Parameters
    ----------
    loss : Loss
    factor : number
        Above 0; a Fraction stays exact.

    Raises
    ------
    TypeError, ValueError
        If it is no loss, or the factor is not positive and finite.

    Examples
    --------
    >>> from splitcrit.losses import square
    >>> scaled(square, 2)
    scaled(square, 2)
    """
    of_kind(loss, Loss, "losses.scaled multiplies a loss", "pass a Loss, or use impurities.scaled")
    factor = real(factor, "a loss is scaled by a positive number", "pass a number above 0", lambda x: x > 0)
    return Loss(f"scaled({loss.name}, {factor})", Scaled(loss.at, factor), loss.act, loss.space)


def majority(p: Any, m: Arithmetic) -> list[Any]:
    """The vertex of the first most probable class, as a list of 0 and 1 per class."""
    top = m.max(p)
    vertex: list[Any] = []
    # What is left to give: the first of the largest takes it.
    free: Any = 1
    for x in p:
        vertex.append(m.where(x >= top, free, 0))
        free = free - vertex[-1]
    return vertex
