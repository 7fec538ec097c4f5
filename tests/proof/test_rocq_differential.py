"""Rocq itself evaluates what is printed: at random inputs it finds what the library's functions give for Fractions.

See ``rocq_goals`` for what connects a computation with the definition that theorems are about. Whether the test can
fail is tested too: a printer that says something else is refused by the kernel where only the list form is wrong, and
by the goals where both forms are.
"""

import fcntl
import os
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import rocq_goals
from rocq_goals import inputs
from splitcrit.arith.tracing import Node
from splitcrit.proofs.rocq import check, generate
from splitcrit.proofs.rocq.definitions import Definition

EACH = 12 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 3  # goals of each definition
APART = {
    "py_one_vs_rest_exponential",  # no rational function stands for exp
    "py_third_moment_of_arrays",  # it passes printed families on; each of its parts is compared
}
needs_coqc = pytest.mark.skipif(check.missing() is not None, reason=str(check.missing()))


def compared() -> list[Definition]:
    """The definitions that Rocq evaluates."""
    return [definition for definition in generate.definitions() if definition.name not in APART]


@pytest.fixture(scope="module")
def proofs() -> Path:
    """The folder of proofs, with what the goals need compiled."""
    with (check.FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        files = [f"{name}.vo" for name in ("defs", "risk", "generated", "rational")]
        subprocess.run(["make", "-s", "--no-print-directory", "-C", str(check.FOLDER), *files], check=True)
    return check.FOLDER


@needs_coqc
@pytest.mark.slow
def test_rocq_computes_what_python_computes(proofs: Path, tmp_path: Path) -> None:
    definitions = compared()
    goals = rocq_goals.goals(definitions, EACH)
    assert len(goals) == EACH * len(definitions) >= 80 * EACH
    (tmp_path / "mirrored.v").write_text(rocq_goals.mirrored(definitions))
    (tmp_path / "goals.v").write_text(rocq_goals.goals_file(goals))
    assert rocq_goals.compiled(tmp_path, proofs, "mirrored") == {}
    assert rocq_goals.compiled(tmp_path, proofs, "goals") == {}


def wrong(definition: Definition) -> Definition:
    """What a printer that takes minus for plus makes of a definition."""

    def swapped(node: Node) -> Node:
        parts = tuple(swapped(x) if isinstance(x, Node) else x for x in node.parts)
        return Node("+" if node.op == "-" else node.op, parts)

    return replace(definition, tree=swapped(definition.tree))


def gini() -> Definition:
    return next(d for d in generate.definitions() if d.name == "py_gini")


@pytest.mark.slow
@needs_coqc
def test_a_list_form_that_says_something_else_is_refused(proofs: Path, tmp_path: Path) -> None:
    (tmp_path / "mirrored.v").write_text(rocq_goals.mirrored([wrong(gini())]))
    assert "evaluated" in rocq_goals.compiled(tmp_path, proofs, "mirrored")["mirrored"]


@pytest.mark.slow
@needs_coqc
def test_a_printer_that_says_something_else_fails_at_the_goals(proofs: Path, tmp_path: Path) -> None:
    planted = [wrong(gini())]
    text = "\n".join([generate.HEAD, *(d.text() for d in planted), "End Generated.\n"])
    (tmp_path / "generated.v").write_text(text)
    (tmp_path / "mirrored.v").write_text(rocq_goals.mirrored(planted, "scratch"))
    (tmp_path / "goals.v").write_text(rocq_goals.goals_file(rocq_goals.goals(planted, EACH), "scratch"))
    assert rocq_goals.compiled(tmp_path, proofs, "generated") == {}
    assert rocq_goals.compiled(tmp_path, proofs, "mirrored") == {}
    assert "Unable to unify" in rocq_goals.compiled(tmp_path, proofs, "goals")["goals"]


def test_inputs_hold_empty_rows_and_classes_and_small_tables() -> None:
    seen: Counter[str] = Counter()
    for definition in compared():
        rng = rocq_goals.random.Random(definition.name)
        for _ in range(12):
            given, _ = inputs(definition, rng)
            table = given.get("t", [[1]])
            seen["empty row"] += any(not any(row) for row in table)
            seen["empty class"] += any(not any(column) for column in zip(*table, strict=True))
            seen["share of 0"] += 0 in given.get("p", [1])
            seen["no observations"] += given.get("a", [1]) == []
    assert min(seen.values()) >= 10 and len(seen) == 4, seen
