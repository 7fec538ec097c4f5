"""What the theorems of Rocq are for all of, and what they assume, as Rocq prints it.

It is kept in ``hypotheses.txt``, which ``make rocq`` compares with what Rocq says, and writes with ``ARGS=--write``.

Main definitions: ``Hypotheses``, ``hypotheses`` (of each theorem), ``hypotheses_of`` (what stands before a
conclusion), ``read`` (that as data).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KEPT = Path(__file__).parent / "hypotheses.txt"
NUMBER = re.compile(r"R|R -> R|Num\.NumDomain\.\w+ R")
CLASSES = re.compile(r"'I_([\w.+]+)(?: -> (?:R|nat|bool))?$")  # the last index of a table, or the labels of a sample
ROWS = {"r", "s", "n", "N", "d.+1"}
OCCURS = r"\(forall \w : ordinal_eqType \w, \(0 < #\|\[pred u \| \w u == \w\]\|\)%N\)"
SIZE = r"(?:defs\.(?:whole|size|node)|\\sum_\w|\(\\sum_\w) .*"
STANDING = re.compile(  # what makes a table one of counts, shares those of a distribution, and a row one that occurs
    r"(?:channels|vertices)\.counts .*|losses\.weights .*|all_sizes\.margin .*|vertex\.(?:nonneg|cube) .*"
    r"|risk\.distribution .*|channels_risk\.on_simplex .*|channels\.rate .*"
    r"|\(forall \w : 'I_\w+(?:\.\+\d)?, (?:vertex\.nonneg \(\w \w\)|0 < \w \w|\w \w != 0|defs\.size \(t i\) != 0)\)"
    rf"|\\sum_k \w k = 1|(\w) 0 \+ \1 1 = 1|{OCCURS}|{SIZE} != 0|0 < {SIZE}|\(0 < {SIZE}\)%N|\([01] < K\)%N"
)


@dataclass(frozen=True)
class Hypotheses:
    """What a statement is for all of, each with its type, and what it assumes."""

    variables: tuple[tuple[str, str], ...]
    premises: tuple[str, ...]

    @property
    def sizes(self) -> tuple[str, ...]:
        """The numbers and finite types that it is for all of."""
        return tuple(name for name, of in self.variables if of in ("nat", "finType"))

    @property
    def numbers(self) -> tuple[str, ...]:
        """The real numbers, and functions of them, that it is for all of."""
        return tuple(name for name, of in self.variables if NUMBER.fullmatch(of))

    @property
    def classes(self) -> int | None:
        """The number of classes where it is fixed: the last index of every table is one of them."""
        sizes = {last[1] for _, of in self.variables if (last := CLASSES.search(of)) and last[1] not in ROWS}
        return int(sizes.pop()) if len(sizes) == 1 and all(x.isdigit() for x in sizes) else None

    def unnamed(self, words: frozenset[str]) -> Iterator[str]:
        """Yield the numbers and premises that speak of what is none of these words."""
        yield from (name for name in self.numbers if name not in words)
        for premise in self.premises:
            terms = [any(part in words for part in name.split("_")) for name in re.findall(r"\b\w+\.(\w+)", premise)]
            numbers = [name in words for name in self.numbers if re.search(rf"\b{name}\b", premise)]
            if not STANDING.fullmatch(premise) and not (any(terms + numbers) and all(terms + numbers)):
                yield premise


@cache
def hypotheses() -> dict[str, Hypotheses]:
    """What each theorem is for all of and assumes, as it was written down when Rocq last said it."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.is_file() else []
    return {name: read(text) for name, _, text in (line.partition(": ") for line in lines)}


def hypotheses_of(statement: str) -> str:
    """The part of a statement before its conclusion.

    Examples
    --------
    >>> hypotheses_of("forall (K : nat) (eta : R), (1 < K)%N -> forall j : 'I_K, 0 < eta -> mean t = 0")
    "forall (K : nat) (eta : R), (1 < K)%N -> forall j : 'I_K, 0 < eta ->"
    """
    rest = conclusion = statement
    while (cut := _first(rest)) is not None:
        begun, rest = rest, rest[cut:].lstrip()
        conclusion = conclusion if begun.startswith("let ") else rest
    return statement.removesuffix(conclusion).rstrip()


def read(text: str) -> Hypotheses:
    """The variables and the premises of what stands before a conclusion.

    Examples
    --------
    >>> read("forall (K : nat) (eta : R), (1 < K)%N -> forall j : 'I_K, 0 < eta ->")
    Hypotheses(variables=(('K', 'nat'), ('eta', 'R'), ('j', "'I_K")), premises=('(1 < K)%N', '0 < eta'))
    """
    variables, premises = list[tuple[str, str]](), list[str]()
    while (cut := _first(text)) is not None:
        part, text = text[:cut].rstrip(), text[cut:].lstrip()
        if part.startswith("forall "):
            for group in _parts(part.removeprefix("forall ").removesuffix(",")):
                names, _, of = group.partition(" : ")
                variables += [(name, of) for name in names.split()]
        elif part.startswith("let "):
            name, _, value = part.removeprefix("let ").removesuffix(" in").partition(" := ")
            text = re.sub(rf"(?<![\w.]){name}(?!\w)", lambda _: value, text)  # noqa: B023
        else:
            premises.append(part.removesuffix("->").rstrip().replace(" (R:=R)", ""))
    return Hypotheses(tuple(variables), tuple(premises))


def _first(text: str) -> int | None:
    """Where the first variables or the first premise of a statement end; None before its conclusion."""
    end = "," if text.startswith("forall ") else " in " if text.startswith("let ") else " -> "
    depth = 0
    for place, letter in enumerate(text + " "):
        depth += (letter in "([{") - (letter in ")]}")
        if not depth and (text + " ").startswith(end, place):
            return place + len(end)
        if not depth and text.startswith(("exists ", " <-> ", " /\\ ", "fun "), place):
            return None
    return None


def _parts(text: str) -> list[str]:
    """The groups of variables: each in parentheses, or the only one without."""
    if not text.startswith("("):
        return [text]
    groups, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        groups[-1] += letter
        if not depth and letter == ")":
            groups.append("")
    return [group.strip()[1:-1] for group in groups if group.strip()]
