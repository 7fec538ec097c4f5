"""One call under judgement: warnings are errors, a watch runs, and what comes of it has a name.

Main definitions: ``Call`` (a function of one varied argument), ``Verdict``, ``judge``, ``same_results``.
"""

from __future__ import annotations

import math
import re
import signal
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from numbers import Number
from pathlib import Path
from typing import Any

import numpy as np

from contract.inputs import ANSWER, REFUSE, Case, plain_numbers
from splitcrit.arith import Irrational
from splitcrit.frozen import is_ours

SECONDS = 30
MEMORY = 4 * 2**30  # bytes that one call may allocate
PLAIN = "the plain value"
LONGEST = 1000  # characters of an error: it is one sentence
SENTENCE = re.compile(r"[^;].*; got .*; .+", re.DOTALL)
ARITY = re.compile(r"(unexpected keyword|positional|missing \d+ required|multiple values for) .*argument")

# scikit-learn's check_estimator asks for scikit-learn's own sentences: they count apart, and for estimators alone.
VALIDATORS = ("sklearn/utils/validation.py", "sklearn/utils/_param_validation.py", "sklearn/utils/multiclass.py",
              "sklearn/utils/class_weight.py", "sklearn/preprocessing/_discretization.py")  # fmt: skip
GOOD = frozenset({"answered", "refused", "refused by scikit-learn"})


class Overran(BaseException):
    """The watchdog stopped a call."""


@dataclass(frozen=True)
class Law:
    """A second path: the answer to another input, made from that to this one."""

    name: str
    other: Callable[[np.ndarray], Any]
    answer: Callable[[Any], Any] = lambda answer: answer
    axes: int = 2


@dataclass(frozen=True)
class Call:
    """A function of the one argument that varies, what confirms its answers, and what is allowed of them."""

    function: Callable[[Any], Any]
    laws: tuple[Law, ...] = ()
    estimator: bool = False
    nan: bool = False
    tolerance: float = 1e-9
    seconds: float = SECONDS
    known: list[Any] = field(default_factory=list)  # the answer to the plain value, once it was asked for


@dataclass(frozen=True)
class Verdict:
    """What came of one case."""

    outcome: str
    message: str = ""


def judge(call: Call, case: Case) -> Verdict:
    """Make one call, and say whether it kept the contract."""
    value = case.make()
    try:
        answer = watched(call, value)
    except (Exception, Overran) as error:
        verdict = judged_error(call, error)
        if verdict.outcome in GOOD and case.expect == ANSWER:
            return Verdict("refused what numpy reads", verdict.message)
        return verdict
    return judged_answer(call, case, value, answer)


def watched(call: Call, value: Any) -> Any:
    """Call the function with warnings as errors and a clock."""
    with warnings.catch_warnings(), limited(call.seconds):
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "cannot pass")  # the remark of a score function, which returns arrays alone
        if call.estimator:  # scikit-learn's advice: names of features, few samples, few trees
            warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
        return call.function(value)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `Overran` after these seconds of the processor, a MemoryError beyond what a call may allocate.

    Only Linux says how much there is; elsewhere nothing is limited.
    """
    statm = Path("/proc/self/statm")
    if not statm.exists():
        yield
        return
    import resource

    def stop(number: int, frame: Any) -> None:
        raise Overran(f"longer than {seconds:g} s")

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(statm.read_text().split()[0]) * resource.getpagesize()
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def judged_error(call: Call, error: BaseException) -> Verdict:
    """Tell an error that the package explains from one that broke out of it."""
    said, last = str(error), traceback.extract_tb(error.__traceback__)[-1]
    shown = f"{type(error).__name__}: {said[:300]}"
    if isinstance(error, Overran):
        return Verdict("too slow", said)
    if isinstance(error, Warning):
        return Verdict("warning", shown)
    if call.estimator and last.filename.replace("\\", "/").endswith(VALIDATORS):
        return Verdict("refused by scikit-learn", shown)
    if (is_ours(error) or isinstance(error, Irrational)) and SENTENCE.fullmatch(said):
        return Verdict("refused", shown) if len(said) <= LONGEST else Verdict("a long error", shown)
    if isinstance(error, TypeError) and ARITY.search(said):
        return Verdict("refused", shown)
    return Verdict("raw error", f"{shown} [{Path(last.filename).name}:{last.lineno} {last.name}]")


def judged_answer(call: Call, case: Case, value: Any, answer: Any) -> Verdict:
    """Confirm an answer by second paths."""
    shown = list(leaves(answer))
    if case.expect == REFUSE:
        return Verdict("answered nonsense", f"{shown}"[:200])
    if not call.nan and any(isinstance(x, float | np.floating) and math.isnan(x) for x in shown):
        return Verdict("nan", f"{shown}"[:200])
    if not untouched(value, case):
        return Verdict("changed its input")
    for name, other, expected in second_paths(call, case, answer):
        try:
            found = call.known[0] if name == PLAIN and call.known else watched(call, other)
        except (Exception, Overran) as error:
            return Verdict("disagrees", f"{name}: {type(error).__name__}: {str(error)[:200]}")
        if name == PLAIN:
            call.known[:] = [found]
        if not same_results(found, expected, call.tolerance):
            return Verdict("disagrees", f"{name}: {list(leaves(found))} is not {list(leaves(expected))}"[:400])
    return Verdict("answered")


def second_paths(call: Call, case: Case, answer: Any) -> Iterator[tuple[str, Any, Any]]:
    """Other inputs, with the answers that the given one entails for them."""
    if case.plain is not None:
        yield PLAIN, case.plain(), answer
        return
    array = plain_numbers(case.make())
    if array is not None and array.dtype != object and array.size > 1:
        yield "as a list", array.tolist(), answer
    elif case.repeatable:
        yield "the same again", case.make(), answer
    if array is None:
        return
    for law in call.laws:
        if array.ndim >= law.axes:
            yield law.name, law.other(array), law.answer(answer)


def untouched(value: Any, case: Case) -> bool:
    """Whether an array or a list is what it was before the call."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iufb":
        masked = np.ma.isMaskedArray(value) and np.ma.getmaskarray(value).all()
        return bool(masked) or np.array_equal(
            np.ma.getdata(value), np.ma.getdata(case.make()), equal_nan=value.dtype.kind == "f"
        )
    return not isinstance(value, list) or repr(value) == repr(case.make())


def leaves(answer: Any) -> Iterator[Any]:
    """The numbers, words and shapes of a result, in order."""
    if isinstance(answer, np.ndarray):
        yield answer.shape
        yield from (x for entry in answer.ravel().tolist() for x in leaves(entry))
    elif isinstance(answer, dict):
        yield from (leaf for item in answer.items() for leaf in leaves(item))
    elif isinstance(answer, list | tuple):
        yield len(answer)
        yield from (leaf for item in answer for leaf in leaves(item))
    elif is_dataclass(answer) and not isinstance(answer, type):
        yield type(answer).__name__
        yield from (leaf for field in fields(answer) for leaf in leaves(getattr(answer, field.name)))
    elif isinstance(answer, str | bytes | Number | None):
        yield answer.item() if isinstance(answer, np.generic) else answer
    elif isinstance(answer, types.FunctionType | type):
        yield answer.__qualname__
    else:
        yield type(answer).__name__


def same_results(one: Any, other: Any, tolerance: float) -> bool:
    """Whether two results have the same leaves, numbers to a relative (and near 0 an absolute) tolerance."""
    a, b = list(leaves(one)), list(leaves(other))
    return len(a) == len(b) and all(same_leaf(x, y, tolerance) for x, y in zip(a, b, strict=True))


def same_leaf(x: Any, y: Any, tolerance: float) -> bool:
    if isinstance(x, Number) and isinstance(y, Number):
        if x == y or (x != x and y != y):
            return True
        try:
            return math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance)
        except (OverflowError, TypeError):
            return False
    return bool(x == y)
