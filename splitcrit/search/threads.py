"""Columns shared out among threads.

Main definitions: ``shares``, ``by_shares``.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise


def shares(count: int, jobs: int) -> list[slice]:
    """Return slices of almost equal length, at most ``jobs`` of them and none empty.

    Examples
    --------
    >>> shares(5, 2), shares(1, 4)
    ([slice(0, 2, None), slice(2, 5, None)], [slice(0, 1, None)])
    """
    parts = max(1, min(jobs, count))
    edges = [count * i // parts for i in range(parts + 1)]
    return [slice(*pair) for pair in pairwise(edges)]


def by_shares(call: Callable[[slice], object], count: int, jobs: int) -> None:
    """Call a function that releases the interpreter's lock on each share, all at the same time."""
    parts = shares(count, jobs)
    if len(parts) == 1:
        call(parts[0])
        return
    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(call, parts))
