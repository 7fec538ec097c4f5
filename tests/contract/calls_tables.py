"""How to call tables, noise channels and data sets."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from contract.arguments import choice, given, integer, number, rng, size, thing
from contract.entries import Entry, classes_reversed, rows_reversed
from contract.roles import counts, few_odd, observations, shares, vector
from reproductions import datasets
from splitcrit import impurities, noise
from splitcrit.frozen import complaint
from splitcrit.noise import symmetric
from splitcrit.table import Table, Tables

FEATURE, LABEL = np.arange(12) % 3, np.arange(12) // 2 % 2
FRAME = pd.DataFrame({"a": FEATURE, "b": FEATURE // 2, "y": LABEL})
PAIR = {"data": FEATURE, "label": LABEL}
SUMMED = {"laws": {"data": (rows_reversed, classes_reversed)}}


def summary(table: Any) -> Any:
    """What of a table does not change with its order."""
    return sorted(np.ravel(table.counts).tolist()), np.sum(table.total)


def one_law(base: np.ndarray) -> Any:
    """The odd kinds of one distribution: a list of lists is none."""
    return (pair for pair in few_odd(base) if "batch" not in pair[0] and "pair" not in pair[0])


def numbers(table: Table) -> Any:
    return table.counts


def framed(values: Any) -> Any:
    """A column of a data frame beside a label."""
    try:
        return pd.DataFrame({"a": values, "y": LABEL})
    except (ValueError, TypeError):
        raise TypeError(complaint("a column", "what pandas makes none of", "not the library's affair")) from None


TABLES = {
    "table.Table": Entry(
        lambda counts: Table(Table.of(counts).counts, ("a", "b"), (0, 1, 2)).T.T,
        {"counts": counts()},
        read=lambda t: (t.total, repr(t)),
        rounds=1,
    ),
    "table.Table.of": Entry(
        Table.of,
        {
            "data": counts(3, 3),
            "data/feature": observations().beside(label=LABEL),
            "label": observations(values=2, none="either").beside(data=FEATURE),
            "weights": vector(lambda rng: rng.integers(1, 9, 12), negative=True, none="either", odd=few_odd).beside(
                **PAIR
            ),
            "missing": choice("error", "row").beside(**PAIR),
            "row_names": vector(lambda rng: np.arange(3), none="either", odd=few_odd).free(),
            "class_names": vector(lambda rng: np.arange(3), none="either", odd=few_odd).free(),
        },
        needed=("data",),
        read=summary,
        rounds=2,
        unvaried=("feature",),
        **SUMMED,
    ),
    "table.Table.merged": Entry(
        Table.of([[1, 2], [3, 4]]).merged, {"other": thing(Table.of([[5, 6], [7, 8]]), impurities.gini)}, read=numbers
    ),
    "table.Table.exact": Entry(lambda counts: Table.of(counts).exact(), {"counts": counts()}, rounds=1),
    "table.Table.integers": Entry(lambda counts: Table.of(counts).integers(), {"counts": counts()}, rounds=1),
    "table.Table.dropped": Entry(lambda counts: Table.of(counts).dropped().counts, {"counts": counts()}, rounds=1),
    "table.Table.row_totals": Entry(
        lambda counts: (Table.of(counts).row_totals, Table.of(counts).column_totals), {"counts": counts()}, rounds=1
    ),
    "table.Tables": Entry(
        lambda values: Tables.of(framed(values), "y").tables["a"].counts,
        {"values": observations(text="either")},
        rounds=1,
    ),
    "table.Column": Entry(
        lambda values: vars(Tables.of(framed(values), "y").columns["a"]),
        {"values": observations(text="either")},
        rounds=1,
    ),
    "table.Tables.of": Entry(
        lambda **options: Tables.of(**options),
        {
            "data": given(FRAME),
            "label": choice("y", "a", text="refuse"),
            "features": choice(["a"], ("a", "b"), none="either", list="refuse").free(),
            "drop": choice(["a"], ("a", "b")).free(),
            "missing": choice("error", "row"),
            "bins": integer(3, none="either"),
            "max_values": integer(100),
            "seed": rng(),
            "watch": given(None),
            "resume": given(None),
        },
        needed=("data", "label"),
        read=lambda found: [(name, t.counts) for name, t in sorted(found.tables.items())],
        rounds=1,
    ),
}

# Noise.

CHANNEL = thing(symmetric(0.25), impurities.gini, 0.2)
MATRIX = vector(
    lambda rng: (lambda a, b: np.array([[16 - a, a], [b, 16 - b]]) / 16)(*rng.integers(1, 15, 2)), negative=True
)


def law(channel: Any) -> Any:
    return channel.matrix(2)


NOISE = {
    "noise.identity": Entry(noise.identity.matrix, {"K": integer(3)}, rounds=1),
    "noise.symmetric": Entry(noise.symmetric, {"eta": number()}, read=law),
    "noise.pair_flip": Entry(noise.pair_flip, {"eta": number()}, read=law),
    "noise.class_conditional": Entry(
        noise.class_conditional, {"tau_pos": number(), "tau_neg": number()}, ("tau_pos", "tau_neg"), law, rounds=1
    ),
    "noise.compose": Entry(noise.compose, {"first": CHANNEL, "second": CHANNEL}, ("first", "second"), law, rounds=1),
    "noise.transition_matrix": Entry(
        noise.transition_matrix,
        {"rows": MATRIX},
        read=law,
    ),
    "noise.flipped": Entry(
        lambda codes, rates, classes=None, rng=3: noise.flipped(codes, rates, classes=classes, rng=rng),
        {
            "codes": vector(lambda rng: rng.permutation(np.arange(8) % 3), negative=True, odd=few_odd),
            "rates": vector(lambda rng: rng.integers(0, 16, 8) / 16, negative=True, odd=few_odd),
            "classes": integer(3, none="either"),
            "rng": rng(),
        },
        needed=("codes", "rates"),
        rounds=2,
    ),
    "noise.margin_rates": Entry(
        noise.margin_rates,
        {
            "margin": vector(lambda rng: rng.integers(1, 9, 6), odd=few_odd),
            "top": number(),
            "scale": number(1.5, none="either"),
        },
        needed=("margin",),
        rounds=2,
    ),
    "noise.nearness_matrix": Entry(
        noise.nearness_matrix,
        {
            "X": vector(lambda rng: np.arange(12).reshape(6, 2) ** 2 % 17, odd=few_odd),
            "codes": vector(lambda rng: np.array([0, 0, 1, 1, 2, 2]), odd=few_odd, negative=True),
            "stay": vector(lambda rng: np.array([8, 12]) / 16, odd=few_odd, negative=True),
            "ridge": number(0.25),
        },
        needed=("X", "codes"),
        rounds=1,
    ),
    "noise.Channel": Entry(lambda channel: noise.compose(symmetric(0.25), channel), {"channel": CHANNEL}, read=law),
    "noise.Channel.matrix": Entry(symmetric(0.25).matrix, {"K": integer(3)}, rounds=1),
    "noise.Channel.on_distribution": Entry(
        symmetric(0.25).on_distribution,
        {"p": shares(odd=one_law, negative=False)},
        read=lambda p: np.asarray(p, dtype=float),
    ),
    "noise.Channel.expected": Entry(
        symmetric(0.25).expected, {"counts": counts(odd=few_odd)}, read=lambda x: np.asarray(x, dtype=float)
    ),
    "noise.Channel.random": Entry(
        lambda counts, rng=3: symmetric(0.25).random(counts, rng=rng),
        {"counts": counts(), "rng": rng()},
        ("counts",),
        rounds=2,
    ),
    "noise.Channel.flip": Entry(
        lambda labels, rng=3, classes=None: symmetric(0.25).flip(labels, rng=rng, classes=classes),
        {
            "labels": observations(),
            "rng": rng(),
            "classes": vector(lambda rng: np.arange(3), none="either", odd=few_odd).beside(labels=FEATURE).free(),
        },
        needed=("labels",),
        read=lambda found: [x if isinstance(x, Number) else str(x) for x in found.tolist()],
        rounds=2,
    ),
}

# Data sets.


def points(sample: Any) -> Any:
    return np.sort(sample[0], axis=0), np.bincount(sample[1], minlength=2)


POINTS = {"n": size(7), "rng": rng()}
CODED = datasets.Dataset("mine", np.array([[0.0, 1.0], [1.0, 2.0]]), np.array([0, 1]), ("a", "b"), {0: ("u", "v")}, {})
DATASETS = {
    "reproductions.datasets.checkerboard": Entry(
        lambda n, cells=2, rng=3: datasets.checkerboard(n, cells=cells, rng=rng),
        POINTS | {"cells": integer(2)},
        ("n",),
        points,
        rounds=1,
    ),
    "reproductions.datasets.uniform_halves": Entry(
        lambda n, positive=0.5, rng=3: datasets.uniform_halves(n, positive=positive, rng=rng),
        POINTS | {"positive": number()},
        ("n",),
        points,
        rounds=1,
    ),
    "reproductions.datasets.uniform_window": Entry(
        lambda n, positive=0.5, rng=3: datasets.uniform_window(n, positive=positive, rng=rng),
        POINTS | {"positive": number()},
        ("n",),
        points,
        rounds=1,
    ),
    "reproductions.datasets.Dataset": Entry(
        lambda name: CODED.without(name), {"name": choice("a", "b").free()}, read=lambda d: d.features, rounds=1
    ),
}

ENTRIES = TABLES | NOISE | DATASETS
