"""``splitcrit rank``: which columns of a file carry information, and which only seem to.

Main definitions: ``run``.
"""

from __future__ import annotations

import argparse
import csv

from splitcrit.arguments import PATIENT
from splitcrit.cli.input_files import at_hand, tell_separators
from splitcrit.columns.ranking import rank_features
from splitcrit.inference.progress import Progress
from splitcrit.proofs.command import tell


def run(args: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    missing = [text for row in csv.reader(args.missing) for text in row]
    with at_hand(args.data, args.resume) as paths:
        try:
            with Progress() as watch:
                ranking = rank_features(
                    paths, args.target, measure=args.measure, response=args.response,
                    categorical=args.categorical, bins="auto" if args.bins is None else args.bins,
                    drop=args.drop, na_values=missing, watch=watch, resume=args.resume, exact=args.exact,
                    limit=PATIENT if args.limit is None else args.limit, decimal=args.decimal,
                    dates=args.dates, header=args.header, skip_footer=args.skip_footer,
                    groups=args.groups, strata=args.strata,
                )  # fmt: skip
        except (TypeError, NotImplementedError) as error:
            raise ValueError(str(error)) from None
        names = ", ".join(path.name for path in paths)
        tell_separators(paths)
    about = {"file": names, "target": args.target, "measure": args.measure}
    text = ranking.text(wide=args.wide, top=args.top or None)
    tell(args.json, lambda: {**about, **ranking.plain()}, text)
    return 0
