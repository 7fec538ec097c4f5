"""How to call the checker, the command line and the experiments.

Claims are made of formulas that their writer vouches for; they are tried on what must be answered.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import reproductions as experiments
from contract.arguments import choice, formula, integer, number, size, thing, truth
from contract.entries import Entry
from contract.roles import Role, counts, few_odd, vector
from reproductions import breiman1996, ghosh2017, wang2024, wilton2024, yang2019
from splitcrit import impurities, losses, proof
from splitcrit.cli import main
from splitcrit.proof import Certificate, Exhaustive, Fact, Identity, NearMiss, Not, Sign, Smt, Theorem

RIGHT = Exhaustive(lambda: range(3), lambda x: x >= 0)
WRONG = Exhaustive(lambda: range(3), lambda x: x > 0)
MISSES = (NearMiss("positive", WRONG), NearMiss("too", WRONG))
SIMPLE = Theorem("area.is", "It is.", "here, eq. (1)", RIGHT, MISSES)
ONE, TWO = np.array([[8, 1], [2, 9]]), np.array([[5, 1], [5, 9]])
WHOLE = vector(lambda rng: rng.integers(0, 9, 5)).terms()  # inside a function of a claim


def status(claim: Any) -> str:
    return str(claim.settle().status)


def judged(**claims: Any) -> dict[str, Entry]:
    """The verdicts on claims about a few numbers, which are varied."""
    return {f"proof.{name}": Entry(claim, {"values": WHOLE}, rounds=2) for name, claim in claims.items()}


def cases(values: Any) -> Exhaustive:
    return Exhaustive(lambda: [int(x) for x in np.asarray(values)], lambda x: x >= 0)


def theorem(values: Any) -> Theorem:
    return Theorem("area.is", "It is.", "here, eq. (1)", cases(values), MISSES)


def rational(x: Any) -> Fraction:
    """A number as the checker takes it."""
    return Fraction(float(x))


def ball(x: Any) -> Any:
    found = proof.Ball(rational(x)) * 2
    return found.sign()


PROOF = judged(
    All=lambda values: status(proof.All(cases(values), RIGHT)),
    Certificate=lambda values: type(Certificate({"a": "real"}, lambda v, m: v.a * v.a, lambda v, m: [])).__name__,
    Claim=lambda values: status(cases(values)),
    Entry=lambda values: proof.settle(theorem(values)).settled,
    Erratum=lambda values: status(proof.Erratum("one", Not(cases(values)), "two").printed),
    NearMiss=lambda values: status(NearMiss("it", cases(values)).claim),
    Not=lambda values: status(Not(cases(values))),
    Status=lambda values: cases(values).settle().status.value,
    Theorem=lambda values: theorem(values).paper,
    Verdict=lambda values: cases(values).settle().evidence,
    Undecided=lambda values: issubclass(proof.Undecided, Exception),
) | {
    "proof.BALL": Entry(lambda x: balls(rational(x)), {"x": number(0.25).terms()}, rounds=5),
    "proof.Ball": Entry(ball, {"x": number(0.25).terms()}, rounds=5),
    "proof.Field": Entry(
        lambda x: str(proof.Field({"a": "real"}).number(rational(x))), {"x": number(0.25).terms()}, rounds=5
    ),
    "proof.PROPERTIES": Entry(
        lambda property: Fact("gini", property, "2", True), {"property": choice(*proof.PROPERTIES)}
    ),
    "proof.Fact": Entry(
        Fact,
        {
            "property": choice(*proof.PROPERTIES),
            "classes": choice("2", ">2", "all"),
            "holds": truth(),
            "bound": integer(3),
        },
        needed=("property", "classes", "holds"),
        read=lambda fact: "a fact",
        unvaried=("criterion",),
    ),
    "proof.settle": Entry(proof.settle, {"theorem": thing(3)}, read=lambda entry: entry.settled),
    "proof.enclosed_flips": Entry(
        lambda first=ONE, second=TWO, **options: proof.enclosed_flips(
            first, second, **{"criterion": impurities.gini, "cells": 16, "bits": 8} | options
        ),
        {
            "first": counts(2, 2, odd=few_odd),
            "second": counts(2, 2, odd=few_odd),
            "criterion": thing(impurities.gini, losses.square),
            "direction": vector(lambda rng: np.array([1, 1]), odd=few_odd, negative=True),
            "cells": size(16),
            "bits": size(8),
        },
        rounds=1,
    ),
}
PROOF["proof.Fact"] = Entry(
    lambda **options: Fact(**{"criterion": "gini", "property": "concave", "classes": "2", "holds": True} | options),
    {"property": choice(*proof.PROPERTIES), "classes": choice("2", ">2", "all"), "bound": integer(3)},
    read=lambda fact: "a fact",
)


def holds(x: Any) -> bool:
    return bool(x >= 0)


def few() -> range:
    return range(3)


def half(v: Any, m: Any) -> Any:
    return v.a / 2


def positive(v: Any, m: Any) -> Any:
    return v.a >= 0


def one_number(m: Any) -> list[Any]:
    return [m.number(1)]


def made_of(function: Any, read: Any = status, **plain: Any) -> Entry:
    """A claim by its functions, each of which is replaced by what is none."""
    roles = {name: formula(each) for name, each in plain.items()}
    return Entry(lambda **given: read(function(**plain | given)), roles, rounds=1)


PROOF |= {
    "proof.Exhaustive": made_of(Exhaustive, cases=few, holds=holds),
    "proof.Identity": made_of(partial(Identity, {"a": "real"}), left=half, right=half),
    "proof.Sign": made_of(Sign, values=one_number),
    "proof.Smt": made_of(partial(Smt, {"a": "rate"}), conclusion=positive),
}
PROOF["proof.settle"] = Entry(
    lambda theorem: proof.settle(SIMPLE if theorem is True else theorem).settled,
    {"theorem": thing(True, SIMPLE.holds, truth_value="either")},
)


def balls(x: Any) -> list[Any]:
    m = proof.BALL
    x = m.number(x)
    return [
        str(y)
        for y in (m.abs(x), m.exp(x), m.log(x), m.sqrt(x), m.xlogx(x), m.power(x, 2), m.max((x, 1)), m.min((x, 1)))
    ]


# Experiments: every one of a paper's is named, and lists its tasks for the options given.


def small(role: Role) -> Role:
    """A role without sizes that would be done one by one."""
    long = ("10**30", "2**63", "2**64")
    return replace(role, about=lambda base, rng: (case for case in role.about(base, rng) if case.kind not in long))


def tasks_of(paper: Any) -> Entry:
    def listed(which: Any) -> Any:
        found = paper.EXPERIMENTS[which]
        return found.name, len(found.keys)

    return Entry(listed, {"which": integer(1).terms()}, rounds=6)  # the index of a tuple


def ran(**options: Any) -> Any:
    """A run of an experiment of three tasks in a folder of its own."""
    one = experiments.Experiment("mine", "about", ("a",), _tasks, _work)
    with tempfile.TemporaryDirectory() as folder:
        chosen = experiments.Options(**{"out": Path(folder)} | options)
        return experiments.run(one, chosen, show=False).partition(" in ")[0]


def _tasks(options: Any) -> list[Any]:
    return [{"a": i} for i in range(options.repeats or 2)]


def _work(task: Any, options: Any, rng: Any) -> list[Any]:
    return [{"x": float(rng.random())}]


EXPERIMENTS = {
    f"reproductions.{paper.__name__.rpartition('.')[2]}.EXPERIMENTS": tasks_of(paper)
    for paper in (breiman1996, ghosh2017, wang2024, wilton2024, yang2019)
} | {
    "reproductions.Options": Entry(
        ran,
        {"repeats": small(size(3, none="either")), "seed": integer(3), "quick": truth(False), "fresh": truth(False)},
        rounds=1,
    ),
}
EXPERIMENTS["reproductions.run"] = EXPERIMENTS["reproductions.Experiment"] = EXPERIMENTS["reproductions.Options"]


# The command line: an exit status, and one sentence where something is wrong.


def commanded(words: Any) -> Any:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            found = main(words)
        except SystemExit as stopped:
            found = stopped.code
    assert "Traceback" not in said.getvalue()
    return found


WORDS = (
    "gini",
    "",
    "criteria",
    "--help",
    "nan",
    "gini(",
    "gce(q=nan)",
    "gce(q=2**9999999)",
    "__import__('os')",
    "é",
    "-1",
    "ne(0.5)",
    "\x00",
    "a;b",
    "decrease(gini)",
    "decrease(",
    "1e400",
    "..",
    "sgini",
    "--json",
    "twoing",
    "x" * 500,
    "gce(q='a')",
    "None",
    "[]",
    "agini(alpha=nan)",
    "gce(q=0.5)(1)",
    "shannon_entropy(base=10)",
    "shannon_entropy(base=1)",
    "variance((0, 1))",
    "lambda: 0",
)
COMMAND = {
    "cli.main": Entry(lambda word: commanded(["criteria", str(word)]), {"word": choice(*WORDS).free()}, rounds=1)
}

ENTRIES = PROOF | EXPERIMENTS | COMMAND
