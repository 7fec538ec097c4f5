"""The definitions of generated.v and loops.v, printed by the library's own code objects, and the comments of theorems.

``python -m splitcrit.proofs.rocq.generate`` writes the files; ``--check`` compares them with those that stand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from splitcrit.proofs.kernel import COMMENTS, checked
from splitcrit.proofs.rocq.definitions import Definition
from splitcrit.proofs.rocq.printed import loops, noise, null_law, shares, tables

FILE, LOOPS = (Path(__file__).parent / name for name in ("generated.v", "loops.v"))
HEAD = """\
(* Printed by the code objects of splitcrit: python -m splitcrit.proofs.rocq.generate. Not to be edited. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From splitcrit Require Import defs risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section Generated.
Variables (R : realFieldType) (log sqrt exp : R -> R).
"""
HEAD_OF_LOOPS = """\
(* Printed by the source of splitcrit: python -m splitcrit.proofs.rocq.generate. Not to be edited. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint zmodp.
From splitcrit Require Import python.
Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section Loops.
Variables (R : realFieldType) (fillings : seq int -> seq int -> int -> R) (ceil : R -> int).
"""


def definitions() -> Iterator[Definition]:
    """Yield all definitions, each after those that it calls."""
    for part in (shares, tables, noise, null_law):
        yield from part.definitions()


def text() -> str:
    """The file that the code objects print."""
    return "\n".join([HEAD, *(definition.text() for definition in definitions()), "End Generated.\n"])


def text_of_loops() -> str:
    """The file of functions with loops."""
    return "\n".join([HEAD_OF_LOOPS, *(loop.text() for loop in loops.loops()), "End Loops.\n"])


def text_of_comments() -> str:
    """The comments above the listed theorems, which stand in their files of proofs."""
    return json.dumps({x.name: x.comment for x in checked()}, indent=0, ensure_ascii=False) + "\n"


def printed_files() -> dict[Path, str]:
    """The three files, and what the code and the proofs give for them."""
    return {FILE: text(), LOOPS: text_of_loops(), COMMENTS: text_of_comments()}


if __name__ == "__main__":
    for file, printed in printed_files().items():
        if not file.is_file() or file.read_text(encoding="utf-8") != printed:  # else the proofs stand as they are
            if "--check" in sys.argv:
                sys.exit(1)
            file.write_text(printed, encoding="utf-8")
