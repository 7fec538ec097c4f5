"""``splitcrit header``: the exact statistics as a C header, and tables with exact results to test it by.

Main definitions: ``run``, ``listing``.
"""

from __future__ import annotations

import argparse

from splitcrit.export import Case, header, vectors
from splitcrit.proofs.command import tell


def run(args: argparse.Namespace) -> int:
    """Run ``splitcrit header`` and return the exit status."""
    if args.vectors:
        cases = vectors()
        tell(args.json, lambda: {"vectors": [case.as_json() for case in cases]}, listing(cases))
    else:
        text = header()
        tell(args.json, lambda: {"splitcrit.h": text}, text.rstrip("\n"))
    return 0


def listing(cases: list[Case]) -> str:
    """A line for each case: its table, mean, variance and score.

    Examples
    --------
    >>> print(listing(vectors()[40:42]))
    [[1, 1], [1, 1]]  mean 1/6  variance 1/18  sgini -0.7071067811865476
    [[1, 1], [1, 2]]  mean 3/25  variance 14/625  sgini -0.7126966450997984
    """
    lines = (f"{list(map(list, x.table))}  mean {x.mean}  variance {x.variance}  sgini {x.sgini}" for x in cases)
    return "\n".join(lines)
