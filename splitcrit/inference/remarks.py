"""What has to be said beside the figures of an audit, a sentence each.

Main definitions: ``remarks``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.inference.chances import Chances
from splitcrit.inference.models import FittedModel
from splitcrit.inference.node_moments import inner
from splitcrit.inference.reports import Splits

DESCRIPTIVE = "training rows chose the splits: the figures are descriptive, and there are no p-values"
RESIDUALS = (
    "a boosted tree fits the residuals of those before it: its table and p-value are about the label itself, which is "
    "not what the split claimed"
)
TIED = "rows that count several times get no p-values"
NUMBERS = "responses are numbers: splits have gains and chance means, no SGini and no p-values"
TRAINED = "as many of these rows reach each node as when the trees were grown: training rows are not held out"
SHARED = "trees share rows: splits pass by Benjamini and Yekutieli's rule, which holds whatever their dependence"


def remarks(fitted: FittedModel, kind: str, splits: Splits, law: Chances | None, *, weighted: bool) -> tuple[str, ...]:
    """Return the sentences that go with an audit."""
    tested = law is not None and not bool((law.pvalue != law.pvalue).all())
    unreached = int((splits.tables.sum(axis=(1, 2)) == 0).sum())
    said = {
        DESCRIPTIVE: kind == "training",
        TRAINED: kind == "held-out" and _as_grown(fitted, splits),
        NUMBERS: law is None,
        RESIDUALS: fitted.boosted,
        TIED: kind != "training" and law is not None and weighted and not tested,
        SHARED: tested and len(fitted.trees) > 1,
        _why_not_corrected(fitted, kind): kind == "training" or any(tree.grown is None for tree in fitted.trees),
        f"no row reaches {unreached} of {len(splits.node)} splits: their gain is 0": unreached > 0,
        f"{law.sampled if law else 0} p-values are of random tables, of which none is below one over their number":
            tested and law is not None and law.sampled > 0,
    }  # fmt: skip
    return tuple(sentence for sentence, holds in said.items() if holds)


def _why_not_corrected(fitted: FittedModel, kind: str) -> str:
    """Return why there is neither UFI nor MDI-oob."""
    if kind == "training":
        return "UFI and MDI-oob need rows apart from those that grew the trees"
    why = "fits residuals" if fitted.boosted else "keeps no variance"
    if fitted.library != "scikit-learn":
        why = "keeps no class counts of the rows that grew it"
    return f"no UFI and MDI-oob: the model {why}"


def _as_grown(fitted: FittedModel, splits: Splits) -> bool:
    """Return whether rows said to be apart reach the nodes just as those that grew the trees."""
    if fitted.drawn is not None or any(tree.rows is None for tree in fitted.trees):
        return False
    sides = splits.tables.sum(axis=2)
    trees = ((tree.rows, *inner(tree.structure)) for tree in fitted.trees if tree.rows is not None)
    return np.array_equal(sides, np.concatenate([rows[np.stack(children, axis=1)] for rows, _, *children in trees]))
