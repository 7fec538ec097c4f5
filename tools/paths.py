"""Walk along paths through the package and count the files that a reader of each would open.

``python tools/paths.py`` runs each path once without counting, so that nothing is imported or compiled on the way, and
once more under a profiler: a file is entered where one of its functions is called, a crossing is a call from one file
into another. Compiled loops are not seen inside. ``--files`` lists the files, in the order in which they are entered.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

PACKAGE = Path(__file__).parents[1] / "splitcrit"
Walk = Callable[[], Any]


def table_to_pvalue() -> Any:
    """The p-value of a table."""
    import splitcrit

    return splitcrit.gini_pvalue([[8, 2], [1, 9]])


def small_gini_tree() -> Any:
    """A tree of classes by Gini, small enough for the reference builder."""
    import splitcrit

    x, y = _rows(500)
    return splitcrit.TreeClassifier(criterion="gini", max_depth=3).fit(x, y)


def gini_tree() -> Any:
    """A tree of classes by Gini, grown by the compiled loop."""
    import splitcrit

    x, y = _rows(100_000)
    return splitcrit.TreeClassifier(criterion="gini", max_depth=3).fit(x, y)


def own_loss_to_tree() -> Any:
    """A loss that a user writes, its impurity, and a tree."""
    import splitcrit

    x, y = _rows(100_000)
    loss = splitcrit.Loss("own", lambda w, k, m: sum(q * q for q in w) - 2 * w[k] + 1, act=lambda p, m: p)
    return splitcrit.TreeClassifier(criterion=splitcrit.Criterion.from_loss(loss), max_depth=3).fit(x, y)


def csv_to_ranking() -> Any:
    """The ranking of the columns of a CSV file."""
    import splitcrit

    x, y = _rows(300)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        lines = [",".join([*map(str, row.round(2)), "ab"[label]]) for row, label in zip(x, y, strict=True)]
        file.write_text("\n".join(["a,b,c,d,label", *lines]) + "\n")
        return splitcrit.rank_features(splitcrit.Tables.of(file, "label"))


def lightgbm_to_audit() -> Any:
    """The audit of a LightGBM model."""
    import lightgbm

    from splitcrit.audits import audit

    x, y = _rows(500)
    model = lightgbm.LGBMClassifier(n_estimators=3, num_leaves=4, verbose=-1).fit(x[:250], y[:250])
    return audit(model, x[250:], y[250:])


PATHS: dict[str, Walk] = {
    "table -> p-value": table_to_pvalue,
    "Gini tree, small": small_gini_tree,
    "Gini tree": gini_tree,
    "own loss -> tree": own_loss_to_tree,
    "CSV -> ranking": csv_to_ranking,
    "LightGBM -> audit": lightgbm_to_audit,
}


def walked(path: Walk) -> tuple[list[str], int]:
    """The files of the package that a path enters, and how many calls cross from one into another."""
    files: dict[str, None] = {}
    crossings = 0

    def seen(frame: FrameType, event: str, _: object) -> None:
        nonlocal crossings
        if event != "call" or not (here := _file(frame)):
            return
        files.setdefault(here)
        above: FrameType | None = frame.f_back
        while above is not None and not (caller := _file(above)):  # through numpy, functools and the like
            above = above.f_back
        crossings += above is not None and caller != here

    path()
    sys.setprofile(seen)
    try:
        path()
    finally:
        sys.setprofile(None)
    return list(files), crossings


def _file(frame: FrameType) -> str:
    name = frame.f_code.co_filename
    return name[len(str(PACKAGE)) + 1 :] if name.startswith(str(PACKAGE)) and "<" not in name else ""


def _rows(n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 4)).round(2)
    return x, (rng.random(n) < np.where(x[:, 1] > 0, 0.8, 0.2)).astype(int)


def main(arguments: list[str]) -> None:
    """Print one line a path."""
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(PACKAGE.parent))
    print(f"{'path':20} {'files':>6} {'crossings':>10}")
    for name, path in PATHS.items():
        files, crossings = walked(path)
        print(f"{name:20} {len(files):6} {crossings:10}")
        if "--files" in arguments:
            print("".join(f"    {file}\n" for file in files), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
