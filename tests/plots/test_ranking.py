"""The picture of an audit shows its figures."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from splitcrit import plots
from splitcrit.audits import AuditReport, audit

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 5))
Y = (X[:, 1] + 0.5 * RNG.normal(size=200) > 0).astype(int)


@pytest.fixture(scope="module")
def report() -> AuditReport:
    return audit(RandomForestClassifier(5, random_state=0).fit(X, Y), X, Y, "out-of-bag")


def test_a_point_for_each_feature_and_kind(report: AuditReport) -> None:
    ax = report.plot(ax=Figure().subplots())
    order = np.argsort(-report.importances.net, kind="stable")
    assert order[0] == 1
    found = {name: line for line in ax.lines if not (name := line.get_label()).startswith("_")}  # others guide the eye
    imp = report.importances
    shown = {"gain - chance, out-of-bag": imp.net, "MDI, as recorded": imp.mdi, "UFI": imp.ufi, "MDI-oob": imp.mdi_oob}
    assert list(found) == list(shown)
    for label, scores in shown.items():
        assert found[label].get_xdata().tolist() == scores[order].tolist()
        assert np.round(found[label].get_ydata()).tolist() == [0, 1, 2, 3, 4]
    assert [text.get_text() for text in ax.get_yticklabels()] == [f"x{f}" for f in order]


def test_features_that_pass_are_on_top_and_bold() -> None:
    rng = np.random.default_rng(1)
    new = rng.normal(size=(200, 5))
    report = audit(RandomForestClassifier(5, max_depth=4, random_state=0).fit(X, Y), new, (new[:, 1] > 0).astype(int))
    ax = report.plot(ax=Figure().subplots())
    bold = [text.get_text() for text in ax.get_yticklabels() if text.get_fontweight() == "bold"]
    assert bold == [name for name, passes in report.verdicts.items() if passes] == ["x1"]
    assert ax.get_yticklabels()[0].get_text() == "x1" and "bold" in ax.get_xlabel()


def test_few_features_and_other_units() -> None:
    model = GradientBoostingClassifier(n_estimators=3).fit(X, Y)
    ax = plots.audited_features(audit(model, X + 0.1, Y), most=2, ax=Figure().subplots())
    assert [line.get_label() for line in ax.lines[1:]] == ["gain - chance, held-out"]
    assert len(ax.lines[1].get_xdata()) == 2


def test_what_is_no_report_is_refused() -> None:
    with pytest.raises(TypeError, match="a picture of an audit takes its report"):
        plots.audited_features([1, 2])
