"""P-values from random permutations: a fixed number of them, or as many as it takes.

Main definitions: ``stopped_pvalue``, ``besag_clifford``; ``permutation_pvalue`` of ``splitcrit.nulls.monte_carlo``.
Main results: with ``c`` of ``B`` random orders at least as extreme as the one observed, ``(1 + c)/(1 + B)`` is an exact
p-value, since the observed order is one of ``B + 1`` that are equally likely under the null. Drawing may stop at draw
``L``, the one that brings the ``h``-th exceedance; then ``h/L`` is one as well, and

    P(p <= t) <= t    for every t.

Source: besag1991; phipson2010 (why the observed order counts).
"""

from __future__ import annotations

from collections.abc import Iterable

from splitcrit.nulls.monte_carlo import permutation_pvalue as permutation_pvalue


def stopped_pvalue(exceedances: int, draws: int) -> float:
    """Return ``h/L`` where the ``h``-th exceedance came with draw ``L``.

    Examples
    --------
    >>> stopped_pvalue(10, 40)
    0.25
    """
    return exceedances / draws


def besag_clifford(draws: Iterable[bool], enough: int, most: int) -> tuple[float, int]:
    """Return a p-value and how many draws it took.

    Parameters
    ----------
    draws
        Whether each random permutation in turn is at least as extreme as the observed order.
    enough
        The number of exceedances, ``h``, at which drawing stops.
    most
        The number of draws, ``B``, after which it stops in any case.

    Examples
    --------
    >>> besag_clifford([True, False, True, True], enough=2, most=99)
    (0.6666666666666666, 3)
    >>> besag_clifford([False] * 99, enough=2, most=99)
    (0.01, 99)
    """
    seen = drawn = 0
    for draw in draws:
        drawn += 1
        seen += bool(draw)
        if seen == enough:
            return stopped_pvalue(enough, drawn), drawn
        if drawn == most:
            break
    return float(permutation_pvalue(seen, drawn)), drawn
