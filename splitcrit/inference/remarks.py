"""What has to be said beside the figures of an audit, a sentence each.

Main definitions: ``remarks``.
"""

from __future__ import annotations

from splitcrit.inference.chances import CERTAIN, JOINED
from splitcrit.inference.models import FittedModel
from splitcrit.inference.reports import Splits

DESCRIPTIVE = "training rows chose the splits: the figures are descriptive, and there are no p-values"
RESIDUALS = (
    "a boosted tree fits the residuals of those before it: its table and p-value are about the label itself, which is "
    "not what the split claimed"
)
TIED = "rows that count several times get no p-values"
NUMBERS = "responses are numbers: splits have mean and standard deviation by chance, and no p-values"
TRAINED = "these rows agree with those that grew the trees, in each leaf: training rows are not held out"
NULL = "null hypothesis of a split: among independent rows that reach its node, label and side are independent"
GIVEN = "p-values take as given how many rows at the node are on each side and of each class"
SHARED = "trees share rows: splits pass by Benjamini and Yekutieli's rule, which holds whatever their dependence"
OTHERS = (
    "a row left out of one tree grew others: each p-value is valid by itself, the false discovery rate is shown for a "
    "fixed list of splits"
)


def remarks(
    fitted: FittedModel, kind: str, splits: Splits, *, numbers: bool, weighted: bool, as_grown: bool
) -> tuple[str, ...]:
    """Return the sentences that go with an audit."""
    tested, of = bool((splits.method != "").all()), len(splits.node)
    drawn, certain = splits.method == JOINED, int((splits.method == CERTAIN).sum())
    unreached = int((splits.tables.sum(axis=(1, 2)) == 0).sum())
    said = {
        DESCRIPTIVE: kind == "training",
        TRAINED: kind == "held-out" and as_grown,
        NUMBERS: numbers,
        RESIDUALS: fitted.boosted,
        TIED: kind != "training" and not numbers and weighted and not tested,
        NULL: tested,
        GIVEN: tested,
        SHARED: tested and len(fitted.trees) > 1,
        OTHERS: tested and len(fitted.trees) > 1 and kind == "out-of-bag",
        f"{certain} of {of} splits have rows on one side or of one class: they cannot reject (p = 1) and still count":
            tested and certain > 0,
        f"{drawn.sum()} of {of} p-values combine random tables with exact tests of one class: their Monte Carlo "
        f"standard error is at most {splits.error.max():.2g}": drawn.any(),
        _why_not_corrected(fitted, kind): kind == "training" or any(tree.grown is None for tree in fitted.trees),
        f"no row reaches {unreached} of {of} splits: their gain is 0": unreached > 0,
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
