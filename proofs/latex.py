"""What a claim says as LaTeX: its own formulas, run on symbols that have the names of its variables.

Nothing is typed. Counts, rates and shares are taken to be positive, so that conventions for empty nodes do not show. An
equation, an inequality or a conclusion is printed with its hypotheses; of a claim for several numbers of classes the
first is shown; enumerations and enclosures have no formula.

Main definitions: ``Shown``, ``formulas``.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import sympy

from splitcrit.proof.cases import Each, Stated
from splitcrit.proof.claims import Certificate, Identity
from splitcrit.proof.induction import Induction
from splitcrit.proof.points import Formula
from splitcrit.proof.smt import Smt, listed
from splitcrit.proof.terms import Condition
from splitcrit.proof.theorem import Law
from splitcrit.proof.undecided import Undecided
from splitcrit.proof.verdicts import All, Claim, Not
from splitcrit.proofs.symbols import SYMBOL, symbol

LONGEST = 200  # signs of a formula that is read as one
MARKUP = re.compile(r"\\(left|right|frac|mathrm|sqrt|text)\b|[{}_^\\ ]")
AT_MOST = 6  # formulas of one claim
MOST = 120  # operations of an expression that is simplified
SECONDS = 2.0
GREEK = {"lam": r"\lambda", "tau_pos": r"\tau_{+}", "tau_neg": r"\tau_{-}"}
GREEK_LETTERS = {"alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "mu", "rho", "sigma", "tau", "phi"}
TURNED = {sympy.Lt: "<", sympy.Le: r"\le", sympy.Gt: ">", sympy.Ge: r"\ge", sympy.Eq: "=", sympy.Ne: r"\ne"}


@dataclass(frozen=True)
class Shown:
    """A formula as LaTeX, the hypotheses it is under, and for which part or number it is shown."""

    says: str
    hypotheses: tuple[str, ...] = ()
    where: str = ""


def formulas(claim: Claim, where: str = "") -> list[Shown]:
    """The formulas of a claim and of its parts, each once; none of a part that has no formula to be read.

    Of a claim of many parts the first six are returned.
    """
    shown: list[Shown] = []
    for part, name in _parts(claim, where):
        if len(shown) == AT_MOST:
            break
        with _limited():
            shown += [x for x in _formula(part, name) if all(x.says != y.says for y in shown)]
    return shown


def _parts(claim: Any, where: str) -> Iterator[tuple[Claim, str]]:
    """Yield the claims that a claim consists of, and what they are called."""
    if isinstance(claim, Law | Stated):
        yield from _parts(claim.claim, where)
    elif isinstance(claim, All):
        for name, part in claim.parts.items():
            yield from _parts(part, where if re.fullmatch(r"part \d+", name) else name)
    elif isinstance(claim, Each):
        value = claim.values[0]
        shown = f"{claim.axis} = {value}" if len(claim.values) > 1 else ""
        yield from _parts(claim.make(value), ", ".join(filter(None, (where, shown))))
    elif isinstance(claim, Not):
        for part, name in _parts(claim.claim, where):
            yield part, f"{name}: not so" if name else "not so"
    else:
        yield claim, where


class _TooSlow(Exception):
    pass


@contextmanager
def _limited() -> Iterator[None]:
    """Leave out what cannot be printed, or not in time; only the main thread keeps the time."""
    timed = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")

    def stop(number: int, frame: Any) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGVTALRM, stop) if timed else None
    try:
        if timed:
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        yield
    except (Exception, Undecided):  # whatever a formula meets that was not made for symbols
        return
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


def _formula(claim: Claim, where: str) -> list[Shown]:
    """The formula of a claim without parts."""
    if isinstance(claim, Identity):
        v = _symbols(claim.variables)
        left, right = (SYMBOL.read(side(v, SYMBOL)) for side in (claim.left, claim.right))
        equation = _equation(left, right)
        return _shown(equation, claim.variables, claim.domain, where)
    if isinstance(claim, Certificate):
        gap = SYMBOL.read(claim.gap(_symbols(claim.variables), SYMBOL))
        return _shown(f"{_short(gap)} \\ge 0", claim.variables, claim.domain, where)
    if isinstance(claim, Smt):
        conclusion = claim.conclusion(_symbols(claim.variables), SYMBOL)
        return _shown(_said(conclusion), claim.variables, claim.hypotheses, where)
    if isinstance(claim, Induction):
        return _induction(claim, where)
    return []


def _induction(claim: Induction, where: str) -> list[Shown]:
    v = _symbols(claim.kinds(claim.least))
    value = SYMBOL.read(claim.formula(claim.entries(v, claim.least), v, SYMBOL))
    sign = r"\ge" if claim.relation == ">=" else "="
    shown = _shown(f"{_short(value)} {sign} 0", {}, None, where)
    many = f"{claim.axis} = {claim.least}, and so on"
    return [replace(x, where=", ".join(filter(None, (where, many)))) for x in shown]


def _shown(says: str, kinds: Mapping[str, str], domain: Formula | None, where: str) -> list[Shown]:
    if not says or _width(says) > LONGEST:
        return []
    hypotheses = listed(domain, _symbols(kinds, positive=False), SYMBOL)
    texts = tuple(text for x in hypotheses if (text := _said(x)))
    return [Shown(says, tuple(x for x in texts if _width(x) <= LONGEST), where)]


def _symbols(kinds: Mapping[str, str], positive: bool = True) -> SimpleNamespace:
    """A symbol for each variable, named as it is read."""
    symbols = {}
    for name, kind in kinds.items():
        known = {"real": True} if kind == "real" else {"positive": True}
        if kind in ("count", "rate") and not positive:
            known = {"nonnegative": True}
        symbols[name] = symbol(_name(name), **known)
    return SimpleNamespace(**symbols)


def _name(name: str) -> str:
    """The name of a variable as it is read: a letter with an index, a Greek letter, or a word."""
    letter, index = re.fullmatch(r"(.*?)_?(\d*)", name).groups()  # type: ignore[union-attr]
    if name in GREEK or letter in GREEK:
        return GREEK.get(name) or f"{GREEK[letter]}_{{{index}}}"
    if len(letter) <= 1 or letter in GREEK_LETTERS:
        return name
    return rf"\mathrm{{{letter.replace('_', ' ')}}}" + (f"_{{{index}}}" if index else "")


def _width(latex: str) -> int:
    """The number of signs that are seen."""
    return len(MARKUP.sub("", latex))


def _latex(expression: Any, order: str | None = "none") -> str:
    return str(sympy.latex(expression, order=order, ln_notation=False))


def _short(expression: Any) -> str:
    """An expression as LaTeX, in factors where these are shorter."""
    shortest = _latex(expression)
    if (
        _width(shortest) > 50
        and expression.count_ops() <= MOST
        and not expression.has(sympy.Piecewise, sympy.Max, sympy.Min)
    ):
        shortest = min(shortest, _latex(sympy.factor(expression), None), key=_width)
    return shortest


def _equation(left: Any, right: Any) -> str:
    """An equation; of sides that are too long the value, of two questions that these are the same.

    Both sides stand as they were said: in factors they would be the same.
    """
    if (one := _question(left)) and (two := _question(right)):
        return rf"{one} \iff {two}" if one != two else ""
    one, two = _latex(left), _latex(right)
    if one == two:
        return ""
    if _width(one) + _width(two) > LONGEST:
        return rf"\text{{both sides are }}\; {min(_short(left), _short(right), key=_width)}"
    return f"{two} = {one}" if len(one) < 3 < len(two) else f"{one} = {two}"


def _question(expression: Any) -> str:
    """The condition of what is 1 if it holds and 0 otherwise."""
    if not isinstance(expression, sympy.Piecewise) or [x for x, _ in expression.args] != [1, 0]:
        return ""
    return _said(expression.args[0][1])


def _said(comparison: Any) -> str:
    """A comparison as LaTeX, what is subtracted on the other side; nothing of what is surely true."""
    condition = comparison.term if isinstance(comparison, Condition) else comparison
    if isinstance(condition, bool):
        return "" if condition else r"\mathrm{false}"
    if isinstance(condition, sympy.And | sympy.Or):
        sign = r" \;\wedge\; " if isinstance(condition, sympy.And) else r" \;\vee\; "
        return sign.join(sorted(filter(None, map(_said, condition.args))))
    if isinstance(condition, sympy.Equivalent):
        return r" \iff ".join(sorted(map(_said, condition.args)))
    if not isinstance(condition, sympy.core.relational.Relational):
        return _latex(condition)
    above: list[Any] = []
    below: list[Any] = []
    for term in sympy.Add.make_args(condition.lhs - condition.rhs):
        (below if term.could_extract_minus_sign() else above).append(term)
    if not above:  # rather 0 < x than -x < 0 with the sides exchanged
        left, right = sympy.Integer(0), -sympy.Add(*below)
    else:
        left, right = sympy.Add(*above), -sympy.Add(*below)
    one, two = _short(left), _short(right)
    return "" if one == two else f"{one} {TURNED[type(condition)]} {two}"
