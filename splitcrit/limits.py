"""Work that would take too long is refused before it begins.

Main definitions: ``PATIENT`` (the steps allowed unless said otherwise), ``affordable``.
"""

from __future__ import annotations

from splitcrit.arguments import whole
from splitcrit.values import complaint

PATIENT = 2_000_000  # a step is about a microsecond
SHOWN = 10**300  # what no float can show


def affordable(steps: int, limit: int, work: str, remedy: str) -> None:
    """Refuse work of more than ``limit`` steps; estimates are integers, so that no size is too large for them.

    Raises
    ------
    ValueError
        If there are more steps, or ``limit`` is no positive integer.

    Examples
    --------
    >>> affordable(10**9, 10**6, "the exact law of 999 counts", "take a bound")
    Traceback (most recent call last):
    ValueError: the exact law of 999 counts takes at most limit=1000000 steps of a microsecond; got about 1e+09 steps; \
take a bound, or a larger limit
    """
    limit = whole(limit, "limit", 1)
    if steps > limit:
        got = f"about {steps:.2g} steps" if steps < SHOWN else "more than 1e+300 steps"
        rule = f"{work} takes at most limit={limit} steps of a microsecond"
        raise ValueError(complaint(rule, got, f"{remedy}, or a larger limit"))
