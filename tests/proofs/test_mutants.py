"""Mutants: the theorems notice when the library is wrong, in any one of these spots.

Each line names a function, a snippet of its source, what replaces it, and theorems of which at least one must fall.
"""

from __future__ import annotations

import pytest

from mutants import Corruption, fallen, survey
from splitcrit.proofs import catalogue

LOSS, IMPURITY, CRITERION = "splitcrit.losses.", "splitcrit.impurities.library:", "splitcrit.criteria."
NOISE, MOMENT = "splitcrit.noise.", "splitcrit.nulls."
VARIANCE = ("null.variance_zero_iff_even_and_thin", "null.gini_variance_of_permutation")
MEAN, THIRD = "null.gini_mean_of_permutation", "null.gini_third_moment_of_permutation"
SCAN, PAIRED = "sgini.threshold_from_running_sums", "null.gini_moments_of_multinomial"
CREDAL = "tolerance.imprecise_gain_ratio_swaps_splits_of_two_classes"

CORRUPTIONS = [
    Corruption(spot, old, new, (killers,) if isinstance(killers, str) else killers)
    for spot, old, new, killers in [
        (LOSS + "base:risk", "x * m.where", "x * x * m.where", "noise.risk_is_affine_of_symmetric_loss"),
        (LOSS + "base:majority", "free - vertex[-1]", "free", "loss.misclassification_is_minimum_risk_of_zero_one"),
        (LOSS + "simplex:_square", "- 2 * w[k]", "- w[k]", "criterion.gini_is_square_loss"),
        (LOSS + "simplex:_mae", "- m.abs(w[k])", "+ m.abs(w[k])", "loss.mae_is_twice_gce_one"),
        (LOSS + "simplex:_GCE.__call__", "w[k], self.q", "w[k], 2 * self.q", "loss.mae_is_twice_gce_one"),
        (LOSS + "simplex:_NEAct.__call__", "lam * lam", "lam", "ne.zone_is_decided_by_integers"),
        (LOSS + "simplex:_one_vs_rest_errors", "1 - x if", "1 - x / 2 if", "vertex.best_split_is_a_vertex_of_any_loss"),
        (LOSS + "margins:margin", "else -w", "else w", "criterion.dkm_is_exponential_loss"),
        (LOSS + "margins:_half_log_odds", "/ 2", "/ 1", "criterion.dkm_is_exponential_loss"),
        (LOSS + "responses:_Median.__call__", "2 * above", "above", "criterion.mae_is_absolute_error_of_median"),
        (LOSS + "responses:_Squared.__call__", "return (w - ", "return (w + ", "criterion.variance_is_squared_error"),
        (IMPURITY + "_gini", "x * x", "x * x * x", "noise.gini_impurity_is_affine_of_symmetric"),
        (IMPURITY + "_entropy", "-total", "total", "noise.entropy_flips_on_an_open_set"),
        (IMPURITY + "_misclassification", "m.max", "m.min", "impurity.misclassification_is_concave"),
        (IMPURITY + "_spread", "(len(p) - 1)", "len(p)", "impurity.sqrt_gini_is_concave"),
        (IMPURITY + "_matushita", "(1 - x)", "(1 + x)", "impurity.matushita_is_concave"),
        (IMPURITY + "_bayes_sum", "m.min", "m.max", "impurity.bayes_sum_is_concave"),
        (IMPURITY + "GCE.__call__", "1 / (1 - q)", "1 / (1 + q)", "impurity.gce_half_is_concave"),
        (IMPURITY + "NE.__call__", "m.number(self.lam) * ", "", "tolerance.ne_swaps_splits_of_two_classes"),
        (IMPURITY + "_Variance.__call__", "[x * (v - mean)", "[(v - mean)", "criterion.variance_is_squared_error"),
        (
            IMPURITY + "_AbsoluteDeviation.__call__",
            "m.min",
            "m.max",
            "criterion.mae_is_absolute_error_of_median",
        ),
        (CRITERION + "base:Decrease.__call__", "n * of(", "of(", "noise.gini_gain_rescales_of_symmetric"),
        (CRITERION + "library:_twoing", "4 * whole", "2 * whole", "relations.twoing_is_half_gini_gain"),
        (CRITERION + "library:_pairwise_gain", "a * d - b", "a * d + b", "pairwise.gain_is_zero_of_equal_shares_only"),
        (CRITERION + "library:_one_vs_rest", "/ 4", "/ 2", "vertex.pairwise_gains_are_convex"),
        (CRITERION + "library:_sum_minority", "-wrong", "wrong", "criterion.sum_minority_is_zero_one_loss"),
        (
            CRITERION + "library:_crossings",
            "x * n_right - y * n_left",
            "x * n_left - y * n_right",
            "noise.twoing_rescales_of_symmetric",
        ),
        (CRITERION + "library:ImpreciseGain.upper_entropy", "(s + mass)", "mass", CREDAL),
        (CRITERION + "library:ImpreciseGain.__call__", "m.max(rows)", "m.min(rows)", CREDAL),
        (CRITERION + "library:Normalised.__call__", "n / whole", "n / whole / 2", CREDAL),
        (NOISE + "transitions:Symmetric.__call__", "(K - 1)", "K", "noise.gini_impurity_is_affine_of_symmetric"),
        (
            NOISE + "transitions:ClassConditional.__call__",
            "(self.tau_pos, 1 - self.tau_pos)",
            "(self.tau_neg, 1 - self.tau_neg)",
            "noise.majority_threshold_of_class_conditional",
        ),
        (
            NOISE + "channel:Channel.on_distribution",
            "p[j], T[j][k]",
            "p[j], T[k][j]",
            "noise.majority_threshold_of_class_conditional",
        ),
        (MOMENT + "permutation:exact_mean", "(r - 1)", "r", MEAN),
        (MOMENT + "permutation:exact_mean", "(n - 1) * n * n", "n * n * n", MEAN),
        (MOMENT + "permutation:exact_variance", "(n + r - 2)", "(n + r - 1)", VARIANCE),
        (MOMENT + "permutation:exact_variance", "- 2 * (n - 1) * (n * s3", "+ 2 * (n - 1) * (n * s3", VARIANCE),
        (MOMENT + "permutation:exact_variance", "2 * (n - 3))", "2 * (n - 2))", VARIANCE),
        (
            MOMENT + "permutation:uneven_columns",
            "columns * shifted * shifted",
            "columns * shifted",
            "pvalue.gamma_tail_of_mean_and_variance",
        ),
        (MOMENT + "third:exact_third", "3 * square", "2 * square", THIRD),
        (MOMENT + "third:_row_shapes", "11 * h1", "10 * h1", THIRD),
        (MOMENT + "third:_shapes", "40 * s43", "36 * s43", THIRD),
        (MOMENT + "third:_shapes", "- 2 * s23,", "+ 2 * s23,", THIRD),
        (MOMENT + "multinomial:multinomial_mean_variance", "4 * uneven", "2 * uneven", PAIRED),
        (MOMENT + "multinomial:multinomial_mean_variance", "(r - 1) ** 2", "r**2", PAIRED),
        (MOMENT + "margins:constant", "<= 2)", "<= 3)", VARIANCE),
        (MOMENT + "margins:form", "(least == 1)", "(least <= 2)", VARIANCE),
        (MOMENT + "scan:_node", "4 * uneven", "2 * uneven", SCAN),
        (MOMENT + "scan:_excess", "m * s2 - n * products", "m * s2 + n * products", SCAN),
        (MOMENT + "scan:_scores", "(n - 2 * m) ** 2", "(n - m) ** 2", SCAN),
        (MOMENT + "scan:_running", "2 * before + 1", "2 * before", SCAN),
        (MOMENT + "standardised:exact_gain", "x * x for x in b", "x for x in b", "sgini.negative_of_informative_split"),
    ]
]


def test_the_killers_stand_while_nothing_is_corrupted() -> None:
    keys = tuple(dict.fromkeys(key for corruption in CORRUPTIONS for key in corruption.killers))
    assert set(keys) <= set(catalogue.collect())
    assert fallen(None, keys) == []


def test_every_corruption_brings_a_theorem_down() -> None:
    found = {str(corruption): down for corruption, down in survey(CORRUPTIONS)}
    assert len(found) == len(CORRUPTIONS) >= 20
    for spot, down in found.items():
        print(f"{spot}   killed by {', '.join(down)}")
    assert [spot for spot, down in found.items() if not down] == []


def test_a_corruption_must_stand_exactly_once() -> None:
    with pytest.raises(AssertionError, match="the snippet stands 0 times"):
        Corruption(IMPURITY + "_gini", "y * y", "y", ()).apply()
    subpackages = {corruption.spot.split(".")[1] for corruption in CORRUPTIONS}
    assert subpackages == {"losses", "impurities", "criteria", "noise", "nulls"}
