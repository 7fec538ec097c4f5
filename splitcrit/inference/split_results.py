"""The result of a test of a node: the best cut of every feature, its p-values, and what they license one to say.

Main definitions: ``SplitTest``, ``FeatureTest``; ``LICENCES``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from splitcrit.columns.column_tests import NO_SINGLE_CUT, SMOOTH, with_error
from splitcrit.columns.effects import EFFECT, ColumnEffect, effects_told, plain_effect
from splitcrit.data.columns import as_frame
from splitcrit.display import aligned, html_table, shortened, summary, visible_name
from splitcrit.frozen import visible

NOTHING = "No conclusion: no split is significant at level {alpha:g}."
JOINTLY = (  # an error rate is one of a rule over data sets, not of a result that is printed after a rejection
    "The labels depend on the features jointly. A rule like this says so where they do not in at most {percent:.4g} % "
    "of data sets. It does not say on which feature."
)
LICENCES = {
    "bonferroni": "The labels depend on {name}. A rule like this names an unrelated feature in at most {percent:.4g} % "
    "of data sets.",
    "holm": "The labels depend on each feature with an adjusted p-value of at most {alpha:g}. A rule like this lists "
    "any unrelated feature in at most {percent:.4g} % of data sets.",
    "discrete": JOINTLY,
    "westfall-young": JOINTLY,
    None: "If you chose {name} before seeing the labels, they depend on it. If you searched for it, nothing follows.",
}
ROUNDING = 1e-12  # relative, of a sum or product of p-values
FIGURES = ("score", "p", "adjusted")


@final
@dataclass(frozen=True, repr=False)
class FeatureTest:
    """The best cut of one feature.

    Parameters
    ----------
    name, kind
        The feature; ``"numeric"``, ``"ordered"`` or ``"categories"``.
    cut
        Which rows go left, in words; empty if no cut leaves enough rows on both sides.
    score
        The score of the cut, -inf without one.
    p, adjusted
        The p-value of the feature, and that corrected for the number of features.
    method, statistic
        How p was found and what decided, see `splitcrit.columns.column_tests.ColumnTest`. Only where that is
        ``"best cut"`` or ``"division"`` does p speak of this cut.
    threshold
        Rows of at most this value go left; None for unordered categories.
    left
        Of unordered categories, those that go left.
    missing_left
        Whether rows without a value go left.
    standard_error
        The Monte Carlo standard error of ``p``, None where it is exact.
    log_p
        The natural logarithm of ``p``, also where that is too small for a float.
    effect : ColumnEffect
        What no search selected, with its interval, as rankings show it: ``"AUC"``, ``"rho"`` or ``"R2"``, of categories
        that of their table; None of scores that a function made, and where there is none to tell.
    floor
        What no p of this feature is below, however labels fall; None without a cut, or of rows that are not
        independent.

    Examples
    --------
    >>> from splitcrit.inference.node_test import split_test
    >>> test = split_test([[1], [2], [3], [None]], ["a", "a", "b", "b"]).features[0]
    >>> test.cut, test.threshold, test.missing_left, round(test.p, 3)
    ('x0 <= 2.5', 2.5, False, 1.0)
    """

    name: str
    kind: str
    cut: str
    score: float
    p: float
    adjusted: float
    method: str
    threshold: Any = None
    left: tuple[Any, ...] = ()
    missing_left: bool = False
    standard_error: float | None = None
    log_p: float = 0.0
    statistic: str = ""
    effect: ColumnEffect | None = None
    floor: float | None = field(default=None, repr=False)

    __repr__ = shortened


@final
@dataclass(frozen=True, repr=False)
class SplitTest:
    """The test of one node; it prints as a table.

    Parameters
    ----------
    pvalue
        The corrected p-value of the best feature.
    feature
        The place of that feature, None if no feature has a cut.
    features
        A ``FeatureTest`` for every feature.
    correction, alpha
        How p-values were corrected for the number of features, and the level.
    permutations
        How many joint permutations were drawn, 0 if every p-value is exact.
    remarks
        Sentences that go with these figures.

    Examples
    --------
    >>> from splitcrit.inference.node_test import split_test
    >>> found = split_test([[1, 5], [2, 3], [3, 9], [4, 1], [5, 2], [6, 4]], [0, 0, 0, 1, 1, 1], alpha=0.5)
    >>> found.name, found.threshold, round(found.pvalue, 3), found.rejected
    ('x0', 3.5, 0.4, True)
    """

    pvalue: float
    feature: int | None
    features: tuple[FeatureTest, ...]
    correction: str | None
    alpha: float
    permutations: int
    remarks: tuple[str, ...] = ()

    @property
    def best(self) -> FeatureTest | None:
        """The test of the best feature."""
        return None if self.feature is None else self.features[self.feature]

    @property
    def name(self) -> str | None:
        """The name of the best feature."""
        return None if self.best is None else self.best.name

    @property
    def score(self) -> float | None:
        """The score of the best cut of the best feature."""
        return None if self.best is None else self.best.score

    @property
    def threshold(self) -> Any:
        """The threshold of the best feature; None for unordered categories."""
        return None if self.best is None else self.best.threshold

    @property
    def rejected(self) -> bool:
        """True if the corrected p-value is at most ``alpha``, but for rounding."""
        return self.pvalue <= self.alpha * (1 + ROUNDING)

    @property
    def licence(self) -> str:
        """The sentence that the result allows one to say."""
        sentence = LICENCES[self.correction] if self.rejected else NOTHING
        return sentence.format(name=visible_name(self.name), alpha=self.alpha, percent=100 * self.alpha)

    def to_frame(self) -> Any:
        """A pandas data frame, a row for each feature.

        Raises
        ------
        ImportError
            If there is no pandas.
        """
        rows = [vars(f) | plain_effect(f.effect) for f in self.features]
        return as_frame(rows, "pip install pandas, or read .features")

    def __repr__(self) -> str:
        return summary(
            self, name=self.name, pvalue=self.pvalue, alpha=self.alpha, correction=self.correction,
            features=len(self.features),
        )  # fmt: skip

    def __str__(self) -> str:
        shown = self._table()
        left = [i for i, head in enumerate(shown) if head not in FIGURES]
        lines = aligned([list(shown), *zip(*shown.values(), strict=True)], left)
        return "\n".join([*lines, *self._notes()])

    def _repr_html_(self) -> str:
        shown = self._table()
        return html_table(list(shown), zip(*shown.values(), strict=True), notes=self._notes())

    def _table(self) -> dict[str, list[str]]:
        """The cells by their heads, without effects where there are none."""
        shown = {
            "feature": [f.name for f in self.features],
            "kind": [f.kind for f in self.features],
            "cut": [f.cut or "none" for f in self.features],
            "score": [f"{f.score:.4g}" if f.cut else "-" for f in self.features],
            EFFECT: [str(f.effect or "") for f in self.features],
            "p": [f"{f.p:.4g}" for f in self.features],
            "adjusted": [f"{f.adjusted:.4g}" for f in self.features],
            "method": [with_error(f.method, f.standard_error, f.statistic) for f in self.features],
        }
        return {head: cells for head, cells in shown.items() if any(cells)}

    def _notes(self) -> list[str]:
        """The conclusion, and the remarks."""
        conclusion = f"p = {self.pvalue:.4g} ({self.correction or 'no correction'}). {self.licence}"
        smooth = [SMOOTH] * any(f.statistic in NO_SINGLE_CUT and f.p <= self.alpha for f in self.features)
        return [conclusion, *smooth, *effects_told(f.effect for f in self.features), *map(visible, self.remarks)]
