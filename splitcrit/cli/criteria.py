"""``splitcrit criteria``: the criteria of the library, each with a summary of what is settled of it.

Main definitions: ``CriterionSummary``, ``summaries``, ``summary_of``, ``run``. What is settled is read from the
facts; nothing is settled.
"""

from __future__ import annotations

import argparse
import inspect
import re
from dataclasses import dataclass
from difflib import get_close_matches
from textwrap import wrap
from typing import Any

from splitcrit import impurities
from splitcrit.cli.calls import member, named, parameters
from splitcrit.criteria.base import as_criterion
from splitcrit.criteria.facts import about, facts, plain, speaks_of
from splitcrit.frozen import complaint
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.proofs.command import coloured, tell
from splitcrit.proofs.summaries import PAIR, ROWS, sign

WIDTH = 100
WORDS = {"holds": "holds", "fails": "refuted", "bounded": "bounded"}
CALL = re.compile(r"(?P<decrease>decrease\()?(?P<maker>\w+)(?P<parameters>\(.*\))?(?(decrease)\))")


@dataclass(frozen=True)
class CriterionSummary:
    """A criterion or a family of them: what makes it, what it is called where a string is taken, what is known."""

    criterion: str
    names: tuple[str, ...]
    about: str
    loss: str
    rows: int | None
    classes: int | None
    facts: tuple[dict[str, Any], ...]

    def signs(self, property: str) -> str:
        """The state of a property in two signs: for two classes, and for more."""
        mine = [fact for fact in self.facts if fact["property"] == property]
        return "".join(sign(mine, group, "+-o~.") for group in PAIR)


def properties() -> list[str]:
    """The properties that facts are about, in their order."""
    return list(dict.fromkeys(fact["property"] for fact in facts()))


def _maker(name: str) -> str:
    """The value or maker of the library that a criterion's name begins with, or the name."""
    match = CALL.match(name.partition(" for ")[0])
    return match["maker"] if match else name


def _makers() -> list[str]:
    """The makers of the criteria that facts are about, in their order."""
    return list(dict.fromkeys(_maker(fact["criterion"]) for fact in facts()))


def summaries() -> list[CriterionSummary]:
    """A summary for every criterion and family that facts are about.

    Examples
    --------
    >>> [summary.criterion for summary in summaries()][:2]
    ['decrease(gini)', 'decrease(entropy)']
    """
    return list(map(_summary, _makers()))


def _summary(maker: str) -> CriterionSummary:
    """The summary of a value or a maker of the library."""
    value = named(maker)
    family = inspect.isfunction(value)
    about = (inspect.getdoc(value) or "").partition("\n\n")[0] if family else ""
    title = f"{maker}({', '.join(parameters(value))})" if family else maker
    impurity = hasattr(impurities, maker)
    score = None if family else as_criterion(value)
    loss = score.impurity.loss.name if score and score.impurity and score.impurity.loss else ""
    names = tuple(name for name, own in NAMES.items() if _maker(as_criterion(own).name) == maker)
    return CriterionSummary(
        f"decrease({title})" if impurity else title, names, " ".join(about.replace("``", "").split()), loss,
        score.rows if score else None, score.classes if score else None,
        tuple(fact for fact in facts() if _maker(fact["criterion"]) == maker),
    )  # fmt: skip


def summary_of(name: str) -> CriterionSummary:
    """The summary of a criterion by its name, by the call that makes it, or by its name at estimators.

    A call whose parameters are their own names, such as ``gce(q)``, is the family.

    Raises
    ------
    ValueError
        If the library has no such criterion.

    Examples
    --------
    >>> summary_of("gce(0.7)").criterion, summary_of("gain_ratio").criterion
    ('decrease(gce(q=0.7))', 'normalised(entropy)')
    """
    makers = _makers()
    text = name.strip()
    text = as_criterion(NAMES[text]).name if text in NAMES and text not in makers else text
    match = CALL.fullmatch(text)
    if not match or match["maker"] not in makers:
        near = get_close_matches(match["maker"] if match else text, sorted({*makers, *NAMES}), 3)
        rule = "the name must be that of a criterion of the library"
        remedy = f"did you mean {', '.join(near)}" if near else "splitcrit criteria lists them"
        raise ValueError(complaint(rule, repr(name), remedy))
    summary = _summary(match["maker"])
    if not match["parameters"] or text in (summary.criterion, *ROWS):
        return summary
    if "(" not in summary.criterion.removeprefix("decrease("):
        raise ValueError(complaint(f"{match['maker']} has no parameters", repr(name), f"pass {match['maker']}"))
    if (score := member(match["maker"], match["parameters"])) is None:
        return summary
    mine = tuple(fact for fact in summary.facts if speaks_of(fact["criterion"], score.name))
    names = tuple(n for n in summary.names if plain(as_criterion(NAMES[n]).name) == plain(score.name))
    return CriterionSummary(score.name, names, summary.about, summary.loss, score.rows, score.classes, mine)


def listing(shown: list[CriterionSummary]) -> str:
    """A line for each criterion, and below what the signs say."""
    known = properties()
    wide = max(len(summary.criterion) for summary in shown) + 2
    called = max(len(", ".join(summary.names)) for summary in shown) + 2
    head = "".join(f"{i:>3}" for i in range(1, len(known) + 1))
    lines = [f"{'criterion':<{wide}}{'name':<{called}}{head}"]
    for summary in shown:
        signs = "".join(f" {summary.signs(property)}" for property in known)
        lines.append(f"{summary.criterion:<{wide}}{', '.join(summary.names):<{called}}{signs}")
    lines += ["", *(f"{i:>3} {property}" for i, property in enumerate(known, 1)), ""]
    signs = "first sign: two classes, second: more; + holds, - refuted, o holds up to a bound or for some numbers of "
    signs += "classes, ~ it depends on the parameter or on the number of classes, . open"
    lines += wrap(f"{signs}; estimators take these names", WIDTH)
    more = "splitcrit criteria NAME shows a summary; splitcrit explain KEY shows a theorem."
    return "\n".join([*lines, "", more])


def described(summary: CriterionSummary) -> str:
    """A summary as text: what it is, then each property with its verdicts."""
    lines = [summary.criterion, ""]
    lines += _labelled("about", summary.about)
    lines += _labelled("impurity of", f"the loss {summary.loss}" if summary.loss else "")
    limits = [f"{n} {what}" for n, what in ((summary.rows, "rows"), (summary.classes, "classes")) if n is not None]
    lines += _labelled("tables", f"of {' and '.join(limits)} only" if limits else "")
    lines += _labelled("estimators", " or ".join(f'criterion="{name}"' for name in summary.names))
    if not summary.facts:
        return "\n".join([*lines, "", "No properties are known."])
    for property in dict.fromkeys(fact["property"] for fact in summary.facts):
        lines += ["", property]
        each = [fact for fact in summary.facts if fact["property"] == property]
        lines += [line for fact in each for line in _fact_lines(fact, summary)]
    return "\n".join(lines)


def _labelled(label: str, text: str) -> list[str]:
    indent = " " * 14
    return wrap(text, WIDTH, initial_indent=f"{label:<14}", subsequent_indent=indent) if text else []


def _fact_lines(fact: dict[str, Any], summary: CriterionSummary) -> list[str]:
    """A verdict with its theorem, then for what it is settled, or what refutes it."""
    word = coloured(f"{WORDS[fact['verdict']]:<8}", fact["verdict"] == "holds")
    which = "" if fact["criterion"] == summary.criterion else f"  of {fact['criterion']}"
    lines = [f"  {word}  {about(fact['classes']):<12}  {fact['theorem']}{which}"]
    kernel = "kernel-checked in part"  # unless the fact says itself that the kernel settles the whole of it
    means = [kernel] if fact.get("kernel") and "kernel-checked" not in fact["rests_on"] else []
    more = f"witness: {fact['witness']}" if fact["witness"] else f"scope: {fact['scope']}"
    for text in (more, f"rests on: {', '.join([*means, *fact['rests_on']])}"):
        lines += wrap(text, WIDTH, initial_indent=" " * 12, subsequent_indent=" " * 12)
    return lines


def run(args: argparse.Namespace) -> int:
    """Run ``splitcrit criteria`` and return the exit status."""
    if not args.names:
        shown = summaries()
        tell(args.json, lambda: {"criteria": list(map(vars, shown))}, listing(shown))
        return 0
    chosen = [summary_of(name) for name in args.names]
    data = list(map(vars, chosen))
    words = "\n\n\n".join(map(described, chosen))
    tell(args.json, lambda: data[0] if len(data) == 1 else {"criteria": data}, words)
    return 0
