"""The theorems that are listed, and whether each says what the list says: it stands there, and is about printed code.

A key of the ledger stands with a theorem that says it, or a part of it. What the statement is for all of, and what it
assumes, is compared with the key: of all classes is no theorem about two; each number, and each hypothesis that is more
than that tables hold counts and distributions sum to 1, is one that the key names, or stands in ``besides`` with the
reason; both are about the same things, in words; and a premise that widens a theorem is listed for it.

A key is no neighbour's: of the keys that a theorem could stand with, it speaks most of its own, in names, hypotheses,
functions and conclusion.

Main definitions: ``mistakes`` (before anything is compiled), ``about_printed`` (of what Rocq prints).
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from splitcrit.proofs import catalogue
from splitcrit.proofs.catalogue import subjects, text_of
from splitcrit.proofs.kernel import FOLDER, Checked, checked, meanings
from splitcrit.proofs.rocq.hypotheses import Hypotheses, hypotheses
from splitcrit.proofs.rocq.nearest import explained, functions, nearness

SIZED = re.compile(r"#\|\w+\| =|\([1-9] <=? #|\([2-9] <")  # of some sizes only
OF_AXIS = {"N": {"T", "n", "O"}, "J": {"r"}, "m": {"T"}, "n": {"T", "Omega"}}  # what Rocq calls what is counted by
OF_TYPE = {  # or the type of what has every such size: trees, lists, tables of any counts, rates
    "splits": "hierarchy.tree ", "depth": "hierarchy.grown_tree ", "cells": "seq ", "l": "seq ", "N": "seq |-> R$",
    "eta": "R$", "r": "weighed_tree ", "leaves": "grown_node$",
}  # fmt: skip
PRINTED = ("generated", "loops")  # the files that are printed
IMPORTED = re.compile(r"^From splitcrit Require Import ([^.]+)\.", re.MULTILINE)
DEFINED = re.compile(r"^(?:Local )?(?:Definition|Fixpoint|Let|Notation) (?P<name>\w+)(?P<body>.*?)\.\s*$", re.M | re.S)


def mistakes(listed: Sequence[Checked] | None = None) -> Iterator[str]:
    """Yield what the list says that is not so, as far as it is seen without compiling."""
    names: set[str] = set()
    for theorem in checked() if listed is None else listed:
        if theorem.name in names:
            yield f"theorems.toml lists {theorem.name} twice"
        names.add(theorem.name)
        source = theorem.source.read_text(encoding="utf-8") if theorem.source.is_file() else ""
        if not re.search(rf"^Theorem {theorem.name}\b", source, re.MULTILINE):
            yield f"theorems.toml lists what stands nowhere: {theorem.name} in {theorem.file}.v"
        if theorem.instance and not re.search(rf"^Example {theorem.instance}\b", source, re.MULTILINE):
            yield f"theorems.toml lists an instance that stands nowhere: {theorem.instance} in {theorem.file}.v"
        yield from of_keys(theorem)
        yield from of_neighbours(theorem)
        if not exists(theorem.function):
            yield f"theorems.toml names no function of the library: {theorem.function}, of {theorem.name}"
    if listed is None:
        yield from unlisted()


def of_keys(theorem: Checked) -> Iterator[str]:
    """Yield what the keys of a listed theorem say and its statement does not, or the other way round."""
    if theorem.name not in hypotheses():
        return
    known, stated = catalogue.collect(), hypotheses()[theorem.name]
    explained = dict(theorem.besides)
    for key in (key for key in theorem.keys if key in known):
        classes = known[key].settled_for["K"]
        if classes is not None and classes.everything and (stated.classes or not stated.sizes):
            of = f"of {stated.classes} classes" if stated.classes else "of fixed sizes"
            yield f"{theorem.name} is {of}, and its key {key} of {classes.words('K')}"
        if classes is not None and stated.classes and stated.classes not in classes:
            yield f"{theorem.name} is of {stated.classes} classes, and its key {key} of {classes.words('K')}"
        for x in stated.unnamed(words(key)):
            if x not in explained:
                yield f"{theorem.name} speaks of {x}, and its key {key} does not: say why in besides"
        shared = subjects(f"{theorem.name} {theorem.says} {theorem.function}") & subjects(text_of(known[key]))
        if len(shared) < 2 and "words" not in explained:
            yield f"{theorem.name} and its key {key} share few words: say in besides that they are about the same"
        for premise in known[key].premises:
            of_all = stated.sizes or any(sized(axis, stated) for axis in premise.widens)
            if premise.text == theorem.name and premise.widens and not of_all:
                yield f"{theorem.name} widens {key}, and its statement has no size that is a variable"
    speaks = {x for key in theorem.keys if key in known for x in stated.unnamed(words(key))}
    for x in explained.keys() - speaks - {"words"}:
        yield f"besides of {theorem.name} explains {x}, of which it does not speak, or its keys do"
    yield from _whole(theorem, stated)


def of_neighbours(theorem: Checked) -> Iterator[str]:
    """Yield what says that a key of a listed theorem was exchanged for that of a neighbour.

    The ledger says for which of its theorems it takes one of Rocq. Of the others a theorem is listed for the key that
    it speaks of most, among those that it could stand with; where it is listed for more, or for another, ``nearest``
    says why.
    """
    known, near = catalogue.collect(), nearness(theorem)
    mine, theirs = (
        functions(re.sub("^py_", "", theorem.name)),
        functions(" ".join((theorem.name, theorem.function, theorem.says, theorem.states))),
    )
    taken = {key for key, x in known.items() for p in x.premises if (p.kind, p.text) == ("kernel", theorem.name)}
    yield from (f"{theorem.name} is a premise of {key}, which is none of its keys" for key in taken - {*theorem.keys})
    yield from (f"{theorem.name} lists {key} twice" for key, n in Counter(theorem.keys).items() if n > 1)

    def other(key: str) -> frozenset[str]:
        """The functions in the name of a key, if the theorem is named for functions and speaks of none of them."""
        names = functions(key)
        return names if mine and not names & theirs else frozenset()

    def stands(key: str) -> bool:
        """Whether a theorem could be listed for a key, by what is seen of their hypotheses and sizes."""
        alone = of_keys(replace(theorem, keys=(key,), whole=()))
        return not other(key) and all(x.startswith("besides of") for x in alone)

    first = sorted(near, key=near.__getitem__, reverse=True)
    for key in (key for key in theorem.keys if key in known and key not in taken):
        if names := other(key):
            yield f"{theorem.name} speaks of {', '.join(sorted(mine))}, and its key {key} of {', '.join(sorted(names))}"
        nearer = (x for x in first if near[x] > near.get(key, 0.0) and x not in theorem.keys)
        rival, reason = next(filter(stands, nearer), None), (theorem.name, key) in explained()
        if rival and not reason:
            yield f"{theorem.name} speaks more of {rival} than of its key {key}: correct it, or say why in nearest.toml"
        if reason and not rival:
            yield f"nearest.toml explains {key} of {theorem.name}, to which no other is nearer"
    for name, key in explained():
        if name == theorem.name and key not in theorem.keys:
            yield f"nearest.toml explains {key}, which is none of the keys of {name}"


def _whole(theorem: Checked, stated: Hypotheses) -> Iterator[str]:
    """Yield why a listed theorem is not the whole of a key that it is said to be the whole of."""
    for key in theorem.whole:
        if key not in theorem.keys:
            yield f"{theorem.name} is said to be the whole of {key}, which is none of its keys"
            continue
        scope = catalogue.collect()[key].settled_for
        for axis, extent in scope.extents.items():
            if extent.everything and not sized(axis, stated):
                yield f"{theorem.name} is not for all {axis}, and not the whole of {key}"
        if stated.classes and (scope["K"] is not None and scope["K"].values != (stated.classes,)):
            yield f"{theorem.name} is of {stated.classes} classes, and not the whole of {key}"
        yield from (
            f"{theorem.name} assumes {x}, and is not the whole of {key}" for x in stated.premises if SIZED.search(x)
        )


def sized(axis: str, stated: Hypotheses) -> bool:
    """Whether a statement is for all sizes of an axis: of a variable, or of all trees, lists or tables."""
    if OF_AXIS.get(axis, {axis}) & set(stated.sizes):
        return True
    return axis in OF_TYPE and any(re.search(OF_TYPE[axis], of) for _, of in stated.variables)


@cache
def words(key: str) -> frozenset[str]:
    """The words of a theorem of the ledger: its key and statement, what was added, and its variables."""
    theorem = catalogue.collect()[key]
    text = " ".join((text_of(theorem), *theorem.holds.scope().variables))
    spoken = re.findall(r"[a-z]+|[A-Z]", text.replace("_", " ")) + re.findall(r"\w+", text)
    return frozenset(spoken) | {word.removesuffix("s") for word in spoken} | frozenset(meanings())


def unlisted() -> Iterator[str]:
    """Yield the theorems that a premise of Rocq widens without being listed for them."""
    listed = {(theorem.name, key) for theorem in checked() for key in theorem.keys}
    for key, theorem in catalogue.collect().items():
        for premise in theorem.premises:
            if premise.kind == "kernel" and premise.widens and (premise.text, key) not in listed:
                yield f"{premise.text} widens {key}, which theorems.toml does not list for it"


def exists(dotted: str) -> bool:
    """Whether a dotted name is that of something in the library."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: Any = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


def about_printed(statement: str) -> bool:
    """Whether a statement speaks of a printed definition, by name or by way of a definition that does.

    ``statement`` is what ``Check`` prints where no notation is known: every name with the file that it stands in.
    """
    names = set(re.findall(r"\b(\w+)\.(\w+)", statement))
    return any(file in PRINTED and name.startswith("py_") for file, name in names) or bool(names & by_way())


@cache
def by_way() -> frozenset[tuple[str, str]]:
    """The definitions of the proofs, as (file, name), in whose text a printed definition occurs."""
    every = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.v")}
    files = {file: text for file, text in every.items() if file not in PRINTED}
    names = {
        name for file in PRINTED for name in re.findall(r"^(?:Definition|Fixpoint) (\w+)", every[file], re.MULTILINE)
    }
    texts = {
        (file, definition["name"]): definition["body"]
        for file, text in files.items()
        for definition in DEFINED.finditer(text)
    }
    seen = {file: [file, *reversed(" ".join(IMPORTED.findall(text)).split())] for file, text in files.items()}

    def meant(word: str, file: str) -> tuple[str, str] | None:
        """The definition that a word of a file is: its own, or that of the last file imported that has one."""
        return next(((other, word) for other in seen[file] if (other, word) in texts), None)

    called = {place: {meant(word, place[0]) for word in re.findall(r"\w+", body)} for place, body in texts.items()}
    known = {place for place, body in texts.items() if names & set(re.findall(r"\bpy_\w+", body))}
    while more := {place for place, others in called.items() if others & known} - known:
        known |= more
    return frozenset(known)
