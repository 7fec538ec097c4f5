"""Responses cut in two at seven quantiles: seven exact tests, for responses of which a few are large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from splitcrit.inference import InferenceTreeRegressor, split_test
from splitcrit.nulls import selected_pvalue


def heavy(seed: int, shift: float = 0.8, n: int = 300) -> tuple[Any, Any]:
    """Log-normal responses of sigma 1.5, larger in 38 % of the rows."""
    rng = np.random.default_rng(seed)
    x = rng.random((n, 1))
    return x, np.exp(1.5 * rng.normal(size=n)) + shift * (x[:, 0] < 0.38)


def test_a_p_value_is_seven_times_the_least_of_seven_exact_ones() -> None:
    x, y = heavy(3, shift=0.4, n=61)
    x = np.round(8 * x)
    found = split_test(x, y, statistic="quantiles").features[0]
    order = np.sort(y)
    each = [float(selected_pvalue(x[:, 0], y > order[-(-j * 61 // 8) - 1])) for j in range(1, 8)]
    assert found.p == pytest.approx(min(1.0, 7 * min(each)), rel=1e-9)
    assert found.method == "responses above a quantile" and found.standard_error is None
    turned = split_test(x[::-1], np.exp(y[::-1] / y.max()), statistic="quantiles").features[0]
    assert turned.p == pytest.approx(found.p, rel=1e-9) and turned.cut == found.cut  # of the order of y alone


def test_quantiles_see_what_the_variance_of_heavy_tails_hides() -> None:
    sets = 16
    seen, hidden = (
        sum(split_test(*heavy(i), **how).rejected for i in range(sets))
        for how in ({"statistic": "quantiles"}, {"correction": "westfall-young", "n_permutations": 199})
    )
    assert seen == sets and binom.cdf(hidden, sets, 0.5) < 0.001
    trees = [InferenceTreeRegressor(statistic=s, n_permutations=99, max_depth=1, random_state=0)
             for s in ("quantiles", "variance")]  # fmt: skip
    kept = [sum(tree.fit(*heavy(i)).get_depth() for i in range(6)) for tree in trees]
    assert kept[0] == 6 and kept[1] < 4


@pytest.mark.parametrize("test", ["selective", "node"])
def test_a_tree_of_noise_is_split_as_rarely_as_promised(test: str) -> None:
    sets, kept = 100, 0
    for i in range(sets):
        x, y = heavy(i, shift=0.0, n=40)
        x = np.column_stack([x, np.round(3 * np.random.default_rng([1, i]).random(40))])
        tree = InferenceTreeRegressor(alpha=0.1, statistic="quantiles", test=test, n_permutations=99, random_state=i)
        kept += tree.fit(x, y).get_depth() > 0
    assert binom.sf(kept - 1, sets, 0.1) > 0.001


def test_a_node_test_of_quantiles_names_the_feature_by_exact_laws() -> None:
    x, y = heavy(0)
    x = np.column_stack([np.random.default_rng(9).random(300), x])
    tree = InferenceTreeRegressor(test="node", statistic="quantiles", max_depth=1).fit(x, y)
    assert tree.correction_ == "bonferroni" and tree.compare_ == "calibrated" and tree.tree_.feature[0] == 1
    assert tree.pvalues_[0] == split_test(x, y, statistic="quantiles", response="numbers").features[1].adjusted
    subsets = InferenceTreeRegressor(test="node", statistic="quantiles", categorical_features=[0], n_permutations=99)
    codes = np.column_stack([(5 * x[:, 1]).astype(int), x[:, 0]])
    assert subsets.fit(codes, y).correction_ == "permutation" and set(subsets.splits_) >= {0}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: split_test([[1], [2], [3]], ["a", "b", "b"], statistic="quantiles"),
         "statistic='quantiles' is of responses that are numbers; got classes; pass response='numbers'"),
        (lambda: split_test([[1], [2], [3]], [1.5, 2, 4], statistic="quantiles", correction="westfall-young"),
         "statistic='quantiles' draws no permutations, which correction='westfall-young' ranks; got both; pass "
         "correction='bonferroni' or 'holm'"),
        (lambda: InferenceTreeRegressor(statistic="quantiles", compare="gain").fit(*heavy(0)),
         "statistic='quantiles' needs squared error, compared by laws; got compare='gain', criterion='squared_error'; "
         "pass statistic='variance'"),
        (lambda: InferenceTreeRegressor(statistic="quantiles", criterion="absolute_error").fit(*heavy(0)),
         "statistic='quantiles' needs squared error, compared by laws; got compare=None, criterion='absolute_error'; "
         "pass statistic='variance'"),
        (lambda: InferenceTreeRegressor(compare="calibrated", criterion="absolute_error").fit(*heavy(0)),
         "compare='calibrated' needs Gini gains or squared errors; got criterion='absolute_error'; pass "
         "compare='gain'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_a_sentence(call: Any, said: str) -> None:
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value) == said


@pytest.mark.parametrize("y", [[1.0] * 6, [1.5, 2.5] * 3])
def test_few_different_responses(y: Any) -> None:
    found = split_test(np.arange(6.0)[:, None], y, statistic="quantiles", response="numbers")
    assert found.pvalue == 1.0
    assert InferenceTreeRegressor(statistic="quantiles").fit(np.arange(6.0)[:, None], y).get_depth() == 0
