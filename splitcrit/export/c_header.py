"""One header of C99 with the exact statistics, printed from the formulas and the loops that Python and numba run.

Main definitions: ``header``.
Source: splitcrit.nulls.formulas, by running them; the routines of splitcrit.export, by reading them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from string import Template
from typing import Any

from splitcrit import __version__
from splitcrit.export import corner_routines, moments, pvalue_routines
from splitcrit.export.printed_formulas import C, Language, PrintedFormula, printed_formula
from splitcrit.export.translating import NUMBERS, head, translated
from splitcrit.nulls import formulas
from splitcrit.nulls.excess_gain import closed_excess_gain

OFFERED = (
    "mean", "variance", "third_moment", "sgini", "scan", "gini_pvalue", "best_cut", "selected_pvalue", "entropy_cells",
    "cell_mean", "cell_variance", "closed_excess_gain",
)  # fmt: skip
ROUTINES = [
    function
    for module in (moments, pvalue_routines, corner_routines)
    for name, function in vars(module).items()
    if inspect.isfunction(function) and function.__module__ == module.__name__ and name not in NUMBERS
] + [closed_excess_gain]
FRAME = Path(__file__).with_name("frame.h")


def header() -> str:
    """A header of C99 with the moments of gains by chance, SGini, the scan of a feature, and exact p-values.

    The header needs no other file, allocates nothing, and computes in pairs of doubles. It holds ::

        double splitcrit_mean(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k)
        double splitcrit_variance(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k)
        double splitcrit_third_moment(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k)
        double splitcrit_sgini(const int64_t *table, int64_t r, int64_t k, int64_t *work)
        int64_t splitcrit_scan(const int64_t *table, int64_t r, int64_t k, double *scores, int64_t *work)
        double splitcrit_gini_pvalue(const int64_t *table, int64_t log_p)
        int64_t splitcrit_best_cut(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic, int64_t *work)
        double splitcrit_selected_pvalue(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic,
                                         int64_t log_p, double *chances, int64_t *work)
        int64_t splitcrit_entropy_cells(const int64_t *columns, int64_t k, int64_t m, double *values)
        double splitcrit_cell_mean(const double *values, const int64_t *columns, int64_t k, int64_t m)
        double splitcrit_cell_variance(const double *values, const int64_t *columns, int64_t k, int64_t m)
        double splitcrit_closed_excess_gain(const int64_t *sizes, int64_t r, double g, double gg, double h, double hh,
                                            double gh, double lam)

    Returns
    -------
    str
        The text of the header, which is also C++11. ``work`` is room for ``r + k`` integers, ``r + 2 k`` of the scan, 2
        of the best cut; ``chances`` for 3 doubles and one for each observation of the rarer class; ``values`` for ``k``
        doubles and one for each observation.

    Notes
    -----
    The formulas are printed by running them, the loops around them from their source: both are what Python and numba
    run. What is no table, or are no margins of one table, gives NaN, or -1 where an integer is returned. A p-value of
    two rows is right to 1e-15, one of the best cut of n observations to ``4e-16 n + 1e-15``, relative to itself.

    References
    ----------
    wang2024, eqs. (15)-(26); strobl2007 (the best cut).

    Examples
    --------
    >>> header().splitlines()[0]
    '/* splitcrit.h: exact statistics of split criteria of a contingency table, under permutations of the labels.'
    """
    heads = [head(routine).removeprefix("static inline ") for routine in ROUTINES if routine.__name__ in OFFERED]
    offered = "\n".join(f" *     {each}" for each in heads)
    functions = printed_functions(ROUTINES, C)
    for each in heads:
        functions = functions.replace(f"static inline {each}", f"SPLITCRIT_API {each}")
    frame = Template(FRAME.read_text(encoding="utf-8"))
    return frame.substitute(version=__version__, offered=offered, largest=moments.LARGEST, functions=functions)


def printed_functions(routines: list[Callable[..., Any]], language: Language) -> str:
    """The formulas that routines call, then the routines, as functions of a language."""
    called = Printed(language)
    loops = [translated(routine, called, language) for routine in routines]
    return "\n\n".join([*(formula.text for formula in called.values()), *loops])


class Printed(dict[str, PrintedFormula]):
    """The formulas of a language that routines call, printed when one first does."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, name: str) -> PrintedFormula:
        self[name] = printed_formula(getattr(formulas, name), self.language)
        return self[name]
