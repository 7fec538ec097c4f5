"""Arguments, errors and exit statuses of the ``splitcrit`` command.

Main definitions: ``main``, ``parser``.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from splitcrit import __version__
from splitcrit.cli.spelling import Parser, path
from splitcrit.proofs import command
from splitcrit.proofs.status import attempt

EXAMPLES = """\
examples:
  splitcrit rank wine.csv --target quality                 which columns matter, and which only have many values
  splitcrit audit --lightgbm model.txt new.csv --target y  which splits of a model are real
  splitcrit criteria gini                                  the properties of a criterion
  splitcrit properties mine.py:cubic                       the properties of your own impurity
  splitcrit explain impurity.gini_is_concave               one theorem and its near-misses
  splitcrit verify --paper wang2024                        settle the theorems of a paper on this machine
splitcrit COMMAND --help says more. Every command takes --json. Colours appear on a terminal only, unless NO_COLOR is
set.
exit status: 0 success; 1 something is wrong, such as a theorem that fails; 2 a mistake in the arguments or the data; 3
an extra is not installed; 130 interrupted.
"""
OBJECTS = 2**17  # that are made before the youngest are looked at for garbage
EACH: dict[str, Any] = {"action": "append", "default": [], "metavar": "COLUMN"}  # an option that may be repeated


def _add_files(parser: argparse.ArgumentParser, target: str) -> None:
    """Add the files that a command reads, the name of their target, and where counts are kept."""
    parser.add_argument(
        "data", type=path, nargs="+",
        help="CSV files with a header row, gzipped or not, whose empty cells are missing, separated by commas, "
        "semicolons, tabs or bars; or parquet or Arrow files; or folders of such files; - is CSV on standard input; "
        "what is large is read in parts",
    )  # fmt: skip
    parser.add_argument("--target", required=True, metavar="COLUMN", help=target)
    parser.add_argument(
        "--resume", type=path, metavar="FOLDER",
        help="keep the counts in this folder while reading, and resume an interrupted run from it",
    )  # fmt: skip


def _rank(parser: argparse.ArgumentParser) -> None:
    """Rank the columns of a file by their association with a target. Numbers and dates are judged by their best cut and
    their ranks, categories by their table. The p-value accounts for the choice of the cut; the adjusted one also for
    the number of columns. For a numeric target the gain is the decrease of variance.

      feature     the column
      kind        number, date, category or flag (truth values)
      values      the number of distinct values; * cut at quantiles, + counted with neighbours
      best cut    the rows on the left of the cut of the largest gain, which has no p of its own
      score       gain of the cut, or table, in standard deviations above its mean under random labels
      share       the part of the impurity of the target that it removes
      difference  between the sides of the cut, right less left, with an interval that holds for all cuts at once
      effect      not selected, with its interval of 95 %: AUC, how often a value of the second class exceeds one of
                  the first; rho, the correlation of ranks; R2, the share of the impurity told, less chance
      p           of the column, against random labels; > 0.1 is not computed further
      => adjusted p corrected for the number of columns (Holm): the one to read
      method      exact; interval (p lies between two numbers); permutations (+- standard error); evidence, where no
                  random order scores as high

    examples:
      splitcrit rank wine.csv --target quality
      splitcrit rank data.csv.gz --target class --categorical postcode --json ranking.json
      splitcrit rank folder-of-parquet-files/ --target label --drop id --resume counts/
      splitcrit rank january.csv february.csv --target label
      splitcrit rank - --target label < data.csv
    """
    _add_files(parser, "the column that the others are judged by")
    parser.add_argument(
        "--response", choices=("auto", "classes", "numbers"), default="auto",
        help="what the target holds; auto: numbers if it has fractions or more than 20 different numbers",
    )  # fmt: skip
    parser.add_argument(
        "--categorical", "--as-text", **EACH,
        help="a column whose texts, be they numbers or dates, are categories as they stand; repeat for more",
    )  # fmt: skip
    parser.add_argument(
        "--measure", metavar="NAME",
        help="score every column by its table instead: gini, sgini, pvalue, information, adjusted gini, ...",
    )  # fmt: skip
    parser.add_argument("--bins", type=int, help="with --measure: cut numbers and dates at quantiles into so many bins")
    parser.add_argument(
        "--missing", **EACH | {"metavar": "TEXTS"},
        help="texts that stand for a missing value, as a row of CSV: --missing NA,?,-999; an empty cell is always "
        "missing, and NA, nan, NULL and ? are in a column of numbers",
    )  # fmt: skip
    parser.add_argument("--decimal", metavar="MARK", help="what stands before the fraction of a number: . or ,")
    parser.add_argument(
        "--dates", choices=("iso", "day-first", "month-first", "excel"),
        help="how dates are written, where a column does not tell; excel: as numbers of days; iso: 2024-02-29 alone",
    )  # fmt: skip
    parser.add_argument(
        "--header", action=argparse.BooleanOptionalAction,
        help="whether the first row names the columns; found out by default",
    )  # fmt: skip
    parser.add_argument(
        "--skip-footer", type=int, default=0, metavar="N", help="rows at the end that are none, such as totals"
    )
    parser.add_argument("--drop", **EACH, help="leave a column out; repeat for more")
    parser.add_argument("--groups", metavar="COLUMN", help="rows of one value of it, a patient's, are not independent")
    parser.add_argument("--strata", metavar="COLUMN", help="labels are exchangeable within its values alone, a site's")
    parser.add_argument("--top", type=int, default=50, metavar="N", help="show the N best columns (50); 0 shows all")
    parser.add_argument("--wide", action="store_true", help="show every part of the table, also beyond 80 characters")
    parser.add_argument("--exact", action="store_true", help="print p-values above 0.1 to the last digit, too")
    parser.add_argument(
        "--limit", type=float, metavar="SECONDS",
        help="how long the exact law of a column may take, as counted for one processor; p is an interval beyond (5)",
    )  # fmt: skip


def _audit(parser: argparse.ArgumentParser) -> None:
    """Test the splits of a boosted model on rows that it was not trained on: for each feature the gain less its mean by
    chance, and how many splits pass. The model is a text file that its library wrote; nothing in it is run.

    examples:
      splitcrit audit --lightgbm model.txt new.csv --target y
      splitcrit audit --xgboost model.json new.csv.gz --target class --json audit.json
      splitcrit audit --xgboost model.json old.csv --target class --rows training
      splitcrit audit --xgboost model.json folder-of-parquet-files/ --target class --resume counts/
    """
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument("--lightgbm", type=path, metavar="MODEL", help="the text file that LightGBM's save_model writes")
    model.add_argument("--xgboost", type=path, metavar="MODEL", help="the JSON file that XGBoost's save_model writes")
    _add_files(parser, "the column that the model predicts")
    parser.add_argument(
        "--rows", choices=("held-out", "training"),
        help="whether the rows are apart from those the model was trained on, as they are unless they are recognised; "
        "training rows get no p-values",
    )  # fmt: skip
    parser.add_argument("--alpha", type=float, default=0.05, help="the false discovery rate of features and splits")


def _criteria(parser: argparse.ArgumentParser) -> None:
    """List the criteria and their properties. With a name, show its formula, where it is defined, and each property
    with the theorem that settles it or the witness that refutes it.

    examples:
      splitcrit criteria                       all of them, a line each
      splitcrit criteria gini                  one summary
      splitcrit criteria 'gce(q=0.7)' sgini    two summaries, one of them of a parameter
      splitcrit criteria sgini --json          a summary as data
    """
    parser.add_argument("names", nargs="*", metavar="NAME", help="gini, 'gce(q=0.7)', 'decrease(entropy)', ...")


def _properties(parser: argparse.ArgumentParser) -> None:
    """Find the properties of your own impurity, loss or criterion: settled, with the grounds; refuted, with a witness;
    or open. FILE.py is your own code and is run. A formula of(p, m) of class shares is enough.

    examples:
      splitcrit properties mine.py:cubic             the row of the properties table
      splitcrit properties mine.py:cubic --explain   what each property means, and what was tried
    """
    parser.add_argument("value", metavar="FILE.py:NAME", help="a file of your own, and a name in it")
    parser.add_argument("--explain", action="store_true", help="show what was tried for each property")
    parser.add_argument("--work", type=int, default=4_000_000, help="units of the solver for one question (4000000)")


def _completion(parser: argparse.ArgumentParser) -> None:
    """Print a script that completes commands, options and file names in your shell. It is written by shtab, which
    pip install 'splitcrit[cli]' brings.

    examples:
      splitcrit completion bash                for > ~/.local/share/bash-completion/completions/splitcrit
      splitcrit completion zsh                 for > _splitcrit in a folder of $fpath
    """
    parser.add_argument("shell", choices=("bash", "zsh"), help="the shell that runs the script")


def _header(parser: argparse.ArgumentParser) -> None:
    """Print a header of C99 with mean, variance and third moment of the Gini gain by chance, SGini of a table, and
    SGini of every threshold of a feature. It needs no other file and allocates nothing. With --vectors, print a few
    hundred tables with exact results, as strings of fractions, to test it or code in any other language: the same
    statistics, and the squares of SGini, of the table and of each of its thresholds, with their signs.

    examples:
      splitcrit header                         the text, for > splitcrit.h
      splitcrit header --json                  the same as data
      splitcrit header --vectors               a line each: the table, its mean and variance, its SGini
      splitcrit header --vectors --json        everything, for a test in any language
    """
    parser.add_argument("--vectors", action="store_true", help="print tables with exact results instead")


def _doctor(parser: argparse.ArgumentParser) -> None:
    """Check the installation: versions, extras, the cache of compiled loops, the Rocq compiler, and the number of
    threads. Exit status: 1 if there is a problem, such as a package that is too old or a folder that is not writable.

    examples:
      splitcrit doctor                         as text, for a report of a bug say
      splitcrit doctor --json                  as data
      splitcrit doctor --compile               once after an installation, in an image say: no later call waits
    """
    parser.add_argument("--compile", action="store_true", help="compile now what most calls need, and keep it on disk")


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.description = command.DESCRIPTION
    parser.epilog = command.EXAMPLES
    command.add_arguments(parser)


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.description = command.EXPLAIN
    parser.epilog = command.EXPLAIN_EXAMPLES
    command.add_explain_arguments(parser)


COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {  # in a line, and in full
    "rank": ("rank the columns of a file by their association with a target, with p-values", _rank),
    "audit": ("test the splits of an XGBoost or LightGBM model on new rows", _audit),
    "criteria": ("list the criteria and their properties, or show one", _criteria),
    "properties": ("find the properties of your own impurity", _properties),
    "verify": ("settle the theorems", _verify),
    "explain": ("show one theorem in full", _explain),
    "header": ("print the exact statistics as a C header", _header),
    "doctor": ("check the installation", _doctor),
    "completion": ("print a completion script for your shell", _completion),
}
EXTRAS = {
    "properties": command.EXTRAS, "verify": command.EXTRAS, "explain": command.EXTRAS, "doctor": "trees",
    "completion": "cli",
}  # fmt: skip


def parser() -> Parser:
    """The parser of the command and its subcommands."""
    raw = argparse.RawDescriptionHelpFormatter
    about = "Split criteria for decision trees: exact, with theorems about the code that you call."
    top = Parser(prog="splitcrit", description=about, epilog=EXAMPLES, formatter_class=raw)
    top.add_argument("--version", action="version", version=f"splitcrit {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (line, add) in COMMANDS.items():
        words, _, examples = (inspect.getdoc(add) or "").partition("\n\nexamples:\n")
        epilog = f"examples:\n{examples}\n"
        sub = commands.add_parser(name, help=line, description=words, epilog=epilog, formatter_class=raw)
        add(sub)
        if add not in (_verify, _explain):  # which bring it
            command.add_json(sub)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 if something is wrong, 2 for a mistake, 3 for an extra."""
    if arguments is None:  # a process of its own, which ends soon and has little garbage
        gc.set_threshold(OBJECTS)
    words = command.spelt(sys.argv[1:] if arguments is None else arguments)
    top = parser()
    args, left = top.parse_known_args(words)
    if left:
        more = "; the FILE of --json has a name that ends in .json" if "--json=-" in words else ""
        top.error(f"unrecognized arguments: {' '.join(left)}{more}")
    return attempt(lambda: _run(args), EXTRAS.get(args.command, ""))


def _run(args: argparse.Namespace) -> int:
    """Run a command; what is not light is imported here."""
    light = {"verify": command.run, "explain": command.run_explain}
    run = light.get(args.command) or import_module(f"splitcrit.cli.{args.command}").run
    return int(run(args))
