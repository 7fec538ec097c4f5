"""How often label noise changes the majority of a leaf: the exact probability; its bounds are in ``published_bounds``.

Main definitions: ``majority_failure``, ``majority_failure_by_example``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal

import numpy as np

from splitcrit.arguments import PATIENT, Array, codes, finite, one_of
from splitcrit.data.counting import as_array
from splitcrit.frozen import complaint
from splitcrit.noise import Channel
from splitcrit.robustness.laws import (
    Rates,
    binomial,
    binomial_weights,
    counts_of,
    extended,
    lattice_steps,
    terms_steps,
    too_many,
    transition_of,
)

Ties = Literal["fail", "keep", "split"]


def majority_of(counts: list[int]) -> int:
    """The class of the strict majority of a leaf."""
    most = max(counts)
    if counts.count(most) > 1:
        rule = "a leaf has one majority class before noise"
        raise ValueError(complaint(rule, f"counts {shown(counts)}", "pass a leaf without a tie"))
    return counts.index(most)


def shown(counts: list[int]) -> str:
    """Counts as they print, the first of many."""
    return str(counts) if len(counts) <= 12 else f"{str(counts[:12])[:-1]}, ...]"


def majority_failure(counts: Any, channel: Channel, *, ties: Ties = "fail", limit: float = PATIENT) -> Any:
    """The exact probability that noise changes the majority label of a leaf.

    The noisy counts are sums of independent multinomials, one a true class. Two classes take ``O(n)`` terms, ``K``
    classes a lattice of ``(n + 1)^(K - 1)`` states.

    Parameters
    ----------
    counts : integers (K,)
        True class counts with one largest.
    channel : Channel
        What each label goes through, by itself.
    ties : {"fail", "keep", "split"}
        A tie of the true majority with another class counts as a change, as none, or is decided by lot.
    limit : float
        How many seconds the exact law may take, as counted for one processor.

    Returns
    -------
    float, or Fraction where the channel's rates are Fractions

    Raises
    ------
    ValueError
        If the counts are no counts, tie, or ask for more than ``limit`` seconds or too much memory.

    See Also
    --------
    samples_needed : The leaf size for a given probability.
    order_failure : Two splits instead of a leaf.
    majority_failure_by_example : A rate for each sample.

    References
    ----------
    ghosh2017, Lemma 7; wilton2024, Theorem 4.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit import symmetric
    >>> majority_failure([0, 3], symmetric(Fraction(1, 10)))
    Fraction(7, 250)
    >>> round(majority_failure([10, 20, 15], symmetric(0.2)), 4)
    0.2433
    """
    leaf = counts_of(counts)
    one_of(ties, Ties, "ties")
    best, rates = majority_of(leaf), Rates.of(transition_of(channel, len(leaf)))
    too_many(failure_steps(sum(leaf), rates), limit, len(leaf))
    if len(leaf) == 2:
        return pair_failure(leaf, rates, ties)
    return settled(extended(None, labels_of(leaf, rates), rates), best, ties, rates)


def failure_steps(n: int, rates: Rates) -> int:
    """The steps of the failure of one leaf of ``n`` observations."""
    classes, words = len(rates.rows), rates.words(n)
    return terms_steps(n, words) if classes == 2 else lattice_steps(n, classes, words)


def labels_of(leaf: list[int], rates: Rates) -> Iterator[tuple[Any, ...]]:
    """Yield the law of the noisy label of every observation of a leaf."""
    return (law for law, n in zip(rates.rows, leaf, strict=True) for _ in range(n))


def majority_failure_by_example(labels: Any, rates: Any, *, ties: Ties = "fail", limit: float = PATIENT) -> float:
    """The exact probability that noise changes a leaf's majority where every example has its own rate.

    Parameters
    ----------
    labels : integers (n,)
        True classes, 0 to K - 1.
    rates : array (n,) or (n, K)
        The probability that a label changes, to each other class alike; or the law of each noisy label.
    ties : {"fail", "keep", "split"}
    limit : float
        How many seconds the exact law may take, as counted for one processor.

    Raises
    ------
    ValueError
        If a rate is no probability, a law does not sum to 1, or the law takes more than ``limit`` seconds.

    References
    ----------
    ghosh2017, Theorem 5(b).

    Examples
    --------
    >>> round(majority_failure_by_example([1, 1, 1], [0.1, 0.1, 0.1]), 12)
    0.028
    """
    true = codes(labels, "labels")
    one_of(ties, Ties, "ties")
    passed = finite(rates, "rates", 2 if as_array(rates, "rates").ndim == 2 else 1)
    if len(true) == 0 or len(passed) != len(true) or not ((passed >= 0).all() and (passed <= 1).all()):
        rule = f"rates are {len(true)} probabilities, or as many laws, of one label or more"
        raise ValueError(complaint(rule, f"shape {passed.shape}", "pass numbers in [0, 1], one row an example"))
    classes = max(2, int(true.max()) + 1) if passed.ndim == 1 else passed.shape[1]
    if true.max() >= classes:
        rule = f"the law of a noisy label of {classes} classes is about classes below that"
        raise ValueError(complaint(rule, f"class {true.max()}", "pass one column a class"))
    too_many(lattice_steps(len(true), classes), limit, classes)
    laws = _even(true, passed, classes) if passed.ndim == 1 else passed
    if not np.allclose(laws.sum(axis=1), 1, rtol=0, atol=1e-12):
        rule = "the law of a noisy label sums to 1"
        raise ValueError(complaint(rule, f"sums from {laws.sum(axis=1).min()}", "divide each row by its sum"))
    best, free = majority_of(np.bincount(true, minlength=classes).tolist()), Rates(((0.0,) * classes,) * classes, None)
    return float(settled(extended(None, map(tuple, laws.tolist()), free), best, ties, free))


def _even(true: Array, rates: Array, classes: int) -> Array:
    laws = np.repeat(rates[:, None] / (classes - 1), classes, axis=1)
    laws[np.arange(len(true)), true] = 1 - rates
    return laws


def pair_failure(leaf: list[int], rates: Rates, ties: str) -> Any:
    """P(X < n/2) and its share of a tie, X the noisy count of the majority of two classes."""
    best = majority_of(leaf)
    n, major, minor = sum(leaf), leaf[best], leaf[1 - best]
    stays, comes = rates.rows[best][best], rates.rows[1 - best][best]
    bounds = sorted({"fail": {n // 2}, "keep": {(n - 1) // 2}, "split": {n // 2, (n - 1) // 2}}[ties])
    if rates.unit is not None:
        return chance_of_at_most(major, minor, stays, comes, rates.unit, bounds)
    from scipy.stats import binom

    own, taken = binomial(major, stays, None), np.arange(major + 1)
    failed = [float((own * binom.cdf(most - taken, minor, comes)).sum()) for most in bounds]
    return _at_most_one(sum(failed) / len(bounds))


def chance_of_at_most(major: int, minor: int, stays: int, comes: int, unit: int, bounds: list[int]) -> Fraction:
    """The mean over bounds of the chance that at most this many noisy labels of two classes are of the first.

    Parameters
    ----------
    major, minor : int
        How many labels are of the first class, and of the other.
    stays, comes, unit : int
        A label of the first class stays with chance ``stays / unit``; one of the other comes with ``comes / unit``.
    bounds : list of int

    Examples
    --------
    >>> chance_of_at_most(3, 0, 9, 1, 10, [1])
    Fraction(7, 250)
    """
    own = binomial_weights(major, stays, unit)
    below = list(accumulate([0, *binomial_weights(minor, comes, unit)]))
    weight = sum(sum(x * below[max(0, min(most - i, minor) + 1)] for i, x in enumerate(own)) for most in bounds)
    return Fraction(weight, len(bounds) * unit ** (major + minor))


def _at_most_one(chance: Any) -> Any:
    return chance if isinstance(chance, Fraction) else min(chance, 1.0)


def settled(joint: Array, best: int, ties: str, rates: Rates) -> Any:
    """The probability of failure from the joint law of all counts but the last class's."""
    n, axes = joint.shape[0] - 1, joint.ndim
    seen: list[Array] = list(np.indices(joint.shape, dtype=np.int32))
    seen.append(np.asarray(n - sum(seen[1:], seen[0])))
    own = seen.pop(best)
    top = functools.reduce(np.maximum, seen)
    kind = Fraction if joint.dtype == object else float
    failed, tied = kind(joint[own < top].sum()), own == top
    if ties == "fail":
        failed += kind(joint[tied].sum())
    elif ties == "split":
        tying = np.sum([other[tied] == own[tied] for other in seen], axis=0)
        failed += sum((kind(joint[tied][tying == k].sum()) * k / (k + 1) for k in range(1, axes + 1)), kind(0))
    return _at_most_one(rates.chance(failed, n))
