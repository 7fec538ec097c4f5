"""The page of what Rocq's kernel checks: every theorem, what it says, and the function that it is about."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from writing import code, prose

from splitcrit.proofs.kernel import Checked, checked

HEAD = """\
# What Rocq's kernel checks

{count} theorems, {printed} of them about definitions that the code objects of the library print, the others about
definitions written by hand. [How they are tied to the code](../kernel-checked.md), and how to check them yourself.
"""


def page() -> str:
    """Return the page, a section for each file of proofs."""
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
