"""``splitcrit rank``: which columns of a file carry information, and which only seem to.

Main definitions: ``run``.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from typing import Any

from splitcrit.arguments import PATIENT
from splitcrit.cli.input_files import at_hand, separators
from splitcrit.cli.progress import rows_counted
from splitcrit.importance.ranking import WITH_NULL, rank_features
from splitcrit.proofs.command import tell


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    measure = given.measure or given.by
    if measure is None and (given.null is not None or given.bins is not None):
        measure = "sgini"
    null: Any = (given.null or "permutation") if measure in WITH_NULL else given.null
    missing = [text for row in csv.reader(given.missing) for text in row]
    with at_hand(given.data, given.resume) as paths, rows_counted() as watch, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
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
    if measure is not None and given.measure is None:
        told = f"--by, --null and --bins alone mean --measure {measure} until release 0.5" + f"\n{told}" * bool(told)
    if told:
        print(told, file=sys.stderr)
    about = {"file": names, "target": given.target, "measure": measure, "null": null}
    plain = found.plain()
    if measure is not None:  # names before version 0.4, for one release
        about["by"] = measure
        plain["features"] = [{**f, "gini": f["gain"], "sgini": f["score"]} for f in plain["features"]]
    tell(given.json, {**about, **plain}, str(found))
    return 0
