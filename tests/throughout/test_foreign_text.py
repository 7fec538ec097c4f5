"""Names that the library did not choose: nothing printed or drawn hands on what a terminal or a browser obeys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from foreign_names import LINE, NAMES, bad
from splitcrit import (
    Impurity,
    Table,
    Tables,
    TreeClassifier,
    TreeRegressor,
    decrease,
    rank_features,
)
from splitcrit.audits import CategoryGain, audit
from splitcrit.inference import (
    HonestTreeClassifier,
    InferenceTreeClassifier,
    InferenceTreeRegressor,
    significant_subtree,
    split_test,
)
from splitcrit.trees import (
    MultiwayTreeClassifier,
    export_graphviz,
    export_text,
)

PAGE = 20_000  # characters of ours: some names, each cut
EXACT = {"Table"}  # prints as a call that makes it again, however long that is
N = 60


@cache
def data(name: str) -> tuple[Any, Any, Any]:
    """Two columns of numbers and one of categories, classes and responses; nothing there has a kind name."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=N)
    words = np.where(x > 0, f"{name}1", f"{name}0")
    X = pd.DataFrame({name: x, "b": rng.normal(size=N)})
    return X, words, X.assign(**{f"{name}c": rng.permuted(words)})


def classes(name: str, fit: Callable[[Any, Any], Any]) -> Any:
    X, y, _ = data(name)
    return fit(X, y)


def halves(name: str) -> tuple[Any, Any, Any, Any]:
    X, y, _ = data(name)
    return X[::2], y[::2], X[1::2], y[1::2]


def significant(name: str) -> Any:
    X, y, other, labels = halves(name)
    return significant_subtree(TreeClassifier(max_depth=1).fit(X, y), other, labels)


@cache
def audited(name: str) -> Any:
    X, y, other, labels = halves(name)
    return audit(TreeClassifier(max_depth=1).fit(X, y), other, labels, rows="held-out")


@cache
def categorical(name: str) -> Any:
    _, _, mixed = data(name)
    return TreeClassifier(categorical_features=[2], max_depth=4).fit(mixed, mixed.iloc[:, 2])


@cache
def ranked(name: str) -> Any:
    _, y, mixed = data(name)
    gaps = [f"{name}?" if i == 3 else None if i == 4 else str(i) for i in range(N)]
    return rank_features(mixed.assign(**{f"{name}d": gaps, f"{name}e": [f"{i},5" for i in range(N)]}), y)


def marked(name: str) -> Impurity:
    return Impurity(name, lambda p, m: 1 - sum(x * x for x in p))


RESULTS: dict[str, Callable[[str], Any]] = {
    "SplitTest": lambda name: classes(name, split_test),
    "FeatureTest": lambda name: classes(name, split_test).features[0],
    "Ranking": ranked,
    "RankedFeature": lambda name: ranked(name).features[0],
    "AuditReport": audited,
    "SignificantSubtree": significant,
    "NodeTest": lambda name: classes(name, InferenceTreeClassifier(random_state=0).fit).verdicts_[0],
    "Stability": lambda name: classes(name, HonestTreeClassifier(random_state=0).fit).result_,
    "CategoryGain": lambda name: CategoryGain(0, 0, name, 2, 9, 1.0, 1.0, 1.0, 0.5, "draws"),
    "CategorySplit": lambda name: next(iter(categorical(name).splits_.values())),
    "Table": lambda name: Table.of([[1, 2], [3, 4]], row_names=(name, "b"), class_names=(f"{name}c", "d")),
    "Tables": lambda name: Tables.of(data(name)[2], data(name)[1]),
    "Column": lambda name: Tables.of({"a": [name, *"123456789"] * 3}, [0, 1, *[1] * 8] * 3, bins=2).columns["a"],
    "Impurity": marked,
    "Criterion": lambda name: decrease(marked(name)),
}
TEXTS: dict[str, Callable[[str], str]] = {
    "export_text": lambda name: export_text(classes(name, TreeClassifier(max_depth=2).fit)),
    "export_text, names given": lambda name: export_text(
        TreeClassifier(max_depth=1).fit(data("a")[0].to_numpy(), data("a")[1]),
        feature_names=[name, "b"], class_names=[name, "d"],
    ),
    "export_text of categories": lambda name: export_text(categorical(name)),
    "export_graphviz": lambda name: export_graphviz(
        classes(name, TreeClassifier(max_depth=2).fit), class_names=[name, "d"]
    ),
    "tested tree": lambda name: classes(name, InferenceTreeClassifier(random_state=0).fit).export_text(),
    "tested regression": lambda name: InferenceTreeRegressor(random_state=0).fit(
        data(name)[0], data(name)[0][name]
    ).export_text(),
    "multiway": lambda name: multiway(name).to_text(),
    "licence": lambda name: classes(name, split_test).licence,
    "notes": lambda name: "\n".join((*ranked(name).remarks, *audited(name).remarks)),
}  # fmt: skip


def multiway(name: str) -> Any:
    X, y, _ = data(name)
    return MultiwayTreeClassifier(max_depth=1).fit(X.round(), y)


@pytest.mark.parametrize("kind", RESULTS)
def test_no_result_prints_what_a_terminal_or_a_browser_obeys(kind: str) -> None:
    for name in NAMES:
        found = RESULTS[kind](name)
        page = found._repr_html_() if hasattr(found, "_repr_html_") else ""
        for text, most in ((str(found), LINE), (repr(found), LINE), (page, PAGE)):
            assert bad(text, np.inf if kind in EXACT else most) == [], (kind, name[:20])
        assert "<script" not in page and "</td><" not in page.replace("</td></tr>", "").replace("</td><td", "")


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_of_a_tree_prints_what_a_terminal_obeys(kind: str) -> None:
    for name in NAMES:
        text = TEXTS[kind](name)
        assert text and bad(text) == [], (kind, name[:20])


def test_long_names_that_differ_in_the_last_character_differ_in_print() -> None:
    X = pd.DataFrame({"q" * 500 + end: [0.0, 1, 2, 3] for end in "ab"})
    told = [line.split()[0] for line in str(split_test(X, [0, 0, 1, 1])).splitlines()[1:3]]
    assert len(set(told)) == 2 and max(map(len, told)) <= 80


# Errors and warnings.


def refusals(name: str) -> Iterator[Callable[[], Any]]:
    """Calls that are refused for a column or a value of this name."""
    X, y, mixed = data(name)
    yield lambda: TreeClassifier().fit(mixed, y)
    yield lambda: TreeRegressor().fit(X, y)
    yield lambda: rank_features({name: [1, 2], "b": [1]}, [0, 1])
    yield lambda: rank_features({"a": [1, 2, 3], "y": [name] * 3}, "y")
    yield lambda: rank_features({"a": [1, 2, 3]}, name)
    yield lambda: rank_features({name: [1, 2, {}]}, [0, 1, 1])
    yield lambda: rank_features({name: [1, 1, 1]}, [0, 1, 1])
    yield lambda: rank_features(X, y, response=name)
    yield lambda: Tables.of(mixed, y, max_values=1, features=[f"{name}c"])
    yield lambda: TreeClassifier(categorical_features=[f"{name}!"]).fit(mixed, y)
    yield lambda: export_text(TreeClassifier().fit(X, y), feature_names=[name])
    yield lambda: split_test(X, y, correction=name)


def test_no_error_hands_on_what_a_terminal_obeys() -> None:
    for name in NAMES:
        for i, call in enumerate(refusals(name)):
            try:
                call()
            except (ValueError, TypeError) as found:
                said = str(found)
            else:
                pytest.fail(f"nothing was refused by call {i} for {name[:20]!r}")
            assert bad(said) == [] and "\n" not in said, (i, name[:20])


def test_no_warning_hands_on_what_a_terminal_obeys() -> None:
    for name in NAMES:
        X = pd.DataFrame({name: [f"{name}{i}" for i in range(N)]})
        with pytest.warns(UserWarning) as told:
            TreeClassifier(categorical_features=[0], max_depth=1).fit(X, np.arange(N) % 2)
        assert [bad(str(each.message)) for each in told] == [[]] * len(told)
