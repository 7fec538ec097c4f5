"""Label noise at finite samples: every exact function against all flips, every bound against the exact."""

import math
import random
from fractions import Fraction
from functools import cache
from itertools import islice, product

import numpy as np
import pytest
from scipy.stats import binomtest

from refusals import refused
from reproductions.ghosh2017.order_bounds import order_bounds
from splitcrit import (
    Criterion,
    bayes_sum,
    class_conditional,
    decrease,
    entropy,
    gini,
    matushita,
    misclassification,
    ne,
    normalised,
    pair_flip,
    pairwise_gain,
    sgini,
    sqrt_gini,
    symmetric,
    twoing,
)
from splitcrit.arith import EXACT, FLOAT
from splitcrit.criteria import as_criterion, dkm, hellinger, sum_minority
from splitcrit.impurities import Search
from splitcrit.noise import transition_matrix
from splitcrit.nulls import calibrated
from splitcrit.proofs.noise import order_bounds as two_splits
from splitcrit.proofs.noise import pure_leaves
from splitcrit.robustness import (
    corrected,
    estimated_rates,
    expected_gain,
    leaf_labels,
    leaf_threshold,
    majority_bounds,
    majority_failure,
    majority_failure_by_example,
    order_failure,
    phase_diagram,
    samples_needed,
    tolerance,
)
from splitcrit.robustness.published_bounds import ENDLESS, exponents
from splitcrit.robustness.splits import SplitComparison

F = Fraction
TWO = (
    symmetric(F(1, 5)),
    class_conditional(tau_pos=F(2, 5), tau_neg=F(1, 10)),
    class_conditional(tau_pos=F(4, 5), tau_neg=F(3, 5)),
    symmetric(F(0)),
)
THREE = (
    symmetric(F(3, 10)),
    pair_flip(F(1, 3)),
    transition_matrix([[F(1, 2), F(1, 2), 0], [F(1, 10), F(8, 10), F(1, 10)], [0, F(1, 4), F(3, 4)]]),
)


def flips(cells, transition):
    """The noisy counts, cell by cell, after each change of all labels, and its probability in the same units; classes
    alternate."""
    unit, K = math.lcm(*(F(q).denominator for row in transition for q in row)), len(transition)
    weights = [[int(unit * q) for q in row] for row in transition]
    examples = [i for i, n in enumerate(cells) for _ in range(n)]
    for noisy in product(range(K), repeat=len(examples)):
        seen, weight = [0] * len(cells), 1
        for i, z in zip(examples, noisy, strict=True):
            seen[i - i % K + z] += 1
            weight *= weights[i % K][z]
        yield tuple(seen), weight


def lost(noisy_counts, best, ties):
    top = max(noisy_counts)
    if noisy_counts[best] < top:
        return F(1)
    tying = noisy_counts.count(top)
    return F(0) if tying == 1 else {"fail": F(1), "keep": F(0), "split": F(tying - 1, tying)}[ties]


OF_TWO = [[a, b] for a, b in product(range(11), repeat=2) if a != b and a + b <= 10]
OF_THREE = [[3, 1, 1], [0, 2, 1], [1, 1, 4], [5, 0, 0], [2, 3, 1], [0, 0, 1]]


@pytest.mark.each_value
@pytest.mark.parametrize("ties", ["fail", "keep", "split"])
@pytest.mark.parametrize("channel", TWO + THREE, ids=lambda c: c.name)
def test_majority_failure_is_that_of_all_flips(channel, ties):
    for counts in OF_TWO if channel in TWO else OF_THREE:
        found = majority_failure(counts, channel, ties=ties)
        assert isinstance(found, Fraction)
        every = list(flips(counts, channel.transition(len(counts))))
        failed = sum(weight * lost(seen, counts.index(max(counts)), ties) for seen, weight in every)
        assert found == failed / sum(weight for _, weight in every), counts


@pytest.mark.parametrize("ties", ["fail", "keep", "split"])
def test_floats_agree_with_fractions(ties):
    for counts, rate in (([12, 20], F(3, 10)), ([200, 90], F(2, 5)), ([60, 4], F(1, 100))):
        exact = majority_failure(counts, symmetric(rate), ties=ties)
        # binomial tails of scipy keep about 1e-13; a sum of positive terms loses no more
        assert majority_failure(counts, symmetric(float(rate)), ties=ties) == pytest.approx(float(exact), rel=1e-11)
    three = [20, 9, 14]
    exact = majority_failure(three, symmetric(F(1, 5)), ties=ties)
    assert majority_failure(three, symmetric(0.2), ties=ties) == pytest.approx(float(exact), rel=1e-12)


def test_a_tiny_failure_keeps_its_digits():
    exact = sum(math.comb(400, x) * F(99, 100) ** x * F(1, 100) ** (400 - x) for x in range(201))
    assert majority_failure([0, 400], symmetric(0.01)) == pytest.approx(float(exact), rel=1e-10)
    assert float(exact) < 1e-270


@pytest.mark.parametrize("ties", ["fail", "keep", "split"])
def test_a_chance_in_floats_is_at_most_one(ties):
    for n, k in product(range(1, 12), range(1, 12)):
        rate = 1 - 10.0**-k
        found = [majority_failure([n, *[0] * others], symmetric(rate), ties=ties) for others in (1, 2)]
        found.append(majority_failure([n, 0, 0], pair_flip(rate), ties=ties))
        found.append(majority_failure_by_example([0] * n, [rate] * n, ties=ties))
        assert 0 <= min(found) <= max(found) <= 1, (n, rate)


def test_no_bound_falls_below_the_exact_failure():
    for n in (*range(1, 13), 19, 26, 40):
        for positives in range(n // 2 + 1, n + 1):
            for rates in ((0.05, 0.05), (0.2, 0.2), (0.4, 0.4), (0.45, 0.45), (0.4, 0.1), (0.1, 0.4), (0.0, 0.3)):
                channel = class_conditional(tau_pos=rates[0], tau_neg=rates[1])
                found = majority_bounds([n - positives, positives], channel)
                exact = majority_failure([n - positives, positives], channel)
                for bound in (found.lemma7, found.theorem4, found.kearns_saul):
                    assert bound is None or bound >= exact * (1 - 1e-12)
                if found.lemma7 is not None:
                    assert found.kearns_saul <= found.lemma7 * (1 + 1e-12)
    for counts in ([6, 3, 1], [4, 4, 5], [10, 2, 2]):
        for channel in (symmetric(0.1), symmetric(0.5), THREE[1], THREE[2]):
            bound = majority_bounds(counts, channel).theorem4
            assert bound is None or bound >= float(majority_failure(counts, channel))


def test_bounds_are_absent_where_none_is_stated():
    assert majority_bounds([1, 4], class_conditional(tau_pos=0.3, tau_neg=0.1)).lemma7 is None
    assert majority_bounds([1, 4], symmetric(0.7)).theorem4 is None
    near = majority_bounds([0, 30], symmetric(0.5 - 1e-9)), majority_bounds([0, 30], symmetric(0.5 - 1e-5))
    assert all(0.9 < b.kearns_saul <= b.lemma7 for b in near)


@pytest.mark.parametrize("eta, sizes", pure_leaves.SIZES.items(), ids=str)
def test_samples_needed_are_those_of_the_theorem(eta, sizes):
    found = samples_needed([0, 1], symmetric(float(eta)), 0.05)
    assert (found.lemma7, found.kearns_saul, found.always, found.first) == sizes
    assert found.theorem4 == found.lemma7


@pytest.mark.parametrize("unit", ([2, 3], [1, 0], [1, 3], [3, 0, 1]))
def test_first_and_always_are_what_they_say(unit):
    channel, delta = symmetric(0.2), 0.1
    found, size = samples_needed(unit, channel, delta), sum(unit)
    risky = [majority_failure(np.array(unit) * m, channel) > delta for m in range(1, 4 * found.always // size)]
    assert risky.index(False) == found.first // size - 1
    assert not any(risky[found.always // size - 1 :])
    assert found.always == size or risky[found.always // size - 2]
    assert samples_needed(np.array(unit) * 7, channel, delta) == found


@cache
def score(criterion, table):
    return criterion.score([[F(x) for x in row] for row in table], EXACT)


def tables(cells):
    """The tables of both splits: sides of the first, and of the second; cells are those of a row, or flat ones of two
    classes."""
    shaped = np.reshape(cells, (2, 2, -1))
    return tuple(tuple(map(tuple, shaped.sum(axis=axis).tolist())) for axis in (1, 0))


def tie_order(criterion, cells):
    one, two = (score(criterion, table) for table in tables(cells))
    return (one > two) - (one < two)


def test_order_failure_is_the_one_of_the_theorem():
    rates = (F(1, 5), F(1, 5))
    for cells in (two_splits.EXAMPLE, two_splits.LARGER):
        found = order_failure(np.reshape(cells, (2, 2, 2)), channel=symmetric(F(1, 5)), criterion=twoing)
        assert found.probability == two_splits.failure((cells, rates))


def test_nested_tables_give_their_cells():
    first, second = [[3, 1], [2, 5]], [[4, 3], [1, 3]]
    cells = [[[3, 1], [0, 0]], [[1, 2], [1, 3]]]
    channel = symmetric(F(1, 10))
    direct = order_failure(cells, channel=channel).probability
    assert order_failure(first, second, channel=channel).probability == direct
    assert order_failure(second, first, channel=channel).probability == direct


def test_an_order_fails_with_a_chance_of_at_most_one():
    for cells, other in (([[[5, 1], [3, 3]], [[5, 1], [4, 2]]], 1e-8), ([[[4, 0], [1, 2]], [[2, 1], [0, 4]]], 1e-9)):
        channel = class_conditional(tau_pos=0.99999999, tau_neg=other)
        assert 0.999 < order_failure(np.array(cells), channel=channel).probability <= 1


@pytest.mark.parametrize("ties", ["fail", "keep", "split"])
def test_the_error_of_an_estimate_is_that_of_a_mean(ties):
    cells, channel, draws = np.array([[[1, 0, 1], [0, 1, 1]], [[2, 0, 0], [0, 2, 0]]]), THREE[0], 300
    clean, lost = tie_order(decrease(gini), cells), {"fail": 1, "keep": 0, "split": 0.5}[ties]
    orders = [tie_order(decrease(gini), noisy) for noisy in channel.random(np.stack([cells] * draws), rng=1)]
    failed = np.array([0 if order == clean else lost if order == 0 else 1 for order in orders])
    found = order_failure(cells, channel=channel, ties=ties, draws=draws, rng=1)
    assert orders.count(0) > 10 and clean != 0
    assert found.probability == pytest.approx(failed.mean(), rel=1e-12)
    assert found.standard_error == pytest.approx(failed.std(ddof=1) / math.sqrt(draws), rel=1e-12)


def test_bounds_of_the_order_hold_on_a_dense_grid():
    rates = ((0.1, 0.1), (0.3, 0.3), (0.0, 0.4), (0.8, 0.7))
    for i, cells in enumerate(islice(two_splits.pairs(5), 0, None, 3)):
        for tau_pos, tau_neg in rates[i % 2 :: 2]:
            channel = class_conditional(tau_pos=tau_pos, tau_neg=tau_neg)
            both = np.reshape(cells, (2, 2, 2))
            found = order_bounds(both, channel=channel)
            exact = order_failure(both, channel=channel).probability
            assert found.sharp >= exact * (1 - 1e-12)
            assert found.lemma8 >= exact
            assert order_bounds(both, channel=channel, criterion=twoing).lemma8 >= exact


def test_symmetric_noise_adds_the_same_to_every_split_and_class_conditional_noise_does_not():
    channel, other = TWO[:2]
    tables = ([[1, 3], [4, 2]], [[5, 1], [0, 4]], [[2, 2], [3, 3]])
    assert {expected_gain(t, channel=channel).additive for t in tables} == {2 * F(1, 5) * F(4, 5) / 10}
    assert len({expected_gain(t, channel=other).additive for t in tables}) == 3
    for t in tables:
        (b, a), (d, c) = t
        left, right, n = a + b, c + d, 10
        v_pos, v_neg = F(2, 5) * F(3, 5), F(1, 10) * F(9, 10)
        expected = F(2, n * n) * (n * v_neg + (v_pos - v_neg) * (F(right * a, left) + F(left * c, right)))
        assert expected_gain(t, channel=other).additive == expected


def test_the_mean_of_the_absolute_difference_reorders_splits():
    noise, better, worse = symmetric(F(3, 10)), [[1, 0], [2, 2]], [[1, 1], [2, 1]]
    assert pairwise_gain(better) > pairwise_gain(worse)
    means = [2 * expected_gain(t, channel=noise, criterion=pairwise_gain).mean for t in (better, worse)]
    assert means == [2, F(5209, 2500)]


def test_correction_undoes_the_expected_noise():
    clean = [[30, 10, 5], [4, 20, 31]]
    for channel in (*THREE, pair_flip(1), pair_flip(F(9, 10)), transition_matrix(np.eye(3)[[1, 0, 2]])):
        noisy = channel.expected(np.array(clean, dtype=float))
        for criterion in (gini, entropy):
            assert corrected(criterion, channel)(noisy) == pytest.approx(decrease(criterion)(clean), rel=1e-12)
        np.testing.assert_array_equal(leaf_labels(noisy, channel), [0, 2])
    exact = corrected(gini, TWO[1])
    noisy = TWO[1].expected(np.array([[F(30), F(10)], [F(4), F(20)]], dtype=object))
    assert exact.score(noisy.tolist(), EXACT) == decrease(gini).score([[F(30), F(10)], [F(4), F(20)]], EXACT)


def test_a_corrected_row_below_zero_becomes_pure_and_keeps_its_size():
    channel = class_conditional(tau_pos=0.2, tau_neg=0.3)
    expected = decrease(gini)([[10, 0], [0, 10]])
    assert corrected(gini, channel)([[10, 0], [0, 10]]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("criterion", [gini, entropy, ne(0.5), twoing, normalised(gini, guarded=True)], ids=repr)
def test_a_corrected_tree_grows_by_the_corrected_formula(criterion):
    """What the criterion declares of its own formula is not said of the corrected one."""
    from splitcrit import TreeClassifier

    rng = np.random.default_rng(0)
    x = rng.random((300, 4))
    noise = transition_matrix([[0.6, 0.3, 0.1], [0.05, 0.9, 0.05], [0.1, 0.2, 0.7]])
    y = noise.flip((x[:, 0] + x[:, 1] > 1).astype(int) + (x[:, 2] > 0.8), rng=1)
    found = corrected(criterion, noise)
    bare = Criterion("bare", found.score, scale=found.scale, degree=found.degree, search=guard_of(found))
    tree, expected = (TreeClassifier(criterion=c, max_depth=5).fit(x, y).tree_ for c in (found, bare))
    np.testing.assert_array_equal(tree.threshold, expected.threshold)


def guard_of(criterion):
    """The guard of a ratio by the formula of what is divided, and nothing else."""
    divided = criterion.search.divided
    if divided is None:
        return Search()
    return Search(divided=Criterion("divided", divided.score, degree=0), guarded=criterion.search.guarded)


def test_a_corrected_score_of_counts_is_the_corrected_formula():
    noise, table = class_conditional(tau_pos=0.35, tau_neg=0.05), [[30, 1], [20, 50]]
    assert corrected(sgini, noise)(table) == pytest.approx(corrected(sgini, noise).score(np.array(table, float), FLOAT))
    assert corrected(sgini, noise)(table) > 2 * sgini(table) and not corrected(sgini, noise).counting


def test_a_corrected_criterion_is_tested_or_refused_as_its_own():
    for own in (sum_minority, calibrated()):
        kept = [(one.search.tested, one.search.negative) for one in (corrected(own, symmetric(0.1)), own)]
        assert kept[0] == kept[1] != (None, False)


def test_singular_noise_is_refused():
    refused(r"an inverse; got symmetric\(eta=0.5\)", corrected(gini, symmetric(0.5)), [[1, 2], [3, 4]])
    refused("an inverse", leaf_labels, [[1, 2, 3]], symmetric(F(2, 3)))


@pytest.mark.parametrize(("tau_pos", "tau_neg"), [(F(2, 5), F(1, 5)), (F(1, 10), F(3, 10)), (F(1, 5), F(1, 5))])
def test_leaf_labels_follow_the_shifted_threshold(tau_pos, tau_neg):
    channel = class_conditional(tau_pos=tau_pos, tau_neg=tau_neg)
    leaves = np.array([[n - k, k] for n in range(1, 30) for k in range(n + 1)])
    shares = np.array([F(int(k), int(n + k)) > leaf_threshold(channel) for n, k in leaves])
    np.testing.assert_array_equal(leaf_labels(leaves, channel), shares)
    channel = class_conditional(tau_pos=F(2, 5), tau_neg=F(1, 5))
    for unit in (1, 10**20, 10**400):  # more rows than a float holds
        assert leaf_labels([[59 * unit, 41 * unit], [61 * unit, 39 * unit]], channel).tolist() == [1, 0]
    refused("tau_pos \\+ tau_neg < 1", leaf_threshold, symmetric(0.5))


def test_rates_are_covered_by_their_intervals():
    rng, covered = np.random.default_rng(5), 0
    for _ in range(200):
        leaves = np.array([[300 - a, a] for a in rng.binomial(300, [0.1, 0.7, 0.4]).tolist()])
        found = estimated_rates(leaves)
        (a, b), (c, d) = found.tau_pos_interval, found.tau_neg_interval
        covered += a <= 0.3 <= b and c <= 0.1 <= d
        assert a <= found.tau_pos <= b and c <= found.tau_neg <= d
    assert covered >= 190


def test_rates_are_read_off_the_purest_leaves_of_just_enough_samples_in_any_order():
    leaves = [[27, 3], [0, 29], [29, 0], [6, 24]]
    found = estimated_rates(leaves, least=30)
    assert (found.tau_neg, found.tau_pos) == pytest.approx((3 / 30, 6 / 30), rel=1e-12)
    for wrong, interval in (3, found.tau_neg_interval), (6, found.tau_pos_interval):  # each of two has half of 5 %
        assert interval == pytest.approx(binomtest(wrong, 30).proportion_ci(0.975), rel=1e-9)
    refused("at least 31 samples; got at most 30", estimated_rates, leaves, least=31)
    leaves = [[0, 35], [0, 90], [90, 10], [45, 5]]
    assert estimated_rates(leaves) == estimated_rates(leaves[::-1]) == estimated_rates(leaves[1:3] * 2)


def test_tolerance_reads_facts():
    found = tolerance(entropy, "uniform")
    assert found.verdict == "refuted" and len(found.theorems) > 1
    assert found.witness.startswith("[1 0 / 4 2] against") and "rate 1/3" in found.witness
    assert found.scope.startswith("K = 2")
    assert tolerance(gini, "uniform", 3).verdict == "holds"
    assert tolerance(gini, "class-conditional", 3).verdict != "holds"
    assert tolerance("nothing", "uniform").verdict == "unknown"
    refused("got 'salt'", tolerance, gini, "salt")


@pytest.mark.parametrize("criterion", [entropy, sqrt_gini, matushita, bayes_sum, twoing])
@pytest.mark.parametrize("noise", ["uniform", "pair-flip"])
def test_splits_that_refute_change_places(criterion, noise):
    """Scored anew in floats, after a channel at the rate of the witness; the words hold the same numbers."""
    for classes in (2, 3):
        found = tolerance(criterion, noise, classes)
        if not found.splits:
            assert "against" not in found.witness
            continue
        better, worse = found.splits
        channel = (symmetric if noise == "uniform" else pair_flip)(1 / 3)
        scores = [as_criterion(criterion)(np.array(t)) for t in (better, worse)]
        noisy = [as_criterion(criterion)(channel.expected(t)) for t in (better, worse)]
        assert scores[0] > scores[1] and noisy[0] < noisy[1]
        assert found.witness.startswith(f"[{' / '.join(' '.join(map(str, row)) for row in better)}] against")
    assert tolerance(entropy, "uniform").splits == (((1, 0), (4, 2)), ((1, 1), (4, 1)))
    assert tolerance(gini, "uniform").splits == ()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: majority_failure([2, 2], symmetric(0.1)), r"one majority class before noise; got counts \[2, 2\]"),
        (lambda: majority_failure([2.5, 1], symmetric(0.1)), "counts must be integers"),
        (lambda: majority_failure([[1, 2]], symmetric(0.1)), "a vector of class counts"),
        (lambda: majority_failure([1, 2], symmetric(0.1), ties="coin"), "got 'coin'"),
        (
            lambda: majority_failure([400, 300, 2, 3], symmetric(0.1)),
            "at most 67108864 numbers; got 705 observations; merge classes",
        ),
        (lambda: majority_failure_by_example([0, 1, 1], [0.1, 2, 0.1]), "3 probabilities"),
        (
            lambda: majority_failure_by_example([0, 2], [[0.5, 0.5]] * 2),
            "of 2 classes is about classes below that; got",
        ),
        (lambda: samples_needed([1, 2], symmetric(0.5), 0.1), "leads in expectation"),
        (lambda: samples_needed([1, 2], symmetric(0.1), 0.0), "between 0 and 1"),
        (lambda: order_failure([[1, 2], [3, 4]], [[2, 1], [2, 5]], channel=symmetric(0.1)), "lies within the other"),
        (lambda: order_failure([[1, 2], [3, 4]], [[1, 2], [3, 5]], channel=symmetric(0.1)), "same class totals"),
        (lambda: order_failure([[1, 2], [3, 4]], [[1, 2], [3, 4]], channel=symmetric(0.1)), "got an empty|got a tie"),
        (lambda: expected_gain([[1, 2], [3, 4]], channel=symmetric(0.1), criterion=entropy), "are known for Gini"),
        (lambda: phase_diagram([[1, 2, 3], [1, 2, 3]], [[1, 2], [3, 4]]), r"shape \(2, 3\)"),
    ],
)
def test_what_is_wrong_is_said(call, words):
    refused(words, call)


@pytest.mark.parametrize("criterion", [pairwise_gain, hellinger, dkm], ids=str)
def test_a_criterion_of_two_classes_orders_no_splits_of_three(criterion):
    cells = [[[0, 0, 0], [3, 3, 1]], [[2, 0, 0], [1, 3, 0]]]
    with pytest.raises(ValueError, match=f"{criterion} is defined for tables of 2 classes; got 3; choose"):
        order_failure(cells, channel=symmetric(1), criterion=criterion)


# The rates of majority bounds from their definition; labels of leaves.


def test_three_classes_have_the_bound_of_theorem_4_alone() -> None:
    leaf, eta = [5, 3, 2], Fraction(1, 5)
    noisy = [x * (1 - eta) + (10 - x) * eta / 2 for x in leaf]
    gamma = (noisy[0] - max(noisy[1:])) / 10
    found = exponents(leaf, symmetric(eta).transition(3))
    assert (found.theorem4, found.kearns_saul, found.symmetric) == (gamma**2 / 2, None, False)
    bounds = majority_bounds(leaf, symmetric(0.2))
    assert bounds.lemma7 is None and bounds.kearns_saul is None
    assert bounds.theorem4 == pytest.approx(2 * math.exp(-10 * float(gamma) ** 2 / 2), rel=1e-12)


@pytest.mark.parametrize("rates", [(0.0, 0.3), (0.3, 0.0), (0.1, 0.3), (0.2, 0.5), (0.2, 0.2)])
def test_two_classes_have_the_bound_of_kearns_and_saul(rates: tuple[float, float]) -> None:
    """``rates`` are those of flips of the positives and of the negatives, of which there are 30 and 10."""
    pos, neg = rates
    right = [neg] * 10 + [1 - pos] * 30  # each label's chance to be the majority's
    lead = sum(right) - 20
    spread = sum(0 if q in (0, 1) else 1 / 8 if q == 0.5 else (1 - 2 * q) / (4 * math.log((1 - q) / q)) for q in right)
    found = majority_bounds([10, 30], class_conditional(tau_pos=pos, tau_neg=neg)).kearns_saul
    assert found == pytest.approx(math.exp(-(lead**2) / (4 * spread)), rel=1e-9)


def test_a_majority_that_noise_never_changes() -> None:
    assert exponents([3, 7], symmetric(F(0)).transition(2)).kearns_saul == ENDLESS
    assert majority_bounds([3, 7], symmetric(0)).kearns_saul == 0
    assert exponents([5, 4], symmetric(F(1, 2)).transition(2)).theorem4 is None


def test_leaf_labels_of_one_leaf_and_of_no_leaf() -> None:
    channel = class_conditional(tau_pos=0.1, tau_neg=0.3)
    assert [int(leaf_labels(counts, channel)) for counts in ([9, 1], [1, 9])] == [0, 1]
    refused("leaves are counts", leaf_labels, 3, channel)


# Exact answers under noise against all 2^N flips of the labels, on every small node and on drawn ones up to N = 10.

CRITERIA = (decrease(gini), twoing, pairwise_gain, decrease(misclassification))
FAILED = {"fail": 2, "keep": 0, "split": 1}  # halves that a tie counts


def splits_of(n, parts):
    """Every way to write n as a sum of a number of parts."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in splits_of(n - first, parts - 1))


def drawn(sizes, parts, number, seed):
    rng = random.Random(seed)
    for _ in range(number):
        places = [rng.randrange(parts) for _ in range(rng.choice(sizes))]
        yield tuple(places.count(i) for i in range(parts))


def proper(cells):
    return all(sum(row) for table in tables(cells) for row in table)


def assert_order_is_that_of_all_flips(cells, criterion, noise):
    clean, failed, whole = tie_order(criterion, cells), dict.fromkeys(FAILED, 0), 0
    for seen, weight in flips(cells, noise.transition(2)):
        now, whole = tie_order(criterion, seen), whole + weight
        for ties, halves in FAILED.items():
            failed[ties] += 0 if now == clean else weight * (halves if now == 0 else 2)
    for ties, halves in failed.items():
        found = order_failure(np.reshape(cells, (2, 2, 2)), channel=noise, criterion=criterion, ties=ties).probability
        assert found == F(halves, 2 * whole), (cells, ties)


@pytest.mark.parametrize("noise", TWO[:3], ids=lambda c: c.name)
def test_order_failure_of_every_node_of_four(noise):
    tried = 0
    for cells in (cells for n in range(1, 5) for cells in splits_of(n, 8)):
        if proper(cells) and tie_order(CRITERIA[0], cells):
            assert_order_is_that_of_all_flips(cells, CRITERIA[0], noise)
            tried += 1
    assert tried > 50


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_order_failure_of_drawn_nodes(criterion):
    for i, cells in enumerate(drawn((5, 6, 7, 8, 10), 8, 24, seed=3)):
        if proper(cells) and tie_order(criterion, cells):
            assert_order_is_that_of_all_flips(cells, criterion, TWO[i % 3])


def assert_gain_is_that_of_all_flips(counts, criterion, noise):
    K = len(counts) // 2
    table, transition, mean, square, whole = (counts[:K], counts[K:]), noise.transition(K), F(0), F(0), 0
    for seen, weight in flips(counts, transition):
        gain = score(criterion, (seen[:K], seen[K:]))
        mean, square, whole = mean + weight * gain, square + weight * gain**2, whole + weight
    found = expected_gain(table, channel=noise, criterion=criterion)
    assert (found.mean, found.variance) == (mean / whole, square / whole - (mean / whole) ** 2), counts
    expected = [[sum(n * q[k] for n, q in zip(row, transition, strict=True)) for k in range(K)] for row in table]
    assert found.signal == criterion.score(expected, EXACT)


@pytest.mark.parametrize("criterion", CRITERIA[:3], ids=str)
def test_expected_gain_of_every_node_of_five_and_of_drawn_ones(criterion):
    every = [counts for n in range(2, 6) for counts in splits_of(n, 4)] + list(drawn((7, 10), 4, 8, seed=1))
    for i, counts in enumerate(every):
        if sum(counts[:2]) and sum(counts[2:]):
            assert_gain_is_that_of_all_flips(counts, criterion, TWO[i % 4])


@pytest.mark.parametrize("noise", THREE, ids=lambda c: c.name)
def test_expected_gain_of_three_classes(noise):
    assert_gain_is_that_of_all_flips((1, 2, 0, 1, 0, 2), decrease(gini), noise)


@pytest.mark.parametrize(("classes", "rates"), [(2, False), (2, True), (3, False)])
def test_failure_by_example_of_drawn_leaves(classes, rates):
    rng = np.random.default_rng(classes)
    for _ in range(12):
        n = int(rng.integers(1, 11 if classes == 2 else 7))
        labels, laws = rng.integers(0, classes, n), rng.dirichlet(np.ones(classes), n)
        counts = np.bincount(labels, minlength=classes)
        if (counts == counts.max()).sum() > 1:
            continue
        each = [(math.prod(laws[range(n), noisy]), noisy) for noisy in product(range(classes), repeat=n)]
        for ties in FAILED:
            failed = sum(p * lost([noisy.count(k) for k in range(classes)], counts.argmax(), ties) for p, noisy in each)
            failure = majority_failure_by_example(labels, laws[range(n), 1 - labels] if rates else laws, ties=ties)
            assert failure == pytest.approx(float(failed), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("half", [30, 1448, 1449, 1499, 60_000, 200_000])
def test_scores_of_large_nodes_do_not_overflow(half):
    """The integers that are compared pass 2^63 from 2897 samples on, and the squares alone from 110 000."""
    wrong = half // 5  # the first split puts these on the other side; the second is pure
    cells = np.array([[[half - wrong, 0], [0, 0]], [[wrong, 0], [0, half]]])
    for both, better in ((cells, -1), (np.swapaxes(cells, 0, 1), 1)):
        assert SplitComparison(decrease(gini), both).clean == better
