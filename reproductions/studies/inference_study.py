"""How often trees of tested splits err, and how often they find what is there.

``python reproductions/studies/inference_study.py errors --minutes 60`` adds blocks of samples to
docs/data/inference_errors.csv until the time is up, the cells with the fewest samples first; ``power`` and ``choice``
add to files of their own. Every block has a seed, so that any of them can be made again: what is there is never made
twice. R with partykit is asked for its trees if it is installed.

Main definitions: ``RULES``, ``found_by``, ``error_block``, ``power_block``, ``choice_block``.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from inference_ctree import CTREES, ctree_roots, installed
from inference_samples import ERRORS, POWER, Sample, null_is_true
from joblib import Parallel, delayed
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier, split_test
from splitcrit.nulls import selected_pvalue

DATA = Path(__file__).parents[2] / "docs" / "data"
ALPHA, DEPTH, PERMUTATIONS = 0.05, 3, 199
SIZES = {"selective": 200}  # rows of a sample; 400 for the others
BLOCKS = {"errors": 250, "power": 50, "choice": 250}  # samples of a block
COLUMNS = {
    "errors": ("rule", "data", "truth", "block", "seed", "samples", "false", "any"),
    "power": ("rule", "truth", "block", "seed", "samples", "root", "feature", "both"),
    "choice": ("rule", "feature", "block", "seed", "samples", "chosen"),
}
Split = tuple[int, tuple[tuple[int, float, bool], ...]]  # the feature of a split, and the path to it
Rule = Callable[[Sample, int], list[Split]]


def splits_of(tree: Any) -> Iterator[Split]:
    """Yield the splits of a fitted tree, each with its path."""
    waiting: list[tuple[int, tuple[tuple[int, float, bool], ...]]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        if tree.children_left[node] >= 0:
            feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
            yield feature, path
            waiting.append((int(tree.children_left[node]), (*path, (feature, threshold, True))))
            waiting.append((int(tree.children_right[node]), (*path, (feature, threshold, False))))


def of_root(sample: Sample, seed: int) -> list[Split]:
    """The split that the test of one node finds, by Bonferroni over features."""
    test = split_test(sample.x, sample.y, alpha=ALPHA, n_permutations=999, random_state=seed)
    return [(test.feature, ())] if test.rejected else []


def of_selective(sample: Sample, seed: int) -> list[Split]:
    """The splits of a tree of selective tests, whose features are compared by their gains."""
    tree = InferenceTreeClassifier(
        alpha=ALPHA,
        compare="gain",
        max_depth=DEPTH,
        n_permutations=PERMUTATIONS,
        max_exceedances=None,
        random_state=seed,
    )
    return list(splits_of(tree.fit(sample.x, sample.y).tree_))


def of_nodes(sample: Sample, seed: int) -> list[Split]:
    """The splits of a tree whose nodes are tested one by one, which promises nothing below the root."""
    tree = InferenceTreeClassifier(
        alpha=ALPHA, test="node", correction="permutation", max_depth=DEPTH, random_state=seed
    )
    return list(splits_of(tree.fit(sample.x, sample.y).tree_))


def of_honest(sample: Sample, seed: int) -> list[Split]:
    """The splits of a tree that one half of the rows has grown and the other has tested."""
    grown = DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=5, random_state=seed)
    return list(splits_of(HonestTreeClassifier(grown, alpha=ALPHA, random_state=seed).fit(sample.x, sample.y).tree_))


def of_pruning(sample: Sample, seed: int) -> list[Split]:
    """The splits of a tree pruned by cost-complexity, chosen by cross-validation."""
    grown = DecisionTreeClassifier(max_depth=DEPTH, random_state=seed)
    alphas = np.unique(grown.cost_complexity_pruning_path(sample.x, sample.y).ccp_alphas.clip(0))
    search = GridSearchCV(grown, {"ccp_alpha": alphas}, cv=5).fit(sample.x, sample.y)
    return list(splits_of(search.best_estimator_.tree_))


RULES: dict[str, Rule] = {"root": of_root, "selective": of_selective, "honest": of_honest, "node": of_nodes}
RIVALS: dict[str, Rule] = {**RULES, "pruned": of_pruning}


def seed_of(*names: object) -> int:
    """A seed that depends on every name."""
    return zlib.crc32(repr(names).encode())


def made(maker: Callable[..., Sample], rule: str, seed: int, number: int) -> Sample:
    """Return one sample of a block."""
    return maker(SIZES.get(rule, 400), np.random.default_rng([seed, number]))


def error_block(rule: str, data: str, truth: str, block: int) -> dict[str, Any]:
    """In how many samples of a block a rule rejects any true null, and in how many it rejects anything."""
    seed, size = seed_of("errors", rule, data, truth, block), BLOCKS["errors"]
    false = some = 0
    for number in range(size):
        sample = made(ERRORS[data, truth], rule, seed, number)
        splits = RULES[rule](sample, number)
        false += any(null_is_true(sample, path) for _, path in splits)
        some += bool(splits)
    row = {"rule": rule, "data": data, "truth": truth, "block": block, "seed": seed}
    return row | {"samples": size, "false": false, "any": some}


def power_block(rule: str, truth: str, block: int) -> dict[str, Any]:
    """In how many samples the root is split, splits by the first feature, and both telling features are used."""
    seed, size = seed_of("power", truth, block), BLOCKS["power"]
    samples = [POWER[truth](400, np.random.default_rng([seed, number])) for number in range(size)]
    if rule in CTREES:
        roots, both = ctree_roots(samples, rule), None
    else:
        trees = [RIVALS[rule](sample, number) for number, sample in enumerate(samples)]
        roots = [next((feature for feature, path in each if not path), None) for each in trees]
        both = sum({0, 1} <= {feature for feature, _ in each} for each in trees)
    row = {"rule": rule, "truth": truth, "block": block, "seed": seed, "samples": size}
    right = {0, 1} if truth == "exclusive or" else {0}
    split, named = sum(root is not None for root in roots), sum(root in right for root in roots)
    return row | {"root": split, "feature": named, "both": both}


def choice_block(rule: str, block: int) -> list[dict[str, Any]]:
    """How often each of five features that tell nothing is the one of the smallest p-value."""
    seed, size, names = seed_of("choice", block), BLOCKS["choice"], ("2", "4", "10", "20", "continuous")
    chosen: Counter[int] = Counter()
    for number in range(size):
        rng = np.random.default_rng([seed, number])
        x = np.column_stack([*(rng.integers(0, int(v), 100) for v in names[:4]), rng.normal(size=100)]).astype(float)
        y = rng.permutation(np.repeat([0, 1], 50))
        classes = np.stack([y == 0, y == 1], axis=1).astype(int)
        tables = [(column == np.unique(column)[:, None]).astype(int) @ classes for column in x.T]
        p, mid = np.array([[selected_pvalue(table, mid=half).value for table in tables] for half in (False, True)])
        u = rng.random(len(p)) if rule == "randomised" else np.full(len(p), 0.5 if rule == "mid" else 1.0)
        by = p - 2 * (1 - u) * (p - mid)  # between the chance of a higher score, 2 mid - p, and that of one as high
        chosen[int(np.argmin(by))] += 1
    row = {"rule": rule, "block": block, "seed": seed, "samples": size}
    return [row | {"feature": name, "chosen": chosen[place]} for place, name in enumerate(names)]


def cells(study: str) -> list[tuple[str, ...]]:
    """The cells of a study."""
    if study == "errors":
        root = [("root", data, "none") for data, truth in ERRORS if truth == "none"]
        node = [("node", data, "none") for data, truth in ERRORS if truth == "none"]
        return root + node + [(rule, *cell) for rule in ("selective", "honest") for cell in ERRORS]
    if study == "power":
        return [(rule, truth) for rule in (*RIVALS, *(CTREES if installed() else ())) for truth in POWER]
    return [(rule,) for rule in ("smallest", "mid", "randomised")]


def work(study: str, cell: tuple[str, ...], block: int) -> list[dict[str, Any]]:
    """The rows of one block."""
    if study == "choice":
        return choice_block(*cell, block)
    return [(error_block if study == "errors" else power_block)(*cell, block)]


def main(study: str, minutes: float, jobs: int, most: int) -> None:
    path, names = DATA / f"inference_{study}.csv", COLUMNS[study]
    keys = names[: names.index("block")] if study != "choice" else ("rule",)
    rows = list(csv.DictReader(path.open())) if path.exists() else []
    done = {(tuple(row[key] for key in keys), int(row["block"])) for row in rows}
    wanted = ((cell, block) for block in range(most) for cell in cells(study) if (cell, block) not in done)
    until = time.monotonic() + 60 * minutes
    with path.open("a", newline="") as file:
        out = csv.DictWriter(file, names, lineterminator="\n")
        if not rows:
            out.writeheader()
        while time.monotonic() < until and (some := list(itertools.islice(wanted, 4 * jobs))):
            for block_rows in Parallel(n_jobs=jobs)(delayed(work)(study, *one) for one in some):
                out.writerows(block_rows)
            file.flush()
            print(f"{study}: to block {some[-1][1]}, {' '.join(some[-1][0])}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("study", choices=list(BLOCKS))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=20)
    options = parser.parse_args()
    main(options.study, options.minutes, options.jobs, options.blocks)
