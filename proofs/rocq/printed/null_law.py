"""The formulas of the null law, and the exact moments that call them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import SimpleNamespace as Called
from typing import Any

from splitcrit.arith import namespace, on_device_of
from splitcrit.arith.tracing import Node
from splitcrit.impurities.search_declaration import RATIO
from splitcrit.nulls import chance_criteria, corner, extremes, formulas, monte_carlo, permutation, third_moment
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import Family, retraced
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proofs.rocq.definitions import Definition
from splitcrit.proofs.rocq.printed import arrays
from splitcrit.proofs.rocq.printed.common import MARGINS
from splitcrit.proofs.rocq.variables import named, row, rows
from splitcrit.trees.scan import formulas_compiled, scan_sums

SCALARS = [
    name
    for name, function in vars(formulas).items()
    if inspect.isfunction(function) and function.__module__ == formulas.__name__
]

TUPLES = {"third_by_invariants": {"n": 6, "c": 2, "t": 2, "d": 2, "p": 2, "f": 2}}  # arguments that are several numbers


def of_numbers() -> Iterator[Definition]:
    """Yield the formulas of the null law that are functions of numbers; one that gives several, part by part."""
    for name in SCALARS:
        function = getattr(formulas, name)
        names = list(inspect.signature(function).parameters)
        sizes = TUPLES.get(name, {})
        every = [f"{x}{i}" for x in names for i in range(sizes[x])] if sizes else names
        arguments, where = f"({' '.join(every)} : R)", f"splitcrit.nulls.formulas.{name}"

        def run(part: int | None = None) -> Any:
            variables = [tuple(variable(f"{x}{i}") for i in range(sizes[x])) if sizes else variable(x) for x in names]  # noqa: B023
            result = function(*variables)  # noqa: B023
            return result if part is None else result[part]

        several = run()
        if isinstance(several, tuple):
            parts = {f"_{i}": traced(lambda: run(i)).tree for i in range(len(several))}  # noqa: B023
        else:
            parts = {"": traced(run).tree}
        for part, tree in parts.items():
            yield Definition(f"py_{name}{part}", arguments, tree, f"{where}{part and ', part ' + part[1:]}")


def standing_for(definitions: list[Definition]) -> dict[Any, Any]:
    """For every formula that is printed what calls it by its names."""
    names = [d.name for d in definitions]
    called = {}
    for name in SCALARS:
        whole, parts = f"py_{name}", [n for n in names if n.removeprefix(f"py_{name}_").isdigit()]
        if whole in names:
            called[getattr(formulas, name)] = named(whole)
        elif parts:
            called[getattr(formulas, name)] = _several(parts)
    return called


def _several(parts: list[str]) -> Any:
    return lambda *numbers: tuple(named(part)(*numbers) for part in parts)


def of_corners() -> Iterator[Definition]:
    """Yield what the covariance of sums over cells is made of: chances by ratios, one corner, and the sum over them."""
    where = "splitcrit.nulls.corner."
    for name in ("ways_up", "ways_down"):
        names = list(inspect.signature(getattr(corner, name)).parameters)
        tree = traced(lambda: retraced(getattr(corner, name))(*map(variable, names))).tree  # noqa: B023
        yield Definition(f"py_{name}", f"({' '.join(names)} : R)", tree, where + name)
    known = {vars(corner)["np"]: Called(sum=lambda x, axis: arrays.value(arrays.NAMESPACE.sum(x, axis)))}
    run = retraced(corner.covariance_of, known)
    tree = traced(lambda: run(*map(arrays.vector, ("p", "row", "column")))).tree
    yield Definition("py_covariance_of", "K (p row column : 'I_K -> R)", tree, f"{where}covariance_of")
    tree = traced(lambda: retraced(corner.total_of_corners)(row("times", "i"), row("many"), rows("covariances"))).tree
    arguments = "r K (times : 'I_r -> R) (many : 'I_K -> R) (covariances : 'I_r -> 'I_K -> R)"
    yield Definition("py_total_of_corners", arguments, tree, f"{where}total_of_corners")
    others = Family("k", lambda k: tuple(TRACE.term(Node("at", (name, k))) for name in ("times", "slopes", "totals")))
    tree = traced(lambda: retraced(corner.slope_given)(variable("slope"), others, variable("room"))).tree
    arguments = "K (slope : R) (times slopes totals : 'I_K -> R) (room : R)"
    yield Definition("py_slope_given", arguments, tree, f"{where}slope_given")


def definitions() -> Iterator[Definition]:
    """Yield the formulas of numbers, and the exact moments that call them."""
    scalars = list(of_numbers())
    yield from scalars
    called = standing_for(scalars)
    a, b = row("a", "i"), row("b", "k")

    exact: dict[Any, dict[Any, Any]] = {
        permutation.exact_mean: {},
        permutation.exact_variance: {},
        third_moment.exact_third: {permutation.exact_variance: named("py_exact_variance", "d")},
    }
    for function, known in exact.items():
        run = retraced(function, {**called, **known})
        tree = traced(lambda: run(a, b)).tree  # noqa: B023
        name, where = function.__name__, function.__module__
        arguments = MARGINS + ("" if function is permutation.exact_mean else " (d : R)")
        yield Definition(f"py_{name}", arguments, tree, f"{where}.{name}", shared=function is third_moment.exact_third)
    yield from standardised()
    yield from of_cuts(called)
    yield from of_scans(called)
    yield of_draws()
    yield from invariants()
    yield from of_corners()


def standardised() -> Iterator[Definition]:
    """Yield the corrected gains of a table, by its margins and its gain."""
    known = {
        chance_criteria._integers: lambda t: (row("a", "i"), row("b", "k"), variable("gain")),
        permutation.exact_mean: named("py_exact_mean"),
        permutation.exact_variance: named("py_exact_variance", "d"),
    }
    tree = traced(
        lambda: retraced(chance_criteria.SGini.__call__, dict(known))(chance_criteria.SGini(), None, TRACE)
    ).tree
    yield Definition("py_sgini", MARGINS + " (gain d : R)", tree, "splitcrit.nulls.chance_criteria.SGini.__call__")
    agini = chance_criteria.AGini(variable("alpha"), "permutation")
    tree = traced(lambda: retraced(chance_criteria.AGini.__call__, dict(known))(agini, None, TRACE)).tree
    where = "splitcrit.nulls.chance_criteria.AGini.__call__, model permutation"
    yield Definition("py_agini", MARGINS + " (alpha gain d : R)", tree, where)


CUT = "(n b m distance : R)"


def of_cuts(called: dict[Any, Any]) -> Iterator[Definition]:
    """Yield the exact moments of two rows and two classes, and the scores of a cut by ``distance = n x - m b``."""
    totals = [variable(x) for x in ("m", "rest", "b", "other")]
    for name in ("exact_mean", "exact_variance"):
        run = retraced(getattr(permutation, name), dict(called))
        tree = traced(lambda: run(totals[:2], totals[2:])).tree  # noqa: B023
        where = f"splitcrit.nulls.permutation.{name}, of two rows and two classes"
        yield Definition(f"py_{name}_of_two", "(m rest b other d : R)", tree, where)
    known = {
        permutation.exact_mean: lambda rows, columns: named("py_exact_mean_of_two")(*rows, *columns, variable("d")),
        permutation.exact_variance: lambda rows, columns: named("py_exact_variance_of_two")(
            *rows, *columns, variable("d")
        ),
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
    known = {vars(scan_sums)["U"]: lambda size: size}
    places = [variable(x) for x in ("left", "right", "m", "rest")]
    run = retraced(scan_sums.combined.py_func, known)
    tree = traced(lambda: run(RATIO, *places, Reciprocals(), 0)).tree
    where = "splitcrit.trees.scan.scan_sums.combined, kind RATIO"
    yield Definition("py_scan_sums", "(left right m rest : R)", tree, where)
    by_name = {
        getattr(formulas_compiled, f.__name__): called[f] for f in called if hasattr(formulas_compiled, f.__name__)
    }
    for name in ("spread", "independent_spread"):
        names = ["n", "m", "w", "w_rest", "uneven_by", "thick_by"]
        run = retraced(getattr(formulas_compiled, name).py_func, by_name)
        tree = traced(lambda: run(*map(variable, names))).tree  # noqa: B023
        yield Definition(
            f"py_scan_{name}", f"({' '.join(names)} : R)", tree, f"splitcrit.trees.scan.formulas_compiled.{name}"
        )


def of_draws() -> Definition:
    """The p-value of a number of random tables, some of which reach a score."""
    run = retraced(monte_carlo.estimated, {vars(monte_carlo)["np"]: Called(sqrt=TRACE.sqrt)})
    tree = traced(lambda: run(variable("reached"), variable("samples"))[0]).tree
    return Definition(
        "py_estimated", "(reached samples : R)", tree, "splitcrit.nulls.monte_carlo.estimated, the p-value"
    )


def call(name: str, *arguments: Any) -> Any:
    """A call of a printed definition by its name."""
    numbers = map(arrays.value, arguments)
    return TRACE.term(Node("call", (name, *(x if isinstance(x, Node) else TRACE.read(x) for x in numbers))))


def invariants() -> Iterator[Definition]:
    """Yield the five invariants of a matrix of blocks, the blocks of rows, and the third moment from both.

    The invariants of classes are arguments: they sort and round, to lose nothing in floats.
    """
    known = {namespace: lambda *_: arrays.NAMESPACE, on_device_of: lambda *_: {}}
    blocks = arrays.vector("size"), arrays.vector("same"), arrays.matrix("across"), arrays.vector("f")
    arguments, module = "K (size same f : 'I_K -> R) (across : 'I_K -> 'I_K -> R)", "splitcrit.nulls.third_moment"
    run = retraced(third_moment._invariants, dict(known))
    for i in range(5):
        tree = traced(lambda: arrays.value(run(*blocks)[i])).tree  # noqa: B023
        yield Definition(f"py_invariants_{i}", arguments, tree, f"{module}._invariants, part {i}")
    yield from blocks_of_rows(known)
    yield from blocks_of_classes(known)

    rows, classes = arrays.vector("a"), [variable(f"q{i}") for i in range(5)]

    def of_rows(a: Any, n: Any) -> Any:
        assert a is rows
        size = Node("at", ("a",))
        sums = [call(f"py_rows_{part}", size, n).inner for part in ("same", "f", "across")]
        return tuple(call(f"py_invariants_{i}", size, *sums) for i in range(5))

    called = {
        third_moment._of_rows: of_rows,
        third_moment._of_columns: lambda *_: classes,
        formulas.third_by_invariants: lambda n, *pairs: call(
            "py_third_by_invariants", *n, *(x for y in pairs for x in y)
        ),
    }
    run = retraced(third_moment.third_moment, {**known, **called})
    arguments, where = (
        "K (a : 'I_K -> R) (q0 q1 q2 q3 q4 : R)",
        f"{module}.third_moment, the classes by their invariants",
    )
    yield Definition("py_third_moment_of_arrays", arguments, traced(lambda: run(rows, None)).tree, where)


def blocks_of_rows(known: dict[Any, Any]) -> Iterator[Definition]:
    """Yield what the invariants of rows are computed from: entries within and across rows, and the row's part."""
    rows, n = arrays.vector("a"), variable("n")
    within, apart, across = (arrays.elementwise(named(f"py_row_{x}")) for x in ("block_0", "block_1", "across"))
    called = {
        formulas.row_block: lambda *numbers: (within(*numbers), apart(*numbers)),
        formulas.row_across: across,
        third_moment._invariants: lambda *sums: sums,
    }
    size, same, across, f = retraced(third_moment._of_rows, {**known, **called})(rows, n)
    assert size is rows
    places = [TRACE.term(Node("index", (letter,))) for letter in "jk"]
    for name, array, letters in (("same", same, "j"), ("f", f, "j"), ("across", across, "jk")):
        tree = traced(lambda: array.at(tuple(places[: array.ndim])), frozenset(letters)).tree  # noqa: B023
        arguments = f"K (a : 'I_K -> R) (n : R) ({' '.join(letters)} : 'I_K)"
        yield Definition(f"py_rows_{name}", arguments, tree, f"splitcrit.nulls.third_moment._of_rows, {name}")


def blocks_of_classes(known: dict[Any, Any]) -> Iterator[Definition]:
    """Yield what the invariants of classes are computed from, with the whole number ``q`` that is subtracted first."""
    classes, n = arrays.vector("b"), variable("n")
    called = {
        formulas.class_block: arrays.elementwise(named("py_class_block")),
        formulas.class_across: arrays.elementwise(named("py_class_across")),
        third_moment._invariants: lambda *sums: sums,
    }
    TRACE.rounds_to(variable("q"))
    size, same, across, f = retraced(third_moment._of_columns, {**known, **called})(classes, n)
    assert size is classes and TRACE.whole is None
    places = [TRACE.term(Node("index", (letter,))) for letter in "jk"]
    for name, array, letters in (("same", same, "j"), ("f", f, "j"), ("across", across, "jk")):
        tree = traced(lambda: array.at(tuple(places[: array.ndim])), frozenset((*letters, "top"))).tree  # noqa: B023
        extra = {"same": " (top : 'I_K.+1)", "f": " (q : R)", "across": ""}[name]
        arguments = f"K (b : 'I_K.+1 -> R) (n : R){extra} ({' '.join(letters)} : 'I_K.+1)"
        yield Definition(f"py_classes_{name}", arguments, tree, f"splitcrit.nulls.third_moment._of_columns, {name}")
