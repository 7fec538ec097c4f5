"""``splitcrit audit``: which features and splits of a boosted model, read from its file, are more than chance.

Main definitions: ``audited``, ``run``.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from splitcrit.audits.auditing import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.models import FittedModel
from splitcrit.audits.partial_sums import chosen
from splitcrit.audits.reports import AuditReport
from splitcrit.cli.input_files import at_hand, tell_separators
from splitcrit.data.columns import vector
from splitcrit.data.csv_files import csv_columns
from splitcrit.data.sources import format_of
from splitcrit.frozen import complaint
from splitcrit.inference.progress import Progress
from splitcrit.proofs.command import tell


def audited(
    model: FittedModel, data: Sequence[Path], target: str, rows: str | None = None, alpha: float = 0.05,
    resume: Path | None = None,
) -> AuditReport:  # fmt: skip
    """The audit of a model on the rows of files, whose columns are found by the model's names.

    One CSV file is read as a whole; folders, several files, and parquet or Arrow files are read in parts.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the files lack a column of the model or the target.
    """
    if resume is not None or len(data) > 1 or data[0].is_dir() or format_of(data[0]) != "csv":
        with Progress() as watch:
            return audit(model, list(data), target, rows, alpha=alpha, watch=watch, resume=resume)
    columns = csv_columns(data)
    if target not in columns:
        rule = "the target must be a column"
        got = f"{target!r} beside {', '.join(list(columns)[:5])}"
        raise ValueError(complaint(rule, got, "pass one of them"))
    label = columns.pop(target)
    names = chosen(list(columns), model.features)
    features = {feature: vector(columns[name]) for feature, name in zip(model.features, names, strict=True)}
    return audit(model, features, vector(label), rows, alpha=alpha)


def plain(report: AuditReport) -> dict[str, Any]:
    """The record that is written as JSON."""
    columns = {name: np.asarray(column).tolist() for name, column in report.columns().items()}
    rows = ([None if x != x else x for x in row] for row in zip(*columns.values(), strict=True))  # no nan in JSON
    features = [dict(zip(columns, row, strict=True)) for row in rows]
    share = report.share_passed
    tested = report.splits.method != ""
    methods, counts = np.unique(report.splits.method[tested].astype(str), return_counts=True)
    return {
        "library": report.library,
        "rows": report.rows,
        "alpha": report.alpha,
        "splits": len(report.splits.node),
        "share_passed": None if math.isnan(share) else share,
        "methods": dict(zip(methods.tolist(), counts.tolist(), strict=True)),
        "largest_standard_error": float(report.splits.error[tested].max()) if tested.any() else None,
        "features": features,
        "remarks": list(report.remarks),
    }


def run(args: argparse.Namespace) -> int:
    """Run ``splitcrit audit`` and return the exit status."""
    path = args.xgboost or args.lightgbm
    model = read_model(path)
    with at_hand(args.data, args.resume) as files:
        report = audited(model, files, args.target, args.rows, args.alpha, args.resume)
        names = ", ".join(file.name for file in files)
        tell_separators(files)
    about = {"model": path.name, "file": names, "target": args.target}
    tell(args.json, lambda: {**about, **plain(report)}, str(report))
    return 0
