"""How many examples of given proportions keep their majority under noise: by each bound, and exactly.

Main definitions: ``samples_needed``, ``SamplesNeeded``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, gcd
from typing import Any

from splitcrit.arguments import PATIENT, between, one_of
from splitcrit.frozen import complaint
from splitcrit.noise import Channel
from splitcrit.robustness.laws import Rates, counts_of, extended, too_many, transition_of
from splitcrit.robustness.majority import (
    Ties,
    failure_steps,
    labels_of,
    majority_of,
    pair_failure,
    settled,
    shown,
)
from splitcrit.robustness.published_bounds import DIGITS, exponents


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

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> samples_needed([0, 1], symmetric(0.2), 0.05)
    SamplesNeeded(lemma7=17, theorem4=17, kearns_saul=15, first=7, always=9)
    """

    lemma7: int | None
    theorem4: int | None
    kearns_saul: int | None
    first: int
    always: int


def samples_needed(
    proportions: Any, channel: Channel, delta: float, *, ties: Ties = "fail", limit: float = PATIENT
) -> SamplesNeeded:
    """The number of examples a leaf needs so that noise changes its majority with probability at most ``delta``.

    The exact failure is not monotone in ``n``; hence two exact numbers, of which ``always`` is what the bounds promise.

    Parameters
    ----------
    proportions : integers (K,)
        Class proportions as whole numbers, ``[3, 2]`` for 60 and 40 per cent; leaves hold multiples of them.
    channel : Channel
    delta : float
        A probability between 0 and 1.
    ties : {"fail", "keep", "split"}
    limit : float
        How many seconds the exact failures of all leaves up to the least bound may take, as counted for one processor.

    Raises
    ------
    ValueError
        If the noisy majority is not expected to be the true one, so that no number is enough; or if the exact failures
        take more than ``limit`` seconds or too much memory.

    See Also
    --------
    majority_failure : The probability for a given leaf.

    Notes
    -----
    Proved: noise.majority_failure_is_not_monotone_in_size

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
    one_of(ties, Ties, "ties")
    delta = between(delta, "a risk delta", 0, 1, ends=False, example=0.05)
    majority_of(unit)
    unit = [n // gcd(*unit) for n in unit]
    size, transition = sum(unit), transition_of(channel, len(unit))
    rate = exponents(unit, transition)
    if rate.theorem4 is None:
        rule = "examples help only where the true majority leads in expectation after noise"
        raise ValueError(complaint(rule, f"{channel.name} on {shown(unit)}", "pass less noise or another leaf"))
    theorem4 = _least(rate.theorem4, len(unit) - 1, delta)
    saul = _least(rate.kearns_saul, 1, delta)
    most = -(-min(n for n in (theorem4, saul) if n is not None) // size)
    rates = Rates.of(transition)
    too_many(_steps(size, rates, most), limit, len(unit))
    failing = {m for m, failed in enumerate(_failures(unit, rates, most, ties), start=1) if failed > delta}
    first = next(m for m in range(1, len(failing) + 2) if m not in failing)
    lemma7 = theorem4 if rate.symmetric else None
    return SamplesNeeded(lemma7, theorem4, saul, first * size, (max(failing, default=0) + 1) * size)


def _steps(size: int, rates: Rates, most: int) -> int:
    """The steps of the failures of all leaves: sums of ``n`` terms, or one lattice that is looked at often."""
    n = most * size
    if len(rates.rows) == 2:
        return 150 * most + most * failure_steps(n, rates) // (3 if rates.unit else 2)
    states: int = (n + 1) ** (len(rates.rows) - 1)
    return failure_steps(n, rates) + most * (300 + states // 50)


def _failures(unit: list[int], rates: Rates, most: int, ties: Ties) -> Iterator[Any]:
    """Yield the exact failure of leaves of once to ``most`` times the unit; the law of a lattice grows along."""
    if len(unit) == 2:
        yield from (pair_failure([m * n for n in unit], rates, ties) for m in range(1, most + 1))
        return
    joint = None
    for _ in range(most):
        joint = extended(joint, labels_of(unit, rates), rates)
        yield settled(joint, majority_of(unit), ties, rates)


def _least(rate: Fraction | None, factor: int, delta: Any) -> int | None:
    """The least ``n`` with ``factor exp(-n rate) <= delta``."""
    if rate is None:
        return None
    with localcontext() as context:
        context.prec = DIGITS + len(str(rate.denominator))
        wanted = Fraction(factor) / Fraction(delta)
        log = (Decimal(wanted.numerator) / Decimal(wanted.denominator)).ln()
    return size_for(Fraction(log), rate)


def size_for(log: Fraction, rate: Fraction) -> int:
    """The least ``n`` of at least 1 with ``n rate >= log``.

    Examples
    --------
    >>> size_for(Fraction(3), Fraction(2, 25))
    38
    """
    return max(1, ceil(log / rate))
