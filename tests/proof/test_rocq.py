"""What the printer prints is what runs: cases for comparisons, sums over axes, errors for what it cannot trace."""

import cProfile
import inspect
import linecache
import math
import random
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refusals import refused
from scripts import script
from splitcrit.arith import total
from splitcrit.arith.tracing import Node
from splitcrit.impurities import library
from splitcrit.losses import simplex
from splitcrit.noise import transitions
from splitcrit.nulls import exact, multiple, paths, permutation
from splitcrit.nulls import monte_carlo as pvalues
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import retraced
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proof.undecided import Undecided
from splitcrit.proofs.rocq import check, generate
from splitcrit.proofs.rocq.definitions import printed, with_lets
from splitcrit.proofs.rocq.loops import Called, Loop
from splitcrit.proofs.rocq.printed import arrays, common
from splitcrit.proofs.rocq.variables import row
from splitcrit.robustness import majority, published_bounds


def index(letter: str) -> Any:
    return TRACE.term(Node("index", (letter,)))


def text(run: Any, *given: str) -> str:
    return printed(traced(run, frozenset(given)).tree)


def test_a_sum_runs_over_its_axis() -> None:
    assert text(lambda: retraced(library._gini)(row("p"), TRACE)) == r"(1 - (\sum_(k < K) ((p k) * (p k))))"
    largest = text(lambda: retraced(library._misclassification)(row("p"), TRACE))
    assert largest == r"(1 - (\big[Num.max/(p ord0)]_(k < K) (p k)))"


def test_a_comparison_of_data_becomes_a_case() -> None:
    mean = traced(lambda: retraced(permutation.exact_mean)(row("a", "i"), row("b", "k")))
    assert printed(mean.tree).startswith(r"(if ((\sum_(i < r) (a i)) < 2%:R) then 0 else ") and mean.hypotheses == ()


def test_a_comparison_of_indices_stands_inside_the_sum() -> None:
    found = text(lambda: retraced(simplex._infinity)(row("w", "j"), index("k"), TRACE), "k")
    assert found.endswith("]_(j < K) (if (j == k) then `|((w j) - 1)| else `|((w j) - 0)|))")


def test_what_raises_becomes_a_hypothesis() -> None:
    size = TRACE.term(Node("size", ("K",)))
    run = retraced(transitions.Symmetric.__call__)
    found = traced(lambda: common.entry(run(transitions.Symmetric(variable("eta")), size)), frozenset("jk"))
    assert printed(found.under) == "(if (j == k) then (1 - eta) else (eta / (K%:R - 1)))"
    assert [printed(h) for h in found.hypotheses] == ["(~~ ((K%:R : R) < 2%:R))"]


def test_whether_a_family_has_members_is_a_case() -> None:
    def mean(p: Any) -> Any:
        return total(p) / len(p) if p else 0

    said = text(lambda: retraced(mean)(row("p")))
    assert said == r"(if (~~ ((K%:R : R) == 0)) then ((\sum_(k < K) (p k)) / K%:R) else 0)"


def pairs(p: Any) -> Any:
    return total([total([x * y for x in p]) for y in p])


def test_a_loop_within_a_loop_has_an_index_of_its_own() -> None:
    assert text(lambda: retraced(pairs)(row("p"))) == r"(\sum_(k < K) (\sum_(j < K) ((p j) * (p k))))"


def test_powers_are_whole_or_roots() -> None:
    assert [text(lambda: TRACE.power(variable("x"), a)) for a in (2, Fraction(1, 2))] == ["(x ^+ 2)", "(sqrt x)"]  # noqa: B023
    refused("a traced exponent must be whole or 1/2", TRACE.power, variable("x"), Fraction(1, 3), error=Undecided)


# A formula that cannot be traced is an error that names function, line and operation; never a partial term.


BODIES = {  # of functions of shares, and the operation that is named
    "return sorted(p)[0]": "sorted",
    "return p[1]": r"p\[1\]",
    "return sum(p[1:])": r"p\[1:\]",
    "return sum([x * 0.1 for x in p])": r"x \* 0\.1",
    "return sum([math.log(x) for x in p])": r"math\.log",
    "return sum([np.sqrt(x) for x in p])": r"np\.sqrt",
    "return sum([x // 2 for x in p])": "x // 2",
    "return sum([x % 2 for x in p])": "x % 2",
    "return sum([x**x for x in p])": r"x\*\*x",
    "return sum(p) ** 0.5": r"\*\* 0\.5",
    "return sum(p) ** -1": r"\*\* -1",
    "return sum([*p, 1])": r"another formula for 3 members.*\*p, 1",
    "return sum([1 for _ in p])": "another formula for 3 members.*1 for",
    "return [x for x in p]": r"return \[x for",
    'return sum(p) + "1"': r"sum\(p\) \+ \"1\"",
    "return sum([x * y for x, y in zip(p, [1, 2], strict=False)])": r"zip\(p",
    "listed = list(p)\nreturn sum([sum([x * y for x, y in zip(listed, p, strict=True)]) for _ in p])": (
        r"that are zipped must run over one axis.*zip\(listed"  # a list does not take the index of a loop within
    ),
    "n = 0\nfor _ in p: n = n + 1\nreturn n": "another formula for 3 members.*return n",
    "found = 0\nfor x in p: found = found + x\nreturn found": "another formula for 3 members.*return found",
    "s = [x for x in p]\nreturn sum([x * y for x in s for y in s])": r"another formula for 3 members.*x \* y",
    "for x in p:\n    if x == 0: return 0\nreturn 1 - sum(p)": "return 1 - sum",
    "n = sum(p)\nwhile n != 0: n = n * 1 + 0 * n\nreturn n": "conditions; got 9",
    "n = sum(p)\nwhile n == n * n: pass\nreturn n": "while n == n",
    "squares = [x * x for x in p]\nreturn squares[0]": r"one member, \['k'\].*return squares\[0\]",
    "sum(p)": "None.*line",
    "members = [*p]\nreturn len([members[0]])": "must be that of one axis",
}


def written(body: str) -> Callable[[Any], Any]:
    """The function of shares with these lines; they are shown as those of any file."""
    scope: dict[str, Any] = {"__name__": __name__, "math": math, "np": np}
    lines = ["def of_shares(p):\n", *(f"    {line}\n" for line in body.splitlines())]
    linecache.cache[body] = (0, None, lines, body)
    exec(compile("".join(lines), body, "exec"), scope)
    return scope["of_shares"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(("body", "operation"), BODIES.items())
def test_the_error_names_function_line_and_operation(body: str, operation: str) -> None:
    said = str(refused(operation, traced, lambda: retraced(written(body))(row("p")), error=Undecided))
    assert re.search(r"(in|<listcomp>|of_shares), line \d+", said), said
    assert "of_shares" in said or "<listcomp>" in said, said


def test_a_profiler_goes_on_and_the_line_is_not_looked_for() -> None:
    profiler = cProfile.Profile()
    with profiler, pytest.raises(Undecided, match="a function that is not looked for while a profiler runs"):
        traced(lambda: retraced(written("n = 0\nfor _ in p: n = n + 1\nreturn n"))(row("p")))
    assert any("of_shares" in str(entry.code) for entry in profiler.getstats())


def test_comparisons_with_numbers_that_follow_from_others_are_no_cases() -> None:
    def steps(p: Any) -> Any:
        n = sum(p)
        return sum([place for place in range(1, 8) if place <= n])

    tree = traced(lambda: retraced(steps)(row("p"))).tree
    assert str(tree).count("'if'") == 7


def test_a_formula_that_only_raises_has_no_value() -> None:
    def fails(p: Any) -> Any:
        raise ValueError("never")

    refused("must have a value", traced, lambda: retraced(fails)(row("p")), error=Undecided)


def test_a_list_and_a_family_have_the_size_of_both() -> None:
    def counts_more(p: Any) -> Any:
        return len([*p]) + len([1, 2])

    assert str(traced(lambda: retraced(counts_more)(row("p"))).tree).count("'size'") == 1


# Loops printed as folds: what is printed is what runs, computes the same numbers, and what is not known is refused.

needs_coqc = pytest.mark.skipif(check.missing() is not None, reason=str(check.missing()))


def squares(values: list[int], most: int) -> int:
    total = 0
    for x in values:
        if total > most:
            break
        total += x * x
    return total


def test_a_loop_is_a_fold_with_a_mark_that_it_has_ended() -> None:
    said = Loop(squares, "py_squares").text()
    assert "Definition py_squares (values : seq (int)) (most : int) : int :=" in said
    assert "foldl (fun '(ended, total) x => if ended then (true, total) else" in said
    assert "if (total > most) then (true, total) else" in said
    assert said.endswith("(false, total) (values) in\n  total.\n")


def raising(values: list[int]) -> int:
    for x in values:
        if x < 0:
            raise ValueError
    return len(values)


def calling(values: list[int]) -> int:
    found = raising(values)
    return found + 1


def test_what_may_raise_is_an_option() -> None:
    refused("a loop that carries nothing", Loop(raising, "py_raising").text, error=Undecided)
    known = {raising: Called("py_raising", (("seq", "int"),), "int", True)}
    said = Loop(calling, "py_calling", known).text()
    assert "match (py_raising (values)) with None => None | Some found =>\n  Some ((found + (Posz 1))) end." in said


LIST, NUMBER = "(values: list[int]) -> list[int]", "(values: list[int]) -> int"
REFUSED = {  # functions by name: their signature, their lines, and what is not known
    "second_name": (LIST, "held = [0] * len(values)\nother = held\nother[0] = 1\nreturn held", "has one name"),
    "argument_changed": (LIST, "values[0] = 1\nreturn values", "changed in place has one name"),
    "kept_inside": (
        "(values: list[int]) -> list[list[int]]",
        "held = [0] * len(values)\nfound = [held]\nheld[0] = 1\nreturn found", "changed in place has one name",
    ),
    "item_named": (
        NUMBER, "held: defaultdict[int, list[int]] = defaultdict(list)\nheld[0] = values\ninner = held[0]\n"
        "return len(inner)", "changed in place has one name",
    ),
    "while_loop": ("(n: int) -> int", "while n > 0:\n    n = n - 1\nreturn n", "a statement: while n > 0"),
    "name_after_the_loop": (
        NUMBER, "for x in values:\n    last = x\nreturn last", "a loop that carries nothing|an expression: last",
    ),
    "other_power": ("(x: int) -> float", "return x ** (1 / 2)", r"an operation: x \*\* "),
    "appended_twice": (LIST, "held = values\nheld.append(1)\nreturn held", "changed in place has one name"),
    "raises_of_more": ("(n: int) -> int", "guarded(n, [n])\nreturn n", "a statement: guarded"),
    "rounded": ("(x: float) -> int", "return int(x)", "a call: int"),
    "as_set": (NUMBER, "return sum(set(values))", "a call: set"),
    "returns_within": (
        NUMBER, "total = 0\nfor x in values:\n    total += x\n    if total > 3:\n        return total\nreturn total",
        "a loop that returns",
    ),
    "by_kind": ("(x: int) -> int", "return x if isinstance(x, int) else 0", "a call: isinstance|an expression: int"),
    "stepping": (LIST, "return values[::2]", "a slice"),
    "overwritten": (
        NUMBER, "x = total = 1\nfor x in values:\n    total += x\nreturn x + total",
        "a loop over a name that is in use",
    ),
    "keys_meet": ("(values: list[int]) -> dict[int, int]", "return {x * x: x for x in values}", "an expression"),
    "half": ("(x: float) -> float", "return 0.5 * x", "a constant: 0.5"),
    "items_changed": (
        NUMBER,
        "held: dict[int, int] = {}\nfor key, value in held.items():\n    held[key] = value + 1\nreturn len(held)",
        "a loop over what it changes",
    ),
    "yielding": (
        "(values: list[int]) -> Iterator[int]", "for x in values:\n    yield x\n    if x > 3:\n        return",
        "a loop that returns",
    ),
    "logarithm": ("(x: float) -> float", "return math.log(x)", "an expression: math"),
}  # fmt: skip


ABOVE = """import math
from collections import defaultdict
from collections.abc import Iterator

def guarded(n: int, more: list[int]) -> None:
    if n < len(more):
        raise ValueError

"""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signature, body, why = REFUSED[name]
    (tmp_path / f"{name}.py").write_text(f"{ABOVE}def {name}{signature}:\n{textwrap.indent(body, '    ')}\n")
    module = script(name, tmp_path)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert name in str(refused(why, Loop(getattr(module, name), "py_refused").text, error=Undecided))


def test_other_code_than_the_source_is_refused() -> None:
    scope: dict[str, Any] = {}
    above = "\n" * (squares.__code__.co_firstlineno - 1)
    exec(compile(f"{above}def squares(values, most):\n    return 1\n", __file__, "exec"), scope)
    scope["squares"].__module__ = __name__
    with pytest.raises(Undecided, match="the source of a printed loop is that of the code that runs"):
        Loop(scope["squares"], "py_squares")


def test_a_function_with_another_around_it_is_refused() -> None:
    refused("as it was written", Loop, cache(squares), "py_squares", error=Undecided)


def test_a_call_of_what_is_not_printed_is_refused() -> None:
    with pytest.raises(Undecided, match="a call of what is not printed: bonferroni"):
        Loop(inspect.unwrap(multiple.holm), "py_holm").text()


def rocq(x: Any) -> str:
    """A value as Rocq writes it."""
    if isinstance(x, list | tuple):
        return f"[:: {'; '.join(map(rocq, x))}]" if x else "[::]"
    if isinstance(x, Fraction):
        return f"(fracq ({rocq(x.numerator)}, {rocq(x.denominator)}))"
    if isinstance(x, float):
        return "None" if math.isnan(x) else f"(Some {rocq(Fraction(x))})"
    return f"(Posz {x})" if x >= 0 else f"(Negz {-x - 1})"


def goals(rng: random.Random) -> Iterator[tuple[str, list[Fraction]]]:
    """Yield terms whose value is a list of rational numbers, and what the library gives."""
    for _ in range(12):
        n = rng.randint(1, 8)
        ones = rng.randint(0, n)
        low, high = ([rng.randint(-1, n) for _ in range(n + 1)] for _ in "lh")
        value = paths.chance_of_leaving(n, ones, np.array(low), np.array(high))
        yield f"[:: py_chance_of_leaving Q {rocq(n)} {rocq(ones)} {rocq(low)} {rocq(high)}]", [value]
        p = [Fraction(rng.randint(0, 30), 30) for _ in range(rng.randint(0, 6))]
        yield f"py_holm Q {rocq(p)}", list(map(Fraction, multiple.holm(p)))  # type: ignore[arg-type]
        yield f"py_benjamini_hochberg Q {rocq(p)}", list(map(Fraction, multiple.benjamini_hochberg(p)))  # type: ignore[arg-type]
        some, of, unit = rng.randint(0, 3), rng.randint(0, 3), rng.randint(1, 4)
        stays, comes = rng.randint(0, unit), rng.randint(0, unit)
        bounds = [rng.randint(0, some + of) for _ in range(rng.randint(1, 2))]
        chance = majority.chance_of_at_most(some, of, stays, comes, unit, bounds)
        given = " ".join(map(rocq, (some, of, stays, comes, unit, bounds)))
        yield f"[:: py_chance_of_at_most Q {given}]", [chance]
        classes, rate = rng.randint(2, 4), Fraction(rng.randint(0, 4), 4)
        flips = [x for row in transitions.PairFlip(rate)(classes) for x in row]
        yield f"flatten (flatten (seq_of_opt (py_pair_flip_rows Q {rocq(classes)} {rocq(rate)})))", flips
        leaf, best = [rng.randint(1, 3) for _ in range(classes)], rng.randint(0, classes - 1)
        table = [[rng.randint(0, 3) for _ in range(classes)] for _ in range(classes)]
        margin = published_bounds.noisy_margin(leaf, table, best, unit)
        yield f"[:: py_noisy_margin Q {rocq(leaf)} {rocq(table)} {rocq(best)} {rocq(unit)}]", [margin]
        rows = [[rng.randint(0, 2) for _ in range(3)] for _ in range(2)]  # numbers are counted out in the kernel
        if all(map(sum, rows)) and all(map(sum, zip(*rows, strict=True))) and sum(map(sum, rows)) < 8:
            none = "(fun _ _ => fracq (Posz 0, Posz 1))"
            yield f"seq_of_opt (py_exact_tail Q {none} {rocq(rows)} {rocq(200)})", [exact.exact_tail(rows, 200)]
            with pytest.raises(exact.TooLarge):
                exact.exact_tail(rows, 3)
            yield f"seq_of_opt (py_exact_tail Q {none} {rocq(rows)} {rocq(2)})", []
        blocks = [[rng.choice([0.0, 1.0, 2.0, math.nan]) for _ in range(rng.randint(0, 4))] for _ in range(3)]
        tally, enough = pvalues.tallied(map(np.array, blocks), 1.0, 3), 3
        four = [Fraction(int(x)) for x in (tally.drawn, tally.kept, tally.exceeding, tally.stopped)]
        yield f"of_tally (py_tallied Q {rocq(blocks)} (fracq (Posz 1, Posz 1)) {rocq(enough)})", four


HEAD = """From mathcomp Require Import all_ssreflect all_algebra.
From splitcrit Require Import python loops.
Import GRing.Theory.
Local Open Scope ring_scope.
Notation Q := [realFieldType of rat].
Definition seq_of_opt {T : Type} (x : option T) : seq T := if x is Some v then [:: v] else [::].
Definition of_tally (x : int * int * int * bool) : seq Q :=
  let '(a, b, c, e) := x in [:: a%:~R; b%:~R; c%:~R; (nat_of_bool e)%:R].
Definition shown (s : seq Q) := [seq (numq x, denq x) | x <- s].
"""


@needs_coqc
@pytest.mark.slow
def test_printed_loops_compute_what_the_library_does(tmp_path: Path) -> None:
    for name in ("python.v", "loops.v"):
        shutil.copy(generate.LOOPS.parent / name, tmp_path)
    listed = list(goals(random.Random(7)))
    lines = [f"Eval vm_compute in shown ({term})." for term, _ in listed]
    (tmp_path / "asked.v").write_text(HEAD + "\n".join(lines) + "\n")
    for name in ("python.v", "loops.v", "asked.v"):
        command = ["coqc", "-R", ".", "splitcrit", "-w", "-all", name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    answers = [re.sub(r"\s|%Z", "", part) for part in done.stdout.split("     = ")[1:]]
    assert len(answers) == len(listed) > 40
    for (term, value), answer in zip(listed, answers, strict=True):
        found = [Fraction(int(a), int(b)) for a, b in re.findall(r"\(\(?(-?\d+)\)?,(\d+)\)", answer.split(":seq")[0])]
        assert found == value, term


# What is printed of code on arrays, of cases that follow from others, and of terms that share parts.


def text_of(value: Any) -> str:
    return printed(traced(lambda: arrays.value(value)).tree)


def test_a_sum_over_an_axis_broadcasts_and_takes_an_index_of_its_own() -> None:
    size, across = arrays.vector("a"), arrays.matrix("m")
    rows = arrays.NAMESPACE.sum(size[None, ...] * across, axis=1)
    found = text_of(arrays.NAMESPACE.sum(size * rows, axis=0))
    assert found == r"(\sum_(j < K) ((a j) * (\sum_(k < K) ((a k) * (m j k)))))"


def test_a_comparison_of_places_stands_inside_the_sum() -> None:
    places = arrays.NAMESPACE.arange(variable("n"))
    chosen = arrays.NAMESPACE.where(places[:, None] == places[None, ...], 0, arrays.matrix("m"))
    found = text_of(arrays.NAMESPACE.sum(chosen, axis=(0, 1)))
    assert found == r"(\sum_(j < K) (\sum_(k < K) (if (j == k) then 0 else (m j k))))"


def test_more_sums_than_indices_is_an_error() -> None:
    four = arrays.Array(4, lambda *_: variable("x"))
    refused("index of its own", arrays.NAMESPACE.sum, four, axis=(0, 1, 2, 3), error=Undecided)


def small(n: Any) -> Any:
    return 0 if n < 3 else 1 if n >= 3 else 2 if n >= 2 else 3


def falling(n: Any) -> Any:
    return sum(bound for bound in (2, 3, 4) if bound <= n)


def test_a_comparison_that_follows_from_another_is_no_case() -> None:
    found = printed(traced(lambda: variable("n") * small(variable("n"))).tree)
    assert found == "(if (n < 3%:R) then (n * 0) else (n * 1))"
    found = printed(traced(lambda: variable("n") * falling(variable("n"))).tree)
    assert found.count("if") == 3 and "(n * 9%:R)" in found and "(n * 0)" in found and "7" not in found


def test_what_occurs_twice_is_named_once() -> None:
    square = (variable("x") + variable("y")) * (variable("x") + variable("y"))
    assert with_lets(square.inner) == "let x0 := (x + y) in\n  (x0 * x0)"
    member = Node("at", ("p", "k"))
    assert "let" not in with_lets(Node("sum", ("k", Node("*", (member, member)))))
