"""scikit-learn's checks of estimators, on every estimator of trees, forests and intervals."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

import sklearn_suite
import splitcrit as sc
from sklearn_suite import FORESTS, LEFT_OUT, PAGE, TREES, Suite, counted, left_out, listed
from splitcrit import AdaptiveTreeClassifier, ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, gce, ne
from splitcrit.losses import square
from splitcrit.trees import ChiMerge, GapClustering, MultiwayTreeClassifier

# What scikit-learn 1.9 expects of its own forests (sklearn.utils._test_common.instance_generator) and of its
# classifiers that draw a hold-out, and no more.
DRAWN = "a row of weight 2 is drawn, or held out, otherwise than two equal rows are"
EXPECTED = {f"check_sample_weight_equivalence_on_{kind}_data": DRAWN for kind in ("dense", "sparse")}
COUNTED = {"check_class_weight_classifiers": "it weighs a class by 1e-4, and permutations are of counts"}


@dataclass(frozen=True)
class Family:
    """A family of a user, whose name is the same in every process, so that the names of tests are."""

    def __call__(self, q: float) -> Any:
        return gce(q)


def excused(estimator: Any) -> dict[str, str]:
    """The checks that an estimator fails, with the reason."""
    if isinstance(estimator, AdaptiveTreeClassifier | sc.AdaptiveForestClassifier):
        return EXPECTED
    if isinstance(estimator, ForestClassifier | ForestRegressor):
        return EXPECTED if estimator.bootstrap else {}
    return COUNTED if getattr(estimator, "criterion", None) in ("sgini", "significance") else {}


def checked(*estimators: Any) -> Callable[[Any], Any]:
    """Ask a test of every check of some estimators; of the fast ones, every estimator and every check occurs."""
    marks = (pytest.mark.each_value, pytest.mark.filterwarnings("ignore"))
    return lambda test: marks[0](marks[1](parametrize_with_checks(estimators, expected_failed_checks=excused)(test)))


@checked(
    TreeClassifier(), TreeClassifier(criterion="sgini"),
    TreeClassifier(criterion="entropy", min_gain=None, splitter="random", random_state=3),
    TreeClassifier(criterion="credal", max_leaf_nodes=8), TreeClassifier(criterion=ne(0.25), min_gain=None),
    TreeClassifier(criterion=sc.Criterion.from_loss(square), max_features="sqrt"), TreeClassifier(criterion="twoing"),
    TreeClassifier(criterion="significance"), TreeClassifier(categorical_features="from_dtype"),
    TreeClassifier(categorical_features=[0], min_gain=None),
    TreeRegressor(), TreeRegressor(criterion="absolute_error", min_gain=None),
    TreeRegressor(splitter="random", max_features=0.5, random_state=1),
    TreeRegressor(categorical_features=[0], max_exact_categories=4),
)  # fmt: skip
def test_contract_of_trees(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@checked(
    ForestClassifier(5), ForestClassifier(5, voting="hard", criterion=ne(0.5), min_gain=None),
    ForestClassifier(5, criterion="sgini", oob_score=True), ForestClassifier(5, bootstrap=False),
    ForestClassifier(5, bootstrap=False, voting="hard", criterion="twoing", splitter="random"),
    ForestClassifier(3, categorical_features=[0]),
    ForestRegressor(5), ForestRegressor(5, bootstrap=False, criterion="absolute_error", max_features=0.5),
    ForestRegressor(3, categorical_features=[0]),
)  # fmt: skip
def test_contract_of_forests(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@checked(
    AdaptiveTreeClassifier(),
    AdaptiveTreeClassifier(family=Family(), grid=(0.5, 1), refit=False, min_gain=None),
    AdaptiveTreeClassifier(categorical_features=[0], grid=(0, 1)),
    sc.AdaptiveForestClassifier(3, grid=(0, 1)),
    sc.AdaptiveForestClassifier(3, bootstrap=False, voting="hard", validation_fraction=0.3),
)  # fmt: skip
def test_contract_of_tuned_trees_and_forests(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@checked(
    MultiwayTreeClassifier(), MultiwayTreeClassifier(criterion="gini", d_num=0, linkage="average", minnum=3),
    MultiwayTreeClassifier(criterion=sc.agini, linkage="complete", max_clusters=5),
    MultiwayTreeClassifier(criterion="gain_ratio", unseen="largest"),
    ChiMerge(), ChiMerge(None, max_intervals=4), GapClustering(), GapClustering(3),
)  # fmt: skip
def test_contract_of_multiway_trees_and_intervals(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def test_no_check_is_excused_that_scikit_learn_passes() -> None:
    common = pytest.importorskip("sklearn.utils._test_common.instance_generator")
    for theirs in (RandomForestClassifier, RandomForestRegressor):
        assert set(EXPECTED) <= set(common.PER_ESTIMATOR_XFAIL_CHECKS[theirs])


# scikit-learn's own tests of its trees and forests pass on ours, but for those that docs/sklearn-tests.md lists.

ROOT = Path(__file__).parents[2]
LEAST = {TREES: 97, FORESTS: 97}  # per cent of the tests that apply


@pytest.mark.slow
@pytest.mark.parametrize("suite", [TREES, FORESTS])
def test_scikit_learns_tests(suite: str) -> None:
    command = [sys.executable, str(ROOT / "tests" / "sklearn_suite.py"), suite, f"--least={LEAST[suite]}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    count = "\n".join(run.stdout.splitlines()[-2:])
    page = PAGE.read_text()
    assert counted(page, suite, count) == page, f"run tests/sklearn_suite.py {suite} --write; {count}"


@pytest.mark.parametrize("suite", [TREES, FORESTS])
def test_the_page_counts_tests_of_which_most_pass(suite: str) -> None:
    found = re.search(rf"^(\d+) of (\d+) tests of {suite} that apply pass, ([\d.]+) %\.$", PAGE.read_text(), re.M)
    assert found is not None
    passed, applicable, share = float(found[1]), float(found[2]), float(found[3])
    assert LEAST[suite] <= share == round(100 * passed / applicable, 1)


def test_every_family_that_is_left_out_has_a_test() -> None:
    reasons = [*listed(TREES).values(), *listed(FORESTS).values()]
    assert {left_out(reason) for reason in reasons} - {None} == set(LEFT_OUT.values())
    assert left_out("Sparse features are refused.") is None


def test_a_run_fails_below_the_share_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sklearn_suite, "listed", lambda _: {"test_a": "Several outputs.", "test_b": "No colours."})
    reports = [("test_a[1]", "skipped"), ("test_b", "skipped"), *(("test_c", "passed"),) * 8, ("test_d", "failed")]
    for least, status in ((80.0, 0), (81.0, 1)):
        suite = Suite(TREES, least)
        for name, outcome in reports:
            report = SimpleNamespace(when="call", nodeid=f"x::{name}", passed=outcome == "passed",
                                     failed=outcome == "failed", skipped=outcome == "skipped", wasxfail="")  # fmt: skip
            suite.pytest_runtest_logreport(report)
        config = SimpleNamespace(getoption=lambda _: "")
        session = SimpleNamespace(testscollected=11, items=[None] * 11, config=config, exitstatus=0)
        suite.pytest_sessionfinish(session)
        assert session.exitstatus == status
    assert suite.count() == "8 of 10 tests of trees that apply pass, 80.0 %.\nLeft out: 1 several outputs."
