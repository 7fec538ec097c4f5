"""The statement of an enumeration is watched while it runs: which of its parts ran, and whether any of them rounded.

A part that ran in no case says nothing, whatever it is: the right side of ``not a or b`` where ``a`` never holds, the
body of a loop over nothing, a condition on every member of nothing. What answers False or raises an error is no such
part: it waits for a counterexample.

Main definitions: ``Watched``.
"""

from __future__ import annotations

import dis
import functools
import numbers
import sys
import types
from fractions import Fraction
from itertools import pairwise
from typing import Any

from splitcrit.proof.linting import of_claims, reached, within

# Steps that say something; what only loads, stores, jumps and returns passes an answer on.
SAYING = ("CALL", "COMPARE", "BINARY", "CONTAINS", "LOAD_ATTR", "LOAD_METHOD", "IS_OP", "UNARY", "FOR_ITER")
# Functions of the standard library that leave the rational numbers, by what they are in words.
LEAVING = {
    Fraction.limit_denominator.__code__: "limit_denominator",
    numbers.Rational.__float__.__code__: "a float",
    Fraction.__round__.__code__: "round",
    Fraction.__pow__.__code__: "a root as a power: that is a float",
    Fraction.__rpow__.__code__: "a root as a power: that is a float",
}
POWERS = (Fraction.__pow__.__code__, Fraction.__rpow__.__code__)


class Watched:
    """A function whose steps are watched until each part of it has run; a context manager.

    The quotients of ``others``, and of what these functions call of a claim's own, are watched with it.

    Examples
    --------
    >>> with Watched(lambda n: n < 5 or n == 77) as watched:
    ...     held = all(watched.function(n) for n in range(3))
    >>> held, watched.fault()
    (True, 'vacuous: in no case did line 1 run as far as `==`; state what is assumed as hypotheses=')
    """

    def __init__(self, function: Any, *others: Any) -> None:
        self.function = function
        whole = list(reached((function, *others)))
        by_flint = any("ratio" in each.__globals__ for each in whole)  # whose rational numbers do not divide in Python
        codes = (code for each in whole for code in within(each.__code__))
        self.quotients = {} if by_flint else {code: places for code in codes if (places := _quotients(code))}
        self.dividing: types.FrameType | None = None  # one that is about to divide
        while isinstance(function, functools.partial):
            function = function.func
        code = getattr(function, "__code__", None)
        self.waiting = {} if code is None else _parts(code)
        self.rounded = ""

    def __enter__(self) -> Watched:
        self.before = sys.gettrace()
        if self.waiting:
            sys.settrace(self._enter)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.settrace(self.before)

    def next_case(self) -> None:
        """Stop watching once every part has run: later cases run at full speed."""
        if not any(self.waiting.values()) and sys.gettrace() == self._enter:
            sys.settrace(self.before)

    def fault(self, rounded: bool = False) -> str:
        """Name a value that was rounded, unless that is allowed, or the first part that never ran; else nothing."""
        if self.rounded and not rounded:
            return f"uses {self.rounded}: an exact claim may not compare within a tolerance"
        for parts in self.waiting.values():
            for part in parts:
                step = next(x for x in part if x.opname.startswith(SAYING))
                line = next((x.positions.lineno for x in part if x.positions and x.positions.lineno), 0)
                words = f"vacuous: in no case did line {line} run as far as `{step.argrepr or step.opname}`"
                return f"{words}; state what is assumed as hypotheses="
        return ""

    def _enter(self, frame: types.FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if self.dividing is not None and frame.f_back is self.dividing:  # Fractions and terms divide in Python
            self.dividing = None
        if code in self.waiting or code in self.quotients:
            frame.f_trace_opcodes = True
            return self._step
        leaves = code in LEAVING and (code not in POWERS or _broken(frame.f_locals))
        if leaves and frame.f_back is not None and of_claims(frame.f_back.f_globals.get("__name__", "")):
            self.rounded = LEAVING[code]
        return None

    def _step(self, frame: types.FrameType, event: str, _: Any) -> Any:
        if self.dividing is frame and event in ("opcode", "return"):
            self.rounded, self.dividing = "/ of whole numbers, which is a float", None
        if event == "opcode":
            if frame.f_lasti in self.quotients.get(frame.f_code, ()):
                self.dividing = frame
            parts = self.waiting.get(frame.f_code, [])
            parts[:] = [part for part in parts if not part[0].offset <= frame.f_lasti <= part[-1].offset]
        return self._step


@functools.cache
def _quotients(code: types.CodeType) -> frozenset[int]:
    """The places of the steps that divide."""
    return frozenset(x.offset for x in dis.get_instructions(code) if x.argrepr in ("/", "/="))


def _broken(names: dict[str, Any]) -> bool:
    """True if a power is taken whose exponent is no whole number."""
    exponent = names.get("b")  # of ``a**b``, in `Fraction.__pow__` as in `Fraction.__rpow__`
    return isinstance(exponent, numbers.Rational) and exponent.denominator != 1


def _parts(code: types.CodeType, cells: tuple[str, ...] = ()) -> dict[types.CodeType, list[list[dis.Instruction]]]:
    """The stretches without a jump in or out that say something, of a code object and those inside it.

    What a parameter of the statement leaves out, as ``strict`` does in ``x < y if strict else x <= y``, is no part.
    """
    stretches: list[list[dis.Instruction]] = [[]]
    for step in dis.get_instructions(code):
        if step.is_jump_target and stretches[-1]:
            stretches.append([])
        stretches[-1].append(step)
        if "JUMP" in step.opname or step.opname.startswith(("RETURN", "RAISE", "RERAISE", "FOR_ITER", "SEND")):
            stretches.append([])
    left_out: set[int] = set()
    for part, after in pairwise(stretches):
        if _chosen(part, code):
            left_out |= {part[-1].argval, *(x.offset for x in after[:1])}
    lines = [part for part in stretches if part and part[0].offset not in left_out]
    parts = {code: [part for part in lines if _says(part, cells) and not _refutes(part)]}
    for step in (x for part in lines for x in part):
        if isinstance(step.argval, types.CodeType):
            parts |= _parts(step.argval, (*cells, *code.co_cellvars))
    return parts


def _says(part: list[dis.Instruction], cells: tuple[str, ...]) -> bool:
    """True if a stretch computes something from the case, which reaches it by a local variable, or one around it."""
    of_case = any("_FAST" in x.opname or ("DEREF" in x.opname and x.argval in cells) for x in part)
    return of_case and any(x.opname.startswith(SAYING) for x in part)


def _chosen(part: list[dis.Instruction], code: types.CodeType) -> bool:
    """True if a stretch ends in a jump on the value of a parameter: no local but one with a default, or a constant."""
    if len(part) < 2 or "IF" not in part[-1].opname:
        return False
    asked = next((x for x in reversed(part[:-1]) if x.opname not in ("UNARY_NOT", "TO_BOOL", "COPY", "NOP")), part[-2])
    if asked.opname in ("IS_OP", "COMPARE_OP"):
        asked = part[-3]
    by_default = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return asked.opname in ("LOAD_DEREF", "LOAD_GLOBAL") or (asked.opname == "LOAD_FAST" and asked.argval in by_default)


def _refutes(part: list[dis.Instruction]) -> bool:
    """True if a stretch ends in an error or in the answer False."""
    if part[-1].opname.startswith(("RAISE", "RERAISE")):
        return True
    answer = part[-2] if len(part) > 1 and part[-1].opname == "RETURN_VALUE" else part[-1]
    return answer.opname in ("LOAD_CONST", "RETURN_CONST") and answer.argval is False
