"""Names that the library did not choose, and what of them a terminal or a browser obeys."""

from __future__ import annotations

NAMES = [
    "\x1b]0;owned\x07\x1b[2J\x9b31m\x00two\nlines\r\u2028\u202egnp.exe", "cost_{$", "a$^$ $x b$", r"\$5 $\frac{$",
    "{name} {0} %s", "</td><script>alert(1)</script>&lt;b&gt;", "x" * 9_990, "$" * 99,
]  # fmt: skip
LINE = 2500  # characters of ours: some names, each cut


def bad(text: str, most: float = LINE) -> list[str]:
    """What a text hands on: characters that do not print, and lines without end."""
    found = [repr(c) for c in dict.fromkeys(text) if not (c.isprintable() or c == "\n")]
    return found + [f"{len(line)} characters" for line in text.split("\n") if len(line) > most]
