"""Trees on streams compared: accuracy before learning each row, leaves and time, on generators of river and on noise.

``python -m reproductions.studies.streams --rules evidence river "river, delta .05, tau 0" --write FILE`` makes the
figures of docs/streams.md; with all rules it takes an hour on one core. Each row is predicted, then learnt.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from river.datasets import synth
from river.tree import ExtremelyFastDecisionTreeClassifier, HoeffdingTreeClassifier

from splitcrit import AnytimeTreeClassifier

Rows = Iterable[tuple[dict[Any, Any], Any]]
FIELDS = ("stream", "rule", "seed", "rows", "accuracy", "leaves", "seconds")


def noise(seed: int, share: float = 0.5) -> Iterator[tuple[dict[str, float], bool]]:
    """Five normal numbers, and labels that they do not move."""
    rng = np.random.default_rng(seed)
    while True:
        yield dict(zip("abcde", rng.normal(size=5).tolist(), strict=True)), bool(rng.random() < share)


def drifting(seed: int) -> Iterator[Any]:
    """Agrawal's function 4, and function 6 from row 10,000 on."""
    yield from islice(synth.Agrawal(classification_function=4, seed=seed, perturbation=0.05), 10_000)
    yield from synth.Agrawal(classification_function=6, seed=seed, perturbation=0.05)


STREAMS: dict[str, Callable[[int], Rows]] = {
    "Agrawal, function 4": lambda s: synth.Agrawal(classification_function=4, seed=s, perturbation=0.05),
    "Agrawal, function 6": lambda s: synth.Agrawal(classification_function=6, seed=s, perturbation=0.05),
    "hyperplane": lambda s: synth.Hyperplane(seed=s, n_features=10, noise_percentage=0.05),
    "LED": lambda s: synth.LED(seed=s, noise_percentage=0.1, irrelevant_features=True),
    "random RBF": lambda s: synth.RandomRBF(seed_model=s, seed_sample=s, n_classes=4, n_features=5, n_centroids=20),
    "random tree": lambda s: synth.RandomTree(
        seed_tree=s, seed_sample=s, n_num_features=6, n_cat_features=3, n_classes=2, max_tree_depth=5
    ),
    "SEA": lambda s: synth.SEA(seed=s, noise=0.1),
    "sine": lambda s: synth.Sine(seed=s, classification_function=2, has_noise=True),
    "waveform": lambda s: synth.Waveform(seed=s, has_noise=True),
    "Agrawal, 4 then 6": drifting,
    "noise, half of each": noise,
    "noise, one of ten": lambda s: noise(s, 0.1),
}
RULES: dict[str, Callable[[], Any]] = {
    "evidence": AnytimeTreeClassifier,
    "river": HoeffdingTreeClassifier,
    "river, delta .05, tau 0": lambda: HoeffdingTreeClassifier(delta=0.05, tau=0),
    "EFDT": ExtremelyFastDecisionTreeClassifier,
}


def run(rule: str, stream: str, seed: int, rows: int) -> dict[str, Any]:
    """Predict each row, then learn it."""
    model, right, start = RULES[rule](), 0, time.process_time()
    for x, y in islice(STREAMS[stream](seed), rows):
        right += model.predict_one(x) == y
        model.learn_one(x, y)
    seconds = round(time.process_time() - start, 2)
    found = (stream, rule, seed, rows, round(right / rows, 5), model.n_leaves, seconds)
    return dict(zip(FIELDS, found, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rules", nargs="*", choices=RULES, default=list(RULES))
    parser.add_argument("--streams", nargs="*", choices=STREAMS, default=list(STREAMS))
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    file = given.write.open("w", newline="", encoding="utf-8") if given.write else sys.stdout
    writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
    writer.writeheader()
    for stream in given.streams:
        for rule in given.rules:
            for seed in range(1, given.seeds + 1):
                writer.writerow(run(rule, stream, seed, given.rows))
                file.flush()


if __name__ == "__main__":
    main()
