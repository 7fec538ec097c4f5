"""How to call the pictures; each is read by the points, the bars and the words that it draws."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import matplotlib
import numpy as np

from contract.arguments import choice, lazy, number, rng, size, thing, truth
from contract.entries import Entry
from contract.roles import counts, few_odd, observations, vector, weights
from splitcrit import criteria, impurities, losses, noise, plots
from splitcrit.estimators import ValidationCurve
from splitcrit.importance import rank_features
from splitcrit.selection import SplitSelector

matplotlib.use("Agg")
GINI, IMPURITY = impurities.gini, thing(impurities.gini, losses.square)
ONE, TWO = np.array([[8, 1], [2, 9]]), np.array([[5, 1], [5, 9]])
CURVE = ValidationCurve((0.0, 0.5, 1.0), (0.5, 0.75, 0.5), (3.0, 4.0, 5.0))
RANKS = {"a": 1.25, "b": 2.0, "c": 2.75}
POINTS = size(5)
SHARES = vector(lambda rng: rng.integers(1, 9, 3) / 16, odd=few_odd, negative=True)
PICKED = [SimpleNamespace(criterion="gini", values=v, picked=0.25, error=0.125) for v in (2, 4)]
LOST = [{"method": "one", "classes": 3, "categories": c, "loss": 0.25} for c in (2, 4)]


def drawn(function: Any) -> Any:
    """A picture on axes of its own: what it draws, as numbers and words."""
    from matplotlib.figure import Figure

    def called(**options: Any) -> Any:
        ax = function(**{"ax": Figure().add_subplot()} | options)
        lines = [np.asarray(line.get_xydata(), dtype=float) for line in ax.lines]
        words = sorted(text.get_text() for text in ax.texts)
        return [line[np.isfinite(line).all(axis=1)] for line in lines], words, len(ax.patches), len(ax.collections)

    return called


def picture(function: Any, needed: tuple[str, ...] = (), **roles: Any) -> Entry:
    import inspect

    more = tuple(name for name in inspect.signature(function).parameters if name not in roles)
    return Entry(drawn(function), roles, needed, rounds=1, unvaried=more, every=4)


def with_plain(function: Any, **plain: Any) -> Any:
    """A function with other plain values of its parameters."""
    return lambda **options: function(**plain | options)


def ranked() -> Any:
    """A ranking of two columns."""
    return rank_features({"x": np.arange(12), "word": list("ab") * 6}, np.arange(12) > 5)


def selected() -> Any:
    """A selection from two columns."""
    return SplitSelector().fit(np.arange(24).reshape(12, 2) % 7, np.arange(12) > 5)


FEW = {"samples": size(5), "rng": rng()}
ENTRIES = {
    "plots.best_split_regions": picture(
        plots.best_split_regions, ("criterion",), criterion=IMPURITY, resolution=size(6)
    ),
    "plots.choice_shares": picture(
        with_plain(
            plots.choice_shares,
            shares=[SimpleNamespace(condition=2, chooser="gini", share=0.25, standard_error=0.125)],
        ),
        expected=number(none="either"),
        condition=choice("number of values", text="either", number_as_text="either", empty_text="either"),
    ),
    "plots.indistinct_groups": Entry(
        lambda distance, average_ranks=RANKS: plots.indistinct_groups(average_ranks, distance),
        {"distance": number(1.5), "average_ranks": thing(RANKS).beside(distance=1.5)},
        ("distance",),
    ),
    "plots.landscape": picture(
        with_plain(plots.landscape, criteria=[GINI]),
        p=weights(3, odd=few_odd),
        criteria=IMPURITY.beside(p=np.array([5, 3, 2])),
    ),
    "plots.plot_critical_difference": picture(
        with_plain(plots.plot_critical_difference, average_ranks=RANKS, distance=1.5),
        distance=number(1.5),
        average_ranks=thing(RANKS),
    ),
    "plots.plot_impurity": picture(
        plots.plot_impurity,
        ("impurities",),
        impurities=IMPURITY,
        relative=truth(False),
        points=POINTS,
        splits=counts(2, 2, odd=few_odd, **{"empty_list": "either", "no_entries": "either"}),
    ),
    "plots.plot_losses": picture(
        plots.plot_losses,
        ("losses",),
        losses=thing(losses.hinge, GINI),
        reach=number(2.5),
        top=number(2.5),
        points=POINTS,
    ),
    "plots.plot_noise": picture(
        with_plain(plots.plot_noise, curves={"a": CURVE}),
        curves=thing({"a": CURVE}),
        parameter=choice("share", text="either", number_as_text="either", empty_text="either"),
    ),
    "plots.plot_ranking": picture(
        lambda **given: plots.plot_ranking(**{"ranking": ranked()} | given),
        ranking=lazy(ranked, impurities.gini),
        alpha=number(0.05),
        most=size(3),
    ),
    "plots.plot_selection": picture(
        lambda **given: plots.plot_selection(**{"selector": selected()} | given),
        selector=lazy(selected, impurities.gini),
        most=size(3),
    ),
    "plots.plot_null": picture(
        plots.plot_null,
        ("table",),
        table=counts(2, 2, odd=few_odd),
        label=observations(values=2, none="either").beside(table=np.arange(12) % 3),
        missing=choice("error", "row").beside(table=np.arange(12) % 3, label=np.arange(12) // 2 % 2),
        samples=size(20, none="either"),
        rng=rng().beside(samples=20),
        bins=size(4),
    ),
    "plots.plot_phases": picture(
        with_plain(plots.plot_phases, first=ONE, second=TWO, criterion=impurities.entropy),
        first=counts(2, 2, odd=few_odd),
        second=counts(2, 2, odd=few_odd),
        criterion=IMPURITY,
        points=POINTS,
    ),
    "plots.plot_scaling": picture(
        with_plain(plots.plot_scaling, criteria=GINI, channel=noise.symmetric(0.25)),
        criteria=IMPURITY,
        channel=thing(noise.symmetric(0.25), GINI),
        tables=vector(lambda rng: rng.integers(1, 9, (4, 2, 2)), odd=few_odd, negative=True),
        splits=size(5),
        random=truth(False),
        rng=rng().beside(random=True),
    ),
    "plots.plot_selection_bias": picture(
        with_plain(plots.plot_selection_bias, criteria=GINI, values=(2, 3), labels=(6, 6), samples=5),
        criteria=IMPURITY,
        values=vector(lambda rng: np.array([2, 3]), odd=few_odd, negative=True),
        show=choice("chosen", "score"),
        labels=weights(2, odd=few_odd),
        **FEW,
    ),
    "plots.plot_ternary": picture(
        with_plain(plots.plot_ternary, value=GINI, resolution=6),
        value=IMPURITY,
        node=weights(3, odd=few_odd, none="either"),
        share=number(0.5).beside(node=(3, 4, 5)),
        resolution=size(6),
        levels=size(3),
    ),
    "plots.search_loss": picture(with_plain(plots.search_loss, rows=LOST), rows=thing(LOST)),
    "plots.selection_bias": picture(
        with_plain(plots.selection_bias, rows=PICKED), rows=thing(PICKED), chance=number(none="either")
    ),
    "plots.smaller_sides": picture(
        with_plain(plots.smaller_sides, criteria=[GINI], classes=(2, 3), nodes=3),
        criteria=IMPURITY,
        classes=vector(lambda rng: np.array([2, 3]), odd=few_odd, negative=True),
        nodes=size(3),
        rng=rng(),
    ),
    "plots.two_class_values": picture(
        with_plain(plots.two_class_values, criteria=[GINI], points=5), criteria=IMPURITY, points=POINTS
    ),
    "plots.validation_curve": picture(plots.validation_curve, ("curve",), curve=thing(CURVE, GINI)),
}
del criteria, partial, SHARES
