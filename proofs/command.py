"""The command ``splitcrit verify``: its arguments, and the mistakes that end in one sentence.

Main definitions: ``add_arguments``, ``run``. Importing this module imports nothing heavy.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from splitcrit.values import complaint

DESCRIPTION = "Settle theorems: each must be proved and each of its near-misses refuted."
EXAMPLES = """\
examples:
  splitcrit verify                                       every theorem
  splitcrit verify null.gini_mean_of_permutation         one theorem
  splitcrit verify --paper ghosh2017 --json ledger.json  one paper, and the ledger as data
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify`` to a parser."""
    parser.add_argument("keys", nargs="*", metavar="KEY", help="keys of theorems; all of them by default")
    parser.add_argument("--paper", help="only the theorems of this paper, by bibliography key")
    parser.add_argument("--jobs", type=int, default=None, help="processes to use; one per core by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ledger as JSON too")


def run(given: argparse.Namespace) -> int:
    """Run the command and return its exit status: 1 if anything is unsettled.

    Raises
    ------
    ValueError
        If the checker's packages are not installed, or a paper is unknown.
    KeyError
        If a theorem is unknown.
    """
    try:
        from splitcrit.proofs import ledger
    except ModuleNotFoundError as error:
        rule, got = "verify needs the extras 'proofs' and 'cli'", f"no module {error.name}"
        raise ValueError(complaint(rule, got, "pip install 'splitcrit[proofs,cli]'")) from None
    return ledger.run(given)
