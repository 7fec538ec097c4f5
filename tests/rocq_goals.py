r"""Goals of Rocq that say what the library's functions give, about the printed definitions themselves.

A goal reads ``py_gini (fun k : 'I_3 => qr R (nth (qnat 0) [:: 1/2; 1/3; 1/6] k)) = qr R (11/18)`` in every ordered
field ``R``, with ``qr`` the embedding of the rationals of Coq's standard library, and the right side what Python
returned for these Fractions. Its proof computes: ``vm_compute`` evaluates the list form of the definition (``qvalue``)
and compares it with the right side; the lemma ``e_gini`` (``splitcrit.proofs.rocq.data``) carries this over to the
printed definition with ``\sum``. Nothing else connects the two, and the kernel checks all of it.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from rocq_runs import RUNS
from splitcrit.nulls import formulas
from splitcrit.proofs.rocq.data import CUBES, Argument, applied, arguments_of, as_family, mirror
from splitcrit.proofs.rocq.definitions import Definition

F = Fraction
Given = dict[str, Any]
COMPILED = ("py_scan_spread", "py_scan_independent_spread")
LEAST = {"py_symmetric": 2}  # classes, where the function raises ValueError below


def inputs(definition: Definition, rng: random.Random) -> tuple[Given, Fraction]:
    """Random arguments of a definition, and the value of the library's function there.

    Raises
    ------
    LookupError
        If no function is known that a definition is of.
    """
    run = RUNS.get(definition.name) or _formula(definition.name)
    for _ in range(1000):
        given = _drawn(definition, rng)
        try:
            return given, F(run(**given))
        except ZeroDivisionError:
            continue
    raise AssertionError(f"{definition.name}: a division by 0 at 1000 inputs")


def _formula(name: str) -> Callable[..., Any]:
    """The formula of the null law that a definition is of, or the component of one."""
    head, _, place = name.removeprefix("py_").rpartition("_")
    if function := getattr(formulas, name.removeprefix("py_"), None):
        return lambda **given: function(*given.values())
    if place.isdigit() and (several := getattr(formulas, head, None)):
        return lambda **given: several(*given.values())[int(place)]
    raise LookupError(f"{name} is printed, but tests/rocq_runs.py names no function to compare it with")


def _drawn(definition: Definition, rng: random.Random) -> Given:
    arguments = arguments_of(definition)
    names = {a.name for a in arguments}
    least = LEAST.get(definition.name, 1)
    sizes = {a.name: max(rng.choice((1, 2, 2, 3, 4)), least) for a in arguments if a.kind == "nat"}
    if {"a", "b"} <= names and "r" in names:
        given = _margins(sizes, rng)
    elif "distance" in names or "rest" in names:
        given = _cut(rng)
    else:
        given = {}
    found = {a.name: given[a.name] if a.name in given else _value(a, sizes, rng) for a in arguments}
    if definition.name.startswith("py_classes_"):
        found |= {x: value for x, value in _chosen(found["b"], found["n"]).items() if x in names}
    if definition.name in COMPILED:  # 2.0 stands in the code: floats are exact at few binary digits
        found = {name: F(rng.randint(-4, 9), rng.choice((1, 2))) for name in found}
    return found


def _chosen(b: list[Fraction], n: Fraction) -> Given:
    """Which class is the largest and what is subtracted first, as code for floats chooses them."""
    pairs, n = [x * (x - 1) for x in b], max(n, F(3))
    return {"top": pairs.index(max(pairs)), "q": F((2 * sum(x * x for x in b) + n) // (2 * n))}


def _bound(text: str, sizes: Mapping[str, int]) -> int:
    name, _, more = text.partition(".+")
    return (int(name) if name.isdigit() else sizes[name]) + int(more or 0)


def _value(a: Argument, sizes: Mapping[str, int], rng: random.Random) -> Any:
    shape = [_bound(x, sizes) for x in a.bounds]
    if a.kind in ("nat", "phi"):
        return sizes.get(a.name)
    if a.kind == "index":
        return rng.randrange(shape[0])
    if a.kind == "number":
        return F(rng.randint(-4, 9), rng.choice((1, 1, 2, 3))) if a.name != "n" else F(rng.choice((0, 4, 5, 7, 9)))
    if len(shape) == 2:
        rows = [_laws, _counts][a.name == "t"](shape, rng)
        return rows
    if a.name in ("p", "w"):
        return _laws([1, shape[0]], rng)[0]
    if a.name == "c":
        return _counts([1, shape[0]], rng)[0]
    return [F(rng.randint(-3, 6), rng.randint(1, 3)) for _ in range(shape[0])]


def _counts(shape: list[int], rng: random.Random) -> list[list[Fraction]]:
    """A table of counts; rows and classes may be empty."""
    rows = [[F(rng.choice((0, 0, 1, 2, 3, 5, 8))) for _ in range(shape[1])] for _ in range(shape[0])]
    if rng.random() < 0.2:
        rows[rng.randrange(shape[0])] = [F(0)] * shape[1]
    if rng.random() < 0.2:
        empty = rng.randrange(shape[1])
        rows = [[F(0) if k == empty else x for k, x in enumerate(row)] for row in rows]
    return rows


def _laws(shape: list[int], rng: random.Random) -> list[list[Fraction]]:
    """Distributions of small denominators; shares may be 0, and one may be 1."""
    found = []
    for _ in range(shape[0]):
        row = [F(rng.choice((0, 0, 1, 1, 2, 3))) for _ in range(shape[1])]
        row[rng.randrange(shape[1])] += 1
        found.append([x / sum(row) for x in row])
    return found


def _split(total: int, parts: int, rng: random.Random) -> list[Fraction]:
    """Positive totals with a given sum, fewer where the sum is small."""
    parts = min(parts, total)
    cuts = sorted(rng.sample(range(1, total), parts - 1)) if total else []
    return [F(y - x) for x, y in zip([0, *cuts], [*cuts, total], strict=True)] if total else []


def _margins(sizes: dict[str, int], rng: random.Random) -> Given:
    """Positive totals of rows and of classes; of no, one, two, three observations too."""
    n = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 9, 12))
    a, b = _split(n, sizes["r"], rng), _split(n, sizes["K"], rng)
    sizes["r"], sizes["K"] = len(a), len(b)
    multiple, gain = F(lcm(*map(int, a)) * rng.choice((1, 2))), F(rng.randint(0, 5), rng.randint(5, 9))
    return {"a": a, "b": b, "r": len(a), "K": len(b), "d": multiple, "gain": gain}


def _cut(rng: random.Random) -> Given:
    """A cut of two classes: whole numbers, some of them 0."""
    n = rng.randint(2, 9)
    b, m = rng.randint(0, n), rng.randint(1, n - 1)
    numbers = {"n": n, "b": b, "m": m, "rest": n - m, "other": n - b, "distance": rng.randint(-9, 9)}
    return {**{name: F(x) for name, x in numbers.items()}, "d": F(lcm(m, n - m))}


# Goals of Rocq that say what the library's functions give, about the printed definitions themselves.

HEAD = """\
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From splitcrit Require Import defs risk rational.
From {home} Require Import {names}.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
"""


def mirrored(definitions: Iterable[Definition], home: str = "splitcrit") -> str:
    """The list forms of definitions, with the lemmas that tie them to those of generated.v of a home."""
    known = {d.name: d for d in definitions}
    return HEAD.format(home=home, names="generated") + "\n".join(mirror(d, known) for d in known.values())


def goals(definitions: Iterable[Definition], number: int) -> list[str]:
    """That number of goals for each definition; the seed is its name."""
    known = {d.name: d for d in definitions}
    found = []
    for definition in known.values():
        rng = random.Random(definition.name)
        found += [goal(definition, *inputs(definition, rng), known) for _ in range(number)]
    return found


def goal(definition: Definition, given: Mapping[str, Any], value: Fraction, known: Mapping[str, Definition]) -> str:
    """Return one goal with its proof by computation."""
    arguments = arguments_of(definition)
    sizes = {a.name: given[a.name] for a in arguments if a.kind == "nat"}
    said = {a.name: _said(_made_out(a, sizes), given[a.name]) for a in arguments}
    left = applied(definition, said, known)
    lists = " ".join(_listed(_made_out(a, sizes), given[a.name]) for a in arguments if a.kind != "phi")
    name = definition.name.removeprefix("py_")
    for size, is_ in sizes.items():  # the sizes of what stands for phi
        left = left.replace(f"'I_{size} ", f"'I_{is_} ").replace(f"< {size})", f"< {is_})")
    return (
        f"Goal forall R : realFieldType, {left} = qr R {rational(value)}.\n"
        f"Proof. move=> R; refine (@e_{name} R {lists} {rational(value)} _); vm_compute; reflexivity. Qed."
    )


def rational(x: Fraction) -> str:
    """A rational number of Coq's standard library."""
    top = f"(Zpos {x.numerator})" if x > 0 else f"(Zneg {-x.numerator})" if x < 0 else "Z0"
    return f"(Qmake {top} {x.denominator})"


def _made_out(a: Argument, sizes: Mapping[str, int]) -> Argument:
    """An argument with numbers in the place of sizes."""
    return Argument(a.name, a.kind, tuple(str(_bound(text, sizes)) for text in a.bounds))


def _said(a: Argument, value: Any) -> str:
    """An argument of the printed definition."""
    if a.kind == "number":
        return f"(qr R {rational(value)})"
    if a.kind == "phi":
        return CUBES
    return as_family(a, _listed(a, value)) if a.kind == "family" else _listed(a, value)


def _listed(a: Argument, value: Any) -> str:
    """An argument of its list form."""
    if a.kind == "nat":
        return str(value)
    if a.kind == "index":
        return f"(@Ordinal {a.bounds[0]} {value} (erefl true))"
    return _list(value) if a.kind == "family" else rational(value)


def _list(value: Any) -> str:
    parts = [_list(x) if isinstance(x, list) else rational(Fraction(x)) for x in value]
    return f"[:: {'; '.join(parts)}]" if parts else "[::]"


def goals_file(listed: Iterable[str], home: str = "splitcrit") -> str:
    """A file of goals about the definitions of a home."""
    names = "generated.\nFrom scratch Require Import mirrored"
    return HEAD.format(home=home, names=names) + "\n".join(listed) + "\n"


def compiled(folder: Path, proofs: Path, *names: str) -> dict[str, str]:
    """Compile files of a folder beside the proofs, all at the same time; return what each that fails says."""
    command = ["coqc", "-R", str(proofs), "splitcrit", "-R", ".", "scratch", "-w", "-all"]
    running = [
        subprocess.Popen([*command, f"{name}.v"], cwd=folder, stderr=subprocess.PIPE, text=True) for name in names
    ]
    said = [process.communicate()[1] for process in running]
    return {name: text for name, text, process in zip(names, said, running, strict=True) if process.returncode}
