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
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import FLOAT, total
from splitcrit.search.records import Recorded

Array = NDArray[Any]
Function = Callable[..., Any]
ROUNDED = (  # correctly, by IEEE 754; in the order of tapes_compiled
    operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.abs, FLOAT.sqrt, np.maximum,
    np.minimum, FLOAT.where, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
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
        """Return the outputs for columns of numbers, nan where there is none."""
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
        from splitcrit.search.tapes_compiled import replay

        found = np.empty((len(self.outputs), 2 * left.shape[1]))
        replay(self.code, left, right, found)
        return list(found)

    @functools.cached_property
    def code(self) -> Recorded | None:
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
        return Recorded(steps, np.array(self.constants, dtype=float), np.arange(self.inputs, first), used, outputs)


def recorded(formula: Callable[[Any, Any], Any], inputs: int) -> Tape | None:
    """Return the tape of ``formula(numbers, m)``, which returns a tuple; None if it cannot be recorded.

    A tape is used only if it repeats the formula's floats on a batch of counts.

    Examples
    --------
    >>> tape = recorded(lambda x, m: (m.sqrt(x[0] + x[1]) + m.sqrt(x[0] + x[1]),), 2)
    >>> len(tape.steps), tape([np.array([1.0, 4.0]), np.array([3.0, 5.0])])[0].tolist()
    (3, [4.0, 6.0])
    """
    recorder = _Recorder(inputs)
    trial = np.array([[(7 * i + 3 * k * i * i) % (5 + k) for i in range(64)] for k in range(inputs)], dtype=float)
    try:
        with np.errstate(all="ignore"):
            outputs = formula([_Symbol(recorder, k) for k in range(inputs)], recorder)
            tape = recorder.finished([symbol.number for symbol in outputs])
            same = zip(tape(trial), formula(list(trial), FLOAT), strict=True)
            return tape if all(np.array_equal(a, b, equal_nan=True) for a, b in same) else None
    except Exception:  # whatever a formula does that a symbol cannot; the formula itself will be asked
        return None


@dataclass(eq=False)
class _Recorder:
    """The arithmetic of symbols: every operation is a step, and a step that was made before is found again."""

    inputs: int
    name: str = "FLOAT"
    known: dict[Any, int] = field(default_factory=dict)
    made: list[tuple[Function | None, Any]] = field(default_factory=list)
    most: list[float] = field(default_factory=list)  # of inputs, constants and results, see _limit
    sums: dict[int, set[int]] = field(default_factory=dict)
    asked: int = 0

    def __post_init__(self) -> None:
        self.most += [2.0**53] * self.inputs

    def number(self, x: Any) -> Any:
        return FLOAT.number(x)

    def max(self, items: Any) -> Any:
        return functools.reduce(functools.partial(self.step, np.maximum), items)

    def min(self, items: Any) -> Any:
        return functools.reduce(functools.partial(self.step, np.minimum), items)

    def abs(self, x: Any) -> Any:
        return self.step(operator.abs, x)

    def __getattr__(self, name: str) -> Any:
        if name not in ("log", "xlogx", "sqrt", "power", "exp", "where"):
            raise AttributeError(name)
        return functools.partial(self.step, getattr(FLOAT, name))

    def step(self, function: Function, *operands: Any) -> Any:
        """Return the symbol of a step, made now or before; what depends on no input is computed."""
        if not any(isinstance(x, _Symbol) for x in operands):
            return function(*operands)
        if function is operator.pow and operands[1] == 2:
            function, operands = operator.mul, (operands[0], operands[0])
        self.asked += 1
        if function is operator.mul:
            operands = operands[0], self._unguarded(*operands)
        return _Symbol(self, self._at(function, tuple(self._operand(x) for x in operands)))

    def _unguarded(self, x: Any, guarded: Any) -> Any:
        """Return ``y`` of ``where(x == 0, 0, y)`` if it is finite: ``x`` times either is the same."""
        if not (isinstance(x, _Symbol) and isinstance(guarded, _Symbol)):
            return guarded
        zero = self._at(None, repr(0.0))
        function, operands = self._step(guarded.number)
        if function != WHERE or operands[1] != zero or self._step(operands[0]) != (operator.eq, (x.number, zero)):
            return guarded
        return _Symbol(self, operands[2]) if self.most[operands[2]] < np.inf else guarded

    def _step(self, number: int) -> tuple[Function | None, Any]:
        return self.made[number - self.inputs] if number >= self.inputs else (None, ())

    def _limit(self, function: Function | None, operands: Any) -> float:
        """Return what the absolute value of a result cannot exceed, if inputs are counts; infinite: nobody knows."""
        if function is None:
            return abs(float(operands))
        if function is operator.truediv:
            return 1.0 if operands[0] in self._summed(operands[1]) else np.inf
        most: list[float] = [self.most[each] for each in (operands[1:] if function == WHERE else operands)]
        if function in (operator.add, operator.sub):
            return sum(most)
        if function is operator.mul:
            return most[0] * most[1]
        return max(most) if function in (operator.neg, operator.abs, np.maximum, np.minimum, WHERE) else np.inf

    def _summed(self, number: int) -> set[int]:
        """Return the inputs whose sum a number is, none if it is something else."""
        if number not in self.sums:
            waiting, found = [number], set[int]()
            while waiting:
                at = waiting.pop()
                function, operands = self._step(at)
                if at >= self.inputs and function is not operator.add:
                    waiting, found = [], set()
                elif at >= self.inputs:
                    waiting += operands
                else:
                    found.add(at)
            self.sums[number] = found
        return self.sums[number]

    def _operand(self, x: Any) -> int:
        if isinstance(x, _Symbol):
            return x.number
        if not isinstance(x, int | float | np.number | np.bool_):
            raise TypeError(f"{x!r} is no number")
        return self._at(None, repr(float(x)))

    def _at(self, function: Function | None, operands: Any) -> int:
        key = function, operands
        if key not in self.known:
            self.known[key] = len(self.most)
            self.most.append(self._limit(function, operands))
            self.made.append(key)
        return self.known[key]

    def finished(self, outputs: list[int]) -> Tape:
        """Return the tape, with constants numbered before the steps."""
        needed = set(outputs)
        for i in range(len(self.made) - 1, -1, -1):
            if self.inputs + i in needed and self.made[i][0] is not None:
                needed.update(self.made[i][1])
        fixed, moving = list[int](), list[int]()
        for i, (function, _) in enumerate(self.made):
            if self.inputs + i in needed:
                (fixed if function is None else moving).append(i)
        places = {self.inputs + i: self.inputs + at for at, i in enumerate([*fixed, *moving])}
        new = {i: i for i in range(self.inputs)} | places
        steps = [(self.made[i][0], tuple(int(new[x]) for x in self.made[i][1])) for i in moving]
        kept = tuple(int(new[i]) for i in outputs)
        ends = {i: at for at, (_, operands) in enumerate(steps) for i in operands if i not in kept}
        done = [tuple(i for i, end in ends.items() if end == at) for at in range(len(steps))]
        constants = tuple(float(self.made[i][1]) for i in fixed)
        return Tape(self.inputs, constants, tuple(steps), kept, tuple(done), self.asked)  # type: ignore[arg-type]


class _Symbol:
    """A number to be: an input or the result of a step."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, recorder: _Recorder, number: int) -> None:
        self.recorder, self.number = recorder, number

    def __bool__(self) -> bool:
        raise TypeError("a symbol has no value yet")


def _method(function: Function, reflected: bool) -> Function:
    def method(self: _Symbol, *others: Any) -> Any:
        return self.recorder.step(function, *(*others, self) if reflected else (self, *others))

    return method


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(_Symbol, f"__{_name}__", _method(getattr(operator, _name), False))
    setattr(_Symbol, f"__r{_name}__", _method(getattr(operator, _name), True))
for _name in ("neg", "abs", "eq", "ne", "lt", "le", "gt", "ge"):
    setattr(_Symbol, f"__{_name}__", _method(getattr(operator, _name), False))
