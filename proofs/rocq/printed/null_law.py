"""The formulas of the null law, and the exact moments that call them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from splitcrit.nulls import formulas, permutation
from splitcrit.proof.families import named, retraced, row
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import variable
from splitcrit.proofs.rocq.printed.common import MARGINS

SCALARS = [
    name
    for name, function in vars(formulas).items()
    if inspect.isfunction(function) and function.__module__ == formulas.__name__
]


def of_numbers() -> Iterator[Definition]:
    """Yield the formulas of the null law that are functions of numbers and give one number."""
    for name in SCALARS:
        function = getattr(formulas, name)
        names = list(inspect.signature(function).parameters)
        try:
            tree = traced(lambda: function(*map(variable, names))).tree  # noqa: B023
        except Exception:  # a tuple in or out: printed where it is used
            continue
        yield Definition(f"py_{name}", f"({' '.join(names)} : R)", tree, f"splitcrit.nulls.formulas.{name}")


def definitions() -> Iterator[Definition]:
    """Yield the formulas of numbers, and the exact moments that call them."""
    scalars = list(of_numbers())
    yield from scalars
    called = {getattr(formulas, d.name.removeprefix("py_")): named(d.name) for d in scalars}
    for name in ("exact_mean", "exact_variance"):
        run = retraced(getattr(permutation, name), dict(called))
        tree = traced(lambda: run(row("a", "i"), row("b", "k"))).tree  # noqa: B023
        arguments = MARGINS + (" (d : R)" if name == "exact_variance" else "")
        yield Definition(f"py_{name}", arguments, tree, f"splitcrit.nulls.permutation.{name}")
