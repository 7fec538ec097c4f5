"""The documentation: links lead somewhere, keys name theorems, and what is generated says what the objects say."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import lightgbm
import pytest

pytest.importorskip("sphinx", reason="the pages are read by extensions of Sphinx")


import criteria as pages_of_criteria
import generated as extension
import reference
import theorems
import writing

import splitcrit
from layers import BANDS, LAYER
from splitcrit.proofs import bibliography, catalogue, latex, summaries

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [p for p in sorted(DOCS.rglob("*.md")) if p.relative_to(DOCS).parts[0] not in {"_build", "_ext", "generated"}]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
TREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`(?:python )?((?:\w+/)+\w+\.(?:toml|py|md|cff|yaml|csv|gz|png))`")
PAST = {"changelog", "decisions", "mutants", "sklearn-tests"}  # pages that name files of the past, or of others
CODE = re.compile(r"`([a-z_]\w*(?:\.\w+)*)`")
DESIGN = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("design", "reading-the-theory")}
KNOWN = catalogue.collect()
AREAS = {key.partition(".")[0] for key in KNOWN}
KEY = re.compile(rf"`((?:{'|'.join(sorted(AREAS))})\.\w*_\w+)`")

ENTRY: dict[str, Any] = {
    "key": "null.gini_mean_of_permutation",
    "claim": "a claim",
    "method": "identity",
    "verdict": "settled",
    "settled": True,
    "rests_on": ["algebra"],
    "evidence": "zero numerator",
    "witness": "",
    "near_misses": [{"says": "a * b", "alters": "conclusion", "verdict": "refuted", "witness": "a = `1`"}],
}
ERRATUM = {
    "id": "Y-E1", "paper": "yang2019", "place": "Section V", "printed": "1 < 0", "correction": "0 < 1", "witness": "1",
    "method": "exhaustive", "printed_verdict": "refuted", "theorem": "gain.saving_of_scored_children_by_their_order",
    "kind": "error", "quoted": "", "at_hand": True,
}  # fmt: skip


def ids(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


LEDGER: dict[str, list[Any]] = {"theorems": [{**ENTRY, "key": key} for key in KNOWN], "errata": [ERRATUM]}


@pytest.fixture(scope="module")
def generated() -> set[str]:
    """The names of the pages that the build writes."""
    found = {f"{name}.md" for name, _ in theorems.pages(LEDGER, {})} | {name for name, _ in reference.pages()}
    found |= {f"notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    return {f"generated/{name}" for name in found | {"criteria.md", "formulas.md", "kernel.md", "violations.md"}}


def test_links_lead_somewhere(generated: set[str]) -> None:
    lost = []
    for page in PAGES:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            here = (page.parent / target).resolve()
            if "://" not in target and not here.exists() and here.relative_to(DOCS).as_posix() not in generated:
                lost.append((ids(page), target))
    assert lost == []


def test_files_that_are_named_are_there() -> None:
    pages = [*PAGES, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "RELEASING.md"))]
    named = {(page, name) for page in pages if page.stem not in PAST for name in FILE.findall(page.read_text())}
    assert len(named) > 50
    assert [
        found for found in named if not any((ROOT / place / found[1]).exists() for place in (".", "splitcrit"))
    ] == []


def test_keys_name_theorems() -> None:
    keys = {(ids(page), key) for page in PAGES for key in KEY.findall(page.read_text(encoding="utf-8"))}
    assert [found for found in keys if found[1] not in {*KNOWN, "conservative.py"}] == []


def test_every_page_stands_in_a_tree(generated: set[str]) -> None:
    trees = [tree for page in PAGES for tree in TREE.findall(page.read_text(encoding="utf-8"))]
    listed = {line for tree in trees for line in tree.split("\n") if line and not line.startswith(":")} | {"index"}
    assert [p for p in PAGES if ids(p)[:-3] not in listed and "reproductions/" not in ids(p)] == []
    reached = {name.rpartition(".")[0] for name in generated}
    assert {name for name in listed if name.startswith("generated/") and "*" not in name} <= reached


# The pages about the design.


def found(name: str) -> bool:
    """Whether a dotted name is a module of the package or something in one."""
    above, _, last = f"splitcrit.{name}".rpartition(".")
    try:
        return hasattr(module := import_module(above), last) or find_spec(f"{module.__name__}.{last}") is not None
    except ModuleNotFoundError:
        return False


def missing(text: str) -> list[str]:
    """The dotted names of the package in a text that lead nowhere."""
    names = {name for name in CODE.findall(text) if name.split(".")[0] in LAYER and "." in name}
    return sorted(name for name in names if not found(name))


def test_what_is_named_is_there() -> None:
    assert missing("`trees.scan.open_nodes`, `trees.scan.attic`, `nulls.attic`, `attic.name`, `data`") == [
        "nulls.attic", "trees.scan.attic",
    ]  # fmt: skip
    assert {name: lost for name, text in DESIGN.items() if (lost := missing(text))} == {}
    headings = re.findall(r"^## \d+\. `splitcrit/([\w/]+\.py)`", DESIGN["reading-the-theory"], re.MULTILINE)
    assert len(set(headings)) == 10 and [name for name in headings if not (ROOT / "splitcrit" / name).is_file()] == []


def test_the_bands_are_those_of_the_test() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \| (.*) \|$", DESIGN["design"], re.MULTILINE)
    shown = [(band, int(layer), tuple(CODE.findall(names))) for band, layer, names in reversed(rows)]
    layers = [(band, names) for band, layers in BANDS.items() for names in layers]
    assert shown == [(band, layer, names) for layer, (band, names) in enumerate(layers)]


# What is generated.


def test_a_theorem_is_told_in_full() -> None:
    known = KNOWN[ENTRY["key"]]
    told = theorems.theorem(known, ENTRY, [latex.Shown("x = y", ("0 < x", "x < 1"), "K = 2")])
    wanted = [theorems.sentence(known.statement), writing.prose(known.scope_words), "**Settled** by identity", "a · b"]
    wanted += [":Rests on: algebra", "*Refuted* by `` a = `1` ``", r"\text{K = 2:}\quad x = y\qquad (0 < x, x < 1)"]
    assert [each for each in wanted if each not in told] == []


def test_every_theorem_and_erratum_has_its_place() -> None:
    pages = dict(theorems.pages(LEDGER, {}))
    assert sum(page.count(f"({writing.theorem_label('')}") for page in pages.values()) == len(KNOWN)
    assert "(erratum-y-e1)=" in pages["errata"] and r"1 \< 0" in pages["errata"]
    others = [{**ERRATUM, "id": "Y-E8", "kind": "criticism", "quoted": "new words", "at_hand": False}]
    page = theorems.errata_page([ERRATUM, *others])
    assert page.index("## Criticism") < page.index("### yang2019, criticism") < page.index("“new words”")
    assert "cannot be checked against it, only against the\npaper itself: Y-E8." in page
    assert all(f"({writing.work_label(key)})=" in pages["bibliography"] for key in bibliography.entries())


def test_a_summary_of_each_criterion() -> None:
    page = pages_of_criteria.summary_page()
    assert re.findall(r"^## `(.*)`$", page, re.M) == list(summaries.ROWS)
    assert "refuted: `order.entropy_flips_of_symmetric`" in page


def test_formulas_come_from_the_library() -> None:
    page = pages_of_criteria.formulas_page()
    assert "1 - p_{1}^{2} - p_{2}^{2} - p_{3}^{2}" in page  # Gini's impurity
    assert r"\frac{\left|{a d - b c}\right|}{2}" in page  # pairwise gain
    assert all(f"### `{name}`" in page for name in ("entropy", "matushita", "twoing"))


def test_every_exported_name_is_in_the_reference_with_a_line_that_links_to_it() -> None:
    pages = dict(reference.pages())
    for _, name, module in reference.subpackages():
        page = pages[f"api/{name}.rst"]
        for one in reference.exported(module):
            place = f"   * - :py:obj:`{one} <splitcrit.{name}.{one}>`\n     - "
            assert re.search(rf":: {one}$", page, re.M), f"{name}.{one}"
            assert re.search(re.escape(place) + r"\S", page), f"{name}.{one}"
        assert f":doc:`{name} <{name}>`\n     - {reference.first(module)}" in pages["api/index.rst"]
    assert "- Misclassification rate, ``1 - max_k p_k``: the share" in pages["api/impurities.rst"]
    assert not re.search(r" at 0x|- Return ", "".join(pages.values()))


def test_the_index_lists_by_task_what_splitcrit_exports() -> None:
    listed = {name.rpartition(".")[2] for names in reference.TASKS.values() for name in names.split()}
    assert set(splitcrit.__all__) - set(splitcrit._SUBPACKAGES) - listed <= {"__version__"}
    known = {f"{home}.{name}" for _, home, part in reference.subpackages() for name in reference.exported(part)}
    assert {name for names in reference.TASKS.values() for name in names.split()} <= known


def test_a_name_leads_to_one_place() -> None:
    places = reference.places()
    assert places["gini_pvalue"] == "splitcrit.nulls.gini_pvalue" and places["gce"] == "splitcrit.impurities.gce"
    assert not {"square", "names", "mean"} & places.keys()  # words that stand as code for other things
    called = extension.CALL.fullmatch("splitcrit.nulls.gini_pvalue(table, method='exact')")
    assert called is not None and called[1] == "gini_pvalue" and extension.CALL.fullmatch("tree.score") is None


def test_the_saved_model_of_the_audit_guide_is_the_one_that_its_code_trains() -> None:
    cells = re.findall(r"^```\{code-cell\}\n(.*?)^```$", (DOCS / "audit.md").read_text(), re.MULTILINE | re.DOTALL)
    (rows,), (training,) = ([cell for cell in cells if word in cell] for word in ("def tumours", "LGBMClassifier("))
    names: dict[str, object] = {}
    exec(rows + training.removeprefix(":tags: [skip-execution]\n").partition("model.booster_")[0], names)
    saved = lightgbm.Booster(model_file=str(DOCS / "models" / "tumours_lightgbm.txt"))
    new = names["new"]
    assert saved.predict(new) == pytest.approx(names["model"].booster_.predict(new), rel=1e-9)  # type: ignore[attr-defined]
