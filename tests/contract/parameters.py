"""The data that estimators are fitted on, and the roles of their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from contract.arguments import choice, given, integer, number, thing, truth
from contract.inputs import EITHER, Case
from contract.roles import Role, few_odd, vector
from splitcrit import impurities, losses

N = 24
ROWS = np.random.default_rng(5).integers(-20, 20, (N, 2))
CLASSES = (ROWS[:, 0] + ROWS[:, 1] > 0).astype(int) + (ROWS[:, 0] > 10)
REAL = ROWS @ [2, 1]
NEW = ROWS[::3] + 1
MISSING = {
    "nan": "either",
    "nan_in_float16": "either",
    "none_in_objects": "either",
    "none_in_a_list": "either",
    "na_in_objects": "either",
    "na_in_a_list": "either",
    "nat_in_objects": "either",
    "masked_with_a_hole": "either",
    "nullable_with_a_hole": "either",
}
READ = (
    "number_as_text_in_objects",
    "number_as_text_in_a_list",
    "bytes_in_objects",
    "all_text",
    "all_bytes",
    "dates",
    "spans_of_time",
    "records",
    "dict",
)
FEATURES = vector(lambda rng: ROWS.copy(), odd=few_odd, **MISSING | dict.fromkeys(READ, "either"))
WEIGHTS = vector(
    lambda rng: rng.integers(1, 5, N),
    negative=True,
    odd=few_odd,
    none="either",
    number_as_text_in_objects="either",
    number_as_text_in_a_list="either",
    bytes_in_objects="either",
    all_text="either",
    all_bytes="either",
    dict="either",
    dates="either",
    spans_of_time="either",
    set="either",
)

CRITERION = thing(impurities.gini, losses.square, text="refuse")
LIMIT = integer(3)
PARAMETERS: dict[str, Role] = {
    "n_estimators": integer(2),
    "criterion": CRITERION,
    "max_depth": LIMIT,
    "min_samples_split": integer(4),
    "min_samples_leaf": integer(2),
    "min_weight_fraction_leaf": number(0.125, fraction="either"),
    "max_features": integer(1),
    "draw": choice("all", "varying"),
    "max_leaf_nodes": integer(4),
    "bootstrap": truth(),
    "oob_score": truth(False, function="either", type="either"),
    "n_jobs": integer(1),
    "random_state": integer(3),
    "verbose": integer(0),
    "warm_start": truth(False),
    "ccp_alpha": number(0.125, fraction="either"),
    "max_samples": number(
        0.5, fraction="either", float16="either", float32="either", longdouble="either", bigminus_endian="either"
    ),
    "min_gain": number(0.125, fraction="either"),
    "min_impurity_decrease": number(0.125, fraction="either"),
    "max_pvalue": number(0.25, fraction="either"),
    "look_ahead": integer(2),
    "n_splits": integer(3),
    "min_difference": number(0.25, fraction="either"),
    "splitter": choice("best", "random"),
    "class_weight": choice("balanced", dict="either", empty_list="either", list="either", two_numbers="either"),
    "monotonic_cst": given(None),
    "categorical_features": vector(
        lambda rng: np.array([1]),
        odd=few_odd,
        float16="either",
        float32="either",
        float64="either",
        longdouble="either",
        fractions="either",
        memory_view="either",
        **{">f4": "either", ">f8": "either"},
    ).free(),
    "max_exact_categories": integer(5),
    "family": thing(impurities.ne),
    "grid": vector(lambda rng: np.array([4, 8]) / 16, odd=few_odd, memory_view="either", set="either"),
    "validation_fraction": number(0.25, fraction="either"),
    "stratify": truth(),
    "refit": truth(),
    "voting": choice("soft", "hard"),
    "max_bins": integer(20),
    "minnum": integer(2),
    "d_num": integer(5),
    "linkage": choice("single", "complete", "average"),
    "max_clusters": integer(3),
    "unseen": choice("nearest", "parent"),
}
JOBS = (
    "10**5",
    "2**31",
    "negative",
    "minus one",
    "two",
    "zero",
    "False",
    "10**30",
    "2**63",
    "2**64",
    "10**5000",
    "-10**5000",
)  # of workers: the machine's affair
SIZES = {
    "oob_score": ("function", "type"),
    "random_state": ("None",),
    "max_samples": ("10**400", "2**62", "huge", "largest float", "truth value"),
    "n_estimators": ("10**5", "2**31", "2**63", "2**64", "10**30", "10**5000"),
    "n_jobs": JOBS,
    "verbose": ("one", "two", "truth value", "uint8", "uint64"),
}


def quiet(name: str, role: Role) -> Role:
    """A role without the kinds that ask for much work, for workers or for text on the terminal."""

    def about(base: Any, rng: np.random.Generator) -> Iterator[Case]:
        for case in role.about(base, rng):
            if case.kind not in SIZES.get(name, ()) and not (name == "verbose" and case.expect == EITHER):
                yield case

    return replace(role, about=about)
