"""Every way through the conditions that a formula meets in a field.

Main definitions: ``ways``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from splitcrit.proof.fields import Field
from splitcrit.proof.undecided import Undecided

MOST_WAYS = 256


def ways(kinds: Mapping[str, str], run: Callable[[Field], Any]) -> Iterator[tuple[Field, Any]]:
    """Yield a field and what ``run`` gives in it, or that it divides by 0, for every way through its conditions.

    Where an equation says that some variables are 0 the run starts anew with these at 0, which covers that way.
    """
    cases: list[tuple[frozenset[str], tuple[bool, ...]]] = [(frozenset(), ())]
    met = set(cases)
    while cases:
        if len(met) > MOST_WAYS:
            raise Undecided(f"a claim may branch at most {MOST_WAYS} ways; got more; split the claim")
        zeros, script = cases.pop()
        ring = Field(kinds, script, zeros)
        try:
            value = run(ring)
        except ZeroDivisionError as error:  # of no account where no point takes this way
            value = error
        for case in _others(ring, len(script)):
            if case not in met:
                met.add(case)
                cases.append(case)
        yield ring, value


def _others(ring: Field, fixed: int) -> Iterator[tuple[frozenset[str], tuple[bool, ...]]]:
    """Yield the ways that turn off the path taken, beyond the part that was fixed."""
    taken = tuple(way for _, way in ring.path)
    for place in range(fixed, len(taken)):
        condition = ring.path[place][0]
        choices = ring.zeros_of(condition)
        for zeros in choices:
            yield ring.zeros | zeros, ()
        if not choices:
            yield ring.zeros, (*taken[:place], not taken[place])
