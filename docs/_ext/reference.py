"""The reference of every public name: one page a subpackage, from what each of them exports, and an index.

Main definitions: ``subpackages``, ``pages``, ``places`` (where a name is documented).
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import splitcrit
from layers import LAYERS
from splitcrit.lazy import homes

TASKS = {  # names by what they are for: the page that the index of the reference begins with
    "Count": "table.Table table.Tables",
    "Impurity of a node": "impurities.gini impurities.entropy impurities.shannon_entropy impurities.misclassification "
    "impurities.sqrt_gini impurities.matushita impurities.bayes_sum impurities.gce impurities.ne impurities.scaled "
    "impurities.variance impurities.absolute_deviation",
    "Score of a split": "criteria.decrease criteria.twoing criteria.twoing_superclasses criteria.hellinger "
    "criteria.dkm criteria.pairwise_gain criteria.one_vs_rest_pairwise_gain criteria.sum_minority criteria.normalised "
    "criteria.imprecise_information_gain criteria.imprecise_gain_ratio criteria.replace",
    "p-value of a table": "nulls.sgini nulls.gini_gain nulls.gini_null nulls.NullMoments nulls.gini_pvalue "
    "nulls.null_distribution nulls.agini nulls.significance nulls.null_moments",
    "p-value of the best split": "nulls.selected_pvalue nulls.sgini_scan nulls.best_cut_law nulls.best_subset_law "
    "inference.split_test inference.treatment_test",
    "Several p-values": "nulls.holm nulls.benjamini_hochberg nulls.benjamini_yekutieli nulls.bonferroni",
    "Rank or select features": "columns.rank_features inference.SplitSelector inference.selected_score "
    "columns.adjusted columns.standardised",
    "Grow trees and forests": "trees.TreeClassifier trees.TreeRegressor trees.ForestClassifier "
    "inference.AnytimeTreeClassifier trees.ForestRegressor trees.AdaptiveTreeClassifier trees.AdaptiveForestClassifier "
    "trees.sklearn_criterion trees.best_depth_two inference.optimality_gaps trees.MultiwayTreeClassifier "
    "trees.DaskTreeClassifier "
    "trees.DaskTreeRegressor trees.DaskForestClassifier nulls.calibrated",
    "Keep only real splits": "inference.InferenceTreeClassifier inference.InferenceTreeRegressor "
    "inference.HonestTreeClassifier inference.HonestTreeRegressor inference.significant_subtree",
    "Audit a model": "audits.audit audits.category_gains",
    "Label noise": "noise.Channel noise.symmetric noise.class_conditional noise.pair_flip noise.transition_matrix "
    "noise.compose robustness.order_failure robustness.majority_failure robustness.samples_needed robustness.tolerance "
    "robustness.tree_agreement",
    "Categories and classes": "vertices.optimal_vertex vertices.vertex_landscape nulls.expected_excess_gain "
    "trees.ChiMerge trees.GapClustering",
    "Your own criterion": "losses.Loss losses.ResponseLoss impurities.Impurity criteria.Criterion proof.properties "
    "testing.check_impurity testing.check_criterion testing.check_tree",
    "Other responses": "columns.log_rank columns.ordinal columns.outputs columns.ranks inference.kaplan_meier",
    "Pictures": "plots.plot_ranking plots.plot_inference_tree plots.plot_null plots.plot_impurity plots.plot_selection",
    "C, JavaScript, numba": "export.header export.vectors export.compiled.sgini export.compiled.mean",
}
MODULES = {"export": ("export.compiled",)}  # public modules that their subpackage leaves to whoever has numba
TITLES = {  # what a reader searches for
    "table": "contingency tables", "criteria": "Gini gain, Hellinger distance, twoing",
    "impurities": "Gini, entropy and others", "losses": "square, absolute, log and others", "noise": "label noise",
    "nulls": "p-values and null distributions",
    "data": "columns, targets and files", "columns": "feature importance and ranking",
    "trees": "trees and forests, multiway trees, discretisation, trees on Dask",
    "inference": "tests of splits, feature selection", "audits": "audits of fitted models",
    "robustness": "robustness to label noise", "vertices": "best splits of classes", "plots": "pictures",
    "proof": "the checker", "testing": "property tests", "export": "C, JavaScript and test vectors",
    "export.compiled": "statistics for numba", "arith": "arithmetics",
}  # fmt: skip
GROUPS = {
    "Score tables": ("table", "criteria", "impurities", "losses", "noise", "data"),
    "What chance alone would give": ("nulls", "columns", "inference", "audits"),
    "Grow trees": ("trees",),
    "Look closer": ("robustness", "vertices", "plots"),
    "Theorems, tests, and code for elsewhere": ("proof", "testing", "export", "export.compiled", "arith"),
}
SHEET = "its formula is on the :doc:`formula sheet </generated/formulas>`."


def subpackages() -> Iterator[tuple[int, str, ModuleType]]:
    """Yield layer, name and module of each subpackage, or public module, that exports names or public functions."""
    for layer, names in enumerate(LAYERS):
        for name in names:
            if name in splitcrit._SUBPACKAGES and name != "proofs":
                for public in (name, *MODULES.get(name, ())):
                    yield layer, public, import_module(f"splitcrit.{public}")


def exported(module: ModuleType) -> list[str]:
    """The names of ``__all__`` and the records beside them, which users read; else public functions and classes."""
    if hasattr(module, "__all__"):
        beside = sorted({*vars(module), *homes(str(module.__file__))} - {*module.__all__})
        values = {name: getattr(module, name) for name in beside if hasattr(module, "__path__")}
        return [*module.__all__, *(n for n, v in values.items() if inspect.isclass(v) and dataclasses.is_dataclass(v))]
    own = [
        n
        for n, v in vars(module).items()
        if getattr(v, "__module__", None) == module.__name__ and not n.startswith("_")
    ]
    return [n for n in own if inspect.isfunction(getattr(module, n)) or inspect.isclass(getattr(module, n))]


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    known = {name: module for _, name, module in subpackages()}
    for name, module in known.items():
        title = f"{name}: {TITLES[name]}"
        head = [title, "=" * len(title), "", f".. automodule:: splitcrit.{name}", "   :no-members:", ""]
        head += [f".. currentmodule:: splitcrit.{name}", ""]
        rows = [(one, f"splitcrit.{name}.{one}", line(name, one, getattr(module, one))) for one in exported(module)]
        body = [line for one in exported(module) for line in (*directive(name, one, getattr(module, one)), "")]
        yield f"api/{name}.rst", "\n".join([*head, *summary(rows), "", *body])
    yield "api/index.rst", index(known)


def index(known: dict[str, ModuleType]) -> str:
    """The page that lists names by task, then the subpackages, group by group, with a line for each."""
    title = "API reference"
    parts = [title, "=" * len(title), "", "Names by task. Most can be imported from ``splitcrit`` itself.", "", *TABLE]
    for task, names in TASKS.items():
        links = [f":py:obj:`{name.rpartition('.')[2]} <splitcrit.{name}>`" for name in names.split()]
        parts.append(f"   * - {task}\n     - {', '.join(links)}")
    for group, names in GROUPS.items():
        rows = [f"   * - :doc:`{name} <{name}>`\n     - {first(known[name])}" for name in names]
        parts += ["", group, "-" * len(group), "", *TABLE, *rows]
    tree = [f"   {name} <{name}>" for names in GROUPS.values() for name in names]
    return "\n".join([*parts, "", ".. toctree::", "   :hidden:", "", *tree, ""])


TABLE = (".. list-table::", "   :class: summary", "   :widths: auto", "")


def summary(rows: list[tuple[str, str, str]]) -> list[str]:
    """A table of names, each a link to where it is documented, with a line on each."""
    return [*TABLE, *(f"   * - :py:obj:`{name} <{place}>`\n     - {told}" for name, place, told in rows)]


def first(value: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())


def sentence(value: Any) -> str:
    """Describe a public name on one line; a value by its formula."""
    if inspect.isfunction(value) or inspect.isclass(value):
        told = first(value).removeprefix("Return ")
        return told[:1].upper() + told[1:]
    inner = next((getattr(value, name) for name in ("of", "score", "at", "transition") if hasattr(value, name)), None)
    told = (first(inner) if inner is not None else "") or expression(inner) or SHEET * (inner is not None)
    return f"{type(value).__name__}: {told}" if told else f"A value of type ``{type(value).__name__}``."


def line(subpackage: str, name: str, value: Any) -> str:
    """The line on a public name: of a value the first sentence of its comment, if it has one."""
    return comment(subpackage, name).partition("\n\n")[0].replace("\n", " ") or sentence(value)


@cache
def comment(subpackage: str, name: str) -> str:
    """The comment ``#:`` above the assignment of a public value, without the signs."""
    for path in sorted((Path(splitcrit.__file__).parent / subpackage.replace(".", "/")).glob("*.py")):
        if found := re.search(rf"((?:^#:.*\n)+){name} = ", path.read_text(encoding="utf-8"), re.M):
            return re.sub(r"^#: ?", "", found[1], flags=re.M).strip()
    return ""


def example(subpackage: str, name: str, value: Any) -> list[str]:
    """An example of an impurity or a criterion, computed now."""
    kind = {"Impurity": "[3, 1]", "Criterion": "[[3, 0], [1, 6]]"}.get(type(value).__name__)
    if kind is None:
        return []
    told = f">>> from splitcrit.{subpackage} import {name}", f">>> round(float({name}({kind})), 6)"
    return [f"   {words}" for words in (*told, round(float(value(ast.literal_eval(kind))), 6))]


def expression(function: Any) -> str:
    """The expression that a function of one line returns, as code."""
    if not inspect.isfunction(function):
        return ""
    (read,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    one = read.body[0] if isinstance(read, ast.FunctionDef) and len(read.body) == 1 else None
    return f"``{ast.unparse(one.value)}``" if isinstance(one, ast.Return) and one.value else ""


def places() -> dict[str, str]:
    """The page of each name that means one thing: ``splitcrit``'s own, and those of one place alone."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for _, name, module in subpackages():
        for one in exported(module):
            found.setdefault(one, []).append((f"splitcrit.{name}.{one}", getattr(module, one)))
    top = {one: [p for p, value in found.get(one, []) if value is getattr(splitcrit, one)] for one in splitcrit.__all__}
    alone = {one: [place for place, _ in held] for one, held in found.items() if len(held) == 1 and told_apart(one)}
    return {one: held[0] for one, held in (alone | top).items() if held}


@cache
def home(name: str) -> str:
    """The place of a name in the reference: that of ``splitcrit``'s own value, else the first one."""
    found = [(part, getattr(module, name)) for _, part, module in subpackages() if name in exported(module)]
    own = getattr(splitcrit, name, None)
    return next((f"splitcrit.{part}.{name}" for part, value in sorted(found, key=lambda x: x[1] is not own)), "")


def told_apart(name: str) -> bool:
    """Whether a name is no word of English that stands as code for other things too."""
    return "_" in name or name != name.lower()


def directive(subpackage: str, name: str, value: Any) -> list[str]:
    """The directive that documents a name: a function, a class, or a value with what it prints as."""
    if inspect.isfunction(value):
        return [f".. autofunction:: {name}"]
    if inspect.isclass(value):
        return [f".. autoclass:: {name}", *_members(value)]
    told = textwrap.indent(comment(subpackage, name) or sentence(value), "   ")
    shown = example(subpackage, name, value)
    return [f".. py:data:: {name}", f"   :module: splitcrit.{subpackage}", "", told, "", *shown]


def _members(value: type) -> list[str]:
    """The option that lists the methods a class defines itself and documents."""
    fields = {f.name for f in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else set()
    own = [n for n, v in vars(value).items() if not n.startswith("_") and n not in fields and _told(v)]
    return [f"   :members: {', '.join(own)}"] if own else []


def _told(member: Any) -> bool:
    inner = member.__func__ if isinstance(member, staticmethod | classmethod) else member
    return (inspect.isfunction(inner) or isinstance(inner, property)) and bool(inspect.getdoc(inner))
