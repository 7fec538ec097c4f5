"""Criteria as compiled scans take them: the forms that they declare, and sides that are looked up or replayed.

Only the compiled functions of those kinds that are in use are compiled.

Main definitions: ``data_of``, ``undefined``, ``counted``; ``scorer``, ``functions`` (the compiled functions of a kind);
``SideScores``, ``sides_of``, ``taped``; ``form_of``, ``usable_form``; ``agrees`` (does a form say what the formula
says?).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, shares
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity
from splitcrit.impurities.search_declaration import (
    AGINI,
    AGINI_PERMUTED,
    CROSSINGS,
    DIFFERENCE,
    ERRORS,
    LEVEL,
    LOOKED_UP,
    POWER,
    RATIO,
    ROOT,
    SGINI,
    STANDARDISED,
    TAIL,
    TAPED,
    Form,
)
from splitcrit.trees.scan.open_nodes import Limits
from splitcrit.trees.scan.pruning import Bounds, bounds_of
from splitcrit.trees.scan.records import CONSTANTS, CompiledCriterion, Data, NodeCounts, Orders, Scratch
from splitcrit.trees.scan.sorted_columns import Columns
from splitcrit.trees.scan.tapes import Tape, WeightedImpurity, recorded
from splitcrit.trees.scan.ties_and_scores import TIE, band, formula_scores

SMALL = 255  # samples of a node whose sides are looked up
NOTHING, NO_SIDES = np.zeros(1), np.zeros((1, 1))
TRIED = 24  # samples of the nodes on which a form is tried


@dataclass(frozen=True, eq=False)
class SideScores:
    """What a side contributes to a decrease, its size times its impurity: looked up, bounded, or replayed.

    At two classes, ``table[a, b]`` holds it for small counts, and larger nodes have bounds where the impurity is a
    minimised risk. Beyond, the impurity's formula may have a tape, which is ``scanned`` where compiled loops can; does
    what it says of a side ``grow`` with the side?
    """

    table: Array = field(default_factory=lambda: NO_SIDES[:0])
    bounds: Bounds | None = None
    tape: Tape | None = None
    scanned: bool = False
    grow: bool = False

    @property
    def most(self) -> float:
        """The largest node that compiled loops serve."""
        return np.inf if self.scanned else len(self.table) - 1


def data_of(form: Form | SideScores) -> Data:
    """Return the data of a form, or of sides looked up or replayed, for compiled loops; no two share them."""
    if isinstance(form, SideScores) and form.tape is not None:
        from splitcrit.trees.scan.tapes_compiled import registers

        code = form.tape.code
        assert code is not None
        space = registers(code, 3)
        return Data(TAPED, float(form.grow), 1.0, 1.0, np.zeros(1), code.outputs.astype(float), space, code.steps)
    if isinstance(form, SideScores):
        return Data(LOOKED_UP, 0.0, 1.0, 1.0, NOTHING, NOTHING, NOTHING, form.table)
    return Data(form.kind, float(form.power), float(form.unit), form.tie, form.phi, form.steps, form.table, NO_SIDES)


def scorer(data: Data, orders: Orders) -> CompiledCriterion:
    """Return a criterion as compiled loops over these orders take it."""
    return CompiledCriterion(data, *_addresses(data.kind, orders.orders.dtype, orders.columns.dtype))


def functions(kind: int) -> tuple[Any, Any, Any]:
    """Return the compiled functions of a kind: numbers of a node, what is prepared (None: nothing), and the scan."""
    if kind in (RATIO, DIFFERENCE, ROOT):
        from splitcrit.trees.scan import scan_sums as sums

        return sums.numbers_of_sums, None, sums.by_sums
    if kind in (SGINI, AGINI, AGINI_PERMUTED):
        from splitcrit.trees.scan import scan_sgini as chance

        return chance.numbers_by_chance, chance.prepared, chance.by_chance
    if kind == STANDARDISED:
        from splitcrit.trees.scan import scan_standardised as standardised

        return standardised.numbers_of_standardised, standardised.prepared, standardised.by_standardised
    if kind == TAIL:
        from splitcrit.trees.scan import scan_pvalues as tails

        return tails.numbers_by_chance, None, tails.by_tails
    if kind == ERRORS:
        from splitcrit.trees.scan import scan_errors as errors

        return errors.numbers_of_errors, None, errors.by_errors
    if kind == POWER:
        from splitcrit.trees.scan import scan_powers as powers

        return powers.numbers_of_powers, None, powers.by_powers
    if kind == CROSSINGS:
        from splitcrit.trees.scan import scan_differences as crossings

        return crossings.numbers_of_crossings, None, crossings.by_crossings
    if kind == LEVEL:
        from splitcrit.trees.scan import scan_credal as levels

        return levels.numbers_of_levels, None, levels.by_levels
    if kind == TAPED:
        from splitcrit.trees.scan import scan_tapes as taped

        return taped.numbers_of_taped, None, taped.by_taped
    assert kind == LOOKED_UP
    from splitcrit.trees.scan import scan_lookup as sides

    return sides.numbers_of_sides, None, sides.by_sides


@cache
def _addresses(kind: int, order: Any, column: Any) -> tuple[int, int, int]:
    from splitcrit.trees.scan.pointers import address

    numbers, prepared, scan = functions(kind)
    return (
        address(numbers, "numbers"),
        0 if prepared is None else address(prepared, "prepared"),
        address(scan, "scan", order, column),
    )


def undefined(data: Data) -> bool:
    """Tell whether a tape met a side for which it gives no number."""
    return data.kind == TAPED and bool(data.phi[0])


def counted(served: CompiledCriterion, starts: Array, counts: Array, least: int) -> tuple[NodeCounts, Array, Array]:
    """Return nodes with class counts ``(m, K)`` as scans take them, and base and rate of the scores of a form."""
    from splitcrit.trees.scan.scan_node import numbers_of_nodes

    sums, base, rate = np.zeros((3, len(counts)))
    constants = np.zeros((len(counts), CONSTANTS))
    if served.data.kind != LOOKED_UP:
        numbers_of_nodes(served, counts, sums, base, rate, constants)
    return NodeCounts(starts, counts, sums, constants, least), base, rate


def sides_of(criterion: Criterion, size: int, classes: int) -> SideScores | None:
    """Return the table of small sides of a decrease at two classes, or None where the formula must score all.

    The deeper a tree, the more of its nodes are small: their sides are scored once, by the formula, and looked up.
    """
    if classes != 2 or criterion.impurity is None:
        return None
    n = np.arange(min(size, SMALL) + 1, dtype=float)
    a, b = (x.ravel() for x in np.meshgrid(n, n, indexing="ij"))
    try:
        phi = criterion.impurity.of_floats(shares((a, b), a + b, FLOAT))
    except Exception:
        return None  # the search will score it, and name it
    return SideScores(((a + b) * phi).reshape(len(n), len(n)), bounds_of(criterion.impurity))


def taped(criterion: Criterion, classes: int, scanned: bool = False) -> SideScores | None:
    """Return the formula of a decrease as a tape, where it has one that is run by a loop or saves steps.

    It is to be ``scanned`` where samples count once each.
    """
    if classes == 2 or criterion.impurity is None:
        return None
    try:
        hash(criterion.impurity)
    except TypeError:
        return _sides_by_tape.__wrapped__(criterion.impurity, classes, scanned)
    return _sides_by_tape(criterion.impurity, classes, scanned)


@lru_cache(maxsize=64)
def _sides_by_tape(impurity: Impurity, classes: int, scanned: bool) -> SideScores | None:
    tape = recorded(WeightedImpurity(impurity.of), classes)
    if tape is None or not (tape.asked > 1.2 * len(tape.steps) or tape.code is not None):
        return None
    grow = impurity.loss is not None and bool((tape(np.eye(classes))[1] >= 0).all())
    return SideScores(tape=tape, scanned=scanned and tape.code is not None, grow=grow)


def usable_form(columns: Columns, criterion: Criterion, limits: Limits) -> Form | SideScores | None:
    """Return the criterion as data if it has such a form and the weights allow its use."""
    size, classes = len(columns.codes), columns.classes
    if len(columns.weights) or limits.lightest > 0:
        return taped(criterion, classes)
    return form_of(criterion, size, classes) or sides_of(criterion, size, classes) or taped(criterion, classes, True)


def form_of(criterion: Criterion, size: int, classes: int) -> Form | None:
    """Return the form that a criterion declares for nodes of up to ``size`` samples, or None if it declares none.

    Raises
    ------
    ValueError
        If the form does not give the scores of the criterion's formula.
    """
    make = criterion.search.form
    form = None if make is None else make(size, classes)
    if form is not None and criterion.search.tried and not agrees(criterion, classes):
        rule = f"the form that {criterion!r} declares gives the scores of its formula"
        raise ValueError(complaint(rule, "others", "correct phi, times or less, or leave the declaration out"))
    return form


@lru_cache(maxsize=256)
def agrees(criterion: Criterion, classes: int) -> bool:
    """Tell whether the declared form finds the best scores of the formula, at nodes of random class counts."""
    assert criterion.search.form is not None
    form = criterion.search.form(TRIED, classes)
    if form is None:
        return True
    draw = np.random.default_rng(0)
    for size in range(4, TRIED + 1, 4):
        codes = draw.integers(0, classes, size)
        if len(np.unique(codes)) < 2:
            continue
        hot = np.eye(classes)[codes]
        left = np.cumsum(hot, axis=0)[:-1].T
        whole = hot.sum(axis=0)
        scores = formula_scores(criterion, left, whole[:, None] - left)
        width = 1e3 * float(band(criterion, whole[None])[0]) + 1e3 * TIE * float(np.abs(scores).max())
        if not abs(best_score(form, codes, classes) - scores.max()) <= width:
            return False
    return True


def best_score(form: Form, codes: Array, classes: int) -> float:
    """Return the best score of a threshold on samples in the order of their feature, no two of equal value."""
    from splitcrit.trees.scan.scan_node import best_of_codes

    n, bits = len(codes), max(1, int(classes - 1).bit_length())
    order = (np.arange(n) << bits | codes).astype(np.uint32)
    source = Orders(order[None], np.arange(n, dtype=np.float32)[None], bits)
    scratch = Scratch.of(classes, n)
    totals = np.bincount(codes, minlength=classes)
    return float(best_of_codes(source, totals, scorer(data_of(form), source), np.zeros(CONSTANTS), scratch))
