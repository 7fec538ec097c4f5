"""Answers do not depend on the order of rows, columns and classes, nor on names and containers."""

import subprocess
import sys
import zlib
from collections.abc import Callable

import numpy as np
import pytest

import relations
from relations import ASKED, SCORED, Asked, Scored

ROUNDS = 30  # of the slow part


def seeds(name: str, rounds: int) -> range:
    """Some seeds of a name, which other names do not have."""
    first = zlib.crc32(name.encode()) % 10**6
    return range(first, first + rounds)


@pytest.mark.parametrize("rounds", [1, pytest.param(ROUNDS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ASKED)
def test_an_answer_does_not_depend_on_how_the_data_are_written(name: str, rounds: int) -> None:
    drawn = seeds(name, rounds * ASKED[name].draws)
    assert [found for seed in drawn for found in relations.differences(name, seed)] == []


@pytest.mark.parametrize("rounds", [1, pytest.param(ROUNDS, marks=pytest.mark.slow)])
def test_a_score_does_not_depend_on_how_the_table_is_written(rounds: int) -> None:
    for name in SCORED:
        assert [found for seed in seeds(name, rounds) for found in relations.table_differences(name, seed)] == []


SENTENCES = """
import sys
for name in sys.argv[1:]:
    sys.modules[name] = None
import numpy as np
from splitcrit import rank_features
from splitcrit.inference import split_test
rng = np.random.default_rng(0)
x, y = rng.integers(-4, 9, (60, 3)).astype(float), rng.integers(0, 2, 60)
x[:, 0] += 3 * y
print(split_test(x, y), rank_features(x, y), split_test(x, x[:, 0] + y, random_state=0), sep="\\n")
"""


def test_sentences_do_not_depend_on_what_else_is_installed() -> None:
    every, few = (
        subprocess.run([sys.executable, "-c", SENTENCES, *absent], capture_output=True, text=True, check=True).stdout
        for absent in ((), ("numba", "polars", "pyarrow", "matplotlib", "pandas", "sympy", "mpmath", "flint"))
    )
    assert every == few
    assert "p = " in every


# The engine sees what depends on something.

PLANTED: dict[str, tuple[str, Callable[[relations.Data], object]]] = {
    "rows": ("all", lambda data: data.y[0] + 10 * data.y[1] + 100 * data.y[2] + 1000 * data.y[3]),
    "columns": ("columns", lambda data: np.arange(len(data.names))),
    "names": ("text", lambda data: f"{data.names[0]} {data.names[0].count('o')}"),
    "labels": ("all", lambda data: float(data.y[0] == 0)),
    "monotone": ("all", lambda data: np.nanmean(data.x)),
    "negated": ("all", lambda data: np.nanmax(data.x)),
    "float32": ("all", lambda data: float("float32" in str(getattr(data.features, "dtypes", "")))),
}


@pytest.mark.parametrize("change", PLANTED)
def test_an_answer_that_depends_on_something_is_seen(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    by, of = PLANTED[change]
    monkeypatch.setitem(ASKED, "planted", Asked(of, by, (change,)))
    assert any([*relations.differences("planted", seed)] for seed in range(5))


def test_a_score_that_depends_on_an_order_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for change in ("rows", "classes"):
        monkeypatch.setitem(SCORED, "planted", Scored(lambda table: np.asarray(table)[0, 0], changes=(change,)))
        assert any([*relations.table_differences("planted", seed)] for seed in range(5))
