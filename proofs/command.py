"""The commands ``splitcrit verify`` and ``splitcrit explain``: their arguments and what they run.

Main definitions: ``add_arguments``, ``run`` (verify); ``add_explain_arguments``, ``run_explain``; what every command
shares: ``add_json``, ``add_jobs``, ``spelt``, ``tell``, ``coloured``.
Importing this module imports nothing heavy.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from json import dumps
from pathlib import Path
from typing import Any

from splitcrit.atomic_files import write_json, write_text
from splitcrit.frozen import complaint
from splitcrit.proofs.status import FINE, WRONG

DESCRIPTION = """\
Settle theorems: each must hold, and each of its near-misses must be refuted. Settle errata: the recorded witness must
refute each printed claim, and the correction must hold. Exit status: 0 if everything is settled, 1 if not, 2 for wrong
arguments, 3 if the checker's packages are not installed."""
EXAMPLES = """\
examples:
  splitcrit verify                                       everything
  splitcrit verify null.gini_mean_of_permutation         one theorem
  splitcrit verify noise                                 one subject
  splitcrit verify --list noise                          its keys and statements, not settled
  splitcrit verify --paper ghosh2017 --json ledger.json  what one paper states, and the ledger as data
  splitcrit verify --errata                              what papers misprint, and the corrections
"""
EXPLAIN = (
    "Show one theorem: statement, source, what was checked and how, near-misses with witnesses; or list a subject."
)
EXPLAIN_EXAMPLES = """\
examples:
  splitcrit explain null.gini_mean_of_permutation          as text
  splitcrit explain null.gini_mean_of_permutation --json   as data
  splitcrit explain noise                                  the keys and statements of a subject
  splitcrit explain ghosh2017                              those of a paper
To find keys, run splitcrit verify --list or splitcrit criteria NAME.
"""
EXTRAS = "proofs,cli"  # that these commands need
ALL = -1  # as many processes as there are cores
SCREEN = "-"  # where JSON goes if no file is named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify`` to a parser."""
    parser.add_argument("keys", nargs="*", metavar="KEY", help="keys of theorems, or subjects; all of them by default")
    help_of_list = "list the keys and statements of one subject (noise, null, ...) or of all, and settle nothing"
    parser.add_argument("--list", nargs="?", const="", metavar="AREA", help=help_of_list)
    parser.add_argument("--paper", help="only this paper, by bibliography key; beyond: what no paper states")
    parser.add_argument("--errata", action="store_true", help="only the errata")
    add_jobs(parser, ALL)
    add_json(parser)
    parser.add_argument("--no-cache", action="store_true", help="ignore cached verdicts")
    parser.add_argument("--write-facts", action="store_true", help="write splitcrit/facts.json from the theorems")
    parser.add_argument("--table", action="store_true", help="print the criterion x property table, and settle nothing")


def add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explain`` to a parser."""
    parser.add_argument("key", metavar="KEY", help="the key of a theorem, a subject, or a paper")
    add_json(parser)
    parser.add_argument("--no-cache", action="store_true", help="ignore the cached verdict")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the argument ``--json``, which is the same for every command."""
    meaning = (
        "print JSON instead of text (also with -); with a FILE that ends in .json, print text and write JSON there"
    )
    parser.add_argument("--json", nargs="?", const=SCREEN, type=_place, metavar="FILE", help=meaning)


def add_jobs(parser: argparse.ArgumentParser, default: int) -> None:
    """Add the argument ``--jobs``, which is the same for every command."""
    meaning = f"processes to use, {ALL} for one per core ({default})"
    parser.add_argument("--jobs", type=_jobs, default=default, metavar="N", help=meaning)


def _jobs(text: str) -> int:
    """A number of processes, or that of all cores."""
    number = int(text)
    if number < 1 and number != ALL:
        rule = f"--jobs must be at least 1, or {ALL} for one per core"
        raise argparse.ArgumentTypeError(complaint(rule, text, "pass --jobs 2"))
    return number


def _place(file: str) -> str:
    """The name of a file that can be written, before anything is computed for it."""
    if file != SCREEN and not Path(file).parent.is_dir():
        rule, got = "the folder of a JSON file must exist", repr(str(Path(file).parent))
        raise argparse.ArgumentTypeError(complaint(rule, got, "create the folder first"))
    return file


def spelt(arguments: Sequence[str]) -> list[str]:
    """The arguments with the file of ``--json`` joined to it, so that what is no file stays an argument.

    Examples
    --------
    >>> spelt(["--json", "a.key"]), spelt(["--json", "ledger.json"])
    (['--json=-', 'a.key'], ['--json=ledger.json'])
    >>> spelt(["--json", "-", "a.key"])
    ['--json=-', 'a.key']
    """
    words: list[str] = []
    for argument in arguments:
        if words[-1:] == ["--json"]:
            words[-1] = f"--json={argument if argument.endswith('.json') else SCREEN}"
            if argument == SCREEN or argument.endswith(".json"):
                continue
        words.append(argument)
    return words


def tell(json: str | None, data: Callable[[], Any], text: str) -> None:
    """Print text, or data as JSON; write JSON into a file if one is named. ``data`` is asked for only then."""
    if json == SCREEN:
        print(dumps(data(), indent=2, ensure_ascii=False, allow_nan=False))
        return
    if json is not None:
        write_json(Path(json), data())
    print(text)


def coloured(text: str, good: bool) -> str:
    """The text in green or red on a terminal that wants colours, as it is elsewhere."""
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[{32 if good else 31}m{text}\x1b[0m" if wanted else text


def run_explain(options: argparse.Namespace) -> int:
    """Run ``splitcrit explain`` and return its exit status."""
    from splitcrit.proofs import explain

    return explain.run(options)


def run(options: argparse.Namespace) -> int:
    """Run ``splitcrit verify`` and return the exit status: 1 if anything is unsettled.

    Raises
    ------
    ValueError
        If a paper or an area is unknown, or arguments do not go together.
    KeyError
        If a theorem is unknown.
    """
    if options.no_cache and not options.keys and options.jobs != 1:  # they will be needed
        from splitcrit.proofs import workers

        workers.ahead()
    from splitcrit.proofs import cache, explain, ledger, printed, properties

    if options.table:
        from splitcrit.criteria.facts import facts

        tell(options.json, lambda: list(facts()), properties.page(facts()))
        return 0
    if options.list is not None:
        return explain.listing(options.list, options.json)
    keys, ids = chosen(options)
    with printed.progress(len(ledger.work(keys, ids))) as step:
        done = ledger.ledger(
            keys, ids, None if options.jobs == ALL else options.jobs, cache.trusted() and not options.no_cache, step
        )
    if options.json == SCREEN:
        tell(SCREEN, lambda: ledger.as_json(done), "")
    else:
        printed.show(done)
        if options.json is not None:
            write_json(Path(options.json), ledger.as_json(done))
    if options.write_facts:
        write(done)
    return FINE if done.settled else WRONG


def chosen(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The keys of the theorems and the ids of the errata that are asked for."""
    from splitcrit.proofs import catalogue, errata

    if options.write_facts and (options.keys or options.paper or options.errata):
        rule, remedy = "--write-facts needs all theorems", "leave out keys, --paper and --errata"
        raise ValueError(complaint(rule, "some of them", remedy))
    if options.errata and options.keys:
        raise ValueError(complaint("--errata takes no keys of theorems", options.keys[0], "leave the keys out"))
    keys = catalogue.select(options.keys, options.paper)
    if options.keys:
        return keys, []
    works = {name: text.work for name, text in errata.texts().items()}
    works |= {name: paper for name, (paper, _) in catalogue.errata().items()}
    return ([] if options.errata else keys), [name for name, of in works.items() if options.paper in (None, of)]


def write(done: Any) -> None:
    """Write the facts of a ledger of which everything is settled.

    Raises
    ------
    ValueError
        If something is not settled.
    """
    from splitcrit import frozen
    from splitcrit.proofs import summaries

    if not done.settled:
        raise ValueError(complaint("files are written only if all is settled", "the failures above", "correct them"))
    write_text(Path(frozen.__file__).parent / "facts.json", summaries.listing(summaries.facts(done)))
