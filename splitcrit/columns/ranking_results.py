"""The results of a ranking: columns with their scores and p-values, shown as text, HTML, a data frame or a picture.

Main definitions: ``Ranking``, ``RankedFeature``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, whole
from splitcrit.columns.column_tests import NO_SINGLE_CUT, SMOOTH, with_error
from splitcrit.columns.effects import EFFECT, ColumnEffect, effects_told, plain_effect
from splitcrit.criteria import Criterion
from splitcrit.data.columns import as_frame
from splitcrit.display import aligned, html_table, many, summary
from splitcrit.frozen import visible
from splitcrit.table import Column

TOP, WIDTH = 50, 80  # columns of the data, and characters of a line, that a table shows
READ = "=> adjusted"  # the p-value that a reader should look at
YIELDING = ("method", "values", "difference", "share", "score", "kind")  # what a line that is too long does without
LEAST = 20  # characters of a name or a cut for which other parts make room


@final
@dataclass(frozen=True, repr=False)
class RankedFeature:
    """One column of a ranking.

    Parameters
    ----------
    name
        The column.
    kind
        ``"number"``, ``"date"`` or ``"ordered"`` (categories of a declared order), which are judged by their best cut;
        ``"category"``, or ``"flag"`` (truth values), judged by its table, a row a value.
    score
        The gain in standard deviations above its mean by chance, or the value of the requested measure.
    gain, share
        The decrease of the Gini impurity, or of the variance of a numeric target; and its share of the impurity of all
        rows.
    difference, difference_low, difference_high
        Of two classes, the share of the second one to the right of the best cut less that to its left; of responses
        whose ranks are not tested in their place, their mean. The interval of 95 % holds for all cuts at once; of
        responses there is none with fewer than 10 rows on a side.
    cut
        The best cut in words, such as ``"<= 2.5"``: that of the largest gain, without a p-value of its own.
    p, log_p, p_adjusted
        The p-value of the column, of its cuts and scores or of its table, which accounts for what was chosen; its
        natural logarithm; and the p-value adjusted for all columns by Holm.
    method, standard_error
        How the p-value was computed, see `splitcrit.columns.column_tests.ColumnTest`, and its Monte Carlo error.
    null_mean, null_sd
        Mean and standard deviation of the gain by chance, of the table or the cut, as if it had been fixed beforehand.
    column : Column
        How the column was read; None where tables were given.
    p_least
        Where ``method`` is ``"interval"``, p lies between this and ``p``, which is adjusted; None elsewhere.
    statistic
        What decided: ``"best cut"``, ``"scores"``, ``"cut and scores"``, ``"all cuts"`` or ``"table"``; see
        `splitcrit.columns.column_tests.ColumnTest`.
    effect : ColumnEffect
        What no search selected, with its interval: ``"AUC"``, ``"rho"`` or ``"R2"``, see
        `splitcrit.columns.effects`; None where there is none to tell.

    Examples
    --------
    >>> from splitcrit import rank_features
    >>> first = rank_features({"dose": [1, 2, 3, 4, 5, 6, 7, 8]}, [0, 0, 0, 1, 0, 1, 1, 1]).features[0]
    >>> first.name, first.kind, first.cut, round(first.p, 4)
    ('dose', 'number', '<= 3.5', 0.1143)
    >>> print(first.effect)
    AUC .94 [.39, 1.00]
    """

    name: Any
    kind: str
    score: float
    gain: float | None = None
    share: float | None = None
    difference: float | None = None
    cut: str = ""
    p: float | None = None
    log_p: float | None = None
    p_adjusted: float | None = None
    method: str = ""
    standard_error: float | None = None
    null_mean: float | None = None
    null_sd: float | None = None
    column: Column | None = None
    p_least: float | None = None
    statistic: str = ""
    effect: ColumnEffect | None = None
    difference_low: float | None = None
    difference_high: float | None = None

    def __repr__(self) -> str:
        parts = {"name": self.name, "kind": self.kind, "score": self.score, "p": self.p, "p_adjusted": self.p_adjusted}
        return summary(self, **{name: part for name, part in parts.items() if part is not None})

    @property
    def values(self) -> int | None:
        """The number of different values, without the missing one."""
        return None if self.column is None else self.column.values

    @property
    def at_most(self) -> float:
        """The p-value, or the upper end of its interval; 0 without one."""
        return float(self.p or 0.0)

    @property
    def at_least(self) -> float:
        """The p-value, or the lower end of its interval; 0 without one."""
        return self.at_most if self.p_least is None else self.p_least

    def is_above(self, level: float) -> bool:
        """Whether only that may be known of the p-value; one of exactly 1 is known."""
        return level < self.at_least < 1

    def plain(self, level: float = math.inf) -> dict[str, Any]:
        """The record that is written as JSON.

        A p-value that is known to be above the level is written as such, an interval as its two ends.
        """
        apart = ("name", "kind", "column", "p_least", "effect")
        mine = {name: part for name, part in vars(self).items() if name not in apart} | plain_effect(self.effect)
        if self.is_above(level):
            mine |= {"p": {"above": level}, "log_p": {"above": math.log(level)}}
        elif self.p_least is not None:
            mine["p"] = {"from": self.p_least, "to": self.p}
        if self.at_most > level and self.p_adjusted != 1:
            mine["p_adjusted"] = {"above": self.p_adjusted}
        read = {} if self.column is None else asdict(self.column)
        return {"feature": str(self.name), **read, "kind": self.kind, **mine}


@final
@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Columns with their scores and p-values; it prints as a table.

    Parameters
    ----------
    listed : tuple of RankedFeature
        The columns as they print, the most important first: by p-value, above .1 by score, or by the requested measure;
        ties by name. Of p-values above ``level`` only that may be known.
    names : tuple
        The columns in the order of the data.
    rows : int
        How many rows were counted; 0 where tables were given.
    target : str
        What the columns were judged by.
    measure : Criterion or None
        The requested measure; None for the p-values of best cuts and tables.
    left_out : tuple
        Text columns with too many values, which were not ranked.
    remarks : tuple of str
        Sentences on what was cut, treated as missing or as categories, or left out.
    level : float
        Above it p-values print as such.
    finish : callable, optional
        Returns the columns with all p-values.

    Examples
    --------
    >>> from splitcrit import rank_features
    >>> ranking = rank_features({"dose": [1, 2, 3, 4, 5, 6, 7, 8], "ward": [1, 2] * 4}, [0, 0, 0, 1, 0, 1, 1, 1])
    >>> [feature.name for feature in ranking.features], ranking.rows
    (['dose', 'ward'], 8)
    """

    listed: tuple[RankedFeature, ...]
    names: tuple[Any, ...]
    rows: int = 0
    target: str = ""
    measure: Criterion | None = None
    left_out: tuple[Any, ...] = ()
    remarks: tuple[str, ...] = ()
    level: float = math.inf
    finish: Callable[[], tuple[RankedFeature, ...]] | None = None

    @cached_property
    def features(self) -> tuple[RankedFeature, ...]:
        """The columns in the same order, with every p-value computed to the end when this is first read."""
        return self.listed if self.finish is None else self.finish()

    @property
    def scores(self) -> Array:
        """The scores ``(d,)`` in the order of ``names``."""
        at = {feature.name: feature.score for feature in self.listed}
        return np.array([at[name] for name in self.names])

    @property
    def columns(self) -> dict[Any, Column]:
        """How each column was read."""
        return {feature.name: feature.column for feature in self.listed if feature.column is not None}

    @property
    def order(self) -> Array:
        """The places of the columns in ``names``, most important first."""
        places = {name: i for i, name in enumerate(self.names)}
        return np.array([places[feature.name] for feature in self.listed], dtype=np.intp)

    @property
    def ranked(self) -> list[tuple[Any, float]]:
        """Names and scores, most important first."""
        return [(feature.name, feature.score) for feature in self.listed]

    def plain(self) -> dict[str, Any]:
        """The record that is written as JSON."""
        features = [feature.plain(self.level) for feature in self.listed]
        left_out = [str(name) for name in self.left_out]
        return {"rows": self.rows, "features": features, "left_out": left_out, "remarks": list(self.remarks)}

    def to_frame(self) -> Any:
        """A pandas data frame, a row for each column of the data, most important first.

        Raises
        ------
        ImportError
            If there is no pandas.
        """
        rows = [{**feature.plain(), "feature": feature.name} for feature in self.features]
        frame = as_frame(rows, "pip install pandas, or read .features")
        return frame.dropna(axis="columns", how="all") if len(frame) else frame

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the columns with the share of impurity that each removes, as ``splitcrit.plots.plot_ranking`` does."""
        return import_module("splitcrit.plots.ranking").plot_ranking(self, ax=ax)  # a picture looks down on a ranking

    def __repr__(self) -> str:
        measure = {} if self.measure is None else {"measure": self.measure}
        first = [feature.name for feature in self.listed[:3]]
        return summary(self, **measure, features=len(self.listed), first=first)

    def __str__(self) -> str:
        return self.text()

    def text(self, *, wide: bool = False, top: int | None = TOP) -> str:
        """The ranking as a table and the sentences below it.

        Parameters
        ----------
        wide
            Whether everything is shown, however wide. Else a line of the table has at most 80 characters: where it is
            too long it has no method, values, difference, share, score and kind, and long names are shortened.
        top
            How many columns are shown at most; None shows all.

        Examples
        --------
        >>> from splitcrit import rank_features
        >>> found = rank_features({"dose": [1, 2, 3, 4, 5, 6], "ward": [1, 2] * 3}, [0, 0, 0, 1, 1, 1])
        >>> print(found.text(top=1).partition("6 rows")[0])
        feature  kind    best cut  score  effect [95 %]             p  => adjusted
        dose     number  <= 3.5     3.00  AUC 1.00 [.28, 1.00]  > 0.1        > 0.2
        <BLANKLINE>
        and 1 more column; --top 0, or text(top=None), shows all.
        <BLANKLINE>
        """
        top = None if top is None else whole(top, "top", 1)
        shown = {head: cells[:top] for head, cells in self._table().items()}
        shown = shown if wide else _narrowed(shown)
        heads, rows = list(shown), [list(row) for row in zip(*shown.values(), strict=True)]
        words = ("feature", "kind", "best cut", EFFECT, "method")
        lines = aligned([heads, *rows], left={i for i, head in enumerate(heads) if head in words})
        more = _more(self.listed[len(rows) :])
        return "\n".join([*lines, "", *more, *map(visible, (*self._legend(heads), *self.remarks))])

    def _repr_html_(self) -> str:
        shown = self._table()
        rows = [list(row) for row in zip(*shown.values(), strict=True)]
        return html_table(list(shown), rows, notes=(*self._legend(list(shown)), *self.remarks))

    def _table(self) -> dict[str, list[str]]:
        """The cells of the ranking as text by their heads, without columns that no feature fills."""
        first = "score" if self.measure is None or "gini" in self.measure.name or self.measure.name == "pvalue" else ""
        shown = {
            "feature": [visible(str(f.name)) for f in self.listed],
            "kind": [f.kind for f in self.listed],
            "values": [_values(f.column) for f in self.listed],
            "best cut": [visible(f.cut) for f in self.listed],
            first or str(self.measure): [f"{f.score:.2f}" if first else f"{f.score:.4g}" for f in self.listed],
            "share": [_number(f.share, ".3f") for f in self.listed],
            "difference": [_difference(f) for f in self.listed],
            EFFECT: [str(f.effect or "") for f in self.listed],
            "p": [_ends(f, self.level) for f in self.listed],
            READ: [_beyond(f.p_adjusted, f.at_most > self.level) for f in self.listed],
            "method": [with_error(f.method, f.standard_error, f.statistic) for f in self.listed],
        }
        return {head: cells for head, cells in shown.items() if any(cells) or head == "feature"}

    def _legend(self, heads: list[str]) -> Iterator[str]:
        """Yield what the columns of the table mean."""
        if self.rows:
            yield f"{self.rows} rows; target: {self.target}."
        if "values" in heads and any(f.column and f.column.bins for f in self.listed):
            merged = any(f.column and f.column.merged for f in self.listed)
            yield "values: * cut at quantiles" + "; + counted as one with neighbours" * merged + "."
        if self.measure is not None:
            return
        if "best cut" in heads:
            yield "best cut: that of the largest gain; it has no p of its own."
        if "difference" in heads:
            yield "difference: right of the cut less left; the interval holds for all cuts at once."
        if "score" in heads:
            yield "score: gain of the best cut or table, in standard deviations above chance."
        if "share" in heads:
            yield "share: the part of the impurity that it removes."
        yield from effects_told(f.effect for f in self.listed)
        yield "p: of the column, by best cut and ranks or by table, against random labels."
        if any(f.statistic in NO_SINGLE_CUT and f.at_most <= self.level for f in self.listed):
            yield SMOOTH
        if any(f.is_above(self.level) for f in self.listed):
            yield f"> {self.level:g}: not computed further; exact=True, or --exact, prints every p."
        if any(f.p_least is not None and not f.is_above(self.level) for f in self.listed):
            yield "a to b: p lies between; its law takes longer than limit=, or --limit, allows."
        yield f"{READ}: the p to read; p corrected for {many(len(self.listed), 'column')} (Holm)."
        yield KEEP


KEPT = 0.05
KEEP = "Keeping those up to .05 keeps any unrelated column in at most 5 % of data sets."


def _narrowed(shown: dict[str, list[str]]) -> dict[str, list[str]]:
    """A table of lines that are not too long: long names and cuts are shortened, then it has fewer columns."""
    words = {"feature", "best cut"} & set(shown)
    table = dict(shown)
    wide = {head: max(map(len, (head, *cells))) for head, cells in table.items()}
    least = {head: min(size, LEAST) if head in words else size for head, size in wide.items()}
    for head in YIELDING:
        if sum(least.values()) + 2 * len(least) - 2 > WIDTH and head in least:
            del table[head], least[head]
    room = WIDTH + 2 - 2 * len(least) - sum(size for head, size in least.items() if head not in words)
    for left, head in zip(range(len(words), 0, -1), sorted(words, key=wide.__getitem__), strict=True):
        # The shorter one comes first, and leaves its rest to the other.
        most = max(room // left, LEAST // 2)
        table[head] = [_shortened(cell, most) for cell in table[head]]
        room -= min(wide[head], most)
    return table


def _shortened(text: str, most: int) -> str:
    """Both ends of a text that is too long."""
    return text if len(text) <= most else f"{text[: most // 2 - 1]}..{text[1 - most + most // 2 :]}"


def _more(rest: Sequence[RankedFeature]) -> list[str]:
    """What is not shown of a ranking, a sentence or none."""
    passing = sum(f.p_adjusted is not None and f.p_adjusted <= KEPT for f in rest)
    passed = f", {passing} of them adjusted up to {KEPT:g}" if passing else ""
    return [f"and {many(len(rest), 'more column')}{passed}; --top 0, or text(top=None), shows all."] * bool(rest)


def _values(column: Column | None) -> str:
    return "" if column is None else f"{column.values}{'+' * column.merged}{'*' * (column.bins > 0)}"


def _beyond(p: float | None, above: bool) -> str:
    """A chance, which may be known only to be above a number below 1."""
    return "> " * (above and p != 1) + _chance(p)


def _ends(feature: RankedFeature, level: float) -> str:
    """A p-value, or that it is above the level, or between which two it lies."""
    if feature.is_above(level):
        return _beyond(level, True)
    low, high = _chance(feature.p_least), _chance(feature.p)
    return f"{low} to {high}" if low and low != high else high


def _difference(feature: RankedFeature) -> str:
    """The difference of the sides of a cut, with its interval."""
    if feature.difference is None or feature.difference_low is None:
        return _number(feature.difference, "+.3g")
    return f"{feature.difference:+.3g} [{feature.difference_low:+.3g}, {feature.difference_high:+.3g}]"


def _number(x: float | None, form: str) -> str:
    return "" if x is None or not math.isfinite(x) else f"{x:{form}}"


def _chance(p: float | None) -> str:
    return "" if p is None else f"{p:.3g}" if p >= 1e-300 else "<1e-300"
