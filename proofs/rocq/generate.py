"""The definitions of generated.v, printed by the library's own code objects.

``python -m splitcrit.proofs.rocq.generate`` writes the file; ``--check`` compares it with the one that stands.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from splitcrit.proofs.rocq.definitions import Definition
from splitcrit.proofs.rocq.printed import noise, null_law, shares, tables

FILE = Path(__file__).parent / "generated.v"
HEAD = """\
(* Printed by the code objects of splitcrit: python -m splitcrit.proofs.rocq.generate. Not to be edited. *)
From mathcomp Require Import all_ssreflect all_algebra.
From splitcrit Require Import defs risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section Generated.
Variables (R : realFieldType) (log sqrt exp : R -> R).
"""


def definitions() -> Iterator[Definition]:
    """Yield all definitions, each after those that it calls."""
    for part in (shares, tables, noise, null_law):
        yield from part.definitions()


def text() -> str:
    """Return the file that the code objects print."""
    return "\n".join([HEAD, *(definition.text() for definition in definitions()), "End Generated.\n"])


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(FILE.read_text(encoding="utf-8") != text())
    FILE.write_text(text(), encoding="utf-8")
