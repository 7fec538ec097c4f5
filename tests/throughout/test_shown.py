"""How public classes show themselves: a line that tells what they are, and tables of HTML in which text stays text."""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from reference import exported
from sklearn.base import BaseEstimator

import splitcrit as sc
from foreign_names import LINE, NAMES, ROWS, bad, categorical, halves, marked, rows
from layers import LAYERS
from reproductions import yang2019
from reproductions.datasets import Dataset
from reproductions.runner import Options
from splitcrit import audits, criteria, impurities, inference, nulls, proof, robustness, trees, vertices
from splitcrit.arith import ARRAY
from splitcrit.audits import CategoryGain, audit
from splitcrit.columns import MEASURES, rank_features
from splitcrit.export import vectors
from splitcrit.losses import exponential_cdf
from splitcrit.proofs import catalogue
from splitcrit.proofs.ledger import Ledger

LONG = 400
BAD = "<script>alert('x')</script>&amp;"
SILENT = {"__main__", "cli", "proofs"}
SHOWN = {  # as tables in a notebook
    "AuditReport", "Entry", "Ledger", "NullDistribution", "NullMoments", "OptimalityGaps", "PValue", "PropertyRow",
    "Ranking", "SelectedPValue", "SignificantSubtree", "SplitTest", "Stability", "Table", "Tables", "Theorem",
    "Tolerance", "TreatmentTest", "Verdict", "Vertex",
}  # fmt: skip


def of_trees() -> Iterator[Any]:
    """What stands on fitted trees."""
    x, y, _ = rows(BAD)
    tree = sc.TreeClassifier(max_depth=3, random_state=0).fit(x[::2], y[::2])
    yield audits.audit(tree, x[1::2], y[1::2])
    yield inference.significant_subtree(tree, x[1::2], y[1::2])
    yield inference.HonestTreeClassifier(repeats=3, random_state=0).fit(x, y).stability_
    yield from inference.InferenceTreeClassifier(random_state=0).fit(x, y).verdicts_
    yield inference.split_test(x, y)
    yield inference.optimality_gaps(tree, x, y, sc.gini)
    yield inference.treatment_test(x, np.arange(ROWS) % 2, y == y[0])
    yield inference.kaplan_meier([(1, 1), (2, 0)])
    yield audits.CategoryGain(0, 3, BAD, 30, 1000, 12.5, 19.0, 12.5 / 19, 0.98, "draws")
    yield robustness.tree_agreement(tree, tree, x, y)
    yield trees.MultiwayTreeClassifier().fit(x, y)
    training = trees.growth.Training(x.to_numpy(), (y == y[0]).astype(int), 2)
    growing = trees.growth.GrowthOptions(trees.growth.Stopping(max_depth=2))
    yield from (trees.scan.Limits(1, 0.0), trees.scan.LevelSplits(*[np.zeros(9)] * 8))
    yield from (growing, trees.growth.grow(training, criteria.decrease(sc.gini)))
    yield trees.split_scores([1, 2, 3], [0, 0, 1], sc.gini)
    yield sc.best_depth_two(x.to_numpy(), y, sc.gini)
    yield from (trees.LeafRules(), trees.reference_tree(np.arange(4.0)[:, None], np.arange(4) // 2, 2, sc.gini))


def of_tables() -> Iterator[Any]:
    """Tables, null laws, vertices and robustness."""
    table = sc.Table([[3, 1], [0, 4]], (BAD, "b"), (BAD, "d"))
    x, y, _ = rows(BAD)
    yield from (table, sc.Tables.of(x, y), rank_features(x, y), *MEASURES.values())
    yield nulls.gini_null(np.full((99, 2), 2), [2, 2], order=3)
    law = nulls.best_subset_law([3, 4], [2, 5])
    yield from (law, law.pvalue(2.0), nulls.null_distribution(table), nulls.gini_pvalue(table))
    yield nulls.expected_excess_gain([20, 30], [1.0, 40.0], [50.0, 50.0, 1.0])
    yield nulls.selected_pvalue([1, 2, 3, 4], [0, 0, 1, 1])
    yield from (vertices.optimal_vertex(range(1, 15), sc.gini), vertices.vertex_landscape([3, 2, 1], sc.gini))
    yield from (vertices.near_ties(4, 9), vertices.fractional_optimum([3, 2, 1], sc.gini, starts=5))
    yield from (robustness.estimated_rates([[9, 3], [40, 40]]), robustness.tolerance(sc.gini, "uniform"))
    noise = sc.symmetric(Fraction(1, 10))
    yield robustness.expected_gain(table, channel=noise)
    yield robustness.majority_bounds([9, 3], noise)
    yield robustness.samples_needed([0, 1], sc.symmetric(0.3), 0.05)
    pair = [[[40, 0], [0, 0]], [[30, 30], [0, 100]]]
    yield robustness.order_failure(pair, channel=sc.symmetric(0.1), draws=10, rng=0)
    yield robustness.phase_diagram([[8, 1], [2, 9]], [[5, 1], [5, 9]])
    yield trees.clusterings(range(30), [0, 1, 2] * 10)
    yield trees.ValidationCurve((0.0, 1.0), (0.5, 0.75), (3.0, 4.0))
    yield trees.CategorySplit(0, BAD, ("blue",), tuple("abcdefgh"), "left", "mean response", True)
    yield Dataset("a", np.zeros((9, 2)), np.zeros(9), (BAD, "b"), {}, {})


def of_parts() -> Iterator[Any]:
    """Losses, impurities, criteria, noise, and what stands alone."""
    yield from (sc.gini, impurities.entropy, sc.losses.hinge, sc.twoing, nulls.calibrated(), sc.symmetric(0.25))
    yield from vars(sc.losses).values()
    yield from (ARRAY(np), exponential_cdf(0.5), vectors()[3], Options("a"), trees.MultiwayRules(3))
    yield sc.losses.ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y))
    yield from (impurities.Risk(sc.losses.hinge), impurities.NumericRisk(sc.losses.logistic))


def of_claims() -> Iterator[Any]:
    """What theorems are made of, and what became of one."""
    theorems = list(catalogue.collect().values())
    misses = (proof.NearMiss(BAD, proof.Exhaustive(lambda: [1], lambda x: x > 1)),) * 2
    mine = proof.Theorem("area.is_of", BAD, "here, eq. (1)", proof.Exhaustive(lambda: [1], bool), misses)
    entry = proof.settle(mine)
    yield from theorems
    yield from (erratum for _, erratum in catalogue.errata().values())
    yield from (proof.Ball(Fraction(1, 3)), proof.SMT())
    field, solver = proof.Field({"a": "real"}), proof.SMT()
    term = solver.variables({"a": "rate"}).a
    yield from (field, term, term < 2, theorems[0].settled_for)
    row = proof.properties(sc.gini, classes=[2])
    yield from (row, row.findings[0])
    yield from (entry.verdict, Ledger((entry,), ()), entry, mine)


def walked(seeds: Iterator[Any]) -> Iterator[Any]:
    """Everything that the seeds hold, each kind of it a few times."""
    waiting, seen = list(seeds), {}
    while waiting:
        value = waiting.pop()
        kind = type(value)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] > 2000 or issubclass(kind, str | int | float | np.ndarray):
            continue
        yield value
        if issubclass(kind, tuple | list):  # a term answers no question about itself
            waiting += value
        elif issubclass(kind, dict):
            waiting += value.values()
        elif issubclass(kind, proof.Law):
            waiting.append(value.claim)
        elif dataclasses.is_dataclass(kind) or kind.__module__.startswith("splitcrit."):
            waiting += getattr(value, "__dict__", {}).values()


@cache
def instances() -> dict[type, list[Any]]:
    """Instances of classes of the library, at most twenty of each."""
    found: dict[type, list[Any]] = {}
    for value in walked(iter([*of_parts(), *vars(yang2019).values(), *of_trees(), *of_tables(), *of_claims()])):
        if type(value).__module__.startswith("splitcrit."):
            found.setdefault(type(value), [])
            if len(found[type(value)]) < 20:
                found[type(value)].append(value)
    return found


def public() -> Iterator[type]:
    """The public classes but those of errors, of kinds of things, and estimators, which scikit-learn prints."""
    seen = set()
    for home in (name for layer in LAYERS for name in layer if name not in SILENT):
        module = import_module(f"splitcrit.{home}")
        for value in (getattr(module, name) for name in exported(module) if hasattr(module, "__all__")):
            if inspect.isclass(value) and value not in seen and not _left_out(value):
                seen.add(value)
                yield value


def _left_out(kind: type) -> bool:
    kinds = inspect.isabstract(kind) or getattr(kind, "_is_protocol", False)
    silent = kind in (proof.Condition, proof.Term)  # answer no question, that for their text included
    silent = silent or any(
        base.__module__.startswith("river.") for base in kind.__mro__
    )  # shown as river shows its own
    return silent or kinds or issubclass(kind, BaseException | enum.Enum | BaseEstimator)


@pytest.mark.parametrize("kind", list(public()), ids=lambda kind: kind.__name__)
def test_a_line_tells_what_it_is(kind: type) -> None:
    assert kind in instances(), "no instance"
    for value in instances()[kind]:
        told = repr(value)
        assert " at 0x" not in told and "\n" not in told and len(told) <= LONG, (len(told), told)


def shown() -> dict[str, Any]:
    """An instance of each class that is a table in a notebook, the one made here of labels that are markup."""
    ours = {kind: values for kind, values in instances().items() if not issubclass(kind, BaseEstimator)}
    found = {kind.__name__: values for kind, values in ours.items() if hasattr(kind, "_repr_html_")}
    return {name: next((v for v in values if BAD in _text(v)), values[0]) for name, values in found.items()}


def _element(value: Any) -> Any:
    return ElementTree.fromstring(f"<div>{value._repr_html_()}</div>")


def _text(value: Any) -> str:
    return " ".join(_element(value).itertext())


def test_what_is_a_table_in_a_notebook() -> None:
    assert set(shown()) == SHOWN


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_a_table_holds_text_alone(name: str) -> None:
    element = _element(shown()[name])
    tags = {part.tag for part in element.iter()}
    assert tags <= {"div", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "p"} and "table" in tags
    assert {key for part in element.iter() for key in part.attrib} <= {"style"}
    widths = {len(row) for row in element.iter("tr")}
    assert len(widths) == 1, "rows of a table are equally long"


def test_a_table_shows_its_counts_and_totals() -> None:
    table = sc.Table.of([[3, 1], [0, 4]], row_names=("a", "b"), class_names=("no", "yes"))
    rows = [[cell.text or "" for cell in row] for row in _element(table).iter("tr")]
    assert rows == [["", "no", "yes", "total"], ["a", "3", "1", "4"], ["b", "0", "4", "4"], ["total", "3", "5", "8"]]


def test_a_batch_of_tables_is_shown_by_its_line() -> None:
    assert sc.Table.of(np.ones((5, 2, 2), int))._repr_html_() is None


def test_a_ranking_shows_the_best_first() -> None:
    found = rank_features({"even": [[3, 3], [2, 2]], "telling": [[5, 0], [0, 5]]})
    rows = [[cell.text or "" for cell in row] for row in _element(found).iter("tr")]
    assert [row[0] for row in rows] == ["feature", "telling", "even"]
    assert repr(found) == "<Ranking: features=2, first=['telling', 'even']>"


def test_a_verdict_shows_its_status_as_a_word() -> None:
    found = proof.Exhaustive(lambda: [1], lambda x: x > 1).settle()
    rows = [[cell.text or "" for cell in row] for row in _element(found).iter("tr")]
    assert rows[:3] == [["", "Verdict"], ["status", "refuted"], ["method", "exhaustive"]]


# Names that the library did not choose: nothing printed or drawn hands on what a terminal or a browser obeys.

PAGE = 20_000  # characters of ours: some names, each cut
EXACT = {"Table"}  # prints as a call that makes it again, however long that is


def classes(name: str, fit: Callable[[Any, Any], Any]) -> Any:
    return fit(*rows(name)[:2])


@cache
def audited(name: str) -> Any:
    return audit(*halves(name), rows="held-out")


@cache
def ranked(name: str) -> Any:
    _, y, mixed = rows(name)
    gaps = [f"{name}?" if i == 3 else None if i == 4 else str(i) for i in range(ROWS)]
    return rank_features(mixed.assign(**{f"{name}d": gaps, f"{name}e": [f"{i},5" for i in range(ROWS)]}), y)


RESULTS: dict[str, Callable[[str], Any]] = {
    "SplitTest": lambda name: classes(name, inference.split_test),
    "FeatureTest": lambda name: classes(name, inference.split_test).features[0],
    "Ranking": ranked,
    "RankedFeature": lambda name: ranked(name).features[0],
    "AuditReport": audited,
    "SignificantSubtree": lambda name: inference.significant_subtree(*halves(name)),
    "NodeTest": lambda name: classes(name, inference.InferenceTreeClassifier(random_state=0).fit).verdicts_[0],
    "Stability": lambda name: classes(name, inference.HonestTreeClassifier(random_state=0).fit).result_,
    "CategoryGain": lambda name: CategoryGain(0, 0, name, 2, 9, 1.0, 1.0, 1.0, 0.5, "draws"),
    "CategorySplit": lambda name: next(iter(categorical(name).splits_.values())),
    "Table": lambda name: sc.Table.of([[1, 2], [3, 4]], row_names=(name, "b"), class_names=(f"{name}c", "d")),
    "Tables": lambda name: sc.Tables.of(rows(name)[2], rows(name)[1]),
    "Column": lambda name: sc.Tables.of({"a": [name, *"123456789"] * 3}, [0, 1, *[1] * 8] * 3, bins=2).columns["a"],
    "Impurity": marked,
    "Criterion": lambda name: sc.decrease(marked(name)),
}
TEXTS: dict[str, Callable[[str], str]] = {
    "export_text": lambda name: trees.export_text(classes(name, sc.TreeClassifier(max_depth=2).fit)),
    "export_text, names given": lambda name: trees.export_text(
        sc.TreeClassifier(max_depth=1).fit(rows("a")[0].to_numpy(), rows("a")[1]),
        feature_names=[name, *"bcd"], class_names=[name, "d", "e"],
    ),
    "export_text of categories": lambda name: trees.export_text(categorical(name)),
    "export_graphviz": lambda name: trees.export_graphviz(
        classes(name, sc.TreeClassifier(max_depth=2).fit), class_names=[name, "d", "e"]
    ),
    "tested tree": lambda name: classes(name, inference.InferenceTreeClassifier(random_state=0).fit).export_text(),
    "tested regression": lambda name: inference.InferenceTreeRegressor(random_state=0).fit(
        rows(name)[0], rows(name)[0][name]
    ).export_text(),
    "multiway": lambda name: trees.MultiwayTreeClassifier(max_depth=1).fit(
        rows(name)[0].round(), rows(name)[1]
    ).to_text(),
    "licence": lambda name: classes(name, inference.split_test).licence,
    "notes": lambda name: "\n".join((*ranked(name).remarks, *audited(name).remarks)),
}  # fmt: skip


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
    told = [line.split()[0] for line in str(inference.split_test(X, [0, 0, 1, 1])).splitlines()[1:3]]
    assert len(set(told)) == 2 and max(map(len, told)) <= 80


# Errors and warnings.


def refusals(name: str) -> Iterator[Callable[[], Any]]:
    """Calls that are refused for a column or a value of this name."""
    X, y, mixed = rows(name)
    yield lambda: sc.TreeClassifier().fit(mixed, y)
    yield lambda: sc.TreeRegressor().fit(X, y)
    yield lambda: rank_features({name: [1, 2], "b": [1]}, [0, 1])
    yield lambda: rank_features({"a": [1, 2, 3], "y": [name] * 3}, "y")
    yield lambda: rank_features({"a": [1, 2, 3]}, name)
    yield lambda: rank_features({name: [1, 2, {}]}, [0, 1, 1])
    yield lambda: rank_features({name: [1, 1, 1]}, [0, 1, 1])
    yield lambda: rank_features(X, y, response=name)
    yield lambda: sc.Tables.of(mixed, y, max_values=1, features=[f"{name}c"])
    yield lambda: sc.TreeClassifier(categorical_features=[f"{name}!"]).fit(mixed, y)
    yield lambda: trees.export_text(sc.TreeClassifier().fit(X, y), feature_names=[name])
    yield lambda: inference.split_test(X, y, correction=name)


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
        X = pd.DataFrame({name: [f"{name}{i}" for i in range(ROWS)]})
        with pytest.warns(UserWarning) as told:
            sc.TreeClassifier(categorical_features=[0], max_depth=1).fit(X, np.arange(ROWS) % 2)
        assert [bad(str(each.message)) for each in told] == [[]] * len(told)
