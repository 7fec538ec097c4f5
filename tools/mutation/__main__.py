"""The command: draw mutants, judge those not known yet, print the table, write the page.

Every mutant is written down when it is judged, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import datetime
import fcntl
import itertools
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from tools.mutation import reach, report, sampling
from tools.mutation.judging import OPTIONS, Judgement, Tree, by_fast_tests, by_slow_tests, judge, judged, run
from tools.mutation.operators import Mutant
from tools.mutation.results import Results, digest, explanations
from tools.mutation.sampling import Area

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "mutants"
EXPLAINED = Path(__file__).parent / "explained.toml"
PAGE = ROOT / "docs" / "mutants.md"
TIERS = ROOT / "docs" / "data" / "test_tiers.csv"
SHARED = ("tests/conftest.py", "tests/oracles.py", "tests/objects.py")
Near = tuple[list[str], dict[str, float]]


def options(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--number", type=int, default=410, help="how many mutants all together (410)")
    parser.add_argument("--least", type=int, default=8, help="how many of each subpackage at least (8)")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other mutants (0)")
    parser.add_argument("--slips", action="store_true", help="draw slips of people only, by the operators for them")
    parser.add_argument("--only", action="append", metavar="SUBPACKAGE", help="judge those of this subpackage only")
    parser.add_argument("--processes", type=int, default=1, help="how many mutants at a time (1)")
    parser.add_argument("--others", type=float, default=30, metavar="SECONDS",
                        help="seconds of tests that seem not to reach a mutant, tried all the same (30)")  # fmt: skip
    parser.add_argument("--tier", choices=("all", "fast"), default="all",
                        help="fast: by the tests of `make test`, then by those that it leaves out, not by theorems; "
                        "`--write` keeps the counts in docs/data/test_tiers.csv (all)")  # fmt: skip
    parser.add_argument("--list", action="store_true", help="judge nothing, list what is drawn and what is known of it")
    parser.add_argument("--known", action="store_true", help="judge nothing, make the table of what is known")
    parser.add_argument("--write", action="store_true", help="write docs/mutants.md")
    return parser.parse_args(arguments)


def drawn(chosen: argparse.Namespace) -> list[tuple[Area, Mutant]]:
    """The mutants of every area, those of the proofs last."""
    areas = sorted(sampling.areas(ROOT), key=lambda area: area.name in {"proof", "proofs"})
    weights = {a.name: sum(sampling.code_lines((ROOT / path).read_bytes()) for path in a.modules) for a in areas}
    weights["proofs"] = 0  # statements that the ledger settles; they would be a third of all
    numbers = sampling.shares(weights, chosen.number, chosen.least)
    return [(area, mutant) for area in areas if not chosen.only or area.name in chosen.only
            for mutant in sampling.sample(ROOT, area, numbers[area.name], chosen.seed, chosen.slips)]  # fmt: skip


def of_tests(area: Area, tree: Tree, tier: str = "all") -> reach.Reach:
    """The map of an area's own tests; those in files that did not change since the last run are not run again."""
    part, marks = ("-fast", ["-m", "not slow"]) if tier == "fast" else ("", [])
    path, modules = BUILD / f"reach-{area.name.strip('()').replace(' ', '-')}{part}.json", digest(ROOT, area.modules)
    documented = [m for m in area.modules if b">>>" in (ROOT / m).read_bytes()]
    listed = [file for name in area.tests for file in test_files(ROOT / name)]
    shared = digest(ROOT, [name for name in SHARED if (ROOT / name).is_file()])
    now = {name: modules + shared + digest(ROOT, [name]) for name in [*listed, *documented]}
    old = reach.Reach.read(path) if path.is_file() else reach.Reach({}, {}, {})
    reached = old.of({name for name, key in now.items() if old.files.get(name) == key})
    if changed := [name for name in now if name not in reached.files]:
        print(f"{area.name}: running {len(changed)} files of its own tests without any change", flush=True)
        fresh, log = path.with_suffix(".new.json"), path.with_suffix(".log")
        arguments = [*(option for option in OPTIONS if option != "-x"), *marks, *changed]
        code = run(reach.of_tests, tree, tree.compiled, log, (tree.root, arguments, "splitcrit", fresh))
        if code or not fresh.is_file():
            sys.exit(f"the tests of {area.name} could not be watched; see {log}")
        reached = reached.joined(reach.Reach.read(fresh), {name: now[name] for name in changed})
        reached.write(path)
        fresh.unlink()
    return reached


def test_files(path: Path) -> list[str]:
    """The test files that a file or a folder stands for, relative to the root."""
    return [str(p.relative_to(ROOT)) for p in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]


def of_theorems(tree: Tree) -> reach.Reach:
    """The map of the theorems, from the last run if neither the package nor the proofs changed."""
    path, key = BUILD / "reach-theorems.json", {"splitcrit": digest(ROOT, ["splitcrit", "proofs"])}
    old = reach.Reach.read(path) if path.is_file() else reach.Reach({}, {}, {})
    if old.files != key:
        print("settling every theorem without any change", flush=True)
        log = path.with_suffix(".log")
        if run(reach.of_theorems, tree, tree.compiled, log, (tree.root, "splitcrit", path)):
            sys.exit(f"the theorems could not be watched; see {log}")
        old = reach.Reach({}, {}, {}).joined(reach.Reach.read(path), key)
        old.write(path)
    return old


def within(names: list[str], seconds: dict[str, float], budget: float) -> list[str]:
    """The first of the names that take no longer than this together."""
    spent = itertools.accumulate(seconds[name] for name in names)
    return [name for name, so_far in zip(names, spent, strict=True) if so_far <= budget]


def judgements(work: list[tuple[Area, Mutant]], chosen: argparse.Namespace, known: Results) -> Iterator[Judgement]:
    """Judge what is to be judged, in order, several at a time; each is written down at once."""
    trees: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for i in range(chosen.processes):
        trees.put(Tree(BUILD / f"tree-{i}"))
    maps, lock = dict[str, reach.Reach](), threading.Lock()

    def one(area: Area, mutant: Mutant) -> Judgement:
        tests = digest(ROOT, area.tests)
        judgement = known.find(mutant, tests)
        if judgement is None:
            tree = trees.get()
            try:
                with lock:
                    if area.name not in maps:
                        maps[area.name] = of_tests(area, tree, chosen.tier)
                    if "theorems" not in maps and chosen.tier == "all":
                        maps["theorems"] = of_theorems(tree)
                own = maps[area.name]
                near, others = own.order(mutant)
                names = [*near, *within(others, own.seconds, chosen.others)]
                if chosen.tier == "fast":
                    slow = [file for name in area.tests for file in test_files(ROOT / name)], {}
                    fast = names, own.seconds
                    judgement = judged(mutant, tree, [("own", by_fast_tests, fast), ("slow", by_slow_tests, slow)])
                else:
                    theorems = maps["theorems"]
                    reached = within(theorems.order(mutant)[0], theorems.seconds, 60)
                    judgement = judge(mutant, tree, (names, own.seconds), (reached, theorems.seconds))
                known.keep(mutant, tests, judgement)
            finally:
                trees.put(tree)
        return judgement

    with ThreadPoolExecutor(chosen.processes) as pool:
        yield from pool.map(lambda pair: one(*pair), work)


def commit() -> str:
    """The commit of the working tree, with a sign where files differ from it."""
    described = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"], cwd=ROOT,
                          check=True, capture_output=True, text=True)  # fmt: skip
    return described.stdout.strip()


def alone(path: Path) -> TextIO | None:
    """Lock a file until the process ends; None where another process holds it."""
    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return None
    return file


def main(arguments: list[str]) -> int:
    """Run the command; return 0 where everything not killed by its own tests is explained."""
    chosen = options(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / ("results.jsonl" if chosen.tier == "all" else "results-fast.jsonl")
    known, explained, work = Results(ROOT, path), explanations(EXPLAINED), drawn(chosen)
    judged_before = [known.find(mutant, digest(ROOT, area.tests)) for area, mutant in work]
    if chosen.list:
        print(
            *(f"{one.outcome if one else '?':9} {m.name}" for (_, m), one in zip(work, judged_before, strict=True)),
            sep="\n",
        )
        return 0
    answers: Iterator[Judgement | None] = iter(judged_before)
    if not chosen.known:
        lock = alone(BUILD / "lock")
        if lock is None:
            sys.exit(f"one run at a time uses {BUILD}; another one does; wait for it")
        for i in range(chosen.processes):
            Tree(BUILD / f"tree-{i}").follow(ROOT)
        answers = judgements(work, chosen, known)
    judged: report.Judged = []
    for i, ((area, mutant), one) in enumerate(zip(work, answers, strict=True), 1):
        if one is not None:
            judged.append((area.name, mutant, one))
            line = f"[{i}/{len(work)}] {one.outcome:8} {one.seconds:5.1f} s  {mutant.name}  {one.how} {one.by}"
            print(line, flush=True)
    print(report.table(report.rows(judged, explained)), *report.survivors(judged, explained), sep="\n")
    if chosen.write and not chosen.only:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        about = {"date": today, "commit": commit(), "seed": chosen.seed, "least": chosen.least, "drawn": len(work),
                 "slips": chosen.slips, "tier": chosen.tier}  # fmt: skip
        PAGE.write_text(report.page(judged, explained, about), encoding="utf-8")
        if chosen.tier == "fast":
            TIERS.write_text(report.tiers(judged) + "\n", encoding="utf-8")
    open_ = [m for _, m, j in judged if j.outcome == "survived" and not any(e.fits(m) for e in explained)]
    slow = chosen.tier == "fast" and any(j.outcome == "slow" for _, _, j in judged)
    return bool(open_) or slow or len(judged) < len(work)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)
    sys.exit(main(sys.argv[1:]))
