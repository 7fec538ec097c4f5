"""Trees on streams compared: accuracy before learning a row, leaves, splits and time, on river's generators and noise.

``python -m reproductions.studies.streams --write docs/data/streams.csv`` makes the figures of docs/streams.md, and goes
on where it was stopped. Each row is predicted, then learnt. A run ends after ``--limit`` seconds of the processor, and
says how many rows it learnt.

*Betting* follows what abstracts and summaries say of arXiv 2605.31239, whose text was not at hand: a candidate split
bets on by how much its sides predict a label better than the leaf, before each label, and splits once the wealth of
the universal portfolio exceeds the inverse of its share of the level. Candidates and levels are those of the evidence;
the score is Brier's, halved, the predictions are those of Krichevsky and Trofimov; these are choices made here.
"""

from __future__ import annotations

import argparse
import csv
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
from river.datasets import synth
from river.tree import ExtremelyFastDecisionTreeClassifier, HoeffdingTreeClassifier

from splitcrit import AnytimeTreeClassifier
from splitcrit.inference.streams import LeafEvidence, ShownSplit

Rows = Iterable[tuple[dict[Any, Any], Any]]
FIELDS = ("stream", "rule", "seed", "rows", "accuracy", "leaves", "splits", "useless", "first", "seconds")
CHANGE = 5_000  # the row at which streams drift, of twice as many
BETS = (1 - np.cos(np.pi * (np.arange(16) + 0.5) / 16)) / 2  # nodes of equal weight for the arcsine law on [0, 1]


class Bets(LeafEvidence):
    """The wealth of each candidate split that bets on its predictions; its mean over candidates is the evidence."""

    def update(self, x: dict[Any, Any], y: Any, tree: Any) -> None:
        """Bet on the label of a row, then take it in."""
        if self.first is not None:
            super().update(x, y, tree)
            if self.first is None:
                self.cuts = [(name, cut) for name, column in self.columns.items() for cut in range(len(column.parts))]
                self.sides = np.zeros((len(self.cuts), 2, len(self.classes) + 1))
                self.log_wealth = np.zeros((len(self.cuts), len(BETS)))
            return
        left = np.array([here for name, column in self.columns.items() for here in _left(column, x.get(name))])
        label = self.classes.get(y, len(self.classes))
        whole, mine = self.sides[0].sum(axis=0), self.sides[np.arange(len(left)), np.where(left, 0, 1)]
        gain = np.where(left >= 0, (_brier(whole, label) - _brier(mine, label)) / 2, 0.0)
        self.log_wealth += np.log1p(gain[:, None] * BETS)
        np.add.at(self.sides, (np.flatnonzero(left >= 0), 1 - left[left >= 0], label), 1)
        super().update(x, y, tree)

    def best(self, binary: bool) -> ShownSplit | None:
        """The candidate of the most wealth, which has to exceed the number of candidates over the level."""
        if self.first is not None or not self.cuts:
            return None
        wealth = np.logaddexp.reduce(self.log_wealth, axis=1) - np.log(len(BETS))
        at = int(wealth.argmax())
        name, cut = self.cuts[at]
        column, share = self.columns[name], float(wealth[at]) - float(np.log(len(wealth)))
        return ShownSplit(share, name, column.parts[cut], self._stats(column.tables()[cut]), column.numeric, False)


def _left(column: Any, value: Any) -> Iterable[int]:
    """Whether a value is left of each split of its column, -1 where there is none."""
    if value is None:
        return [-1] * len(column.parts)
    if not column.numeric:
        return [int(part == value) for part in column.parts]
    at = bisect_left(column.parts, value)
    return [int(at <= cut) for cut in range(len(column.parts))]


def _brier(counts: Any, label: int) -> Any:
    """Brier's score of the prediction of counts ``(..., K)`` for a label."""
    shares = (counts + 0.5) / (counts.sum(axis=-1, keepdims=True) + counts.shape[-1] / 2)
    return (shares**2).sum(axis=-1) - 2 * shares[..., label] + 1


class BettingTree(AnytimeTreeClassifier):
    """The tree whose leaves are split by bets."""

    def _new_leaf(self, initial_stats: Any = None, parent: Any = None) -> Any:
        leaf: Any = super()._new_leaf(initial_stats, parent)
        leaf.evidence = Bets(leaf.evidence.level)
        return leaf


def noise(seed: int, share: float = 0.5) -> Iterator[tuple[dict[str, float], bool]]:
    """Five normal numbers, and labels that they do not move."""
    rng = np.random.default_rng(seed)
    while True:
        yield dict(zip("abcde", rng.normal(size=5).tolist(), strict=True)), bool(rng.random() < share)


def agrawal(function: int) -> Callable[[int], Rows]:
    """River's Agrawal with one of its functions."""
    return lambda s: synth.Agrawal(classification_function=function, seed=s, perturbation=0.05)


def hyperplane(seed: int) -> Rows:
    return synth.Hyperplane(seed=seed, n_features=10, noise_percentage=0.05)


def rbf(seed: int) -> Rows:
    return synth.RandomRBF(seed_model=seed, seed_sample=seed, n_classes=4, n_features=5, n_centroids=20)


def random_tree(seed: int) -> Rows:
    return synth.RandomTree(
        seed_tree=seed, seed_sample=seed, n_num_features=6, n_cat_features=3, n_classes=2, max_tree_depth=5
    )


def sine(function: int) -> Callable[[int], Rows]:
    """River's sine with one of its functions, and two columns of noise."""
    return lambda s: synth.Sine(seed=s, classification_function=function, has_noise=True)


def waveform(seed: int) -> Rows:
    return synth.Waveform(seed=seed, has_noise=True)


def turned(seed: int) -> Rows:
    """Waveform, in which each column has the place of the one as far from the other end."""
    for x, y in waveform(seed):
        yield dict(zip(x, reversed(x.values()), strict=True)), y


def drifting(before: Callable[[int], Rows], after: Callable[[int], Rows]) -> Callable[[int], Rows]:
    """One law, then another."""

    def rows(seed: int) -> Iterator[Any]:
        yield from islice(before(seed), CHANGE)
        yield from after(seed)

    return rows


def other(law: Callable[[int], Rows]) -> Callable[[int], Rows]:
    """The generator with another seed, which makes another law."""
    return lambda seed: law(seed + 100)


GENERATORS: dict[str, Callable[[int], Rows]] = {
    "Agrawal, function 4": agrawal(4),
    "Agrawal, function 6": agrawal(6),
    "hyperplane": hyperplane,
    "LED": lambda s: synth.LED(seed=s, noise_percentage=0.1, irrelevant_features=True),
    "random RBF": rbf,
    "random tree": random_tree,
    "SEA": lambda s: synth.SEA(seed=s, noise=0.1),
    "sine": sine(2),
    "waveform": waveform,
}
AFTER: dict[str, Callable[[int], Rows]] = {  # what each generator drifts to
    "Agrawal, function 4": agrawal(6),
    "Agrawal, function 6": agrawal(4),
    "hyperplane": other(hyperplane),
    "LED": lambda s: synth.LEDDrift(seed=s, noise_percentage=0.1, irrelevant_features=True, n_drift_features=4),
    "random RBF": other(rbf),
    "random tree": other(random_tree),
    "SEA": lambda s: synth.SEA(seed=s, noise=0.1, variant=2),
    "sine": sine(3),
    "waveform": turned,
}
DRIFTING = {f"{name}, drifting": drifting(law, AFTER[name]) for name, law in GENERATORS.items()}
STREAMS: dict[str, Callable[[int], Rows]] = {
    **GENERATORS,
    "noise, half of each": noise,
    "noise, one of ten": lambda s: noise(s, 0.1),
    **DRIFTING,
}
RIGHT: dict[str, frozenset[Any]] = {  # columns that the labels depend on, where there are others
    "Agrawal, function 4": frozenset({"age", "salary", "loan", "commission"}),  # salary decides whether there is any
    "Agrawal, function 6": frozenset({"salary", "commission", "loan"}),
    "LED": frozenset(range(7)),
    "SEA": frozenset({0, 1}),
    "sine": frozenset({0, 1}),
    "waveform": frozenset(range(1, 20)),
    "noise, half of each": frozenset(),
    "noise, one of ten": frozenset(),
}
RULES: dict[str, Callable[[], Any]] = {
    "evidence": AnytimeTreeClassifier,
    "evidence, alpha 1e-30": lambda: AnytimeTreeClassifier(alpha=1e-30),
    "river": HoeffdingTreeClassifier,
    "river, delta .05, tau 0": lambda: HoeffdingTreeClassifier(delta=0.05, tau=0),
    "betting": BettingTree,
    "EFDT": ExtremelyFastDecisionTreeClassifier,
}


def split_columns(node: Any) -> list[Any]:
    """The columns that a tree is split by, that of the root first."""
    below = getattr(node, "children", ())
    return [node.feature, *(column for child in below for column in split_columns(child))] if below else []


def run(rule: str, stream: str, seed: int, rows: int, limit: float = float("inf")) -> dict[str, Any]:
    """Predict each row, then learn it, for as many seconds."""
    model, right, n, start = RULES[rule](), 0, 0, time.process_time()
    for x, y in islice(STREAMS[stream](seed), min(rows, 2 * CHANGE) if stream in DRIFTING else rows):
        right += model.predict_one(x) == y
        model.learn_one(x, y)
        n += 1
        if time.process_time() - start > limit:
            break
    seconds, columns = round(time.process_time() - start, 2), split_columns(model._root)
    useless = sum(column not in RIGHT[stream] for column in columns) if stream in RIGHT else ""
    first = columns[0] if columns else ""
    values = (stream, rule, seed, n, round(right / n, 5), model.n_leaves, len(columns), useless, first, seconds)
    return dict(zip(FIELDS, values, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rules", nargs="*", choices=RULES, default=list(RULES))
    parser.add_argument("--streams", nargs="*", choices=STREAMS, default=list(STREAMS))
    parser.add_argument("--limit", type=float, default=30.0)
    parser.add_argument("--write", type=Path, required=True)
    options = parser.parse_args()
    done = list(csv.DictReader(options.write.open(encoding="utf-8"))) if options.write.exists() else []
    finished = {(row["stream"], row["rule"], int(row["seed"])) for row in done}
    with options.write.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not done:
            writer.writeheader()
        for seed, rule, stream in product(range(1, options.seeds + 1), options.rules, options.streams):
            if (stream, rule, seed) not in finished:
                writer.writerow(run(rule, stream, seed, options.rows, options.limit))
                file.flush()


if __name__ == "__main__":
    main()
