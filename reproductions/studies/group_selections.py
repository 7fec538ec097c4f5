"""How often do rankings, selections, trees and audits of three columns err that are told of groups?

``python reproductions/studies/group_selections.py --minutes 30`` adds blocks of 50 data sets a cell to
docs/data/group_selections.csv, from where it stopped before, up to 2,000. It ends with status 1 if a procedure errs
more often than a one-sided binomial test at .001 allows.

The designs are those of ``group_levels`` without an effect, with three columns that are independent of each other. A
ranking errs if a p-value by Holm is at most .05; a selector of ``control="fwer"`` if it selects a column; a tree that
the other half of the groups grew, and trees that test themselves, if a split is kept; an audit of a forest that the
other half grew, if it shows a feature.

Main definitions: ``CELLS``, ``errors``, ``make``, ``table``.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
from blocks import seed_of, study
from group_levels import CONSTANT, LEVEL, ODD, SIZES, drawn
from reports import Report
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier

from splitcrit import TreeClassifier, rank_features
from splitcrit.audits import audit
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier, SplitSelector, significant_subtree

NAME, KEYS, SETS, BLOCKS, COLUMNS = "group_selections", ("groups", "constant"), 50, 40, 3
RANKING, SELECTOR, SUBTREE, HONEST, SELECTIVE, AUDIT = PROCEDURES = (
    "`rank_features`", "`SplitSelector`", "`significant_subtree`", "honest tree", "selective tree", "`audit`"
)  # fmt: skip
REPORT = Report(NAME, (*KEYS, "block", "sets", *PROCEDURES))
CELLS = [(groups, constant) for groups in SIZES for constant in CONSTANT]


def errors(groups: str, constant: str, rng: np.random.Generator) -> dict[str, bool]:
    """Which procedures err in a data set."""
    x, y, g = drawn(groups, constant, 0.0, rng)
    spread = 0.0 if constant in ("both", "column") else 0.33 if constant.endswith(".9") else 0.7
    more = rng.normal(size=(COLUMNS - 1, g[-1] + 1))[:, g] + spread * rng.normal(size=(COLUMNS - 1, len(g)))
    X, how = np.column_stack([x, *more]), {"random_state": int(rng.integers(2**31))}
    grows = rng.permutation(g[-1] + 1)[g] % 2 == 0
    wrong = {
        RANKING: min(f.p_adjusted for f in rank_features(X, y, groups=g).features) <= LEVEL,
        SELECTOR: SplitSelector(LEVEL, control="fwer").fit(X, y, groups=g).get_support().any(),
        SUBTREE: False,
        AUDIT: False,
        HONEST: HonestTreeClassifier(**how).fit(X, y, groups=g).get_depth() > 0,
    }
    if constant in ("both", "column"):
        wrong[SELECTIVE] = InferenceTreeClassifier(**how, max_depth=1).fit(X, y, groups=g).get_depth() > 0
    if y[grows].min() == y[grows].max():  # nothing grows on one class
        return wrong
    tree = TreeClassifier(max_depth=2, min_samples_leaf=10).fit(X[grows], y[grows])
    pruned = significant_subtree(tree, X[~grows], y[~grows], groups=g[~grows], rng=0)
    wrong[SUBTREE] = pruned.tests.rejected.any()
    forest = RandomForestClassifier(5, max_depth=2, **how).fit(X[grows], y[grows])
    with suppress(ValueError):  # an audit of rows of one class refuses
        report = audit(forest, X[~grows], y[~grows], "held-out", groups=g[~grows], training_groups=g[grows])
        wrong[AUDIT] = report.features_passed.any()
    return wrong


def make(groups: str, constant: str, block: int) -> dict[str, Any]:
    """In how many data sets of a block each procedure errs."""
    rng = np.random.default_rng(seed_of(NAME, groups, constant, block))
    sets = [errors(groups, constant, rng) for _ in range(SETS)]
    return {"sets": SETS} | {
        name: sum(map(int, (s[name] for s in sets))) if name in sets[0] else "" for name in PROCEDURES
    }


def rates(rows: list[dict[str, str]]) -> pd.DataFrame:
    """Data sets and errors of each procedure in each cell."""
    frame = pd.DataFrame(rows).melt([*KEYS, "block", "sets"], list(PROCEDURES), "procedure", "errors")
    frame = frame[frame["errors"] != ""].astype({"sets": int, "errors": int})
    return frame.groupby([*KEYS, "procedure"], sort=False)[["sets", "errors"]].sum()


def too_many(counts: pd.DataFrame) -> pd.DataFrame:
    """The cells in which a procedure errs too often."""
    return counts[binom.sf(counts["errors"] - 1, counts["sets"], LEVEL) < ODD]


def table(rows: list[dict[str, str]]) -> str:
    """A row for each design: how often each procedure errs."""
    counts = rates(rows)
    share = (counts["errors"] / counts["sets"]).unstack("procedure")
    lines = ["| groups | constant in groups | data sets | " + " | ".join(PROCEDURES) + " |"]
    lines.append("|---" * (3 + len(PROCEDURES)) + "|")
    for key in CELLS:
        if (*key, RANKING) in counts.index:
            each = [share.loc[key].get(name, np.nan) for name in PROCEDURES]
            cells = [*key, f"{counts.loc[(*key, RANKING), 'sets']:,}", *("-" if v != v else f"{v:.3f}" for v in each)]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=30)
    study(NAME, KEYS, CELLS, BLOCKS, parser.parse_args().minutes, make)
    wrong = too_many(rates(REPORT.rows()))
    print(table(REPORT.rows()), wrong, sep="\n")
    return int(len(wrong) > 0)


if __name__ == "__main__":
    sys.exit(main())
