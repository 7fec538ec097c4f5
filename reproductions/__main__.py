"""``python -m reproductions``: run the experiments of a paper again.

Main definitions: ``main``, ``add_arguments``, ``run``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from splitcrit.cli.spelling import Parser, path
from splitcrit.frozen import complaint
from splitcrit.proofs.command import SCREEN, add_jobs, add_json, spelt, tell
from splitcrit.proofs.status import attempt

from . import Options, catalogue
from . import run as reproduce

EXAMPLES = """\
examples:
  python -m reproductions wang2024 --list
  python -m reproductions wang2024 figure3 --out results
  python -m reproductions ghosh2017 --quick --jobs 2
An interrupted run goes on where it stopped when the same command is given again.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("paper", help="the key of a paper, wang2024 for one")
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="its tables and figures; all by default")
    parser.add_argument("--list", action="store_true", help="list the experiments and stop")
    parser.add_argument("--out", type=path, default=None, help="the folder of results (results/PAPER)")
    parser.add_argument("--data-dir", type=path, help="a folder of CSV files with manifest.json ($SPLITCRIT_DATA)")
    parser.add_argument("--sets", default="", help="only these data sets, separated by commas")
    parser.add_argument("--splits", "--repeats", type=int, dest="repeats", help="how many splits, seeds or repetitions")
    parser.add_argument("--quick", action="store_true", help="a short run that shows the path, not the figures")
    add_jobs(parser, 1)
    parser.add_argument("--seed", type=int, default=0, help="the seed of all draws (0)")
    parser.add_argument("--fresh", action="store_true", help="forget the results of earlier runs")
    add_json(parser)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 2 for a mistake, 3 for an extra."""
    words = spelt(sys.argv[1:] if arguments is None else arguments)
    about = "Run the tables and figures of a paper again, with our number beside the printed one."
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="python -m reproductions", description=about, epilog=EXAMPLES, formatter_class=raw)
    add_arguments(parser)
    return attempt(lambda: run(parser.parse_intermixed_args(words)), "all")


def run(options: argparse.Namespace) -> int:
    """Run the experiments that were asked for; interrupted, say what is kept."""
    try:
        return _reproduced(options)
    except KeyboardInterrupt:
        print(
            "splitcrit: interrupted; what is finished is kept, and the same command goes on from there", file=sys.stderr
        )
        return 130


def _reproduced(asked: argparse.Namespace) -> int:
    if asked.paper not in catalogue.PAPERS:
        known = ", ".join(catalogue.PAPERS)
        raise ValueError(complaint("no paper has this key", f"{asked.paper!r}", f"one of {known}"))
    if asked.repeats is not None and asked.repeats < 1:
        raise ValueError(complaint("an experiment is run at least once", f"--splits {asked.repeats}", "pass 1 or more"))
    chosen = catalogue.experiments_of(asked.paper, tuple(asked.experiments))
    if asked.list:
        listed = {experiment.name: experiment.about for experiment in chosen}
        tell(asked.json, lambda: listed, "\n".join(f"{k:24} {v}" for k, v in listed.items()))
        return 0
    out = asked.out or Path("results") / asked.paper
    sets = tuple(name for name in asked.sets.split(",") if name)
    options = Options(out, asked.data_dir, sets, asked.repeats, asked.quick, asked.jobs, asked.seed, asked.fresh)
    texts = {experiment.name: reproduce(experiment, options, show=asked.json != SCREEN) for experiment in chosen}
    tell(asked.json, lambda: texts, "\n\n".join(f"{k}\n{v}" for k, v in texts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
