"""Pages of theorems, errata and works: the statements as they stand, the verdicts as a run of the checker gave them.

Main definitions: ``settled`` (the ledger as data), ``shown`` (the formulas), ``pages``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from writing import code, displayed, erratum_label, prose, text, theorem_label, work_label

from splitcrit.atomic_files import write_json
from splitcrit.proof import Premise, Theorem
from splitcrit.proofs import bibliography, cache, catalogue, errata, explain, ledger
from splitcrit.proofs.kernel import of as of_kernel
from splitcrit.proofs.latex import Shown, formulas

Ledger = dict[str, Any]
HEAD = """\
# Theorems

{theorems} theorems, each settled by the checker, and {misses} near-misses, each refuted with a witness. The first word
of a key is its area; `splitcrit explain KEY` shows one theorem in a terminal, `splitcrit verify` settles them anew.
What stands here was written by a run of `splitcrit verify` on the sources of this very version. [What is proved and
what is not](../../trusted-base.md) says what a verdict is worth.

Formulas were printed by running the claims on symbols, counts and shares taken to be positive; at most six of a theorem
are shown, and of several numbers of classes the first. What was settled by enumeration or by enclosures has none.
K is the number of classes, N of observations, J of values of a feature, r of rows.

"""

ERRATA = """\
# Errata

{errors} claims of the papers that the checker refutes as printed, each with the witness that every run computes again,
and a correction that it settles. Most are misprints. Printed statements are in our words; where a few words stand in
quotation marks they are the paper's own. Then {others} points of criticism, which are no errors: claims that are
hedged, or read in one of two ways.
"""
CRITICISM = """
## Criticism

What follows is false if it is read as we do, and no misprint.
"""
UNSETTLED = "not settled in this build; `make docs` settles it"
LOST = """\
The text of this work that we could read has lost its formulas. So these cannot be checked against it, only against the
paper itself: {ids}.
"""


def settled(file: Path, quick: bool = False) -> Ledger:
    """The ledger: of the run kept in ``file`` if it was of these sources, of a new run otherwise.

    A quick build settles nothing: its ledger has statements alone.
    """
    if file.is_file():
        kept: Ledger = json.loads(file.read_text(encoding="utf-8"))
        if kept.get("sources") == cache.sources():
            return kept
    if quick:
        return ledger.as_json(ledger.stated(catalogue.select([]), list(errata.texts())))
    found = ledger.as_json(ledger.ledger(catalogue.select([]), list(errata.texts())))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json(file, found)
    return found


def shown(file: Path, quick: bool = False) -> dict[str, list[Shown]]:
    """The formulas of every theorem, kept in ``file`` while the sources are these; none in a quick build."""
    if file.is_file():
        kept = json.loads(file.read_text(encoding="utf-8"))
        if kept.get("sources") == cache.sources():
            return {
                key: [Shown(**{**x, "given": tuple(x["given"])}) for x in found] for key, found in kept["of"].items()
            }
    if quick:
        return {}
    found = {key: formulas(known.holds) for key, known in catalogue.collect().items()}
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json(file, {"sources": cache.sources(), "of": {key: [*map(asdict, x)] for key, x in found.items()}})
    return found


def pages(done: Ledger, formulas: dict[str, list[Shown]]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    areas: dict[str, list[dict[str, Any]]] = {}
    for entry in done["theorems"]:
        areas.setdefault(entry["key"].partition(".")[0], []).append(entry)
    known = catalogue.collect()
    for area, entries in areas.items():
        told = [theorem(known[e["key"]], e, formulas.get(e["key"], [])) for e in entries if e["key"] in known]
        yield f"theorems/{area}", f"# {area}: {_number(len(told), 'theorem')}\n\n" + "\n".join(told)
    yield "theorems/index", index(areas)
    yield "errata", errata_page(done["errata"])
    yield "bibliography", works()


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def index(areas: dict[str, list[dict[str, Any]]]) -> str:
    """The page that lists every theorem, area by area."""
    entries = [e for found in areas.values() for e in found]
    parts = [HEAD.format(theorems=len(entries), misses=sum(len(e["near_misses"]) for e in entries))]
    for area, found in sorted(areas.items()):
        parts.append(f"## [{area}]({area}.md)\n")
        parts += [f"- {code(e['key'])}: {prose(e['claim'])}" for e in found]
        parts.append("")
    listed = "\n".join(sorted(areas))
    return "\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"])


def theorem(known: Theorem, entry: dict[str, Any], formulas: list[Shown]) -> str:
    """The section of one theorem: statement, formulas, scope, how it was settled, source, near-misses."""
    parts = [f"({theorem_label(known.key)})=\n## {code(known.key)}\n", sentence(known.statement) + "\n"]
    parts += [formula(shown) for shown in formulas]
    word = "Settled" if entry["settled"] else "Open"
    verdict = f"**{word}** by {text(entry['method'])}: {prose(entry['evidence'])}" if entry["evidence"] else UNSETTLED
    told = {
        "Settled for": prose(known.scope_words),
        "Means": verdict + (f"; witness {witness(entry['witness'])}" if entry["witness"] else ""),
        "Kernel-checked": "; ".join(f"{code(x.name)}: {prose(x.says)}" for x in of_kernel(known.key)),
        "Rests on": "; ".join(map(prose, entry["rests_on"])),
        "Premises": "; ".join(map(premise, known.premises)),
        "Hypothesis added": prose(known.added),
        "Source": source(known.source),
        "Corrects": ", ".join(f"{code(found.id)} ({text(found.place)})" for found in explain.misprints(known.key)),
    }
    parts += ["", *(f":{label}: {words}" for label, words in told.items() if words)]
    parts.append("\nNear-misses, all of them false:\n")
    for miss in entry["near_misses"]:
        said = prose(miss["says"]) + (" *(weaker hypothesis)*" if miss["alters"] == "hypothesis" else "")
        refuted = f" *{miss['verdict'].capitalize()}* by {witness(miss['witness'])}" if miss["witness"] else ""
        parts.append(f"1. {said}.{refuted}")
    return "\n".join(parts) + "\n"


def sentence(words: str) -> str:
    """A statement as a sentence."""
    words = words[0].upper() + words[1:] if re.match(r"[a-z]{2,}[ -]", words) else words
    return prose(words.rstrip(".")) + "."


def formula(shown: Shown) -> str:
    """A formula on a line of its own, with what it is shown for and its hypotheses."""
    where = rf"\text{{{shown.where.replace('_', ' ')}:}}\quad " if shown.where else ""
    given = rf"\qquad ({',; '.join(shown.hypotheses).replace(',;', ',')})" if shown.hypotheses else ""
    return displayed(f"{where}{shown.says}{given}")


def witness(words: str) -> str:
    """A witness as code, its fractions as they are read."""
    return code(re.sub(r"Fraction\((-?\d+), (\d+)\)", lambda x: str(Fraction(int(x[1]), int(x[2]))), words))


def premise(told: Premise) -> str:
    """A premise with its kind; another theorem as its key."""
    if told.kind in ("theorem", "kernel"):
        return code(told.text) + (" (kernel-checked)" if told.kind == "kernel" else "")
    return prose(told.text) + (" (our argument)" if told.kind == "hand" else " (cited)")


def source(place: str) -> str:
    """The place a statement comes from, with the key of the work as a link."""
    key = place.replace(",", " ").split()[0]
    return f"{code(key)}{text(place[len(key) :])}" if key in bibliography.entries() else text(place)


def errata_page(outcomes: list[dict[str, Any]]) -> str:
    """The refuted statements in print, work by work."""
    errors, others = ([x for x in outcomes if (x["kind"] == "error") == wanted] for wanted in (True, False))
    parts = [ERRATA.format(errors=len(errors), others=len(others))]
    work = None
    for found in [*errors, *others]:
        if found is (others or [None])[0]:
            parts.append(CRITICISM)
            work = None
        if found["paper"] != work:
            work = found["paper"]
            heading = f"## {work}" if found["kind"] == "error" else f"### {work}, criticism"
            parts.append(f"\n{heading}\n\n{text(bibliography.cited(work))}\n")
            lost = [x["id"] for x in outcomes if x["paper"] == work and not x["at_hand"]]
            if lost and found["kind"] == "error":
                parts.append(LOST.format(ids=", ".join(lost)))
        parts.append(f"({erratum_label(found['id'])})=\n### {found['id']}: {text(found['place'])}\n")
        told = {
            "Printed, in our words": prose(found["printed"]),
            "Printed": f"“{prose(found['quoted'])}”" if found["quoted"] else "",
            "Correction": prose(found["correction"]),
            "Witness": f"{code(found['witness'])} ({found['printed_verdict']} by {text(found['method'])})"
            if found["witness"]
            else "",
            "Correct statement": code(found["theorem"]) if found["theorem"] else "",
        }
        parts += [f":{label}: {words}" for label, words in told.items() if words] + [""]
    return "\n".join(parts)


def works() -> str:
    """The bibliography."""
    parts = ["# Bibliography\n\nThe works that theorems and docstrings cite, by key; from `proofs/references.bib`.\n"]
    for key in sorted(bibliography.entries()):
        parts.append(f"({work_label(key)})=\n## {key}\n\n{text(bibliography.cited(key))}\n")
    return "\n".join(parts)
