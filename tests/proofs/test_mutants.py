"""Mutants: the theorems notice when the library is wrong, in any one of these spots.

Each line names a function, a snippet of its source, what replaces it, and theorems of which at least one must fall.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mutants import Corruption, survey, unsettled
from splitcrit.proofs import catalogue
from splitcrit.proofs.sources import read_by

LOSS, IMPURITY, CRITERION = "splitcrit.losses.", "splitcrit.impurities.library:", "splitcrit.criteria."
NOISE, NULL = "splitcrit.noise.", "splitcrit.nulls."
VARIANCE = ("null.variance_zero_iff_even_and_thin", "null.gini_variance_of_permutation")
MEAN, THIRD = "null.gini_mean_of_permutation", "null.gini_third_moment_of_permutation"
FACTORS = "null.gini_variance_has_four_nonnegative_factors"
SUMS = "null.moments_without_cancelling_are_those_of_power_sums"
PAIRED = "null.gini_moments_of_multinomial"
CREDAL = "order.imprecise_gain_ratio_swaps_splits_of_two_classes"

CORRUPTIONS = [
    Corruption(spot, old, new, (killers,) if isinstance(killers, str) else killers)
    for spot, old, new, killers in [
        (LOSS + "base:risk", "x * m.where", "x * x * m.where", "noise.risk_is_affine_of_uniform"),
        (
            LOSS + "base:majority",
            "free - vertex[-1]",
            "free",
            "impurity.misclassification_is_least_risk_of_standard_losses",
        ),
        (LOSS + "simplex:_square", "- 2 * w[k]", "- w[k]", "impurity.gini_is_least_risk_of_square_loss"),
        (LOSS + "simplex:_mae", "- m.abs(w[k])", "+ m.abs(w[k])", "impurity.mae_is_twice_gce_one"),
        (LOSS + "simplex:_GCE.__call__", "w[k], self.q", "w[k], 2 * self.q", "impurity.mae_is_twice_gce_one"),
        (LOSS + "simplex:_NEAct.__call__", "lam * lam", "lam", "stopping.ne_zone_is_decided_by_integers"),
        (LOSS + "simplex:_one_vs_rest_errors", "1 - x if", "1 - x / 2 if", "vertex.best_split_is_a_vertex_of_any_loss"),
        (LOSS + "margin_losses:margin", "else -w", "else w", "impurity.dkm_is_least_risk_of_exponential_loss"),
        (LOSS + "margin_losses:_half_log_odds", "/ 2", "/ 1", "impurity.dkm_is_least_risk_of_exponential_loss"),
        (
            LOSS + "response_losses:_Median.__call__",
            "2 * above",
            "above",
            "impurity.absolute_deviation_is_least_absolute_error",
        ),
        (
            LOSS + "response_losses:_Squared.__call__",
            "return (w - ",
            "return (w + ",
            "impurity.variance_is_least_squared_error",
        ),
        (IMPURITY + "_gini", "x * x", "x * x * x", "noise.gini_impurity_is_affine_of_symmetric"),
        (IMPURITY + "_entropy", "-total", "total", "order.entropy_flips_on_an_open_set"),
        (IMPURITY + "_misclassification", "m.max", "m.min", "impurity.misclassification_is_concave"),
        (IMPURITY + "_spread", "(len(p) - 1)", "len(p)", "impurity.sqrt_gini_is_strictly_concave"),
        (IMPURITY + "_matushita", "(1 - x)", "(1 + x)", "impurity.matushita_is_concave"),
        (IMPURITY + "_bayes_sum", "m.min", "m.max", "impurity.bayes_sum_is_concave"),
        (IMPURITY + "GCE.__call__", "1 / (1 - q)", "1 / (1 + q)", "impurity.gce_is_exponential_of_renyi_entropy"),
        (IMPURITY + "NE.__call__", "m.number(self.lam) * ", "", "order.ne_swaps_splits_of_two_classes"),
        (IMPURITY + "_Variance.__call__", "[x * (v - mean)", "[(v - mean)", "impurity.variance_is_least_squared_error"),
        (
            IMPURITY + "_AbsoluteDeviation.__call__",
            "m.min",
            "m.max",
            "impurity.absolute_deviation_is_least_absolute_error",
        ),
        (
            CRITERION + "gain:Decrease.__call__",
            "n * of(",
            "of(",
            "noise.gini_gain_and_twoing_rescale_of_class_conditional",
        ),
        (CRITERION + "library:_twoing", "4 * whole", "2 * whole", "gain.twoing_is_half_gini_gain_of_two_classes"),
        (
            CRITERION + "library:_pairwise_gain",
            "a * d - b",
            "a * d + b",
            "stopping.pairwise_gain_is_zero_of_equal_shares_only",
        ),
        (
            CRITERION + "library:squared_hellinger",
            "y / p",
            "y / n",
            "field.hellinger_is_affine_in_dkm_of_fixed_margins",
        ),
        (
            CRITERION + "library:squared_hellinger",
            "gap * gap",
            "gap",
            "field.hellinger_is_affine_in_dkm_of_fixed_margins",
        ),
        (
            CRITERION + "library:_chi_square",
            "size * column) ** 2",
            "size * column)",
            "field.chi_square_prefers_exclusive_splits",
        ),
        (CRITERION + "library:_one_vs_rest", "/ 4", "/ 2", "vertex.pairwise_gains_are_convex"),
        (CRITERION + "library:_sum_minority", "-wrong", "wrong", "impurity.misclassification_gain_is_sum_minority"),
        (
            CRITERION + "library:_crossings",
            "x * n_right - y * n_left",
            "x * n_left - y * n_right",
            "noise.gini_gain_and_twoing_rescale_of_class_conditional",
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
        (NULL + "formulas:mean", "(r - 1)", "r", MEAN),
        (NULL + "formulas:mean", "(n - 1) * n**2", "n**3", MEAN),
        (NULL + "formulas:uneven_rows", "n * r**2", "n * r", VARIANCE),
        (NULL + "formulas:thick_rows", "(r - 1)", "(r + 1)", VARIANCE),
        (NULL + "formulas:uneven_classes", "s2**2 / n", "s2**2 / (2 * n)", VARIANCE),
        (NULL + "formulas:thick_classes", "2 * (n - 1)", "(n - 1)", VARIANCE),
        (NULL + "formulas:uneven_weight", "4 * uneven", "2 * uneven", VARIANCE),
        (NULL + "formulas:thick_weight", "(n - 3)", "(n - 2)", VARIANCE),
        (NULL + "formulas:variance", "+ thick", "- thick", VARIANCE),
        (NULL + "formulas:uneven_row", "(n - r * a)", "(n - a)", FACTORS),
        (NULL + "formulas:thick_row", "- (a - 1))", "+ (a - 1))", FACTORS),
        (NULL + "formulas:uneven_class", "apart**2", "apart", FACTORS),
        (NULL + "formulas:thick_class", "+ others", "- others", FACTORS),
        (NULL + "formulas:row_sums", "11 * h", "10 * h", THIRD),
        (NULL + "formulas:class_sums", "- 6 * s3", "- 5 * s3", THIRD),
        (NULL + "formulas:shapes", "40 * s43", "36 * s43", THIRD),
        (NULL + "formulas:third_moment", "3 * n**2", "2 * n**2", THIRD),
        (NULL + "formulas:row_block", "(r * a - n)", "(r * a + n)", SUMS),
        (NULL + "formulas:row_across", "(n - 2 + r)", "(n + 2 + r)", SUMS),
        (NULL + "formulas:class_block", "(n - b - 1)", "(n - b + 1)", SUMS),
        (NULL + "formulas:class_across", "rest - 2", "rest + 2", SUMS),
        (NULL + "formulas:third_by_invariants", "24 * mixed", "12 * mixed", SUMS),
        (NULL + "permutation:centred", "- xp.sum(columns * shifted, axis=0) / n", "", SUMS),
        (NULL + "formulas:independent_uneven_weight", "4 * (uneven", "2 * (uneven", PAIRED),
        (NULL + "formulas:independent_uneven", "(r - 1) ** 2", "r**2", PAIRED),
        (NULL + "formulas:independent_row", "(a - 1)", "(a + 1)", PAIRED),
        (NULL + "margin_totals:constant", "<= 2)", "<= 3)", VARIANCE),
        (NULL + "margin_totals:form", "(least == 1)", "(least <= 2)", VARIANCE),
        (NULL + "formulas:signed_square", "above**2", "above", "null.score_grows_with_distance"),
        (
            NULL + "standardisation:exact_gain",
            "x * x for x in b",
            "x for x in b",
            "gain.sgini_negative_of_informative_split",
        ),
        (LOSS + "simplex:_cross_entropy", "-m.log", "m.log", "impurity.entropy_is_least_risk_of_softmax_loss"),
        (LOSS + "simplex:_zero_one", "0, 1)", "1, 0)", "impurity.misclassification_is_least_risk_of_standard_losses"),
        (LOSS + "simplex:_zero_one", ">= 1", "> 1", "impurity.misclassification_is_least_risk_of_standard_losses"),
        (LOSS + "simplex:_infinity", "m.max", "m.min", "impurity.mae_is_twice_gce_one"),
        (
            LOSS + "simplex:_Escort.__call__",
            "1 / (1 - order",
            "1 / (1 + order",
            "impurity.gce_is_least_risk_of_q_below_one",
        ),
        (LOSS + "simplex:_Escort.__call__", "x / whole", "x / top", "impurity.gce_is_least_risk_of_q_below_one"),
        (
            LOSS + "simplex:_NE.__call__",
            "(classes - 1) / (classes",
            "classes / (classes",
            "impurity.ne_is_least_risk_of_ne_loss",
        ),
        (LOSS + "simplex:_NE.__call__", "(1 - w[k])", "(1 + w[k])", "impurity.ne_is_least_risk_of_ne_loss"),
        (LOSS + "simplex:_NEAct.__call__", "error * error", "error", "impurity.ne_is_least_risk_of_ne_loss"),
        (LOSS + "margin_losses:_exponential", "-margin", "margin", "impurity.dkm_is_least_risk_of_exponential_loss"),
        (LOSS + "margin_losses:_hinge", "1 - margin", "1 + margin", "impurity.hinge_is_twice_misclassification"),
        (LOSS + "margin_losses:_sign", ">= p[0]", "<= p[0]", "impurity.hinge_is_twice_misclassification"),
        (
            LOSS + "margin_losses:_log_odds",
            "p[1]) - m.log(p[0]",
            "p[0]) - m.log(p[1]",
            "impurity.dkm_is_least_risk_of_exponential_loss",
        ),
        (
            LOSS + "margin_losses:uniform_cdf",
            "(1 + x)",
            "(1 - x)",
            "impurity.sigmoid_ramp_and_zero_one_are_distribution_losses",
        ),
        (
            LOSS + "margin_losses:exponential_cdf.__call__",
            "m.min",
            "m.max",
            "impurity.negative_exponential_loss_of_shifted_exponential",
        ),
        (LOSS + "margin_losses:step_cdf", ">= 0", "> 0", "impurity.sigmoid_ramp_and_zero_one_are_distribution_losses"),
        (
            LOSS + "margin_losses:logistic_cdf",
            "1 + m.exp(-x)",
            "1 + m.exp(x)",
            "impurity.sigmoid_ramp_and_zero_one_are_distribution_losses",
        ),
        (
            LOSS + "margin_losses:_Distribution.__call__",
            "-margin",
            "margin",
            "impurity.distribution_loss_is_tail_of_negated_margin",
        ),
        (
            LOSS + "response_losses:_Absolute.__call__",
            "w - m.number",
            "w + m.number",
            "impurity.median_has_least_absolute_error",
        ),
        (
            LOSS + "response_losses:_Mean.__call__",
            "x * m.number(v)",
            "m.number(v)",
            "impurity.variance_is_least_squared_error",
        ),
        (
            LOSS + "response_losses:_Median.__call__",
            "above + p[k]",
            "above",
            "impurity.absolute_deviation_is_least_absolute_error",
        ),
        (IMPURITY + "_sqrt_gini", "m.sqrt(_spread(p, m))", "_spread(p, m)", "impurity.sqrt_gini_is_strictly_concave"),
        (IMPURITY + "_spread", "/ len(p)", "", "gain.better_split_changes_once_with_lam_in_example"),
        (IMPURITY + "_matushita", "m.sqrt(x * (1 - x))", "x * (1 - x)", "impurity.matushita_is_concave"),
        (IMPURITY + "NE.__call__", "m.min", "m.max", "gain.better_split_changes_once_with_lam_in_example"),
        (
            IMPURITY + "GCE.__call__",
            "/ m.number(self.q)",
            "* m.number(self.q)",
            "impurity.gce_is_least_risk_of_q_below_one",
        ),
        (
            IMPURITY + "_AbsoluteDeviation.__call__",
            "m.abs(v - w)",
            "m.abs(v + w)",
            "impurity.absolute_deviation_is_least_absolute_error",
        ),
        (
            IMPURITY + "_Variance.__call__",
            "x * v for",
            "v for",
            "impurity.gini_is_half_least_squared_error_of_two_values",
        ),
        (
            CRITERION + "gain:Decrease.__call__",
            "/ m.where",
            "* m.where",
            "order.gini_gain_is_kept_iff_transition_is_isometric",
        ),
        (
            CRITERION + "gain:Decrease.__call__",
            "- kept",
            "+ kept",
            "noise.gini_gain_and_twoing_rescale_of_class_conditional",
        ),
        (
            CRITERION + "library:_twoing",
            "distance * distance",
            "distance",
            "gain.twoing_is_half_gini_gain_of_two_classes",
        ),
        (CRITERION + "library:_pairwise_gain", "/ 2", "/ 4", "gain.pairwise_gain_is_largest_saving"),
        (CRITERION + "library:_one_vs_rest", "m.abs(x)", "x", "vertex.pairwise_gains_are_convex"),
        (
            CRITERION + "library:_sum_minority",
            "n - m.max(row)",
            "m.max(row)",
            "impurity.misclassification_gain_is_sum_minority",
        ),
        (
            CRITERION + "library:_sum_minority",
            "/ m.where",
            "* m.where",
            "impurity.misclassification_gain_is_sum_minority",
        ),
        (
            CRITERION + "library:ImpreciseGain.upper_entropy",
            "m.min(levels)",
            "m.max(levels)",
            "order.imprecise_gain_swaps_splits_of_two_classes",
        ),
        (
            CRITERION + "library:ImpreciseGain.upper_entropy",
            "y <= x",
            "y < x",
            "order.imprecise_gain_swaps_splits_of_two_classes",
        ),
        (
            CRITERION + "library:ImpreciseGain.__call__",
            "(whole + s)",
            "whole",
            "order.imprecise_gain_ratio_swaps_splits_of_two_classes",
        ),
        (
            NOISE + "transitions:PairFlip.__call__",
            "1 - self.eta",
            "1 - 2 * self.eta",
            "order.crossing_gains_are_kept_of_two_class_noise",
        ),
        (
            NOISE + "transitions:Symmetric.__call__",
            "stays if j == k",
            "moves if j == k",
            "noise.gini_impurity_is_affine_of_symmetric",
        ),
        (
            NOISE + "transitions:ClassConditional.__call__",
            "1 - self.tau_neg, self.tau_neg",
            "self.tau_neg, 1 - self.tau_neg",
            "noise.majority_threshold_of_class_conditional",
        ),
        (
            NULL + "formulas:class_across",
            "(b + other - 2)",
            "(b + other)",
            "null.moments_without_cancelling_are_those_of_power_sums",
        ),
        (
            NULL + "formulas:class_block",
            "(n - b) / (n - 1)",
            "(n - b) / n",
            "null.moments_without_cancelling_are_those_of_power_sums",
        ),
        (
            NULL + "formulas:row_across",
            "(w + other)",
            "(w - other)",
            "null.moments_without_cancelling_are_those_of_power_sums",
        ),
        (NULL + "formulas:shapes", "12 * s32", "6 * s32", "null.gini_third_moment_of_permutation"),
        (NULL + "formulas:class_sums", "2 * n", "n,", "null.gini_third_moment_of_permutation"),
        (
            NULL + "formulas:third_by_invariants",
            "56 * c",
            "28 * c",
            "null.moments_without_cancelling_are_those_of_power_sums",
        ),
        (
            NULL + "formulas:third_by_invariants",
            "64 * apart",
            "32 * apart",
            "null.moments_without_cancelling_are_those_of_power_sums",
        ),
        (NULL + "formulas:independent_mean", "(r - 1)", "r", "null.gini_moments_of_multinomial"),
        (NULL + "formulas:independent_class", "b**2 *", "b *", "null.gini_moments_of_multinomial"),
        (NULL + "formulas:independent_thick_weight", "2 * (", "4 * (", "null.gini_moments_of_multinomial"),
        (NULL + "formulas:thick_row", "(n - a - 1)", "(n - a)", "null.gini_variance_has_four_nonnegative_factors"),
        (NULL + "formulas:uneven_row", "* w", "", "null.gini_variance_has_four_nonnegative_factors"),
        (NULL + "formulas:uneven_class", "b * apart", "apart", "null.gini_variance_has_four_nonnegative_factors"),
        (NULL + "formulas:thick_class", "(n - b - 1)", "(n - b)", "null.gini_variance_has_four_nonnegative_factors"),
        (
            NULL + "permutation:others",
            "largest, without",
            "largest, rest",
            "null.moments_without_cancelling_are_those_of_power_sums",
        ),
        (NULL + "permutation:exact_weights", "b**3", "b**2", "null.gini_variance_of_permutation"),
        (NULL + "permutation:exact_variance", "d // a", "d", "null.gini_variance_of_permutation"),
        (NULL + "third_moment:exact_third", "(d // a) ** 2", "(d // a)", "null.gini_third_moment_of_permutation"),
        (NULL + "margin_totals:constant", "still |", "still &", "null.variance_zero_iff_even_and_thin"),
        (NULL + "margin_totals:form", "(most <= 1)", "(most <= 2)", "null.variance_zero_iff_even_and_thin"),
    ]
]


THRESHOLDS = "tests/nulls/test_scan.py::test_every_threshold_is_the_score_of_its_table"
# Spots of code in floats, about which nothing is proved: a test of their own subpackage notices.
TESTED = [
    Corruption(spot, old, new, (test,))
    for spot, old, new, test in [
        (NULL + "scan:_excess", "m * s2 - n * products", "m * s2 + n * products", THRESHOLDS),
        (NULL + "scan:_scores", "* size**2", "* size", THRESHOLDS),
        (NULL + "scan:_running", "2 * before + 1", "2 * before", THRESHOLDS),
        (CRITERION + "library:Normalised.__call__", "/ m.where(alone, 1, split)", "", "tests/criteria/test_calls.py"),
    ]
]


@pytest.mark.parametrize("corruption", TESTED, ids=str)
def test_a_named_test_fails_of_a_corruption(corruption: Corruption) -> None:
    lines = "import sys; sys.path.insert(0, 'tests')\nimport pytest\nfrom proofs.test_mutants import TESTED\n"
    place = TESTED.index(corruption)
    options = ["-q", "-x", "-p", "no:cacheprovider", corruption.killers[0]]
    lines += f"TESTED[{place}].apply()\nsys.exit(pytest.main({options}))"
    done = subprocess.run([sys.executable, "-c", lines], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 1, done.stdout[-500:] + done.stderr[-500:]


KEYS = tuple(dict.fromkeys(key for corruption in CORRUPTIONS for key in corruption.killers))


def test_the_killers_are_theorems() -> None:
    assert set(KEYS) <= set(catalogue.collect())


@pytest.mark.slow  # the ledger settles them, too
def test_the_killers_stand_while_nothing_is_corrupted() -> None:
    assert unsettled(KEYS) == []


def test_the_killers_read_what_is_corrupted() -> None:
    for corruption in CORRUPTIONS:
        file = Path(import_module(corruption.spot.partition(":")[0]).__file__ or "")
        for key in corruption.killers:
            assert file in read_by(catalogue.homes()[key]), f"{key} does not read {file}"


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_every_corruption_brings_a_theorem_down(step: int) -> None:
    found = {str(corruption): down for corruption, down in survey(CORRUPTIONS[::step])}
    assert len(found) == len(CORRUPTIONS[::step]) >= 100 // step
    for spot, down in found.items():
        print(f"{spot}   killed by {', '.join(down)}")
    assert [spot for spot, down in found.items() if not down] == []


def test_a_corruption_must_stand_exactly_once() -> None:
    with pytest.raises(AssertionError, match="the snippet stands 0 times"):
        Corruption(IMPURITY + "_gini", "y * y", "y", ()).apply()
    subpackages = {corruption.spot.split(".")[1] for corruption in CORRUPTIONS}
    assert subpackages == {"losses", "impurities", "criteria", "noise", "nulls"}
