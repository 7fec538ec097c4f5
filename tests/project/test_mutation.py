"""The driver of mutation tests: what it changes, what it leaves alone, that it resumes and that a weak test is seen."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

from tiers import representatives
from tools.mutation import judging, sampling
from tools.mutation.judging import Judgement, Tree, judge
from tools.mutation.operators import Mutant, mutants
from tools.mutation.results import Results, explanations

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "mutation"


# What the last line of a module may become, each way behind a bar.
LINES = """
x = a < b | x = a <= b
x = a < b <= c | x = a <= b <= c | x = a < b < c
x = (a) + (b) | x = (a) - (b) | x = (a)
x = a * b / c | x = a / b / c | x = a * b * c | x = (a * b) | x = (a) / c
x = -a**b | x = a**b | x = -((a) * (b))
x += y | x -= y | pass | x = y
x = 1e150 | x = 2e+150
x = True | x = False
x = a and b or c | x = a and b and c | x = a or b or c | x = ((a and b)) | x = ((a)) or c | x = ((b)) or c | x = ((c))
x = not a | x =  a
x = [i for i in a if b] | x = [i for i in a if not (b)] | x = [i for i in a if True]
x = m.max(a) | x = m.min(a)
raise ValueError(1 + 1) | pass
γ = α + 'α' | γ = α - 'α' | γ = (α)
x = f(a, b, c) | x = f(b, a, c) | x = f(a, c, b)
x = f(a=b, c=d) | x = f(a=d, c=b) | x = f( c=d) | x = f(a=b)
x = f('two words')
x = a == 'largest' | x = a != 'largest' | x = a == 'largest_'
x = sorted(a, key=b) | x = sorted([*(a)][::-1], key=b) | x = sorted(a) | x = (a)
for i in a: f(i) | for i in [*(a)][:1]: f(i) | for i in a: pass
x = range(a, n) | x = range((a) + 1, n) | x = range(a, (n) - 1) | x = range(n, a)
x = np.minimum(a, b) | x = (a) | x = np.maximum(a, b)
x = np.random.default_rng(a) | x = np.random.default_rng(0)
x = np.searchsorted(a, b) | x = np.searchsorted(a, b, side='right') | x = np.searchsorted(b, a)
"""
SIDES = {
    "left, x = a, right_sum - left_sum",
    "left, x = a, left_sum + left_sum",
    "left, x = a, right_sum + right_sum",
    "left, x = a, (right_sum)",
}
BECOMES = {each[0]: {*each[1:]} for line in LINES.strip().splitlines() for each in [line.split(" | ")]}
BECOMES |= {
    "x = (a  # + b\n    + c)": {"- c)", "x = ((a))"},
    "left, x = a, right_sum + left_sum": SIDES,
    "def f(a):\n    return a": {"return None"},
    "def f(a):\n    return None": set(),
    "def f(a):\n    return a, b": {"return None", "return b, a"},
}
ALONE = (
    "T = A | B[c]",
    '"""Of 1 + 1."""', "x: Callable[[int], 1 + 1]", "def f(a: 1 + 1) -> 1 + 1: ...", "@cache(1 + 1)\ndef f(): ...",
    "class A:\n    def __repr__(self):\n        return 1 + 1", "assert 1 + 1", "if TYPE_CHECKING:\n    x = 1 + 1",
    "x = f'{1 + 1}'", "x = zip(a, b, strict=True)", "x = complaint('a', 1 + 1, 'b')",
)  # fmt: skip


def changes(source: str, path: str = "splitcrit/a.py") -> set[str]:
    """What the last line of a module may become."""
    return {text.splitlines()[-1].strip() for text in whole(source, path)}


def whole(source: str, path: str = "splitcrit/a.py") -> set[str]:
    """What a module may become."""
    return {mutant.applied(source.encode()).decode() for mutant in mutants(source.encode(), path)}


def test_what_a_line_may_become() -> None:
    assert {line: changes(line) for line in BECOMES} == BECOMES


def test_what_is_left_alone() -> None:
    assert {source: changes(source) for source in ALONE} == {source: set() for source in ALONE}
    for source in ("x = f(linewidth=1 + 1)", "x = {'markersize': 3}", "WIDTHS = (4.0, 3.0)"):  # looks, in pictures only
        assert changes(source, "splitcrit/plots/a.py") == set() != changes(source)


def test_a_guard_may_be_left_out() -> None:
    assert "def f(a):\n    pass\n    return a" in whole("def f(a):\n    if a:\n        raise ValueError\n    return a")
    assert "for a in b:\n    pass\n    g()" in whole("for a in b:\n    if a:\n        h()\n        continue\n    g()")
    assert not any("pass\n    return a" in text for text in whole("def f(a):\n    if a:\n        a = 1\n    return a"))


@pytest.mark.parametrize("path", ["splitcrit/nulls/scan.py", "splitcrit/frozen.py"])
def test_every_mutant_of_a_module_parses_differs_and_has_a_name_of_its_own(path: str) -> None:
    source = (ROOT / path).read_bytes()
    found = mutants(source, path)
    plain = ast.dump(ast.parse(source))
    assert len({mutant.name for mutant in found}) == len(found) > 10
    assert all(ast.dump(ast.parse(mutant.applied(source))) != plain for mutant in found)


def test_every_area_has_tests_of_its_own_and_gets_its_share() -> None:
    found = sampling.areas(ROOT)
    assert {area.name for area in found} >= {"nulls", "trees", "proofs", sampling.TOP}
    assert [area.name for area in found if not area.tests or not area.modules] == []
    assert sampling.shares({"a": 90, "b": 9, "c": 1}, 40, 5) == {"a": 30, "b": 5, "c": 5}


def package(root: Path, module: str, test: str) -> Mutant:
    """A tree with one subpackage of one module and one file of tests; the first mutant of the module."""
    for path, text in {
        "splitcrit/__init__.py": "", "splitcrit/sums/__init__.py": "", "splitcrit/sums/add.py": module,
        "tests/sums/test_add.py": test, "pyproject.toml": "[tool.pytest]\npythonpath = ['.']\n",
    }.items():  # fmt: skip
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return next(
        iter(mutants(module.encode(), "splitcrit/sums/add.py")), Mutant("", "", "", "", "", 0, (1, 1), (0, 0, b""))
    )


SUM = "def add(a, b):\n    return a + b\n"
TESTED = "from splitcrit.sums.add import add\ndef test_add():\n    assert add({}, {}) == {}\n"


LOOP = "def add(a, b):\n    while a + b > 1:\n        a, b = a - 1, 0\n    return 2\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "changed", "call", "outcome", "how"),
    [
        (SUM, "a - b", "add(2, 0) == 2 or (0)", "survived", ""),
        (SUM, "a - b", "add(2, 1) == 3 or (0)", "own", "failed"),
        ("X = {0: 1}[0]\n" + SUM, "{1: 1}", "add(2, 0) == 2 or (0)", "own", "import"),
        (LOOP, "a, b = a + 1, 0", "add(1, 1) == 2 or (0)", "own", "time"),
    ],
)
def test_a_weak_test_leaves_a_survivor_and_a_strong_one_does_not(
    module: str, changed: str, call: str, outcome: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "START", "spawn")  # another test's server of processes may hold the package
    package(tmp_path / "tree", module, f"from splitcrit.sums.add import add\ndef test_add():\n    assert {call}\n")
    every = mutants(module.encode(), "splitcrit/sums/add.py")
    (mutant,) = [found for found in every if changed in found.becomes]
    names = ["tests/sums/test_add.py::test_add"]
    found = judge(mutant, Tree(tmp_path / "tree"), (names, {names[0]: -1.8}), ([], {}))
    assert (found.outcome, found.how) == (outcome, how)
    assert found.by == {"survived": "", "import": "(before the first)"}.get(how or outcome, names[0])
    assert (tmp_path / "tree" / mutant.path).read_text() == module


def test_what_is_known_holds_while_the_module_does_and_survivors_while_their_tests_do(tmp_path: Path) -> None:
    mutant = package(tmp_path, SUM, TESTED)
    path = tmp_path / "results.jsonl"
    killed, survived = Judgement("own", "a test", "failed", 1.0), Judgement("survived", seconds=1.0)
    Results(tmp_path, path).keep(mutant, "old", killed)
    assert Results(tmp_path, path).find(mutant, "new") == killed
    Results(tmp_path, path).keep(mutant, "old", survived)
    assert Results(tmp_path, path).find(mutant, "old") == survived
    assert Results(tmp_path, path).find(mutant, "new") is None
    with path.open("a") as out:
        out.write('{"mutant": "cut sho')
    assert Results(tmp_path, path).find(mutant, "old") == survived
    (tmp_path / mutant.path).write_text("X = 1\n" + SUM)
    assert Results(tmp_path, path).find(mutant, "old") is None


def test_every_explanation_is_about_a_mutant_there_is(tmp_path: Path) -> None:
    found = explanations(TOOL / "explained.toml")
    every = {path: mutants((ROOT / path).read_bytes(), path) for path in {e.file for e in found}}
    assert [e for e in found if not any(e.fits(mutant) for mutant in every[e.file])] == []
    assert len(set(found)) == len(found)
    (tmp_path / "explained.toml").write_text(
        '[[mutant]]\nfile = "a"\nfunction = "f"\nwas = "a"\nbecomes = "b"\nkind = "fine"\nwhy = "so"\n'
    )
    with pytest.raises(ValueError, match="is of a kind"):
        explanations(tmp_path / "explained.toml")


# Which cases `make test` keeps of a grid.


@pytest.mark.parametrize("sizes", [(4,), (3, 3), (2, 5, 3), (7, 1, 2)])
def test_every_value_of_every_parameter_stays(sizes: tuple[int, ...]) -> None:
    cases = [dict(zip("xyz", case, strict=False)) for case in itertools.product(*map(range, sizes))]
    kept = [cases[i] for i in representatives(cases)]
    assert {pair for case in kept for pair in case.items()} == {pair for case in cases for pair in case.items()}
    assert len(kept) == max(sizes)


@pytest.mark.each_value
@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize("y", [0, 1])
def test_of_a_marked_test_the_other_cases_are_slow(x: int, y: int, request: pytest.FixtureRequest) -> None:
    assert ("slow" in request.keywords) == (x != y)
