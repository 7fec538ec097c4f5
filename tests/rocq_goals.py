"""Goals of Rocq that say what the library's functions give, about the printed definitions themselves.

A goal reads ``py_gini (fun k : 'I_3 => qr R (nth (qnat 0) [:: 1/2; 1/3; 1/6] k)) = qr R (11/18)`` in every ordered
field ``R``, with ``qr`` the embedding of the rationals of Coq's standard library, and the right side what Python
returned for these Fractions. Its proof computes: ``vm_compute`` evaluates the list form of the definition (``qvalue``)
and compares it with the right side; the lemma ``e_gini`` (``splitcrit.proofs.rocq.data``) carries this over to the
printed definition with ``\\sum``. Nothing else connects the two, and the kernel checks all of it.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rocq_inputs import inputs
from splitcrit.proofs.rocq.data import CUBES, Argument, applied, arguments_of, as_family, mirror
from splitcrit.proofs.rocq.definitions import Definition

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
    """Return the list forms of definitions, with the lemmas that tie them to those of generated.v of a home."""
    known = {d.name: d for d in definitions}
    return HEAD.format(home=home, names="generated") + "\n".join(mirror(d, known) for d in known.values())


def goals(definitions: Iterable[Definition], number: int) -> list[str]:
    """Return that number of goals for each definition; the seed is its name."""
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
    """Return a rational number of Coq's standard library."""
    top = f"(Zpos {x.numerator})" if x > 0 else f"(Zneg {-x.numerator})" if x < 0 else "Z0"
    return f"(Qmake {top} {x.denominator})"


def _made_out(a: Argument, sizes: Mapping[str, int]) -> Argument:
    """Return an argument with numbers in the place of sizes."""

    def bound(text: str) -> str:
        name, _, more = text.partition(".+")
        return str((int(name) if name.isdigit() else sizes[name]) + int(more or 0))

    return Argument(a.name, a.kind, tuple(map(bound, a.bounds)))


def _said(a: Argument, value: Any) -> str:
    """Return an argument of the printed definition."""
    if a.kind == "number":
        return f"(qr R {rational(value)})"
    if a.kind == "phi":
        return CUBES
    return as_family(a, _listed(a, value)) if a.kind == "family" else _listed(a, value)


def _listed(a: Argument, value: Any) -> str:
    """Return an argument of its list form."""
    if a.kind == "nat":
        return str(value)
    if a.kind == "index":
        return f"(@Ordinal {a.bounds[0]} {value} (erefl true))"
    return _list(value) if a.kind == "family" else rational(value)


def _list(value: Any) -> str:
    parts = [_list(x) if isinstance(x, list) else rational(Fraction(x)) for x in value]
    return f"[:: {'; '.join(parts)}]" if parts else "[::]"


def goals_file(listed: Iterable[str], home: str = "splitcrit") -> str:
    """Return a file of goals about the definitions of a home."""
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
