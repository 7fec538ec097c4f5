"""The properties of your own impurity, loss or criterion: its row of the properties table.

Each property is *settled*, *refuted* by a witness that can be scored, or *open*. It is tried in a fixed order: whether
the criterion is a multiple of one whose properties are theorems; small cases, exactly, for a witness; the sign of the
curvature, class by class where the formula is a sum over classes, which settles it for every number of classes; the
solver on chords. What is settled follows from claims of the checker and from theorems that are named.

Main definitions: ``properties``, ``PropertyRow``, ``Finding``.
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from html import escape
from operator import and_
from types import SimpleNamespace
from typing import Any, Literal

from splitcrit import criteria, impurities, nulls
from splitcrit.arguments import of_kind, whole
from splitcrit.arith import EXACT, FLOAT
from splitcrit.criteria import Criterion, decrease
from splitcrit.criteria.facts import Facts, covers, facts, speaks_of, within
from splitcrit.data.columns import as_frame
from splitcrit.display import aligned, html_table, shortened
from splitcrit.frozen import complaint, shown
from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, matushita, misclassification, sqrt_gini
from splitcrit.losses import Loss
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.claims import Identity
from splitcrit.proof.curvature import Atoms, Filled, atoms_of, bend
from splitcrit.proof.induction import Induction
from splitcrit.proof.linting import allowed
from splitcrit.proof.points import surely_above, surely_equal
from splitcrit.proof.smt import Smt
from splitcrit.proof.theorem import PROPERTIES
from splitcrit.proof.undecided import Undecided
from splitcrit.proof.verdicts import Status, Verdict
from splitcrit.proof.witnesses import (
    BOOSTING,
    CONCAVE,
    CONSERVATIVE,
    EARLY,
    LARGEST,
    NOISE,
    OF_IMPURITY,
    ORDERED,
    PURE,
    SKEW,
    STRICT,
    SYMMETRIC,
    VERTEX,
    Point,
    Witnesses,
    cost_of,
    few_tables,
    told,
    vertex,
)  # fmt: skip

Word = Literal["settled", "refuted", "open"]
ROWS = (*OF_IMPURITY, *NOISE, CONSERVATIVE, EARLY, ORDERED, VERTEX, BOOSTING, SKEW)
MEANINGS = {
    CONCAVE: "no split increases the impurity",
    STRICT: "every split whose children differ decreases the impurity",
    PURE: "the impurity is 0 for pure nodes only",
    SYMMETRIC: "exchanging two classes leaves the impurity as it is",
    LARGEST: "the impurity is largest at equal shares",
    CONSERVATIVE: "the costs of an action sum to at least C (K - 1), none exceeds C, and a sure, right answer is free",
    EARLY: "some split whose children differ does not score above 0",
    ORDERED: "the best grouping of categories is a cut of one order of them",
    VERTEX: "if classes may be divided, some best split still divides none",
    BOOSTING: "two classes: symmetric, concave, 0 at pure nodes and above 0 between (Kearns and Mansour 1996)",
    SKEW: "multiplying the counts of one class leaves the score as it is",
    **dict.fromkeys(NOISE, "the better of two splits is still better in the expected noisy counts"),
}
KNOWN = (gini, misclassification, entropy, sqrt_gini, matushita, bayes_sum)
CURVED = "a continuous function whose second derivative has one sign inside bends that way"
MIDPOINTS = "a measurable function that is concave at midpoints is concave (Sierpinski)"
WORK = 4_000_000  # units of the solver for one question: some 2 s
ODD = Fraction(1, 7919)  # a number that no formula is likely to take
LINES = 20_000  # lines of a formula for one distribution
EVERY = "all"
IMPLIED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # what implies a property, and by which theorem
    LARGEST: ((SYMMETRIC, CONCAVE), ()),
    ORDERED: ((CONCAVE,), ("vertex.cut_is_best_of_concave_impurity",)),
    VERTEX: ((CONCAVE,), ("vertex.best_split_of_concave_impurity",)),
    BOOSTING: ((CONCAVE, SYMMETRIC, PURE), ()),
}


@dataclass(frozen=True, repr=False)
class Finding:
    """The finding about one property.

    Attributes
    ----------
    property : str
    classes : int or "all"
        For how many classes; ``"all"`` is every number from two on.
    verdict : {"settled", "refuted", "open"}
    rests_on : tuple of str
        What a settled property rests on: algebra, a theorem by its key, a fact of calculus.
    tried : tuple of str
        What was tried, in order, and what came of it.
    witness : str
        What refutes the property, or shows that it stops early, in words.
    table : tuple
        The same in numbers: a distribution, or tables of counts that can be scored.

    Examples
    --------
    >>> from splitcrit import gini
    >>> properties(gini, classes=[2])["concave"][2].verdict
    'settled'
    """

    property: str
    classes: int | str
    verdict: Word
    rests_on: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    witness: str = ""
    table: Any = ()

    __repr__ = shortened

    def __str__(self) -> str:
        if self.verdict == "settled":
            return f"settled ({'; '.join(self.rests_on)})" + (f": {self.witness}" if self.witness else "")
        return f"refuted: {self.witness}" if self.verdict == "refuted" else "open"


Result = Finding | tuple[str, ...] | str  # a finding, the grounds on which it is settled, or why nothing is known


@dataclass(frozen=True, repr=False)
class PropertyRow:
    """The row of the properties table for an impurity, a loss or a criterion.

    Attributes
    ----------
    name : str
        What the subject prints as.
    findings : tuple of Finding
        In the order of the table; ``row[property]`` are those of one property.

    Examples
    --------
    >>> from splitcrit import gini
    >>> row = properties(gini, classes=[2])
    >>> row.name, row["concave"][2].verdict
    ('gini', 'settled')
    """

    name: str
    findings: tuple[Finding, ...]

    def __getitem__(self, property: str) -> dict[int | str, Finding]:
        cells = {x.classes: x for x in self.findings if x.property == property}
        if not cells:
            rule = "a row holds only the properties that apply to its subject"
            names = ", ".join(dict.fromkeys(x.property for x in self.findings))
            raise KeyError(complaint(rule, shown(property), f"use {names}"))
        return cells

    @property
    def facts(self) -> Facts:
        """What is settled and refuted, as a value that `optimal_vertex` and a criterion's search take."""
        listed = (x for x in self.findings if x.property in PROPERTIES and x.verdict != "open")
        of = {"settled": "holds", "refuted": "fails"}
        return Facts(tuple((x.property, x.classes, of[x.verdict]) for x in listed))

    def explain(self, property: str) -> str:
        """The meaning of a property, the finding and the attempts, line by line."""
        lines = [f"{property}: {MEANINGS.get(property, '')}"]
        for classes, x in self[property].items():
            lines += [f"  {_classes(classes)}: {x}", *(f"    tried {words}" for words in x.tried)]
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """The findings as a pandas data frame, a row for each.

        Raises
        ------
        ImportError
            If there is no pandas.
        """
        rows = [
            {"property": x.property, "classes": x.classes, "verdict": x.verdict, "rests_on": "; ".join(x.rests_on),
             "witness": x.witness}
            for x in self.findings
        ]  # fmt: skip
        return as_frame(rows, "pip install pandas, or read .findings")

    def _cells(self, words: Callable[[Finding], str]) -> list[list[str]]:
        columns = list(dict.fromkeys(x.classes for x in self.findings))
        rows = {x.property: self[x.property] for x in self.findings}
        cells = [[name, *(words(row[k]) if k in row else "" for k in columns)] for name, row in rows.items()]
        return [["property", *map(_classes, columns)], *cells]

    def __repr__(self) -> str:
        count = [sum(x.verdict == word for x in self.findings) for word in ("settled", "refuted", "open")]
        return f"<{self.name}: {count[0]} settled, {count[1]} refuted, {count[2]} open>"

    def __str__(self) -> str:
        signs = {"settled": "yes", "refuted": "no", "open": "open"}
        lines = aligned(self._cells(lambda x: signs[x.verdict]), left=(0,))
        known = [x for x in self.findings if x.witness and not x.witness.startswith("K = ")]  # of all K: said before
        notes = [f"{x.property}, {_classes(x.classes)}: {x.witness}" for x in known]
        return "\n".join([self.name, *lines, *notes])

    def _repr_html_(self) -> str:
        heads, *cells = self._cells(str)
        return f"<p>{escape(self.name)}</p>" + html_table(heads, cells)


def _classes(classes: int | str) -> str:
    return "all K" if classes == EVERY else f"K = {classes}"


def properties(
    x: Any, *, classes: Sequence[int] = (2, 3), work: int = WORK, progress: Callable[[str], None] | None = None
) -> PropertyRow:
    """The properties of an impurity, a loss or a criterion: what settles each, or what refutes it.

    Parameters
    ----------
    x : Impurity, Loss, Criterion, or a function ``of(p, m)`` of class shares
        A criterion that is no decrease of an impurity has no properties of impurities.
    classes : sequence of int
        The numbers of classes to look at, beside all numbers together.
    work : int
        How long the solver may look at one question, in its own units, the same on every machine (4,000,000).
    progress : callable, optional
        ``progress(words)`` is called with the name of the next property.

    Returns
    -------
    PropertyRow

    Raises
    ------
    ValueError
        If the formula looks at the values it computes with, is random, fails where a share is 0 or takes too many
        steps.
    TypeError
        If ``x`` is none of these.
    RuntimeError
        If two findings contradict one another, a fault of the checker.

    See Also
    --------
    check_impurity : Tests at random cases instead of proofs.
    tolerance : The settled answers about label noise.

    Notes
    -----
    *Open* says that nothing is known, not that the property fails. A multiple of the solver's ``work`` may settle more.

    References
    ----------
    breiman1996, Theorem 1; yang2019; wilton2024; M. Kearns and Y. Mansour, On the boosting ability of top-down decision
    tree learning algorithms, STOC 1996.

    Examples
    --------
    >>> def cubic(p, m):
    ...     return 1 - sum(x**3 for x in p)
    >>> row = properties(cubic)
    >>> row["concave"]["all"].verdict, row["keeps order under uniform noise"][2].verdict
    ('settled', 'settled')
    >>> row["ordering shortcut"][2].rests_on[:2]  # for two classes it is a multiple of Gini's impurity
    ('algebra: 3/2 times that of gini', 'vertex.cut_is_best_of_convex_score')
    """
    whole(work, "work", 1)
    numbers = [whole(k, "a number of classes", 2, 6) for k in classes]
    study = _Study.of(x, numbers, work)
    cells: list[Finding] = []
    for name in study.asked:
        if progress is not None:
            progress(f"{study.name}: {name}")
        columns: list[int | str] = [2] if name == BOOSTING else [*study.numbers, EVERY]
        cells += [study.finding(name, k) for k in columns]
    study.agree()
    return PropertyRow(study.name, tuple(cells))


@dataclass
class _Study(Witnesses):
    """What is known so far of one subject; findings are made once and rest on each other."""

    name: str = ""
    numbers: list[int] = field(default_factory=list)
    work: int = WORK
    cells: dict[tuple[str, int | str], Finding] = field(default_factory=dict)
    kins: dict[int | str, tuple[str, tuple[str, ...]] | None] = field(default_factory=dict)
    bulge: tuple[Point, Any] | None = None  # where the solver found a positive curvature, and in which direction

    @staticmethod
    def of(x: Any, numbers: list[int], work: int) -> _Study:
        """A study of a subject whose formula can be computed with."""
        loss = x if isinstance(x, Loss) else None
        if loss is not None:
            x = Impurity.from_loss(loss)
        if not isinstance(x, Impurity | Criterion):
            rule = "properties takes an impurity, a loss, a criterion or a function of(p, m)"
            of_kind(x, Callable, rule, "pass one of them")
            x = Impurity(getattr(x, "__name__", type(x).__name__), x)
        impurity = x if isinstance(x, Impurity) else x.impurity
        if isinstance(x, Criterion) and impurity is not None and x != replace(decrease(impurity), name=x.name):
            impurity = None  # another score, to which an impurity is attached
        criterion = decrease(x) if isinstance(x, Impurity) else x
        loss = loss or (impurity.loss if impurity else None)
        study = _Study(criterion, impurity, loss, name=x.name, numbers=numbers, work=work)
        study._look()
        return study

    @property
    def asked(self) -> list[str]:
        """The properties that such a subject may have."""
        rest = [] if self.impurity is not None else [*OF_IMPURITY, BOOSTING]
        rest += [] if self.loss is not None else [CONSERVATIVE]
        return [name for name in ROWS if name not in rest]

    # Whether the formula can be computed with.

    @property
    def numeric(self) -> bool:
        """Whether the impurity is a minimum found numerically, which has no formula."""
        return self.impurity is not None and self.impurity.search.error > 0

    def _look(self) -> None:
        """Refuse a formula that no claim can be about, and leave out numbers of classes that it does not take."""
        if self.numeric:
            return
        takes, reason = [], ""
        for k in self.numbers:
            try:
                self._probed(k)
                takes.append(k)
            except (IndexError, ValueError, TypeError) as error:
                reason = f"{type(error).__name__}: {error}"
                if takes or (self.criterion.classes or k) != k:
                    continue
                rule = "a formula must take every distribution of classes"
                remedy = "use m.xlogx, m.where and so on"
                raise ValueError(complaint(rule, reason, remedy)) from error
        self.numbers = takes

    def _probed(self, k: int) -> None:
        """Compute the score at a few tables, twice and counted."""
        for table in few_tables(k):
            try:
                once = _counted(self.score, table)
                del self.values[table]
                again = self.score(table)
                if isinstance(once, Ball) != isinstance(again, Ball) or str(once) != str(again):
                    rule = "a formula must give one distribution the same value each time"
                    got = f"{once} and {again} at {told(table)}"
                    raise ValueError(complaint(rule, got, "remove its random numbers"))
                allowed(self.criterion.score if self.impurity is None else self.impurity.of)
            except ZeroDivisionError as error:
                got = f"a division by 0 at {told(table)}"
                raise ValueError(complaint("a formula must be defined at shares of 0", got, "write m.where")) from error
            except Undecided as error:
                rule = "a formula must treat numbers and symbols alike"
                raise ValueError(complaint(rule, error, "rewrite it")) from error
        names = dict.fromkeys((f"{side}{j}" for side in "ab" for j in range(k)), "positive")

        def run(v: Any, m: Any) -> Any:
            return self.criterion.score([[getattr(v, f"{side}{j}") for j in range(k)] for side in "ab"], m)

        why = Smt(names, lambda v, m: m.number(run(v, m)) >= 0, None, 1).settle().evidence
        if "m.where" in why:
            raise ValueError(complaint("a formula may not branch on its values", why, "write m.where"))

    # Findings.

    def finding(self, property: str, k: int | str) -> Finding:
        """The finding of a property, made once."""
        if (property, k) not in self.cells:
            self.cells[property, k] = self._found(property, k)
        return self.cells[property, k]

    def _found(self, name: str, k: int | str) -> Finding:
        tried: list[str] = []
        theorem = ("a theorem about a multiple of it", self._of_kin)
        witness = ("small cases for a witness", self._witness)
        first = (theorem, witness) if _is_named(self.criterion) else (witness, theorem)
        for words, route in (*first, ("other properties, curvature and the solver", self._derived)):
            if self.numeric and route == self._witness:
                continue
            try:
                cell = route(name, k)
            except (Undecided, ArithmeticError, TypeError, ValueError, LookupError) as error:
                tried.append(f"{words}: {error}")
                continue
            if isinstance(cell, tuple):
                cell = Finding(name, k, "settled", cell)
            if isinstance(cell, Finding):
                return replace(cell, tried=(*tried, words))
            tried.append(f"{words}: {cell or 'none found'}")
        return Finding(name, k, "open", tried=tuple(tried))

    def agree(self) -> None:
        """Raise an error if two findings contradict one another: then one of them is a fault of the checker."""
        for (name, k), cell in self.cells.items():
            weaker: list[tuple[str, int | str]] = [
                (name, j) for j in (self.numbers if k == EVERY and name != EARLY else ())
            ]
            weaker += [(CONCAVE, k)] if name == STRICT else [(SYMMETRIC, k), (CONCAVE, k)] if name == BOOSTING else []
            for other in weaker if cell.verdict == "settled" else ():
                if other in self.cells and self.cells[other].verdict == "refuted":
                    got = f"{name} settled for {_classes(k)}, {other[0]} refuted for {_classes(other[1])}"
                    raise RuntimeError(complaint("the findings of a row must agree", got, "report the formula"))

    def holds(self, property: str, k: int | str) -> tuple[str, ...]:
        """The grounds of a settled property, else none; for one number of classes or for all."""
        for classes in dict.fromkeys((k, EVERY)):
            cell = self.finding(property, classes)
            if cell.verdict == "settled":
                return (f"that it is {property}", *cell.rests_on)
        return ()

    # A multiple of a criterion of the library: its theorems.

    def kin(self, k: int | str) -> tuple[str, tuple[str, ...]] | None:
        """The criterion of the library whose multiple this is for a number of classes, and why."""
        if k not in self.kins:
            self.kins[k] = self._kin(k)
        return self.kins[k]

    def _kin(self, k: int | str) -> tuple[str, tuple[str, ...]] | None:
        if _is_named(self.criterion):
            return self.criterion.name, ()
        if self.impurity is None or self.numeric:
            return None
        for known in KNOWN:
            factor = self._ratio(known, 2 if k == EVERY else int(k))
            if factor is None:
                continue
            if self._part_multiple(known, factor) if k == EVERY else self._multiple(known, factor, int(k)):
                return decrease(known).name, (f"algebra: {factor} times that of {known.name}",)
        return None

    def _ratio(self, known: Impurity, k: int) -> Fraction | None:
        """The factor by which the decrease at a table is larger, if it is at some others."""
        ratios = set()
        for table in (((2, 1), (1, 3)), ((5, 1), (2, 2)), ((0, 3), (4, 1))):
            cells = [[float(x) for x in (*row, *[1] * (k - 2))] for row in table]
            mine, its = (float(c.score(cells, FLOAT)) for c in (self.criterion, decrease(known)))
            if not its > 0:
                return None
            ratios.add(Fraction(mine / its).limit_denominator(10_000))
        return ratios.pop() if len(ratios) == 1 and min(ratios) > 0 else None

    def _multiple(self, known: Impurity, factor: Fraction, k: int) -> bool:
        """True if the impurity less the multiple is linear on each support of the simplex, so that no decrease differs.

        On a support some shares are 0 and the others positive; linear is ``gap(p) = sum_j p_j gap(e_j)``.
        """

        def gap(p: list[Any], m: Any) -> Any:
            return m.number(self._of(p, m)) - factor * known.of(p, m)

        def linear(support: tuple[int, ...]) -> bool:
            def at_vertices(v: Any, m: Any) -> Any:
                p = _on_support(v, support, k, m)
                return v.free + sum(p[j] * gap([m.number(int(i == j)) for i in range(k)], m) for j in support)

            kinds = {**_kinds(support), "free": "real"}
            return proved(Identity(kinds, lambda v, m: v.free + gap(_on_support(v, support, k, m), m), at_vertices))

        return all(map(linear, _supports(k)))

    def _part_multiple(self, known: Impurity, factor: Fraction) -> bool:
        """Whether what each class adds is the multiple, up to a part that all distributions share."""
        if not (self.separable and _Study.of(known, [2], self.work).separable):
            return False
        other = _part(known)

        def gap(x: Any, m: Any) -> Any:
            return self.part(x, m) - factor * other(x, m)

        kinds = {"x": "rate", "free": "real"}
        return proved(
            Identity(kinds, lambda v, m: v.free + gap(v.x, m), lambda v, m: v.free + v.x * gap(m.number(1), m))
        )

    def _of_kin(self, name: str, k: int | str) -> Result:
        kin = self.kin(k)
        if kin is None:
            return "not a multiple of any criterion with theorems"
        criterion, grounds = kin
        if name == PURE and grounds:
            return "the decrease does not change if a constant is added to the impurity"
        mine = [f for f in facts() if f["property"] == name and speaks_of(f["criterion"], criterion)]
        for fact in mine:
            here = k == EVERY or within(fact["classes"], int(k))
            if fact["verdict"] == "fails" and here:
                witness = fact["witness"] or fact["scope"]
                return Finding(name, k, "refuted", (*grounds, fact["theorem"]), (), witness, fact.get("splits", ()))
        holding = [f for f in mine if f["verdict"] == "holds"]
        fits = [[f for f in holding if covers([f["classes"]], part)] for part in ((2, ">2") if k == EVERY else (k,))]
        if not all(fits):
            return f"no theorem about {criterion} covers it"
        used = [(f["theorem"], *["kernel-checked"] * bool(f.get("kernel")), *f["rests_on"]) for f, *_ in fits]
        return (*grounds, *dict.fromkeys(itertools.chain(*used)))

    # Small cases, exactly.

    def _witness(self, name: str, k: int | str) -> Result:
        for number in self._sizes(k):
            case = self.against(name, number)
            if case is not None:
                verdict: Word = "settled" if name == EARLY else "refuted"
                words = f"{case[0]}" if k == number else f"K = {number}: {case[0]}"
                return Finding(name, k, verdict, ("a witness",) if name == EARLY else (), (), words, case[1])
        return ""

    def _sizes(self, k: int | str) -> list[int]:
        only = self.criterion.classes
        return [x for x in (*self.numbers, 4) if only in (None, x)] if k == EVERY else [int(k)]

    # What follows from algebra and from other properties.

    @property
    def _of(self) -> Callable[[Any, Any], Any]:
        assert self.impurity is not None
        return self.impurity.of

    def part(self, x: Any, m: Any) -> Any:
        """The term of a class of share x, if the impurity is a sum over classes."""
        assert self.impurity is not None
        return _part(self.impurity)(x, m)

    @cached_property
    def separable(self) -> bool:
        """Whether the impurity is a constant and a sum of one function of each share, for every number of classes."""
        if self.impurity is None or self.numeric:
            return False
        of = self._of
        try:
            rest = _constant(self.impurity)
            claim = Induction(
                "K",
                {"x": "rate"},
                lambda entries, v, m: (of([e.x for e in entries], m), 0),
                lambda e, v, m: [of([e.x], m) - rest],
                lambda s, v, m: (s[0] + rest, 0),
            )
            return not claim.apart and all(proved(claim._link(number)) for number in claim.numbers)
        except (Undecided, Exception):  # a user's formula need not take one class
            return False

    def _derived(self, name: str, k: int | str) -> Result:
        if name in (CONCAVE, STRICT) and self.numeric:
            key = "gain.is_nonnegative_and_impurity_concave_of_any_loss"
            return (key,) if name == CONCAVE else "a numerical minimum has no formula"
        if name in (CONCAVE, STRICT):
            return self._bent(name, k)
        if name == PURE:
            return self._pure(k)
        if name == SYMMETRIC:
            return self._alike(k)
        if name == EARLY and self.impurity is not None and (grounds := self.holds(STRICT, k)):
            words = "it is strictly concave: every split whose children differ scores above 0"
            return Finding(name, k, "refuted", grounds, (), words)
        if name in IMPLIED and self.impurity is not None and (k == 2 or name != ORDERED):
            return self._implied(name, k)
        if name == SKEW and k != EVERY:
            return self._insensitive(int(k))
        if name == CONSERVATIVE and k != EVERY:
            return self._conservative(int(k))
        return "nothing known implies or refutes it"

    def _implied(self, name: str, k: int | str) -> Result:
        """Settle a property by those that imply it; only the condition of boosting fails where one of them does."""
        needed, theorem = IMPLIED[name]
        grounds = {each: self.holds(each, k) for each in needed}
        for each in needed:
            if not grounds[each]:
                failed = self.finding(each, k)
                if name == BOOSTING and failed.verdict == "refuted":
                    return Finding(name, k, "refuted", (), (), f"not {each}: {failed.witness}", failed.table)
                return f"{each} is {failed.verdict}"
        return (*dict.fromkeys(itertools.chain(*grounds.values())), *theorem)

    def _bent(self, name: str, k: int | str) -> Result:
        ways: list[tuple[Callable[[], str], tuple[str, ...]]] = []
        if self.separable:
            part = lambda p, m: self.part(p[0], m)  # noqa: E731
            alone: Any = {"x": "rate"}, lambda v: [v.x], lambda v: [1], part, name == STRICT
            ways += [
                (lambda: self._signed(*alone), ("a sum over classes of one curved part", CURVED)),
                (lambda: self._midpoints(part, 1), ("a sum over classes of one part", MIDPOINTS)),
            ]
        if k != EVERY:
            ways += [
                (lambda: self._curved(int(k), name == STRICT), (CURVED,)),
                (lambda: self._midpoints(self._of, int(k) - 1), (MIDPOINTS,)),
            ]
        why: list[str] = []
        for way, grounds in ways:
            if name == STRICT and MIDPOINTS in grounds:
                continue
            if not (words := way()):
                return ("algebra", *grounds)
            if self.bulge is not None and name == CONCAVE and (chord := self.near(*self.bulge)):
                return Finding(name, k, "refuted", (), (), *chord)
            why.append(words)
        return "; ".join(why) or "not a sum over classes, so curvature settles single K only"

    def _curved(self, k: int, strict: bool) -> str:
        names = {f"p{i}": "rate" for i in range(k - 1)}
        names |= {f"d{i}": "real" for i in range(k - 1)} if k > 2 else {}

        def shares(v: Any) -> list[Any]:
            p = [getattr(v, f"p{i}") for i in range(k - 1)]
            return [*p, 1 - sum(p)]

        def along(v: Any) -> list[Any]:
            d = [getattr(v, f"d{i}") for i in range(k - 1)] if k > 2 else [1]
            return [*d, -sum(d)]

        return self._signed(names, shares, along, self._of, strict)

    def _signed(self, names: dict[str, str], shares: Any, along: Any, of: Any, strict: bool) -> str:
        """Why it is not known that the formula bends down everywhere inside and is continuous; nothing if it is.

        A part of one share ``x`` is a formula of it alone, below 1 inside; others are of the shares of all classes.
        """
        point, one, self.bulge = _at_a_point(names), "x" in names, None
        try:
            inside = atoms_of(lambda m: bend(of, shares(point), along(point), m))
        except Undecided as error:
            return f"curvature: {error}"
        kinds = {f"atom{i}": "real" for i in range(len(inside))}
        moved = len(names) > len(shares(point))

        def hypotheses(v: Any, m: Any) -> list[Any]:
            known = [x > 0 for x in shares(v)] + ([v.x < 1] if one else [])
            return known + [
                getattr(v, x) > 0 for x, kind in zip(kinds, inside, strict=True) if kind in ("power", "exp")
            ]

        def conclusion(v: Any, m: Any) -> Any:
            atoms = Atoms(m, [getattr(v, x) for x in kinds])
            second = bend(of, shares(v), along(v), atoms)
            sign: Any = second < 0 if strict else second <= 0
            if strict and moved and type(second) is not int:
                sign = sign | reduce(and_, [x == 0 for x in along(v)[:-1]])
            return reduce(and_, [x > 0 for x in atoms.of], sign)

        verdict = Smt({**names, **kinds}, conclusion, hypotheses, self.work).settle()
        if verdict.status is Status.PROVED:
            return self._continuous(names, shares, of)
        at = dict(part.split(" = ") for part in verdict.witness.split(", ") if " = " in part)
        if not one and set(names) <= set(at):
            v = SimpleNamespace(**{name: Fraction(at[name]) for name in names})
            self.bulge = tuple(map(Fraction, shares(v))), along(v)
        return f"curvature: {verdict.evidence}"

    def _continuous(self, names: dict[str, str], shares: Any, of: Any) -> str:
        """Why it is not known that the formula is continuous on the closed simplex; nothing if it is."""
        names = {name: kind for name, kind in names.items() if kind == "rate"}
        point = _at_a_point(names)
        asked = atoms_of(lambda m: of(shares(point), m))
        if "log" in asked:
            return "the formula takes the logarithm of a share that may be 0; write m.xlogx"
        kinds = {f"atom{i}": "real" for i in range(len(asked))}

        def conclusion(v: Any, m: Any) -> Any:
            p, known = shares(v), [getattr(v, x) for x in kinds]
            plain, filled = Atoms(m, known), Atoms(m, known)
            inside = Filled(filled, p)
            one, other = m.number(of(p, plain)), of(p, inside)
            same: Any = (one >= ODD) | (one < ODD)  # that it is defined, which every claim of a formula claims
            return reduce(and_, [x >= 0 for x in filled.of], one == other if inside.used else same)

        why = self._unsettled({**names, **kinds}, conclusion, lambda v, m: [x >= 0 for x in shares(v)])
        return why and f"continuity at the boundary: {why}"

    def _midpoints(self, of: Callable[[Any, Any], Any], free: int) -> str:
        """Why the solver does not show that the middle of a chord is not above the formula; nothing if it does.

        The formula is of shares of which ``free`` are variables; one more is the rest.
        """
        names = {f"{letter}{i}": "rate" for letter in "xy" for i in range(free)}

        def ends(v: Any) -> list[list[Any]]:
            parts = [[getattr(v, f"{letter}{i}") for i in range(free)] for letter in "xy"]
            return [[*p, 1 - sum(p)] for p in parts]

        def conclusion(v: Any, m: Any) -> Any:
            x, y = ends(v)
            middle = [(a + b) / 2 for a, b in zip(x, y, strict=True)]
            return 2 * m.number(of(middle, m)) >= of(x, m) + of(y, m)

        why = self._unsettled(names, conclusion, lambda v, m: [part[-1] >= 0 for part in ends(v)])
        return why and f"midpoints of chords: {why}"

    def _unsettled(self, names: dict[str, str], conclusion: Any, hypotheses: Any = None) -> str:
        """Why the solver does not settle a claim; nothing if it does."""
        verdict = Smt(names, conclusion, hypotheses, self.work).settle()
        return "" if verdict.status is Status.PROVED else verdict.evidence

    def _pure(self, k: int | str) -> Result:
        if self._vertices_are_zero(k):
            if grounds := self.holds(STRICT, k):
                return (*grounds, "0 at the vertices, by evaluation")
            above = k == 2 and surely_above(self.value((Fraction(1, 2),) * 2), 0)
            if above and (grounds := self.holds(CONCAVE, 2)):
                return (*grounds, "0 at the vertices and above 0 at equal shares, by evaluation")
        return "the checker cannot show that it lies above its chords between vertices"

    def _vertices_are_zero(self, k: int | str) -> bool:
        if self.numeric or (k == EVERY and not (self.separable and surely_equal(self.part(Fraction(0), EXACT), 0))):
            return False
        number = 2 if k == EVERY else int(k)
        return all(surely_equal(self.value(tuple(vertex(j, number))), 0) for j in range(number))

    def _alike(self, k: int | str) -> Result:
        if self.separable:
            return ("algebra", "a sum of one function over the classes")
        if k == EVERY:
            return "not a sum over classes"
        for support in _supports(number := int(k)):
            for i in (i for i in range(number - 1) if {i, i + 1} & set(support)):
                if why := self._exchanged(number, support, [*range(i), i + 1, i, *range(i + 2, number)]):
                    return why
        return ("algebra",)

    def _exchanged(self, number: int, support: tuple[int, ...], order: list[int]) -> str:
        """Why the impurity is not known to be the same with its classes in another order; nothing if it is."""

        def of(v: Any, m: Any, order: Sequence[int]) -> Any:
            p = _on_support(v, support, number, m)
            return self._of([p[j] for j in order], m)

        names, as_it_is = _kinds(support), range(number)
        if proved(Identity(names, lambda v, m: of(v, m, as_it_is), lambda v, m: of(v, m, order))):
            return ""
        return self._unsettled(names, lambda v, m: m.number(of(v, m, as_it_is)) == of(v, m, order))

    def _insensitive(self, k: int) -> Result:
        for support in itertools.product([*_supports(k, 1)], repeat=2):
            sides = dict(zip("ab", support, strict=True))

            def score(v: Any, m: Any, factor: Any, sides: dict[str, tuple[int, ...]] = sides) -> Any:
                rows = [[getattr(v, f"{side}{j}") if j in on_side else m.number(0) for j in range(k)]
                        for side, on_side in sides.items()]  # fmt: skip
                return v.free + self.criterion.score([[row[0] * factor, *row[1:]] for row in rows], m)

            kinds = {f"{side}{j}": "positive" for side, on_side in sides.items() for j in on_side}
            claim = Identity({**kinds, "s": "positive", "free": "real"},
                             lambda v, m: score(v, m, 1), lambda v, m: score(v, m, v.s))  # fmt: skip
            verdict: Verdict = claim.settle()
            if verdict.status is not Status.PROVED:
                return verdict.evidence
        return ("algebra",)

    def _conservative(self, k: int) -> Result:
        assert self.loss is not None
        if self.loss.space != "simplex":
            return "only a loss whose actions are distributions can be conservative"
        at, names = self.loss.at, {f"w{i}": "rate" for i in range(k)}

        def conclusion(v: Any, m: Any) -> Any:
            w, most = [getattr(v, x) for x in names], at([1, *[0] * (k - 1)], 1, m)
            costs = [m.number(at(w, j, m)) for j in range(k)]
            return reduce(and_, [x <= most for x in costs], sum(costs[1:], start=costs[0]) >= most * (k - 1))

        why = self._unsettled(names, conclusion, lambda v, m: [sum(getattr(v, x) for x in names) == 1])
        free = all(surely_equal(cost_of(self.loss, vertex(j, k), j), 0) for j in range(k))
        return why or (("algebra",) if free else "a sure, right answer is not known to be free")


def proved(claim: Any) -> bool:
    """Whether a claim is settled."""
    try:
        return bool(claim.settle().status is Status.PROVED)
    except (ValueError, ArithmeticError):
        return False


def _supports(k: int, least: int = 2) -> Iterator[tuple[int, ...]]:
    """Yield the sets of classes whose shares are positive together, the largest first."""
    for size in range(k, least - 1, -1):
        yield from itertools.combinations(range(k), size)


def _kinds(support: tuple[int, ...]) -> dict[str, str]:
    return {f"p{j}": "positive" for j in support}


def _on_support(v: Any, support: tuple[int, ...], k: int, m: Any) -> list[Any]:
    """The shares of ``k`` classes, of which those of the support are positive and the others 0."""
    cells = [getattr(v, f"p{j}") for j in support]
    whole = sum(cells[1:], start=cells[0])
    return [getattr(v, f"p{j}") / whole if j in support else m.number(0) for j in range(k)]


def _constant(impurity: Impurity) -> Fraction:
    """The term that an impurity adds for each class, if it is a sum over classes."""
    none = Fraction(0)
    twice: Fraction = 2 * impurity.of([none], EXACT) - impurity.of([none, none], EXACT)
    return twice


def _part(impurity: Impurity) -> Callable[[Any, Any], Any]:
    """The term of a class of share x in an impurity that is a sum over classes."""
    rest = _constant(impurity)
    return lambda x, m: impurity.of([x], m) - rest


def _at_a_point(names: dict[str, str]) -> Any:
    """An enclosed point inside the simplex, with a direction."""
    values = {name: BALL.number(Fraction(1, len(names) + 2)) for name in names}
    return SimpleNamespace(**values)


def _is_named(criterion: Criterion) -> bool:
    """Whether a criterion is the library's own of its name, not one that only bears it."""
    value: Any = criterion if criterion.impurity is None else criterion.impurity
    if isinstance(value, Impurity) and criterion != decrease(value):
        value = criterion
    formula = value.of if isinstance(value, Impurity) else value.score
    for room in (impurities, criteria, nulls):
        ours = getattr(room, value.name.partition("(")[0], None)
        if ours == value:
            return True
        if callable(ours) and "(" in value.name and dataclasses.is_dataclass(formula):
            with suppress(TypeError, ValueError):
                if ours(**vars(formula)) == value:
                    return True
    return False


class _TooLong(Exception):
    """A formula took more steps than it may."""


def _counted(run: Callable[[Any], Any], table: Any) -> Any:
    """Return a value, or refuse a formula that runs through too many lines for it."""
    left = [LINES]

    def step(frame: Any, event: str, _: Any) -> Any:
        left[0] -= event == "line"
        if left[0] < 0:
            raise _TooLong
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        return run(table)
    except _TooLong:
        rule, got = "a formula may run only a few lines per table", f"more than {LINES:,}"
        raise ValueError(complaint(rule, got, "write a sum over classes, without a search")) from None
    finally:
        sys.settrace(before)
