"""What Rocq's kernel checks: a page of its theorems, and a table of statements that a theorem takes to all sizes.

Main definitions: ``page``, ``widened``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from writing import code, prose, table, text

from splitcrit.proofs import catalogue
from splitcrit.proofs.kernel import Checked, checked

HEAD = """\
# What Rocq's kernel checks

{count} theorems, {printed} of them about definitions that the code objects of the library print, the others about
definitions written by hand. [How they are tied to the code](../kernel-checked.md), and how to check them yourself.
"""


def page() -> str:
    """The page, a section for each file of proofs."""
    found = checked()
    parts = [HEAD.format(count=len(found), printed=sum(x.printed for x in found))]
    for file, listed in groupby(found, key=lambda x: x.file):
        parts += [f"## {code(file + '.v')}\n", *lines(listed), ""]
    return "\n".join(parts)


def lines(listed: Iterator[Checked]) -> Iterator[str]:
    """Yield a line of the list for each theorem."""
    for x in listed:
        by = "" if x.printed else " (definition by hand)"
        keys = f"; {', '.join(map(code, x.keys))}" if x.keys else ""
        yield f"- {code(x.name)}: {prose(x.says)}. About {code(x.function)}{by}{keys}"


def widened() -> str:
    """A table of the statements that are enumerated at small sizes and that theorems take to all sizes."""
    rows = []
    for key, theorem in catalogue.collect().items():
        tried = [b.partition(": ")[2] for b in theorem.basis if b.startswith("enumerated")]
        wider = [premise for premise in theorem.premises if premise.widens]
        if tried and wider and {premise.kind for premise in wider} <= {"kernel", "theorem"}:
            axes = dict.fromkeys(extent.words(axis) for x in wider for axis, extent in x.widens.items())
            cells = ", ".join(code(premise.text) for premise in wider)
            rows.append([code(key), text("; ".join(tried)), text(", ".join(axes)), cells])
    return table(["statement", "enumerated", "holds for", "by"], rows) + "\n"
