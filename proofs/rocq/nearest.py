"""Of which theorem of the ledger a theorem of Rocq speaks most: names, hypotheses and conclusions of both, in words.

A key that is exchanged for a neighbour's is another statement, and what tells the two apart stands in the theorem of
Rocq: in its name, the comment above it, the function that it is about and its statement, hypotheses and conclusion.
Words that few statements have count more, those of a name twice, and two that follow each other count as a word too.

Main definitions: ``nearness`` (of a theorem of Rocq to every key), ``functions`` (of the library, in a text),
``explained`` (pairs for which ``nearest.toml`` says why a theorem is listed for a key to which another is nearer).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from math import log
from pathlib import Path

from splitcrit.proofs import catalogue
from splitcrit.proofs.kernel import Checked

KEPT = Path(__file__).parent / "nearest.toml"
ALIKE = {"unifor": "symmet", "expect": "mean"}  # words for one thing, short of their endings
FUNCTIONS = {  # functions of the library, and how they are spoken of; what stands first is taken out first
    "sqrt_gini": r"sqrt gini|(?:square )?root of gini", "pairwise_gain": r"pairwise", "one_vs_rest": r"one vs rest",
    "sum_minority": r"sum minority|sum of minorities", "bayes_sum": r"bayes sum|min\(p",
    "cross_entropy": r"(?:symmetric |normalised |generalised )?cross entropy|softmax", "gce": r"gce",
    "ne": r"ne\b|negative exponential", "sgini": r"sgini", "agini": r"agini", "gini": r"gini",
    "entropy": r"entropy|information",
    "misclassification": r"misclassification|1 max p|errors?\b|conservative|zero one",
    "twoing": r"twoing", "matushita": r"matushita", "mae": r"mae\b|absolute (?:loss|error)",
    "absolute_deviation": r"absolute deviation|median", "infinity": r"infinity", "chi_square": r"chi square",
    "gain_ratio": r"gain ratios?", "dkm": r"dkm", "hellinger": r"hellinger", "renyi": r"renyi", "poisson": r"poisson",
    "kappa": r"kappa",
}  # fmt: skip


def functions(text: str) -> frozenset[str]:
    """The functions of the library that a text speaks of.

    Examples
    --------
    >>> sorted(functions("the square root of Gini, not SGini")), sorted(functions("py_gini_is_concave"))
    (['sgini', 'sqrt_gini'], ['gini'])
    """
    names, text = set(), " ".join(re.findall(r"min\(p|[a-z]+|\d+", text.lower()))
    for name, spoken in FUNCTIONS.items():
        text, times = re.subn(rf"\b(?:{spoken})", "|", text)
        if times:
            names.add(name)
    return frozenset(names)


def nearness(theorem: Checked) -> dict[str, float]:
    """How much of the words of each key a theorem of Rocq says."""
    name = re.sub(r"^(?:py|erratum)_", "", theorem.name)
    of = theorem.function.partition(".")[2]
    mine, (weights, index) = _words((name, 2.0), (theorem.says, 1.0), (of, 1.0), (theorem.states, 0.7)), _ledger()
    shares: dict[str, float] = defaultdict(float)
    for word in mine.keys() & weights.keys():
        for key, value in index[word]:
            shares[key] += mine[word] * weights[word] * value
    return dict(shares)


@cache
def explained() -> dict[tuple[str, str], str]:
    """Why theorems are listed for keys to which others are nearer, by theorem and key."""
    entries = tomllib.loads(KEPT.read_text(encoding="utf-8")).get("nearest", [])
    return {(name, entry["key"]): entry["why"] for entry in entries for name in entry["theorems"]}


@cache
def _ledger() -> tuple[dict[str, float], dict[str, list[tuple[str, float]]]]:
    """The weight of each word of the ledger, and the keys that say it, each with its share of their words."""
    every = {}
    for key, theorem in catalogue.collect().items():
        area, _, name = key.partition(".")
        every[key] = _words((name, 2.0), (area, 0.5), (theorem.statement, 1.0), (theorem.added, 1.0))
    times = Counter(word for words in every.values() for word in words)
    weights = {word: log(1 + len(every) / n) for word, n in times.items()}
    index: dict[str, list[tuple[str, float]]] = {word: [] for word in weights}
    for key, words in every.items():
        length = sum((value * weights[word]) ** 2 for word, value in words.items()) ** 0.5
        for word, value in words.items():
            index[word].append((key, value * weights[word] / length))
    return weights, index


def _words(*parts: tuple[str, float]) -> dict[str, float]:
    """The words of texts, short of their endings, and those that follow each other, each with its weight."""
    weights_of: dict[str, float] = {}
    for text, weight in parts:
        plain = re.sub(r"[_-]", " ", text.lower().replace("p-value", "pvalue"))
        short = [x if x.isdigit() else x.rstrip("s")[:6] for x in re.findall(r"[a-z]{4,}|\d+", plain)]
        stems = [ALIKE.get(x, x) for x in short]
        for word in [*stems, *map(" ".join, pairwise(stems))]:
            weights_of[word] = max(weights_of.get(word, 0.0), weight)
    return weights_of
