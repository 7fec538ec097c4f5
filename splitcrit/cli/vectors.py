"""``splitcrit vectors``: tables with exact results, to test code in any language by.

Main definitions: ``run``, ``listing``.
"""

from __future__ import annotations

import argparse

from splitcrit.export import Case, vectors
from splitcrit.proofs.command import tell


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit vectors`` and return the exit status."""
    cases = vectors()
    tell(given.json, {"vectors": [case.as_json() for case in cases]}, listing(cases))
    return 0


def listing(cases: list[Case]) -> str:
    """Return a line for each case: its table, mean, variance and score.

    Examples
    --------
    >>> print(listing(vectors()[40:42]))
    [[1, 1], [1, 1]]  mean 1/6  variance 1/18  sgini -0.7071067811865476
    [[1, 1], [1, 2]]  mean 3/25  variance 14/625  sgini -0.7126966450997984
    """
    return "\n".join(_line(case) for case in cases)


def _line(case: Case) -> str:
    table = [list(row) for row in case.table]
    return f"{table}  mean {case.mean}  variance {case.variance}  sgini {case.sgini}"
