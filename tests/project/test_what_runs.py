"""The table "What the default call runs" of docs/kernel-checked.md, against the functions that calls enter.

The interpreter reports each Python function that a call enters; those that the proofs print are compared with the page.
Compiled loops are not reported: the page counts them as not printed, although a few are compiled from printed formulas.
"""

import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitcrit
from splitcrit import TreeClassifier, inference, nulls, robustness
from splitcrit.trees.growth import by_reference

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "kernel-checked.md").read_text(encoding="utf-8")
ROWS = {
    call: (says, {name for name in re.findall(r"`([^`]+)`", names)})
    for call, says, names in re.findall(
        r"^\| `([^|]+)` \| (yes|in part|no)(?:: ([^|]*))? \|", PAGE.partition("## What the default call runs")[2], re.M
    )
}
COUNTING = "splitcrit.nulls", "splitcrit.columns", "splitcrit.inference"  # modules that keep laws from call to call
RNG = np.random.default_rng(11)
X, Y = RNG.normal(size=(60, 3)), RNG.permutation(np.arange(60) % 2)
TABLE = [[17, 4], [5, 13]]
NAMES = {  # what the calls of the page name: the library, and data
    **{name: getattr(splitcrit, name) for name in splitcrit.__all__},
    **{name: getattr(room, name) for room in (inference, nulls, robustness) for name in room.__all__},
    "Fraction": Fraction,
    "X": X,
    "x": X[:, 0],
    "y": Y,
    "three": RNG.permutation(np.arange(60) % 3),
    "table": TABLE,
    "tables": np.array([TABLE, TABLE]),
    "large": [[701, 200, 30], [300, 611, 40], [20, 30, 444]],
    "rows": [21, 18],
    "columns": [22, 17],
    "sizes": [1] * 60,
    "classes": [33, 27],
    "score": 2.0,
    "counts": [5, 3, 4],
    "tree": TreeClassifier(max_depth=2).fit(X, Y),
}


def printed() -> set[str]:
    """The functions, and classes whose methods, are printed."""
    files = [(ROOT / "proofs" / "rocq" / name).read_text(encoding="utf-8") for name in ("generated.v", "loops.v")]
    return {re.split(r"[ ,]", x)[0] for text in files for x in re.findall(r"\(\* (splitcrit\.[^*]*?) ?\*\)", text)}


PRINTED = printed()


def short(name: str) -> str:
    """The name of a printed function on the page; formulas that moments are made of are one name."""
    if name.startswith("splitcrit.nulls.formulas."):
        return "formulas"
    return name.rpartition(".")[2]


def entered(call: Callable[[], Any]) -> set[str]:
    """The printed functions that a call enters."""
    found: set[str] = set()

    def profile(frame: Any, event: str, arg: Any) -> None:
        module, qualified = str(frame.f_globals.get("__name__")), frame.f_code.co_qualname
        for name in (f"{module}.{qualified}", f"{module}.{qualified}".removesuffix(".__call__")):
            if event == "call" and name in PRINTED:
                found.add(short(name.removesuffix(".__call__")))

    for module in [module for name, module in sys.modules.items() if name.startswith(COUNTING)]:
        for kept in [x for x in vars(module).values() if hasattr(x, "cache_clear")]:
            kept.cache_clear()
    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects have no qualified names")
@pytest.mark.parametrize("call", [call for call in ROWS if call != "properties(formula)"])
def test_the_page_says_which_printed_functions_a_call_enters(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_reference, "budget", lambda: 1e6)  # as for the first tree of a process
    says, names = ROWS[call]
    assert entered(lambda: eval(call, {**NAMES})) == names, call
    assert (says == "no") == (not names)
