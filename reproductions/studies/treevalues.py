"""Trees of tested splits beside treevalues (R), which tests the splits of a regression tree on the rows that grew it.

Run ``python reproductions/studies/treevalues.py --sets 400``; R needs rpart and treevalues (``R_LIBS`` names their
folder). ``noise``: the normal response depends on no column; ``skewed``: nor does the log-normal one; ``step`` and
``shift``: it is higher by .6, and by 1, where the first of five columns is positive. Trees have depth 2. ``root``: the
share of data sets whose root has p <= .05 and, if something depends, is split by the first column; ``any``: where any
node has; ``all``: where any has with p times the number of splits. Then the splits of the diabetes data, with p and
intervals.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_diabetes

from splitcrit.inference import HonestTreeRegressor, InferenceTreeRegressor

ALPHA, ROWS, COLUMNS = 0.05, 100, 5
TRUTHS = {"noise": 0.0, "skewed": 0.0, "step": 0.6, "shift": 1.0}
SCRIPT = """
suppressMessages({{library(rpart); library(treevalues)}})
rows <- read.csv("rows.csv")
for (s in unique(rows$sample)) {{
  one <- rows[rows$sample == s, -1]
  tree <- rpart(y ~ ., data = one, model = TRUE, maxdepth = 2, minbucket = 10, cp = 0.02, xval = 0)
  inner <- tree$frame$var != "<leaf>"
  for (node in as.numeric(rownames(tree$frame))[inner]) {{
    column <- as.character(tree$frame[as.character(node), "var"])
    branch <- getBranch(tree, 2 * node)
    sides <- lapply(2 * node + 0:1, function(side) one$y[getRegion(tree, side)])
    found <- branchInference(tree, branch, type = "sib", computeCI = {intervals})
    ends <- if ({intervals}) found$confint else c(NA, NA)
    cat(s, node, column, found$pval, t.test(sides[[1]], sides[[2]])$p.value, found$samplemean, ends[1], ends[2],
        gsub(" ", "", tail(branch, 1)), "\\n")
  }}
}}
"""


def installed() -> bool:
    """Whether R has treevalues."""
    if shutil.which("Rscript") is None:
        return False
    asked = ["Rscript", "-e", "library(rpart); library(treevalues)"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def of_treevalues(samples: list[tuple[Any, Any]], names: list[str], intervals: bool) -> list[list[list[str]]]:
    """For each sample and inner node: number, column, p, Welch's p, difference, interval and split."""
    with tempfile.TemporaryDirectory() as folder:
        table = np.concatenate([np.column_stack([np.full(len(y), i), y, x]) for i, (x, y) in enumerate(samples)])
        head = ",".join(["sample", "y", *names])
        np.savetxt(Path(folder, "rows.csv"), table, delimiter=",", header=head, comments="", fmt="%.17g")
        Path(folder, "trees.R").write_text(SCRIPT.format(intervals="TRUE" if intervals else "FALSE"))
        printed = subprocess.run(["Rscript", "trees.R"], cwd=folder, capture_output=True, text=True, check=True)
    nodes: list[list[list[str]]] = [[] for _ in samples]
    for line in printed.stdout.splitlines():
        nodes[int(line.split()[0])].append(line.split()[1:])
    return nodes


def data_set(truth: str, seed: list[int]) -> tuple[Any, Any]:
    """Columns and response."""
    rng = np.random.default_rng(seed)
    x, noise = rng.normal(size=(ROWS, COLUMNS)), rng.normal(size=ROWS)
    return x, np.exp(1.5 * noise) if truth == "skewed" else noise + TRUTHS[truth] * (x[:, 0] > 0)


def line(truth: str, name: str, splits: list[tuple[bool, bool, bool]], seconds: float) -> None:
    """Print the shares of data sets."""
    root, some, corrected = np.mean(splits, axis=0)
    shares = f"root {root:.3f} any {some:.3f} all {corrected:.3f}"
    print(f"{truth:7s} {name:24s} {shares} {1000 * seconds / len(splits):.0f} ms", flush=True)


def by_r(truth: str, samples: list[tuple[Any, Any]]) -> None:
    """Print what treevalues, and Welch's t test that forgets how the split was found, say."""
    start = time.perf_counter()
    nodes = of_treevalues(samples, [f"x{j}" for j in range(COLUMNS)], False)
    seconds = time.perf_counter() - start
    for name, place in (("treevalues", 2), ("Welch's t test", 3)):
        splits = []
        for mine in nodes:
            p = [float(words[place]) for words in mine]
            right = bool(mine) and p[0] <= ALPHA and (TRUTHS[truth] == 0 or mine[0][1] == "x0")
            splits.append((right, min(p, default=1) <= ALPHA, min(p, default=1) * len(p) <= ALPHA))
        line(truth, name, splits, seconds)


def by_ours(truth: str, samples: list[tuple[Any, Any]], kind: Any) -> None:
    """Print what trees of tested splits say, which have one error rate for the whole tree."""
    start, splits = time.perf_counter(), []
    for seed, (x, y) in enumerate(samples):
        if kind is InferenceTreeRegressor:
            tree = kind(max_depth=2, random_state=seed).fit(x, y).tree_
            split, column = tree.node_count > 1, tree.feature[0]
        else:
            result = kind(random_state=seed).fit(x, y).result_
            split, column = bool(result.tests.rejected[0]), result.structure.feature[0]
        splits.append((split and (TRUTHS[truth] == 0 or column == 0), split, split))
    line(truth, kind.__name__, splits, time.perf_counter() - start)


def real_file() -> None:
    """Print the splits of the diabetes data with p-values and intervals."""
    data = load_diabetes(as_frame=True)
    start = time.perf_counter()
    (nodes,) = of_treevalues([(data.data.to_numpy(), data.target.to_numpy())], list(data.data), True)
    print(f"\nrpart and treevalues, {time.perf_counter() - start:.1f} s")
    for node, _, p, _, difference, low, high, split in nodes:
        print(f"node {node}: {split}, difference {difference} ({low}, {high}), p = {p}")
    tested, honest = InferenceTreeRegressor(max_depth=2, random_state=0), HonestTreeRegressor(random_state=0)
    print(f"\n{tested}\n{tested.fit(data.data, data.target).export_text()}")
    print(f"\n{honest}\n{honest.fit(data.data, data.target).result_.to_text()}")


def main() -> int:
    """Run all and return the exit status."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--sets", type=int, default=400)
    options = asked.parse_args()
    if not installed():
        print("nothing was run: R has no treevalues (github.com/anna-neufeld/treevalues)")
        return 0
    for i, truth in enumerate(TRUTHS):
        samples = [data_set(truth, [i, s]) for s in range(options.sets)]
        by_r(truth, samples)
        for kind in (InferenceTreeRegressor, HonestTreeRegressor):
            by_ours(truth, samples, kind)
    real_file()
    return 0


if __name__ == "__main__":
    sys.exit(main())
