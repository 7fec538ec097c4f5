"""How to call robustness to label noise, and vertices: the best splits of a node."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from contract.arguments import choice, integer, lazy, number, rng, size, thing
from contract.entries import Entry, rows_reversed
from contract.parameters import MISSING, READ
from contract.roles import counts, few_odd, observations, vector
from splitcrit import TreeClassifier, impurities, losses, robustness
from splitcrit.noise import class_conditional, symmetric

CHANNEL = thing(symmetric(0.25), impurities.gini)
CRITERION = thing(impurities.gini, losses.square, symmetric(0.25))
NAMED = thing(impurities.gini, losses.square, text="either", number_as_text="either", empty_text="either")
TIES = choice("fail", "keep", "split")
LIMIT = number(1.0)
FIRST, SECOND = np.array([[8, 1], [2, 9]]), np.array([[5, 1], [5, 9]])
FLIPS = np.array([[4, 1], [3, 2]])
BOTH = ("first", "second", "channel")


def leaf(classes: int = 2) -> Any:
    """Counts of a leaf with a majority."""
    return vector(lambda rng: rng.permutation(np.arange(classes) * 3 + rng.integers(1, 4)), negative=True)


def nested(which: int) -> Any:
    """One of two nested tables."""
    return vector(lambda rng: (FIRST, SECOND)[which].copy(), negative=True, odd=few_odd)


X = np.array([[0.0, 1], [1, 0], [2, 5], [3, 4], [4, 2], [5, 3], [6, 1], [7, 7]])
Y = np.array([0, 0, 1, 0, 1, 1, 0, 1])


@cache
def tree(shift: int) -> TreeClassifier:
    """A tree on labels that are right, or shifted."""
    return TreeClassifier(max_depth=3).fit(X, np.roll(Y, shift))


ROBUSTNESS = {
    "robustness.corrected": Entry(
        robustness.corrected,
        {"criterion": CRITERION, "channel": CHANNEL},
        ("criterion", "channel"),
        lambda found: float(found(FIRST)),
        rounds=1,
    ),
    "robustness.estimated_rates": Entry(
        robustness.estimated_rates,
        {"leaves": counts(3, 2), "least": integer(2), "confidence": number(0.75)},
        needed=("leaves",),
        laws={"leaves": (rows_reversed,)},
        rounds=2,
    ),
    "robustness.expected_gain": Entry(
        robustness.expected_gain,
        {
            "table": counts(2, 3),
            "channel": CHANNEL,
            "criterion": CRITERION,
            "limit": LIMIT,
            "label": observations(values=2, none="either").beside(table=np.arange(12) % 2),
            "missing": choice("error", "row").beside(table=np.arange(12) % 2, label=np.arange(12) // 2 % 2),
        },
        needed=("table", "channel"),
        laws={"table": (rows_reversed,)},
        rounds=2,
    ),
    "robustness.leaf_labels": Entry(
        robustness.leaf_labels,
        {"counts": counts(3, 3, odd=few_odd, no_entries="either"), "channel": CHANNEL},
        needed=("counts", "channel"),
        rounds=2,
    ),
    "robustness.leaf_threshold": Entry(
        robustness.leaf_threshold, {"channel": thing(class_conditional(tau_pos=0.1, tau_neg=0.2), impurities.gini)}
    ),
    "robustness.majority_bounds": Entry(
        robustness.majority_bounds, {"counts": leaf(), "channel": CHANNEL}, ("counts", "channel"), rounds=2
    ),
    "robustness.majority_failure": Entry(
        robustness.majority_failure,
        {"counts": leaf(), "channel": CHANNEL, "ties": TIES, "limit": LIMIT},
        ("counts", "channel"),
        rounds=2,
    ),
    "robustness.majority_failure_by_example": Entry(
        robustness.majority_failure_by_example,
        {
            "labels": vector(lambda rng: rng.permutation(np.array([0, 1, 1, 1, 0])), negative=True, odd=few_odd),
            "rates": vector(lambda rng: rng.integers(0, 16, 5) / 16, negative=True, odd=few_odd),
            "ties": TIES,
            "limit": LIMIT,
        },
        needed=("labels", "rates"),
        rounds=2,
    ),
    "robustness.order_bounds": Entry(
        robustness.order_bounds,
        {"first": nested(0), "second": nested(1), "channel": CHANNEL, "criterion": CRITERION},
        needed=BOTH,
        rounds=1,
    ),
    "robustness.order_failure": Entry(
        lambda **options: robustness.order_failure(**options),
        {
            "first": nested(0),
            "second": nested(1),
            "channel": CHANNEL,
            "criterion": CRITERION,
            "ties": TIES,
            "draws": size(50).beside(
                first=np.array([[8, 1, 2], [2, 9, 1]]), second=np.array([[5, 1, 2], [5, 9, 1]]), rng=0
            ),
            "rng": rng().beside(
                first=np.array([[8, 1, 2], [2, 9, 1]]), second=np.array([[5, 1, 2], [5, 9, 1]]), draws=50
            ),
        },
        needed=BOTH,
        rounds=1,
    ),
    "robustness.phase_diagram": Entry(
        robustness.phase_diagram,
        {"first": nested(0), "second": nested(1), "criterion": CRITERION, "points": size(5), "limit": LIMIT},
        needed=("first", "second"),
        rounds=1,
        nan=True,
    ),
    "robustness.samples_needed": Entry(
        robustness.samples_needed,
        {"proportions": leaf(), "channel": CHANNEL, "delta": number(0.25), "ties": TIES, "limit": LIMIT},
        needed=("proportions", "channel", "delta"),
        rounds=1,
    ),
    "robustness.tolerance": Entry(
        robustness.tolerance,
        {"criterion": NAMED, "noise": choice("uniform", "class_conditional"), "classes": integer(2)},
        needed=("criterion", "noise"),
        rounds=1,
    ),
    "robustness.tree_agreement": Entry(
        robustness.tree_agreement,
        {
            "clean": lazy(lambda: tree(0), impurities.gini),
            "noisy": lazy(lambda: tree(1), impurities.gini),
            "X": vector(lambda rng: X.astype(int), odd=few_odd, **MISSING | dict.fromkeys(READ, "either")),
            "y": vector(lambda rng: Y.copy(), odd=few_odd, negative=False).free(),
        },
        needed=("clean", "noisy", "X", "y"),
        estimator=True,
        rounds=1,
    ),
}


def record(name: str, role: Any, function: Any) -> dict[str, Entry]:
    """A record is what its function returns: tried through it."""
    return {f"robustness.{name}": Entry(function, {"value": role}, rounds=1)}


for name, role, function in (
    ("EstimatedRates", counts(3, 2), lambda value: vars(robustness.estimated_rates(value, least=2))),
    ("ExpectedGain", counts(2, 2), lambda value: vars(robustness.expected_gain(value, channel=symmetric(0.25)))),
    ("MajorityBounds", leaf(), lambda value: vars(robustness.majority_bounds(value, symmetric(0.25)))),
    ("OrderBounds", nested(0), lambda value: vars(robustness.order_bounds(value, SECOND, channel=symmetric(0.25)))),
    ("OrderFailure", nested(0), lambda value: vars(robustness.order_failure(value, SECOND, channel=symmetric(0.25)))),
    ("PhaseDiagram", nested(0), lambda value: robustness.phase_diagram(value, SECOND, points=3).flipped),
    ("SamplesNeeded", leaf(), lambda value: vars(robustness.samples_needed(value, symmetric(0.25), 0.25))),
    ("Tolerance", NAMED, lambda value: vars(robustness.tolerance(value, "uniform"))),
    ("TreeAgreement", lazy(lambda: tree(1), 3), lambda value: robustness.tree_agreement(tree(0), value, X, Y).share),
):
    ROBUSTNESS |= record(name, role, function)


def _difference(eta: Any) -> int:
    return 1 if eta < Fraction(1, 3) else -1


ROBUSTNESS["robustness.symmetric_flips"] = Entry(
    lambda cells=16, bits=8, difference=_difference: robustness.symmetric_flips(difference, cells=cells, bits=bits),
    {"cells": integer(16), "bits": integer(8)},
    rounds=1,
    unvaried=("difference",),
)
ENTRIES = ROBUSTNESS
