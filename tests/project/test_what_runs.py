"""The table "What the default call runs" of docs/kernel-checked.md, against the functions that calls enter.

The interpreter reports each Python function that a call enters; those that the proofs print are compared with the page.
Compiled loops are not reported: the page counts them as not printed, although a few are compiled from printed formulas.
"""

import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit import (
    SplitSelector,
    TreeClassifier,
    decrease,
    entropy,
    gini,
    pairwise_gain,
    rank_features,
    sgini,
    symmetric,
)
from splitcrit.audits import audit
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier, split_test
from splitcrit.nulls import best_cut_law, gini_null, gini_pvalue, null_moments, selected_pvalue
from splitcrit.robustness import majority_failure, samples_needed, tolerance
from splitcrit.trees import small
from splitcrit.vertices import optimal_vertex

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "kernel-checked.md").read_text(encoding="utf-8")
ROWS = {
    call: (says, {name for name in re.findall(r"`([^`]+)`", names)})
    for call, says, names in re.findall(
        r"^\| `([^|]+)` \| (yes|in part|no)(?:: ([^|]*))? \|", PAGE.partition("## What the default call runs")[2], re.M
    )
}
FIFTH = Fraction(1, 5)
RNG = np.random.default_rng(11)
X, LABELS, THREE = RNG.normal(size=(60, 3)), RNG.permutation(np.arange(60) % 2), RNG.permutation(np.arange(60) % 3)
TABLE, TALL = [[17, 4], [5, 13]], [[701, 200, 30], [300, 611, 40], [20, 30, 444]]

CALLS: dict[str, Callable[[], Any]] = {
    "gini([.2, .3, .5])": lambda: gini([0.2, 0.3, 0.5]),
    "decrease(entropy)(table)": lambda: decrease(entropy)(TABLE),
    "pairwise_gain(table)": lambda: pairwise_gain(TABLE),
    "sgini(table)": lambda: sgini(TABLE),
    "sgini(tables)": lambda: sgini(np.array([TABLE, TABLE])),
    "gini_null(rows, columns, order=3)": lambda: gini_null([21, 18], [22, 17], order=3),
    "null_moments(entropy, rows, columns)": lambda: null_moments(entropy, [21, 18], [22, 17]),
    "gini_pvalue(two by two)": lambda: gini_pvalue(TABLE),
    "gini_pvalue(small)": lambda: gini_pvalue([[4, 2, 1], [3, 1, 5]]),
    "gini_pvalue(large)": lambda: gini_pvalue(TALL),
    "selected_pvalue(feature, two classes)": lambda: selected_pvalue(X[:, 0], LABELS),
    'selected_pvalue(feature, two classes, method="exact")':
        lambda: selected_pvalue(X[:, 0], LABELS, method="exact"),
    "selected_pvalue(feature, more classes)": lambda: selected_pvalue(X[:, 0], THREE, samples=9),
    "best_cut_law(sizes, two classes).pvalue(score)": lambda: best_cut_law([1] * 60, [33, 27]).pvalue(2.0),
    "split_test(X, two classes)": lambda: split_test(X, LABELS),
    "split_test(X, more classes)": lambda: split_test(X, THREE),
    "rank_features(X, y)": lambda: rank_features(X, LABELS),
    "SplitSelector(alpha=.05).fit(X, y)": lambda: SplitSelector(alpha=0.05).fit(X, LABELS),
    "TreeClassifier().fit(X, y)": lambda: TreeClassifier().fit(X, LABELS),
    "InferenceTreeClassifier().fit(X, y)": lambda: InferenceTreeClassifier().fit(X, LABELS),
    "HonestTreeClassifier().fit(X, y)": lambda: HonestTreeClassifier().fit(X, LABELS),
    "audit(tree, X, y)": lambda: audit(TreeClassifier(max_depth=2).fit(X, LABELS), X, LABELS),
    "optimal_vertex(counts, gini)": lambda: optimal_vertex([5, 3, 4], gini),
    'tolerance(gini, "uniform")': lambda: tolerance(gini, "uniform"),
    "majority_failure([7, 3], symmetric(Fraction(1, 5)))": lambda: majority_failure([7, 3], symmetric(FIFTH)),
    "majority_failure([7, 3], symmetric(.2))": lambda: majority_failure([7, 3], symmetric(0.2)),
    "samples_needed([7, 3], symmetric(.2), .05)": lambda: samples_needed([7, 3], symmetric(0.2), 0.05),
}  # fmt: skip


def printed() -> set[str]:
    """The functions, and classes whose methods, are printed."""
    files = [(ROOT / "proofs" / "rocq" / name).read_text(encoding="utf-8") for name in ("generated.v", "loops.v")]
    return {re.split(r"[ ,]", x)[0] for text in files for x in re.findall(r"\(\* (splitcrit\.[^*]*?) ?\*\)", text)}


PRINTED = printed()


def short(name: str) -> str:
    """The name of a printed function on the page; formulas that moments are made of are one name."""
    if name.startswith("splitcrit.nulls.formulas."):
        return "formulas"
    return name.rpartition(".")[2]


def entered(call: Callable[[], Any]) -> set[str]:
    """The printed functions that a call enters."""
    found: set[str] = set()

    def profile(frame: Any, event: str, arg: Any) -> None:
        module, qualified = str(frame.f_globals.get("__name__")), frame.f_code.co_qualname
        for name in (f"{module}.{qualified}", f"{module}.{qualified}".removesuffix(".__call__")):
            if event == "call" and name in PRINTED:
                found.add(short(name.removesuffix(".__call__")))

    for module in [module for name, module in sys.modules.items() if name.startswith("splitcrit.nulls")]:
        for kept in [x for x in vars(module).values() if hasattr(x, "cache_clear")]:
            kept.cache_clear()
    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(before)
    return found


def test_every_row_is_traced() -> None:
    assert set(ROWS) == set(CALLS) | {"properties(formula)"}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects have no qualified names")
@pytest.mark.parametrize("call", CALLS)
def test_the_page_says_which_printed_functions_a_call_enters(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "budget", lambda: 1e6)  # the first small tree of a process, whatever ran before it
    says, names = ROWS[call]
    assert entered(CALLS[call]) == names, call
    assert (says == "no") == (not names)
