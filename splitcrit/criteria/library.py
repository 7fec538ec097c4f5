"""Criteria that are no decrease of an impurity: counted pairs, two superclasses, imprecise probabilities, ratios.

Main definitions: ``twoing``, ``pairwise_gain``, ``one_vs_rest_pairwise_gain``, ``sum_minority``, ``chi_square`` (the
squared distances of counts from what the margins expect, over the latter), ``g_statistic`` (``2 n`` times the decrease
of the entropy in nats), ``hellinger`` (the distance of the rates of both classes over the rows), ``dkm`` (the decrease
of ``2 sqrt(p (1 - p))``), values;
``imprecise_information_gain``, ``imprecise_gain_ratio``, ``normalised`` (makers); ``twoing_superclasses``.

Source: breiman1996 Section 2 (twoing, in its 1984 form); yang2019 Table I and Section V; wilton2024 Section 5;
cieslak2008 (Hellinger); dietterich1996 (DKM).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import of_kind, real
from splitcrit.arith import Arithmetic, shares, total
from splitcrit.criteria.base import Criterion, as_criterion, decrease
from splitcrit.criteria.gain import Decrease
from splitcrit.data.crossing import Missing
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, entropy, gini, misclassification, scaled, sqrt_gini
from splitcrit.impurities.search_declaration import Search, twoing_form
from splitcrit.table import Table


def _crossings(t: Any) -> tuple[list[Any], Any, Any]:
    """``l_k N_R - r_k N_L`` per class, and both row totals, of a table of two rows."""
    left, right = t
    n_left, n_right = total(left), total(right)
    return [x * n_right - y * n_left for x, y in zip(left, right, strict=True)], n_left, n_right


def _twoing(t: Any, m: Arithmetic) -> Any:
    u, n_left, n_right = _crossings(t)
    whole = n_left + n_right
    distance = total([m.abs(x) for x in u])
    scale = 4 * whole * whole * n_left * n_right
    return distance * distance / m.where(scale == 0, 1, scale)


def _pairwise_gain(t: Any, m: Arithmetic) -> Any:
    (a, b), (c, d) = t
    return m.abs(a * d - b * c) / 2


def _one_vs_rest(t: Any, m: Arithmetic) -> Any:
    u, _, _ = _crossings(t)
    return total([m.abs(x) for x in u]) / 4


def _sum_minority(t: Any, m: Arithmetic) -> Any:
    sizes = [total(row) for row in t]
    whole = total(sizes)
    wrong = total([n - m.max(row) for row, n in zip(t, sizes, strict=True)])
    return -wrong / m.where(whole == 0, 1, whole)


def _chi_square(t: Any, m: Arithmetic) -> Any:
    a, b = [total(row) for row in t], [total([row[k] for row in t]) for k in range(len(t[0]))]
    n, parts = total(a), []
    for row, size in zip(t, a, strict=True):
        for x, column in zip(row, b, strict=True):
            scale = size * column * n
            parts.append((n * x - size * column) ** 2 / m.where(scale == 0, 1, scale))
    return total(parts)


def _g_statistic(t: Any, m: Arithmetic) -> Any:
    return 2 * total([total(row) for row in t]) * Decrease(entropy)(t, m)


def squared_hellinger(t: Any, m: Arithmetic) -> Any:
    """The squared distance of the roots of what share of each class is in each row; 0 if a class is missing."""
    negatives, positives = total([x for x, _ in t]), total([y for _, y in t])
    n, p = m.where(negatives == 0, 1, negatives), m.where(positives == 0, 1, positives)
    gaps = [m.sqrt(x / n) - m.sqrt(y / p) for x, y in t]
    distance = total([gap * gap for gap in gaps])
    return m.where(negatives == 0, 0, m.where(positives == 0, 0, distance))


def _hellinger(t: Any, m: Arithmetic) -> Any:
    return m.sqrt(squared_hellinger(t, m))


def size_of_node(counts: Any, m: Arithmetic) -> Any:
    return total(counts)


def gini_of_node(counts: Any, m: Arithmetic) -> Any:
    """Gini's impurity of class counts, the scale of what is measured on Gini's."""
    return gini.of(shares(counts, total(counts), m), m)


def _pairs(counts: Any, m: Arithmetic) -> Any:
    """A quarter of the ordered pairs of samples of different classes: half the pairs at two classes."""
    n = total(counts)
    return total([x * (n - x) for x in counts]) / 4


def _errors(counts: Any, m: Arithmetic) -> Any:
    return misclassification.of(shares(counts, total(counts), m), m)


SQUARES, CROSSINGS = Search(twoing_form, two_classes="squares"), Search(two_classes="differences")

#: Twoing, ``(P_L P_R / 4) (sum_k |p_kL - p_kR|)^2``, for splits in two and any number of classes.
#:
#: It looks for two balanced groups of classes; for two classes it is half the decrease of `gini`.
#: `twoing_superclasses` names the groups. References: `breiman1984`; `breiman1996`.
twoing = Criterion("twoing", _twoing, rows=2, scale=gini_of_node, degree=0, search=SQUARES)
#: Pairwise gain, ``|a d - b c| / 2`` of a two-by-two table of counts.
#:
#: It is in counts, not per sample, and keeps the order of splits under class-conditional noise. Use
#: `one_vs_rest_pairwise_gain` for more classes. References: `yang2019`.
pairwise_gain = Criterion("pairwise_gain", _pairwise_gain, rows=2, classes=2, scale=_pairs, degree=2, search=CROSSINGS)
#: Pairwise gains of one class against the rest, ``sum_k |n_kL N_R - n_kR N_L| / 4``, for any number of classes.
#:
#: For two classes the two are the same. References: `yang2019`.
one_vs_rest_pairwise_gain = Criterion(
    "one_vs_rest_pairwise_gain", _one_vs_rest, rows=2, scale=_pairs, degree=2, search=CROSSINGS
)
#: Minus the share of samples outside their child's majority class, ``-sum_i (n_i - max_k n_ik) / N``.
#:
#: It orders the splits of one node as the decrease of `misclassification` does, but is never positive. References:
#: `yang2019`, Table I.
sum_minority = Criterion("sum_minority", _sum_minority, scale=_errors, degree=0, search=Search(negative=True))
#: Pearson's chi-square statistic, ``sum_ij (n_ij - e_ij)^2 / e_ij`` with ``e_ij = n_i. n_.j / N``.
#:
#: It grows with the number of rows and classes. `sgini` is standardised, and `gini_pvalue` is an exact p-value of the
#: Gini gain. References: `read1988`.
chi_square = Criterion("chi_square", _chi_square, scale=size_of_node, degree=1)
#: Likelihood-ratio statistic ``2 N`` times the information gain in nats.
#:
#: It orders the splits of a node as ``decrease(entropy)`` does. Compare `chi_square`. References: `read1988`.
g_statistic = Criterion("g_statistic", _g_statistic, scale=size_of_node, degree=1)
#: Hellinger distance, ``sqrt(sum_i (sqrt(n_i0 / n_0) - sqrt(n_i1 / n_1))^2)``, for two classes.
#:
#: It compares what share of each class goes to each child, so it does not depend on how rare a class is: a criterion
#: for imbalanced classes. References: `cieslak2008`.
hellinger = Criterion("hellinger", _hellinger, classes=2, degree=0)
#: Decrease of ``2 sqrt(q (1 - q))`` for two classes, named after Dietterich, Kearns and Mansour.
#:
#: It weighs nearly pure children more than `gini` and `entropy` do. References: `dietterich1996`; `kearns1996`.
dkm = replace(decrease(scaled(sqrt_gini, 2)), name="dkm", classes=2, remake=None)


def twoing_superclasses(
    table: Any, label: Any = None, *, missing: Missing = "error"
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The two groups of classes whose two-class Gini decrease is twice the twoing score of a split.

    The first group holds the classes at least as frequent, relatively, in the first row as in the second.

    Parameters
    ----------
    table, label, missing : a table of two rows, or a feature of two values and its label, as ``Table.of`` takes them

    Returns
    -------
    (first, second) : tuples of class names

    Raises
    ------
    ValueError
        If the table does not have two rows, both with counts.

    See Also
    --------
    twoing : The score.

    Notes
    -----
    Proved: vertex.twoing_is_half_best_grouped_gini

    References
    ----------
    breiman1996, Section 2 and (2.2), with the square outside the sum.

    Examples
    --------
    >>> twoing_superclasses([[4, 0, 1], [1, 2, 2]])
    ((0,), (1, 2))
    """
    table = Table.of(table, label, missing=missing)
    if table.counts.ndim != 2 or table.counts.shape[0] != 2 or min(total(row) for row in table.exact()) == 0:
        rule = "superclasses are those of one table of two non-empty rows"
        raise ValueError(complaint(rule, f"shape {table.counts.shape}", "pass the counts of a binary split"))
    u, _, _ = _crossings(table.exact())
    first = tuple(name for name, x in zip(table.class_names, u, strict=True) if x >= 0)
    return first, tuple(name for name, x in zip(table.class_names, u, strict=True) if x < 0)


@dataclass(frozen=True)
class Normalised:
    """A score divided by the entropy of the row sizes; 0 where that entropy is 0."""

    score: Criterion
    guarded: bool = False

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        sizes = [total(row) for row in t]
        whole = total(sizes)
        whole = m.where(whole == 0, 1, whole)
        split = -total([m.xlogx(n / whole) for n in sizes])
        alone = m.max(sizes) >= total(sizes)
        return m.where(alone, 0, self.score.score(t, m) / m.where(alone, 1, split))


def normalised(criterion: Criterion | Impurity, *, guarded: bool = False) -> Criterion:
    """The criterion divided by the entropy of the split itself, in nats: the gain ratio of C4.5.

    A split with all counts in one row has ratio 0; a search should treat it as no candidate.

    Parameters
    ----------
    criterion : Criterion or Impurity
    guarded : bool
        Among the thresholds of a node, leave out those whose undivided score is below the average: C4.5's guard
        against uneven splits that gain next to nothing. It concerns a search; one table scores the same.

    See Also
    --------
    imprecise_gain_ratio : The credal gain ratio, for small samples.
    adjusted : A correction by the exact mean under chance.

    Notes
    -----
    Proved: vertex.gain_ratio_is_one_at_every_vertex

    References
    ----------
    wilton2024, Section 5 (Credal-C4.5 uses a ratio); wang2024, Section 1.1.1 (C4.5).

    Examples
    --------
    >>> from splitcrit import entropy
    >>> float(normalised(entropy)([[2, 0], [0, 2]]))
    1.0
    """
    inner = as_criterion(criterion)
    of_kind(guarded, bool | np.bool_, "guarded is True or False", "pass one of them")
    name = f"normalised({inner.impurity.name if inner.impurity else inner.name}{', guarded=True' if guarded else ''})"
    score = Normalised(inner, bool(guarded))
    search = Search(divided=inner, guarded=bool(guarded))
    return Criterion(
        name, score, None, inner.rows, inner.classes,
        degree=inner.degree,
        search=search,
        remake=_of_ratio,
    )  # fmt: skip


def _of_ratio(score: Normalised) -> Criterion:
    return normalised(score.score, guarded=score.guarded)


@dataclass(frozen=True)
class ImpreciseGain:
    """Decrease of the largest entropy that counts allow when ``s`` more samples may fall anywhere."""

    s: Any

    def upper_entropy(self, counts: Any, m: Arithmetic) -> Any:
        """The entropy of the counts with ``s`` samples poured onto the smallest, up to one level."""
        n, s = total(counts), m.number(self.s)
        levels = []
        for x in counts:
            below = [m.where(y <= x, 1, 0) for y in counts]
            mass = total([y * b for y, b in zip(counts, below, strict=True)])
            levels.append((s + mass) / total(below))
        # Poured onto too few or too many classes, the samples would stand higher.
        level = m.min(levels)
        return -total([m.xlogx(m.max((x, level)) / (n + s)) for x in counts])

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        sizes = [total(row) for row in t]
        whole = total(sizes)
        node = [total([row[k] for row in t]) for k in range(len(t[0]))]
        rows, s = [self.upper_entropy(row, m) for row in t], m.number(self.s)
        below = total([n * h for n, h in zip(sizes, rows, strict=True)]) + s * m.max(rows)
        return self.upper_entropy(node, m) - below / (whole + s)


def imprecise_information_gain(s: Any = 1) -> Criterion:
    """The imprecise (credal) information gain under the imprecise Dirichlet model with ``s`` hidden samples.

    ``H*(node) - (sum_i n_i H*(row i) + s max_i H*(row i)) / (N + s)``, in nats, with ``H*`` the largest entropy
    after ``s`` samples are shared out to make the counts as level as possible. It can be negative; a split pays
    only where it is positive. All columns of the table count as classes, empty ones too. It reads counts: ``s`` weighs
    less beside more of them, so that weights in another unit give another score.

    Parameters
    ----------
    s : number
        ``s > 0``.

    Raises
    ------
    ValueError
        If ``s`` is not positive and finite.

    See Also
    --------
    imprecise_gain_ratio : Divided by the entropy of the split.
    entropy : The precise information gain, by `decrease`.

    References
    ----------
    wilton2024, Section 5 (credal decision trees).

    Examples
    --------
    >>> round(float(imprecise_information_gain(1)([[3, 0], [0, 3]])), 6)
    0.130812
    """
    s = real(s, "the hidden sample size s is positive and finite", "use s = 1", lambda x: x > 0)
    return Criterion(f"imprecise_information_gain(s={s!r})", ImpreciseGain(s), remake=_of_imprecise_gain)


def _of_imprecise_gain(score: ImpreciseGain) -> Criterion:
    return imprecise_information_gain(score.s)


def imprecise_gain_ratio(s: Any = 1) -> Criterion:
    """The imprecise information gain divided by the entropy of the split: the Credal-C4.5 ratio.

    Parameters
    ----------
    s : number, default=1
        The number of hidden samples, as in `imprecise_information_gain`.

    See Also
    --------
    imprecise_information_gain : Not divided.
    normalised : The precise gain ratio.

    References
    ----------
    wilton2024, Section 5 (its authors' code leaves the division out).

    Examples
    --------
    >>> imprecise_gain_ratio(1)
    imprecise_gain_ratio(s=1)
    """
    inner = imprecise_information_gain(s)
    return replace(normalised(inner), name=f"imprecise_gain_ratio({inner.name.partition('(')[2]}")
