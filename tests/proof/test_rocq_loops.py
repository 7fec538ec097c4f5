"""Loops printed as folds: what is printed is what runs, computes the same numbers, and what is not known is refused."""

from __future__ import annotations

import inspect
import math
import random
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit.noise import transitions
from splitcrit.nulls import exact, multiple, paths
from splitcrit.nulls import monte_carlo as pvalues
from splitcrit.proof.undecided import Undecided
from splitcrit.proofs.rocq import check, generate
from splitcrit.proofs.rocq.loops import Called, Loop
from splitcrit.robustness import majority, published_bounds

needs_coqc = pytest.mark.skipif(check.missing() is not None, reason=str(check.missing()))


def test_loops_are_what_the_source_prints() -> None:
    assert generate.LOOPS.read_text(encoding="utf-8") == generate.text_of_loops()


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
    assert "if (total > most) then (true, total) else" in said and said.endswith(
        "(false, total) (values) in\n  total.\n"
    )


def raising(values: list[int]) -> int:
    for x in values:
        if x < 0:
            raise ValueError
    return len(values)


def calling(values: list[int]) -> int:
    found = raising(values)
    return found + 1


def test_what_may_raise_is_an_option() -> None:
    with pytest.raises(Undecided, match="a loop that carries nothing"):
        Loop(raising, "py_raising").text()
    known = {raising: Called("py_raising", (("seq", "int"),), "int", True)}
    said = Loop(calling, "py_calling", known).text()
    assert "match (py_raising (values)) with None => None | Some found =>\n  Some ((found + (Posz 1))) end." in said


def second_name(values: list[int]) -> list[int]:
    held = [0] * len(values)
    other = held
    other[0] = 1
    return held


def argument_changed(values: list[int]) -> list[int]:
    values[0] = 1
    return values


def kept_inside(values: list[int]) -> list[list[int]]:
    held = [0] * len(values)
    found = [held]
    held[0] = 1
    return found


def item_named(values: list[int]) -> int:
    held: defaultdict[int, list[int]] = defaultdict(list)
    held[0] = values
    inner = held[0]
    return len(inner)


def while_loop(n: int) -> int:
    while n > 0:
        n = n - 1
    return n


def name_after_the_loop(values: list[int]) -> int:
    for x in values:
        last = x
    return last


def other_power(x: int) -> float:
    return x ** (1 / 2)


def appended_twice(values: list[int]) -> list[int]:
    held = values
    held.append(1)
    return held


def raises_of_more(n: int) -> int:
    guarded(n, [n])
    return n


def guarded(n: int, more: list[int]) -> None:
    if n < len(more):
        raise ValueError


def rounded(x: float) -> int:
    return int(x)


def as_set(values: list[int]) -> int:
    return sum(set(values))


def returns_within(values: list[int]) -> int:
    total = 0
    for x in values:
        total += x
        if total > 3:
            return total
    return total


def by_kind(x: int) -> int:
    return x if isinstance(x, int) else 0


def stepping(values: list[int]) -> list[int]:
    return values[::2]


def overwritten(values: list[int]) -> int:
    x = total = 1
    for x in values:
        total += x
    return x + total


def keys_meet(values: list[int]) -> dict[int, int]:
    return {x * x: x for x in values}


def half(x: float) -> float:
    return 0.5 * x


def logarithm(x: float) -> float:
    return math.log(x)


def items_changed(values: list[int]) -> int:
    held: dict[int, int] = {}
    for key, value in held.items():
        held[key] = value + 1
    return len(held)


def yielding(values: list[int]) -> Iterator[int]:
    for x in values:
        yield x
        if x > 3:
            return


REFUSED: list[tuple[Callable[..., Any], str]] = [
    (second_name, "changed in place has one name"),
    (argument_changed, "changed in place has one name"),
    (kept_inside, "changed in place has one name"),
    (item_named, "changed in place has one name"),
    (while_loop, "a statement: while n > 0"),
    (name_after_the_loop, "a loop that carries nothing|an expression: last"),
    (other_power, "an operation: x \\*\\* "),
    (appended_twice, "changed in place has one name"),
    (raises_of_more, "a statement: guarded"),
    (rounded, "a call: int"),
    (as_set, "a call: set"),
    (returns_within, "a loop that returns"),
    (by_kind, "a call: isinstance|an expression: int"),
    (stepping, "a slice"),
    (overwritten, "a loop over a name that is in use"),
    (keys_meet, "an expression"),
    (half, "a constant: 0.5"),
    (items_changed, "a loop over what it changes"),
    (yielding, "a loop that returns"),
    (logarithm, "an expression: math"),
]


@pytest.mark.parametrize(("function", "why"), REFUSED, ids=lambda x: getattr(x, "__name__", ""))
def test_what_is_not_known_is_refused(function: Any, why: str) -> None:
    with pytest.raises(Undecided, match=why) as raised:
        Loop(function, "py_refused").text()
    assert function.__name__ in str(raised.value)


def test_other_code_than_the_source_is_refused() -> None:
    scope: dict[str, Any] = {}
    above = "\n" * (squares.__code__.co_firstlineno - 1)
    exec(compile(f"{above}def squares(values, most):\n    return 1\n", __file__, "exec"), scope)
    scope["squares"].__module__ = __name__
    with pytest.raises(Undecided, match="the source of a printed loop is that of the code that runs"):
        Loop(scope["squares"], "py_squares")


def test_a_function_with_another_around_it_is_refused() -> None:
    with pytest.raises(Undecided, match="as it was written"):
        Loop(cache(squares), "py_squares")


def test_a_call_of_what_is_not_printed_is_refused() -> None:
    with pytest.raises(Undecided, match="a call of what is not printed: bonferroni"):
        Loop(inspect.unwrap(multiple.holm), "py_holm").text()


def rocq(x: Any) -> str:
    """Return a value as Rocq writes it."""
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
