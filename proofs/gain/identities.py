"""Identities between gains with roots and logarithms: Hellinger's distance, mutual information, sums down a tree.

Roots and logarithms are new elements of the checker's field, of which `sqrt(ab) = sqrt(a) sqrt(b)` and
`log(ab) = log(a) + log(b)` are known; counts that are 0 are cases of their own.

Source: cieslak2008; louppe2013.
"""

from __future__ import annotations

from typing import Any

from splitcrit.criteria import Criterion, decrease, normalised
from splitcrit.impurities import Impurity, entropy, gini, matushita, misclassification
from splitcrit.proof import Identity, Law, Theorem
from splitcrit.proofs.common import kinds
from splitcrit.proofs.two_class import two_classes

COUNTS, LEAVES = kinds("count", *"abcd"), kinds("positive", *"abcdef")


def table(v: Any) -> list[list[Any]]:
    """Two rows of two classes."""
    return [[v.a, v.b], [v.c, v.d]]


def hellinger(v: Any, m: Any) -> Any:
    """The squared Hellinger distance of the two classes over the rows."""
    neg, pos = v.a + v.c, v.b + v.d
    return sum((m.sqrt(y / pos) - m.sqrt(x / neg)) ** 2 for x, y in table(v))


def is_hellinger(impurity: Impurity, times: int = 1) -> Identity:
    """Claim that a decrease is ``times sqrt(N_pos N_neg)/N`` times the squared Hellinger distance."""

    def scaled(v: Any, m: Any) -> Any:
        neg, pos = v.a + v.c, v.b + v.d
        return times * m.sqrt(pos * neg) / (pos + neg) * hellinger(v, m)

    return Identity(
        COUNTS,
        lambda v, m: decrease(impurity).score(table(v), m),
        scaled,
        lambda v, m: [v.a + v.c > 0, v.b + v.d > 0],
    )


def is_information(impurity: Impurity) -> Identity:
    """Claim that a decrease is the impurity of the rows and of the classes, less that of the cells."""

    def of(counts: list[Any], m: Any) -> Any:
        return impurity.of([x / sum(counts) for x in counts], m)

    def information(v: Any, m: Any) -> Any:
        rows, classes = [v.a + v.b, v.c + v.d], [v.a + v.c, v.b + v.d]
        return of(rows, m) + of(classes, m) - of([v.a, v.b, v.c, v.d], m)

    left = lambda v, m: decrease(impurity).score(table(v), m)  # noqa: E731
    return Identity(COUNTS, left, information, lambda v, m: v.a + v.b + v.c + v.d > 0)


def adds_up(criterion: Criterion, weighted: bool = True) -> Identity:
    """Claim that three leaves gain what their first split gains, and the second by its share of the examples."""

    def split_twice(v: Any, m: Any) -> Any:
        inner = v.c + v.d + v.e + v.f
        share = inner / (v.a + v.b + inner) if weighted else 1
        first = criterion.score([[v.a, v.b], [v.c + v.e, v.d + v.f]], m)
        return first + share * criterion.score([[v.c, v.d], [v.e, v.f]], m)

    return Identity(LEAVES, lambda v, m: criterion.score([[v.a, v.b], [v.c, v.d], [v.e, v.f]], m), split_twice)


HELLINGER, INFORMATION = Law(is_hellinger, impurity=matushita), Law(is_information, impurity=entropy)
SUMS = Law(adds_up, criterion=decrease(entropy))
THEOREMS = [
    Theorem(
        key="gain.matushita_is_squared_hellinger_distance",
        statement="with two classes and two rows Matushita's decrease, the criterion of Dietterich, Kearns and Mansour,"
        " is sqrt(N_pos N_neg)/N times the squared Hellinger distance of the classes over the rows: of the splits of"
        " one node both choose the same",
        source="cieslak2008, Section 2",
        holds=two_classes(HELLINGER),
        fails=(
            HELLINGER.but("the factor is twice that", times=2),
            HELLINGER.but("so is Gini's decrease", impurity=gini, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="gain.entropy_is_mutual_information",
        statement="with two classes and two rows the entropy gain is the entropy of the rows and of the classes less"
        " that of the cells, counts of 0 among them",
        source="louppe2013, Section 2",
        holds=two_classes(INFORMATION),
        fails=(
            INFORMATION.but("the same for Gini's impurity", impurity=gini, alters="hypothesis"),
            INFORMATION.but("the same for misclassification", impurity=misclassification, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="gain.decreases_add_up_down_a_tree",
        statement="with two classes the decreases of entropy, Gini's and Matushita's impurity of three leaves are that"
        " of the split above and, by its share of the examples, that of the split below, so that decreases summed down"
        " a tree depend on its leaves alone",
        source="louppe2013, Theorem 1",
        holds=two_classes(entropy=SUMS, gini=adds_up(decrease(gini)), matushita=adds_up(decrease(matushita))),
        fails=(
            SUMS.but("without the share", weighted=False),
            SUMS.but("so does the normalised gain", criterion=normalised(gini), alters="hypothesis"),
        ),
    ),
]
