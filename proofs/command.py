"""The commands ``splitcrit verify`` and ``splitcrit explain``: their arguments and what they run.

Main definitions: ``add_arguments``, ``run`` (verify); ``add_explain_arguments``, ``run_explain``; ``attempt``.
Importing this module imports nothing heavy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from splitcrit.files import write_json, write_text
from splitcrit.values import complaint

DESCRIPTION = """\
Settle theorems: each must be proved and each of its near-misses refuted. Settle errata: each printed claim must be
refuted by the recorded witness and its correction proved. Exit status: 0 if all is settled, 1 if not, 2 for a mistake
in the arguments."""
EXAMPLES = """\
examples:
  splitcrit verify                                       everything
  splitcrit verify null.gini_mean_of_permutation         one theorem
  splitcrit verify --paper ghosh2017 --json ledger.json  one paper, and the ledger as data
  splitcrit verify --errata                              what is refuted as printed, and its correction
"""
EXPLAIN = "Show one theorem: statement, source, what was checked and how, near-misses with their witnesses."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify`` to a parser."""
    parser.add_argument("keys", nargs="*", metavar="KEY", help="keys of theorems; all of them by default")
    parser.add_argument("--paper", help="only this paper, by bibliography key, or beyond")
    parser.add_argument("--errata", action="store_true", help="only the errata")
    parser.add_argument("--jobs", type=int, default=None, help="processes to use; one per core by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ledger as JSON too")
    parser.add_argument("--no-cache", action="store_true", help="settle anew, whatever was settled before")
    parser.add_argument("--write-facts", action="store_true", help="write splitcrit/facts.json from the theorems")
    parser.add_argument("--write-docs", action="store_true", help="write docs/coverage.md and docs/properties.md")
    parser.add_argument("--table", action="store_true", help="only print the criterion x property table")


def add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explain`` to a parser."""
    parser.add_argument("key", metavar="KEY", help="the key of a theorem")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    parser.add_argument("--no-cache", action="store_true", help="settle it anew, whatever was settled before")


def attempt(command: Callable[[], int]) -> int:
    """Run a command; a mistake ends in one sentence on the standard error stream and in status 2."""
    try:
        return command()
    except (OSError, ValueError, KeyError) as error:
        text = error.args[0] if isinstance(error, KeyError) else error
        print(f"splitcrit: {text}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("splitcrit: interrupted", file=sys.stderr)
        return 130


def _installed() -> None:
    """Raise ValueError if the packages that settle and print are not installed."""
    try:
        from splitcrit.proofs import explain  # noqa: F401
    except ModuleNotFoundError as error:
        rule, got = "the proofs wing needs the extras 'proofs' and 'cli'", f"no module {error.name}"
        raise ValueError(complaint(rule, got, "pip install 'splitcrit[proofs,cli]'")) from None


def run_explain(given: argparse.Namespace) -> int:
    """Run ``splitcrit explain`` and return its exit status."""
    _installed()
    from splitcrit.proofs import explain

    return explain.run(given)


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit verify`` and return the exit status: 1 if anything is unsettled.

    Raises
    ------
    ValueError
        If the checker's packages are not installed, a paper is unknown, or arguments do not go together.
    KeyError
        If a theorem is unknown.
    """
    _installed()
    from splitcrit.proofs import cache, cards, ledger, printed

    if given.table:
        from splitcrit.criteria.facts import facts

        print(cards.page(facts()))
        return 0
    keys, ids = chosen(given)
    with printed.progress(len(ledger.work(keys, ids))) as tell:
        done = ledger.ledger(keys, ids, given.jobs, cache.trusted() and not given.no_cache, tell)
    printed.show(done)
    if given.json is not None:
        write_json(given.json, ledger.as_json(done))
    if given.write_facts or given.write_docs:
        write(given, done)
    return 0 if done.settled else 1


def chosen(given: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the keys of the theorems and the ids of the errata that are asked for."""
    from splitcrit.proofs import catalogue, errata

    if (given.write_facts or given.write_docs) and (given.keys or given.paper or given.errata):
        rule, remedy = "files are written from the whole ledger", "leave keys, --paper and --errata out"
        raise ValueError(complaint(rule, "a part of it", remedy))
    if given.errata and given.keys:
        raise ValueError(complaint("--errata settles no theorems", given.keys[0], "leave the keys out"))
    keys = catalogue.select(given.keys, given.paper)
    if given.keys:
        return keys, []
    works = {name: text.work for name, text in errata.texts().items()}
    works |= {name: paper for name, (paper, _) in catalogue.errata().items()}
    return ([] if given.errata else keys), [name for name, of in works.items() if given.paper in (None, of)]


def write(given: argparse.Namespace, done: Any) -> None:
    """Write what is generated from a ledger of which everything is settled.

    Raises
    ------
    ValueError
        If something is not settled, or the documentation is not here.
    """
    from splitcrit import values
    from splitcrit.proofs import cards, coverage

    if not done.settled:
        raise ValueError(complaint("files are written when all is settled", "what is listed above", "settle it first"))
    home, found = Path(values.__file__).parent, cards.facts(done)
    docs = home.parent / "docs"
    if given.write_facts:
        write_json(home / "facts.json", found)
    if given.write_docs:
        if not docs.is_dir():
            raise ValueError(complaint("pages are written into a checkout", "an installed package", "clone it"))
        write_text(docs / "coverage.md", coverage.page())
        write_text(docs / "properties.md", cards.page(found))
