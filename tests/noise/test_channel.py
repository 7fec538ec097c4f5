"""Channels: exact laws in Fractions, random actions against their expectations, and mistakes."""

import itertools
import math
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from splitcrit.noise import (
    Channel,
    class_conditional,
    compose,
    flipped,
    identity,
    margin_rates,
    nearness_matrix,
    pair_flip,
    symmetric,
    transition_matrix,
)

HALF, FIFTH, THIRD = Fraction(1, 2), Fraction(1, 5), Fraction(1, 3)
ROWS = ((HALF, HALF, 0), (0, FIFTH, 1 - FIFTH), (THIRD, THIRD, THIRD))
THREE = [identity, symmetric(FIFTH), symmetric(1), pair_flip(THIRD), transition_matrix(ROWS), symmetric(0.3)]
THREE += [compose(symmetric(FIFTH), pair_flip(THIRD)), transition_matrix(np.full((3, 3), 1 / 3))]
TWO = [symmetric(FIFTH), class_conditional(tau_pos=FIFTH, tau_neg=THIRD), pair_flip(0.25)]
CHANNELS = [(channel, 3) for channel in THREE] + [(channel, 2) for channel in TWO]
EXACT = [(c, K) for c, K in CHANNELS if not any(isinstance(x, float) for row in c.transition(K) for x in row)]

rates = st.fractions(0, 1, max_denominator=30)
weights = st.lists(st.integers(1, 20), min_size=3, max_size=3)


def distribution(ws: list[int]) -> list[Fraction]:
    return [Fraction(w, sum(ws)) for w in ws]


@given(rates, weights)
def test_symmetric_formula(eta: Fraction, ws: list[int]) -> None:
    for K in range(2, 10):
        p = distribution((ws * 3)[:K])
        shrunk = 1 - K * eta / (K - 1)
        assert symmetric(eta).on_distribution(p) == [shrunk * x + eta / (K - 1) for x in p]


@given(rates, rates, st.integers(0, 99), st.integers(0, 99))
def test_class_conditional_on_counts(tau_pos: Fraction, tau_neg: Fraction, neg: int, pos: int) -> None:
    channel = class_conditional(tau_pos=tau_pos, tau_neg=tau_neg)
    noisy = channel.expected(np.array([[Fraction(neg), Fraction(pos)]], dtype=object))
    expected = [[neg * (1 - tau_neg) + pos * tau_pos, pos * (1 - tau_pos) + neg * tau_neg]]
    assert noisy.tolist() == expected


@given(rates)
def test_pair_flip_moves_to_the_next_class(eta: Fraction) -> None:
    for K in range(2, 10):
        law = pair_flip(eta).transition(K)
        for j, k in itertools.product(range(K), repeat=2):
            assert law[j][k] == (1 - eta if k == j else eta if k == (j + 1) % K else 0)


@given(rates, rates, weights)
def test_composition_is_the_matrix_product_in_reading_order(a: Fraction, b: Fraction, ws: list[int]) -> None:
    first, second = pair_flip(a), transition_matrix(ROWS)
    p = distribution(ws)
    assert (first @ second).on_distribution(p) == second.on_distribution(first.on_distribution(p))
    A, B = first.transition(3), second.transition(3)
    product = tuple(tuple(sum(A[j][i] * B[i][k] for i in range(3)) for k in range(3)) for j in range(3))
    assert (first @ second).transition(3) == product
    assert (symmetric(a) @ symmetric(b)).transition(3) == symmetric(a + b - Fraction(3, 2) * a * b).transition(3)


def test_only_channels_are_composed() -> None:
    assert pair_flip(1) @ transition_matrix(ROWS) == compose(pair_flip(1), transition_matrix(ROWS))
    with pytest.raises(TypeError):
        pair_flip(1) @ 2  # type: ignore[operator]


def test_kinds_are_kept() -> None:
    channel = symmetric(FIFTH)
    assert channel.on_distribution((Fraction(1), Fraction(0))) == (1 - FIFTH, FIFTH)
    assert isinstance(channel.on_distribution([1.0, 0.0]), list)
    batch = np.random.default_rng(0).dirichlet([1, 1, 1], size=(4, 2)).transpose(2, 0, 1)
    noisy = channel.on_distribution(batch)
    assert noisy.shape == batch.shape and noisy.dtype == np.float64
    np.testing.assert_allclose(noisy, np.einsum("jab,jk->kab", batch, channel.matrix(3)), rtol=1e-14)
    left, _ = channel.on_distribution((batch[0], batch[1]))
    assert left.dtype == np.float64 and left.shape == (4, 2)


def test_expected_counts_of_batches() -> None:
    counts = np.random.default_rng(2).integers(0, 50, size=(5, 4, 3))
    channel = transition_matrix(ROWS)
    assert channel.expected(counts).dtype == np.float64
    np.testing.assert_allclose(channel.expected(counts), counts @ channel.matrix(3), rtol=1e-14)


def test_symbols_pass_through() -> None:
    sympy = pytest.importorskip("sympy")
    eta, p = sympy.symbols("eta p")
    noisy = symmetric(eta).on_distribution((p, 1 - p))
    assert sympy.expand(noisy[0] - ((1 - 2 * eta) * p + eta)) == 0
    two = symmetric(eta) @ symmetric(eta)
    assert sympy.expand(two.transition(2)[0][1] - 2 * eta * (1 - eta)) == 0
    assert pickle.loads(pickle.dumps(symmetric(eta))) == symmetric(eta)


@pytest.mark.parametrize(("channel", "K"), CHANNELS, ids=str)
def test_random_tables_keep_row_totals_and_meet_the_expectation(channel: Channel, K: int) -> None:
    counts = np.array([[[40, 25, 35][:K], [0, 7, 93][:K]]])
    draws = channel.random(np.repeat(counts, 4000, axis=0), rng=5)
    assert (draws.sum(axis=-1) == counts.sum(axis=-1)).all() and (draws >= 0).all()
    T = channel.matrix(K)
    variance = counts @ (T * (1 - T))
    error = np.abs(draws.mean(axis=0) - counts[0] @ T)
    assert (error <= 5 * np.sqrt(variance[0] / 4000) + 1e-12).all()
    spread = np.abs(draws.var(axis=0) - variance[0])
    assert (spread <= 0.25 * variance[0] + 1e-12).all()


@pytest.mark.parametrize(("channel", "K"), CHANNELS, ids=str)
def test_flipped_labels_meet_the_expectation(channel: Channel, K: int) -> None:
    labels = np.repeat(["a", "b", "c"][:K], 5000)
    kept = labels.copy()
    noisy = channel.flip(labels, rng=6)
    assert (labels == kept).all() and noisy.dtype == labels.dtype and noisy is not labels
    T = channel.matrix(K)
    for j, k in itertools.product(range(K), repeat=2):
        share = (noisy[j * 5000 : (j + 1) * 5000] == "abc"[k]).mean()
        assert abs(share - T[j, k]) <= 5 * math.sqrt(T[j, k] * (1 - T[j, k]) / 5000) + 1e-12


def test_randomness_is_the_seed() -> None:
    labels, counts = np.arange(300) % 3, np.full((4, 3), 50)
    channel = symmetric(0.4)
    assert (channel.flip(labels, rng=1) == channel.flip(labels, rng=np.random.default_rng(1))).all()
    assert (channel.flip(labels, rng=1) != channel.flip(labels, rng=2)).any()
    assert (channel.random(counts, rng=1) == channel.random(counts, rng=1)).all()
    assert (channel.random(counts, rng=1) != channel.random(counts, rng=2)).any()


@pytest.mark.parametrize(
    "labels",
    [
        np.array([0, 1, 2, 0], dtype=np.int8),
        np.array([False, True, True]),
        np.array([0.5, 1.5]),
        np.array(["x", "yy"]),
        np.array(["x", 1, None], dtype=object)[:2][:1].repeat(3),
        np.array(["2020-01-01", "2021-01-01"], dtype="M8[ns]"),
    ],
    ids=lambda x: str(x.dtype),
)
def test_flip_keeps_the_dtype(labels: np.ndarray) -> None:
    classes = None if len(set(labels.tolist())) > 1 else ["x", 1]
    noisy = symmetric(0.5).flip(labels, rng=0, classes=classes)
    assert noisy.dtype == labels.dtype and noisy.shape == labels.shape


def test_flip_into_given_classes() -> None:
    assert pair_flip(1).flip(["a", "a"], classes=["a", "longer", "b"]).tolist() == ["longer", "longer"]
    assert class_conditional(tau_pos=1, tau_neg=0).flip(["no", "yes"], classes=["no", "yes"]).tolist() == ["no", "no"]
    assert class_conditional(tau_pos=1, tau_neg=0).flip(["no", "yes"], classes=["yes", "no"]).tolist() == ["yes", "yes"]
    assert pair_flip(1).flip(np.array([2, 0]), classes=[2, 1, 0]).tolist() == [1, 2]


MAKERS = {
    "identity": lambda: identity,
    "symmetric(eta=0.2)": lambda: symmetric(np.float64(0.2)),
    "symmetric(eta=Fraction(1, 5))": lambda: symmetric(FIFTH),
    "class_conditional(tau_pos=0.1, tau_neg=0.3)": lambda: class_conditional(tau_pos=0.1, tau_neg=0.3),
    "pair_flip(eta=0.25)": lambda: pair_flip(0.25),
    "transition_matrix(((0.75, 0.25), (0.5, 0.5)))": lambda: transition_matrix(np.array([[0.75, 0.25], [0.5, 0.5]])),
    "compose(symmetric(eta=0.2), pair_flip(eta=0.25))": lambda: symmetric(0.2) @ pair_flip(0.25),
}


@pytest.mark.parametrize("text", MAKERS)
def test_channels_print_pickle_and_compare(text: str) -> None:
    channel = MAKERS[text]()
    assert repr(channel) == text and eval(text) == channel
    assert pickle.loads(pickle.dumps(channel)) == channel == MAKERS[text]()
    assert hash(channel) == hash(MAKERS[text]())
    assert [other for other in MAKERS if MAKERS[other]() == channel] == [text]


def test_a_lambda_works_until_pickled() -> None:
    mine = Channel("mine", lambda K: ((1, 0), (0, 1)))
    assert mine.on_distribution((0.25, 0.75)) == (0.25, 0.75)
    refused("top level of a module", pickle.dumps, mine, error=pickle.PicklingError)


@given(st.one_of(st.floats(max_value=-1e-9), st.floats(min_value=1 + 1e-9), st.just(math.nan), st.integers(2, 9)))
def test_rates_outside_the_unit_interval_are_refused(bad: float) -> None:
    for make in (symmetric, pair_flip, lambda x: class_conditional(tau_pos=x, tau_neg=0)):
        refused(r"the noise rate \w+ must lie between 0 and 1; got .*; pass", make, bad)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[0.9, 0.2], [0.5, 0.5]], "must sum to 1; got 1.1 in row 0"),
        ([[HALF, HALF], [THIRD, THIRD]], "must sum to 1; got 2/3 in row 1"),
        ([[1, 0], [Fraction(1, 10**15), 1]], "must sum to 1; got 1000000000000001/1000000000000000 in row 1"),
        ([[1.5, -0.5], [0, 1]], "at row 0, column 0 must lie between 0 and 1; got 1.5"),
        ([[1, 0]], "must be square; got 1 rows of lengths"),
        ([[1, 0], [1]], "must be square; got 2 rows of lengths"),
        ([1, 0], "must be square"),
        ([], "must be square"),
    ],
)
def test_matrices_are_checked(rows: object, words: str) -> None:
    refused(words, transition_matrix, rows)


def test_floats_sum_to_one_within_the_tolerance() -> None:
    transition_matrix([[0.1] * 10] * 10)
    transition_matrix([[1 - 1e-13, 0.0], [0.0, 1.0]])
    refused("must sum to 1", transition_matrix, [[1 - 1e-11, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: class_conditional(tau_pos=0.1, tau_neg=0.1).matrix(3), "for two classes; got 3 classes; use"),
        (lambda: transition_matrix(ROWS).on_distribution((0.5, 0.5)), "for 3 classes; got 2 classes; pass a 2 x 2"),
        (lambda: symmetric(0.1).flip(["a", "a"]), "at least two classes; got 1"),
        (lambda: pair_flip(0.1).matrix(1), "pair_flip noise needs at least two classes; got 1"),
        (lambda: symmetric(0.1).random([[1, -2]]), "must be non-negative; got -2 at row 0, column 1"),
        (lambda: symmetric(0.1).random([[1, 0.5]]), r"integer counts from 0 to \d+; got 0.5 at row 0, column 1"),
        (lambda: symmetric(0.1).random([[1, 2**70]]), "integer counts from 0 to"),
        (lambda: symmetric(0.1).random([[2**62, 2**62]]), f"integer counts from 0 to {2**61}; got {2**62} at row 0"),
        (lambda: symmetric(0.1).random([[1, math.nan]]), "counts must be finite; got nan"),
        (lambda: symmetric(0.1).expected([1, 2]), "needs rows and columns; got 1 dimension"),
        (lambda: symmetric(0.1).flip([["a"]]), "labels must form a vector"),
        (lambda: symmetric(0.1).flip(["a", "b", "z"], classes=["a", "b"]), "the classes; got .*z.* at position 2"),
        (lambda: symmetric(0.1).flip([0.0, 1.0, math.nan]), "among the classes; got .*nan.* at position 2"),
        (lambda: symmetric(0.1).flip(["a", None]), "must be comparable to be sorted; .*; pass classes="),
        (lambda: symmetric(0.1).flip(["a", "b"], classes=["a", "b", "a"]), "classes must be distinct"),
        (lambda: symmetric(0.1).flip([0, 1], classes=[0, 0.5, 1]), "must fit the labels' dtype int64"),
    ],
)
def test_mistakes_at_the_actions(act: object, words: str) -> None:
    refused(words, act)


@pytest.mark.parametrize("classes", ["ab", 2, str, np.array([["a", "b"]]), [["a"], ["b"]]])
def test_classes_are_a_list_of_values(classes: object) -> None:
    with pytest.raises(TypeError, match="classes must be a list of distinct values"):
        symmetric(0.1).flip(["a", "b"], classes=classes)  # type: ignore[arg-type]


def test_what_is_masked_is_refused_not_read_as_it_lies_below() -> None:
    gap = np.ma.masked_array([0.5, 0.5], mask=[False, True])
    with pytest.raises(ValueError, match="a transition matrix has no gaps; got a masked entry; fill it"):
        transition_matrix(np.ma.masked_array([[1, 0], [0, 1]], mask=[[0, 1], [0, 0]]))
    refused("a distribution holds a finite number for each class", symmetric(0.1).on_distribution, gap)
    refused("got a masked label", symmetric(0.1).flip, np.ma.masked_array([0, 1], mask=[True, False]))
    assert symmetric(0.5).on_distribution(np.ma.masked_array([1.0, 0.0])).tolist() == [0.5, 0.5]


def test_class_rates_are_named() -> None:
    with pytest.raises(TypeError):
        class_conditional(0.1, 0.2)  # type: ignore[misc]


def test_random_tables_of_many_rows_keep_their_totals() -> None:
    """Of more than a narrow integer holds, in a cell and in all."""
    clean = np.array([[2**40, 3], [40_000, 2**33]])
    noisy = symmetric(0.25).random(clean, rng=1)
    assert noisy.sum(axis=1).tolist() == clean.sum(axis=1).tolist()
    assert noisy.min() >= 0
    assert noisy / clean.sum(axis=1, keepdims=True) == pytest.approx(np.array([[0.75, 0.25], [0.25, 0.75]]), rel=0.02)


# Noise that looks at the features: rates by distance, confusions by nearness, and labels that are flipped by rates.


def test_margin_rates_and_flips() -> None:
    rates = margin_rates(np.linspace(-3, 3, 7), top=0.4)
    assert rates[3] == 0.4 and (np.diff(rates[3:]) < 0).all()
    codes = np.repeat([0, 1, 2], 2000)
    noisy = flipped(codes, np.full(6000, 0.3), rng=1)
    assert abs(np.mean(noisy != codes) - 0.3) < 5 * math.sqrt(0.21 / 6000)
    moved = noisy[(codes == 0) & (noisy != 0)]
    assert abs(np.mean(moved == 1) - 0.5) < 5 * math.sqrt(0.25 / len(moved))
    np.testing.assert_array_equal(codes, np.repeat([0, 1, 2], 2000))


def test_near_classes_are_confused_more_and_rows_sum_to_one() -> None:
    rng = np.random.default_rng(2)
    means = np.array([[0, 0], [1, 0], [6, 1], [7, 9]])
    codes = np.repeat(np.arange(4), 50)
    X = means[codes] + rng.normal(size=(200, 2))
    found = nearness_matrix(X, codes)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-12)
    assert found.diagonal().min() == pytest.approx(0.5) and found.diagonal().max() == pytest.approx(0.9)
    assert found[0, 1] > found[0, 2] > found[0, 3]
    again = nearness_matrix(X @ np.array([[2.0, 1.0], [0.0, 3.0]]), codes, ridge=0.0)
    np.testing.assert_allclose(again, nearness_matrix(X, codes, ridge=0.0), rtol=1e-9)  # distances know no axes
    constant = np.column_stack([X, np.ones(200)])
    assert np.isfinite(nearness_matrix(constant, codes)).all()


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_confusions_by_nearness_are_those_of_the_formula(ridge: float) -> None:
    """Of classes of different sizes and scales, each pair with a covariance of its own."""
    rng, sizes = np.random.default_rng(4), (4, 9, 25, 60)
    parts = [rng.normal(size=(n, 2)) * (1 + k) + [3 * k, k * k] for k, n in enumerate(sizes)]
    d = np.zeros((4, 4))
    for i, j in product(range(4), repeat=2):
        if i != j:
            scatter = sum((n - 1) * np.cov(parts[k].T) for k, n in ((i, sizes[i]), (j, sizes[j])))
            pooled = scatter / (sizes[i] + sizes[j] - 2)
            pooled += ridge * np.trace(pooled) / 2 * np.eye(2)
            step = parts[i].mean(axis=0) - parts[j].mean(axis=0)
            d[i, j] = np.sqrt(step @ np.linalg.inv(pooled) @ step)
    far = d.sum(axis=1)
    expected = np.diag(0.4 + 0.3 * (far - far.min()) / (far.max() - far.min()))
    for i, j in product(range(4), repeat=2):
        if i != j:
            expected[i, j] = (1 - expected[i, i]) / d[i, j] / sum(1 / d[i, k] for k in range(4) if k != i)
    found = nearness_matrix(np.concatenate(parts), np.repeat(range(4), sizes), stay=(0.4, 0.7), ridge=ridge)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("x", "codes", "said"),
    [([0.0, 1.0], [0, 1], "three classes"), ([0.0, 2.0, 0.5, 1.5, 8.0, 9.0], [0, 0, 1, 1, 2, 2], "two that agree")],
)
def test_there_are_three_classes_of_different_means(x: list[float], codes: list[int], said: str) -> None:
    refused(said, nearness_matrix, np.array(x)[:, None], codes)


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1 / 3, 1e90])
def test_classes_equally_far_apart_stay_half_way_between_the_limits(scale: float) -> None:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 3**0.5 / 2]]) * scale  # equal up to rounding
    around = np.array([[0.1, 0.0], [-0.1, 0.0], [0.0, 0.1], [0.0, -0.1]]) * scale
    x = (corners[:, None] + around).reshape(-1, 2)
    found = nearness_matrix(x, np.repeat([0, 1, 2], 4), stay=(0.4, 0.8))
    assert np.diag(found) == pytest.approx([0.6] * 3)
    assert found[0, 1:] == pytest.approx([0.2, 0.2])
