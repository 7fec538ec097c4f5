"""What became of a printed claim or number: a verdict, an interval where a ratio decides, a reason that data bear out.

Main definitions: ``VERDICTS``, ``verdict``, ``Claim``, ``Reason``, ``Interval``, ``bootstrap_interval`` (of claims);
``CELLS``, ``cell_verdict``, ``cell_counts`` (of numbers); ``state``, ``STATED`` (of pages).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import complaint

from .tables import table

Array = NDArray[Any]
Part = bool | None  # None: the runs leave it open
VERDICTS = HOLDS, IN_PART, FAILS, UNDECIDED = ("holds", "holds in part", "does not hold", "undecided")
CELLS = AGREES, WITHIN, DIFFERS, INCOMPARABLE, UNPRINTED, NOT_RUN = (
    "agrees", "within spread", "differs", "not comparable", "not printed", "not run",
)  # fmt: skip
CELL_RULE = (
    "A number *agrees* with the printed one if they are at most one point of accuracy apart, or equal to the printed "
    "digits where it is no accuracy; it is *within spread* if they are at most two standard deviations of single runs "
    "apart, ours and the printed one added as variances, and else it *differs*. It is *not comparable* if our data are "
    "others than the paper's, *not printed* if the paper has no such number, *not run* if we have none."
)
ROUNDING = 1e-9  # what floats make of two printed digits
TYPED = re.compile(r"\{[^}]*\}|`[^`]*`|\]\([^)]*\)")  # fields, code and the targets of links may have digits in them


def verdict(parts: Iterable[Part]) -> str:
    """What became of a claim from what became of its parts; None is a part that the runs leave open.

    Examples
    --------
    >>> verdict([True, True]), verdict([True, None]), verdict([False, None]), verdict([None])
    ('holds', 'holds in part', 'does not hold', 'undecided')
    """
    outcomes = list(parts)
    if any(outcomes):
        return HOLDS if all(outcomes) else IN_PART
    return FAILS if False in outcomes else UNDECIDED


def cell_verdict(
    ours: float | None, printed: float | None, *deviations: float | None, near: float = 1.0, comparable: bool = True
) -> str:
    """Return one of ``CELLS`` for a number of ours beside the printed one, by ``CELL_RULE``.

    Parameters
    ----------
    ours, printed : float, optional
    *deviations : float, optional
        Standard deviations of single runs, ours and the printed one, as far as they are known.
    near : float
        The largest difference of numbers that agree; by default a point of accuracies in percent.
    comparable : bool
        Whether both are of the same data.

    Examples
    --------
    >>> [cell_verdict(ours, 90.0, 1.5, 2.0) for ours in (91.0, 85.0, 84.9)]
    ['agrees', 'within spread', 'differs']
    >>> cell_verdict(91.0, 90.0, comparable=False), cell_verdict(91.0, None), cell_verdict(None, 90.0)
    ('not comparable', 'not printed', 'not run')
    """
    if ours is None or printed is None:
        return UNPRINTED if printed is None else NOT_RUN
    if not comparable:
        return INCOMPARABLE
    apart, spread = abs(ours - printed) - ROUNDING, math.hypot(*(x for x in deviations if x is not None))
    return AGREES if apart <= near else WITHIN if apart <= 2 * spread else DIFFERS


def cell_counts(groups: Mapping[str, Iterable[str]], heading: str = "numbers") -> str:
    """Markdown: how many numbers of each group got which verdict, the columns those of ``CELLS``.

    Examples
    --------
    >>> print(cell_counts({"trees": ["agrees", "differs", "agrees"]}))
    | numbers | agrees | within spread | differs | not comparable | not printed | not run |
    |---|---:|---:|---:|---:|---:|---:|
    | trees | 2 | 0 | 1 | 0 | 0 | 0 |
    """
    counts = {name: Counter(words) for name, words in groups.items()}
    return table((heading, *CELLS), [(name, *(count[word] for word in CELLS)) for name, count in counts.items()])


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, how it is read here, and which of its parts hold.

    Parameters
    ----------
    says, read : str
    parts : dict of bool or None
        By what each part is about; None where the runs leave it open.

    Examples
    --------
    >>> Claim("Noise hurts little", "at most 2 points", {"trees": True, "forests": True, "machines": False}).words
    '**holds in part**: not for machines'
    """

    says: str
    read: str
    parts: Mapping[str, Part]

    @property
    def verdict(self) -> str:
        """One of ``VERDICTS``."""
        return verdict(self.parts.values())

    @property
    def words(self) -> str:
        """The verdict, in Markdown; of a claim that holds in part, for which parts, in the shorter way."""
        by = {word: [name for name, part in self.parts.items() if part == state]
              for word, state in (("for", True), ("not for", False), ("undecided for", None))}  # fmt: skip
        holding = by.pop("for")
        if self.verdict != IN_PART:
            return f"**{self.verdict}**"
        if 2 * len(holding) < len(self.parts):
            return f"**{IN_PART}**: for {', '.join(holding)} only"
        return f"**{IN_PART}**: " + "; ".join(f"{word} {', '.join(names)}" for word, names in by.items() if names)


@dataclass(frozen=True)
class Reason:
    """Why a claim does not hold: a sentence that is said only while the data bear it out.

    Parameters
    ----------
    sentence : str
        With a field for every figure, such as ``{lost:.2f}``; a figure typed by hand is refused.
    holds : callable
        ``holds(**figures)`` says whether the sentence is true of them.
    figures : dict
        Computed from the data.

    Raises
    ------
    ValueError
        If a figure is typed in the sentence; and by ``text`` if the figures do not bear the sentence out.

    Examples
    --------
    >>> why = Reason("forests lose {lost:.1f} points", lambda lost: lost > 5, {"lost": 8.3})
    >>> why.text
    'forests lose 8.3 points'
    """

    sentence: str
    holds: Callable[..., Any] = field(repr=False)
    figures: Mapping[str, Any]

    def __post_init__(self) -> None:
        if typed := re.search(r"\d+", TYPED.sub("", self.sentence)):
            raise ValueError(complaint("a reason takes its figures from the data", typed[0], "name it in figures"))

    @property
    def text(self) -> str:
        """The sentence with its figures."""
        if not self.holds(**self.figures):
            rule = "a reason is given only while the data bear it out"
            raise ValueError(complaint(rule, f"{self.sentence!r} of {dict(self.figures)}", "find what is so now"))
        return self.sentence.format(**self.figures)


STATED: dict[Path, tuple[Any, Any, Any]] = {}


def state(paper: str, claims: Mapping[str, Claim], reasons: Mapping[str, Reason], number_verdicts: Any) -> None:
    """Keep what the page of a paper states, which runs in its own folder, for the page that gathers verdicts.

    A reason's function lives as long as the names of its page, so that it is asked now; where the data do not bear a
    reason out, nothing is kept.
    """
    if all(reason.holds(**reason.figures) for reason in reasons.values()):
        borne_out = {name: replace(reason, holds=_borne_out) for name, reason in reasons.items()}
        STATED[Path.cwd() / paper] = claims, borne_out, number_verdicts


def _borne_out(**figures: Any) -> bool:
    return True


@dataclass(frozen=True)
class Interval:
    """An estimate and the interval around it; a format such as ``.1f`` goes to all three numbers.

    Examples
    --------
    >>> f"{Interval(4.0, 2.0, 8.0):.1f}"
    '4.0 (2.0 to 8.0)'
    """

    estimate: float
    low: float
    high: float

    def __format__(self, spec: str) -> str:
        return f"{self.estimate:{spec}} ({self.low:{spec}} to {self.high:{spec}})"

    def within(self, least: float, most: float) -> Part:
        """Whether the whole interval lies between two bounds, or none of it; None if a bound divides it.

        Examples
        --------
        >>> [Interval(4.0, 2.0, 8.0).within(*bounds) for bounds in ((1, 9), (9, 10), (5, 10))]
        [True, False, None]
        """
        if least <= self.low and self.high <= most:
            return True
        return False if self.high < least or self.low > most else None


def bootstrap_interval(
    statistic: Callable[..., Any], *samples: Array, draws: int = 4000, level: float = 0.95, seed: int = 0
) -> Interval:
    """A statistic of samples with its percentile bootstrap interval.

    Of each sample as many entries are drawn anew, with replacement; samples are drawn independently. Of few entries the
    interval is a little too short.

    Parameters
    ----------
    statistic : callable
        ``statistic(*samples)`` is a number; infinite ones are ordered as numbers are.
    samples : arrays
        Their first axis is that of the runs, or of whatever is drawn; what is paired stands in one sample.
    draws : int
    level : float
    seed : int

    References
    ----------
    B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, Chapman and Hall (1993), chapter 13.

    Examples
    --------
    >>> f"{bootstrap_interval(np.mean, np.arange(10.0)):.1f}"
    '4.5 (2.7 to 6.3)'
    """
    if few := [len(sample) for sample in samples if len(sample) < 2]:
        raise ValueError(complaint("a bootstrap draws from two runs at least", few[0], "make more runs"))
    rng, sizes = np.random.default_rng(seed), [len(sample) for sample in samples]
    drawn = [
        statistic(*(x[rng.integers(n, size=n)] for x, n in zip(samples, sizes, strict=True))) for _ in range(draws)
    ]
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2), method="inverted_cdf")
    return Interval(float(statistic(*samples)), float(low), float(high))
