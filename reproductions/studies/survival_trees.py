"""Level and power of trees of log-rank scores at the root, beside ctree of R on the same files.

``python reproductions/studies/survival_trees.py [SETS] [FOLDER]`` writes ``SETS`` data sets a scenario into a folder,
prints how often the root is split and how often by the right feature; ``ctree`` is asked where Rscript and partykit are
there. It is given the same scores as numbers: of ``Surv`` responses it makes them itself, for which it needs the
package coin.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

from splitcrit.columns import log_rank
from splitcrit.inference import InferenceTreeRegressor

ROWS, LEAST = 150, 7
SCENARIOS = {"null": -1, "binary": 0, "step": 1, "ends": 1, "tail": 2}  # the feature that is right
R = """
suppressMessages({library(survival); library(partykit)})
for (path in list.files("FOLDER", "csv$", full.names = TRUE)) {
  d <- read.csv(path)
  tree <- ctree(score ~ . - time - event, data = d, control = ctree_control(maxdepth = 1))
  split <- split_node(node_party(tree))
  cat(basename(path), if (is.null(split)) -1 else match(names(tree$data)[split$varid], names(d)) - 1, "\\n")
}
"""


def drawn(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Features and responses of a scenario: a binary feature and five normal ones."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 2, ROWS), rng.normal(size=(ROWS, 5))])
    log_hazard = {
        "null": 0 * X[:, 0], "binary": 0.6 * X[:, 0], "step": 0.6 * (X[:, 1] > 0), "ends": 0.9 * (abs(X[:, 1]) > 1),
        "tail": 1.1 * (X[:, 2] > 1),
    }[name]  # fmt: skip
    time, censored = rng.exponential(size=ROWS) / np.exp(log_hazard), rng.exponential(2, size=ROWS)
    return X, np.column_stack([np.minimum(time, censored), time <= censored])


def main() -> None:
    """Print the table."""
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    root: dict[tuple[str, str], list[int]] = defaultdict(list)
    for name in SCENARIOS:
        for seed in range(sets):
            X, y = drawn(name, seed)
            table = np.column_stack([X, y, log_rank(y)])
            header = "a,b,c,d,e,f,time,event,score"
            np.savetxt(folder / f"{name}_{seed}.csv", table, delimiter=",", header=header, comments="")
            for test in ("selective", "node"):
                tree = InferenceTreeRegressor(
                    response_scores=log_rank, test=test, correction=None if test == "selective" else "bonferroni",
                    max_depth=1, min_samples_leaf=LEAST, n_permutations=999, random_state=seed,
                )  # fmt: skip
                root[name, test].append(int(tree.fit(X, y).tree_.feature[0]))
    if shutil.which("Rscript"):
        script = R.replace("FOLDER", str(folder))
        done = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, check=True)
        for path, feature in map(str.split, done.stdout.splitlines()):
            root[path.partition("_")[0], "ctree"].append(int(feature))
    print(f"{'scenario':10}{'test':12}{'split':>8}{'right':>8}   of {sets} data sets")
    for (name, test), features in sorted(root.items()):
        split, right = np.mean(np.array(features) >= 0), np.mean(np.array(features) == SCENARIOS[name])
        print(f"{name:10}{test:12}{split:8.3f}{right if name != 'null' else np.nan:8.3f}")


if __name__ == "__main__":
    main()
