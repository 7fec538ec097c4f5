"""The ledger: every theorem and every erratum, settled in parallel processes.

The processes share the work theorem by theorem, the slowest first. Each writes what it has settled to the cache, so
that an interrupted run loses nothing finished.

Main definitions: ``Settled``, ``settled_all`` (the work), ``Ledger`` (its result), ``ledger``, ``stated``, ``as_json``.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass
from typing import Any

from splitcrit.display import html_table, summary
from splitcrit.proof import Claim, Entry, Erratum, Status, Theorem, Verdict
from splitcrit.proofs import cache, catalogue, errata, kernel, workers
from splitcrit.proofs.errata import Outcome

ERRATUM = "erratum-"  # opens the name of a piece of work that is an erratum


@dataclass(frozen=True)
class Settled:
    """The verdicts of one piece of work, by its name."""

    name: str
    verdicts: tuple[Verdict, ...]
    seconds: float
    cached: bool = False


def statement(name: str) -> tuple[str, tuple[Claim, ...]]:
    """The text of a piece of work and its claims: of a theorem and its near-misses, or the two of an erratum."""
    if name.startswith(ERRATUM):
        _, erratum = catalogue.errata()[name.removeprefix(ERRATUM)]
        own = () if isinstance(erratum.corrected, str) else (erratum.corrected,)
        return f"{erratum.id}: {erratum.corrected if not own else ''}", (erratum.printed, *own)
    theorem = catalogue.collect()[name]
    return theorem.statement, (theorem.holds, *(miss.claim for miss in theorem.fails))


def verdict(claim: Claim) -> Verdict:
    """The verdict of a claim; a claim that raises is UNKNOWN, with the error as evidence."""
    try:
        return claim.settle()
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        words = f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}, line {place.lineno})"
        return Verdict(Status.UNKNOWN, "error", words)


def settled(name: str, digest: str | None) -> Settled:
    """Settle one piece of work and keep the verdicts, unless there is no digest to keep them under."""
    start = time.process_time()
    verdicts = tuple(verdict(claim) for claim in statement(name)[1])
    seconds = time.process_time() - start
    if digest is not None:
        cache.write(name, digest, verdicts, seconds)
    return Settled(name, verdicts, seconds)


def _digest(name: str) -> str:
    """The digest under which the verdicts of a piece of work may be trusted."""
    return cache.digest(name, statement(name)[0], catalogue.homes()[name.removeprefix(ERRATUM)])


def _read(name: str, digest: str) -> cache.Kept | None:
    """The kept verdicts of a piece of work; a damaged file is said to be one, and nothing is kept in it."""
    try:
        return cache.read(name, digest)
    except ValueError as error:
        print(f"splitcrit: {error}", file=sys.stderr)
        return None


def settled_all(names: list[str], jobs: int | None = None, cached: bool = True) -> Iterator[Settled]:
    """Yield the verdicts of each piece of work as soon as they are known: kept ones, then the slowest first.

    Parameters
    ----------
    names : list of str
        Keys of theorems, and ids of errata behind ``erratum-``.
    jobs : int, optional
        Processes to use; one per core by default.
    cached : bool
        Whether verdicts kept from earlier runs are used, and new ones kept.
    """
    digests = {name: _digest(name) if cached else None for name in names}
    cached_entries = {
        name: entry_read for name, digest in digests.items() if digest and (entry_read := _read(name, digest))
    }
    yield from (
        Settled(name, entry_read.verdicts, entry_read.seconds, cached=True)
        for name, entry_read in cached_entries.items()
    )
    rest = [name for name in names if name not in cached_entries]
    rest.sort(key=cache.seconds, reverse=True)
    jobs = min(jobs or os.cpu_count() or 1, len(rest))
    if jobs <= 1:
        yield from (settled(name, digests[name]) for name in rest)
        return
    with workers.pool(jobs) as pool:
        try:
            for future in as_completed([pool.submit(settled, name, digests[name]) for name in rest]):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


@dataclass(frozen=True, repr=False)
class Ledger:
    """What became of the theorems and of the errata, in their order, and what has no counterpart."""

    entries: tuple[Entry, ...]
    outcomes: tuple[Outcome, ...]
    strays: tuple[str, ...] = ()
    cached: frozenset[str] = frozenset()

    @property
    def settled(self) -> bool:
        """Whether every theorem is settled and every erratum confirmed."""
        good = all(e.settled for e in self.entries) and all(o.confirmed for o in self.outcomes)
        return good and not self.strays

    def __repr__(self) -> str:
        return summary(self, theorems=len(self.entries), errata=len(self.outcomes), settled=self.settled)

    def _repr_html_(self) -> str:
        rows: list[tuple[Any, ...]] = [
            (e.key, "; ".join(e.basis) if e.settled else "open", f"{e.killed} of {len(e.near_misses)}", e.claim)
            for e in self.entries
        ]
        rows += [(o.text.id, o.printed.status.value, o.confirmed, o.text.printed) for o in self.outcomes]
        return html_table(["theorem or erratum", "rests on", "near-misses refuted", "claim"], rows)


def basis(theorem: Theorem) -> tuple[str, ...]:
    """What a theorem rests on: what the kernel checks of it, then what the checker settled and its premises."""
    by_kernel = kernel.said(theorem.key)
    return (*([by_kernel] if by_kernel else []), *theorem.basis)


def entry(theorem: Theorem, settled: Settled) -> Entry:
    """The entry of a theorem whose claims have been settled."""
    holds, *fails = settled.verdicts
    misses = tuple((miss.says, v) for miss, v in zip(theorem.fails, fails, strict=True))
    about = (theorem.key, catalogue.paper(theorem), theorem.statement, theorem.scope_words)
    return Entry(
        *about, holds, misses, settled.seconds, tuple(map(str, theorem.premises)), theorem.added, basis(theorem)
    )


def _corrected(erratum: Erratum, results: dict[str, Settled]) -> Verdict:
    """The verdict of the correction: of its own claim, or of the theorem that states it."""
    if not isinstance(erratum.corrected, str):
        return results[ERRATUM + erratum.id].verdicts[1]
    if erratum.corrected not in results:
        return Verdict(Status.UNKNOWN, "none", f"no theorem is called {erratum.corrected}")
    of_theorem = entry(catalogue.collect()[erratum.corrected], results[erratum.corrected])
    if of_theorem.settled:
        return of_theorem.verdict
    return Verdict(Status.UNKNOWN, of_theorem.verdict.method, f"theorem {of_theorem.key} is not settled")


def work(keys: list[str], ids: list[str]) -> list[str]:
    """The names of the work that theorems and errata need: an erratum may rest on a theorem."""
    known, stated = catalogue.collect(), catalogue.errata()
    claims = {name: stated[name][1] for name in ids if name in stated}
    needed = [e.corrected for e in claims.values() if isinstance(e.corrected, str) and e.corrected in known]
    return list(dict.fromkeys([*keys, *needed, *(ERRATUM + name for name in claims)]))


def ledger(
    keys: list[str], ids: list[str], jobs: int | None = None, cached: bool = True, tell: Callable[[str], Any] = id
) -> Ledger:
    """The ledger of theorems and of errata, each given by name; ``tell`` hears each name as it is settled."""
    results = {}
    for settled in settled_all(work(keys, ids), jobs, cached):
        results[settled.name] = settled
        tell(settled.name)
    return assembled(keys, ids, results)


def stated(keys: list[str], ids: list[str]) -> Ledger:
    """A ledger in which nothing has been settled, for pages of statements without verdicts."""
    unsettled = Verdict(Status.UNKNOWN, "none", "")
    return assembled(
        keys, ids, {name: Settled(name, (unsettled,) * len(statement(name)[1]), 0.0) for name in work(keys, ids)}
    )


def assembled(keys: list[str], ids: list[str], results: dict[str, Settled]) -> Ledger:
    """The ledger of work whose verdicts are known."""
    known, texts, claims = catalogue.collect(), errata.texts(), catalogue.errata()
    outcomes = []
    for name in (name for name in ids if name in texts and name in claims):
        mine = results[ERRATUM + name]
        verdicts = mine.verdicts[0], _corrected(claims[name][1], results)
        outcomes.append(errata.outcome(texts[name], *verdicts, mine.seconds, mine.cached))
    entries = tuple(entry(known[key], results[key]) for key in keys)
    strays = errata.strays((x for x in ids if x in texts), (x for x in ids if x in claims))
    from_cache = frozenset(name for name, settled in results.items() if settled.cached)
    return Ledger(entries, tuple(outcomes), tuple(strays), from_cache)


def as_json(done: Ledger) -> dict[str, Any]:
    """The ledger as plain data."""
    known = catalogue.collect()
    return {
        "theorems": [theorem_json(known[e.key], e, e.key in done.cached) for e in done.entries],
        "errata": [erratum_json(outcome) for outcome in done.outcomes],
        "sources": cache.sources(),
    }


def theorem_json(theorem: Theorem, entry: Entry, cached: bool) -> dict[str, Any]:
    """Return one theorem as plain data."""
    return {
        "key": entry.key,
        "paper": entry.paper,
        "source": theorem.source,
        "subject": catalogue.subject(theorem),
        "claim": entry.claim,
        "scope": entry.scope,
        "settled_for": settled_for(theorem),
        "rests_on": list(entry.basis),
        "premises": list(entry.premises),
        "added": entry.added,
        "kernel": [checked.name for checked in kernel.of(entry.key)],
        "method": entry.verdict.method,
        "verdict": entry.verdict.status.value,
        "evidence": entry.verdict.evidence,
        "witness": entry.verdict.witness,
        "near_misses": [
            {"says": miss.says, "alters": miss.alters, "verdict": v.status.value, "witness": v.witness}
            for miss, (_, v) in zip(theorem.fails, entry.near_misses, strict=True)
        ],
        "settled": entry.settled,
        "seconds": round(entry.seconds, 3),
        "cached": cached,
    }


def settled_for(theorem: Theorem) -> dict[str, Any]:
    """For what a theorem is settled as plain data: extents, kinds of variables, and which part limits what."""
    scope = theorem.settled_for
    return {"extents": scope.plain(), "variables": dict(scope.variables), "held_by": dict(scope.held_by)}


def erratum_json(outcome: Outcome) -> dict[str, Any]:
    """Return one erratum as plain data."""
    text = outcome.text
    return {
        "id": text.id,
        "paper": text.work,
        "place": text.place,
        "printed": text.printed,
        "quoted": text.quoted,
        "kind": text.kind,
        "at_hand": text.at_hand,
        "correction": text.correction,
        "theorem": text.theorem,
        "method": outcome.printed.method,
        "printed_verdict": outcome.printed.status.value,
        "corrected_verdict": outcome.corrected.status.value,
        "witness": outcome.printed.witness,
        "confirmed": outcome.confirmed,
        "faults": list(outcome.faults),
        "seconds": round(outcome.seconds, 3),
        "cached": outcome.cached,
    }
