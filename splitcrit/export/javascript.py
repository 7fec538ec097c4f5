"""The exact statistics in JavaScript: the formulas and the loops of the header, run in fractions of BigInt.

Main definitions: ``script``. ``python -m splitcrit.export.javascript`` prints it, which is how
``docs/_static/exact.js`` was made.
Source: splitcrit.nulls.formulas, by running them; the routines of splitcrit.export, by reading them.
"""

from __future__ import annotations

from pathlib import Path
from string import Template

from splitcrit.export import moments
from splitcrit.export.c_header import ROUTINES, printed_functions
from splitcrit.export.printed_formulas import JAVASCRIPT, printed_formula
from splitcrit.export.translating import PREFIX
from splitcrit.nulls import formulas

FRAME = Path(__file__).with_name("frame.js")


def script() -> str:
    """A script with moments of the Gini gain, SGini and the scan of a feature, in fractions of BigInt.

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
    routines = [routine for routine in ROUTINES if routine.__module__ == moments.__name__]
    offered = ",\n".join(f"    {routine.__name__}: {PREFIX}{routine.__name__}" for routine in routines)
    square = printed_formula(formulas.signed_square, JAVASCRIPT).text  # which no routine calls
    functions = f"{square}\n\n{printed_functions(routines, JAVASCRIPT)}"
    return Template(FRAME.read_text(encoding="utf-8")).substitute(offered=offered, functions=functions)


if __name__ == "__main__":
    print(script(), end="")
