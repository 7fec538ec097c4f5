"""The proofs as they stand: everything settled, nothing left out, every page and fact drawn from what is settled."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from objects import CLASS_IMPURITIES, responses
from refusals import refused
from splitcrit import Impurity, decrease, gini, losses, sum_minority, twoing
from splitcrit.arith import FLOAT
from splitcrit.criteria import dkm, hellinger, one_vs_rest_pairwise_gain, pairwise_gain
from splitcrit.criteria.facts import concerns, facts, known
from splitcrit.frozen import complaint
from splitcrit.nulls import agini, significance
from splitcrit.proof import PROPERTIES, Fact, only
from splitcrit.proofs import bibliography, cache, catalogue, coverage, errata, properties, status, summaries
from splitcrit.proofs.field.skew import PAIRS
from splitcrit.proofs.ledger import Ledger, ledger
from splitcrit.proofs.null.best_cut import cut_sets
from splitcrit.proofs.symbols import SYMBOL, classes, counts, latex, symbol
from splitcrit.trees.scan.subsets import shortcut

ROOT = Path(__file__).parents[2]
PROOFS, PACKAGE = ROOT / "proofs", ROOT / "splitcrit"
FIVE = catalogue.PAPERS[:5]


@pytest.fixture(scope="module")
def property_page() -> str:
    """The page of properties, as it would be written now."""
    return properties.page(facts())


@pytest.fixture(scope="module")
def whole() -> Ledger:
    """The ledger of all proofs."""
    ids = dict.fromkeys([*errata.texts(), *catalogue.errata()])
    return ledger(list(catalogue.collect()), list(ids), cached=cache.trusted())


# Statements.


def test_every_theorem_is_settled(whole: Ledger) -> None:
    assert [entry.key for entry in whole.entries if not entry.settled] == []
    assert {entry.key for entry in whole.entries} == set(catalogue.collect())
    methods = {method for entry in whole.entries for method in entry.verdict.method.split(" + ")}
    assert methods == {"identity", "certificate", "smt", "exhaustive", "ball", "induction", "binomials", "zeilberger"}
    print(f"{len(whole.entries)} theorems in {sum(e.seconds for e in whole.entries):.1f} s of one core")


def test_every_erratum_is_refuted_as_printed_and_proved_as_corrected(whole: Ledger) -> None:
    assert {outcome.text.id: outcome.faults for outcome in whole.outcomes if outcome.faults} == {}
    assert whole.strays == ()
    assert whole.settled


def test_there_are_as_many_statements_as_the_papers_make() -> None:
    stated = Counter(catalogue.paper(theorem) for theorem in catalogue.collect().values())
    assert set(stated) == set(catalogue.PAPERS) and min(stated.values()) >= 10
    assert sum(stated.values()) > 100 and len(errata.texts()) >= 40
    assert {text.work for text in errata.texts().values()} == set(FIVE)


def test_no_module_of_the_proofs_is_left_out() -> None:
    collected, claimed = set(), set()
    for path in PROOFS.rglob("*.py"):
        collected |= stated(path, "THEOREMS")
        claimed |= stated(path, "ERRATA")
    assert collected == set(catalogue.collect()) and claimed == set(catalogue.errata())


def stated(path: Path, name: str) -> set[str]:
    """The keys or ids in a list of one module of the proofs."""
    from importlib import import_module

    if not re.search(rf"^{name}\b.* = ", path.read_text(), re.MULTILINE):
        return set()
    parts = path.relative_to(PROOFS).with_suffix("").parts
    module = import_module(".".join(["splitcrit.proofs", *(part for part in parts if part != "__init__")]))
    return {getattr(item, "key", None) or item.id for item in getattr(module, name)}


def test_keys_read_as_statements_and_sources_are_in_the_bibliography() -> None:
    for key, theorem in catalogue.collect().items():
        assert re.fullmatch(r"[a-z][a-z_0-9]*\.[a-z][a-z0-9]*(_[a-z0-9]+){2,}", key), key
        paper = catalogue.paper(theorem)
        assert paper == "beyond" or (theorem.paper == paper and paper in bibliography.entries()), key
    assert set(FIVE) <= set(bibliography.entries())


def test_every_near_miss_says_what_it_alters() -> None:
    for theorem in catalogue.collect().values():
        assert all(miss.says and miss.alters in ("hypothesis", "conclusion") for miss in theorem.fails), theorem.key
        assert len({miss.says for miss in theorem.fails}) == len(theorem.fails), theorem.key


def proved_lines(text: str) -> list[str]:
    """The keys that docstrings name in lines ``Proved: key, key``, which may run on."""
    found = re.findall(r"^ *Proved: ((?:[\w.]+,\s+)*[\w.]+)", text, re.MULTILINE)
    return [key.rstrip(".") for keys in found for key in re.split(r",\s+", keys)]


def test_keys_in_docstrings_are_theorems() -> None:
    assert proved_lines('    """Say.\n\n    Proved: a.one,\n    a.two, a.three.\n    """') == [
        "a.one",
        "a.two",
        "a.three",
    ]
    named = {path: proved_lines(path.read_text()) for path in PACKAGE.rglob("*.py")}
    unknown = [f"{path}: {key}" for path, keys in named.items() for key in keys if key not in catalogue.collect()]
    assert unknown == []


# What is drawn from the settled theorems.


def test_facts_are_those_of_a_fresh_run(whole: Ledger) -> None:
    written = json.loads((PACKAGE / "facts.json").read_text())
    assert written == summaries.facts(whole), "splitcrit verify --write-facts"
    assert written and all(fact["theorem"] in catalogue.collect() for fact in written)
    assert not any(fact["witness"] for fact in written if fact["verdict"] == "holds")
    assert not any(fact["witness"] for fact in written if fact["verdict"] == "bounded")
    assert any(fact["witness"] for fact in written)


def test_every_property_is_said_in_words_and_linked(property_page: str) -> None:
    assert list(properties.MEANINGS) == list(PROPERTIES)
    for name in PROPERTIES:
        assert property_page.count(f"[{name}](#{properties.anchor(name)})") == 2 and f"\n## {name}\n" in property_page


def test_the_table_has_a_row_for_everything_the_library_exports() -> None:
    names = list(summaries.rows())
    assert len(names) == len(summaries.ROWS)
    for name in names:
        assert summaries.row(name) in summaries.ROWS
    for fact in facts():
        assert summaries.row(fact["criterion"]) in summaries.ROWS
    with pytest.raises(ValueError, match="a fact must be about a criterion of the library; got decrease\\(ginny\\)"):
        summaries.row("decrease(ginny)")


def test_a_cell_has_a_key_or_is_empty(property_page: str) -> None:
    _, _, sections = property_page.partition(properties.CELLS)
    lines = [line for line in sections.splitlines() if line.startswith("| [`")]
    cells = [cell.strip() for line in lines for cell in re.split(r"(?<!\\)\|", line)[2:4]]
    assert any(cells) and not all(cells) and "the same" not in cells[::2]
    for cell in cells:
        if cell in ("", "the same"):  # as the cell beside it
            continue
        keys = re.findall(r"(?:holds|refuted|to N = \d+)[^`;]* `\[([\w.]+)\]`", cell)
        assert re.match(r"holds|refuted|to N = \d+", cell) and keys and set(keys) <= set(catalogue.collect()), cell


def test_what_holds_up_to_a_bound_is_shown_as_such_and_not_relied_on(whole: Ledger) -> None:
    scopes = {entry.key: entry.scope for entry in whole.entries}
    bounded = [fact for fact in facts() if fact["verdict"] == "bounded"]
    assert bounded and all(f"N <= {fact['bound']}" in scopes[fact["theorem"]] for fact in bounded)
    for fact in bounded:
        group = next(group for group in summaries.PAIR if concerns(fact["classes"], group))
        assert known(fact["criterion"], fact["property"], group) == "unknown"
        text = summaries.cell([fact], summaries.row(fact["criterion"]), fact["property"], group)
        assert text.startswith(f"to N = {fact['bound']} ") and "proved" not in text
    assert known(significance, "ordering shortcut", 2) == "unknown" and not shortcut(significance, 2)
    assert known(agini, "vertex-optimal split", 2) == "holds"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["holds"], "✓"),
        (["fails"], "✗"),
        (["bounded"], "≤"),
        (["fails", "bounded"], "✗"),
        (["holds", "fails"], "±"),
        ([], "·"),
    ],
)
def test_a_sign_says_what_is_known(said: list[str], expected: str) -> None:
    found: Any = [{"criterion": "gini", "classes": [2], "verdict": verdict} for verdict in said]
    assert summaries.sign(found, "2") == expected


def test_facts_are_settled_for_the_classes_they_are_about() -> None:
    """A property that holds of all is one of the classes that its theorem is settled for; a witness has its own."""
    silent = [theorem for theorem in catalogue.collect().values() if theorem.settled_for["K"] is None]
    unsaid = [(theorem.key, fact.criterion) for theorem in silent for fact in theorem.facts if not fact.by_example]
    assert unsaid == [], 'these say no numbers of classes: Each("K", (2,), ...), or a premise that widens'


def test_a_fact_beyond_its_theorem_is_refused() -> None:
    theorem = replace(catalogue.collect()["gain.score_sees_no_empty_class"], premises=())
    classes = only(2, 3), "all", only(3, 4), only(5)
    fits, short, beyond, none = (Fact("twoing", "concave", those, True) for those in classes)
    assert [summaries.settled_classes(theorem, fact, []) for fact in (fits, short)] == [only(2, 3), only(2, 3)]
    for fact in (beyond, none):
        refused(r"gain\.score_sees.* must settle a fact for all classes", summaries.settled_classes, theorem, fact, [])
    swap = Fact("twoing", "keeps order under pair-flip noise", ">2", False)
    assert summaries.settled_classes(theorem, swap, [[[1, 0, 2, 0], [0, 1, 0, 0]]] * 2) == only(4)


def test_both_shortcuts_have_a_verdict_for_every_criterion_and_number_of_classes() -> None:
    unsaid = [
        (name, property, classes)
        for property in ("ordering shortcut", "vertex-optimal split")
        for name in summaries.ROWS
        for classes in ("2", ">2")
        if not summaries.cell(facts(), name, property, classes)
    ]
    of_two = {repr(c) for c in (pairwise_gain, hellinger, dkm) if c.classes == 2}
    assert {name for name, _, classes in unsaid if classes == ">2"} == of_two and len(of_two) == 3
    assert {classes for _, _, classes in unsaid} == {">2"}


def test_a_bound_is_one_of_what_holds() -> None:
    assert Fact("sgini", "vertex-optimal split", "2", True, 8).bound == 8
    with pytest.raises(ValueError, match="only a fact that holds may have a bound, a number of examples"):
        Fact("sgini", "vertex-optimal split", "2", False, 8)


@pytest.mark.parametrize("paper", catalogue.PAPERS)
def test_every_numbered_statement_is_accounted_for(paper: str) -> None:
    items = coverage.items(paper)
    assert len(items) >= 10
    claims = {**catalogue.collect(), **catalogue.errata()}
    assert [key for item in items for key in item.keys if key not in claims] == []
    assert len({item.place for item in items}) == len(items)


def test_coverage_names_what_rocq_settles_for_all_sizes() -> None:
    listed = tomllib.loads((PROOFS / "rocq" / "theorems.toml").read_text())["theorem"]
    in_rocq = {key for theorem in listed for key in theorem.get("keys", ())}
    lines = [line for line in coverage.page().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    found = {(place, settled): rocq for place, settled, _, rocq, _ in cells if settled}
    for (place, settled), rocq in found.items():
        keys = re.findall(r"`([^`]+)`", settled)
        named = keys if rocq == "all" else re.findall(r"`([^`]+)`", rocq)
        assert named == [key for key in keys if key in in_rocq], place
    rocq_of = {place: rocq for (place, _), rocq in found.items()}
    assert rocq_of["Table I, sum minority and 0-1 loss"] == rocq_of["eq. (17)"] == "all"
    assert rocq_of["eqs. (21), (22)"] == "all" and rocq_of["eq. (30)"] == ""


@pytest.mark.parametrize(
    ("paper", "place", "key"),
    [
        ("ghosh2017", "Lemma 8", "noise.gini_gain_rescales_of_pair_flip_of_three_classes"),  # of another paper
        ("ghosh2017", "Lemma 8", "noise.margins_rescale_of_uniform"),  # Theorem 5 (a) of it
        ("wang2024", "eq. (24)", "null.gini_mean_of_permutation"),
        ("yang2019", "Table I, DKM and exponential loss", "noise.determinant_expands_of_class_conditional"),
        ("beyond", "Hinge loss", "vertex.best_split_of_concave_impurity"),
    ],
)
def test_a_key_of_the_coverage_is_stated_at_its_place(paper: str, place: str, key: str) -> None:
    item = coverage.Item(place, (key,))
    assert coverage.misplaced(paper, item) == [key]
    assert coverage.misplaced(paper, replace(item, elsewhere=(key,))) == []


def test_what_is_from_elsewhere_is(monkeypatch: pytest.MonkeyPatch) -> None:
    here = coverage.Item("Lemma 7", ("noise.split_order_is_kept_with_high_probability",))
    own = next(item for item in coverage.items("ghosh2017") if item.place == "Theorem 3, Gini")
    key = next(key for key in own.keys if key not in own.elsewhere)
    assert coverage.misplaced("ghosh2017", replace(own, elsewhere=(*own.elsewhere, key))) == [key]
    monkeypatch.setattr(coverage, "items", lambda paper: (here,) if paper == "wang2024" else ())
    refused(r"a key must be stated at its place in the paper.*noise\.split_order.* in Lemma 7", coverage.page)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Theorem 1 (d)", {("Theorem", "1"), ("Theorem", "d")}),
        ("eqs. (19)-(21)", {("eq.", "19"), ("eq.", "20"), ("eq.", "21")}),
        ("eqs. (5) to (7) and Section VI-B", {("eq.", "5"), ("eq.", "6"), ("eq.", "7"), ("Section", "VI-B")}),
        ("eq. (2.2), Fig. 3 f", {("eq.", "2.2"), ("Figure", "3")}),
        ("new, from the proof", set()),
    ],
)
def test_places_are_read(text: str, places: set[tuple[str, str]]) -> None:
    assert coverage.places(text) == places


def test_a_line_of_the_coverage_is_weaker_than_print_only_while_it_is() -> None:
    three = coverage.Item("eq. (1)", ("impurity.gce_is_exponential_of_renyi_entropy",), printed=("K",))
    assert coverage.settled_for(three).endswith("; printed for all K")
    with pytest.raises(ValueError, match=r"weaker than the paper; got all N settled in eq\. \(1\)"):
        coverage.settled_for(replace(three, printed=("N",)))


# How a command ends: the exit status of each kind of trouble, and one printable line that says what it is.


def raising(error: BaseException) -> Callable[[], int]:
    def command() -> int:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "extras", "code", "said"),
    [
        (ValueError("no\nway\x1b"), "", 2, r"no\nway\x1b"),
        (KeyError("no such key"), "", 2, "no such key"),
        (FileNotFoundError(2, "gone", "x"), "", 2, "files must exist and be accessible; got x: gone; check the path"),
        (OSError("no sentence"), "", 2, "no sentence"),
        (TypeError(complaint("a rule", "value", "remedy")), "", 2, "a rule; got value; remedy"),
        (KeyboardInterrupt(), "", 130, "interrupted"),
        (MemoryError("array"), "", 2, "what a command reads must fit into memory; got more; pass less, or check that"),
        (ValueError("a" * 10**6), "", 2, "a" * 900),
        (
            ModuleNotFoundError("No module named 'x'", name="x"), "trees", 3,
            "this command needs the extra 'trees'; got no module x; pip install 'splitcrit[trees]'",
        ),
        (
            ModuleNotFoundError("No module named 'x'", name="x"), "proofs,cli", 3,
            "this command needs the extras 'proofs' and 'cli'; got no module x; pip install 'splitcrit[proofs,cli]'",
        ),
        (ModuleNotFoundError("said; pip install 'splitcrit[tables]'", name="x"), "", 3, "said; pip install 'splitcrit"),
    ],
)  # fmt: skip
def test_trouble_is_one_line_and_a_status(capsys, error: BaseException, extras: str, code: int, said: str) -> None:
    assert status.attempt(raising(error), extras) == code
    printed = capsys.readouterr()
    assert printed.err.startswith(f"splitcrit: {said}") and printed.err.count("\n") == 1 and printed.out == ""
    assert printed.err[:-1].isprintable() and len(printed.err) < 2100


@pytest.mark.parametrize(
    "error", [TypeError("a mistake of ours"), ModuleNotFoundError("No module named 'y'", name="y")]
)
def test_mistakes_of_the_library_stay_errors(error: Exception) -> None:
    with pytest.raises(type(error)):
        status.attempt(raising(error))


def test_the_page_lists_the_statuses() -> None:
    page = Path(__file__).parents[2] / "docs" / "command-line.md"
    listed = dict(re.findall(r"^\| (\d+) \| (.*) \|$", page.read_text(encoding="utf-8"), re.MULTILINE))
    meant = {status.FINE: "success", status.WRONG: "problem", status.MISTAKE: "error", status.MISSING: "extra"}
    assert {int(code) for code in listed} == {*meant, 130, 141}
    assert all(word in listed[str(code)] for code, word in meant.items())


@pytest.mark.parametrize("code", [status.FINE, status.WRONG])
def test_the_status_of_a_command_is_handed_on(code: int) -> None:
    assert status.attempt(lambda: code) == code


# What enumerations of the proofs go through, counted apart.


def test_every_set_of_cuts_is_there() -> None:
    assert list(cut_sets(3)) == [(2, (1,)), (3, (1,)), (3, (2,)), (3, (1, 2))]
    assert len(list(cut_sets(6))) == sum(2 ** (n - 1) - 1 for n in range(2, 7))


def test_pairs_of_splits_are_counted_once_with_their_mirrors() -> None:
    """Divisions of both classes in two, as sets of two sides; scores by their own formulas, 1e-9 apart at least."""

    def rises(sides: frozenset[tuple[int, int]], n: int) -> tuple[float, float]:
        both = [*sides, *sides][:2]  # equal sides are one member
        gini, bits = 0.0, 0.0
        for a, b in both:
            gini -= 2 * a * b / (a + b) / n
            bits += sum(x * log2(x / (a + b)) for x in (a, b) if x) / n
        return gini, bits

    for n in (7, 8):
        opposite = every = 0
        for k in range(1, n):
            all_of = product(range(n - k + 1), range(k + 1))
            splits = {frozenset({(a, b), (n - k - a, k - b)}) for a, b in all_of if 0 < a + b < n}
            for one, other in combinations([rises(sides, n) for sides in splits], 2):
                every += 1
                apart = [x - y for x, y in zip(one, other, strict=True)]
                opposite += min(map(abs, apart)) > 1e-9 and apart[0] * apart[1] < 0
        assert (opposite, every) == PAIRS[n]


# The SYMBOL arithmetic says of symbols what the others say of numbers.

POINT = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
TABLE = ((3, 1), (2, 5))


@pytest.mark.parametrize("impurity", [*CLASS_IMPURITIES, *responses(3)], ids=str)
def test_an_impurity_of_symbols_has_the_value_of_the_formula(impurity: Impurity) -> None:
    p = classes(3)
    values = dict(zip(map(SYMBOL.read, p), map(SYMBOL.read, POINT), strict=True))
    found = float(SYMBOL.read(impurity.of(p, SYMBOL)).subs(values))
    assert found == pytest.approx(float(impurity([float(x) for x in POINT])), rel=1e-12)


@pytest.mark.parametrize(
    "criterion", [decrease(gini), twoing, pairwise_gain, one_vs_rest_pairwise_gain, sum_minority], ids=str
)
def test_a_criterion_of_symbols_has_the_exact_value_of_the_formula(criterion) -> None:  # type: ignore[no-untyped-def]
    t = counts()
    values = dict(zip((SYMBOL.read(x) for row in t for x in row), np.ravel(TABLE).tolist(), strict=True))
    exact = criterion.exact(TABLE)
    assert SYMBOL.read(criterion.score(t, SYMBOL)).subs(values) == sympy.Rational(exact.numerator, exact.denominator)


@pytest.mark.parametrize("loss", [losses.exponential, losses.hinge, losses.ramp, losses.sigmoid, losses.logistic])
def test_a_loss_of_symbols_has_the_value_of_the_formula(loss: losses.Loss) -> None:
    w = symbol("w", real=True)
    for k in (0, 1):
        shown = SYMBOL.read(loss.at(w, k, SYMBOL))
        found = [float(shown.subs(SYMBOL.read(w), x)) for x in (-2, Fraction(1, 3), 3)]
        assert found == pytest.approx([float(loss.at(x, k, FLOAT)) for x in np.array([-2, 1 / 3, 3])])


def test_two_classes_are_written_in_one_letter() -> None:
    assert (sum(classes(2)) == 1) is True
    assert latex(pairwise_gain.score(counts(), SYMBOL)) == r"\frac{\left|{a d - b c}\right|}{2}"
    assert latex(SYMBOL.number(0.3)) == r"\frac{3}{10}"


def test_a_formula_is_shown_without_the_cases_of_empty_classes() -> None:
    loss = losses.Loss(
        "twice",
        lambda w, k, m: (2 - k) * sum((w[j] - int(j == k)) ** 2 for j in range(2)),
        lambda p, m: [2 * p[0] / (2 * p[0] + p[1]), p[1] / (2 * p[0] + p[1])],
    )
    shown = SYMBOL.read(Impurity.from_loss(loss).of(classes(2), SYMBOL))
    assert not shown.has(sympy.Piecewise)
    assert latex(sympy.factor(shown)) == r"\frac{4 p \left(-1 + p\right)}{-2 + p}"
