"""What differs between the languages that formulas and routines are printed in: C and JavaScript.

Main definitions: ``Language``, ``C``, ``JAVASCRIPT``.
Main results: both have the same loops, conditions, assignments, calls and comments, so that little differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

TYPES = {
    "Counts": "const int64_t *",
    "Room": "int64_t *",
    "Scores": "double *",
    "Values": "const double *",
    "Real": "splitcrit_real ",
    "Several": "splitcrit_several ",
    "int": "int64_t ",
    "float": "double ",
    "bool": "int ",
}


@final
@dataclass(frozen=True)
class Language:
    """How a language says what differs.

    Parameters
    ----------
    function
        What stands before a function and the type of its result.
    types, variables
        What stands before a parameter or a result, and before a variable, by the kind of its values.
    integer
        What stands after the digits of an integer.
    tail
        An array from an index on.
    several
        What a variable for several results begins as.
    """

    function: str
    types: Mapping[str, str]
    variables: Mapping[str, str]
    integer: str
    tail: str
    several: str


C = Language("static inline ", TYPES, TYPES, "", "({array} + {start})", "")
JAVASCRIPT = Language(
    "function ", dict.fromkeys(TYPES, ""), dict.fromkeys(TYPES, "let "), "n", "splitcrit_tail({array}, {start})",
    " = {part: []}",
)  # fmt: skip
