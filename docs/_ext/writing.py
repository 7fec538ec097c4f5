"""Markdown from data: what is text stays text, what is code stays code, and what names a theorem is a link."""

from __future__ import annotations

import re

# What statements write in ASCII, and what is read.
SIGNS = (
    (r"\btau_pos\b", "τ₊"), (r"\btau_neg\b", "τ₋"), (r"\b(\d*)tau_(\w)\b", r"\1τ_\2"), (r"\b(\d*)eta(\d?)\b", r"\1η\2"),
    (r"\b(\d*)lam\b", r"\1λ"), (r"\balpha\b", "α"), (r"\bbeta\b", "β"), (r"\bphi\b", "φ"), (r"\brho\b", "ρ"),
    (r"\bsigma\b", "σ"), (r"\beps(ilon)?\b", "ε"), (r"\bsqrt(?=[( ])", "√"), (r"<=", "≤"), (r">=", "≥"), (r"!=", "≠"),
    (r"->", "→"), (r"\^2(?![\d/])", "²"), (r"\^3(?![\d/])", "³"), (r"(?<=[\w)])\*(?=[\w(])", "·"), (r" \* ", " · "),
    (r"(?<=[\s(])-(?=[\w(.])", "−"), (r" - ", " − "), (r"\^\+", "⁺"), (r"\^-(?!\d)", "⁻"),
)  # fmt: skip
PUNCTUATION = re.compile(r"([!#$%&*+.:<=>@\[\\\]^_`{|}~-])")  # what may be markup


def text(words: str) -> str:
    """Words of which no character is taken for markup, on one line."""
    return PUNCTUATION.sub(r"\\\1", " ".join(str(words).split()))


def prose(words: str) -> str:
    """Words whose formulas were written in ASCII as they are read, on one line.

    Examples
    --------
    >>> prose("eta <= 1/2, and 4eta^2 - tau_pos")
    'η ≤ 1/2, and 4η² − τ₊'
    """
    words = str(words)
    for ascii_, sign in SIGNS:
        words = re.sub(ascii_, sign, words)
    return text(words)


def code(words: str) -> str:
    """Words as inline code, whatever backquotes they hold."""
    words = " ".join(str(words).split())
    fence = "`" * (max(map(len, re.findall(r"`+", words)), default=0) + 1)
    space = " " if "`" in words else ""
    return f"{fence}{space}{words}{space}{fence}"


def cell(words: str) -> str:
    """Markdown as the cell of a table."""
    return words.replace("|", "\\|").replace("\n", " ")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table whose cells are Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines)


def displayed(latex: str) -> str:
    """A formula on a line of its own."""
    return f"\n```{{math}}\n{latex}\n```\n"


def theorem_label(key: str) -> str:
    """The label under which a theorem stands."""
    return f"theorem-{key}".lower()


def erratum_label(name: str) -> str:
    """The label under which an erratum stands."""
    return f"erratum-{name}".lower()


def work_label(key: str) -> str:
    """The label under which a work stands in the bibliography."""
    return f"work-{key}".lower()
