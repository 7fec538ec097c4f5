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

import splitcrit
from splitcrit import agini, decrease, entropy, gini, impurities, losses, normalised, nulls, sgini
from splitcrit.criteria import Criterion, as_criterion, imprecise_information_gain, replace
from splitcrit.importance import adjusted, air, pimp
from splitcrit.inference import NodeTest, SplitTest
from splitcrit.losses import ResponseLoss
from splitcrit.losses.simplex import _one_vs_rest_errors

TEXT = (Path(__file__).parent / "pickled_0_3_0.txt").read_text().replace("\n", "")  # what release 0.3.0 pickled
PICKLED: dict[str, bytes] = pickle.loads(zlib.decompress(base64.b85decode(TEXT)))
REFUSED = {
    "honest": "a fitted tree is unpickled by the release that pickled it; got an honest tree of release 0.3; fit",
    "audit": "a report is unpickled by the release that pickled it; got an audit of release 0.3; audit the model",
}
CRITERIA: dict[str, Any] = {
    "gini": decrease(gini),
    "twoing": splitcrit.twoing,
    "sgini": sgini,
    "agini": replace(agini, alpha=0.2),
    "significance": splitcrit.significance,
    "max_selected": replace(nulls.max_selected, samples=99),
    "pimp": pimp(permutations=9),
    "pimp_gamma": pimp(permutations=9, law="gamma"),
    "air": air(),
    "adjusted": adjusted(entropy),
    "normalised": normalised(sgini),
    "ratio": splitcrit.imprecise_gain_ratio(1),
    "poisson": as_criterion(impurities.poisson((0, 1))),
    "squared": Criterion.from_loss(losses.squared_error((0, 1))),
    "margin": Criterion.from_loss(losses.hinge),
    "gce": as_criterion(splitcrit.gce(0.5)),
    "responses": Criterion.from_loss(ResponseLoss("mine", _one_vs_rest_errors)),
    "credal": imprecise_information_gain(1),
    "poisson_loss": Criterion.from_loss(losses.poisson((0, 1))),
    "numeric": Criterion.from_loss(losses.distribution_loss(losses.logistic_cdf)),
    "scaled": as_criterion(splitcrit.scaled(gini, 2)),
    "pairwise_gain": splitcrit.pairwise_gain,
    "twoclass": as_criterion(splitcrit.sqrt_gini),
    "identity": splitcrit.noise.identity,
    "symmetric": splitcrit.symmetric(0.25),
}
TABLE = [[3, 1], [2, 5]]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 2)).round(1)  # the training set of the trees of inference
Y = (RNG.random(120) < np.where(X[:, 1] > 0, 0.9, 0.1)).astype(int)


def test_all_are_read_in_a_new_process() -> None:
    code = (
        "import base64, pickle, sys, zlib\n"
        "for name, data in pickle.loads(zlib.decompress(base64.b85decode(sys.stdin.read()))).items():\n"
        f"    if name not in {tuple(REFUSED)}:\n"
        "        print(name, type(pickle.loads(data)).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=TEXT, capture_output=True, text=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [x for x in PICKLED if x not in REFUSED], (
        done.stderr
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_other_fields_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match=REFUSED[name]):
        pickle.loads(PICKLED[name])


def test_all_criteria_are_among_them() -> None:
    assert {name.removeprefix("criterion_") for name in PICKLED if name.startswith("criterion_")} == {*CRITERIA}


@pytest.mark.parametrize("name", CRITERIA)
def test_a_criterion_equals_that_of_today(name: str) -> None:
    """Criteria of 0.3.0 had fewer fields."""
    found, value = pickle.loads(PICKLED[f"criterion_{name}"]), CRITERIA[name]
    assert found == value and hash(found) == hash(value)
    if name == "responses":
        assert found.response_loss == value.response_loss is not None
    elif isinstance(value, Criterion):
        assert float(found(TABLE)) == float(value(TABLE)) and found.counting == value.counting


@pytest.mark.parametrize("name", ["inference", "numbers"])
def test_a_tree_of_tested_splits_predicts_as_one_of_today(name: str) -> None:
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
