"""The documentation: links lead somewhere, keys name theorems, and what is generated says what the objects say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the pages are read by extensions of Sphinx")

from docutils import nodes

import splitcrit
from splitcrit.proofs import bibliography, catalogue, latex, summaries

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

import criteria as pages_of_criteria  # noqa: E402
import gallery  # noqa: E402
import generated as extension  # noqa: E402
import inventories  # noqa: E402
import reference  # noqa: E402
import theorems  # noqa: E402
import violations  # noqa: E402
import writing  # noqa: E402

PAGES = [p for p in sorted(DOCS.rglob("*.md")) if p.relative_to(DOCS).parts[0] not in {"_build", "_ext", "generated"}]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
TREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
AREAS = {key.partition(".")[0] for key in catalogue.collect()}
KEY = re.compile(rf"`((?:{'|'.join(sorted(AREAS))})\.\w*_\w+)`")

ENTRY = {
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


def made() -> set[str]:
    """The names of the pages that the build writes."""
    ledger = {"theorems": [{**ENTRY, "key": key} for key in catalogue.collect()], "errata": [ERRATUM]}
    found = {f"{name}.md" for name, _ in theorems.pages(ledger, {})} | {name for name, _ in reference.pages()}
    notebooks = {f"notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    return {
        f"generated/{name}" for name in found | notebooks | {"criteria.md", "formulas.md", "kernel.md", "violations.md"}
    }


@pytest.fixture(scope="module")
def generated() -> set[str]:
    return made()


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_links_lead_somewhere(page: Path, generated: set[str]) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            here = (page.parent / target).resolve()
            assert here.exists() or here.relative_to(DOCS).as_posix() in generated, target


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_keys_name_theorems(page: Path) -> None:
    known = catalogue.collect().keys() | {"conservative.py"}
    assert [key for key in KEY.findall(page.read_text(encoding="utf-8")) if key not in known] == []


def test_every_page_stands_in_a_tree(generated: set[str]) -> None:
    listed = {"index"}
    for page in PAGES:
        for tree in TREE.findall(page.read_text(encoding="utf-8")):
            listed |= {line for line in tree.split("\n") if line and not line.startswith(":")}
    assert [p for p in PAGES if ids(p)[:-3] not in listed and "reproductions/" not in ids(p)] == []
    reached = {name.rpartition(".")[0] for name in generated}
    assert {name for name in listed if name.startswith("generated/") and "*" not in name} <= reached


GUIDES = [
    *re.findall(r"^[\w-]+$", TREE.findall((DOCS / "how-to.md").read_text(encoding="utf-8"))[0], re.M),
    "choosing-a-criterion", "which-column", "categories", "distributed",
]  # fmt: skip


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_has_a_case_a_baseline_a_picture_and_what_can_go_wrong(name: str) -> None:
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert len(GUIDES) > 12 and re.search(r"^## One case: ", text, re.M) and "\n## What can go wrong\n" in text
    assert re.search(r"\bWithout it\b|\bbaselines?\b", text) and ("](figures/" in text or "    alt: " in text)


# What is generated.


@pytest.mark.parametrize("words", ["a*b*c_d_", "|x| <= [y](z) `k` $n$ \\ #", "1. 2) - + ~ {a} ^"])
def test_text_stays_text(words: str) -> None:
    parser = pytest.importorskip("markdown_it", reason="pages are written in Markdown").MarkdownIt("commonmark")
    (inline,) = [token for token in parser.parse(writing.text(words)) if token.type == "inline"]
    assert "".join(child.content for child in inline.children or ()) == words
    assert {child.type for child in inline.children or ()} <= {"text", "text_special"}


@pytest.mark.parametrize("words", ["a", "`a`", "a ``b`` c"])
def test_code_stays_code(words: str) -> None:
    parser = pytest.importorskip("markdown_it", reason="pages are written in Markdown").MarkdownIt("commonmark")
    (inline,) = [token for token in parser.parse(writing.code(words)) if token.type == "inline"]
    assert [(child.type, child.content) for child in inline.children or ()] == [("code_inline", words)]


def test_a_theorem_is_told_in_full() -> None:
    known = catalogue.collect()[ENTRY["key"]]
    told = theorems.theorem(known, ENTRY, [latex.Shown("x = y", ("0 < x", "x < 1"), "K = 2")])
    assert theorems.sentence(known.statement) in told and writing.prose(known.scope_words) in told
    assert (
        "**Settled** by identity" in told
        and ":Rests on: algebra" in told
        and "a · b" in told
        and "*Refuted* by `` a = `1` ``" in told
    )
    assert r"\text{K = 2:}\quad x = y\qquad (0 < x, x < 1)" in told


def test_every_theorem_and_erratum_has_its_place() -> None:
    ledger = {"theorems": [{**ENTRY, "key": key} for key in catalogue.collect()], "errata": [ERRATUM]}
    pages = dict(theorems.pages(ledger, {}))
    assert sum(page.count(f"({writing.theorem_label('')}") for page in pages.values()) == len(catalogue.collect())
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


def test_every_exported_name_is_in_the_reference() -> None:
    pages = dict(reference.pages())
    for _, name, module in reference.subpackages():
        for one in reference.exported(module):
            assert re.search(rf":: {one}$", pages[f"api/{name}.rst"], re.M), f"{name}.{one}"


def test_every_name_has_a_line_that_links_to_its_place() -> None:
    pages = dict(reference.pages())
    for _, name, module in reference.subpackages():
        for one in reference.exported(module):
            place = f"   * - :py:obj:`{one} <splitcrit.{name}.{one}>`\n     - "
            assert re.search(re.escape(place) + r"\S", pages[f"api/{name}.rst"]), f"{name}.{one}"
        assert f":doc:`{name} <{name}>`\n     - {reference.first(module)}" in pages["api/index.rst"]
    assert "- Misclassification rate, ``1 - max_k p_k``: the share" in pages["api/impurities.rst"]
    assert not re.search(r" at 0x|- Return ", "".join(pages.values()))


def test_the_index_lists_by_task_what_splitcrit_exports() -> None:
    listed = {name.rpartition(".")[2] for names in reference.TASKS.values() for name in names.split()}
    assert set(splitcrit.__all__) - set(splitcrit._SUBPACKAGES) - listed <= {"__version__"}
    known = {f"{home}.{name}" for _, home, part in reference.subpackages() for name in reference.exported(part)}
    assert {name for names in reference.TASKS.values() for name in names.split()} <= known


def test_every_criterion_and_impurity_says_what_it_is_for() -> None:
    for home in ("impurities", "criteria", "nulls"):
        module = reference.import_module(f"splitcrit.{home}")
        for name in reference.exported(module):
            if type(getattr(module, name)).__name__ in ("Impurity", "Criterion"):
                told = reference.comment(home, name)
                assert "``" in told.partition("\n\n")[0] or name == "max_selected", name  # the formula first
                assert re.search(r"References:\s`", told) and "\n\n" in told, name
                assert ">>> round(" in "\n".join(reference.directive(home, name, getattr(module, name))), name


def test_descriptions_have_no_types_that_say_nothing() -> None:
    told = {
        "param x": "one",
        "type x": "Any",
        "type y": "~typing.Any",
        "type z": "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~typing.Any]]",
        "returns": "",
        "rtype": "int",
    }
    fields = [nodes.field("", nodes.field_name("", k), nodes.field_body("", nodes.Text(v))) for k, v in told.items()]
    content = nodes.container("", nodes.field_list("", *fields))
    extension.plain_types(None, "py", "function", content)  # type: ignore[arg-type]
    assert [field[0].astext() for field in content.findall(nodes.field)] == ["param x", "type z", "returns"]
    assert fields[3][1].astext() == "array"
    lines = ["no weights.", "", ":type: Whether counts are scored", ""]  # as napoleon leaves "Whether ...: no weights."
    extension.whole_sentence(None, "property", "counting", None, None, lines)  # type: ignore[arg-type]
    assert lines == ["Whether counts are scored: no weights.", "", ""]


def test_a_name_leads_to_one_place() -> None:
    places = reference.places()
    assert places["gini_pvalue"] == "splitcrit.nulls.gini_pvalue" and places["gce"] == "splitcrit.impurities.gce"
    assert not {"square", "names", "mean"} & places.keys()  # words that stand as code for other things
    called = extension.CALL.fullmatch("splitcrit.nulls.gini_pvalue(table, method='exact')")
    assert called is not None and called[1] == "gini_pvalue" and extension.CALL.fullmatch("tree.score") is None


def test_every_picture_of_the_gallery_has_its_thumbnail() -> None:
    page = (DOCS / "pictures.md").read_text(encoding="utf-8")
    found = gallery.entries(page)
    assert "```{gallery}\n```" in page and len(found) == page.count("![")
    assert all(f"## {entry.title}\n" in page and (DOCS / entry.picture).is_file() for entry in found)


def test_search_knows_the_pages_that_it_puts_behind(generated: set[str]) -> None:
    named = re.findall(r'(?:=== |startsWith\()"([^"]+)"', (DOCS / "_ext" / "search.js").read_text(encoding="utf-8"))
    pages = {name.rpartition(".")[0] for name in generated | {ids(page) for page in PAGES}}
    assert "generated/theorems/" in named
    assert [name for name in named if not any(page.startswith(name) for page in pages)] == []


def test_search_puts_pages_first_whose_titles_hold_the_words() -> None:
    node = shutil.which("node") or pytest.skip("needs node")
    found = [
        ["a", "Label noise: which criterion?"],
        ["b", "How noise flips a leaf"],
        ["c", "Forests"],
        ["d", "Forests > Label noise"],
    ]
    script = f"""
    globalThis.window = {{ location: {{ search: "?q=label+noise" }} }};
    globalThis.Stemmer = class {{ stemWord(word) {{ return word; }} }};
    require("vm").runInThisContext({json.dumps((DOCS / "_ext" / "search.js").read_text(encoding="utf-8"))});
    const scores = {json.dumps(found)}.map(([page, title]) => Scorer.score([page, title, "", null, 25, "", ""]));
    console.log(JSON.stringify(scores));
    """
    told = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == [45, 40, 35, 35]


def test_a_notebook_can_be_downloaded_from_its_page() -> None:
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        held, kept = (json.loads(text) for text in (extension.with_download(path), path.read_text(encoding="utf-8")))
        title, link, *_ = held["cells"][0]["source"].split("\n\n")
        assert title.startswith("# ") and link == f"{{download}}`Download this notebook </../notebooks/{path.name}>`"
        assert held["cells"][1:] == kept["cells"][1:]


def test_violations_are_counted(tmp_path: Path) -> None:
    sizes = dict(violations.long_modules())
    name, size = max(sizes.items(), key=lambda item: item[1])
    assert size == len((ROOT / name).read_text().splitlines()) > violations.MODULE
    assert all(lines > violations.FUNCTION for _, _, lines in violations.long_functions())
    assert f"| `{name}` | {size} |" in violations.page()


def test_without_a_network_no_inventory_is_asked_for_twice(tmp_path: Path) -> None:
    (tmp_path / "kept.inv").write_bytes(b"# Sphinx inventory version 2\n")
    urls = {"kept": "http://localhost:1/", "gone": "http://localhost:1/"}
    assert inventories.reachable(urls, tmp_path) == {"kept": ("http://localhost:1/", str(tmp_path / "kept.inv"))}


def test_the_saved_model_of_the_audit_guide_is_the_one_that_its_code_trains() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    cells = re.findall(r"^```\{code-cell\}\n(.*?)^```$", (DOCS / "audit.md").read_text(), re.MULTILINE | re.DOTALL)
    (rows,), (training,) = ([cell for cell in cells if word in cell] for word in ("def tumours", "LGBMClassifier("))
    names: dict[str, object] = {}
    exec(rows + training.removeprefix(":tags: [skip-execution]\n").partition("model.booster_")[0], names)
    saved = lightgbm.Booster(model_file=str(DOCS / "models" / "tumours_lightgbm.txt"))
    new = names["new"]
    assert saved.predict(new) == pytest.approx(names["model"].booster_.predict(new), rel=1e-9)  # type: ignore[attr-defined]
