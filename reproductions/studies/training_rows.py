"""Are training rows told from new ones by the trees that they grew? A thousand small forests on made-up data.

``python reproductions/studies/training_rows.py [FORESTS]`` writes how many forests refuse, and how many mark, new rows,
the training rows in their order, the same in another order, and the same among new rows. Its exit status is 1 if more
than 5 of 1,000 forests take new rows for training rows, or if the training rows in their order go unnoticed anywhere.

Numbers, rounded numbers, features of two values, and rows sorted by their class; three to ten trees, some without a
bootstrap, from stumps to full depth; half as many to twice as many new rows as training rows. A single stump would
agree with new rows more often, and mark them.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from splitcrit.audits import audit
from splitcrit.audits.auditing import TRAINED

FORESTS, FALSE = 1000, 5
KINDS, DEPTHS = ("numbers", "rounded", "two values", "sorted"), (50, 1, 2, 3, 5)
TREES, ROWS = (3, 5, 10), (30, 60, 150)
Data = tuple[np.ndarray, np.ndarray]


def drawn(rng: np.random.Generator, rows: int, kind: str) -> Data:
    """Features and labels of two classes, of which the first feature tells."""
    x = rng.integers(0, 2, (rows, 4)).astype(float) if kind == "two values" else rng.normal(size=(rows, 4))
    x = x.round(1) if kind == "rounded" else x
    y = (x[:, 0] + (rng.random(rows) < 0.2) > 0.5).astype(int)
    y[:2] = 0, 1
    order = np.argsort(y, kind="stable") if kind == "sorted" else np.arange(rows)
    return x[order], y[order]


def verdict(forest: RandomForestClassifier, data: Data) -> str:
    """Whether rows are refused, marked or taken for new ones."""
    try:
        return "marked" if TRAINED in audit(forest, *data).remarks else "taken for new"
    except ValueError as error:
        return "refused" if "grew no tree" in str(error) else "not audited"


def verdicts(seed: int) -> dict[str, str]:
    """What a forest says of rows that it has and has not seen."""
    rng = np.random.default_rng(seed)
    kind, depth = KINDS[rng.integers(len(KINDS))], DEPTHS[rng.integers(len(DEPTHS))]
    trees, rows = TREES[rng.integers(len(TREES))], ROWS[rng.integers(len(ROWS))]
    old, new = drawn(rng, rows, kind), drawn(rng, int(rows * rng.choice([0.5, 1, 1, 1.6, 2])), kind)
    forest = RandomForestClassifier(trees, max_depth=depth, bootstrap=bool(rng.random() < 0.7), random_state=seed)
    forest.fit(*old)
    both = np.vstack([old[0], new[0]]), np.append(old[1], new[1])
    mixed, among = rng.permutation(rows), rng.permutation(len(both[1]))
    each = {"new rows": new, "training rows": old, "training rows in another order": (old[0][mixed], old[1][mixed]),
            "training rows among new ones": (both[0][among], both[1][among])}  # fmt: skip
    return {name: verdict(forest, data) for name, data in each.items()}


def counts(forests: int = FORESTS) -> dict[str, Counter[str]]:
    """How many forests say what of which rows."""
    verdict_counts: dict[str, Counter[str]] = {}
    for seed in range(forests):
        for name, word in verdicts(seed).items():
            verdict_counts.setdefault(name, Counter())[word] += 1
    return verdict_counts


def main(forests: int = FORESTS) -> int:
    verdict_counts = counts(forests)
    for name, words in verdict_counts.items():
        print(f"{name}: " + ", ".join(f"{number} {word}" for word, number in sorted(words.items())))
    alarms = verdict_counts["new rows"]["refused"] + verdict_counts["new rows"]["marked"]
    return int(alarms > FALSE * forests / FORESTS or verdict_counts["training rows"]["taken for new"] > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
