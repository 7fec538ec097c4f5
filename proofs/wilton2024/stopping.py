"""When a tree stops: shared majorities for conservative losses, equal distributions for strictly proper ones.

Main results: Lemma 10 and Theorem 5 (a), with a test on integers, in the reading that is right; Theorem 5 (b) from the
excess risk of the children; early stopping survives uniform noise; a conservative tree cannot learn AND.
Source: wilton2024, Section 3 and its proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import Criterion, decrease
from splitcrit.noise import Channel, symmetric, transition_matrix
from splitcrit.proof import BALL as ENCLOSED
from splitcrit.proof import All, Ball, Certificate, Erratum, Exhaustive, Fact, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, exactly, gini_decrease, kinds, noisy, score, vector
from splitcrit.proofs.impurity.risks import EXCESS, mean_excess, weighted_excess
from splitcrit.proofs.wilton2024.terms import BERNOULLI, LOGARITHM, POWERS, Given, majority_set, marked

Table = tuple[tuple[int, ...], tuple[int, ...]]
error_decrease = decrease(impurities.misclassification)


# Lemma 10.


def largest(x: list[Any], m: Any) -> list[Any]:
    """Return 1 for every place of a maximum, else 0."""
    return [marked(a >= m.max(x), m) for a in x]


def norms_add(v: Any, m: Any, places: int) -> Any:
    x, y = vector(v, "x", places), vector(v, "y", places)
    both = [a + b for a, b in zip(x, y, strict=True)]
    return marked(m.max(both) == m.max(x) + m.max(y), m)


def shared(v: Any, m: Any, places: int) -> Any:
    """Return 1 if the vectors have a place of a maximum in common, else 0."""
    x, y = vector(v, "x", places), vector(v, "y", places)
    return m.max([a * b for a, b in zip(largest(x, m), largest(y, m), strict=True)])


def intersect(v: Any, m: Any, places: int) -> Any:
    """Return 1 if the maxima of ``x + y`` are at the common places of those of ``x`` and ``y``, else 0."""
    x, y = vector(v, "x", places), vector(v, "y", places)
    both = largest([a + b for a, b in zip(x, y, strict=True)], m)
    common = [a * b for a, b in zip(largest(x, m), largest(y, m), strict=True)]
    return m.min([marked(a == b, m) for a, b in zip(both, common, strict=True)])


def equal_sets(v: Any, m: Any, places: int) -> Any:
    x, y = vector(v, "x", places), vector(v, "y", places)
    return m.min([marked(a == b, m) for a, b in zip(largest(x, m), largest(y, m), strict=True)])


def when(one: Callable[..., Any], other: Callable[..., Any], places: int) -> Smt:
    """Two properties of a pair of non-negative vectors hold together or fail together."""
    variables = {f"{letter}{k}": "count" for letter in "xy" for k in range(places)}
    return Smt(variables, lambda v, m: one(v, m, places) == other(v, m, places))


# Theorem 5 (a).


def unsplit(table: Table) -> bool:
    """The misclassification gain of a split is 0: a conservative loss does not take it."""
    return bool(score(error_decrease, table) == 0)


def node(table: Table) -> list[int]:
    return [a + b for a, b in zip(*table, strict=True)]


def integers_say(table: Table) -> bool:
    return max(node(table)) == sum(map(max, table))


def share_a_majority(table: Table) -> bool:
    return bool(majority_set(table[0]) & majority_set(table[1]))


def keeps_majorities(table: Table) -> bool:
    """The majority classes of the node are majority classes of both children."""
    return all(majority_set(node(table)) <= majority_set(row) for row in table)


def equal_majorities(table: Table) -> bool:
    return all(majority_set(node(table)) == majority_set(row) for row in table)


def equal_rows(table: Table) -> bool:
    left, right = table
    return all(a * sum(right) == b * sum(left) for a, b in zip(left, right, strict=True))


def small_tables() -> Iterator[Table]:
    for most, classes in ((9, 2), (6, 3), (5, 4)):
        yield from binary_splits(most, classes)


def stops_when(condition: Callable[[Table], bool], tables: Callable[[], Any] = small_tables) -> Exhaustive:
    return Exhaustive(tables, lambda table: unsplit(table) == condition(table))


def error_in_counts(classes: int) -> Smt:
    """The misclassification impurity of a node times its size is its size less its largest count."""

    def conclusion(v: Any, m: Any) -> Any:
        counts = vector(v, "x", classes)
        return v.n * impurities.misclassification.of([x / v.n for x in counts], m) == v.n - m.max(counts)

    variables = {**kinds("count", "x", classes=classes), "n": "positive"}
    return Smt(variables, conclusion, lambda v, m: [v.n == sum(vector(v, "x", classes))])


# Theorem 5 (b).


def gini_certificate(v: Any, m: Any, classes: int) -> Any:
    """Return the product of the children's shares times the squared distance of their distributions."""
    rows = [vector(v, "a", classes), vector(v, "b", classes)]
    n, r = (sum(row) for row in rows)
    distance = sum((x / n - y / r) ** 2 for x, y in zip(*rows, strict=True))
    return n * r / (n + r) ** 2 * distance


def gini_distance(classes: int, factor: int = 1) -> Identity:
    return Identity(
        kinds("positive", "a", "b", classes=classes),
        lambda v, m: gini_decrease.score([vector(v, "a", classes), vector(v, "b", classes)], m),
        lambda v, m: factor * gini_certificate(v, m, classes),
    )


def logarithms(v: Any, m: Any, classes: int) -> Given:
    """Logarithms of the node's shares; in the children ``log x - log y = 1 - y / x + s`` with ``s >= 0``."""
    rows = [vector(v, "a", classes), vector(v, "b", classes)]
    whole = [(x + y) / (sum(rows[0]) + sum(rows[1])) for x, y in zip(*rows, strict=True)]
    known = list(zip(whole, vector(v, "g", classes), strict=True))
    for row, slack in zip(rows, (vector(v, "s", classes), vector(v, "t", classes)), strict=True):
        for k, x in enumerate(row):
            known.append((x / sum(row), getattr(v, f"g{k}") + 1 - whole[k] * sum(row) / x + slack[k]))
    return Given(m, log=known)


def entropy_gap(classes: int) -> Certificate:
    """N times the entropy gain is the sum over children and classes of count times slack."""
    letters = kinds("positive", "a", "b", classes=classes)
    slacks = {**kinds("count", "s", "t", classes=classes), **kinds("real", "g", classes=classes)}

    def gap(v: Any, m: Any) -> Any:
        rows = [vector(v, "a", classes), vector(v, "b", classes)]
        return sum(map(sum, rows)) * decrease(impurities.entropy).score(rows, logarithms(v, m, classes))

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        pairs = [("a", "s"), ("b", "t")]
        return {f"{a}{k}": getattr(v, f"{a}{k}") * getattr(v, f"{s}{k}") for a, s in pairs for k in range(classes)}

    terms: Any = lambda v, m: [([], [f"{a}{k}"]) for a in "ab" for k in range(classes)]  # noqa: E731
    return Certificate({**letters, **slacks}, gap, terms, atoms, lambda v, m: logarithms(v, m, classes).distinct)


STRICT: tuple[Criterion, ...] = tuple(
    decrease(impurity)
    for impurity in (impurities.entropy, *(impurities.gce(Fraction(q, 10)) for q in (1, 5, 9)), impurities.sqrt_gini)
)


def unequal_gains(m: Any) -> list[Any]:
    """The least gain of each strict criterion over the splits with unequal rows, K = 2, N <= 6 and K = 3, N <= 3."""
    found = [t for most, classes in ((6, 2), (3, 3)) for t in binary_splits(most, classes) if not equal_rows(t)]
    exact = [[[m.number(x) for x in row] for row in table] for table in found]
    return [m.min([criterion.score(table, m) for table in exact]) for criterion in STRICT]


def unsplit_by(criterion: Criterion, condition: Callable[[Table], bool]) -> Exhaustive:
    """A gain whose enclosure contains 0 occurs only where the condition holds."""

    def holds(table: Table) -> bool:
        rows = [[Ball(x) for x in row] for row in exactly(table)]
        return condition(table) or not bool(Ball(criterion.score(rows, ENCLOSED)).arb.contains(0))

    return Exhaustive(lambda: binary_splits(5, 2), holds)


# What noise and small samples do to stopping.

ETA = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5))


def stops_alike(channels: Callable[[int], list[Channel]]) -> Exhaustive:
    """A split is taken on the clean table exactly if it is on the expected noisy one."""

    def holds(case: tuple[Table, Channel]) -> bool:
        table, channel = case
        return unsplit(table) == unsplit(noisy(exactly(table), channel))  # type: ignore[arg-type]

    return Exhaustive(
        lambda: ((t, c) for most, K in ((6, 2), (5, 3)) for t in binary_splits(most, K) for c in channels(K)), holds
    )


def uniform(K: int) -> list[Channel]:
    return [symmetric(eta) for eta in ETA]


def one_class_flips(K: int) -> list[Channel]:
    """Half of the first class is labelled as the last."""
    rows = [[Fraction(int(j == k)) for k in range(K)] for j in range(K)]
    rows[0] = [Fraction(int(k in (0, K - 1)), 2) for k in range(K)]
    return [transition_matrix(rows)]


def and_tables(case: tuple[int, int]) -> list[Table]:
    """Both splits of the root for AND of two bits: n examples in each negative cell, m in the positive one."""
    n, m = case
    return [((2 * n, 0), (n, m))] * 2


THEOREMS = [
    Theorem(
        key="stopping.maxima_add_of_shared_places",
        statement="the maxima of x and y add up to the maximum of x + y exactly if they have a place in common, and "
        "exactly if the places of the maximum of x + y are those they have in common",
        source="wilton2024, Lemma 10",
        scope="non-negative real vectors of length 2, 3, 4",
        holds=All(
            *(when(norms_add, shared, d) for d in (2, 3, 4)),
            *(when(norms_add, intersect, d) for d in (2, 3, 4)),
        ),
        fails=(
            NearMiss("exactly if x and y have the same places", when(norms_add, equal_sets, 3)),
            NearMiss(
                "exactly if the first place is one of both (the largest of x)",
                when(norms_add, lambda v, m, d: largest(vector(v, "y", d), m)[0] * largest(vector(v, "x", d), m)[0], 2),
            ),
        ),
        latex=r"|x+y|_\infty = |x|_\infty+|y|_\infty \iff M_x\cap M_y\ne\emptyset",
    ),
    Theorem(
        key="stopping.conservative_gain_is_zero_of_shared_majority",
        statement="the misclassification gain of a split is 0 exactly if the children share a majority class, "
        "exactly if every majority class of the node is one of both children, and exactly if the largest count of "
        "the node is the sum of those of the children, a test on integers",
        source="wilton2024, Theorem 5 (a)",
        scope="all tables of two rows with N <= 9 (K = 2), N <= 6 (K = 3), N <= 5 (K = 4); all real counts, "
        "K <= 4, through Lemma 10",
        added="'are also the majority classes at both children' means inclusion of sets, not equality",
        premises=("a conservative loss has the impurity C (1 - max p): conservative.impurity_is_misclassification",),
        holds=All(
            stops_when(integers_say),
            stops_when(share_a_majority),
            stops_when(keeps_majorities),
            *(error_in_counts(K) for K in (2, 3, 4)),
        ),
        fails=(
            NearMiss(
                "exactly if the majority classes of node and children are equal sets", stops_when(equal_majorities)
            ),
            NearMiss("exactly if the children have equal distributions or are pure alike", stops_when(equal_rows)),
            NearMiss(
                "exactly if the largest classes of the children have equal counts",
                stops_when(lambda table: max(table[0]) == max(table[1])),
            ),
        ),
        facts=(
            Fact("decrease(misclassification)", "stops early", "2", True),
            Fact("decrease(misclassification)", "stops early", ">2", True),
        ),
    ),
    Theorem(
        key="stopping.gini_gain_is_zero_of_equal_rows",
        statement="the Gini gain of a split is the product of the children's shares times the squared distance of "
        "their class distributions, so 0 exactly if these are equal",
        source="wilton2024, Theorem 5 (b)",
        scope="K = 2, 3, 4 with positive counts; all tables with N <= 9 (K = 2), N <= 6 (K = 3), N <= 5 (K = 4)",
        holds=All(
            *(gini_distance(K) for K in (2, 3, 4)),
            Exhaustive(small_tables, lambda table: (score(gini_decrease, table) == 0) == equal_rows(table)),
        ),
        fails=(
            NearMiss("the gain is twice that", gini_distance(3, factor=2)),
            NearMiss(
                "it is 0 also if the children share a majority class",
                Exhaustive(small_tables, lambda table: (score(gini_decrease, table) == 0) == share_a_majority(table)),
            ),
        ),
        facts=tuple(Fact("decrease(gini)", "stops early", K, False) for K in ("2", ">2")),
    ),
    Theorem(
        key="stopping.entropy_and_gce_gains_are_zero_of_equal_rows",
        statement="the entropy gain, and that of generalised cross-entropy for 0 < q < 1, is 0 exactly if the children "
        "have equal class distributions",
        source="wilton2024, Theorem 5 (b)",
        scope="entropy K = 2, 3 with positive counts; every q in (0, 1) at K = 2, 3 by the hand argument; all tables "
        "with N <= 6 (K = 2), N <= 3 (K = 3) for entropy, q = 1/10, 1/2, 9/10 and the square root of Gini, by "
        "enclosures",
        premises=(
            LOGARITHM,
            BERNOULLI,
            POWERS,
            "the excess risk of generalised cross-entropy: loss.gce_impurity_is_minimum_risk_of_q_below_one",
            "hand argument: a gain is the children's mean excess risk of the node's best announcement; it is 0 only if "
            "that is best in both, and the best announcement (p itself, or p^r normalised) determines p",
        ),
        holds=All(
            *(entropy_gap(K) for K in (2, 3)),
            Identity(EXCESS, mean_excess, weighted_excess),
            Sign(unequal_gains),
        ),
        fails=(
            NearMiss(
                "the same at q = 1",
                unsplit_by(decrease(impurities.gce(Fraction(1))), equal_rows),
                "hypothesis",
            ),
            NearMiss(
                "only if a child is pure: entropy stops at no other split",
                unsplit_by(decrease(impurities.entropy), lambda table: min(map(min, table)) == 0),
            ),
        ),
        facts=tuple(Fact("decrease(entropy)", "stops early", K, False) for K in ("2", ">2")),
    ),
    Theorem(
        key="stopping.conservative_stop_survives_of_uniform_noise",
        statement="under uniform noise of rate below (K - 1) / K the expected counts have a zero misclassification "
        "gain exactly where the clean counts have: what stops a conservative tree stays",
        source="wilton2024, Section 3 (after Theorem 5) and Theorem 4",
        scope="N <= 6 (K = 2), N <= 5 (K = 3), eta = 1/10, 1/4, 2/5; majority sets for all rates by "
        "noise.margins_rescale_of_uniform_noise",
        holds=stops_alike(uniform),
        fails=(
            NearMiss("under any noise with a diagonal of at least 1/2", stops_alike(one_class_flips), "hypothesis"),
            NearMiss("for every eta < 1", stops_alike(lambda K: [symmetric(Fraction(9, 10))]), "hypothesis"),
        ),
    ),
    Theorem(
        key="stopping.conservative_tree_stops_at_root_of_and",
        statement="for AND of two bits, with n examples in each negative cell and m <= n in the positive one, both "
        "splits of the root have misclassification gain 0, while the Gini gain of both is positive",
        source="wilton2024, Section 3 (underfitting without noise)",
        scope="1 <= m <= n <= 20",
        holds=Exhaustive(
            lambda: ((n, m) for n in range(1, 21) for m in range(1, n + 1)),
            lambda case: all(unsplit(t) and score(gini_decrease, t) > 0 for t in and_tables(case)),
        ),
        fails=(
            NearMiss(
                "whatever the sizes of the cells",
                Exhaustive(lambda: product(range(1, 4), repeat=2), lambda case: all(map(unsplit, and_tables(case)))),
                "hypothesis",
            ),
            NearMiss(
                "the Gini tree stops there too",
                Exhaustive(
                    lambda: combinations(range(3, 0, -1), 2),
                    lambda case: all(score(gini_decrease, t) == 0 for t in and_tables(case)),
                ),
            ),
        ),
    ),
]

ERRATA = [
    Erratum("R-E15", stops_when(equal_majorities), "stopping.conservative_gain_is_zero_of_shared_majority"),
]
