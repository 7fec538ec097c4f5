"""How the test of a node reads: as a table, as a frame, and in words."""

import pickle
import re
import sys
from fractions import Fraction
from html import unescape
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit.inference import SplitTest, split_test
from splitcrit.inference.split_results import LICENCES

X = [[1, 7], [2, 3], [3, 5], [4, 1], [5, 8], [6, 2], [7, 6], [8, 4]]
Y = ["no"] * 4 + ["yes"] * 4


def test_the_table_has_a_row_for_each_feature() -> None:
    lines = str(split_test(X, Y, alpha=0.2)).splitlines()
    assert [line.split()[0] for line in lines] == ["feature", "x0", "x1", "p", "AUC:"]
    assert len({line.rindex("  ") for line in lines[:3]}) == 1
    assert "x0 <= 4.5" in lines[1] and lines[1].endswith("  exact") and "  AUC 1.00 [.40, 1.00]  " in lines[1]
    assert lines[3].startswith("p = 0.1143 (bonferroni). The labels depend on x0. A rule like this names an")


def test_a_feature_without_a_cut_has_no_score() -> None:
    found = split_test([[1, 5], [1, 6], [1, 7]], [0, 0, 1])
    assert str(found).splitlines()[1].split() == ["x0", "numeric", "none", "-", "1", "1", "no", "cut"]


def test_the_frame_has_the_fields() -> None:
    found = split_test(X, Y).to_frame()
    assert found["name"].tolist() == ["x0", "x1"]
    assert {"kind", "cut", "score", "p", "statistic", "adjusted", "threshold"} <= set(found.columns)


def test_without_pandas_the_frame_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="no module pandas"):
        split_test(X, Y).to_frame()


@pytest.mark.parametrize("correction", LICENCES)
def test_a_licence_goes_with_the_correction(correction: Any) -> None:
    yes, no = (split_test(X, Y, correction=correction, alpha=alpha, random_state=0) for alpha in (0.2, 0.02))
    assert (yes.rejected, no.rejected) == (True, False)
    assert no.licence.startswith("No conclusion")
    assert ("x0" in yes.licence) == (correction in ("bonferroni", None))
    assert ("the features jointly" in yes.licence) == (correction in ("discrete", "westfall-young"))
    assert ("in at most 20 % of data sets" in yes.licence) == (correction is not None)


def test_a_result_is_a_value() -> None:
    found = split_test(X, Y)
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(AttributeError):
        found.pvalue = 0.0  # type: ignore[misc]


def test_html_says_what_the_text_says() -> None:
    found = split_test(X, Y, alpha=0.1)
    cells = found._repr_html_().replace("</tr>", " ").replace("<p>", " ")
    words = re.sub("<[^>]*>", " ", cells)
    assert unescape(words).split() == str(found).split()


def test_rounding_does_not_decide() -> None:
    """Three times 1/20 is above 3/20 in float64."""
    found = SplitTest(0.05 * 3, 0, (), "bonferroni", 0.15, 0)
    assert found.pvalue > 0.15
    assert found.rejected
    assert not SplitTest(0.15 * (1 + 1e-9), 0, (), "bonferroni", 0.15, 0).rejected


def test_a_division_whose_evidence_decides_is_named() -> None:
    """What decides the p-value, the table, doesn't hide the best of all divisions, here found by going through them."""
    counts = np.array([[40, 3, 1], [38, 2, 4], [2, 50, 3], [1, 4, 45]])
    names, places = np.array(["a", "b", "c", "d"]), np.arange(4)
    column, y = np.repeat(names, counts.sum(axis=1)), np.concatenate([np.repeat(np.arange(3), row) for row in counts])
    found = split_test(pd.DataFrame({"x": pd.Categorical(column)}), y).features[0]
    assert (found.method, found.statistic) == ("evidence", "table")

    def purity(side: tuple[int, ...]) -> Fraction:
        sides = counts[list(side)].sum(axis=0), counts[[i for i in places if i not in side]].sum(axis=0)
        return sum((Fraction(int((t**2).sum()), int(t.sum())) for t in sides), Fraction(0))

    best = max((side for m in (1, 2, 3) for side in combinations(range(4), m)), key=purity)
    assert set(found.left) in ({*names[list(best)]}, {*names} - {*names[list(best)]})
    assert all(name in found.cut for name in found.left)
