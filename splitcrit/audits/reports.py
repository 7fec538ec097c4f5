"""The report of an audit: the splits of a model, its features, and remarks on the figures.

Main definitions: ``AuditReport``, ``AuditedSplits``, ``Importances``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Literal, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array, one_of
from splitcrit.data.columns import as_frame
from splitcrit.display import aligned, html_table, many
from splitcrit.frozen import complaint, visible
from splitcrit.nulls.evalues import bars, discovery_rates
from splitcrit.nulls.table_pvalues import ROUNDING

SHOWN, NOT_SHOWN, TOO_FEW = "shown", "not shown", "too few rows to show it"
FrameOf = Literal["features", "splits"]
ALONE = "related alone"
NEEDED = (
    "needed: the e-value from which a feature is shown, the others being as they are; at most: what these rows allow"
)


class AuditedSplits(NamedTuple):
    """The splits of all trees, one entry each.

    ``tree`` and ``node`` are their places, ``feature`` the column, ``threshold`` nan where a split is by categories;
    ``tables (m, 2, K)`` counts rows by side and class (of numbers ``(m, 2, 2)``, not above a cut and above it, by side
    alone where no cut is known); ``share`` is that of the tree's rows which reach the node. ``gain`` and its mean
    by ``chance`` are per row of the node; ``sgini`` is SGini of the table, nan of survival. ``pvalue`` is
    nan where none is valid; ``adjusted`` is Benjamini and Yekutieli's. ``method`` is "exact"; "random tables and
    evidence", with the Monte Carlo standard error of the p-value in ``error``; or "cannot reject", p = 1,
    where the rows are on one side or of one class. It is empty where there is no p-value.
    """

    tree: Array
    node: Array
    feature: Array
    threshold: Array
    tables: Array
    share: Array
    gain: Array
    chance: Array
    sgini: Array
    pvalue: Array
    adjusted: Array
    error: Array
    method: Array


class Importances(NamedTuple):
    """Importances ``(d,)`` of the features, means over the trees.

    ``splits`` is how many there are; ``mdi`` the gain that the library recorded as it grew the trees, not normalised,
    in the units of its own criterion; ``gain`` and ``chance`` those of the audited rows, weighted by the share of the
    rows at the node; ``ufi`` and ``mdi_oob`` are None where the model keeps too little, or the rows grew the trees.
    """

    splits: Any
    mdi: Any
    gain: Any
    chance: Any
    ufi: Any = None
    mdi_oob: Any = None

    @property
    def net(self) -> Array:
        """The gain less its mean by chance."""
        return np.asarray(self.gain - self.chance)


@final
@dataclass(frozen=True, eq=False, repr=False)
class AuditReport:
    """The audit of a fitted model.

    Parameters
    ----------
    rows : str
        "held-out", "out-of-bag" or "training".
    library : str
    features : tuple of str
    classes : array, optional
        The classes in the order of the tables, None where the model predicts numbers.
    splits : AuditedSplits
    importances : Importances
    alpha : float
        The false discovery rate of the features that are shown, and of the splits that pass.
    remarks : tuple of str
        Sentences that go with these figures.
    evalues : array (d,), optional
        Likelihood ratios, multiplied over the splits of each feature in a tree; their mean over trees, which weigh what
        they gained in growth. None where features get no verdict.
    most : array (d,), optional
        The largest e-values that the margins of the tables allow, or more.
    alone_by : callable, optional
        What computes ``alone``; None of rows read in parts.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from splitcrit.audits.auditing import audit
    >>> tree = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
    >>> print(audit(tree, [[1], [1], [2], [3], [5], [6]], ["a", "a", "b", "b", "b", "b"]))
    1 tree (scikit-learn), 6 held-out rows; 0 of 1 features shown
    feature       finding  e-value  needed  at most  p alone  splits  passed  gain - chance
    x0       too few rows     1.69      20     1.69    0.267       1       0         0.1333
    needed: the e-value from which a feature is shown, the others being as they are; at most: what these rows allow.
    of the features that such a rule shows, at most 5 % are uninformative, on average over data sets.
    p alone is of the column by itself on these rows, without the model, corrected for nothing.
    0 of 1 splits pass, by a rule with a false discovery rate of at most 5 %.
    null: at every split of the feature, in every tree, the response is independent of the side among the rows
    that reach it.
    a feature that is shown is informative at some node; one that is not shown may be informative too.
    p-values of splits take as given how many independent rows at the node are on each side and of each class.
    """

    rows: str
    library: str
    features: tuple[str, ...]
    classes: Array | None
    splits: AuditedSplits
    importances: Importances
    alpha: float
    remarks: tuple[str, ...]
    evalues: Array | None = None
    most: Array | None = None
    alone_by: Callable[[], Array | None] | None = None

    @cached_property
    def alone(self) -> Array | None:
        """The p-value of each column that splits, by its best cut or its categories, on the same rows.

        As `rank_features` gives it: for one column, corrected for nothing. It is computed when it is asked for, nan of
        columns that split nothing, and None where columns cannot be ranked.
        """
        return None if self.alone_by is None else self.alone_by()

    @property
    def verdicts(self) -> dict[str, bool]:
        """Whether each feature is shown, by its name; see ``findings`` for those that are not.

        Of the features that a rule like this shows, at most ``alpha`` are uninformative, on average over data sets.

        Raises
        ------
        ValueError
            If features get no verdict: of training rows, and where splits have no p-values.
        """
        if self.evalues is None:
            rule, remedy = "verdicts on features need rows that grew nothing", "pass held-out rows, each once"
            got = f"{self.rows} rows" if self.rows == "training" else "splits without p-values"
            raise ValueError(complaint(rule, got, remedy))
        return dict(zip(self.features, self.features_passed.tolist(), strict=True))

    @property
    def findings(self) -> dict[str, str]:
        """What the audit says of each feature: "shown", "not shown", "too few rows to show it", or "related alone, p =
        ..., not below other splits".

        Rows are too few where no labels of these rows could have shown it: at its nodes too few are on a side or of a
        class. The last is of a column that by itself has a p-value of at most ``alpha`` over the number of features, on
        the same rows: it tells of the response, but perhaps only what splits above its own have told.

        Raises
        ------
        ValueError
            As ``verdicts``.
        """
        return dict(zip(self.features, self._words(), strict=True)) if self.verdicts else {}

    def _words(self) -> list[str]:
        assert self.evalues is not None and self.most is not None
        few = (self.importances.splits > 0) & (self.most * (1 + ROUNDING) < bars(self.evalues, self.alpha))
        words = np.where(self.features_passed, SHOWN, np.where(few, TOO_FEW, NOT_SHOWN)).tolist()
        alone = self.alone if self.alone is not None else np.full(len(words), np.nan)
        proxy = f"{ALONE}, p = {{:.2g}}, not below other splits"
        own = alone <= self.alpha / len(words)
        return [
            proxy.format(p) if word == NOT_SHOWN and at else word for word, p, at in zip(words, alone, own, strict=True)
        ]

    @property
    def features_passed(self) -> Array:
        """A mask of the features that are shown; none is where they get no verdict, see ``verdicts``."""
        return np.asarray(self.rates <= self.alpha * (1 + ROUNDING))

    @property
    def rates(self) -> Array:
        """The least false discovery rate at which each feature passes, nan where features get no verdict."""
        none = [np.nan] * len(self.features)
        return np.array(none if self.evalues is None else discovery_rates(self.evalues.tolist()), dtype=float)

    @property
    def passed(self) -> Array:
        """A mask of the splits that pass: their adjusted p-value is at most ``alpha``, but for rounding by 1e-9."""
        return np.asarray(self.splits.adjusted <= self.alpha * (1 + ROUNDING))

    @property
    def share_passed(self) -> float:
        """The share of all splits that pass, nan where there are no p-values."""
        return float("nan") if np.isnan(self.splits.pvalue).all() else float(self.passed.mean())

    def columns(self, of: FrameOf = "features") -> dict[str, Any]:
        """The columns of ``to_frame`` by their names, arrays and lists of equal length."""
        if one_of(of, FrameOf, "what a frame is of") == "splits":
            named = {**self.splits._asdict(), "feature": [self.features[f] for f in self.splits.feature]}
            return {**named, "tables": self.splits.tables.tolist(), "passed": self.passed}
        passed = np.bincount(self.splits.feature, self.passed, len(self.features)).astype(int)
        importances, judged = self.importances._asdict(), {}
        if self.evalues is not None:
            needed = np.where(self.features_passed, np.nan, bars(self.evalues, self.alpha))
            judged = {"verdict": self.features_passed, "finding": self._words(), "evalue": self.evalues,
                      "needed": needed, "largest": self.most, "adjusted": self.rates}  # fmt: skip
        columns = {"feature": list(self.features), **judged, "p_alone": self.alone, "splits": importances["splits"]}
        columns |= importances if np.isnan(self.splits.pvalue).all() else {"passed": passed, **importances}
        return {name: column for name, column in columns.items() if column is not None} | {"net": self.importances.net}

    def to_frame(self, of: FrameOf = "features") -> Any:
        """A pandas data frame with a row for each feature, or for each split.

        Parameters
        ----------
        of : {"features", "splits"}

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return as_frame(self.columns(of), "install it, or read report.columns()")

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the importances of the features, as ``splitcrit.plots.audited_features`` does."""
        return import_module("splitcrit.plots.ranking").audited_features(self, ax=ax)  # which looks down on a report

    def __str__(self) -> str:
        """The features as a table, those that are shown first, what passes of the splits, and the remarks."""
        cells = [[title, *map(_cell, column)] for title, column in self._shown()]
        return "\n".join([self._head(), *aligned([*zip(*cells, strict=True)], left=(0,)), *self._notes()])

    def __repr__(self) -> str:
        return f"<AuditReport: {self._head()}>"

    def _repr_html_(self) -> str:
        heads, columns = zip(*self._shown(), strict=True)
        return html_table(heads, zip(*columns, strict=True), notes=[f"{self._head()}.", *self._notes()])

    def _head(self) -> str:
        """The first line: what was audited, and how many of its features are shown."""
        trees = len(set(self.splits.tree.tolist()))
        sizes = self.splits.tables.sum(axis=(1, 2))[self.splits.node == 0]
        count = f"{sizes.min()} to {sizes.max()}" if sizes.min() < sizes.max() else f"{sizes.max()}"
        head = f"{many(trees, 'tree')} ({self.library}), {count} {self.rows} rows"
        shown = f"{self.features_passed.sum()} of {len(self.features)} features shown"
        return head if self.evalues is None else f"{head}; {shown}"

    def _notes(self) -> list[str]:
        """Sentences: at which e-value features are shown, how many of the splits pass, and the remarks."""
        lines: list[str] = []
        of, most = len(self.splits.node), f"at most {100 * self.alpha:g} %"
        if self.evalues is not None:
            lines += [NEEDED] * (not self.features_passed.all())
            lines += [f"of the features that such a rule shows, {most} are uninformative, on average over data sets"]
        if self.alone is not None:
            lines += ["p alone is of the column by itself on these rows, without the model, corrected for nothing"]
        related = self.findings.items() if self.evalues is not None else ()
        lines += [f"{name}: {finding}" for name, finding in related if finding.startswith(ALONE)]
        splits = many(of, "split")
        if not np.isnan(self.splits.pvalue).all():
            splits = f"{self.passed.sum()} of {of} splits pass, by a rule with a false discovery rate of {most}"
        return [f"{visible(line)}." for line in (*lines, splits, *self.remarks)]

    def _shown(self) -> list[tuple[str, list[Any]]]:
        """The columns of the table of the features, those that are shown first, by their gain above chance."""
        names = {"feature": "feature", "finding": "finding", "evalue": "e-value", "needed": "needed",
                 "largest": "at most", "p_alone": "p alone", "splits": "splits", "passed": "passed", "mdi": "MDI",
                 "gain": "gain", "chance": "chance", "net": "gain - chance"}  # fmt: skip
        columns = self.columns()
        for name in columns.keys() & {"evalue", "needed", "largest", "p_alone"}:
            columns[name] = ["-" if np.isnan(x) else f"{x:.3g}" for x in columns[name]]
        if "finding" in columns:
            columns["finding"] = [word.removesuffix(" to show it").partition(",")[0] for word in columns["finding"]]
            names = {name: title for name, title in names.items() if name not in ("mdi", "gain", "chance")}
        order = self.order.tolist()
        return [(title, [columns[name][i] for i in order]) for name, title in names.items() if name in columns]

    @property
    def order(self) -> Array:
        """The places of the features: those that are shown first, then by their gain above chance."""
        return np.lexsort((-self.importances.net, ~self.features_passed))


def _cell(value: Any) -> str:
    return f"{round(float(value), 4) + 0.0:.4f}" if isinstance(value, float | np.floating) else visible(value)  # no -0
