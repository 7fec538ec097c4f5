"""The formulas of the null law, and the exact moments that call them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import SimpleNamespace as Called
from typing import Any

from splitcrit.impurities.forms import RATIO
from splitcrit.nulls import extremes, formulas, monte_carlo, permutation, values
from splitcrit.proof.families import named, retraced, row
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import TRACE, Node, variable
from splitcrit.proofs.rocq.printed.common import MARGINS
from splitcrit.search import formulas_compiled, scans_compiled

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
    yield from standardised()
    yield from of_cuts(called)
    yield from of_scans(called)
    yield of_draws()


def of_margins(name: str, *more: str) -> Any:
    """Return what stands for a function of two margins that is printed under a name of its own."""
    nodes = tuple(Node("at", (x,)) for x in ("a", "b", *more))
    return lambda rows, columns: TRACE.term(Node("call", (name, *nodes)))


def standardised() -> Iterator[Definition]:
    """Yield the corrected gains of a table, by its margins and its gain."""
    known = {
        values._integers: lambda t: (row("a", "i"), row("b", "k"), variable("gain")),
        permutation.exact_mean: of_margins("py_exact_mean"),
        permutation.exact_variance: of_margins("py_exact_variance", "d"),
    }
    tree = traced(lambda: retraced(values.SGini.__call__, dict(known))(values.SGini(), None, TRACE)).tree
    yield Definition("py_sgini", MARGINS + " (gain d : R)", tree, "splitcrit.nulls.values.SGini.__call__")
    agini = values.AGini(variable("alpha"), "permutation")
    tree = traced(lambda: retraced(values.AGini.__call__, dict(known))(agini, None, TRACE)).tree
    where = "splitcrit.nulls.values.AGini.__call__, model permutation"
    yield Definition("py_agini", MARGINS + " (alpha gain d : R)", tree, where)


CUT, MULTIPLE = "(n b m distance : R)", variable("d")


def of_cuts(called: dict[Any, Any]) -> Iterator[Definition]:
    """Yield the exact moments of two rows and two classes, and the scores of a cut by ``distance = n x - m b``."""
    totals = [variable(x) for x in ("m", "rest", "b", "other")]
    for name in ("exact_mean", "exact_variance"):
        run = retraced(getattr(permutation, name), dict(called))
        tree = traced(lambda: run(totals[:2], totals[2:])).tree  # noqa: B023
        where = f"splitcrit.nulls.permutation.{name}, of two rows and two classes"
        yield Definition(f"py_{name}_of_two", "(m rest b other d : R)", tree, where)
    known = {
        permutation.exact_mean: lambda rows, columns: named("py_exact_mean_of_two")(*rows, *columns, MULTIPLE),
        permutation.exact_variance: lambda rows, columns: named("py_exact_variance_of_two")(*rows, *columns, MULTIPLE),
        extremes.GINI: Called(key=named("py_key_of_gini_gain")),
        formulas.signed_square: named("py_signed_square"),
    }
    cut = [variable(x) for x in ("n", "b", "m", "distance")]
    for name, kind in (("pairwise_gain", "PairwiseGain"), ("gini_gain", "GiniGain"), ("sgini", "StandardisedGain")):
        statistic = getattr(extremes, kind)()
        run = retraced(type(statistic).key, dict(known))
        tree = traced(lambda: run(statistic, *cut)).tree  # noqa: B023
        arguments = "(n b m distance d : R)" if name == "sgini" else CUT
        yield Definition(f"py_key_of_{name}", arguments, tree, f"splitcrit.nulls.extremes.{kind}.key")


class Reciprocals:
    """What a scan of Gini's gain looks up by size: 1/n."""

    def __getitem__(self, size: Any) -> Any:
        return 1 / size


def of_scans(called: dict[Any, Any]) -> Iterator[Definition]:
    """Yield what the compiled scans of thresholds evaluate at each of them."""
    known = {scans_compiled.U: lambda size: size}
    places = [variable(x) for x in ("left", "right", "m", "rest")]
    run = retraced(scans_compiled._sums.py_func, known)
    tree = traced(lambda: run(RATIO, *places, Reciprocals())).tree
    where = "splitcrit.search.scans_compiled._sums, kind RATIO"
    yield Definition("py_scan_sums", "(left right m rest : R)", tree, where)
    by_name = {
        getattr(formulas_compiled, f.__name__): called[f] for f in called if hasattr(formulas_compiled, f.__name__)
    }
    for name in ("spread", "independent_spread"):
        names = ["n", "m", "w", "w_rest", "uneven_by", "thick_by"]
        run = retraced(getattr(formulas_compiled, name).py_func, by_name)
        tree = traced(lambda: run(*map(variable, names))).tree  # noqa: B023
        yield Definition(
            f"py_scan_{name}", f"({' '.join(names)} : R)", tree, f"splitcrit.search.formulas_compiled.{name}"
        )


def of_draws() -> Definition:
    """Return the p-value of so many random tables, some of which reach a score."""
    run = retraced(monte_carlo.estimated, {monte_carlo.np: Called(sqrt=TRACE.sqrt)})
    tree = traced(lambda: run(variable("reached"), variable("samples"))[0]).tree
    return Definition(
        "py_estimated", "(reached samples : R)", tree, "splitcrit.nulls.monte_carlo.estimated, the p-value"
    )
