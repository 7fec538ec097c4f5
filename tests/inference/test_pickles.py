"""Pickles of release 0.3 are read, whatever module their classes are in today, or refused in one sentence."""

from __future__ import annotations

import base64
import pickle
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit.inference import NodeTest, SplitTest, Stability

FILE = Path(__file__).parent / "pickled_0_3_0.txt"
PICKLED: dict[str, bytes] = pickle.loads(zlib.decompress(base64.b85decode(FILE.read_text().replace("\n", ""))))
RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 2)).round(1)  # the training set of all of them
Y = (RNG.random(120) < np.where(X[:, 1] > 0, 0.9, 0.1)).astype(int)


@pytest.mark.parametrize("name", ["inference", "numbers"])
def test_a_tree_of_tested_splits_is_read(name: str) -> None:
    old = pickle.loads(PICKLED[name])
    new = type(old)(**old.get_params()).fit(X, X[:, 1] if name == "numbers" else Y)
    assert all(isinstance(each, NodeTest) for each in old.verdicts_) and old.verdicts_ == new.verdicts_
    assert np.array_equal(old.predict(X), new.predict(X)) and old.export_text() == new.export_text()


def test_the_test_of_a_node_is_read() -> None:
    old = pickle.loads(PICKLED["test"])
    assert type(old) is SplitTest and old.name == "x1" and old.rejected and "x1 <= 0.05" in str(old)


def test_a_split_by_categories_is_read() -> None:
    tree, splits = pickle.loads(PICKLED["categories"]), pickle.loads(PICKLED["splits"])
    assert splits == tree.splits_ and splits[0].left == ("r",)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("honest", "a fitted tree is unpickled by the release that pickled it; got an honest tree of release 0.3; fit"),
        ("audit", "a report is unpickled by the release that pickled it; got an audit of release 0.3; audit the model"),
    ],
)
def test_what_has_other_fields_is_refused_in_one_sentence(name: str, said: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match=said):
        pickle.loads(PICKLED[name])


def test_former_modules_answer_before_the_new_ones_are_imported() -> None:
    code = (
        "import splitcrit.inference.{0} as former; print(former.{1}.__module__, hasattr(former, '__warningregistry__'))"
    )
    homes: dict[str, Any] = {
        "divisions": ("Stability", "honest"), "structures": ("Structure", "tree_arrays"),
        "subtree_results": ("SignificantSubtree", "significant_part"),
        "trees": ("InferenceTreeRegressor", "tested_trees"),
    }  # fmt: skip
    for former, (name, home) in homes.items():
        done = subprocess.run([sys.executable, "-c", code.format(former, name)], capture_output=True, text=True)
        assert done.stdout.split() == [f"splitcrit.inference.{home}", "False"], done.stderr
    assert Stability.__module__ == "splitcrit.inference.honest"
