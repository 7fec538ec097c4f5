"""What traced code may do; anything else is an error that names the word.

A formula is traced at a few numbers of members (``SIZES`` of ``control_flow``), and the traces must agree. So whatever a
formula does from the n-th member on is seen, for n below the largest of these sizes. For larger n it needs a number
above ``LARGEST`` that decides something, a list that is as long, or something that keeps count where no trace looks. The
first is refused as it runs: every whole number that traced code names, is given by a size or a range, or computes from
such, is a `Whole`, which adds and multiplies, is an exact number in a formula, and above ``LARGEST`` has no answer to a
comparison, a remainder, a repetition or a truth test. The second is refused too. The third has no place to stand: code
is run if each of its steps is a listed one, without ``del``, slices, ``nonlocal``, items that are set, or methods that
change a list; and whatever it names is a function that is traced likewise, a number, an object of the library, or one of
the listed stand-ins. All other things are `Unknown`: they may be named in code that does not run, and are refused there
where they are used.

Main definitions: ``admitted`` (code, and what it may not do), ``Whole``, ``counted``, ``Unknown``, ``unread``.
"""

from __future__ import annotations

import dis
import functools
import inspect
import linecache
import numbers
import re
import types
from collections.abc import Callable
from typing import Any, NoReturn

from splitcrit.frozen import complaint, shown
from splitcrit.proof.undecided import Undecided

RULE = "a traced formula may use only arithmetic, sums and sizes"
REMEDY = "write a sum or a comprehension over all members, with m.where for cases"
LARGEST = 12  # a larger number decides nothing in traced code
STEPS = re.compile(  # of CPython 3.11 to 3.13
    r"NOP|CACHE|RESUME|EXTENDED_ARG|PRECALL|PUSH_NULL|POP_TOP|COPY|SWAP|COPY_FREE_VARS|MAKE_CELL|MAKE_FUNCTION"
    r"|SET_FUNCTION_ATTRIBUTE|KW_NAMES|RETURN_\w+|YIELD_VALUE|LOAD_(CONST|FAST\w*|DEREF|GLOBAL|CLOSURE|ATTR|METHOD)"
    r"|LOAD_ASSERTION_ERROR|STORE_FAST\w*|DELETE_FAST|STORE_DEREF|BINARY_(OP|SUBSCR)|UNARY_\w+|COMPARE_OP|IS_OP"
    r"|CONTAINS_OP|TO_BOOL|(POP_)?JUMP\w*|FOR_ITER|GET_ITER|END_FOR|BUILD_(LIST|TUPLE|STRING|MAP|CONST_KEY_MAP)"
    r"|LIST_(APPEND|EXTEND|TO_TUPLE)|DICT_MERGE|UNPACK_SEQUENCE|CALL|CALL_KW|CALL_FUNCTION_EX|CALL_INTRINSIC_1"
    r"|FORMAT_\w+|CONVERT_VALUE|BEFORE_WITH|WITH_EXCEPT_START|PUSH_EXC_INFO|POP_EXCEPT|RERAISE|RAISE_VARARGS"
)
WORDS = {
    "DELETE_SUBSCR": "del of items", "STORE_SUBSCR": "an item that is set", "BUILD_SLICE": "a slice with a step",
    "IMPORT_NAME": "import", "STORE_ATTR": "an attribute that is set", "STORE_GLOBAL": "global", "UNPACK_EX": "*rest",
    "LOAD_BUILD_CLASS": "class", "CHECK_EXC_MATCH": "except", "BUILD_SET": "a set", "SET_ADD": "a set",
    "MAP_ADD": "a dictionary by members", "DICT_UPDATE": "a dictionary that is changed", "GET_YIELD_FROM_ITER": "yield from",
}  # fmt: skip
FLOAT_ALONE = "OverflowError"  # what may be caught, since no exact number raises it
HELD = (list, dict, set, str, bytes, types.GeneratorType, types.FunctionType, types.CodeType)
METHODS = {name for kind in HELD for name in vars(kind)} - {"append", "values", "__call__", "__name__", "__module__"}
METHODS |= {"inner", "member", "axis", "bit_length", "bit_count"}  # of a term, a family and a number


class Refused(Undecided):
    """Traced code uses what it may not; ``word`` names it."""

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(complaint(RULE, word, REMEDY))


def refuse(word: str) -> NoReturn:
    """Raise the error that names what traced code may not use."""
    raise Refused(word)


class Unknown:
    """What traced code may name and not use; ``value`` is a kind that ``isinstance`` asks for."""

    def __init__(self, word: str, value: Any = None) -> None:
        self.word, self.value = word, value

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        refuse(self.word)

    __call__ = __iter__ = __len__ = __bool__ = __getitem__ = __contains__ = __enter__ = __exit__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = __pow__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __index__ = _refuse  # type: ignore[assignment]
    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        return self._refuse()

    def __or__(self, other: Any) -> Unknown:
        return Unknown(self.word, self.value | (other.value if isinstance(other, Unknown) else other))

    __ror__ = __or__


class Whole(int):
    """A whole number of traced code: above ``LARGEST`` it is a number of a formula and decides nothing."""

    __slots__ = ()
    __hash__ = int.__hash__

    def __format__(self, spec: str) -> str:
        refuse("the text of a number")

    __str__ = __format__  # type: ignore[assignment]


def decided_by(*found: Any) -> None:
    """Refuse a number above ``LARGEST`` that decides something; a place in a list at hand is none of these."""
    for x in (int(x) if isinstance(x, Whole) else x for x in found if type(x) is not int):
        if isinstance(x, numbers.Real) and abs(x) > LARGEST:
            refuse(f"the number {shown(x)} in a decision")


def _method(name: str, deciding: bool) -> Callable[..., Any]:
    method = getattr(int, name)

    def run(self: Whole, *others: Any) -> Any:
        if deciding and all(isinstance(x, numbers.Real) for x in others):
            decided_by(self, *others)
        elif any(isinstance(x, list | tuple | str | bytes) for x in others):  # repeated
            decided_by(self)
        return counted(method(self, *others))

    return run


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow", "neg", "pos", "abs"):
    setattr(Whole, f"__{_name}__", _method(f"__{_name}__", False))
for _name in ("bool", "eq", "ne", "lt", "le", "gt", "ge", "floordiv", "rfloordiv", "mod", "rmod", "and", "rand", "or",
              "ror", "xor", "rxor", "lshift", "rlshift", "rshift", "rrshift", "invert"):  # fmt: skip
    setattr(Whole, f"__{_name}__", _method(f"__{_name}__", True))


def counted(x: Any, of: Callable[[Any], Any] | None = None) -> Any:
    """Return a constant of traced code with its whole numbers as `Whole`, and lists as tuples; long ones are unknown."""
    if isinstance(x, bool) or x is NotImplemented:
        return x
    if isinstance(x, int) or (isinstance(x, float) and x.is_integer()):
        return Whole(x)
    if isinstance(x, list | tuple | frozenset):
        return tuple(map(of or counted, x)) if len(x) <= LARGEST else Unknown(f"a list of {len(x)} constants")
    return x


def plain(x: Any) -> Any:
    """Return a `Whole` as the integer that code takes which is not traced, in tuples too."""
    return int(x) if isinstance(x, Whole) else tuple(map(plain, x)) if type(x) is tuple else x


def unread(items: Any) -> list[Any]:
    """Return the items of something that is iterated; refuse a generator that was read before."""
    if isinstance(items, types.GeneratorType) and inspect.getgeneratorstate(items) != inspect.GEN_CREATED:
        refuse("a generator that is read twice")
    return list(items)


@functools.cache
def admitted(code: types.CodeType) -> tuple[types.CodeType, str]:
    """Return code with its whole numbers as `Whole`, and the first thing in it that traced code may not do, if any."""
    fault = ""
    found = list(dis.get_instructions(code))
    for place, step in enumerate(found):
        if not fault and (word := _word(code, step, found[max(place - 2, 0) : place])):
            line = step.positions.lineno if step.positions and step.positions.lineno else code.co_firstlineno
            fault = f"{word} in {code.co_name}, line {line}: {linecache.getline(code.co_filename, line).strip()}"
    constants = []
    for x in code.co_consts:
        if isinstance(x, types.CodeType):
            x, inner = admitted(x)
            fault = fault or inner
        constants.append(x if isinstance(x, tuple) and all(isinstance(y, str) for y in x) else counted(x))
    return code.replace(co_consts=tuple(constants)), fault


def _word(code: types.CodeType, step: dis.Instruction, before: list[dis.Instruction]) -> str:
    """Return what a step does that traced code may not do, in words; nothing if it may."""
    name = step.opname
    if name in ("LOAD_ATTR", "LOAD_METHOD") and step.argval in METHODS:
        return f".{step.argval}"
    if name == "STORE_DEREF" and step.argval in code.co_freevars:
        return "nonlocal"
    if name in ("BUILD_SLICE", "BINARY_SLICE") and step.arg != 3:  # of two bounds
        return "" if all(map(_is_bound, before)) else "a slice by other than small numbers"
    if name in ("BUILD_LIST", "BUILD_TUPLE", "BUILD_MAP") and (step.arg or 0) > LARGEST:
        return f"a list of {step.arg} items"
    if name == "CHECK_EXC_MATCH" and before[-1].argval == FLOAT_ALONE:
        return ""
    return "" if STEPS.fullmatch(name) else WORDS.get(name, name)


def _is_bound(step: dis.Instruction) -> bool:
    x = step.argval
    return step.opname == "LOAD_CONST" and (x is None or (isinstance(x, int) and abs(x) <= LARGEST))
