"""What each user of the formulas of the null law answers, as JSON, in a process of its own: see test_formulas."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from splitcrit import agini, gini_null, gini_pvalue, selected_pvalue, sgini, sgini_scan, significance
from splitcrit.criteria import replace
from splitcrit.nulls.extremes import EXTREMES
from splitcrit.nulls.third_moment import third_moment
from splitcrit.trees.multiway.hierarchy import Hierarchy, state_scores
from splitcrit.trees.scan.prepared_criterion import best_score, data_of, form_of

ROWS, CLASSES = [5, 4, 4], [6, 4, 3]
TABLE = np.array([[4, 1, 0], [1, 2, 1], [1, 1, 2]])
CODES = np.array([0, 0, 1, 0, 0, 2, 0, 0, 1, 2, 1, 1, 2, 1, 1])  # an odd number: no threshold is in the middle
PERMUTED = replace(agini, model="permutation")
SEARCHED = {"sgini": sgini, "agini": agini, "permuted": PERMUTED, "significance": significance}


def searched() -> dict[str, float]:
    """The best thresholds of a compiled search."""
    forms = {name: form_of(criterion, len(CODES), 3) for name, criterion in SEARCHED.items()}
    return {f"search {name}": best_score(data_of(form), CODES, 3) for name, form in forms.items() if form}


def clustered() -> list[float]:
    """The scores of all numbers of clusters."""
    counts = np.array([[3, 0], [1, 1], [0, 2], [1, 4], [2, 2]])
    hierarchy = Hierarchy.of(np.array([0.0, 1.0, 3.0, 4.0, 9.0]), counts, np.array([0, 5]))
    return [float(x) for x in state_scores(sgini, hierarchy)[1:]]


def answers() -> dict[str, Any]:
    """A number, or numbers, by user."""
    batch, independent = [gini_null([ROWS], [CLASSES], model=m) for m in ("permutation", "multinomial")]  # type: ignore
    exact = gini_null(ROWS, CLASSES, order=3, exact=True)
    drawn = gini_null(ROWS, CLASSES, model="multinomial", exact=True)
    third = third_moment(np.array(ROWS, float)[:, None], np.array(CLASSES, float)[:, None])
    selected = selected_pvalue([[3, 1], [2, 2], [1, 5], [0, 3]], statistic="sgini")
    return {
        "batch mean": float(batch.mean[0]),
        "batch variance": float(batch.variance[0]),
        "batch third": float(third[0]),
        "exact mean": str(exact.mean),
        "exact variance": str(exact.variance),
        "exact third": str(exact.third),
        "independent mean": [float(independent.mean[0]), str(drawn.mean)],
        "independent variance": [float(independent.variance[0]), str(drawn.variance)],
        "scores of a batch": [float(x) for x in sgini(np.stack([TABLE, TABLE]))],
        "score of a table": float(sgini(TABLE)),
        "scan": [float(x) for x in sgini_scan(CODES, 3)],
        "clusters": clustered(),
        "selected p-value": float(selected.value),
        "selected score": float(selected.score),
        "exact score of a cut": str(EXTREMES["sgini"].key(17, 6, 4, 17 * 3 - 4 * 6)),
        "Pearson p-value": float(gini_pvalue(TABLE, method="pearson3")),
        "gamma p-value": float(gini_pvalue(TABLE, method="gamma")),
        **searched(),
    }


if __name__ == "__main__":
    print(json.dumps(answers()))
