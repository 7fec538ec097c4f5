"""Arguments, errors and exit statuses of the ``splitcrit`` command.

Main definitions: ``main``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from splitcrit import __version__
from splitcrit.cli import reproduce
from splitcrit.proofs import command

RANK_EXAMPLE = """\
examples:
  splitcrit rank wine.csv --target quality
  splitcrit rank data.csv.gz --target class --by pvalue --json ranking.json
  splitcrit rank folder-of-parquet-files/ --target label --drop id
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command and its subcommands."""
    top = argparse.ArgumentParser(prog="splitcrit", description="Split criteria for decision trees, exact and proved.")
    top.add_argument("--version", action="version", version=f"splitcrit {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    rank = commands.add_parser(
        "rank",
        help="rank the columns of a file by what they tell about a class, corrected for chance",
        description="Rank the columns of a file by what they tell about a class. The Gini gain grows with the "
        "number of values a column has; SGini and the p-value compare it with what chance alone would give.",
        epilog=RANK_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rank.add_argument(
        "data", type=Path,
        help="a CSV file with a header row, gzipped or not, whose empty cells are missing; or a parquet or Arrow file "
        "or a folder of them, read batch by batch",
    )  # fmt: skip
    rank.add_argument("--target", required=True, metavar="COLUMN", help="the column that holds the class")
    rank.add_argument("--null", choices=("permutation", "multinomial"), default="permutation", help="the law of chance")
    rank.add_argument("--by", choices=("sgini", "pvalue", "gini"), default="sgini", help="the order of the ranking")
    rank.add_argument(
        "--bins", type=int, default=16, help="cut numbers and dates with more distinct values at so many quantiles (16)"
    )
    rank.add_argument(
        "--drop", action="append", default=[], metavar="COLUMN", help="leave a column out; repeat for more"
    )
    rank.add_argument("--json", type=Path, metavar="FILE", help="write the ranking as JSON too")

    verify = commands.add_parser(
        "verify",
        help="settle the theorems of the proofs wing",
        description=command.DESCRIPTION,
        epilog=command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(verify)

    explain = commands.add_parser("explain", help="show one theorem in full", description=command.EXPLAIN)
    command.add_explain_arguments(explain)

    again = commands.add_parser(
        "reproduce",
        help="run the experiments of a paper again",
        description="Run the tables and figures of a paper again, with our number beside the printed one.",
        epilog=reproduce.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reproduce.add_arguments(again)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 if a theorem is unsettled, 2 for a mistake in the input."""
    given = parser().parse_args(arguments)
    return command.attempt(lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    if given.command == "rank":
        from splitcrit.cli.rank import run

        return run(given)
    if given.command == "reproduce":
        return reproduce.run(given)
    return command.run_explain(given) if given.command == "explain" else command.run(given)
