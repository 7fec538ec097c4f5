"""Who benefits from a treatment? A split test of the treatment among those who responded, in a randomised trial.

Let ``e`` be the probability of treatment, the same for everyone, and ``r_1(x)``, ``r_0(x)`` the probabilities that a
person of features x responds with and without it. Among responders the odds of treatment are

    odds(T = 1 | x, Y = 1) = e/(1 - e) * r_1(x)/r_0(x).

So the ratio of response rates is one number for all x if and only if, among responders, treatment is independent of x:
an ordinary split test, whose labels are treatments. Nothing is estimated of who responds without it.

Main definitions: ``treatment_test``, a ``TreatmentTest`` with an ``Effect`` for each leaf.
Main results: ``split_test`` is exact; the intervals of a tree that was grown on other rows hold together.
Source: the test needs no model of the outcome, as in case-only designs (piegorsch1994); clopper1934 for the intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np
from sklearn.utils import _safe_indexing

from splitcrit.arguments import Array, between, generator, whole
from splitcrit.data.training_inputs import column, labels_of, one_for_each
from splitcrit.display import aligned, html_table, summary
from splitcrit.frozen import complaint
from splitcrit.inference.familywise import simultaneous
from splitcrit.inference.held_out import held_out
from splitcrit.inference.honest import divided, table_of
from splitcrit.inference.node_test import split_test
from splitcrit.inference.significant_part import SignificantSubtree, significant_part
from splitcrit.inference.split_results import SplitTest
from splitcrit.inference.tested_trees import branches
from splitcrit.inference.testing import TreeTestPlan
from splitcrit.nulls.groups import dependence_of
from splitcrit.trees.estimators.classifier import TreeClassifier

NULL = "Null: response rates of treated and untreated have one ratio for everyone. Equal differences are another null."
STRATA = "Treatments change places within strata. Intervals take one probability for all of them."
DIGITS = 4  # of thresholds
HEADS = ("who", "responders", "treated", "ratio", "low", "high")


class Effect(NamedTuple):
    """The relative effect in a leaf: who falls into it, responders, those of them who were treated, ratio, its ends."""

    who: str
    responders: int
    treated: int
    ratio: float
    low: float
    high: float


@final
@dataclass(frozen=True, eq=False, repr=False)
class TreatmentTest:
    """The test of one ratio for everyone, and ratios in the leaves of a tree; it prints as a table.

    Parameters
    ----------
    test : SplitTest
        Of the treatment among all responders.
    subtree : SignificantSubtree
        The tree of treatments, grown on half of the responders, with the test of each split on the other half.
    effects : tuple of Effect
        For each leaf, from the half that did not grow the tree; all intervals hold together with confidence
        ``1 - alpha``.
    probability : float
        That of treatment.
    remarks : tuple of str
    """

    test: SplitTest
    subtree: SignificantSubtree
    effects: tuple[Effect, ...]
    probability: float
    remarks: tuple[str, ...]

    @property
    def pvalue(self) -> float:
        """The p-value of the null hypothesis that the ratio of response rates is the same for everyone."""
        return self.test.pvalue

    @property
    def rejected(self) -> bool:
        """True if the p-value is at most the level."""
        return self.test.rejected

    def __repr__(self) -> str:
        return summary(self, pvalue=self.pvalue, name=self.test.name, effects=len(self.effects))

    def __str__(self) -> str:
        rows = [[str(cell) if i < 3 else f"{cell:.3g}" for i, cell in enumerate(effect)] for effect in self.effects]
        return "\n".join([f"p = {self.pvalue:.4g}, by {self.test.name}", *aligned([HEADS, *rows], (0,)), *self.remarks])

    def _repr_html_(self) -> str:
        return html_table(HEADS, self.effects, notes=[f"p = {self.pvalue:.4g}, by {self.test.name}", *self.remarks])


def treatment_test(
    X: Any, treated: Any, y: Any, *, probability: float | None = None, alpha: float = 0.05, max_depth: int = 2,
    min_samples_leaf: int = 10, categorical_features: Any = None, random_state: Any = None, strata: Any = None,
) -> TreatmentTest:  # fmt: skip
    """Test whether a treatment multiplies the response rate by the same number for everyone, in a randomised trial.

    Treatments of responders are labels of ``split_test``; see this module for why.

    Parameters
    ----------
    X : array (n, d), data frame or nested lists
        What was known of each person before treatment.
    treated : array (n,)
        1 or True for those who were treated, 0 or False for the others.
    y : array (n,)
        The outcome: 1 or True for responders.
    probability : float, optional
        That of treatment, by the design; the share of treated persons by default, which a remark says. It must not
        depend on X: where sites or blocks were randomised at different rates, pass them as ``strata``.
    alpha : float, default=0.05
        The level of the test; the intervals hold together with confidence ``1 - alpha``.
    max_depth, min_samples_leaf : int
        Of the tree of treatments.
    categorical_features
        As in ``split_test``.
    random_state
        What ``numpy.random.default_rng`` takes, to divide the responders; None is 0.
    strata : array (n,), optional
        The site or block in which each person was randomised. Treatments of responders then change places within
        strata alone, so that the p-value holds whatever the rates of strata, and so do the tests of the tree's splits.
        Its intervals still take one probability for all, which a remark says.

    Returns
    -------
    TreatmentTest

    Raises
    ------
    ValueError, TypeError
        If treatments or outcomes are not 0 and 1, responders have one arm only or are too few to divide, or X is
        invalid.

    See Also
    --------
    split_test : The test.
    significant_subtree : How the splits of the tree are tested.

    Notes
    -----
    The ratio is relative: with rates .1 and .4 without treatment, an equal ratio is another null than an equal
    difference, and the test rejects the latter. Residuals of a model of y as responses of a test are a trap: where the
    model is wrong, they depend on features though the effect does not.

    References
    ----------
    piegorsch1994; clopper1934.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, treated = rng.normal(size=(4000, 3)), rng.integers(0, 2, 4000)
    >>> rate = np.where(x[:, 0] > 0, 0.3, 0.15) * np.where((x[:, 1] > 0.3) & (treated == 1), 2, 1)
    >>> found = treatment_test(x, treated, rng.random(4000) < rate, probability=0.5)
    >>> found.test.name, found.rejected, found.subtree.estimator.tree_.feature.tolist()
    ('x1', True, [1, -2, -2])
    """
    took = _ones(treated, "a treatment", "treated == 'drug'")
    responded = _ones(y, "an outcome", "y == 'cured'")
    one_for_each(took, len(responded))
    X = table_of(X)
    remarks = [NULL]
    one_for_each(took, X.shape[0])
    alpha = float(between(alpha, "alpha", 0, 1, ends=False, example=0.05))
    if not isinstance(categorical_features, str | None):
        categorical_features = np.asarray(categorical_features)
    if probability is None:
        probability = float(took.mean())
        remarks.append(f"Probability of treatment: {probability:.4g}, the share in these rows; probability= sets it.")
    e = float(between(probability, "probability", 0, 1, ends=False))
    rows = _safe_indexing(X, np.flatnonzero(responded))
    labels = took[responded].astype(np.intp)
    if len(np.unique(labels)) < 2:
        rule, remedy = "responders are of both arms", "pass more rows, or all rows of the trial"
        raise ValueError(complaint(rule, f"{len(labels)} of one arm or none", remedy))
    within = None
    if strata is not None:
        one_for_each(took, len(within := column(strata)))
        within = within[responded]
        remarks.append(STRATA)
    test = split_test(
        rows, labels, alpha=alpha, categorical_features=categorical_features, response="classes", strata=within
    )
    grows, others = divided(labels, 0.5, generator(0 if random_state is None else random_state))
    tree = TreeClassifier(
        max_depth=whole(max_depth, "max_depth", 1), min_samples_leaf=whole(min_samples_leaf, "min_samples_leaf", 1),
        random_state=0, categorical_features=categorical_features,
    ).fit(_safe_indexing(rows, grows), labels[grows])  # fmt: skip
    fresh = held_out(tree, _safe_indexing(rows, others), labels[others])
    among = dependence_of(None, within, len(labels))
    subtree = significant_part(tree, fresh, TreeTestPlan(alpha, among=among and among.take(others)))
    who = _leaves(tree)
    counts = fresh.values[list(who)]
    low, high = (_ratios(end[:, 1], e) for end in simultaneous(counts, alpha))
    ratios = _ratios(counts[:, 1] / np.maximum(counts.sum(axis=1), 1), e)
    each = zip(who.values(), counts.sum(axis=1).tolist(), counts[:, 1].tolist(), ratios, low, high, strict=True)
    effects = tuple(Effect(name, n, k, *map(float, ends)) for name, n, k, *ends in each)
    return TreatmentTest(test, subtree, effects, e, (*remarks, *test.remarks))


def _ones(values: Any, noun: str, example: str) -> Array:
    """The truth of each entry of a vector of 0 and 1."""
    labels = labels_of(column(values))
    others = np.ones(len(labels), dtype=bool) if labels.dtype.kind not in "biuf" else (labels != 0) & (labels != 1)
    if others.any():
        other = labels[others][0].item()
        raise ValueError(complaint(f"{noun} is 0 or 1", repr(other), f"pass {example} for instance"))
    return labels.astype(bool)


def _ratios(share: Array, e: float) -> Array:
    """The ratios of response rates by the shares of treated responders: odds over the odds of treatment."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(np.where(share < 1, share / (1 - share), np.inf) * (1 - e) / e)


def _leaves(tree: TreeClassifier) -> dict[int, str]:
    """The leaves of a tree, each with the conditions on its path."""
    names, left, right = tree.names_of_columns(), tree.nodes_.children_left, tree.nodes_.children_right
    waiting, leaves = [(0, "")], {}
    while waiting:
        node, path = waiting.pop()
        if left[node] < 0:
            leaves[node] = path or "all"
            continue
        feature, *sides = branches(tree, node, DIGITS)
        for child, side in zip((right[node], left[node]), reversed(sides), strict=True):
            condition = f"{names[feature]} {side.replace('>  ', '> ')}"
            waiting.append((int(child), f"{path} and {condition}" if path else condition))
    return leaves
