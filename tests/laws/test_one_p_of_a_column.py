"""One p of a column: every entry that tests a column by itself gives the same, to the last digit, and one effect.

Of random columns of every kind and every response: rankings of frames, of CSV files and of counted tables, split tests,
selections, score functions, the roots of tested trees, and the p-value of a column alone in an audit. A category has
two questions; those that ask about its table agree, and no other entry does.
"""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit import SplitSelector, Tables, rank_features, split_test
from splitcrit.audits.auditing import _alone
from splitcrit.columns import column_tests
from splitcrit.columns.column_tests import DRAWS
from splitcrit.inference import selected_score
from splitcrit.inference.node_test import NodeTestPlan, pvalue_of_split
from splitcrit.nulls.groups import Dependence

COLUMNS, SETS = 10, 300  # 3,000 columns
FEW = {*range(7), 63, 249}  # a sample; two laws with one p, and ranks that agree but for a few
Rng = np.random.Generator


def dates(rng: Rng, n: int) -> Any:
    return pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 40, n), unit="D")


def ordered(rng: Rng, n: int) -> Any:
    return pd.Categorical(rng.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True)


KINDS: dict[str, Callable[[Rng, int], Any]] = {
    "numbers": lambda rng, n: rng.normal(size=n).round(9),
    "ties": lambda rng, n: rng.integers(0, 5, n) * 1.0,
    "zero-inflated": lambda rng, n: rng.integers(1, 99, n) * (rng.random(n) < 0.3),
    "gaps": lambda rng, n: np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 9, n)),
    "a rare value": lambda rng, n: (np.arange(n) == rng.integers(n)) * 1.0,
    "Cauchy": lambda rng, n: rng.standard_cauchy(n).round(9),
    "dates": dates,
    "words": lambda rng, n: rng.choice(list("abcd"), n),
    "many words": lambda rng, n: np.array([f"w{i:02d}" for i in rng.integers(0, n, n)]),
    "ordered": ordered,
}
RESPONSES: dict[str, Callable[[Rng, int], Any]] = {
    "two classes": lambda rng, n: rng.integers(0, 2, n),
    "a rare class": lambda rng, n: (rng.permutation(n) < 2) * 1,
    "three classes": lambda rng, n: rng.choice(list("xyz"), n),
    "ten classes": lambda rng, n: rng.integers(0, 10, n),
    "numbers": lambda rng, n: rng.normal(size=n).round(6),
    "tied numbers": lambda rng, n: rng.integers(0, 4, n) / 2,
    "heavy numbers": lambda rng, n: np.exp(3 * rng.normal(size=n)),
}


def drawn(seed: int) -> tuple[pd.DataFrame, Any, Any]:
    """Ten columns, a response, and what it is; a third of the responses depend on the first column of numbers."""
    rng = np.random.default_rng([54, seed])
    n, name = int(rng.integers(7, 90)), list(RESPONSES)[seed % len(RESPONSES)]
    y = RESPONSES[name](rng, n)
    x = pd.DataFrame({f"{i} {kind}": draw(rng, n) for i, (kind, draw) in enumerate(KINDS.items())})
    if seed % 3 == 0:
        x.iloc[:, 0] = np.argsort(np.argsort(y, kind="stable")) + rng.normal(size=n).round(6)
    return x, y, "numbers" if "numbers" in name else "classes"


def entries(x: pd.DataFrame, y: Any, kind: Any, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each entry says of each column that it can take: p, what decides, its error, and effect; or p alone."""

    def answers(features: Any) -> dict[str, Any]:
        return {f.name: (f.p, f.log_p, f.method, f.statistic, f.standard_error, f.effect) for f in features}

    yield "frame", answers(rank_features(x, y, response=kind).features)
    yield "turned", answers(rank_features(x[list(x)[::-1]].iloc[::-1], y[::-1], response=kind).features)
    written = x.drop(columns=[name for name in x if "ordered" in name]).assign(target=y)
    written.to_csv(folder / "x.csv", index=False)
    yield "file", answers(rank_features(folder / "x.csv", "target", response=kind).features)
    if kind == "classes":
        yield "tables", answers(rank_features(Tables.of(x, y, bins=1024, missing="row")).features)
    for asked in ("table", "division"):
        found = split_test(x, y, correction=None, response=kind, categories=asked).features  # type: ignore[arg-type]
        mine = [f for f in found if asked == "table" or f.kind != "categories"]
        yield f"split_test by {asked}", answers(mine)
    selector = SplitSelector(response=kind).fit(x, y)
    yield "selector", {name: (p,) for name, p in zip(x, selector.pvalues_.tolist(), strict=True)}
    numbers = x.select_dtypes("number")
    codes = y if kind == "numbers" else np.unique(y, return_inverse=True)[1]
    of_score = selected_score(numbers.to_numpy(), y)[1].tolist()
    yield "score", {name: (p,) for name, p in zip(numbers, of_score, strict=True)}
    plan = NodeTestPlan("bonferroni", "variance" if kind == "numbers" else "sgini", 1, DRAWS, 0.05)
    root = [pvalue_of_split(plan, x[:, None], codes, np.arange(len(y)), 0)[:1] for x in numbers.to_numpy().T]
    yield "root", dict(zip(numbers, root, strict=True))
    labels = SimpleNamespace(values=codes, n_classes=None if kind == "numbers" else int(codes.max()) + 1)
    here, places = SimpleNamespace(labels=[labels], among=Dependence(), blocks=None), np.arange(numbers.shape[1])
    alone: Any = _alone(numbers.to_numpy(), here, places, len(places))  # type: ignore[arg-type]
    yield "audit", {name: (p,) for name, p in zip(numbers, alone.tolist(), strict=True)}


def disagreements(seed: int, folder: Path) -> Iterator[str]:
    """Columns of which two entries say two things."""
    x, y, kind = drawn(seed)
    if len(np.unique(y)) < 2:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (_, first), *others = entries(x, y, kind, folder)
    for entry, found in others:
        for name, told in found.items():
            if told != first[name][: len(told)]:
                yield f"set {seed}, {name}: {entry} says {told}, the ranking {first[name]}"


@pytest.mark.parametrize("seeds", [FEW, pytest.param({*range(SETS)} - FEW, marks=pytest.mark.slow)], ids=["few", "all"])
def test_every_entry_gives_one_p(seeds: set[int], tmp_path: Path) -> None:
    assert [each for seed in seeds for each in disagreements(seed, tmp_path)] == []


def test_every_kind_and_response_is_drawn_and_every_method_decides(tmp_path: Path) -> None:
    found = [next(entries(*drawn(seed), tmp_path))[1] for seed in range(14)]
    methods = {told[2] for each in found for told in each.values()}
    assert {"exact", "permutations", "evidence"} <= methods and len(found[0]) == len(KINDS) == COLUMNS


def test_another_seed_of_one_entry_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The near-miss: an entry that draws its own orders."""
    true = column_tests.drawn_sums
    calls = []

    def other(*given: Any, **how: Any) -> Any:
        calls.append(1)
        structure, draws, seed = given
        return true(structure, draws, seed + (len(calls) % 7 == 3), **how)

    monkeypatch.setattr(column_tests, "drawn_sums", other)
    assert any(each for seed in (2, 3, 4) for each in disagreements(seed, tmp_path))
