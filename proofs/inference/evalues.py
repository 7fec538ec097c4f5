"""E-values of features by likelihood ratios of their splits, and the features that pass: how many of them are false?

Rows are independent: each falls in a cell, and has a response there. A feature splits a node v and, within the left
side of v, where another feature has a real effect, a node w; all outcomes are listed with their probabilities.
A false discovery rate is reached by e-values at the thresholds d/(alpha k), of mean at most 1, on equally likely
outcomes; here alpha is d of N outcomes, so that these are N/k.
Source: own (the product); wangramdas2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.node_moments import log_votes, shares_left
from splitcrit.nulls.evalues import SIZES, discovery_rates, log_pair_ratios, log_ratios, mean_evalues
from splitcrit.proof import ALL, All, Cases, Exhaustive, Law, Premise, Theorem, only, upto
from splitcrit.proofs.common import compositions
from splitcrit.proofs.inference.outcomes import Values
from splitcrit.trees.tree_arrays import Structure

TINY = 1e-9

# Likelihood ratios of the splits of a feature, multiplied within a tree.

Ratios = Callable[[Sequence[Array], Sequence[int]], Array]
LEFT, RIGHT = 1, -1


class World(NamedTuple):
    """Independent rows: the chance of each cell, and in each the chance of each response, in parts of the whole.

    ``splits`` are those of a feature, each with the cells on its left and on its right, and the response above which
    a row counts; ``None`` is the mean of the rows there. A world of classes counts each of its responses by itself.
    """

    rows: int
    chances: tuple[int, ...]
    laws: tuple[tuple[int, ...], ...]
    splits: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    cuts: tuple[int | None, ...] = ()
    sides: tuple[int, ...] = (LEFT, LEFT)

    def __str__(self) -> str:
        cells = "; ".join(
            f"{chance}: {', '.join(map(str, law))}" for chance, law in zip(self.chances, self.laws, strict=True)
        )
        return f"{self.rows} rows; {cells}; expected on {self.sides}; cuts {self.cuts}"


@cache
def outcomes(rows: int, places: int) -> Array:
    """Every way to put rows in places."""
    return np.array(list(compositions(rows, places)))


def probabilities(rows: int, shares: Array, counts: Array) -> Array:
    """The multinomial probabilities of counts."""
    each = np.prod((shares / shares.sum()) ** counts / np.vectorize(factorial)(counts), axis=1)
    return np.asarray(each * factorial(rows))


def tables_of(world: World, counts: Array) -> list[Array]:
    """The table of each split in each outcome, given the counts (outcomes, cells, responses)."""
    tables = []
    for i, sides in enumerate(world.splits):
        table = np.stack([counts[:, list(cells)].sum(axis=1) for cells in sides], axis=1)
        if world.cuts:
            y, whole, cut = np.arange(table.shape[2]), table.sum(axis=1), world.cuts[i]
            at = np.full(len(table), cut) if cut is not None else whole @ y / np.maximum(whole.sum(axis=1), 1)
            above = (table * (y > at[:, None])[:, None]).sum(axis=2)
            table = np.stack([above, table.sum(axis=2) - above], axis=2)
        tables.append(table)
    return tables


def logs_of(tables: Sequence[Array], sides: Sequence[int]) -> list[Array]:
    """The logarithms of the ratios of each split, by the library."""
    pairs = zip(tables, sides, strict=True)
    return [log_ratios(table, np.full((len(table), table.shape[2] - 1), side))[0] for table, side in pairs]


def in_a_tree(tables: Sequence[Array], sides: Sequence[int]) -> Array:
    """E of each outcome: the product over the splits, the mean over sizes."""
    n, logs = len(tables[0]), np.concatenate(logs_of(tables, sides))
    return mean_evalues([(logs, np.tile(np.arange(n), len(tables)))], n)


def over_trees(tables: Sequence[Array], sides: Sequence[int], weights: Array | None = None) -> Array:
    """The mean over trees of one split each, with ``weights (trees, outcomes)``."""
    n = len(tables[0])
    return mean_evalues([(logs, np.arange(n)) for logs in logs_of(tables, sides)], n, weights)


def weighed_over_trees(tables: Sequence[Array], sides: Sequence[int]) -> Array:
    return over_trees(tables, sides, np.outer(np.arange(len(tables)) + 1, np.ones(len(tables[0]))))


def weighed_by_tested_rows(tables: Sequence[Array], sides: Sequence[int]) -> Array:
    """The weight of a tree is how far its table is from one of independent rows and columns."""
    return over_trees(tables, sides, np.array([abs(t[:, 0, 0] * t[:, 1, 1] - t[:, 0, 1] * t[:, 1, 0]) for t in tables]))


def product_over_trees(tables: Sequence[Array], sides: Sequence[int]) -> Array:
    return np.asarray(np.prod([in_a_tree([table], [side]) for table, side in zip(tables, sides, strict=True)], axis=0))


def by_tested_rows(tables: Sequence[Array], sides: Sequence[int]) -> Array:
    each = (np.maximum(in_a_tree([table], [LEFT]), in_a_tree([table], [RIGHT])) for table in tables)
    return np.asarray(np.prod(list(each), axis=0))


V, W = ((1, 2, 3), (0,)), ((1,), (2,))  # v divides all rows, w those of its left side that another feature sends to it


def nested(most: int, classes: int) -> Iterator[World]:
    """Yield a node and its descendant, with a real effect of another feature in between."""
    laws = {2: ((5, 5), (8, 2), (8, 2), (2, 8)), 3: ((3, 3, 4), (6, 2, 2), (6, 2, 2), (0, 4, 6))}[classes]
    for rows in range(2, most + 1):
        for sides in product((LEFT, RIGHT), repeat=2):
            yield World(rows, (4, 2, 1, 3), laws, (V, W), sides=sides)


def numbers(most: int, laws: tuple[tuple[int, ...], ...] = ((3, 3, 4),) * 4) -> Iterator[World]:
    """Yield responses 0, 1 and 2 about cuts that differ."""
    for rows in range(2, most + 1):
        for cuts in ((0, 1), (1, 0), (None, 1), (None, None)):
            for sides in product((LEFT, RIGHT), repeat=2):
                yield World(rows, (4, 3, 3, 0), laws, (V, W), cuts, sides)


def alike_above_each_cut(most: int) -> Iterator[World]:
    yield from (
        world for world in numbers(most, ((3, 3, 4), (6, 0, 4), (0, 6, 4), (0, 0, 1))) if None not in world.cuts
    )


def of_trees(most: int) -> Iterator[World]:
    """Yield trees of one split each, which divide the same rows."""
    for rows in range(2, most + 1):
        for sides in product((LEFT, RIGHT), repeat=2):
            yield World(rows, (2, 3, 3, 2), ((5, 5),) * 4, (((0, 1), (2, 3)), ((0, 2), (1, 3))), sides=sides)


def is_evalue(
    worlds: Callable[..., Iterator[World]], ratios: Ratios = in_a_tree, exact: bool = False, places_fixed: bool = False,
    **sizes: Any,
) -> Exhaustive:  # fmt: skip
    """The mean of E is at most 1, or 1 exactly; where the places of rows are fixed, that of the worst ones."""

    def holds(world: World) -> bool:
        shape = len(world.laws), len(world.laws[0])
        counts = outcomes(world.rows, shape[0] * shape[1])
        laws = np.array(world.laws) / np.sum(world.laws, axis=1)[:, None]
        p = probabilities(world.rows, (np.array(world.chances)[:, None] * laws).ravel(), counts)
        e = ratios(tables_of(world, counts.reshape(-1, *shape)), world.sides)
        place = np.zeros(len(p), dtype=int)
        if places_fixed:
            place = np.unique(counts.reshape(-1, *shape).sum(axis=2), axis=0, return_inverse=True)[1].ravel()
        whole = np.bincount(place, p)
        means = np.bincount(place, p * e)[whole > 0] / whole[whole > 0]
        return bool(means.max() <= 1 + TINY and (not exact or means.min() >= 1 - TINY))

    return Exhaustive(Cases(worlds, size=lambda world: world.rows, **sizes), holds, rounded=True)


# Numbers in pairs.

Pairs = Callable[[Sequence[int], Sequence[int]], float]


class Responses(NamedTuple):
    """Responses of rows, of which the first ones are on the left, in any order."""

    values: tuple[int, ...]
    left: int


def responses(most: int, ties: bool) -> Iterator[Responses]:
    """Yield up to ``most`` responses, of which none or some are equal."""
    for n in range(2, most + 1):
        each = (tuple(range(n)),) if not ties else tuple(product(range(2), repeat=n))
        for values in each:
            if list(values) == sorted(values):
                yield from (Responses(values, left) for left in range(1, n))


def ratio_of(discordant: float, left: int, rows: int) -> float:
    """E of a split by the library: its sizes mixed."""
    logs = log_pair_ratios(np.array([discordant]), np.array([left]), np.array([rows]))[0]
    return float(mean_evalues([(logs, np.zeros(1, dtype=int))], 1)[0])


def by_half_ties(left: Sequence[int], right: Sequence[int]) -> float:
    return ratio_of(sum((a < b) + (a == b) / 2 for a in left for b in right), len(left), len(left) + len(right))


def without_ties(left: Sequence[int], right: Sequence[int]) -> float:
    return ratio_of(sum(a < b for a in left for b in right), len(left), len(left) + len(right))


def by_the_better_side(left: Sequence[int], right: Sequence[int]) -> float:
    wrong = sum((a < b) + (a == b) / 2 for a in left for b in right)
    return max(ratio_of(x, len(left), len(left) + len(right)) for x in (wrong, len(left) * len(right) - wrong))


def pairs_are_evalue(ratio: Pairs = by_half_ties, ties: bool = False, exact: bool = False, **sizes: Any) -> Exhaustive:
    """The mean of E over all orders of the responses is at most 1, or 1 exactly."""

    def holds(case: Responses) -> bool:
        orders = [(order[: case.left], order[case.left :]) for order in permutations(case.values)]
        mean = sum(ratio(*order) for order in orders) / len(orders)
        return mean <= 1 + TINY and (not exact or mean >= 1 - TINY)

    return Exhaustive(Cases(lambda N: responses(N, ties), size=lambda x: len(x.values), **sizes), holds, rounded=True)


# Groups of rows.

Votes = tuple[Array, Array, Array]  # the place of a split, the group that reaches it, and its share on the left
# The first and the last split are by one feature, that in between by another.
WAY = Structure(
    np.array([1, 3, -1, 5, -1, -1, -1]), np.array([2, 4, -1, 6, -1, -1, -1]), np.array([0, 1, -1, 0, -1, -1, -1]),
    np.full(7, 0.5), np.full(7, False),
)  # fmt: skip
SPLITS = (0, 2)
ENDS = {0: (2, 2), 1: (5, 4), 2: (6, 4)}  # of a row with each value of one feature, by its value of the other


class Groups(NamedTuple):
    """Independent groups of rows: the chance of each kind, in parts of the whole, ends and responses of its rows."""

    number: int
    kinds: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    sides: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.number} groups; {'; '.join(map(str, self.kinds))}; expected on {self.sides}"


def votes_of(world: Groups, counts: Array, votes: Votes, spread: int = 1) -> Array:
    """E of each outcome, in which kinds of groups have ``counts``, by their votes; of groups of as many rows apart."""
    split, kind, left = votes
    scores, outcome = np.array([np.mean([y for _, y in rows]) for _, rows in world.kinds]), np.arange(len(counts))
    logs = np.zeros((len(counts), len(SIZES)))
    for at, side in zip(SPLITS, world.sides, strict=True):
        here = np.flatnonzero(split // spread == at)
        times = counts[:, kind[here]].T.ravel()
        place, vote = np.repeat(np.tile(outcome, len(here)), times), np.repeat(np.repeat(here, len(counts)), times)
        cell, cells = place * spread + split[vote] % spread, spread * len(counts)
        each = log_votes(cell, left[vote], side * scores[kind[vote]], cells)
        logs += each[0].reshape(len(counts), spread, -1).sum(axis=1)
    return mean_evalues([(logs, outcome)], len(counts))


def rows_of(world: Groups) -> tuple[Array, Array]:
    """Where rows of each kind of group end, and the number of the kind."""
    return (np.array([end for _, rows in world.kinds for end, _ in rows]),
            np.repeat(np.arange(len(world.kinds)), [len(rows) for _, rows in world.kinds]))  # fmt: skip


def whole_groups(world: Groups, counts: Array) -> Array:
    return votes_of(world, counts, shares_left(WAY, *rows_of(world)))


def by_rows_that_come(world: Groups, counts: Array, spread: int = 1) -> Array:
    """A group counts wherever one of its rows comes, by the share of those that come; with a spread by their number."""
    (ends, kinds), splits, groups, shares = rows_of(world), list[int](), list[int](), list[float]()
    for split, come, on_left in ((SPLITS[0], ends > 0, ends != 2), (SPLITS[1], ends > 4, ends == 5)):
        for kind in np.unique(kinds[come]).tolist():
            some = on_left[come & (kinds == kind)]
            splits.append(spread * split + (len(some) - 1) * (spread > 1))
            groups.append(kind)
            shares.append(some.mean())
    return votes_of(world, counts, (np.array(splits), np.array(groups), np.array(shares)), spread)


def among_as_many_rows(world: Groups, counts: Array) -> Array:
    return by_rows_that_come(world, counts, 2)


def as_independent_rows(world: Groups, counts: Array) -> Array:
    cells = np.zeros((len(world.kinds), 7, 2), dtype=int)
    for kind, (_, rows) in zip(cells, world.kinds, strict=True):
        for end, response in rows:
            kind[end, response] += 1
    tables = tables_of(
        World(world.number, (), (), (((4, 5, 6), (2,)), ((5,), (6,)))), np.tensordot(counts, cells, axes=1)
    )
    return in_a_tree(tables, [-side for side in world.sides])


def by_tested_groups(world: Groups, counts: Array) -> Array:
    return np.maximum(*(whole_groups(world._replace(sides=(side, side)), counts) for side in (LEFT, RIGHT)))


def pairs_of_rows(most: int) -> Iterator[Groups]:
    """Yield groups of one and two rows; a feature is unrelated to labels, which vary with the other, as sizes do."""
    one, other = {(1, 1): 4, (0, 2): 3, (2, 2): 1}, {((0, 0), (0, 0)): 4, ((0, 1), (1, 1)): 3}
    for alike in (True, False):
        also: dict[Any, int] = {((0, 0), (0, 1)): 1} if alike else {((0,), (1,)): 1}
        kinds = tuple((many * of, tuple((ENDS[x][u], y) for x, u, y in zip(where, *what, strict=False)))
                      for where, many in one.items() for what, of in (other | also).items())  # fmt: skip
        for number in range(2, most + 1):
            yield from (Groups(number, kinds, (v, w)) for v, w in product((LEFT, RIGHT), repeat=2))


def groups_are_evalue(evalue: Callable[[Groups, Array], Array] = whole_groups, **sizes: Any) -> Exhaustive:
    """The mean of E is at most 1."""

    def holds(world: Groups) -> bool:
        counts = outcomes(world.number, len(world.kinds))
        p = probabilities(world.number, np.array([chance for chance, _ in world.kinds], dtype=float), counts)
        return bool(p @ evalue(world, counts) <= 1 + TINY)

    return Exhaustive(Cases(lambda G: pairs_of_rows(G), size=lambda world: world.number, **sizes), holds, rounded=True)


# False discoveries.

Rates = Callable[[Sequence[Fraction]], Sequence[Any]]


class Tests(NamedTuple):
    """The e-values of some true nulls at each of equally likely outcomes, beside those of other features."""

    true: tuple[Values, ...]
    others: Values

    def __str__(self) -> str:
        nulls = "; ".join(", ".join(map(str, values)) for values in self.true)
        return nulls + (f"; others {', '.join(map(str, self.others))}" if self.others else "")


def thresholds(features: int, outcomes: int) -> Iterator[Values]:
    """Yield e-values of mean at most 1 at N outcomes, each 0 or N/k, to which nothing can be added."""
    each = [Fraction(0), *(Fraction(outcomes, k) for k in range(features, 0, -1))]
    for values in product(each, repeat=outcomes):
        rest = outcomes - sum(values)
        if rest >= 0 and all(y > x + rest for x in values for y in each if y > x):
            yield values


def discoveries(d: int, n: int) -> Iterator[Tests]:
    """Yield up to d features on n outcomes, up to the order of the outcomes: the first true null is sorted."""
    for features in range(1, d + 1):
        each = list(thresholds(features, n))
        for true in range(1, features + 1):
            others = product([Fraction(0), *(Fraction(n, k) for k in range(features, 0, -1))], repeat=features - true)
            for other in others:
                for rest in product(each, repeat=true - 1):
                    first = (x for x in each if list(x) == sorted(x))
                    yield from (Tests((values, *rest), other) for values in first)


def errs_rarely(rates: Rates = discovery_rates, n: int = 4) -> Exhaustive:
    """The mean share of true nulls among the features that pass is at most alpha m/d, m of d features being nulls."""

    def holds(case: Tests) -> bool:
        true, features = len(case.true), len(case.true) + len(case.others)
        share, alpha = Fraction(0), Fraction(features, n)
        for at in zip(*case.true, strict=True):
            passed = [rate <= alpha for rate in rates([*at, *case.others])]
            share += Fraction(sum(passed[:true]), max(sum(passed), 1))
        return share / n <= alpha * true / features

    return Exhaustive(Cases(lambda d: discoveries(d, n), size=None, d=upto(3)), holds)


def uncorrected(evalues: Sequence[Fraction]) -> list[Any]:
    return [1 / x if x else 2 for x in evalues]


def of_those_above_zero(evalues: Sequence[Fraction]) -> list[Any]:
    some = iter(discovery_rates([x for x in evalues if x > 0]))
    return [next(some) if x > 0 else 2 for x in evalues]


def one_rank_more(evalues: Sequence[Fraction]) -> list[Any]:
    ranks = [sum(y >= x for y in evalues) + 1 for x in evalues]
    steps = [len(evalues) / (rank * x) if x else Fraction(2) for x, rank in zip(evalues, ranks, strict=True)]
    return [min(step for step, y in zip(steps, evalues, strict=True) if y <= x) for x in evalues]


NESTED, TREES = (
    Law(is_evalue, worlds=nested, N=upto(5), K=2),
    Law(is_evalue, worlds=of_trees, ratios=over_trees, N=upto(5)),
)
ABOVE = Law(is_evalue, worlds=numbers, N=upto(3))
ONE = {
    "classes": Law(is_evalue, worlds=nested, exact=True, N=upto(5), K=only(2, 3)),
    "numbers": Law(is_evalue, worlds=numbers, exact=True, N=upto(3)),
    "trees": Law(is_evalue, worlds=of_trees, ratios=weighed_over_trees, exact=True, N=upto(5)),
}
RARE = Law(errs_rarely)
PAIRS, TIES = Law(pairs_are_evalue, N=upto(6)), Law(pairs_are_evalue, ties=True, N=upto(6))
GROUPS = Law(groups_are_evalue, G=upto(4))

THEOREMS = [
    Theorem(
        key="inference.product_over_splits_of_a_tree_is_evalue",
        statement="rows are independent, and other rows fix trees, directions and weights; if at every split of a"
        " feature the response is independent of the side among the rows that reach it, the ratios of Fisher's"
        " noncentral to the central law given the margins, multiplied over these splits, have mean 1, as have means"
        " over sizes, and over trees by their weights; numbers count as above a cut that other rows fix, or the mean of"
        " the responses at the node",
        source="own",
        holds=All(**ONE),
        fails=(
            NESTED.but("the rows that are tested may choose the direction", ratios=by_tested_rows),
            TREES.but("ratios may be multiplied over trees", ratios=product_over_trees),
            TREES.but("the rows that are tested may weigh the trees", ratios=weighed_by_tested_rows),
            NESTED.but("rows may be held in their places, and responses alone be random", places_fixed=True),
            ABOVE.but("it is enough that 1{y > c} is independent of the side at each cut", worlds=alike_above_each_cut),
        ),
    ),
    Theorem(
        key="inference.ratio_of_pairs_is_evalue",
        statement="all orders of the responses of n rows, m of them on the left, are equally likely; D of the pairs"
        " left and right are in the order that is not expected, ties counting half; then q^D C(n, m)/[n choose m]_q has"
        " mean 1 without ties and at most 1 with them, as has the mean over several q that n and m fix",
        source="mann1947",
        holds=All(
            different=Law(pairs_are_evalue, exact=True, N=upto(6)), ties=Law(pairs_are_evalue, ties=True, N=upto(6))
        ),
        fails=(
            PAIRS.but("the rows that are tested may choose the direction", ratio=by_the_better_side),
            TIES.but("ties may count as pairs in the order that is expected", ratio=without_ties),
        ),
    ),
    Theorem(
        key="inference.product_over_splits_of_whole_groups_is_evalue",
        statement="groups of rows are independent, rows of one group are not, and other groups fix a tree and"
        " directions; if, among the groups all of whose rows reach a split of a feature, labels are independent of the"
        " share of rows on the left, the ratio by one vote of each of them has a mean of at most 1, as has the product"
        " over these splits; labels are constant in groups, or these have as many rows",
        source="own",
        holds=Law(groups_are_evalue, G=upto(5)),
        fails=(
            GROUPS.but("a group may count by those of its rows that reach a split", evalue=by_rows_that_come),
            GROUPS.but("... among groups that have as many rows there", evalue=among_as_many_rows),
            GROUPS.but("all rows of the groups may count as independent", evalue=as_independent_rows),
            GROUPS.but("the tested groups may choose the direction", evalue=by_tested_groups),
        ),
    ),
    Theorem(
        key="inference.evalues_err_at_most_alpha_of_discoveries",
        statement="of d features the k with the largest e-values pass, k the largest number for which the k-th is at"
        " least d/(alpha k); if the e-values of m true nulls have means of at most 1, the mean share of true nulls"
        " among those that pass is at most alpha m/d, whatever the dependence",
        source="wangramdas2022",
        holds=RARE,
        premises=(Premise("evalues_err_at_most_alpha", "kernel", {"d": ALL}),),
        fails=(
            RARE.but("those of at least 1/alpha may pass, without a correction for d", rates=uncorrected),
            RARE.but("features whose e-value is 0 need not be counted", rates=of_those_above_zero),
            RARE.but("d/(alpha (k + 1)) will do", rates=one_rank_more),
        ),
    ),
]
