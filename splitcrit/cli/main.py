"""Arguments, errors and exit statuses of the ``splitcrit`` command.

Main definitions: ``main``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from splitcrit import __version__
from splitcrit.values import complaint

RANK_EXAMPLE = """\
examples:
  splitcrit rank wine.csv --target quality
  splitcrit rank data.csv.gz --target class --by pvalue --json ranking.json
"""
VERIFY_EXAMPLE = """\
examples:
  splitcrit verify                                       every theorem
  splitcrit verify null.gini_mean_of_permutation         one theorem
  splitcrit verify --paper ghosh2017 --json ledger.json  one paper, and the ledger as data
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command and its subcommands."""
    top = argparse.ArgumentParser(prog="splitcrit", description="Split criteria for decision trees, exact and proved.")
    top.add_argument("--version", action="version", version=f"splitcrit {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    rank = commands.add_parser(
        "rank",
        help="rank the columns of a CSV file by what they tell about a class, corrected for chance",
        description="Rank the columns of a CSV file by what they tell about a class. The Gini gain grows with the "
        "number of values a column has; SGini and the p-value compare it with what chance alone would give.",
        epilog=RANK_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rank.add_argument("data", type=Path, help="a CSV file with a header row, gzipped or not; empty cells are missing")
    rank.add_argument("--target", required=True, metavar="COLUMN", help="the column that holds the class")
    rank.add_argument("--null", choices=("permutation", "multinomial"), default="permutation", help="the law of chance")
    rank.add_argument("--by", choices=("sgini", "pvalue", "gini"), default="sgini", help="the order of the ranking")
    rank.add_argument(
        "--bins", type=int, default=16, help="cut numeric columns with more distinct values at so many quantiles (16)"
    )
    rank.add_argument("--json", type=Path, metavar="FILE", help="write the ranking as JSON too")

    verify = commands.add_parser(
        "verify",
        help="settle the theorems of the proofs wing",
        description="Settle theorems: each must be proved and each of its near-misses refuted.",
        epilog=VERIFY_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_verify_arguments(verify)
    return top


def add_verify_arguments(verify: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify``, shared with ``python -m splitcrit.proofs``."""
    verify.add_argument("keys", nargs="*", metavar="KEY", help="keys of theorems; all of them by default")
    verify.add_argument("--paper", help="only the theorems of this paper, by bibliography key")
    verify.add_argument("--jobs", type=int, default=None, help="processes to use; one per core by default")
    verify.add_argument("--json", type=Path, metavar="FILE", help="write the ledger as JSON too")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 if a theorem is unsettled, 2 for a mistake in the input."""
    given = parser().parse_args(arguments)
    try:
        if given.command == "rank":
            from splitcrit.cli.rank import run

            return run(given)
        return verify(given)
    except (OSError, ValueError, KeyError) as error:
        text = error.args[0] if isinstance(error, KeyError) else error
        print(f"splitcrit: {text}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("splitcrit: interrupted", file=sys.stderr)
        return 130


def verify(given: argparse.Namespace) -> int:
    """Run ``splitcrit verify``."""
    try:
        from splitcrit.proofs.ledger import run
    except ModuleNotFoundError as error:
        rule = "verify needs the extras 'proofs' and 'cli'"
        raise ValueError(complaint(rule, f"no module {error.name}", "pip install 'splitcrit[proofs,cli]'")) from None
    return run(given)
