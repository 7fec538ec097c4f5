"""How often a selective tree finds what tells, columns compared by calibrated surprises and by gains, and its time.

Run ``python reproductions/studies/selective_power.py --sets 400``. Ten columns: a flag, four values, twenty values,
seven numbers; ``binary``: the flag tells, .62 against .38; ``tail`` and ``U``: a number does; ``second``: a number
within the flag. Trees have depth 2. ``kept``: the root is split; ``right``: by the column that tells; ``second``: so is
a node below.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from splitcrit.inference import InferenceTreeClassifier

TRUTHS = {"null": -1, "binary": 0, "tail": 3, "U": 3, "second": 0}


def data_set(truth: str, seed: list[int], n: int = 200) -> tuple[Any, Any]:
    """Features and labels."""
    rng = np.random.default_rng(seed)
    few = [rng.integers(0, k, n) for k in (2, 4, 20)]
    x = np.column_stack([*few, rng.normal(size=(n, 7))])
    b, z = x[:, 0], x[:, 3]
    chance = {
        "null": np.full(n, 0.5), "binary": np.where(b > 0, 0.62, 0.38), "U": np.where(abs(z) > 1, 0.72, 0.4),
        "tail": np.where(z > 1, 0.8, 0.45), "second": np.where(b > 0, np.where(z > 0, 0.85, 0.35), 0.3),
    }[truth]  # fmt: skip
    return x, (rng.random(n) < chance).astype(int)


def main() -> None:
    """Print a line for each truth and comparison."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--sets", type=int, default=200)
    asked.add_argument("--permutations", type=int, default=999)
    options = asked.parse_args()
    for i, (truth, column) in enumerate(TRUTHS.items()):
        for compare in ("calibrated", "gain"):
            some = right = second = 0
            start = time.process_time()
            for s in range(options.sets):
                x, y = data_set(truth, [i, s])
                how: dict[str, Any] = {"n_permutations": options.permutations, "random_state": s}
                tree = InferenceTreeClassifier(compare=compare, max_depth=2, **how).fit(x, y).tree_
                some += tree.node_count > 1
                right += tree.node_count > 1 and tree.feature[0] == column
                second += tree.node_count > 3 and 3 in tree.feature[1:]
            milliseconds = 1000 * (time.process_time() - start) / options.sets
            shares = (
                f"{name} {x / options.sets:.3f}" for name, x in (("kept", some), ("right", right), ("3rd", second))
            )
            print(f"{truth:7s} {compare:10s}", *shares, f"{milliseconds:.0f} ms", flush=True)


if __name__ == "__main__":
    main()
