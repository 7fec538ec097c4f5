"""How rows that are said to be new are recognised as those that grew a model.

Main definitions: ``Recognition``; ``log_chances``, ``log_evidence`` and ``log_cover``, its e-values.
Main results: nodes betray the rows that grew them, but new rows may agree. New rows are drawn independently, or with
given numbers of each group: of each class, or of each tenth of numbers. Whatever the law of a group, its numbers
``T_k`` at the leaves have a probability of at most ``A(T_k)``, that of a multinomial law with their own shares.

1. If the numbers of each group agree with growth, ``1/prod_k A(T_k)`` is an e-value: one table agrees, of probability
   ``prod_k A(T_k)`` or less. Of rows that a tree drew, or that count, several times, those that count once stand for
   all: given the others they have to fill up what is known of a leaf.
2. If the numbers of all rows agree, the mean of ``1/A(T_k)`` over the groups is one: given the other groups ``T_k`` is
   determined, so that ``sum P(T) / A(T_k)`` is at most the sum of the probabilities of the other groups, which is 1.
3. If the rows hold those that grew the tree, see ``log_cover``.

Means of e-values over trees are e-values, whatever their dependence, and 1,000 or more has a probability of at most
1/1,000 (Markov): so rarely are new rows recognised as those of growth. A tree of few or of pure leaves says nothing.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel, FittedTree
from splitcrit.audits.node_moments import NodeLabels, moments, node_sums

ROUNDING = 1e-9  # relative: the values of a node's training rows, summed in another order
BAR = np.log(1000)  # e-values at which rows count as recognised
TENTHS = 10  # groups of numbers
STEPS = 256  # of the probability of a leaf


def log_chances(counts: Array) -> Array:
    """The log-probability of each column of counts, drawn by the shares that make it most probable.

    Examples
    --------
    >>> np.exp(log_chances(np.array([[25, 0, 2], [0, 25, 1]]))).round(4).tolist()
    [1.0, 1.0, 0.4444]
    """
    from scipy.special import gammaln, xlogy

    n = counts.sum(axis=0)
    return np.asarray(gammaln(n + 1) - xlogy(n, n) - (gammaln(counts + 1) - xlogy(counts, counts)).sum(axis=0))


def log_evidence(table: Array, known: bool) -> float:
    """The logarithm of an e-value against the hypothesis that rows are new, given that they agree with growth.

    Parameters
    ----------
    table : array (leaves, groups)
        The rows at each leaf by group.
    known
        Whether each group's numbers agree with growth; else those of all rows, which given the other groups fix one's.

    Examples
    --------
    >>> table = np.array([[2, 0], [1, 5]])
    >>> [round(float(np.exp(log_evidence(table, known))), 3) for known in (True, False)]  # of 4/9 and 1
    [2.25, 1.625]
    """
    each = -log_chances(table)
    return float(each.sum() if known else np.logaddexp.reduce(each) - np.log(len(each)))


def log_cover(least: Array, table: Array) -> float:
    """The logarithm of an e-value against the hypothesis that rows are new, given that they hold some others.

    ``least (leaves, groups)`` counts the rows that grew the leaves, ``table`` has at least as many. Of ``n`` new rows
    of a group that fall in leaf ``l`` with probability ``q_l``, each leaf has ``r_l`` or more with a probability of at
    most ``prod_l P(Bin(n, q_l) >= r_l)``, for the counts are negatively associated. Its largest value over all ``q`` is
    at most ``exp(a) prod_l max_q exp(-a q) P(Bin(n, q) >= r_l)`` for any ``a``; ``q`` runs over steps, whose upper ends
    count in the last factor and whose lower ends in the first.

    Examples
    --------
    >>> log_e = log_cover(np.array([[1], [1], [1]]), np.array([[1], [1], [1]]))  # three rows, one in each leaf: 2/9
    >>> round(float(np.exp(-log_e)), 2)
    0.36
    """
    from scipy.special import betainc

    log_e = 0.0
    for n, counts in zip(table.sum(axis=0), least.T, strict=True):
        r, times = np.unique(counts[counts > 0], return_counts=True)
        q = np.geomspace(0.01 / max(n, 1), 1, STEPS)
        tails = np.log(np.maximum(betainc(r[:, None], n - r[:, None] + 1, q), 1e-300))
        below = np.append(0.0, q[:-1])
        bounds = [a + times @ (tails - a * below).max(axis=1) for a in np.geomspace(0.01, n + 1, 64)]
        log_e -= min(0.0, *bounds)
    return float(log_e)


class Recognition:
    """Tells whether rows said to be new are those that grew a model, whose trees are added one by one.

    ``in_order``: as many of the rows reach each node of the trees so far as of those that the trees drew, and their
    labels agree where they can be compared. ``any_order``: the rows bring to each leaf at least those that it was grown
    on. Each tree has an e-value of either kind, which is 0 unless all trees agree; the rows are recognised if the mean
    of all is at least 1,000, which happens with a probability of at most .001 where rows are new.
    """

    def __init__(self, fitted: FittedModel, labels: NodeLabels) -> None:
        self.fitted, self.labels, self.trees = fitted, labels, 0
        self.in_order, self.any_order = True, labels.n_classes is not None
        self.ordered: list[float] = []
        self.covered: list[float] = []

    def add(self, sums: Array, ends: Array | None, times: Array | None = None) -> None:
        """Add a tree: what the rows at its nodes sum to, the leaf of each row, None if rows come in parts, and weights.

        Of a tree that drew rows, and of rows that count several times, those of a count of 1 are looked at: given the
        others, they fill up what is known of a leaf.
        """
        tree = self.fitted.trees[self.trees]
        # A row that counts twice is not two new ones.
        if self.any_order and (times is None or times.max() <= 1):
            self._cover(tree, sums)
        if self.in_order and (tree.rows is not None or tree.shares is not None):
            self._agree(tree, sums, ends, times)
        self.trees += 1

    @property
    def matches(self) -> bool:
        """True if the rows may be those that grew the trees, for all that these tell."""
        return (self.in_order and len(self.ordered) > 0) or self.recognised

    @property
    def recognised(self) -> bool:
        """True if the rows are, or hold, those that grew the trees: of new rows with a probability of at most .001."""
        each = self.ordered * self.in_order + self.covered * self.any_order
        return bool(each) and bool(np.logaddexp.reduce(each) - np.log(2 * self.trees) >= BAR)

    @cached_property
    def groups(self) -> tuple[Array, bool]:
        """The group of each row, within which new rows are drawn alike, and whether no two numbers are equal.

        A group is a class, or a tenth of the values. Where no two are equal, other rows hardly have their means.
        """
        if self.labels.n_classes is not None:
            return self.labels.values, False
        values, group = np.unique(self.labels.values, return_inverse=True)
        distinct = len(values) == len(group) >= TENTHS
        return group if len(values) <= TENTHS else group * TENTHS // len(values), distinct

    def _agree(self, tree: FittedTree, sums: Array, ends: Array | None, times: Array | None) -> None:
        """Take a tree whose sample the rows may be, in their order."""
        structure, drawn, here, labels = tree.structure, self.fitted.drawn, sums, self.labels
        if drawn is not None:
            fewer = times is None and bool((moments(sums, labels).n < tree.rows).any())  # all rows, than some of them
            self.in_order = not fewer and ends is not None and int((sample := drawn()[self.trees]).max()) < len(ends)
            if ends is None or not self.in_order:
                return
            times = np.bincount(sample, minlength=len(ends))
            here, sums = (node_sums(structure, ends, labels, of) for of in (np.minimum(times, 1), times))
        sizes, now = moments(here, labels).n, moments(sums, labels)
        grown = tree.grown
        rows = tree.rows if tree.shares is None else np.rint(tree.shares * sizes[0])
        # Known of trees that are neither boosted nor weighted in growth.
        known = grown is not None and bool((now.n == grown.n).all())
        alike = grown is None or not known or np.abs(now.mean - grown.mean).max() <= ROUNDING * np.abs(grown.mean).max()
        self.in_order = bool(alike and (sizes == rows).all())
        if not self.in_order:
            return
        table, distinct = sizes[:, None] if labels.n_classes is None else here, False
        if ends is not None:
            groups, distinct = self.groups
            once = np.ones(len(ends)) if times is None else np.minimum(times, 1) if drawn and not known else times
            single, of = once == 1, int(groups.max()) + 1
            table = np.bincount(ends[single] * of + groups[single], minlength=of * len(sizes)).reshape(-1, of)
        evidence = log_evidence(table[structure.left < 0], known and labels.n_classes is not None)
        # Means of responses far from 0 that differ little may agree by chance, in what is certain once in 40,000 times.
        distinct = known and distinct and ROUNDING * np.abs(now.mean).max() ** 2 * now.n[0] <= now.impurity[0]
        self.ordered.append(np.inf if distinct else evidence)

    def _cover(self, tree: FittedTree, sums: Array) -> None:
        """Take a tree whose leaves may each have at least the rows of each class that it was grown on."""
        leaves = tree.structure.left < 0
        if tree.grown is None or tree.rows is None or not tree.rows[0]:
            self.any_order = False
            return
        here, rows, share = sums[leaves], tree.rows[leaves], tree.grown.mean[leaves]
        # No row counts twice: shares are counts.
        whole = (tree.grown.n == tree.rows).all()
        least = np.where(whole | (share > 1 - ROUNDING), rows[:, None] * share, share > 0).round()
        self.any_order = bool((here >= least).all() and (here.sum(axis=1) >= rows).all())
        if self.any_order:
            self.covered.append(log_cover(least, here))
