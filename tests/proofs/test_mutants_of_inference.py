"""Mutants of the library's tests and intervals: of each theorem about them at least one wrong version falls."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from mutants import Corruption, survey, unsettled
from splitcrit.proofs import catalogue
from splitcrit.proofs.sources import read_by

HERE, NULLS, GROWTH = "splitcrit.inference.", "splitcrit.nulls.", "splitcrit.trees.growth."
LEVELS, DOWN = "levels_of_antichain_sum_to_at_most_alpha", "tests_down_a_tree_err_at_most_alpha"
DRAWS, STOPPED = "share_of_draws_is_pvalue_of_one_more", "stopped_draws_give_pvalue_of_besag_and_clifford"
NAMED, HOLM = "bonferroni_names_falsely_at_most_alpha", "holm_rejects_falsely_at_most_alpha"
DISCRETE, JOINT = "discrete_bonferroni_is_pvalue_of_no_dependence", "westfall_young_is_pvalue_of_no_dependence"
ENDS, TOGETHER = "clopper_pearson_misses_at_most_delta", "intervals_of_all_nodes_miss_at_most_delta"
SELECTIVE = "selective_pvalue_is_valid_given_that_tree_has_node"
FUNCTION = "selective_pvalue_is_valid_for_any_function_of_columns_and_totals"
WEIGHTED = "pvalues_joined_with_fixed_weights_are_valid"
KEPT, ONE_BY_ONE = (
    "share_of_kept_draws_is_pvalue_given_that_tree_has_node",
    "selective_tests_down_a_tree_err_at_most_alpha",
)

EVALUES, FALSE = "calibrated_pvalue_is_evalue", "evalues_err_at_most_alpha_of_discoveries"

SEEN = "np.corrcoef(types, columns[c])[0, 1] ** 8"  # what the labels observed make of a column
CORRUPTIONS = [
    Corruption(spot, old, new, (f"inference.{key}",))
    for spot, old, new, key in [
        (HERE + "familywise:levels", "level[node] * shares", "alpha * shares", LEVELS),
        (HERE + "familywise:shares_of", "1 - share[left]", "1", LEVELS),
        (HERE + "familywise:levels", "level[node] * shares[children]", "level[node]", DOWN),
        (HERE + "familywise:pvalues_down", "p[node] = pvalue(node)", "p[node] = 0 * pvalue(node)", DOWN),
        ("splitcrit.nulls.monte_carlo:permutation_pvalue", "(1 + reached)", "reached", DRAWS),
        ("splitcrit.nulls.monte_carlo:permutation_pvalue", "(1 + reached)", "reached", STOPPED),
        (NULLS + "permutation_pvalues:stopped_pvalue", "exceedances / draws", "(exceedances - 1) / draws", STOPPED),
        (NULLS + "permutation_pvalues:bonferroni", "features * p", "1 - (1 - p) ** features", NAMED),
        (NULLS + "permutation_pvalues:holm", "len(pvalues) - rank", "max(1, len(pvalues) - rank - 1)", HOLM),
        (NULLS + "permutation_pvalues:holm", "max(largest, bonferroni", "max(0.0, bonferroni", HOLM),
        (NULLS + "permutation_pvalues:discrete_bonferroni", "min(1.0, sum(", "max(0.0, *(", DISCRETE),
        (NULLS + "permutation_pvalues:westfall_young", "q <= smallest", "q < smallest", JOINT),
        (HERE + "familywise:clopper_pearson", "n - x + 1, delta / 2", "n - x + 1, delta", ENDS),
        (HERE + "familywise:clopper_pearson", "np.where(x < n", "np.where(x < n - 1", ENDS),
        (HERE + "familywise:simultaneous", "(nodes * (", "(2 * (", TOGETHER),
        (NULLS + "evalues:evalue", "** -0.5 - 1", "** -0.5", EVALUES),
        (NULLS + "evalues:mean_evalues", "/ np.where(total > 0, total, 1.0)", "", EVALUES),
        (NULLS + "evalues:discovery_rates", "(rank * evalues[j])", "((rank + 1) * evalues[j])", FALSE),
        (NULLS + "evalues:discovery_rates", "len(evalues) / ", "1 / ", FALSE),
        (GROWTH + "paths:Path.kept", "or not self.alike(side)", "", SELECTIVE),
        (GROWTH + "paths:Path.alike", ".nodes[1:]", ".nodes[2:]", SELECTIVE),
        (GROWTH + "paths:Path.relabelled", "self.place >= 0", "self.place > 0", SELECTIVE),
        (HERE + "selective:Trained.path", "self.parent[nodes[-1]] >= 0", "self.parent[nodes[-1]] > 0", SELECTIVE),
        (HERE + "selective:permuted_test", "observed - permuted.band", "observed + permuted.band", KEPT),
        (HERE + "selective:top_down", "level(int(tree.depth[node]))", "2 * level(int(tree.depth[node]))", ONE_BY_ONE),
        (HERE + "selective:top_down", "level(int(tree.depth[node]))", "level(0)", ONE_BY_ONE),
        (GROWTH + "surprise_paths:SurpriseSearch._node", "= np.maximum", f"= {SEEN} * np.maximum", FUNCTION),
        ("splitcrit.nulls.dichotomies:joined_pvalue", "PARTS * min(", "min(", WEIGHTED),
    ]
]


KEYS = tuple(dict.fromkeys(key for corruption in CORRUPTIONS for key in corruption.killers))


def test_the_killers_are_all_theorems_of_the_subject() -> None:
    assert set(KEYS) == {key for key in catalogue.collect() if key.startswith("inference.")}


@pytest.mark.slow  # the ledger settles them, too
def test_the_killers_stand_while_nothing_is_corrupted() -> None:
    assert unsettled(KEYS) == []


def test_the_killers_read_what_is_corrupted() -> None:
    for corruption in CORRUPTIONS:
        file = Path(import_module(corruption.spot.partition(":")[0]).__file__ or "")
        for key in corruption.killers:
            assert file in read_by(catalogue.homes()[key]), f"{key} does not read {file}"


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_every_corruption_brings_its_theorem_down(step: int) -> None:
    assert [str(corruption) for corruption, down in survey(CORRUPTIONS[::step]) if not down] == []
