"""``splitcrit rank``: which columns of a file carry information, and which only have many values.

Main definitions: ``ranking``, ``run``.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from typing import Any

from splitcrit.cli.inputs import STANDARD_INPUT, at_hand, separators
from splitcrit.cli.progress import rows_counted
from splitcrit.cli.scored import Ranking, in_order, report, scored
from splitcrit.proofs.command import tell
from splitcrit.table import Tables
from splitcrit.values import complaint


def ranking(
    data: Any, target: Any, *, null: str = "permutation", by: str = "sgini", bins: int = 16,
    drop: Iterable[Any] = (), na_values: Iterable[Any] = (), resume: Any = None,
) -> Ranking:  # fmt: skip
    """Return the features of files, a folder or anything `Tables.of` takes, best first.

    Numbers and dates with more than ``bins`` distinct values are cut at quantiles, without a look at the label, so
    that the null law stays exact. Rows without a label are refused.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If the target is absent, missing somewhere, a measured number or has one class only, or a column cannot be
        counted.
    """
    try:
        with rows_counted() as watch:
            found = Tables.of(
                data, target, drop=drop, missing="row", bins=bins, na_values=na_values, watch=watch, resume=resume
            )
    except (TypeError, NotImplementedError) as error:
        raise ValueError(str(error)) from None
    classes = next((table.dropped().class_names for table in found.tables.values()), ())
    if len(classes) == 1:
        rule = "a ranking needs at least two classes"
        raise ValueError(complaint(rule, f"only {classes[0]!r} in {target!r}", "choose another target"))
    each = (scored(str(name), table.dropped(), found.columns[name], null) for name, table in found.tables.items())
    return Ranking(found, tuple(in_order(each, by)))


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    if given.resume is not None and STANDARD_INPUT in given.data:
        rule, got = "counts of files are kept for a later run", "--resume with standard input"
        raise ValueError(complaint(rule, got, "write it into a file first"))
    missing = [text for row in csv.reader(given.missing) for text in row]
    with at_hand(given.data) as paths:
        found = ranking(
            paths, given.target, null=given.null, by=given.by, bins=given.bins, drop=given.drop, na_values=missing,
            resume=given.resume,
        )  # fmt: skip
        names, told = ", ".join(path.name for path in paths), separators(paths)
    if told:
        print(told, file=sys.stderr)
    about = {"file": names, "target": given.target, "null": given.null, "by": given.by}
    tell(given.json, {**about, **found.plain()}, report(found, given.target, given.null))
    return 0
