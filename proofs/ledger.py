"""The ledger: every theorem of the wing, settled in parallel, printed and written as JSON.

Main definitions: ``collect``, ``verify``, ``as_json``, ``show``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from typing import Any

from splitcrit.files import write_json
from splitcrit.proof import Entry, Theorem, settle
from splitcrit.values import complaint

PAPERS = ("yang2019", "ghosh2017", "wilton2024", "breiman1996", "wang2024")


def collect() -> dict[str, Theorem]:
    """Return every theorem of the wing by its key.

    Raises
    ------
    ValueError
        If two theorems share a key.
    """
    found: dict[str, Theorem] = {}
    for paper in PAPERS:
        for theorem in import_module(f"splitcrit.proofs.{paper}").THEOREMS:
            if theorem.key in found:
                raise ValueError(complaint("a theorem's key is its own", theorem.key, "rename one of the two"))
            found[theorem.key] = theorem
    return found


def _settled(key: str) -> Entry:
    return settle(collect()[key])


def select(keys: list[str], paper: str | None = None) -> list[str]:
    """Return the keys asked for, all of them when none is named.

    Raises
    ------
    KeyError
        If a key is unknown; close ones are named.
    """
    known = collect()
    for key in keys:
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(key, known, 3, 0.3) or list(known)[:3]
            raise KeyError(complaint("a theorem is named by its key", key, "did you mean " + " or ".join(near) + "?"))
    chosen = keys or list(known)
    return [key for key in chosen if paper in (None, known[key].paper)]


def verify(keys: list[str], jobs: int | None = None) -> Iterator[Entry]:
    """Yield the entry of each theorem as soon as it is settled, in parallel processes."""
    jobs = min(jobs or os.cpu_count() or 1, len(keys))
    if jobs <= 1:
        yield from map(_settled, keys)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for future in as_completed([pool.submit(_settled, key) for key in keys]):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def as_json(entries: list[Entry]) -> dict[str, Any]:
    """Return the ledger as plain data."""
    return {
        "theorems": [
            {
                "key": entry.key,
                "paper": entry.paper,
                "claim": entry.claim,
                "scope": entry.scope,
                "method": entry.verdict.method,
                "verdict": entry.verdict.status.value,
                "evidence": entry.verdict.evidence,
                "witness": entry.verdict.witness,
                "premises": list(entry.premises),
                "settled": entry.settled,
                "near_misses": [
                    {"says": says, "verdict": v.status.value, "witness": v.witness} for says, v in entry.near_misses
                ],
                "seconds": round(entry.seconds, 3),
            }
            for entry in entries
        ]
    }


def line(entry: Entry) -> str:
    """Return one theorem's line of the ledger as plain text."""
    verdict = entry.verdict.status.value.upper() if entry.settled else f"NOT SETTLED ({entry.verdict.status.value})"
    killed = f"{entry.killed} of {len(entry.near_misses)} near-misses refuted"
    return f"{verdict}  {entry.key}  [{entry.verdict.method}; {entry.scope}; {killed}; {entry.seconds:.2f} s]"


def summary(entries: list[Entry]) -> str:
    """Return the closing line: what was stated and settled, by paper."""
    stated, settled = Counter(e.paper for e in entries), Counter(e.paper for e in entries if e.settled)
    per_paper = ", ".join(f"{paper} {settled[paper]}/{stated[paper]}" for paper in stated)
    killed, misses = sum(e.killed for e in entries), sum(len(e.near_misses) for e in entries)
    return (
        f"{sum(settled.values())} of {len(entries)} theorems settled ({per_paper}); "
        f"{killed} of {misses} near-misses refuted"
    )


def show(entries: Iterator[Entry], total: int, write: Callable[[str], None] = print) -> list[Entry]:
    """Print each entry as it comes, with a progress bar on a terminal, then the ledger; return all entries."""
    from rich.console import Console
    from rich.progress import track
    from rich.table import Table

    console = Console(soft_wrap=False)
    done = []
    for entry in track(entries, "settling", total, console=console, transient=True, disable=not console.is_terminal):
        done.append(entry)
    done.sort(key=lambda entry: (PAPERS.index(entry.paper) if entry.paper in PAPERS else 99, entry.key))
    ledger = Table(title="Ledger", title_justify="left", show_lines=True)
    for name, style in (
        ("key", "bold"),
        ("claim", ""),
        ("scope", ""),
        ("method", ""),
        ("verdict", ""),
        ("refuted", ""),
        ("s", ""),
    ):
        ledger.add_column(name, style=style, overflow="fold", justify="right" if name == "s" else "left")
    for entry in done:
        colour = "green" if entry.settled else "red"
        ledger.add_row(
            entry.key, entry.claim, entry.scope, entry.verdict.method, f"[{colour}]{entry.verdict.status.value}[/]",
            f"{entry.killed}/{len(entry.near_misses)}", f"{entry.seconds:.2f}",
        )  # fmt: skip
    console.print(ledger)
    for entry in done:
        if not entry.settled:
            v = entry.verdict
            write(f"NOT SETTLED {entry.key}: {v.status.value}; {v.evidence} {v.witness}")
            for says, v in entry.near_misses:
                write(f"    near-miss «{says}»: {v.status.value}; {v.evidence} {v.witness}")
    write(summary(done))
    return done


def run(given: Any) -> int:
    """Run ``splitcrit verify`` and return the exit status: 1 if anything is unsettled."""
    keys = select(given.keys, given.paper)
    if not keys:
        raise ValueError(complaint("a paper is named by its key", given.paper, "use one of " + ", ".join(PAPERS)))
    done = show(verify(keys, given.jobs), len(keys))
    if given.json is not None:
        write_json(given.json, as_json(done))
    return 0 if all(entry.settled for entry in done) else 1
