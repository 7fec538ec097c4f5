"""Criteria as compiled scans take them: the forms that they declare, and formulas that have machine code.

Only the compiled functions of those kinds that are in use are compiled.

Main definitions: ``criterion_data`` (a criterion as data), ``data_of``, ``formula_data``, ``undefined``; ``scorer``,
``functions`` (the compiled functions of a kind); ``form_of``; ``agrees`` (does a form say what the formula says?).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.criteria.facts import known
from splitcrit.frozen import complaint
from splitcrit.impurities.search_declaration import POWER, SUMS, TAIL, Form
from splitcrit.trees.scan.records import CONSTANTS, FORMULA, CompiledCriterion, Data, Orders, Scratch
from splitcrit.trees.scan.ties_and_scores import TIE, band, formula_scores

TRIED = 24  # samples of the nodes on which a form is tried


def data_of(form: Form) -> Data:
    """The data of a form for compiled loops."""
    return Data(form.kind, float(form.power), float(form.unit), form.tie, form.phi, form.table, 0, 0)


def formula_data(criterion: Criterion, classes: int, unit: float = 1.0) -> Data | None:
    """A criterion whose formula has machine code as data, None if it has none; no two share their space.

    A count of 1 weighs ``unit``.
    """
    from splitcrit.trees.scan.formula_code import formula_code

    if criterion.search.guarded or criterion.search.tested is not None:
        return None
    if (code := formula_code(criterion, classes)) is None:
        return None
    space, convex = (np.zeros(1), np.zeros(2 * classes)), _is_convex(criterion, classes)
    return Data(FORMULA, float(code.decrease), unit, 1.0, *space, *code[:2], convex and code.decrease)


def criterion_data(criterion: Criterion, size: int, classes: int) -> Data | None:
    """A criterion as the compiled loops take it, None if it is no data for nodes of this size."""
    form = form_of(criterion, size, classes)
    if form is None:
        return formula_data(criterion, classes)
    return data_of(form)._replace(convex=form.kind in SUMS and _is_convex(criterion, classes))


def _is_convex(criterion: Criterion, classes: int) -> bool:
    """Whether it is settled that a score of two classes is the decrease of a concave impurity."""
    return classes == 2 and known(criterion, "concave", 2) == "holds"


def scorer(data: Data, orders: Orders | None = None) -> CompiledCriterion:
    """A criterion as compiled loops over these orders take it, or over what has none."""
    kinds = () if orders is None else (orders.orders.dtype, orders.columns.dtype)
    return CompiledCriterion(data, *_addresses(data.kind, *kinds))


def functions(kind: int) -> tuple[Any, Any, Any]:
    """The compiled functions of a kind: numbers of a node, what is prepared (None: nothing), and the scan."""
    if kind in SUMS:
        from splitcrit.trees.scan import scan_sums as sums

        return sums.numbers_of_sums, None, sums.by_sums
    if kind != FORMULA:
        from splitcrit.trees.scan import scan_pvalues as tails
        from splitcrit.trees.scan import scan_standardised as chance

        if kind == TAIL:
            return chance.numbers_of_standardised, None, tails.by_tails
        return chance.numbers_of_standardised, chance.prepared, chance.by_standardised
    from splitcrit.trees.scan import scan_formula as formula

    return formula.numbers_of_formula, None, formula.by_formula


@cache
def _addresses(kind: int, *kinds: Any) -> tuple[int, int, int]:
    """The addresses of the functions of a kind, for orders and columns of some types; without, of the first alone."""
    from splitcrit.trees.scan.pointers import address

    numbers, prepared, scan = functions(kind)
    first = address(numbers, "numbers")
    if not kinds:
        return first, 0, 0
    return first, 0 if prepared is None else address(prepared, "prepared"), address(scan, "scan", *kinds)


def weight_of_one(data: Data) -> float:
    """What a count of 1 weighs."""
    return data.unit if data.kind == FORMULA else 1.0


def places_of(data: Data, places: int) -> int:
    """For how many places scans by a criterion note numbers."""
    return places if data.kind == POWER or data.kind not in (*SUMS, FORMULA) else 0


def undefined(data: Data) -> bool:
    """Whether a formula met a split for which it gives no number."""
    return data.kind == FORMULA and bool(data.phi[0])


def form_of(criterion: Criterion, size: int, classes: int) -> Form | None:
    """The form that a criterion declares for nodes of up to ``size`` samples, or None if it declares none.

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
    """Whether the declared form finds the best scores of the formula, at nodes of random class counts."""
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
        if not abs(best_score(data_of(form), codes, classes) - scores.max()) <= width:
            return False
    return True


def best_score(data: Data, codes: Array, classes: int) -> float:
    """The best score of a threshold on samples in the order of their feature, no two of equal value."""
    from splitcrit.trees.scan.scan_node import best_of_codes

    n, bits = len(codes), max(1, int(classes - 1).bit_length())
    order = (np.arange(n) << bits | codes).astype(np.uint32)
    source = Orders(order[None], np.arange(n, dtype=np.float32)[None], bits)
    scratch = Scratch.of(classes, n)
    totals = np.bincount(codes, minlength=classes)
    return float(best_of_codes(source, totals, scorer(data, source), np.zeros(CONSTANTS), scratch))
