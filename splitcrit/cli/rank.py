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


def run(options: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    missing = [text for row in csv.reader(options.missing) for text in row]
    with at_hand(options.data, options.resume) as paths:
        try:
            with Progress() as watch:
                ranking = rank_features(
                    paths, options.target, measure=options.measure, response=options.response,
                    categorical=options.categorical, bins="auto" if options.bins is None else options.bins,
                    drop=options.drop, na_values=missing, watch=watch, resume=options.resume, exact=options.exact,
                    limit=PATIENT if options.limit is None else options.limit, decimal=options.decimal,
                    dates=options.dates, header=options.header, skip_footer=options.skip_footer,
                    groups=options.groups, strata=options.strata,
                )  # fmt: skip
        except (TypeError, NotImplementedError) as error:
            raise ValueError(str(error)) from None
        names = ", ".join(path.name for path in paths)
        tell_separators(paths)
    about = {"file": names, "target": options.target, "measure": options.measure}
    tell(options.json, lambda: {**about, **ranking.plain()}, ranking.text(wide=options.wide, top=options.top or None))
    return 0
