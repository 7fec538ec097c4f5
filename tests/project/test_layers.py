"""The structure of the package: layers, lazy imports and names."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import layers
import splitcrit

HEAVY = {"scipy", "sympy", "mpmath", "flint", "z3", "sklearn", "numba", "joblib", "dask", "matplotlib", "rich"}


def fresh(code: str) -> str:
    """What a new interpreter prints."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=layers.ROOT, capture_output=True, text=True, check=True
    ).stdout


# The layers.


def test_every_import_goes_down() -> None:
    assert len(layers.sources()) > 5
    assert [
        each for path, source in layers.sources().items() for each in layers.complaints(source, path, splitcrit._HOME)
    ] == []


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        ("table.py", "from splitcrit.impurities import gini", "table may not import impurities"),
        ("table/sources.py", "from ..impurities import gini", "table may not import impurities"),
        ("table.py", "from . import noise", "table may not import noise"),
        ("table.py", "def f():\n    from .losses import Loss", "table may not import losses"),
        ("arith/base.py", "import splitcrit", "arith may not import __main__"),
        ("cli.py", "import splitcrit.proofs.__main__", "cli may not import __main__"),
        ("nulls.py", "import proofs", "nulls may not import proofs; the package of proofs is called splitcrit.proofs"),
        ("nulls.py", "from splitcrit.attic import x", "which is no subpackage of splitcrit; give attic"),
        ("nulls.py", "from scipy import stats", "nulls may import scipy only inside the function that needs it"),
        ("table.py", "def f():\n    import scipy.stats", "table may not import scipy; allowed in: "),
        ("arith/symbolic.py", "import sympy", "arith may not import sympy; allowed in: proof"),
        ("table.py", "import polars", "table may not import polars; allowed in: no subpackage"),
        ("nulls/x.py", "def f():\n    import_module('splitcrit.columns.ranking')", "nulls may not import columns"),
        ("nulls/x.py", "import_module('splitcrit.plots.curves')", "nulls may not import plots"),
        ("trees/scan/x.py", "importlib.import_module('sklearn.tree')", "trees.scan may not import sklearn"),
        ("trees/kernel.py", "from splitcrit.trees.estimators.forest import x", "trees may not import trees.estimators"),
        ("attic.py", "", "attic has no layer"),
    ],
)  # fmt: skip
def test_an_import_that_goes_up_is_seen(path: str, source: str, said: str) -> None:
    found = [re.sub(r" \(layer \d+\)", "", line) for line in layers.complaints(source, Path(path), splitcrit._HOME)]
    assert [said in line for line in found] == [True]


# Lazy imports.


def loaded(*codes: str) -> list[set[str]]:
    """The modules that a new interpreter has loaded after each of some lines of code."""
    lines = fresh("\nprint(*sys.modules)\n".join(["import sys", *codes, ""])).splitlines()[1:]
    return [{*line.split()} for line in lines]


def test_names_and_numbers_load_nothing_heavy_and_the_first_small_fit_of_a_process_no_numba(tmp_path: Path) -> None:
    extra = layers.LEARNERS | layers.CHECKERS
    names = [name for name in dir(splitcrit) if splitcrit._HOME.get(name, name) not in extra]
    numbers = "s.gini([1, 3]); s.sgini([[3, 0], [1, 6]]); s.gini_null([3, 7], [4, 6])"
    resolved = f"import splitcrit as s; [getattr(s, n) for n in {names}]"
    fit = "from sklearn.datasets import load_breast_cancer as cancer; s.TreeClassifier().fit(*cancer(return_X_y=True))"
    fresh_cache = f"import os; os.environ['NUMBA_CACHE_DIR'] = {str(tmp_path)!r}"
    _, every, used, symbolic, fitted = loaded(fresh_cache, resolved, numbers, "s.gini.symbolic()", fit)
    assert "splitcrit.nulls" in every and used & HEAVY == set() and "sympy" in symbolic
    assert "sklearn" in fitted and "numba" not in fitted


def test_import_loads_two_modules_beyond_numpy() -> None:
    """Work, not time, also where names are listed: seconds beside `import numpy` are a row of the benchmark's page."""
    code = "import numpy, sys; old = {*sys.modules}; import splitcrit; dir(splitcrit); print(*{*sys.modules} - old)"
    new = {name for name in fresh(code).split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert new == {"splitcrit", "splitcrit.lazy"}


BARE = """
import importlib.abc, inspect, json, pydoc, sys
from unittest import mock

EXTRAS = "sklearn dask flint numba matplotlib pyarrow sympy mpmath z3 joblib pandas hypothesis river".split()

class Bare(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Bare())
import splitcrit
"""
EACH = """
for code in CODES:
    for name in [name for name in sys.modules if name.partition(".")[0] == "splitcrit"]:
        del sys.modules[name]
    import splitcrit
    try: exec(code, {**globals()}); said = "done"
    except Exception as error: said = f"{type(error).__name__} {error}"
    print(json.dumps(said))
"""


def bare(code: str) -> list[str]:
    """The lines that a new interpreter prints in which no extra is installed."""
    return fresh(BARE + code).splitlines()


LOOKING = [
    "from splitcrit import *",
    "pydoc.render_doc(splitcrit)",
    "inspect.getmembers(splitcrit)",
    "mock.create_autospec(splitcrit)",
    "assert not hasattr(splitcrit, 'DaskTreeClassifier') and not hasattr(splitcrit, 'ginny')",
    "assert not {'audit', 'proof', 'TreeClassifier'} & {*dir(splitcrit)}",
    "sys.modules['dask'] = None; assert not hasattr(splitcrit, 'DaskTreeRegressor')",
    "splitcrit.trees.reference_tree, splitcrit.best_depth_two, splitcrit.columns.rank_features",
]
MISSING, LACKING = "ModuleNotFoundError splitcrit.", "AttributeError splitcrit."
REMEDIES = {  # what is said, the module that is missing, the extras
    "from splitcrit import DaskTreeClassifier": (f"{MISSING}DaskTreeClassifier", "dask", "trees,dask"),
    "from splitcrit.trees import ChiMerge": (f"{MISSING}trees.ChiMerge", "sklearn", "trees"),
    "from splitcrit import audit": (f"{MISSING}audit", "sklearn", "trees"),
    "splitcrit.proof": (f"{LACKING}proof", "flint", "proofs"),
    "from splitcrit import properties": (f"{MISSING}properties", "flint", "proofs"),
    "splitcrit.TreeClassifier": (f"{LACKING}TreeClassifier", "sklearn", "trees"),
    "from splitcrit.proof import properties": (f"{MISSING}proof", "flint", "proofs"),
    "splitcrit.plots.plot_impurity(splitcrit.gini)": ("ModuleNotFoundError a picture", "matplotlib", "plots"),
}


def test_a_bare_installation_can_be_looked_at_and_what_is_not_installed_is_named_with_a_remedy() -> None:
    """By every statement that leads to a subpackage, or to a name, that needs an extra."""
    said = {code: f"{a} needs an extra; got no module {b}; pip install 'splitcrit[{c}]'"
            for code, (a, b, c) in REMEDIES.items()}  # fmt: skip
    plain = [f"import splitcrit.{name}" for name in splitcrit._SUBPACKAGES if name not in splitcrit._NEEDS]
    needing = [f"from splitcrit import {name}" for name in sorted(splitcrit._NEEDS)]
    for name in sorted({*splitcrit._NEEDS} & {*splitcrit._SUBPACKAGES}):
        public = import_module(f"splitcrit.{name}").__all__[0]
        needing += [f"import splitcrit.{name}", f"from splitcrit.{name} import {public}"]
    done = [*LOOKING, *plain]
    codes = list(dict.fromkeys([*done, *REMEDIES, *needing]))
    told = dict(zip(codes, map(json.loads, bare(f"CODES = {codes!r}\n{EACH}")), strict=True))
    assert {code: told[code] for code in (*done, *said)} == dict.fromkeys(done, "done") | said
    said = r"ModuleNotFoundError splitcrit\.\w+ needs an extra; got no module \w+; pip install 'splitcrit\[[\w,]+\]'"
    remedy = re.compile(said)
    assert {code: told[code] for code in needing if not remedy.fullmatch(told[code])} == {}


THEORY = """
import pkgutil
from importlib import import_module
for name in NAMES:
    module = import_module(f"splitcrit.{name}")
    for info in pkgutil.walk_packages(getattr(module, "__path__", []), f"splitcrit.{name}."):
        if not info.name.endswith("_compiled"):
            import_module(info.name)
from splitcrit import decrease, gini, gini_pvalue, optimal_vertex, selected_pvalue, tolerance
table = [[8, 2], [1, 9]]
selected = selected_pvalue(range(6), [0, 0, 0, 1, 1, 1]).value
print(gini_pvalue(table).method, round(decrease(gini)(table), 12), round(selected, 12))
print(tolerance(gini, "uniform").verdict, optimal_vertex([0.2, 0.5, 0.3], gini).left)
print([name for name in sys.modules if name.split(".")[1:2] in ([each] for each in ABOVE)])
"""


def test_the_theory_runs_with_numpy_alone() -> None:
    """numpy, and scipy where a function needs it: no extra, no tree; what a column is is asked below it."""
    below = "base", "data", "theory"
    names = [name for band in below for layer in layers.BANDS[band] for name in layer]
    above = sorted({name for name, band in layers.BAND.items() if band not in below})
    assert bare(f"NAMES, ABOVE = {names}, {above}\n{THEORY}") == ["exact 0.245 0.1", "holds (1,)", "[]"]


def test_a_file_of_numbers_is_ranked_without_pandas(tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("x,y\n" + "".join(f"{i / 7},{i % 2}\n" for i in range(2**16)))  # large enough for pyarrow
    (found,) = loaded(f"import splitcrit; splitcrit.rank_features({str(path)!r}, 'y')")
    assert found & {"pandas", "pyarrow"} == {"pyarrow"}


# Names.


def test_public_names_stand_in_the_list_of_their_room() -> None:
    homes = {name: import_module(f"splitcrit.{home}").__all__ for name, home in splitcrit._HOME.items()}
    assert [name for name, listed in homes.items() if name not in listed] == []


def test_type_checkers_and_users_see_the_same_names() -> None:
    tree = ast.parse((layers.PACKAGE / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    lines = [node for node in ast.walk(block) if isinstance(node, ast.ImportFrom)]
    seen = {(line.module, alias.asname) for line in lines for alias in line.names}
    subpackages = {("splitcrit", name) for name in splitcrit._SUBPACKAGES}
    assert seen == subpackages | {(f"splitcrit.{home}", name) for name, home in splitcrit._HOME.items()}


# No two modules lead to one another, within a subpackage, across them, or by the picture that a result draws.

LOW, HIGH = "splitcrit.b.low", "splitcrit.b.high"
CHAIN = {LOW: "", HIGH: "from splitcrit.b.low import x", "splitcrit.b": ""}
PICTURE = "def plot(self):\n    return import_module('splitcrit.plots.low').draw(self)"
DRAWN = {LOW: PICTURE, "splitcrit.plots.low": "from splitcrit.b.low import Low"}


def circle(texts: dict[str, str]) -> set[str]:
    """Modules that lead to one another, of modules by their dotted names; the package's root apart."""
    packages = {name.rpartition(".")[0] for name in texts}
    graph: dict[str, set[str]] = {}
    for name, source in texts.items():
        inside = name in packages  # what a package imports on first use, and shows type checkers, counts
        package = tuple((name if inside else name.rpartition(".")[0]).split("."))
        seen = {item.name for item in layers.imports(source, package) if inside or not item.typed}
        wanted = {part if part in texts else part.rpartition(".")[0] for part in seen}
        graph[name] = {part for part in wanted if part in texts and part != name}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return {*error.args[1]}
    return set()


def modules() -> dict[str, str]:
    """The source of every module by its dotted name; the proofs apart, which have an order of their own."""
    inside = {path.with_suffix("").parts: text for path, text in layers.sources().items() if path.parts[0] != "proofs"}
    named = {("splitcrit", *(part for part in parts if part != "__init__")): text for parts, text in inside.items()}
    return {".".join(parts): text for parts, text in named.items() if len(parts) > 1}


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circle(modules()) == set()


@pytest.mark.parametrize(
    ("texts", "planted"),
    [
        (CHAIN, set()),
        (CHAIN | {LOW: "def f():\n    from splitcrit.b import high"}, {LOW, HIGH}),
        (CHAIN | {"splitcrit.b": "from .high import y", LOW: "from splitcrit.b import y"}, {"splitcrit.b", LOW, HIGH}),
        (DRAWN, {*DRAWN}),
        (CHAIN | {LOW: "if TYPE_CHECKING:\n    from splitcrit.b.high import y"}, set()),
    ],
)
def test_a_planted_circle_is_seen(texts: dict[str, str], planted: set[str]) -> None:
    assert circle(texts) == planted


def test_a_result_draws_itself_in_one_line() -> None:
    """The only import that goes up is that of a method, which returns what the function of its picture returns."""
    texts = "\n".join(text for name, text in modules().items() if not name.startswith("splitcrit.plots"))
    doors = [line for line in texts.splitlines() if f'import_module("{layers.PICTURES}' in line]
    assert len(doors) >= 4
    drawn = re.compile(r'        return import_module\("splitcrit\.plots\.\w+"\)\.\w+\(self, ax=ax')
    assert [line for line in doors if not drawn.match(line)] == []
