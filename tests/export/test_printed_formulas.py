"""A formula is printed by what it does, and one that does something else is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from splitcrit.export.printed_formulas import printed_formula
from splitcrit.nulls import formulas


def test_every_operation_is_a_line() -> None:
    text = printed_formula(formulas.uneven_rows).text.splitlines()
    assert text[1].endswith("splitcrit_multiply(n, n);") and text[-2] == "    return v4;"
    assert len(text) == 8


def test_a_changed_formula_is_printed_as_it_is_now() -> None:
    def mean(n: Any, r: Any, unlike: Any) -> Any:
        return (r - 1) * unlike / (n * n**2)

    assert printed_formula(mean).text != printed_formula(formulas.mean).text


def test_parts_of_a_parameter_are_parameters_and_several_results_are_parts() -> None:
    printed = printed_formula(lambda n, c: (n[0] - n[2], 1 + c))
    head = printed.text.splitlines()[0]
    assert "(splitcrit_real n0, splitcrit_real n1, splitcrit_real n2, splitcrit_real c)" in head
    assert printed.results == 2 and "results.part[1] = v1;" in printed.text
    assert printed_formula(lambda n: n).results == 0


REFUSED: dict[str, Callable[..., Any]] = {
    "root": lambda n: n**0.5,
    "quotient by a power": lambda n: n**-1,
    "fraction": lambda n: 1.5 * n,
    "question": lambda n: n if n else 1,
    "minus": lambda n: -n,
    "floor": lambda n: n // 2,
    "maximum": lambda n: max(n, 2),
    "absolute": lambda n: abs(n),
    "truth": lambda n: True * n,
    "comparison": lambda n: n > 0,
    "text": lambda n: "n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_formula_is_refused(name: str) -> None:
    with pytest.raises(TypeError):
        printed_formula(REFUSED[name])
