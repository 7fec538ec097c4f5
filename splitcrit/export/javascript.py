"""The exact statistics in JavaScript: the formulas and the loops of the header, run in fractions of BigInt.

Main definitions: ``script``. ``python -m splitcrit.export.javascript`` prints it, which is how
``docs/_static/exact.js`` was made.
Source: splitcrit.nulls.formulas, by running them; the routines of splitcrit.export, by reading them.
"""

from __future__ import annotations

from pathlib import Path

from splitcrit.export import moments, score_routines, third_moment_routine
from splitcrit.export.c_header import ROUTINES, Printed
from splitcrit.export.printed_formulas import JAVASCRIPT
from splitcrit.export.translating import PREFIX, translated

MODULES = {module.__name__ for module in (moments, score_routines, third_moment_routine)}
ASKED = ("signed_square",)  # formulas that no routine calls
ARITHMETIC = Path(__file__).with_name("arithmetic.js")
ABOUT = """\
/* exact.js: exact statistics of the Gini gain of a contingency table, under permutations of the labels.
 *
 * Printed by splitcrit (`python -m splitcrit.export.javascript`) from the formulas of the library; do not edit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Integers are BigInt, margins and tables are BigInt64Array, a table lies row by row; `mean_of`, `variance_of` and
 * `third_of` return fractions {numerator, denominator}, the others doubles.
 */
"use strict";
const splitcrit = (() => {"""
OFFERED = """\
return {{
{names},
}};
}})();
if (typeof module === "object") module.exports = splitcrit;
"""


def script() -> str:
    """Return a script with moments of the Gini gain, SGini and the scan of a feature, in fractions of BigInt.

    It defines one object, ``splitcrit``, whose functions are those of the header and, without rounding, ``mean_of``,
    ``variance_of`` and ``third_of``.

    Returns
    -------
    str
        The text of the script, for browsers and Node.js.

    References
    ----------
    wang2024, eqs. (8), (15)-(26).

    Examples
    --------
    >>> script().splitlines()[0]
    '/* exact.js: exact statistics of the Gini gain of a contingency table, under permutations of the labels.'
    """
    printed = Printed(JAVASCRIPT)
    routines = [routine for routine in ROUTINES if routine.__module__ in MODULES]
    loops = [translated(routine, printed, JAVASCRIPT) for routine in routines]
    names = [*("fraction", "real_of", "value", "add", "subtract", "multiply", "divide")]
    names += [*(f"formula_{name}" for name in ASKED), *(routine.__name__ for routine in routines)]
    offered = OFFERED.format(names=",\n".join(f"    {name}: {PREFIX}{name}" for name in names))
    texts = [printed[name].text for name in ASKED] + [printed[name].text for name in printed if name not in ASKED]
    return "\n\n".join([ABOUT, ARITHMETIC.read_text(encoding="utf-8").rstrip(), *texts, *loops, offered])


if __name__ == "__main__":
    print(script(), end="")
