"""The formulas of the null law, and the exact moments that call them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from splitcrit.arith import namespace, on_device_of
from splitcrit.nulls import formulas, permutation, third
from splitcrit.proof.families import named, retraced, row
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import MULTIPLE, TRACE, Node, variable
from splitcrit.proofs.rocq.printed import arrays
from splitcrit.proofs.rocq.printed.common import MARGINS

SCALARS = [
    name
    for name, function in vars(formulas).items()
    if inspect.isfunction(function) and function.__module__ == formulas.__name__
]

TUPLES = {"third_by_invariants": {"n": 6, "c": 2, "t": 2, "d": 2, "p": 2, "f": 2}}  # arguments that are several numbers


def of_numbers() -> Iterator[Definition]:
    """Yield the formulas of the null law that are functions of numbers; part by part where they give several."""
    for name in SCALARS:
        function = getattr(formulas, name)
        names = list(inspect.signature(function).parameters)
        sizes = TUPLES.get(name, {})
        every = [f"{x}{i}" for x in names for i in range(sizes[x])] if sizes else names
        arguments, where = f"({' '.join(every)} : R)", f"splitcrit.nulls.formulas.{name}"
        parts: dict[str, Node] = {}

        def run(part: int | None = None) -> Any:
            given = [tuple(variable(f"{x}{i}") for i in range(sizes[x])) if sizes else variable(x) for x in names]  # noqa: B023
            found = function(*given)  # noqa: B023
            return found if part is None else found[part]

        try:
            found = run()
            if isinstance(found, tuple):
                parts = {f"_{i}": traced(lambda: run(i)).tree for i in range(len(found))}  # noqa: B023
            else:
                parts = {"": traced(run).tree}
        except Exception:  # numbers of unknown count: printed where they are used
            continue
        for part, tree in parts.items():
            yield Definition(f"py_{name}{part}", arguments, tree, f"{where}{part and ', part ' + part[1:]}")


def standing_for(definitions: list[Definition]) -> dict[Any, Any]:
    """Return for every formula that is printed what calls it by its names."""
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


def definitions() -> Iterator[Definition]:
    """Yield the formulas of numbers, and the exact moments that call them."""
    scalars = list(of_numbers())
    yield from scalars
    called = standing_for(scalars)
    a, b = row("a", "i"), row("b", "k")

    def spread(rows: Any, columns: Any) -> Any:
        """The exact variance of the same margins, by its name."""
        assert rows is a and columns is b
        return TRACE.term(Node("call", ("py_exact_variance", Node("at", ("a",)), Node("at", ("b",)), MULTIPLE)))

    exact = {
        permutation.exact_mean: {},
        permutation.exact_variance: {},
        third.exact_third: {permutation.exact_variance: spread},
    }
    for function, known in exact.items():
        run = retraced(function, {**called, **known})
        tree = traced(lambda: run(a, b)).tree  # noqa: B023
        name, where = function.__name__, function.__module__
        arguments = MARGINS + ("" if function is permutation.exact_mean else " (d : R)")
        yield Definition(f"py_{name}", arguments, tree, f"{where}.{name}", shared=function is third.exact_third)
    yield from invariants()


def call(name: str, *given: Any) -> Any:
    """Return a call of a printed definition by its name."""
    numbers = map(arrays.value, given)
    return TRACE.term(Node("call", (name, *(x if isinstance(x, Node) else TRACE.read(x) for x in numbers))))


def invariants() -> Iterator[Definition]:
    """Yield the five invariants of a matrix of blocks, the blocks of rows, and the third moment from both.

    The invariants of classes are arguments: they sort and round, to lose nothing in floats.
    """
    known = {namespace: lambda *_: arrays.NAMESPACE, on_device_of: lambda *_: {}}
    blocks = arrays.vector("size"), arrays.vector("same"), arrays.matrix("across"), arrays.vector("f")
    arguments, module = "K (size same f : 'I_K -> R) (across : 'I_K -> 'I_K -> R)", "splitcrit.nulls.third"
    run = retraced(third._invariants, dict(known))
    for i in range(5):
        tree = traced(lambda: arrays.value(run(*blocks)[i])).tree  # noqa: B023
        yield Definition(f"py_invariants_{i}", arguments, tree, f"{module}._invariants, part {i}")
    yield from blocks_of_rows(known)
    yield from blocks_of_classes(known)

    rows, classes = arrays.vector("a"), [variable(f"q{i}") for i in range(5)]

    def of_rows(a: Any, n: Any) -> Any:
        assert a is rows
        size = Node("at", ("a",))
        given = [call(f"py_rows_{part}", size, n).inner for part in ("same", "f", "across")]
        return tuple(call(f"py_invariants_{i}", size, *given) for i in range(5))

    called = {
        third._of_rows: of_rows,
        third._of_columns: lambda *_: classes,
        formulas.third_by_invariants: lambda n, *pairs: call(
            "py_third_by_invariants", *n, *(x for y in pairs for x in y)
        ),
    }
    run = retraced(third.third_moment, {**known, **called})
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
        third._invariants: lambda *given: given,
    }
    size, same, across, f = retraced(third._of_rows, {**known, **called})(rows, n)
    assert size is rows
    places = [TRACE.term(Node("index", (letter,))) for letter in "jk"]
    for name, array, letters in (("same", same, "j"), ("f", f, "j"), ("across", across, "jk")):
        tree = traced(lambda: array.at(tuple(places[: array.ndim])), frozenset(letters)).tree  # noqa: B023
        arguments = f"K (a : 'I_K -> R) (n : R) ({' '.join(letters)} : 'I_K)"
        yield Definition(f"py_rows_{name}", arguments, tree, f"splitcrit.nulls.third._of_rows, {name}")


def blocks_of_classes(known: dict[Any, Any]) -> Iterator[Definition]:
    """Yield what the invariants of classes are computed from, with the whole number ``q`` that is subtracted first."""
    classes, n = arrays.vector("b"), variable("n")
    called = {
        formulas.class_block: arrays.elementwise(named("py_class_block")),
        formulas.class_across: arrays.elementwise(named("py_class_across")),
        third._invariants: lambda *given: given,
    }
    TRACE.rounds_to(variable("q"))
    size, same, across, f = retraced(third._of_columns, {**known, **called})(classes, n)
    assert size is classes and TRACE.whole is None
    places = [TRACE.term(Node("index", (letter,))) for letter in "jk"]
    for name, array, letters in (("same", same, "j"), ("f", f, "j"), ("across", across, "jk")):
        tree = traced(lambda: array.at(tuple(places[: array.ndim])), frozenset((*letters, "top"))).tree  # noqa: B023
        extra = {"same": " (top : 'I_K.+1)", "f": " (q : R)", "across": ""}[name]
        arguments = f"K (b : 'I_K.+1 -> R) (n : R){extra} ({' '.join(letters)} : 'I_K.+1)"
        yield Definition(f"py_classes_{name}", arguments, tree, f"splitcrit.nulls.third._of_columns, {name}")
