"""Every kind of criterion that is data has its compiled functions, and only those in use are compiled."""

from __future__ import annotations

from splitcrit.impurities import search_declaration
from splitcrit.trees.scan.prepared_criterion import functions
from splitcrit.trees.scan.records import FORMULA

PREPARED = (search_declaration.SGINI, search_declaration.AGINI, search_declaration.AGINI_PERMUTED)
PREPARED += (search_declaration.STANDARDISED,)


def test_every_kind_has_functions() -> None:
    kinds = {value for name, value in vars(search_declaration).items() if name.isupper() and isinstance(value, int)}
    assert kinds == set(range(FORMULA))
    for kind in (*kinds, FORMULA):
        numbers, prepared, scan = functions(kind)
        assert numbers.py_func.__name__.startswith("numbers_") and scan.py_func.__name__.startswith("by_")
        assert (prepared is not None) == (kind in PREPARED)
