"""A loss of responses that a user writes: the cost of predicting ``w`` where the response is ``y``.

Main definitions: ``ResponseLoss``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import of_kind
from splitcrit.arith import Arithmetic, total
from splitcrit.frozen import called, complaint, guarded_state, itself
from splitcrit.losses.base import Loss
from splitcrit.losses.response_losses import responses

Formula = Callable[[Any, Arithmetic], Any]


@dataclass(frozen=True, repr=False)
class ResponseLoss:
    """The cost ``at(w, y, m)`` of predicting ``w`` where the response is ``y``: a ``criterion`` of regression trees.

    A split scores by how much the least mean loss falls. It is a formula where ``statistics``, ``act`` and ``risk`` are
    given; else it is found numerically, between the least and the largest response of a node.

    Parameters
    ----------
    name : str
        What the loss prints as.
    at : callable
        ``at(w, y, m)`` with the arithmetic ``m``, of arrays that are broadcast.
    statistics : callable, optional
        ``statistics(y, m)``, the tuple of transformed responses on whose weighted means all follows.
    act : callable, optional
        ``act(means, m)``, the prediction of least mean loss.
    risk : callable, optional
        ``risk(means, m)``, the least mean loss.

    Raises
    ------
    TypeError, ValueError
        If the name is no text, a function cannot be called, or some of ``statistics``, ``act``, ``risk`` are missing.

    Notes
    -----
    A cost that is not a number counts as infinite. Without statistics the time grows with the square of the number of
    rows of a node, and the least loss is right to 1e-9 where it has one minimum between neighbouring responses. Of a
    cost that is convex in ``w``, as far as trials tell, few thresholds need more than one pass over the responses.

    References
    ----------
    yang2019, eq. (1).

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> loss = ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y))
    >>> loss, float(loss.at(2.0, 5.0, FLOAT))
    (mine, 9.0)
    """

    name: str
    at: Callable[[Any, Any, Arithmetic], Any]
    statistics: Formula | None = None
    act: Formula | None = None
    risk: Formula | None = None

    def __post_init__(self) -> None:
        of_kind(self.name, str, "a loss has a text as its name", "pass the text that makes it")
        of_kind(self.at, Callable, "a loss of responses has a function at(w, y, m)", "pass the cost of w for y")
        declared = {"statistics": self.statistics, "act": self.act, "risk": self.risk}
        for name, given in declared.items():
            of_kind(given, Callable | None, f"{name} of a loss of responses is a function", "pass it, or None")
        missing = [name for name, given in declared.items() if given is None]
        if 0 < len(missing) < len(declared):
            rule = "a loss of responses declares statistics, act and risk, or none of them"
            raise ValueError(complaint(rule, f"no {' and no '.join(missing)}", "pass all three, or at alone"))

    __repr__ = called
    __getstate__ = guarded_state
    __copy__ = __deepcopy__ = itself

    def of(self, values: Any) -> Loss:
        """Return the loss of classes that stand for these responses, whose minimised risk is an impurity.

        Raises
        ------
        TypeError, ValueError
            If a response is no finite number.

        Examples
        --------
        >>> from splitcrit import Impurity
        >>> loss = ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y)).of((0, 2))
        >>> loss, round(float(Impurity.from_loss(loss)([1, 1])), 9)
        (mine.of((0, 2)), 1.0)
        """
        values = responses(values)
        act = None if self.act is None else _Act(self, values)
        return Loss(f"{self.name}.of({values})", _At(self, values), act, "line")


@dataclass(frozen=True)
class _At:
    loss: ResponseLoss
    values: tuple[Any, ...]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        with np.errstate(all="ignore"):  # an infinite cost is a value
            return self.loss.at(w, m.number(self.values[k]), m)


@dataclass(frozen=True)
class _Act:
    loss: ResponseLoss
    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        assert self.loss.statistics is not None and self.loss.act is not None
        with np.errstate(all="ignore"):
            each = [self.loss.statistics(m.number(v), m) for v in self.values]
            means = tuple(total([x * t for x, t in zip(p, column, strict=True)]) for column in zip(*each, strict=True))
            return self.loss.act(means, m)
