"""The driver alone: a source that halves its nodes, whose tree is known without any search."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from splitcrit.trees.growth import GrowthOptions, Stopping
from splitcrit.trees.growth.driver import Draws, LevelNodes, Step, assembled, levels
from splitcrit.trees.growth.grown_tree import numbered
from splitcrit.trees.scan import LevelSplits
from splitcrit.trees.scan.random_keys import root_key, side_keys


@dataclass(frozen=True, eq=False)
class Halves:
    """Open nodes of some sizes, of two classes; each of an even size is split in the middle, by feature = depth."""

    sizes: np.ndarray
    depth: int = 0
    seen: list[Any] = field(default_factory=list)

    def root(self) -> LevelNodes:
        return self.nodes(self.sizes)

    def nodes(self, sizes: np.ndarray) -> LevelNodes:
        return LevelNodes.of_classes(sizes, np.stack([sizes - 1, np.ones_like(sizes)], axis=1).astype(float))

    def split(self, draws: Draws) -> Step:
        self.seen.append((self.depth, self.sizes.tolist(), draws.keys))
        m, half, pays = len(self.sizes), self.sizes // 2, self.sizes % 2 == 0
        some = np.full(m, self.depth), np.full(m, 0.5), np.zeros(m, dtype=bool)
        splits = LevelSplits(*some, np.ones(m), np.zeros(m), np.empty((m, 2)), half, np.full(m, -1))
        return Step(pays, splits, self.nodes(np.repeat(half[pays], 2)))

    def divide(self, step: Step, opened: np.ndarray) -> Halves:
        return replace(self, sizes=step.children.sizes[opened], depth=self.depth + 1)


def grown(size: int, growing: GrowthOptions) -> tuple[Any, list[Any]]:
    source = Halves(np.array([size]))
    tree = assembled(*levels(source, growing.stopping, Draws.of(growing)))
    return numbered(tree, tree.left >= 0), source.seen


def test_nodes_are_numbered_depth_first_and_share_out_their_samples() -> None:
    tree, seen = grown(12, GrowthOptions())
    assert tree.size.tolist() == [12, 6, 3, 3, 6, 3, 3]
    assert tree.left.tolist() == [1, 2, -1, -1, 5, -1, -1]
    assert tree.right.tolist() == [4, 3, -1, -1, 6, -1, -1]
    assert tree.feature.tolist() == [0, 1, -1, -1, 1, -1, -1]
    assert tree.depth.tolist() == [0, 1, 2, 2, 1, 2, 2]
    assert tree.weights.sum(axis=1).tolist() == tree.size.tolist() and np.isnan(tree.value).all()
    assert [sizes for _, sizes, _ in seen] == [[12], [6, 6], [3, 3, 3, 3]]


def test_only_open_nodes_reach_the_source() -> None:
    tree, seen = grown(16, GrowthOptions(Stopping(max_depth=2)))
    assert [sizes for _, sizes, _ in seen] == [[16], [8, 8]] and tree.depth.max() == 2
    tree, seen = grown(16, GrowthOptions(Stopping(min_samples_split=5)))
    assert [sizes for _, sizes, _ in seen] == [[16], [8, 8]] and tree.size.min() == 4
    tree, seen = grown(1, GrowthOptions())
    assert seen == [] and tree.left.tolist() == [-1]
    tree, _ = grown(7, GrowthOptions())
    assert tree.left.tolist() == [-1]


def test_keys_follow_the_path_from_the_root() -> None:
    root = root_key(5)[None]
    left, right = side_keys(root)
    below = np.stack([side_keys(left), side_keys(right)]).reshape(-1)
    for growing in (GrowthOptions(max_features=1, seed=5), GrowthOptions(splitter="random", seed=5)):
        keys = [keys for _, _, keys in grown(12, growing)[1]]
        for found, known in zip(keys, (root, np.concatenate([left, right]), below), strict=True):
            assert np.array_equal(found, known)
