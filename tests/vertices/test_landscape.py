"""All vertices with their values, the nearly balanced ones of random nodes, and splits that divide classes."""

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from objects import CLASS_IMPURITIES, CRITERIA
from splitcrit import entropy, gini, imprecise_information_gain, optimal_vertex, twoing, vertex_landscape
from splitcrit.criteria.facts import known
from splitcrit.impurities import Impurity
from splitcrit.vertices import fractional_optimum, near_ties
from splitcrit.vertices.balance import nearest
from splitcrit.vertices.node import NodeShares

RECORDED = Path(__file__).parents[2] / "docs" / "reproductions" / "breiman1996" / "near_ties.csv"


def bimodal(p, m):
    """Zero for pure and for even nodes of two classes, negative between: not concave."""
    apart = (p[0] - p[1]) * (p[0] - p[1])
    return -4 * apart * (1 - apart)


# ---- the landscape ----


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_every_vertex_once_with_its_score(criterion):
    p = [5, 3] if criterion.classes == 2 else [5, 0, 7, 3, 1]
    found = vertex_landscape(p, criterion)
    present = sum(x > 0 for x in p)
    assert len(found) == len({tuple(row) for row in found.left.tolist()}) == 2 ** (present - 1) - 1
    assert (np.diff(found.value) <= 0).all()
    for left, share, value in zip(found.left, found.share, found.value, strict=True):
        assert left[np.argmax(p)] and not left[np.array(p) == 0].any()
        assert share == pytest.approx(float((np.array(p) * left).sum() / sum(p)))
        assert value == pytest.approx(float(criterion([(p * left).tolist(), (p * ~left).tolist()])), abs=1e-15)
    assert found.value[0] == pytest.approx(float(optimal_vertex(p, criterion).value), abs=1e-14)


@pytest.mark.parametrize("criterion", [gini, entropy], ids=str)
def test_the_best_few_are_the_first_of_all(criterion):
    p = [0.3, 0.25, 0.2, 0.15, 0.07, 0.03]
    everything, few = vertex_landscape(p, criterion), vertex_landscape(p, criterion, best=5)
    assert len(few) == 5 and (few.left == everything.left[:5]).all() and (few.value == everything.value[:5]).all()
    assert len(vertex_landscape(p, criterion, best=100)) == len(everything) == 31


def test_the_nearest_subsets_are_nearest():
    rng = np.random.default_rng(0)
    for i in range(100):
        counts = rng.integers(1, (4, 1000)[i % 2], size=3 + i % 8).tolist()
        node, m = NodeShares.of(counts), 1 + i % 7
        sums = [sum(w for j, w in enumerate(node.weights) if s >> j & 1) for s in range(1, node.everything, 2)]
        apart = sorted(abs(2 * x - node.total) for x in sums)
        found = nearest(node, m)
        kept = [abs(2 * sum(w for j, w in enumerate(node.weights) if s >> j & 1) - node.total) for s in found]
        assert len(set(found)) == len(found) and all(s & 1 and s != node.everything for s in found)
        assert kept == apart[:m]


def test_the_best_few_of_thirty_classes():
    weights = np.random.default_rng(0).random(30)
    found = vertex_landscape(weights / weights.sum(), entropy, best=10)
    assert len(found) == 10 and (np.diff(np.abs(found.share - 0.5)) >= -1e-15).all()
    assert np.abs(found.share - 0.5).max() < 1e-7
    best = optimal_vertex(weights / weights.sum(), entropy)
    assert tuple(np.flatnonzero(found.left[0]).tolist()) == best.left


def test_mirror_images_count_as_in_the_paper():
    found = vertex_landscape([0.4, 0.3, 0.2, 0.1], twoing)
    assert found.within(1e-9) == 2  # {0, 3} and {1, 2}
    assert found.within(0.101) == 6  # and {0}, {0, 2}, with their mirror images


@pytest.mark.parametrize(
    ("p", "criterion", "options", "rule"),
    [
        (range(1, 22), gini, {}, "enumerated up to 20 classes; got 21"),
        (range(1, 22), gini, {"best": 3}, "enumerated up to 20 classes; got 21"),
        (range(1, 42), entropy, {"best": 3}, "enumerated up to 20 classes; got 41"),
        ([1, 2], gini, {"best": 0}, "an integer from 1; got 0"),
        ([1], gini, {}, "two classes that are present"),
    ],
)
def test_landscapes_refuse(p, criterion, options, rule):
    with pytest.raises(ValueError) as error:
        vertex_landscape(p, criterion, **options)
    assert rule in str(error.value) and len(str(error.value).split("; ")) == 3


# ---- nearly balanced vertices ----


def recorded():
    with RECORDED.open() as file:
        return [{name: float(x) for name, x in row.items()} for row in csv.DictReader(file)]


@pytest.mark.parametrize("row", recorded(), ids=lambda row: f"{row['classes']:.0f}-{row['nodes']:.0f}-{row['width']}")
def test_the_recorded_counts_are_the_exact_means(row):
    pytest.importorskip("sympy")
    from splitcrit.proofs.vertex.gains import expected_vertices

    exact = expected_vertices(Fraction(str(row["width"])), int(row["classes"]))
    assert abs(row["count"] - float(exact)) < 4 * row["count_error"]
    assert row["count_error"] * np.sqrt(row["nodes"]) < 4 * row["count"]


def test_the_simulation_is_that_of_the_paper():
    """About 40 vertices with P_L in [.49, .51], and 4 in [.499, .501]."""
    largest = {row["width"]: row for row in recorded() if (row["classes"], row["nodes"]) == (10, 100_000)}
    wide, narrow = largest[0.01], largest[0.001]
    assert abs(wide["count"] - 40) < 4 and abs(narrow["count"] - 4) < 0.4
    assert wide["largest"] > 0.6 and wide["smallest"] > 0.7


def test_the_record_can_be_made_again():
    row = next(row for row in recorded() if row["classes"] == 14)
    found = near_ties(int(row["classes"]), int(row["nodes"]), width=row["width"], rng=int(row["seed"]))
    for name, value in row.items():
        if name not in ("seed", "run"):
            assert getattr(found, name) == pytest.approx(value, rel=1e-5)


def test_counts_and_disagreement_by_hand():
    rng = np.random.default_rng(7)
    counts, disagree = [], []
    for _ in range(50):
        p = np.sort(rng.random(6))[::-1]
        p /= p.sum()
        splits = [[mask >> j & 1 for j in range(6)] for mask in range(64)]
        near = [s for s in splits if abs(np.dot(s, p) - 0.5) <= 0.03]
        counts.append(len(near))
        groups = [s[:3] if s[0] else [1 - x for x in s[:3]] for s in near if s[5] == 0]
        pairs = [(a, b) for i, a in enumerate(groups) for b in groups[:i]]
        disagree += [np.mean([a != b for a, b in pairs])] if pairs else []
    found = near_ties(6, 50, width=0.03, rng=7)
    assert found.count == pytest.approx(np.mean(counts))
    assert found.count_error == pytest.approx(np.std(counts, ddof=1) / 50**0.5)
    assert found.largest == pytest.approx(np.mean(disagree))


@pytest.mark.parametrize("options", [{"classes": 3}, {"classes": 17}, {"nodes": 1}, {"width": 0.0}, {"width": 0.5}])
def test_the_simulation_refuses(options):
    with pytest.raises(ValueError, match=r"from 4( to 16)?; got|from 2; got|between 0 and 0.5; got") as error:
        near_ties(**options)
    assert len(str(error.value).split("; ")) == 3


# ---- splits that divide classes ----


@pytest.mark.parametrize(
    "impurity",
    [phi for phi in CLASS_IMPURITIES if known(phi, "vertex-optimal split", 3) == "holds"],
    ids=str,
)
def test_no_split_beats_the_best_vertex_of_a_concave_impurity(impurity):
    rng = np.random.default_rng(0)
    for i in range(5):
        p = rng.dirichlet(np.ones(2 + i))
        vertex = float(optimal_vertex(p, impurity).value)
        assert fractional_optimum(p, impurity, starts=500, rng=i).value <= vertex + 1e-12


def test_a_split_that_divides_classes_wins_without_concavity():
    """phi = -4 m^2 (1 - m^2), m = p_0 - p_1, at (1/2, 1/2): 0 at the vertices, 1 inside."""
    impurity = Impurity("bimodal", bimodal)
    vertex = optimal_vertex([Fraction(1, 2)] * 2, impurity)
    found = fractional_optimum([0.5, 0.5], impurity)
    assert vertex.value == 0 and vertex.best_of_all_splits == "unknown"
    assert found.interior and found.value == pytest.approx(1, abs=1e-9)
    left = np.array(found.alpha) / 2
    assert abs(left[0] - left[1]) / left.sum() == pytest.approx(0.5**0.5, abs=1e-4)


def test_the_credal_gain_can_be_best_inside():
    """The node 2, 2, 1 of ``vertex.imprecise_gain_can_be_best_with_half_an_example_left``."""
    credal = imprecise_information_gain(1)
    vertex, found = optimal_vertex([2, 2, 1], credal), fractional_optimum([2, 2, 1], credal)
    assert vertex.best_of_all_splits == "unknown"  # of whole examples it is gone through to N = 8
    assert found.interior and found.value > vertex.value + 1e-3


def test_absent_classes_are_not_sent_anywhere():
    found = fractional_optimum([0, 2, 0, 1], gini)
    assert found.alpha[0] == found.alpha[2] == 0
    assert found.value == pytest.approx(4 / 9)


def test_fractional_search_refuses():
    with pytest.raises(ValueError, match="starts is an integer from 1; got 0; pass"):
        fractional_optimum([1, 2], gini, starts=0)
