"""How many examples of given proportions keep their majority under noise: by each bound, and exactly.

Main definitions: ``samples_needed``, ``SamplesNeeded``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.noise import Channel
from splitcrit.robustness.laws import counts_of, extended, fits, transition_of
from splitcrit.robustness.majority import Ties, majority_failure, majority_of, settled, tie_rule
from splitcrit.robustness.majority import majority_bounds as bounds_at
from splitcrit.values import complaint

Array = NDArray[Any]


@dataclass(frozen=True)
class SamplesNeeded:
    """Numbers of examples; a bound's number is the least ``n`` it gives, the exact ones are sizes of a real leaf.

    Parameters
    ----------
    lemma7, theorem4, kearns_saul : int or None
        The least ``n`` by each bound of ``majority_bounds``; None where it does not apply.
    first : int
        The first size whose exact failure is at most ``delta``; a larger leaf may fail more often again.
    always : int
        The size from which on every leaf of these proportions does.
    """

    lemma7: int | None
    theorem4: int | None
    kearns_saul: int | None
    first: int
    always: int


def samples_needed(proportions: Any, channel: Channel, delta: float, *, ties: Ties = "fail") -> SamplesNeeded:
    """Return how many examples a leaf needs so that noise changes its majority with probability at most ``delta``.

    The exact failure is not monotone in ``n``; hence two exact numbers, of which ``always`` is what the bounds promise.

    Parameters
    ----------
    proportions : integers (K,)
        Class proportions as whole numbers, ``[3, 2]`` for 60 and 40 per cent; leaves hold multiples of them.
    channel : Channel
    delta : float
        A probability between 0 and 1.
    ties : {"fail", "keep", "split"}

    Raises
    ------
    ValueError
        If the noisy majority is not expected to be the true one, so that no number is enough; or if a leaf of several
        classes that a bound calls large enough has too many states.

    References
    ----------
    ghosh2017, Lemma 7; wilton2024, Theorem 4.

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> samples_needed([0, 1], symmetric(0.3), 0.05)
    SamplesNeeded(lemma7=38, theorem4=38, kearns_saul=36, first=17, always=19)
    """
    unit = counts_of(proportions)
    tie_rule(ties)
    if not 0 < delta < 1:
        raise ValueError(complaint("a risk lies between 0 and 1", f"delta={delta}", "pass .05, say"))
    unit = unit // np.gcd.reduce(unit)
    majority_of(unit)
    size, one = int(unit.sum()), bounds_at(unit, channel)
    if one.theorem4 is None:
        rule = "examples help only where the true majority leads in expectation after noise"
        raise ValueError(complaint(rule, f"{channel.name} on {unit.tolist()}", "pass less noise or another leaf"))
    lemma7 = _least(one.lemma7, size, 1, delta)
    theorem4 = _least(one.theorem4, size, len(unit) - 1, delta)
    saul = _least(one.kearns_saul, size, 1, delta)
    enough = min(n for n in (lemma7, theorem4, saul) if n is not None)
    failures = _failures(unit, channel, -(-enough // size), ties)
    failing = [m for m, failed in enumerate(failures, start=1) if failed > delta]
    first = next(m for m in range(1, len(failing) + 2) if m not in failing)
    return SamplesNeeded(lemma7, theorem4, saul, first * size, (max(failing, default=0) + 1) * size)


def _failures(unit: Array, channel: Channel, most: int, ties: Ties) -> Iterator[Any]:
    """Yield the exact failure of leaves of once to ``most`` times the unit; the law of a lattice grows along."""
    if len(unit) == 2:
        yield from (majority_failure(unit * m, channel, ties=ties) for m in range(1, most + 1))
        return
    fits(most * int(unit.sum()), len(unit))
    laws = [law for law, n in zip(transition_of(channel, len(unit)), unit, strict=True) for _ in range(int(n))]
    joint = None
    for _ in range(most):
        joint = extended(joint, laws)
        yield settled(joint, majority_of(unit), ties)


def _least(bound: float | None, size: int, factor: int, delta: float) -> int | None:
    """Return the least ``n`` with ``factor exp(-n c) <= delta``, given ``factor exp(-size c) = bound``."""
    if bound is None:
        return None
    if bound == 0:
        return 1
    rate = (math.log(factor) - math.log(bound)) / size
    return max(1, math.ceil(math.log(factor / delta) / rate * (1 - 1e-12)))
