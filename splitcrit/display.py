"""How values show themselves: on one line, and in a notebook as a table of HTML without scripts.

Main definitions: ``shortened`` (the call that makes a frozen value, long parts cut; used as ``__repr__``), ``summary``
(some of what it knows), ``html_table``, ``described`` (its parts as such a table; used as ``_repr_html_``), ``aligned``
(a table of text); ``visible_name`` and ``plot_label`` (a name of the user's in a line of text, or in a picture).
"""

from __future__ import annotations

import dataclasses
import re
import reprlib
from collections.abc import Container, Iterable, Sequence
from enum import Enum
from html import escape
from itertools import islice
from numbers import Number, Rational, Real
from typing import Any

from splitcrit.frozen import visible

WIDE = 60  # characters of a part
NAME = 80  # characters of a name in text
LABEL = 60  # and in a picture
CELL = 1000  # of a cell of HTML
FEW = 6  # entries of an array that are all shown
DEEP = 50  # rows of a table of HTML
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
UNTOLD: Any = object.__repr__  # an address
RIGHT = ' style="text-align: right"'


class _Brief(reprlib.Repr):
    """Cuts long values; shows arrays by type and shape, functions by name, nothing by its address."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = WIDE
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = FEW

    def repr1(self, x: Any, level: int) -> str:
        if isinstance(x, Number) and hasattr(x, "item"):
            return super().repr1(x.item(), level)
        if hasattr(x, "dtype") and getattr(x, "shape", False):
            if type(x).__name__ == "ndarray" and x.ndim == 1 and x.size <= FEW:
                return f"array({self.repr1(x.tolist(), level)})"
            return f"<{x.dtype} array {tuple(x.shape)}>"
        return super().repr1(x, level)

    def repr_instance(self, x: Any, level: int) -> str:
        if callable(x) and hasattr(x, "__qualname__"):
            return str(x.__qualname__)
        if type(x).__repr__ is UNTOLD:
            return f"<{type(x).__name__}>"
        return _cut(ADDRESS.sub("", " ".join(repr(x).split())))


_BRIEF = _Brief()


def _cut(words: str) -> str:
    return words if len(words) <= WIDE else f"{words[: WIDE - 4]} ..."


def brief(value: Any) -> str:
    """The text of a value, cut to one short line.

    Examples
    --------
    >>> import numpy as np
    >>> brief(np.zeros((20, 3))), brief(list(range(99))), brief("a" * 99)[:5]
    ('<float64 array (20, 3)>', '[0, 1, 2, 3, 4, 5, ...]', "'aaaa")
    """
    return _cut(_BRIEF.repr(value)) if not isinstance(value, str) else _BRIEF.repr(value)


def _parts(value: Any) -> list[tuple[str, Any]]:
    """The names and the parts of a value; of options, which all have a default, those that differ from it."""
    parts = [(part, _default(part)) for part in dataclasses.fields(value) if part.repr]
    options = all(default is not dataclasses.MISSING for _, default in parts)
    fields = [(part.name, default, getattr(value, part.name)) for part, default in parts]
    return [(name, own) for name, default, own in fields if not (options and own == default)]


def _default(part: dataclasses.Field[Any]) -> Any:
    return part.default if part.default_factory is dataclasses.MISSING else part.default_factory()


def shortened(value: Any) -> str:
    """The call that makes a value of a frozen class, its long parts cut; used as ``__repr__``.

    Examples
    --------
    >>> from splitcrit.trees.growth import Stopping
    >>> Stopping(max_depth=3)
    Stopping(max_depth=3)
    """
    return f"{type(value).__name__}({', '.join(f'{name}={brief(part)}' for name, part in _parts(value))})"


def summary(value: Any, **fields: Any) -> str:
    """The class of a value and some of what it knows.

    Examples
    --------
    >>> summary([], rows=3, name="a")
    "<list: rows=3, name='a'>"
    """
    return f"<{type(value).__name__}: {', '.join(f'{name}={brief(part)}' for name, part in fields.items())}>"


def many(number: int, noun: str) -> str:
    """A number with its noun, which ends in s unless there is one.

    Examples
    --------
    >>> many(1, "tree"), many(0, "tree")
    ('1 tree', '0 trees')
    """
    return f"{number} {noun}{'s' * (number != 1)}"


def visible_name(name: object) -> str:
    """A name that the library did not choose as it stands in text: safe to print, and not long.

    Examples
    --------
    >>> print(visible_name("dose\\x1b[2J"), len(visible_name("a" * 9999)))
    dose\\x1b[2J 80
    """
    return visible(name, NAME)


def plot_label(name: object, most: int = LABEL) -> str:
    """Such a name as matplotlib shows it and nothing else: a dollar sign begins no formula.

    Examples
    --------
    >>> print(plot_label("cost_{$"))
    cost_{\\$
    """
    return visible(name, most).replace("$", r"\$")


def aligned(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Rows of texts as lines, cells below one another: at the left of their columns, or at the right of others.

    Cells are printed as names are.

    Examples
    --------
    >>> aligned([["x", "n"], ["word", "12"]], left=(0,))
    ['x      n', 'word  12']
    """
    rows = [list(map(visible_name, row)) for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    placed = (map(str.ljust if i in left else str.rjust, column, [wide[i]] * len(rows))
              for i, column in enumerate(zip(*rows, strict=True)))  # fmt: skip
    return ["  ".join(row).rstrip() for row in zip(*placed, strict=True)]


def html_table(
    heads: Sequence[Any], rows: Iterable[Sequence[Any]], *, foot: Sequence[Any] = (), notes: Iterable[str] = ()
) -> str:
    """A table of HTML: text stays text, numbers have four digits, the first cell of a row is its name.

    Examples
    --------
    >>> html_table(["feature", "score"], [["<b>", 0.123456]]).partition("<tbody>")[2]
    '<tr><th>&lt;b&gt;</th><td style="text-align: right">0.1235</td></tr></tbody></table>'
    """
    waiting = iter(rows)
    body = "".join(map(_row, islice(waiting, DEEP)))
    more = [f"and {left} more"] if (left := sum(1 for _ in waiting)) else []
    head = "".join(f"<th>{escape(visible(name, CELL))}</th>" for name in heads)
    last = f"<tfoot>{_row(foot)}</tfoot>" if foot else ""
    below = "".join(f"<p>{escape(visible(note))}</p>" for note in [*more, *notes])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody>{last}</table>{below}"


def _row(cells: Sequence[Any]) -> str:
    return f"<tr>{_cell(cells[0], 'th')}{''.join(map(_cell, cells[1:]))}</tr>"


def _cell(value: Any, tag: str = "td") -> str:
    number = isinstance(value, Number) and not isinstance(value, bool)
    words = f"{value:.4g}" if isinstance(value, Real) and not isinstance(value, Rational) else str(value)
    shown = "" if value is None else visible(words, CELL)
    return f"<{tag}{RIGHT if number and tag == 'td' else ''}>{escape(shown)}</{tag}>"


def described(value: Any) -> str:
    """The parts of a value of a frozen class as a table of HTML; used as ``_repr_html_``.

    Examples
    --------
    >>> from splitcrit import gini_null
    >>> "<th>variance</th>" in described(gini_null([2, 2], [2, 1, 1]))
    True
    """
    fields = [(name, part.value if isinstance(part, Enum) else part) for name, part in _parts(value)]
    rows = [(name, part if isinstance(part, Number | str | None) else brief(part)) for name, part in fields]
    return html_table(["", type(value).__name__], rows)
