"""The ledger as it is read: one theorem in one or two lines, what failed in full, a summary by subject.

Main definitions: ``progress``, ``show`` (the whole), ``entry_lines``, ``erratum_lines``, ``summary``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from textwrap import wrap
from typing import Any

from splitcrit.proof import Entry, Status, Verdict
from splitcrit.proofs.catalogue import PAPERS, SUBJECTS
from splitcrit.proofs.command import coloured
from splitcrit.proofs.errata import Outcome
from splitcrit.proofs.ledger import Ledger

WIDTH = 100
INDENT = 8


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """Give a function that moves a progress bar on a terminal by one, and names what was settled last."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda name: bar.update(task, advance=1, description=name)


def _right(entry: Entry, cached: bool) -> str:
    time = "cached" if cached else f"{entry.seconds:.2f} s"
    return f"{entry.verdict.method.replace(' + ', '+')}  {entry.killed}/{len(entry.near_misses)}  {time:>7}"


def _spread(left: str, right: str) -> str:
    """Two texts at the two ends of a line, or on two lines where one is too short."""
    gap = WIDTH - len(left) - len(right)
    return f"{left}{' ' * gap}{right}" if gap >= 2 else f"{left}\n{right:>{WIDTH}}"


def _indented(text: str) -> str:
    return "\n".join(wrap(text, WIDTH, initial_indent=" " * INDENT, subsequent_indent=" " * INDENT))


def entry_lines(entry: Entry, cached: bool = False) -> str:
    """Return one theorem: key, method, near-misses refuted, time; then for what, and what that rests on."""
    word = "settled" if entry.settled else "OPEN"
    about = entry.scope + (" | a hypothesis added" if entry.added else "") + " | " + "; ".join(entry.basis)
    return _spread(f"{word:<{INDENT}}{entry.key}", _right(entry, cached)) + "\n" + _indented(about)


def _failed(verdict: Verdict) -> str:
    return " ".join(f"{verdict.status.value}; {verdict.evidence} {verdict.witness}".split())


def failure(entry: Entry) -> str:
    """Why a theorem is not settled, in full."""
    lines = [f"NOT SETTLED {entry.key}: {_failed(entry.verdict)}"]
    for says, v in entry.near_misses:
        if v.status is not Status.REFUTED or not v.witness:
            lines.append(f"    near-miss «{says}»: {_failed(v)}")
    return "\n".join(lines)


def erratum_lines(outcome: Outcome, full: bool = True) -> str:
    """Return one erratum: verdict, id, place; in full also what is printed, what is right and the witness."""
    text = outcome.text
    word = "WRONG" if not outcome.confirmed else "refuted" if text.kind == "error" else "read so"
    time = "cached" if outcome.cached else f"{outcome.seconds:.2f} s"
    head = _spread(f"{word:<{INDENT}}{text.id}  {text.work}, {text.place}", f"{outcome.printed.method}  {time:>7}")
    if not full:
        return head
    settled = f" [{text.theorem}]" if text.theorem else ""
    details = (
        f"printed: {text.printed}",
        f"correct: {text.correction}{settled}",
        f"witness: {outcome.printed.witness}",
    )
    return "\n".join([head, *map(_indented, details)])


def _by_subject(done: Ledger) -> dict[str, list[Entry]]:
    """The entries by the first part of their keys, subjects in their order and before other areas."""
    areas = dict.fromkeys([*SUBJECTS, *(e.key.partition(".")[0] for e in done.entries)])
    entries_of = {area: [e for e in done.entries if e.key.partition(".")[0] == area] for area in areas}
    return {area: entries for area, entries in entries_of.items() if entries}


def _by_paper(done: Ledger) -> dict[str, list[Outcome]]:
    """The errata by the paper they are of."""
    outcomes_of = {paper: [o for o in done.outcomes if o.text.work == paper] for paper in PAPERS}
    return {paper: outcomes for paper, outcomes in outcomes_of.items() if outcomes}


def _row(name: str, cells: Iterable[str], heads: tuple[str, ...]) -> str:
    return "  ".join([f"{name:<12}", *(f"{x:>{len(h)}}" for x, h in zip(cells, heads, strict=True))])


def summary(done: Ledger) -> list[str]:
    """By subject what was stated and settled, and by paper what was refuted as printed."""
    heads: tuple[str, ...] = ("stated", "settled", "with a hypothesis added", "near-misses refuted", "seconds")
    lines = []
    for subject, entries in _by_subject(done).items():
        settled, added = sum(e.settled for e in entries), sum(e.settled and bool(e.added) for e in entries)
        killed, seconds = sum(e.killed for e in entries), sum(e.seconds for e in entries)
        lines.append(_row(subject, (str(len(entries)), str(settled), str(added), str(killed), f"{seconds:.1f}"), heads))
    table = [_row("", heads, heads), *lines] if lines else []
    heads, lines = ("errata", "refuted as printed", "seconds"), []
    for paper, outcomes in _by_paper(done).items():
        wrong, seconds = sum(o.confirmed for o in outcomes), sum(o.seconds for o in outcomes)
        lines.append(_row(paper, (str(len(outcomes)), str(wrong), f"{seconds:.1f}"), heads))
    return table + ([_row("", heads, heads), *lines] if lines else [])


MADE = ("enumerated", "enclosed", "algebra compared", "a witness")
KINDS: dict[str, Callable[[tuple[str, ...]], bool]] = {
    "kernel-checked": lambda basis: "kernel-checked" in basis,
    "kernel-checked in part": lambda basis: "kernel-checked in part" in basis,
    "by algebra alone": lambda basis: {x for x in basis if not x.startswith("kernel")} == {"algebra"},
    "partly enumerated, enclosed or compared": lambda basis: any(x.startswith(MADE) for x in basis),
    "with premises": lambda basis: any(x.startswith("rests on") for x in basis),
}


def counted(entries: Iterable[Entry]) -> str:
    """How many settled theorems rest on what; one may rest on several things."""
    bases = [e.basis for e in entries if e.settled]
    numbers = {name: sum(map(tell, bases)) for name, tell in KINDS.items()}
    return ", ".join(f"{number} {name}" for name, number in numbers.items() if number)


def closing(done: Ledger) -> str:
    """The last line: how many theorems are settled, near-misses refuted, errata confirmed."""
    parts = []
    if done.entries:
        settled, killed = sum(e.settled for e in done.entries), sum(e.killed for e in done.entries)
        parts.append(f"{settled} of {len(done.entries)} theorems settled")
        parts.append(f"{killed} of {sum(len(e.near_misses) for e in done.entries)} near-misses refuted")
        parts += [counted(done.entries)] if settled else []
    if done.outcomes:
        parts.append(f"{sum(o.confirmed for o in done.outcomes)} of {len(done.outcomes)} errata confirmed")
    return "; ".join(parts) + (" (some verdicts cached; --no-cache settles anew)" if done.cached else "")


def show(done: Ledger, write: Callable[[str], Any] = print) -> None:
    """Write the ledger: the theorems of each subject, the errata of each paper, what failed, and the summary.

    Errata are written in full where there are no theorems beside them.
    """
    full = not done.entries
    for subject, entries in _by_subject(done).items():
        write(f"\n{subject}: theorems (method, near-misses refuted, time; for what)")
        for e in entries:
            write(_judged(entry_lines(e, e.key in done.cached), e.settled))
    for paper, outcomes in _by_paper(done).items():
        write(f"\n{paper}: errata, refuted as printed" + ("" if full else " (--errata shows them in full)"))
        for o in outcomes:
            write(_judged(erratum_lines(o, full or not o.confirmed), o.confirmed))
    write("")
    for e in done.entries:
        if not e.settled:
            write(failure(e))
    for o in done.outcomes:
        for fault in o.faults:
            write(f"WRONG ERRATUM {o.text.id}: {fault}")
    for stray in done.strays:
        write(f"WRONG ERRATUM: {stray}")
    for line in [*summary(done), closing(done)]:
        write(line)


def _judged(text: str, good: bool) -> str:
    """The text with its first word in colour."""
    return coloured(text[:INDENT], good) + text[INDENT:]
