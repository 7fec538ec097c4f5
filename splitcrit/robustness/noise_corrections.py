"""Undoing noise of known rates: scores after the inverse channel, leaf labels, and an estimate of the rates.

Main definitions: ``corrected``, ``leaf_labels``, ``leaf_threshold``, ``estimated_rates``, ``EstimatedRates``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import between, whole
from splitcrit.arith import total
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.data.counting import as_array, real_array
from splitcrit.frozen import complaint, shown
from splitcrit.impurities import Search
from splitcrit.noise import Channel
from splitcrit.robustness.laws import channel_of, transition_of
from splitcrit.table import Table

Matrix = tuple[tuple[Any, ...], ...]
SINGULAR = 1e-12
LARGEST = 2**53


@lru_cache(maxsize=64)
def inverse(channel: Channel, classes: int) -> Matrix:
    """The inverse of a transition matrix, by elimination with the largest pivot.

    Raises
    ------
    ValueError
        If the channel is singular: some true distributions look alike after it.
    """
    matrix = transition_of(channel, classes)
    kind = type(matrix[0][0])
    rows = np.array([[*law, *(kind(i == j) for j in range(classes))] for i, law in enumerate(matrix)],
                    dtype=float if kind is float else object)  # fmt: skip
    for i in range(classes):
        pivot = i + int(np.argmax(np.abs(rows[i:, i])))
        if abs(rows[pivot, i]) <= SINGULAR:
            rule = f"noise can be undone if its transition matrix of {classes} classes has an inverse"
            raise ValueError(complaint(rule, channel.name, "use rates that tell the classes apart"))
        rows[[i, pivot]] = rows[[pivot, i]]
        rows[i] = rows[i] / rows[i, i]
        factors = rows[:, i].copy()
        factors[i] = 0 * factors[i]
        rows[:, i:] -= np.multiply.outer(factors, rows[i, i:])  # what is left of column i is 0 in this row
    return tuple(map(tuple, rows[:, classes:].tolist()))


@dataclass(frozen=True)
class NoiseCorrected:
    """A score of the table that the inverse channel makes of the noisy one."""

    score: Any
    channel: Channel

    def __call__(self, t: Any, m: Any) -> Any:
        """The score of the corrected table; counts below 0 become 0, and a row keeps its total."""
        undo = inverse(self.channel, len(t[0]))
        return self.score([_restored(row, undo, m) for row in t], m)


def _restored(row: Any, undo: Matrix, m: Any) -> list[Any]:
    size = total(list(row))
    raised = [m.max((total([row[j] * m.number(undo[j][k]) for j in range(len(row))]), 0 * size))
              for k in range(len(row))]  # fmt: skip
    whole = total(raised)
    return [m.where(whole > 0, x * size / m.where(whole > 0, whole, 1 + 0 * whole), x) for x in raised]


def corrected(criterion: Any, channel: Channel) -> Criterion:
    """The criterion that scores a table after undoing noise of known rates.

    Each row of noisy counts is multiplied by the inverse of the transition matrix. What comes out negative, as it does
    in small or pure rows, is set to 0, and the row is scaled back to its size; so the score is that of a real table,
    and no longer unbiased.

    Parameters
    ----------
    criterion : Criterion or Impurity
    channel : Channel

    Returns
    -------
    Criterion
        Usable in tables and trees.

    Raises
    ------
    ValueError
        When it scores, if the channel is singular for that number of classes.

    See Also
    --------
    expected_gain : What noise does to a score.
    estimated_rates : Rates from the data.

    References
    ----------
    ghosh2017, Remark 6.

    Examples
    --------
    >>> from splitcrit import class_conditional, entropy
    >>> noise = class_conditional(tau_pos=0.25, tau_neg=0.125)
    >>> clean = [[30, 10], [10, 30]]
    >>> score = corrected(entropy, noise)(noise.expected(clean))
    >>> from splitcrit import decrease
    >>> bool(abs(score - decrease(entropy)(clean)) < 1e-12)
    True
    """
    chosen, noise = as_criterion(criterion), channel_of(channel)
    name = f"corrected({chosen.name}, {noise.name})"
    known = chosen.search  # how the score follows from counts is not said of the corrected one
    divided = None if known.divided is None else corrected(known.divided, noise)
    search = Search(divided=divided, guarded=known.guarded, tested=known.tested, negative=known.negative)
    return Criterion(
        name, NoiseCorrected(chosen.score, noise), rows=chosen.rows, classes=chosen.classes, scale=chosen.scale,
        degree=chosen.degree, search=search,
    )  # fmt: skip


def leaf_threshold(channel: Channel) -> Any:
    """The noisy share of positives above which a leaf is positive, ``(1 - tau_pos + tau_neg)/2``.

    Parameters
    ----------
    channel : Channel
        Class-conditional noise of two classes.

    Raises
    ------
    ValueError
        If ``tau_pos + tau_neg >= 1``: labels are uninformative then, or say the opposite.

    Notes
    -----
    Proved: noise.majority_threshold_of_class_conditional

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit import class_conditional
    >>> leaf_threshold(class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5)))
    Fraction(2, 5)
    """
    negatives, positives = transition_of(channel, 2)
    tau_neg, tau_pos = negatives[1], positives[0]
    if tau_pos + tau_neg >= 1:
        rule = "a threshold on noisy shares needs tau_pos + tau_neg < 1"
        raise ValueError(complaint(rule, f"{tau_pos} + {tau_neg}", "use leaf_labels, or less noise"))
    return (1 - tau_pos + tau_neg) / 2


def leaf_labels(counts: Any, channel: Channel) -> NDArray[np.intp]:
    """The class of each leaf ``(..., K)`` of noisy counts after undoing the noise; the first of those that tie.

    For two classes it is positive where the noisy share of positives is above ``leaf_threshold(channel)``. Counts are
    compared exactly where the rates are Fractions, and else in float64, where a tie may be lost to rounding.

    Parameters
    ----------
    counts : array (..., K)
        Noisy class counts of leaves.
    channel : Channel
        The noise.

    Raises
    ------
    ValueError
        If the channel is singular.

    Notes
    -----
    Proved: noise.majority_threshold_of_class_conditional

    Examples
    --------
    >>> from splitcrit import class_conditional
    >>> leaf_labels([[11, 9], [13, 7]], class_conditional(tau_pos=0.4, tau_neg=0.2))
    array([1, 0])
    """
    if as_array(counts, "leaf counts").ndim < 1:
        raise ValueError(complaint("leaves are counts (..., K)", shown(counts), "pass [n_0, n_1, ...]"))
    leaves = Table.of(real_array(counts, "leaf counts", lambda at: f"index {at}")[..., None, :]).counts[..., 0, :]
    undo = inverse(channel_of(channel), leaves.shape[-1])
    kind = object if leaves.dtype != float and isinstance(undo[0][0], Fraction) else float
    if leaves.dtype == object and kind is float:
        leaves = leaves / np.maximum(leaves.sum(axis=-1, keepdims=True), 1)  # which changes no order
    undone = leaves.astype(kind) @ np.array(undo, dtype=kind)
    return np.asarray(undone.argmax(axis=-1))


@dataclass(frozen=True)
class EstimatedRates:
    """Estimated flip rates of two classes with intervals that hold together with the confidence asked for.

    The intervals are for the noisy shares of the two leaves used. They are intervals for the rates if one of them holds
    positives only, and the other negatives only; otherwise the rates are overestimated.

    Parameters
    ----------
    tau_pos, tau_neg : float
        The share of positives, and of negatives, with a wrong label.
    tau_pos_interval, tau_neg_interval : tuple of float
        Their lower and upper ends.

    Examples
    --------
    >>> estimated_rates([[90, 10], [30, 70]]).tau_neg
    0.1
    """

    tau_pos: float
    tau_neg: float
    tau_pos_interval: tuple[float, float]
    tau_neg_interval: tuple[float, float]


def estimated_rates(leaves: Any, *, least: int = 30, confidence: float = 0.95) -> EstimatedRates:
    """The flip rates of two classes, read off the two purest leaves of a tree grown on noisy labels.

    ``tau_neg`` is the smallest noisy share of positives of a leaf, and ``1 - tau_pos`` the largest. The intervals are
    Clopper and Pearson's, corrected for the choice among all leaves by Bonferroni.

    Parameters
    ----------
    leaves : integers (m, 2)
        Noisy counts of the leaves, negatives first; best of held-out rows.
    least : int
        Leaves with fewer samples are passed over.
    confidence : float
        With which all intervals hold at once.

    Raises
    ------
    ValueError
        If no leaf has enough samples, or a parameter is out of its range.

    References
    ----------
    ghosh2017, Remark 6.

    Examples
    --------
    >>> rates = estimated_rates([[90, 10], [30, 70], [5, 4]])
    >>> round(rates.tau_neg, 3), round(rates.tau_pos, 3)
    (0.1, 0.3)
    """
    least = whole(least, "least", 1)
    confidence = between(confidence, "confidence", 0, 1, ends=False, example=0.95)
    counts = np.asarray(Table.of(leaves).integers())
    if counts.ndim != 2 or counts.shape[1] != 2:
        raise ValueError(complaint("leaves are counts (m, 2)", f"shape {counts.shape}", "pass negatives, positives"))
    large = [leaf for leaf in counts.tolist() if sum(leaf) >= least]
    if not large:
        rule, most = f"a rate is read off a leaf of at least {least} samples", max(map(sum, counts.tolist()))
        raise ValueError(complaint(rule, f"at most {most}", "grow larger leaves, or lower least="))
    large.sort(key=sum, reverse=True)  # of leaves with one share the largest is taken, whose interval is the shortest
    purest = min(large, key=_positives), max(large, key=_positives)
    risk = float(1 - confidence) / (2 * len(large))
    (low, neg), (high, pos) = (_share(leaf, risk) for leaf in purest)
    return EstimatedRates(1 - high, low, (1 - pos[1], 1 - pos[0]), neg)


def _positives(leaf: list[int]) -> Fraction:
    return Fraction(leaf[1], sum(leaf))


def _share(leaf: list[int], risk: float) -> tuple[float, tuple[float, float]]:
    from scipy.stats import beta

    negative, positive = leaf
    if negative + positive >= LARGEST:
        rule = "a rate is read off a leaf of fewer than 2**53 samples"
        raise ValueError(complaint(rule, negative + positive, "leave that leaf out"))
    low = float(beta.ppf(risk, positive, negative + 1)) if positive else 0.0
    high = float(beta.ppf(1 - risk, positive + 1, negative)) if negative else 1.0
    return positive / (negative + positive), (low, high)
