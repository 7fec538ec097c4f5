"""One header of C99 with the exact statistics, printed from the formulas and the loops that Python and numba run.

Main definitions: ``header``.
Source: splitcrit.nulls.formulas, by running them; the routines of splitcrit.export, by reading them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from splitcrit import __version__
from splitcrit.export import corner_routines, moments, pvalue_routines, score_routines, third_moment_routine
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
    for module in (moments, third_moment_routine, score_routines, pvalue_routines, corner_routines)
    for name, function in vars(module).items()
    if inspect.isfunction(function) and function.__module__ == module.__name__ and name not in NUMBERS
] + [closed_excess_gain]
ARITHMETIC = Path(__file__).with_name("arithmetic.h")
ABOUT = """\
/* splitcrit.h: exact statistics of split criteria of a contingency table, under permutations of the labels.
 *
 * Printed by splitcrit {version} (`splitcrit header`) from the formulas of the library; do not edit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C99 or C++11; no allocation, no state, no other file. Link the library of mathematics (-lm). Compile without
 * -ffast-math. The functions to call, at the end of this file:
 *
{offered}
 *
 * Counts are 64-bit integers that are not negative and sum to {largest} at most; rows are values of a feature, columns
 * are classes. Inside, numbers have some 31 digits, so that results are right to a relative error of 1e-12 and better:
 * the third moment relative to the larger of itself and the variance to the power 1.5, SGini relative to the larger of
 * itself and 1; selected_pvalue and the moments of cells as stated beside them. What is no table gives NaN, or -1.
 *
 * The functions are static inline. To link them from another language, define SPLITCRIT_API as nothing in one C file
 * that includes this one.
 */
#ifndef SPLITCRIT_H
#define SPLITCRIT_H
"""


def header() -> str:
    """Return a header of C99 with the moments of gains by chance, SGini, the scan of a feature, and exact p-values.

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
    asked = Printed()
    loops = [_shown(routine, asked) for routine in ROUTINES]
    heads = [head(routine).removeprefix("static inline ") for routine in ROUTINES if routine.__name__ in OFFERED]
    offered = "\n".join(f" *     {each}" for each in heads)
    about = ABOUT.format(version=__version__, offered=offered, largest=moments.LARGEST)
    formulas_in_c = [formula.text for formula in asked.values()]
    return "\n\n".join([about + ARITHMETIC.read_text(encoding="utf-8").rstrip(), *formulas_in_c, *loops, "#endif\n"])


class Printed(dict[str, PrintedFormula]):
    """The formulas that the routines call, printed when one first does."""

    def __init__(self, language: Language = C) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, name: str) -> PrintedFormula:
        self[name] = printed_formula(getattr(formulas, name), self.language)
        return self[name]


def _shown(routine: Callable[..., Any], asked: Printed) -> str:
    """Return a routine in C; one that is offered is declared as the user says."""
    text = translated(routine, asked)
    return text.replace("static inline", "SPLITCRIT_API", 1) if routine.__name__ in OFFERED else text
