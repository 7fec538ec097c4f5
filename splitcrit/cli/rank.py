"""``splitcrit rank``: which columns of a file carry information, and which only seem to.

Main definitions: ``run``.
"""

from __future__ import annotations

import argparse
import csv

from splitcrit.arguments import PATIENT
from splitcrit.cli.input_files import at_hand, tell_separators
from splitcrit.cli.progress import Progress
from splitcrit.columns.ranking import rank_features
from splitcrit.proofs.command import tell


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    missing = [text for row in csv.reader(given.missing) for text in row]
    with at_hand(given.data, given.resume) as paths:
        try:
            with Progress() as watch:
                found = rank_features(
                    paths, given.target, measure=given.measure, response=given.response, categorical=given.categorical,
                    bins="auto" if given.bins is None else given.bins, drop=given.drop, na_values=missing,
                    watch=watch, resume=given.resume, exact=given.exact,
                    limit=PATIENT if given.limit is None else given.limit, decimal=given.decimal,
                    dates=given.dates, header=given.header, skip_footer=given.skip_footer, groups=given.groups,
                    strata=given.strata,
                )  # fmt: skip
        except (TypeError, NotImplementedError) as error:
            raise ValueError(str(error)) from None
        names = ", ".join(path.name for path in paths)
        tell_separators(paths)
    about = {"file": names, "target": given.target, "measure": given.measure}
    tell(given.json, lambda: {**about, **found.plain()}, found.text(wide=given.wide, top=given.top or None))
    return 0
