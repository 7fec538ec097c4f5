"""How to call importance measures and discretisers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from contract.arguments import choice, integer, number, size, thing
from contract.entries import Entry, rows_reversed
from contract.parameters import CLASSES, FEATURES, ROWS
from contract.roles import counts, few_odd, observations, totals, vector
from splitcrit import importance, impurities, losses, multiway
from splitcrit.importance import rank_features

SEVERAL = vector(lambda rng: rng.integers(1, 9, (3, 2, 2)), negative=True, empty_list="either", no_entries="either")
IMPURITY = thing(impurities.gini, losses.square)
COUNTS = [[7, 2], [3, 9]]
TABLES = {"a": COUNTS, "b": [[4, 4], [6, 7]]}
DATA = {"data": ROWS, "label": CLASSES}
SCORED = DATA | {"measure": "sgini"}


def made(maker: Any, **more: Any) -> Entry:
    """A maker of criteria with samples and a seed."""
    roles = {"impurity": IMPURITY, "samples": size(20), "seed": integer(3)} | more
    roles = {name: role for name, role in roles.items() if role is not None}
    return Entry(maker, roles, ("impurity",), lambda found: float(found(COUNTS)), rounds=1)


def ranked(found: Any) -> Any:
    return found.scores


PERMUTATIONS = size(3, none="either")
IMPORTANCE = {
    "importance.adjusted": made(importance.adjusted),
    "importance.standardised": made(importance.standardised),
    "importance.air": made(importance.air, samples=None, permutations=PERMUTATIONS),
    "importance.pimp": made(
        importance.pimp, samples=None, permutations=size(5, none="either"), law=choice("normal", "gamma")
    ),
    "importance.rank_features": Entry(
        rank_features,
        {
            "data": FEATURES.beside(label=CLASSES).free(),
            "data/tables": SEVERAL,
            "label": observations(24, none="either").beside(data=ROWS),
            "measure": thing(importance.MEASURES["gini"], losses.square, none="either").beside(**DATA),
            "thresholds": vector(lambda rng: np.array([1, 2]), odd=few_odd, none="either").beside(**SCORED),
            "bins": integer(3, none="either").beside(**SCORED),
            "n_permutations": size(20).beside(**DATA),
            "limit": number(1.0).beside(**DATA),
            "seed": integer(3).beside(**DATA),
            "response": choice("auto", "classes").beside(**DATA),
        },
        needed=("data/tables",),
        read=ranked,
        rounds=1,
        unvaried=("discretiser",),
    ),
    "importance.feature_tables": Entry(
        importance.feature_tables,
        {
            "data": FEATURES.free(),
            "label": observations(24).beside(data=ROWS),
            "thresholds": vector(lambda rng: np.array([1, 2]), odd=few_odd, none="either"),
        },
        needed=("data", "label"),
        read=lambda found: [t.counts for t in found.values()],
        rounds=1,
        unvaried=("discretiser",),
    ),
    "importance.gain_moments": Entry(
        lambda row_totals, column_totals, **options: importance.gain_moments(
            row_totals, column_totals, **{"rng": 0} | options
        ),
        {
            "row_totals": totals(),
            "column_totals": totals(2),
            "impurity": IMPURITY,
            "samples": size(20),
            "largest": integer(1000),
        },
        needed=("row_totals", "column_totals"),
        read=vars,
        rounds=1,
    ),
    "importance.max_selected": Entry(
        importance.max_selected,
        {"statistic": choice("sgini", "gini"), "min_leaf": integer(2), "samples": size(20), "seed": integer(3)},
        read=lambda measure: measure([COUNTS]),
        rounds=1,
    ),
    "importance.measure_of": Entry(
        importance.measure_of, {"value": thing(impurities.gini, losses.square)}, read=lambda m: m([COUNTS]), rounds=1
    ),
    "importance.MEASURES": Entry(
        lambda table: [measure([table]) for name, measure in importance.MEASURES.items()],
        {"table": counts(2, 2, odd=few_odd)},
        laws={"table": (rows_reversed,) * 0},
        rounds=1,
    ),
    "importance.Measure": Entry(importance.MEASURES["sgini"], {"tables": SEVERAL}, rounds=1),
    "importance.Ranking": Entry(lambda tables: rank_features(tables).ranked, {"tables": SEVERAL}, rounds=1),
    "importance.RankedFeature": Entry(
        lambda tables: [f.plain()["p"] for f in rank_features(tables).features], {"tables": SEVERAL}, rounds=1
    ),
    "importance.GainMoments": Entry(
        lambda totals: vars(importance.gain_moments(totals, totals, impurities.gini)), {"totals": totals()}, rounds=1
    ),
}
IMPORTANCE["importance.rank_features"] = Entry(
    lambda **options: rank_features(**{"data": TABLES} | options),
    {name: role for name, role in IMPORTANCE["importance.rank_features"].roles.items()},
    read=ranked,
    rounds=1,
    unvaried=("discretiser",),
)

# Discretisers.


@cache
def squares() -> Any:
    return multiway.clusterings(np.arange(12) ** 2, np.arange(12) % 2)


VALUES = vector(lambda rng: rng.permutation(np.arange(24)), odd=few_odd)


def cut(kind: Any, **roles: Any) -> Entry:
    """A discretiser: fitted, and read by the intervals of the rows."""

    def function(X: Any = ROWS, y: Any = CLASSES, **parameters: Any) -> Any:
        found = kind(**parameters).fit_transform(X, y)
        return np.asarray(found.todense() if hasattr(found, "todense") else found)

    data = {"X": FEATURES, "y": observations(24, fractions="either", objects="answer").free()}
    return Entry(function, data | roles, estimator=True, rounds=1, warm=True, unvaried=("X", "y"))


DISCRETIZE = {
    "multiway.ChiMerge": cut(
        multiway.ChiMerge,
        significance=number(0.25, none="either"),
        threshold=number(2.5, none="either"),
        max_intervals=integer(3, none="either", two_numbers="either", vector="either", list="either"),
        min_intervals=integer(2, none="either"),
    ),
    "multiway.GapClustering": cut(
        multiway.GapClustering,
        n_clusters=integer(3, none="either"),
        criterion=thing(impurities.gini, losses.square),
        linkage=choice("single", "complete", "average"),
        max_clusters=integer(4, none="either"),
    ),
    "multiway.clusterings": Entry(
        multiway.clusterings,
        {
            "feature": VALUES,
            "label": observations(24, fractions="either", objects="answer").free(),
            "criterion": thing(impurities.gini, losses.square),
            "linkage": choice("single", "complete", "average"),
        },
        needed=("feature", "label"),
        read=lambda found: found.scores,
        rounds=1,
    ),
    "multiway.Clusterings": Entry(lambda k: squares().table(k), {"k": integer(3)}, rounds=1),
    "multiway.Clusterings.thresholds": Entry(lambda k: squares().thresholds(k), {"k": integer(3)}, rounds=1),
}

ENTRIES = IMPORTANCE | DISCRETIZE
