"""Trees of the builders' fits, columns of files and laws of best splits, against their frozen answers."""

import os
from collections.abc import Callable, Sequence
from math import inf, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frozen import store
from frozen.columns import FAST, FILES, by_rows, ranked
from frozen.elsewhere import elsewhere
from frozen.fits import digest, fits, real_fits
from frozen.store import Difference, explains, known, unknown
from frozen.structures import BEST_SPLIT, FIELDS, Structure, answers
from growing import grow_regression
from splitcrit.trees.growth import GrownTree

OF_TREES = ("nodes", "tree")
STEP = 5  # every such fit is grown by the fast tests


def found_in(grown: dict[str, Any]) -> list[store.Difference]:
    """The differences of fits, given the number of nodes and the digest of each."""
    frozen = store.trees()
    return [each for name, now in grown.items() for each in store.compared(name, OF_TREES, frozen[name], now, 0.0)]


def of(made: dict[str, Callable[[], Any]], step: int) -> dict[str, Any]:
    """Nodes and digests of every so manieth fit."""
    return {name: digest(fit()) for name, fit in list(made.items())[::step]}


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.slow)])
def test_trees_are_those_frozen(step: int) -> None:
    assert store.unknown(found_in(of(fits(), step))) == []


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.slow)])
def test_trees_of_real_files_are_those_frozen(data: Path, step: int) -> None:
    assert store.unknown(found_in(of(real_fits(data), step))) == []


def test_every_fit_is_frozen(tmp_path: Path) -> None:
    assert set(store.trees()) == {*fits(), *real_fits(tmp_path)} and len(fits()) > 500


def test_another_tree_is_seen() -> None:
    tree = grow_regression(np.arange(8.0)[:, None], np.arange(8.0) // 2)
    assert isinstance(tree, GrownTree)
    right, inner = digest(tree), int(np.flatnonzero(tree.left >= 0)[-1])
    tree.score[:] = 9.0
    tree.threshold[tree.left < 0] = 7.0
    assert digest(tree) == right  # neither scores nor leaves count
    for part, value in (
        ("threshold", np.nextafter(tree.threshold[inner], 9)), ("feature", 1), ("left", 2), ("right", 1)
    ):  # fmt: skip
        kept = getattr(tree, part)[inner]
        getattr(tree, part)[inner] = value
        assert digest(tree) != right or value == kept, part
        getattr(tree, part)[inner] = kept


# The columns of the shared data files, against their frozen kinds and p-values, in both installs.

SLOW = [pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in FILES]
SAME = ("kind", "score")  # as they were frozen; p has another rule, which the frozen one bounds


def columns_in(name: str, rows: list[list[Any]]) -> list[store.Difference]:
    """The kinds and scores of a file that are not those frozen."""
    frozen = {column: answers for (file, column), answers in store.columns().items() if file == name}
    assert sorted(frozen) == sorted(str(row[0]) for row in rows)
    places = [store.COLUMN_FIELDS.index(field) for field in SAME]
    return [
        each
        for column, kind, _, _, score, *_ in rows
        for each in store.compared(
            f"{name}, {column}", SAME, [frozen[str(column)][i] for i in places], [kind, score], store.ROUNDING
        )
    ]


def breaks(frozen: float, log_p: float, method: str, statistic: str) -> bool | None:
    """Whether a p-value breaks its bound by the frozen law, None where there is none: that of the best cut of two
    classes, alone or doubled, or of a table."""
    doubled = min(0.0, frozen + log(2))
    if (method, statistic) == ("exact", "table"):
        return abs(log_p - frozen) > 1e-9
    if (method, statistic) == ("exact", "best cut"):
        return min(abs(log_p - frozen), abs(log_p - doubled)) > 1e-9
    return log_p > doubled + 1e-9 if statistic == "scores" else None


@pytest.mark.parametrize("name", SLOW)
def test_columns_are_ranked_as_frozen(data: Path, name: str) -> None:
    rows = ranked(data, name)
    assert store.unknown(columns_in(name, rows)) == []
    place = store.COLUMN_FIELDS.index("log_p")
    laws = [(store.columns()[name, str(row[0])][place], row[3], *row[5:]) for row in rows]
    assert not [law for law in laws if breaks(*law)]


@pytest.mark.parametrize("name", SLOW)
def test_a_column_has_one_p_whoever_is_asked(data: Path, name: str) -> None:
    assert [row for row in by_rows(data, name) if len(set(row[1:])) > 1] == []


def test_another_kind_score_or_p_is_seen() -> None:
    rows: list[list[Any]] = [
        [column, answers[0], *answers[1:4], "exact", "table"]
        for (file, column), answers in store.columns().items() if file == "zoo"
    ]  # fmt: skip
    for place, field in ((1, "kind"), (4, "score")):
        changed = [list(row) for row in rows]
        changed[3][place] = "date" if field == "kind" else changed[3][place] * (1 + 1e-8)
        assert [each.name for each in columns_in("zoo", changed)] == [f"zoo, {rows[3][0]}: {field}"]
    assert breaks(-5.0, -5.0, "exact", "table") is False and breaks(-5.0, -4.9, "exact", "table")
    assert breaks(-5.0, log(2) - 5, "exact", "best cut") is False and breaks(-5.0, -4.9, "exact", "best cut")
    assert breaks(-5.0, -9.0, "permutations", "scores") is False and breaks(-5.0, -4.0, "permutations", "scores")
    assert breaks(-5.0, -4.0, "evidence", "all cuts") is None


# The table of differences: what an entry is, and what it explains.


def test_every_difference_says_what_where_and_why() -> None:
    for entry in known():
        assert entry.keys() - {"within"} == {"what", "where", "why"}, entry
        assert entry["where"] and all(isinstance(pattern, str) for pattern in entry["where"]), entry
        assert all(len(entry[part].split()) > 3 for part in ("what", "why")), entry


@pytest.mark.parametrize(
    ("entry", "explained"),
    [
        ({"where": ["glass, RI: p"]}, True),
        ({"where": ["zoo, *", "glass, *: p"]}, True),
        ({"where": ["glass, *: kind"]}, False),
        ({"where": ["glass, *"], "within": 0.4}, False),
        ({"where": ["glass, *"], "within": 0.6}, True),
    ],
)
def test_an_entry_explains_what_it_names(entry: dict[str, object], explained: bool) -> None:
    difference = Difference("glass, RI: p", 0.1, 0.2)
    assert explains(entry, difference) is explained
    assert unknown([difference], [entry]) == ([] if explained else [difference])


def test_texts_and_missing_answers_differ_by_any_size() -> None:
    assert Difference("", "number", "category").size == Difference("", float("nan"), 1.0).size == inf
    assert Difference("", 2.0, 1.0).size == 0.5


# The four laws of the best split of a column, against their frozen answers of 2,000 structures.


EVERY = 20  # every such structure is asked about by the fast tests


def of_laws(told: dict[int, Any], fields: Sequence[str] = FIELDS) -> list[store.Difference]:
    """The differences of some structures."""
    frozen, found = store.laws(), list[store.Difference]()
    for number, now in told.items():
        gone = Structure.of(number).rule == "quantiles"
        there = [i for i, field in enumerate(fields) if not (gone and field.startswith("selective"))]
        before, asked = frozen[number][there].tolist(), [fields[i] for i in there]
        found += store.compared(f"structure {number}", asked, before, now[there].tolist(), store.RELATIVE)
    return found


def said(differences: list[store.Difference]) -> list[str]:
    """The differences with the structures that they are of."""
    return [f"{each}; {Structure.of(int(each.name.split()[1].rstrip(':'))).shown()}" for each in differences]


@pytest.mark.parametrize("step", [EVERY, pytest.param(1, marks=pytest.mark.slow)])
def test_the_laws_are_those_frozen(step: int) -> None:
    told = {number: np.array(answers(number), np.float32) for number in range(0, len(store.laws()), step)}
    assert said(store.unknown(of_laws(told))) == []


def test_another_answer_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    others = store.laws()
    number = next(n for n in range(100) if np.isfinite(others[n]).all())
    others[number] = others[number] * 1.00001 + 1e-4
    monkeypatch.setattr(store, "laws", lambda: others)
    told = {number: np.array(answers(number), np.float32)}
    assert [each.name for each in of_laws(told)] == [f"structure {number}: {field}" for field in FIELDS]


# All of it in the base install: numpy and scipy alone.


@pytest.mark.parametrize(
    ("fit", "structure", "files"), [(40, 100, FAST[:3]), pytest.param(4, 20, FILES, marks=pytest.mark.slow)]
)
def test_answers_are_the_same_where_nothing_else_is_installed(fit: int, structure: int, files: tuple[str, ...]) -> None:
    folder, numbers = os.environ.get("SPLITCRIT_DATA", ""), range(0, len(store.laws()), structure)
    named = [name for name in fits() if not name.startswith("Tree")][::fit]
    now = elsewhere(folder, {"fits": named, "laws": [*map(str, numbers)], "columns": files if folder else ()})
    assert store.unknown(found_in(now["fits"])) == []
    told = {int(number): np.array(values, np.float32) for number, values in now["laws"].items()}
    assert said(store.unknown(of_laws(told, BEST_SPLIT))) == []
    assert all(rows == ranked(Path(folder), name) for name, rows in now["columns"].items())
