"""``splitcrit rank``: which columns of a file carry information, and which only seem to.

Main definitions: ``run``.
"""

from __future__ import annotations

import argparse
import csv
import sys
from typing import Any

from splitcrit.arguments import PATIENT
from splitcrit.cli.input_files import at_hand, separators
from splitcrit.cli.progress import rows_counted
from splitcrit.columns.ranking import WITH_NULL, rank_features
from splitcrit.frozen import complaint
from splitcrit.proofs.command import tell


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    if (measure := given.measure) is None and (given.null is not None or given.bins is not None):
        raise ValueError(complaint("--null and --bins are for measures", "no --measure", "pass --measure sgini"))
    null: Any = (given.null or "permutation") if measure in WITH_NULL else given.null
    missing = [text for row in csv.reader(given.missing) for text in row]
    with at_hand(given.data, given.resume) as paths, rows_counted() as watch:
        try:
            found = rank_features(
                paths, given.target, measure=measure, response=given.response, categorical=given.categorical,
                bins="auto" if given.bins is None else given.bins, null=null, drop=given.drop, na_values=missing,
                watch=watch, resume=given.resume, exact=given.exact,
                limit=PATIENT if given.limit is None else given.limit,
            )  # fmt: skip
        except (TypeError, NotImplementedError) as error:
            raise ValueError(str(error)) from None
        names, told = ", ".join(path.name for path in paths), separators(paths)
    if told:
        print(told, file=sys.stderr)
    about = {"file": names, "target": given.target, "measure": measure, "null": null}
    tell(given.json, {**about, **found.plain()}, str(found))
    return 0
