"""The table of mutants by subpackage, and the page of the documentation that shows it.

Main definitions: ``Row``, ``rows``, ``table``, ``page``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tools.mutation.judging import Judgement
from tools.mutation.operators import Mutant
from tools.mutation.results import Explanation

HEAD = (
    "subpackage",
    "mutants",
    "killed by its own tests",
    "by slow tests only",
    "by theorems only",
    "equivalent",
    "survived",
    "own tests kill",
)
Judged = list[tuple[str, Mutant, Judgement]]  # with the name of the area


@dataclass(frozen=True)
class Row:
    """The counts of one area."""

    area: str
    own: int = 0
    slow: int = 0
    theorem: int = 0
    equivalent: int = 0
    survived: int = 0

    @property
    def mutants(self) -> int:
        """All mutants."""
        return self.own + self.slow + self.theorem + self.equivalent + self.survived

    def cells(self) -> list[str]:
        """The row as it is printed; the last cell is how much of what is not equivalent the area's own tests kill."""
        real = self.mutants - self.equivalent
        part = f"{100 * (self.own + self.slow) / real:.0f} %" if real else "-"
        counts = (self.mutants, self.own, self.slow, self.theorem, self.equivalent, self.survived)
        return [self.area, *map(str, counts), part]


def verdict(mutant: Mutant, judgement: Judgement, explained: list[Explanation]) -> str:
    """The column in which a mutant counts; one that theorems kill is not equivalent, whatever is said of it."""
    if judgement.outcome != "survived":
        return judgement.outcome
    return "equivalent" if any(e.kind == "equivalent" and e.fits(mutant) for e in explained) else "survived"


def rows(judged: Judged, explained: list[Explanation]) -> list[Row]:
    """One row for each area, in the order of the areas, and one for all of them."""
    counts: dict[str, dict[str, int]] = {}
    for area, mutant, judgement in judged:
        for name in (area, "all"):
            row = counts.setdefault(name, {})
            column = verdict(mutant, judgement, explained)
            row[column] = row.get(column, 0) + 1
    whole = counts.pop("all", {})
    return [*(Row(area, **count) for area, count in counts.items()), Row("**all**", **whole)]


def table(lines: Iterable[Row]) -> str:
    """The rows as a table in Markdown."""
    cell_rows = [list(HEAD), ["---", *["---:"] * (len(HEAD) - 1)], *(row.cells() for row in lines)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in cell_rows)


def tiers(judged: Judged) -> str:
    """By area as CSV: how many mutants the tests of ``make test`` kill, how many only those that it leaves out."""
    lines = ["subpackage,mutants,killed_by_make_test,killed_by_slow_tests_only,survived,kept_percent"]
    for area in dict.fromkeys(area for area, _, _ in judged):
        outcomes = [judgement.outcome for name, _, judgement in judged if name == area]
        fast, slow = outcomes.count("own"), outcomes.count("slow")
        percent = f"{100 * fast / (fast + slow):.0f}" if fast + slow else ""
        lines.append(f"{area},{len(outcomes)},{fast},{slow},{outcomes.count('survived')},{percent}")
    return "\n".join(lines)


def survivors(judged: Judged, explained: list[Explanation]) -> list[str]:
    """What no test of its own kills, one by one, with what is said of it."""
    items = []
    for _, mutant, judgement in judged:
        if judgement.outcome == "own":
            continue
        explanation = next((e for e in explained if e.fits(mutant)), None)
        why = f"{explanation.kind}: {explanation.why}" if explanation else "not explained"
        why = f"killed by the theorem `{judgement.by}`" if judgement.outcome == "theorem" else why
        why = f"killed by the slow test `{judgement.by}`" if judgement.outcome == "slow" else why
        place = f"`{mutant.path.removeprefix('splitcrit/')}`" + (f", `{mutant.function}`" if mutant.function else "")
        items.append(f"- {place}: `{mutant.was}` → `{mutant.becomes}`. {why[0].upper()}{why[1:].rstrip('.')}.")
    return items


PAGE = """# Mutants

A mutant is the package with one small change: `<` for `<=`, a constant one larger, a statement left out. A test that
fails on it kills it. What no test kills shows where the tests are blind. `make mutants` draws mutants of every
subpackage, in proportion to its lines of code and at least {least} of each, and judges each by the tests of its own
subpackage only: the folder in `tests` of the same name, the file in `tests/laws` that carries its name,
`tests/contract`, and the examples in its docstrings; for the modules of the package itself, which are no subpackage,
the test files beside those folders and `tests/throughout`. {drawing} {judging}

This table was written on {date} at commit `{commit}`, with seed {seed}; {judged} of {drawn} mutants drawn are judged.

{table}

{manner} Left alone are {left_out}. A mutant that changes nothing a
user can see is equivalent, which is a judgement, so each is listed below with its reason.

## What the subpackage's own tests do not kill

{survivors}
"""
DRAWING = {
    False: "Every operator draws: comparisons, signs, constants, statements left out.",
    True: "Only slips that people make are drawn: arguments or sides exchanged, a unit or a normalisation dropped, a "
    "tie turned around, another text, a guard deleted.",
}
JUDGING = {
    "all": "Where these pass, the theorems that reach the changed lines are settled.",
    "fast": "Those of `make test` go first, then the slow ones; theorems are not asked.",
}
LEFT_OUT = (
    "annotations, texts and messages, `__repr__` and `__str__`, decorators, assertions, what only type checkers read, "
    "arguments that choose how a picture looks, and the arguments `strict` and `stacklevel`"
)


def page(judged: Judged, explained: list[Explanation], about: dict[str, object]) -> str:
    """The page of the documentation; ``about`` holds the date, commit, seed, least number, slips and tier."""
    ways = {"failed": "by a test that fails", "time": "by a test that takes more than ten times as long and 20 s",
            "import": "by an import that fails", "crash": "by a crash"}  # fmt: skip
    counts = {how: sum(j.how == how for _, _, j in judged) for how in ways}
    manners = ", ".join(f"{counts[how]} {words}" for how, words in ways.items() if counts[how])
    lines = survivors(judged, explained)
    return PAGE.format(
        judged=len(judged),
        table=table(rows(judged, explained)),
        manner=f"Of those killed, {manners}." if manners else "None was killed.",
        left_out=LEFT_OUT,
        drawing=DRAWING[bool(about["slips"])],
        judging=JUDGING[str(about["tier"])],
        survivors="\n".join(lines) or "Nothing.",
        **about,
    )
