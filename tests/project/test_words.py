"""Words: the standard terms of the field stand in the project, and no words of our own for them.

The patterns are put together here so that this file does not hold what it looks for.
"""

from __future__ import annotations

import re
from pathlib import Path

from tracked import tracked

ROOT = Path(__file__).parents[2]
PLACES = ("splitcrit", "proofs", "tests", "docs/*.md", "docs/_ext", "docs/conf.py", "README.md",
          "CONTRIBUTING.md", "benchmarks", "notebooks", "tools")  # fmt: skip
OURS = (
    "fac" + "es?", "doo" + "rs?", "roo" + "ms", "(?:a|the|this|that|each|every|which|own) roo" + "m", "win" + "gs?",
    "hou" + "se", "anno" + "unc(?:e|es|ed|ing|ements?)", "he" + "fts?", "lan" + "es?", "ball" + "ots?", "gro" + "ves?",
    "tee" + "th", "spi" + "kes?", "car" + "ds?", "tw" + "ins?", "who is bo" + "rn", "so ma" + "ny", "does not d" + "o",
    "do not d" + "o",
)  # fmt: skip
WORD = re.compile(rf"(?<![^\W_])(?:{'|'.join(OURS)})(?![^\W_])", re.IGNORECASE)


def files() -> list[str]:
    """The text files of the places that git tracks."""
    kept = [name for name in tracked(*PLACES) if name.endswith((".py", ".md", ".ipynb", ".toml"))]
    return [name for name in kept if not name.startswith("splitcrit/proofs")]


PICTURE = re.compile(r'"image/png": "[^"]*"')  # of a notebook: letters at random


def found(name: str) -> list[str]:
    """Where the words stand in a file."""
    lines = PICTURE.sub("", (ROOT / name).read_text(encoding="utf-8")).splitlines()
    return [f"{name}:{i}: {hit[0]}" for i, line in enumerate(lines, 1) if (hit := WORD.search(line))]


def test_the_pattern_sees_words_of_ours_and_no_others() -> None:
    seen = ["the fac" + "e", "fac" + "e_scores", "of_the_doo" + "r", "Car" + "ds", "each roo" + "m", "anno" + "unced"]
    assert [text for text in seen if not WORD.search(text)] == []
    others = ["surface", "interface", "wildcard", "cardinality", "make room", "lanette", "growing", "housing", "twine"]
    assert [text for text in others if WORD.search(text)] == []


def test_the_words_are_standard() -> None:
    assert [line for name in files() for line in found(name)] == []


MANNERED = re.compile(  # mannerisms of ours, which a native editor strikes out
    r"Return (?:what|how|whether|where|which) |\b(?:is|are) (?:to"
    r"ld|as"
    r"ked|sa"
    r"id) |\bof a ma"
    r"ker\b|\bthere is no"
    r"ne\b|\bas far as (?:its|they)\b|\bof one's o"
    r"wn\b|\btells? n"
    r"othing\b|\btelling f"
    r"eature|(?-i:\bwhat is n"
    r"o\b)|\bfor t"
    r"o [a-z]|, sa"
    r"y(?=[.:;,)\"'`]|$)", re.I,
)  # fmt: skip
PAST = {"docs/coverage.md"}  # statements of theorems


def test_the_sentences_are_plain_english() -> None:
    told = [
        f"{name}:{i}: {hit[0]}"
        for name in files()
        if name.startswith(("splitcrit", "docs", "README", "CONTRIBUTING")) and name not in PAST
        for i, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
        if (hit := MANNERED.search(line))
    ]
    assert told == []
    ours = [
        "Return wh" + "at is found",
        "of one's o" + "wn",
        "tells n" + "othing",
        "pass 2, sa" + "y",
        "wh" + "at is no text",
    ]
    assert all(MANNERED.search(words) for words in ours)
    plain = ["Return the number of samples", "say why", "for the rest", "nothing is lost", "what is not counted"]
    assert not any(MANNERED.search(words) for words in plain)
