"""The impurity of responses that are counts: their Poisson deviance from the mean.

Main definitions: ``poisson``.

Source: banerjee2005, Proposition 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from splitcrit import losses
from splitcrit.arith import Arithmetic, total
from splitcrit.impurities.base import Impurity
from splitcrit.impurities.library import responses_of
from splitcrit.losses.response_losses import counts


@dataclass(frozen=True)
class _PoissonImpurity:
    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        values = responses_of(self.values, p, m)
        mean = total([x * v for x, v in zip(p, values, strict=True)])
        unit = m.where(mean == 0, 1, mean)
        return mean * total([x * m.xlogx(v / unit) for x, v in zip(p, values, strict=True)])


def poisson(values: Any) -> Impurity:
    """Return half the mean Poisson deviance from the mean of a response ``values[k]`` with probability ``p[k]``.

    It is ``sum_k p_k y_k log(y_k / a)`` with ``y = values`` and ``a`` their mean.

    Parameters
    ----------
    values : sequence of numbers
        The response of each class: from 0, some above it.

    Raises
    ------
    TypeError, ValueError
        If a response is no finite number from 0, or all are 0; when it is called with another number of classes.

    See Also
    --------
    variance : Squared errors.

    Notes
    -----
    Proved: impurity.poisson_is_least_deviance

    References
    ----------
    banerjee2005, Proposition 1 and Definition 2 (Bregman information).

    Examples
    --------
    >>> round(float(poisson((0, 2))([1, 1])), 9)  # log 2
    0.693147181
    """
    values = counts(values)
    return Impurity(f"poisson({values})", _PoissonImpurity(values), losses.poisson(values))
