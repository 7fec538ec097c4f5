"""A formula recorded once as a list of operations, each of them done once, and replayed on every block.

A formula of K classes may ask for the same number K times: the risk of ``at(w, k) = sum_j w_j^2 - 2 w_k + 1`` sums the
squares for every class. Recorded on symbols that know equal operations on equal operands, it does so once. The same
operations are done in the same order, so that a replay returns the formula's own floats; a formula that does what no
symbol can do (look at a value, ask numpy) is not recorded.

Main definitions: ``Tape``, ``recorded``, ``WeightedImpurity``.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, total
from splitcrit.arith.tracing import FLOATS, Node, Tracer, operands_first
from splitcrit.trees.scan.records import CompiledTape

Function = Callable[..., Any]
ROUNDED = (  # correctly, by IEEE 754; in the order of tapes_compiled
    operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.abs, FLOAT.sqrt, np.maximum,
    np.minimum, FLOAT.where, operator.eq, operator.ne, operator.lt, operator.le,
)  # fmt: skip
WHERE, COMPARISONS = FLOAT.where, ROUNDED[10:]


@dataclass(frozen=True)
class WeightedImpurity:
    """The size of a sample with these class counts, not all 0, its size times its impurity, and its impurity."""

    of: Callable[[Any, Any], Any]

    def __call__(self, counts: Any, m: Any) -> tuple[Any, Any, Any]:
        n = total(counts)
        impurity = self.of([x / n for x in counts], m)
        return n, n * impurity, impurity


@dataclass(frozen=True, eq=False)
class Tape:
    """Steps ``(function, operands)``, whose results are numbered after the inputs and the constants.

    ``done[i]`` are the numbers that no step after ``i`` needs, ``asked`` says how often the formula asks for a step.
    """

    inputs: int
    constants: tuple[float, ...]
    steps: tuple[tuple[Function, tuple[int, ...]], ...]
    outputs: tuple[int, ...]
    done: tuple[tuple[int, ...], ...]
    asked: int

    def __call__(self, inputs: Sequence[Array] | Array) -> list[Any]:
        """Return the outputs for columns of numbers, nan where one is undefined."""
        values: list[Any] = [*inputs, *self.constants]
        with np.errstate(all="ignore"):
            for (function, operands), done in zip(self.steps, self.done, strict=True):
                values.append(function(*[values[i] for i in operands]))
                for i in done:
                    values[i] = None
        return [values[i] for i in self.outputs]

    def both(self, left: Array, right: Array) -> list[Any]:
        """Return the outputs ``(2 m,)`` for left sides ``(inputs, m)``, then for right ones.

        The compiled loop is used where it returns numpy's floats.
        """
        if self.code is None:
            return self(np.concatenate([left, right], axis=1))
        from splitcrit.trees.scan.tapes_compiled import replay

        found = np.empty((len(self.outputs), 2 * left.shape[1]))
        replay(self.code, left, right, found)
        return list(found)

    @functools.cached_property
    def code(self) -> CompiledTape | None:
        """The tape as ``tapes_compiled.replay`` takes it, None if an operation is not rounded correctly."""
        first = self.inputs + len(self.constants)
        truths: set[int] = set()  # results of comparisons, which numpy adds and multiplies as truth values
        for at, (function, operands) in enumerate(self.steps):
            if function not in ROUNDED or truths & set(operands[1:] if function == WHERE else operands):
                return None
            if function in COMPARISONS:
                truths.add(first + at)
        registers, used, free = {i: i for i in range(first)}, first, list[int]()
        steps = np.zeros((len(self.steps), 5))
        for at, (function, operands) in enumerate(self.steps):
            where = free.pop() if free else used
            used += where == used
            registers[first + at] = where
            steps[at, 0], steps[at, 4] = ROUNDED.index(function), where
            steps[at, 1 : 1 + len(operands)] = [registers[i] for i in operands]
            free += [registers[i] for i in self.done[at] if i >= first]
        outputs = np.array([registers[i] for i in self.outputs])
        return CompiledTape(steps, np.array(self.constants, dtype=float), np.arange(self.inputs, first), used, outputs)


def recorded(formula: Callable[[Any, Any], Any], inputs: int) -> Tape | None:
    """Return the tape of ``formula(numbers, m)``, which returns a tuple; None if it cannot be recorded.

    A tape is used only if it repeats the formula's floats on a batch of counts.

    Examples
    --------
    >>> tape = recorded(lambda x, m: (m.sqrt(x[0] + x[1]) + m.sqrt(x[0] + x[1]),), 2)
    >>> len(tape.steps), tape([np.array([1.0, 4.0]), np.array([3.0, 5.0])])[0].tolist()
    (3, [4.0, 6.0])
    """
    tracer = Tracer()
    symbols = [tracer.variable("count", k) for k in range(inputs)]
    trial = np.array([[(7 * i + 3 * k * i * i) % (5 + k) for i in range(64)] for k in range(inputs)], dtype=float)
    try:
        with np.errstate(all="ignore"):
            outputs = unguarded([expression.node for expression in formula(symbols, tracer)])
            tape = _assembled([symbol.node for symbol in symbols], outputs, tracer.asked)
            same = zip(tape(trial), formula(list(trial), FLOAT), strict=True)
            return tape if all(np.array_equal(a, b, equal_nan=True) for a, b in same) else None
    except Exception:  # whatever a formula does that an expression cannot; the formula itself will be asked
        return None


def unguarded(outputs: list[Node]) -> list[Node]:
    """Return formulas of counts with ``x * y`` for ``x * where(x == 0, 0, y)``, the same where ``y`` is finite."""
    new: dict[Node, Node] = {}
    most: dict[Node, float] = {}  # of a node, see _limit
    sums: dict[Node, set[Node]] = {}
    for node in operands_first(*outputs):
        parts = [new[x] if isinstance(x, Node) else x for x in node.parts]
        if node.op == "*" and parts[1].op == "if":
            condition, zero, finite = parts[1].parts
            guards = condition.op == "==" and condition.parts[0] is parts[0] and _text(condition.parts[1]) == "0.0"
            if guards and _text(zero) == "0.0" and most[finite] < np.inf:
                parts[1] = finite
        new[node] = made = Node(node.op, tuple(parts))
        if made not in most:
            most[made] = _limit(made, most, sums)
    return [new[node] for node in outputs]


def _limit(node: Node, most: dict[Node, float], sums: dict[Node, set[Node]]) -> float:
    """Return a bound of the absolute value of a number whose variables are counts; infinite without one."""
    op, parts = node.op, node.parts
    if op == "at":
        return 2.0**53
    if op == "number":
        return abs(float(parts[0]))
    if op == "/":
        if parts[1] not in sums:
            sums[parts[1]] = _summed(parts[1])
        return 1.0 if parts[0] in sums[parts[1]] else np.inf
    limits = [most[x] for x in (parts[1:] if op == "if" else parts) if isinstance(x, Node)]
    if op in ("+", "-"):
        return sum(limits)
    if op == "*" or _squared(node):
        return limits[0] * limits[-1]
    return max(limits) if op in ("neg", "abs", "max2", "min2", "if") else np.inf


def _summed(node: Node) -> set[Node]:
    """Return the variables whose sum a number is, none if it is something else."""
    inner = operands_first(node)
    return {x for x in inner if x.op == "at"} if all(x.op in ("at", "+") for x in inner) else set()


def _squared(node: Node) -> bool:
    return node.op in ("^", "**") and _text(node.parts[1]) == "2.0"


def _text(x: Any) -> str:
    """Return a constant as text, which tells 0.0 from -0.0; nothing if it is something else."""
    x = x.parts[0] if isinstance(x, Node) and x.op == "number" else x
    return "" if isinstance(x, Node) else repr(float(x))


def _assembled(inputs: list[Node], outputs: list[Node], asked: int) -> Tape:
    """Return the tape of formulas, with inputs numbered first, then constants, then steps; a square is a product."""
    done = [
        (x, operator.mul, x.parts[:1] * 2) if _squared(x) else (x, FLOATS[x.op], x.parts)
        for x in operands_first(*outputs)
        if x.op not in ("at", "number")
    ]
    texts = dict.fromkeys(text for _, _, operands in done for x in operands if (text := _text(x)))
    numbers: dict[Any, int] = {x: i for i, x in enumerate([*inputs, *texts])}
    first, steps = len(numbers), dict[Any, int]()
    for node, function, operands in done:  # what differs as a node, as 2 and 2.0 do, may be one step
        step = function, tuple(numbers[_text(x) or x] for x in operands)
        numbers[node] = steps.setdefault(step, first + len(steps))
    kept = tuple(numbers[node] for node in outputs)
    ends = {i: at for at, (_, operands) in enumerate(steps) for i in operands if i not in kept}
    ended: list[list[int]] = [[] for _ in steps]
    for i, at in ends.items():
        ended[at].append(i)
    return Tape(len(inputs), tuple(map(float, texts)), tuple(steps), kept, tuple(map(tuple, ended)), asked)
